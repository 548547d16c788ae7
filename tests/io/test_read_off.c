/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define TRIANGLE "0 0 0\n1 0 0\n0 1 0\n"

static void broken_files_are_refused_with_their_line(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_FORMAT, "sample:1: expected OFF, or the numbers of vertices and faces"},
        {"OFF", LT_STATUS_FORMAT, "sample:1: expected OFF, or the numbers of vertices and faces"},
        {"OFFSET 3 1\n", LT_STATUS_FORMAT, "found \"OFFSET\""},
        {"OFF\n3\n", LT_STATUS_FORMAT, "sample:2: expected OFF, or the numbers of vertices and faces"},
        {"OFF\n3 0 0\n" TRIANGLE, LT_STATUS_INVALID, "no faces: 3 vertices alone make no surface"},
        {"OFF\n-3 1 0\n" TRIANGLE, LT_STATUS_INVALID, "a negative number"},
        {"OFF\n3 4 0\n" TRIANGLE, LT_STATUS_FORMAT, "announces 3 vertices and 4 faces, more than the file"},
        {"OFF\n4000000000 1 0\n" TRIANGLE, LT_STATUS_FORMAT, "announces 4000000000 vertices"},
        {"OFF\n999999999999999999 999999999999999999 0\n", LT_STATUS_FORMAT, "more than the file can hold"},
        {"OFF BINARY\n3 1 0\n", LT_STATUS_UNSUPPORTED, "sample:1: binary OFF is not read: save it as text"},
        {"4OFF\n3 1 0\n", LT_STATUS_UNSUPPORTED, "sample:1: 4OFF is not read"},
        {"COFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", LT_STATUS_FORMAT,
         "sample:4: expected three coordinates of a vertex, found the end of the line"},
        {"OFF\n3 1 0\n0 0 0\n1 0 1e39\n0 1 0\n3 0 1 2\n", LT_STATUS_INVALID,
         "sample:4: a coordinate is not a finite float"},
        {"OFF\n3 1 0\n" TRIANGLE "3 0 1 3\n", LT_STATUS_INVALID,
         "sample:6: vertex 3, but there are only 3, from 0"},
        {"OFF\n3 1 0\n" TRIANGLE "3 0 1 -1\n", LT_STATUS_INVALID, "sample:6: vertex -1"},
        {"OFF\n3 1 0\n" TRIANGLE "0      \n", LT_STATUS_INVALID, "sample:6: a face of 0 corners"},
        {"OFF\n3 1 0\n" TRIANGLE "3 0 1\n", LT_STATUS_FORMAT,
         "sample:7: expected the vertex number of a face"},
        {"OFF\n3 1 0\n" TRIANGLE "3 0 x 2\n", LT_STATUS_FORMAT,
         "sample:6: expected the vertex number of a face, found \"x\""},
        {"OFF\n3 2 0\n" TRIANGLE "2 0 1\n1 0\n", LT_STATUS_INVALID,
         "sample: no faces of three corners or more among 2"}};
    check_refusals(SAMPLE_OFF, rows, LT_COUNT_OF(rows));
}

static void headers_of_every_kind_are_read(void) {
    static const char *const headers[] = {"OFF\n3 1 0\n",   "OFF 3 1 0\n",   "OFF 3 1\n",
                                          "3 1 0\n",        "COFF\n3 1 0\n", "NOFF\n3 1 0\n",
                                          "CNOFF\n3 1 0\n", "STOFF 3 1 0\n", "# x\n\n OFF # y\n# z\n3 1 0\n"};
    for (size_t i = 0; i < LT_COUNT_OF(headers); i++) {
        char text[200];
        snprintf(text, sizeof text, "%s" TRIANGLE "3 0 1 2", headers[i]);
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read_text(&file, SAMPLE_OFF, text, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", headers[i], error.message);
        CHECK_COUNT(file.surface.vertex_count, 3);
        CHECK_COUNT(file.surface.triangle_count, 1);
        CHECK_NEAR(lt_surface_area(&file.surface), 0.5, 0);
        lt_mesh_content_free(&file);
    }
}

/* A point, a line, a triangle, a concave quad (area 3) and a pentagon of area 5/2. */
static void faces_of_any_size_are_split_or_counted(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_OFF,
                                 "OFF\n9 5 0\n0 0 0\n4 -3 0\n1 0 0\n4 3 0\n"
                                 "0 0 1\n2 0 1\n2 1 1\n1 1.5 1\n0 1 1\n"
                                 "1 0\n2 0 1\n3 0 1 2\n4 0 1 2 3 0.5 0.5 0.5\n5 4 5 6 7 8 255\n",
                                 NULL) == LT_OK);
    CHECK_COUNT(file.surface.triangle_count, 6);
    CHECK_COUNT(file.split_polygon_count, 2);
    CHECK_COUNT(file.skipped_cell_count, 2);
    CHECK_NEAR(lt_surface_area(&file.surface), 1.5 + 3 + 2.5, 1e-6);
    lt_mesh_content_free(&file);
}

int main(void) {
    RUN(broken_files_are_refused_with_their_line);
    RUN(headers_of_every_kind_are_read);
    RUN(faces_of_any_size_are_split_or_counted);
    return check_finish();
}
