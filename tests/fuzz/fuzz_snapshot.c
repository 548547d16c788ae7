/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into lt_world_restore, for worlds of every method: refused with nothing changed, or a world that is stepped, drawn and
 * asked without a crash. With -DLITHE_LIBFUZZER this is a libFuzzer target, whose first byte chooses the world; without, it
 * damages snapshots of busy worlds a fixed number of times, the same way every time, multiplied by LITHE_FUZZ_ITERATIONS;
 * `fuzz-snapshot 4711 4712` runs that round only. */

#include "fuzz/damage_state.h"
#include "fuzz/rounds.h"
#include "lithe/debug_draw.h"
#include "lithe/query.h"
#include "method/ladder_world.h"
#include "method/lattice_world.h"
#include "method/sphere_world.h"
#include "world/scenes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORLDS = 6, LADDERS = 5 }; /* one for each method, then bodies on ladders */

static const lt_method methods[WORLDS] = {LT_METHOD_REFERENCE, LT_METHOD_SPHERE_TREE, LT_METHOD_TET_HASH,
                                          LT_METHOD_CELL_BOX,  LT_METHOD_MULTISCALE,  LT_METHOD_MULTISCALE};
static lt_world *worlds[WORLDS];
static uint32_t accepted[WORLDS], wrong;

/* ---- worlds ---- */

static busy_shapes shapes_of(uint32_t which) {
    switch (methods[which]) {
    case LT_METHOD_SPHERE_TREE:
        return (busy_shapes){cube_with_tree(0.2, 2, 2), ball_with_tree(0.12, 1, 2), false};
    case LT_METHOD_CELL_BOX:
        return (busy_shapes){lattice_box(0.2f, 0.2f, 0.2f, 3), lattice_ball(0.12f, 3), true};
    case LT_METHOD_MULTISCALE: return (busy_shapes){cube_with_boxes(0.2, 2), ball_with_boxes(0.12, 1), false};
    default: return make_busy_shapes();
    }
}

static lt_world *make_ladders(const lt_world_def *def) {
    lt_world *world = make_world(def);
    lt_shape *shape = small_ladder();
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = multigrid_def(shape, (lt_vec3){i ? 0.11f : -0.11f, 1 + 0.03f * (float)i, 0});
        bd.velocity = (lt_vec3){i ? -2.0f : 2.0f, 0, 0};
        add_body_def(world, &bd);
    }
    lt_shape_release(shape);
    for (uint32_t i = 0; i < 6; i++)
        lt_world_step(world, STEP_DT, lt_budget_collision_units(20000));
    return world;
}

static lt_world *make_target(uint32_t which) {
    lt_world_def def = test_world_def();
    def.method = methods[which];
    def.contact_capacity = 256;
    def.sphere_tree.front_cache_capacity = 1024;
    if (which == LADDERS) return make_ladders(&def);
    busy_shapes shapes = shapes_of(which);
    busy target = make_busy(&def, &shapes);
    drop_busy_shapes(&shapes);
    for (uint64_t i = 0; i < 24; i++)
        step_busy(&target, i, lt_budget_collision_units(3000));
    return target.world;
}

/* ---- what is done with them ---- */

static void take_line(void *context, lt_vec3 from, lt_vec3 to, uint32_t color) {
    (void)from, (void)to, (void)color;
    ++*(uint32_t *)context;
}

static void take_point(void *context, lt_vec3 at, uint32_t color) {
    (void)at, (void)color;
    ++*(uint32_t *)context;
}

static void look_at(lt_world *world) {
    lt_ray ray = lt_ray_along((lt_vec3){0, 5, 0.1f}, (lt_vec3){0, -1, 0});
    lt_ray_hit hit;
    uint32_t count = 0;
    lt_debug_draw draw = lt_debug_draw_default();
    draw.line = take_line;
    draw.point = take_point;
    draw.context = &count;
    lt_world_debug_draw(world, &draw);
    lt_world_ray_cast(world, &ray, &hit);
}

static void go_on(lt_world *world, bool have_points) {
    look_at(world);
    for (int i = 0; i < 2; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(20000));
        wrong += !world_is_finite(world) || unsound_contacts_of(world, have_points) != 0 ||
                 !report_is_consistent(world, &report);
    }
    look_at(world);
}

static void try(uint32_t which, const uint8_t *data, size_t size) {
    static const uint8_t nothing[1];
    if (!worlds[which]) worlds[which] = make_target(which);
    lt_world *world = worlds[which];
    uint64_t before = lt_world_hash(world);
    lt_error error = {0};
    if (lt_world_restore(world, size ? data : nothing, size, &error) != LT_OK) {
        wrong += lt_world_hash(world) != before || strlen(error.message) < 20;
        return;
    }
    accepted[which]++;
    go_on(world, methods[which] == LT_METHOD_REFERENCE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0) try(data[0] % WORLDS, data + 1, size - 1);
    if (wrong) abort();
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 90 };

static void run_round(uint64_t round, const saved *snapshots) {
    uint32_t which = (uint32_t)(round % WORLDS);
    lt_random random = lt_random_seed(round);
    size_t size = snapshots[which].size;
    uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
    memcpy(bytes, snapshots[which].bytes, size);
    damage_state(&random, bytes, &size);
    uint8_t *exact = malloc(size ? size : 1); /* so that one byte too far is seen */
    if (size) memcpy(exact, bytes, size);
    try(which, exact, size);
    free(exact);
    LT_DELETE(NULL, bytes, snapshots[which].size, uint8_t);
}

int main(int argument_count, char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    saved snapshots[WORLDS];
    for (uint32_t i = 0; i < WORLDS; i++) {
        worlds[i] = make_target(i);
        snapshots[i] = save_world(worlds[i]);
    }
    for (uint64_t round = first; round < end; round++)
        run_round(round, snapshots);
    fuzz_report_executions(end - first);
    bool is_sound = wrong == 0 && check_failures == 0;
    for (uint32_t i = 0; i < WORLDS; i++) {
        uint64_t rounds = (end - first) / WORLDS;
        printf("%s: %u of %llu damaged snapshots accepted\n", lt_method_name(methods[i]), accepted[i],
               (unsigned long long)rounds);
        /* All refused or all taken would mean that nothing was tried. */
        is_sound = is_sound && (rounds < 50 || (accepted[i] > rounds / 50 && accepted[i] < rounds));
        is_sound = is_sound && load_world(worlds[i], &snapshots[i]) == LT_OK;
        drop_saved(&snapshots[i]);
        lt_world_destroy(worlds[i]);
    }
    printf("%u wrong\n", wrong);
    return is_sound ? 0 : 1;
}

#endif
