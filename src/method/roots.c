/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/roots.h"

#include "detect/query_obstacle.h"

#include <string.h>

/* ---- depths ---- */

lt_root lt_root_of_boxes(lt_box a, lt_box b) {
    lt_root r = {.depth = INFINITY};
    for (int axis = 0; axis < 3; axis++) {
        float up = lt_v3_get(b.hi, axis) - lt_v3_get(a.lo, axis);
        float down = lt_v3_get(a.hi, axis) - lt_v3_get(b.lo, axis);
        float depth = lt_min_f(up, down), sign = up <= down ? 1.0f : -1.0f;
        if (!(depth < r.depth)) continue;
        r.depth = depth;
        r.normal = (lt_vec3){axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
    }
    lt_vec3 lo = lt_v3_max(a.lo, b.lo), hi = lt_v3_min(a.hi, b.hi);
    r.point = lt_v3_scale(lt_v3_add(lo, hi), 0.5f);
    return r;
}

/* The corners, the middle, the middles of the faces. */
enum { CORNERS = 8, CORNERS_AND_MIDDLE = 9, ALL_PLACES = 15 };

static lt_vec3 place_of(lt_box box, uint32_t place) {
    if (place < CORNERS)
        return (lt_vec3){place & 1 ? box.hi.x : box.lo.x, place & 2 ? box.hi.y : box.lo.y,
                         place & 4 ? box.hi.z : box.lo.z};
    lt_vec3 p = lt_box_center(box);
    uint32_t face = place - CORNERS_AND_MIDDLE;
    if (place == CORNERS) return p;
    lt_vec3 side = face & 1 ? box.hi : box.lo;
    if (face / 2 == 0) p.x = side.x;
    if (face / 2 == 1) p.y = side.y;
    if (face / 2 == 2) p.z = side.z;
    return p;
}

static lt_root root_of_places(lt_box box, const lt_obstacle *obstacle, uint32_t place_count) {
    lt_vec3 middle = lt_box_center(box);
    lt_root r = {.depth = -INFINITY};
    if (lt_obstacle_distance(obstacle, middle).distance > lt_v3_distance(box.hi, middle))
        return r; /* far off */
    for (uint32_t place = 0; place < place_count; place++) {
        lt_vec3 p = place_of(box, place);
        lt_obstacle_hit hit = lt_obstacle_distance(obstacle, p);
        if (-hit.distance > r.depth) r = (lt_root){-hit.distance, hit.normal, p};
    }
    return r;
}

lt_root lt_root_of_obstacle(lt_box box, const lt_obstacle *obstacle) {
    return root_of_places(box, obstacle, CORNERS_AND_MIDDLE);
}

/* ---- over a step ---- */

lt_root lt_root_before_step(lt_box box, const lt_obstacle *obstacle) {
    return root_of_places(box, obstacle, ALL_PLACES);
}

lt_root lt_root_after_step(lt_box box, const lt_obstacle *obstacle) {
    lt_obstacle end = *obstacle;
    if (end.moving) lt_obstacle_place(&end, obstacle->target_position, obstacle->target_rotation);
    return root_of_places(box, &end, ALL_PLACES);
}

/* How deep a place gets behind the surface that it meets first; -INFINITY: it meets none. */
static lt_root root_on_way(const lt_obstacle_query *q, lt_vec3 from, lt_vec3 to, float dt) {
    lt_obstacle_meeting m;
    lt_root r = {.depth = -INFINITY, .point = to};
    if (!lt_obstacle_query_way(q, from, to, 0, &m)) return r;
    lt_vec3 met = lt_v3_mad(from, lt_v3_sub(to, from), m.time);
    lt_vec3 onward = lt_v3_scale(lt_obstacle_velocity(q->obstacle, met), (1 - m.time) * dt);
    r.normal = m.normal;
    r.depth = lt_v3_dot(m.normal, lt_v3_sub(lt_v3_add(met, onward), to)) - m.distance;
    return r;
}

lt_root lt_root_over_step(lt_box from, lt_box to, const lt_obstacle *obstacle, float dt) {
    const float little = 0.1f; /* of a box: so far it is the end that counts */
    lt_vec3 size = lt_v3_sub(to.hi, to.lo), way = lt_v3_sub(lt_box_center(to), lt_box_center(from));
    float least = lt_min_f(size.x, lt_min_f(size.y, size.z));
    if (lt_v3_length(way) + lt_obstacle_sweep(obstacle, lt_box_union(from, to), dt) < little * least)
        return lt_root_after_step(to, obstacle);
    lt_obstacle_query q = {.obstacle = obstacle};
    lt_root deepest = {.depth = -INFINITY};
    lt_obstacle_query_aim(&q);
    for (uint32_t place = 0; place < ALL_PLACES; place++) {
        lt_root r = root_on_way(&q, place_of(from, place), place_of(to, place), dt);
        if (r.depth > deepest.depth) deepest = r;
    }
    return deepest;
}

lt_real lt_root_pursuit(const lt_root *root, lt_box from, lt_box to, const lt_obstacle *obstacle, float dt) {
    lt_vec3 way = lt_v3_sub(lt_box_center(to), lt_box_center(from));
    lt_vec3 nearer = lt_v3_sub(lt_v3_scale(lt_obstacle_velocity(obstacle, root->point), dt), way);
    return (lt_real)lt_max_f(0, lt_v3_dot(nearer, root->normal));
}

/* ---- what is known ---- */

bool lt_root_is_known(uint32_t bits) {
    return bits != 0;
}

float lt_root_known_depth(uint32_t bits) {
    float depth;
    memcpy(&depth, &bits, sizeof depth);
    return depth - 1;
}

uint32_t lt_root_know(float depth) {
    uint32_t bits;
    depth = 1 + (depth > 0 && depth < 1e30f ? depth : 0);
    memcpy(&bits, &depth, sizeof bits);
    return bits;
}

bool lt_root_is_sound(uint32_t bits) {
    float depth;
    memcpy(&depth, &bits, sizeof depth);
    return (bits == 0 || depth >= 1) && depth < 1e30f;
}

/* ---- answers ---- */

static lt_dvec3 wide(lt_rvec3 v) {
    return (lt_dvec3){v.x, v.y, v.z};
}

static lt_real inverse_mass_of(const lt_method_step *step, uint32_t body) {
    const lt_soft *soft = &step->softs[body];
    return step->colliders[body].asleep || soft->pin_count ? 0 : 1 / soft->total_mass;
}

static lt_root_push *push_of(const lt_method_step *step, lt_root_push *pushes, uint32_t body) {
    lt_root_push *push = &pushes[body];
    const lt_soft *soft = &step->softs[body];
    if (!push->known) push->velocity = lt_r3_scale(lt_soft_momentum(soft), 1 / soft->total_mass);
    push->known = true;
    return push;
}

static void add_push(lt_root_push *push, lt_rvec3 velocity, lt_rvec3 way) {
    push->velocity = lt_r3_add(push->velocity, velocity);
    push->change = lt_r3_add(push->change, velocity);
    push->way = lt_r3_add(push->way, way);
    push->moves = true;
}

static void add_spin(lt_root_push *push, lt_dvec3 moment) {
    lt_dvec3 spin = lt_dm3_mul_vec(push->inverse_inertia, moment);
    push->spin = lt_d3_add(push->spin, spin);
    push->spin_change = lt_d3_add(push->spin_change, spin);
}

void lt_root_move(const lt_root_push *push, lt_soft *soft) {
    lt_screw screw = {wide(push->change), push->spin_change};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 arm = lt_r3_sub(lt_node_get(soft->x, node), push->center);
        lt_node_add(soft->v, node, lt_screw_at(&screw, arm), 1);
        lt_node_add(soft->x, node, push->way, 1);
    }
}

