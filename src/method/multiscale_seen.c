/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What turns of two bodies have met in a step, of which few became contacts: where there is no time to look again after the answer,
 * these are looked at alone. Features that did not meet on the way that was looked at were farther from each other than the separation
 * all along: on another way from the same beginning they are apart as long as it is not farther from that one.
 *
 *   turns ──► meetings are kept ──► answer, cut ──► those that are not apart along their normals now: when do they touch?
 *
 * Workload: some hundred meetings of two bodies, a tenth of which are tested: 20 us. */

#include "method/multiscale_work.h"

enum { SEEN_UNITS = 40 };

/* Separations: what is farther apart than that along its normal as the step ends is not tested. */
static const lt_real CLEAR = (lt_real)0.25;

void lt_multi_keep_seen(lt_multi_work *w, const lt_multi_turn *t) {
    uint32_t found = lt_multi_turn_found(t);
    if (t->pair->kind != LT_PAIR_BODIES || t->own || lt_multi_is_tangled(t->pair)) return;
    t->fate->looked = t->span.end;
    t->fate->room = t->separation;
    t->fate->seen_begin = t->fate->seen_end = w->seen_count;
    t->fate->has_seen = t->fate->done && found <= LT_MULTI_CROWD - w->seen_count;
    if (!t->fate->has_seen) return;
    for (uint32_t i = 0; i < found; i++)
        w->seen[w->seen_count++] = w->meetings[i];
    t->fate->seen_end = w->seen_count;
    lt_reserve(w->step->meter, SEEN_UNITS * (uint64_t)found);
}

uint32_t lt_multi_seen_units(const lt_multi_fate *fate) {
    return SEEN_UNITS * (fate->seen_end - fate->seen_begin);
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
            lt_hold hold = lt_surface_hold_point(collider->surface, of.points[i]);
            lt_anchor anchor = lt_hold_anchor(&hold, collider);
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

/* How far nodes get to from where turns took them to get, without what is common to both. */
static float farthest_aside(const lt_multi_work *w, const lt_pair *pair) {
    const uint32_t bodies[2] = {pair->a, pair->b};
    lt_dvec3 sum = {0, 0, 0};
    float far[2] = {0, 0};
    double count = 0;
    for (int pass = 0; pass < 2; pass++) {
        lt_vec3 mean = count > 0 ? lt_v3_from_d3(lt_d3_scale(sum, 1 / count)) : (lt_vec3){0, 0, 0};
        for (int side = 0; side < 2; side++) {
            const lt_soft *soft = &w->step->softs[bodies[side]];
            const float *aim = w->motions[bodies[side]].from ? w->motions[bodies[side]].aim : soft->nodes;
            for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
                const float *x = soft->nodes + 4 * (size_t)i, *y = aim + 4 * (size_t)i;
                lt_vec3 aside = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
                sum = pass ? sum : lt_d3_add(sum, lt_d3_from_v3(aside));
                count += !pass;
                if (pass) far[side] = lt_max_f(far[side], lt_v3_length(lt_v3_sub(aside, mean)));
            }
        }
    }
    return far[0] + far[1];
}

float lt_multi_seen_share(const lt_multi_work *w, const lt_pair *pair, const lt_multi_fate *fate) {
    float aside = farthest_aside(w, pair);
    float share = lt_min_f(fate->looked, aside > 0 ? 0.9f * fate->room / aside : 1);
    for (uint32_t i = fate->seen_begin; i < fate->seen_end; i++) {
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
