/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Force error, warm. An unlimited run goes on; at every tenth of its steps, and from the same state, one step is taken with a budget:
 * F = sum over bodies of |P - P*| over sum of |P*|, P the momentum that a body got from contacts in the step, * without a budget.
 * *repeat* is what it costs to know nothing new: every pair's wrench of the step before, once more. Of a body that is the momentum that
 * all its contacts gave it in the step before.
 *
 * Momentum is that of the nodes, less gravity and damping: what a method says of its contacts is not asked. Bodies with pins are left
 * out, since pins give momentum, too. */

#include "engine_internal.h"

#include "core/os.h"

#include <math.h>
#include <stdio.h>

enum { MOST_BODIES = 64, EVERY = 10, MOST_SAMPLES = 40, CUTS = 2 };
static const double PERCENTS[CUTS] = {25, 10};

typedef struct sampling {
    lt_engine_rig rig;
    uint64_t units[CUTS];              /* of the budgets */
    lt_dvec3 received[MOST_BODIES];    /* in the last unlimited step */
    double errors[CUTS][MOST_SAMPLES]; /* F */
    double repeats[MOST_SAMPLES];
    uint32_t count;
} sampling;

static void read_momenta(const lt_engine_rig *rig, lt_dvec3 *p) {
    for (uint32_t i = 0; i < rig->body_count; i++)
        p[i] = lt_d3_from_v3(lt_body_momentum(rig->built.world, rig->built.bodies[i]));
}

/* Takes a step and says what contacts gave in it. */
static lt_report step_and_weigh(sampling *s, lt_budget budget, lt_dvec3 *received) {
    lt_dvec3 before[MOST_BODIES], after[MOST_BODIES];
    read_momenta(&s->rig, before);
    lt_report report = lt_engine_rig_step(&s->rig, budget);
    read_momenta(&s->rig, after);
    lt_dvec3 gravity = lt_d3_from_v3(s->rig.scene.gravity);
    for (uint32_t i = 0; i < s->rig.body_count; i++) {
        lt_body_id body = s->rig.built.bodies[i];
        lt_material material = lt_body_material(s->rig.built.world, body);
        double mass = (double)lt_body_mass(s->rig.built.world, body);
        received[i] = lt_engine_received(before[i], after[i], mass, gravity, (double)material.mass_damping,
                                         (double)s->rig.scene.dt);
        if (lt_engine_is_pinned(&s->rig, i)) received[i] = (lt_dvec3){0, 0, 0};
    }
    return report;
}

/* Budgets from the state before, then the step itself. */
static lt_status sample_step(sampling *s, lt_error *error) {
    lt_dvec3 cut[CUTS][MOST_BODIES], repeated[MOST_BODIES];
    lt_status status = lt_engine_rig_keep(&s->rig, error);
    for (int k = 0; status == LT_OK && k < CUTS; k++) {
        step_and_weigh(s, lt_budget_collision_units(s->units[k]), cut[k]);
        status = lt_engine_rig_return(&s->rig, error);
    }
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < s->rig.body_count; i++)
        repeated[i] = s->received[i];
    step_and_weigh(s, lt_budget_unlimited(), s->received);
    /* Under a hundredth of what gravity gives in a step there are no contacts to speak of. */
    double least = 0.01 * s->rig.weight * (double)s->rig.scene.dt;
    double repeat = lt_engine_force_error(repeated, s->received, s->rig.body_count, least);
    if (isnan(repeat) || s->count == MOST_SAMPLES) return LT_OK;
    for (int k = 0; k < CUTS; k++)
        s->errors[k][s->count] = lt_engine_force_error(cut[k], s->received, s->rig.body_count, least);
    s->repeats[s->count++] = repeat;
    return LT_OK;
}

