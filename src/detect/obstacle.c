/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Signed distances of obstacles: closed forms, and a grid for meshes. All are 1-Lipschitz (the grid's lower bound nearly
 * so), which is what makes lt_obstacle_may_touch conservative. */

#include "detect/detect.h"

#include "core/polar.h"

#include <string.h>

static lt_vec3 to_local(const lt_obstacle *o, lt_vec3 direction) {
    return (lt_vec3){lt_v3_dot(o->axes[0], direction), lt_v3_dot(o->axes[1], direction),
                     lt_v3_dot(o->axes[2], direction)};
}

static lt_vec3 to_world(const lt_obstacle *o, lt_vec3 local) {
    lt_vec3 sum = lt_v3_scale(o->axes[0], local.x);
    return lt_v3_mad(lt_v3_mad(sum, o->axes[1], local.y), o->axes[2], local.z);
}

static lt_obstacle_hit distance_to_ball(lt_vec3 from_center, float radius, lt_vec3 fallback) {
    return (lt_obstacle_hit){lt_v3_length(from_center) - radius, lt_v3_normalize_or(from_center, fallback)};
}

static lt_obstacle_hit distance_to_box(lt_vec3 p, lt_vec3 half) {
    lt_vec3 a = {p.x < 0 ? -p.x : p.x, p.y < 0 ? -p.y : p.y, p.z < 0 ? -p.z : p.z};
    lt_vec3 q = lt_v3_sub(a, half), zero = {0, 0, 0};
    lt_vec3 sign = {p.x < 0 ? -1.0f : 1.0f, p.y < 0 ? -1.0f : 1.0f, p.z < 0 ? -1.0f : 1.0f};
    lt_vec3 outside = lt_v3_max(q, zero);
    if (q.x > 0 || q.y > 0 || q.z > 0) {
        lt_vec3 normal = lt_v3_normalize_or(outside, (lt_vec3){1, 0, 0});
        return (lt_obstacle_hit){lt_v3_length(outside), lt_v3_mul(normal, sign)};
    }
    if (q.x >= q.y && q.x >= q.z) return (lt_obstacle_hit){q.x, {sign.x, 0, 0}};
    if (q.y >= q.z) return (lt_obstacle_hit){q.y, {0, sign.y, 0}};
    return (lt_obstacle_hit){q.z, {0, 0, sign.z}};
}

float lt_distance_to_meet(const lt_distance_grid *grid, lt_vec3 point, lt_vec3 *gradient) {
    const lt_distance_grid_header *h = &grid->header;
    lt_vec3 lo = {h->origin[0], h->origin[1], h->origin[2]};
    lt_vec3 cells = {(float)(h->size[0] - 1), (float)(h->size[1] - 1), (float)(h->size[2] - 1)};
    lt_vec3 inside = lt_v3_min(lt_v3_max(point, lo), lt_v3_mad(lo, cells, h->cell_size));
    float distance;
    lt_distance_grid_sample(grid, inside, &distance, gradient);
    return distance + lt_v3_distance(point, inside);
}

static lt_obstacle_hit local_distance(const lt_obstacle *o, lt_vec3 p) {
    lt_obstacle_hit hit = {0, {0, 1, 0}};
    switch (o->kind) {
    case LT_OBSTACLE_PLANE: return (lt_obstacle_hit){lt_v3_dot(o->local_normal, p), o->local_normal};
    case LT_OBSTACLE_SPHERE: return distance_to_ball(p, o->radius, (lt_vec3){0, 1, 0});
    case LT_OBSTACLE_CAPSULE:
        p.y -= lt_clamp_f(p.y, -o->half_length, o->half_length);
        return distance_to_ball(p, o->radius, (lt_vec3){1, 0, 0});
    case LT_OBSTACLE_BOX: return distance_to_box(p, o->half_extents);
    case LT_OBSTACLE_MESH:
        hit.distance = lt_distance_to_meet(&o->grid, p, &hit.normal);
        hit.normal = lt_v3_normalize_or(hit.normal, (lt_vec3){0, 1, 0});
        return hit;
    default: return hit;
    }
}

