/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What this build's methods, policies and reports have. A row of the bench that has nothing to read here stays unmeasured, and is
 * measured as soon as one of these functions says something. */

#include "engine_internal.h"

#include "pair/table.h"
#include "world/world.h"

#include <string.h>

lt_method lt_engine_find_method(const char *name) {
    for (int m = 0; m < LT_METHOD_COUNT; m++)
        if (strcmp(lt_method_name((lt_method)m), name) == 0) return (lt_method)m;
    return LT_METHOD_COUNT;
}

/* No method has policies yet: all are run as they are. */
bool lt_engine_has_policy(lt_method method, lt_engine_policy policy) {
    return method != LT_METHOD_COUNT && policy == LT_ENGINE_SOFT;
}

void lt_engine_set_policy(lt_world_def *def, lt_engine_policy policy) {
    LT_ASSERT(policy == LT_ENGINE_SOFT);
    (void)def;
    (void)policy;
}

lt_engine_counts lt_engine_count(const lt_world *world) {
    lt_engine_counts counts = {.body_count = lt_world_body_count(world)};
    for (uint32_t i = 0; i < counts.body_count; i++)
        counts.node_count += lt_body_node_count(world, lt_world_body_at(world, i));
    const lt_pair_table *pairs = world->method->pairs(world->method_state);
    counts.pair_count = pairs ? pairs->count : 0;
    return counts;
}

double lt_engine_said_fixed(const lt_report *report) {
    (void)report; /* `fixed_units` is not there yet */
    return NAN;
}
