/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees from octrees, on shapes whose spheres can be told beforehand. */

#include "bake/enclose_shapes.h"
#include "bake/icosahedral.h"
#include "bake/rest_tree.h"
#include "bake/sphere_checks.h"

static void check_octree_of(const lt_surface *surface, uint32_t depth, uint32_t branching, bool layered) {
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    lt_rest_tree tree;
    options.depth = depth;
    options.branching = branching;
    options.layered = layered;
    CHECK_FATAL(lt_sphere_tree_make(&tree, surface, &options, NULL) == LT_OK);
    CHECK_COUNT(tree.level_count, depth + 1);
    CHECK_COUNT(tree.branching, branching);
    CHECK(tree.layered == layered);
    check_tree(&tree, surface);
    lt_rest_tree_free(&tree);
}

static void every_branching_and_depth_covers_a_ball(void) {
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.5, 1, NULL, NULL) == LT_OK);
    for (uint32_t branching = 2; branching <= 8; branching += 2)
        check_octree_of(&ball, 1, branching, branching % 4 == 0);

    check_octree_of(&ball, 0, 8, false);
    check_octree_of(&ball, 2, 2, false);
    lt_surface_free(&ball);
}

static void a_cube_has_eight_spheres_around_its_octants(void) {
    lt_surface cube;
    lt_rest_tree tree;
    const uint32_t divisions[3] = {2, 2, 2};
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    options.depth = 1;
    CHECK_FATAL(lt_generate_box(&cube, (lt_vec3){1, 1, 1}, divisions, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_make(&tree, &cube, &options, NULL) == LT_OK);
    CHECK_COUNT(tree.sphere_count, 9);
    CHECK_NEAR(tree.spheres[0].radius, sqrt(3.0), 1e-12);
    CHECK_NEAR(tree.spheres[0].area, 24, 1e-9);
    /* The farthest point of the root's ball is above the middle of a side. */
    CHECK(tree.spheres[0].error >= sqrt(3.0) - 1 && tree.spheres[0].error <= sqrt(3.0) * 1.02 - 1);
    for (uint32_t i = 1; i < 9; i++) {
        CHECK_NEAR(tree.spheres[i].radius, sqrt(0.75), 1e-12);
        CHECK_NEAR(fabs(tree.spheres[i].center.x), 0.5, 1e-12);
        CHECK_NEAR(tree.spheres[i].area, 3, 1e-9);
        CHECK(tree.spheres[i].error >= sqrt(0.75) - 0.5 && tree.spheres[i].error <= sqrt(0.75) * 1.02 - 0.5);
    }
    check_tree(&tree, &cube);
    check_errors(&tree, &cube, 3);
    lt_rest_tree_free(&tree);
    lt_surface_free(&cube);
}

static void errors_hold_against_points_all_over_the_ball(void) {
    lt_surface torus;
    lt_rest_tree tree;
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    options.depth = 1;
    CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.3, 6, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_make(&tree, &torus, &options, NULL) == LT_OK);
    check_tree(&tree, &torus);
    check_errors(&tree, &torus, 4);
    lt_rest_tree_free(&tree);
    lt_surface_free(&torus);
}

static void errors_see_into_cavities(void) {
    lt_surface box = {0}, whole = {0};
    lt_rest_tree tree;
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    options.depth = 0;
    CHECK_FATAL(append_box(&box, (lt_vec3){-1, -1, -1}, (lt_vec3){1, 1, 1}, 1));
    CHECK_FATAL(append_surface(&whole, &box, 1.0f, (lt_vec3){0, 0, 0}, false));
    CHECK_FATAL(append_surface(&whole, &box, 0.9f, (lt_vec3){0.02f, 0, 0}, true));
    CHECK_FATAL(lt_sphere_tree_make(&tree, &whole, &options, NULL) == LT_OK);
    /* In the middle of the cavity, not beyond the sides, where it is 0.73. */
    CHECK(tree.spheres[0].error >= 0.9f && tree.spheres[0].error <= 0.9f + 0.02 * sqrt(3.0));
    lt_rest_tree_free(&tree);
    lt_surface_free(&whole);
    lt_surface_free(&box);
}

static void one_triangle_has_a_tree(void) {
    lt_surface triangle;
    CHECK_FATAL(lt_surface_allocate(&triangle, 3, 1, NULL, NULL) == LT_OK);
    triangle.positions[1] = (lt_vec3){1, 0, 0};
    triangle.positions[2] = (lt_vec3){0.2f, 3, 0};
    for (uint32_t k = 0; k < 3; k++)
        triangle.triangles[k] = k;
    for (uint32_t depth = 0; depth <= 3; depth++)
        check_octree_of(&triangle, depth, 8, depth % 2);
    lt_surface_free(&triangle);
}

int main(void) {
    RUN(every_branching_and_depth_covers_a_ball);
    RUN(a_cube_has_eight_spheres_around_its_octants);
    RUN(errors_hold_against_points_all_over_the_ball);
    RUN(errors_see_into_cavities);
    RUN(one_triangle_has_a_tree);
    return check_finish();
}
