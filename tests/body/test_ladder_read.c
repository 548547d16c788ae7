/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ladders in files that somebody has been at: whatever number is wrong, the shape is refused with a reason. */

#include "bake/carrier_write.h"
#include "bake/ladder_fixture.h"
#include "embed/damage.h"

/* Three balls of 540, 160 and 20 tets. */
static ladder_shape good;

static void refuse(const char *chunk, size_t at, uint32_t value, const char *part) {
    check_refused(good.shape, &(damage){.chunk = chunk, PUT_INDEX(at, value)}, part);
}

static void refuse_float(const char *chunk, size_t at, float value, const char *part) {
    check_refused(good.shape, &(damage){.chunk = chunk, PUT_FLOAT(at, value)}, part);
}

static void absent_and_short_chunks_are_refused(void) {
    static const struct {
        const char *chunk, *said_of_short;
    } chunks[] = {{LT_CHUNK_LADDER_LEVELS, "the ladder's levels have"},
                  {LT_CHUNK_LADDER_ABOVE_TETS, LT_CHUNK_LADDER_ABOVE_TETS},
                  {LT_CHUNK_LADDER_ABOVE_WEIGHTS, LT_CHUNK_LADDER_ABOVE_WEIGHTS},
                  {LT_CHUNK_LADDER_PARENTS, LT_CHUNK_LADDER_PARENTS},
                  {LT_CHUNK_LADDER_BELOW_TETS, LT_CHUNK_LADDER_BELOW_TETS},
                  {LT_CHUNK_LADDER_BELOW_WEIGHTS, LT_CHUNK_LADDER_BELOW_WEIGHTS},
                  {LT_CHUNK_LADDER_CASCADE_BEGIN, LT_CHUNK_LADDER_CASCADE_BEGIN},
                  {LT_CHUNK_LADDER_CASCADE, "cascade neighbours"},
                  {LT_CHUNK_LADDER_PIECE_TETS, LT_CHUNK_LADDER_PIECE_VOLUMES},
                  {LT_CHUNK_LADDER_PIECE_VOLUMES, LT_CHUNK_LADDER_PIECE_VOLUMES}};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        check_refused(good.shape, &(damage){.chunk = chunks[i].chunk, .remove = true}, chunks[i].chunk);
        check_refused(good.shape, &(damage){.chunk = chunks[i].chunk, .rows_less = 1},
                      chunks[i].said_of_short);
    }
    check_refused(good.shape, &(damage){.chunk = LT_CHUNK_LADDER_LEVELS, .rows_less = 2}, "of 1 levels");
    check_refused(good.shape, &(damage){.chunk = LT_CHUNK_LADDER_LEVELS, .rows_less = 3}, "of 0 levels");
}

static void counts_that_do_not_match_are_refused(void) {
    const lt_ladder *l = good.ladder;
    uint32_t nodes = l->node_begin[1], tets = l->tet_begin[1];
    refuse(LT_CHUNK_LADDER_LEVELS, 0, nodes - 1, "the ladder's levels have");
    refuse(LT_CHUNK_LADDER_LEVELS, 0, nodes + 1, "level 2 of the ladder has");
    refuse(LT_CHUNK_LADDER_LEVELS, 1, tets - 1, "the ladder's levels have");
    refuse(LT_CHUNK_LADDER_LEVELS, 1, UINT32_MAX, "level 0 of the ladder has");
    refuse(LT_CHUNK_LADDER_LEVELS, 2, 0, "level 1 of the ladder has 0 nodes");
    refuse(LT_CHUNK_LADDER_LEVELS, 5, 0, "level 2 of the ladder has");
}

/* A level's tets must not hang on another's nodes. Two counts are changed at once, so that sums match. */
static void levels_that_share_nodes_are_refused(void) {
    const lt_ladder *l = good.ladder;
    lt_shape *first = damaged_copy(
        good.shape, &(damage){.chunk = LT_CHUNK_LADDER_LEVELS, PUT_INDEX(1, l->tet_begin[1] + 1)});
    damage second = {.chunk = LT_CHUNK_LADDER_LEVELS, PUT_INDEX(3, l->tet_begin[2] - l->tet_begin[1] - 1)};
    CHECK_FATAL(first);
    check_refused(first, &second, "level 0 of the ladder names nodes of another");
    lt_shape_release(first);
}

