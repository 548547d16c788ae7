/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight sibling spheres at once: refresh from the nodes they hang on, and tests against one other sphere.
 *
 * Refresh. A corner p of a piece hangs on nodes by weights w, the centre by weights c, both of sum 1; γ_j is the
 * largest |w_j − c_j| over the corners. For any rotation R and any two points m (rest), m' (now)
 *
 *   p' − c' = R (p − c) + Σ_j (w_j − c_j) ((q'_j − m') − R (q_j − m))
 *   b1 = r + Σ_j γ_j |(q'_j − m') − R (q_j − m)|        holds p', whatever R is: a good R only makes it tight
 *   b2 = Σ|w| max_j |q'_j − c'|                        holds p', too; Σ|w| is 1 where weights are convex
 *   r' = min(b1, b2)
 *
 * So R need not be the nearest rotation: a few rounds from the parent's are enough, and nothing is kept over steps. A
 * ball's points move no more than its pieces' corners do against R, hence ε' = min(ε + 2 (b1 − r), 2 r'). Rigid links
 * of length L add 2 L to b1 and L to b2.
 * (papers/000 §4.4; errata M11, M12.)
 *
 * Bits: same at every level; see core/simd.h. */

#include "bound/bound.h"
#include "core/polar_wide.h"

typedef struct sums {
    lt_f8 center[3], mean[3], weight;
    lt_f8 spread[9]; /* Σ γ q' restᵀ, by columns */
} sums;

static inline void gather(float *out, const uint32_t *ids, const float *nodes) {
    for (int lane = 0; lane < LT_LANES; lane++) {
        const float *p = nodes + 4 * (size_t)ids[lane];
        out[lane] = p[0];
        out[LT_LANES + lane] = p[1];
        out[2 * LT_LANES + lane] = p[2];
    }
}

static inline lt_f8 size_of(lt_f8 a) {
    return lt_f8_max(a, lt_f8_sub(lt_f8_splat(0), a));
}

/* Nodes relative to those of the first row, kept for the second pass; sums over them. */
static sums sum_rows(lt_spheres *s, const float *nodes, uint32_t begin, uint32_t end, lt_f8 origin[3]) {
    LT_ASSERT(begin <= end);
    const lt_sphere_tree *tree = s->tree;
    sums sum;
    for (int k = 0; k < 9; k++)
        sum.spread[k] = lt_f8_splat(0);
    sum.weight = lt_f8_splat(0);
    gather(s->gathered, tree->row_nodes + (size_t)LT_LANES * begin, nodes);
    for (int k = 0; k < 3; k++) {
        origin[k] = lt_f8_load(s->gathered + k * LT_LANES);
        sum.center[k] = sum.mean[k] = lt_f8_splat(0);
    }
    for (uint32_t row = begin; row < end; row++) {
        float *q = s->gathered + 3 * (size_t)LT_LANES * (row - begin);
        const float *terms = tree->row_terms + (size_t)LT_TERM_FIELDS * LT_LANES * row;
        gather(q, tree->row_nodes + (size_t)LT_LANES * row, nodes);
        lt_f8 gamma = size_of(lt_f8_load(terms)), c = lt_f8_load(terms + LT_LANES * LT_TERM_CENTER);
        sum.weight = lt_f8_add(sum.weight, gamma);
        for (int k = 0; k < 3; k++) {
            lt_f8 x = lt_f8_sub(lt_f8_load(q + k * LT_LANES), origin[k]);
            lt_f8_store(q + k * LT_LANES, x);
            sum.center[k] = lt_f8_mad(sum.center[k], x, c);
            lt_f8 weighted = lt_f8_mul(x, gamma);
            sum.mean[k] = lt_f8_add(sum.mean[k], weighted);
            for (int column = 0; column < 3; column++)
                sum.spread[3 * column + k] = lt_f8_mad(sum.spread[3 * column + k], weighted,
                                                       lt_f8_load(terms + LT_LANES * (LT_TERM_X + column)));
        }
    }
    lt_f8 share = lt_f8_div(lt_f8_splat(1), lt_f8_max(sum.weight, lt_f8_splat(1e-30f)));
    for (int k = 0; k < 3; k++)
        sum.mean[k] = lt_f8_mul(sum.mean[k], share);
    return sum;
}

