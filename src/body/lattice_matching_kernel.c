/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The motions of regions, eight at a time, in the frame of the body. Of a region with mass M, centre c₀ and second
 * moments A₀ about it at rest, and sums s = Σ m̃ u, Σ m̃ u x₀ᵀ over displacements u:
 *
 *   B = Σ m̃ u x₀ᵀ − s c₀ᵀ,  R = polar(A₀ + B),  E = R − I,  x₀ ↦ E x₀ + τ with τ = s/M − E c₀
 *
 * is the displacement of the rigid motion nearest to it; it leaves |u|² − 2 E:B + E A₀:E − |s|²/M, summed with m̃.
 * Displacements, not positions: E and τ are zero at rest whatever roundings are, and B has no large parts to cancel.
 * Velocities go the same way, with Ė = R [w]ₓ and w = (tr A₀ I − A₀)⁻¹ axial(RᵀḂ). This is not how R changes, where
 * S = Rᵀ(A₀ + B) would stand for A₀, but the rigid motion nearest to the velocities: what is left of them is what damping
 * takes, a projection, which is never negative and never more than all. How R changes made damping drive what was squeezed. */

#include "body/kernel_internal.h"
#include "body/models.h"

/* Rows of eight regions as lanes: sum[0..2] = Σ m̃ u, moment[3 * column + row] = B. */
static inline void gather_sums(lt_r8 sum[3], lt_r8 moment[9], const lt_real *rows, const lt_r8 center[3]) {
    lt_real lanes[LT_REGION_ROW][LT_GROUP];
    for (int lane = 0; lane < LT_GROUP; lane++)
        for (int i = 0; i < LT_REGION_ROW; i++)
            lanes[i][lane] = rows[LT_REGION_ROW * lane + i];
    for (int i = 0; i < 3; i++)
        sum[i] = lt_r8_load(lanes[i]);
    for (int i = 0; i < 9; i++)
        moment[i] = lt_r8_sub(lt_r8_load(lanes[3 + i]), lt_r8_mul(sum[i % 3], center[i / 3]));
}

/* τ = s/M − E c₀ */
static inline void offset_of(lt_r8 out[3], const lt_r8 sum[3], lt_r8 inverse_mass, const lt_r8 turn[9],
                             const lt_r8 center[3]) {
    for (int i = 0; i < 3; i++) {
        lt_r8 moved = lt_r8_mul(turn[i], center[0]);
        moved = lt_r8_mad(moved, turn[3 + i], center[1]);
        moved = lt_r8_mad(moved, turn[6 + i], center[2]);
        out[i] = lt_r8_sub(lt_r8_mul(sum[i], inverse_mass), moved);
    }
}

/* −2 E:B + E A₀:E − |s|²/M */
static inline lt_r8 energy_of(const lt_r8 turn[9], const lt_r8 moment[9], const lt_r8 rest[9],
                              const lt_r8 sum[3], lt_r8 inverse_mass) {
    lt_r8 total = lt_r8_sub(lt_r8_splat(0), lt_r8_mul(lt_dot3_wide(sum, sum), inverse_mass));
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            lt_r8 product = lt_r8_mul(turn[row], rest[3 * column]);
            product = lt_r8_mad(product, turn[3 + row], rest[3 * column + 1]);
            product = lt_r8_mad(product, turn[6 + row], rest[3 * column + 2]);
            lt_r8 twice = lt_r8_add(moment[3 * column + row], moment[3 * column + row]);
            total = lt_r8_mad(total, turn[3 * column + row], lt_r8_sub(product, twice));
        }
    return total;
}

/* Ė of the rigid motion nearest to velocities with Ḃ, among those of the region as it is at rest, turned by r. It is what a
 * Newton step of the polar decomposition finds for a matrix with the symmetric part A₀ and the antisymmetric part of rᵀḂ;
 * nothing turns where that is not definite. */
