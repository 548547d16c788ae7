/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rays against the surfaces as they are drawn, and obstacles (detect/obstacle_ray.c).
 *
 *   box of the nodes now ──► points, where the ray enters it ──► triangles on both sides of the ray ──► exact test
 *
 * Boxes and points are made anew: those of colliders are of the beginning of a step, and how fresh they are is part of what a
 * step costs. Trees of the methods are of no use here: those of spheres do not know their triangles, those of boxes hold the pieces
 * that a surface was cut to at the tets, which bend where the triangle that is drawn stays flat. */

#include "world/world.h"

#include "lithe/query.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

#include <float.h>

typedef struct caster {
    lt_dvec3 origin, along; /* along: unit */
    lt_dvec3 line[2];       /* two points of it, for exact tests */
    lt_dvec3 across[2];     /* unit, perpendicular to it and each other */
    double limit;           /* m */
    lt_dvec3 back;          /* from where the point of a hit is said to where this is */
    lt_ray_hit hit;
} caster;

lt_ray lt_ray_along(lt_vec3 origin, lt_vec3 direction) {
    return (lt_ray){origin, direction, INFINITY, UINT32_MAX, {0, 0}, false, {0, 0, 0}};
}

static double farthest_coordinate(lt_dvec3 p) {
    return lt_max_d(lt_max_d(fabs(p.x), fabs(p.y)), fabs(p.z));
}

/* Far enough for the sum not to turn the line. */
static void aim(caster *c) {
    c->line[0] = c->origin;
    c->line[1] = lt_d3_mad(c->origin, c->along, lt_max_d(1, farthest_coordinate(c->origin)));
}

/* The same ray by offsets from another origin. */
static caster seen_from(const caster *c, const double from[3], const double origin[3]) {
    lt_dvec3 by = {origin[0] - from[0], origin[1] - from[1], origin[2] - from[2]};
    caster seen = *c;
    if (by.x == 0 && by.y == 0 && by.z == 0) return seen;
    seen.origin = lt_d3_sub(c->origin, by);
    seen.back = by;
    aim(&seen);
    return seen;
}

/* What it found is known to the other one. */
static void take_over(caster *c, const caster *seen) {
    c->limit = seen->limit;
    c->hit = seen->hit;
}

static caster begin(const lt_ray *ray) {
    caster c = {.origin = lt_d3_from_v3(ray->origin), .limit = lt_min_d((double)ray->max_distance, FLT_MAX)};
    lt_dvec3 along = lt_d3_from_v3(ray->direction); /* squares of floats are well within doubles */
    c.along = lt_d3_scale(along, 1 / lt_d3_length(along));
    aim(&c);
    lt_dvec3 a = c.along, other = {1, 0, 0};
    if (fabs(a.x) > 0.6) other = (lt_dvec3){0, 1, 0};
    lt_dvec3 first = lt_d3_cross(a, other);
    c.across[0] = lt_d3_scale(first, 1 / lt_d3_length(first));
    c.across[1] = lt_d3_cross(a, c.across[0]);
    return c;
}

/* Whether the corners are all on one side of the ray, seen across it: nearly all triangles are. */
static bool is_beside(const caster *c, const lt_dvec3 corners[3], double slack) {
    for (int k = 0; k < 2; k++) {
        double x = lt_d3_dot(lt_d3_sub(corners[0], c->origin), c->across[k]);
        double y = lt_d3_dot(lt_d3_sub(corners[1], c->origin), c->across[k]);
        double z = lt_d3_dot(lt_d3_sub(corners[2], c->origin), c->across[k]);
        if ((x > slack && y > slack && z > slack) || (x < -slack && y < -slack && z < -slack)) return true;
    }
    return false;
}

/* Weights of the corners where the ray goes through, by the volumes over the edges, as seen from near by: that it goes through is
 * known, so none is negative but by rounding. */
