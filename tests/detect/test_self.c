/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Marks of tets: everything that overlaps at some time of a step is marked, bodies that turn as a whole mark
 * nothing, pieces of any size give the same marks.
 *
 * labels: heavy */

#include "detect/self_internal.h"

#include "check.h"

#include "bake/ladder_tree_fixture.h"
#include "bench/whole/whole.h"
#include "detect/deformed.h"
#include "failing_allocator.h"
#include "mesh/exact_tets.h"

typedef struct marked {
    tree_fixture f;
    lt_self_tets tets;
    lt_self self;
    float *from, *to;
} marked;

static bool marked_make(marked *m, const lt_self_def *def) {
    memset(&m->tets, 0, sizeof *m - offsetof(marked, tets));
    m->from = LT_NEW(NULL, 4 * (size_t)m->f.carrier.node_count, float);
    m->to = LT_NEW(NULL, 4 * (size_t)m->f.carrier.node_count, float);
    return lt_self_tets_create(&m->tets, &m->f.tree, &m->f.carrier, NULL, NULL) == LT_OK &&
           lt_self_create(&m->self, &m->tets, def, NULL, NULL) == LT_OK;
}

static void marked_free(marked *m) {
    LT_DELETE(NULL, m->from, 4 * (size_t)m->f.carrier.node_count, float);
    LT_DELETE(NULL, m->to, 4 * (size_t)m->f.carrier.node_count, float);
    lt_self_free(&m->self);
    lt_self_tets_free(&m->tets);
    tree_fixture_free(&m->f);
}

/* ---- planes ---- */

static void random_tet(lt_dvec3 out[4], lt_dvec3 at, lt_random *random) {
    for (int k = 0; k < 4; k++) {
        out[k] = at;
        for (int axis = 0; axis < 3; axis++)
            (&out[k].x)[axis] += (double)lt_random_range(random, -1, 1);
    }
}

/* What all corners of a have above all of b along a direction. */
static double gap_along(const lt_dvec3 a[4], const lt_dvec3 b[4], lt_dvec3 n) {
    double low = 1e300, high = -1e300;
    for (int k = 0; k < 4; k++) {
        low = lt_min_d(low, lt_d3_dot(a[k], n));
        high = lt_max_d(high, lt_d3_dot(b[k], n));
    }
    return low - high;
}

/* A quick plane between two tets is a plane, and there is one nearly wherever all sixteen differences of their corners give one with
 * any effort; also far from the origin. What overlaps has none. */
static void two_tets_part_as_their_differences_do(void) {
    const lt_hull_effort efforts[2] = {LT_EFFORT_FIRST, LT_EFFORT_SECOND};
    lt_random random = lt_random_seed(21);
    uint32_t apart = 0, inside = 0, missed[2] = {0, 0};
    for (int round = 0; round < 1600; round++) {
        lt_dvec3 a[4], b[4], at = {round % 2 ? 100.0 : 0, 0, 0};
        lt_hull_gap gap, best;
        random_tet(a, at, &random);
        random_tet(b, lt_d3_add(at, (lt_dvec3){(double)lt_random_range(&random, 0, 2), 0, 0}), &random);
        bool is_apart = lt_tet_pair_gap(&best, a, b, 0, LT_EFFORT_AT_REST) && best.margin > 0.05;
        apart += is_apart;
        inside += exact_tet_tet(a, b);
        for (int i = 0; i < 2; i++) {
            bool found = lt_tet_pair_gap(&gap, a, b, 0, efforts[i]);
            missed[i] += is_apart && !(found && gap.margin >= (efforts[i].quality - 0.01) * best.margin);
            if (!found) continue;
            double sums[2] = {0, 0};
            for (int k = 0; k < 8; k++)
                sums[k / 4] += gap.weights[k];
            CHECK(gap.margin > 0 && !exact_tet_tet(a, b));
            CHECK_NEAR(gap_along(a, b, gap.direction), gap.margin, 1e-10);
            CHECK_NEAR(sums[0], 1.0, 1e-12);
            CHECK_NEAR(sums[1], 1.0, 1e-12);
        }
    }
    CHECK(apart > 200 && inside > 200);
    CHECK(missed[0] < apart / 50 && missed[1] < apart / 50);
}

/* ---- an oracle ---- */

static void corners_at(const marked *m, uint32_t tet, double time, lt_dvec3 out[4]) {
    for (int k = 0; k < 4; k++) {
        const size_t at = 4 * (size_t)m->tets.nodes[4 * (size_t)tet + (size_t)k];
        for (int axis = 0; axis < 3; axis++)
            (&out[k].x)[axis] =
                (1 - time) * (double)m->from[at + (size_t)axis] + time * (double)m->to[at + (size_t)axis];
    }
}

