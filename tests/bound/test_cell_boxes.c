/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of cells: they hold what is embedded whatever the nodes do; the planes are those of the hull; stale boxes are
 * made anew and no others; the same bits at every level; flat, inverted and collapsed cells. */

#include "check.h"

#include "bound/cell_fixture.h"
#include "failing_allocator.h"

static bool is_behind_planes(const lt_cell_box *box, lt_vec3 p) {
    for (uint32_t plane = 0; plane < box->plane_count; plane++) {
        if (!(lt_v3_dot(lt_cell_box_normal(box, plane), p) < box->planes[3][plane])) return false;
    }
    return true;
}

/* Places embedded in a box that its AABB or its planes do not hold; its corners are among them. */
static uint32_t count_outside(cell_fixture *f, uint32_t box, lt_random *random, uint32_t samples) {
    uint32_t outside = 0;
    lt_box aabb = lt_cell_boxes_aabb(&f->boxes, box);
    const lt_cell_box *full = lt_cell_box_get(&f->boxes, box);
    for (uint32_t i = 0; i < samples; i++) {
        float share[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            share[axis] = i < 8 ? (float)(i >> axis & 1) : lt_random_unit(random);
        lt_vec3 p = cells_embed(f, box, share);
        outside += !lt_box_contains(aabb, p) || !is_behind_planes(full, p);
    }
    return outside;
}

static const cell_options BLOCK = {
    .size = {8, 8, 8}, .hole_percent = 20, .twin_percent = 10, .tight = true, .seed = 1};

/* Boxes with something outside, of `rounds` deformations of all boxes. */
static uint32_t count_violated(const cell_options *o, float noise, lt_vec3 shift, uint32_t rounds,
                               uint32_t *tested) {
    uint32_t violated = 0;
    cell_options best = *o;
    best.level = lt_simd_best();
    cell_fixture *f = cells_make(best);
    lt_random random = lt_random_seed(7);
    for (uint32_t round = 0; round < rounds; round++) {
        cells_place(f, &random, shift, noise);
        for (uint32_t box = 0; box < f->layout.box_count; box++)
            violated += count_outside(f, box, &random, 9) > 0;
        *tested += f->layout.box_count;
    }
    cells_free(f);
    return violated;
}

static void boxes_hold_what_is_embedded(void) {
    static const float noises[] = {0, 0.1f, 0.3f, 0.5f, 1, 3};
    uint32_t tested = 0;
    for (size_t i = 0; i < LT_COUNT_OF(noises); i++) {
        CHECK_COUNT(count_violated(&BLOCK, noises[i], (lt_vec3){0.3f, -2, 1}, 20, &tested), 0);
        CHECK_COUNT(count_violated(&BLOCK, noises[i], (lt_vec3){300, -2000, 11}, 20, &tested), 0);
    }
    cell_options grid = BLOCK;
    grid.tight = false;
    CHECK_COUNT(count_violated(&grid, 0.5f, (lt_vec3){0, 5, 0}, 20, &tested), 0);
    printf("%u deformed boxes\n", tested);
    CHECK(tested > 100000);
}

/* J3, J4: how many boxes the planes as printed let something out of. */
static void planes_as_printed_let_corners_out(void) {
    cell_options printed = BLOCK;
    printed.as_printed = true;
    uint32_t tested = 0, violated = count_violated(&printed, 0.3f, (lt_vec3){0, 0, 0}, 5, &tested);
    printf("as printed: something outside of %u of %u boxes\n", violated, tested);
    CHECK(violated == tested);
}

/* ---- against plain formulas ---- */

static lt_dvec3 node_at(const cell_fixture *f, uint32_t box, uint32_t corner) {
    const float *p = f->nodes + 4 * f->layout.nodes[8 * box + corner];
    return (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static lt_dvec3 plain_corner(const cell_fixture *f, uint32_t box, uint32_t corner) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t j = 0; j < 8; j++) {
        double w = 1;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double at = (double)lt_cell_tight(&f->layout, box, axis + (corner >> axis & 1 ? 3 : 0));
            w *= j >> axis & 1 ? at : 1 - at;
        }
        sum = lt_d3_mad(sum, node_at(f, box, j), w);
    }
    return sum;
}

