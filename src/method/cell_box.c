/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method cell-box (papers/002): boxes around the surface in each cell of a lattice, parted as they are found. What it costs
 * depends on cells, not on triangles.
 *
 *   contacts of the step before become couplings ──► models move ──► boxes around bodies ──► pairs ──► turns, oldest first: fit
 *   the boxes of cells, look for boxes that touch, answer what is new at once (cell_turn.c) ──► answer again what of that was
 *   deep (cell_round.c) ──► who had no turn is held by the boxes around bodies (cell_roots.c) ──► contacts
 *
 *   carried        a contact keeps its place in both cells, and pushes while the models move (respond/respond.h). Impulses after
 *                  the motion cannot carry weight through a stiff body: a few nodes would have to be fast enough to hold all
 *                  the others. What is carried is looked at in its turn, not answered; what was deep at first it pushes out
 *                  slowly, or energy would come from nothing. What a turn changes must not jump: a contact that becomes known
 *                  late begins without a push, one that is described anew pushes as before, one that is lost fades
 *   boxes, pairs   always done and charged
 *   turns          cut between any two pieces; the pair that was cut is first in the next step and goes on from its place.
 *                  Nobody waits longer than a round takes. Who was found apart, or is still, needs none for a while
 *                  (cell_spare.c)
 *   no turn        contacts that are known go on pushing; where there are none, one answer by the boxes that turn with the two
 *                  bodies, if they are deeper in each other by a part of a cell than when they had their last turn, or met
 *
 * The smallest useful budget is what fitting the boxes of the two largest bodies of a pair takes, and one answer: below that
 * bodies are only held.
 *
 * Mode paper: planes, impulses and corrections as printed (bound/cell_boxes.h, respond/impulse.h), boxes push out of any
 * face, crossing hulls are not looked for, every pair is answered once a step, and nothing is carried. Obstacles,
 * which the paper has none of, are answered as in mode safe. Neighbours are left out in both: the paper's boxes touch
 * theirs by construction. */

#include "core/hash.h"
#include "method/cell_work.h"
#include "method/draw.h"

#include <string.h>

/* × cell: the one correction of a pair in a pass, 0.15 in steps of 1/60 s, where three of a third each did the same at three times
 * the cost. Twice that made energy when two balls met at 2 m/s, 9 %. */
static const float CAP_A_SECOND = 9, CAP_MOST = 0.3f;
/* × cell: depth of what is new that is left to the next motion. */
static const float SLACK = 0.05f;

/* × cell: beyond this a contact with an obstacle is corrected although it is carried. */
static const float CARRIED_SLACK = 0.25f;

/* Of the budget, for contacts. A heap stands on them: with two fifths a third of the contacts of 1,014 letters at rest were
 * let go at 5 ms, and it boiled at 1 m/s. */
static const double CONTACT_SHARE = 0.6;

/* m/s, of depth that is carried: what is deep at first is corrected, not pushed out. */
static const float DEPENETRATION_SPEED = 0.012f;
/* × cell: what is no deeper is not pushed out. Pushing out is work: where a tower rocks on its edges, each that comes down sinks in a
 * little and is lifted again, and of 24 towers of three cubes 9 rocked on for 30 s. */
static const float REST_DEPTH = 0.03f;

static bool is_printed(const lt_cell_method *m) {
    return m->options.mode == LT_MODE_PAPER;
}

/* ---- a step ---- */

static lt_impulse_params params_for(const lt_cell_method *m, const lt_method_step *step) {
    lt_impulse_params params = lt_impulse_params_default(step->level);
    params.cap = (lt_real)lt_min_f(CAP_MOST, CAP_A_SECOND * step->dt);
    params.correction_count = 1;
    params.looks_back = false;
    params.slack = (lt_real)SLACK;
    params.faces = true;
    if (!is_printed(m)) return params;
    params.slack = 0;
    params.faces = false;
    params.as_printed = true;
    params.hulls = false;
    return params;
}

