/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs as the engine has them: their clocks, whose front is searched and for how long, and what was found as contacts.
 *
 *   obstacles first, then pairs of bodies by harm and age; each has its share of the units that are left, and those that were cut go on
 *   with what others did not need
 *
 * A contact is found anew, or ends because the leaf that has it was tested without finding it, or stands. One that stands is followed by
 * its anchors: it was not looked at because nothing has moved enough to matter. */

#include "method/engine.h"

#include "core/heap.h"
#include "respond/coarse.h"
#include "respond/support.h"

static const float LEAF_MOTION = 0.02f;   /* × mean edge for which a leaf stands */
static const float SPECULATION = 0.5f;    /* × mean edge, most that velocities bring near in a step */
static const float LEAST_MARGIN = 5e-4f;  /* × size */
static const float SNAPSHOT_SHARE = 0.5f; /* × the motion of a leaf: a pair's snapshot is renewed beyond */
/* × size: depth within which contacts carry a body; beyond it motion is cut off. */
static const float CARRIED_DEPTH = 0.01f;
enum {
    CLOCK_UNITS = 8,
    PAIR_CONTACTS = 192 /* most of a pair */
};

/* ---- clocks ---- */

static bool is_between_bodies(const lt_pair *pair) {
    return pair->kind == LT_PAIR_BODIES;
}

static float leaf_motion(const lt_method_step *step, const lt_pair *pair) {
    lt_real edge = step->colliders[pair->a].soft->mean_edge;
    if (is_between_bodies(pair)) edge = lt_min_r(edge, step->colliders[pair->b].soft->mean_edge);
    return LEAF_MOTION * (float)edge;
}

/* Where b, or the obstacle, is seen from a. */
static lt_vec3 seen_from_a(const lt_engine *e, const lt_method_step *step, const lt_pair *pair) {
    lt_vec3 from = e->bodies[pair->a].mean;
    if (is_between_bodies(pair)) return lt_v3_sub(e->bodies[pair->b].mean, from);
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
    float distance = lt_v3_distance(seen, own->from), reach = SNAPSHOT_SHARE * leaf_motion(step, pair);
    if (lt_clock_read(&own->clock, &own->base, distance, reach)) own->from = seen;
    own->clock = lt_clock_add(own->clock, e->bodies[pair->a].clock);
    if (is_between_bodies(pair)) own->clock = lt_clock_add(own->clock, e->bodies[pair->b].clock);
}

uint32_t lt_engine_read_pairs(lt_engine *engine, const lt_method_step *step) {
    const lt_pair_table *pairs = &engine->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (lt_pair_at(pairs, i)->kind != LT_PAIR_SELF)
            read_pair(engine, step, lt_pair_at(pairs, i), lt_engine_pair_at(engine, i));
    return CLOCK_UNITS * pairs->count;
}

/* ---- one search ---- */

typedef struct pair_turn {
    lt_engine *engine;
    lt_method_step *step;
    const lt_pair *pair;
    uint32_t place;
    lt_listing *listing;
    uint32_t *room; /* contacts that may still be set aside */
    lt_front_search search;
} pair_turn;

static lt_front_side side_of(const lt_engine *e, const lt_method_step *step, uint32_t body) {
    return (lt_front_side){&step->colliders[body], &e->bodies[body].boxes, body};
}

/* What velocities do not say: what gravity adds, and how far an obstacle comes. */
static float margin_of(const lt_method_step *step, const lt_pair *pair) {
    const lt_collider *a = &step->colliders[pair->a];
    float size = (float)a->soft->size, own = lt_v3_length(step->gravity) * step->dt * step->dt;
    if (is_between_bodies(pair)) size = lt_min_f(size, (float)step->colliders[pair->b].soft->size);
    if (pair->kind == LT_PAIR_OBSTACLE)
        own += lt_obstacle_sweep(lt_step_obstacle(step, pair), a->box, step->dt);
    return own + LEAST_MARGIN * size;
}

static float reach_of(const lt_method_step *step, const lt_pair *pair, float margin) {
    const lt_collider *a = &step->colliders[pair->a];
    if (!is_between_bodies(pair)) return a->reach + margin;
    const lt_collider *b = &step->colliders[pair->b];
    float speed = lt_v3_length(lt_v3_sub(a->velocity, b->velocity));
    return speed * step->dt + a->spread + b->spread + margin;
}

