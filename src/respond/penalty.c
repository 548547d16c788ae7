/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Penalty response: every contact one coupling, symmetric, with its stiffness and damping handed to the models.
 *
 *   k = min(k_material, s² / (Δt² W)),  c = 2ζ √(k / W),  k_material = 20 A E / h
 *   W = Σ_j |w_j| B_j / m_j with B_j = Σ over all contacts of |w_j|: the row sum of J M⁻¹ Jᵀ, which bounds what all
 *   contacts together do; with each contact's own Σ w²/m sixteen points in one tet would be four times too stiff.
 *
 * Contacts are taken in blocks: those that need nothing of each other on as many threads as there are, sums over them in their
 * order by one. Both sides act on one line along the normal: the other side's weights are computed anew from where its tet is now.
 * Depth credit: a contact first seen deeper than a tenth of an edge is pushed out at 1 m/s, not at once. */

#include "respond/respond.h"

enum {
    PHASE_PLACES,
    PHASE_COUPLINGS,
    PHASE_DONE,
    BLOCK =
        1024, /* contacts: they and their couplings stay in the cache from one pass over them to the next */
    GRAIN = 64
};

static const float DAMPING_RATIO = 0.2f;
static const float DEPENETRATION_SPEED = 1;
static const float HELD_STIFFNESS = 0.3f; /* s of a force that is held: beyond it rebounds grow */
static const float MOST_LOAD =
    100; /* × the mass of the nodes: what stiff contacts carry as others do these */
static const float NOT_LOOKED_AT = -1;       /* J: a store that bounds nothing */
static const float FREE_DEPTH = 0.1f;        /* × mean edge: depth that needs no credit */
static const float LEAST_WEIGHT = -1;        /* beyond this a tet no longer holds a point of the surface */
static const float LEAST_SPHERE_WEIGHT = -4; /* and a place between two spheres */

/* Whether its force is set once and held over the step. */
static bool is_held(const lt_penalty *p, const lt_contact_record *r) {
    return p->held_dt > 0 && r->kind != LT_PAIR_OBSTACLE;
}

/* The other body's side acts where the point is, or will meet its surface: both on one line along the normal, so that no
 * couple remains. Its weights are those of that place now; depth follows from the motion of both sides since the contact was
 * detected. `slipped` is how far they have gone past each other. */
static bool anchor_other_side(lt_anchor *out, lt_contact_record *r, const lt_collider *other, lt_rvec3 at,
                              bool held, float *slipped) {
    lt_rvec3 moved;
    r->normal = r->touch.normal;
    /* A force that is held may point anywhere: it acts at the point. */
    bool usable = lt_anchor_follow(out, &moved, other, &r->touch.other, at, lt_r3_from_v3(r->normal),
                                   held ? (lt_real)3e38 : (lt_real)r->touch.depth);
    lt_vec3 away = lt_v3_from_r3(moved);
    float along = lt_v3_dot(r->normal, away);
    r->depth = r->touch.depth - along;
    *slipped = lt_v3_length(lt_v3_mad(away, r->normal, -along));
    lt_real least = 0;
    for (uint32_t k = 0; k < out->count; k++)
        least = lt_min_r(least, out->weights[k]);
    return usable && least >= (r->touch.point == LT_NONE ? LEAST_SPHERE_WEIGHT : LEAST_WEIGHT);
}

/* The side whose point it is: its anchor and where that is. */
static lt_rvec3 anchor_own_side(lt_anchor *out, const lt_contact_record *r, const lt_collider *c) {
    if (r->touch.point == LT_NONE) {
        lt_anchor_attachment(out, &r->touch.own, c);
        return lt_anchor_gather(out, c->soft->x);
    }
    *out = lt_embed_anchor(c->skin, r->touch.point);
    if (!c->skin->offsets) return lt_anchor_gather(out, c->soft->x);
    return lt_r3_from_v3(c->points[r->touch.point]); /* refresh_link */
}

