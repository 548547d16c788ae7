/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces, tet meshes and lattices of cells as plain arrays, and what can be said of them without simulating.
 *
 *   mesh.h           the three mesh structs, checks, counts                  (this file)
 *   closest.h        closest points of segments and triangles
 *   exact.h          exact small intersection tests
 *   spatial_hash.h   the one spatial hash
 *   distance_grid.h  signed distance sampled on a grid
 *
 * Surface positions are float: they are seen, bounded and tested. Tet nodes are double: they are the rest
 * state of a simulation, and outside truths are checked to more digits than float has. */

#ifndef LITHE_MESH_MESH_H
#define LITHE_MESH_MESH_H

#include "core/memory.h"
#include "core/vec.h"

typedef struct lt_surface {
    lt_vec3 *positions;  /* [vertex_count] */
    uint32_t *triangles; /* [triangle_count][3], counter-clockwise seen from outside */
    uint32_t vertex_count;
    uint32_t triangle_count;
    lt_allocator allocator;
} lt_surface;

typedef struct lt_tet_mesh {
    lt_dvec3 *positions; /* [node_count] */
    uint32_t *tets;      /* [tet_count][4]; positive volume: det(x1-x0, x2-x0, x3-x0) > 0 */
    uint32_t node_count;
    uint32_t tet_count;
    lt_allocator allocator;
} lt_tet_mesh;

/* A lattice: equal cubes of a grid, neighbours where they share nodes. Separate pieces of a solid that pass through
 * one place of the grid have a cell each, with nodes of their own. */
typedef struct lt_cell_mesh {
    lt_dvec3 *positions; /* [node_count] */
    uint32_t *cells;     /* [cell_count][8] nodes; corner j is at + along axis k where bit k of j is set */
    uint32_t *places;    /* [cell_count] where in the grid, by lt_cell_place */
    float *fill;         /* [cell_count] share of the cell that is solid, in (0, 1] */
    double cell_size;    /* length of an edge */
    uint32_t node_count;
    uint32_t cell_count;
    lt_allocator allocator;
} lt_cell_mesh;

/* Places of a grid of at most 1024 cells along each axis, in one number. */
enum { LT_PLACE_BITS = 10, LT_PLACE_LIMIT = 1 << LT_PLACE_BITS };
static inline uint32_t lt_cell_place(uint32_t x, uint32_t y, uint32_t z) {
    return x | y << LT_PLACE_BITS | z << 2 * LT_PLACE_BITS;
}
static inline uint32_t lt_cell_place_along(uint32_t place, int axis) {
    LT_ASSERT(axis >= 0 && axis < 3);
    return place >> axis * LT_PLACE_BITS & (LT_PLACE_LIMIT - 1);
}

/* Zeroed arrays of the given size. LT_STATUS_MEMORY when they cannot be had; *out is then empty. */
lt_status lt_surface_allocate(lt_surface *out, uint32_t vertex_count, uint32_t triangle_count,
                              const lt_allocator *allocator, lt_error *error);
lt_status lt_tet_mesh_allocate(lt_tet_mesh *out, uint32_t node_count, uint32_t tet_count,
                               const lt_allocator *allocator, lt_error *error);
lt_status lt_cell_mesh_allocate(lt_cell_mesh *out, uint32_t node_count, uint32_t cell_count,
                                const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed meshes. */
void lt_surface_free(lt_surface *surface);
void lt_tet_mesh_free(lt_tet_mesh *mesh);
void lt_cell_mesh_free(lt_cell_mesh *mesh);

/* Every coordinate finite, every index in range, at least one element. The error names the first bad
 * element as "`name`: vertex 12: …". lt_tet_mesh_check also refuses tets of zero or negative volume. */
lt_status lt_surface_check(const lt_surface *surface, const char *name, lt_error *error);
lt_status lt_tet_mesh_check(const lt_tet_mesh *mesh, const char *name, lt_error *error);

/* Swaps two corners of every tet of negative volume; returns how many. */
uint32_t lt_tet_mesh_orient(lt_tet_mesh *mesh);

lt_box lt_surface_box(const lt_surface *surface);
/* Signed volume by the divergence theorem (meaningful when closed), and area. */
double lt_surface_volume(const lt_surface *surface);
double lt_surface_area(const lt_surface *surface);
double lt_tet_volume(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 d);
double lt_tet_mesh_volume(const lt_tet_mesh *mesh);

/* Face k of a tet is opposite its corner k; these are its corners, counter-clockwise seen from outside. */
extern const uint8_t lt_tet_face_corners[4][3];
extern const uint8_t lt_tet_edge_corners[6][2];

static inline const uint32_t *lt_triangle_at(const lt_surface *surface, uint32_t index) {
    LT_ASSERT(index < surface->triangle_count);
    return surface->triangles + 3 * (size_t)index;
}
static inline const uint32_t *lt_tet_at(const lt_tet_mesh *mesh, uint32_t index) {
    LT_ASSERT(index < mesh->tet_count);
    return mesh->tets + 4 * (size_t)index;
}
static inline const uint32_t *lt_cell_at(const lt_cell_mesh *mesh, uint32_t index) {
    LT_ASSERT(index < mesh->cell_count);
    return mesh->cells + 8 * (size_t)index;
}

#endif
