/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The whole method in its scenes: what an armadillo costs that a bear pokes (the paper's dragon), whether budgets are kept, and
 * a knot that falls and lies on itself without ever passing through, however long it is watched. */

#include "multiscale_internal.h"

#include "chart.h"
#include "scene_rig.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const char NO_QUICK[] = "time is not judged: no --quick";

/* ---- a body of a scene beside the world ---- */

/* The first body of a scene, as the parts see it. */
typedef struct watched {
    lt_scene_rig rig;
    lt_fine_shape dense;
    lt_fine_body body;
    lt_fine_pair pair;
    lt_fine_shape plain; /* its surface not cut at tets */
    lt_fine_body plain_body;
    lt_fine_pair plain_pair;
    lt_vec3 *nodes; /* [node_count] */
} watched;

static void free_watched(watched *w) {
    LT_DELETE(&w->rig.allocator, w->nodes, w->dense.carrier.node_count, lt_vec3);
    lt_fine_pair_free(&w->plain_pair);
    lt_fine_body_free(&w->plain_body);
    lt_fine_shape_free(&w->plain);
    lt_fine_pair_free(&w->pair);
    lt_fine_body_free(&w->body);
    lt_fine_shape_free(&w->dense);
    if (w->rig.built.world) lt_scene_rig_free(&w->rig);
}

static lt_status create_watched(watched *w, lt_bench *bench, const char *scene, lt_method method,
                                lt_error *error) {
    lt_shape *shape = NULL;
    *w = (watched){0};
    lt_status status = lt_scene_rig_create(&w->rig, bench, scene, method, NULL, error);
    if (status != LT_OK) return status;
    status = lt_recipe_shape(&shape, w->rig.scene.shapes.items, &bench->allocator, error);
    if (status == LT_OK) status = lt_fine_shape_take(&w->dense, bench, shape, error);
    if (status == LT_OK) status = lt_fine_body_create(&w->body, &w->dense, NULL, LT_BOUND_DUAL, NULL, error);
    if (status == LT_OK) status = lt_fine_pair_create(&w->pair, &w->body, &w->body, error);
    if (status == LT_OK) status = lt_fine_shape_plain(&w->plain, bench, &w->dense, error);
    if (status == LT_OK)
        status = lt_fine_body_create(&w->plain_body, &w->plain, NULL, LT_BOUND_DUAL, NULL, error);
    if (status == LT_OK) status = lt_fine_pair_create(&w->plain_pair, &w->plain_body, &w->plain_body, error);
    w->nodes = LT_NEW(&bench->allocator, w->dense.carrier.node_count, lt_vec3);
    if (status == LT_OK && !w->nodes) status = lt_fail(error, LT_STATUS_MEMORY, "no memory for nodes");
    if (status != LT_OK) free_watched(w);
    return status;
}

/* The nodes as they are now become the end of a step, and what was the end its beginning. */
static void look(watched *w) {
    float *swap = w->body.from;
    w->body.from = w->body.to;
    w->body.to = swap;
    lt_body_get_nodes(w->rig.built.world, w->rig.built.bodies[0], w->nodes, NULL);
    for (uint32_t i = 0; i < w->dense.carrier.node_count; i++)
        lt_fine_put(w->body.to, i, lt_d3_from_v3(w->nodes[i]));
}

/* Pairs of triangles of the body that pass through each other now; `self` NULL: without asking tets which may. */
static uint32_t count_crossing(watched *w, lt_fine_pair *pair, lt_self *self) {
    lt_multiscale *boxes = &pair->a->boxes;
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < w->dense.carrier.node_count; i++)
        box = lt_box_add_point(box, w->nodes[i]);
    lt_multiscale_begin(boxes, w->body.to, NULL, box);
    if (self) {
        lt_multiscale_fit(boxes);
        lt_self_begin(self, w->body.to, w->body.to, 0, boxes->slack);
        lt_self_mark(self);
    } else {
        lt_multiscale_refit_whole(boxes, &pair->a->dense->order);
    }
    pair->query.self = self;
    lt_query_begin(&pair->query);
    lt_query_run(&pair->query);
    return pair->query.meeting_count + pair->query.dropped_count;
}

