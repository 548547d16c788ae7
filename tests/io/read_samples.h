/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small mesh files of every format and variant, an allocator that counts and refuses, and the one judge of
 * what a reader may answer. Shared by the readers' tests, the truths and the fuzzers.
 *
 * Two meshes, written in many ways: the unit cube as six outward quads (volume 1), and two tets of volumes
 * 1/6 and 1/3 on five nodes, the first inside out, with two triangles beside them. A TetGen pair is one
 * buffer here: the .node file, a '|', the .ele file. */

#ifndef LITHE_TESTS_MESH_READ_SAMPLES_H
#define LITHE_TESTS_MESH_READ_SAMPLES_H

#include "io/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum sample_format {
    SAMPLE_OBJ,
    SAMPLE_PLY,
    SAMPLE_MSH,
    SAMPLE_TETGEN,
    SAMPLE_OFF,
    SAMPLE_STL,
    SAMPLE_MEDIT,
    SAMPLE_VTK,
    SAMPLE_FORMAT_COUNT
} sample_format;

typedef struct sample {
    const char *name;
    sample_format format;
    uint8_t bytes[2048];
    size_t size;
    size_t data_end; /* without the rest the mesh is whole; 0 where that was not noted */
    bool big_endian;
} sample;

/* ---- writing bytes ---- */

static inline void put_bytes(sample *s, const void *bytes, size_t size) {
    if (s->size + size > sizeof s->bytes) abort();
    memcpy(s->bytes + s->size, bytes, size);
    s->size += size;
}

static inline void put_text(sample *s, const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) abort();
    put_bytes(s, text, (size_t)length);
}

static inline void put_whole(sample *s, uint64_t value, int width) {
    for (int k = 0; k < width; k++) {
        uint8_t byte = (uint8_t)(value >> (8 * (s->big_endian ? width - 1 - k : k)));
        put_bytes(s, &byte, 1);
    }
}

static inline void put_f32(sample *s, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(s, bits, 4);
}

static inline void put_f64(sample *s, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(s, bits, 8);
}

/* ---- the two meshes ---- */

