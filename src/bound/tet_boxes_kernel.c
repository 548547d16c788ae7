/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tests of eight boxes at once, and the sums over the nodes of a body, eight nodes at once. */

#include "bound/bound.h"

static uint32_t boxes_at_point(uint32_t *out, uint32_t capacity, const lt_tet_boxes *boxes, lt_vec3 point,
                               float margin) {
    lt_f8 lo_x = lt_f8_splat(point.x - margin), hi_x = lt_f8_splat(point.x + margin);
    lt_f8 lo_y = lt_f8_splat(point.y - margin), hi_y = lt_f8_splat(point.y + margin);
    lt_f8 lo_z = lt_f8_splat(point.z - margin), hi_z = lt_f8_splat(point.z + margin);
    uint32_t count = 0;
    for (uint32_t group = 0; group < boxes->group_count; group++) {
        const float *b = boxes->boxes + 6 * (size_t)LT_GROUP * group;
        lt_f8m in_x =
            lt_f8m_and(lt_f8_less_equal(lt_f8_load(b), hi_x), lt_f8_less_equal(lo_x, lt_f8_load(b + 24)));
        lt_f8m in_y =
            lt_f8m_and(lt_f8_less_equal(lt_f8_load(b + 8), hi_y), lt_f8_less_equal(lo_y, lt_f8_load(b + 32)));
        lt_f8m in_z = lt_f8m_and(lt_f8_less_equal(lt_f8_load(b + 16), hi_z),
                                 lt_f8_less_equal(lo_z, lt_f8_load(b + 40)));
        uint32_t bits = lt_f8m_bits(lt_f8m_and(lt_f8m_and(in_x, in_y), in_z));
        for (; bits; bits &= bits - 1) {
            if (count < capacity) out[count] = group * LT_GROUP + (uint32_t)__builtin_ctz(bits);
            count++;
        }
    }
    return count;
}

/* ---- nodes ----
 *
 * Minima, maxima and sums take two nodes [x y z 0 x y z 0] at a time, in whatever lane they are. Lengths need the three
 * coordinates of a node in the same lane of three registers. */

enum { BLOCK = 8 };

/* Halves of a wide value: of the even nodes, of the odd ones. */
typedef struct halves {
    lt_f4 even, odd;
} halves;

static inline halves split(lt_f8 value) {
    float lanes[8];
    lt_f8_store(lanes, value);
    return (halves){lt_f4_load(lanes), lt_f4_load(lanes + 4)};
}

static inline lt_vec3 first_three(lt_f4 value) {
    float lanes[4];
    lt_f4_store(lanes, value);
    return (lt_vec3){lanes[0], lanes[1], lanes[2]};
}

/* The smallest and the largest lane of many vectors. */
typedef struct wide_box {
    lt_f8 lo, hi;
} wide_box;

static inline wide_box empty_wide_box(void) {
    return (wide_box){lt_f8_splat(3e38f), lt_f8_splat(-3e38f)};
}
static inline wide_box add_to_box(wide_box box, lt_f8 a, lt_f8 b) {
    return (wide_box){lt_f8_min(box.lo, lt_f8_min(a, b)), lt_f8_max(box.hi, lt_f8_max(a, b))};
}

/* With those that make no whole block. */
static inline lt_box finish_box(wide_box a, wide_box b, const float *vectors, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    halves los = split(lt_f8_min(a.lo, b.lo)), his = split(lt_f8_max(a.hi, b.hi));
    lt_f4 lo = lt_f4_min(los.even, los.odd), hi = lt_f4_max(his.even, his.odd);
    for (uint32_t i = begin; i < end; i++) {
        lt_f4 x = lt_f4_load(vectors + 4 * (size_t)i);
        lo = lt_f4_min(lo, x);
        hi = lt_f4_max(hi, x);
    }
    return (lt_box){first_three(lo), first_three(hi)};
}

static inline lt_vec3 finish_mean(lt_f8 sum, const float *vectors, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    halves sums = split(sum);
    lt_f4 total = lt_f4_add(sums.even, sums.odd);
    for (uint32_t i = begin; i < end; i++)
        total = lt_f4_add(total, lt_f4_load(vectors + 4 * (size_t)i));
    return first_three(lt_f4_mul(total, lt_f4_splat(1 / (float)end)));
}

/* Box and mean velocity in one pass. Every eighth velocity is one sum, four pairs of them are added up, then comes what is
 * left, one by one. */
