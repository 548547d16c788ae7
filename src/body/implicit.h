/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The implicit step of an island of bodies, in stages. Each lowers one energy of the velocities v, so that it may end after any:
 *
 *   φ(v) = ½ |v − v_n − Δt f/m|²_M + U(x + Δt v) + Σ couplings           (drag and stiffness damping in the place of ½ vᵀDv)
 *
 *   0 rigid        implicit_rigid.c    the rigid motion of every body of the island, with its couplings: six unknowns a body.
 *                                      The least a body gets; it moves by an exact rotation then (rigid_motion.c)
 *   1 deformation  implicit_solve.c    rotations and forces where the rigid motion and last step's deformation lead; then as much
 *                                      of last step's deformation velocity as lowers φ most
 *   2 iterations   implicit_solve.c    conjugate gradients on φ, preconditioned; couplings are looked at in every iteration
 *   3 momentum     implicit_rigid.c    the rigid stage once more from where 2 ended: momentum is exactly what impulses say
 *
 * Explicit and lattice bodies that are cut before anything of them deforms move by stage 0, too, with the stiffness that their contacts
 * have in sub-steps. Their deformation velocity stands meanwhile and turns along (explicit_rest.c); that of implicit bodies is gone.
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

/* A member as one rigid thing about its centre. */
typedef struct lt_rigid_row {
    lt_block6 inertia;         /* of its mass */
    lt_block6 weight;          /* what the rigid stage moves: with drag, and what pins hold */
    double own[LT_RIGID];      /* momentum that it should have without couplings */
    double before[LT_RIGID];   /* motion that it came with */
    double motion[LT_RIGID];   /* motion that it has now */
    double end[3];             /* velocity of the centre that it ends with, as far as stage 2 has found it */
    double momentum[LT_RIGID]; /* of the motion of the rigid stage, of members that are carried */
    double wrench[LT_RIGID];   /* that couplings give it, as they were looked at last */
    double load[LT_RIGID];     /* of a solve: momentum that is missing at its start */
    double delta[LT_RIGID], step[LT_RIGID],
        slope[LT_RIGID];  /* change of the motion that it found; scratch of it */
    double turned_by[4];  /* the rotation that this motion makes in a step */
    uint32_t patch_count; /* scratch of lt_patches_build */
} lt_rigid_row;

