/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The plan of a factor, from supernodes as factor_tree.c finds them: rows, runs and entries of each, places of panels, and places of
 * updates, which share memory where they are not needed at the same time. */

#include "core/factor_internal.h"

/* ---- arrays while a plan is made ---- */

static void carve_maker(lt_factor_maker *m, lt_carver *carver) {
    uint32_t **const arrays[] = {&m->order,   &m->place, &m->parent, &m->ancestor, &m->below, &m->child,
                                 &m->sibling, &m->walk,  &m->turned, &m->group,    &m->width, &m->supernode};
    for (size_t i = 0; i < LT_COUNT_OF(arrays); i++)
        *arrays[i] = lt_carve(carver, m->node_count, sizeof(uint32_t));
    m->supernodes = lt_carve(carver, m->node_count, sizeof(lt_factor_supernode));
}

/* ---- the plan's arrays ---- */

/* Counts all that is known before rows are; with memory, cuts the arrays. */
static void carve_plan(lt_factor_plan *plan, lt_carver *carver) {
    plan->order = lt_carve(carver, plan->node_count, sizeof(uint32_t));
    plan->rows = lt_carve(carver, plan->row_count, sizeof(uint32_t));
    plan->runs = lt_carve(carver, plan->row_count, sizeof(lt_factor_run));
    plan->entries = lt_carve(carver, plan->entry_count, sizeof(lt_factor_entry));
    plan->supernodes = lt_carve(carver, plan->supernode_count, sizeof(lt_factor_supernode));
}

/* Values, rows and entries of each supernode, one after the other; false: more than can be counted. */
static bool count_all(lt_factor_plan *plan, lt_factor_maker *m) {
    const lt_sparse_pattern *p = m->pattern;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < m->node_count; i++)
        for (uint32_t e = p->row_begin[i]; e < p->row_begin[i + 1]; e++)
            if (m->place[p->columns[e]] <= m->place[i])
                m->supernodes[m->supernode[m->place[p->columns[e]]]].entry_count++;
    for (uint32_t k = 0; k < m->supernode_count; k++) {
        lt_factor_supernode *s = &m->supernodes[k];
        s->row_begin = s->run_begin = (uint32_t)rows;
        s->entry_begin = plan->entry_count;
        s->panel_begin = plan->value_count;
        rows += s->row_count;
        plan->entry_count += s->entry_count;
        plan->value_count += 3 * (size_t)s->column_count * s->stride;
        plan->widest = lt_max_u32(plan->widest, s->column_count);
        plan->tallest = lt_max_u32(plan->tallest, s->stride);
        plan->padded_count += lt_factor_blocks(s->column_count, s->row_count);
        if (rows > UINT32_MAX / 3 || 48 * (uint64_t)s->stride > UINT32_MAX) return false;
    }
    plan->row_count = (uint32_t)rows;
    return true;
}

static void push_row(lt_factor_maker *m, uint32_t supernode, uint32_t end, uint32_t row, uint32_t *rows,
                     uint32_t *count) {
    if (row < end || m->ancestor[row] == supernode) return;
    m->ancestor[row] = supernode;
    LT_ASSERT(*count < m->supernodes[supernode].row_count);
    rows[(*count)++] = row;
}

