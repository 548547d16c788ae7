/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The steps of lt_repair, one file each; inspection also serves the check of simplified surfaces. */

#ifndef LITHE_BAKE_REPAIR_INTERNAL_H
#define LITHE_BAKE_REPAIR_INTERNAL_H

#include "bake/adjacency.h"
#include "bake/repair.h"
#include "bake/triangle_tree.h"

/* One more of a kind; the first is remembered. */
static inline void lt_repair_count(lt_repair_report *report, lt_repair_kind kind, uint32_t first,
                                   uint32_t second) {
    lt_repair_finding *finding = &report->findings[kind];
    if (finding->count++ > 0) return;
    finding->first[0] = first;
    finding->first[1] = second;
}

/* The corners of a triangle, ascending; returns whether they come in that order as one goes round. */
static inline bool lt_sort_corners(const uint32_t *t, uint32_t key[3]) {
    uint32_t lowest = t[1] < t[0] ? 1 : 0;
    if (t[2] < t[lowest]) lowest = 2;
    uint32_t second = t[(lowest + 1) % 3], third = t[(lowest + 2) % 3];
    key[0] = t[lowest];
    key[1] = lt_min_u32(second, third);
    key[2] = lt_max_u32(second, third);
    return second < third;
}

/* A report that has found nothing. */
lt_repair_report lt_repair_report_make(const lt_allocator *allocator);

/* Flips triangles of `surface`, which has passed through repair.c; `adjacency` and `tree` are of it as it
 * comes, and only the tree fits it afterwards. report->source_triangles is set. */
lt_status lt_repair_orient(lt_surface *surface, const lt_surface_adjacency *adjacency,
                           const lt_triangle_tree *tree, lt_repair_report *report, lt_error *error);

/* Holes, boundary, overfull edges, pinches, components, is_closed and is_oriented. */
lt_status lt_repair_inspect(const lt_surface *surface, const lt_surface_adjacency *adjacency,
                            lt_repair_report *report, lt_error *error);
/* Pairs of triangles that share no vertex and have a point in common, exactly. */
void lt_repair_find_crossings(const lt_triangle_tree *tree, lt_repair_report *report);

#endif
