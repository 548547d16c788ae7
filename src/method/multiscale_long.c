/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A turn of a body with itself that takes more than a step. Boxes and marks of a step are worth nothing in the next one, so a turn
 * that is dearer than its share of the budget would begin anew in every step and never end. A long turn has boxes, marks and a query of
 * its own, about a way that is taken down when it begins:
 *
 *   from where the body is ──► as it moves now without its drift, for as many steps as this turn and the next one will take,
 *                              but no farther than a few hundredths of its size
 *
 *   step k      boxes, some of the marks                                          contacts of before go on
 *   step k + 1  the other marks, a part of the query: what it finds is answered   they do, and what was found
 *   step k + 2  the rest of the query; the next turn begins                       who was not found again is let go
 *
 * so a turn that costs C ends after ⌈C / what a step has for it⌉ steps, wherever steps are cut: it goes on at the piece at which it was
 * cut. What it finds has the normal that it had on that way. It does not ask whether the surface was in itself before: what meets from
 * within makes no contact.
 *
 * What did not meet on the way of the last turn that ended is apart there: as near as parts of the body came to each other on it they
 * may come until the next one ends (multiscale_parts.c).
 *
 * Memory: boxes once more, of every body that may meet itself. A snapshot has the way and how much was spent: when it is restored, that
 * is spent again. */

#include "method/multiscale_work.h"

#include <string.h>

/* Of the size of the body: farther than that it is not looked ahead. What goes far meets a great deal of what it would not meet if it
 * had been stopped. */
static const float FARTHEST = 0.015f;

/* Steps that the first one is taken to need. */
enum { FIRST_STEPS = 3 };

/* ---- life ---- */

/* Governors in the order in which the tree has their triangles; returns how many have any. */
static uint32_t order_tets(uint32_t *order, uint32_t *numbers, const lt_multiscale_tree *tree,
                           uint32_t carrier_tets) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < carrier_tets; i++)
        numbers[i] = LT_NONE;
    for (uint32_t i = 0; i < tree->governor_count; i++)
        numbers[tree->governors[i]] = i;
    for (uint32_t i = 0; i < tree->triangle_count; i++) {
        uint32_t tet = tree->triangle_tets[i];
        if (tet == LT_NONE || numbers[tet] == LT_NONE) continue;
        order[count++] = numbers[tet];
        numbers[tet] = LT_NONE;
    }
    return count;
}

/* The nodes of tets, each once. */
static uint32_t add_nodes(uint32_t *nodes, const lt_self_tets *tets, const uint32_t *governors,
                          uint32_t count) {
    uint32_t node_count = 0;
    for (uint32_t i = 0; i < 4 * count; i++) {
        uint32_t node = tets->nodes[4 * (size_t)governors[i / 4] + i % 4], k = 0;
        while (k < node_count && nodes[k] != node)
            k++;
        nodes[k] = node;
        node_count += k == node_count;
    }
    return node_count;
}

static void note_neighbours(lt_multi_long *own, const lt_self_tets *tets, uint32_t tet,
                            const uint32_t *part_of) {
    const uint64_t *near = tets->near_bits + (size_t)tets->near_stride * tet;
    uint64_t *parts = &own->part_neighbours[part_of[tet]];
    *parts |= (uint64_t)1 << part_of[tet];
    for (uint32_t word = 0; word < tets->near_stride; word++)
        for (uint64_t bits = near[word]; bits; bits &= bits - 1) {
            uint32_t part = part_of[64 * word + (uint32_t)__builtin_ctzll(bits)];
            if (part < LT_MULTI_PARTS) *parts |= (uint64_t)1 << part;
        }
}

