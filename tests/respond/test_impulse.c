/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Impulses and corrections between boxes of cells: hand-made numbers, momentum and energy of random pairs, what is left after
 * three corrections, pins, cells that are none, and the paper's own rule. */

#include "check.h"

#include "bound/cell_fixture.h"
#include "respond/impulse_pair.h"

/* A body of one cell. */
typedef struct mover {
    cell_fixture *f;
    lt_real x[4 * 8], v[4 * 8], inverse_mass[8];
    lt_cell_motion motion;
} mover;

typedef struct two_movers {
    mover m[2];
} two_movers;

static void make_mover(mover *m, bool tight, uint64_t seed) {
    memset(m, 0, sizeof *m);
    m->f =
        cells_make((cell_options){.size = {1, 1, 1}, .tight = tight, .seed = seed, .level = lt_simd_best()});
    for (uint32_t j = 0; j < 8; j++)
        m->inverse_mass[j] = 1;
    m->motion = (lt_cell_motion){&m->f->boxes, m->x, m->v, m->f->nodes, m->inverse_mass};
}

/* Takes x over into the boxes, as at the beginning of a step. */
static void begin_step(mover *m) {
    for (uint32_t i = 0; i < 32; i++)
        m->f->nodes[i] = (float)m->x[i];
    cells_begin(m->f);
}

static void free_two(two_movers *t) {
    cells_free(t->m[0].f);
    cells_free(t->m[1].f);
}

/* The cell of side h with its lowest corner there, corners off by up to `noise` h. */
static void place(mover *m, lt_vec3 at, lt_random *random, float noise) {
    float h = m->f->h;
    const float lo[3] = {at.x, at.y, at.z};
    for (uint32_t j = 0; j < 8; j++)
        for (uint32_t k = 0; k < 3; k++)
            m->x[4 * m->f->cells[j] + k] =
                (lt_real)(lo[k] + (j >> k & 1 ? h : 0) +
                          (random ? noise * h * lt_random_range(random, -1, 1) : 0));
    begin_step(m);
}

static void set_velocity(mover *m, lt_vec3 v) {
    for (uint32_t j = 0; j < 8; j++)
        lt_node_set(m->v, j, lt_r3_from_v3(v));
}

static bool look(lt_box_touch *touch, two_movers *t, const lt_impulse_params *p) {
    const lt_cell_box *a = lt_cell_box_get(&t->m[0].f->boxes, 0), *b = lt_cell_box_get(&t->m[1].f->boxes, 0);
    uint32_t units = 0;
    return lt_box_touch_find(touch, a, b, p->hulls, p->kernels, &units);
}

static bool resolve(two_movers *t, const lt_impulse_params *p, const lt_box_touch *touch,
                    lt_impulse_counts *counts) {
    return lt_impulse_resolve(p, &t->m[0].motion, 0, &t->m[1].motion, 0, touch, counts);
}

static uint32_t answer_pair(two_movers *t, const lt_impulse_params *p, lt_impulse_counts *counts) {
    return impulse_pair(p, &t->m[0].motion, 0, &t->m[1].motion, 0, counts);
}

static lt_impulse_params defaults(void) {
    return lt_impulse_params_default(lt_simd_best());
}

/* ---- by hand ---- */

/* The corner (0, 0, 0) of a cell, of weight 1, is 1 mm under the middle of the upper face of another: of weights q/4 there
 * and (1 − q)/4 below, q = 1 − 0.001/h. W = 1 + (q² + (1 − q)²)/4. */
static const double UPPER = 1 - 0.001 / 0.125;

static void set_corner_on_face(two_movers *t, lt_vec3 velocity) {
    float h = 0.125f;
    make_mover(&t->m[0], false, 1);
    make_mover(&t->m[1], false, 2);
    t->m[0].f->layout.masks[0] = 1u << 3;
    place(&t->m[0], (lt_vec3){0, 0, 0}, NULL, 0);
    place(&t->m[1], (lt_vec3){h / 2, h, h / 2}, NULL, 0);
    for (uint32_t j = 0; j < 8; j++) /* on its corner */
        t->m[1].x[4 * j + 1] += (lt_real)(0.02f * ((j & 1) + (j >> 2)) - 0.001f);
    begin_step(&t->m[1]);
    set_velocity(&t->m[1], velocity);
}