static lt_dvec3 toward(lt_dvec3 from, lt_dvec3 to) {
    return lt_d3_mad(from, lt_d3_sub(to, from), 1e-4);
}

static double volume_of(const lt_dvec3 c[4]) {
    return lt_d3_dot(lt_d3_cross(lt_d3_sub(c[1], c[0]), lt_d3_sub(c[2], c[0])), lt_d3_sub(c[3], c[0]));
}

/* Whether two tets overlap in more than they share. Near what they share they are cones and wedges. */
static bool overlap_at(const marked *m, uint32_t a, uint32_t b, double time) {
    lt_dvec3 ca[4], cb[4], shared[4], rest[4];
    uint32_t shared_count = 0, rest_count = 0;
    corners_at(m, a, time, ca);
    corners_at(m, b, time, cb);
    const uint32_t *na = m->tets.nodes + 4 * (size_t)a, *nb = m->tets.nodes + 4 * (size_t)b;
    lt_dvec3 other = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        bool found = false;
        for (int k = 0; k < 4; k++)
            found |= na[i] == nb[k];
        if (found)
            shared[shared_count++] = ca[i];
        else
            rest[rest_count++] = ca[i];
    }
    for (int k = 0; k < 4; k++) {
        bool found = false;
        for (int i = 0; i < 4; i++)
            found |= na[i] == nb[k];
        if (!found) other = cb[k];
    }
    if (shared_count == 0) return exact_tet_tet(ca, cb);
    lt_dvec3 middle = shared_count == 2 ? lt_d3_scale(lt_d3_add(shared[0], shared[1]), 0.5) : shared[0];
    if (shared_count == 3) {
        lt_dvec3 one[4] = {shared[0], shared[1], shared[2], rest[0]};
        lt_dvec3 two[4] = {shared[0], shared[1], shared[2], other};
        return volume_of(one) * volume_of(two) > 0;
    }
    lt_dvec3 t[3];
    for (uint32_t k = 0; k < 3; k++)
        t[k] = toward(middle, rest[lt_min_u32(k, rest_count - 1)]);
    return lt_exact_triangle_tet(t, cb);
}

static lt_box box_of_way(const marked *m, uint32_t tet) {
    lt_box box = lt_box_empty();
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 4; k++) {
            const float *x = (end ? m->to : m->from) + 4 * (size_t)m->tets.nodes[4 * (size_t)tet + k];
            box = lt_box_add_point(box, (lt_vec3){x[0], x[1], x[2]});
        }
    return box;
}

/* How many pairs overlap at one of some times and are not marked. */
static uint32_t count_missed(const marked *m, uint32_t *overlapping) {
    uint32_t missed = 0;
    lt_box *ways = LT_NEW(NULL, m->tets.tet_count, lt_box);
    for (uint32_t a = 0; a < m->tets.tet_count; a++)
        ways[a] = box_of_way(m, a);
    for (uint32_t a = 0; a < m->tets.tet_count; a++)
        for (uint32_t b = a; b < m->tets.tet_count; b++) {
            bool overlaps = false;
            if (!lt_box_overlap(ways[a], ways[b])) continue;
            for (int i = 0; i <= 4 && !overlaps; i++) {
                lt_dvec3 rest[4], now[4];
                corners_at(m, a, 0.25 * i, now);
                for (int k = 0; k < 4; k++)
                    rest[k] = ((const lt_dvec3 *)m->f.carrier.rest)[m->tets.nodes[4 * a + (uint32_t)k]];
                overlaps = a == b ? volume_of(rest) * volume_of(now) < 0 && i > 0 && i < 4
                                  : overlap_at(m, a, b, 0.25 * i);
            }
            if (a == b && overlaps) { /* inside out all the time is no matter to what is in it */
                lt_dvec3 first[4], last[4];
                corners_at(m, a, 0, first);
                corners_at(m, a, 1, last);
                overlaps = volume_of(first) > 0 || volume_of(last) > 0;
            }
            *overlapping += overlaps;
            missed += overlaps && !lt_self_rows_meet(&m->self, a, b);
        }
    LT_DELETE(NULL, ways, m->tets.tet_count, lt_box);
    return missed;
}

static bool make_block(marked *m, uint32_t kind) {
    lt_surface surface;
    bool made = kind == 1 ? make_open_and_double(&surface) : make_ball(&surface, 2, kind == 2 ? 0.55 : 0.4);
    made = made && tree_fixture_of(&m->f, shape_in_block(&surface, 3), 0);
    lt_surface_free(&surface);
    return made;
}

