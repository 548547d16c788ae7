/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Walking a triangle through the tets of a carrier, and finding for every vertex the tet that holds it.
 *
 * A walk goes from a tet that holds a point of the triangle across every face the triangle touches. Whether it
 * ends without meeting the boundary is the proof that the triangle lies inside; where copies overlap, it tells
 * the right copy from the wrong one, because a walk never changes from one to the other.
 *
 * Why it is a proof: take any point of the triangle and go straight to it from where the walk began. Whenever
 * the way leaves a tet, it does so through a closed face that the triangle touches; that face has a tet behind
 * it, and the way goes on there. Where it leaves through an edge or a corner, the triangle touches every face
 * around it, one after the other, so none of them is boundary and all tets around are visited. */

#ifndef LITHE_BAKE_WALK_H
#define LITHE_BAKE_WALK_H

#include "bake/adjacency.h"

typedef struct lt_walk {
    const lt_surface *surface;
    const lt_tet_mesh *mesh;
    const lt_tet_adjacency *adjacency; /* of the mesh */
    uint32_t *stamps;                  /* [tet_count] of the last walk that came here */
    uint32_t stamp;
    lt_array visited; /* uint32_t, tets of the last walk */
    lt_allocator allocator;
} lt_walk;

/* All arguments must outlive the walk. False: out of memory. */
bool lt_walk_begin(lt_walk *out, const lt_surface *surface, const lt_tet_mesh *mesh,
                   const lt_tet_adjacency *adjacency, const lt_allocator *allocator);
void lt_walk_free(lt_walk *walk);

typedef enum lt_walk_end {
    LT_WALK_INSIDE,
    LT_WALK_OUTSIDE, /* the triangle touches the boundary at the last tet of `visited` */
    LT_WALK_MEMORY
} lt_walk_end;

/* Walks a triangle from a tet that holds one of its points. */
lt_walk_end lt_walk_triangle(lt_walk *walk, uint32_t triangle, uint32_t tet);
static inline bool lt_walk_has_visited(const lt_walk *walk, uint32_t tet) {
    return walk->stamps[tet] == walk->stamp;
}
/* Exactly. */
bool lt_walk_vertex_in_tet(const lt_walk *walk, uint32_t vertex, uint32_t tet);

/* Fills tets[vertex_count] from guesses, each a tet that holds the vertex or LT_NONE: of every component of the
 * surface one guess is taken and the rest is found by walking from vertex to vertex. When that leads outside or
 * to a contradiction another guess is taken; when some twenty fail, the guesses of the component stay. False:
 * out of memory. */
bool lt_vertex_tets_settle(lt_walk *walk, uint32_t *tets);

#endif
