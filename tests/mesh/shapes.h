/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Closed surfaces on integer coordinates for the mesh tests, and an allocator that gives out. Include after
 * check.h. */

#ifndef LITHE_TESTS_MESH_SHAPES_H
#define LITHE_TESTS_MESH_SHAPES_H

#include "mesh/mesh.h"

static inline lt_surface surface_from(const int (*positions)[3], uint32_t vertex_count,
                                      const uint32_t (*triangles)[3], uint32_t triangle_count) {
    lt_surface surface;
    if (lt_surface_allocate(&surface, vertex_count, triangle_count, NULL, NULL) != LT_OK) return surface;
    for (uint32_t i = 0; i < vertex_count; i++)
        surface.positions[i] =
            (lt_vec3){(float)positions[i][0], (float)positions[i][1], (float)positions[i][2]};
    memcpy(surface.triangles, triangles, sizeof(uint32_t) * 3 * triangle_count);
    return surface;
}

/* The box [-2, 2]^3: 8 vertices, 12 triangles. Vertex i has x, y, z high where bits 0, 1, 2 of i are set. */
static inline lt_surface box_surface(void) {
    int positions[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            positions[i][k] = (i >> k) & 1 ? 2 : -2;
    static const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return surface_from(positions, 8, triangles, 12);
}

/* An icosahedron with the golden ratio rounded to 8/5: 12 vertices, 20 triangles. */
static inline lt_surface icosahedron_surface(void) {
    static const int positions[12][3] = {{-5, 8, 0}, {5, 8, 0}, {-5, -8, 0}, {5, -8, 0},
                                         {0, -5, 8}, {0, 5, 8}, {0, -5, -8}, {0, 5, -8},
                                         {8, 0, -5}, {8, 0, 5}, {-8, 0, -5}, {-8, 0, 5}};
    static const uint32_t triangles[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    return surface_from(positions, 12, triangles, 20);
}

/* A torus around z with radii 2 and 1 and n * n * 2 triangles; not convex. */
static inline lt_surface torus_surface(uint32_t n) {
    lt_surface s;
    if (lt_surface_allocate(&s, n * n, 2 * n * n, NULL, NULL) != LT_OK) return s;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double u = 6.283185307179586 * i / n, v = 6.283185307179586 * j / n, r = 2 + cos(v);
            s.positions[i * n + j] = (lt_vec3){(float)(r * cos(u)), (float)(r * sin(u)), (float)sin(v)};
            uint32_t a = i * n + j, b = (i + 1) % n * n + j, c = (i + 1) % n * n + (j + 1) % n;
            uint32_t d = i * n + (j + 1) % n, *t = s.triangles + 6 * (size_t)(i * n + j);
            const uint32_t corners[6] = {a, b, c, a, c, d};
            memcpy(t, corners, sizeof corners);
        }
    }
    return s;
}

/* Hands out `grants` blocks, then nothing; counts blocks and bytes that were not given back. */
typedef struct scarce_memory {
    int grants;
    int blocks;
    size_t bytes;
} scarce_memory;

static inline void *scarce_allocate(void *context, size_t size, size_t alignment) {
    scarce_memory *memory = context;
    if (memory->grants == 0) return NULL;
    memory->grants--;
    memory->blocks++;
    memory->bytes += size;
    return lt_allocator_default().allocate(NULL, size, alignment);
}
static inline void scarce_release(void *context, void *block, size_t size) {
    scarce_memory *memory = context;
    memory->blocks--;
    memory->bytes -= size;
    lt_allocator_default().release(NULL, block, size);
}
static inline lt_allocator scarce_allocator(scarce_memory *memory) {
    return (lt_allocator){scarce_allocate, scarce_release, memory};
}
static inline bool scarce_is_whole(const scarce_memory *memory) {
    return memory->blocks == 0 && memory->bytes == 0;
}

#endif
