/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The filter of pairs of triangles: it never drops a pair of which one query hits, drops nearly all that are clearly
 * apart, and answers alike at every level, for any number of pairs.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/random.h"
#include "detect/ccd.h"

enum { PAIRS = 1500, TRIANGLES = 2 * PAIRS, VERTICES = 3 * TRIANGLES, WORDS = (PAIRS + 63) / 64 };

static lt_vec3 starts[VERTICES], ends[VERTICES];
static uint32_t triangles[3 * TRIANGLES];
static lt_ccd_pair pairs[PAIRS];
static const lt_ccd_surface surface = {.start = starts, .end = ends, .triangles = triangles};

static lt_vec3 random_point(lt_random *random, float size) {
    float x = lt_random_range(random, -size, size), y = lt_random_range(random, -size, size);
    return (lt_vec3){x, y, lt_random_range(random, -size, size)};
}

/* Pairs of triangles of size 1, their middles up to `apart` from each other, that go by up to `speed`, at a place far from
 * the origin. */
static void make_pairs(uint64_t seed, float apart, float speed) {
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < PAIRS; i++) {
        lt_vec3 middle = random_point(&random, 100);
        for (uint32_t side = 0; side < 2; side++) {
            if (side) middle = lt_v3_add(middle, random_point(&random, apart));
            lt_vec3 motion = random_point(&random, speed);
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t v = 6 * i + 3 * side + k;
                triangles[v] = v;
                starts[v] = lt_v3_add(middle, random_point(&random, 1));
                ends[v] = lt_v3_add(lt_v3_add(starts[v], motion), random_point(&random, 0.1f * speed));
            }
        }
        pairs[i] = (lt_ccd_pair){2 * i, 2 * i + 1};
    }
}

static bool is_kept(const uint64_t *kept, uint32_t i) {
    return kept[i / 64] >> (i % 64) & 1;
}

static bool test_points(lt_ccd_kind kind, const uint32_t ids[4], double separation) {
    lt_ccd_query query = {.kind = kind};
    lt_ccd_result result;
    for (int k = 0; k < 4; k++)
        lt_ccd_set_point(&query, k, starts[ids[k]], ends[ids[k]]);
    return lt_ccd_test(&query, separation, &result);
}

/* Six vertices against faces, nine pairs of edges. */
static bool pair_hits(lt_ccd_pair pair, double separation) {
    const uint32_t *a = triangles + 3 * pair.a, *b = triangles + 3 * pair.b;
    for (int k = 0; k < 3; k++) {
        if (test_points(LT_CCD_VERTEX_FACE, (const uint32_t[4]){a[k], b[0], b[1], b[2]}, separation))
            return true;
        if (test_points(LT_CCD_VERTEX_FACE, (const uint32_t[4]){b[k], a[0], a[1], a[2]}, separation))
            return true;
        for (int j = 0; j < 3; j++) {
            const uint32_t ids[4] = {a[k], a[(k + 1) % 3], b[j], b[(j + 1) % 3]};
            if (test_points(LT_CCD_EDGE_EDGE, ids, separation)) return true;
        }
    }
    return false;
}

static void pairs_that_hit_are_kept(void) {
    static const float aparts[3] = {1, 3, 8}, separations[3] = {0, 0.01f, 0.5f};
    uint64_t hash = LT_HASH_SEED;
    for (int i = 0; i < 9; i++) {
        float separation = separations[i % 3];
        make_pairs(40 + (uint64_t)i, aparts[i / 3], 1);
        uint64_t kept[LT_LEVEL_COUNT][WORDS];
        for (int level = 0; level <= (int)lt_simd_best(); level++) {
            lt_ccd_may_meet_for((lt_simd_level)level)(kept[level], &surface, &surface, pairs, PAIRS,
                                                      separation);
            CHECK(memcmp(kept[level], kept[0], sizeof kept[0]) == 0);
        }
        uint32_t hit_count = 0, kept_count = 0, lost_count = 0;
        for (uint32_t p = 0; p < PAIRS; p++) {
            bool hits = pair_hits(pairs[p], (double)separation);
            hit_count += hits;
            kept_count += is_kept(kept[0], p);
            lost_count += hits && !is_kept(kept[0], p);
        }
        printf("%g m apart, separation %g: %u of %d hit, %u kept\n", (double)aparts[i / 3],
               (double)separation, hit_count, PAIRS, kept_count);
        CHECK_COUNT(lost_count, 0);
        CHECK(kept_count < hit_count + (PAIRS - hit_count) / 2);
        hash = lt_hash_bytes(hash, kept[0], sizeof kept[0]);
    }
    check_golden("ccd-filter", hash);
}

