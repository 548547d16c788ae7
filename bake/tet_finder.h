/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which tet of a mesh does a point belong to? The one that holds it; and where tets overlap, or none holds it, the nearest of
 * those that can be reached from a tet that is known to be right.
 *
 * Carriers of bodies with near limbs overlap at rest (copies.h): there, and outside of everything, "nearest" alone would
 * choose the limb beside. Who asks knows a place on the surface near the point and the tet that holds it. Only tets count
 * that hang together with that one through faces, within the ball around the point that has the place on its rim:
 *
 *         | left |  | right |          p, a node of the left finger's coarse carrier, lies in the right finger;
 *         |   v)-+-p+       |          from the tet of v, the ball around p leads to no tet of the right finger
 *         |______|__|_______|          unless it reaches down into the palm
 *
 * Workload: some hundred thousand questions of meshes of some thousand tets, a microsecond each. Not for several threads. */

#ifndef LITHE_BAKE_TET_FINDER_H
#define LITHE_BAKE_TET_FINDER_H

#include "bake/adjacency.h"
#include "mesh/spatial_hash.h"

typedef struct lt_tet_finder {
    const lt_tet_mesh *mesh;    /* must outlive this */
    lt_tet_adjacency adjacency; /* of the mesh */
    lt_box *boxes;              /* [tet_count] */
    lt_spatial_hash hash;       /* of the boxes */
    uint32_t *found;            /* [tet_count] of the last question */
    uint32_t *stamps;           /* [tet_count] of the last search that came here */
    uint32_t stamp;
    lt_allocator allocator;
} lt_tet_finder;

/* On failure *out is empty. */
lt_status lt_tet_finder_build(lt_tet_finder *out, const lt_tet_mesh *mesh, const lt_allocator *allocator,
                              lt_error *error);
void lt_tet_finder_free(lt_tet_finder *finder);

typedef struct lt_held_point {
    uint32_t
        tet; /* of those that hold it, the one in which its least weight is greatest; LT_NONE: none does */
    uint32_t count;    /* how many hold it; on a face between tets: both */
    double weights[4]; /* in that tet */
} lt_held_point;

/* Tets hold a point when no weight of it is below -slack, which is at most 1e-4. */
lt_held_point lt_tet_finder_hold(lt_tet_finder *finder, lt_dvec3 p, double slack);
/* The nearest tet to p of those reached from `from` within `radius` of p, and the weights of p in it; of equally near ones the
 * one in which the least weight is greatest. */
lt_held_point lt_tet_finder_reach(lt_tet_finder *finder, lt_dvec3 p, uint32_t from, double radius);

#endif
