/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ladders: carriers of one surface from fine to coarse, and what leads from one to the next (papers/003 §4.1–4.2, with the
 * corrections of docs/baking.md).
 *
 *   ladder_levels.c   the meshes: enclosures of a surface, or a user's own; what of every tet is solid
 *   ladder_rows.c     the tets above and below every node, weights in them, the node forest
 *   ladder_cascade.c  cascade neighbours
 *   ladder_pieces.c   the solid cut into what lies in one tet of every level
 *   ladder.c          all of it in order, one mesh of all levels, and into a shape
 *   tet_finder.h      which tet a point belongs to where limbs are near
 *
 * Level 0 is the finest. Every level holds the surface and weighs the same: fill times volume sums to one number on all of
 * them. Rows of nodes outside the other mesh extrapolate, and are cut at -1/2 with `clamps`.
 *
 * Workload: six levels, 85 to 6,400 tets, 28,000 triangles: most of the time goes into the enclosures. */

#ifndef LITHE_BAKE_LADDER_H
#define LITHE_BAKE_LADDER_H

#include "bake/enclose.h"
#include "bake/inside.h"
#include "bake/shape_builder.h"
#include "bake/tet_finder.h"
#include "body/body.h"

/* One mesh; all arrays are owned. */
typedef struct lt_ladder_level {
    lt_tet_mesh mesh;
    float *fill; /* [mesh.tet_count] in (0, 1] */
    uint32_t *
        vertex_tets; /* [vertex_count of the surface] the tet that holds a vertex, of the right copy; LT_NONE: unused */
    bool overlaps; /* has copies: a point may be in several tets */
} lt_ladder_level;

typedef struct lt_ladder_build {
    /* Input; all must outlive this */
    const lt_surface *surface;
    const char *name; /* for messages */
    bool clamps;      /* weights below -1/2 become that, and all are scaled to sum 1 */
    lt_allocator allocator;
    /* Levels, made by one of the two functions below */
    lt_ladder_level levels[LT_LADDER_MOST];
    uint32_t level_count;
    double solid_volume; /* that every level's fill times volume sums to */
    bool is_sheet;       /* nothing is inside: all of every tet counts */
    /* Of enclosures, for notes: of the finest, and whether any level's near pieces share tets */
    uint32_t copy_count;
    double cell_size;
    bool is_glued;
    lt_solid solid;
    lt_voxels voxels;
    /* State: between rows and pieces */
    lt_tet_finder finders[LT_LADDER_MOST];
    uint32_t *anchors
        [LT_LADDER_MOST]; /* [tet_count] a vertex of the surface in the tet, or few faces away; LT_NONE */
    /* Output; the view's arrays are those below */
    lt_tet_mesh mesh; /* of all levels */
    float *fill;      /* [mesh.tet_count] */
    lt_ladder ladder;
    uint32_t *above_tets, *far_tets, *parents, *below_tets;
    float *above_weights, *far_weights, *below_weights;
    lt_rows cascade;
    lt_array piece_tets;    /* uint32_t */
    lt_array piece_volumes; /* float */
} lt_ladder_build;

/* Levels around the surface: `target_tets` [count], falling, and an enclosure of each by `def` but for its target. */
lt_status lt_ladder_enclose(lt_ladder_build *build, const lt_enclose_def *def, const uint32_t *target_tets,
                            uint32_t count, lt_error *error);
/* Levels that were given: `meshes` [count], which pass to the ladder whatever happens. */
lt_status lt_ladder_take_meshes(lt_ladder_build *build, lt_tet_mesh *meshes, uint32_t count, lt_error *error);
/* All the rest of it, from the levels. */
lt_status lt_ladder_finish(lt_ladder_build *build, lt_error *error);
/* The chunks of the carrier and of the ladder. */
lt_status lt_ladder_add_chunks(lt_shape_builder *builder, const lt_ladder_build *build, lt_error *error);
void lt_ladder_free(lt_ladder_build *build);

/* ---- its parts ---- */

/* Whether a point is inside the solid; exact where the surface is near. */
bool lt_ladder_is_solid(const lt_ladder_build *build, lt_dvec3 p);
/* LT_LADDER_SAMPLES points of a tet, all of one weight, none on its boundary. */
enum { LT_LADDER_SAMPLE_ORDER = 5, LT_LADDER_SAMPLES = 56 };
void lt_ladder_sample_tet(lt_dvec3 points[LT_LADDER_SAMPLES], const lt_tet_mesh *mesh, uint32_t tet);

lt_status lt_ladder_find_anchors(lt_ladder_build *build, lt_error *error);
/* The tet of a level that a point belongs to which is near a vertex of the surface; `anchor` LT_NONE: not known. */
lt_held_point lt_ladder_locate(lt_ladder_build *build, uint32_t level, lt_dvec3 p, uint32_t anchor);
lt_status lt_ladder_make_rows(lt_ladder_build *build, lt_error *error);
lt_status lt_ladder_make_cascade(lt_ladder_build *build, lt_error *error);
lt_status lt_ladder_make_pieces(lt_ladder_build *build, lt_error *error);

static inline uint32_t lt_ladder_node_begin(const lt_ladder_build *build, uint32_t level) {
    return build->ladder.node_begin[level];
}
static inline double lt_ladder_tet_volume(const lt_tet_mesh *mesh, uint32_t t) {
    const uint32_t *tet = lt_tet_at(mesh, t);
    const lt_dvec3 *x = mesh->positions;
    return lt_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
}

#endif
