/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere files: what is written is read back, what is malformed is refused with its line; given spheres are covered. */

#include "bake/enclose_shapes.h"
#include "bake/rest_tree.h"
#include "bake/sphere_checks.h"
#include "bake/sphere_file.h"
#include "core/os.h"
#include "failing_allocator.h"

static lt_status parse(lt_sphere_list *list, const char *text, lt_error *error) {
    return lt_sphere_list_parse(list, (const uint8_t *)text, strlen(text), "file.sph", NULL, error);
}

static void places_of_the_full_tree_are_kept(void) {
    lt_sphere_list list;
    /* Three levels, two children each: the left child of the root is absent, with both below it. */
    const char *text = "3 2\n0 0 0 5\n0 0 0 0\n1 2 3 4 and more\n0 0 0 -1\n0 0 0 0 0\n\n7 0 0 2\n0 0 1e0 .5";
    CHECK_FATAL(parse(&list, text, NULL) == LT_OK);
    CHECK_COUNT(list.sphere_count, 4);
    CHECK_COUNT(list.level_count, 3);
    CHECK_COUNT(list.branching, 2);
    CHECK(list.spheres[1].center.y == 2 && list.spheres[1].radius == 4 && list.spheres[1].level == 1);
    CHECK(list.spheres[0].parent == LT_NONE && list.spheres[0].first_child == 1);
    CHECK_COUNT(list.spheres[0].child_count, 1);
    CHECK_COUNT(list.spheres[1].first_child, 2);
    CHECK_COUNT(list.spheres[1].child_count, 2);
    CHECK(list.spheres[3].radius == 0.5 && list.spheres[3].parent == 1 && list.spheres[3].level == 2);
    lt_sphere_list_free(&list);
}

static void check_refused(const char *text, lt_status status, const char *part) {
    lt_sphere_list list;
    lt_error error = {0};
    CHECK(parse(&list, text, &error) == status);
    CHECK_CONTAINS(error.message, part);
    CHECK(list.spheres == NULL && list.sphere_count == 0);
}

static void malformed_files_are_refused_with_their_line(void) {
    check_refused("", LT_STATUS_FORMAT, "file.sph:1: expected the number of levels");
    check_refused("3", LT_STATUS_FORMAT, "file.sph:1");
    check_refused("9 8\n", LT_STATUS_UNSUPPORTED, "9 levels");
    check_refused("3 9\n", LT_STATUS_UNSUPPORTED, "9 children");
    check_refused("-1 8\n", LT_STATUS_UNSUPPORTED, "-1 levels");
    check_refused("2 2\n0 0 0 1\n0 0 x 1\n", LT_STATUS_FORMAT,
                  "file.sph:3: expected the z of a sphere, found \"x\"");
    check_refused("2 2\n0 0 0 1\n0 0 0 1\n", LT_STATUS_FORMAT, "file.sph:4");
    check_refused("2 2\n0 0 0\n", LT_STATUS_FORMAT, "the radius of a sphere");
    check_refused("1 2\n0 nan 0 1\n", LT_STATUS_INVALID, "file.sph:2: the y of a sphere is not finite");
    check_refused("1 2\n0 1e30 0 1\n", LT_STATUS_INVALID, "beyond");
    check_refused("1 2\n0 0 0 0\n", LT_STATUS_INVALID, "has no radius");
    check_refused("3 2\n0 0 0 1\n0 0 0 0\n0 0 0 1\n1 1 1 1\n", LT_STATUS_INVALID,
                  "file.sph:5: a sphere below");
}

/* Any cut or changed byte gives a list or an error, and memory within a few times the file. */
static void hostile_bytes_are_survived(void) {
    char text[200];
    lt_random random = lt_random_seed(3);
    for (int i = 0; i < 3000; i++) {
        static const char bytes[] = "0123456789 .-e\n\n\n ";
        int length =
            snprintf(text, sizeof text, "%u %u\n", lt_random_below(&random, 7), lt_random_below(&random, 9));
        while (length < (int)lt_random_below(&random, sizeof text))
            text[length++] = bytes[lt_random_below(&random, sizeof bytes - 1)];
        lt_sphere_list list;
        lt_status status =
            lt_sphere_list_parse(&list, (const uint8_t *)text, (size_t)length, "x", NULL, NULL);
        CHECK(status == LT_OK || list.spheres == NULL);
        CHECK(list.sphere_count <= (uint32_t)length);
        lt_sphere_list_free(&list);
    }
}

