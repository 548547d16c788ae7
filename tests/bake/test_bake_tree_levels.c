/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Records of coarser levels in multiscale trees: of boxes that need no more tets than they may have, they hold what is in these, and
 * samples are all that moves it. */

#include "bound/multiscale_chunks.h"

#include "check.h"

#include "bake/ladder_tree_fixture.h"
#include "failing_allocator.h"

static const uint32_t CELLS[5] = {8, 6, 4, 3, 2};

static uint32_t level_of_tet(const lt_ladder *ladder, uint32_t tet) {
    uint32_t level = 0;
    while (tet >= ladder->tet_begin[level + 1])
        level++;
    return level;
}

static lt_dvec3 rest_of(const tree_fixture *f, uint32_t node) {
    return ((const lt_dvec3 *)f->carrier.rest)[node];
}

/* Weights of a point by samples of a governor; false: it hangs on a node that is none of them. */
static bool weigh_by_samples(double out[4], const tree_fixture *f, uint32_t governor, uint32_t point) {
    const lt_multiscale_tree *t = &f->tree;
    const uint32_t *begin = t->sample_begin + (governor - t->governor_count);
    memset(out, 0, 4 * sizeof *out);
    for (size_t k = 4 * (size_t)point; k < 4 * ((size_t)point + 1); k++) {
        uint32_t at = begin[0];
        if (t->weights[k] == 0) continue;
        while (at < begin[1] && t->samples[at] != t->ids[k])
            at++;
        if (at == begin[1]) return false;
        const float *w = t->sample_weights + 3 * (size_t)at;
        const double weights[4] = {1 - (double)w[0] - (double)w[1] - (double)w[2], (double)w[0], (double)w[1],
                                   (double)w[2]};
        for (int i = 0; i < 4; i++)
            out[i] += (double)t->weights[k] * weights[i];
    }
    return true;
}

/* Some record of the group holds the point. */
static bool is_held(const tree_fixture *f, uint32_t group, uint32_t point) {
    const lt_multiscale_tree *t = &f->tree;
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++) {
        const float *r = t->records + LT_RECORD_NUMBERS * (size_t)i;
        double w[4];
        if (!weigh_by_samples(w, f, t->record_governors[i], point)) continue;
        bool within = true;
        for (int k = 0; k < 4; k++)
            within = within && w[k] >= (double)r[k] && w[k] <= (double)r[4 + k];
        if (within) return true;
    }
    return false;
}

static void check_group(const tree_fixture *f, uint32_t group, uint32_t node, uint32_t level) {
    const lt_multiscale_tree *t = &f->tree;
    const lt_multiscale_node *n = t->nodes + node;
    uint32_t lost = 0, strange = 0;
    CHECK(t->groups[group + 1].first - t->groups[group].first <= t->governors_max);
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++)
        strange += level_of_tet(&f->carrier.ladder, t->governors[t->record_governors[i]]) != level;
    for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++)
        lost += !is_held(f, group, t->triangles[i]);
    CHECK_COUNT(lost, 0);
    CHECK_COUNT(strange, 0);
}

static void records_hold_what_is_in_their_boxes(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_ladder(&f, 4, CELLS, 5, 0));
    const lt_multiscale_tree *t = &f.tree;
    uint32_t of_level[4] = {0};
    CHECK_COUNT(t->level_width, 3);
    for (uint32_t row = 0; row < t->above_count; row++)
        for (uint32_t k = 0; k < t->level_width; k++) {
            uint32_t group = t->level_groups[(size_t)row * t->level_width + k];
            if (group == LT_NONE) continue;
            of_level[k + 1]++;
            check_group(&f, group, t->above[row], k + 1);
        }
    CHECK(of_level[1] > 10 && of_level[2] > of_level[1] && of_level[3] > of_level[2]);
    CHECK_COUNT(of_level[1] + of_level[2] + of_level[3], t->level_group_count);
    tree_fixture_free(&f);
}

/* At rest a sample is where its weights say. */
static void samples_lie_where_their_weights_say(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_ladder(&f, 2, CELLS, 4, 0));
    const lt_multiscale_tree *t = &f.tree;
    for (uint32_t i = 0; i < t->level_governor_count; i++)
        for (uint32_t k = t->sample_begin[i]; k < t->sample_begin[i + 1]; k++) {
            const uint32_t *tet = f.carrier.tets + 4 * (size_t)t->governors[t->governor_count + i];
            lt_dvec3 corner = rest_of(&f, tet[0]), x = corner;
            for (int c = 0; c < 3; c++)
                x = lt_d3_mad(x, lt_d3_sub(rest_of(&f, tet[c + 1]), corner),
                              (double)t->sample_weights[3 * (size_t)k + (size_t)c]);
            CHECK(lt_d3_distance(x, rest_of(&f, t->samples[k])) < 1e-6);
            CHECK(t->samples[k] < f.carrier.ladder.node_begin[1]);
        }
    tree_fixture_free(&f);
}

/* Fronts are never on the coarsest level, so two have nothing to add; nor has the finest of many by itself. */
static void short_ladders_have_none(void) {
    tree_fixture f;
    lt_multiscale_tree alone;
    CHECK_FATAL(ball_in_ladder(&f, 3, CELLS + 2, 2, 0));
    CHECK(!lt_shape_has(f.shape, LT_CHUNK_MULTISCALE_FINEST));
    CHECK_COUNT(f.tree.level_width, 0);
    tree_fixture_free(&f);
    CHECK_FATAL(ball_in_ladder(&f, 3, CELLS + 1, 4, 0));
    CHECK_COUNT(f.tree.level_width, 2);
    lt_carrier finest = lt_carrier_finest(&f.carrier);
    CHECK(lt_multiscale_tree_read(&alone, f.shape, &finest, &f.skin, NULL) == LT_OK);
    CHECK_COUNT(alone.level_width, 0);
    CHECK_COUNT(alone.level_governor_count, 0);
    CHECK_COUNT(alone.group_count, f.tree.group_count);
    CHECK_COUNT(alone.record_count, f.tree.record_count);
    CHECK_COUNT(alone.governor_count, f.tree.governor_count);
    tree_fixture_free(&f);
}

static void memory_may_run_out_anywhere(void) {
    lt_surface ball;
    CHECK_FATAL(make_ball(&ball, 1, 0.4));
    lt_shape *shape = shape_in_ladder(&ball, CELLS + 2, 3);
    lt_status status = LT_STATUS_MEMORY;
    CHECK_FATAL(shape);
    for (int allowed = 0; status != LT_OK && allowed < 1000; allowed++) {
        failing counted = failing_after(allowed);
        lt_bake_tree_def def = lt_bake_tree_def_default();
        lt_shape *out = NULL;
        def.allocator = failing_allocator(&counted);
        status = lt_bake_tree(shape, &def, &out, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && !out));
        lt_shape_release(out);
        CHECK_COUNT(counted.blocks_out, 0);
    }
    CHECK(status == LT_OK);
    lt_shape_release(shape);
    lt_surface_free(&ball);
}

int main(void) {
    RUN(records_hold_what_is_in_their_boxes);
    RUN(samples_lie_where_their_weights_say);
    RUN(short_ladders_have_none);
    RUN(memory_may_run_out_anywhere);
    return check_finish();
}
