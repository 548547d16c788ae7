/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/implicit.h"

#include "bake/put_elements.h"

/* Empty layers of samples around the solid: one must stay outside, the others are room for the repair. */
#define PAD 3
/* Tries of a cell size, how many of them with the grid centred on the solid, and how near to the wanted count
 * is near enough to stop. */
#define TRIES     16
#define CENTRED   4
#define TOLERANCE 0.01
/* Rounds of relaxation. More make the triangles hardly better and thin ends thinner. */
#define ROUNDS 8
/* Rounds of mending triangles whose doubled area is below this share of the sum of their squared edges,
 * which is 0.29 for an equilateral one. */
#define SLIVER_ROUNDS 6
#define SLIVER        0.07

/* Size of the cells, and by which share of a cell the grid is off the middle of the solid. */
typedef struct placement {
    double cell, shift;
} placement;

typedef struct grid {
    lt_dvec3 origin;
    double cell;
    uint32_t n[3];   /* samples per axis */
    uint8_t *inside; /* [n[2]][n[1]][n[0]] */
    uint32_t quad_count, vertex_count;
    lt_allocator allocator;
} grid;

static size_t sample_count(const grid *g) {
    return (size_t)g->n[0] * g->n[1] * g->n[2];
}
static size_t sample_at(const grid *g, uint32_t i, uint32_t j, uint32_t k) {
    return i + (size_t)g->n[0] * (j + (size_t)g->n[1] * k);
}

static void grid_free(grid *g) {
    LT_DELETE(&g->allocator, g->inside, sample_count(g), uint8_t);
    g->inside = NULL;
}

/* ---- 1. signs ---- */

/* Where the field says that the surface is d away, the next d / (2 cell) samples of the row need no look. */
static void sample_row(grid *g, const lt_implicit *solid, uint32_t j, uint32_t k) {
    uint8_t *row = g->inside + sample_at(g, 0, j, k);
    lt_dvec3 p = {0.0, g->origin.y + g->cell * j, g->origin.z + g->cell * k};
    for (uint32_t i = 0; i < g->n[0];) {
        p.x = g->origin.x + g->cell * i;
        double value = solid->field(solid->context, p);
        double clear = fabs(value) / (2.0 * g->cell);
        uint32_t end = i + 1 + (clear < g->n[0] ? (uint32_t)clear : g->n[0]);
        for (end = lt_min_u32(end, g->n[0]); i < end; i++)
            row[i] = value < 0.0;
    }
}

static lt_status sample_signs(grid *g, const lt_implicit *solid, placement at, lt_error *error) {
    double cell = at.cell;
    lt_dvec3 size = lt_d3_sub(solid->hi, solid->lo);
    g->cell = cell;
    for (int axis = 0; axis < 3; axis++)
        g->n[axis] = (uint32_t)floor(lt_d3_get(size, axis) / cell) + 2 * PAD + 1;
    lt_dvec3 extent = {cell * (g->n[0] - 1), cell * (g->n[1] - 1), cell * (g->n[2] - 1)};
    g->origin = lt_d3_scale(lt_d3_sub(lt_d3_add(solid->lo, solid->hi), extent), 0.5);
    g->origin = lt_d3_add(g->origin, lt_d3_scale(lt_d3_make(1.0, 0.7, 0.85), at.shift * cell));
    g->inside = LT_NEW(&g->allocator, sample_count(g), uint8_t);
    if (!g->inside)
        return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %u x %u x %u samples", solid->name,
                       g->n[0], g->n[1], g->n[2]);
    for (uint32_t k = 0; k < g->n[2]; k++)
        for (uint32_t j = 0; j < g->n[1]; j++)
            sample_row(g, solid, j, k);
    return LT_OK;
}

/* ---- 2. repair ---- */

/* Bit c of a cell's mask is its corner at x + 2y + 4z. */
static uint32_t cell_mask(const grid *g, const uint8_t *at) {
    size_t row = g->n[0], slab = row * g->n[1];
    return at[0] | at[1] << 1 | at[row] << 2 | at[row + 1] << 3 | at[slab] << 4 | at[slab + 1] << 5 |
           at[slab + row] << 6 | at[slab + row + 1] << 7;
}

