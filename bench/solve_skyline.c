/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "solve_skyline.h"

#include <string.h>

bool lt_skyline_create(lt_skyline *out, uint32_t node_count, const lt_allocator *allocator) {
    *out =
        (lt_skyline){.node_count = node_count, .allocator = allocator ? *allocator : lt_allocator_default()};
    out->values = LT_ARRAY_OF(allocator, double);
    out->links = LT_ARRAY_OF(allocator, uint32_t[2]);
    out->order = LT_NEW(allocator, node_count, uint32_t);
    out->place = LT_NEW(allocator, node_count, uint32_t);
    out->first = LT_NEW(allocator, node_count, uint32_t);
    out->row_begin = LT_NEW(allocator, 3 * (size_t)node_count, size_t);
    return out->order && out->place && out->first && out->row_begin;
}

void lt_skyline_free(lt_skyline *s) {
    if (!s->allocator.release) return;
    LT_DELETE(&s->allocator, s->order, s->node_count, uint32_t);
    LT_DELETE(&s->allocator, s->place, s->node_count, uint32_t);
    LT_DELETE(&s->allocator, s->first, s->node_count, uint32_t);
    LT_DELETE(&s->allocator, s->row_begin, 3 * (size_t)s->node_count, size_t);
    lt_array_free(&s->values);
    lt_array_free(&s->links);
    *s = (lt_skyline){0};
}

/* ---- the order of rows ---- */

void lt_skyline_begin(lt_skyline *s) {
    s->links.count = s->values.count = 0;
}

bool lt_skyline_link(lt_skyline *s, uint32_t a, uint32_t b) {
    const uint32_t pair[2] = {a, b};
    LT_ASSERT(a < s->node_count && b < s->node_count);
    return a == b || lt_array_push(&s->links, pair);
}

/* Breadth first from `seed`; returns where the visit ended, which is far from the seed. `begin` and `ends` are the links by node. */
static uint32_t visit(lt_skyline *s, const uint32_t *begin, const uint32_t *ends, uint32_t seed,
                      uint32_t from) {
    uint32_t end = from;
    s->order[end] = seed;
    s->place[seed] = end++;
    for (uint32_t at = from; at < end; at++)
        for (uint32_t k = begin[s->order[at]]; k < begin[s->order[at] + 1]; k++) {
            uint32_t next = ends[k];
            if (s->place[next] != LT_NONE) continue;
            s->order[end] = next;
            s->place[next] = end++;
        }
    return end;
}

/* Every component is visited twice: the second time from where the first visit ended. */
static void order_nodes(lt_skyline *s, const uint32_t *begin, const uint32_t *ends) {
    memset(s->place, 0xff, s->node_count * sizeof *s->place);
    uint32_t done = 0;
    for (uint32_t node = 0; node < s->node_count; node++) {
        if (s->place[node] != LT_NONE) continue;
        uint32_t end = visit(s, begin, ends, node, done), far = s->order[end - 1];
        for (uint32_t i = done; i < end; i++)
            s->place[s->order[i]] = LT_NONE;
        done = visit(s, begin, ends, far, done);
    }
}

/* Both ends of links by node, then the order. False: no memory. */
static bool order_by_links(lt_skyline *s) {
    const uint32_t(*links)[2] = s->links.items;
    uint32_t *begin = LT_NEW(&s->allocator, s->node_count + 2, uint32_t);
    uint32_t *ends = LT_NEW(&s->allocator, s->links.count, uint32_t);
    if (begin && ends) {
        for (size_t i = 0; i < s->links.count; i++)
            begin[links[i][0] + 2]++;
        for (uint32_t i = 0; i < s->node_count; i++)
            begin[i + 2] += begin[i + 1];
        for (size_t i = 0; i < s->links.count; i++)
            ends[begin[links[i][0] + 1]++] = links[i][1];
        order_nodes(s, begin, ends);
    }
    LT_DELETE(&s->allocator, begin, s->node_count + 2, uint32_t);
    LT_DELETE(&s->allocator, ends, s->links.count, uint32_t);
    return begin && ends;
}

