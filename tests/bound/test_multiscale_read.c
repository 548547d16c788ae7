/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Multiscale trees in shapes: what is damaged is refused, or harmless. */

#include "bound/multiscale_chunks.h"

#include "check.h"
#include "detect/query.h"

#include "bake/ladder_tree_fixture.h"
#include "bake/shape_builder.h"
#include "bench/whole/whole.h"
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

static const uint32_t LADDER_CELLS[4] = {6, 4, 3, 2};

static void damaged_levels_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_ladder(&f, 3, LADDER_CELLS, 4, 0));
    const lt_multiscale_tree *t = &f.tree;
    CHECK_FATAL(t->level_width == 2 && t->level_group_count > 4);
    uint64_t listed = 0, groups = (uint64_t)t->above_count * t->level_width, bare = groups;
    while (t->level_groups[listed] == LT_NONE)
        listed++;
    for (uint64_t i = 0; i < groups; i++)
        if (t->level_groups[i] == LT_NONE) bare = i;
    CHECK_FATAL(bare < groups);
    uint32_t group = t->level_groups[listed];
    check_refused(&f, LT_CHUNK_MULTISCALE_FINEST, 0, UINT32_MAX);
    check_refused(&f, LT_CHUNK_MULTISCALE_FINEST, 0, t->group_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_FINEST, 1, t->record_count + 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_FINEST, 2, t->governor_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, listed, LT_NONE);
    check_refused(&f, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, listed, t->group_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, listed, t->group_count + t->level_group_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, bare, group); /* of another box */
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUP_NODES, group, t->group_nodes[group] - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_GROUPS, 2 * (uint64_t)group + 1,
                  t->groups[group].first); /* points */
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORD_GOVERNORS, t->record_count, t->governor_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORD_GOVERNORS, t->record_count, lt_multiscale_governor_total(t));
    check_refused(&f, LT_CHUNK_MULTISCALE_GOVERNORS, t->governor_count, f.carrier.tet_count - 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_RECORDS, LT_RECORD_NUMBERS * (uint64_t)t->record_count,
                  bits_of_float(NAN));
    check_refused(&f, LT_CHUNK_MULTISCALE_SAMPLE_BEGIN, 0, 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_SAMPLE_BEGIN, 1, t->sample_count + 1);
    check_refused(&f, LT_CHUNK_MULTISCALE_SAMPLES, 0, f.carrier.ladder.node_begin[1]);
    check_refused(&f, LT_CHUNK_MULTISCALE_SAMPLE_WEIGHTS, 2, bits_of_float(INFINITY));
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
    lt_multiscale_refit_whole(&m, NULL);
    for (uint32_t i = 0; i < m.levels.node_count; i++) /* as if all hung on coarse levels, some on others */
        m.levels.nodes[i] = (uint8_t)(1 + i % 7 / 6);
    m.levels.are_new = m.levels.node_count > 0;
    lt_multiscale_begin(&m, nodes, nodes, (lt_box){{0, 0, 0}, {1, 1, 1}});
    lt_multiscale_fit(&m);
    for (uint32_t node = 0; node < tree->node_count; node++)
        lt_multiscale_open(&m, node);
    for (uint32_t node = 0; node < tree->node_count; node++)
        CHECK(lt_multiscale_box_is_fresh(&m, node));
    lt_multiscale_free(&m);
    LT_DELETE(NULL, nodes, 4 * (size_t)f->carrier.node_count, float);
}

static bool is_of_the_tree(const char *name) {
    return strncmp(name, LT_CHUNK_MULTISCALE_PREFIX, strlen(LT_CHUNK_MULTISCALE_PREFIX)) == 0;
}

/* Any word of any chunk: refused, or harmless. */
static void damage_at_random(tree_fixture *f, int rounds) {
    lt_random random = lt_random_seed(3);
    uint32_t taken = 0, refused = 0;
    for (int round = 0; round < rounds; round++) {
        lt_shape_chunk chunk =
            lt_shape_chunk_at(f->shape, lt_random_below(&random, lt_shape_chunk_count(f->shape)));
        uint64_t count;
        uint32_t *words = chunk_words(f->shape, chunk.name, &count);
        if (count == 0 || !is_of_the_tree(chunk.name)) continue;
        uint32_t at = lt_random_below(&random, (uint32_t)count), before = words[at];
        words[at] = damaged_word(before, &random);
        lt_multiscale_tree tree;
        if (read_again(f, &tree, NULL) == LT_OK) {
            taken++;
            if (taken % 8 == 0) use_tree(f, &tree);
        } else {
            refused++;
        }
        words[at] = before;
    }
    CHECK(taken > 100 && refused > 100);
}

