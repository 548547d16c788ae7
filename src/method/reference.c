/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method reference: brute force. Every surface point against every tet of every body whose box overlaps, and against
 * every obstacle that is near; penalty forces, handed to the models with their stiffness. The other methods are
 * tested against it, so it favours being right and plain over being fast.
 *
 *   boxes ──► broad phase ──► pairs, worst first: refresh, points against tets ──► contacts ──► couplings
 *
 *   boxes, broad   always done (one box per body: the root test), charged to the budget
 *   pairs          cut after any piece: a pair resumes at the point where it stopped, points not tested keep their
 *                  contacts, predicted. A body's points and tet boxes are refreshed by the first pair that needs them
 *   response       always done: it was reserved
 * Rounds of the scheduler see to it that no pair waits for ever. The smallest useful budget is the refresh of the two
 * largest bodies of a pair and one point: below that contacts are only held. */

#include "method/method.h"

#include "core/hash.h"

#include <string.h>

typedef struct reference {
    lt_allocator allocator;
    lt_contact_list contacts;
    lt_pair_list pairs;
    lt_spatial_hash hash;
    uint32_t hash_capacity;
    /* Of one step, between the hooks */
    lt_penalty penalty;
} reference;

/* ---- pairs ---- */

typedef struct pair_test {
    lt_method_step *step;
    lt_pair *pair;
    lt_refresh refresh[2]; /* of its bodies; the second one idle where there is one body */
    lt_contact_harvest *harvest;
    const lt_contact_list *held;
    const lt_bound_kernels *kernels;
    uint32_t total;
    uint32_t tested;
} pair_test;

static lt_point_query query_of(const pair_test *t, uint32_t feature, uint32_t *point) {
    const lt_collider *a = &t->step->colliders[t->pair->a];
    lt_point_query q = {.points_of = a, .tets_of = a, .body = t->pair->a, .kernels = t->kernels};
    *point = feature;
    if (t->pair->kind != LT_PAIR_BODIES) return q;
    q.tets_of = &t->step->colliders[t->pair->b];
    if (feature >= a->skin->point_count) {
        q = (lt_point_query){.points_of = q.tets_of, .tets_of = a, .body = t->pair->b, .kernels = t->kernels};
        *point = feature - a->skin->point_count;
    }
    return q;
}

static const lt_refresh *next_refresh(const pair_test *t) {
    return lt_refresh_peek(&t->refresh[0]).cost ? &t->refresh[0] : &t->refresh[1];
}

static lt_piece pair_peek(const void *state) {
    const pair_test *t = state;
    lt_piece piece = lt_refresh_peek(next_refresh(t));
    if (piece.cost) return piece;
    bool obstacle = t->pair->kind == LT_PAIR_OBSTACLE;
    lt_work work = obstacle ? LT_WORK_OBSTACLE : LT_WORK_POINT_TET;
    if (t->pair->left == 0) return (lt_piece){work, 0, 0};
    uint32_t point;
    lt_point_query q = query_of(t, t->pair->next, &point);
    return (lt_piece){work, obstacle ? 8 : lt_point_query_cost(&q, point), LT_RESPOND_UNITS};
}

static bool test_feature(const pair_test *t, uint32_t feature, lt_touch *touch) {
    uint32_t point;
    lt_point_query q = query_of(t, feature, &point);
    if (t->pair->kind != LT_PAIR_OBSTACLE) return lt_point_query_test(&q, point, touch);
    const lt_obstacle *obstacle = &t->step->obstacles[t->pair->b];
    lt_vec3 motion = lt_obstacle_velocity(obstacle, q.points_of->points[point]);
    float margin =
        q.points_of->reach + lt_v3_length(motion) * t->step->dt + 1e-3f * (float)q.points_of->soft->size;
    return lt_obstacle_test(q.points_of, q.body, point, obstacle, margin, touch);
}

static void test_next_feature(pair_test *t) {
    lt_touch touch;
    if (test_feature(t, t->pair->next, &touch)) {
        lt_harvest_add(t->harvest, t->pair, t->pair->next, &touch);
        /* The response to a contact that is held was set aside when the step began. */
        if (!lt_contacts_hold(t->held, t->pair, t->pair->next)) lt_reserve(t->step->meter, LT_RESPOND_UNITS);
    }
    t->pair->next = t->pair->next + 1 == t->total ? 0 : t->pair->next + 1;
    t->pair->left--;
    t->tested++;
}

