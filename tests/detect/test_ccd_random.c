/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Continuous tests on random motions: contacts that are made, exactly, at a known time must be found, and not after it;
 * before the time that is given, and at all times where nothing is found, sampled distances must agree; advancement and
 * subdivision must agree with each other. The bits are the same in every build.
 *
 * labels: golden wasm */

#include "check.h"
#include "core/hash.h"
#include "core/random.h"
#include "detect/ccd.h"
#include "mesh/closest.h"

enum { SAMPLES = 48 };

/* ---- motions ---- */

/* A multiple of 1/32 in [-1, 1): sums and products of a few of them are exact. */
static double random_dyadic(lt_random *random) {
    return ((double)lt_random_below(random, 64) - 32) / 32;
}

static double random_coordinate(lt_random *random) {
    return lt_random_range(random, -1, 1);
}

static lt_dvec3 random_point(lt_random *random, double (*coordinate)(lt_random *)) {
    double x = coordinate(random), y = coordinate(random), z = coordinate(random);
    return (lt_dvec3){x, y, z};
}

/* Points, motions of at most `speed`; few coordinates of many points make every degenerate case likely. */
static lt_ccd_query random_query(lt_random *random, double (*coordinate)(lt_random *), double speed) {
    lt_ccd_query query = {.kind = (lt_ccd_kind)lt_random_below(random, 2)};
    for (int k = 0; k < 4; k++) {
        query.start[k] = random_point(random, coordinate);
        query.end[k] = lt_d3_mad(query.start[k], random_point(random, coordinate), speed);
    }
    return query;
}

/* Very flat faces, nearly parallel edges, in places far away */
static void spoil(lt_ccd_query *query, lt_random *random) {
    double flatness = lt_random_unit(random) < 0.5f ? 1e-3 : 1e-7;
    lt_dvec3 place = {lt_random_range(random, -1000, 1000), 77, -300};
    for (int k = 0; k < 4; k++) {
        query->start[k].z *= flatness;
        query->end[k].z *= flatness;
        query->start[k] = lt_d3_add(query->start[k], place);
        query->end[k] = lt_d3_add(query->end[k], place);
    }
}

static double coarse(lt_random *random) {
    return (double)lt_random_below(random, 3) - 1;
}

/* ---- contacts made ---- */

/* Where the side of a query that is a face or the second edge has the place (u, v) of it. */
static lt_dvec3 place_on(const lt_dvec3 *p, lt_ccd_kind kind, double u, double v) {
    if (kind == LT_CCD_EDGE_EDGE) return lt_d3_mad(p[2], lt_d3_sub(p[3], p[2]), v);
    return lt_d3_mad(lt_d3_mad(p[1], lt_d3_sub(p[2], p[1]), u), lt_d3_sub(p[3], p[1]), v);
}

/* Moves the ends of the first side so that the two touch at `time`, a power of two, all numbers exact. */
static void make_contact(lt_ccd_query *query, double time, double u, double v) {
    lt_dvec3 from = place_on(query->start, query->kind, u, v), to = place_on(query->end, query->kind, u, v);
    lt_dvec3 there = lt_d3_mad(from, lt_d3_sub(to, from), time);
    bool of_edges = query->kind == LT_CCD_EDGE_EDGE;
    lt_dvec3 start = query->start[0];
    if (of_edges) start = lt_d3_mad(start, lt_d3_sub(query->start[1], start), u);
    /* there = start + time (end - start) */
    lt_dvec3 end = lt_d3_mad(start, lt_d3_sub(there, start), 1 / time);
    if (!of_edges) {
        query->end[0] = end;
        return;
    }
    lt_dvec3 along = lt_d3_sub(query->end[1], query->end[0]);
    query->end[0] = lt_d3_mad(end, along, -u);
    query->end[1] = lt_d3_add(query->end[0], along);
}

