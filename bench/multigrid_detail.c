/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What refining where it is needed loses and where it is needed: surfaces of one bear against the same fall at full resolution,
 * vertex by vertex and without aligning anything; the share of the surface near contacts that the finest mesh moves; and how far
 * the surface jumps when the front changes. Shares are of the bear's height.
 *
 * Two falls of one body drift apart once it has touched the floor, whatever differs, and a bear that tips over another way is
 * not one whose surface is wrong: compared is the fall and, after the first contact, as many steps again (what is a tenth as tall
 * falls and bounces in a third of the time), at least IMPACT. How far two solvers of full resolution are apart there stands
 * beside it. */

#include "multigrid_internal.h"

#include "chart.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { IMPACT = 10 };

/* ---- surfaces ---- */

/* A fall as its surface: [frames][points]. */
typedef struct film {
    lt_vec3 *positions;
    uint32_t points, frames;
    lt_allocator allocator;
} film;

static void free_film(film *f) {
    LT_DELETE(&f->allocator, f->positions, (size_t)f->points * f->frames, lt_vec3);
    *f = (film){0};
}

static lt_status take_film(film *out, lt_bench *bench, const lt_bears *bears, uint32_t frames,
                           lt_error *error) {
    lt_scene_rig rig;
    lt_status status = lt_bears_build(&rig, bench, bears, error);
    if (status != LT_OK) return status;
    lt_surface_view view = lt_body_surface(rig.built.world, rig.built.bodies[0]);
    *out = (film){.points = view.vertex_count, .frames = frames, .allocator = bench->allocator};
    out->positions = LT_NEW(&out->allocator, (size_t)out->points * frames, lt_vec3);
    if (!out->positions) status = lt_fail(error, LT_STATUS_MEMORY, "no memory for %u surfaces", frames);
    for (uint32_t i = 0; i < frames && status == LT_OK; i++) {
        lt_scene_rig_step(&rig, lt_budget_unlimited());
        view = lt_body_surface(rig.built.world, rig.built.bodies[0]);
        memcpy(out->positions + (size_t)i * out->points, view.positions, out->points * sizeof(lt_vec3));
    }
    lt_scene_rig_free(&rig);
    return status;
}

typedef struct film_error {
    double mean, worst; /* of the height */
} film_error;

static film_error compare_films(const film *a, const film *b, float height) {
    film_error e = {0, 0};
    size_t count = (size_t)a->points * a->frames;
    for (size_t i = 0; i < count; i++) {
        double d = (double)lt_v3_distance(a->positions[i], b->positions[i]) / (double)height;
        e.mean += d / (double)count;
        e.worst = lt_max_d(e.worst, d);
    }
    return e;
}

/* ---- thresholds ---- */

static lt_status film_threshold(lt_bench *bench, const film *whole, const lt_bears *bears, film_error *out,
                                lt_error *error) {
    film other = {0};
    lt_status status = take_film(&other, bench, bears, whole->frames, error);
    if (status == LT_OK) *out = compare_films(whole, &other, bears->height);
    free_film(&other);
    return status;
}

static lt_status add_threshold(lt_bench *bench, const film *whole, const lt_drop *cg, float threshold,
                               lt_error *error) {
    lt_bears bears = {1, cg->bears.height, LT_MODEL_MULTIGRID, threshold};
    film_error e = {0, 0};
    lt_drop drop;
    char text[80];
    lt_status status = film_threshold(bench, whole, &bears, &e, error);
    if (status == LT_OK) status = lt_drop_run(&drop, bench, &bears, 1, error);
    if (status != LT_OK) return status;
    lt_bears_label(text, sizeof text, &bears, "threshold");
    lt_bench_row_begin(bench, text);
    lt_bench_number(bench, "threshold", (double)threshold);
    lt_bench_number(bench, "frames", whole->frames);
    lt_bench_number(bench, "mean_error_%", 100 * e.mean);
    lt_bench_number(bench, "worst_error_%", 100 * e.worst);
    lt_bench_number(bench, "forward_us", lt_drop_mean(&drop, drop.forward_us, 0));
    lt_bench_number(bench, "forward_times_cg",
                    lt_drop_mean(cg, cg->forward_us, 0) / lt_drop_mean(&drop, drop.forward_us, 0));
    lt_bench_number(bench, "total_us", lt_drop_mean(&drop, drop.total_us, 0));
    lt_bench_number(bench, "active_at_rest_%", 100 * drop.active_at_rest);
    lt_drop_free(&drop);
    if (threshold != lt_bears_default_threshold()) return LT_OK;
    lt_bears_check_name(text, sizeof text, &bears, "surface-mean-error-%");
    lt_bears_check(bench, text, 100 * e.mean, "<", 1);
    lt_bears_check_name(text, sizeof text, &bears, "surface-worst-error-%");
    lt_bears_check(bench, text, 100 * e.worst, "<", 4);
    return LT_OK;
}

