/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench tet-hash`: is a limit kept, what does latency cost, does cutting change anything, how fast is a cycle
 * (papers/001). */

#include "hash_internal.h"

lt_status lt_experiment_tet_hash(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {lt_hash_limit, lt_hash_stack, lt_hash_tori,
                                                          lt_hash_cuts, lt_hash_speed};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
