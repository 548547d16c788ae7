/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes from governors: the bounds against a linear program and against points, boxes against the surface whatever the nodes do,
 * the cursor cut at every unit, boxes on demand, the whole tree refitted, the same bits at every level.
 * labels: golden wasm */

#include "bound/bound.h"
#include "bound/multiscale.h"

#include "check.h"

#include "bake/tree_fixture.h"
#include "bench/whole/whole.h"
#include "core/hash.h"
#include "failing_allocator.h"

/* ---- one governor against an oracle ---- */

enum { BATCH = 200, POINTS = 50 };

/* As many tets as records, each with a box of its own: all that the kernels read. */
typedef struct bench {
    uint32_t tets[BATCH][4], governors[BATCH], nodes_of_groups[BATCH];
    lt_multiscale_group groups[BATCH + 1];
    float records[BATCH][8];
    lt_multiscale_node boxes[BATCH];
    float points[BATCH][POINTS][4]; /* weights */
    float nodes[4 * BATCH][4];
    lt_multiscale_tree tree;
    lt_carrier carrier;
} bench;

static void random_weights(float out[4], lt_random *random) {
    double w[4], sum = 0;
    for (int k = 0; k < 4; k++)
        sum += w[k] = lt_random_below(random, 5) ? random_d(random, 0, 1) : 0;
    for (int k = 0; k < 4; k++)
        out[k] = (float)(sum > 0 ? w[k] / sum : 0.25);
}

/* `count` points make a record: an interval, or for one and two the points themselves. */
static void fill_record(bench *b, uint32_t i, uint32_t count) {
    float *r = b->records[i];
    for (uint32_t p = 0; p < POINTS; p++)
        for (int k = 0; k < 4; k++)
            if (p >= count) b->points[i][p][k] = b->points[i][p % count][k];
    for (int k = 0; k < 4; k++) {
        r[k] = b->points[i][0][k];
        r[4 + k] = b->points[i][count <= 2 ? count - 1 : 0][k];
        for (uint32_t p = 0; p < count && count > 2; p++) {
            r[k] = lt_min_f(r[k], b->points[i][p][k]);
            r[4 + k] = lt_max_f(r[4 + k], b->points[i][p][k]);
        }
    }
    b->groups[i] = (lt_multiscale_group){i, count <= 2 ? i : i + 1};
}

static void fill_bench(bench *b, lt_random *random) {
    double reach = random_d(random, 0, 1) < 0.5 ? 0 : 100, size = random_d(random, 0.01, 2);
    for (uint32_t i = 0; i < BATCH; i++) {
        lt_dvec3 middle = random_d3(random, reach);
        for (uint32_t k = 0; k < 4; k++) {
            lt_dvec3 x = lt_d3_add(middle, random_d3(random, size));
            const float node[4] = {(float)x.x, (float)x.y, (float)x.z, 7}; /* the fourth means nothing */
            memcpy(b->nodes[4 * i + k], node, sizeof node);
            if (k > 0 && lt_random_below(random, 8) == 0) b->nodes[4 * i + k][0] = b->nodes[4 * i][0];
            b->tets[i][k] = 4 * i + k;
        }
        for (uint32_t p = 0; p < POINTS; p++)
            random_weights(b->points[i][p], random);
        uint32_t count = 1 + lt_random_below(random, lt_random_below(random, 2) ? 5 : POINTS);
        fill_record(b, i, count);
        b->governors[i] = b->nodes_of_groups[i] = i;
        b->boxes[i] = (lt_multiscale_node){LT_NONE, i, 1};
    }
    b->groups[BATCH] = (lt_multiscale_group){BATCH, BATCH};
    b->tree = (lt_multiscale_tree){.nodes = b->boxes,
                                   .above = b->governors, /* none of them; arrays of a tree are never NULL */
                                   .groups = b->groups,
                                   .group_nodes = b->nodes_of_groups,
                                   .records = &b->records[0][0],
                                   .record_governors = b->governors,
                                   .governors = b->governors,
                                   .node_count = BATCH,
                                   .group_count = BATCH,
                                   .cut_count = BATCH,
                                   .record_count = BATCH,
                                   .governor_count = BATCH};
    b->carrier = (lt_carrier){.tets = &b->tets[0][0], .tet_count = BATCH, .node_count = 4 * BATCH};
}

