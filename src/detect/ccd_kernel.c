/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight pairs of triangles at once: is there a direction along which all corners of one stay above all of the other's,
 * at the start and at the end, and so all the time? Any direction will do for a proof; three are tried: the
 * normals of the two half way, and from the middle of the one to that of the other.
 *
 * Positions are taken from a corner of the first triangle, so that the rounding is that of the pair's own size: a
 * coordinate is right to u of itself (u = 2^-24), a product n·x to 4u|n|₁·reach. */

#include "detect/ccd.h"

enum { LANES = 8, WORD_BITS = 64 };

typedef struct wide_v3 {
    lt_f8 x, y, z;
} wide_v3;

/* Corners of eight triangles. */
typedef struct wide_triangle {
    wide_v3 start[3], end[3];
} wide_triangle;

static inline wide_v3 wide_sub(wide_v3 a, wide_v3 b) {
    return (wide_v3){lt_f8_sub(a.x, b.x), lt_f8_sub(a.y, b.y), lt_f8_sub(a.z, b.z)};
}
static inline wide_v3 wide_add(wide_v3 a, wide_v3 b) {
    return (wide_v3){lt_f8_add(a.x, b.x), lt_f8_add(a.y, b.y), lt_f8_add(a.z, b.z)};
}
static inline lt_f8 wide_dot(wide_v3 a, wide_v3 b) {
    return lt_f8_mad(lt_f8_mad(lt_f8_mul(a.x, b.x), a.y, b.y), a.z, b.z);
}
static inline wide_v3 wide_cross(wide_v3 a, wide_v3 b) {
    return (wide_v3){lt_f8_sub(lt_f8_mul(a.y, b.z), lt_f8_mul(a.z, b.y)),
                     lt_f8_sub(lt_f8_mul(a.z, b.x), lt_f8_mul(a.x, b.z)),
                     lt_f8_sub(lt_f8_mul(a.x, b.y), lt_f8_mul(a.y, b.x))};
}
static inline lt_f8 wide_abs(lt_f8 a) {
    return lt_f8_max(a, lt_f8_sub(lt_f8_splat(0), a));
}
static inline lt_f8 wide_min3(lt_f8 a, lt_f8 b, lt_f8 c) {
    return lt_f8_min(lt_f8_min(a, b), c);
}
static inline lt_f8 wide_max3(lt_f8 a, lt_f8 b, lt_f8 c) {
    return lt_f8_max(lt_f8_max(a, b), c);
}

/* ---- gather ---- */

static inline wide_v3 gather(const float *positions, size_t stride, const uint32_t *ids) {
    float x[LANES], y[LANES], z[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        const float *p = positions + stride * ids[lane];
        x[lane] = p[0];
        y[lane] = p[1];
        z[lane] = p[2];
    }
    return (wide_v3){lt_f8_load(x), lt_f8_load(y), lt_f8_load(z)};
}

static inline void gather_triangles(wide_triangle *out, const lt_ccd_surface *surface,
                                    const uint32_t *triangles) {
    uint32_t ids[3][LANES];
    size_t stride = surface->stride ? surface->stride : 3;
    for (int lane = 0; lane < LANES; lane++)
        for (int k = 0; k < 3; k++)
            ids[k][lane] = surface->triangles[3 * (size_t)triangles[lane] + (size_t)k];
    for (int k = 0; k < 3; k++) {
        out->start[k] = gather(&surface->start->x, stride, ids[k]);
        out->end[k] = gather(&surface->end->x, stride, ids[k]);
    }
}

/* What bounds the rounding in each lane. */
typedef struct wide_size {
    lt_f8 reach; /* no coordinate is larger */
    lt_f8 sum;   /* of all coordinates: not finite when one of them is not, which a maximum can hide */
} wide_size;

static inline void measure(wide_size *size, wide_v3 p) {
    size->reach = lt_f8_max(size->reach, wide_max3(wide_abs(p.x), wide_abs(p.y), wide_abs(p.z)));
    size->sum = lt_f8_add(size->sum, lt_f8_add(lt_f8_add(p.x, p.y), p.z));
}

static inline void move_origin(wide_triangle *t, wide_v3 origin, wide_size *size) {
    for (int k = 0; k < 3; k++) {
        t->start[k] = wide_sub(t->start[k], origin);
        t->end[k] = wide_sub(t->end[k], origin);
        measure(size, t->start[k]);
        measure(size, t->end[k]);
    }
}

/* ---- directions ---- */

static inline wide_v3 corner_half_way(const wide_triangle *t, int k) {
    return wide_add(t->start[k], t->end[k]); /* twice that: the length of a direction does not matter */
}

