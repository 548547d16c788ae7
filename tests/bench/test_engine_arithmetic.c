/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What `lithe bench engine` computes, on numbers by hand: no world is stepped here. The source is taken in whole because it belongs to
 * the program, not to a library. */

#include "bench/engine_arithmetic.c"
#include "check.h"

/* 1 … 50 in another order: 99 % of 50 are 49.5, so the 50th; 98 % are 49. */
static void percentiles_are_ranks(void) {
    double values[50];
    for (int i = 0; i < 50; i++)
        values[i] = (i * 17) % 50 + 1;
    CHECK_NEAR(lt_engine_percentile(values, 50, 99), 50, 0);
    CHECK_NEAR(lt_engine_percentile(values, 50, 98), 49, 0);
    CHECK_NEAR(lt_engine_percentile(values, 50, 50), 25, 0);
    CHECK_NEAR(lt_engine_percentile(values, 50, 0), 1, 0);
    CHECK(isnan(lt_engine_percentile(values, 0, 50)));
}

static void medians_leave_out_what_is_none(void) {
    double odd[] = {5, NAN, 1, 3}, even[] = {4, 1, 2, 8}, none[] = {NAN, NAN};
    CHECK_NEAR(lt_engine_median(odd, 4), 3, 0);
    CHECK_NEAR(lt_engine_median(even, 4), 3, 0); /* between 2 and 4 */
    CHECK(isnan(lt_engine_median(none, 2)));
}

/* Sixteen bodies of 130 nodes with 82 pairs: 16 × 430 + 82 × 300. */
static void bounds_are_counts(void) {
    CHECK_COUNT(lt_engine_fixed_bound((lt_engine_counts){16, 16 * 130, 82}), 31480);
    CHECK_COUNT(lt_engine_fixed_bound((lt_engine_counts){1, 0, 0}), 300);
    CHECK_COUNT(lt_engine_fixed_bound((lt_engine_counts){0, 7, 0}), 7);
    CHECK_COUNT(lt_engine_share_units(40000, 5000, 10), 4000);
    CHECK_COUNT(lt_engine_share_units(40000, 30000, 10), 6000); /* of twice the fixed cost */
    CHECK_COUNT(lt_engine_share_units(40000, 30000, 0), 0);
}

static void ages_are_cycles(void) {
    CHECK_NEAR(lt_engine_age_bound(100, 50), 3, 0);
    CHECK_NEAR(lt_engine_age_bound(100, 30), 5, 0); /* four steps look at all, and one begins */
}

/* 2 kg fall for a tenth of a second at 10 m/s²: 2 kg m/s down by gravity alone; of 1 kg m/s that is left the floor gave 1 up. With a
 * damping of 1/s what is left was divided by 1.1. */
static void contacts_give_what_gravity_does_not(void) {
    const lt_dvec3 rest = {0, 0, 0}, down = {0, -10, 0}, half = {0.5, -1, 0};
    lt_dvec3 got = lt_engine_received(rest, half, 2, down, 0, 0.1);
    CHECK_NEAR(got.x, 0.5, 1e-15);
    CHECK_NEAR(got.y, 1, 1e-15);
    lt_dvec3 fallen = {0, -2 / 1.1, 0};
    CHECK_NEAR(lt_d3_length(lt_engine_received(rest, fallen, 2, down, 1, 0.1)), 0, 1e-15);
    lt_dvec3 going = {3, 0, 0}, slower = {3 / 1.1, 0, 0};
    CHECK_NEAR(lt_d3_length(lt_engine_received(going, slower, 2, (lt_dvec3){0, 0, 0}, 1, 0.1)), 0, 1e-15);
}

/* |(0, 3, 0) - (0, 4, 0)| + |(3, 4, 0) - 0| = 6 over 4 + 0. */
static void force_errors_are_sums_over_bodies(void) {
    const lt_dvec3 p[] = {{0, 3, 0}, {3, 4, 0}}, exact[] = {{0, 4, 0}, {0, 0, 0}};
    CHECK_NEAR(lt_engine_force_error(p, exact, 2, 0), 1.5, 1e-15);
    CHECK_NEAR(lt_engine_force_error(exact, exact, 2, 0), 0, 0);
    CHECK(isnan(lt_engine_force_error(p, exact, 2, 4))); /* too little to compare with */
}

static void ways_are_shares(void) {
    CHECK_NEAR(lt_engine_travelled(3, 4, 1), 0.75, 0);
    CHECK_NEAR(lt_engine_travelled(9, 4, 1), 1, 0); /* through the floor is not farther */
    CHECK_NEAR(lt_engine_travelled(-2, 4, 1), -0.5, 0);
    CHECK(isnan(lt_engine_travelled(1, 1, 1)));
}

static void sides_change_only_side_by_side(void) {
    const lt_dvec3 up = {0, 1, 0};
    CHECK(lt_engine_has_passed((lt_dvec3){0, 0.1, 0}, (lt_dvec3){0, -0.1, 0}, up, 0.2));
    CHECK(!lt_engine_has_passed((lt_dvec3){0, 0.2, 0}, (lt_dvec3){0, 0.1, 0}, up, 0.2));
    CHECK(!lt_engine_has_passed((lt_dvec3){0.3, 0.1, 0}, (lt_dvec3){0.3, -0.1, 0}, up, 0.2)); /* around */
    /* From (0.3, 0.1) to (-0.1, -0.3) they are level a quarter of the way, at 0.2 beside; from (0.3, 0.3) to (-0.1, -0.1) at 0. */
    CHECK(!lt_engine_has_passed((lt_dvec3){0.3, 0.1, 0}, (lt_dvec3){-0.1, -0.3, 0}, up, 0.19));
    CHECK(lt_engine_has_passed((lt_dvec3){0.3, 0.1, 0}, (lt_dvec3){-0.1, -0.3, 0}, up, 0.21));
    CHECK(lt_engine_has_passed((lt_dvec3){0.3, 0.3, 0}, (lt_dvec3){-0.1, -0.1, 0}, up, 0.01));
}

/* Early on only what is above the start counts, since contacts give back what they have stored; later what is above the least. */
static void energy_rises_from_the_least_when_it_is_late(void) {
    const double joules[] = {9, 4, 8, 10.5, 6, 5, 5.25};
    lt_engine_energy early = lt_engine_energy_begin(10, UINT32_MAX), late = lt_engine_energy_begin(10, 4),
                     later = lt_engine_energy_begin(20, 4);
    for (int i = 0; i < 7; i++) {
        lt_engine_energy_take(&early, joules[i]);
        lt_engine_energy_take(&late, joules[i]);
        lt_engine_energy_take(&later, joules[i]);
    }
    CHECK_NEAR(early.rise, 0.5, 1e-15);
    CHECK_NEAR(late.rise, 0.5, 1e-15);
    CHECK_NEAR(later.rise, 0.25, 1e-15);
    lt_engine_energy_take(&early, NAN);
    CHECK(early.rise > 1e8);
}

int main(void) {
    RUN(percentiles_are_ranks);
    RUN(medians_leave_out_what_is_none);
    RUN(bounds_are_counts);
    RUN(ages_are_cycles);
    RUN(contacts_give_what_gravity_does_not);
    RUN(force_errors_are_sums_over_bodies);
    RUN(ways_are_shares);
    RUN(sides_change_only_side_by_side);
    RUN(energy_rises_from_the_least_when_it_is_late);
    return check_finish();
}
