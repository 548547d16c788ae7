/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method cell-box: lattices on floors, on each other, in obstacles and in each other; what it refuses.
 *
 * labels: heavy */

#include "bake/icosahedral.h"
#include "method/failing_world.h"
#include "method/lattice_world.h"

static lt_shape *cube, *brick, *ball;

/* ---- rest ---- */

static void a_cube_rests_on_the_floor(void) {
    for (int model = LT_MODEL_LATTICE_SPRINGS; model <= LT_MODEL_LATTICE_MATCHING; model++) {
        lt_world_def def = lattice_world_def();
        def.sleeping = false;
        lt_world *world = make_world(&def);
        lt_obstacle_id floor = add_floor(world);
        lt_body_def bd = lattice_body_def(cube, (lt_vec3){0, 0.13f, 0});
        bd.model = (lt_model)model;
        bd.material.young = 5e5f;
        lt_body_id body = add_body_def(world, &bd);
        double worst = 0;
        lt_report report = {0};
        for (int i = 0; i < 80; i++) {
            report = lt_world_step(world, STEP_DT, lt_budget_unlimited());
            worst = lt_max_d(worst, report.momentum_error);
            CHECK(report_is_consistent(world, &report));
        }
        CHECK(worst < 1e-6);
        CHECK(rms_speed(world) < 0.02);
        CHECK_NEAR(surface_low(world, body).y, 0, 0.006);
        CHECK_COUNT(unsound_contacts_of(world, false), 0);
        CHECK_COUNT(report.pending, 0);
        lt_vec3 force, torque;
        lt_obstacle_load(world, floor, &force, &torque);
        float weight = 9.81f * lt_body_mass(world, body);
        CHECK_NEAR(force.y, -weight, 0.1 * (double)weight);
        lt_world_destroy(world);
    }
}

/* From any height it comes up again by less than half of its fall, and lies still two seconds after the start. */
static void what_falls_stays_down(void) {
    for (int model = LT_MODEL_LATTICE_SPRINGS; model <= LT_MODEL_LATTICE_MATCHING; model++)
        for (float fall = 0.005f; fall < 0.1f; fall += 0.0025f) {
            lt_world_def def = lattice_world_def();
            def.sleeping = false;
            lt_world *world = make_world(&def);
            add_floor(world);
            lt_body_def bd = lattice_body_def(cube, (lt_vec3){0, 0.1f + fall, 0});
            bd.model = (lt_model)model;
            bd.material.young = 5e5f;
            lt_body_id body = add_body_def(world, &bd);
            float top = 0;
            bool landed = false;
            for (int i = 0; i < 120; i++) {
                landed = lt_world_step(world, STEP_DT, lt_budget_unlimited()).contacts > 0 || landed;
                if (landed) top = lt_max_f(top, lt_body_center(world, body).y);
            }
            CHECK(landed && top < 0.1f + 0.45f * fall + 0.002f);
            CHECK(rms_speed(world) < 0.02);
            lt_world_destroy(world);
        }
}

/* Two soft cubes that come down on each other, some 4 cm in a step, give way and part: they do not go into each other, where they
 * would stay. */
static void cubes_do_not_merge(void) {
    const float asides[] = {0.005f, 0.02f, 0.05f};
    for (int model = LT_MODEL_LATTICE_SPRINGS; model <= LT_MODEL_LATTICE_MATCHING; model++)
        for (uint32_t k = 0; k < LT_COUNT_OF(asides); k++) {
            lt_world_def def = lattice_world_def();
            lt_world *world = make_world(&def);
            lt_body_id bodies[2];
            add_floor(world);
            for (int i = 0; i < 2; i++) {
                lt_body_def bd =
                    lattice_body_def(cube, (lt_vec3){asides[k] * (float)i, 0.15f + 0.3f * (float)i, 0});
                bd.model = (lt_model)model;
                bd.velocity = (lt_vec3){0, -1, 0};
                bodies[i] = add_body_def(world, &bd);
            }
            float nearest = INFINITY, end = 0;
            for (int i = 0; i < 90; i++) {
                lt_world_step(world, STEP_DT, lt_budget_unlimited());
                end = lt_v3_distance(lt_body_center(world, bodies[0]), lt_body_center(world, bodies[1]));
                nearest = lt_min_f(nearest, end);
            }
            CHECK(nearest > 0.13f && end > 0.17f);
            lt_world_destroy(world);
        }
}