/* A counting sort would take as long as the lists: these are nearly in order, as children's rows are. */
static void sort_rows(uint32_t *rows, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t row = rows[i], at = i;
        for (; at > 0 && rows[at - 1] > row; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

/* Rows of a supernode: those of the matrix, of children, and the group's columns behind it. */
static void fill_rows(lt_factor_plan *plan, lt_factor_maker *m, uint32_t index) {
    lt_factor_supernode *s = &m->supernodes[index];
    const lt_sparse_pattern *p = m->pattern;
    uint32_t *all = (uint32_t *)plan->rows, *rows = all + s->row_begin, count = 0;
    uint32_t end = s->column_begin + s->column_count, group = m->group[s->column_begin], group_end = end;
    while (group_end < m->node_count && m->group[group_end] == group)
        group_end++;
    for (uint32_t i = end; i < group_end; i++)
        push_row(m, index, end, i, rows, &count);
    /* Parts of one group share the rows below it: the last part's are found among those of all parts' children. */
    uint32_t group_begin = s->column_begin;
    while (group_begin > 0 && m->group[group_begin - 1] == group)
        group_begin--;
    for (uint32_t i = group_begin; i < group_end; i++) {
        for (uint32_t e = p->row_begin[m->order[i]]; e < p->row_begin[m->order[i] + 1]; e++)
            push_row(m, index, end, m->place[p->columns[e]], rows, &count);
        for (uint32_t c = m->child[i]; c != LT_NONE; c = m->sibling[c])
            for (uint32_t k = 0; k < m->supernodes[c].row_count; k++)
                push_row(m, index, end, all[m->supernodes[c].row_begin + k], rows, &count);
    }
    LT_ASSERT(count == s->row_count);
    sort_rows(rows, count);
    if (count == 0) return;
    s->parent = m->supernode[rows[0]];
    m->sibling[index] = m->child[rows[0]]; /* by the column that it subtracts from first */
    m->child[rows[0]] = index;
}

static void link_children(lt_factor_maker *m) {
    for (uint32_t k = m->supernode_count; k-- > 0;) {
        lt_factor_supernode *s = &m->supernodes[k];
        if (s->parent == LT_NONE) continue;
        s->next_sibling = m->supernodes[s->parent].first_child;
        m->supernodes[s->parent].first_child = k;
    }
}

static uint32_t position_in(const lt_factor_plan *plan, const lt_factor_supernode *s, uint32_t place) {
    if (place < s->column_begin + s->column_count) return place - s->column_begin;
    uint32_t low = s->row_begin, high = s->row_begin + s->row_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->rows[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    LT_ASSERT(plan->rows[low] == place);
    return s->column_count + low - s->row_begin;
}

static void fill_runs(lt_factor_plan *plan, lt_factor_maker *m, lt_factor_supernode *s) {
    lt_factor_run *runs = (lt_factor_run *)plan->runs + s->run_begin;
    for (uint32_t k = 0; k < s->row_count; k++) {
        uint32_t into = position_in(plan, &m->supernodes[s->parent], plan->rows[s->row_begin + k]);
        lt_factor_run *run = &runs[s->run_count];
        if (s->run_count > 0 && run[-1].into + run[-1].count == into)
            run[-1].count++;
        else {
            *run = (lt_factor_run){.from = k, .into = into, .count = 1};
            s->run_count++;
        }
    }
    plan->run_count += s->run_count;
}

static void fill_entries(lt_factor_plan *plan, lt_factor_maker *m) {
    const lt_sparse_pattern *p = m->pattern;
    lt_factor_entry *entries = (lt_factor_entry *)plan->entries;
    for (uint32_t k = 0; k < m->supernode_count; k++)
        m->supernodes[k].entry_count = 0;
    for (uint32_t i = 0; i < m->node_count; i++)
        for (uint32_t e = p->row_begin[m->order[i]]; e < p->row_begin[m->order[i] + 1]; e++) {
            uint32_t column = m->place[p->columns[e]];
            if (column > i) continue;
            lt_factor_supernode *s = &m->supernodes[m->supernode[column]];
            uint32_t offset = 3 * (column - s->column_begin) * s->stride + 3 * position_in(plan, s, i);
            entries[s->entry_begin + s->entry_count++] = (lt_factor_entry){.block = e, .offset = offset};
        }
}

/* ---- where updates are ---- */

static size_t update_size(const lt_factor_supernode *s) {
    return 3 * (size_t)s->row_count * lt_factor_update_stride(s);
}

/* Updates that are still needed are a list by place, linked through `sibling`; the new one takes the first gap that it fits into.
 * Those of children are needed until their parent is done. */
static void place_updates(lt_factor_plan *plan, lt_factor_maker *m) {
    uint32_t first = LT_NONE;
    for (uint32_t k = 0; k < m->supernode_count; k++) {
        lt_factor_supernode *s = &m->supernodes[k];
        size_t begin = 0, size = update_size(s);
        uint32_t *link = &first;
        for (; *link != LT_NONE && begin + size > m->supernodes[*link].update_begin;
             link = &m->sibling[*link])
            begin = m->supernodes[*link].update_begin + update_size(&m->supernodes[*link]);
        if (size > 0) {
            s->update_begin = begin;
            m->sibling[k] = *link;
            *link = k;
            if (begin + size > plan->update_count) plan->update_count = begin + size;
        }
        for (link = &first; *link != LT_NONE;)
            if (m->supernodes[*link].parent == k)
                *link = m->sibling[*link];
            else
                link = &m->sibling[*link];
    }
}

/* ---- units ---- */

static void count_units(lt_factor_plan *plan) {
    plan->solve_units = plan->node_count + plan->value_count / 16;
    for (uint32_t k = 0; k < plan->supernode_count; k++) {
        plan->numeric_units += lt_factor_supernode_units(plan, k);
        plan->solve_units += 10 + plan->supernodes[k].row_count / 2;
    }
}

/* ---- making ---- */

static bool is_permutation(lt_factor_maker *m, const uint32_t *order) {
    lt_factor_fill_none(m->place, m->node_count);
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (order[i] >= m->node_count || m->place[order[i]] != LT_NONE) return false;
        m->place[order[i]] = i;
    }
    return true;
}

static void fill_plan(lt_factor_plan *plan, lt_factor_maker *m) {
    lt_factor_fill_none(m->ancestor, m->node_count);
    lt_factor_fill_none(m->child, m->node_count);
    for (uint32_t k = 0; k < m->supernode_count; k++)
        fill_rows(plan, m, k);
    link_children(m);
    for (uint32_t k = 0; k < m->supernode_count; k++)
        fill_runs(plan, m, &m->supernodes[k]);
    fill_entries(plan, m);
    place_updates(plan, m);
    memcpy((uint32_t *)plan->order, m->order, m->node_count * sizeof m->order[0]);
    memcpy((lt_factor_supernode *)plan->supernodes, m->supernodes,
           m->supernode_count * sizeof m->supernodes[0]);
    count_units(plan);
}

static lt_status make_plan(lt_factor_plan *plan, lt_factor_maker *m, lt_error *error) {
    lt_factor_find_supernodes(m);
    plan->node_count = m->node_count;
    plan->supernode_count = m->supernode_count;
    plan->block_count = m->pattern->row_begin[m->node_count];
    plan->exact_count = m->exact_count;
    if (!count_all(plan, m))
        return lt_fail(error, LT_STATUS_CAPACITY, "a factor of %u nodes has too many rows", m->node_count);
    lt_carver carver = {0};
    carve_plan(plan, &carver);
    plan->memory_size = carver.used;
    plan->memory = lt_allocate(&plan->allocator, plan->memory_size, 1);
    if (!plan->memory)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a factor of %u nodes", m->node_count);
    carver = (lt_carver){.memory = plan->memory};
    carve_plan(plan, &carver);
    fill_plan(plan, m);
    return LT_OK;
}

static lt_status take_order(lt_factor_maker *m, const uint32_t *order, const lt_allocator *allocator,
                            lt_error *error) {
    if (!order) return lt_factor_order(m->order, m->pattern, allocator, error);
    if (!is_permutation(m, order))
        return lt_fail(error, LT_STATUS_INVALID, "the order of a factor has not every one of %u nodes once",
                       m->node_count);
    memcpy(m->order, order, m->node_count * sizeof order[0]);
    return LT_OK;
}

lt_status lt_factor_plan_make(lt_factor_plan *out, const lt_sparse_pattern *pattern, const uint32_t *order,
                              const lt_allocator *allocator, lt_error *error) {
    *out = (lt_factor_plan){.allocator = allocator ? *allocator : lt_allocator_default()};
    lt_factor_maker m = {.pattern = pattern, .node_count = pattern->row_count};
    lt_carver carver = {0};
    carve_maker(&m, &carver);
    m.memory_size = carver.used;
    m.memory = lt_allocate(allocator, m.memory_size, 1);
    if (!m.memory)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory to plan a factor of %u nodes", m.node_count);
    carver = (lt_carver){.memory = m.memory};
    carve_maker(&m, &carver);
    lt_status status = take_order(&m, order, allocator, error);
    if (status == LT_OK) status = make_plan(out, &m, error);
    lt_release(allocator, m.memory, m.memory_size, 1);
    if (status != LT_OK) lt_factor_plan_free(out);
    return status;
}

void lt_factor_plan_free(lt_factor_plan *plan) {
    if (plan->memory) lt_release(&plan->allocator, plan->memory, plan->memory_size, 1);
    *plan = (lt_factor_plan){0};
}
