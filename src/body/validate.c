/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Invariants of a body between two steps. */

#include "body/multigrid.h"

static bool are_finite(const lt_real *values, size_t count) {
    lt_real poison = 0;
    for (size_t i = 0; i < count; i++)
        poison += values[i] - values[i]; /* 0, or not a number */
    return poison == 0;
}

/* Surfaces and bounds see the nodes where they are, rounded to float. */
static bool is_published(const lt_soft *soft) {
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++)
        if (i % 4 < 3 &&
            !(soft->nodes[i] == (float)soft->x[i] && soft->node_velocities[i] == (float)soft->v[i]))
            return false;
    return true;
}

static const char *flaw_of_nodes(const lt_soft *soft) {
    uint32_t pins = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (soft->pinned[node] > 1) return "a pin is neither set nor not";
        if (!(soft->mass[node] >= 0)) return "a node has negative mass";
        pins += soft->pinned[node];
    }
    return pins == soft->pin_count ? NULL : "other nodes are pinned than were counted";
}

const char *lt_validate_soft(const lt_soft *soft) {
    size_t lanes = 4 * (size_t)soft->carrier.node_count;
    if (soft->carrier.node_count == 0) return "a body has no nodes";
    if (!are_finite(soft->x, lanes)) return "a position is not finite";
    if (!are_finite(soft->v, lanes)) return "a velocity is not finite";
    if (!are_finite(soft->force, lanes)) return "a force is not finite";
    if (!is_published(soft)) return "surfaces see other nodes than there are";
    if (!(soft->scale > 0 && soft->total_mass > 0)) return "a body has no size or no mass";
    if (soft->state_size > soft->memory_size) return "more state than memory";
    const char *flaw = flaw_of_nodes(soft);
    return flaw || !soft->grid ? flaw : lt_front_flaw(soft);
}
