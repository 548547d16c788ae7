/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees that follow the solid, on generated shapes. */

#include "bake/enclose_shapes.h"
#include "bake/icosahedral.h"
#include "bake/rest_tree.h"
#include "bake/sphere_checks.h"

static double check_medial_of(const lt_surface *surface, uint32_t depth, uint32_t branching, bool layered) {
    lt_sphere_options options = quick_options(LT_SPHERES_MEDIAL);
    lt_rest_tree tree;
    lt_error error = {0};
    options.effort = depth > 0 ? LT_EFFORT_QUICK : LT_EFFORT_FULL; /* what is promised is the same */
    options.depth = depth;
    options.branching = branching;
    options.layered = layered;
    lt_status status = lt_sphere_tree_make(&tree, surface, &options, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK(status == LT_OK);
    CHECK(tree.layered == layered);
    check_tree(&tree, surface);
    double mean = lt_sphere_level_of(&tree, depth).mean_error;
    lt_rest_tree_free(&tree);
    return mean;
}

static void a_ball_is_one_sphere(void) {
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 2.0, 2, NULL, NULL) == LT_OK);
    double mean = check_medial_of(&ball, 0, 8, false);
    /* The icosphere dips 0.04 below its own sphere; the rest is the tolerance, 2 % of the radius, and the search. */
    CHECK_NEAR(mean, 0, 0.25);
    lt_surface_free(&ball);
}

/* An elongated body is covered by spheres in a row: with 4 on 8 units of length 1 wide, better than octants. */
static void a_rod_gets_spheres_along_its_axis(void) {
    lt_surface rod;
    const uint32_t divisions[3] = {8, 1, 1};
    CHECK_FATAL(lt_generate_box(&rod, (lt_vec3){4, 0.5f, 0.5f}, divisions, NULL, NULL) == LT_OK);
    lt_sphere_options options = quick_options(LT_SPHERES_MEDIAL);
    lt_rest_tree tree;
    options.depth = 1;
    CHECK_FATAL(lt_sphere_tree_make(&tree, &rod, &options, NULL) == LT_OK);
    check_tree(&tree, &rod);
    CHECK(tree.sphere_count >= 6);
    for (uint32_t i = 1; i < tree.sphere_count; i++) {
        CHECK(fabs(tree.spheres[i].center.y) < 0.3 && fabs(tree.spheres[i].center.z) < 0.3);
        CHECK(tree.spheres[i].error <
              0.75); /* sqrt(.25 + .25 + .25) - .5 would be eight cubes in a row: 0.37 */
    }
    lt_rest_tree_free(&tree);
    lt_surface_free(&rod);
}

static void shapes_are_covered(void) {
    lt_surface shape;
    CHECK_FATAL(lt_generate_torus(&shape, 1.0, 0.3, 10, NULL, NULL) == LT_OK);
    check_medial_of(&shape, 2, 3, false);
    lt_surface_free(&shape);
    CHECK_FATAL(lt_generate_letter(&shape, 'A', 400, NULL, NULL) == LT_OK);
    check_medial_of(&shape, 1, 4, true);
    lt_surface_free(&shape);
}

static void open_flat_and_separate_surfaces_are_covered(void) {
    lt_surface shape;
    CHECK_FATAL(make_sheet(&shape, 4, 0.3f));
    check_medial_of(&shape, 1, 8, false);
    lt_surface_free(&shape);
    CHECK_FATAL(make_sheet(&shape, 2, 0.0f));
    check_medial_of(&shape, 1, 3, true);
    lt_surface_free(&shape);
    shape = (lt_surface){0};
    CHECK_FATAL(append_box(&shape, (lt_vec3){-1, -1, -1}, (lt_vec3){0, 0, 0}, 2));
    CHECK_FATAL(append_box(&shape, (lt_vec3){5, 3, 2}, (lt_vec3){6, 5, 2.5f}, 2));
    check_medial_of(&shape, 1, 2, false);
    lt_surface_free(&shape);
}

static void it_beats_the_octree(void) {
    lt_surface torus;
    lt_rest_tree medial, octree;
    lt_sphere_options options = quick_options(LT_SPHERES_MEDIAL);
    options.branching = 6;
    options.depth = 1;
    CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.3, 10, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_make(&medial, &torus, &options, NULL) == LT_OK);
    options.method = LT_SPHERES_OCTREE;
    CHECK_FATAL(lt_sphere_tree_make(&octree, &torus, &options, NULL) == LT_OK);
    CHECK(lt_sphere_level_of(&medial, 1).mean_error < 0.4 * lt_sphere_level_of(&octree, 1).mean_error);
    lt_rest_tree_free(&medial);
    lt_rest_tree_free(&octree);
    lt_surface_free(&torus);
}

/* Less work, the same promises: a tree that covers, with errors that are bounds. */
static void quick_trees_are_trees(void) {
    lt_surface torus;
    lt_rest_tree tree;
    lt_sphere_options options = lt_sphere_options_for(LT_EFFORT_QUICK);
    lt_sphere_measure measures[LT_SPHERE_LEVELS_MAX];
    options.depth = 1;
    options.cells = 16;
    CHECK(options.samples < lt_sphere_options_default().samples);
    CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.3, 32, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_make(&tree, &torus, &options, NULL) == LT_OK);
    check_tree(&tree, &torus);
    CHECK_FATAL(lt_sphere_tree_measure(measures, &tree, &torus, 1000, 1, NULL) == LT_OK);
    for (uint32_t level = 0; level < 2; level++) {
        CHECK_COUNT(measures[level].uncovered_count, 0);
        CHECK(measures[level].worst_error <= lt_sphere_level_of(&tree, level).worst_error);
        CHECK(measures[level].mean_error <= lt_sphere_level_of(&tree, level).mean_error);
    }
    /* Eight balls in a ring reach the outermost points pi / 8 to either side, at (1.3 cos - 1, 1.3 sin) from their
     * centres: 0.54, less the 0.3 of the tube. */
    CHECK(measures[1].mean_error < 1.2 * (0.54 - 0.3));
    lt_rest_tree_free(&tree);
    lt_surface_free(&torus);
}

/* Where floats are coarse, layers still hold in float. */
static void layers_hold_far_from_the_origin(void) {
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 1, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < ball.vertex_count; i++)
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){31.7f, -70.3f, 53.9f});
    check_medial_of(&ball, 2, 3, true);
    lt_surface_free(&ball);
}

int main(void) {
    RUN(layers_hold_far_from_the_origin);
    RUN(a_ball_is_one_sphere);
    RUN(a_rod_gets_spheres_along_its_axis);
    RUN(shapes_are_covered);
    RUN(open_flat_and_separate_surfaces_are_covered);
    RUN(it_beats_the_octree);
    RUN(quick_trees_are_trees);
    return check_finish();
}