static double reach_of_corners(const cell_fixture *f, uint32_t box, lt_dvec3 n) {
    double reach = -1e300;
    for (uint32_t j = 0; j < 8; j++)
        reach = lt_max_d(reach, lt_d3_dot(n, plain_corner(f, box, j)));
    return reach;
}

static void planes_and_aabbs_are_those_of_the_hull(void) {
    cell_fixture *f = cells_make(BLOCK);
    lt_random random = lt_random_seed(3);
    cells_place(f, &random, (lt_vec3){1, 2, 3}, 0.4f);
    for (uint32_t box = 0; box < f->layout.box_count; box++) {
        const lt_cell_box *full = lt_cell_box_get(&f->boxes, box);
        lt_box aabb = lt_cell_boxes_aabb(&f->boxes, box);
        lt_dvec3 mean = {0, 0, 0};
        for (uint32_t j = 0; j < 8; j++) {
            lt_dvec3 corner = plain_corner(f, box, j);
            CHECK(lt_d3_distance(corner, lt_d3_from_v3(lt_cell_box_corner(full, j))) < 2e-6);
            mean = lt_d3_mad(mean, corner, 0.125);
        }
        CHECK(lt_d3_distance(mean, lt_d3_from_v3(full->center)) < 2e-6);
        CHECK_COUNT(full->plane_count, 6);
        for (uint32_t face = 0; face < 6; face++) {
            lt_dvec3 normal = lt_d3_from_v3(lt_cell_box_normal(full, face));
            double over = (double)full->planes[3][face] - reach_of_corners(f, box, normal);
            CHECK_NEAR(lt_d3_length(normal), 1, 1e-6);
            CHECK(over > 0 && over < 2e-5);
        }
        CHECK_NEAR(aabb.hi.y, reach_of_corners(f, box, (lt_dvec3){0, 1, 0}), 1e-5);
        CHECK_NEAR(aabb.lo.z, -reach_of_corners(f, box, (lt_dvec3){0, 0, -1}), 1e-5);
    }
    cells_free(f);
}

/* At rest face k looks along its axis; N of the face 2, 3, 6, 7 of a unit cell is (0, 2, 0) before it is a unit. */
static void faces_look_outward_at_rest(void) {
    cell_fixture *f = cells_make((cell_options){.size = {2, 1, 1}});
    for (uint32_t box = 0; box < 2; box++)
        for (uint32_t face = 0; face < 6; face++) {
            const lt_cell_box *full = lt_cell_box_get(&f->boxes, box);
            for (uint32_t axis = 0; axis < 3; axis++)
                CHECK_NEAR(full->planes[axis][face], axis == face / 2 ? (face % 2 ? 1 : -1) : 0, 1e-6);
            double side = face % 2 ? (face == 1 && box ? 0.25 : 0.125) : (face == 0 && box ? -0.125 : 0);
            CHECK_NEAR(full->planes[3][face], side, 1e-5);
        }
    cells_free(f);
}

/* Turned and sheared: a parallelepiped, whose six planes touch it with four corners each. */
static void affine_boxes_are_exact(void) {
    cell_fixture *f = cells_make(BLOCK);
    for (uint32_t i = 0; i < f->node_count; i++) {
        const float *r = f->rest + 4 * i;
        const float moved[3] = {r[1] + 0.3f * r[0], 0.8f * r[2] - 0.2f * r[1], r[0] + 0.1f * r[2]};
        memcpy(f->nodes + 4 * i, moved, sizeof moved);
    }
    cells_begin(f);
    lt_cell_boxes_fit(&f->boxes);
    for (uint32_t box = 0; box < f->layout.box_count; box++) {
        const lt_cell_box *full = lt_cell_box_get(&f->boxes, box);
        for (uint32_t face = 0; face < 6; face++)
            for (uint32_t j = 0; j < 8; j++) {
                float height = lt_v3_dot(lt_cell_box_normal(full, face), lt_cell_box_corner(full, j));
                float below = full->planes[3][face] - height;
                bool on_face = (j >> face / 2 & 1) == face % 2;
                CHECK(on_face ? below >= 0 && below < 1e-5f : below > 1e-5f);
            }
    }
    cells_free(f);
}