/* Of the cell below, at the corner. */
static lt_rvec3 velocity_below(const two_movers *t) {
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t j = 0; j < 8; j++)
        sum = lt_r3_mad(sum, lt_node_get(t->m[0].v, t->m[0].f->cells[j]),
                        (lt_real)((j & 2 ? UPPER : 1 - UPPER) / 4));
    return sum;
}

static void a_corner_on_a_face_bounces_by_hand(void) {
    for (int round = 0; round < 3; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        lt_box_touch touch;
        p.restitution = (lt_real)(round * 0.5);
        p.friction = (lt_real)0.25;
        set_corner_on_face(&t, (lt_vec3){2, -1, 0});
        CHECK_FATAL(look(&touch, &t, &p));
        CHECK(touch.outer == 0 && touch.corner == 0);
        CHECK_NEAR(touch.depth, 0.001, 1e-5);
        CHECK(resolve(&t, &p, &touch, &counts));
        /* j = (1 + e) / W upwards, friction a quarter of it against x; the corner's node has mass 1 */
        double w = 1 + (UPPER * UPPER + (1 - UPPER) * (1 - UPPER)) / 4, j = (1 + (double)p.restitution) / w;
        lt_rvec3 corner = lt_node_get(t.m[1].v, t.m[1].f->cells[0]), face = velocity_below(&t);
        CHECK_NEAR(corner.y, -1 + j, 1e-4);
        CHECK_NEAR(corner.x, 2 - j / 4, 1e-4);
        CHECK_NEAR(corner.y - face.y, (double)p.restitution, 1e-4);
        CHECK_NEAR(face.y, -j * (w - 1), 1e-4);
        /* of the depth the corner gets 1 / W */
        CHECK_NEAR(t.m[1].x[4 * t.m[1].f->cells[0] + 1], 0.124 + (double)touch.depth / w, 1e-6);
        CHECK(counts.corrections == 1 && counts.unlocated == 0);
        free_two(&t);
    }
}

/* Friction that is strong enough stops the sliding and does no more. */
static void friction_stops_and_does_not_turn_back(void) {
    two_movers t;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    lt_box_touch touch;
    p.friction = 100;
    set_corner_on_face(&t, (lt_vec3){2, -1, 0.5f});
    CHECK_FATAL(look(&touch, &t, &p));
    CHECK(resolve(&t, &p, &touch, &counts));
    lt_rvec3 u = lt_r3_sub(lt_node_get(t.m[1].v, t.m[1].f->cells[0]), velocity_below(&t));
    CHECK(lt_r3_length(u) < 1e-4f);
    free_two(&t);
}

/* What parts is not held back, but moved out of each other. */
static void what_parts_gets_no_impulse(void) {
    two_movers t;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    lt_box_touch touch;
    set_corner_on_face(&t, (lt_vec3){2, 0.5f, 0});
    CHECK_FATAL(look(&touch, &t, &p));
    CHECK(resolve(&t, &p, &touch, &counts));
    for (uint32_t j = 0; j < 8; j++) {
        CHECK(t.m[1].v[4 * j] == 2 && t.m[1].v[4 * j + 1] == (lt_real)0.5);
        CHECK(t.m[0].v[4 * j] == 0 && t.m[0].v[4 * j + 1] == 0);
    }
    CHECK_COUNT(counts.corrections, 1);
    free_two(&t);
}

