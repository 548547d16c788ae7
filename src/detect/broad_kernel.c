/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight boxes at once. Columns reach eight boxes beyond the last one, so that a group may begin anywhere. */

#include "detect/broad_internal.h"

/* The bits of the groups in [begin, end); those at or beyond `end` are of boxes nobody asked for. */
static inline uint64_t keep_bits(uint64_t word, uint32_t begin, uint32_t end) {
    return end - begin < LT_WORD_BITS ? word & (((uint64_t)1 << (end - begin)) - 1) : word;
}

static void overlapping(uint64_t *out, const lt_box_columns *boxes, uint32_t begin, uint32_t end,
                        lt_box box) {
    const lt_box_columns c = *boxes;
    lt_f8 lo_x = lt_f8_splat(box.lo.x), hi_x = lt_f8_splat(box.hi.x);
    lt_f8 lo_y = lt_f8_splat(box.lo.y), hi_y = lt_f8_splat(box.hi.y);
    lt_f8 lo_z = lt_f8_splat(box.lo.z), hi_z = lt_f8_splat(box.hi.z);
    for (uint32_t first = begin; first < end; first += LT_WORD_BITS) {
        uint64_t word = 0;
        for (uint32_t at = first; at < end && at < first + LT_WORD_BITS; at += LT_GROUP) {
            lt_f8m in_x = lt_f8m_and(lt_f8_less_equal(lt_f8_load(c.lo[0] + at), hi_x),
                                     lt_f8_less_equal(lo_x, lt_f8_load(c.hi[0] + at)));
            lt_f8m in_y = lt_f8m_and(lt_f8_less_equal(lt_f8_load(c.lo[1] + at), hi_y),
                                     lt_f8_less_equal(lo_y, lt_f8_load(c.hi[1] + at)));
            lt_f8m in_z = lt_f8m_and(lt_f8_less_equal(lt_f8_load(c.lo[2] + at), hi_z),
                                     lt_f8_less_equal(lo_z, lt_f8_load(c.hi[2] + at)));
            lt_f8m in = lt_f8m_and(lt_f8m_and(in_x, in_y), in_z);
            word |= (uint64_t)lt_f8m_bits(in) << (at - first);
        }
        *out++ = keep_bits(word, first, end);
    }
}

/* ---- obstacles ---- */

typedef struct wide_v3 {
    lt_f8 x, y, z;
} wide_v3;

static inline lt_f8 wide_abs(lt_f8 a) {
    return lt_f8_max(a, lt_f8_sub(lt_f8_splat(0), a));
}
static inline lt_f8 dot_with(wide_v3 a, lt_vec3 b) {
    lt_f8 xy = lt_f8_mad(lt_f8_mul(a.x, lt_f8_splat(b.x)), a.y, lt_f8_splat(b.y));
    return lt_f8_mad(xy, a.z, lt_f8_splat(b.z));
}
static inline lt_f8 wide_length(wide_v3 a) {
    return lt_f8_sqrt(lt_f8_mad(lt_f8_mad(lt_f8_mul(a.x, a.x), a.y, a.y), a.z, a.z));
}

/* Eight boxes as seen from the solid: where their centres are, and half their sizes. */
typedef struct seen_boxes {
    wide_v3 arm, extent;
} seen_boxes;

static inline void see_axis(lt_f8 *arm, lt_f8 *extent, const float *lo, const float *hi, float position) {
    const lt_f8 half = lt_f8_splat(0.5f);
    lt_f8 l = lt_f8_load(lo), h = lt_f8_load(hi);
    *arm = lt_f8_sub(lt_f8_mul(half, lt_f8_add(l, h)), lt_f8_splat(position));
    *extent = lt_f8_mul(half, lt_f8_sub(h, l));
}

static inline seen_boxes see_boxes(const lt_box_columns *c, uint32_t at, lt_vec3 position) {
    seen_boxes s;
    see_axis(&s.arm.x, &s.extent.x, c->lo[0] + at, c->hi[0] + at, position.x);
    see_axis(&s.arm.y, &s.extent.y, c->lo[1] + at, c->hi[1] + at, position.y);
    see_axis(&s.arm.z, &s.extent.z, c->lo[2] + at, c->hi[2] + at, position.z);
    return s;
}

/* How far a coordinate is beyond the core of the solid; 0 within. */
static inline lt_f8 beyond(lt_f8 local, float half_extent) {
    return lt_f8_max(lt_f8_sub(wide_abs(local), lt_f8_splat(half_extent)), lt_f8_splat(0));
}

/* Distance of the centres less what the boxes reach towards it, as lt_obstacle_may_touch has it. */
static inline lt_f8 gap_to_plane(seen_boxes s, const lt_broad_solid *solid) {
    lt_vec3 across = {fabsf(solid->normal.x), fabsf(solid->normal.y), fabsf(solid->normal.z)};
    return lt_f8_sub(dot_with(s.arm, solid->normal), dot_with(s.extent, across));
}

static inline lt_f8 gap_to_round_box(seen_boxes s, const lt_broad_solid *solid) {
    wide_v3 out = {beyond(dot_with(s.arm, solid->axes[0]), solid->half_extents.x),
                   beyond(dot_with(s.arm, solid->axes[1]), solid->half_extents.y),
                   beyond(dot_with(s.arm, solid->axes[2]), solid->half_extents.z)};
    return lt_f8_sub(lt_f8_sub(wide_length(out), lt_f8_splat(solid->radius)), wide_length(s.extent));
}

static inline uint32_t near_bits(const lt_box_columns *c, uint32_t at, const lt_broad_solid *solid) {
    seen_boxes s = see_boxes(c, at, solid->position);
    lt_f8 gap = solid->is_plane ? gap_to_plane(s, solid) : gap_to_round_box(s, solid);
    wide_v3 reach = {lt_f8_add(wide_abs(s.arm.x), s.extent.x), lt_f8_add(wide_abs(s.arm.y), s.extent.y),
                     lt_f8_add(wide_abs(s.arm.z), s.extent.z)};
    lt_f8 farthest = wide_length(reach);
    /* Its way in the step, and 1e-5 of what was summed, far more than that can have been rounded by. */
    lt_f8 way = lt_f8_mad(lt_f8_splat(solid->shift), farthest, lt_f8_splat(solid->turn));
    lt_f8 slack = lt_f8_mad(lt_f8_load(c->slack + at), farthest, lt_f8_splat(1e-5f));
    return lt_f8m_bits(lt_f8_less_equal(gap, lt_f8_add(way, slack)));
}

static void near_solid(uint64_t *out, const lt_box_columns *boxes, const lt_broad_solid *solid) {
    uint32_t end = boxes->count;
    for (uint32_t first = 0; first < end; first += LT_WORD_BITS) {
        uint64_t word = 0;
        for (uint32_t at = first; at < end && at < first + LT_WORD_BITS; at += LT_GROUP)
            word |= (uint64_t)near_bits(boxes, at, solid) << (at - first);
        *out++ = keep_bits(word, first, end);
    }
}

extern const lt_broad_kernels LT_KERNEL(lt_broad_kernels);
const lt_broad_kernels LT_KERNEL(lt_broad_kernels) = {overlapping, near_solid};
