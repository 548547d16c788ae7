/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Regions of a lattice and fast sums over them, after Rivers & James 2007 (FastLSM).
 *
 * Every node r has a region: the nodes that one comes to from r by walking along edges of cells, first along z, then y,
 * then x, at most w steps each, one way or the other. In a block that is the box of half-width w around r; holes and
 * gaps are not stepped over, and where the lattice forks all branches are walked, so that pieces of one place which
 * share no nodes never meet. With S_k the matrix of "at most w steps apart along axis k" (symmetric, 0 and 1) the
 * regions are the rows of T = S_z S_y S_x, and
 *
 *   sums over regions       T a  = S_z (S_y (S_x a))       bars, plates, cubes
 *   sums over memberships   Tᵀ b = S_x (S_y (S_z b))
 *
 * A fork that closes again may count a node twice; T is then a weight. All that momentum needs is that both sums use the
 * same T, which they do for any lattice.
 *
 * A line along an axis that does not fork is a run, summed by a window that slides: two additions a node whatever w is.
 * Lines that fork are few: their windows are listed, node by node. */

#include "body/models.h"

#include "core/union_find.h"

/* ---- the bars of one axis ---- */

/* Links between nodes along the axis, each once. */
typedef struct links {
    uint32_t *begin[2]; /* [node_count + 1] up, down: where a node's links begin */
    uint32_t *count[2]; /* [node_count] */
    uint32_t *ends[2];  /* [4 cell_count] */
    uint32_t *root;     /* [node_count] union-find: lines */
    uint8_t *forked;    /* [node_count] of the line's root */
    uint32_t *stamp;    /* [node_count] last window that a node was found for */
    uint32_t *found;    /* [node_count] nodes of a window */
} links;

static bool allocate_links(links *l, const lt_carrier *c, const lt_allocator *allocator) {
    bool ok = true;
    for (int way = 0; way < 2; way++) {
        l->begin[way] = LT_NEW(allocator, (size_t)c->node_count + 1, uint32_t);
        l->count[way] = LT_NEW(allocator, c->node_count, uint32_t);
        l->ends[way] = LT_NEW(allocator, 4 * (size_t)c->cell_count, uint32_t);
        ok = ok && l->begin[way] && l->count[way] && l->ends[way];
    }
    l->root = LT_NEW(allocator, c->node_count, uint32_t);
    l->forked = LT_NEW(allocator, c->node_count, uint8_t);
    l->stamp = LT_NEW(allocator, c->node_count, uint32_t);
    l->found = LT_NEW(allocator, c->node_count, uint32_t);
    return ok && l->root && l->forked && l->stamp && l->found;
}

static void free_links(links *l, const lt_carrier *c, const lt_allocator *allocator) {
    for (int way = 0; way < 2; way++) {
        LT_DELETE(allocator, l->begin[way], (size_t)c->node_count + 1, uint32_t);
        LT_DELETE(allocator, l->count[way], c->node_count, uint32_t);
        LT_DELETE(allocator, l->ends[way], 4 * (size_t)c->cell_count, uint32_t);
    }
    LT_DELETE(allocator, l->root, c->node_count, uint32_t);
    LT_DELETE(allocator, l->forked, c->node_count, uint8_t);
    LT_DELETE(allocator, l->stamp, c->node_count, uint32_t);
    LT_DELETE(allocator, l->found, c->node_count, uint32_t);
}

/* The i-th of four edges of a cell along the axis: its end on the side `high`. */
static uint32_t edge_end(const lt_carrier *c, uint32_t cell, uint32_t axis, uint32_t i, uint32_t high) {
    LT_ASSERT(axis < 3);
    LT_ASSERT(cell < c->cell_count);
    uint32_t below = i & ((1u << axis) - 1), above = i >> axis;
    return c->cells[8 * (size_t)cell + (below | high << axis | above << (axis + 1))];
}

static void add_link(links *l, int way, uint32_t from, uint32_t to) {
    uint32_t *ends = l->ends[way] + l->begin[way][from];
    for (uint32_t i = 0; i < l->count[way][from]; i++)
        if (ends[i] == to) return;
    ends[l->count[way][from]++] = to;
}

