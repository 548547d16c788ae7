/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Twelve scenes of all methods under three budgets each: the work units of their first steps, added up, and the hash of
 * the world then, are the lines of bench/units.txt, exactly. Whatever makes collisions cheaper or dearer shows there,
 * without a clock; `make golden` writes it anew.
 *
 * labels: golden heavy */

#include "check.h"
#include "core/memory.h"
#include "scenes/scene.h"

#include <inttypes.h>

/* Budgets are about a quarter and a twentieth of the mean of unlimited steps. */
typedef struct row {
    const char *scene;
    uint64_t step_count, budgets[2];
} row;

static const row rows[] = {
    {"drop", 60, {200000, 40000}},   {"two-balls", 40, {450000, 90000}},
    {"stack", 60, {35000, 7000}},    {"pins", 60, {400000, 80000}},
    {"rest", 40, {250000, 50000}},   {"moving-obstacle", 60, {30000, 6000}},
    {"handle", 40, {180000, 36000}}, {"crowd-packed", 40, {240000, 48000}},
    {"plates", 40, {110000, 22000}}, {"tori", 40, {400000, 80000}},
    {"teapots", 40, {15000, 3000}},  {"knot", 40, {1250000, 250000}},
};

static FILE *stored;

/* The next line that is no comment. */
static void read_stored(char line[200]) {
    line[0] = '\0';
    while (stored && fgets(line, 200, stored))
        if (line[0] != '#') break;
    if (stored && feof(stored)) line[0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
}

static void compare_with_stored(const char *text) {
    char expected[200];
    check_count++;
    if (!check_compares_goldens()) return;
    read_stored(expected);
    if (strcmp(text, expected) != 0)
        CHECK_FAIL_MESSAGE(
            "bench/units.txt has \"%s\" where \"%s\" was measured. Where work is meant to change: "
            "`make golden`, in a commit of its own",
            expected, text);
}

static void measure(const lt_scene *scene, uint64_t step_count, const char *budget_name, lt_budget budget) {
    lt_error error = {0};
    lt_scene_world world;
    if (lt_scene_build(&world, scene, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return;
    }
    uint64_t units = 0;
    for (uint64_t step = 0; step < step_count; step++) {
        lt_scene_advance(&world, step);
        units += lt_world_step(world.world, scene->dt, budget).units;
    }
    char text[200];
    snprintf(text, sizeof text, "%s %" PRIu64 " %s %" PRIu64 " %016" PRIx64, scene->name, step_count,
             budget_name, units, lt_world_hash(world.world));
    printf("units %s\n", text);
    compare_with_stored(text);
    lt_scene_world_free(&world);
}

static void units_are_those_stored(void) {
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        lt_scene scene;
        CHECK_FATAL(lt_scene_make(&scene, rows[i].scene, NULL, NULL) == LT_OK);
        measure(&scene, rows[i].step_count, "unlimited", lt_budget_unlimited());
        for (int b = 0; b < 2; b++) {
            char name[32];
            snprintf(name, sizeof name, "%" PRIu64, rows[i].budgets[b]);
            measure(&scene, rows[i].step_count, name, lt_budget_collision_units(rows[i].budgets[b]));
        }
        lt_scene_free(&scene);
    }
}

static void nothing_more_is_stored(void) {
    char line[200];
    read_stored(line);
    if (check_compares_goldens() && line[0]) CHECK_FAIL_MESSAGE("bench/units.txt goes on: \"%s\"", line);
}

int main(void) {
    stored = fopen("bench/units.txt", "r");
    RUN(units_are_those_stored);
    RUN(nothing_more_is_stored);
    if (stored) fclose(stored);
    return check_finish();
}
