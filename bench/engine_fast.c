/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fast and thin: sheets of one tet that fall, are shot and meet a fast moved plate; after no step anything may be on another side of
 * something. Of obstacles the judge knows (`passed`). Of bodies: a centre that goes through the plane of a sheet within a quarter
 * of its size from its centre has gone through the sheet, since it is stiff enough to be there. Then bodies that begin in one place. */

#include "engine_internal.h"

#include <math.h>
#include <stdio.h>

enum { MOST_BODIES = 24, MOST_PAIRS = MOST_BODIES * MOST_BODIES };

/* A sheet as a plane: its centre, and corners of its upper side as the scene began, along two diagonals. */
typedef struct sheet {
    uint32_t body, corners[4];
    double reach; /* how far from its centre it is surely there, though bent: a quarter of its size */
} sheet;

/* A sheet and a body that began within two metres of it: where the body is, as the sheet sees it. */
typedef struct sides {
    uint32_t sheet, body;
    lt_dvec3 place; /* beside the centre, above the plane, 0 */
    bool has_passed;
} sides;

typedef struct crowd {
    sheet sheets[MOST_BODIES];
    sides pairs[MOST_PAIRS];
    uint32_t sheet_count, count;
} crowd;

/* Sheets lie level as the scene begins, turned about the vertical: their corners are farthest along the diagonals. */
static void find_corners(sheet *s, const lt_engine_rig *rig) {
    static const float along[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    lt_surface_view view = lt_body_surface(rig->built.world, rig->built.bodies[s->body]);
    for (int k = 0; k < 4; k++) {
        float most = -INFINITY;
        for (uint32_t v = 0; v < view.vertex_count; v++) {
            lt_vec3 p = view.positions[v];
            float far = along[k][0] * p.x + along[k][1] * p.z;
            if (far > most) most = far, s->corners[k] = v;
        }
    }
}

/* How far the body's centre is beside the sheet's, and above its plane. */
static lt_dvec3 place_of(const sheet *s, uint32_t body, const lt_engine_rig *rig) {
    lt_dvec3 corners[4];
    lt_surface_view view = lt_body_surface(rig->built.world, rig->built.bodies[s->body]);
    for (int k = 0; k < 4; k++)
        corners[k] = lt_d3_from_v3(view.positions[s->corners[k]]);
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(corners[0], corners[2]), lt_d3_sub(corners[1], corners[3]));
    lt_dvec3 between = lt_d3_sub(lt_engine_center(rig, body), lt_engine_center(rig, s->body));
    normal = lt_d3_normalize_or(normal, (lt_dvec3){0, 1, 0});
    double above = lt_d3_dot(between, normal);
    return (lt_dvec3){lt_d3_length(lt_d3_mad(between, normal, -above)), above, 0};
}

/* The first shape of a scene is its sheet. */
static void begin_sides(crowd *c, const lt_engine_rig *rig) {
    const lt_scene_body *bodies = rig->scene.bodies.items;
    LT_ASSERT(rig->body_count <= MOST_BODIES);
    for (uint32_t a = 0; a < rig->body_count; a++) {
        if (bodies[a].shape_index != 0) continue;
        sheet *s = &c->sheets[c->sheet_count];
        *s = (sheet){.body = a, .reach = 0.25 * lt_engine_size(rig, a)};
        find_corners(s, rig);
        for (uint32_t b = 0; b < rig->body_count; b++) {
            lt_dvec3 between = lt_d3_sub(lt_engine_center(rig, b), lt_engine_center(rig, a));
            if (a != b && lt_d3_length(between) < 2)
                c->pairs[c->count++] = (sides){c->sheet_count, b, place_of(s, b, rig), false};
        }
        c->sheet_count++;
    }
}

static void look_at_sides(crowd *c, const lt_engine_rig *rig) {
    const lt_dvec3 up = {0, 1, 0};
    for (uint32_t i = 0; i < c->count; i++) {
        sides *s = &c->pairs[i];
        const sheet *of = &c->sheets[s->sheet];
        lt_dvec3 now = place_of(of, s->body, rig);
        s->has_passed = s->has_passed || lt_engine_has_passed(s->place, now, up, of->reach);
        s->place = now;
    }
}

typedef struct passing {
    double bodies, obstacles, worst_rise; /* passed through bodies, through obstacles; J */
} passing;

static lt_status run_fast(lt_engine_bench *e, const char *scene, lt_engine_policy policy, uint64_t units,
                          uint32_t seed, passing *out, lt_error *error) {
    lt_engine_rig rig;
    crowd *c = LT_NEW(&e->bench->allocator, 1, crowd);
    if (!c) return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
    const lt_engine_rig_def def = {
        .scene = scene, .method = e->method, .policy = policy, .seed = seed, .judged = true};
    lt_status status = lt_engine_rig_create(&rig, &def, &e->bench->allocator, error);
    *out = (passing){0};
    if (status == LT_OK) begin_sides(c, &rig);
    while (status == LT_OK && rig.step < rig.scene.steps) {
        lt_judgement now;
        lt_engine_rig_step(&rig, lt_engine_units(units));
        look_at_sides(c, &rig);
        status = lt_judge_check(rig.judge, &now,
                                error); /* after every step: who is through and out again is not seen */
        if (status == LT_OK) out->obstacles = lt_max_d(out->obstacles, (double)now.lost);
    }
    for (uint32_t i = 0; status == LT_OK && i < c->count; i++)
        out->bodies += c->pairs[i].has_passed;
    lt_engine_rig_free(&rig);
    LT_DELETE(&e->bench->allocator, c, 1, crowd);
    return status;
}