static size_t count_nodes(const lt_collider *colliders, uint32_t count) {
    size_t nodes = 0;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) nodes += lt_align_up(colliders[i].soft->carrier.node_count, 16);
    return nodes;
}

static size_t count_boxes(const lt_collider *colliders, uint32_t count) {
    size_t boxes = 0;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) boxes += colliders[i].cells.layout->box_count;
    return boxes;
}

static bool take_arrays(lt_cell_work *w, lt_arena *arena) {
    uint32_t bodies = w->step->collider_count, pairs = w->method->memory.pairs.capacity;
    w->touch_capacity = w->method->memory.contacts.capacity;
    w->bounds = LT_TAKE(arena, bodies, lt_box);
    w->travels = LT_TAKE(arena, bodies, float);
    w->displacements = LT_TAKE(arena, bodies, float);
    w->moves = LT_TAKE(arena, bodies, float);
    w->oriented = LT_TAKE(arena, bodies, lt_oriented);
    w->turned = LT_TAKE(arena, bodies, uint8_t);
    w->motions = LT_TAKE(arena, bodies, lt_cell_motion);
    w->boxes = LT_TAKE(arena, bodies, lt_cell_boxes *);
    w->progress = LT_TAKE(arena, bodies, uint8_t);
    w->colors = LT_TAKE(arena, bodies, uint64_t);
    w->pushes = LT_TAKE(arena, bodies, lt_root_push);
    w->waiting = LT_TAKE(arena, bodies, uint32_t);
    w->emitted = LT_TAKE(arena, bodies, uint32_t *);
    w->outcomes = LT_TAKE(arena, pairs, lt_cell_outcome);
    w->features = LT_TAKE(arena, w->touch_capacity, uint32_t);
    w->sorted = LT_TAKE(arena, pairs, uint32_t);
    w->classes = LT_TAKE(arena, pairs, uint8_t);
    w->order = LT_TAKE(arena, pairs, uint32_t);
    w->touches = LT_TAKE(arena, w->touch_capacity, lt_cell_touch);
    w->batch_capacity = lt_min_u32(pairs, LT_CELL_BATCH);
    w->batch = LT_TAKE(arena, w->batch_capacity, lt_cell_turn);
    w->batch_units = LT_TAKE(arena, w->batch_capacity, uint32_t);
    w->batch_touches = LT_TAKE(arena, w->batch_capacity * LT_CELL_BATCH_TOUCHES, lt_cell_touch);
    return w->bounds && w->travels && w->displacements && w->moves && w->oriented && w->turned &&
           w->motions && w->boxes && w->progress && w->colors && w->pushes && w->waiting && w->emitted &&
           w->outcomes && w->features && w->sorted && w->classes && w->order && w->touches &&
           w->batch_touches;
}

/* What take_arrays and what the hooks take. */
static size_t scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count) {
    (void)state;
    size_t bodies = collider_count, pairs = capacities->pairs, contacts = capacities->contacts;
    size_t bytes = bodies * (sizeof(lt_box) + 3 * sizeof(float) + sizeof(lt_cell_motion) +
                             sizeof(lt_cell_boxes *) + 2 + sizeof(lt_oriented) + sizeof(uint64_t) +
                             sizeof(lt_root_push) + sizeof(uint32_t) + sizeof(uint32_t *));
    bytes += count_boxes(colliders, collider_count) * sizeof(uint32_t);
    bytes += pairs *
             (sizeof(lt_cell_outcome) + 1 + 2 * sizeof(uint32_t) + sizeof(lt_exchange) + sizeof(lt_tested));
    bytes += contacts * (sizeof(lt_cell_touch) + sizeof(uint32_t));
    bytes += lt_min_u32(capacities->pairs, LT_CELL_BATCH) *
             (sizeof(lt_cell_turn) + sizeof(uint32_t) + LT_CELL_BATCH_TOUCHES * sizeof(lt_cell_touch));
    bytes += count_nodes(colliders, collider_count) * sizeof(lt_real);
    bytes += contacts * sizeof(lt_contact_record) + lt_contact_scratch_size(capacities->contacts);
    bytes += capacities->couplings * sizeof(lt_coupling) + 37 * 64;
    bytes += lt_penalty_scratch(colliders, collider_count, capacities->contacts);
    return bytes + lt_broad_scratch(collider_count, capacities->pairs);
}