/* With all answers so far; knows both velocities then. */
static lt_rvec3 velocity_between(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                                 const lt_root *root) {
    lt_rvec3 own = push_of(step, pushes, pair->a)->velocity, other;
    if (pair->kind == LT_PAIR_BODIES)
        other = push_of(step, pushes, pair->b)->velocity;
    else
        other = lt_r3_from_v3(lt_obstacle_velocity(lt_step_obstacle(step, pair), root->point));
    return lt_r3_sub(other, own);
}

lt_real lt_root_approach(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                         const lt_root *root) {
    return lt_r3_dot(velocity_between(step, pushes, pair, root), lt_r3_from_v3(root->normal));
}

/* ---- on one line ---- */

static void know_turning(const lt_method_step *step, lt_root_push *push, uint32_t body) {
    const lt_soft *soft = &step->softs[body];
    if (push->turning_known) return;
    push->turning_known = true;
    push->center = lt_soft_center(soft);
    lt_rigid rigid = lt_rigid_of(soft->x, soft->mass, soft->carrier.node_count, push->center);
    lt_twist momentum = {{0}, {0}};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_twist_add(&momentum, lt_r3_sub(lt_node_get(soft->x, node), push->center),
                     lt_node_get(soft->v, node), soft->mass[node]);
    push->inverse_inertia = rigid.inverse_inertia;
    push->spin = lt_rigid_gain(&rigid, &momentum).spin;
}