static lt_world *make_heap(lt_world_def def, uint32_t layers) {
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < 4 * layers; i++) {
        uint32_t x = i % 2, z = i / 2 % 2, y = i / 4;
        float jitter = 0.004f * (float)(i * 7 % 5);
        lt_vec3 place = {0.23f * (float)x + jitter, 0.12f + 0.22f * (float)y, 0.23f * (float)z - jitter};
        lt_body_def bd = lattice_body_def(brick, place);
        bd.material.young = 5e5f;
        add_body_def(world, &bd);
    }
    return world;
}

/* Twelve cubes in three layers stay in three layers. */
static void a_heap_comes_to_rest(void) {
    lt_world_def def = lattice_world_def();
    def.contact_capacity = 4096;
    lt_world *world = make_heap(def, 3);
    double worst = 0;
    for (int i = 0; i < 240; i++)
        worst = lt_max_d(worst, lt_world_step(world, STEP_DT / 2, lt_budget_unlimited()).momentum_error);
    uint32_t layers[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 12; i++) {
        lt_body_id body = lt_world_body_at(world, i);
        float height = lt_body_center(world, body).y;
        for (int layer = 0; layer < 3; layer++)
            layers[layer] += fabsf(height - (0.1f + 0.197f * (float)layer)) < 0.015f;
        CHECK(surface_low(world, body).y > -0.01f);
    }
    CHECK(layers[0] == 4 && layers[1] == 4 && layers[2] == 4);
    CHECK(worst < 1e-6);
    CHECK(rms_speed(world) < 0.05);
    lt_world_destroy(world);
}

/* Three cubes, not quite above each other, sway for a while and come to rest. */
static void a_tower_falls_asleep(void) {
    const float asides[] = {0.001f, 0.0025f, 0.004f, 0.0046f};
    for (uint32_t k = 0; k < LT_COUNT_OF(asides); k++) {
        lt_world_def def = lattice_world_def();
        lt_world *world = make_world(&def);
        add_floor(world);
        for (uint32_t i = 0; i < 3; i++) {
            float aside = asides[k] * (float)(i * 7 % 5);
            lt_body_def bd = lattice_body_def(brick, (lt_vec3){aside, 0.12f + 0.22f * (float)i, -aside});
            bd.material.young = 5e5f;
            add_body_def(world, &bd);
        }
        lt_report report = {0};
        for (int i = 0; i < 900 && report.sleeping < 3; i++)
            report = lt_world_step(world, STEP_DT / 2, lt_budget_unlimited());
        CHECK_COUNT(report.sleeping, 3);
        CHECK(lt_body_center(world, lt_world_body_at(world, 2)).y > 0.45f);
        lt_world_destroy(world);
    }
}

/* What rests needs no turns: next to nothing is tested any more, and contacts count as found. */
static void what_is_still_is_spared(void) {
    lt_world_def def = lattice_world_def();
    def.sleeping = false;
    def.contact_capacity = 4096;
    lt_world *world = make_heap(def, 1);
    uint64_t first = 0, last = 0;
    lt_report report = {0};
    for (int i = 0; i < 400; i++) {
        report = lt_world_step(world, STEP_DT / 2, lt_budget_unlimited());
        CHECK_COUNT(report.predicted, 0);
        CHECK_COUNT(report.pending, 0);
        if (i < 20) first += report.tested;
        if (i >= 380) last += report.tested;
    }
    CHECK(report.contacts > 16 && first > 0);
    CHECK(last < first / 4);
    lt_world_destroy(world);
}

/* Contacts of two bodies on the same side at one place. */
static uint32_t count_twins(const lt_world *world) {
    uint32_t count, twins = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const lt_contact *x = &contacts[i], *y = &contacts[j];
            bool one_pair = x->body_a.index_plus_one == y->body_a.index_plus_one &&
                            x->body_b.index_plus_one == y->body_b.index_plus_one;
            bool one_way = lt_v3_dot(x->normal, y->normal) > 0.9f;
            twins += x->body_b.index_plus_one && one_pair && one_way &&
                     lt_v3_distance(x->point, y->point) < 0.001f;
        }
    return twins;
}