static bool corners_are_connected(uint32_t mask) {
    uint32_t reached = mask & (~mask + 1), before = 0;
    while (reached != before) {
        before = reached;
        uint32_t along_x = (reached & 0x55) << 1 | (reached & 0xaa) >> 1;
        uint32_t along_y = (reached & 0x33) << 2 | (reached & 0xcc) >> 2;
        uint32_t along_z = (reached & 0x0f) << 4 | (reached & 0xf0) >> 4;
        reached = (reached | along_x | along_y | along_z) & mask;
    }
    return reached == mask;
}

/* mended[m]: m itself where both sides are connected, else the superset of m with the fewest new corners. */
static void build_repair_table(uint8_t mended[256]) {
    bool good[256];
    for (uint32_t m = 0; m < 256; m++)
        good[m] = corners_are_connected(m) && corners_are_connected(~m & 255);
    for (uint32_t m = 0; m < 256; m++) {
        uint32_t best = 255, best_bits = 9;
        for (uint32_t super = m; super < 256; super++) {
            if ((super & m) != m || !good[super]) continue;
            uint32_t bits = 0;
            for (uint32_t rest = super; rest != 0; rest &= rest - 1)
                bits++;
            if (bits < best_bits) best = super, best_bits = bits;
        }
        mended[m] = (uint8_t)best;
    }
}

static void write_mask(const grid *g, uint8_t *at, uint32_t mask) {
    size_t row = g->n[0], slab = row * g->n[1];
    for (uint32_t c = 0; c < 8; c++)
        at[(c & 1) + row * ((c >> 1) & 1) + slab * (c >> 2)] = (mask >> c) & 1;
}

/* One sweep; returns whether anything changed. Counts the mixed cells on the way. */
static bool repair_sweep(grid *g, const uint8_t mended[256]) {
    bool changed = false;
    g->vertex_count = 0;
    for (uint32_t k = 0; k + 1 < g->n[2]; k++)
        for (uint32_t j = 0; j + 1 < g->n[1]; j++)
            for (uint32_t i = 0; i + 1 < g->n[0]; i++) {
                uint8_t *at = g->inside + sample_at(g, i, j, k);
                uint32_t mask = cell_mask(g, at);
                g->vertex_count += mask != 0 && mask != 255;
                if (mended[mask] == mask) continue;
                write_mask(g, at, mended[mask]);
                changed = true;
            }
    return changed;
}

static bool border_is_outside(const grid *g) {
    for (uint32_t k = 0; k < g->n[2]; k++)
        for (uint32_t j = 0; j < g->n[1]; j++) {
            bool whole_row = k == 0 || j == 0 || k + 1 == g->n[2] || j + 1 == g->n[1];
            for (uint32_t i = 0; i < g->n[0]; i += whole_row ? 1 : g->n[0] - 1)
                if (g->inside[sample_at(g, i, j, k)]) return false;
        }
    return true;
}

static void count_quads(grid *g) {
    size_t step[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]}, total = sample_count(g);
    uint32_t count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (size_t s = 0; s + step[axis] < total; s++)
            count += g->inside[s] != g->inside[s + step[axis]]; /* rows wrap through the empty border */
    g->quad_count = count;
}

/* Steps 1 and 2 at one cell size. On failure the grid holds nothing. */
static lt_status build_grid(grid *g, const lt_implicit *solid, placement at, lt_error *error) {
    uint8_t mended[256];
    lt_status status = sample_signs(g, solid, at, error);
    if (status != LT_OK) return status;
    build_repair_table(mended);
    while (repair_sweep(g, mended))
        continue;
    count_quads(g);
    if (border_is_outside(g)) return LT_OK;
    grid_free(g);
    return lt_fail(error, LT_STATUS_INVALID, "%s: the solid reaches out of its bounds", solid->name);
}

/* A solid that is missed by all samples must not refine the grid for ever: a thousand samples a triangle are
 * fifty times what the thinnest letter takes. */
static double affordable_cell(lt_dvec3 size, double cell, uint32_t wanted) {
    double limit = lt_min_d(1000.0 * wanted, 268435456.0);
    while ((size.x / cell + 2 * PAD) * (size.y / cell + 2 * PAD) * (size.z / cell + 2 * PAD) > limit)
        cell *= 1.05;
    return cell;
}

/* The count goes with 1 / cell^2, but in jumps where walls lie along the grid. So a few tries are made with
 * the grid centred, which keeps a symmetric solid symmetric; then the mean of count * cell^2 so far gives the
 * size, and the grid is shifted a little further each time, until the jumps fall well. */
