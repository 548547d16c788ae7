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

#include "method/reference.h"

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

extern const lt_method_verbs lt_method_reference;
const lt_method_verbs lt_method_reference = {LT_METHOD_REFERENCE,
                                             lt_reference_create,
                                             lt_reference_destroy,
                                             lt_reference_reserve,
                                             lt_reference_refuse,
                                             lt_reference_scratch,
                                             before_motion,
                                             after_motion,
                                             lt_reference_forget_body,
                                             lt_reference_forget_obstacle,
                                             lt_reference_contacts,
                                             lt_reference_hash_state,
                                             lt_reference_state_size,
                                             lt_reference_save,
                                             lt_reference_restore};