/* A rigid link's point is not where its nodes' mean is; its force acts there all the same (embed.h). Its body need not have been
 * refreshed in this step. */
static void refresh_link(const lt_contact_record *r, const lt_collider *c) {
    if (r->touch.point == LT_NONE || !c->skin->offsets) return;
    lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), c->points, c->skin, c->soft->nodes,
                       r->touch.point, r->touch.point + 1);
}

/* Of two places that must not come nearer: both sides act along the line between them, wherever it has turned to. */
static void measure_apart(lt_contact_record *r, lt_rvec3 at, lt_rvec3 other) {
    lt_vec3 between = lt_v3_from_r3(lt_r3_sub(at, other));
    r->normal = lt_v3_normalize_or(between, r->touch.normal);
    r->depth = r->touch.depth + r->touch.apart - lt_v3_length(between);
}

/* Where the contact acts now, how deep it is now: bodies and anchors of the coupling. False: it says nothing any more. */
static bool find_sides(const lt_penalty *p, lt_contact_record *r, lt_coupling *c) {
    c->body_a = r->touch.body;
    c->body_b = LT_NONE;
    c->b.count = 0;
    lt_rvec3 at = anchor_own_side(&c->a, r, &p->colliders[r->touch.body]);
    r->position = lt_v3_from_r3(at);
    if (r->kind == LT_PAIR_OBSTACLE) {
        lt_obstacle_hit hit =
            lt_obstacle_distance(lt_obstacle_seen(&p->colliders[r->a], p->obstacles, r->b), r->position);
        r->normal = hit.normal;
        r->depth = r->touch.apart - hit.distance;
        r->age = 0;
        return true;
    }
    c->body_b = r->kind == LT_PAIR_SELF ? r->a : r->touch.body == r->a ? r->b : r->a;
    const lt_collider *other = &p->colliders[c->body_b];
    if (r->touch.apart > 0) {
        lt_anchor_attachment(&c->b, &r->touch.other, other);
        measure_apart(r, at, lt_anchor_gather(&c->b, other->soft->x));
        return true;
    }
    float slipped;
    bool usable = anchor_other_side(&c->b, r, other, at, is_held(p, r), &slipped);
    if (r->touch.point == LT_NONE) {
        /* Two places between spheres say nothing of each other when they have slipped by, nor of what is deep. */
        float edge = (float)lt_min_r(other->soft->mean_edge, p->colliders[r->touch.body].soft->mean_edge);
        usable = usable && slipped < edge;
        r->ended = !usable;
        r->depth = lt_min_f(r->depth, lt_max_f(0, r->touch.depth) + 0.25f * edge);
    }
    return usable;
}

static void update_credit(const lt_penalty *p, lt_contact_record *r) {
    float edge = (float)p->colliders[r->touch.body].soft->mean_edge;
    float speed = p->depenetration_speed > 0 ? p->depenetration_speed : DEPENETRATION_SPEED;
    if (r->depth < p->rest_depth * edge) speed = 0;
    if (r->is_new)
        r->credit = lt_max_f(0, r->depth - FREE_DEPTH * edge);
    else
        r->credit = lt_clamp_f(r->credit - speed * p->dt, 0, lt_max_f(0, r->depth));
}

/* What contacts count the nodes of a body for: of an implicit one at least half of the mean. Nodes of tets that are nearly empty
 * weigh next to nothing, and contacts as soft as that let the body sink; the solver, unlike sub-steps, carries them firmer.
 * All nodes at once: many contacts will ask each of them. */
static void weigh_nodes(const lt_penalty *p, uint32_t body) {
    LT_ASSERT(body < p->collider_count);
    const lt_soft *soft = p->colliders[body].soft;
    uint32_t count = soft->carrier.node_count;
    float *masses = p->node_masses + p->bodies[body].node_begin;
    float most = lt_soft_is_explicit(soft) ? INFINITY : 2 * (float)count / (float)soft->total_mass;
    for (uint32_t i = 0; i < count; i++)
        masses[i] = soft->pinned[i] ? 0 : lt_min_f((float)(1 / soft->mass[i]), most);
    p->bodies[body].weighed = true;
}

