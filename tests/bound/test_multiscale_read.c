/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Multiscale trees in shapes: what is damaged is refused, or harmless. */

#include "bound/multiscale_chunks.h"

#include "check.h"

#include "bake/tree_fixture.h"
#include "bound/damage.h"

static lt_status read_again(const tree_fixture *f, lt_multiscale_tree *tree, lt_error *error) {
    return lt_multiscale_tree_read(tree, f->shape, &f->carrier, &f->skin, error);
}

static void check_refused(tree_fixture *f, const char *name, uint64_t at, uint32_t value) {
    uint64_t count;
    lt_error error = {LT_OK, ""};
    lt_multiscale_tree tree;
    uint32_t *words = chunk_words(f->shape, name, &count);
    CHECK_FATAL(words && at < count);
    uint32_t before = words[at];
    words[at] = value;
    if (read_again(f, &tree, &error) == LT_OK)
        CHECK_FAIL_MESSAGE("%s[%u] = %u is taken", name, (unsigned)at, value);
    CHECK(error.status == LT_STATUS_INVALID && strlen(error.message) > 20 && !tree.nodes);
    words[at] = before;
    CHECK(read_again(f, &tree, &error) == LT_OK);
}

static void damaged_trees_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 3, 3, 0));
    const lt_multiscale_tree *t = &f.tree;
    uint32_t deep = t->group_nodes[t->cut_count], bunch_node = t->bunches[1].node;
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 0, 0);       /* its own child */
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 0, LT_NONE); /* a leaf of all triangles */
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 0, t->node_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 0, t->nodes[1].child); /* children of two */
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 2, t->triangle_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 4, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_NODES, 5, 0);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 0, 0);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3 * (uint64_t)t->node_count - 3, t->node_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3 * (uint64_t)deep + 1, LT_NONE); /* cannot be fitted */
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3 * (uint64_t)deep + 1, t->group_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3 * (uint64_t)bunch_node + 2, t->bunch_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_LINKS, 3 * (uint64_t)bunch_node + 2, 0);
    tree_fixture_free(&f);
}

static void damaged_bunches_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 3, 3, 0));
    const lt_multiscale_tree *t = &f.tree;
    uint64_t last = 4 * (uint64_t)t->bunch_count;
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 0, t->node_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 0, t->bunches[1].node);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 1, t->bunches[0].below_count + 2);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 1, 0);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 2, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 3, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 6, UINT32_MAX);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, 6, t->bunches[1].first_point - 1); /* a point unlisted */
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, last + 2, t->point_count + 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_BUNCHES, last + 3, t->guest_count - 1);
    CHECK_FATAL(t->guest_count > 0);
    check_refused(&f, LT_CHUNK_MULTISCALE_GUESTS, 0, t->point_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_GUESTS, 0, t->point_count - 1); /* the guest is missed */
    tree_fixture_free(&f);
}

static void damaged_cuts_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 3, 3, 0));
    const lt_multiscale_tree *t = &f.tree;
    CHECK_FATAL(t->above_count > 2 && t->cut_count > 2);
    check_refused(&f, LT_CHUNK_MULTISCALE_HEADER, LT_MULTISCALE_HEADER_CUT, t->cut_count + 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_HEADER, LT_MULTISCALE_HEADER_CUT, 0);
    check_refused(&f, LT_CHUNK_MULTISCALE_HEADER, LT_MULTISCALE_HEADER_CUT, UINT32_MAX);
    check_refused(&f, LT_CHUNK_MULTISCALE_ABOVE, 0, t->node_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_ABOVE, 0, t->above[1]);
    check_refused(&f, LT_CHUNK_MULTISCALE_ABOVE, 0, t->group_nodes[t->cut_count - 1]);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUP_NODES, 0, t->node_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUP_NODES, 0, t->group_nodes[1]);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUPS, 0, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUPS, 1, UINT32_MAX);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUPS, 2, 0); /* without records */
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUPS, 2 * (uint64_t)t->group_count, t->record_count + 1);
    tree_fixture_free(&f);
}

static void damaged_numbers_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 2, 2, 0));
    const lt_multiscale_tree *t = &f.tree;
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORDS, 5, bits_of_float(NAN));
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORDS, 7, bits_of_float(1e30f));
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORD_GOVERNORS, 1, t->governor_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_GOVERNORS, 0, f.carrier.tet_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_IDS, 3, f.carrier.node_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_WEIGHTS, 3, bits_of_float(INFINITY));
    check_refused(&f, LT_CHUNK_MULTISCALE_WEIGHTS, 3, bits_of_float(0.9f + t->weights[3]));
    check_refused(&f, LT_CHUNK_MULTISCALE_VERTICES, 0, f.skin.point_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_TRIANGLES, 0, t->point_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_TRIANGLE_TETS, 0, f.carrier.tet_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_PARENTS, 0, f.skin.triangle_count);
    tree_fixture_free(&f);
}

/* All that can be done with a tree. */
static void use_tree(const tree_fixture *f, const lt_multiscale_tree *tree) {
    lt_multiscale m;
    float *nodes = LT_NEW(NULL, 4 * (size_t)f->carrier.node_count, float);
    CHECK_FATAL(lt_multiscale_create(&m, tree, &f->carrier, LT_BOUND_DUAL, LT_LEVEL_SCALAR, NULL, NULL) ==
                LT_OK);
    lt_multiscale_begin(&m, nodes, nodes, (lt_box){{0, 0, 0}, {1, 1, 1}});
    lt_multiscale_fit(&m);
    for (uint32_t node = 0; node < tree->node_count; node++)
        lt_multiscale_open(&m, node);
    for (uint32_t node = 0; node < tree->node_count; node++)
        CHECK(lt_multiscale_box_is_fresh(&m, node));
    lt_multiscale_begin(&m, nodes, NULL, (lt_box){{0, 0, 0}, {1, 1, 1}});
    lt_multiscale_refit_whole(&m);
    lt_multiscale_free(&m);
    LT_DELETE(NULL, nodes, 4 * (size_t)f->carrier.node_count, float);
}

static bool is_of_the_tree(const char *name) {
    return strncmp(name, LT_CHUNK_MULTISCALE_PREFIX, strlen(LT_CHUNK_MULTISCALE_PREFIX)) == 0;
}

/* Any word of any chunk: refused, or harmless. */
static void damage_is_never_dangerous(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 2, 2, 3));
    lt_random random = lt_random_seed(3);
    uint32_t taken = 0, refused = 0;
    for (int round = 0; round < 4000; round++) {
        lt_shape_chunk chunk =
            lt_shape_chunk_at(f.shape, lt_random_below(&random, lt_shape_chunk_count(f.shape)));
        uint64_t count;
        uint32_t *words = chunk_words(f.shape, chunk.name, &count);
        if (count == 0 || !is_of_the_tree(chunk.name)) continue;
        uint32_t at = lt_random_below(&random, (uint32_t)count), before = words[at];
        words[at] = damaged_word(before, &random);
        lt_multiscale_tree tree;
        if (read_again(&f, &tree, NULL) == LT_OK) {
            taken++;
            if (taken % 8 == 0) use_tree(&f, &tree);
        } else {
            refused++;
        }
        words[at] = before;
    }
    CHECK(taken > 100 && refused > 100);
    tree_fixture_free(&f);
}

int main(void) {
    RUN(damaged_trees_are_refused);
    RUN(damaged_bunches_are_refused);
    RUN(damaged_cuts_are_refused);
    RUN(damaged_numbers_are_refused);
    RUN(damage_is_never_dangerous);
    return check_finish();
}
