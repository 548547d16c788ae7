/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model corotational: linear elasticity in frames that turn with each tet (Müller & Gross 2004), implicit Euler.
 *
 *   A = (1 + αΔt) M + (Δt² + βΔt) K,  K by the rotations of one place
 *
 * A is not assembled: a product of eight tets at a time from their turned gradients costs what one of an assembled matrix does,
 * and assembling costs ten to fifteen of them (bench/assembled.h has it, to compare with). What others ask of A are products and its
 * diagonal blocks (system.c). Of multigrid bodies A is that of their front (multigrid_system.c).
 *
 * Rotations are found anew in every step, from those of the step before. Those of a ladder stay while they are near enough, for each that
 * turns has rows assembled anew; where nothing is assembled, looking whether a rotation may stay costs what finding it does: 1,000 tets at rest
 * take 7.2 ns each, 6.3 with the kernel that lets all of them stay (a product takes 3.6), of a pass that is 3 % of a step of
 * `stack` and 1 % of one of `heap`. */

#include "body/multigrid.h"

#include <string.h>

double lt_system_fill(lt_soft *soft, const lt_system *system, const lt_real *x, const lt_real turned_by[4],
                      lt_real *force, lt_simd_level level) {
    if (soft->grid) {
        lt_grid_assemble(soft, system, system->mass_factor, system->stiffness_factor, force, level);
        return 0;
    }
    if (force) memset(force, 0, 4 * (size_t)soft->carrier.node_count * sizeof *force);
    lt_element_work work = {.elements = &soft->elements,
                            .x = x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .turns_out = soft->turns,
                            .turned_by = turned_by,
                            .near = true,
                            .force = force,
                            .rotated = system->rotated};
    lt_element_kernels_for(level)->corotate(&work);
    soft->inverted_count = work.inverted_count;
    return work.energy;
}
