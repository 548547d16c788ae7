/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight corners against planes, one after the other: most pairs that do not touch are parted by one of the first. */

#include "detect/boxes.h"

static uint32_t corners_inside(const lt_cell_box *outer, const lt_cell_box *inner, float depths[8]) {
    lt_f8 x = lt_f8_load(inner->corners[0]), y = lt_f8_load(inner->corners[1]),
          z = lt_f8_load(inner->corners[2]);
    lt_f8 zero = lt_f8_splat(0), least = lt_f8_splat(3e38f), far = least;
    uint32_t inside = 255;
    for (uint32_t plane = 0; plane < outer->plane_count; plane++) {
        const float *p = &outer->planes[0][plane];
        lt_f8 height = lt_f8_mul(x, lt_f8_splat(p[0]));
        height = lt_f8_mad(height, y, lt_f8_splat(p[LT_CELL_PLANES]));
        height = lt_f8_mad(height, z, lt_f8_splat(p[2 * LT_CELL_PLANES]));
        lt_f8 below = lt_f8_sub(lt_f8_splat(p[3 * LT_CELL_PLANES]), height);
        uint32_t bits = lt_f8m_bits(lt_f8_less(zero, below));
        if (bits == 0) {
            lt_f8_store(depths, below);
            return LT_BOXES_APART;
        }
        inside &= bits;
        least = lt_f8_min(outer->push >> plane & 1 ? below : far, least);
    }
    lt_f8_store(depths, least);
    return inside;
}

/* ---- edges ---- */

typedef struct wide_v3 {
    lt_f8 x, y, z;
} wide_v3;

static inline lt_f8 dot_corner(wide_v3 n, const lt_cell_box *box, uint32_t corner) {
    LT_ASSERT(corner < LT_CELL_CORNERS);
    lt_f8 x = lt_f8_mul(n.x, lt_f8_splat(box->corners[0][corner]));
    lt_f8 xy = lt_f8_mad(x, n.y, lt_f8_splat(box->corners[1][corner]));
    return lt_f8_mad(xy, n.z, lt_f8_splat(box->corners[2][corner]));
}

typedef struct wide_range {
    lt_f8 lo, hi;
} wide_range;

static inline wide_range project(const lt_cell_box *box, wide_v3 n) {
    wide_range r = {dot_corner(n, box, 0), dot_corner(n, box, 0)};
    for (uint32_t corner = 1; corner < LT_CELL_CORNERS; corner++) {
        lt_f8 at = dot_corner(n, box, corner);
        r.lo = lt_f8_min(r.lo, at);
        r.hi = lt_f8_max(r.hi, at);
    }
    return r;
}

/* The edges of a box by coordinate and axis, the four along an axis twice over. */
typedef struct edge_table {
    float e[3][3][8]; /* coordinate, axis, edge */
} edge_table;

static inline edge_table load_edges(const lt_cell_box *box) {
    edge_table t;
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t edge = 0; edge < 4; edge++) {
            uint32_t begin = lt_cell_edge_begin(axis, edge), end = begin | 1u << axis;
            for (int k = 0; k < 3; k++)
                t.e[k][axis][edge] = t.e[k][axis][edge + 4] = box->corners[k][end] - box->corners[k][begin];
        }
    return t;
}

/* All four edges along an axis, twice; and two of them, four times each. */
static inline wide_v3 four_edges(const edge_table *t, uint32_t axis) {
    LT_ASSERT(axis < 3);
    return (wide_v3){lt_f8_load(t->e[0][axis]), lt_f8_load(t->e[1][axis]), lt_f8_load(t->e[2][axis])};
}
static inline wide_v3 two_edges(const edge_table *t, uint32_t axis, uint32_t edge, lt_f8m first_half) {
    LT_ASSERT(axis < 3);
    lt_f8 both[3];
    for (int k = 0; k < 3; k++)
        both[k] =
            lt_f8_select(first_half, lt_f8_splat(t->e[k][axis][edge]), lt_f8_splat(t->e[k][axis][edge + 1]));
    return (wide_v3){both[0], both[1], both[2]};
}

static inline lt_f8 squared_length(wide_v3 a) {
    return lt_f8_mad(lt_f8_mad(lt_f8_mul(a.x, a.x), a.y, a.y), a.z, a.z);
}

/* Unit vectors across u and v, and where there are any: edges that are nearly parallel, by less than a hundredth, say
 * nothing. */
static inline lt_f8m across(wide_v3 *out, wide_v3 u, wide_v3 v) {
    wide_v3 n = {lt_f8_sub(lt_f8_mul(u.y, v.z), lt_f8_mul(u.z, v.y)),
                 lt_f8_sub(lt_f8_mul(u.z, v.x), lt_f8_mul(u.x, v.z)),
                 lt_f8_sub(lt_f8_mul(u.x, v.y), lt_f8_mul(u.y, v.x))};
    lt_f8 squares = squared_length(n), one = lt_f8_splat(1);
    lt_f8 least = lt_f8_mul(lt_f8_mul(squared_length(u), lt_f8_splat(1e-4f)), squared_length(v));
    lt_f8m valid = lt_f8_less(least, squares);
    lt_f8 scale = lt_f8_div(one, lt_f8_sqrt(lt_f8_select(valid, squares, one)));
    *out = (wide_v3){lt_f8_mul(n.x, scale), lt_f8_mul(n.y, scale), lt_f8_mul(n.z, scale)};
    return valid;
}