/* Exactly there? Sums of multiples of 2^-30 below 2^20 are. */
static bool is_contact(const lt_ccd_query *query, double time, double u, double v) {
    lt_dvec3 p[4];
    for (int k = 0; k < 4; k++)
        p[k] = lt_d3_mad(query->start[k], lt_d3_sub(query->end[k], query->start[k]), time);
    lt_dvec3 a = p[0], b = place_on(p, query->kind, u, v);
    if (query->kind == LT_CCD_EDGE_EDGE) a = lt_d3_mad(a, lt_d3_sub(p[1], a), u);
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static uint64_t no_contact_is_missed_with(double (*coordinate)(lt_random *), uint32_t count, uint64_t hash) {
    lt_random random = lt_random_seed(11);
    uint32_t late_count = 0, missed_count = 0, unmade_count = 0, box_count = 0, oracle_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_ccd_query query = random_query(&random, coordinate, 1 + 7 * (double)(i % 2));
        double time = 1.0 / (1 << lt_random_below(&random, 4)), u = lt_random_below(&random, 9) / 8.0;
        double v =
            lt_random_below(&random, query.kind == LT_CCD_VERTEX_FACE ? 9 - (uint32_t)(8 * u) : 9) / 8.0;
        make_contact(&query, time, u, v);
        unmade_count += !is_contact(&query, time, u, v);
        lt_ccd_result result;
        double separation = i % 3 == 2 ? 0.01 : 0;
        missed_count += !lt_ccd_test(&query, separation, &result);
        late_count += result.time > time;
        box_count += result.box_count;
        hash = lt_hash_bytes(hash, &result.time, sizeof result.time);
        hash = lt_hash_bytes(hash, &result.normal, sizeof result.normal);
        hash = lt_hash_bytes(hash, result.weights, sizeof result.weights);
        if (i % 8 != 0) continue;
        lt_ccd_effort effort = {.tolerance = 1e-5, .time_tolerance = 1e-2, .box_limit = 2000};
        oracle_count += lt_ccd_inclusion(&query, separation, &effort, &result) && result.time <= time;
    }
    CHECK_COUNT(unmade_count, 0);
    CHECK_COUNT(missed_count, 0);
    CHECK_COUNT(late_count, 0);
    CHECK_COUNT(oracle_count, (count + 7) / 8);
    printf("%u contacts made, all found; %u boxes\n", count, box_count);
    return hash;
}

static void no_contact_is_missed(void) {
    uint64_t hash = no_contact_is_missed_with(random_dyadic, 20000, LT_HASH_SEED);
    hash = no_contact_is_missed_with(coarse, 20000, hash);
    check_golden("ccd", hash);
}

/* ---- distances ---- */

static double distance_at(const lt_ccd_query *query, double time) {
    lt_dvec3 p[4];
    for (int k = 0; k < 4; k++)
        p[k] = lt_d3_mad(query->start[k], lt_d3_sub(query->end[k], query->start[k]), time);
    double squared = query->kind == LT_CCD_EDGE_EDGE ? lt_closest_segments(p, p + 2).distance_squared
                                                     : lt_closest_on_triangle(p[0], p + 1).distance_squared;
    return sqrt(squared);
}

static double nearest_before(const lt_ccd_query *query, double time) {
    double nearest = INFINITY;
    if (time == 0) return nearest;
    for (int i = 0; i < SAMPLES; i++)
        nearest = lt_min_d(nearest, distance_at(query, time * (i + 0.5) / SAMPLES));
    return nearest;
}

typedef struct agreement {
    uint32_t count, hit_count, too_near_count, too_far_count;
    uint32_t apart_only_one_count, fallback_count, undecided_count, not_unit_count;
} agreement;