/* A corner where four cells of a brick meet is one contact, not four. */
static void each_place_is_told_once(void) {
    lt_world_def def = lattice_world_def();
    def.sleeping = false;
    def.contact_capacity = 4096;
    lt_world *world = make_heap(def, 3);
    uint32_t most = 0;
    for (int i = 0; i < 60; i++) {
        most = lt_max_u32(most, (uint32_t)lt_world_step(world, STEP_DT, lt_budget_unlimited()).contacts);
        CHECK_COUNT(count_twins(world), 0);
    }
    CHECK(most > 16);
    lt_world_destroy(world);
}

static uint32_t contacts_of_bodies(const lt_world *world) {
    uint32_t count, found = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        found += contacts[i].body_b.index_plus_one != 0;
    return found;
}

/* Without a turn, contacts end when what they are of has slid by: what is flung around must not be caught by them again. */
static void what_slid_by_does_not_push(void) {
    lt_world_def def = lattice_world_def();
    def.sleeping = false;
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = lattice_body_def(brick, (lt_vec3){0, 0.195f * (float)i, 0});
        bd.material.friction = 0;
        bd.velocity = (lt_vec3){(float)i, 0, 0};
        add_body_def(world, &bd);
    }
    lt_world_step(world, STEP_DT / 4, lt_budget_unlimited());
    uint32_t before = contacts_of_bodies(world);
    CHECK(before > 0);
    for (int i = 0; i < 40; i++) {
        lt_world_step(world, STEP_DT / 4, lt_budget_collision_units(1));
        CHECK(contacts_of_bodies(world) <= before);
        before = contacts_of_bodies(world);
    }
    CHECK_COUNT(before, 0);
    lt_world_destroy(world);
}

static void a_cube_falls_asleep_and_wakes(void) {
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id lower = add_lattice(world, cube, (lt_vec3){0, 0.105f, 0});
    run(world, 200);
    CHECK(lt_body_is_asleep(world, lower));
    lt_body_id upper = add_lattice(world, cube, (lt_vec3){0, 0.6f, 0});
    bool woke = false;
    for (int i = 0; i < 60; i++) {
        run(world, 1);
        woke = woke || !lt_body_is_asleep(world, lower);
    }
    CHECK(woke && lt_body_center(world, upper).y > 0.2f);
    lt_world_destroy(world);
}

/* ---- momentum ---- */

/* Two balls in the air, one into the other: nothing from outside. */
static void balls_collide_in_the_air(void) {
    lt_world_def def = lattice_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    lt_world *world = make_world(&def);
    lt_body_def bd = lattice_body_def(ball, (lt_vec3){-0.2f, 0, 0});
    bd.velocity = (lt_vec3){2, 0, 0};
    bd.material.mass_damping = 0;
    lt_body_id first = add_body_def(world, &bd);
    bd.position = (lt_vec3){0.1f, 0.03f, 0};
    bd.velocity = (lt_vec3){0, 0, 0};
    lt_body_id second = add_body_def(world, &bd);
    lt_vec3 before = lt_body_momentum(world, first);
    double worst = 0, most = 0, start = 0;
    for (int i = 0; i < 60; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_unlimited());
        worst = lt_max_d(worst, report.momentum_error);
        most = lt_max_d(most, report.energy);
        if (i == 0) start = report.energy;
    }
    lt_vec3 after = lt_v3_add(lt_body_momentum(world, first), lt_body_momentum(world, second));
    CHECK(worst < 1e-6);
    CHECK(lt_v3_distance(before, after) < 1e-5f * lt_v3_length(before));
    CHECK(lt_body_momentum(world, second).x > 0.3f * before.x);
    printf("energy %g of %g\n", most, start);
    CHECK(most < 1.02 * start);
    lt_world_destroy(world);
}

/* Stiff bodies that fall on an edge at large and small steps: neither answers nor what they leave in the cells make energy. */
static void a_fall_makes_no_energy(void) {
    const float youngs[] = {1e5f, 4e5f, 4e6f}, dts[] = {STEP_DT, STEP_DT / 4};
    double gain = 0;
    for (int model = LT_MODEL_LATTICE_SPRINGS; model <= LT_MODEL_LATTICE_MATCHING; model++)
        for (uint32_t i = 0; i < LT_COUNT_OF(youngs) * LT_COUNT_OF(dts); i++) {
            lt_world_def def = lattice_world_def();
            def.sleeping = false;
            lt_world *world = make_world(&def);
            add_floor(world);
            lt_body_def bd = lattice_body_def(brick, (lt_vec3){0, 0.5f, 0});
            bd.model = (lt_model)model;
            bd.rotation = (lt_quat){0.2f, 0.06f, 0.04f, 0.977f};
            bd.material.young = youngs[i / 2];
            lt_body_id body = add_body_def(world, &bd);
            double fall = 0.5 * 9.81 * (double)lt_body_mass(world, body), start = 0, most = 0;
            for (int k = 0; k < (i % 2 ? 240 : 60); k++) {
                double energy = lt_world_step(world, dts[i % 2], lt_budget_unlimited()).energy;
                if (k == 0) start = energy;
                most = lt_max_d(most, energy);
            }
            gain = lt_max_d(gain, (most - start) / fall);
            lt_world_destroy(world);
        }
    printf("falls gain %g of their energy at most\n", gain);
    CHECK(gain < 0.01);
}

