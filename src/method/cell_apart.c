/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs of bodies that are proved apart need no turn. Three of four pairs of a heap only have boxes around them that overlap. The
 * turn of such a one finds how far the boxes of cells are apart at least, up to MARGIN, and the two must come that much nearer
 * before they can touch: what their fastest nodes have gone since, in motion and by corrections, is taken off the margin, and as long as
 * some is left the pair counts as looked at. The result is that of looking; only what it costs is less.
 *
 * The margin that is left is kept in the pair (`next`, the bits of a float). */

#include "method/cell_work.h"

/* × the smaller cell. A heap that trembles at 0.05 m/s uses it up in some fifteen steps of 5 ms. */
static const float MARGIN = 0.1f;

static float margin_of(const lt_pair *pair) {
    float margin;
    memcpy(&margin, &pair->next, sizeof margin);
    return margin;
}
static void keep_margin(lt_pair *pair, float margin) {
    margin = margin > 0 && margin < 1e30f ? margin : 0;
    memcpy(&pair->next, &margin, sizeof margin);
}

/* How far nodes went in this step, at most: the largest squares along each axis, added up. */
static float travel_of(const lt_soft *soft) {
    lt_real most[4] = {0, 0, 0, 0};
    const lt_real *x = soft->x, *before = soft->x_before;
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i += 4)
        for (size_t k = 0; k < 4; k++) {
            lt_real way = x[i + k] - before[i + k], square = way * way;
            most[k] = square > most[k] ? square : most[k];
        }
    return (float)lt_sqrt_r(most[0] + most[1] + most[2]);
}

static float travel_in_step(lt_cell_work *w, uint32_t body) {
    float *travel = &w->travels[body];
    if (*travel < 0) *travel = w->step->colliders[body].asleep ? 0 : travel_of(&w->step->softs[body]);
    return *travel;
}

void lt_cell_apart_begin(lt_cell_work *work) {
    lt_pair_list *pairs = &work->method->memory.pairs;
    for (uint32_t i = 0; i < work->step->collider_count; i++) {
        work->travels[i] = -1;
        work->moves[i] = 0;
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair *pair = &pairs->pairs[i];
        float margin = margin_of(pair);
        if (pair->kind != LT_PAIR_BODIES || !(margin > 0)) continue;
        margin -= travel_in_step(work, pair->a) + travel_in_step(work, pair->b);
        keep_margin(pair, margin);
        work->fates[i].done = work->fates[i].apart = margin > 0;
    }
}

float lt_cell_apart_margin(const lt_cell_work *work, const lt_pair *pair) {
    if (pair->kind != LT_PAIR_BODIES || work->params.as_printed) return 0;
    return MARGIN * lt_min_f(work->boxes[pair->a]->cell_size, work->boxes[pair->b]->cell_size);
}

void lt_cell_apart_end(lt_cell_work *work) {
    lt_pair_list *pairs = &work->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair *pair = &pairs->pairs[i];
        const lt_cell_fate *fate = &work->fates[i];
        if (pair->kind != LT_PAIR_BODIES) continue;
        float margin = fate->apart ? margin_of(pair) : fate->gap;
        keep_margin(pair, margin - work->moves[pair->a] - work->moves[pair->b]);
    }
}