static lt_box box_of_nodes(const float *nodes, uint32_t count) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < count; i++)
        box = lt_box_add_point(box, (lt_vec3){nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2]});
    return box;
}

/* The least of Σ w x with a ≤ w ≤ b, Σ w = 1: all corners of that polytope have three weights at their
 * bounds. */
static double least_by_corners(const float *a, const float *b, const double x[4]) {
    double least = 1e300;
    for (int free = 0; free < 4; free++)
        for (uint32_t bits = 0; bits < 16; bits++) {
            double w[4], rest = 1, sum = 0;
            if (bits >> free & 1) continue;
            for (int k = 0; k < 4; k++) {
                w[k] = (double)(bits >> k & 1 ? b[k] : a[k]);
                if (k != free) rest -= w[k];
            }
            if (rest < (double)a[free] - 1e-7 || rest > (double)b[free] + 1e-7) continue;
            w[free] = rest;
            for (int k = 0; k < 4; k++)
                sum += w[k] * x[k];
            least = lt_min_d(least, sum);
        }
    return least;
}

/* (8) of the paper, x sorted: b₀x₀ + (1 − b₀ − a₂ − a₃) x₁ + a₂x₂ + a₃x₃. *is_exact: where 1 − b₀ − a₂ − a₃ ≤
 * b₁ and ≥ a₁. */
static double least_as_printed(const float *a, const float *b, const double x[4], bool *is_exact) {
    int order[4] = {0, 1, 2, 3};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3 - i; k++)
            if (x[order[k]] > x[order[k + 1]]) {
                int swap = order[k];
                order[k] = order[k + 1];
                order[k + 1] = swap;
            }
    double b0 = (double)b[order[0]], a2 = (double)a[order[2]], a3 = (double)a[order[3]];
    double second = 1 - b0 - a2 - a3;
    *is_exact = second <= (double)b[order[1]] && second >= (double)a[order[1]];
    return b0 * x[order[0]] + second * x[order[1]] + a2 * x[order[2]] + a3 * x[order[3]];
}

/* One side of one box: `sign` −1 is the other side. */
static void check_side(const bench *b, uint32_t i, int axis, double sign, double dual, double exact,
                       double tets, double slack) {
    const float *a = b->records[i];
    bool is_exact, of_points = b->groups[i].points == i;
    double x[4], least_point = 1e300, least_node = 1e300, tolerance = 2 * slack;
    for (int k = 0; k < 4; k++) {
        x[k] = sign * (double)b->nodes[4 * i + (uint32_t)k][axis];
        least_node = lt_min_d(least_node, x[k]);
    }
    for (uint32_t p = 0; p < POINTS; p++) {
        double at = 0;
        for (int k = 0; k < 4; k++)
            at += (double)b->points[i][p][k] * x[k];
        least_point = lt_min_d(least_point, at);
    }
    double printed = least_as_printed(a, a + 4, x, &is_exact);
    double least = of_points ? least_point : least_by_corners(a, a + 4, x);
    CHECK_NEAR(exact, least - slack, tolerance);
    CHECK_NEAR(dual, (of_points ? least_point : printed) - slack, tolerance);
    if (is_exact) CHECK_NEAR(dual, least - slack, tolerance);
    CHECK_NEAR(tets, least_node - slack, tolerance);
    CHECK(dual <= least_point && exact <= least_point && tets <= least_point);
    CHECK(dual <= exact + tolerance && tets <= exact + tolerance);
}

