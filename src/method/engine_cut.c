/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs whose search was cut: what answers for what nobody has looked at.
 *
 *   two bodies     coarse contacts between the boxes of what is open (respond/coarse.h)
 *   an obstacle    supports, nodes of the carrier (respond/support.h); what still gets deeper than CARRIED_DEPTH is put back after the
 *                  motion (respond/truncate.h)
 *
 * Contacts that were there stand beside these, followed by their anchors. */

#include "method/engine.h"

#include "respond/coarse.h"

/* × size: depth within which contacts carry a body; beyond it motion is cut off. */
static const float CARRIED_DEPTH = 0.01f;

/* ---- coarse contacts, for pairs that were cut ---- */

/* What a pair that is cut may need is set aside before anything is searched. */
uint32_t lt_engine_coarse_contacts(const lt_pair *pair) {
    return lt_is_between_bodies(pair) ? (uint32_t)LT_ENGINE_COARSE : (uint32_t)LT_SUPPORTS;
}
void lt_engine_reserve_coarse(lt_meter *meter, const lt_pair *pair) {
    lt_reserve_contacts(meter, lt_engine_coarse_contacts(pair));
    lt_reserve_work(meter, LT_WORK_KEEP, 2 * LT_LISTING_UNITS * lt_engine_coarse_contacts(pair));
}
void lt_engine_give_back_coarse(lt_meter *meter, const lt_pair *pair) {
    lt_give_back_contacts(meter, lt_engine_coarse_contacts(pair));
    lt_give_back(meter, LT_WORK_KEEP, 2 * LT_LISTING_UNITS * lt_engine_coarse_contacts(pair));
}

void lt_engine_open_whole(const lt_method_step *step, const lt_pair *pair, lt_engine_pair *own) {
    own->open[0] = step->colliders[pair->a].box;
    if (lt_is_between_bodies(pair)) own->open[1] = step->colliders[pair->b].box;
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
                   .fast = lt_engine_leaf_motion(step, pair) / step->dt,
                   .margin = lt_engine_reach(step, pair),
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
                    .margin = lt_engine_margin(step, pair),
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
    if (lt_is_between_bodies(lt_pair_at(&e->memory.pairs, place)))
        answer_with_boxes(e, step, place, listing);
    else
        answer_with_support(e, step, place, listing);
}

/* Coarse contacts of before end, unless they are answered anew. */
static void end_coarse(lt_engine *e, uint32_t place) {
    const lt_pair_slot *slot = lt_pair_slot_at(&e->memory.pairs, place);
    for (uint32_t i = slot->contact_begin; i < slot->contact_end; i++)
        if (e->memory.contacts.records[i].touch.point == LT_NONE) e->memory.contacts.records[i].ended = true;
}

void lt_engine_answer_cut(lt_engine *engine, lt_method_step *step, lt_listing *listing) {
    for (uint32_t i = 0; i < engine->memory.pairs.count; i++) {
        lt_engine_pair *own = lt_engine_pair_at(engine, i);
        if (!own->is_cut) {
            own->level = 1;
            continue;
        }
        step->report->pending++;
        end_coarse(engine, i);
        answer_coarsely(engine, step, i, listing);
    }
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
        if (lt_engine_pair_at(engine, i)->is_cut && !lt_is_between_bodies(lt_pair_at(pairs, i)))
            truncate_pair(engine, step, i);
}
