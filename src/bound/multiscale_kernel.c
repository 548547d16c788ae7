/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes from governors and from points; multiscale.h has the formulas. Nothing is ever moved from one lane to
 * another: the lanes of a box are those of a signed node, the halves of a position are those of paired nodes. */

#include "bound/multiscale_points.h"

enum { VECTORS = LT_GOVERNOR_VECTORS, STRIDE = 8 * VECTORS };

static inline float *prepared_at(const lt_multiscale *m, uint32_t governor, uint32_t end) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    return m->prepared + STRIDE * (2 * (size_t)governor + end);
}

/* ---- nodes ---- */

static inline void take_node(float *signed_lanes, float *paired_lanes, const float *node,
                             lt_f4m is_coordinate) {
    lt_f4 zero = lt_f4_splat(0), x = lt_f4_select(is_coordinate, lt_f4_load(node), zero);
    lt_f4_store(paired_lanes, x);
    lt_f4_store(signed_lanes, x);
    lt_f4_store(signed_lanes + 4, lt_f4_sub(zero, x));
}

/* Whatever the caller has in the fourth lane becomes 0. */
static void take_nodes(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    const float ones[4] = {1, 1, 1, 0};
    lt_f4m is_coordinate = lt_f4_less(lt_f4_splat(0), lt_f4_load(ones));
    for (uint32_t node = begin; node < end; node++)
        for (uint32_t side = 0; side < 2; side++)
            take_node(m->signed_nodes + 8 * (2 * (size_t)node + side),
                      m->paired + 8 * (size_t)node + 4 * side, (side ? m->to : m->from) + 4 * (size_t)node,
                      is_coordinate);
}

static inline void load_tet(lt_f8 x[4], const lt_multiscale *m, uint32_t governor, uint32_t end) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    const uint32_t *tet = m->tets + 4 * (size_t)m->tree->governors[governor];
    for (int k = 0; k < 4; k++)
        x[k] = lt_f8_load(m->signed_nodes + 8 * (2 * (size_t)tet[k] + end));
}

/* ---- the dual form of (8) ---- */

/* m is the second smallest: the least but one of both halves of a sorting network. */
static inline void prepare_dual_at(const lt_multiscale *m, uint32_t governor, uint32_t end) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    lt_f8 x[4], zero = lt_f8_splat(0);
    float *out = prepared_at(m, governor, end);
    load_tet(x, m, governor, end);
    lt_f8 lo_a = lt_f8_min(x[0], x[1]), hi_a = lt_f8_max(x[0], x[1]);
    lt_f8 lo_b = lt_f8_min(x[2], x[3]), hi_b = lt_f8_max(x[2], x[3]);
    lt_f8 second = lt_f8_min(lt_f8_max(lo_a, lo_b), lt_f8_min(hi_a, hi_b));
    lt_f8_store(out, second);
    for (int k = 0; k < 4; k++) {
        lt_f8 d = lt_f8_sub(x[k], second);
        lt_f8_store(out + 8 + 8 * k, lt_f8_max(d, zero));
        lt_f8_store(out + 40 + 8 * k, lt_f8_min(d, zero));
    }
}

static inline lt_f8 interval_dual(const float *p, const float *record) {
    lt_f8 up = lt_f8_mul(lt_f8_load(p + 8), lt_f8_splat(record[0]));
    lt_f8 down = lt_f8_mul(lt_f8_load(p + 40), lt_f8_splat(record[4]));
    for (int k = 1; k < 4; k++) {
        up = lt_f8_mad(up, lt_f8_load(p + 8 + 8 * k), lt_f8_splat(record[k]));
        down = lt_f8_mad(down, lt_f8_load(p + 40 + 8 * k), lt_f8_splat(record[4 + k]));
    }
    return lt_f8_add(lt_f8_load(p), lt_f8_add(up, down));
}

