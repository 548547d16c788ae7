/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Multigrid bodies in a world: three that fall on each other give the same bits for every number of threads, SIMD level, build
 * and from a snapshot on; their fronts are sound after every step, and changing them allocates nothing.
 *
 * labels: golden threaded */

#include "method/ladder_world.h"

enum { STEPS = 12 };
static const uint64_t UNITS = 1500000; /* a third of what these steps take: turns are cut */

static lt_shape *shape;
static uint64_t expected; /* one thread, scalar */

static uint64_t hash_after(lt_world *world, uint32_t steps) {
    step_many(world, steps, lt_budget_collision_units(UNITS));
    return lt_world_hash(world);
}

static uint64_t hash_of_def(const lt_world_def *def) {
    lt_world *world = make_tumbling(def, shape);
    uint64_t hash = hash_after(world, STEPS);
    lt_world_destroy(world);
    return hash;
}

static void hashes_are_the_known_ones(void) {
    lt_world_def def = multiscale_world_def();
    def.simd_level = 0;
    expected = hash_of_def(&def);
    check_golden("tumbling-ladders", expected);
}

static void simd_levels_agree(void) {
    lt_world_def def = multiscale_world_def();
    for (def.simd_level = 1; def.simd_level <= 2; def.simd_level++)
        CHECK(hash_of_def(&def) == expected);
}

static void threads_agree(void) {
    lt_world_def def = multiscale_world_def();
    for (def.thread_count = 2; def.thread_count <= 4; def.thread_count += 2)
        CHECK(hash_of_def(&def) == expected);
}

/* From the middle on, in the same world once more and in another one that has seen other things, whose fronts are others. */
static void snapshots_go_on_alike(void) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_tumbling(&def, shape), *other = make_tumbling(&def, shape);
    hash_after(world, STEPS / 2);
    saved middle = save_world(world);
    CHECK(hash_after(world, STEPS - STEPS / 2) == expected);
    CHECK(load_world(world, &middle) == LT_OK);
    CHECK(fronts_are_sound(world));
    CHECK(hash_after(world, STEPS - STEPS / 2) == expected);
    run(other, 3);
    CHECK(front_size(other, 0) != front_size(world, 0) || front_size(other, 1) != front_size(world, 1));
    CHECK(load_world(other, &middle) == LT_OK);
    CHECK(hash_after(other, STEPS - STEPS / 2) == expected);
    drop_saved(&middle);
    lt_world_destroy(world);
    lt_world_destroy(other);
}

/* ---- fronts ---- */

static void *count_allocation(void *context, size_t size, size_t alignment) {
    (*(uint64_t *)context)++;
    lt_allocator below = lt_allocator_default();
    return below.allocate(below.context, size, alignment);
}
static void release(void *context, void *memory, size_t size) {
    (void)context;
    lt_allocator below = lt_allocator_default();
    below.release(below.context, memory, size);
}

/* Finer and coarser, through landing and coming to rest: what fronts promise holds after every step, the body weighs what it
 * weighed, and nothing is allocated. */
static void fronts_change_soundly_and_for_nothing(void) {
    uint64_t allocations = 0;
    lt_world_def def = multiscale_world_def();
    def.allocator = (lt_allocator){count_allocation, release, &allocations};
    lt_world *world = make_tumbling(&def, shape);
    uint64_t before = allocations;
    uint32_t finer = 0, coarser = 0, sizes[3];
    const double mass = 1000 * 0.2 * 0.2 * 0.2;
    for (int k = 0; k < 3; k++)
        sizes[k] = front_size(world, (uint32_t)k);
    for (int step = 0; step < 60; step++) {
        lt_report report = lt_world_step(
            world, STEP_DT, step % 4 ? lt_budget_unlimited() : lt_budget_collision_units(600000));
        CHECK_COUNT(report.allocations, 0);
        CHECK(report.momentum_error <= 1e-6 && fronts_are_sound(world));
        for (uint32_t k = 0; k < 3; k++) {
            finer += front_size(world, k) > sizes[k];
            coarser += front_size(world, k) < sizes[k];
            sizes[k] = front_size(world, k);
            CHECK_NEAR((double)lt_body_mass(world, lt_world_body_at(world, k)) / mass, 1, 1e-5);
        }
    }
    CHECK_COUNT(allocations, before);
    printf("fronts got finer %u times, coarser %u times\n", finer, coarser);
    CHECK(finer > 10 && coarser > 5);
    lt_world_destroy(world);
}

int main(void) {
    shape = small_ladder();
    RUN(hashes_are_the_known_ones);
    RUN(simd_levels_agree);
    RUN(threads_agree);
    RUN(snapshots_go_on_alike);
    RUN(fronts_change_soundly_and_for_nothing);
    lt_shape_release(shape);
    return check_finish();
}
