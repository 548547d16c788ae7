/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "report_papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- ours, from the rows ---- */

static const lt_bench_row *find_row(const lt_bench *bench, const lt_bench_section *section,
                                    const char *label) {
    const lt_bench_row *rows = bench->rows.items;
    for (size_t i = section->begin[LT_BENCH_ROWS]; i < section->end[LT_BENCH_ROWS]; i++)
        if (strcmp(rows[i].label, label) == 0) return &rows[i];
    return NULL;
}

static const lt_bench_cell *find_cell(const lt_bench_row *row, const char *key) {
    for (uint32_t i = 0; row && key && i < row->cell_count; i++)
        if (strcmp(row->cells[i].key, key) == 0) return &row->cells[i];
    return NULL;
}

typedef struct ours {
    double number;    /* NAN: not measured in this run */
    const char *text; /* or NULL */
} ours;

/* A time of 0 is one of no steps. */
static ours find_ours(const lt_bench *bench, const lt_bench_section *section, const lt_paper_value *value,
                      lt_paper_compare compare) {
    const lt_bench_row *row = value->label ? find_row(bench, section, value->label) : NULL;
    const lt_bench_cell *cell = find_cell(row, value->key), *over = find_cell(row, value->over);
    ours result = {NAN, NULL};
    if (!row || (value->key && !cell) || (value->over && !over)) return result;
    if (cell && cell->text[0]) {
        result.text = cell->text;
        return result;
    }
    result.number = value->factor * (cell ? cell->number : 1) / (over ? over->number : 1);
    if (compare != LT_PAPER_AS_IS && !(result.number > 0)) result.number = NAN;
    if (!isfinite(result.number)) result.number = NAN;
    return result;
}

/* ---- as a table ---- */

static uint32_t column_count(const lt_paper_table *table) {
    uint32_t count = 0;
    while (count < LT_PAPER_COLUMNS && table->columns[count].name)
        count++;
    return count;
}

static bool has_remarks(const lt_paper_table *table) {
    for (uint32_t i = 0; i < table->line_count; i++)
        if (table->lines[i].remark) return true;
    return false;
}

static void put_head(lt_html *html, const lt_paper_table *table) {
    lt_html_markup(html, "<thead><tr><th rowspan=\"2\"></th>");
    for (uint32_t i = 0; i < column_count(table); i++) {
        lt_html_markup(html, table->columns[i].compare == LT_PAPER_AS_IS
                                 ? "<th class=\"group\" colspan=\"2\">"
                                 : "<th class=\"group\" colspan=\"3\">");
        lt_html_text(html, table->columns[i].name);
        lt_html_markup(html, "</th>");
    }
    if (has_remarks(table)) lt_html_markup(html, "<th rowspan=\"2\" class=\"words\">remark</th>");
    lt_html_markup(html, "</tr>\n<tr>");
    for (uint32_t i = 0; i < column_count(table); i++)
        lt_html_markup(html, table->columns[i].compare == LT_PAPER_AS_IS
                                 ? "<th>paper</th><th>ours</th>"
                                 : "<th>paper</th><th>ours</th><th>times as fast</th>");
    lt_html_markup(html, "</tr></thead>\n");
}

static void put_ratio(lt_html *html, const lt_paper_value *value, ours found, lt_paper_compare compare) {
    char *end;
    double paper = value->paper ? strtod(value->paper, &end) : NAN;
    bool is_number = value->paper && *end == 0 && paper > 0 && found.number > 0;
    lt_html_markup(html, "<td>");
    if (is_number)
        lt_html_number(html, compare == LT_PAPER_TIME ? paper / found.number : found.number / paper, 3);
    else
        lt_html_markup(html, "–");
    lt_html_markup(html, "</td>");
}

static void put_value(lt_html *html, const lt_paper_value *value, ours found, lt_paper_compare compare) {
    lt_html_element(html, "td", value->paper ? value->paper : "–");
    lt_html_markup(html, "<td>");
    if (found.text)
        lt_html_text(html, found.text);
    else if (!isnan(found.number))
        lt_html_number(html, found.number, 4);
    else if (value->label)
        lt_html_markup(html, "<em>not in this run</em>");
    else
        lt_html_markup(html, value->paper ? "<em>not measured</em>" : "–");
    lt_html_markup(html, "</td>");
    if (compare != LT_PAPER_AS_IS) put_ratio(html, value, found, compare);
}

static void put_line(lt_html *html, const lt_bench *bench, const lt_bench_section *section,
                     const lt_paper_table *table, const lt_paper_line *line) {
    lt_html_markup(html, "<tr><th scope=\"row\">");
    lt_html_text(html, line->what);
    lt_html_markup(html, "</th>");
    for (uint32_t i = 0; i < column_count(table); i++) {
        const lt_paper_value *value = &line->values[i];
        lt_paper_compare compare = table->columns[i].compare;
        put_value(html, value, find_ours(bench, section, value, compare), compare);
    }
    if (has_remarks(table)) {
        lt_html_markup(html, "<td class=\"words\">");
        lt_html_text(html, line->remark ? line->remark : "");
        lt_html_markup(html, "</td>");
    }
    lt_html_markup(html, "</tr>\n");
}

static void put_table(lt_html *html, const lt_bench *bench, const lt_bench_section *section,
                      const lt_paper_table *table) {
    lt_html_element(html, "h4", table->title);
    lt_html_markup(html, "\n<p class=\"note\">");
    lt_html_text(html, table->note);
    lt_html_markup(html, "</p>\n<div class=\"wide\"><table>\n");
    put_head(html, table);
    lt_html_markup(html, "<tbody>\n");
    for (uint32_t i = 0; i < table->line_count; i++)
        put_line(html, bench, section, table, &table->lines[i]);
    lt_html_markup(html, "</tbody></table></div>\n");
}

void lt_report_papers(lt_html *html, const lt_bench *bench, const lt_bench_section *section) {
    uint32_t count;
    const lt_paper_table *tables = lt_paper_tables(&count);
    bool is_first = true;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(tables[i].experiment, section->experiment->name) != 0) continue;
        if (is_first) lt_html_markup(html, "<h3>The paper's figures beside ours</h3>\n");
        if (is_first && bench->quick)
            lt_html_markup(html, "<p class=\"warning\">A quick run has smaller bodies and fewer steps: what "
                                 "stands under “ours” is no result.</p>\n");
        is_first = false;
        put_table(html, bench, section, &tables[i]);
    }
}
