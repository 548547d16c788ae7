/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Twelve worlds whose solver is cut after so many iterations in every step: none may have more energy than it began with, nor, once it
 * has come to rest or where nothing touches, more than it had before; all that rest do so where they rest uncut; none gains momentum.
 * A rise counts as a share of what is released: motion and strain at the start, and the potential that the uncut run loses. */

#include "solve_internal.h"

#include "scenes/scene.h"
#include "scenes/trigonometry.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 600, EVERY = 5, MOST_CUT = 16 };

static const float SIZE_SMALL = 0.1f, SIZE_LARGE = 1;

/* ---- how they begin ---- */

static lt_vec3 *nodes_of(lt_world *world, lt_body_id body, uint32_t *count) {
    *count = lt_body_node_count(world, body);
    lt_vec3 *out = LT_NEW(NULL, *count, lt_vec3);
    if (out) lt_body_get_nodes(world, body, out, NULL);
    return out;
}

static void give_nodes(lt_world *world, lt_body_id body, lt_vec3 *nodes, uint32_t count) {
    lt_body_set_nodes(world, body, nodes, NULL, NULL);
    LT_DELETE(NULL, nodes, count, lt_vec3);
}

static void hold_end(lt_world *world, const lt_body_id *bodies, float size) {
    lt_body_pin_box(world, bodies[0], (lt_vec3){-size, -size, -size}, (lt_vec3){-0.4999f * size, size, size});
}

static void twist(lt_world *world, const lt_body_id *bodies, float size) {
    uint32_t count;
    lt_vec3 *nodes = nodes_of(world, bodies[0], &count);
    for (uint32_t i = 0; nodes && i < count; i++) {
        double a = LT_PI * ((double)(nodes[i].x / size) + 0.5), y = (double)nodes[i].y,
               z = (double)nodes[i].z;
        nodes[i].y = (float)(cos(a) * y - sin(a) * z);
        nodes[i].z = (float)(sin(a) * y + cos(a) * z);
    }
    if (nodes) give_nodes(world, bodies[0], nodes, count);
}

static void squeeze(lt_world *world, const lt_body_id *bodies, float size) {
    uint32_t count;
    lt_vec3 *nodes = nodes_of(world, bodies[0], &count);
    (void)size;
    for (uint32_t i = 0; nodes && i < count; i++)
        nodes[i].y *= 0.1f;
    if (nodes) give_nodes(world, bodies[0], nodes, count);
}

static void place_tilted(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)index;
    (void)world;
    def->position = (lt_vec3){0, 0.75f * def->scale, 0};
    def->rotation = lt_quat_turn((lt_vec3){0.2f, 0, 1}, 17);
}

static void place_upright(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)index;
    (void)world;
    def->position = (lt_vec3){0, 0.7f * def->scale, 0};
}

/* On its back: standing it might fall this way or that. */
static void place_lying(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_upright(def, index, world);
    def->rotation = lt_quat_turn((lt_vec3){1, 0, 0}, -90);
}

static void place_thrown(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    place_tilted(def, index, world);
    def->velocity = (lt_vec3){2 * def->scale, -60 * def->scale, 0}; /* its height in a step of 1/60 s */
}

static void place_spinning(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)index;
    (void)world;
    def->angular_velocity = (lt_vec3){3, 20, 5};
}

static void place_stacked(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)world;
    def->position = (lt_vec3){0, (0.51f + 1.01f * (float)index) * def->scale, 0};
}

static void place_meeting(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)world;
    float side = index ? 1 : -1;
    def->position = (lt_vec3){0.7f * side * def->scale, 0.1f * side * def->scale, 0};
    def->velocity = (lt_vec3){-2 * side * sqrtf(def->scale), 0, 0};
    def->angular_velocity = (lt_vec3){0, 0, 2};
}

/* ---- the worlds ---- */

typedef struct energy_task {
    const char *name;
    lt_solve_shape shape;
    uint32_t body_count;
    float size, young, gravity;
    bool floor, quick;
    bool rests;   /* on the floor in the end: its height is looked at */
    bool is_free; /* nothing holds it and no weight pulls: its momentum is looked at */
    void (*place)(lt_body_def *def, uint32_t index, const lt_solve_world_def *world);
    void (*bend)(lt_world *world, const lt_body_id *bodies, float size);
} energy_task;

