/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far two bodies are apart as far as their boxes tell, and whether these face each other along one axis. */

#include "respond/front_internal.h"

static const float CLEAR_OVERLAP = 0.25f; /* of the smaller box */

lt_box_facing lt_face_boxes(lt_box a, lt_box b) {
    lt_box_facing out = {2, -3e38f, 1};
    for (int axis = 0; axis < 3; axis++) {
        float above = lt_v3_get(a.lo, axis) - lt_v3_get(b.hi, axis);
        float below = lt_v3_get(b.lo, axis) - lt_v3_get(a.hi, axis);
        if (!(lt_max_f(above, below) > out.gap)) continue;
        out = (lt_box_facing){axis, lt_max_f(above, below), above >= below ? 1.0f : -1.0f};
    }
    return out;
}

float lt_box_gap(const lt_front *f) {
    lt_box a = f->colliders[f->pair.a].box;
    if (f->pair.kind == LT_PAIR_BODIES) return lt_max_f(0, lt_face_boxes(a, f->colliders[f->pair.b].box).gap);
    lt_vec3 center = lt_box_center(a), half = lt_v3_sub(a.hi, center);
    lt_obstacle_hit hit =
        lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b), center);
    float reach = fabsf(hit.normal.x) * half.x + fabsf(hit.normal.y) * half.y + fabsf(hit.normal.z) * half.z;
    return lt_max_f(0, hit.distance - reach);
}

static bool is_clear(lt_box a, lt_box b, const lt_box_facing *facing) {
    float extent = lt_min_f(lt_v3_get(a.hi, facing->axis) - lt_v3_get(a.lo, facing->axis),
                            lt_v3_get(b.hi, facing->axis) - lt_v3_get(b.lo, facing->axis));
    return -facing->gap <= CLEAR_OVERLAP * extent;
}

bool lt_boxes_face(const lt_front *f) {
    lt_box a = f->colliders[f->pair.a].box, b = f->colliders[f->pair.b].box;
    lt_box_facing facing = lt_face_boxes(a, b);
    return is_clear(a, b, &facing);
}

lt_vec3 lt_box_normal(const lt_front *f, lt_vec3 otherwise) {
    if (f->pair.kind != LT_PAIR_BODIES) return otherwise;
    lt_box a = f->colliders[f->pair.a].box, b = f->colliders[f->pair.b].box;
    lt_box_facing facing = lt_face_boxes(a, b);
    return is_clear(a, b, &facing) ? lt_along_axis(facing.axis, facing.sign) : otherwise;
}
