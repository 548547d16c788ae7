/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* On which side? The signs of determinants, never wrong by rounding. Private to this folder: others use
 * exact.h.
 *
 * A filter in plain double answers nearly always (about 5 ns); when the value is within its error bound,
 * the determinant is summed exactly as an expansion: an unevaluated sum of doubles that do not overlap,
 * made by error-free two-sum and two-product steps.
 *
 * Right for all finite doubles as long as no product of three coordinate differences, nor its rounding error,
 * overflows or underflows: every value that came from a float is safe, and so are doubles that are zero or
 * between 1e-75 and 1e+95 in magnitude. Needs IEEE doubles rounded to even and no contraction of a*b+c
 * (-ffp-contract=off).
 *
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997;
 * Edelsbrunner and Mücke, "Simulation of Simplicity", 1990. */

#ifndef LITHE_MESH_PREDICATES_H
#define LITHE_MESH_PREDICATES_H

#include "core/vec.h"

int lt_orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy);
int lt_orient3d_exact(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 d);

static inline int lt_sign_of(double x) {
    return (x > 0) - (x < 0);
}

/* The sign of det(b - a, c - a): +1 when a, b, c turn counter-clockwise, 0 when they lie on a line. */
static inline int lt_orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
    double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax);
    double det = left - right, size = fabs(left) + fabs(right);
    if (fabs(det) > 4.5e-16 * size) return lt_sign_of(det); /* 4.5e-16 > (3 + 16u)u, u = 2^-53 */
    return size == 0 ? 0 : lt_orient2d_exact(ax, ay, bx, by, cx, cy);
}

/* The sign of det(b - a, c - a, d - a): +1 when a, b, c, d is a tet of positive volume, 0 when the four
 * lie in a plane. It is also minus the sign of the 4x4 determinant of the rows (x, y, z, 1). */
static inline int lt_orient3d(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 d) {
    double bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
    double cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z;
    double dx = d.x - a.x, dy = d.y - a.y, dz = d.z - a.z;
    double cydz = cy * dz, czdy = cz * dy, czdx = cz * dx, cxdz = cx * dz, cxdy = cx * dy, cydx = cy * dx;
    double det = bx * (cydz - czdy) + by * (czdx - cxdz) + bz * (cxdy - cydx);
    double size = fabs(bx) * (fabs(cydz) + fabs(czdy)) + fabs(by) * (fabs(czdx) + fabs(cxdz)) +
                  fabs(bz) * (fabs(cxdy) + fabs(cydx));
    if (fabs(det) > 9e-16 * size) return lt_sign_of(det); /* 9e-16 > (7 + 56u)u, u = 2^-53 */
    return size == 0 ? 0 : lt_orient3d_exact(a, b, c, d);
}

/* The sign of the 3x3 determinant with these columns. */
static inline int lt_determinant_sign(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c) {
    return lt_orient3d((lt_dvec3){0, 0, 0}, a, b, c);
}

/* lt_orient3d of four points moved by infinitesimals that depend only on their ids (which must differ):
 * never 0, and all answers together are those of one arrangement in general position. */
int lt_orient3d_perturbed(const lt_dvec3 points[4], const uint32_t ids[4]);

#endif
