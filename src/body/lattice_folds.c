/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Springs do not tell a cell from its mirror image: both are at rest. What brings cells back that are inside out is a
 * potential of the mean gradient F of a cell, with edges of F from the means of its four edges along each axis:
 *
 *   V = χ E h³ φ Σ g(σ)    over the singular values of F, of which the least has the sign of det F
 *
 *      g'│      ½ (t² − 2 t σ)  σ < 0          0 while no axis is shorter than t = ½ of its length at rest: the
 *      0 ┤       ╭────────      ½ (t − σ)²     solid is what it was. Once differentiable everywhere, so that no
 *        │     ╱                0  t < σ       energy comes from passing to and fro.
 *     −t ┤────╯
 *        └────┴──┴──── σ
 *             0  t
 *
 * Springs resist flattening a cell by 8/15 E h³ at most, where it is flat; χ t = 0.65 is more: from any side there is a way
 * down to the cell at rest. V's second derivatives are at most χ E h³ / (2 h²) = 4⅞ k of the squares of corners, k that of
 * springs: g'' ≤ 1, (g'ᵢ − g'ⱼ)/(σᵢ − σⱼ) ≤ 1 and (g'ᵢ + g'ⱼ)/(σᵢ + σⱼ) ≤ 0 are those of a function of singular values.
 *
 * With R the rotation of F and S = RᵀF: force on F is χ E h³ φ R (clamp of t − S to [0, t]), by positive parts
 * A₊ = (A + |A|)/2 and |A| = sign(A) A, where sign(A) is a nearest rotation again. */

#include "body/models.h"
#include "core/polar.h"

static const double STRENGTH = 1.3;

static lt_dmat3 symmetric_part(lt_dmat3 a) {
    lt_dmat3 t = lt_dm3_transpose(a);
    return lt_dm3_scale((lt_dmat3){lt_d3_add(a.c0, t.c0), lt_d3_add(a.c1, t.c1), lt_d3_add(a.c2, t.c2)}, 0.5);
}

/* The nearest rotation to a symmetric matrix has its eigenvectors and the signs of its eigenvalues, but for that of the
 * least where the product of all is negative; then it is of −A. */
static lt_dmat3 positive_part(lt_dmat3 a) {
    double way = lt_dm3_determinant(a) < 0 ? -1 : 1;
    lt_dmat3 sign = lt_polar_by_svd(lt_dm3_scale(a, way));
    lt_dmat3 size = symmetric_part(lt_dm3_mul(lt_dm3_transpose(sign), lt_dm3_scale(a, way)));
    return (lt_dmat3){lt_d3_scale(lt_d3_add(a.c0, size.c0), 0.5), lt_d3_scale(lt_d3_add(a.c1, size.c1), 0.5),
                      lt_d3_scale(lt_d3_add(a.c2, size.c2), 0.5)};
}

static lt_dmat3 gradient_of(const lt_fold_work *work, const uint32_t *corners) {
    lt_dvec3 columns[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double share = 0.25 / (double)work->edge;
    for (uint32_t corner = 0; corner < 8; corner++) {
        lt_rvec3 x = lt_node_get(work->x, corners[corner]);
        for (uint32_t axis = 0; axis < 3; axis++)
            columns[axis] =
                lt_d3_mad(columns[axis], (lt_dvec3){x.x, x.y, x.z}, corner >> axis & 1 ? share : -share);
    }
    return (lt_dmat3){columns[0], columns[1], columns[2]};
}

static void push_corners(lt_real *force, const uint32_t *corners, lt_dmat3 push, double share) {
    for (uint32_t corner = 0; corner < 8; corner++) {
        lt_dvec3 way = {corner & 1 ? share : -share, corner & 2 ? share : -share,
                        corner & 4 ? share : -share};
        lt_dvec3 f = lt_dm3_mul_vec(push, way);
        lt_node_add(force, corners[corner], (lt_rvec3){(lt_real)f.x, (lt_real)f.y, (lt_real)f.z}, 1);
    }
}

void lt_unfold_cell(lt_fold_work *work, uint32_t cell) {
    const uint32_t *corners = work->carrier->cells + 8 * (size_t)cell;
    double edge = (double)work->edge, t = LT_FOLD_BEGIN;
    double strength = STRENGTH * work->young * edge * edge * edge * work->carrier->cell_fill[cell];
    lt_dmat3 f = gradient_of(work, corners), r = lt_polar_by_svd(f);
    lt_dmat3 s = symmetric_part(lt_dm3_mul(lt_dm3_transpose(r), f));
    lt_dmat3 shortened = positive_part(lt_dm3_sub(lt_dm3_scale(lt_dm3_identity(), t), s));
    lt_dmat3 inverted = positive_part(lt_dm3_scale(s, -1));
    work->energy += strength / 2 * (lt_dm3_norm_squared(shortened) - lt_dm3_norm_squared(inverted));
    work->inverted_count += !(lt_dm3_determinant(f) > 0);
    if (!work->force) return;
    push_corners(work->force, corners, lt_dm3_mul(r, lt_dm3_sub(shortened, inverted)),
                 strength * 0.25 / edge);
}
