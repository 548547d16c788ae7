/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes of multiscale are what they are said to be, whatever the method: sizes, where bodies begin, what falls on what,
 * what is held and what is poked. Surfaces are generated, and coarser where that does not matter here.
 *
 * labels: slow */

#include "running.h"

static lt_scene_shape *shape_of(running *r, uint32_t index) {
    return (lt_scene_shape *)r->scene.shapes.items + index;
}

static void use_figure(running *r, lt_surface_recipe_kind kind, uint32_t triangles, uint32_t tets) {
    lt_surface_recipe *surface = &shape_of(r, 0)->surface;
    *surface = (lt_surface_recipe){.kind = kind, .size = {0, surface->size.y, 0}, .triangles = triangles};
    shape_of(r, 0)->carrier.cells[0] = tets;
}

/* Dropped from 1 m it is on the floor after 0.45 s. */
static void knot_falls_and_lies_on_itself(void) {
    running r;
    CHECK_FATAL(running_make(&r, "knot"));
    CHECK_COUNT(shape_of(&r, 0)->surface.triangles, 42254);
    CHECK(shape_of(&r, 0)->has_tree);
    CHECK(((lt_scene_body *)r.scene.bodies.items)->material.young == 1e5f);
    shape_of(&r, 0)->surface.triangles = 4000;
    CHECK_FATAL(running_build(&r));
    lt_box begun = box_of(&r, 0);
    CHECK_COUNT(lt_body_node_count(r.world.world, r.world.bodies[0]), 7 * 31);
    CHECK_NEAR(begun.lo.y, 1.0, 0.01);
    run(&r, 24);
    CHECK(box_of(&r, 0).lo.y > 0.1f);
    CHECK_COUNT(r.last.contacts, 0);
    run(&r, 60);
    lt_box fallen = box_of(&r, 0);
    CHECK(fallen.lo.y > -0.03f && fallen.lo.y < 0.05f);
    CHECK(fallen.hi.y - fallen.lo.y < 0.9f * (begun.hi.y - begun.lo.y));
    CHECK(count_contacts(&r, 0, 0) > 0);
    end(&r);
}

static void bunny_falls_on_another(void) {
    running r;
    CHECK_FATAL(running_make(&r, "bunny-on-bunny"));
    CHECK_COUNT(r.scene.bodies.count, 2);
    CHECK(shape_of(&r, 0)->has_tree);
    use_figure(&r, LT_SURFACE_RECIPE_BEAR, 2400, 300);
    CHECK_FATAL(running_build(&r));
    CHECK(box_of(&r, 0).lo.y > 0.0f);
    CHECK(box_of(&r, 1).lo.y > box_of(&r, 0).hi.y);
    run(&r, 1);
    CHECK_COUNT(count_contacts(&r, 0, 1), 0);
    uint32_t touched = 0;
    for (uint32_t i = 0; i < 6; i++) {
        run(&r, 10);
        touched += count_contacts(&r, 0, 1) > 0;
    }
    CHECK(touched > 0);
    CHECK(box_of(&r, 0).lo.y > -0.02f && box_of(&r, 1).lo.y > -0.02f);
    end(&r);
}

static void run_on(running *r, uint64_t begin, uint64_t end) {
    uint64_t blown_up = 0;
    for (uint64_t i = begin; i < end; i++) {
        lt_scene_advance(&r->world, i);
        r->last = lt_world_step(r->world.world, r->scene.dt, lt_budget_unlimited());
        blown_up += r->last.blown_up;
    }
    CHECK_COUNT(blown_up, 0);
}

/* The bear is deepest after 0.95 s and farthest away after 2.45 s: the lizard is bent, and stands up again. */
static void bear_pokes_and_lets_go(void) {
    running r;
    CHECK_FATAL(running_make(&r, "poke"));
    CHECK_COUNT(shape_of(&r, 0)->surface.triangles, 13480);
    CHECK(shape_of(&r, 0)->has_tree);
    use_figure(&r, LT_SURFACE_RECIPE_LIZARD, 3000, 600);
    ((lt_scene_body *)r.scene.bodies.items)->rotation = (lt_quat){0, 0, 0, 1};
    ((lt_scene_obstacle *)r.scene.obstacles.items)[1].surface =
        (lt_surface_recipe){.kind = LT_SURFACE_RECIPE_BEAR, .size = {0, 0.3f, 0}, .triangles = 2000};
    CHECK_FATAL(running_build(&r));
    lt_vec3 begun = center_of(&r, 0);
    CHECK(box_of(&r, 0).lo.y > 0.0f);
    run_on(&r, 0, 15);
    CHECK_COUNT(r.last.contacts, 0);
    run_on(&r, 15, 57);
    float bent = begun.z - center_of(&r, 0).z;
    CHECK(bent > 0.01f && bent < 0.15f);
    CHECK(r.last.contacts > 0);
    run_on(&r, 57, 147);
    CHECK(lt_v3_distance(begun, center_of(&r, 0)) < 0.5f * bent);
    CHECK(box_of(&r, 0).lo.y > -0.01f);
    end(&r);
}

int main(void) {
    RUN(knot_falls_and_lies_on_itself);
    RUN(bunny_falls_on_another);
    RUN(bear_pokes_and_lets_go);
    return check_finish();
}
