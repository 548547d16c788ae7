/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The lattice has a rim of cells that touch nothing, so that the flood from its first cell gets everywhere
 * outside. Work: a triangle looks at the cells of its own box only, so small triangles cost a test or a
 * few. */

#include "bake/cage.h"

#include "mesh/generate.h"

#include <math.h>

typedef enum cell_state { CELL_UNKNOWN, CELL_TOUCHED, CELL_OUTSIDE } cell_state;

typedef struct lattice {
    lt_dvec3 origin;
    double cell; /* side of a cell */
    uint32_t counts[3];
    size_t cell_count;
    uint8_t *states; /* [cell_count] of cell_state */
} lattice;

static size_t cell_index(const lattice *l, uint32_t x, uint32_t y, uint32_t z) {
    return x + (size_t)l->counts[0] * (y + (size_t)l->counts[1] * z);
}

/* Do the projections of the triangle (relative to the cube's centre) on `axis` miss the cube of half side
 * h? */
static bool is_separating(const lt_dvec3 t[3], lt_dvec3 axis, double h) {
    double reach = h * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
    double a = lt_d3_dot(t[0], axis), b = lt_d3_dot(t[1], axis), c = lt_d3_dot(t[2], axis);
    return lt_min_d(a, lt_min_d(b, c)) > reach || lt_max_d(a, lt_max_d(b, c)) < -reach;
}

/* Separating axes: three of the cube, one of the triangle, nine of edge pairs. The cube is a millionth larger
 * than its cell, so that rounding errs towards touching. */
static bool triangle_touches_cube(const lt_dvec3 corners[3], lt_dvec3 center, double side) {
    static const lt_dvec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double h = 0.5 * side * (1.0 + 1e-6);
    lt_dvec3 t[3], edges[3];
    for (int i = 0; i < 3; i++)
        t[i] = lt_d3_sub(corners[i], center);
    for (int i = 0; i < 3; i++)
        edges[i] = lt_d3_sub(t[(i + 1) % 3], t[i]);
    for (int i = 0; i < 3; i++)
        if (is_separating(t, units[i], h)) return false;
    if (is_separating(t, lt_d3_cross(edges[0], edges[1]), h)) return false;
    for (int i = 0; i < 9; i++)
        if (is_separating(t, lt_d3_cross(units[i / 3], edges[i % 3]), h)) return false;
    return true;
}

static uint32_t cell_below(const lattice *l, double coordinate, int axis, double slack) {
    double place = (coordinate - lt_d3_get(l->origin, axis)) / l->cell + slack;
    return lt_min_u32(place > 0.0 ? (uint32_t)place : 0, l->counts[axis] - 1);
}

static void mark_triangle(lattice *l, const lt_dvec3 corners[3]) {
    lt_dvec3 lo = lt_d3_min(corners[0], lt_d3_min(corners[1], corners[2]));
    lt_dvec3 hi = lt_d3_max(corners[0], lt_d3_max(corners[1], corners[2]));
    uint32_t first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = cell_below(l, lt_d3_get(lo, axis), axis, -1e-6);
        last[axis] = cell_below(l, lt_d3_get(hi, axis), axis, 1e-6);
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++)
            for (uint32_t x = first[0]; x <= last[0]; x++) {
                lt_dvec3 middle = lt_d3_mad(l->origin, lt_d3_make(x + 0.5, y + 0.5, z + 0.5), l->cell);
                if (triangle_touches_cube(corners, middle, l->cell))
                    l->states[cell_index(l, x, y, z)] = CELL_TOUCHED;
            }
}

/* Spreads `CELL_OUTSIDE` from the first cell through faces, with a stack that holds every cell at most
 * once. */
static bool flood_outside(lattice *l, const lt_allocator *allocator) {
    size_t *stack = LT_NEW(allocator, l->cell_count, size_t), depth = 0;
    if (!stack) return false;
    size_t strides[3] = {1, l->counts[0], (size_t)l->counts[0] * l->counts[1]};
    l->states[0] = CELL_OUTSIDE;
    stack[depth++] = 0;
    while (depth > 0) {
        size_t cell = stack[--depth];
        for (int axis = 0; axis < 3; axis++) {
            size_t place = cell / strides[axis] % l->counts[axis];
            size_t next[2] = {place > 0 ? cell - strides[axis] : cell,
                              place + 1 < l->counts[axis] ? cell + strides[axis] : cell};
            for (int side = 0; side < 2; side++)
                if (l->states[next[side]] == CELL_UNKNOWN) {
                    l->states[next[side]] = CELL_OUTSIDE;
                    stack[depth++] = next[side];
                }
        }
    }
    LT_DELETE(allocator, stack, l->cell_count, size_t);
    return true;
}

