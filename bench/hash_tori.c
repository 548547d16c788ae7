/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A heavy ball at 10 m/s into floating tori, collision cycles taking 1, 2, 3 … steps: from which latency on does it go
 * through them?
 *
 * Latency is exact here, and as hard as it can be: a cycle begins, gets no unit until the last of its steps, and does all
 * of its work there. Contacts that are known are answered in every step.
 *
 * It has gone through when a point of a torus is deeper in the ball, as its surface is then, than half the radius of the
 * tube, or when the centre of a torus is in the ball at all: the hole is too small for the ball. In a step the ball moves
 * by a sixth of its size, so that none of this happens between two looks. */

#include "hash_internal.h"

#include "bake/winding.h"
#include "chart.h"
#include "mesh/closest.h"

#include <math.h>
#include <stdio.h>

static const double TUBE_RADIUS = 0.1; /* of the scene */

/* The scene begins with the ball less than two steps from a torus, when a world does not know yet how long its cycles
 * take; from farther away it has learned that. */
typedef struct start {
    const char *name;
    uint32_t lead_steps;
} start;

typedef struct pierced {
    double depth;       /* of a point, at most, m */
    uint32_t swallowed; /* centres in the ball, at most at a time */
    double slowed;      /* share of the ball's speed that the tori took */
    uint64_t contacts;
    lt_hash_latency latency;
} pierced;

/* ---- how deep ---- */

static lt_body_id ball_of(const lt_scene_rig *rig) {
    return rig->built.bodies[rig->scene.bodies.count - 1];
}

static double distance_to(const lt_surface *surface, lt_dvec3 p) {
    double least = INFINITY;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        lt_dvec3 corners[3];
        lt_triangle_corners(surface, i, corners);
        least = lt_min_d(least, lt_closest_on_triangle(p, corners).distance_squared);
    }
    return sqrt(least);
}

/* 0 outside. */
static double depth_in(const lt_surface *surface, lt_dvec3 p) {
    return lt_winding_number(surface, p) > 0.5 ? distance_to(surface, p) : 0;
}

/* The view as a surface; it is only read. */
static lt_surface ball_surface(const lt_scene_rig *rig, lt_box *box) {
    lt_surface_view view = lt_body_surface(rig->built.world, ball_of(rig));
    *box = lt_box_empty();
    for (uint32_t i = 0; i < view.vertex_count; i++)
        *box = lt_box_add_point(*box, view.positions[i]);
    return (lt_surface){.positions = (lt_vec3 *)view.positions,
                        .triangles = (uint32_t *)view.triangles,
                        .vertex_count = view.vertex_count,
                        .triangle_count = view.triangle_count};
}

static void look(const lt_scene_rig *rig, pierced *p) {
    lt_box box;
    lt_surface ball = ball_surface(rig, &box);
    uint32_t swallowed = 0;
    for (size_t i = 0; i + 1 < rig->scene.bodies.count; i++) {
        lt_vec3 center = lt_body_center(rig->built.world, rig->built.bodies[i]);
        lt_surface_view torus = lt_body_surface(rig->built.world, rig->built.bodies[i]);
        if (lt_box_contains(box, center)) swallowed += depth_in(&ball, lt_d3_from_v3(center)) > 0;
        for (uint32_t v = 0; v < torus.vertex_count; v++)
            if (lt_box_contains(box, torus.positions[v]))
                p->depth = lt_max_d(p->depth, depth_in(&ball, lt_d3_from_v3(torus.positions[v])));
    }
    p->swallowed = lt_max_u32(p->swallowed, swallowed);
}

/* ---- runs ---- */

static double ball_speed(const lt_scene_rig *rig) {
    return (double)(lt_v3_length(lt_body_momentum(rig->built.world, ball_of(rig))) /
                    lt_body_mass(rig->built.world, ball_of(rig)));
}

/* Everything but detection. */
static lt_cuts nothing_found(void) {
    lt_cuts cuts = {.contact_limit = 0};
    for (int i = 0; i < LT_STAGE_COUNT; i++)
        cuts.units[i] = i == LT_STAGE_DETECT ? 0 : UINT32_MAX;
    return cuts;
}

static pierced fly(const lt_scene_rig *rig, uint32_t latency, uint32_t steps) {
    pierced p = {0};
    const lt_cuts waiting = nothing_found();
    double before = ball_speed(rig);
    for (uint32_t i = 0; i < steps; i++) {
        bool last = i % latency == latency - 1;
        lt_report report = lt_scene_rig_step(rig, last ? lt_budget_unlimited() : lt_budget_cuts(&waiting));
        lt_hash_latency_add(&p.latency, &report);
        p.contacts = lt_max_u64(p.contacts, report.contacts);
        look(rig, &p);
    }
    p.slowed = 1 - ball_speed(rig) / before;
    return p;
}