/* Deep in each other: a tenth of a cell a correction, no more. */
static void corrections_are_capped(void) {
    two_movers t;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    make_mover(&t.m[0], false, 1);
    make_mover(&t.m[1], false, 2);
    lt_random random = lt_random_seed(1);
    place(&t.m[0], (lt_vec3){0, 0, 0}, &random, 0.1f);
    place(&t.m[1], (lt_vec3){0.01f, 0.02f, 0.015f}, &random, 0.1f);
    two_movers before = t;
    for (int step = 0; step < 40; step++) { /* nothing flies off, nothing gets faster */
        answer_pair(&t, &p, &counts);
        begin_step(&t.m[0]);
        begin_step(&t.m[1]);
        if (step > 0) continue;
        CHECK_COUNT(counts.corrections, 3);
        CHECK(counts.unfinished == 1 && counts.deepest_left > 0);
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < 32; i++)
                CHECK_NEAR(t.m[side].x[i], before.m[side].x[i], 3 * 0.1 * 0.125);
    }
    lt_box_touch touch;
    CHECK(!look(&touch, &t, &p) || touch.depth < 0.01f);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < 32; i++)
            CHECK(t.m[side].v[i] == 0 && t.m[side].x[i] > -1 && t.m[side].x[i] < 1);
    free_two(&t);
}

/* ---- random pairs ---- */

static void scatter(two_movers *t, lt_random *random, float noise, bool tight) {
    for (uint32_t side = 0; side < 2; side++) {
        mover *m = &t->m[side];
        float at[3];
        for (int k = 0; k < 3; k++)
            at[k] = 0.07f * lt_random_range(random, -1, 1);
        make_mover(m, tight, lt_random_u32(random));
        place(m, (lt_vec3){at[0], at[1], at[2]}, random, noise);
        for (uint32_t j = 0; j < 8; j++) {
            m->inverse_mass[j] = (lt_real)lt_random_range(random, 0.5f, 2);
            for (uint32_t k = 0; k < 3; k++)
                m->v[4 * j + k] = (lt_real)lt_random_range(random, -1, 1);
        }
    }
}

typedef struct totals {
    lt_dvec3 momentum, angular, first_moment;
    double energy;
} totals;

static lt_dvec3 node_of(const lt_real *vectors, uint32_t node) {
    lt_rvec3 v = lt_node_get(vectors, node);
    return (lt_dvec3){(double)v.x, (double)v.y, (double)v.z};
}

/* Angular momentum of the velocities about the positions that are given. */
static totals total_of(const two_movers *t, const two_movers *positions) {
    totals sum = {0};
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j < 8; j++) {
            const mover *m = &t->m[side];
            if (m->inverse_mass[j] == 0) continue;
            double mass = 1 / (double)m->inverse_mass[j];
            lt_dvec3 v = node_of(m->v, j), at = node_of(positions->m[side].x, j);
            sum.momentum = lt_d3_mad(sum.momentum, v, mass);
            sum.angular = lt_d3_mad(sum.angular, lt_d3_cross(at, v), mass);
            sum.first_moment = lt_d3_mad(sum.first_moment, node_of(m->x, j), mass);
            sum.energy += 0.5 * mass * lt_d3_dot(v, v);
        }
    return sum;
}

static bool all_is_finite(const two_movers *t) {
    for (int side = 0; side < 2; side++)
        for (uint32_t j = 0; j < 8; j++)
            if (!lt_r3_is_finite(lt_node_get(t->m[side].x, j)) ||
                !lt_r3_is_finite(lt_node_get(t->m[side].v, j)))
                return false;
    return true;
}

static void momentum_is_kept_and_energy_not_made(void) {
    lt_random random = lt_random_seed(3);
    uint32_t touched = 0, hulls = 0, unlocated = 0, slowed = 0;
    for (int round = 0; round < 3000; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        lt_box_touch touch;
        p.friction = (lt_real)lt_random_range(&random, 0, 1);
        scatter(&t, &random, round % 2 ? 0.1f : 0.3f, round % 3 == 0);
        two_movers before = t;
        if (look(&touch, &t, &p) && resolve(&t, &p, &touch, &counts)) {
            totals was = total_of(&before, &before), is = total_of(&t, &before);
            touched++;
            hulls += counts.hulls;
            unlocated += counts.unlocated;
            CHECK(lt_d3_distance(was.momentum, is.momentum) < 1e-5);
            CHECK(lt_d3_distance(was.first_moment, is.first_moment) < 1e-6);
            CHECK(lt_d3_distance(was.angular, is.angular) < 2e-6 + counts.angular_error);
            CHECK(counts.unlocated || counts.angular_error < 2e-4);
            CHECK(is.energy <= was.energy * (1 + 1e-6));
            slowed += is.energy < was.energy * 0.999;
        }
        free_two(&t);
    }
    printf("%u touched, %u hulls, %u not located, %u slowed\n", touched, hulls, unlocated, slowed);
    CHECK(touched > 800 && hulls > 5 && unlocated < touched / 20 && slowed > 300);
}

