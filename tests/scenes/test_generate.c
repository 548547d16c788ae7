/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Simple surfaces: topology, closed forms with their rate of convergence, counts, refusals. */

#include "bake/icosahedral.h"
#include "generate_checks.h"
#include "scenes/trigonometry.h"

static void sine_and_cosine_agree_with_the_library(void) {
    double worst = 0.0, worst_angle = 0.0;
    for (int i = -20000; i <= 20000; i++) {
        double angle = i * 0.01, s, c;
        lt_sin_cos(angle, &s, &c);
        worst = fmax(worst, fmax(fabs(s - sin(angle)), fabs(c - cos(angle))));
        worst_angle =
            fmax(worst_angle, fabs(lt_angle_of(sin(angle), cos(angle)) - atan2(sin(angle), cos(angle))));
    }
    CHECK_NEAR(worst, 0.0, 3e-16);
    CHECK_NEAR(worst_angle, 0.0, 1e-15);
    CHECK_NEAR(lt_angle_of(0.0, 0.0), 0.0, 0.0);
    CHECK_NEAR(lt_angle_of(0.0, -2.0), LT_PI, 1e-15);
}

/* The error of an inscribed mesh falls with the square of its edge. */
static void sphere_converges(void) {
    double before = 0.0;
    for (uint32_t s = 0; s <= 5; s++) {
        lt_surface ball;
        CHECK_FATAL(lt_generate_icosphere(&ball, 2.0, s, NULL, NULL) == LT_OK);
        CHECK_COUNT(ball.triangle_count, 20u << (2 * s));
        check_solid(&ball, "icosphere", 2, 1);
        for (uint32_t i = 0; i < ball.vertex_count; i++)
            CHECK_NEAR(lt_v3_length(ball.positions[i]), 2.0, 1e-6);
        double missing = 1.0 - lt_surface_volume(&ball) / (4.0 / 3.0 * LT_PI * 8.0);
        if (s == 0) CHECK_NEAR(lt_surface_volume(&ball), 2.53615071 * 8.0, 1e-5); /* icosahedron */
        if (s >= 2) CHECK_NEAR(before / missing, 4.0, 0.3);
        before = missing;
        if (s == 5) CHECK_NEAR(lt_surface_area(&ball), 4.0 * LT_PI * 4.0, 0.1);
        lt_surface_free(&ball);
    }
}

static void box_is_exact(void) {
    static const uint32_t divisions[][3] = {{1, 1, 1}, {1, 2, 3}, {4, 1, 2}, {5, 6, 7}};
    for (size_t i = 0; i < LT_COUNT_OF(divisions); i++) {
        const uint32_t *n = divisions[i];
        lt_surface box;
        CHECK_FATAL(lt_generate_box(&box, (lt_vec3){0.5f, 1.0f, 2.0f}, n, NULL, NULL) == LT_OK);
        CHECK_COUNT(box.triangle_count, 4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]));
        check_solid(&box, "box", 2, 1);
        CHECK_NEAR(lt_surface_volume(&box), 8.0, 1e-5);
        CHECK_NEAR(lt_surface_area(&box), 28.0, 1e-5);
        lt_surface_free(&box);
    }
}

static void plate_is_a_thin_box(void) {
    lt_surface plate;
    CHECK_FATAL(lt_generate_plate(&plate, (lt_vec3){2.0f, 0.01f, 1.0f}, 10, NULL, NULL) == LT_OK);
    CHECK_COUNT(plate.triangle_count, 4 * (10 * 5 + 10 + 5));
    check_solid(&plate, "plate", 2, 1);
    CHECK_NEAR(lt_surface_volume(&plate), 0.02, 1e-7);
    lt_surface_free(&plate);
}

static void torus_converges(void) {
    double before = 0.0;
    for (uint32_t segments = 16; segments <= 128; segments *= 2) {
        lt_surface torus;
        CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.5, segments, NULL, NULL) == LT_OK);
        CHECK_COUNT(torus.triangle_count, segments * segments);
        check_solid(&torus, "torus", 0, 1);
        double missing = 1.0 - lt_surface_volume(&torus) / (2.0 * LT_PI * LT_PI * 0.25);
        if (segments > 16) CHECK_NEAR(before / missing, 4.0, 0.15);
        before = missing;
        lt_surface_free(&torus);
    }
}

