/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The engine without a limit against brute force: what becomes of bodies is the same, momentum is kept, a step takes no memory, and
 * what has come to rest takes few units. */

#include "outcome.h"

typedef struct ending {
    lt_judgement last, worst;
    double momentum_error;   /* the largest of all steps */
    uint64_t first, at_rest; /* units: the most of a step in the first half, the mean of the last 20 */
    uint64_t asleep, contacts, allocations;
} ending;

typedef struct comparison {
    const char *name;
    uint64_t steps;
    double depth;  /* of size, and how far it may be from the one by brute force */
    double energy; /* J, likewise, at the end; and above the start's */
    double height; /* m, how far the mean heights may be from each other */
    bool sleeps;
} comparison;

static void note_report(ending *e, const lt_report *report, uint64_t step, uint64_t steps) {
    e->momentum_error = lt_max_d(e->momentum_error, report->momentum_error);
    e->allocations += report->allocations;
    e->asleep = report->sleeping;
    e->contacts = report->contacts;
    if (step < steps / 2) e->first = lt_max_u64(e->first, report->units);
    if (step + 20 >= steps) e->at_rest += report->units / 20;
}

static ending end_of(const comparison *c, lt_method method) {
    lt_error error = {0};
    lt_scene scene;
    lt_scene_world run;
    ending e = {0};
    if (lt_scene_make(&scene, c->name, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return e;
    }
    scene.method = method;
    scene.self_collision = false;
    scene.sleeping = c->sleeps;
    lt_world_def def = lt_scene_world_def(&scene);
    def.diagnostics = true;
    if (lt_scene_build(&run, &scene, &def, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        lt_scene_free(&scene);
        return e;
    }
    outcome o = outcome_begin(&run, 10);
    for (uint64_t step = 0; step < c->steps; step++) {
        lt_scene_advance(&run, step);
        lt_report report = lt_world_step(run.world, scene.dt, lt_budget_unlimited());
        note_report(&e, &report, step, c->steps);
        outcome_step(&o);
    }
    e.last = o.last;
    e.worst = o.worst;
    outcome_expect_none_lost(&o);
    outcome_end(&o);
    lt_scene_world_free(&run);
    lt_scene_free(&scene);
    return e;
}

static void print_ending(const char *name, const ending *e) {
    printf("%s: depth %.4f, below %.4f, energy %.4f J, height %.4f m, asleep %llu, units %llu then %llu\n",
           name, e->worst.depth_share, e->worst.below_share, e->last.energy, e->last.height_mean,
           (unsigned long long)e->asleep, (unsigned long long)e->first, (unsigned long long)e->at_rest);
}

static void compare(const comparison *c) {
    ending known = end_of(c, LT_METHOD_REFERENCE), e = end_of(c, LT_METHOD_ENGINE);
    print_ending(c->name, &known);
    print_ending("   engine", &e);
    CHECK(known.contacts > 0 && e.first > 0);
    CHECK_NEAR(e.worst.depth_share, known.worst.depth_share, c->depth);
    CHECK_NEAR(e.worst.below_share, known.worst.below_share, c->depth);
    CHECK_NEAR(e.last.height_mean, known.last.height_mean, c->height);
    CHECK_NEAR(e.last.energy, known.last.energy, c->energy);
    CHECK(e.worst.energy_excess <= lt_max_d(known.worst.energy_excess, 0) + c->energy);
    CHECK(e.momentum_error <= 1e-6);
    CHECK_COUNT(e.allocations, 0);
    CHECK_COUNT(e.asleep, known.asleep);
}

static void scenes_end_as_by_force(void) {
    compare(&(comparison){"drop", 150, 0.001, 0.1, 0.0005, true});
    compare(&(comparison){"stack", 180, 0.001, 0.1, 0.0005, true});
    compare(&(comparison){"tower", 150, 0.001, 0.1, 0.0005, true});
    compare(&(comparison){"plates", 60, 0.001, 0.2, 0.0005, true});
}

/* Nobody sleeps: what has come to rest is looked at by its clocks. */
static void rest_takes_few_units(void) {
    const comparison stack = {"stack", 240, 0.001, 0.1, 0.0005, false};
    ending e = end_of(&stack, LT_METHOD_ENGINE);
    print_ending("stack, awake", &e);
    CHECK(e.contacts > 0);
    CHECK_COUNT(e.asleep, 0);
    CHECK(4 * e.at_rest < e.first);
}

int main(void) {
    RUN(scenes_end_as_by_force);
    RUN(rest_takes_few_units);
    return check_finish();
}
