/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Error against time. A motion is made by the oracle; from some of its states the library takes the same step, cut after so many
 * iterations. Error: |v - v*| over |v* - fall|, v the way of a node over dt, by mass, root of the mean square over the states: 1 is a body that does nothing but fall.
 * Time: of the thread, least of several repetitions, mean over the states. */

#include "solve_internal.h"

#include "scenes/trigonometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SAMPLES = 16, REPETITIONS = 6, TARGETS = 2 };

typedef enum motion { FALLS, HANGS, TWISTED, SQUEEZED, STACKED } motion;

/* Bars are ratios to a product; `target` 0: none. */
typedef struct task {
    const char *name, *what;
    lt_solve_shape shape;
    uint32_t body_count;
    double size, young;
    motion motion;
    uint32_t steps, every, from; /* steps; which of them are states, and the first that may be */
    bool quick;                  /* in --quick, too */
    struct {
        const char *check;
        double target, bar;
    } goals[TARGETS];
} task;

static const task tasks[] = {
    {"bear-0.1m",
     "falls on a floor, E 1e5",
     LT_SOLVE_BEAR,
     1,
     0.1,
     1e5,
     FALLS,
     40,
     3,
     1,
     true,
     {{"solve.bear-0.1m-to-10%", 0.1, 18}, {"solve.bear-0.1m-to-1%", 0.01, 24}}},
    {"bunny-0.1m",
     "a pot falls on a floor, E 1e5",
     LT_SOLVE_BUNNY,
     1,
     0.1,
     1e5,
     FALLS,
     40,
     3,
     1,
     true,
     {{"solve.bunny-0.1m-to-2%", 0.02, 16}}},
    {"scan-0.1m",
     "the scanned bunny falls, E 1e5",
     LT_SOLVE_SCAN,
     1,
     0.1,
     1e5,
     FALLS,
     40,
     3,
     1,
     false,
     {{0}}},
    {"cantilever-0.1m",
     "bar held at an end, E 1e5",
     LT_SOLVE_BAR,
     1,
     0.1,
     1e5,
     HANGS,
     40,
     3,
     1,
     true,
     {{"solve.cantilever-0.1m-to-2%", 0.02, 33}}},
    {"cantilever-1m", "bar held at an end, E 1e6", LT_SOLVE_BAR, 1, 1, 1e6, HANGS, 40, 3, 1, false, {{0}}},
    {"twist-0.1m",
     "bar twisted by 180 degrees, E 1e5",
     LT_SOLVE_BAR,
     1,
     0.1,
     1e5,
     TWISTED,
     24,
     3,
     1,
     true,
     {{"solve.twist-0.1m-to-2%", 0.02, 15}}},
    {"twist-1m",
     "bar twisted by 180 degrees, E 1e5",
     LT_SOLVE_BAR,
     1,
     1,
     1e5,
     TWISTED,
     24,
     3,
     1,
     false,
     {{0}}},
    {"squeeze-0.1m",
     "bear of a tenth of its height, E 1e5",
     LT_SOLVE_BEAR,
     1,
     0.1,
     1e5,
     SQUEEZED,
     15,
     2,
     0,
     false,
     {{0}}},
    {"squeeze-1m",
     "bear of a tenth of its height, E 1e5",
     LT_SOLVE_BEAR,
     1,
     1,
     1e5,
     SQUEEZED,
     15,
     2,
     0,
     false,
     {{0}}},
    {"jelly-1m",
     "bear falls on a floor, E 1e5",
     LT_SOLVE_BEAR,
     1,
     1,
     1e5,
     FALLS,
     40,
     3,
     1,
     false,
     {{"solve.jelly-1m-to-10%", 0.1, 63}}},
    {"stack-2",
     "cubes of 320 tets, 0.1 m, E 1e5",
     LT_SOLVE_CUBE,
     2,
     0.1,
     1e5,
     STACKED,
     48,
     4,
     1,
     true,
     {{"solve.stack-2-to-3%", 0.03, 30}}},
    {"stack-4",
     "cubes of 320 tets, 0.1 m, E 1e5",
     LT_SOLVE_CUBE,
     4,
     0.1,
     1e5,
     STACKED,
     48,
     4,
     1,
     false,
     {{"solve.stack-4-to-3%", 0.03, 67}}},
    {"stack-8",
     "cubes of 320 tets, 0.1 m, E 1e5",
     LT_SOLVE_CUBE,
     8,
     0.1,
     1e5,
     STACKED,
     48,
     4,
     1,
     false,
     {{"solve.stack-8-to-3%", 0.03, 194}}},
};

