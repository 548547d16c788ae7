/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ladders for tests: of given meshes, of enclosures, and what a shape says of itself. */

#ifndef LITHE_TESTS_BAKE_LADDER_FIXTURE_H
#define LITHE_TESTS_BAKE_LADDER_FIXTURE_H

#include "bake/icosahedral.h"
#include "check.h"
#include "embed/embed.h"
#include "lithe/bake.h"
#include "scenes/generate.h"

typedef struct ladder_shape {
    lt_shape *shape;
    lt_carrier carrier;
    lt_tet_mesh mesh; /* of all levels: a view */
    const lt_ladder *ladder;
} ladder_shape;

/* Takes the shape over. */
static inline bool read_ladder(ladder_shape *out, lt_shape *shape) {
    lt_error error = {0};
    *out = (ladder_shape){.shape = shape};
    bool ok = shape && lt_carrier_read(&out->carrier, shape, &error) == LT_OK;
    if (!ok) CHECK_FAIL_MESSAGE("%s", error.message);
    out->mesh = lt_carrier_mesh(&out->carrier);
    out->ladder = &out->carrier.ladder;
    return ok;
}

static inline lt_bake_level level_of(const lt_tet_mesh *mesh) {
    return (lt_bake_level){.node_positions = &mesh->positions->x,
                           .tets = mesh->tets,
                           .node_count = mesh->node_count,
                           .tet_count = mesh->tet_count};
}

/* Balls of 20, 160, 540 … tets, the finest first, around a ball of radius 0.7 that all of them hold. With a `radius` above 1
 * of the second coarsest its nodes are far outside of the others. */
static inline bool bake_balls(ladder_shape *out, uint32_t level_count, double radius, bool clamps) {
    lt_tet_mesh meshes[4] = {0};
    lt_bake_level levels[4];
    lt_surface surface = {0};
    lt_shape *shape = NULL;
    lt_error error = {0};
    bool ok = lt_generate_icosphere(&surface, 0.7, 2, NULL, NULL) == LT_OK;
    for (uint32_t i = 0; i < level_count && ok; i++) {
        ok = lt_generate_tet_ball(&meshes[i], level_count - i == 2 ? radius : 1.0, level_count - i, NULL,
                                  NULL) == LT_OK;
        levels[i] = level_of(&meshes[i]);
    }
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    def.levels = levels;
    def.level_count = level_count;
    def.surface_positions = &surface.positions->x;
    def.surface_triangles = surface.triangles;
    def.surface_vertex_count = surface.vertex_count;
    def.surface_triangle_count = surface.triangle_count;
    def.clamp_weights = clamps;
    if (ok && lt_bake_ladder(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    for (uint32_t i = 0; i < level_count; i++)
        lt_tet_mesh_free(&meshes[i]);
    lt_surface_free(&surface);
    return shape && read_ladder(out, shape);
}

/* Enclosures of a surface, of which nothing is known but that it is given. */
static inline bool bake_enclosures(ladder_shape *out, const lt_surface *surface, const uint32_t *level_tets,
                                   uint32_t level_count, lt_bake_surface_notes *notes) {
    lt_bake_surface_def def = lt_bake_surface_def_default();
    lt_shape *shape = NULL;
    lt_error error = {0};
    def.positions = &surface->positions->x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.carrier = LT_CARRIER_LADDER;
    def.ladder_levels = level_count;
    def.level_tets = level_tets;
    def.rounds = 4;
    if (lt_bake_surface(&def, &shape, notes, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return shape && read_ladder(out, shape);
}

static inline bool bake_bear(ladder_shape *out, lt_bake_surface_notes *notes) {
    static const uint32_t level_tets[3] = {700, 220, 70};
    lt_surface bear;
    if (lt_generate_bear(&bear, 2000, NULL, NULL) != LT_OK) return false;
    bool ok = bake_enclosures(out, &bear, level_tets, 3, notes);
    lt_surface_free(&bear);
    return ok;
}

static inline double volume_of_tet(const ladder_shape *s, uint32_t t) {
    const uint32_t *tet = lt_tet_at(&s->mesh, t);
    const lt_dvec3 *x = s->mesh.positions;
    return lt_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
}

#endif