/* Eight axes; false: one of them parts the boxes. */
static inline bool try_axes(lt_edge_axes *out, const lt_cell_box *a, const lt_cell_box *b, wide_v3 u,
                            wide_v3 v, lt_f8 limit) {
    wide_v3 n;
    lt_f8m valid = across(&n, u, v);
    wide_range in_a = project(a, n), in_b = project(b, n);
    lt_f8 never = lt_f8_splat(3e38f);
    lt_f8 forth = lt_f8_select(valid, lt_f8_sub(in_a.hi, in_b.lo), never);
    lt_f8 back = lt_f8_select(valid, lt_f8_sub(in_b.hi, in_a.lo), never);
    lt_f8 least = lt_f8_min(forth, back);
    lt_f8_store(out->axes[0], n.x);
    lt_f8_store(out->axes[1], n.y);
    lt_f8_store(out->axes[2], n.z);
    lt_f8_store(out->forth, forth);
    lt_f8_store(out->back, back);
    out->candidates = lt_f8m_bits(lt_f8_less(least, limit));
    return lt_f8m_bits(lt_f8_less_equal(least, lt_f8_splat(0))) == 0;
}

static bool cross_edges(lt_edge_axes out[LT_EDGE_GROUPS], const lt_cell_box *a, const lt_cell_box *b,
                        float limit) {
    static const float halves[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    lt_f8m first_half = lt_f8_less(lt_f8_load(halves), lt_f8_splat(1));
    edge_table of_a = load_edges(a), of_b = load_edges(b);
    for (uint32_t i = 0; i < LT_EDGE_GROUPS; i++) {
        uint32_t axis_a = i / 6, edge = i / 3 % 2 * 2, axis_b = i % 3;
        wide_v3 u = two_edges(&of_a, axis_a, edge, first_half), v = four_edges(&of_b, axis_b);
        if (!try_axes(&out[i], a, b, u, v, lt_f8_splat(limit))) return false;
    }
    return true;
}

/* ---- blocks ---- */

/* Eight boxes against one; columns reach eight beyond the last. */
static inline uint32_t overlap_eight(const lt_cell_boxes *b, uint32_t at, wide_v3 lo, wide_v3 hi) {
    lt_f8m in_x = lt_f8m_and(lt_f8_less_equal(lt_f8_load(b->lo[0] + at), hi.x),
                             lt_f8_less_equal(lo.x, lt_f8_load(b->hi[0] + at)));
    lt_f8m in_y = lt_f8m_and(lt_f8_less_equal(lt_f8_load(b->lo[1] + at), hi.y),
                             lt_f8_less_equal(lo.y, lt_f8_load(b->hi[1] + at)));
    lt_f8m in_z = lt_f8m_and(lt_f8_less_equal(lt_f8_load(b->lo[2] + at), hi.z),
                             lt_f8_less_equal(lo.z, lt_f8_load(b->hi[2] + at)));
    return lt_f8m_bits(lt_f8m_and(lt_f8m_and(in_x, in_y), in_z));
}

static uint32_t overlapping_block(uint64_t *out, const lt_cell_boxes *a, uint32_t begin_a, uint32_t end_a,
                                  const lt_cell_boxes *b, uint32_t begin_b, uint32_t end_b, lt_box within,
                                  float margin) {
    uint64_t all = end_b - begin_b < 64 ? ((uint64_t)1 << (end_b - begin_b)) - 1 : UINT64_MAX;
    uint32_t tested = 0;
    for (uint32_t box = begin_a; box < end_a; box++) {
        uint64_t word = 0;
        lt_box own = lt_box_inflate(lt_cell_boxes_aabb(a, box), margin);
        if (lt_box_overlap(own, within)) {
            wide_v3 lo = {lt_f8_splat(own.lo.x), lt_f8_splat(own.lo.y), lt_f8_splat(own.lo.z)},
                    hi = {lt_f8_splat(own.hi.x), lt_f8_splat(own.hi.y), lt_f8_splat(own.hi.z)};
            for (uint32_t at = begin_b; at < end_b; at += 8)
                word |= (uint64_t)overlap_eight(b, at, lo, hi) << (at - begin_b);
            tested++;
        }
        *out++ = word & all;
    }
    return tested;
}

extern const lt_box_kernels LT_KERNEL(lt_box_kernels);
const lt_box_kernels LT_KERNEL(lt_box_kernels) = {corners_inside, cross_edges, overlapping_block};
