/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Weights of a point in a tet, in double. */

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
