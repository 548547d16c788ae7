/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Exact intersection tests against labels by an outside exact kernel: $LITHE_TRUTH/intersection, or
 * ../shared/truth/intersection. A row is the points of the smaller set, those of the larger, the label;
 * coordinates are the shortest decimals of floats. mesh-exact has the project's own cases.
 *
 * labels: data */

#include "check.h"
#include "mesh/exact_tets.h"

static bool point_tet(const lt_dvec3 *p) {
    return lt_exact_point_tet(p[0], p + 1);
}
static bool segment_triangle(const lt_dvec3 *p) {
    return lt_exact_segment_triangle(p, p + 2);
}
static bool triangle_triangle(const lt_dvec3 *p) {
    return lt_exact_triangle_triangle(p, p + 3);
}
static bool tet_tet(const lt_dvec3 *p) {
    return exact_tet_tet(p, p + 4);
}

/* Reads `count` points and the label; false at the end of the file or when the row is not of this shape. */
static bool read_row(FILE *file, int count, lt_dvec3 *points, int *label) {
    for (int i = 0; i < count; i++) {
        lt_vec3 p;
        if (fscanf(file, "%f,%f,%f,", &p.x, &p.y, &p.z) != 3) return false;
        points[i] = lt_d3_from_v3(p);
    }
    return fscanf(file, "%d", label) == 1;
}

static void check_file(const char *name, int point_count, bool (*test)(const lt_dvec3 *points)) {
    const char *root = getenv("LITHE_TRUTH");
    char path[1024];
    snprintf(path, sizeof path, "%s/intersection/%s", root ? root : "../shared/truth", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        check_skip("the file of labels is absent; set LITHE_TRUTH to the folder that holds intersection/");
        return;
    }
    lt_dvec3 points[8];
    int label, row_count = 0, wrong_count = 0, hit_count = 0;
    while (read_row(file, point_count, points, &label)) {
        row_count++;
        hit_count += label;
        wrong_count += test(points) != (label == 1);
    }
    bool at_end = feof(file) != 0;
    fclose(file);
    printf("%s: %d rows, %d meet, %d wrong\n", name, row_count, hit_count, wrong_count);
    CHECK(at_end);
    CHECK_COUNT(row_count, 5000);
    CHECK_COUNT(wrong_count, 0);
}

static void points_and_tets(void) {
    check_file("pttet-random.csv", 5, point_tet);
}
static void segments_and_triangles(void) {
    check_file("segtri-random.csv", 5, segment_triangle);
}
static void triangles_and_triangles(void) {
    check_file("tritri-random.csv", 6, triangle_triangle);
}
static void tets_and_tets(void) {
    check_file("tettet-random.csv", 8, tet_tet);
}

int main(void) {
    RUN(points_and_tets);
    RUN(segments_and_triangles);
    RUN(triangles_and_triangles);
    RUN(tets_and_tets);
    return check_finish();
}