/* How deep a corner or the centre is now in the box that held it; 0: out. */
static float depth_now(two_movers *t, const lt_box_touch *touch) {
    const lt_cell_box *outer = lt_cell_box_get(&t->m[touch->outer].f->boxes, 0);
    const lt_cell_box *inner = lt_cell_box_get(&t->m[1 - touch->outer].f->boxes, 0);
    lt_vec3 p = touch->corner == LT_TOUCH_CENTER ? inner->center : lt_cell_box_corner(inner, touch->corner);
    float depth = INFINITY;
    for (uint32_t face = 0; face < 6; face++)
        depth = lt_min_f(depth, outer->planes[3][face] - lt_v3_dot(lt_cell_box_normal(outer, face), p));
    return lt_max_f(depth, 0);
}

/* With the cap off a point is nearly out after three corrections: the plane it goes through follows the material. */
static void three_corrections_bring_a_point_out(void) {
    lt_random random = lt_random_seed(4);
    uint32_t points = 0, little = 0, after_one = 0;
    for (int round = 0; round < 2000; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        lt_box_touch touch;
        p.cap = 1000;
        scatter(&t, &random, 0.1f, round % 2);
        if (look(&touch, &t, &p) && touch.corner < LT_TOUCH_HULL) {
            float depth = touch.depth, left = depth;
            for (int i = 0; i < 3 && left > 0; i++) {
                touch.depth = left;
                resolve(&t, &p, &touch, &counts);
                left = depth_now(&t, &touch);
                after_one += i == 0 && left > 0;
            }
            points++;
            little += left <= 0.05f * depth;
        }
        free_two(&t);
    }
    printf("%u points: %u still inside after one correction, %u with at most a twentieth after three\n",
           points, after_one, little);
    CHECK(points > 800 && after_one > points / 10 && little > points * 99 / 100);
}

/* What is left of a pair is said, whether a point or two hulls. */
static void what_is_left_is_said(void) {
    lt_random random = lt_random_seed(8);
    uint32_t touched = 0, unfinished = 0;
    for (int round = 0; round < 1000; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        lt_box_touch touch;
        scatter(&t, &random, 0.1f, round % 2);
        if (look(&touch, &t, &p)) {
            float depth = touch.depth;
            uint32_t units = answer_pair(&t, &p, &counts);
            bool left = look(&touch, &t, &p);
            touched++;
            unfinished += left;
            CHECK(units <= p.correction_count * (LT_IMPULSE_LOOK_UNITS + LT_IMPULSE_UNITS) +
                               LT_IMPULSE_LOOK_UNITS &&
                  units >= LT_IMPULSE_UNITS);
            CHECK(counts.touched == 1 && counts.corrections >= 1 && counts.corrections <= 3);
            CHECK(counts.unfinished == left);
            CHECK(counts.deepest >= depth && (!left || counts.deepest_left == touch.depth));
        }
        free_two(&t);
    }
    CHECK(touched > 300 && unfinished > 50 && unfinished < touched);
}

/* ---- pins ---- */

