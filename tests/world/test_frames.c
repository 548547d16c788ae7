/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of 1 mm, 1 km from the world's origin, do what they do there: to the bit where the way there is whole cells of their
 * frames' grid, and within float's reach of their size elsewhere. Floats are 0.06 mm apart at 1 km. */

#include "lithe/debug_draw.h"
#include "lithe/query.h"
#include "method/lattice_world.h"
#include "world/cube_ladder.h"

enum { MOST_NODES = 512, STEPS = 40 };

#define FRAMES_DT (1.0f / 480.0f)

static const float MILLIMETRE = 0.005f; /* × 0.2 m, of the shapes */
static const float OF_LATTICES = 4; /* times as large: shape matching of 1 mm turns inside out at home, too */
static const double FAR_AWAY[3] = {1000, 1000, -1000};
static const double ANYWHERE[3] = {1000.3, 999.77, -1000.01};
static const double HOME[3] = {0, 0, 0};

/* What is 1 mm high falls less than a fifth of that in the first step. */
static lt_report walk(lt_world *world, uint32_t count) {
    lt_report report = {0};
    for (uint32_t i = 0; i < count; i++)
        report = lt_world_step(world, FRAMES_DT, lt_budget_unlimited());
    return report;
}

/* ---- scenes of 1 mm, or 4, about a point ---- */

typedef enum motion { STACK, PINNED, SPINNING, KINDS } motion;

typedef struct row {
    lt_method method;
    lt_model model;
    lt_obstacle_kind floor;
} row;

static const row rows[] = {
    {LT_METHOD_REFERENCE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE},
    {LT_METHOD_REFERENCE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_BOX},
    {LT_METHOD_REFERENCE, LT_MODEL_EXPLICIT_FEM, LT_OBSTACLE_BOX},
    {LT_METHOD_SPHERE_TREE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_SPHERE},
    {LT_METHOD_TET_HASH, LT_MODEL_COROTATIONAL, LT_OBSTACLE_BOX},
    {LT_METHOD_CELL_BOX, LT_MODEL_LATTICE_MATCHING, LT_OBSTACLE_PLANE},
    {LT_METHOD_CELL_BOX, LT_MODEL_LATTICE_SPRINGS, LT_OBSTACLE_BOX},
    {LT_METHOD_MULTISCALE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_BOX},
    {LT_METHOD_MULTISCALE, LT_MODEL_MULTIGRID, LT_OBSTACLE_PLANE},
    {LT_METHOD_ENGINE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE},
    {LT_METHOD_ENGINE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_BOX},
};

static float times(const row *r) {
    return r->method == LT_METHOD_CELL_BOX ? OF_LATTICES : 1;
}

static lt_shape *shape_of(const row *r) {
    if (r->method == LT_METHOD_CELL_BOX) return lattice_box(0.2f, 0.2f, 0.2f, 27);
    return prepare(r->model == LT_MODEL_MULTIGRID ? cube_ladder() : cube_shape(0.2, 2), r->method);
}

typedef struct scene {
    lt_world *world;
    lt_body_id bodies[2];
    lt_handle_id handle;
    uint32_t body_count;
} scene;

static void put_floor(lt_world *world, lt_obstacle_kind kind, const double origin[3]) {
    lt_obstacle_def def = lt_obstacle_def_default();
    memcpy(def.origin, origin, sizeof def.origin);
    def.kind = kind;
    def.radius = 0.05f;
    def.half_extents = (lt_vec3){0.02f, 0.01f, 0.02f};
    if (kind == LT_OBSTACLE_SPHERE) def.position.y = -0.05f;
    if (kind == LT_OBSTACLE_BOX) def.position.y = -0.01f;
    add_obstacle_def(world, &def);
}

static lt_body_id put_cube(lt_world *world, const row *r, lt_shape *shape, const double origin[3],
                           lt_vec3 position, lt_vec3 spin) {
    lt_body_def def = lt_body_def_default();
    memcpy(def.origin, origin, sizeof def.origin);
    def.shape = shape;
    def.max_substeps = 512;
    if (r->model == LT_MODEL_EXPLICIT_FEM) def.material.young = 1e3f;
    def.scale = times(r) * MILLIMETRE;
    def.model = r->model;
    def.position = lt_v3_scale(position, times(r));
    def.angular_velocity = spin;
    return add_body_def(world, &def);
}

