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

#include "method/stages.h"

typedef struct reference {
    lt_memory memory;   /* first: see memory.h */
    lt_penalty penalty; /* of one step, between the hooks */
} reference;

/* Progress of a pair in a round: points of a against b, then (bodies) points of b against a, as one cyclic range. */
typedef struct progress {
    uint32_t next; /* the next to test */
    uint32_t left; /* still to test in this round */
} progress;

static progress *progress_of(const reference *r, uint32_t pair) {
    return lt_pair_method_at(&r->memory.pairs, pair);
}

/* ---- pairs ---- */

typedef struct pair_test {
    lt_method_step *step;
    const lt_pair *pair;
    progress *progress;
    lt_refresh refresh[2]; /* of its bodies; the second one idle where there is one body */
    lt_contact_harvest *harvest;
    const lt_memory *memory;
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
    if (t->progress->left == 0) return (lt_piece){work, 0, 0};
    uint32_t point;
    lt_point_query q = query_of(t, t->progress->next, &point);
    return (lt_piece){work, obstacle ? 8 : lt_point_query_cost(&q, point), LT_CONTACT_UNITS};
}

static bool test_feature(const pair_test *t, uint32_t feature, lt_touch *touch) {
    uint32_t point;
    lt_point_query q = query_of(t, feature, &point);
    if (t->pair->kind != LT_PAIR_OBSTACLE) return lt_point_query_test(&q, point, touch);
    const lt_obstacle *obstacle = lt_step_obstacle(t->step, t->pair);
    lt_vec3 motion = lt_obstacle_velocity(obstacle, q.points_of->points[point]);
    float margin =
        q.points_of->reach + lt_v3_length(motion) * t->step->dt + 1e-3f * (float)q.points_of->soft->size;
    return lt_obstacle_test(q.points_of, q.body, point, obstacle, margin, touch);
}

