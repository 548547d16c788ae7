/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How bodies go along with the rigid motions that the rigid stage (implicit_rigid.c) finds: rotations instead of spins.
 *
 * A body for which stage 0 was all is moved by one exact rotation (lt_rigid_move). One that deforms goes along by it as well: stage 1
 * begins where it leads (lt_rigid_place), with the chord of last step's rotation for its centrifugal forces (lt_rigid_chord), and what
 * the stages behind it have turned it by is made a rotation in the end (lt_rigid_carry).
 *
 * Momentum at the end of a step is what impulses say, to the rounding of velocities. A body at rest stays exactly where it is. Every
 * call is a pass or two over the nodes of a body; sums are in double, in the order of rows. */

#include "body/rigid_motion.h"

#include <string.h>

enum { SPIN_ROUNDS = 3 /* of the mean spin of a step */ };

/* ---- sums over nodes ---- */

extern const lt_motion_kernels lt_motion_kernels_scalar, lt_motion_kernels_wide4, lt_motion_kernels_avx2;

const lt_motion_kernels *lt_motion_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_motion_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_motion_kernels);
    return table[level];
}

static const lt_motion_kernels *kernels_of(const lt_implicit *s) {
    return lt_motion_kernels_for(s->advance->level);
}

static lt_node_pass pass_of(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    LT_ASSERT(member->row_count > 0);
    return (lt_node_pass){.count = member->row_count,
                          .nodes = member->nodes,
                          .mass = soft->mass,
                          .x = soft->x,
                          .v = soft->v,
                          .force = soft->force,
                          .rows = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member),
                          .center = member->center};
}

lt_node_sums lt_sum_nodes(const lt_implicit *s, const lt_member *member, lt_rvec3 center) {
    lt_node_pass pass = pass_of(s, member);
    lt_node_sums sums;
    pass.center = center;
    kernels_of(s)->sum(&pass, &sums);
    return sums;
}

void lt_sum_forces(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    lt_node_pass pass = pass_of(s, member);
    kernels_of(s)->sum_forces(&pass, out);
}

double lt_kinetic_energy(const lt_implicit *s, const lt_member *member) {
    lt_node_pass pass = pass_of(s, member);
    return kernels_of(s)->kinetic(&pass);
}

double lt_work_of_forces(const lt_implicit *s, const lt_member *member) {
    lt_node_pass pass = pass_of(s, member);
    return (double)s->advance->dt * kernels_of(s)->power(&pass);
}

/* What has gone to a point does not turn. */
static const double POINT = 1e-14; /* m */

lt_block6 lt_inertia_of(const lt_node_sums *s) {
    static const double none[6] = {0};
    const double *f = s->first, *q = s->second;
    if (!(q[0] + q[1] + q[2] > POINT * POINT * s->mass)) q = none;
    lt_block6 m = {{{s->mass, 0, 0, 0, f[2], -f[1]},
                    {0, s->mass, 0, -f[2], 0, f[0]},
                    {0, 0, s->mass, f[1], -f[0], 0},
                    {0, -f[2], f[1], q[1] + q[2], -q[3], -q[4]},
                    {f[2], 0, -f[0], -q[3], q[0] + q[2], -q[5]},
                    {-f[1], f[0], 0, -q[4], -q[5], q[0] + q[1]}}};
    return m;
}

/* ---- rotations ---- */

/* The rotation that a step of a spin makes: about its axis, by 2 atan(½ |spin| Δt). */
static void rotation_of(double out[4], const double spin[3], double dt) {
    double half[3], square = 1;
    for (int k = 0; k < 3; k++) {
        half[k] = spin[k] * dt / 2;
        square += half[k] * half[k];
    }
    double inverse = 1 / sqrt(square);
    for (int k = 0; k < 3; k++)
        out[k] = half[k] * inverse;
    out[3] = inverse;
}

static lt_dvec3 turned_by(const double q[4], lt_dvec3 v, double sign) {
    lt_dvec3 axis = {sign * q[0], sign * q[1], sign * q[2]};
    lt_dvec3 twice = lt_d3_scale(lt_d3_cross(axis, v), 2);
    return lt_d3_add(lt_d3_mad(v, twice, q[3]), lt_d3_cross(axis, twice));
}

