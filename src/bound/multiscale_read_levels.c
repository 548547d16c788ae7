/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading what a multiscale tree has of the coarser levels of a ladder. As in multiscale_read.c, all that a step relies on is checked:
 * every group is of the box and level that it is listed for, whoever is below a box that has one can be fitted without looking further
 * up, and indices stay where they belong. */

#include "bound/multiscale_chunks.h"

#include <math.h>

static lt_status damaged(const lt_shape *shape, lt_error *error) {
    return lt_fail(error, LT_STATUS_INVALID,
                   "shape '%s': records of coarser levels in its multiscale tree are damaged; bake it again",
                   lt_shape_name(shape));
}

/* How much of the arrays is of the finest level. */
static bool part(lt_multiscale_tree *t, const uint32_t finest[3]) {
    if (finest[0] > t->group_count || finest[1] > t->record_count || finest[2] > t->governor_count)
        return false;
    t->level_group_count = t->group_count - finest[0];
    t->level_record_count = t->record_count - finest[1];
    t->level_governor_count = t->governor_count - finest[2];
    t->group_count = finest[0];
    t->record_count = finest[1];
    t->governor_count = finest[2];
    return true;
}

lt_status lt_multiscale_levels_read(lt_multiscale_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                                    lt_error *error) {
    lt_shape_dims finest = LT_SHAPE_DIMS(3);
    const uint32_t *counts = lt_shape_u32(shape, LT_CHUNK_MULTISCALE_FINEST, &finest, error);
    if (!counts) return error->status;
    if (!part(out, counts)) return damaged(shape, error);
    if (carrier->ladder.level_count < 3) { /* its finest level by itself */
        out->level_group_count = out->level_record_count = out->level_governor_count = 0;
        return LT_OK;
    }
    lt_shape_dims groups = LT_SHAPE_DIMS(out->above_count, carrier->ladder.level_count - 2);
    lt_shape_dims begins = LT_SHAPE_DIMS((uint64_t)out->level_governor_count + 1);
    lt_shape_dims samples = LT_SHAPE_DIMS(LT_SHAPE_ANY), weights = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    if (!(out->level_groups = lt_shape_u32(shape, LT_CHUNK_MULTISCALE_LEVEL_GROUPS, &groups, error)) ||
        !(out->sample_begin = lt_shape_u32(shape, LT_CHUNK_MULTISCALE_SAMPLE_BEGIN, &begins, error)) ||
        !(out->samples = lt_shape_u32(shape, LT_CHUNK_MULTISCALE_SAMPLES, &samples, error)) ||
        !(out->sample_weights = lt_shape_f32(shape, LT_CHUNK_MULTISCALE_SAMPLE_WEIGHTS, &weights, error)))
        return error->status;
    if (samples.size[0] != weights.size[0] || samples.size[0] >= LT_NONE / 8) return damaged(shape, error);
    out->sample_count = (uint32_t)samples.size[0];
    out->level_width = carrier->ladder.level_count - 2;
    return LT_OK;
}

/* ---- checks ---- */

/* Of a box and a level: all its governors are of that, and there are no points among its records. */
static bool group_is_sound(const lt_multiscale_tree *t, const lt_ladder *ladder, uint32_t group,
                           uint32_t node, uint32_t level) {
    if (group < t->group_count || group - t->group_count >= t->level_group_count) return false;
    const lt_multiscale_group *g = t->groups + group;
    if (t->group_nodes[group] != node || g->first < t->record_count || g->first >= g[1].first ||
        g->points != g[1].first || g[1].first > t->record_count + t->level_record_count)
        return false;
    for (uint32_t i = g->first; i < g[1].first; i++) {
        uint32_t governor = t->record_governors[i];
        if (governor < t->governor_count || governor >= lt_multiscale_governor_total(t)) return false;
        uint32_t tet = t->governors[governor];
        if (tet < ladder->tet_begin[level] || tet >= ladder->tet_begin[level + 1]) return false;
    }
    return true;
}

/* Where its parent has a group of a level, a box has one, or it is on the cut or in a bunch. Parents stand behind in the list. */
static bool inherits(const lt_multiscale_tree *t, uint32_t row, uint32_t parent_row) {
    if (t->links[t->above[row]].bunch != LT_NONE) return true;
    for (uint32_t k = 0; k < t->level_width; k++)
        if (t->level_groups[(size_t)parent_row * t->level_width + k] != LT_NONE &&
            t->level_groups[(size_t)row * t->level_width + k] == LT_NONE)
            return false;
    return true;
}

static uint32_t row_of(const lt_multiscale_tree *t, uint32_t node) {
    uint32_t lo = 0, hi = t->above_count; /* descending */
    while (lo + 1 < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (t->above[middle] >= node)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static bool groups_are_sound(const lt_multiscale_tree *t, const lt_ladder *ladder) {
    uint32_t count = 0;
    for (uint32_t row = 0; row < t->above_count; row++) {
        uint32_t node = t->above[row], parent = t->links[node].parent;
        for (uint32_t k = 0; k < t->level_width; k++) {
            uint32_t group = t->level_groups[(size_t)row * t->level_width + k];
            if (group == LT_NONE) continue;
            count++;
            if (!group_is_sound(t, ladder, group, node, k + 1)) return false;
        }
        if (parent != LT_NONE && !inherits(t, row, row_of(t, parent))) return false;
    }
    return count == t->level_group_count;
}

/* A number that no carrier has is damage, and so is one that is not finite. */
static bool note_reach(lt_multiscale_tree *t, const float *weights, uint32_t count) {
    float sum = 1;
    for (uint32_t k = 0; k < count; k++)
        sum += fabsf(weights[k]);
    t->level_reach = lt_max_f(t->level_reach, sum);
    return sum < 1e6f;
}

static bool numbers_are_sound(lt_multiscale_tree *t) {
    const float *records = t->records + LT_RECORD_NUMBERS * (size_t)t->record_count;
    bool sound = true;
    for (size_t i = 0; i < t->level_record_count && sound; i++)
        sound = note_reach(t, records + LT_RECORD_NUMBERS * i, LT_RECORD_NUMBERS);
    for (size_t i = 0; i < t->sample_count && sound; i++)
        sound = note_reach(t, t->sample_weights + 3 * i, 3);
    return sound;
}

static bool samples_are_sound(const lt_multiscale_tree *t, const lt_ladder *ladder) {
    if (t->sample_begin[0] != 0 || t->sample_begin[t->level_governor_count] != t->sample_count) return false;
    for (uint32_t i = 0; i < t->level_governor_count; i++)
        if (t->sample_begin[i] > t->sample_begin[i + 1]) return false;
    for (uint32_t i = 0; i < t->sample_count; i++)
        if (t->samples[i] >= ladder->node_begin[1]) return false;
    return true;
}

bool lt_multiscale_levels_are_sound(lt_multiscale_tree *tree, const lt_carrier *carrier) {
    if (tree->level_width == 0) return true;
    uint32_t last = tree->group_count + tree->level_group_count;
    return tree->groups[last].first == tree->record_count + tree->level_record_count &&
           groups_are_sound(tree, &carrier->ladder) && samples_are_sound(tree, &carrier->ladder) &&
           numbers_are_sound(tree);
}