static void add_load(lt_penalty *p, uint32_t body, const lt_anchor *anchor) {
    LT_ASSERT(body < p->collider_count);
    if (!p->bodies[body].weighed) weigh_nodes(p, body);
    float *loads = p->node_loads + p->bodies[body].node_begin;
    for (uint32_t i = 0; i < anchor->count; i++)
        loads[anchor->ids[i]] += fabsf((float)anchor->weights[i]);
}

static float load_of(const lt_penalty *p, uint32_t body, const lt_anchor *anchor) {
    LT_ASSERT(body < p->collider_count);
    const float *loads = p->node_loads + p->bodies[body].node_begin;
    const float *masses = p->node_masses + p->bodies[body].node_begin;
    float sum = 0;
    for (uint32_t i = 0; i < anchor->count; i++)
        sum += fabsf((float)anchor->weights[i]) * loads[anchor->ids[i]] * masses[anchor->ids[i]];
    return sum;
}

/* A side that sleeps has infinite mass, and no sub-steps planned for this step. */
static lt_penalty_body describe_body(const lt_penalty *p, const lt_collider *c, uint32_t node_begin) {
    if (!c->in_use || c->asleep) return (lt_penalty_body){.node_begin = node_begin};
    lt_contact_scale scale = lt_soft_contact_scale(c->soft, p->dt);
    float s_over_dt = (float)(scale.s / scale.dt);
    return (lt_penalty_body){.node_begin = node_begin,
                             .rate = s_over_dt * s_over_dt,
                             .young = c->soft->material.young,
                             .edge = (float)c->soft->mean_edge,
                             .substeps = lt_soft_is_explicit(c->soft)};
}

static float stiffness_of(const lt_penalty *p, const lt_contact_record *r, const uint32_t bodies[2],
                          float w) {
    float k = 3e38f, held = is_held(p, r) ? HELD_STIFFNESS / p->held_dt : 0;
    for (int i = 0; i < 2; i++) {
        if (bodies[i] == LT_NONE || p->colliders[bodies[i]].asleep) continue;
        const lt_penalty_body *body = &p->bodies[bodies[i]];
        float firm = r->touch.area * body->young / body->edge,
              own = (held > 0 ? held * held : body->rate) / w;
        if (body->substeps)
            own = lt_min_f(own, 20 * firm);
        else if (!(held > 0))
            own = lt_max_f(own, lt_min_f(firm, MOST_LOAD * own));
        k = lt_min_f(k, own);
    }
    return k;
}

static float friction_of(const lt_penalty *p, const lt_contact_record *r, const uint32_t bodies[2]) {
    if (r->touch.apart > 0 && r->kind != LT_PAIR_OBSTACLE)
        return 0; /* at two places it would turn both bodies */
    float other = bodies[1] == LT_NONE ? p->obstacles[r->b].friction : p->colliders[bodies[1]].friction;
    return sqrtf(p->colliders[bodies[0]].friction * other);
}

/* All but its sides, which are found in place: copying and clearing them takes as long as all else. What belongs to the implicit
 * solve it writes before it reads. */
static void begin_coupling(lt_coupling *c, const lt_contact_record *r) {
    const lt_rvec3 none = {0, 0, 0};
    c->kind = LT_COUPLING_CONTACT;
    c->normal = lt_r3_from_v3(r->normal);
    c->depth = r->depth - r->credit;
    c->stick = lt_r3_from_v3(r->stick);
    c->offset = c->partner_velocity = c->impulse = c->slid = none;
    c->stiffness = c->damping = c->friction = c->stiffness_used = c->damping_used = 0;
    c->member_a = c->member_b = 0;
    c->work = 0;
}

/* ---- first phase: sides and depth, written where the coupling will be; loads on the nodes of both ---- */

