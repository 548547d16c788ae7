/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/bound.h"

extern const lt_bound_kernels lt_bound_kernels_scalar, lt_bound_kernels_wide4, lt_bound_kernels_avx2;

const lt_bound_kernels *lt_bound_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_bound_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_bound_kernels);
    return table[level];
}

static lt_box widen(lt_box box) {
    return (lt_box){{box.lo.x - lt_bound_slack(box.lo.x), box.lo.y - lt_bound_slack(box.lo.y),
                     box.lo.z - lt_bound_slack(box.lo.z)},
                    {box.hi.x + lt_bound_slack(box.hi.x), box.hi.y + lt_bound_slack(box.hi.y),
                     box.hi.z + lt_bound_slack(box.hi.z)}};
}

static lt_box box_of_tet(const uint32_t *tet, const float *nodes) {
    lt_box box = lt_box_empty();
    for (int k = 0; k < 4; k++) {
        const float *p = nodes + 4 * (size_t)tet[k];
        box = lt_box_add_point(box, (lt_vec3){p[0], p[1], p[2]});
    }
    return box;
}

void lt_tet_boxes_fit(lt_tet_boxes *boxes, const lt_carrier *carrier, const float *nodes, float margin,
                      uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    for (uint32_t group = begin; group < end; group++)
        for (uint32_t lane = 0; lane < LT_GROUP; lane++) {
            uint32_t tet = group * LT_GROUP + lane;
            lt_box box = lt_box_empty();
            if (tet < carrier->tet_count)
                box = widen(lt_box_inflate(box_of_tet(carrier->tets + 4 * (size_t)tet, nodes), margin));
            float *out = boxes->boxes + 6 * (size_t)LT_GROUP * group + lane;
            const float sides[6] = {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z};
            for (int k = 0; k < 6; k++)
                out[k * LT_GROUP] = sides[k];
        }
}

lt_box lt_body_box(const lt_skin *skin, lt_box box) {
    /* A point with weights below 0 by ν in all lies within ν diagonals of the hull of its nodes. Its sum rounds as the
     * largest coordinate times Σ|w| ≤ 1 + 2ν does, wherever the side of the box comes to lie. */
    float overhang =
        skin->overhang * lt_v3_length(lt_v3_sub(box.hi, box.lo)) + skin->longest_link * skin->scale;
    lt_vec3 far = lt_v3_max(lt_v3_neg(box.lo), box.hi);
    float largest = lt_max_f(lt_max_f(far.x, far.y), far.z);
    return lt_box_inflate(box, overhang + lt_bound_slack((1 + 2 * skin->overhang) * largest + overhang));
}
