/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method multiscale (papers/003): exact contacts of a dense surface at the cost of the few tets that carry it.
 *
 *   models move freely ──► boxes around the ways of bodies ──► pairs ──► contacts of the last step push as they
 *   would now, so that turns look where bodies will get (multiscale_answer.c; its sweeps are counted in the stage
 *   EMBED) ──► turns, by harm and age: boxes of the tree from the tets that govern them, marks of tets that may
 *   overlap, continuous tests of triangles (multiscale_turn.c) ──► contacts, four for all between two tets
 *   (multiscale_contacts.c) ──► constraints, answered, looked at again and answered again, at last the fail-safe
 *   (multiscale_answer.c) ──► who had no turn is held (multiscale_parts.c, multiscale_bodies.c, multiscale_pending.c) ──► the list
 *   of contacts
 *
 *   boxes, pairs   always done and charged
 *   turns          cut anywhere: what was found counts; contacts of the last step go on as constraints where the pair was not
 *                  decided
 *                  what was cut although a step had nothing else to do goes on in the next one (multiscale_long.c)
 *   answer         sweeps are cut anywhere; the end of an answer, which makes it one that holds (respond/lcp.h), was set aside
 *   looking again  only where nothing was cut
 *
 * Uninterrupted the answer is exact: surfaces that are apart as a step begins are apart as it ends, and all the way. A little
 * way (lt_world_def.multiscale.separation) is kept between them, so that what rests is found in every step.
 *
 * The smallest useful budget is what preparing the two largest bodies of a pair and their query take (the turn of a pair that
 * rests: some ten thousand units), and as much again for the answer: below that bodies are held by what is known.
 *
 * Mode paper: one mark a tet, neighbours never marked and tets that turn inside out neither (detect/self.h), sweeps without
 * momentum. Obstacles, which the paper does not have, are as in mode safe; so are what is kept apart, friction, which the paper
 * has not either, and the fail-safe. */

#include "method/draw.h"
#include "method/multiscale_plane.h"

#include <string.h>

/* Of the size of the smallest body. */
static const float SEPARATION = 1e-3f;

/* Of what is left of a budget: for the contacts that are held. */
static const double ANSWERS = 0.4;

/* ---- a step ---- */

static float separation_of(const lt_multi_method *m, const lt_method_step *step) {
    float least = INFINITY;
    if (m->options.multiscale.separation > 0) return m->options.multiscale.separation;
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (step->colliders[i].in_use) least = lt_min_f(least, (float)step->softs[i].size);
    return least < INFINITY ? SEPARATION * least : 0;
}

static uint32_t slot_count(uint32_t capacity) {
    uint32_t count = 64;
    while (count < 2 * capacity)
        count *= 2;
    return count;
}

static uint32_t most_tets(const lt_collider *colliders, uint32_t count) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) most = lt_max_u32(most, colliders[i].soft->carrier.tet_count);
    return most;
}

static uint32_t most_nodes(const lt_collider *colliders, uint32_t count) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) most = lt_max_u32(most, lt_soft_own_count(colliders[i].soft));
    return most;
}

/* Meetings of a turn; without bodies there are none. */
static uint32_t crowd_of(const lt_collider *colliders, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) return LT_MULTI_CROWD;
    return 0;
}

