/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From what a turn found to constraints.
 *
 * A dense surface meets another in hundreds of places within one pair of tets; but tets move affinely, and where the normals
 * are the same the gap over the patch is as good as linear. So of the meetings between two tets that look the same way four
 * stand for all: the one that is nearest, and three that span the patch. What that leaves out is found when the answer is
 * looked at again, and then added whatever stands for it.
 *
 *   key   a contact is known from step to step by the features that meet, hashed; its impulse is where the next answer begins
 *   gap   along the normal at the end of the free motion, less what the free velocities cover in the step: where the step
 *         would have begun, had it been straight. (That of explicit models is not: their velocities at its end are others.) */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

/* m/s at which bodies that were in each other part; and those of which a turn that was cut, or took several steps, says that they are a
 * little: what pushes them stays as velocity, and where many turns are cut they would be thrown up again and again. */
static const lt_real RECOVERY_SPEED = (lt_real)0.3, GENTLE_SPEED = (lt_real)0.05;

/* ---- sides ---- */

static const lt_collider *collider_of(const lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    return &w->step->colliders[body];
}

/* The body of the second side; LT_NONE: an obstacle. */
static uint32_t second_body(const lt_pair *pair) {
    return pair->kind == LT_PAIR_OBSTACLE ? LT_NONE : pair->b;
}

static lt_rvec3 place_of(const lt_multi_work *w, uint32_t body, const lt_attachment *hold,
                         const lt_real *nodes) {
    LT_ASSERT(body < w->step->collider_count);
    lt_anchor anchor = lt_attachment_anchor(hold, collider_of(w, body));
    return lt_anchor_gather(&anchor, nodes);
}

static lt_rvec3 place_now(const lt_multi_work *w, uint32_t body, const lt_attachment *hold) {
    LT_ASSERT(body < w->step->collider_count);
    return place_of(w, body, hold, w->step->softs[body].x);
}

static lt_rvec3 place_before(const lt_multi_work *w, uint32_t body, const lt_attachment *hold) {
    LT_ASSERT(body < w->step->collider_count);
    const lt_soft *soft = &w->step->softs[body];
    return place_of(w, body, hold, w->motions[body].from ? soft->x_before : soft->x);
}

/* How far apart the two sides are along the normal now. */
static lt_real gap_now(const lt_multi_work *w, const lt_multi_contact *c) {
    lt_rvec3 normal = lt_r3_from_v3(c->normal), a = place_now(w, c->pair.a, &c->own);
    uint32_t second = second_body(&c->pair);
    if (second == LT_NONE) return lt_r3_dot(normal, a) - c->level;
    return lt_r3_dot(normal, lt_r3_sub(a, place_now(w, second, &c->other)));
}

/* Whether the two places, that were one when they met, have slid apart, or were far behind each other as the step began: the normal
 * is another there. */
static bool has_slid(const lt_multi_work *w, const lt_multi_contact *c) {
    const lt_real most = (lt_real)0.05;
    uint32_t second = second_body(&c->pair);
    if (second == LT_NONE) return false;
    lt_rvec3 normal = lt_r3_from_v3(c->normal);
    lt_rvec3 way = lt_r3_sub(place_now(w, c->pair.a, &c->own), place_now(w, second, &c->other));
    lt_rvec3 before = lt_r3_sub(place_before(w, c->pair.a, &c->own), place_before(w, second, &c->other));
    lt_rvec3 across = lt_r3_mad(way, normal, -lt_r3_dot(normal, way));
    lt_real far = most * lt_min_r(w->step->softs[c->pair.a].size, w->step->softs[second].size);
    bool behind = c->pair.kind == LT_PAIR_BODIES && !(lt_r3_dot(normal, before) >= -far);
    return behind || !(lt_r3_length(across) <= far);
}

/* ---- what was found, as candidates ---- */

/* Beside the kinds of meetings. */
enum { OF_OBSTACLE = 8, OF_POINT = 9, OF_CORNER = 10, OF_PARTS = 11 };

static uint64_t identity_of(uint32_t kind, const uint32_t *points, uint32_t count) {
    uint64_t hash = lt_hash_u64(LT_HASH_SEED, kind);
    for (uint32_t i = 0; i < count; i++)
        hash = lt_hash_u64(hash, points[i]);
    return hash | (uint64_t)1 << 63; /* never one of those that are known by their feature alone */
}

static bool hold_side(lt_attachment *out, const lt_collider *collider, const lt_meeting *m, uint32_t side) {
    LT_ASSERT(side < 2);
    lt_meeting_side of_meeting = lt_meeting_side_of(m, side);
    return lt_surface_hold_side(out, collider, &of_meeting);
}

