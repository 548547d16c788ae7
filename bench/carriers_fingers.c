/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two fingers that stand close and are joined at the foot: pulling one must leave the other still, however
 * little of a cell is between them.
 *
 * The gap is given in cells, and the cells come from the target: baked once with a gap of half a cell's guess
 * to learn their size, then with the gap that is wanted until it is. The foot is pinned up to
 * a cell above the crotch, where tets that hold the crotch itself join both fingers rightly. No gravity, no
 * contacts: what moves the other finger can only come through tets. */

#include "carriers_internal.h"

#include "fingers.h"
#include "lithe/world.h"

#include <math.h>
#include <stdio.h>

/* ---- a bake with the gap that is wanted ---- */

enum { TARGET = 600 };

static lt_status bake_fingers(lt_measured_bake *out, fingers *f, double gap, const lt_allocator *allocator,
                              lt_error *error) {
    lt_surface surface = fingers_make(f, gap);
    return lt_measure_bake(out, &surface, "two fingers", TARGET, allocator, error);
}

static double gap_of(const fingers *f) {
    return f->x[FINGERS_ACROSS / 2 + 1] - f->x[FINGERS_ACROSS / 2];
}

static lt_status bake_with_gap(lt_measured_bake *out, fingers *f, double cells, const lt_allocator *allocator,
                               lt_error *error) {
    lt_status status = bake_fingers(out, f, 0.5 * cells, allocator, error);
    for (int round = 0; round < 4 && status == LT_OK; round++) {
        double gap = cells * out->notes.cell_size;
        if (fabs(gap / gap_of(f) - 1.0) < 0.01) break;
        lt_shape_release(out->shape);
        status = bake_fingers(out, f, gap, allocator, error);
    }
    return status;
}

/* ---- pulling ---- */

enum { STEPS = 240 };

typedef struct pull_result {
    double pulled, other; /* m: how far the pulled point went, and how far the other finger did at most */
} pull_result;

/* The corner of the left finger's tip, outside. */
static uint32_t tip_of(const lt_surface_view *view) {
    uint32_t tip = 0;
    for (uint32_t i = 1; i < view->vertex_count; i++)
        if (view->positions[i].y - view->positions[i].x > view->positions[tip].y - view->positions[tip].x)
            tip = i;
    return tip;
}

static lt_status pull(pull_result *out, lt_world *world, lt_body_id body, const fingers *f, double pinned_to,
                      lt_error *error) {
    lt_body_pin_box(world, body, (lt_vec3){-100, -100, -100}, (lt_vec3){100, (float)pinned_to, 100});
    lt_surface_view view = lt_body_surface(world, body);
    uint32_t tip = tip_of(&view);
    lt_vec3 begin = view.positions[tip];
    lt_vec3 target = lt_v3_add(begin, (lt_vec3){(float)-FINGER_WIDTH, 0, 0});
    if (lt_world_add_handle(world, body, tip, target, 1e5f, error).index_plus_one == 0) return error->status;
    for (int step = 0; step < STEPS; step++)
        lt_world_step(world, 1.0f / 60.0f, lt_budget_unlimited());
    view = lt_body_surface(world, body);
    out->pulled = (double)lt_v3_distance(view.positions[tip], begin);
    /* A surface that needs no repair keeps its vertices and their order. */
    for (uint32_t i = 0; i < view.vertex_count; i++)
        if (f->positions[i].x > 0)
            out->other = lt_max_d(out->other, (double)lt_v3_distance(view.positions[i], f->positions[i]));
    return LT_OK;
}

static lt_status simulate(pull_result *out, lt_shape *shape, const fingers *f, double pinned_to,
                          const lt_allocator *allocator, lt_error *error) {
    *out = (pull_result){0};
    lt_world_def def = lt_world_def_default();
    def.gravity = (lt_vec3){0, 0, 0};
    def.self_collision = false;
    def.sleeping = false;
    def.allocator = *allocator;
    lt_world *world;
    lt_status status = lt_world_create(&def, &world, error);
    if (status != LT_OK) return status;
    lt_body_def body_def = lt_body_def_default();
    body_def.shape = shape;
    body_def.material.mass_damping = 5.0f;
    lt_body_id body = lt_world_add_body(world, &body_def, error);
    status = body.index_plus_one ? pull(out, world, body, f, pinned_to, error) : error->status;
    lt_world_destroy(world);
    return status;
}

static void add_gap(lt_bench *bench, double cells, const fingers *f, const lt_measured_bake *bake,
                    pull_result result) {
    char name[80];
    double gap = gap_of(f);
    lt_bench_row_begin(bench, "two fingers");
    lt_bench_number(bench, "gap_cells", gap / bake->notes.cell_size);
    lt_bench_number(bench, "gap_m", gap);
    lt_bench_number(bench, "cell_m", bake->notes.cell_size);
    lt_bench_number(bench, "tets", bake->notes.tet_count);
    lt_bench_number(bench, "copies", bake->notes.copy_count);
    lt_bench_number(bench, "pulled_m", result.pulled);
    lt_bench_number(bench, "other_m", result.other);
    snprintf(name, sizeof name, "carriers.other-finger-moves-at-gap-%g", cells);
    /* A finger that was not bent at all would prove nothing. */
    lt_bench_check_value(bench, name, result.pulled > 0.5 * FINGER_WIDTH ? result.other / result.pulled : NAN,
                         "<", 0.01);
}

lt_status lt_carriers_fingers(lt_bench *bench, lt_error *error) {
    const double gaps[] = {0.5, 0.3, 0.15}; /* cells */
    for (size_t i = 0; i < LT_COUNT_OF(gaps); i++) {
        fingers f;
        lt_measured_bake bake;
        pull_result result;
        lt_status status = bake_with_gap(&bake, &f, gaps[i], &bench->allocator, error);
        double pinned_to = FINGERS_FOOT_HEIGHT + bake.notes.cell_size;
        if (status == LT_OK) status = simulate(&result, bake.shape, &f, pinned_to, &bench->allocator, error);
        if (status == LT_OK) add_gap(bench, gaps[i], &f, &bake, result);
        lt_shape_release(bake.shape);
        if (status != LT_OK) return status;
    }
    return LT_OK;
}
