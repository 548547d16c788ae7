/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns that take more than a step. Boxes and marks of a step are worth nothing in the next one, so a turn that is dearer than its share
 * of the budget would begin anew in every step and never end. A long turn has boxes, marks and a query of its own, about ways that are
 * taken down when it begins (multiscale_way.c):
 *
 *   step k      boxes, some of the marks                                          contacts of before go on
 *   step k + 1  the other marks, a part of the query: what it finds is answered   they do, and what was found
 *   step k + 2  the rest of the query; the next turn begins                       who was not found again is let go
 *
 * so a turn that costs C ends after ⌈C / what a step has for it⌉ steps, wherever steps are cut: it goes on at the piece at which it was
 * cut. What it finds has the normal that it had on that way. It does not ask whether surfaces were in each other before: what meets from
 * within makes no contact, and if triangles of two bodies cross there, it is over (multiscale_turn.c).
 *
 * Turns of a body with itself are in one record, those with others (bodies, obstacles) in another, one at a time: the way of the
 * second of two bodies is lent to the first. Who would begin where another is under way ends that one first.
 *
 * What did not meet on the way of the last turn of a body with itself that ended is apart there: as near as parts of the body came to each
 * other on it they may come until the next one ends (multiscale_parts.c).
 *
 * Memory: boxes once more, and again of every body that may meet itself. A snapshot has the ways and how much was spent: when it is
 * restored, that is spent again. */

#include "method/multiscale_work.h"

#include <string.h>

/* ---- life ---- */

static bool take_known(lt_multi_long *own, const lt_allocator *allocator) {
    bool all = true;
    for (int i = 0; i < 2; i++) {
        own->known[i] = LT_NEW(allocator, 4 * (size_t)own->way.node_count, float);
        all = all && own->known[i];
    }
    return all;
}

lt_multi_long *lt_multi_long_create(const lt_collider *collider, const lt_multi_parts *parts,
                                    const lt_allocator *allocator) {
    lt_multi_long *own = LT_NEW(allocator, 1, lt_multi_long);
    if (!own) return NULL;
    *own = (lt_multi_long){.parts = parts};
    if (lt_multi_way_create(&own->way, collider, parts != NULL, allocator) &&
        (!parts || take_known(own, allocator)))
        return own;
    lt_multi_long_free(own, allocator);
    return NULL;
}

void lt_multi_long_free(lt_multi_long *own, const lt_allocator *allocator) {
    if (!own) return;
    for (int i = 0; i < 2; i++)
        LT_DELETE(allocator, own->known[i], 4 * (size_t)own->way.node_count, float);
    lt_multi_way_free(&own->way, allocator);
    LT_DELETE(allocator, own, 1, lt_multi_long);
}

/* ---- whose it is ---- */

lt_multi_long *lt_multi_long_of(const lt_multi_work *w, const lt_pair *pair) {
    return pair->kind == LT_PAIR_SELF ? w->method->bodies[pair->a].own : NULL;
}

lt_multi_long *lt_multi_long_for(const lt_multi_work *w, const lt_pair *pair) {
    return pair->kind == LT_PAIR_SELF ? w->method->bodies[pair->a].own : w->method->bodies[pair->a].others;
}

bool lt_multi_long_is_of(const lt_multi_long *own, const lt_pair *pair) {
    return own->is_begun && lt_pair_is_same(&own->pair, pair);
}

lt_multi_long *lt_multi_long_before(const lt_multi_work *w, const lt_pair *pair) {
    const lt_multi_body *all = w->method->bodies;
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    if (pair->kind == LT_PAIR_SELF || lt_multi_long_is_of(all[pair->a].others, pair)) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        lt_multi_long *others = all[bodies[i]].others;
        if (others->is_begun) return others;
        if (others->way.lent_to != LT_NONE) return all[others->way.lent_to].others;
    }
    return NULL;
}

/* It is over, or given up. */
static void let_go(lt_multi_long *own) {
    own->is_begun = false;
    if (own->second) own->second->lent_to = LT_NONE;
    own->second = NULL;
}