lt_obstacle_hit lt_obstacle_distance(const lt_obstacle *obstacle, lt_vec3 point) {
    lt_obstacle_hit hit = local_distance(obstacle, to_local(obstacle, lt_v3_sub(point, obstacle->position)));
    hit.normal = to_world(obstacle, hit.normal);
    return hit;
}

lt_vec3 lt_obstacle_velocity(const lt_obstacle *obstacle, lt_vec3 point) {
    lt_vec3 arm = lt_v3_sub(point, obstacle->position);
    return lt_v3_add(obstacle->velocity, lt_v3_cross(obstacle->angular_velocity, arm));
}

float lt_obstacle_gap(const lt_obstacle *obstacle, lt_box box) {
    lt_vec3 center = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
    lt_vec3 half = lt_v3_scale(lt_v3_sub(box.hi, box.lo), 0.5f);
    lt_obstacle_hit hit = lt_obstacle_distance(obstacle, center);
    float reach = lt_v3_length(half);
    if (obstacle->kind == LT_OBSTACLE_MESH) { /* a lower bound */
        lt_vec3 local = to_local(obstacle, lt_v3_sub(center, obstacle->position));
        lt_distance_grid_sample(&obstacle->grid, local, &hit.distance, NULL);
    }
    if (obstacle->kind == LT_OBSTACLE_PLANE)
        reach = fabsf(hit.normal.x) * half.x + fabsf(hit.normal.y) * half.y + fabsf(hit.normal.z) * half.z;
    return hit.distance - reach;
}

bool lt_obstacle_may_touch(const lt_obstacle *obstacle, lt_box box, float margin) {
    return lt_obstacle_gap(obstacle, box) <= margin;
}

float lt_obstacle_sweep(const lt_obstacle *obstacle, lt_box box, float dt) {
    LT_ASSERT(dt >= 0);
    lt_vec3 arm = lt_v3_max(lt_v3_sub(obstacle->position, box.lo), lt_v3_sub(box.hi, obstacle->position));
    return dt *
           (lt_v3_length(obstacle->velocity) + lt_v3_length(obstacle->angular_velocity) * lt_v3_length(arm));
}

void lt_obstacle_place(lt_obstacle *obstacle, lt_vec3 position, lt_quat rotation) {
    obstacle->position = obstacle->target_position = position;
    obstacle->rotation = obstacle->target_rotation = rotation;
    lt_dmat3 m = lt_matrix_from_quat(rotation);
    obstacle->axes[0] = lt_v3_from_d3(m.c0);
    obstacle->axes[1] = lt_v3_from_d3(m.c1);
    obstacle->axes[2] = lt_v3_from_d3(m.c2);
}

/* Angular velocity of the shortest turn between two rotations, 2 sin(θ/2) / dt along the axis: θ/dt for the small
 * turns of one step (1 % short at half a radian), and no function of libm. */
static lt_vec3 turn_rate(lt_quat from, lt_quat to, float dt) {
    LT_ASSERT(dt >= 0);
    float n = lt_max_f((from.x * from.x + from.y * from.y + from.z * from.z + from.w * from.w) *
                           (to.x * to.x + to.y * to.y + to.z * to.z + to.w * to.w),
                       1e-30f);
    lt_vec3 f = {from.x, from.y, from.z}, t = {to.x, to.y, to.z};
    lt_vec3 v = lt_v3_sub(lt_v3_sub(lt_v3_scale(t, from.w), lt_v3_scale(f, to.w)), lt_v3_cross(t, f));
    float w = from.w * to.w + lt_v3_dot(f, t);
    return lt_v3_scale(v, (w < 0 ? -2 : 2) / (dt * sqrtf(n)));
}