static scene make_scene(const row *r, motion what, lt_shape *shape, const double origin[3]) {
    lt_world_def def = test_world_def();
    def.method = r->method;
    if (what == SPINNING) def.gravity = (lt_vec3){0, 0, 0};
    scene s = {.world = make_world(&def), .body_count = what == STACK ? 2 : 1};
    const lt_vec3 none = {0, 0, 0};
    /* Of a stack no two faces stay parallel and no two edges in line: of ties rounding decides, which is worth micrometres. */
    if (what == STACK) {
        put_floor(s.world, r->floor, origin);
        lt_vec3 low = {0, 0.0006f, 0}, high = {0.0001f, 0.0017f, 0.00007f};
        s.bodies[0] = put_cube(s.world, r, shape, origin, low, (lt_vec3){-2, 1, 1});
        s.bodies[1] = put_cube(s.world, r, shape, origin, high, (lt_vec3){3, 1, 2});
    } else {
        lt_vec3 spin = {20, 3, 40};
        s.bodies[0] = put_cube(s.world, r, shape, origin, none, what == SPINNING ? spin : none);
    }
    if (what != PINNED) return s;
    lt_error error = {0};
    lt_vec3 hi = {-0.0003f * times(r), 1, 1};
    CHECK(lt_body_pin_box_from(s.world, s.bodies[0], origin, (lt_vec3){-1, -1, -1}, hi) > 0);
    s.handle = lt_world_add_handle(s.world, s.bodies[0], 0, none, 0.02f, &error);
    return s;
}

static void move_things(const scene *s, motion what, const double origin[3], uint32_t step) {
    if (what != PINNED) return;
    lt_world_move_handle_from(s->world, s->handle, origin, (lt_vec3){0.001f, 0.0001f * (float)step, 0});
    lt_vec3 pinned[MOST_NODES];
    lt_body_get_nodes_from(s->world, s->bodies[0], origin, pinned, NULL);
    lt_body_move_pin_from(s->world, s->bodies[0], 0, origin,
                          (lt_vec3){-0.0005f, -0.0005f - 1e-6f * (float)step, -0.0005f});
}

/* ---- comparing ---- */

/* Offsets and velocities are the same, frames are as far from each other as the scenes. */
static bool same_bits(const scene *a, const scene *b, const double between[3]) {
    static lt_vec3 x[2][MOST_NODES], v[2][MOST_NODES];
    for (uint32_t i = 0; i < a->body_count; i++) {
        double frames[2][3];
        size_t size = lt_body_node_count(a->world, a->bodies[i]) * sizeof(lt_vec3);
        const scene *sides[2] = {a, b};
        for (int k = 0; k < 2; k++) {
            lt_body_frame(sides[k]->world, sides[k]->bodies[i], frames[k]);
            lt_body_get_nodes_from(sides[k]->world, sides[k]->bodies[i], frames[k], x[k], v[k]);
        }
        for (int k = 0; k < 3; k++)
            if (frames[1][k] - frames[0][k] != between[k]) return false;
        if (memcmp(x[0], x[1], size) != 0 || memcmp(v[0], v[1], size) != 0) return false;
    }
    return true;
}

/* The farthest that a node is from where it is in the other scene, both seen from their origins. */
static double largest_difference(const scene *a, const double from_a[3], const scene *b,
                                 const double from_b[3]) {
    static lt_vec3 x[2][MOST_NODES];
    double largest = 0;
    for (uint32_t i = 0; i < a->body_count; i++) {
        lt_body_get_nodes_from(a->world, a->bodies[i], from_a, x[0], NULL);
        lt_body_get_nodes_from(b->world, b->bodies[i], from_b, x[1], NULL);
        for (uint32_t k = 0; k < lt_body_node_count(a->world, a->bodies[i]); k++)
            largest = fmax(largest, (double)lt_v3_distance(x[0][k], x[1][k]));
    }
    return largest;
}

