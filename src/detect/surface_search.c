/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/surface_search.h"

/* ---- of a shape ---- */

static lt_status refuse(const lt_shape *shape, const lt_carrier *carrier, lt_error *error) {
    if (carrier->cell_count > 0)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "shape '%s' hangs on a lattice: exact contacts need tets and a tree, "
                       "`lithe bake MESH -o SHAPE --tree`",
                       lt_shape_name(shape));
    if (!lt_multiscale_tree_exists(shape))
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "shape '%s' has no multiscale tree: add one with `lithe bake SHAPE -o OUT --tree` or "
                       "lt_bake_tree",
                       lt_shape_name(shape));
    return LT_OK;
}

lt_status lt_surface_parts_create(lt_surface_parts *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface_parts){0};
    lt_status status = refuse(shape, carrier, error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&out->tree, shape, carrier, skin, error);
    if (status == LT_OK)
        status = lt_feature_owners_create(&out->owners, out->tree.triangles, out->tree.triangle_count,
                                          out->tree.point_count, allocator, error);
    if (status == LT_OK) status = lt_self_tets_create(&out->tets, &out->tree, carrier, allocator, error);
    if (status != LT_OK) lt_surface_parts_free(out);
    return status;
}

void lt_surface_parts_free(lt_surface_parts *parts) {
    if (parts->tets.tree) lt_self_tets_free(&parts->tets);
    lt_feature_owners_free(&parts->owners);
    *parts = (lt_surface_parts){0};
}

/* A point with weights of which the negative ones sum to -o is at most o times the width of the box outside of it. */
lt_box lt_surface_parts_box(const lt_surface_parts *parts, lt_box box_of_nodes) {
    lt_vec3 width = lt_v3_sub(box_of_nodes.hi, box_of_nodes.lo);
    lt_vec3 far = lt_v3_add(lt_v3_max(lt_v3_neg(box_of_nodes.lo), box_of_nodes.hi), width);
    float overhang = parts->tree.overhang, most = lt_max_f(lt_max_f(far.x, far.y), far.z);
    return lt_box_inflate(box_of_nodes, overhang * lt_max_f(lt_max_f(width.x, width.y), width.z) +
                                            2 * lt_bound_slack((1 + 2 * overhang) * most));
}

/* ---- of a body ---- */

lt_status lt_moving_surface_create(lt_moving_surface *out, const lt_surface_parts *parts,
                                   const lt_carrier *carrier, const lt_moving_surface_def *def,
                                   const lt_allocator *allocator, lt_error *error) {
    *out = (lt_moving_surface){.parts = parts};
    lt_status status =
        lt_multiscale_create(&out->boxes, &parts->tree, carrier, def->bound, def->level, allocator, error);
    if (status == LT_OK && def->with_itself)
        status = lt_self_create(&out->self, &parts->tets, &def->marks, allocator, error);
    if (status != LT_OK) lt_moving_surface_free(out);
    return status;
}

void lt_moving_surface_free(lt_moving_surface *surface) {
    if (surface->self.tets) lt_self_free(&surface->self);
    lt_multiscale_free(&surface->boxes);
    *surface = (lt_moving_surface){0};
}

/* ---- the phases, each a cursor ---- */

static lt_piece peek_fit(const void *state) {
    return (lt_piece){LT_WORK_BOUND, lt_multiscale_cost(state), 0};
}
static uint32_t step_fit(void *state, uint32_t grant) {
    return lt_multiscale_step(state, grant);
}

/* One piece before the marks and one behind them. Clearing is a row of 64 bytes a unit, and the mean of the nodes. */
static lt_piece peek_frame(const void *state) {
    const lt_surface_search *s = state;
    const lt_self_tets *tets = s->a->self.tets;
    uint32_t cost = s->phase == LT_SEARCH_CLEAR ? 1 + lt_self_row_count(tets) + tets->node_count
                                                : lt_self_finish_cost(&s->a->self);
    return (lt_piece){LT_WORK_HASH, s->framed ? 0 : cost, 0};
}

