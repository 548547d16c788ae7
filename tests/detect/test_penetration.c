/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle of tet-hash against brute force and closed forms: which
 * points are inside which body, how deep, what is near; the same bits wherever
 * it is cut; nothing lost, endless or out of bounds, whatever the bodies. */

#include "check.h"

#include "detect/cycle_scene.h"
#include "failing_allocator.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

#include <stddef.h>

static scene s; /* of the test that runs */

static lt_dvec3 node_now(uint32_t body, uint32_t node) {
    const float *p = s.colliders[body].soft->nodes + 4 * (size_t)node;
    return (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* ---- inside ---- */

static bool shares_a_node(const uint32_t *x, const uint32_t *y) {
    for (int i = 0; i < 16; i++)
        if (x[i / 4] == y[i % 4]) return true;
    return false;
}

/* The first tet that holds the point, by exact signs over all tets. */
static uint32_t first_tet_around(lt_vec3 point, uint32_t other) {
    const lt_carrier *carrier = &s.bodies[other].carrier;
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++) {
        lt_dvec3 corners[4];
        for (int k = 0; k < 4; k++)
            corners[k] = node_now(other, carrier->tets[4 * (size_t)tet + (size_t)k]);
        if (lt_exact_point_tet(lt_d3_from_v3(point), corners)) return tet;
    }
    return LT_NONE;
}

/* The set of (point, other body) is that of brute force, and every one has the
 * first of its tets. */
static uint32_t check_inside(uint64_t *pairs) {
    uint32_t inside = 0, wrong = 0;
    for (uint32_t a = 0; a < s.body_count; a++)
        for (uint32_t b = 0; b < s.body_count; b++) {
            if (a == b) continue;
            *pairs += (uint64_t)s.bodies[a].skin.point_count * s.bodies[b].carrier.tet_count;
            for (uint32_t p = 0; p < s.bodies[a].skin.point_count; p++) {
                uint32_t tet = first_tet_around(s.bodies[a].collider.points[p], b);
                const lt_found *f = scene_found(&s, a, p, b);
                bool found = f && is_inside(f);
                inside += tet != LT_NONE;
                wrong += found != (tet != LT_NONE) || (found && f->tet != tet);
            }
        }
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(unsound_found(&s), 0);
    return inside;
}

static void points_inside_are_those_of_brute_force(void) {
    lt_random random = lt_random_seed(21);
    uint64_t pairs = 0;
    uint32_t inside = 0;
    for (uint32_t i = 0; i < 3; i++)
        CHECK_FATAL(scene_add(&s, 1 + 0.2 * i, 3 + i) != NULL);
    for (int round = 0; round < 6; round++) {
        for (uint32_t i = 0; i < 3; i++) {
            affine a = random_rigid(&random, 0.5);
            fixture_move(&s.bodies[i], move_affine, &a);
            fixture_shake(&s.bodies[i], &random, 0.06 * round); /* the last ones are full of inverted tets */
        }
        CHECK_FATAL(scene_run(&s));
        inside += check_inside(&pairs);
        CHECK(s.cycle.inside_count > 10 && s.cycle.dropped_count == 0);
    }
    CHECK(pairs >= 100000 && inside > 300);
    scene_free(&s);
}

/* A thin bar of many small tets through a block of few large ones, from corner
 * to corner: cells of the mean size are many for each of the large ones. */
static void coarse_and_fine_bodies_meet(void) {
    uint64_t pairs = 0;
    lt_dvec3 way = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)}, aside = {1 / sqrt(2), -1 / sqrt(2), 0};
    affine diagonal = {{way, aside, lt_d3_cross(way, aside)}, {0.01, 0.02, 0.03}};
    CHECK_FATAL(fixture_block(&s.bodies[0], (lt_dvec3){6.8, 0.02, 0.02}, 200, 1, 1, (fixture_options){0}));
    s.body_count = 1;
    CHECK_FATAL(scene_add(&s, 4, 4) != NULL);
    fixture_move(&s.bodies[0], move_affine, &diagonal);
    CHECK_FATAL(scene_run(&s));
    CHECK(check_inside(&pairs) > 600);
    CHECK_COUNT(s.cycle.near_points.hash.dropped_count, 0);
    scene_free(&s);
}

