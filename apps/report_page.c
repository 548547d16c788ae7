/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "report_page.h"

#include "core/os.h"
#include "html.h"
#include "report_frames.h"
#include "report_papers.h"
#include "report_tables.h"

#include <string.h>

/* Charts have a white ground of their own, and stay as they are in the dark. Tables that are wider than the page move under
 * their first column. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--ink:#1c2028;--soft:#5c6470;--line:#d6dae0;--band:#f3f5f8;"
    "--good:#17702f;--bad:#b3201c}\n"
    "@media (prefers-color-scheme:dark){:root{--ground:#15181d;--ink:#e4e7ec;--soft:#9aa3af;--line:#363c45;"
    "--band:#1f242b;--good:#62c47c;--bad:#ff7b72}}\n"
    "body{margin:0 auto;max-width:72rem;padding:0 1rem 3rem;background:var(--ground);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{margin:1.5rem 0 .5rem;font-size:1.7rem}\n"
    "h2{margin:3rem 0 .5rem;padding-top:1rem;border-top:2px solid var(--line);font-size:1.4rem}\n"
    "h3{margin:2rem 0 .5rem;font-size:1.1rem}\n"
    "h4{margin:1.5rem 0 .25rem;font-size:1rem}\n"
    "a{color:inherit}\n"
    "code{font-family:ui-monospace,monospace;font-size:.92em}\n"
    "p{margin:.5rem 0}\n"
    ".note,figcaption{color:var(--soft);font-size:.9rem;max-width:46rem}\n"
    ".warning{border-left:4px solid var(--bad);padding-left:.75rem}\n"
    ".wide{overflow-x:auto;margin:.5rem 0 1rem}\n"
    "table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}\n"
    "thead th{vertical-align:bottom;color:var(--soft);font-weight:600}\n"
    "th.group{text-align:center}\n"
    "thead tr:first-child th:first-child{text-align:left}\n"
    "tbody th{position:sticky;left:0;background:var(--ground);font-weight:400;text-align:left}\n"
    "tbody th{min-width:8rem}\n"
    "tbody tr:nth-child(even)>*{background:var(--band)}\n"
    "td{white-space:nowrap}\n"
    ".words{text-align:left;max-width:30rem;white-space:normal}\n"
    "td.words:not(:empty){min-width:12rem}\n"
    "td.words{color:var(--soft)}\n"
    "em{color:var(--soft)}\n"
    ".pass{color:var(--good)}\n"
    ".fail{color:var(--bad);font-weight:700}\n"
    "figure{margin:1rem 0}\n"
    ".frame{display:inline-block;max-width:100%;width:22rem;margin:0 .5rem .5rem 0}\n"
    ".frame span{color:var(--soft);font-size:.85rem}\n"
    ".frame img{display:block;width:100%;height:auto;border-radius:4px}\n"
    ".charts{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.75rem}\n"
    ".chart{overflow-x:auto;max-width:100%}\n"
    ".chart>svg{display:block;height:auto;max-width:100%;min-width:34rem}\n"
    ".chart>svg{border:1px solid var(--line);border-radius:4px}\n"
    "@media (max-width:40rem){body{font-size:15px}tbody th{min-width:6rem;max-width:10rem}}\n"
    "@page{margin:1cm}\n"
    "@media print{:root{--ground:#fff;--ink:#000;--soft:#444;--line:#bbb;--band:#fff;--good:#17702f;"
    "--bad:#b3201c}body{max-width:none;padding:0;font-size:10pt}.wide,.chart{overflow:visible}table{font-"
    "size:6.5pt}"
    "th,td{padding:.1rem .2rem}tbody th{position:static;min-width:0}td.words:not(:empty){min-width:0}"
    ".chart>svg{min-width:0}.chart,.frame,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}}\n";

/* ---- head ---- */