/* float to lt_real and back: the same registers where lt_real is float. */
static inline lt_r8 real_of(lt_f8 a) {
    float from[LT_LANES];
    lt_real to[LT_LANES];
    lt_f8_store(from, a);
    for (int lane = 0; lane < LT_LANES; lane++)
        to[lane] = from[lane];
    return lt_r8_load(to);
}

static inline lt_f8 float_of(lt_r8 a) {
    lt_real from[LT_LANES];
    float to[LT_LANES];
    lt_r8_store(from, a);
    for (int lane = 0; lane < LT_LANES; lane++)
        to[lane] = (float)from[lane];
    return lt_f8_load(to);
}

/* A rotation near the best, from the parent's. Children of the root begin at the frame's: they get more rounds. */
static void turn_from_parent(lt_f8 rotation[9], lt_spheres *s, uint32_t block, const lt_f8 spread[9]) {
    LT_ASSERT(block < s->tree->block_count);
    uint32_t parent = s->tree->parents[block];
    int rounds = lt_block_of(parent) == 0 ? 5 : 2;
    lt_r8 q[4], r[9], a[9], b[9], w[3];
    for (int k = 0; k < 4; k++)
        q[k] = lt_r8_splat(
            s->turns[(4 * (size_t)lt_block_of(parent) + (size_t)k) * LT_LANES + lt_lane_of(parent)]);
    for (int k = 0; k < 9; k++)
        a[k] = real_of(spread[k]);
    for (int round = 0; round < rounds; round++) {
        lt_rotation_of_wide(r, q);
        lt_transposed_product_wide(b, r, a);
        lt_polar_turn_wide(w, b);
        lt_quaternion_turn_wide(q, w);
    }
    lt_rotation_of_wide(r, q);
    for (int k = 0; k < 9; k++)
        rotation[k] = float_of(r[k]);
    for (int k = 0; k < 4; k++)
        lt_f8_store(s->turns + (4 * (size_t)block + (size_t)k) * LT_LANES, float_of(q[k]));
}

/* Σ γ |(q' − m') − R (q − m)| and max |q' − c'|². */
static void bound_rows(const lt_spheres *s, uint32_t begin, uint32_t end, const sums *sum,
                       const lt_f8 rotation[9], lt_f8 *stretch, lt_f8 *reach) {
    LT_ASSERT(begin <= end);
    lt_f8 zero = lt_f8_splat(0), total = zero, farthest = zero;
    for (uint32_t row = begin; row < end; row++) {
        const float *q = s->gathered + 3 * (size_t)LT_LANES * (row - begin);
        const float *terms = s->tree->row_terms + (size_t)LT_TERM_FIELDS * LT_LANES * row;
        lt_f8 gamma = lt_f8_load(terms), off = zero, far = zero;
        lt_f8 x = lt_f8_load(terms + LT_LANES * LT_TERM_X), y = lt_f8_load(terms + LT_LANES * LT_TERM_Y),
              z = lt_f8_load(terms + LT_LANES * LT_TERM_Z);
        for (int k = 0; k < 3; k++) {
            lt_f8 now = lt_f8_load(q + k * LT_LANES);
            lt_f8 turned =
                lt_f8_mad(lt_f8_mad(lt_f8_mul(rotation[k], x), rotation[3 + k], y), rotation[6 + k], z);
            lt_f8 d = lt_f8_sub(lt_f8_sub(now, sum->mean[k]), turned);
            lt_f8 h = lt_f8_sub(now, sum->center[k]);
            off = lt_f8_mad(off, d, d);
            far = lt_f8_mad(far, h, h);
        }
        total = lt_f8_mad(total, lt_f8_sqrt(off), size_of(gamma));
        /* γ < 0: no piece hangs on the node, only the centre does. */
        farthest = lt_f8_max(farthest, lt_f8_select(lt_f8_less(gamma, zero), zero, far));
    }
    *stretch = total;
    *reach = lt_f8_sqrt(farthest);
}