static bool take_arrays(lt_multi_work *w) {
    lt_arena *arena = w->step->arena;
    uint32_t pairs = w->method->memory.pairs.capacity, contacts = w->capacity;
    uint32_t crowd = crowd_of(w->step->colliders, w->step->collider_count);
    w->outcomes = LT_TAKE(arena, pairs, lt_multi_outcome);
    w->heap = LT_TAKE(arena, pairs, uint32_t);
    w->turn = LT_TAKE(arena, 1, lt_multi_turn);
    w->meetings = LT_TAKE(arena, crowd, lt_meeting);
    w->spare_meetings = LT_TAKE(arena, crowd, lt_meeting);
    w->seen = LT_TAKE(arena, crowd, lt_meeting);
    w->seen_points = LT_TAKE(arena, crowd, uint32_t);
    w->obstacle_meetings = LT_TAKE(arena, contacts, lt_obstacle_meeting);
    w->touches = LT_TAKE(arena, contacts, lt_touch);
    w->candidates = LT_TAKE(arena, contacts, lt_multi_candidate);
    w->tet_capacity = most_tets(w->step->colliders, w->step->collider_count);
    w->first_times[0] = LT_TAKE(arena, w->tet_capacity, float);
    w->first_times[1] = LT_TAKE(arena, w->tet_capacity, float);
    w->keys = LT_TAKE(arena, contacts, lt_contact_key);
    w->spare_keys = LT_TAKE(arena, contacts, lt_contact_key);
    w->contacts = LT_TAKE(arena, contacts, lt_multi_contact);
    w->slots = LT_TAKE(arena, slot_count(contacts), uint32_t);
    w->couple_stride = lt_couple_stride(most_nodes(w->step->colliders, w->step->collider_count));
    w->couple_columns = LT_TAKE(arena, LT_COUPLE_COLUMNS * w->couple_stride, float);
    w->rows = LT_TAKE(arena, contacts, lt_lcp_contact);
    w->bodies = LT_TAKE(arena, w->step->collider_count, lt_lcp_body);
    return w->outcomes && w->heap && w->turn && w->meetings && w->spare_meetings && w->seen &&
           w->seen_points && w->obstacle_meetings && w->touches && w->candidates && w->first_times[0] &&
           w->first_times[1] && w->keys && w->spare_keys && w->contacts && w->slots && w->rows && w->bodies &&
           w->couple_columns;
}

/* Of the nodes that answers move, as these end. */
static uint64_t exit_units_of_nodes(const lt_collider *colliders, uint32_t count) {
    uint64_t units = 0;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) units += lt_multi_exit_nodes_units(colliders[i].soft);
    return units;
}

static uint32_t node_total(const lt_collider *colliders, uint32_t count) {
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) nodes += colliders[i].soft->carrier.node_count;
    return nodes;
}

/* What take_arrays, the motions, the answer and the hooks take. */
static size_t scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count) {
    (void)state;
    uint32_t crowd = crowd_of(colliders, collider_count);
    size_t pairs = capacities->pairs, contacts = lt_max_u32(capacities->contacts, crowd);
    size_t of_pair = sizeof(lt_multi_outcome) + sizeof(uint32_t) + sizeof(lt_tested) + sizeof(lt_exchange);
    size_t of_contact = sizeof(lt_obstacle_meeting) + sizeof(lt_touch) + sizeof(lt_multi_candidate) +
                        2 * sizeof(lt_contact_key) + sizeof(lt_multi_contact) + sizeof(lt_lcp_contact) +
                        sizeof(lt_contact_record);
    size_t bytes = pairs * of_pair + contacts * of_contact + sizeof(lt_multi_turn) +
                   slot_count((uint32_t)contacts) * sizeof(uint32_t) +
                   collider_count * (sizeof(lt_lcp_body) + sizeof(lt_root_push) + 2 * sizeof(uint32_t) +
                                     sizeof(float) + sizeof(bool)) +
                   35 * 64;
    bytes += crowd * (3 * sizeof(lt_meeting) + sizeof(uint32_t));
    bytes += 2 * most_tets(colliders, collider_count) * sizeof(float);
    bytes += LT_COUPLE_COLUMNS * lt_couple_stride(most_nodes(colliders, collider_count)) * sizeof(float);
    for (uint32_t i = 0; i < collider_count; i++)
        if (colliders[i].in_use) bytes += lt_lcp_rows_scratch(colliders[i].soft);
    return bytes + lt_multi_motion_scratch(colliders, collider_count) +
           lt_multi_parts_scratch(colliders, collider_count) +
           lt_lcp_scratch(node_total(colliders, collider_count), collider_count, (uint32_t)contacts) +
           lt_contact_scratch_size((uint32_t)contacts) + (capacities->couplings + 1) * sizeof(lt_coupling) +
           lt_multi_reach_scratch(collider_count, (uint32_t)pairs) +
           lt_multi_bodies_scratch(collider_count, (uint32_t)pairs) + lt_multi_near_scratch();
}

