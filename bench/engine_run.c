/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One run. What the judge and public numbers say is kept; of the report only units (charged work), what is pending, ages and the
 * two claims that are themselves on trial, depth_max and gap_error. */

#include "engine_internal.h"

#include "core/os.h"

#include <math.h>

enum { ENERGY_EVERY = 3, LOAD_STEPS = 30 };
static const double TIMES[LT_ENGINE_TIMES] = {0.5, 1, 2};
static const double RADIUS = 0.005; /* contacts begin so far apart, of size */
static const double READING = 1e-4; /* of size: how finely depths of the judge and of a method compare */
static const double AT_REST = 0.02; /* m/s */

lt_engine_outcome lt_engine_nothing(void) {
    lt_engine_outcome out;
    double *values = &out.over;
    size_t count = (sizeof out - offsetof(lt_engine_outcome, over)) / sizeof(double);
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    out.steps = 0;
    out.is_whole = false;
    return out;
}

typedef struct run {
    const lt_engine_run_def *def;
    lt_engine_rig rig;
    lt_engine_outcome *out;
    lt_engine_energy energy;
    double potential_start, potential_least, work_done, given; /* J */
    double work_last;
    double *units, *bounds; /* [steps], of awake steps */
    uint32_t awake_count;
    bool was_awake;
    uint32_t pairs_before;
    double used, pending_steps;
    double loads;        /* N, sum of the last steps */
    double depth_before; /* m, as the last check saw; NaN: there was none just before */
    lt_judgement last;
    uint32_t checks;
    lt_dvec3 momentum_start;
    double mass, speed;
} run;

/* ---- looking, a step at a time ---- */

static void look_at_units(run *r, const lt_report *report) {
    lt_engine_counts counts = lt_engine_count(r->rig.built.world);
    uint32_t pairs = counts.pair_count;
    counts.pair_count = lt_max_u32(pairs, r->pairs_before);
    r->pairs_before = pairs;
    double bound = (double)lt_engine_fixed_bound(counts), units = (double)report->units,
           budget = (double)r->def->units;
    if (r->was_awake) {
        r->units[r->awake_count] = units;
        r->bounds[r->awake_count++] = bound;
    }
    r->out->peak = lt_max_d(r->out->peak, units);
    r->was_awake = report->sleeping < r->rig.body_count;
    r->out->age_max = lt_max_d(r->out->age_max, (double)report->age_max);
    if (r->def->units == LT_UNLIMITED) return;
    r->out->over += units > lt_max_d(budget, bound);
    r->out->most = lt_max_d(r->out->most, units - lt_max_d(budget, bound));
    if (report->pending == 0 || budget < 2 * bound) return;
    r->used += lt_min_d(units / budget, 1);
    r->pending_steps++;
}

static void look_at_energy(run *r) {
    lt_judgement now;
    lt_judge_energies(r->rig.judge, &now);
    lt_engine_energy_take(&r->energy, now.energy);
    r->potential_least = lt_min_d(r->potential_least, now.potential);
    r->work_done += lt_max_d(0, now.work - r->work_last);
    r->work_last = now.work;
    r->speed = lt_max_d(r->speed, now.speed_max);
    for (int i = 0; i < LT_ENGINE_TIMES; i++)
        if (isnan(r->out->fallen[i]) && (double)r->rig.step * (double)r->rig.scene.dt >= TIMES[i] - 1e-6)
            r->out->fallen[i] = r->potential_start - now.potential;
}

/* What the method says of the state that the judge saw a step before. */
static void look_at_gaps(run *r, const lt_report *report) {
    if (isnan(r->depth_before)) return;
    double size = r->rig.size_min, truth = lt_max_d(0, r->depth_before - report->depth_max);
    double most = lt_max_d(3 * truth, RADIUS * size + r->last.speed_max * (double)r->rig.scene.dt);
    if (truth > READING * size)
        r->out->gap_missed = lt_max_d(r->out->gap_missed, (truth - report->gap_error) / size);
    r->out->gap_times = lt_max_d(r->out->gap_times, report->gap_error / most);
    r->depth_before = NAN;
}

static void look_at_loads(run *r) {
    lt_vec3 down = lt_v3_normalize_or(r->rig.scene.gravity, (lt_vec3){0, -1, 0}), force, torque;
    for (size_t i = 0; i < r->rig.scene.obstacles.count; i++) {
        lt_obstacle_load(r->rig.built.world, r->rig.built.obstacles[i], &force, &torque);
        r->loads += (double)lt_v3_dot(force, down);
    }
}

static lt_dvec3 momentum_of(const run *r) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < r->rig.body_count; i++)
        sum = lt_d3_add(sum, lt_d3_from_v3(lt_body_momentum(r->rig.built.world, r->rig.built.bodies[i])));
    return sum;
}