void lt_obstacle_plan(lt_obstacle *obstacle, float dt) {
    LT_ASSERT(dt >= 0);
    lt_vec3 zero = {0, 0, 0};
    obstacle->velocity = obstacle->angular_velocity = zero;
    if (!obstacle->moving) return;
    obstacle->velocity = lt_v3_scale(lt_v3_sub(obstacle->target_position, obstacle->position), 1 / dt);
    obstacle->angular_velocity = turn_rate(obstacle->rotation, obstacle->target_rotation, dt);
}

void lt_obstacle_arrive(lt_obstacle *obstacle) {
    if (obstacle->moving) lt_obstacle_place(obstacle, obstacle->target_position, obstacle->target_rotation);
    obstacle->moving = false;
}

/* ---- frames ---- */

/* Of all points of a plane the one that is nearest to the frame's origin, so that distances are differences of small numbers. */
static lt_vec3 foot_on_plane(const lt_obstacle *o, const double from[3]) {
    lt_dvec3 normal = lt_d3_from_v3(to_world(o, o->local_normal));
    lt_dvec3 way = {(double)o->position.x + (o->origin[0] - from[0]),
                    (double)o->position.y + (o->origin[1] - from[1]),
                    (double)o->position.z + (o->origin[2] - from[2])};
    return lt_v3_from_d3(lt_d3_scale(normal, lt_d3_dot(normal, way) / lt_d3_dot(normal, normal)));
}

static bool is_far(lt_vec3 position, float size) {
    return !(lt_v3_dot(position, position) < size * size);
}

lt_obstacle lt_obstacle_from(const lt_obstacle *obstacle, const double from[3]) {
    const double *origin = obstacle->origin;
    lt_obstacle seen = *obstacle;
    seen.force = seen.torque = (lt_vec3){0, 0, 0};
    if (memcmp(from, origin, sizeof seen.origin) == 0) return seen;
    seen.position = lt_offset_seen(from, origin, obstacle->position);
    seen.target_position = lt_offset_seen(from, origin, obstacle->target_position);
    memcpy(seen.origin, from, sizeof seen.origin);
    if (obstacle->kind == LT_OBSTACLE_PLANE && !obstacle->moving && is_far(seen.position, 1))
        seen.position = seen.target_position = foot_on_plane(obstacle, from);
    return seen;
}

void lt_obstacle_add_load(lt_obstacle *obstacle, const lt_obstacle *seen) {
    lt_dvec3 arm = lt_d3_sub(lt_place_from(seen->origin, seen->position),
                             lt_place_from(obstacle->origin, obstacle->position));
    lt_vec3 moved = lt_v3_from_d3(lt_d3_cross(arm, lt_d3_from_v3(seen->force)));
    obstacle->force = lt_v3_add(obstacle->force, seen->force);
    obstacle->torque = lt_v3_add(obstacle->torque, lt_v3_add(seen->torque, moved));
}

/* ---- invariants ---- */

static bool is_unit(lt_vec3 v) {
    return fabsf(lt_v3_dot(v, v) - 1) < 1e-3f;
}

const char *lt_validate_obstacle(const lt_obstacle *obstacle) {
    const lt_obstacle *o = obstacle;
    if (!lt_v3_is_finite(o->position) || !lt_v3_is_finite(o->target_position))
        return "an obstacle is nowhere";
    for (int k = 0; k < 3; k++)
        if (!is_unit(o->axes[k]) || fabsf(lt_v3_dot(o->axes[k], o->axes[(k + 1) % 3])) > 1e-3f)
            return "the axes of an obstacle are not those of a rotation";
    if (!lt_v3_is_finite(o->velocity) || !lt_v3_is_finite(o->angular_velocity))
        return "the velocity of an obstacle is not finite";
    if (!lt_v3_is_finite(o->force) || !lt_v3_is_finite(o->torque))
        return "the force on an obstacle is not finite";
    return o->friction >= 0 ? NULL : "friction is negative";
}