static bool is_unit(lt_vec3 v) {
    float length = lt_v3_length(v);
    return length > 0.99f && length < 1.01f;
}

static lt_vec3 position_at(const lt_multiscale *boxes, uint32_t point, float time) {
    LT_ASSERT(point < boxes->tree->point_count);
    lt_vec3 from = lt_multiscale_position(boxes, point, 0), to = lt_multiscale_position(boxes, point, 1);
    return lt_v3_mad(from, lt_v3_sub(to, from), time);
}

/* Of a triangle, twice its area long. */
static lt_vec3 normal_at(const lt_multiscale *boxes, uint32_t triangle, float time) {
    LT_ASSERT(triangle < boxes->tree->triangle_count);
    const uint32_t *corners = boxes->tree->triangles + 3 * (size_t)triangle;
    lt_vec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = position_at(boxes, corners[k], time);
    return lt_v3_cross(lt_v3_sub(p[1], p[0]), lt_v3_sub(p[2], p[0]));
}

static bool faces_along(const lt_multiscale *boxes, uint32_t triangle, const lt_meeting *m) {
    LT_ASSERT(triangle < boxes->tree->triangle_count);
    const float aslant = 0.9f;
    lt_vec3 n = normal_at(boxes, triangle, m->time);
    return fabsf(lt_v3_dot(n, m->normal)) >= aslant * lt_v3_length(n);
}

/* A vertex beside a face, or edges that do not reach each other, are nearest aslant. Where surfaces lie on each other that is so
 * all over, and it is what lies beside them that meets: as constraints such meetings would wedge the two. What goes through a
 * surface goes through the inside of a face or an edge, or straight through its rim. */
static bool is_aslant(const lt_query *q, const lt_meeting *m) {
    const float rim = 1e-3f;
    uint32_t first = m->kind == LT_MEET_EDGES ? 0 : 1;
    float least = 1;
    for (uint32_t k = first; k < 4; k++)
        least = lt_min_f(least, m->weights[k]);
    if (least > rim) return false;
    return !faces_along(q->a, m->a, m) && !faces_along(q->b, m->b, m);
}

/* Both sides are met from within: they are in each other there, and would be kept from coming out. A long turn does not ask for
 * that beforehand. */
static bool is_from_within(const lt_query *q, const lt_meeting *m) {
    lt_vec3 a = normal_at(q->a, m->a, m->time), b = normal_at(q->b, m->b, m->time);
    return lt_v3_dot(a, m->normal) > 0 && lt_v3_dot(b, m->normal) < 0;
}

bool lt_multi_is_odd(const lt_query *q, const lt_meeting *m) {
    lt_vec3 a = normal_at(q->a, m->a, m->time), b = normal_at(q->b, m->b, m->time);
    return lt_v3_dot(a, m->normal) > 0 || lt_v3_dot(b, m->normal) < 0;
}

static lt_dvec3 place_at_rest(const lt_collider *collider, const lt_attachment *hold) {
    double weights[4];
    for (int k = 0; k < 4; k++)
        weights[k] = (double)hold->weights[k];
    return lt_pull_back(&collider->soft->carrier, hold->tet, weights);
}

/* Parts of one surface that hang on common nodes, or are so near each other at rest. */
static bool are_neighbours(const lt_multi_work *w, const lt_multi_contact *c) {
    const double near_by = 8; /* separations */
    const lt_collider *body = collider_of(w, c->pair.a);
    const uint32_t *tets = body->soft->carrier.tets;
    if (lt_tets_share_node(tets + 4 * (size_t)c->own.tet, tets + 4 * (size_t)c->other.tet)) return true;
    lt_dvec3 way = lt_d3_sub(place_at_rest(body, &c->own), place_at_rest(body, &c->other));
    return lt_d3_length(way) * (double)body->soft->scale < near_by * (double)w->separation;
}

/* Neighbours are nearer than any separation: they keep half of what they have. False: that they do anyway. */
static bool aim_neighbours(const lt_multi_work *w, lt_multi_contact *c) {
    lt_rvec3 way = lt_r3_sub(place_before(w, c->pair.a, &c->own), place_before(w, c->pair.a, &c->other));
    float before = (float)lt_r3_dot(lt_r3_from_v3(c->normal), way);
    c->target = lt_min_f(w->separation, lt_max_f(0, 0.5f * before));
    return (float)gap_now(w, c) < c->target;
}

