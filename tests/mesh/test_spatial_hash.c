/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* labels: threaded */

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"
#include "mesh/spatial_hash.h"

enum { MAX_ITEMS = 6000, MAX_PAIRS = 200000 };

static lt_box boxes[MAX_ITEMS];
static lt_vec3 points[MAX_ITEMS];
static lt_spatial_pair found[MAX_PAIRS], expected[MAX_PAIRS];

/* Boxes of edge up to `size` in a cube of edge 2 `extent` around the origin: half the coordinates
 * negative. */
static void make_boxes(uint32_t count, float extent, float size, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 lo = {lt_random_range(&random, -extent, extent), lt_random_range(&random, -extent, extent),
                      lt_random_range(&random, -extent, extent)};
        lt_vec3 edge = {lt_random_range(&random, 0, size), lt_random_range(&random, 0, size),
                        lt_random_range(&random, 0, size)};
        boxes[i] = (lt_box){lo, lt_v3_add(lo, edge)};
    }
}

static void reserve(lt_spatial_hash *hash, uint32_t items, uint32_t entries) {
    *hash = (lt_spatial_hash){0};
    CHECK(lt_spatial_hash_reserve(hash, items, entries, NULL, NULL) == LT_OK);
}

static lt_spatial_input box_input(uint32_t count, float cell_size) {
    return (lt_spatial_input){.boxes = boxes, .item_count = count, .cell_size = cell_size};
}

static void hash_boxes(lt_spatial_hash *hash, uint32_t count, float cell_size) {
    lt_spatial_input input = box_input(count, cell_size);
    reserve(hash, count, 512 * count + 64);
    lt_spatial_hash_begin(hash, &input);
    lt_spatial_hash_build(hash, NULL);
    CHECK_COUNT(hash->dropped_count, 0);
    CHECK(lt_validate_spatial_hash(hash));
}

static int compare_pairs(const void *a, const void *b) {
    return memcmp(a, b, sizeof(lt_spatial_pair));
}

/* Pairs as a sorted set with the lower id first. */
static void normalize_pairs(lt_spatial_pair *pairs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (pairs[i].a > pairs[i].b) pairs[i] = (lt_spatial_pair){pairs[i].b, pairs[i].a};
    qsort(pairs, count, sizeof *pairs, compare_pairs);
}

static uint32_t brute_force_pairs(uint32_t count) {
    uint32_t pair_count = 0;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++)
            if (lt_box_overlap(boxes[a], boxes[b]) && pair_count < MAX_PAIRS)
                expected[pair_count++] = (lt_spatial_pair){a, b};
    return pair_count;
}

static uint32_t collect_pairs(const lt_spatial_hash *hash, uint32_t grant, uint32_t capacity,
                              uint64_t *cost) {
    lt_spatial_pairs cursor;
    uint32_t total = 0;
    *cost = 0;
    lt_spatial_pairs_begin(&cursor, hash);
    while (!cursor.done) {
        uint32_t count, room = lt_min_u32(capacity, MAX_PAIRS - total);
        uint32_t units = lt_spatial_pairs_step(&cursor, hash, grant, found + total, room, &count);
        CHECK(units > 0 && units <= (uint64_t)grant * LT_SPATIAL_PAIRS_ELEMENT_UNITS);
        *cost += units;
        total += count;
        if (units == 0) break;
    }
    return total;
}

static void check_pairs(uint32_t count, float cell_size) {
    lt_spatial_hash hash;
    uint64_t cost;
    hash_boxes(&hash, count, cell_size);
    uint32_t want = brute_force_pairs(count), have = collect_pairs(&hash, 1u << 30, MAX_PAIRS, &cost);
    normalize_pairs(found, have);
    normalize_pairs(expected, want);
    CHECK(want > 0);
    CHECK_COUNT(have, want);
    CHECK(have == want && memcmp(found, expected, want * sizeof *found) == 0);
    lt_spatial_hash_free(&hash);
}

static void pairs_equal_brute_force(void) {
    make_boxes(1500, 5, 1, 1);
    check_pairs(1500, 0.7f);
    check_pairs(1500, 3.0f); /* many share a cell */
    make_boxes(1000, 1, 0.3f, 2);
    check_pairs(1000, 0.05f); /* some are large */
    make_boxes(800, 2000000, 200000, 3);
    check_pairs(800, 50000);
}

static void touching_boxes_are_pairs(void) {
    /* Faces on cell borders, negative ones included: floor and closed boxes must agree. */
    for (int i = 0; i < 9; i++)
        boxes[i] = (lt_box){{(float)(i - 4), 0, 0}, {(float)(i - 3), 1, 1}};
    check_pairs(9, 1.0f);
    uint64_t cost;
    lt_spatial_hash hash;
    hash_boxes(&hash, 9, 1.0f);
    CHECK_COUNT(collect_pairs(&hash, 1000000, MAX_PAIRS, &cost), 8);
    lt_spatial_hash_free(&hash);
}