static void weigh(const caster *c, const lt_dvec3 corners[3], double weights[3]) {
    double base = lt_d3_dot(lt_d3_sub(corners[0], c->origin), c->along), sum = 0;
    lt_dvec3 from = lt_d3_mad(c->origin, c->along, base), r[3];
    for (int k = 0; k < 3; k++)
        r[k] = lt_d3_sub(corners[k], from);
    for (int k = 0; k < 3; k++) {
        weights[k] = lt_d3_dot(c->along, lt_d3_cross(r[(k + 1) % 3], r[(k + 2) % 3]));
        sum += weights[k];
    }
    double total = 0;
    for (int k = 0; k < 3; k++)
        total += weights[k] = lt_max_d(0, sum < 0 ? -weights[k] : weights[k]);
    for (int k = 0; k < 3; k++)
        weights[k] = total > 0 ? weights[k] / total : 1.0 / 3;
}

/* Bodies do not come in order, triangles of a body do: of equals the first one stays. */
static void offer(caster *c, lt_body_id body, uint32_t triangle, const lt_dvec3 corners[3]) {
    double weights[3], distance = 0;
    weigh(c, corners, weights);
    for (int k = 0; k < 3; k++)
        distance += weights[k] * lt_d3_dot(lt_d3_sub(corners[k], c->origin), c->along);
    float rounded = (float)distance;
    lt_ray_hit *hit = &c->hit;
    if (!(distance >= 0 && (double)rounded <= c->limit)) return;
    if (hit->body.index_plus_one &&
        (rounded > hit->distance ||
         (rounded == hit->distance && hit->body.index_plus_one <= body.index_plus_one)))
        return;
    lt_dvec3 point = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        point = lt_d3_mad(point, corners[k], weights[k]);
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(corners[1], corners[0]), lt_d3_sub(corners[2], corners[0]));
    double length = lt_d3_length(normal);
    *hit = (lt_ray_hit){.body = body,
                        .triangle = triangle,
                        .weights = {(float)weights[0], (float)weights[1], (float)weights[2]},
                        .distance = rounded,
                        .point = lt_v3_from_d3(lt_d3_add(point, c->back)),
                        .normal = lt_v3_from_d3(lt_d3_scale(normal, length > 0 ? 1 / length : 0))};
    c->limit = rounded;
}

static void cast_at_body(lt_world *world, caster *c, uint32_t index, double slack) {
    lt_body *record = lt_body_record(world, index);
    const lt_skin *skin = &record->skin;
    const lt_vec3 *points = record->view_positions;
    lt_embed_positions(lt_embed_kernels_for(world->level), record->view_positions, skin,
                       lt_soft_at(world, index)->nodes, 0, skin->point_count);
    for (uint32_t i = 0; i < skin->triangle_count; i++) {
        const uint32_t *t = skin->triangles + 3 * (size_t)i;
        lt_dvec3 corners[3] = {lt_d3_from_v3(points[t[0]]), lt_d3_from_v3(points[t[1]]),
                               lt_d3_from_v3(points[t[2]])};
        if (is_beside(c, corners, slack) || !lt_exact_line_crosses_triangle(c->line, corners)) continue;
        offer(c, lt_body_id_of(world, index), i, corners);
    }
}

static bool is_wanted(const lt_world *world, const lt_ray *ray, uint32_t index) {
    const lt_collider *collider = lt_collider_at(world, index);
    return collider->in_use && (collider->group & ray->mask) != 0 &&
           (ray->body.index_plus_one == 0 || ray->body.index_plus_one == index + 1);
}

/* How far the box of a body is, INFINITY: it is not entered before the limit; and how far rounding may lead astray beside the ray. */
static double entry_of(const lt_world *world, const caster *c, uint32_t index, double *slack) {
    lt_box box = lt_body_box_now(world, index);
    double reach =
        lt_max_d(farthest_coordinate(lt_d3_from_v3(box.lo)), farthest_coordinate(lt_d3_from_v3(box.hi)));
    *slack = 1e-13 * (reach + farthest_coordinate(c->origin));
    return lt_segment_box_entry(c->origin, c->along, c->limit, box);
}

