/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body divided into parts, once: tets that hold surface, some in a row of the tree, where they are near each other. What is not decided
 * in a step is held by parts: a body with itself (multiscale_parts.c), and two bodies (multiscale_near.c). */

#include "method/multiscale_work.h"

#include <string.h>

/* Governors in the order in which the tree has their triangles; returns how many have any. */
static uint32_t order_tets(uint32_t *order, uint32_t *numbers, const lt_multiscale_tree *tree,
                           uint32_t carrier_tets) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < carrier_tets; i++)
        numbers[i] = LT_NONE;
    for (uint32_t i = 0; i < tree->governor_count; i++)
        numbers[tree->governors[i]] = i;
    for (uint32_t i = 0; i < tree->triangle_count; i++) {
        uint32_t tet = tree->triangle_tets[i];
        if (tet == LT_NONE || numbers[tet] == LT_NONE) continue;
        order[count++] = numbers[tet];
        numbers[tet] = LT_NONE;
    }
    return count;
}

/* The nodes of governors, each once. */
static uint32_t add_nodes(uint32_t *nodes, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                          const uint32_t *governors, uint32_t count) {
    uint32_t node_count = 0;
    for (uint32_t i = 0; i < 4 * count; i++) {
        uint32_t node = carrier->tets[4 * (size_t)tree->governors[governors[i / 4]] + i % 4], k = 0;
        while (k < node_count && nodes[k] != node)
            k++;
        nodes[k] = node;
        node_count += k == node_count;
    }
    return node_count;
}

static void make_parts(lt_multi_parts *parts, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                       const uint32_t *order, uint32_t count) {
    uint32_t at = 0;
    memset(parts->of_tet, LT_MULTI_PARTS,
           parts->tet_count); /* of none: it holds only pieces that span several */
    parts->count = lt_min_u32(count, LT_MULTI_PARTS);
    for (uint32_t p = 0; p < parts->count; p++) {
        uint32_t begin = (uint32_t)((uint64_t)count * p / parts->count);
        uint32_t end = (uint32_t)((uint64_t)count * (p + 1) / parts->count);
        parts->begin[p] = at;
        at += add_nodes(parts->nodes + at, tree, carrier, order + begin, end - begin);
        parts->tet_begin[p] = begin;
        for (uint32_t i = begin; i < end; i++) {
            parts->tets[i] = tree->governors[order[i]];
            parts->of_tet[parts->tets[i]] = (uint8_t)p;
        }
    }
    parts->begin[parts->count] = at;
    parts->tet_begin[parts->count] = count;
}

/* Points of the skin by the part of their tet. */
static void sort_points(lt_multi_parts *parts, const lt_skin *skin) {
    uint32_t next[LT_MULTI_PARTS + 1] = {0};
    for (uint32_t i = 0; i < skin->point_count; i++)
        next[parts->of_tet[skin->tets[i]]]++;
    for (uint32_t p = 0, at = 0; p <= parts->count; p++) {
        uint32_t count = p < parts->count ? next[p] : 0;
        parts->point_begin[p] = next[p] = at;
        at += count;
    }
    for (uint32_t i = 0; i < skin->point_count; i++) {
        uint32_t part = parts->of_tet[skin->tets[i]];
        if (part < parts->count) parts->points[next[part]++] = i;
    }
}

/* Of tets that are near each other at rest. */
static void note_neighbours(lt_multi_parts *parts, const lt_self_tets *tets) {
    const uint32_t *governors = tets->tree->governors;
    for (uint32_t tet = 0; tet < tets->tet_count; tet++) {
        const uint64_t *near = tets->near_bits + (size_t)tets->near_stride * tet;
        uint32_t own = parts->of_tet[governors[tet]];
        if (own == LT_MULTI_PARTS) continue;
        parts->neighbours[own] |= (uint64_t)1 << own;
        for (uint32_t word = 0; word < tets->near_stride; word++)
            for (uint64_t bits = near[word]; bits; bits &= bits - 1) {
                uint32_t part = parts->of_tet[governors[64 * word + (uint32_t)__builtin_ctzll(bits)]];
                if (part < LT_MULTI_PARTS) parts->neighbours[own] |= (uint64_t)1 << part;
            }
    }
}

