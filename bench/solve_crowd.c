/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Many bodies: what the models take in the scene heap and in a pile of eight bears, each step repeated from a snapshot and its
 * least time taken, median over the steps; and ten cubes of equal and of very
 * unequal mass, one on the other, which stand when none is farther from its place than a fifth of its size after ten seconds. */

#include "solve_internal.h"

#include "core/os.h"
#include "scene_rig.h"
#include "scenes/list.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 5, SAMPLES = 12 };

/* ---- time of the models ---- */

typedef struct crowd {
    const char *check, *label;
    double bar; /* in products */
    uint32_t from, every;
    lt_status (*make)(lt_scene *scene, lt_bench *bench, lt_error *error);
} crowd;

/* One core: of the thread's own time it takes as much as of the wall's, and what else runs on the machine is not in it. */
static uint64_t thread_time(void *context) {
    (void)context;
    return lt_os_thread_cpu_ns();
}

static lt_status make_heap(lt_scene *scene, lt_bench *bench, lt_error *error) {
    return lt_scene_make(scene, "heap", &bench->allocator, error);
}

/* Four bears fall on four others, each turned another way, of 1,000 tets in one mesh. */
static lt_status make_bears(lt_scene *scene, lt_bench *bench, lt_error *error) {
    *scene = lt_scene_empty("eight-bears", &bench->allocator);
    uint32_t bear = lt_scene_add_shape(scene, lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 0.3f, 2000),
                                       lt_enclosed_carrier(1000));
    lt_scene_add_floor(scene, 0);
    for (uint32_t i = 0; i < 8; i++) {
        float x = i & 1 ? 0.13f : -0.13f, z = i & 2 ? 0.12f : -0.12f, high = (float)(i / 4);
        lt_scene_body *body =
            lt_scene_add_body(scene, bear, (lt_vec3){x + 0.03f * high, 0.27f + 0.34f * high, z});
        body->rotation =
            lt_quat_turn((lt_vec3){1, 0.3f * (float)(i % 3), i % 2 ? 1 : -0.6f}, 20.0 + 35.0 * i);
        body->material.friction = 0.5f;
    }
    scene->self_collision = false;
    return scene->out_of_memory ? lt_fail(error, LT_STATUS_MEMORY, "eight-bears: out of memory") : LT_OK;
}

static const crowd crowds[] = {
    {"solve.heap-models", "heap", 195, 40, 8, make_heap},
    {"solve.eight-bears-models", "eight bears of 1,000 tets", 373, 20, 10, make_bears},
};

typedef struct model_times {
    double us[SAMPLES], products[SAMPLES], iterations, contacts;
    uint32_t count;
} model_times;

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const double *values, uint32_t count) {
    double sorted[SAMPLES];
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = values[i];
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return count ? (sorted[count / 2] + sorted[(count - 1) / 2]) / 2 : NAN;
}

static lt_status time_step(model_times *out, lt_scene_rig *rig, lt_solve_unit *unit, lt_error *error) {
    double best = 1e30, product = 1e30;
    lt_report report = {0};
    lt_status status = lt_scene_rig_keep(rig, error);
    for (int i = 0; status == LT_OK && i < REPETITIONS; i++) {
        if (i > 0) status = lt_scene_rig_return(rig, error);
        product = lt_min_d(product, lt_solve_unit_time(unit));
        report = lt_scene_rig_step(rig, lt_budget_unlimited());
        best = lt_min_d(best, report.stage_us[LT_STAGE_MODELS]);
    }
    out->us[out->count] = best;
    out->products[out->count++] = best / product;
    out->iterations += (double)report.iterations / SAMPLES;
    out->contacts += (double)report.contacts / SAMPLES;
    return status;
}

static lt_status time_crowd(lt_bench *bench, lt_solve_unit *unit, const crowd *c, lt_error *error) {
    lt_scene scene;
    lt_scene_rig rig = {0};
    model_times times = {0};
    lt_status status = c->make(&scene, bench, error);
    scene.sleeping = false;
    lt_world_def def = lt_world_def_default();
    def.clock_ns = thread_time;
    def.allocator = bench->allocator;
    if (status == LT_OK) status = lt_scene_rig_build(&rig, bench, &scene, LT_METHOD_TET_HASH, &def, error);
    uint32_t samples = bench->quick ? 3 : SAMPLES;
    for (uint32_t step = 0; status == LT_OK && times.count < samples; step++) {
        if (step >= c->from && (step - c->from) % c->every == 0)
            status = time_step(&times, &rig, unit, error);
        else
            lt_scene_rig_step(&rig, lt_budget_unlimited());
    }
    lt_scene_rig_free(&rig);
    if (status != LT_OK) return status;
    lt_bench_row_begin(bench, "models of a crowd");
    lt_bench_text(bench, "crowd", c->label);
    lt_bench_number(bench, "steps", times.count);
    lt_bench_number(bench, "median_us", median_of(times.us, times.count));
    lt_bench_number(bench, "median_products", median_of(times.products, times.count));
    lt_bench_number(bench, "iterations", times.iterations * SAMPLES / times.count);
    lt_bench_number(bench, "contacts", times.contacts * SAMPLES / times.count);
    lt_bench_check_value(bench, c->check, median_of(times.products, times.count), "<=", c->bar);
    return LT_OK;
}

