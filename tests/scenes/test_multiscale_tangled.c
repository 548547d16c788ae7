/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bunnies on a budget that cuts nearly every step: where they get into each other although they are held, long turns come by it, and
 * they are parted by depth. With contacts where they cross they would stay so, with tets pressed flat and inside out.
 *
 * labels: slow */

#include "running.h"

typedef struct tally {
    uint32_t inverted, longest, now; /* steps with a tet inside out; in a row */
    uint32_t tangled, cut;
} tally;

static void count(tally *t, const lt_report *report) {
    t->inverted += report->inverted > 0;
    t->now = report->inverted > 0 ? t->now + 1 : 0;
    t->longest = lt_max_u32(t->longest, t->now);
    t->tangled += report->tangled > 0;
    t->cut += report->interrupted > 0;
}

static void run_bunnies(tally *t, uint64_t units, uint32_t steps) {
    running r;
    *t = (tally){0};
    CHECK_FATAL(running_make(&r, "bunny-on-bunny"));
    CHECK_FATAL(running_build(&r));
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = lt_world_step(r.world.world, r.scene.dt, lt_budget_units(units));
        count(t, &report);
    }
    end(&r);
}

static void tets_do_not_stay_inside_out(void) {
    const uint64_t budgets[] = {1500000, 2200000};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        tally t;
        run_bunnies(&t, budgets[i], 200);
        printf("bunnies on %llu units: %u steps inside out, %u in a row, %u tangled, %u cut\n",
               (unsigned long long)budgets[i], t.inverted, t.longest, t.tangled, t.cut);
        CHECK(t.cut > 100 && t.tangled > 0);
        CHECK(t.longest < 40);
        CHECK(t.now == 0);
    }
}

int main(void) {
    RUN(tets_do_not_stay_inside_out);
    return check_finish();
}
