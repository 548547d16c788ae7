/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From the front of two sphere trees, cut wherever the budget ended, to contacts (papers/000 §4.3; M9, M10).
 *
 * Every pair of the front gives one symmetric push along the line of centres, with direction n, overlap δ and an area
 *
 *   A_c = min(a_A / n_A, a_B / n_B)              n: contacts of that sphere, so that areas are shared out, not multiplied
 *   leaf against leaf    d = δ − ½ (ε_A + ε_B)   nothing is left to decide
 *   with an inner node   d = δ − ε_A − ε_B       the part that is certain; nothing certain: undecided, d = 0, which
 *                                                resists approach and pushes nothing out
 *
 * so that a coarse front neither attracts nor explodes. The pushes on one sphere of the first body are then added up to
 * one contact: same resultant, at their centre of force, equal and opposite on the other body by construction. A pile of
 * thousands of leaf pairs is so some tens of contacts for the solver.
 *
 * Against obstacles a leaf's contact is at the deepest of the surface points it owns: the surface rests, not the spheres. */

#include "respond/respond.h"

#include <string.h>

/* Weights beyond which a tet does not hold a place that is only beside it. */
static const float FARTHEST_HOLD = 2;

static uint32_t most_nodes(const lt_collider *colliders, uint32_t count) {
    uint32_t most = LT_LANES;
    for (uint32_t i = 0; i < count; i++)
        if (colliders[i].in_use && colliders[i].spheres.tree)
            most = lt_max_u32(most, LT_LANES * colliders[i].spheres.tree->block_count);
    return most;
}

size_t lt_front_scratch_size(const lt_collider *colliders, uint32_t collider_count, uint32_t look_capacity) {
    size_t nodes = most_nodes(colliders, collider_count);
    return look_capacity * sizeof(lt_front_look) +
           nodes * (4 * sizeof(uint32_t) + 2 * sizeof(float) + sizeof(lt_front_sum)) + 8 * (size_t)64;
}

bool lt_front_scratch_take(lt_front_scratch *scratch, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t look_capacity, lt_arena *arena) {
    uint32_t nodes = most_nodes(colliders, collider_count);
    *scratch =
        (lt_front_scratch){.looks = LT_TAKE(arena, look_capacity, lt_front_look),
                           .look_capacity = look_capacity,
                           .counts = {LT_TAKE(arena, nodes, uint32_t), LT_TAKE(arena, nodes, uint32_t)},
                           .shares = {LT_TAKE(arena, nodes, float), LT_TAKE(arena, nodes, float)},
                           .sums = LT_TAKE(arena, nodes, lt_front_sum),
                           .seen = LT_TAKE(arena, nodes, uint32_t),
                           .uses = LT_TAKE(arena, nodes, uint32_t),
                           .node_capacity = nodes};
    if (!scratch->looks || !scratch->counts[0] || !scratch->counts[1] || !scratch->shares[0] ||
        !scratch->shares[1] || !scratch->sums || !scratch->seen || !scratch->uses)
        return false;
    memset(scratch->counts[0], 0, nodes * sizeof(uint32_t));
    memset(scratch->counts[1], 0, nodes * sizeof(uint32_t));
    memset(scratch->sums, 0, nodes * sizeof(lt_front_sum));
    return true;
}

/* ---- looking at pairs ---- */

static lt_vec3 fallback_direction(const lt_front *f) {
    const lt_collider *a = &f->colliders[f->pair.a], *b = &f->colliders[f->pair.b];
    lt_vec3 apart = lt_v3_sub(lt_v3_add(a->box.lo, a->box.hi), lt_v3_add(b->box.lo, b->box.hi));
    return lt_v3_normalize_or(apart, (lt_vec3){0, 0, 1});
}