static void make_parts(lt_multi_long *own, const lt_self_tets *tets, const uint32_t *order, uint32_t count,
                       uint32_t *part_of) {
    uint32_t at = 0;
    memset(own->tet_parts, LT_MULTI_PARTS, own->tet_count);
    for (uint32_t i = 0; i < tets->tet_count; i++)
        part_of[i] = LT_MULTI_PARTS; /* of no part: it holds only pieces that span several */
    own->part_count = lt_min_u32(count, LT_MULTI_PARTS);
    for (uint32_t p = 0; p < own->part_count; p++) {
        uint32_t begin = (uint32_t)((uint64_t)count * p / own->part_count);
        uint32_t end = (uint32_t)((uint64_t)count * (p + 1) / own->part_count);
        own->part_begin[p] = at;
        at += add_nodes(own->part_nodes + at, tets, order + begin, end - begin);
        for (uint32_t i = begin; i < end; i++) {
            part_of[order[i]] = p;
            own->tet_parts[tets->tree->governors[order[i]]] = (uint8_t)p;
        }
    }
    own->part_begin[own->part_count] = at;
    for (uint32_t i = 0; i < count; i++)
        note_neighbours(own, tets, order[i], part_of);
}

static bool find_parts(lt_multi_long *own, const lt_self_tets *tets, uint32_t carrier_tets,
                       const lt_allocator *allocator) {
    uint32_t governors = tets->tree->governor_count;
    uint32_t *order = LT_NEW(allocator, governors, uint32_t),
             *part_of = LT_NEW(allocator, governors, uint32_t);
    uint32_t *numbers = LT_NEW(allocator, carrier_tets, uint32_t);
    bool all = order && part_of && numbers;
    if (all) make_parts(own, tets, order, order_tets(order, numbers, tets->tree, carrier_tets), part_of);
    LT_DELETE(allocator, order, governors, uint32_t);
    LT_DELETE(allocator, part_of, governors, uint32_t);
    LT_DELETE(allocator, numbers, carrier_tets, uint32_t);
    return all;
}

static bool take_arrays(lt_multi_long *own, const lt_self_tets *tets, uint32_t carrier_tets,
                        const lt_allocator *allocator) {
    bool all = true;
    for (int i = 0; i < 2; i++) {
        own->ends[i] = LT_NEW(allocator, 4 * (size_t)own->node_count, float);
        own->known[i] = LT_NEW(allocator, 4 * (size_t)own->node_count, float);
        all = all && own->ends[i] && own->known[i];
    }
    own->part_node_capacity = 4 * tets->tree->governor_count;
    own->part_nodes = LT_NEW(allocator, own->part_node_capacity, uint32_t);
    own->tet_count = carrier_tets;
    own->tet_parts = LT_NEW(allocator, carrier_tets, uint8_t);
    return all && own->part_nodes && own->tet_parts && find_parts(own, tets, carrier_tets, allocator);
}

lt_multi_long *lt_multi_long_create(const lt_collider *collider, const lt_allocator *allocator) {
    const lt_moving_surface *like = collider->surface;
    const lt_carrier *carrier = &collider->soft->carrier;
    lt_moving_surface_def def = {.with_itself = true, .marks = like->self.def};
    lt_multi_long *own = LT_NEW(allocator, 1, lt_multi_long);
    if (!own) return NULL;
    *own = (lt_multi_long){.node_count = carrier->node_count};
    if (take_arrays(own, &like->parts->tets, carrier->tet_count, allocator) &&
        lt_moving_surface_create(&own->surface, like->parts, carrier, &def, allocator, NULL) == LT_OK) {
        own->surface.boxes.kernels = like->boxes.kernels;
        return own;
    }
    lt_multi_long_free(own, allocator);
    return NULL;
}

void lt_multi_long_free(lt_multi_long *own, const lt_allocator *allocator) {
    if (!own) return;
    if (own->surface.boxes.tree) lt_moving_surface_free(&own->surface);
    for (int i = 0; i < 2; i++) {
        LT_DELETE(allocator, own->ends[i], 4 * (size_t)own->node_count, float);
        LT_DELETE(allocator, own->known[i], 4 * (size_t)own->node_count, float);
    }
    LT_DELETE(allocator, own->part_nodes, own->part_node_capacity, uint32_t);
    LT_DELETE(allocator, own->tet_parts, own->tet_count, uint8_t);
    LT_DELETE(allocator, own, 1, lt_multi_long);
}

lt_multi_long *lt_multi_long_of(const lt_multi_work *w, const lt_pair *pair) {
    return pair->kind == LT_PAIR_SELF ? w->method->bodies[pair->a].own : NULL;
}

void lt_multi_long_stop(lt_multi_long *own) {
    if (!own) return;
    own->is_on = own->is_begun = own->has_known = false;
    own->known_room = 0;
    own->units = own->whole_units = own->paid = 0;
    own->steps = own->last_steps = 0;
}