static void refresh(lt_spheres *s, const float *nodes, uint32_t block) {
    LT_ASSERT(block < s->tree->block_count);
    const lt_sphere_tree *tree = s->tree;
    uint32_t begin = tree->row_begin[block], end = tree->row_begin[block + 1];
    const float *balls = tree->balls + (size_t)LT_BALL_FIELDS * LT_LANES * block;
    float *now = s->now + (size_t)LT_NOW_FIELDS * LT_LANES * block;
    lt_f8 origin[3], rotation[9], scaled[9], stretch, reach, scale = lt_f8_splat(s->scale),
                                                             two = lt_f8_splat(2);
    sums sum = sum_rows(s, nodes, begin, end, origin);
    turn_from_parent(rotation, s, block, sum.spread);
    for (int k = 0; k < 9; k++)
        scaled[k] = lt_f8_mul(rotation[k], scale);
    bound_rows(s, begin, end, &sum, scaled, &stretch, &reach);
    lt_f8 largest = lt_f8_splat(0);
    for (int k = 0; k < 3; k++) {
        lt_f8 center = lt_f8_add(origin[k], sum.center[k]);
        largest = lt_f8_max(largest, lt_f8_max(size_of(center), size_of(origin[k])));
        lt_f8_store(now + LT_LANES * (LT_NOW_X + k), center);
    }
    lt_f8 rest = lt_f8_mul(lt_f8_load(balls + LT_LANES * LT_BALL_RADIUS), scale);
    stretch = lt_f8_mad(stretch, lt_f8_load(balls + LT_LANES * LT_BALL_LINK), scale);
    lt_f8 hull = lt_f8_mad(lt_f8_mul(reach, lt_f8_load(balls + LT_LANES * LT_BALL_HULL)),
                           lt_f8_load(balls + LT_LANES * LT_BALL_LINK), lt_f8_mul(scale, lt_f8_splat(0.5f)));
    lt_f8 radius = lt_f8_add(rest, stretch);
    if (!tree->layered)
        radius = lt_f8_min(radius, hull); /* the hull is of pieces, not of the children's spheres */
    radius = lt_f8_mad(radius, lt_f8_add(largest, lt_f8_mul(two, lt_f8_add(radius, reach))),
                       lt_f8_splat(lt_bound_slack(1)));
    lt_f8m empty = lt_f8_less(rest, lt_f8_splat(0));
    lt_f8_store(now + LT_LANES * LT_NOW_RADIUS, lt_f8_select(empty, lt_f8_splat(LT_EMPTY_RADIUS), radius));
    lt_f8_store(now + LT_LANES * LT_NOW_STRETCH, stretch);
    lt_f8 most = lt_f8_mul(two, radius), more = lt_f8_mul(two, stretch);
    lt_f8 error = lt_f8_mad(more, lt_f8_load(balls + LT_LANES * LT_BALL_ERROR), scale);
    lt_f8 own = lt_f8_mad(more, lt_f8_load(balls + LT_LANES * LT_BALL_OWN_ERROR), scale);
    lt_f8_store(now + LT_LANES * LT_NOW_ERROR, lt_f8_min(error, most));
    lt_f8_store(now + LT_LANES * LT_NOW_OWN_ERROR, lt_f8_min(own, most));
    s->stamps[block] = s->stamp;
}

/* min(areas, disc of the overlap) × (what is certainly deeper than the errors, and a little of all that overlaps):
 * the order must follow the law of the force, or it is worse than none. */
static inline lt_f8 key_of(lt_f8 squared, lt_f8 radius, lt_f8 other_radius, lt_f8 error, lt_f8 area) {
    lt_f8 zero = lt_f8_splat(0), half = lt_f8_splat(0.5f);
    lt_f8 distance = lt_f8_sqrt(squared);
    lt_f8 depth = lt_f8_sub(lt_f8_add(radius, other_radius), distance);
    lt_f8 r2 = lt_f8_mul(radius, radius), o2 = lt_f8_mul(other_radius, other_radius);
    lt_f8 along = lt_f8_div(lt_f8_mul(half, lt_f8_sub(lt_f8_add(squared, r2), o2)),
                            lt_f8_max(distance, lt_f8_splat(1e-30f)));
    lt_f8 disc = lt_f8_sub(r2, lt_f8_mul(along, along));
    disc = lt_f8_select(lt_f8_less(zero, disc), disc, lt_f8_min(r2, o2)); /* one inside the other */
    area = lt_f8_min(area, lt_f8_mul(lt_f8_splat(3.14159265f), disc));
    lt_f8 sure = lt_f8_max(zero, lt_f8_sub(depth, lt_f8_mul(half, error)));
    return lt_f8_mul(area, lt_f8_mad(sure, lt_f8_max(zero, depth), lt_f8_splat(0.02f)));
}