static uint32_t pair_step(void *state, uint32_t grant) {
    pair_test *t = state;
    uint32_t spent = 0;
    lt_work work = pair_peek(t).work;
    for (lt_piece piece = pair_peek(t); piece.cost && piece.work == work && spent + piece.cost <= grant;
         piece = pair_peek(t)) {
        if (work == LT_WORK_EMBED || work == LT_WORK_BOUND)
            lt_refresh_step((lt_refresh *)next_refresh(t));
        else
            test_next_feature(t);
        spent += piece.cost;
    }
    return spent;
}

/* Harm if left: how much the boxes overlap, times how fast, times what the caller thinks of it. */
static float harm_of(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    if (pair->kind == LT_PAIR_SELF) return a->significance * 0.1f * a->reach;
    if (pair->kind == LT_PAIR_OBSTACLE) return a->significance * (0.01f + a->reach) * 1e3f;
    const lt_collider *b = &step->colliders[pair->b];
    lt_vec3 overlap = lt_v3_sub(lt_v3_min(a->box.hi, b->box.hi), lt_v3_max(a->box.lo, b->box.lo));
    overlap = lt_v3_max(overlap, (lt_vec3){0, 0, 0});
    float depth = lt_min_f(overlap.x, lt_min_f(overlap.y, overlap.z));
    float speed = lt_v3_length(lt_v3_sub(a->velocity, b->velocity));
    float significance = lt_max_f(a->significance, b->significance);
    return significance * lt_v3_dot(overlap, overlap) * depth * (0.01f + speed) * 1e3f;
}

static void begin_turns(const lt_method_step *step, lt_pair_list *pairs, lt_tested *tested) {
    for (uint32_t i = 0; i < pairs->count; i++) {
        pairs->turns[i].harm = harm_of(step, &pairs->pairs[i]);
        tested[i] = (lt_tested){pairs->pairs[i].next, 0};
    }
}

static pair_test make_test(const reference *r, lt_method_step *step, lt_pair *pair,
                           lt_contact_harvest *harvest) {
    lt_collider *a = &step->colliders[pair->a];
    lt_collider *b = pair->kind == LT_PAIR_BODIES ? &step->colliders[pair->b] : a;
    const lt_embed_kernels *kernels = lt_embed_kernels_for(step->level);
    bool points_only = pair->kind == LT_PAIR_OBSTACLE;
    return (pair_test){.step = step,
                       .pair = pair,
                       .refresh = {{a, kernels, points_only, 0, 0}, {b, kernels, points_only, 0, 0}},
                       .harvest = harvest,
                       .held = &r->contacts,
                       .kernels = lt_bound_kernels_for(step->level),
                       .total = lt_pair_point_count(pair, step->colliders)};
}

static float least_extent(lt_box box) {
    lt_vec3 size = lt_v3_max(lt_v3_sub(box.hi, box.lo), (lt_vec3){0, 0, 0});
    return lt_min_f(size.x, lt_min_f(size.y, size.z));
}

/* How deep the sides of a pair can be in each other at most, from their boxes alone. */
static float depth_bound(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    if (pair->kind == LT_PAIR_SELF) return least_extent(a->box);
    if (pair->kind == LT_PAIR_OBSTACLE) {
        lt_vec3 center = lt_v3_scale(lt_v3_add(a->box.lo, a->box.hi), 0.5f);
        float reach = lt_v3_distance(a->box.hi, center);
        return lt_max_f(0, reach - lt_obstacle_distance(&step->obstacles[pair->b], center).distance);
    }
    const lt_collider *b = &step->colliders[pair->b];
    return least_extent((lt_box){lt_v3_max(a->box.lo, b->box.lo), lt_v3_min(a->box.hi, b->box.hi)});
}