static void bounds_are_those_of_a_linear_program(void) {
    bench *b = LT_NEW(NULL, 1, bench);
    lt_random random = lt_random_seed(1);
    for (int round = 0; round < 100; round++) {
        lt_multiscale m[LT_BOUND_COUNT];
        fill_bench(b, &random);
        for (int bound = 0; bound < LT_BOUND_COUNT; bound++) {
            CHECK_FATAL(lt_multiscale_create(&m[bound], &b->tree, &b->carrier, (lt_multiscale_bound)bound,
                                             lt_simd_best(), NULL, NULL) == LT_OK);
            lt_multiscale_begin(&m[bound], &b->nodes[0][0], NULL, box_of_nodes(&b->nodes[0][0], 4 * BATCH));
            lt_multiscale_fit(&m[bound]);
        }
        for (uint32_t i = 0; i < BATCH; i++)
            for (int side = 0; side < 6; side++) {
                int lane = side % 3 + side / 3 * 4;
                check_side(b, i, side % 3, side < 3 ? 1 : -1,
                           (double)lt_multiscale_lanes(&m[LT_BOUND_DUAL], i)[lane],
                           (double)lt_multiscale_lanes(&m[LT_BOUND_EXACT], i)[lane],
                           (double)lt_multiscale_lanes(&m[LT_BOUND_TETS], i)[lane], (double)m[0].slack);
            }
        for (int bound = 0; bound < LT_BOUND_COUNT; bound++)
            lt_multiscale_free(&m[bound]);
    }
    LT_DELETE(NULL, b, 1, bench);
}

/* By hand: x = 0, 1, 2, 3 and weights in [0.1, 0.4] each: 0.4·0 + 0.4·1 + 0.1·2 + 0.1·3 = 0.9, where (8) says
 * 0.4·0 + (1 − 0.4 − 0.1 − 0.1)·1 + 0.1·2 + 0.1·3 = 0.9, too; with b₁ = 0.2 the program gives 1.1 and (8)
 * still 0.9. */
static void two_bounds_by_hand(void) {
    bench *b = LT_NEW(NULL, 1, bench);
    lt_random random = lt_random_seed(2);
    fill_bench(b, &random);
    const float wide[8] = {0.1f, 0.1f, 0.1f, 0.1f, 0.4f, 0.4f, 0.4f, 0.4f};
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(b->records[i], wide, sizeof wide);
        b->groups[i].points = i + 1;
        for (uint32_t k = 0; k < 4; k++)
            b->nodes[4 * i + k][0] = (float)k;
    }
    b->records[1][5] = 0.2f;
    static const double expected[2][2] = {{0.9, 0.9}, {0.9, 1.1}}; /* by record; dual, exact */
    for (int bound = LT_BOUND_DUAL; bound <= LT_BOUND_EXACT; bound++) {
        lt_multiscale m;
        CHECK_FATAL(lt_multiscale_create(&m, &b->tree, &b->carrier, (lt_multiscale_bound)bound,
                                         lt_simd_best(), NULL, NULL) == LT_OK);
        lt_multiscale_begin(&m, &b->nodes[0][0], NULL, (lt_box){{0, 0, 0}, {0, 0, 0}});
        lt_multiscale_fit(&m);
        for (uint32_t i = 0; i < 2; i++)
            CHECK_NEAR(lt_multiscale_box(&m, i).lo.x, expected[i][bound], 1e-6);
        lt_multiscale_free(&m);
    }
    LT_DELETE(NULL, b, 1, bench);
}

/* ---- the surface of a body that moves ---- */

typedef struct mover {
    tree_fixture f;
    lt_multiscale m;
    float *from, *to; /* [node_count][4] */
} mover;

static void mover_unmake(mover *v) {
    LT_DELETE(NULL, v->from, 4 * (size_t)v->f.carrier.node_count, float);
    LT_DELETE(NULL, v->to, 4 * (size_t)v->f.carrier.node_count, float);
    lt_multiscale_free(&v->m);
}

static void mover_free(mover *v) {
    mover_unmake(v);
    tree_fixture_free(&v->f);
}

/* Of the fixture in it. */
static bool mover_make(mover *v, lt_multiscale_bound bound, lt_simd_level level) {
    v->m = (lt_multiscale){0};
    v->from = LT_NEW(NULL, 4 * (size_t)v->f.carrier.node_count, float);
    v->to = LT_NEW(NULL, 4 * (size_t)v->f.carrier.node_count, float);
    return lt_multiscale_create(&v->m, &v->f.tree, &v->f.carrier, bound, level, NULL, NULL) == LT_OK;
}

