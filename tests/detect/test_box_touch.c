/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two boxes: corners and centres against plain loops, faces that push, hulls against all axes there can be, boxes that
 * cross like a plus, and boxes that are none. */

#include "check.h"

#include "bound/cell_fixture.h"
#include "detect/boxes.h"

typedef struct two_boxes {
    cell_fixture *f[2];
    const lt_cell_box *boxes[2];
} two_boxes;

static two_boxes make_two(void) {
    return (two_boxes){
        .f = {cells_make((cell_options){.size = {1, 1, 1}}), cells_make((cell_options){.size = {1, 1, 1}})}};
}

static void free_two(two_boxes *t) {
    cells_free(t->f[0]);
    cells_free(t->f[1]);
}

static void refresh(two_boxes *t, uint32_t side) {
    cells_begin(t->f[side]);
    t->boxes[side] = lt_cell_box_get(&t->f[side]->boxes, 0);
}

/* An axis-aligned box from lo to hi, every corner off by up to `noise`. */
static void set_box(two_boxes *t, uint32_t side, lt_vec3 lo, lt_vec3 hi, lt_random *random, float noise) {
    for (uint32_t j = 0; j < 8; j++) {
        float at[3] = {j & 1 ? hi.x : lo.x, j & 2 ? hi.y : lo.y, j & 4 ? hi.z : lo.z};
        for (uint32_t axis = 0; axis < 3; axis++)
            t->f[side]->nodes[4 * t->f[side]->cells[j] + axis] =
                at[axis] + (random ? noise * lt_random_range(random, -1, 1) : 0);
    }
    refresh(t, side);
}

/* A parallelepiped of random edges about a random place; its corners off by up to `noise`. */
static void set_random(two_boxes *t, uint32_t side, lt_random *random, float spread, float noise) {
    float edges[3][3], at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = lt_random_range(random, -spread, spread);
        for (int axis = 0; axis < 3; axis++)
            edges[k][axis] = (axis == k ? 1.0f : 0.0f) + lt_random_range(random, -0.5f, 0.5f);
    }
    for (uint32_t j = 0; j < 8; j++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            float sum = at[axis] + noise * lt_random_range(random, -1, 1);
            for (int k = 0; k < 3; k++)
                sum += edges[k][axis] * (j >> k & 1 ? 0.5f : -0.5f);
            t->f[side]->nodes[4 * t->f[side]->cells[j] + axis] = sum;
        }
    refresh(t, side);
}

static bool find(lt_box_touch *touch, const two_boxes *t, bool hulls) {
    uint32_t units = 0;
    bool found =
        lt_box_touch_find(touch, t->boxes[0], t->boxes[1], hulls, lt_box_kernels_for(lt_simd_best()), &units);
    CHECK(units == LT_BOX_TOUCH_UNITS || (hulls && units == LT_BOX_TOUCH_UNITS + LT_BOX_HULL_UNITS));
    return found;
}

/* ---- by hand ---- */

static void a_corner_goes_out_through_the_nearest_face(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    set_box(&t, 0, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, NULL, 0);
    set_box(&t, 1, (lt_vec3){0.5f, 0.9f, 0.4f}, (lt_vec3){0.8f, 1.9f, 0.7f}, NULL, 0);
    CHECK(find(&touch, &t, false));
    CHECK_NEAR(touch.depth, 0.1, 1e-5);
    CHECK_NEAR(touch.normal.y, 1, 1e-6);
    CHECK(touch.outer == 0 && touch.corner == 0);
    CHECK_NEAR(touch.point.x, 0.5, 1e-6);
    CHECK_NEAR(touch.point.y, 0.9, 1e-6);
    CHECK(touch.shares[1][0] == 1 && touch.shares[1][7] == 0 && touch.shares[0][0] == 0);
    set_box(&t, 1, (lt_vec3){0.5f, 1.1f, 0.4f}, (lt_vec3){1.5f, 1.9f, 1.4f}, NULL, 0);
    CHECK(!find(&touch, &t, false) && !find(&touch, &t, true));
    free_two(&t);
}

/* The box below may push through its upper face only: from deep inside it still does. */
static void only_faces_that_look_out_push(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    t.f[0]->layout.masks[0] = 1u << 3;
    t.f[1]->layout.masks[0] = 1u << 2;
    set_box(&t, 0, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, NULL, 0);
    set_box(&t, 1, (lt_vec3){0.9f, 0.3f, 0.4f}, (lt_vec3){1.9f, 1.3f, 1.4f}, NULL, 0);
    CHECK(find(&touch, &t, true));
    CHECK_NEAR(touch.depth, 0.7, 1e-5);
    CHECK_NEAR(touch.normal.y, touch.outer == 0 ? 1 : -1, 1e-6);
    free_two(&t);
}

