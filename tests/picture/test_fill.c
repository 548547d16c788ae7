/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/random.h"
#include "picture/fill.h"

#define SIZE 24

static float depths[SIZE * SIZE * LT_FILL_SAMPLE_COUNT];
static uint32_t owners[SIZE * SIZE * LT_FILL_SAMPLE_COUNT];
static const lt_fill_target map = {SIZE, SIZE, depths, NULL};
static const lt_fill_target view = {SIZE, SIZE, depths, owners};

static lt_fill_corner corner(double x, double y, float depth) {
    return (lt_fill_corner){(int32_t)(x * LT_FILL_UNIT), (int32_t)(y * LT_FILL_UNIT), depth};
}

/* The right triangle (0,0) (4,0) (0,4) holds the centres with (x + 1/2) + (y + 1/2) < 4; those on the
 * slanted edge, which is neither top nor left, are not its own: 3 + 2 + 1 pixels. */
static void known_triangle_covers_known_pixels(void) {
    lt_fill_clear(&map);
    lt_fill_triangle(&map, corner(0, 0, 1), corner(4, 0, 1), corner(0, 4, 1), 0);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            CHECK((depths[y * SIZE + x] == 1.0f) == (x + y <= 2));
}

/* A square from centre to centre: top and left rows are in, bottom and right ones are not. */
static void samples_on_edges_follow_the_top_left_rule(void) {
    for (int winding = 0; winding < 2; winding++) {
        lt_fill_clear(&map);
        lt_fill_corner a = corner(2.5, 3.5, 1), b = corner(6.5, 3.5, 1), c = corner(6.5, 7.5, 1),
                       d = corner(2.5, 7.5, 1);
        lt_fill_triangle(&map, a, winding ? b : c, winding ? c : b, 0);
        lt_fill_triangle(&map, a, winding ? c : d, winding ? d : c, 0);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
                CHECK((depths[y * SIZE + x] == 1.0f) == (x >= 2 && x < 6 && y >= 3 && y < 7));
    }
}

/* Adds one to `hits` for every sample a triangle covers on its own. */
static void count_hits(const lt_fill_target *target, size_t sample_count, uint8_t *hits, lt_fill_corner a,
                       lt_fill_corner b, lt_fill_corner c) {
    lt_fill_clear(target);
    lt_fill_triangle(target, a, b, c, 0);
    for (size_t i = 0; i < sample_count; i++)
        hits[i] += depths[i] != LT_FILL_EMPTY;
}

/* A grid of jittered vertices, some on sample positions, over more than the whole target: every sample is
 * hit exactly once. */
static void triangles_that_share_edges_cover_each_sample_once(void) {
    enum { CELLS = 5, ROUNDS = 6 };
    lt_random random = lt_random_seed(7);
    for (int round = 0; round < 2 * ROUNDS; round++) {
        const lt_fill_target *target = round % 2 ? &view : &map;
        size_t sample_count = (size_t)SIZE * SIZE * (round % 2 ? LT_FILL_SAMPLE_COUNT : 1);
        static uint8_t hits[SIZE * SIZE * LT_FILL_SAMPLE_COUNT];
        memset(hits, 0, sizeof hits);
        lt_fill_corner grid[CELLS + 1][CELLS + 1];
        for (int i = 0; i <= CELLS; i++)
            for (int j = 0; j <= CELLS; j++) {
                double step = (SIZE + 8.0) / CELLS, grain = round < ROUNDS ? 32.0 : 256.0;
                double x = j * step - 4 + lt_random_range(&random, -1.25f, 1.25f);
                double y = i * step - 4 + lt_random_range(&random, -1.25f, 1.25f);
                grid[i][j] = corner(floor(x * 256.0 / grain) * grain / 256.0,
                                    floor(y * 256.0 / grain) * grain / 256.0, 1);
            }
        for (int i = 0; i < CELLS; i++)
            for (int j = 0; j < CELLS; j++) {
                count_hits(target, sample_count, hits, grid[i][j], grid[i][j + 1], grid[i + 1][j + 1]);
                count_hits(target, sample_count, hits, grid[i][j], grid[i + 1][j + 1], grid[i + 1][j]);
            }
        size_t wrong = 0;
        for (size_t i = 0; i < sample_count; i++)
            wrong += hits[i] != 1;
        CHECK_COUNT(wrong, 0);
    }
}

static void nearer_wins_and_equal_keeps_the_first(void) {
    lt_fill_corner far[3] = {corner(0, 0, 1), corner(20, 0, 1), corner(0, 20, 1)};
    lt_fill_corner near[3] = {corner(0, 0, 2), corner(20, 0, 2), corner(0, 20, 2)};
    for (int order = 0; order < 2; order++) {
        lt_fill_clear(&view);
        if (order) lt_fill_triangle(&view, near[0], near[1], near[2], 5);
        lt_fill_triangle(&view, far[0], far[1], far[2], 4);
        if (!order) lt_fill_triangle(&view, near[0], near[1], near[2], 5);
        lt_fill_triangle(&view, near[0], near[1], near[2], 6);
        CHECK_COUNT(owners[0], 5);
    }
}

/* Depth is a plane over the screen: 0.25 x + 0.5 y at every covered centre. */
static void depth_is_interpolated_linearly(void) {
    lt_fill_clear(&map);
    lt_fill_triangle(&map, corner(0, 0, 0), corner(20, 0, 5), corner(0, 20, 10), 0);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 9; x++)
            CHECK_NEAR(depths[y * SIZE + x], 0.25 * (x + 0.5) + 0.5 * (y + 0.5), 1e-5);
}

static void far_corners_and_degenerate_triangles_are_harmless(void) {
    lt_fill_clear(&map);
    lt_fill_triangle(&map, corner(1, 1, 1), corner(5, 5, 1), corner(9, 9, 1), 0);
    lt_fill_triangle(&map, corner(-9000, -5, 1), corner(-8000, -5, 1), corner(-8000, 900, 1), 0);
    for (int i = 0; i < SIZE * SIZE; i++)
        CHECK(depths[i] == LT_FILL_EMPTY);
    lt_fill_triangle(&map, corner(-24000, -24000, 1), corner(24000, -24000, 1), corner(0, 24000, 1), 0);
    for (int i = 0; i < SIZE * SIZE; i++)
        CHECK(depths[i] == 1.0f);
}

int main(void) {
    RUN(known_triangle_covers_known_pixels);
    RUN(samples_on_edges_follow_the_top_left_rule);
    RUN(triangles_that_share_edges_cover_each_sample_once);
    RUN(nearer_wins_and_equal_keeps_the_first);
    RUN(depth_is_interpolated_linearly);
    RUN(far_corners_and_degenerate_triangles_are_harmless);
    return check_finish();
}
