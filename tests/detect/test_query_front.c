/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Queries that begin where the last one ended: over 200 frames of motion the contacts are those of queries from the roots, bit
 * for bit but for their order, of two bodies and of one with itself; also where queries are cut, or fronts have no room. */

#include "detect/moving_surface.h"

#include "check.h"

#include "detect/deformed.h"
#include "failing_allocator.h"

enum { FRAMES = 200, CAPACITY = 1 << 13, FRONT = 1 << 14 };

typedef struct stage {
    tree_fixture f;
    lt_surface_parts parts;
    lt_moving_surface bodies[2];
    float *nodes[2][2]; /* of a body at an end */
    lt_query query;
    lt_query_front front;
    lt_meeting *meetings[2]; /* from the roots, from the front */
    uint32_t counts[2];
    uint64_t box_tests[2];
    bool self;
} stage;

static bool stage_make(stage *s, bool self, uint32_t front_capacity) {
    const lt_surface_parts_def parts = {.with_itself = true};
    const lt_moving_surface_def def = {
        .with_itself = true, .marks = lt_self_def_default(), .level = lt_simd_best()};
    memset(s, 0, sizeof *s);
    s->self = self;
    bool made = ball_in_block(&s->f, 1, 2, 4) &&
                lt_surface_parts_create(&s->parts, s->f.shape, &s->f.carrier, &s->f.skin, &parts, NULL,
                                        NULL) == LT_OK &&
                lt_query_front_create(&s->front, front_capacity, NULL, NULL) == LT_OK;
    for (int i = 0; i < 2 && made; i++) {
        made = lt_moving_surface_create(&s->bodies[i], &s->parts, &s->f.carrier, &def, NULL, NULL) == LT_OK;
        for (int end = 0; end < 2; end++)
            s->nodes[i][end] = LT_NEW(NULL, 4 * (size_t)s->f.carrier.node_count, float);
        s->meetings[i] = LT_NEW(NULL, CAPACITY, lt_meeting);
    }
    s->query = (lt_query){.may_meet = lt_ccd_may_meet_for(lt_simd_best()), .capacity = CAPACITY};
    if (made) lt_moving_surface_query(&s->query, &s->bodies[0], &s->bodies[self ? 0 : 1]);
    return made;
}

static void stage_free(stage *s) {
    for (int i = 0; i < 2; i++) {
        lt_moving_surface_free(&s->bodies[i]);
        for (int end = 0; end < 2; end++)
            LT_DELETE(NULL, s->nodes[i][end], 4 * (size_t)s->f.carrier.node_count, float);
        LT_DELETE(NULL, s->meetings[i], CAPACITY, lt_meeting);
    }
    lt_query_front_free(&s->front);
    lt_surface_parts_free(&s->parts);
    tree_fixture_free(&s->f);
}

/* ---- motion ---- */

/* One folds and unfolds, the other comes from the side, goes in and back. */
static lt_dvec3 place_at(const stage *s, int body, lt_dvec3 x, double frame) {
    double wave = sin(0.016 * frame), sway = 0.02 * sin(0.1 * frame + 5 * x.z);
    if (s->self) return fold_at((lt_dvec3){x.x, x.y + sway, x.z}, 3.1 * wave * wave);
    return (lt_dvec3){x.x + (body ? 0.95 - 0.35 * wave : 0), x.y + sway, x.z + (body ? 0.07 : 0)};
}

static void move(stage *s, uint32_t frame) {
    for (int body = 0; body < 2; body++) {
        for (int end = 0; end < 2; end++)
            for (uint32_t i = 0; i < s->f.carrier.node_count; i++) {
                lt_dvec3 x = place_at(s, body, ((const lt_dvec3 *)s->f.carrier.rest)[i], (double)frame + end);
                const float node[4] = {(float)x.x, (float)x.y, (float)x.z, 0};
                memcpy(s->nodes[body][end] + 4 * (size_t)i, node, sizeof node);
            }
    }
}

static void prepare(stage *s) {
    for (int body = 0; body < (s->self ? 1 : 2); body++) {
        lt_moving_surface *m = &s->bodies[body];
        lt_moving_surface_begin(m, s->nodes[body][0], s->nodes[body][1],
                                box_of_motion(s->nodes[body][0], s->nodes[body][1], s->f.carrier.node_count));
        lt_surface_stage wanted = s->self ? LT_SURFACE_MARKED : LT_SURFACE_FITTED;
        while (lt_moving_surface_peek(m, wanted).cost > 0)
            lt_moving_surface_step(m, 0, UINT32_MAX);
    }
}

