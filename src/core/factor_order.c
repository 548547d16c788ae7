/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Minimum degree on a quotient graph: an eliminated node leaves an element, the list of its neighbours, in place of the edges
 * between all of them. A node has elements and neighbours that no element names, in the slots that its neighbours had at first:
 * each elimination takes at least one item out for the element that comes in.
 *
 * Degrees are bounds from above, by sizes of elements without what they share with the new one: exact ones would take the union of
 * all lists, for a hundredth less fill. Among nodes of one degree the last to get it is next. */

#include "core/factor.h"

typedef struct quotient {
    const lt_sparse_pattern *pattern;
    uint32_t *items;         /* [entries of the pattern] of node i from row_begin[i]: elements, then nodes */
    uint32_t *element_count; /* [node_count] */
    uint32_t *item_count;    /* [node_count] both */
    uint32_t *degree;        /* [node_count] */
    uint32_t *head;          /* [node_count] first node of a degree */
    uint32_t *next, *before; /* [node_count] of the same degree */
    uint32_t *outside;       /* [node_count] of an element: members that the new one has not */
    uint32_t *stamp;         /* [node_count] step + 1 in which `outside` is of, or a node was met */
    size_t *member_begin;    /* [node_count] of an element, in members */
    uint32_t *member_count;  /* [node_count]; 0: absorbed */
    lt_array members;        /* uint32_t */
    uint32_t node_count;
    uint32_t least; /* no node has a smaller degree */
} quotient;

static void carve_quotient(quotient *q, lt_carver *carver) {
    uint32_t n = q->node_count;
    uint32_t **const arrays[] = {&q->element_count, &q->item_count, &q->degree, &q->head,        &q->next,
                                 &q->before,        &q->outside,    &q->stamp,  &q->member_count};
    for (size_t i = 0; i < LT_COUNT_OF(arrays); i++)
        *arrays[i] = lt_carve(carver, n, sizeof(uint32_t));
    q->items = lt_carve(carver, q->pattern->row_begin[n], sizeof(uint32_t));
    q->member_begin = lt_carve(carver, n, sizeof(size_t));
}

static void link_node(quotient *q, uint32_t node) {
    uint32_t degree = q->degree[node], first = q->head[degree];
    q->before[node] = LT_NONE;
    q->next[node] = first;
    if (first != LT_NONE) q->before[first] = node;
    q->head[degree] = node;
    if (degree < q->least) q->least = degree;
}

static void unlink_node(quotient *q, uint32_t node) {
    uint32_t next = q->next[node], before = q->before[node];
    if (next != LT_NONE) q->before[next] = before;
    if (before != LT_NONE)
        q->next[before] = next;
    else
        q->head[q->degree[node]] = next;
}

static void fill_quotient(quotient *q) {
    const lt_sparse_pattern *p = q->pattern;
    for (uint32_t i = 0; i < q->node_count; i++)
        q->head[i] = LT_NONE;
    for (uint32_t i = q->node_count; i-- > 0;) {
        uint32_t count = 0;
        for (uint32_t e = p->row_begin[i]; e < p->row_begin[i + 1]; e++)
            if (p->columns[e] != i) q->items[p->row_begin[i] + count++] = p->columns[e];
        q->degree[i] = q->item_count[i] = count;
        link_node(q, i);
    }
}

static uint32_t take_least(quotient *q) {
    while (q->head[q->least] == LT_NONE)
        q->least++;
    uint32_t node = q->head[q->least];
    unlink_node(q, node);
    return node;
}

/* Room for all that the new element can have. */
static bool make_room(quotient *q, uint32_t pivot) {
    const uint32_t *items = q->items + q->pattern->row_begin[pivot];
    size_t most = q->item_count[pivot];
    for (uint32_t k = 0; k < q->element_count[pivot]; k++)
        most += q->member_count[items[k]];
    return lt_array_make_room(&q->members, most);
}

