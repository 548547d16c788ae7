/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two unions. First parts (pieces of solid, and the triangles of the cut surface) become units: what one cell carries.
 * Then the corners of units, 8 u + corner, become nodes. A piece of solid that is neither inside anywhere nor has a
 * triangle is a graze of the neighbour's surface, and dead. */

#include "bake/cells.h"

#include "bake/cell_bounds.h"
#include "bake/cell_pieces.h"
#include "bake/fill.h"
#include "bake/split.h"
#include "core/union_find.h"

#include <math.h>

/* Voxels of the two grids: to tell inside from outside, and to tell pieces apart. */
#define COARSE_VOXELS 1e6
#define FINE_VOXELS   3.2e7
#define COARSEST      4u
/* How often a size is chosen because of copies, and the share by which the count may be off. */
enum { ATTEMPTS = 3, BRICK = 4 };
#define TOLERANCE 0.1

/* What one cell carries. */
typedef struct cell_unit {
    uint32_t place;
    uint32_t halves; /* half voxels of solid */
    uint32_t cell;   /* LT_NONE: none is made of it */
    bool has_surface;
} cell_unit;

typedef struct work {
    /* Input */
    const lt_surface *surface;
    const lt_cells_def *def;
    const lt_allocator *allocator;
    /* State */
    lt_solid solid;
    lt_voxels coarse, fine;
    lt_cell_grid grid;
    lt_split split;
    lt_cell_pieces pieces; /* none for a sheet */
    uint32_t
        *around; /* [vertex_count][8] a triangle in each of the cells around a vertex, by slot, or LT_NONE */
    uint32_t *parts; /* [part_count] root among parts, then unit or LT_NONE: pieces first, then triangles */
    uint32_t part_count;
    cell_unit *units; /* [unit_count] */
    uint32_t unit_count;
    uint32_t *nodes;      /* [8 unit_count] root among corners, then node */
    uint32_t *row_begins; /* [cells of the grid + 2] units at each place ... */
    uint32_t *rows;       /* [unit_count] ... of those that become cells */
    uint32_t cell_count;
} work;

lt_cells_def lt_cells_def_default(void) {
    return (lt_cells_def){.target_cells = 500, .resolution = LT_CELL_PIECES_RESOLUTION};
}

static lt_status no_memory(lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory while making cells");
}

static lt_status report(const work *w, const char *stage, lt_error *error) {
    if (w->def->progress && !w->def->progress(w->def->progress_context, stage, 0))
        return lt_fail(error, LT_STATUS_CANCELLED, "cancelled while %s", stage);
    return LT_OK;
}

static lt_status check_def(const lt_cells_def *def, lt_error *error) {
    if (!(def->cell_size >= 0 && def->cell_size < 1e30))
        return lt_fail(error, LT_STATUS_INVALID, "the size of cells must be above 0, not %g", def->cell_size);
    if (def->cell_size == 0 && (def->target_cells < LT_CELLS_LEAST || def->target_cells > LT_CELLS_MOST))
        return lt_fail(
            error, LT_STATUS_INVALID,
            "the target must be %d to %d cells, not %u: a body needs some ten to bend, some hundred to "
            "bend well",
            LT_CELLS_LEAST, LT_CELLS_MOST, def->target_cells);
    if (def->resolution < COARSEST || def->resolution > LT_CELL_PIECES_RESOLUTION || def->resolution % 2 != 0)
        return lt_fail(error, LT_STATUS_INVALID, "voxels a cell must be even, %u to %d, not %u", COARSEST,
                       LT_CELL_PIECES_RESOLUTION, def->resolution);
    return LT_OK;
}

/* ---- geometry ---- */

static lt_status choose_grid(work *w, uint32_t target, lt_error *error) {
    lt_status status = report(w, "choosing the size of cells", error);
    if (status != LT_OK) return status;
    if (w->def->cell_size > 0)
        return lt_cell_grid_place(&w->grid, lt_surface_box(w->surface), w->def->cell_size, error);
    return lt_cell_grid_find(&w->grid, &w->solid, target, w->def->is_filled, w->allocator, error);
}

static uint32_t choose_resolution(const lt_cell_grid *grid, uint32_t n) {
    while (n > COARSEST && (double)lt_cell_grid_count(grid) * n * n * n > FINE_VOXELS)
        n -= 2;
    return n;
}

