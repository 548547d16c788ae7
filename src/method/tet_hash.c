/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method tet-hash (papers/001): collision handling spread over steps.
 *
 *   boxes ──► broad phase ──► collision cycle, cut anywhere, goes on in the next step ──► contacts ──► couplings
 *
 *   cycle      points hashed, tets taken over them, depths by what edges pierce and by layers (detect/penetration.h). It is about the
 *              moment when it began, and no new one begins before it ends
 *   meanwhile  contacts are answered in every step: their depth follows from how both sides have moved since
 *              (respond/penalty.c). What a cycle finds counts at once: a new contact by the guess of its depth, until the
 *              depth is known. What it no longer finds goes when it ends
 *   ahead      points that will be inside before the next cycle can tell are contacts already, with a depth below zero
 *
 * Mode paper: the cycle looks at where things are in each of its steps, not when it began; a contact has no force until its
 * depth is known; forces between bodies are held over the step and extrapolated until the next cycle knows better
 * (respond/penalty_predicted.c); contacts are not made ahead. Obstacles, which the paper does not have, are as in mode safe.
 *
 * Latency is the number of steps a cycle takes: contacts are that old at most when they are renewed, twice that when they
 * are new. The smallest budget that finds all points inside in one step hashes the points and takes every tet over them once. */

#include "core/hash.h"
#include "detect/penetration.h"
#include "method/stages.h"

#include <string.h>

/* Steps that margins look ahead for: wider ones make more work, and that longer cycles. */
enum { LONGEST_LATENCY = 4, HOPELESS_LATENCY = 12 };

/* Of what a cycle takes when things are near each other, roughly. */
enum { UNITS_OF_A_TET = 20, UNITS_OF_A_TRIANGLE = 40, UNITS_OF_A_POINT = 8 };

typedef struct tet_hash {
    lt_memory memory; /* first: see memory.h */
    lt_method_options options;
    lt_penalty penalty; /* of one step, between the hooks */
    lt_cycle cycle;
    uint32_t age;     /* steps since the cycle began */
    uint32_t waited;  /* steps since one ended */
    uint32_t latency; /* steps that the last one took */
    uint32_t
        expected; /* steps that one will take, when things come near each other, at most LONGEST_LATENCY */
    uint32_t asked_units;  /* of this one so far */
    uint32_t useful_units; /* of the last one: until everything was hashed and asked once */
    /* Mode paper */
    lt_force_histories histories;
    uint32_t step; /* counted, for the stamps */
} tet_hash;

static bool is_printed(const tet_hash *m) {
    return m->options.mode == LT_MODE_PAPER;
}

/* ---- from what a cycle found to contacts ---- */

typedef struct emitted {
    lt_pair pair;
    uint32_t feature;
    lt_touch touch;
} emitted;

/* Points of a come first, then those of b. */
static emitted emit(const tet_hash *m, const lt_found *f) {
    const lt_cycle *c = &m->cycle;
    const lt_cycle_body *b = &c->bodies[c->body_of_point[f->point]];
    const lt_collider *collider = &c->input.colliders[b->slot];
    uint32_t point = f->point - b->first_point;
    bool obstacle = f->status == LT_FOUND_OBSTACLE;
    uint32_t other = obstacle ? f->other : c->bodies[f->other].slot;
    emitted t = {.pair = {.a = b->slot, .kind = LT_PAIR_OBSTACLE, .b = other},
                 .feature = point,
                 .touch = {.body = b->slot,
                           .point = point,
                           .own = {.tet = LT_NONE},
                           .other = {.tet = f->tet},
                           .normal = f->normal,
                           .depth = f->depth,
                           .area = lt_collider_point_area(collider, point),
                           .approximate = f->status == LT_FOUND_GUESSED || f->status == LT_FOUND_LEFT}};
    for (int k = 0; k < 4; k++)
        t.touch.other.weights[k] = f->weights[k];
    if (obstacle) return t;
    t.pair.kind = other == b->slot ? LT_PAIR_SELF : LT_PAIR_BODIES;
    if (other < b->slot) {
        t.pair.a = other;
        t.pair.b = b->slot;
        t.feature += c->input.colliders[other].skin->point_count;
    }
    return t;
}

