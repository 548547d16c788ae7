/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The clock's promise over random motions with renewals: a gap g that was found at t₁ is open at t₂ if now(t₂) < look(t₁) + g, of one
 * thing, and of two bodies seen from each other by three clocks. What trembles around a place uses nothing up. */

#include "check.h"
#include "core/random.h"
#include "pair/clock.h"

enum { STEPS = 400, WALKS = 60, NODES = 9 };

/* Rounding of places and distances, of motions of some metres. */
static const double ROUNDING = 1e-5;

static lt_vec3 random_place(lt_random *random, float size) {
    float x = lt_random_range(random, -size, size), y = lt_random_range(random, -size, size);
    return (lt_vec3){x, y, lt_random_range(random, -size, size)};
}

/* A way of four kinds: still, trembling, drifting, jumping; it changes now and then. */
typedef struct way {
    lt_vec3 at, home, drift;
    uint32_t kind;
} way;

static void go_on(way *w, lt_random *random) {
    if (lt_random_below(random, 30) == 0) {
        w->kind = lt_random_below(random, 4);
        w->home = w->at;
        w->drift = random_place(random, 0.02f);
    }
    if (w->kind == 1) w->at = lt_v3_add(w->home, random_place(random, 0.01f));
    if (w->kind == 2) w->at = lt_v3_add(w->at, w->drift);
    if (w->kind == 3 && lt_random_below(random, 8) == 0) w->at = random_place(random, 1);
}

/* ---- one thing ---- */

typedef struct seen {
    lt_vec3 at;
    double look;
} seen;

/* How much of the promise is used: 1 would be all. */
static double check_walk(lt_random *random, float reach) {
    static seen looks[STEPS];
    way w = {.kind = 2};
    lt_vec3 from = {0, 0, 0};
    double base = lt_random_range(random, 0, 3), closest = 0;
    for (uint32_t t = 0; t < STEPS; t++) {
        lt_clock_reading r;
        double base_before = base;
        float distance = lt_v3_distance(w.at, from);
        bool renewed = lt_clock_read(&r, &base, distance, reach);
        CHECK(renewed == (distance > reach) && (renewed || base == base_before));
        CHECK(r.look <= r.now && r.now >= base_before);
        if (renewed) from = w.at;
        looks[t] = (seen){w.at, r.look};
        for (uint32_t i = 0; i <= t; i++) {
            double came = (double)lt_v3_distance(w.at, looks[i].at), allowed = r.now - looks[i].look;
            if (!(came <= allowed + ROUNDING)) {
                CHECK_FAIL_MESSAGE("from step %u to %u %g m, the clock says %g", i, t, came, allowed);
                return 1;
            }
            if (allowed > 0.1) closest = lt_max_d(closest, came / allowed);
        }
        go_on(&w, random);
    }
    return closest;
}

static void no_way_is_longer_than_the_clock_says(void) {
    const float reaches[] = {0, 0.005f, 0.05f, 0.5f, 1e9f};
    lt_random random = lt_random_seed(51);
    for (uint32_t i = 0; i < LT_COUNT_OF(reaches); i++) {
        double closest = 0;
        for (uint32_t k = 0; k < WALKS / 5; k++)
            closest = lt_max_d(closest, check_walk(&random, reaches[i]));
        CHECK(closest > 0.4); /* and the clock does not run far ahead of what moves */
    }
}

/* What trembles by d around its snapshot lets a gap of 2 d stand for ever: now − look never grows above. */
static void trembling_uses_nothing_up(void) {
    lt_random random = lt_random_seed(52);
    double base = 1, first = 0, most = 0;
    for (uint32_t t = 0; t < 10000; t++) {
        lt_clock_reading r;
        float distance = lt_v3_length(random_place(&random, 0.005f));
        CHECK(!lt_clock_read(&r, &base, distance, 0.01f));
        if (t == 0) first = r.look;
        most = lt_max_d(most, r.now - first);
    }
    CHECK(base == 1);
    CHECK_NEAR(most, 0.0135, 0.0045); /* the corners of two cubes */
}

/* ---- two bodies ---- */

typedef struct clocked {
    way mean;
    way nodes[NODES]; /* less the mean */
    lt_vec3 from[NODES];
    double base;
    lt_clock_reading clock;
} clocked;

static lt_vec3 place_of(const clocked *b, uint32_t node) {
    return lt_v3_add(b->mean.at, b->nodes[node].at);
}

