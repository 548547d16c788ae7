/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where bodies come from in a step and where they get to. An answer changes the end, so the free end is kept: every answer
 * starts from there. */

#include "method/multiscale_work.h"

#include <string.h>

static bool moves(const lt_collider *c) {
    return c->in_use && !c->asleep;
}

size_t lt_multi_motion_scratch(const lt_collider *colliders, uint32_t count) {
    size_t bytes = (sizeof(lt_multi_motion) + sizeof(float) + sizeof(bool *)) * (size_t)count + 3 * 64;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use)
            bytes += 4 * (size_t)colliders[i].soft->carrier.node_count *
                         (4 * sizeof(float) + 2 * sizeof(lt_real)) +
                     colliders[i].soft->carrier.tet_count * sizeof(bool) + 7 * 64;
    return bytes;
}

static bool keep_motion(lt_multi_motion *m, const lt_soft *soft, lt_arena *arena) {
    size_t count = 4 * (size_t)soft->carrier.node_count;
    m->from = LT_TAKE(arena, count, float);
    m->free_x = LT_TAKE(arena, count, lt_real);
    m->free_v = LT_TAKE(arena, count, lt_real);
    m->free_drag = soft->drag;
    m->ends[0] = LT_TAKE(arena, count, float);
    m->ends[1] = LT_TAKE(arena, count, float);
    m->aim = LT_TAKE(arena, count, float);
    if (!m->aim || !m->ends[0] || !m->ends[1] || !m->from || !m->free_x || !m->free_v) return false;
    for (size_t i = 0; i < count; i++)
        m->from[i] = (float)soft->x_before[i];
    memcpy(m->free_x, soft->x, count * sizeof *soft->x);
    memcpy(m->free_v, soft->v, count * sizeof *soft->v);
    return true;
}

static bool take_crossed(lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        if (!w->step->colliders[i].in_use) continue;
        uint32_t tets = w->step->softs[i].carrier.tet_count;
        w->crossed[i] = LT_TAKE(w->step->arena, tets, bool);
        if (!w->crossed[i]) return false;
        memset(w->crossed[i], 0, tets * sizeof(bool));
    }
    return true;
}

bool lt_multi_begin_motions(lt_multi_work *w) {
    lt_method_step *step = w->step;
    bool ok = true;
    w->motions = LT_TAKE(step->arena, step->collider_count, lt_multi_motion);
    w->reaches = LT_TAKE(step->arena, step->collider_count, float);
    w->crossed = LT_TAKE(step->arena, step->collider_count, bool *);
    if (!w->motions || !w->reaches || !w->crossed) return false;
    memset(w->motions, 0, step->collider_count * sizeof *w->motions);
    for (uint32_t i = 0; i < step->collider_count; i++)
        step->colliders[i].held_back = 0;
    for (uint32_t i = 0; i < step->awake_count; i++) {
        lt_multi_motion *m = &w->motions[step->awake[i]];
        ok = ok && keep_motion(m, &step->softs[step->awake[i]], step->arena);
        m->span = (lt_multi_span){0, 1};
        m->part_share = 1;
        m->passed = 1;
        if (step->systems && lt_system_is_implicit(&step->systems[i])) m->system = &step->systems[i];
    }
    return ok && take_crossed(w);
}

void lt_multi_free_body(const lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    const lt_multi_motion *m = &w->motions[body];
    lt_soft *soft = &w->step->softs[body];
    size_t bytes = 4 * (size_t)soft->carrier.node_count * sizeof(lt_real);
    memcpy(soft->x, m->free_x, bytes);
    memcpy(soft->v, m->free_v, bytes);
    soft->drag = m->free_drag;
    lt_soft_publish(soft); /* what hangs on others was where these take it */
}

/* ---- pairs ---- */

static lt_box box_of_nodes(const float *nodes, uint32_t count) {
    lt_box box = lt_box_empty();
    for (size_t i = 0; i < count; i++)
        box = lt_box_add_point(box, (lt_vec3){nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2]});
    return box;
}