static bool divide(lt_multi_parts *parts, const lt_surface_parts *surface, const lt_carrier *carrier,
                   const lt_allocator *allocator) {
    const lt_multiscale_tree *tree = &surface->tree;
    uint32_t *order = LT_NEW(allocator, tree->governor_count, uint32_t);
    uint32_t *numbers = LT_NEW(allocator, carrier->tet_count, uint32_t);
    bool all = order && numbers;
    if (all) make_parts(parts, tree, carrier, order, order_tets(order, numbers, tree, carrier->tet_count));
    if (all && surface->tets.tree) note_neighbours(parts, &surface->tets);
    LT_DELETE(allocator, order, tree->governor_count, uint32_t);
    LT_DELETE(allocator, numbers, carrier->tet_count, uint32_t);
    return all;
}

/* m between the surface and the outside of the tets around it, on average: what of these is not solid, over the area. */
static float room_of(const lt_collider *collider) {
    const lt_carrier *carrier = &collider->soft->carrier;
    const lt_skin *skin = collider->skin;
    const lt_dvec3 *rest = (const lt_dvec3 *)carrier->rest;
    uint32_t tet_count = carrier->ladder.level_count ? carrier->ladder.tet_begin[1] : carrier->tet_count;
    double empty = 0, area = 0;
    for (uint32_t i = 0; i < tet_count; i++) {
        const uint32_t *tet = carrier->tets + 4 * (size_t)i;
        empty += (1 - (double)carrier->fill[i]) *
                 lt_tet_volume(rest[tet[0]], rest[tet[1]], rest[tet[2]], rest[tet[3]]);
    }
    for (uint32_t i = 0; i < skin->triangle_count; i++) {
        const uint32_t *corners = skin->triangles + 3 * (size_t)i;
        lt_vec3 a = skin->rest[corners[0]], b = skin->rest[corners[1]], c = skin->rest[corners[2]];
        area += 0.5 * (double)lt_v3_length(lt_v3_cross(lt_v3_sub(b, a), lt_v3_sub(c, a)));
    }
    return area > 0 ? (float)lt_max_d(0, empty / area) * (float)collider->soft->scale : 0;
}

lt_multi_parts *lt_multi_parts_create(const lt_collider *collider, const lt_allocator *allocator) {
    const lt_surface_parts *surface = collider->surface->parts;
    const lt_carrier *carrier = &collider->soft->carrier;
    lt_multi_parts *parts = LT_NEW(allocator, 1, lt_multi_parts);
    if (!parts) return NULL;
    *parts = (lt_multi_parts){.node_capacity = 4 * surface->tree.governor_count,
                              .tet_count = carrier->tet_count,
                              .point_count = collider->skin->point_count,
                              .room = room_of(collider)};
    parts->nodes = LT_NEW(allocator, parts->node_capacity, uint32_t);
    parts->of_tet = LT_NEW(allocator, parts->tet_count, uint8_t);
    parts->tets = LT_NEW(allocator, parts->tet_count, uint32_t);
    parts->points = LT_NEW(allocator, parts->point_count, uint32_t);
    if (!parts->nodes || !parts->of_tet || !parts->tets || !parts->points ||
        !divide(parts, surface, carrier, allocator)) {
        lt_multi_parts_free(parts, allocator);
        return NULL;
    }
    sort_points(parts, collider->skin);
    return parts;
}

void lt_multi_parts_free(lt_multi_parts *parts, const lt_allocator *allocator) {
    if (!parts) return;
    LT_DELETE(allocator, parts->nodes, parts->node_capacity, uint32_t);
    LT_DELETE(allocator, parts->of_tet, parts->tet_count, uint8_t);
    LT_DELETE(allocator, parts->tets, parts->tet_count, uint32_t);
    LT_DELETE(allocator, parts->points, parts->point_count, uint32_t);
    LT_DELETE(allocator, parts, 1, lt_multi_parts);
}