static lt_dvec3 pull_end(const void *context, lt_dvec3 rest) {
    (void)context;
    if (rest.x > 0.079) rest.x *= 1000;
    return rest;
}

/* One layer of a body pulled out so far that all others are in a single cell.
 */
static void crowded_cells_lose_nothing(void) {
    uint64_t pairs = 0;
    CHECK_FATAL(scene_add(&s, 0.08, 11) != NULL);
    CHECK_FATAL(scene_add(&s, 0.07, 2) != NULL);
    fixture_move(&s.bodies[0], pull_end, NULL);
    scene_move(&s, 1, 0.0041, 0.0052, 0.0063);
    CHECK_FATAL(scene_run(&s));
    CHECK_COUNT(check_inside(&pairs), s.bodies[1].skin.point_count);
    scene_free(&s);
}

/* ---- depths ---- */

/* A cube of 1 pushed e deep into the top of a block that ends at 0. */
static void check_pushed_cube(double e, bool smooth, const affine *turn) {
    uint32_t inside = 0, border = 0, spread = 0;
    lt_vec3 up = lt_v3_from_d3(turn->m.c1);
    for (uint32_t i = 0; i < 2; i++) {
        affine a = *turn;
        lt_dvec3 place = i ? (lt_dvec3){0.03, -e, 0.07} : (lt_dvec3){-1.5, -1, -1.5};
        a.t = lt_dm3_mul_vec(turn->m, place);
        fixture_move(&s.bodies[i], move_affine, &a);
    }
    s.input.smooth_normals = smooth;
    CHECK_FATAL(scene_run(&s));
    for (uint32_t p = 0; p < s.bodies[1].skin.point_count; p++) {
        bool low = s.bodies[1].skin.rest[p].y < 0.01f;
        const lt_found *f = scene_found(&s, 1, p, 0);
        CHECK(low == (f && is_inside(f)));
        if (!f || !is_inside(f)) continue;
        inside++;
        border += f->status == LT_FOUND_BORDER && f->layer == 0;
        spread += f->status == LT_FOUND_SPREAD && f->layer > 0;
        double stored = -lt_d3_dot(lt_d3_from_v3(s.bodies[1].collider.points[p]), turn->m.c1);
        CHECK_NEAR(f->depth, e, 1e-6 * (turn->m.c1.y == 1 ? e : 1));
        CHECK_NEAR(f->depth, stored, turn->m.c1.y == 1 ? 1e-9 : 1e-6);
        CHECK(lt_v3_distance(f->normal, up) <= 1e-6f);
    }
    CHECK_COUNT(inside, 25);
    CHECK_COUNT(border + spread, 25);
    CHECK(smooth ? border == 16 && spread == 9 : border >= 16);
}

static void a_pushed_cube_is_as_deep_as_pushed(void) {
    lt_random random = lt_random_seed(22);
    CHECK_FATAL(fixture_block(&s.bodies[0], (lt_dvec3){4, 1, 4}, 8, 2, 8, (fixture_options){0}));
    s.body_count = 1;
    CHECK_FATAL(scene_add(&s, 1, 4) != NULL);
    const double depths[] = {0.0001, 0.01, 0.1, 0.2, 0.24};
    for (uint32_t i = 0; i < LT_COUNT_OF(depths); i++)
        for (int smooth = 0; smooth < 2; smooth++) {
            affine still = translation(0, 0, 0), turn = random_rigid(&random, 0);
            check_pushed_cube(depths[i], smooth, &still);
            check_pushed_cube(depths[i], smooth, &turn);
        }
    scene_free(&s);
}

/* ---- layers ---- */

static bool are_neighbours(const lt_skin *skin, uint32_t p, uint32_t q) {
    for (uint32_t i = 0; i < skin->triangle_count; i++) {
        const uint32_t *t = skin->triangles + 3 * (size_t)i;
        bool has_p = t[0] == p || t[1] == p || t[2] == p, has_q = t[0] == q || t[1] == q || t[2] == q;
        if (has_p && has_q && p != q) return true;
    }
    return false;
}

/* Depth from all points of the surface that share a triangle and are of earlier
 * layers. */
