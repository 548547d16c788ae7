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
 * coordinates of a node in the same lane of three registers. All nodes are passed as blocks of eight, of which the last
 * begins early enough to be full: minima and maxima do not mind nodes that come twice. */

enum { BLOCK = 8 };

static inline const float *block_at(const float *vectors, uint32_t count, uint32_t index) {
    return vectors + 4 * (size_t)lt_min_u32(BLOCK * index, count - BLOCK);
}

static lt_box box_of_nodes(const float *nodes, uint32_t count) {
    lt_f8 lo_a = lt_f8_load(nodes), hi_a = lo_a, lo_b = lo_a, hi_b = lo_a;
    for (uint32_t block = 0; block < (count + BLOCK - 1) / BLOCK; block++) {
        const float *p = block_at(nodes, count, block);
        lt_f8 a = lt_f8_load(p), b = lt_f8_load(p + 8), c = lt_f8_load(p + 16), d = lt_f8_load(p + 24);
        lo_a = lt_f8_min(lo_a, lt_f8_min(a, c));
        hi_a = lt_f8_max(hi_a, lt_f8_max(a, c));
        lo_b = lt_f8_min(lo_b, lt_f8_min(b, d));
        hi_b = lt_f8_max(hi_b, lt_f8_max(b, d));
    }
    float lo[8], hi[8];
    lt_f8_store(lo, lt_f8_min(lo_a, lo_b));
    lt_f8_store(hi, lt_f8_max(hi_a, hi_b));
    return (lt_box){{lt_min_f(lo[0], lo[4]), lt_min_f(lo[1], lo[5]), lt_min_f(lo[2], lo[6])},
                    {lt_max_f(hi[0], hi[4]), lt_max_f(hi[1], hi[5]), lt_max_f(hi[2], hi[6])}};
}

/* Every eighth node is one sum, four pairs of them are added up, then comes what is left, one by one. */
static lt_vec3 mean_of_nodes(const float *vectors, uint32_t count) {
    lt_f8 zero = lt_f8_splat(0), a = zero, b = zero, c = zero, d = zero;
    uint32_t whole = count - count % BLOCK;
    for (uint32_t i = 0; i < whole; i += BLOCK) {
        const float *p = vectors + 4 * (size_t)i;
        a = lt_f8_add(a, lt_f8_load(p));
        b = lt_f8_add(b, lt_f8_load(p + 8));
        c = lt_f8_add(c, lt_f8_load(p + 16));
        d = lt_f8_add(d, lt_f8_load(p + 24));
    }
    float pairs[8], sum[4];
    lt_f8_store(pairs, lt_f8_add(lt_f8_add(a, b), lt_f8_add(c, d)));
    lt_f4 total = lt_f4_add(lt_f4_load(pairs), lt_f4_load(pairs + 4));
    for (uint32_t i = whole; i < count; i++)
        total = lt_f4_add(total, lt_f4_load(vectors + 4 * (size_t)i));
    lt_f4_store(sum, lt_f4_mul(total, lt_f4_splat(1 / (float)count)));
    return (lt_vec3){sum[0], sum[1], sum[2]};
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

static void measure_speeds(lt_node_measure *out, const float *velocities, uint32_t count) {
    lane_masks in = make_lane_masks();
    lt_f8 fastest = lt_f8_splat(0), spread = fastest;
    lt_f8 mean_x = lt_f8_splat(out->velocity.x), mean_y = lt_f8_splat(out->velocity.y),
          mean_z = lt_f8_splat(out->velocity.z);
    for (uint32_t block = 0; block < (count + BLOCK - 1) / BLOCK; block++) {
        const float *p = block_at(velocities, count, block);
        lt_f8 x = pick_coordinate(p, in), y = pick_coordinate(p + 1, in), z = pick_coordinate(p + 2, in);
        lt_f8 off_x = lt_f8_sub(x, mean_x), off_y = lt_f8_sub(y, mean_y), off_z = lt_f8_sub(z, mean_z);
        fastest = lt_f8_max(squared_lengths(x, y, z), fastest);
        spread = lt_f8_max(squared_lengths(off_x, off_y, off_z), spread);
    }
    out->fastest = sqrtf(largest_lane(fastest));
    out->spread = sqrtf(largest_lane(spread));
}

/* Fewer than a block: the first node once more for each that is missing. */
static void fill_block(float out[4 * BLOCK], const float *vectors, uint32_t count) {
    for (uint32_t i = 0; i < BLOCK; i++)
        memcpy(out + 4 * (size_t)i, vectors + 4 * (size_t)(i < count ? i : 0), 4 * sizeof(float));
}

static void measure_nodes(lt_node_measure *out, const float *nodes, const float *velocities,
                          uint32_t node_count) {
    LT_ASSERT(node_count > 0);
    float few_nodes[4 * BLOCK], few_velocities[4 * BLOCK];
    out->velocity = mean_of_nodes(velocities, node_count);
    if (node_count < BLOCK) {
        fill_block(few_nodes, nodes, node_count);
        fill_block(few_velocities, velocities, node_count);
        nodes = few_nodes;
        velocities = few_velocities;
        node_count = BLOCK;
    }
    out->box = box_of_nodes(nodes, node_count);
    measure_speeds(out, velocities, node_count);
}

extern const lt_bound_kernels LT_KERNEL(lt_bound_kernels);
const lt_bound_kernels LT_KERNEL(lt_bound_kernels) = {boxes_at_point, measure_nodes};