/* Full resolution by conjugate gradients: as far as two solvers at the same residual are apart. */
static lt_status add_floor(lt_bench *bench, const film *whole, const lt_bears *bears, lt_error *error) {
    film_error e = {0, 0};
    lt_status status = film_threshold(bench, whole, bears, &e, error);
    if (status != LT_OK) return status;
    char label[64];
    lt_bears_label(label, sizeof label, bears, "full by CG and by multigrid");
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "frames", whole->frames);
    lt_bench_number(bench, "mean_error_%", 100 * e.mean);
    lt_bench_number(bench, "worst_error_%", 100 * e.worst);
    return LT_OK;
}

/* A threshold is what time is bought with: error against the time that it leaves. */
static lt_status draw_thresholds(lt_bench *bench, size_t first_row, const lt_bears *bears, lt_error *error) {
    char label[64], title[80], name[64];
    lt_bears_label(label, sizeof label, bears, "threshold");
    lt_bears_label(title, sizeof title, bears, "refined by thresholds: error against time");
    snprintf(name, sizeof name, "multigrid-thresholds-%gm", (double)bears->height);
    const lt_bench_curve curves[] = {{"mean", label, "forward_us", "mean_error_%"},
                                     {"worst", label, "forward_us", "worst_error_%"}};
    const lt_chart chart = {.title = title,
                            .x = {.label = "forward update, us a step", .from_zero = true},
                            .y = {.label = "error, % of the height", .log = true},
                            .width = 760,
                            .height = 340};
    return lt_bench_curves(bench, first_row, curves, LT_COUNT_OF(curves), chart, name, error);
}

lt_status lt_grid_thresholds(lt_bench *bench, const lt_drop *reference, lt_error *error) {
    static const float thresholds[] = {0.05f, 0.1f, 0.2f, 0.4f, 0.8f};
    lt_bears bears = {1, reference->bears.height, LT_MODEL_MULTIGRID, 0};
    uint32_t fall = reference->first_contact;
    size_t first_row = bench->rows.count;
    film whole = {0};
    lt_status status = take_film(&whole, bench, &bears, fall + lt_max_u32(fall, IMPACT), error);
    if (status == LT_OK) status = add_floor(bench, &whole, &reference->bears, error);
    for (size_t i = 0; i < LT_COUNT_OF(thresholds) && status == LT_OK; i++)
        if (!bench->quick || thresholds[i] == lt_bears_default_threshold())
            status = add_threshold(bench, &whole, reference, thresholds[i], error);
    if (status == LT_OK) status = draw_thresholds(bench, first_row, &bears, error);
    free_film(&whole);
    return status;
}

/* ---- where the finest mesh is, and jumps ---- */

typedef struct watch {
    lt_scene_rig rig;
    uint8_t *state; /* of the body, to go back to */
    size_t state_size;
    lt_vec3 *before, *after; /* [point_count] */
    double jump, worst_node_jump;
    uint32_t changes, steps_since_contact;
    uint64_t near_count, fine_count;
} watch;

static void free_watch(watch *w) {
    const lt_allocator *allocator = &w->rig.allocator;
    uint32_t points = w->state ? lt_body_record(w->rig.built.world, 0)->skin.point_count : 0;
    LT_DELETE(allocator, w->before, points, lt_vec3);
    LT_DELETE(allocator, w->after, points, lt_vec3);
    LT_DELETE(allocator, w->state, w->state_size, uint8_t);
    lt_scene_rig_free(&w->rig);
}

static lt_status create_watch(watch *w, lt_bench *bench, const lt_bears *bears, lt_error *error) {
    *w = (watch){0};
    lt_status status = lt_bears_build(&w->rig, bench, bears, error);
    if (status != LT_OK) return status;
    uint32_t points = lt_body_record(w->rig.built.world, 0)->skin.point_count;
    w->state_size = 2 * lt_bears_soft(&w->rig, 0)->state_size; /* more than it packs to */
    w->state = LT_NEW(&bench->allocator, w->state_size, uint8_t);
    w->before = LT_NEW(&bench->allocator, points, lt_vec3);
    w->after = LT_NEW(&bench->allocator, points, lt_vec3);
    if (w->state && w->before && w->after) return LT_OK;
    free_watch(w);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u points", points);
}

