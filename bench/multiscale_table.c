/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Table 2 of papers/003: what one frame of the knot costs in the mean, in five ways.
 *
 *   full refit          a tree over triangles that are not cut at tets, refitted from them up; every box may meet every other
 *   hash of triangles   the boxes of the same triangles in a spatial hash; no tree
 *   without intervals   a box is that of its tets, whatever part of them it holds (the paper's "without k-DOP")
 *   without preparation the intervals cut a piece out of a tet: its corners, constant weights, are evaluated one by one. What the
 *                       paper's sorting saves, and here the vectors that are prepared once per tet. The corners stand in the
 *                       tree in place of the intervals, as the points of small boxes do: the library's own loops run over them
 *   as it is
 *
 * The first two ask every triangle about its neighbours; the others are told by the tets not to. */

#include "multiscale_parts.h"

#include <stdio.h>

/* ---- a tree with corners in place of intervals ---- */

typedef struct corner_tree {
    lt_multiscale_tree tree;
    lt_array groups, records, governors;
} corner_tree;

typedef struct corner_list {
    float weights[32][4];
    uint32_t count;
} corner_list;

static bool is_there(const corner_list *c, const float w[4]) {
    for (uint32_t i = 0; i < c->count; i++) {
        float apart = 0;
        for (int k = 0; k < 4; k++)
            apart = lt_max_f(apart, fabsf(c->weights[i][k] - w[k]));
        if (apart < 1e-6f) return true;
    }
    return false;
}

/* Of { a ≤ w ≤ b, Σ w = 1 }: three weights at an end of their intervals, the fourth within its own. */
static corner_list corners_of(const float a[4], const float b[4]) {
    corner_list c = {.count = 0};
    for (int free = 0; free < 4; free++)
        for (int ends = 0; ends < 8; ends++) {
            float w[4], sum = 0;
            for (int k = 0, bit = 0; k < 4; k++) {
                if (k == free) continue;
                w[k] = ends >> bit++ & 1 ? b[k] : a[k];
                sum += w[k];
            }
            w[free] = 1 - sum;
            if (w[free] < a[free] - 1e-6f || w[free] > b[free] + 1e-6f || is_there(&c, w)) continue;
            for (int k = 0; k < 4; k++)
                c.weights[c.count][k] = w[k];
            c.count++;
        }
    return c;
}

static bool put_record(corner_tree *t, const float first[4], const float second[4], uint32_t governor) {
    float numbers[LT_RECORD_NUMBERS];
    for (int k = 0; k < 4; k++) {
        numbers[k] = first[k];
        numbers[4 + k] = second[k];
    }
    return lt_array_push(&t->records, numbers) && lt_array_push(&t->governors, &governor);
}

/* Two to a record. */
static bool put_corners(corner_tree *t, const float *record, uint32_t governor) {
    corner_list c = corners_of(record, record + 4);
    bool has_room = true;
    for (uint32_t i = 0; i < c.count; i += 2)
        has_room =
            put_record(t, c.weights[i], c.weights[lt_min_u32(i + 1, c.count - 1)], governor) && has_room;
    return has_room;
}

static bool put_group(corner_tree *t, const lt_multiscale_tree *from, uint32_t group) {
    const lt_multiscale_group *g = &from->groups[group];
    lt_multiscale_group moved = {(uint32_t)t->records.count, (uint32_t)t->records.count};
    bool has_room = lt_array_push(&t->groups, &moved);
    if (group == from->group_count) return has_room;
    for (uint32_t i = g->first; i < g[1].first; i++) {
        const float *record = from->records + LT_RECORD_NUMBERS * (size_t)i;
        uint32_t governor = from->record_governors[i];
        has_room = (i < g->points ? put_corners(t, record, governor)
                                  : put_record(t, record, record + 4, governor)) &&
                   has_room;
    }
    return has_room;
}

static lt_status make_corners(corner_tree *out, lt_bench *bench, const lt_multiscale_tree *from,
                              lt_error *error) {
    bool has_room = true;
    *out = (corner_tree){.tree = *from,
                         .groups = LT_ARRAY_OF(&bench->allocator, lt_multiscale_group),
                         .records = lt_array_make(&bench->allocator, LT_RECORD_NUMBERS * sizeof(float)),
                         .governors = LT_ARRAY_OF(&bench->allocator, uint32_t)};
    for (uint32_t i = 0; i <= from->group_count && has_room; i++)
        has_room = put_group(out, from, i);
    out->tree.groups = out->groups.items;
    out->tree.records = out->records.items;
    out->tree.record_governors = out->governors.items;
    out->tree.record_count = (uint32_t)out->records.count;
    return has_room ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "no memory for the corners of intervals");
}

static void free_corners(corner_tree *t) {
    lt_array_free(&t->groups);
    lt_array_free(&t->records);
    lt_array_free(&t->governors);
}

/* ---- five ways ---- */

enum { FULL, HASH, NO_INTERVALS, NO_PREPARATION, OURS, WAY_COUNT };

typedef struct way {
    const char *label, *check;
    double paper_ms;
    lt_fine_way way;
    lt_multiscale_bound bound;
} way;