/* What was not decided in this step: 0 when everything was tested. */
static double undecided_depth(const reference *r, const lt_method_step *step, const lt_tested *tested) {
    float deepest = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++)
        if (tested[i].count < lt_pair_point_count(&r->pairs.pairs[i], step->colliders))
            deepest = lt_max_f(deepest, depth_bound(step, &r->pairs.pairs[i]));
    return (double)deepest;
}

/* Obstacles come before the rounds: they cost little, and a body that falls through the floor while brute force is
 * busy elsewhere is lost. Where they leave nothing for the others, those get every second step for themselves. */
static bool obstacles_first(const reference *r) {
    enum { PATIENCE = 8 }; /* steps */
    uint32_t longest = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++)
        if (r->pairs.pairs[i].kind != LT_PAIR_OBSTACLE) longest = lt_max_u32(longest, r->pairs.turns[i].age);
    return longest < PATIENCE || longest % 2 == 0;
}

static bool serve_pair(reference *r, lt_method_step *step, uint32_t index, lt_contact_harvest *harvest,
                       lt_tested *tested) {
    lt_pair *pair = &r->pairs.pairs[index];
    pair_test test = make_test(r, step, pair, harvest);
    uint32_t untested = test.total - tested[index].count;
    if (pair->left == 0 || pair->left > untested) pair->left = untested;
    lt_stage stage = pair->kind == LT_PAIR_OBSTACLE ? LT_STAGE_OBSTACLES : LT_STAGE_DETECT;
    bool done = lt_spend(step->meter, stage, (lt_cursor){&test, pair_peek, pair_step});
    tested[index].count += test.tested;
    return done;
}

static bool is_obstacle_pair(const void *context, uint32_t index) {
    return ((const lt_pair_list *)context)->pairs[index].kind == LT_PAIR_OBSTACLE;
}

/* Serves the pairs of a round in order of harm and age; false when the budget ended before. A round goes on from step
 * to step; what a pair has had of it in this step it does not get twice. */
static bool serve_round(reference *r, lt_method_step *step, lt_contact_harvest *harvest, lt_tested *tested,
                        uint32_t *heap) {
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, r->pairs.turns, heap, r->pairs.count);
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE; i = lt_scheduler_next(&scheduler)) {
        if (!serve_pair(r, step, i, harvest, tested)) return false;
        lt_scheduler_done(&scheduler);
    }
    return true;
}

static uint32_t pending_pairs(const reference *r, const lt_method_step *step, const lt_tested *tested) {
    uint32_t pending = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++)
        pending += tested[i].count < lt_pair_point_count(&r->pairs.pairs[i], step->colliders);
    return pending;
}

/* The fastest bodies first, each against all that is near it; ties by the order of pairs. */
static void serve_obstacles(reference *r, lt_method_step *step, lt_contact_harvest *harvest,
                            lt_tested *tested, uint32_t *heap) {
    lt_scheduler scheduler;
    lt_scheduler_begin_chosen(&scheduler, r->pairs.turns, heap, r->pairs.count, is_obstacle_pair, &r->pairs);
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE; i = lt_scheduler_next(&scheduler)) {
        if (!serve_pair(r, step, i, harvest, tested)) return;
        lt_scheduler_done(&scheduler);
    }
}

/* Ends the round that is under way, and begins the next one while there is budget and something this step has not
 * tested yet: a step that may do everything does. */
static void test_pairs(reference *r, lt_method_step *step, lt_contact_harvest *harvest, lt_tested *tested,
                       uint32_t *heap) {
    begin_turns(step, &r->pairs, tested);
    if (obstacles_first(r)) serve_obstacles(r, step, harvest, tested, heap);
    while (serve_round(r, step, harvest, tested, heap) && pending_pairs(r, step, tested) > 0)
        continue;
    lt_scheduler_end(r->pairs.turns, r->pairs.count);
    for (uint32_t i = 0; i < r->pairs.count; i++)
        step->report->tested += tested[i].count;
    step->report->pending += pending_pairs(r, step, tested);
    step->report->gap_error = undecided_depth(r, step, tested);
}

/* ---- the hooks ---- */

static void count_contacts(const reference *r, lt_report *report) {
    report->contacts = r->contacts.count;
    for (uint32_t i = 0; i < r->contacts.count; i++) {
        const lt_contact_record *c = &r->contacts.records[i];
        if (c->age == 0)
            report->exact++;
        else
            report->predicted++;
        report->age_max = lt_max_u64(report->age_max, c->age);
        report->depth_max = lt_max_d(report->depth_max, c->depth);
    }
}