static const int cube_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const int cube_quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {2, 3, 7, 6}, {1, 2, 6, 5}, {3, 0, 4, 7}};
static const int tet_nodes[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
static const int tet_cells[2][4] = {{0, 2, 1, 3}, {1, 2, 3, 4}};
static const int tet_faces[2][3] = {{0, 1, 3}, {1, 2, 4}};
/* Node tags neither dense nor in order, but for the samples that count from 1. */
static const int sparse_tags[5] = {40, 7, 1000, 8, 2};

static inline void sample_obj_plain(sample *s) {
    put_text(s, "# cube\nmtllib none.mtl\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "v %d %d.0 %de0\n", cube_corners[i][0], cube_corners[i][1], cube_corners[i][2]);
    for (int i = 0; i < 6; i++)
        put_text(s, "f %d %d %d %d\n", cube_quads[i][0] + 1, cube_quads[i][1] + 1, cube_quads[i][2] + 1,
                 cube_quads[i][3] + 1);
}

/* Byte order mark, CRLF, colours, texture and normal numbers, negative numbers, joined lines, no last line
 * end. */
static inline void sample_obj_rich(sample *s) {
    put_text(s, "\xEF\xBB\xBF# C:\\cubes\\\r\n\r\no cube\r\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "v\t%d %d  %d 0.5 0.25 1\r\n", cube_corners[i][0], cube_corners[i][1],
                 cube_corners[i][2]);
    put_text(s, "vn 0 0 1\r\nvt 0 0\r\ns off\r\nl 1 2\r\n");
    for (int i = 0; i < 6; i++)
        put_text(s, "f %d/1/1 %d//1 \\\r\n %d/1 %d # side%s", cube_quads[i][0] - 8, cube_quads[i][1] + 1,
                 cube_quads[i][2] - 8, cube_quads[i][3] + 1, i < 5 ? "\r\n" : "");
}

static inline void sample_ply_ascii(sample *s) {
    put_text(s, "ply\nformat ascii 1.0\ncomment cube\nelement vertex 8\nproperty float x\nproperty float y\n"
                "property float z\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "%d %d %d\n", cube_corners[i][0], cube_corners[i][1], cube_corners[i][2]);
    for (int i = 0; i < 6; i++)
        put_text(s, "4 %d %d %d %d\n", cube_quads[i][0], cube_quads[i][1], cube_quads[i][2],
                 cube_quads[i][3]);
}

/* Every type, shuffled coordinates, lists and elements nobody asked for, CRLF in the header. */
static inline void sample_ply_binary(sample *s) {
    put_text(
        s,
        "ply\r\nformat binary_%s_endian 1.0\r\nobj_info x\r\nelement vertex 8\r\n"
        "property uchar red\r\nproperty double z\r\nproperty list char ushort marks\r\nproperty short x\r\n"
        "property float y\r\nelement edge 1\r\nproperty int vertex1\r\nproperty list uint double w\r\n"
        "element face 6\r\nproperty int8 flag\r\nproperty list ushort uint32 vertex_index\r\n"
        "property float64 quality\r\nend_header\r\n",
        s->big_endian ? "big" : "little");
    for (int i = 0; i < 8; i++) {
        put_whole(s, 200, 1);
        put_f64(s, cube_corners[i][2]);
        put_whole(s, (uint64_t)(i % 2), 1);
        if (i % 2) put_whole(s, 7, 2);
        put_whole(s, (uint64_t)cube_corners[i][0], 2);
        put_f32(s, (float)cube_corners[i][1]);
    }
    put_whole(s, 0, 4);
    put_whole(s, 1, 4);
    put_f64(s, 0.5);
    for (int i = 0; i < 6; i++) {
        put_whole(s, 0, 1);
        put_whole(s, 4, 2);
        for (int k = 0; k < 4; k++)
            put_whole(s, (uint64_t)cube_quads[i][k], 4);
        put_f64(s, 1);
    }
}

/* A number of a Gmsh file in either kind of data. */
static inline void put_msh(sample *s, bool binary, int value, int width) {
    if (binary)
        put_whole(s, (uint64_t)(int64_t)value, width);
    else
        put_text(s, "%d ", value);
}

static inline void put_msh_point(sample *s, bool binary, const int *x, int parameter_count) {
    for (int k = 0; k < 3 + parameter_count; k++)
        if (binary)
            put_f64(s, k < 3 ? x[k] : 0.5);
        else
            put_text(s, "%d.0 ", k < 3 ? x[k] : 9);
    if (!binary) put_text(s, "\n");
}

static inline void put_msh_format(sample *s, const char *version, bool binary) {
    put_text(s, "$MeshFormat\n%s %d 8\n", version, binary);
    if (binary) {
        put_whole(s, 1, 4);
        put_text(s, "\n");
    }
    put_text(s, "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n");
}

static inline void put_msh_2_element(sample *s, bool binary, int type, const int *nodes, int count) {
    put_msh(s, binary, binary ? type : 1, 4); /* binary: type, number, tags; text: number, type, tags */
    put_msh(s, binary, binary ? 1 : type, 4);
    put_msh(s, binary, 2, 4);
    if (binary) put_msh(s, binary, 1, 4);
    put_msh(s, binary, 99, 4);
    put_msh(s, binary, 98, 4);
    for (int k = 0; k < count; k++)
        put_msh(s, binary, sparse_tags[nodes[k]], 4);
    if (!binary) put_text(s, "\n");
}

/* Sparse tags, a line, two triangles, two tets. */
static inline void sample_msh_2(sample *s, bool binary) {
    put_msh_format(s, "2.2", binary);
    put_text(s, "$Nodes\n5\n");
    for (int i = 0; i < 5; i++) {
        put_msh(s, binary, sparse_tags[i], 4);
        put_msh_point(s, binary, tet_nodes[i], 0);
    }
    put_text(s, "%s$EndNodes\n$Elements\n5\n", binary ? "\n" : "");
    put_msh_2_element(s, binary, 1, tet_cells[0], 2);
    for (int i = 0; i < 2; i++)
        put_msh_2_element(s, binary, 2, tet_faces[i], 3);
    for (int i = 0; i < 2; i++)
        put_msh_2_element(s, binary, 4, tet_cells[i], 4);
    put_text(s, "%s$EndElements\n", binary ? "\n" : "");
}

static inline void put_msh_4_nodes(sample *s, bool binary, int dimension, int parametric, int first,
                                   int end) {
    put_msh(s, binary, dimension, 4);
    put_msh(s, binary, 1, 4);
    put_msh(s, binary, parametric, 4);
    put_msh(s, binary, end - first, 8);
    for (int i = first; i < end; i++)
        put_msh(s, binary, sparse_tags[i], 8);
    for (int i = first; i < end; i++)
        put_msh_point(s, binary, tet_nodes[i], parametric ? dimension : 0);
}

/* One block of one or two cells; orders above one repeat the last corner as mid-edge nodes. */
static inline void put_msh_4_cells(sample *s, bool binary, int type, const int *nodes, int corners, int width,
                                   int count) {
    put_msh(s, binary, corners - 1, 4);
    put_msh(s, binary, 1, 4);
    put_msh(s, binary, type, 4);
    put_msh(s, binary, count, 8);
    for (int i = 0; i < count; i++) {
        put_msh(s, binary, 77, 8);
        for (int k = 0; k < width; k++)
            put_msh(s, binary, sparse_tags[nodes[i * corners + (k < corners ? k : corners - 1)]], 8);
    }
    if (!binary) put_text(s, "\n");
}

/* Two node blocks, one of them parametric; a point, triangles of order one, tets of order one and two. */
static inline void sample_msh_4(sample *s, bool binary) {
    put_msh_format(s, "4.1", binary);
    put_text(s, "$Nodes\n");
    const int node_head[4] = {2, 5, 2, 1000}, cell_head[4] = {4, 5, 1, 5};
    for (int k = 0; k < 4; k++)
        put_msh(s, binary, node_head[k], 8);
    put_msh_4_nodes(s, binary, 3, 0, 0, 3);
    put_msh_4_nodes(s, binary, 2, 1, 3, 5);
    put_text(s, "\n$EndNodes\n$Elements\n");
    for (int k = 0; k < 4; k++)
        put_msh(s, binary, cell_head[k], 8);
    put_msh_4_cells(s, binary, 15, tet_cells[0], 1, 1, 1);
    put_msh_4_cells(s, binary, 2, tet_faces[0], 3, 3, 2);
    put_msh_4_cells(s, binary, 4, tet_cells[0], 4, 4, 1);
    put_msh_4_cells(s, binary, 11, tet_cells[1], 4, 10, 1);
    put_text(s, "\n$EndElements\n");
}

static inline void sample_tetgen(sample *s, int base, int width) {
    put_text(s, "# nodes\n5 3 1 1\n");
    for (int i = 0; i < 5; i++)
        put_text(s, " %d %d %d %d 0.5 1 # node\n", i + base, tet_nodes[i][0], tet_nodes[i][1],
                 tet_nodes[i][2]);
    put_text(s, "|2 %d 0\n", width);
    for (int i = 0; i < 2; i++) {
        put_text(s, "%d", i + base);
        for (int k = 0; k < width; k++)
            put_text(s, " %d", tet_cells[i][k < 4 ? k : 3] + base);
        put_text(s, i == 0 ? "\n\n" : "");
    }
}

static inline void sample_off_plain(sample *s) {
    put_text(s, "OFF\n8 6 12\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "%d %d.0 %de0\n", cube_corners[i][0], cube_corners[i][1], cube_corners[i][2]);
    for (int i = 0; i < 6; i++)
        put_text(s, "4 %d %d %d %d\n", cube_quads[i][0], cube_quads[i][1], cube_quads[i][2],
                 cube_quads[i][3]);
}

/* Counts beside the word, none of edges, comments, CRLF, texture, colours, normals, faces over two lines. */
static inline void sample_off_rich(sample *s) {
    put_text(s, "# cube\r\n\r\nSTCNOFF 8 6 # no edges\r\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "\t%d %d %d 0 0 1 255 128 0 255 0.5 0.25\r\n", cube_corners[i][0], cube_corners[i][1],
                 cube_corners[i][2]);
    for (int i = 0; i < 6; i++)
        put_text(s, "4 %d %d # half\r\n  %d %d 0.5 0.25 1%s", cube_quads[i][0], cube_quads[i][1],
                 cube_quads[i][2], cube_quads[i][3], i < 5 ? "\r\n" : "");
}

/* Corner k of half h of quad i. */
static inline const int *stl_corner(int i, int h, int k) {
    return cube_corners[cube_quads[i][k == 0 ? 0 : k + h]];
}

/* Two solids, names with blanks, capitals, no last line end; zeros of both signs. */
static inline void sample_stl_text(sample *s) {
    for (int i = 0; i < 6; i++) {
        if (i % 3 == 0) put_text(s, i ? "endsolid of a cube\nSOLID two\n" : "solid half of a cube\n");
        for (int h = 0; h < 2; h++) {
            put_text(s, "facet normal 0 0 nan\nouter loop\n");
            for (int k = 0; k < 3; k++)
                put_text(s, "vertex %d %s %d.0e0\n", stl_corner(i, h, k)[0],
                         stl_corner(i, h, k)[1] ? "1"
                         : h                    ? "0"
                                                : "-0",
                         stl_corner(i, h, k)[2]);
            put_text(s, "endloop\nendfacet\n");
        }
    }
    put_text(s, "EndSolid");
}

/* Begins with "solid", as many binary files do. */
static inline void sample_stl_binary(sample *s) {
    put_text(s, "solid %-74s", "");
    put_whole(s, 12, 4);
    for (int i = 0; i < 6; i++)
        for (int h = 0; h < 2; h++) {
            for (int k = 0; k < 3; k++)
                put_f32(s, 0.0f);
            for (int k = 0; k < 9; k++)
                put_f32(s, (float)stl_corner(i, h, k / 3)[k % 3]);
            put_whole(s, 0xFFFF, 2);
        }
}

/* References left out, a comment, CRLF, numbers of other sections, no End. */
static inline void sample_medit_cube(sample *s) {
    put_text(s, "MeshVersionFormatted 2\r\n# cube\r\nDimension 3\r\nVertices\r\n8\r\n");
    for (int i = 0; i < 8; i++)
        put_text(s, "%d %d.0 %de0\r\n", cube_corners[i][0], cube_corners[i][1], cube_corners[i][2]);
    put_text(s, "Corners 2\r\n1 8\r\nQuadrilaterals 6 # sides\r\n");
    for (int i = 0; i < 6; i++)
        put_text(s, "%d %d %d %d%s", cube_quads[i][0] + 1, cube_quads[i][1] + 1, cube_quads[i][2] + 1,
                 cube_quads[i][3] + 1, i < 5 ? "\r\n" : "");
}

static inline void put_medit_cell(sample *s, const int *nodes, int count) {
    for (int k = 0; k < count; k++)
        put_text(s, "%d ", nodes[k] + 1);
    put_text(s, "9\n");
}

static inline void sample_medit_tets(sample *s) {
    put_text(s, " MeshVersionFormatted\n1\n Dimension\n3\nVertices 5\n");
    for (int i = 0; i < 5; i++)
        put_text(s, "%d %d %d 7\n", tet_nodes[i][0], tet_nodes[i][1], tet_nodes[i][2]);
    put_text(s, "Edges\n1\n1 2 0\nTriangles\n2\n");
    for (int i = 0; i < 2; i++)
        put_medit_cell(s, tet_faces[i], 3);
    put_text(s, "Tetrahedra\n2\n");
    for (int i = 0; i < 2; i++)
        put_medit_cell(s, tet_cells[i], 4);
    put_text(s, "End\nleft over");
}

/* A whole number of a VTK file in either kind of data. */
static inline void put_vtk(sample *s, bool binary, int value, int width) {
    if (binary)
        put_whole(s, (uint64_t)value, width);
    else
        put_text(s, "%d ", value);
}

static inline void put_vtk_points(sample *s, bool binary, const int (*points)[3], int count) {
    put_text(s, "POINTS %d %s\n", count, binary ? "double" : "float");
    for (int i = 0; i < 3 * count; i++)
        if (binary)
            put_f64(s, points[i / 3][i % 3]);
        else
            put_text(s, "%d.0 ", points[i / 3][i % 3]);
    put_text(s, "\n");
}

/* Cells as lists of lengths and points. */
static inline void put_vtk_cell(sample *s, bool binary, const int *nodes, int corners, int width) {
    put_vtk(s, binary, width, 4);
    for (int k = 0; k < width; k++)
        put_vtk(s, binary, nodes[k < corners ? k : corners - 1], 4);
}

/* A field before the points, metadata after its first array and after the points, words in upper and lower case, and
 * data after the polygons that nobody reads. */
static inline void sample_vtk_polydata(sample *s, bool binary) {
    put_text(s, "# vtk DataFile Version 3.0\ncube\n%s\ndataset PolyData\n", binary ? "binary" : "ascii");
    put_text(s, "FIELD FieldData 2\nTIME 1 2 Short\n");
    put_vtk(s, binary, 3, 2);
    put_vtk(s, binary, 4, 2);
    put_text(s, "\nMETADATA\nCOMPONENT_NAMES\nt\n\ng 1 1 short\n");
    put_vtk(s, binary, 5, 2);
    put_text(s, "\n");
    put_vtk_points(s, binary, cube_corners, 8);
    put_text(s, "METADATA\nINFORMATION 0\n\nPOLYGONS 6 30\n");
    for (int i = 0; i < 6; i++)
        put_vtk_cell(s, binary, cube_quads[i], 4, 4);
    s->data_end = s->size;
    put_text(s, "\nPOINT_DATA 8\nSCALARS x float\n?");
}

/* A line, triangles, and tets of order one and two. */
static inline void sample_vtk_grid(sample *s, bool binary) {
    static const int cell_types[5] = {3, 5, 5, 10, 24};
    put_text(s, "# vtk DataFile Version 2.0\n\n%s\nDATASET UNSTRUCTURED_GRID\n", binary ? "BINARY" : "ASCII");
    put_vtk_points(s, binary, tet_nodes, 5);
    put_text(s, "CELLS 5 27\n");
    put_vtk_cell(s, binary, tet_cells[0], 2, 2);
    for (int i = 0; i < 2; i++)
        put_vtk_cell(s, binary, tet_faces[i], 3, 3);
    put_vtk_cell(s, binary, tet_cells[0], 4, 4);
    put_vtk_cell(s, binary, tet_cells[1], 4, 10);
    put_text(s, "\nCELL_TYPES 5\n");
    for (int i = 0; i < 5; i++)
        put_vtk(s, binary, cell_types[i], 4);
    s->data_end = s->size;
    put_text(s, "\nCELL_DATA 5\n");
}

/* Version 5: offsets and connectivity, of eight and four bytes. */
static inline void sample_vtk_arrays(sample *s, bool binary) {
    static const int offsets[6] = {0, 2, 5, 8, 12, 16}, cell_types[5] = {3, 5, 5, 10, 10};
    put_text(s, "# vtk DataFile Version 5.1\nvtk output\n%s\nDATASET UNSTRUCTURED_GRID\n",
             binary ? "BINARY" : "ASCII");
    put_vtk_points(s, binary, tet_nodes, 5);
    put_text(s, "CELLS 6 16\nOFFSETS vtktypeint64\n");
    for (int i = 0; i < 6; i++)
        put_vtk(s, binary, offsets[i], 8);
    put_text(s, "\nCONNECTIVITY %s\n", binary ? "vtktypeint32" : "vtktypeint64");
    const int *lists[5] = {tet_cells[0], tet_faces[0], tet_faces[1], tet_cells[0], tet_cells[1]};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < offsets[i + 1] - offsets[i]; k++)
            put_vtk(s, binary, lists[i][k], 4);
    put_text(s, "\nCELL_TYPES 5\n");
    for (int i = 0; i < 5; i++)
        put_vtk(s, binary, cell_types[i], 4);
    s->data_end = s->size;
    put_text(s, "\n");
}

/* Fills *s with sample `index`; false when there are no more. */
static inline bool sample_make(sample *s, uint32_t index) {
    static const struct {
        const char *name;
        sample_format format;
        bool big_endian;
    } kinds[] = {{"plain OBJ", SAMPLE_OBJ, false},
                 {"rich OBJ", SAMPLE_OBJ, false},
                 {"ASCII PLY", SAMPLE_PLY, false},
                 {"little-endian PLY", SAMPLE_PLY, false},
                 {"big-endian PLY", SAMPLE_PLY, true},
                 {"ASCII Gmsh 2.2", SAMPLE_MSH, false},
                 {"binary Gmsh 2.2", SAMPLE_MSH, false},
                 {"big-endian Gmsh 2.2", SAMPLE_MSH, true},
                 {"ASCII Gmsh 4.1", SAMPLE_MSH, false},
                 {"binary Gmsh 4.1", SAMPLE_MSH, false},
                 {"big-endian Gmsh 4.1", SAMPLE_MSH, true},
                 {"TetGen from 0", SAMPLE_TETGEN, false},
                 {"TetGen from 1, 10 nodes", SAMPLE_TETGEN, false},
                 {"plain OFF", SAMPLE_OFF, false},
                 {"rich OFF", SAMPLE_OFF, false},
                 {"text STL", SAMPLE_STL, false},
                 {"binary STL", SAMPLE_STL, false},
                 {"Medit of quads", SAMPLE_MEDIT, false},
                 {"Medit of tets", SAMPLE_MEDIT, false},
                 {"ASCII VTK of polygons", SAMPLE_VTK, true},
                 {"binary VTK of polygons", SAMPLE_VTK, true},
                 {"ASCII VTK, order 2", SAMPLE_VTK, true},
                 {"binary VTK, order 2", SAMPLE_VTK, true},
                 {"ASCII VTK 5.1", SAMPLE_VTK, true},
                 {"binary VTK 5.1", SAMPLE_VTK, true}};
    if (index >= LT_COUNT_OF(kinds)) return false;
    s->name = kinds[index].name;
    s->format = kinds[index].format;
    s->big_endian = kinds[index].big_endian;
    s->size = s->data_end = 0;
    switch (index) {
    case 0: sample_obj_plain(s); break;
    case 1: sample_obj_rich(s); break;
    case 2: sample_ply_ascii(s); break;
    case 3:
    case 4: sample_ply_binary(s); break;
    case 5:
    case 6:
    case 7: sample_msh_2(s, index > 5); break;
    case 8:
    case 9:
    case 10: sample_msh_4(s, index > 8); break;
    case 11:
    case 12: sample_tetgen(s, index == 11 ? 0 : 1, index == 11 ? 4 : 10); break;
    case 13: sample_off_plain(s); break;
    case 14: sample_off_rich(s); break;
    case 15: sample_stl_text(s); break;
    case 16: sample_stl_binary(s); break;
    case 17: sample_medit_cube(s); break;
    case 18: sample_medit_tets(s); break;
    case 19:
    case 20: sample_vtk_polydata(s, index == 20); break;
    case 21:
    case 22: sample_vtk_grid(s, index == 22); break;
    default: sample_vtk_arrays(s, index == 24); break;
    }
    return true;
}

/* ---- an allocator that counts, and refuses one allocation ---- */

typedef struct counting_allocator {
    size_t live, peak;
    uint64_t allocation_count;
    uint64_t refused; /* the number, from 0, of the allocation that fails; UINT64_MAX: none */
} counting_allocator;

static inline void *counting_allocate(void *context, size_t size, size_t alignment) {
    counting_allocator *counting = context;
    if (counting->allocation_count++ == counting->refused) return NULL;
    counting->live += size;
    if (counting->live > counting->peak) counting->peak = counting->live;
    return aligned_alloc(alignment, lt_align_up(size, alignment));
}

static inline void counting_release(void *context, void *memory, size_t size) {
    ((counting_allocator *)context)->live -= size;
    free(memory);
}

static inline lt_allocator counting_allocator_of(counting_allocator *counting) {
    return (lt_allocator){counting_allocate, counting_release, counting};
}

/* ---- reading and judging ---- */

static inline lt_status sample_read(lt_mesh_content *out, sample_format format, const uint8_t *bytes,
                                    size_t size, const lt_allocator *allocator, lt_error *error) {
    if (format == SAMPLE_OBJ) return lt_read_obj(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_PLY) return lt_read_ply(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_MSH) return lt_read_msh(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_OFF) return lt_read_off(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_STL) return lt_read_stl(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_MEDIT) return lt_read_medit(out, bytes, size, "sample", allocator, error);
    if (format == SAMPLE_VTK) return lt_read_vtk(out, bytes, size, "sample", allocator, error);
    const uint8_t *bar = size ? memchr(bytes, '|', size) : NULL;
    size_t node_size = bar ? (size_t)(bar - bytes) : size;
    size_t ele_size = bar ? size - node_size - 1 : 0;
    return lt_read_tetgen(out, bytes, node_size, bar ? bar + 1 : NULL, ele_size, "sample", allocator, error);
}

static inline lt_status sample_read_text(lt_mesh_content *out, sample_format format, const char *text,
                                         lt_error *error) {
    return sample_read(out, format, (const uint8_t *)text, strlen(text), NULL, error);
}

/* What is wrong with a reader's answer, or NULL: a valid mesh, or an error and nothing else. */
static inline const char *sample_judge(const lt_mesh_content *file, lt_status status, const lt_error *error) {
    static const lt_mesh_content empty;
    if (status != LT_OK) {
        if (memcmp(file, &empty, sizeof empty) != 0) return "an error with something left in the result";
        if (error->status != status || error->message[0] == 0) return "an error without its message";
        return NULL;
    }
    if (file->surface.triangle_count == 0 && file->tets.tet_count == 0) return "success with an empty result";
    if (file->surface.triangle_count > 0 && lt_surface_check(&file->surface, "", NULL) != LT_OK)
        return "an invalid surface";
    if (file->tets.tet_count > 0 && lt_tet_mesh_check(&file->tets, "", NULL) != LT_OK)
        return "an invalid tet mesh";
    return NULL;
}

/* Reads a copy of exactly `size` bytes, so that the address sanitizer sees one byte too far, and judges
 * answer, memory and leaks. */
static inline const char *sample_try(sample_format format, const uint8_t *bytes, size_t size,
                                     lt_status *status) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    counting_allocator counting = {.refused = UINT64_MAX};
    lt_allocator allocator = counting_allocator_of(&counting);
    lt_mesh_content file;
    lt_error error = {0};
    *status = sample_read(&file, format, copy, size, &allocator, &error);
    const char *wrong = sample_judge(&file, *status, &error);
    lt_mesh_content_free(&file);
    free(copy);
    if (!wrong && counting.peak > LT_READ_MEMORY_FACTOR * size + LT_READ_MEMORY_BASE)
        wrong = "too much memory";
    if (!wrong && counting.live != 0) wrong = "a leak";
    return wrong;
}

#endif
