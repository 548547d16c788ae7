/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench cell-box`: how long do the paper's scenes take, is a limit kept and does the pile rest, how near do bodies come,
 * do boxes hold what they are around (papers/002). */

#include "cell_internal.h"

lt_status lt_experiment_cell_box(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {lt_cell_speed, lt_cell_triangles, lt_cell_letters,
                                                          lt_cell_gap, lt_cell_containment};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
