/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Momentum; the same bits over threads and kernels; snapshots taken while work is unfinished. All under a tenth of full. Compilers and
 * wasm are other programs: their goldens are tests (labels golden and wasm). */

#include "engine_internal.h"

#include <math.h>
#include <stdio.h>

static const char *const UNMEASURED = "not asked for";
static const uint32_t BUDGET = LT_ENGINE_10;

/* The scene's place in the list. */
enum { STACK = 1, HEAP = 5 };
static const uint32_t scenes[] = {STACK, HEAP};

/* ---- momentum ---- */

/* Change of all bodies' momentum, where nothing else is, over mass times the largest speed; the worst of the matrix. */
static double worst_drift(const lt_engine_bench *e, lt_engine_policy policy) {
    double worst = NAN;
    for (int s = 0; s < LT_ENGINE_SCENES; s++)
        for (int b = 0; b < LT_ENGINE_BUDGETS; b++)
            worst = lt_engine_larger(
                worst, lt_engine_worst_of(e, &e->matrix->cells[policy][s][b], LT_ENGINE_FIELD(drift)));
    return worst;
}

static lt_dvec3 loads_of(const lt_engine_rig *rig) {
    lt_dvec3 sum = {0, 0, 0};
    for (size_t i = 0; i < rig->scene.obstacles.count; i++) {
        lt_vec3 force, torque;
        lt_obstacle_load(rig->built.world, rig->built.obstacles[i], &force, &torque);
        sum = lt_d3_add(sum, lt_d3_from_v3(force));
    }
    return sum;
}

/* What bodies got in a step and what obstacles say they got: together nothing. Over the larger of what bodies got and gravity's. */
static double balance_of_step(lt_engine_rig *rig, lt_budget budget) {
    lt_dvec3 sum = {0, 0, 0}, before[64];
    double sizes = 0, dt = (double)rig->scene.dt;
    LT_ASSERT(rig->body_count <= 64);
    for (uint32_t i = 0; i < rig->body_count; i++)
        before[i] = lt_d3_from_v3(lt_body_momentum(rig->built.world, rig->built.bodies[i]));
    lt_engine_rig_step(rig, budget);
    for (uint32_t i = 0; i < rig->body_count; i++) {
        lt_body_id body = rig->built.bodies[i];
        lt_dvec3 after = lt_d3_from_v3(lt_body_momentum(rig->built.world, body));
        lt_dvec3 got = lt_engine_received(before[i], after, (double)lt_body_mass(rig->built.world, body),
                                          lt_d3_from_v3(rig->scene.gravity),
                                          (double)lt_body_material(rig->built.world, body).mass_damping, dt);
        sum = lt_d3_add(sum, got);
        sizes += lt_d3_length(got);
    }
    return lt_d3_length(lt_d3_mad(sum, loads_of(rig), dt)) / lt_max_d(sizes, rig->weight * dt);
}

enum { BALANCE_STEPS = 90 };

static lt_status judge_momentum(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    double worst = NAN;
    lt_status status = LT_OK;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "state", "momentum");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++) {
        lt_engine_rig rig;
        const lt_engine_rig_def def = {
            .scene = lt_engine_scenes[scenes[i]].name, .method = e->method, .policy = policy, .awake = true};
        status = lt_engine_need_full(e, policy, scenes[i], 0, error);
        if (status == LT_OK) status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
        if (status != LT_OK) break;
        lt_budget budget = lt_engine_units(lt_engine_budget_units(e, policy, scenes[i], 0, BUDGET));
        while (rig.step < BALANCE_STEPS)
            worst = lt_engine_larger(worst, balance_of_step(&rig, budget));
        lt_engine_rig_free(&rig);
    }
    lt_engine_check(e, "momentum-drift", policy, worst_drift(e, policy), "<=", 1e-6, UNMEASURED);
    lt_engine_check(e, "momentum-off-loads", policy, worst, "<=", 1e-4, UNMEASURED);
    return status;
}

/* ---- bits ---- */

enum { BITS_STEPS = 60 };

static lt_status hash_after(lt_engine_bench *e, lt_engine_rig_def def, uint64_t units, uint64_t *hash,
                            lt_error *error) {
    lt_engine_rig rig;
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    while (rig.step < BITS_STEPS)
        lt_engine_rig_step(&rig, lt_engine_units(units));
    *hash = lt_world_hash(rig.built.world);
    lt_engine_rig_free(&rig);
    return LT_OK;
}