static lt_status find_placement(const lt_implicit *solid, uint32_t wanted, const lt_allocator *allocator,
                                placement *best, lt_error *error) {
    lt_dvec3 size = lt_d3_sub(solid->hi, solid->lo);
    double longest = lt_max_d(size.x, lt_max_d(size.y, size.z)), best_miss = 1e300, area_sum = 0.0;
    placement at = {longest / 24.0, 0.0};
    for (int attempt = 0; attempt < TRIES && best_miss > TOLERANCE; attempt++) {
        grid g = {.allocator = allocator ? *allocator : lt_allocator_default()};
        lt_status status = build_grid(&g, solid, at, error);
        if (status != LT_OK) return status;
        double area = 2.0 * lt_max_u32(g.quad_count, 1) * at.cell * at.cell;
        double miss = fabs(2.0 * g.quad_count / wanted - 1.0);
        grid_free(&g);
        if (miss < best_miss) best_miss = miss, *best = at;
        if (attempt > 0) area_sum += area; /* the first is too coarse to count */
        if (attempt >= CENTRED) {
            area = area_sum / attempt *
                   (1.0 + 0.015 * (attempt * 2 % 5 - 2)); /* and from 3 % below to 3 % above */
            at.shift += 0.5 / (TRIES - CENTRED);
        }
        at.cell = affordable_cell(size, lt_min_d(sqrt(area / wanted), longest / 4.0), wanted);
    }
    return LT_OK;
}

/* ---- 3. quads ---- */

typedef struct net {
    lt_dvec3 *positions; /* [vertex_count] */
    lt_dvec3 *sums;      /* [vertex_count] of neighbours, while relaxing */
    uint32_t *degrees;   /* [vertex_count] */
    uint32_t *quads;     /* [quad_count][4], counter-clockwise from outside */
    uint32_t vertex_count, quad_count;
    lt_allocator allocator;
} net;

static void net_free(net *m) {
    LT_DELETE(&m->allocator, m->positions, m->vertex_count, lt_dvec3);
    LT_DELETE(&m->allocator, m->sums, m->vertex_count, lt_dvec3);
    LT_DELETE(&m->allocator, m->degrees, m->vertex_count, uint32_t);
    LT_DELETE(&m->allocator, m->quads, 4 * (size_t)m->quad_count, uint32_t);
}

static bool net_allocate(net *m, const grid *g) {
    *m = (net){.vertex_count = g->vertex_count, .quad_count = g->quad_count, .allocator = g->allocator};
    m->positions = LT_NEW(&m->allocator, m->vertex_count, lt_dvec3);
    m->sums = LT_NEW(&m->allocator, m->vertex_count, lt_dvec3);
    m->degrees = LT_NEW(&m->allocator, m->vertex_count, uint32_t);
    m->quads = LT_NEW(&m->allocator, 4 * (size_t)m->quad_count, uint32_t);
    return m->positions && m->sums && m->degrees && m->quads;
}

/* Vertices of the mixed cells between sample layers k and k+1, at the cells' centres; `layer` gets their
 * indices. Returns the next free index. */
static uint32_t place_layer(net *m, const grid *g, uint32_t k, uint32_t *layer, uint32_t next) {
    for (uint32_t j = 0; j + 1 < g->n[1]; j++)
        for (uint32_t i = 0; i + 1 < g->n[0]; i++) {
            uint32_t mask = cell_mask(g, g->inside + sample_at(g, i, j, k));
            if (mask == 0 || mask == 255) continue;
            lt_dvec3 centre = {i + 0.5, j + 0.5, k + 0.5};
            m->positions[next] = lt_d3_mad(g->origin, centre, g->cell);
            layer[i + g->n[0] * j] = next++;
        }
    return next;
}

static uint32_t *put_net_quad(uint32_t *quad, const uint32_t around[4], bool inside_first) {
    for (int c = 0; c < 4; c++)
        quad[c] = around[inside_first ? c : 3 - c];
    return quad + 4;
}

/* Quads around the edges that leave the samples of layer k towards +x, +y and +z; `around` an edge lists its
 * four cells counter-clockwise seen against the edge's direction. */
