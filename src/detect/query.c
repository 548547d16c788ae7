/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/query.h"

#include "detect/detect.h"
#include "mesh/exact.h"

#include <string.h>

enum {
    FACE_VERTEX_TESTS = 3, /* tests 0 to 2 are of corners of a, 3 to 5 of corners of b, 6 to 14 of edges */
    EDGE_TESTS = 6,
    TEST_COUNT = 15
};

static bool is_self(const lt_query *q) {
    return q->a == q->b;
}

static bool is_still(const lt_query *q) {
    return q->at_start || (q->a->end_count == 1 && q->b->end_count == 1);
}

/* ---- boxes ---- */

/* lo + (-hi) of the other side is at most 0 where they overlap. */
static inline bool lanes_overlap(const float *a, const float *b, lt_f4 separation) {
    lt_f4 up = lt_f4_add(lt_f4_load(a), lt_f4_load(b + 4)),
          down = lt_f4_add(lt_f4_load(b), lt_f4_load(a + 4));
    return lt_f4m_bits(lt_f4_less_equal(lt_f4_max(up, down), separation)) == 15;
}

static inline bool is_with_itself(const lt_query *q, lt_node_pair p) {
    return is_self(q) && p.a == p.b;
}

static inline bool may_meet(const lt_query *q, lt_node_pair p) {
    lt_f4 separation = lt_f4_splat(q->separation);
    if (!is_with_itself(q, p) &&
        !lanes_overlap(lt_multiscale_lanes(q->a, p.a), lt_multiscale_lanes(q->b, p.b), separation))
        return false;
    return !q->self || lt_self_rows_meet(q->self, q->self->tets->rows[p.a], q->self->tets->rows[p.b]);
}

/* It goes no further here. */
static inline void keep_in_front(lt_query *q, lt_node_pair p) {
    lt_query_front *f = q->front;
    if (!f) return;
    if (f->kept_count < f->capacity)
        f->pairs[1][f->kept_count++] = p;
    else
        f->is_lost = true;
}

static inline void offer(lt_query *q, uint32_t a, uint32_t b) {
    lt_node_pair p = {a, b};
    q->box_tests++;
    if (!may_meet(q, p)) {
        keep_in_front(q, p);
        return;
    }
    LT_ASSERT(q->pair_count < LT_QUERY_STACK);
    q->pairs[q->pair_count++] = p;
}

/* Whether the children of a node, or the triangles of a leaf, can be looked at. */
static inline bool is_open(const lt_multiscale *m, uint32_t node, uint32_t child) {
    LT_ASSERT(node < m->tree->node_count);
    if (child == LT_NONE) return lt_multiscale_bunch_is_fresh(m, m->tree->links[node].bunch);
    return lt_multiscale_box_is_fresh(m, child) && lt_multiscale_box_is_fresh(m, child + 1);
}

/* The side that holds more is parted; both within bunches, where opening costs nothing more: a tenth fewer
 * tests. By width instead of count: as many, but to find out which is wider costs more than it saves. */
static inline lt_query_split split_of(const lt_query *q) {
    lt_node_pair p = q->pairs[q->pair_count - 1];
    const lt_multiscale_node *na = q->a->tree->nodes + p.a, *nb = q->b->tree->nodes + p.b;
    lt_query_split r = {p.a, p.b, na->child != LT_NONE, nb->child != LT_NONE, true};
    bool large = na->count > LT_BUNCH_TRIANGLES || nb->count > LT_BUNCH_TRIANGLES;
    if (r.a_side && r.b_side && large && !is_with_itself(q, p)) {
        r.a_side = na->count >= nb->count;
        r.b_side = !r.a_side;
    }
    if (r.a_side || !r.b_side) r.is_open = is_open(q->a, p.a, na->child);
    if (r.b_side || !r.a_side) r.is_open = r.is_open && is_open(q->b, p.b, nb->child);
    return r;
}

