/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who comes when. Who has waited longest comes first, so that a round of turns, however many steps it takes, serves everybody
 * once before it serves anybody twice. Among those that have waited equally long:
 *
 *   nobody waits   pairs are coloured: those of one colour share no body, and their turns may be taken at the same time with the
 *                  same result as one after the other
 *   some wait      as they are listed, all of a body in a row: its boxes are fitted in the steps in which it has turns, not in
 *                  every step */

#include "method/cell_work.h"

enum {
    OLDEST = 255, /* classes of age */
    SINGLE =
        128, /* steps that are classes of their own, as long as a round should take; then sixteen of every octave */
    HURRY =
        8 /* where few of the pairs are with obstacles, their steps count so often: who falls through the floor is lost */
};

static bool was_cut(const lt_cell_work *w, const lt_pair *p) {
    return lt_pair_is_same(p, &w->method->cut);
}

static uint32_t hurry_of_obstacles(const lt_pair_table *pairs) {
    uint32_t obstacles = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        obstacles += lt_worded_pair_at(pairs, i)->kind == LT_PAIR_OBSTACLE;
    return HURRY * obstacles < pairs->count ? HURRY : 1;
}

/* Grows with age, at most OLDEST - 1. If all who have waited longer than some steps were as old, a round that takes more than these
 * would serve the first of the list again and again, and others never. */
static uint32_t class_of_age(uint32_t age) {
    if (age < SINGLE) return age;
    uint32_t octave = 31 - (uint32_t)__builtin_clz(age / SINGLE);
    uint32_t part = age / (SINGLE / 16) >> octave; /* 16 … 31 */
    return lt_min_u32(SINGLE + 16 * octave + part - 16, OLDEST - 1);
}

/* The pair that was cut, then by age; ends[age] is where those end. */
static void sort_by_age(lt_cell_work *w, const lt_pair_table *pairs, uint32_t *sorted,
                        uint32_t ends[OLDEST + 2]) {
    uint32_t at = 0, hurry = hurry_of_obstacles(pairs);
    bool goes_on = false;
    memset(ends, 0, (OLDEST + 2) * sizeof *ends);
    for (uint32_t i = 0; i < pairs->count; i++) {
        bool first = was_cut(w, lt_worded_pair_at(pairs, i));
        if (w->outcomes[i].done) continue;
        uint32_t age = lt_pair_turn_at(pairs, i)->age *
                       (lt_worded_pair_at(pairs, i)->kind == LT_PAIR_OBSTACLE ? hurry : 1);
        w->classes[i] = (uint8_t)(first ? 0 : OLDEST - class_of_age(age));
        ends[w->classes[i]]++;
        goes_on = goes_on || first;
    }
    if (!goes_on) w->method->cut.a = LT_NONE; /* they have parted */
    for (uint32_t rank = 0; rank <= OLDEST; rank++) {
        uint32_t count = ends[rank];
        ends[rank] = at;
        at += count;
    }
    for (uint32_t i = 0; i < pairs->count; i++)
        if (!w->outcomes[i].done) sorted[ends[w->classes[i]]++] = i;
    w->order_count = at;
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

/* Pairs of [begin, end) by colour, then index. */
static void order_class(lt_cell_work *w, const lt_pair_table *pairs, const uint32_t *sorted, uint32_t begin,
                        uint32_t end) {
    uint32_t ends[LT_CELL_CLASS_NONE + 1] = {0}, sum = begin;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->colors[i] = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t pair = sorted[i];
        w->classes[pair] = color_of(w, lt_worded_pair_at(pairs, pair));
        ends[w->classes[pair]]++;
    }
    for (uint32_t color = 0; color <= LT_CELL_CLASS_NONE; color++) {
        uint32_t count = ends[color];
        ends[color] = sum;
        sum += count;
    }
    for (uint32_t i = begin; i < end; i++)
        w->order[ends[w->classes[sorted[i]]]++] = sorted[i];
}

void lt_cell_order(lt_cell_work *work) {
    const lt_pair_table *pairs = &work->method->memory.pairs;
    uint32_t ends[OLDEST + 2];
    sort_by_age(work, pairs, work->sorted, ends);
    if (ends[OLDEST - 1] == 0) { /* nobody waits */
        order_class(work, pairs, work->sorted, 0, work->order_count);
        return;
    }
    memcpy(work->order, work->sorted, work->order_count * sizeof *work->order);
    memset(work->classes, LT_CELL_CLASS_NONE, pairs->count);
}