static const uint32_t CELLS[3] = {9, 4, 2};

/* A ball on a ladder, whose tets are in groups. */
static bool make_grouped(marked *m) {
    if (!ball_in_ladder(&m->f, 2, CELLS, 3, 0)) return false;
    memset(&m->tets, 0, sizeof *m - offsetof(marked, tets));
    lt_carrier finest = lt_carrier_finest(&m->f.carrier);
    m->from = LT_NEW(NULL, 4 * (size_t)m->f.carrier.node_count, float);
    m->to = LT_NEW(NULL, 4 * (size_t)m->f.carrier.node_count, float);
    return lt_self_tets_create(&m->tets, &m->f.tree, &finest, NULL, NULL) == LT_OK &&
           lt_self_groups_create(&m->tets, NULL) == LT_OK &&
           lt_self_create(&m->self, &m->tets, NULL, NULL, NULL) == LT_OK;
}

static bool is_near_at_rest(const lt_self_tets *t, uint32_t a, uint32_t b) {
    return t->near_bits[(size_t)t->near_stride * a + b / 64] >> (b % 64) & 1;
}

/* Of pairs that are far at rest, exactly those whose boxes overlap are looked at, each once, whatever blocks they are in. */
static void check_far_pairs(marked *m, int rounds) {
    lt_random random = lt_random_seed(11);
    uint32_t total = 0;
    for (int round = 0; round < rounds; round++) {
        uint32_t expected = 0;
        deform_nodes(m->from, m->to, &m->f.carrier, round % MOTION_COUNT, 0.1 * round, &random);
        lt_self_begin(&m->self, m->from, m->to, round % 3 ? 0 : 0.02f, 1e-6f);
        while (m->self.phase < LT_SELF_BLOCKS)
            lt_self_step(&m->self, lt_self_cost(&m->self));
        uint32_t before = m->self.plane_count;
        for (uint32_t a = 0; a < m->tets.tet_count; a++)
            for (uint32_t b = a + 1; b < m->tets.tet_count; b++)
                expected +=
                    !is_near_at_rest(&m->tets, a, b) && lt_box_overlap(m->self.boxes[a], m->self.boxes[b]);
        lt_self_mark(&m->self);
        CHECK_COUNT(m->self.plane_count - before, expected);
        total += expected;
    }
    CHECK(total > 1000);
    marked_free(m);
}

static void far_pairs_are_those_whose_boxes_overlap(void) {
    marked m;
    CHECK_FATAL(make_block(&m, 2) && marked_make(&m, NULL));
    CHECK(m.tets.tet_count % LT_SELF_BLOCK != 0 && m.tets.block_count > LT_SELF_BLOCK);
    check_far_pairs(&m, 12);
    CHECK_FATAL(make_grouped(&m));
    CHECK(m.tets.block_count > LT_SELF_BLOCK * LT_SELF_BLOCK);
    check_far_pairs(&m, 6);
}

static void what_overlaps_is_marked(void) {
    lt_random random = lt_random_seed(1);
    marked m;
    CHECK_FATAL(make_block(&m, 0) && marked_make(&m, NULL));
    uint32_t overlapping[MOTION_COUNT] = {0}, missed = 0, marks = 0, pairs = 0;
    for (uint32_t round = 0; round < rounds_of(12); round++) {
        motion_kind kind = (motion_kind)(round % MOTION_COUNT);
        deform_nodes(m.from, m.to, &m.f.carrier, kind, 1, &random);
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        lt_self_mark(&m.self);
        missed += count_missed(&m, &overlapping[kind]);
        marks += m.self.marked_count;
        pairs += m.tets.tet_count * (m.tets.tet_count + 1) / 2;
    }
    CHECK_COUNT(missed, 0);
    for (int kind = 0; kind < MOTION_COUNT; kind++)
        if (overlapping[kind] == 0) CHECK_FAIL_MESSAGE("nothing overlaps in motions of kind %d", kind);
    CHECK(marks < pairs / 4);
    marked_free(&m);
}