static pair_turn make_turn(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing,
                           uint32_t *room) {
    const lt_pair *pair = lt_pair_at(&e->memory.pairs, place);
    const lt_engine_pair *own = lt_engine_pair_at(e, place);
    float quantum = leaf_motion(step, pair), margin = margin_of(step, pair);
    pair_turn t = {.engine = e, .step = step, .pair = pair, .place = place, .listing = listing, .room = room};
    t.search = (lt_front_search){.kernels = lt_leaf_kernels_for(step->level),
                                 .pool = &e->pool,
                                 .memory = &e->search,
                                 .sides = {side_of(e, step, pair->a)},
                                 .roots = own->roots,
                                 .clock = own->clock,
                                 .dt = step->dt,
                                 .reach = reach_of(step, pair, margin),
                                 .margin = margin,
                                 .quantum = quantum,
                                 .speculation = SPECULATION / LEAF_MOTION * quantum,
                                 .phase = e->step,
                                 .allowed = LT_UNLIMITED,
                                 .contact_units = LT_CONTACT_UNITS};
    if (is_between_bodies(pair))
        t.search.sides[1] = side_of(e, step, pair->b);
    else
        t.search.obstacle = lt_step_obstacle(step, pair);
    return t;
}

/* ---- contacts that were there ---- */

/* Features are samples by their points: those of a, then those of b. */
static uint32_t direction_of(const pair_turn *t, const lt_contact_record *r) {
    return is_between_bodies(t->pair) && r->touch.body == t->pair->b ? 1 : 0;
}
static uint32_t feature_of(const pair_turn *t, uint32_t direction, uint32_t point) {
    return direction ? t->search.sides[0].collider->skin->point_count + point : point;
}

/* A contact in a tet whose leaf was not tested stays, unless a leaf that was holds its sample better. */
static bool is_superseded(pair_turn *t, const lt_contact_record *r, uint32_t direction, uint32_t lane) {
    lt_search_memory *m = &t->engine->search;
    if (m->tets[direction][lane] == LT_NONE) return false;
    if (lt_front_weight(&t->search, direction, lane, r->touch.other.tet) < m->least[direction][lane])
        return true;
    m->tets[direction][lane] = LT_NONE; /* what it has is better */
    return false;
}

static bool has_ended(pair_turn *t, const lt_contact_record *r) {
    if (r->touch.point == LT_NONE) return true; /* coarse: answered anew while the pair is cut */
    if (r->depth < -2 * t->search.reach - t->search.quantum) return true;
    uint32_t direction = direction_of(t, r);
    const lt_shape_tree *tree = t->search.sides[direction].boxes->tree;
    uint32_t place = tree->point_places[r->touch.point], leaf = lt_shape_skin_leaf(tree, place);
    if (!lt_front_was_tested(&t->search, direction, leaf)) return false;
    if (t->search.obstacle) return true;
    const lt_shape_tree *other = lt_solid_side(&t->search, direction)->boxes->tree;
    uint32_t solid = lt_shape_solid_leaf(other, r->touch.other.tet);
    if (lt_front_was_tested_with(&t->search, direction, leaf, solid)) return true;
    return is_superseded(t, r, direction, lt_shape_lane(lt_shape_node_at(tree, leaf), place));
}

/* Those whose leaf was tested end, unless they are found again. */
static void end_contacts(pair_turn *t) {
    lt_contact_list *list = &t->engine->memory.contacts;
    const lt_pair_slot *slot = lt_pair_slot_at(&t->engine->memory.pairs, t->place);
    for (uint32_t i = slot->contact_begin; i < slot->contact_end; i++)
        list->records[i].ended = list->records[i].ended || has_ended(t, &list->records[i]);
}

/* ---- contacts that are found ---- */

static bool is_held(const pair_turn *t, uint32_t feature) {
    return lt_contacts_hold(&t->engine->memory.contacts, &t->engine->memory.pairs, t->pair, feature);
}

static uint32_t find_in_leaf(pair_turn *t, const lt_tested_leaf *leaf, uint32_t count) {
    const lt_shape_tree *tree = t->search.sides[leaf->direction].boxes->tree;
    const lt_shape_node *n = lt_shape_node_at(tree, leaf->skin);
    for (uint32_t i = n->point_begin; i < n->point_end && count < t->engine->found_capacity; i++) {
        lt_found_touch *f = &t->engine->found[count];
        if (!lt_front_touch(&t->search, leaf->direction, leaf->skin, i, &f->touch)) continue;
        f->feature = feature_of(t, leaf->direction, f->touch.point);
        f->order = (leaf->direction ? t->search.sides[0].boxes->tree->point_count : 0) + i;
        f->is_held = is_held(t, f->feature);
        count++;
    }
    return count;
}