static void test_next_feature(pair_test *t) {
    lt_touch touch;
    uint32_t feature = t->progress->next;
    if (test_feature(t, feature, &touch)) {
        lt_harvest_add(t->harvest, t->pair, feature, &touch);
        /* The response to a contact that is held was set aside when the step began; not that it is listed twice. */
        if (lt_contacts_hold(&t->memory->contacts, &t->memory->pairs, t->pair, feature))
            lt_reserve_work(t->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
        else
            lt_reserve(t->step->meter, LT_CONTACT_UNITS);
    }
    t->progress->next = feature + 1 == t->total ? 0 : feature + 1;
    t->progress->left--;
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

static void begin_turns(const reference *r, const lt_method_step *step, lt_tested *tested) {
    const lt_pair_table *pairs = &r->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair_turn_at(pairs, i)->harm = lt_pair_harm(step, lt_pair_at(pairs, i));
        tested[i] = (lt_tested){.begin = progress_of(r, i)->next, .count = 0};
    }
}

static pair_test make_test(const reference *r, lt_method_step *step, uint32_t index,
                           lt_contact_harvest *harvest) {
    const lt_pair *pair = lt_pair_at(&r->memory.pairs, index);
    lt_collider *a = &step->colliders[pair->a];
    lt_collider *b = pair->kind == LT_PAIR_BODIES ? &step->colliders[pair->b] : a;
    const lt_embed_kernels *kernels = lt_embed_kernels_for(step->level);
    bool points_only = pair->kind == LT_PAIR_OBSTACLE;
    return (pair_test){.step = step,
                       .pair = pair,
                       .progress = progress_of(r, index),
                       .refresh = {{.collider = a, .kernels = kernels, .points_only = points_only},
                                   {.collider = b, .kernels = kernels, .points_only = points_only}},
                       .harvest = harvest,
                       .memory = &r->memory,
                       .kernels = lt_bound_kernels_for(step->level),
                       .total = lt_pair_point_count(pair, step->colliders)};
}

/* What was not decided in this step: 0 when everything was tested. */
static double undecided_depth(const reference *r, const lt_method_step *step, const lt_tested *tested) {
    float deepest = 0;
    for (uint32_t i = 0; i < r->memory.pairs.count; i++)
        if (tested[i].count < lt_pair_point_count(lt_pair_at(&r->memory.pairs, i), step->colliders))
            deepest = lt_max_f(deepest, lt_pair_depth_bound(step, lt_pair_at(&r->memory.pairs, i)));
    return (double)deepest;
}

/* Obstacles come before the rounds: they cost little, and a body that falls through the floor while brute force is
 * busy elsewhere is lost. Where they leave nothing for the others, those get every second step for themselves. */
static bool obstacles_first(const reference *r) {
    enum { PATIENCE = 8 }; /* steps */
    uint32_t longest = 0;
    for (uint32_t i = 0; i < r->memory.pairs.count; i++)
        if (lt_pair_at(&r->memory.pairs, i)->kind != LT_PAIR_OBSTACLE)
            longest = lt_max_u32(longest, lt_pair_turn_at(&r->memory.pairs, i)->age);
    return longest < PATIENCE || longest % 2 == 0;
}

static bool serve_pair(reference *r, lt_method_step *step, uint32_t index, lt_contact_harvest *harvest,
                       lt_tested *tested) {
    pair_test test = make_test(r, step, index, harvest);
    uint32_t untested = test.total - tested[index].count;
    if (test.progress->left == 0 || test.progress->left > untested) test.progress->left = untested;
    lt_stage stage = test.pair->kind == LT_PAIR_OBSTACLE ? LT_STAGE_OBSTACLES : LT_STAGE_DETECT;
    bool done = lt_spend(step->meter, stage, (lt_cursor){&test, pair_peek, pair_step});
    tested[index].count += test.tested;
    return done;
}

static bool is_obstacle_pair(const void *context, uint32_t index) {
    return lt_pair_at(context, index)->kind == LT_PAIR_OBSTACLE;
}

/* Serves the pairs of a round in order of harm and age; false when the budget ended before. A round goes on from step
 * to step; what a pair has had of it in this step it does not get twice. */
static bool serve_round(reference *r, lt_method_step *step, lt_contact_harvest *harvest, lt_tested *tested,
                        uint32_t *heap) {
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, lt_pair_turns(&r->memory.pairs), heap);
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE; i = lt_scheduler_next(&scheduler)) {
        if (!serve_pair(r, step, i, harvest, tested)) return false;
        lt_scheduler_done(&scheduler);
    }
    return true;
}

static uint32_t pending_pairs(const reference *r, const lt_method_step *step, const lt_tested *tested) {
    uint32_t pending = 0;
    for (uint32_t i = 0; i < r->memory.pairs.count; i++)
        pending += tested[i].count < lt_pair_point_count(lt_pair_at(&r->memory.pairs, i), step->colliders);
    return pending;
}

/* The fastest bodies first, each against all that is near it; ties by the order of pairs. */
static void serve_obstacles(reference *r, lt_method_step *step, lt_contact_harvest *harvest,
                            lt_tested *tested, uint32_t *heap) {
    lt_scheduler scheduler;
    lt_scheduler_begin_chosen(&scheduler, lt_pair_turns(&r->memory.pairs), heap, is_obstacle_pair,
                              &r->memory.pairs);
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE; i = lt_scheduler_next(&scheduler)) {
        if (!serve_pair(r, step, i, harvest, tested)) return;
        lt_scheduler_done(&scheduler);
    }
}

/* Ends the round that is under way, and begins the next one while there is budget and something this step has not
 * tested yet: a step that may do everything does. */
static void test_pairs(reference *r, lt_method_step *step, lt_contact_harvest *harvest, lt_tested *tested,
                       uint32_t *heap) {
    begin_turns(r, step, tested);
    if (obstacles_first(r)) serve_obstacles(r, step, harvest, tested, heap);
    while (serve_round(r, step, harvest, tested, heap) && pending_pairs(r, step, tested) > 0)
        continue;
    lt_scheduler_end(lt_pair_turns(&r->memory.pairs));
    for (uint32_t i = 0; i < r->memory.pairs.count; i++)
        step->report->tested += tested[i].count;
    step->report->pending += pending_pairs(r, step, tested);
    step->report->gap_error = undecided_depth(r, step, tested);
}

