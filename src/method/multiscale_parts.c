/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body of which it is not decided in a step where it meets itself, as lt_world_def.multiscale.pending says. All surface lies in tets, some tets
 * in a row of the tree are a part, and a part is in the ball around its middle: where balls are apart nothing meets. And as near as two
 * parts came on the way of the last turn that ended, nothing met but what is a contact by now. So two parts may come as near as the
 * least of: both radii, the distance on that way less the room that was looked at beyond it, and where they were as the step began.
 * Nearer they may come only if a plane is between them all the time.
 *
 *   clamp     within the body less time passes than the step has: it changes its shape only so far that no two parts get nearer, and
 *             its model changes velocities, beside that of the body as a whole, only by as much. As a whole it moves on, and where it
 *             touches others as those places do; but then what moves within it ends by as much, since it would be pushed anew in every
 *             step, and velocities of the whole change only so far that it has no more energy than as much of a change of its shape gives
 *             (multiscale_bodies.c). Momentum is that of the time that has passed, linear and angular; kinetic energy is not more than
 *             the motion had before answers
 *   penalty   nothing is moved; velocities lose a part of what is not the motion of a rigid body: the more, the deeper
 *   ignore    nothing
 *
 * Parts with tets that are neighbours at rest, or have one in common, are left out. It is no proof: what two parts do within the
 * distance between their middles, turning or bending, is not seen. And all of the body is slow while some of it is held: that is what a
 * small budget costs.
 *
 * Workload: 64 parts of the knot, some 1,150 nodes: about 15 µs. */

#include "body/models.h"
#include "method/multiscale_work.h"

#include <string.h>

/* Separations that two parts may come nearer in a step whatever is known: what trembles would hold all the others. */
static const float TREMBLE = 0.1f;
/* Of the size of the body: penalty takes half of what would be that deep. */
static const lt_real HALF = (lt_real)0.02;
/* Of the way to where they would be too near. */
static const float MOST = 0.9f;

enum { PART_NODE_UNITS = 5, PAIR_UNITS = 4, NODE_UNITS = 24 };

/* A part on its way through the step. */
typedef struct part_motion {
    lt_vec3 from, to; /* middles; from: carried along by the body as a whole, where that may move */
    float radius;
} part_motion;

typedef struct part_holding {
    lt_multi_work *work;
    uint32_t pair;
    const lt_multi_long *own;
    const float *nodes_before, *nodes_after;
    part_motion parts[LT_MULTI_PARTS];
    lt_real *scratch; /* [node_count][4] */
    lt_real *weights; /* [node_count] of the motion as a whole */
    bool touches;     /* others */
    lt_screw screw;   /* its way as a whole, about its centre at the beginning */
    lt_rvec3 center;  /* there */
    /* Output */
    float share;  /* of the change of its shape that may be */
    float excess; /* m that two parts would be too near */
} part_holding;

/* ---- the motion of the body as a whole ---- */

/* By as much as the spin says, without sine and cosine: |u| is the tangent of half the angle. */
static lt_rvec3 turned(const lt_screw *screw, lt_rvec3 arm) {
    lt_dvec3 u = lt_d3_scale(screw->spin, 0.5), r = {arm.x, arm.y, arm.z};
    lt_dvec3 once = lt_d3_cross(u, r), sum = lt_d3_add(once, lt_d3_cross(u, once));
    lt_dvec3 out = lt_d3_mad(r, sum, 2 / (1 + lt_d3_dot(u, u)));
    return (lt_rvec3){(lt_real)out.x, (lt_real)out.y, (lt_real)out.z};
}

/* The rigid motion that has the momentum of some vectors of nodes. */
static lt_screw fit_screw(const lt_real *weights, uint32_t count, const lt_real *x, const lt_real *vectors,
                          lt_rvec3 about) {
    lt_rigid rigid = lt_rigid_of(x, weights, count, about);
    lt_twist twist = {{0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < count; i++)
        lt_twist_add(&twist, lt_r3_sub(lt_node_get(x, i), about), lt_node_get(vectors, i),
                     (double)weights[i]);
    return lt_rigid_gain(&rigid, &twist);
}

static lt_screw screw_of(const lt_soft *soft, const lt_real *x, const lt_real *vectors, lt_rvec3 about) {
    return fit_screw(soft->mass, soft->carrier.node_count, x, vectors, about);
}

static lt_rvec3 weighted_center(const lt_real *weights, uint32_t count, const lt_real *x) {
    lt_dvec3 sum = {0, 0, 0};
    double all = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_rvec3 p = lt_node_get(x, i);
        sum = lt_d3_mad(sum, (lt_dvec3){p.x, p.y, p.z}, (double)weights[i]);
        all += (double)weights[i];
    }
    return (lt_rvec3){(lt_real)(sum.x / all), (lt_real)(sum.y / all), (lt_real)(sum.z / all)};
}