lt_status lt_solve_crowds(lt_bench *bench, lt_solve_unit *unit, lt_error *error) {
    lt_status status = LT_OK;
    for (size_t i = 0; status == LT_OK && i < LT_COUNT_OF(crowds); i++)
        if (lt_bench_is_asked(bench, "crowds", crowds[i].label))
            status = time_crowd(bench, unit, &crowds[i], error);
    return status;
}

/* ---- unequal masses ---- */

enum { CUBES = 10, STAND_STEPS = 600, QUICK_STEPS = 60 };

static void place_one(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)world;
    def->position =
        (lt_vec3){0, (0.4999f + 0.9999f * (float)index) * def->scale, 0}; /* touching: nothing falls */
}

static void place_heavy_top(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_one(def, index, world);
    def->material.density = index + 1 == CUBES ? 10000 : 100;
}

static void place_alternating(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_one(def, index, world);
    def->material.density = index % 2 ? 10000 : 100;
}

/* By 20 degrees each: no rim lies on another one. Where all rims do, the nearest way out of a corner is sideways, the ring of outer
 * contacts says nothing, and a column that stands on the inner half of its faces buckles. */
static void turn_one(lt_body_def *def, uint32_t index) {
    def->rotation = lt_quat_turn((lt_vec3){0, 1, 0}, 20.0 * index);
}

static void place_heavy_top_turned(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_heavy_top(def, index, world);
    turn_one(def, index);
}

static void place_alternating_turned(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_alternating(def, index, world);
    turn_one(def, index);
}

static void place_equal(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_one(def, index, world);
    def->material.density = 1000;
}

/* The farthest that a cube is from its place at the end, in sizes. */
static double farthest_of(const lt_solve_world *w) {
    double farthest = 0;
    for (uint32_t i = 0; i < CUBES; i++) {
        lt_vec3 c = lt_body_center(w->world, w->bodies[i]);
        lt_dvec3 off = {(double)c.x, (double)c.y - ((double)i + 0.5) * (double)w->def.size, (double)c.z};
        double distance = lt_d3_length(off) / (double)w->def.size;
        farthest = distance > farthest || distance != distance ? distance : farthest;
    }
    return farthest;
}

static lt_status stand(lt_bench *bench, const char *check,
                       void (*place)(lt_body_def *, uint32_t, const lt_solve_world_def *), lt_error *error) {
    lt_shape *shape;
    lt_solve_world world;
    if (!lt_bench_is_asked(bench, "masses", check)) return LT_OK;
    lt_solve_world_def def = {.shape = LT_SOLVE_CUBE,
                              .body_count = CUBES,
                              .size = 0.1f,
                              .young = 1e7f,
                              .density = 100,
                              .friction = 0.5f,
                              .dt = 1.0f / 60,
                              .gravity = 9.81f,
                              .floor = true,
                              .cut = LT_CUT_FULL,
                              .place = place};
    lt_status status = lt_solve_make_shape(&shape, LT_SOLVE_CUBE, &bench->allocator, error);
    if (status == LT_OK) status = lt_solve_world_create(&world, &def, shape, &bench->allocator, error);
    if (shape) lt_shape_release(shape);
    if (status != LT_OK) return status;
    for (uint32_t step = 0; step < (bench->quick ? QUICK_STEPS : STAND_STEPS); step++)
        lt_solve_world_step(&world);
    double farthest = farthest_of(&world);
    lt_bench_row_begin(bench, "ten cubes, one on the other");
    lt_bench_text(bench, "check", check);
    lt_bench_number(bench, "farthest_sizes", farthest);
    lt_bench_number(bench, "blown_up", (double)world.blown_up);
    lt_bench_check_value(bench, check, world.blown_up ? LT_SOLVE_NEVER : farthest, "<=", 0.2);
    lt_solve_world_free(&world);
    return LT_OK;
}

lt_status lt_solve_masses(lt_bench *bench, lt_solve_unit *unit, lt_error *error) {
    static const struct {
        const char *check;
        void (*place)(lt_body_def *def, uint32_t index, const lt_solve_world_def *world);
    } towers[] = {{"solve.stands-equal", place_equal},
                  {"solve.stands-heavy-top", place_heavy_top},
                  {"solve.stands-alternating", place_alternating},
                  {"solve.stands-heavy-top-turned", place_heavy_top_turned},
                  {"solve.stands-alternating-turned", place_alternating_turned}};
    (void)unit;
    lt_status status = LT_OK;
    for (uint32_t i = 0; i < LT_COUNT_OF(towers) && status == LT_OK; i++)
        status = stand(bench, towers[i].check, towers[i].place, error);
    return status;
}
