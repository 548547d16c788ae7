/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The scenes of cell-box are what they are said to be: how many bodies, where they begin, who stands on whom, what folds.
 * Surfaces have fewer triangles here, which is what the method does not mind.
 *
 * labels: slow */

#include "running.h"

static lt_scene_shape *shape_of(running *r, uint32_t index) {
    return (lt_scene_shape *)r->scene.shapes.items + index;
}

static lt_scene_body *body_of(running *r, uint32_t index) {
    return (lt_scene_body *)r->scene.bodies.items + index;
}

static void a_teapot_stands_on_a_pot(void) {
    running r;
    CHECK_FATAL(running_make(&r, "teapots"));
    for (uint32_t i = 0; i < 2; i++) {
        shape_of(&r, i)->surface.triangles = 2000;
        shape_of(&r, i)->carrier.size.x = 0.05f;
    }
    CHECK_FATAL(running_build(&r));
    lt_box lower = box_of(&r, 0), upper = box_of(&r, 1);
    CHECK_NEAR(lower.hi.y - lower.lo.y, 0.267, 1e-5);
    CHECK_NEAR(upper.hi.y - upper.lo.y, 0.315, 1e-5);
    CHECK_NEAR(lower.lo.y, 0.0005, 1e-4);
    CHECK_NEAR(upper.lo.y, 0.2518 + 0.001, 1e-4);
    lt_vec3 begun = center_of(&r, 1);
    run(&r, 100);
    lt_vec3 now = center_of(&r, 1);
    CHECK(lt_v3_distance(begun, now) < 0.02f);
    CHECK(count_contacts(&r, 0, 1) > 0);
    CHECK(box_of(&r, 0).lo.y > -0.005f);
    end(&r);
}

/* 39 of every kind, all within the walls and above the floor, none near enough to touch another. */
static void letters_begin_apart_within_the_bin(void) {
    running r;
    CHECK_FATAL(running_make(&r, "letters"));
    CHECK_COUNT(r.scene.bodies.count, 1014);
    CHECK_COUNT(r.scene.shapes.count, 26);
    uint32_t of_kind[26] = {0}, outside = 0, near = 0;
    for (uint32_t i = 0; i < 1014; i++) {
        lt_vec3 at = body_of(&r, i)->position;
        of_kind[body_of(&r, i)->shape_index]++;
        outside += fabsf(at.x) > 5.5f || fabsf(at.z) > 5.5f || at.y < 0.65f;
        for (uint32_t k = 0; k < i; k++)
            near += lt_v3_distance(at, body_of(&r, k)->position) < 1.2f;
    }
    for (uint32_t kind = 0; kind < 26; kind++)
        CHECK_COUNT(of_kind[kind], 39);
    CHECK_COUNT(outside, 0);
    CHECK_COUNT(near, 0);
    end(&r);
}

/* More than a layer, of four kinds. */
static void letters_fall_and_stay_in_the_bin(void) {
    enum { LETTERS = 100 };
    running r;
    CHECK_FATAL(running_make(&r, "letters"));
    r.scene.shapes.count = 4;
    r.scene.bodies.count = LETTERS;
    for (uint32_t i = 0; i < LETTERS; i++)
        body_of(&r, i)->shape_index %= 4;
    for (uint32_t i = 0; i < 4; i++)
        shape_of(&r, i)->surface.triangles = 600;
    CHECK_FATAL(running_build(&r));
    run(&r, 100);
    uint32_t outside = 0, fallen = 0;
    for (uint32_t i = 0; i < LETTERS; i++) {
        lt_vec3 at = center_of(&r, i);
        outside += fabsf(at.x) > 6.2f || fabsf(at.z) > 6.2f || at.y < 0.0f;
        fallen += at.y < body_of(&r, i)->position.y - 0.1f;
    }
    CHECK_COUNT(outside, 0);
    CHECK(fallen > LETTERS / 2);
    CHECK(r.last.contacts > 0);
    end(&r);
}

static void lizard_folds_on_itself(void) {
    running r;
    CHECK_FATAL(running_make(&r, "fold"));
    CHECK_COUNT(shape_of(&r, 0)->surface.triangles, 293000);
    shape_of(&r, 0)->surface.triangles = 2000;
    shape_of(&r, 0)->carrier.cells[0] = 200;
    CHECK_FATAL(running_build(&r));
    lt_box begun = box_of(&r, 0);
    CHECK_NEAR(begun.hi.y - begun.lo.y, 0.6, 1e-4);
    run(&r, 350);
    lt_box folded = box_of(&r, 0);
    CHECK(folded.hi.y < begun.hi.y - 0.15f); /* the head is down */
    CHECK(folded.hi.z > begun.hi.z);         /* and in front */
    CHECK(count_contacts(&r, 0, 0) > 0);
    end(&r);
}

static void five_bodies_fall_on_each_other(void) {
    running r;
    CHECK_FATAL(running_make(&r, "five-bunnies"));
    CHECK_COUNT(r.scene.bodies.count, 5);
    shape_of(&r, 0)->surface =
        (lt_surface_recipe){.kind = LT_SURFACE_RECIPE_BEAR, .size = {0, 0.3f, 0}, .triangles = 1500};
    shape_of(&r, 0)->carrier.cells[0] = 120;
    CHECK(body_of(&r, 0)->material.young < body_of(&r, 2)->material.young);
    CHECK_FATAL(running_build(&r));
    for (uint32_t i = 0; i < 5; i++)
        CHECK(box_of(&r, i).lo.y > 0.0f);
    run(&r, 100);
    CHECK(count_contacts(&r, 0, 2) + count_contacts(&r, 1, 2) > 0);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(box_of(&r, i).lo.y > -0.01f);
    end(&r);
}

int main(void) {
    RUN(a_teapot_stands_on_a_pot);
    RUN(letters_begin_apart_within_the_bin);
    RUN(letters_fall_and_stay_in_the_bin);
    RUN(lizard_folds_on_itself);
    RUN(five_bodies_fall_on_each_other);
    return check_finish();
}