static uint32_t open_cost(const lt_query *q, const lt_query_split *r) {
    uint32_t cost = 0;
    if (r->a_side || !r->b_side) cost += lt_multiscale_open_cost(q->a, r->a);
    if ((r->b_side || !r->a_side) && !is_with_itself(q, (lt_node_pair){r->a, r->b}))
        cost += lt_multiscale_open_cost(q->b, r->b);
    return cost;
}

static void open_boxes(lt_query *q, const lt_query_split *r) {
    if (r->a_side || !r->b_side) lt_multiscale_open(q->a, r->a);
    if (r->b_side || !r->a_side) lt_multiscale_open(q->b, r->b);
}

static void refine(lt_query *q, const lt_query_split *r) {
    q->pair_count--;
    uint32_t a = q->a->tree->nodes[r->a].child, b = q->b->tree->nodes[r->b].child;
    if (is_with_itself(q, (lt_node_pair){r->a, r->b})) {
        offer(q, a, a + 1);
        offer(q, a + 1, a + 1);
        offer(q, a, a);
    } else {
        uint32_t a_first = r->a_side ? a : r->a, b_first = r->b_side ? b : r->b;
        for (uint32_t i = r->a_side + 1; i-- > 0;)
            for (uint32_t k = r->b_side + 1; k-- > 0;)
                offer(q, a_first + i, b_first + k);
    }
}

/* ---- triangles of two leaves ---- */

static const uint32_t *corners_of(const lt_multiscale *m, uint32_t triangle) {
    LT_ASSERT(triangle < m->tree->triangle_count);
    return m->tree->triangles + 3 * (size_t)triangle;
}

/* The box of some points, as lanes. */
static inline void point_lanes(float *lanes, const lt_multiscale *m, const uint32_t *points, uint32_t count) {
    const float *p = m->positions + 8 * (size_t)points[0];
    lt_f4 lo = lt_f4_min(lt_f4_load(p), lt_f4_load(p + 4)), hi = lt_f4_max(lt_f4_load(p), lt_f4_load(p + 4));
    for (uint32_t k = 1; k < count; k++) {
        p = m->positions + 8 * (size_t)points[k];
        lo = lt_f4_min(lo, lt_f4_min(lt_f4_load(p), lt_f4_load(p + 4)));
        hi = lt_f4_max(hi, lt_f4_max(lt_f4_load(p), lt_f4_load(p + 4)));
    }
    lt_f4_store(lanes, lo);
    lt_f4_store(lanes + 4, lt_f4_sub(lt_f4_splat(0), hi));
}

/* Boxes of the triangles of a leaf that overlap a box; returns how many there are. */
static uint32_t near_triangles(const lt_multiscale *m, uint32_t leaf, const float *other, lt_f4 separation,
                               uint32_t *triangles, float lanes[LT_LEAF_TRIANGLES][8]) {
    const lt_multiscale_node *n = m->tree->nodes + leaf;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        point_lanes(lanes[count], m, corners_of(m, n->first + i), 3);
        triangles[count] = n->first + i;
        count += lanes_overlap(lanes[count], other, separation);
    }
    return count;
}

/* Of a surface with itself: whether the tets of two triangles share a node. */
static bool are_neighbours(const lt_query *q, uint32_t a, uint32_t b) {
    LT_ASSERT(a < q->a->tree->triangle_count);
    LT_ASSERT(b < q->b->tree->triangle_count);
    uint32_t ta = q->a->tree->triangle_tets[a], tb = q->a->tree->triangle_tets[b];
    return ta != LT_NONE && tb != LT_NONE &&
           lt_tets_share_node(q->a->tets + 4 * (size_t)ta, q->a->tets + 4 * (size_t)tb);
}

/* Or are not known. */
static bool tets_touch(const lt_query *q, uint32_t a, uint32_t b) {
    LT_ASSERT(a < q->a->tree->triangle_count);
    LT_ASSERT(b < q->b->tree->triangle_count);
    const uint32_t *tets = q->a->tree->triangle_tets;
    return tets[a] == LT_NONE || tets[b] == LT_NONE || are_neighbours(q, a, b);
}