bool lt_multi_is_crossed(const lt_multi_work *w, const lt_pair *pair, const lt_meeting *m) {
    const uint32_t *tets = collider_of(w, pair->a)->surface->parts->tree.triangle_tets;
    if (pair->kind != LT_PAIR_SELF || tets[m->a] == LT_NONE || tets[m->b] == LT_NONE) return false;
    return w->crossed[pair->a][tets[m->a]] && w->crossed[pair->a][tets[m->b]];
}

static bool make_of_meeting(lt_multi_candidate *out, const lt_multi_work *w, const lt_multi_turn *t,
                            const lt_meeting *m) {
    const float by_depth = 1.01f; /* separations: it is undone if they are in each other by now */
    lt_multi_contact *c = &out->contact;
    const lt_pair *pair = t->pair;
    const lt_collider *a = collider_of(w, pair->a), *b = collider_of(w, pair->b);
    if (m->outcome == LT_CCD_INVALID || m->kind == LT_MEET_CROSSING || !is_unit(m->normal) ||
        is_aslant(&t->query, m) || (t->own && is_from_within(&t->query, m)))
        return false;
    *c = (lt_multi_contact){.pair = *pair,
                            .identity = identity_of(m->kind, m->points, 4),
                            .normal = lt_v3_normalize_or(m->normal, m->normal)};
    if (!hold_side(&c->own, a, m, 0) || !hold_side(&c->other, b, m, 1)) return false;
    if (t->own && has_slid(w, c)) return false; /* since the turn began */
    c->target = (t->own ? by_depth : 1) * w->separation;
    out->time = t->span.begin + m->time * (t->span.end - t->span.begin);
    return pair->kind != LT_PAIR_SELF || !are_neighbours(w, c) || aim_neighbours(w, c);
}

/* An obstacle is asked anew where it will be. */
static void renew_level(const lt_multi_work *w, lt_multi_contact *c) {
    lt_obstacle obstacle = *lt_step_obstacle(w->step, &c->pair);
    if (obstacle.moving) lt_obstacle_place(&obstacle, obstacle.target_position, obstacle.target_rotation);
    lt_rvec3 place = place_now(w, c->pair.a, &c->own);
    lt_obstacle_hit hit = lt_obstacle_distance(&obstacle, lt_v3_from_r3(place));
    if (is_unit(hit.normal)) c->normal = lt_v3_normalize_or(hit.normal, hit.normal);
    c->level = lt_r3_dot(lt_r3_from_v3(c->normal), place) - hit.distance;
}

/* The obstacle's surface at the vertex goes on as it went when they met. */
static lt_real level_of(const lt_multi_work *w, const lt_multi_contact *c, const lt_obstacle_meeting *m) {
    lt_rvec3 normal = lt_r3_from_v3(c->normal), from = place_before(w, c->pair.a, &c->own);
    lt_rvec3 to = place_now(w, c->pair.a, &c->own), met = lt_r3_mad(from, lt_r3_sub(to, from), m->time);
    lt_vec3 velocity = lt_obstacle_velocity(lt_step_obstacle(w->step, &c->pair), lt_v3_from_r3(met));
    lt_real onward = (1 - m->time) * w->step->dt * lt_r3_dot(normal, lt_r3_from_v3(velocity));
    return lt_r3_dot(normal, met) - m->distance + onward;
}

/* On the way of a long turn: one that moves is elsewhere in this step than it was there. */
static void aim_at_long(const lt_multi_work *w, const lt_multi_turn *t, lt_multi_contact *c,
                        const lt_obstacle_meeting *m) {
    lt_vec3 met = position_at(&t->own->way.surface.boxes, m->point, m->time);
    c->level = lt_r3_dot(lt_r3_from_v3(c->normal), lt_r3_from_v3(met)) - m->distance;
    if (t->own->obstacle.moving || w->step->obstacles[c->pair.b].moving) renew_level(w, c);
}

/* A long turn looks some steps ahead. Where the next one ends soon enough, what does not get near in this step is left to that: contacts that
 * do not push yet took what sweeps needed, and the knot gained 15 J of 356 on a fifth of what a step takes. */
static bool is_premature(const lt_multi_work *w, const lt_multi_long *own, const lt_multi_contact *c) {
    enum { SOON = 2 };
    return own->last_steps <= SOON && gap_now(w, c) > (lt_real)w->separation;
}

