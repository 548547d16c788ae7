/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define ASCII     "ply\nformat ascii 1.0\n"
#define XYZ       "property float x\nproperty float y\nproperty float z\n"
#define VERTICES3 "element vertex 3\n" XYZ
#define FACES     "property list uchar int vertex_indices\n"
#define POINTS3   "0 0 0\n1 0 0\n0 1 0\n"

static void broken_files_are_refused(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_FORMAT, "sample:1: a PLY file begins with"},
        {"plx\n", LT_STATUS_FORMAT, "sample:1: a PLY file begins with"},
        {"ply\nformat ascii 1.0\n", LT_STATUS_FORMAT, "the header has no end_header"},
        {"ply\nend_header\n", LT_STATUS_FORMAT, "no format line"},
        {"ply\nformat ascii 2.0\n", LT_STATUS_VERSION, "sample:2: only PLY version 1.0"},
        {"ply\nformat text 1.0\n", LT_STATUS_FORMAT, "sample:2: the format must be"},
        {ASCII "thing\n", LT_STATUS_FORMAT, "sample:3: expected format, element"},
        {ASCII "property float x\n", LT_STATUS_FORMAT, "sample:3: a property before"},
        {ASCII "element vertex -3\n", LT_STATUS_FORMAT, "sample:3: expected the number of rows"},
        {ASCII "element vertex 3\nproperty real x\n", LT_STATUS_FORMAT, "sample:4: not a type"},
        {ASCII "element face 3\nproperty list float int vertex_index\n", LT_STATUS_FORMAT,
         "whole-number type"},
        {ASCII "element tristrips 1\n", LT_STATUS_UNSUPPORTED, "sample:3: triangle strips cannot be read"},
        {ASCII VERTICES3 "property int x\n", LT_STATUS_FORMAT, "sample:7: a second property"},
        {ASCII VERTICES3 "element vertex 1\n", LT_STATUS_FORMAT, "sample:7: a second element"},
        {ASCII VERTICES3 "end_header\n" POINTS3, LT_STATUS_INVALID, "points alone make no surface"},
        {ASCII "element face 1\n" FACES "end_header\n3 0 0 0", LT_STATUS_INVALID,
         "no vertices with x, y and z"},
        {ASCII VERTICES3 "element face 0\n" FACES "end_header\n" POINTS3, LT_STATUS_INVALID, "no triangles"},
        {ASCII "element vertex 4000000000\n" XYZ "element face 1\n" FACES "end_header\n" POINTS3,
         LT_STATUS_FORMAT, "announces 4000000000 rows of element 0, more than the file can hold"},
        {ASCII VERTICES3 "element face 100000000000000000\n" FACES "end_header\n" POINTS3 "3 0 1 2\n",
         LT_STATUS_FORMAT, "announces 100000000000000000 rows of element 1"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n",
         LT_STATUS_FORMAT, "sample:11: expected a number, found \"x\""},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n",
         LT_STATUS_INVALID, "sample:11: vertex 1: a coordinate is not a finite float"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "3 0 1 3\n", LT_STATUS_INVALID,
         "sample:13: face 0: a vertex index is out of range"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "3 0 1 -1\n", LT_STATUS_INVALID,
         "sample:13: face 0: a vertex index is out of range"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "3 0 1 0.5\n", LT_STATUS_INVALID,
         "sample:13: face 0: a vertex index is not whole"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "2 0 1\n", LT_STATUS_INVALID,
         "sample:13: face 0: a face needs three corners"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "-3 0 1\n", LT_STATUS_FORMAT,
         "sample:13: face 0: the length of a list"},
        {ASCII VERTICES3 "element face 1\n" FACES "end_header\n" POINTS3 "3 0 1", LT_STATUS_FORMAT,
         "sample:13: face 0: the file ends inside it"},
        {"ply\nformat binary_little_endian 1.0\n" VERTICES3 "element face 9\n" FACES "end_header\n"
         "123412341234123412341234123412341234\x03",
         LT_STATUS_FORMAT, "sample: announces 9 rows of element 1"},
        {"ply\nformat binary_little_endian 1.0\n" VERTICES3 "element face 1\n" FACES "end_header\n"
         "123412341234123412341234123412341234\xFF"
         "1234",
         LT_STATUS_INVALID, "sample: face 0: a vertex index is out of range"}};
    check_refusals(SAMPLE_PLY, rows, LT_COUNT_OF(rows));
}