/* The separation of a surface from itself is for tets that share nothing. */
static double separation_of(const lt_query *q, uint32_t a, uint32_t b) {
    LT_ASSERT(a < q->a->tree->triangle_count);
    LT_ASSERT(b < q->b->tree->triangle_count);
    return is_self(q) && q->separation > 0 && tets_touch(q, a, b) ? 0 : (double)q->separation;
}

static bool may_meet_itself(const lt_query *q, uint32_t a, uint32_t b, const float *box_a,
                            const float *box_b) {
    LT_ASSERT(a < q->a->tree->triangle_count);
    LT_ASSERT(b < q->b->tree->triangle_count);
    if (q->skips_neighbours && are_neighbours(q, a, b)) return false;
    return lanes_overlap(box_a, box_b, lt_f4_splat((float)separation_of(q, a, b)));
}

static void meet_leaves(lt_query *q, uint32_t a, uint32_t b) {
    uint32_t ta[LT_LEAF_TRIANGLES], tb[LT_LEAF_TRIANGLES];
    float la[LT_LEAF_TRIANGLES][8], lb[LT_LEAF_TRIANGLES][8];
    lt_f4 separation = lt_f4_splat(q->separation);
    const float *box_a = lt_multiscale_lanes(q->a, a), *box_b = lt_multiscale_lanes(q->b, b);
    uint32_t count_a = near_triangles(q->a, a, box_b, separation, ta, la);
    if (count_a == 0) return;
    uint32_t count_b = near_triangles(q->b, b, box_a, separation, tb, lb);
    for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t k = 0; k < count_b; k++) {
            if (is_self(q) && a == b && k <= i) continue;
            if (!lanes_overlap(la[i], lb[k], separation)) continue;
            if (is_self(q) && !may_meet_itself(q, ta[i], tb[k], la[i], lb[k])) continue;
            bool swap = is_self(q) && ta[i] > tb[k];
            LT_ASSERT(q->candidate_count < LT_QUERY_CANDIDATES);
            q->candidates[q->candidate_count++] =
                swap ? (lt_ccd_pair){tb[k], ta[i]} : (lt_ccd_pair){ta[i], tb[k]};
        }
}

/* ---- continuous tests ---- */

/* Which of the fifteen are to be done: of features that the triangles own, and that share nothing. */
static uint32_t tests_of(const lt_query *q, lt_ccd_pair pair) {
    uint32_t own_a = q->owners_a->bits[pair.a], own_b = q->owners_b->bits[pair.b];
    uint32_t tests = (own_a & 7) | (own_b & 7) << FACE_VERTEX_TESTS;
    for (uint32_t i = 0; i < 3; i++)
        if (own_a >> (3 + i) & 1) tests |= (own_b >> 3 & 7) << (EDGE_TESTS + 3 * i);
    if (!is_self(q)) return tests;
    const uint32_t *ca = corners_of(q->a, pair.a), *cb = corners_of(q->b, pair.b);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t k = 0; k < 3; k++) {
            if (ca[i] != cb[k]) continue;
            tests &= ~(1u << i | 1u << (FACE_VERTEX_TESTS + k));
            /* Edges i and i - 1 of a, k and k - 1 of b. */
            for (uint32_t n = 0; n < 4; n++)
                tests &= ~(1u << (EDGE_TESTS + 3 * (n & 1 ? i : (i + 2) % 3) + (n & 2 ? k : (k + 2) % 3)));
        }
    return tests;
}

/* The points of an edge, the lower first. */
static void edge_points(uint32_t out[2], const uint32_t *corners, uint32_t edge) {
    uint32_t first = corners[edge], second = corners[(edge + 1) % 3];
    out[0] = lt_min_u32(first, second);
    out[1] = lt_max_u32(first, second);
}

/* Of one surface the lower edge comes first, whichever triangles they were found by: the last bit of a test
 * hangs on it. */