/* ---- obstacles ---- */

static void obstacles_hold_and_push(void) {
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.kind = LT_OBSTACLE_SPHERE;
    od.radius = 0.5f;
    od.position = (lt_vec3){3, 0.5f, 0};
    add_obstacle_def(world, &od);
    lt_body_id on_sphere = add_lattice(world, cube, (lt_vec3){3, 1.13f, 0});
    od.kind = LT_OBSTACLE_BOX;
    od.half_extents = (lt_vec3){0.05f, 0.3f, 0.3f};
    od.position = (lt_vec3){-0.3f, 0.3f, 0};
    lt_obstacle_id paddle = add_obstacle_def(world, &od);
    lt_body_id pushed = add_lattice(world, cube, (lt_vec3){0, 0.101f, 0});
    for (int i = 0; i < 60; i++) {
        od.position.x += 0.3f * STEP_DT;
        lt_world_move_obstacle(world, paddle, od.position, (lt_quat){0, 0, 0, 1});
        run(world, 1);
    }
    CHECK(surface_low(world, on_sphere).y > 0.97f);
    CHECK_NEAR(surface_low(world, pushed).x, od.position.x + 0.05f, 0.02);
    CHECK(surface_low(world, pushed).y > -0.01f);
    lt_world_destroy(world);
}

/* ---- bad input ---- */

/* A third of a cube in another one, and all of it. */
static void deep_overlap_does_not_explode(void) {
    for (int deep = 0; deep < 2; deep++) {
        lt_world_def def = lattice_world_def();
        lt_world *world = make_world(&def);
        add_floor(world);
        add_lattice(world, cube, (lt_vec3){0, 0.1f, 0});
        add_lattice(world, cube, (lt_vec3){0.003f, deep ? 0.1f : 0.23f, 0.001f});
        float fastest = 0;
        for (int i = 0; i < 60; i++) {
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_unlimited());
            CHECK_COUNT(report.blown_up, 0);
            for (uint32_t k = 0; k < 2; k++)
                fastest = lt_max_f(fastest, fastest_node(world, lt_world_body_at(world, k)));
        }
        CHECK(world_is_finite(world) && fastest < 15);
        lt_world_destroy(world);
    }
}

static void what_is_pinned_stays(void) {
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    const lt_vec3 far = {9, 9, 9};
    lt_body_id first = add_lattice(world, cube, (lt_vec3){0, 0, 0});
    lt_body_id second = add_lattice(world, cube, (lt_vec3){0.15f, 0.02f, 0});
    CHECK(lt_body_pin_box(world, first, lt_v3_neg(far), far) > 0);
    CHECK(lt_body_pin_box(world, second, lt_v3_neg(far), far) > 0);
    lt_vec3 before = lt_body_center(world, second);
    lt_report report = run(world, 20);
    CHECK(world_is_finite(world) && lt_v3_distance(before, lt_body_center(world, second)) < 1e-6f);
    CHECK(report.contacts > 0);
    lt_body_id third = add_lattice(world, cube, (lt_vec3){0.05f, 0.25f, 0});
    run(world, 60);
    CHECK(lt_body_center(world, third).y > 0.15f);
    lt_world_destroy(world);
}

static void one_cell_is_enough(void) {
    lt_surface s;
    if (lt_generate_icosphere(&s, 0.1, 1, NULL, NULL) != LT_OK) return;
    lt_shape *single = lattice_of(&s, 1, false);
    lt_world_def def = lattice_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id lower = add_lattice(world, single, (lt_vec3){0, 0.12f, 0});
    lt_body_id upper = add_lattice(world, single, (lt_vec3){0.01f, 0.4f, 0});
    run(world, 80);
    CHECK(world_is_finite(world));
    CHECK(lt_body_center(world, lower).y > 0.05f && lt_body_center(world, upper).y > 0.05f);
    lt_world_destroy(world);
    lt_shape_release(single);
}