static void cells_are_floors(void) {
    lt_spatial_hash hash = {.input = {.cell_size = 0.5f}};
    lt_spatial_cell cell = lt_spatial_cell_of(&hash, (lt_vec3){-0.25f, -0.5f, 0.25f});
    CHECK(cell.x == -1 && cell.y == -1 && cell.z == 0);
    cell = lt_spatial_cell_of(&hash, (lt_vec3){-0.75f, 1.0f, -0.0f});
    CHECK(cell.x == -2 && cell.y == 2 && cell.z == 0);
    cell = lt_spatial_cell_of(&hash, (lt_vec3){1e30f, -1e30f, NAN});
    CHECK(cell.x == INT32_MAX && cell.y == INT32_MIN && cell.z == INT32_MIN);
    cell = lt_spatial_cell_of(&hash, (lt_vec3){INFINITY, -INFINITY, 1073741824.0f});
    CHECK(cell.x == INT32_MAX && cell.y == INT32_MIN && cell.z == INT32_MAX);
}

/* Both hash functions by hand, at cell (-1, 2, -3) and 1024 buckets. */
static void hash_functions_are_the_published_ones(void) {
    make_boxes(1024, 100, 0, 4);
    for (uint32_t i = 0; i < 1024; i++)
        points[i] = boxes[i].lo;
    lt_spatial_input input = {.points = points, .item_count = 1024, .cell_size = 1};
    lt_spatial_hash hash;
    reserve(&hash, 1024, 1024);
    lt_spatial_hash_begin(&hash, &input);
    lt_spatial_hash_build(&hash, NULL);
    CHECK_COUNT(hash.bucket_count, 1024);
    CHECK_COUNT(lt_spatial_bucket_of(&hash, (lt_spatial_cell){-1, 2, -3}), 252); /* (-1+146-17301) mod 1024 */
    input.function = LT_SPATIAL_TESCHNER;
    lt_spatial_hash_begin(&hash, &input);
    lt_spatial_hash_build(&hash, NULL);
    CHECK(lt_validate_spatial_hash(&hash));
    uint32_t teschner = (uint32_t)-73856093 ^ (2u * 19349663u) ^ (uint32_t)(-3 * 83492791);
    CHECK_COUNT(lt_spatial_bucket_of(&hash, (lt_spatial_cell){-1, 2, -3}), teschner % 1024);
    lt_spatial_hash_free(&hash);
}

/* Cells (0,0,0) and (73,-1,0) have the same bucket for any table size. */
static void cells_of_one_bucket_do_not_alias(void) {
    points[0] = (lt_vec3){0.5f, 0.5f, 0.5f};
    points[1] = (lt_vec3){73.5f, -0.5f, 0.5f};
    lt_spatial_input input = {.points = points, .item_count = 2, .cell_size = 1};
    lt_spatial_hash hash;
    reserve(&hash, 2, 2);
    lt_spatial_hash_begin(&hash, &input);
    lt_spatial_hash_build(&hash, NULL);
    uint32_t ids[2] = {9, 9};
    CHECK_COUNT(lt_spatial_hash_at_point(&hash, (lt_vec3){0.1f, 0.9f, 0}, ids, 2), 1);
    CHECK_COUNT(ids[0], 0);
    CHECK_COUNT(lt_spatial_hash_at_point(&hash, (lt_vec3){73.1f, -0.9f, 0}, ids, 2), 1);
    CHECK_COUNT(ids[0], 1);
    lt_spatial_hash_free(&hash);
}

static void point_queries_equal_brute_force(void) {
    enum { COUNT = 2000 };
    make_boxes(COUNT, 5, 0, 7);
    for (uint32_t i = 0; i < COUNT; i++)
        points[i] = boxes[i].lo;
    lt_spatial_input input = {.points = points, .item_count = COUNT, .cell_size = 0.9f};
    lt_spatial_hash hash;
    reserve(&hash, COUNT, COUNT);
    lt_spatial_hash_begin(&hash, &input);
    lt_spatial_hash_build(&hash, NULL);
    CHECK(lt_validate_spatial_hash(&hash));
    uint32_t total = 0;
    for (uint32_t query = 0; query < COUNT; query++) {
        uint32_t ids[64], want = 0, wrong = 0;
        lt_spatial_cell cell = lt_spatial_cell_of(&hash, points[query]);
        for (uint32_t i = 0; i < COUNT; i++)
            want += floorf(points[i].x / 0.9f) == cell.x && floorf(points[i].y / 0.9f) == cell.y &&
                    floorf(points[i].z / 0.9f) == cell.z;
        uint32_t have = lt_spatial_hash_at_point(&hash, points[query], ids, 64);
        for (uint32_t i = 0; i < lt_min_u32(have, 64); i++)
            wrong += !lt_spatial_cell_equal(lt_spatial_cell_of(&hash, points[ids[i]]), cell);
        CHECK_COUNT(have, want);
        CHECK_COUNT(wrong, 0);
        total += have;
    }
    CHECK(total > COUNT);
    lt_spatial_hash_free(&hash);
}