static void order_edges(lt_meeting *m) {
    const uint32_t *p = m->points;
    if (p[0] < p[2] || (p[0] == p[2] && p[1] < p[3])) return;
    *m = (lt_meeting){.kind = m->kind, .a = m->b, .b = m->a, .points = {p[2], p[3], p[0], p[1]}};
}

static void set_points(lt_meeting *m, const lt_query *q, uint32_t test) {
    const uint32_t *ca = corners_of(q->a, m->a), *cb = corners_of(q->b, m->b);
    if (test >= EDGE_TESTS) {
        m->kind = LT_MEET_EDGES;
        edge_points(m->points, ca, (test - EDGE_TESTS) / 3);
        edge_points(m->points + 2, cb, (test - EDGE_TESTS) % 3);
        if (is_self(q)) order_edges(m);
        return;
    }
    bool of_a = test < FACE_VERTEX_TESTS;
    m->kind = of_a ? LT_MEET_VERTEX_FACE : LT_MEET_FACE_VERTEX;
    m->points[0] = of_a ? ca[test] : cb[test - FACE_VERTEX_TESTS];
    memcpy(m->points + 1, of_a ? cb : ca, 3 * sizeof *cb);
}

/* Whether the boxes of the two features are apart: many are whose triangles meet. */
static bool features_are_apart(const lt_query *q, const lt_meeting *m) {
    float first[8], second[8];
    uint32_t of_first = m->kind == LT_MEET_EDGES ? 2 : 1;
    point_lanes(first, m->kind == LT_MEET_FACE_VERTEX ? q->b : q->a, m->points, of_first);
    point_lanes(second, m->kind == LT_MEET_FACE_VERTEX ? q->a : q->b, m->points + of_first, 4 - of_first);
    return !lanes_overlap(first, second, lt_f4_splat((float)separation_of(q, m->a, m->b)));
}

static void fill_ccd(lt_ccd_query *ccd, const lt_query *q, const lt_meeting *m) {
    uint32_t of_first = m->kind == LT_MEET_EDGES ? 2 : 1; /* points of the first side */
    const lt_multiscale *first = m->kind == LT_MEET_FACE_VERTEX ? q->b : q->a;
    const lt_multiscale *second = m->kind == LT_MEET_FACE_VERTEX ? q->a : q->b;
    ccd->kind = m->kind == LT_MEET_EDGES ? LT_CCD_EDGE_EDGE : LT_CCD_VERTEX_FACE;
    for (uint32_t k = 0; k < 4; k++) {
        const lt_multiscale *side = k < of_first ? first : second;
        lt_ccd_set_point(ccd, (int)k, lt_multiscale_position(side, m->points[k], 0),
                         lt_multiscale_position(side, m->points[k], 1));
    }
}

static lt_dvec3 place_at_rest(const lt_self_tets *tets, uint32_t point) {
    const uint32_t *ids = tets->tree->ids + 4 * (size_t)point;
    const float *w = tets->tree->weights + 4 * (size_t)point;
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        sum = lt_d3_mad(sum, tets->rest[ids[k]], (double)w[k]);
    return sum;
}

bool lt_meets_at_rest(const lt_self_tets *tets, const lt_meeting *meeting) {
    lt_ccd_query ccd = {.kind = meeting->kind == LT_MEET_EDGES ? LT_CCD_EDGE_EDGE : LT_CCD_VERTEX_FACE};
    lt_ccd_result result;
    for (int k = 0; k < 4; k++)
        ccd.start[k] = ccd.end[k] = place_at_rest(tets, meeting->points[k]);
    return lt_ccd_test(&ccd, tets->rest_tolerance, &result);
}

static void keep_meeting(lt_query *q, const lt_meeting *m) {
    if (q->meeting_count < q->capacity)
        q->meetings[q->meeting_count++] = *m;
    else
        q->dropped_count++;
}

void lt_meeting_set(lt_meeting *m, const lt_ccd_result *result) {
    m->outcome = result->outcome;
    m->time = (float)result->time;
    m->distance = (float)result->distance;
    m->normal = lt_v3_from_d3(m->kind == LT_MEET_FACE_VERTEX ? lt_d3_neg(result->normal) : result->normal);
    for (int k = 0; k < 4; k++)
        m->weights[k] = (float)result->weights[k];
}