/* Of two bodies of which only the boxes are known: the way along which they overlap least. */
static lt_vec3 direction_of_boxes(const lt_front *f) {
    lt_box a = f->colliders[f->pair.a].box, b = f->colliders[f->pair.b].box;
    lt_vec3 apart = lt_v3_sub(lt_v3_add(a.lo, a.hi), lt_v3_add(b.lo, b.hi));
    float least = 3e38f;
    lt_vec3 direction = {0, 0, 1};
    for (int axis = 0; axis < 3; axis++) {
        float overlap = lt_min_f(lt_v3_get(a.hi, axis), lt_v3_get(b.hi, axis)) -
                        lt_max_f(lt_v3_get(a.lo, axis), lt_v3_get(b.lo, axis));
        if (!(overlap < least)) continue;
        float sign = lt_v3_get(apart, axis) < 0 ? -1.0f : 1.0f;
        least = overlap;
        direction = (lt_vec3){axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
    }
    return direction;
}

/* Depth beyond the errors, and what kind of contact that makes; kind 0: none. */
static void judge(const lt_front *f, lt_front_look *look, float errors, bool leaves) {
    bool self = f->pair.kind == LT_PAIR_SELF;
    look->kind = LT_FRONT_SEEN | (leaves ? 0 : LT_FRONT_CUT);
    look->depth = look->overlap - (leaves ? 0.5f : 1.0f) * errors;
    if (look->depth > 0 && !(self && !leaves)) return;
    if (leaves)
        look->kind = look->depth > -f->margin ? look->kind | LT_FRONT_COMING : 0;
    else
        look->kind = look->overlap > 0 && !self ? look->kind | LT_FRONT_UNDECIDED : 0;
}

static lt_front_look look_at(const lt_front *f, const lt_front_pair *p, const lt_spheres *a,
                             const lt_spheres *b, lt_vec3 fallback) {
    lt_front_look look = {.a = p->a, .b = p->b};
    lt_vec3 apart = lt_v3_sub(lt_sphere_center(a, p->a), lt_sphere_center(b, p->b));
    float distance = lt_v3_length(apart);
    look.direction = distance > 1e-20f ? lt_v3_scale(apart, 1 / distance) : fallback;
    look.overlap = lt_sphere_now(a, LT_NOW_RADIUS, p->a) + lt_sphere_now(b, LT_NOW_RADIUS, p->b) - distance;
    if (p->a == 0 && p->b == 0 && f->pair.kind == LT_PAIR_BODIES) look.direction = direction_of_boxes(f);
    bool leaves = a->tree->children[p->a] == LT_NONE && b->tree->children[p->b] == LT_NONE;
    judge(f, &look, lt_sphere_now(a, LT_NOW_ERROR, p->a) + lt_sphere_now(b, LT_NOW_ERROR, p->b), leaves);
    return look;
}

static float area_of(const lt_spheres *s, uint32_t node) {
    return lt_ball(s->tree, LT_BALL_AREA, node) * s->scale * s->scale;
}

/* Looks at all pairs; keeps those that make a contact, and counts them per sphere. */
static uint32_t look_at_all(lt_front *f, const lt_spheres *a, const lt_spheres *b) {
    lt_front_scratch *s = f->scratch;
    lt_vec3 fallback = fallback_direction(f);
    uint32_t count = 0, bucket;
    for (uint32_t i = lt_front_next(f->traverse, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(f->traverse, i, &bucket)) {
        const lt_front_pair *p = &f->traverse->pool[i];
        if (f->pair.kind == LT_PAIR_SELF && p->a == p->b) {
            f->undecided++;
            continue;
        }
        lt_front_look look = look_at(f, p, a, b, fallback);
        if (look.overlap > 0) {
            f->overlapping++;
            f->gap_error = lt_max_f(f->gap_error, p->bound);
        }
        f->undecided += (look.kind & LT_FRONT_UNDECIDED) != 0;
        uint32_t level = lt_min_u32(a->tree->levels[lt_block_of(p->a)], b->tree->levels[lt_block_of(p->b)]);
        f->deepest_level = lt_max_u32(f->deepest_level, level);
        if (!look.kind) continue;
        s->looks[count++] = look;
        s->counts[0][look.a]++;
        s->counts[1][look.b]++;
    }
    for (uint32_t i = 0; i < count; i++) { /* counts become shares of the area, once for every sphere */
        const lt_front_look *look = &s->looks[i];
        if (s->counts[0][look->a]) s->shares[0][look->a] = area_of(a, look->a) / (float)s->counts[0][look->a];
        if (s->counts[1][look->b]) s->shares[1][look->b] = area_of(b, look->b) / (float)s->counts[1][look->b];
        s->counts[0][look->a] = s->counts[1][look->b] = 0;
    }
    return count;
}

static void log_sphere(lt_sphere_log *log, uint32_t body, uint32_t node) {
    if (log && log->count < log->capacity) log->spheres[log->count++] = (lt_logged_sphere){body, node};
}

/* ---- adding up ---- */

/* The sphere on which a contact of this one is added up. */
static uint32_t sum_node(const lt_sphere_tree *tree, uint32_t node, uint32_t detail) {
    while (tree->levels[lt_block_of(node)] > detail)
        node = tree->parents[lt_block_of(node)];
    return node;
}

/* Without anything certain: all that is undecided together, at depth 0; else the one pair that is nearest to touching. */
static void add_near(lt_front_sum *sum, const lt_front_look *look, lt_vec3 point, float area) {
    bool undecided = look->kind & LT_FRONT_UNDECIDED;
    float depth = undecided ? 0 : look->depth;
    if (sum->near_area > 0 && (depth < sum->near_depth || (!undecided && depth <= sum->near_depth))) return;
    if (depth > sum->near_depth || sum->near_area == 0) {
        sum->near_push = sum->near_place = (lt_vec3){0, 0, 0};
        sum->near_area = 0;
        sum->near_depth = depth;
        sum->near_own = look->a;
        sum->near_other = look->b;
    }
    sum->near_push = lt_v3_mad(sum->near_push, look->direction, area);
    sum->near_place = lt_v3_mad(sum->near_place, point, area);
    sum->near_area += area;
}

static void add_look(lt_front *f, const lt_front_look *look, const lt_spheres *a) {
    lt_front_sum *sum = &f->scratch->sums[sum_node(a->tree, look->a, f->detail)];
    float area = lt_min_f(f->scratch->shares[0][look->a], f->scratch->shares[1][look->b]);
    float inset = lt_sphere_now(a, LT_NOW_RADIUS, look->a) - 0.5f * look->overlap;
    lt_vec3 point = lt_v3_mad(lt_sphere_center(a, look->a), look->direction, -inset);
    if (!(look->kind & (LT_FRONT_COMING | LT_FRONT_UNDECIDED))) {
        float weight = area * look->depth;
        sum->push = lt_v3_mad(sum->push, look->direction, weight);
        sum->place = lt_v3_mad(sum->place, point, weight);
        sum->weight += weight;
        sum->squares += weight * look->depth;
        if (weight > sum->best) {
            sum->best = weight;
            sum->own = look->a;
            sum->other = look->b;
        }
        f->push = lt_v3_mad(f->push, look->direction, weight);
        f->push_size += (double)weight;
        return;
    }
    add_near(sum, look, point, area);
}

/* ---- contacts ---- */

/* Weights that reproduce the point in a tet. */
static bool hold_in_tet(lt_hold *hold, const lt_collider *c, uint32_t at, lt_vec3 point) {
    hold->tet = at;
    const uint32_t *tet = c->soft->carrier.tets + 4 * (size_t)hold->tet;
    lt_dvec3 corners[4];
    double weights[4];
    for (int k = 0; k < 4; k++) {
        lt_rvec3 x = lt_node_get(c->soft->x, tet[k]);
        corners[k] = (lt_dvec3){x.x, x.y, x.z};
    }
    if (!lt_barycentric_weights(weights, corners, lt_d3_from_v3(point))) return false;
    for (int k = 0; k < 4; k++) {
        if (!(fabs(weights[k]) < 1e6)) return false;
        hold->weights[k] = (float)weights[k];
    }
    return true;
}

static lt_vec3 surface_point(const lt_collider *c, uint32_t point) {
    if (!c->points_fresh)
        lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), c->points, c->skin, c->soft->nodes, point,
                           point + 1);
    return c->points[point];
}

