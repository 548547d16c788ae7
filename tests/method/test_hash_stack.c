/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Five plates that have settled stand on contacts of tet-hash that are some steps old: they keep their height, and none
 * slides. */

#include "world/fixture.h"

enum { PLATES = 5 };

typedef struct stack {
    lt_world *world;
    lt_body_id plates[PLATES];
    lt_vec3 settled[PLATES];
} stack;

static stack make_stack(lt_shape *plate) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.sleeping = false;
    stack s = {.world = make_world(&def)};
    add_floor(s.world);
    lt_body_def bd = lt_body_def_default();
    bd.shape = plate;
    bd.material.young = 3e5f;
    bd.material.density = 500;
    for (uint32_t i = 0; i < PLATES; i++) {
        bd.position = (lt_vec3){0, 0.025f + 0.05f * (float)i, 0};
        s.plates[i] = add_body_def(s.world, &bd);
    }
    return s;
}

/* On a part of the units that a cycle takes, from where they have settled. */
static void check_stack(stack *s, const lt_report *full, uint32_t latency) {
    float height = surface_high(s->world, s->plates[PLATES - 1]).y, worst = 0, slid = 0;
    uint64_t cycle = full->cuts.units[LT_STAGE_DETECT], rest = full->units - cycle;
    uint64_t budget = rest + cycle / latency + cycle / 20, latencies = 0;
    for (uint32_t i = 0; i < 120; i++) {
        lt_report report = lt_world_step(s->world, STEP_DT, lt_budget_collision_units(budget));
        latencies += report.latency;
        worst = lt_max_f(worst, fabsf(surface_high(s->world, s->plates[PLATES - 1]).y / height - 1));
        CHECK(report.momentum_error <= 1e-6 && report.allocations == 0 && report.blown_up == 0);
    }
    for (uint32_t i = 0; i < PLATES; i++) {
        lt_vec3 way = lt_v3_sub(lt_body_center(s->world, s->plates[i]), s->settled[i]);
        slid = lt_max_f(slid, lt_v3_length((lt_vec3){way.x, 0, way.z}));
    }
    CHECK_NEAR((double)latencies / 120, latency, 0.5);
    CHECK(worst <= 0.01f && slid <= 0.01f);
}

static void a_stack_stands_on_old_contacts(void) {
    lt_shape *plate = block_shape(0.5, 0.05, 0.5, 5, 1, 5);
    stack s = make_stack(plate);
    lt_report full = run(s.world, 120);
    for (uint32_t i = 0; i < PLATES; i++)
        s.settled[i] = lt_body_center(s.world, s.plates[i]);
    float height = surface_high(s.world, s.plates[PLATES - 1]).y;
    CHECK(height > 0.05f * PLATES * 0.95f && height < 0.05f * PLATES * 1.02f);
    saved settled = save_world(s.world);
    check_stack(&s, &full, 2);
    CHECK(load_world(s.world, &settled) == LT_OK);
    check_stack(&s, &full, 4);
    drop_saved(&settled);
    lt_world_destroy(s.world);
    lt_shape_release(plate);
}

int main(void) {
    RUN(a_stack_stands_on_old_contacts);
    return check_finish();
}
