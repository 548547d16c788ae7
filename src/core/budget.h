/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The budget from inside: cursors that can be cut anywhere, and the one loop that spends.
 *
 *        peek ──► admit? ──► step(grant) ──► charge, read the clock, learn ──┐
 *         ▲          └─ no: the budget has ended, the cursor waits           │
 *         └──────────────────────────────────────────────────────────────────┘
 *
 * A cursor is a state machine: all its state is in one struct, one bounded piece of work at a time. It never
 * reads a clock; lt_spend does, after each grant. Time is predicted, not discovered: nanoseconds per unit are
 * learned per kind of work, and a grant is what fits into four fifths of the time that is left. Pieces that
 * find contacts say how much response they may cause at most, and that is set aside before they start: what
 * was found can always be answered.
 *
 * Under a unit budget no clock is read and nothing learned decides anything: same units, same bits.
 * Once the budget has ended it stays ended until the next lt_meter_begin.
 *
 * Asserted after every grant: a cursor spends something and no more than it was granted, and with what it has set aside for
 * answers, used + reserved <= limit. What cell-box, multiscale and tet-hash take beyond that has a name: overrun_units and
 * unannounced_units. Fixed costs (lt_spend_fully) and answers that were set aside are counted apart: in all,
 * used <= limit + fixed + answers + overspent. */

#ifndef LITHE_CORE_BUDGET_H
#define LITHE_CORE_BUDGET_H

#include "core/base.h"
#include "lithe/budget.h"

/* Kinds of work, each with its own learned cost. One unit is about one box test in a block of eight. */
typedef enum lt_work {
    LT_WORK_EMBED,
    LT_WORK_BOUND,
    LT_WORK_REFRESH,
    LT_WORK_TRAVERSE,
    LT_WORK_BROAD,
    LT_WORK_POINT_TET,
    LT_WORK_HASH,
    LT_WORK_PIERCE,
    LT_WORK_SPREAD,
    LT_WORK_OBSTACLE,
    LT_WORK_FRONT, /* from here on: what answers are made of, and can be set aside */
    LT_WORK_ROOT,
    LT_WORK_KEEP,
    LT_WORK_COLLECT,
    LT_WORK_EXIT, /* ends of answers: done in any case, so their mean counts, where that of sweeps is a caution */
    LT_WORK_RESPOND,
    LT_WORK_COUNT
} lt_work;

typedef struct lt_piece {
    lt_work work;
    uint32_t cost;    /* units of the next piece; 0: nothing left to do */
    uint32_t reserve; /* units of response the piece may cause at most */
} lt_piece;

typedef struct lt_cursor {
    void *state;
    /* The next piece. Costs of pieces in a row of the same kind may differ, but reserve / cost may not rise. */
    lt_piece (*peek)(const void *state);
    /* Does pieces of the kind peek named while they fit into `grant` (at least one does); returns their cost. */
    uint32_t (*step)(void *state, uint32_t grant);
} lt_cursor;

typedef struct lt_clock {
    uint64_t (*now_ns)(void *context); /* NULL: the system's monotonic clock */
    void *context;
} lt_clock;

typedef struct lt_meter {
    /* Input, from the caller's budget */
    lt_clock clock;
    uint64_t limit_units;
    uint64_t deadline_ns; /* LT_UNLIMITED: none */
    const lt_cuts *cuts;  /* not NULL: stage limits of a recorded step */
    bool timed;           /* read the clock at stage boundaries even without a deadline */
    /* State of this step */
    uint64_t begin_ns;
    double allowed_ns; /* from there to the deadline, without what others are given */
    uint64_t used_units;
    uint64_t fixed_units; /* of them, what was paid in any case: alone may go beyond the limit */
    uint64_t reserved_units;
    uint64_t answer_units; /* spent of the reserve (lt_spend_reserve) */
    /* Units by which a cursor may go beyond the limit: by name, and asserted */
    uint64_t unannounced_units; /* set aside by pieces that had not announced it (lt_reserve_unannounced) */
    uint64_t overspent_units;   /* by which pieces have missed their grants so far */
    uint32_t overrun_units; /* by which the cursor that is served may miss a grant; set aside by its caller */
    uint64_t reserved[LT_WORK_COUNT]; /* the same by kind */
    bool ended;
    bool shared;        /* only a share of the budget is lent out */
    double foreseen_ns; /* how long before the deadline all would end, as it ended */
    lt_cuts spent;
    uint64_t stage_ns[LT_STAGE_COUNT];
    /* Learned over steps; decides nothing under a unit budget */
    double ns_per_unit[LT_WORK_COUNT];
    double usual_units[LT_WORK_COUNT]; /* of a large piece */
    double margin_ns; /* how much before a deadline to stop: what interrupts have been seen to take */
    double tail_ns;   /* and what answers took beyond what was set aside for them */
    double before_ns; /* what was done before the limit was asked for */
} lt_meter;