static void begin_outcomes(lt_cell_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    const lt_contact_list *contacts = &w->method->memory.contacts;
    for (uint32_t i = 0; i < contacts->count; i++)
        w->features[i] = contacts->records[i].feature;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair_slot *slot = lt_pair_slot_at(pairs, i);
        w->outcomes[i] = (lt_cell_outcome){.held_begin = slot->contact_begin, .held_end = slot->contact_end};
    }
}

static bool begin_work(lt_cell_work *w, lt_cell_method *m, lt_method_step *step) {
    *w = (lt_cell_work){
        .method = m, .step = step, .params = params_for(m, step), .passes = is_printed(m) ? 1 : 2};
    w->carried_params = w->params;
    if (!is_printed(m)) w->carried_params.slack = (lt_real)CARRIED_SLACK;
    lt_real *masses = LT_TAKE(step->arena, count_nodes(step->colliders, step->collider_count) + 1, lt_real);
    size_t box_count = count_boxes(step->colliders, step->collider_count);
    uint32_t *emitted = LT_TAKE(step->arena, box_count + 1, uint32_t);
    if (!take_arrays(w, step->arena) || !masses || !emitted) return false;
    memset(emitted, 255, box_count * sizeof *emitted); /* none */
    for (uint32_t i = 0; i < step->collider_count; i++) {
        lt_soft *soft = &step->softs[i];
        w->progress[i] = w->turned[i] = 0;
        w->pushes[i] = (lt_root_push){.known = false};
        w->boxes[i] = &step->colliders[i].cells;
        w->bounds[i] = step->colliders[i].box;
        if (!step->colliders[i].in_use) continue;
        w->motions[i] = (lt_cell_motion){w->boxes[i], soft->x, soft->v, soft->nodes, masses};
        masses += lt_align_up(soft->carrier.node_count, 16);
        w->emitted[i] = emitted;
        emitted += w->boxes[i]->layout->box_count;
    }
    begin_outcomes(w);
    return true;
}

/* ---- contacts ---- */

static uint32_t cell_of(const lt_cell_work *w, uint32_t body, uint32_t box) {
    LT_ASSERT(body < w->step->collider_count);
    return w->boxes[body]->layout->cells[box];
}

static lt_attachment hold_of(uint32_t cell, const float place[3]) {
    return (lt_attachment){cell, {place[0], place[1], place[2], 0}};
}

/* Boxes are numbered below 2^16 (refuse). */
static lt_contact_record contact_of(const lt_cell_work *w, const lt_cell_touch *t) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, t->pair);
    bool obstacle = pair->kind == LT_PAIR_OBSTACLE, second = !obstacle && t->inner == 1;
    uint32_t cells[2] = {cell_of(w, pair->a, t->a), obstacle ? 0 : cell_of(w, pair->b, t->b)};
    uint32_t body = second && pair->kind == LT_PAIR_BODIES ? pair->b : pair->a;
    float cell = w->boxes[body]->cell_size;
    return (lt_contact_record){.a = pair->a,
                               .kind = pair->kind,
                               .b = pair->b,
                               .feature = lt_cell_feature(w, pair, t),
                               .touch = {.body = body,
                                         .point = LT_NONE,
                                         .own = hold_of(cells[second], t->places[second]),
                                         .other = hold_of(cells[!second], t->places[!second]),
                                         .normal = t->normal,
                                         .depth = t->depth,
                                         .area = cell * cell / 4},
                               .credit = t->credit,
                               .store = -1,
                               .position = t->point,
                               .normal = t->normal,
                               .depth = t->depth,
                               .force = lt_v3_scale(lt_v3_from_r3(t->impulse), 1 / w->step->dt)};
}

