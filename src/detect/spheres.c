/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees for the traversal: bodies against bodies, against obstacles, against themselves. */

#include "detect/detect.h"

/* ---- trees ---- */

static void refresh_root(lt_collider *c) {
    if (!lt_spheres_fresh(&c->spheres, 0))
        lt_spheres_refresh_root(&c->spheres, &c->soft->carrier, c->box, c->soft->nodes);
}

static uint32_t refresh_cost(const void *state, uint32_t block) {
    return lt_spheres_refresh_cost(&((const lt_sphere_side *)state)->collider->spheres, block);
}

static void refresh(void *state, uint32_t block) {
    lt_sphere_side *side = state;
    lt_collider *c = side->collider;
    if (side->as_printed)
        lt_spheres_refresh_as_printed(&c->spheres, &c->soft->carrier, c->soft->nodes, block);
    else
        side->kernels->refresh(&c->spheres, c->soft->nodes, block);
}

/* An obstacle is one node that is a leaf, without error, never stale. */
static lt_tree obstacle_tree(lt_sphere_side *side) {
    static const uint32_t leaf[LT_LANES] = {LT_NONE, LT_NONE, LT_NONE, LT_NONE,
                                            LT_NONE, LT_NONE, LT_NONE, LT_NONE};
    static const uint32_t stamp = 0;
    static const float errors[LT_LANES] = {0};
    return (lt_tree){
        .state = side, .children = leaf, .stamps = &stamp, .stamp = 0, .errors = errors, .scale = 1};
}

static void test_rows(lt_row_test *rows, uint32_t count, const lt_tree *a, const lt_tree *b, float margin) {
    const lt_sphere_side *first = a->state, *second = b->state;
    first->kernels->test_rows(rows, count, &first->collider->spheres, &second->collider->spheres, margin);
}

lt_tree lt_spheres_tree(const lt_spheres *spheres) {
    return (lt_tree){.children = spheres->tree->children,
                     .levels = spheres->tree->levels,
                     .deepest_level = spheres->tree->level_count - 1,
                     .stamps = spheres->stamps,
                     .stamp = spheres->stamp,
                     .errors = spheres->tree->balls + LT_BALL_ERROR * LT_LANES,
                     .error_stride = LT_BALL_FIELDS * LT_LANES,
                     .scale = spheres->scale};
}

lt_tree lt_sphere_side_tree(lt_sphere_side *side) {
    if (!side->collider) return obstacle_tree(side);
    refresh_root(side->collider);
    lt_tree tree = lt_spheres_tree(&side->collider->spheres);
    tree.state = side;
    tree.refresh_cost = refresh_cost;
    tree.refresh = refresh;
    tree.test_rows = test_rows;
    return tree;
}

/* ---- tests ---- */

uint32_t lt_spheres_against_spheres(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node,
                                    float margin, float *keys, float *bounds) {
    const lt_sphere_side *a = x->state, *b = y->state;
    return a->kernels->test(keys, bounds, &a->collider->spheres, block, &b->collider->spheres, node, margin);
}

/* How far the offset of a rigid link can have turned away, whatever happened since. */
static float longest_turn(const lt_collider *c) {
    return 2 * c->skin->longest_link * c->spheres.scale;
}

static inline float least_of(float v[LT_LANES]) {
    for (uint32_t width = LT_LANES / 2; width > 0; width /= 2)
        for (uint32_t i = 0; i < width; i++)
            v[i] = v[i] < v[i + width] ? v[i] : v[i + width];
    return v[0];
}

/* Loops without branches, which compilers make wide. Empty lanes are as far apart as can be. */
lt_tree_gap lt_spheres_gap(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node,
                           uint32_t lanes) {
    static const uint32_t bits[LT_LANES] = {1, 2, 4, 8, 16, 32, 64, 128};
    const float FARTHEST = 1e18f; /* squares have no room beyond */
    const lt_sphere_side *a = x->state, *b = y->state;
    const lt_spheres *other = &b->collider->spheres;
    const float *now = a->collider->spheres.now + (size_t)LT_NOW_FIELDS * LT_LANES * block;
    lt_vec3 center = lt_sphere_center(other, node);
    float radius = lt_sphere_now(other, LT_NOW_RADIUS, node), apart[LT_LANES], inside[LT_LANES], poison = 0;
    float far = fabsf(center.x) + fabsf(center.y) + fabsf(center.z); /* of the world's origin */
    for (uint32_t lane = 0; lane < LT_LANES; lane++) {
        float dx = now[lane] - center.x, dy = now[LT_LANES + lane] - center.y,
              dz = now[2 * LT_LANES + lane] - center.z;
        float distance = sqrtf(dx * dx + dy * dy + dz * dz);
        float reach = now[LT_LANES * LT_NOW_RADIUS + lane] + radius, between = distance - reach;
        float surely = between - lt_bound_slack(far + distance + reach);
        apart[lane] = lanes & bits[lane] ? FARTHEST : surely;
        inside[lane] = lanes & bits[lane] ? between : FARTHEST;
    }
    for (uint32_t lane = 0; lane < LT_LANES; lane++)
        poison += apart[lane] - apart[lane];
    float least = least_of(apart) - longest_turn(a->collider) - longest_turn(b->collider);
    return (lt_tree_gap){poison == 0 && least > 0 ? least : 0, lanes ? -least_of(inside) : FARTHEST};
}

