/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How much may be done now.
 *
 * lt_budget_collision_* cover collision handling: everything between the models' positions and the forces or
 * corrections handed back. Such a budget is a deadline in microseconds, a number of deterministic work units,
 * both (whichever ends first), or unlimited by name. Zero is no time at all: contacts that are already known keep their forces,
 * nothing new is looked for. One unit is roughly one box test in a block of eight, about a nanosecond.
 *
 * The same inputs and the same units give the same bits on every machine. Microseconds do not, but every
 * step records where it was cut (lt_report.cuts), and lt_budget_cuts repeats exactly that.
 *
 * There is no lt_budget_us: the short names are free until they can mean the whole call (docs/migrating.md). */

#ifndef LITHE_BUDGET_H
#define LITHE_BUDGET_H

#include "lithe/base.h"

LT_EXTERN_C_BEGIN

/* The stages of a step, in order: names of times and units in the report. */
#define LT_STAGE_LIST(X)                                                                                     \
    X(EMBED, embed)                                                                                          \
    X(BOUND, bound)                                                                                          \
    X(BROAD, broad)                                                                                          \
    X(DETECT, detect)                                                                                        \
    X(OBSTACLES, obstacles)                                                                                  \
    X(CONTACTS, contacts)                                                                                    \
    X(RESPOND, respond)                                                                                      \
    X(MODELS, models)                                                                                        \
    X(SLEEP, sleep)

typedef enum lt_stage {
#define LT_STAGE_ENUM(NAME, name) LT_STAGE_##NAME,
    LT_STAGE_LIST(LT_STAGE_ENUM)
#undef LT_STAGE_ENUM
        LT_STAGE_COUNT
} lt_stage;

/* Work units spent per stage: what a step was cut to. Of the stage MODELS: the solver iterations that a step deadline
 * allowed, 0 when there was none. */
typedef struct lt_cuts {
    uint64_t units[LT_STAGE_COUNT];
    uint64_t contact_limit; /* most contacts that the budget could answer; 0: no limit */
} lt_cuts;

#define LT_UNLIMITED UINT64_MAX

typedef struct lt_budget {
    uint64_t collision_units;       /* LT_UNLIMITED: no limit */
    uint64_t collision_nanoseconds; /* LT_UNLIMITED: no limit */
    uint64_t step_nanoseconds;      /* of the whole call; LT_UNLIMITED: no limit */
    const lt_cuts *cuts;            /* not NULL: repeat a recorded step, all else is ignored */
} lt_budget;

LT_API lt_budget lt_budget_unlimited(void);
/* Microseconds of collision handling, from the beginning of the step. Not negative. */
LT_API lt_budget lt_budget_collision_us(double microseconds);
LT_API lt_budget lt_budget_collision_units(uint64_t units);
LT_API lt_budget lt_budget_collision_us_and_units(double microseconds, uint64_t units);
/* Microseconds of the whole call: the models' learned cost is reserved first, iterative models are cut at
 * the deadline, collision handling gets the rest. */
LT_API lt_budget lt_budget_step_us(double microseconds);
/* Repeats the step whose report had these cuts; they must stay alive during the call. */
LT_API lt_budget lt_budget_cuts(const lt_cuts *cuts);

LT_EXTERN_C_END

#endif
