/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/random.h"
#include "io/read_refusals.h"
#include "mesh/weld.h"

#define HEAD   "solid a\nfacet normal 0 0 1\nouter loop\n"
#define CORNER "vertex 0 0 0\n"

static void broken_text_is_refused_with_its_line(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_FORMAT, "sample: neither \"solid\" nor the 84 bytes a binary STL begins with"},
        {"sol", LT_STATUS_FORMAT, "sample: neither \"solid\""},
        {"solid", LT_STATUS_FORMAT, "sample:1: expected \"facet\" or \"endsolid\", found the end"},
        {"solid a\nendsolid\n", LT_STATUS_INVALID, "sample: no triangles"},
        {"solid a\nfacet 0 0 1\n", LT_STATUS_FORMAT, "sample:2: expected \"normal\", found \"0\""},
        {"solid a\nfacet normal 0 0 1\nouter\n", LT_STATUS_FORMAT, "expected \"outer loop\""},
        {HEAD CORNER CORNER "endloop\n", LT_STATUS_FORMAT,
         "sample:6: a facet needs three vertices and has 2"},
        {HEAD CORNER "vertex 0 0\nvertex", LT_STATUS_FORMAT,
         "sample:5: expected three coordinates of a vertex, found the end of the line"},
        {HEAD CORNER "vertex 0 0 inf\n", LT_STATUS_INVALID, "sample:5: a coordinate is not a finite float"},
        {HEAD CORNER CORNER CORNER "endfacet\n", LT_STATUS_FORMAT,
         "sample:7: expected \"vertex\" or \"endloop\", found \"endfacet\""},
        {HEAD CORNER CORNER CORNER "endloop\nfacet\n", LT_STATUS_FORMAT, "sample:8: expected \"endfacet\""},
        {HEAD CORNER CORNER CORNER "endloop\nendfacet\n", LT_STATUS_FORMAT,
         "sample:9: expected \"facet\" or \"endsolid\", found the end"},
        {HEAD CORNER CORNER CORNER "endloop endfacet endsolid\nhello", LT_STATUS_FORMAT,
         "sample:8: expected \"solid\", found \"hello\""}};
    check_refusals(SAMPLE_STL, rows, LT_COUNT_OF(rows));
}

static void check_binary(const sample *s, size_t size, lt_status status, const char *message) {
    lt_mesh_content file;
    lt_error error = {0};
    CHECK_COUNT(sample_read(&file, SAMPLE_STL, s->bytes, size, NULL, &error), status);
    if (status != LT_OK) CHECK_CONTAINS(error.message, message);
    CHECK(sample_judge(&file, status, &error) == NULL);
    lt_mesh_content_free(&file);
}

/* Sample 16 is the binary cube, whose head says "solid". */
static void size_tells_binary_from_text(void) {
    sample s;
    CHECK_FATAL(sample_make(&s, 16));
    CHECK_COUNT(s.size, 84 + 12 * 50);
    check_binary(&s, s.size, LT_OK, "");
    check_binary(&s, s.size - 1, LT_STATUS_FORMAT, "sample:1: expected \"facet\" or \"endsolid\"");
    memcpy(s.bytes, "Solid", 5);
    check_binary(&s, s.size, LT_OK, "");
    memcpy(s.bytes, "cubes", 5);
    check_binary(&s, s.size, LT_OK, "");
    check_binary(&s, s.size - 1, LT_STATUS_FORMAT,
                 "sample: announces 12 triangles, which take 684 bytes, but the file has 683");
    check_binary(&s, 83, LT_STATUS_FORMAT, "the 84 bytes");
    put_text(&s, "trailing bytes");
    check_binary(&s, s.size, LT_OK, "");
    memset(s.bytes + 80, 0, 4);
    check_binary(&s, 84, LT_STATUS_INVALID, "sample: no triangles");
    memset(s.bytes + 80, 0xFF, 4);
    check_binary(&s, s.size, LT_STATUS_FORMAT, "announces 4294967295 triangles");
}

static void binary_coordinates_must_be_finite(void) {
    sample s;
    CHECK_FATAL(sample_make(&s, 16));
    memset(s.bytes + 84 + 50 * 3, 0xFF, 12); /* a normal of NaN is of no interest */
    check_binary(&s, s.size, LT_OK, "");
    memset(s.bytes + 84 + 50 * 7 + 12 + 12, 0xFF, 4);
    check_binary(&s, s.size, LT_STATUS_INVALID, "sample: triangle 7: a coordinate is not a finite float");
}

/* Vertices are numbered as they first appear, and facets of four corners are split. */
static void corners_become_vertices_in_order(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_STL,
                                 HEAD "vertex 5 0 0\nvertex 6 0 0\nvertex 6 1 0\nvertex 5 1 0\n"
                                      "endloop endfacet facet normal 0 0 1 outer loop\n"
                                      "vertex 6 0 0\nvertex 5 -0 0\nvertex 5.5 0 1\n"
                                      "endloop endfacet endsolid",
                                 NULL) == LT_OK);
    static const uint32_t expected[9] = {0, 1, 2, 0, 2, 3, 1, 0, 4};
    CHECK_COUNT(file.surface.vertex_count, 5);
    CHECK_COUNT(file.split_polygon_count, 1);
    CHECK_FATAL(file.surface.triangle_count == 3);
    CHECK(memcmp(file.surface.triangles, expected, sizeof expected) == 0);
    CHECK(file.surface.positions[4].x == 5.5f);
    lt_mesh_content_free(&file);
}

/* Against all pairs, on few places so that most are shared, -0 among them. */
static void welding_agrees_with_all_pairs(void) {
    static const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, 3e38f, 1.0000001f};
    lt_random random = lt_random_seed(3);
    for (int round = 0; round < 50; round++) {
        lt_vec3 positions[60];
        uint32_t first_of[60], count = lt_random_below(&random, 61);
        for (uint32_t i = 0; i < count; i++)
            positions[i] = (lt_vec3){values[lt_random_below(&random, 7)], values[lt_random_below(&random, 3)],
                                     values[lt_random_below(&random, 4)]};
        CHECK_FATAL(lt_weld_positions(first_of, positions, count, NULL));
        for (uint32_t i = 0; i < count; i++) {
            uint32_t j = 0;
            while (positions[j].x != positions[i].x || positions[j].y != positions[i].y ||
                   positions[j].z != positions[i].z)
                j++;
            CHECK_COUNT(first_of[i], j);
        }
    }
}

int main(void) {
    RUN(broken_text_is_refused_with_its_line);
    RUN(size_tells_binary_from_text);
    RUN(binary_coordinates_must_be_finite);
    RUN(corners_become_vertices_in_order);
    RUN(welding_agrees_with_all_pairs);
    return check_finish();
}