static bool take_step_scratch(reference *r, lt_method_step *step, lt_contact_harvest *harvest,
                              lt_tested **tested, uint32_t **heap, lt_contact_record **merged) {
    uint32_t capacity = r->contacts.capacity;
    *harvest = (lt_contact_harvest){.records = LT_TAKE(step->arena, capacity, lt_contact_record),
                                    .capacity = capacity};
    *tested = LT_TAKE(step->arena, r->pairs.capacity, lt_tested);
    *heap = LT_TAKE(step->arena, r->pairs.capacity, uint32_t);
    *merged = LT_TAKE(step->arena, capacity, lt_contact_record);
    r->penalty.couplings = LT_TAKE(step->arena, (size_t)capacity + step->extra_capacity, lt_coupling);
    r->penalty.contact_of = LT_TAKE(step->arena, capacity, uint32_t);
    return harvest->records && *tested && *heap && *merged && r->penalty.couplings && r->penalty.contact_of;
}

/* One box per body that moves. */
typedef struct box_pass {
    lt_method_step *step;
    uint32_t next;
} box_pass;

static lt_piece box_peek(const void *state) {
    const box_pass *pass = state;
    if (pass->next == pass->step->collider_count) return (lt_piece){LT_WORK_BOUND, 0, 0};
    const lt_collider *c = &pass->step->colliders[pass->next];
    bool moves = c->in_use && !c->asleep;
    return (lt_piece){LT_WORK_BOUND, moves ? 1 + c->soft->carrier.node_count / 2 : 1, 0};
}

static uint32_t box_step(void *state, uint32_t grant) {
    (void)grant; /* one body at a time: at least one piece is always granted */
    box_pass *pass = state;
    uint32_t cost = box_peek(pass).cost;
    lt_collider *c = &pass->step->colliders[pass->next++];
    if (c->in_use && !c->asleep) {
        lt_collider_measure(c, pass->step->dt);
        lt_collider_outdate(c);
    }
    return cost;
}

static void fit_boxes(lt_method_step *step) {
    box_pass pass = {step, 0};
    lt_spend_fully(step->meter, LT_STAGE_BOUND, (lt_cursor){&pass, box_peek, box_step});
}

