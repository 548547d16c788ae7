/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors of mass and stiffness at rest: what the implicit solve is preconditioned by, shared by bodies that are alike.
 *
 *   A ≈ ρ s³ (1 + αΔt) R (M̂ + β K̂) Rᵀ,   β = (Δt² + β_K Δt) E / ((1 + αΔt) ρ s²)
 *
 * with M̂, K̂ of the shape at rest (density, Young's modulus and scale 1), R the turn of the body. Numbers are a pure function of their
 * key: shape, pinned nodes, a step of Poisson's ratio, and β rounded to a power of √2; which body asked first, and when, decides nothing.
 *
 *   body ── factor, last ──► lt_rest_factor: E / (ρ s²), Poisson's ratio, damping, pins      rest_factor.c
 *                              values of one β, and a spare ◄── the maker, piece by piece     rest_factor_make.c
 *                              └──► lt_rest_plan: order and supernodes of a shape             rest_store.h, core/factor.h
 *
 * Behind the numbers of a factor come columns of its inverse (rest_columns.h). Memory is found when a body is added, or its pins or
 * material change. Numbers are made before a step whose Δt wants others, by units
 * that the world grants: all of them at once (default), some 1.4 ms of 1,000 tets, most of it columns, or some in each step, one factor after the
 * other. Until new ones are whole a body is solved with what it had: those of the step before, or of its last material. Any
 * of them is a preconditioner, an old one a worse one. Without any, diagonals serve.
 *
 * What is paid for is state, and so is which numbers a step uses; snapshots have both (rest_factor_state.c). How far the maker is
 * follows: it is ahead of what is paid by less than a piece. Plans and numbers are shared with the other worlds of the shape
 * (rest_store.h), what is paid is not.
 *
 * Workload: a few shapes, one or two materials each; 1.3 MB of 1,000 tets, 1.6 MB of 3,700, twice that where work is limited. The order
 * of elimination is baked: half of a plan's time, of 8,640 tets 3.0 ms before and 1.35 ms now. */

#ifndef LITHE_BODY_REST_FACTOR_H
#define LITHE_BODY_REST_FACTOR_H

#include "body/body.h"
#include "body/rest_store.h"

/* Of a shape: what does not hang on materials. */
typedef struct lt_rest_plan {
    lt_carrier carrier;  /* of the first body of the shape; rest NULL: free */
    double square;       /* a third of the squared diagonal of its box: what LT_STIFFEST is of */
    uint32_t user_count; /* factors */
    lt_rest_store *store;
    const lt_factor_plan *plan;
    const lt_rest_columns *columns;
} lt_rest_plan;

/* Numbers of one β. */
typedef struct lt_rest_values {
    lt_rest_entry *entry; /* held; NULL: none is */
    int beta;
    bool ready;
} lt_rest_values;

typedef struct lt_rest_factor {
    uint32_t plan;       /* of the cache; LT_NONE: free */
    uint32_t user_count; /* bodies */
    int ratio;           /* step of log₂ E / (ρ s²) */
    int poisson;         /* step of Poisson's ratio */
    float mass_damping, stiffness_damping;
    uint64_t pins;         /* hash of the pinned nodes; 0: none */
    const lt_real *values; /* of `now`, if it is ready */
    lt_rest_values now;
    lt_rest_values spare; /* where work is limited: what is made, or was used before */
    uint64_t paid;        /* units, of what is made; 0: nothing is */
    size_t value_count;
} lt_rest_factor;

/* One piece of work after the other, of one factor at a time. */
typedef enum lt_rest_phase {
    LT_REST_CLEAR,
    LT_REST_TETS,
    LT_REST_NODES,
    LT_REST_PINS,
    LT_REST_NUMBERS,
    LT_REST_COLUMNS
} lt_rest_phase;

typedef struct lt_rest_maker {
    uint32_t factor; /* LT_NONE: nothing is made */
    lt_rest_phase phase;
    uint32_t at;    /* row, tet, piece that is next */
    uint64_t spent; /* units of all pieces */
    bool found;     /* another world has made it: there is only to pay */
    int beta;
    lt_factor_work work;
} lt_rest_maker;

/* While a snapshot is loaded: what is to be under way. */
typedef struct lt_rest_restored {
    const lt_soft *soft; /* NULL: nothing is */
    uint32_t factor;
    int beta;
    uint64_t paid;
} lt_rest_restored;

struct lt_rest_factors {
    lt_array plans;        /* of lt_rest_plan */
    lt_array factors;      /* of lt_rest_factor */
    lt_array matrix;       /* of lt_real: blocks of the largest carrier, masses included */
    lt_array work;         /* of lt_real: of the largest plan */
    lt_array pins;         /* of uint8_t: of the largest carrier */
    uint64_t units_a_step; /* LT_UNLIMITED: all that is wanted. Before the first body is added */
    lt_rest_maker maker;
    lt_rest_restored restored;
    lt_allocator allocator;
};

lt_rest_factors lt_rest_factors_make(const lt_allocator *allocator);
void lt_rest_factors_free(lt_rest_factors *factors);
/* Gives the body a factor of its shape, material and pins; one that it had is let go, or serves until the new one has numbers. After any of
 * these have changed. */
lt_status lt_rest_factors_add(lt_rest_factors *factors, lt_soft *soft, lt_error *error);
void lt_rest_factors_remove(lt_rest_factors *factors, lt_soft *soft);
/* Makes what a step of dt wants of the bodies' factors, as far as units_a_step go; returns how many it took. Allocates nothing. */
uint64_t lt_rest_factors_update(lt_rest_factors *factors, const lt_soft *bodies, const uint32_t *awake,
                                uint32_t awake_count, lt_real dt, lt_simd_level level);
/* Where work is limited: which numbers each body has and how far those are that are made; behind materials and pins, all bodies one after the
 * other between begin and end. What is restored is made at once. */
void lt_rest_factors_visit_begin(lt_stream *s, lt_rest_factors *factors);
void lt_rest_factors_visit(lt_stream *s, lt_rest_factors *factors, lt_soft *soft, lt_simd_level level);
void lt_rest_factors_visit_end(lt_stream *s, lt_rest_factors *factors, lt_simd_level level);

/* Reals of scratch that a solve of so many sides takes. */
size_t lt_rest_factor_scratch(const lt_rest_factors *factors, uint32_t factor, uint32_t sides);
/* What the body is solved with; NULL: there are no numbers yet. */
const lt_rest_factor *lt_rest_factor_of(const lt_rest_factors *factors, const lt_soft *soft);
static inline uint32_t lt_rest_factor_index(const lt_rest_factors *factors, const lt_rest_factor *factor) {
    return (uint32_t)(factor - (const lt_rest_factor *)factors->factors.items);
}
static inline const lt_factor_plan *lt_rest_factor_plan(const lt_rest_factors *factors,
                                                        const lt_rest_factor *factor) {
    return ((const lt_rest_plan *)factors->plans.items)[factor->plan].plan;
}
/* Its columns, behind the factor's numbers; which nodes they are of is in `columns`. */
static inline const lt_real *lt_rest_factor_columns(const lt_rest_factors *factors,
                                                    const lt_rest_factor *factor,
                                                    const lt_rest_columns **columns) {
    *columns = ((const lt_rest_plan *)factors->plans.items)[factor->plan].columns;
    return factor->values + factor->value_count;
}
/* Units of all pieces of its numbers together. */
uint64_t lt_rest_factor_units(const lt_rest_factors *factors, const lt_rest_factor *factor);
/* Of one piece, at most. */
static inline uint64_t lt_rest_piece_units(const lt_rest_plan *plan) {
    uint64_t numbers = LT_FACTOR_PIECE_UNITS + 6 * (uint64_t)plan->plan->tallest + 1000;
    return lt_max_u64(lt_max_u64(numbers, plan->columns->piece_units), plan->carrier.node_count);
}

#endif
