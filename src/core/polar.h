/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The rotation nearest to a matrix: R maximises tr(RᵀA) over all rotations.
 *
 * Two ways, used together:
 *   lt_polar_newton  (polar_wide.h) eight matrices at once, from a warm start: a quaternion per matrix that is
 *                    kept from step to step. Newton on the sphere of quaternions; two or three rounds when
 *                    bodies turn by a few degrees a step. It says which lanes it could not settle.
 *   lt_polar_by_svd  one matrix, from nothing, by Jacobi rotations in double: for those lanes, and for
 *                    inverted ones (det A ≤ 1e-9 |A|³), where the least singular value takes the sign.
 * Only + - * / and sqrt: the same bits everywhere. */

#ifndef LITHE_CORE_POLAR_H
#define LITHE_CORE_POLAR_H

#include "core/vec.h"

/* A rotation whatever A is (the identity for zero or not finite input). */
lt_dmat3 lt_polar_by_svd(lt_dmat3 a);

/* Unit quaternion (x, y, z, w) and rotation matrix, both ways. */
void lt_quaternion_from_matrix(double q[4], lt_dmat3 r);
lt_dmat3 lt_matrix_from_quaternion(const double q[4]);
/* The rotation of a caller's quaternion, which need not be normalised; the identity when it is zero. */
lt_dmat3 lt_matrix_from_quat(lt_quat q);

#endif
