/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Table 2 of papers/003: what one frame of the knot costs in the mean, in six ways.
 *
 *   full refit          a tree over triangles that are not cut at tets, refitted from them up; every box may meet every other
 *   hash of triangles   the boxes of the same triangles in a spatial hash; no tree
 *   as printed          the paper's own, which the next two leave something out of: the boxes of eight triangles each are fitted in
 *                       every step (its level 4), those below down to leaves when a query comes there, all from intervals;
 *                       a flag a tet, neighbours never flagged
 *   without intervals   a box is that of its tets, whatever part of them it holds (the paper's "without k-DOP")
 *   without preparation the intervals cut a piece out of a tet: its corners, constant weights, are evaluated one by one: what the
 *                       paper's sorting saves, and here the vectors that are prepared once per tet. The corners stand in the
 *                       tree in place of the intervals, as the points of small boxes do: the library's own loops run over them
 *   as it is            a cut of few boxes, bunches of triangles evaluated at once, a mark a pair: so much of what intervals and
 *                       preparation are for is gone that leaving these out changes it by a twentieth, which tells nothing of them
 *
 * The first two ask every triangle about its neighbours; the others are told by the tets not to. Those two are compared with the
 * last one, what is left out with what is printed.
 *
 * The paper has 7.4 and 1.5 for what is left out. Here, without intervals twelve times as many boxes are tested, and without
 * preparation fitting takes 2.3 times as long; but a test of boxes takes 7 ns, and fitting a fortieth of the whole. Most of what is
 * printed is to evaluate and test the triangles that flags let through, the same in all three: 1.7 and 1.06 of the whole. */

#include "multiscale_internal.h"

#include <stdio.h>

/* ---- the paper's tree ---- */

enum { PRINTED_TRIANGLES = 8 }; /* of a box on the level that is fitted in every step */

/* Another way to fit the boxes of a tree. */
typedef struct printed_tree {
    lt_multiscale_tree tree;
    uint32_t limit; /* pieces of a box on the level */
    lt_array links, above, groups, group_nodes, records, governors, bunches, guests;
    uint32_t *governor_of; /* [tet_count]; LT_NONE: none */
    uint32_t tet_count;
    lt_allocator allocator;
} printed_tree;

typedef struct interval {
    uint32_t governor;
    float numbers[LT_RECORD_NUMBERS];
} interval;

/* Weights of a point on a tet; false: it hangs on other nodes as well. */
static bool weights_on(float out[4], const lt_multiscale_tree *tree, uint32_t point, const uint32_t *tet) {
    for (int k = 0; k < 4; k++)
        out[k] = 0;
    for (size_t i = 4 * (size_t)point; i < 4 * (size_t)point + 4; i++) {
        int corner = 0;
        if (tree->weights[i] == 0) continue;
        while (corner < 4 && tet[corner] != tree->ids[i])
            corner++;
        if (corner == 4) return false;
        out[corner] += tree->weights[i];
    }
    return true;
}

/* The governor of a corner: the tet of its triangle, or else the first that holds it. */
static uint32_t governor_at(float weights[4], const printed_tree *t, const lt_carrier *carrier,
                            uint32_t triangle, uint32_t point) {
    uint32_t tet = t->tree.triangle_tets[triangle];
    if (tet != LT_NONE && weights_on(weights, &t->tree, point, carrier->tets + 4 * (size_t)tet))
        return t->governor_of[tet];
    for (uint32_t i = 0; i < t->tree.governor_count; i++)
        if (weights_on(weights, &t->tree, point, carrier->tets + 4 * (size_t)t->tree.governors[i])) return i;
    return LT_NONE;
}

/* False: no room, or a corner without a governor. */
static bool put_intervals(printed_tree *t, const lt_carrier *carrier, uint32_t node) {
    interval found[3 * 64];
    uint32_t count = 0;
    const lt_multiscale_node *n = t->tree.nodes + node;
    for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++) {
        float w[4];
        uint32_t governor = governor_at(w, t, carrier, i / 3, t->tree.triangles[i]), at = 0;
        if (governor == LT_NONE) return false;
        while (at < count && found[at].governor != governor)
            at++;
        for (int k = 0; k < 4; k++) {
            float *lo = &found[at].numbers[k], *hi = &found[at].numbers[4 + k];
            *lo = at < count ? lt_min_f(*lo, w[k]) : w[k];
            *hi = at < count ? lt_max_f(*hi, w[k]) : w[k];
        }
        found[at].governor = governor;
        count = lt_max_u32(count, at + 1);
    }
    bool has_room = true;
    for (uint32_t i = 0; i < count; i++)
        has_room = lt_array_push(&t->records, found[i].numbers) &&
                   lt_array_push(&t->governors, &found[i].governor) && has_room;
    return has_room;
}