/* Everything that readers see. */
static bool same_result(const lt_spatial_hash *a, const lt_spatial_hash *b) {
    return a->entry_count == b->entry_count && a->bucket_count == b->bucket_count &&
           a->large_count == b->large_count && a->invalid_count == b->invalid_count &&
           a->admitted_count == b->admitted_count && a->dropped_count == b->dropped_count &&
           a->dropped_entry_count == b->dropped_entry_count &&
           !memcmp(a->entries, b->entries, a->entry_count * sizeof(lt_spatial_entry)) &&
           !memcmp(a->bucket_ends, b->bucket_ends, a->bucket_count * sizeof(uint32_t)) &&
           !memcmp(a->large, b->large, a->large_count * sizeof(uint32_t));
}

static void make_mixed_boxes(uint32_t count) {
    make_boxes(count, 9, 0.8f, 8);
    for (uint32_t i = 5; i < count; i += 211)
        boxes[i].hi = (lt_vec3){1e9f, INFINITY, 1e9f};
    for (uint32_t i = 7; i < count; i += 307)
        boxes[i].lo.y = NAN;
    for (uint32_t i = 11; i < count; i += 401)
        boxes[i].hi.z = boxes[i].lo.z - 1;
}

static uint64_t step_all(lt_spatial_hash *hash, const lt_spatial_input *input, uint32_t grant) {
    uint64_t total = 0;
    lt_spatial_hash_begin(hash, input);
    while (!lt_spatial_hash_is_done(hash)) {
        uint32_t cost = lt_spatial_hash_step(hash, grant);
        CHECK(cost > 0 && cost <= (uint64_t)grant * LT_SPATIAL_HASH_ELEMENT_UNITS);
        total += cost;
        if (cost == 0) break;
    }
    CHECK_COUNT(lt_spatial_hash_step(hash, grant), 0);
    return total;
}

/* Capacities: ample; entries run out inside the first chunk, inside a later one; items run out. */
static void results_do_not_depend_on_grants_or_threads(void) {
    enum { COUNT = 6000 };
    static const uint32_t capacities[][2] = {{COUNT, 99999}, {COUNT, 1700}, {COUNT, 12000}, {3000, 99999}};
    make_mixed_boxes(COUNT);
    lt_spatial_input input = box_input(COUNT, 0.75f);
    for (size_t c = 0; c < LT_COUNT_OF(capacities); c++) {
        lt_spatial_hash serial, other;
        reserve(&serial, capacities[c][0], capacities[c][1]);
        reserve(&other, capacities[c][0], capacities[c][1]);
        uint64_t cost = step_all(&serial, &input, 1u << 30);
        CHECK(lt_validate_spatial_hash(&serial));
        CHECK((serial.dropped_count > 0) == (c > 0));
        CHECK(c > 0 || (serial.large_count > 20 && serial.invalid_count > 20));
        CHECK_COUNT(serial.admitted_count + serial.dropped_count, COUNT);
        static const uint32_t grants[] = {1, 2, 7, 1000};
        for (size_t g = 0; g < LT_COUNT_OF(grants); g++) {
            CHECK_COUNT(step_all(&other, &input, grants[g]), cost);
            CHECK(same_result(&serial, &other));
        }
        static const uint32_t threads[] = {1, 2, 4};
        for (size_t t = 0; t < LT_COUNT_OF(threads); t++) {
            lt_tasks *tasks = lt_tasks_create(threads[t], NULL, NULL);
            lt_spatial_hash_begin(&other, &input);
            CHECK_COUNT(lt_spatial_hash_build(&other, tasks), cost);
            CHECK(same_result(&serial, &other));
            lt_tasks_destroy(tasks);
        }
        lt_spatial_hash_free(&serial);
        lt_spatial_hash_free(&other);
    }
}

