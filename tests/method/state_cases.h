/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The cases that the state of every method with a mode paper is tested by: a test program sets its subject and runs them all. */

#ifndef LITHE_TESTS_METHOD_STATE_CASES_H
#define LITHE_TESTS_METHOD_STATE_CASES_H

#include "method/cut_checks.h"
#include "method/state_checks.h"

typedef struct state_subject {
    lt_world_def def;
    busy_shapes shapes;
    const char *name, *paper_name; /* of golden hashes */
    uint64_t timed_steps;          /* under limits of time */
    uint64_t unit_steps, units;    /* under this many units and more */
    bool paper_forgets;            /* work that is not finished is in no snapshot of mode paper */
} state_subject;

static state_subject subject;

static lt_world_def busy_def(void) {
    lt_world_def def = subject.def;
    def.diagnostics = false;
    def.contact_capacity = 512;
    return def;
}

static lt_world_def paper_def(void) {
    lt_world_def def = busy_def();
    def.mode = LT_MODE_PAPER;
    return def;
}

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &subject.shapes, subject.timed_steps, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &subject.shapes, subject.unit_steps, subject.units, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &subject.shapes);
    if (!subject.paper_forgets) check_snapshots_repeat_the_future(paper_def(), &subject.shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &subject.shapes, subject.name);
    check_threads_and_levels_agree(paper_def(), &subject.shapes, subject.paper_name);
}

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &subject.shapes);
    check_damaged_snapshots_do_no_harm(paper_def(), &subject.shapes);
}

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &subject.shapes);
    check_bodies_come_and_go(paper_def(), &subject.shapes);
}

static inline void run_state_cases(void) {
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
}

#endif