static void turn_vector(double out[3], const double q[4], const double v[3], double sign) {
    lt_dvec3 to = turned_by(q, (lt_dvec3){v[0], v[1], v[2]}, sign);
    out[0] = to.x, out[1] = to.y, out[2] = to.z;
}

/* The spin that has this angular momentum once the body's inertia has turned. */
static void spin_after(const lt_rigid_row *r, const double angular[3], double spin[3]) {
    lt_block6 inertia = {{{0}}};
    double turned[LT_RIGID] = {0}, answer[LT_RIGID];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia.at[i][j] = r->inertia.at[3 + i][3 + j];
    turn_vector(turned, r->turned_by, angular, -1);
    lt_solve6(&inertia, answer, turned);
    turn_vector(spin, r->turned_by, answer, 1);
}

static void turn_by(lt_rigid_row *rigid, double dt) {
    rotation_of(rigid->turned_by, rigid->motion + 3, dt);
}

/* By the mean of the spins before and after: while a body turns its spin changes. By the one it begins with alone a tumbling body
 * gained 30 % of its energy in 600 steps. */
static void turn_on(lt_rigid_row *r, const double angular[3], double dt) {
    double begin[3], after[3];
    memcpy(begin, r->motion + 3, sizeof begin);
    turn_by(r, dt);
    for (int round = 0; round < SPIN_ROUNDS; round++) {
        spin_after(r, angular, after);
        for (int k = 0; k < 3; k++)
            r->motion[3 + k] = (begin[k] + after[k]) / 2;
        turn_by(r, dt);
    }
}

/* A linear function of offsets. */
typedef struct affine {
    lt_dmat3 m;
    lt_dvec3 shift;
} affine;

static lt_motion_map map_of(affine a) {
    const lt_dmat3 *m = &a.m;
    return (lt_motion_map){{lt_r4_of(m->c0.x, m->c0.y, m->c0.z), lt_r4_of(m->c1.x, m->c1.y, m->c1.z),
                            lt_r4_of(m->c2.x, m->c2.y, m->c2.z)},
                           lt_r4_of(a.shift.x, a.shift.y, a.shift.z)};
}

static lt_plain_map plain(affine a) {
    const lt_dvec3 columns[4] = {a.m.c0, a.m.c1, a.m.c2, a.shift};
    lt_plain_map out;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out.columns[i][k] = (lt_real)lt_d3_get(columns[i], k);
    return out;
}

static lt_dmat3 less_identity(const double q[4]) {
    return lt_dm3_sub(lt_matrix_from_quaternion(q), lt_dm3_identity());
}

static lt_dmat3 spin_matrix(const double w[3]) {
    return (lt_dmat3){{0, w[2], -w[1]}, {-w[2], 0, w[0]}, {w[1], -w[0], 0}};
}

/* Where the rigid motion takes nodes in a step: an exact rotation, displacements times `factor`. */
static affine displacement(const lt_rigid_row *rigid, double dt, double factor) {
    const double *m = rigid->motion;
    return (affine){lt_dm3_scale(less_identity(rigid->turned_by), factor),
                    {factor * dt * m[0], factor * dt * m[1], factor * dt * m[2]}};
}

static affine rotation(const lt_rigid_row *rigid) {
    return (affine){.m = lt_matrix_from_quaternion(rigid->turned_by)};
}

/* Of a body that turns as it came, by where nodes are: the chord to where they were a step ago, less the velocity. What is accelerated
 * between two chords is what centrifugal forces are. */
lt_motion_map lt_rigid_chord(const lt_rigid_row *rigid, double dt) {
    const double *w = rigid->before + 3;
    double back[3] = {-w[0], -w[1], -w[2]}, q[4];
    rotation_of(q, back, dt);
    return map_of((affine){.m = lt_dm3_sub(lt_dm3_scale(less_identity(q), -1 / dt), spin_matrix(w))});
}

/* ---- stage 0: by the rigid motion ---- */

/* An exact rotation about the centre moves pins by its second order: all of the body goes where they do. */
static void shift_to_pins(const lt_implicit *s, const lt_member *member, affine *a) {
    const lt_soft *soft = member->soft;
    lt_motion_map map = map_of(*a);
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (!soft->pinned[node]) continue;
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node));
        lt_rvec3 moved = lt_r4_xyz(lt_motion_at(&map, soft, node, member->center));
        lt_rvec3 off = lt_r3_sub(lt_r3_scale(way, 1 / s->advance->dt), moved);
        sum = lt_d3_add(sum, (lt_dvec3){(double)off.x, (double)off.y, (double)off.z});
    }
    a->shift = lt_d3_mad(a->shift, sum, 1 / (double)soft->pin_count);
}

