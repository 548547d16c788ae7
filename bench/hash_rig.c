/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "hash_parts.h"

#include "world/world.h"

lt_status lt_hash_rig_build(lt_hash_rig *rig, lt_bench *bench, const lt_scene *scene, const lt_world_def *def,
                            lt_error *error) {
    *rig = (lt_hash_rig){.scene = *scene, .allocator = bench->allocator};
    rig->scene.method = LT_METHOD_TET_HASH;
    rig->scene.sleeping = false;
    lt_status status = lt_scene_build(&rig->built, &rig->scene, def, error);
    if (status != LT_OK) lt_hash_rig_free(rig);
    return status;
}

lt_status lt_hash_rig_create(lt_hash_rig *rig, lt_bench *bench, const char *scene, const lt_world_def *def,
                             lt_error *error) {
    lt_scene made;
    *rig = (lt_hash_rig){0};
    lt_status status = lt_scene_make(&made, scene, &bench->allocator, error);
    return status == LT_OK ? lt_hash_rig_build(rig, bench, &made, def, error) : status;
}

void lt_hash_rig_free(lt_hash_rig *rig) {
    LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_size, uint8_t);
    lt_scene_world_free(&rig->built);
    lt_scene_free(&rig->scene);
    *rig = (lt_hash_rig){0};
}

lt_report lt_hash_rig_step(const lt_hash_rig *rig, lt_budget budget) {
    return lt_world_step(rig->built.world, rig->scene.dt, budget);
}

lt_status lt_hash_rig_keep(lt_hash_rig *rig, lt_error *error) {
    LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_size, uint8_t);
    rig->snapshot_size = lt_world_snapshot_size(rig->built.world);
    rig->snapshot = LT_NEW(&rig->allocator, rig->snapshot_size, uint8_t);
    if (!rig->snapshot) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    lt_world_snapshot(rig->built.world, rig->snapshot, rig->snapshot_size);
    return LT_OK;
}

lt_status lt_hash_rig_return(lt_hash_rig *rig, lt_error *error) {
    return lt_world_restore(rig->built.world, rig->snapshot, rig->snapshot_size, error);
}

lt_memory *lt_hash_rig_memory(const lt_hash_rig *rig) {
    return rig->built.world->method_state;
}

lt_hash_cost lt_hash_cost_of(const lt_report *report) {
    uint64_t cycle = report->cuts.units[LT_STAGE_EMBED] + report->cuts.units[LT_STAGE_DETECT];
    return (lt_hash_cost){.cycle = cycle, .others = report->units - cycle};
}

/* A fiftieth more: what comes and goes while the bodies move must not cost a whole step. */
lt_budget lt_hash_budget(lt_hash_cost cost, uint32_t latency) {
    return lt_budget_units(cost.others + (cost.cycle + cost.cycle / 50) / latency);
}

void lt_hash_latency_add(lt_hash_latency *latency, const lt_report *report) {
    latency->steps++;
    latency->waited++;
    latency->age_max = lt_max_u64(latency->age_max, report->age_max);
    latency->longest = lt_max_u32(latency->longest, latency->waited);
    if (report->pending) return;
    latency->waited = 0;
    latency->cycles++;
}

double lt_hash_latency_mean(const lt_hash_latency *latency) {
    return (double)latency->steps / lt_max_u32(1, latency->cycles);
}
