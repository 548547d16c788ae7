/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rays against obstacles, in their frames and in double.
 *
 * Sphere, capsule and box are convex: a line is inside over one interval, and what a ray meets is the end of it that comes first.
 * A mesh is known by its distances only: the ray goes as far as they say that nothing can be, at least a share of a cell, until the
 * sign changes, and that place is bisected. */

#include "detect/detect.h"

static const double LEAST_PART_OF_CELL = 1.0 / 16;

typedef struct interval {
    double in, out; /* in > out: empty */
} interval;

static const interval EMPTY = {INFINITY, -INFINITY};

static interval both(interval a, interval b) {
    return (interval){lt_max_d(a.in, b.in), lt_min_d(a.out, b.out)};
}

/* Of two convex pieces of something convex. */
static interval either(interval a, interval b) {
    if (a.in > a.out) return b;
    if (b.in > b.out) return a;
    return (interval){lt_min_d(a.in, b.in), lt_max_d(a.out, b.out)};
}

static interval in_ball(lt_dvec3 from, lt_dvec3 along, double radius) {
    double middle = -lt_d3_dot(from, along);
    lt_dvec3 nearest = lt_d3_mad(from, along, middle);
    double rest = radius * radius - lt_d3_dot(nearest, nearest);
    if (rest < 0) return EMPTY;
    return (interval){middle - sqrt(rest), middle + sqrt(rest)};
}

static interval in_slab(double from, double along, double half) {
    if (along == 0) return fabs(from) <= half ? (interval){-INFINITY, INFINITY} : EMPTY;
    double a = (-half - from) / along, b = (half - from) / along;
    return (interval){lt_min_d(a, b), lt_max_d(a, b)};
}

static interval in_box(lt_dvec3 from, lt_dvec3 along, lt_vec3 half) {
    interval x = in_slab(from.x, along.x, half.x), y = in_slab(from.y, along.y, half.y);
    return both(both(x, y), in_slab(from.z, along.z, half.z));
}

/* Around the y axis, without ends. */
static interval in_tube(lt_dvec3 from, lt_dvec3 along, double radius) {
    lt_dvec3 beside = {from.x, 0, from.z}, way = {along.x, 0, along.z};
    double speed = lt_d3_length(way);
    if (speed < 1e-12) return lt_d3_length(beside) <= radius ? (interval){-INFINITY, INFINITY} : EMPTY;
    interval i = in_ball(beside, lt_d3_scale(way, 1 / speed), radius);
    return (interval){i.in / speed, i.out / speed};
}

static interval in_capsule(lt_dvec3 from, lt_dvec3 along, double radius, double half_length) {
    lt_dvec3 lower = {from.x, from.y + half_length, from.z}, upper = {from.x, from.y - half_length, from.z};
    interval tube = both(in_tube(from, along, radius), in_slab(from.y, along.y, half_length));
    return either(tube, either(in_ball(lower, along, radius), in_ball(upper, along, radius)));
}

/* INFINITY: not met before the limit. */
static double first_end(interval i, double limit) {
    double distance = i.in >= 0 ? i.in : i.out;
    return i.in <= i.out && distance >= 0 && distance <= limit ? distance : INFINITY;
}

static double meet_plane(lt_dvec3 from, lt_dvec3 along, lt_vec3 normal, double limit) {
    double height = lt_d3_dot(lt_d3_from_v3(normal), from), rate = lt_d3_dot(lt_d3_from_v3(normal), along);
    double distance = height == 0 ? 0 : -height / rate;
    return distance >= 0 && distance <= limit ? distance : INFINITY;
}

/* ---- meshes ---- */

static double sample(const lt_distance_grid *grid, lt_dvec3 from, lt_dvec3 along, double at) {
    return (double)lt_distance_to_meet(grid, lt_v3_from_d3(lt_d3_mad(from, along, at)), NULL);
}

static double bisect(const lt_distance_grid *grid, lt_dvec3 from, lt_dvec3 along, double before,
                     double after) {
    bool outside = sample(grid, from, along, before) > 0;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (before + after);
        bool same = (sample(grid, from, along, middle) > 0) == outside;
        *(same ? &before : &after) = middle;
    }
    return after;
}

static lt_vec3 half_of_grid(const lt_distance_grid_header *h) {
    float half = 0.5f * h->cell_size;
    return (lt_vec3){half * (float)(h->size[0] - 1), half * (float)(h->size[1] - 1),
                     half * (float)(h->size[2] - 1)};
}

