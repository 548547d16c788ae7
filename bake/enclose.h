/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A tet carrier for any surface, that contains it by proof.
 *
 *   lattice.h    body-centred-cubic lattice: where a tet is, which triangles touch it
 *   cap_holes.h  rims closed by fans
 *   inside.h     voxels, flood fill, one winding number a region
 *   copies.h     the tets that touch the solid; separate pieces in one tet get copies of their own
 *   pull_in.h    the boundary pulled towards the surface under an exact sweep test
 *   fill.h       how much of every tet is solid
 *   enclose.h    all of it in order                                          (this file)
 *
 * Any triangles will do: open, self-intersecting, edges with many triangles, parts inside parts. Inside is
 * where the winding number is above 1/2; a surface without an inside (a sheet, a strip, one triangle) gets the
 * tets it touches, and is_sheet says so. Vertices should be welded: seams look like holes.
 *
 * Containment is exact, not sampled: every step keeps it, and lt_enclosure_verify proves it at the end with
 * nothing but the result. The same input and options give the same bytes.
 *
 * Workload: 70,000 triangles, 2,000 tets: a few seconds; memory a byte a voxel (at most 1.3e8) and a few words
 * for every triangle in every tet it touches. */

#ifndef LITHE_BAKE_ENCLOSE_H
#define LITHE_BAKE_ENCLOSE_H

#include "mesh/mesh.h"

/* Called now and then with the stage and the share of it that is done, 0 to 1; false cancels. */
typedef bool lt_enclose_progress(void *context, const char *stage, float share);

enum { LT_ENCLOSE_LEAST_TETS = 8, LT_ENCLOSE_MOST_TETS = 2000000 };

typedef struct lt_enclose_def {
    uint32_t target_tets; /* 8 to 2,000,000; 2,000. A target: met within some 15 %, exceeded where separate
                             pieces need copies, missed where no size of cells gives it */
    float min_dihedral;   /* degrees, 1 to 45; 18. Of tets that are pulled in; the lattice has 60 */
    uint32_t rounds;      /* of pulling in, 0 (the plain lattice) to 100; 14 */
    uint32_t
        resolution; /* voxels along a side of a cell, even, 4 to 32; 32. Fewer where memory would run out */
    uint32_t seed;  /* of the directions that are tried */
    lt_enclose_progress *progress; /* NULL: none */
    void *progress_context;
    const lt_allocator *allocator; /* NULL: the default */
} lt_enclose_def;

lt_enclose_def lt_enclose_def_default(void);

typedef struct lt_enclosure {
    lt_tet_mesh mesh;
    float *fill; /* [mesh.tet_count] share of the tet that counts as solid, (0, 1]; times volume it
                              sums to solid_volume. 1 everywhere for a sheet */
    uint32_t
        *vertex_tets; /* [vertex_count] the tet, of the right copy, that holds each vertex of the surface;
                              LT_NONE for vertices no triangle uses */
    uint32_t vertex_count;
    bool is_sheet;             /* nothing is inside */
    double solid_volume;       /* 0 for a sheet */
    double carrier_volume;     /* of all tets; copies overlap and count each */
    double lattice_volume;     /* the same before pulling in */
    double cell_size;          /* side of a cube of the lattice */
    uint32_t voxels_a_cell;    /* along a side: gaps above about 3 / voxels_a_cell cells are told apart */
    uint32_t copy_count;       /* tets more than there would be if pieces were glued */
    bool is_glued;             /* copies could not be kept apart and were given up: near pieces share tets */
    uint32_t cap_count;        /* holes that were closed to tell the inside */
    uint32_t inside_out_count; /* closed-off regions that the surface goes round the wrong way: left out */
    uint32_t moved_node_count, peeled_tet_count;
    lt_allocator allocator;
} lt_enclosure;

/* LT_STATUS_INVALID: a bad option, a bad surface, one that is all in a point or inside out. LT_STATUS_CANCELLED
 * when `progress` said so. On failure *out is zeroed. */
lt_status lt_enclose(const lt_surface *surface, const lt_enclose_def *def, lt_enclosure *out,
                     lt_error *error);
void lt_enclosure_free(lt_enclosure *enclosure);

/* Proves that every triangle lies inside: every vertex is in its tet, and the tets a triangle runs through from
 * there, across the faces it touches, are never left through the boundary and reach its other two vertices.
 * All tests are exact. LT_STATUS_INVALID names the first triangle or vertex for which it does not hold. */
lt_status lt_enclosure_verify(const lt_surface *surface, const lt_enclosure *enclosure,
                              const lt_allocator *allocator, lt_error *error);

#endif
