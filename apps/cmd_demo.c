/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe demo`: one scene at several budgets, side by side. Every budget has a world of its own, all are built
 * from the same scene and stepped in turn; a table at the end tells what each budget bought. Ctrl-C ends it after
 * the step at hand, with what there is until then. */

#include "commands.h"
#include "draw.h"
#include "interrupt.h"
#include "json_output.h"
#include "measure.h"
#include "options.h"
#include "picture/panels.h"
#include "picture/progress.h"
#include "records.h"
#include "scene_file.h"
#include "tree_notes.h"

#include <stdio.h>
#include <string.h>

enum { VIEWS_MAX = 8, LABEL_SIZE = 24, NOT_GIVEN = UINT32_MAX, STEPS_OF_SCENE = 0 };
#define DEFAULT_BUDGETS "50us,200us,1ms,5ms,none"

typedef struct demo_options {
    const char *scene_name, *budgets, *json;
    uint32_t steps, after, record_every, show, order, sphere_method;
    lt_texts records;
    lt_size2 size;
    bool contacts;
} demo_options;

/* Sums and maxima over the steps that were run under the budget. */
typedef struct view_totals {
    uint64_t steps, interrupted_steps;
    lt_samples used, overshoots;
    double exact, approximate, predicted, pending;
    double gap_error, gap_error_max, depth_max;
} view_totals;

/* The same, divided. */
typedef struct view_figures {
    lt_distribution used, overshoots;
    double cut_share, exact, approximate, predicted, pending, gap_error;
} view_figures;

typedef struct view {
    char label[LABEL_SIZE]; /* "200us", as it was given */
    lt_budget budget;
    lt_scene_world scene_world;
    lt_drawer *drawer; /* NULL when nothing is recorded */
    lt_report last;
    view_totals totals;
} view;

typedef struct demo {
    demo_options options;
    lt_scene scene;
    view views[VIEWS_MAX];
    uint32_t view_count;
    lt_panels *panels; /* NULL when nothing is recorded */
    lt_records records;
    uint64_t steps_done;
} demo;

/* ---- options ---- */

static lt_parsed parse(demo_options *o, int word_count, char **words) {
#define NAME_ENTRY(NAME, text) text,
    static const char *const order_names[] = {LT_ORDER_LIST(NAME_ENTRY)};
    static const char *const show_names[] = {LT_SHOW_LIST(NAME_ENTRY)};
#undef NAME_ENTRY
    const lt_option options[] = {
        {"--collision-budgets", "LIST", "of 1 to 8, with commas between; default " DEFAULT_BUDGETS,
         LT_OPTION_TEXT, .target = &o->budgets, .old_name = "--budgets", .old_note = LT_OLD_BUDGET_NOTE},
        {"--steps", "N", "steps to simulate; default: the scene's", LT_OPTION_COUNT, &o->steps, .lo = 1,
         .hi = 1e9},
        {"--after", "N", "steps without a budget that come first; default 0", LT_OPTION_COUNT, &o->after,
         .lo = 0, .hi = 1e9},
        {"--order", "O", "what is refined first; default best-first", LT_OPTION_CHOICE, &o->order,
         .choices = order_names, .choice_count = LT_ORDER_COUNT},
        {"--sphere-method", "M", "of trees that are baked now; default medial; octree is quick",
         LT_OPTION_CHOICE, &o->sphere_method, .choices = lt_sphere_method_names,
         .choice_count = LT_SPHERE_METHOD_NAMES},
        {"--json", "FILE", "the table as JSON; - for standard output", LT_OPTION_TEXT, .target = &o->json},
        {"--record", "FILE", "X.apng, X.mp4, X/ (a folder of PNGs), or X.png (the last frame)",
         LT_OPTION_TEXTS, .target = &o->records},
        {"--record-every", "K", "steps per frame; default 4", LT_OPTION_COUNT, &o->record_every, .lo = 1,
         .hi = 1e6},
        {"--size", "WxH", "of one view; default 400x300", LT_OPTION_SIZE, &o->size, .lo = 64, .hi = 2048},
        {"--show", "WHAT", "draw spheres that were used, or contacts by age", LT_OPTION_CHOICE, &o->show,
         .choices = show_names, .choice_count = LT_SHOW_BOXES},
        {"--contacts", NULL, "draw contacts and their forces", LT_OPTION_FLAG, .target = &o->contacts}};
    const lt_usage usage = {
        "demo",
        "[SCENE]",
        "Simulates a scene of the method sphere-tree (default: heap) at several budgets, side by side.",
        "Budgets are given as for lithe run: 500us, 2ms, 20000units, none or 0.\n"
        "Ctrl-C ends it after the current step; what is done until then is kept.",
        options,
        LT_COUNT_OF(options),
        0,
        1};
    *o = (demo_options){.budgets = DEFAULT_BUDGETS,
                        .steps = STEPS_OF_SCENE,
                        .record_every = 4,
                        .show = NOT_GIVEN,
                        .sphere_method = NOT_GIVEN,
                        .size = {400, 300}};
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &o->scene_name);
    if (!o->scene_name) o->scene_name = "heap";
    return parsed;
}

/* A view per budget of the list. */
static int make_views(demo *d) {
    const char *at = d->options.budgets;
    for (;;) {
        size_t length = strcspn(at, ",");
        if (d->view_count == VIEWS_MAX)
            return lt_say_usage("demo", "--collision-budgets %s: more than %d", d->options.budgets,
                                VIEWS_MAX);
        view *v = &d->views[d->view_count];
        lt_error error = {0};
        v->totals.used = v->totals.overshoots = lt_samples_begin(NULL);
        snprintf(v->label, sizeof v->label, "%.*s", (int)(length < LABEL_SIZE ? length : LABEL_SIZE - 1), at);
        if (!lt_parse_budget(&v->budget, v->label, &error))
            return lt_say_usage("demo", "--collision-budgets %s: \"%s\": %s", d->options.budgets, v->label,
                                error.message);
        d->view_count++;
        if (at[length] == 0) return EXIT_OK;
        at += length + 1;
    }
}

/* ---- setting up ---- */

static uint32_t column_count(uint32_t view_count) {
    return view_count <= 2 ? view_count : view_count <= 4 ? 2 : view_count <= 6 ? 3 : 4;
}

static lt_status begin_records(demo *d, lt_error *error) {
    const demo_options *o = &d->options;
    lt_size2 frame;
    if (o->records.count == 0) return LT_OK;
    lt_panels_def panels = {.width = o->size.width,
                            .height = o->size.height,
                            .columns = column_count(d->view_count),
                            .caption_lines = 2,
                            .title = "The same bodies at several budgets"};
    panels.rows = (d->view_count + panels.columns - 1) / panels.columns;
    lt_status status = lt_panels_create(&d->panels, &panels, NULL, error);
    for (uint32_t i = 0; i < d->view_count && status == LT_OK; i++) {
        lt_drawer_def def = {.scene_world = &d->views[i].scene_world,
                             .width = o->size.width,
                             .height = o->size.height,
                             .contacts = o->contacts,
                             .ages = o->show == LT_SHOW_CONTACTS,
                             .spheres = o->show == LT_SHOW_SPHERES};
        status = lt_drawer_create(&d->views[i].drawer, &def, NULL, error);
        if (status == LT_OK) lt_drawer_set_caption(d->views[i].drawer, NULL);
    }
    if (status != LT_OK) return status;
    lt_panels_size(d->panels, &frame.width, &frame.height);
    return lt_records_begin(&d->records, &o->records, frame,
                            lt_records_rate((double)d->scene.dt, o->record_every), error);
}

static lt_status set_up(demo *d, lt_error *error) {
    lt_world_def def = lt_scene_world_def(&d->scene);
    lt_status status = LT_OK;
    def.sphere_tree.order = (lt_order)d->options.order;
    if (d->options.steps != STEPS_OF_SCENE) d->scene.steps = d->options.steps;
    if (d->options.show == LT_SHOW_SPHERES) def.sphere_tree.used_sphere_capacity = LT_DRAWER_SPHERES;
    d->scene.method = LT_METHOD_SPHERE_TREE;
    if (d->options.sphere_method != NOT_GIVEN)
        d->scene.sphere_method = (lt_sphere_method)d->options.sphere_method;
    for (uint32_t i = 0; i < d->view_count && status == LT_OK; i++)
        status = lt_build_scene(&d->views[i].scene_world, &d->scene, &def, error);
    if (status == LT_OK) status = begin_records(d, error);
    return status;
}

/* ---- running ---- */

static bool add_to_totals(view_totals *totals, const lt_report *report) {
    totals->steps++;
    totals->interrupted_steps += report->interrupted != 0;
    totals->exact += (double)report->exact;
    totals->approximate += (double)report->approximate;
    totals->predicted += (double)report->predicted;
    totals->pending += (double)report->pending;
    totals->gap_error += report->gap_error;
    totals->gap_error_max = lt_max_d(totals->gap_error_max, report->gap_error);
    totals->depth_max = lt_max_d(totals->depth_max, report->depth_max);
    return lt_samples_add(&totals->used, (lt_sample){.us = report->used_us}) &&
           lt_samples_add(&totals->overshoots, (lt_sample){.us = report->overshoot_us});
}

static bool step_view(demo *d, view *v, uint64_t step) {
    bool is_before = step < d->options.after;
    lt_scene_advance(&v->scene_world, step);
    v->last = lt_world_step(v->scene_world.world, d->scene.dt, is_before ? lt_budget_unlimited() : v->budget);
    return is_before || add_to_totals(&v->totals, &v->last);
}

static void write_caption(char *out, size_t size, const view *v) {
    const lt_report *r = &v->last;
    int used = snprintf(out, size, "budget %s   used %.0f us   %llu units\n", v->label, r->used_us, r->units);
    snprintf(out + used, size - (size_t)used, "%llu exact  %llu approximate  %llu pending", r->exact,
             r->approximate + r->predicted, r->pending);
}

/* A panel that has no view. */
static const char *const legend = "One scene, stepped once for\n"
                                  "each budget.\n"
                                  "\n"
                                  "exact        looked at to the end\n"
                                  "approximate  answered by what was\n"
                                  "             known when time was up\n"
                                  "pending      pairs left unrefined";

static const lt_image *draw_frame(demo *d, lt_error *error) {
    char caption[160];
    lt_status status = LT_OK;
    lt_panels_begin(d->panels);
    for (uint32_t i = 0; i < d->view_count && status == LT_OK; i++) {
        write_caption(caption, sizeof caption, &d->views[i]);
        const lt_image *image = lt_drawer_draw(d->views[i].drawer, error);
        status = image ? lt_panels_put(d->panels, i, image, caption, error) : error->status;
    }
    bool has_room = d->view_count % column_count(d->view_count) != 0;
    if (status == LT_OK && has_room) status = lt_panels_put_text(d->panels, d->view_count, legend, error);
    return status == LT_OK ? lt_panels_end(d->panels) : NULL;
}

static lt_status record_frame(demo *d, lt_error *error) {
    const lt_image *image = draw_frame(d, error);
    return image ? lt_records_frame(&d->records, image, error) : error->status;
}

static lt_status run_steps(demo *d, lt_error *error) {
    lt_status status = d->panels ? record_frame(d, error) : LT_OK;
    lt_progress progress = lt_progress_begin("steps", d->scene.steps);
    while (d->steps_done < d->scene.steps && status == LT_OK && !lt_interrupt_asked()) {
        for (uint32_t i = 0; i < d->view_count; i++)
            if (!step_view(d, &d->views[i], d->steps_done))
                return lt_fail(error, LT_STATUS_MEMORY, "out of memory for step times");
        d->steps_done++;
        if (d->panels && d->steps_done % d->options.record_every == 0) status = record_frame(d, error);
        lt_progress_update(&progress, d->steps_done);
    }
    lt_progress_end(&progress);
    return status;
}

static lt_status end_records(demo *d, lt_error *error) {
    if (!d->panels) return LT_OK;
    const lt_image *image = draw_frame(d, error);
    return image ? lt_records_end(&d->records, image, error) : error->status;
}

/* ---- the table ---- */

static view_figures figures_of(view_totals *t) {
    double steps = (double)lt_max_u64(t->steps, 1);
    return (view_figures){.used = lt_samples_distribution(&t->used, true),
                          .overshoots = lt_samples_distribution(&t->overshoots, true),
                          .cut_share = (double)t->interrupted_steps / steps,
                          .exact = t->exact / steps,
                          .approximate = t->approximate / steps,
                          .predicted = t->predicted / steps,
                          .pending = t->pending / steps,
                          .gap_error = t->gap_error / steps};
}

static void print_table(demo *d) {
    printf("%s: %zu bodies, %llu steps at each of %u budgets\n\n", d->scene.name, d->scene.bodies.count,
           (unsigned long long)d->steps_done, d->view_count);
    printf("  %-16s%s%18s%s%12s%s\n", "", "used, us", "", "overshoot, us", "",
           "in a step, mean                        error bound, mm");
    printf("  %-12s%10s%10s%10s%10s%8s%9s%9s%9s%9s%10s%9s\n", "budget", "mean", "p95", "p95", "worst", "cut",
           "exact", "approx.", "predict.", "pending", "mean", "worst");
    for (uint32_t i = 0; i < d->view_count; i++) {
        view_figures f = figures_of(&d->views[i].totals);
        printf("  %-12s%10.1f%10.1f%10.1f%10.1f%7.0f%%%9.1f%9.1f%9.1f%9.1f%10.1f%9.1f\n", d->views[i].label,
               f.used.mean, f.used.p95, f.overshoots.p95, f.overshoots.worst, 100.0 * f.cut_share, f.exact,
               f.approximate, f.predicted, f.pending, 1e3 * f.gap_error,
               1e3 * d->views[i].totals.gap_error_max);
    }
    printf(
        "\n  cut: steps that the budget ended; exact, approximate and predicted contacts; pending: pairs of\n"
        "  spheres or bodies left. Deadlines are missed when the system runs something else in between.\n");
}

static void write_view(lt_json *json, view *v) {
    view_figures f = figures_of(&v->totals);
    lt_json_begin_object(json);
    lt_json_put_string(json, "collision_budget", v->label);
    lt_json_put_u64(json, "steps", v->totals.steps);
    lt_json_put_u64(json, "interrupted_steps", v->totals.interrupted_steps);
    lt_json_put_double(json, "used_us_mean", f.used.mean);
    lt_json_put_double(json, "used_us_p95", f.used.p95);
    lt_json_put_double(json, "overshoot_us_p95", f.overshoots.p95);
    lt_json_put_double(json, "overshoot_us_max", f.overshoots.worst);
    lt_json_put_double(json, "exact_mean", f.exact);
    lt_json_put_double(json, "approximate_mean", f.approximate);
    lt_json_put_double(json, "predicted_mean", f.predicted);
    lt_json_put_double(json, "pending_mean", f.pending);
    lt_json_put_double(json, "gap_error_mean", f.gap_error);
    lt_json_put_double(json, "gap_error_max", v->totals.gap_error_max);
    lt_json_put_double(json, "depth_max", v->totals.depth_max);
    lt_json_end_object(json);
}

static lt_status tell(demo *d, lt_error *error) {
    lt_json_output output;
    lt_json_output_begin(&output, d->options.json, LT_JSON_INDENTED);
    lt_json_begin_array(&output.json);
    for (uint32_t i = 0; i < d->view_count; i++)
        write_view(&output.json, &d->views[i]);
    lt_json_end_array(&output.json);
    if (!lt_json_output_is_stdout(&output)) print_table(d);
    return lt_json_output_end(&output, error);
}

/* ---- the command ---- */

static void clean_up(demo *d) {
    lt_records_abort(&d->records);
    for (uint32_t i = 0; i < d->view_count; i++) {
        lt_drawer_destroy(d->views[i].drawer);
        lt_scene_world_free(&d->views[i].scene_world);
        lt_samples_free(&d->views[i].totals.used);
        lt_samples_free(&d->views[i].totals.overshoots);
    }
    if (d->panels) lt_panels_destroy(d->panels);
    lt_scene_free(&d->scene);
}

static int run_demo(demo *d) {
    lt_error error = {0};
    lt_status status = set_up(d, &error);
    if (status == LT_OK) status = run_steps(d, &error);
    if (status == LT_OK) status = end_records(d, &error);
    if (status == LT_OK) status = tell(d, &error);
    if (status == LT_STATUS_CANCELLED)
        return lt_say_failed("demo", "stopped while shapes were baked; nothing was simulated");
    if (status != LT_OK) return lt_say_failed("demo", "%s", error.message);
    if (!lt_interrupt_asked()) return EXIT_OK;
    return lt_say_failed("demo", "stopped after %llu of %u steps; what was done until then is kept",
                         (unsigned long long)d->steps_done, d->scene.steps);
}

int lt_command_demo(int word_count, char **words) {
    demo d = {0};
    lt_parsed parsed = parse(&d.options, word_count, words);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    int code = make_views(&d);
    if (code == EXIT_OK) code = lt_open_scene(&d.scene, "demo", d.options.scene_name);
    if (code != EXIT_OK) return code;
    lt_interrupt_catch();
    code = run_demo(&d);
    clean_up(&d);
    return code;
}
