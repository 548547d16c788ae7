/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How deep a body is in itself, by brute force: the judge counts triangles that meet, which says nothing of how far. Points of the surface
 * are looked for in tets that share no node with the tet they belong to, and taken back to the rest pose by that tet: their depth
 * there, below the nearest vertex's plane. */

#ifndef LITHE_BENCH_ENGINE_SELF_H
#define LITHE_BENCH_ENGINE_SELF_H

#include "engine_internal.h"

#include "embed/embed.h"

typedef struct lt_engine_self {
    lt_carrier carrier;
    lt_skin skin;
    lt_body_id body;
    lt_vec3 *normals; /* [point_count] at rest, unit */
    lt_vec3 *nodes;   /* [node_count] now */
    double scale;
    lt_allocator allocator;
} lt_engine_self;

/* Of the body-th body of the rig, which is of tets. */
lt_status lt_engine_self_create(lt_engine_self *self, const lt_engine_rig *rig, uint32_t body,
                                lt_error *error);
/* Safe on zeroed ones. */
void lt_engine_self_free(lt_engine_self *self);
/* m, at rest; 0: no point is inside. */
double lt_engine_self_depth(const lt_engine_self *self, lt_world *world);

#endif