/* How deep it would be now if nobody had looked: as respond/ foresees it. */
static float foreseen_depth(const lt_cell_work *w, const lt_contact_record *now, const lt_touch *before) {
    uint32_t other = now->kind == LT_PAIR_BODIES && before->body == now->a ? now->b : now->a;
    const lt_collider *c = &w->step->colliders[other];
    lt_anchor anchor = lt_attachment_anchor(&before->other, c);
    lt_vec3 place = lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
    return before->depth - lt_v3_dot(before->normal, lt_v3_sub(now->position, place));
}

/* Has not slipped, and is as deep as was foreseen. */
static bool has_stayed(const lt_cell_work *w, const lt_touch *touch, const lt_touch *before, float foreseen) {
    const float slip = 0.2f; /* of a cell */
    if (touch->body != before->body || touch->own.tet != before->own.tet ||
        touch->other.tet != before->other.tet ||
        !(lt_v3_dot(touch->normal, before->normal) > LT_CELL_SAME_FACE))
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (!(fabsf(touch->other.weights[axis] - before->other.weights[axis]) < slip)) return false;
    return fabsf(foreseen - touch->depth) < LT_CELL_STILL * w->boxes[touch->body]->cell_size;
}

/* What is carried between bodies and has stayed goes on pushing from where it began. Described anew each time its depth jumps by a
 * little, forth and back, and a stack of cubes sways on that at 0.05 m/s for ever. Where it has to be, it pushes as much as it did,
 * unless it is not as deep as that. */
static void go_on(const lt_cell_work *w, lt_contact_record *now, const lt_contact_record *before) {
    float foreseen = foreseen_depth(w, now, &before->touch);
    if (has_stayed(w, &now->touch, &before->touch, foreseen))
        now->touch = before->touch;
    else
        now->credit = lt_max_f(0, now->touch.depth - lt_max_f(0, foreseen - before->credit));
}

static void harvest_touches(const lt_cell_work *w, lt_contact_harvest *harvest) {
    for (uint32_t i = 0; i < w->touch_count; i++) {
        const lt_cell_touch *touch = &w->touches[i];
        lt_contact_record record = contact_of(w, touch);
        if (touch->carried && !touch->answered && record.kind != LT_PAIR_OBSTACLE) {
            go_on(w, &record, &w->method->memory.contacts.records[touch->before]);
        }
        lt_harvest_answered(harvest, &record);
    }
}

/* Corners leave boxes of cells, by a rim or to a neighbour, while they carry a third of a body's weight: dropped all at once, some
 * ten in every step of a heap kept it moving for ever. What was not found again and still pushes lives on, and what it pushes
 * fades. */
static const float FADING_SPEED = 0.01f; /* m/s */
static const float FADING_SHARE = 0.1f;  /* of what it pushes, a step */

static void harvest_fading(const lt_cell_work *w, lt_contact_harvest *harvest,
                           const lt_cell_outcome *outcome) {
    for (uint32_t i = outcome->held_begin; i < outcome->held_end; i++) {
        lt_contact_record fading = w->method->memory.contacts.records[i];
        float push = fading.depth - fading.credit;
        bool is_found = w->features[i] == LT_NONE || fading.age < outcome->but_younger;
        if (is_found || !(push > 0) || fading.kind == LT_PAIR_OBSTACLE) continue;
        fading.credit += lt_max_f(FADING_SPEED * w->step->dt, FADING_SHARE * push);
        fading.age = 0; /* it was looked at */
        fading.is_new = false;
        fading.force = (lt_vec3){0, 0, 0};
        lt_harvest_answered(harvest, &fading);
    }
}

static void mark_found(const lt_cell_work *w) {
    for (uint32_t i = 0; i < w->touch_count; i++)
        if (w->touches[i].carried) w->features[w->touches[i].before] = LT_NONE;
}