static lt_box box_of_way(const lt_multi_motion *m, const lt_soft *soft) {
    lt_box box = box_of_nodes(soft->nodes, soft->carrier.node_count);
    return m->from ? lt_box_union(box, box_of_nodes(m->from, soft->carrier.node_count)) : box;
}

/* By the nodes that the surface hangs on: those of coarser levels of a ladder are farther out. */
static lt_box box_of_surface(const lt_collider *c, const float *nodes) {
    return lt_body_box(c->skin, box_of_nodes(nodes, lt_soft_own_count(c->soft)));
}

lt_box lt_multi_box_at_end(const lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    return box_of_surface(&w->step->colliders[body], w->step->softs[body].nodes);
}

/* Boxes of the ways, grown by how far answers may push beyond. */
void lt_multi_find_pairs(lt_multi_work *w) {
    lt_method_step *step = w->step;
    lt_stage_boxes(step);
    for (uint32_t i = 0; i < step->collider_count; i++) {
        lt_collider *c = &step->colliders[i];
        w->reaches[i] = c->in_use ? c->reach : 0;
        if (!moves(c)) continue;
        w->motions[i].start = box_of_surface(c, w->motions[i].from);
        c->box = lt_box_union(w->motions[i].start, box_of_surface(c, step->softs[i].nodes));
        c->reach += w->separation;
    }
    lt_multi_grow_reaches(w);
    lt_stage_pairs(&w->method->memory, step);
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (moves(&step->colliders[i])) step->colliders[i].reach = w->reaches[i];
}

void lt_multi_take_aim(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        const lt_soft *soft = &w->step->softs[i];
        if (w->motions[i].from)
            memcpy(w->motions[i].aim, soft->nodes, 4 * (size_t)soft->carrier.node_count * sizeof(float));
    }
}

/* ---- boxes and marks ---- */

void lt_multi_prepare_for(lt_multi_work *w, uint32_t body, lt_multi_span span) {
    LT_ASSERT(body < w->step->collider_count);
    lt_multi_motion *m = &w->motions[body];
    bool fitted = lt_multi_prepare_peek(w, body, LT_SURFACE_FITTED).cost == 0;
    if (!m->from || (fitted && m->span.begin == span.begin && m->span.end == span.end)) return;
    m->span = span;
    m->is_begun = false;
}

/* Where nodes are as the part of the step begins or ends. */
static const float *place_end(const lt_multi_motion *m, const lt_soft *soft, int end, float time) {
    size_t count = 4 * (size_t)soft->carrier.node_count;
    if (time <= 0) return m->from;
    if (time >= 1) return soft->nodes;
    for (size_t i = 0; i < count; i++)
        m->ends[end][i] = m->from[i] + time * (soft->nodes[i] - m->from[i]);
    return m->ends[end];
}

static void begin_surface(const lt_multi_motion *m, const lt_soft *soft, lt_moving_surface *surface) {
    lt_box box = box_of_way(m, soft);
    lt_moving_surface_follow(surface, soft);
    if (m->from)
        lt_moving_surface_begin(surface, place_end(m, soft, 0, m->span.begin),
                                place_end(m, soft, 1, m->span.end), box);
    else
        lt_moving_surface_begin(surface, soft->nodes, NULL, box);
}

lt_piece lt_multi_prepare_peek(const lt_multi_work *w, uint32_t body, lt_surface_stage wanted) {
    LT_ASSERT(body < w->step->collider_count);
    if (!w->motions[body].is_begun) return (lt_piece){LT_WORK_BOUND, LT_MULTISCALE_NODE_UNITS, 0};
    return lt_moving_surface_peek(w->step->colliders[body].surface, wanted);
}

uint32_t lt_multi_prepare_step(lt_multi_work *w, uint32_t body, float separation, uint32_t grant) {
    LT_ASSERT(body < w->step->collider_count);
    lt_multi_motion *m = &w->motions[body];
    lt_moving_surface *surface = w->step->colliders[body].surface;
    if (!m->is_begun) begin_surface(m, &w->step->softs[body], surface);
    m->is_begun = true;
    return lt_moving_surface_step(surface, separation, grant);
}
