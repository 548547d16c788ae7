/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies that are in each other as a step begins, parted by how deep places of one are in the other:
 *
 *   corners   of triangles that cross, by the tet of the other triangle: where a dense surface is less deep in another than its
 *             triangles are long, nothing else tells. They are cheap, and looked at as crossings are found
 *   points    all over both surfaces, some of those of a dense one, by the tet that holds them: what is far inside has no crossing
 *             near it. In every turn they begin elsewhere: so all of them are looked at in time, whatever a step has for it
 *
 * Depths are where the models left the bodies (lt_depth_at_rest). A place that is out, but nearer than the separation, counts too: or
 * what was just brought out would sink in again. */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

enum {
    CORNER_UNITS = 320, /* of six corners: some 4,000 instructions */
    POINT_UNITS = 8     /* of placing one */
};

static lt_collider *side_of(const lt_multi_turn *t, uint32_t side) {
    LT_ASSERT(side < 2);
    return &t->work->step->colliders[side ? t->pair->b : t->pair->a];
}

static void add_touch(lt_multi_work *w, const lt_touch *touch) {
    if (w->touch_count < w->capacity) {
        w->touches[w->touch_count++] = *touch;
        return;
    }
    w->step->report->dropped++;
    w->step->report->problems |= LT_PROBLEM_CONTACT_CAPACITY;
}

/* ---- corners ---- */

uint32_t lt_multi_tangle_most(const lt_multi_turn *t) {
    enum { LEAST = 8, MOST = 256, ANSWERS_OF_ONE = 8 };
    return lt_max_u32(LEAST, lt_min_u32(MOST, t->work->limit / ANSWERS_OF_ONE));
}

/* How deep a vertex is in the other body, by one of its tets. */
static bool measure_corner(lt_touch *touch, const lt_collider *own, const lt_collider *other, uint32_t point,
                           uint32_t tet) {
    const uint32_t *nodes = other->soft->carrier.tets + 4 * (size_t)tet;
    lt_dvec3 corners[4];
    double weights[4];
    lt_attachment hold = lt_surface_hold_point(own->surface, point);
    lt_anchor anchor = lt_attachment_anchor(&hold, own);
    lt_rvec3 place = lt_anchor_gather(&anchor, own->soft->x);
    for (int k = 0; k < 4; k++) {
        lt_rvec3 x = lt_node_get(other->soft->x, nodes[k]);
        corners[k] = (lt_dvec3){x.x, x.y, x.z};
    }
    if (!lt_barycentric_weights(weights, corners, (lt_dvec3){place.x, place.y, place.z})) return false;
    *touch = (lt_touch){.point = point, .own = hold, .other = {.tet = tet}};
    for (int k = 0; k < 4; k++)
        touch->other.weights[k] = (float)weights[k];
    touch->depth = lt_depth_at_rest(other, tet, corners, lt_pull_back(&other->soft->carrier, tet, weights),
                                    &touch->normal);
    return true;
}

/* The deepest corner of one of two triangles that cross. */
static void look_at_corners(lt_multi_turn *t, const lt_meeting *m, uint32_t side) {
    LT_ASSERT(side < 2);
    const lt_collider *own = side_of(t, side), *other = side_of(t, !side);
    uint32_t triangle = side ? m->b : m->a;
    uint32_t tet = other->surface->parts->tree.triangle_tets[side ? m->a : m->b];
    lt_touch deepest = {.depth = -INFINITY}, touch;
    if (tet == LT_NONE) return;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t point = own->surface->parts->tree.triangles[3 * (size_t)triangle + k];
        if (measure_corner(&touch, own, other, point, tet) && touch.depth > deepest.depth) deepest = touch;
    }
    deepest.body = side ? t->pair->b : t->pair->a;
    t->outcome->tested++;
    if (deepest.depth > -t->work->separation) add_touch(t->work, &deepest);
}

static void look_at_crossing(lt_multi_turn *t) {
    for (uint32_t side = 0; side < 2; side++)
        look_at_corners(t, &t->query.meetings[0], side);
    t->query.meeting_count = 0;
    t->crossing_count++;
    t->phase = LT_TURN_CROSS;
}

/* ---- points ---- */

static uint32_t point_total(const lt_multi_turn *t) {
    return side_of(t, 0)->skin->point_count + side_of(t, 1)->skin->point_count;
}

