/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Is a contact ever missed? Two hundred steps of a ball in a block of tets, bent out of all shape: every node on its own, one
 * half folded over the other, sides pinched through each other, an end turned inside out and back within the step, twisted.
 * Half of them are of two bodies, half of one with itself. The contacts must be those of all pairs of triangles; what the
 * lemma of papers/003 loses as it is printed is told beside them, with its flags and with masks. */

#include "multiscale_internal.h"

#include "bake/icosahedral.h"
#include "core/random.h"
#include "scenes/generate.h"
#include "scenes/trigonometry.h"

#include <stdio.h>
#include <stdlib.h>

enum { CONFIGURATIONS = 200, CELLS = 3, SUBDIVISIONS = 2 };

typedef enum motion_kind { NOISE, FOLD, PINCH, INVERT, TWIST, FOLD_WITH_NOISE, KIND_COUNT } motion_kind;
static const char *const kind_names[KIND_COUNT] = {"noise", "fold",          "pinch", "inside out and back",
                                                   "twist", "fold and noise"};

/* ---- motions ---- */

static double between(lt_random *random, double lo, double hi) {
    return (double)lt_random_range(random, (float)lo, (float)hi);
}

static lt_dvec3 anywhere(lt_random *random, double reach) {
    double x = between(random, -reach, reach), y = between(random, -reach, reach);
    return (lt_dvec3){x, y, between(random, -reach, reach)};
}

/* The half beyond the middle, turned about a line above the block. */
static lt_dvec3 fold_at(lt_dvec3 x, double angle) {
    double beyond = x.x - 0.5, s, c;
    if (beyond < 0) return x;
    lt_sin_cos(angle, &s, &c);
    return (lt_dvec3){0.5 + beyond * c - (x.z - 1.05) * s, x.y, x.z + beyond * s + (x.z - 1.05) * (c - 1)};
}

static lt_dvec3 twist_at(lt_dvec3 x, double angle) {
    double s, c, u = x.x - 0.5, v = x.y - 0.5;
    lt_sin_cos(angle * (x.z - 0.5), &s, &c);
    return (lt_dvec3){0.5 + c * u - s * v, 0.5 + s * u + c * v, x.z};
}

static lt_dvec3 pinch_at(lt_dvec3 x, double by) {
    double side = x.y < 0.5 ? 1 : -1, near = lt_max_d(0, 1 - 4 * fabs(x.x - 0.5));
    return (lt_dvec3){x.x, x.y + side * by * near, x.z};
}

/* diag(-1, -2, 1) at the end of the step: its determinant is negative half way only. */
static lt_dvec3 invert_at(lt_dvec3 x, double time) {
    if (time == 0 || x.z < 0.7) return x;
    return (lt_dvec3){1 - x.x, 1.5 - 2 * x.y, x.z};
}

/* A place of the block at time 0 or 1; p is from -1 to 1. */
static lt_dvec3 deform(motion_kind kind, lt_dvec3 x, double time, double p) {
    switch (kind) {
    case FOLD: return fold_at(x, (3.1 + 0.7 * p) * (0.7 + 0.3 * time));
    case FOLD_WITH_NOISE: return fold_at(x, (3.1 + 0.5 * p) * (0.9 + 0.1 * time));
    case PINCH: return pinch_at(x, 0.3 + 0.3 * p + 0.1 * time);
    case TWIST: return twist_at(x, 6 * p + 0.3 * time);
    case INVERT: return invert_at(x, time);
    default: return x;
    }
}

static void move_body(lt_fine_body *body, motion_kind kind, double reach, lt_random *random) {
    double p = between(random, -1, 1), noise = 0, jump = 0;
    if (kind == NOISE || kind == FOLD_WITH_NOISE || lt_random_below(random, 2))
        noise = kind == NOISE ? between(random, 0.2, 0.6) : between(random, 0, 0.08);
    if (lt_random_below(random, 2)) jump = between(random, 0, 0.15);
    lt_dvec3 place = anywhere(random, reach);
    for (uint32_t i = 0; i < body->dense->carrier.node_count; i++) {
        lt_dvec3 x = lt_fine_rest(body, i), off = lt_d3_add(place, anywhere(random, noise));
        lt_fine_put(body->from, i, lt_d3_add(deform(kind, x, 0, p), off));
        off = lt_d3_add(off, anywhere(random, jump));
        lt_fine_put(body->to, i, lt_d3_add(deform(kind, x, 1, p), off));
    }
    lt_fine_body_measure(body);
}

/* ---- all pairs ---- */

static lt_box box_of(const lt_multiscale *m, uint32_t triangle, float separation) {
    lt_box box = lt_box_empty();
    for (uint32_t k = 0; k < 6; k++)
        box = lt_box_add_point(
            box, lt_multiscale_position(m, m->tree->triangles[3 * (size_t)triangle + k % 3], k / 3));
    return lt_box_inflate(box, m->slack + separation);
}