static void load_obstacles(const lt_contact_harvest *harvest, const lt_method_step *step) {
    for (uint32_t i = 0; i < harvest->count; i++) {
        const lt_contact_record *r = &harvest->records[i];
        if (r->kind == LT_PAIR_OBSTACLE)
            lt_load_obstacle(lt_obstacle_at(&step->colliders[r->a], step->obstacles, r->b), r->position,
                             r->force);
    }
}

/* ---- what is told ---- */

/* Turns age; the report says who had none. */
static void end_turn(const lt_cell_work *w, uint32_t index, lt_tested *tested) {
    const lt_cell_outcome *outcome = &w->outcomes[index];
    lt_turn *turn = lt_pair_turn_at(&w->method->memory.pairs, index);
    lt_report *report = w->step->report;
    *tested = (lt_tested){.count = outcome->done && !outcome->spared ? UINT32_MAX : 0,
                          .but_younger = outcome->but_younger,
                          .spared = outcome->spared};
    turn->age = outcome->done ? 0 : turn->age + 1;
    report->tested += outcome->tested;
    report->pending += !outcome->done;
    report->dropped += outcome->dropped;
    if (outcome->dropped) report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
    report->latency = lt_max_u64(report->latency, turn->age);
    report->gap_error = lt_max_d(report->gap_error, (double)outcome->bound);
}

/* All that is left to do for pairs, in one go: there may be many. */
static void end_pairs(lt_cell_work *w, lt_contact_harvest *harvest, lt_tested *tested, lt_method_step *step) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_cell_outcome *outcome = &w->outcomes[i];
        lt_rvec3 impulse = outcome->impulse;
        end_turn(w, i, &tested[i]);
        if (outcome->done && !outcome->spared) {
            harvest_fading(w, harvest, outcome);
            lt_cell_spare_end(w, i);
        }
        if (impulse.x != 0 || impulse.y != 0 || impulse.z != 0)
            lt_note_exchange(step, lt_worded_pair_at(pairs, i), impulse);
    }
}

static void publish(const lt_method_step *step) {
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (step->colliders[i].in_use && !step->colliders[i].asleep) lt_soft_publish(&step->softs[i]);
}

/* ---- the hooks ---- */

/* As printed, nothing is carried: what a contact did is told once. */
static void let_go(lt_contact_list *contacts, const lt_collider *colliders) {
    for (uint32_t i = 0; i < contacts->count; i++)
        if (!lt_contact_sleeps(&contacts->records[i], colliders))
            contacts->records[i].force = (lt_vec3){0, 0, 0};
}

static void before_motion(void *state, lt_method_step *step) {
    enum { LEAST_CONTACTS = 8 };
    lt_cell_method *m = state;
    uint32_t contacts = m->memory.contacts.capacity;
    m->penalty = (lt_penalty){
        .couplings = LT_TAKE(step->arena, (size_t)contacts + step->capacities.couplings, lt_coupling),
        .contact_of = LT_TAKE(step->arena, contacts, uint32_t),
        .depenetration_speed = DEPENETRATION_SPEED,
        .rest_depth = REST_DEPTH};
    if (!m->penalty.couplings || !m->penalty.contact_of) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        m->penalty = (lt_penalty){0};
        return;
    }
    lt_stage_reserve(&m->memory, step);
    m->contact_limit = lt_meter_limit(step->meter, CONTACT_SHARE, LT_CONTACT_UNITS, LEAST_CONTACTS);
    if (is_printed(m)) {
        let_go(&m->memory.contacts, step->colliders);
        step->couplings = m->penalty.couplings;
    } else {
        lt_stage_respond(&m->memory, &m->penalty, step);
    }
}

/* Bodies have moved: so do obstacles. Their velocities stay those of the step. */
static void move_obstacles(lt_method_step *step) {
    lt_obstacle *all[2] = {step->obstacles, step->seen_obstacles};
    const uint32_t counts[2] = {step->obstacle_count, step->seen_obstacle_count};
    for (int which = 0; which < 2; which++)
        for (uint32_t i = 0; i < counts[which]; i++) {
            lt_obstacle *o = &all[which][i];
            if (o->in_use && o->moving) lt_obstacle_place(o, o->target_position, o->target_rotation);
        }
}

