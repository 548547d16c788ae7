/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What detection sees of a body, brought up to date. */

#include "detect/moving_surface.h"

enum { POINTS_A_PIECE = 64, GROUPS_A_PIECE = 8, UNITS_A_POINT = 3, UNITS_A_GROUP = 64 };

lt_piece lt_refresh_peek(const lt_refresh *refresh) {
    const lt_collider *c = refresh->collider;
    if (c->fresh || (refresh->points_only && c->points_fresh) || lt_collider_is_of_cells(c))
        return (lt_piece){LT_WORK_EMBED, 0, 0};
    if (!c->points_fresh && !refresh->boxes_only) {
        uint32_t points = lt_min_u32(POINTS_A_PIECE, c->skin->point_count - refresh->next_point);
        return (lt_piece){LT_WORK_EMBED, UNITS_A_POINT * points, 0};
    }
    uint32_t groups = lt_min_u32(GROUPS_A_PIECE, c->tet_boxes.group_count - refresh->next_group);
    return (lt_piece){LT_WORK_BOUND, UNITS_A_GROUP * groups, 0};
}

void lt_refresh_step(lt_refresh *refresh) {
    lt_collider *c = refresh->collider;
    if (!c->points_fresh && !refresh->boxes_only) {
        uint32_t end = lt_min_u32(refresh->next_point + POINTS_A_PIECE, c->skin->point_count);
        lt_embed_positions(refresh->kernels, c->points, c->skin, c->soft->nodes, refresh->next_point, end);
        refresh->next_point = end;
        c->points_fresh = end == c->skin->point_count;
        return;
    }
    uint32_t end = lt_min_u32(refresh->next_group + GROUPS_A_PIECE, c->tet_boxes.group_count);
    float margin = 0.1f * (float)c->soft->mean_edge;
    lt_tet_boxes_fit(&c->tet_boxes, &c->soft->carrier, c->soft->nodes, margin, refresh->next_group, end);
    refresh->next_group = end;
    c->fresh = c->points_fresh && end == c->tet_boxes.group_count;
}

void lt_collider_refresh(lt_collider *collider, const lt_embed_kernels *kernels) {
    lt_refresh refresh = {.collider = collider, .kernels = kernels};
    lt_collider_outdate(collider);
    while (lt_refresh_peek(&refresh).cost)
        lt_refresh_step(&refresh);
    lt_collider_measure(collider, 0, lt_bound_kernels_for(LT_LEVEL_SCALAR)); /* the same at every level */
}

void lt_collider_measure(lt_collider *collider, float dt, const lt_bound_kernels *kernels) {
    LT_ASSERT(dt >= 0);
    const lt_soft *soft = collider->soft;
    lt_node_measure measure;
    kernels->measure_nodes(&measure, soft->nodes, soft->node_velocities, soft->carrier.node_count);
    collider->box = lt_body_box(collider->skin, measure.box);
    collider->velocity = measure.velocity;
    collider->reach = measure.fastest * dt;
    collider->spread = measure.spread * dt;
}

/* ---- all bodies ---- */

static bool moves(const lt_collider *c) {
    return c->in_use && !c->asleep;
}

static uint32_t measure_cost(const lt_measuring *m) {
    if (m->next == m->collider_count) return 0;
    const lt_collider *c = &m->colliders[m->next];
    return moves(c) ? 1 + c->soft->carrier.node_count / 2 : 1;
}

/* Models leave the nodes of all but the last bodies far away. Asking for those of the next body while this one is measured
 * takes a quarter off the time; more than two kilobytes the processor foresees by itself. */
static void ask_for_nodes(const lt_collider *c) {
    enum { LINE = 16, MOST = 512 }; /* floats */
    if (!moves(c)) return;
    uint32_t count = lt_min_u32(4 * c->soft->carrier.node_count, MOST);
    for (uint32_t i = 0; i < count; i += LINE) {
        __builtin_prefetch(c->soft->nodes + i);
        __builtin_prefetch(c->soft->node_velocities + i);
    }
}

static lt_piece measure_peek(const void *state) {
    return (lt_piece){LT_WORK_BOUND, measure_cost(state), 0};
}

static void measure_range(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    const lt_measuring *m = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++) {
        lt_collider *c = &m->colliders[m->begin + i];
        if (i + 1 < end) ask_for_nodes(c + 1);
        if (!moves(c)) continue;
        lt_collider_measure(c, m->dt, m->kernels);
        lt_collider_outdate(c);
    }
}

static uint32_t measure_step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    enum { GRAIN = 64 };
    lt_measuring *m = state;
    uint32_t spent = 0;
    m->begin = m->next;
    for (uint32_t cost = measure_cost(m); cost && cost <= grant - spent; cost = measure_cost(m)) {
        m->next++;
        spent += cost;
    }
    lt_tasks_for(m->tasks, m->next - m->begin, GRAIN, measure_range, m);
    return spent;
}

lt_cursor lt_measuring_cursor(lt_measuring *measuring) {
    return (lt_cursor){measuring, measure_peek, measure_step};
}

/* ---- validator ---- */

static bool is_box(lt_box box) {
    return box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
}

const char *lt_validate_collider(const lt_collider *collider) {
    const lt_collider *c = collider;
    if (!c->soft || !c->skin) return "a collider has no body";
    if (!is_box(c->box)) return "the box of a body is turned inside out";
    if (!lt_v3_is_finite(c->velocity)) return "the mean velocity of a body is not finite";
    if (!(c->reach >= 0 && c->spread >= 0)) return "a body gets less far than nowhere";
    if (!(c->friction >= 0)) return "friction is negative";
    if (c->fresh && !c->points_fresh && c->points) return "tet boxes are fresh, and points are not";
    const char *flaw = c->spheres.tree ? lt_validate_spheres(&c->spheres) : NULL;
    if (!flaw && c->surface) flaw = lt_validate_multiscale(&c->surface->boxes);
    return flaw || !c->cells.layout ? flaw : lt_validate_cell_boxes(&c->cells);
}