static bool is_refused(lt_method method, lt_shape *shape, lt_model model, const char *reason) {
    lt_world_def def = lattice_world_def();
    lt_error error = {0};
    def.method = method;
    lt_world *world = make_world(&def);
    lt_body_def bd = lattice_body_def(shape, (lt_vec3){0, 0, 0});
    bd.model = model;
    bool refused = !lt_world_add_body(world, &bd, &error).index_plus_one && strstr(error.message, reason);
    if (!refused) printf("%s\n", error.message);
    lt_world_destroy(world);
    return refused;
}

static void others_are_refused(void) {
    lt_shape *tets = cube_shape(0.2, 1);
    CHECK(is_refused(LT_METHOD_CELL_BOX, tets, LT_MODEL_COROTATIONAL, "--carrier lattice"));
    CHECK(is_refused(LT_METHOD_CELL_BOX, tets, LT_MODEL_LATTICE_SPRINGS, "bake it with a lattice"));
    CHECK(is_refused(LT_METHOD_CELL_BOX, cube, LT_MODEL_COROTATIONAL, "lattice-matching"));
    CHECK(is_refused(LT_METHOD_REFERENCE, cube, LT_MODEL_LATTICE_MATCHING, "cell-box"));
    CHECK(is_refused(LT_METHOD_TET_HASH, cube, LT_MODEL_LATTICE_SPRINGS, "cell-box"));
    CHECK(is_refused(LT_METHOD_SPHERE_TREE, cube, LT_MODEL_LATTICE_SPRINGS, "cell-box"));
    lt_shape_release(tets);
}

static void memory_may_run_out(void) {
    lt_world_def def = lattice_world_def();
    def.contact_capacity = 64;
    check_memory_may_run_out(def, brick);
    def.cell_box.grid_boxes = true;
    check_memory_may_run_out(def, brick);
}

/* ---- options ---- */

/* Whole cells stand out where the surface does not fill them. */
static float rest_height(bool grid_boxes, lt_mode mode) {
    lt_world_def def = lattice_world_def();
    def.cell_box.grid_boxes = grid_boxes;
    def.mode = mode;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id body = add_lattice(world, ball, (lt_vec3){0, 0.2f, 0});
    run(world, 70);
    CHECK(world_is_finite(world));
    float height = surface_low(world, body).y;
    lt_world_destroy(world);
    return height;
}

static void grid_boxes_stand_out(void) {
    float tight = rest_height(false, LT_MODE_SAFE), grid = rest_height(true, LT_MODE_SAFE);
    printf("gap to the floor: tight boxes %.4f m, grid boxes %.4f m\n", (double)tight, (double)grid);
    CHECK(fabsf(tight) < 0.25f * grid);
}

static void the_paper_runs(void) {
    float height = rest_height(false, LT_MODE_PAPER);
    CHECK(height > -0.05f && height < 0.1f);
}

int main(void) {
    cube = lattice_box(0.2f, 0.2f, 0.2f, 26);
    brick = lattice_box(0.2f, 0.2f, 0.2f, 8);
    ball = lattice_ball(0.12f, 26);
    RUN(a_cube_rests_on_the_floor);
    RUN(what_falls_stays_down);
    RUN(cubes_do_not_merge);
    RUN(a_heap_comes_to_rest);
    RUN(a_tower_falls_asleep);
    RUN(what_is_still_is_spared);
    RUN(each_place_is_told_once);
    RUN(what_slid_by_does_not_push);
    RUN(a_cube_falls_asleep_and_wakes);
    RUN(balls_collide_in_the_air);
    RUN(a_fall_makes_no_energy);
    RUN(obstacles_hold_and_push);
    RUN(deep_overlap_does_not_explode);
    RUN(what_is_pinned_stays);
    RUN(one_cell_is_enough);
    RUN(others_are_refused);
    RUN(memory_may_run_out);
    RUN(grid_boxes_stand_out);
    RUN(the_paper_runs);
    lt_shape_release(cube);
    lt_shape_release(brick);
    lt_shape_release(ball);
    return check_finish();
}