static bool make_of_vertex(lt_multi_candidate *out, const lt_multi_work *w, const lt_multi_turn *t,
                           const lt_obstacle_meeting *m) {
    lt_multi_contact *c = &out->contact;
    const lt_pair *pair = t->pair;
    if (!is_unit(m->normal)) return false;
    *c = (lt_multi_contact){.pair = *pair,
                            .identity = identity_of(OF_OBSTACLE, &m->point, 1),
                            .own = lt_surface_hold_point(collider_of(w, pair->a)->surface, m->point),
                            .other = {.tet = LT_NONE},
                            .normal = lt_v3_normalize_or(m->normal, m->normal),
                            .target = w->separation};
    if (t->own)
        aim_at_long(w, t, c, m);
    else
        c->level = level_of(w, c, m);
    out->time = m->time;
    return !t->own || !is_premature(w, t->own, c);
}

/* Of a triangle of the tree; others are points of the skin. */
static bool is_of_corner(const lt_touch *touch) {
    return touch->own.tet != LT_NONE;
}

static uint64_t identity_of_touch(const lt_touch *touch) {
    const uint32_t key[2] = {touch->body, touch->point};
    return identity_of(is_of_corner(touch) ? OF_CORNER : OF_POINT, key, 2);
}

/* A point in a body that it was in as the step began, or all but in: at its depth. */
static bool make_of_touch(lt_multi_candidate *out, const lt_multi_work *w, const lt_pair *pair,
                          const lt_touch *touch) {
    lt_multi_contact *c = &out->contact;
    bool second = touch->body != pair->a;
    const lt_collider *body = collider_of(w, touch->body);
    lt_attachment point = touch->own;
    if (!is_unit(touch->normal) || !(touch->depth > -w->separation)) return false;
    if (!is_of_corner(touch) &&
        !lt_attach_at(&point, body, body->skin->tets[touch->point], body->points[touch->point]))
        return false;
    *c = (lt_multi_contact){.pair = *pair,
                            .identity = identity_of_touch(touch),
                            .own = second ? touch->other : point,
                            .other = second ? point : touch->other,
                            .normal = second ? lt_v3_neg(touch->normal) : touch->normal};
    /* The two sides are at one place: it is as far as the depth from being out. */
    c->target = touch->depth + w->separation;
    out->time = 0;
    return true;
}

/* ---- four for all ---- */

uint32_t lt_multi_turn_found(const lt_multi_turn *t) {
    if (t->pair->kind == LT_PAIR_OBSTACLE)
        return t->phase < LT_TURN_QUERY ? 0 : t->obstacle_query.meeting_count;
    if (lt_multi_is_overlapping(t->pair)) return t->work->touch_count;
    return t->phase < LT_TURN_QUERY ? 0 : t->query.meeting_count;
}

uint32_t lt_multi_direction(lt_vec3 n) {
    uint32_t axis = fabsf(n.x) >= fabsf(n.y) && fabsf(n.x) >= fabsf(n.z) ? 0
                    : fabsf(n.y) >= fabsf(n.z)                           ? 1
                                                                         : 2;
    return 2 * axis + (lt_v3_get(n, (int)axis) < 0);
}

uint32_t lt_multi_crowd_key(uint32_t tet_a, uint32_t tet_b, lt_vec3 normal) {
    uint64_t hash = lt_hash_u64(lt_hash_u64(LT_HASH_SEED, tet_a), tet_b);
    return (uint32_t)lt_hash_u64(hash, lt_multi_direction(normal)) | 1;
}

/* Of tets, or where these follow coarser ones of those that they hang on: what is moved by the same nodes needs four contacts, too. */
static uint64_t group_of(const lt_multi_work *w, const lt_multi_contact *c) {
    uint32_t second = second_body(&c->pair), own = lt_soft_patch(collider_of(w, c->pair.a)->soft, c->own.tet);
    uint32_t other =
        second == LT_NONE ? c->other.tet : lt_soft_patch(collider_of(w, second)->soft, c->other.tet);
    return (uint64_t)own << 37 ^ (uint64_t)other << 5 ^ lt_multi_direction(c->normal);
}

/* What was a contact before is preferred, so that impulses find their places again. */
static float preference(const lt_multi_candidate *c) {
    return c->is_held ? 1.25f : 1;
}

