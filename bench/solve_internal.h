/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `lithe bench solve`: what judges the solver of implicit bodies from outside.
 *
 *   solve_oracle.c   what a step should have been
 *   solve_rig.c      bodies, contacts, and the one place that cuts a solve
 *   solve_tasks.c    states along motions that the oracle made; error against time, cut by cut
 *   solve_world.c    worlds of one shape, and what becomes of their energy
 *   solve_energy.c   worlds that are cut: energy, height at rest, momentum
 *   solve_range.c    energy from nothing over sizes, stiffness, density and time step
 *   solve_crowd.c    heaps: time of the models, and a stack of unequal masses
 *
 * Times are of the thread's processor, given also as a ratio to a product with the matrix of one bear, measured in between. */

#ifndef LITHE_BENCH_SOLVE_INTERNAL_H
#define LITHE_BENCH_SOLVE_INTERNAL_H

#include "bench.h"

#include "bake/adjacency.h"
#include "body/rest_factor.h"
#include "judge/judge.h"
#include "solve_oracle.h"

/* What a time is when an error was never reached; finite, so that it can be written as JSON. */
#define LT_SOLVE_NEVER 1e9

/* ---- cuts ---- */

#define LT_CUT_FULL UINT32_MAX
/* 0: the first stage alone. */
enum { LT_SOLVE_CUTS = 13 };
extern const uint32_t lt_solve_cuts[LT_SOLVE_CUTS];

/* ---- bodies and contacts (solve_rig.c) ---- */

typedef enum lt_solve_shape {
    LT_SOLVE_BEAR,  /* generated, about 934 tets */
    LT_SOLVE_BUNNY, /* a generated pot of about 300 tets, for want of a scan */
    LT_SOLVE_SCAN,  /* the scanned bunny at about 300 tets, where it is */
    LT_SOLVE_BAR,   /* 20 x 4 x 4 cells of 5 tets, along x */
    LT_SOLVE_CUBE,  /* 4 x 4 x 4 cells of 5 tets */
    LT_SOLVE_BLOCK, /* the same of 3 x 3 x 3 */
    LT_SOLVE_SHAPES
} lt_solve_shape;

/* LT_STATUS_NOT_FOUND: a scan that is not here. Height 1 (the bar: length 1), centred. Release it. */
lt_status lt_solve_make_shape(lt_shape **out, lt_solve_shape shape, const lt_allocator *allocator,
                              lt_error *error);

enum { LT_SOLVE_BODIES = 8, LT_SOLVE_COUPLINGS = 4096 };

typedef struct lt_solve_rig {
    lt_shape *shape;
    lt_carrier carrier;
    lt_tet_boundary boundary;
    lt_soft bodies[LT_SOLVE_BODIES];
    uint32_t awake[LT_SOLVE_BODIES];
    uint32_t body_count;
    lt_coupling *couplings; /* [LT_SOLVE_COUPLINGS] */
    uint32_t coupling_count;
    lt_real *loads; /* [body_count][node_count] */
    lt_oracle oracle;
    lt_rest_factors factors;
    lt_arena arena;
    lt_tasks *tasks;
    double size, gravity, floor, dt; /* m, m/s² downwards, m, s */
    lt_allocator allocator;
} lt_solve_rig;

typedef struct lt_solve_rig_def {
    lt_solve_shape shape;
    uint32_t body_count;
    double size, young, density, poisson, dt;
} lt_solve_rig_def;

lt_solve_rig_def lt_solve_rig_def_of(lt_solve_shape shape, uint32_t body_count, double size, double young);
lt_status lt_solve_rig_create(lt_solve_rig *rig, const lt_solve_rig_def *def, const lt_allocator *allocator,
                              lt_error *error);
/* Safe on zeroed ones. */
void lt_solve_rig_free(lt_solve_rig *rig);

/* Rotations as a step before would have left them. */
void lt_solve_settle_turns(lt_solve_rig *rig);
/* Contacts of the present state: three points a face of one body with the floor; or nodes of cubes with those below them. */
void lt_solve_find_contacts(lt_solve_rig *rig);
void lt_solve_find_stack_contacts(lt_solve_rig *rig);
/* The same state with velocities of the oracle's, and places after its step. */
void lt_solve_follow_oracle(lt_solve_rig *rig);