/* Parallel faces, 1 m wide and a little apart, that slide over each other: the gap counts, to a part in 1e5. */
static void thin_gaps_are_seen(void) {
    const lt_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 4; i++) {
        const float gaps[4] = {0.001f, 0.0001f, 0.00001f, 0};
        for (uint32_t v = 0; v < 6; v++) {
            triangles[v] = v;
            starts[v] = ends[v] = corners[v % 3];
            if (v < 3) continue;
            starts[v].z = ends[v].z = gaps[i];
            ends[v].x += 0.5f;
        }
        pairs[0] = (lt_ccd_pair){0, 1};
        uint64_t kept;
        lt_ccd_may_meet_for(LT_LEVEL_SCALAR)(&kept, &surface, &surface, pairs, 1, 0);
        CHECK_COUNT(kept, gaps[i] == 0);
        lt_ccd_may_meet_for(LT_LEVEL_SCALAR)(&kept, &surface, &surface, pairs, 1, 0.001f);
        CHECK_COUNT(kept, 1);
        lt_ccd_may_meet_for(LT_LEVEL_SCALAR)(&kept, &surface, &surface, pairs, 1, -1);
        CHECK_COUNT(kept, gaps[i] == 0);
        pairs[0] = (lt_ccd_pair){1, 0};
        lt_ccd_may_meet_for(LT_LEVEL_SCALAR)(&kept, &surface, &surface, pairs, 1, 0);
        CHECK_COUNT(kept, gaps[i] == 0);
    }
}

static void any_number_of_pairs(void) {
    static const uint32_t counts[] = {0, 1, 7, 8, 9, 63, 64, 65, 128, 200};
    make_pairs(9, 3, 1);
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        lt_ccd_may_meet *may_meet = lt_ccd_may_meet_for((lt_simd_level)level);
        uint64_t all[WORDS], some[WORDS];
        may_meet(all, &surface, &surface, pairs, PAIRS, 0);
        for (size_t c = 0; c < LT_COUNT_OF(counts); c++) {
            uint32_t word_count = (counts[c] + 63) / 64;
            memset(some, 0xab, sizeof some);
            may_meet(some, &surface, &surface, pairs, counts[c], 0);
            for (uint32_t i = 0; i < 64 * word_count; i++)
                CHECK(is_kept(some, i) == (i < counts[c] && is_kept(all, i)));
            CHECK(some[word_count] == 0xabababababababab);
        }
    }
}

/* In every place: a minimum may hide it. */
static void what_is_not_finite_is_kept(void) {
    const float values[4] = {NAN, INFINITY, -INFINITY, 3e38f};
    for (int level = 0; level <= (int)lt_simd_best(); level++)
        for (int i = 0; i < 36 * 4; i++) {
            make_pairs(1, 0, 0.1f);
            uint64_t kept;
            for (uint32_t v = 3; v < 6; v++) {
                starts[v].x += 50;
                ends[v].x += 50;
            }
            lt_ccd_may_meet_for((lt_simd_level)level)(&kept, &surface, &surface, pairs, 1, 0);
            CHECK_COUNT(kept, 0);
            lt_vec3 *point = (i % 36 < 18 ? starts : ends) + i % 18 / 3;
            *(i % 3 == 0 ? &point->x : i % 3 == 1 ? &point->y : &point->z) = values[i / 36];
            lt_ccd_may_meet_for((lt_simd_level)level)(&kept, &surface, &surface, pairs, 1, 0);
            CHECK_COUNT(kept, 1);
        }
}

int main(void) {
    RUN(pairs_that_hit_are_kept);
    RUN(thin_gaps_are_seen);
    RUN(any_number_of_pairs);
    RUN(what_is_not_finite_is_kept);
    return check_finish();
}