/* Anywhere near or far, turned, stretched, mirrored, crushed, shaken. */
static void place_nodes(float *out, const lt_carrier *carrier, lt_random *random) {
    affine a = random_rigid(random, lt_random_below(random, 4) ? 1 : 100);
    double noise = lt_random_below(random, 2) ? random_d(random, 0, 0.5) : 0;
    uint32_t kind = lt_random_below(random, 4);
    if (kind == 0) a.m.c0 = lt_d3_scale(a.m.c0, random_d(random, -2, 2));
    if (kind == 1) a.m = lt_dm3_scale(a.m, lt_random_below(random, 2) ? 0 : 0.01);
    for (uint32_t i = 0; i < carrier->node_count; i++) {
        lt_dvec3 x =
            lt_d3_add(move_affine(&a, ((const lt_dvec3 *)carrier->rest)[i]), random_d3(random, noise));
        const float node[4] = {(float)x.x, (float)x.y, (float)x.z, NAN}; /* never looked at */
        memcpy(out + 4 * (size_t)i, node, sizeof node);
    }
}

/* The same step for `m`, which is the mover's own or another of the same tree. */
static void begin_for(lt_multiscale *m, const mover *v, bool moves) {
    uint32_t count = v->f.carrier.node_count;
    lt_box box = box_of_nodes(v->from, count);
    if (moves) box = lt_box_union(box, box_of_nodes(v->to, count));
    lt_multiscale_begin(m, v->from, moves ? v->to : NULL, box);
}

static void begin_step(mover *v, bool moves) {
    begin_for(&v->m, v, moves);
}

static lt_dvec3 point_at(const mover *v, uint32_t point, double time) {
    lt_dvec3 sum = {0, 0, 0};
    for (size_t k = 4 * (size_t)point; k < 4 * ((size_t)point + 1); k++) {
        const float *a = v->from + 4 * (size_t)v->f.tree.ids[k], *b = v->to + 4 * (size_t)v->f.tree.ids[k];
        lt_dvec3 x = {(1 - time) * (double)a[0] + time * (double)b[0],
                      (1 - time) * (double)a[1] + time * (double)b[1],
                      (1 - time) * (double)a[2] + time * (double)b[2]};
        sum = lt_d3_mad(sum, x, (double)v->f.tree.weights[k]);
    }
    return sum;
}

static bool holds(lt_box box, lt_dvec3 p) {
    return p.x >= (double)box.lo.x && p.x <= (double)box.hi.x && p.y >= (double)box.lo.y &&
           p.y <= (double)box.hi.y && p.z >= (double)box.lo.z && p.z <= (double)box.hi.z;
}

/* Corners of the triangles of a node that are outside of its box at a time. */
static uint32_t count_outside(const mover *v, uint32_t node, double time) {
    const lt_multiscale_node *n = v->f.tree.nodes + node;
    uint32_t outside = 0;
    for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++)
        outside += !holds(lt_multiscale_box(&v->m, node), point_at(v, v->f.tree.triangles[i], time));
    return outside;
}

static void check_boxes(mover *v, lt_random *random, bool moves) {
    const lt_multiscale_tree *t = &v->f.tree;
    uint32_t outside = 0;
    lt_multiscale_fit(&v->m);
    for (int opened = 0; opened < 2; opened++) {
        for (uint32_t node = 0; node < t->node_count; node++) {
            if (!lt_multiscale_box_is_fresh(&v->m, node)) continue;
            outside += count_outside(v, node, 0);
            if (!moves) continue;
            outside += count_outside(v, node, 1) + count_outside(v, node, random_d(random, 0, 1));
        }
        for (uint32_t node = 0; node < t->node_count; node++) /* all boxes from records first */
            if (t->links[node].bunch == LT_NONE) lt_multiscale_open(&v->m, node);
        if (opened == 0) continue;
        for (uint32_t node = 0; node < t->node_count; node++)
            lt_multiscale_open(&v->m, node);
        for (uint32_t node = 0; node < t->node_count; node++)
            outside += count_outside(v, node, 0) + (moves ? count_outside(v, node, 1) : 0);
    }
    CHECK_COUNT(outside, 0);
}

