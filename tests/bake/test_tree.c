/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Halving trees: ranges that are halved, owners that stay together, the axis of the widest spread. */

#include "bake/tree.h"

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"

enum { PLACES_MAX = 500 };

typedef struct cloud {
    lt_dvec3 places[PLACES_MAX];
    uint32_t owners[PLACES_MAX];
    lt_halving_def def;
} cloud;

static void make_cloud(cloud *c, lt_random *random, uint32_t count, uint32_t owner_count, uint32_t leaf_size,
                       double spread) {
    for (uint32_t i = 0; i < count; i++) {
        double x = spread * (double)lt_random_unit(random), y = spread * (double)lt_random_unit(random);
        c->places[i] = (lt_dvec3){x, y, spread * (double)lt_random_unit(random)};
        c->owners[i] = lt_random_below(random, owner_count);
    }
    c->def = (lt_halving_def){c->places, c->owners, count, owner_count, leaf_size};
}

static uint32_t count_owners(const cloud *c, const lt_halving_tree *tree, const lt_halving *node) {
    uint8_t seen[PLACES_MAX] = {0};
    uint32_t count = 0;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        uint32_t owner = c->owners[tree->order[i]];
        count += !seen[owner];
        seen[owner] = 1;
    }
    return count;
}

/* Nodes split their parents' ranges in halves: of owners while there are several, then of places. */
static void check_node(const cloud *c, const lt_halving_tree *tree, uint32_t i) {
    const lt_halving *node = &tree->nodes[i];
    if (node->child == LT_NONE) {
        CHECK(node->count >= 1 && node->count <= c->def.leaf_size);
        return;
    }
    CHECK_FATAL(node->child > i && node->child + 1 < tree->node_count);
    CHECK(node->count > c->def.leaf_size);
    const lt_halving *a = &tree->nodes[node->child], *b = a + 1;
    CHECK(a->parent == i && b->parent == i && a->first == node->first);
    CHECK(b->first == a->first + a->count && a->count + b->count == node->count && a->count && b->count);
    uint32_t owners = count_owners(c, tree, node), in_a = count_owners(c, tree, a),
             in_b = count_owners(c, tree, b);
    if (owners > 1) {
        CHECK_COUNT(in_a, owners / 2);
        CHECK_COUNT(in_a + in_b, owners); /* none is in both */
    } else {
        CHECK_COUNT(a->count % c->def.leaf_size, 0); /* full leaves */
        CHECK(a->count + c->def.leaf_size >= b->count && b->count + c->def.leaf_size > a->count);
    }
}

static void check_tree(const cloud *c) {
    lt_halving_tree tree;
    CHECK_FATAL(lt_halving_tree_build(&tree, &c->def, NULL, NULL) == LT_OK);
    uint8_t seen[PLACES_MAX] = {0};
    for (uint32_t i = 0; i < c->def.place_count; i++)
        seen[tree.order[i]]++;
    for (uint32_t i = 0; i < c->def.place_count; i++)
        CHECK_COUNT(seen[i], 1);
    CHECK(tree.nodes[0].parent == LT_NONE && tree.nodes[0].first == 0);
    CHECK_COUNT(tree.nodes[0].count, c->def.place_count);
    for (uint32_t i = 0; i < tree.node_count; i++)
        check_node(c, &tree, i);
    lt_halving_tree_free(&tree);
    lt_halving_tree_free(&tree);
}

static void every_node_is_halved(void) {
    lt_random random = lt_random_seed(1);
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 32, 33, 100, PLACES_MAX};
    for (size_t i = 0; i < LT_COUNT_OF(counts); i++)
        for (uint32_t owners = 1; owners <= 256; owners *= 4)
            for (uint32_t leaf = 1; leaf <= 4; leaf += 3) {
                cloud c;
                make_cloud(&c, &random, counts[i], owners, leaf, 1);
                check_tree(&c);
            }
}

static void places_may_coincide(void) {
    lt_random random = lt_random_seed(2);
    cloud c;
    make_cloud(&c, &random, PLACES_MAX, 20, 4, 0);
    check_tree(&c);
    make_cloud(&c, &random, PLACES_MAX, 20, 4, 1e-30);
    check_tree(&c);
}

/* A rod along a diagonal: what is below in the first half is below all of the other along the rod. */
static void the_longest_axis_is_halved(void) {
    lt_random random = lt_random_seed(3);
    cloud c;
    make_cloud(&c, &random, PLACES_MAX, 1, 4, 0.1);
    lt_dvec3 along = lt_d3_normalize_or((lt_dvec3){1, -2, 0.5}, (lt_dvec3){0, 0, 0});
    for (uint32_t i = 0; i < PLACES_MAX; i++)
        c.places[i] = lt_d3_mad(c.places[i], along, 0.01 * ((i * 37) % PLACES_MAX));
    lt_halving_tree tree;
    CHECK_FATAL(lt_halving_tree_build(&tree, &c.def, NULL, NULL) == LT_OK);
    double ends[2][2] = {{1e30, -1e30}, {1e30, -1e30}};
    for (int half = 0; half < 2; half++) {
        const lt_halving *node = &tree.nodes[tree.nodes[0].child + (uint32_t)half];
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            double at = lt_d3_dot(c.places[tree.order[i]], along);
            ends[half][0] = lt_min_d(ends[half][0], at);
            ends[half][1] = lt_max_d(ends[half][1], at);
        }
    }
    double overlap = lt_min_d(ends[0][1] - ends[1][0], ends[1][1] - ends[0][0]);
    CHECK(overlap < 0.2); /* of a length of 5 and a width of 0.1 */
    lt_halving_tree_free(&tree);
}

static void memory_may_run_out_anywhere(void) {
    lt_random random = lt_random_seed(4);
    cloud c;
    make_cloud(&c, &random, 50, 7, 4, 1);
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 30; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_error error = {LT_OK, ""};
        lt_halving_tree tree;
        status = lt_halving_tree_build(&tree, &c.def, &allocator, &error);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && error.message[0] && !tree.nodes));
        lt_halving_tree_free(&tree);
        CHECK_COUNT(out.blocks_out, 0);
        CHECK_COUNT(out.bytes_out, 0);
    }
    CHECK(status == LT_OK);
}

int main(void) {
    RUN(every_node_is_halved);
    RUN(places_may_coincide);
    RUN(the_longest_axis_is_halved);
    RUN(memory_may_run_out_anywhere);
    return check_finish();
}
