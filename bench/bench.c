/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <stdio.h>
#include <string.h>

lt_bench lt_bench_begin(bool quick, const lt_allocator *allocator) {
    return (lt_bench){.quick = quick,
                      .allocator = allocator ? *allocator : lt_allocator_default(),
                      .rows = LT_ARRAY_OF(allocator, lt_bench_row),
                      .checks = LT_ARRAY_OF(allocator, lt_bench_check)};
}

void lt_bench_free(lt_bench *bench) {
    lt_array_free(&bench->rows);
    lt_array_free(&bench->checks);
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