static void compare(agreement *sum, const lt_ccd_query *query, double separation, bool with_oracle) {
    lt_ccd_result result, oracle;
    lt_ccd_test(query, separation, &result);
    sum->count++;
    sum->hit_count += result.hit;
    sum->fallback_count += result.box_count > 0;
    sum->undecided_count += result.outcome == LT_CCD_UNDECIDED;
    /* What was proven. Positions are 1000 at most, and the sampled distance is rounded itself. */
    sum->too_near_count += !(nearest_before(query, result.time) > separation - 1e-11);
    if (result.outcome == LT_CCD_MEET && result.box_count == 0)
        sum->too_far_count += distance_at(query, result.time) > separation + 1e-6;
    if (result.hit) sum->not_unit_count += !(fabs(lt_d3_length(result.normal) - 1) < 1e-12);
    if (!with_oracle) return;
    lt_ccd_effort effort = {.tolerance = 1e-4, .time_tolerance = 1e-2, .box_limit = 4000};
    bool hit = lt_ccd_inclusion(query, separation, &effort, &oracle);
    sum->too_near_count += !(nearest_before(query, oracle.time) > separation - 1e-11);
    /* The one calls apart what the other calls a hit only where they all but touch, or out of boxes. */
    sum->apart_only_one_count += !hit && result.outcome == LT_CCD_MEET && result.distance > separation + 1e-6;
    sum->apart_only_one_count +=
        oracle.outcome == LT_CCD_MEET && !result.hit && nearest_before(query, 1) > separation + 0.2;
}

static void check_agreement(const char *name, const agreement *sum) {
    printf("%s: %u queries, %u hits, %u by subdivision, %u undecided\n", name, sum->count, sum->hit_count,
           sum->fallback_count, sum->undecided_count);
    CHECK_COUNT(sum->too_near_count, 0);
    CHECK_COUNT(sum->too_far_count, 0);
    CHECK_COUNT(sum->not_unit_count, 0);
    CHECK_COUNT(sum->apart_only_one_count, 0);
    CHECK(sum->hit_count > sum->count / 50 && sum->hit_count < sum->count - sum->count / 50);
}

static void samples_agree(void) {
    static const double separations[4] = {0, 1e-6, 0.01, 0.2};
    for (int s = 0; s < 4; s++) {
        lt_random random = lt_random_seed(5 + (uint64_t)s);
        agreement any = {0}, coarse_sum = {0};
        for (int i = 0; i < 1500; i++) {
            lt_ccd_query query = random_query(&random, random_coordinate, i % 2 ? 0.3 : 3);
            compare(&any, &query, separations[s], i % 4 == 0);
            query = random_query(&random, coarse, 1);
            compare(&coarse_sum, &query, separations[s], i % 16 == 0);
        }
        check_agreement("any", &any);
        check_agreement("coarse", &coarse_sum);
        CHECK(any.undecided_count <= any.hit_count / 50);
    }
}

/* Nearly flat, so that all is decided at distances of 1e-7 and less, away from the origin. */
static void slivers_agree(void) {
    lt_random random = lt_random_seed(77);
    agreement sum = {0};
    for (int i = 0; i < 6000; i++) {
        lt_ccd_query query = random_query(&random, random_coordinate, i % 2 ? 0.3 : 3);
        spoil(&query, &random);
        compare(&sum, &query, i % 3 ? 0 : 1e-5, false);
    }
    check_agreement("slivers", &sum);
}

/* The two sides of two edges may be exchanged, and the ends of an edge, and the corners of a face. */
static void order_does_not_matter(void) {
    lt_random random = lt_random_seed(3);
    uint32_t differing_count = 0;
    for (int i = 0; i < 2000; i++) {
        lt_ccd_query query = random_query(&random, random_coordinate, 2), other = query;
        const int orders[2][4] = {{0, 3, 1, 2}, {3, 2, 0, 1}};
        for (int k = 0; k < 4; k++) {
            other.start[k] = query.start[orders[query.kind][k]];
            other.end[k] = query.end[orders[query.kind][k]];
        }
        lt_ccd_result a, b;
        bool hit = lt_ccd_test(&query, 0.01, &a);
        double side = query.kind == LT_CCD_EDGE_EDGE ? -1 : 1;
        bool same = hit == lt_ccd_test(&other, 0.01, &b) && fabs(a.time - b.time) < 1e-5;
        if (hit && a.time > 0) same = same && fabs(lt_d3_dot(a.normal, b.normal) - side) < 1e-4;
        differing_count += !same;
    }
    CHECK_COUNT(differing_count, 0);
}

int main(void) {
    RUN(no_contact_is_missed);
    RUN(samples_agree);
    RUN(slivers_agree);
    RUN(order_does_not_matter);
    return check_finish();
}