/* The front changes as the next step begins. It is changed here to see what that does to the surface, with what fades in a step of
 * offsets that earlier changes left, and the body put back. */
static void look_for_jump(watch *w) {
    lt_soft *soft = lt_bears_soft(&w->rig, 0);
    const lt_body *body = lt_body_record(w->rig.built.world, 0);
    lt_surface_view view = lt_body_surface(w->rig.built.world, w->rig.built.bodies[0]);
    memcpy(w->before, view.positions, view.vertex_count * sizeof(lt_vec3));
    lt_stream save = lt_stream_save(w->state, w->state_size), load;
    lt_soft_visit(&save, soft);
    w->changes += lt_multigrid_adapt(soft, (lt_real)w->rig.scene.dt);
    w->worst_node_jump = lt_max_d(w->worst_node_jump, (double)soft->grid->jump);
    lt_soft_follow(soft);
    lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), w->after, &body->skin, soft->nodes, 0,
                       body->skin.point_count);
    for (uint32_t i = 0; i < body->skin.point_count; i++)
        w->jump = lt_max_d(w->jump, (double)lt_v3_distance(w->after[i], w->before[i]));
    load = lt_stream_load(w->state, save.used);
    lt_soft_visit(&load, soft);
}

/* Half of its weight or more is on nodes of the finest mesh that move by themselves. */
static bool is_fine(const lt_soft *soft, const lt_skin *skin, uint32_t point) {
    float weight = 0;
    for (size_t k = 0; k < 4; k++)
        if (soft->grid->kinds[skin->ids[4 * (size_t)point + k]] >= LT_NODE_FRONT)
            weight += skin->weights[4 * (size_t)point + k];
    return weight >= 0.5f;
}

/* Points within a twentieth of the height of some contact. */
static void look_at_impact(watch *w, float height) {
    const lt_soft *soft = lt_bears_soft(&w->rig, 0);
    const lt_skin *skin = &lt_body_record(w->rig.built.world, 0)->skin;
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(w->rig.built.world, &count);
    lt_surface_view view = lt_body_surface(w->rig.built.world, w->rig.built.bodies[0]);
    if (w->steps_since_contact == 0 && count == 0) return;
    if (w->steps_since_contact++ >= IMPACT) return;
    for (uint32_t i = 0; i < view.vertex_count; i++) {
        bool near = false;
        for (uint32_t c = 0; c < count && !near; c++)
            near = lt_v3_distance(view.positions[i], contacts[c].point) < 0.05f * height;
        w->near_count += near;
        w->fine_count += near && is_fine(soft, skin, i);
    }
}

static lt_status watch_fall(lt_bench *bench, float height, lt_error *error) {
    lt_bears bears = {1, height, LT_MODEL_MULTIGRID, lt_bears_default_threshold()};
    watch w;
    lt_status status = create_watch(&w, bench, &bears, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < lt_bears_steps(bench, 1); i++) {
        look_for_jump(&w);
        lt_scene_rig_step(&w.rig, lt_budget_unlimited());
        look_at_impact(&w, height);
    }
    double fine = w.near_count ? 100 * (double)w.fine_count / (double)w.near_count : 0;
    char text[80];
    lt_bears_label(text, sizeof text, &bears, "front changes");
    lt_bench_row_begin(bench, text);
    lt_bench_number(bench, "changes", w.changes);
    lt_bench_number(bench, "surface_jump_%", 100 * w.jump / (double)height);
    lt_bench_number(bench, "node_jump_%", 100 * w.worst_node_jump / (double)height);
    lt_bench_number(bench, "points_near_contact", (double)w.near_count);
    lt_bench_number(bench, "finest_%", fine);
    lt_bears_check_name(text, sizeof text, &bears, "surface-jump-%");
    lt_bears_check(bench, text, 100 * w.jump / (double)height, "<", 0.1);
    lt_bears_check_name(text, sizeof text, &bears, "finest-near-impact-%");
    lt_bears_check(bench, text, fine, ">=", 20);
    free_watch(&w);
    return LT_OK;
}

lt_status lt_grid_detail(lt_bench *bench, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t height = 0; height < LT_BEARS_HEIGHTS && status == LT_OK; height++)
        status = watch_fall(bench, lt_bears_heights[height], error);
    return status;
}