/* Once, before the first step. */
void lt_meter_init(lt_meter *meter, lt_clock clock);
/* Arms the meter. `allowed_ns` (LT_UNLIMITED: none) is the time from now. */
void lt_meter_begin(lt_meter *meter, const lt_budget *budget, uint64_t allowed_ns);

/* Spends on the cursor until it has nothing left (true) or the budget ends (false). */
bool lt_spend(lt_meter *meter, lt_stage stage, lt_cursor cursor);
/* Runs the cursor to its end whatever the budget says, and charges it: for what must be done in any case. */
void lt_spend_fully(lt_meter *meter, lt_stage stage, lt_cursor cursor);
/* Spends what was reserved for response: always runs to the end, and gives the reserve back. The stage is not
 * one that lt_spend served before in this step: cuts could not tell the two apart. */
void lt_spend_reserve(lt_meter *meter, lt_stage stage, lt_cursor cursor);
/* Between these two lt_spend ends when this share of what is left has been spent; afterwards the rest is there again. A
 * repeated step needs no share: its cuts say where each stage ended. */
typedef struct lt_share {
    uint64_t limit_units, deadline_ns;
} lt_share;
lt_share lt_meter_begin_share(lt_meter *meter, double share);
void lt_meter_end_share(lt_meter *meter, lt_share whole);

/* How many things of `units` units each may be held, when this share of what is left of the budget is for answering; at least
 * `least`. A unit is taken to be as long as those that are set aside are on average. UINT32_MAX without a budget. Part of
 * the cuts: a repeated step gets the same number. */
uint32_t lt_meter_limit(lt_meter *meter, double share, uint32_t units, uint32_t least);

/* Sets units of an answer aside. */
static inline void lt_reserve_work(lt_meter *meter, lt_work work, uint64_t units) {
    meter->reserved[work] += units;
    meter->reserved_units += units;
}
/* The same from within a piece that has not announced it: where nobody knows beforehand how much it finds. */
static inline void lt_reserve_unannounced(lt_meter *meter, lt_work work, uint64_t units) {
    lt_reserve_work(meter, work, units);
    meter->unannounced_units += units;
}
/* Gives some of them back. */
static inline void lt_give_back(lt_meter *meter, lt_work work, uint64_t units) {
    LT_ASSERT(units <= meter->reserved[work]);
    meter->reserved[work] -= units;
    meter->reserved_units -= units;
}
/* Sets units of response aside. */
static inline void lt_reserve(lt_meter *meter, uint64_t units) {
    lt_reserve_work(meter, LT_WORK_RESPOND, units);
}
/* When the last answer of a step is given: learns what answers take beyond what was set aside for them. */
void lt_meter_settle(lt_meter *meter);

/* A text on what is wrong with the account of a step; NULL: nothing is. Stages add up to what was used, kinds to what is set aside, and nothing
 * that could have been refused has gone beyond the limit. */
const char *lt_validate_meter(const lt_meter *meter);

/* Work that is never cut (models, sleeping): time it. */
uint64_t lt_meter_now(const lt_meter *meter);
void lt_meter_add_time(lt_meter *meter, lt_stage stage, uint64_t since_ns);

/* Nanoseconds from begin to now, or the sum over the stages given when the meter is not timed. */
uint64_t lt_meter_elapsed_ns(const lt_meter *meter);

#endif