static bool put_printed_group(printed_tree *t, const lt_carrier *carrier, uint32_t node) {
    uint32_t first = (uint32_t)t->records.count;
    lt_multiscale_link *links = t->links.items;
    links[node].group = (uint32_t)t->group_nodes.count;
    if (!put_intervals(t, carrier, node)) return false;
    return lt_array_push(&t->groups, &(lt_multiscale_group){first, (uint32_t)t->records.count}) &&
           lt_array_push(&t->group_nodes, &node);
}

/* A leaf is a bunch of its own, whose points are all guests. */
static bool put_leaf(printed_tree *t, uint32_t node) {
    const lt_multiscale_node *n = t->tree.nodes + node;
    lt_multiscale_bunch bunch = {node, 0, t->tree.point_count, (uint32_t)t->guests.count};
    lt_multiscale_link *links = t->links.items;
    bool has_room = true;
    links[node].bunch = (uint32_t)t->bunches.count;
    for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++)
        has_room = lt_array_push(&t->guests, &t->tree.triangles[i]) && has_room;
    return lt_array_push(&t->bunches, &bunch) && has_room;
}

static bool is_on_level(const printed_tree *t, uint32_t node) {
    uint32_t parent = t->tree.links[node].parent;
    return t->tree.nodes[node].count <= t->limit &&
           (parent == LT_NONE || t->tree.nodes[parent].count > t->limit);
}

static bool put_boxes(printed_tree *t, const lt_carrier *carrier) {
    const lt_multiscale_tree *tree = &t->tree;
    bool done = true;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        lt_multiscale_link link = {tree->links[node].parent, LT_NONE, LT_NONE};
        done = lt_array_push(&t->links, &link) && done;
    }
    for (uint32_t node = tree->node_count; done && node-- > 0;)
        if (tree->nodes[node].count > t->limit) done = lt_array_push(&t->above, &node);
    for (uint32_t node = 0; done && node < tree->node_count; node++)
        if (is_on_level(t, node)) done = put_printed_group(t, carrier, node);
    t->tree.cut_count = (uint32_t)t->group_nodes.count;
    for (uint32_t node = 0; done && node < tree->node_count; node++)
        if (tree->nodes[node].count <= t->limit && !is_on_level(t, node))
            done = put_printed_group(t, carrier, node);
    for (uint32_t node = 0; done && node < tree->node_count; node++)
        if (tree->nodes[node].child == LT_NONE) done = put_leaf(t, node);
    lt_multiscale_group last = {(uint32_t)t->records.count, (uint32_t)t->records.count};
    lt_multiscale_bunch end = {0, 0, tree->point_count, (uint32_t)t->guests.count};
    return done && lt_array_push(&t->groups, &last) && lt_array_push(&t->bunches, &end);
}

static void free_printed(printed_tree *t) {
    lt_array *arrays[] = {&t->links,   &t->above,     &t->groups,  &t->group_nodes,
                          &t->records, &t->governors, &t->bunches, &t->guests};
    for (size_t i = 0; i < LT_COUNT_OF(arrays); i++)
        lt_array_free(arrays[i]);
    LT_DELETE(&t->allocator, t->governor_of, t->tet_count, uint32_t);
}

static lt_status make_printed(printed_tree *out, lt_bench *bench, const lt_fine_shape *dense,
                              lt_error *error) {
    const lt_allocator *a = &bench->allocator;
    printed_tree *t = out;
    *t = (printed_tree){.tree = dense->tree,
                        .limit = (uint32_t)(PRINTED_TRIANGLES * (uint64_t)dense->tree.triangle_count /
                                            dense->skin.triangle_count),
                        .links = LT_ARRAY_OF(a, lt_multiscale_link),
                        .above = LT_ARRAY_OF(a, uint32_t),
                        .groups = LT_ARRAY_OF(a, lt_multiscale_group),
                        .group_nodes = LT_ARRAY_OF(a, uint32_t),
                        .records = lt_array_make(a, LT_RECORD_NUMBERS * sizeof(float)),
                        .governors = LT_ARRAY_OF(a, uint32_t),
                        .bunches = LT_ARRAY_OF(a, lt_multiscale_bunch),
                        .guests = LT_ARRAY_OF(a, uint32_t),
                        .tet_count = dense->carrier.tet_count,
                        .allocator = *a};
    t->limit = lt_min_u32(t->limit, 64);
    t->governor_of = LT_NEW(a, t->tet_count, uint32_t);
    for (uint32_t i = 0; t->governor_of && i < t->tet_count; i++)
        t->governor_of[i] = LT_NONE;
    for (uint32_t i = 0; t->governor_of && i < t->tree.governor_count; i++)
        t->governor_of[t->tree.governors[i]] = i;
    if (!t->governor_of || !put_boxes(t, &dense->carrier))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the boxes of the paper");
    t->tree.links = t->links.items;
    t->tree.above = t->above.items;
    t->tree.groups = t->groups.items;
    t->tree.group_nodes = t->group_nodes.items;
    t->tree.records = t->records.items;
    t->tree.record_governors = t->governors.items;
    t->tree.bunches = t->bunches.items;
    t->tree.guests = t->guests.items;
    t->tree.above_count = (uint32_t)t->above.count;
    t->tree.group_count = (uint32_t)t->group_nodes.count;
    t->tree.record_count = (uint32_t)t->records.count;
    t->tree.bunch_count = (uint32_t)t->bunches.count - 1;
    t->tree.guest_count = (uint32_t)t->guests.count;
    return LT_OK;
}

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