static void find_pairs(reference *r, lt_method_step *step) {
    lt_broad broad;
    lt_broad_input input = {.colliders = step->colliders,
                            .collider_count = step->collider_count,
                            .obstacles = step->obstacles,
                            .obstacle_count = step->obstacle_count,
                            .self_collision = step->self_collision,
                            .dt = step->dt};
    if (!lt_broad_begin(&broad, &input, &r->pairs, &r->hash, step->arena)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    lt_spend_fully(step->meter, LT_STAGE_BROAD, lt_broad_cursor(&broad));
    if (r->pairs.dropped) {
        step->report->problems |= LT_PROBLEM_PAIR_CAPACITY;
        step->report->dropped += r->pairs.dropped;
    }
}

static void respond(reference *r, lt_method_step *step) {
    r->penalty.contacts = &r->contacts;
    r->penalty.colliders = step->colliders;
    r->penalty.collider_count = step->collider_count;
    r->penalty.obstacles = step->obstacles;
    r->penalty.dt = step->dt;
    r->penalty.capacity = r->contacts.capacity;
    if (!lt_penalty_begin(&r->penalty, step->arena)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    lt_spend_reserve(step->meter, LT_STAGE_RESPOND, lt_penalty_cursor(&r->penalty));
    step->couplings = r->penalty.couplings;
    step->coupling_count = r->penalty.coupling_count;
}

static void before_motion(void *state, lt_method_step *step) {
    reference *r = state;
    r->penalty = (lt_penalty){0};
    lt_contact_harvest harvest;
    lt_tested *tested;
    uint32_t *heap;
    lt_contact_record *merged;
    if (!take_step_scratch(r, step, &harvest, &tested, &heap, &merged)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    lt_reserve(step->meter,
               (uint64_t)LT_RESPOND_UNITS * r->contacts.count); /* what is held must be answered */
    fit_boxes(step);
    find_pairs(r, step);
    test_pairs(r, step, &harvest, tested, heap);
    uint32_t dropped = lt_contacts_update(&r->contacts, &harvest, &r->pairs, tested, step->colliders, merged);
    if (dropped + harvest.dropped) step->report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
    step->report->dropped += dropped + harvest.dropped;
    respond(r, step);
}

static void after_motion(void *state, lt_method_step *step) {
    reference *r = state;
    if (r->penalty.couplings) lt_penalty_collect(&r->penalty, step->obstacles);
    count_contacts(r, step->report);
    r->penalty = (lt_penalty){0};
}

/* ---- life ---- */

static void destroy(void *state) {
    reference *r = state;
    if (!r) return;
    lt_allocator allocator = r->allocator;
    LT_DELETE(&allocator, r->contacts.records, r->contacts.capacity, lt_contact_record);
    LT_DELETE(&allocator, r->pairs.pairs, r->pairs.capacity, lt_pair);
    LT_DELETE(&allocator, r->pairs.turns, r->pairs.capacity, lt_turn);
    lt_spatial_hash_free(&r->hash);
    LT_DELETE(&allocator, r, 1, reference);
}

static lt_status create(void **state, const lt_method_limits *limits, const lt_allocator *allocator,
                        lt_error *error) {
    reference *r = LT_NEW(allocator, 1, reference);
    if (r) {
        r->allocator = allocator ? *allocator : lt_allocator_default();
        r->contacts.capacity = limits->contact_capacity;
        r->contacts.records = LT_NEW(&r->allocator, limits->contact_capacity, lt_contact_record);
        r->pairs.capacity = limits->pair_capacity;
        r->pairs.pairs = LT_NEW(&r->allocator, limits->pair_capacity, lt_pair);
        r->pairs.turns = LT_NEW(&r->allocator, limits->pair_capacity, lt_turn);
    }
    if (r && r->contacts.records && r->pairs.pairs && r->pairs.turns) {
        *state = r;
        return LT_OK;
    }
    destroy(r);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u contacts and %u pairs",
                   limits->contact_capacity, limits->pair_capacity);
}

static lt_status reserve(void *state, uint32_t collider_count, lt_error *error) {
    reference *r = state;
    if (r->hash_capacity && collider_count <= r->hash_capacity) return LT_OK; /* an empty world steps, too */
    uint32_t capacity = lt_max_u32(16, 2 * collider_count);
    lt_spatial_hash larger = {0}; /* the old one goes only when the new one is there */
    lt_status status = lt_spatial_hash_reserve(&larger, capacity, 64 * capacity, &r->allocator, error);
    if (status != LT_OK) return status;
    lt_spatial_hash_free(&r->hash);
    r->hash = larger;
    r->hash_capacity = capacity;
    return LT_OK;
}

static const char *refuse(const lt_collider *collider) {
    (void)collider;
    return NULL; /* any tet carrier with a surface will do */
}

static size_t scratch(const void *state, const lt_collider *colliders, uint32_t collider_count,
                      uint32_t extra_capacity) {
    const reference *r = state;
    size_t contacts = r->contacts.capacity, pairs = r->pairs.capacity;
    size_t bytes = 2 * contacts * sizeof(lt_contact_record) + pairs * (sizeof(lt_tested) + sizeof(uint32_t));
    bytes += extra_capacity * sizeof(lt_coupling) + 8 * 64;
    return bytes + lt_broad_scratch(collider_count, r->pairs.capacity) +
           lt_penalty_scratch(colliders, collider_count, r->contacts.capacity);
}

static bool concerns_body(const lt_contact_record *c, uint32_t body) {
    return c->a == body || (c->kind != LT_PAIR_OBSTACLE && c->b == body);
}

static void forget_body(void *state, uint32_t body) {
    reference *r = state;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        if (!concerns_body(&r->contacts.records[i], body))
            r->contacts.records[kept++] = r->contacts.records[i];
    r->contacts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        const lt_pair *p = &r->pairs.pairs[i];
        if (p->a == body || (p->kind != LT_PAIR_OBSTACLE && p->b == body)) continue;
        r->pairs.pairs[kept] = *p;
        r->pairs.turns[kept++] = r->pairs.turns[i];
    }
    r->pairs.count = kept;
}

static void forget_obstacle(void *state, uint32_t obstacle) {
    reference *r = state;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        if (r->contacts.records[i].kind != LT_PAIR_OBSTACLE || r->contacts.records[i].b != obstacle)
            r->contacts.records[kept++] = r->contacts.records[i];
    r->contacts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        if (r->pairs.pairs[i].kind == LT_PAIR_OBSTACLE && r->pairs.pairs[i].b == obstacle) continue;
        r->pairs.pairs[kept] = r->pairs.pairs[i];
        r->pairs.turns[kept++] = r->pairs.turns[i];
    }
    r->pairs.count = kept;
}