/* Moments, of an impulse of 1 along the normal on a and against it on b. Of the lines along the normal it is the one by which the
 * two turn least: between their centres, nearer to the one that turns more easily. */
typedef struct line {
    lt_dvec3 moment_a, moment_b;
    double share;   /* of any other moment that is a's */
    double turning; /* 1/kg: what turning adds to how easily they part */
} line;

static line line_between(const lt_root_push *a, const lt_root_push *b, lt_dvec3 normal) {
    lt_dvec3 from = wide(a->center), aside = lt_d3_sub(wide(b->center), from);
    lt_dvec3 moment = lt_d3_cross(aside, normal); /* of the whole offset */
    double ease_a = lt_d3_dot(moment, lt_dm3_mul_vec(a->inverse_inertia, moment));
    double ease_b = lt_d3_dot(moment, lt_dm3_mul_vec(b->inverse_inertia, moment));
    double share = ease_a + ease_b > 0 ? ease_b / (ease_a + ease_b) : 0.5;
    return (line){lt_d3_scale(moment, share), lt_d3_scale(moment, 1 - share), share,
                  share * share * ease_a + (1 - share) * (1 - share) * ease_b};
}

/* Moving them apart by hand changes the angular momentum of bodies that slide past each other: they turn by as much. */
static lt_dvec3 moment_of_way(const lt_root_push *a, const lt_root_push *b, lt_dvec3 shift) {
    return lt_d3_cross(lt_d3_sub(wide(b->velocity), wide(a->velocity)), lt_d3_scale(shift, -1));
}

/* Beyond this the numbers of a damaged body are not worth turning it. */
static bool may_turn(lt_dvec3 spin) {
    const double most = 1e6;
    return lt_d3_dot(spin, spin) < most * most;
}

static bool are_alone(const lt_root_push *a, const lt_root_push *b) {
    return a->pair_count == 1 && b->pair_count == 1;
}

/* Two bodies that have only each other. False: they cannot turn. */
static bool answer_on_line(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                           const lt_root *root, lt_real share, lt_real reach, lt_rvec3 *impulse) {
    lt_root_push *a = &pushes[pair->a], *b = &pushes[pair->b];
    lt_dvec3 normal = lt_d3_from_v3(root->normal);
    double mass_a = inverse_mass_of(step, pair->a), mass_b = inverse_mass_of(step, pair->b);
    know_turning(step, a, pair->a);
    know_turning(step, b, pair->b);
    line l = line_between(a, b, normal);
    double approach = (double)lt_root_approach(step, pushes, pair, root) - lt_d3_dot(a->spin, l.moment_a) -
                      lt_d3_dot(b->spin, l.moment_b);
    double size = approach > 0 ? (double)share * approach / (mass_a + mass_b + l.turning) : 0;
    lt_root_push after_a = *a, after_b = *b;
    lt_rvec3 push = lt_r3_scale(lt_r3_from_v3(root->normal), (lt_real)size);
    lt_rvec3 shift = lt_r3_scale(lt_r3_from_v3(root->normal), reach / (lt_real)(mass_a + mass_b));
    add_push(&after_a, lt_r3_scale(push, (lt_real)mass_a), lt_r3_scale(shift, (lt_real)mass_a));
    add_push(&after_b, lt_r3_scale(push, -(lt_real)mass_b), lt_r3_scale(shift, -(lt_real)mass_b));
    lt_dvec3 rest = moment_of_way(&after_a, &after_b, wide(shift));
    add_spin(&after_a, lt_d3_mad(lt_d3_scale(l.moment_a, size), rest, l.share));
    add_spin(&after_b, lt_d3_mad(lt_d3_scale(l.moment_b, size), rest, 1 - l.share));
    if (!may_turn(after_a.spin) || !may_turn(after_b.spin)) return false;
    *a = after_a;
    *b = after_b;
    *impulse = push;
    return true;
}