static bool is_answered(const lt_penalty *p, const lt_contact_record *r) {
    return !lt_contact_sleeps(r, p->colliders) && !(p->obstacles_only && r->kind != LT_PAIR_OBSTACLE);
}

/* Contacts of a pair stand together. New ones get their share of what the others have stored: springs that come and go at an edge
 * carry what they did, and none gives back what nobody put in. Those of a pair that begins to touch may give back all. */
static void share_stores(lt_penalty *p, uint32_t i) {
    const lt_contact_list *list = p->contacts;
    uint64_t key = lt_contact_pair_key(&list->records[i]);
    uint32_t old = 0, fresh = 0;
    float sum = 0;
    for (p->pair_end = i; p->pair_end < list->count; p->pair_end++) {
        const lt_contact_record *r = &list->records[p->pair_end];
        if (lt_contact_pair_key(r) != key) break;
        old += !r->is_new;
        fresh += r->is_new;
        sum += r->is_new ? 0 : lt_max_f(0, r->store);
    }
    p->pair_touched = old > 0;
    float kept = (float)old / (float)(old + fresh);
    for (; fresh > 0 && i < p->pair_end; i++) {
        lt_contact_record *r = &list->records[i];
        if (r->is_new)
            r->store = sum / (float)(old + fresh);
        else if (r->store > 0)
            r->store *= kept;
    }
}

/* Those of the next `count` contacts that become couplings, behind those that are. */
static uint32_t choose_contacts(lt_penalty *p, uint32_t count) {
    uint32_t chosen = 0, *contact_of = p->contact_of + p->coupling_count;
    for (uint32_t i = p->next; i < p->next + count; i++) {
        lt_contact_record *r = &p->contacts->records[i];
        if (i >= p->pair_end) share_stores(p, i);
        r->is_first = !p->pair_touched;
        if (!is_answered(p, r)) continue;
        refresh_link(r, &p->colliders[r->touch.body]);
        contact_of[chosen++] = i;
    }
    return chosen;
}

/* What says nothing any more has no contact. */
static void place_contacts(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    const lt_penalty *p = context;
    (void)chunk;
    for (uint32_t i = p->coupling_count + begin; i < p->coupling_count + end; i++) {
        lt_contact_record *r = &p->contacts->records[p->contact_of[i]];
        bool usable = find_sides(p, r, &p->couplings[i]);
        r->force = (lt_vec3){0, 0, 0};
        if (usable) {
            update_credit(p, r);
            begin_coupling(&p->couplings[i], r);
        } else {
            p->contact_of[i] = LT_NONE;
        }
    }
}

/* Moves a coupling to the next place of those that stay. */
static lt_coupling *keep_coupling(const lt_penalty *p, uint32_t *kept, uint32_t from) {
    LT_ASSERT(from < p->capacity);
    uint32_t to = (*kept)++;
    if (to != from) {
        p->couplings[to] = p->couplings[from];
        p->contact_of[to] = p->contact_of[from];
    }
    return &p->couplings[to];
}

static uint32_t place_block(lt_penalty *p, uint32_t count) {
    uint32_t chosen = choose_contacts(p, count), begin = p->coupling_count;
    lt_tasks_for(p->tasks, chosen, GRAIN, place_contacts, p);
    for (uint32_t i = begin; i < begin + chosen; i++) {
        if (p->contact_of[i] == LT_NONE) continue;
        const lt_coupling *c = keep_coupling(p, &p->coupling_count, i);
        add_load(p, c->body_a, &c->a);
        if (c->body_b != LT_NONE) add_load(p, c->body_b, &c->b);
    }
    return chosen * (LT_RESPOND_UNITS / 2) + (count - chosen);
}

/* ---- second phase, when all loads are known: stiffness, damping, friction ---- */