/* ---- queries ---- */

static int by_features(const void *x, const void *y) {
    const lt_meeting *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return memcmp(a->points, b->points, sizeof a->points);
}

/* In pieces of at most `grant`, `steps` of them at most. */
static void run(stage *s, int which, uint32_t grant, uint32_t steps) {
    lt_query *q = &s->query;
    prepare(s);
    q->front = which ? &s->front : NULL;
    q->meetings = s->meetings[which];
    lt_query_begin(q);
    for (; steps > 0 && lt_query_peek(q).cost > 0; steps--)
        lt_query_step(q, lt_max_u32(grant, lt_query_peek(q).cost));
    CHECK_COUNT(q->dropped_count, 0);
    s->counts[which] = q->meeting_count;
    s->box_tests[which] += q->box_tests;
    if (q->meeting_count > 1) qsort(q->meetings, q->meeting_count, sizeof *q->meetings, by_features);
}

static bool same_contacts(const stage *s) {
    return s->counts[0] == s->counts[1] &&
           memcmp(s->meetings[0], s->meetings[1], s->counts[0] * sizeof(lt_meeting)) == 0;
}

static void check_motion(stage *s) {
    uint32_t different = 0, in_contact = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        move(s, frame);
        run(s, 0, UINT32_MAX, UINT32_MAX);
        run(s, 1, frame % 3 ? UINT32_MAX : 300, UINT32_MAX);
        different += !same_contacts(s);
        in_contact += s->counts[0] > 0;
    }
    CHECK_COUNT(different, 0);
    CHECK(in_contact > FRAMES / 4 && in_contact < FRAMES);
}

static void contacts_are_the_same(void) {
    for (int self = 0; self < 2; self++) {
        stage s;
        CHECK_FATAL(stage_make(&s, self, FRONT));
        check_motion(&s);
        CHECK(s.box_tests[1] < s.box_tests[0]);
        stage_free(&s);
    }
}

/* Fronts that were cut or had no room are not taken. */
static void parts_of_fronts_are_forgotten(void) {
    stage s;
    CHECK_FATAL(stage_make(&s, false, 64));
    check_motion(&s);
    CHECK(s.front.is_lost || s.front.kept_count <= 64);
    stage_free(&s);
    CHECK_FATAL(stage_make(&s, false, FRONT));
    for (uint32_t frame = 0; frame < FRAMES; frame += 4) {
        move(&s, frame);
        run(&s, 1, 200, 1 + frame % 50); /* most of them are cut */
        move(&s, frame + 1);
        run(&s, 0, UINT32_MAX, UINT32_MAX);
        run(&s, 1, UINT32_MAX, UINT32_MAX);
        CHECK(same_contacts(&s));
    }
    stage_free(&s);
}

/* Where nothing moves it is not tested again what is above: and from time to time all is. */
static void a_front_is_shorter_than_the_way_to_it(void) {
    stage s;
    uint64_t first = 0, before = 0, fewer = 0;
    CHECK_FATAL(stage_make(&s, true, FRONT));
    move(&s, 98);
    for (uint32_t i = 0; i <= LT_QUERY_FRONT_AGE + 1; i++, before = s.box_tests[1]) {
        run(&s, 1, UINT32_MAX, UINT32_MAX);
        uint64_t tests = s.box_tests[1] - before;
        if (i == 0) first = tests;
        fewer += tests < first * 7 / 10;
        CHECK(tests == s.front.kept_count || i == 0 || i == LT_QUERY_FRONT_AGE + 1);
    }
    CHECK(first > 100);
    CHECK_COUNT(fewer, LT_QUERY_FRONT_AGE);
    lt_query_front_forget(&s.front);
    run(&s, 1, UINT32_MAX, UINT32_MAX);
    CHECK_COUNT(s.box_tests[1] - before, first);
    stage_free(&s);
}

static void no_memory_is_told(void) {
    for (int allowed = 0; allowed < 2; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_query_front front;
        lt_error error = {LT_OK, ""};
        CHECK(lt_query_front_create(&front, 100, &allocator, &error) == LT_STATUS_MEMORY && !front.pairs[0]);
        CHECK(error.message[0] != 0 && out.blocks_out == 0);
    }
}

int main(void) {
    RUN(contacts_are_the_same);
    RUN(parts_of_fronts_are_forgotten);
    RUN(a_front_is_shorter_than_the_way_to_it);
    RUN(no_memory_is_told);
    return check_finish();
}
