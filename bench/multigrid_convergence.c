/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How fast cycles converge: on the full front of five ladders, with contacts of any stiffness, nearly incompressible, and on
 * whatever fronts chance makes. A cycle is one of those that the model does: a V-cycle, and a step of conjugate gradients. */

#include "multigrid_internal.h"

#include "core/random.h"

#include <stdio.h>
#include <string.h>

enum { LADDERS = 5, FRONTS = 600, MOST_CYCLES = 100 };

/* ---- full fronts ---- */

typedef struct trial {
    const char *what;
    double firmness; /* of contacts; 0: none */
    float poisson;   /* 0: the scene's */
} trial;

static const trial trials[] = {{"as it is", 0, 0},
                               {"contacts", 1, 0},
                               {"contacts x 100", 100, 0},
                               {"0.45", 0, 0.45f},
                               {"0.45, contacts x 100", 100, 0.45f}};

/* Least fall of plain ladders, and how many solves did not get there, by height. */
typedef struct convergence {
    double least_fall[LT_BEARS_HEIGHTS];
    uint32_t lost[LT_BEARS_HEIGHTS];
} convergence;

static lt_status solve_trial(lt_bench *bench, const lt_seed_ladder *ladder, uint32_t seed, uint32_t height,
                             const trial *t, convergence *sum, lt_error *error) {
    lt_bent bent;
    lt_status status = lt_bent_create(&bent, ladder, lt_bears_heights[height], t->poisson, error);
    if (status == LT_OK) status = lt_bent_prepare(&bent, &ladder->skin, t->firmness, error);
    if (status == LT_OK) {
        lt_bent_solve solve = lt_bent_run(&bent, (double)LT_BEARS_TOLERANCE, MOST_CYCLES);
        bool plain = t == trials;
        if (plain) sum->least_fall[height] = lt_min_d(sum->least_fall[height], solve.fall);
        sum->lost[height] += !(solve.left < 1.1 * (double)LT_BEARS_TOLERANCE);
        lt_bench_row_begin(bench, "cycles on a full front");
        lt_bench_number(bench, "seed", seed);
        lt_bench_number(bench, "height_m", (double)lt_bears_heights[height]);
        lt_bench_text(bench, "trial", t->what);
        lt_bench_number(bench, "rows", bent.soft.grid->row_count);
        lt_bench_number(bench, "contacts", bent.contact_count);
        lt_bench_number(bench, "cycles", solve.cycles);
        lt_bench_number(bench, "fall_a_cycle", solve.fall);
        lt_bench_number(bench, "fall_in_energy", solve.energy_fall);
        lt_bench_number(bench, "left", solve.left);
    }
    lt_bent_free(&bent);
    return status;
}

static lt_status solve_ladder(lt_bench *bench, uint32_t seed, convergence *sum, lt_error *error) {
    lt_seed_ladder ladder;
    lt_status status = lt_seed_ladder_bake(&ladder, bench, seed, error);
    for (uint32_t height = 0; height < LT_BEARS_HEIGHTS; height++)
        for (size_t i = 0; i < LT_COUNT_OF(trials) && status == LT_OK; i++)
            status = solve_trial(bench, &ladder, seed, height, &trials[i], sum, error);
    lt_seed_ladder_free(&ladder);
    return status;
}

lt_status lt_grid_convergence(lt_bench *bench, lt_error *error) {
    convergence sum = {{1e30, 1e30}, {0, 0}};
    lt_status status = LT_OK;
    for (uint32_t seed = 0; seed < (bench->quick ? 2 : LADDERS) && status == LT_OK; seed++)
        status = solve_ladder(bench, seed, &sum, error);
    if (status != LT_OK) return status;
    lt_bench_check_value(bench, "multigrid.fall-a-cycle-1m", sum.least_fall[0], ">=", 3);
    lt_bench_check_value(bench, "multigrid.fall-a-cycle-0.1m", sum.least_fall[1], ">=", 2);
    lt_bench_check_value(bench, "multigrid.stiff-or-incompressible-diverged", sum.lost[0] + sum.lost[1],
                         "==", 0);
    return LT_OK;
}

/* ---- partial fronts ---- */

