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

/* What is around the node that is looked at. */
enum {
    LT_STAR_LIMIT = 64
}; /* tets, and boundary faces: bits of a mask. Nodes with more stay where they are */

typedef struct lt_star_face {
    uint32_t a, b; /* with the node itself counter-clockwise seen from outside */
} lt_star_face;

typedef struct lt_star_triangle {
    uint32_t triangle;
    uint32_t vertices[3]; /* places in the star's vertices */
    uint64_t tets;        /* bit i: in the list of tet i of the star */
} lt_star_triangle;

typedef struct lt_star {
    uint32_t node;
    uint32_t tets[LT_STAR_LIMIT];
    lt_star_face faces[LT_STAR_LIMIT];
    uint32_t tet_count, face_count;
    uint64_t
        groups[LT_STAR_LIMIT]; /* bits of the tets that tet i hangs together with through faces at the node */
    bool has_twins;            /* a group has two copies of one tet of the lattice */
    uint32_t blocked_face;     /* that met a triangle in the last sweep, or LT_NONE */
    lt_array triangles;        /* lt_star_triangle, each once */
    lt_array vertices;         /* lt_dvec3, each once */
    lt_array vertex_bits;      /* uint64_t, a vertex: scratch */
} lt_star;

typedef struct lt_pull {
    /* Input */
    lt_copies *copies; /* its mesh is what moves */
    const lt_solid *solid;
    lt_surface surface; /* view of the solid's */
    double max_cosine;  /* of a dihedral */
    double margin;      /* length that rounding cannot bridge */
    bool is_careful;    /* nodes at which copies of one tet hang together stay where they are */
    /* State */
    lt_tet_adjacency adjacency; /* of the start; neighbours are kept up as tets are peeled */
    uint8_t *is_alive;          /* [tet_count] */
    lt_array *lists;            /* [tet_count] of uint32_t, triangles */
    double *steps;              /* [node_count] length that is tried next */
    uint32_t *blockers;         /* [node_count] triangle that forbade the last move, or LT_NONE */
    uint32_t *triangle_stamps;  /* [surface.triangle_count] */
    uint32_t *triangle_places;  /* [surface.triangle_count] in the star, when the stamp is the present one */
    uint32_t *vertex_stamps;    /* [surface.vertex_count] */
    uint32_t *vertex_places;    /* [surface.vertex_count] */
    uint32_t stamp;
    lt_star star;
    lt_random random;
    /* Output */
    uint32_t moved_count, peeled_count;
    lt_allocator allocator;
} lt_pull;

typedef struct lt_pull_params {
    double min_dihedral; /* degrees; moves may leave no less */
    uint32_t seed;
    /* Copies of one tet that meet at a node overlap, so that the place of a triangle does not tell to which of
     * them it belongs. It stays where it was, which is nearly always right; careful leaves such nodes alone. */
    bool is_careful;
} lt_pull_params;

lt_status lt_pull_begin(lt_pull *out, lt_copies *copies, const lt_solid *solid, const lt_pull_params *params,
                        lt_error *error);
/* Once, before the rounds: inner nodes that are near the surface are moved a little beyond it, and what is empty
 * then is peeled off. Needs no test: the carrier is the same, only cut differently. */
lt_status lt_pull_warp(lt_pull *pull, lt_error *error);
/* One pass over all nodes, and one of peeling. */
lt_status lt_pull_round(lt_pull *pull, lt_error *error);
void lt_pull_free(lt_pull *pull);

#endif
