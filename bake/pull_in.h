/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The boundary of a carrier, pulled towards the surface it contains.
 *
 * Every tet has a list of triangles; a triangle that touches a tet (of its own copy) is in its list. When a
 * node of the boundary goes from x to y, what leaves the carrier lies in the tets (x, y, a, b) over the
 * boundary faces (x, a, b) at the node. So a move is allowed when none of these tets touches a triangle of the
 * lists around the node, by exact tests. Moves outward are tested just so: nothing may be swept over.
 *
 *            a ------- b
 *             \ .   . /          the boundary face (x, a, b) becomes (y, a, b):
 *              \  y  /           all that is between them must be free of surface
 *               \ | /
 *                 x
 *
 * The volume of a carrier is linear in the place of each node; every allowed move that makes it smaller and
 * keeps all dihedrals above the bound is taken: straight down the gradient, and in random directions about
 * it, with steps that are halved until one is allowed. Inner nodes move to make the least dihedral around them
 * larger, so that the boundary has more room. Tets that have no triangle and nothing solid in them are peeled
 * off the boundary.
 *
 * Lists may hold triangles that come near a tet without touching it: that costs a little freedom, never
 * containment. */

#ifndef LITHE_BAKE_PULL_IN_H
#define LITHE_BAKE_PULL_IN_H

#include "bake/copies.h"
#include "core/random.h"

typedef struct lt_pull {
    /* Input */
    lt_copies *copies; /* its mesh is what moves */
    const lt_solid *solid;
    lt_surface surface; /* view of the solid's */
    double max_cosine;  /* of a dihedral */
    /* State */
    lt_tet_adjacency adjacency; /* of the start; neighbours are kept up as tets are peeled */
    uint8_t *is_alive;          /* [tet_count] */
    lt_array *lists;            /* [tet_count] of uint32_t, triangles */
    double *steps;              /* [node_count] length that worked last */
    uint32_t *blockers;         /* [node_count] triangle that forbade the last move, or LT_NONE */
    uint32_t *triangle_stamps;  /* [surface.triangle_count] */
    uint32_t *vertex_stamps;    /* [surface.vertex_count] */
    uint32_t *vertex_places;    /* [surface.vertex_count] in the star that is looked at */
    uint32_t stamp;
    struct lt_star *star; /* scratch of one node */
    lt_random random;
    /* Output */
    uint32_t moved_count, peeled_count;
    lt_allocator allocator;
} lt_pull;

/* `degrees` is the least dihedral that moves may leave. */
lt_status lt_pull_begin(lt_pull *out, lt_copies *copies, const lt_solid *solid, double degrees, uint32_t seed,
                        lt_error *error);
/* One pass over all nodes, and one of peeling. */
lt_status lt_pull_round(lt_pull *pull, uint32_t round, lt_error *error);
void lt_pull_free(lt_pull *pull);

#endif