/* Under one bound, some random steps. */
static void check_motions(mover *v, lt_multiscale_bound bound, lt_random *random) {
    CHECK_FATAL(mover_make(v, bound, lt_simd_best()));
    for (int round = 0; round < 6; round++) {
        bool moves = round % 3 != 0;
        place_nodes(v->from, &v->f.carrier, random);
        place_nodes(v->to, &v->f.carrier, random);
        begin_step(v, moves);
        check_boxes(v, random, moves);
    }
    mover_unmake(v);
}

/* A ball, one that leaves its carrier, triangles larger than tets, an open surface with triangles twice, a
 * boundary. */
static bool make_surface(lt_surface *out, int kind) {
    *out = (lt_surface){0};
    return kind < 2    ? make_ball(out, 2, kind ? 0.55 : 0.4)
           : kind == 2 ? make_large_box(out)
                       : make_open_and_double(out);
}

static void boxes_hold_the_surface(void) {
    lt_random random = lt_random_seed(3);
    for (int kind = 0; kind < 5; kind++) {
        lt_surface surface;
        mover v;
        CHECK_FATAL(make_surface(&surface, kind));
        CHECK_FATAL(tree_fixture_of(&v.f, shape_in_block(kind < 4 ? &surface : NULL, 2), kind < 4 ? 0 : 2));
        for (int bound = 0; bound < LT_BOUND_COUNT; bound++)
            check_motions(&v, (lt_multiscale_bound)bound, &random);
        tree_fixture_free(&v.f);
        lt_surface_free(&surface);
    }
}

/* ---- the cursor ---- */

static bool same_boxes(const lt_multiscale *a, const lt_multiscale *b) {
    return memcmp(a->boxes, b->boxes, 32 * (size_t)a->tree->node_count) == 0 &&
           memcmp(a->stamps, b->stamps, sizeof(uint32_t) * (size_t)a->tree->node_count) == 0;
}

/* Cut after every piece, or anywhere: the same boxes, for the same units. */
static void units_change_nothing(void) {
    lt_random random = lt_random_seed(4);
    mover v;
    lt_multiscale cut;
    CHECK_FATAL(ball_in_block(&v.f, 3, 3, 0) && mover_make(&v, LT_BOUND_DUAL, lt_simd_best()));
    CHECK_FATAL(lt_multiscale_create(&cut, &v.f.tree, &v.f.carrier, LT_BOUND_DUAL, lt_simd_best(), NULL,
                                     NULL) == LT_OK);
    CHECK_COUNT(lt_multiscale_cost(&cut), 0);
    for (int round = 0; round < 6; round++) {
        uint64_t at_once = 0, in_pieces = 0;
        place_nodes(v.from, &v.f.carrier, &random);
        place_nodes(v.to, &v.f.carrier, &random);
        begin_step(&v, round != 3);
        for (uint32_t spent; (spent = lt_multiscale_step(&v.m, UINT32_MAX)) > 0;)
            at_once += spent;
        begin_for(&cut, &v, round != 3);
        while (lt_multiscale_cost(&cut) > 0) {
            uint32_t cost = lt_multiscale_cost(&cut);
            CHECK_COUNT(lt_multiscale_step(&cut, cost - 1), 0);
            uint32_t grant = round < 4 ? cost : cost + lt_random_below(&random, 300);
            uint32_t spent = lt_multiscale_step(&cut, grant);
            CHECK(spent >= cost && spent <= grant);
            in_pieces += spent;
        }
        CHECK_COUNT(lt_multiscale_step(&cut, UINT32_MAX), 0);
        CHECK(at_once == in_pieces);
        CHECK(same_boxes(&v.m, &cut));
    }
    lt_multiscale_free(&cut);
    mover_free(&v);
}

/* ---- on demand ---- */

