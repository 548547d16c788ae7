/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which tet holds a point, and by what weights. In double, one tet after the other: for baking. */

#include "embed/embed.h"

bool lt_barycentric_weights(double weights[4], const lt_dvec3 corners[4], lt_dvec3 p) {
    lt_dmat3 edges = {lt_d3_sub(corners[1], corners[0]), lt_d3_sub(corners[2], corners[0]),
                      lt_d3_sub(corners[3], corners[0])};
    double determinant = lt_dm3_determinant(edges);
    double size = lt_d3_length(edges.c0) + lt_d3_length(edges.c1) + lt_d3_length(edges.c2);
    if (!(fabs(determinant) > 1e-13 * size * size * size)) return false;
    lt_dvec3 w = lt_dm3_mul_vec(lt_dm3_inverse(edges), lt_d3_sub(p, corners[0]));
    weights[0] = 1 - w.x - w.y - w.z;
    weights[1] = w.x;
    weights[2] = w.y;
    weights[3] = w.z;
    return true;
}

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
