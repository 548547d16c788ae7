/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who touches whom: edges, neighbours, boundary and components of surfaces and tet meshes, as flat arrays.
 *
 * Every order is fixed by the mesh: edges ascend by (lower, higher) vertex, lists of elements ascend,
 * components are numbered by their lowest element. Built by counting sorts, O(n). Meshes must have passed
 * lt_surface_check or lt_tet_mesh_check: indices are not checked again. */

#ifndef LITHE_BAKE_ADJACENCY_H
#define LITHE_BAKE_ADJACENCY_H

#include "mesh/mesh.h"

/* Row i of a ragged table is items[offsets[i] … offsets[i + 1] - 1]. */
typedef struct lt_rows {
    uint32_t *offsets; /* [row_count + 1] */
    uint32_t *items;   /* [item_count] */
    uint32_t row_count;
    uint32_t item_count;
} lt_rows;

static inline uint32_t lt_rows_count(const lt_rows *rows, uint32_t row) {
    return rows->offsets[row + 1] - rows->offsets[row];
}
static inline const uint32_t *lt_rows_at(const lt_rows *rows, uint32_t row) {
    return rows->items + rows->offsets[row];
}

/* Edge k of a triangle joins its corners k and k + 1 (mod 3). A triangle that names a vertex twice has an edge
 * from that vertex to itself; such edges are kept, so that nothing is lost, and are never closed. */
typedef struct lt_surface_adjacency {
    uint32_t *edges;          /* [edge_count][2], lower vertex first */
    lt_rows edge_triangles;   /* [edge_count] rows: the triangles at an edge, one, two or many */
    lt_rows vertex_triangles; /* [vertex_count] rows: the triangles at a vertex, once per corner */
    uint32_t *triangle_edges; /* [triangle_count][3] */
    uint32_t
        *triangle_neighbours; /* [triangle_count][3] across edge k; LT_NONE unless the edge has exactly two */
    uint32_t *triangle_components; /* [triangle_count]; triangles that share a vertex are in one component */
    uint32_t triangle_count;
    uint32_t edge_count;
    uint32_t boundary_edge_count;    /* edges with one triangle */
    uint32_t nonmanifold_edge_count; /* edges with three triangles or more */
    uint32_t component_count;
    bool is_closed;   /* every edge has an even number of triangles: two, unless nonmanifold */
    bool is_oriented; /* along every edge the triangles run one way and the other by turns: two triangles
                       * oppositely, of more as many each way (or one more). Closed and oriented surfaces
                       * have whole winding numbers */
    lt_allocator allocator;
} lt_surface_adjacency;

lt_status lt_surface_adjacency_build(lt_surface_adjacency *out, const lt_surface *surface,
                                     const lt_allocator *allocator, lt_error *error);
void lt_surface_adjacency_free(lt_surface_adjacency *adjacency);

typedef struct lt_tet_adjacency {
    uint32_t *neighbours; /* [tet_count][4] across face k; LT_NONE at the boundary and at overfull faces */
    uint32_t *boundary_faces; /* [boundary_face_count] faces with one tet, 4 * tet + k, ascending */
    lt_rows node_tets;        /* [node_count] rows: the tets at a node */
    uint32_t *edges;          /* [edge_count][2], lower node first */
    uint32_t *tet_components; /* [tet_count]; tets that share a node are in one component */
    uint32_t tet_count;
    uint32_t edge_count;
    uint32_t boundary_face_count;
    uint32_t nonmanifold_face_count; /* overfull: faces with three tets or more */
    uint32_t component_count;
    lt_allocator allocator;
} lt_tet_adjacency;

lt_status lt_tet_adjacency_build(lt_tet_adjacency *out, const lt_tet_mesh *mesh,
                                 const lt_allocator *allocator, lt_error *error);
void lt_tet_adjacency_free(lt_tet_adjacency *adjacency);

/* The boundary faces as a surface, in their order, outward when volumes are positive. */
typedef struct lt_tet_boundary {
    lt_surface surface;
    uint32_t *vertex_nodes;  /* [surface.vertex_count] the node of a vertex, ascending */
    uint32_t *triangle_tets; /* [surface.triangle_count] the tet behind a triangle */
    lt_allocator allocator;
} lt_tet_boundary;

lt_status lt_tet_boundary_build(lt_tet_boundary *out, const lt_tet_mesh *mesh,
                                const lt_tet_adjacency *adjacency, const lt_allocator *allocator,
                                lt_error *error);
/* The same for whoever has no other use for the adjacency. */
lt_status lt_tet_boundary_of(lt_tet_boundary *out, const lt_tet_mesh *mesh, const lt_allocator *allocator,
                             lt_error *error);
void lt_tet_boundary_free(lt_tet_boundary *boundary);

/* Sizes and angles. Angles come from acos: their last bits may differ between systems. */
typedef struct lt_tet_measures {
    double mean_edge_length;
    double smallest_altitude; /* distance of a corner from its opposite face */
    double smallest_dihedral; /* radians */
    double largest_dihedral;
} lt_tet_measures;

lt_tet_measures lt_tet_mesh_measure(const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency);

#endif