static lt_rvec3 center_of(const lt_soft *soft, const lt_real *x) {
    return weighted_center(soft->mass, soft->carrier.node_count, x);
}

/* Where something gets if the body keeps its shape. */
static lt_rvec3 carried(const part_holding *h, lt_rvec3 place) {
    lt_rvec3 shift = {(lt_real)h->screw.shift.x, (lt_real)h->screw.shift.y, (lt_real)h->screw.shift.z};
    return lt_r3_add(lt_r3_add(h->center, shift), turned(&h->screw, lt_r3_sub(place, h->center)));
}

/* ---- parts ---- */

static lt_vec3 node_at(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static lt_vec3 middle_of(const lt_multi_parts *parts, uint32_t part, const float *nodes) {
    uint32_t begin = parts->begin[part], end = parts->begin[part + 1];
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = begin; i < end; i++)
        sum = lt_v3_add(sum, node_at(nodes, parts->nodes[i]));
    return lt_v3_scale(sum, 1 / (float)(end - begin));
}

static float radius_of(const lt_multi_parts *parts, uint32_t part, const float *nodes, lt_vec3 middle) {
    float squared = 0;
    for (uint32_t i = parts->begin[part]; i < parts->begin[part + 1]; i++) {
        lt_vec3 arm = lt_v3_sub(node_at(nodes, parts->nodes[i]), middle);
        squared = lt_max_f(squared, lt_v3_dot(arm, arm));
    }
    return sqrtf(squared);
}

static void measure(part_holding *h) {
    const lt_multi_parts *parts = h->own->parts;
    for (uint32_t p = 0; p < parts->count; p++) {
        part_motion *m = &h->parts[p];
        lt_vec3 before = middle_of(parts, p, h->nodes_before);
        m->from = lt_v3_from_r3(carried(h, lt_r3_from_v3(before)));
        m->to = middle_of(parts, p, h->nodes_after);
        m->radius = radius_of(parts, p, h->nodes_before, before);
    }
}

/* The least distance between two points that both go straight. */
static float least_distance(lt_vec3 before, lt_vec3 after) {
    lt_vec3 way = lt_v3_sub(after, before);
    float length = lt_v3_dot(way, way);
    float time = length > 0 ? -lt_v3_dot(before, way) / length : 0;
    return lt_v3_length(lt_v3_mad(before, way, lt_max_f(0, lt_min_f(1, time))));
}

/* When what is apart first comes as near as that. */
static float time_of(lt_vec3 before, lt_vec3 after, float nearest) {
    lt_vec3 way = lt_v3_sub(after, before);
    float a = lt_v3_dot(way, way), b = lt_v3_dot(before, way);
    float c = lt_v3_dot(before, before) - nearest * nearest, inside = b * b - a * c;
    if (!(b < 0) || !(inside > 0)) return 1;
    return lt_max_f(0, lt_min_f(1, (-b - sqrtf(inside)) / a));
}

/* The least of a part along a direction. */
static float least_along(const lt_multi_parts *parts, uint32_t part, const float *nodes, lt_vec3 direction) {
    float least = INFINITY;
    for (uint32_t i = parts->begin[part]; i < parts->begin[part + 1]; i++)
        least = lt_min_f(least, lt_v3_dot(direction, node_at(nodes, parts->nodes[i])));
    return least;
}

/* Whether a plane that goes straight and does not turn is between them all the time. */
static bool stay_apart(const part_holding *h, uint32_t p, uint32_t q, lt_vec3 direction) {
    const float *ends[2] = {h->nodes_before, h->nodes_after};
    for (int end = 0; end < 2; end++)
        if (least_along(h->own->parts, p, ends[end], direction) +
                least_along(h->own->parts, q, ends[end], lt_v3_neg(direction)) <=
            0)
            return false;
    return true;
}

/* As near as they came on the way of the last turn that ended, up to where either of them met something: behind that they would not
 * get. */
