/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far apart the teapots come to rest, and how far above the floor: with boxes around the surface in each cell, and with
 * boxes as large as the cells (the paper's figure 7), after the same time. Gaps are between surfaces, not boxes. */

#include "cell_internal.h"

#include "core/vec.h"

#include <math.h>
#include <stdio.h>

enum { LOWER, UPPER, STEPS = 600 };
/* m, around the axis: where the lower one is flat on top, and the upper one at its bottom */
static const float FLAT = 0.12f;

typedef struct gaps {
    double floor, teapots; /* m */
    double speed;          /* m/s, of the upper one */
    double median_ms;
} gaps;

static lt_surface_view view_of(const lt_scene_rig *rig, uint32_t body) {
    return lt_body_surface(rig->built.world, rig->built.bodies[body]);
}

/* Whether a point is in the middle of the body's upper or lower side, as seen from above. */
static bool is_flat(lt_vec3 p, lt_vec3 center, bool above) {
    float x = p.x - center.x, z = p.z - center.z;
    return x * x + z * z < FLAT * FLAT && (p.y > center.y) == above;
}

/* Height of the lower teapot's top at the vertex that is nearest in x and z. */
static float height_below(lt_surface_view lower, lt_vec3 center, lt_vec3 p) {
    float nearest = INFINITY, height = -INFINITY;
    for (uint32_t i = 0; i < lower.vertex_count; i++) {
        lt_vec3 q = lower.positions[i];
        float x = p.x - q.x, z = p.z - q.z, distance = x * x + z * z;
        if (distance >= nearest || !is_flat(q, center, true)) continue;
        nearest = distance;
        height = q.y;
    }
    return height;
}

static gaps measure_gaps(const lt_scene_rig *rig) {
    gaps g = {.floor = INFINITY, .teapots = INFINITY};
    lt_surface_view lower = view_of(rig, LOWER), upper = view_of(rig, UPPER);
    lt_vec3 lower_center = lt_body_center(rig->built.world, rig->built.bodies[LOWER]),
            upper_center = lt_body_center(rig->built.world, rig->built.bodies[UPPER]);
    for (uint32_t i = 0; i < lower.vertex_count; i++)
        g.floor = lt_min_d(g.floor, (double)lower.positions[i].y);
    for (uint32_t i = 0; i < upper.vertex_count; i++) {
        lt_vec3 p = upper.positions[i];
        if (is_flat(p, upper_center, false))
            g.teapots = lt_min_d(g.teapots, (double)(p.y - height_below(lower, lower_center, p)));
    }
    lt_body_id top = rig->built.bodies[UPPER];
    g.speed = (double)lt_v3_length(lt_body_momentum(rig->built.world, top)) /
              (double)lt_body_mass(rig->built.world, top);
    return g;
}

static lt_status rest(gaps *out, lt_bench *bench, bool grid_boxes, lt_error *error) {
    lt_scene_rig rig;
    lt_world_def def = lt_world_def_default();
    def.cell_box.grid_boxes = grid_boxes;
    lt_samples samples = lt_samples_begin(&bench->allocator);
    lt_status status = lt_scene_rig_create(&rig, bench, "teapots", LT_METHOD_CELL_BOX, &def, error);
    if (status != LT_OK) return status;
    bool has_room = true;
    for (uint32_t i = 0; i < (bench->quick ? 20 : STEPS) && has_room; i++) {
        lt_report report;
        has_room = lt_samples_add(&samples, lt_cell_step(&rig, i, lt_budget_unlimited(), &report));
    }
    *out = measure_gaps(&rig);
    out->median_ms = 1e-3 * lt_samples_distribution(&samples, true).median;
    if (!has_room) status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for samples");
    lt_samples_free(&samples);
    lt_scene_rig_free(&rig);
    return status;
}

static void add_row(lt_bench *bench, const char *label, const gaps *g) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "floor_mm", 1e3 * g->floor);
    lt_bench_number(bench, "teapots_mm", 1e3 * g->teapots);
    lt_bench_number(bench, "speed_mm_s", 1e3 * g->speed);
    lt_bench_number(bench, "median_ms", g->median_ms);
}

/* A gap below zero is as bad as one above. */
static void check_gap(lt_bench *bench, const char *name, double tight, double grid) {
    if (bench->quick)
        lt_bench_check_absent(bench, name, "<=", 0.25, "the teapots have not come to rest: no --quick");
    else
        lt_bench_check_value(bench, name, fabs(tight) / fabs(grid), "<=", 0.25);
}

lt_status lt_cell_gap(lt_bench *bench, lt_error *error) {
    gaps tight, grid;
    lt_status status = rest(&tight, bench, false, error);
    if (status == LT_OK) status = rest(&grid, bench, true, error);
    if (status != LT_OK) return status;
    add_row(bench, "teapots at rest, tight boxes", &tight);
    add_row(bench, "teapots at rest, grid boxes", &grid);
    check_gap(bench, "cell-box.gap-floor-of-grid-boxes", tight.floor, grid.floor);
    check_gap(bench, "cell-box.gap-teapots-of-grid-boxes", tight.teapots, grid.teapots);
    return LT_OK;
}
