/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bake` and `lithe info` say of a shape's sphere tree, and its spheres as a file. */

#ifndef LITHE_APPS_TREE_NOTES_H
#define LITHE_APPS_TREE_NOTES_H

#include "bound/sphere_tree.h"
#include "scenes/json_writer.h"

/* What lt_sphere_method is called on the command line. */
#define LT_SPHERE_METHOD_NAMES 2
extern const char *const lt_sphere_method_names[LT_SPHERE_METHOD_NAMES];

typedef struct lt_tree_notes {
    uint32_t level_count; /* 0: the shape has no tree */
    uint32_t sphere_count, leaf_count, branching;
    bool layered;
    bool self_collision; /* false: too many leaves for it */
    double longest_side; /* m, of the surface's box: errors are told as a part of it */
    float levels[LT_SPHERE_LEVELS_MAX][LT_LEVEL_FIGURES];
} lt_tree_notes;

/* Zeros for a shape without a tree. */
lt_status lt_tree_notes_read(lt_tree_notes *out, const lt_shape *shape, lt_error *error);

/* The spheres of the shape's tree as a .sph file (bake/sphere_file.h). LT_STATUS_INVALID when it has no tree. */
lt_status lt_tree_export(const lt_shape *shape, const char *path, lt_error *error);

/* A line for the tree, one when bodies of it cannot collide with themselves, and one for each level; nothing when there is no tree. */
void lt_tree_notes_print(const lt_tree_notes *notes);
/* "sphere_tree": { … }, or null when there is none. */
void lt_tree_notes_write(lt_json *json, const lt_tree_notes *notes);

#endif
