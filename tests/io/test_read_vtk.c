/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define HEAD(version) "# vtk DataFile Version " version "\ntitle\nASCII\n"
#define POLY(version) HEAD(version) "DATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
#define GRID          HEAD("2.0") "DATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"

static void broken_files_are_refused_with_their_line(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_FORMAT, "sample:1: a VTK file begins with \"# vtk DataFile Version\""},
        {"# vtk DataFile Version x\n", LT_STATUS_FORMAT, "sample:1: expected the version, found \"x\""},
        {HEAD("6.0"), LT_STATUS_VERSION, "sample:1: version 6 is not read: 1.0 to 5.1 are"},
        {"# vtk DataFile Version 2.0\ntitle\nTEXT\n", LT_STATUS_FORMAT, "sample:3: expected ASCII or BINARY"},
        {HEAD("2.0"), LT_STATUS_FORMAT, "sample:4: expected DATASET, found the end of the file"},
        {HEAD("2.0") "DATASET STRUCTURED_POINTS\n", LT_STATUS_UNSUPPORTED,
         "sample:4: DATASET STRUCTURED_POINTS is not read: POLYDATA and UNSTRUCTURED_GRID are"},
        {HEAD("2.0") "DATASET POLYDATA\nPOINTS x float\n", LT_STATUS_FORMAT,
         "sample:5: expected a number from 0 up"},
        {HEAD("2.0") "DATASET POLYDATA\nPOINTS 1 real\n", LT_STATUS_FORMAT,
         "the type of numbers, such as float"},
        {HEAD("2.0") "DATASET POLYDATA\nPOINTS 1 bit\n0\n", LT_STATUS_UNSUPPORTED, "points as bit"},
        {HEAD("2.0") "DATASET POLYDATA\nPOINTS 4000000000 float\n0\n", LT_STATUS_FORMAT,
         "more than the file can hold"},
        {HEAD("2.0") "DATASET POLYDATA\nPOINTS 1 float\n0 0 inf\n", LT_STATUS_INVALID,
         "point 0: a coordinate is not a finite number"},
        {POLY("2.0"), LT_STATUS_INVALID, "sample: no tets and no triangles (3 nodes, 0 other cells)"},
        {POLY("2.0") "POINTS 1 float\n", LT_STATUS_FORMAT, "sample:7: a second section POINTS"},
        {POLY("2.0") "CELLS 1 4\n", LT_STATUS_FORMAT,
         "sample:7: expected POINTS, POLYGONS or TRIANGLE_STRIPS"},
        {GRID "POLYGONS 1 4\n", LT_STATUS_FORMAT, "sample:7: expected POINTS, CELLS or CELL_TYPES"},
        {POLY("2.0") "POLYGONS 1 4\n3 0 1 3\n", LT_STATUS_INVALID,
         "sample:8: point 3, but there are only 3, from 0"},
        {POLY("2.0") "POLYGONS 1 4\n3 0 1 -1\n", LT_STATUS_INVALID, "a point of a cell is negative"},
        {POLY("2.0") "POLYGONS 1 4\n4 0 1 2\n", LT_STATUS_FORMAT, "cells of more numbers than announced"},
        {POLY("2.0") "POLYGONS 1 5\n3 0 1 2 0\n", LT_STATUS_FORMAT, "the cells leave 1 numbers over"},
        {POLY("2.0") "POLYGONS 1 9\n3 0 1 2\n", LT_STATUS_FORMAT, "announces 9 numbers, more than the file"},
        {POLY("2.0") "POLYGONS 1 4\n3 0 x 2\n", LT_STATUS_FORMAT, "sample:8: expected a number, found \"x\""},
        {HEAD("2.0") "DATASET POLYDATA\nPOLYGONS 1 4\n3 0 1 2\n", LT_STATUS_FORMAT, "cells without POINTS"},
        {POLY("2.0") "LINES 1 3\n2 0 1\n", LT_STATUS_INVALID, "(3 nodes, 1 other cells)"},
        {POLY("2.0") "FIELD f 1\nnames 1 1 string\nx\n", LT_STATUS_UNSUPPORTED, "a field of strings"},
        {POLY("2.0") "FIELD f 1\nx 4000000000 4000000000 int\n1\n", LT_STATUS_FORMAT,
         "more than the file can hold"},
        {POLY("5.1") "POLYGONS 2 3\n3 0 1 2\n", LT_STATUS_FORMAT, "sample:8: expected OFFSETS, found \"3\""},
        {POLY("5.1") "POLYGONS 2 3\nOFFSETS float\n0 3\n", LT_STATUS_FORMAT,
         "OFFSETS as float: whole numbers"},
        {POLY("5.1") "POLYGONS 2 3\nOFFSETS int\n1 3\nCONNECTIVITY int\n0 1 2\n", LT_STATUS_INVALID,
         "OFFSETS begin with 1: 0 is due"},
        {POLY("5.1") "POLYGONS 3 3\nOFFSETS int\n0 3 2\nCONNECTIVITY int\n0 1 2\n", LT_STATUS_INVALID,
         "OFFSETS fall from 3 to 2"},
        {POLY("5.1") "POLYGONS 2 3\nOFFSETS int\n0 4\nCONNECTIVITY int\n0 1 2\n", LT_STATUS_FORMAT,
         "cells of more numbers than announced"},
        {GRID "CELLS 1 4\n3 0 1 2\n", LT_STATUS_FORMAT, "sample: CELLS without CELL_TYPES"},
        {GRID "CELLS 1 4\n3 0 1 2\nCELLS 1 4\n", LT_STATUS_FORMAT, "a second section CELLS"},
        {GRID "CELL_TYPES 1\n5\n", LT_STATUS_FORMAT, "CELL_TYPES without CELLS"},
        {GRID "CELLS 1 4\n3 0 1 2\nCELL_TYPES 2\n5 5\n", LT_STATUS_FORMAT, "2 CELL_TYPES of 1 CELLS"},
        {GRID "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n", LT_STATUS_FORMAT, "a cell of type 10 with 3 points"},
        {GRID "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n12\n", LT_STATUS_INVALID, "(3 nodes, 1 other cells)"}};
    check_refusals(SAMPLE_VTK, rows, LT_COUNT_OF(rows));
}