static inline void turn_rate(lt_r8 out[9], const lt_r8 r[9], const lt_r8 rest[9], const lt_r8 rate[9]) {
    lt_r8 change[9], mixed[9], w[3], half = lt_r8_splat((lt_real)0.5), zero = lt_r8_splat(0);
    lt_transposed_product_wide(change, r, rate);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            int i = 3 * column + row, j = 3 * row + column;
            mixed[i] = lt_r8_mad(rest[i], half, lt_r8_sub(change[i], change[j]));
        }
    lt_r8 size = lt_polar_turn_wide(w, mixed), one = lt_r8_splat(1);
    lt_r8m undecided = lt_r8m_and(lt_r8_less_equal(size, one), lt_r8_less_equal(one, size));
    for (int k = 0; k < 3; k++)
        w[k] = lt_r8_select(undecided, zero, w[k]);
    /* r [w]ₓ: column k of [w]ₓ is w × e_k. */
    for (int row = 0; row < 3; row++) {
        out[row] = lt_r8_sub(lt_r8_mul(r[3 + row], w[2]), lt_r8_mul(r[6 + row], w[1]));
        out[3 + row] = lt_r8_sub(lt_r8_mul(r[6 + row], w[0]), lt_r8_mul(r[row], w[2]));
        out[6 + row] = lt_r8_sub(lt_r8_mul(r[row], w[1]), lt_r8_mul(r[3 + row], w[0]));
    }
}

static inline void scatter_motion(lt_real *rows, const lt_r8 offset[3], const lt_r8 turn[9]) {
    lt_real lanes[LT_REGION_ROW][LT_GROUP];
    for (int i = 0; i < 3; i++)
        lt_r8_store(lanes[i], offset[i]);
    for (int i = 0; i < 9; i++)
        lt_r8_store(lanes[3 + i], turn[i]);
    for (int lane = 0; lane < LT_GROUP; lane++)
        for (int i = 0; i < LT_REGION_ROW; i++)
            rows[LT_REGION_ROW * lane + i] = lanes[i][lane];
}

static void match_group(lt_match_work *work, uint32_t group) {
    static const int symmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const lt_real *constants = work->regions->moments + 10 * LT_GROUP * (size_t)group;
    const lt_real *turns = work->turns + 4 * LT_GROUP * (size_t)group;
    size_t at = LT_REGION_ROW * LT_GROUP * (size_t)group;
    lt_r8 center[3], rest[9], sum[3], moment[9], a[9], r[9], q[4], offset[3];
    lt_r8 inverse_mass = lt_r8_load(constants + 3 * LT_GROUP), one = lt_r8_splat(1);
    for (int i = 0; i < 3; i++)
        center[i] = lt_r8_load(constants + i * LT_GROUP);
    gather_sums(sum, moment, work->displaced + at, center);
    for (int i = 0; i < 9; i++) {
        rest[i] = lt_r8_load(constants + (4 + symmetric[i]) * LT_GROUP);
        a[i] = lt_r8_add(rest[i], moment[i]);
    }
    for (int i = 0; i < 4; i++)
        q[i] = lt_r8_load(turns + i * LT_GROUP);
    uint32_t unsettled = lt_polar_newton(r, q, a);
    if (unsettled) lt_settle_by_svd(r, q, a, unsettled);
    for (int i = 0; i < 4 && work->turns_out; i++)
        lt_r8_store(work->turns_out + (4 * (size_t)group + (size_t)i) * LT_GROUP, q[i]);
    lt_r8 turn[9];
    for (int i = 0; i < 9; i++)
        turn[i] = i % 4 == 0 ? lt_r8_sub(r[i], one) : r[i];
    offset_of(offset, sum, inverse_mass, turn, center);
    if (!work->out) {
        work->energy += lt_sum_lanes(energy_of(turn, moment, rest, sum, inverse_mass));
        return;
    }
    if (work->moving) {
        lt_r8 rate[9], moved[3], viscosity = lt_r8_splat(work->viscosity);
        gather_sums(sum, moment, work->moving + at, center);
        turn_rate(rate, r, rest, moment);
        offset_of(moved, sum, inverse_mass, rate, center);
        for (int i = 0; i < 3; i++)
            offset[i] = lt_r8_mad(offset[i], moved[i], viscosity);
        for (int i = 0; i < 9; i++)
            turn[i] = lt_r8_mad(turn[i], rate[i], viscosity);
    }
    scatter_motion(work->out + at, offset, turn);
}

void LT_KERNEL(lt_match_regions)(lt_match_work *work);
void LT_KERNEL(lt_match_regions)(lt_match_work *work) {
    work->energy = 0;
    for (uint32_t group = 0; group < work->regions->group_count; group++)
        match_group(work, group);
}