static void turning_marks_nothing(void) {
    static const double angles[] = {0, 0.1, 0.5, 1.2};
    lt_random random = lt_random_seed(2);
    marked m;
    CHECK_FATAL(make_block(&m, 0) && marked_make(&m, NULL));
    for (uint32_t round = 0; round < 16; round++) {
        affine first = random_rigid(&random, 10);
        lt_dmat3 turn = rotation_about(random_d3(&random, 1), angles[round % 4]);
        if (round >= 8) first.m = lt_dm3_mul(first.m, (lt_dmat3){{1.3, 0, 0}, {0.4, 0.8, 0}, {0, 0.1, 1}});
        for (uint32_t i = 0; i < m.f.carrier.node_count; i++) {
            lt_dvec3 x = move_affine(&first, ((const lt_dvec3 *)m.f.carrier.rest)[i]);
            lt_dvec3 y = lt_d3_add(lt_dm3_mul_vec(turn, x), (lt_dvec3){0.5, -1, 2});
            lt_vec3 a = lt_v3_from_d3(x), b = lt_v3_from_d3(y);
            memcpy(m.from + 4 * (size_t)i, &a, sizeof a);
            memcpy(m.to + 4 * (size_t)i, &b, sizeof b);
        }
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        lt_self_mark(&m.self);
        CHECK_COUNT(m.self.marked_count, 0);
        CHECK(!lt_self_rows_meet(&m.self, m.tets.rows[0], m.tets.rows[0]));
    }
    marked_free(&m);
}

/* diag(-1, -2, 1) has determinant 1, -0.04, 2 at t = 0, 0.4, 1: right at both ends, inside out between. */
static void tets_that_turn_inside_out_and_back_are_marked(void) {
    marked m;
    CHECK_FATAL(make_block(&m, 0) && marked_make(&m, NULL));
    for (uint32_t i = 0; i < m.f.carrier.node_count; i++) {
        lt_vec3 x = lt_v3_from_d3(((const lt_dvec3 *)m.f.carrier.rest)[i]), y = {-x.x, -2 * x.y, x.z};
        memcpy(m.from + 4 * (size_t)i, &x, sizeof x);
        memcpy(m.to + 4 * (size_t)i, &y, sizeof y);
    }
    lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
    lt_self_mark(&m.self);
    for (uint32_t tet = 0; tet < m.tets.tet_count; tet++)
        CHECK(lt_self_rows_meet(&m.self, tet, tet));
    marked_free(&m);
}

/* Two blocks of tets, the one within the other's reach, as one carrier. */
static bool make_overlapping_blocks(marked *m) {
    lt_tet_mesh one, both;
    const uint32_t cells[3] = {1, 1, 1};
    lt_status status = lt_generate_tet_block(&one, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL);
    if (status != LT_OK) return false;
    lt_dvec3 positions[16];
    uint32_t tets[48];
    both = (lt_tet_mesh){.positions = positions, .tets = tets, .node_count = 16, .tet_count = 12};
    for (uint32_t i = 0; i < 16; i++)
        positions[i] =
            lt_d3_add(one.positions[i % 8], (lt_dvec3){i < 8 ? 0 : 0.6, i < 8 ? 0 : 0.13, 0.01 * (i >= 8)});
    for (uint32_t i = 0; i < 48; i++)
        tets[i] = one.tets[i % 24] + (i < 24 ? 0 : 8);
    lt_tet_mesh_free(&one);
    fixture_options options = {0};
    lt_bake_notes notes;
    return tree_fixture_of(&m->f, bake_fixture(&both, &options, &notes), 0);
}

/* What overlaps at rest stays marked while it does, in whatever shape, and no longer. */
static void tets_that_overlap_at_rest_are_marked(void) {
    lt_random random = lt_random_seed(8);
    marked m;
    CHECK_FATAL(make_overlapping_blocks(&m) && marked_make(&m, NULL));
    for (int round = 0; round < 6; round++) {
        affine whole = random_rigid(&random, 1);
        double away = round < 4 ? 0 : 2;
        for (uint32_t i = 0; i < 16; i++) {
            lt_dvec3 x =
                lt_d3_add(((const lt_dvec3 *)m.f.carrier.rest)[i], (lt_dvec3){i < 8 ? 0 : away, 0, 0});
            lt_vec3 y = lt_v3_from_d3(move_affine(&whole, lt_d3_add(x, random_d3(&random, 0.02 * round))));
            memcpy(m.from + 4 * (size_t)i, &y, sizeof y);
            memcpy(m.to + 4 * (size_t)i, &y, sizeof y);
        }
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        lt_self_mark(&m.self);
        uint32_t overlapping = 0;
        CHECK_COUNT(count_missed(&m, &overlapping), 0);
        CHECK((overlapping > 0) == (away == 0));
        CHECK((m.self.marked_count > 0) == (away == 0));
    }
    marked_free(&m);
}

/* ---- rows ---- */