static void find_links(links *l, const lt_carrier *c, uint32_t axis) {
    LT_ASSERT(axis < 3);
    lt_sets_begin(l->root, c->node_count);
    for (uint32_t i = 0; i < 4 * c->cell_count; i++)
        for (uint32_t way = 0; way < 2; way++)
            l->begin[way][edge_end(c, i / 4, axis, i % 4, way) + 1]++;
    for (uint32_t node = 0; node < c->node_count; node++)
        for (int way = 0; way < 2; way++)
            l->begin[way][node + 1] += l->begin[way][node];
    for (uint32_t i = 0; i < 4 * c->cell_count; i++) {
        uint32_t low = edge_end(c, i / 4, axis, i % 4, 0), high = edge_end(c, i / 4, axis, i % 4, 1);
        add_link(l, 0, low, high);
        add_link(l, 1, high, low);
        lt_sets_join(l->root, low, high);
    }
    for (uint32_t node = 0; node < c->node_count; node++)
        if (l->count[0][node] > 1 || l->count[1][node] > 1) l->forked[lt_sets_find(l->root, node)] = 1;
}

static bool is_forked(const links *l, uint32_t node) {
    return l->forked[lt_sets_find(l->root, node)] != 0;
}

static void fill_runs(lt_bars *bars, const links *l, uint32_t node_count) {
    uint32_t filled = 0, run = 0;
    for (uint32_t first = 0; first < node_count; first++) {
        if (is_forked(l, first) || l->count[1][first] > 0) continue;
        for (uint32_t node = first;; node = l->ends[0][l->begin[0][node]]) {
            bars->order[filled++] = node;
            if (l->count[0][node] == 0) break;
        }
        bars->run_begin[++run] = filled;
    }
}

/* The nodes at most `width` steps from `node`, itself first, into l->found; returns how many. */
static uint32_t find_window(links *l, uint32_t node, uint32_t width) {
    uint32_t count = 0;
    l->found[count++] = node;
    for (int way = 0; way < 2; way++) {
        uint32_t level_begin = 0, level_end = 1; /* of the first level: the node itself */
        for (uint32_t step = 0; step < width && level_begin < level_end; step++) {
            uint32_t next = count;
            for (uint32_t i = level_begin; i < level_end; i++) {
                uint32_t from = l->found[i];
                for (uint32_t k = 0; k < l->count[way][from]; k++) {
                    uint32_t to = l->ends[way][l->begin[way][from] + k];
                    if (l->stamp[to] == node + 1) continue;
                    l->stamp[to] = node + 1;
                    l->found[count++] = to;
                }
            }
            level_begin = next;
            level_end = count;
        }
    }
    return count;
}

static void fill_windows(lt_bars *bars, links *l, uint32_t node_count, uint32_t width) {
    uint32_t forked = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        if (!is_forked(l, node)) continue;
        uint32_t begin = bars->window_begin[forked], count = find_window(l, node, width);
        for (uint32_t i = 0; i < count; i++)
            bars->windows[begin + i] = l->found[i];
        bars->forked[forked++] = node;
        bars->window_begin[forked] = begin + count;
    }
}

static void measure_bars(lt_bars *bars, links *l, uint32_t node_count, uint32_t width) {
    for (uint32_t node = 0; node < node_count; node++) {
        if (is_forked(l, node)) {
            bars->forked_count++;
            bars->window_count += find_window(l, node, width);
        } else {
            bars->order_count++;
            bars->run_count += l->count[1][node] == 0;
        }
    }
    for (uint32_t node = 0; node < node_count; node++)
        l->stamp[node] = 0;
}

static bool build_bars(lt_bars *bars, const lt_carrier *c, uint32_t axis, uint32_t width,
                       const lt_allocator *allocator) {
    LT_ASSERT(axis < 3);
    links l = {0};
    bool ok = allocate_links(&l, c, allocator);
    if (ok) {
        find_links(&l, c, axis);
        measure_bars(bars, &l, c->node_count, width);
        bars->order = LT_NEW(allocator, bars->order_count, uint32_t);
        bars->run_begin = LT_NEW(allocator, (size_t)bars->run_count + 1, uint32_t);
        bars->forked = LT_NEW(allocator, bars->forked_count, uint32_t);
        bars->window_begin = LT_NEW(allocator, (size_t)bars->forked_count + 1, uint32_t);
        bars->windows = LT_NEW(allocator, bars->window_count, uint32_t);
        ok = bars->order && bars->run_begin && bars->forked && bars->window_begin && bars->windows;
    }
    if (ok) {
        fill_runs(bars, &l, c->node_count);
        fill_windows(bars, &l, c->node_count, width);
    }
    free_links(&l, c, allocator);
    return ok;
}

