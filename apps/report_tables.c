/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "report_tables.h"

#include <string.h>

static const lt_bench_check *checks_of(const lt_bench *bench, const lt_bench_section *section,
                                       size_t *count) {
    *count = section->end[LT_BENCH_CHECKS] - section->begin[LT_BENCH_CHECKS];
    const lt_bench_check *all = bench->checks.items; /* none: NULL, to which nothing may be added */
    return *count > 0 ? all + section->begin[LT_BENCH_CHECKS] : NULL;
}

lt_check_counts lt_check_count(const lt_bench *bench, const lt_bench_section *section) {
    lt_check_counts counts = {0};
    size_t count;
    const lt_bench_check *checks = checks_of(bench, section, &count);
    for (size_t i = 0; i < count; i++) {
        counts.passed += checks[i].measured && checks[i].pass;
        counts.failed += checks[i].measured && !checks[i].pass;
        counts.absent += !checks[i].measured;
    }
    return counts;
}

/* ---- summary ---- */

/* Every reason once, with how many checks have it. */
static void put_reasons(lt_html *html, const lt_bench *bench, const lt_bench_section *section) {
    size_t count;
    const lt_bench_check *checks = checks_of(bench, section, &count);
    bool is_first = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t before = 0, all = 0;
        if (checks[i].measured) continue;
        for (size_t k = 0; k < count; k++) {
            bool same = !checks[k].measured && strcmp(checks[k].reason, checks[i].reason) == 0;
            before += same && k < i;
            all += same;
        }
        if (before) continue;
        lt_html_markup(html, is_first ? "" : "<br>");
        lt_html_format(html, "%u: %s", all, checks[i].reason);
        is_first = false;
    }
    if (section->failure.status != LT_OK) {
        lt_html_markup(html, is_first ? "<b>ended early:</b> " : "<br><b>ended early:</b> ");
        lt_html_text(html, section->failure.message);
    }
}

static void put_count(lt_html *html, uint32_t count, const char *class_name) {
    lt_html_markup(html, "<td");
    if (count > 0 && class_name) {
        lt_html_markup(html, " class=\"");
        lt_html_markup(html, class_name);
        lt_html_markup(html, "\"");
    }
    lt_html_markup(html, ">");
    lt_html_format(html, "%u", count);
    lt_html_markup(html, "</td>");
}

void lt_report_summary(lt_html *html, const lt_bench *bench) {
    const lt_bench_section *sections = bench->sections.items;
    lt_html_markup(html,
                   "<div class=\"wide\"><table>\n<thead><tr><th>experiment</th><th>passed</th><th>failed</th>"
                   "<th>not measured</th><th class=\"words\">why not measured</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < bench->sections.count; i++) {
        lt_check_counts counts = lt_check_count(bench, &sections[i]);
        lt_html_markup(html, "<tr><th scope=\"row\"><a href=\"#");
        lt_html_text(html, sections[i].experiment->name);
        lt_html_markup(html, "\">");
        lt_html_text(html, sections[i].experiment->name);
        lt_html_markup(html, "</a></th>");
        put_count(html, counts.passed, NULL);
        put_count(html, counts.failed, "fail");
        put_count(html, counts.absent, NULL);
        lt_html_markup(html, "<td class=\"words\">");
        put_reasons(html, bench, &sections[i]);
        lt_html_markup(html, "</td></tr>\n");
    }
    lt_html_markup(html, "</tbody></table></div>\n");
}

/* ---- checks ---- */

static void put_check(lt_html *html, const lt_bench_check *check) {
    lt_html_markup(html, "<tr><th scope=\"row\">");
    lt_html_text(html, check->name);
    lt_html_markup(html, "</th>");
    if (check->measured) {
        lt_html_markup(html, check->pass ? "<td class=\"pass\">pass</td>" : "<td class=\"fail\">FAIL</td>");
        lt_html_markup(html, "<td>");
        lt_html_number(html, check->value, 5);
    } else {
        lt_html_markup(html, "<td><em>not measured</em></td><td>–");
    }
    lt_html_markup(html, "</td><td>");
    lt_html_format(html, "%s %.5g", check->op, check->bar);
    lt_html_markup(html, "</td><td class=\"words\">");
    lt_html_text(html, check->measured ? "" : check->reason);
    lt_html_markup(html, "</td></tr>\n");
}

static void begin_checks(lt_html *html) {
    lt_html_markup(
        html, "<div class=\"wide\"><table>\n<thead><tr><th>check</th><th></th><th>value</th><th>to be</th>"
              "<th class=\"words\"></th></tr>"
              "</thead>\n<tbody>\n");
}

static void end_checks(lt_html *html) {
    lt_html_markup(html, "</tbody></table></div>\n");
}

void lt_report_failed(lt_html *html, const lt_bench *bench) {
    const lt_bench_check *checks = bench->checks.items;
    if (lt_bench_failed_count(bench) == 0) return;
    lt_html_markup(html, "<h3>Failed</h3>\n");
    begin_checks(html);
    for (size_t i = 0; i < bench->checks.count; i++)
        if (checks[i].measured && !checks[i].pass) put_check(html, &checks[i]);
    end_checks(html);
}

void lt_report_checks(lt_html *html, const lt_bench *bench, const lt_bench_section *section) {
    size_t count;
    const lt_bench_check *checks = checks_of(bench, section, &count);
    if (count == 0) return;
    lt_html_markup(html, "<h3>Checks</h3>\n");
    begin_checks(html);
    for (size_t i = 0; i < count; i++)
        put_check(html, &checks[i]);
    end_checks(html);
}

/* ---- rows ---- */

static void put_columns(lt_html *html, const lt_bench_row *row) {
    lt_html_markup(html, "<div class=\"wide\"><table class=\"rows\">\n<thead><tr><th></th>");
    for (uint32_t i = 0; i < row->cell_count; i++) {
        lt_html_markup(html, "<th>");
        lt_html_key(html, row->cells[i].key);
        lt_html_markup(html, "</th>");
    }
    lt_html_markup(html, "</tr></thead>\n<tbody>\n");
}

static void put_row(lt_html *html, const lt_bench_row *row) {
    lt_html_markup(html, "<tr><th scope=\"row\">");
    lt_html_text(html, row->label);
    lt_html_markup(html, "</th>");
    for (uint32_t i = 0; i < row->cell_count; i++) {
        lt_html_markup(html, "<td>");
        if (row->cells[i].text[0])
            lt_html_text(html, row->cells[i].text);
        else
            lt_html_number(html, row->cells[i].number, 5);
        lt_html_markup(html, "</td>");
    }
    lt_html_markup(html, "</tr>\n");
}

void lt_report_rows(lt_html *html, const lt_bench *bench, const lt_bench_section *section) {
    const lt_bench_row *rows = bench->rows.items;
    size_t begin = section->begin[LT_BENCH_ROWS], end = section->end[LT_BENCH_ROWS];
    if (begin == end) return;
    lt_html_markup(html, "<h3>Rows</h3>\n");
    for (size_t i = begin; i < end; i++) {
        bool is_new = i == begin || !lt_bench_same_columns(&rows[i], &rows[i - 1]);
        if (is_new && i > begin) lt_html_markup(html, "</tbody></table></div>\n");
        if (is_new) put_columns(html, &rows[i]);
        put_row(html, &rows[i]);
    }
    lt_html_markup(html, "</tbody></table></div>\n");
}