/* The least of two points: one of the two parts of every difference is 0. */
static inline lt_f8 points_dual(const float *p, const float *record) {
    lt_f8 d = lt_f8_add(lt_f8_load(p + 8), lt_f8_load(p + 40));
    lt_f8 first = lt_f8_mul(d, lt_f8_splat(record[0])), second = lt_f8_mul(d, lt_f8_splat(record[4]));
    for (int k = 1; k < 4; k++) {
        d = lt_f8_add(lt_f8_load(p + 8 + 8 * k), lt_f8_load(p + 40 + 8 * k));
        first = lt_f8_mad(first, d, lt_f8_splat(record[k]));
        second = lt_f8_mad(second, d, lt_f8_splat(record[4 + k]));
    }
    return lt_f8_add(lt_f8_load(p), lt_f8_min(first, second));
}

/* ---- the exact bound ---- */

static inline void prepare_exact_at(const lt_multiscale *m, uint32_t governor, uint32_t end) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    lt_f8 x[4];
    float *out = prepared_at(m, governor, end);
    load_tet(x, m, governor, end);
    for (int k = 0; k < 4; k++)
        lt_f8_store(out + 8 * k, x[k]);
}

/* The greatest of the dual over m in {x_i}. */
static inline lt_f8 interval_exact(const float *p, const float *record) {
    lt_f8 zero = lt_f8_splat(0), best = lt_f8_splat(-FAR);
    for (int j = 0; j < 4; j++) {
        lt_f8 middle = lt_f8_load(p + 8 * j), sum = middle;
        for (int k = 0; k < 4; k++) {
            if (k == j) continue;
            lt_f8 d = lt_f8_sub(lt_f8_load(p + 8 * k), middle);
            sum = lt_f8_mad(sum, lt_f8_max(d, zero), lt_f8_splat(record[k]));
            sum = lt_f8_mad(sum, lt_f8_min(d, zero), lt_f8_splat(record[4 + k]));
        }
        best = lt_f8_max(best, sum);
    }
    return best;
}

static inline lt_f8 points_exact(const float *p, const float *record) {
    lt_f8 first = lt_f8_mul(lt_f8_load(p), lt_f8_splat(record[0]));
    lt_f8 second = lt_f8_mul(lt_f8_load(p), lt_f8_splat(record[4]));
    for (int k = 1; k < 4; k++) {
        first = lt_f8_mad(first, lt_f8_load(p + 8 * k), lt_f8_splat(record[k]));
        second = lt_f8_mad(second, lt_f8_load(p + 8 * k), lt_f8_splat(record[4 + k]));
    }
    return lt_f8_min(first, second);
}

/* ---- boxes of tets ---- */

/* A point with weights below 0 by ν in all lies within ν of the tet's sides outside of it. */
static inline void prepare_tets_at(const lt_multiscale *m, uint32_t governor, uint32_t end) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    lt_f8 x[4];
    load_tet(x, m, governor, end);
    lt_f8 lo = lt_f8_min(lt_f8_min(x[0], x[1]), lt_f8_min(x[2], x[3]));
    lt_f8 hi = lt_f8_max(lt_f8_max(x[0], x[1]), lt_f8_max(x[2], x[3]));
    lt_f8 out = lt_f8_sub(lo, lt_f8_mul(lt_f8_sub(hi, lo), lt_f8_splat(m->tree->overhang)));
    lt_f8_store(prepared_at(m, governor, end), out);
}

static inline lt_f8 record_tets(const float *p, const float *record) {
    (void)record;
    return lt_f8_load(p);
}

/* ---- over governors and groups ----
 *
 * Written once for all bounds; every call below names its functions, so that they are inlined. */

typedef void prepare_function(const lt_multiscale *m, uint32_t governor, uint32_t end);
typedef lt_f8 record_function(const float *prepared, const float *record);