/* ---- levels, pieces, stamps ---- */

static void levels_give_the_same_bits(void) {
    cell_fixture *first = NULL;
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        cell_options o = BLOCK;
        o.level = (lt_simd_level)level;
        cell_fixture *f = cells_make(o);
        lt_random random = lt_random_seed(11);
        cells_place(f, &random, (lt_vec3){0, 1, 0}, 0.5f);
        for (uint32_t box = 0; box < f->layout.box_count; box++)
            lt_cell_box_get(&f->boxes, box);
        if (!first) {
            first = f;
            continue;
        }
        CHECK(memcmp(f->boxes.columns, first->boxes.columns, f->boxes.column_count * sizeof(float)) == 0);
        for (uint32_t box = 0; box < f->layout.box_count; box++) {
            const lt_cell_box *a = &f->boxes.full[box], *b = &first->boxes.full[box];
            CHECK(memcmp(a->corners, b->corners, sizeof a->corners) == 0);
            CHECK(a->push == b->push && a->plane_count == b->plane_count);
            CHECK(memcmp(a->planes, b->planes, sizeof a->planes) == 0);
        }
        cells_free(f);
    }
    cells_free(first);
}

static void pieces_give_what_one_go_gives(void) {
    cell_fixture *f = cells_make(BLOCK);
    size_t count = f->boxes.column_count;
    float *whole = malloc(count * sizeof(float));
    memcpy(whole, f->boxes.columns, count * sizeof(float));
    lt_box box = f->boxes.box;
    memset(f->boxes.columns, 0, count * sizeof(float));
    cells_begin(f);
    uint32_t cost, units = 0;
    while ((cost = lt_cell_boxes_cost(&f->boxes)) > 0) {
        CHECK_COUNT(lt_cell_boxes_step(&f->boxes, cost - 1), 0);
        CHECK_COUNT(lt_cell_boxes_step(&f->boxes, cost), cost);
        units += cost;
    }
    CHECK_COUNT(units, LT_CELL_GROUP_UNITS * f->layout.group_count + LT_BRICK_UNITS * f->layout.brick_count);
    CHECK(memcmp(f->boxes.columns, whole, count * sizeof(float)) == 0);
    CHECK(memcmp(&f->boxes.box, &box, sizeof box) == 0);
    for (uint32_t b = 0; b < f->layout.box_count; b++) {
        lt_box brick = lt_cell_boxes_brick(&f->boxes, f->layout.bricks[b]),
               aabb = lt_cell_boxes_aabb(&f->boxes, b);
        CHECK(lt_box_contains(brick, aabb.lo) && lt_box_contains(brick, aabb.hi));
        CHECK(lt_box_contains(box, aabb.lo) && lt_box_contains(box, aabb.hi));
    }
    free(whole);
    cells_free(f);
}

static bool hangs_on(const cell_fixture *f, uint32_t box, uint32_t node) {
    for (uint32_t j = 0; j < 8; j++)
        if (f->layout.nodes[8 * box + j] == node) return true;
    return false;
}