/* The tet of the leaf's surface point that is nearest, for a place at its rim: the centre of a large sphere may be many tets
 * away. Of an inner sphere, or a leaf without points, the tet that holds the centre. */
static uint32_t tet_near(const lt_collider *c, uint32_t node, lt_vec3 place) {
    const lt_sphere_tree *tree = c->spheres.tree;
    float least = lt_v3_distance(place, lt_sphere_center(&c->spheres, node));
    uint32_t tet = tree->tets[node];
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        float distance = lt_v3_distance(place, surface_point(c, tree->points[i]));
        if (!(distance < least)) continue;
        least = distance;
        tet = c->skin->tets[tree->points[i]];
    }
    return tet;
}

static bool hold_point(lt_hold *hold, const lt_collider *c, uint32_t node, lt_vec3 point) {
    return hold_in_tet(hold, c, tet_near(c, node, point), point);
}

static lt_vec3 hold_middle(lt_hold *hold, const lt_collider *c, uint32_t node) {
    *hold = (lt_hold){c->spheres.tree->tets[node], {0.25f, 0.25f, 0.25f, 0.25f}};
    const uint32_t *tet = c->soft->carrier.tets + 4 * (size_t)hold->tet;
    lt_rvec3 middle = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        middle = lt_r3_mad(middle, lt_node_get(c->soft->x, tet[k]), (lt_real)0.25);
    return lt_v3_from_r3(middle);
}

