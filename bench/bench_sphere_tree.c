/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench sphere-tree`: how good trees are, how fast they are traversed, what a budget buys (papers/000). */

#include "sphere_internal.h"

lt_status lt_experiment_sphere_tree(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_error *) = {
        lt_sphere_quality,  lt_sphere_speed, lt_sphere_table, lt_sphere_order,
        lt_sphere_deformed, lt_sphere_kept,  lt_sphere_crowd};
    for (size_t i = 0; i < LT_COUNT_OF(parts); i++) {
        lt_status status = parts[i](bench, error);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