static void a_moved_node_makes_its_boxes_stale_and_no_others(void) {
    cell_fixture *f = cells_make(BLOCK);
    lt_random random = lt_random_seed(5);
    for (int round = 0; round < 50; round++) {
        for (uint32_t box = 0; box < f->layout.box_count; box++)
            lt_cell_box_get(&f->boxes, box);
        uint32_t node = lt_random_below(&random, f->node_count), before = f->boxes.refreshed_count;
        lt_box aabb = lt_cell_boxes_aabb(&f->boxes, 3);
        f->nodes[4 * node] += 0.01f;
        lt_cell_boxes_moved(&f->boxes, node);
        uint32_t hanging = 0;
        for (uint32_t box = 0; box < f->layout.box_count; box++) {
            bool hangs = hangs_on(f, box, node);
            CHECK(lt_cell_box_is_fresh(&f->boxes, box) != hangs);
            lt_cell_box_get(&f->boxes, box);
            hanging += hangs;
        }
        CHECK(hanging > 0 && hanging <= 8);
        CHECK_COUNT(f->boxes.refreshed_count - before, hanging);
        lt_box after = lt_cell_boxes_aabb(&f->boxes, 3);
        CHECK(memcmp(&aabb, &after, sizeof after) == 0);
    }
    f->boxes.stamp = UINT32_MAX / 2 + 1; /* as after years */
    cells_begin(f);
    CHECK(f->boxes.stamp == 1 && !lt_cell_box_is_fresh(&f->boxes, 0));
    lt_cell_box_get(&f->boxes, 0);
    CHECK(lt_cell_box_is_fresh(&f->boxes, 0));
    cells_free(f);
}

/* ---- cells that are none ---- */

static bool box_is_sound(const lt_cell_box *box) {
    bool sound = box->push != 0 && lt_v3_is_finite(box->center);
    for (uint32_t plane = 0; plane < box->plane_count; plane++)
        for (int k = 0; k < 4; k++)
            sound = sound && box->planes[k][plane] >= -3.1e38f && box->planes[k][plane] <= 3.1e38f;
    for (uint32_t plane = 0; plane < LT_CELL_PLANES; plane++)
        if (box->push >> plane & 1)
            sound = sound && plane < box->plane_count && box->planes[3][plane] < 1e30f;
    return sound;
}

/* Flattened along an axis, onto a line, onto a point, turned inside out. */
static void flat_and_inverted_cells_are_held(void) {
    static const float scales[][3] = {{1, 0, 1},  {0, 1, 0},       {0, 0, 0},
                                      {1, -1, 1}, {-0.5f, -1, -2}, {1, 1e-7f, 1}};
    lt_random random = lt_random_seed(9);
    for (size_t s = 0; s < LT_COUNT_OF(scales); s++) {
        cell_fixture *f = cells_make(BLOCK);
        for (uint32_t i = 0; i < f->node_count; i++)
            for (uint32_t axis = 0; axis < 3; axis++)
                f->nodes[4 * i + axis] = 1 + f->rest[4 * i + axis] * scales[s][axis];
        cells_begin(f);
        lt_cell_boxes_fit(&f->boxes);
        uint32_t outside = 0;
        for (uint32_t box = 0; box < f->layout.box_count; box++) {
            CHECK(box_is_sound(lt_cell_box_get(&f->boxes, box)));
            outside += count_outside(f, box, &random, 10);
        }
        CHECK_COUNT(outside, 0);
        cells_free(f);
    }
}

/* As printed a cell that is a point holds nothing, not everything. */
static void a_point_as_printed_holds_nothing(void) {
    cell_fixture *f = cells_make((cell_options){.size = {1, 1, 1}, .as_printed = true});
    memset(f->nodes, 0, sizeof f->nodes);
    cells_begin(f);
    const lt_cell_box *box = lt_cell_box_get(&f->boxes, 0);
    CHECK(!is_behind_planes(box, (lt_vec3){0, 0, 0}) && !is_behind_planes(box, (lt_vec3){1, 2, 3}));
    cells_free(f);
}

int main(void) {
    RUN(boxes_hold_what_is_embedded);
    RUN(planes_as_printed_let_corners_out);
    RUN(planes_and_aabbs_are_those_of_the_hull);
    RUN(faces_look_outward_at_rest);
    RUN(affine_boxes_are_exact);
    RUN(levels_give_the_same_bits);
    RUN(pieces_give_what_one_go_gives);
    RUN(a_moved_node_makes_its_boxes_stale_and_no_others);
    RUN(flat_and_inverted_cells_are_held);
    RUN(a_point_as_printed_holds_nothing);
    return check_finish();
}
