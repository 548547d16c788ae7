/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench core`: the figures of the foundation. */

#include "core_internal.h"

lt_status lt_experiment_core(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {
        lt_core_cantilever, lt_core_embedding, lt_core_step,  lt_core_memory,   lt_core_admission,
        lt_core_overshoot,  lt_core_rest,      lt_core_fixed, lt_core_snapshot, lt_core_judge};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
