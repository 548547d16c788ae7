/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where a multigrid body needs finer nodes, and where coarser ones do (papers/003 §4.2–4.3, spec O3).
 *
 * A node's error is how far the next coarser level is from what it does, d = x − P x, as its equation sees it:
 *
 *     ê = |(A d)_N| / (A_NN h_N)        a share of the mean edge of its level, whatever Δt, the material and the size
 *
 * with A by its Laplacian (ties): the same for every direction, constant, and at hand before anything is assembled. d is zero
 * for affine motions, turning included.
 *
 *   refine    front nodes with ê > θ: what hangs on them becomes active, after what they need (multigrid_front.c)
 *   coarsen   interior nodes all of whose children are front nodes with ê < θ/2, and have no refined neighbours
 *
 * Nodes that become active are where they were; those that no longer are go to where they hang. What that changes of the
 * momentum, linear and angular about the centre of mass, is given back as a rigid motion. */

#include "body/multigrid.h"

#include <string.h>

static const lt_real CALM = (lt_real)0.5; /* share of the threshold below which nodes may be let go */

/* ---- errors ---- */

/* d of active and interface nodes of all levels but the coarsest, into scratch. */
static void find_details(const lt_soft *soft, lt_real *details) {
    const lt_multigrid *g = soft->grid;
    uint32_t level_count = lt_level_count(soft);
    for (uint32_t i = 0; i < g->active.begin[level_count - 1]; i++) {
        size_t at = 4 * (size_t)g->active.items[i];
        lt_r4 coarse = lt_prolong(&soft->carrier, g->active.items[i], soft->x);
        lt_r4_store(details + at, lt_r4_sub(lt_r4_load(soft->x + at), coarse));
    }
    for (uint32_t i = 0; i < g->interface.begin[level_count]; i++)
        lt_r4_store(details + 4 * (size_t)g->interface.items[i], lt_r4_splat(0));
}

static lt_real error_of(const lt_soft *soft, const lt_real *details, lt_real stiffness_factor, uint32_t node,
                        lt_real edge) {
    const lt_multigrid *g = soft->grid;
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    lt_real mass = g->level_mass[node];
    lt_r4 sum = lt_r4_mul(lt_r4_load(details + 4 * (size_t)node), lt_r4_splat(mass));
    for (uint32_t entry = pattern->row_begin[node]; entry < pattern->row_begin[node + 1]; entry++)
        sum = lt_r4_mad(sum, lt_r4_load(details + 4 * (size_t)pattern->columns[entry]),
                        lt_r4_splat(stiffness_factor * g->ties[entry]));
    lt_real own = mass + stiffness_factor * g->ties[pattern->diagonal[node]];
    return lt_r3_length(lt_r4_xyz(sum)) / (own * edge);
}

static void find_errors(lt_soft *soft, lt_real dt) {
    lt_multigrid *g = soft->grid;
    lt_real factor = dt * dt + dt * (lt_real)soft->material.stiffness_damping;
    find_details(soft, g->details);
    for (uint32_t level = 0; level + 1 < lt_level_count(soft); level++)
        for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++)
            g->errors[g->active.items[i]] =
                error_of(soft, g->details, factor, g->active.items[i], g->edges[level]);
}

/* ---- choosing ---- */

static bool refine_nodes(lt_soft *soft, lt_real threshold) {
    const lt_multigrid *g = soft->grid;
    bool any = false;
    for (uint32_t row = g->active.begin[1]; row < g->row_count; row++) {
        uint32_t node = g->nodes[row];
        if (!(g->errors[node] > threshold)) continue;
        soft->refined[node] = 1;
        any = true;
    }
    return any;
}

static bool is_calm(const lt_soft *soft, uint32_t node, lt_real threshold) {
    const lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    for (uint32_t i = g->child_begin[node]; i < g->child_begin[node + 1]; i++) {
        uint32_t child = g->children[i];
        if (soft->refined[child] || soft->pinned[child] || g->errors[child] > threshold) return false;
        for (uint32_t k = ladder->cascade_begin[child]; k < ladder->cascade_begin[child + 1]; k++)
            if (soft->refined[ladder->cascade[k]]) return false;
    }
    return true;
}

/* From fine to coarse: who is let go this time may let go its parents the next. */
static bool coarsen_nodes(lt_soft *soft, lt_real threshold) {
    const lt_multigrid *g = soft->grid;
    bool any = false;
    for (uint32_t i = g->active.begin[1]; i < g->active.begin[lt_level_count(soft) - 1]; i++) {
        uint32_t node = g->active.items[i];
        if (g->kinds[node] != LT_NODE_INTERIOR || g->errors[node] > threshold ||
            !is_calm(soft, node, threshold))
            continue;
        soft->refined[node] = 0;
        any = true;
    }
    return any;
}

/* ---- changing ---- */

/* Linear momentum, and angular about the centre of mass: another distribution of mass has another centre, and what the body does
 * as a whole must not turn it. */
static lt_twist momentum_of(const lt_soft *soft, lt_rvec3 center) {
    lt_twist sum = {{0}, {0}};
    lt_twist_add_momentum(&sum, soft, soft->v, center);
    return sum;
}

/* How far nodes of the finest level, which carry the surface, are moved by it. */
static lt_real largest_jump(const lt_soft *soft, const lt_real *before) {
    lt_real worst = 0;
    for (uint32_t node = 0; node < soft->carrier.ladder.node_begin[1]; node++)
        worst = lt_max_r(
            worst, lt_r3_length_squared(lt_r3_sub(lt_node_get(soft->x, node), lt_node_get(before, node))));
    return lt_sqrt_r(worst);
}

static void change_front(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    size_t finest = 4 * (size_t)soft->carrier.ladder.node_begin[1];
    lt_twist before = momentum_of(soft, lt_soft_center(soft));
    memcpy(g->details, soft->x, finest * sizeof *g->details);
    lt_front_update(soft);
    lt_soft_follow(soft);
    lt_rvec3 center = lt_soft_center(soft);
    lt_twist after = momentum_of(soft, center), missing;
    for (int k = 0; k < 3; k++) {
        missing.linear[k] = before.linear[k] - after.linear[k];
        missing.angular[k] = before.angular[k] - after.angular[k];
    }
    if (soft->pin_count == 0) lt_twist_give(soft->v, soft, center, &missing);
    g->jump = lt_max_r(g->jump, largest_jump(soft, g->details));
    lt_soft_publish(soft);
}

bool lt_multigrid_adapt(lt_soft *soft, lt_real dt) {
    lt_multigrid *g = soft->grid;
    g->jump = 0;
    if (!(soft->refine_threshold > 0 && soft->refine_threshold < LT_NO_LIMIT)) return false;
    lt_real threshold = soft->refine_threshold / soft->significance;
    find_errors(soft, dt);
    bool refined = refine_nodes(soft, threshold);
    bool coarsened = coarsen_nodes(soft, CALM * threshold);
    if (refined || coarsened) change_front(soft);
    return refined || coarsened;
}
