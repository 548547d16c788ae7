/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is solid? A surface, closed or not, sorted into voxels: touched by the surface, inside, or outside.
 *
 *   1. Holes are capped by a fan around the middle of their rim. Caps are surface from here on: without them
 *      the flood would run in, and the carrier of an open mesh would shrink into its holes.
 *   2. Voxels touched by triangles are marked. Touching errs to the side of yes by a millionth of a voxel.
 *   3. Every connected region of other voxels gets one winding number, that of the surface as it was given, at
 *      the voxel nearest to the region's middle: inside is above 1/2. The region at the grid's rim is outside.
 *   4. Caps that border nothing inside (those of sheets and strips) are given up.
 *
 * Voxels only propose: which voxel is solid decides what a tet is a copy of and how full it is. That the
 * carrier contains the surface is decided by exact tests, elsewhere.
 *
 * Workload: 1e5 triangles and 3e7 voxels in well under a second; a byte a voxel. */

#ifndef LITHE_BAKE_INSIDE_H
#define LITHE_BAKE_INSIDE_H

#include "bake/winding.h"

/* A surface with its holes closed and the trees that say what is inside. */
typedef struct lt_solid {
    const lt_surface *given; /* must outlive this */
    lt_surface capped;       /* memory behind lt_solid_surface; one more vertex a cap */
    uint32_t *cap_begins;    /* [cap_count + 1] first triangle of each cap */
    uint32_t cap_count;
    lt_triangle_tree tree; /* of the given surface */
    lt_winding_tree winding;
    lt_allocator allocator;
} lt_solid;

lt_status lt_solid_build(lt_solid *out, const lt_surface *surface, const lt_allocator *allocator,
                         lt_error *error);
void lt_solid_free(lt_solid *solid);
/* The given triangles and those of the caps that are kept: a view, not to be freed. */
static inline lt_surface lt_solid_surface(const lt_solid *solid) {
    lt_surface view = solid->capped;
    view.triangle_count = solid->cap_begins[solid->cap_count];
    return view;
}

typedef enum lt_voxel_class {
    LT_VOXEL_UNKNOWN, /* only while voxels are built */
    LT_VOXEL_OUTSIDE,
    LT_VOXEL_INSIDE,
    LT_VOXEL_TOUCHED,
    LT_VOXEL_CAP /* touched by nothing but a cap; only while it is not known whether caps are kept */
} lt_voxel_class;

/* A grid with a rim that the surface does not reach. */
typedef struct lt_voxels {
    lt_dvec3 origin;
    double size; /* side of a voxel */
    uint32_t counts[3];
    size_t count;
    uint8_t *classes;      /* [count] of lt_voxel_class, x fastest */
    double solid_volume;   /* of inside voxels and a share of the touched ones; 0 when none is inside */
    double touched_volume; /* of all touched voxels: what the solid's volume is uncertain by, at most */
    uint32_t inside_region_count;     /* connected regions with a winding number above 1/2 */
    uint32_t inside_out_region_count; /* below -1/2 */
    lt_allocator allocator;
} lt_voxels;

/* Sorts out a grid whose origin, size and counts are set in *voxels; all else is filled. The first call for a
 * solid (`decides_caps`) also drops caps that border nothing inside. */
lt_status lt_voxels_build(lt_voxels *voxels, lt_solid *solid, bool decides_caps,
                          const lt_allocator *allocator, lt_error *error);
void lt_voxels_free(lt_voxels *voxels);

/* The solid of a surface and a grid of at most about `most` voxels around it, by which it is told which caps are kept.
 * Refuses surfaces that are all in a point or a line, and those of which everything is inside out. On failure both are
 * empty. */
lt_status lt_solid_find(lt_solid *solid, lt_voxels *voxels, const lt_surface *surface, double most,
                        const lt_allocator *allocator, lt_error *error);

/* By the divergence theorem where it agrees with the voxels, which it does when the surface is closed (by caps,
 * if need be) and nothing lies inside anything else; else what the voxels say. */
double lt_solid_volume(const lt_solid *solid, const lt_voxels *voxels);

static inline size_t lt_voxel_at(const lt_voxels *v, uint32_t x, uint32_t y, uint32_t z) {
    return x + v->counts[0] * (y + (size_t)v->counts[1] * z);
}
static inline bool lt_voxel_is_solid(uint8_t voxel_class) {
    return voxel_class == LT_VOXEL_INSIDE || voxel_class == LT_VOXEL_TOUCHED;
}
/* The voxel of a point; points off the grid get the nearest. */
size_t lt_voxel_of(const lt_voxels *voxels, lt_dvec3 point);

#endif
