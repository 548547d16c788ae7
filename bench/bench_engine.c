/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench engine [--method M]`: what the method `engine` is held to, judged from outside; any other method by the same judge. */

#include "engine_internal.h"

#include <math.h>
#include <stdio.h>

enum { QUICK_SEEDS = 1 };
static const double QUICK_PATIENCE = 10, PATIENCE = 90; /* s that a run may take */

void lt_engine_check(lt_engine_bench *e, const char *name, lt_engine_policy policy, double value,
                     const char *op, double bar, const char *reason) {
    char whole[80], none[200];
    snprintf(whole, sizeof whole, "engine.%s%s", name, policy == LT_ENGINE_STRICT ? "-strict" : "");
    if (!isnan(value)) {
        lt_bench_check_value(e->bench, whole, value, op, bar);
        return;
    }
    if (e->exists && !lt_engine_has_policy(e->method, policy)) {
        snprintf(none, sizeof none, "the method %s has no policy strict", lt_method_name(e->method));
        reason = none;
    }
    lt_bench_check_absent(e->bench, whole, op, bar, e->exists ? reason : e->reason);
}

static lt_status begin(lt_engine_bench *e, lt_bench *bench, lt_error *error) {
    const char *name = bench->method ? bench->method : "engine";
    *e = (lt_engine_bench){.bench = bench,
                           .method = lt_engine_find_method(name),
                           .seed_count = bench->quick ? QUICK_SEEDS : LT_ENGINE_SEEDS,
                           .patience = bench->quick ? QUICK_PATIENCE : PATIENCE};
    e->exists = e->method != LT_METHOD_COUNT;
    snprintf(e->reason, sizeof e->reason, "no such method: this build has none named \"%.40s\"", name);
    if (bench->method && !e->exists)
        return lt_fail(error, LT_STATUS_NOT_FOUND, "--method %.40s: there is no such method", name);
    e->matrix = LT_NEW(&bench->allocator, 1, lt_engine_matrix);
    return e->matrix ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
}

lt_status lt_experiment_engine(lt_bench *bench, lt_error *error) {
    lt_status (*const parts[])(lt_engine_bench *, lt_error *) = {
        lt_engine_matrix_fill, lt_engine_judge_budgets, lt_engine_judge_starved,
        lt_engine_judge_rest,  lt_engine_judge_forces,  lt_engine_judge_costs,
        lt_engine_judge_fast,  lt_engine_judge_strict,  lt_engine_judge_state};
    lt_engine_bench e;
    lt_status status = begin(&e, bench, error);
    for (size_t i = 0; status == LT_OK && i < LT_COUNT_OF(parts); i++)
        status = parts[i](&e, error);
    LT_DELETE(&bench->allocator, e.matrix, 1, lt_engine_matrix);
    return status;
}