static lt_status find_pieces(work *w, lt_error *error) {
    uint32_t resolution = choose_resolution(&w->grid, w->def->resolution);
    w->fine = lt_cell_grid_voxels(&w->grid, resolution);
    lt_status status = lt_voxels_build(&w->fine, &w->solid, false, w->allocator, error);
    if (status != LT_OK || w->fine.inside_region_count == 0) return status;
    return lt_cell_pieces_build(&w->pieces, &w->grid, &w->fine, resolution, w->allocator, error);
}

/* ---- parts to units ---- */

/* Which of the (at most eight) cells around a vertex: bit k is set for the one up axis k of the plane it lies on. */
static uint32_t slot_of(const work *w, lt_vec3 vertex, uint32_t place) {
    uint32_t slot = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t level = lt_cell_grid_level(&w->grid, axis, lt_v3_get(vertex, axis));
        if (level % 2 == 0 && lt_cell_place_along(place, axis) == level / 2) slot |= 1u << axis;
    }
    return slot;
}

static uint32_t triangle_part(const work *w, uint32_t triangle) {
    return w->pieces.count + triangle;
}

/* Triangles of one cell that share a vertex. */
static void join_triangles(work *w) {
    const lt_surface *s = &w->split.surface;
    for (size_t i = 0; i < 8 * (size_t)s->vertex_count; i++)
        w->around[i] = LT_NONE;
    for (uint32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = lt_triangle_at(s, t)[k];
            uint32_t *first =
                w->around + 8 * (size_t)vertex + slot_of(w, s->positions[vertex], w->split.places[t]);
            if (*first == LT_NONE)
                *first = t;
            else
                lt_sets_join(w->parts, triangle_part(w, *first), triangle_part(w, t));
        }
}

static void join_triangles_to_pieces(work *w) {
    if (w->pieces.count == 0) return;
    for (uint32_t t = 0; t < w->split.surface.triangle_count; t++) {
        lt_dvec3 p[3];
        lt_triangle_corners(&w->split.surface, t, p);
        lt_dvec3 middle = lt_d3_scale(lt_d3_add(p[0], lt_d3_add(p[1], p[2])), 1.0 / 3);
        uint32_t piece = lt_cell_pieces_at(&w->pieces, w->split.places[t], middle);
        if (piece != LT_NONE) lt_sets_join(w->parts, piece, triangle_part(w, t));
    }
}

static uint32_t place_of_index(const lt_cell_grid *grid, uint32_t index) {
    return lt_cell_place(index % grid->counts[0], index / grid->counts[0] % grid->counts[1],
                         index / grid->counts[0] / grid->counts[1]);
}

/* Numbers the sets that are alive, in the order of their first part; roots come before all others of their set. */
static bool number_units(work *w) {
    const uint32_t *insides = w->pieces.insides.items;
    uint8_t *is_alive = LT_NEW(w->allocator, w->part_count, uint8_t);
    if (!is_alive) return false;
    for (uint32_t i = 0; i < w->part_count; i++)
        if (i >= w->pieces.count || insides[i] > 0) is_alive[lt_sets_find(w->parts, i)] = 1;
    for (uint32_t i = 0; i < w->part_count; i++)
        w->parts[i] = lt_sets_find(w->parts, i);
    for (uint32_t i = 0; i < w->part_count; i++) {
        uint32_t root = w->parts[i];
        w->parts[i] = root < i ? w->parts[root] : is_alive[i] ? w->unit_count++ : LT_NONE;
    }
    LT_DELETE(w->allocator, is_alive, w->part_count, uint8_t);
    w->units = LT_NEW(w->allocator, w->unit_count, cell_unit);
    return w->units != NULL;
}

static void describe_units(work *w) {
    const uint32_t *halves = w->pieces.halves.items;
    for (uint32_t index = 0; w->pieces.count > 0 && index < lt_cell_grid_count(&w->grid); index++)
        for (uint32_t i = w->pieces.begins[index]; i < w->pieces.begins[index + 1]; i++) {
            if (w->parts[i] == LT_NONE) continue;
            w->units[w->parts[i]].place = place_of_index(&w->grid, index);
            w->units[w->parts[i]].halves += halves[i];
        }
    for (uint32_t t = 0; t < w->split.surface.triangle_count; t++) {
        cell_unit *u = &w->units[w->parts[triangle_part(w, t)]];
        u->place = w->split.places[t];
        u->has_surface = true;
    }
}

