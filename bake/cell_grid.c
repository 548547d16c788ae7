/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/cell_grid.h"

#include <math.h>

uint32_t lt_cell_grid_level(const lt_cell_grid *grid, int axis, float coordinate) {
    double x = (double)coordinate, last = grid->counts[axis];
    double at = floor((x - lt_d3_get(grid->origin, axis)) / grid->size);
    uint32_t k = (uint32_t)lt_max_d(0, lt_min_d(at, last));
    /* The quotient is rounded, the planes are not. */
    while (k > 0 && x < lt_cell_grid_plane(grid, axis, k))
        k--;
    while (k < grid->counts[axis] && x >= lt_cell_grid_plane(grid, axis, k + 1))
        k++;
    return x == lt_cell_grid_plane(grid, axis, k) ? 2 * k : 2 * k + 1;
}

lt_voxels lt_cell_grid_voxels(const lt_cell_grid *grid, uint32_t resolution) {
    double size = grid->size / resolution, rim = LT_CELL_GRID_RIM * size;
    lt_voxels voxels = {.origin = lt_d3_sub(grid->origin, (lt_dvec3){rim, rim, rim}), .size = size};
    for (int axis = 0; axis < 3; axis++)
        voxels.counts[axis] = grid->counts[axis] * resolution + 2 * LT_CELL_GRID_RIM;
    return voxels;
}

/* ---- placing ---- */

/* Multiples of it below 2^24 times it are floats, and so far no coordinate goes. */
static double quantum_of(lt_box box, double size) {
    double farthest = 0;
    int exponent;
    for (int axis = 0; axis < 3; axis++)
        farthest = lt_max_d(
            farthest, lt_max_d(fabs((double)lt_v3_get(box.lo, axis)), fabs((double)lt_v3_get(box.hi, axis))));
    frexp(farthest + 4 * size, &exponent);
    return ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

/* Cells that the surface does not reach, at least, along an axis: a face of the surface that lies nearly in the
 * outermost plane would be in one cell or in two by a rounding. */
#define PADDING 0.002

/* Along one axis: how many cells, and where the first begins. */
static double place_axis(double lo, double hi, double size, double quantum, double *count) {
    double origin;
    *count = floor((hi - lo) / size + PADDING);
    do { /* at most twice: rounding down moves the grid by less than a cell */
        *count += 1;
        origin = floor((0.5 * (lo + hi) - 0.5 * *count * size) / quantum) * quantum;
    } while (!(origin <= lo && origin + *count * size >= hi));
    return origin;
}

lt_status lt_cell_grid_place(lt_cell_grid *out, lt_box box, double size, lt_error *error) {
    *out = (lt_cell_grid){0};
    if (!(size > 0 && size < 1e30))
        return lt_fail(error, LT_STATUS_INVALID, "cells of size %g cannot be made", size);
    double quantum = quantum_of(box, size), origin[3], counts[3];
    out->size = ceil(size / quantum) * quantum;
    if (out->size < 16 * quantum)
        return lt_fail(
            error, LT_STATUS_INVALID,
            "cells of size %g cannot be told apart so far from the origin: move the surface there, or "
            "make fewer, larger cells",
            size);
    for (int axis = 0; axis < 3; axis++)
        origin[axis] = place_axis((double)lt_v3_get(box.lo, axis), (double)lt_v3_get(box.hi, axis), out->size,
                                  quantum, &counts[axis]);
    double most = LT_PLACE_LIMIT;
    if (counts[0] > most || counts[1] > most || counts[2] > most ||
        counts[0] * counts[1] * counts[2] > LT_CELL_GRID_CELLS_MAX) {
        *out = (lt_cell_grid){0};
        return lt_fail(
            error, LT_STATUS_INVALID,
            "cells of size %g make a grid of %.0f x %.0f x %.0f around the surface, and at most %d along "
            "a side and %d in all can be handled: take larger cells",
            size, counts[0], counts[1], counts[2], LT_PLACE_LIMIT, LT_CELL_GRID_CELLS_MAX);
    }
    out->origin = (lt_dvec3){origin[0], origin[1], origin[2]};
    for (int axis = 0; axis < 3; axis++)
        out->counts[axis] = (uint32_t)counts[axis];
    return LT_OK;
}

/* ---- finding a size ---- */

typedef struct search {
    lt_solid *solid;
    const lt_allocator *allocator;
    lt_box box;
    uint32_t target;
    bool is_filled;
    lt_cell_grid best;
    double best_error;
} search;

static double size_of_count(const search *s, double size, double count) {
    double ratio = lt_max_d(1.0 / 64, lt_min_d(64, count / s->target));
    double root = sqrt(ratio); /* cells of a shell go with the inverse square of their size ... */
    if (!s->is_filled) return size * root;
    return size * sqrt(root) * sqrt(sqrt(root)); /* ... of a solid nearly with the cube: ratio^(3/8) */
}

/* Every cell is a voxel. */
static lt_status count_cells(search *s, double size, double *count, lt_error *error) {
    lt_cell_grid grid;
    lt_status status = lt_cell_grid_place(&grid, s->box, size, error);
    if (status != LT_OK) return status;
    lt_voxels voxels = lt_cell_grid_voxels(&grid, 1);
    status = lt_voxels_build(&voxels, s->solid, false, s->allocator, error);
    if (status != LT_OK) return status;
    *count = 0;
    for (size_t i = 0; i < voxels.count; i++)
        *count +=
            voxels.classes[i] == LT_VOXEL_TOUCHED || (s->is_filled && voxels.classes[i] == LT_VOXEL_INSIDE);
    lt_voxels_free(&voxels);
    double off = fabs(*count / s->target - 1);
    if (off < s->best_error) {
        s->best_error = off;
        s->best = grid;
    }
    return LT_OK;
}

lt_status lt_cell_grid_find(lt_cell_grid *out, lt_solid *solid, uint32_t target, bool is_filled,
                            const lt_allocator *allocator, lt_error *error) {
    enum { ROUNDS = 10, STEPS = 30 };
    search s = {.solid = solid, .allocator = allocator, .target = target, .is_filled = is_filled};
    s.box = lt_surface_box(solid->given);
    s.best_error = INFINITY;
    *out = (lt_cell_grid){0};
    lt_vec3 extent = lt_v3_sub(s.box.hi, s.box.lo);
    double size = 1.01 * (double)lt_max_f(extent.x, lt_max_f(extent.y, extent.z)), count = 0;
    lt_status status = LT_OK;
    for (int i = 0; i < ROUNDS && s.best_error > 0.01 && status == LT_OK; i++) {
        status = count_cells(&s, size, &count, error);
        size = size_of_count(&s, size, count);
    }
    /* Few cells come in jumps: sizes around the best are tried one by one. */
    double middle = s.best.size;
    for (int i = 1; i <= STEPS && s.best_error > 0.05 && status == LT_OK; i++)
        status = count_cells(&s, middle * (1 + 0.0125 * (i % 2 ? i : -i)), &count, error);
    if (status == LT_STATUS_MEMORY || s.best.size == 0) return status;
    *out = s.best; /* a size that was refused for too many cells only ends the search */
    return LT_OK;
}