static void boxes_are_fitted_when_asked_for(void) {
    lt_random random = lt_random_seed(5);
    mover v;
    CHECK_FATAL(ball_in_block(&v.f, 4, 2, 0) && mover_make(&v, LT_BOUND_DUAL, lt_simd_best()));
    const lt_multiscale_tree *t = &v.f.tree;
    place_nodes(v.from, &v.f.carrier, &random);
    place_nodes(v.to, &v.f.carrier, &random);
    begin_step(&v, true);
    lt_multiscale_fit(&v.m);
    uint32_t fresh = 0;
    for (uint32_t node = 0; node < t->node_count; node++)
        fresh += lt_multiscale_box_is_fresh(&v.m, node);
    CHECK_COUNT(fresh, t->above_count + t->cut_count);
    CHECK_COUNT(lt_multiscale_open_cost(&v.m, 0), 0);
    uint32_t node = t->group_nodes[t->cut_count]; /* the first below the cut */
    CHECK(lt_multiscale_refresh_cost(&v.m, node) > 0);
    lt_multiscale_refresh(&v.m, node);
    CHECK_COUNT(lt_multiscale_refresh_cost(&v.m, node), 0);
    CHECK_COUNT(v.m.fitted_count, 1);
    lt_multiscale_refresh(&v.m, node);
    CHECK_COUNT(v.m.fitted_count, 1);
    const lt_multiscale_bunch *bunch = &t->bunches[t->bunch_count / 2];
    uint32_t inside = t->nodes[bunch->node].child + bunch->below_count - 1;
    CHECK(lt_multiscale_refresh_cost(&v.m, inside) == lt_multiscale_open_cost(&v.m, bunch->node));
    lt_multiscale_refresh(&v.m, inside); /* whatever is stale above it */
    CHECK_COUNT(v.m.evaluated_count, 1);
    CHECK_COUNT(lt_multiscale_open_cost(&v.m, bunch->node), 0);
    begin_step(&v, true); /* all is stale again */
    CHECK(!lt_multiscale_box_is_fresh(&v.m, inside) && !lt_multiscale_box_is_fresh(&v.m, 0));
    mover_free(&v);
}

/* A leaf on the cut is fitted, and yet its triangles are not evaluated until it is opened. */
static void leaves_on_the_cut_are_not_evaluated(void) {
    lt_random random = lt_random_seed(6);
    mover v;
    uint32_t seen = 0;
    CHECK_FATAL(tree_fixture_of(&v.f, shape_in_block(NULL, 2), 1) &&
                mover_make(&v, LT_BOUND_DUAL, lt_simd_best()));
    place_nodes(v.from, &v.f.carrier, &random);
    begin_step(&v, false);
    lt_multiscale_fit(&v.m);
    for (uint32_t g = 0; g < v.f.tree.cut_count; g++) {
        uint32_t node = v.f.tree.group_nodes[g], bunch = v.f.tree.links[node].bunch;
        if (v.f.tree.nodes[node].child != LT_NONE || lt_multiscale_bunch_is_fresh(&v.m, bunch)) continue;
        seen++;
        CHECK(lt_multiscale_box_is_fresh(&v.m, node));
        CHECK(lt_multiscale_open_cost(&v.m, node) > 0);
        lt_multiscale_open(&v.m, node);
        CHECK(lt_multiscale_bunch_is_fresh(&v.m, bunch));
        const uint32_t *corners = v.f.tree.triangles + 3 * (size_t)v.f.tree.nodes[node].first;
        for (int k = 0; k < 3; k++) {
            lt_dvec3 p = point_at(&v, corners[k], 0);
            lt_vec3 evaluated = lt_multiscale_position(&v.m, corners[k], 0);
            CHECK_NEAR(lt_d3_distance(lt_d3_from_v3(evaluated), p), 0, v.m.slack);
        }
    }
    CHECK(seen > 0);
    mover_free(&v);
}