/* Of a dense surface some of the points tell how deep it is. */
static uint32_t point_stride(const lt_multi_turn *t) {
    enum { ENOUGH = 1024 };
    return 1 + point_total(t) / ENOUGH;
}

static uint32_t looked_at_total(const lt_multi_turn *t) {
    return (point_total(t) + point_stride(t) - 1) / point_stride(t);
}

/* The point whose turn it is, of both bodies as one row. Where the first one is hangs on where bodies are, down to the last bit. */
static uint32_t feature_of(const lt_multi_turn *t) {
    uint32_t count = looked_at_total(t);
    return (t->first_point % count + t->next_point) % count * point_stride(t);
}

static uint32_t find_first(const lt_multi_turn *t) {
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t bits[3];
        memcpy(bits, side_of(t, side)->soft->nodes, sizeof bits);
        for (int k = 0; k < 3; k++)
            hash = lt_hash_u64(hash, bits[k]);
    }
    return (uint32_t)hash;
}

static lt_point_query point_query(const lt_multi_turn *t, uint32_t *point) {
    uint32_t feature = feature_of(t), first = side_of(t, 0)->skin->point_count, side = feature >= first;
    *point = feature - (side ? first : 0);
    return (lt_point_query){.points_of = side_of(t, side),
                            .tets_of = side_of(t, !side),
                            .body = side ? t->pair->b : t->pair->a,
                            .kernels = lt_bound_kernels_for(t->work->step->level)};
}

/* Where the next point is: only those that are asked for are placed. */
static void place_point(lt_multi_turn *t) {
    if (t->next_point == looked_at_total(t)) return;
    uint32_t point, feature = feature_of(t), first = side_of(t, 0)->skin->point_count;
    lt_collider *c = side_of(t, feature >= first);
    point_query(t, &point);
    lt_embed_positions(lt_embed_kernels_for(t->work->step->level), c->points, c->skin, c->soft->nodes, point,
                       point + 1);
}

void lt_multi_tangle_begin_points(lt_multi_turn *t) {
    for (uint32_t side = 0; side < 2; side++)
        t->refresh[side] = (lt_refresh){.collider = side_of(t, side), .boxes_only = true};
    t->first_point = find_first(t);
    t->next_point = 0;
    place_point(t);
}

static lt_piece peek_point(const lt_multi_turn *t) {
    uint32_t point;
    if (t->next_point == looked_at_total(t)) return (lt_piece){LT_WORK_POINT_TET, 0, 0};
    lt_point_query q = point_query(t, &point);
    return (lt_piece){LT_WORK_POINT_TET, POINT_UNITS + lt_point_query_cost(&q, point),
                      lt_multi_contact_units()};
}

static void test_point(lt_multi_turn *t) {
    uint32_t point;
    lt_point_query q = point_query(t, &point);
    lt_touch touch;
    t->outcome->tested++;
    if (lt_point_query_test(&q, point, &touch) && touch.depth > -t->work->separation)
        add_touch(t->work, &touch);
    t->next_point++;
    place_point(t);
}

/* ---- the pieces ---- */

static const lt_refresh *next_refresh(const lt_multi_turn *t) {
    return lt_refresh_peek(&t->refresh[0]).cost ? &t->refresh[0] : &t->refresh[1];
}

lt_piece lt_multi_tangle_peek(const lt_multi_turn *t) {
    if (t->phase == LT_TURN_CORNERS)
        return (lt_piece){LT_WORK_POINT_TET, CORNER_UNITS, 2 * lt_multi_contact_units()};
    return t->phase == LT_TURN_REFRESH ? lt_refresh_peek(next_refresh(t)) : peek_point(t);
}

void lt_multi_tangle_step(lt_multi_turn *t) {
    if (t->phase == LT_TURN_CORNERS)
        look_at_crossing(t);
    else if (t->phase == LT_TURN_REFRESH)
        lt_refresh_step((lt_refresh *)next_refresh(t));
    else
        test_point(t);
}

uint32_t lt_multi_tangle_crowd(const lt_multi_turn *t, uint32_t index) {
    const lt_touch *touch = &t->work->touches[index];
    bool second = touch->body != t->pair->a;
    uint32_t own = touch->own.tet == LT_NONE ? side_of(t, second)->skin->tets[touch->point] : touch->own.tet;
    return second ? lt_multi_crowd_key(touch->other.tet, own, lt_v3_neg(touch->normal))
                  : lt_multi_crowd_key(own, touch->other.tet, touch->normal);
}