/* Where `text` ends in a strip over four points and a concave quad of area 3, all facing up. */
static void polygons_and_strips_become_triangles(void) {
    lt_mesh_content file;
    lt_error error = {0};
    lt_status status =
        sample_read_text(&file, SAMPLE_VTK,
                         HEAD("4.2") "DATASET POLYDATA\nPOINTS 8 int\n"
                                     "0 0 0  4 -3 0  1 0 0  4 3 0   0 0 5  1 0 5  0 1 5  1 1 5\n"
                                     "VERTICES 1 2\n1 0\nPOLYGONS 2 8\n4 0 1 2 3\n2 0 1\n"
                                     "TRIANGLE_STRIPS 1 5\n4 4 5 6 7\nCELL_DATA 4\nwhatever",
                         &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_COUNT(file.surface.triangle_count, 4);
    CHECK_COUNT(file.surface.vertex_count, 8);
    CHECK_COUNT(file.split_polygon_count, 2);
    CHECK_COUNT(file.skipped_cell_count, 2);
    CHECK_NEAR(lt_surface_area(&file.surface), 3 + 1, 1e-6);
    for (uint32_t i = 0; i < file.surface.triangle_count; i++) {
        const uint32_t *t = file.surface.triangles + 3 * i;
        lt_vec3 a = file.surface.positions[t[0]];
        lt_vec3 n = lt_v3_cross(lt_v3_sub(file.surface.positions[t[1]], a),
                                lt_v3_sub(file.surface.positions[t[2]], a));
        CHECK(n.z > 0);
    }
    lt_mesh_content_free(&file);
}

/* A pixel lists its points row by row; a quad goes around; a polyhedron is stepped over. */
static void cells_of_a_grid_are_taken_by_their_type(void) {
    lt_mesh_content file;
    lt_error error = {0};
    lt_status status = sample_read_text(
        &file, SAMPLE_VTK,
        HEAD("5.0") "DATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1\n"
                    "METADATA\nINFORMATION 0\n\nCELLS 6 25\nOFFSETS vtktypeint64\n0 4 8 12 18 25\n"
                    "CONNECTIVITY vtktypeint64\n0 1 2 3  0 1 3 2  0 1 2 4  0 1 2 0 1 2  99 3 0 1 2 7 8\n"
                    "CELL_TYPES 5\n8\n9\n10\n22\n42\n",
        &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_COUNT(file.tets.tet_count, 1);
    CHECK_COUNT(file.surface.triangle_count, 5);
    CHECK_COUNT(file.higher_order_count, 1);
    CHECK_COUNT(file.skipped_cell_count, 1);
    CHECK_COUNT(file.unused_node_count, 1);
    CHECK_NEAR(lt_surface_area(&file.surface), 1 + 1 + 0.5, 1e-6);
    lt_mesh_content_free(&file);
}

/* Points of every type that VTK writes, in binary. */
static void points_of_every_type_are_read(void) {
    static const struct {
        const char *name;
        int width;
    } rows[] = {{"float", 4},          {"double", 8},        {"int", 4},          {"unsigned_int", 4},
                {"long", 8},           {"unsigned_long", 8}, {"vtkIdType", 4},    {"short", 2},
                {"unsigned_short", 2}, {"char", 1},          {"unsigned_char", 1}};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        sample s = {.name = rows[i].name, .format = SAMPLE_VTK, .big_endian = true};
        put_text(&s, "# vtk DataFile Version 3.0\n\nBINARY\nDATASET POLYDATA\nPOINTS 3 %s\n", rows[i].name);
        for (int k = 0; k < 9; k++) {
            int value = k == 3 || k == 7 ? 2 : 0; /* (0 0 0) (2 0 0) (0 2 0) */
            if (i == 0)
                put_f32(&s, (float)value);
            else if (i == 1)
                put_f64(&s, value);
            else
                put_whole(&s, (uint64_t)value, rows[i].width);
        }
        put_text(&s, "\nPOLYGONS 1 4\n");
        for (int k = 0; k < 4; k++)
            put_whole(&s, k == 0 ? 3 : (uint64_t)k - 1, 4);
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read(&file, SAMPLE_VTK, s.bytes, s.size, NULL, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", rows[i].name, error.message);
        CHECK_NEAR(lt_surface_area(&file.surface), 2, 0);
        lt_mesh_content_free(&file);
    }
}

/* Of version 5.1 as VTK writes it: bits are packed eight to a byte, here twelve in two; then the points. */
static void fields_of_bits_are_stepped_over(void) {
    sample s = {.name = "bits", .format = SAMPLE_VTK, .big_endian = true};
    put_text(&s, "# vtk DataFile Version 5.1\n\nBINARY\nDATASET POLYDATA\nPOINTS 3 char\n");
    for (int k = 0; k < 9; k++)
        put_whole(&s, k == 3 || k == 7, 1);
    put_text(&s, "\nPOLYGONS 2 3\nOFFSETS unsigned_char\n%c%c\nCONNECTIVITY short\n", 0, 3);
    for (uint64_t k = 0; k < 3; k++)
        put_whole(&s, k, 2);
    put_text(&s, "\nFIELD f 1\nflags 4 3 bit\n");
    put_whole(&s, 0xFFF0, 2);
    lt_mesh_content file;
    lt_error error = {0};
    lt_status status = sample_read(&file, SAMPLE_VTK, s.bytes, s.size, NULL, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_NEAR(lt_surface_area(&file.surface), 0.5, 0);
    lt_mesh_content_free(&file);
    CHECK(sample_read(&file, SAMPLE_VTK, s.bytes, s.size - 1, NULL, &error) == LT_STATUS_FORMAT);
}

/* After each array of a field and after the points, in the form of VTK 9.1: names of components, of which some are
 * empty, and information. Arrays may have the name, too. */
static void metadata_are_stepped_over(void) {
    for (int binary = 0; binary < 2; binary++) {
        sample s = {.name = "metadata", .format = SAMPLE_VTK, .big_endian = true};
        put_text(&s, "# vtk DataFile Version 4.2\nvtk output\n%s\nDATASET POLYDATA\nFIELD FieldData 5\n",
                 binary ? "BINARY" : "ASCII");
        put_text(&s, "vel 3 1 int\n");
        for (int k = 0; k < 3; k++)
            put_vtk(&s, binary, k, 4);
        put_text(&s, "\n\nMETADATA\nCOMPONENT_NAMES\nx\ny\nz\n\nhalf 3 1 int\n");
        for (int k = 0; k < 3; k++)
            put_vtk(&s, binary, k, 4);
        put_text(&s, "\nMETADATA\nCOMPONENT_NAMES\n\nb%%20c\n\n\nMETADATA 1 0 float\n\nmetadata 1 1 short\n");
        put_vtk(&s, binary, 7, 2);
        put_text(&s, "\nMETADATA\nCOMPONENT_NAMES\nm\nINFORMATION 1\nNAME UNITS_LABEL LOCATION vtkDataArray\n"
                     "DATA m%%20s\n\nlast 1 1 short\n");
        put_vtk(&s, binary, 7, 2);
        put_text(&s, "\nMETADATA\nINFORMATION 0\n\nPOINTS 3 short\n");
        for (int k = 0; k < 9; k++)
            put_vtk(&s, binary, k == 3 || k == 7, 2);
        put_text(&s, "\nMETADATA\nCOMPONENT_NAMES\n\npy\n\n\nPOLYGONS 1 4\n");
        for (int k = 0; k < 4; k++)
            put_vtk(&s, binary, k == 0 ? 3 : k - 1, 4);
        put_text(&s, "\n");
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read(&file, SAMPLE_VTK, s.bytes, s.size, NULL, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", binary ? "binary" : "ASCII", error.message);
        if (status != LT_OK) continue;
        CHECK_COUNT(file.surface.triangle_count, 1);
        CHECK_NEAR(lt_surface_area(&file.surface), 0.5, 0);
        lt_mesh_content_free(&file);
    }
}

static void words_may_be_in_lower_case(void) {
    static const char *const rows[] = {
        "ascii\ndataset polydata\nfield f 1\na 1 1 Int\n1\nmetadata\ninformation 0\n\n"
        "points 3 Float\n0 0 0 1 0 0 0 1 0\nmetadata\ncomponent_names\n\ny\n\n\n"
        "Polygons 2 3\noffsets VTKTypeInt64\n0 3\nConnectivity vtkidtype\n0 1 2\ncell_data 1\nwhatever",
        "Ascii\nDataset Unstructured_Grid\nPoints 3 DOUBLE\n0 0 0 1 0 0 0 1 0\n"
        "cells 2 3\nOffsets INT\n0 3\nconnectivity int\n0 1 2\ncell_types 1\n5\npoint_data 3\nwhatever"};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        char text[600];
        lt_mesh_content file;
        lt_error error = {0};
        snprintf(text, sizeof text, "# vtk DataFile Version 5.1\ntitle\n%s", rows[i]);
        lt_status status = sample_read_text(&file, SAMPLE_VTK, text, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
        if (status != LT_OK) continue;
        CHECK_COUNT(file.surface.triangle_count, 1);
        CHECK_NEAR(lt_surface_area(&file.surface), 0.5, 0);
        lt_mesh_content_free(&file);
    }
}

int main(void) {
    RUN(broken_files_are_refused_with_their_line);
    RUN(polygons_and_strips_become_triangles);
    RUN(cells_of_a_grid_are_taken_by_their_type);
    RUN(points_of_every_type_are_read);
    RUN(fields_of_bits_are_stepped_over);
    RUN(metadata_are_stepped_over);
    RUN(words_may_be_in_lower_case);
    return check_finish();
}