static uint32_t step_frame(void *state, uint32_t grant) {
    lt_surface_search *s = state;
    uint32_t cost = peek_frame(s).cost;
    if (cost == 0 || cost > grant) return 0;
    const lt_multiscale *boxes = &s->a->boxes;
    if (s->phase == LT_SEARCH_CLEAR)
        lt_self_begin(&s->a->self, boxes->from, boxes->to, s->separation, boxes->slack);
    else
        lt_self_finish(&s->a->self);
    s->framed = true;
    return cost;
}

/* ---- of a pair ---- */

static bool is_with_itself(const lt_surface_search *s) {
    return s->a == s->b;
}

static lt_search_phase phase_behind(const lt_surface_search *s) {
    if (s->phase == LT_SEARCH_FIT_A && !s->b) return LT_SEARCH_MEET;
    if (s->phase == LT_SEARCH_FIT_B && !is_with_itself(s)) return LT_SEARCH_MEET;
    return s->phase + 1;
}

static void enter(lt_surface_search *s, lt_search_phase phase) {
    s->phase = phase;
    s->framed = false;
    if (phase != LT_SEARCH_MEET) return;
    if (s->b)
        lt_query_begin(&s->query);
    else
        lt_obstacle_query_begin(&s->obstacle_query);
}

void lt_surface_search_begin(lt_surface_search *search) {
    lt_surface_search *s = search;
    LT_ASSERT(s->b ? s->obstacle == NULL : s->obstacle != NULL);
    LT_ASSERT(!is_with_itself(s) || s->a->self.tets);
    enter(s, LT_SEARCH_FIT_A);
    if (!s->b) {
        s->obstacle_query = (lt_obstacle_query){.body = &s->a->boxes,
                                                .owners = &s->a->parts->owners,
                                                .obstacle = s->obstacle,
                                                .separation = s->separation,
                                                .meetings = s->obstacle_meetings,
                                                .capacity = s->capacity,
                                                .reserve = s->reserve};
        return;
    }
    /* Member by member: what it has room for is large, and none of it is read before it is written. */
    lt_query *q = &s->query;
    q->a = &s->a->boxes;
    q->b = &s->b->boxes;
    q->owners_a = &s->a->parts->owners;
    q->owners_b = &s->b->parts->owners;
    q->self = is_with_itself(s) ? &s->a->self : NULL;
    q->separation = s->separation;
    q->may_meet = s->may_meet;
    q->meetings = s->meetings;
    q->capacity = s->capacity;
    q->reserve = s->reserve;
    q->meeting_count = q->dropped_count = 0;
    q->test_total = 0;
}

static lt_stage stage_of(const lt_surface_search *s) {
    if (s->phase <= LT_SEARCH_FIT_B) return LT_STAGE_BOUND;
    return s->b ? LT_STAGE_DETECT : LT_STAGE_OBSTACLES;
}

static lt_cursor cursor_of(lt_surface_search *s) {
    switch (s->phase) {
    case LT_SEARCH_FIT_A: return (lt_cursor){&s->a->boxes, peek_fit, step_fit};
    case LT_SEARCH_FIT_B: return (lt_cursor){&s->b->boxes, peek_fit, step_fit};
    case LT_SEARCH_MARK: return lt_self_cursor(&s->a->self);
    case LT_SEARCH_MEET:
        return s->b ? lt_query_cursor(&s->query) : lt_obstacle_query_cursor(&s->obstacle_query);
    default: return (lt_cursor){s, peek_frame, step_frame};
    }
}

bool lt_surface_search_spend(lt_surface_search *search, lt_meter *meter) {
    while (search->phase != LT_SEARCH_DONE) {
        if (!lt_spend(meter, stage_of(search), cursor_of(search))) return false;
        enter(search, phase_behind(search));
    }
    return true;
}
