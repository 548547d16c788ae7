/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the method sphere-tree repeat: by cuts, from snapshots, with any number of threads and any width of SIMD. What
 * is restored is checked, whatever the bytes say.
 * labels: golden threaded wasm */

#include "method/cut_checks.h"
#include "method/memory.h"
#include "method/sphere_world.h"
#include "method/state_checks.h"
#include "world/world.h"

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = sphere_world_def();
    def.diagnostics = false;
    def.contact_capacity = 512;
    def.sphere_tree.queue_capacity = 4096;
    return def;
}

/* ---- repeating ---- */

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &shapes, 42, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 30, 700, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &shapes, "sphere-tree");
}

/* Uninterrupted, the order of refining decides nothing but the order of work: and with it that of sums, which moves bodies by roundings
 * and now and then one contact over the edge of being one. */
static void orders_find_the_same_contacts(void) {
    lt_report reports[LT_ORDER_COUNT];
    for (int order = 0; order < LT_ORDER_COUNT; order++) {
        lt_world_def def = busy_def();
        def.sphere_tree.order = (lt_order)order;
        busy b = make_busy(&def, &shapes);
        for (uint64_t i = 0; i < 8; i++)
            reports[order] = step_busy(&b, i, lt_budget_unlimited());
        lt_world_destroy(b.world);
    }
    CHECK(reports[0].contacts > 5);
    for (int order = 1; order < LT_ORDER_COUNT; order++) {
        CHECK_NEAR((double)reports[order].contacts, (double)reports[0].contacts, 1);
        CHECK_NEAR((double)reports[order].tested, (double)reports[0].tested,
                   0.01 * (double)reports[0].tested);
    }
}

/* ---- damage ---- */

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &shapes);
}

/* How deep a contact was decides whether it is kept where the next front is undecided, and its area how stiff it is:
 * worlds that differ in either are not the same. */
static void hashes_tell_contacts_apart(void) {
    lt_world_def def = busy_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 12; i++)
        step_busy(&b, i, lt_budget_unlimited());
    uint64_t hash = lt_world_hash(b.world);
    lt_contact_record *record = ((lt_memory *)b.world->method_state)->contacts.records;
    float *const fields[] = {&record->depth, &record->touch.area, &record->touch.depth, &record->credit};
    for (uint32_t i = 0; i < LT_COUNT_OF(fields); i++) {
        float kept = *fields[i];
        *fields[i] += 0.001f;
        CHECK(lt_world_hash(b.world) != hash);
        *fields[i] = kept;
    }
    CHECK(lt_world_hash(b.world) == hash);
    lt_world_destroy(b.world);
}

/* ---- changes between steps ---- */

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &shapes);
}

int main(void) {
    shapes = (busy_shapes){cube_with_tree(0.2, 2, 2), ball_with_tree(0.12, 1, 2), false};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(orders_find_the_same_contacts);
    RUN(damaged_snapshots_do_no_harm);
    RUN(hashes_tell_contacts_apart);
    RUN(bodies_come_and_go);
    drop_busy_shapes(&shapes);
    return check_finish();
}
