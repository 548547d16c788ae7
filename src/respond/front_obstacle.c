/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The front of a body's spheres and an obstacle as contacts; front.c has the law.
 *
 * A leaf's contact is where the surface points it owns carry: the surface rests, not the spheres. */

#include "respond/front_internal.h"

/* The deepest surface point of a leaf; LT_NONE: it owns none. */
static uint32_t deepest_point(const lt_front *f, uint32_t node, lt_obstacle_hit *hit) {
    const lt_collider *c = &f->colliders[f->pair.a];
    const lt_sphere_tree *tree = c->spheres.tree;
    uint32_t deepest = LT_NONE;
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        uint32_t point = tree->points[i];
        lt_obstacle_hit now = lt_obstacle_distance(
            lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b), lt_surface_point(c, point));
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
    lt_obstacle_hit hit =
        lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b), center);
    float radius = lt_sphere_now(s, LT_NOW_RADIUS, node), error = lt_sphere_now(s, LT_NOW_ERROR, node);
    touch->depth = radius - hit.distance - error; /* the surface rests on it, not the sphere */
    touch->normal = hit.normal;
    touch->point = LT_NONE;
    if (!leaf && !(touch->depth > 0)) {
        float gap = lt_box_gap(f); /* nothing meets before the box does */
        touch->depth = -gap;
        if (gap > f->margin) return false;
        if (lt_attach_beside(&touch->own, c, node, lt_v3_mad(center, hit.normal, gap - hit.distance)))
            return true;
        lt_obstacle_hit middle =
            lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b),
                                 lt_attach_middle(&touch->own, c, node));
        touch->normal = middle.normal;
        touch->apart = lt_max_f(middle.distance - gap, 1e-30f);
        touch->depth = touch->apart - middle.distance;
        return true;
    }
    return touch->depth > -f->margin &&
           lt_attach_near(&touch->own, c, node,
                          lt_v3_mad(center, hit.normal, -(hit.distance + touch->depth)));
}

/* Where and how deep a sphere of the front meets the obstacle; false: it does not. */
static bool touch_obstacle(const lt_front *f, uint32_t node, lt_touch *touch) {
    const lt_collider *c = &f->colliders[f->pair.a];
    bool leaf = c->spheres.tree->children[node] == LT_NONE;
    *touch = (lt_touch){.body = f->pair.a,
                        .own = {.tet = LT_NONE},
                        .other = {.tet = LT_NONE},
                        .area = lt_sphere_area(&c->spheres, node),
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
        lt_anchor anchor = lt_attachment_anchor(&touch->own, c);
        add_place(sum, lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x)),
                  touch->area * (touch->depth + reach), touch->own.tet);
        return;
    }
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        uint32_t point = tree->points[i];
        float depth =
            reach - lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b),
                                         c->points[point])
                        .distance;
        if (depth > 0)
            add_place(sum, c->points[point], lt_collider_point_area(c, point) * depth, c->skin->tets[point]);
    }
}

/* Of the spheres that are added up on one, the nearest speaks for all while nothing carries. */
static void add_obstacle_touch(lt_front *f, uint32_t node, uint32_t *seen) {
    lt_touch touch;
    const lt_sphere_tree *tree = f->colliders[f->pair.a].spheres.tree;
    bool leaf = tree->children[node] == LT_NONE;
    uint32_t at = lt_sum_node(tree, node, f->detail);
    if (!touch_obstacle(f, node, &touch)) return;
    lt_see_node(f->scratch, seen, at, LT_FRONT_SEEN | (leaf ? LT_FRONT_COMING : LT_FRONT_UNDECIDED));
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
    lt_obstacle_hit hit =
        lt_obstacle_distance(lt_obstacle_seen(&f->colliders[f->pair.a], f->obstacles, f->pair.b), place);
    lt_attachment own;
    if (!(hit.distance < f->margin) || !lt_attach_at(&own, &f->colliders[f->pair.a], sum->own, place)) return;
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
    lt_log_sphere(f->log, f->pair.a, sum->near_own);
    f->contacts++;
}

uint32_t lt_respond_to_obstacle(lt_front *f) {
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
    lt_keep_held(f, s->tree);
    for (uint32_t i = 0; i < seen; i++) {
        harvest_obstacle(f, f->scratch->seen[i]);
        f->scratch->sums[f->scratch->seen[i]] = (lt_front_sum){0};
    }
    return cost + LT_FRONT_CONTACT_UNITS * seen;
}
