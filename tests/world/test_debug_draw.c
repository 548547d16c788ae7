/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lines and points of every method: as many as there are bounds, contacts and waiting pairs, and without a trace. */

#include "core/hash.h"
#include "lithe/debug_draw.h"
#include "method/lattice_world.h"
#include "method/multiscale_world.h"
#include "method/sphere_world.h"
#include "world/scenes.h"
#include "world/world.h"

typedef struct tally {
    uint64_t lines, points, hash;
    lt_box box;
    uint32_t last_color;
} tally;

static void count_line(void *context, lt_vec3 from, lt_vec3 to, uint32_t color) {
    tally *t = context;
    CHECK(lt_v3_is_finite(from) && lt_v3_is_finite(to) && color <= 0xffffff);
    t->lines++;
    t->box = lt_box_add_point(lt_box_add_point(t->box, from), to);
    t->last_color = color;
    t->hash = lt_hash_u64(lt_hash_bytes(lt_hash_bytes(t->hash, &from, sizeof from), &to, sizeof to), color);
}

static void count_point(void *context, lt_vec3 at, uint32_t color) {
    tally *t = context;
    CHECK(lt_v3_is_finite(at) && color <= 0xffffff);
    t->points++;
    t->last_color = color;
}

static tally draw(const lt_world *world, lt_debug_draw how) {
    tally t = {.hash = LT_HASH_SEED, .box = lt_box_empty()};
    uint64_t before = lt_world_hash(world);
    how.line = count_line;
    how.point = count_point;
    how.context = &t;
    lt_world_debug_draw(world, &how);
    CHECK(lt_world_hash(world) == before);
    return t;
}

static tally draw_what(const lt_world *world, uint32_t what, uint32_t level) {
    lt_debug_draw how = lt_debug_draw_default();
    how.what = what;
    how.level = level;
    return draw(world, how);
}

/* ---- bounds ---- */

static void boxes_of_bodies(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.2, 1);
    CHECK(draw(world, lt_debug_draw_default()).lines == 0);
    lt_body_id first = add_body(world, shape, (lt_vec3){0, 1, 0});
    add_body(world, shape, (lt_vec3){1, 1, 0});
    tally t = draw_what(world, LT_DRAW_BOUNDS, 0);
    CHECK_COUNT(t.lines, 24);
    CHECK_NEAR(t.box.lo.x, -0.1, 1e-3);
    CHECK_NEAR(t.box.hi.x, 1.1, 1e-3);
    CHECK(t.points == 0);
    CHECK(draw_what(world, LT_DRAW_BOUNDS, 1).lines == 0); /* brute force has no levels */
    lt_debug_draw how = lt_debug_draw_default();
    how.body = first;
    t = draw(world, how);
    CHECK_COUNT(t.lines, 12);
    CHECK_NEAR(t.box.hi.x, 0.1, 1e-3);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

static void asleep_is_grey(void) {
    lt_world *world = make_world(NULL);
    lt_shape *shape = cube_shape(0.2, 1);
    add_floor(world);
    lt_body_id body = add_body(world, shape, (lt_vec3){0, 0.1f, 0});
    uint32_t awake = draw_what(world, LT_DRAW_BOUNDS, 0).last_color;
    run(world, 120);
    CHECK(lt_body_is_asleep(world, body) && draw_what(world, LT_DRAW_BOUNDS, 0).last_color != awake);
    lt_world_destroy(world);
    lt_shape_release(shape);
}

/* ---- methods ---- */

typedef struct expectation {
    lt_method method;
    busy_shapes shapes;
    uint64_t lines_of_one;  /* bound on level 1; 0: there are none */
    uint32_t deepest_level; /* that has bounds */
} expectation;

static void check_contacts(const lt_world *world) {
    uint32_t count;
    lt_debug_draw how = lt_debug_draw_default();
    lt_world_contacts(world, &count);
    how.what = LT_DRAW_CONTACTS;
    tally t = draw(world, how);
    CHECK(t.points == count && t.lines == 0);
    how.force_scale = 1e-3f;
    t = draw(world, how);
    CHECK(t.points == count && t.lines == count);
}

static void check_levels(const lt_world *world, const expectation *e) {
    CHECK_COUNT(draw_what(world, LT_DRAW_BOUNDS, 0).lines, 12 * lt_world_body_count(world));
    for (uint32_t level = 1; level <= e->deepest_level; level++) {
        tally t = draw_what(world, LT_DRAW_BOUNDS, level);
        CHECK(t.lines > 0 && t.lines % e->lines_of_one == 0);
    }
    CHECK(draw_what(world, LT_DRAW_BOUNDS, 60).lines == 0);
}

/* Nothing waits where there was no limit; where there was nearly no time, as many as the report says, or more. */
static void check_method(expectation e) {
    lt_world_def def = test_world_def();
    def.method = e.method;
    busy b = make_busy(&def, &e.shapes), twin = make_busy(&def, &e.shapes);
    uint64_t stopped = 0, contacts = 0;
    for (uint64_t i = 0; i < 24; i++) {
        lt_budget budget = i < 12 ? lt_budget_unlimited() : lt_budget_collision_units(400);
        step_busy(&b, i, budget);
        step_busy(&twin, i, budget);
        tally t = draw_what(b.world, LT_DRAW_STOPPED, 0);
        if (i < 12) CHECK(t.lines + t.points == 0);
        if (i >= 12) stopped += t.lines + t.points;
        check_contacts(b.world);
        contacts += draw_what(b.world, LT_DRAW_CONTACTS, 0).points;
        if (i == 11) check_levels(b.world, &e);
        CHECK(lt_world_hash(b.world) == lt_world_hash(twin.world)); /* it leaves no trace */
    }
    CHECK(stopped > 0 && contacts > 0);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
    drop_busy_shapes(&e.shapes);
}

static void every_method(void) {
    check_method((expectation){LT_METHOD_REFERENCE, make_busy_shapes(), 12, 0});
    check_method((expectation){LT_METHOD_TET_HASH, make_busy_shapes(), 12, 0});
    check_method((expectation){
        LT_METHOD_SPHERE_TREE, {cube_with_tree(0.2, 2, 2), ball_with_tree(0.12, 1, 2), false}, 48, 2});
    check_method((expectation){
        LT_METHOD_CELL_BOX, {lattice_box(0.2f, 0.2f, 0.2f, 3), lattice_ball(0.12f, 3), true}, 12, 1});
    check_method((expectation){
        LT_METHOD_MULTISCALE, {cube_with_boxes(0.2, 2), ball_with_boxes(0.12, 1), false}, 12, 2});
}

/* ---- input ---- */

static void callers_bugs(void) {
    lt_world *world = make_world(NULL);
    lt_debug_draw how = lt_debug_draw_default();
    lt_world_debug_draw(world, &how); /* nobody to tell it to */
    CHECK_CALLER_BUG(lt_world_debug_draw(NULL, &how));
    CHECK_CALLER_BUG(lt_world_debug_draw(world, NULL));
    how.body = (lt_body_id){7, 1};
    CHECK_CALLER_BUG(lt_world_debug_draw(world, &how));
    how = (lt_debug_draw){.what = LT_DRAW_BOUNDS};
    CHECK_CALLER_BUG(lt_world_debug_draw(world, &how));
    lt_world_destroy(world);
}

int main(void) {
    RUN(boxes_of_bodies);
    RUN(asleep_is_grey);
    RUN(every_method);
    RUN(callers_bugs);
    return check_finish();
}
