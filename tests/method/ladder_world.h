/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds of multigrid bodies: cubes of 0.2 m on ladders of 2 to 4 small meshes, with trees of boxes. */

#ifndef LITHE_TESTS_METHOD_LADDER_WORLD_H
#define LITHE_TESTS_METHOD_LADDER_WORLD_H

#include "body/multigrid.h"
#include "method/multiscale_world.h"
#include "world/world.h"

enum { LADDER_LEVELS_MOST = 4 };

/* Cells along a side, the finest level first. */
static inline lt_shape *ladder_cube(const uint32_t *cells, uint32_t level_count) {
    lt_tet_mesh meshes[LADDER_LEVELS_MOST];
    lt_bake_level levels[LADDER_LEVELS_MOST];
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    lt_shape *shape = NULL;
    lt_error error = {0};
    for (uint32_t i = 0; i < level_count; i++) {
        const uint32_t counts[3] = {cells[i], cells[i], cells[i]};
        if (lt_generate_tet_block(&meshes[i], (lt_dvec3){0.2, 0.2, 0.2}, counts, LT_TET_SPLIT_SIX, NULL,
                                  NULL) != LT_OK)
            exit(1);
        for (uint32_t node = 0; node < meshes[i].node_count; node++)
            meshes[i].positions[node] = lt_d3_sub(meshes[i].positions[node], (lt_dvec3){0.1, 0.1, 0.1});
        levels[i] = (lt_bake_level){.node_positions = &meshes[i].positions->x,
                                    .tets = meshes[i].tets,
                                    .node_count = meshes[i].node_count,
                                    .tet_count = meshes[i].tet_count};
    }
    def.levels = levels;
    def.level_count = level_count;
    def.distance_resolution = 8;
    if (lt_bake_ladder(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    for (uint32_t i = 0; i < level_count; i++)
        lt_tet_mesh_free(&meshes[i]);
    return with_boxes(shape);
}

/* Meshes of 125, 64 and 27 nodes that do not fit into each other. */
static inline lt_shape *small_ladder(void) {
    static const uint32_t cells[3] = {4, 3, 2};
    return ladder_cube(cells, 3);
}

/* Soft enough that landing bends it. */
static inline lt_body_def multigrid_def(lt_shape *shape, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    def.model = LT_MODEL_MULTIGRID;
    def.material.young = 2e4f;
    def.refine_threshold = 0.1f;
    return def;
}

/* Nodes that move by themselves. */
static inline uint32_t front_size(const lt_world *world, uint32_t index) {
    return lt_soft_row_count(lt_soft_at(world, index));
}

static inline bool fronts_are_sound(const lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        const char *flaw = lt_collider_at(world, i)->in_use ? lt_front_flaw(lt_soft_at(world, i)) : NULL;
        if (!flaw) continue;
        CHECK_FAIL_MESSAGE("body %u: %s", i, flaw);
        return false;
    }
    return true;
}

/* Three cubes that fall on a floor and on each other, askew. */
static inline lt_world *make_tumbling(const lt_world_def *def, lt_shape *shape) {
    lt_world *world = make_world(def);
    add_floor(world);
    for (uint32_t i = 0; i < 3; i++) {
        lt_body_def bd = multigrid_def(
            shape, (lt_vec3){0.05f * (float)i, 0.13f + 0.26f * (float)i, 0.02f * (float)(i % 2)});
        bd.velocity = (lt_vec3){0, -1.5f, 0};
        bd.angular_velocity = (lt_vec3){0.5f, 0, 1.5f * (float)i};
        add_body_def(world, &bd);
    }
    return world;
}

#endif
