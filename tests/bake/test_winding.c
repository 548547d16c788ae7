/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/triangle_tree.h"
#include "bake/winding.h"
#include "check.h"
#include "core/random.h"
#include "mesh/shapes.h"

static void closed_forms(void) {
    /* A triangle across an octant takes an eighth of the sphere; turned, minus that. */
    static const int corners[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t ways[2][1][3] = {{{0, 1, 2}}, {{0, 2, 1}}};
    for (int k = 0; k < 2; k++) {
        lt_surface octant = surface_from(corners, 3, ways[k], 1);
        CHECK_NEAR(lt_winding_number(&octant, (lt_dvec3){0, 0, 0}), k ? -0.125 : 0.125, 1e-15);
        lt_surface_free(&octant);
    }
    /* A face of a cube takes a sixth of what its centre sees, all faces once around. */
    lt_surface box = box_surface();
    CHECK_NEAR(lt_winding_number(&box, (lt_dvec3){0, 0, 0}), 1, 1e-14);
    CHECK_NEAR(lt_winding_number(&box, (lt_dvec3){1.999, 1.99, -1.5}), 1, 1e-12);
    CHECK_NEAR(lt_winding_number(&box, (lt_dvec3){2.001, 0, 0}), 0, 1e-12);
    box.triangle_count = 2;
    CHECK_NEAR(lt_winding_number(&box, (lt_dvec3){0, 0, 0}), 1.0 / 6, 1e-14);
    box.triangle_count = 12;
    lt_surface_free(&box);
}

static bool in_round_torus(lt_dvec3 p) {
    double r = sqrt(p.x * p.x + p.y * p.y) - 2;
    return r * r + p.z * p.z < 1;
}

static void torus_has_a_hole(void) {
    lt_surface torus = torus_surface(32);
    lt_random random = lt_random_seed(1);
    for (int n = 0; n < 150; n++) {
        lt_dvec3 p = {lt_random_range(&random, -4, 4), lt_random_range(&random, -4, 4),
                      lt_random_range(&random, -1.5f, 1.5f)};
        double r = sqrt(p.x * p.x + p.y * p.y) - 2;
        if (fabs(sqrt(r * r + p.z * p.z) - 1) < 0.05) continue; /* between the torus and its polygons */
        CHECK_NEAR(lt_winding_number(&torus, p), in_round_torus(p) ? 1 : 0, 1e-11);
    }
    lt_surface_free(&torus);
}

/* The largest error of the fast sum at this accuracy over random points, near ones too. */
static double largest_error(const lt_surface *surface, double accuracy) {
    lt_triangle_tree tree;
    lt_winding_tree winding;
    lt_random random = lt_random_seed(2);
    double worst = 0;
    CHECK(lt_triangle_tree_build(&tree, surface, NULL, NULL) == LT_OK);
    CHECK(lt_winding_tree_build(&winding, &tree, NULL, NULL) == LT_OK);
    for (int n = 0; n < 150; n++) {
        lt_dvec3 p = {lt_random_range(&random, -4, 4), lt_random_range(&random, -4, 4),
                      lt_random_range(&random, -2, 2)};
        double fast = lt_winding_number_fast(&winding, p, accuracy);
        worst = lt_max_d(worst, fabs(fast - lt_winding_number(surface, p)));
    }
    lt_winding_tree_free(&winding);
    lt_triangle_tree_free(&tree);
    return worst;
}

static void check_accuracies(const lt_surface *surface) {
    double at_2 = largest_error(surface, 2), at_4 = largest_error(surface, 4);
    double at_8 = largest_error(surface, 8), exact = largest_error(surface, 1e9);
    printf("largest error: %.2g at 2, %.2g at 4, %.2g at 8, %.2g at 1e9\n", at_2, at_4, at_8, exact);
    CHECK(at_2 < 0.1);
    CHECK(at_4 < at_2 / 5);
    CHECK(at_8 < at_4 / 5);
    CHECK(exact < 1e-12);
    CHECK(at_8 > exact); /* or nothing was approximated */
}

static void fast_agrees_with_the_sum(void) {
    lt_surface torus = torus_surface(32);
    check_accuracies(&torus);
    uint32_t whole = torus.triangle_count;
    torus.triangle_count = whole / 3; /* an open piece */
    check_accuracies(&torus);
    torus.triangle_count = whole;
    lt_surface_free(&torus);
}

static void memory_runs_out_cleanly(void) {
    lt_surface box = box_surface();
    lt_triangle_tree tree;
    CHECK(lt_triangle_tree_build(&tree, &box, NULL, NULL) == LT_OK);
    scarce_memory memory = {0};
    lt_allocator allocator = scarce_allocator(&memory);
    lt_winding_tree winding;
    lt_error error = {0};
    CHECK(lt_winding_tree_build(&winding, &tree, &allocator, &error) == LT_STATUS_MEMORY);
    CHECK(winding.clusters == NULL && error.message[0]);
    lt_winding_tree_free(&winding);
    lt_triangle_tree_free(&tree);
    lt_surface_free(&box);
}

int main(void) {
    RUN(closed_forms);
    RUN(torus_has_a_hole);
    RUN(fast_agrees_with_the_sum);
    RUN(memory_runs_out_cleanly);
    return check_finish();
}