typedef struct sample {
    lt_solve_state state;
    lt_dvec3 *solution; /* [node_count] v* */
    double fall;        /* |v* - fall| by mass */
    uint32_t active;    /* contacts that push in v* */
} sample;

typedef struct point {
    double us, units, error, worst, iterations; /* units: us over those of a product */
} point;

typedef struct task_run {
    lt_solve_rig rig;
    sample samples[MOST_SAMPLES];
    uint32_t sample_count;
    double rounds;   /* the oracle's, mean of a step */
    double residual; /* the oracle's worst */
    point points[LT_SOLVE_CUTS];
} task_run;

/* ---- how it begins ---- */

static void set_node(lt_soft *soft, uint32_t node, double x, double y, double z) {
    lt_node_set(soft->x, node, (lt_rvec3){(lt_real)x, (lt_real)y, (lt_real)z});
}

static double lowest_of(const lt_solve_rig *rig) {
    double lowest = 1e30;
    for (uint32_t i = 0; i < rig->carrier.node_count; i++)
        lowest = lt_min_d(lowest, (double)rig->bodies[0].x[4 * (size_t)i + 1]);
    return lowest;
}

/* Turned by 0.3 rad, spinning at 2 rad/s, at 2 sqrt(size) m/s down, just above the floor. */
static void begin_fall(lt_solve_rig *rig) {
    lt_soft *soft = &rig->bodies[0];
    double s = sin(0.3), c = cos(0.3);
    for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
        lt_rvec3 p = lt_node_get(soft->x, i);
        double x = c * (double)p.x - s * (double)p.y, y = s * (double)p.x + c * (double)p.y;
        set_node(soft, i, x, y, (double)p.z);
        lt_node_set(soft->v, i, (lt_rvec3){(lt_real)(-2 * y), (lt_real)(2 * x - 2 * sqrt(rig->size)), 0});
    }
    rig->floor = lowest_of(rig) - 0.02 * rig->size;
}

static void begin_hanging(lt_solve_rig *rig) {
    lt_soft *soft = &rig->bodies[0];
    for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
        if ((double)soft->x[4 * (size_t)i] > -0.4999 * rig->size) continue;
        soft->pinned[i] = 1;
        soft->pin_count++;
        lt_node_set(soft->pin_target, i, lt_node_get(soft->x, i));
    }
    (void)lt_rest_factors_add(&rig->factors, soft, NULL);
}

static void begin_twisted(lt_solve_rig *rig) {
    lt_soft *soft = &rig->bodies[0];
    rig->gravity = 0;
    for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
        lt_rvec3 p = lt_node_get(soft->x, i);
        double a = LT_PI * ((double)p.x / rig->size + 0.5), y = (double)p.y, z = (double)p.z;
        set_node(soft, i, (double)p.x, cos(a) * y - sin(a) * z, sin(a) * y + cos(a) * z);
    }
}

static void begin_squeezed(lt_solve_rig *rig) {
    rig->gravity = 0;
    for (uint32_t i = 0; i < rig->carrier.node_count; i++)
        rig->bodies[0].x[4 * (size_t)i + 1] *= (lt_real)0.1;
}

static void begin_stacked(lt_solve_rig *rig) {
    double speed = sqrt(rig->size);
    for (uint32_t b = 0; b < rig->body_count; b++)
        for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
            rig->bodies[b].x[4 * (size_t)i + 1] += (lt_real)(b * rig->size);
            lt_node_set(rig->bodies[b].v, i,
                        (lt_rvec3){(lt_real)(0.1 * b * speed), (lt_real)(-0.5 * speed), 0});
        }
    rig->floor = lowest_of(rig) - 0.01 * rig->size;
}

static void begin_motion(lt_solve_rig *rig, motion how) {
    void (*const begin[])(lt_solve_rig *) = {begin_fall, begin_hanging, begin_twisted, begin_squeezed,
                                             begin_stacked};
    begin[how](rig);
    lt_solve_settle_turns(rig);
}

/* ---- the oracle's motion ---- */

static uint32_t count_active(const lt_oracle *o) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->coupling_count; i++)
        count += o->bounds[i] > 0;
    return count;
}

