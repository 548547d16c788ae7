/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The tet that holds a point: one after the other, in double. */

#include "bake/skin_write.h"

uint32_t lt_holding_tet(double weights[4], const lt_tet_mesh *mesh, const uint32_t *among, uint32_t count,
                        double enough, lt_dvec3 p) {
    uint32_t chosen = LT_NONE;
    for (uint32_t i = 0; i < count && (chosen == LT_NONE || lt_least_weight(weights) < enough); i++) {
        uint32_t tet = among ? among[i] : i;
        lt_dvec3 corners[4];
        double w[4];
        for (int k = 0; k < 4; k++)
            corners[k] = mesh->positions[lt_tet_at(mesh, tet)[k]];
        if (!lt_barycentric_weights(w, corners, p)) continue;
        if (chosen != LT_NONE && lt_least_weight(w) <= lt_least_weight(weights)) continue;
        chosen = tet;
        for (int k = 0; k < 4; k++)
            weights[k] = w[k];
    }
    return chosen;
}
