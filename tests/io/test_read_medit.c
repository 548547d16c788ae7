/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define HEAD     "MeshVersionFormatted 1\nDimension 3\n"
#define TRIANGLE HEAD "Vertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"

static void broken_files_are_refused_with_their_line(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_FORMAT, "sample:1: expected MeshVersionFormatted, found the end of the file"},
        {"MeshVersion 1\n", LT_STATUS_FORMAT, "expected MeshVersionFormatted, found \"MeshVersion\""},
        {"MeshVersionFormatted x\n", LT_STATUS_FORMAT, "sample:1: expected a whole number, found \"x\""},
        {"MeshVersionFormatted 5\n", LT_STATUS_VERSION, "version 5 is not read: 1 to 4 are"},
        {"MeshVersionFormatted 2\nVertices\n", LT_STATUS_FORMAT, "sample:2: expected Dimension"},
        {"MeshVersionFormatted 2\nDimension 2\n", LT_STATUS_UNSUPPORTED, "sample:2: points of dimension 2"},
        {HEAD, LT_STATUS_INVALID, "sample: no tets and no triangles (0 nodes, 0 other cells)"},
        {HEAD "End", LT_STATUS_INVALID, "no tets and no triangles"},
        {HEAD "3 4\n", LT_STATUS_FORMAT, "sample:3: expected the name of a section, found \"3\""},
        {HEAD "Vertices -1\n", LT_STATUS_FORMAT, "sample:3: expected the number of rows of a section"},
        {HEAD "Vertices 4000000000\n0 0 0 0\n", LT_STATUS_FORMAT, "announces 4000000000 rows, more than"},
        {HEAD "Vertices 999999999999999999\n", LT_STATUS_FORMAT, "more than the file can hold"},
        {HEAD "Vertices 1\n0 0 1e999 0\n", LT_STATUS_INVALID,
         "sample:4: a coordinate is not a finite number"},
        {HEAD "Vertices 1\n0 0 x 0\n", LT_STATUS_FORMAT, "sample:4: expected a coordinate, found \"x\""},
        {HEAD "Vertices 1\n0 0 0 x\n", LT_STATUS_FORMAT, "sample:4: expected the reference of a row"},
        {HEAD "Triangles 1\n1 2 3 0\n", LT_STATUS_FORMAT, "sample:3: Triangles come before Vertices"},
        {TRIANGLE "Vertices 3\n", LT_STATUS_FORMAT, "sample:7: a second section Vertices"},
        {TRIANGLE "Triangles 1\n1 2 4 0\n", LT_STATUS_INVALID,
         "sample:8: vertex 4, but there are only 3, from 1"},
        {TRIANGLE "Triangles 1\n0 1 2 0\n", LT_STATUS_INVALID, "sample:8: vertex 0, but"},
        {TRIANGLE "Triangles 2\n1 2 3 0\nEnd\n", LT_STATUS_FORMAT,
         "sample:9: expected the vertex number of a cell"},
        {TRIANGLE "Triangles 1\n1 2 3 0\n1 2 3 0\n", LT_STATUS_FORMAT,
         "sample:9: expected the name of a section"},
        {TRIANGLE "Edges 1\n1 2 0\n", LT_STATUS_INVALID, "no tets and no triangles (3 nodes, 1 other cells)"},
        {TRIANGLE "Tetrahedra 1\n1 2 3 3 0\n", LT_STATUS_INVALID, "volume"}};
    check_refusals(SAMPLE_MEDIT, rows, LT_COUNT_OF(rows));
}

/* Of either byte order; .meshb begins with the number 1, then the version. */
static void binary_files_are_refused_with_the_reason(void) {
    static const uint8_t heads[2][8] = {{1, 0, 0, 0, 2, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 2}};
    for (int i = 0; i < 2; i++) {
        lt_mesh_content file;
        lt_error error = {0};
        CHECK_COUNT(lt_read_medit(&file, heads[i], 8, "x.meshb", NULL, &error), LT_STATUS_UNSUPPORTED);
        CHECK_CONTAINS(error.message, "x.meshb: binary Medit files (.meshb) are not read: save it as text");
    }
}

/* Sections of other things between, cells of second order, a concave quad of area 3, all in a few lines. */
static void sections_are_taken_or_stepped_over(void) {
    lt_mesh_content file;
    lt_error error = {0};
    lt_status status = sample_read_text(
        &file, SAMPLE_MEDIT,
        "MeshVersionFormatted 2 Dimension 3\n"
        "Vertices 6\n0 0 0 1 4 -3 0 1 1 0 0 1\n4 3 0 1\n0 0 2D0 1\n9 9 9 1\n"
        "Normals 2\n0 0 1\n1 0 -.5\nRequiredTriangles 1 1\nHexahedra 1\n1 2 3 4 1 2 3 4 0\n"
        "Quadrilaterals 1\n1 2 3 4 0\nTrianglesP2 1\n1 2 3 4 5 6 0\nTetrahedraP2 1\n1 2 3 5 1 1 1 1 1 1 0\n"
        "Ridges\n0\nEnd\n",
        &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_COUNT(file.surface.triangle_count, 3);
    CHECK_COUNT(file.surface.vertex_count, 4);
    CHECK_COUNT(file.tets.tet_count, 1);
    CHECK_COUNT(file.tets.node_count, 4);
    CHECK_COUNT(file.split_polygon_count, 1);
    CHECK_COUNT(file.skipped_cell_count, 1);
    CHECK_COUNT(file.higher_order_count, 2);
    CHECK_COUNT(file.unused_node_count, 2);
    CHECK_NEAR(lt_surface_area(&file.surface), 3 + 1.5, 1e-6);
    CHECK_NEAR(lt_tet_mesh_volume(&file.tets), 1, 1e-12); /* base 3/2, height 2 */
    lt_mesh_content_free(&file);
}

int main(void) {
    RUN(broken_files_are_refused_with_their_line);
    RUN(binary_files_are_refused_with_the_reason);
    RUN(sections_are_taken_or_stepped_over);
    return check_finish();
}