/* ---- six ways ---- */

enum { FULL, HASH, NO_INTERVALS, NO_PREPARATION, PRINTED, OURS, WAY_COUNT };

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
    [PRINTED] = {"as printed", NULL, 42.4, LT_FINE_MULTISCALE, LT_BOUND_DUAL},
    [OURS] = {"as it is", NULL, 42.4, LT_FINE_MULTISCALE, LT_BOUND_DUAL}};

typedef struct contender {
    lt_fine_body body;
    lt_fine_pair pair;
    lt_fine_times sum;
    uint64_t box_tests, contacts;
} contender;

static bool is_printed(int which) {
    return which == NO_INTERVALS || which == NO_PREPARATION || which == PRINTED;
}

static lt_status create_contender(contender *c, const lt_fine_shape *dense, const lt_fine_shape *plain,
                                  const printed_tree *printed, const corner_tree *corners, int which,
                                  lt_error *error) {
    static const lt_self_def flags = {.lemma = LT_SELF_PAPER, .mask_bits = 1};
    const lt_multiscale_tree *tree = which == NO_PREPARATION ? &corners->tree
                                     : is_printed(which)     ? &printed->tree
                                                             : NULL;
    lt_status status = lt_fine_body_create(&c->body, which <= HASH ? plain : dense, tree, ways[which].bound,
                                           is_printed(which) ? &flags : NULL, error);
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
        double times = c->sum.whole_us / all[is_printed(i) ? PRINTED : OURS].sum.whole_us;
        lt_bench_number(bench, "times_ours", c->sum.whole_us / all[OURS].sum.whole_us);
        lt_bench_number(bench, "times_printed", c->sum.whole_us / all[PRINTED].sum.whole_us);
        if (is_printed(i)) {
            lt_bench_number(bench, "fit_times_printed", c->sum.fit_us / all[PRINTED].sum.fit_us);
            lt_bench_number(bench, "boxes_times_printed",
                            (double)c->box_tests / (double)all[PRINTED].box_tests);
        }
        lt_bench_number(bench, "paper_ms", ways[i].paper_ms);
        lt_bench_number(bench, "paper_times", ways[i].paper_ms / ways[OURS].paper_ms);
        if (!ways[i].check) continue;
        double bar = ways[i].paper_ms / ways[OURS].paper_ms;
        if (bench->quick)
            lt_bench_check_absent(bench, ways[i].check, ">=", bar, "time is not judged: no --quick");
        else
            lt_bench_check_value(bench, ways[i].check, times, ">=", bar);
    }
}

lt_status lt_fine_table(lt_bench *bench, lt_error *error) {
    lt_fine_shape dense, plain = {0};
    printed_tree printed = {0};
    corner_tree corners = {0};
    contender all[WAY_COUNT] = {0};
    uint32_t stride = bench->quick ? 24 : 4, frames = 0;
    lt_status status = lt_fine_knot(&dense, bench, error);
    if (status == LT_OK) status = lt_fine_shape_plain(&plain, bench, &dense, error);
    if (status == LT_OK) status = make_printed(&printed, bench, &dense, error);
    if (status == LT_OK) status = make_corners(&corners, bench, &printed.tree, error);
    for (int i = 0; i < WAY_COUNT && status == LT_OK; i++)
        status = create_contender(&all[i], &dense, &plain, &printed, &corners, i, error);
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
    free_printed(&printed);
    lt_fine_shape_free(&plain);
    lt_fine_shape_free(&dense);
    return status;
}