/* Edge to edge on top of each other: not sideways by nothing, but up. */
static void boxes_that_stand_on_each_other_part_upwards(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    set_box(&t, 0, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, NULL, 0);
    set_box(&t, 1, (lt_vec3){0, 0.9f, 0}, (lt_vec3){1, 1.9f, 1}, NULL, 0);
    CHECK(find(&touch, &t, true));
    CHECK_NEAR(touch.depth, 0.1, 1e-5);
    CHECK_NEAR(touch.normal.y, touch.outer == 0 ? 1 : -1, 1e-6);
    free_two(&t);
}

/* A block stands on another, one of its edges just over an edge of that, and is tilted towards it: the corner that is deep is
 * nearest to the side, by which nothing can have come in. */
static void what_stands_on_an_edge_goes_out_upwards(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    t.f[0]->layout.masks[0] = 1u << 0 | 1u << 3;
    t.f[1]->layout.masks[0] = 1u << 0 | 1u << 2;
    set_box(&t, 0, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, NULL, 0);
    set_box(&t, 1, (lt_vec3){0.01f, 0.9f, 0.2f}, (lt_vec3){0.9f, 1.9f, 0.8f}, NULL, 0);
    for (uint32_t j = 1; j < 8; j += 4)
        t.f[1]->nodes[4 * t.f[1]->cells[j] + 1] = 0.98f;
    refresh(&t, 1);
    CHECK(find(&touch, &t, true));
    CHECK_NEAR(touch.depth, 0.02, 1e-5);
    lt_box_touch_face(&touch, t.boxes[0], t.boxes[1], lt_box_kernels_for(lt_simd_best()));
    CHECK_NEAR(touch.depth, 0.1, 1e-5);
    CHECK_NEAR(touch.normal.y, 1, 1e-5);
    CHECK_NEAR(touch.point.x, 0.01, 1e-6);
    free_two(&t);
}

/* A corner 0.2 from a side, 0.3 below the top and 0.4 from the front. */
static lt_box_touch touch_of_a_corner(two_boxes *t) {
    lt_box_touch touch = {0};
    set_box(t, 0, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1}, NULL, 0);
    set_box(t, 1, (lt_vec3){0.2f, 0.7f, 0.4f}, (lt_vec3){1.2f, 1.7f, 0.5f}, NULL, 0);
    CHECK(find(&touch, t, false));
    CHECK_NEAR(touch.normal.x, -1, 1e-6);
    CHECK(touch.outer == 0 && touch.corner == 0);
    return touch;
}

static void what_came_in_goes_out_where_it_came_in(void) {
    two_boxes t = make_two();
    const struct {
        lt_vec3 way, normal;
        float depth;
    } cases[] = {{{0, -0.5f, 0}, {0, 1, 0}, 0.3f},          /* from above */
                 {{0, -0.2f, 0}, {-1, 0, 0}, 0.2f},         /* that was inside before */
                 {{0.25f, -0.5f, 0}, {0, 1, 0}, 0.3f},      /* past the side first, then the top */
                 {{0.5f, -0.5f, 0}, {-1, 0, 0}, 0.2f},      /* the other way round */
                 {{0.25f, 0, 0.45f}, {-1, 0, 0}, 0.2f},     /* past the front first */
                 {{-0.5f, 0.5f, -0.5f}, {-1, 0, 0}, 0.2f}}; /* on its way out */
    for (uint32_t i = 0; i < LT_COUNT_OF(cases); i++) {
        lt_box_touch touch = touch_of_a_corner(&t);
        lt_box_touch_entered(&touch, t.boxes[0], t.boxes[1], cases[i].way);
        CHECK_NEAR(touch.depth, (double)cases[i].depth, 1e-5);
        CHECK(lt_v3_distance(touch.normal, cases[i].normal) < 1e-5f);
    }
    free_two(&t);
}

