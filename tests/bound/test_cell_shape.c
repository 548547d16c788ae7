/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether a lattice can touch itself: rigid motions are none, what is proved holds for embedded points, a fold is not
 * overlooked. */

#include "check.h"

#include "bound/cell_fixture.h"
#include "core/polar.h"

static lt_dmat3 random_rotation(lt_random *random) {
    lt_quat q = {lt_random_range(random, -1, 1), lt_random_range(random, -1, 1),
                 lt_random_range(random, -1, 1), lt_random_range(random, -1, 1)};
    return lt_matrix_from_quat(q);
}

static void turn_nodes(cell_fixture *f, lt_dmat3 r, lt_vec3 shift, lt_random *random, float noise) {
    for (uint32_t i = 0; i < f->node_count; i++) {
        double x = (double)f->rest[4 * i], y = (double)f->rest[4 * i + 1], z = (double)f->rest[4 * i + 2];
        const double at[3] = {r.c0.x * x + r.c1.x * y + r.c2.x * z, r.c0.y * x + r.c1.y * y + r.c2.y * z,
                              r.c0.z * x + r.c1.z * y + r.c2.z * z};
        const float by[3] = {shift.x, shift.y, shift.z};
        for (uint32_t k = 0; k < 3; k++)
            f->nodes[4 * i + k] =
                (float)(at[k] + (double)by[k] + (double)(f->h * noise * lt_random_range(random, -1, 1)));
    }
    cells_begin(f);
    lt_cell_boxes_fit(&f->boxes);
}

static const cell_options OPTIONS[] = {
    {.size = {9, 9, 9}, .shell = true, .seed = 4},
    {.size = {11, 6, 5}, .hole_percent = 40, .tight = true, .masks = true, .seed = 2},
    {.size = {5, 5, 5}, .twin_percent = 30, .tight = true, .seed = 7}};

static void a_rigid_motion_is_no_deviation(void) {
    lt_random random = lt_random_seed(1);
    for (size_t i = 0; i < LT_COUNT_OF(OPTIONS); i++) {
        cell_fixture *f = cells_make(OPTIONS[i]);
        for (int k = 0; k < 20; k++) {
            lt_vec3 shift = {lt_random_range(&random, -9, 9), lt_random_range(&random, -9, 9), 3};
            turn_nodes(f, random_rotation(&random), shift, &random, 0);
            CHECK(lt_cell_boxes_deviation(&f->boxes) < 1e-3f * f->h);
            CHECK(!lt_cell_boxes_may_meet(&f->boxes) || f->layout.rest_gap < 2e-3f);
        }
        cells_free(f);
    }
}

/* One node pulled out by so much, all others in place: what is found is not less than what the best fit leaves, which is
 * nearly all of it. */
static void one_node_that_is_off_is_seen(void) {
    cell_fixture *f = cells_make(OPTIONS[0]);
    lt_random random = lt_random_seed(2);
    for (int k = 0; k < 50; k++) {
        turn_nodes(f, random_rotation(&random), (lt_vec3){1, 2, 3}, &random, 0);
        uint32_t node = f->layout.nodes[8 * lt_random_below(&random, f->layout.box_count)];
        f->nodes[4 * node + lt_random_below(&random, 3)] += 0.7f * f->h;
        float found = lt_cell_boxes_deviation(&f->boxes);
        CHECK(found > 0.65f * f->h && found < 0.75f * f->h);
        CHECK(lt_cell_boxes_may_meet(&f->boxes));
    }
    f->nodes[4 * f->layout.nodes[0]] = NAN;
    CHECK(lt_cell_boxes_may_meet(&f->boxes));
    cells_free(f);
}

static float distance_of_points(const cell_fixture *f, uint32_t a, uint32_t b, lt_random *random) {
    float share_a[3], share_b[3];
    for (int axis = 0; axis < 3; axis++) {
        share_a[axis] = lt_random_unit(random);
        share_b[axis] = lt_random_unit(random);
    }
    return lt_v3_distance(cells_embed(f, a, share_a), cells_embed(f, b, share_b));
}

/* Random deformations: while it is said that nothing meets, points of boxes that may collide are apart by what is left of the gap. */
static void what_is_said_to_be_apart_is(void) {
    lt_random random = lt_random_seed(3);
    uint32_t proved = 0, open = 0;
    for (size_t i = 0; i < LT_COUNT_OF(OPTIONS); i++) {
        cell_fixture *f = cells_make(OPTIONS[i]);
        const lt_cell_layout *l = &f->layout;
        for (int k = 0; k < 40; k++) {
            float noise = lt_random_range(&random, 0, 0.4f);
            turn_nodes(f, random_rotation(&random), (lt_vec3){0, 1, 0}, &random, noise);
            if (lt_cell_boxes_may_meet(&f->boxes)) {
                open++;
                continue;
            }
            float least = l->rest_gap * f->h - 2 * lt_cell_boxes_deviation(&f->boxes);
            proved++;
            for (int sample = 0; sample < 4000; sample++) {
                uint32_t a = lt_random_below(&random, l->box_count),
                         b = lt_random_below(&random, l->box_count);
                uint32_t lower = lt_min_u32(a, b), upper = lt_max_u32(a, b), brick = l->bricks[upper];
                if (a == b || lt_cell_skips(l, lower, brick) >> (upper - l->brick_begin[brick]) & 1) continue;
                CHECK(distance_of_points(f, a, b, &random) >= least);
            }
        }
        cells_free(f);
    }
    CHECK(proved > 20 && open > 20);
}

/* A row of cells bent into a ring: its ends are where they were a long way apart. */
static void a_fold_is_not_overlooked(void) {
    cell_fixture *f = cells_make((cell_options){.size = {40, 1, 1}});
    const double turn = 2 * 3.14159265358979, radius = 40 * (double)f->h / turn;
    for (uint32_t i = 0; i < f->node_count; i++) {
        double angle = turn * (double)f->rest[4 * i] / (40 * (double)f->h),
               r = radius + (double)f->rest[4 * i + 1];
        f->nodes[4 * i] = (float)(r * sin(angle));
        f->nodes[4 * i + 1] = (float)(r * cos(angle));
        f->nodes[4 * i + 2] = f->rest[4 * i + 2];
    }
    CHECK(lt_cell_boxes_may_meet(&f->boxes));
    cells_free(f);
}

int main(void) {
    RUN(a_rigid_motion_is_no_deviation);
    RUN(one_node_that_is_off_is_seen);
    RUN(what_is_said_to_be_apart_is);
    RUN(a_fold_is_not_overlooked);
    return check_finish();
}
