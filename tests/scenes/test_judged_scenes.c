/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes for the judge are what they are said to be before anything is judged: how many bodies, apart as they begin, what
 * moves whom. What methods make of them is in tests/judge/test_outcomes.c.
 *
 * labels: data */

#include "judge/scene.h"
#include "running.h"

static lt_judgement judge_of(running *r) {
    lt_judge *judge = NULL;
    lt_judgement out = {0};
    CHECK(lt_judge_scene(&judge, &r->world, NULL) == LT_OK);
    CHECK(judge && lt_judge_check(judge, &out, NULL) == LT_OK);
    lt_judge_destroy(judge);
    return out;
}

/* Nothing meets anything, above the floor, for this many bodies; also where a seed has moved them. */
static void check_apart(const char *name, size_t body_count, uint32_t seed) {
    running r;
    CHECK_FATAL(running_make(&r, name));
    r.scene.seed = seed;
    CHECK_FATAL(running_build(&r));
    CHECK_COUNT(r.scene.bodies.count, body_count);
    lt_judgement start = judge_of(&r);
    CHECK_COUNT(start.intersecting + start.overlapping, 0);
    CHECK(start.below == 0);
    end(&r);
}

static void bodies_begin_apart(void) {
    check_apart("spots", 20, 0);
    check_apart("tower", 3, 1);
    check_apart("bin", 64, 0);
    check_apart("lift", 1, 1);
}

static void cubes_of_the_tower_are_offset(void) {
    running r;
    CHECK_FATAL(begin(&r, "tower"));
    for (uint32_t i = 1; i < 3; i++) {
        lt_box below = box_of(&r, i - 1), above = box_of(&r, i);
        CHECK_NEAR(above.lo.x - below.lo.x, 0.005, 1e-6);
        CHECK_NEAR(above.lo.y - below.hi.y, 5e-4, 1e-6);
    }
    end(&r);
}

static void poured_bodies_stay_in_the_bin(void) {
    running r;
    uint32_t fallen = 0;
    CHECK_FATAL(begin(&r, "bin"));
    run(&r, 20);
    for (uint32_t i = 0; i < 64; i++) {
        lt_vec3 at = center_of(&r, i);
        CHECK(fabsf(at.x) < 0.5f && fabsf(at.z) < 0.5f && at.y > 0.0f);
        fallen += at.y < ((lt_scene_body *)r.scene.bodies.items)[i].position.y - 0.1f;
    }
    CHECK(fallen > 40);
    end(&r);
}

/* Two motions at once: in, then up. */
static void jaws_close_and_rise(void) {
    running r;
    CHECK_FATAL(begin(&r, "lift"));
    const struct {
        uint64_t until;
        double inner_side, height;
    } times[] = {{18, 0.11, 0.12}, {48, 0.09, 0.12}, {90, 0.09, 0.22}, {120, 0.09, 0.32}, {150, 0.09, 0.32}};
    uint64_t step = 0;
    for (size_t i = 0; i < LT_COUNT_OF(times); i++) {
        for (; step < times[i].until; step++) {
            lt_scene_advance(&r.world, step);
            lt_world_step(r.world.world, r.scene.dt, lt_budget_unlimited());
        }
        for (int side = 0; side < 2; side++) {
            lt_vec3 at = lt_obstacle_get(r.world.world, r.world.obstacles[1 + side]).position;
            CHECK_NEAR(fabsf(at.x) - 0.03, times[i].inner_side, 1e-5);
            CHECK_NEAR(at.y, times[i].height, 1e-5);
        }
    }
    CHECK(box_of(&r, 0).lo.y > 0.15f);
    end(&r);
}

/* Every body, with a surface of its own or the boundary of its tets; what has neither is named. */
static void bodies_are_put_on_lattices(void) {
    lt_error error = {0};
    const char *names[] = {"tower", "heap", "plates"};
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        running r;
        CHECK_FATAL(running_make(&r, names[i]));
        r.scene.method = LT_METHOD_CELL_BOX;
        CHECK(lt_scene_put_on_lattices(&r.scene, &error) == LT_OK);
        CHECK_FATAL(running_build(&r));
        run(&r, 2);
        CHECK(lt_v3_is_finite(center_of(&r, 0)));
        end(&r);
    }
    running grass;
    CHECK_FATAL(running_make(&grass, "grass"));
    CHECK(lt_scene_put_on_lattices(&grass.scene, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "scene grass: shape 0 has no surface");
    end(&grass);
}

/* The size of a body is what it was: the boundary that is generated is that of the tets. */
static void a_lattice_has_the_size_of_the_tets(void) {
    running tets, cells;
    CHECK_FATAL(begin(&tets, "bin") && running_make(&cells, "bin"));
    cells.scene.method = LT_METHOD_CELL_BOX;
    CHECK(lt_scene_put_on_lattices(&cells.scene, NULL) == LT_OK);
    CHECK_FATAL(running_build(&cells));
    for (uint32_t i = 0; i < 8; i++) {
        lt_box a = box_of(&tets, i), b = box_of(&cells, i);
        CHECK_NEAR(lt_v3_distance(a.lo, b.lo), 0, 0.004);
        CHECK_NEAR(lt_v3_distance(a.hi, b.hi), 0, 0.004);
    }
    end(&tets);
    end(&cells);
}

int main(void) {
    RUN(bodies_begin_apart);
    RUN(cubes_of_the_tower_are_offset);
    RUN(poured_bodies_stay_in_the_bin);
    RUN(jaws_close_and_rise);
    RUN(bodies_are_put_on_lattices);
    RUN(a_lattice_has_the_size_of_the_tets);
    return check_finish();
}