static void check_layer(const lt_found *f) {
    const lt_cycle_body *body = body_of(&s, f);
    const lt_skin *skin = &s.bodies[body->slot].skin;
    lt_dvec3 p = lt_d3_from_v3(s.cycle.points[f->point]), way = {0, 0, 0};
    double weights = 0, depth = 0;
    uint32_t least = LT_NONE - 1;
    for (uint32_t q = 0; q < skin->point_count; q++) {
        const lt_found *other = scene_found(&s, body->slot, q, other_slot(&s, f));
        if (!other || !is_inside(other) || other->layer == LT_NONE) continue;
        if (!are_neighbours(skin, own_point(&s, f), q)) continue;
        least = lt_min_u32(least, other->layer);
        if (other->layer >= f->layer) continue;
        lt_dvec3 edge = lt_d3_sub(lt_d3_from_v3(s.cycle.points[other->point]), p),
                 r = lt_d3_from_v3(other->normal);
        double w = 1 / lt_d3_length_squared(edge);
        weights += w;
        depth += w * (lt_d3_dot(edge, r) + (double)other->depth);
        way = lt_d3_mad(way, r, w);
    }
    CHECK_COUNT(f->layer, least + 1);
    CHECK_NEAR(f->depth, lt_max_d(0, depth / weights), 1e-6);
    lt_dvec3 normal = lt_d3_normalize_or(way, (lt_dvec3){0, 0, 0});
    CHECK(lt_d3_distance(normal, lt_d3_from_v3(f->normal)) < 1e-5);
}

static void layers_follow_from_earlier_ones(void) {
    lt_random random = lt_random_seed(28);
    uint32_t spread = 0, deepest = 0;
    CHECK_FATAL(scene_add(&s, 1, 8) != NULL);
    CHECK_FATAL(scene_add(&s, 1.5, 5) != NULL);
    for (int round = 0; round < 6; round++) {
        s.input.smooth_normals = round % 2;
        for (uint32_t i = 0; i < 2; i++) {
            affine a = random_rigid(&random, 0.6);
            fixture_move(&s.bodies[i], move_affine, &a);
            fixture_shake(&s.bodies[i], &random, 0.02);
        }
        CHECK_FATAL(scene_run(&s));
        for (uint32_t i = 0; i < s.cycle.found_count; i++) {
            const lt_found *f = &s.cycle.found[i];
            if (f->status != LT_FOUND_SPREAD) continue;
            check_layer(f);
            spread++;
            deepest = lt_max_u32(deepest, f->layer);
        }
    }
    CHECK(spread > 60 && deepest >= 3);
    scene_free(&s);
}

/* ---- cuts ---- */

typedef struct kept_found {
    lt_found found[SCENE_FOUND];
    uint32_t count, dropped, inside_count;
} kept_found;

static kept_found whole;

static void keep_found(kept_found *kept) {
    memcpy(kept->found, s.cycle.found, s.cycle.found_count * sizeof *kept->found);
    kept->count = s.cycle.found_count;
    kept->dropped = s.cycle.dropped_count;
    kept->inside_count = s.cycle.inside_count;
}

static void check_same_found(const kept_found *kept) {
    CHECK_COUNT(s.cycle.found_count, kept->count);
    CHECK_COUNT(s.cycle.dropped_count, kept->dropped);
    CHECK_COUNT(s.cycle.inside_count, kept->inside_count);
    CHECK(s.cycle.found_count == kept->count &&
          memcmp(s.cycle.found, kept->found, kept->count * sizeof *kept->found) == 0);
}

/* One piece after the other, or as many as a random grant allows; a grant that
 * is too small does nothing. */
static void finish_in_pieces(lt_random *random, uint32_t most) {
    for (lt_piece piece = lt_cycle_peek(&s.cycle, 7); piece.cost; piece = lt_cycle_peek(&s.cycle, 7)) {
        uint32_t grant = piece.cost + (most ? lt_random_below(random, most) : 0);
        CHECK_COUNT(lt_cycle_step(&s.cycle, piece.cost - 1), 0);
        uint32_t spent = lt_cycle_step(&s.cycle, grant);
        CHECK(spent > 0 && spent <= grant);
        if (spent == 0) return; /* else it would never end */
    }
    CHECK(lt_cycle_is_done(&s.cycle));
}

