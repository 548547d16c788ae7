/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench`: runs experiments, prints rows and checks, writes them as JSON, and with pictures as a page. Under `all` an
 * experiment that cannot go on does not keep the others from being run, and Ctrl-C ends after the one at hand. */

#include "bench.h"
#include "commands.h"
#include "interrupt.h"
#include "json_output.h"
#include "measure.h"
#include "options.h"
#include "output_files.h"
#include "report_page.h"
#include "scenes/near_names.h"

#include <stdio.h>
#include <string.h>

/* ---- for people ---- */

static int column_width(const lt_bench_cell *cell) {
    size_t width = strlen(cell->text) > strlen(cell->key) ? strlen(cell->text) : strlen(cell->key);
    return (int)(width < 12 ? 12 : width) + 1;
}

/* A heading wherever the columns change. */
static void print_rows(FILE *out, const lt_bench *bench) {
    const lt_bench_row *rows = bench->rows.items;
    for (size_t r = 0; r < bench->rows.count; r++) {
        const lt_bench_row *row = &rows[r];
        if (r == 0 || !lt_bench_same_columns(row, row - 1)) {
            fprintf(out, "\n%-34s", "");
            for (uint32_t i = 0; i < row->cell_count; i++)
                fprintf(out, "%*s", column_width(&row->cells[i]), row->cells[i].key);
            fputc('\n', out);
        }
        fprintf(out, "%-34s", row->label);
        for (uint32_t i = 0; i < row->cell_count; i++) {
            const lt_bench_cell *cell = &row->cells[i];
            if (cell->text[0])
                fprintf(out, "%*s", column_width(cell), cell->text);
            else
                fprintf(out, "%*.5g", column_width(cell), cell->number);
        }
        fputc('\n', out);
    }
}

static void print_checks(FILE *out, const lt_bench *bench) {
    const lt_bench_check *checks = bench->checks.items;
    fputc('\n', out);
    for (size_t i = 0; i < bench->checks.count; i++) {
        const lt_bench_check *c = &checks[i];
        if (c->measured)
            fprintf(out, "%s  %-44s %.5g, to be %s %.5g\n", c->pass ? "pass" : "FAIL", c->name, c->value,
                    c->op, c->bar);
        else
            fprintf(out, "  --  %-44s not measured: %s\n", c->name, c->reason);
    }
}

/* ---- for machines ---- */

static void write_row(lt_json *json, const lt_bench_row *row) {
    lt_json_begin_object(json);
    lt_json_put_string(json, "label", row->label);
    for (uint32_t i = 0; i < row->cell_count; i++)
        if (row->cells[i].text[0])
            lt_json_put_string(json, row->cells[i].key, row->cells[i].text);
        else
            lt_json_put_double(json, row->cells[i].key, row->cells[i].number);
    lt_json_end_object(json);
}

static void write_check(lt_json *json, const lt_bench_check *check) {
    lt_json_begin_object(json);
    lt_json_put_string(json, "name", check->name);
    lt_json_key(json, "value");
    if (check->measured)
        lt_json_double(json, check->value);
    else
        lt_json_null(json);
    lt_json_put_double(json, "bar", check->bar);
    lt_json_put_string(json, "op", check->op);
    lt_json_key(json, "pass");
    if (check->measured)
        lt_json_bool(json, check->pass);
    else
        lt_json_null(json);
    if (!check->measured) lt_json_put_string(json, "reason", check->reason);
    lt_json_end_object(json);
}

static void write_bench(lt_json *json, const lt_bench *bench, const char *name) {
    const lt_bench_row *rows = bench->rows.items;
    const lt_bench_check *checks = bench->checks.items;
    lt_json_begin_object(json);
    lt_json_put_string(json, "experiment", name);
    lt_json_put_string(json, "version", lt_version());
    lt_json_put_bool(json, "quick", bench->quick);
    lt_json_put_double(json, "calibration_ns", bench->calibration_ns);
    lt_json_key(json, "rows");
    lt_json_begin_array(json);
    for (size_t i = 0; i < bench->rows.count; i++)
        write_row(json, &rows[i]);
    lt_json_end_array(json);
    lt_json_key(json, "checks");
    lt_json_begin_array(json);
    for (size_t i = 0; i < bench->checks.count; i++)
        write_check(json, &checks[i]);
    lt_json_end_array(json);
    lt_json_end_object(json);
}

/* ---- the command ---- */

static void describe_experiments(char *text, size_t capacity) {
    uint32_t count;
    const lt_experiment *experiments = lt_experiment_list(&count);
    size_t used = (size_t)snprintf(text, capacity, "Experiments:");
    for (uint32_t i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "\n  %-14s%s", experiments[i].name,
                                 experiments[i].about);
    if (used < capacity) snprintf(text + used, capacity - used, "\n  %-14s%s", "all", "one after the other");
}

static int say_unknown(const char *name) {
    const char *names[32];
    char near_names[200];
    uint32_t count;
    const lt_experiment *experiments = lt_experiment_list(&count);
    for (uint32_t i = 0; i < count; i++)
        names[i] = experiments[i].name;
    names[count] = "all";
    lt_near_names(name, names, count + 1, near_names, sizeof near_names);
    return lt_say_usage("bench", "there is no experiment \"%s\"; did you mean %s?", name, near_names);
}

typedef struct bench_options {
    const char *name, *json_path, *html_path, *only, *method;
    bool quick;
} bench_options;

static lt_parsed parse(bench_options *o, int word_count, char **words) {
    char experiments[2000];
    describe_experiments(experiments, sizeof experiments);
    const lt_option options[] = {
        {"--quick", NULL, "fewer steps and samples: to see that it works", LT_OPTION_FLAG,
         .target = &o->quick},
        {"--only", "TEXT", "of solve and engine: the parts whose names (tasks/bear-0.1m) contain it",
         LT_OPTION_TEXT, .target = &o->only},
        {"--method", "M", "of engine: the method that is judged; default engine", LT_OPTION_TEXT,
         .target = &o->method},
        {"--json", "FILE", "rows and checks as JSON; - for standard output", LT_OPTION_TEXT,
         .target = &o->json_path},
        {"--html", "FILE", "all of it as one page: tables, charts, frames, the papers' figures beside ours",
         LT_OPTION_TEXT, .target = &o->html_path}};
    const lt_usage usage = {"bench",
                            "EXPERIMENT",
                            "Measures one experiment, or all.",
                            experiments,
                            options,
                            LT_COUNT_OF(options),
                            1,
                            1};
    *o = (bench_options){0};
    return lt_options_parse(&usage, word_count, words, &o->name);
}

/* Whether there is such an experiment at all. */
static bool run_experiments(lt_bench *bench, const char *name) {
    uint32_t count;
    const lt_experiment *experiments = lt_experiment_list(&count);
    bool is_all = strcmp(name, "all") == 0, is_known = false;
    if (is_all) lt_interrupt_catch();
    for (uint32_t i = 0; i < count && !lt_interrupt_asked(); i++) {
        if (!is_all && strcmp(name, experiments[i].name) != 0) continue;
        if (bench->calibration_ns == 0.0) bench->calibration_ns = lt_calibrate_ns();
        is_known = true;
        lt_bench_run(bench, &experiments[i], NULL); /* a failure stands in its section */
    }
    return is_known || is_all;
}

static const lt_bench_section *first_failure(const lt_bench *bench) {
    const lt_bench_section *sections = bench->sections.items;
    for (size_t i = 0; i < bench->sections.count; i++)
        if (sections[i].failure.status != LT_OK) return &sections[i];
    return NULL;
}

/* For people in any case; JSON only where every experiment ran whole; the page says which did not. */
static lt_status report(const lt_bench *bench, const bench_options *o, lt_error *error) {
    lt_json_output output;
    lt_status status = LT_OK;
    lt_json_output_begin(&output, o->json_path, LT_JSON_INDENTED);
    FILE *out = lt_json_output_is_stdout(&output) ? stderr : stdout;
    fprintf(out, "calibration %.4f ns a pass%s\n", bench->calibration_ns, bench->quick ? ", quick" : "");
    print_rows(out, bench);
    print_checks(out, bench);
    if (first_failure(bench)) {
        lt_json_output_drop(&output);
    } else {
        write_bench(&output.json, bench, o->name);
        status = lt_json_output_end(&output, error);
    }
    if (!o->html_path) return status;
    lt_error page_error = {0}; /* one that cannot be written does not keep the other away */
    lt_status page = lt_report_page_write(&(lt_report_page_def){bench, o->name, o->html_path}, &page_error);
    if (status != LT_OK || page == LT_OK) return status;
    *error = page_error;
    return page;
}

static int conclude(const lt_bench *bench) {
    const lt_bench_section *failure = first_failure(bench);
    uint32_t failed = lt_bench_failed_count(bench), experiment_count;
    lt_experiment_list(&experiment_count);
    if (failure) return lt_say_failed("bench", "%s: %s", failure->experiment->name, failure->failure.message);
    if (lt_interrupt_asked())
        return lt_say_failed("bench", "stopped after %zu of %u experiments; what was done until then is kept",
                             bench->sections.count, experiment_count);
    if (failed) return lt_say_failed("bench", "%u of %zu checks failed", failed, bench->checks.count);
    return EXIT_OK;
}

int lt_command_bench(int word_count, char **words) {
    bench_options o;
    lt_error error = {0};
    lt_parsed parsed = parse(&o, word_count, words);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    if (o.html_path && strcmp(o.html_path, "-") == 0)
        return lt_say_usage("bench", "--html -: a page goes to a file; name one");
    const lt_output_file outputs[] = {{"--json", o.json_path}, {"--html", o.html_path}};
    int code = lt_check_outputs("bench", NULL, outputs, LT_COUNT_OF(outputs));
    if (code != EXIT_OK) return code;
    lt_bench bench = lt_bench_begin(o.quick, NULL);
    bench.only = o.only;
    bench.method = o.method;
    if (!run_experiments(&bench, o.name))
        code = say_unknown(o.name);
    else if (report(&bench, &o, &error) != LT_OK)
        code = lt_say_failed("bench", "%s", error.message);
    else
        code = conclude(&bench);
    lt_bench_free(&bench);
    return code;
}