/* Scratch of one island; see implicit_rigid.c. */
typedef struct lt_rigid_level {
    lt_rigid_row *rows;   /* [member_count] */
    lt_rigid_pair *pairs; /* [pair_count], as couplings come: two may be of the same members */
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

/* Where the step of an island is. In the order in which they come; from MULTIPLY to PRECONDITION over and over. */
typedef enum lt_implicit_phase {
    LT_IMPLICIT_RIGID,        /* stage 0: a round of Newton a piece */
    LT_IMPLICIT_DEFORM,       /* stage 1: rotations and forces, a member a piece */
    LT_IMPLICIT_GIVE_BACK,    /* … and as much of last step's deformation velocity as lowers φ most */
    LT_IMPLICIT_BUILD,        /* the preconditioner, by its own pieces */
    LT_IMPLICIT_MULTIPLY,     /* stage 2: a member a piece */
    LT_IMPLICIT_SEARCH,       /* … along the direction: an iteration is taken here, and nowhere else */
    LT_IMPLICIT_PRECONDITION, /* … up to eight members of one factor a piece, the direction behind the last */
    LT_IMPLICIT_CYCLE,        /* in place of stages 1 and 2, mode paper of ladders: a cycle a piece */
    LT_IMPLICIT_MOMENTUM,     /* stage 3: a round of Newton a piece */
    LT_IMPLICIT_DONE
} lt_implicit_phase;

/* Newton's method of the rigid stage, a round at a time (implicit_newton.c). */
typedef struct lt_newton {
    double settled, reference; /* what may be left of φ to be gained, over this */
    double left;               /* of φ, over it: what the last round had to gain */
    uint32_t round;
    bool ended;        /* it has settled, or is out of rounds: */
    bool is_unsettled; /* it is closed then, as where it is cut */
} lt_newton;

/* The step of one island: a cursor that can be cut after any piece (implicit_cursor.c). */
typedef struct lt_implicit {
    /* Input */
    const lt_advance *advance;
    lt_island *island;
    const lt_sparse_kernels *kernels;
    const lt_coupling_kernels *couplings;
    uint32_t max_iterations; /* 0: the rigid stage alone */
    lt_real elapsed; /* s of sub-steps before: the rest of such a step is `advance`'s dt. 0: a whole step */
    lt_real tolerance;
    lt_tasks *
        tasks; /* that share the pieces of members; NULL: they are done one by one. Behind lt_implicit_begin, outside of any loop */
    /* State */
    lt_implicit_phase phase;
    uint32_t at;       /* piece of the phase that is next */
    bool is_corrected; /* the preconditioner's second half, behind the correction of contacts */
    lt_newton newton;
    lt_real size, across,
        reference;       /* residual · preconditioned: now, with the one before; what is compared with */
    double enough, gain; /* energy of an iteration: that ends them; of the last */
    double gained;       /* of all: how far forces are from where they are linear */
    bool strains_much;   /* so far that the elastic energy is looked at again */
    uint32_t idle;       /* iterations in a row that gained no more */
    bool is_bent;        /* velocities are more than rigid: stage 3 follows */
    double harm;         /* J that the last stage changed: what is at stake where this island is not served */
    /* Output */
    uint32_t iterations;
    lt_real residual;                  /* relative, of the last */
    uint64_t begin_units, fixed_units; /* what is paid in any case: before any grant, and so far */
    uint64_t used_units;               /* of grants */
    uint64_t piece_count;              /* of these */
    bool was_cut;
} lt_implicit;

/* ---- the cursor (implicit_cursor.c) ---- */

/* Stage 0 as far as no budget cuts it. False: there are no implicit bodies, and nothing else is to be called. */
bool lt_implicit_begin(lt_implicit *s, const lt_advance *advance, lt_island *island);
/* Does the next piece and returns its units; 0: there is none left. */
uint64_t lt_implicit_step(lt_implicit *s);
/* New velocities, positions and impulses of all implicit bodies of the island, and of the couplings between them: from wherever it is. */
void lt_implicit_end(lt_implicit *s);
/* Units that this takes at most, wherever it is. */
uint64_t lt_implicit_end_units(const lt_implicit *s);

/* A job is work that is of use only as a whole: up to where φ is lower than before. A round of stages 0 and 3, an iteration; stage 1
 * comes with the first iteration, and with as many members as the grant is enough for. Units at most; both 0: there is nothing to do. */
typedef struct lt_job_cost {
    uint64_t least, most;
} lt_job_cost;
lt_job_cost lt_implicit_job(const lt_implicit *s);
/* It is out of pieces (lt_advance.pieces_allowed). */
static inline bool lt_implicit_is_stopped(const lt_implicit *s) {
    return s->advance->pieces_allowed > 0 && s->piece_count == s->advance->pieces_allowed;
}
/* Does jobs while they fit into `grant` for certain; UINT64_MAX: all. */
void lt_implicit_run(lt_implicit *s, uint64_t grant);

/* Before and behind the cursor (implicit_advance.c). */
bool lt_implicit_prepare(lt_implicit *s, const lt_advance *advance, lt_island *island);
void lt_implicit_settle(lt_implicit *s);

/* ---- pieces (implicit_newton.c, implicit_deform.c, implicit_solve.c, multigrid_fas.c) ---- */

enum {
    LT_NEWTON_LOOKS = 9,
    LT_CLOSE_LOOKS = 4,
    LT_CLOSE_SOLVES = 2
}; /* at all couplings: in a round at most; in a closing step */
/* Of φ to be gained, over what forces or the first step do: so far stage 0 goes in any case, two to five rounds mostly. What Newton gains
 * beyond it iterations gain as well; where none follow it is granted, or left to the closing step. */
static const double LT_NEARLY = 1e-3;
/* How often couplings were looked at, the rigid level was solved, and how many iterations took the place of a factor. */
typedef struct lt_newton_cost {
    uint32_t looks, solves, gradients;
} lt_newton_cost;
void lt_newton_begin(lt_implicit *s, double settled);
lt_newton_cost lt_newton_round(lt_implicit *s);
/* One step more, by impulses that are linear in it: wherever Newton is, motions and impulses have the same momentum then. */
lt_newton_cost lt_newton_close(lt_implicit *s);

/* J that it changed so far. */
double lt_newton_energy(const lt_implicit *s);

/* Stage 1 of a member: BASE, DIRECTION its deformation velocity, PRODUCT = A DIRECTION. */
void lt_implicit_deform(const lt_implicit *s, lt_member *member);
/* PRODUCT = A DIRECTION */
void lt_implicit_multiply(const lt_implicit *s, const lt_member *member);
/* Behind the last member: as much of last step's deformation as lowers φ most. Returns how often couplings were looked at. */
uint32_t lt_implicit_give_back(const lt_implicit *s);
bool lt_implicit_follows_gains(const lt_implicit *s); /* that takes a second search */
/* Stage 2: the first direction; an iteration along it, which returns its looks; whether there is to be another; to the next direction,
 * before and behind the preconditioner; what the residual is where it ends. */
void lt_implicit_start(lt_implicit *s);
uint32_t lt_implicit_iterate(lt_implicit *s);
bool lt_implicit_goes_on(const lt_implicit *s);
void lt_implicit_look_across(lt_implicit *s);
void lt_implicit_redirect(lt_implicit *s);
void lt_implicit_judge(lt_implicit *s);

static inline lt_real *lt_implicit_vector(const lt_implicit *s, int which) {
    return s->island->vectors[which];
}
static inline size_t lt_implicit_bytes(const lt_implicit *s) {
    return 4 * (size_t)s->island->row_count * sizeof(lt_real);
}

static inline bool lt_deforms(const lt_member *member) {
    return lt_is_implicit(member) && !member->rigid_alone;
}

/* ---- couplings, eight at a time (implicit_couplings.c) ---- */

/* Bytes of arena for so many couplings, at most. */
size_t lt_couplings_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                            uint32_t coupling_capacity);
bool lt_couplings_take(const lt_advance *advance, lt_island *island);
/* Of all couplings between implicit members and things of infinite mass; those with an explicit side are settled there. For the rest
 * of a step, of all with an explicit side: the other one is of infinite mass if it is none. */