/* ---- the end of a step ---- */

/* What is done in any case when all turns are over, as one piece of work. */
typedef struct ending {
    lt_cell_work *work;
    lt_method_step *step;
    lt_contact_harvest *harvest;
    lt_tested *tested;
    bool done;
} ending;

static uint32_t ending_units(const lt_cell_work *w) {
    return w->method->memory.pairs.count + w->step->collider_count + LT_CELL_EMIT_UNITS * w->touch_count;
}

static lt_piece peek_ending(const void *state) {
    const ending *e = state;
    return (lt_piece){LT_WORK_FRONT, e->done ? 0 : 1 + ending_units(e->work), 0};
}

static uint32_t step_ending(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    ending *e = state;
    (void)grant; /* it was set aside */
    harvest_touches(e->work, e->harvest);
    load_obstacles(e->harvest, e->step);
    mark_found(e->work);
    end_pairs(e->work, e->harvest, e->tested, e->step);
    publish(e->step);
    e->done = true;
    return 1 + ending_units(e->work);
}

static void reserve_rest(const lt_cell_work *w, lt_meter *meter) {
    uint64_t contacts = w->method->memory.contacts.count;
    lt_reserve_work(meter, LT_WORK_FRONT, 1 + (uint64_t)ending_units(w));
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (2 + contacts));
    lt_reserve_work(meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * (1 + contacts));
}

static bool handle(lt_cell_method *m, lt_method_step *now, lt_method_step *step) {
    lt_cell_work w;
    lt_listing list;
    step->exchanges = LT_TAKE(step->arena, m->memory.pairs.capacity, lt_exchange);
    if (!lt_listing_take(&list, &m->memory, step->arena) || !step->exchanges || !begin_work(&w, m, now))
        return false;
    reserve_rest(&w, step->meter);
    lt_cell_spare_begin(&w);
    lt_cell_order(&w);
    lt_cell_round(&w);
    lt_cell_roots(&w);
    ending e = {&w, step, &list.harvest, list.tested, false};
    lt_spend_fully(step->meter, LT_STAGE_CONTACTS, (lt_cursor){&e, peek_ending, step_ending});
    lt_stage_contacts(&m->memory, &list, m->contact_limit, step);
    return true;
}

/* Bodies are measured where they are now, and pairs are those whose boxes overlap now: nothing moves before the answer. */
static void after_motion(void *state, lt_method_step *step) {
    lt_cell_method *m = state;
    lt_penalty none = {0};
    lt_method_step now = *step;
    now.dt = 0;
    if (m->penalty.couplings) lt_penalty_collect(&m->penalty, step->obstacles);
    m->penalty = none;
    move_obstacles(step);
    lt_stage_boxes(&now);
    lt_stage_pairs(&m->memory, &now);
    now.dt = step->dt;
    if (!handle(m, &now, step)) step->report->problems |= LT_PROBLEM_SCRATCH;
    lt_stage_collect(&m->memory, &none, step);
}

/* ---- verbs ---- */

static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    (void)world;
    return c->touch.point == LT_NONE;
}

static void visit_pair(lt_stream *s, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept) {
    lt_pair_words *words = kept;
    float margin;
    (void)visit;
    lt_memory_visit_turn(s, pair, turn, &words->next, &words->left, &words->impulse);
    memcpy(&margin, &words->next, sizeof margin);
    lt_stream_expect(s, lt_root_is_sound(words->left) && fabsf(margin) < 1e30f);
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {feature_is_sound, sizeof(lt_pair_words), visit_pair,
                                          lt_pair_words_begin, NULL};
    lt_status status = lt_memory_create(state, sizeof(lt_cell_method), &rules, allocator, error);
    if (status != LT_OK) return status;
    lt_cell_method *m = *state;
    m->options = *options;
    m->memory.contacts.standing = 4; /* corners of a face */
    m->cut.a = LT_NONE;
    return LT_OK;
}