static lt_status judge_bits(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    static const struct {
        uint32_t threads, levels; /* levels 0: the best there is */
    } others[] = {{2, 0}, {4, 0}, {1, 1}, {1, 2}, {2, 1}};
    double different = NAN;
    lt_status status = LT_OK;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "state", "bits");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++) {
        lt_engine_rig_def def = {
            .scene = lt_engine_scenes[scenes[i]].name, .method = e->method, .policy = policy};
        uint64_t first = 0, hash = 0;
        status = lt_engine_need_full(e, policy, scenes[i], 0, error);
        uint64_t units = lt_engine_budget_units(e, policy, scenes[i], 0, BUDGET);
        if (status == LT_OK) status = hash_after(e, def, units, &first, error);
        for (size_t k = 0; status == LT_OK && k < LT_COUNT_OF(others); k++) {
            def.thread_count = others[k].threads;
            def.simd_levels = others[k].levels;
            status = hash_after(e, def, units, &hash, error);
            different = (isnan(different) ? 0 : different) + (hash != first);
        }
    }
    lt_engine_check(e, "bits-threads-and-kernels", policy, different, "==", 0, UNMEASURED);
    return status;
}

/* ---- snapshots ---- */

enum { SNAPSHOT_EVERY = 10, FUTURE = 5, SNAPSHOT_STEPS = 80 };

static uint64_t future_of(lt_engine_rig *rig, lt_budget budget) {
    for (int i = 0; i < FUTURE; i++)
        lt_engine_rig_step(rig, budget);
    return lt_world_hash(rig->built.world);
}

/* Goes on; goes back and goes on; another world takes the bytes and goes on: three equal futures. */
static lt_status compare_futures(lt_engine_rig *rig, lt_engine_rig *other, lt_budget budget,
                                 double *different, lt_error *error) {
    lt_status status = lt_engine_rig_keep(rig, error);
    if (status != LT_OK) return status;
    uint64_t first = future_of(rig, budget);
    status = lt_world_restore(other->built.world, rig->snapshot, rig->snapshot_size, error);
    other->step = rig->snapshot_step;
    if (status == LT_OK) *different += future_of(other, budget) != first;
    if (status == LT_OK) status = lt_engine_rig_return(rig, error);
    if (status == LT_OK) *different += future_of(rig, budget) != first;
    return status == LT_OK ? lt_engine_rig_return(rig, error) : status;
}

static lt_status compare_scene(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, double *different,
                               lt_error *error) {
    lt_engine_rig rig, other = {0};
    const lt_engine_rig_def def = {
        .scene = lt_engine_scenes[scene].name, .method = e->method, .policy = policy};
    lt_status status = lt_engine_need_full(e, policy, scene, 0, error);
    if (status == LT_OK) status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    lt_budget budget = lt_engine_units(lt_engine_budget_units(e, policy, scene, 0, BUDGET));
    status = lt_engine_rig_create(&other, &def, &e->bench->allocator, error);
    while (status == LT_OK && rig.step < SNAPSHOT_STEPS) {
        lt_engine_rig_step(&rig, budget);
        if (rig.step % SNAPSHOT_EVERY == 0) status = compare_futures(&rig, &other, budget, different, error);
    }
    lt_engine_rig_free(&other);
    lt_engine_rig_free(&rig);
    return status;
}

static lt_status judge_snapshots(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    double different = NAN;
    lt_status status = LT_OK;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "state", "snapshots");
    if (is_asked) different = 0;
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++)
        status = compare_scene(e, policy, scenes[i], &different, error);
    lt_engine_check(e, "snapshot-futures-that-differ", policy, different, "==", 0, UNMEASURED);
    return status;
}

lt_status lt_engine_judge_state(lt_engine_bench *e, lt_error *error) {
    lt_status status = LT_OK;
    for (int p = 0; status == LT_OK && p < LT_ENGINE_POLICIES; p++) {
        lt_engine_policy policy = (lt_engine_policy)p;
        status = judge_momentum(e, policy, error);
        if (status == LT_OK) status = judge_bits(e, policy, error);
        if (status == LT_OK) status = judge_snapshots(e, policy, error);
    }
    lt_engine_check(e, "bits-compilers-and-wasm", LT_ENGINE_SOFT, NAN, "==", 0,
                    "other programs: the tests labelled golden and wasm");
    lt_engine_check(e, "goldens-of-papers-methods", LT_ENGINE_SOFT, NAN, "==", 0,
                    "a comparison with stored hashes: the tests labelled golden");
    return status;
}
