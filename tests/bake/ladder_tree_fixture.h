/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A ball in a ladder of blocks, with a multiscale tree. Include after check.h. */

#ifndef LITHE_TESTS_BAKE_LADDER_TREE_FIXTURE_H
#define LITHE_TESTS_BAKE_LADDER_TREE_FIXTURE_H

#include "bake/tree_fixture.h"

#include <stdlib.h>

enum { LADDER_TREE_LEVELS_MOST = 5 };

/* Blocks from 0 to 1 of so many cells along a side, the finest first. NULL: it cannot be. */
static inline lt_shape *shape_in_ladder(const lt_surface *surface, const uint32_t *cells,
                                        uint32_t level_count) {
    lt_tet_mesh meshes[LADDER_TREE_LEVELS_MOST];
    lt_bake_level levels[LADDER_TREE_LEVELS_MOST];
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    lt_shape *shape = NULL;
    lt_error error = {LT_OK, ""};
    for (uint32_t i = 0; i < level_count; i++) {
        const uint32_t counts[3] = {cells[i], cells[i], cells[i]};
        if (lt_generate_tet_block(&meshes[i], (lt_dvec3){1, 1, 1}, counts, LT_TET_SPLIT_SIX, NULL, NULL) !=
            LT_OK)
            exit(1);
        levels[i] = (lt_bake_level){.node_positions = &meshes[i].positions->x,
                                    .tets = meshes[i].tets,
                                    .node_count = meshes[i].node_count,
                                    .tet_count = meshes[i].tet_count};
    }
    def.levels = levels;
    def.level_count = level_count;
    def.surface_positions = &surface->positions->x;
    def.surface_triangles = surface->triangles;
    def.surface_vertex_count = surface->vertex_count;
    def.surface_triangle_count = surface->triangle_count;
    def.distance_resolution = 4;
    if (lt_bake_ladder(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    for (uint32_t i = 0; i < level_count; i++)
        lt_tet_mesh_free(&meshes[i]);
    return shape;
}

static inline bool ball_in_ladder(tree_fixture *f, uint32_t subdivisions, const uint32_t *cells,
                                  uint32_t level_count, uint32_t max_governors) {
    lt_surface ball;
    memset(f, 0, sizeof *f);
    if (!make_ball(&ball, subdivisions, 0.4)) return false;
    bool made = tree_fixture_of(f, shape_in_ladder(&ball, cells, level_count), max_governors);
    lt_surface_free(&ball);
    return made;
}

#endif
