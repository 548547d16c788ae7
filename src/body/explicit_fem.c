/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model explicit-fem: Green strain and viscous stress after O'Brien & Hodgins 1999, fourth-order Runge–Kutta, as
 * the reduced model of the sphere-tree paper (papers/000 §3) uses it.
 *
 * Sub-step: half the time a pressure wave needs for the least altitude, h = ½ a √(ρ/(λ+2μ)). In rest coordinates
 * the wave runs √((3σ²−1)/2) times faster at principal stretch σ, so the step shrinks under stretch.
 *
 * Viscous stress adds the limit of diffusion. With four corners of a quarter of its mass each, no motion of a tet is faster than
 * ω² = 4c² Σ 1/aᵢ² ≤ 16 (c/a)², c² = (λ+2μ)/ρ: the elastic limit leaves ωh ≤ 2 for any shape. A motion that is overdamped decays at
 * up to βω², and Runge–Kutta follows while βω²h < 2.785. h = a²/(4βc²) is short enough for tets as grids have them, with Σ a²/aᵢ² near 2;
 * of a flat one with four long faces that sum is 4, and it went unstable: energy grew from rounding until the body was reset. */

#include "body/models.h"

/* A little below 2.785. */
static const lt_real MOST_DECAY = (lt_real)2.7;

static lt_real viscous_step(const lt_soft *soft, lt_real wave_squared) {
    lt_real diffusion = 4 * soft->material.stiffness_damping * wave_squared, altitude = soft->least_altitude;
    return lt_min_r(altitude * altitude / diffusion, MOST_DECAY / (diffusion * soft->steepness));
}

void lt_fem_plan(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_element_work work = {
        .elements = &soft->elements, .x = soft->x, .lambda = soft->lambda, .mu = soft->mu};
    lt_element_kernels_for(LT_LEVEL_SCALAR)->green(&work);
    lt_real altitude = soft->least_altitude;
    lt_real wave = lt_sqrt_r((soft->lambda + 2 * soft->mu) / soft->material.density);
    lt_real faster = lt_max_r(1, (3 * work.stretch_squared - 1) / 2);
    lt_real step = altitude / (2 * wave * lt_sqrt_r(faster));
    if (soft->material.stiffness_damping > 0) step = lt_min_r(step, viscous_step(soft, wave * wave * faster));
    soft->planned_substeps = lt_substeps_of(dt, step);
}

void lt_fem_add_forces(lt_soft *soft, lt_real *force, lt_simd_level level) {
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .v = soft->v,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .viscosity = soft->material.stiffness_damping,
                            .force = force};
    lt_element_kernels_for(level)->green(&work);
    soft->inverted_count = work.inverted_count;
}
