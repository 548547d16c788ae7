/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "engine_arithmetic.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double lt_engine_percentile(double *values, uint32_t count, double percent) {
    if (count == 0) return NAN;
    qsort(values, count, sizeof *values, compare);
    double rank = ceil(percent * 0.01 * count);
    return values[rank < 1 ? 0 : (uint32_t)rank - 1];
}

double lt_engine_median(double *values, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!isnan(values[i])) values[kept++] = values[i];
    if (kept == 0) return NAN;
    qsort(values, kept, sizeof *values, compare);
    return 0.5 * (values[(kept - 1) / 2] + values[kept / 2]);
}

enum { FIXED_BODY = 300, FIXED_PAIR = 300 };

uint64_t lt_engine_fixed_bound(lt_engine_counts counts) {
    return (uint64_t)FIXED_BODY * counts.body_count + counts.node_count +
           (uint64_t)FIXED_PAIR * counts.pair_count;
}

uint64_t lt_engine_share_units(double full, double fixed, double percent) {
    return (uint64_t)(0.01 * percent * lt_max_d(full, 2 * fixed) + 0.5);
}

double lt_engine_age_bound(double full, double budget) {
    return ceil(full / budget) + 1;
}

lt_dvec3 lt_engine_received(lt_dvec3 before, lt_dvec3 after, double mass, lt_dvec3 gravity, double damping,
                            double dt) {
    lt_dvec3 undamped = lt_d3_scale(after, 1 + damping * dt);
    return lt_d3_mad(lt_d3_sub(undamped, before), gravity, -mass * dt);
}

double lt_engine_force_error(const lt_dvec3 *p, const lt_dvec3 *exact, uint32_t count, double least) {
    double off = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) {
        off += lt_d3_length(lt_d3_sub(p[i], exact[i]));
        all += lt_d3_length(exact[i]);
    }
    return all > least ? off / all : NAN;
}

double lt_engine_travelled(double fallen, double fallen_unlimited, double least) {
    if (!(fallen_unlimited > least)) return NAN;
    return lt_min_d(fallen / fallen_unlimited, 1);
}

bool lt_engine_has_passed(lt_dvec3 before, lt_dvec3 after, lt_dvec3 axis, double reach) {
    double from = lt_d3_dot(before, axis), to = lt_d3_dot(after, axis);
    if (from * to > 0 || from == to) return false;
    double share = from / (from - to); /* where they are side by side */
    lt_dvec3 between = lt_d3_mad(before, lt_d3_sub(after, before), share);
    return lt_d3_length(lt_d3_mad(between, axis, -lt_d3_dot(between, axis))) < reach;
}

lt_engine_energy lt_engine_energy_begin(double start, uint32_t late) {
    return (lt_engine_energy){.start = start, .least_late = INFINITY, .late = late};
}

void lt_engine_energy_take(lt_engine_energy *energy, double now) {
    if (!(now - now == 0)) now = LT_ENGINE_NEVER;
    if (energy->taken++ >= energy->late) {
        energy->least_late = lt_min_d(energy->least_late, now);
        energy->rise = lt_max_d(energy->rise, now - energy->least_late);
    }
    energy->rise = lt_max_d(energy->rise, now - energy->start);
}