/* What is evaluated bunch by bunch is what is refitted at once, bit for bit, and within what records allow. */
static void the_whole_is_the_sum_of_its_bunches(void) {
    lt_random random = lt_random_seed(7);
    mover v;
    lt_multiscale whole;
    CHECK_FATAL(ball_in_block(&v.f, 3, 3, 0) && mover_make(&v, LT_BOUND_EXACT, lt_simd_best()));
    CHECK_FATAL(lt_multiscale_create(&whole, &v.f.tree, &v.f.carrier, LT_BOUND_EXACT, lt_simd_best(), NULL,
                                     NULL) == LT_OK);
    const lt_multiscale_tree *t = &v.f.tree;
    for (int round = 0; round < 4; round++) {
        uint32_t outside = 0, differing = 0;
        place_nodes(v.from, &v.f.carrier, &random);
        place_nodes(v.to, &v.f.carrier, &random);
        begin_step(&v, true);
        lt_multiscale_fit(&v.m);
        begin_for(&whole, &v, true);
        lt_multiscale_refit_whole(&whole, NULL);
        for (uint32_t node = 0; node < t->node_count; node++) {
            if (t->links[node].bunch == LT_NONE) lt_multiscale_open(&v.m, node);
            CHECK(lt_multiscale_box_is_fresh(&whole, node));
            if (!lt_multiscale_box_is_fresh(&v.m, node)) continue;
            for (int lane = 0; lane < 8; lane++)
                outside += lt_multiscale_lanes(&whole, node)[lane] + whole.slack <
                           lt_multiscale_lanes(&v.m, node)[lane];
        }
        for (uint32_t bunch = 0; bunch < t->bunch_count; bunch++) {
            lt_multiscale_open(&v.m, t->bunches[bunch].node);
            CHECK(lt_multiscale_bunch_is_fresh(&whole, bunch));
        }
        for (uint32_t node = 0; node < t->node_count; node++)
            differing += t->links[node].bunch != LT_NONE &&
                         memcmp(lt_multiscale_lanes(&whole, node), lt_multiscale_lanes(&v.m, node), 32) != 0;
        differing += memcmp(whole.positions, v.m.positions, 32 * (size_t)t->point_count) != 0;
        CHECK_COUNT(outside, 0);
        CHECK_COUNT(differing, 0);
    }
    lt_multiscale_free(&whole);
    mover_free(&v);
}

/* In order, and with the corners of leaves each once: the same bits. Some leaves of what is open and double have more corners than
 * there is room for. */
static void an_order_changes_nothing(void) {
    lt_random random = lt_random_seed(8);
    uint32_t more = 0;
    for (int kind = 0; kind < 3; kind++) {
        mover v;
        lt_surface surface = {0};
        lt_multiscale plain;
        lt_multiscale_order order;
        CHECK_FATAL(kind == 0 ? make_open_and_double(&surface) : make_ball(&surface, (uint32_t)kind, 0.4));
        CHECK_FATAL(tree_fixture_of(&v.f, shape_in_block(&surface, kind == 0 ? 1 : 3), kind == 2 ? 1 : 0));
        CHECK_FATAL(mover_make(&v, LT_BOUND_DUAL, lt_simd_best()));
        lt_multiscale_tree *t = &v.f.tree;
        CHECK_FATAL(lt_multiscale_order_create(&order, t, NULL, NULL) == LT_OK);
        CHECK_FATAL(lt_multiscale_create(&plain, t, &v.f.carrier, LT_BOUND_DUAL, lt_simd_best(), NULL,
                                         NULL) == LT_OK);
        CHECK_COUNT(order.above_begin[t->bunch_count], t->bunch_count - 1); /* each once */
        place_nodes(v.from, &v.f.carrier, &random);
        place_nodes(v.to, &v.f.carrier, &random);
        begin_step(&v, true);
        lt_multiscale_refit_whole(&v.m, &order);
        begin_for(&plain, &v, true);
        lt_multiscale_refit_whole(&plain, NULL);
        CHECK(memcmp(plain.boxes, v.m.boxes, 32 * (size_t)t->node_count) == 0);
        for (uint32_t node = 0; node < t->node_count; node++) {
            CHECK(lt_multiscale_box_is_fresh(&v.m, node));
            more += order.nodes[node] == LT_NONE;
        }
        lt_multiscale_order_free(&order);
        lt_multiscale_free(&plain);
        mover_free(&v);
        lt_surface_free(&surface);
    }
    CHECK(more > 0);
}

