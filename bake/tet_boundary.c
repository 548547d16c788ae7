/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What follows from the adjacency of a tet mesh: its boundary as a surface, and its sizes and angles. */

#include "bake/adjacency.h"

/* Corner k of a boundary face. */
static uint32_t face_node(const lt_tet_mesh *mesh, uint32_t face, int k) {
    return lt_tet_at(mesh, face / 4)[lt_tet_face_corners[face % 4][k]];
}

/* Numbers the nodes of boundary faces in ascending order, LT_NONE for others. Returns how many. */
static uint32_t number_vertices(const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency,
                                uint32_t *vertex_of_node) {
    for (uint32_t i = 0; i < mesh->node_count; i++)
        vertex_of_node[i] = LT_NONE;
    for (uint32_t i = 0; i < adjacency->boundary_face_count; i++)
        for (int k = 0; k < 3; k++)
            vertex_of_node[face_node(mesh, adjacency->boundary_faces[i], k)] = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->node_count; i++)
        if (vertex_of_node[i] == 0) vertex_of_node[i] = count++;
    return count;
}

static bool allocate_boundary(lt_tet_boundary *out, uint32_t vertex_count, uint32_t triangle_count) {
    if (lt_surface_allocate(&out->surface, vertex_count, triangle_count, &out->allocator, NULL) != LT_OK)
        return false;
    out->vertex_nodes = LT_NEW(&out->allocator, vertex_count, uint32_t);
    out->triangle_tets = LT_NEW(&out->allocator, triangle_count, uint32_t);
    return out->vertex_nodes && out->triangle_tets;
}

static void fill_boundary(lt_tet_boundary *out, const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency,
                          const uint32_t *vertex_of_node) {
    for (uint32_t i = 0; i < mesh->node_count; i++) {
        if (vertex_of_node[i] == LT_NONE) continue;
        out->vertex_nodes[vertex_of_node[i]] = i;
        out->surface.positions[vertex_of_node[i]] = lt_v3_from_d3(mesh->positions[i]);
    }
    for (uint32_t i = 0; i < adjacency->boundary_face_count; i++) {
        uint32_t face = adjacency->boundary_faces[i];
        out->triangle_tets[i] = face / 4;
        for (int k = 0; k < 3; k++)
            out->surface.triangles[3 * (size_t)i + (size_t)k] = vertex_of_node[face_node(mesh, face, k)];
    }
}

lt_status lt_tet_boundary_build(lt_tet_boundary *out, const lt_tet_mesh *mesh,
                                const lt_tet_adjacency *adjacency, const lt_allocator *allocator,
                                lt_error *error) {
    LT_ASSERT(adjacency->tet_count == mesh->tet_count);
    *out = (lt_tet_boundary){.allocator = allocator ? *allocator : lt_allocator_default()};
    uint32_t *vertex_of_node = LT_NEW(&out->allocator, mesh->node_count, uint32_t);
    bool complete = vertex_of_node != NULL;
    if (complete) {
        uint32_t vertex_count = number_vertices(mesh, adjacency, vertex_of_node);
        complete = allocate_boundary(out, vertex_count, adjacency->boundary_face_count);
    }
    if (complete) fill_boundary(out, mesh, adjacency, vertex_of_node);
    LT_DELETE(&out->allocator, vertex_of_node, mesh->node_count, uint32_t);
    if (complete) return LT_OK;
    lt_tet_boundary_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a boundary of %u triangles",
                   adjacency->boundary_face_count);
}

lt_status lt_tet_boundary_of(lt_tet_boundary *out, const lt_tet_mesh *mesh, const lt_allocator *allocator,
                             lt_error *error) {
    *out = (lt_tet_boundary){0};
    lt_tet_adjacency adjacency;
    lt_status status = lt_tet_adjacency_build(&adjacency, mesh, allocator, error);
    if (status != LT_OK) return status;
    status = lt_tet_boundary_build(out, mesh, &adjacency, allocator, error);
    lt_tet_adjacency_free(&adjacency);
    return status;
}

void lt_tet_boundary_free(lt_tet_boundary *boundary) {
    LT_DELETE(&boundary->allocator, boundary->vertex_nodes, boundary->surface.vertex_count, uint32_t);
    LT_DELETE(&boundary->allocator, boundary->triangle_tets, boundary->surface.triangle_count, uint32_t);
    lt_surface_free(&boundary->surface);
    *boundary = (lt_tet_boundary){0};
}

/* ---- sizes and angles ---- */

static double mean_edge_length(const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency) {
    double sum = 0;
    for (uint32_t i = 0; i < adjacency->edge_count; i++) {
        const uint32_t *edge = adjacency->edges + 2 * (size_t)i;
        sum += lt_d3_distance(mesh->positions[edge[0]], mesh->positions[edge[1]]);
    }
    return adjacency->edge_count ? sum / adjacency->edge_count : 0;
}

/* Outward normals of the faces, twice their areas long. */
static void get_normals(const lt_tet_mesh *mesh, uint32_t tet, lt_dvec3 normals[4]) {
    for (uint32_t k = 0; k < 4; k++) {
        lt_dvec3 a = mesh->positions[face_node(mesh, 4 * tet + k, 0)];
        lt_dvec3 b = mesh->positions[face_node(mesh, 4 * tet + k, 1)];
        lt_dvec3 c = mesh->positions[face_node(mesh, 4 * tet + k, 2)];
        normals[k] = lt_d3_cross(lt_d3_sub(b, a), lt_d3_sub(c, a));
    }
}

/* Extremes over all tets; the sharpest angle has the largest cosine. */
typedef struct extremes {
    double altitude;
    double smallest_cosine, largest_cosine;
} extremes;

static void measure_tet(const lt_tet_mesh *mesh, uint32_t tet, extremes *out) {
    const uint32_t *t = lt_tet_at(mesh, tet);
    lt_dvec3 normals[4];
    double lengths[4];
    double six_volumes = 6 * fabs(lt_tet_volume(mesh->positions[t[0]], mesh->positions[t[1]],
                                                mesh->positions[t[2]], mesh->positions[t[3]]));
    get_normals(mesh, tet, normals);
    for (int k = 0; k < 4; k++) {
        lengths[k] = lt_d3_length(normals[k]);
        out->altitude = lt_min_d(out->altitude, lengths[k] > 0 ? six_volumes / lengths[k] : 0);
    }
    for (int e = 0; e < 6; e++) { /* the two faces at an edge are opposite the two other corners */
        int i = lt_tet_edge_corners[e][0], j = lt_tet_edge_corners[e][1];
        double product = lengths[i] * lengths[j];
        double cosine = product > 0 ? -lt_d3_dot(normals[i], normals[j]) / product : 1;
        out->smallest_cosine = lt_min_d(out->smallest_cosine, cosine);
        out->largest_cosine = lt_max_d(out->largest_cosine, cosine);
    }
}

lt_tet_measures lt_tet_mesh_measure(const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency) {
    LT_ASSERT(adjacency->tet_count == mesh->tet_count);
    if (mesh->tet_count == 0) return (lt_tet_measures){0};
    extremes found = {INFINITY, 1, -1};
    for (uint32_t i = 0; i < mesh->tet_count; i++)
        measure_tet(mesh, i, &found);
    return (lt_tet_measures){.mean_edge_length = mean_edge_length(mesh, adjacency),
                             .smallest_altitude = found.altitude,
                             .smallest_dihedral = acos(lt_min_d(1, found.largest_cosine)),
                             .largest_dihedral = acos(lt_max_d(-1, found.smallest_cosine))};
}