static bool begin_work(lt_multi_work *w, lt_multi_method *m, lt_method_step *step) {
    *w = (lt_multi_work){
        .method = m,
        .step = step,
        .separation = separation_of(m, step),
        .capacity = lt_max_u32(m->memory.contacts.capacity, crowd_of(step->colliders, step->collider_count)),
        .complete = true};
    if (!take_arrays(w) || !lt_multi_begin_motions(w)) return false;
    for (uint32_t i = 0; i < w->tet_capacity; i++)
        w->first_times[0][i] = w->first_times[1][i] = 2;
    w->slot_mask =
        slot_count(0) - 1; /* of few: clearing those of the capacity takes longer than a body at rest */
    memset(w->slots, 0, ((size_t)w->slot_mask + 1) * sizeof *w->slots);
    return true;
}

/* ---- what is told ---- */

static lt_multi_outcome *outcome_of(const lt_multi_work *w, const lt_contact_record *record) {
    const lt_pair pair = {.a = record->a, .kind = record->kind, .b = record->b};
    return &w->outcomes[lt_pair_table_place(&w->method->memory.pairs, &pair)];
}

/* Who is carried by what stands in, and has no contact there that is known, does not rest: it would fall as soon as that is not there. */
static void keep_awake(const lt_multi_work *w, const lt_multi_contact *c, const lt_multi_outcome *outcome) {
    const lt_real little = (lt_real)0.01; /* of its weight */
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, &c->pair);
    float fall = lt_v3_length(w->step->gravity) * w->step->dt;
    if (!c->is_coarse || outcome->held_begin < outcome->held_end) return;
    for (uint32_t i = 0; i < count; i++) {
        float *held_back = &w->step->colliders[bodies[i]].held_back;
        if (lt_r3_length(c->impulse) > little * w->step->softs[bodies[i]].total_mass * (lt_real)fall)
            *held_back = lt_max_f(*held_back, fall);
    }
}

static void harvest_contacts(const lt_multi_work *w, lt_contact_harvest *harvest) {
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_multi_contact *c = &w->contacts[i];
        lt_contact_record record = lt_multi_record(w, c);
        lt_multi_outcome *outcome = outcome_of(w, &record);
        lt_real passed =
            w->motions[c->pair.a].from ? w->motions[c->pair.a].passed : w->motions[c->pair.b].passed;
        outcome->impulse = lt_r3_mad(outcome->impulse, c->impulse, passed);
        keep_awake(w, c, outcome);
        if (!c->is_coarse) lt_harvest_answered(harvest, &record);
        if (record.kind == LT_PAIR_OBSTACLE)
            lt_load_obstacle(lt_step_obstacle(w->step, &c->pair), record.position,
                             lt_v3_scale(record.force, (float)passed));
    }
}

/* A contact that was found again has the force of this step alone. */
static void clear_forces(lt_contact_list *contacts, const lt_collider *colliders) {
    for (uint32_t i = 0; i < contacts->count; i++)
        if (!lt_contact_sleeps(&contacts->records[i], colliders))
            contacts->records[i].force = (lt_vec3){0, 0, 0};
}

static void note_exchanges(const lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++)
        lt_note_exchange(w->step, lt_worded_pair_at(pairs, i), w->outcomes[i].impulse);
}

/* Of who was decided and looked at again it is known that they are apart. */
static void end_turns(const lt_multi_work *w, lt_tested *tested) {
    lt_pair_table *pairs = &w->method->memory.pairs;
    lt_report *report = w->step->report;
    float undecided = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_multi_outcome *outcome = &w->outcomes[i];
        lt_pair *pair = lt_worded_pair_at(pairs, i);
        tested[i] = (lt_tested){.count = UINT32_MAX}; /* what lives on was harvested */
        report->tested += outcome->tested;
        report->pending += !outcome->done;
        report->tangled += lt_multi_known(pair) == LT_MULTI_OVERLAPPING;
        if (!outcome->done) undecided = lt_max_f(undecided, lt_pair_depth_bound(w->step, pair));
        bool certain = outcome->done && (w->complete || outcome->is_apart);
        uint32_t known = lt_multi_known(pair),
                 waited = outcome->done ? 0 : lt_multi_undecided_steps(pair) + 1;
        if (known != LT_MULTI_OVERLAPPING || pair->kind == LT_PAIR_OBSTACLE)
            known = certain ? LT_MULTI_APART : LT_MULTI_UNKNOWN;
        lt_multi_know(pair, known, waited);
        report->latency = lt_max_u64(report->latency, waited);
    }
    report->gap_error = (double)undecided;
    if (!w->complete) report->interrupted = 1;
}