/* A side that sleeps does not move: it is something of infinite mass. The other one then comes first. */
static void turn_to_awake(const lt_penalty *p, lt_coupling *c) {
    bool other_moves = c->body_b != LT_NONE && !p->colliders[c->body_b].asleep;
    if (!p->colliders[c->body_a].asleep) {
        if (!other_moves) c->body_b = LT_NONE;
        return;
    }
    c->body_a = c->body_b;
    c->body_b = LT_NONE;
    c->a = c->b;
    c->normal = lt_r3_neg(c->normal);
    c->stick = lt_r3_neg(c->stick);
}

/* c = 2ζ √(k / W). Of bodies of a thousand kilometres the quotient is beyond float, its root is not. */
static float damping_of(float k, float w) {
    float quotient = k / w;
    return 2 * DAMPING_RATIO * (quotient < 3e38f ? sqrtf(quotient) : sqrtf(k) / sqrtf(w));
}

static bool is_implicit(const lt_penalty *p, uint32_t body) {
    return body == LT_NONE || p->colliders[body].asleep || !lt_soft_is_explicit(p->colliders[body].soft);
}

/* The spring of a push p = Δt k d gives bodies at most p² / 4g in a step, g = Δt (Δt k + c): that is no more than was put in. What is deep all at once, as in a body that is crushed and turned inside out, pushes no harder for it: a metre of
 * jelly with another on it rose by 22 times its weight times its size. Contacts between spheres are guesses, and not looked at. */
static void limit_store(const lt_penalty *p, lt_coupling *c, lt_contact_record *r) {
    float k = (float)c->stiffness, gain = p->dt * (p->dt * k + (float)c->damping);
    if (r->is_new && r->is_first) r->store = k * r->depth * r->depth / 2; /* also what is pushed out later */
    if (r->touch.approximate || r->touch.point == LT_NONE) r->store = NOT_LOOKED_AT;
    if (r->store >= 0) c->depth = lt_min_f((float)c->depth, 2 * sqrtf(gain * r->store) / (p->dt * k));
}

/* False: it is pinned on both sides. */
static bool finish_coupling(const lt_penalty *p, lt_coupling *c, lt_contact_record *r) {
    const uint32_t bodies[2] = {c->body_a, c->body_b};
    float w = load_of(p, bodies[0], &c->a);
    if (bodies[1] != LT_NONE) w += load_of(p, bodies[1], &c->b);
    if (!(w > 0)) return false;
    float k = stiffness_of(p, r, bodies, w);
    c->stiffness = k;
    c->damping = damping_of(k, w);
    c->friction = friction_of(p, r, bodies);
    if (r->kind == LT_PAIR_OBSTACLE)
        c->partner_velocity = lt_r3_from_v3(
            lt_obstacle_velocity(lt_obstacle_seen(&p->colliders[r->a], p->obstacles, r->b), r->position));
    turn_to_awake(p, c);
    if (is_implicit(p, bodies[0]) && is_implicit(p, bodies[1])) limit_store(p, c, r);
    return true;
}

static void finish_couplings(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    const lt_penalty *p = context;
    (void)chunk;
    for (uint32_t i = p->next + begin; i < p->next + end; i++)
        if (!finish_coupling(p, &p->couplings[i], &p->contacts->records[p->contact_of[i]]))
            p->contact_of[i] = LT_NONE;
}

static uint32_t finish_block(lt_penalty *p, uint32_t count) {
    lt_tasks_for(p->tasks, count, GRAIN, finish_couplings, p);
    for (uint32_t i = p->next; i < p->next + count; i++)
        if (p->contact_of[i] != LT_NONE) keep_coupling(p, &p->finished_count, i);
    return count * (LT_RESPOND_UNITS / 2);
}

/* ---- the cursor ---- */

static lt_piece peek(const void *state) {
    const lt_penalty *p = state;
    return (lt_piece){LT_WORK_RESPOND, p->phase == PHASE_DONE ? 0 : LT_RESPOND_UNITS / 2, 0};
}

static void end_phase(lt_penalty *p) {
    if (p->phase == PHASE_COUPLINGS) p->coupling_count = p->finished_count;
    p->phase++;
    p->next = 0;
}