static lt_status make_units(work *w, lt_error *error) {
    const lt_surface *s = &w->split.surface;
    w->part_count = w->pieces.count + s->triangle_count;
    w->parts = LT_NEW(w->allocator, w->part_count, uint32_t);
    w->around = LT_NEW(w->allocator, 8 * (size_t)s->vertex_count, uint32_t);
    if (!w->parts || !w->around) return no_memory(error);
    lt_sets_begin(w->parts, w->part_count);
    join_triangles(w);
    join_triangles_to_pieces(w);
    if (!number_units(w)) return no_memory(error);
    describe_units(w);
    return LT_OK;
}

/* ---- corners to nodes ---- */

static void join_face(void *context, uint32_t piece, uint32_t above, int axis) {
    work *w = context;
    uint32_t unit = w->parts[piece], other = w->parts[above], bit = 1u << axis;
    if (unit == LT_NONE || other == LT_NONE) return;
    for (uint32_t corner = 0; corner < 8; corner++)
        if (corner & bit) lt_sets_join(w->nodes, 8 * unit + corner, 8 * other + (corner ^ bit));
}

/* The units around a vertex share the corners of the face, edge or corner of the grid that it lies on. */
static void join_around(work *w, uint32_t vertex) {
    const uint32_t *around = w->around + 8 * (size_t)vertex;
    uint32_t on = 0, first = 0; /* axes along which the vertex lies on a plane */
    for (int axis = 0; axis < 3; axis++) {
        float at = lt_v3_get(w->split.surface.positions[vertex], axis);
        if (lt_cell_grid_level(&w->grid, axis, at) % 2 == 0) on |= 1u << axis;
    }
    while (first < 8 && around[first] == LT_NONE)
        first++;
    for (uint32_t slot = first + 1; slot < 8; slot++) {
        if (around[slot] == LT_NONE) continue;
        uint32_t unit = w->parts[triangle_part(w, around[first])];
        uint32_t other = w->parts[triangle_part(w, around[slot])];
        /* The cell up the axis has the plane at its low side: a set bit of the slot is a clear bit of the corner. */
        for (uint32_t corner = 0; corner < 8; corner++)
            if ((corner & on) == (~first & on))
                lt_sets_join(w->nodes, 8 * unit + corner, 8 * other + ((corner & ~on) | (~slot & on)));
    }
}

static lt_status join_corners(work *w, lt_error *error) {
    if (w->unit_count > UINT32_MAX / 8) return no_memory(error);
    w->nodes = LT_NEW(w->allocator, 8 * (size_t)w->unit_count, uint32_t);
    if (!w->nodes) return no_memory(error);
    lt_sets_begin(w->nodes, 8 * w->unit_count);
    if (w->pieces.count > 0) lt_cell_pieces_each_pair(&w->pieces, join_face, w);
    for (uint32_t v = 0; v < w->split.surface.vertex_count; v++)
        join_around(w, v);
    for (uint32_t i = 0; i < 8 * w->unit_count; i++)
        w->nodes[i] = lt_sets_find(w->nodes, i);
    return LT_OK;
}

/* ---- units to cells ---- */

static bool is_carried(const work *w, const cell_unit *u) {
    return u->has_surface || w->def->is_filled;
}

/* Units that become cells, by their place in the grid. */
static bool list_units(work *w) {
    uint32_t grid_cells = lt_cell_grid_count(&w->grid);
    w->row_begins = LT_NEW(w->allocator, (size_t)grid_cells + 2, uint32_t);
    w->rows = LT_NEW(w->allocator, w->unit_count, uint32_t);
    if (!w->row_begins || !w->rows) return false;
    uint32_t *ends = w->row_begins + 1; /* of each row, once it is filled */
    for (uint32_t i = 0; i < w->unit_count; i++)
        if (is_carried(w, &w->units[i])) ends[lt_cell_grid_index(&w->grid, w->units[i].place) + 1]++;
    for (uint32_t i = 0; i < grid_cells; i++)
        ends[i + 1] += ends[i];
    for (uint32_t i = 0; i < w->unit_count; i++) {
        w->units[i].cell = LT_NONE;
        if (is_carried(w, &w->units[i])) w->rows[ends[lt_cell_grid_index(&w->grid, w->units[i].place)]++] = i;
    }
    return true;
}