/* Through the face that looks the way that is known, if one does that pushes. */
static void a_way_out_that_is_known_is_kept(void) {
    two_boxes t = make_two();
    lt_box_touch touch = touch_of_a_corner(&t);
    lt_box_touch_known(&touch, t.boxes[0], t.boxes[1], (lt_vec3){0.6f, 0.8f, 0});
    CHECK_NEAR(touch.depth, 0.3, 1e-5);
    CHECK_NEAR(touch.normal.y, 1, 1e-5);
    touch = touch_of_a_corner(&t);
    lt_box_touch_known(&touch, t.boxes[0], t.boxes[1], (lt_vec3){0.58f, 0.58f, 0.58f});
    CHECK_NEAR(touch.depth, 0.2, 1e-5);
    t.f[0]->layout.masks[0] = 1u << 0 | 1u << 2;
    touch = touch_of_a_corner(&t);
    lt_box_touch_known(&touch, t.boxes[0], t.boxes[1], (lt_vec3){0, 1, 0});
    CHECK_NEAR(touch.depth, 0.2, 1e-5);
    free_two(&t);
}

/* No corner and no centre of one is in the other. */
static void boxes_that_cross_like_a_plus_are_found(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    set_box(&t, 0, (lt_vec3){-2, -0.2f, -0.2f}, (lt_vec3){1, 0.2f, 0.2f}, NULL, 0);
    set_box(&t, 1, (lt_vec3){-0.2f, -1, -0.1f}, (lt_vec3){0.2f, 2, 0.25f}, NULL, 0);
    CHECK(!find(&touch, &t, false));
    CHECK(find(&touch, &t, true));
    CHECK_COUNT(touch.corner, LT_TOUCH_HULL);
    CHECK_NEAR(touch.depth, 0.3, 1e-5); /* 0.2 + 0.1 upwards */
    CHECK_NEAR(touch.normal.z, touch.outer == 0 ? 1 : -1, 1e-5);
    CHECK(fabsf(touch.point.x) <= 0.2001f && fabsf(touch.point.y) <= 0.2001f &&
          fabsf(touch.point.z) <= 0.2001f);
    free_two(&t);
}

/* Two edges across each other, a little deep: the way out is across both, not along a face. */
static void edges_across_each_other_part_across(void) {
    two_boxes t = make_two();
    lt_box_touch touch;
    const float s = 0.70710678f;
    for (uint32_t j = 0; j < 8; j++) {
        float u = j & 1 ? 1.0f : -1.0f, v = j & 2 ? 0.5f : -0.5f, w = j & 4 ? 0.5f : -0.5f;
        float *a = t.f[0]->nodes + 4 * t.f[0]->cells[j], *b = t.f[1]->nodes + 4 * t.f[1]->cells[j];
        /* one along x, on edge; the other along z and above it, on edge too */
        a[0] = u + 0.3f, a[1] = s * (v + w), a[2] = s * (w - v);
        b[2] = u - 0.4f, b[1] = s * (v + w) + 2 * s - 0.02f, b[0] = s * (v - w);
    }
    refresh(&t, 0);
    refresh(&t, 1);
    CHECK(find(&touch, &t, true));
    CHECK_NEAR(touch.depth, 0.02 * 1, 1e-4);
    CHECK_NEAR(touch.normal.y, touch.outer == 0 ? 1 : -1, 1e-4);
    free_two(&t);
}

/* ---- against plain loops ---- */

static float plain_depth(const lt_cell_box *box, lt_vec3 p) {
    float least = INFINITY;
    for (uint32_t face = 0; face < 6; face++) {
        float below = box->planes[3][face] - lt_v3_dot(lt_cell_box_normal(box, face), p);
        if (!(below > 0)) return 0;
        if (box->push >> face & 1) least = lt_min_f(least, below);
    }
    return least;
}

static float plain_deepest(const lt_cell_box *outer, const lt_cell_box *inner) {
    float depth = plain_depth(outer, inner->center);
    for (uint32_t j = 0; j < 8; j++)
        depth = lt_max_f(depth, plain_depth(outer, lt_cell_box_corner(inner, j)));
    return depth;
}

/* A plane that has all of the other box before it parts the hulls, even where six planes hold more than the hull. */
static bool plain_apart(const lt_cell_box *x, const lt_cell_box *y) {
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < 8; j++)
            before +=
                !(lt_v3_dot(lt_cell_box_normal(x, face), lt_cell_box_corner(y, j)) < x->planes[3][face]);
        if (before == 8) return true;
    }
    return false;
}