static void pinned_nodes_stay(void) {
    lt_random random = lt_random_seed(5);
    uint32_t moved = 0, immovable = 0;
    for (int round = 0; round < 1000; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        scatter(&t, &random, 0.2f, round % 2);
        uint32_t kind = lt_random_below(&random, 3);
        for (int side = 0; side < 2; side++)
            for (uint32_t j = 0; j < 8; j++)
                if (kind == 2 || (kind == 0 && side == 0) || (kind == 1 && lt_random_below(&random, 4)))
                    t.m[side].inverse_mass[j] = 0;
        for (int side = 0; side < 2; side++) /* what is pinned rests */
            for (uint32_t j = 0; j < 8; j++)
                if (t.m[side].inverse_mass[j] == 0) lt_node_set(t.m[side].v, j, (lt_rvec3){0, 0, 0});
        two_movers before = t;
        answer_pair(&t, &p, &counts);
        for (int side = 0; side < 2; side++)
            for (uint32_t j = 0; j < 8; j++) {
                if (t.m[side].inverse_mass[j] > 0) continue;
                CHECK(memcmp(t.m[side].x + 4 * j, before.m[side].x + 4 * j, 4 * sizeof(lt_real)) == 0);
                CHECK(memcmp(t.m[side].v + 4 * j, before.m[side].v + 4 * j, 4 * sizeof(lt_real)) == 0);
            }
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < 32; i++)
                CHECK_NEAR(t.m[side].x[i], before.m[side].x[i], 3 * 4 * 0.1 * 0.125 + 1e-6);
        moved += counts.corrections > 0;
        immovable += counts.immovable;
        CHECK(kind != 2 || counts.corrections == 0);
        CHECK(all_is_finite(&t) && total_of(&t, &t).energy <= total_of(&before, &before).energy * (1 + 1e-5));
        free_two(&t);
    }
    CHECK(moved > 200 && immovable > 100);
}

/* ---- places in cells ---- */

static void places_are_found_again(void) {
    lt_random random = lt_random_seed(6);
    uint32_t found = 0, tried = 4000;
    for (uint32_t round = 0; round < tried; round++) {
        mover m;
        lt_real at[3], weights[8], guess[3] = {(lt_real)0.5, (lt_real)0.5, (lt_real)0.5};
        lt_anchor anchor = {.count = 8};
        make_mover(&m, false, 1);
        place(&m, (lt_vec3){1, 2, 3}, &random, 0.2f);
        for (int k = 0; k < 3; k++)
            at[k] = (lt_real)lt_random_range(&random, -0.2f, 1.2f);
        lt_trilinear_weights(weights, at);
        memcpy(anchor.ids, m.f->cells, sizeof anchor.ids);
        memcpy(anchor.weights, weights, sizeof weights);
        lt_rvec3 point = lt_anchor_gather(&anchor, m.x);
        if (lt_cell_locate(guess, m.x, m.f->cells, point, (lt_real)m.f->h)) {
            found++;
            lt_trilinear_weights(anchor.weights, guess);
            CHECK(lt_r3_distance(lt_anchor_gather(&anchor, m.x), point) < 1.1e-4f * m.f->h + 1e-6f);
        }
        cells_free(m.f);
    }
    CHECK(found > tried - tried / 50);
}

/* From where a point was: how far it went from there, and its place now, or where it meets the face again. */
static void places_are_followed(void) {
    lt_random random = lt_random_seed(7);
    const lt_rvec3 normal = {0, 1, 0};
    uint32_t out = 0;
    for (uint32_t round = 0; round < 400; round++) {
        mover m;
        lt_real at[3];
        lt_anchor anchor = {.count = 8};
        make_mover(&m, false, 1);
        place(&m, (lt_vec3){1, 2, 3}, &random, 0.1f);
        for (int k = 0; k < 3; k++)
            at[k] = (lt_real)lt_random_range(&random, 0.2f, 0.8f);
        lt_trilinear_weights(anchor.weights, at);
        memcpy(anchor.ids, m.f->cells, sizeof anchor.ids);
        lt_rvec3 way = {(lt_real)lt_random_range(&random, -0.1f, 0.1f),
                        (lt_real)lt_random_range(&random, -0.1f, 0.1f), 0};
        way = lt_r3_scale(way, (lt_real)m.f->h);
        lt_rvec3 moved, point = lt_r3_add(lt_anchor_gather(&anchor, m.x), way);
        lt_real depth = (lt_real)0.03f * (lt_real)m.f->h, ahead = lt_min_r(0, depth - way.y);
        CHECK(lt_cell_follow(at, &moved, m.x, m.f->cells, point, normal, depth, (lt_real)m.f->h));
        CHECK(lt_r3_distance(moved, way) < 2e-6f);
        lt_trilinear_weights(anchor.weights, at);
        lt_rvec3 meeting = lt_r3_mad(point, normal, ahead);
        CHECK(lt_r3_distance(lt_anchor_gather(&anchor, m.x), meeting) < 1.1e-4f * m.f->h + 1e-6f);
        out += ahead < 0;
        cells_free(m.f);
    }
    CHECK(out > 50 && out < 350);
}