/* Contacts of bodies with each other or themselves; with obstacles they are `all` less these. */
static uint32_t count_own(const lt_scene_rig *rig, uint32_t *all) {
    uint32_t own = 0;
    const lt_contact *contacts = lt_world_contacts(rig->built.world, all);
    for (uint32_t i = 0; i < *all; i++)
        own += contacts[i].body_b.index_plus_one != 0;
    return own;
}

static lt_report step(watched *w, uint32_t number) {
    lt_scene_advance(&w->rig.built, number);
    return lt_scene_rig_step(&w->rig, lt_budget_unlimited());
}

/* ---- poke ---- */

/* Detection is one stage of the report. What tets and refit have of it is measured on the parts, from where the nodes were to
 * where they are; the rest, obstacle included, is the query. Steps in which nothing touches would make a mean of anything, so
 * that the query and the response are judged by those that do, and the query by the others as well: the paper says 5 to 25 ms. */
enum { DYNAMICS, TETS, REFIT, QUERY_FREE, QUERY_TOUCHING, RESPONSE, PART_COUNT };
enum { POKE_STEPS = 240 };

static const struct {
    const char *name;
    double paper_ms;
} poke_parts[PART_COUNT] = {{"dynamics", 50},  {"tet-hash", 15},         {"refit", 20},
                            {"query-free", 5}, {"query-in-contact", 25}, {"response", 250}};

typedef struct poke_sum {
    double us[PART_COUNT], worst_us[PART_COUNT];
    uint32_t count[PART_COUNT];
} poke_sum;

static void measure_poke(watched *w, uint32_t number, poke_sum *sum) {
    uint32_t contacts;
    lt_report report = step(w, number);
    count_own(&w->rig, &contacts);
    look(w);
    lt_fine_body_measure(&w->body);
    lt_fine_times parts = lt_fine_time_step(&w->pair, LT_FINE_MULTISCALE, 3);
    double detect = report.stage_us[LT_STAGE_DETECT] + report.stage_us[LT_STAGE_OBSTACLES];
    double query = lt_max_d(0, detect - parts.tets_us - parts.fit_us);
    const double us[PART_COUNT] = {
        report.model_us, parts.tets_us,
        parts.fit_us,    query,
        query,           report.stage_us[LT_STAGE_RESPOND] + report.stage_us[LT_STAGE_CONTACTS]};
    for (int i = 0; i < PART_COUNT; i++) {
        bool touching = i == QUERY_TOUCHING || i == RESPONSE;
        if ((touching && contacts == 0) || (i == QUERY_FREE && contacts > 0)) continue;
        sum->us[i] += us[i];
        sum->worst_us[i] = lt_max_d(sum->worst_us[i], us[i]);
        sum->count[i]++;
    }
}

static void judge_poke(lt_bench *bench, const poke_sum *sum) {
    for (int i = 0; i < PART_COUNT; i++) {
        char text[80];
        double mean_ms = 1e-3 * sum->us[i] / sum->count[i], times = poke_parts[i].paper_ms / mean_ms;
        snprintf(text, sizeof text, "poke, %s", poke_parts[i].name);
        lt_bench_row_begin(bench, text);
        lt_bench_number(bench, "steps", sum->count[i]);
        lt_bench_number(bench, "mean_ms", sum->count[i] ? mean_ms : 0);
        lt_bench_number(bench, "worst_ms", 1e-3 * sum->worst_us[i]);
        lt_bench_number(bench, "paper_ms", poke_parts[i].paper_ms);
        lt_bench_number(bench, "times", sum->count[i] ? times : 0);
        snprintf(text, sizeof text, "multiscale.poke-%s-times", poke_parts[i].name);
        if (bench->quick || sum->count[i] == 0)
            lt_bench_check_absent(bench, text, ">=", 10, bench->quick ? NO_QUICK : "no such steps");
        else
            lt_bench_check_value(bench, text, times, ">=", 10);
    }
}