static void put_head(lt_html *html, const lt_report_page_def *def) {
    lt_html_markup(html, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    lt_html_format(html, "Lithe %s: bench %s", lt_version(), def->name);
    lt_html_markup(html, "</title>\n<style>\n");
    lt_html_markup(html, style);
    lt_html_markup(html, "</style>\n</head>\n<body>\n<header>\n<h1>Lithe: what was measured</h1>\n<p>");
    lt_html_format(html, "Version %s, ", lt_version());
    lt_html_markup(html, "<code>");
    lt_html_format(html, "lithe bench %s%s", def->name, def->bench->quick ? " --quick" : "");
    lt_html_markup(html, "</code>");
    lt_html_format(html,
                   ", calibration %.4f ns a pass (of a fixed loop: figures of two machines compare by it).",
                   def->bench->calibration_ns);
    lt_html_markup(html, "</p>\n");
    if (def->bench->quick)
        lt_html_markup(
            html, "<p class=\"warning\">A quick run: fewer steps and samples, smaller bodies. It shows that "
                  "everything works; its figures are not results.</p>\n");
}

static bool was_run(const lt_bench *bench, const lt_experiment *experiment) {
    const lt_bench_section *sections = bench->sections.items;
    for (size_t i = 0; i < bench->sections.count; i++)
        if (sections[i].experiment == experiment) return true;
    return false;
}

/* Experiments that were asked for, but something came in between. */
static void put_missing(lt_html *html, const lt_report_page_def *def) {
    uint32_t count;
    const lt_experiment *experiments = lt_experiment_list(&count);
    if (strcmp(def->name, "all") != 0) return;
    for (uint32_t i = 0; i < count; i++) {
        if (was_run(def->bench, &experiments[i])) continue;
        lt_html_markup(html, "<p class=\"warning\">Not run: <code>");
        lt_html_text(html, experiments[i].name);
        lt_html_markup(html, "</code>. The run was stopped before.</p>\n");
    }
}

static void put_verdict(lt_html *html, const lt_bench *bench) {
    const lt_bench_section *sections = bench->sections.items;
    uint32_t failed = lt_bench_failed_count(bench), absent = 0;
    for (size_t i = 0; i < bench->sections.count; i++)
        absent += lt_check_count(bench, &sections[i]).absent;
    lt_html_markup(html, failed ? "<p class=\"fail\">" : "<p>");
    lt_html_format(html, "%u of %zu checks failed; not measured: %u.", failed, bench->checks.count, absent);
    lt_html_markup(html, "</p>\n");
    for (size_t i = 0; i < bench->sections.count; i++) {
        if (sections[i].failure.status == LT_OK) continue;
        lt_html_markup(html, "<p class=\"fail\">Ended early: <code>");
        lt_html_text(html, sections[i].experiment->name);
        lt_html_markup(html, "</code>: ");
        lt_html_text(html, sections[i].failure.message);
        lt_html_markup(html, "</p>\n");
    }
}

/* ---- experiments ---- */

/* From its element on: what comes before is for files. */
static void put_chart(lt_html *html, const lt_bench_svg *chart) {
    const char *svg = chart->bytes.items;
    size_t begin = 0;
    while (begin + 4 < chart->bytes.count && memcmp(svg + begin, "<svg", 4) != 0)
        begin++;
    lt_html_markup(html, "<div class=\"chart\">\n");
    lt_html_bytes(html, svg + begin, chart->bytes.count - begin);
    lt_html_markup(html, "</div>\n");
}

static void put_charts(lt_html *html, const lt_bench *bench, const lt_bench_section *section) {
    const lt_bench_svg *charts = bench->charts.items;
    size_t begin = section->begin[LT_BENCH_CHARTS], end = section->end[LT_BENCH_CHARTS];
    if (begin == end) return;
    lt_html_markup(html, "<h3>Charts</h3>\n<div class=\"charts\">\n");
    for (size_t i = begin; i < end; i++)
        put_chart(html, &charts[i]);
    lt_html_markup(html, "</div>\n");
}

static lt_status put_experiment(lt_html *html, const lt_bench *bench, const lt_bench_section *section,
                                lt_error *error) {
    const lt_experiment *experiment = section->experiment;
    lt_html_markup(html, "<section id=\"");
    lt_html_text(html, experiment->name);
    lt_html_markup(html, "\">\n");
    lt_html_element(html, "h2", experiment->name);
    lt_html_markup(html, "\n<p>");
    lt_html_text(html, experiment->about);
    lt_html_markup(html, ".</p>\n");
    if (section->failure.status != LT_OK) {
        lt_html_markup(
            html, "<p class=\"fail\">This experiment ended early, and what follows is only a part of it: ");
        lt_html_text(html, section->failure.message);
        lt_html_markup(html, "</p>\n");
    }
    lt_status status = lt_report_frames(html, experiment->name, bench->quick, error);
    lt_report_papers(html, bench, section);
    put_charts(html, bench, section);
    lt_report_checks(html, bench, section);
    lt_report_rows(html, bench, section);
    lt_html_markup(html, "</section>\n");
    return status;
}

/* ---- the page ---- */

static lt_status put_page(lt_html *html, const lt_report_page_def *def, lt_error *error) {
    const lt_bench *bench = def->bench;
    const lt_bench_section *sections = bench->sections.items;
    lt_status status = LT_OK;
    put_head(html, def);
    put_verdict(html, bench);
    put_missing(html, def);
    lt_html_markup(html, "</header>\n<main>\n<section id=\"summary\">\n");
    lt_report_summary(html, bench);
    lt_report_failed(html, bench);
    lt_html_markup(html, "</section>\n");
    for (size_t i = 0; i < bench->sections.count && status == LT_OK; i++)
        status = put_experiment(html, bench, &sections[i], error);
    lt_html_markup(html, "</main>\n</body>\n</html>\n");
    return status;
}

lt_status lt_report_page_write(const lt_report_page_def *def, lt_error *error) {
    lt_html html = lt_html_begin(&def->bench->allocator);
    lt_status status = put_page(&html, def, error);
    if (status == LT_OK && html.out_of_memory)
        status = lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory for the page", def->path);
    if (status == LT_OK) status = lt_os_write_file(def->path, html.bytes.items, html.bytes.count, error);
    lt_html_free(&html);
    return status;
}