static float known_distance(const lt_multi_long *own, uint32_t p, uint32_t q) {
    float time =
        (float)(own->known_times[p] > own->known_times[q] ? own->known_times[p] : own->known_times[q]) / 255;
    lt_vec3 before = lt_v3_sub(own->known_middles[0][p], own->known_middles[0][q]);
    lt_vec3 after = lt_v3_sub(own->known_middles[1][p], own->known_middles[1][q]);
    float room = time < 1 ? 0 : own->known_room; /* it is where they met */
    return least_distance(before, lt_v3_mad(before, lt_v3_sub(after, before), time)) - room;
}

static void look_at(part_holding *h, uint32_t p, uint32_t q) {
    const part_motion *x = &h->parts[p], *y = &h->parts[q];
    lt_vec3 before = lt_v3_sub(x->from, y->from), after = lt_v3_sub(x->to, y->to);
    float radii = x->radius + y->radius, least = least_distance(before, after);
    if (least >= radii) return;
    float nearest = lt_min_f(lt_min_f(radii, known_distance(h->own, p, q)), lt_v3_length(before));
    nearest = lt_max_f(0, nearest - TREMBLE * h->work->separation);
    float time = least < nearest ? time_of(before, after, nearest) : 1;
    if (time >= h->share || stay_apart(h, p, q, before) || stay_apart(h, p, q, after)) return;
    h->share = time;
    h->excess = lt_max_f(h->excess, nearest - least);
}

/* ---- velocities ---- */

static const lt_real *v_before_of(const part_holding *h) {
    const lt_multi_method *m = h->work->method;
    return m->bodies[lt_worded_pair_at(&m->memory.pairs, h->pair)->a].v_before;
}

static double kinetic_of(const lt_soft *soft, const lt_real *v) {
    double sum = 0;
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_rvec3 own = lt_node_get(v, i);
        sum += 0.5 * (double)soft->mass[i] * (double)lt_r3_dot(own, own);
    }
    return sum;
}

/* Takes of velocities what is not the motion of a rigid body but for a share. */
static void calm(lt_soft *soft, lt_real share) {
    lt_rvec3 center = center_of(soft, soft->x);
    lt_screw screw = screw_of(soft, soft->x, soft->v, center);
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_rvec3 v = lt_node_get(soft->v, i);
        lt_rvec3 kept = lt_screw_at(&screw, lt_r3_sub(lt_node_get(soft->x, i), center));
        lt_node_set(soft->v, i, lt_r3_mad(kept, lt_r3_sub(v, kept), share));
    }
}

/* Until there is no more kinetic energy than that: what moves as a whole stays. */
static void calm_to(lt_soft *soft, double most) {
    double all = kinetic_of(soft, soft->v);
    if (!(all > most)) return;
    lt_rvec3 center = center_of(soft, soft->x);
    lt_screw screw = screw_of(soft, soft->x, soft->v, center);
    double whole = 0;
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_rvec3 v = lt_screw_at(&screw, lt_r3_sub(lt_node_get(soft->x, i), center));
        whole += 0.5 * (double)soft->mass[i] * (double)lt_r3_dot(v, v);
    }
    double left = most > whole ? (most - whole) / (all - whole) : 0;
    calm(soft, (lt_real)sqrt(lt_min_d(1, left)));
}

/* The velocity of a node beside that of the body as a whole, as the step began, turned with it. */
static lt_rvec3 own_velocity(const part_holding *h, const lt_soft *soft, const lt_screw *screw,
                             uint32_t node) {
    lt_rvec3 arm = lt_r3_sub(lt_node_get(soft->x_before, node), h->center);
    lt_rvec3 v = lt_r3_sub(lt_node_get(v_before_of(h), node), lt_screw_at(screw, arm));
    return turned(&h->screw, v);
}

/* Within the body less time has passed: what its model changed of velocities, beside that of the whole, counts only by that share.
 * Before nodes are placed. */
