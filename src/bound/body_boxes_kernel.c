/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of nodes, a node's four coordinates at once; maps of tets, eight tets at once. */

#include "bound/body_boxes.h"

static inline lt_vec3 first_three(lt_f4 value) {
    float lanes[4];
    lt_f4_store(lanes, value);
    return (lt_vec3){lanes[0], lanes[1], lanes[2]};
}

static void box_of_nodes(lt_moving_box *out, const float *nodes, const float *velocities, const uint32_t *ids,
                         uint32_t count) {
    LT_ASSERT(count > 0);
    lt_f4 lo = lt_f4_load(nodes + 4 * (size_t)ids[0]), hi = lo;
    lt_f4 slow = lt_f4_load(velocities + 4 * (size_t)ids[0]), fast = slow;
    for (uint32_t i = 1; i < count; i++) {
        lt_f4 x = lt_f4_load(nodes + 4 * (size_t)ids[i]), v = lt_f4_load(velocities + 4 * (size_t)ids[i]);
        lo = lt_f4_min(lo, x);
        hi = lt_f4_max(hi, x);
        slow = lt_f4_min(slow, v);
        fast = lt_f4_max(fast, v);
    }
    out->at = (lt_box){first_three(lo), first_three(hi)};
    out->speed = (lt_box){first_three(slow), first_three(fast)};
}

/* Corners of eight tets, coordinate by coordinate. */
typedef struct corners8 {
    float at[4][3][LT_BLOCK];
} corners8;

static inline void gather_corners(corners8 *out, const float *nodes, const uint32_t *corners,
                                  const uint32_t *tets, uint32_t count) {
    for (uint32_t lane = 0; lane < LT_BLOCK; lane++) {
        const uint32_t *ids = corners + 4 * (size_t)tets[lane < count ? lane : count - 1];
        for (int k = 0; k < 4; k++) {
            const float *p = nodes + 4 * (size_t)ids[k];
            for (int axis = 0; axis < 3; axis++)
                out->at[k][axis][lane] = p[axis];
        }
    }
}

typedef struct wide3 {
    lt_f8 x, y, z;
} wide3;

static inline wide3 load_corner(const corners8 *c, int k) {
    return (wide3){lt_f8_load(c->at[k][0]), lt_f8_load(c->at[k][1]), lt_f8_load(c->at[k][2])};
}
static inline wide3 subtract(wide3 a, wide3 b) {
    return (wide3){lt_f8_sub(a.x, b.x), lt_f8_sub(a.y, b.y), lt_f8_sub(a.z, b.z)};
}
static inline wide3 cross(wide3 a, wide3 b) {
    return (wide3){lt_f8_sub(lt_f8_mul(a.y, b.z), lt_f8_mul(a.z, b.y)),
                   lt_f8_sub(lt_f8_mul(a.z, b.x), lt_f8_mul(a.x, b.z)),
                   lt_f8_sub(lt_f8_mul(a.x, b.y), lt_f8_mul(a.y, b.x))};
}
static inline void store_row(float row[3][LT_BLOCK], wide3 a, lt_f8 by) {
    lt_f8_store(row[0], lt_f8_mul(a.x, by));
    lt_f8_store(row[1], lt_f8_mul(a.y, by));
    lt_f8_store(row[2], lt_f8_mul(a.z, by));
}

/* Boxes; `is_solid` lanes keep theirs, others get an empty one. */
static inline void store_boxes(lt_solid_block *out, const corners8 *c, lt_f8m is_solid) {
    for (int axis = 0; axis < 3; axis++) {
        lt_f8 a = lt_f8_load(c->at[0][axis]), b = lt_f8_load(c->at[1][axis]);
        lt_f8 p = lt_f8_load(c->at[2][axis]), q = lt_f8_load(c->at[3][axis]);
        lt_f8 lo = lt_f8_min(lt_f8_min(a, b), lt_f8_min(p, q));
        lt_f8 hi = lt_f8_max(lt_f8_max(a, b), lt_f8_max(p, q));
        lt_f8_store(out->lo[axis], lt_f8_select(is_solid, lo, lt_f8_splat(3e38f)));
        lt_f8_store(out->hi[axis], lt_f8_select(is_solid, hi, lt_f8_splat(-3e38f)));
    }
}

