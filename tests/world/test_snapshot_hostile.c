/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A snapshot of a small world in contact, cut everywhere, and with every bit of every byte turned and every byte 0 and 255: refused
 * with nothing changed, or a world that goes on. Restoring allocates nothing, whatever the bytes. */

#include "failing_allocator.h"
#include "world/scenes.h"
#include "world/world.h"

#include <limits.h>

static lt_shape *cube;
static failing counted;
static uint32_t accepted;
/* Nodes thrown anywhere take long to step: `make test` goes on with some of the worlds only, `make test-full` with each. */
static uint32_t go_on_every = 24;

/* Two cubes of one cell, one on the other on the floor, one node held. */
static lt_world *make_small(void) {
    lt_world_def def = test_world_def();
    counted = failing_after(INT_MAX);
    def.allocator = failing_allocator(&counted);
    def.contact_capacity = 64;
    def.pair_capacity = 16;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_id low = add_body(world, cube, (lt_vec3){0, 0.099f, 0});
    add_body(world, cube, (lt_vec3){0.01f, 0.297f, 0.01f});
    lt_body_pin_node(world, low, 3);
    for (int i = 0; i < 8; i++)
        lt_world_step(world, STEP_DT, lt_budget_collision_units(300));
    return world;
}

/* Of what a body's factor is of. */
static uint64_t hash_of_factors(lt_world *world) {
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_collider_at(world, i)->in_use) {
            const lt_soft *soft = lt_soft_at(world, i);
            hash = lt_hash_bytes(hash, soft->pinned, soft->carrier.node_count);
            hash = lt_hash_bytes(hash, &soft->material, sizeof soft->material);
        }
    return hash;
}

/* On a copy of exactly so many bytes. Nothing is allocated but for the factor of a body that has other pins now, or another material. */
static void try(lt_world *world, const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    uint64_t before = lt_world_hash(world), factors = hash_of_factors(world);
    size_t held = counted.bytes_out;
    lt_error error = {0};
    if (size) memcpy(copy, bytes, size);
    counted.bytes_most = held;
    lt_status status = lt_world_restore(world, copy, size, &error);
    free(copy);
    if (hash_of_factors(world) == factors) CHECK(counted.bytes_out == held && counted.bytes_most == held);
    if (status != LT_OK) {
        CHECK(status == LT_STATUS_INVALID && strlen(error.message) > 20 && lt_world_hash(world) == before);
        return;
    }
    if (accepted++ % go_on_every != 0) return;
    for (int i = 0; i < 2; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(2000));
        CHECK(world_is_finite(world) && report_is_consistent(world, &report));
    }
}

static void snapshots_of_any_bytes(void) {
    lt_world *world = make_small();
    saved s = save_world(world);
    try(world, s.bytes, s.size);
    CHECK_COUNT(accepted, 1);
    for (size_t cut = 0; cut < s.size; cut++)
        try(world, s.bytes, cut);
    CHECK_COUNT(accepted, 1);
    for (size_t at = 0; at < s.size; at++) {
        uint8_t original = s.bytes[at];
        for (int k = 0; k < 10; k++) {
            s.bytes[at] = k < 8 ? (uint8_t)(original ^ 1u << k) : k == 8 ? 0 : 255;
            try(world, s.bytes, s.size);
        }
        s.bytes[at] = original;
    }
    printf("%zu bytes, %u damaged ones accepted\n", s.size, accepted - 1);
    CHECK(accepted > s.size && accepted < 10 * s.size);
    drop_saved(&s);
    lt_world_destroy(world);
    CHECK_COUNT(counted.blocks_out, 0);
}

/* One number of a body has a range of its own (the energy it may have): out of it, the others must not be taken either. */
static void one_number_out_of_its_range_refuses_all(void) {
    lt_world *world = make_small();
    lt_soft *soft = lt_soft_at(world, 1);
    lt_real before = soft->energy[0];
    soft->energy[0] = -2;
    saved s = save_world(world);
    soft->energy[0] = before;
    lt_world_step(world, STEP_DT, lt_budget_unlimited());
    uint64_t hash = lt_world_hash(world);
    CHECK(lt_world_restore(world, s.bytes, s.size, NULL) == LT_STATUS_INVALID);
    CHECK(lt_world_hash(world) == hash);
    drop_saved(&s);
    lt_world_destroy(world);
}

int main(void) {
    if (getenv("LITHE_FUZZ_ITERATIONS")) go_on_every = 1;
    cube = cube_shape(0.2, 1);
    RUN(snapshots_of_any_bytes);
    RUN(one_number_out_of_its_range_refuses_all);
    lt_shape_release(cube);
    return check_finish();
}
