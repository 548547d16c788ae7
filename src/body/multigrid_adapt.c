/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where a multigrid body needs finer nodes, and where coarser ones do (papers/003 §4.2–4.3, spec O3).
 *
 * A node's error is how far the next coarser level is from what it does:
 *
 *     d = x − P x,   e = s d + (d − d̄)
 *     ê = |(A e)_N| / (A_NN h_N)        a share of the mean edge of its level, whatever Δt, the material and the size
 *
 * with A by its Laplacian (ties): the same for every direction, constant, and at hand before anything is assembled. d is zero
 * for affine motions, turning included. The paper looks at d alone. Under gravity a soft body is bent at rest as much as by a
 * hit, and a stiff one hardly by anything: what tells a hit from rest is whether details change. d̄ follows d within eight
 * steps, and a detail that stays as it is counts by s, a tenth. (A bear of 1 m at E = 10⁵ Pa, θ 0.05 of d alone: 911 of 1,569
 * nodes at rest; one of 0.1 m: never refined. By v − P v in place of d − d̄: 800 at rest, as contact nodes tremble.)
 *
 *   refine    front nodes with ê > θ: what hangs on them becomes active, after what they need (multigrid_front.c). Errors fall
 *             with the edge: what would still be above θ a level finer is refined at once, and so on
 *   coarsen   interior nodes all of whose children are front nodes with ê < 3θ/4 and |d| < 3θ h/2, and have no refined neighbours. What
 *             is bent more would go to another equilibrium, be seen to move, be refined and go back: a bear of 1 m rocked for ever
 *
 * Errors are remembered: each falls by a tenth a step at most, so that who was hit stays fine for some steps, whether or not
 * it still moves.
 *
 * Nodes that become active are where they were. Those that no longer are stay there, too: the offset from where they hang is
 * kept, and fades in some 0.8 s, so that nothing jumps (spec O4: without, by 0.2 % of the body's size). What a change makes of
 * the momentum, linear and angular about the centre of mass, is given back as a rigid motion. */

#include "body/multigrid.h"

#include <string.h>

static const lt_real CALM = (lt_real)0.75; /* share of the threshold below which nodes may be let go */
static const lt_real BENT = 2;             /* times that: a standing detail of nodes that are let go */
static const lt_real STANDING_SHARE = (lt_real)0.1; /* s: of a detail that does not change */
static const lt_real SETTLING = (lt_real)0.125;     /* of the way from d̄ to d, a step */
static const lt_real STEPS_AHEAD = 8;               /* of which the way of who is hit counts */
static const lt_real MEMORY = (lt_real)0.9;         /* of the error of the step before */
static const lt_real STRUCK_MOST =
    3; /* thresholds: the error that a hit makes at most. Fewer do not reach the finest level */
static const lt_real STRUCK_WEIGHT = (lt_real)0.1; /* nodes that carry less of a point are not struck */
static const lt_real PATIENCE =
    8; /* steps between tries to let go, while all of it is needed: one takes as long as a change */
static const lt_real FADING = (lt_real)0.8; /* s: time in which offsets fall to 1/e */

/* ---- errors ---- */

/* e of active and interface nodes of all levels but the coarsest, into scratch. */
static void find_details(const lt_soft *soft, lt_real *details) {
    const lt_multigrid *g = soft->grid;
    uint32_t level_count = lt_level_count(soft);
    for (uint32_t i = 0; i < g->active.begin[level_count - 1]; i++) {
        uint32_t node = g->active.items[i];
        size_t at = 4 * (size_t)node;
        lt_r4 detail = lt_r4_sub(lt_r4_load(soft->x + at), lt_prolong(&soft->carrier, node, soft->x));
        lt_r4 settled = lt_r4_load(soft->settled + at), change = lt_r4_sub(detail, settled);
        lt_r4_store(details + at, lt_r4_mad(change, detail, lt_r4_splat(STANDING_SHARE)));
        lt_r4_store(soft->settled + at, lt_r4_mad(settled, change, lt_r4_splat(SETTLING)));
    }
    for (uint32_t i = 0; i < g->interface.begin[level_count]; i++)
        lt_r4_store(details + 4 * (size_t)g->interface.items[i], lt_r4_splat(0));
}

static lt_real error_of(const lt_soft *soft, const lt_real *details, lt_real stiffness_factor, uint32_t node,
                        lt_real edge) {
    LT_ASSERT(node < soft->carrier.node_count);
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
    LT_ASSERT(dt >= 0);
    lt_multigrid *g = soft->grid;
    lt_real factor = dt * dt + dt * (lt_real)soft->material.stiffness_damping;
    find_details(soft, g->details);
    for (uint32_t level = 0; level + 1 < lt_level_count(soft); level++)
        for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++) {
            lt_real *error = &soft->errors[g->active.items[i]];
            lt_real now = error_of(soft, g->details, factor, g->active.items[i], g->edges[level]);
            *error = lt_max_r(now, MEMORY * *error);
        }
}

/* ---- choosing ---- */