static inline wide_v3 normal_half_way(const wide_triangle *t) {
    wide_v3 c = corner_half_way(t, 0);
    return wide_cross(wide_sub(corner_half_way(t, 1), c), wide_sub(corner_half_way(t, 2), c));
}

static inline wide_v3 middle_half_way(const wide_triangle *t) {
    return wide_add(wide_add(corner_half_way(t, 0), corner_half_way(t, 1)), corner_half_way(t, 2));
}

/* Gap from the corners a up to the corners b along n, and from b up to a. */
static inline void gaps(const wide_v3 a[3], const wide_v3 b[3], wide_v3 n, lt_f8 *up, lt_f8 *down) {
    lt_f8 a0 = wide_dot(n, a[0]), a1 = wide_dot(n, a[1]), a2 = wide_dot(n, a[2]);
    lt_f8 b0 = wide_dot(n, b[0]), b1 = wide_dot(n, b[1]), b2 = wide_dot(n, b[2]);
    *up = lt_f8_sub(wide_min3(b0, b1, b2), wide_max3(a0, a1, a2));
    *down = lt_f8_sub(wide_min3(a0, a1, a2), wide_max3(b0, b1, b2));
}

/* Lanes in which n separates. Comparisons with a NaN are false: not proven. */
static inline uint32_t separated(const wide_triangle *a, const wide_triangle *b, wide_v3 n, lt_f8 reach,
                                 lt_f8 separation) {
    lt_f8 size = lt_f8_add(lt_f8_add(wide_abs(n.x), wide_abs(n.y)), wide_abs(n.z));
    /* 32u: twice 4u for either side, and the roundings of the bound itself; below 1e-30 products may have underflowed. */
    lt_f8 slack = lt_f8_mad(lt_f8_splat(1e-30f), lt_f8_mul(size, reach), lt_f8_splat(2e-6f));
    lt_f8 level = lt_f8_mad(slack, lt_f8_sqrt(wide_dot(n, n)), separation);
    lt_f8 up_start, up_end, down_start, down_end;
    gaps(a->start, b->start, n, &up_start, &down_start);
    gaps(a->end, b->end, n, &up_end, &down_end);
    lt_f8m up = lt_f8m_and(lt_f8_less(level, up_start), lt_f8_less(level, up_end));
    lt_f8m down = lt_f8m_and(lt_f8_less(level, down_start), lt_f8_less(level, down_end));
    return lt_f8m_bits(lt_f8m_or(up, down));
}

static inline uint32_t apart_bits(const lt_ccd_surface *a, const lt_ccd_surface *b, const lt_ccd_pair *pairs,
                                  uint32_t last, lt_f8 separation) {
    uint32_t a_ids[LANES], b_ids[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        a_ids[lane] = pairs[lt_min_u32(lane, last)].a;
        b_ids[lane] = pairs[lt_min_u32(lane, last)].b;
    }
    wide_triangle s, t;
    gather_triangles(&s, a, a_ids);
    gather_triangles(&t, b, b_ids);
    wide_v3 origin = s.start[0];
    wide_size size = {lt_f8_splat(0), lt_f8_splat(0)};
    move_origin(&s, origin, &size);
    move_origin(&t, origin, &size);
    lt_f8 reach = lt_f8_mad(size.reach, size.sum, lt_f8_splat(0)); /* or NaN, and then nothing is proven */
    uint32_t apart = separated(&s, &t, normal_half_way(&s), reach, separation);
    apart |= separated(&s, &t, normal_half_way(&t), reach, separation);
    apart |= separated(&s, &t, wide_sub(middle_half_way(&t), middle_half_way(&s)), reach, separation);
    return apart;
}

lt_ccd_may_meet LT_KERNEL(lt_ccd_may_meet);
void LT_KERNEL(lt_ccd_may_meet)(uint64_t *out, const lt_ccd_surface *a, const lt_ccd_surface *b,
                                const lt_ccd_pair *pairs, uint32_t pair_count, float separation) {
    /* Its product with a length is rounded. */
    lt_f8 wide_separation = lt_f8_splat(lt_max_f(separation, 0) * (1 + 1e-6f));
    for (uint32_t first = 0; first < pair_count; first += WORD_BITS) {
        uint32_t end = lt_min_u32(first + WORD_BITS, pair_count);
        uint64_t word = 0;
        for (uint32_t at = first; at < end; at += LANES) {
            uint32_t apart = apart_bits(a, b, pairs + at, end - at - 1, wide_separation);
            uint32_t asked = end - at < LANES ? (1u << (end - at)) - 1 : 255;
            word |= (uint64_t)(~apart & asked) << (at - first);
        }
        *out++ = word;
    }
}
