/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs as the engine has them: their clocks, whose front is searched and for how long.
 *
 *   obstacles first, then pairs of bodies by harm and age; each has its share of the units that are left, and those that were cut go on
 *   with what others did not need */

#include "method/engine.h"

static const float LEAF_MOTION = 0.02f;   /* × mean edge for which a leaf stands */
static const float SPECULATION = 0.5f;    /* × mean edge, most that velocities bring near in a step */
static const float LEAST_MARGIN = 5e-4f;  /* × size */
static const float SNAPSHOT_SHARE = 0.5f; /* × the motion of a leaf: a pair's snapshot is renewed beyond */
enum { CLOCK_UNITS = 8 };

/* ---- clocks ---- */

float lt_engine_leaf_motion(const lt_method_step *step, const lt_pair *pair) {
    lt_real edge = step->colliders[pair->a].soft->mean_edge;
    if (lt_is_between_bodies(pair)) edge = lt_min_r(edge, step->colliders[pair->b].soft->mean_edge);
    return LEAF_MOTION * (float)edge;
}

/* Where b, or the obstacle, is seen from a. */
static lt_vec3 seen_from_a(const lt_engine *e, const lt_method_step *step, const lt_pair *pair) {
    lt_vec3 from = e->bodies[pair->a].mean;
    if (lt_is_between_bodies(pair)) return lt_v3_sub(e->bodies[pair->b].mean, from);
    return lt_v3_sub(lt_step_obstacle(step, pair)->position, from);
}

/* How far an obstacle that turns has brought its surface near beside the way of its middle: its path, in every step. */
static float turned(const lt_method_step *step, const lt_pair *pair) {
    lt_obstacle still = *lt_step_obstacle(step, pair);
    still.velocity = (lt_vec3){0, 0, 0};
    return still.moving ? lt_obstacle_sweep(&still, step->colliders[pair->a].box, step->dt) : 0;
}

static void read_pair(lt_engine *e, const lt_method_step *step, const lt_pair *pair, lt_engine_pair *own) {
    lt_vec3 seen = seen_from_a(e, step, pair);
    if (!own->has_snapshot) own->from = seen;
    own->has_snapshot = 1;
    if (pair->kind == LT_PAIR_OBSTACLE) own->base += (double)turned(step, pair);
    float distance = lt_v3_distance(seen, own->from),
          reach = SNAPSHOT_SHARE * lt_engine_leaf_motion(step, pair);
    if (lt_clock_read(&own->clock, &own->base, distance, reach)) own->from = seen;
    own->clock = lt_clock_add(own->clock, e->bodies[pair->a].clock);
    if (lt_is_between_bodies(pair)) own->clock = lt_clock_add(own->clock, e->bodies[pair->b].clock);
}

uint32_t lt_engine_read_pairs(lt_engine *engine, const lt_method_step *step) {
    const lt_pair_table *pairs = &engine->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (lt_pair_at(pairs, i)->kind != LT_PAIR_SELF)
            read_pair(engine, step, lt_pair_at(pairs, i), lt_engine_pair_at(engine, i));
    return CLOCK_UNITS * pairs->count;
}

/* ---- one search ---- */

static lt_front_side side_of(const lt_engine *e, const lt_method_step *step, uint32_t body) {
    return (lt_front_side){&step->colliders[body], &e->bodies[body].boxes, body};
}

/* What velocities do not say: what gravity adds, and how far an obstacle comes. */
float lt_engine_margin(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    float size = (float)a->soft->size, own = lt_v3_length(step->gravity) * step->dt * step->dt;
    if (lt_is_between_bodies(pair)) size = lt_min_f(size, (float)step->colliders[pair->b].soft->size);
    if (pair->kind == LT_PAIR_OBSTACLE)
        own += lt_obstacle_sweep(lt_step_obstacle(step, pair), a->box, step->dt);
    return own + LEAST_MARGIN * size;
}

float lt_engine_reach(const lt_method_step *step, const lt_pair *pair) {
    float margin = lt_engine_margin(step, pair);
    const lt_collider *a = &step->colliders[pair->a];
    if (!lt_is_between_bodies(pair)) return a->reach + margin;
    const lt_collider *b = &step->colliders[pair->b];
    float speed = lt_v3_length(lt_v3_sub(a->velocity, b->velocity));
    return speed * step->dt + a->spread + b->spread + margin;
}