static bool has_same_nodes(const work *w, uint32_t unit, uint32_t other) {
    for (uint32_t corner = 0; corner < 8; corner++)
        if (w->nodes[8 * unit + corner] != w->nodes[8 * other + corner]) return false;
    return true;
}

/* The cells of one place: those that share all nodes are one. */
static void number_cells_at(work *w, uint32_t index, uint32_t *count) {
    for (uint32_t i = w->row_begins[index]; i < w->row_begins[index + 1]; i++) {
        cell_unit *u = &w->units[w->rows[i]];
        for (uint32_t j = w->row_begins[index]; j < i && u->cell == LT_NONE; j++)
            if (has_same_nodes(w, w->rows[i], w->rows[j])) u->cell = w->units[w->rows[j]].cell;
        if (u->cell == LT_NONE) u->cell = (*count)++;
    }
}

static uint32_t bricks_along(const lt_cell_grid *grid, int axis) {
    return (grid->counts[axis] + BRICK - 1) / BRICK;
}

/* Calls number_cells_at for the places of a brick. */
static void number_brick(work *w, const uint32_t brick[3], uint32_t *count) {
    for (uint32_t i = 0; i < BRICK * BRICK * BRICK; i++) {
        uint32_t x = BRICK * brick[0] + i % BRICK, y = BRICK * brick[1] + i / BRICK % BRICK;
        uint32_t z = BRICK * brick[2] + i / BRICK / BRICK;
        if (x < w->grid.counts[0] && y < w->grid.counts[1] && z < w->grid.counts[2])
            number_cells_at(w, lt_cell_grid_index(&w->grid, lt_cell_place(x, y, z)), count);
    }
}

static lt_status number_cells(work *w, lt_error *error) {
    uint32_t count = 0, brick[3];
    if (!list_units(w)) return no_memory(error);
    for (brick[2] = 0; brick[2] < bricks_along(&w->grid, 2); brick[2]++)
        for (brick[1] = 0; brick[1] < bricks_along(&w->grid, 1); brick[1]++)
            for (brick[0] = 0; brick[0] < bricks_along(&w->grid, 0); brick[0]++)
                number_brick(w, brick, &count);
    w->cell_count = count;
    return LT_OK;
}

/* How many cells there would be if pieces were glued. */
static uint32_t count_places(const work *w) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lt_cell_grid_count(&w->grid); i++)
        count += w->row_begins[i + 1] > w->row_begins[i];
    return count;
}

/* Nodes in the order in which cells name them. `numbers` [8 unit_count] are those of the roots. */
static uint32_t number_nodes(const work *w, lt_cell_mesh *mesh, uint32_t *numbers) {
    uint32_t count = 0;
    for (size_t i = 0; i < 8 * (size_t)w->unit_count; i++)
        numbers[i] = LT_NONE;
    for (size_t i = 0; i < 8 * (size_t)mesh->cell_count; i++) {
        uint32_t *number = &numbers[mesh->cells[i]];
        if (*number == LT_NONE) *number = count++;
        mesh->cells[i] = *number;
    }
    return count;
}

static void place_nodes(const work *w, lt_cell_mesh *mesh) {
    for (uint32_t cell = 0; cell < mesh->cell_count; cell++)
        for (uint32_t corner = 0; corner < 8; corner++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = lt_cell_grid_plane(
                    &w->grid, axis, lt_cell_place_along(mesh->places[cell], axis) + (corner >> axis & 1));
            mesh->positions[lt_cell_at(mesh, cell)[corner]] = (lt_dvec3){at[0], at[1], at[2]};
        }
}