static void capsule_and_cylinder_converge(void) {
    double capsule_before = 0.0, cylinder_before = 0.0;
    for (uint32_t segments = 16; segments <= 128; segments *= 2) {
        lt_surface capsule, cylinder;
        CHECK_FATAL(lt_generate_capsule(&capsule, 0.5, 2.0, segments, NULL, NULL) == LT_OK);
        CHECK_FATAL(lt_generate_cylinder(&cylinder, 0.5, 2.0, segments, NULL, NULL) == LT_OK);
        check_solid(&capsule, "capsule", 2, 1);
        check_solid(&cylinder, "cylinder", 2, 1);
        lt_box box = lt_surface_box(&capsule);
        CHECK_NEAR(box.hi.y - box.lo.y, 3.0, 1e-6);
        double in_capsule =
            1.0 - lt_surface_volume(&capsule) / (LT_PI * 0.25 * 2.0 + 4.0 / 3.0 * LT_PI * 0.125);
        double in_cylinder = 1.0 - lt_surface_volume(&cylinder) / (LT_PI * 0.25 * 2.0);
        if (segments > 16) {
            CHECK_NEAR(capsule_before / in_capsule, 4.0, 0.15);
            CHECK_NEAR(cylinder_before / in_cylinder, 4.0, 0.15);
        }
        if (segments == 128) CHECK_NEAR(lt_surface_area(&cylinder), LT_PI * 2.0 + LT_PI * 0.5, 0.01);
        capsule_before = in_capsule, cylinder_before = in_cylinder;
        lt_surface_free(&capsule);
        lt_surface_free(&cylinder);
    }
}

static void smallest_turned_shapes_are_solid(void) {
    for (uint32_t segments = 3; segments < 12; segments++) {
        lt_surface s;
        CHECK_FATAL(lt_generate_cylinder(&s, 1.0, 0.1, segments, NULL, NULL) == LT_OK);
        check_solid(&s, "cylinder", 2, 1);
        lt_surface_free(&s);
        if (segments < 4) continue;
        CHECK_FATAL(lt_generate_capsule(&s, 1.0, 0.0, segments, NULL, NULL) == LT_OK);
        check_solid(&s, "ball-shaped capsule", 2, 1);
        lt_surface_free(&s);
    }
}

static void knot_meets_its_count(void) {
    /* even and well divisible: exact. 2 * 10007 is twice a prime: the nearest half count that has a fit. */
    static const struct {
        uint32_t wanted, low, high;
    } cases[] = {{42254, 42254, 42254}, {8000, 8000, 8000}, {20014, 20000, 20028}, {8001, 8000, 8000}};
    for (size_t i = 0; i < LT_COUNT_OF(cases); i++) {
        lt_torus_knot_params params = lt_torus_knot_params_default();
        params.triangle_count = cases[i].wanted;
        lt_surface knot;
        CHECK_FATAL(lt_generate_torus_knot(&knot, &params, NULL, NULL) == LT_OK);
        CHECK(knot.triangle_count >= cases[i].low && knot.triangle_count <= cases[i].high);
        check_solid(&knot, "torus knot", 0, 1);
        lt_surface_free(&knot);
    }
    CHECK_COUNT(lt_torus_knot_params_default().triangle_count, 42254);
}

static double longest_edge(const lt_surface *s) {
    double longest = 0.0;
    for (uint32_t c = 0; c < 3 * s->triangle_count; c++) {
        lt_vec3 a = s->positions[s->triangles[c]], b = s->positions[s->triangles[next_corner(c)]];
        longest = fmax(longest, lt_v3_distance(a, b));
    }
    return longest;
}

/* Pappus: the volume of a tube is its section times the length of its centre line, whatever the curve. The
 * knot (1, 1) on a vanishing minor circle is a plain torus. A jump of the frame at the closing would make an
 * edge longer than any quad within 1:2 of square has. */
static void knot_tube_closes_without_a_jump(void) {
    lt_torus_knot_params params = {
        .p = 1, .q = 1, .major_radius = 1.0, .minor_radius = 1e-6, .tube_radius = 0.3};
    params.triangle_count = 2 * 100 * 40;
    lt_surface ring;
    CHECK_FATAL(lt_generate_torus_knot(&ring, &params, NULL, NULL) == LT_OK);
    CHECK_NEAR(lt_surface_volume(&ring), 2.0 * LT_PI * LT_PI * 0.09, 0.02);
    lt_surface_free(&ring);

    static const uint32_t turns[][2] = {{2, 3}, {3, 2}, {2, 5}, {3, 4}};
    for (size_t i = 0; i < LT_COUNT_OF(turns); i++) {
        params = lt_torus_knot_params_default();
        params.p = turns[i][0], params.q = turns[i][1], params.tube_radius = 0.1,
        params.triangle_count = 12000;
        lt_surface knot;
        CHECK_FATAL(lt_generate_torus_knot(&knot, &params, NULL, NULL) == LT_OK);
        double mean_area = lt_surface_area(&knot) / knot.triangle_count;
        CHECK(longest_edge(&knot) < 3.0 * sqrt(2.0 * mean_area));
        double length = lt_surface_area(&knot) / (2.0 * LT_PI * 0.1);
        CHECK_NEAR(lt_surface_volume(&knot) / (length * LT_PI * 0.01), 1.0, 0.05); /* an inscribed polygon */
        lt_surface_free(&knot);
    }
}