/* The candidate of the group that is farthest from those chosen before: from a point, a line, and then on the other side. */
static uint32_t choose_next(const lt_multi_work *w, const lt_contact_key *group, uint32_t count,
                            const uint32_t *chosen, uint32_t chosen_count) {
    const lt_multi_candidate *all = w->candidates;
    lt_vec3 origin = all[chosen[0]].place, n = all[chosen[0]].contact.normal, axis = {0, 0, 0};
    float sign = 0, best = 0;
    uint32_t found = LT_NONE;
    if (chosen_count >= 2) axis = lt_v3_cross(n, lt_v3_sub(all[chosen[1]].place, origin));
    if (chosen_count == 3) sign = lt_v3_dot(axis, lt_v3_sub(all[chosen[2]].place, origin)) > 0 ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_candidate *c = &all[group[i].record];
        lt_vec3 way = lt_v3_sub(c->place, origin);
        float along = lt_v3_dot(axis, way);
        float far = chosen_count == 1 ? lt_v3_length(way) : sign == 0 ? fabsf(along) : sign * along;
        if (far * preference(c) <= best) continue;
        best = far * preference(c);
        found = group[i].record;
    }
    return found;
}

static uint32_t nearest_of(const lt_multi_work *w, const lt_contact_key *group, uint32_t count) {
    uint32_t found = group[0].record;
    float least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_candidate *c = &w->candidates[group[i].record];
        float gap = c->gap - (c->is_held ? 0.25f * w->separation : 0);
        if (!(gap < least)) continue;
        least = gap;
        found = group[i].record;
    }
    return found;
}

static uint32_t choose(const lt_multi_work *w, const lt_contact_key *group, uint32_t count,
                       uint32_t chosen[LT_MULTI_KEPT]) {
    uint32_t chosen_count = 1;
    if (count <= LT_MULTI_KEPT) {
        for (uint32_t i = 0; i < count; i++)
            chosen[i] = group[i].record;
        return count;
    }
    chosen[0] = nearest_of(w, group, count);
    while (chosen_count < LT_MULTI_KEPT) {
        uint32_t next = choose_next(w, group, count, chosen, chosen_count);
        if (next == LT_NONE) break;
        chosen[chosen_count++] = next;
    }
    return chosen_count;
}

/* ---- too many ---- */

/* By tets, then by time. */
static uint64_t crowd_key(const lt_multi_work *w, const lt_pair *pair, const lt_meeting *m) {
    uint32_t a = collider_of(w, pair->a)->surface->parts->tree.triangle_tets[m->a];
    uint32_t b = collider_of(w, pair->b)->surface->parts->tree.triangle_tets[m->b];
    uint64_t tets = lt_hash_u64(lt_hash_u64(LT_HASH_SEED, a), b) >> 24 << 24;
    return tets | (uint64_t)(lt_max_f(0, lt_min_f(1, m->time)) * 16777215.0f);
}

void lt_multi_thin_out(lt_multi_work *w, lt_multi_turn *t) {
    enum { KEPT = 32 }; /* of the earliest between two tets */
    lt_query *q = &t->query;
    lt_meeting *spare = w->spare_meetings;
    for (uint32_t i = 0; i < q->meeting_count; i++)
        w->keys[i] = (lt_contact_key){crowd_key(w, t->pair, &q->meetings[i]), i};
    const lt_contact_key *keys = lt_contact_keys_sort(w->keys, w->spare_keys, q->meeting_count);
    uint32_t kept = 0, run = 0;
    for (uint32_t i = 0; i < q->meeting_count; i++) {
        bool same = i > 0 && keys[i].key >> 24 == keys[i - 1].key >> 24;
        run = same ? run + 1 : 0;
        if (run < KEPT && kept < LT_MULTI_CROWD / 2) spare[kept++] = q->meetings[keys[i].record];
    }
    memcpy(q->meetings, spare, kept * sizeof *spare);
    q->meeting_count = kept;
}

/* ---- the list ---- */

static uint32_t slot_of(const lt_multi_work *w, const lt_pair *pair, uint32_t feature) {
    uint64_t key = (uint64_t)pair->a << 34 ^ (uint64_t)pair->kind << 32 ^ pair->b;
    return (uint32_t)lt_hash_u64(lt_hash_u64(LT_HASH_SEED, key), feature) & w->slot_mask;
}

/* The contact of that feature, LT_NONE: none; `slot` is where it is, or would be. */
static uint32_t find_contact(const lt_multi_work *w, const lt_pair *pair, uint32_t feature, uint32_t *slot) {
    for (*slot = slot_of(w, pair, feature); w->slots[*slot]; *slot = (*slot + 1) & w->slot_mask) {
        const lt_multi_contact *c = &w->contacts[w->slots[*slot] - 1];
        if (c->feature == feature && lt_pair_is_same(&c->pair, pair)) return w->slots[*slot] - 1;
    }
    return LT_NONE;
}