/* ---- the cycle in a step ---- */

static bool is_held(const tet_hash *m, const emitted *now) {
    return lt_contacts_hold(&m->memory.contacts, &m->memory.pairs, &now->pair, now->feature);
}

typedef struct turn {
    tet_hash *method;
    lt_method_step *step;
    uint32_t seen; /* found, and their answers set aside */
} turn;

static lt_piece peek(const void *state) {
    const turn *t = state;
    return lt_cycle_peek(&t->method->cycle, LT_CONTACT_UNITS);
}

/* The response to a contact that is held was set aside when the step began. */
static void reserve_answer(turn *t, const lt_found *f) {
    if (!lt_found_is_emitted(f)) return;
    emitted now = emit(t->method, f);
    lt_reserve_unannounced(t->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
    if (is_held(t->method, &now)) return;
    lt_reserve_unannounced(t->step->meter, LT_WORK_COLLECT, LT_COLLECT_UNITS);
    lt_reserve_unannounced(t->step->meter, LT_WORK_RESPOND, LT_RESPOND_UNITS);
}

/* Contacts ahead are told when it is known what is nearest to them. */
static uint32_t advance(void *state, uint32_t grant) {
    turn *t = state;
    const lt_cycle *c = &t->method->cycle;
    bool asking = c->phase <= LT_CYCLE_TETS, settling = c->phase == LT_CYCLE_EDGES;
    bool telling_again = c->phase >= LT_CYCLE_EDGES;
    uint32_t begin = lt_max_u32(c->next, c->inside_end);
    uint64_t done = c->element_count;
    uint32_t spent = lt_cycle_step(&t->method->cycle, grant);
    if (telling_again)
        lt_reserve_unannounced(t->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (c->element_count - done));
    if (asking) t->method->asked_units += spent;
    if (c->phase > LT_CYCLE_TETS) t->method->useful_units = t->method->asked_units;
    uint32_t end = c->phase == LT_CYCLE_EDGES ? c->next : c->found_count;
    for (uint32_t i = begin; settling && i < end; i++)
        reserve_answer(t, &c->found[i]);
    for (; t->seen < c->found_count; t->seen++)
        reserve_answer(t, &c->found[t->seen]);
    return spent;
}

typedef struct beginning {
    tet_hash *method;
    lt_method_step *step;
    bool done;
} beginning;

static lt_piece peek_beginning(const void *state) {
    return (lt_piece){LT_WORK_EMBED, ((const beginning *)state)->done ? 0 : 1, 0};
}

/* Nodes must be copied in one piece: whatever the budget says. In mode paper again in every step. */
static uint32_t begin_cycle(void *state, uint32_t grant) {
    (void)grant;
    beginning *b = state;
    const lt_pair_table *pairs = &b->method->memory.pairs;
    b->done = true;
    if (!lt_cycle_is_done(&b->method->cycle)) return lt_cycle_refresh(&b->method->cycle);
    for (uint32_t i = 0; i < pairs->count; i++) /* those of now, whatever becomes of them until it ends */
        b->method->cycle.pairs[i] = *lt_pair_at(pairs, i);
    b->method->age = b->method->asked_units = 0;
    lt_cycle_input input = {.colliders = b->step->colliders,
                            .collider_count = b->step->collider_count,
                            .obstacles = b->step->obstacles,
                            .pairs = b->method->cycle.pairs,
                            .pair_count = pairs->count,
                            .dt = b->step->dt,
                            .latency = b->method->expected,
                            .fast_first = b->method->options.tet_hash.fast_first,
                            .live = is_printed(b->method),
                            .smooth_normals = is_printed(b->method),
                            .function = is_printed(b->method) ? LT_SPATIAL_TESCHNER : LT_SPATIAL_LINEAR,
                            .kernels = lt_embed_kernels_for(b->step->level),
                            .cloud_kernels = lt_cloud_kernels_for(b->step->level),
                            .tasks = b->step->tasks};
    return lt_cycle_begin(&b->method->cycle, &input);
}

/* What has become known in this step; `all`: whatever is known. */
static void harvest_cycle(tet_hash *m, lt_contact_harvest *harvest, bool all) {
    lt_cycle *c = &m->cycle;
    for (uint32_t i = 0; i < c->found_count; i++) {
        lt_found *f = &c->found[i];
        bool known = f->emitted == f->status + 1;
        if (!lt_found_is_emitted(f) || (!all && known)) continue;
        emitted t = emit(m, f);
        bool guess = f->status == LT_FOUND_GUESSED, again = f->emitted != 0;
        f->emitted = f->status + 1;
        /* Since the cycle began the two may have parted: it comes with the next one, if they meet again. */
        if (lt_pair_table_find(&m->memory.pairs, &t.pair) == LT_NONE) continue;
        bool held = is_held(m, &t);
        if (guess && held && !is_printed(m)) continue; /* knows better */
        if (again && !held) continue;                  /* let go since, and no answer is set aside */
        /* In mode paper: 0 when its depth became known in this step, which makes its force exact */
        uint32_t age = is_printed(m) ? guess || known : m->age;
        lt_harvest_add_old(harvest, &t.pair, t.feature, &t.touch, age);
    }
}

static uint32_t pending_of(const lt_cycle *c) {
    if (lt_cycle_is_done(c)) return 0;
    if (c->phase < LT_CYCLE_TETS) return c->point_count;
    uint32_t unasked = c->phase == LT_CYCLE_TETS ? c->point_count : 0;
    return lt_max_u32(1, unasked + c->found_count - c->obstacle_count);
}

/* When a cycle ends, contacts go that it has not told: they are older than it. In mode paper nothing more is found behind TETS,
 * and who is not inside any more goes then; ages say something else there, so all of them are told in that step. */
static void run_cycle(tet_hash *m, lt_method_step *step, lt_contact_harvest *harvest, lt_tested *tested) {
    lt_cycle *c = &m->cycle;
    bool was_running = !lt_cycle_is_done(c), was_queried = was_running && c->phase > LT_CYCLE_TETS;
    c->input.colliders = step->colliders; /* they may have moved in memory since */
    c->input.obstacles = step->obstacles;
    c->input.kernels = lt_embed_kernels_for(step->level);
    c->input.cloud_kernels = lt_cloud_kernels_for(step->level);
    if (!was_running || is_printed(m)) {
        beginning b = {m, step, false};
        lt_spend_fully(step->meter, LT_STAGE_EMBED, (lt_cursor){&b, peek_beginning, begin_cycle});
    }
    turn t = {m, step, c->found_count};
    uint64_t looked_at = c->found_count * (is_printed(m) ? (uint64_t)LT_LISTING_UNITS : 1);
    lt_reserve_work(step->meter, LT_WORK_KEEP, looked_at + lt_stage_contacts_units(m->memory.pairs.count, 0));
    bool ended = lt_spend(step->meter, LT_STAGE_DETECT, (lt_cursor){&t, peek, advance});
    bool asked = is_printed(m) && !was_queried && c->phase > LT_CYCLE_TETS;
    harvest_cycle(m, harvest, is_printed(m) && (ended || asked));
    for (uint32_t i = 0; i < m->memory.pairs.count; i++)
        tested[i] =
            (lt_tested){.count = ended || asked ? UINT32_MAX : 0, .but_younger = is_printed(m) ? 0 : m->age};
    m->age++;
    m->waited = ended ? 0 : m->waited + 1;
    if (ended) m->latency = m->age;
    step->report->latency = lt_max_u32(m->latency, m->waited);
    step->report->useful_units = m->useful_units;
    step->report->pending += pending_of(c);
    if (ended) step->report->dropped += c->dropped_count;
    if (c->dropped_count) step->report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
}

/* ---- mode paper: forces ---- */

static void hand_over_forces(tet_hash *m, lt_method_step *step) {
    lt_predicted predicted = {&m->penalty, &m->histories, step->softs, step->dt, m->step++};
    lt_force_histories_follow(&m->histories, &m->memory.contacts);
    lt_predicted_hand_over(&predicted);
    step->coupling_count = m->penalty.coupling_count;
}

/* ---- the hooks ---- */

/* Two that come together must be a pair when a cycle begins that is not through before they meet. */
static void find_pairs(tet_hash *m, lt_method_step *step, float *reaches) {
    float steps = (float)(2 * m->expected - 1);
    lt_method_step ahead = *step;
    ahead.dt = steps * step->dt;
    for (uint32_t i = 0; i < step->collider_count; i++) {
        reaches[i] = step->colliders[i].reach;
        step->colliders[i].reach *= steps;
        if (step->colliders[i].in_use) step->colliders[i].reach += lt_cycle_skin(&step->colliders[i]);
    }
    lt_stage_pairs(&m->memory, &ahead);
    for (uint32_t i = 0; i < step->collider_count; i++)
        step->colliders[i].reach = reaches[i];
}

/* As many as nine tenths of the budget can answer: where contacts take all of it no cycle would ever end, and nothing new be
 * found. The shallowest go, those first that are still to come. */
static uint32_t most_contacts(lt_method_step *step) {
    enum { LEAST_CONTACTS = 16 };
    const double share = 0.9;
    return lt_meter_limit(step->meter, share, LT_CONTACT_UNITS, LEAST_CONTACTS);
}

/* A cycle is short while nothing is near, and long when it matters: so it is not the last one alone that says how far ahead the
 * next has to look. One that took too long looked too far. */
static void expect_latency(tet_hash *m, const lt_method_step *step, uint32_t limit) {
    uint64_t whole = 0, budget = LT_CONTACT_UNITS * (uint64_t)limit / 9 * 10,
             held = LT_CONTACT_UNITS * (uint64_t)m->memory.contacts.count;
    for (uint32_t i = 0; i < step->collider_count; i++) {
        const lt_collider *c = &step->colliders[i];
        if (!c->in_use) continue;
        whole += UNITS_OF_A_TET * (uint64_t)c->soft->carrier.tet_count +
                 UNITS_OF_A_TRIANGLE * (uint64_t)c->skin->triangle_count +
                 UNITS_OF_A_POINT * (uint64_t)c->skin->point_count;
    }
    uint64_t left = lt_max_u64(budget / 10 + 1, budget > held ? budget - held : 0);
    uint64_t steps = limit == UINT32_MAX || is_printed(m) ? 1 : (whole + left - 1) / left;
    steps = lt_min_u64(lt_max_u64(1, lt_max_u64(steps, m->latency)), LONGEST_LATENCY);
    if (m->latency > HOPELESS_LATENCY) steps = lt_max_u64(1, LONGEST_LATENCY * HOPELESS_LATENCY / m->latency);
    m->expected = (uint32_t)steps;
}

static void before_motion(void *state, lt_method_step *step) {
    tet_hash *m = state;
    uint32_t contacts = m->memory.contacts.capacity;
    m->penalty = (lt_penalty){
        .couplings = LT_TAKE(step->arena, (size_t)contacts + step->capacities.couplings, lt_coupling),
        .contact_of = LT_TAKE(step->arena, contacts, uint32_t),
        .held_dt = is_printed(m) ? step->dt * (float)m->latency : 0};
    float *reaches = LT_TAKE(step->arena, (size_t)step->collider_count + 1, float);
    lt_listing list;
    if (!lt_listing_take(&list, &m->memory, step->arena) || !reaches || !m->penalty.couplings ||
        !m->penalty.contact_of) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        m->penalty = (lt_penalty){0};
        return;
    }
    lt_stage_reserve(&m->memory, step);
    lt_stage_boxes(step);
    uint32_t limit = most_contacts(step);
    expect_latency(m, step, limit);
    find_pairs(m, step, reaches);
    run_cycle(m, step, &list.harvest, list.tested);
    lt_stage_contacts(&m->memory, &list, limit, step);
    lt_stage_respond(&m->memory, &m->penalty, step);
    if (is_printed(m)) hand_over_forces(m, step);
}

