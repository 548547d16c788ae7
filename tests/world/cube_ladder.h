/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Cubes on a ladder, and shapes with what a method wants of them. */

#ifndef LITHE_TESTS_CUBE_LADDER_H
#define LITHE_TESTS_CUBE_LADDER_H

#include "bake/ladder_fixture.h"
#include "world/fixture.h"

/* With a tree for the method, if it needs one. Takes the shape over. */
static inline lt_shape *prepare(lt_shape *shape, lt_method method) {
    lt_shape *out = NULL;
    lt_error error = {0};
    if (!shape || (method != LT_METHOD_SPHERE_TREE && method != LT_METHOD_MULTISCALE)) return shape;
    lt_bake_spheres_def spheres = lt_bake_spheres_def_default();
    spheres.method = LT_SPHERES_OCTREE;
    spheres.depth = 2;
    lt_bake_tree_def tree = lt_bake_tree_def_default();
    lt_status status = method == LT_METHOD_SPHERE_TREE ? lt_bake_spheres(shape, &spheres, &out, &error)
                                                       : lt_bake_tree(shape, &tree, &out, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_release(shape);
    return out;
}

/* Cubes of four, two and one cells along a side. */
static inline lt_shape *cube_ladder(void) {
    lt_tet_mesh meshes[3];
    lt_bake_level levels[3];
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    lt_shape *shape = NULL;
    lt_error error = {0};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t cells[3] = {4u >> i, 4u >> i, 4u >> i};
        if (lt_generate_tet_block(&meshes[i], (lt_dvec3){0.2, 0.2, 0.2}, cells, LT_TET_SPLIT_FIVE, NULL,
                                  NULL) != LT_OK)
            return NULL;
        for (uint32_t node = 0; node < meshes[i].node_count; node++)
            meshes[i].positions[node] = lt_d3_sub(meshes[i].positions[node], (lt_dvec3){0.1, 0.1, 0.1});
        levels[i] = level_of(&meshes[i]);
    }
    def.levels = levels;
    def.level_count = 3;
    def.distance_resolution = 32; /* as that of cube_shape */
    if (lt_bake_ladder(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    for (uint32_t i = 0; i < 3; i++)
        lt_tet_mesh_free(&meshes[i]);
    return shape;
}

#endif
