/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Linear and angular momentum of a body, and the rigid twist that corrects them: what integrators lose (conjugate
 * gradients stopped early, linearised rotations, the fifth order of Runge and Kutta) is put back after the step.
 * Sums are in double. */

#include "body/models.h"

void lt_twist_add(lt_twist *t, lt_rvec3 arm, lt_rvec3 value, double factor) {
    const double a[3] = {arm.x, arm.y, arm.z}, f[3] = {value.x * factor, value.y * factor, value.z * factor};
    for (int k = 0; k < 3; k++) {
        t->linear[k] += f[k];
        t->angular[k] += a[(k + 1) % 3] * f[(k + 2) % 3] - a[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

void lt_twist_add_momentum(lt_twist *t, const lt_soft *soft, const lt_real *v, lt_rvec3 center) {
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        lt_twist_add(t, lt_r3_sub(lt_node_get(soft->x, node), center), lt_node_get(v, node),
                     soft->mass[node]);
    }
}

/* Mass, its first moment and the moment of inertia about a point. */
typedef struct mass_moments {
    double mass;
    lt_dvec3 first;
    lt_dmat3 inertia;
} mass_moments;

/* Of the nodes listed; NULL: of the first `count`. */
static mass_moments mass_moments_of(const lt_real *positions, const lt_real *mass, const uint32_t *nodes,
                                    uint32_t count, lt_rvec3 about) {
    mass_moments sum = {0};
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    for (uint32_t row = 0; row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        lt_rvec3 a = lt_r3_sub(lt_node_get(positions, node), about);
        double m = mass[node], x = a.x, y = a.y, z = a.z;
        sum.mass += m;
        sum.first = lt_d3_mad(sum.first, (lt_dvec3){x, y, z}, m);
        xx += m * x * x, yy += m * y * y, zz += m * z * z;
        xy += m * x * y, xz += m * x * z, yz += m * y * z;
    }
    sum.inertia = (lt_dmat3){{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}};
    return sum;
}

/* Moves the moments to the centre of mass, which lies at `offset` from the point they were taken about. */
static lt_dmat3 central_inertia(const mass_moments *m, lt_dvec3 offset) {
    double square = lt_d3_dot(offset, offset);
    const lt_dvec3 columns[3] = {lt_d3_scale(offset, offset.x), lt_d3_scale(offset, offset.y),
                                 lt_d3_scale(offset, offset.z)};
    lt_dmat3 shift = {lt_d3_sub((lt_dvec3){square, 0, 0}, columns[0]),
                      lt_d3_sub((lt_dvec3){0, square, 0}, columns[1]),
                      lt_d3_sub((lt_dvec3){0, 0, square}, columns[2])};
    return lt_dm3_sub(m->inertia, lt_dm3_scale(shift, m->mass));
}

static lt_rigid rigid_of(const mass_moments *m) {
    lt_rigid rigid = {.mass = m->mass};
    if (!(m->mass > 0)) return rigid;
    rigid.center = lt_d3_scale(m->first, 1 / m->mass);
    lt_dmat3 inertia = central_inertia(m, rigid.center);
    double trace = lt_dm3_trace(inertia);
    bool solid = lt_dm3_determinant(inertia) > 1e-12 * trace * trace * trace;
    if (solid) rigid.inverse_inertia = lt_dm3_inverse(inertia);
    return rigid;
}

lt_rigid lt_rigid_of(const lt_real *positions, const lt_real *mass, uint32_t node_count, lt_rvec3 about) {
    mass_moments m = mass_moments_of(positions, mass, NULL, node_count, about);
    return rigid_of(&m);
}

lt_rigid lt_soft_rigid(const lt_soft *soft, lt_rvec3 about) {
    mass_moments m =
        mass_moments_of(soft->x, soft->mass, lt_soft_row_nodes(soft), lt_soft_row_count(soft), about);
    return rigid_of(&m);
}

lt_screw lt_rigid_gain(const lt_rigid *rigid, const lt_twist *momentum) {
    lt_screw gain = {0};
    if (!(rigid->mass > 0)) return gain;
    lt_dvec3 linear = {momentum->linear[0], momentum->linear[1], momentum->linear[2]};
    lt_dvec3 angular = {momentum->angular[0], momentum->angular[1], momentum->angular[2]};
    angular = lt_d3_sub(angular, lt_d3_cross(rigid->center, linear));
    gain.spin = lt_dm3_mul_vec(rigid->inverse_inertia, angular);
    gain.shift = lt_d3_sub(lt_d3_scale(linear, 1 / rigid->mass), lt_d3_cross(gain.spin, rigid->center));
    return gain;
}

void lt_twist_give(lt_real *v, const lt_soft *soft, lt_rvec3 about, const lt_twist *missing) {
    lt_rigid rigid = lt_soft_rigid(soft, about);
    lt_screw gain = lt_rigid_gain(&rigid, missing);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_node_add(v, node, lt_screw_at(&gain, lt_r3_sub(lt_node_get(soft->x, node), about)), 1);
}