/* ---- constants of the regions ---- */

enum { MOMENT_COUNT = 10 }; /* mass, first moments, second moments xx xy xz yy yz zz */

/* Sums along one axis in double, term by term: for what is computed once. */
static void sum_directly(double *out, const double *in, uint32_t components, const lt_bars *bars,
                         uint32_t width) {
    for (uint32_t run = 0; run < bars->run_count; run++)
        for (uint32_t p = bars->run_begin[run]; p < bars->run_begin[run + 1]; p++) {
            uint32_t begin = p - lt_min_u32(p - bars->run_begin[run], width);
            uint32_t end = p + 1 + lt_min_u32(bars->run_begin[run + 1] - 1 - p, width);
            for (uint32_t k = 0; k < components; k++) {
                double sum = 0;
                for (uint32_t i = begin; i < end; i++)
                    sum += in[components * (size_t)bars->order[i] + k];
                out[components * (size_t)bars->order[p] + k] = sum;
            }
        }
    for (uint32_t f = 0; f < bars->forked_count; f++)
        for (uint32_t k = 0; k < components; k++) {
            double sum = 0;
            for (uint32_t i = bars->window_begin[f]; i < bars->window_begin[f + 1]; i++)
                sum += in[components * (size_t)bars->windows[i] + k];
            out[components * (size_t)bars->forked[f] + k] = sum;
        }
}

static void place_rest(lt_regions *r, const lt_soft *soft) {
    double center[3] = {0, 0, 0}, mass = 0, scale = (double)soft->scale;
    for (uint32_t node = 0; node < r->node_count; node++) {
        for (uint32_t k = 0; k < 3; k++)
            center[k] += (double)soft->mass[node] * scale * soft->carrier.rest[3 * (size_t)node + k];
        mass += (double)soft->mass[node];
    }
    for (uint32_t node = 0; node < r->node_count; node++)
        for (uint32_t k = 0; k < 3; k++)
            r->rest[4 * (size_t)node + k] =
                (lt_real)(scale * soft->carrier.rest[3 * (size_t)node + k] - center[k] / mass);
}

/* m̃ = mass / memberships; a and b are scratch [node_count]. */
static void share_masses(lt_regions *r, const lt_soft *soft, double *a, double *b) {
    for (uint32_t node = 0; node < r->node_count; node++)
        a[node] = 1;
    sum_directly(b, a, 1, &r->bars[2], r->width);
    sum_directly(a, b, 1, &r->bars[1], r->width);
    sum_directly(b, a, 1, &r->bars[0], r->width);
    for (uint32_t node = 0; node < r->node_count; node++) {
        r->memberships[node] = (lt_real)b[node];
        r->shares[node] = (lt_real)((double)soft->mass[node] / b[node]);
    }
}

/* [node_count][10] moments of the regions in `b`; `a` is scratch of the same size. */
static void sum_moments(const lt_regions *r, double *a, double *b) {
    for (uint32_t node = 0; node < r->node_count; node++) {
        lt_rvec3 x = lt_node_get(r->rest, node);
        double m = (double)r->shares[node], *row = a + MOMENT_COUNT * (size_t)node;
        const double mx = m * (double)x.x, my = m * (double)x.y, mz = m * (double)x.z;
        const double moments[MOMENT_COUNT] = {m,
                                              mx,
                                              my,
                                              mz,
                                              mx * (double)x.x,
                                              mx * (double)x.y,
                                              mx * (double)x.z,
                                              my * (double)x.y,
                                              my * (double)x.z,
                                              mz * (double)x.z};
        for (uint32_t k = 0; k < MOMENT_COUNT; k++)
            row[k] = moments[k];
    }
    sum_directly(b, a, MOMENT_COUNT, &r->bars[0], r->width);
    sum_directly(a, b, MOMENT_COUNT, &r->bars[1], r->width);
    sum_directly(b, a, MOMENT_COUNT, &r->bars[2], r->width);
}