static void place_tets(lt_solid_block *out, const float *nodes, const uint32_t *corners, const uint32_t *tets,
                       uint32_t count) {
    static const float lanes[LT_BLOCK] = {0, 1, 2, 3, 4, 5, 6, 7};
    const float flat = 1e-30f;
    LT_ASSERT(count > 0 && count <= LT_BLOCK);
    corners8 c;
    gather_corners(&c, nodes, corners, tets, count);
    wide3 origin = load_corner(&c, 0);
    wide3 a = subtract(load_corner(&c, 1), origin), b = subtract(load_corner(&c, 2), origin),
          d = subtract(load_corner(&c, 3), origin);
    wide3 across = cross(b, d);
    lt_f8 volume =
        lt_f8_add(lt_f8_add(lt_f8_mul(a.x, across.x), lt_f8_mul(a.y, across.y)), lt_f8_mul(a.z, across.z));
    lt_f8m is_solid =
        lt_f8m_or(lt_f8_less(lt_f8_splat(flat), volume), lt_f8_less(volume, lt_f8_splat(-flat)));
    is_solid = lt_f8m_and(is_solid, lt_f8_less(lt_f8_load(lanes), lt_f8_splat((float)count)));
    lt_f8 one = lt_f8_splat(1), inverse = lt_f8_div(one, lt_f8_select(is_solid, volume, one));
    for (int axis = 0; axis < 3; axis++)
        lt_f8_store(out->origin[axis], lt_f8_load(c.at[0][axis]));
    store_row(out->rows[0], across, inverse);
    store_row(out->rows[1], cross(d, a), inverse);
    store_row(out->rows[2], cross(a, b), inverse);
    store_boxes(out, &c, is_solid);
}

/* ---- all nodes of a body ---- */

static lt_vec3 mean_node(const float *nodes, uint32_t count) {
    LT_ASSERT(count > 0);
    lt_f4 even = lt_f4_splat(0), odd = even;
    uint32_t i = 0;
    for (; i + 2 <= count; i += 2) {
        even = lt_f4_add(even, lt_f4_load(nodes + 4 * (size_t)i));
        odd = lt_f4_add(odd, lt_f4_load(nodes + 4 * (size_t)i + 4));
    }
    if (i < count) even = lt_f4_add(even, lt_f4_load(nodes + 4 * (size_t)i));
    return first_three(lt_f4_mul(lt_f4_add(even, odd), lt_f4_splat(1 / (float)count)));
}

static lt_vec3 farthest(const float *nodes, const float *from, lt_vec3 mean, uint32_t count) {
    const float at[4] = {mean.x, mean.y, mean.z, 0};
    lt_f4 zero = lt_f4_splat(0), most = zero, middle = lt_f4_load(at);
    for (uint32_t i = 0; i < count; i++) {
        lt_f4 d =
            lt_f4_sub(lt_f4_sub(lt_f4_load(nodes + 4 * (size_t)i), middle), lt_f4_load(from + 4 * (size_t)i));
        most = lt_f4_max(most, lt_f4_max(d, lt_f4_sub(zero, d)));
    }
    return first_three(most);
}

/* Eight nodes at once: their products with the normal, coordinate by coordinate, are added up where they lie. */
static uint32_t nodes_below(uint32_t *out, const float *nodes, lt_vec3 normal, float limit, uint32_t count) {
    const float along[8] = {normal.x, normal.y, normal.z, 0, normal.x, normal.y, normal.z, 0};
    lt_f8 n = lt_f8_load(along);
    uint32_t found = 0, i = 0;
    for (; i + 2 <= count; i += 2) {
        float p[8];
        lt_f8_store(p, lt_f8_mul(n, lt_f8_load(nodes + 4 * (size_t)i)));
        out[found] = i;
        found += p[0] + p[1] + p[2] < limit;
        out[found] = i + 1;
        found += p[4] + p[5] + p[6] < limit;
    }
    for (; i < count; i++) {
        const float *x = nodes + 4 * (size_t)i;
        out[found] = i;
        found += normal.x * x[0] + normal.y * x[1] + normal.z * x[2] < limit;
    }
    return found;
}

extern const lt_body_kernels LT_KERNEL(lt_body_kernels);
const lt_body_kernels LT_KERNEL(lt_body_kernels) = {box_of_nodes, place_tets, mean_node, farthest,
                                                    nodes_below};