/* Boxes have the bits of what is in them, spanning triangles meet everything. */
static void boxes_have_the_marks_of_their_triangles(void) {
    lt_random random = lt_random_seed(3);
    marked m;
    CHECK_FATAL(make_block(&m, 2) && marked_make(&m, NULL));
    const lt_multiscale_tree *t = &m.f.tree;
    CHECK(t->spanning_count > 0);
    deform_nodes(m.from, m.to, &m.f.carrier, MOTION_PINCH, 1, &random);
    lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
    lt_self_mark(&m.self);
    CHECK(m.self.marked_count > 0);
    uint32_t *governor_of = LT_NEW(NULL, m.f.carrier.tet_count, uint32_t);
    for (uint32_t i = 0; i < t->governor_count; i++)
        governor_of[t->governors[i]] = i;
    uint32_t words = 2 * m.self.word_count, lost = 0;
    for (uint32_t node = 0; node < t->node_count; node++)
        for (uint32_t i = 0; i < t->nodes[node].count; i++) {
            uint32_t tet = t->triangle_tets[t->nodes[node].first + i];
            uint32_t row = tet == LT_NONE ? lt_self_spanning_row(&m.tets) : governor_of[tet];
            const uint64_t *box = lt_self_row(&m.self, m.tets.rows[node]), *own = lt_self_row(&m.self, row);
            for (uint32_t k = 0; k < words; k++)
                lost += (own[k] & ~box[k]) != 0;
        }
    CHECK_COUNT(lost, 0);
    for (uint32_t row = 0; row < lt_self_row_count(&m.tets); row++)
        CHECK(lt_self_rows_meet(&m.self, row, lt_self_spanning_row(&m.tets)));
    LT_DELETE(NULL, governor_of, m.f.carrier.tet_count, uint32_t);
    marked_free(&m);
}

/* Fewer bits mark more, never less; so does the paper's one bit. */
static void fewer_bits_mark_more(void) {
    static const uint32_t bits[] = {256, 64, 1};
    lt_random random = lt_random_seed(4);
    marked m[3];
    memset(m, 0, sizeof m);
    uint32_t met[3] = {0};
    for (int i = 0; i < 3; i++) {
        lt_self_def def = {LT_SELF_SAFE, bits[i]};
        CHECK_FATAL(make_block(&m[i], 0) && marked_make(&m[i], &def));
    }
    for (int i = 0; i < 20 && m[0].self.marked_count <= LT_SELF_BITS_MAX; i++) {
        deform_nodes(m[0].from, m[0].to, &m[0].f.carrier, MOTION_PINCH, 1, &random);
        lt_self_begin(&m[0].self, m[0].from, m[0].to, 0, 1e-6f);
        lt_self_mark(&m[0].self);
    }
    for (int i = 0; i < 3; i++) {
        lt_self_begin(&m[i].self, m[0].from, m[0].to, 0, 1e-6f);
        lt_self_mark(&m[i].self);
        CHECK_COUNT(m[i].self.marked_count, m[0].self.marked_count);
        for (uint32_t a = 0; a < m[i].tets.tet_count; a++)
            for (uint32_t b = a; b < m[i].tets.tet_count; b++)
                met[i] += lt_self_rows_meet(&m[i].self, a, b);
    }
    CHECK(met[0] >= m[0].self.marked_count);
    CHECK(met[0] < met[1] && met[1] < met[2]);
    for (int i = 0; i < 3; i++)
        marked_free(&m[i]);
}

/* ---- the cursor ---- */

/* Piece by piece gives the same marks as one go. */
static void pieces_give_the_same_marks(void) {
    lt_random random = lt_random_seed(5);
    marked m;
    CHECK_FATAL(make_block(&m, 0) && marked_make(&m, NULL));
    deform_nodes(m.from, m.to, &m.f.carrier, MOTION_FOLD, 1, &random);
    lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
    lt_self_mark(&m.self);
    size_t size = 2 * (size_t)m.self.word_count * lt_self_row_count(&m.tets) * sizeof(uint64_t);
    uint64_t *whole = LT_NEW(NULL, size / sizeof(uint64_t), uint64_t);
    memcpy(whole, m.self.marks, size);
    lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
    for (uint32_t cost; (cost = lt_self_cost(&m.self)) > 0;) {
        CHECK_COUNT(lt_self_step(&m.self, cost - 1), 0);
        CHECK_COUNT(lt_self_step(&m.self, cost), cost);
    }
    lt_self_finish(&m.self);
    CHECK(memcmp(whole, m.self.marks, size) == 0);
    LT_DELETE(NULL, whole, size / sizeof(uint64_t), uint64_t);
    marked_free(&m);
}