static void after_motion(void *state, lt_method_step *step) {
    tet_hash *m = state;
    lt_stage_collect(&m->memory, &m->penalty, step);
    m->penalty = (lt_penalty){0};
}

/* ---- verbs ---- */

/* A feature is a surface point: those of a, then those of b. */
static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    bool second = c->kind == LT_PAIR_BODIES && c->touch.body == c->b;
    uint32_t begin = second ? world->colliders[c->a].skin->point_count : 0;
    return c->touch.point != LT_NONE && c->feature == begin + c->touch.point;
}

static void destroy(void *state) {
    tet_hash *m = state;
    if (!m) return;
    lt_cycle_free(&m->cycle);
    LT_DELETE(&m->memory.allocator, m->histories.items, m->histories.capacity, lt_force_history);
    lt_memory_destroy(state);
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {.feature_is_sound = feature_is_sound};
    lt_status status = lt_memory_create(state, sizeof(tet_hash), &rules, allocator, error);
    if (status != LT_OK) return status;
    tet_hash *m = *state;
    m->options = *options;
    m->cycle.phase = LT_CYCLE_DONE;
    m->cycle.allocator = *allocator;
    m->latency = m->expected = 2; /* not known yet: rather a step too far ahead */
    return LT_OK;
}

static bool grow_histories(tet_hash *m, uint32_t capacity) {
    lt_force_histories *h = &m->histories;
    if (!is_printed(m) || (capacity <= h->capacity && h->items)) return true;
    lt_force_history *items =
        LT_ENLARGE(&m->memory.allocator, h->items, h->capacity, capacity, lt_force_history);
    if (!items) return false;
    h->items = items;
    h->capacity = capacity;
    return true;
}

