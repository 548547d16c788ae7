/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/cell_bounds.h"

#include <math.h>

/* Normals whose sum is shorter than this share of the area cancel. */
#define CANCEL 0.25

/* ---- boxes ---- */

static void add_to_box(float box[6], const lt_cells *c, uint32_t cell, lt_vec3 p) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t place = lt_cell_place_along(c->mesh.places[cell], axis);
        double at = ((double)lt_v3_get(p, axis) - lt_cell_grid_plane(&c->grid, axis, place)) / c->grid.size;
        float lo = (float)at, hi = (float)at;
        if ((double)lo > at) lo = nextafterf(lo, 0);
        if ((double)hi < at) hi = nextafterf(hi, 1);
        box[axis] = lt_min_f(box[axis], lo);
        box[3 + axis] = lt_max_f(box[3 + axis], hi);
    }
}

/* To the least width, around the middle, within the cell. */
static void widen(float box[6]) {
    for (int axis = 0; axis < 3; axis++) {
        float lo = box[axis], hi = box[3 + axis], missing = LT_CELL_BOX_LEAST - (hi - lo);
        if (!(missing > 0)) continue;
        lo = lt_max_f(0, lo - 0.5001f * missing);
        hi = lt_min_f(1, hi + 0.5001f * missing);
        if (hi - lo < LT_CELL_BOX_LEAST && lo == 0) hi = 1.0001f * LT_CELL_BOX_LEAST;
        if (hi - lo < LT_CELL_BOX_LEAST && hi == 1) lo = 1 - 1.0001f * LT_CELL_BOX_LEAST;
        box[axis] = lo;
        box[3 + axis] = hi;
    }
}

static void compute_boxes(lt_cells *c) {
    for (size_t i = 0; i < 6 * (size_t)c->mesh.cell_count; i++)
        c->boxes[i] = i % 6 < 3 ? 1.0f : 0.0f;
    for (uint32_t t = 0; t < c->surface.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            add_to_box(c->boxes + 6 * (size_t)c->triangle_cells[t], c, c->triangle_cells[t],
                       c->surface.positions[lt_triangle_at(&c->surface, t)[k]]);
    for (uint32_t cell = 0; cell < c->mesh.cell_count; cell++)
        if (c->boxes[6 * (size_t)cell] <= c->boxes[6 * (size_t)cell + 3]) widen(c->boxes + 6 * (size_t)cell);
}

/* ---- masks ---- */

typedef struct facing {
    lt_dvec3 normal; /* sum of areas times normals */
    double area;     /* sum of areas */
} facing;

static void sum_facings(facing *facings, const lt_cells *c) {
    for (uint32_t t = 0; t < c->surface.triangle_count; t++) {
        lt_dvec3 p[3];
        lt_triangle_corners(&c->surface, t, p);
        lt_dvec3 normal = lt_d3_cross(lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0]));
        facing *f = &facings[c->triangle_cells[t]];
        f->normal = lt_d3_add(f->normal, normal);
        f->area += lt_d3_length(normal);
    }
}

static uint8_t faces_of_normal(lt_dvec3 normal) {
    lt_dvec3 n = lt_d3_normalize_or(normal, (lt_dvec3){0, 0, 0});
    double largest = lt_max_d(fabs(n.x), lt_max_d(fabs(n.y), fabs(n.z)));
    uint8_t mask = 0;
    for (int axis = 0; axis < 3; axis++) {
        double part = lt_d3_get(n, axis);
        if (part != 0 && (fabs(part) > 0.5 || fabs(part) == largest))
            mask |= (uint8_t)(1 << (2 * axis + (part > 0)));
    }
    return mask;
}

/* Which cells there are at each place: those of place p of the grid are items[begins[p] ... begins[p + 1] - 1]. */
typedef struct occupants {
    uint32_t *begins; /* [cells of the grid + 2] */
    uint32_t *items;  /* [cell_count] */
} occupants;

