/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs of boxes by the hash: the set that the search through bricks finds, also when it begins anywhere. */

#include "check.h"

#include "detect/box_crowd.h"
#include "detect/boxes_hash.h"
#include "failing_allocator.h"

enum { ENTRIES = 400000 };

static uint64_t hash_all(pair_list *out, lt_box_hash *hash, const crowd *c, float cell_size, uint32_t grant,
                         const lt_box_hash_place *from) {
    uint64_t units = 0;
    out->count = 0;
    lt_box_hash_begin(hash, &c->input, c->body_count, cell_size, from);
    while (lt_box_hash_cost(hash) > 0) {
        uint32_t count;
        units += lt_box_hash_step(hash, grant, out->pairs + out->count, PAIRS_MOST - out->count, &count);
        out->count += count;
    }
    return units;
}

static void pairs_are_those_of_bricks(void) {
    static const float cell_sizes[] = {0.1f, 0.19f, 2};
    crowd c;
    lt_box_hash hash = {0};
    lt_random random = lt_random_seed(1);
    make_crowd(&c, MIXED, BODIES);
    CHECK(lt_box_hash_reserve(&hash, 2000, ENTRIES, NULL, NULL) == LT_OK);
    for (int round = 0; round < 6; round++) {
        scatter(&c, &random, 0.4f, (float)(round % 3) * 0.3f);
        if (round % 2) c.input.pair_count = 7; /* not all bodies meet */
        search_all(&expected, &c, NULL);
        uint64_t units = hash_all(&found, &hash, &c, cell_sizes[round / 2], 1000000, NULL);
        CHECK(found.count > 20 && hash.dropped_count == 0);
        CHECK(same_set(&found, &expected));
        CHECK(hash_all(&found, &hash, &c, cell_sizes[round / 2], 7, NULL) == units);
        CHECK(same_set(&found, &expected));
    }
    lt_box_hash_free(&hash);
    free_crowd(&c);
}

/* Cut anywhere in the pairs and begun again from there: the same set, each once, beginning with what was left. */
static void from_every_place_the_set_is_the_same(void) {
    crowd c;
    lt_box_hash hash = {0}, other = {0};
    lt_random random = lt_random_seed(2);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    CHECK(lt_box_hash_reserve(&hash, 200, ENTRIES, NULL, NULL) == LT_OK);
    CHECK(lt_box_hash_reserve(&other, 200, ENTRIES, NULL, NULL) == LT_OK);
    for (int round = 0; round < 2; round++) {
        float cell_size = round ? 0.02f : 0.19f; /* with large ones, and without */
        hash_all(&expected, &hash, &c, cell_size, 1000000, NULL);
        lt_box_hash_begin(&hash, &c.input, 3, cell_size, NULL);
        uint32_t got = 0, places = 0, count;
        for (uint32_t piece = 0; lt_box_hash_cost(&hash) > 0; piece++) {
            lt_box_hash_step(&hash, lt_box_hash_cost(&hash), found.pairs, 1, &count);
            got += count;
            if (piece % 97 || hash.phase != LT_BOX_HASH_PAIRS) continue;
            lt_box_hash_place place = lt_box_hash_place_now(&hash);
            hash_all(&again, &other, &c, cell_size, 1000, &place);
            CHECK(is_turned(&again, &expected, got));
            places++;
        }
        CHECK(got == expected.count && places > 20);
    }
    CHECK(hash.hash.large_count > 0);
    lt_box_hash_free(&hash);
    lt_box_hash_free(&other);
    free_crowd(&c);
}

static void strange_places_and_small_capacities(void) {
    static const lt_box_hash_place places[] = {
        {false, 4000000000u, 5, 6}, {true, 0, 77, 1}, {false, 3, 4000, 4001}, {true, 0, 0, 4000000000u}};
    crowd c;
    lt_box_hash hash = {0};
    lt_random random = lt_random_seed(3);
    make_crowd(&c, FEW, 3);
    scatter(&c, &random, 0.2f, 0.6f);
    CHECK(lt_box_hash_reserve(&hash, 200, ENTRIES, NULL, NULL) == LT_OK);
    hash_all(&expected, &hash, &c, 0.19f, 1000000, NULL);
    for (size_t i = 0; i < LT_COUNT_OF(places); i++) {
        hash_all(&found, &hash, &c, 0.19f, 1000, &places[i]);
        CHECK(same_set(&found, &expected));
    }
    CHECK(lt_box_hash_reserve(&hash, 50, ENTRIES, NULL, NULL) == LT_OK);
    hash_all(&found, &hash, &c, 0.19f, 1000, NULL);
    CHECK(found.count < expected.count && hash.dropped_count > 0);
    lt_box_hash_begin(&hash, &c.input, 0, 1, NULL); /* no bodies */
    uint32_t count;
    lt_box_hash_step(&hash, 1000, found.pairs, 10, &count);
    CHECK(count == 0 && lt_box_hash_cost(&hash) == 0);
    lt_box_hash_free(&hash);
    free_crowd(&c);
}

static void memory_that_is_out_leaves_nothing(void) {
    int refused = 0;
    for (int allowed = 0;; allowed++) {
        failing limited = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&limited);
        lt_box_hash hash = {0};
        lt_status status = lt_box_hash_reserve(&hash, 100, 800, &allocator, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && hash.boxes == NULL));
        lt_box_hash_free(&hash);
        CHECK(limited.blocks_out == 0 && limited.bytes_out == 0);
        if (status == LT_OK) break;
        refused++;
    }
    CHECK(refused >= 6);
}

int main(void) {
    RUN(pairs_are_those_of_bricks);
    RUN(from_every_place_the_set_is_the_same);
    RUN(strange_places_and_small_capacities);
    RUN(memory_that_is_out_leaves_nothing);
    return check_finish();
}
