/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who comes when. Who has waited longest comes first, so that a round of turns, however many steps it takes, serves everybody
 * once before it serves anybody twice. Among those that have waited equally long pairs are coloured: those of one
 * colour share no body, and their turns may be taken at the same time with the same result as one after the other. */

#include "method/cell_work.h"

#include "core/heap.h"

static bool comes_later(const uint64_t *x, const uint64_t *y) {
    return *x > *y;
}
LT_HEAP(key, uint64_t, comes_later)

static void sort_by_age(lt_cell_work *w, const lt_pair_list *pairs) {
    lt_pair *cut = &w->method->cut;
    bool in_order = true, goes_on = false;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *p = &pairs->pairs[i];
        bool first = p->a == cut->a && p->kind == cut->kind && p->b == cut->b;
        uint32_t rank = first ? 0 : UINT32_MAX - lt_min_u32(pairs->turns[i].age, UINT32_MAX - 1);
        w->keys[i] = (uint64_t)rank << 32 | i;
        goes_on = goes_on || first;
        in_order = in_order && (i == 0 || w->keys[i - 1] < w->keys[i]);
    }
    if (!goes_on) cut->a = LT_NONE; /* they have parted */
    if (!in_order) key_sort(w->keys, pairs->count);
}

/* The least colour that neither body has yet. */
static uint8_t color_of(lt_cell_work *w, const lt_pair *pair) {
    uint32_t bodies[2], count = lt_cell_pair_bodies(bodies, pair);
    uint64_t taken = w->colors[bodies[0]] | w->colors[bodies[count - 1]];
    if (taken == UINT64_MAX) return LT_CELL_CLASS_NONE;
    uint64_t bit = ~taken & (taken + 1);
    w->colors[bodies[0]] |= bit;
    w->colors[bodies[count - 1]] |= bit;
    return (uint8_t)__builtin_ctzll(bit);
}

/* Pairs of the keys [begin, end) by colour, then index. */
static void order_class(lt_cell_work *w, const lt_pair_list *pairs, uint32_t begin, uint32_t end) {
    uint32_t ends[LT_CELL_CLASS_NONE + 1] = {0}, sum = begin;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->colors[i] = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t pair = (uint32_t)w->keys[i];
        w->classes[pair] = color_of(w, &pairs->pairs[pair]);
        ends[w->classes[pair]]++;
    }
    for (uint32_t color = 0; color <= LT_CELL_CLASS_NONE; color++) {
        uint32_t count = ends[color];
        ends[color] = sum;
        sum += count;
    }
    for (uint32_t i = begin; i < end; i++) {
        uint32_t pair = (uint32_t)w->keys[i];
        w->order[ends[w->classes[pair]]++] = pair;
    }
}

void lt_cell_order(lt_cell_work *work) {
    const lt_pair_list *pairs = &work->method->memory.pairs;
    sort_by_age(work, pairs);
    for (uint32_t begin = 0, end; begin < pairs->count; begin = end) {
        for (end = begin + 1; end < pairs->count && work->keys[end] >> 32 == work->keys[begin] >> 32;)
            end++;
        order_class(work, pairs, begin, end);
    }
}