/* Each skin leaf once, however many leaves it was tested in. */
static uint32_t find_touches(pair_turn *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->search.leaf_count; i++) {
        const lt_tested_leaf *leaf = &t->engine->search.leaves[i];
        if (t->engine->search.skins[leaf->direction][leaf->skin].first == i + 1)
            count = find_in_leaf(t, leaf, count);
    }
    return count;
}

/* ---- coarse contacts, for pairs that were cut ---- */

/* What a pair that is cut may need is set aside before anything is searched. */
static uint32_t coarse_contacts(const lt_pair *pair) {
    return is_between_bodies(pair) ? (uint32_t)LT_ENGINE_COARSE : (uint32_t)LT_SUPPORTS;
}
static void reserve_coarse(lt_meter *meter, const lt_pair *pair) {
    lt_reserve_contacts(meter, coarse_contacts(pair));
    lt_reserve_work(meter, LT_WORK_KEEP, 2 * LT_LISTING_UNITS * coarse_contacts(pair));
}
static void give_back_coarse(lt_meter *meter, const lt_pair *pair) {
    lt_give_back_contacts(meter, coarse_contacts(pair));
    lt_give_back(meter, LT_WORK_KEEP, 2 * LT_LISTING_UNITS * coarse_contacts(pair));
}

/* ---- contacts that are found ---- */