/* One step of the library from the present state, cut; the thread's time in us. The only place that knows how solves are cut. */
double lt_solve_step(lt_solve_rig *rig, uint32_t cut);

/* A state to go back to. */
typedef struct lt_solve_state {
    uint8_t *bytes; /* [size] of all bodies */
    size_t size;
    lt_coupling *couplings;
    uint32_t coupling_count;
    lt_allocator allocator;
} lt_solve_state;

bool lt_solve_keep(const lt_solve_rig *rig, lt_solve_state *out);
void lt_solve_return(lt_solve_rig *rig, const lt_solve_state *state);
void lt_solve_state_free(lt_solve_state *state);

/* ---- worlds (solve_world.c) ---- */

/* All bodies of a world are of one shape, undamped, of the model corotational; contacts by the method reference. */
typedef struct lt_solve_world_def {
    lt_solve_shape shape;
    uint32_t body_count;
    float size, young, density, friction, dt;
    float gravity; /* m/s² downwards */
    bool floor;    /* at height 0 */
    uint32_t cut;  /* LT_CUT_FULL, 0: the first stage alone, or so many iterations */
    /* Where a body begins, and how heavy it is; NULL: at the origin */
    void (*place)(lt_body_def *def, uint32_t index, const struct lt_solve_world_def *world);
    /* Once all bodies are there: bends and pins them; NULL: nothing */
    void (*bend)(lt_world *world, const lt_body_id *bodies, float size);
} lt_solve_world_def;

enum { LT_SOLVE_WORLD_BODIES = 16 };

typedef struct lt_solve_world {
    lt_world *world;
    lt_judge *judge;
    lt_body_id bodies[LT_SOLVE_WORLD_BODIES];
    lt_solve_world_def def;
    lt_judgement start;
    uint64_t blown_up; /* bodies that were reset, so far */
} lt_solve_world;

/* `shape` is of the def's kind, and retained by the bodies. A refusal of a body is that of lt_world_add_body. */
lt_status lt_solve_world_create(lt_solve_world *out, const lt_solve_world_def *def, lt_shape *shape,
                                const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed ones. */
void lt_solve_world_free(lt_solve_world *world);
void lt_solve_world_step(lt_solve_world *world);

/* What became of the energy. */
typedef struct lt_solve_energy {
    double
        rise; /* J: above the start, and above the least of what came before (with a floor: in the second half) */
    double given;    /* J: kinetic and elastic at the start */
    double released; /* J: potential at the start less the least */
    double height;   /* m, mean of the centres in the last tenth */
    double speed;    /* m/s, largest of a node */
    double momentum; /* largest change, over mass times that speed */
    bool broken;     /* a number that is none, or a body that was reset */
} lt_solve_energy;

/* Runs `steps` and looks at every `every`-th. */
lt_solve_energy lt_solve_world_run(lt_solve_world *world, uint32_t steps, uint32_t every);

/* ---- what all times are compared with: a product with the matrix of the bear, timed between the solves (solve_rig.c) ---- */

typedef struct lt_solve_unit {
    lt_solve_rig rig;
    lt_system system;
    lt_real *y;
} lt_solve_unit;

lt_status lt_solve_unit_create(lt_solve_unit *unit, lt_bench *bench, lt_error *error);
void lt_solve_unit_free(lt_solve_unit *unit);
/* us of one product now; the machine's pace changes, so it is asked as often as what it is compared with. */
double lt_solve_unit_time(lt_solve_unit *unit);

/* ---- the parts ---- */

lt_status lt_solve_tasks(lt_bench *bench, lt_solve_unit *unit, lt_error *error);
lt_status lt_solve_energies(lt_bench *bench, lt_solve_unit *unit, lt_error *error);
lt_status lt_solve_range(lt_bench *bench, lt_solve_unit *unit, lt_error *error);
lt_status lt_solve_crowds(lt_bench *bench, lt_solve_unit *unit, lt_error *error);
lt_status lt_solve_masses(lt_bench *bench, lt_solve_unit *unit, lt_error *error);

#endif
