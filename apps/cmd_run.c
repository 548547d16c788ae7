/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe run`: sets a scene up, steps it, and on the way reports every step, records pictures and exports bodies.
 * Ctrl-C ends the run after the step at hand: what was simulated until then is reported, recorded and exported, whole,
 * and the exit code says that it is less than was asked for. */

#include "commands.h"
#include "draw.h"
#include "export.h"
#include "interrupt.h"
#include "json_output.h"
#include "measure.h"
#include "options.h"
#include "output_files.h"
#include "picture/progress.h"
#include "records.h"
#include "reruns.h"
#include "run_judge.h"
#include "scene_file.h"
#include "tree_notes.h"

#include <stdio.h>

enum { KEEP = UINT32_MAX }; /* an option that was not given: the scene decides */
#define PAPER_STIFFNESS_DAMPING 1e-4f

typedef struct run_options {
    const char *scene_name;
    uint32_t steps, method, model, mode, order, sphere_method, pending, show, box_level, threads,
        record_every, front_cache, export_format, export_every, check, seed, solve_every, model_units;
    double dt, tolerance, separation;
    lt_budget budget;
    const char *json, *save, *export_folder;
    lt_texts records;
    lt_size2 size;
    bool fast_first, grid_boxes, tet_boxes;
    bool contacts, close, diagnostics, export_carriers;
} run_options;

/* What the summary tells, gathered step by step. */
typedef struct run_totals {
    uint64_t steps, interrupted_steps, model_units_max, models_cut, stiff_max, contacts_max, pending_max,
        dropped, problems;
    double depth_max, overshoot_max, gap_error_max;
    lt_report last;
    lt_samples step_times;
} run_totals;

typedef struct run_state {
    run_options options;
    lt_scene scene;
    lt_scene_world scene_world;
    lt_drawer *drawer; /* NULL when nothing is recorded */
    lt_records records;
    lt_exporter *exporter; /* NULL when nothing is exported */
    lt_json_output json;
    lt_rerun rerun;
    lt_run_judge judged;
    run_totals totals;
} run_state;

/* ---- options ---- */

#define NAME_ENTRY(NAME, text, about) text,
static const char *const method_names[] = {LT_METHOD_LIST(NAME_ENTRY)};
static const char *const model_names[] = {LT_MODEL_LIST(NAME_ENTRY)};
#undef NAME_ENTRY
#define NAME_ENTRY(NAME, text) text,
static const char *const mode_names[] = {LT_MODE_LIST(NAME_ENTRY)};
static const char *const order_names[] = {LT_ORDER_LIST(NAME_ENTRY)};
static const char *const pending_names[] = {LT_PENDING_LIST(NAME_ENTRY)};
static const char *const show_names[] = {LT_SHOW_LIST(NAME_ENTRY)};
static const char *const export_names[] = {LT_EXPORT_LIST(NAME_ENTRY)};
#undef NAME_ENTRY

/* What is given, at first as it is when nothing is. A program parses once. */
static run_options given = {.steps = KEEP,
                            .method = KEEP,
                            .model = KEEP,
                            .mode = KEEP,
                            .order = KEEP,
                            .sphere_method = KEEP,
                            .pending = KEEP,
                            .show = KEEP,
                            .box_level = KEEP,
                            .threads = KEEP,
                            .record_every = 2,
                            .export_format = KEEP,
                            .export_every = KEEP,
                            .front_cache = KEEP,
                            .solve_every = KEEP,
                            .model_units = KEEP,
                            .dt = -1.0,
                            .tolerance = -1.0,
                            .separation = -1.0,
                            .size = {800, 500}};

static const lt_option options[] = {
    {"--steps", "N", "steps to simulate; default: the scene's", LT_OPTION_COUNT, &given.steps, .lo = 1,
     .hi = 1e9},
    {"--dt", "S", "seconds per step; default: the scene's", LT_OPTION_REAL, &given.dt, .lo = 1e-6, .hi = 1},
    {"--collision-budget", "B", "per step: 500us, 2ms, 20000units, none (default) or 0", LT_OPTION_BUDGET,
     .target = &given.budget, .old_name = "--budget", .old_note = LT_OLD_BUDGET_NOTE},
    {"--model-units", "N", "most work units of the models in a step, 0: no limit; default: the scene's",
     LT_OPTION_COUNT, &given.model_units, .lo = 0, .hi = 4e9},
    {"--method", "M", "how collisions are handled; default: the scene's", LT_OPTION_CHOICE, &given.method,
     .choices = method_names, .choice_count = LT_METHOD_COUNT},
    {"--model", "M", "how every body moves; default: the scene's", LT_OPTION_CHOICE, &given.model,
     .choices = model_names, .choice_count = LT_MODEL_COUNT},
    {"--solve-every", "N",
     "bodies deform in one step of N, and move as rigid things between; default: the scene's",
     LT_OPTION_COUNT, &given.solve_every, .lo = 1, .hi = 1000},
    {"--mode", "M", "safe, or paper: as published, see below; default: the scene's", LT_OPTION_CHOICE,
     &given.mode, .choices = mode_names, .choice_count = LT_MODE_COUNT},
    {"--order", "O", "what sphere-tree refines first; default: the scene's", LT_OPTION_CHOICE, &given.order,
     .choices = order_names, .choice_count = LT_ORDER_COUNT},
    {"--tolerance", "METRES", "sphere-tree: enough when the error is below; default: the scene's",
     LT_OPTION_REAL, &given.tolerance, .lo = 0, .hi = 1000},
    {"--front-cache", "N", "sphere-tree: tests remembered over steps; default: the scene's", LT_OPTION_COUNT,
     &given.front_cache, .lo = 0, .hi = 1 << 24},
    {"--fast-first", NULL, "tet-hash: fast bodies first in every cycle", LT_OPTION_FLAG,
     .target = &given.fast_first},
    {"--grid-boxes", NULL, "cell-box: boxes as large as the cells, to compare", LT_OPTION_FLAG,
     .target = &given.grid_boxes},
    {"--pending", "P", "multiscale: what is done for pairs without a turn; default: the scene's",
     LT_OPTION_CHOICE, &given.pending, .choices = pending_names, .choice_count = LT_PENDING_COUNT},
    {"--separation", "METRES", "multiscale: kept between surfaces; 0: by size; default: the scene's",
     LT_OPTION_REAL, &given.separation, .lo = 0, .hi = 1000},
    {"--sphere-method", "M", "of trees that are baked now; default medial; octree is quick", LT_OPTION_CHOICE,
     &given.sphere_method, .choices = lt_sphere_method_names, .choice_count = LT_SPHERE_METHOD_NAMES},
    {"--seed", "N", "bodies are moved by up to 1 % of their size; every N another way; 0 (default): none",
     LT_OPTION_COUNT, &given.seed, .lo = 0, .hi = 1e9},
    {"--check", "N", "judge the bodies every N steps: how deep, crossing, lost, energy; see docs/judge.md",
     LT_OPTION_COUNT, &given.check, .lo = 1, .hi = 1e9},
    {"--threads", "N", "threads; 0: one per processor; default: the scene's, which is 1", LT_OPTION_COUNT,
     &given.threads, .lo = 0, .hi = 64},
    {"--json", "FILE", "a line of JSON per step; - for standard output", LT_OPTION_TEXT,
     .target = &given.json},
    {"--save", "FILE", "a record of the run that lithe replay repeats to the bit", LT_OPTION_TEXT,
     .target = &given.save},
    {"--record", "FILE", "X.apng, X.mp4, X/ (a folder of PNGs), or X.png (the last frame)", LT_OPTION_TEXTS,
     .target = &given.records},
    {"--record-every", "K", "steps per frame; default 2", LT_OPTION_COUNT, &given.record_every, .lo = 1,
     .hi = 1e6},
    {"--size", "WxH", "of the pictures; default 800x500", LT_OPTION_SIZE, &given.size, .lo = 16, .hi = 8192},
    {"--close", NULL, "the camera frames the bodies as they are: for single pictures", LT_OPTION_FLAG,
     .target = &given.close},
    {"--show", "WHAT", LT_SHOW_ABOUT, LT_OPTION_CHOICE, &given.show, .choices = show_names,
     .choice_count = LT_SHOW_COUNT},
    {"--box-level", "N", "multiscale: boxes so far below the root are shown; default: the cut",
     LT_OPTION_COUNT, &given.box_level, .lo = 0, .hi = 64},
    {"--tet-boxes", NULL, "multiscale: boxes of whole tets are shown, to compare", LT_OPTION_FLAG,
     .target = &given.tet_boxes},
    {"--contacts", NULL, "draw contacts and their forces", LT_OPTION_FLAG, .target = &given.contacts},
    {"--export", "DIR", "bodies as files for other programs, in a folder", LT_OPTION_TEXT,
     .target = &given.export_folder},
    {"--format", "F", "of --export: vtu (default) for ParaView, pc2 with OBJ for Blender, ply, stl, msh",
     LT_OPTION_CHOICE, &given.export_format, .choices = export_names, .choice_count = LT_EXPORT_COUNT},
    {"--export-every", "K", "steps per exported state; default 1", LT_OPTION_COUNT, &given.export_every,
     .lo = 1, .hi = 1e6},
    {"--export-carrier", NULL, "vtu: the tets or cells that carry the surfaces, too", LT_OPTION_FLAG,
     .target = &given.export_carriers},
    {"--diagnostics", NULL, "report momentum_error and energy", LT_OPTION_FLAG,
     .target = &given.diagnostics}};

static const lt_usage usage = {
    "run",
    "SCENE",
    "Simulates a built-in scene (see lithe scenes), or one of your own: a file that ends in .json.",
    "--mode paper is for all methods but reference. With sphere-tree surfaces "
    "then follow\n"
    "by rigid links, and bodies move by the model explicit-fem, with little "
    "damping, unless --model\nsays otherwise.\n"
    "Ctrl-C ends the run after the current step; what is done until then is kept.",
    options,
    LT_COUNT_OF(options),
    1,
    1};

static lt_parsed parse(run_options *o, int word_count, char **words) {
    given.budget = lt_budget_unlimited();
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &given.scene_name);
    *o = given;
    return parsed;
}

/* ---- setting up ---- */

/* As the sphere-tree paper has it: its model, its links, and next to no viscous stress: as much as explicit sub-steps carry
 * without becoming smaller. With none at all bodies boil. */
static void apply_paper_mode(lt_scene *scene, bool with_model) {
    lt_scene_body *bodies = scene->bodies.items;
    lt_scene_shape *shapes = scene->shapes.items;
    for (size_t i = 0; i < scene->bodies.count && with_model; i++) {
        bodies[i].model = LT_MODEL_EXPLICIT_FEM;
        bodies[i].material.stiffness_damping = PAPER_STIFFNESS_DAMPING;
    }
    for (size_t i = 0; i < scene->shapes.count; i++)
        shapes[i].embedding = LT_EMBEDDING_RIGID_LINKS;
}

static int apply_options(lt_scene *scene, const run_options *o) {
    lt_error error = {0};
    if (o->steps != KEEP) scene->steps = o->steps;
    if (o->dt > 0.0) scene->dt = (float)o->dt;
    scene->seed = o->seed;
    if (o->method != KEEP) scene->method = (lt_method)o->method;
    if (o->method == LT_METHOD_CELL_BOX && lt_scene_put_on_lattices(scene, &error) != LT_OK)
        return lt_say_failed("run", "%s", error.message);
    if (o->sphere_method != KEEP) scene->sphere_method = (lt_sphere_method)o->sphere_method;
    if (o->mode == LT_MODE_PAPER && scene->method == LT_METHOD_SPHERE_TREE)
        apply_paper_mode(scene, o->model == KEEP);
    lt_scene_body *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->bodies.count && o->model != KEEP; i++)
        bodies[i].model = (lt_model)o->model;
    for (size_t i = 0; i < scene->bodies.count && o->solve_every != KEEP; i++)
        bodies[i].solve_interval = o->solve_every;
    return EXIT_OK;
}

static bool has_front_cache(const run_options *o) {
    return o->front_cache != KEEP && o->front_cache > 0;
}

/* An option that was given and is for another method than this one; NULL: none. */
static const char *option_of_another(const run_options *o, lt_method method, lt_method *other) {
    *other = LT_METHOD_TET_HASH;
    if (method != LT_METHOD_TET_HASH && o->fast_first) return "--fast-first";
    *other = LT_METHOD_CELL_BOX;
    if (method != LT_METHOD_CELL_BOX && o->grid_boxes) return "--grid-boxes";
    *other = LT_METHOD_MULTISCALE;
    if (method != LT_METHOD_MULTISCALE && o->pending != KEEP) return "--pending";
    if (method != LT_METHOD_MULTISCALE && o->separation > 0.0) return "--separation";
    if (method != LT_METHOD_MULTISCALE && o->show == LT_SHOW_MARKS) return "--show marks";
    if (method != LT_METHOD_MULTISCALE && o->show == LT_SHOW_OPENED) return "--show opened";
    if (method != LT_METHOD_MULTISCALE && o->box_level != KEEP) return "--box-level";
    if (method != LT_METHOD_MULTISCALE && o->tet_boxes) return "--tet-boxes";
    *other = LT_METHOD_SPHERE_TREE;
    if (method == LT_METHOD_SPHERE_TREE) return NULL;
    return o->order != KEEP             ? "--order"
           : o->tolerance > 0.0         ? "--tolerance"
           : has_front_cache(o)         ? "--front-cache"
           : o->show == LT_SHOW_SPHERES ? "--show spheres"
           : o->sphere_method != KEEP   ? "--sphere-method"
                                        : NULL;
}

/* What the method of the scene cannot do; EXIT_OK when there is nothing. */
static int check_method(const lt_scene *scene, const run_options *o) {
    if (o->mode == LT_MODE_PAPER && scene->method == LT_METHOD_REFERENCE)
        return lt_say_usage(
            "run",
            "--mode paper is for all methods but reference, and this is that; give --method sphere-tree");
    if (o->mode == LT_MODE_PAPER && o->order != KEEP)
        return lt_say_usage("run", "--order is for mode safe: the paper's order is fifo");
    if (o->mode == LT_MODE_PAPER && has_front_cache(o))
        return lt_say_usage("run", "--front-cache is for mode safe: spheres as printed prove nothing");
    if (o->show == LT_SHOW_BOXES && scene->method != LT_METHOD_CELL_BOX &&
        scene->method != LT_METHOD_MULTISCALE)
        return lt_say_usage("run", "--show boxes is for the methods cell-box and multiscale, and this is %s",
                            lt_method_name(scene->method));
    lt_method other;
    const char *option = option_of_another(o, scene->method, &other);
    if (!option && o->show != LT_SHOW_BOXES && (o->box_level != KEEP || o->tet_boxes))
        return lt_say_usage("run", "%s chooses which boxes are shown; give --show boxes too",
                            o->tet_boxes ? "--tet-boxes" : "--box-level");
    if (!option) return EXIT_OK;
    return lt_say_usage("run", "%s is for the method %s, and this is %s; give --method %s", option,
                        lt_method_name(other), lt_method_name(scene->method), lt_method_name(other));
}

/* Colours for nothing would be a picture that tells nothing. */
static int check_resolution(const lt_scene *scene, const run_options *o) {
    const lt_scene_body *bodies = scene->bodies.items;
    bool any = o->show != LT_SHOW_RESOLUTION;
    for (size_t i = 0; i < scene->bodies.count; i++)
        any = any || bodies[i].model == LT_MODEL_MULTIGRID;
    if (any) return EXIT_OK;
    return lt_say_usage("run", "--show resolution is for the model multigrid, and no body of %s has it",
                        o->scene_name);
}

/* What is said of an export that was not asked for, and carriers in files that have none. */
static int check_export(const run_options *o) {
    const char *option = o->export_format != KEEP  ? "--format"
                         : o->export_every != KEEP ? "--export-every"
                         : o->export_carriers      ? "--export-carrier"
                                                   : NULL;
    if (option && !o->export_folder)
        return lt_say_usage("run", "%s is about what is exported; give --export DIR too", option);
    if (o->export_carriers && o->export_format != KEEP && o->export_format != LT_EXPORT_VTU)
        return lt_say_usage("run", "--export-carrier is for the format vtu, and this is %s",
                            export_names[o->export_format]);
    return EXIT_OK;
}

static lt_status begin_export(run_state *run, lt_error *error) {
    const run_options *o = &run->options;
    if (!o->export_folder) return LT_OK;
    lt_export_def def = {.scene_world = &run->scene_world,
                         .folder = o->export_folder,
                         .format =
                             o->export_format == KEEP ? LT_EXPORT_VTU : (lt_export_format)o->export_format,
                         .carriers = o->export_carriers};
    return lt_export_begin(&run->exporter, &def, NULL, error);
}

static lt_status begin_records(run_state *run, lt_error *error) {
    const run_options *o = &run->options;
    if (o->records.count == 0) return LT_OK;
    lt_drawer_def def = {.scene_world = &run->scene_world,
                         .width = o->size.width,
                         .height = o->size.height,
                         .contacts = o->contacts,
                         .ages = o->show == LT_SHOW_CONTACTS,
                         .boxes = o->show == LT_SHOW_BOXES || o->show == LT_SHOW_OPENED,
                         .tree_choice = {.level = o->box_level == KEEP ? LT_LEVEL_CUT : o->box_level,
                                         .opened = o->show == LT_SHOW_OPENED,
                                         .tet_boxes = o->tet_boxes},
                         .marks = o->show == LT_SHOW_MARKS,
                         .resolution = o->show == LT_SHOW_RESOLUTION,
                         .close = o->close,
                         .spheres = o->show == LT_SHOW_SPHERES};
    lt_status status = lt_drawer_create(&run->drawer, &def, NULL, error);
    uint32_t fps = lt_records_rate((double)run->scene.dt, o->record_every);
    if (status == LT_OK) status = lt_records_begin(&run->records, &o->records, o->size, fps, error);
    return status;
}

/* What the scene says, but for what the options say. */
static lt_world_def world_def(const run_state *run) {
    const run_options *o = &run->options;
    lt_world_def def = lt_scene_world_def(&run->scene);
    def.diagnostics = o->diagnostics;
    if (o->model_units != KEEP) def.model_units = o->model_units;
    if (o->threads != KEEP) def.thread_count = o->threads;
    if (o->mode != KEEP) def.mode = (lt_mode)o->mode;
    if (o->order != KEEP) def.sphere_tree.order = (lt_order)o->order;
    if (o->tolerance >= 0.0) def.sphere_tree.error_tolerance = (float)o->tolerance;
    if (o->front_cache != KEEP) def.sphere_tree.front_cache_capacity = o->front_cache;
    if (o->separation >= 0.0) def.multiscale.separation = (float)o->separation;
    if (o->pending != KEEP) def.multiscale.pending = (lt_pending)o->pending;
    def.tet_hash.fast_first = def.tet_hash.fast_first || o->fast_first;
    def.cell_box.grid_boxes = def.cell_box.grid_boxes || o->grid_boxes;
    return def;
}

static lt_status set_up(run_state *run, lt_error *error) {
    lt_world_def def = world_def(run);
    if (run->options.show == LT_SHOW_SPHERES) def.sphere_tree.used_sphere_capacity = LT_DRAWER_SPHERES;
    lt_status status = lt_build_scene(&run->scene_world, &run->scene, &def, error);
    if (status == LT_OK && run->options.check > 0)
        status = lt_run_judge_begin(&run->judged, &run->scene_world, run->options.check, error);
    if (status == LT_OK) status = begin_records(run, error);
    if (status == LT_OK) status = begin_export(run, error);
    return status;
}

/* ---- running ---- */

static lt_status record_frame(run_state *run, lt_error *error) {
    const lt_image *image = lt_drawer_draw(run->drawer, error);
    return image ? lt_records_frame(&run->records, image, error) : error->status;
}

static lt_status write_report(run_state *run, const lt_report *report, lt_error *error) {
    lt_json *json = &run->json.json;
    lt_json_begin_object(json);
#define put_uint              lt_json_put_u64
#define put_double            lt_json_put_double
#define PUT_FIELD(type, name) put_##type(json, #name, report->name);
    LT_REPORT_LIST(PUT_FIELD)
    if (run->options.diagnostics) {
        LT_DIAGNOSTICS_LIST(PUT_FIELD)
    }
#undef PUT_FIELD
#undef put_uint
#undef put_double
    lt_json_key(json, "stages");
    lt_json_begin_object(json);
#define PUT_STAGE(NAME, name) lt_json_put_double(json, #name, report->stage_us[LT_STAGE_##NAME]);
    LT_STAGE_LIST(PUT_STAGE)
#undef PUT_STAGE
    lt_json_end_object(json);
    lt_run_judge_put(&run->judged, json);
    lt_json_end_object(json);
    return lt_json_output_line(&run->json, error);
}

static void add_to_totals(run_totals *totals, const lt_report *report) {
    totals->steps++;
    totals->interrupted_steps += report->interrupted != 0;
    totals->model_units_max = lt_max_u64(totals->model_units_max, report->model_units);
    totals->models_cut += report->models_cut;
    totals->stiff_max = lt_max_u64(totals->stiff_max, report->stiff_bodies);
    totals->contacts_max = lt_max_u64(totals->contacts_max, report->contacts);
    totals->pending_max = lt_max_u64(totals->pending_max, report->pending);
    totals->dropped += report->dropped;
    totals->problems |= report->problems;
    totals->depth_max = lt_max_d(totals->depth_max, report->depth_max);
    totals->gap_error_max = lt_max_d(totals->gap_error_max, report->gap_error);
    totals->overshoot_max = lt_max_d(totals->overshoot_max, report->overshoot_us);
    totals->last = *report;
}

static lt_status run_step(run_state *run, uint64_t step, lt_error *error) {
    lt_scene_advance(&run->scene_world, step);
    lt_stopwatch watch = lt_stopwatch_start();
    lt_budget budget = lt_rerun_budget(&run->rerun, step, run->options.budget);
    lt_report report = lt_world_step(run->scene_world.world, run->scene.dt, budget);
    lt_sample sample = lt_stopwatch_stop(watch);
    if (!lt_samples_add(&run->totals.step_times, sample))
        return lt_fail(error, LT_STATUS_MEMORY, "out of memory for step times");
    add_to_totals(&run->totals, &report);
    lt_status status = lt_run_judge_step(&run->judged, step + 1, run->scene.steps, error);
    if (status == LT_OK && run->json.path) status = write_report(run, &report, error);
    if (status == LT_OK && (run->rerun.again || run->rerun.save_path))
        status = lt_rerun_step(&run->rerun, step, &report.cuts, lt_world_hash(run->scene_world.world), error);
    if (status == LT_OK && run->drawer && (step + 1) % run->options.record_every == 0)
        status = record_frame(run, error);
    uint32_t export_every = run->options.export_every == KEEP ? 1 : run->options.export_every;
    if (status == LT_OK && run->exporter && (step + 1) % export_every == 0)
        status = lt_export_state(run->exporter, step + 1, report.time, error);
    return status;
}

static lt_status run_steps(run_state *run, lt_error *error) {
    lt_status status = run->drawer ? record_frame(run, error) : LT_OK;
    if (status == LT_OK && run->exporter) status = lt_export_state(run->exporter, 0, 0.0, error);
    lt_progress progress = lt_progress_begin("steps", run->scene.steps);
    for (uint64_t step = 0; step < run->scene.steps && status == LT_OK && !lt_interrupt_asked(); step++) {
        status = run_step(run, step, error);
        lt_progress_update(&progress, step + 1);
    }
    lt_progress_end(&progress);
    return status;
}

/* ---- ending ---- */

static lt_status end_records(run_state *run, lt_error *error) {
    if (!run->drawer) return LT_OK;
    const lt_image *image = lt_drawer_draw(run->drawer, error);
    return image ? lt_records_end(&run->records, image, error) : error->status;
}

static void print_problems(FILE *out, uint64_t problems) {
    static const struct {
        uint64_t bit;
        const char *text;
    } texts[] = {{LT_PROBLEM_CONTACT_CAPACITY, "contacts were dropped at the capacity"},
                 {LT_PROBLEM_PAIR_CAPACITY, "body pairs were dropped at the capacity"},
                 {LT_PROBLEM_SCRATCH, "scratch memory was too small"},
                 {LT_PROBLEM_SUBSTEPS, "an explicit body fell behind"},
                 {LT_PROBLEM_ITERATIONS, "a solver reached its iteration cap"},
                 {LT_PROBLEM_QUEUE_CAPACITY, "pairs of spheres were left coarse at the queue's capacity"},
                 {LT_PROBLEM_INVERTED, "tets were inside out for a while"},
                 {LT_PROBLEM_BLOWN_UP, "a body was reset after a numeric blow-up"}};
    for (size_t i = 0; i < LT_COUNT_OF(texts); i++)
        if (problems & texts[i].bit) fprintf(out, "  problem    %s\n", texts[i].text);
}

static void print_summary(run_state *run, double wall_seconds) {
    run_totals *t = &run->totals;
    FILE *out = lt_json_output_is_stdout(&run->json) ? stderr : stdout;
    lt_distribution d = lt_samples_distribution(&t->step_times, true);
    double simulated = (double)t->steps * (double)run->scene.dt;
    fprintf(out, "%s: %llu steps, %.2f s simulated in %.2f s\n", run->scene.name,
            (unsigned long long)t->steps, simulated, wall_seconds);
    fprintf(out, "  step       mean %.3f ms, median %.3f, worst %.3f\n", d.mean * 1e-3, d.median * 1e-3,
            d.worst * 1e-3);
    fprintf(out, "  contacts   %llu at the end, %llu at most, deepest %.3g m\n", t->last.contacts,
            (unsigned long long)t->contacts_max, t->depth_max);
    if (t->interrupted_steps || t->pending_max || t->dropped)
        fprintf(out, "  left       %llu steps cut by the budget, %llu pairs pending at most, %llu dropped\n",
                (unsigned long long)t->interrupted_steps, (unsigned long long)t->pending_max,
                (unsigned long long)t->dropped);
    else
        fprintf(out, "  left       nothing\n");
    if (t->models_cut)
        fprintf(out, "  models     cut in %llu steps, %llu units at most\n",
                (unsigned long long)t->models_cut, (unsigned long long)t->model_units_max);
    if (t->stiff_max)
        fprintf(out, "  too stiff  %llu bodies at most, computed with what a step can tell from rigid\n",
                (unsigned long long)t->stiff_max);
    if (t->gap_error_max > 0.0)
        fprintf(out, "  gap error  %.3g m at the end, %.3g at most\n", t->last.gap_error, t->gap_error_max);
    if (t->overshoot_max > 0.0) fprintf(out, "  overshoot  %.1f us at most\n", t->overshoot_max);
    if (t->last.sleeping)
        fprintf(out, "  asleep     %llu of %zu bodies\n", t->last.sleeping, run->scene.bodies.count);
    print_problems(out, t->problems);
    lt_run_judge_print(&run->judged, out);
    if (run->exporter)
        fprintf(out, "  exported   %u states of %zu bodies to %s\n", lt_export_state_count(run->exporter),
                run->scene.bodies.count, run->options.export_folder);
    if (run->rerun.again) fprintf(out, "  replayed   every step the same as recorded, to the bit\n");
    fprintf(out, "  hash       %016llx\n", (unsigned long long)lt_world_hash(run->scene_world.world));
}

static void clean_up(run_state *run) {
    lt_run_judge_free(&run->judged);
    lt_records_abort(&run->records);
    lt_drawer_destroy(run->drawer);
    lt_export_end(run->exporter);
    lt_scene_world_free(&run->scene_world);
    lt_scene_free(&run->scene);
    lt_samples_free(&run->totals.step_times);
    lt_rerun_free(&run->rerun);
}

/* Each is tried: one that cannot be written does not take the others along. */
static lt_status end_outputs(run_state *run, lt_error *error) {
    lt_error errors[3] = {{0}};
    lt_status statuses[3] = {lt_rerun_end(&run->rerun, &errors[0]), end_records(run, &errors[1]),
                             lt_json_output_end(&run->json, &errors[2])};
    for (int i = 0; i < 3; i++) {
        if (statuses[i] == LT_OK) continue;
        *error = errors[i];
        return statuses[i];
    }
    return LT_OK;
}

static int run_scene(run_state *run, int word_count, char **words) {
    const char *command = run->rerun.again ? "replay" : "run";
    lt_error error = {0};
    lt_stopwatch watch = lt_stopwatch_start();
    lt_json_output_begin(&run->json, run->options.json, LT_JSON_ONE_LINE);
    lt_status status = set_up(run, &error);
    if (status == LT_OK)
        status = lt_rerun_begin(&run->rerun, &usage, run->options.scene_name, word_count, words,
                                lt_world_hash(run->scene_world.world), &error);
    if (status == LT_OK) status = run_steps(run, &error);
    if (status == LT_OK)
        status = end_outputs(run, &error);
    else
        lt_json_output_drop(&run->json);
    if (status == LT_STATUS_CANCELLED)
        return lt_say_failed(command, "stopped while shapes were baked; nothing was simulated");
    if (status != LT_OK)
        return lt_say_failed(command, "%s%s", lt_interrupt_asked() ? "stopped, and then: " : "",
                             error.message);
    print_summary(run, lt_stopwatch_seconds(watch));
    if (!lt_interrupt_asked()) return EXIT_OK;
    return lt_say_failed(command, "stopped after %llu of %u steps; what was done until then is kept",
                         (unsigned long long)run->totals.steps, run->scene.steps);
}

int lt_run_again(const lt_replay *again, int word_count, char **words) {
    run_state run = {.rerun.again = again};
    lt_parsed parsed = parse(&run.options, word_count, words);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    const char *command = again ? "replay" : "run";
    const lt_output_file outputs[] = {{"--json", run.options.json}, {"--save", run.options.save}};
    int code = lt_check_outputs(command, run.options.scene_name, outputs, LT_COUNT_OF(outputs));
    if (code == EXIT_OK) code = lt_open_scene(&run.scene, command, run.options.scene_name);
    if (code != EXIT_OK) return code;
    code = apply_options(&run.scene, &run.options);
    run.rerun.save_path = run.options.save;
    if (again && (run.options.steps == KEEP || run.scene.steps > again->steps.count))
        run.scene.steps = (uint32_t)again->steps.count;
    if (code == EXIT_OK) code = check_method(&run.scene, &run.options);
    if (code == EXIT_OK) code = check_resolution(&run.scene, &run.options);
    if (code == EXIT_OK) code = check_export(&run.options);
    if (code == EXIT_OK) {
        lt_interrupt_catch();
        run.totals.step_times = lt_samples_begin(NULL);
        code = run_scene(&run, word_count, words);
    }
    clean_up(&run);
    return code;
}

int lt_command_run(int word_count, char **words) {
    return lt_run_again(NULL, word_count, words);
}
