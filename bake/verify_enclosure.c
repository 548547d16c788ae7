/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Why it is a proof. Take any point of a triangle and go straight to it from the first vertex, which is in a
 * tet. Whenever the way leaves a tet, it does so through a closed face that the triangle touches; that face has
 * a tet behind it (else the check fails), and the way goes on there. Where it leaves through an edge or a
 * corner, the triangle touches every face around it, one after the other, so none of them is boundary and the
 * tets around are all visited. */

#include "bake/enclose.h"

#include "mesh/adjacency.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

typedef struct walk {
    const lt_surface *surface;
    const lt_enclosure *enclosure;
    const lt_tet_adjacency *adjacency;
    uint32_t *stamps; /* [tet_count] 1 + the last triangle that visited */
    lt_array stack;   /* uint32_t */
} walk;

static void get_tet(const lt_tet_mesh *mesh, uint32_t tet, lt_dvec3 corners[4]) {
    for (int k = 0; k < 4; k++)
        corners[k] = mesh->positions[lt_tet_at(mesh, tet)[k]];
}

static lt_status check_vertices(const walk *w, lt_error *error) {
    for (size_t i = 0; i < 3 * (size_t)w->surface->triangle_count; i++) {
        uint32_t vertex = w->surface->triangles[i], tet = w->enclosure->vertex_tets[vertex];
        lt_dvec3 corners[4];
        if (tet >= w->enclosure->mesh.tet_count)
            return lt_fail(error, LT_STATUS_INVALID, "enclose: vertex %u is in no tet", vertex);
        get_tet(&w->enclosure->mesh, tet, corners);
        if (!lt_exact_point_tet(lt_d3_from_v3(w->surface->positions[vertex]), corners))
            return lt_fail(error, LT_STATUS_INVALID, "enclose: vertex %u is outside its tet %u", vertex, tet);
    }
    return LT_OK;
}

/* Visits the tets behind the faces of `tet` that the triangle touches. */
static lt_status cross_faces(walk *w, uint32_t triangle, const lt_dvec3 corners[3], uint32_t tet,
                             lt_error *error) {
    lt_dvec3 tet_corners[4];
    get_tet(&w->enclosure->mesh, tet, tet_corners);
    for (int k = 0; k < 4; k++) {
        lt_dvec3 face[3];
        for (int i = 0; i < 3; i++)
            face[i] = tet_corners[lt_tet_face_corners[k][i]];
        uint32_t next = w->adjacency->neighbours[4 * (size_t)tet + (size_t)k];
        if ((next != LT_NONE && w->stamps[next] == triangle + 1) ||
            !lt_exact_triangle_triangle(corners, face))
            continue;
        if (next == LT_NONE)
            return lt_fail(error, LT_STATUS_INVALID, "enclose: triangle %u leaves the carrier at tet %u",
                           triangle, tet);
        w->stamps[next] = triangle + 1;
        if (!lt_array_push(&w->stack, &next))
            return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    }
    return LT_OK;
}

static lt_status walk_triangle(walk *w, uint32_t triangle, lt_error *error) {
    const uint32_t *vertices = lt_triangle_at(w->surface, triangle), *tets = w->enclosure->vertex_tets;
    uint32_t first = tets[vertices[0]];
    if (first == tets[vertices[1]] && first == tets[vertices[2]]) return LT_OK; /* a tet is convex */
    lt_dvec3 corners[3];
    lt_triangle_corners(w->surface, triangle, corners);
    w->stack.count = 0;
    w->stamps[first] = triangle + 1;
    if (!lt_array_push(&w->stack, &first)) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    while (w->stack.count > 0) {
        uint32_t tet = ((const uint32_t *)w->stack.items)[--w->stack.count];
        lt_status status = cross_faces(w, triangle, corners, tet, error);
        if (status != LT_OK) return status;
    }
    for (int k = 1; k < 3; k++)
        if (w->stamps[tets[vertices[k]]] != triangle + 1)
            return lt_fail(error, LT_STATUS_INVALID,
                           "enclose: triangle %u does not reach the tet of its vertex %u", triangle,
                           vertices[k]);
    return LT_OK;
}

lt_status lt_enclosure_verify(const lt_surface *surface, const lt_enclosure *enclosure,
                              const lt_allocator *allocator, lt_error *error) {
    lt_tet_adjacency adjacency;
    lt_status status = lt_tet_mesh_check(&enclosure->mesh, "enclose", error);
    if (status != LT_OK) return status;
    status = lt_tet_adjacency_build(&adjacency, &enclosure->mesh, allocator, error);
    if (status != LT_OK) return status;
    if (adjacency.nonmanifold_face_count > 0)
        status = lt_fail(error, LT_STATUS_INVALID, "enclose: %u faces have more than two tets",
                         adjacency.nonmanifold_face_count);
    walk w = {.surface = surface, .enclosure = enclosure, .adjacency = &adjacency};
    w.stack = LT_ARRAY_OF(allocator, uint32_t);
    w.stamps = LT_NEW(allocator, enclosure->mesh.tet_count, uint32_t);
    if (!w.stamps && status == LT_OK) status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    if (status == LT_OK) status = check_vertices(&w, error);
    for (uint32_t t = 0; t < surface->triangle_count && status == LT_OK; t++)
        status = walk_triangle(&w, t, error);
    LT_DELETE(allocator, w.stamps, enclosure->mesh.tet_count, uint32_t);
    lt_array_free(&w.stack);
    lt_tet_adjacency_free(&adjacency);
    return status;
}