/* Who had no contact begins from nothing. */
static void cool_bodies(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        if (!w->step->colliders[i].in_use) continue; /* it may have no record */
        lt_multi_body *body = &w->method->bodies[i];
        if (!body->is_warm || w->motions[i].was_answered) continue;
        memset(body->warm, 0, 4 * (size_t)body->node_count * sizeof *body->warm);
        body->is_warm = false;
    }
}

/* ---- the end of a step ---- */

/* What is done in any case when all is answered, as one piece of work. */
typedef struct ending {
    lt_multi_work *work;
    lt_contact_harvest *harvest;
    lt_tested *tested;
    bool done;
} ending;

static uint32_t ending_units(const lt_multi_work *w) {
    return 1 + w->method->memory.pairs.count + w->step->collider_count +
           LT_MULTI_EMIT_UNITS * w->contact_count + lt_multi_entries_units(w);
}

static lt_piece peek_ending(const void *state) {
    const ending *e = state;
    return (lt_piece){LT_WORK_FRONT, e->done ? 0 : ending_units(e->work), 0};
}

static uint32_t step_ending(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    ending *e = state;
    (void)grant; /* it was set aside */
    harvest_contacts(e->work, e->harvest);
    clear_forces(&e->work->method->memory.contacts, e->work->step->colliders);
    end_turns(e->work, e->tested);
    note_exchanges(e->work);
    cool_bodies(e->work);
    e->done = true;
    return ending_units(e->work);
}

/* ---- the hooks ---- */

/* Contacts wait until the bodies have moved. */
static void before_motion(void *state, lt_method_step *step) {
    lt_multi_keep_velocities(state, step);
    step->couplings = LT_TAKE(step->arena, step->capacities.couplings + 1, lt_coupling);
    step->wants_systems = true;
    if (!step->couplings) step->report->problems |= LT_PROBLEM_SCRATCH;
}

/* What is answered in any case: contacts that are held, and all nodes that may be moved. */
static void reserve_rest(lt_multi_work *w) {
    lt_meter *meter = w->step->meter;
    uint64_t contacts = w->method->memory.contacts.count;
    uint64_t nodes = exit_units_of_nodes(w->step->colliders, w->step->collider_count);
    lt_reserve(meter, lt_multi_contact_units() * contacts);
    lt_reserve_work(meter, LT_WORK_EXIT, nodes);
    lt_reserve_work(meter, LT_WORK_FRONT, ending_units(w));
    lt_reserve(meter, lt_multi_coarse_units(w));
    lt_reserve(meter, lt_multi_parts_units(w)); /* units of ROOT are few, and long: they would price these */
    w->near_reserved = lt_multi_near_units(w);
    lt_reserve_work(meter, LT_WORK_ROOT,
                    w->near_reserved + lt_multi_bodies_units(w) + lt_multi_hold_units(w));
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (2 + contacts));
    lt_reserve_work(meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * (1 + contacts));
}

/* Of what is left, without what is done whatever contacts there are: or that and contacts would take all, and no turn would go on. What
 * it takes in time is not known. */
static double share_of_contacts(const lt_multi_work *w) {
    const lt_meter *meter = w->step->meter;
    uint64_t contacts = (lt_multi_contact_units() + LT_LISTING_UNITS + LT_COLLECT_UNITS) *
                        (uint64_t)w->method->memory.contacts.count;
    uint64_t fixed = meter->reserved_units - contacts, used = meter->used_units;
    if (meter->limit_units == LT_UNLIMITED) return ANSWERS;
    if (meter->limit_units <= used + fixed) return 0;
    return ANSWERS * (1 - (double)fixed / (double)(meter->limit_units - used));
}

