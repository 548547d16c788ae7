/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether a plan is what the numeric factor and the solves take for granted, found from the pattern anew. */

#include "core/factor_internal.h"

typedef struct inspection {
    const lt_factor_plan *plan;
    const lt_sparse_pattern *pattern;
    uint32_t *place;     /* [node_count] */
    uint32_t *supernode; /* [node_count] of a place */
    uint8_t *is_added;   /* [block_count] */
} inspection;

static bool order_is_sound(inspection *in) {
    for (uint32_t i = 0; i < in->plan->node_count; i++)
        in->place[i] = LT_NONE;
    for (uint32_t i = 0; i < in->plan->node_count; i++) {
        uint32_t node = in->plan->order[i];
        if (node >= in->plan->node_count || in->place[node] != LT_NONE) return false;
        in->place[node] = i;
    }
    return true;
}

/* Columns, rows, runs, entries and panels follow each other without gaps. */
static bool supernodes_are_sound(inspection *in) {
    const lt_factor_plan *plan = in->plan;
    uint32_t column = 0, row = 0, entry = 0;
    size_t panel = 0;
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        const lt_factor_supernode *s = &plan->supernodes[k];
        if (s->column_begin != column || s->column_count == 0 || s->column_count > plan->widest) return false;
        if (s->row_begin != row || s->entry_begin != entry || s->panel_begin != panel) return false;
        if (s->stride != lt_align_up(3 * ((size_t)s->column_count + s->row_count), 8)) return false;
        if (s->stride > plan->tallest || s->column_count > plan->node_count - column) return false;
        for (uint32_t i = 0; i < s->column_count; i++)
            in->supernode[column++] = k;
        row += s->row_count;
        entry += s->entry_count;
        panel += 3 * (size_t)s->column_count * s->stride;
    }
    return column == plan->node_count && row == plan->row_count && entry == plan->entry_count &&
           panel == plan->value_count;
}

/* The place that is at a position of a supernode. */
static uint32_t place_at(const lt_factor_plan *plan, const lt_factor_supernode *s, uint32_t position) {
    if (position < s->column_count) return s->column_begin + position;
    position -= s->column_count;
    return position < s->row_count ? plan->rows[s->row_begin + position] : LT_NONE;
}

/* Rows ascend behind the columns; all of them are in the parent, where the runs say. */
static bool rows_are_sound(const inspection *in, const lt_factor_supernode *s) {
    const lt_factor_plan *plan = in->plan;
    const uint32_t *rows = plan->rows + s->row_begin;
    for (uint32_t i = 0; i < s->row_count; i++) {
        uint32_t before = i > 0 ? rows[i - 1] : s->column_begin + s->column_count - 1;
        if (rows[i] <= before || rows[i] >= plan->node_count) return false;
    }
    if (s->parent != (s->row_count ? in->supernode[rows[0]] : LT_NONE)) return false;
    uint32_t row = 0;
    for (uint32_t q = 0; q < s->run_count; q++) {
        const lt_factor_run *run = &plan->runs[s->run_begin + q];
        if (run->from != row || run->count == 0 || run->count > s->row_count - row) return false;
        for (uint32_t i = 0; i < run->count; i++, row++)
            if (place_at(plan, &plan->supernodes[s->parent], run->into + i) != rows[row]) return false;
    }
    return row == s->row_count;
}

/* Each child is listed by its parent once, children ascending. */
static bool children_are_sound(const lt_factor_plan *plan) {
    uint32_t listed = 0, with_parent = 0;
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        with_parent += plan->supernodes[k].parent != LT_NONE;
        uint32_t before = LT_NONE;
        for (uint32_t c = plan->supernodes[k].first_child; c != LT_NONE;
             c = plan->supernodes[c].next_sibling) {
            if (c >= k || plan->supernodes[c].parent != k || (before != LT_NONE && c <= before)) return false;
            before = c;
            listed++;
        }
    }
    return listed == with_parent;
}

/* Every block of the lower half is added where it belongs, once. */
static bool entries_are_sound(inspection *in) {
    const lt_factor_plan *plan = in->plan;
    const lt_sparse_pattern *p = in->pattern;
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        const lt_factor_supernode *s = &plan->supernodes[k];
        for (uint32_t e = s->entry_begin; e < s->entry_begin + s->entry_count; e++) {
            uint32_t block = plan->entries[e].block, column = plan->entries[e].offset / s->stride / 3;
            uint32_t position = plan->entries[e].offset % s->stride / 3, row = place_at(plan, s, position);
            if (block >= plan->block_count || in->is_added[block]++) return false;
            if (column >= s->column_count || row == LT_NONE || row < s->column_begin + column) return false;
            if (plan->entries[e].offset != 3 * column * s->stride + 3 * position) return false;
            if (p->columns[block] != plan->order[s->column_begin + column]) return false;
            if (block < p->row_begin[plan->order[row]] || block >= p->row_begin[plan->order[row] + 1])
                return false;
        }
    }
    uint32_t lower = 0;
    for (uint32_t i = 0; i < plan->node_count; i++)
        for (uint32_t e = p->row_begin[i]; e < p->row_begin[i + 1]; e++)
            lower += in->place[p->columns[e]] <= in->place[i];
    return lower == plan->entry_count;
}

/* An update is needed from its supernode to its parent: until then nobody else is in its place. */
static bool updates_are_sound(const lt_factor_plan *plan) {
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        const lt_factor_supernode *s = &plan->supernodes[k];
        size_t end = s->update_begin + 3 * (size_t)s->row_count * lt_factor_update_stride(s);
        if (s->row_count == 0) continue;
        if (end > plan->update_count) return false;
        for (uint32_t other = k + 1; other <= s->parent; other++) {
            const lt_factor_supernode *o = &plan->supernodes[other];
            size_t other_end = o->update_begin + 3 * (size_t)o->row_count * lt_factor_update_stride(o);
            if (o->row_count > 0 && o->update_begin < end && s->update_begin < other_end) return false;
        }
    }
    return true;
}

static bool inspect(inspection *in) {
    const lt_factor_plan *plan = in->plan;
    if (plan->node_count != in->pattern->row_count) return false;
    if (plan->block_count != in->pattern->row_begin[plan->node_count]) return false;
    if (!order_is_sound(in) || !supernodes_are_sound(in)) return false;
    uint64_t units = 0;
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        if (!rows_are_sound(in, &plan->supernodes[k])) return false;
        units += lt_factor_supernode_units(plan, k);
    }
    return units == plan->numeric_units && children_are_sound(plan) && entries_are_sound(in) &&
           updates_are_sound(plan);
}

bool lt_validate_factor_plan(const lt_factor_plan *plan, const lt_sparse_pattern *pattern) {
    inspection in = {.plan = plan, .pattern = pattern};
    uint32_t n = plan->node_count;
    in.place = LT_NEW(NULL, n, uint32_t);
    in.supernode = LT_NEW(NULL, n, uint32_t);
    in.is_added = LT_NEW(NULL, plan->block_count, uint8_t);
    bool sound = in.place && in.supernode && in.is_added && inspect(&in);
    LT_DELETE(NULL, in.place, n, uint32_t);
    LT_DELETE(NULL, in.supernode, n, uint32_t);
    LT_DELETE(NULL, in.is_added, plan->block_count, uint8_t);
    return sound;
}