void lt_multi_long_stop_still(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        if (w->step->colliders[i].in_use && !w->motions[i].from) lt_multi_long_stop(w->method->bodies[i].own);
}

/* ---- its way ---- */

static lt_vec3 node_at(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static lt_vec3 mean_way(const float *from, const float *to, uint32_t count) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        sum = lt_d3_add(sum, lt_d3_from_v3(lt_v3_sub(node_at(to, i), node_at(from, i))));
    return lt_v3_from_d3(lt_d3_scale(sum, 1 / (double)count));
}

/* How much of the way of a step it is about. */
static float horizon_of(const lt_multi_long *own, float farthest, float size) {
    uint32_t steps = own->last_steps ? own->last_steps : FIRST_STEPS;
    float horizon = 2 * (float)steps + 1, most = FARTHEST * size;
    return farthest * horizon > most ? most / farthest : horizon;
}

static void take_way_down(lt_multi_long *own, const float *from, const float *to, float size) {
    uint32_t count = own->node_count;
    lt_vec3 drift = mean_way(from, to, count);
    float farthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 way = lt_v3_sub(lt_v3_sub(node_at(to, i), node_at(from, i)), drift);
        farthest = lt_max_f(farthest, lt_v3_length(way));
    }
    float horizon = horizon_of(own, farthest, size);
    memcpy(own->ends[0], from, 4 * (size_t)count * sizeof *from);
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        own->ends[1][i] = from[i] + horizon * (to[i] - from[i] - (i % 4 < 3 ? lt_v3_get(drift, i % 4) : 0));
}

static void begin_surface(lt_multi_long *own) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < own->node_count; i++)
        for (int end = 0; end < 2; end++)
            box = lt_box_add_point(box, node_at(own->ends[end], i));
    lt_moving_surface_begin(&own->surface, own->ends[0], own->ends[1], box);
    own->phase = LT_TURN_BODIES;
    own->is_begun = true;
}

/* ---- what is known when it has ended ---- */

void lt_multi_long_meet(lt_multi_long *own, const lt_meeting *meeting) {
    const uint32_t *tets = own->surface.parts->tree.triangle_tets;
    uint32_t sides[2] = {tets[meeting->a], tets[meeting->b]};
    uint8_t time = (uint8_t)(255 * lt_max_f(0, lt_min_f(1, meeting->time)));
    for (int side = 0; side < 2; side++) {
        uint32_t part = sides[side] == LT_NONE ? LT_MULTI_PARTS : own->tet_parts[sides[side]];
        if (part < LT_MULTI_PARTS && time < own->times[part]) own->times[part] = time;
    }
}

void lt_multi_long_measure_known(lt_multi_long *own) {
    for (uint32_t p = 0; p < own->part_count; p++)
        for (int end = 0; end < 2; end++) {
            lt_vec3 sum = {0, 0, 0};
            for (uint32_t i = own->part_begin[p]; i < own->part_begin[p + 1]; i++)
                sum = lt_v3_add(sum, node_at(own->known[end], own->part_nodes[i]));
            own->known_middles[end][p] =
                lt_v3_scale(sum, 1 / (float)(own->part_begin[p + 1] - own->part_begin[p]));
        }
}

/* ---- its pieces ---- */

static uint32_t begin_units(const lt_multi_long *own) {
    return 1 + LT_MULTISCALE_NODE_UNITS * own->node_count;
}

static lt_piece next_piece(const lt_multi_long *own) {
    if (!own->is_begun) return (lt_piece){LT_WORK_BOUND, begin_units(own), 0};
    return lt_moving_surface_peek(&own->surface, LT_SURFACE_MARKED);
}

/* Some pieces (sorting all tets) are larger than what a very small budget has for them in any step: they are paid for in slices, and
 * done when that is enough. */
lt_piece lt_multi_long_peek(const lt_multi_long *own) {
    enum { SLICE = 512 };
    lt_piece piece = next_piece(own);
    if (own->is_begun && piece.cost > 0) piece.cost = lt_min_u32(piece.cost - own->paid, SLICE);
    return piece;
}