static uint32_t *link_layer(const grid *g, uint32_t k, const uint32_t *below, const uint32_t *above,
                            uint32_t *quad) {
    uint32_t row = g->n[0];
    size_t slab = (size_t)row * g->n[1];
    for (uint32_t j = 0; j + 1 < g->n[1]; j++)
        for (uint32_t i = 0; i + 1 < row; i++) { /* at i = 0 and j = 0 all is outside: no edge looks back */
            const uint8_t *at = g->inside + sample_at(g, i, j, k);
            uint32_t c = i + row * j;
            if (at[0] != at[1])
                quad = put_net_quad(quad, (uint32_t[4]){below[c - row], below[c], above[c], above[c - row]},
                                    at[0]);
            if (at[0] != at[row])
                quad =
                    put_net_quad(quad, (uint32_t[4]){below[c - 1], above[c - 1], above[c], below[c]}, at[0]);
            if (at[0] != at[slab])
                quad = put_net_quad(
                    quad, (uint32_t[4]){above[c - 1 - row], above[c - row], above[c], above[c - 1]}, at[0]);
        }
    return quad;
}

static lt_status build_net(net *m, const grid *g, const lt_implicit *solid, lt_error *error) {
    size_t layer_size = (size_t)g->n[0] * g->n[1];
    uint32_t *below = LT_NEW(&g->allocator, layer_size, uint32_t);
    uint32_t *above = LT_NEW(&g->allocator, layer_size, uint32_t);
    bool enough = net_allocate(m, g) && below && above;
    if (enough) {
        uint32_t next = 0, *quad = m->quads;
        for (uint32_t k = 0; k + 1 < g->n[2]; k++) {
            uint32_t *swap = below;
            below = above, above = swap;
            next = place_layer(m, g, k, above, next);
            quad = link_layer(g, k, below, above, quad);
        }
        LT_ASSERT(next == m->vertex_count && quad == m->quads + 4 * (size_t)m->quad_count);
    }
    LT_DELETE(&g->allocator, below, layer_size, uint32_t);
    LT_DELETE(&g->allocator, above, layer_size, uint32_t);
    if (enough) return LT_OK;
    net_free(m);
    return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %u vertices", solid->name, g->vertex_count);
}

/* ---- 4. relax, project, cut ---- */

static lt_dvec3 field_gradient(const lt_implicit *solid, lt_dvec3 p, double step, double *mean) {
    /* the corners of a tetrahedron: four looks instead of six, exact for a linear field */
    double a = solid->field(solid->context, (lt_dvec3){p.x + step, p.y + step, p.z + step});
    double b = solid->field(solid->context, (lt_dvec3){p.x + step, p.y - step, p.z - step});
    double c = solid->field(solid->context, (lt_dvec3){p.x - step, p.y + step, p.z - step});
    double d = solid->field(solid->context, (lt_dvec3){p.x - step, p.y - step, p.z + step});
    *mean = 0.25 * (a + b + c + d);
    double scale = 0.25 / step;
    return (lt_dvec3){scale * (a + b - c - d), scale * (a - b + c - d), scale * (a - b - c + d)};
}

/* One Newton step along the gradient, never longer than half a cell. `exact` looks once more for the value
 * itself instead of the mean of the four, which is off by the curvature. */
static lt_dvec3 project_once(const lt_implicit *solid, lt_dvec3 p, double cell, bool exact) {
    double value, step = exact ? 1e-4 * cell : 0.05 * cell;
    lt_dvec3 gradient = field_gradient(solid, p, step, &value);
    if (exact) value = solid->field(solid->context, p);
    double squared = lt_d3_length_squared(gradient);
    if (squared < 1e-4) return p;
    double along = value / squared, limit = 0.5 * cell / sqrt(squared);
    along = along > limit ? limit : along < -limit ? -limit : along;
    return lt_d3_mad(p, gradient, -along);
}

static void sum_neighbours(net *m) {
    for (uint32_t v = 0; v < m->vertex_count; v++)
        m->sums[v] = lt_d3_make(0, 0, 0), m->degrees[v] = 0;
    for (size_t q = 0; q < m->quad_count; q++) {
        const uint32_t *quad = m->quads + 4 * q;
        for (int c = 0; c < 4; c++) {
            uint32_t from = quad[c], to = quad[(c + 1) & 3]; /* the neighbour quad sees the edge backwards */
            m->sums[from] = lt_d3_add(m->sums[from], m->positions[to]);
            m->degrees[from]++;
        }
    }
}