static void corners_are_those_of_plain_loops(void) {
    two_boxes t = make_two();
    lt_random random = lt_random_seed(1);
    uint32_t touching = 0, units = 0;
    for (int round = 0; round < 4000; round++) {
        t.f[0]->layout.masks[0] = (uint8_t)(1 + lt_random_below(&random, 63));
        t.f[1]->layout.masks[0] = (uint8_t)(1 + lt_random_below(&random, 63));
        set_random(&t, 0, &random, 0.5f, 0.2f);
        set_random(&t, 1, &random, 0.9f, 0.2f);
        float depth = lt_max_f(plain_deepest(t.boxes[0], t.boxes[1]), plain_deepest(t.boxes[1], t.boxes[0]));
        if (plain_apart(t.boxes[0], t.boxes[1]) || plain_apart(t.boxes[1], t.boxes[0])) depth = 0;
        lt_box_touch first = {0}, touch;
        bool found = false;
        for (int level = 0; level <= (int)lt_simd_best(); level++) {
            memset(&touch, 0, sizeof touch);
            found = lt_box_touch_find(&touch, t.boxes[0], t.boxes[1], false,
                                      lt_box_kernels_for((lt_simd_level)level), &units);
            if (level == 0) first = touch;
            CHECK(memcmp(&first, &touch, sizeof touch) == 0);
        }
        CHECK(found == (depth > 0));
        touching += found;
        if (!found) continue;
        CHECK_NEAR(touch.depth, depth, 1e-6);
        CHECK_NEAR(lt_v3_length(touch.normal), 1, 1e-5);
        /* moved by its depth the point is on a plane that pushes */
        lt_vec3 out = lt_v3_mad(touch.point, touch.normal, touch.depth * 1.001f + 1e-5f);
        CHECK(plain_depth(t.boxes[touch.outer], out) == 0);
        lt_box_touch other;
        CHECK(lt_box_touch_find(&other, t.boxes[1], t.boxes[0], false, lt_box_kernels_for(lt_simd_best()),
                                &units));
        CHECK(other.depth == touch.depth);
    }
    CHECK(touching > 1000 && touching < 3500);
    free_two(&t);
}

/* Least overlap over all axes that can part two hulls of eight points: normals of all triples, all edges across. Negative:
 * apart. In double. */
typedef struct oracle {
    lt_dvec3 points[2][8];
    double least;
} oracle;

/* How far box 1 has to go along the axis to be apart from box 0, and back. */
static void measure(const oracle *o, lt_dvec3 axis, double ways[2]) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY}, length = lt_d3_length(axis);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 8; j++) {
            double at = lt_d3_dot(axis, o->points[side][j]) / length;
            lo[side] = lt_min_d(lo[side], at);
            hi[side] = lt_max_d(hi[side], at);
        }
    ways[0] = hi[0] - lo[1];
    ways[1] = hi[1] - lo[0];
}

static void try_axis(oracle *o, lt_dvec3 axis) {
    double ways[2];
    if (lt_d3_length(axis) < 1e-9) return;
    measure(o, axis, ways);
    o->least = lt_min_d(o->least, lt_min_d(ways[0], ways[1]));
}

static oracle make_oracle(const two_boxes *t) {
    oracle o = {.least = INFINITY};
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j < 8; j++)
            o.points[side][j] = lt_d3_from_v3(lt_cell_box_corner(t->boxes[side], j));
    return o;
}

static double true_depth(const two_boxes *t) {
    oracle o = make_oracle(t);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++) {
                    const lt_dvec3 *p = o.points[side];
                    try_axis(&o, lt_d3_cross(lt_d3_sub(p[i], p[k]), lt_d3_sub(p[j], p[k])));
                }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < 8; k++)
                for (int l = 0; l < k; l++)
                    try_axis(&o, lt_d3_cross(lt_d3_sub(o.points[0][i], o.points[0][j]),
                                             lt_d3_sub(o.points[1][k], o.points[1][l])));
    return o.least;
}

/* Least over the planes and all edges across: what the search is made of. */
static double depth_by_edges(const two_boxes *t) {
    oracle o = make_oracle(t);
    for (int side = 0; side < 2; side++)
        for (uint32_t face = 0; face < 6; face++) { /* out of the box whose face it is */
            double ways[2];
            measure(&o, lt_d3_from_v3(lt_cell_box_normal(t->boxes[side], face)), ways);
            o.least = lt_min_d(o.least, ways[side]);
        }
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 8; k++)
            for (uint32_t bit_a = 1; bit_a < 8; bit_a *= 2)
                for (uint32_t bit_b = 1; bit_b < 8; bit_b *= 2)
                    try_axis(&o, lt_d3_cross(lt_d3_sub(o.points[0][i], o.points[0][i ^ bit_a]),
                                             lt_d3_sub(o.points[1][k], o.points[1][k ^ bit_b])));
    return o.least;
}