static void orders_without_memory_are_none(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 1, 1, 0));
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status == LT_STATUS_MEMORY && allowed < 9; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_multiscale_order order;
        status = lt_multiscale_order_create(&order, &f.tree, &allocator, NULL);
        CHECK(status == LT_OK || !order.nodes);
        lt_multiscale_order_free(&order);
        CHECK_COUNT(out.blocks_out, 0);
    }
    CHECK(status == LT_OK);
    tree_fixture_free(&f);
}

/* ---- all levels ---- */

static uint64_t hash_of_boxes(const tree_fixture *f, int bound, lt_simd_level level) {
    lt_random random = lt_random_seed(8);
    mover v = {.f = *f};
    uint64_t hash = LT_HASH_SEED;
    if (!mover_make(&v, (lt_multiscale_bound)bound, level)) return 0;
    for (int round = 0; round < 3; round++) {
        place_nodes(v.from, &f->carrier, &random);
        place_nodes(v.to, &f->carrier, &random);
        begin_step(&v, round > 0);
        lt_multiscale_fit(&v.m);
        for (uint32_t node = 0; node < f->tree.node_count; node += 1 + node % 3)
            lt_multiscale_open(&v.m, node);
        hash = lt_hash_bytes(hash, v.m.boxes, 32 * (size_t)f->tree.node_count);
    }
    mover_unmake(&v);
    return hash;
}

static void all_levels_give_the_same_bits(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 2, 2, 3));
    check_golden("multiscale-tree", lt_shape_hash(f.shape));
    for (int bound = 0; bound < LT_BOUND_COUNT; bound++) {
        uint64_t scalar = hash_of_boxes(&f, bound, LT_LEVEL_SCALAR);
        char name[32];
        snprintf(name, sizeof name, "multiscale-boxes-%d", bound);
        check_golden(name, scalar);
        for (lt_simd_level level = LT_LEVEL_WIDE4; level <= lt_simd_best(); level++)
            CHECK(hash_of_boxes(&f, bound, level) == scalar);
    }
    tree_fixture_free(&f);
}

static void stamps_may_run_over(void) {
    lt_random random = lt_random_seed(10);
    mover v;
    CHECK_FATAL(ball_in_block(&v.f, 1, 1, 0) && mover_make(&v, LT_BOUND_DUAL, lt_simd_best()));
    place_nodes(v.from, &v.f.carrier, &random);
    v.m.stamp = UINT32_MAX - 2;
    for (int round = 0; round < 5; round++) {
        begin_step(&v, false);
        CHECK(!lt_multiscale_box_is_fresh(&v.m, 0) && !lt_multiscale_bunch_is_fresh(&v.m, 0));
        lt_multiscale_fit(&v.m);
        CHECK(lt_multiscale_box_is_fresh(&v.m, 0));
        lt_multiscale_open(&v.m, v.f.tree.bunches[0].node);
        CHECK(lt_multiscale_bunch_is_fresh(&v.m, 0));
    }
    mover_free(&v);
}

static void bodies_without_memory_have_no_boxes(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 1, 1, 0));
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 20; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_multiscale m;
        status =
            lt_multiscale_create(&m, &f.tree, &f.carrier, LT_BOUND_DUAL, LT_LEVEL_SCALAR, &allocator, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && !m.tree && out.blocks_out == 0));
        lt_multiscale_free(&m);
        CHECK_COUNT(out.blocks_out, 0);
        CHECK_COUNT(out.bytes_out, 0);
    }
    CHECK(status == LT_OK);
    tree_fixture_free(&f);
}

int main(void) {
    RUN(bounds_are_those_of_a_linear_program);
    RUN(two_bounds_by_hand);
    RUN(boxes_hold_the_surface);
    RUN(units_change_nothing);
    RUN(boxes_are_fitted_when_asked_for);
    RUN(leaves_on_the_cut_are_not_evaluated);
    RUN(the_whole_is_the_sum_of_its_bunches);
    RUN(an_order_changes_nothing);
    RUN(orders_without_memory_are_none);
    RUN(all_levels_give_the_same_bits);
    RUN(stamps_may_run_over);
    RUN(bodies_without_memory_have_no_boxes);
    return check_finish();
}