static void trees_survive_the_way_through_a_file(void) {
    const char *path = "sphere_file_test.sph";
    lt_surface torus;
    lt_rest_tree tree, again;
    lt_sphere_list list;
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    options.branching = 6;
    CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.3, 10, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_make(&tree, &torus, &options, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_file_write(path, &tree, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_list_read(&list, path, NULL, NULL) == LT_OK);
    CHECK_COUNT(list.sphere_count, tree.sphere_count);
    CHECK_COUNT(list.branching, 6);
    for (uint32_t i = 0; i < tree.sphere_count; i++) {
        const lt_rest_sphere *a = &tree.spheres[i], *b = &list.spheres[i];
        CHECK(memcmp(&a->center, &b->center, sizeof(a->center)) == 0 && a->radius == b->radius);
        CHECK(a->parent == b->parent && a->level == b->level && a->child_count == b->child_count);
    }
    CHECK_FATAL(lt_sphere_tree_cover(&again, &torus, list.spheres, list.sphere_count, &options, NULL) ==
                LT_OK);
    check_tree(&again, &torus);
    CHECK_COUNT(again.sphere_count, tree.sphere_count);
    for (uint32_t i = 0; i < again.sphere_count && i < tree.sphere_count; i++)
        CHECK(again.spheres[i].center.x == tree.spheres[i].center.x &&
              again.spheres[i].radius == tree.spheres[i].radius);
    lt_rest_tree_free(&again);
    lt_sphere_list_free(&list);
    lt_rest_tree_free(&tree);
    lt_surface_free(&torus);
    remove(path);
}

static void given_spheres_grow_where_they_must(void) {
    lt_surface cube;
    lt_rest_tree tree;
    lt_sphere_list list;
    lt_sphere_options options = quick_options(LT_SPHERES_MEDIAL);
    const uint32_t divisions[3] = {2, 2, 2};
    CHECK_FATAL(lt_generate_box(&cube, (lt_vec3){1, 1, 1}, divisions, NULL, NULL) == LT_OK);
    /* Of the two children one is far too small, and one far away. */
    CHECK_FATAL(parse(&list, "2 3\n0 0 0 2\n0 0 0 1\n0 0 0 0\n9 9 9 1\n", NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_cover(&tree, &cube, list.spheres, list.sphere_count, &options, NULL) == LT_OK);
    check_tree(&tree, &cube);
    CHECK_COUNT(tree.sphere_count, 2);
    CHECK(tree.spheres[0].radius == 2);
    CHECK_NEAR(tree.spheres[1].radius, sqrt(3.0), 1e-12);
    lt_rest_tree_free(&tree);
    list.spheres[1].level = 3;
    lt_error error = {0};
    CHECK(lt_sphere_tree_cover(&tree, &cube, list.spheres, list.sphere_count, &options, &error) ==
          LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "sphere 1");
    CHECK(tree.spheres == NULL);
    lt_sphere_list_free(&list);
    lt_surface_free(&cube);
}

static void memory_may_be_out_while_reading(void) {
    const char *text = "2 3\n0 0 0 2\n0 0 0 1\n0 0 0 0\n9 9 9 1\n";
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_sphere_list list;
        lt_status status =
            lt_sphere_list_parse(&list, (const uint8_t *)text, strlen(text), "x", &allocator, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && list.spheres == NULL));
        lt_sphere_list_free(&list);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (status == LT_OK) break;
        CHECK_FATAL(allowed < 100);
    }
}

int main(void) {
    RUN(places_of_the_full_tree_are_kept);
    RUN(malformed_files_are_refused_with_their_line);
    RUN(hostile_bytes_are_survived);
    RUN(trees_survive_the_way_through_a_file);
    RUN(given_spheres_grow_where_they_must);
    RUN(memory_may_be_out_while_reading);
    return check_finish();
}