static void whole_cells_away_all_bits_are_the_same(void) {
    for (uint32_t i = 0; i < LT_COUNT_OF(rows); i++) {
        lt_shape *shape = shape_of(&rows[i]);
        for (int what = 0; what < KINDS; what++) {
            scene here = make_scene(&rows[i], (motion)what, shape, HOME);
            scene there = make_scene(&rows[i], (motion)what, shape, FAR_AWAY);
            uint32_t step = 0;
            uint64_t contacts = 0;
            bool same = same_bits(&here, &there, FAR_AWAY);
            for (; step < STEPS && same; step++) {
                move_things(&here, (motion)what, HOME, step);
                move_things(&there, (motion)what, FAR_AWAY, step);
                lt_report a = walk(here.world, 1), b = walk(there.world, 1);
                same = same_bits(&here, &there, FAR_AWAY) && a.contacts == b.contacts && a.units == b.units;
                contacts += a.contacts;
                CHECK(a.blown_up == 0);
            }
            if (!same)
                CHECK_FAIL_MESSAGE("method %s, model %s, scene %d: differs at step %u",
                                   lt_method_name(rows[i].method), lt_model_name(rows[i].model), what, step);
            if (what == STACK && contacts == 0)
                CHECK_FAIL_MESSAGE("no contacts by %s, %s", lt_method_name(rows[i].method),
                                   lt_model_name(rows[i].model));
            lt_world_destroy(here.world);
            lt_world_destroy(there.world);
        }
        lt_shape_release(shape);
    }
}

static void anywhere_motion_is_nearly_the_same(void) {
    const row r = rows[1];
    lt_shape *shape = shape_of(&r);
    for (int what = 0; what < KINDS; what++) {
        scene here = make_scene(&r, (motion)what, shape, HOME),
              there = make_scene(&r, (motion)what, shape, ANYWHERE);
        for (uint32_t step = 0; step < 20; step++) {
            move_things(&here, (motion)what, HOME, step);
            move_things(&there, (motion)what, ANYWHERE, step);
            walk(here.world, 1);
            walk(there.world, 1);
        }
        CHECK_NEAR(largest_difference(&here, HOME, &there, ANYWHERE), 0, 1e-6);
        lt_world_destroy(here.world);
        lt_world_destroy(there.world);
    }
    lt_shape_release(shape);
}

/* ---- at rest ---- */

static double lowest(lt_world *world, lt_body_id body, const double from[3]) {
    lt_surface_view view = lt_body_surface_from(world, body, from);
    double low = 1e30;
    for (uint32_t i = 0; i < view.vertex_count; i++)
        low = fmin(low, (double)view.positions[i].y);
    return low;
}

