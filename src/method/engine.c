/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method engine: one front for each pair, kept over steps and cut anywhere; one answer for what is known.
 *
 *   boxes ─► clocks of bodies ─► broad phase ─► clocks of pairs ─► fronts, obstacles first ─► contacts ─► couplings
 *   └──────────── fixed cost: units per body and pair ──────────┘  └── until the budget ends ┘ └── what was set aside ┘
 *
 * What was found stands while little has moved: a pile at rest reads its clocks and little else. Where the budget ends nothing
 * is forgotten: contacts that were not looked at again are followed by their anchors, and older by one step only if they should have
 * been looked at.
 *
 * It takes bodies of tets. A body against itself is not searched yet. */

#include "method/engine.h"

/* ---- fixed cost ---- */

typedef struct reading {
    lt_engine *engine;
    lt_method_step *step;
    uint32_t (*read)(lt_engine *engine, const lt_method_step *step);
    uint32_t cost; /* at most: what peek says */
    bool done;
} reading;

static lt_piece peek_reading(const void *state) {
    const reading *r = state;
    return (lt_piece){LT_WORK_BOUND, r->done ? 0 : r->cost, 0};
}

static uint32_t do_reading(void *state, uint32_t grant) {
    reading *r = state;
    LT_ASSERT(grant >= r->cost);
    (void)grant;
    r->done = true;
    return lt_max_u32(1, r->read(r->engine, r->step));
}

static void read_fully(lt_engine *e, lt_method_step *step, lt_stage stage,
                       uint32_t (*read)(lt_engine *engine, const lt_method_step *step)) {
    reading r = {.engine = e, .step = step, .read = read, .cost = 1};
    lt_spend_fully(step->meter, stage, (lt_cursor){&r, peek_reading, do_reading});
}

/* ---- the hooks ---- */

static uint32_t most_nodes(const lt_engine *e) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < e->body_count; i++)
        most = lt_max_u32(most, e->bodies[i].node_count);
    return most;
}

static bool take_step_scratch(lt_engine *e, lt_method_step *step, lt_listing *list) {
    uint32_t capacity = e->memory.contacts.capacity;
    e->penalty = (lt_penalty){0};
    e->penalty.couplings = LT_TAKE(step->arena, (size_t)capacity + step->capacities.couplings, lt_coupling);
    e->penalty.contact_of = LT_TAKE(step->arena, capacity, uint32_t);
    uint32_t nodes = most_nodes(e);
    e->near = lt_arena_take(step->arena, 1, lt_support_scratch(nodes));
    e->near_list = LT_TAKE(step->arena, (size_t)nodes + 1, uint32_t);
    return e->near && e->near_list && lt_listing_take(list, &e->memory, step->arena) &&
           e->penalty.couplings && e->penalty.contact_of;
}

static void before_motion(void *state, lt_method_step *step) {
    lt_engine *e = state;
    lt_listing list;
    if (!take_step_scratch(e, step, &list)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    e->step++;
    lt_stage_boxes(step);
    read_fully(e, step, LT_STAGE_BOUND, lt_engine_read_bodies);
    lt_stage_pairs(&e->memory, step);
    read_fully(e, step, LT_STAGE_BROAD, lt_engine_read_pairs);
    e->memory.contacts.standing = LT_SUPPORTS;
    uint32_t limit = lt_engine_search_pairs(e, step, &list);
    lt_stage_contacts(&e->memory, &list, limit, step);
    lt_stage_respond(&e->memory, &e->penalty, step);
}

static void after_motion(void *state, lt_method_step *step) {
    lt_engine *e = state;
    lt_stage_collect(&e->memory, &e->penalty, step);
    lt_engine_truncate(e, step);
    e->penalty = (lt_penalty){0};
}

/* ---- verbs ---- */

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    (void)options;
    lt_status status = lt_memory_create(state, sizeof(lt_engine), &lt_engine_rules, allocator, error);
    if (status == LT_OK) ((lt_engine *)*state)->memory.has_supports = true;
    return status;
}

static void destroy(void *state) {
    lt_engine *e = state;
    if (!e) return;
    const lt_allocator *allocator = &e->memory.allocator;
    lt_engine_free_bodies(e);
    lt_front_pool_free(&e->pool, allocator);
    lt_search_memory_free(&e->search, allocator);
    LT_DELETE(allocator, e->found, e->found_capacity, lt_found_touch);
    lt_memory_destroy(state);
}