/* About the region's own centre. A node of no cell is its whole region: any definite matrix serves, none is felt. */
static void store_moments(lt_regions *r, uint32_t slot, const double *row, bool padding) {
    static const uint32_t first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {0, 1, 2, 1, 2, 2};
    lt_real *out = r->moments + MOMENT_COUNT * LT_GROUP * (size_t)(slot / LT_GROUP) + slot % LT_GROUP;
    double center[3], spread = 0, central[6];
    for (uint32_t k = 0; k < 3; k++)
        center[k] = row[1 + k] / row[0];
    for (uint32_t k = 0; k < 6; k++) {
        central[k] = row[4 + k] - row[0] * center[first[k]] * center[second[k]];
        if (first[k] == second[k]) spread += central[k];
    }
    bool lonely = !(spread > 1e-9 * (row[4] + row[7] + row[9]));
    if (lonely)
        for (uint32_t k = 0; k < 6; k++)
            central[k] = first[k] == second[k] ? row[0] : 0;
    if (!padding && !lonely) r->spread += spread;
    for (uint32_t k = 0; k < 3; k++)
        out[k * LT_GROUP] = (lt_real)center[k];
    out[3 * LT_GROUP] = (lt_real)(1 / row[0]);
    for (uint32_t k = 0; k < 6; k++)
        out[(4 + k) * LT_GROUP] = (lt_real)central[k];
}

static bool allocate_regions(lt_regions *r, const lt_allocator *allocator) {
    size_t nodes = r->node_count, slots = LT_GROUP * (size_t)r->group_count;
    r->rest = LT_NEW(allocator, 4 * nodes, lt_real);
    r->shares = LT_NEW(allocator, nodes, lt_real);
    r->memberships = LT_NEW(allocator, nodes, lt_real);
    r->moments = LT_NEW(allocator, MOMENT_COUNT * slots, lt_real);
    r->displacements = LT_NEW(allocator, 4 * nodes, lt_real);
    r->velocities = LT_NEW(allocator, 4 * nodes, lt_real);
    bool ok = r->rest && r->shares && r->memberships && r->moments && r->displacements && r->velocities;
    for (int i = 0; i < 3; i++) {
        r->sums[i] = LT_NEW(allocator, LT_REGION_ROW * slots, lt_real);
        ok = ok && r->sums[i];
    }
    return ok;
}

static bool build_regions(lt_regions *r, const lt_soft *soft) {
    const lt_allocator *allocator = &soft->allocator;
    size_t scratch = MOMENT_COUNT * (size_t)r->node_count;
    double *a = LT_NEW(allocator, scratch, double), *b = LT_NEW(allocator, scratch, double);
    bool ok = a && b && allocate_regions(r, allocator);
    for (uint32_t axis = 0; axis < 3; axis++)
        ok = ok && build_bars(&r->bars[axis], &soft->carrier, axis, r->width, allocator);
    if (ok) {
        place_rest(r, soft);
        share_masses(r, soft, a, b);
        sum_moments(r, a, b);
        for (uint32_t slot = 0; slot < LT_GROUP * r->group_count; slot++) {
            uint32_t node = lt_min_u32(slot, r->node_count - 1);
            store_moments(r, slot, b + MOMENT_COUNT * (size_t)node, slot != node);
        }
    }
    LT_DELETE(allocator, a, scratch, double);
    LT_DELETE(allocator, b, scratch, double);
    return ok;
}

lt_status lt_regions_create(lt_regions *out, const lt_soft *soft, uint32_t width, lt_error *error) {
    *out = (lt_regions){.width = width, .node_count = soft->carrier.node_count};
    out->group_count = out->node_count / LT_GROUP + (out->node_count % LT_GROUP != 0);
    if (build_regions(out, soft)) return LT_OK;
    lt_regions_free(out, &soft->allocator);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the regions of %u nodes",
                   soft->carrier.node_count);
}

