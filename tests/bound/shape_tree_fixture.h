/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of several kinds for tests of trees of shapes and of what is built on them. Include after check.h. */

#ifndef LITHE_TESTS_BOUND_SHAPE_TREE_FIXTURE_H
#define LITHE_TESTS_BOUND_SHAPE_TREE_FIXTURE_H

#include "bake/icosahedral.h"
#include "bound/shape_tree.h"
#include "embed/soft_fixture.h"

/* One tet, a few, a block, the same with nodes anywhere near their places, a ball; a fine ball in coarse tets, of which some points are
 * outside all tets, held by weights or by links. */
enum { SHAPE_KINDS = 7 };

static inline bool single_tet(lt_tet_mesh *mesh) {
    const uint32_t one[3] = {1, 1, 1};
    if (lt_generate_tet_block(mesh, (lt_dvec3){1, 1, 1}, one, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return false;
    const lt_dvec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.9, 0}, {0.3, 0.2, 0.8}};
    for (uint32_t i = 0; i < 4; i++)
        mesh->positions[i] = corners[i];
    for (uint32_t i = 0; i < 4; i++)
        mesh->tets[i] = i;
    return true;
}

static inline bool shape_fixture_alone(soft_fixture *f) {
    lt_tet_mesh mesh;
    if (!single_tet(&mesh)) return false;
    lt_tet_mesh one = mesh;
    one.node_count = 4;
    one.tet_count = 1;
    bool made = fixture_make(f, &one, (fixture_options){0});
    lt_tet_mesh_free(&mesh);
    return made;
}

static inline bool shape_fixture_block(soft_fixture *f, const uint32_t cells[3], double noise,
                                       lt_random *random) {
    lt_tet_mesh mesh;
    lt_dvec3 size = {0.1 * cells[0], 0.1 * cells[1], 0.1 * cells[2]};
    if (lt_generate_tet_block(&mesh, size, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK) return false;
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = lt_d3_add(mesh.positions[i], random_d3(random, noise));
    bool made = fixture_make(f, &mesh, (fixture_options){0});
    lt_tet_mesh_free(&mesh);
    return made;
}

static inline bool shape_fixture_ball(soft_fixture *f, uint32_t layers) {
    lt_tet_mesh mesh;
    if (lt_generate_tet_ball(&mesh, 0.3, layers, NULL, NULL) != LT_OK) return false;
    bool made = fixture_make(f, &mesh, (fixture_options){0});
    lt_tet_mesh_free(&mesh);
    return made;
}

/* The surface is larger than the tets that hold it. */
static inline bool shape_fixture_beyond(soft_fixture *f, uint32_t subdivisions, bool links) {
    lt_tet_mesh mesh;
    lt_surface ball;
    if (lt_generate_tet_ball(&mesh, 0.28, 2, NULL, NULL) != LT_OK) return false;
    if (lt_generate_icosphere(&ball, 0.3, subdivisions, NULL, NULL) != LT_OK) return false;
    bool made = fixture_make(f, &mesh, (fixture_options){.surface = &ball, .rigid_links = links});
    lt_surface_free(&ball);
    lt_tet_mesh_free(&mesh);
    return made;
}

static inline bool shape_fixture(soft_fixture *f, uint32_t kind, lt_random *random) {
    const uint32_t cells[3] = {1 + lt_random_below(random, 6), 1 + lt_random_below(random, 6),
                               1 + lt_random_below(random, 6)};
    const uint32_t one[3] = {1, 1, 1};
    switch (kind) {
    case 0: return shape_fixture_alone(f);
    case 1: return shape_fixture_block(f, one, 0, random);
    case 2: return shape_fixture_block(f, cells, 0, random);
    case 3: return shape_fixture_block(f, cells, 0.02, random);
    case 4: return shape_fixture_ball(f, 2 + lt_random_below(random, 3));
    default: return shape_fixture_beyond(f, 2 + lt_random_below(random, 2), kind == 6);
    }
}

#endif