static bool add_sample(task_run *run, double fall) {
    sample *s = &run->samples[run->sample_count];
    const lt_oracle *o = &run->rig.oracle;
    s->fall = fall;
    s->active = count_active(o);
    s->solution = LT_NEW(&run->rig.allocator, o->node_count, lt_dvec3);
    if (!s->solution || !lt_solve_keep(&run->rig, &s->state)) return false;
    memcpy(s->solution, o->solution, o->node_count * sizeof *s->solution);
    run->sample_count++;
    return true;
}

static bool is_wanted(const task_run *run, const task *t, uint32_t step, double fall) {
    const lt_oracle *o = &run->rig.oracle;
    double mass = 0;
    for (uint32_t i = 0; i < o->node_count; i++)
        mass += o->mass[i];
    bool touches = run->rig.floor < -1e29 || count_active(o) > 0;
    return run->sample_count < MOST_SAMPLES && step >= t->from && step % t->every == 0 && touches &&
           fall * fall > 1e-10 * mass;
}

static lt_status make_samples(task_run *run, const task *t, bool quick, lt_error *error) {
    lt_solve_rig *rig = &run->rig;
    uint32_t steps = quick ? t->steps / 2 : t->steps;
    begin_motion(rig, t->motion);
    for (uint32_t step = 0; step < steps; step++) {
        (t->motion == STACKED ? lt_solve_find_stack_contacts : lt_solve_find_contacts)(rig);
        lt_oracle_load(&rig->oracle, rig->bodies, rig->couplings, rig->coupling_count,
                       (lt_dvec3){0, -rig->gravity, 0}, rig->dt);
        lt_status status = lt_oracle_solve(&rig->oracle, error);
        if (status != LT_OK) return status;
        run->rounds += (double)rig->oracle.rounds / steps;
        run->residual = lt_max_d(run->residual, rig->oracle.residual);
        double fall = lt_oracle_distance(&rig->oracle, rig->oracle.solution, rig->oracle.fall);
        if (is_wanted(run, t, step, fall) && !add_sample(run, fall))
            return lt_fail(error, LT_STATUS_MEMORY, "solve: no memory for a state");
        lt_solve_follow_oracle(rig);
        lt_solve_settle_turns(rig);
    }
    return LT_OK;
}

/* ---- the library's steps from there ---- */

static double error_of(const lt_solve_rig *rig, const sample *s) {
    const lt_oracle *o = &rig->oracle;
    double sum = 0;
    for (uint32_t b = 0; b < rig->body_count; b++)
        for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
            uint32_t node = o->node_begin[b] + i;
            lt_rvec3 from = lt_node_get(rig->bodies[b].x_before, i), to = lt_node_get(rig->bodies[b].x, i);
            lt_dvec3 moved = {(double)to.x - (double)from.x, (double)to.y - (double)from.y,
                              (double)to.z - (double)from.z};
            lt_dvec3 off = lt_d3_sub(lt_d3_scale(moved, 1 / rig->dt), s->solution[node]);
            if (!rig->bodies[b].pinned[i]) sum += o->mass[node] * lt_d3_length_squared(off);
        }
    return sqrt(sum) / s->fall;
}

static void measure_cut(task_run *run, uint32_t cut, lt_solve_unit *unit, point *out) {
    double products = 0;
    *out = (point){0};
    for (uint32_t i = 0; i < run->sample_count; i++) {
        double best = 1e30, product = 1e30;
        for (uint32_t k = 0; k < REPETITIONS; k++) {
            lt_solve_return(&run->rig, &run->samples[i].state);
            product = lt_min_d(product, lt_solve_unit_time(unit));
            best = lt_min_d(best, lt_solve_step(&run->rig, cut));
        }
        products += product / run->sample_count;
        double error = error_of(&run->rig, &run->samples[i]);
        out->us += best / run->sample_count;
        out->error += error * error / run->sample_count;
        out->worst = lt_max_d(out->worst, error);
        out->iterations += (double)run->rig.bodies[0].iterations / run->sample_count;
    }
    out->error = sqrt(out->error);
    out->units = out->us / products;
}

/* Units of time until the error is below the target: between two cuts in proportion to logarithms. */
static double time_to(const point points[LT_SOLVE_CUTS], double target) {
    double best = LT_SOLVE_NEVER;
    for (int i = 0; i < LT_SOLVE_CUTS; i++) {
        if (!(points[i].error <= target)) continue;
        double units = points[i].units;
        if (i > 0 && points[i - 1].error > target && points[i - 1].units < units && points[i].error > 0) {
            double share = log(points[i - 1].error / target) / log(points[i - 1].error / points[i].error);
            units = points[i - 1].units * pow(units / points[i - 1].units, share);
        }
        best = lt_min_d(best, units);
    }
    return best;
}

