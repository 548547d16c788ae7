/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body of which nothing but its box is known is a box: what answers for the roots of two trees (or of one tree and an
 * obstacle) when there was no budget to look further. Boxes that are apart may come nearer until they touch; boxes that
 * overlap may not, and nothing is pushed out: the surfaces in them may be far from each other.
 *
 * Several places, spread over where the boxes face each other, so that one box can stand on another. The frames of the two
 * bodies hold them: the faces of a box belong to no tet. */

#include "respond/front_internal.h"

enum { FACE_PLACES = LT_FRAME_COUNT };
_Static_assert(FACE_PLACES == 4, "places are on the way to the four corners of a face");
static const float PLACE_SPREAD =
    0.65f; /* of the way to the corners: farther out are no bodies, nearer in they topple */

static lt_vec3 with_axis(lt_vec3 v, int axis, float value) {
    LT_ASSERT(axis >= 0 && axis < 3);
    return (lt_vec3){axis == 0 ? value : v.x, axis == 1 ? value : v.y, axis == 2 ? value : v.z};
}

/* One of four places on the face of a box across `axis`, on the way to its corners; 4: the middle. */
static lt_vec3 place_on_face(lt_box face, int axis, uint32_t index) {
    LT_ASSERT(axis >= 0 && axis < 3);
    lt_vec3 place = lt_box_center(face);
    if (index >= FACE_PLACES) return place;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    lt_vec3 corner = with_axis(place, u, lt_v3_get(index & 1 ? face.hi : face.lo, u));
    corner = with_axis(corner, v, lt_v3_get(index & 2 ? face.hi : face.lo, v));
    return lt_v3_mad(place, lt_v3_sub(corner, place), PLACE_SPREAD);
}

static void harvest_place(lt_front *f, uint32_t index, const lt_touch *touch) {
    lt_harvest_add(f->harvest, &f->pair, index, touch);
    f->contacts++;
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

static void touch_boxes(lt_front *f) {
    const lt_collider *a = &f->colliders[f->pair.a], *b = &f->colliders[f->pair.b];
    lt_box_facing facing = lt_face_boxes(a->box, b->box);
    lt_box face = common_face(a->box, b->box, &facing);
    uint32_t count = lt_box_contacts(&f->pair, f->detail);
    float area = lt_min_f(lt_sphere_area(&a->spheres, 0), lt_sphere_area(&b->spheres, 0));
    lt_touch touch = {.body = f->pair.a,
                      .point = LT_NONE,
                      .normal = lt_along_axis(facing.axis, facing.sign),
                      .depth = lt_min_f(0, -facing.gap),
                      .area = area / (float)count,
                      .approximate = 1};
    if (touch.depth < -f->margin) return;
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 place = place_on_face(face, facing.axis, count > 1 ? i : FACE_PLACES);
        if (lt_attach_in_frame(&touch.own, a, i, place) && lt_attach_in_frame(&touch.other, b, i, place))
            harvest_place(f, i, &touch);
    }
}

/* The middle of a part of the body; or, where there is room for one contact only, that of a frame. */
static lt_vec3 hold_middle(lt_attachment *hold, const lt_collider *c, uint32_t index, uint32_t count) {
    if (count > 1) return lt_attach_part(hold, c, index);
    *hold = (lt_attachment){LT_FRAME, {0, 0, 0, 0}};
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
}

/* Every part of the body is carried by itself, and may come nearer by as much as the box may: held at its corners, what is
 * soft would fall through between them. */
static void touch_box(lt_front *f) {
    const lt_collider *c = &f->colliders[f->pair.a];
    float gap = lt_box_gap(f);
    uint32_t count = lt_box_contacts(&f->pair, f->detail);
    for (uint32_t i = 0; i < count && gap <= f->margin; i++) {
        lt_touch touch = {.body = f->pair.a,
                          .point = LT_NONE,
                          .other = {.tet = LT_NONE},
                          .area = lt_sphere_area(&c->spheres, 0) / (float)count,
                          .approximate = 1};
        lt_obstacle_hit hit =
            lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b),
                                 hold_middle(&touch.own, c, i, count));
        touch.normal = hit.normal;
        touch.apart = lt_max_f(hit.distance - gap, 1e-30f);
        touch.depth = touch.apart - hit.distance; /* the middle of a part that is inside is so for certain */
        harvest_place(f, i, &touch);
    }
}

/* Places stay or go together: a body does not stand on half of them. They go when the boxes come apart. */
static bool places_hold(const lt_front *f) {
    bool near = false;
    for (uint32_t i = 0; i < f->held_count; i++)
        near = near || (f->held[i].feature < LT_LANES && f->held[i].depth >= -f->margin);
    return near && lt_box_gap(f) == 0;
}

void lt_answer_with_boxes(lt_front *f) {
    if (!places_hold(f)) {
        if (f->pair.kind == LT_PAIR_OBSTACLE)
            touch_box(f);
        else
            touch_boxes(f);
        return;
    }
    for (uint32_t i = 0; i < f->held_count; i++) {
        if (f->held[i].feature >= LT_LANES) continue;
        lt_harvest_keep(f->harvest, &f->held[i]);
        f->contacts++;
    }
}

bool lt_only_roots(const lt_front *f) {
    const lt_traverse *t = f->traverse;
    if (f->pair.kind == LT_PAIR_SELF || t->queued_count != 1 || t->found_count != 0) return false;
    uint32_t bucket;
    const lt_front_pair *p = &t->pool[lt_front_next(t, LT_NONE, &bucket)];
    return p->a == 0 && p->b == 0;
}

uint32_t lt_respond_with_boxes(lt_front *f) {
    const lt_sphere_tree *tree = f->colliders[f->pair.a].spheres.tree;
    lt_front_sum *sum = &f->scratch->sums[0];
    uint32_t bucket;
    if (lt_box_gap(f) == 0) {
        f->overlapping = f->undecided = 1;
        f->gap_error = f->traverse->pool[lt_front_next(f->traverse, LT_NONE, &bucket)].bound;
    }
    sum->kind = LT_FRONT_SEEN | LT_FRONT_CUT | LT_FRONT_UNDECIDED;
    lt_keep_held(f, tree); /* what is held of finer spheres does not speak for the rest of the body */
    *sum = (lt_front_sum){0};
    lt_answer_with_boxes(f);
    lt_log_sphere(f->log, f->pair.a, 0);
    if (f->pair.kind == LT_PAIR_BODIES) lt_log_sphere(f->log, f->pair.b, 0);
    return LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * f->contacts;
}
