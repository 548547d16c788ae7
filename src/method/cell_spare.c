/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that need no turn.
 *
 *   parted  One half of the pairs whose boxes overlap are told apart by boxes that turn with the bodies, in a tenth of the time that
 *           a turn takes: all of them, in every step in which neither of the following holds
 *   apart   Three of four pairs of a heap only have boxes around them that overlap. The turn of such a one finds how far the boxes
 *           of cells are apart at least, up to APART, and the two must come that much nearer before they can touch. The result
 *           is that of looking; only what it costs is less
 *   still   A pair that touches, and has not moved by more than LT_CELL_STILL since its last turn: its contacts go on pushing from where
 *           they are now, and nothing else of it is deeper by more than that. What rests costs next to nothing
 *
 *   waits   A pair that had no turn, and is not so deep that it has to be held, or is no longer (cell_roots.c): nobody looks at it
 *           until it can have become so, or part
 *
 * What their nodes are away from where they were then is taken off each, and as long as some is left the pair counts as
 * looked at, or need not be: the way there does not matter, or a body that trembles in its place would be looked at for ever. It is measured
 * from where the body was seen last (lt_soft.x_seen), which is renewed when that is far: d0 when the pair had its turn, d now,
 *
 *     |x − x_turn| ≤ d0 + d        after the body was seen anew, D from where it was seen before:  ≤ d0 + D + d
 *
 * margin − d0 − D … is kept in the pair (`next`, the bits of a float): > 0 apart, < 0 still; the last bit: waits. */

#include "method/cell_work.h"

/* × the smaller cell. */
static const float APART = 0.1f;
/* × cell: a body that went farther is seen anew; a quarter of LT_CELL_STILL, of which the four distances of a pair are taken. */
static const float SEEN = 0.25f * LT_CELL_STILL;

enum { WAITS = 1 };

/* Of lt_cell_work.turned. */
enum { NOT_TURNED, WANTED, TURNED };

static float margin_of(const lt_pair *pair) {
    uint32_t bits = lt_words_of(pair)->next & ~(uint32_t)WAITS;
    float margin;
    memcpy(&margin, &bits, sizeof margin);
    return margin;
}
static void keep_margin(lt_pair *pair, float margin, uint32_t waits) {
    uint32_t bits;
    margin = fabsf(margin) < 1e30f ? margin : 0;
    memcpy(&bits, &margin, sizeof bits);
    lt_words_of(pair)->next = (bits & ~(uint32_t)WAITS) | (margin > 0 ? waits : 0);
}

/* Of either kind, 0: used up. */
static float less(float margin, float way) {
    return margin > 0 ? lt_max_f(0, margin - way) : lt_min_f(0, margin + way);
}

/* How far its nodes are from where they were seen, at most: the largest squares along each axis, added up. */
static float distance_from_seen(const lt_soft *soft) {
    lt_r4 most = lt_r4_splat(0);
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i += 4) {
        lt_r4 way = lt_r4_sub(lt_r4_load(soft->x + i), lt_r4_load(soft->x_seen + i));
        most = lt_r4_max(lt_r4_mul(way, way), most);
    }
    lt_rvec3 squares = lt_r4_xyz(most);
    return (float)lt_sqrt_r(squares.x + squares.y + squares.z);
}

static void prefetch_body(const lt_cell_work *w, uint32_t body) {
    if (body >= w->step->collider_count || !w->step->colliders[body].in_use) return;
    const lt_soft *soft = &w->step->softs[body];
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count && i < 512; i += 64 / sizeof(lt_real)) {
        __builtin_prefetch(soft->x + i);
        __builtin_prefetch(soft->x_seen + i);
    }
}

/* Measures a body, once a step. */
static void see_body(lt_cell_work *w, uint32_t body) {
    lt_soft *soft = &w->step->softs[body];
    float distance = distance_from_seen(soft);
    w->travels[body] = distance;
    if (distance <= SEEN * w->boxes[body]->cell_size) return;
    memcpy(soft->x_seen, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    w->travels[body] = 0;
    w->displacements[body] = distance;
}

/* Of both sides; of a body with itself both move. */
static float sum_of_sides(const float *ways, const lt_pair *pair) {
    return ways[pair->a] + (pair->kind == LT_PAIR_OBSTACLE ? 0 : ways[pair->b]);
}

/* What is due in this step, for good. */
static float fare_of_pair(const lt_cell_work *w, const lt_pair *pair) {
    float fare = sum_of_sides(w->displacements, pair);
    if (pair->kind != LT_PAIR_OBSTACLE || !w->step->obstacles[pair->b].moving) return fare;
    return fare + lt_obstacle_sweep(lt_step_obstacle(w->step, pair), w->bounds[pair->a], w->step->dt);
}

/* Two edges of the cell in the middle. */
static void turn_box(lt_cell_work *w, uint32_t body) {
    if (w->turned[body] == TURNED) return;
    const lt_cell_layout *layout = w->boxes[body]->layout;
    const uint32_t *nodes = layout->nodes + 8 * (size_t)layout->middle;
    const lt_soft *soft = &w->step->softs[body];
    lt_vec3 corners[3];
    for (int k = 0; k < 3; k++) {
        const float *at = soft->nodes + 4 * (size_t)nodes[k];
        corners[k] = (lt_vec3){at[0], at[1], at[2]};
    }
    w->oriented[body] =
        lt_oriented_around(soft->nodes, soft->carrier.node_count, lt_v3_sub(corners[1], corners[0]),
                           lt_v3_sub(corners[2], corners[0]));
    w->turned[body] = TURNED;
}

void lt_cell_overlap(lt_cell_work *work, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&work->method->memory.pairs, index);
    lt_cell_outcome *outcome = &work->outcomes[index];
    turn_box(work, pair->a);
    turn_box(work, pair->b);
    outcome->overlap = -lt_oriented_gap(&work->oriented[pair->a], &work->oriented[pair->b], &outcome->axis);
}