lt_status lt_skyline_lay_out(lt_skyline *s, lt_error *error) {
    const uint32_t(*links)[2] = s->links.items;
    size_t used = 0;
    if (!order_by_links(s))
        return lt_fail(error, LT_STATUS_MEMORY, "oracle: no memory for the order of rows");
    for (uint32_t i = 0; i < s->node_count; i++)
        s->first[i] = i;
    for (size_t i = 0; i < s->links.count; i++) {
        uint32_t row = s->place[links[i][0]], column = s->place[links[i][1]];
        s->first[row] = lt_min_u32(s->first[row], column);
    }
    for (uint32_t row = 0; row < 3 * s->node_count; row++) {
        size_t skipped = 3 * (size_t)s->first[row / 3];
        s->row_begin[row] = used - skipped; /* not below 0: every row before has its diagonal */
        used += row + 1 - skipped;
    }
    s->values.count = 0;
    if (!lt_array_grow(&s->values, used))
        return lt_fail(error, LT_STATUS_MEMORY, "oracle: no memory for the factor");
    return LT_OK;
}

/* ---- the matrix ---- */

void lt_skyline_clear(lt_skyline *s) {
    memset(s->values.items, 0, s->values.count * sizeof(double));
}

void lt_skyline_add(lt_skyline *s, uint32_t node, uint32_t other, lt_dmat3 block) {
    double *values = s->values.items;
    const lt_dvec3 columns[3] = {block.c0, block.c1, block.c2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            size_t row = 3 * (size_t)s->place[node] + (size_t)i,
                   column = 3 * (size_t)s->place[other] + (size_t)k;
            if (column <= row) values[s->row_begin[row] + column] += lt_d3_get(columns[k], i);
        }
}

/* Four sums at once: one would wait for itself. */
static double dot_rows(const double *a, const double *b, size_t count) {
    double s[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t k = 0; k < 4; k++)
            s[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

bool lt_skyline_factor(lt_skyline *s) {
    double *values = s->values.items;
    for (size_t row = 0; row < 3 * (size_t)s->node_count; row++) {
        size_t begin = 3 * (size_t)s->first[row / 3];
        double *own = values + s->row_begin[row];
        for (size_t column = begin; column < row; column++) {
            size_t other_begin = 3 * (size_t)s->first[column / 3],
                   from = begin > other_begin ? begin : other_begin;
            const double *other = values + s->row_begin[column];
            own[column] = (own[column] - dot_rows(own + from, other + from, column - from)) / other[column];
        }
        double left = own[row] - dot_rows(own + begin, own + begin, row - begin);
        if (!(left > 0)) return false;
        own[row] = sqrt(left);
    }
    return true;
}

static double *component_of(const lt_skyline *s, lt_dvec3 *vectors, size_t row) {
    lt_dvec3 *at = &vectors[s->order[row / 3]];
    return row % 3 == 0 ? &at->x : row % 3 == 1 ? &at->y : &at->z;
}

void lt_skyline_solve(const lt_skyline *s, lt_dvec3 *d) {
    const double *values = s->values.items;
    size_t rows = 3 * (size_t)s->node_count;
    for (size_t row = 0; row < rows; row++) {
        double sum = *component_of(s, d, row);
        for (size_t column = 3 * (size_t)s->first[row / 3]; column < row; column++)
            sum -= values[s->row_begin[row] + column] * *component_of(s, d, column);
        *component_of(s, d, row) = sum / values[s->row_begin[row] + row];
    }
    for (size_t row = rows; row-- > 0;) {
        double value = *component_of(s, d, row) /= values[s->row_begin[row] + row];
        for (size_t column = 3 * (size_t)s->first[row / 3]; column < row; column++)
            *component_of(s, d, column) -= values[s->row_begin[row] + column] * value;
    }
}