/* Obstacles, self-collision, bodies that go on moving meanwhile: all is about
 * the moment when the cycle began. */
static void cuts_change_nothing(void) {
    lt_random random = lt_random_seed(23), cutting = lt_random_seed(24);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_FATAL(scene_add(&s, 1, 3 + i) != NULL);
    s.self = true;
    s.obstacle_count = 1;
    s.obstacles[0] = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_SPHERE, .radius = 0.7f};
    lt_obstacle_place(&s.obstacles[0], (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    for (int round = 0; round < 4; round++) {
        affine places[3];
        lt_random shaking[3];
        s.input.smooth_normals = round % 2;
        s.input.latency = 1 + (uint32_t)round;
        for (int way = 0; way < 5; way++) {
            for (uint32_t i = 0; i < 3; i++) {
                if (way == 0) {
                    places[i] = random_rigid(&random, 0.4);
                    shaking[i] = lt_random_seed(lt_random_below(&random, 1000000));
                }
                lt_random again = shaking[i];
                fixture_move(&s.bodies[i], move_affine, &places[i]);
                fixture_shake(&s.bodies[i], &again, 0.08);
                s.reach[i] = 0.01f * (float)i;
            }
            CHECK_FATAL(scene_begin(&s));
            for (uint32_t i = 0; way > 1 && i < 3; i++)
                fixture_shake(&s.bodies[i], &cutting, 0.3);
            if (way == 0)
                scene_finish(&s);
            else
                finish_in_pieces(&cutting, way == 1 ? 0 : way == 2 ? 40 : 2000);
            if (way == 0)
                keep_found(&whole);
            else
                check_same_found(&whole);
        }
        CHECK(whole.count > 30 && whole.inside_count > 5 && whole.inside_count < whole.count);
    }
    scene_free(&s);
}

/* ---- nowhere to begin ---- */

static void a_swallowed_body_keeps_its_guess(void) {
    CHECK_FATAL(scene_add(&s, 4, 4) != NULL);
    CHECK_FATAL(scene_add(&s, 0.5, 2) != NULL);
    scene_move(&s, 1, 1.9, 2.1, 2.3);
    CHECK_FATAL(scene_run(&s));
    float cell = s.bodies[0].skin.distance.header.cell_size;
    for (uint32_t p = 0; p < s.bodies[1].skin.point_count; p++) {
        const lt_found *f = scene_found(&s, 1, p, 0);
        CHECK_FATAL(f != NULL);
        lt_vec3 at = s.bodies[1].collider.points[p];
        float depth = 4;
        for (int axis = 0; axis < 3; axis++) {
            float x = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
            depth = lt_min_f(depth, lt_min_f(x, 4 - x));
        }
        CHECK(f->status == LT_FOUND_LEFT);
        CHECK_NEAR(f->depth, depth, 0.5f * cell);
    }
    CHECK_COUNT(s.cycle.found_count, s.bodies[1].skin.point_count);
    CHECK_COUNT(unsound_found(&s), 0);
    scene_free(&s);
}

/* Wound up on a circle; a lap later it is a third of its width aside. */
static lt_dvec3 wind_up_aside(const void *context, lt_dvec3 rest) {
    double lap = *(const double *)context, angle = 6.283185307179586 * rest.x / lap;
    double radius = lap / 6.283185307179586 + rest.y;
    return (lt_dvec3){radius * sin(angle), radius * cos(angle), rest.z + 0.16 * rest.x / lap};
}

static uint32_t count_self(double from, double to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s.cycle.found_count; i++) {
        const lt_found *f = &s.cycle.found[i];
        const lt_carrier *carrier = &s.bodies[0].carrier;
        uint32_t p = own_point(&s, f);
        CHECK(f->other == 0 && is_inside(f));
        CHECK(!shares_a_node(carrier->tets + 4 * (size_t)f->tet,
                             carrier->tets + 4 * (size_t)s.bodies[0].skin.tets[p]));
        count += (double)s.bodies[0].skin.rest[p].x >= from && (double)s.bodies[0].skin.rest[p].x <= to;
    }
    CHECK_COUNT(unsound_found(&s), 0);
    return count;
}