static bool is_held_well(const lt_hold *hold) {
    bool well = true;
    for (int k = 0; k < 4; k++)
        well = well && fabsf(hold->weights[k]) <= FARTHEST_HOLD;
    return well;
}

/* While nothing is certain there is no place where two bodies touch. The middle of the overlap will do, if the tets that hold
 * the centres reach it well. Else two places must not come nearer: on the line of the push, beside the middles of these tets,
 * or the middles themselves. */
static bool hold_undecided(lt_touch *touch, const lt_collider *a, uint32_t own, const lt_collider *b,
                           uint32_t other, lt_vec3 point) {
    touch->depth = 0;
    if (hold_point(&touch->own, a, own, point) && hold_point(&touch->other, b, other, point) &&
        is_held_well(&touch->own) && is_held_well(&touch->other))
        return true;
    lt_vec3 from = hold_middle(&touch->own, a, own), to = hold_middle(&touch->other, b, other);
    lt_vec3 n = touch->normal;
    lt_vec3 p = lt_v3_mad(point, n, lt_v3_dot(lt_v3_sub(from, point), n));
    lt_vec3 q = lt_v3_mad(point, n, lt_v3_dot(lt_v3_sub(to, point), n));
    touch->apart = lt_v3_dot(lt_v3_sub(p, q), n);
    if (touch->apart > 0.1f * (float)a->soft->mean_edge && hold_point(&touch->own, a, own, p) &&
        hold_point(&touch->other, b, other, q) && is_held_well(&touch->own) && is_held_well(&touch->other))
        return true;
    hold_middle(&touch->own, a, own);
    hold_middle(&touch->other, b, other);
    touch->apart = lt_v3_distance(from, to);
    touch->normal = lt_v3_normalize_or(lt_v3_sub(from, to), n);
    return touch->apart > 0;
}

