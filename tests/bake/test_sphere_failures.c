/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What may go wrong while a sphere tree is baked, and that the same input gives the same bits.
 * labels: golden */

#include "bake/rest_tree.h"
#include "bake/sphere_checks.h"
#include "core/hash.h"
#include "failing_allocator.h"
#include "scenes/generate.h"

static lt_surface small_torus(void) {
    lt_surface torus;
    if (lt_generate_torus(&torus, 1.0, 0.4, 5, NULL, NULL) != LT_OK) exit(1);
    return torus;
}

static void options_out_of_range_are_refused(void) {
    lt_surface torus = small_torus();
    for (int i = 0; i < 6; i++) {
        lt_sphere_options options = quick_options(i % 2 ? LT_SPHERES_OCTREE : LT_SPHERES_MEDIAL);
        lt_rest_tree tree;
        lt_error error = {0};
        static const char *const parts[] = {"children", "children", "levels", "grid", "points", "trials"};
        if (i == 0) options.branching = 1;
        if (i == 1) options.branching = 9;
        if (i == 2) options.depth = 6;
        if (i == 3) options.cells = 3;
        if (i == 4) options.samples = 3;
        if (i == 5) options.trials = 3000;
        CHECK(lt_sphere_tree_make(&tree, &torus, &options, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, parts[i]);
        CHECK(tree.spheres == NULL && tree.pieces == NULL);
    }
    lt_surface_free(&torus);
}

/* Zeros of both signs are the same number, and a tree's order of fields may change: numbers only. */
static uint64_t hash_of(const lt_rest_tree *tree) {
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        const lt_rest_sphere *s = &tree->spheres[i];
        double values[6] = {s->center.x, s->center.y, s->center.z, s->radius, s->error, s->own_error};
        uint32_t links[4] = {s->parent, s->first_child, s->child_count, s->level};
        hash = lt_hash_bytes(hash, values, sizeof values);
        hash = lt_hash_bytes(hash, links, sizeof links);
    }
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        hash = lt_hash_bytes(hash, tree->pieces[i].corners, sizeof(tree->pieces[i].corners));
        hash = lt_hash_bytes(hash, &tree->pieces[i].leaf, sizeof(uint32_t));
    }
    return hash;
}

static uint64_t hash_of_made(const lt_surface *surface, lt_sphere_method method, uint32_t seed) {
    lt_sphere_options options = quick_options(method);
    lt_rest_tree tree;
    options.seed = seed;
    options.trials = 1;
    options.branching = 3;
    options.depth = 1;
    CHECK(lt_sphere_tree_make(&tree, surface, &options, NULL) == LT_OK);
    uint64_t hash = hash_of(&tree);
    lt_rest_tree_free(&tree);
    return hash;
}

static void the_same_input_gives_the_same_bits(void) {
    lt_surface torus = small_torus();
    uint64_t first = hash_of_made(&torus, LT_SPHERES_MEDIAL, 1);
    CHECK(first == hash_of_made(&torus, LT_SPHERES_MEDIAL, 1));
    CHECK(first != hash_of_made(&torus, LT_SPHERES_MEDIAL, 2));
    check_golden("sphere-tree-medial", first);
    check_golden("sphere-tree-octree", hash_of_made(&torus, LT_SPHERES_OCTREE, 1));
    lt_surface_free(&torus);
}

static bool count_down(void *context, const char *stage, float share) {
    CHECK(stage[0] != 0 && share >= 0 && share <= 1);
    return --*(int *)context >= 0;
}

static void baking_can_be_cancelled_anywhere(void) {
    lt_surface torus = small_torus();
    for (int method = 0; method < 2; method++)
        for (int allowed = 0;; allowed += 1 + 2 * allowed) {
            lt_sphere_options options = quick_options((lt_sphere_method)method);
            options.effort = LT_EFFORT_QUICK;
            int left = allowed;
            failing f = failing_after(1 << 30);
            lt_rest_tree tree;
            options.depth = 1;
            options.branching = 2;
            options.progress = count_down;
            options.progress_context = &left;
            options.allocator = failing_allocator(&f);
            lt_status status = lt_sphere_tree_make(&tree, &torus, &options, NULL);
            CHECK(status == (left < 0 ? LT_STATUS_CANCELLED : LT_OK));
            if (status == LT_OK) lt_rest_tree_free(&tree);
            CHECK(f.blocks_out == 0 && f.bytes_out == 0);
            if (status == LT_OK) break;
            CHECK_FATAL(allowed < 10000);
        }
    lt_surface_free(&torus);
}