/* From coarse to fine: what a node's children inherit of its error is there when they are looked at. */
static bool refine_nodes(lt_soft *soft, lt_real threshold) {
    const lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    bool any = false;
    for (uint32_t level = ladder->level_count - 1; level-- > 1;)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++) {
            if (soft->refined[node] || !(soft->errors[node] > threshold)) continue;
            soft->refined[node] = 1;
            any = true;
            lt_real inherited = soft->errors[node] * g->edges[level - 1] / g->edges[level];
            for (uint32_t i = g->child_begin[node]; i < g->child_begin[node + 1]; i++) {
                lt_real *error = &soft->errors[g->children[i]];
                if (g->kinds[g->children[i]] < LT_NODE_FRONT) *error = lt_max_r(*error, inherited);
            }
        }
    return any;
}

/* Bent as it stands, by more than that. */
static bool is_bent(const lt_soft *soft, uint32_t node, lt_real most) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_rvec3 hangs = lt_r4_xyz(lt_prolong(&soft->carrier, node, soft->x));
    return lt_r3_length_squared(lt_r3_sub(lt_node_get(soft->x, node), hangs)) > most * most;
}

static bool is_calm(const lt_soft *soft, uint32_t node, lt_real threshold) {
    LT_ASSERT(node < soft->carrier.node_count);
    const lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    lt_real most = BENT * threshold * g->edges[lt_level_of(soft, node) - 1];
    for (uint32_t i = g->child_begin[node]; i < g->child_begin[node + 1]; i++) {
        uint32_t child = g->children[i];
        if (soft->refined[child] || soft->pinned[child] || soft->errors[child] > threshold) return false;
        if (is_bent(soft, child, most)) return false;
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
        if (g->kinds[node] != LT_NODE_INTERIOR || soft->errors[node] > threshold ||
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

/* Nodes that follow others stay where they were, by offsets; what was remembered of them is forgotten. Who has become active
 * begins with its offset for its detail: that is nothing that changed. From coarse to fine. */
static void keep_places(lt_soft *soft, const lt_real *before) {
    const lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    const lt_r4 none = lt_r4_splat(0);
    for (uint32_t level = ladder->level_count - 1; level-- > 0;)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++) {
            size_t at = 4 * (size_t)node;
            lt_r4 offset = lt_r4_load(soft->offset + at), settled = lt_r4_load(soft->settled + at);
            bool follows = g->kinds[node] < LT_NODE_FRONT;
            if (follows) {
                offset = lt_r4_sub(lt_r4_load(before + at), lt_hanging(soft, node, soft->x));
                lt_r4_store(soft->x + at, lt_r4_load(before + at));
                lt_r4_store(soft->gain + at, none);
                soft->errors[node] = 0;
            }
            lt_r4_store(soft->settled + at, follows ? none : lt_r4_add(settled, offset));
            lt_r4_store(soft->offset + at, follows ? offset : none);
        }
}

static void fade_offsets(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    size_t count = 4 * (size_t)soft->carrier.ladder.node_begin[lt_level_count(soft) - 1];
    lt_real share = lt_max_r(0, 1 - dt / FADING), least = soft->size * (lt_real)1e-7;
    for (size_t i = 0; i < count; i++) {
        lt_real faded = soft->offset[i] * share;
        soft->offset[i] = faded > least || faded < -least ? faded : 0;
    }
}

/* False: what was let go is needed, and all is as it was. */
static bool change_front(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    lt_twist before = momentum_of(soft, lt_soft_center(soft));
    memcpy(g->details, soft->x, 4 * (size_t)g->node_count * sizeof *g->details);
    lt_front_update(soft);
    if (memcmp(soft->refined, g->refined_before, g->node_count) == 0) return false;
    keep_places(soft, g->details);
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
    return true;
}

/* Where something hits, a level cannot know from its own motion how fine it has to be: what the point was about to go counts, in
 * edges, as much as details that are looked ahead. */
void lt_soft_strike(lt_soft *soft, const lt_anchor *rows, lt_real speed, lt_real dt) {
    LT_ASSERT(dt >= 0);
    const lt_multigrid *g = soft->grid;
    if (!g || !(speed > 0) || !(soft->refine_threshold > 0 && soft->refine_threshold < LT_NO_LIMIT)) return;
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t node = g->nodes[rows->ids[i]], level = lt_level_of(soft, node);
        lt_real error =
            lt_min_r(STEPS_AHEAD * dt * speed / g->edges[level], STRUCK_MOST * soft->refine_threshold);
        if (rows->weights[i] > STRUCK_WEIGHT) soft->errors[node] = lt_max_r(soft->errors[node], error);
    }
}

bool lt_multigrid_adapt(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_multigrid *g = soft->grid;
    g->jump = 0;
    if (!(soft->refine_threshold > 0 && soft->refine_threshold < LT_NO_LIMIT)) return false;
    lt_real threshold = soft->refine_threshold / soft->significance;
    fade_offsets(soft, dt);
    find_errors(soft, dt);
    memcpy(g->refined_before, soft->refined, g->node_count);
    bool refined = refine_nodes(soft, threshold);
    bool coarsened = *soft->patience == 0 && coarsen_nodes(soft, CALM * threshold);
    bool changed = (refined || coarsened) && change_front(soft);
    *soft->patience = coarsened && !changed ? PATIENCE : lt_max_r(0, *soft->patience - 1);
    return changed;
}
