/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the files that bake sphere trees share. In the order of the data:
 *
 *   sphere_pace.c     how much work goes into which stage
 *   sphere_field.c    the surface as a field: exact distance, inside or outside, grids for quick guesses
 *   sphere_sampler.c  points on the surface
 *   medial.c          the same with balls inside the solid that touch there
 *   sphere_octree.c   \ proposals: spheres breadth first with parents, children and a guess of their errors;
 *   sphere_medial.c   / they cover the surface more or less
 *   sphere_merge.c, sphere_split.c, sphere_polish.c   how a medial sphere gets its children
 *   sphere_cover.c    a proposal made into a tree: every piece of the surface in a leaf and all above it
 *   sphere_pieces.c   pieces and who owns them
 *   sphere_refine.c   spheres moved around what they own, and covered anew
 *   sphere_error.c    how far the spheres of a tree stand off the surface
 *   sphere_tree.c     the stages in order
 *   sphere_measure.c  errors by sampling, as it is done in print
 *   sphere_file.c     spheres as text */

#ifndef LITHE_BAKE_SPHERE_INTERNAL_H
#define LITHE_BAKE_SPHERE_INTERNAL_H

#include "bake/rest_tree.h"
#include "bake/sphere_pace.h"
#include "bake/sphere_sampler.h"
#include "bake/sphere_tree.h"
#include "bake/winding.h"
#include "mesh/distance_grid.h"

/* ---- the surface as a field ---- */

/* Vertices of an icosahedron subdivided three times, and of one subdivided twice. */
enum { LT_SPHERE_DIRECTIONS = 642, LT_SPHERE_FEW_DIRECTIONS = 162 };

typedef struct lt_sphere_field {
    const lt_surface *surface; /* must outlive this */
    lt_triangle_tree tree;
    lt_winding_tree winding;
    lt_distance_grid grid; /* no values: so many open edges that no grid could be made */
    lt_distance_grid wide; /* coarse, and far beyond the surface's box */
    bool is_open;          /* the surface, or too open to say: it does not part inside from outside */
    double cell;           /* of the grid, m */
    double cells_per_metre;
    double slack;  /* values at nodes are off by less */
    double extent; /* longest side of the surface's box */
    lt_dvec3 directions[LT_SPHERE_DIRECTIONS];
    lt_dvec3 few_directions[LT_SPHERE_FEW_DIRECTIONS];
    const lt_sphere_pace *pace;
    lt_allocator allocator;
} lt_sphere_field;

/* `cells` of the grid along the longest side; made coarser when there are many open edges. */
lt_status lt_sphere_field_build(lt_sphere_field *out, const lt_surface *surface, uint32_t cells,
                                const lt_sphere_pace *pace, const lt_allocator *allocator, lt_error *error);
void lt_sphere_field_free(lt_sphere_field *field);

/* What the grid knows of the signed distance, negative inside: it is between these. Without a grid: anything. */
typedef struct lt_sphere_guess {
    double least, most;
} lt_sphere_guess;
lt_sphere_guess lt_sphere_field_guess(const lt_sphere_field *field, lt_dvec3 p);
/* About the signed distance, by grids only; without any, distance. */
double lt_sphere_field_value(const lt_sphere_field *field, lt_dvec3 p);
/* To the nearest triangle of `tree`, exact; `most` that is not below it makes it quicker. */
double lt_sphere_field_distance(const lt_triangle_tree *tree, lt_dvec3 p, double most);
static inline double lt_sphere_guess_size(lt_sphere_guess guess) {
    return lt_max_d(-guess.least, guess.most);
}
/* By winding number, unless the grid can tell; `distance` is no more than that to the surface, 0 where unknown. */
bool lt_sphere_field_is_inside(const lt_sphere_field *field, lt_dvec3 p, double distance);

/* ---- progress ---- */

lt_status lt_sphere_report(const lt_sphere_options *options, const char *stage, double share,
                           lt_error *error);

/* ---- proposals ---- */

/* Spheres (an lt_array of lt_rest_sphere, breadth first) with centre, radius, error, parent, children and level
 * set; `error` is a guess that decides who gets a piece which several spheres hold. */
lt_status lt_sphere_propose_octree(lt_array *spheres, const lt_surface *surface,
                                   const lt_sphere_options *options, lt_error *error);

lt_status lt_sphere_propose_medial(lt_array *spheres, const lt_sphere_field *field,
                                   const lt_sphere_options *options, lt_error *error);

/* ---- covering ---- */

/* `keeps_radii`: they may grow, but do not shrink to what the spheres own. On failure *out is as it was. */
lt_status lt_sphere_cover(lt_rest_tree *out, const lt_surface *surface, const lt_rest_sphere *spheres,
                          uint32_t sphere_count, bool keeps_radii, const lt_sphere_options *options,
                          lt_error *error);
/* Moves the spheres of a covered tree to where they stand off least and covers anew, a few times; no sphere gets
 * larger errors by it. */
lt_status lt_sphere_refine(lt_rest_tree *tree, const lt_sphere_field *field, const lt_sphere_options *options,
                           lt_error *error);

/* ---- errors ---- */

/* The largest distance to the surface over those of 642 points on the sphere that are outside: what is in print. */
double lt_sphere_sampled_error(const lt_sphere_field *field, lt_dvec3 center, double radius);
/* Errors of all spheres of a covered tree, over all outside points of their balls: to the whole surface, and to the
 * pieces they own. Never too small, and too large by at most the tolerance, or somewhat more where a ball hugs the surface
 * all around. */
lt_status lt_sphere_fill_errors(lt_rest_tree *tree, const lt_sphere_field *field,
                                const lt_sphere_options *options, lt_error *error);

#endif
