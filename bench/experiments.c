/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bench.h"

const lt_experiment *lt_experiment_list(uint32_t *count) {
    static const lt_experiment experiments[] = {
#define EXPERIMENT_ENTRY(function, name, about) {name, about, lt_experiment_##function},
        LT_EXPERIMENT_LIST(EXPERIMENT_ENTRY)
#undef EXPERIMENT_ENTRY
    };
    if (count) *count = (uint32_t)LT_COUNT_OF(experiments);
    return experiments;
}
