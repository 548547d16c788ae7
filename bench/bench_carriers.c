/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench carriers`: any surface to a shape. */

#include "carriers_internal.h"

lt_status lt_experiment_carriers(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {lt_carriers_files, lt_carriers_fit,
                                                          lt_carriers_fingers, lt_carriers_store};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
