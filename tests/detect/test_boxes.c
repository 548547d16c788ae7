/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs of boxes: those of brute force, each once, whatever the order of bodies; cut anywhere, they go on as a ring. */

#include "check.h"

#include "bench/whole/whole.h"
#include "detect/box_crowd.h"

static void add_overlaps(pair_list *out, const crowd *c, lt_body_pair bodies) {
    const lt_cell_boxes *a = c->bodies[bodies.a], *b = c->bodies[bodies.b];
    for (uint32_t i = 0; i < a->layout->box_count; i++)
        for (uint32_t j = bodies.a == bodies.b ? i + 1 : 0; j < b->layout->box_count; j++) {
            if (!lt_box_overlap(lt_cell_boxes_aabb(a, i), lt_cell_boxes_aabb(b, j))) continue;
            uint32_t brick = b->layout->bricks[j], bit = j - b->layout->brick_begin[brick];
            if (bodies.a == bodies.b && lt_cell_skips(a->layout, i, brick) >> bit & 1) continue;
            out->pairs[out->count++] = (lt_box_pair){bodies.a, bodies.b, i, j};
        }
}

static void brute_force(pair_list *out, const crowd *c) {
    out->count = 0;
    for (uint32_t i = 0; i < c->input.pair_count; i++)
        add_overlaps(out, c, c->input.pairs[i]);
}

/* ---- the set ---- */

static void pairs_are_those_of_brute_force(void) {
    crowd c;
    lt_random random = lt_random_seed(1);
    make_crowd(&c, MIXED, BODIES);
    uint32_t most = 0, least = UINT32_MAX, of_one_body = 0;
    for (int round = 0; round < 12; round++) {
        scatter(&c, &random, round % 4 ? 0.5f : 3, (float)(round % 3) * 0.7f);
        brute_force(&expected, &c);
        search_all(&found, &c, NULL);
        CHECK(same_set(&found, &expected));
        most = lt_max_u32(most, found.count);
        least = lt_min_u32(least, found.count);
        for (uint32_t i = 0; i < found.count; i++)
            of_one_body += found.pairs[i].body_a == found.pairs[i].body_b;
    }
    CHECK(most > 5000 && least < most / 4 && of_one_body > 1000);
    free_crowd(&c);
}

/* All in one place: every box overlaps nearly every other. */
static void a_heap_in_one_place_is_searched_whole(void) {
    crowd c;
    lt_random random = lt_random_seed(2);
    make_crowd(&c, MIXED, BODIES);
    scatter(&c, &random, 0, 0);
    for (uint32_t i = 0; i < BODIES; i++) {
        for (uint32_t k = 0; k < 4 * c.fixtures[i]->node_count; k++)
            c.fixtures[i]->nodes[k] *= 1e-7f;
        cells_begin(c.fixtures[i]);
        lt_cell_boxes_fit(&c.fixtures[i]->boxes);
    }
    brute_force(&expected, &c);
    search_all(&found, &c, NULL);
    CHECK(found.count > 100000 && same_set(&found, &expected));
    free_crowd(&c);
}

/* The same bodies under other numbers, and at every level. */
static void pairs_do_not_depend_on_the_order_of_bodies(void) {
    static const uint32_t turned[BODIES] = {3, 0, 4, 2, 1};
    crowd c, d;
    lt_random random = lt_random_seed(3);
    make_crowd(&c, MIXED, BODIES);
    scatter(&c, &random, 0.4f, 0.3f);
    search_all(&expected, &c, NULL);
    d = c;
    d.input.bodies = d.bodies;
    d.input.pairs = d.pairs;
    for (uint32_t i = 0; i < BODIES; i++)
        d.bodies[turned[i]] = c.bodies[i];
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        d.input.level = (lt_simd_level)level;
        search_all(&found, &d, NULL);
        again = expected;
        for (uint32_t i = 0; i < again.count; i++) {
            lt_box_pair p = again.pairs[i], *q = &again.pairs[i];
            uint32_t a = turned[p.body_a], b = turned[p.body_b];
            *q = a <= b ? (lt_box_pair){a, b, p.a, p.b} : (lt_box_pair){b, a, p.b, p.a};
        }
        CHECK(found.count > 100 && same_set(&found, &again));
    }
    free_crowd(&c);
}