/* Twice as many, and all contacts anew. There is room for two of every contact of the capacity. */
static void grow_slots(lt_multi_work *w) {
    w->slot_mask = 2 * w->slot_mask + 1;
    memset(w->slots, 0, ((size_t)w->slot_mask + 1) * sizeof *w->slots);
    for (uint32_t i = 0; i < w->contact_count; i++) {
        uint32_t slot = slot_of(w, &w->contacts[i].pair, w->contacts[i].feature);
        while (w->slots[slot])
            slot = (slot + 1) & w->slot_mask;
        w->slots[slot] = i + 1;
    }
}

static bool is_known_by_feature(uint64_t identity) {
    return identity >> 32 == 0;
}

static bool is_like(const lt_multi_contact *x, const lt_multi_contact *y) {
    return lt_v3_dot(x->normal, y->normal) > 0.9f;
}

/* False: it is there already, or there is no room. Where two features are hashed alike, the later goes one on. One of the last
 * step is known by its feature alone: what a turn that was cut has found by that feature is the same. */
static bool add_contact(lt_multi_work *w, const lt_multi_contact *contact) {
    uint32_t slot, feature = (uint32_t)contact->identity;
    if (2 * w->contact_count > w->slot_mask && w->contact_count < w->capacity) grow_slots(w);
    for (;; feature++) {
        if (feature == UINT32_MAX) feature = 0;
        uint32_t found = find_contact(w, &contact->pair, feature, &slot);
        if (found == LT_NONE) break;
        lt_multi_contact *there = &w->contacts[found];
        if (is_known_by_feature(contact->identity)) return false;
        if (there->identity != contact->identity && !is_known_by_feature(there->identity)) continue;
        if (is_like(there, contact)) return false;
        there->normal = contact->normal; /* they meet otherwise now */
        there->own = contact->own;
        there->other = contact->other;
        there->level = contact->level;
        there->target = contact->target;
        return true;
    }
    if (w->contact_count == w->capacity) {
        w->step->report->dropped++;
        w->step->report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
        w->complete = false;
        return false;
    }
    w->contacts[w->contact_count] = *contact;
    w->contacts[w->contact_count].feature = feature;
    w->slots[slot] = ++w->contact_count;
    return true;
}

/* ---- adding what a turn found ---- */

static const lt_contact_record *find_held(const lt_multi_work *w, const lt_multi_outcome *outcome,
                                          const lt_pair *pair, uint32_t feature) {
    const lt_contact_list *list = &w->method->memory.contacts;
    uint32_t at = lt_contacts_find(list, pair, feature);
    return at < outcome->held_end && list->records[at].feature == feature &&
                   lt_contact_is_of_pair(&list->records[at], pair)
               ? &list->records[at]
               : NULL;
}

bool lt_multi_is_held(const lt_multi_work *w, const lt_multi_turn *t, uint32_t index) {
    uint64_t identity = t->pair->kind == LT_PAIR_OBSTACLE
                            ? identity_of(OF_OBSTACLE, &w->obstacle_meetings[index].point, 1)
                        : lt_multi_is_overlapping(t->pair)
                            ? identity_of_touch(&w->touches[index])
                            : identity_of(w->meetings[index].kind, w->meetings[index].points, 4);
    return find_held(w, t->outcome, t->pair, (uint32_t)identity) != NULL;
}

/* What is fast goes through a good part of the other in a step, and meets much of it on the way that it would not meet if it had
 * been stopped: with normals that point anywhere. A meeting counts while it is not much later than the first of either
 * tet; what meets later still is found when the answer is looked at again. Returns how many are left. */
static uint32_t drop_late(lt_multi_work *w, uint32_t count) {
    const float while_after = 0.25f;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_candidate *c = &w->candidates[i];
        float *a = &w->first_times[0][c->contact.own.tet], *b = &w->first_times[1][c->contact.other.tet];
        *a = lt_min_f(*a, c->time);
        *b = lt_min_f(*b, c->time);
    }
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_contact *c = &w->candidates[i].contact;
        float first = lt_min_f(w->first_times[0][c->own.tet], w->first_times[1][c->other.tet]);
        w->keys[i].record = w->candidates[i].time <= first + while_after ? i : LT_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_contact *c = &w->candidates[i].contact;
        w->first_times[0][c->own.tet] = w->first_times[1][c->other.tet] = 2;
        if (w->keys[i].record != LT_NONE) w->keys[kept++] = w->keys[i];
    }
    return kept;
}

