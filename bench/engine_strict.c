/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces that intersect, after every step and at five times inside it: nodes on their straight ways from where they were to where they
 * are, put into a second world of the same scene, whose judge decides exactly. Methods that have no policy strict are run as they are, so
 * that the judge is seen to fail. */

#include "engine_internal.h"

#include "core/os.h"

#include <math.h>
#include <stdio.h>

/* A heap's 60 steps, looked at 360 times, are some ten seconds. */
enum { STEPS = 60, TIMES_INSIDE = 5, QUICK_INSIDE_EVERY = 6, SEEDS = 3 };

typedef struct twin {
    lt_engine_rig run, shadow;
    lt_vec3 *before, *after, *between; /* [node_count] of all bodies, one after the other */
    uint32_t node_count;
} twin;

static lt_status twin_create(twin *t, const lt_engine_rig_def *def, const lt_allocator *allocator,
                             lt_error *error) {
    *t = (twin){0};
    lt_status status = lt_engine_rig_create(&t->run, def, allocator, error);
    if (status == LT_OK) status = lt_engine_rig_create(&t->shadow, def, allocator, error);
    if (status != LT_OK) return status;
    t->node_count = lt_engine_count(t->run.built.world).node_count;
    t->before = LT_NEW(allocator, t->node_count, lt_vec3);
    t->after = LT_NEW(allocator, t->node_count, lt_vec3);
    t->between = LT_NEW(allocator, t->node_count, lt_vec3);
    if (t->before && t->after && t->between) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
}

static void twin_free(twin *t, const lt_allocator *allocator) {
    LT_DELETE(allocator, t->before, t->node_count, lt_vec3);
    LT_DELETE(allocator, t->after, t->node_count, lt_vec3);
    LT_DELETE(allocator, t->between, t->node_count, lt_vec3);
    lt_engine_rig_free(&t->run);
    lt_engine_rig_free(&t->shadow);
}

static void read_nodes(const lt_engine_rig *rig, lt_vec3 *nodes) {
    for (uint32_t i = 0; i < rig->body_count; i++) {
        lt_body_get_nodes(rig->built.world, rig->built.bodies[i], nodes, NULL);
        nodes += lt_body_node_count(rig->built.world, rig->built.bodies[i]);
    }
}

static lt_status put_shadow(twin *t, double share, lt_error *error) {
    for (uint32_t n = 0; n < t->node_count; n++) {
        lt_dvec3 from = lt_d3_from_v3(t->before[n]), to = lt_d3_from_v3(t->after[n]);
        t->between[n] = lt_v3_from_d3(lt_d3_mad(from, lt_d3_sub(to, from), share));
    }
    const lt_vec3 *nodes = t->between;
    lt_status status = LT_OK;
    for (uint32_t i = 0; status == LT_OK && i < t->shadow.body_count; i++) {
        lt_body_id body = t->shadow.built.bodies[i];
        status = lt_body_set_nodes(t->shadow.built.world, body, nodes, NULL, error);
        nodes += lt_body_node_count(t->shadow.built.world, body);
    }
    return status;
}

typedef struct crossing {
    double pairs, triangles,
        inside; /* sums: of bodies after steps, of triangles after steps and inside them */
} crossing;

static lt_status look(lt_judge *judge, double *pairs, double *triangles, lt_error *error) {
    lt_judgement now;
    lt_status status = lt_judge_check(judge, &now, error);
    if (status != LT_OK) return status;
    *pairs += (double)now.intersecting;
    *triangles += (double)now.crossings;
    return LT_OK;
}

static lt_status step_twin(twin *t, uint64_t units, bool looks_inside, crossing *c, lt_error *error) {
    read_nodes(&t->run, t->before);
    lt_engine_rig_step(&t->run, lt_engine_units(units));
    read_nodes(&t->run, t->after);
    lt_status status = look(t->run.judge, &c->pairs, &c->triangles, error);
    for (int i = 1; status == LT_OK && looks_inside && i <= TIMES_INSIDE; i++) {
        double pairs = 0;
        status = put_shadow(t, (double)i / (TIMES_INSIDE + 1), error);
        if (status == LT_OK) status = look(t->shadow.judge, &pairs, &c->inside, error);
    }
    return status;
}