static uint32_t do_pieces(lt_multi_long *own, const lt_multi_work *w, uint32_t body, uint32_t grant) {
    if (own->is_begun) return lt_moving_surface_step(&own->surface, own->separation, grant);
    const lt_soft *soft = &w->step->softs[body];
    take_way_down(own, w->motions[body].from, soft->nodes, (float)soft->size);
    begin_surface(own);
    memset(own->times, 255, sizeof own->times);
    own->units = 0;
    own->steps = 0;
    return begin_units(own);
}

uint32_t lt_multi_long_step(lt_multi_long *own, const lt_multi_work *w, uint32_t body, uint32_t grant) {
    uint32_t cost = next_piece(own).cost, paid = own->paid;
    if (grant < cost - paid && own->is_begun) {
        own->paid += grant;
        return grant;
    }
    own->paid = 0;
    return do_pieces(own, w, body, grant + lt_min_u32(paid, UINT32_MAX - grant)) - paid;
}

static void swap_nodes(float *x[2], float *y[2]) {
    for (int i = 0; i < 2; i++) {
        float *kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

void lt_multi_long_keep(lt_multi_turn *t, bool ended, uint64_t units) {
    lt_multi_long *own = t->own;
    if (!own->is_begun) return;
    own->units += units;
    own->steps++;
    own->phase = t->phase;
    if (!ended) {
        if (own->phase == LT_TURN_QUERY) own->query = t->query;
        if (own->units >= LT_MULTI_LONGEST) own->is_begun = false;
        return;
    }
    t->fate->by_long = true;
    t->fate->age_limit = own->steps;
    own->last_steps = own->steps;
    own->whole_units = own->units;
    own->is_begun = false;
    own->has_known = true;
    own->known_room = lt_max_f(0, own->separation - t->work->separation);
    own->units = own->steps = own->paid = 0;
    swap_nodes(own->ends, own->known);
    memcpy(own->known_times, own->times, sizeof own->times);
    lt_multi_long_measure_known(own);
}

void lt_multi_long_note(const lt_multi_work *w, const lt_pair *pair, const lt_multi_fate *fate) {
    lt_multi_long *own = lt_multi_long_of(w, pair);
    if (!own || !w->motions[pair->a].from) return;
    if (fate->done && !fate->by_long) lt_multi_long_stop(own);
    if ((fate->done && !fate->by_long) || own->has_known) return;
    for (int i = 0; i < 2; i++)
        memcpy(own->known[i], w->motions[pair->a].from, 4 * (size_t)own->node_count * sizeof(float));
    own->known_room = 0;
    memset(own->known_times, 255, sizeof own->known_times);
    lt_multi_long_measure_known(own);
    own->has_known = true;
}

/* ---- after a snapshot ---- */

static void begin_query(lt_multi_long *own, lt_simd_level level) {
    lt_query *q = &own->query;
    lt_moving_surface_query(q, &own->surface, &own->surface);
    q->separation = own->separation;
    q->at_start = false;
    q->may_meet = lt_ccd_may_meet_for(level);
    q->meetings = NULL; /* they were answered */
    q->capacity = 0;
    q->reserve = lt_multi_contact_units();
    lt_query_begin(q);
    q->capacity = 0;
    own->phase = LT_TURN_QUERY;
}

void lt_multi_long_repeat(lt_multi_long *own, lt_simd_level level) {
    uint64_t done = begin_units(own), spent = 1, units = own->units - own->paid;
    begin_surface(own);
    while (done < units && spent > 0) {
        uint32_t grant = (uint32_t)(units - done);
        bool prepares = next_piece(own).cost > 0;
        if (!prepares && own->phase == LT_TURN_BODIES) begin_query(own, level);
        spent = prepares ? lt_moving_surface_step(&own->surface, own->separation, grant)
                         : lt_query_step(&own->query, grant);
        done += spent;
    }
    if (next_piece(own).cost == 0 && own->phase == LT_TURN_BODIES) begin_query(own, level);
    own->query.capacity = LT_MULTI_CROWD;
    own->query.meeting_count = own->query.dropped_count = 0;
    if (done != units) own->is_begun = false; /* no step can have left that */
    if (own->paid >= next_piece(own).cost) own->paid = 0;
}
