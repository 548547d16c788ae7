/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Trees and grid of a surface. The grid only guesses: it saves most exact questions, and none of the answers depends
 * on it. A distance changes by no more than the way walked: what is known at the nodes bounds it everywhere. */

#include "bake/sphere_internal.h"

#include "bake/icosahedral.h"

#define WINDING_ACCURACY 2.0
#define COARSEST_GRID    8u
#define NODES_OFF        0.12 /* of a cell: by how much values at nodes may be off (mesh/distance_grid.h) */
#define WIDE_CELLS       40u
#define OPEN_WORK        6e7 /* nodes times open edges: about a second */

/* The most nodes a grid may have with so many open edges: each takes the solid angle of each. */
static double most_nodes(uint32_t open_edge_count) {
    return open_edge_count == 0 ? 1e9 : OPEN_WORK / open_edge_count;
}

/* A coarse grid tells how many open edges there are; where they allow, a fine one takes its place. */
static lt_status build_grid(lt_sphere_field *field, uint32_t cells, lt_error *error) {
    lt_distance_grid_options options = {.cells = COARSEST_GRID, .padding = 2};
    lt_status status =
        lt_distance_grid_build(field->surface, &options, &field->allocator, &field->grid, error);
    if (status == LT_STATUS_INVALID) return LT_OK; /* even that is too much: do without */
    if (status != LT_OK) return status;
    field->is_open = field->grid.header.open_edge_count > 0;
    double nodes = (double)lt_distance_grid_value_count(&field->grid.header);
    double allowed = most_nodes(field->grid.header.open_edge_count);
    for (uint32_t finer = COARSEST_GRID; finer < cells && 1.2 * nodes < allowed; finer++) {
        double step = (finer + 5.0) / (finer + 4.0);
        nodes *= step * step * step;
        options.cells = finer + 1;
    }
    if (options.cells > COARSEST_GRID) {
        lt_distance_grid_free(&field->grid);
        status = lt_distance_grid_build(field->surface, &options, &field->allocator, &field->grid, error);
    }
    lt_distance_grid_options wide = {.cells = lt_min_u32(WIDE_CELLS, options.cells / 3)};
    wide.padding = 2 + wide.cells * 2 / 5;
    if (status == LT_OK)
        status = lt_distance_grid_build(field->surface, &wide, &field->allocator, &field->wide, error);
    if (status == LT_OK) {
        field->cell = field->grid.header.cell_size;
        field->cells_per_metre = 1 / field->cell;
    }
    field->slack = NODES_OFF * field->cell;
    return status;
}

static lt_status fill_directions(lt_dvec3 *directions, uint32_t count, uint32_t subdivisions,
                                 const lt_allocator *allocator, lt_error *error) {
    lt_surface sphere;
    lt_status status = lt_generate_icosphere(&sphere, 1.0, subdivisions, allocator, error);
    if (status != LT_OK) return status;
    LT_ASSERT(sphere.vertex_count == count);
    for (uint32_t i = 0; i < count; i++)
        directions[i] = lt_d3_normalize_or(lt_d3_from_v3(sphere.positions[i]), (lt_dvec3){0, 0, 1});
    lt_surface_free(&sphere);
    return LT_OK;
}

lt_status lt_sphere_field_build(lt_sphere_field *out, const lt_surface *surface, uint32_t cells,
                                const lt_sphere_pace *pace, const lt_allocator *allocator, lt_error *error) {
    *out = (lt_sphere_field){.surface = surface, .pace = pace, .allocator = *allocator, .is_open = true};
    lt_box box = lt_surface_box(surface);
    lt_dvec3 size = lt_d3_sub(lt_d3_from_v3(box.hi), lt_d3_from_v3(box.lo));
    out->extent = lt_max_d(size.x, lt_max_d(size.y, size.z));
    lt_status status = fill_directions(out->directions, LT_SPHERE_DIRECTIONS, 3, allocator, error);
    if (status == LT_OK)
        status = fill_directions(out->few_directions, LT_SPHERE_FEW_DIRECTIONS, 2, allocator, error);
    if (status == LT_OK) status = lt_triangle_tree_build(&out->tree, surface, allocator, error);
    if (status == LT_OK) status = lt_winding_tree_build(&out->winding, &out->tree, allocator, error);
    if (status == LT_OK) status = build_grid(out, cells, error);
    if (status != LT_OK) lt_sphere_field_free(out);
    return status;
}

void lt_sphere_field_free(lt_sphere_field *field) {
    lt_distance_grid_free(&field->grid);
    lt_distance_grid_free(&field->wide);
    lt_winding_tree_free(&field->winding);
    lt_triangle_tree_free(&field->tree);
    *field = (lt_sphere_field){0};
}

/* The point of the grid's box nearest to p. */
static lt_dvec3 nearest_in_grid(const lt_distance_grid_header *header, lt_dvec3 p) {
    lt_dvec3 lo = {header->origin[0], header->origin[1], header->origin[2]};
    lt_dvec3 counts = {header->size[0] - 1.0, header->size[1] - 1.0, header->size[2] - 1.0};
    return lt_d3_max(lo, lt_d3_min(p, lt_d3_mad(lo, counts, header->cell_size)));
}