static void slow_down(const part_holding *h, lt_soft *soft, const lt_real *free_v) {
    lt_rvec3 center = center_of(soft, soft->x);
    lt_screw before = screw_of(soft, soft->x_before, v_before_of(h), h->center);
    lt_screw after = screw_of(soft, soft->x, free_v, center);
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_rvec3 v = lt_node_get(free_v, i), whole;
        whole = lt_screw_at(&after, lt_r3_sub(lt_node_get(soft->x, i), center));
        lt_rvec3 was = own_velocity(h, soft, &before, i), is = lt_r3_sub(v, whole);
        lt_rvec3 slowed = lt_r3_add(whole, lt_r3_mad(was, lt_r3_sub(is, was), (lt_real)h->share));
        lt_node_set(h->scratch, i, slowed);
        lt_node_set(soft->v, i, lt_r3_add(slowed, lt_r3_sub(lt_node_get(soft->v, i), v)));
    }
    calm_to(soft, kinetic_of(soft, h->scratch));
}

/* Whatever was done, momentum is what it was. */
static void balance(lt_soft *soft, const lt_twist *due, lt_rvec3 about) {
    lt_twist missing = *due, found = {{0, 0, 0}, {0, 0, 0}};
    lt_twist_add_momentum(&found, soft, soft->v, about);
    for (int k = 0; k < 3; k++) {
        missing.linear[k] -= found.linear[k];
        missing.angular[k] -= found.angular[k];
    }
    lt_twist_give(soft->v, soft, about, &missing);
}

/* ---- holding ---- */

/* From where it was to where it gets with that share of the change of its shape. */
static void place(const part_holding *h, lt_soft *soft) {
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        lt_rvec3 kept = carried(h, lt_node_get(soft->x_before, i));
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->x, i), kept);
        lt_node_set(soft->x, i, lt_r3_mad(kept, way, (lt_real)h->share));
    }
}

/* Of energy that its model gives it as it changes its shape it can have only as much as it changes it (multiscale_bodies.c). */
static void note_work(const part_holding *h, const lt_soft *soft) {
    const lt_multi_method *m = h->work->method;
    lt_multi_motion *motion = &h->work->motions[lt_worded_pair_at(&m->memory.pairs, h->pair)->a];
    motion->part_share = h->share;
    motion->fall = lt_r3_sub(center_of(soft, soft->x), center_of(soft, soft->x_before));
}

/* Pins give and take momentum: there velocities stay. */
static void hold(part_holding *h, lt_soft *soft, const lt_real *free_v) {
    bool clamps = h->work->method->options.multiscale.pending == LT_PENDING_CLAMP,
         pinned = soft->pin_count > 0;
    lt_real half = HALF * soft->size;
    lt_rvec3 about = center_of(soft, soft->x);
    lt_twist due = {{0, 0, 0}, {0, 0, 0}};
    lt_twist_add_momentum(&due, soft, soft->v, about);
    h->share *= MOST;
    if (clamps && h->touches) note_work(h, soft);
    if (clamps && !pinned && h->touches) calm(soft, (lt_real)h->share);
    if (clamps && !pinned && !h->touches && v_before_of(h)) slow_down(h, soft, free_v);
    if (clamps) place(h, soft);
    if (!clamps && !pinned) calm(soft, half / (half + (lt_real)h->excess));
    if (!pinned) balance(soft, &due, about);
    lt_soft_follow(soft);
    h->work->step->report->held++;
}

/* Places where it touches others, or is pinned, weigh more than all the rest: as a whole it moves as they let it. */
static void weigh(part_holding *h, const lt_soft *soft, uint32_t body) {
    const lt_multi_work *w = h->work;
    lt_real most = 10 * soft->total_mass;
    memcpy(h->weights, soft->mass, soft->carrier.node_count * sizeof *h->weights);
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_multi_contact *c = &w->contacts[i];
        if (c->pair.kind == LT_PAIR_SELF || !lt_pair_is_of_body(&c->pair, body)) continue;
        const lt_attachment *held = c->pair.a == body ? &c->own : &c->other;
        for (size_t k = 0; k < 4; k++)
            h->weights[soft->carrier.tets[4 * (size_t)held->tet + k]] +=
                most * (lt_real)lt_max_f(0, lt_min_f(1, held->weights[k]));
        h->touches = true;
    }
    for (uint32_t i = 0; soft->pin_count > 0 && i < soft->carrier.node_count; i++)
        if (soft->pinned[i]) h->weights[i] += 100 * most;
}

