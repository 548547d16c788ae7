/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "multigrid_internal.h"

#include "core/os.h"
#include "scenes/list.h"
#include "world/world.h"

#include <stdio.h>

const float lt_bears_heights[LT_BEARS_HEIGHTS] = {1, 0.1f};

enum { MOST_ITERATIONS = 20000 }; /* nobody stops before the residual is reached */

/* One core: of the thread's own time it takes as much as of the wall's, and what else runs on the machine is not in it. */
static uint64_t thread_time(void *context) {
    (void)context;
    return lt_os_thread_cpu_ns();
}

float lt_bears_default_threshold(void) {
    return lt_body_def_default().refine_threshold;
}

static void make_small(lt_scene *scene) {
    lt_scene_shape *shape = scene->shapes.items;
    shape->surface.triangles = 3000;
    shape->carrier = lt_ladder_carrier(4, 60, 800);
}

lt_status lt_bears_build(lt_scene_rig *rig, lt_bench *bench, const lt_bears *bears, lt_error *error) {
    lt_scene scene = lt_scene_empty("bears", &bench->allocator);
    lt_world_def def = lt_world_def_default();
    lt_scene_drop_bears(&scene, bears->count, bears->height);
    if (bench->quick && !scene.out_of_memory) make_small(&scene);
    scene.sleeping = false;
    for (size_t i = 0; i < scene.bodies.count; i++) {
        lt_scene_body *body = (lt_scene_body *)scene.bodies.items + i;
        body->model = bears->model;
        body->refine_threshold = bears->threshold;
    }
    def.allocator = bench->allocator;
    def.clock_ns = thread_time;
    lt_status status = lt_scene_rig_build(rig, bench, &scene, LT_METHOD_MULTISCALE, &def, error);
    for (uint32_t i = 0; status == LT_OK && i < bears->count; i++) {
        lt_bears_soft(rig, i)->tolerance = LT_BEARS_TOLERANCE;
        lt_bears_soft(rig, i)->max_iterations = MOST_ITERATIONS;
    }
    return status;
}

uint32_t lt_bears_steps(const lt_bench *bench, uint32_t count) {
    return !bench->quick ? LT_BEARS_STEPS : count == 1 ? 40 : 8;
}

static const char *number_of(const lt_bears *bears) {
    return bears->count == 1 ? "one" : "eight";
}

void lt_bears_label(char *out, size_t size, const lt_bears *bears, const char *what) {
    snprintf(out, size, "%s bear%s of %g m, %s", number_of(bears), bears->count == 1 ? "" : "s",
             (double)bears->height, what);
}

void lt_bears_check_name(char *out, size_t size, const lt_bears *bears, const char *what) {
    snprintf(out, size, "multigrid.%s-%gm-%s", number_of(bears), (double)bears->height, what);
}

void lt_bears_check(lt_bench *bench, const char *name, double value, const char *op, double bar) {
    if (bench->quick)
        lt_bench_check_absent(bench, name, op, bar, "of few steps and a smaller ladder: no --quick");
    else
        lt_bench_check_value(bench, name, value, op, bar);
}

lt_soft *lt_bears_soft(const lt_scene_rig *rig, uint32_t index) {
    return lt_soft_at(rig->built.world, index);
}

double lt_bears_active_share(const lt_soft *soft) {
    return soft->grid ? (double)soft->grid->active.begin[1] / soft->carrier.ladder.node_begin[1] : 1;
}
