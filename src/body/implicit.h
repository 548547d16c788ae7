/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The implicit step of an island of bodies, in stages. Each lowers one energy of the velocities v, so that it may end after any:
 *
 *   φ(v) = ½ |v − v_n − Δt f/m|²_M + U(x + Δt v) + Σ couplings           (drag and stiffness damping in the place of ½ vᵀDv)
 *
 *   0 rigid        implicit_rigid.c    the rigid motion of every body of the island, with its couplings: six unknowns a body.
 *                                      The least a body gets; it moves by an exact rotation then
 *   1 deformation  implicit_solve.c    rotations and forces where the rigid motion and last step's deformation lead; then as much
 *                                      of last step's deformation velocity as lowers φ most
 *   2 iterations   implicit_solve.c    conjugate gradients on φ, preconditioned; couplings are looked at in every iteration
 *   3 momentum     implicit_rigid.c    the rigid stage once more from where 2 ended: momentum is exactly what impulses say
 *
 * Why not from v_n: iterations that begin there and are cut are an explicit step, and explode. A body at rest in its rigid stage
 * stays exactly where it is, whatever it weighs.
 *
 * Between 0 and 2 elastic forces are linear about x_p = x + Δt v_p, v_p = rigid motion + last step's deformation velocity, which
 * is zero at rest: there what is linearised is what there is. */

#ifndef LITHE_BODY_IMPLICIT_H
#define LITHE_BODY_IMPLICIT_H

#include "body/coupling_law.h"
#include "body/multigrid.h"
#include "body/rigid_block.h"

/* A member as one rigid thing about its centre. */
typedef struct lt_rigid_row {
    lt_block6 inertia;         /* of its mass */
    lt_block6 weight;          /* what the rigid stage moves: with drag, and what pins hold */
    double own[LT_RIGID];      /* momentum that it should have without couplings */
    double before[LT_RIGID];   /* motion that it came with */
    double motion[LT_RIGID];   /* motion that it has now */
    double momentum[LT_RIGID]; /* of the motion of the rigid stage, of members that are carried */
    double wrench[LT_RIGID];   /* that couplings give it, as they were looked at last */
    double load[LT_RIGID];     /* of a solve: momentum that is missing at its start */
    double delta[LT_RIGID], step[LT_RIGID],
        slope[LT_RIGID]; /* change of the motion that it found; scratch of it */
    double turned_by[4]; /* the rotation that this motion makes in a step */
} lt_rigid_row;

typedef struct lt_rigid_pair {
    uint32_t a, b;           /* members; b LT_NONE: of infinite mass */
    double shift[3];         /* centre of a − centre of b */
    lt_block6 moments;       /* Σ Jᵀ G J about the centre of a */
    double wrench[LT_RIGID]; /* Σ Jᵀ λ likewise, on a */
} lt_rigid_pair;

/* Scratch of one island; see implicit_rigid.c. */
typedef struct lt_rigid_level {
    lt_rigid_row *rows;   /* [member_count] */
    lt_rigid_pair *pairs; /* [pair_count], as views come: two may be of the same members */
    uint32_t pair_count;
    double scale; /* J, what forces alone would do in the step: whatever is far below is nothing */
    /* Factor of the second derivatives by blocks; direct false: too many members or blocks */
    bool direct;
    lt_block6 *blocks;           /* [block_capacity]: diagonals by member, then the others by column */
    uint32_t *order, *positions; /* [member_count] members as they are eliminated, and back */
    uint32_t *column_begin;      /* [member_count + 1] by position */
    uint32_t *column_rows;       /* [block_capacity] members */
    uint32_t *places; /* [member_count][member_count] block of two members, lower one first; LT_NONE */
    uint64_t *links;  /* [member_count][words] scratch: who is next to whom */
    uint32_t block_capacity;
    double (*vectors[3])[LT_RIGID]; /* [member_count] of the iterations in place of a factor */
} lt_rigid_level;

/* The island's vectors. */
enum {
    LT_VECTOR_VELOCITY, /* v */
    LT_VECTOR_BASE,     /* what φ's slope at v is without couplings, downwards: b − A v */
    LT_VECTOR_RESIDUAL, /* with them */
    LT_VECTOR_PRECONDITIONED,
    LT_VECTOR_DIRECTION,
    LT_VECTOR_PRODUCT,
    LT_VECTOR_PLACES /* where forces are asked for; scratch */
};

typedef struct lt_implicit {
    const lt_advance *advance;
    const lt_island *island;
    const lt_sparse_kernels *kernels;
    uint32_t max_iterations; /* 0: the rigid stage alone */
    lt_real tolerance;
    /* Output */
    uint32_t iterations;
    lt_real residual; /* relative, of the last */
} lt_implicit;

/* New velocities, positions and impulses of all implicit bodies of an island, and of the couplings between them. */
void lt_implicit_advance(const lt_advance *advance, const lt_island *island);

/* Stages 1 and 2. */
void lt_implicit_solve(struct lt_implicit *solve);

static inline lt_real *lt_implicit_vector(const lt_implicit *s, int which) {
    return s->island->vectors[which];
}
static inline size_t lt_implicit_bytes(const lt_implicit *s) {
    return 4 * (size_t)s->island->row_count * sizeof(lt_real);
}

/* Δt² E / (ρ size²) beyond which float cannot tell a body from a rigid one: what its stiffness would make of the last bit of a position
 * is more than gravity does in a step. Such bodies move as rigid things do. */
#define LT_STIFFEST 1e6

static inline bool lt_deforms(const lt_member *member) {
    return lt_is_implicit(member) && !member->rigid_alone;
}