void lt_multi_long_stop(lt_multi_long *own) {
    if (!own) return;
    let_go(own);
    own->has_known = false;
    own->known_room = 0;
    own->units = own->past_units = own->whole_units = own->paid = 0;
    own->stages = own->stages_left = 0;
    own->has_met = false;
    own->steps = own->last_steps = 0;
    own->age = own->last_age = 0;
}

void lt_multi_long_stop_body(const lt_multi_method *m, uint32_t body) {
    const lt_multi_body *b = &m->bodies[body];
    lt_multi_long_stop(b->own);
    if (!b->others) return;
    if (b->others->way.lent_to != LT_NONE) lt_multi_long_stop(m->bodies[b->others->way.lent_to].others);
    lt_multi_long_stop(b->others);
}

/* An obstacle that stood still when the turn began must be there still. */
static bool is_gone(const lt_multi_work *w, const lt_multi_long *own) {
    if (lt_pair_table_find(&w->method->memory.pairs, &own->pair) == LT_NONE) return true;
    if (own->pair.kind != LT_PAIR_OBSTACLE || own->obstacle.moving) return false;
    const lt_obstacle *now = lt_step_obstacle(w->step, &own->pair), *then = &own->obstacle;
    return memcmp(&now->position, &then->position, sizeof now->position) != 0 ||
           memcmp(&now->rotation, &then->rotation, sizeof now->rotation) != 0;
}

static void grow_older(lt_multi_long *own) {
    if (own && own->is_begun) own->age++;
}

void lt_multi_long_go_on(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        if (!w->step->colliders[i].in_use) continue;
        const lt_multi_body *b = &w->method->bodies[i];
        if (!w->motions[i].from) lt_multi_long_stop(b->own);
        if (b->others->is_begun && is_gone(w, b->others)) lt_multi_long_stop(b->others);
        grow_older(b->own);
        grow_older(b->others);
    }
}

