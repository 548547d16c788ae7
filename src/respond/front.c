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
 * thousands of leaf pairs is so some tens of contacts for the solver. */

#include "respond/front_internal.h"

#include <string.h>

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
    bool leaves = a->tree->children[p->a] == LT_NONE && b->tree->children[p->b] == LT_NONE;
    judge(f, &look, lt_sphere_now(a, LT_NOW_ERROR, p->a) + lt_sphere_now(b, LT_NOW_ERROR, p->b), leaves);
    return look;
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
        if (s->counts[0][look->a])
            s->shares[0][look->a] = lt_sphere_area(a, look->a) / (float)s->counts[0][look->a];
        if (s->counts[1][look->b])
            s->shares[1][look->b] = lt_sphere_area(b, look->b) / (float)s->counts[1][look->b];
        s->counts[0][look->a] = s->counts[1][look->b] = 0;
    }
    return count;
}

/* ---- adding up ---- */

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
    lt_front_sum *sum = &f->scratch->sums[lt_sum_node(a->tree, look->a, f->detail)];
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

static void harvest_sum(lt_front *f, uint32_t node, const lt_collider *a, const lt_collider *b, bool boxed) {
    const lt_front_sum *sum = &f->scratch->sums[node];
    bool certain = sum->weight > 0;
    if (boxed && node == 0) return; /* the boxes' places are the root's */
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
        touch.depth = -lt_box_gap(f); /* nothing meets before the boxes do */
        if (touch.depth < -f->margin) return;
        touch.normal = lt_box_normal(f, touch.normal);
        if (!lt_attach_undecided(&touch, a, sum->near_own, b, sum->near_other, point)) return;
        lt_harvest_add(f->harvest, &f->pair, node, &touch);
        f->contacts++;
        return;
    }
    /* Beside boxes that only resist, pushed out at the one corner that is certain, the body would tip. */
    if (boxed && touch.approximate) touch.depth = lt_min_f(touch.depth, 0);
    if (!lt_attach_near(&touch.own, a, certain ? sum->own : sum->near_own, point)) return;
    if (!lt_attach_near(&touch.other, b, certain ? sum->other : sum->near_other, point)) return;
    lt_harvest_add(f->harvest, &f->pair, node, &touch);
    f->contacts++;
}

/* Whether nothing but boxes can speak for a sphere; then they do. */
static bool leave_to_box(lt_front_sum *sum) {
    if (!(sum->kind & LT_FRONT_UNDECIDED) || (sum->kind & LT_FRONT_HELD) || sum->weight > 0) return false;
    sum->kind |= LT_FRONT_HELD;
    return true;
}

/* Undecided, the root beside others of the front and spheres of the first level know hardly more than the boxes: where these
 * face each other clearly they speak for all of them. How many these are. */
static uint32_t leave_to_boxes(lt_front *f, const lt_sphere_tree *tree) {
    lt_front_sum *sums = f->scratch->sums;
    uint32_t block = tree->children[0];
    if (f->pair.kind != LT_PAIR_BODIES || f->detail == 0 || !lt_boxes_face(f)) return 0;
    uint32_t left = leave_to_box(&sums[0]);
    for (uint32_t node = LT_LANES * block; node < LT_LANES * (block + 1); node++)
        left += leave_to_box(&sums[node]);
    if (left) lt_answer_with_boxes(f);
    return left;
}

static uint32_t respond_to_body(lt_front *f) {
    const lt_collider *a = &f->colliders[f->pair.a], *b = &f->colliders[f->pair.b];
    lt_front_scratch *s = f->scratch;
    uint32_t looks = look_at_all(f, &a->spheres, &b->spheres), seen = 0;
    for (uint32_t i = 0; i < looks; i++) {
        lt_see_node(s, &seen, lt_sum_node(a->spheres.tree, s->looks[i].a, f->detail), s->looks[i].kind);
        lt_log_sphere(f->log, f->pair.a, s->looks[i].a);
        lt_log_sphere(f->log, f->pair.b, s->looks[i].b);
        add_look(f, &s->looks[i], &a->spheres);
    }
    lt_keep_held(f, a->spheres.tree);
    uint32_t before = f->contacts, left = leave_to_boxes(f, a->spheres.tree), places = f->contacts - before;
    for (uint32_t i = 0; i < seen; i++) {
        harvest_sum(f, s->seen[i], a, b, left > 0);
        s->sums[s->seen[i]] = (lt_front_sum){0};
    }
    return LT_FRONT_UNITS * (f->traverse->found_count + f->traverse->queued_count) +
           LT_FRONT_CONTACT_UNITS * (seen - left + places);
}

uint32_t lt_front_respond(lt_front *front) {
    LT_VALIDATE(lt_validate_traverse(front->traverse));
    front->push = (lt_vec3){0, 0, 0};
    front->push_size = 0;
    front->contacts = front->overlapping = front->undecided = front->deepest_level = 0;
    front->gap_error = 0;
    if (lt_only_roots(front)) return lt_respond_with_boxes(front);
    return front->pair.kind == LT_PAIR_OBSTACLE ? lt_respond_to_obstacle(front) : respond_to_body(front);
}