static void every_cut_leaves_a_valid_hash(void) {
    make_mixed_boxes(60);
    lt_spatial_input input = box_input(60, 0.5f);
    lt_spatial_hash hash;
    reserve(&hash, 60, 300);
    lt_spatial_hash_begin(&hash, &input);
    uint32_t steps = 0;
    uint64_t cost = 0;
    for (; !lt_spatial_hash_is_done(&hash); steps++) {
        CHECK(lt_validate_spatial_hash(&hash));
        cost += lt_spatial_hash_step(&hash, 1);
    }
    CHECK(lt_validate_spatial_hash(&hash));
    CHECK(steps > 60 + 2 * hash.entry_count && steps < 1000);
    CHECK(cost <=
          6 * ((uint64_t)hash.entry_count + hash.large_count + hash.invalid_count + hash.dropped_count) + 1);
    lt_spatial_hash_free(&hash);
}

static void pair_order_does_not_depend_on_grants(void) {
    enum { COUNT = 600 };
    make_mixed_boxes(COUNT);
    lt_spatial_hash hash;
    hash_boxes(&hash, COUNT, 0.75f);
    uint64_t cost, other_cost;
    uint32_t count = collect_pairs(&hash, 1u << 30, MAX_PAIRS, &cost);
    memcpy(expected, found, count * sizeof *found);
    CHECK(count > 100);
    static const uint32_t grants[] = {1, 3, 1000, 1000000}, capacities[] = {5, 1, 7, 1};
    for (size_t g = 0; g < LT_COUNT_OF(grants); g++) {
        CHECK_COUNT(collect_pairs(&hash, grants[g], capacities[g], &other_cost), count);
        CHECK_COUNT(other_cost, cost);
        CHECK(memcmp(expected, found, count * sizeof *found) == 0);
    }
    lt_spatial_hash_free(&hash);
}

static void hopeless_input_is_counted(void) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 0};
    uint32_t count = 0;
    for (size_t i = 0; i < LT_COUNT_OF(bad); i++)
        for (size_t k = 0; k < LT_COUNT_OF(bad); k++)
            boxes[count++] = (lt_box){{bad[i], bad[k], 0}, {bad[k], bad[i], 0}};
    lt_spatial_hash hash;
    uint64_t cost;
    hash_boxes(&hash, count, 1e-3f);
    CHECK_COUNT(hash.invalid_count + hash.large_count + hash.entry_count, count);
    CHECK_COUNT(hash.invalid_count, 11 + 20); /* with a NaN; and not a point, so that one axis is reversed */
    uint32_t have = collect_pairs(&hash, 1000, MAX_PAIRS, &cost);
    CHECK_COUNT(have, 0); /* five distinct points are left */
    uint32_t ids[64];
    CHECK_COUNT(lt_spatial_hash_at_point(&hash, (lt_vec3){0, NAN, 0}, ids, 64), 0);
    CHECK_COUNT(lt_spatial_hash_at_point(&hash, (lt_vec3){0, 0, 0}, ids, 64), 1);
    lt_spatial_hash_free(&hash);
}

static void empty_input_is_fine(void) {
    lt_spatial_hash hash;
    uint64_t cost;
    uint32_t id;
    hash_boxes(&hash, 0, 1);
    CHECK_COUNT(collect_pairs(&hash, 10, 10, &cost), 0);
    CHECK_COUNT(lt_spatial_hash_at_point(&hash, (lt_vec3){0, 0, 0}, &id, 1), 0);
    lt_spatial_hash_free(&hash);
    lt_spatial_input input = box_input(3, 1);
    make_boxes(3, 1, 1, 9);
    reserve(&hash, 0, 0);
    lt_spatial_hash_begin(&hash, &input);
    lt_spatial_hash_build(&hash, NULL);
    CHECK_COUNT(hash.dropped_count, 3);
    CHECK(lt_validate_spatial_hash(&hash));
    lt_spatial_hash_free(&hash);
}

static void refused_memory_leaks_nothing(void) {
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 20; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_spatial_hash hash = {0};
        status = lt_spatial_hash_reserve(&hash, 100, 1000, &allocator, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && hash.entries == NULL && f.blocks_out == 0));
        lt_spatial_hash_free(&hash);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK);
    lt_error error;
    lt_spatial_hash hash = {0};
    CHECK(lt_spatial_hash_reserve(&hash, 1u << 30, 10, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "1073741824 items");
}

int main(void) {
    RUN(cells_are_floors);
    RUN(hash_functions_are_the_published_ones);
    RUN(cells_of_one_bucket_do_not_alias);
    RUN(pairs_equal_brute_force);
    RUN(touching_boxes_are_pairs);
    RUN(point_queries_equal_brute_force);
    RUN(results_do_not_depend_on_grants_or_threads);
    RUN(every_cut_leaves_a_valid_hash);
    RUN(pair_order_does_not_depend_on_grants);
    RUN(hopeless_input_is_counted);
    RUN(empty_input_is_fine);
    RUN(refused_memory_leaks_nothing);
    return check_finish();
}
