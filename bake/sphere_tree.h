/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surface in, sphere tree out: an approximation of the medial axis, adapted on the way down, then covered exactly
 * (papers/000 §4.1; M12). The octree is the plain alternative it is measured against. */

#ifndef LITHE_BAKE_SPHERE_TREE_H
#define LITHE_BAKE_SPHERE_TREE_H

#include "bake/rest_tree.h"
#include "lithe/bake.h"
#include "mesh/mesh.h"

typedef struct lt_sphere_options {
    lt_sphere_method method;
    uint32_t branching; /* 2 to 8; default 8 */
    uint32_t depth;     /* levels below the root, 0 to 5; default 3 */
    bool layered;       /* every sphere holds its children's spheres; default: only the surface below it */
    uint32_t seed;
    lt_bake_effort effort;
    uint32_t samples; /* points of the surface by which spheres are placed, 64 to 1,000,000; 24,000 */
    uint32_t trials;  /* times the search begins anew, at the root; fewer below; 0 to 1,000; 64 */
    uint32_t cells;   /* of the distance grid along the longest side, 8 to 512; 112 */
    lt_bake_progress *progress; /* may be NULL */
    void *progress_context;
    lt_allocator allocator;
} lt_sphere_options;

lt_sphere_options lt_sphere_options_default(void);
/* The same with the samples, trials and cells of that effort. */
lt_sphere_options lt_sphere_options_for(lt_bake_effort effort);

/* The surface is clean (repaired); it may be open, then what is inside is a guess by winding number. */
lt_status lt_sphere_tree_make(lt_rest_tree *out, const lt_surface *surface, const lt_sphere_options *options,
                              lt_error *error);

/* The same from given spheres (breadth first, with centre, radius, parent, children and level): they are kept as they
 * are but for those that have to grow to cover the surface and those that own nothing of it, which are dropped with all
 * below. `method`, `depth`, `seed` and `samples` are not looked at. Refuses links that are no tree, naming the sphere. */
lt_status lt_sphere_tree_cover(lt_rest_tree *out, const lt_surface *surface, const lt_rest_sphere *spheres,
                               uint32_t sphere_count, const lt_sphere_options *options, lt_error *error);

/* What is said of a level: spheres of that level and leaves above it. */
typedef struct lt_sphere_level {
    uint32_t sphere_count;
    double mean_error, worst_error; /* m */
    double mean_own_error, worst_own_error;
    double mean_radius;
} lt_sphere_level;
lt_sphere_level lt_sphere_level_of(const lt_rest_tree *tree, uint32_t level);

/* The same by sampling, comparable with what is in print: the error of a sphere is the largest distance to the surface
 * over those of 642 points on it (vertices of an icosahedron subdivided three times) that are outside the solid. */
typedef struct lt_sphere_measure {
    uint32_t sphere_count;
    double mean_error, worst_error; /* m */
    uint32_t uncovered_count;       /* of the samples: in no sphere of the level, nor in a leaf above it */
} lt_sphere_measure;
/* Samples are spread over the surface by area. */
lt_status lt_sphere_tree_measure(lt_sphere_measure out[LT_SPHERE_LEVELS_MAX], const lt_rest_tree *tree,
                                 const lt_surface *surface, uint32_t sample_count, uint32_t seed,
                                 lt_error *error);

#endif
