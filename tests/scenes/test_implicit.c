/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The polygoniser beneath letters, figures and the solid teapot. */

#include "core/random.h"
#include "generate_checks.h"
#include "scenes/implicit.h"
#include "scenes/trigonometry.h"

static double ball_field(const void *context, lt_dvec3 p) {
    return lt_d3_length(p) - *(const double *)context;
}

static double torus_field(const void *context, lt_dvec3 p) {
    (void)context;
    double off = sqrt(p.x * p.x + p.z * p.z) - 1.0;
    return sqrt(off * off + p.y * p.y) - 0.4;
}

static void polygonised_ball_lies_on_the_sphere(void) {
    double before = 0.0, radius = 0.7;
    for (uint32_t count = 500; count <= 8000; count *= 4) {
        lt_implicit solid = {ball_field, &radius, {-.8, -.8, -.8}, {.8, .8, .8}, "ball", 200};
        lt_surface ball;
        CHECK_FATAL(lt_implicit_polygonise(&ball, &solid, count, NULL, NULL) == LT_OK);
        check_solid(&ball, "polygonised ball", 2, 1);
        CHECK_NEAR(ball.triangle_count, count, 0.05 * count);
        CHECK(worst_triangle(&ball) > 0.4);
        for (uint32_t i = 0; i < ball.vertex_count; i++)
            CHECK_NEAR(lt_v3_length(ball.positions[i]), radius, 1e-6);
        for (uint32_t t = 0; t < ball.triangle_count; t++) { /* no triangle is folded over */
            const uint32_t *v = lt_triangle_at(&ball, t);
            lt_vec3 a = ball.positions[v[0]], b = ball.positions[v[1]], c = ball.positions[v[2]];
            CHECK(lt_v3_dot(lt_v3_cross(lt_v3_sub(b, a), lt_v3_sub(c, a)), a) > 0.0f);
        }
        double missing = 1.0 - lt_surface_volume(&ball) / (4.0 / 3.0 * LT_PI * radius * radius * radius);
        if (count > 500) CHECK_NEAR(before / missing, 4.0, 0.6);
        before = missing;
        lt_surface_free(&ball);
    }
}

static void polygonised_torus_has_its_hole(void) {
    lt_implicit solid = {torus_field, NULL, {-1.5, -.5, -1.5}, {1.5, .5, 1.5}, "torus", 200};
    lt_surface torus;
    CHECK_FATAL(lt_implicit_polygonise(&torus, &solid, 6000, NULL, NULL) == LT_OK);
    check_solid(&torus, "polygonised torus", 0, 1);
    CHECK_NEAR(lt_surface_volume(&torus), 2.0 * LT_PI * LT_PI * 0.16, 0.02);
    CHECK_NEAR(lt_surface_area(&torus), 4.0 * LT_PI * LT_PI * 0.4, 0.05);
    lt_surface_free(&torus);
}

/* Twelve balls that touch and cross at random, far too fine for the grid: what comes out is anything, but it
 * must be a closed two-manifold. Without the repair it is not. */
static double foam_field(const void *context, lt_dvec3 p) {
    const lt_dvec3 *centres = context;
    double value = 1e9;
    for (int i = 0; i < 12; i++)
        value = lt_min_d(value, lt_d3_distance(p, centres[i]) - 0.25);
    return fabs(value) - 0.03; /* walls of bubbles */
}

static void hopeless_solids_still_give_manifolds(void) {
    lt_random random = lt_random_seed(7);
    for (int round = 0; round < 5; round++) {
        lt_dvec3 centres[12];
        for (int i = 0; i < 12; i++)
            centres[i] =
                lt_d3_make(lt_random_unit(&random), lt_random_unit(&random), lt_random_unit(&random));
        lt_implicit solid = {foam_field, centres, {-.3, -.3, -.3}, {1.3, 1.3, 1.3}, "foam", 200};
        lt_surface foam;
        CHECK_FATAL(lt_implicit_polygonise(&foam, &solid, 1500 + 500 * (uint32_t)round, NULL, NULL) == LT_OK);
        topology t = topology_of(&foam);
        CHECK(t.closed && t.fans && t.used);
        CHECK(lt_surface_volume(&foam) > 0.0);
        lt_surface_free(&foam);
    }
}

static void solid_outside_its_bounds_is_refused(void) {
    double radius = 0.7;
    lt_implicit cut = {ball_field, &radius, {-.3, -.3, -.3}, {.3, .3, .3}, "ball", 200};
    lt_implicit empty = {ball_field, &(double){-1.0}, {-.3, -.3, -.3}, {.3, .3, .3}, "nothing", 200};
    lt_surface s;
    lt_error error;
    CHECK_COUNT(lt_implicit_polygonise(&s, &cut, 1000, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "out of its bounds");
    CHECK(s.positions == NULL);
    CHECK_COUNT(lt_implicit_polygonise(&s, &empty, 1000, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "too thin");
}

int main(void) {
    RUN(polygonised_ball_lies_on_the_sphere);
    RUN(polygonised_torus_has_its_hole);
    RUN(hopeless_solids_still_give_manifolds);
    RUN(solid_outside_its_bounds_is_refused);
    return check_finish();
}