static const energy_task tasks[] = {
    {"bar-1m", LT_SOLVE_BAR, 1, 1, 1e6f, 9.81f, false, true, false, false, NULL, hold_end},
    {"bar-0.1m", LT_SOLVE_BAR, 1, 0.1f, 1e5f, 9.81f, false, false, false, false, NULL, hold_end},
    {"bear-0.1m", LT_SOLVE_BEAR, 1, 0.1f, 1e5f, 9.81f, true, true, true, false, place_lying, NULL},
    {"pot-0.1m", LT_SOLVE_BUNNY, 1, 0.1f, 3e5f, 9.81f, true, false, true, false, place_upright, NULL},
    {"jelly-1m", LT_SOLVE_BEAR, 1, 1, 1e5f, 9.81f, true, false, true, false, place_lying, NULL},
    {"tilted-0.1m", LT_SOLVE_BEAR, 1, 0.1f, 1e6f, 9.81f, true, false, false, false, place_tilted, NULL},
    {"thrown-0.1m", LT_SOLVE_BEAR, 1, 0.1f, 1e5f, 9.81f, true, false, false, false, place_thrown, NULL},
    {"stack-0.1m", LT_SOLVE_CUBE, 3, 0.1f, 1e6f, 9.81f, true, true, true, false, place_stacked, NULL},
    {"twisted-1m", LT_SOLVE_BAR, 1, 1, 1e5f, 0, false, false, false, true, NULL, twist},
    {"squeezed-0.1m", LT_SOLVE_BEAR, 1, 0.1f, 1e5f, 0, false, false, false, true, NULL, squeeze},
    {"spinning-0.1m", LT_SOLVE_BEAR, 1, 0.1f, 1e5f, 0, false, false, false, true, place_spinning, NULL},
    {"meeting-0.1m", LT_SOLVE_BEAR, 2, 0.1f, 1e5f, 0, false, false, false, true, place_meeting, NULL},
};

typedef struct cut_results {
    lt_solve_energy uncut, stage0, cut[MOST_CUT + 1];
} cut_results;

static lt_status run_cut(lt_solve_energy *out, lt_bench *bench, const energy_task *t, lt_shape *shape,
                         uint32_t cut, lt_error *error) {
    lt_solve_world world;
    lt_solve_world_def def = {.shape = t->shape,
                              .body_count = t->body_count,
                              .size = t->size,
                              .young = t->young,
                              .density = 1000,
                              .friction = 0.5f,
                              .dt = 1.0f / 60,
                              .gravity = t->gravity,
                              .floor = t->floor,
                              .cut = cut,
                              .place = t->place,
                              .bend = t->bend};
    lt_status status = lt_solve_world_create(&world, &def, shape, &bench->allocator, error);
    if (status == LT_OK) *out = lt_solve_world_run(&world, STEPS, EVERY);
    lt_solve_world_free(&world);
    return status;
}

static bool is_wanted(const lt_bench *bench, uint32_t cut) {
    return !bench->quick || cut == 1 || cut == 2 || cut == 5;
}

static lt_status run_cuts(cut_results *out, lt_bench *bench, const energy_task *t, lt_error *error) {
    lt_shape *shape;
    lt_status status = lt_solve_make_shape(&shape, t->shape, &bench->allocator, error);
    if (status == LT_OK) status = run_cut(&out->uncut, bench, t, shape, LT_CUT_FULL, error);
    if (status == LT_OK) status = run_cut(&out->stage0, bench, t, shape, 0, error);
    for (uint32_t cut = 1; status == LT_OK && cut <= MOST_CUT; cut++)
        if (is_wanted(bench, cut)) status = run_cut(&out->cut[cut], bench, t, shape, cut, error);
    if (shape) lt_shape_release(shape);
    return status;
}

/* ---- what is held against bars ---- */

static double share_of(const cut_results *r, const lt_solve_energy *run) {
    double released = r->uncut.given + lt_max_d(0, r->uncut.released);
    if (run->broken || r->uncut.broken || !(released > 0)) return LT_SOLVE_NEVER;
    return lt_min_d(run->rise / released, LT_SOLVE_NEVER);
}

static double off_height(const cut_results *r, const lt_solve_energy *run, const energy_task *t) {
    if (run->broken || r->uncut.broken) return LT_SOLVE_NEVER;
    return lt_min_d(fabs(run->height - r->uncut.height) / (double)(t->size * (float)t->body_count),
                    LT_SOLVE_NEVER);
}

