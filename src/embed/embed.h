/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of embed/: from carrier nodes to surface points, and forces back.
 *
 *   barycentric  x = Σ w_j x_j over the four nodes of a tet; affine weights outside it
 *   trilinear    the same over the eight nodes of a cell, w_j = Π (bit k of j ? ξ_k : 1 − ξ_k); never outside it
 *   rigid links  x = Σ α_j q_j + Σ c_i ê_i: a point O held by three surface nodes, and an offset of constant length
 *                that turns with their triangle (papers/000 §3.1, errata M1–M5 corrected)
 *
 * One gather for positions and velocities, one anchor for the way back: whoever applies a force to a surface point
 * asks for its lt_anchor and scatters through that. For links the anchor is O's: the offset's share of the torque is
 * lost, which shows in momentum_error; that is the paper's choice and one reason why barycentric is the default. */

#ifndef LITHE_EMBED_EMBED_H
#define LITHE_EMBED_EMBED_H

#include "body/body.h"
#include "mesh/distance_grid.h"
#include "mesh/mesh.h"

/* The surface of a shape and how it hangs on the carrier: views into chunks. */
typedef struct lt_skin {
    const lt_vec3 *rest;       /* [point_count] */
    const uint32_t *triangles; /* [triangle_count][3] */
    const uint32_t *fan_begin; /* [point_count + 1] */
    const uint32_t *fans;      /* [3 × triangle_count] triangles around a point, by point */
    const float *areas;        /* [point_count] a third of the areas of the triangles around, at rest */
    const uint32_t *tets; /* [point_count] the tet or cell that holds the point (or the tet nearest to it) */
    const uint32_t *ids;  /* [point_count][corner_count]; links use three, the fourth repeats the third */
    const float *weights; /* [point_count][corner_count], sum 1 */
    const float *offsets; /* [point_count][4] signed scalars along the turning axes; NULL: no links */
    const uint32_t
        *triangle_cells; /* [triangle_count] the cell a triangle lies in; NULL: a carrier of tets */
    const uint32_t
        *triangle_parents; /* [triangle_count] the triangle it was cut from, ascending; NULL likewise */
    const float
        *cell_boxes; /* [cell_count][6] lo, hi of the surface in a cell, in the cell's coordinates; lo > hi
                                  without any. NULL likewise */
    const uint8_t *cell_masks; /* [cell_count] faces that look out: -x +x -y +y -z +z. NULL likewise */
    lt_distance_grid distance; /* of the surface at rest: how deep a rest point lies */
    uint32_t point_count;
    uint32_t triangle_count;
    uint32_t corner_count; /* 4: tets, 8: cells */
    float overhang;        /* largest sum of negative weights of a point, as a positive number */
    float longest_link;    /* m at rest, unscaled: length of the longest offset */
    float scale;           /* of the body: offsets are times this; 1 until the body sets it */
} lt_skin;

#define LT_CHUNK_SURFACE_REST      "surface.rest"
#define LT_CHUNK_SURFACE_TRIANGLES "surface.triangles"
#define LT_CHUNK_SURFACE_FAN_BEGIN "surface.fan_begin"
#define LT_CHUNK_SURFACE_FANS      "surface.fans"
#define LT_CHUNK_SURFACE_AREAS     "surface.areas"
#define LT_CHUNK_SURFACE_CELLS     "surface.triangle_cells"
#define LT_CHUNK_SURFACE_PARENTS   "surface.triangle_parents"
#define LT_CHUNK_EMBED_TETS        "embed.tets"
#define LT_CHUNK_EMBED_IDS         "embed.ids"
#define LT_CHUNK_EMBED_WEIGHTS     "embed.weights"
#define LT_CHUNK_EMBED_OFFSETS     "embed.offsets"
#define LT_CHUNK_CELL_BOXES        "cells.boxes"
#define LT_CHUNK_CELL_MASKS        "cells.masks"
#define LT_CHUNK_DISTANCE_HEADER   "surface.distance_header"
#define LT_CHUNK_DISTANCE_VALUES   "surface.distance_values"

lt_status lt_skin_read(lt_skin *out, const lt_shape *shape, const lt_carrier *carrier, lt_error *error);

/* Its points and triangles at rest as a surface: arrays that must be neither changed nor freed. */
static inline lt_surface lt_skin_surface(const lt_skin *skin) {
    return (lt_surface){.positions = (lt_vec3 *)skin->rest,
                        .triangles = (uint32_t *)skin->triangles,
                        .vertex_count = skin->point_count,
                        .triangle_count = skin->triangle_count};
}

/* Weights of a place in a cell, in coordinates of the cell from 0 to 1, for its corners. */
void lt_cell_weights(double weights[8], lt_dvec3 at);
/* Such coordinates of a point in a cell whose lowest corner is `lo`. */
static inline lt_dvec3 lt_place_in_cell(lt_dvec3 lo, double cell_size, lt_vec3 point) {
    return lt_d3_scale(lt_d3_sub(lt_d3_from_v3(point), lo), 1 / cell_size);
}
/* Whether such coordinates are of a place in the cell, but for the rounding of positions in files. */
static inline bool lt_is_in_cell(lt_dvec3 at) {
    const double rounding = 1e-6;
    return at.x >= -rounding && at.x <= 1 + rounding && at.y >= -rounding && at.y <= 1 + rounding &&
           at.z >= -rounding && at.z <= 1 + rounding;
}

/* Weights of p in a tet: Σ w = 1 and Σ w x = p; false when the tet is flat. */
bool lt_barycentric_weights(double weights[4], const lt_dvec3 corners[4], lt_dvec3 p);
static inline double lt_least_weight(const double weights[4]) {
    return lt_min_d(lt_min_d(weights[0], weights[1]), lt_min_d(weights[2], weights[3]));
}

/* ---- using it ---- */

typedef struct lt_embed_kernels {
    /* out[i] for points [begin, end), from `nodes` [node_count][4]. `out` is packed; `out[begin, end)` is all that
     * is written. */
    void (*barycentric)(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end);
    void (*rigid_links)(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end);
    void (*trilinear)(lt_vec3 *out, const lt_skin *skin, const float *nodes, uint32_t begin, uint32_t end);
} lt_embed_kernels;

const lt_embed_kernels *lt_embed_kernels_for(lt_simd_level level);

/* Positions of points [begin, end); or, without links, velocities from those of the nodes. */
static inline void lt_embed_positions(const lt_embed_kernels *kernels, lt_vec3 *out, const lt_skin *skin,
                                      const float *nodes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    (skin->corner_count == 8 ? kernels->trilinear
     : skin->offsets         ? kernels->rigid_links
                             : kernels->barycentric)(out, skin, nodes, begin, end);
}

/* The nodes and weights through which a force at the point acts. */
lt_anchor lt_embed_anchor(const lt_skin *skin, uint32_t point);

/* Unit normals by area, [point_count]; +z where a point has no area. */
void lt_surface_normals(lt_vec3 *out, const lt_vec3 *positions, uint32_t point_count,
                        const uint32_t *triangles, uint32_t triangle_count);

#endif