static void grass_blades_are_separate_solids(void) {
    lt_grass_params params = lt_grass_params_default();
    lt_surface grass, again;
    CHECK_FATAL(lt_generate_grass(&grass, &params, NULL, NULL) == LT_OK);
    CHECK_COUNT(grass.triangle_count, 400 * (6 * params.segments - 2));
    check_solid(&grass, "grass", 2 * 400, 400);
    lt_box box = lt_surface_box(&grass);
    CHECK_NEAR(box.lo.y, 0.0, 1e-6);
    CHECK(box.hi.y < 1.3 * params.height + 1e-6 && box.hi.y > 0.9 * params.height);
    CHECK_FATAL(lt_generate_grass(&again, &params, NULL, NULL) == LT_OK);
    CHECK(hash_surface(&again) == hash_surface(&grass));
    lt_surface_free(&again);
    params.seed++;
    CHECK_FATAL(lt_generate_grass(&again, &params, NULL, NULL) == LT_OK);
    CHECK(hash_surface(&again) != hash_surface(&grass));
    lt_surface_free(&again);
    lt_surface_free(&grass);
}

static void bad_arguments_are_refused(void) {
    lt_surface s;
    lt_error error;
    CHECK_COUNT(lt_generate_icosphere(&s, -1.0, 2, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "radius");
    CHECK(s.positions == NULL);
    CHECK_COUNT(lt_generate_icosphere(&s, NAN, 2, NULL, NULL), LT_STATUS_INVALID);
    CHECK_COUNT(lt_generate_icosphere(&s, 1.0, 11, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "subdivisions");
    CHECK_COUNT(lt_generate_box(&s, (lt_vec3){1, 1, 1}, (uint32_t[3]){1, 0, 1}, NULL, &error),
                LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "divisions");
    CHECK_COUNT(lt_generate_box(&s, (lt_vec3){1, INFINITY, 1}, (uint32_t[3]){1, 1, 1}, NULL, NULL),
                LT_STATUS_INVALID);
    CHECK_COUNT(lt_generate_plate(&s, (lt_vec3){1, 0, 1}, 4, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "thickness");
    CHECK_COUNT(lt_generate_torus(&s, 1.0, 1.0, 10, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "minor radius");
    CHECK_COUNT(lt_generate_capsule(&s, 1.0, -1.0, 8, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "length");
    CHECK_COUNT(lt_generate_cylinder(&s, 1.0, 1000.0, 8, NULL, NULL), LT_STATUS_INVALID);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.p = 3;
    CHECK_COUNT(lt_generate_torus_knot(&s, &knot, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "coprime");
    knot = lt_torus_knot_params_default();
    knot.tube_radius = 0.5;
    CHECK_COUNT(lt_generate_torus_knot(&s, &knot, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "touches itself");
    lt_grass_params grass = lt_grass_params_default();
    grass.blade_count = 0;
    CHECK_COUNT(lt_generate_grass(&s, &grass, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "blades");
}

static void failing_memory_leaves_nothing(void) {
    lt_surface s;
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.triangle_count = 600;
    lt_grass_params grass = lt_grass_params_default();
    grass.blade_count = 3;
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_icosphere(&s, 1.0, 1, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_capsule(&s, 1.0, 1.0, 8, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_cylinder(&s, 1.0, 1.0, 8, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_torus(&s, 1.0, 0.5, 8, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_torus_knot(&s, &knot, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_grass(&s, &grass, allocator, NULL), lt_surface_free);
}

int main(void) {
    RUN(sine_and_cosine_agree_with_the_library);
    RUN(sphere_converges);
    RUN(box_is_exact);
    RUN(plate_is_a_thin_box);
    RUN(torus_converges);
    RUN(capsule_and_cylinder_converge);
    RUN(smallest_turned_shapes_are_solid);
    RUN(knot_meets_its_count);
    RUN(knot_tube_closes_without_a_jump);
    RUN(grass_blades_are_separate_solids);
    RUN(bad_arguments_are_refused);
    RUN(failing_memory_leaves_nothing);
    return check_finish();
}
