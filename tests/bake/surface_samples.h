/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small surfaces to bake, and defs that keep a bake quick. */

#ifndef LITHE_TESTS_BAKE_SURFACE_SAMPLES_H
#define LITHE_TESTS_BAKE_SURFACE_SAMPLES_H

#include "check.h"
#include "lithe/bake.h"
#include "mesh/mesh.h"

static inline lt_bake_surface_def def_of(const lt_surface *surface, uint32_t target_tets) {
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.positions = &surface->positions[0].x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.target_tets = target_tets;
    def.rounds = 3;
    def.distance_resolution = 6;
    return def;
}

static const lt_vec3 tet_points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t tet_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static inline void add_tet(lt_surface *surface, float size, bool inside_out) {
    uint32_t base = surface->vertex_count, at = 3 * surface->triangle_count;
    for (int i = 0; i < 4; i++) /* about the tet's centre, so that a smaller one lies inside a larger one */
        surface->positions[base + (uint32_t)i] =
            lt_v3_scale(lt_v3_sub(tet_points[i], (lt_vec3){0.25f, 0.25f, 0.25f}), size);
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++)
            surface->triangles[at++] = base + tet_faces[f][inside_out ? 2 - k : k];
    surface->vertex_count += 4;
    surface->triangle_count += 4;
}

/* A surface of tets around each other in storage for two. */
static inline lt_surface tets_of(float first, float second, bool inside_out) {
    lt_surface surface = {0};
    if (lt_surface_allocate(&surface, 8, 8, NULL, NULL) != LT_OK) return surface;
    surface.vertex_count = surface.triangle_count = 0;
    add_tet(&surface, first, inside_out);
    if (second > 0) add_tet(&surface, second, inside_out);
    return surface;
}

static inline void free_tets(lt_surface *surface) {
    surface->vertex_count = surface->triangle_count = 8; /* what was allocated */
    lt_surface_free(surface);
}

#endif