/* ---- views of couplings (implicit_views.c) ---- */

/* Bytes of arena for so many couplings, at most. */
size_t lt_views_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                        uint32_t coupling_capacity);
bool lt_views_take(const lt_advance *advance, lt_island *island);
/* Of all couplings between implicit members and things of infinite mass; those with an explicit side are settled there. */
void lt_views_fill(const lt_implicit *s);
/* Gives couplings their impulses, and the springs that friction is left with. */
void lt_views_settle(const lt_implicit *s);

/* ---- as far as φ goes down (implicit_line.c) ---- */

/* u of every coupling with the velocities as they are. */
void lt_implicit_look(const lt_implicit *s);
/* RESIDUAL = BASE + Σ Jᵀ λ, nothing of pinned nodes; bounds of friction. */
void lt_implicit_residual(const lt_implicit *s);
/* Goes along DIRECTION, A times which is in PRODUCT: VELOCITY, BASE and u follow. Returns by how much φ fell, as of a parabola. */
double lt_implicit_search(const lt_implicit *s, double most);

/* ---- the preconditioner (implicit_precondition.c) ---- */

void lt_precondition_build(const lt_implicit *s);
/* z = B r */
void lt_precondition(const lt_implicit *s, lt_real *z, const lt_real *r);

/* ---- the matrix of the rigid stage (rigid_system.c) ---- */

/* Bytes of arena for an island of so many members and couplings, at most. */
size_t lt_rigid_scratch(uint32_t member_count, uint32_t coupling_count);
bool lt_rigid_take(lt_island *island, lt_arena *arena);
/* The order of elimination, and which blocks there are, once pairs are listed. */
void lt_rigid_plan(const lt_island *island);
/* step of every member = (W + Σ Jᵀ G J)⁻¹ slope, with moments of pairs as they were looked at last. Slopes are lost. */
void lt_rigid_solve(const lt_island *island);

/* Of a motion of a and one of b (NULL: none), as a sees them at its centre. */
static inline void lt_relative_motion(double out[LT_RIGID], const lt_rigid_pair *pair,
                                      const double a[LT_RIGID], const double b[LT_RIGID]) {
    memcpy(out, a, LT_RIGID * sizeof *out);
    if (!b) return;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] -= b[k] + b[3 + l] * pair->shift[m] - b[3 + m] * pair->shift[l];
        out[3 + k] -= b[3 + k];
    }
}
/* A wrench about the centre of a, about that of b. */
static inline void lt_shift_wrench(double out[LT_RIGID], const lt_rigid_pair *pair,
                                   const double wrench[LT_RIGID]) {
    memset(out, 0, LT_RIGID * sizeof *out);
    lt_add_force6(out, pair->shift, wrench, 1);
    for (int k = 3; k < LT_RIGID; k++)
        out[k] += wrench[k];
}

/* ---- passivity (implicit_energy.c) ---- */

/* The share of the deformation velocity that the body may keep, 1 but where it has more energy than it may: at the begin of a step,
 * `elastic` as far as is known by then. */
lt_real lt_energy_share(const lt_implicit *s, lt_member *member, double elastic);
/* Work of the step, once velocities and impulses stand. */
void lt_energy_measure(const lt_implicit *s);
/* What the body may have from now on, once it has moved. */
void lt_energy_settle(const lt_implicit *s, const lt_member *member);

/* ---- the rigid stage (implicit_rigid.c) ---- */

/* A linear function of where a node is from the centre: rigid motions, and what rotations do. Fourth lanes are zero. */
typedef struct lt_motion_map {
    lt_r4 columns[3], shift;
} lt_motion_map;

/* Whether it goes along by rotations, as a whole, and then by its deformation: what nothing holds and no ladder spreads. */
static inline bool lt_is_carried(const lt_member *member) {
    return lt_deforms(member) && !member->soft->grid && member->soft->pin_count == 0;
}

/* Masses, momenta and motions of all members; pairs, arms. */
void lt_rigid_begin(const lt_implicit *s);
/* Stage 0: motions with couplings, from those that members came with; velocities and displacements by them. */
void lt_rigid_start(const lt_implicit *s);
/* Of a body that turns as it came: velocity to add at a node, by its arm, for the chord of last step's rotation. */
lt_motion_map lt_rigid_chord(const lt_rigid_row *rigid, double dt);
/* Stage 3: changes of the rigid motions after which momentum is what impulses say; impulses of all couplings. */
void lt_rigid_finish(const lt_implicit *s);

/* What friction's springs are after it, or after stage 0 where that is all. */
void lt_rigid_settle(const lt_implicit *s);
/* Moves a body without pins for which stage 0 was all: by a rotation, its momentum exactly what impulses say. */
void lt_rigid_move(const lt_implicit *s, const lt_member *member);
/* Kinetic energy of what is not rigid in a body's velocities, which keeps so much of it from then on. */
double lt_rigid_part(const lt_member *member, lt_real keep);
/* Moves one that deforms: as a whole by rotations as well, and with that momentum. */
void lt_rigid_carry(const lt_implicit *s, const lt_member *member);

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

/* The rigid motion at a node. */
static inline lt_rvec3 lt_rigid_velocity(const double motion[LT_RIGID], lt_rvec3 arm) {
    return (lt_rvec3){(lt_real)(motion[0] + motion[4] * arm.z - motion[5] * arm.y),
                      (lt_real)(motion[1] + motion[5] * arm.x - motion[3] * arm.z),
                      (lt_real)(motion[2] + motion[3] * arm.y - motion[4] * arm.x)};
}

#endif