static void damage_is_never_dangerous(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 2, 2, 3));
    damage_at_random(&f, 4000);
    tree_fixture_free(&f);
    CHECK_FATAL(ball_in_ladder(&f, 2, LADDER_CELLS, 4, 3));
    damage_at_random(&f, 2000);
    tree_fixture_free(&f);
}

/* ---- trees that no halving makes ---- */

enum { CHAIN_MAX = 600 };

typedef struct chain {
    uint32_t nodes[2 * CHAIN_MAX][3], links[2 * CHAIN_MAX][3];
    uint32_t bunches[CHAIN_MAX + 1][4], groups[CHAIN_MAX + 1][2], group_nodes[CHAIN_MAX];
    uint32_t ids[3 * CHAIN_MAX][4], vertices[3 * CHAIN_MAX], triangles[CHAIN_MAX][3], zeros[CHAIN_MAX];
    float records[CHAIN_MAX][8], weights[3 * CHAIN_MAX][4];
    uint32_t node_count, bunch_count, group_count;
} chain;

static void begin_chain_bunch(chain *c, uint32_t node, uint32_t first_triangle, uint32_t below_count) {
    uint32_t bunch[4] = {node, below_count, 3 * first_triangle, 0};
    memcpy(c->bunches[c->bunch_count++], bunch, sizeof bunch);
}

/* One triangle to the first child, all others to the second, and so on: node 2i holds what is left from triangle i on. All
 * triangles hang on the first tet, whose record is at every box of more than a bunch. */
static void make_chain(chain *c, uint32_t count, const uint32_t *tet) {
    memset(c, 0, sizeof *c);
    c->node_count = 2 * count - 1;
    for (uint32_t i = 0; i < c->node_count; i++) {
        bool is_single = i % 2 == 1 || i == c->node_count - 1;
        uint32_t first = i % 2 ? (i - 1) / 2 : i / 2, left = is_single ? 1 : count - first;
        uint32_t node[3] = {is_single ? LT_NONE : i + 1, first, left};
        uint32_t link[3] = {i == 0 ? LT_NONE : (i - 1) / 2 * 2, LT_NONE, LT_NONE};
        bool in_last = count - first <= LT_BUNCH_TRIANGLES;
        if (left > LT_BUNCH_TRIANGLES) {
            link[1] = c->group_count;
            c->group_nodes[c->group_count] = i;
            c->groups[c->group_count][0] = c->group_count;
            c->groups[c->group_count][1] = c->group_count + 1;
            for (int k = 0; k < 4; k++)
                c->records[c->group_count][4 + k] = 1;
            c->group_count++;
        } else if (!in_last || left == LT_BUNCH_TRIANGLES) {
            link[2] = c->bunch_count;
            begin_chain_bunch(c, i, first, 2 * (left - 1));
        } else {
            link[2] = c->bunch_count - 1;
        }
        memcpy(c->nodes[i], node, sizeof node);
        memcpy(c->links[i], link, sizeof link);
    }
    c->groups[c->group_count][0] = c->groups[c->group_count][1] = c->group_count;
    begin_chain_bunch(c, 0, count, 0); /* the end */
    for (uint32_t i = 0; i < 3 * count; i++) {
        memcpy(c->ids[i], tet, 4 * sizeof *tet);
        c->weights[i][i % 3] = 1;
        c->vertices[i] = LT_NONE;
        c->triangles[i / 3][i % 3] = i;
    }
}

static lt_shape *chain_shape(const tree_fixture *f, const chain *c, uint32_t count) {
    const uint32_t header[LT_MULTISCALE_HEADER_SIZE] = {
        [LT_MULTISCALE_HEADER_CUT] = 1, [LT_MULTISCALE_HEADER_GOVERNORS_MAX] = 8};
    lt_shape_builder b = lt_shape_builder_begin(NULL);
    lt_shape *shape = NULL;
    lt_shape_builder_add_chunks(&b, f->shape, LT_CHUNK_MULTISCALE_PREFIX);
#define ADD(CHUNK, TYPE, items, ...)                                                                         \
    lt_shape_builder_add(&b, LT_CHUNK_MULTISCALE_##CHUNK, LT_SHAPE_TYPE_##TYPE, LT_SHAPE_DIMS(__VA_ARGS__),  \
                         items)
    ADD(HEADER, U32, header, LT_MULTISCALE_HEADER_SIZE);
    ADD(NODES, U32, c->nodes, c->node_count, 3);
    ADD(LINKS, U32, c->links, c->node_count, 3);
    ADD(ABOVE, U32, NULL, 0);
    ADD(GROUPS, U32, c->groups, c->group_count + 1, 2);
    ADD(GROUP_NODES, U32, c->group_nodes, c->group_count);
    ADD(RECORDS, F32, c->records, c->group_count, 8);
    ADD(RECORD_GOVERNORS, U32, c->zeros, c->group_count);
    ADD(GOVERNORS, U32, c->zeros, 1);
    ADD(BUNCHES, U32, c->bunches, c->bunch_count, 4);
    ADD(GUESTS, U32, NULL, 0);
    ADD(IDS, U32, c->ids, 3 * count, 4);
    ADD(WEIGHTS, F32, c->weights, 3 * count, 4);
    ADD(VERTICES, U32, c->vertices, 3 * count);
    ADD(TRIANGLES, U32, c->triangles, count, 3);
    ADD(TRIANGLE_TETS, U32, c->zeros, count);
    ADD(PARENTS, U32, c->zeros, count);
#undef ADD
    CHECK(lt_shape_builder_finish(&b, "chain", &shape, NULL) == LT_OK);
    return shape;
}