static void ascii_words_may_stand_on_any_line(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_PLY,
                                 ASCII VERTICES3 "element face 1\n" FACES "element nothing 9999999999999\n"
                                                 "end_header\n0 0\n0 1 0 0 0\n\n 1 0 3\n0 1 2",
                                 NULL) == LT_OK);
    CHECK_NEAR(lt_surface_area(&file.surface), 0.5, 0);
    lt_mesh_content_free(&file);
}

static void faces_may_come_before_vertices(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_PLY,
                                 ASCII "element face 1\n" FACES VERTICES3 "end_header\n4 0 1 2 0\n" POINTS3,
                                 NULL) == LT_OK);
    CHECK_COUNT(file.surface.triangle_count, 2);
    lt_mesh_content_free(&file);
}

static void too_many_properties_are_refused(void) {
    static char text[20000] = ASCII "element vertex 1\n";
    for (int i = 0; i < 300; i++)
        strcat(text, "property int other\n");
    lt_mesh_content file;
    lt_error error = {0};
    CHECK(sample_read_text(&file, SAMPLE_PLY, text, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "sample:260: more than 256 properties");
    strcpy(text, ASCII);
    for (int i = 0; i < 40; i++)
        strcat(text, "element other 0\n");
    CHECK(sample_read_text(&file, SAMPLE_PLY, text, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "more than 32 elements");
}

/* Faces as nearly all files have them, triangles and a quad in turn; `changed` replaces one index, in order of the
 * file, unless it is negative. */
static void put_common_faces(sample *s, const char *type, int changed, uint32_t index) {
    static const uint32_t faces[3][5] = {{3, 0, 1, 2}, {4, 0, 2, 3, 1}, {3, 3, 2, 1}};
    put_text(s, "ply\nformat binary_%s_endian 1.0\nelement vertex 4\n" XYZ "element face 3\n",
             s->big_endian ? "big" : "little");
    put_text(s, "property list uchar %s vertex_indices\nend_header\n", type);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            put_f32(s, (float)cube_corners[i + 2 * (i == 3)][k]);
    int at = 0;
    for (int f = 0; f < 3; f++) {
        put_whole(s, faces[f][0], 1);
        for (uint32_t k = 1; k <= faces[f][0]; k++, at++)
            put_whole(s, at == changed ? index : faces[f][k], 4);
    }
}

static void common_faces_are_read_in_both_byte_orders(void) {
    static const uint32_t expected[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 3, 2, 1};
    for (int i = 0; i < 4; i++) {
        sample s = {.format = SAMPLE_PLY, .big_endian = i % 2};
        put_common_faces(&s, i < 2 ? "int" : "uint32", -1, 0);
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read(&file, SAMPLE_PLY, s.bytes, s.size, NULL, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
        CHECK_COUNT(file.surface.triangle_count, 4);
        CHECK_COUNT(file.split_polygon_count, 1);
        CHECK(file.surface.triangle_count == 4 &&
              memcmp(file.surface.triangles, expected, sizeof expected) == 0);
        lt_mesh_content_free(&file);
        for (size_t size = s.size - 45; size < s.size; size++) {
            sample_try(SAMPLE_PLY, s.bytes, size, &status);
            CHECK_COUNT(status, LT_STATUS_FORMAT);
        }
    }
}

static void common_faces_out_of_range_are_refused_by_number(void) {
    static const uint32_t wrong[] = {4, UINT32_MAX, (uint32_t)INT32_MIN, 0x04000000};
    for (size_t i = 0; i < LT_COUNT_OF(wrong); i++)
        for (int at = 0; at < 10; at++) {
            sample s = {.format = SAMPLE_PLY, .big_endian = at % 2};
            put_common_faces(&s, i % 2 ? "int" : "uint", at, wrong[i]);
            lt_mesh_content file;
            lt_error error = {0};
            CHECK_COUNT(sample_read(&file, SAMPLE_PLY, s.bytes, s.size, NULL, &error), LT_STATUS_INVALID);
            CHECK_CONTAINS(error.message, at < 3   ? "face 0: a vertex index is out of range"
                                          : at < 7 ? "face 1: a vertex index is out of range"
                                                   : "face 2: a vertex index is out of range");
        }
}

int main(void) {
    RUN(broken_files_are_refused);
    RUN(ascii_words_may_stand_on_any_line);
    RUN(faces_may_come_before_vertices);
    RUN(too_many_properties_are_refused);
    RUN(common_faces_are_read_in_both_byte_orders);
    RUN(common_faces_out_of_range_are_refused_by_number);
    return check_finish();
}