static void harvest_sum(lt_front *f, uint32_t node, const lt_collider *a, const lt_collider *b) {
    const lt_front_sum *sum = &f->scratch->sums[node];
    bool certain = sum->weight > 0;
    lt_vec3 push = certain ? sum->push : sum->near_push;
    if (!certain && (sum->kind & LT_FRONT_HELD)) return; /* what was found there before stands for it */
    lt_vec3 point =
        certain ? lt_v3_scale(sum->place, 1 / sum->weight) : lt_v3_scale(sum->near_place, 1 / sum->near_area);
    /* By its share of the whole: of bodies of microns, whose products of lengths have no room for squares. */
    push = lt_v3_scale(push, 1 / (certain ? sum->weight : sum->near_area));
    float share = lt_v3_length(push);
    if (!(share > 1e-6f)) return; /* pushes from all sides cancel */
    /* The mean depth, each as heavy as its push, less what cancels; area × depth is the resultant. A plain mean would
     * jump when one more pair begins to touch. */
    float depth = certain ? sum->squares / sum->weight * share : sum->near_depth;
    if (certain && !(depth > 1e-30f)) return;
    lt_touch touch = {.body = f->pair.a,
                      .point = LT_NONE,
                      .normal = lt_v3_scale(push, 1 / share),
                      .depth = depth,
                      .area = certain ? sum->weight / depth * share : sum->near_area,
                      .approximate = (sum->kind & LT_FRONT_CUT) != 0};
    if (!certain && (sum->kind & LT_FRONT_UNDECIDED)) {
        if (!hold_undecided(&touch, a, sum->near_own, b, sum->near_other, point)) return;
        lt_harvest_add(f->harvest, &f->pair, node, &touch);
        f->contacts++;
        return;
    }
    if (!hold_point(&touch.own, a, certain ? sum->own : sum->near_own, point)) return;
    if (!hold_point(&touch.other, b, certain ? sum->other : sum->near_other, point)) return;
    lt_harvest_add(f->harvest, &f->pair, node, &touch);
    f->contacts++;
}

static void see_node(lt_front_scratch *s, uint32_t *seen, uint32_t node, uint32_t kind) {
    if (!s->sums[node].kind) s->seen[(*seen)++] = node;
    s->sums[node].kind |= kind;
}

/* A front that was cut says nothing yet of what lies under its undecided spheres; a contact that was found there before
 * lives on, and stands for that sphere. What the front has decided replaces it. */
static void keep_held(lt_front *f, const lt_sphere_tree *tree) {
    lt_front_sum *sums = f->scratch->sums;
    bool obstacle = f->pair.kind == LT_PAIR_OBSTACLE;
    for (uint32_t i = 0; i < f->held_count; i++) {
        const lt_contact_record *r = &f->held[i];
        uint32_t node = r->feature;
        if (node >= LT_LANES * tree->block_count || r->depth < -f->margin) continue;
        while (node != LT_NONE && !sums[node].kind)
            node = tree->parents[lt_block_of(node)];
        if (node == LT_NONE || sums[node].weight > 0) continue;
        bool decided = obstacle && (sums[node].kind & LT_FRONT_COMING);
        if (decided || !(sums[node].kind & LT_FRONT_UNDECIDED)) continue;
        sums[node].kind |= LT_FRONT_HELD;
        lt_harvest_keep(f->harvest, r);
        f->contacts++;
    }
}

static uint32_t respond_to_body(lt_front *f) {
    const lt_collider *a = &f->colliders[f->pair.a], *b = &f->colliders[f->pair.b];
    lt_front_scratch *s = f->scratch;
    uint32_t looks = look_at_all(f, &a->spheres, &b->spheres), seen = 0;
    for (uint32_t i = 0; i < looks; i++) {
        see_node(s, &seen, sum_node(a->spheres.tree, s->looks[i].a, f->detail), s->looks[i].kind);
        log_sphere(f->log, f->pair.a, s->looks[i].a);
        log_sphere(f->log, f->pair.b, s->looks[i].b);
        add_look(f, &s->looks[i], &a->spheres);
    }
    keep_held(f, a->spheres.tree);
    for (uint32_t i = 0; i < seen; i++) {
        harvest_sum(f, s->seen[i], a, b);
        s->sums[s->seen[i]] = (lt_front_sum){0};
    }
    return LT_FRONT_UNITS * (f->traverse->found_count + f->traverse->queued_count) +
           LT_FRONT_CONTACT_UNITS * seen;
}

/* ---- obstacles ---- */

/* The deepest surface point of a leaf; LT_NONE: it owns none. */
static uint32_t deepest_point(const lt_front *f, uint32_t node, lt_obstacle_hit *hit) {
    const lt_collider *c = &f->colliders[f->pair.a];
    const lt_sphere_tree *tree = c->spheres.tree;
    uint32_t deepest = LT_NONE;
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        uint32_t point = tree->points[i];
        lt_obstacle_hit now = lt_obstacle_distance(&f->obstacles[f->pair.b], surface_point(c, point));
        if (deepest != LT_NONE && !(now.distance < hit->distance)) continue;
        deepest = point;
        *hit = now;
    }
    return deepest;
}