/* Budgets of what an unlimited run takes; its cost is found by a run of its own. */
static lt_status find_full(lt_engine_bench *e, const char *scene, lt_engine_policy policy, uint32_t steps,
                           lt_engine_outcome *out, lt_error *error) {
    const lt_engine_run_def def = {.rig = {.scene = scene, .method = e->method, .policy = policy},
                                   .steps = steps,
                                   .every = 1000,
                                   .units = LT_UNLIMITED,
                                   .patience = e->patience,
                                   .late = UINT32_MAX};
    return lt_engine_run(out, &def, &e->bench->allocator, error);
}

enum { FAST_BUDGETS = 4 };
static const double FAST_PERCENTS[FAST_BUDGETS] = {100, 25, 5, 0};

static lt_status judge_passing(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    static const char *const scenes[] = {"sheets", "shots"};
    double bodies = NAN, obstacles = NAN;
    lt_status status = LT_OK;
    uint32_t seeds = e->bench->quick ? 1 : e->seed_count;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "fast", "passed");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++) {
        lt_engine_outcome full;
        status = find_full(e, scenes[i], policy, 30, &full, error);
        for (int b = 0; status == LT_OK && b < FAST_BUDGETS; b++) {
            double most_bodies = 0, most_obstacles = 0;
            uint64_t units =
                b == 0 ? LT_UNLIMITED : lt_engine_share_units(full.full, full.fixed, FAST_PERCENTS[b]);
            for (uint32_t seed = 0; status == LT_OK && seed < seeds; seed++) {
                passing out;
                status = run_fast(e, scenes[i], policy, units, seed, &out, error);
                most_bodies = lt_max_d(most_bodies, out.bodies);
                most_obstacles = lt_max_d(most_obstacles, out.obstacles);
            }
            bodies = lt_engine_larger(bodies, most_bodies);
            obstacles = lt_engine_larger(obstacles, most_obstacles);
            lt_bench_row_begin(e->bench, "fast and thin");
            lt_bench_text(e->bench, "scene", scenes[i]);
            lt_bench_number(e->bench, "budget_%", b == 0 ? -1 : FAST_PERCENTS[b]);
            lt_bench_number(e->bench, "passed_bodies", most_bodies);
            lt_bench_number(e->bench, "lost_to_obstacles", most_obstacles);
        }
    }
    lt_engine_check(e, "passed-through-bodies", policy, bodies, "==", 0, "not asked for");
    lt_engine_check(e, "passed-through-obstacles", policy, obstacles, "==", 0, "not asked for");
    return status;
}

/* ---- one place ---- */

static const double APART = 0.01; /* of size: what still counts as touching */

static lt_status judge_coincident(lt_engine_bench *e, lt_engine_policy policy, lt_error *error) {
    static const char *const scenes[] = {"coincident", "coincident-20"};
    double rise = NAN, depth = NAN;
    lt_status status = LT_OK;
    uint32_t seeds = e->bench->quick ? 1 : e->seed_count;
    bool is_asked = lt_engine_runs(e, policy) && lt_bench_is_asked(e->bench, "fast", "coincident");
    for (size_t i = 0; status == LT_OK && is_asked && i < LT_COUNT_OF(scenes); i++)
        for (uint32_t seed = 0; status == LT_OK && seed < seeds; seed++) {
            lt_engine_outcome out;
            const lt_engine_run_def def = {
                .rig = {.scene = scenes[i], .method = e->method, .policy = policy, .seed = seed},
                .steps = 120, /* two seconds */
                .every = 10,
                .units = LT_UNLIMITED,
                .patience = e->patience,
                .late = UINT32_MAX};
            status = lt_engine_run(&out, &def, &e->bench->allocator, error);
            if (status != LT_OK) break;
            double share = 100 * out.rise / lt_max_d(out.released, 1e-9);
            rise = lt_engine_larger(rise, share);
            /* A run that did not come to its end has not parted them. */
            depth = lt_engine_larger(depth, out.is_whole ? out.depth_end : out.depth_worst);
            lt_bench_row_begin(e->bench, "bodies in one place");
            lt_bench_text(e->bench, "scene", scenes[i]);
            lt_bench_number(e->bench, "seed", seed);
            lt_bench_number(e->bench, "rise_J", out.rise);
            lt_bench_number(e->bench, "rise_%", share);
            lt_bench_number(e->bench, "depth_end_%", 100 * out.depth_end);
            lt_bench_number(e->bench, "lost", out.lost);
        }
    lt_engine_check(e, "coincident-energy-rise-percent", policy, rise, "<=", 1, "not asked for");
    lt_engine_check(e, "coincident-depth-after-2s", policy, depth, "<=", APART, "not asked for");
    return status;
}

lt_status lt_engine_judge_fast(lt_engine_bench *e, lt_error *error) {
    lt_status status = LT_OK;
    for (int p = 0; status == LT_OK && p < LT_ENGINE_POLICIES; p++) {
        status = judge_passing(e, (lt_engine_policy)p, error);
        if (status == LT_OK) status = judge_coincident(e, (lt_engine_policy)p, error);
    }
    return status;
}
