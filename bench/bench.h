/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Experiments: each fills rows (what was measured), checks (the figures somebody is held to) and charts. The
 * command prints rows and checks, writes them as JSON, all three as a page, and fails when a check fails. A check
 * whose data is absent is neither passed nor failed and says why. */

#ifndef LITHE_BENCH_BENCH_H
#define LITHE_BENCH_BENCH_H

#include "core/memory.h"

/* X(function, name, about) */
#define LT_EXPERIMENT_LIST(X)                                                                                \
    X(core, "core", "the foundation: models, embedding, budget, rest, memory")                               \
    X(carriers, "carriers", "any surface to a shape: containment, fit, time, memory, no gluing, files")      \
    X(sphere_tree, "sphere-tree", "trees, traversal, budgets and order of the method sphere-tree")           \
    X(tet_hash, "tet-hash", "limits, latency, cuts and time of the method tet-hash")                         \
    X(cell_box, "cell-box", "time, limits, rest, gaps and containment of the method cell-box")               \
    X(multiscale, "multiscale", "time, contacts, continuous tests and response of the method multiscale")    \
    X(multigrid, "multigrid", "convergence, time against CG, and detail of the model multigrid")             \
    X(solve, "solve", "the solver of implicit bodies: error against time, cuts, energy, range")              \
    X(engine, "engine", "one method for every body: budgets, depth, energy, rest, what is thin and fast")    \
    X(reach, "reach", "mesh files: how fast they are read, repaired and written; snapshots: time and size")

#define LT_CELLS_MAX 12

typedef struct lt_bench_cell {
    char key[32];
    double number;
    char text[64]; /* not empty: a text, not a number */
} lt_bench_cell;

typedef struct lt_bench_row {
    char label[64];
    lt_bench_cell cells[LT_CELLS_MAX];
    uint32_t cell_count;
} lt_bench_row;

typedef struct lt_bench_check {
    char name[80]; /* EXPERIMENT.what-it-says */
    double value, bar;
    char op[3]; /* "<", "<=", ">", ">=", "==" */
    bool measured, pass;
    char reason[200]; /* of not being measured */
} lt_bench_check;

/* As it stands in out/NAME.svg. */
typedef struct lt_bench_svg {
    char name[64];
    lt_array bytes; /* of char; not ended by 0 */
} lt_bench_svg;

typedef enum lt_bench_list { LT_BENCH_ROWS, LT_BENCH_CHECKS, LT_BENCH_CHARTS, LT_BENCH_LISTS } lt_bench_list;

/* What one experiment left: its part of each list, from `begin` to before `end`. */
typedef struct lt_bench_section {
    const struct lt_experiment *experiment;
    size_t begin[LT_BENCH_LISTS], end[LT_BENCH_LISTS];
    lt_error failure; /* what ended it early; LT_OK when it ran whole */
} lt_bench_section;

typedef struct lt_bench {
    /* Input. */
    bool quick; /* fewer steps and samples: to see that it works */
    /* What an experiment names by parts (solve, engine) runs where the name contains this; NULL: all */
    const char *only;
    const char *method; /* of engine: the method that is judged; NULL: engine */
    double calibration_ns;
    lt_allocator allocator;
    /* Output. */
    lt_array rows;     /* of lt_bench_row */
    lt_array checks;   /* of lt_bench_check */
    lt_array charts;   /* of lt_bench_svg */
    lt_array sections; /* of lt_bench_section, in the order in which they were run */
    lt_bench_row spare_row;
    bool out_of_memory;
} lt_bench;

/* Whether PART/NAME is to be run. */
bool lt_bench_is_asked(const lt_bench *bench, const char *part, const char *name);

/* Begins a row; the cells that follow belong to it. More than LT_CELLS_MAX cells are a caller's bug. */
void lt_bench_row_begin(lt_bench *bench, const char *label);
void lt_bench_number(lt_bench *bench, const char *key, double value);
void lt_bench_text(lt_bench *bench, const char *key, const char *text);

/* `op` compares value with bar: value op bar is what should be true; NaN fails. */
void lt_bench_check_value(lt_bench *bench, const char *name, double value, const char *op, double bar);
void lt_bench_check_absent(lt_bench *bench, const char *name, const char *op, double bar, const char *reason);

typedef struct lt_experiment {
    const char *name, *about;
    lt_status (*run)(lt_bench *bench, lt_error *error);
} lt_experiment;

const lt_experiment *lt_experiment_list(uint32_t *count);

#define LT_EXPERIMENT_DECLARE(function, name, about)                                                         \
    lt_status lt_experiment_##function(lt_bench *bench, lt_error *error);
LT_EXPERIMENT_LIST(LT_EXPERIMENT_DECLARE)
#undef LT_EXPERIMENT_DECLARE

lt_bench lt_bench_begin(bool quick, const lt_allocator *allocator);
void lt_bench_free(lt_bench *bench);
/* Runs one experiment; what it leaves is a section, whole or not. */
lt_status lt_bench_run(lt_bench *bench, const lt_experiment *experiment, lt_error *error);
uint32_t lt_bench_failed_count(const lt_bench *bench);
/* Whether one row may stand below the other, in the same columns. */
bool lt_bench_same_columns(const lt_bench_row *a, const lt_bench_row *b);

#endif