static double entry_of_body(const lt_world *world, const caster *c, const lt_ray *ray, uint32_t index) {
    if (!is_wanted(world, ray, index)) return INFINITY;
    caster seen = seen_from(c, ray->from, lt_soft_at(world, index)->origin);
    double slack;
    return entry_of(world, &seen, index, &slack);
}

static uint32_t nearest_body(const lt_world *world, const caster *c, const lt_ray *ray) {
    uint32_t nearest = LT_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        double entry = entry_of_body(world, c, ray, i);
        if (entry < least) nearest = i;
        least = lt_min_d(least, entry);
    }
    return nearest;
}

static void cast_if_entered(lt_world *world, caster *c, const lt_ray *ray, uint32_t index) {
    caster seen = seen_from(c, ray->from, lt_soft_at(world, index)->origin);
    double slack;
    if (!(entry_of(world, &seen, index, &slack) < INFINITY)) return;
    cast_at_body(world, &seen, index, slack);
    take_over(c, &seen);
}

/* The body whose box is nearest first: most of the others are behind what is met there. */
static void cast(lt_world *world, caster *c, const lt_ray *ray) {
    uint32_t first = nearest_body(world, c, ray);
    if (first == LT_NONE) return;
    cast_if_entered(world, c, ray, first);
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (i != first && is_wanted(world, ray, i)) cast_if_entered(world, c, ray, i);
}

/* After the bodies: of equally near ones these stay. */
static void cast_at_obstacles(const lt_world *world, caster *c, const lt_ray *ray) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++) {
        const lt_obstacle *obstacle = lt_obstacle_record(world, i);
        lt_vec3 normal;
        if (!obstacle->in_use || (obstacle->group & ray->mask) == 0) continue;
        caster seen = seen_from(c, ray->from, obstacle->origin);
        double distance = lt_obstacle_meet(obstacle, seen.origin, c->along, c->limit, &normal);
        bool is_first = c->hit.body.index_plus_one == 0 && c->hit.obstacle.index_plus_one == 0;
        float rounded = (float)distance;
        if (!(distance < INFINITY) || !((double)rounded <= c->limit) ||
            (!is_first && rounded >= c->hit.distance))
            continue;
        c->hit = (lt_ray_hit){.obstacle = lt_obstacle_id_of(world, i),
                              .distance = rounded,
                              .point = lt_v3_from_d3(lt_d3_mad(c->origin, c->along, distance)),
                              .normal = normal};
        c->limit = rounded;
    }
}

bool lt_world_ray_cast(lt_world *world, const lt_ray *ray, lt_ray_hit *hit) {
    if (hit) *hit = (lt_ray_hit){0};
    if (!LT_REQUIRE(world && ray)) return false;
    lt_vec3 d = ray->direction;
    if (!LT_REQUIRE(lt_v3_is_finite(ray->origin) && lt_v3_is_finite(d) && (d.x != 0 || d.y != 0 || d.z != 0)))
        return false;
    if (!LT_REQUIRE(fabs(ray->from[0]) < 1e30 && fabs(ray->from[1]) < 1e30 && fabs(ray->from[2]) < 1e30))
        return false;
    if (!LT_REQUIRE(ray->max_distance >= 0)) return false;
    if (!LT_REQUIRE(ray->body.index_plus_one == 0 || lt_body_is_valid(world, ray->body))) return false;
    caster c = begin(ray);
    cast(world, &c, ray);
    if (ray->body.index_plus_one == 0 && !ray->skip_obstacles) cast_at_obstacles(world, &c, ray);
    if (hit) *hit = c.hit;
    return c.hit.body.index_plus_one != 0 || c.hit.obstacle.index_plus_one != 0;
}
