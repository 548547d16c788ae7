/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "hash_internal.h"

#include "world/world.h"

lt_memory *lt_hash_rig_memory(const lt_scene_rig *rig) {
    return rig->built.world->method_state;
}

lt_hash_cost lt_hash_cost_of(const lt_report *report) {
    uint64_t cycle = report->cuts.units[LT_STAGE_EMBED] + report->cuts.units[LT_STAGE_DETECT];
    return (lt_hash_cost){.cycle = cycle, .others = report->units - cycle};
}

/* A fiftieth more: what comes and goes while the bodies move must not cost a whole step. */
lt_budget lt_hash_budget(lt_hash_cost cost, uint32_t latency) {
    return lt_budget_collision_units(cost.others + (cost.cycle + cost.cycle / 50) / latency);
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