/* Which of eight spheres come within `margin` of one; how far their centres are from its, squared. */
static inline uint32_t near_lanes(lt_f8 *squared, lt_f8 *radius, const float *now, const float *other,
                                  float margin) {
    lt_f8 sum = lt_f8_splat(0);
    for (int k = 0; k < 3; k++) {
        lt_f8 d = lt_f8_sub(lt_f8_load(now + LT_LANES * k), lt_f8_splat(other[LT_LANES * k]));
        sum = lt_f8_mad(sum, d, d);
    }
    *squared = sum;
    *radius = lt_f8_load(now + LT_LANES * LT_NOW_RADIUS);
    lt_f8 reach = lt_f8_add(*radius, lt_f8_splat(other[LT_LANES * LT_NOW_RADIUS] + margin));
    return lt_f8m_bits(
        lt_f8m_and(lt_f8_less(lt_f8_splat(0), reach), lt_f8_less(sum, lt_f8_mul(reach, reach))));
}

static inline const float *block_now(const lt_spheres *s, uint32_t block) {
    LT_ASSERT(block < s->tree->block_count);
    return s->now + (size_t)LT_NOW_FIELDS * LT_LANES * block;
}

static inline const float *node_now(const lt_spheres *s, uint32_t node) {
    LT_ASSERT(node < LT_LANES * s->tree->block_count);
    return block_now(s, lt_block_of(node)) + lt_lane_of(node);
}

static void test_rows(lt_row_test *rows, uint32_t count, const lt_spheres *first, const lt_spheres *second,
                      float margin) {
    const lt_spheres *sides[2] = {first, second};
    for (uint32_t i = 0; i < count; i++) {
        lt_row_test *row = &rows[i];
        const float *now = block_now(sides[row->side], row->block);
        const float *other = node_now(sides[1 - row->side], row->node);
        lt_f8 squared, radius;
        row->bits = near_lanes(&squared, &radius, now, other, margin);
        lt_f8 bounds = lt_f8_add(lt_f8_load(now + LT_LANES * LT_NOW_OWN_ERROR),
                                 lt_f8_splat(other[LT_LANES * LT_NOW_OWN_ERROR]));
        lt_f8_store(row->bounds, lt_f8_min(lt_f8_splat(row->bound), bounds));
    }
}

static uint32_t test(float *keys, float *bounds, const lt_spheres *s, uint32_t block, const lt_spheres *other,
                     uint32_t node, float margin) {
    LT_ASSERT(node < LT_LANES * other->tree->block_count);
    LT_ASSERT(block < s->tree->block_count);
    const float *now = block_now(s, block), *one = node_now(other, node);
    lt_f8 squared, radius;
    uint32_t bits = near_lanes(&squared, &radius, now, one, margin);
    if (!bits) return 0;
    lt_f8_store(bounds, lt_f8_add(lt_f8_load(now + LT_LANES * LT_NOW_OWN_ERROR),
                                  lt_f8_splat(one[LT_LANES * LT_NOW_OWN_ERROR])));
    if (!keys) return bits;
    const float *balls = s->tree->balls + (size_t)LT_BALL_FIELDS * LT_LANES * block;
    lt_f8 error =
        lt_f8_add(lt_f8_load(now + LT_LANES * LT_NOW_ERROR), lt_f8_splat(one[LT_LANES * LT_NOW_ERROR]));
    lt_f8 area =
        lt_f8_min(lt_f8_mul(lt_f8_load(balls + LT_LANES * LT_BALL_AREA), lt_f8_splat(s->scale * s->scale)),
                  lt_f8_splat(lt_ball(other->tree, LT_BALL_AREA, node) * other->scale * other->scale));
    lt_f8_store(keys, key_of(squared, radius, lt_f8_splat(one[LT_LANES * LT_NOW_RADIUS]), error, area));
    return bits;
}

extern const lt_sphere_kernels LT_KERNEL(lt_sphere_kernels);
const lt_sphere_kernels LT_KERNEL(lt_sphere_kernels) = {refresh, test, test_rows};
