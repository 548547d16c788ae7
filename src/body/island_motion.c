/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One island through a step: its explicit bodies, the cursor of the implicit ones, and a look whether numbers are sane. */

#include "body/island_motion.h"

#include "body/rigid_passes.h"

#include <string.h>

/* Of a node of an explicit body, in a stage of a sub-step, with the elements around it; of a coupling. */
enum { NODE_UNITS = 100, COUPLING_UNITS = 40 };

/* Nodes are within what is sane of each other: one stands for all. */
static bool is_in_reach(const lt_soft *soft) {
    lt_dvec3 place = lt_soft_to_world(soft, lt_node_get(soft->x, 0));
    double most = (double)LT_FARTHEST + 1000 * (double)soft->size;
    return fabs(place.x) <= most && fabs(place.y) <= most && fabs(place.z) <= most;
}

/* A body whose numbers left the sane range goes back to where the step began, at rest. Sane: finite, within LT_FARTHEST, and no
 * node farther in one step than a thousand times the size of the body beyond twice what it came with; and not four times the energy
 * that work can have given it. Nodes that follow others are as sane as these. */
static void check_sanity(const lt_member *member, const lt_advance *advance) {
    LT_ASSERT(advance->dt >= 0);
    const lt_motion_kernels *kernels = lt_motion_kernels_for(advance->level);
    lt_soft *soft = member->soft;
    size_t count = 4 * (size_t)soft->carrier.node_count;
    lt_real far = 1000 * soft->size + 2 * member->speed * advance->dt;
    lt_motion_check check = {0};
    for (uint32_t row = 0; row < member->row_count && member->nodes; row++) {
        size_t at = 4 * (size_t)member->nodes[row];
        kernels->check(&check, soft->x + at, soft->x_before + at, soft->v + at, 1);
    }
    if (!member->nodes) kernels->check(&check, soft->x, soft->x_before, soft->v, soft->carrier.node_count);
    soft->blown_up = !(check.poison == 0 && check.worst < far && check.largest <= LT_FARTHEST) ||
                     !is_in_reach(soft) || soft->runs_away;
    if (!soft->blown_up) return;
    memcpy(soft->x, soft->x_before, count * sizeof(lt_real));
    memset(soft->v, 0, count * sizeof(lt_real));
    if (soft->grid) memset(soft->gain, 0, count * sizeof(lt_real));
}

static void begin_member(lt_member *member, lt_simd_level level) {
    lt_soft *soft = member->soft;
    lt_node_pass pass = {.count = member->row_count, .nodes = member->nodes, .v = soft->v};
    member->center = lt_soft_center(soft);
    member->speed = lt_motion_kernels_for(level)->fastest(&pass);
    memcpy(soft->x_before, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    if (soft->grid) memcpy(soft->v_before, soft->v, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    soft->substeps = soft->iterations = 0;
    soft->residual = soft->energy_taken = 0;
    soft->drag = (lt_rvec3){0, 0, 0};
    soft->blown_up = soft->runs_away = false;
}

static void end_member(const lt_member *member, const lt_advance *advance) {
    lt_soft *soft = member->soft;
    check_sanity(member, advance);
    memset(soft->force, 0, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    lt_soft_publish(soft);
}

/* What a blown-up body was pushed with means nothing, and friction's spring would carry it into the next step. */
static void clear_blown_couplings(const lt_advance *advance, const lt_island *island) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (sides.a->soft->blown_up || (sides.b && sides.b->soft->blown_up))
            c->impulse = c->stick = (lt_rvec3){0, 0, 0};
    }
}

static uint64_t explicit_units(const lt_island *island) {
    uint64_t nodes = 0, stages = 1, substeps = 0;
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_soft *soft = island->members[m].soft;
        if (!lt_soft_is_explicit(soft)) continue;
        nodes += soft->carrier.node_count;
        if (soft->model == LT_MODEL_EXPLICIT_FEM) stages = 4;
        substeps = lt_max_u64(substeps, soft->substeps);
    }
    return substeps * stages * (NODE_UNITS * nodes + COUPLING_UNITS * (uint64_t)island->coupling_count);
}

void lt_island_begin(lt_island_motion *motion, const lt_advance *advance, lt_island *island) {
    *motion = (lt_island_motion){0};
    for (uint32_t m = 0; m < island->member_count; m++)
        begin_member(&island->members[m], advance->level);
    lt_explicit_advance(advance, island);
    motion->explicit_units = explicit_units(island);
    motion->is_implicit = lt_implicit_begin(&motion->solve, advance, island);
}

void lt_island_end(lt_island_motion *motion, const lt_advance *advance, const lt_island *island) {
    if (motion->is_implicit) lt_implicit_end(&motion->solve);
    for (uint32_t m = 0; m < island->member_count; m++)
        end_member(&island->members[m], advance);
    clear_blown_couplings(advance, island);
}
