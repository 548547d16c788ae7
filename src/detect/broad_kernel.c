/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Eight boxes at once. Columns reach eight boxes beyond the last one, so that a group may begin anywhere. */

#include "detect/broad_parts.h"

/* Appends the positions of set bits; bits at or beyond `end` are of boxes nobody asked for. */
static inline uint32_t append_bits(uint32_t *out, uint32_t count, uint32_t bits, uint32_t at, uint32_t end) {
    if (end - at < LT_GROUP) bits &= (1u << (end - at)) - 1;
    for (; bits; bits &= bits - 1)
        out[count++] = at + (uint32_t)__builtin_ctz(bits);
    return count;
}

static uint32_t overlapping(uint32_t *out, const lt_box_columns *boxes, uint32_t begin, uint32_t end,
                            lt_box box) {
    lt_f8 lo_x = lt_f8_splat(box.lo.x), hi_x = lt_f8_splat(box.hi.x);
    lt_f8 lo_y = lt_f8_splat(box.lo.y), hi_y = lt_f8_splat(box.hi.y);
    lt_f8 lo_z = lt_f8_splat(box.lo.z), hi_z = lt_f8_splat(box.hi.z);
    uint32_t count = 0;
    for (uint32_t at = begin; at < end; at += LT_GROUP) {
        lt_f8m in_x = lt_f8m_and(lt_f8_less_equal(lt_f8_load(boxes->lo[0] + at), hi_x),
                                 lt_f8_less_equal(lo_x, lt_f8_load(boxes->hi[0] + at)));
        lt_f8m in_y = lt_f8m_and(lt_f8_less_equal(lt_f8_load(boxes->lo[1] + at), hi_y),
                                 lt_f8_less_equal(lo_y, lt_f8_load(boxes->hi[1] + at)));
        lt_f8m in_z = lt_f8m_and(lt_f8_less_equal(lt_f8_load(boxes->lo[2] + at), hi_z),
                                 lt_f8_less_equal(lo_z, lt_f8_load(boxes->hi[2] + at)));
        count = append_bits(out, count, lt_f8m_bits(lt_f8m_and(lt_f8m_and(in_x, in_y), in_z)), at, end);
    }
    return count;
}

/* ---- obstacles ---- */

typedef struct wide_v3 {
    lt_f8 x, y, z;
} wide_v3;

static inline lt_f8 wide_abs(lt_f8 a) {
    return lt_f8_max(a, lt_f8_sub(lt_f8_splat(0), a));
}
static inline lt_f8 dot_with(wide_v3 a, lt_vec3 b) {
    return lt_f8_mad(lt_f8_mad(lt_f8_mul(a.x, lt_f8_splat(b.x)), a.y, lt_f8_splat(b.y)), a.z,
                     lt_f8_splat(b.z));
}
static inline lt_f8 wide_length(wide_v3 a) {
    return lt_f8_sqrt(lt_f8_mad(lt_f8_mad(lt_f8_mul(a.x, a.x), a.y, a.y), a.z, a.z));
}

/* Distance from the core of the solid, without its radius; 0 inside. */
static inline lt_f8 outside(lt_f8 local, float half_extent) {
    return lt_f8_max(lt_f8_sub(wide_abs(local), lt_f8_splat(half_extent)), lt_f8_splat(0));
}

static uint32_t near_solid(uint32_t *out, const lt_box_columns *boxes, const lt_broad_solid *solid) {
    const lt_f8 half = lt_f8_splat(0.5f);
    uint32_t count = 0;
    for (uint32_t at = 0; at < boxes->count; at += LT_GROUP) {
        wide_v3 arm, extent;
        lt_f8 *arms[3] = {&arm.x, &arm.y, &arm.z}, *extents[3] = {&extent.x, &extent.y, &extent.z};
        const float position[3] = {solid->position.x, solid->position.y, solid->position.z};
        for (int k = 0; k < 3; k++) {
            lt_f8 lo = lt_f8_load(boxes->lo[k] + at), hi = lt_f8_load(boxes->hi[k] + at);
            *arms[k] = lt_f8_sub(lt_f8_mul(half, lt_f8_add(lo, hi)), lt_f8_splat(position[k]));
            *extents[k] = lt_f8_mul(half, lt_f8_sub(hi, lo));
        }
        wide_v3 reach = {lt_f8_add(wide_abs(arm.x), extent.x), lt_f8_add(wide_abs(arm.y), extent.y),
                         lt_f8_add(wide_abs(arm.z), extent.z)};
        lt_f8 farthest = wide_length(reach);
        lt_f8 distance, size;
        if (solid->is_plane) {
            lt_vec3 across = {fabsf(solid->normal.x), fabsf(solid->normal.y), fabsf(solid->normal.z)};
            distance = dot_with(arm, solid->normal);
            size = dot_with(extent, across);
        } else {
            wide_v3 beyond = {outside(dot_with(arm, solid->axes[0]), solid->half_extents.x),
                              outside(dot_with(arm, solid->axes[1]), solid->half_extents.y),
                              outside(dot_with(arm, solid->axes[2]), solid->half_extents.z)};
            distance = lt_f8_sub(wide_length(beyond), lt_f8_splat(solid->radius));
            size = wide_length(extent);
        }
        /* Its way in the step, and 1e-5 of everything that was summed, far more than it can have been rounded by. */
        lt_f8 way = lt_f8_mad(lt_f8_splat(solid->shift), farthest, lt_f8_splat(solid->turn));
        lt_f8 slack = lt_f8_mad(lt_f8_load(boxes->slack + at), farthest, lt_f8_splat(1e-5f));
        lt_f8 allowed = lt_f8_add(lt_f8_add(size, way), slack);
        count = append_bits(out, count, lt_f8m_bits(lt_f8_less_equal(distance, allowed)), at, boxes->count);
    }
    return count;
}

extern const lt_broad_kernels LT_KERNEL(lt_broad_kernels);
const lt_broad_kernels LT_KERNEL(lt_broad_kernels) = {overlapping, near_solid};