static void rows_that_lead_elsewhere_are_refused(void) {
    const lt_ladder *l = good.ladder;
    uint32_t last = l->node_begin[2] - 1;
    refuse(LT_CHUNK_LADDER_ABOVE_TETS, 0, 0, "is not of level 1");
    refuse(LT_CHUNK_LADDER_ABOVE_TETS, 3, l->tet_begin[2], "is not of level 1");
    refuse(LT_CHUNK_LADDER_ABOVE_TETS, last, l->tet_begin[1], "is not of level 2");
    refuse(LT_CHUNK_LADDER_ABOVE_TETS, last, l->tet_begin[3], "is not of level 2");
    refuse(LT_CHUNK_LADDER_BELOW_TETS, 0, l->tet_begin[1], "is not of level 0");
    refuse(LT_CHUNK_LADDER_BELOW_TETS, last - l->node_begin[1] + 1, 0, "is not of level 1");
    refuse(LT_CHUNK_LADDER_BELOW_TETS, 1, UINT32_MAX, "is not of level 0");
}

static void weights_that_are_none_are_refused(void) {
    static const float bad[] = {NAN, INFINITY, -INFINITY, 0.1234f, 3e38f};
    for (int i = 0; i < 5; i++) {
        refuse_float(LT_CHUNK_LADDER_ABOVE_WEIGHTS, 4 * 7 + 2, bad[i] + 3, "weights of row 7");
        refuse_float(LT_CHUNK_LADDER_BELOW_WEIGHTS, 4 * 5, bad[i] - 3, "weights of row 5");
    }
}

static void parents_that_are_no_corners_are_refused(void) {
    const lt_ladder *l = good.ladder;
    refuse(LT_CHUNK_LADDER_PARENTS, 4, 4, "the parent of node 4");
    refuse(LT_CHUNK_LADDER_PARENTS, 4, UINT32_MAX, "the parent of node 4");
    refuse(LT_CHUNK_LADDER_PARENTS, 0, l->node_begin[2], "the parent of node 0");
}

static void cascades_are_checked(void) {
    const lt_ladder *l = good.ladder;
    uint32_t begin = l->cascade_begin[5];
    const char *said = "cascade neighbours";
    refuse(LT_CHUNK_LADDER_CASCADE_BEGIN, 0, 1, said);
    refuse(LT_CHUNK_LADDER_CASCADE_BEGIN, 5, UINT32_MAX, said);
    refuse(LT_CHUNK_LADDER_CASCADE_BEGIN, 5, l->cascade_begin[6] + 1, said);
    refuse(LT_CHUNK_LADDER_CASCADE_BEGIN, l->node_begin[3], l->cascade_begin[l->node_begin[3]] - 1, said);
    refuse(LT_CHUNK_LADDER_CASCADE, begin, 5, said);
    refuse(LT_CHUNK_LADDER_CASCADE, begin, l->cascade[begin + 1], said);
    refuse(LT_CHUNK_LADDER_CASCADE, l->cascade_begin[6] - 1, l->node_begin[1], said);
    refuse(LT_CHUNK_LADDER_CASCADE, begin, UINT32_MAX, said);
}

/* Ascending and in range, but the other does not know of it. */
static void lonely_neighbours_are_refused(void) {
    const lt_ladder *l = good.ladder;
    uint32_t last = l->cascade_begin[6] - 1, stranger = l->node_begin[1] - 1;
    CHECK_FATAL(l->cascade[last] < stranger);
    refuse(LT_CHUNK_LADDER_CASCADE, last, stranger, "cascade neighbours");
}

static size_t place_of(uint32_t node, uint32_t neighbour) {
    uint32_t at = good.ladder->cascade_begin[node];
    while (good.ladder->cascade[at] != neighbour)
        at++;
    return at;
}

/* Two entries changed so that all are symmetric still. */
static void refuse_both(size_t first_at, uint32_t first, size_t second_at, uint32_t second) {
    lt_shape *half =
        damaged_copy(good.shape, &(damage){.chunk = LT_CHUNK_LADDER_CASCADE, PUT_INDEX(first_at, first)});
    CHECK_FATAL(half);
    check_refused(half, &(damage){.chunk = LT_CHUNK_LADDER_CASCADE, PUT_INDEX(second_at, second)},
                  "cascade neighbours");
    lt_shape_release(half);
}