static const lt_contact_list *contacts(const void *state) {
    return &((const reference *)state)->contacts;
}

/* ---- saving: counts, contacts, pairs, turns ---- */

static size_t state_size(const void *state) {
    const reference *r = state;
    return 2 * sizeof(uint32_t) + r->contacts.count * sizeof(lt_contact_record) +
           r->pairs.count * (sizeof(lt_pair) + sizeof(lt_turn));
}

static void save(const void *state, uint8_t *bytes) {
    const reference *r = state;
    const uint32_t counts[2] = {r->contacts.count, r->pairs.count};
    memcpy(bytes, counts, sizeof counts);
    bytes += sizeof counts;
    memcpy(bytes, r->contacts.records, r->contacts.count * sizeof(lt_contact_record));
    bytes += r->contacts.count * sizeof(lt_contact_record);
    memcpy(bytes, r->pairs.pairs, r->pairs.count * sizeof(lt_pair));
    bytes += r->pairs.count * sizeof(lt_pair);
    memcpy(bytes, r->pairs.turns, r->pairs.count * sizeof(lt_turn));
}

static bool body_exists(const lt_method_step *world, uint32_t body) {
    return body < world->collider_count && world->colliders[body].in_use;
}

static bool key_is_sound(const lt_method_step *world, uint32_t a, lt_pair_kind kind, uint32_t b) {
    if (!body_exists(world, a)) return false;
    if (kind == LT_PAIR_OBSTACLE) return b < world->obstacle_count && world->obstacles[b].in_use;
    return kind == LT_PAIR_SELF ? b == a : kind == LT_PAIR_BODIES && body_exists(world, b) && a < b;
}

static bool touch_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    bool second = c->kind == LT_PAIR_BODIES && c->touch.body == c->b;
    if (!second && c->touch.body != c->a) return false;
    uint32_t begin = second ? world->colliders[c->a].skin->point_count : 0;
    if (c->touch.point >= world->colliders[c->touch.body].skin->point_count) return false;
    if (c->feature != begin + c->touch.point) return false;
    uint32_t other = second ? c->a : c->b;
    if (c->kind != LT_PAIR_OBSTACLE && c->touch.tet >= world->colliders[other].soft->carrier.tet_count)
        return false;
    float sum = c->touch.depth - c->touch.depth;
    for (int k = 0; k < 4; k++)
        sum += c->touch.weights[k] - c->touch.weights[k];
    return sum == 0 && fabsf(lt_v3_length(c->touch.normal) - 1) < 1e-3f;
}

/* A flag that is neither 0 nor 1 must not be looked at as a bool. */
static bool contact_is_sound(const lt_method_step *world, const uint8_t *bytes, const lt_contact_record *c) {
    float sum = c->credit - c->credit + (c->depth - c->depth);
    return bytes[offsetof(lt_contact_record, is_new)] <= 1 && sum == 0 &&
           key_is_sound(world, c->a, c->kind, c->b) && touch_is_sound(world, c) &&
           lt_v3_is_finite(c->stick) && lt_v3_is_finite(c->position) && lt_v3_is_finite(c->force) &&
           fabsf(lt_v3_length(c->normal) - 1) < 1e-3f;
}