void lt_couplings_fill(const lt_implicit *s);
/* Gives couplings their impulses, and the springs that friction is left with. */
void lt_couplings_settle(const lt_implicit *s);
/* Which members a coupling is of in the stages, in its order; side b comes first where a takes no part. */
lt_sides lt_staged_sides(const lt_island *island, const lt_coupling *coupling);

/* ---- as far as φ goes down (implicit_line.c) ---- */

/* u of every coupling with the velocities as they are. */
void lt_implicit_look(const lt_implicit *s);
/* RESIDUAL = BASE + Σ Jᵀ λ, nothing of pinned nodes; bounds of friction. */
void lt_implicit_residual(const lt_implicit *s);
enum { LT_SEARCH_LOOKS = 8 }; /* at the slope along a direction, at most */
/* Goes along DIRECTION, A times which is in PRODUCT: VELOCITY, BASE and u follow. Returns by how much φ fell, as of a parabola; adds
 * to `looks` how often the slope was looked at. */
double lt_implicit_search(const lt_implicit *s, double most, uint32_t *looks);

/* ---- the preconditioner (implicit_precondition.c) ---- */

/* Of a member with a factor: what the inverse at rest is multiplied by. */
lt_real lt_precondition_share(const lt_member *member);
/* Built in pieces, the first 0. */
uint32_t lt_precondition_piece_count(const lt_implicit *s);
uint64_t lt_precondition_piece_units(const lt_implicit *s, uint32_t piece);
void lt_precondition_build(const lt_implicit *s, uint32_t piece);
/* z = P⁻¹ r, rows of members [begin, end) of the island's order: up to lt_precondition_end, of one factor, they are solved at once. B r is that
 * twice, with lt_patches_correct between, where there are patches. */
uint32_t lt_precondition_end(const lt_island *island, uint32_t begin);
void lt_precondition(const lt_implicit *s, uint32_t begin, uint32_t end, lt_real *z, const lt_real *r);

/* ---- contacts in it (implicit_patches.c) ---- */

enum {
    LT_PATCHES_MOST = 32,      /* of an island */
    LT_PATCHED_ITERATIONS = 3, /* that they serve */
};

typedef struct lt_patch_node {
    uint32_t row;
    lt_real weight; /* of side b negative */
} lt_patch_node;