static bool holds(const pierced *p) {
    return p->depth <= 0.5 * TUBE_RADIUS && p->swallowed == 0;
}

static void add_flight(lt_bench *bench, const start *from, uint32_t latency, const pierced *p) {
    char label[64];
    snprintf(label, sizeof label, "tori and ball, %s, latency %u", from->name, latency);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "steps", p->latency.steps);
    lt_bench_number(bench, "latency", lt_hash_latency_mean(&p->latency));
    lt_bench_number(bench, "age_max", (double)p->latency.age_max);
    lt_bench_number(bench, "contacts_max", (double)p->contacts);
    lt_bench_number(bench, "depth_of_tube", p->depth / TUBE_RADIUS);
    lt_bench_number(bench, "swallowed", p->swallowed);
    lt_bench_number(bench, "slowed", p->slowed);
    lt_bench_text(bench, "goes_through", holds(p) ? "no" : "yes");
}

static void check_flight(lt_bench *bench, const start *from, const pierced *p) {
    char name[80];
    snprintf(name, sizeof name, "tet-hash.tori-%s-latency-2-depth-of-tube", from->name);
    lt_bench_check_value(bench, name, p->depth / TUBE_RADIUS, "<=", 0.5);
    snprintf(name, sizeof name, "tet-hash.tori-%s-latency-2-swallowed", from->name);
    lt_bench_check_value(bench, name, p->swallowed, "==", 0);
}

static void add_break(lt_bench *bench, const start *from, uint32_t breaks, uint32_t longest) {
    char label[64];
    snprintf(label, sizeof label, "tori and ball, %s, breaks at", from->name);
    lt_bench_row_begin(bench, label);
    if (breaks)
        lt_bench_number(bench, "latency", breaks);
    else
        lt_bench_text(bench, "latency", "not found");
    lt_bench_number(bench, "longest_tried", longest);
}

/* Longer and longer, until it breaks; 2 is looked at in any case. */
static lt_status fly_from(lt_bench *bench, lt_scene_rig *rig, const start *from, lt_error *error) {
    static const uint32_t latencies[] = {1, 2, 3, 4, 6, 8, 12, 16};
    uint32_t breaks = 0, longest = 0, steps = (bench->quick ? 8 : rig->scene.steps) + from->lead_steps;
    size_t count = bench->quick ? 2 : LT_COUNT_OF(latencies);
    lt_status status = lt_scene_rig_keep(rig, error);
    for (size_t i = 0; i < count && (breaks == 0 || latencies[i] <= 2) && status == LT_OK; i++) {
        pierced p = fly(rig, latencies[i], steps);
        add_flight(bench, from, latencies[i], &p);
        if (latencies[i] == 2) check_flight(bench, from, &p);
        if (!holds(&p) && breaks == 0) breaks = latencies[i];
        longest = latencies[i];
        status = lt_scene_rig_return(rig, error);
    }
    if (status == LT_OK) add_break(bench, from, breaks, longest);
    return status;
}

static lt_status draw_flights(lt_bench *bench, size_t first_row, lt_error *error) {
    static const lt_bench_curve curves[] = {
        {"from near", "tori and ball, near, latency", "latency", "depth_of_tube"},
        {"from far", "tori and ball, far, latency", "latency", "depth_of_tube"}};
    const lt_chart chart = {.title = "A ball at 10 m/s into tori: how deep, by steps a collision cycle takes",
                            .x = {.label = "steps a cycle", .from_zero = true},
                            .y = {.label = "deepest, radii of the tube", .from_zero = true},
                            .width = 760,
                            .height = 340};
    return lt_bench_curves(bench, first_row, curves, LT_COUNT_OF(curves), chart, "tet-hash-tori", error);
}

lt_status lt_hash_tori(lt_bench *bench, lt_error *error) {
    static const start starts[] = {{"near", 0}, {"far", 24}};
    size_t first_row = bench->rows.count;
    for (size_t i = 0; i < (bench->quick ? 1 : LT_COUNT_OF(starts)); i++) {
        lt_scene scene;
        lt_scene_rig rig;
        lt_status status = lt_scene_make(&scene, "tori", &bench->allocator, error);
        if (status != LT_OK) return status;
        lt_scene_body *ball = (lt_scene_body *)scene.bodies.items + scene.bodies.count - 1;
        ball->position = lt_v3_mad(ball->position, ball->velocity, -scene.dt * (float)starts[i].lead_steps);
        scene.sleeping = false;
        status = lt_scene_rig_build(&rig, bench, &scene, LT_METHOD_TET_HASH, NULL, error);
        if (status == LT_OK) status = fly_from(bench, &rig, &starts[i], error);
        lt_scene_rig_free(&rig);
        if (status != LT_OK) return status;
    }
    return draw_flights(bench, first_row, error);
}