static inline void prepare_over(lt_multiscale *m, uint32_t begin, uint32_t end, prepare_function *prepare) {
    LT_ASSERT(begin <= end);
    for (uint32_t governor = begin; governor < end; governor++)
        for (uint32_t side = 0; side < m->end_count; side++)
            prepare(m, governor, side);
}

/* ---- coarse levels ---- */

/* How far the samples of a coarse tet are from where it takes them, at most, at either end: relative to its first corner, so that
 * rounding goes by how far nodes are apart. */
static inline lt_f8 farthest_sample(const lt_multiscale *m, uint32_t governor) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    const lt_multiscale_tree *tree = m->tree;
    const uint32_t *tet = m->tets + 4 * (size_t)tree->governors[governor];
    const uint32_t *begin = tree->sample_begin + (governor - tree->governor_count);
    lt_f8 zero = lt_f8_splat(0), farthest = zero, edges[3];
    lt_f8 corner = lt_f8_load(m->paired + 8 * (size_t)tet[0]);
    for (int k = 0; k < 3; k++)
        edges[k] = lt_f8_sub(lt_f8_load(m->paired + 8 * (size_t)tet[k + 1]), corner);
    for (uint32_t i = begin[0]; i < begin[1]; i++) {
        const float *w = tree->sample_weights + 3 * (size_t)i;
        lt_f8 there = lt_f8_mul(edges[0], lt_f8_splat(w[0]));
        there = lt_f8_mad(there, edges[1], lt_f8_splat(w[1]));
        there = lt_f8_mad(there, edges[2], lt_f8_splat(w[2]));
        lt_f8 off = lt_f8_sub(lt_f8_sub(lt_f8_load(m->paired + 8 * (size_t)tree->samples[i]), corner), there);
        farthest = lt_f8_max(farthest, lt_f8_max(off, lt_f8_sub(zero, off)));
    }
    return farthest;
}

/* The vectors that a record adds to others with a sum of weights of 1: the first, of exact bounds the corners. */
static void widen(lt_multiscale *m, uint32_t governor) {
    LT_ASSERT(governor < lt_multiscale_governor_total(m->tree));
    float both[8], lanes[8];
    int vectors = m->bound == LT_BOUND_EXACT ? 4 : 1;
    lt_f8 far = lt_f8_mul(farthest_sample(m, governor), lt_f8_splat(1 + 2 * m->tree->overhang));
    lt_f8_store(both, lt_f8_add(far, lt_f8_splat(m->levels.slack)));
    for (uint32_t side = 0; side < m->end_count; side++) {
        float *p = prepared_at(m, governor, side);
        for (int k = 0; k < 8; k++)
            lanes[k] = both[4 * side + (uint32_t)(k % 4)];
        for (int i = 0; i < vectors; i++)
            lt_f8_store(p + 8 * i, lt_f8_sub(lt_f8_load(p + 8 * i), lt_f8_load(lanes)));
    }
}

static inline lt_f8 least_over(lt_f8 least, const lt_multiscale *m, uint32_t begin, uint32_t end,
                               uint32_t end_count, record_function *record) {
    LT_ASSERT(begin <= end);
    const lt_multiscale_tree *tree = m->tree;
    for (uint32_t i = begin; i < end; i++) {
        const float *prepared = prepared_at(m, tree->record_governors[i], 0);
        const float *numbers = tree->records + LT_RECORD_NUMBERS * (size_t)i;
        least = lt_f8_min(least, record(prepared, numbers));
        if (end_count == 2) least = lt_f8_min(least, record(prepared + STRIDE, numbers));
    }
    return least;
}

static inline void fit_over(lt_multiscale *m, uint32_t begin, uint32_t end, uint32_t end_count,
                            record_function *interval, record_function *points) {
    LT_ASSERT(begin <= end);
    lt_f8 slack = lt_f8_splat(m->slack);
    for (uint32_t i = begin; i < end; i++) {
        const lt_multiscale_group *group = m->tree->groups + i;
        uint32_t node = m->tree->group_nodes[i];
        lt_f8 least = least_over(lt_f8_splat(FAR), m, group->first, group->points, end_count, interval);
        least = least_over(least, m, group->points, group[1].first, end_count, points);
        lt_f8_store(m->boxes + BOX * (size_t)node, lt_f8_sub(least, slack));
        m->stamps[node] = m->stamp;
    }
}