/* Nodes [begin, end) of the set; none of a side that does not deform. */
typedef struct lt_patch_side {
    uint32_t member, begin, end;
} lt_patch_side;

/* Couplings of a pair that are near each other, as one. */
typedef struct lt_patch {
    lt_patch_side sides[2]; /* one behind the other */
    lt_rvec3 normal;
    lt_real along, across; /* gains, summed */
} lt_patch;

/* Of a group of couplings. */
typedef struct lt_coupling_gains {
    lt_lanes normal, across;
} lt_coupling_gains;

typedef struct lt_patch_set {
    lt_patch *patches;        /* [count] */
    lt_patch_node *nodes;     /* [node_count] */
    uint32_t *marks;          /* [row_count] scratch: the node of a row, of the side that is gathered */
    lt_coupling_gains *gains; /* [group_count] */
    uint32_t *pair_begin;     /* [pair_count + 1] couplings of a pair in the list of those that push */
    lt_real *matrix;          /* lower half of C by columns; its factor */
    lt_real *answer;          /* [3 count] */
    uint32_t count, node_count;
} lt_patch_set;

size_t lt_patches_scratch(uint32_t body_count, uint32_t node_count, uint32_t coupling_capacity,
                          uint32_t most_nodes);
bool lt_patches_take(lt_island *island, lt_arena *arena);
/* Whether the island could have any: few pairs, and columns of every body that deforms. */
bool lt_patches_may_be(const lt_implicit *s);
/* Of couplings as they are at u; none where that is not worth it. */
void lt_patches_build(const lt_implicit *s);
/* From here on P alone. */
void lt_patches_drop(const lt_implicit *s);
/* out = r − Jᵀ C⁻¹ J z, z = P⁻¹ r */
void lt_patches_correct(const lt_implicit *s, lt_real *out, const lt_real *r, const lt_real *z);

/* ---- the matrix of the rigid stage (rigid_system.c) ---- */

/* Bytes of arena for an island of so many members and couplings, at most. */
size_t lt_rigid_scratch(uint32_t member_count, uint32_t coupling_count);
bool lt_rigid_take(lt_island *island, lt_arena *arena);
/* The order of elimination, and which blocks there are, once pairs are listed. */
void lt_rigid_plan(const lt_island *island);
/* step of every member = (W + Σ Jᵀ G J)⁻¹ slope, with moments of pairs as they were looked at last. Slopes are lost. Returns the
 * iterations that took the place of a factor. */
uint32_t lt_rigid_solve(const lt_island *island);
uint32_t lt_rigid_most_gradients(const lt_island *island);

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
void lt_energy_measure(lt_implicit *s);
/* What the body may have from now on, once it has moved. */
void lt_energy_settle(const lt_implicit *s, const lt_member *member);

/* ---- the rigid stage (implicit_rigid.c) ---- */

/* Masses, momenta and motions of all members; pairs, arms. */
void lt_rigid_begin(const lt_implicit *s);
/* Stage 0, from the motions that members came with: Newton begins; lt_rigid_place is behind it. */
void lt_rigid_start(lt_implicit *s);
/* All of it at once. */
void lt_rigid_run(lt_implicit *s);
/* Stage 3: Newton begins. Behind it the changes of the rigid motions after which momentum is what impulses say. */
void lt_rigid_begin_finish(lt_implicit *s);
void lt_rigid_finish(const lt_implicit *s);

/* Impulses with everybody's change of motion, and what they add up to on every member. */
void lt_rigid_look(const lt_implicit *s, lt_look how);
/* Downwards: load − W z + what couplings give. */
void lt_rigid_find_slopes(const lt_implicit *s);
/* What the wrenches of pairs add up to on every member. */
void lt_rigid_sum_wrenches(const lt_implicit *s);

/* What friction's springs are after it, or after stage 0 where that is all. */
void lt_rigid_settle(const lt_implicit *s);

/* Explicit models (explicit_rest.c): velocities less the rigid motion that the body came with, into DIRECTION, before it moves; added to
 * where it has turned, afterwards. */
void lt_keep_deformation(const lt_implicit *s, const lt_member *member);
void lt_give_back_deformation(const lt_implicit *s, const lt_member *member);

#endif