/* A place on the sphere towards the obstacle: as deep as a leaf without points counts for, or just touching while the
 * errors leave it open. */
static bool place_on_sphere(const lt_front *f, uint32_t node, bool leaf, lt_touch *touch) {
    const lt_collider *c = &f->colliders[f->pair.a];
    const lt_spheres *s = &c->spheres;
    lt_vec3 center = lt_sphere_center(s, node);
    lt_obstacle_hit hit = lt_obstacle_distance(&f->obstacles[f->pair.b], center);
    float radius = lt_sphere_now(s, LT_NOW_RADIUS, node), error = lt_sphere_now(s, LT_NOW_ERROR, node);
    touch->depth = radius - hit.distance - error; /* the surface rests on it, not the sphere */
    touch->normal = hit.normal;
    touch->point = LT_NONE;
    if (!leaf && !(touch->depth > 0)) {
        lt_obstacle_hit middle =
            lt_obstacle_distance(&f->obstacles[f->pair.b], hold_middle(&touch->own, c, node));
        touch->normal = middle.normal;
        touch->depth = 0;
        touch->apart = lt_max_f(middle.distance, 1e-30f);
        return true;
    }
    return touch->depth > -f->margin &&
           hold_point(&touch->own, c, node, lt_v3_mad(center, hit.normal, -(hit.distance + touch->depth)));
}

/* Where and how deep a sphere of the front meets the obstacle; false: it does not. */
static bool touch_obstacle(const lt_front *f, uint32_t node, lt_touch *touch) {
    const lt_collider *c = &f->colliders[f->pair.a];
    bool leaf = c->spheres.tree->children[node] == LT_NONE;
    *touch = (lt_touch){.body = f->pair.a,
                        .own = {.tet = LT_NONE},
                        .other = {.tet = LT_NONE},
                        .area = area_of(&c->spheres, node),
                        .approximate = !leaf};
    lt_obstacle_hit hit;
    uint32_t point = leaf ? deepest_point(f, node, &hit) : LT_NONE;
    if (point == LT_NONE) return place_on_sphere(f, node, leaf, touch);
    touch->point = point;
    touch->normal = hit.normal;
    touch->depth = -hit.distance;
    return hit.distance < f->margin;
}

/* Points of a leaf carry as soon as they are this near, in radii of the sphere, and the more the deeper they are. */
static const float CARRY_SHARE = 0.1f;

static float carry_reach(const lt_front *f, uint32_t node) {
    return CARRY_SHARE * lt_sphere_now(&f->colliders[f->pair.a].spheres, LT_NOW_RADIUS, node);
}

static void add_place(lt_front_sum *sum, lt_vec3 place, float weight, uint32_t tet) {
    sum->place = lt_v3_mad(sum->place, place, weight);
    sum->weight += weight;
    if (!(weight > sum->best)) return;
    sum->best = weight;
    sum->own = tet;
}

/* All that carries: points of a leaf, or where a sphere is for certain. Their centre of force moves smoothly; if the
 * deepest point spoke for all, two that carry a body by turns would shake it for ever. */
static void add_places(const lt_front *f, uint32_t node, const lt_touch *touch, lt_front_sum *sum) {
    const lt_collider *c = &f->colliders[f->pair.a];
    const lt_sphere_tree *tree = c->spheres.tree;
    float reach = carry_reach(f, node);
    if (touch->point == LT_NONE) {
        lt_anchor anchor = {.count = 4};
        memcpy(anchor.ids, c->soft->carrier.tets + 4 * (size_t)touch->own.tet, 4 * sizeof(uint32_t));
        for (int k = 0; k < 4; k++)
            anchor.weights[k] = touch->own.weights[k];
        add_place(sum, lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x)),
                  touch->area * (touch->depth + reach), touch->own.tet);
        return;
    }
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        uint32_t point = tree->points[i];
        float depth = reach - lt_obstacle_distance(&f->obstacles[f->pair.b], c->points[point]).distance;
        if (depth > 0)
            add_place(sum, c->points[point], lt_collider_point_area(c, point) * depth, c->skin->tets[point]);
    }
}