/* What searches need follows from the largest trees; what fronts need from all. */
static bool reserve_searches(lt_engine *e, const lt_capacities *capacities) {
    enum { NODE_ENTRIES = 64, SEARCH_ENTRIES = 32, PAIR_ENTRIES = 32 };
    const lt_allocator *allocator = &e->memory.allocator;
    uint64_t nodes = 0;
    uint32_t largest = 0, samples = 0, lanes = 0;
    for (uint32_t i = 0; i < e->body_count; i++) {
        if (!e->bodies[i].shape) continue;
        const lt_shape_tree *tree = &e->bodies[i].shape->tree;
        nodes += tree->node_count;
        largest = lt_max_u32(largest, tree->node_count);
        samples = lt_max_u32(samples, tree->point_count);
        lanes = lt_max_u32(lanes, LT_BLOCK * tree->skin_block_count);
    }
    uint64_t entries = NODE_ENTRIES * nodes + PAIR_ENTRIES * (uint64_t)capacities->pairs;
    if (2 * samples > e->found_capacity) {
        lt_found_touch *found = LT_NEW(allocator, 2 * (size_t)samples, lt_found_touch);
        if (!found) return false;
        LT_DELETE(allocator, e->found, e->found_capacity, lt_found_touch);
        e->found = found;
        e->found_capacity = 2 * samples;
    }
    return lt_front_pool_reserve(&e->pool, (uint32_t)lt_min_u64(entries, 1u << 30), allocator) &&
           lt_search_memory_reserve(&e->search, SEARCH_ENTRIES * largest, lanes, largest, allocator);
}

static lt_status reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                         uint32_t collider_count, lt_error *error) {
    lt_engine *e = state;
    lt_status status = lt_memory_reserve(state, capacities, colliders, collider_count, error);
    if (status != LT_OK) return status;
    if (!lt_engine_reserve_bodies(e, colliders, collider_count, error)) return LT_STATUS_MEMORY;
    if (reserve_searches(e, capacities)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for fronts of %u pairs", capacities->pairs);
}

/* Bodies that come are known here before they are reserved. */
static size_t scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < collider_count; i++)
        if (colliders[i].in_use) most = lt_max_u32(most, colliders[i].soft->carrier.node_count);
    return lt_memory_scratch(state, capacities, colliders, collider_count) + lt_support_scratch(most) +
           (most + 1) * sizeof(uint32_t) + capacities->pairs * sizeof(lt_exchange) + 3 * 64;
}

static const char *refuse(const lt_collider *collider) {
    if (lt_refuse_ladders(collider)) return lt_refuse_ladders(collider);
    return lt_refuse_cells(collider);
}

static void forget_body(void *state, uint32_t body) {
    lt_memory_forget_body(state, body);
    lt_engine_forget_body(state, body);
}

/* Clocks measure how far nodes are from where they were: a body that was put elsewhere is far from there. What the frame
 * of a body adds to its places is no motion, but where others are seen from it changes: its fronts begin anew. */
static void shift_body(void *state, uint32_t body, lt_vec3 by) {
    lt_engine *e = state;
    lt_memory_shift_body(state, body, by);
    for (uint32_t i = 0; i < e->memory.pairs.count; i++) {
        const lt_pair *pair = lt_pair_at(&e->memory.pairs, i);
        lt_engine_pair *own = lt_engine_pair_at(e, i);
        if (!lt_pair_is_of_body(pair, body)) continue;
        own->has_snapshot = 0;
        if (own->roots) lt_front_forget(&e->pool, own->roots, pair);
    }
}

static void displace_body(void *state, uint32_t body) {
    shift_body(state, body, (lt_vec3){0, 0, 0});
}

extern const lt_method_verbs lt_method_engine;
const lt_method_verbs lt_method_engine = {
    .method = LT_METHOD_ENGINE,
    .bounds = LT_BOUNDS_NONE,
    .rest = &lt_rest_by_velocities,
    .create = create,
    .destroy = destroy,
    .reserve = reserve,
    .refuse = refuse,
    .scratch = scratch,
    .before_motion = before_motion,
    .after_motion = after_motion,
    .forget_body = forget_body,
    .forget_obstacle = lt_memory_forget_obstacle,
    .displace_body = displace_body,
    .shift_body = shift_body,
    .contacts = lt_memory_contacts,
    .pairs = lt_memory_pairs,
    .waited = lt_memory_waited,
    .validate = lt_engine_validate,
    .hash = lt_engine_hash,
    .state_size = lt_engine_state_size,
    .save = lt_engine_save,
    .restore = lt_engine_restore,
};