static void add_contact(pair_turn *t, const lt_found_touch *f) {
    if (!f->is_held) lt_reserve_contacts(t->step->meter, 1);
    lt_reserve_work(t->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
    lt_harvest_add(&t->listing->harvest, t->pair, f->feature, &f->touch);
}

static bool comes_later(const lt_found_touch *x, const lt_found_touch *y) {
    return x->order > y->order;
}
LT_HEAP(found, lt_found_touch, comes_later)

/* Of more than can be answered: runs in the order of the trees, of each the deepest, one that is held rather than another. It stands
 * for the area of its run. */
static uint32_t add_some(pair_turn *t, uint32_t count, uint32_t most) {
    lt_found_touch *found = t->engine->found;
    uint32_t fresh = 0;
    found_sort(found, count);
    for (uint32_t run = 0; run < most; run++) {
        uint32_t begin = (uint32_t)((uint64_t)count * run / most);
        uint32_t end = (uint32_t)((uint64_t)count * (run + 1) / most), best = begin;
        float depth = -3e38f, area = 0;
        for (uint32_t i = begin; i < end; i++) {
            float own = found[i].touch.depth + (found[i].is_held ? 2 * t->search.quantum : 0);
            if (own > depth) best = i;
            depth = lt_max_f(depth, own);
            area += found[i].touch.area;
        }
        found[best].touch.area = area;
        fresh += !found[best].is_held;
        add_contact(t, &found[best]);
    }
    return fresh;
}

/* How many of those that were found can be answered: those that are held, others while there is room, and of a pair that is decided as many
 * as it would have had if it were not. */
static uint32_t answerable(const pair_turn *t, uint32_t count, bool is_cut) {
    uint32_t held = 0, spare = is_cut ? 0 : coarse_contacts(t->pair);
    if (*t->room == UINT32_MAX) return lt_min_u32(count, PAIR_CONTACTS);
    for (uint32_t i = 0; i < count; i++)
        held += t->engine->found[i].is_held;
    return lt_min_u32(lt_min_u32(count, PAIR_CONTACTS), held + *t->room + spare);
}

/* False: nothing of what was found can be answered. */
static bool harvest(pair_turn *t, bool is_cut) {
    end_contacts(t);
    uint32_t count = find_touches(t), most = answerable(t, count, is_cut), fresh = 0;
    if (most == count) {
        for (uint32_t i = 0; i < count; i++) {
            fresh += !t->engine->found[i].is_held;
            add_contact(t, &t->engine->found[i]);
        }
    } else {
        fresh = add_some(t, count, most);
    }
    if (*t->room != UINT32_MAX) *t->room -= lt_min_u32(fresh, *t->room);
    return count == 0 || most > 0;
}

/* ---- how pairs that were cut are answered ---- */

static float area_of(const lt_engine *e, const lt_method_step *step, uint32_t body) {
    float scale = step->colliders[body].skin->scale;
    return e->bodies[body].shape->tree.area * scale * scale;
}

static void answer_with_boxes(lt_engine *e, const lt_method_step *step, uint32_t place, lt_listing *listing) {
    const lt_pair_slot *slot = lt_pair_slot_at(&e->memory.pairs, place);
    const lt_pair *pair = &slot->pair;
    const lt_engine_pair *own = lt_engine_pair_at(e, place);
    lt_coarse c = {.pair = *pair,
                   .colliders = step->colliders,
                   .boxes = {own->open[0], own->open[1]},
                   .fast = leaf_motion(step, pair) / step->dt,
                   .margin = reach_of(step, pair, margin_of(step, pair)),
                   .area = lt_min_f(area_of(e, step, pair->a), area_of(e, step, pair->b)),
                   .count = LT_ENGINE_COARSE,
                   .first_feature = lt_pair_point_count(pair, step->colliders),
                   .held = e->memory.contacts.records + slot->contact_begin,
                   .held_count = slot->contact_end - slot->contact_begin,
                   .harvest = &listing->harvest};
    lt_coarse_answer(&c);
}

static lt_support support_of(const lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing) {
    const lt_pair_slot *slot = lt_pair_slot_at(&e->memory.pairs, place);
    const lt_pair *pair = &slot->pair;
    const lt_collider *a = &step->colliders[pair->a];
    const lt_engine_body *body = &e->bodies[pair->a];
    lt_support s = {.pair = *pair,
                    .collider = a,
                    .obstacle = lt_step_obstacle(step, pair),
                    .node_count = body->node_count,
                    .mean = body->mean,
                    .dt = step->dt,
                    .margin = margin_of(step, pair),
                    .area = area_of(e, step, pair->a),
                    .kernels = body->boxes.kernels,
                    .list = e->near_list,
                    .near = e->near,
                    .node_corners = body->shape->tree.node_corners,
                    .first_feature = lt_pair_point_count(pair, step->colliders),
                    .held = e->memory.contacts.records + slot->contact_begin,
                    .held_count = slot->contact_end - slot->contact_begin,
                    .harvest = listing ? &listing->harvest : NULL};
    if (s.obstacle->kind != LT_OBSTACLE_PLANE && s.node_count > LT_EXTREMES) {
        s.nodes = body->shape->tree.extremes;
        s.node_count = LT_EXTREMES;
    }
    return s;
}

/* Charged as what is done in any case. */
typedef struct supporting {
    lt_support *support;
    lt_engine_pair *pair;
    bool done;
} supporting;

static lt_piece peek_support(const void *state) {
    const supporting *s = state;
    return (lt_piece){LT_WORK_BOUND, s->done ? 0 : 1, 0};
}

/* In the first step of a search that is cut the nodes are where a search that was not had left them. */
static uint32_t do_support(void *state, uint32_t grant) {
    supporting *s = state;
    bool is_first = s->pair->level > 0;
    LT_ASSERT(grant > 0);
    (void)grant;
    if (is_first) s->pair->level = lt_min_f(0, lt_support_distance(s->support));
    s->support->level = s->pair->level;
    lt_support_answer(s->support);
    s->done = true;
    return (is_first ? 2 : 1) * lt_support_units(s->support);
}

static void answer_with_support(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing) {
    lt_support support = support_of(e, step, place, listing);
    supporting s = {&support, lt_engine_pair_at(e, place), false};
    lt_spend_fully(step->meter, LT_STAGE_BOUND, (lt_cursor){&s, peek_support, do_support});
}

static void answer_coarsely(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing) {
    if (is_between_bodies(lt_pair_at(&e->memory.pairs, place)))
        answer_with_boxes(e, step, place, listing);
    else
        answer_with_support(e, step, place, listing);
}

/* ---- who is searched ---- */

static bool sleeps(const lt_method_step *step, const lt_pair *pair) {
    return step->colliders[pair->a].asleep && (!is_between_bodies(pair) || step->colliders[pair->b].asleep);
}

static bool is_searched(const lt_engine *e, const lt_method_step *step, uint32_t place) {
    const lt_pair *pair = lt_pair_at(&e->memory.pairs, place);
    return pair->kind != LT_PAIR_SELF && !sleeps(step, pair) && lt_engine_pair_at(e, place)->roots != 0;
}

static void take_units(lt_engine *e, uint64_t units) {
    if (e->search_units != LT_UNLIMITED) e->search_units -= lt_min_u64(units, e->search_units);
}

/* What nobody looks at is open as a whole. */
static void open_whole(const lt_method_step *step, const lt_pair *pair, lt_engine_pair *own) {
    own->open[0] = step->colliders[pair->a].box;
    if (is_between_bodies(pair)) own->open[1] = step->colliders[pair->b].box;
}

/* False: the budget has ended. */
static bool serve_pair(lt_engine *e, lt_method_step *step, uint32_t place, lt_listing *listing,
                       uint32_t *room, uint64_t allowed) {
    lt_engine_pair *own = lt_engine_pair_at(e, place);
    pair_turn turn = make_turn(e, step, place, listing, room);
    turn.search.allowed = allowed;
    lt_stage stage = turn.search.obstacle ? LT_STAGE_OBSTACLES : LT_STAGE_DETECT;
    lt_front_search_begin(&turn.search);
    bool goes_on = lt_spend(step->meter, stage, lt_front_search_cursor(&turn.search));
    bool was_cut = own->is_cut, is_open = lt_front_is_open(&turn.search) || turn.search.out_of_room;
    uint32_t box_units = 0;
    if (is_open) lt_front_open_boxes(&turn.search, own->open, &box_units);
    lt_front_search_end(&turn.search);
    take_units(e, turn.search.used);
    if (!harvest(&turn, is_open)) {
        is_open = true;
        open_whole(step, turn.pair, own);
    }
    own->is_cut = is_open;
    if (was_cut && !own->is_cut) give_back_coarse(step->meter, turn.pair);
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
        open_whole(step, lt_pair_at(pairs, i), lt_engine_pair_at(e, i));
        listing->tested[i] = (lt_tested){.spared = !is};
        searched += is;
        if (is) reserve_coarse(step->meter, lt_pair_at(pairs, i));
    }
    return searched;
}