/* The lowest node of the cell that holds p, a point of the grid. */
static size_t cell_of(const lt_distance_grid_header *header, lt_dvec3 p, lt_dvec3 *corner) {
    double cell[3];
    lt_dvec3 lo = {header->origin[0], header->origin[1], header->origin[2]}, at = lt_d3_sub(p, lo);
    for (int axis = 0; axis < 3; axis++) {
        double last = header->size[axis] - 2.0;
        cell[axis] = lt_max_d(0, lt_min_d(last, floor(lt_d3_get(at, axis) / header->cell_size)));
    }
    *corner = lt_d3_mad(lo, lt_d3_make(cell[0], cell[1], cell[2]), header->cell_size);
    return ((size_t)cell[2] * header->size[1] + (size_t)cell[1]) * header->size[0] + (size_t)cell[0];
}

/* The nodes of the cell around p (or nearest to it). */
typedef struct nearby {
    double values[8], ways[8]; /* there, and from there to p */
} nearby;

static nearby nodes_near(const lt_sphere_field *field, lt_dvec3 p) {
    const lt_distance_grid_header *header = &field->grid.header;
    nearby n;
    lt_dvec3 lowest;
    size_t first = cell_of(header, nearest_in_grid(header, p), &lowest), row = header->size[0];
    lt_dvec3 from_low = lt_d3_sub(p, lowest),
             from_high = lt_d3_sub(from_low, lt_d3_make(field->cell, field->cell, field->cell));
    for (int corner = 0; corner < 8; corner++) {
        lt_dvec3 away = {corner & 1 ? from_high.x : from_low.x, corner & 2 ? from_high.y : from_low.y,
                         corner & 4 ? from_high.z : from_low.z};
        size_t index =
            first + (corner & 1) + (corner & 2 ? row : 0) + (corner & 4 ? row * header->size[1] : 0);
        n.values[corner] = field->grid.values[index];
        n.ways[corner] = lt_d3_length(away);
    }
    return n;
}

/* From each node a point is as far as it is away from that node. */
lt_sphere_guess lt_sphere_field_guess(const lt_sphere_field *field, lt_dvec3 p) {
    lt_sphere_guess guess = {-INFINITY, INFINITY};
    /* Where an open surface ends, the sign jumps far from it. */
    if (field->is_open) return guess;
    nearby n = nodes_near(field, p);
    for (int corner = 0; corner < 8; corner++) {
        guess.least = lt_max_d(guess.least, n.values[corner] - n.ways[corner]);
        guess.most = lt_min_d(guess.most, n.values[corner] + n.ways[corner]);
    }
    guess.least -= field->slack;
    guess.most += field->slack;
    return guess;
}

/* Trilinear in a cell: `at` is in cells from its lowest node. */
static double blend(const float *lowest, size_t row, size_t layer, lt_dvec3 at) {
    double x[4];
    for (int k = 0; k < 4; k++) {
        const float *v = lowest + (k & 1 ? row : 0) + (k & 2 ? layer : 0);
        x[k] = v[0] + at.x * ((double)v[1] - v[0]);
    }
    double y0 = x[0] + at.y * (x[1] - x[0]), y1 = x[2] + at.y * (x[3] - x[2]);
    return y0 + at.z * (y1 - y0);
}

/* Asked some ten million times a tree: the common case is here, without what lt_distance_grid_sample has to look after. */
double lt_sphere_field_value(const lt_sphere_field *field, lt_dvec3 p) {
    if (!field->grid.values) return lt_sphere_field_distance(&field->tree, p, INFINITY);
    const lt_distance_grid_header *header = &field->grid.header;
    lt_dvec3 lo = {header->origin[0], header->origin[1], header->origin[2]};
    lt_dvec3 at = lt_d3_scale(lt_d3_sub(p, lo), field->cells_per_metre);
    bool is_near = at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < header->size[0] - 1.0 &&
                   at.y < header->size[1] - 1.0 && at.z < header->size[2] - 1.0;
    if (is_near) {
        uint32_t i = (uint32_t)at.x, j = (uint32_t)at.y, k = (uint32_t)at.z;
        size_t row = header->size[0], layer = row * header->size[1];
        return blend(field->grid.values + k * layer + j * row + i, row, layer,
                     lt_d3_sub(at, lt_d3_make(i, j, k)));
    }
    float value;
    lt_distance_grid_sample(&field->wide, lt_v3_from_d3(p), &value, NULL);
    return value;
}

double lt_sphere_field_distance(const lt_triangle_tree *tree, lt_dvec3 p, double most) {
    uint32_t triangle;
    lt_closest_point closest;
    if (!lt_triangle_tree_closest(tree, p, most, &triangle, &closest) &&
        !lt_triangle_tree_closest(tree, p, INFINITY, &triangle, &closest))
        return INFINITY;
    return sqrt(closest.distance_squared);
}

/* A way that is shorter than the distances at both its ends together does not cross the surface. */
bool lt_sphere_field_is_inside(const lt_sphere_field *field, lt_dvec3 p, double distance) {
    if (!field->is_open) {
        nearby n = nodes_near(field, p);
        for (int corner = 0; corner < 8; corner++)
            if (fabs(n.values[corner]) - field->slack + distance > n.ways[corner] * (1 + 1e-9))
                return n.values[corner] < 0;
    }
    return lt_winding_number_fast(&field->winding, p, WINDING_ACCURACY) > 0.5;
}