static void relax(net *m, const lt_implicit *solid, double cell) {
    for (int round = 0; round < ROUNDS; round++) {
        sum_neighbours(m);
        for (uint32_t v = 0; v < m->vertex_count; v++) {
            lt_dvec3 mean = lt_d3_scale(m->sums[v], 1.0 / m->degrees[v]);
            lt_dvec3 half_way = lt_d3_scale(lt_d3_add(m->positions[v], mean), 0.5);
            m->positions[v] = project_once(solid, half_way, cell, false);
        }
    }
    for (uint32_t v = 0; v < m->vertex_count; v++)
        for (int step = 0; step < 2; step++)
            m->positions[v] = project_once(solid, m->positions[v], cell, true);
}

/* Twice the signed area over the squared edges of triangle (a, b, c) seen along `normal`. */
static double quality(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 normal) {
    lt_dvec3 ab = lt_d3_sub(b, a), ac = lt_d3_sub(c, a), bc = lt_d3_sub(c, b);
    double edges = lt_d3_length_squared(ab) + lt_d3_length_squared(ac) + lt_d3_length_squared(bc);
    return lt_d3_dot(lt_d3_cross(ab, ac), normal) / edges;
}

/* The worse triangle of the quad when cut along the diagonal from corner `first`, 0 or 1. */
static double cut_quality(const net *m, const uint32_t *quad, uint32_t first) {
    lt_dvec3 a = m->positions[quad[first]], b = m->positions[quad[first + 1]];
    lt_dvec3 c = m->positions[quad[(first + 2) & 3]], d = m->positions[quad[(first + 3) & 3]];
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(c, a), lt_d3_sub(d, b));
    normal = lt_d3_normalize_or(normal, lt_d3_make(0, 0, 0));
    return lt_min_d(quality(a, b, c, normal), quality(a, c, d, normal));
}

/* In a concave crease the projection may take two neighbours to different sides and squeeze a triangle. The
 * corners of such quads are moved to the mean of their neighbours again, and only once more onto the surface:
 * a little off it is better than a sliver. */
static void mend_slivers(net *m, const lt_implicit *solid, double cell) {
    for (int round = 0; round < SLIVER_ROUNDS; round++) {
        sum_neighbours(m);
        for (size_t q = 0; q < m->quad_count; q++) {
            const uint32_t *quad = m->quads + 4 * q;
            if (lt_max_d(cut_quality(m, quad, 0), cut_quality(m, quad, 1)) >= SLIVER) continue;
            for (int c = 0; c < 4; c++) {
                lt_dvec3 mean = lt_d3_scale(m->sums[quad[c]], 1.0 / m->degrees[quad[c]]);
                m->positions[quad[c]] = project_once(solid, mean, cell, false);
            }
        }
    }
}

static lt_status cut_quads(lt_surface *out, const net *m, const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_surface_allocate(out, m->vertex_count, 2 * m->quad_count, allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t v = 0; v < m->vertex_count; v++)
        out->positions[v] = lt_v3_from_d3(m->positions[v]);
    uint32_t *corner = out->triangles;
    for (size_t q = 0; q < m->quad_count; q++)
        corner = lt_put_quad(corner, m->quads + 4 * q,
                             cut_quality(m, m->quads + 4 * q, 1) > cut_quality(m, m->quads + 4 * q, 0));
    return LT_OK;
}

lt_status lt_implicit_polygonise(lt_surface *out, const lt_implicit *solid, uint32_t triangle_count,
                                 const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    placement at = {0};
    lt_status status = lt_check_count(solid->name, "triangles", triangle_count, solid->least, 1000000, error);
    if (status == LT_OK) status = find_placement(solid, triangle_count, allocator, &at, error);
    if (status != LT_OK) return status;
    grid g = {.allocator = allocator ? *allocator : lt_allocator_default()};
    status = build_grid(&g, solid, at, error);
    if (status != LT_OK) return status;
    if (g.quad_count == 0) {
        grid_free(&g);
        return lt_fail(error, LT_STATUS_INVALID, "%s: too thin for %u triangles", solid->name,
                       triangle_count);
    }
    net m;
    status = build_net(&m, &g, solid, error);
    grid_free(&g);
    if (status != LT_OK) return status;
    relax(&m, solid, at.cell);
    mend_slivers(&m, solid, at.cell);
    status = cut_quads(out, &m, allocator, error);
    net_free(&m);
    return status;
}