/* ---- groups ---- */

/* A tet of the coarse level takes what hangs on it along: nodes of the finest level follow those of another that are anywhere. */
static lt_dvec3 place_on_coarse(const marked *m, const lt_dvec3 *coarse, uint32_t node) {
    const lt_ladder *ladder = &m->f.carrier.ladder;
    const uint32_t *tet = m->f.carrier.tets + 4 * (size_t)ladder->above_tets[node];
    lt_dvec3 sum = {0, 0, 0};
    for (size_t k = 0; k < 4; k++)
        sum = lt_d3_mad(sum, coarse[tet[k]], (double)ladder->above_weights[4 * (size_t)node + k]);
    return sum;
}

/* The whole turns; coarse nodes, or finest ones about some place, go aside by up to `noise`, at one end or at both. */
static void move_in_part(marked *m, double noise, bool by_coarse, lt_random *random) {
    const lt_dvec3 *rest = (const lt_dvec3 *)m->f.carrier.rest;
    uint32_t own = m->tets.node_count, count = m->f.carrier.node_count;
    lt_dvec3 middle = lt_d3_add((lt_dvec3){0.5, 0.5, 0.5}, random_d3(random, 0.4));
    lt_dvec3 *places = LT_NEW(NULL, count, lt_dvec3);
    double radius = random_d(random, 0.1, 0.4);
    bool ends_alike = lt_random_below(random, 2);
    affine whole = random_rigid(random, 1);
    for (int end = 0; end < 2; end++) {
        if (end) whole.m = lt_dm3_mul(rotation_about(random_d3(random, 1), 0.2), whole.m);
        for (uint32_t i = end && ends_alike ? count : 0; i < count; i++) {
            bool is_moved = i < own ? !by_coarse : by_coarse;
            is_moved = is_moved && lt_d3_distance(rest[i], middle) < radius * (by_coarse ? 2 : 1);
            places[i] = lt_d3_add(rest[i], random_d3(random, is_moved ? noise : 0));
        }
        for (uint32_t i = 0; i < own; i++) {
            lt_dvec3 x = by_coarse ? place_on_coarse(m, places, i) : places[i];
            lt_vec3 y = lt_v3_from_d3(move_affine(&whole, x));
            memcpy((end ? m->to : m->from) + 4 * (size_t)i, &y, sizeof y);
        }
    }
    LT_DELETE(NULL, places, count, lt_dvec3);
}

static uint32_t settled_groups(const marked *m) {
    return m->tets.group_count - m->self.open_count;
}

/* Whatever groups settle, nothing that overlaps is missed: from motions that open none to such that open all of them. */
static void groups_miss_nothing(void) {
    lt_random random = lt_random_seed(31);
    marked m;
    CHECK_FATAL(make_grouped(&m));
    CHECK(m.tets.group_count > 4);
    uint32_t settled = 0, open = 0, mixed = 0, missed = 0, overlapping = 0;
    for (uint32_t round = 0; round < rounds_of(18); round++) {
        double noise = 0.3;
        for (uint32_t i = 0; i < round % 6; i++)
            noise /= round % 5 ? 3 : 8;
        if (round % 9 == 8)
            deform_nodes(m.from, m.to, &m.f.carrier, (motion_kind)(round / 9 % MOTION_COUNT), 1, &random);
        else
            move_in_part(&m, noise, round % 4 == 3, &random);
        lt_self_begin(&m.self, m.from, m.to, round % 3 ? 0 : 1e-3f, 1e-6f);
        lt_self_mark(&m.self);
        missed += count_missed(&m, &overlapping);
        settled += settled_groups(&m);
        open += m.self.open_count;
        mixed += settled_groups(&m) > 0 && m.self.open_count > 0;
    }
    CHECK_COUNT(missed, 0);
    CHECK(overlapping > 1000 && settled > 20 && open > 20 && mixed > 4);
    printf("groups: %u settled, %u open, %u steps with both, %u pairs overlap\n", settled, open, mixed,
           overlapping);
    marked_free(&m);
}

static uint64_t mark_in_units(lt_self *self, const marked *m) {
    uint64_t units = 0;
    lt_self_begin(self, m->from, m->to, 0, 1e-6f);
    for (uint32_t cost; (cost = lt_self_cost(self)) > 0;) {
        CHECK_COUNT(lt_self_step(self, cost - 1), 0);
        CHECK_COUNT(lt_self_step(self, cost), cost);
        units += cost;
    }
    lt_self_finish(self);
    return units;
}

