/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of the experiment "multigrid". Bears are those of the scene bears, 1 m and 0.1 m tall; none of them sleeps, since
 * rest would cost nothing then; every solver goes to LT_BEARS_TOLERANCE of its own system. */

#ifndef LITHE_BENCH_MULTIGRID_INTERNAL_H
#define LITHE_BENCH_MULTIGRID_INTERNAL_H

#include "scene_rig.h"

#include "body/multigrid.h"
#include "embed/embed.h"

#define LT_BEARS_TOLERANCE 1e-3f
enum { LT_BEARS_HEIGHTS = 2, LT_BEARS_STEPS = 600, LT_BEARS_REST = 60 }; /* the last so many are rest */

extern const float lt_bears_heights[LT_BEARS_HEIGHTS]; /* m */

/* ---- bears that fall (multigrid_rig.c) ---- */

typedef struct lt_bears {
    uint32_t count;
    float height;    /* m */
    lt_model model;  /* corotational: conjugate gradients on the finest level of the same ladder */
    float threshold; /* multigrid: of refining */
} lt_bears;

/* The threshold that a body has unless it is told another one. */
float lt_bears_default_threshold(void);
lt_status lt_bears_build(lt_scene_rig *rig, lt_bench *bench, const lt_bears *bears, lt_error *error);
uint32_t lt_bears_steps(const lt_bench *bench, uint32_t count);
/* "one bear, 0.1 m", or as a part of the name of a check: "one-0.1m". */
void lt_bears_label(char *out, size_t size, const lt_bears *bears, const char *what);
void lt_bears_check_name(char *out, size_t size, const lt_bears *bears, const char *what);
/* A check that --quick does not judge: it has few steps and a smaller ladder, and nobody looks at times. */
void lt_bears_check(lt_bench *bench, const char *name, double value, const char *op, double bar);

/* A body of a world, and of its finest nodes the share that moves by itself. */
lt_soft *lt_bears_soft(const lt_scene_rig *rig, uint32_t index);
double lt_bears_active_share(const lt_soft *soft);

/* ---- one ladder and its system (multigrid_solve.c) ---- */

/* A seed turns the bear about some axis before its meshes are made, and is that of pulling them in: other lattices, other
 * tets. Seed 0 is the scene's bear. */
typedef struct lt_seed_ladder {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
} lt_seed_ladder;

lt_status lt_seed_ladder_bake(lt_seed_ladder *out, lt_bench *bench, uint32_t seed, lt_error *error);
/* Safe on zeroed ones. */
void lt_seed_ladder_free(lt_seed_ladder *ladder);

enum { LT_SOLVE_VECTORS = 6, LT_SOLVE_CONTACTS = 512 };

/* A bent body that is let go, at the first step: what its solver has to do there. */
typedef struct lt_bent {
    lt_soft soft;
    lt_system system;
    lt_arena arena;
    lt_simd_level level;
    lt_real *vectors[LT_SOLVE_VECTORS]; /* [row_count][4] */
    lt_anchor contacts[LT_SOLVE_CONTACTS];
    lt_real gains[LT_SOLVE_CONTACTS];
    uint32_t contact_count;
} lt_bent;

lt_status lt_bent_create(lt_bent *bent, const lt_seed_ladder *ladder, float height, float poisson,
                         lt_error *error);
/* Safe on zeroed ones. */
void lt_bent_free(lt_bent *bent);
/* Bends it, whatever its front is, and assembles; `firmness` times the stiffness of contacts at the feet, which stick. 0: none. */
lt_status lt_bent_prepare(lt_bent *bent, const lt_skin *skin, double firmness, lt_error *error);

typedef struct lt_bent_solve {
    uint32_t cycles;
    double fall;        /* of the residual a cycle, geometric mean, Euclidean norm */
    double energy_fall; /* the same in the norm that the model stops by */
    double left;        /* of the residual, recomputed from the solution */
} lt_bent_solve;

/* Cycles as the model uses them, accelerated, from rest to `tolerance`. */
lt_bent_solve lt_bent_run(lt_bent *bent, double tolerance, uint32_t most_cycles);

/* ---- drops (multigrid_drops.c) ---- */

typedef struct lt_drop {
    lt_bears bears;
    double *forward_us, *total_us; /* [steps] of the models, and of the whole step */
    uint32_t steps, passes;
    uint32_t first_contact; /* the step */
    uint32_t unsettled;     /* steps whose solver did not reach its residual */
    double speed;           /* m/s of the fastest node at the end */
    double active_at_rest;  /* of the finest nodes, of the body that has most, mean of the last steps */
    double iterations;      /* mean of a step */
    lt_allocator allocator;
} lt_drop;

/* The same fall several times, each step's least time. */
lt_status lt_drop_run(lt_drop *out, lt_bench *bench, const lt_bears *bears, uint32_t passes, lt_error *error);
/* Safe on zeroed ones. */
void lt_drop_free(lt_drop *drop);
/* Of steps from `begin` on. */
double lt_drop_mean(const lt_drop *drop, const double *us, uint32_t begin);

/* ---- the parts ---- */

/* Residuals a cycle of five ladders, stiff contacts, ν 0.45. */
lt_status lt_grid_convergence(lt_bench *bench, lt_error *error);
/* 600 fronts at random. */
lt_status lt_grid_random_fronts(lt_bench *bench, lt_error *error);
/* Time against conjugate gradients on the finest mesh, and as such. */
lt_status lt_grid_drops(lt_bench *bench, lt_error *error);
/* Error and speed at some thresholds, of one bear whose drop by conjugate gradients is known. */
lt_status lt_grid_thresholds(lt_bench *bench, const lt_drop *reference, lt_error *error);
/* Jumps where the front changes, and where the finest mesh is. */
lt_status lt_grid_detail(lt_bench *bench, lt_error *error);

#endif
