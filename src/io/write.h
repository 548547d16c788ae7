/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files out. A file is written whole or not at all; scratch memory comes from the mesh's allocator. Errors name
 * the file. Reading back gives every number bit for bit and every element in its order.
 *
 *   OBJ          surfaces, text
 *   PLY          surfaces, binary
 *   STL          surfaces, binary or text: corners without numbers, so that vertices are made anew when it is read
 *   Gmsh 2.2     tets and triangles between their nodes, binary or text
 *   VTU          triangles, tets or cells with what is known of points and cells, binary: for VTK and ParaView
 *
 * Binary is little-endian on every machine. Text has the fewest digits that give the same number, and is the same in
 * every locale. */

#ifndef LITHE_IO_WRITE_H
#define LITHE_IO_WRITE_H

#include "io/groups.h"
#include "lithe/mesh_file.h"
#include "mesh/mesh.h"

/* `groups` may be NULL, here and below. */
lt_status lt_write_obj(const char *path, const lt_surface *surface, const lt_mesh_groups *groups,
                       lt_error *error);
/* float x y z, list uchar int vertex_indices. */
lt_status lt_write_ply(const char *path, const lt_surface *surface, lt_error *error);
/* With unit normals; 0 0 0 where a triangle has no area. */
lt_status lt_write_stl(const char *path, const lt_surface *surface, lt_mesh_form form, lt_error *error);

/* The tets, and triangles [triangle_count][3] between nodes of theirs, as of the boundary; none: NULL and 0. Physical
 * and elementary tags are 1 for triangles, which come first, and 2 for tets; with groups, those are the physical ones, and what is
 * in none has 0. */
lt_status lt_write_msh(const char *path, const lt_tet_mesh *mesh, const uint32_t *triangles,
                       uint32_t triangle_count, const lt_mesh_groups *groups, lt_mesh_form form,
                       lt_error *error);

/* ---- VTU ---- */

/* Cells of a grid, by the number of their corners. Those of a lattice have theirs as lt_cell_mesh has them. */
typedef enum lt_vtu_cell { LT_VTU_TRIANGLE = 3, LT_VTU_TET = 4, LT_VTU_LATTICE_CELL = 8 } lt_vtu_cell;

/* What is known of every point or cell. The name needs no escapes in XML. */
typedef struct lt_vtu_field {
    const char *name;
    const float *values; /* [point_count or cell_count][component_count] */
    uint32_t component_count;
} lt_vtu_field;

typedef struct lt_vtu_grid {
    const lt_vec3 *points;
    const uint32_t *corners; /* [cell_count][cell] */
    uint32_t point_count, cell_count;
    lt_vtu_cell cell;
    const lt_vtu_field *point_fields, *cell_fields;
    uint32_t point_field_count, cell_field_count;
} lt_vtu_grid;

/* UnstructuredGrid: Float32, corners and offsets Int32, appended raw. Refused are empty grids, points that are not
 * finite and corners out of range. */
lt_status lt_write_vtu(const char *path, const lt_vtu_grid *grid, const lt_allocator *allocator,
                       lt_error *error);

#endif
