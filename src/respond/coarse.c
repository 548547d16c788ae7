/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "respond/coarse.h"
#include "respond/front_internal.h"

enum { FACE_PLACES = LT_FRAME_COUNT };
_Static_assert(FACE_PLACES == 4, "places are on the way to the four corners of a face");
static const float PLACE_SPREAD =
    0.65f; /* of the way to the corners: farther out are no bodies, nearer in they topple */

static lt_vec3 with_axis(lt_vec3 v, int axis, float value) {
    LT_ASSERT(axis >= 0 && axis < 3);
    return (lt_vec3){axis == 0 ? value : v.x, axis == 1 ? value : v.y, axis == 2 ? value : v.z};
}

/* One of three or four places on the face of a box across `axis`, on the way to its corners; 4: the middle. */
static lt_vec3 place_on_face(lt_box face, int axis, uint32_t index, uint32_t count) {
    LT_ASSERT(axis >= 0 && axis < 3);
    lt_vec3 place = lt_box_center(face);
    if (index >= FACE_PLACES) return place;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    lt_vec3 corner = with_axis(place, u, lt_v3_get(index & 1 ? face.hi : face.lo, u));
    corner = with_axis(corner, v, lt_v3_get(index & 2 ? face.hi : face.lo, v));
    if (count == 3 && index == 2) corner = with_axis(corner, u, lt_v3_get(place, u)); /* a triangle */
    return lt_v3_mad(place, lt_v3_sub(corner, place), PLACE_SPREAD);
}

static void harvest_place(lt_coarse *c, uint32_t index, const lt_touch *touch) {
    lt_harvest_add(c->harvest, &c->pair, c->first_feature + index, touch);
    c->contacts++;
}

/* Where the two boxes face each other: their common rectangle, in the face of a, or halfway where they overlap. */
static lt_box common_face(lt_box a, lt_box b, const lt_box_facing *facing) {
    lt_box face = a;
    for (int axis = 0; axis < 3; axis++) {
        float lo = lt_max_f(lt_v3_get(a.lo, axis), lt_v3_get(b.lo, axis));
        float hi = lt_min_f(lt_v3_get(a.hi, axis), lt_v3_get(b.hi, axis));
        if (!(lo < hi)) lo = hi = 0.5f * (lo + hi); /* apart on this axis, too */
        face.lo = with_axis(face.lo, axis, lo);
        face.hi = with_axis(face.hi, axis, hi);
    }
    float level = facing->gap > 0 ? lt_v3_get(facing->sign > 0 ? a.lo : a.hi, facing->axis)
                                  : lt_v3_get(lt_box_center(face), facing->axis);
    face.lo = with_axis(face.lo, facing->axis, level);
    face.hi = with_axis(face.hi, facing->axis, level);
    return face;
}

/* Frames of both bodies hold one place. Corners of boxes that overlap may be far beside both bodies: then it comes nearer to the middle between
 * them, half-way each time. */
static bool attach_both(const lt_coarse *c, lt_touch *touch, uint32_t frame, lt_vec3 place) {
    enum { TRIES = 4 };
    const lt_collider *a = &c->colliders[c->pair.a], *b = &c->colliders[c->pair.b];
    lt_vec3 middle = lt_v3_scale(lt_v3_add(lt_box_center(a->box), lt_box_center(b->box)), 0.5f);
    for (int i = 0; i < (c->fast < INFINITY ? TRIES : 1); i++) {
        if (lt_attach_in_frame(&touch->own, a, frame, place) &&
            lt_attach_in_frame(&touch->other, b, frame, place))
            return true;
        place = lt_v3_scale(lt_v3_add(place, middle), 0.5f);
    }
    return false;
}

static void touch_boxes(lt_coarse *c) {
    lt_box_facing facing = lt_face_boxes(c->boxes[0], c->boxes[1]);
    lt_box face = common_face(c->boxes[0], c->boxes[1], &facing);
    lt_touch touch = {.body = c->pair.a,
                      .point = LT_NONE,
                      .normal = lt_along_axis(facing.axis, facing.sign),
                      .depth = lt_min_f(0, -facing.gap),
                      .area = c->area / (float)c->count,
                      .approximate = 1};
    if (touch.depth < -c->margin) return;
    for (uint32_t i = 0; i < c->count; i++) {
        lt_vec3 place = place_on_face(face, facing.axis, c->count > 1 ? i : FACE_PLACES, c->count);
        if (!attach_both(c, &touch, i, place)) continue;
        harvest_place(c, i, &touch);
    }
}

