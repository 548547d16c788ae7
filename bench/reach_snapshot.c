/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A snapshot of the letters while they heap up, with a budget that leaves work unfinished: how large it is beside the state (how long
 * it takes is in bench core), and whether a hundred steps from it are the hundred steps there would have been, in the same world and in
 * another that the same calls built. Budgets are units: every hash is one of every machine.
 *
 * The state is counted as little as it can be: three positions and three velocities a node as lt_real has them, and the contacts
 * as a user is given them (lt_contact). What else decides the future is what the snapshot may be larger for: rotations that the
 * model begins its next search with, places from which boxes measure how far nodes have come, friction and age of contacts,
 * the turns of the pairs that wait. */

#include "reach_internal.h"

#include "scene_rig.h"
#include "world/world.h"

enum { STEPS = 500, QUICK_STEPS = 90, MORE_STEPS = 100, QUICK_MORE_STEPS = 20 };
/* Too little for the heap: pairs wait. */
static const uint64_t UNITS = 200000, QUICK_UNITS = 12000;

typedef struct moment {
    lt_scene_rig rig;
    uint64_t units;
    uint64_t pending; /* pairs that the step before it left */
    uint32_t contact_count;
    size_t state_size;
    uint32_t more_steps;
    uint64_t hashes[MORE_STEPS]; /* of the steps after it */
} moment;

static lt_status build(lt_scene_rig *rig, lt_bench *bench, lt_error *error) {
    lt_scene scene;
    lt_status status = lt_scene_letters(&scene, bench, error);
    return status == LT_OK ? lt_scene_rig_build(rig, bench, &scene, LT_METHOD_CELL_BOX, NULL, error) : status;
}

static size_t count_state(const lt_world *world, uint32_t contact_count) {
    size_t nodes = 0;
    for (uint32_t i = 0; i < lt_world_body_count(world); i++)
        nodes += lt_soft_at(world, i)->carrier.node_count;
    return nodes * 6 * sizeof(lt_real) + contact_count * sizeof(lt_contact);
}

static lt_status reach_moment(moment *m, lt_bench *bench, lt_error *error) {
    *m = (moment){.units = bench->quick ? QUICK_UNITS : UNITS,
                  .more_steps = bench->quick ? QUICK_MORE_STEPS : MORE_STEPS};
    lt_status status = build(&m->rig, bench, error);
    for (uint32_t i = 0; status == LT_OK && i < (bench->quick ? QUICK_STEPS : STEPS); i++)
        m->pending = lt_scene_rig_step(&m->rig, lt_budget_collision_units(m->units)).pending;
    if (status != LT_OK) return status;
    lt_world_contacts(m->rig.built.world, &m->contact_count);
    m->state_size = count_state(m->rig.built.world, m->contact_count);
    return lt_scene_rig_keep(&m->rig, error);
}

/* ---- what comes after ---- */

static void record_hashes(moment *m) {
    for (uint32_t i = 0; i < m->more_steps; i++) {
        lt_scene_rig_step(&m->rig, lt_budget_collision_units(m->units));
        m->hashes[i] = lt_world_hash(m->rig.built.world);
    }
}

/* How many of the steps after it have other hashes than they had. */
static lt_status compare_hashes(const moment *m, lt_scene_rig *rig, uint32_t *differing, lt_error *error) {
    lt_status status = lt_world_restore(rig->built.world, m->rig.snapshot, m->rig.snapshot_size, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < m->more_steps; i++) {
        lt_scene_rig_step(rig, lt_budget_collision_units(m->units));
        *differing += lt_world_hash(rig->built.world) != m->hashes[i];
    }
    return LT_OK;
}

static lt_status compare_worlds(moment *m, lt_bench *bench, uint32_t *differing, lt_error *error) {
    lt_scene_rig other = {0};
    record_hashes(m);
    lt_status status = compare_hashes(m, &m->rig, differing, error);
    if (status == LT_OK) status = build(&other, bench, error);
    if (status == LT_OK) status = compare_hashes(m, &other, differing, error);
    lt_scene_rig_free(&other);
    return status;
}

/* ---- all ---- */

static void add_row(lt_bench *bench, const moment *m, uint32_t differing) {
    double ratio = (double)m->rig.snapshot_size / (double)m->state_size;
    lt_bench_row_begin(bench, "snapshot of letters");
    lt_bench_number(bench, "bodies", lt_world_body_count(m->rig.built.world));
    lt_bench_number(bench, "contacts", m->contact_count);
    lt_bench_number(bench, "pending", (double)m->pending);
    lt_bench_number(bench, "state KB", (double)m->state_size * 1e-3);
    lt_bench_number(bench, "snapshot KB", (double)m->rig.snapshot_size * 1e-3);
    lt_bench_number(bench, "steps compared", 2 * m->more_steps);
    lt_bench_number(bench, "differing", differing);
    lt_bench_check_value(bench, "reach.snapshot-size-over-state", ratio, "<=", 2);
    lt_bench_check_value(bench, "reach.snapshot-unfinished-pairs", (double)m->pending, ">", 0);
    lt_bench_check_value(bench, "reach.snapshot-restored-hash-same", differing == 0, "==", 1);
}

lt_status lt_reach_snapshot(lt_bench *bench, lt_error *error) {
    moment m;
    uint32_t differing = 0;
    lt_status status = reach_moment(&m, bench, error);
    if (status == LT_OK) status = compare_worlds(&m, bench, &differing, error);
    if (status == LT_OK) add_row(bench, &m, differing);
    lt_scene_rig_free(&m.rig);
    return status;
}