static lt_status reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                         uint32_t collider_count, lt_error *error) {
    tet_hash *m = state;
    if (!grow_histories(m, capacities->contacts))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the forces of %u contacts",
                       capacities->contacts);
    lt_status status = lt_memory_reserve(state, capacities, colliders, collider_count, error);
    if (status != LT_OK) return status;
    return lt_cycle_reserve(&m->cycle, colliders, collider_count, capacities->contacts, capacities->pairs,
                            &m->memory.allocator, error);
}

static size_t scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count) {
    return lt_memory_scratch(state, capacities, colliders, collider_count) +
           (collider_count + 1) * sizeof(float) + 64;
}

static const char *refuse(const lt_collider *collider) {
    if (lt_refuse_ladders(collider)) return lt_refuse_ladders(collider);
    return lt_refuse_cells(collider); /* any tet carrier with a surface will do */
}

static bool takes_part(const lt_cycle *c, uint32_t body) {
    for (uint32_t i = 0; i < c->body_count; i++)
        if (c->bodies[i].slot == body) return true;
    return false;
}

static bool is_met(const lt_cycle *c, uint32_t obstacle) {
    for (uint32_t i = 0; i < c->pair_count; i++)
        if (c->pairs[i].kind == LT_PAIR_OBSTACLE && c->pairs[i].b == obstacle) return true;
    return false;
}

