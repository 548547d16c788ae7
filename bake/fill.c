/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/fill.h"

enum { SAMPLE_ORDER = 8 }; /* (8 + 1)(8 + 2)(8 + 3) / 6 = 165 points a tet */

/* 1 inside, a half where the surface is, 0 outside and in pieces of solid that are not the tet's. */
static double solid_at(const lt_copies *copies, const uint32_t tet[4], lt_dvec3 point) {
    uint8_t voxel_class = copies->voxels->classes[lt_voxel_of(copies->voxels, point)];
    if (!lt_voxel_is_solid(voxel_class)) return 0.0;
    if (copies->copy_count > 0) {
        uint32_t owner = lt_copies_at(copies, point);
        if (owner == LT_NONE || !lt_copies_share_node(copies, owner, tet)) return 0.0;
    }
    return voxel_class == LT_VOXEL_INSIDE ? 1.0 : 0.5;
}

/* The mean over a regular set of points, none on the boundary of the tet. */
static double sample_tet(const lt_copies *copies, const lt_tet_mesh *mesh, uint32_t t) {
    const uint32_t *tet = lt_tet_at(mesh, t);
    const double unit = 1.0 / (SAMPLE_ORDER + 1.0);
    double sum = 0;
    int count = 0;
    for (int i = 0; i <= SAMPLE_ORDER; i++)
        for (int j = 0; i + j <= SAMPLE_ORDER; j++)
            for (int k = 0; i + j + k <= SAMPLE_ORDER; k++) {
                int last = SAMPLE_ORDER - i - j - k;
                lt_dvec3 p = lt_d3_scale(mesh->positions[tet[0]], (i + 0.25) * unit);
                p = lt_d3_mad(p, mesh->positions[tet[1]], (j + 0.25) * unit);
                p = lt_d3_mad(p, mesh->positions[tet[2]], (k + 0.25) * unit);
                p = lt_d3_mad(p, mesh->positions[tet[3]], (last + 0.25) * unit);
                sum += solid_at(copies, tet, p);
                count++;
            }
    return sum / count;
}

static double volume_of(const lt_tet_mesh *mesh, uint32_t t) {
    const uint32_t *tet = lt_tet_at(mesh, t);
    const lt_dvec3 *x = mesh->positions;
    return lt_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
}

/* Scales to the wanted sum; what would be above 1 stays at 1, and the others take its part. */
static void scale_to_sum(float *fill, const lt_tet_mesh *mesh, double wanted) {
    for (int round = 0; round < 20; round++) {
        double full = 0, rest = 0;
        for (uint32_t t = 0; t < mesh->tet_count; t++)
            *(fill[t] >= 1.0f ? &full : &rest) += fill[t] * volume_of(mesh, t);
        bool grows = full + rest < wanted;
        double scale = grows ? (rest > 0 ? (wanted - full) / rest : 1.0) : wanted / (full + rest);
        for (uint32_t t = 0; t < mesh->tet_count; t++)
            if (!grows || fill[t] < 1.0f) fill[t] = lt_min_f(1.0f, (float)(fill[t] * scale));
        if (!grows) return;
    }
}

void lt_fill_compute(float *fill, const lt_tet_mesh *mesh, const lt_copies *copies, double solid_volume) {
    for (uint32_t t = 0; t < mesh->tet_count; t++)
        fill[t] = (float)lt_max_d(LT_FILL_LEAST, sample_tet(copies, mesh, t));
    scale_to_sum(fill, mesh, solid_volume);
}