lt_status lt_fine_poke(lt_bench *bench, lt_error *error) {
    watched w;
    poke_sum sum = {0};
    lt_status status = create_watched(&w, bench, "poke", LT_METHOD_MULTISCALE, error);
    if (status != LT_OK) return status;
    look(&w);
    for (uint32_t i = 0; i < (bench->quick ? 6 : POKE_STEPS); i++)
        measure_poke(&w, i, &sum);
    judge_poke(bench, &sum);
    free_watched(&w);
    return LT_OK;
}

/* ---- budgets ---- */

enum { LEARN_STEPS = 8 };

typedef struct limited {
    double limit_us;
    lt_samples overshoots;
    uint32_t interrupted, own_steps;
    double used; /* of the limit, mean */
} limited;

static void run_limited(lt_bench *bench, const lt_scene_rig *rig, limited *l) {
    uint32_t steps = bench->quick ? LEARN_STEPS + 2 : 240, listed;
    for (uint32_t i = 0; i < steps; i++) {
        lt_scene_advance(&rig->built, i);
        lt_stopwatch watch = lt_stopwatch_start();
        lt_report report = lt_scene_rig_step(rig, lt_budget_collision_us(l->limit_us));
        lt_sample sample = lt_stopwatch_stop(watch);
        l->interrupted += report.interrupted > 0;
        l->own_steps += count_own(rig, &listed) > 0;
        l->used += (sample.us - report.model_us) / l->limit_us / steps;
        sample.us = lt_max_d(0, sample.us - report.model_us - l->limit_us);
        if (i >= LEARN_STEPS && !lt_samples_add(&l->overshoots, sample)) bench->out_of_memory = true;
    }
}

static void judge_limit(lt_bench *bench, const char *scene, limited *l) {
    double limit_us = l->limit_us, preempted = 100 * lt_samples_preempted_share(&l->overshoots),
           bar = lt_max_d(5, 0.01 * limit_us);
    lt_distribution all = lt_samples_distribution(&l->overshoots, true),
                    quiet = lt_samples_distribution(&l->overshoots, false);
    char text[80];
    snprintf(text, sizeof text, "%s, %g ms a step", scene, 1e-3 * limit_us);
    lt_bench_row_begin(bench, text);
    lt_bench_number(bench, "steps", quiet.count);
    lt_bench_number(bench, "p50_us", quiet.median);
    lt_bench_number(bench, "p99_us", quiet.p99);
    lt_bench_number(bench, "worst_us", quiet.worst);
    lt_bench_number(bench, "p99_all_us", all.p99);
    lt_bench_number(bench, "preempted_%", preempted);
    lt_bench_number(bench, "interrupted", l->interrupted);
    lt_bench_number(bench, "used_%", 100 * l->used);
    lt_bench_number(bench, "steps_met_itself", l->own_steps);
    snprintf(text, sizeof text, "multiscale.%s-%gus-overshoot-p99-us", scene, limit_us);
    if (bench->quick)
        lt_bench_check_absent(bench, text, "<=", bar, NO_QUICK);
    else
        lt_bench_check_value(bench, text, quiet.count ? quiet.p99 : all.p99, "<=", bar);
    snprintf(text, sizeof text, "multiscale.%s-%gus-preempted-%%", scene, limit_us);
    if (bench->quick)
        lt_bench_check_absent(bench, text, "<=", 5, NO_QUICK);
    else
        lt_bench_check_value(bench, text, preempted, "<=", 5);
}

static lt_status limit_scene(lt_bench *bench, const char *scene, double limit_us, lt_error *error) {
    lt_scene_rig rig;
    limited l = {.limit_us = limit_us, .overshoots = lt_samples_begin(&bench->allocator)};
    char title[80], name[64];
    lt_status status = lt_scene_rig_create(&rig, bench, scene, LT_METHOD_MULTISCALE, NULL, error);
    if (status != LT_OK) return status;
    run_limited(bench, &rig, &l);
    judge_limit(bench, scene, &l);
    snprintf(title, sizeof title, "Scene %s, %g ms a step: overshoot", scene, 1e-3 * limit_us);
    snprintf(name, sizeof name, "multiscale-%s-%gus-overshoot", scene, limit_us);
    status = lt_bench_overshoots(bench, &l.overshoots, title, name, error);
    lt_samples_free(&l.overshoots);
    lt_scene_rig_free(&rig);
    return status;
}

