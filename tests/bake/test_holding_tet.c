/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which tet holds a point: weights that give the point back, none better, the first where the first will do. */

#include "bake/skin_write.h"
#include "check.h"
#include "core/random.h"
#include "embed/embed.h"
#include "scenes/generate.h"

static lt_tet_mesh block;

static lt_dvec3 random_point(lt_random *random) {
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = (double)lt_random_range(random, -0.2f, 1.2f);
    return (lt_dvec3){x[0], x[1], x[2]};
}

static void corners_of(lt_dvec3 out[4], uint32_t tet) {
    for (int k = 0; k < 4; k++)
        out[k] = block.positions[lt_tet_at(&block, tet)[k]];
}

static double least_in(uint32_t tet, lt_dvec3 p) {
    lt_dvec3 corners[4];
    double w[4] = {0, 0, 0, 0};
    corners_of(corners, tet);
    CHECK(lt_barycentric_weights(w, corners, p));
    return lt_least_weight(w);
}

static double distance_of_sum(uint32_t tet, const double w[4], lt_dvec3 p) {
    lt_dvec3 corners[4], sum = {0, 0, 0};
    corners_of(corners, tet);
    for (int k = 0; k < 4; k++)
        sum = lt_d3_mad(sum, corners[k], w[k]);
    return lt_d3_distance(sum, p);
}

static void the_best_is_found(void) {
    lt_random random = lt_random_seed(3);
    uint32_t inside = 0;
    for (int i = 0; i < 300; i++) {
        lt_dvec3 p = random_point(&random);
        double w[4], first_w[4];
        uint32_t best = lt_holding_tet(w, &block, NULL, block.tet_count, 1, p);
        uint32_t first = lt_holding_tet(first_w, &block, NULL, block.tet_count, 0, p);
        CHECK_FATAL(best < block.tet_count && first < block.tet_count);
        CHECK(distance_of_sum(best, w, p) < 1e-12 && distance_of_sum(first, first_w, p) < 1e-12);
        uint32_t better = 0, earlier = 0;
        for (uint32_t tet = 0; tet < block.tet_count; tet++) {
            better += least_in(tet, p) > lt_least_weight(w);
            earlier += tet < first && least_in(tet, p) >= 0;
        }
        CHECK_COUNT(better, 0);
        CHECK_COUNT(earlier, 0);
        CHECK(lt_least_weight(w) >= 0 ? lt_least_weight(first_w) >= 0 : first == best);
        inside += lt_least_weight(w) >= 0;
    }
    CHECK(inside > 50 && inside < 250);
}

static void only_those_named_are_looked_at(void) {
    lt_random random = lt_random_seed(4);
    for (int i = 0; i < 50; i++) {
        lt_dvec3 p = random_point(&random);
        uint32_t among[3];
        for (int k = 0; k < 3; k++)
            among[k] = lt_random_below(&random, block.tet_count);
        double w[4] = {7, 7, 7, 7};
        uint32_t tet = lt_holding_tet(w, &block, among, 3, 1, p);
        CHECK(tet == among[0] || tet == among[1] || tet == among[2]);
        for (int k = 0; k < 3; k++)
            CHECK(least_in(among[k], p) <= lt_least_weight(w));
        CHECK(lt_holding_tet(w, &block, among, 0, 1, p) == LT_NONE);
    }
}

/* Of tets that overlap, the first holds the point with a weight of 0.1 at least, the second with 0.25. */
static void what_is_enough_ends_the_search(void) {
    lt_dvec3 positions[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0.4}};
    uint32_t corners[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    lt_tet_mesh mesh = {.positions = positions, .tets = corners, .node_count = 5, .tet_count = 2};
    lt_dvec3 p = {0.25, 0.25, 0.1};
    double w[4];
    CHECK_COUNT(lt_holding_tet(w, &mesh, NULL, 2, 0, p), 0);
    CHECK_NEAR(lt_least_weight(w), 0.1, 1e-12);
    CHECK_COUNT(lt_holding_tet(w, &mesh, NULL, 2, 0.2, p), 1);
    CHECK_COUNT(lt_holding_tet(w, &mesh, NULL, 2, 1, p), 1);
    CHECK_NEAR(lt_least_weight(w), 0.25, 1e-12);
}

/* A mesh of one flat tet holds nothing, and says so. */
static void flat_tets_hold_nothing(void) {
    lt_dvec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    uint32_t corners[4] = {0, 1, 2, 3};
    lt_tet_mesh flat = {.positions = positions, .tets = corners, .node_count = 4, .tet_count = 1};
    double w[4] = {7, 7, 7, 7};
    CHECK(lt_holding_tet(w, &flat, NULL, 1, 0, (lt_dvec3){0.2, 0.2, 0}) == LT_NONE && w[0] == 7 && w[3] == 7);
}

int main(void) {
    const uint32_t cells[3] = {3, 2, 2};
    if (lt_generate_tet_block(&block, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return 1;
    RUN(the_best_is_found);
    RUN(only_those_named_are_looked_at);
    RUN(what_is_enough_ends_the_search);
    RUN(flat_tets_hold_nothing);
    lt_tet_mesh_free(&block);
    return check_finish();
}