static void begin_body(part_holding *h, const lt_soft *soft, uint32_t body) {
    uint32_t count = soft->carrier.node_count;
    h->nodes_before = h->work->motions[body].from;
    h->nodes_after = soft->nodes;
    h->touches = false;
    h->share = 1;
    h->excess = 0;
    weigh(h, soft, body);
    h->center = weighted_center(h->weights, count, soft->x_before);
    for (size_t i = 0; i < 4 * (size_t)count; i++)
        h->scratch[i] = soft->x[i] - soft->x_before[i];
    h->screw = fit_screw(h->weights, count, soft->x_before, h->scratch, h->center);
}

static void look_at_body(part_holding *h) {
    uint32_t body = lt_worded_pair_at(&h->work->method->memory.pairs, h->pair)->a;
    lt_soft *soft = &h->work->step->softs[body];
    begin_body(h, soft, body);
    measure(h);
    const lt_multi_parts *parts = h->own->parts;
    for (uint32_t p = 0; p < parts->count; p++)
        for (uint32_t q = p + 1; q < parts->count; q++)
            if (!(parts->neighbours[p] >> q & 1)) look_at(h, p, q);
    if (h->share < 1) hold(h, soft, h->work->motions[body].free_v);
}

/* ---- the cursor: bodies that are not decided ---- */

static uint32_t units_of(const lt_multi_long *own) {
    uint32_t parts = own->parts->count;
    return 1 + PART_NODE_UNITS * own->parts->begin[parts] + PAIR_UNITS * parts * parts / 2 +
           NODE_UNITS * own->way.node_count;
}

/* From this pair on. */
static void find_body(part_holding *h, uint32_t from) {
    const lt_multi_work *w = h->work;
    const lt_pair_table *pairs = &w->method->memory.pairs;
    for (h->pair = from; h->pair < pairs->count; h->pair++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, h->pair);
        const lt_multi_outcome *outcome = &w->outcomes[h->pair];
        h->own = lt_multi_long_of(w, pair);
        if (h->own && h->own->has_known && w->motions[pair->a].from && (!outcome->done || outcome->by_long))
            return;
    }
}

static lt_piece peek(const void *state) {
    const part_holding *h = state;
    bool done = h->pair == h->work->method->memory.pairs.count;
    return (lt_piece){LT_WORK_RESPOND, done ? 0 : units_of(h->own), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    part_holding *h = state;
    uint32_t units = units_of(h->own);
    (void)grant; /* it was set aside */
    look_at_body(h);
    find_body(h, h->pair + 1);
    return units;
}

uint64_t lt_multi_parts_units(const lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint64_t units = 0;
    if (w->method->options.multiscale.pending == LT_PENDING_IGNORE) return 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_multi_long *own = lt_multi_long_of(w, lt_worded_pair_at(pairs, i));
        if (own) units += units_of(own);
    }
    return units;
}

static uint32_t most_nodes(const lt_collider *colliders, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use) most = lt_max_u32(most, colliders[i].soft->carrier.node_count);
    return most;
}

size_t lt_multi_parts_scratch(const lt_collider *colliders, uint32_t count) {
    size_t bytes = 5 * (size_t)most_nodes(colliders, count) * sizeof(lt_real) + 2 * 64;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use)
            bytes += 4 * (size_t)colliders[i].soft->carrier.node_count * sizeof(lt_real) + 64;
    return bytes;
}

void lt_multi_keep_velocities(lt_multi_method *m, const lt_method_step *step) {
    for (uint32_t i = 0; i < step->collider_count; i++) {
        if (!step->colliders[i].in_use) continue;
        size_t count = 4 * (size_t)step->softs[i].carrier.node_count;
        lt_real *v = LT_TAKE(step->arena, count, lt_real);
        if (v) memcpy(v, step->softs[i].v, count * sizeof *v);
        m->bodies[i].v_before = v;
    }
}

void lt_multi_hold_parts(lt_multi_work *w) {
    part_holding h = {.work = w};
    size_t mark = lt_arena_mark(w->step->arena);
    if (w->method->options.multiscale.pending == LT_PENDING_IGNORE) return;
    find_body(&h, 0);
    if (h.pair == w->method->memory.pairs.count) return;
    uint32_t nodes = most_nodes(w->step->colliders, w->step->collider_count);
    h.scratch = LT_TAKE(w->step->arena, 4 * (size_t)nodes, lt_real);
    h.weights = LT_TAKE(w->step->arena, nodes, lt_real);
    if (h.scratch && h.weights)
        lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&h, peek, step});
    else
        w->step->report->problems |= LT_PROBLEM_SCRATCH;
    lt_arena_rewind(w->step->arena, mark);
}
