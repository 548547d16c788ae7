/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The tets of a lattice that touch a solid or its surface, with a copy for every separate piece of the solid.
 *
 * Two fingers that pass through one tet of the lattice without touching would be glued by it. So a tet is
 * split into as many copies as it has pieces of solid, each with corners of its own; copies in neighbouring
 * tets share the corners of the face between them where their pieces are one:
 *
 *        lattice tet      two pieces          two copies, which overlap at rest and know nothing of each other
 *          /\               /\                   /\       /\
 *         /  \             /1 \                 /1 \     /  \
 *        /____\           /__2_\               /____\   /__2_\
 *
 * Pieces are components of solid voxels (inside or touched) within the tet. They are separate when at least
 * a voxel without surface lies between them: 32 voxels a cube tell gaps of about a tenth of a cube apart.
 * Two copies of a tet that share three corners become one: else a face would have three tets.
 *
 * Every triangle is owned by the copies it touches: for each tet it touches (decided exactly), the copy of the
 * piece it belongs to there. */

#ifndef LITHE_BAKE_COPIES_H
#define LITHE_BAKE_COPIES_H

#include "bake/adjacency.h"
#include "bake/inside.h"
#include "bake/lattice.h"

/* One type of tet, in voxels: the same for all its translates. */
typedef struct lt_tet_stencil {
    int32_t *offsets;        /* [count] of a voxel from the first voxel of the tet's cube */
    int16_t *places;         /* [count][3] the same along each axis */
    uint16_t *neighbours;    /* [count][6] entries of the voxels beside it; UINT16_MAX outside the tet */
    uint16_t *entries;       /* [2 n][n][n] along axis, side_axis, third: entry of a voxel, or UINT16_MAX */
    uint16_t *face_pairs[4]; /* [face_pair_counts][2] entries here and in the neighbour of one voxel */
    uint32_t face_pair_counts[4];
    uint32_t count;
} lt_tet_stencil;

typedef struct lt_copies {
    /* Input */
    const lt_lattice *lattice;
    const lt_voxels *voxels; /* of the lattice: its origin, `resolution` voxels a cube */
    uint32_t resolution;     /* even, 4 to 32 */
    lt_lattice_type types[LT_LATTICE_TYPES];
    lt_tet_stencil stencils[LT_LATTICE_TYPES];
    /* Pieces of solid per tet of the lattice */
    uint32_t *slots;       /* [12 cube_count] place of the tet among those kept, or LT_NONE */
    lt_array kept;         /* uint32_t, tets of the lattice */
    lt_array label_begins; /* size_t, first label of a kept tet */
    lt_array labels;       /* uint8_t, of the voxels of a stencil: 0 not solid, else 1 + piece */
    lt_array piece_begins; /* uint32_t, kept.count + 1 */
    uint32_t *piece_tets;  /* [piece_count] tet of the mesh, or LT_NONE */
    uint32_t piece_count;
    /* Output */
    lt_tet_mesh mesh;
    lt_rows owned;       /* [mesh.tet_count] triangles of a tet */
    uint32_t *tet_cells; /* [mesh.tet_count] its tet of the lattice */
    uint32_t copy_count; /* tets more than there are tets of the lattice behind them */
    lt_allocator allocator;
} lt_copies;

/* `lattice` and `voxels` must outlive the result. Without `is_split` every tet has one copy: the plain lattice,
 * which contains the surface whatever the voxels say. */
lt_status lt_copies_build(lt_copies *out, const lt_lattice *lattice, const lt_voxels *voxels,
                          uint32_t resolution, const lt_surface *surface, bool is_split,
                          const lt_allocator *allocator, lt_error *error);
void lt_copies_free(lt_copies *copies);

/* The tet of the mesh whose piece of solid the point lies in, by its voxel; LT_NONE where nothing is solid. */
uint32_t lt_copies_at(const lt_copies *copies, lt_dvec3 point);
/* Whether a tet of the mesh has one of four nodes: then its piece of solid and theirs are the same nearby. */
bool lt_copies_share_node(const lt_copies *copies, uint32_t tet, const uint32_t nodes[4]);

#endif