static uint32_t step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    lt_penalty *p = state;
    uint32_t cost = 0;
    while (p->phase != PHASE_DONE && cost + LT_RESPOND_UNITS / 2 <= grant) {
        uint32_t end = p->phase == PHASE_PLACES ? p->contacts->count : p->coupling_count;
        uint32_t count =
            lt_min_u32(BLOCK, lt_min_u32(end - p->next, (grant - cost) / (LT_RESPOND_UNITS / 2)));
        if (count) cost += p->phase == PHASE_PLACES ? place_block(p, count) : finish_block(p, count);
        p->next += count;
        if (p->next >= end) end_phase(p);
    }
    return cost;
}

size_t lt_penalty_scratch(const lt_collider *colliders, uint32_t collider_count, uint32_t contact_capacity) {
    size_t nodes = 0;
    for (uint32_t i = 0; i < collider_count; i++)
        nodes += colliders[i].in_use ? colliders[i].soft->carrier.node_count : 0;
    return 2 * nodes * sizeof(float) + collider_count * sizeof(lt_penalty_body) +
           contact_capacity * (sizeof(lt_coupling) + sizeof(uint32_t)) + 6 * 64;
}

bool lt_penalty_begin(lt_penalty *penalty, lt_arena *arena) {
    size_t nodes = 0;
    penalty->bodies = LT_TAKE(arena, penalty->collider_count, lt_penalty_body);
    if (!penalty->bodies) return false;
    for (uint32_t i = 0; i < penalty->collider_count; i++) {
        const lt_collider *c = &penalty->colliders[i];
        penalty->bodies[i] = describe_body(penalty, c, (uint32_t)nodes);
        nodes += c->in_use ? c->soft->carrier.node_count : 0;
    }
    penalty->node_loads = LT_TAKE(arena, nodes, float);
    penalty->node_masses = LT_TAKE(arena, nodes, float);
    if (!penalty->node_loads || !penalty->node_masses) return false;
    for (size_t i = 0; i < nodes; i++)
        penalty->node_loads[i] = 0;
    penalty->pair_end = 0;
    penalty->next = penalty->coupling_count = penalty->finished_count = 0;
    penalty->phase = penalty->contacts->count ? PHASE_PLACES : PHASE_DONE;
    return true;
}

lt_cursor lt_penalty_cursor(lt_penalty *penalty) {
    return (lt_cursor){penalty, peek, step};
}

static void collect_forces(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    const lt_penalty *p = context;
    (void)chunk;
    for (uint32_t i = begin; i < end; i++) {
        const lt_coupling *c = &p->couplings[i];
        if (c->kind != LT_COUPLING_CONTACT) continue;
        lt_contact_record *r = &p->contacts->records[p->contact_of[i]];
        float sign = c->body_a == r->touch.body ? 1.0f : -1.0f;
        r->force = lt_v3_scale(lt_v3_from_r3(c->impulse), sign / p->dt);
        r->stick = lt_v3_scale(lt_v3_from_r3(c->stick), sign);
        if (r->store >= 0) r->store = lt_max_f(0, r->store - (float)c->work);
    }
}

void lt_penalty_collect(lt_penalty *penalty, lt_obstacle *obstacles) {
    lt_tasks_for(penalty->tasks, penalty->coupling_count, 4 * GRAIN, collect_forces, penalty);
    /* What sleeps on an obstacle weighs on it as when it fell asleep. (No contacts: there was no room to begin.) */
    for (uint32_t i = 0; penalty->contacts && i < penalty->contacts->count; i++) {
        const lt_contact_record *r = &penalty->contacts->records[i];
        if (r->kind != LT_PAIR_OBSTACLE) continue;
        lt_obstacle *o = lt_obstacle_at(&penalty->colliders[r->a], obstacles, r->b);
        lt_vec3 reaction = lt_v3_neg(r->force);
        o->force = lt_v3_add(o->force, reaction);
        o->torque = lt_v3_add(o->torque, lt_v3_cross(lt_v3_sub(r->position, o->position), reaction));
    }
}
