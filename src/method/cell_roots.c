/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that had no turn in a step, and no contacts that carry them, are held by the boxes that turn with their bodies, no deeper in
 * each other by more than a part of a cell than they were when they had one; those that never had one, than when they met. One
 * answer a pair: the approach of the two mean velocities ends, and they are moved back by what they came nearer in the step, all
 * nodes of a body alike, each body by its share of the mass. So momentum is kept, nothing turns or deforms, and whatever the
 * budget nothing passes through. Boxes around bodies that tumble overlap more without anything being deeper: when they were moved
 * out of all of that at once, a heap of letters was blown to twice its height.
 *
 * Against an obstacle the deepest of the corners and the middle of the box along the axes counts. A body with pins cannot be
 * moved.
 *
 * Nothing of this is told as a contact: thousands of pairs may wait in a heap, and listing them took a quarter of a budget of
 * 5 ms. The report says how many there are, and how deep they may be at most. */

#include "method/cell_work.h"

static lt_root root_of(const lt_cell_work *w, const lt_pair *pair, const lt_cell_fate *fate) {
    if (pair->kind == LT_PAIR_OBSTACLE)
        return lt_root_of_obstacle(w->bounds[pair->a], &w->step->obstacles[pair->b]);
    if (w->params.as_printed) return lt_root_of_boxes(w->bounds[pair->a], w->bounds[pair->b]);
    lt_vec3 sum = lt_v3_add(w->oriented[pair->a].center, w->oriented[pair->b].center);
    return (lt_root){fate->overlap, fate->axis, lt_v3_scale(sum, 0.5f)};
}

/* m/s², × dt: the speed at which boxes around bodies part if they do not part by themselves. Several times what weight adds
 * in a step: of a stack the lowest goes down half the way. Not in a crowd, where boxes push from all sides: a heap boiled on
 * that. */
static const lt_real RECOVERY = 60;
enum { CROWD = 5 }; /* pairs of a body that wait */

static bool is_crowded(const lt_cell_work *w, const lt_pair *pair) {
    return w->waiting[pair->a] >= CROWD || w->waiting[pair->b] >= CROWD;
}

/* They stop to approach, and bodies go back by what they approached in the step at least. Returns the impulse on a. */
static lt_rvec3 answer(const lt_cell_work *w, const lt_pair *pair, const lt_root *r, float excess) {
    lt_real most = (lt_real)w->boxes[pair->a]->cell_size / 4, dt = (lt_real)w->step->dt;
    if (pair->kind == LT_PAIR_BODIES) {
        lt_real least = is_crowded(w, pair) ? 0 : RECOVERY * dt;
        most = lt_min_r(most, lt_max_r(least, lt_root_approach(w->step, w->pushes, pair, r)) * dt);
    }
    return lt_root_answer(w->step, w->pushes, pair, r, 1, lt_min_r((lt_real)excess, most));
}

/* ---- all pairs ---- */

typedef struct rooting {
    lt_cell_work *work;
    uint32_t next;
} rooting;

/* By contacts: among few others boxes hold it all the same. */
static bool is_carried(const lt_pair *pair, const lt_cell_fate *fate) {
    return pair->kind == LT_PAIR_BODIES && fate->held_begin < fate->held_end;
}

/* A quarter of a cell between bodies: so deep boxes of cells are still parted the way they came in when the pair has its turn. Without it
 * a heap in which pairs wait for a step or two now and then is blown up by the boxes around its bodies. */
static float slack_of(const lt_cell_work *w, const lt_pair *pair) {
    return (pair->kind == LT_PAIR_OBSTACLE ? 0.1f : 0.25f) * lt_cell_of_pair(w, pair);
}