void lt_spheres_bounds(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node, float *bounds) {
    const lt_sphere_side *a = x->state, *b = y->state;
    const float *now = a->collider->spheres.now + (size_t)LT_NOW_FIELDS * LT_LANES * block;
    float own_error = lt_sphere_now(&b->collider->spheres, LT_NOW_OWN_ERROR, node);
    for (uint32_t lane = 0; lane < LT_LANES; lane++)
        bounds[lane] = now[LT_LANES * LT_NOW_OWN_ERROR + lane] + own_error;
}

uint32_t lt_spheres_against_obstacle(const lt_tree *x, uint32_t block, const lt_tree *y, uint32_t node,
                                     float margin, float *keys, float *bounds) {
    const lt_sphere_side *a = x->state, *b = y->state;
    const lt_spheres *s = &a->collider->spheres;
    uint32_t bits = 0;
    (void)node;
    for (uint32_t lane = 0; lane < LT_LANES; lane++) {
        uint32_t child = block * LT_LANES + lane;
        float radius = lt_sphere_now(s, LT_NOW_RADIUS, child);
        if (radius < 0) continue;
        float distance = lt_obstacle_distance(b->obstacle, lt_sphere_center(s, child)).distance;
        float depth = radius - distance;
        if (!(depth + margin > 0)) continue;
        bits |= 1u << lane;
        bounds[lane] = lt_sphere_now(s, LT_NOW_OWN_ERROR, child);
        if (!keys) continue;
        float sure = lt_max_f(0, depth - 0.5f * lt_sphere_now(s, LT_NOW_ERROR, child));
        keys[lane] =
            lt_ball(s->tree, LT_BALL_AREA, child) * s->scale * s->scale * (sure + 0.02f * lt_max_f(0, depth));
    }
    return bits;
}

/* ---- a body with itself ---- */

static void turn_of(const lt_spheres *s, uint32_t node, float q[4]) {
    LT_ASSERT(node < LT_LANES * s->tree->block_count);
    for (uint32_t k = 0; k < 4; k++)
        q[k] = s->turns[(4 * (size_t)lt_block_of(node) + k) * LT_LANES + lt_lane_of(node)];
}

static lt_vec3 turned(const float q[4], lt_vec3 v) {
    lt_vec3 axis = {q[0], q[1], q[2]};
    lt_vec3 t = lt_v3_scale(lt_v3_cross(axis, v), 2);
    return lt_v3_add(lt_v3_mad(v, t, q[3]), lt_v3_cross(axis, t));
}

static lt_vec3 rest_center(const lt_spheres *s, uint32_t node) {
    LT_ASSERT(node < LT_LANES * s->tree->block_count);
    return lt_v3_scale((lt_vec3){lt_ball(s->tree, LT_BALL_X, node), lt_ball(s->tree, LT_BALL_Y, node),
                                 lt_ball(s->tree, LT_BALL_Z, node)},
                       s->scale);
}

/* How far anything under y is at most from where the rigid motion of x would have it. */
static float relative_stretch(const lt_spheres *s, uint32_t x, uint32_t y) {
    float qx[4], qy[4], cosine = 0;
    turn_of(s, x, qx);
    turn_of(s, y, qy);
    for (int k = 0; k < 4; k++)
        cosine += qx[k] * qy[k];
    float turn =
        2 * sqrtf(lt_max_f(0, 1 - cosine * cosine)); /* norm of the difference of the two rotations */
    lt_vec3 expected =
        lt_v3_add(lt_sphere_center(s, x), turned(qx, lt_v3_sub(rest_center(s, y), rest_center(s, x))));
    return lt_v3_distance(expected, lt_sphere_center(s, y)) +
           turn * s->scale * lt_ball(s->tree, LT_BALL_RADIUS, y) + lt_sphere_now(s, LT_NOW_STRETCH, y);
}

/* Leaves that were near at rest do not count; whatever else was at least self_gap apart, and cannot meet while all of it
 * moves nearly as one piece. */
bool lt_spheres_may_collide(const void *side, uint32_t x, uint32_t y) {
    const lt_spheres *s = &((const lt_sphere_side *)side)->collider->spheres;
    const lt_sphere_tree *tree = s->tree;
    float gap = tree->self_gap * s->scale;
    if (x == y) return 2 * lt_sphere_now(s, LT_NOW_STRETCH, x) >= gap;
    uint32_t i = tree->leaves[x], j = tree->leaves[y];
    if (i != LT_NONE && j != LT_NONE &&
        (tree->near_at_rest[(size_t)i * tree->mask_words + j / 32] >> (j % 32) & 1))
        return false;
    return lt_sphere_now(s, LT_NOW_STRETCH, x) + relative_stretch(s, x, y) >= gap;
}