/* Nodes 1 and 2 are neighbours: each becomes its own, which keeps the order. */
static void own_neighbours_are_refused(void) {
    const lt_ladder *l = good.ladder;
    size_t in_1 = place_of(1, 2), in_2 = place_of(2, 1);
    CHECK_FATAL(in_1 < l->cascade_begin[2] && in_2 < l->cascade_begin[3]);
    refuse_both(in_1, 1, in_2, 2);
}

/* Two nodes lose each other, and name the neighbour before twice. */
static void neighbours_named_twice_are_refused(void) {
    const lt_ladder *l = good.ladder;
    uint32_t node = 0, last;
    do
        last = l->cascade[l->cascade_begin[++node + 1] - 1];
    while (place_of(last, node) == l->cascade_begin[last]);
    size_t there = place_of(last, node), here = l->cascade_begin[node + 1] - 1;
    refuse_both(here, l->cascade[here - 1], there, l->cascade[there - 1]);
}

static void pieces_are_checked(void) {
    static const float bad[] = {0, -1e-3f, NAN, INFINITY};
    const lt_ladder *l = good.ladder;
    for (int i = 0; i < 4; i++)
        refuse_float(LT_CHUNK_LADDER_PIECE_VOLUMES, 9, bad[i], "piece 9 ");
    refuse(LT_CHUNK_LADDER_PIECE_TETS, 0, l->tet_begin[1], "piece 0 ");
    refuse(LT_CHUNK_LADDER_PIECE_TETS, 3 * 2 + 1, l->tet_begin[2], "piece 2 ");
    refuse(LT_CHUNK_LADDER_PIECE_TETS, 3 * 2 + 1, l->tet_begin[1] - 1, "piece 2 ");
    refuse(LT_CHUNK_LADDER_PIECE_TETS, 3 * (size_t)l->piece_count - 1, UINT32_MAX, "of the ladder must have");
}

/* One carrier of it, whose pattern is a beginning of the ladder's. */
static void the_finest_level_is_a_carrier(void) {
    lt_carrier finest, plain;
    CHECK_FATAL(lt_carrier_read_finest(&finest, good.shape, NULL) == LT_OK);
    lt_tet_mesh mesh = lt_carrier_mesh(&finest);
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape *shape = NULL;
    CHECK_FATAL(lt_carrier_write(&builder, &mesh, finest.fill, NULL, NULL) == LT_OK &&
                lt_shape_builder_finish(&builder, "finest", &shape, NULL) == LT_OK &&
                lt_carrier_read(&plain, shape, NULL) == LT_OK);
    CHECK(plain.node_count == finest.node_count && plain.tet_count == finest.tet_count);
    CHECK_COUNT(finest.ladder.level_count, 0);
    uint32_t columns = plain.pattern.row_begin[plain.node_count];
    CHECK(memcmp(plain.pattern.row_begin, finest.pattern.row_begin, 4 * (plain.node_count + 1ull)) == 0);
    CHECK(memcmp(plain.pattern.columns, finest.pattern.columns, 4 * (size_t)columns) == 0);
    CHECK(memcmp(plain.entries, finest.entries, 64 * (size_t)plain.tet_count) == 0);
    CHECK(finest.order && memcmp(plain.order, finest.order, 4 * (size_t)plain.node_count) == 0);
    lt_carrier again = lt_carrier_finest(&plain);
    CHECK(memcmp(&again, &plain, sizeof again) == 0);
    lt_shape_release(shape);
}

int main(void) {
    if (!bake_balls(&good, 3, 1.0, true)) return 1;
    RUN(absent_and_short_chunks_are_refused);
    RUN(counts_that_do_not_match_are_refused);
    RUN(levels_that_share_nodes_are_refused);
    RUN(rows_that_lead_elsewhere_are_refused);
    RUN(weights_that_are_none_are_refused);
    RUN(parents_that_are_no_corners_are_refused);
    RUN(cascades_are_checked);
    RUN(lonely_neighbours_are_refused);
    RUN(own_neighbours_are_refused);
    RUN(neighbours_named_twice_are_refused);
    RUN(pieces_are_checked);
    RUN(the_finest_level_is_a_carrier);
    lt_shape_release(good.shape);
    return check_finish();
}