/* The floor's place is given in floats of the world, as a caller who knows of no origin does. */
static void a_cube_rests_on_a_box(const double origin[3]) {
    const row r = rows[1];
    lt_shape *shape = shape_of(&r);
    lt_world_def wd = test_world_def();
    lt_world *world = make_world(&wd);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.kind = LT_OBSTACLE_BOX;
    od.half_extents = (lt_vec3){0.5f, 0.5f, 0.5f};
    od.position = (lt_vec3){(float)origin[0], (float)origin[1] - 0.5f, (float)origin[2]};
    lt_obstacle_id floor = add_obstacle_def(world, &od);
    lt_body_id cube = put_cube(world, &r, shape, origin, (lt_vec3){0, 0.0007f, 0}, (lt_vec3){0, 0, 0});
    lt_vec3 force, torque;
    walk(world, 150);
    lt_obstacle_load(world, floor, &force, &torque);
    double weight = (double)lt_body_mass(world, cube) * 9.81;
    CHECK_NEAR((double)force.y / weight, -1, 0.02);
    walk(world, 350);
    CHECK(lt_body_is_asleep(world, cube));
    CHECK_NEAR(lowest(world, cube, origin), 0, 1e-5);
    CHECK_NEAR(lt_body_center_from(world, cube, origin).y, 0.0005, 1e-5);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

static void a_cube_rests_at_home_and_far_away(void) {
    const double above[3] = {1000, 1000, 0}, corner[3] = {-3000, 512, 700};
    a_cube_rests_on_a_box(HOME);
    a_cube_rests_on_a_box(above);
    a_cube_rests_on_a_box(corner);
}

/* The plane's point is at the world's origin; it is the foot on it that counts. Torques are about the point all the same. */
static void a_slope_through_the_origin_carries_far_away(void) {
    const row r = rows[0];
    lt_shape *shape = shape_of(&r);
    lt_world_def wd = test_world_def();
    wd.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&wd);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.normal = (lt_vec3){0.6f, 0.8f, 0};
    lt_obstacle_id slope = add_obstacle_def(world, &od);
    lt_vec3 n = lt_v3_normalize_or(od.normal, (lt_vec3){0, 1, 0});
    double n2 = (double)lt_v3_dot(n, n), height = 0;
    double origin[3] = {-800, 600, 0}; /* on it, but for the rounding of the normal */
    height = ((double)n.x * origin[0] + (double)n.y * origin[1]) / n2;
    origin[0] -= height * (double)n.x, origin[1] -= height * (double)n.y;
    lt_body_def bd = lt_body_def_default();
    memcpy(bd.origin, origin, sizeof origin);
    bd.shape = shape;
    bd.scale = MILLIMETRE;
    bd.position = lt_v3_scale(n, 0.00075f);
    lt_body_id cube = add_body_def(world, &bd);
    lt_vec3 force, torque;
    float mass = lt_body_mass(world, cube);
    for (int step = 0; step < 200; step++) {
        lt_body_add_force(world, cube, lt_v3_scale(n, -9.81f * mass));
        walk(world, 1);
    }
    lt_body_add_force(world, cube, lt_v3_scale(n, -9.81f * mass));
    walk(world, 1);
    lt_obstacle_load(world, slope, &force, &torque);
    CHECK_NEAR(lt_v3_dot(force, n) / (mass * 9.81f), -1, 0.02);
    CHECK_NEAR((double)torque.z / (1000.0 * 9.81 * (double)mass), 1, 0.02);
    CHECK_NEAR(lt_v3_dot(lt_body_center_from(world, cube, origin), n), 0.0005, 1e-5); /* on a face */
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- on the way ---- */

/* 30 m through hundreds of cells: no step changes its shape, its spin or its momentum more than floats of its size do. */
static void what_flies_far_keeps_shape_and_momentum(void) {
    const row r = rows[0];
    lt_shape *shape = shape_of(&r);
    lt_world_def wd = test_world_def();
    wd.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&wd);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shape;
    bd.scale = MILLIMETRE;
    bd.velocity = (lt_vec3){40, -28, 12};
    bd.material.mass_damping = 0;
    lt_body_id cube = add_body_def(world, &bd);
    lt_vec3 begin = lt_body_momentum(world, cube);
    double error = 0, energy = 0, first = (double)lt_body_mass(world, cube) * 0.5 * 2528;
    for (int step = 0; step < 360; step++) {
        lt_report report = walk(world, 1);
        error = fmax(error, report.momentum_error);
        energy = fmax(energy, fabs(report.energy / first - 1));
    }
    lt_vec3 end = lt_body_momentum(world, cube);
    double frame[3];
    lt_body_frame(world, cube, frame);
    CHECK(fabs(frame[0] - 30) <= 0.5 && fabs(frame[1] + 21) <= 0.5 && fabs(frame[2] - 9) <= 0.5);
    CHECK_NEAR(lt_v3_distance(begin, end) / lt_v3_length(begin), 0, 1e-6);
    CHECK_NEAR(error, 0, 1e-6);
    CHECK_NEAR(energy, 0, 1e-5);
    const double at[3] = {30, -21, 9};
    CHECK_NEAR(lt_v3_length(lt_body_center_from(world, cube, at)), 0, 1e-4);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* From frames of their own into one. */
static void what_comes_from_two_frames_meets(void) {
    static const row meeting[] = {{LT_METHOD_REFERENCE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE},
                                  {LT_METHOD_TET_HASH, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE},
                                  {LT_METHOD_CELL_BOX, LT_MODEL_LATTICE_MATCHING, LT_OBSTACLE_PLANE},
                                  {LT_METHOD_MULTISCALE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE},
                                  {LT_METHOD_ENGINE, LT_MODEL_COROTATIONAL, LT_OBSTACLE_PLANE}};
    for (uint32_t i = 0; i < LT_COUNT_OF(meeting); i++) {
        lt_shape *shape = shape_of(&meeting[i]);
        lt_world_def wd = test_world_def();
        wd.gravity = (lt_vec3){0, 0, 0};
        wd.method = meeting[i].method;
        wd.sleeping = false;
        lt_world *world = make_world(&wd);
        lt_body_id bodies[2];
        double frames[2][3];
        uint32_t contacts = 0;
        for (int k = 0; k < 2; k++) {
            lt_body_def bd = lt_body_def_default();
            memcpy(bd.origin, FAR_AWAY, sizeof bd.origin);
            bd.shape = shape;
            bd.scale = times(&meeting[i]) * MILLIMETRE;
            bd.model = meeting[i].model;
            bd.material.mass_damping = 0;
            bd.position = (lt_vec3){(k ? 0.26f : -0.26f) * times(&meeting[i]), 0, 0};
            bd.velocity = (lt_vec3){(k ? -0.2f : 0.2f) * times(&meeting[i]), 0, 0};
            bodies[k] = add_body_def(world, &bd);
            lt_body_frame(world, bodies[k], frames[k]);
        }
        CHECK(memcmp(frames[0], frames[1], sizeof frames[0]) != 0);
        for (int step = 0; step < 700; step++)
            contacts += walk(world, 1).contacts;
        lt_body_frame(world, bodies[0], frames[0]);
        lt_body_frame(world, bodies[1], frames[1]);
        if (contacts == 0) CHECK_FAIL_MESSAGE("no contact by %s", lt_method_name(meeting[i].method));
        CHECK(lt_body_center_from(world, bodies[0], FAR_AWAY).x <
              lt_body_center_from(world, bodies[1], FAR_AWAY).x - 0.0009f);
        lt_vec3 sum = lt_v3_add(lt_body_momentum(world, bodies[0]), lt_body_momentum(world, bodies[1]));
        CHECK_NEAR(lt_v3_length(sum) / (lt_body_mass(world, bodies[0]) * 0.2f), 0, 5e-4);
        lt_world_destroy(world);
        lt_shape_release(shape);
    }
}

/* What sleeps keeps its frame and its bits until it is hit; then both are awake in one frame, and nobody is lost. */
static void a_sleeper_is_woken_from_another_frame(void) {
    const row r = rows[1];
    lt_shape *shape = shape_of(&r);
    lt_world_def wd = test_world_def();
    lt_world *world = make_world(&wd);
    put_floor(world, LT_OBSTACLE_BOX, FAR_AWAY);
    lt_body_id sleeper = put_cube(world, &r, shape, FAR_AWAY, (lt_vec3){0, 0.0006f, 0}, (lt_vec3){0, 0, 0});
    double frames[2][3];
    lt_vec3 before, after;
    walk(world, 400);
    CHECK(lt_body_is_asleep(world, sleeper));
    before = lt_body_center_from(world, sleeper, FAR_AWAY);
    lt_body_id falling = put_cube(world, &r, shape, FAR_AWAY, (lt_vec3){0, 0.28f, 0}, (lt_vec3){0, 0, 0});
    lt_body_frame(world, sleeper, frames[0]);
    lt_body_frame(world, falling, frames[1]);
    CHECK(memcmp(frames[0], frames[1], sizeof frames[0]) != 0);
    walk(world, 80); /* 0.17 s: 0.14 m */
    after = lt_body_center_from(world, sleeper, FAR_AWAY);
    CHECK(lt_body_is_asleep(world, sleeper) && memcmp(&before, &after, sizeof before) == 0);
    bool woken = false;
    for (int step = 0; step < 60; step++) {
        walk(world, 1);
        woken = woken || !lt_body_is_asleep(world, sleeper);
    }
    lt_body_frame(world, falling, frames[1]);
    CHECK(woken && memcmp(frames[0], frames[1], sizeof frames[0]) == 0);
    walk(world, 500);
    CHECK(lowest(world, sleeper, FAR_AWAY) > -3e-5);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* More clusters than frames: those that have no place are as coarse as floats, and rest all the same. */
static void more_clusters_than_frames_rest(void) {
    enum { BODIES = 80 };
    lt_shape *shape = cube_shape(0.2, 1);
    lt_world_def wd = test_world_def();
    lt_world *world = make_world(&wd);
    uint32_t home = 0, far = 0;
    add_floor(world);
    for (uint32_t i = 0; i < BODIES; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = shape;
        bd.origin[0] = 1000 + 40.0 * i;
        bd.position.y = 0.12f;
        add_body_def(world, &bd);
    }
    run(world, 60);
    for (uint32_t i = 0; i < BODIES; i++) {
        double frame[3];
        lt_body_id body = lt_world_body_at(world, i);
        lt_body_frame(world, body, frame);
        home += frame[0] == 0;
        far += fabs(frame[0] - (1000 + 40.0 * i)) <= 32;
        CHECK_NEAR(lt_body_center(world, body).y, 0.1, 0.003);
    }
    CHECK(home == BODIES - 64 && far == 64);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- state ---- */

static void snapshots_keep_frames(void) {
    const row r = rows[1];
    lt_shape *shape = shape_of(&r);
    scene s = make_scene(&r, STACK, shape, ANYWHERE);
    lt_error error = {0};
    walk(s.world, 10);
    size_t size = lt_world_snapshot_size(s.world);
    uint8_t *bytes = malloc(size);
    uint64_t before = lt_world_hash(s.world), hashes[2];
    double frames[2][3];
    CHECK_COUNT(lt_world_snapshot(s.world, bytes, size), size);
    lt_body_frame(s.world, s.bodies[0], frames[0]);
    walk(s.world, 20);
    hashes[0] = lt_world_hash(s.world);
    /* Taken elsewhere in between, and brought back by the snapshot. */
    lt_vec3 x[MOST_NODES];
    lt_body_get_nodes_from(s.world, s.bodies[0], ANYWHERE, x, NULL);
    CHECK(lt_body_set_nodes_from(s.world, s.bodies[0], HOME, x, NULL, &error) == LT_OK);
    lt_body_frame(s.world, s.bodies[0], frames[1]);
    CHECK(memcmp(frames[1], HOME, sizeof HOME) == 0);
    walk(s.world, 3);
    CHECK(lt_world_restore(s.world, bytes, size, &error) == LT_OK);
    CHECK(lt_world_hash(s.world) == before);
    lt_body_frame(s.world, s.bodies[0], frames[1]);
    CHECK(memcmp(frames[0], frames[1], sizeof frames[0]) == 0);
    walk(s.world, 20);
    hashes[1] = lt_world_hash(s.world);
    CHECK(hashes[0] == hashes[1]);
    bytes[0] = (uint8_t)(bytes[0] + 1); /* of another version */
    CHECK(lt_world_restore(s.world, bytes, size, &error) != LT_OK);
    free(bytes);
    lt_world_destroy(s.world);
    lt_shape_release(shape);
}

/* A hash that leaves origins out would call a world a kilometre away the same. */
static void hashes_tell_frames_apart(void) {
    const row r = rows[0];
    lt_shape *shape = shape_of(&r);
    scene a = make_scene(&r, SPINNING, shape, HOME), b = make_scene(&r, SPINNING, shape, FAR_AWAY);
    CHECK(same_bits(&a, &b, FAR_AWAY));
    CHECK(lt_world_hash(a.world) != lt_world_hash(b.world));
    lt_world_destroy(a.world);
    lt_world_destroy(b.world);
    lt_shape_release(shape);
}

/* ---- questions ---- */

typedef struct drawn {
    lt_vec3 lo, hi;
} drawn;

static void keep_line(void *context, lt_vec3 from, lt_vec3 to, uint32_t color) {
    drawn *d = context;
    (void)color;
    d->lo = lt_v3_min(d->lo, lt_v3_min(from, to));
    d->hi = lt_v3_max(d->hi, lt_v3_max(from, to));
}

static void rays_and_drawings_are_as_fine_as_at_home(void) {
    const row r = rows[1];
    lt_shape *shape = shape_of(&r);
    scene s[2] = {make_scene(&r, STACK, shape, HOME), make_scene(&r, STACK, shape, FAR_AWAY)};
    const double *origins[2] = {HOME, FAR_AWAY};
    lt_ray_hit hits[2], floors[2];
    drawn boxes[2];
    for (int k = 0; k < 2; k++) {
        walk(s[k].world, 20);
        lt_ray ray = lt_ray_along((lt_vec3){0.0001f, 0.01f, 0.0002f}, (lt_vec3){0, -1, 0});
        memcpy(ray.from, origins[k], sizeof ray.from);
        CHECK(lt_world_ray_cast(s[k].world, &ray, &hits[k]) && hits[k].body.index_plus_one == 2);
        ray.origin.x = 0.005f;
        CHECK(lt_world_ray_cast(s[k].world, &ray, &floors[k]) && floors[k].obstacle.index_plus_one == 1);
        lt_debug_draw draw = lt_debug_draw_default();
        boxes[k] = (drawn){{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};
        draw.line = keep_line;
        draw.context = &boxes[k];
        memcpy(draw.from, origins[k], sizeof draw.from);
        lt_world_debug_draw(s[k].world, &draw);
        uint32_t count;
        const lt_contact *contacts = lt_world_contacts(s[k].world, &count);
        CHECK(count > 0);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_NEAR(contacts[i].point.x, origins[k][0] + (double)contacts[i].offset.x, 1e-4);
            CHECK_NEAR(contacts[i].offset.y, 0.0005, 0.0006);
        }
    }
    CHECK_NEAR(hits[0].distance, hits[1].distance, 1e-9);
    CHECK_NEAR(lt_v3_distance(hits[0].point, hits[1].point), 0, 1e-9);
    CHECK(hits[0].triangle == hits[1].triangle);
    CHECK_NEAR(floors[1].distance, 0.01, 1e-9);
    CHECK_NEAR(lt_v3_distance(boxes[0].lo, boxes[1].lo), 0, 1e-9);
    CHECK_NEAR(lt_v3_distance(boxes[0].hi, boxes[1].hi), 0, 1e-9);
    for (int k = 0; k < 2; k++)
        lt_world_destroy(s[k].world);
    lt_shape_release(shape);
}

static void bad_origins_are_refused(void) {
    lt_shape *shape = cube_shape(0.2, 1);
    lt_world *world = make_world(NULL);
    lt_error error = {0};
    lt_body_def bd = lt_body_def_default();
    lt_obstacle_def od = lt_obstacle_def_default();
    bd.shape = shape;
    bd.origin[1] = (double)NAN;
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one == 0 && strstr(error.message, "origin"));
    bd.origin[1] = 1.1e15;
    CHECK(lt_world_add_body(world, &bd, &error).index_plus_one == 0);
    od.origin[2] = -INFINITY;
    CHECK(lt_world_add_obstacle(world, &od, &error).index_plus_one == 0 && strstr(error.message, "origin"));
    lt_world_destroy(world);
    lt_shape_release(shape);
}

int main(void) {
    RUN(whole_cells_away_all_bits_are_the_same);
    RUN(anywhere_motion_is_nearly_the_same);
    RUN(a_cube_rests_at_home_and_far_away);
    RUN(a_slope_through_the_origin_carries_far_away);
    RUN(what_flies_far_keeps_shape_and_momentum);
    RUN(what_comes_from_two_frames_meets);
    RUN(a_sleeper_is_woken_from_another_frame);
    RUN(more_clusters_than_frames_rest);
    RUN(snapshots_keep_frames);
    RUN(hashes_tell_frames_apart);
    RUN(rays_and_drawings_are_as_fine_as_at_home);
    RUN(bad_origins_are_refused);
    return check_finish();
}
