/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Walks (walk.h has the proof) of all triangles, but those whose vertices are in one tet: a tet is convex. */

#include "bake/enclose.h"

#include "bake/walk.h"

static lt_status check_vertices(const lt_walk *walk, const uint32_t *tets, lt_error *error) {
    for (size_t i = 0; i < 3 * (size_t)walk->surface->triangle_count; i++) {
        uint32_t vertex = walk->surface->triangles[i];
        if (tets[vertex] >= walk->mesh->tet_count)
            return lt_fail(error, LT_STATUS_INVALID, "enclose: vertex %u is in no tet", vertex);
        if (!lt_walk_vertex_in_tet(walk, vertex, tets[vertex]))
            return lt_fail(error, LT_STATUS_INVALID, "enclose: vertex %u is outside its tet %u", vertex,
                           tets[vertex]);
    }
    return LT_OK;
}

static lt_status check_triangle(lt_walk *walk, const uint32_t *tets, uint32_t triangle, lt_error *error) {
    const uint32_t *vertices = lt_triangle_at(walk->surface, triangle);
    uint32_t first = tets[vertices[0]];
    if (first == tets[vertices[1]] && first == tets[vertices[2]]) return LT_OK;
    switch (lt_walk_triangle(walk, triangle, first)) {
    case LT_WALK_MEMORY: return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    case LT_WALK_OUTSIDE:
        return lt_fail(error, LT_STATUS_INVALID, "enclose: triangle %u leaves the carrier", triangle);
    default: break;
    }
    for (int k = 1; k < 3; k++)
        if (!lt_walk_has_visited(walk, tets[vertices[k]]))
            return lt_fail(error, LT_STATUS_INVALID,
                           "enclose: triangle %u does not reach the tet of its vertex %u", triangle,
                           vertices[k]);
    return LT_OK;
}

lt_status lt_enclosure_verify(const lt_surface *surface, const lt_enclosure *enclosure,
                              const lt_allocator *allocator, lt_error *error) {
    lt_tet_adjacency adjacency;
    lt_walk walk;
    lt_status status = lt_tet_mesh_check(&enclosure->mesh, "enclose", error);
    if (status != LT_OK) return status;
    status = lt_tet_adjacency_build(&adjacency, &enclosure->mesh, allocator, error);
    if (status != LT_OK) return status;
    if (!lt_walk_begin(&walk, surface, &enclosure->mesh, &adjacency, allocator))
        status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    else if (adjacency.nonmanifold_face_count > 0)
        status = lt_fail(error, LT_STATUS_INVALID, "enclose: %u faces have more than two tets",
                         adjacency.nonmanifold_face_count);
    if (status == LT_OK) status = check_vertices(&walk, enclosure->vertex_tets, error);
    for (uint32_t t = 0; t < surface->triangle_count && status == LT_OK; t++)
        status = check_triangle(&walk, enclosure->vertex_tets, t, error);
    lt_walk_free(&walk);
    lt_tet_adjacency_free(&adjacency);
    return status;
}