/* What is under way is about a world that is no more: the next step begins anew. */
static void begin_anew(tet_hash *m) {
    m->cycle.phase = LT_CYCLE_DONE;
    if (is_printed(m)) lt_force_histories_follow(&m->histories, &m->memory.contacts);
}

static void forget_body(void *state, uint32_t body) {
    tet_hash *m = state;
    lt_memory_forget_body(state, body);
    if (takes_part(&m->cycle, body)) begin_anew(m);
}

static void forget_obstacle(void *state, uint32_t obstacle) {
    tet_hash *m = state;
    lt_memory_forget_obstacle(state, obstacle);
    if (is_met(&m->cycle, obstacle)) begin_anew(m);
}

static void displace_body(void *state, uint32_t body) {
    tet_hash *m = state;
    lt_memory_displace_body(state, body);
    if (takes_part(&m->cycle, body)) begin_anew(m);
    for (uint32_t i = 0; i < m->histories.count; i++) {
        lt_force_history *h = &m->histories.items[i];
        if (h->a == body || (h->kind == LT_PAIR_BODIES && h->b == body)) h->count = 0;
    }
}

/* ---- in snapshots: header, what all methods keep, the cycle, and in mode paper histories ---- */

typedef struct saved_header {
    uint64_t memory_size;
    uint32_t age, latency, expected, asked_units;
    uint32_t useful_units, step, history_count, waited;
} saved_header;

static size_t histories_size(const lt_force_histories *histories) {
    return histories->count * sizeof(lt_force_history);
}