/* A body that turns and is stretched as a whole marks nothing, for less; where groups are open marks are those of no groups. */
static void groups_spare_what_they_settle(void) {
    lt_random random = lt_random_seed(32);
    lt_self_tets plain;
    lt_self self;
    marked m;
    CHECK_FATAL(make_grouped(&m));
    lt_carrier finest = lt_carrier_finest(&m.f.carrier);
    CHECK_FATAL(lt_self_tets_create(&plain, &m.f.tree, &finest, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_self_create(&self, &plain, NULL, NULL, NULL) == LT_OK);
    move_in_part(&m, 0, false, &random);
    uint64_t units = mark_in_units(&m.self, &m), before = mark_in_units(&self, &m);
    CHECK_COUNT(m.self.open_count, 0);
    CHECK_COUNT(m.self.marked_count, 0);
    CHECK(4 * units < 3 * before);
    printf("turning as a whole: %u units instead of %u\n", (unsigned)units, (unsigned)before);
    deform_nodes(m.from, m.to, &m.f.carrier, MOTION_NOISE, 1, &random);
    units = mark_in_units(&m.self, &m);
    before = mark_in_units(&self, &m);
    CHECK_COUNT(settled_groups(&m), 0);
    CHECK(10 * units < 11 * before);
    size_t size = 2 * (size_t)self.word_count * lt_self_row_count(&plain) * sizeof(uint64_t);
    CHECK(memcmp(m.self.marks, self.marks, size) == 0);
    lt_self_free(&self);
    lt_self_tets_free(&plain);
    marked_free(&m);
}

/* Cut after any part of it, with some groups open, and gone on with: the same marks as in one go. */
static void groups_may_be_cut_anywhere(void) {
    lt_random random = lt_random_seed(33);
    marked m;
    CHECK_FATAL(make_grouped(&m));
    do
        move_in_part(&m, 0.3, false, &random);
    while (mark_in_units(&m.self, &m) && (settled_groups(&m) == 0 || m.self.open_count == 0));
    uint64_t units = mark_in_units(&m.self, &m);
    size_t size = 2 * (size_t)m.self.word_count * lt_self_row_count(&m.tets) * sizeof(uint64_t);
    uint64_t *whole = LT_NEW(NULL, size / sizeof(uint64_t), uint64_t);
    memcpy(whole, m.self.marks, size);
    for (uint32_t i = 0; i <= 8; i++) {
        uint32_t overlapping = 0;
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        for (uint64_t left = units * i / 8, spent = 1; spent; left -= spent)
            spent = lt_self_step(&m.self, (uint32_t)left);
        lt_self_mark(&m.self);
        CHECK_COUNT(count_missed(&m, &overlapping), 0);
        CHECK(overlapping > 0 && memcmp(whole, m.self.marks, size) == 0);
    }
    LT_DELETE(NULL, whole, size / sizeof(uint64_t), uint64_t);
    marked_free(&m);
}

/* A node that is nowhere opens its groups; all others go on. */
static void groups_know_of_nodes_that_are_nowhere(void) {
    lt_random random = lt_random_seed(34);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    uint32_t settled = 0;
    marked m;
    CHECK_FATAL(make_grouped(&m));
    for (int i = 0; i < 6; i++) {
        move_in_part(&m, 0, false, &random);
        uint32_t node = m.tets.nodes[4 * lt_random_below(&random, m.tets.tet_count)];
        (i < 3 ? m.from : m.to)[4 * node + 1] = bad[i % 3];
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        lt_self_mark(&m.self);
        CHECK(m.self.open_count > 0);
        settled += settled_groups(&m);
        for (uint32_t a = 0; a < m.tets.tet_count; a++) {
            const uint32_t *n = m.tets.nodes + 4 * (size_t)a;
            if (n[0] != node && n[1] != node && n[2] != node && n[3] != node) continue;
            for (uint32_t b = 0; b < m.tets.tet_count; b++)
                CHECK(lt_self_rows_meet(&m.self, a, b));
        }
    }
    CHECK(settled > 0);
    marked_free(&m);
}

/* Passes over thousands of tets are cut: no piece is larger than a portion and an item, and budgets of two
 * hundred thousand units get through any of them. */
static void passes_over_all_tets_are_cut(void) {
    lt_random random = lt_random_seed(35);
    lt_surface surface;
    marked m;
    CHECK_FATAL(make_ball(&surface, 4, 0.45));
    bool made = tree_fixture_of(&m.f, shape_in_block(&surface, 17), 0);
    lt_surface_free(&surface);
    CHECK_FATAL(made && marked_make(&m, NULL));
    deform_nodes(m.from, m.to, &m.f.carrier, MOTION_FOLD, 1, &random);
    uint32_t pieces[LT_SELF_DONE + 1] = {0}, largest = lt_self_begin_cost(&m.self);
    lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
    for (uint32_t cost; (cost = lt_self_cost(&m.self)) > 0;) {
        largest = lt_max_u32(largest, cost);
        pieces[m.self.phase]++;
        CHECK_COUNT(lt_self_step(&m.self, cost), cost);
    }
    for (uint32_t cost; (cost = lt_self_finish_cost(&m.self)) > 0; pieces[LT_SELF_DONE]++) {
        largest = lt_max_u32(largest, cost);
        lt_self_finish_step(&m.self);
    }
    CHECK(m.self.finished);
    CHECK(largest > LT_SELF_PORTION / 2 && largest <= LT_SELF_PORTION + 1000);
    CHECK(pieces[LT_SELF_FACES] > 1 && pieces[LT_SELF_PLACES] > 1 && pieces[LT_SELF_DONE] > 1);
    printf("%u tets, %u rows: %u, %u, %u, %u pieces, the largest of %u units\n", m.tets.tet_count,
           lt_self_row_count(&m.tets), pieces[LT_SELF_CLEARED], pieces[LT_SELF_FACES], pieces[LT_SELF_PLACES],
           pieces[LT_SELF_DONE], largest);
    marked_free(&m);
}

/* ---- bad input ---- */

static void positions_that_are_not_finite_are_marked(void) {
    lt_random random = lt_random_seed(6);
    const float bad[] = {NAN, INFINITY, -INFINITY};
    marked m;
    CHECK_FATAL(make_block(&m, 0) && marked_make(&m, NULL));
    for (int i = 0; i < 6; i++) {
        deform_nodes(m.from, m.to, &m.f.carrier, MOTION_NOISE, 1, &random);
        uint32_t node = m.tets.nodes[4 * lt_random_below(&random, m.tets.tet_count)];
        (i < 3 ? m.from : m.to)[4 * node + 1] = bad[i % 3];
        lt_self_begin(&m.self, m.from, m.to, 0, 1e-6f);
        lt_self_mark(&m.self);
        for (uint32_t a = 0; a < m.tets.tet_count; a++) {
            const uint32_t *n = m.tets.nodes + 4 * (size_t)a;
            if (n[0] != node && n[1] != node && n[2] != node && n[3] != node) continue;
            for (uint32_t b = 0; b < m.tets.tet_count; b++)
                CHECK(lt_self_rows_meet(&m.self, a, b));
        }
    }
    marked_free(&m);
}

static void without_memory_there_are_no_marks(void) {
    marked m;
    CHECK_FATAL(make_block(&m, 0));
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status == LT_STATUS_MEMORY && allowed < 400; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_self_tets tets;
        lt_self self = {0};
        status = lt_self_tets_create(&tets, &m.f.tree, &m.f.carrier, &allocator, NULL);
        CHECK(status == LT_OK || (!tets.tree && out.blocks_out == 0));
        if (status == LT_OK) status = lt_self_groups_create(&tets, NULL);
        if (status == LT_OK) status = lt_self_create(&self, &tets, NULL, &allocator, NULL);
        lt_self_free(&self);
        lt_self_tets_free(&tets);
        CHECK_COUNT(out.blocks_out, 0);
        CHECK_COUNT(out.bytes_out, 0);
    }
    CHECK(status == LT_OK);
    tree_fixture_free(&m.f);
}

int main(void) {
    RUN(two_tets_part_as_their_differences_do);
    RUN(far_pairs_are_those_whose_boxes_overlap);
    RUN(what_overlaps_is_marked);
    RUN(turning_marks_nothing);
    RUN(tets_that_turn_inside_out_and_back_are_marked);
    RUN(tets_that_overlap_at_rest_are_marked);
    RUN(boxes_have_the_marks_of_their_triangles);
    RUN(fewer_bits_mark_more);
    RUN(pieces_give_the_same_marks);
    RUN(groups_miss_nothing);
    RUN(groups_spare_what_they_settle);
    RUN(groups_may_be_cut_anywhere);
    RUN(groups_know_of_nodes_that_are_nowhere);
    RUN(passes_over_all_tets_are_cut);
    RUN(positions_that_are_not_finite_are_marked);
    RUN(without_memory_there_are_no_marks);
    return check_finish();
}