static lt_engine_turn make_turn(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing,
                                uint32_t *room) {
    const lt_pair *pair = lt_pair_at(&e->memory.pairs, place);
    const lt_engine_pair *own = lt_engine_pair_at(e, place);
    float quantum = lt_engine_leaf_motion(step, pair), margin = lt_engine_margin(step, pair);
    lt_engine_turn t = {
        .engine = e, .step = step, .pair = pair, .place = place, .listing = listing, .room = room};
    t.search = (lt_front_search){.kernels = lt_leaf_kernels_for(step->level),
                                 .pool = &e->pool,
                                 .memory = &e->search,
                                 .sides = {side_of(e, step, pair->a)},
                                 .roots = own->roots,
                                 .clock = own->clock,
                                 .dt = step->dt,
                                 .reach = lt_engine_reach(step, pair),
                                 .margin = margin,
                                 .quantum = quantum,
                                 .speculation = SPECULATION / LEAF_MOTION * quantum,
                                 .phase = e->step,
                                 .allowed = LT_UNLIMITED,
                                 .contact_units = LT_CONTACT_UNITS};
    if (lt_is_between_bodies(pair))
        t.search.sides[1] = side_of(e, step, pair->b);
    else
        t.search.obstacle = lt_step_obstacle(step, pair);
    return t;
}

/* ---- who is searched ---- */

static bool sleeps(const lt_method_step *step, const lt_pair *pair) {
    return step->colliders[pair->a].asleep &&
           (!lt_is_between_bodies(pair) || step->colliders[pair->b].asleep);
}

static bool is_searched(const lt_engine *e, const lt_method_step *step, uint32_t place) {
    const lt_pair *pair = lt_pair_at(&e->memory.pairs, place);
    return pair->kind != LT_PAIR_SELF && !sleeps(step, pair);
}

static void take_units(lt_engine *e, uint64_t units) {
    if (e->search_units != LT_UNLIMITED) e->search_units -= lt_min_u64(units, e->search_units);
}

/* A pair that began when the pool was full gets its roots when there is room again. */
static bool has_front(lt_engine *e, uint32_t place) {
    lt_engine_pair *own = lt_engine_pair_at(e, place);
    if (!own->roots) own->roots = lt_front_begin(&e->pool, lt_pair_at(&e->memory.pairs, place));
    return own->roots != 0;
}

/* False: the budget has ended. */
static bool serve_pair(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing,
                       uint32_t *room, uint64_t allowed) {
    lt_engine_pair *own = lt_engine_pair_at(e, place);
    if (!has_front(e, place)) return true; /* it is cut as a whole */
    lt_engine_turn turn = make_turn(e, step, place, listing, room);
    turn.search.allowed = allowed;
    lt_stage stage = turn.search.obstacle ? LT_STAGE_OBSTACLES : LT_STAGE_DETECT;
    turn.search.repeats = step->meter->cuts != NULL;
    lt_front_search_begin(&turn.search);
    if (turn.search.repeats)
        step->meter->overrun_units = turn.search.any_worst; /* of cuts that no step has left */
    bool goes_on = lt_spend(step->meter, stage, lt_front_search_cursor(&turn.search));
    step->meter->overrun_units = 0;
    bool was_cut = own->is_cut, is_open = lt_front_is_open(&turn.search) || turn.search.out_of_room;
    uint32_t box_units = 0;
    if (is_open) lt_front_open_boxes(&turn.search, own->open, &box_units);
    lt_front_search_end(&turn.search);
    take_units(e, turn.search.used);
    if (!lt_engine_harvest(&turn, is_open)) {
        is_open = true;
        lt_engine_open_whole(step, turn.pair, own);
    }
    own->is_cut = is_open;
    if (was_cut && !own->is_cut) lt_engine_give_back_coarse(step->meter, turn.pair);
    listing->tested[place].spared = !own->is_cut;
    step->report->tested += turn.search.tested;
    return goes_on;
}

static bool is_obstacle_pair(const void *context, uint32_t index) {
    return lt_pair_at(context, index)->kind == LT_PAIR_OBSTACLE;
}

/* What a pair may take while `left` pairs have not had their share. */
static uint64_t share_of(const lt_engine *e, uint32_t left) {
    return e->search_units == LT_UNLIMITED ? LT_UNLIMITED : e->search_units / lt_max_u32(1, left) + 1;
}

/* Every pair that the scheduler has is served once. */
static void serve(lt_engine *e, lt_method_step *step, lt_listing *listing, uint32_t *room,
                  lt_scheduler *scheduler, uint32_t left) {
    for (uint32_t i = lt_scheduler_next(scheduler); i != LT_NONE; i = lt_scheduler_next(scheduler)) {
        if (is_searched(e, step, i)) {
            if (!serve_pair(e, step, i, listing, room, share_of(e, left))) return;
            left -= left > 0;
        }
        lt_scheduler_done(scheduler);
    }
}

