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
        if (bits == 0) return LT_BOXES_APART;
        inside &= bits;
        least = lt_f8_min(outer->push >> plane & 1 ? below : far, least);
    }
    lt_f8_store(depths, least);
    return inside;
}

/* ---- edges ---- */

typedef struct four_v3 {
    lt_f4 x, y, z;
} four_v3;

static inline lt_f4 dot_four(four_v3 n, const lt_cell_box *box, uint32_t corner) {
    lt_f4 x = lt_f4_mul(n.x, lt_f4_splat(box->corners[0][corner]));
    lt_f4 xy = lt_f4_mad(x, n.y, lt_f4_splat(box->corners[1][corner]));
    return lt_f4_mad(xy, n.z, lt_f4_splat(box->corners[2][corner]));
}

typedef struct four_ranges {
    lt_f4 lo, hi;
} four_ranges;

static inline four_ranges project_four(const lt_cell_box *box, four_v3 n) {
    four_ranges r = {dot_four(n, box, 0), dot_four(n, box, 0)};
    for (uint32_t corner = 1; corner < LT_CELL_CORNERS; corner++) {
        lt_f4 at = dot_four(n, box, corner);
        r.lo = lt_f4_min(r.lo, at);
        r.hi = lt_f4_max(r.hi, at);
    }
    return r;
}

static inline lt_vec3 edge_of(const lt_cell_box *box, uint32_t edge) {
    uint32_t begin = lt_cell_edge_begin(edge / 4, edge % 4), end = begin | 1u << (edge / 4);
    return lt_v3_sub(lt_cell_box_corner(box, end), lt_cell_box_corner(box, begin));
}

/* Unit vectors across an edge and four others, and where there are any. */
static inline lt_f4m cross_four(four_v3 *out, const lt_cell_box *a, uint32_t edge, const lt_cell_box *b,
                                uint32_t first) {
    float v[3][4];
    for (uint32_t i = 0; i < 4; i++) {
        lt_vec3 e = edge_of(b, first + i);
        v[0][i] = e.x, v[1][i] = e.y, v[2][i] = e.z;
    }
    lt_vec3 u = edge_of(a, edge);
    lt_f4 x = lt_f4_load(v[0]), y = lt_f4_load(v[1]), z = lt_f4_load(v[2]);
    lt_f4 ux = lt_f4_splat(u.x), uy = lt_f4_splat(u.y), uz = lt_f4_splat(u.z);
    four_v3 n = {lt_f4_sub(lt_f4_mul(uy, z), lt_f4_mul(uz, y)), lt_f4_sub(lt_f4_mul(uz, x), lt_f4_mul(ux, z)),
                 lt_f4_sub(lt_f4_mul(ux, y), lt_f4_mul(uy, x))};
    lt_f4 squares = lt_f4_mad(lt_f4_mad(lt_f4_mul(n.x, n.x), n.y, n.y), n.z, n.z);
    lt_f4 lengths = lt_f4_mad(lt_f4_mad(lt_f4_mul(x, x), y, y), z, z), one = lt_f4_splat(1);
    /* Nearly parallel edges, by less than a hundredth, say nothing. */
    lt_f4m valid = lt_f4_less(lt_f4_mul(lengths, lt_f4_splat(1e-4f * lt_v3_dot(u, u))), squares);
    lt_f4 scale = lt_f4_div(one, lt_f4_sqrt(lt_f4_select(valid, squares, one)));
    *out = (four_v3){lt_f4_mul(n.x, scale), lt_f4_mul(n.y, scale), lt_f4_mul(n.z, scale)};
    return valid;
}

static void cross_edges(lt_edge_axes *out, const lt_cell_box *a, uint32_t edge, const lt_cell_box *b,
                        uint32_t first) {
    four_v3 n;
    lt_f4m valid = cross_four(&n, a, edge, b, first);
    four_ranges in_a = project_four(a, n), in_b = project_four(b, n);
    lt_f4 never = lt_f4_splat(3e38f), zero = lt_f4_splat(0);
    lt_f4 forth = lt_f4_select(valid, lt_f4_sub(in_a.hi, in_b.lo), never);
    lt_f4 back = lt_f4_select(valid, lt_f4_sub(in_b.hi, in_a.lo), never);
    lt_f4_store(out->axes[0], n.x);
    lt_f4_store(out->axes[1], n.y);
    lt_f4_store(out->axes[2], n.z);
    lt_f4_store(out->forth, forth);
    lt_f4_store(out->back, back);
    out->apart = lt_f4m_bits(lt_f4m_or(lt_f4_less_equal(forth, zero), lt_f4_less_equal(back, zero)));
}

extern const lt_box_kernels LT_KERNEL(lt_box_kernels);
const lt_box_kernels LT_KERNEL(lt_box_kernels) = {corners_inside, cross_edges};
