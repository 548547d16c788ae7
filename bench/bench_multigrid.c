/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench multigrid`: how fast cycles over a ladder of meshes converge, what a body costs that is fine only where it
 * deforms, and what of its surface that loses (papers/003 §3–4, §6). */

#include "multigrid_internal.h"

lt_status lt_experiment_multigrid(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {lt_grid_convergence, lt_grid_random_fronts,
                                                          lt_grid_drops, lt_grid_detail};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