/* What others did not need goes to those that were cut, in the order of pairs. */
static void serve_cut(lt_engine *e, lt_method_step *step, lt_listing *listing, uint32_t *room) {
    for (uint32_t i = 0; i < e->memory.pairs.count; i++)
        if (lt_engine_pair_at(e, i)->is_cut && is_searched(e, step, i) &&
            !serve_pair(e, step, i, listing, room, LT_UNLIMITED))
            return;
}

static uint32_t begin_turns(lt_engine *e, lt_method_step *step, lt_listing *listing) {
    const lt_pair_table *pairs = &e->memory.pairs;
    uint32_t searched = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair_turn_at(pairs, i)->harm = lt_pair_harm(step, lt_pair_at(pairs, i));
        bool is = is_searched(e, step, i);
        lt_engine_pair_at(e, i)->is_cut = is;
        lt_engine_open_whole(step, lt_pair_at(pairs, i), lt_engine_pair_at(e, i));
        listing->tested[i] = (lt_tested){.spared = !is};
        searched += is;
        if (is) lt_engine_reserve_coarse(step->meter, lt_pair_at(pairs, i));
    }
    return searched;
}

/* What searches have beside contacts. From the limit of contacts, which is in the record of a step that is repeated, so that shares are
 * the same then. */
static uint64_t search_units(uint32_t contact_limit) {
    if (contact_limit == UINT32_MAX) return LT_UNLIMITED;
    return (uint64_t)((1 / LT_ENGINE_ANSWER_SHARE - 1) * LT_CONTACT_UNITS * contact_limit);
}

/* Contacts that are found are answered as well as those that are held; those that sleep are only listed. Coarse ones have their own. */
static uint32_t reserve_held(const lt_engine *e, lt_method_step *step, uint32_t limit) {
    const lt_contact_list *list = &e->memory.contacts;
    uint32_t exact = 0, asleep = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        bool sleeps = lt_contact_sleeps(&list->records[i], step->colliders);
        asleep += sleeps;
        exact += !sleeps && list->records[i].touch.point != LT_NONE;
    }
    lt_reserve_contacts(step->meter, lt_min_u32(exact, limit));
    lt_reserve_work(step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (2 + (uint64_t)list->count));
    lt_reserve_work(step->meter, LT_WORK_COLLECT, LT_COLLECT_UNITS * (1 + (uint64_t)asleep));
    lt_reserve(step->meter, 2 * (1 + (uint64_t)list->count));
    return exact;
}

/* Contacts that pairs need if all are cut: always answered. */
static uint32_t least_contacts(const lt_engine *e, const lt_method_step *step) {
    uint32_t least = 0;
    for (uint32_t i = 0; i < e->memory.pairs.count; i++)
        if (is_searched(e, step, i)) least += lt_engine_coarse_contacts(lt_pair_at(&e->memory.pairs, i));
    return least;
}

uint32_t lt_engine_search_pairs(lt_engine *engine, lt_method_step *step, lt_listing *listing) {
    lt_turns turns = lt_pair_turns(&engine->memory.pairs);
    uint32_t *heap = LT_TAKE(step->arena, engine->memory.pairs.capacity, uint32_t);
    if (!heap) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return UINT32_MAX;
    }
    uint32_t least = least_contacts(engine, step), searched = begin_turns(engine, step, listing);
    uint32_t limit = lt_meter_limit(step->meter, LT_ENGINE_ANSWER_SHARE, LT_CONTACT_UNITS, least);
    uint32_t held = reserve_held(engine, step, limit), room = UINT32_MAX;
    if (limit != UINT32_MAX) room = limit - lt_min_u32(limit, held + least);
    engine->search_units = search_units(limit);
    lt_scheduler scheduler;
    lt_scheduler_begin_chosen(&scheduler, turns, heap, is_obstacle_pair, &engine->memory.pairs);
    serve(engine, step, listing, &room, &scheduler, searched);
    lt_scheduler_begin(&scheduler, turns, heap);
    serve(engine, step, listing, &room, &scheduler, searched);
    lt_scheduler_end(turns);
    if (engine->search_units != LT_UNLIMITED) serve_cut(engine, step, listing, &room);
    lt_engine_answer_cut(engine, step, listing);
    return limit;
}