/* Refines or lets go of a ball of the body, on all levels; what else that asks for is found by the front. */
static void change_at_random(lt_soft *soft, lt_random *random) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint32_t begin = ladder->node_begin[1], count = soft->carrier.node_count;
    const double *at = soft->carrier.rest + 3 * (size_t)(begin + lt_random_below(random, count - begin));
    double radius = (double)lt_random_range(random, 0.02f, 0.35f);
    bool refine = lt_random_below(random, 2);
    uint32_t deepest = lt_random_below(random, ladder->level_count - 1) + 1;
    for (uint32_t node = refine ? ladder->node_begin[deepest] : begin; node < count; node++) {
        const double *p = soft->carrier.rest + 3 * (size_t)node;
        lt_dvec3 d = {p[0] - at[0], p[1] - at[1], p[2] - at[2]};
        if (lt_d3_length(d) < radius) soft->refined[node] = refine;
    }
    lt_front_update(soft);
}

typedef struct front_run {
    uint32_t lost, most_cycles, flawed;
    double cycles, active, least_active, most_active, least_fall;
} front_run;

static void add_front(front_run *run, const lt_bent *bent, lt_bent_solve solve) {
    double active = lt_bears_active_share(&bent->soft);
    run->lost += !(solve.left < 1.1 * (double)LT_BEARS_TOLERANCE);
    run->flawed += lt_front_flaw(&bent->soft) != NULL;
    run->most_cycles = lt_max_u32(run->most_cycles, solve.cycles);
    run->cycles += solve.cycles;
    run->active += active;
    run->least_active = lt_min_d(run->least_active, active);
    run->most_active = lt_max_d(run->most_active, active);
    run->least_fall = lt_min_d(run->least_fall, solve.fall);
}

static lt_status run_fronts(lt_bench *bench, const lt_seed_ladder *ladder, float height, front_run *run,
                            lt_error *error) {
    lt_bent bent;
    lt_random random = lt_random_seed(8);
    uint32_t fronts = bench->quick ? 20 : FRONTS;
    lt_status status = lt_bent_create(&bent, ladder, height, 0, error);
    *run = (front_run){.least_active = 1, .least_fall = 1e30};
    if (status == LT_OK) lt_front_set_level(&bent.soft, lt_level_count(&bent.soft) - 1);
    for (uint32_t i = 0; i < fronts && status == LT_OK; i++) {
        change_at_random(&bent.soft, &random);
        status = lt_bent_prepare(&bent, &ladder->skin, i % 2, error);
        if (status == LT_OK)
            add_front(run, &bent, lt_bent_run(&bent, (double)LT_BEARS_TOLERANCE, MOST_CYCLES));
    }
    lt_bent_free(&bent);
    if (status != LT_OK) return status;
    lt_bench_row_begin(bench, "random fronts, every other in contact");
    lt_bench_number(bench, "height_m", (double)height);
    lt_bench_number(bench, "fronts", fronts);
    lt_bench_number(bench, "mean_active_%", 100 * run->active / fronts);
    lt_bench_number(bench, "least_active_%", 100 * run->least_active);
    lt_bench_number(bench, "most_active_%", 100 * run->most_active);
    lt_bench_number(bench, "mean_cycles", run->cycles / fronts);
    lt_bench_number(bench, "most_cycles", run->most_cycles);
    lt_bench_number(bench, "least_fall_a_cycle", run->least_fall);
    lt_bench_number(bench, "diverged", run->lost);
    lt_bench_number(bench, "flawed", run->flawed);
    return LT_OK;
}

lt_status lt_grid_random_fronts(lt_bench *bench, lt_error *error) {
    lt_seed_ladder ladder;
    lt_status status = lt_seed_ladder_bake(&ladder, bench, 0, error);
    for (uint32_t height = 0; height < LT_BEARS_HEIGHTS && status == LT_OK; height++) {
        front_run run;
        char name[80];
        status = run_fronts(bench, &ladder, lt_bears_heights[height], &run, error);
        if (status != LT_OK) break;
        snprintf(name, sizeof name, "multigrid.random-fronts-diverged-%gm", (double)lt_bears_heights[height]);
        lt_bench_check_value(bench, name, run.lost + run.flawed, "==", 0);
    }
    lt_seed_ladder_free(&ladder);
    return status;
}