static void ends_of_a_bent_bar_meet(void) {
    lt_random random = lt_random_seed(24);
    CHECK_FATAL(
        fixture_block(&s.bodies[0], (lt_dvec3){8, 0.5, 0.5}, 32, 2, 2, (fixture_options){.resolution = 64}));
    s.body_count = 1;
    s.self = true;
    for (int round = 0; round < 4; round++) { /* straight, turned, shaken, fast: no contact with itself */
        affine a = round ? random_rigid(&random, 2) : translation(0, 0, 0);
        fixture_move(&s.bodies[0], move_affine, &a);
        if (round > 1) fixture_shake(&s.bodies[0], &random, 0.02);
        s.reach[0] = round == 3 ? 0.3f : 0;
        CHECK_FATAL(scene_run(&s));
        CHECK_COUNT(s.cycle.found_count, 0);
    }
    double wide = 9, narrow = 7.4;
    fixture_move(&s.bodies[0], wind_up_aside, &wide);
    CHECK_FATAL(scene_run(&s));
    CHECK_COUNT(s.cycle.found_count, 0);
    fixture_move(&s.bodies[0], wind_up_aside, &narrow);
    CHECK_FATAL(scene_run(&s));
    CHECK(count_self(7.4, 8) >= 6 && count_self(0, 0.6) >= 6);
    CHECK_COUNT(count_self(0.7, 7.3), 0);
    scene_free(&s);
}

/* A plate folded flat onto itself, 0.04 deep: around a point its own surface is nearest, and says nothing. */
enum { FOLD_AT = 3, FOLD_END = 5 };
static const double FOLD_DEPTH = 0.04;

static lt_dvec3 fold_flat(const void *context, lt_dvec3 r) {
    (void)context;
    double middle = 0.5 - FOLD_DEPTH / 2, radius = 0.5 - r.y - FOLD_DEPTH / 2, share = (r.x - FOLD_AT) / 2;
    if (r.x <= FOLD_AT) return r;
    if (r.x >= FOLD_END) return (lt_dvec3){FOLD_AT - (r.x - FOLD_END) + 0.07, middle + radius, r.z + 0.06};
    double angle = 3.14159265358979 * share;
    return (lt_dvec3){FOLD_AT + radius * sin(angle) + 0.07 * share, middle - radius * cos(angle),
                      r.z + 0.06 * share};
}

static void a_folded_plate_is_as_deep_as_folded(void) {
    uint32_t inside = 0;
    CHECK_FATAL(
        fixture_block(&s.bodies[0], (lt_dvec3){8, 0.5, 2}, 32, 2, 8, (fixture_options){.resolution = 64}));
    s.body_count = 1;
    s.self = true;
    fixture_move(&s.bodies[0], fold_flat, NULL);
    CHECK_FATAL(scene_run(&s));
    for (uint32_t i = 0; i < s.cycle.found_count; i++) {
        const lt_found *f = &s.cycle.found[i];
        lt_vec3 rest = s.bodies[0].skin.rest[own_point(&s, f)];
        float x = rest.x > FOLD_END ? 8 - rest.x : rest.x;
        if (!is_inside(f) || x < 0.3f || x > 2.2f || rest.z < 0.3f || rest.z > 1.7f) continue; /* rims */
        inside++;
        CHECK_NEAR(f->depth, FOLD_DEPTH, 1e-5);
        CHECK(fabsf(f->normal.y) > 0.999f);
    }
    CHECK(inside > 60);
    scene_free(&s);
}

/* More points inside than there is room for, several of them in one tet: the cycle ends, and says what did not fit. */
static void full_lists_end(void) {
    CHECK_FATAL(scene_add(&s, 2, 1) != NULL);
    CHECK_FATAL(scene_add(&s, 1, 6) != NULL);
    scene_move(&s, 1, 0.5, 0.5, 0.5);
    s.found_capacity = 20;
    CHECK_FATAL(scene_run(&s));
    CHECK_COUNT(s.cycle.found_count, 20);
    CHECK(s.cycle.dropped_count > 0);
    scene_free(&s);
}

/* ---- margins ---- */