/* ---- the hooks ---- */

static bool take_step_scratch(reference *r, lt_method_step *step, lt_listing *list, uint32_t **heap) {
    uint32_t capacity = r->memory.contacts.capacity;
    *heap = LT_TAKE(step->arena, r->memory.pairs.capacity, uint32_t);
    r->penalty.couplings = LT_TAKE(step->arena, (size_t)capacity + step->capacities.couplings, lt_coupling);
    r->penalty.contact_of = LT_TAKE(step->arena, capacity, uint32_t);
    return lt_listing_take(list, &r->memory, step->arena) && *heap && r->penalty.couplings &&
           r->penalty.contact_of;
}

static void before_motion(void *state, lt_method_step *step) {
    reference *r = state;
    r->penalty = (lt_penalty){0};
    lt_listing list;
    uint32_t *heap;
    if (!take_step_scratch(r, step, &list, &heap)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    lt_stage_reserve(&r->memory, step); /* what is held must be answered */
    lt_stage_boxes(step);
    lt_stage_pairs(&r->memory, step);
    test_pairs(r, step, &list.harvest, list.tested, heap);
    lt_stage_contacts(&r->memory, &list, UINT32_MAX, step);
    lt_stage_respond(&r->memory, &r->penalty, step);
}

static void after_motion(void *state, lt_method_step *step) {
    reference *r = state;
    lt_stage_collect(&r->memory, &r->penalty, step);
    r->penalty = (lt_penalty){0};
}

/* ---- verbs ---- */

/* A feature is a surface point: those of a, then those of b. Nothing is a guess. */
static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    bool second = c->kind == LT_PAIR_BODIES && c->touch.body == c->b;
    uint32_t begin = second ? world->colliders[c->a].skin->point_count : 0;
    return c->touch.point != LT_NONE && c->feature == begin + c->touch.point && !c->touch.approximate;
}

static void visit_pair(lt_stream *s, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept) {
    progress *p = kept;
    lt_memory_visit_turn(s, pair, turn, &p->next, &p->left, &turn->harm);
    if (!lt_stream_checks(s)) return;
    uint32_t total = lt_pair_point_count(pair, visit->world->colliders);
    lt_stream_expect(s, p->next < total && p->left <= total);
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {feature_is_sound, sizeof(progress), visit_pair, NULL, NULL};
    (void)options;
    return lt_memory_create(state, sizeof(reference), &rules, allocator, error);
}

static const char *refuse(const lt_collider *collider) {
    if (lt_refuse_ladders(collider)) return lt_refuse_ladders(collider);
    return lt_refuse_cells(collider); /* any tet carrier with a surface will do */
}

extern const lt_method_verbs lt_method_reference;
const lt_method_verbs lt_method_reference = {
    .method = LT_METHOD_REFERENCE,
    .bounds = LT_BOUNDS_NONE,
    .rest = &lt_rest_by_velocities,
    .create = create,
    .destroy = lt_memory_destroy,
    .reserve = lt_memory_reserve,
    .refuse = refuse,
    .scratch = lt_memory_scratch,
    .before_motion = before_motion,
    .after_motion = after_motion,
    .forget_body = lt_memory_forget_body,
    .forget_obstacle = lt_memory_forget_obstacle,
    .displace_body = lt_memory_displace_body,
    .shift_body = lt_memory_shift_body,
    .contacts = lt_memory_contacts,
    .pairs = lt_memory_pairs,
    .waited = lt_memory_waited,
    .validate = lt_memory_validate,
    .hash = lt_memory_hash,
    .state_size = lt_memory_state_size,
    .save = lt_memory_save,
    .restore = lt_memory_restore,
};