static void check_common_point(const two_boxes *t, const lt_box_touch *touch) {
    for (int side = 0; side < 2; side++) {
        lt_vec3 sum = {0, 0, 0};
        float whole = 0;
        for (uint32_t j = 0; j < 8; j++) {
            CHECK(touch->shares[side][j] >= 0);
            whole += touch->shares[side][j];
            sum = lt_v3_mad(sum, lt_cell_box_corner(t->boxes[side], j), touch->shares[side][j]);
        }
        CHECK_NEAR(whole, 1, 1e-6);
        CHECK(lt_v3_distance(sum, touch->point) < 1e-5f);
    }
}

static void hulls_are_those_of_all_axes(void) {
    two_boxes t = make_two();
    lt_random random = lt_random_seed(2);
    uint32_t meeting = 0, exact = 0;
    for (int round = 0; round < 600; round++) {
        bool affine = round % 2;
        set_random(&t, 0, &random, 0.5f, affine ? 0 : 0.4f);
        set_random(&t, 1, &random, 1, affine ? 0 : 0.4f);
        lt_box_touch touch;
        double depth = true_depth(&t);
        bool met = lt_box_touch_hulls(&touch, t.boxes[0], t.boxes[1], lt_box_kernels_for(lt_simd_best()));
        if (fabs(depth) < 1e-5) continue;
        CHECK(met == (depth > 0));
        if (!met) continue;
        meeting++;
        CHECK((double)touch.depth > depth - 1e-5);
        CHECK_NEAR(lt_v3_length(touch.normal), 1, 1e-5);
        check_common_point(&t, &touch);
        /* edges count as a twentieth dearer; those that are nearly parallel do not count */
        double allowed = affine ? depth : depth_by_edges(&t);
        CHECK((double)touch.depth < 1.051 * allowed + 1e-5);
        exact += affine;
    }
    CHECK(meeting > 150 && meeting < 550 && exact > 50);
    free_two(&t);
}

/* ---- boxes that are none ---- */

static void strange_boxes_give_sound_touches_or_none(void) {
    two_boxes t = make_two();
    lt_random random = lt_random_seed(3);
    uint32_t found = 0;
    for (int round = 0; round < 3000; round++) {
        for (uint32_t side = 0; side < 2; side++) {
            set_random(&t, side, &random, 0.3f, 0.4f);
            float *nodes = t.f[side]->nodes;
            uint32_t kind = lt_random_below(&random, 5);
            for (uint32_t j = 0; j < 8; j++) {
                if (kind == 0) nodes[4 * j + 1] = 0.25f;                        /* flat */
                if (kind == 1) nodes[4 * j] = -nodes[4 * j];                    /* inside out */
                if (kind == 2) memcpy(nodes + 4 * j, nodes, 3 * sizeof(float)); /* a point */
                if (kind == 3) nodes[4 * j] = nodes[4 * j + 2] = 0.1f;          /* a line */
            }
            if (round % 100 == 0) nodes[4 * lt_random_below(&random, 8)] = round % 200 ? NAN : INFINITY;
            refresh(&t, side);
        }
        lt_box_touch touch;
        if (!find(&touch, &t, true)) continue;
        found++;
        CHECK(lt_v3_is_finite(touch.point) && touch.depth > 0 && touch.depth < 10);
        CHECK_NEAR(lt_v3_length(touch.normal), 1, 1e-4);
    }
    CHECK(found > 500);
    free_two(&t);
}

int main(void) {
    RUN(a_corner_goes_out_through_the_nearest_face);
    RUN(only_faces_that_look_out_push);
    RUN(boxes_that_stand_on_each_other_part_upwards);
    RUN(what_stands_on_an_edge_goes_out_upwards);
    RUN(what_came_in_goes_out_where_it_came_in);
    RUN(a_way_out_that_is_known_is_kept);
    RUN(boxes_that_cross_like_a_plus_are_found);
    RUN(edges_across_each_other_part_across);
    RUN(corners_are_those_of_plain_loops);
    RUN(hulls_are_those_of_all_axes);
    RUN(strange_boxes_give_sound_touches_or_none);
    return check_finish();
}
