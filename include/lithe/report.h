/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a step did, what it left, and a bound on the error. One list makes the struct and the JSON keys. */

#ifndef LITHE_REPORT_H
#define LITHE_REPORT_H

#include "lithe/budget.h"

LT_EXTERN_C_BEGIN

/* X(type, name): uint counts and double measures.
 *   step            number of this step, from 1                time      simulated seconds at its end
 *   budget_us       what was allowed; -1 when unlimited        used_us   spent on collision handling
 *   overshoot_us    used beyond the budget, 0 if none          units     work units spent
 *   interrupted     1 when the budget ended before the work    tested    elementary tests made
 *   pending         pairs left untested, or not to their end   contacts  in the list after the step
 *   exact, approximate, predicted                              contacts by status
 *   dropped         contacts or pairs refused at a capacity    level     deepest level reached, if the method has levels
 *   age_max         steps since the oldest contact was exact   gap_error bound on what was found (m), of pairs that had a turn
 *                                                                      (tet-hash and engine: 0, there is none yet)
 *   depth_max       deepest penetration found (m)              allocations  heap allocations in this step
 *   latency         steps that the last collision cycle took   useful_units  below this many a step finds nothing new in one go
 *                   (tet-hash), or that the pair that           (tet-hash: hashing everything once; 0 for other methods)
 *                   waits longest has waited (cell-box, multiscale)
 *   held            pairs that lt_world_def.multiscale.pending acted on   fail_safe  islands of bodies that went only a part of their way, lest
 *                   (multiscale)                                          they pass through each other (multiscale)
 *   tangled         pairs that were in each other as the step began, and are being parted; bodies that a moving obstacle
 *                   goes through, there being no room for them (multiscale)
 *   imbalance       |sum of contact forces between bodies| / sum of their sizes; 0 but for the averaging of mode paper
 *   model_us        time of the models                         substeps  most sub-steps of an explicit model
 *   factor_units    work units of making factors, beside `units` (lt_world_def.factor_units)
 *   model_units     work units of the models                   models_cut  1 when lt_world_def.model_units cut their solve
 *   iterations      most solver iterations of a model          residual  what the last one gained, as tolerance measures it
 *   time_lost       most seconds a shape fell short of dt      inverted  tets turned inside out
 *   blown_up        bodies reset by the blow-up policy         sleeping  bodies asleep
 *   energy_taken    J of kinetic energy that implicit bodies had beyond the work done on them, and lost
 *   stiff_bodies    implicit bodies that are too stiff for this dt, and were computed with less: lt_body_young
 *   problems        bits, see lt_problem */
#define LT_REPORT_LIST(X)                                                                                    \
    X(uint, step)                                                                                            \
    X(double, time)                                                                                          \
    X(double, budget_us)                                                                                     \
    X(double, used_us)                                                                                       \
    X(double, overshoot_us)                                                                                  \
    X(uint, units)                                                                                           \
    X(uint, interrupted)                                                                                     \
    X(uint, tested)                                                                                          \
    X(uint, pending)                                                                                         \
    X(uint, contacts)                                                                                        \
    X(uint, exact)                                                                                           \
    X(uint, approximate)                                                                                     \
    X(uint, predicted)                                                                                       \
    X(uint, dropped)                                                                                         \
    X(uint, level)                                                                                           \
    X(uint, age_max)                                                                                         \
    X(double, gap_error)                                                                                     \
    X(uint, latency)                                                                                         \
    X(uint, useful_units)                                                                                    \
    X(uint, held)                                                                                            \
    X(uint, fail_safe)                                                                                       \
    X(uint, tangled)                                                                                         \
    X(double, depth_max)                                                                                     \
    X(double, imbalance)                                                                                     \
    X(uint, allocations)                                                                                     \
    X(double, model_us)                                                                                      \
    X(uint, factor_units)                                                                                    \
    X(uint, model_units)                                                                                     \
    X(uint, models_cut)                                                                                      \
    X(uint, substeps)                                                                                        \
    X(uint, iterations)                                                                                      \
    X(double, residual)                                                                                      \
    X(double, time_lost)                                                                                     \
    X(uint, inverted)                                                                                        \
    X(uint, blown_up)                                                                                        \
    X(double, energy_taken)                                                                                  \
    X(uint, stiff_bodies)                                                                                    \
    X(uint, sleeping)                                                                                        \
    X(uint, problems)

/* Diagnostics, filled when lt_world_def.diagnostics is on (they cost a pass over all nodes):
 * momentum_error = |change of linear momentum not explained by gravity, pins, handles, obstacles and external
 * forces| divided by the sum of |m v| + |impulses|, never NaN: 1 where these are beyond the range of numbers;
 * energy in joules: kinetic + elastic + gravitational. */
#define LT_DIAGNOSTICS_LIST(X)                                                                               \
    X(double, momentum_error)                                                                                \
    X(double, energy)

typedef unsigned long long lt_report_uint;
typedef double lt_report_double;

typedef struct lt_report {
#define LT_REPORT_FIELD(type, name) lt_report_##type name;
    LT_REPORT_LIST(LT_REPORT_FIELD)
    LT_DIAGNOSTICS_LIST(LT_REPORT_FIELD)
#undef LT_REPORT_FIELD
    double stage_us[LT_STAGE_COUNT]; /* wall time per stage */
    lt_cuts cuts;                    /* units per stage: give them to lt_budget_cuts to repeat this step */
} lt_report;

/* Bits of lt_report.problems; the remedy is in the comment. */
typedef enum lt_problem {
    /* Contacts were dropped: raise lt_world_def.contact_capacity, or lt_world_reserve more than bodies bring */
    LT_PROBLEM_CONTACT_CAPACITY = 1 << 0,
    LT_PROBLEM_PAIR_CAPACITY = 1 << 1,  /* body pairs were dropped: raise lt_world_def.pair_capacity */
    LT_PROBLEM_SCRATCH = 1 << 2,        /* scratch was too small for something: raise scratch_capacity */
    LT_PROBLEM_SUBSTEPS = 1 << 3,       /* an explicit body needed more sub-steps than max_substeps: its shape
                                             fell behind (time_lost): softer material, coarser carrier, or more */
    LT_PROBLEM_ITERATIONS = 1 << 4,     /* a solver reached its cap or the deadline: residual says how far */
    LT_PROBLEM_INVERTED = 1 << 5,       /* tets are turned inside out; the model is pushing them back */
    LT_PROBLEM_QUEUE_CAPACITY = 1 << 7, /* pairs of spheres were left coarse: raise queue_capacity */
    LT_PROBLEM_BLOWN_UP = 1 << 6        /* a body left the range of sane numbers and was reset to its last
                                             good state, at rest */
} lt_problem;

LT_EXTERN_C_END

#endif
