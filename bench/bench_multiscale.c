/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench multiscale`: what does a dense surface on few tets cost to collide, is anything missed, and what does the
 * response leave (papers/003). */

#include "multiscale_internal.h"

lt_status lt_experiment_multiscale(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {
        lt_fine_knot_frames, lt_fine_bunny_frames, lt_fine_table, lt_fine_sets,   lt_fine_ccd_truth,
        lt_fine_ccd_time,    lt_fine_response,     lt_fine_poke,  lt_fine_limits, lt_fine_fall};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
