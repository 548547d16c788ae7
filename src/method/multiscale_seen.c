/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What turns of two bodies have met in a step, of which few became contacts: where there is no time to look again after the answer,
 * these are looked at alone. Features that did not meet on the way that was looked at were farther from each other than the separation
 * all along: on another way from the same beginning they are apart as long as it is not farther from that one.
 *
 *   turns ──► meetings are kept ──► answer, cut ──► those that are not apart along their normals now: when do they touch?
 *                                       └─ not cut ──► looked at again: which of them still meet? Where the way was foreseen well, as of
 *                                                      what rests, no box and no other triangle is asked. Of obstacles likewise
 *
 * Workload: some hundred meetings of two bodies, a tenth of which are tested: 20 us. */

#include "mesh/closest.h"
#include "method/multiscale_work.h"

#include <math.h>

enum { SEEN_UNITS = 40 };

/* Separations: what is farther apart than that along its normal as the step ends is not tested. */
static const lt_real CLEAR = (lt_real)0.25;

static void keep_points(lt_multi_work *w, const lt_multi_turn *t, uint32_t found) {
    t->outcome->seen_begin = w->seen_point_count;
    t->outcome->has_seen = t->outcome->done && t->obstacle_query.dropped_count == 0 &&
                           found <= LT_MULTI_CROWD - w->seen_point_count;
    for (uint32_t i = 0; t->outcome->has_seen && i < found; i++)
        w->seen_points[w->seen_point_count++] = w->obstacle_meetings[i].point;
    t->outcome->seen_end = w->seen_point_count;
}

void lt_multi_keep_seen(lt_multi_work *w, const lt_multi_turn *t) {
    uint32_t found = lt_multi_turn_found(t);
    if (t->pair->kind == LT_PAIR_SELF || t->own || lt_multi_is_overlapping(t->pair)) return;
    t->outcome->looked = t->span.end;
    t->outcome->room = t->separation;
    if (t->pair->kind == LT_PAIR_OBSTACLE) {
        keep_points(w, t, found);
        return;
    }
    t->outcome->seen_begin = t->outcome->seen_end = w->seen_count;
    t->outcome->has_seen = t->outcome->done && !t->is_thinned && t->query.dropped_count == 0 &&
                           found <= LT_MULTI_CROWD - w->seen_count;
    if (!t->outcome->has_seen) return;
    for (uint32_t i = 0; i < found; i++)
        w->seen[w->seen_count++] = w->meetings[i];
    t->outcome->seen_end = w->seen_count;
    lt_reserve_unannounced(w->step->meter, LT_WORK_RESPOND, SEEN_UNITS * (uint64_t)found);
}

uint32_t lt_multi_seen_units(const lt_multi_outcome *outcome) {
    return SEEN_UNITS * (outcome->seen_end - outcome->seen_begin);
}

/* Where the points of a meeting are as the step begins and ends. */
static void place_points(lt_ccd_query *query, const lt_multi_work *w, const lt_pair *pair,
                         const lt_meeting *m) {
    query->kind = m->kind == LT_MEET_EDGES ? LT_CCD_EDGE_EDGE : LT_CCD_VERTEX_FACE;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t body = side ? pair->b : pair->a;
        const lt_collider *collider = &w->step->colliders[body];
        const lt_soft *soft = &w->step->softs[body];
        lt_meeting_side of = lt_meeting_side_of(m, side);
        for (uint32_t i = 0; i < of.count; i++) {
            lt_attachment hold = lt_surface_hold_point(collider->surface, of.points[i]);
            lt_anchor anchor = lt_attachment_anchor(&hold, collider);
            lt_rvec3 to = lt_anchor_gather(&anchor, soft->x);
            lt_rvec3 from = w->motions[body].from ? lt_anchor_gather(&anchor, soft->x_before) : to;
            uint32_t k = (uint32_t)(of.points - m->points) + i;
            query->start[k] = (lt_dvec3){from.x, from.y, from.z};
            query->end[k] = (lt_dvec3){to.x, to.y, to.z};
        }
    }
}