static lt_status look_with_judge(run *r, lt_error *error) {
    lt_status status = lt_judge_check(r->rig.judge, &r->last, error);
    if (status != LT_OK) return status;
    lt_engine_outcome *out = r->out;
    out->depth_end = lt_max_d(r->last.depth_share, r->last.below_share);
    out->depth_worst = lt_max_d(out->depth_worst, out->depth_end);
    out->below_worst = lt_max_d(out->below_worst, r->last.below_share);
    out->lost = lt_max_d(out->lost, (double)r->last.lost);
    out->crossings += (double)r->last.crossings;
    r->depth_before = lt_max_d(r->last.depth, r->last.below);
    r->checks++;
    return LT_OK;
}

/* ---- beginning and end ---- */

static lt_status begin(run *r, const lt_allocator *allocator, lt_error *error) {
    lt_engine_rig_def def = r->def->rig;
    def.judged = true;
    lt_status status = lt_engine_rig_create(&r->rig, &def, allocator, error);
    if (status != LT_OK) return status;
    r->units = LT_NEW(allocator, r->def->steps, double);
    r->bounds = LT_NEW(allocator, r->def->steps, double);
    if (!r->units || !r->bounds) return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
    lt_judgement start;
    lt_judge_energies(r->rig.judge, &start);
    r->energy = lt_engine_energy_begin(start.energy, r->def->late / ENERGY_EVERY);
    r->potential_start = r->potential_least = start.potential;
    r->given = start.kinetic + start.elastic;
    r->was_awake = true;
    r->depth_before = NAN;
    r->momentum_start = momentum_of(r);
    for (uint32_t i = 0; i < r->rig.body_count; i++)
        r->mass += (double)lt_body_mass(r->rig.built.world, r->rig.built.bodies[i]);
    lt_engine_outcome *out = r->out;
    out->over = out->most = out->peak = out->age_max = out->depth_worst = out->below_worst = out->lost =
        out->crossings = out->gap_missed = out->gap_times = 0;
    return LT_OK;
}

static void conclude(run *r) {
    lt_engine_outcome *out = r->out;
    const lt_scene *scene = &r->rig.scene;
    out->steps = (uint32_t)r->rig.step;
    out->is_whole = out->steps == r->def->steps;
    out->full = lt_engine_percentile(r->units, r->awake_count, 99);
    out->median = lt_engine_percentile(r->units, r->awake_count, 50);
    out->fixed = lt_engine_percentile(r->bounds, r->awake_count, 99);
    if (r->pending_steps > 0) out->used = r->used / r->pending_steps;
    out->rise = r->energy.rise;
    out->released = r->given + r->potential_start - r->potential_least + r->work_done;
    out->awake_end = 0;
    for (uint32_t i = 0; i < r->rig.body_count; i++)
        out->awake_end += !lt_body_is_asleep(r->rig.built.world, r->rig.built.bodies[i]);
    out->height_end = r->last.height_mean;
    out->speed_end = r->last.speed_mean;
    if (r->last.speed_mean < AT_REST && r->rig.weight > 0)
        out->load_off = fabs(r->loads / LOAD_STEPS / r->rig.weight - 1);
    if (scene->obstacles.count + scene->pins.count + scene->handles.count == 0 && r->rig.weight == 0)
        out->drift =
            lt_d3_length(lt_d3_sub(momentum_of(r), r->momentum_start)) / lt_max_d(r->mass * r->speed, 1e-30);
    if (!out->is_whole) out->depth_end = out->height_end = out->awake_end = out->load_off = NAN;
}

static lt_status step_once(run *r, lt_error *error) {
    lt_report report = lt_engine_rig_step(&r->rig, lt_engine_units(r->def->units));
    look_at_units(r, &report);
    look_at_gaps(r, &report);
    if (r->rig.step % ENERGY_EVERY == 0) look_at_energy(r);
    if (r->rig.step + LOAD_STEPS > r->def->steps) look_at_loads(r);
    bool is_last = r->rig.step == r->def->steps;
    return r->rig.step % r->def->every == 0 || is_last ? look_with_judge(r, error) : LT_OK;
}

lt_status lt_engine_run(lt_engine_outcome *out, const lt_engine_run_def *def, const lt_allocator *allocator,
                        lt_error *error) {
    run r = {.def = def, .out = out};
    *out = lt_engine_nothing();
    uint64_t begin_ns = lt_os_thread_cpu_ns();
    lt_status status = begin(&r, allocator, error);
    while (status == LT_OK && r.rig.step < def->steps && lt_engine_seconds(begin_ns) < def->patience)
        status = step_once(&r, error);
    if (status == LT_OK) conclude(&r);
    LT_DELETE(allocator, r.units, def->steps, double);
    LT_DELETE(allocator, r.bounds, def->steps, double);
    lt_engine_rig_free(&r.rig);
    return status;
}
