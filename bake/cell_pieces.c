/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/cell_pieces.h"

enum {
    LABELS = 255,
    BLOCK = LT_CELL_PIECES_RESOLUTION * LT_CELL_PIECES_RESOLUTION * LT_CELL_PIECES_RESOLUTION
};

/* The voxels of a cell: voxel (x, y, z) of it is at first + x + y strides[1] + z strides[2]. */
typedef struct block {
    size_t first, strides[3];
} block;

static block block_at(const lt_cell_pieces *p, const uint32_t cell[3]) {
    const lt_voxels *v = p->voxels;
    uint32_t at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = cell[axis] * p->resolution + LT_CELL_GRID_RIM;
    return (block){lt_voxel_at(v, at[0], at[1], at[2]),
                   {1, v->counts[0], (size_t)v->counts[0] * v->counts[1]}};
}

static uint32_t cell_number(const lt_cell_grid *grid, const uint32_t cell[3]) {
    return lt_cell_grid_index(grid, lt_cell_place(cell[0], cell[1], cell[2]));
}

/* ---- components ---- */

typedef struct flood_stack {
    uint8_t places[BLOCK][3];
    uint32_t depth;
} flood_stack;

static void claim(lt_cell_pieces *p, const block *b, flood_stack *stack, const uint32_t at[3],
                  uint8_t label) {
    size_t voxel = b->first + at[0] * b->strides[0] + at[1] * b->strides[1] + at[2] * b->strides[2];
    if (p->labels[voxel] || !lt_voxel_is_solid(p->voxels->classes[voxel])) return;
    p->labels[voxel] = label;
    uint32_t piece = p->count - 1;
    bool is_inside = p->voxels->classes[voxel] == LT_VOXEL_INSIDE;
    ((uint32_t *)p->halves.items)[piece] += is_inside ? 2 : 1;
    ((uint32_t *)p->insides.items)[piece] += is_inside;
    for (int axis = 0; axis < 3; axis++)
        stack->places[stack->depth][axis] = (uint8_t)at[axis];
    stack->depth++;
}

static void flood(lt_cell_pieces *p, const block *b, flood_stack *stack, const uint32_t from[3],
                  uint8_t label) {
    stack->depth = 0;
    claim(p, b, stack, from, label);
    while (stack->depth > 0) {
        const uint8_t *top = stack->places[--stack->depth];
        const uint32_t at[3] = {top[0], top[1], top[2]};
        for (int axis = 0; axis < 3; axis++)
            for (int side = 0; side < 2; side++) {
                uint32_t next[3] = {at[0], at[1], at[2]};
                next[axis] += side ? 1u : UINT32_MAX;
                if (next[axis] < p->resolution) claim(p, b, stack, next, label);
            }
    }
}

/* A cell of more pieces than labels is a sponge: the rest are one. */
static bool label_cell(lt_cell_pieces *p, flood_stack *stack, const uint32_t cell[3]) {
    block b = block_at(p, cell);
    uint32_t n = p->resolution, label = 0, at[3];
    p->begins[cell_number(p->grid, cell)] = p->count;
    for (at[2] = 0; at[2] < n; at[2]++)
        for (at[1] = 0; at[1] < n; at[1]++)
            for (at[0] = 0; at[0] < n; at[0]++) {
                size_t voxel = b.first + at[0] + at[1] * b.strides[1] + at[2] * b.strides[2];
                if (p->labels[voxel] || !lt_voxel_is_solid(p->voxels->classes[voxel])) continue;
                if (label < LABELS) {
                    if (!lt_array_grow(&p->halves, 1) || !lt_array_grow(&p->insides, 1)) return false;
                    label++;
                    p->count++;
                }
                flood(p, &b, stack, at, (uint8_t)label);
            }
    return true;
}