/* How near a point must be to a place on a triangle to be noted: what both reach, with how fast they come together. */
static double noted_within(uint32_t a, uint32_t b, lt_dvec3 away) {
    lt_vec3 v = lt_v3_sub(s.velocity[a], s.velocity[b]);
    lt_dvec3 n = lt_d3_normalize_or(away, (lt_dvec3){0, 0, 0});
    double haste = lt_max_d(0, -lt_d3_dot(lt_d3_from_v3(v), n)) + 0.25 * (double)lt_v3_length(v);
    return 0.1 * ((double)s.bodies[a].soft.mean_edge + (double)s.bodies[b].soft.mean_edge) +
           (double)(2 * s.input.latency - 1) * (double)s.input.dt * haste;
}

/* The nearest place on another body among those that are near enough. False: a place is nearly so, and may be either. */
static bool nearest_on(uint32_t a, lt_vec3 p, uint32_t body, lt_closest_point *best) {
    const lt_skin *skin = &s.bodies[body].skin;
    *best = (lt_closest_point){.distance_squared = 1e30};
    for (uint32_t i = 0; i < skin->triangle_count; i++) {
        lt_dvec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] =
                lt_d3_from_v3(s.bodies[body].collider.points[skin->triangles[3 * (size_t)i + (size_t)k]]);
        lt_closest_point at = lt_closest_on_triangle(lt_d3_from_v3(p), corners);
        double distance = sqrt(at.distance_squared),
               margin = noted_within(a, body, lt_d3_sub(lt_d3_from_v3(p), at.point));
        if (fabs(distance - margin) < 1e-5) return false;
        if (distance < margin && at.distance_squared < best->distance_squared) *best = at;
    }
    return true;
}

/* A point outside has a record when, and only when, it may be inside before long. */
static void check_near(uint32_t a, uint32_t b, uint32_t *near, uint32_t *far) {
    for (uint32_t p = 0; p < s.bodies[a].skin.point_count; p++) {
        lt_vec3 at = s.bodies[a].collider.points[p];
        const lt_found *f = scene_found(&s, a, p, b);
        lt_closest_point c;
        if (first_tet_around(at, b) != LT_NONE || !nearest_on(a, at, b, &c)) continue;
        bool noted = c.distance_squared < 1e30;
        double distance = sqrt(c.distance_squared);
        CHECK((f != NULL) == noted);
        *near += noted;
        *far += !noted;
        if (!f || !noted) continue;
        CHECK(f->status == LT_FOUND_NEAR);
        CHECK_NEAR(f->depth, -distance, 1e-6);
        lt_dvec3 away = lt_d3_normalize_or(lt_d3_sub(lt_d3_from_v3(at), c.point), (lt_dvec3){0, 0, 0});
        CHECK(distance < 1e-3 || lt_d3_dot(away, lt_d3_from_v3(f->normal)) > 0.999);
    }
}

static void set_velocity(uint32_t body, lt_vec3 velocity) {
    float *v = s.bodies[body].soft.node_velocities;
    s.velocity[body] = velocity;
    for (uint32_t i = 0; i < s.bodies[body].soft.carrier.node_count; i++, v += 4) {
        v[0] = velocity.x;
        v[1] = velocity.y;
        v[2] = velocity.z;
    }
}

static void what_is_near_is_noted(void) {
    lt_random random = lt_random_seed(25);
    uint32_t near = 0, far = 0;
    CHECK_FATAL(scene_add(&s, 1, 4) != NULL);
    CHECK_FATAL(scene_add(&s, 1.5, 3) != NULL);
    for (int round = 0; round < 24; round++) {
        for (uint32_t i = 0; i < 2; i++) {
            affine a = random_rigid(&random, 0.9);
            fixture_move(&s.bodies[i], move_affine, &a);
            fixture_shake(&s.bodies[i], &random, 0.02);
            bool fast = round % 4 == (int)i; /* one of them, or none */
            s.reach[i] = fast ? 0.2f : 0;
            lt_vec3 way = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1), 1};
            set_velocity(i, lt_v3_scale(lt_v3_normalize_or(way, way), fast ? 0.2f * 60 : 0));
        }
        s.input.latency = 1 + (uint32_t)round % 3;
        CHECK_FATAL(scene_run(&s));
        CHECK_COUNT(unsound_found(&s), 0);
        check_near(0, 1, &near, &far);
        check_near(1, 0, &near, &far);
    }
    CHECK(near > 200 && far > 200);
    scene_free(&s);
}