static void measure_box_and_mean(lt_node_measure *out, const float *nodes, const float *velocities,
                                 uint32_t count) {
    lt_f8 zero = lt_f8_splat(0), sum_a = zero, sum_b = zero, sum_c = zero, sum_d = zero;
    wide_box box_a = empty_wide_box(), box_b = box_a;
    uint32_t whole = count - count % BLOCK;
    for (uint32_t i = 0; i < whole; i += BLOCK) {
        const float *x = nodes + 4 * (size_t)i, *v = velocities + 4 * (size_t)i;
        box_a = add_to_box(box_a, lt_f8_load(x), lt_f8_load(x + 16));
        box_b = add_to_box(box_b, lt_f8_load(x + 8), lt_f8_load(x + 24));
        sum_a = lt_f8_add(sum_a, lt_f8_load(v));
        sum_b = lt_f8_add(sum_b, lt_f8_load(v + 8));
        sum_c = lt_f8_add(sum_c, lt_f8_load(v + 16));
        sum_d = lt_f8_add(sum_d, lt_f8_load(v + 24));
    }
    lt_f8 sum = lt_f8_add(lt_f8_add(sum_a, sum_b), lt_f8_add(sum_c, sum_d));
    out->box = finish_box(box_a, box_b, nodes, whole, count);
    out->velocity = finish_mean(sum, velocities, whole, count);
}

/* Which lanes of a block come from which load. */
typedef struct lane_masks {
    lt_f8m second, fourth, second_half; /* lanes 1 and 5; 3 and 7; 2, 3, 6 and 7 */
} lane_masks;

static inline lane_masks make_lane_masks(void) {
    const float second[8] = {0, 1, 0, 0, 0, 1, 0, 0}, fourth[8] = {0, 0, 0, 1, 0, 0, 0, 1},
                second_half[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    lt_f8 zero = lt_f8_splat(0);
    return (lane_masks){lt_f8_less(zero, lt_f8_load(second)), lt_f8_less(zero, lt_f8_load(fourth)),
                        lt_f8_less(zero, lt_f8_load(second_half))};
}

/* One coordinate of eight nodes, p being that of the first. Loads begin where they bring the coordinate of two nodes
 * into the right lanes, so that nothing but select is needed; they end within the block. */
static inline lt_f8 pick_coordinate(const float *p, lane_masks in) {
    lt_f8 first_half = lt_f8_select(in.second, lt_f8_load(p + 7), lt_f8_load(p));
    lt_f8 second_half = lt_f8_select(in.fourth, lt_f8_load(p + 21), lt_f8_load(p + 14));
    return lt_f8_select(in.second_half, second_half, first_half);
}

static inline lt_f8 squared_lengths(lt_f8 x, lt_f8 y, lt_f8 z) {
    return lt_f8_add(lt_f8_add(lt_f8_mul(x, x), lt_f8_mul(y, y)), lt_f8_mul(z, z));
}

static float largest_lane(lt_f8 values) {
    float v[8];
    lt_f8_store(v, values);
    return lt_max_f(lt_max_f(lt_max_f(v[0], v[1]), lt_max_f(v[2], v[3])),
                    lt_max_f(lt_max_f(v[4], v[5]), lt_max_f(v[6], v[7])));
}

/* Blocks of eight nodes, the last of which begins early enough to be full: a maximum does not mind nodes that come twice.
 */
static void measure_speeds(lt_node_measure *out, const float *velocities, uint32_t count) {
    lane_masks in = make_lane_masks();
    lt_f8 fastest = lt_f8_splat(0), spread = fastest;
    lt_f8 mean_x = lt_f8_splat(out->velocity.x), mean_y = lt_f8_splat(out->velocity.y),
          mean_z = lt_f8_splat(out->velocity.z);
    for (uint32_t block = 0; block < (count + BLOCK - 1) / BLOCK; block++) {
        const float *p = velocities + 4 * (size_t)lt_min_u32(BLOCK * block, count - BLOCK);
        lt_f8 x = pick_coordinate(p, in), y = pick_coordinate(p + 1, in), z = pick_coordinate(p + 2, in);
        lt_f8 off_x = lt_f8_sub(x, mean_x), off_y = lt_f8_sub(y, mean_y), off_z = lt_f8_sub(z, mean_z);
        fastest = lt_f8_max(squared_lengths(x, y, z), fastest);
        spread = lt_f8_max(squared_lengths(off_x, off_y, off_z), spread);
    }
    out->fastest = sqrtf(largest_lane(fastest));
    out->spread = sqrtf(largest_lane(spread));
}

static void measure_nodes(lt_node_measure *out, const float *nodes, const float *velocities,
                          uint32_t node_count) {
    LT_ASSERT(node_count > 0);
    measure_box_and_mean(out, nodes, velocities, node_count);
    if (node_count >= BLOCK) {
        measure_speeds(out, velocities, node_count);
        return;
    }
    float filled[4 * BLOCK]; /* with the first one, for each that is missing */
    for (uint32_t i = 0; i < BLOCK; i++)
        memcpy(filled + 4 * (size_t)i, velocities + 4 * (size_t)(i < node_count ? i : 0), 4 * sizeof(float));
    measure_speeds(out, filled, BLOCK);
}

extern const lt_bound_kernels LT_KERNEL(lt_bound_kernels);
const lt_bound_kernels LT_KERNEL(lt_bound_kernels) = {boxes_at_point, measure_nodes};