/* Velocities that take every node where the rigid motion does, and pins to their targets. */
static void set_velocities(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_node_pass pass = pass_of(s, member);
    lt_real dt = s->advance->dt;
    affine way = displacement(member->rigid, (double)dt, 1 / (double)dt);
    if (soft->pin_count > 0) shift_to_pins(s, member, &way);
    lt_plain_map map = plain(way);
    kernels_of(s)->set_rows(&pass, &map);
    for (uint32_t row = 0; row < member->row_count && soft->pin_count > 0; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        if (!soft->pinned[node]) continue;
        lt_rvec3 step = lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node));
        lt_node_set(pass.rows, row, lt_r3_scale(step, 1 / dt));
    }
}

void lt_rigid_find_deformation(const lt_implicit *s, const lt_member *member, lt_real *out) {
    const double *m = member->rigid->before;
    lt_node_pass pass = pass_of(s, member);
    pass.rows = out;
    lt_plain_map map = plain((affine){spin_matrix(m + 3), {m[0], m[1], m[2]}});
    kernels_of(s)->set_rows_apart(&pass, &map);
}

void lt_rigid_place(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        if (!lt_is_implicit(member)) continue;
        for (int k = 0; k < LT_RIGID; k++)
            r->motion[k] = r->before[k] + r->delta[k];
        if (lt_is_carried(member)) {
            lt_multiply6(r->momentum, &r->inertia, r->motion);
            turn_on(r, r->momentum + 3, (double)s->advance->dt);
        } else {
            turn_by(r, s->advance->dt);
        }
        set_velocities(s, member);
    }
}

/* `off`: where the centre of mass is then, from `center`. */
static void turn_nodes(const lt_implicit *s, const lt_member *member, lt_rvec3 center, double off[3]) {
    lt_soft *soft = member->soft;
    const lt_rigid_row *r = member->rigid;
    lt_motion_map map = map_of(displacement(r, (double)s->advance->dt, 1));
    memset(off, 0, 3 * sizeof *off);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_real *x = soft->x + 4 * (size_t)node;
        double arm[3];
        lt_r4_store(x, lt_r4_add(lt_r4_load(x), lt_motion_at(&map, soft, node, member->center)));
        lt_unpack_r3(arm, lt_r3_sub(lt_node_get(soft->x, node), center));
        for (int k = 0; k < 3; k++)
            off[k] += soft->mass[node] * arm[k] / r->inertia.at[0][0];
    }
}

/* What a ladder remembers of its nodes are vectors of the world. */
static void turn_memory(const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real *const memory[3] = {soft->offset, soft->settled, soft->gain};
    lt_motion_map turn = lt_turn_map_of(member->rigid->turned_by);
    for (int i = 0; i < 3; i++)
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            lt_r4_store(memory[i] + 4 * (size_t)node, lt_turned_by_map(&turn, lt_node_get(memory[i], node)));
}

void lt_rigid_move(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    lt_rigid_row *r = member->rigid;
    lt_real dt = s->advance->dt;
    double given[LT_RIGID], after[LT_RIGID], drag = r->weight.at[0][0] / r->inertia.at[0][0];
    for (int k = 0; k < LT_RIGID; k++)
        given[k] = r->own[k] + r->wrench[k];
    lt_solve6(&r->weight, r->motion, given);
    for (int k = 0; k < LT_RIGID; k++)
        given[k] /= drag;
    for (int k = 0; k < 3; k++)
        after[k] =
            given[k] / r->inertia.at[0][0]; /* of the centre of mass, not of the centre as it was rounded */
    turn_on(r, given + 3, (double)dt);
    spin_after(r, given + 3, after + 3);
    lt_rvec3 center = {member->center.x + (lt_real)((double)dt * after[0]),
                       member->center.y + (lt_real)((double)dt * after[1]),
                       member->center.z + (lt_real)((double)dt * after[2])};
    double off[3];
    turn_nodes(s, member, center, off);
    /* Places are rounded, and so is the centre: arms from there would give momentum, 3e-5 of it in 600 steps. */
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        after[k] -= after[3 + l] * off[m] - after[3 + m] * off[l];
    }
    lt_motion_map moving = lt_motion_map_of(after);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_r4_store(soft->v + 4 * (size_t)node, lt_motion_at(&moving, soft, node, center));
    }
    if (soft->grid) turn_memory(member);
}

