/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* No allocation while stepping, counted three ways over a scene full of contacts: by an allocator that counts, by standing in for
 * malloc, and by the report itself. And how many bytes a world takes with every method: with the default def and nothing in it, and
 * with the three blocks of the scene `stack`. */

#include "core_internal.h"

#include "count_heap.h"
#include "scenes/scene.h"

typedef struct counter {
    lt_allocator inner;
    uint64_t count;
    uint64_t bytes; /* that are out */
} counter;

static void *count_and_allocate(void *context, size_t size, size_t alignment) {
    counter *c = context;
    c->count++;
    c->bytes += size;
    return c->inner.allocate(c->inner.context, size, alignment);
}

static void count_and_release(void *context, void *memory, size_t size) {
    counter *c = context;
    c->bytes -= size;
    c->inner.release(c->inner.context, memory, size);
}

typedef struct allocations {
    uint64_t through_allocator, through_malloc, reported, contacts_max;
} allocations;

static allocations step_scene(const lt_scene_world *scene_world, const counter *c, uint64_t steps) {
    allocations a = {0};
    for (uint64_t step = 0; step < steps; step++) {
        uint64_t allocator_before = c->count, heap_before = lt_heap_count();
        lt_scene_advance(scene_world, step);
        lt_report report = lt_world_step(scene_world->world, scene_world->scene->dt, lt_budget_unlimited());
        a.through_allocator += c->count - allocator_before;
        a.through_malloc += lt_heap_count() - heap_before;
        a.reported += report.allocations;
        a.contacts_max = lt_max_u64(a.contacts_max, report.contacts);
    }
    return a;
}

static void add_results(lt_bench *bench, const lt_scene *scene, uint64_t steps, allocations a) {
    lt_bench_row_begin(bench, "allocations while stepping");
    lt_bench_text(bench, "scene", scene->name);
    lt_bench_number(bench, "steps", (double)steps);
    lt_bench_number(bench, "contacts_max", (double)a.contacts_max);
    lt_bench_number(bench, "allocator", (double)a.through_allocator);
    lt_bench_number(bench, "malloc", (double)a.through_malloc);
    lt_bench_number(bench, "reported", (double)a.reported);
    lt_bench_check_value(bench, "core.allocations-through-allocator", (double)a.through_allocator, "==", 0.0);
    if (lt_heap_is_counted())
        lt_bench_check_value(bench, "core.allocations-through-malloc", (double)a.through_malloc, "==", 0.0);
    else
        lt_bench_check_absent(bench, "core.allocations-through-malloc", "==", 0.0,
                              "malloc cannot be replaced in this build");
}

/* ---- bytes ---- */

static lt_world_def counted_def(counter *c, lt_method method) {
    lt_world_def def = lt_world_def_default();
    def.method = method;
    def.allocator = (lt_allocator){count_and_allocate, count_and_release, c};
    return def;
}

static lt_status count_empty(lt_bench *bench, lt_method method, uint64_t *bytes, lt_error *error) {
    counter c = {.inner = bench->allocator};
    lt_world_def def = counted_def(&c, method);
    lt_world *world = NULL;
    lt_status status = lt_world_create(&def, &world, error);
    *bytes = c.bytes;
    lt_world_destroy(world);
    return status;
}

static lt_status count_blocks(lt_bench *bench, lt_method method, uint64_t *bytes, lt_error *error) {
    counter c = {.inner = bench->allocator};
    lt_world_def def = counted_def(&c, method);
    lt_scene scene;
    lt_scene_world built;
    lt_status status = lt_scene_make(&scene, "stack", &bench->allocator, error);
    if (status != LT_OK) return status;
    scene.method = method;
    scene.sphere_method = LT_SPHERES_OCTREE; /* quick to bake */
    if (method == LT_METHOD_CELL_BOX) status = lt_scene_put_on_lattices(&scene, error);
    if (status == LT_OK) status = lt_scene_build(&built, &scene, &def, error);
    *bytes = c.bytes;
    if (status == LT_OK) lt_scene_world_free(&built);
    lt_scene_free(&scene);
    return status;
}

static lt_status add_world_bytes(lt_bench *bench, lt_error *error) {
    uint64_t most = 0;
    for (int method = 0; method < LT_METHOD_COUNT; method++) {
        uint64_t empty, blocks;
        lt_status status = count_empty(bench, (lt_method)method, &empty, error);
        if (status == LT_OK) status = count_blocks(bench, (lt_method)method, &blocks, error);
        if (status != LT_OK) return status;
        lt_bench_row_begin(bench, "bytes of a world");
        lt_bench_text(bench, "method", lt_method_name((lt_method)method));
        lt_bench_number(bench, "empty KB", (double)empty * 1e-3);
        lt_bench_number(bench, "three blocks KB", (double)blocks * 1e-3);
        most = lt_max_u64(most, empty);
    }
    lt_bench_check_value(bench, "core.default-world-bytes", (double)most, "<=", 1e6);
    return LT_OK;
}

lt_status lt_core_memory(lt_bench *bench, lt_error *error) {
    lt_scene scene;
    lt_scene_world scene_world;
    lt_status status = lt_scene_make(&scene, "demo", &bench->allocator, error);
    if (status != LT_OK) return status;
    counter c = {.inner = bench->allocator};
    lt_world_def def = lt_world_def_default();
    def.allocator = (lt_allocator){count_and_allocate, count_and_release, &c};
    status = lt_scene_build(&scene_world, &scene, &def, error);
    if (status == LT_OK) {
        uint64_t steps = bench->quick ? 60 : 180;
        add_results(bench, &scene, steps, step_scene(&scene_world, &c, steps));
        lt_scene_world_free(&scene_world);
    }
    lt_scene_free(&scene);
    return status == LT_OK ? add_world_bytes(bench, error) : status;
}
