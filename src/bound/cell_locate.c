/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where a point is in a cell: the inverse of the trilinear map, by Newton on its coefficients. */

#include "body/body.h"
#include "bound/cell_boxes.h"

/* tri(x, y, z) = c[0] + c[1] x + c[2] y + c[3] xy + c[4] z + c[5] xz + c[6] yz + c[7] xyz: bit k of an index stands for
 * axis k, as in corners. Of corners relative to the point; done axis by axis. */
static void make_coefficients(lt_r4 c[8], const lt_real *x, const uint32_t nodes[8], lt_rvec3 point) {
    const lt_real p[4] = {point.x, point.y, point.z, 0};
    for (uint32_t j = 0; j < LT_CELL_CORNERS; j++)
        c[j] = lt_r4_sub(lt_r4_load(x + 4 * (size_t)nodes[j]), lt_r4_load(p));
    for (uint32_t bit = 1; bit < LT_CELL_CORNERS; bit *= 2)
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++)
            if (j & bit) c[j] = lt_r4_sub(c[j], c[j ^ bit]);
}

/* How far tri(place) is from the point, and how that changes with the place. */
static lt_rvec3 trilinear_miss(const lt_r4 c[8], const lt_real place[3], lt_rmat3 *change) {
    lt_r4 x = lt_r4_splat(place[0]), y = lt_r4_splat(place[1]), z = lt_r4_splat(place[2]);
    lt_r4 xy = lt_r4_mad(c[3], c[7], z), yz = lt_r4_mad(c[6], c[7], x);
    lt_r4 of_y = lt_r4_mad(c[2], c[6], z), of_x = lt_r4_mad(c[1], c[5], z), along_x = lt_r4_mad(of_x, xy, y);
    change->c0 = lt_r4_xyz(along_x);
    change->c1 = lt_r4_xyz(lt_r4_mad(of_y, xy, x));
    change->c2 = lt_r4_xyz(lt_r4_mad(lt_r4_mad(c[4], c[5], x), yz, y));
    return lt_r4_xyz(lt_r4_mad(lt_r4_mad(lt_r4_mad(c[0], c[4], z), of_y, y), along_x, x));
}

/* place −= change⁻¹ miss. False where the cell is flat, or the step leaves the neighbourhood. */
static bool newton_step(lt_real place[3], lt_rvec3 miss, const lt_rmat3 *change, lt_real cell_size) {
    const lt_real flat = (lt_real)1e-6, far = 4;
    lt_real volume = lt_rm3_determinant(*change), cube = cell_size * cell_size * cell_size;
    if (!(volume > flat * cube || volume < -flat * cube)) return false;
    lt_rvec3 step = lt_r3_scale(lt_rm3_mul_vec_transposed(lt_rm3_cofactor(*change), miss), 1 / volume);
    place[0] -= step.x;
    place[1] -= step.y;
    place[2] -= step.z;
    for (int k = 0; k < 3; k++)
        if (!(place[k] > -far && place[k] < far)) return false;
    return true;
}

static void clamp_to_cell(lt_real place[3]) {
    for (int k = 0; k < 3; k++)
        place[k] = place[k] >= 0 ? lt_min_r(place[k], 1) : 0; /* 0 for NaN */
}

/* From a place that misses by so much. */
static bool improve(lt_real place[3], const lt_r4 c[8], lt_rvec3 miss, lt_rmat3 *change, lt_real cell_size) {
    enum { STEPS = 5 };
    const lt_real wanted = (lt_real)1e-5 * cell_size, enough = (lt_real)1e-4 * cell_size;
    for (int step = 0; step < STEPS && !(lt_r3_length_squared(miss) <= wanted * wanted); step++) {
        if (!newton_step(place, miss, change, cell_size)) break;
        miss = trilinear_miss(c, place, change);
    }
    bool found = lt_r3_length_squared(miss) <= enough * enough;
    if (!found) clamp_to_cell(place);
    return found;
}

bool lt_cell_locate(lt_real place[3], const lt_real *x, const uint32_t nodes[8], lt_rvec3 point,
                    lt_real cell_size) {
    lt_r4 c[8];
    lt_rmat3 change;
    make_coefficients(c, x, nodes, point);
    lt_rvec3 miss = trilinear_miss(c, place, &change);
    return improve(place, c, miss, &change, cell_size);
}

/* Where the point is changes one coefficient only. */
bool lt_cell_follow(lt_real place[3], lt_rvec3 *moved, const lt_real *x, const uint32_t nodes[8],
                    lt_rvec3 point, lt_rvec3 normal, lt_real depth, lt_real cell_size) {
    lt_r4 c[8];
    lt_rmat3 change;
    make_coefficients(c, x, nodes, point);
    lt_rvec3 miss = trilinear_miss(c, place, &change);
    *moved = lt_r3_neg(miss);
    lt_real ahead = lt_min_r(0, depth - lt_r3_dot(normal, *moved));
    const lt_real shift[4] = {ahead * normal.x, ahead * normal.y, ahead * normal.z, 0};
    c[0] = lt_r4_sub(c[0], lt_r4_load(shift));
    return improve(place, c, lt_r3_mad(miss, normal, -ahead), &change, cell_size);
}