/* ---- stage 3: momentum ---- */

/* With drag. Of what turns it is that of the rigid stage's motion and of what was added to it: chords have less than the arcs that they
 * stand for, and a body that was turned further for it gained energy. Arms are those at the end of the rigid stage. */
static void find_carried_momentum(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    const lt_rigid_row *r = member->rigid;
    double dt = (double)s->advance->dt, drag = r->weight.at[0][0] / r->inertia.at[0][0];
    lt_node_pass pass = pass_of(s, member);
    lt_plain_map rigid = plain(displacement(r, dt, 1 / dt)), arm = plain(rotation(r));
    kernels_of(s)->sum_added(&pass, &rigid, &arm, out);
    for (int k = 0; k < LT_RIGID; k++)
        out[k] = drag * (out[k] + r->momentum[k]);
}

/* Momentum of the velocities as they are, with drag. */
static void find_momentum(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    const lt_soft *soft = member->soft;
    const lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    double drag = 1 + soft->material.mass_damping * (double)s->advance->dt;
    memset(out, 0, LT_RIGID * sizeof *out);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        double arm[3], speed[3];
        lt_unpack_r3(arm, lt_r3_sub(lt_node_get(soft->x, node), member->center));
        lt_unpack_r3(speed, lt_node_get(v, row));
        lt_add_force6(out, arm, speed, drag * soft->mass[node]);
    }
}

void lt_rigid_momentum(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    (lt_is_carried(member) ? find_carried_momentum : find_momentum)(s, member, out);
}

/* About the centre, of where the rigid stage has turned nodes: from where they were it would inflate the body by spin × turn × Δt. */
void lt_rigid_add(const lt_implicit *s, const lt_member *member) {
    const double *change = member->rigid->delta;
    lt_node_pass pass = pass_of(s, member);
    affine map = {spin_matrix(change + 3), {change[0], change[1], change[2]}};
    if (lt_is_carried(member)) map.m = lt_dm3_mul(map.m, rotation(member->rigid).m);
    lt_plain_map by = plain(map);
    kernels_of(s)->add_to_rows(&pass, &by);
}

void lt_turn_inertia(lt_block6 *block, const double q[4]) {
    lt_dvec3 rows[3], turned[3];
    for (int i = 0; i < 3; i++)
        rows[i] = (lt_dvec3){block->at[3 + i][3], block->at[3 + i][4], block->at[3 + i][5]};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 3; i++)
            turned[i] = turned_by(q, rows[i], 1);
        rows[0] = (lt_dvec3){turned[0].x, turned[1].x, turned[2].x};
        rows[1] = (lt_dvec3){turned[0].y, turned[1].y, turned[2].y};
        rows[2] = (lt_dvec3){turned[0].z, turned[1].z, turned[2].z};
    }
    for (int i = 0; i < 3; i++) {
        block->at[3 + i][3] = rows[i].x;
        block->at[3 + i][4] = rows[i].y;
        block->at[3 + i][5] = rows[i].z;
    }
}

/* ---- behind it: carried ---- */

/* Without drag. */
static void find_target(const lt_rigid_row *r, double out[LT_RIGID]) {
    LT_ASSERT(r->inertia.at[0][0] > 0);
    double drag = r->weight.at[0][0] / r->inertia.at[0][0];
    for (int k = 0; k < LT_RIGID; k++)
        out[k] = (r->own[k] + r->wrench[k]) / drag;
}

/* What the stages behind the rigid one added by itself, as a rigid motion: behind stage 3 momentum is what impulses say. Arms are those at
 * the end of the rigid stage, and so is the body that has it. `moved`: m, of the centre. */
static void find_added(const lt_rigid_row *r, double dt, double motion[LT_RIGID], double moved[3]) {
    double target[LT_RIGID];
    find_target(r, target);
    for (int k = 0; k < LT_RIGID; k++)
        target[k] -= r->momentum[k];
    for (int k = 0; k < 3; k++) {
        motion[k] = target[k] / r->inertia.at[0][0];
        moved[k] = dt * (r->motion[k] + motion[k]);
    }
    spin_after(r, target + 3, motion + 3);
}

