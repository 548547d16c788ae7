/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/polar.h"

typedef double mat[3][3]; /* [row][column] */

static void to_rows(mat out, lt_dmat3 m) {
    const lt_dvec3 columns[3] = {m.c0, m.c1, m.c2};
    for (int j = 0; j < 3; j++) {
        out[0][j] = columns[j].x;
        out[1][j] = columns[j].y;
        out[2][j] = columns[j].z;
    }
}

static lt_dvec3 column(const mat m, int j) {
    return (lt_dvec3){m[0][j], m[1][j], m[2][j]};
}

/* One Jacobi rotation in the plane (p, q): makes s[p][q] zero and turns v along. */
static void rotate_pair(mat s, mat v, int p, int q) {
    if (s[p][q] == 0) return;
    double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), d = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = s[k][p], kq = s[k][q];
        s[k][p] = c * kp - d * kq;
        s[k][q] = d * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = s[p][k], qk = s[q][k];
        s[p][k] = c * pk - d * qk;
        s[q][k] = d * pk + c * qk;
    }
    for (int k = 0; k < 3; k++) {
        double kp = v[k][p], kq = v[k][q];
        v[k][p] = c * kp - d * kq;
        v[k][q] = d * kp + c * kq;
    }
}

/* Eigenvectors of the symmetric s as columns of v, by decreasing eigenvalue. */
static void sorted_eigenvectors(mat s, lt_dvec3 out[3]) {
    mat v = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++) {
        rotate_pair(s, v, 0, 1);
        rotate_pair(s, v, 0, 2);
        rotate_pair(s, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (s[order[j]][order[j]] < s[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int k = 0; k < 3; k++)
        out[k] = column((const double(*)[3])v, order[k]);
}

static lt_dvec3 any_perpendicular(lt_dvec3 u) {
    lt_dvec3 axis = fabs(u.x) < 0.6 ? (lt_dvec3){1, 0, 0} : (lt_dvec3){0, 1, 0};
    return lt_d3_normalize_or(lt_d3_cross(u, axis), (lt_dvec3){0, 0, 1});
}

/* A = U S Vᵀ; the third column of U is u0 × u1 and the third of V is v0 × v1, so both are rotations and the
 * sign of det A ends on the least singular value: R = U Vᵀ is the nearest rotation, inverted or not. */
lt_dmat3 lt_polar_by_svd(lt_dmat3 a) {
    double size = lt_dm3_norm_squared(a);
    /* Squares of very small or large numbers leave the range of double. */
    if (!(size > 1e-200 && size < 1e200)) {
        a = lt_dm3_scale(a, size < 1 ? 1e200 : 1e-200);
        size = lt_dm3_norm_squared(a);
    }
    if (!(size > 0 && size < 1e300)) return lt_dm3_identity();
    a = lt_dm3_scale(a, 1 / sqrt(size));
    mat ata;
    to_rows(ata, lt_dm3_mul(lt_dm3_transpose(a), a));
    lt_dvec3 v[3];
    sorted_eigenvectors(ata, v);
    v[2] = lt_d3_cross(v[0], v[1]);
    lt_dvec3 u0 = lt_d3_normalize_or(lt_dm3_mul_vec(a, v[0]), v[0]);
    lt_dvec3 av1 = lt_dm3_mul_vec(a, v[1]);
    lt_dvec3 across = lt_d3_mad(av1, u0, -lt_d3_dot(av1, u0));
    lt_dvec3 u1 = lt_d3_length(across) > 1e-12 ? lt_d3_normalize_or(across, v[1]) : any_perpendicular(u0);
    lt_dmat3 u = {u0, u1, lt_d3_cross(u0, u1)};
    return lt_dm3_mul(u, lt_dm3_transpose((lt_dmat3){v[0], v[1], v[2]}));
}

void lt_quaternion_from_matrix(double q[4], lt_dmat3 r) {
    mat m;
    to_rows(m, r);
    double trace = m[0][0] + m[1][1] + m[2][2];
    int largest = 0;
    for (int i = 1; i < 3; i++)
        if (m[i][i] > m[largest][largest]) largest = i;
    if (trace > m[largest][largest]) {
        double s = sqrt(1 + trace) * 2;
        q[0] = (m[2][1] - m[1][2]) / s;
        q[1] = (m[0][2] - m[2][0]) / s;
        q[2] = (m[1][0] - m[0][1]) / s;
        q[3] = s / 4;
        return;
    }
    int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    double s = sqrt(1 + m[i][i] - m[j][j] - m[k][k]) * 2;
    q[i] = s / 4;
    q[j] = (m[j][i] + m[i][j]) / s;
    q[k] = (m[k][i] + m[i][k]) / s;
    q[3] = (m[k][j] - m[j][k]) / s;
}

lt_dmat3 lt_matrix_from_quaternion(const double q[4]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    return (lt_dmat3){{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                      {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                      {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
}

lt_dmat3 lt_matrix_from_quat(lt_quat quat) {
    double q[4] = {quat.x, quat.y, quat.z, quat.w};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-20 && length < 1e20)) return lt_dm3_identity();
    for (int i = 0; i < 4; i++)
        q[i] /= length;
    return lt_matrix_from_quaternion(q);
}
