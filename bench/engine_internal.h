/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `lithe bench engine`: what the method `engine` is held to, judged from outside. Any other method can be put before the
 * same judge (--method): it fails where it fails.
 *
 *   engine_arithmetic.c  percentiles, bounds, errors: numbers alone
 *   engine_adapter.c     the only place that knows what this build's methods, policies and reports have
 *   engine_scenes.c      which scenes, how long; scenes of thin, fast and coincident bodies
 *   engine_rig.c         one scene as it is run: method, policy, seed, judge
 *   engine_run.c         one run from beginning to end, and what became of it
 *   engine_matrix.c      all runs of scenes, policies, budgets and seeds
 *   engine_budget.c      from the matrix: who went beyond a budget, who left it unused, how old contacts are; overshoot of deadlines
 *   engine_starved.c     from the matrix: depth, lost bodies, energy, the way travelled; long runs
 *   engine_rest.c        from the matrix: who sleeps, loads, gaps as reported; a pile that never sleeps; a knot in itself
 *   engine_force.c       one budgeted step from an unlimited run's states
 *   engine_cost.c        prices of units, times beside other methods, units
 *   engine_fast.c        sheets, shots, moved plates; bodies that begin in one place
 *   engine_strict.c      surfaces that intersect after a step, and inside it
 *   engine_state.c       momentum, bits over threads and kernels, snapshots of unfinished work
 *
 * A run is a scene with a seed and a budget. Values that could not be measured are NaN, and their checks `pass: null`. */

#ifndef LITHE_BENCH_ENGINE_INTERNAL_H
#define LITHE_BENCH_ENGINE_INTERNAL_H

#include "bench.h"

#include "engine_arithmetic.h"
#include "judge/scene.h"

/* ---- what this build has (engine_adapter.c) ---- */

typedef enum lt_engine_policy { LT_ENGINE_SOFT, LT_ENGINE_STRICT, LT_ENGINE_POLICIES } lt_engine_policy;

/* LT_METHOD_COUNT: this build has none of that name. */
lt_method lt_engine_find_method(const char *name);
/* Methods without policies are run as they are, which is LT_ENGINE_SOFT here. */
bool lt_engine_has_policy(lt_method method, lt_engine_policy policy);
void lt_engine_set_policy(lt_world_def *def, lt_engine_policy policy);
/* Bodies, nodes and pairs in the table now. */
lt_engine_counts lt_engine_count(const lt_world *world);
/* What the method says its fixed cost was; NaN where reports do not have it. */
double lt_engine_said_fixed(const lt_report *report);

/* ---- scenes (engine_scenes.c) ---- */

typedef enum lt_engine_scene_traits {
    LT_ENGINE_PILES = 1, /* free bodies that come to lie on the ground and sleep */
    LT_ENGINE_LOADS = 2, /* nothing is pinned or moved: obstacles carry all of the weight */
    LT_ENGINE_QUICK = 4, /* run with --quick, too */
    LT_ENGINE_LONG = 8,  /* run for 2,000 steps, too */
    LT_ENGINE_MOVED = 16 /* obstacles that store energy while they are moved */
} lt_engine_scene_traits;

typedef struct lt_engine_scene {
    const char *name;
    uint32_t steps, every; /* of a run; steps between checks of the judge */
    uint32_t traits;
} lt_engine_scene;

enum { LT_ENGINE_SCENES = 12 };
extern const lt_engine_scene lt_engine_scenes[LT_ENGINE_SCENES];

/* Built-in ones, and "sheets", "shots", "coincident" (2 bodies), "coincident-20". */
lt_status lt_engine_scene_make(lt_scene *out, const char *name, const lt_allocator *allocator,
                               lt_error *error);

/* ---- one scene as it is run (engine_rig.c) ---- */

typedef struct lt_engine_rig_def {
    const char *scene;
    lt_method method;
    lt_engine_policy policy;
    uint32_t seed;
    bool judged, awake;                  /* a judge is made; bodies never sleep */
    uint32_t thread_count;               /* 0: one */
    uint32_t simd_levels;                /* 0: the best there is, else levels below this */
    uint64_t (*clock_ns)(void *context); /* NULL: the system's */
} lt_engine_rig_def;

typedef struct lt_engine_rig {
    lt_scene scene;
    lt_scene_world built;
    lt_judge *judge;
    uint64_t step;
    uint32_t body_count;
    double size_min, size_max; /* m, longest sides of bodies as they begin */
    double weight;             /* N, of all */
    uint8_t *snapshot;
    size_t snapshot_size, snapshot_capacity;
    uint64_t snapshot_step;
    lt_allocator allocator;
} lt_engine_rig;