/* ---- bad input ---- */

static void check_ruined(void) {
    CHECK_FATAL(scene_run(&s));
    CHECK_COUNT(unsound_found(&s), 0);
}

static void ruined_bodies_do_no_harm(void) {
    lt_random random = lt_random_seed(26);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_FATAL(scene_add(&s, 1, 2 + i) != NULL);
    s.self = true;
    for (int round = 0; round < 24; round++) {
        s.input.smooth_normals = round % 2;
        for (uint32_t i = 0; i < 3; i++) {
            affine a = random_rigid(&random, 0.4);
            if (round % 6 == 1) a.m.c1 = (lt_dvec3){0, 0, 0};                   /* flat */
            if (round % 6 == 2) a.m.c0 = a.m.c1 = a.m.c2 = (lt_dvec3){0};       /* a point */
            if (round % 6 == 3) a.m.c1 = lt_d3_scale(a.m.c1, i ? -1 : -20);     /* inside out */
            if (round % 6 == 4) a.t = lt_d3_scale(a.t, i == 1 ? 1e6 : 1);       /* a million cells apart */
            if (round % 6 == 5) a.m.c2 = lt_d3_scale(a.m.c2, i == 2 ? 1e5 : 1); /* tets as needles */
            fixture_move(&s.bodies[i], move_affine, &a);
            if (round >= 12 && round % 6 == 0) fixture_shake(&s.bodies[i], &random, 3);
            s.reach[i] = round % 5 == 4 ? 1e4f : 0.01f;
        }
        check_ruined();
    }
    scene_free(&s);
}

/* One body in the very place of another, of the same mesh: everything touches,
 * nothing crosses. */
static void coincident_bodies_are_sound(void) {
    for (uint32_t i = 0; i < 2; i++)
        CHECK_FATAL(scene_add(&s, 1, 3) != NULL);
    for (int round = 0; round < 4; round++) {
        s.input.smooth_normals = round % 2;
        if (round == 2) scene_move(&s, 1, 0, 1, 0); /* face on face, point on point */
        check_ruined();
        CHECK(s.cycle.found_count > 0);
        for (uint32_t i = 0; round == 2 && i < s.cycle.found_count; i++) /* as printed they are deep */
            CHECK(fabsf(s.cycle.found[i].depth) < 1e-5f || !is_inside(&s.cycle.found[i]));
    }
    scene_free(&s);
}

/* A surface of its own with points in no triangle, and triangles that are there
 * twice. */
static void untidy_surfaces_do_no_harm(void) {
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {2, 2, 2};
    lt_vec3 positions[10];
    uint32_t triangles[3 * 15] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6,
                                  7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5, 0, 1, 4, 0, 1, 4, 3, 7, 5};
    for (uint32_t i = 0; i < 10; i++)
        positions[i] = (lt_vec3){i & 1 ? 0.95f : 0.05f, i & 2 ? 0.95f : 0.05f, i & 4 ? 0.95f : 0.05f};
    positions[8] = positions[9] = (lt_vec3){0.5f, 0.5f, 0.5f};
    lt_surface surface = {
        .positions = positions, .triangles = triangles, .vertex_count = 10, .triangle_count = 15};
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL) ==
                LT_OK);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_FATAL(fixture_make(&s.bodies[s.body_count++], &mesh, (fixture_options){.surface = &surface}));
    lt_tet_mesh_free(&mesh);
    for (int round = 0; round < 8; round++) {
        s.input.smooth_normals = round % 2;
        scene_move(&s, 1, 0.1 * round, 0.45, 0.3);
        check_ruined();
        CHECK(s.cycle.inside_count > 0);
    }
    scene_free(&s);
}

