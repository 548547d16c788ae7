/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts as constraints, after the free motion (papers/003 §4.4; Otaduy, Tamstorf, Steinemann & Gross 2009 for the iteration;
 * spec 4.3):
 *
 *     A Δv = Jᵀλ,   0 ≤ λ_n ⊥ J_n (v* + Δv) + g/Δt ≥ 0,   |λ_t| ≤ μ λ_n against the way it slides
 *
 * v* the velocities of the free motion, A the matrix they were solved with, J the contacts through the embedding: weights on
 * nodes of up to two bodies. J A⁻¹ Jᵀ is never formed. Iterative constraint anticipation: with D̂ = σ blockdiag(A), 2D̂ − A
 * positive definite, a sweep is
 *
 *     Δv ← Δv − D̂⁻¹ (A Δv − Jᵀλ)                       what the constraints have not told the bodies yet
 *     a few times over all contacts:  λ ← project(λ − (J (v* + Δv) + g/Δt) / (J D̂⁻¹ Jᵀ)_cc),   Δv and Jᵀλ follow at once
 *
 * which with the contacts solved exactly is a proximal gradient step of min ½ΔvᵀAΔv under the constraints. So Nesterov's
 * momentum serves it: Δv first runs on the way it came, started anew when a sweep goes against that (O'Donoghue & Candès 2015),
 * with D̂ ≥ A, twice as large. Two cubes of 0.3 m, 1e5 Pa: 33 sweeps to 1e-3 instead of 68; of 0.1 m 114 instead of 491.
 * (Tried: rigid motions as part of D̂⁻¹. All contacts of a body are then coupled, and a few passes no longer solve them. P⁻¹ between the
 * nodes of contacts, which columns of factors have (body/rest_columns.h), couples them as well, and what a contact changes is then all
 * those nodes of its bodies: 340 ns a side in a pass where there are 60, 1,550 where there are 240, for 22 to 25 as it is. 1,416 contacts of
 * 618 nodes take 69 sweeps to 1e-3, some 20 ms with their products: five passes of that kind, one sweep, would take as long.)
 *
 *     lt_lcp_begin ─► lt_lcp_cursor: matrices, sweeps; may be cut anywhere ─► lt_lcp_exit_cursor: must run to its end
 *
 * The exit makes of whatever there is an answer that holds (lcp_exit.c): no contact pulls, friction stays in its cone, what one
 * side gets the other loses, linear and angular, and nothing is left to approach, by impulses contact by contact where need
 * be. Also without a single sweep. Where that contradicts itself, contacts stay `unresolved`, and no island is left with more
 * kinetic energy than its free motion had to give, besides what overlap and obstacles bring in (lcp_guard.c).
 *
 * Nothing is allocated but in lt_lcp_begin, from the arena. Same input and same units: same bits. */

#ifndef LITHE_RESPOND_LCP_H
#define LITHE_RESPOND_LCP_H

#include "body/body.h"

/* Units of work: per node of a body in a sweep, per contact in a pass of it, and the same at the exit. (A unit of a sweep takes 1.0 to
 * 2.0 ns; a contact in a pass at the exit 22 to 25 ns in dense contact, where few approach, 80 to 117 ns in a stack of cubes, where all
 * do and find their response first.) */
enum {
    LT_LCP_NODE_UNITS = 16,
    LT_LCP_LADDER_NODE_UNITS = 128, /* a node of a front, with those that follow it: 100 to 240 ns */
    LT_LCP_CONTACT_UNITS = 40,
    LT_LCP_CLAMP_UNITS = 40
};

/* One body, as views. Its nodes are those that move by themselves: of a ladder rows, and arrays of the step (lcp_front.c). */
typedef struct lt_lcp_body {
    /* Input */
    uint32_t node_count;
    const lt_soft *soft;     /* of its system */
    const lt_system *system; /* A; NULL: drag × mass on the diagonal, an explicit body or one asleep */
    bool has_rows;           /* of a ladder: what nodes are here are rows there */
    const lt_real *mass;     /* [node_count]; nodes of mass 0 are not moved */
    const uint8_t *pinned;   /* [node_count] nodes of infinite mass; NULL: none */
    lt_real drag;            /* 1 + αΔt: A of a translation is drag × mass */
    bool immovable;          /* asleep */
    /* In: at the end of the free motion. Out: with the answer, x as if v had been so all along the step. Pinned nodes stay. */
    lt_real *x, *v; /* [node_count][4] */
    /* σ of D̂. In: what an earlier step found, 0: to be found by power iterations, which take as long as twenty sweeps without
     * contacts. Out: what was used; it hardly changes while dt, material and shape stay. */
    lt_real sigma;
    /* Δv of the last step in, of this one out, [node_count][4]: what rests needs a few sweeps only. NULL: not kept. */
    lt_real *warm;
    lt_twist taken; /* Output: momentum that mass damping took of the answer, about the origin */
} lt_lcp_body;

/* Of one sweep over the body. */
static inline uint64_t lt_lcp_nodes_units(uint32_t node_count, bool is_ladder) {
    return (uint64_t)node_count * (is_ladder ? LT_LCP_LADDER_NODE_UNITS : LT_LCP_NODE_UNITS);
}

/* The view of a body that has moved; system NULL or explicit: by its masses. */
lt_lcp_body lt_lcp_body_of(lt_soft *soft, const lt_system *system, lt_real dt, bool asleep);

/* Of a body whose rows are not its nodes, after lt_lcp_body_of: takes what it needs from the arena; others stay as they are.
 * False: there is too little. */
bool lt_lcp_take_rows(lt_lcp_body *body, const lt_soft *soft, const lt_system *system, lt_arena *arena);
/* And what came of it to its nodes; those that follow others do not yet. */
void lt_lcp_give_rows(const lt_lcp_body *body, lt_soft *soft, lt_real *warm);
/* Most bytes for a body. */
size_t lt_lcp_rows_scratch(const lt_soft *soft);
/* A point of such a body, by nodes, to one by rows. */
lt_anchor lt_lcp_anchor(const lt_soft *soft, const lt_anchor *anchor);

typedef struct lt_lcp_contact {
    /* Input */
    uint32_t body_a, body_b; /* body_b LT_NONE: an obstacle; the same body twice: self-contact */
    lt_anchor a, b;
    lt_rvec3 normal;           /* unit, pushes a */
    lt_rvec3 partner_velocity; /* of the obstacle at the point */
    lt_real gap;               /* m along the normal at the beginning of the step, < 0: overlapping */
    lt_real friction;          /* ≥ 0 */
    /* In: that of the same contact in the last step, 0: none. Out: on a, N s; b got the opposite. */
    lt_rvec3 impulse;
} lt_lcp_contact;

typedef struct lt_lcp_params {
    lt_real tolerance;      /* of both residuals, relative */
    lt_real recovery_speed; /* m/s at which overlap is undone at most */
    uint32_t max_sweeps;
    uint32_t pass_count; /* projected Gauss-Seidel passes of a sweep */
    uint32_t max_clamps; /* passes over all contacts at the exit */
    bool plain;          /* without momentum, as printed */
    lt_simd_level level;
} lt_lcp_params;
lt_lcp_params lt_lcp_params_default(lt_simd_level level);

/* ---- inside ---- */

/* The rigid motion of a body that an impulse gives: shift and spin of it, as matrices. */
typedef struct lt_lcp_lever {
    lt_rmat3 shift, spin;
} lt_lcp_lever;

/* All that passes touch of a contact, close together: they go over thousands of them, again and again. (Rows and anchors have 650 bytes a
 * contact, these some 150.) */
typedef struct lt_lcp_grip {
    lt_rvec3 normal;
    lt_real friction;
    lt_rvec3 impulse; /* λ */
    lt_real along;    /* 1 / what J D̂⁻¹ Jᵀ is along the normal; 0: cannot be moved */
    lt_rvec3 free; /* J v* less the obstacle's velocity, plus g/Δt along the normal: where Δv = 0 leaves it */
    lt_real across;  /* 1 / the largest that J D̂⁻¹ Jᵀ is across */
    lt_rvec3 answer; /* J D̂⁻¹ Jᵀ n */
    uint32_t tie_begin, tie_end;
} lt_lcp_grip;

/* A node of a contact: of b with the weight's sign turned. */
typedef struct lt_lcp_tie {
    uint32_t row; /* of all bodies */
    lt_real weight;
} lt_lcp_tie;

/* What else there is of a contact. */
typedef struct lt_lcp_row {
    lt_real inverse_mass;  /* n·J M⁻¹ Jᵀn; 0: cannot be moved */
    lt_rvec3 arm_a, arm_b; /* of the anchors, from the centres of their bodies */
    lt_dvec3 point;        /* the one place in the world where both sides act */
    bool sane;
    /* Of the exit: whether the grip's answer is its, and the rigid motions of either side for an impulse */
    bool answers;
    lt_lcp_lever lever_a, lever_b;
} lt_lcp_row;

/* What there is of a body besides its rows. */
typedef struct lt_lcp_part {
    uint32_t row;     /* of its first node in the vectors */
    bool used;        /* has contacts and can be moved */
    bool balanced;    /* and no node is held: momentum is to be kept */
    lt_rvec3 center;  /* that arms are about */
    lt_rigid rigid;   /* about it, with masses × drag */
    lt_screw screw;   /* rigid part of Δv, while contacts are answered one by one */
    lt_twist missing; /* momentum given and not there, where it is being balanced */
} lt_lcp_part;

/* Bodies that share contacts, at the exit. */
typedef struct lt_lcp_island {
    double energy, work; /* ΔvᵀAΔv and −λ·free */
    /* What must not grow (lcp_guard.c): ½ v*ᵀMv*, v*ᵀMΔv, ½ ΔvᵀMΔv, or by A; ½ v*ᵀAv*; work from outside, the largest speed there, and
     * that of overlap that is undone */
    double kinetic, mixed, gained, stored, brought, outside, undone, mass;
    uint32_t body_count;
} lt_lcp_island;

typedef struct lt_lcp {
    /* Input */
    lt_lcp_body *bodies; /* [body_count] */
    uint32_t body_count;
    lt_lcp_contact *contacts; /* [contact_count] */
    uint32_t contact_count;
    lt_real dt;
    lt_lcp_params params;
    /* Output, valid at any time */
    uint32_t sweeps;  /* that were finished */
    lt_real residual; /* |AΔv − Jᵀλ| / |Jᵀλ| at the beginning of the last one */
    lt_real
        complementarity; /* largest change of an impulse that the contact law asked for there, over the largest impulse */
    uint32_t ignored; /* contacts with numbers that are not, or between things that cannot be moved */
    /* Output of the exit */
    uint32_t clamped; /* impulses contact by contact */
    uint32_t
        unresolved; /* contacts that approached in the last pass: there were not enough, or they contradict each other */
    lt_real approach;    /* m/s, the worst of them */
    lt_real least_share; /* of the impulses of an island that the exit took over */
    /* State */
    uint32_t phase, next, pass;
    bool is_cut;        /* before the sweeps were over; set at the exit */
    lt_real speed;      /* m/s, largest of the free ones: what little is little of */
    lt_lcp_row *rows;   /* [contact_count] */
    lt_lcp_grip *grips; /* [contact_count] */
    lt_lcp_tie *ties;   /* [tie_count] of contacts whose grips are ready */
    uint32_t tie_count;
    lt_lcp_part *parts;     /* [body_count] */
    uint32_t *roots;        /* [body_count] union-find of bodies that share contacts */
    lt_lcp_island *islands; /* [body_count], at the root */
    uint32_t row_count;     /* nodes of bodies that are used */
    lt_real *arms; /* [row_count][4] positions from the body's centre, where moments are taken: x − Δt v* */
    lt_real *change;           /* [row_count][4] Δv */
    lt_real *load;             /* [row_count][4] Jᵀλ */
    lt_real *product;          /* [row_count][4] scratch */
    lt_real *inverse;          /* [row_count] blocks of D̂⁻¹; first of blockdiag(A)⁻¹ */
    lt_real *last;             /* [row_count][4] Δv a sweep ago */
    lt_real *ahead;            /* [row_count][4] Δv as it had run on */
    lt_real inertia, momentum; /* Nesterov's t, and β = (t − 1) / t' */
    double against; /* what the last sweep went against the way it had run on, of the bodies so far */
    double residual_sum, load_sum;           /* of the sweep so far, squared */
    lt_real largest_change, largest_impulse; /* of a pass: squares; at the exit: sizes */
} lt_lcp;

/* ---- verbs ---- */

/* Bytes of arena that lt_lcp_begin takes at most. */
size_t lt_lcp_scratch(uint32_t node_count, uint32_t body_count, uint32_t contact_count);
/* Fill in the input first. False when the arena is too small: nothing was moved, and there is nothing to run. */
bool lt_lcp_begin(lt_lcp *lcp, lt_arena *arena);
/* Matrices and sweeps, until they converge. */
lt_cursor lt_lcp_cursor(lt_lcp *lcp);
/* From what there is to velocities, positions and impulses. One piece. */
lt_cursor lt_lcp_exit_cursor(lt_lcp *lcp);
/* Units that the exit costs at most: to be set aside before the sweeps. Of them, those of the nodes of bodies: so many sweeps. */
enum { LT_LCP_EXIT_VISITS = 8 };
uint64_t lt_lcp_exit_units(const lt_lcp *lcp);
uint64_t lt_lcp_exit_nodes_units(const lt_lcp *lcp);

/* The fail-safe: what would still meet at t_min, a share of the step, goes nine tenths of the way there only. Every node is scaled
 * alike, pinned ones too, so that all along the way is as it was tested. Velocities stay. Returns the share that was gone:
 * 1 beyond t_min = 1, where nothing changes; 0 where t_min is below 0 or not a number. */
lt_real lt_lcp_scale_step(lt_real *x, const lt_real *x_before, uint32_t node_count, lt_real t_min);

/* A text on what is wrong with its answer; NULL: nothing is. Contacts push, and rub within the cone of friction. */
const char *lt_validate_lcp(const lt_lcp *lcp);

#endif
