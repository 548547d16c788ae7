/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

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

extern const lt_bound_kernels LT_KERNEL(lt_bound_kernels);
const lt_bound_kernels LT_KERNEL(lt_bound_kernels) = {boxes_at_point};
