/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench tet-hash`. Private to bench/hash_*.c. */

#ifndef LITHE_BENCH_HASH_INTERNAL_H
#define LITHE_BENCH_HASH_INTERNAL_H

#include "method/memory.h"
#include "scene_rig.h"

lt_status lt_hash_limit(lt_bench *bench, lt_error *error);
lt_status lt_hash_stack(lt_bench *bench, lt_error *error);
lt_status lt_hash_tori(lt_bench *bench, lt_error *error);
lt_status lt_hash_cuts(lt_bench *bench, lt_error *error);
lt_status lt_hash_speed(lt_bench *bench, lt_error *error);

/* What the method holds, to look at and to set aside. */
lt_memory *lt_hash_rig_memory(const lt_scene_rig *rig);

/* Units of a step without a budget: those of the cycle, which a budget spreads over steps, and the others. */
typedef struct lt_hash_cost {
    uint64_t cycle, others;
} lt_hash_cost;
lt_hash_cost lt_hash_cost_of(const lt_report *report);
/* A budget under which a cycle takes that many steps. */
lt_budget lt_hash_budget(lt_hash_cost cost, uint32_t latency);

/* Cycles that ended, counted from reports; the longest may be one that has not. */
typedef struct lt_hash_latency {
    uint32_t steps, cycles, waited, longest;
    uint64_t age_max;
} lt_hash_latency;
void lt_hash_latency_add(lt_hash_latency *latency, const lt_report *report);
/* Steps a cycle, on average. */
double lt_hash_latency_mean(const lt_hash_latency *latency);

#endif
