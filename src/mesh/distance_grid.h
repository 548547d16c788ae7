/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Signed distance to a surface, sampled on a regular grid around it: negative inside.
 *
 * Built once, at bake or when an obstacle is made; asked often. Inside is where the generalized winding
 * number is above 1/2, so holes, gaps and self-intersections are tolerated, and a closed surface that is
 * turned inside out has no inside. Distances at grid nodes are exact within 1.5 cells of the surface;
 * farther away they come from the closest triangle of a neighbour: never too near, and too far by less
 * than a tenth of a cell in every case tried (most where triangles are smaller than cells). Between
 * nodes: trilinear.
 *
 * Expected load: 20k triangles and 64 cells along the longest side in under 0.3 s. An open surface costs
 * one solid angle more per node and open edge. */

#ifndef LITHE_MESH_DISTANCE_GRID_H
#define LITHE_MESH_DISTANCE_GRID_H

#include "mesh/mesh.h"

/* The flat half: this struct and its values can be stored as they are and viewed again. No padding. */
typedef struct lt_distance_grid_header {
    float origin[3];          /* of node (0, 0, 0), metres */
    float cell_size;          /* between neighbouring nodes, metres */
    uint32_t size[3];         /* nodes along x, y, z; each at least 2 */
    uint32_t open_edge_count; /* of the surface; 0: it is closed */
} lt_distance_grid_header;

typedef struct lt_distance_grid {
    lt_distance_grid_header header;
    const float *values; /* [size z][size y][size x], metres */
    float *owned;        /* values, when they are ours to release */
    lt_allocator allocator;
} lt_distance_grid;

typedef struct lt_distance_grid_options {
    uint32_t cells;   /* along the longest side of the surface's box, 1 to 1024; 0 means 64 */
    uint32_t padding; /* cells around that box; 0 means 2 */
} lt_distance_grid_options;

/* `options` and `allocator` may be NULL. Refuses surfaces of no extent, too far from the origin for their
 * size, or with so many open edges that building would take more than about ten seconds.
 * On failure *out is empty. */
lt_status lt_distance_grid_build(const lt_surface *surface, const lt_distance_grid_options *options,
                                 const lt_allocator *allocator, lt_distance_grid *out, lt_error *error);
/* A grid over stored values, which must outlive it; every field and value is checked. `name` is for
 * messages. */
lt_status lt_distance_grid_view(const lt_distance_grid_header *header, const float *values,
                                uint64_t value_count, const char *name, lt_distance_grid *out,
                                lt_error *error);
/* Safe on views, zeroed and already freed grids. */
void lt_distance_grid_free(lt_distance_grid *grid);

static inline uint64_t lt_distance_grid_value_count(const lt_distance_grid_header *header) {
    return (uint64_t)header->size[0] * header->size[1] * header->size[2];
}

/* Distance and its gradient (NULL allowed) at any point, never NaN: trilinear inside the grid, the
 * gradient is the derivative of just that. Outside the grid, with e the distance to the grid's box and D
 * the value at the closest point of the box, it is sqrt(e² + D²): the box is convex and holds the
 * surface, so that the way from there is at least that long. (e + D would be an upper bound.) Coordinates
 * beyond ±1e18 and NaN count as ±1e18. */
void lt_distance_grid_sample(const lt_distance_grid *grid, lt_vec3 point, float *distance, lt_vec3 *gradient);

#endif