static void test_features(lt_query *q, lt_ccd_pair pair, uint32_t test) {
    lt_meeting m = {.a = pair.a, .b = pair.b};
    lt_ccd_query ccd;
    lt_ccd_result result;
    set_points(&m, q, test);
    if (features_are_apart(q, &m)) return;
    fill_ccd(&ccd, q, &m);
    q->test_total++;
    if (!lt_ccd_test(&ccd, separation_of(q, pair.a, pair.b), &result)) return;
    if (q->self && tets_touch(q, pair.a, pair.b) && lt_meets_at_rest(q->self->tets, &m)) {
        q->resting_count++;
        return;
    }
    lt_meeting_set(&m, &result);
    keep_meeting(q, &m);
}

/* ---- triangles that stand still ---- */

static void corners_at(lt_dvec3 out[3], const lt_multiscale *m, uint32_t triangle) {
    LT_ASSERT(triangle < m->tree->triangle_count);
    for (int k = 0; k < 3; k++)
        out[k] = lt_d3_from_v3(lt_multiscale_position(m, corners_of(m, triangle)[k], 0));
}

/* Of triangles that share one corner the edges opposite to it, of those that share two nothing: they are one
 * on the other only when both are in one plane. */
static bool triangles_cross(const lt_query *q, lt_ccd_pair pair) {
    lt_dvec3 x[3], y[3];
    const uint32_t *ca = corners_of(q->a, pair.a), *cb = corners_of(q->b, pair.b);
    uint32_t shared = 0, at_a = 0, at_b = 0;
    corners_at(x, q->a, pair.a);
    corners_at(y, q->b, pair.b);
    for (uint32_t i = 0; is_self(q) && i < 3; i++)
        for (uint32_t k = 0; k < 3; k++)
            if (ca[i] == cb[k]) {
                shared++;
                at_a = i;
                at_b = k;
            }
    if (shared == 0) return lt_exact_triangle_triangle(x, y);
    lt_dvec3 edge_x[2] = {x[(at_a + 1) % 3], x[(at_a + 2) % 3]},
             edge_y[2] = {y[(at_b + 1) % 3], y[(at_b + 2) % 3]};
    return shared == 1 && (lt_exact_segment_triangle(edge_x, y) || lt_exact_segment_triangle(edge_y, x));
}

static void test_crossing(lt_query *q, lt_ccd_pair pair) {
    q->test_total++;
    if (triangles_cross(q, pair))
        keep_meeting(
            q, &(lt_meeting){.kind = LT_MEET_CROSSING, .outcome = LT_CCD_MEET, .a = pair.a, .b = pair.b});
}

uint32_t lt_query_tests_of(const lt_query *query, lt_ccd_pair pair) {
    return is_still(query) ? 1 : tests_of(query, pair);
}

void lt_query_test(lt_query *query, lt_ccd_pair pair, uint32_t test) {
    LT_ASSERT(test < TEST_COUNT);
    if (is_still(query))
        test_crossing(query, pair);
    else
        test_features(query, pair, test);
}

/* ---- candidates ---- */

static lt_ccd_surface surface_of(const lt_multiscale *m) {
    return (lt_ccd_surface){.start = (const lt_vec3 *)m->positions,
                            .end = (const lt_vec3 *)(m->positions + 4),
                            .triangles = m->tree->triangles,
                            .stride = 8};
}

static uint32_t filter_count(const lt_query *q) {
    return lt_min_u32(q->candidate_count, LT_QUERY_BATCH);
}

static void filter(lt_query *q) {
    lt_ccd_surface a = surface_of(q->a), b = surface_of(q->b);
    q->filtered_count = filter_count(q);
    q->candidate_total += q->filtered_count;
    q->may_meet(&q->kept, &a, &b, q->candidates, q->filtered_count, q->separation);
    q->kept_total += (uint32_t)__builtin_popcountll(q->kept);
}

