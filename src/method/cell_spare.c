/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that need no turn.
 *
 *   apart   Three of four pairs of a heap only have boxes around them that overlap. The turn of such a one finds how far the boxes
 *           of cells are apart at least, up to APART, and the two must come that much nearer before they can touch. The result
 *           is that of looking; only what it costs is less
 *   still   A pair that touches, and has not moved by more than LT_CELL_STILL since its last turn: its contacts go on pushing from where
 *           they are now, and nothing else of it is deeper by more than that. What rests costs next to nothing
 *
 * What their fastest nodes have gone since, in motion and by corrections, is taken off either, and as long as some is left
 * the pair counts as looked at. What is left is kept in the pair (`next`, the bits of a float): > 0 apart, < 0 still. */

#include "method/cell_work.h"

/* × the smaller cell. A heap that trembles at 0.05 m/s uses it up in some fifteen steps of 5 ms. */
static const float APART = 0.1f;

static float margin_of(const lt_pair *pair) {
    float margin;
    memcpy(&margin, &pair->next, sizeof margin);
    return margin;
}
static void keep_margin(lt_pair *pair, float margin) {
    margin = fabsf(margin) < 1e30f ? margin : 0;
    memcpy(&pair->next, &margin, sizeof margin);
}

/* Of either kind, 0: used up. */
static float less(float margin, float way) {
    return margin > 0 ? lt_max_f(0, margin - way) : lt_min_f(0, margin + way);
}

static float cell_of_pair(const lt_cell_work *w, const lt_pair *pair) {
    float cell = w->boxes[pair->a]->cell_size;
    return pair->kind == LT_PAIR_BODIES ? lt_min_f(cell, w->boxes[pair->b]->cell_size) : cell;
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

/* Both sides of a body with itself move. */
static float travel_of_pair(lt_cell_work *w, const lt_pair *pair) {
    float way = travel_in_step(w, pair->a);
    if (pair->kind != LT_PAIR_OBSTACLE) return way + travel_in_step(w, pair->b);
    const lt_obstacle *obstacle = &w->step->obstacles[pair->b];
    return obstacle->moving ? way + lt_obstacle_sweep(obstacle, w->bounds[pair->a], w->step->dt) : way;
}

void lt_cell_spare_begin(lt_cell_work *work) {
    lt_pair_list *pairs = &work->method->memory.pairs;
    for (uint32_t i = 0; i < work->step->collider_count; i++) {
        work->travels[i] = -1;
        work->moves[i] = 0;
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair *pair = &pairs->pairs[i];
        float margin = margin_of(pair);
        if (margin == 0) continue;
        margin = less(margin, travel_of_pair(work, pair));
        keep_margin(pair, margin);
        work->fates[i].done = work->fates[i].spared = margin != 0;
    }
}

float lt_cell_apart_margin(const lt_cell_work *work, const lt_pair *pair) {
    if (pair->kind != LT_PAIR_BODIES || work->params.as_printed) return 0;
    return APART * cell_of_pair(work, pair);
}

/* Of a pair that had a turn, whole. */
static float margin_found(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate) {
    if (!fate->done || !fate->whole || w->params.as_printed) return 0;
    return fate->gap > 0 ? fate->gap : -LT_CELL_STILL * cell_of_pair(w, pair);
}

void lt_cell_spare_end(lt_cell_work *work) {
    lt_pair_list *pairs = &work->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair *pair = &pairs->pairs[i];
        const lt_cell_fate *fate = &work->fates[i];
        float margin = fate->spared ? margin_of(pair) : margin_found(work, pair, fate);
        float moved = work->moves[pair->a] + (pair->kind == LT_PAIR_OBSTACLE ? 0 : work->moves[pair->b]);
        keep_margin(pair, less(margin, moved));
    }
}