/* All that the turn found, with what is needed to choose among them. */
static uint32_t list_candidates(lt_multi_work *w, const lt_multi_turn *t) {
    uint32_t found = lt_multi_turn_found(t), count = 0;
    const lt_pair *pair = t->pair;
    bool obstacle = pair->kind == LT_PAIR_OBSTACLE, overlapping = lt_multi_is_overlapping(pair);
    for (uint32_t i = 0; i < found; i++) {
        lt_multi_candidate *c = &w->candidates[count];
        bool made = obstacle      ? make_of_vertex(c, w, t, &w->obstacle_meetings[i])
                    : overlapping ? make_of_touch(c, w, pair, &w->touches[i])
                                  : make_of_meeting(c, w, t, &w->meetings[i]);
        if (!made) continue;
        const lt_contact_record *held = find_held(w, t->outcome, pair, (uint32_t)c->contact.identity);
        c->is_held = held != NULL;
        c->place = lt_v3_from_r3(place_now(w, pair->a, &c->contact.own));
        c->gap = (float)gap_now(w, &c->contact) - c->contact.target;
        c->contact.is_guess = !t->outcome->done || t->own;
        if (held) c->contact.impulse = lt_r3_scale(lt_r3_from_v3(held->force), w->step->dt);
        w->keys[count] = (lt_contact_key){group_of(w, &c->contact), count};
        count++;
    }
    return obstacle || overlapping ? count : drop_late(w, count);
}

/* Leaves what is a contact already, and still has that normal, out of the candidates; returns how many are left. */
static uint32_t drop_known(lt_multi_work *w, uint32_t count) {
    uint32_t kept = 0, slot;
    for (uint32_t i = 0; i < count; i++) {
        const lt_multi_contact *c = &w->candidates[w->keys[i].record].contact;
        uint32_t found = find_contact(w, &c->pair, (uint32_t)c->identity, &slot);
        if (found == LT_NONE || !is_like(&w->contacts[found], c)) w->keys[kept++] = w->keys[i];
    }
    return kept;
}

uint32_t lt_multi_add_found(lt_multi_work *w, const lt_multi_turn *t) {
    uint32_t count = list_candidates(w, t), added = 0;
    uint32_t chosen[LT_MULTI_KEPT], chosen_count, fresh = 0;
    if (t->is_again) count = drop_known(w, count);
    const lt_contact_key *keys = lt_contact_keys_sort(w->keys, w->spare_keys, count);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && keys[end].key == keys[begin].key;)
            end++;
        chosen_count = choose(w, keys + begin, end - begin, chosen);
        for (uint32_t i = 0; i < chosen_count; i++) {
            const lt_multi_candidate *c = &w->candidates[chosen[i]];
            if (t->own && !c->is_held && fresh == t->reserved) continue;
            bool is_new = add_contact(w, &c->contact);
            fresh += is_new && !c->is_held;
            added += is_new;
        }
    }
    uint64_t units = lt_multi_contact_units();
    lt_give_back(w->step->meter, LT_WORK_RESPOND, units * t->reserved);
    lt_reserve_unannounced(w->step->meter, LT_WORK_RESPOND,
                           units * fresh); /* that of others is set aside since the step began */
    return added;
}

/* ---- contacts of the last step ---- */

static lt_multi_contact contact_of_record(const lt_multi_work *w, const lt_pair *pair,
                                          const lt_contact_record *r) {
    lt_multi_contact c = {.pair = *pair,
                          .identity = r->feature,
                          .own = r->touch.own,
                          .other = r->touch.other,
                          .normal = r->touch.normal,
                          .target = r->touch.apart,
                          .age = r->age + 1,
                          .is_guess = r->touch.approximate != 0,
                          .impulse = lt_r3_scale(lt_r3_from_v3(r->force), w->step->dt)};
    if (pair->kind == LT_PAIR_OBSTACLE) renew_level(w, &c);
    return c;
}

/* A surface that is in itself has contacts that hold it there. */
static bool is_carried_on(const lt_pair *pair, const lt_multi_outcome *outcome) {
    return (!outcome->done || outcome->rests || outcome->by_long || outcome->has_points_left) &&
           !(pair->kind == LT_PAIR_SELF && lt_multi_known(pair) == LT_MULTI_OVERLAPPING);
}

void lt_multi_add_held(lt_multi_work *w) {
    const lt_memory *memory = &w->method->memory;
    for (uint32_t i = 0; i < memory->pairs.count; i++) {
        const lt_multi_outcome *outcome = &w->outcomes[i];
        const lt_pair *pair = lt_worded_pair_at(&memory->pairs, i);
        for (uint32_t k = outcome->held_begin; is_carried_on(pair, outcome) && k < outcome->held_end; k++) {
            lt_multi_contact c = contact_of_record(w, pair, &memory->contacts.records[k]);
            if (c.age < outcome->age_limit && !has_slid(w, &c)) add_contact(w, &c);
        }
    }
}