void lt_regions_free(lt_regions *r, const lt_allocator *allocator) {
    size_t nodes = r->node_count, slots = LT_GROUP * (size_t)r->group_count;
    for (int axis = 0; axis < 3; axis++) {
        lt_bars *bars = &r->bars[axis];
        LT_DELETE(allocator, bars->order, bars->order_count, uint32_t);
        LT_DELETE(allocator, bars->run_begin, (size_t)bars->run_count + 1, uint32_t);
        LT_DELETE(allocator, bars->forked, bars->forked_count, uint32_t);
        LT_DELETE(allocator, bars->window_begin, (size_t)bars->forked_count + 1, uint32_t);
        LT_DELETE(allocator, bars->windows, bars->window_count, uint32_t);
        LT_DELETE(allocator, r->sums[axis], LT_REGION_ROW * slots, lt_real);
    }
    LT_DELETE(allocator, r->rest, 4 * nodes, lt_real);
    LT_DELETE(allocator, r->shares, nodes, lt_real);
    LT_DELETE(allocator, r->memberships, nodes, lt_real);
    LT_DELETE(allocator, r->moments, MOMENT_COUNT * slots, lt_real);
    LT_DELETE(allocator, r->displacements, 4 * nodes, lt_real);
    LT_DELETE(allocator, r->velocities, 4 * nodes, lt_real);
    *r = (lt_regions){0};
}

/* ---- sums of every step ---- */

typedef struct row {
    lt_r4 part[3];
} row;

static inline row load_row(const lt_real *rows, uint32_t node) {
    const lt_real *p = rows + LT_REGION_ROW * (size_t)node;
    return (row){{lt_r4_load(p), lt_r4_load(p + 4), lt_r4_load(p + 8)}};
}
static inline void store_row(lt_real *rows, uint32_t node, const row *r) {
    lt_real *p = rows + LT_REGION_ROW * (size_t)node;
    for (int i = 0; i < 3; i++)
        lt_r4_store(p + 4 * i, r->part[i]);
}
static inline void add_row(row *sum, const lt_real *rows, uint32_t node) {
    row r = load_row(rows, node);
    for (int i = 0; i < 3; i++)
        sum->part[i] = lt_r4_add(sum->part[i], r.part[i]);
}
static inline void subtract_row(row *sum, const lt_real *rows, uint32_t node) {
    row r = load_row(rows, node);
    for (int i = 0; i < 3; i++)
        sum->part[i] = lt_r4_sub(sum->part[i], r.part[i]);
}
static inline row zero_row(void) {
    return (row){{lt_r4_splat(0), lt_r4_splat(0), lt_r4_splat(0)}};
}

static void sum_run(lt_real *out, const lt_real *in, const uint32_t *order, uint32_t count, uint32_t width) {
    row sum = zero_row();
    for (uint32_t p = 0; p < lt_min_u32(width, count); p++)
        add_row(&sum, in, order[p]);
    for (uint32_t p = 0; p < count; p++) {
        if (width < count - p) add_row(&sum, in, order[p + width]);
        if (p > width) subtract_row(&sum, in, order[p - width - 1]);
        store_row(out, order[p], &sum);
    }
}

static void sum_bars(lt_real *out, const lt_real *in, const lt_bars *bars, uint32_t width) {
    for (uint32_t run = 0; run < bars->run_count; run++)
        sum_run(out, in, bars->order + bars->run_begin[run], bars->run_begin[run + 1] - bars->run_begin[run],
                width);
    for (uint32_t f = 0; f < bars->forked_count; f++) {
        row sum = zero_row();
        for (uint32_t i = bars->window_begin[f]; i < bars->window_begin[f + 1]; i++)
            add_row(&sum, in, bars->windows[i]);
        store_row(out, bars->forked[f], &sum);
    }
}

void lt_regions_sum(const lt_regions *r, lt_real *out, lt_real *in) {
    sum_bars(out, in, &r->bars[0], r->width);
    sum_bars(in, out, &r->bars[1], r->width);
    sum_bars(out, in, &r->bars[2], r->width);
}

void lt_regions_sum_memberships(const lt_regions *r, lt_real *out, lt_real *in) {
    sum_bars(out, in, &r->bars[2], r->width);
    sum_bars(in, out, &r->bars[1], r->width);
    sum_bars(out, in, &r->bars[0], r->width);
}