static void list_occupants(occupants *o, const lt_cells *c) {
    uint32_t grid_cells = lt_cell_grid_count(&c->grid), *ends = o->begins + 1; /* once the rows are filled */
    for (uint32_t cell = 0; cell < c->mesh.cell_count; cell++)
        ends[lt_cell_grid_index(&c->grid, c->mesh.places[cell]) + 1]++;
    for (uint32_t i = 0; i < grid_cells; i++)
        ends[i + 1] += ends[i];
    for (uint32_t cell = 0; cell < c->mesh.cell_count; cell++)
        o->items[ends[lt_cell_grid_index(&c->grid, c->mesh.places[cell])]++] = cell;
}

/* Does a cell at the place beside share the four corners of the face between them? */
static bool has_neighbour(const lt_cells *c, const occupants *o, uint32_t cell, int axis, uint32_t side) {
    uint32_t at[3], bit = 1u << axis;
    for (int k = 0; k < 3; k++)
        at[k] = lt_cell_place_along(c->mesh.places[cell], k);
    at[axis] += side ? 1u : UINT32_MAX;
    if (at[axis] >= c->grid.counts[axis]) return false;
    uint32_t index = lt_cell_grid_index(&c->grid, lt_cell_place(at[0], at[1], at[2]));
    for (uint32_t i = o->begins[index]; i < o->begins[index + 1]; i++) {
        uint32_t shared = 0;
        for (uint32_t corner = 0; corner < 8; corner++)
            if ((corner >> axis & 1) == side)
                shared +=
                    lt_cell_at(&c->mesh, cell)[corner] == lt_cell_at(&c->mesh, o->items[i])[corner ^ bit];
        if (shared == 4) return true;
    }
    return false;
}

static uint8_t open_faces(const lt_cells *c, const occupants *o, uint32_t cell) {
    uint8_t mask = 0;
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t side = 0; side < 2; side++)
            if (!has_neighbour(c, o, cell, axis, side)) mask |= (uint8_t)(1u << (2 * axis + (int)side));
    return mask;
}

static void compute_masks(lt_cells *c, const facing *facings, const occupants *o, bool is_filled) {
    enum { ALL = 63 };
    for (uint32_t cell = 0; cell < c->mesh.cell_count; cell++) {
        const facing *f = &facings[cell];
        bool is_empty = c->boxes[6 * (size_t)cell] > c->boxes[6 * (size_t)cell + 3];
        bool is_solid = is_filled || !(lt_d3_length(f->normal) > CANCEL * f->area);
        uint8_t mask = is_solid ? open_faces(c, o, cell) : faces_of_normal(f->normal);
        c->masks[cell] = is_empty ? 0 : mask ? mask : ALL;
    }
}

lt_status lt_cell_bounds_compute(lt_cells *cells, bool is_filled, lt_error *error) {
    const lt_allocator *a = &cells->allocator;
    uint32_t count = cells->mesh.cell_count, grid_cells = lt_cell_grid_count(&cells->grid);
    facing *facings = LT_NEW(a, count, facing);
    occupants o = {LT_NEW(a, (size_t)grid_cells + 2, uint32_t), LT_NEW(a, count, uint32_t)};
    cells->boxes = LT_NEW(a, 6 * (size_t)count, float);
    cells->masks = LT_NEW(a, count, uint8_t);
    bool ok = facings && o.begins && o.items && cells->boxes && cells->masks;
    if (ok) {
        compute_boxes(cells);
        sum_facings(facings, cells);
        list_occupants(&o, cells);
        compute_masks(cells, facings, &o, is_filled);
    }
    LT_DELETE(a, facings, count, facing);
    LT_DELETE(a, o.begins, (size_t)grid_cells + 2, uint32_t);
    LT_DELETE(a, o.items, count, uint32_t);
    return ok ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "no memory for the boxes of %u cells", count);
}