static size_t state_size(const void *state) {
    const tet_hash *m = state;
    return sizeof(saved_header) + lt_memory_state_size(state) + lt_cycle_state_size(&m->cycle) +
           histories_size(&m->histories);
}

static void save(const void *state, uint8_t *bytes) {
    const tet_hash *m = state;
    saved_header h = {.memory_size = lt_memory_state_size(state),
                      .age = m->age,
                      .latency = m->latency,
                      .expected = m->expected,
                      .asked_units = m->asked_units,
                      .useful_units = m->useful_units,
                      .step = m->step,
                      .history_count = m->histories.count,
                      .waited = m->waited};
    memcpy(bytes, &h, sizeof h);
    bytes += sizeof h;
    lt_memory_save(state, bytes);
    lt_cycle_save(&m->cycle, bytes + h.memory_size);
    bytes += h.memory_size + lt_cycle_state_size(&m->cycle);
    if (h.history_count) memcpy(bytes, m->histories.items, histories_size(&m->histories));
}

static void restore_histories(tet_hash *m, const uint8_t *bytes, const saved_header *h) {
    m->step = h->step;
    m->histories.count = h->history_count;
    if (h->history_count) memcpy(m->histories.items, bytes, histories_size(&m->histories));
    /* Only those of contacts that there are; a cycle under way is not among what mode paper keeps. */
    if (is_printed(m)) begin_anew(m);
}

static bool restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    tet_hash *m = state;
    saved_header h;
    if (size < sizeof h) return false;
    memcpy(&h, bytes, sizeof h);
    if (h.memory_size > size - sizeof h || h.latency == 0) return false;
    if (h.expected == 0 || h.expected > LONGEST_LATENCY) return false;
    lt_cycle_input input = {.colliders = world->colliders,
                            .collider_count = world->collider_count,
                            .obstacles = world->obstacles,
                            .kernels = lt_embed_kernels_for(world->level),
                            .cloud_kernels = lt_cloud_kernels_for(world->level)};
    bytes += sizeof h;
    size -= sizeof h + h.memory_size;
    const uint8_t *cycle = bytes + h.memory_size;
    size_t history_bytes = h.history_count * sizeof(lt_force_history);
    if (h.history_count > m->histories.capacity || history_bytes > size) return false;
    const uint8_t *histories = cycle + size - history_bytes;
    if (!lt_force_histories_are_sound(histories, h.history_count, h.step)) return false;
    if (!lt_cycle_is_sound(&m->cycle, cycle, size - history_bytes, &input, world->obstacle_count))
        return false;
    if (!lt_memory_restore(state, bytes, h.memory_size, world)) return false;
    lt_cycle_restore(&m->cycle, cycle, &input);
    m->age = h.age;
    m->latency = h.latency;
    m->expected = h.expected;
    m->waited = h.waited;
    m->asked_units = h.asked_units;
    m->useful_units = h.useful_units;
    restore_histories(m, histories, &h);
    return true;
}

static uint64_t hash_state(const void *state, uint64_t hash) {
    const tet_hash *m = state;
    hash = lt_hash_u64(lt_memory_hash(state, hash), (uint64_t)m->age << 32 | m->latency << 4 | m->expected);
    hash = lt_cycle_hash(&m->cycle, hash);
    if (!is_printed(m)) return hash;
    hash = lt_hash_u64(hash, m->step);
    return lt_hash_bytes(hash, m->histories.items, histories_size(&m->histories));
}

/* A cycle is about all of them. */
static uint32_t waited(const void *state, uint32_t pair) {
    (void)pair;
    return ((const tet_hash *)state)->waited;
}

extern const lt_method_verbs lt_method_tet_hash;
const lt_method_verbs lt_method_tet_hash = {
    .method = LT_METHOD_TET_HASH,
    .has_paper = true,
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
    .forget_obstacle = forget_obstacle,
    .displace_body = displace_body,
    .shift_body = lt_memory_shift_body,
    .contacts = lt_memory_contacts,
    .pairs = lt_memory_pairs,
    .waited = waited,
    .validate = lt_memory_validate,
    .hash = hash_state,
    .state_size = state_size,
    .save = save,
    .restore = restore,
};