bool lt_multi_add_coarse(lt_multi_work *w, lt_multi_contact contact, const uint32_t parts[2]) {
    contact.identity = identity_of(OF_PARTS, parts, 2);
    contact.is_guess = contact.is_coarse = true;
    return add_contact(w, &contact);
}

/* ---- rows and records ---- */

static lt_real friction_of(const lt_multi_work *w, const lt_pair *pair) {
    float a = collider_of(w, pair->a)->friction;
    float b = pair->kind == LT_PAIR_OBSTACLE ? w->step->obstacles[pair->b].friction
                                             : collider_of(w, pair->b)->friction;
    return (lt_real)sqrtf(a * b);
}

/* What is left of an overlap that was there as the step began: it is undone no faster than RECOVERY_SPEED. Surfaces that met on
 * their way were not in each other: where they are along a normal that turned since is not undone at all. Not above 0. */
static lt_real left_over(const lt_multi_work *w, const lt_multi_contact *c, const lt_lcp_contact *row) {
    lt_rvec3 way = place_before(w, c->pair.a, &c->own);
    lt_real level = c->level - w->step->dt * lt_r3_dot(row->normal, row->partner_velocity);
    if (row->body_b != LT_NONE) {
        way = lt_r3_sub(way, place_before(w, row->body_b, &c->other));
        level = 0;
    }
    lt_real gap = lt_r3_dot(row->normal, way) - level - c->target;
    bool by_depth = row->body_b == LT_NONE || c->target > w->separation;
    if (!by_depth && gap < -(lt_real)1.01 * (lt_real)w->separation) return gap;
    bool is_gentle = c->is_guess && row->body_b == LT_NONE;
    return lt_min_r(0, gap + (is_gentle ? GENTLE_SPEED : RECOVERY_SPEED) * w->step->dt);
}

lt_lcp_contact lt_multi_row(const lt_multi_work *w, const lt_multi_contact *c) {
    uint32_t second = second_body(&c->pair);
    lt_rvec3 normal = lt_r3_from_v3(c->normal);
    lt_lcp_contact row = {.body_a = c->pair.a,
                          .body_b = second,
                          .a = lt_attachment_anchor(&c->own, collider_of(w, c->pair.a)),
                          .normal = lt_r3_normalize_or(normal, normal),
                          .friction = friction_of(w, &c->pair),
                          .impulse = c->impulse};
    lt_rvec3 u = lt_anchor_gather(&row.a, w->step->softs[c->pair.a].v);
    if (second == LT_NONE) {
        lt_vec3 at = lt_v3_from_r3(place_now(w, c->pair.a, &c->own));
        row.partner_velocity = lt_r3_from_v3(lt_obstacle_velocity(lt_step_obstacle(w->step, &c->pair), at));
        u = lt_r3_sub(u, row.partner_velocity);
    } else {
        row.b = lt_attachment_anchor(&c->other, collider_of(w, second));
        u = lt_r3_sub(u, lt_anchor_gather(&row.b, w->step->softs[second].v));
    }
    row.gap = gap_now(w, c) - c->target - w->step->dt * lt_r3_dot(row.normal, u) - left_over(w, c, &row);
    row.a = lt_lcp_anchor(&w->step->softs[c->pair.a], &row.a);
    if (second != LT_NONE) row.b = lt_lcp_anchor(&w->step->softs[second], &row.b);
    return row;
}

lt_contact_record lt_multi_record(const lt_multi_work *w, const lt_multi_contact *c) {
    /* What is to be apart farther than the separation was so deep in the other when it was found. */
    float depth = lt_max_f(0, c->target - w->separation) - (float)gap_now(w, c);
    lt_vec3 force = lt_v3_scale(lt_v3_from_r3(c->impulse), 1 / w->step->dt);
    return (lt_contact_record){.a = c->pair.a,
                               .kind = c->pair.kind,
                               .b = c->pair.b,
                               .feature = c->feature,
                               .touch = {.body = c->pair.a,
                                         .point = LT_NONE,
                                         .own = c->own,
                                         .other = c->other,
                                         .normal = c->normal,
                                         .depth = depth,
                                         .apart = c->target,
                                         .approximate = c->is_guess},
                               .age = c->age,
                               .position = lt_v3_from_r3(place_before(w, c->pair.a, &c->own)),
                               .normal = c->normal,
                               .depth = depth,
                               .force = force};
}
