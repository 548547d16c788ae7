/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two square fingers, 1 x 4 x 1 m, that stand on one foot 1 m high with a gap between them: the shape that tells
 * whether carriers glue. The surface is the boundary of the filled cells of an uneven grid, closed and manifold.
 * Shared by the tests and the benchmark. */

#ifndef LITHE_BENCH_FINGERS_H
#define LITHE_BENCH_FINGERS_H

#include "mesh/mesh.h"

enum {
    FINGERS_ACROSS = 7,
    FINGERS_ALONG = 15,
    FINGERS_DEEP = 3,
    FINGERS_FOOT = 3
}; /* three columns a finger, one between */

static const double FINGER_WIDTH = 1.0, FINGERS_FOOT_HEIGHT = 1.0, FINGERS_STEP = 1.0 / 3.0;

enum {
    FINGERS_VERTICES_MOST = (FINGERS_ACROSS + 1) * (FINGERS_ALONG + 1) * (FINGERS_DEEP + 1),
    FINGERS_TRIANGLES_MOST = 12 * FINGERS_ACROSS * FINGERS_ALONG * FINGERS_DEEP
};

/* Quads between filled and empty cells; vertices are numbered when first used. */
typedef struct fingers {
    double x[FINGERS_ACROSS + 1];
    uint32_t numbers[FINGERS_VERTICES_MOST]; /* plus one; 0: unused */
    lt_vec3 positions[FINGERS_VERTICES_MOST];
    uint32_t triangles[3 * FINGERS_TRIANGLES_MOST];
    uint32_t vertex_count, triangle_count;
} fingers;

static inline bool fingers_is_filled(int i, int j, int k) {
    if (i < 0 || j < 0 || k < 0 || i >= FINGERS_ACROSS || j >= FINGERS_ALONG || k >= FINGERS_DEEP)
        return false;
    return i != FINGERS_ACROSS / 2 || j < FINGERS_FOOT;
}

static inline uint32_t fingers_vertex(fingers *f, const int at[3]) {
    uint32_t *number = &f->numbers[at[0] + (FINGERS_ACROSS + 1) * (at[1] + (FINGERS_ALONG + 1) * at[2])];
    if (*number == 0) {
        f->positions[f->vertex_count] =
            (lt_vec3){(float)f->x[at[0]], (float)(FINGERS_STEP * at[1]), (float)(FINGERS_STEP * at[2])};
        *number = ++f->vertex_count;
    }
    return *number - 1;
}

/* The face of cell `at` towards +axis or -axis, seen counter-clockwise from that side. */
static inline void fingers_add_face(fingers *f, const int at[3], int axis, int side) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t corners[4];
    for (int c = 0; c < 4; c++) {
        int corner[3] = {at[0], at[1], at[2]};
        corner[axis] += side > 0;
        int turn = side > 0 ? c : 3 - c;
        corner[u] += turn == 1 || turn == 2;
        corner[v] += turn >= 2;
        corners[c] = fingers_vertex(f, corner);
    }
    uint32_t *triangle = f->triangles + 3 * (size_t)f->triangle_count;
    const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int c = 0; c < 6; c++)
        triangle[c] = corners[order[c]];
    f->triangle_count += 2;
}

static inline void fingers_add_faces(fingers *f) {
    for (int cell = 0; cell < FINGERS_ACROSS * FINGERS_ALONG * FINGERS_DEEP; cell++) {
        int at[3] = {cell % FINGERS_ACROSS, cell / FINGERS_ACROSS % FINGERS_ALONG,
                     cell / (FINGERS_ACROSS * FINGERS_ALONG)};
        if (!fingers_is_filled(at[0], at[1], at[2])) continue;
        for (int face = 0; face < 6; face++) {
            int to[3] = {at[0], at[1], at[2]}, side = face % 2 ? 1 : -1;
            to[face / 2] += side;
            if (!fingers_is_filled(to[0], to[1], to[2])) fingers_add_face(f, at, face / 2, side);
        }
    }
}

/* A view into *f. */
static inline lt_surface fingers_make(fingers *f, double gap) {
    const int half = FINGERS_ACROSS / 2;
    *f = (fingers){0};
    for (int i = 0; i <= FINGERS_ACROSS; i++)
        f->x[i] = i <= half ? -gap / 2 - FINGERS_STEP * (half - i) : gap / 2 + FINGERS_STEP * (i - half - 1);
    fingers_add_faces(f);
    return (lt_surface){.positions = f->positions,
                        .triangles = f->triangles,
                        .vertex_count = f->vertex_count,
                        .triangle_count = f->triangle_count};
}

#endif