/* All boxes are the same, so that nothing is pruned: as full as stacks of pairs get. */
static void search_chain(const tree_fixture *f, const lt_multiscale_tree *tree) {
    lt_multiscale m;
    lt_feature_owners owners;
    lt_meeting meetings[1];
    float *nodes = LT_NEW(NULL, 4 * (size_t)f->carrier.node_count, float);
    CHECK_FATAL(lt_multiscale_create(&m, tree, &f->carrier, LT_BOUND_DUAL, LT_LEVEL_SCALAR, NULL, NULL) ==
                LT_OK);
    CHECK_FATAL(lt_feature_owners_create(&owners, tree->triangles, tree->triangle_count, tree->point_count,
                                         NULL, NULL) == LT_OK);
    lt_multiscale_begin(&m, nodes, NULL, (lt_box){{0, 0, 0}, {0, 0, 0}});
    lt_multiscale_fit(&m);
    lt_query q = {.a = &m,
                  .b = &m,
                  .owners_a = &owners,
                  .owners_b = &owners,
                  .may_meet = lt_ccd_may_meet_for(LT_LEVEL_SCALAR),
                  .meetings = meetings,
                  .capacity = 1};
    lt_query_begin(&q);
    lt_query_run(&q);
    CHECK(q.candidate_total == (uint64_t)tree->triangle_count * (tree->triangle_count - 1) / 2);
    lt_feature_owners_free(&owners);
    lt_multiscale_free(&m);
    LT_DELETE(NULL, nodes, 4 * (size_t)f->carrier.node_count, float);
}

static void deep_trees_are_refused(void) {
    static chain c;
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 1, 2, 0));
    const uint32_t counts[4] = {40, LT_MULTISCALE_DEPTH_MAX + 1, LT_MULTISCALE_DEPTH_MAX + 2, CHAIN_MAX};
    for (uint32_t i = 0; i < 4; i++) {
        lt_error error = {LT_OK, ""};
        lt_multiscale_tree tree;
        make_chain(&c, counts[i], f.carrier.tets);
        lt_shape *shape = chain_shape(&f, &c, counts[i]);
        lt_status status = lt_multiscale_tree_read(&tree, shape, &f.carrier, &f.skin, &error);
        CHECK(status == (i < 2 ? LT_OK : LT_STATUS_INVALID) && (status == LT_OK) == (error.message[0] == 0));
        if (status == LT_OK) search_chain(&f, &tree);
        lt_shape_release(shape);
    }
    tree_fixture_free(&f);
}

/* A triangle in a tet that governs nothing has no marks. */
static void tets_without_records_are_refused(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 2, 3, 0));
    uint32_t other = 0, at = 0;
    while (at < f.tree.governor_count) /* some tet that is no governor */
        if (f.tree.governors[at++] == other) other++, at = 0;
    CHECK_FATAL(other < f.carrier.tet_count);
    check_refused(&f, LT_CHUNK_MULTISCALE_TRIANGLE_TETS, 0, other);
    check_refused(&f, LT_CHUNK_MULTISCALE_TRIANGLE_TETS, 0, LT_NONE); /* it is not counted */
    check_refused(&f, LT_CHUNK_MULTISCALE_HEADER, LT_MULTISCALE_HEADER_SPANNING, 1);
    tree_fixture_free(&f);
}

int main(void) {
    RUN(damaged_trees_are_refused);
    RUN(damaged_bunches_are_refused);
    RUN(damaged_cuts_are_refused);
    RUN(damaged_numbers_are_refused);
    RUN(damaged_levels_are_refused);
    RUN(deep_trees_are_refused);
    RUN(tets_without_records_are_refused);
    RUN(damage_is_never_dangerous);
    return check_finish();
}