/* What does not fit is counted, and what fits is what was found first. */
static void full_lists_say_so(void) {
    const uint32_t capacities[] = {1, 7, 25, 100};
    for (uint32_t i = 0; i < LT_COUNT_OF(capacities) + 1; i++) {
        for (uint32_t k = 0; k < 2; k++)
            CHECK_FATAL(scene_add(&s, 1, 4) != NULL);
        scene_move(&s, 1, 0.43, 0.41, 0.47);
        s.found_capacity = i ? capacities[i - 1] : 0;
        check_ruined();
        if (i == 0) {
            keep_found(&whole);
            CHECK(whole.count > 25 && whole.count < 100 && whole.dropped == 0);
        } else {
            CHECK_COUNT(s.cycle.found_count, lt_min_u32(capacities[i - 1], whole.count));
            CHECK((s.cycle.dropped_count > 0) == (capacities[i - 1] < whole.count));
            for (uint32_t k = 0; k < lt_min_u32(s.cycle.found_count, whole.inside_count); k++)
                CHECK(s.cycle.found[k].point == whole.found[k].point &&
                      s.cycle.found[k].tet == whole.found[k].tet);
        }
        scene_free(&s);
    }
}

/* Each request fails once: nothing is left behind, and what was reserved before is as it was. */
static void no_memory_leaves_nothing(void) {
    lt_allocator standard = lt_allocator_default();
    CHECK_FATAL(scene_add(&s, 1, 2) != NULL);
    lt_collider *one = &s.bodies[0].collider, two[2] = {*one, *one};
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 1000; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_cycle cycle = {.phase = LT_CYCLE_DONE, .allocator = standard};
        CHECK_FATAL(lt_cycle_reserve(&cycle, one, 1, 10, 4, &standard, NULL) == LT_OK);
        uint32_t before = cycle.point_capacity;
        status = lt_cycle_reserve(&cycle, two, 2, 10, 4, &allocator, NULL);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        CHECK_COUNT(cycle.point_capacity, status == LT_OK ? 2 * before : before);
        lt_cycle_free(&cycle);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
    }
    CHECK(status == LT_OK);
    scene_free(&s);
}

/* ---- order ---- */

static void fast_bodies_first_find_the_same(void) {
    lt_random random = lt_random_seed(27);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_FATAL(scene_add(&s, 1, 2 + i % 3) != NULL);
    for (int round = 0; round < 8; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            affine a = random_rigid(&random, 0.5);
            fixture_move(&s.bodies[i], move_affine, &a);
            s.reach[i] = 0.01f * (float)(1 + (i + (uint32_t)round) % 4);
        }
        s.input.fast_first = false;
        CHECK_FATAL(scene_run(&s));
        keep_found(&whole);
        uint32_t slots[SCENE_FOUND], others[SCENE_FOUND], points[SCENE_FOUND], different = 0;
        for (uint32_t i = 0; i < whole.count; i++) {
            slots[i] = slot_of(&s, &whole.found[i]);
            others[i] = other_slot(&s, &whole.found[i]);
            points[i] = own_point(&s, &whole.found[i]);
        }
        s.input.fast_first = true;
        CHECK_FATAL(scene_run(&s));
        for (uint32_t i = 1; i < s.cycle.body_count; i++)
            CHECK(s.cycle.bodies[i].speed <= s.cycle.bodies[i - 1].speed);
        CHECK_COUNT(s.cycle.found_count, whole.count);
        for (uint32_t i = 0; i < whole.count; i++) {
            const lt_found *f = scene_found(&s, slots[i], points[i], others[i]);
            different +=
                !f || memcmp(&f->tet, &whole.found[i].tet, sizeof(lt_found) - offsetof(lt_found, tet)) != 0;
        }
        CHECK_COUNT(different, 0);
        CHECK(whole.count > 50);
    }
    scene_free(&s);
}

int main(void) {
    RUN(points_inside_are_those_of_brute_force);
    RUN(coarse_and_fine_bodies_meet);
    RUN(crowded_cells_lose_nothing);
    RUN(a_pushed_cube_is_as_deep_as_pushed);
    RUN(layers_follow_from_earlier_ones);
    RUN(cuts_change_nothing);
    RUN(a_swallowed_body_keeps_its_guess);
    RUN(ends_of_a_bent_bar_meet);
    RUN(a_folded_plate_is_as_deep_as_folded);
    RUN(full_lists_end);
    RUN(what_is_near_is_noted);
    RUN(ruined_bodies_do_no_harm);
    RUN(coincident_bodies_are_sound);
    RUN(untidy_surfaces_do_no_harm);
    RUN(full_lists_say_so);
    RUN(no_memory_leaves_nothing);
    RUN(fast_bodies_first_find_the_same);
    return check_finish();
}