static lt_status write_mesh(work *w, lt_cells *out, lt_error *error) {
    size_t corners = 8 * (size_t)w->unit_count;
    uint32_t *numbers = LT_NEW(w->allocator, corners, uint32_t);
    if (!numbers) return no_memory(error);
    /* Nodes are at most as many as corners; the array is cut to what they are. */
    lt_status status = lt_cell_mesh_allocate(&out->mesh, 0, w->cell_count, w->allocator, error);
    lt_cell_mesh *mesh = &out->mesh;
    for (uint32_t i = 0; i < w->unit_count && status == LT_OK; i++) {
        uint32_t cell = w->units[i].cell;
        if (cell == LT_NONE) continue;
        mesh->places[cell] = w->units[i].place;
        for (uint32_t corner = 0; corner < 8; corner++)
            mesh->cells[8 * (size_t)cell + corner] = w->nodes[8 * i + corner];
    }
    if (status == LT_OK) {
        uint32_t node_count = number_nodes(w, mesh, numbers);
        LT_DELETE(&mesh->allocator, mesh->positions, 0, lt_dvec3);
        mesh->positions = LT_NEW(&mesh->allocator, node_count, lt_dvec3);
        mesh->node_count = mesh->positions ? node_count : 0;
        if (!mesh->positions) status = no_memory(error);
    }
    if (status == LT_OK) place_nodes(w, mesh);
    LT_DELETE(w->allocator, numbers, corners, uint32_t);
    mesh->cell_size = w->grid.size;
    out->copy_count = w->cell_count - count_places(w);
    return status;
}

/* What is solid of each cell. A cell weighs at least LT_FILL_LEAST before all are scaled to the mass they have together:
 * of a filled lattice that of the solid. */
static void write_fill(const work *w, lt_cells *out) {
    const lt_cell_mesh *mesh = &out->mesh;
    double r = out->voxels_a_cell, whole = 2 * r * r * r, wanted = 0, sum = 0;
    for (uint32_t i = 0; i < w->unit_count; i++)
        if (w->units[i].cell != LT_NONE) mesh->fill[w->units[i].cell] += (float)w->units[i].halves;
    for (uint32_t cell = 0; cell < mesh->cell_count; cell++) {
        double share = out->is_sheet ? 1 : (double)mesh->fill[cell] / whole;
        wanted += share;
        mesh->fill[cell] = (float)lt_max_d(LT_FILL_LEAST, share);
        sum += (double)mesh->fill[cell];
    }
    if (w->def->is_filled && !out->is_sheet)
        wanted = out->solid_volume / (mesh->cell_size * mesh->cell_size * mesh->cell_size);
    for (uint32_t cell = 0; cell < mesh->cell_count; cell++)
        mesh->fill[cell] = lt_min_f(1, (float)((double)mesh->fill[cell] * (wanted / sum)));
}

static lt_status write_surface(work *w, lt_cells *out, lt_error *error) {
    out->surface = w->split.surface;
    out->parents = w->split.parents;
    w->split.surface.positions = NULL; /* its counts stay: they are the sizes of the other arrays */
    w->split.surface.triangles = NULL;
    w->split.parents = NULL;
    out->triangle_cells = LT_NEW(w->allocator, out->surface.triangle_count, uint32_t);
    out->vertex_cells = LT_NEW(w->allocator, out->surface.vertex_count, uint32_t);
    if (!out->triangle_cells || !out->vertex_cells) return no_memory(error);
    for (uint32_t t = 0; t < out->surface.triangle_count; t++)
        out->triangle_cells[t] = w->units[w->parts[triangle_part(w, t)]].cell;
    for (uint32_t v = 0; v < out->surface.vertex_count; v++) {
        out->vertex_cells[v] = LT_NONE;
        for (uint32_t slot = 8; slot-- > 0;)
            if (w->around[8 * (size_t)v + slot] != LT_NONE)
                out->vertex_cells[v] = out->triangle_cells[w->around[8 * (size_t)v + slot]];
    }
    return LT_OK;
}

/* ---- all of it ---- */

static lt_status take_result(work *w, lt_cells *out, lt_error *error) {
    out->grid = w->grid;
    out->is_sheet = w->pieces.count == 0;
    out->voxels_a_cell = w->pieces.resolution;
    out->solid_volume = out->is_sheet ? 0 : lt_solid_volume(&w->solid, &w->fine);
    lt_status status = write_mesh(w, out, error);
    if (status != LT_OK) return status;
    write_fill(w, out);
    status = write_surface(w, out, error);
    return status == LT_OK ? lt_cell_bounds_compute(out, w->def->is_filled && !out->is_sheet, error) : status;
}