static void a_flat_cell_gives_a_place_in_it(void) {
    mover m;
    make_mover(&m, false, 1);
    place(&m, (lt_vec3){0, 0, 0}, NULL, 0);
    for (uint32_t j = 0; j < 8; j++)
        m.x[4 * j + 1] = 0;
    lt_real guess[3] = {(lt_real)0.5, 2, -3};
    CHECK(!lt_cell_locate(guess, m.x, m.f->cells, (lt_rvec3){0, 1, 0}, (lt_real)m.f->h));
    for (int k = 0; k < 3; k++)
        CHECK(guess[k] >= 0 && guess[k] <= 1);
    lt_real strange[3] = {NAN, (lt_real)0.5, (lt_real)0.5};
    CHECK(!lt_cell_locate(strange, m.x, m.f->cells, (lt_rvec3){0, 1, 0}, (lt_real)m.f->h));
    CHECK(strange[0] == 0);
    cells_free(m.f);
}

/* Flat, inside out, points and lines, thin tight boxes: finite, no momentum made, no energy. */
static void strange_cells_stay_finite(void) {
    lt_random random = lt_random_seed(7);
    uint32_t corrections = 0, unlocated = 0;
    for (int round = 0; round < 2000; round++) {
        two_movers t;
        lt_impulse_params p = defaults();
        lt_impulse_counts counts = {0};
        scatter(&t, &random, 0.4f, round % 2);
        for (int side = 0; side < 2; side++) {
            uint32_t kind = lt_random_below(&random, 5);
            lt_real *x = t.m[side].x;
            for (uint32_t j = 0; j < 8; j++) {
                if (kind == 0) x[4 * j + 1] = (lt_real)0.05;
                if (kind == 1) x[4 * j] = (lt_real)0.1 - x[4 * j];
                if (kind == 2) memcpy(x + 4 * j, x, 3 * sizeof *x);
                if (kind == 3) x[4 * j] = x[4 * j + 2] = (lt_real)0.06;
            }
            begin_step(&t.m[side]);
        }
        two_movers before = t;
        answer_pair(&t, &p, &counts);
        CHECK(all_is_finite(&t));
        CHECK(lt_d3_distance(total_of(&before, &t).momentum, total_of(&t, &t).momentum) < 1e-4);
        CHECK(total_of(&t, &t).energy <= total_of(&before, &t).energy * (1 + 1e-5));
        for (int side = 0; side < 2; side++)
            for (uint32_t i = 0; i < 32; i++)
                CHECK_NEAR(t.m[side].x[i], before.m[side].x[i], 3 * 4 * 0.1 * 0.125 + 1e-6);
        corrections += counts.corrections;
        unlocated += counts.unlocated;
        free_two(&t);
    }
    CHECK(corrections > 500 && unlocated > 20);
}

/* ---- a plus, an obstacle, the paper ---- */

