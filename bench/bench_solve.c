/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench solve`: the solver of implicit bodies, judged from outside. */

#include "solve_internal.h"

lt_status lt_experiment_solve(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_bench *, lt_solve_unit *, lt_error *) = {
        lt_solve_tasks, lt_solve_energies, lt_solve_range, lt_solve_crowds, lt_solve_masses};
    lt_solve_unit unit;
    lt_status status = lt_solve_unit_create(&unit, bench, error);
    for (size_t i = 0; status == LT_OK && i < LT_COUNT_OF(parts); i++)
        status = parts[i](bench, &unit, error);
    lt_solve_unit_free(&unit);
    return status;
}
