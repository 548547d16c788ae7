/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench tet-hash`, and the scene that several of them run again and again. Private to bench/hash_*.c. */

#ifndef LITHE_BENCH_HASH_PARTS_H
#define LITHE_BENCH_HASH_PARTS_H

#include "bench.h"

#include "method/memory.h"
#include "scenes/scene.h"

lt_status lt_hash_limit(lt_bench *bench, lt_error *error);
lt_status lt_hash_stack(lt_bench *bench, lt_error *error);
lt_status lt_hash_tori(lt_bench *bench, lt_error *error);
lt_status lt_hash_cuts(lt_bench *bench, lt_error *error);
lt_status lt_hash_speed(lt_bench *bench, lt_error *error);

/* A built-in scene with the method tet-hash, whose bodies never sleep, and a moment of it to go back to. */
typedef struct lt_hash_rig {
    lt_scene scene;
    lt_scene_world built;
    uint8_t *snapshot;
    size_t snapshot_size;
    lt_allocator allocator;
} lt_hash_rig;

/* `def`: mode, clock and the like; NULL: defaults. */
lt_status lt_hash_rig_create(lt_hash_rig *rig, lt_bench *bench, const char *scene, const lt_world_def *def,
                             lt_error *error);
/* The same of a scene that the caller has made, which it takes over in any case. */
lt_status lt_hash_rig_build(lt_hash_rig *rig, lt_bench *bench, const lt_scene *scene, const lt_world_def *def,
                            lt_error *error);
/* Safe on zeroed ones. */
void lt_hash_rig_free(lt_hash_rig *rig);
lt_report lt_hash_rig_step(const lt_hash_rig *rig, lt_budget budget);
/* The moment to go back to. */
lt_status lt_hash_rig_keep(lt_hash_rig *rig, lt_error *error);
lt_status lt_hash_rig_return(lt_hash_rig *rig, lt_error *error);

/* What the method holds, to look at and to set aside. */
lt_memory *lt_hash_rig_memory(const lt_hash_rig *rig);

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