/* An impulse on a, against it on b, and both moved apart along the normal, by `reach` for each 1/kg. */
static void give(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair, lt_rvec3 impulse,
                 lt_rvec3 normal, lt_real reach) {
    lt_real mass_a = inverse_mass_of(step, pair->a);
    if (mass_a > 0)
        add_push(&pushes[pair->a], lt_r3_scale(impulse, mass_a), lt_r3_scale(normal, reach * mass_a));
    if (pair->kind != LT_PAIR_BODIES) return;
    lt_real mass_b = inverse_mass_of(step, pair->b);
    if (mass_b > 0)
        add_push(&pushes[pair->b], lt_r3_scale(impulse, -mass_b), lt_r3_scale(normal, -reach * mass_b));
}

lt_real lt_root_ease(const lt_method_step *step, const lt_pair *pair) {
    bool bodies = pair->kind == LT_PAIR_BODIES;
    return inverse_mass_of(step, pair->a) + (bodies ? inverse_mass_of(step, pair->b) : 0);
}

lt_rvec3 lt_root_answer(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                        const lt_root *root, lt_real share, lt_real reach) {
    lt_rvec3 none = {0, 0, 0}, normal = lt_r3_from_v3(root->normal);
    lt_real ease = lt_root_ease(step, pair);
    if (!(ease > 0)) return none;
    lt_real approach = lt_root_approach(step, pushes, pair, root);
    lt_rvec3 impulse = lt_r3_scale(normal, approach > 0 ? share * approach / ease : 0);
    bool two = pair->kind == LT_PAIR_BODIES && inverse_mass_of(step, pair->a) > 0 &&
               inverse_mass_of(step, pair->b) > 0 && are_alone(&pushes[pair->a], &pushes[pair->b]);
    if (two && answer_on_line(step, pushes, pair, root, share, reach, &impulse)) return impulse;
    give(step, pushes, pair, impulse, normal, reach / ease);
    return impulse;
}

void lt_root_part(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair, const lt_root *root,
                  lt_real impulse, lt_real reach) {
    lt_rvec3 normal = lt_r3_from_v3(root->normal);
    lt_real ease = lt_root_ease(step, pair);
    if (!(ease > 0)) return;
    velocity_between(step, pushes, pair, root);
    give(step, pushes, pair, lt_r3_scale(normal, impulse), normal, reach / ease);
}

/* m/s: less is not worth moving all nodes of two bodies for. */
static const lt_real LITTLE = (lt_real)1e-3;

lt_rvec3 lt_root_rub(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair,
                     const lt_root *root, lt_real most) {
    lt_rvec3 none = {0, 0, 0}, normal = lt_r3_from_v3(root->normal);
    lt_real ease = lt_root_ease(step, pair);
    lt_rvec3 between = velocity_between(step, pushes, pair, root);
    between = lt_r3_mad(between, normal, -lt_r3_dot(between, normal));
    lt_real speed = lt_r3_length(between);
    if (!(ease > 0) || !(speed > LITTLE)) return none;
    lt_rvec3 impulse = lt_r3_scale(between, lt_min_r(1 / ease, most / speed));
    give(step, pushes, pair, impulse, none, 0);
    return impulse;
}

lt_rvec3 lt_root_drag(const lt_method_step *step, lt_root_push *pushes, const lt_pair *pair, lt_real share) {
    const lt_root nowhere = {0};
    lt_rvec3 none = {0, 0, 0}, between = velocity_between(step, pushes, pair, &nowhere);
    lt_real ease = lt_root_ease(step, pair);
    if (!(ease > 0) || !(lt_r3_length_squared(between) > LITTLE * LITTLE)) return none;
    lt_rvec3 impulse = lt_r3_scale(between, share / ease);
    give(step, pushes, pair, impulse, none, 0);
    return impulse;
}