/* Of the spheres that are added up on one, the nearest speaks for all while nothing carries. */
static void add_obstacle_touch(lt_front *f, uint32_t node, uint32_t *seen) {
    lt_touch touch;
    const lt_sphere_tree *tree = f->colliders[f->pair.a].spheres.tree;
    bool leaf = tree->children[node] == LT_NONE;
    uint32_t at = sum_node(tree, node, f->detail);
    if (!touch_obstacle(f, node, &touch)) return;
    see_node(f->scratch, seen, at, LT_FRONT_SEEN | (leaf ? LT_FRONT_COMING : LT_FRONT_UNDECIDED));
    lt_front_sum *sum = &f->scratch->sums[at];
    float weight = touch.area * lt_max_f(0, touch.depth);
    f->push = lt_v3_mad(f->push, touch.normal, weight);
    f->push_size += (double)weight;
    f->undecided += !leaf && touch.depth <= 0;
    sum->area += touch.area;
    if (touch.depth > (leaf ? -carry_reach(f, node) : 0)) add_places(f, node, &touch, sum);
    if (sum->near_area > 0 && touch.depth <= sum->near_depth) return;
    sum->near_area = 1;
    sum->near_depth = touch.depth;
    sum->near_own = node;
}

/* Moves a touch to the centre of force. */
static void center_touch(const lt_front *f, const lt_front_sum *sum, lt_touch *touch) {
    lt_vec3 place = lt_v3_scale(sum->place, 1 / sum->weight);
    lt_obstacle_hit hit = lt_obstacle_distance(&f->obstacles[f->pair.b], place);
    lt_hold own;
    if (!(hit.distance < f->margin) || !hold_in_tet(&own, &f->colliders[f->pair.a], sum->own, place)) return;
    touch->point = LT_NONE;
    touch->apart = 0;
    touch->own = own;
    touch->normal = hit.normal;
    touch->depth = -hit.distance;
}

static void harvest_obstacle(lt_front *f, uint32_t node) {
    const lt_front_sum *sum = &f->scratch->sums[node];
    lt_touch touch;
    if ((sum->kind & LT_FRONT_HELD) || !touch_obstacle(f, sum->near_own, &touch)) return;
    touch.area = sum->area;
    if (sum->weight > 0) center_touch(f, sum, &touch);
    lt_harvest_add(f->harvest, &f->pair, node, &touch);
    log_sphere(f->log, f->pair.a, sum->near_own);
    f->contacts++;
}

static uint32_t respond_to_obstacle(lt_front *f) {
    const lt_spheres *s = &f->colliders[f->pair.a].spheres;
    uint32_t cost = 0, seen = 0, bucket;
    for (uint32_t i = lt_front_next(f->traverse, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(f->traverse, i, &bucket)) {
        const lt_front_pair *p = &f->traverse->pool[i];
        add_obstacle_touch(f, p->a, &seen);
        cost += LT_FRONT_UNITS;
        if (s->tree->children[p->a] == LT_NONE)
            cost += LT_FRONT_POINT_UNITS * (s->tree->point_begin[p->a + 1] - s->tree->point_begin[p->a]);
        f->overlapping++;
        f->gap_error = lt_max_f(f->gap_error, p->bound);
        f->deepest_level = lt_max_u32(f->deepest_level, s->tree->levels[lt_block_of(p->a)]);
    }
    keep_held(f, s->tree);
    for (uint32_t i = 0; i < seen; i++) {
        harvest_obstacle(f, f->scratch->seen[i]);
        f->scratch->sums[f->scratch->seen[i]] = (lt_front_sum){0};
    }
    return cost + LT_FRONT_CONTACT_UNITS * seen;
}

uint32_t lt_front_respond(lt_front *front) {
    front->push = (lt_vec3){0, 0, 0};
    front->push_size = 0;
    front->contacts = front->overlapping = front->undecided = front->deepest_level = 0;
    front->gap_error = 0;
    return front->pair.kind == LT_PAIR_OBSTACLE ? respond_to_obstacle(front) : respond_to_body(front);
}