/* What comes behind those that were filtered moves to the front. */
static void drop_filtered(lt_query *q) {
    LT_ASSERT(q->filtered_count <= q->candidate_count && q->candidate_count <= LT_QUERY_CANDIDATES);
    q->candidate_count -= q->filtered_count;
    memmove(q->candidates, q->candidates + q->filtered_count, q->candidate_count * sizeof *q->candidates);
    q->filtered_count = 0;
}

/* The first kept pair with tests left; false: there is none, and all that was filtered is dropped. */
static bool find_test(lt_query *q) {
    while (q->filtered_count > 0) {
        if (q->tests) return true;
        if (!q->kept) {
            drop_filtered(q);
            return false;
        }
        q->tests = lt_query_tests_of(q, q->candidates[__builtin_ctzll(q->kept)]);
        if (!q->tests) q->kept &= q->kept - 1;
    }
    return false;
}

static void do_test(lt_query *q) {
    lt_query_test(q, q->candidates[__builtin_ctzll(q->kept)], (uint32_t)__builtin_ctz(q->tests));
    q->tests &= q->tests - 1;
    if (!q->tests) q->kept &= q->kept - 1;
    find_test(q);
}

/* ---- the cursor ---- */

/* The last front, unless there is none, or it has become old. */
static void begin_front(lt_query_front *f) {
    bool is_there = f->is_whole && !f->is_lost && f->age < LT_QUERY_FRONT_AGE;
    lt_node_pair *last = f->pairs[1];
    f->pairs[1] = f->pairs[0];
    f->pairs[0] = last;
    f->count = is_there ? f->kept_count : 0;
    f->age = is_there ? f->age + 1 : 0;
    f->next = f->kept_count = 0;
    f->is_lost = f->is_whole = false;
}

typedef enum piece_kind {
    PIECE_DONE,
    PIECE_TEST,
    PIECE_FILTER,
    PIECE_REFRESH,
    PIECE_OPEN,
    PIECE_BOXES
} piece_kind;

static bool is_batch_full(const lt_query *q) {
    return q->candidate_count >= LT_QUERY_BATCH;
}

static uint32_t walk_cost(const lt_query_split *r) {
    return r->a_side || r->b_side ? LT_QUERY_BOX_UNITS : LT_QUERY_LEAF_UNITS;
}

/* The next of the last front, and what its boxes cost to be fitted; 0: they are. */
static inline lt_node_pair next_of_front(const lt_query *q) {
    return q->front->pairs[0][q->front->next];
}
static uint32_t front_cost(const lt_query *q) {
    lt_node_pair p = next_of_front(q);
    return lt_multiscale_refresh_cost(q->a, p.a) + lt_multiscale_refresh_cost(q->b, p.b);
}

static lt_query_next find_in_front(const lt_query *q) {
    uint32_t cost = front_cost(q);
    if (cost > 0) return (lt_query_next){PIECE_REFRESH, {LT_WORK_REFRESH, cost, 0}, {0}};
    return (lt_query_next){PIECE_BOXES, {LT_WORK_TRAVERSE, LT_QUERY_FRONT_UNITS, 0}, {0}};
}

static lt_query_next find_in_stack(const lt_query *q) {
    lt_query_split r = split_of(q);
    if (r.is_open) return (lt_query_next){PIECE_BOXES, {LT_WORK_TRAVERSE, walk_cost(&r), 0}, r};
    return (lt_query_next){PIECE_OPEN, {LT_WORK_REFRESH, open_cost(q, &r), 0}, r};
}