/* Bars that cross are parted in some steps, upwards and downwards. */
static void a_plus_is_parted(void) {
    two_movers t;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    lt_box_touch touch;
    make_mover(&t.m[0], false, 1);
    make_mover(&t.m[1], false, 2);
    for (uint32_t j = 0; j < 8; j++) {
        float u = j & 1 ? 0.1f : -0.2f, v = j & 2 ? 0.02f : -0.02f, w = j & 4 ? 0.02f : -0.02f;
        lt_node_set(t.m[0].x, t.m[0].f->cells[j], (lt_rvec3){u, v, w});
        lt_node_set(t.m[1].x, t.m[1].f->cells[j], (lt_rvec3){v, -u, w + 0.015f});
    }
    begin_step(&t.m[0]);
    begin_step(&t.m[1]);
    for (int step = 0; step < 20 && look(&touch, &t, &p); step++)
        answer_pair(&t, &p, &counts);
    CHECK(counts.hulls > 0 && !look(&touch, &t, &p));
    CHECK(lt_cell_box_get(&t.m[1].f->boxes, 0)->center.z > 0.016f);
    free_two(&t);
}

static void an_obstacle_is_left_at_its_own_speed(void) {
    mover m;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    static const float shares[8] = {0.5f, 0.5f};
    make_mover(&m, false, 1);
    place(&m, (lt_vec3){0, -0.001f, 0}, NULL, 0);
    set_velocity(&m, (lt_vec3){0, -2, 0});
    CHECK(lt_impulse_against(&p, &m.motion, 0, shares, (lt_vec3){0, 1, 0}, 0.001f, (lt_vec3){0, 0.5f, 0},
                             &counts));
    lt_real middle = (m.v[4 * m.f->cells[0] + 1] + m.v[4 * m.f->cells[1] + 1]) / 2;
    CHECK_NEAR(middle, 0.5, 1e-5);
    CHECK_NEAR(m.x[4 * m.f->cells[0] + 1], 0, 1e-7);
    CHECK_NEAR(m.x[4 * m.f->cells[7] + 1], 0.124, 1e-7);
    memset(m.inverse_mass, 0, sizeof m.inverse_mass);
    CHECK(!lt_impulse_against(&p, &m.motion, 0, shares, (lt_vec3){0, 1, 0}, 1, (lt_vec3){0, 0, 0}, &counts));
    CHECK_COUNT(counts.immovable, 1);
    cells_free(m.f);
}

static void the_paper_moves_all_nodes_by_half(void) {
    two_movers t;
    lt_impulse_params p = defaults();
    lt_impulse_counts counts = {0};
    lt_box_touch touch;
    p.as_printed = true;
    p.hulls = false;
    p.damping = (lt_real)1.5;
    p.tangential = (lt_real)0.25;
    set_corner_on_face(&t, (lt_vec3){2, -1, 0});
    CHECK_FATAL(look(&touch, &t, &p));
    two_movers before = t;
    CHECK(resolve(&t, &p, &touch, &counts));
    for (uint32_t j = 0; j < 8; j++) {
        CHECK_NEAR(t.m[1].v[4 * j], 1.5, 1e-5);     /* 1 − β of it */
        CHECK_NEAR(t.m[1].v[4 * j + 1], 0.5, 1e-5); /* 1 − α of −1 */
        CHECK_NEAR(t.m[0].v[4 * j + 1], 0, 1e-6);   /* the other body learns nothing (J7) */
        CHECK_NEAR(t.m[1].x[4 * j + 1] - before.m[1].x[4 * j + 1], touch.depth / 2, 1e-6);
        CHECK_NEAR(t.m[0].x[4 * j + 1] - before.m[0].x[4 * j + 1], -touch.depth / 2, 1e-6);
    }
    free_two(&t);
}

int main(void) {
    RUN(a_corner_on_a_face_bounces_by_hand);
    RUN(friction_stops_and_does_not_turn_back);
    RUN(what_parts_gets_no_impulse);
    RUN(corrections_are_capped);
    RUN(momentum_is_kept_and_energy_not_made);
    RUN(three_corrections_bring_a_point_out);
    RUN(what_is_left_is_said);
    RUN(pinned_nodes_stay);
    RUN(places_are_found_again);
    RUN(places_are_followed);
    RUN(a_flat_cell_gives_a_place_in_it);
    RUN(strange_cells_stay_finite);
    RUN(a_plus_is_parted);
    RUN(an_obstacle_is_left_at_its_own_speed);
    RUN(the_paper_moves_all_nodes_by_half);
    return check_finish();
}