/* Coarse contacts of before end, unless they are answered anew. */
static void end_coarse(lt_engine *e, uint32_t place) {
    const lt_pair_slot *slot = lt_pair_slot_at(&e->memory.pairs, place);
    for (uint32_t i = slot->contact_begin; i < slot->contact_end; i++)
        if (e->memory.contacts.records[i].touch.point == LT_NONE) e->memory.contacts.records[i].ended = true;
}

static void answer_cut(lt_engine *e, lt_method_step *step, lt_listing *listing) {
    for (uint32_t i = 0; i < e->memory.pairs.count; i++) {
        lt_engine_pair *own = lt_engine_pair_at(e, i);
        if (!own->is_cut) {
            own->level = 1;
            continue;
        }
        step->report->pending++;
        end_coarse(e, i);
        answer_coarsely(e, step, i, listing);
    }
}

/* What searches have beside contacts. From the limit of contacts, which is in the record of a step that is repeated, so that shares are
 * the same then. */
static uint64_t search_units(uint32_t contact_limit) {
    if (contact_limit == UINT32_MAX) return LT_UNLIMITED;
    return (uint64_t)((1 / LT_ENGINE_ANSWER_SHARE - 1) * LT_CONTACT_UNITS * contact_limit);
}

/* ---- after the motion ---- */

static void truncate_pair(lt_engine *e, lt_method_step *step, uint32_t place) {
    const lt_pair *pair = lt_pair_at(&e->memory.pairs, place);
    lt_support seen = support_of(e, step, place, NULL);
    lt_obstacle *obstacle = lt_step_obstacle(step, pair);
    lt_truncation t = {.soft = &step->softs[pair->a],
                       .obstacle = obstacle,
                       .nodes = seen.nodes,
                       .node_count = seen.node_count,
                       .level = lt_engine_pair_at(e, place)->level -
                                CARRIED_DEPTH * (float)seen.collider->soft->size,
                       .dt = step->dt};
    lt_truncate(&t);
    if (!(t.withheld > 0)) return;
    lt_note_exchange(step, pair, t.impulse);
    lt_vec3 force = lt_v3_scale(lt_v3_from_r3(t.impulse), 1 / step->dt);
    lt_vec3 torque = lt_v3_scale(lt_v3_from_r3(t.moment), 1 / step->dt);
    obstacle->force = lt_v3_sub(obstacle->force, force);
    obstacle->torque = lt_v3_sub(obstacle->torque, lt_v3_sub(torque, lt_v3_cross(obstacle->position, force)));
}

void lt_engine_truncate(lt_engine *engine, lt_method_step *step) {
    const lt_pair_table *pairs = &engine->memory.pairs;
    step->exchanges = LT_TAKE(step->arena, pairs->capacity, lt_exchange);
    step->exchange_count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (lt_engine_pair_at(engine, i)->is_cut && !is_between_bodies(lt_pair_at(pairs, i)))
            truncate_pair(engine, step, i);
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
        if (is_searched(e, step, i)) least += coarse_contacts(lt_pair_at(&e->memory.pairs, i));
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
    answer_cut(engine, step, listing);
    return limit;
}