static lt_status run_twin(lt_engine_bench *e, const lt_engine_rig_def *def, uint64_t units, crossing *c,
                          lt_error *error) {
    twin t;
    crossing start = {0};
    lt_status status = twin_create(&t, def, &e->bench->allocator, error);
    if (status == LT_OK) status = look(t.run.judge, &start.pairs, &start.triangles, error);
    LT_ASSERT(start.pairs == 0); /* scenes begin clean */
    uint64_t begin_ns = lt_os_thread_cpu_ns();
    while (status == LT_OK && t.run.step < STEPS && lt_engine_seconds(begin_ns) < e->patience)
        status = step_twin(&t, units, !e->bench->quick || t.run.step % QUICK_INSIDE_EVERY == 0, c, error);
    twin_free(&t, &e->bench->allocator);
    return status;
}

static const uint32_t budgets[] = {LT_ENGINE_NONE, LT_ENGINE_10, LT_ENGINE_1, LT_ENGINE_BUDGETS - 2};

static lt_status run_scene(lt_engine_bench *e, lt_engine_policy policy, uint32_t scene, crossing *worst,
                           lt_error *error) {
    const char *name = lt_engine_scenes[scene].name;
    lt_status status = LT_OK;
    for (size_t b = 0; b < LT_COUNT_OF(budgets); b++) {
        crossing sum = {0};
        if (!lt_engine_wants_budget(e, budgets[b])) continue;
        for (uint32_t seed = 0; status == LT_OK && seed < lt_min_u32(e->seed_count, SEEDS); seed++) {
            const lt_engine_rig_def def = {
                .scene = name, .method = e->method, .policy = policy, .seed = seed, .judged = true};
            status = lt_engine_need_full(e, policy, scene, seed, error);
            uint64_t units = lt_engine_budget_units(e, policy, scene, seed, budgets[b]);
            if (status == LT_OK) status = run_twin(e, &def, units, &sum, error);
        }
        if (status != LT_OK) return status;
        worst->triangles = lt_engine_larger(worst->triangles, sum.triangles);
        worst->inside = lt_engine_larger(worst->inside, sum.inside);
        lt_bench_row_begin(e->bench, "intersecting in 60 steps");
        lt_bench_text(e->bench, "scene", name);
        lt_bench_text(e->bench, "budget", lt_engine_budgets[budgets[b]].name);
        lt_bench_number(e->bench, "bodies", sum.pairs);
        lt_bench_number(e->bench, "triangles", sum.triangles);
        lt_bench_number(e->bench, "inside_steps", sum.inside);
    }
    return status;
}

lt_status lt_engine_judge_strict(lt_engine_bench *e, lt_error *error) {
    static const char *const unmeasured = "not asked for";
    crossing worst = {NAN, NAN, NAN};
    lt_status status = LT_OK;
    /* The engine without strict has nothing to be judged here; a method of a paper is as strict as it is. */
    bool has_strict = lt_engine_runs(e, LT_ENGINE_STRICT),
         is_of_paper = e->exists && e->method != lt_engine_find_method("engine");
    lt_engine_policy policy = has_strict ? LT_ENGINE_STRICT : LT_ENGINE_SOFT;
    bool is_run = has_strict || is_of_paper;
    for (uint32_t s = 0; status == LT_OK && is_run && s < LT_ENGINE_SCENES; s++) {
        const lt_engine_scene *scene = &lt_engine_scenes[s];
        bool is_chosen =
            scene->traits & LT_ENGINE_QUICK &&
            !(e->bench->quick && scene->traits & LT_ENGINE_LOADS && !(scene->traits & LT_ENGINE_LONG));
        if (is_chosen && lt_bench_is_asked(e->bench, "strict", scene->name))
            status = run_scene(e, policy, s, &worst, error);
    }
    /* Named without the policy's suffix: there is one of each. */
    lt_engine_check(e, "strict-intersecting-after-steps", policy, worst.triangles, "==", 0,
                    is_run ? unmeasured : "the engine has no policy strict yet");
    lt_engine_check(e, "strict-intersecting-inside-steps", policy, worst.inside, "==", 0,
                    is_run ? unmeasured : "the engine has no policy strict yet");
    return status;
}
