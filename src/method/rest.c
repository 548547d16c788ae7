/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/rest.h"

float lt_rest_slow_speed(const lt_rest *rest, const lt_soft *soft) {
    LT_ASSERT(soft->size > 0);
    return rest->slow_speed * sqrtf((float)soft->size);
}

static float fastest_node(const lt_soft *soft, float dt) {
    LT_ASSERT(dt >= 0);
    (void)dt;
    return (float)lt_soft_speed(soft);
}

static float fastest_node_ahead(const lt_soft *soft, float quiet_time) {
    (void)quiet_time;
    return (float)lt_soft_speed(soft);
}

static float mean_way(const lt_soft *soft, float dt) {
    LT_ASSERT(dt >= 0);
    LT_ASSERT(dt > 0);
    lt_real sum = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->x, node), lt_node_get(soft->x_before, node));
        sum += lt_r3_length_squared(way);
    }
    return (float)lt_sqrt_r(sum / (lt_real)soft->carrier.node_count) / dt;
}

/* The velocity of a body at rest is not zero: only one that has not been slow counts as fast. */
static float speed_of_mass(const lt_soft *soft, float quiet_time) {
    if (quiet_time > 0) return 0;
    return (float)(lt_r3_length(lt_soft_momentum(soft)) / soft->total_mass);
}

/* A body of a metre may creep at 2 cm/s; boxes of cells tremble more than points do. */
const lt_rest lt_rest_by_velocities = {
    .slow_speed = 0.02f, .leave_share = 1.0f / 8, .speed = fastest_node, .speed_ahead = fastest_node_ahead};
const lt_rest lt_rest_by_ways = {
    .slow_speed = 0.05f, .leave_share = 1.0f / 2, .speed = mean_way, .speed_ahead = speed_of_mass};