static lt_status sample_scene(lt_engine_bench *e, uint32_t scene, sampling *s, lt_error *error) {
    static const uint32_t budgets[CUTS] = {LT_ENGINE_25, LT_ENGINE_10};
    lt_engine_run_def run = lt_engine_def_of(e, &lt_engine_scenes[scene], LT_ENGINE_SOFT, 0);
    lt_status status = lt_engine_need_full(e, LT_ENGINE_SOFT, scene, 0, error);
    if (status != LT_OK) return status;
    for (int k = 0; k < CUTS; k++)
        s->units[k] = lt_engine_budget_units(e, LT_ENGINE_SOFT, scene, 0, budgets[k]);
    status = lt_engine_rig_create(&s->rig, &run.rig, &e->bench->allocator, error);
    if (status != LT_OK) return status;
    LT_ASSERT(s->rig.body_count <= MOST_BODIES);
    uint64_t begin_ns = lt_os_thread_cpu_ns();
    uint32_t asleep = 0;
    while (status == LT_OK && s->rig.step < run.steps && asleep < s->rig.body_count &&
           lt_engine_seconds(begin_ns) < e->patience) {
        if (s->rig.step > 0 && s->rig.step % EVERY == 0)
            status = sample_step(s, error);
        else
            asleep = (uint32_t)step_and_weigh(s, lt_budget_unlimited(), s->received).sleeping;
    }
    lt_engine_rig_free(&s->rig);
    return status;
}

/* Medians and 90th percentiles over what they may be, the worst of the scenes. */
typedef struct verdict {
    double median[CUTS], p90[CUTS];
} verdict;

static void conclude(lt_engine_bench *e, const char *scene, sampling *s, verdict *worst) {
    static const double least[CUTS] = {0.05, 0.1};
    double repeat = lt_engine_percentile(s->repeats, s->count, 50),
           repeat90 = lt_engine_percentile(s->repeats, s->count, 90);
    lt_bench_row_begin(e->bench, "force error, %");
    lt_bench_text(e->bench, "scene", scene);
    lt_bench_number(e->bench, "samples", s->count);
    lt_bench_number(e->bench, "repeat", 100 * repeat);
    lt_bench_number(e->bench, "repeat_p90", 100 * repeat90);
    for (int k = 0; k < CUTS; k++) {
        double median = lt_engine_percentile(s->errors[k], s->count, 50),
               p90 = lt_engine_percentile(s->errors[k], s->count, 90);
        char key[24];
        snprintf(key, sizeof key, "at_%g%%", PERCENTS[k]);
        lt_bench_number(e->bench, key, 100 * median);
        snprintf(key, sizeof key, "p90_at_%g%%", PERCENTS[k]);
        lt_bench_number(e->bench, key, 100 * p90);
        worst->median[k] = lt_engine_larger(worst->median[k], median / lt_max_d(repeat, least[k]));
        worst->p90[k] = lt_engine_larger(worst->p90[k], p90 / lt_max_d(repeat90, 1e-6));
    }
}

lt_status lt_engine_judge_forces(lt_engine_bench *e, lt_error *error) {
    static const char *const unmeasured = "no scene of piles had contacts in the steps that were run";
    verdict worst = {{NAN, NAN}, {NAN, NAN}};
    lt_status status = LT_OK;
    sampling *s = LT_NEW(&e->bench->allocator, 1, sampling);
    if (!s) return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
    for (uint32_t i = 0; status == LT_OK && e->exists && i < LT_ENGINE_SCENES; i++) {
        bool is_asked = lt_bench_is_asked(e->bench, "force", lt_engine_scenes[i].name) &&
                        lt_engine_wants_scene(e, &lt_engine_scenes[i]);
        if (!is_asked || !(lt_engine_scenes[i].traits & LT_ENGINE_PILES)) continue;
        *s = (sampling){0};
        status = sample_scene(e, i, s, error);
        if (status == LT_OK && s->count > 0) conclude(e, lt_engine_scenes[i].name, s, &worst);
    }
    LT_DELETE(&e->bench->allocator, s, 1, sampling);
    lt_engine_check(e, "force-error-of-bar-25%", LT_ENGINE_SOFT, worst.median[0], "<=", 1, unmeasured);
    lt_engine_check(e, "force-error-of-bar-10%", LT_ENGINE_SOFT, worst.median[1], "<=", 1, unmeasured);
    lt_engine_check(e, "force-error-p90-of-repeat-25%", LT_ENGINE_SOFT, worst.p90[0], "<=", 1.2, unmeasured);
    lt_engine_check(e, "force-error-p90-of-repeat-10%", LT_ENGINE_SOFT, worst.p90[1], "<=", 1.2, unmeasured);
    return status;
}
