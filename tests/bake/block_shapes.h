/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces in a block of tets. Include after check.h. */

#ifndef LITHE_TESTS_BAKE_BLOCK_SHAPES_H
#define LITHE_TESTS_BAKE_BLOCK_SHAPES_H

#include "bake/icosahedral.h"
#include "embed/soft_fixture.h"

/* A surface (NULL: the boundary) in a block from 0 to 1 of n × n × n cells of six tets. */
static inline lt_shape *shape_in_block(const lt_surface *surface, uint32_t n) {
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {n, n, n};
    if (lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL) != LT_OK)
        return NULL;
    fixture_options options = {.surface = surface};
    lt_bake_notes notes;
    lt_shape *shape = bake_fixture(&mesh, &options, &notes);
    lt_tet_mesh_free(&mesh);
    return shape;
}

/* An icosphere in the middle of the block, off the planes of its cells. */
static inline bool make_ball(lt_surface *out, uint32_t subdivisions, double radius) {
    if (lt_generate_icosphere(out, radius, subdivisions, NULL, NULL) != LT_OK) return false;
    for (uint32_t i = 0; i < out->vertex_count; i++)
        out->positions[i] = lt_v3_add(out->positions[i], (lt_vec3){0.503f, 0.507f, 0.498f});
    return true;
}

/* A box of twelve triangles, each larger than the tets of a block of many cells, off their planes. */
static inline bool make_large_box(lt_surface *out) {
    const uint32_t divisions[3] = {1, 1, 1};
    if (lt_generate_box(out, (lt_vec3){0.37f, 0.41f, 0.43f}, divisions, NULL, NULL) != LT_OK) return false;
    for (uint32_t i = 0; i < out->vertex_count; i++)
        out->positions[i] = lt_v3_add(out->positions[i], (lt_vec3){0.51f, 0.52f, 0.49f});
    return true;
}

/* Half of a ball, ten of its triangles twice. */
static inline bool make_open_and_double(lt_surface *out) {
    lt_surface ball;
    if (!make_ball(&ball, 2, 0.4)) return false;
    uint32_t kept = ball.triangle_count / 2;
    bool made = lt_surface_allocate(out, ball.vertex_count, kept + 10, NULL, NULL) == LT_OK;
    if (made) {
        memcpy(out->positions, ball.positions, ball.vertex_count * sizeof(lt_vec3));
        memcpy(out->triangles, ball.triangles, 3 * (size_t)kept * sizeof(uint32_t));
        memcpy(out->triangles + 3 * (size_t)kept, ball.triangles, 30 * sizeof(uint32_t));
    }
    lt_surface_free(&ball);
    return made;
}

#endif