/* Only the pairs of bodies that are given; none at all. */
static void nothing_else_is_searched(void) {
    crowd c;
    lt_random random = lt_random_seed(4);
    make_crowd(&c, MIXED, BODIES);
    scatter(&c, &random, 0.1f, 0.6f);
    static const lt_body_pair some[] = {{0, 3}, {1, 1}, {1, 4}};
    c.input.pairs = some;
    c.input.pair_count = 3;
    brute_force(&expected, &c);
    search_all(&found, &c, NULL);
    CHECK(found.count > 10);
    CHECK(same_set(&found, &expected));
    c.input.pair_count = 0;
    lt_box_search search;
    lt_box_search_begin(&search, &c.input, NULL);
    CHECK_COUNT(lt_box_search_peek(&search).cost, 0);
    free_crowd(&c);
}

/* ---- the ring ---- */

/* Piece by piece, with exactly what a piece costs and one unit less; after every one a second search from there finds what
 * is left, and then what was found. */
static void cut_after_every_piece_it_goes_on(void) {
    crowd c;
    lt_random random = lt_random_seed(5);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    uint64_t units = search_all(&expected, &c, NULL), spent = 0;
    CHECK(expected.count > 50);
    lt_box_search search;
    lt_box_search_begin(&search, &c.input, NULL);
    lt_piece piece;
    uint32_t got = 0, rings = 0;
    while ((piece = lt_box_search_peek(&search)).cost > 0) {
        uint32_t count;
        CHECK(piece.cost <= LT_BOX_SEARCH_UNITS && piece.work == LT_WORK_TRAVERSE);
        CHECK_COUNT(piece.reserve, 0);
        CHECK_COUNT(lt_box_search_step(&search, piece.cost - 1, found.pairs + got, 1, &count), 0);
        CHECK_COUNT(lt_box_search_step(&search, piece.cost, found.pairs + got, 1, &count), piece.cost);
        got += count;
        spent += piece.cost;
        if (search.done) break;
        lt_box_pair place = lt_box_search_place(&search);
        search_all(&again, &c, &place);
        CHECK(is_turned(&again, &expected, got));
        rings++;
    }
    found.count = got;
    CHECK(is_turned(&found, &expected, 0) && spent == units && rings > 200);
    free_crowd(&c);
}

static void a_full_output_stops_it(void) {
    crowd c;
    lt_random random = lt_random_seed(6);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    search_all(&expected, &c, NULL);
    lt_box_search search;
    lt_box_search_begin(&search, &c.input, NULL);
    found.count = 0;
    while (!search.done) {
        uint32_t count;
        lt_box_search_step(&search, 1000000, found.pairs + found.count, 3, &count);
        CHECK(count <= 3);
        found.count += count;
    }
    CHECK(is_turned(&found, &expected, 0));
    free_crowd(&c);
}

static uint32_t dearest_piece(const crowd *c) {
    lt_box_search search;
    lt_box_pair pair;
    uint32_t dearest = 0, count;
    lt_box_search_begin(&search, &c->input, NULL);
    for (uint32_t cost; (cost = lt_box_search_peek(&search).cost) > 0; dearest = lt_max_u32(dearest, cost))
        lt_box_search_step(&search, cost, &pair, 1, &count);
    return dearest;
}

/* From any place to the end, and not around. */
static void one_lap_ends_at_the_end(void) {
    crowd c;
    lt_random random = lt_random_seed(12);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    search_all(&expected, &c, NULL);
    c.input.one_lap = true;
    for (uint32_t from = 0; from < expected.count; from += 7) {
        lt_box_pair place = expected.pairs[from];
        search_all(&found, &c, &place);
        CHECK_COUNT(found.count, expected.count - from);
        CHECK(memcmp(found.pairs, expected.pairs + from, found.count * sizeof *found.pairs) == 0);
    }
    free_crowd(&c);
}