static lt_vec3 node_at(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

/* ---- what is known when it has ended ---- */

void lt_multi_long_meet(lt_multi_long *own, const lt_meeting *meeting) {
    const uint32_t *tets = own->way.surface.parts->tree.triangle_tets;
    uint32_t sides[2] = {tets[meeting->a], tets[meeting->b]};
    uint8_t time = (uint8_t)(255 * lt_max_f(0, lt_min_f(1, meeting->time)));
    for (int side = 0; side < 2; side++) {
        uint32_t part = sides[side] == LT_NONE ? LT_MULTI_PARTS : own->parts->of_tet[sides[side]];
        if (part < LT_MULTI_PARTS && time < own->times[part]) own->times[part] = time;
    }
}

void lt_multi_long_measure_known(lt_multi_long *own) {
    const lt_multi_parts *parts = own->parts;
    for (uint32_t p = 0; p < parts->count; p++)
        for (int end = 0; end < 2; end++) {
            lt_vec3 sum = {0, 0, 0};
            for (uint32_t i = parts->begin[p]; i < parts->begin[p + 1]; i++)
                sum = lt_v3_add(sum, node_at(own->known[end], parts->nodes[i]));
            own->known_middles[end][p] = lt_v3_scale(sum, 1 / (float)(parts->begin[p + 1] - parts->begin[p]));
        }
}

/* ---- its pieces ---- */

static lt_multi_way *way_of(lt_multi_long *own, uint32_t side) {
    return side && own->second ? own->second : &own->way;
}

lt_moving_surface *lt_multi_long_surface(lt_multi_long *own, uint32_t side) {
    return &way_of(own, side)->surface;
}

bool lt_multi_long_borrow(lt_multi_long *own, const lt_multi_method *m) {
    own->second = NULL;
    if (own->pair.kind != LT_PAIR_BODIES) return true;
    lt_multi_long *others = m->bodies[own->pair.b].others;
    if (others->is_begun || others->way.lent_to != LT_NONE || own->way.lent_to != LT_NONE) return false;
    own->second = &others->way;
    own->second->lent_to = own->pair.a;
    return true;
}

void lt_multi_long_aim(lt_multi_long *own, const lt_multi_method *m, const lt_pair *pair) {
    let_go(own);
    own->pair = (lt_pair){.a = pair->a, .kind = pair->kind, .b = pair->b};
    bool lent = lt_multi_long_borrow(own, m);
    LT_ASSERT(lent);
    (void)lent;
}

static uint32_t begin_units(const lt_multi_long *own) {
    uint32_t nodes = own->way.node_count + (own->second ? own->second->node_count : 0);
    return 1 + LT_MULTISCALE_NODE_UNITS * nodes;
}

static lt_piece peek_surface(const lt_multi_long *own, const lt_moving_surface *surface) {
    return lt_moving_surface_peek(surface,
                                  own->pair.kind == LT_PAIR_SELF ? LT_SURFACE_MARKED : LT_SURFACE_FITTED);
}

static lt_piece next_piece(const lt_multi_long *own) {
    if (!own->is_begun) return (lt_piece){LT_WORK_BOUND, begin_units(own), 0};
    lt_piece piece = peek_surface(own, &own->way.surface);
    return piece.cost == 0 && own->second ? peek_surface(own, &own->second->surface) : piece;
}

/* Some pieces (sorting all tets) are larger than what a very small budget has for them in any step: they are paid for in slices, and
 * done when that is enough. */
lt_piece lt_multi_long_peek(const lt_multi_long *own) {
    enum { SLICE = 512 };
    lt_piece piece = next_piece(own);
    if (own->is_begun && piece.cost > 0) piece.cost = lt_min_u32(piece.cost - own->paid, SLICE);
    return piece;
}

static uint32_t prepare(lt_multi_long *own, uint32_t grant) {
    uint32_t side = peek_surface(own, &own->way.surface).cost == 0;
    return lt_moving_surface_step(lt_multi_long_surface(own, side), own->separation, grant);
}

static void begin_ways(lt_multi_long *own) {
    lt_multi_way_begin(&own->way);
    if (own->second) lt_multi_way_begin(own->second);
    own->phase = LT_TURN_BODIES;
    own->is_begun = true;
}

static uint32_t do_pieces(lt_multi_long *own, const lt_multi_work *w, uint32_t grant) {
    if (own->is_begun) return prepare(own, grant);
    lt_multi_take_ways(own, w);
    begin_ways(own);
    memset(own->times, 255, sizeof own->times);
    own->units = own->past_units = 0;
    own->steps = own->age = 0;
    own->has_met = false;
    return begin_units(own);
}

uint32_t lt_multi_long_step(lt_multi_long *own, const lt_multi_work *w, uint32_t grant) {
    uint32_t cost = next_piece(own).cost, paid = own->paid;
    if (grant < cost - paid && own->is_begun) {
        own->paid += grant;
        return grant;
    }
    own->paid = 0;
    return do_pieces(own, w, grant + lt_min_u32(paid, UINT32_MAX - grant)) - paid;
}

static void swap_nodes(float *x[2], float *y[2]) {
    for (int i = 0; i < 2; i++) {
        float *kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

static void keep_query(lt_multi_long *own, const lt_multi_turn *t) {
    if (own->pair.kind == LT_PAIR_OBSTACLE)
        own->obstacle_query = t->obstacle_query;
    else
        own->query = t->query;
}

/* Where the body was, and what was met there. */
static void keep_known(lt_multi_long *own, float separation) {
    own->has_known = true;
    own->known_room = lt_max_f(0, own->separation - separation);
    swap_nodes(own->way.ends, own->known);
    memcpy(own->known_times, own->times, sizeof own->times);
    lt_multi_long_measure_known(own);
}

/* Nothing was met in this stage, which is over: on to the next one, whose beginning is spent again when a snapshot is restored. */
static void begin_stage(lt_multi_long *own) {
    lt_multi_advance_ways(own);
    own->past_units += own->units;
    own->units = begin_units(own);
    begin_ways(own);
}

static void end_turn(lt_multi_long *own, lt_multi_turn *t) {
    t->outcome->by_long = true;
    t->outcome->age_limit = own->age + 1;
    own->last_steps = own->steps;
    own->last_age = own->age;
    own->whole_units = own->past_units + own->units;
    own->units = own->past_units = own->steps = own->age = own->paid = 0;
    let_go(own);
    if (own->pair.kind == LT_PAIR_SELF) keep_known(own, t->work->separation);
}

bool lt_multi_long_keep(lt_multi_turn *t, bool ended, uint64_t units) {
    lt_multi_long *own = t->own;
    if (!own->is_begun || lt_multi_is_overlapping(t->pair)) {
        let_go(own);
        return true;
    }
    own->units += units;
    own->phase = t->phase;
    own->has_met = own->has_met || lt_multi_turn_found(t) > 0;
    bool goes_on = ended && own->stages_left > 0 && !own->has_met;
    own->steps += !goes_on;
    if (!ended) {
        if (own->phase == LT_TURN_QUERY) keep_query(own, t);
        if (own->past_units + own->units >= LT_MULTI_LONGEST) let_go(own);
    } else if (goes_on) {
        t->outcome->done = false;
        begin_stage(own);
    } else {
        end_turn(own, t);
    }
    return !goes_on;
}

void lt_multi_long_note(const lt_multi_work *w, const lt_pair *pair, const lt_multi_outcome *outcome) {
    lt_multi_long *own = lt_multi_long_of(w, pair);
    if (!own || !w->motions[pair->a].from) return;
    if (outcome->done && !outcome->by_long) lt_multi_long_stop(own);
    if ((outcome->done && !outcome->by_long) || own->has_known) return;
    for (int i = 0; i < 2; i++)
        memcpy(own->known[i], w->motions[pair->a].from, 4 * (size_t)own->way.node_count * sizeof(float));
    own->known_room = 0;
    memset(own->known_times, 255, sizeof own->known_times);
    lt_multi_long_measure_known(own);
    own->has_known = true;
}

/* ---- after a snapshot ---- */

/* What it found was answered: there is no room for it. */
static void begin_query(lt_multi_long *own, lt_simd_level level) {
    own->query.meetings = NULL;
    own->obstacle_query.meetings = NULL;
    own->query.capacity = own->obstacle_query.capacity = 0;
    own->query.skips_neighbours = own->pair.kind == LT_PAIR_SELF;
    if (own->pair.kind == LT_PAIR_OBSTACLE)
        lt_multi_begin_obstacle_query(&own->obstacle_query, &own->way.surface, &own->obstacle,
                                      own->separation);
    else
        lt_multi_begin_query(&own->query, lt_multi_long_surface(own, 0), lt_multi_long_surface(own, 1),
                             own->separation, level, false);
    own->phase = LT_TURN_QUERY;
}

static uint32_t query_on(lt_multi_long *own, uint32_t grant) {
    return own->pair.kind == LT_PAIR_OBSTACLE ? lt_obstacle_query_step(&own->obstacle_query, grant)
                                              : lt_query_step(&own->query, grant);
}

void lt_multi_long_repeat(lt_multi_long *own, lt_simd_level level) {
    uint64_t done = begin_units(own), spent = 1, units = own->units - own->paid;
    begin_ways(own);
    while (done < units && spent > 0) {
        uint32_t grant = (uint32_t)(units - done);
        bool prepares = next_piece(own).cost > 0;
        if (!prepares && own->phase == LT_TURN_BODIES) begin_query(own, level);
        spent = prepares ? prepare(own, grant) : query_on(own, grant);
        done += spent;
    }
    if (next_piece(own).cost == 0 && own->phase == LT_TURN_BODIES) begin_query(own, level);
    if (own->paid >= next_piece(own).cost) own->paid = 0;
    if (done != units) let_go(own); /* no step can have left that */
}
