/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Frames: where a body's offsets are measured from, and how its numbers go from one frame to another.
 *
 * Origins lie on grids of powers of two, so that their differences are exact and a move towards the new origin is a subtraction without
 * rounding (Sterbenz: offsets shrink, and both terms are multiples of the ulp of the larger one). What a step does with a body depends
 * on its offsets alone, so that a body moved by whole cells repeats its bits wherever it is. */

#include "body/body.h"

#include <string.h>

static const double SIZES_A_CELL = 32;

/* The least power of two that is no less: the exponent, and one more unless all bits behind it are 0. */
double lt_frame_cell(double size) {
    LT_ASSERT(size > 1e-300 && size < 1e300);
    const uint64_t fraction = ((uint64_t)1 << 52) - 1, one = (uint64_t)1 << 52;
    double cell = SIZES_A_CELL * size;
    uint64_t bits;
    memcpy(&bits, &cell, sizeof bits);
    bits = (bits & fraction) ? (bits & ~fraction) + one : bits;
    memcpy(&cell, &bits, sizeof cell);
    return cell;
}

static bool is_within(double origin, double place, double reach) {
    return fabs(place - origin) <= reach;
}

bool lt_frame_serves(const double origin[3], lt_dvec3 place, double reach) {
    return is_within(origin[0], place.x, reach) && is_within(origin[1], place.y, reach) &&
           is_within(origin[2], place.z, reach);
}

void lt_frame_nearest(double origin[3], lt_dvec3 place, double cell) {
    LT_ASSERT(cell > 0);
    origin[0] = cell * floor(place.x / cell + 0.5);
    origin[1] = cell * floor(place.y / cell + 0.5);
    origin[2] = cell * floor(place.z / cell + 0.5);
}

static void shift(lt_real *vectors, uint32_t node_count, const double by[3]) {
    for (uint32_t node = 0; node < node_count; node++)
        for (uint32_t k = 0; k < 3; k++)
            vectors[4 * (size_t)node + k] = (lt_real)((double)vectors[4 * (size_t)node + k] + by[k]);
}

void lt_soft_rebase(lt_soft *soft, const double origin[3]) {
    uint32_t count = soft->carrier.node_count;
    double by[3];
    for (int k = 0; k < 3; k++) {
        by[k] = soft->origin[k] - origin[k];
        soft->origin[k] = origin[k];
    }
    if (by[0] == 0 && by[1] == 0 && by[2] == 0) return;
    shift(soft->x, count, by);
    shift(soft->x_before, count, by);
    for (uint32_t node = 0; node < count; node++)
        if (soft->pinned[node]) shift(soft->pin_target + 4 * (size_t)node, 1, by);
    if (soft->carrier.cell_count > 0) shift(soft->x_seen, count, by);
    lt_soft_publish(soft);
}