static void look_at(lt_cell_work *w, uint32_t index) {
    lt_pair *pair = &w->method->memory.pairs.pairs[index];
    lt_cell_fate *fate = &w->fates[index];
    if (pair->kind == LT_PAIR_SELF) {
        if (!fate->done) fate->bound = lt_pair_depth_bound(w->step, pair);
        return;
    }
    if (fate->spared) return; /* as deep as at its last turn, or nearly */
    if (fate->waits && !fate->done) {
        fate->bound = lt_root_known_depth(pair->left) + slack_of(w, pair);
        return;
    }
    if (fate->waits && !is_carried(pair, fate) && pair->kind == LT_PAIR_BODIES) lt_cell_overlap(w, index);
    if (is_carried(pair, fate)) {
        if (is_crowded(w, pair)) return;
        lt_cell_overlap(w, index);
    }
    lt_root r = root_of(w, pair, fate);
    if (!fate->done) fate->bound = lt_max_f(0, r.depth);
    if (fate->done || !lt_root_is_known(pair->left)) {
        pair->left = lt_root_know(r.depth);
        return;
    }
    float excess = r.depth - lt_root_known_depth(pair->left) - slack_of(w, pair);
    if (!(excess > 0 && excess < 1e30f)) {
        float apart = pair->kind == LT_PAIR_BODIES ? r.depth : INFINITY;
        lt_cell_wait(w, index, lt_min_f(lt_min_f(-excess, apart), lt_cell_of_pair(w, pair)));
        return;
    }
    lt_cell_wait(w, index, 0);
    lt_rvec3 impulse = answer(w, pair, &r, excess);
    fate->impulse = lt_r3_add(fate->impulse, impulse);
    if (pair->kind == LT_PAIR_OBSTACLE)
        lt_load_obstacle(&w->step->obstacles[pair->b], r.point,
                         lt_v3_scale(lt_v3_from_r3(impulse), 1 / w->step->dt));
}

/* Pushes of many neighbours add up: all together no farther than one correction goes, or a heap is lifted. */
static void limit_way(const lt_cell_work *w, uint32_t body) {
    lt_root_push *push = &w->pushes[body];
    lt_real way = lt_r3_length(push->way), most = w->params.cap * (lt_real)w->boxes[body]->cell_size;
    if (way > most) push->way = lt_r3_scale(push->way, most / way);
}

static void push_body(lt_cell_work *w, uint32_t body) {
    limit_way(w, body);
    lt_root_move(&w->pushes[body], &w->step->softs[body]);
    w->moves[body] += (float)lt_r3_length(w->pushes[body].way);
}

/* Pairs first, then bodies. */
static uint32_t pair_count(const rooting *r) {
    return r->work->method->memory.pairs.count;
}

static uint32_t cost_of_next(const rooting *r) {
    uint32_t body = r->next - lt_min_u32(r->next, pair_count(r));
    if (r->next < pair_count(r)) return r->work->fates[r->next].spared ? 1 : LT_ROOT_UNITS;
    if (body == r->work->step->collider_count) return 0;
    return r->work->pushes[body].moves ? 1 + r->work->step->softs[body].carrier.node_count / 4 : 1;
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    rooting *r = state;
    lt_cell_work *w = r->work;
    uint32_t spent = 0;
    for (uint32_t cost = cost_of_next(r); cost && cost <= grant - spent; cost = cost_of_next(r)) {
        uint32_t body = r->next - lt_min_u32(r->next, pair_count(r));
        if (r->next < pair_count(r))
            look_at(w, r->next);
        else if (w->pushes[body].moves)
            push_body(w, body);
        r->next++;
        spent += cost;
    }
    return spent;
}

static void count_waiting(lt_cell_work *w) {
    const lt_pair_list *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->waiting[i] = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (w->fates[i].done || pairs->pairs[i].kind != LT_PAIR_BODIES) continue;
        w->waiting[pairs->pairs[i].a]++;
        w->waiting[pairs->pairs[i].b]++;
    }
}

void lt_cell_roots(lt_cell_work *work) {
    rooting r = {work, 0};
    count_waiting(work);
    lt_spend_fully(work->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&r, peek, step});
}