static bool is_clear(const lt_multi_work *w, const lt_ccd_query *query, const lt_meeting *m) {
    lt_dvec3 way = {0, 0, 0};
    for (uint32_t side = 0; side < 2; side++) {
        lt_meeting_side of = lt_meeting_side_of(m, side);
        uint32_t first = (uint32_t)(of.points - m->points);
        for (uint32_t i = 0; i < of.count; i++)
            way = lt_d3_mad(way, query->end[first + i], (side ? -1 : 1) * (double)of.weights[i]);
    }
    return lt_d3_dot(way, lt_d3_from_v3(m->normal)) > (double)(CLEAR * (lt_real)w->separation);
}

/* Of the nodes of a body, the surface's own: the sum of their ways, or how far the farthest is from the mean. */
static lt_f4 sum_ways(const float *x, const float *y, uint32_t count) {
    lt_f4 sum = lt_f4_splat(0);
    for (size_t i = 0; i < count; i++)
        sum = lt_f4_add(sum, lt_f4_sub(lt_f4_load(x + 4 * i), lt_f4_load(y + 4 * i)));
    return sum;
}

static float longest_way(const float *x, const float *y, uint32_t count, lt_f4 mean) {
    float most = 0, lanes[4];
    for (size_t i = 0; i < count; i++) {
        lt_f4 aside = lt_f4_sub(lt_f4_sub(lt_f4_load(x + 4 * i), lt_f4_load(y + 4 * i)), mean);
        lt_f4_store(lanes, lt_f4_mul(aside, aside));
        most = lt_max_f(most, lanes[0] + lanes[1] + lanes[2]);
    }
    return sqrtf(most);
}

float lt_multi_way_length(const lt_multi_work *w, const lt_pair *pair, lt_multi_way_kind kind) {
    uint32_t bodies[2], side_count = lt_multi_pair_bodies(bodies, pair), count = 0;
    const float *ends[2], *bases[2];
    lt_f4 mean = lt_f4_splat(0);
    float far = 0;
    for (uint32_t side = 0; side < side_count; side++) {
        const lt_multi_motion *motion = &w->motions[bodies[side]];
        ends[side] = w->step->softs[bodies[side]].nodes;
        bases[side] = !motion->from ? ends[side] : kind == LT_WAY_FROM_AIM ? motion->aim : motion->from;
        count += lt_soft_own_count(&w->step->softs[bodies[side]]);
    }
    for (uint32_t side = 0; side_count == 2 && side < 2; side++)
        mean = lt_f4_add(mean,
                         sum_ways(ends[side], bases[side], lt_soft_own_count(&w->step->softs[bodies[side]])));
    mean = lt_f4_mul(mean, lt_f4_splat(1 / (float)count));
    for (uint32_t side = 0; side < side_count; side++)
        far += longest_way(ends[side], bases[side], lt_soft_own_count(&w->step->softs[bodies[side]]), mean);
    return far;
}

float lt_multi_seen_share(const lt_multi_work *w, const lt_pair *pair, const lt_multi_outcome *outcome) {
    float aside = lt_multi_way_length(w, pair, LT_WAY_FROM_AIM);
    float share = lt_min_f(outcome->looked, aside > 0 ? 0.9f * outcome->room / aside : 1);
    for (uint32_t i = outcome->seen_begin; i < outcome->seen_end; i++) {
        lt_ccd_query query;
        lt_ccd_result result;
        const lt_meeting *m = &w->seen[i];
        if (m->kind == LT_MEET_CROSSING || m->outcome == LT_CCD_INVALID) continue;
        place_points(&query, w, pair, m);
        if (is_clear(w, &query, m) || !lt_ccd_test(&query, 0, &result) || !(result.time > 0)) continue;
        share = lt_min_f(share, 0.9f * (float)result.time);
    }
    return share;
}

bool lt_multi_is_fast(const lt_multi_work *w, const lt_pair *pair) {
    const lt_multi_long *a = w->method->bodies[pair->a].others, *b = w->method->bodies[pair->b].others;
    return lt_multi_way_length(w, pair, LT_WAY_FROM_BEGIN) > lt_min_f(a->way.edge, b->way.edge);
}

/* ---- looking again ---- */