/* The element of the pivot: its neighbours and those of its elements, which it absorbs. Stamps them and the pivot. */
static void make_element(quotient *q, uint32_t pivot, uint32_t stamp) {
    const uint32_t *items = q->items + q->pattern->row_begin[pivot];
    uint32_t *members = q->members.items, count = 0;
    q->member_begin[pivot] = q->members.count;
    uint32_t *own = members + q->members.count;
    q->stamp[pivot] = stamp;
    for (uint32_t k = 0; k < q->item_count[pivot]; k++) {
        bool is_element = k < q->element_count[pivot];
        const uint32_t *list = is_element ? members + q->member_begin[items[k]] : items + k;
        uint32_t length = is_element ? q->member_count[items[k]] : 1;
        for (uint32_t m = 0; m < length; m++)
            if (q->stamp[list[m]] != stamp) {
                q->stamp[list[m]] = stamp;
                own[count++] = list[m];
            }
        if (is_element) q->member_count[items[k]] = 0;
    }
    q->member_count[pivot] = count;
    q->members.count += count;
}

/* Elements are stamped apart from nodes: an element is a node that is gone, and the pivot is the only one of this step. */
static void count_outside(quotient *q, uint32_t pivot, uint32_t stamp) {
    const uint32_t *members = (const uint32_t *)q->members.items + q->member_begin[pivot];
    for (uint32_t m = 0; m < q->member_count[pivot]; m++) {
        const uint32_t *items = q->items + q->pattern->row_begin[members[m]];
        for (uint32_t k = 0; k < q->element_count[members[m]]; k++) {
            uint32_t element = items[k];
            if (q->member_count[element] == 0) continue;
            if (q->stamp[element] != stamp) q->outside[element] = q->member_count[element];
            q->stamp[element] = stamp;
            q->outside[element]--;
        }
    }
}

/* What is left of a member's list, and its degree. An element that is all inside the new one is absorbed. */
static void renew_member(quotient *q, uint32_t node, uint32_t pivot, uint32_t stamp, uint32_t left) {
    uint32_t *items = q->items + q->pattern->row_begin[node], kept[2] = {0, 0};
    uint32_t others = q->member_count[pivot] - 1, degree = others;
    uint32_t elements = q->element_count[node], count = q->item_count[node], at = 0;
    for (uint32_t k = 0; k < elements; k++)
        if (q->member_count[items[k]] > 0) {
            if (q->outside[items[k]] == 0) continue;
            degree += q->outside[items[k]];
            items[at++] = items[k];
        }
    kept[0] = at;
    for (uint32_t k = elements; k < count; k++)
        if (q->stamp[items[k]] != stamp) items[at++] = items[k];
    kept[1] = at - kept[0];
    LT_ASSERT(at < count); /* the pivot, or an element that it has absorbed */
    items[at] = items[kept[0]];
    items[kept[0]] = pivot;
    q->element_count[node] = kept[0] + 1;
    q->item_count[node] = at + 1;
    degree = lt_min_u32(degree + kept[1], q->degree[node] + others);
    q->degree[node] = lt_min_u32(degree, left - 1);
}

static bool eliminate(quotient *q, uint32_t pivot, uint32_t step) {
    if (!make_room(q, pivot)) return false;
    make_element(q, pivot, step + 1);
    count_outside(q, pivot, step + 1);
    const uint32_t *members = (const uint32_t *)q->members.items + q->member_begin[pivot];
    for (uint32_t m = 0; m < q->member_count[pivot]; m++) {
        unlink_node(q, members[m]);
        renew_member(q, members[m], pivot, step + 1, q->node_count - step - 1);
        link_node(q, members[m]);
    }
    return true;
}

lt_status lt_factor_order(uint32_t *order, const lt_sparse_pattern *pattern, const lt_allocator *allocator,
                          lt_error *error) {
    LT_ASSERT(pattern->row_begin[0] == 0);
    quotient q = {.pattern = pattern, .node_count = pattern->row_count, .least = UINT32_MAX};
    q.members = LT_ARRAY_OF(allocator, uint32_t);
    lt_carver carver = {0};
    carve_quotient(&q, &carver);
    size_t size = carver.used;
    carver = (lt_carver){.memory = lt_allocate(allocator, size, 1)};
    bool fits = carver.memory != NULL;
    if (fits) {
        carve_quotient(&q, &carver);
        fill_quotient(&q);
    }
    for (uint32_t step = 0; fits && step < q.node_count; step++) {
        order[step] = take_least(&q);
        fits = eliminate(&q, order[step], step);
    }
    lt_array_free(&q.members);
    lt_release(allocator, carver.memory, size, 1);
    return fits ? LT_OK
                : lt_fail(error, LT_STATUS_MEMORY, "no memory for an order of %u nodes", pattern->row_count);
}
