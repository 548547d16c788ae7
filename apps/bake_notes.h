/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bake` says of its work, for people and for machines. */

#ifndef LITHE_APPS_BAKE_NOTES_H
#define LITHE_APPS_BAKE_NOTES_H

#include "ladder_notes.h"
#include "lithe/bake.h"
#include "multiscale_notes.h"
#include "tree_notes.h"

/* What the file was that went in. */
typedef enum lt_bake_source { LT_BAKE_FROM_SURFACE, LT_BAKE_FROM_TETS, LT_BAKE_FROM_SHAPE } lt_bake_source;

typedef struct lt_bake_account {
    const char *mesh_path, *out_path;
    const lt_shape *shape;
    lt_bake_source source;
    lt_bake_mesh_notes mesh; /* as `source` says */
    lt_ladder_notes ladder;
    lt_tree_notes tree;
    lt_multiscale_notes multiscale;
} lt_bake_account;

void lt_bake_account_print(const lt_bake_account *account);
/* One object. */
void lt_bake_account_write(lt_json *json, const lt_bake_account *account);

/* A line: what, how many, and the first: "edge 3-17", "input triangle 5". */
void lt_bake_print_finding(const lt_bake_finding *finding);
/* {"what": …, "count": …, "element": …, "first": […]} */
void lt_bake_write_finding(lt_json *json, const lt_bake_finding *finding);

#endif
