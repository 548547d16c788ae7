/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One collision cycle on one frame of the plates, in one step and spread over more and more steps, while everything moves
 * on: the contacts that it ends with must be the same, bit for bit. */

#include "hash_internal.h"

#include <stdio.h>
#include <string.h>

enum { FALL_STEPS = 40, STEPS_MAX = 1000 };

typedef struct answer {
    lt_contact_record *records; /* [capacity] */
    uint32_t count, capacity;
} answer;

static void copy_answer(answer *out, const lt_scene_rig *rig) {
    const lt_contact_list *list = &lt_hash_rig_memory(rig)->contacts;
    out->count = lt_min_u32(list->count, out->capacity);
    memcpy(out->records, list->records, out->count * sizeof *out->records);
}

/* As detected, that is: what the response has made of it since is about another moment. */
static bool same_contact(const lt_contact_record *x, const lt_contact_record *y) {
    return memcmp(&x->touch.depth, &y->touch.depth, sizeof(float)) == 0 &&
           memcmp(&x->touch.normal, &y->touch.normal, sizeof(lt_vec3)) == 0 &&
           x->touch.other.tet == y->touch.other.tet &&
           memcmp(x->touch.other.weights, y->touch.other.weights, sizeof x->touch.other.weights) == 0 &&
           x->touch.approximate == y->touch.approximate;
}

/* Those that only one has count, too. Both are sorted. */
static uint32_t count_differences(const answer *x, const answer *y) {
    uint32_t i = 0, j = 0, differing = 0;
    while (i < x->count && j < y->count) {
        int order = lt_contact_compare(&x->records[i], &y->records[j]);
        differing += order != 0 || !same_contact(&x->records[i], &y->records[j]);
        i += order <= 0;
        j += order >= 0;
    }
    return differing + (x->count - i) + (y->count - j);
}

/* Steps until the cycle has ended. */
static uint32_t spread_cycle(const lt_scene_rig *rig, lt_budget budget) {
    for (uint32_t steps = 1; steps <= STEPS_MAX; steps++)
        if (lt_scene_rig_step(rig, budget).pending == 0) return steps;
    return STEPS_MAX;
}

static lt_status compare(lt_bench *bench, lt_scene_rig *rig, answer *whole, answer *spread, lt_error *error) {
    static const uint32_t shares[] = {2, 3, 5, 9, 17};
    for (int i = 0; i < (bench->quick ? FALL_STEPS / 4 : FALL_STEPS); i++)
        lt_scene_rig_step(rig, lt_budget_unlimited());
    lt_status status = lt_scene_rig_keep(rig, error);
    lt_report report = lt_scene_rig_step(rig, lt_budget_unlimited());
    lt_hash_cost cost = lt_hash_cost_of(&report);
    copy_answer(whole, rig);
    uint32_t differing = 0;
    for (size_t i = 0; i < (bench->quick ? 2 : LT_COUNT_OF(shares)) && status == LT_OK; i++) {
        status = lt_scene_rig_return(rig, error);
        lt_budget budget = lt_hash_budget(cost, shares[i]);
        uint32_t steps = spread_cycle(rig, budget);
        copy_answer(spread, rig);
        uint32_t now = count_differences(whole, spread);
        differing += now;
        lt_bench_row_begin(bench, "plates, one cycle in pieces");
        lt_bench_number(bench, "units_a_step", (double)budget.collision_units);
        lt_bench_number(bench, "steps", steps);
        lt_bench_number(bench, "contacts", spread->count);
        lt_bench_number(bench, "differing", now);
    }
    if (status == LT_OK) lt_bench_check_value(bench, "tet-hash.cut-contacts-differing", differing, "==", 0);
    return status;
}

lt_status lt_hash_cuts(lt_bench *bench, lt_error *error) {
    lt_scene_rig rig;
    lt_status status = lt_scene_rig_create(&rig, bench, "plates", LT_METHOD_TET_HASH, NULL, error);
    if (status != LT_OK) return status;
    uint32_t capacity = lt_hash_rig_memory(&rig)->contacts.capacity;
    answer whole = {LT_NEW(&bench->allocator, capacity, lt_contact_record), 0, capacity},
           spread = {LT_NEW(&bench->allocator, capacity, lt_contact_record), 0, capacity};
    if (whole.records && spread.records)
        status = compare(bench, &rig, &whole, &spread, error);
    else
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for contacts");
    LT_DELETE(&bench->allocator, whole.records, capacity, lt_contact_record);
    LT_DELETE(&bench->allocator, spread.records, capacity, lt_contact_record);
    lt_scene_rig_free(&rig);
    return status;
}