/* A limit is easily kept by doing nothing: how much of it is used, and in how many steps the knot was found to meet itself, stands
 * beside it. */
lt_status lt_fine_limits(lt_bench *bench, lt_error *error) {
    static const double limits_us[] = {200, 1000, 5000};
    lt_status status = LT_OK;
    for (size_t i = 0; i < LT_COUNT_OF(limits_us) && status == LT_OK; i++)
        status = limit_scene(bench, "knot", limits_us[i], error);
    return status;
}

/* ---- the knot that falls ---- */

enum { FALL_STEPS = 1000, LOOK_EVERY = 10 };

typedef struct fall {
    uint32_t crossing, fail_safe_steps, tangled_steps, own_steps;
    uint32_t crossing_uncut; /* of triangles that are not cut at tets, found without asking tets */
    double height;           /* m, of the middle of the nodes above the floor, at the end */
    double speed;            /* m/s, of the fastest node there */
} fall;

static double middle_height(const watched *w) {
    double sum = 0;
    for (uint32_t i = 0; i < w->dense.carrier.node_count; i++)
        sum += (double)w->nodes[i].y;
    return sum / w->dense.carrier.node_count;
}

static lt_status let_fall(fall *out, lt_bench *bench, lt_method method, uint32_t steps, lt_error *error) {
    watched w;
    *out = (fall){0};
    lt_status status = create_watched(&w, bench, "knot", method, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < steps; i++) {
        lt_report report = step(&w, i);
        uint32_t all;
        out->own_steps += count_own(&w.rig, &all) > 0;
        out->fail_safe_steps += report.fail_safe > 0;
        out->tangled_steps += report.tangled > 0;
        if (i % LOOK_EVERY && i + 1 < steps) continue;
        look(&w);
        out->crossing += count_crossing(&w, &w.pair, &w.body.self);
        out->crossing_uncut += count_crossing(&w, &w.plain_pair, NULL);
    }
    out->height = middle_height(&w);
    out->speed = (double)lt_soft_speed(lt_soft_at(w.rig.built.world, 0));
    free_watched(&w);
    return LT_OK;
}

static void add_fall(lt_bench *bench, const char *label, const fall *f) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "steps_met_itself", f->own_steps);
    lt_bench_number(bench, "crossing", f->crossing);
    lt_bench_number(bench, "crossing_uncut", f->crossing_uncut);
    lt_bench_number(bench, "tangled_steps", f->tangled_steps);
    lt_bench_number(bench, "fail_safe_steps", f->fail_safe_steps);
    lt_bench_number(bench, "height_m", f->height);
    lt_bench_number(bench, "speed_m/s", f->speed);
}

/* The penalty run is that of the method tet-hash, with the same shape. */
lt_status lt_fine_fall(lt_bench *bench, lt_error *error) {
    fall ours, penalty;
    uint32_t steps = bench->quick ? 40 : FALL_STEPS;
    lt_status status = let_fall(&ours, bench, LT_METHOD_MULTISCALE, steps, error);
    if (status == LT_OK) status = let_fall(&penalty, bench, LT_METHOD_TET_HASH, steps, error);
    if (status != LT_OK) return status;
    add_fall(bench, "knot falls, multiscale", &ours);
    add_fall(bench, "knot falls, penalty (tet-hash)", &penalty);
    lt_bench_check_value(bench, "multiscale.knot-fall-crossing", ours.crossing + ours.crossing_uncut,
                         "==", 0);
    lt_bench_check_value(bench, "multiscale.knot-fall-steps-met-itself", ours.own_steps, ">", 0);
    lt_bench_check_value(bench, "multiscale.knot-fall-fail-safe-%", 100.0 * ours.fail_safe_steps / steps, "<",
                         2);
    if (bench->quick)
        lt_bench_check_absent(bench, "multiscale.knot-fall-height-off-%", "<=", 5,
                              "needs it at rest: no --quick");
    else
        lt_bench_check_value(bench, "multiscale.knot-fall-height-off-%",
                             100 * fabs(ours.height / penalty.height - 1), "<=", 5);
    return LT_OK;
}