/* Within the box of the grid, which the surface does not leave. */
static double meet_mesh(const lt_distance_grid *grid, lt_dvec3 from, lt_dvec3 along, double limit) {
    const lt_distance_grid_header *h = &grid->header;
    lt_vec3 half = half_of_grid(h), origin = {h->origin[0], h->origin[1], h->origin[2]};
    lt_dvec3 middle = lt_d3_from_v3(lt_v3_add(origin, half));
    interval i = both(in_box(lt_d3_sub(from, middle), along, half), (interval){0, limit});
    double at = i.in, least = LEAST_PART_OF_CELL * (double)h->cell_size;
    if (!(i.in <= i.out)) return INFINITY;
    double distance = sample(grid, from, along, at);
    while (at < i.out) {
        double next = lt_min_d(i.out, at + lt_max_d(fabs(distance), least));
        double there = sample(grid, from, along, next);
        if ((there > 0) != (distance > 0)) return bisect(grid, from, along, at, next);
        if (next <= at) break; /* so far away that a step is less than a place */
        at = next;
        distance = there;
    }
    return INFINITY;
}

/* ---- any ---- */

static lt_dvec3 box_normal(lt_dvec3 p, lt_vec3 half) {
    double x = fabs(p.x) - (double)half.x, y = fabs(p.y) - (double)half.y, z = fabs(p.z) - (double)half.z;
    if (x >= y && x >= z) return (lt_dvec3){p.x < 0 ? -1 : 1, 0, 0};
    if (y >= z) return (lt_dvec3){0, p.y < 0 ? -1 : 1, 0};
    return (lt_dvec3){0, 0, p.z < 0 ? -1 : 1};
}

/* At a place of its surface, both local; of any length. */
static lt_dvec3 local_normal(const lt_obstacle *o, lt_dvec3 p) {
    lt_vec3 gradient = o->local_normal;
    double half = (double)o->half_length;
    switch (o->kind) {
    case LT_OBSTACLE_SPHERE: return p;
    case LT_OBSTACLE_CAPSULE: return (lt_dvec3){p.x, p.y - lt_min_d(lt_max_d(p.y, -half), half), p.z};
    case LT_OBSTACLE_BOX: return box_normal(p, o->half_extents);
    case LT_OBSTACLE_MESH: lt_distance_to_meet(&o->grid, lt_v3_from_d3(p), &gradient); break;
    default: break;
    }
    return lt_d3_from_v3(gradient);
}

static double local_meet(const lt_obstacle *o, lt_dvec3 from, lt_dvec3 along, double limit) {
    switch (o->kind) {
    case LT_OBSTACLE_PLANE: return meet_plane(from, along, o->local_normal, limit);
    case LT_OBSTACLE_SPHERE: return first_end(in_ball(from, along, (double)o->radius), limit);
    case LT_OBSTACLE_CAPSULE:
        return first_end(in_capsule(from, along, (double)o->radius, (double)o->half_length), limit);
    case LT_OBSTACLE_BOX: return first_end(in_box(from, along, o->half_extents), limit);
    case LT_OBSTACLE_MESH: return meet_mesh(&o->grid, from, along, limit);
    default: return INFINITY;
    }
}

double lt_obstacle_meet(const lt_obstacle *obstacle, lt_dvec3 from, lt_dvec3 along, double limit,
                        lt_vec3 *normal) {
    lt_dmat3 axes = {lt_d3_from_v3(obstacle->axes[0]), lt_d3_from_v3(obstacle->axes[1]),
                     lt_d3_from_v3(obstacle->axes[2])};
    lt_dvec3 there = lt_d3_sub(from, lt_d3_from_v3(obstacle->position));
    lt_dvec3 local = {lt_d3_dot(axes.c0, there), lt_d3_dot(axes.c1, there), lt_d3_dot(axes.c2, there)};
    lt_dvec3 way = {lt_d3_dot(axes.c0, along), lt_d3_dot(axes.c1, along), lt_d3_dot(axes.c2, along)};
    double distance = local_meet(obstacle, local, way, limit);
    if (!(distance < INFINITY)) return INFINITY;
    lt_dvec3 n = local_normal(obstacle, lt_d3_mad(local, way, distance));
    lt_dvec3 turned = lt_d3_mad(lt_d3_mad(lt_d3_scale(axes.c0, n.x), axes.c1, n.y), axes.c2, n.z);
    double length = lt_d3_length(turned);
    if (length > 0) turned = lt_d3_scale(turned, 1 / length);
    *normal = lt_v3_from_d3(length > 0 ? turned : lt_d3_scale(along, -1));
    return distance;
}