/* As a turn that found them apart. What overlaps is kept for those who will have no turn (cell_roots.c). */
static void part(lt_cell_work *w, uint32_t index) {
    lt_cell_outcome *outcome = &w->outcomes[index];
    lt_cell_overlap(w, index);
    outcome->done = outcome->whole = outcome->overlap < 0;
    outcome->gap = lt_min_f(-outcome->overlap,
                            APART * lt_cell_of_pair(w, lt_worded_pair_at(&w->method->memory.pairs, index)));
}

/* ---- all pairs, as one piece of work ---- */

typedef struct sparing {
    lt_cell_work *work;
    bool done;
} sparing;

static void see_bodies(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    lt_cell_work *w = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++) {
        prefetch_body(w, i + 2);
        if (w->step->colliders[i].in_use) see_body(w, i);
    }
}

static void look_at(const lt_cell_work *w, uint32_t index) {
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_cell_outcome *outcome = &w->outcomes[index];
    uint32_t waits = lt_words_of(pair)->next & WAITS;
    float margin = less(margin_of(pair), fare_of_pair(w, pair));
    keep_margin(pair, margin, waits);
    bool is_left = less(margin, sum_of_sides(w->travels, pair)) != 0;
    outcome->done = outcome->spared = is_left && !waits;
    outcome->waits = is_left && waits;
    bool touched = outcome->held_begin < outcome->held_end; /* overlaps, as a rule */
    outcome->may_part = !is_left && !touched && pair->kind == LT_PAIR_BODIES && !w->params.as_printed;
}

static void look_at_pairs(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    (void)chunk;
    for (uint32_t i = begin; i < end; i++)
        look_at(context, i);
}

/* Marks bodies whose boxes are to be turned; returns how many pairs may part. */
static uint32_t want_boxes(lt_cell_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (!w->outcomes[i].may_part) continue;
        w->turned[lt_worded_pair_at(pairs, i)->a] = w->turned[lt_worded_pair_at(pairs, i)->b] = WANTED;
        count++;
    }
    return count;
}

static void turn_boxes(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    lt_cell_work *w = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++)
        if (w->turned[i] == WANTED) turn_box(w, i);
}

static void part_pairs(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    lt_cell_work *w = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++)
        if (w->outcomes[i].may_part) part(w, i);
}

/* At least. */
static lt_piece peek(const void *state) {
    const sparing *s = state;
    return (lt_piece){LT_WORK_BROAD, s->done ? 0 : 1 + s->work->method->memory.pairs.count, 0};
}

static uint32_t step(void *state, uint32_t grant) {
    enum { BODIES = 64, PAIRS = 512 };
    sparing *s = state;
    lt_cell_work *w = s->work;
    lt_tasks *tasks = w->step->tasks;
    uint32_t bodies = w->step->collider_count, pairs = w->method->memory.pairs.count, units = 1 + pairs;
    (void)grant; /* it is done in any case */
    lt_tasks_for(tasks, bodies, BODIES, see_bodies, w);
    lt_tasks_for(tasks, pairs, PAIRS, look_at_pairs, w);
    units += LT_ORIENTED_UNITS * want_boxes(w);
    lt_tasks_for(tasks, bodies, BODIES, turn_boxes, w);
    lt_tasks_for(tasks, pairs, PAIRS, part_pairs, w);
    for (uint32_t i = 0; i < bodies; i++)
        if (w->turned[i]) units += w->step->softs[i].carrier.node_count / LT_ORIENTED_NODES_A_UNIT;
    s->done = true;
    return units;
}

void lt_cell_spare_begin(lt_cell_work *work) {
    sparing s = {work, false};
    for (uint32_t i = 0; i < work->step->collider_count; i++) {
        work->travels[i] = work->displacements[i] = work->moves[i] = 0;
    }
    lt_spend_fully(work->step->meter, LT_STAGE_BROAD, (lt_cursor){&s, peek, step});
}

float lt_cell_apart_margin(const lt_cell_work *work, const lt_pair *pair) {
    if (pair->kind != LT_PAIR_BODIES || work->params.as_printed) return 0;
    return APART * lt_cell_of_pair(work, pair);
}

/* Of a pair that had a turn, whole. */
static float margin_found(const lt_cell_work *w, const lt_pair *pair, const lt_cell_outcome *outcome) {
    if (!outcome->done || !outcome->whole || w->params.as_printed) return 0;
    return outcome->gap > 0 ? outcome->gap : -LT_CELL_STILL * lt_cell_of_pair(w, pair);
}

/* Where they are from where they were seen, at most, and corrections of this step, which may have moved them since they were looked
 * at. */
static float way_since_seen(const lt_cell_work *w, const lt_pair *pair) {
    return sum_of_sides(w->travels, pair) + sum_of_sides(w->moves, pair);
}

void lt_cell_wait(const lt_cell_work *work, uint32_t index, float margin) {
    lt_pair *pair = lt_worded_pair_at(&work->method->memory.pairs, index);
    keep_margin(pair, less(lt_max_f(0, margin), way_since_seen(work, pair)), WAITS);
}

void lt_cell_spare_end(const lt_cell_work *work, uint32_t index) {
    lt_pair *pair = lt_worded_pair_at(&work->method->memory.pairs, index);
    float margin = margin_found(work, pair, &work->outcomes[index]);
    keep_margin(pair, less(margin, way_since_seen(work, pair)), 0);
}