static bool contacts_are_sound(const lt_method_step *world, const uint8_t *bytes, uint32_t count) {
    lt_contact_record before = {0}, now;
    for (uint32_t i = 0; i < count; i++, bytes += sizeof now, before = now) {
        memcpy(&now, bytes, sizeof now);
        if (!contact_is_sound(world, bytes, &now)) return false;
        if (i > 0 && lt_contact_compare(&before, &now) >= 0) return false;
    }
    return true;
}

static bool pairs_are_sound(const lt_method_step *world, const uint8_t *bytes, uint32_t count) {
    const uint8_t *turns = bytes + count * sizeof(lt_pair);
    lt_contact_record before = {0}, now = {0}; /* pairs are in the order of their contacts */
    for (uint32_t i = 0; i < count; i++, before = now) {
        lt_pair p;
        memcpy(&p, bytes + i * sizeof p, sizeof p);
        if (!key_is_sound(world, p.a, p.kind, p.b)) return false;
        now = (lt_contact_record){.a = p.a, .kind = p.kind, .b = p.b};
        if (i > 0 && lt_contact_compare(&before, &now) >= 0) return false;
        uint32_t total = lt_pair_point_count(&p, world->colliders);
        if (p.next >= total || p.left > total) return false;
        const uint8_t *turn = turns + i * sizeof(lt_turn);
        if (turn[offsetof(lt_turn, served)] > 1 || turn[offsetof(lt_turn, now)] > 1) return false;
    }
    return true;
}

static bool restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    reference *r = state;
    uint32_t counts[2];
    if (size < sizeof counts) return false;
    memcpy(counts, bytes, sizeof counts);
    if (counts[0] > r->contacts.capacity || counts[1] > r->pairs.capacity) return false;
    size_t contact_bytes = counts[0] * sizeof(lt_contact_record), pair_bytes = counts[1] * sizeof(lt_pair);
    if (size != sizeof counts + contact_bytes + pair_bytes + counts[1] * sizeof(lt_turn)) return false;
    bytes += sizeof counts;
    if (!contacts_are_sound(world, bytes, counts[0])) return false;
    if (!pairs_are_sound(world, bytes + contact_bytes, counts[1])) return false;
    r->contacts.count = counts[0];
    r->pairs.count = counts[1];
    memcpy(r->contacts.records, bytes, contact_bytes);
    memcpy(r->pairs.pairs, bytes + contact_bytes, pair_bytes);
    memcpy(r->pairs.turns, bytes + contact_bytes + pair_bytes, counts[1] * sizeof(lt_turn));
    return true;
}

static uint64_t hash_contact(uint64_t hash, const lt_contact_record *c) {
    hash = lt_hash_u64(hash, ((uint64_t)c->a << 32) | c->b);
    hash = lt_hash_u64(hash, ((uint64_t)c->kind << 32) | c->feature);
    hash = lt_hash_u64(hash, ((uint64_t)c->touch.tet << 32) | c->age);
    hash = lt_hash_bytes(hash, c->touch.weights, sizeof c->touch.weights);
    hash = lt_hash_bytes(hash, &c->touch.normal, sizeof c->touch.normal);
    hash = lt_hash_bytes(hash, &c->touch.depth, sizeof c->touch.depth);
    hash = lt_hash_bytes(hash, &c->stick, sizeof c->stick);
    return lt_hash_bytes(hash, &c->credit, sizeof c->credit);
}

static uint64_t hash_state(const void *state, uint64_t hash) {
    const reference *r = state;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        hash = hash_contact(hash, &r->contacts.records[i]);
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        const lt_pair *p = &r->pairs.pairs[i];
        const lt_turn *turn = &r->pairs.turns[i];
        hash = lt_hash_u64(hash, ((uint64_t)p->a << 32) | p->b);
        hash = lt_hash_u64(hash, ((uint64_t)p->kind << 32) | p->next);
        hash = lt_hash_u64(hash, ((uint64_t)p->left << 32) | turn->age);
        hash = lt_hash_u64(hash, turn->served);
    }
    return hash;
}

extern const lt_method_verbs lt_method_reference;
const lt_method_verbs lt_method_reference = {
    LT_METHOD_REFERENCE, create,       destroy,     reserve,         refuse,   scratch,
    before_motion,       after_motion, forget_body, forget_obstacle, contacts, hash_state,
    state_size,          save,         restore};