/* With a limit on every step and AABBs that change from step to step: a pair that overlaps all the time does not wait
 * longer than a full round, and what rows that are cut cost twice. */
static void no_pair_starves(void) {
    enum { STEPS = 200 };
    crowd c;
    lt_random random = lt_random_seed(7);
    make_crowd(&c, FEW, 3);
    static uint32_t seen[3][3][128][128], present[3][3][128][128];
    memset(seen, 0, sizeof seen);
    lt_box_pair place = {0, 0, 0, 0};
    uint64_t dearest = 0;
    uint32_t waited = 0, block = 0, limit = 0;
    for (uint32_t step = 1; step <= STEPS; step++) {
        lt_random still = lt_random_seed(8);
        scatter(&c, &still, 0.1f, 0.3f);
        for (uint32_t i = 0; i < 3; i++) { /* a little */
            for (uint32_t k = 0; k < 4 * c.fixtures[i]->node_count; k++)
                c.fixtures[i]->nodes[k] += lt_random_range(&random, -0.002f, 0.002f);
            cells_begin(c.fixtures[i]);
            lt_cell_boxes_fit(&c.fixtures[i]->boxes);
        }
        dearest = lt_max_u64(dearest, search_all(&expected, &c, NULL));
        if (step == 1) block = dearest_piece(&c), limit = 2 * block + block / 2;
        for (uint32_t i = 0; i < expected.count; i++) { /* met last, or when it began to overlap */
            lt_box_pair p = expected.pairs[i];
            uint32_t *last = &seen[p.body_a][p.body_b][p.a][p.b];
            uint32_t *before = &present[p.body_a][p.body_b][p.a][p.b];
            if (*before + 1 != step) *last = step;
            *before = step;
            waited = lt_max_u32(waited, step - *last);
        }
        lt_box_search search;
        uint32_t count;
        lt_box_search_begin(&search, &c.input, &place);
        lt_box_search_step(&search, limit, found.pairs, PAIRS_MOST, &count);
        for (uint32_t i = 0; i < count; i++)
            seen[found.pairs[i].body_a][found.pairs[i].body_b][found.pairs[i].a][found.pairs[i].b] = step + 1;
        place = lt_box_search_place(&search);
    }
    uint32_t useful = limit - 2 * block; /* one is tested again, one does not fit */
    uint32_t bound = (uint32_t)((dearest + useful - 1) / useful) + 1;
    printf("full round %u units, %u a step: waited %u steps, at most %u\n", (unsigned)dearest, limit, waited,
           bound);
    CHECK(waited > 1 && waited <= bound);
    free_crowd(&c);
}

/* Places of bodies and boxes that are gone. */
static void any_place_will_do(void) {
    crowd c;
    lt_random random = lt_random_seed(9);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    search_all(&expected, &c, NULL);
    static const lt_box_pair places[] = {{9, 9, 0, 0}, {1, 1, 500, 3}, {0, 2, 1, 4000000000u},
                                         {0, 0, 9, 2}, {2, 2, 7, 7},   {0, 7, 0, 0}};
    for (size_t i = 0; i < LT_COUNT_OF(places); i++) {
        search_all(&found, &c, &places[i]);
        again = expected;
        CHECK(same_set(&found, &again));
    }
    free_crowd(&c);
}

int main(void) {
    RUN(pairs_are_those_of_brute_force);
    RUN(a_heap_in_one_place_is_searched_whole);
    RUN(pairs_do_not_depend_on_the_order_of_bodies);
    RUN(nothing_else_is_searched);
    RUN(cut_after_every_piece_it_goes_on);
    RUN(a_full_output_stops_it);
    RUN(one_lap_ends_at_the_end);
    RUN(no_pair_starves);
    RUN(any_place_will_do);
    return check_finish();
}
