/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A clamped bar of 480 linear tets under its own weight against CalculiX: $LITHE_TRUTH/fem-cantilever
 * (../shared/truth), mesh by Gmsh, nodal displacements of small-strain statics with seven digits. The double build
 * has to show the same digits, the float one to agree to 1e-3 of the largest displacement. */

#include "body/cantilever.h"
#include "check.h"
#include "mesh/read.h"

enum { MOST_ROWS = 1000 };

typedef struct answer {
    uint32_t node; /* from 1, as in the mesh */
    char text[3][32];
    double u[3];
} answer;

typedef struct comparison {
    uint32_t read, wrong; /* values, three a row */
    double worst;         /* relative to the largest displacement */
} comparison;

static answer answers[MOST_ROWS];

static const char *truth_folder(void) {
    const char *folder = getenv("LITHE_TRUTH");
    return folder ? folder : "../shared/truth";
}

/* Rows of a node number and three values; everything else in the file is a heading. */
static uint32_t read_answers(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    uint32_t count = 0;
    char line[256];
    while (count < MOST_ROWS && fgets(line, sizeof line, file)) {
        answer *a = &answers[count];
        if (sscanf(line, "%u %31s %31s %31s", &a->node, a->text[0], a->text[1], a->text[2]) != 4) continue;
        for (int k = 0; k < 3; k++)
            a->u[k] = strtod(a->text[k], NULL);
        count++;
    }
    fclose(file);
    return count;
}

/* `tolerance` 0: the digits as they were printed. */
static comparison compare(const cantilever *c, uint32_t count, double factor, double tolerance) {
    comparison result = {0};
    double largest = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(answers[i].u[k]));
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double found = factor * c->displacement[3 * (size_t)(answers[i].node - 1) + (size_t)k];
            double off = fabs(found - answers[i].u[k]) / largest;
            char digits[64];
            snprintf(digits, sizeof digits, "%.6E", found);
            bool right = tolerance > 0 ? off <= tolerance : strcmp(digits, answers[i].text[k]) == 0;
            result.read++;
            result.wrong += !right;
            result.worst = fmax(result.worst, off);
            if (!right)
                printf("node %u, %c: %s, but %s\n", answers[i].node, "xyz"[k], digits, answers[i].text[k]);
        }
    return result;
}

static bool load_bar(cantilever *c, uint32_t *row_count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/fem-cantilever/static1.dat", truth_folder());
    *row_count = read_answers(path);
    snprintf(path, sizeof path, "%s/fem-cantilever/bar.msh2", truth_folder());
    lt_mesh_file file = {0};
    if (*row_count == 0) return false;
    bool ok =
        lt_read_mesh(&file, path, NULL, NULL) == LT_OK && cantilever_create(c, &file.tets, 1e7, 0.3, 1000);
    CHECK(ok && file.unused_node_count == 0);
    lt_mesh_file_free(&file);
    for (uint32_t i = 0; ok && i < *row_count; i++) { /* the rows are those of the free end */
        ok = answers[i].node >= 1 && answers[i].node <= c->soft.carrier.node_count;
        CHECK(ok && fabs(c->soft.carrier.rest[3 * (size_t)(answers[i].node - 1)] - 1) < 1e-9);
    }
    return ok;
}

static const lt_dvec3 weight = {0, 0, -9.81};

static void linear_statics_are_those_of_calculix(void) {
    cantilever c;
    uint32_t rows;
    if (!load_bar(&c, &rows)) {
        check_skip("no fem-cantilever; set LITHE_TRUTH to the folder that holds it");
        return;
    }
    bool twice = sizeof(lt_real) == 8;
    cantilever_linear(&c, weight, twice ? 1e-14 : 1e-7, 0);
    comparison plain = compare(&c, rows, 1, 1);
    printf("plain solve: %u iterations, residual %.2g, worst value %.2g off\n", c.iterations,
           c.relative_residual, plain.worst);
    cantilever_linear(&c, weight, twice ? 1e-14 : 1e-5, 4);
    comparison refined = compare(&c, rows, 1, twice ? 0 : 1e-3);
    printf("truth-cantilever linear: %u rows read, %u of %u values wrong, worst %.2g off\n", rows,
           refined.wrong, refined.read, refined.worst);
    CHECK_COUNT(refined.wrong, 0);
    cantilever_free(&c);
}

/* The mean of the free end is compared as it is. Single values hold the square of the load too (the bar gets shorter
 * as it bends): half the difference of the answers to ± load is free of it. */
static void a_thousandth_of_the_load_bends_the_corotational_bar_alike(void) {
    cantilever down, up;
    uint32_t rows;
    if (!load_bar(&down, &rows) || !load_bar(&up, &rows)) {
        check_skip("no fem-cantilever");
        return;
    }
    const double tolerance = sizeof(lt_real) == 8 ? 3e-6 : 1e-2;
    cantilever_equilibrium(&down, lt_d3_scale(weight, 1e-3), 4);
    cantilever_equilibrium(&up, lt_d3_scale(weight, -1e-3), 4);
    double mean = 0, expected = 0;
    for (uint32_t i = 0; i < rows; i++) {
        mean += 1000 * down.displacement[3 * (size_t)(answers[i].node - 1) + 2] / rows;
        expected += answers[i].u[2] / rows;
    }
    for (size_t i = 0; i < 3 * (size_t)down.soft.carrier.node_count; i++)
        down.displacement[i] = (down.displacement[i] - up.displacement[i]) / 2;
    comparison result = compare(&down, rows, 1000, tolerance);
    printf("truth-cantilever corotational: %u rows read, %u of %u values wrong, worst %.2g off; mean of the "
           "end %.7f, "
           "%.2g off\n",
           rows, result.wrong, result.read, result.worst, mean, mean / expected - 1);
    CHECK_COUNT(result.wrong, 0);
    CHECK_NEAR(mean / expected, 1, tolerance);
    cantilever_free(&down);
    cantilever_free(&up);
}

int main(void) {
    RUN(linear_statics_are_those_of_calculix);
    RUN(a_thousandth_of_the_load_bends_the_corotational_bar_alike);
    return check_finish();
}
