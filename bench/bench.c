/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <stdio.h>
#include <string.h>

lt_bench lt_bench_begin(bool quick, const lt_allocator *allocator) {
    return (lt_bench){.quick = quick,
                      .allocator = allocator ? *allocator : lt_allocator_default(),
                      .rows = LT_ARRAY_OF(allocator, lt_bench_row),
                      .checks = LT_ARRAY_OF(allocator, lt_bench_check),
                      .charts = LT_ARRAY_OF(allocator, lt_bench_svg),
                      .sections = LT_ARRAY_OF(allocator, lt_bench_section)};
}

void lt_bench_free(lt_bench *bench) {
    lt_bench_svg *charts = bench->charts.items;
    for (size_t i = 0; i < bench->charts.count; i++)
        lt_array_free(&charts[i].bytes);
    lt_array_free(&bench->rows);
    lt_array_free(&bench->checks);
    lt_array_free(&bench->charts);
    lt_array_free(&bench->sections);
}

bool lt_bench_is_asked(const lt_bench *bench, const char *part, const char *name) {
    char whole[128];
    snprintf(whole, sizeof whole, "%s/%s", part, name);
    return !bench->only || strstr(whole, bench->only);
}

/* ---- sections ---- */

static void count_lists(const lt_bench *bench, size_t counts[LT_BENCH_LISTS]) {
    counts[LT_BENCH_ROWS] = bench->rows.count;
    counts[LT_BENCH_CHECKS] = bench->checks.count;
    counts[LT_BENCH_CHARTS] = bench->charts.count;
}

lt_status lt_bench_run(lt_bench *bench, const lt_experiment *experiment, lt_error *error) {
    lt_bench_section section = {.experiment = experiment};
    lt_error failure = {0};
    count_lists(bench, section.begin);
    lt_status status = experiment->run(bench, &failure);
    if (status == LT_OK && bench->out_of_memory)
        status = lt_fail(&failure, LT_STATUS_MEMORY, "out of memory for rows and checks");
    count_lists(bench, section.end);
    section.failure = failure;
    section.failure.status = status;
    if (!lt_array_push(&bench->sections, &section))
        status = lt_fail(&failure, LT_STATUS_MEMORY, "out of memory for rows and checks");
    if (status != LT_OK && error) *error = failure;
    return status;
}

/* ---- rows ---- */

void lt_bench_row_begin(lt_bench *bench, const char *label) {
    lt_bench_row *row = lt_array_grow(&bench->rows, 1);
    if (!row) {
        bench->out_of_memory = true;
        return;
    }
    snprintf(row->label, sizeof row->label, "%s", label);
}

bool lt_bench_same_columns(const lt_bench_row *a, const lt_bench_row *b) {
    if (a->cell_count != b->cell_count) return false;
    for (uint32_t i = 0; i < a->cell_count; i++)
        if (strcmp(a->cells[i].key, b->cells[i].key) != 0) return false;
    return true;
}

static lt_bench_cell *add_cell(lt_bench *bench, const char *key) {
    lt_bench_row *rows = bench->rows.items;
    lt_bench_row *row = bench->rows.count ? &rows[bench->rows.count - 1] : &bench->spare_row;
    bool has_room = row->cell_count < LT_CELLS_MAX;
    LT_ASSERT(has_room);
    lt_bench_cell *cell = has_room ? &row->cells[row->cell_count++] : &bench->spare_row.cells[0];
    *cell = (lt_bench_cell){0};
    snprintf(cell->key, sizeof cell->key, "%s", key);
    return cell;
}

void lt_bench_number(lt_bench *bench, const char *key, double value) {
    add_cell(bench, key)->number = value;
}

void lt_bench_text(lt_bench *bench, const char *key, const char *text) {
    lt_bench_cell *cell = add_cell(bench, key);
    snprintf(cell->text, sizeof cell->text, "%s", text);
}

/* ---- checks ---- */

static bool holds(double value, const char *op, double bar) {
    if (strcmp(op, "<") == 0) return value < bar;
    if (strcmp(op, "<=") == 0) return value <= bar;
    if (strcmp(op, ">") == 0) return value > bar;
    if (strcmp(op, ">=") == 0) return value >= bar;
    LT_ASSERT(strcmp(op, "==") == 0);
    return value == bar;
}

static lt_bench_check *add_check(lt_bench *bench, const char *name, const char *op, double bar) {
    lt_bench_check *check = lt_array_grow(&bench->checks, 1);
    if (!check) {
        bench->out_of_memory = true;
        return NULL;
    }
    snprintf(check->name, sizeof check->name, "%s", name);
    snprintf(check->op, sizeof check->op, "%s", op);
    check->bar = bar;
    return check;
}

void lt_bench_check_value(lt_bench *bench, const char *name, double value, const char *op, double bar) {
    lt_bench_check *check = add_check(bench, name, op, bar);
    if (!check) return;
    check->value = value;
    check->measured = true;
    check->pass = holds(value, op, bar);
}

void lt_bench_check_absent(lt_bench *bench, const char *name, const char *op, double bar,
                           const char *reason) {
    lt_bench_check *check = add_check(bench, name, op, bar);
    if (check) snprintf(check->reason, sizeof check->reason, "%s", reason);
}

uint32_t lt_bench_failed_count(const lt_bench *bench) {
    const lt_bench_check *checks = bench->checks.items;
    uint32_t failed = 0;
    for (size_t i = 0; i < bench->checks.count; i++)
        failed += checks[i].measured && !checks[i].pass;
    return failed;
}
