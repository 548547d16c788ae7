/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How bodies go along with the rigid motions that the rigid stage found (rigid_motion.c), and what both need: sums over the nodes of a
 * body, and linear functions of where a node is from its centre. */

#ifndef LITHE_BODY_RIGID_MOTION_H
#define LITHE_BODY_RIGID_MOTION_H

#include "body/implicit.h"
#include "body/rigid_passes.h"
#include "core/polar.h"

/* ---- sums over nodes, of places and velocities as they are ---- */

lt_node_sums lt_sum_nodes(const lt_implicit *s, const lt_member *member, lt_rvec3 center);
/* Of `force`, and their moments about the member's centre. */
void lt_sum_forces(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]);
double lt_kinetic_energy(const lt_implicit *s, const lt_member *member);
/* Work of `force` in the step, by the velocities of the stages. */
double lt_work_of_forces(const lt_implicit *s, const lt_member *member);
lt_block6 lt_inertia_of(const lt_node_sums *s);
/* R m Rᵀ of the moments of inertia. */
void lt_turn_inertia(lt_block6 *block, const double q[4]);

/* ---- maps ---- */

/* A linear function of where a node is from the centre: rigid motions, and what rotations do. Fourth lanes are zero. */
typedef struct lt_motion_map {
    lt_r4 columns[3], shift;
} lt_motion_map;

static inline lt_r4 lt_r4_of(double x, double y, double z) {
    const lt_real lanes[4] = {(lt_real)x, (lt_real)y, (lt_real)z, 0};
    return lt_r4_load(lanes);
}
static inline lt_motion_map lt_motion_map_of(const double motion[LT_RIGID]) {
    const double *w = motion + 3;
    return (lt_motion_map){{lt_r4_of(0, w[2], -w[1]), lt_r4_of(-w[2], 0, w[0]), lt_r4_of(w[1], -w[0], 0)},
                           lt_r4_of(motion[0], motion[1], motion[2])};
}
static inline lt_r4 lt_motion_at(const lt_motion_map *map, const lt_soft *soft, uint32_t node,
                                 lt_rvec3 center) {
    const lt_real *x = soft->x + 4 * (size_t)node;
    lt_r4 sum = lt_r4_mad(map->shift, map->columns[0], lt_r4_splat(x[0] - center.x));
    sum = lt_r4_mad(sum, map->columns[1], lt_r4_splat(x[1] - center.y));
    return lt_r4_mad(sum, map->columns[2], lt_r4_splat(x[2] - center.z));
}

/* The rotation of a quaternion, as displacements; and what it makes of a vector. */
static inline lt_motion_map lt_turn_map_of(const double q[4]) {
    lt_dmat3 r = lt_matrix_from_quaternion(q);
    return (lt_motion_map){{lt_r4_of(r.c0.x, r.c0.y, r.c0.z), lt_r4_of(r.c1.x, r.c1.y, r.c1.z),
                            lt_r4_of(r.c2.x, r.c2.y, r.c2.z)},
                           lt_r4_splat(0)};
}
static inline lt_r4 lt_turned_by_map(const lt_motion_map *map, lt_rvec3 v) {
    lt_r4 sum = lt_r4_mul(map->columns[0], lt_r4_splat(v.x));
    sum = lt_r4_mad(sum, map->columns[1], lt_r4_splat(v.y));
    return lt_r4_mad(sum, map->columns[2], lt_r4_splat(v.z));
}

/* ---- stages ---- */

/* Whether it goes along by rotations, as a whole, and then by its deformation: what nothing holds and no ladder spreads. */
static inline bool lt_is_carried(const lt_member *member) {
    return lt_deforms(member) && !member->soft->grid && member->soft->pin_count == 0;
}

/* Velocities of a body less the motion that it came with, by its rows. */
void lt_rigid_find_deformation(const lt_implicit *s, const lt_member *member, lt_real *out);
/* Behind stage 0: velocities and displacements by the motions that were found. */
void lt_rigid_place(const lt_implicit *s);
/* Of a body that turns as it came: velocity to add at a node, by its arm, for the chord of last step's rotation. */
lt_motion_map lt_rigid_chord(const lt_rigid_row *rigid, double dt);
/* In stage 3: momentum of the island's velocities as they are, with drag; the change of the rigid motion, added to them. */
void lt_rigid_momentum(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]);
void lt_rigid_add(const lt_implicit *s, const lt_member *member);

/* ---- the end of a step ---- */

/* Moves a body without pins for which stage 0 was all: by a rotation, its momentum exactly what impulses say. */
void lt_rigid_move(const lt_implicit *s, const lt_member *member);
/* Moves one that deforms: as a whole by rotations as well, and with that momentum. */
void lt_rigid_carry(const lt_implicit *s, const lt_member *member);
/* Kinetic energy of what is not rigid in a body's velocities, which keeps so much of it from then on. */
double lt_rigid_part(const lt_implicit *s, const lt_member *member, lt_real keep);

#endif