static bool label_cells(lt_cell_pieces *p, flood_stack *stack) {
    uint32_t cell[3];
    for (cell[2] = 0; cell[2] < p->grid->counts[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < p->grid->counts[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < p->grid->counts[0]; cell[0]++)
                if (!label_cell(p, stack, cell)) return false;
    p->begins[lt_cell_grid_count(p->grid)] = p->count;
    return true;
}

lt_status lt_cell_pieces_build(lt_cell_pieces *out, const lt_cell_grid *grid, const lt_voxels *voxels,
                               uint32_t resolution, const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(resolution >= 1 && resolution <= LT_CELL_PIECES_RESOLUTION);
    *out = (lt_cell_pieces){.grid = grid, .voxels = voxels, .resolution = resolution};
    out->allocator = allocator ? *allocator : lt_allocator_default();
    const lt_allocator *a = &out->allocator;
    out->halves = LT_ARRAY_OF(a, uint32_t);
    out->insides = LT_ARRAY_OF(a, uint32_t);
    out->labels = LT_NEW(a, voxels->count, uint8_t);
    out->begins = LT_NEW(a, (size_t)lt_cell_grid_count(grid) + 1, uint32_t);
    flood_stack *stack = LT_NEW(a, 1, flood_stack);
    bool ok = out->labels && out->begins && stack && label_cells(out, stack);
    LT_DELETE(a, stack, 1, flood_stack);
    if (ok) return LT_OK;
    lt_cell_pieces_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory while telling the pieces of %u cells apart",
                   lt_cell_grid_count(grid));
}

void lt_cell_pieces_free(lt_cell_pieces *pieces) {
    if (!pieces->grid) return;
    LT_DELETE(&pieces->allocator, pieces->labels, pieces->voxels->count, uint8_t);
    LT_DELETE(&pieces->allocator, pieces->begins, (size_t)lt_cell_grid_count(pieces->grid) + 1, uint32_t);
    lt_array_free(&pieces->halves);
    lt_array_free(&pieces->insides);
    *pieces = (lt_cell_pieces){0};
}

/* ---- asking ---- */

uint32_t lt_cell_pieces_at(const lt_cell_pieces *pieces, uint32_t place, lt_dvec3 point) {
    uint32_t cell[3];
    size_t voxel = 0;
    double last = pieces->resolution - 1.0;
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = lt_cell_place_along(place, axis);
    block b = block_at(pieces, cell);
    for (int axis = 0; axis < 3; axis++) {
        double from = lt_d3_get(point, axis) - lt_cell_grid_plane(pieces->grid, axis, cell[axis]);
        double at = floor(from / pieces->voxels->size);
        voxel += (size_t)lt_max_d(0, lt_min_d(at, last)) * b.strides[axis];
    }
    uint8_t label = pieces->labels[b.first + voxel];
    return label ? pieces->begins[cell_number(pieces->grid, cell)] + label - 1 : LT_NONE;
}

/* The pairs across the face between a cell and the one up an axis. */
static void each_pair_of(const lt_cell_pieces *p, const uint32_t cell[3], int axis,
                         lt_cell_pieces_function *function, void *context) {
    uint32_t n = p->resolution, next[3] = {cell[0], cell[1], cell[2]};
    next[axis]++;
    if (next[axis] == p->grid->counts[axis]) return;
    block b = block_at(p, cell);
    uint32_t begin = p->begins[cell_number(p->grid, cell)], above = p->begins[cell_number(p->grid, next)];
    size_t stride = b.strides[axis], u = b.strides[(axis + 1) % 3], v = b.strides[(axis + 2) % 3];
    const uint8_t *face = p->labels + b.first + (n - 1) * stride;
    uint32_t last = 0; /* pairs come in runs */
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint8_t *label = face + i * u + j * v;
            uint32_t pair = label[0] * 256u + label[stride];
            if (!label[0] || !label[stride] || pair == last) continue;
            function(context, begin + label[0] - 1u, above + label[stride] - 1u, axis);
            last = pair;
        }
}

void lt_cell_pieces_each_pair(const lt_cell_pieces *pieces, lt_cell_pieces_function *function,
                              void *context) {
    uint32_t cell[3];
    for (cell[2] = 0; cell[2] < pieces->grid->counts[2]; cell[2]++)
        for (cell[1] = 0; cell[1] < pieces->grid->counts[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < pieces->grid->counts[0]; cell[0]++)
                for (int axis = 0; axis < 3; axis++)
                    each_pair_of(pieces, cell, axis, function, context);
}