static bool handle(lt_multi_method *m, lt_method_step *step) {
    enum { LEAST_CONTACTS = 8 };
    lt_multi_work w;
    lt_listing list;
    step->exchanges = LT_TAKE(step->arena, m->memory.pairs.capacity, lt_exchange);
    if (!lt_listing_take(&list, &m->memory, step->arena) || !step->exchanges || !begin_work(&w, m, step))
        return false;
    lt_multi_find_pairs(&w);
    lt_multi_long_go_on(&w);
    lt_multi_begin_outcomes(&w);
    lt_multi_find_planes(&w);
    reserve_rest(&w);
    w.limit = lt_meter_limit(step->meter, share_of_contacts(&w), lt_multi_contact_units(), LEAST_CONTACTS);
    lt_multi_foresee(&w);
    lt_multi_take_aim(&w);
    lt_multi_search(&w);
    lt_multi_add_held(&w);
    lt_multi_find_near(&w);
    lt_multi_answer(&w);
    lt_multi_doubt_rest(&w);
    lt_multi_hold_parts(&w);
    lt_multi_hold_bodies(&w);
    lt_multi_hold_pending(&w);
    lt_multi_keep_entries(&w);
    ending e = {&w, &list.harvest, list.tested, false};
    lt_spend_fully(step->meter, LT_STAGE_CONTACTS, (lt_cursor){&e, peek_ending, step_ending});
    lt_stage_contacts(&m->memory, &list, w.limit, step);
    m->dt = step->dt;
    return true;
}

static void after_motion(void *state, lt_method_step *step) {
    lt_multi_method *m = state;
    if (!handle(m, step)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        m->entries[m->entries_now].count = 0; /* bodies have moved */
    }
    lt_stage_count(&m->memory, step);
}

/* ---- verbs ---- */

static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    (void)world;
    return c->touch.point == LT_NONE && c->touch.body == c->a && c->feature != UINT32_MAX;
}

static void visit_pair(lt_stream *s, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept) {
    lt_pair_words *words = kept;
    (void)visit;
    lt_memory_visit_turn(s, pair, turn, &words->next, &words->left, &turn->harm);
    lt_stream_expect(s,
                     lt_multi_known(&words->pair) <= LT_MULTI_OVERLAPPING && lt_root_is_sound(words->next));
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {feature_is_sound, sizeof(lt_pair_words), visit_pair,
                                          lt_pair_words_begin, NULL};
    lt_status status = lt_memory_create(state, sizeof(lt_multi_method), &rules, allocator, error);
    if (status != LT_OK) return status;
    ((lt_multi_method *)*state)->options = *options;
    return LT_OK;
}

static const char *refuse(const lt_collider *collider) {
    if (lt_collider_is_of_cells(collider)) return lt_refuse_cells(collider);
    return collider->surface ? NULL : "its shape " LT_HAS_NO_TREE;
}

static uint32_t waited(const void *state, uint32_t pair) {
    return lt_multi_undecided_steps(lt_worded_pair_at(lt_memory_pairs(state), pair));
}

static void draw_tree(const void *state, const lt_collider *collider, const lt_debug_draw *draw) {
    (void)state;
    lt_draw_tree(draw, &collider->surface->boxes);
}

extern const lt_method_verbs lt_method_multiscale;
const lt_method_verbs lt_method_multiscale = {
    .method = LT_METHOD_MULTISCALE,
    .has_paper = true,
    .bounds = LT_BOUNDS_SURFACE,
    .rest = &lt_rest_by_velocities,
    .draw = draw_tree,
    .create = create,
    .destroy = lt_multi_destroy,
    .reserve = lt_multi_reserve,
    .refuse = refuse,
    .scratch = scratch,
    .before_motion = before_motion,
    .after_motion = after_motion,
    .forget_body = lt_multi_forget_body,
    .forget_obstacle = lt_multi_forget_obstacle,
    .displace_body = lt_multi_displace_body,
    .shift_body = lt_memory_shift_body,
    .contacts = lt_memory_contacts,
    .pairs = lt_memory_pairs,
    .waited = waited,
    .validate = lt_memory_validate,
    .hash = lt_multi_hash,
    .state_size = lt_multi_state_size,
    .save = lt_multi_save,
    .restore = lt_multi_restore,
};