static const way ways[WAY_COUNT] = {
    [FULL] = {"full refit", "multiscale.table-full-refit", 282.5, LT_FINE_REFIT, LT_BOUND_DUAL},
    [HASH] = {"hash of triangles", "multiscale.table-hash", 111.9, LT_FINE_HASH, LT_BOUND_DUAL},
    [NO_INTERVALS] = {"without intervals", "multiscale.table-no-intervals", 314.8, LT_FINE_MULTISCALE,
                      LT_BOUND_TETS},
    [NO_PREPARATION] = {"without preparation", "multiscale.table-no-preparation", 62.4, LT_FINE_MULTISCALE,
                        LT_BOUND_EXACT},
    [OURS] = {"as it is", NULL, 42.4, LT_FINE_MULTISCALE, LT_BOUND_DUAL}};

typedef struct contender {
    lt_fine_body body;
    lt_fine_pair pair;
    lt_fine_times sum;
    uint64_t box_tests, contacts;
} contender;

static lt_status create_contender(contender *c, const lt_fine_shape *dense, const lt_fine_shape *plain,
                                  const corner_tree *corners, int which, lt_error *error) {
    const lt_multiscale_tree *tree = which == NO_PREPARATION ? &corners->tree : NULL;
    lt_status status =
        lt_fine_body_create(&c->body, which <= HASH ? plain : dense, tree, ways[which].bound, NULL, error);
    if (status == LT_OK) status = lt_fine_pair_create(&c->pair, &c->body, &c->body, error);
    if (status == LT_OK && which == HASH) status = lt_fine_pair_reserve_hash(&c->pair, error);
    return status;
}

static void time_contender(contender *c, int which, uint32_t repetitions) {
    lt_fine_times t = lt_fine_time_step(&c->pair, ways[which].way, repetitions);
    c->sum.fit_us += t.fit_us;
    c->sum.tets_us += t.tets_us;
    c->sum.query_us += t.query_us;
    c->sum.whole_us += t.whole_us;
    c->box_tests += c->pair.query.box_tests;
    c->contacts += c->pair.query.meeting_count;
}

static void add_results(lt_bench *bench, const contender *all, uint32_t frames) {
    double ours = all[OURS].sum.whole_us;
    for (int i = 0; i < WAY_COUNT; i++) {
        const contender *c = &all[i];
        char label[64];
        snprintf(label, sizeof label, "table 2, %s", ways[i].label);
        lt_bench_row_begin(bench, label);
        lt_bench_number(bench, "ms", 1e-3 * c->sum.whole_us / frames);
        lt_bench_number(bench, "fit_ms", 1e-3 * c->sum.fit_us / frames);
        lt_bench_number(bench, "tets_ms", 1e-3 * c->sum.tets_us / frames);
        lt_bench_number(bench, "query_ms", 1e-3 * c->sum.query_us / frames);
        lt_bench_number(bench, "box_tests", i == HASH ? 0 : (double)c->box_tests / frames);
        lt_bench_number(bench, "contacts", (double)c->contacts / frames);
        lt_bench_number(bench, "times_ours", c->sum.whole_us / ours);
        lt_bench_number(bench, "paper_ms", ways[i].paper_ms);
        lt_bench_number(bench, "paper_times", ways[i].paper_ms / ways[OURS].paper_ms);
        if (!ways[i].check) continue;
        double bar = ways[i].paper_ms / ways[OURS].paper_ms;
        if (bench->quick)
            lt_bench_check_absent(bench, ways[i].check, ">=", bar, "time is not judged: no --quick");
        else
            lt_bench_check_value(bench, ways[i].check, c->sum.whole_us / ours, ">=", bar);
    }
}

lt_status lt_fine_table(lt_bench *bench, lt_error *error) {
    lt_fine_shape dense, plain = {0};
    corner_tree corners = {0};
    contender all[WAY_COUNT] = {0};
    uint32_t stride = bench->quick ? 24 : 4, frames = 0;
    lt_status status = lt_fine_knot(&dense, bench, error);
    if (status == LT_OK) status = lt_fine_shape_plain(&plain, bench, &dense, error);
    if (status == LT_OK) status = make_corners(&corners, bench, &dense.tree, error);
    for (int i = 0; i < WAY_COUNT && status == LT_OK; i++)
        status = create_contender(&all[i], &dense, &plain, &corners, i, error);
    for (uint32_t frame = 0; frame < LT_FINE_FRAMES && status == LT_OK; frame += stride, frames++)
        for (int i = WAY_COUNT; i-- > 0;) {
            if (i == OURS)
                lt_fine_body_move(&all[i].body, lt_fine_knot_motion, frame);
            else
                lt_fine_body_follow(&all[i].body, &all[OURS].body);
            time_contender(&all[i], i, bench->quick ? 1 : LT_REPETITIONS);
        }
    if (status == LT_OK) add_results(bench, all, frames);
    for (int i = 0; i < WAY_COUNT; i++) {
        lt_fine_pair_free(&all[i].pair);
        lt_fine_body_free(&all[i].body);
    }
    free_corners(&corners);
    lt_fine_shape_free(&plain);
    lt_fine_shape_free(&dense);
    return status;
}
