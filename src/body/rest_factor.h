/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors of mass and stiffness at rest: what the implicit solve is preconditioned by, shared by bodies that are alike.
 *
 *   A ≈ ρ s³ (1 + αΔt) R (M̂ + β K̂) Rᵀ,   β = (Δt² + β_K Δt) E / ((1 + αΔt) ρ s²)
 *
 * with M̂, K̂ of the shape at rest (density, Young's modulus and scale 1), R the turn of the body. A factor is a pure function of its
 * key: shape, pinned nodes, a step of Poisson's ratio, damping, and β rounded to a power of √2; which body asked first, and when, decides nothing.
 *
 * Memory is found when a body is added or its material changes; numbers are made before a step whose Δt wants others: 0.5 ms of 1,000
 * tets. No more than that of a key is kept: bodies of one key have one factor, whatever their number.
 *
 * Workload: a few shapes, one or two materials each; 0.3 MB of 1,000 tets, 1.6 MB of 3,700. The order
 * of elimination is baked. */

#ifndef LITHE_BODY_REST_FACTOR_H
#define LITHE_BODY_REST_FACTOR_H

#include "body/body.h"
#include "core/factor.h"

/* Of a shape: what does not hang on materials. */
typedef struct lt_rest_plan {
    const double *rest; /* names the carrier; NULL: free */
    uint32_t tet_count;
    uint32_t user_count; /* factors */
    lt_factor_plan plan;
} lt_rest_plan;

typedef struct lt_rest_factor {
    uint32_t plan;       /* of the cache; LT_NONE: free */
    uint32_t user_count; /* bodies */
    int ratio;           /* step of log₂ E / (ρ s²) */
    int poisson;         /* step of Poisson's ratio */
    float mass_damping, stiffness_damping;
    uint64_t pins; /* hash of the pinned nodes; 0: none */
    int beta;      /* step that the values are of */
    bool ready;
    lt_real *values;
    size_t value_count;
} lt_rest_factor;

struct lt_rest_factors {
    lt_array plans;   /* of lt_rest_plan */
    lt_array factors; /* of lt_rest_factor */
    lt_array matrix;  /* of lt_real: blocks of the largest carrier, masses included */
    lt_array work;    /* of lt_real: of the largest plan */
    lt_allocator allocator;
};

lt_rest_factors lt_rest_factors_make(const lt_allocator *allocator);
void lt_rest_factors_free(lt_rest_factors *factors);
/* Gives the body a factor of its shape, material and pins; one that it had is let go. After any of these have changed. */
lt_status lt_rest_factors_add(lt_rest_factors *factors, lt_soft *soft, lt_error *error);
void lt_rest_factors_remove(lt_rest_factors *factors, lt_soft *soft);
/* Makes what a step of dt wants of the bodies' factors; returns its work units. Allocates nothing. */
uint64_t lt_rest_factors_update(lt_rest_factors *factors, const lt_soft *bodies, const uint32_t *awake,
                                uint32_t awake_count, lt_real dt, lt_simd_level level);

/* Reals of scratch that a solve with it takes. */
size_t lt_rest_factor_scratch(const lt_rest_factors *factors, uint32_t factor);
/* The body's factor; NULL: it has none, or none that is ready. */
const lt_rest_factor *lt_rest_factor_of(const lt_rest_factors *factors, const lt_soft *soft);
static inline const lt_factor_plan *lt_rest_factor_plan(const lt_rest_factors *factors,
                                                        const lt_rest_factor *factor) {
    return &((const lt_rest_plan *)factors->plans.items)[factor->plan].plan;
}

#endif