/* The middle of a part of the body; or, where there is room for one contact only, that of a frame. */
static lt_vec3 hold_middle(lt_attachment *hold, const lt_collider *c, uint32_t index, uint32_t count) {
    if (count > 1) return lt_attach_part(hold, c, index);
    *hold = (lt_attachment){LT_FRAME, {0, 0, 0, 0}};
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
}

static void touch_part(lt_coarse *c, uint32_t part) {
    lt_touch touch = {.body = c->pair.a,
                      .point = LT_NONE,
                      .other = {.tet = LT_NONE},
                      .area = c->area / (float)c->count,
                      .approximate = 1};
    lt_obstacle_hit hit =
        lt_obstacle_distance(c->obstacle, hold_middle(&touch.own, &c->colliders[c->pair.a], part, c->count));
    touch.normal = hit.normal;
    touch.apart = lt_max_f(hit.distance - c->gap, 1e-30f);
    touch.depth = touch.apart - hit.distance; /* the middle of a part that is inside is so for certain */
    harvest_place(c, part, &touch);
}

/* Whether fewer than `count` parts are nearer to the obstacle: of equals the first ones are. */
static bool is_among_nearest(const float *distances, uint32_t part, uint32_t count) {
    LT_ASSERT(part < LT_PART_COUNT);
    uint32_t nearer = 0;
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        nearer += distances[i] < distances[part] || (distances[i] == distances[part] && i < part);
    return nearer < count;
}

static void touch_box(lt_coarse *c) {
    float distances[LT_PART_COUNT];
    if (!(c->gap <= c->margin)) return;
    if (c->count == 1) {
        touch_part(c, 0);
        return;
    }
    for (uint32_t i = 0; i < LT_PART_COUNT; i++) {
        lt_attachment hold;
        distances[i] =
            lt_obstacle_distance(c->obstacle, lt_attach_part(&hold, &c->colliders[c->pair.a], i)).distance;
    }
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        if (is_among_nearest(distances, i, c->count)) touch_part(c, i);
}

static bool is_ours(const lt_coarse *c, const lt_contact_record *held) {
    return held->feature >= c->first_feature && held->feature < c->first_feature + LT_PART_COUNT;
}

static bool boxes_meet(const lt_coarse *c) {
    return (c->obstacle ? c->gap : lt_face_boxes(c->boxes[0], c->boxes[1]).gap) <= 0;
}

/* How fast a moves at a place as b sees it, by what holds the place in both. */
static float relative_speed(const lt_coarse *c, const lt_touch *touch) {
    const lt_collider *a = &c->colliders[c->pair.a], *b = &c->colliders[c->pair.b];
    lt_anchor own = lt_attachment_anchor(&touch->own, a), other = lt_attachment_anchor(&touch->other, b);
    lt_rvec3 v = lt_r3_sub(lt_anchor_gather(&own, a->soft->v), lt_anchor_gather(&other, b->soft->v));
    return (float)lt_r3_length(v);
}

static bool places_hold(const lt_coarse *c) {
    bool near = false, fast = false;
    for (uint32_t i = 0; i < c->held_count; i++) {
        if (!is_ours(c, &c->held[i])) continue;
        near = near || c->held[i].depth >= -c->margin;
        fast = fast || (!c->obstacle && relative_speed(c, &c->held[i].touch) > c->fast);
    }
    return near && !fast && boxes_meet(c);
}

void lt_coarse_answer(lt_coarse *coarse) {
    LT_ASSERT(coarse->count > 0 && coarse->pair.kind != LT_PAIR_SELF);
    coarse->contacts = 0;
    if (!places_hold(coarse)) {
        if (coarse->obstacle)
            touch_box(coarse);
        else
            touch_boxes(coarse);
        return;
    }
    for (uint32_t i = 0; i < coarse->held_count; i++) {
        if (!is_ours(coarse, &coarse->held[i])) continue;
        lt_harvest_keep(coarse->harvest, &coarse->held[i]);
        coarse->contacts++;
    }
}