static void read_body(clocked *b, float reach) {
    float most = 0;
    for (uint32_t i = 0; i < NODES; i++)
        most = lt_max_f(most, lt_v3_distance(b->nodes[i].at, b->from[i]));
    if (!lt_clock_read(&b->clock, &b->base, most, reach)) return;
    for (uint32_t i = 0; i < NODES; i++)
        b->from[i] = b->nodes[i].at;
}

static double gap_between(const clocked *a, const clocked *b, uint32_t i, uint32_t k) {
    return (double)lt_v3_distance(place_of(a, i), place_of(b, k));
}

typedef struct pair_look {
    double look;
    float gaps[NODES][NODES];
} pair_look;

/* As the engine adds clocks up: the pair's, of means seen from each other, and those of both bodies. */
static uint32_t check_pair(lt_random *random, float reach) {
    static pair_look looks[STEPS];
    clocked a = {.base = 0.5}, b = {.base = 0.25, .mean.at = {1, 0, 0}};
    lt_vec3 from = {0, 0, 0};
    double base = 0;
    uint32_t proven = 0;
    for (uint32_t t = 0; t < STEPS / 4; t++) {
        lt_clock_reading r;
        lt_vec3 way_between = lt_v3_sub(b.mean.at, a.mean.at);
        read_body(&a, reach);
        read_body(&b, reach);
        if (t == 0) from = way_between;
        if (lt_clock_read(&r, &base, lt_v3_distance(way_between, from), reach)) from = way_between;
        r = lt_clock_add(lt_clock_add(r, a.clock), b.clock);
        looks[t].look = r.look;
        for (uint32_t i = 0; i < NODES * NODES; i++) {
            double now = gap_between(&a, &b, i / NODES, i % NODES);
            looks[t].gaps[i / NODES][i % NODES] = (float)now;
            for (uint32_t s = 0; s < t; s++) {
                double then = (double)looks[s].gaps[i / NODES][i % NODES];
                if (!(r.now < looks[s].look + then - ROUNDING)) continue;
                proven++;
                if (now > 0) continue;
                CHECK_FAIL_MESSAGE("a gap of %g m of step %u is closed in step %u", then, s, t);
            }
            /* and more than open: what was used up is no less than what is gone */
            for (uint32_t s = 0; s < t; s++)
                if ((double)looks[s].gaps[i / NODES][i % NODES] - now > r.now - looks[s].look + ROUNDING)
                    CHECK_FAIL_MESSAGE("from step %u to %u a gap shrinks faster than the clock runs", s, t);
        }
        go_on(&a.mean, random);
        go_on(&b.mean, random);
        for (uint32_t i = 0; i < NODES; i++) {
            go_on(&a.nodes[i], random);
            go_on(&b.nodes[i], random);
        }
    }
    return proven;
}

static void gaps_stand_as_long_as_clocks_say(void) {
    const float reaches[] = {0, 0.01f, 0.1f, 1e9f};
    lt_random random = lt_random_seed(53);
    for (uint32_t i = 0; i < LT_COUNT_OF(reaches); i++) {
        uint32_t proven = 0;
        for (uint32_t k = 0; k < 6; k++)
            proven += check_pair(&random, reaches[i]);
        CHECK(proven > 100);
    }
}

/* Both go together, and nothing is used up however far. */
static void what_moves_together_keeps_its_gaps(void) {
    lt_random random = lt_random_seed(54);
    clocked a = {.base = 0}, b = {.base = 0, .mean.at = {1, 0, 0}};
    lt_vec3 from = lt_v3_sub(b.mean.at, a.mean.at);
    double base = 0, first = 0;
    for (uint32_t t = 0; t < 200; t++) {
        lt_clock_reading r;
        read_body(&a, 0.01f);
        read_body(&b, 0.01f);
        if (lt_clock_read(&r, &base, lt_v3_distance(lt_v3_sub(b.mean.at, a.mean.at), from), 0.01f))
            CHECK_FAIL_MESSAGE("a snapshot is renewed");
        r = lt_clock_add(lt_clock_add(r, a.clock), b.clock);
        if (t == 0) first = r.look;
        CHECK(r.now - first < 1e-4);
        lt_vec3 by = random_place(&random, 0.5f);
        a.mean.at = lt_v3_add(a.mean.at, by);
        b.mean.at = lt_v3_add(b.mean.at, by);
    }
}

int main(void) {
    RUN(no_way_is_longer_than_the_clock_says);
    RUN(trembling_uses_nothing_up);
    RUN(gaps_stand_as_long_as_clocks_say);
    RUN(what_moves_together_keeps_its_gaps);
    return check_finish();
}