/* Every triangle with every other; only those whose boxes are apart are not tested to the end. */
static void meet_all(lt_fine_pair *all, lt_box *boxes) {
    bool self = all->a == all->b;
    uint32_t count = all->a->dense->tree.triangle_count;
    lt_fine_body *bodies[2] = {all->a, all->b};
    for (int i = 0; i < 2; i++) {
        lt_multiscale *m = &bodies[i]->boxes;
        lt_multiscale_begin(m, bodies[i]->from, bodies[i]->to, bodies[i]->box);
        lt_multiscale_refit_whole(m, &bodies[i]->dense->order);
        for (uint32_t k = 0; k < count; k++)
            boxes[(uint32_t)i * count + k] = box_of(m, k, all->query.separation);
    }
    all->query.meeting_count = all->query.dropped_count = 0;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = self ? a + 1 : 0; b < count; b++)
            if (lt_box_overlap(boxes[a], boxes[count + b])) lt_query_test_triangles(&all->query, a, b);
}

static int by_features(const void *x, const void *y) {
    const lt_meeting *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int k = 0; k < 4; k++)
        if (a->points[k] != b->points[k]) return a->points[k] < b->points[k] ? -1 : 1;
    return 0;
}

/* Of one surface a face and a vertex are a vertex and a face. */
static void sort_meetings(lt_query *q) {
    for (uint32_t i = 0; i < q->meeting_count && q->a == q->b; i++)
        if (q->meetings[i].kind == LT_MEET_FACE_VERTEX) q->meetings[i].kind = LT_MEET_VERTEX_FACE;
    if (q->meeting_count > 1) qsort(q->meetings, q->meeting_count, sizeof *q->meetings, by_features);
}

typedef struct difference {
    uint64_t contacts, missing, extra;
} difference;

/* Both sorted; what is not the same to the last bit counts as missing and as extra. */
static void compare(difference *sum, const lt_query *found, const lt_query *all) {
    uint32_t i = 0, k = 0;
    sum->contacts += all->meeting_count;
    while (i < found->meeting_count || k < all->meeting_count) {
        const lt_meeting *f = &found->meetings[i], *a = &all->meetings[k];
        int order = i == found->meeting_count ? 1 : k == all->meeting_count ? -1 : by_features(f, a);
        bool differs = order == 0 && (f->time != a->time || f->distance != a->distance);
        sum->extra += order < 0 || differs;
        sum->missing += order > 0 || differs;
        i += order <= 0;
        k += order >= 0;
    }
}

/* ---- the configurations ---- */

enum { SAFE, PAPER_MASKS, PAPER_FLAGS, LEMMA_COUNT };

typedef struct arena {
    lt_fine_shape dense;
    lt_fine_body a[LEMMA_COUNT], b; /* the same body, by what the tets are asked */
    lt_fine_pair own[LEMMA_COUNT], both;
    lt_fine_pair all; /* scratch of the comparison */
    lt_box *boxes;    /* [2][triangle_count] */
    lt_allocator allocator;
} arena;

static lt_status make_ball(lt_fine_shape *out, lt_bench *bench, lt_error *error) {
    const uint32_t cells[3] = {CELLS, CELLS, CELLS};
    lt_tet_mesh block = {0};
    lt_surface ball = {0};
    *out = (lt_fine_shape){0};
    lt_status status =
        lt_generate_tet_block(&block, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, &bench->allocator, error);
    if (status == LT_OK) status = lt_generate_icosphere(&ball, 0.42, SUBDIVISIONS, &bench->allocator, error);
    for (uint32_t i = 0; i < ball.vertex_count; i++) /* off the planes of the cells */
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){0.503f, 0.507f, 0.498f});
    if (status == LT_OK) status = lt_fine_shape_of(out, bench, &block, &ball, error);
    lt_tet_mesh_free(&block);
    lt_surface_free(&ball);
    return status;
}

static lt_status create_arena(arena *s, lt_bench *bench, lt_error *error) {
    static const lt_self_def defs[LEMMA_COUNT] = {
        {LT_SELF_SAFE, LT_SELF_BITS_MAX}, {LT_SELF_PAPER, LT_SELF_BITS_MAX}, {LT_SELF_PAPER, 1}};
    *s = (arena){.allocator = bench->allocator};
    lt_status status = make_ball(&s->dense, bench, error);
    for (int i = 0; i < LEMMA_COUNT && status == LT_OK; i++) {
        status = lt_fine_body_create(&s->a[i], &s->dense, NULL, LT_BOUND_DUAL, &defs[i], error);
        if (status == LT_OK) status = lt_fine_pair_create(&s->own[i], &s->a[i], &s->a[i], error);
    }
    if (status == LT_OK) status = lt_fine_body_create(&s->b, &s->dense, NULL, LT_BOUND_DUAL, NULL, error);
    if (status == LT_OK) status = lt_fine_pair_create(&s->both, &s->a[SAFE], &s->b, error);
    if (status == LT_OK) status = lt_fine_pair_create(&s->all, &s->a[SAFE], &s->b, error);
    if (status != LT_OK) return status;
    s->boxes = LT_NEW(&s->allocator, 2 * (size_t)s->dense.tree.triangle_count, lt_box);
    return s->boxes ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "no memory for boxes of triangles");
}

