/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The tree of a shape against what it is made of, on shapes of all kinds: every tet and every sample once under the leaves, samples
 * where the surface is, all of its area, the same bits each time. */

#include "bound/bound.h"
#include "check.h"

#include "bound/shape_tree_fixture.h"
#include "failing_allocator.h"

enum { ROUNDS = 4, MOST_TETS = 4096, MOST_POINTS = 8192 };

static soft_fixture f;
static lt_shape_tree tree;

static void make_tree(void) {
    lt_error error = {0};
    if (lt_shape_tree_create(&tree, &f.carrier, &f.skin, NULL, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
}

static void for_all_shapes(void (*check)(lt_random *random)) {
    lt_random random = lt_random_seed(41);
    for (uint32_t i = 0; i < ROUNDS * SHAPE_KINDS; i++) {
        CHECK_FATAL(shape_fixture(&f, i % SHAPE_KINDS, &random));
        CHECK_FATAL(f.carrier.tet_count <= MOST_TETS && f.skin.point_count <= MOST_POINTS);
        make_tree();
        check(&random);
        lt_shape_tree_free(&tree);
        fixture_free(&f);
    }
}

/* ---- what is under leaves ---- */

static uint32_t solid_seen[MOST_TETS], skin_seen[MOST_POINTS];

static void see_leaves(uint32_t node, bool below_solid, bool below_skin) {
    const lt_shape_node *n = lt_shape_node_at(&tree, node);
    if (!below_solid && lt_is_solid_leaf(n)) {
        below_solid = true;
        CHECK(lt_shape_node_tets(n) <= LT_SOLID_LEAF || n->right == 0);
        for (uint32_t i = n->tet_begin; i < n->tet_end; i++) {
            solid_seen[tree.tets[i]]++;
            CHECK_COUNT(lt_shape_solid_leaf(&tree, tree.tets[i]), node);
        }
    }
    if (!below_skin && lt_is_skin_leaf(n)) {
        below_skin = true;
        for (uint32_t i = n->point_begin; i < n->point_end; i++) {
            skin_seen[tree.points[i]]++;
            CHECK_COUNT(lt_shape_skin_leaf(&tree, i), node);
        }
    }
    CHECK(n->right != 0 || (below_solid && below_skin));
    if (n->right == 0) return;
    see_leaves(node + 1, below_solid, below_skin);
    see_leaves(n->right, below_solid, below_skin);
}

static void check_leaves(lt_random *random) {
    (void)random;
    const char *flaw = lt_validate_shape_tree(&tree, &f.carrier);
    if (flaw) CHECK_FAIL_MESSAGE("%s", flaw);
    memset(solid_seen, 0, sizeof solid_seen);
    memset(skin_seen, 0, sizeof skin_seen);
    see_leaves(0, false, false);
    for (uint32_t i = 0; i < f.carrier.tet_count; i++)
        CHECK_COUNT(solid_seen[i], 1);
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        CHECK_COUNT(skin_seen[i], tree.point_places[i] != LT_NONE);
}

static void leaves_have_everything_once(void) {
    for_all_shapes(check_leaves);
}

/* ---- nodes ---- */

static uint32_t marks[MOST_TETS];

static uint32_t mark_used(uint32_t node) {
    CHECK(marks[node] != 0);
    uint32_t is_new = marks[node] == 1;
    marks[node] = 2;
    return is_new;
}

/* Governors of a node are the carrier's nodes of its tets, and of all points that these hold, each once: links hang on nodes that their
 * tet need not have. */
static void check_governors(const lt_shape_node *n) {
    memset(marks, 0, sizeof marks);
    uint32_t used = 0;
    for (uint32_t i = n->governor_begin; i < n->governor_end; i++) {
        CHECK(tree.governors[i] < f.carrier.node_count && marks[tree.governors[i]] == 0);
        marks[tree.governors[i]] = 1;
    }
    for (uint32_t i = 4 * n->tet_begin; i < 4 * n->tet_end; i++)
        used += mark_used(f.carrier.tets[4 * (size_t)tree.tets[i / 4] + i % 4]);
    for (uint32_t p = 0; p < f.skin.point_count; p++) {
        uint32_t place = tree.tet_places[f.skin.tets[p]];
        for (uint32_t k = 0; k < 4 && place >= n->tet_begin && place < n->tet_end; k++)
            used += mark_used(f.skin.ids[4 * (size_t)p + k]);
    }
    CHECK_COUNT(used, n->governor_end - n->governor_begin);
}

/* Points of a node are held by its tets; halves differ by one tet at most. */
static void check_nodes(lt_random *random) {
    (void)random;
    CHECK_FATAL(f.carrier.node_count <= MOST_TETS);
    for (uint32_t node = 0; node < tree.node_count; node++) {
        const lt_shape_node *n = lt_shape_node_at(&tree, node);
        check_governors(n);
        for (uint32_t i = n->point_begin; i < n->point_end; i++) {
            uint32_t place = tree.tet_places[f.skin.tets[tree.points[i]]];
            CHECK(place >= n->tet_begin && place < n->tet_end);
        }
        if (n->right == 0) continue;
        uint32_t a = lt_shape_node_tets(lt_shape_node_at(&tree, node + 1));
        uint32_t b = lt_shape_node_tets(lt_shape_node_at(&tree, n->right));
        CHECK(a + b == lt_shape_node_tets(n) && a <= b && b <= a + 1);
    }
}

static void nodes_have_what_is_theirs(void) {
    for_all_shapes(check_nodes);
}

/* ---- blocks ---- */

static uint32_t lanes_seen[2 * LT_BLOCK * MOST_POINTS];

/* No two samples have the same lane; blocks of leaves are those that are counted. */
static void check_blocks(lt_random *random) {
    (void)random;
    memset(lanes_seen, 0, sizeof lanes_seen);
    CHECK_FATAL(tree.skin_block_count <= 2 * MOST_POINTS);
    for (uint32_t i = 0; i < tree.point_count; i++) {
        const lt_shape_node *leaf = lt_shape_node_at(&tree, lt_shape_skin_leaf(&tree, i));
        uint32_t lane = lt_shape_lane(leaf, i);
        CHECK_FATAL(lane < LT_BLOCK * tree.skin_block_count);
        CHECK_COUNT(lanes_seen[lane]++, 0);
    }
    uint32_t blocks = 0, before = LT_NONE;
    for (uint32_t i = 0; i < tree.tet_count; i++) {
        uint32_t node = tree.solid_leaves[i];
        const lt_shape_node *leaf = lt_shape_node_at(&tree, node);
        if (node == before) continue;
        before = node;
        CHECK_COUNT(leaf->solid_block, blocks);
        blocks += lt_block_count(lt_shape_node_tets(leaf));
    }
    CHECK_COUNT(blocks, tree.solid_block_count);
}

static void blocks_are_of_one_leaf_each(void) {
    for_all_shapes(check_blocks);
}

/* ---- samples ---- */

static double distance_at_rest(uint32_t p, uint32_t q) {
    return (double)lt_v3_distance(f.skin.rest[p], f.skin.rest[q]);
}

/* Every point of a tet is as near to one of its samples as the farthest of so many can make it: no point that is no sample is farther from
 * all of them than they are from each other. */
static void check_spread(uint32_t tet) {
    uint32_t samples[LT_TET_SAMPLES], count = 0, held = 0;
    for (uint32_t i = 0; i < tree.point_count; i++)
        if (f.skin.tets[tree.points[i]] == tet && count < LT_TET_SAMPLES) samples[count++] = tree.points[i];
    double least = 1e30;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            least = lt_min_d(least, distance_at_rest(samples[i], samples[k]));
    for (uint32_t p = 0; p < f.skin.point_count; p++) {
        if (f.skin.tets[p] != tet) continue;
        double nearest = 1e30;
        held++;
        for (uint32_t i = 0; i < count; i++)
            nearest = lt_min_d(nearest, distance_at_rest(p, samples[i]));
        CHECK(nearest <= least * (1 + 1e-6));
    }
    CHECK_COUNT(count, lt_min_u32(held, LT_TET_SAMPLES));
}

static void check_samples(lt_random *random) {
    double whole = 0, sampled = 0;
    for (uint32_t i = 0; i < f.skin.point_count; i++)
        whole += (double)f.skin.areas[i];
    for (uint32_t i = 0; i < tree.point_count; i++) {
        sampled += (double)tree.areas[i];
        CHECK(tree.areas[i] >= f.skin.areas[tree.points[i]] * (1 - 1e-6f));
    }
    CHECK(whole > 0);
    CHECK_NEAR(sampled / whole, 1, 1e-5);
    for (uint32_t i = 0; i < lt_min_u32(8, f.carrier.tet_count); i++)
        check_spread(lt_random_below(random, f.carrier.tet_count));
}

static void samples_stand_for_the_whole_surface(void) {
    for_all_shapes(check_samples);
}

/* ---- the same bits, and memory ---- */

static void check_again(lt_random *random) {
    (void)random;
    lt_shape_tree first = tree;
    make_tree();
    CHECK(tree.node_count == first.node_count && tree.point_count == first.point_count &&
          tree.governor_count == first.governor_count);
    CHECK(memcmp(tree.nodes, first.nodes, tree.node_count * sizeof *tree.nodes) == 0);
    CHECK(memcmp(tree.tets, first.tets, tree.tet_count * sizeof *tree.tets) == 0);
    CHECK(memcmp(tree.points, first.points, tree.point_count * sizeof *tree.points) == 0);
    CHECK(memcmp(tree.areas, first.areas, tree.point_count * sizeof *tree.areas) == 0);
    CHECK(memcmp(tree.governors, first.governors, tree.governor_count * sizeof *tree.governors) == 0);
    lt_shape_tree_free(&first);
}

static void trees_are_the_same_each_time(void) {
    for_all_shapes(check_again);
}

static void memory_may_run_out(void) {
    lt_random random = lt_random_seed(5);
    CHECK_FATAL(shape_fixture(&f, 4, &random));
    bool made = false;
    for (int allowed = 0; !made && allowed < 100; allowed++) {
        failing memory = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&memory);
        lt_error error = {0};
        made = lt_shape_tree_create(&tree, &f.carrier, &f.skin, &allocator, &error) == LT_OK;
        CHECK(made || error.status == LT_STATUS_MEMORY);
        lt_shape_tree_free(&tree);
        CHECK_COUNT(memory.blocks_out, 0);
        CHECK_COUNT(memory.bytes_out, 0);
    }
    CHECK(made);
    fixture_free(&f);
}

/* ---- the validator ---- */

static void expect_flaw(uint32_t *word, uint32_t damage) {
    uint32_t kept = *word;
    *word = damage;
    CHECK(lt_validate_shape_tree(&tree, &f.carrier) != NULL);
    *word = kept;
    CHECK(lt_validate_shape_tree(&tree, &f.carrier) == NULL);
}

static void validators_find_damage(void) {
    lt_random random = lt_random_seed(6);
    CHECK_FATAL(shape_fixture(&f, 4, &random));
    make_tree();
    lt_shape_node *root = &tree.nodes[0];
    CHECK_FATAL(root->right != 0);
    expect_flaw(&root->right, 1);
    expect_flaw(&root->right, tree.node_count);
    expect_flaw(&root->tet_end, root->tet_end - 1);
    expect_flaw(&root->governor_end, tree.governor_count + 1);
    expect_flaw(&tree.nodes[1].tet_end, tree.nodes[1].tet_end + 1);
    expect_flaw(&tree.nodes[1].point_end, tree.nodes[1].point_end + 1);
    expect_flaw(&tree.nodes[1].end, tree.nodes[1].end - 1);
    expect_flaw(&tree.tets[3], tree.tets[4]);
    expect_flaw(&tree.points[3], tree.points[4]);
    lt_shape_tree_free(&tree);
    fixture_free(&f);
}

int main(void) {
    RUN(leaves_have_everything_once);
    RUN(nodes_have_what_is_theirs);
    RUN(blocks_are_of_one_leaf_each);
    RUN(samples_stand_for_the_whole_surface);
    RUN(trees_are_the_same_each_time);
    RUN(memory_may_run_out);
    RUN(validators_find_damage);
    return check_finish();
}