/* Cells of the grid that was chosen. */
static lt_status lay_out(work *w, lt_error *error) {
    lt_status status = report(w, "cutting the surface", error);
    if (status == LT_OK) status = lt_split_build(&w->split, w->surface, &w->grid, w->allocator, error);
    if (status == LT_OK) status = report(w, "laying out cells", error);
    if (status == LT_OK) status = find_pieces(w, error);
    if (status == LT_OK) status = make_units(w, error);
    if (status == LT_OK) status = join_corners(w, error);
    return status == LT_OK ? number_cells(w, error) : status;
}

static void forget_layout(work *w) {
    const lt_allocator *a = w->allocator;
    LT_DELETE(a, w->rows, w->unit_count, uint32_t);
    LT_DELETE(a, w->row_begins, (size_t)lt_cell_grid_count(&w->grid) + 2, uint32_t);
    LT_DELETE(a, w->nodes, 8 * (size_t)w->unit_count, uint32_t);
    LT_DELETE(a, w->units, w->unit_count, cell_unit);
    LT_DELETE(a, w->parts, w->part_count, uint32_t);
    LT_DELETE(a, w->around, 8 * (size_t)w->split.surface.vertex_count, uint32_t);
    w->rows = w->row_begins = w->nodes = w->parts = w->around = NULL;
    w->units = NULL;
    w->unit_count = w->part_count = 0;
    lt_cell_pieces_free(&w->pieces);
    lt_split_free(&w->split);
    lt_voxels_free(&w->fine);
}

/* Grids are chosen before pieces are told apart: where copies make many more cells, fewer are aimed for, and the best
 * of what was tried is taken. */
static lt_status lay_out_to_target(work *w, lt_error *error) {
    double target = w->def->target_cells, wanted = target, best_error = INFINITY;
    lt_cell_grid best = {0};
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        lt_status status = choose_grid(w, (uint32_t)lt_max_d(1, wanted + 0.5), error);
        if (status == LT_OK) status = lay_out(w, error);
        if (status != LT_OK) return status;
        double ratio = w->cell_count / target, off = fabs(ratio - 1);
        if (off < TOLERANCE || w->def->cell_size > 0) return LT_OK;
        if (off < best_error) {
            best_error = off;
            best = w->grid;
        }
        wanted /= ratio;
        forget_layout(w);
    }
    w->grid = best;
    return lay_out(w, error);
}

static lt_status run(work *w, lt_cells *out, lt_error *error) {
    double most = 2e4 + 1.5 * w->def->target_cells * w->def->resolution * w->def->resolution;
    lt_status status = report(w, "finding the inside", error);
    if (status == LT_OK)
        status = lt_solid_find(&w->solid, &w->coarse, w->surface, lt_min_d(COARSE_VOXELS, most), w->allocator,
                               error);
    if (status == LT_OK) status = lay_out_to_target(w, error);
    if (status == LT_OK) status = take_result(w, out, error);
    forget_layout(w);
    lt_voxels_free(&w->coarse);
    lt_solid_free(&w->solid);
    return status;
}

lt_status lt_cells_build(const lt_surface *surface, const lt_cells_def *def, lt_cells *out, lt_error *error) {
    *out = (lt_cells){.allocator = def->allocator ? *def->allocator : lt_allocator_default()};
    lt_allocator allocator = out->allocator;
    lt_status status = lt_surface_check(surface, "cells", error);
    if (status == LT_OK) status = check_def(def, error);
    if (status == LT_OK) {
        work w = {.surface = surface, .def = def, .allocator = &allocator};
        status = run(&w, out, error);
    }
    if (status != LT_OK) lt_cells_free(out);
    return status;
}

void lt_cells_free(lt_cells *cells) {
    const lt_allocator *a = &cells->allocator;
    uint32_t triangles = cells->surface.triangle_count, cell_count = cells->mesh.cell_count;
    LT_DELETE(a, cells->parents, triangles, uint32_t);
    LT_DELETE(a, cells->triangle_cells, triangles, uint32_t);
    LT_DELETE(a, cells->vertex_cells, cells->surface.vertex_count, uint32_t);
    LT_DELETE(a, cells->boxes, 6 * (size_t)cell_count, float);
    LT_DELETE(a, cells->masks, cell_count, uint8_t);
    lt_cell_mesh_free(&cells->mesh);
    lt_surface_free(&cells->surface);
    *cells = (lt_cells){0};
}