/* The rig must not be moved. */
lt_status lt_engine_rig_create(lt_engine_rig *rig, const lt_engine_rig_def *def,
                               const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_engine_rig_free(lt_engine_rig *rig);
lt_report lt_engine_rig_step(lt_engine_rig *rig, lt_budget budget);
lt_status lt_engine_rig_keep(lt_engine_rig *rig, lt_error *error);
lt_status lt_engine_rig_return(lt_engine_rig *rig, lt_error *error);
bool lt_engine_is_pinned(const lt_engine_rig *rig, uint32_t body);
lt_dvec3 lt_engine_center(const lt_engine_rig *rig, uint32_t body);
double lt_engine_size(const lt_engine_rig *rig, uint32_t body);
lt_budget lt_engine_units(uint64_t units);
/* Of this thread, since lt_os_thread_cpu_ns said `begin`. */
double lt_engine_seconds(uint64_t begin);

/* ---- one run (engine_run.c) ---- */

typedef struct lt_engine_run_def {
    lt_engine_rig_def rig;
    uint32_t steps, every;
    uint64_t units;  /* LT_UNLIMITED: no budget */
    double patience; /* s of the thread, after which a run ends early */
    uint32_t late;   /* steps after which contacts have given back what they stored */
} lt_engine_run_def;

enum { LT_ENGINE_TIMES = 3 }; /* 0.5, 1, 2 s */

/* Shares are of 1; depths of size. NaN: not measured. */
typedef struct lt_engine_outcome {
    uint32_t steps;                /* that were run */
    bool is_whole;                 /* none was left out for want of patience */
    double over, most;             /* steps beyond max(budget, fixed bound); most units beyond it */
    double full;                   /* 99th percentile of units while somebody was awake */
    double median;                 /* of the same */
    double peak;                   /* most */
    double fixed;                  /* 99th percentile of the bound */
    double used;                   /* of the budget, mean over steps that left something pending */
    double age_max;                /* steps */
    double depth_end, depth_worst; /* in each other or in an obstacle */
    double below_worst, lost, crossings;
    double rise, released;          /* J */
    double fallen[LT_ENGINE_TIMES]; /* J of potential energy */
    double awake_end, height_end, speed_end;
    double load_off;              /* |loads / weight - 1| at rest */
    double gap_missed, gap_times; /* truth beyond gap_error over size; gap_error over what it may be */
    double drift; /* momentum: change over mass times largest speed, of scenes with nothing else in them */
} lt_engine_outcome;

lt_engine_outcome lt_engine_nothing(void);
lt_status lt_engine_run(lt_engine_outcome *out, const lt_engine_run_def *def, const lt_allocator *allocator,
                        lt_error *error);

/* ---- all runs (engine_matrix.c) ---- */

enum { LT_ENGINE_SEEDS = 5, LT_ENGINE_BUDGETS = 10 };
/* Budget 0 is none at all; then percentages of full, then units, from large to small. */
typedef struct lt_engine_budget {
    const char *name;
    double percent; /* NaN: units */
    uint64_t units;
    bool quick;
} lt_engine_budget;
extern const lt_engine_budget lt_engine_budgets[LT_ENGINE_BUDGETS];
enum { LT_ENGINE_NONE, LT_ENGINE_50, LT_ENGINE_25, LT_ENGINE_10, LT_ENGINE_5, LT_ENGINE_1 };

typedef struct lt_engine_cell {
    lt_engine_outcome seeds[LT_ENGINE_SEEDS];
    uint64_t units[LT_ENGINE_SEEDS]; /* of the budget; percentages are of the seed's own full */
} lt_engine_cell;

typedef struct lt_engine_matrix {
    lt_engine_cell cells[LT_ENGINE_POLICIES][LT_ENGINE_SCENES][LT_ENGINE_BUDGETS];
    lt_engine_cell reference[LT_ENGINE_SCENES][LT_ENGINE_BUDGETS]; /* at the units of soft */
} lt_engine_matrix;

typedef struct lt_engine_bench {
    lt_bench *bench;
    lt_method method;
    bool exists; /* else nothing is run, and every check says `reason` */
    char reason[160];
    uint32_t seed_count; /* seeds 0 (as the scene is) to 4 */
    double patience;
    lt_engine_matrix *matrix;
} lt_engine_bench;

/* Whether a policy is to be run. */
bool lt_engine_runs(const lt_engine_bench *e, lt_engine_policy policy);
bool lt_engine_wants_scene(const lt_engine_bench *e, const lt_engine_scene *scene);
bool lt_engine_wants_budget(const lt_engine_bench *e, uint32_t budget);
lt_engine_run_def lt_engine_def_of(const lt_engine_bench *e, const lt_engine_scene *scene,
                                   lt_engine_policy policy, uint32_t seed);
/* Runs without a budget unless the matrix has it: what percentages are of. */
lt_status lt_engine_need_full(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, uint32_t seed,
                              lt_error *error);
/* Only then. */
uint64_t lt_engine_budget_units(const lt_engine_bench *e, lt_engine_policy policy, uint32_t scene,
                                uint32_t seed, uint32_t budget);
/* One field of an outcome, the median of the seeds or the worst. */
double lt_engine_median_of(const lt_engine_bench *e, const lt_engine_cell *cell, size_t field);
double lt_engine_worst_of(const lt_engine_bench *e, const lt_engine_cell *cell, size_t field);
#define LT_ENGINE_FIELD(name) offsetof(lt_engine_outcome, name)
/* The larger; a NaN gives way. */
double lt_engine_larger(double a, double b);

/* A check "engine.NAME", or "engine.NAME-strict"; a value that is NaN was not measured: the reason of the bench, or this one. */
void lt_engine_check(lt_engine_bench *e, const char *name, lt_engine_policy policy, double value,
                     const char *op, double bar, const char *reason);

/* ---- the parts ---- */

lt_status lt_engine_matrix_fill(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_budgets(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_starved(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_rest(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_forces(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_costs(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_fast(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_strict(lt_engine_bench *e, lt_error *error);
lt_status lt_engine_judge_state(lt_engine_bench *e, lt_error *error);

#endif
