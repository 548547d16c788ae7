/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the tests of repair and simplify ask of surfaces. Include after check.h. */

#ifndef LITHE_TESTS_BAKE_REPAIR_CHECKS_H
#define LITHE_TESTS_BAKE_REPAIR_CHECKS_H

#include "bake/repair.h"
#include "core/random.h"

/* A finding of a report: how many, and the first. */
#define CHECK_FOUND(report, kind, expected_count, expected_first)                                            \
    do {                                                                                                     \
        CHECK_COUNT((report)->findings[LT_REPAIR_##kind].count, expected_count);                             \
        CHECK_COUNT((report)->findings[LT_REPAIR_##kind].first[0], expected_first);                          \
    } while (0)

static inline uint32_t count_found(const lt_repair_report *report, lt_repair_kind kind) {
    return report->findings[kind].count;
}

static inline bool same_surface(const lt_surface *a, const lt_surface *b) {
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->positions, b->positions, a->vertex_count * sizeof(lt_vec3)) == 0 &&
           memcmp(a->triangles, b->triangles, a->triangle_count * 3 * sizeof(uint32_t)) == 0;
}

static inline void turn_triangle(lt_surface *surface, uint32_t triangle) {
    uint32_t *t = surface->triangles + 3 * (size_t)triangle, swap = t[1];
    t[1] = t[2];
    t[2] = swap;
}

static inline void turn_all(lt_surface *surface) {
    for (uint32_t i = 0; i < surface->triangle_count; i++)
        turn_triangle(surface, i);
}

static inline lt_surface copy_with_room(const lt_surface *from, uint32_t more_vertices,
                                        uint32_t more_triangles) {
    lt_surface copy;
    if (lt_surface_allocate(&copy, from->vertex_count + more_vertices, from->triangle_count + more_triangles,
                            NULL, NULL) != LT_OK)
        abort();
    memcpy(copy.positions, from->positions, from->vertex_count * sizeof(lt_vec3));
    memcpy(copy.triangles, from->triangles, from->triangle_count * 3 * sizeof(uint32_t));
    return copy;
}

/* Both in one surface, b scaled and moved; frees what it is given. */
static inline lt_surface join_surfaces(lt_surface a, lt_surface b, float scale, lt_vec3 by) {
    lt_surface both = copy_with_room(&a, b.vertex_count, b.triangle_count);
    for (uint32_t i = 0; i < b.vertex_count; i++)
        both.positions[a.vertex_count + i] = lt_v3_mad(by, b.positions[i], scale);
    for (uint32_t i = 0; i < 3 * b.triangle_count; i++)
        both.triangles[3 * a.triangle_count + i] = b.triangles[i] + a.vertex_count;
    lt_surface_free(&a);
    lt_surface_free(&b);
    return both;
}

static inline void drop_triangle(lt_surface *surface, uint32_t triangle) {
    lt_surface smaller = copy_with_room(surface, 0, 0);
    uint32_t left = surface->triangle_count - 1 - triangle;
    memmove(smaller.triangles + 3 * triangle, smaller.triangles + 3 * (triangle + 1),
            left * 3 * sizeof(uint32_t));
    lt_surface result;
    if (lt_surface_allocate(&result, surface->vertex_count, surface->triangle_count - 1, NULL, NULL) != LT_OK)
        abort();
    memcpy(result.positions, smaller.positions, result.vertex_count * sizeof(lt_vec3));
    memcpy(result.triangles, smaller.triangles, result.triangle_count * 3 * sizeof(uint32_t));
    lt_surface_free(&smaller);
    lt_surface_free(surface);
    *surface = result;
}

#endif