/* Velocity = motion of the rigid stage + added rigid motion at R r + deformation; what was added is a rotation, too, and turns the
 * deformation. */
static lt_carry_maps carry_maps_of(const lt_rigid_row *r, const double motion[LT_RIGID], double dt) {
    LT_ASSERT(dt > 0);
    double q[4];
    affine rigid = displacement(r, dt, 1 / dt), arm = rotation(r);
    lt_dmat3 spin = spin_matrix(motion + 3);
    rotation_of(q, motion + 3, dt);
    affine turn = {.m = less_identity(q)};
    affine bent = {.m = lt_dm3_mul(lt_dm3_sub(turn.m, lt_dm3_scale(spin, dt)), arm.m)};
    rigid.m = lt_dm3_add(rigid.m, lt_dm3_mul(spin, arm.m));
    rigid.shift = lt_d3_add(rigid.shift, (lt_dvec3){motion[0], motion[1], motion[2]});
    return (lt_carry_maps){plain(rigid), plain(turn), plain(bent)};
}

/* The rigid motion that the momentum of impulses lacks, about where the centre is now. */
static void give_momentum(const lt_implicit *s, const lt_member *member, const double moved[3]) {
    lt_rvec3 c = {member->center.x + (lt_real)moved[0], member->center.y + (lt_real)moved[1],
                  member->center.z + (lt_real)moved[2]};
    double at[3], lacking[LT_RIGID], motion[LT_RIGID], target[LT_RIGID];
    lt_unpack_r3(at, lt_r3_sub(c, member->center)); /* as it was rounded */
    find_target(member->rigid, target);
    lt_node_sums sums = lt_sum_nodes(s, member, c);
    memcpy(lacking, target, sizeof lacking);
    lt_add_force6(lacking, at, target, -1);
    for (int k = 0; k < 3; k++) {
        lacking[k] = target[k] - sums.linear[k];
        lacking[3 + k] -= sums.angular[k];
    }
    lt_block6 inertia = lt_inertia_of(&sums);
    lt_solve6(&inertia, motion, lacking);
    lt_node_pass pass = pass_of(s, member);
    pass.center = c;
    kernels_of(s)->give(&pass, motion);
}

/* x + Δt v inflates what turns, by ½ (|spin| Δt)²: what the stages behind the rigid one have turned it by is a rotation as well.
 * Nor are velocities (x' − x)/Δt: chords point inwards, and would press a spinning body together in the next step. */
void lt_rigid_carry(const lt_implicit *s, const lt_member *member) {
    LT_ASSERT(lt_is_carried(member) && s->is_bent);
    double moved[3], motion[LT_RIGID];
    lt_node_pass pass = pass_of(s, member);
    find_added(member->rigid, (double)s->advance->dt, motion, moved);
    lt_carry_maps maps = carry_maps_of(member->rigid, motion, (double)s->advance->dt);
    kernels_of(s)->carry(&pass, &maps, s->advance->dt);
    give_momentum(s, member, moved);
}

double lt_rigid_part(const lt_implicit *s, const lt_member *member, lt_real keep) {
    lt_soft *soft = member->soft;
    lt_rvec3 c = lt_soft_center(soft);
    double motion[LT_RIGID], momentum[LT_RIGID], energy = 0;
    lt_node_sums sums = lt_sum_nodes(s, member, c);
    lt_block6 inertia = lt_inertia_of(&sums);
    memcpy(momentum, sums.linear, sizeof sums.linear);
    memcpy(momentum + 3, sums.angular, sizeof sums.angular);
    lt_solve6(&inertia, motion, momentum);
    lt_motion_map map = lt_motion_map_of(motion);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_real *v = soft->v + 4 * (size_t)node;
        lt_r4 rigid = lt_motion_at(&map, soft, node, c), rest = lt_r4_sub(lt_r4_load(v), rigid);
        energy += (double)soft->mass[node] / 2 * (double)lt_r3_length_squared(lt_r4_xyz(rest));
        if (keep < 1) lt_r4_store(v, lt_r4_mad(rigid, rest, lt_r4_splat(keep)));
    }
    return energy;
}
