/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the leaves of a sphere tree own, and which are near each other at rest: points that meet obstacles, the mask of
 * self-collision, connected parts of the surface. */

#include "bake/rest_tree.h"
#include "bake/sphere_write_internal.h"
#include "core/union_find.h"

/* Leaves nearer than this share of their radii at rest never collide: close folds are missed, undeformed parts are
 * never looked at. */
static const double NEAR_SHARE = 0.25;
enum { SUPPORT_DIRECTIONS = 14 };
static const lt_vec3 support_directions[SUPPORT_DIRECTIONS] = {
    {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},  {1, 1, 1},
    {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};

/* Every surface point belongs to the first leaf that has it as a corner. */
static void assign_points(const lt_sphere_writing *w, uint32_t *leaf_of_point) {
    const lt_rest_tree *rest = w->rest;
    for (uint32_t p = 0; p < w->skin->point_count; p++)
        leaf_of_point[p] = LT_NONE;
    for (uint32_t i = 0; i < rest->piece_count; i++)
        for (int corner = 0; corner < 3; corner++)
            for (int v = 0; v < 3; v++) {
                uint32_t point = w->skin->triangles[3 * (size_t)rest->pieces[i].triangle + (size_t)v];
                if (rest->pieces[i].corners[corner][v] == 1 && leaf_of_point[point] == LT_NONE)
                    leaf_of_point[point] = w->place[rest->pieces[i].leaf];
            }
}

/* Of a leaf's points those count that are farthest along an axis or a diagonal: what meets an obstacle first is one of
 * them or near one, and the cost of a step does not depend on how many points a surface has. The others lose their leaf. */
static void keep_farthest(const lt_sphere_writing *w, uint32_t *leaf_of_point, uint32_t *farthest,
                          float *reach) {
    size_t nodes = lt_writing_nodes(w);
    for (size_t i = 0; i < nodes * SUPPORT_DIRECTIONS; i++) {
        farthest[i] = LT_NONE;
        reach[i] = -3e38f;
    }
    for (uint32_t p = 0; p < w->skin->point_count; p++) {
        if (leaf_of_point[p] == LT_NONE) continue;
        for (size_t d = 0; d < SUPPORT_DIRECTIONS; d++) {
            size_t at = (size_t)leaf_of_point[p] * SUPPORT_DIRECTIONS + d;
            float along = lt_v3_dot(w->skin->rest[p], support_directions[d]);
            if (along <= reach[at]) continue;
            reach[at] = along;
            farthest[at] = p;
        }
    }
    for (uint32_t p = 0; p < w->skin->point_count; p++) {
        if (leaf_of_point[p] == LT_NONE) continue;
        bool counts = false;
        for (size_t d = 0; d < SUPPORT_DIRECTIONS; d++)
            counts = counts || farthest[(size_t)leaf_of_point[p] * SUPPORT_DIRECTIONS + d] == p;
        if (!counts) leaf_of_point[p] = LT_NONE;
    }
}

/* Points by leaf: point_begin, points. */
static void list_points(lt_sphere_writing *w, const uint32_t *leaf_of_point) {
    size_t nodes = lt_writing_nodes(w);
    uint32_t total = 0;
    for (uint32_t p = 0; p < w->skin->point_count; p++)
        if (leaf_of_point[p] != LT_NONE) {
            w->point_begin[leaf_of_point[p] + 1]++;
            total++;
        }
    for (size_t i = 0; i < nodes; i++)
        w->point_begin[i + 1] += w->point_begin[i];
    for (uint32_t p = w->skin->point_count; p-- > 0;)
        if (leaf_of_point[p] != LT_NONE) w->points[--w->point_begin[leaf_of_point[p] + 1]] = p;
    for (size_t i = 0; i < nodes; i++)
        w->point_begin[i] = w->point_begin[i + 1];
    w->point_begin[nodes] = total;
}

static float mark_near_leaves(const lt_sphere_writing *w, uint32_t *mask, uint32_t words) {
    double least = 1e30;
    for (uint32_t i = 0; i < w->leaf_count && words; i++)
        for (uint32_t j = 0; j < w->leaf_count; j++) {
            const lt_rest_sphere *a = &w->rest->spheres[w->leaf_spheres[i]],
                                 *b = &w->rest->spheres[w->leaf_spheres[j]];
            double gap = lt_d3_distance(a->center, b->center) - a->radius - b->radius;
            if (i == j || gap < NEAR_SHARE * (a->radius + b->radius))
                mask[(size_t)i * words + j / 32] |= 1u << (j % 32);
            else
                least = lt_min_d(least, gap);
        }
    return (float)(least * (1 - 1e-6));
}

/* One point of every connected part; `out` [point_count] serves as flags first. */
static uint32_t find_components(const lt_skin *skin, uint32_t *sets, uint32_t *out) {
    lt_sets_begin(sets, skin->point_count);
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i++)
        lt_sets_join(sets, skin->triangles[i - i % 3], skin->triangles[i]);
    for (uint32_t p = 0; p < skin->point_count; p++)
        out[p] = 0;
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i += 3)
        out[lt_sets_find(sets, skin->triangles[i])] = 1;
    uint32_t count = 0;
    for (uint32_t p = 0; p < skin->point_count; p++)
        if (out[p]) out[count++] = p;
    return count;
}

static bool relate_leaves(lt_sphere_writing *w, uint32_t *by_point, uint32_t *farthest, float *reach) {
    w->mask_words = w->leaf_count <= LT_MASKED_LEAVES_MAX ? (w->leaf_count + 31) / 32 : 0;
    w->near_leaves = LT_NEW(w->allocator, (size_t)w->leaf_count * w->mask_words, uint32_t);
    if (!w->near_leaves) return false;
    assign_points(w, by_point);
    keep_farthest(w, by_point, farthest, reach);
    list_points(w, by_point);
    w->self_gap = mark_near_leaves(w, w->near_leaves, w->mask_words);
    w->component_count = find_components(w->skin, by_point, w->components);
    return true;
}

lt_status lt_sphere_write_leaves(lt_sphere_writing *w, lt_error *error) {
    size_t points = w->skin->point_count, supports = lt_writing_nodes(w) * SUPPORT_DIRECTIONS;
    uint32_t *by_point = LT_NEW(w->allocator, points, uint32_t);
    uint32_t *farthest = LT_NEW(w->allocator, supports, uint32_t);
    float *reach = LT_NEW(w->allocator, supports, float);
    lt_status status = LT_OK;
    if (!by_point || !farthest || !reach || !relate_leaves(w, by_point, farthest, reach))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a sphere tree");
    LT_DELETE(w->allocator, by_point, points, uint32_t);
    LT_DELETE(w->allocator, farthest, supports, uint32_t);
    LT_DELETE(w->allocator, reach, supports, float);
    return status;
}
