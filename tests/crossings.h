/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How many triangles of the surfaces of two bodies cross, by exact tests of all that are where both bodies are. */

#ifndef LITHE_TESTS_CROSSINGS_H
#define LITHE_TESTS_CROSSINGS_H

#include "core/vec.h"
#include "lithe/lithe.h"
#include "mesh/exact.h"

#include <stdlib.h>

static inline lt_box crossing_box(const lt_surface_view *v, uint32_t triangle) {
    lt_box box = lt_box_empty();
    for (uint32_t c = 0; c < 3; c++)
        box = lt_box_add_point(box, v->positions[v->triangles[3 * (size_t)triangle + c]]);
    return box;
}

/* Triangles of one that are where the other is, with their boxes. */
typedef struct crossing_list {
    uint32_t *triangles, count;
    lt_box *boxes, bounds; /* of each; of all */
} crossing_list;

static inline crossing_list crossing_all(const lt_surface_view *v) {
    size_t count = v->triangle_count;
    crossing_list list = {malloc(count * sizeof(uint32_t)), 0, malloc(count * sizeof(lt_box)),
                          lt_box_empty()};
    if (!list.triangles || !list.boxes) abort();
    for (; list.count < count; list.count++) {
        list.triangles[list.count] = list.count;
        list.boxes[list.count] = crossing_box(v, list.count);
        list.bounds = lt_box_union(list.bounds, list.boxes[list.count]);
    }
    return list;
}

static inline void crossing_keep(crossing_list *list, lt_box where) {
    uint32_t kept = 0;
    list->bounds = lt_box_empty();
    for (uint32_t i = 0; i < list->count; i++) {
        if (!lt_box_overlap(list->boxes[i], where)) continue;
        list->triangles[kept] = list->triangles[i];
        list->boxes[kept++] = list->boxes[i];
        list->bounds = lt_box_union(list->bounds, list->boxes[i]);
    }
    list->count = kept;
}

static inline bool crossing_of(const lt_surface_view *x, uint32_t a, const lt_surface_view *y, uint32_t b) {
    lt_dvec3 s[3], t[3];
    for (size_t c = 0; c < 3; c++) {
        s[c] = lt_d3_from_v3(x->positions[x->triangles[3 * (size_t)a + c]]);
        t[c] = lt_d3_from_v3(y->positions[y->triangles[3 * (size_t)b + c]]);
    }
    return lt_exact_triangle_triangle(s, t);
}

static inline uint32_t count_crossings(lt_world *world, lt_body_id a, lt_body_id b) {
    lt_surface_view x = lt_body_surface(world, a), y = lt_body_surface(world, b);
    crossing_list of_x = crossing_all(&x), of_y = crossing_all(&y);
    uint32_t count = 0;
    for (int pass = 0; pass < 3; pass++) {
        crossing_keep(&of_x, of_y.bounds);
        crossing_keep(&of_y, of_x.bounds);
    }
    for (uint32_t i = 0; i < of_x.count; i++)
        for (uint32_t k = 0; k < of_y.count; k++)
            if (lt_box_overlap(of_x.boxes[i], of_y.boxes[k]))
                count += crossing_of(&x, of_x.triangles[i], &y, of_y.triangles[k]);
    free(of_x.triangles);
    free(of_x.boxes);
    free(of_y.triangles);
    free(of_y.boxes);
    return count;
}

#endif