static lt_query_next find_next(const lt_query *q) {
    bool has_pairs = q->pair_count > 0 || lt_query_has_front(q);
    if (q->filtered_count > 0) {
        uint32_t cost = is_still(q) ? LT_QUERY_CROSSING_UNITS : LT_QUERY_TEST_UNITS;
        return (lt_query_next){PIECE_TEST, {LT_WORK_PIERCE, cost, q->reserve}, {0}};
    }
    if (is_batch_full(q) || (!has_pairs && q->candidate_count > 0))
        return (lt_query_next){
            PIECE_FILTER, {LT_WORK_PIERCE, LT_QUERY_FILTER_UNITS * filter_count(q), 0}, {0}};
    if (!has_pairs) return (lt_query_next){PIECE_DONE, {LT_WORK_TRAVERSE, 0, 0}, {0}};
    return q->pair_count == 0 ? find_in_front(q) : find_in_stack(q);
}

void lt_query_begin(lt_query *query) {
    lt_query *q = query;
    q->pair_count = q->candidate_count = q->filtered_count = q->tests = 0;
    q->kept = 0;
    q->meeting_count = q->dropped_count = q->resting_count = 0;
    q->box_tests = q->candidate_total = q->kept_total = q->test_total = 0;
    if (!(q->separation > 0)) q->separation = 0;
    if (q->front) begin_front(q->front);
    if (!lt_query_has_front(q)) offer(q, 0, 0);
    q->next = find_next(q);
}

/* Pairs of the last front whose boxes are fitted, until one may meet. */
static uint32_t walk_front(lt_query *q, uint32_t grant) {
    uint32_t spent = 0;
    while (q->pair_count == 0 && lt_query_has_front(q) && front_cost(q) == 0 &&
           LT_QUERY_FRONT_UNITS <= grant - spent) {
        lt_node_pair p = next_of_front(q);
        q->front->next++;
        spent += LT_QUERY_FRONT_UNITS;
        offer(q, p.a, p.b);
    }
    return spent;
}

/* One pair of boxes that is open. */
static void walk_on(lt_query *q, const lt_query_split *r) {
    if (r->a_side || r->b_side) {
        refine(q, r);
        return;
    }
    q->pair_count--;
    keep_in_front(q, (lt_node_pair){r->a, r->b});
    meet_leaves(q, r->a, r->b);
}

/* Pairs of boxes that are open, until a batch is full or the grant spent; at least one. Returns what they
 * cost, and finds what comes next. */
static uint32_t walk(lt_query *q, uint32_t grant) {
    uint32_t spent = 0;
    if (q->pair_count == 0) {
        spent = walk_front(q, grant);
        q->next = find_next(q);
    }
    while (q->next.kind == PIECE_BOXES && q->pair_count > 0 && q->next.piece.cost <= grant - spent) {
        spent += q->next.piece.cost;
        walk_on(q, &q->next.split);
        q->next = find_next(q);
    }
    return spent;
}

/* Does what comes next, and finds what comes after it. Returns its cost. */
static uint32_t do_piece(lt_query *q, uint32_t grant) {
    uint32_t cost = q->next.piece.cost;
    switch ((piece_kind)q->next.kind) {
    case PIECE_TEST: do_test(q); break;
    case PIECE_FILTER:
        filter(q);
        find_test(q);
        break;
    case PIECE_REFRESH:
        lt_multiscale_refresh(q->a, next_of_front(q).a);
        lt_multiscale_refresh(q->b, next_of_front(q).b);
        break;
    case PIECE_OPEN: open_boxes(q, &q->next.split); break;
    case PIECE_BOXES: return walk(q, grant);
    case PIECE_DONE: return 0;
    }
    q->next = find_next(q);
    return cost;
}

uint32_t lt_query_step(lt_query *query, uint32_t grant) {
    lt_query *q = query;
    lt_work work = q->next.piece.work;
    uint32_t spent = 0;
    while (q->next.kind != PIECE_DONE && q->next.piece.work == work && q->next.piece.cost <= grant - spent)
        spent += do_piece(q, grant - spent);
    if (q->next.kind == PIECE_DONE && q->front) q->front->is_whole = true;
    return spent;
}

static lt_piece peek_query(const void *state) {
    return lt_query_peek(state);
}

static uint32_t step_query(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    return lt_query_step(state, grant);
}

lt_cursor lt_query_cursor(lt_query *query) {
    return (lt_cursor){query, peek_query, step_query};
}