static void free_arena(arena *s) {
    LT_DELETE(&s->allocator, s->boxes, 2 * (size_t)s->dense.tree.triangle_count, lt_box);
    lt_fine_pair_free(&s->all);
    lt_fine_pair_free(&s->both);
    for (int i = 0; i < LEMMA_COUNT; i++) {
        lt_fine_pair_free(&s->own[i]);
        lt_fine_body_free(&s->a[i]);
    }
    lt_fine_body_free(&s->b);
    lt_fine_shape_free(&s->dense);
}

/* Brute force of the same two bodies as `pair`. */
static void find_all(arena *s, lt_fine_pair *pair) {
    lt_meeting *meetings = s->all.query.meetings;
    s->all.a = pair->a;
    s->all.b = pair->b;
    s->all.query = pair->query;
    s->all.query.meetings = meetings;
    meet_all(&s->all, s->boxes);
    sort_meetings(&s->all.query);
}

static void try_bodies(arena *s, motion_kind kind, lt_random *random, difference *sum) {
    move_body(&s->a[SAFE], kind, 0.25, random);
    move_body(&s->b, NOISE, 0.25, random);
    s->both.query.separation = lt_random_below(random, 2) ? 0.01f : 0;
    lt_fine_step(&s->both, LT_FINE_MULTISCALE);
    sort_meetings(&s->both.query);
    find_all(s, &s->both);
    compare(sum, &s->both.query, &s->all.query);
}

static void try_itself(arena *s, motion_kind kind, lt_random *random, difference sums[LEMMA_COUNT]) {
    move_body(&s->a[SAFE], kind, 1, random);
    for (int i = 0; i < LEMMA_COUNT; i++) {
        if (i != SAFE) lt_fine_body_follow(&s->a[i], &s->a[SAFE]);
        lt_fine_step(&s->own[i], LT_FINE_MULTISCALE);
        sort_meetings(&s->own[i].query);
        if (i == SAFE) find_all(s, &s->own[i]); /* its query asks what touches at rest, as here */
        compare(&sums[i], &s->own[i].query, &s->all.query);
    }
}

static void add_row(lt_bench *bench, motion_kind kind, const difference *bodies,
                    const difference own[LEMMA_COUNT]) {
    char label[64];
    snprintf(label, sizeof label, "contacts, %s", kind_names[kind]);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "two_bodies", (double)bodies->contacts);
    lt_bench_number(bench, "missing", (double)bodies->missing);
    lt_bench_number(bench, "extra", (double)bodies->extra);
    lt_bench_number(bench, "with_itself", (double)own[SAFE].contacts);
    lt_bench_number(bench, "own_missing", (double)own[SAFE].missing);
    lt_bench_number(bench, "own_extra", (double)own[SAFE].extra);
    lt_bench_number(bench, "paper_flags_miss", (double)own[PAPER_FLAGS].missing);
    lt_bench_number(bench, "paper_masks_miss", (double)own[PAPER_MASKS].missing);
}

static void try_all(lt_bench *bench, arena *s) {
    lt_random random = lt_random_seed(2007);
    difference bodies[KIND_COUNT] = {0}, own[KIND_COUNT][LEMMA_COUNT] = {0};
    uint64_t missing = 0, extra = 0, empty = 0;
    uint32_t rounds = bench->quick ? 2 * KIND_COUNT : CONFIGURATIONS / 2;
    for (uint32_t i = 0; i < rounds; i++) {
        try_bodies(s, (motion_kind)(i % KIND_COUNT), &random, &bodies[i % KIND_COUNT]);
        try_itself(s, (motion_kind)(i % KIND_COUNT), &random, own[i % KIND_COUNT]);
    }
    for (int i = 0; i < KIND_COUNT; i++) {
        add_row(bench, (motion_kind)i, &bodies[i], own[i]);
        missing += bodies[i].missing + own[i][SAFE].missing;
        extra += bodies[i].extra + own[i][SAFE].extra;
        empty += (bodies[i].contacts == 0) + (own[i][SAFE].contacts == 0);
    }
    lt_bench_check_value(bench, "multiscale.contacts-missing", (double)missing, "==", 0);
    lt_bench_check_value(bench, "multiscale.contacts-extra", (double)extra, "==", 0);
    lt_bench_check_value(bench, "multiscale.contacts-kinds-without-any", (double)empty, "==", 0);
}

lt_status lt_fine_sets(lt_bench *bench, lt_error *error) {
    arena s;
    lt_status status = create_arena(&s, bench, error);
    if (status == LT_OK) try_all(bench, &s);
    free_arena(&s);
    return status;
}