/* ---- rows and checks ---- */

static void add_rows(lt_bench *bench, const task *t, const task_run *run) {
    char label[64];
    double active = 0;
    for (uint32_t i = 0; i < run->sample_count; i++)
        active += (double)run->samples[i].active / run->sample_count;
    lt_bench_row_begin(bench, "oracle");
    lt_bench_text(bench, "task", t->name);
    lt_bench_text(bench, "what", t->what);
    lt_bench_number(bench, "tets", run->rig.oracle.tet_count);
    lt_bench_number(bench, "nodes", run->rig.oracle.node_count);
    lt_bench_number(bench, "states", run->sample_count);
    lt_bench_number(bench, "pushing", active);
    lt_bench_number(bench, "rounds", run->rounds);
    lt_bench_number(bench, "residual", run->residual);
    for (int i = 0; i < LT_SOLVE_CUTS; i++) {
        const point *p = &run->points[i];
        if (lt_solve_cuts[i] == LT_CUT_FULL)
            snprintf(label, sizeof label, "%s full", t->name);
        else
            snprintf(label, sizeof label, "%s cut at %u", t->name, lt_solve_cuts[i]);
        lt_bench_row_begin(bench, label);
        lt_bench_number(bench, "us", p->us);
        lt_bench_number(bench, "products", p->units);
        lt_bench_number(bench, "error", p->error);
        lt_bench_number(bench, "worst_error", p->worst);
        lt_bench_number(bench, "iterations", p->iterations);
    }
}

static void add_checks(lt_bench *bench, const task *t, const task_run *run) {
    for (int i = 0; i < TARGETS && t->goals[i].check; i++)
        lt_bench_check_value(bench, t->goals[i].check, time_to(run->points, t->goals[i].target),
                             "<=", t->goals[i].bar);
}

static void free_run(task_run *run) {
    for (uint32_t i = 0; i < run->sample_count; i++) {
        lt_solve_state_free(&run->samples[i].state);
        LT_DELETE(&run->rig.allocator, run->samples[i].solution, run->rig.oracle.node_count, lt_dvec3);
    }
    lt_solve_rig_free(&run->rig);
}

/* `worst`: grows to the oracle's residual. */
static lt_status run_task(lt_bench *bench, const task *t, lt_solve_unit *unit, double *worst,
                          lt_error *error) {
    task_run run = {0};
    lt_solve_rig_def def = lt_solve_rig_def_of(t->shape, t->body_count, t->size, t->young);
    lt_status status = lt_solve_rig_create(&run.rig, &def, &bench->allocator, error);
    if (status == LT_STATUS_NOT_FOUND)
        return LT_OK; /* a scan that is not here is a row less, never a check */
    if (status == LT_OK) status = make_samples(&run, t, bench->quick, error);
    if (status == LT_OK) {
        for (int i = 0; i < LT_SOLVE_CUTS; i++)
            measure_cut(&run, lt_solve_cuts[i], unit, &run.points[i]);
        add_rows(bench, t, &run);
        add_checks(bench, t, &run);
        *worst = lt_max_d(*worst, run.residual);
    }
    free_run(&run);
    return status;
}

static void skip_task(lt_bench *bench, const task *t) {
    for (int i = 0; i < TARGETS && t->goals[i].check; i++)
        lt_bench_check_absent(bench, t->goals[i].check, "<=", t->goals[i].bar, "not in --quick");
}

lt_status lt_solve_tasks(lt_bench *bench, lt_solve_unit *unit, lt_error *error) {
    double worst = 0;
    for (size_t i = 0; i < LT_COUNT_OF(tasks); i++) {
        if (!lt_bench_is_asked(bench, "tasks", tasks[i].name)) continue;
        if (bench->quick && !tasks[i].quick) {
            skip_task(bench, &tasks[i]);
            continue;
        }
        lt_status status = run_task(bench, &tasks[i], unit, &worst, error);
        if (status != LT_OK) return status;
    }
    lt_bench_check_value(bench, "solve.oracle-residual", worst, "<=", 1e-8);
    return LT_OK;
}