/* What did not meet was farther away than the room: nearer than that by how far the way is from the one that was looked at it is not now. */
bool lt_multi_knows_all(const lt_multi_work *w, uint32_t index, float separation) {
    const float nearly = 0.95f; /* of the room: numbers are rounded */
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (!outcome->has_seen || outcome->by_long || outcome->looked < 1) return false;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    return lt_multi_way_length(w, pair, LT_WAY_FROM_AIM) + separation <= nearly * outcome->room;
}

static bool still_meets(lt_multi_turn *t, lt_meeting *m) {
    lt_ccd_query query;
    lt_ccd_result result;
    if (m->kind == LT_MEET_CROSSING) return false;
    place_points(&query, t->work, t->pair, m);
    t->query.test_total++;
    if (!lt_ccd_test(&query, (double)t->separation, &result)) return false;
    lt_meeting_set(m, &result);
    return true;
}

/* One that still meets is one more that the turn has found. */
static void look_at_meeting(lt_multi_turn *t, uint32_t index) {
    lt_meeting m = t->work->seen[index];
    if (still_meets(t, &m)) t->query.meetings[t->query.meeting_count++] = m;
}

static float distance_to_obstacle(const lt_multi_work *w, const lt_pair *pair, uint32_t point) {
    const lt_collider *collider = &w->step->colliders[pair->a];
    lt_attachment hold = lt_surface_hold_point(collider->surface, point);
    lt_anchor anchor = lt_attachment_anchor(&hold, collider);
    lt_vec3 at = lt_v3_from_r3(lt_anchor_gather(&anchor, collider->soft->x));
    return lt_obstacle_distance(lt_step_obstacle(w->step, pair), at).distance -
           collider->surface->boxes.slack;
}

float lt_multi_seen_distance(const lt_multi_work *w, uint32_t index, uint32_t seen) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_ccd_query query;
    if (pair->kind == LT_PAIR_OBSTACLE) return distance_to_obstacle(w, pair, w->seen_points[seen]);
    if (w->seen[seen].kind == LT_MEET_CROSSING) return 0;
    place_points(&query, w, pair, &w->seen[seen]);
    double squared = query.kind == LT_CCD_EDGE_EDGE
                         ? lt_closest_segments(query.end, query.end + 2).distance_squared
                         : lt_closest_on_triangle(query.end[0], query.end + 1).distance_squared;
    return (float)sqrt(squared);
}

static void look_at_point(lt_multi_turn *t, uint32_t index) {
    const lt_multi_work *w = t->work;
    const lt_collider *collider = &w->step->colliders[t->pair->a];
    lt_obstacle_query *q = &t->obstacle_query;
    lt_attachment hold = lt_surface_hold_point(collider->surface, w->seen_points[index]);
    lt_anchor anchor = lt_attachment_anchor(&hold, collider);
    lt_vec3 to = lt_v3_from_r3(lt_anchor_gather(&anchor, collider->soft->x));
    lt_vec3 from =
        w->motions[t->pair->a].from ? lt_v3_from_r3(lt_anchor_gather(&anchor, collider->soft->x_before)) : to;
    lt_obstacle_meeting *m = &q->meetings[q->meeting_count];
    q->vertex_tests++;
    if (!lt_obstacle_query_way(q, from, to, collider->surface->boxes.slack, m)) return;
    m->point = w->seen_points[index];
    q->meeting_count++;
}

static lt_piece peek_again(const void *state) {
    const lt_multi_turn *t = state;
    bool more = t->seen_next < t->outcome->seen_end;
    return (lt_piece){LT_WORK_TRAVERSE, more ? SEEN_UNITS : 0, lt_multi_contact_units()};
}

static uint32_t step_again(void *state, uint32_t grant) {
    lt_multi_turn *t = state;
    uint32_t spent = 0;
    while (t->seen_next < t->outcome->seen_end && spent + SEEN_UNITS <= grant) {
        if (t->pair->kind == LT_PAIR_OBSTACLE)
            look_at_point(t, t->seen_next++);
        else
            look_at_meeting(t, t->seen_next++);
        spent += SEEN_UNITS;
    }
    lt_multi_reserve_found(t);
    return spent;
}

lt_cursor lt_multi_seen_cursor(lt_multi_turn *turn) {
    return (lt_cursor){turn, peek_again, step_again};
}