static void prepare_dual(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    prepare_over(m, begin, end, prepare_dual_at);
}
static void prepare_exact(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    prepare_over(m, begin, end, prepare_exact_at);
}
static void prepare_tets(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    prepare_over(m, begin, end, prepare_tets_at);
}

static void fit_dual(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    if (m->end_count == 2)
        fit_over(m, begin, end, 2, interval_dual, points_dual);
    else
        fit_over(m, begin, end, 1, interval_dual, points_dual);
}
static void fit_exact(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    fit_over(m, begin, end, m->end_count, interval_exact, points_exact);
}
static void fit_tets(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    fit_over(m, begin, end, m->end_count, record_tets, record_tets);
}

/* ---- from below ---- */

static inline void merge_node(lt_multiscale *m, uint32_t node, uint32_t child) {
    LT_ASSERT(child < m->tree->node_count);
    LT_ASSERT(node < m->tree->node_count);
    const float *first = m->boxes + BOX * (size_t)child;
    lt_f8_store(m->boxes + BOX * (size_t)node, lt_f8_min(lt_f8_load(first), lt_f8_load(first + BOX)));
}

static void merge(lt_multiscale *m, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        merge_node(m, nodes[i], m->tree->nodes[nodes[i]].child);
        m->stamps[nodes[i]] = m->stamp;
    }
}

static inline void evaluate_point(lt_multiscale *m, uint32_t point) {
    LT_ASSERT(point < m->tree->point_count);
    const uint32_t *ids = m->tree->ids + 4 * (size_t)point;
    const float *w = m->tree->weights + 4 * (size_t)point;
    lt_f8 sum = lt_f8_mul(lt_f8_load(m->paired + 8 * (size_t)ids[0]), lt_f8_splat(w[0]));
    for (int k = 1; k < 4; k++)
        sum = lt_f8_mad(sum, lt_f8_load(m->paired + 8 * (size_t)ids[k]), lt_f8_splat(w[k]));
    lt_f8_store(m->positions + 8 * (size_t)point, sum);
}

static void evaluate(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    for (uint32_t point = begin; point < end; point++)
        evaluate_point(m, point);
}

static void evaluate_listed(lt_multiscale *m, const uint32_t *points, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        evaluate_point(m, points[i]);
}

/* Backwards, so that children come before their parents; nearly all leaves of a bunch are behind its other
 * nodes, which the branch relies on to be foreseen. */
static inline void fit_bunch(lt_multiscale *m, const lt_multiscale_bunch *bunch, lt_f4 slack) {
    uint32_t below = m->tree->nodes[bunch->node].child;
    for (uint32_t i = bunch->below_count; i-- > 0;)
        fit_within(m, below + i, slack);
    fit_within(m, bunch->node, slack);
}

static void fit_bunches(lt_multiscale *m, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    lt_f4 slack = lt_f4_splat(m->slack);
    for (const lt_multiscale_bunch *b = m->tree->bunches + begin; b < m->tree->bunches + end; b++) {
        if (b + AHEAD < m->tree->bunches + end)
            prefetch_boxes(m, b + AHEAD, m->tree->nodes[b[AHEAD].node].child);
        fit_bunch(m, b, slack);
    }
}

extern const lt_multiscale_kernels LT_KERNEL(lt_multiscale_kernels);
const lt_multiscale_kernels LT_KERNEL(lt_multiscale_kernels) = {
    take_nodes,      {prepare_dual, prepare_exact, prepare_tets},
    widen,           {fit_dual, fit_exact, fit_tets},
    merge,           evaluate,
    evaluate_listed, fit_bunches};