typedef struct worst_of {
    double share, height, momentum;
    uint32_t share_cut, height_cut;
} worst_of;

static worst_of worst_cut(const lt_bench *bench, const energy_task *t, const cut_results *r) {
    worst_of worst = {0};
    for (uint32_t cut = 1; cut <= MOST_CUT; cut++) {
        if (!is_wanted(bench, cut)) continue;
        double share = share_of(r, &r->cut[cut]), height = off_height(r, &r->cut[cut], t);
        if (share > worst.share) worst.share_cut = cut;
        if (height > worst.height) worst.height_cut = cut;
        worst.share = lt_max_d(worst.share, share);
        worst.height = lt_max_d(worst.height, height);
        worst.momentum = lt_max_d(worst.momentum, r->cut[cut].broken ? LT_SOLVE_NEVER : r->cut[cut].momentum);
    }
    return worst;
}

static void add_rows(lt_bench *bench, const energy_task *t, const cut_results *r, worst_of worst) {
    lt_bench_row_begin(bench, "energy at cuts");
    lt_bench_text(bench, "world", t->name);
    lt_bench_number(bench, "released_J", r->uncut.given + r->uncut.released);
    lt_bench_number(bench, "uncut", share_of(r, &r->uncut));
    lt_bench_number(bench, "stage_0", share_of(r, &r->stage0));
    lt_bench_number(bench, "cut_1", share_of(r, &r->cut[1]));
    lt_bench_number(bench, "cut_2", share_of(r, &r->cut[2]));
    lt_bench_number(bench, "cut_5", share_of(r, &r->cut[5]));
    lt_bench_number(bench, "worst", worst.share);
    lt_bench_number(bench, "worst_at", worst.share_cut);
    if (t->rests) {
        lt_bench_row_begin(bench, "height at rest");
        lt_bench_text(bench, "world", t->name);
        lt_bench_number(bench, "uncut_m", r->uncut.height);
        lt_bench_number(bench, "off_stage_0", off_height(r, &r->stage0, t));
        lt_bench_number(bench, "off_cut_1", off_height(r, &r->cut[1], t));
        lt_bench_number(bench, "off_worst", worst.height);
        lt_bench_number(bench, "worst_at", worst.height_cut);
    }
    if (t->is_free) {
        lt_bench_row_begin(bench, "momentum");
        lt_bench_text(bench, "world", t->name);
        lt_bench_number(bench, "uncut", r->uncut.momentum);
        lt_bench_number(bench, "stage_0", r->stage0.momentum);
        lt_bench_number(bench, "worst", worst.momentum);
    }
}

static void check(lt_bench *bench, const energy_task *t, const char *what, double value, double bar) {
    char name[80];
    snprintf(name, sizeof name, "solve.%s-%s", what, t->name);
    lt_bench_check_value(bench, name, value, "<=", bar);
}

static void check_all(lt_bench *bench, const energy_task *t, const cut_results *r, worst_of worst) {
    bool jelly = t->size > SIZE_SMALL && t->size >= SIZE_LARGE; /* printed, never judged at stage 0 */
    check(bench, t, "energy", worst.share, 0.01);
    check(bench, t, "energy-uncut", share_of(r, &r->uncut), 0.01);
    if (t->rests) check(bench, t, "height", worst.height, 0.01);
    if (t->rests && !jelly) check(bench, t, "height-stage-0", off_height(r, &r->stage0, t), 0.02);
    if (t->is_free)
        check(bench, t, "momentum", lt_max_d(worst.momentum, lt_max_d(r->stage0.momentum, r->uncut.momentum)),
              1e-6);
}

lt_status lt_solve_energies(lt_bench *bench, lt_solve_unit *unit, lt_error *error) {
    (void)unit;
    for (size_t i = 0; i < LT_COUNT_OF(tasks); i++) {
        if (bench->quick && !tasks[i].quick) continue;
        if (!lt_bench_is_asked(bench, "energy", tasks[i].name)) continue;
        cut_results results = {0};
        lt_status status = run_cuts(&results, bench, &tasks[i], error);
        if (status != LT_OK) return status;
        worst_of worst = worst_cut(bench, &tasks[i], &results);
        add_rows(bench, &tasks[i], &results, worst);
        check_all(bench, &tasks[i], &results, worst);
    }
    return LT_OK;
}
