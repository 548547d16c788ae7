/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a step of implicit bodies should have been: converged non-linear implicit Euler in double, by other means than the
 * library's. The velocities v' minimise, friction's bounds b being those of v' itself,
 *
 *   (1 + a dt)/2 v'M v' - v'(M v + dt f) + b dt/2 v'K v' + U(x + dt v') + sum of couplings
 *
 *   U          V (mu |S - I|^2 + lambda/2 tr(S - I)^2), F = R S, R the rotation nearest to F, exactly, at x + dt v'
 *   K          stiffness of the damping: that of rotations at x, held (what the model's matrix has)
 *   contact    max(0, dt k d - g u_n)^2 / 2g,  g = dt (dt k + c);  across: w = dt k t + g u_t, |w|^2 / 2g, from |w| = b on its tangent
 *   tether     |dt k o + g u|^2 / 2g
 *
 * with v that of the state, and of bodies that nothing holds the chord of the rotation that they came with, by the spin of half a step ago:
 * that has the angular momentum of the state. v' is (x' - x) / dt: what is compared with it is how far the library moved nodes, not the
 * velocities that it leaves, which are those at the end of an arc.
 *
 * Angular momentum is kept. Implicit Euler has sum r' x m (v' - v) = sum r' x impulses, r' = x' - c' from the centre at the end, where moments
 * of elastic forces are 0, and so loses dt sum m v' x v of what turns. Bodies that nothing holds therefore begin with a spin w more,
 *
 *   v = v + w x r',   I' w = - dt sum m (v' - V') x v + sum r' x damping,   V' = mean of v'
 *
 * after which it is sum r x m (v' - v), r = x - c, that equals the moments of impulses at the end. Between two bodies these are
 * about one place for both, (p_a' + p_b')/2 - dt U with U = (m_b V_a' + m_a V_b') / (m_a + m_b), else both together would begin to turn: of
 * something of infinite mass that is p' - dt V' again. w is that of v' itself, as friction's bounds are.
 *
 * Newton with the analytic second derivative (where that is not positive, with eigenvalues below 0 cut off per tet), a line search on
 * the sum, and an exact factor (solve_skyline.h). Residuals go to 1e-8 of what the step began with. Made for some thousand unknowns. */

#ifndef LITHE_BENCH_SOLVE_ORACLE_H
#define LITHE_BENCH_SOLVE_ORACLE_H

#include "body/body.h"
#include "solve_skyline.h"

typedef struct lt_oracle_tet {
    uint32_t nodes[4];
    lt_dvec3 gradients[4]; /* of the corners' hat functions, at rest */
    double volume;         /* times fill */
    double lambda, mu;
    double damping; /* s */
} lt_oracle_tet;

/* A body at the end of the step. */
typedef struct lt_oracle_end {
    lt_dvec3 center, velocity; /* velocity: mean of v' */
    lt_dmat3 inertia;
    double mass;
    lt_dvec3 lost; /* angular momentum that implicit Euler loses */
    bool held;
} lt_oracle_end;

typedef struct lt_oracle {
    /* Constants */
    uint32_t node_count, tet_count, body_count;
    uint32_t *node_begin; /* [body_count + 1] of bodies as couplings number them */
    lt_oracle_tet *tets;  /* [tet_count] */
    double *mass, *drag;  /* [node_count] kg, 1/s */
    double dt;
    lt_dvec3 gravity;
    /* State of the step, from lt_oracle_load; what starts may be written before a solve */
    lt_dvec3 *x, *came, *force, *target; /* [node_count]; came: velocity; target: that of a pinned node */
    uint8_t *pinned;
    lt_dmat3 *held; /* [tet_count] rotations at x, of the damping */
    const lt_coupling *couplings;
    uint32_t coupling_count;
    lt_oracle_end *ends;            /* [body_count] */
    double *bounds, *bounds_before; /* [coupling_capacity] of friction, N s */
    uint32_t coupling_capacity;
    /* Output */
    lt_dvec3 *
        v; /* [node_count] velocity that the step begins with: `came`, and the spins that keep angular momentum */
    lt_dvec3 *solution; /* [node_count] v' */
    lt_dvec3 *fall;     /* [node_count] without contacts and elasticity */
    double residual;    /* relative */
    uint32_t rounds;
    /* Scratch */
    lt_dvec3 *gradient, *direction, *trial;
    lt_skyline matrix;
    lt_allocator allocator;
} lt_oracle;

/* Bodies by index, as couplings name them: all of them implicit, of one mesh each. */
lt_status lt_oracle_create(lt_oracle *out, const lt_soft *bodies, uint32_t body_count,
                           uint32_t coupling_capacity, const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_oracle_free(lt_oracle *oracle);
/* The state that a step of dt begins with. Couplings must stay alive. */
void lt_oracle_load(lt_oracle *oracle, const lt_soft *bodies, const lt_coupling *couplings,
                    uint32_t coupling_count, lt_dvec3 gravity, double dt);
/* Fills solution, fall, residual and rounds. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_oracle_solve(lt_oracle *oracle, lt_error *error);

/* ---- its parts, for its tests ---- */

/* Bounds of friction as the velocities v have them. */
void lt_oracle_set_bounds(lt_oracle *oracle, const lt_dvec3 *v);
/* The sum at velocities v, with these bounds. */
double lt_oracle_sum(const lt_oracle *oracle, const lt_dvec3 *v);
/* Its gradient; 0 for pinned nodes. */
void lt_oracle_gradient(const lt_oracle *oracle, const lt_dvec3 *v, lt_dvec3 *out);
/* The second derivative at v, before and after it is made positive, times d. */
void lt_oracle_curve(const lt_oracle *oracle, const lt_dvec3 *v, const lt_dvec3 *d, bool positive,
                     lt_dvec3 *out);
/* Solves with the positive one at v: d = -A^-1 gradient. */
lt_status lt_oracle_direction(lt_oracle *oracle, const lt_dvec3 *v, lt_error *error);
/* Of places: elastic energy, J. */
double lt_oracle_elastic(const lt_oracle *oracle, const lt_dvec3 *x);
/* Norms by mass: |a - b|_M over the nodes that are free. */
double lt_oracle_distance(const lt_oracle *oracle, const lt_dvec3 *a, const lt_dvec3 *b);

#endif
