/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Meshes in from files and memory, and out again: what is baked (lt_bake_mesh), and what a mesh obstacle is made of.
 *
 *   format          endings             holds            read                                  written
 *   OBJ             .obj                surfaces         text                                  text
 *   PLY 1.0         .ply                surfaces         text, binary of both byte orders      binary
 *   OFF             .off                surfaces         text                                  -
 *   STL             .stl                surfaces         text, binary                          text, binary
 *   Gmsh 2.x, 4.1   .msh                surfaces, tets   text, binary of both byte orders      2.2 text, binary
 *   TetGen          .node with .ele     tets             text                                  -
 *   Medit           .mesh               surfaces, tets   text                                  -
 *   VTK, legacy     .vtk                surfaces, tets   text, binary                          -
 *   VTU             .vtu                surfaces, tets   -                                     binary
 *
 * Files may be damaged or hostile: a valid mesh comes back, or an error that names the file and the line, byte or
 * element, in time and memory that grow no faster than the file (docs/files.md has the limits). */

#ifndef LITHE_MESH_FILE_H
#define LITHE_MESH_FILE_H

#include "lithe/base.h"

LT_EXTERN_C_BEGIN

/* In triangle_groups and tet_groups: an element that no group has. */
#define LT_MESH_NO_GROUP UINT32_MAX

/* What a file holds: a surface of triangles, a mesh of tets, or both. Lengths are in units of the file, which no format but
 * the writer knows: bodies are scaled by lt_body_def.scale.
 *
 * The arrays belong to what lt_mesh_file_load and lt_mesh_file_from_… fill, and lt_mesh_file_free releases them. A zeroed one
 * that is given arrays of the caller's can be saved and baked as well; it is not freed then. */
typedef struct lt_mesh_file {
    /* The surface; without one both are NULL. Vertices of OBJ, PLY and OFF files keep their numbers. */
    float *surface_positions;    /* [surface_vertex_count][3] */
    uint32_t *surface_triangles; /* [surface_triangle_count][3], counter-clockwise seen from outside */
    /* The tets; without any both are NULL. */
    double *node_positions; /* [node_count][3] */
    uint32_t *tets;         /* [tet_count][4], of positive volume */
    uint32_t surface_vertex_count;
    uint32_t surface_triangle_count;
    uint32_t node_count;
    uint32_t tet_count;
    /* Named groups (o and g of OBJ, solids of text STL, physical groups of Gmsh that have a name), numbered as their names
     * come. triangle_groups is NULL when no triangle is in one, tet_groups when no tet is. */
    const char **group_names;  /* [group_count], all different */
    uint32_t *triangle_groups; /* [surface_triangle_count], below group_count or LT_MESH_NO_GROUP */
    uint32_t *tet_groups;      /* [tet_count], likewise */
    uint32_t group_count;
    /* What was not taken as it stood. */
    uint32_t split_polygon_count; /* faces of more than three corners, cut into triangles */
    uint32_t skipped_cell_count;  /* points, lines, quads … of a tet file; points and lines of OFF */
    uint32_t higher_order_count;  /* tets and triangles with mid-edge nodes, reduced to their corners */
    uint32_t turned_tet_count;    /* tets that were inside out */
    uint32_t unused_node_count;   /* nodes of a tet file without a tet, left out */
    lt_allocator allocator;
} lt_mesh_file;

/* Safe on zeroed and already freed ones. */
LT_API void lt_mesh_file_free(lt_mesh_file *mesh);
/* The least box around surface and tets; both corners are the origin when there are none. */
LT_API void lt_mesh_file_bounds(const lt_mesh_file *mesh, lt_vec3 *lo, lt_vec3 *hi);

/* Reads any format of the list, told by content first, then by the ending of the path. Given X.node or X.ele, reads both.
 * `allocator` may be NULL. On failure *out is empty; LT_STATUS_UNSUPPORTED is a format that is not read here. */
LT_API lt_status lt_mesh_file_load(const char *path, const lt_allocator *allocator, lt_mesh_file *out,
                                   lt_error *error);
/* The same for the bytes of a file. `name` stands for it in messages, and its ending tells formats that content does not: OBJ
 * above all. */
LT_API lt_status lt_mesh_file_from_memory(const void *bytes, size_t size, const char *name,
                                          const lt_allocator *allocator, lt_mesh_file *out, lt_error *error);

typedef struct lt_mesh_bytes {
    const void *bytes;
    size_t size;
} lt_mesh_bytes;

/* TetGen's two files. `name` has no ending: messages append .node or .ele. */
LT_API lt_status lt_mesh_file_from_tetgen(lt_mesh_bytes node, lt_mesh_bytes ele, const char *name,
                                          const lt_allocator *allocator, lt_mesh_file *out, lt_error *error);

typedef enum lt_mesh_form {
    LT_MESH_BINARY, /* where the format has such a form; OBJ is text */
    LT_MESH_TEXT    /* OBJ, STL, Gmsh; the others refuse it */
} lt_mesh_form;

/* Writes the whole file or nothing, as the ending of the path says: .obj, .ply, .stl, .msh or .vtu. Surfaces go into all of
 * them, tets into .msh (beside the surface) and .vtu (instead of it), groups into .obj and .msh. All but STL, which has no
 * vertices, and VTU, which has floats, read back bit for bit and in the same order. */
LT_API lt_status lt_mesh_file_save(const lt_mesh_file *mesh, const char *path, lt_mesh_form form,
                                   lt_error *error);

LT_EXTERN_C_END

#endif