static const char *refuse(const lt_collider *collider) {
    if (!lt_collider_is_of_cells(collider))
        return "its shape has tets; bake it with a lattice (lithe bake --carrier lattice)";
    if (collider->cells.layout->box_count >= UINT16_MAX)
        return "its surface is in more than 65,534 cells; bake it with larger ones";
    return NULL;
}

static void forget_body(void *state, uint32_t body) {
    lt_cell_method *m = state;
    lt_memory_forget_body(state, body);
    if (lt_pair_is_of_body(&m->cut, body)) m->cut.a = LT_NONE;
}

static void forget_obstacle(void *state, uint32_t obstacle) {
    lt_cell_method *m = state;
    lt_memory_forget_obstacle(state, obstacle);
    if (lt_pair_is_of_obstacle(&m->cut, obstacle)) m->cut.a = LT_NONE;
}

/* How deep it was in others says nothing any more. */
static void displace_body(void *state, uint32_t body) {
    lt_cell_method *m = state;
    lt_memory_displace_body(state, body);
    if (lt_pair_is_of_body(&m->cut, body)) m->cut.a = LT_NONE;
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        lt_pair_words *words = lt_pair_words_at(&m->memory.pairs, i);
        if (lt_pair_is_of_body(&words->pair, body)) words->left = words->next = 0;
    }
}

/* ---- in snapshots: where the cut turn is, and what all methods keep ---- */

typedef struct saved_header {
    uint32_t cut[3]; /* a, kind, b */
    uint32_t cut_age;
    lt_box_pair place;
} saved_header;

static saved_header header_of(const lt_cell_method *m) {
    saved_header h = {{LT_NONE, 0, 0}, 0, {0}};
    if (m->cut.a == LT_NONE) return h;
    return (saved_header){{m->cut.a, (uint32_t)m->cut.kind, m->cut.b}, m->cut_age, m->place};
}

static size_t state_size(const void *state) {
    return sizeof(saved_header) + lt_memory_state_size(state);
}

static void save(const void *state, uint8_t *bytes) {
    saved_header h = header_of(state);
    memcpy(bytes, &h, sizeof h);
    lt_memory_save(state, bytes + sizeof h);
}

/* Places that do not exist are none to go on from: lt_box_search_begin and a turn look for themselves. */
static bool restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_cell_method *m = state;
    saved_header h;
    if (size < sizeof h) return false;
    memcpy(&h, bytes, sizeof h);
    if (h.cut[1] > LT_PAIR_OBSTACLE || h.cut_age > UINT32_MAX / 2) return false;
    if (!lt_memory_restore(state, bytes + sizeof h, size - sizeof h, world)) return false;
    m->cut = (lt_pair){.a = h.cut[0], .kind = (lt_pair_kind)h.cut[1], .b = h.cut[2]};
    m->cut_age = h.cut_age;
    m->place = h.place;
    return true;
}

static uint64_t hash_state(const void *state, uint64_t hash) {
    saved_header h = header_of(state);
    return lt_hash_bytes(lt_memory_hash(state, hash), &h, sizeof h);
}

static uint32_t waited(const void *state, uint32_t pair) {
    return lt_pair_turn_at(lt_memory_pairs(state), pair)->age;
}

static void draw_cells(const void *state, const lt_collider *collider, const lt_debug_draw *draw) {
    lt_draw_cells(draw, collider, ((const lt_cell_method *)state)->options.cell_box.grid_boxes);
}

extern const lt_method_verbs lt_method_cell_box;
const lt_method_verbs lt_method_cell_box = {
    .method = LT_METHOD_CELL_BOX,
    .has_paper = true,
    .bounds = LT_BOUNDS_CELLS,
    .rest = &lt_rest_by_ways,
    .draw = draw_cells,
    .create = create,
    .destroy = lt_memory_destroy,
    .reserve = lt_memory_reserve,
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
