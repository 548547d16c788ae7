/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* liblithe-bake: meshes to shapes, offline. The runtime never needs it. */

#ifndef LITHE_BAKE_H
#define LITHE_BAKE_H

#include "lithe/shape.h"

LT_EXTERN_C_BEGIN

/* How the surface follows the carrier. */
typedef enum lt_embedding_kind {
    LT_EMBEDDING_BARYCENTRIC, /* weights in the containing tet (default) */
    LT_EMBEDDING_RIGID_LINKS  /* the sphere-tree paper's links to three surface nodes, errata corrected */
} lt_embedding_kind;

/* A carrier of tets with its own boundary as surface, or with a given surface inside. Arrays are read during
 * the call only. */
typedef struct lt_bake_tets_def {
    const char *name;             /* for messages; default "mesh" */
    const double *node_positions; /* [node_count][3], metres */
    const uint32_t *tets;         /* [tet_count][4], any orientation */
    uint32_t node_count;
    uint32_t tet_count;
    const float *surface_positions;    /* [surface_vertex_count][3]; NULL: the boundary of the tets */
    const uint32_t *surface_triangles; /* [surface_triangle_count][3], counter-clockwise from outside */
    uint32_t surface_vertex_count;
    uint32_t surface_triangle_count;
    lt_embedding_kind embedding;
    uint32_t distance_resolution; /* cells of the rest distance grid along the longest side; default 48 */
    lt_allocator allocator;
    uint64_t cookie;
} lt_bake_tets_def;

/* What the baker noticed and dealt with. */
typedef struct lt_bake_notes {
    uint32_t turned_tets;  /* of negative volume, turned */
    uint32_t unused_nodes; /* nodes of no tet, dropped */
    uint32_t
        outside_vertices; /* surface vertices outside every tet: embedded by extrapolation in the nearest */
    double farthest_outside; /* how far from its tet, as a fraction of the diagonal of the surface's box */
    uint32_t open_edges;     /* edges of the surface with one triangle: the inside is then a guess */
} lt_bake_notes;

LT_API lt_bake_tets_def lt_bake_tets_def_default(void);
/* `notes` may be NULL. Refuses NaN, indices out of range, zero volumes, empty meshes, naming the element,
 * and closed surfaces that are inside out. */
LT_API lt_status lt_bake_tets(const lt_bake_tets_def *def, lt_shape **out, lt_bake_notes *notes,
                              lt_error *error);

LT_EXTERN_C_END

#endif