/* The kept cells of `block` (five tets a cell, in the order of cells), without the nodes they do not use. */
static lt_status take_kept(lt_tet_mesh *out, const lattice *l, const lt_tet_mesh *block,
                           const lt_allocator *allocator, lt_error *error) {
    uint32_t *numbers = LT_NEW(allocator, block->node_count, uint32_t);
    if (!numbers) return lt_fail(error, LT_STATUS_MEMORY, "cage: out of memory");
    uint32_t tet_count = 0, node_count = 0;
    for (size_t c = 0; c < l->cell_count; c++)
        if (l->states[c] != CELL_OUTSIDE) {
            for (size_t i = 20 * c; i < 20 * c + 20; i++)
                numbers[block->tets[i]] = 1;
            tet_count += 5;
        }
    for (uint32_t n = 0; n < block->node_count; n++)
        numbers[n] = numbers[n] ? node_count++ : LT_NONE;
    lt_status status = lt_tet_mesh_allocate(out, node_count, tet_count, allocator, error);
    if (status == LT_OK) {
        for (uint32_t n = 0; n < block->node_count; n++)
            if (numbers[n] != LT_NONE) out->positions[numbers[n]] = lt_d3_add(block->positions[n], l->origin);
        uint32_t *corner = out->tets;
        for (size_t c = 0; c < l->cell_count; c++)
            for (size_t i = 20 * c; i < 20 * c + 20 && l->states[c] != CELL_OUTSIDE; i++)
                *corner++ = numbers[block->tets[i]];
    }
    LT_DELETE(allocator, numbers, block->node_count, uint32_t);
    return status;
}

/* A cell is a hair wider than its share of the longest side, so that no vertex lies on the last wall. */
static void place_lattice(lattice *l, lt_box box, uint32_t cells) {
    lt_dvec3 size = lt_d3_from_v3(lt_v3_sub(box.hi, box.lo));
    l->cell = lt_max_d(size.x, lt_max_d(size.y, size.z)) * (1.0 + 1e-4) / cells;
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(lt_d3_from_v3(box.lo), lt_d3_from_v3(box.hi)), 0.5);
    l->cell_count = 1;
    for (int axis = 0; axis < 3; axis++) {
        l->counts[axis] = (uint32_t)ceil(lt_d3_get(size, axis) / l->cell + 1e-5) + 2;
        l->cell_count *= l->counts[axis];
    }
    l->origin = lt_d3_mad(middle, lt_d3_make(l->counts[0], l->counts[1], l->counts[2]), -0.5 * l->cell);
}

lt_status lt_cage(const lt_surface *surface, uint32_t cells, lt_tet_mesh *out, const lt_allocator *allocator,
                  lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = lt_surface_check(surface, "cage", error);
    if (status != LT_OK) return status;
    if (cells < 1 || cells > 256)
        return lt_fail(error, LT_STATUS_INVALID, "cage: the number of cells must be 1 to 256, not %u", cells);
    lattice l = {0};
    place_lattice(&l, lt_surface_box(surface), cells);
    if (!(l.cell > 0.0)) return lt_fail(error, LT_STATUS_INVALID, "cage: the surface is a single point");
    l.states = LT_NEW(allocator, l.cell_count, uint8_t);
    if (!l.states) return lt_fail(error, LT_STATUS_MEMORY, "cage: out of memory");
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        lt_dvec3 corners[3];
        for (int i = 0; i < 3; i++)
            corners[i] = lt_d3_from_v3(surface->positions[lt_triangle_at(surface, t)[i]]);
        mark_triangle(&l, corners);
    }
    lt_tet_mesh block = {0};
    lt_dvec3 size = lt_d3_scale(lt_d3_make(l.counts[0], l.counts[1], l.counts[2]), l.cell);
    if (!flood_outside(&l, allocator)) status = lt_fail(error, LT_STATUS_MEMORY, "cage: out of memory");
    if (status == LT_OK)
        status = lt_generate_tet_block(&block, size, l.counts, LT_TET_SPLIT_FIVE, allocator, error);
    if (status == LT_OK) status = take_kept(out, &l, &block, allocator, error);
    lt_tet_mesh_free(&block);
    LT_DELETE(allocator, l.states, l.cell_count, uint8_t);
    return status;
}