/* Every request fails once, up to where they repeat from sphere to sphere; then every few. */
static void memory_may_be_out_anywhere(void) {
    lt_surface torus = small_torus();
    for (int method = 0; method < 2; method++)
        for (int allowed = 0;; allowed += 1 + allowed / 2) {
            lt_sphere_options options = quick_options((lt_sphere_method)method);
            options.effort = LT_EFFORT_QUICK;
            failing f = failing_after(allowed);
            lt_rest_tree tree;
            options.depth = 1;
            options.branching = 2;
            options.cells = 8;
            options.samples = 64;
            options.allocator = failing_allocator(&f);
            lt_status status = lt_sphere_tree_make(&tree, &torus, &options, NULL);
            CHECK(status == LT_OK ||
                  (status == LT_STATUS_MEMORY && tree.spheres == NULL && tree.pieces == NULL));
            if (status == LT_OK) lt_rest_tree_free(&tree);
            CHECK(f.blocks_out == 0 && f.bytes_out == 0);
            if (status == LT_OK) break;
            CHECK_FATAL(allowed < 10000);
        }
    lt_surface_free(&torus);
}

/* No extent, no area, one point thrice, far away: a tree or an error, never a crash. */
static void degenerate_surfaces_are_survived(void) {
    for (int shape = 0; shape < 5; shape++)
        for (int method = 0; method < 2; method++) {
            lt_surface s;
            lt_rest_tree tree;
            lt_sphere_options options = quick_options((lt_sphere_method)method);
            options.effort = LT_EFFORT_QUICK;
            options.samples = 64;
            options.depth = 1;
            options.branching = 3;
            CHECK_FATAL(lt_surface_allocate(&s, 3, 1, NULL, NULL) == LT_OK);
            for (uint32_t k = 0; k < 3; k++)
                s.triangles[k] = shape == 4 ? 0 : k;
            if (shape == 1) s.positions[1].x = 1, s.positions[2].x = 2;
            if (shape == 2) s.positions[0] = s.positions[1] = s.positions[2] = (lt_vec3){1e6f, -3, 2};
            if (shape == 3)
                s.positions[0].x = 1e6f, s.positions[1].x = 1e6f + 0.5f, s.positions[2].x = 1e6f + 0.25f;
            if (lt_sphere_tree_make(&tree, &s, &options, NULL) == LT_OK) {
                check_structure(&tree);
                check_pieces(&tree, &s);
                lt_rest_tree_free(&tree);
            }
            CHECK(tree.spheres == NULL);
            lt_surface_free(&s);
        }
}

static void measures_count_what_is_uncovered(void) {
    lt_surface torus = small_torus();
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    lt_rest_tree tree;
    lt_sphere_measure measures[LT_SPHERE_LEVELS_MAX];
    CHECK_FATAL(lt_sphere_tree_make(&tree, &torus, &options, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_measure(measures, &tree, &torus, 500, 1, NULL) == LT_OK);
    for (uint32_t level = 0; level < tree.level_count; level++) {
        lt_sphere_level by_bound = lt_sphere_level_of(&tree, level);
        CHECK_COUNT(measures[level].uncovered_count, 0);
        CHECK_COUNT(measures[level].sphere_count, by_bound.sphere_count);
        CHECK(measures[level].mean_error <= by_bound.mean_error);
        CHECK(measures[level].worst_error <= by_bound.worst_error);
        CHECK(measures[level].mean_error > 0.5 * by_bound.mean_error);
    }
    tree.spheres[0].radius = 1; /* the torus reaches from 0.6 to 1.4 */
    CHECK_FATAL(lt_sphere_tree_measure(measures, &tree, &torus, 500, 1, NULL) == LT_OK);
    CHECK(measures[0].uncovered_count > 50 && measures[0].uncovered_count < 450);
    CHECK_COUNT(measures[1].uncovered_count, 0);
    lt_rest_tree_free(&tree);
    lt_surface_free(&torus);
}

int main(void) {
    RUN(options_out_of_range_are_refused);
    RUN(the_same_input_gives_the_same_bits);
    RUN(baking_can_be_cancelled_anywhere);
    RUN(memory_may_be_out_anywhere);
    RUN(degenerate_surfaces_are_survived);
    RUN(measures_count_what_is_uncovered);
    return check_finish();
}
