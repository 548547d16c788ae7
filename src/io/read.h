/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files in, as the meshes that the library works with; lithe/mesh_file.h is what others see of it. The bytes may be hostile: every reader gives a valid mesh or an error, in time and memory
 * that grow no faster than the file.
 *
 *   OBJ             surfaces: v and f; texture, normal and colour data are stepped over
 *   PLY 1.0         surfaces: ASCII and both binary byte orders, any property types and order
 *   OFF             surfaces: ASCII, plain or with colours, normals, texture (stepped over)
 *   STL             surfaces: text and binary, told by size; corners in the same place become one vertex
 *   Gmsh 2.x, 4.1   tets and triangles, ASCII and both binary byte orders
 *   TetGen          tets: X.node with X.ele, counted from 0 or 1
 *   Medit .mesh     tets, triangles and quads: ASCII
 *   VTK legacy      tets, triangles, polygons and strips: ASCII and binary, POLYDATA and UNSTRUCTURED_GRID
 *
 * Polygons become triangles: convex ones a fan from their first corner, concave ones by cutting ears; a
 * polygon of more than LT_POLYGON_CORNERS corners, or one that crosses itself, is fanned as it stands.
 * Of cells of higher order only the corners are kept. Vertices of an OBJ, PLY or OFF file keep
 * their numbers (STL has none). Of the formats that can hold tets, nodes no tet uses are left out (they would have no
 * mass), the others keep their order, and the triangles get a surface with vertices of its own, likewise in order.
 *
 * Refused, with the line, byte or element: truncated data, numbers that are not finite, indices out of
 * range, tets of zero volume, files that hold neither triangles nor tets. */

#ifndef LITHE_IO_READ_H
#define LITHE_IO_READ_H

#include "io/groups.h"
#include "mesh/mesh.h"

/* The most memory a reader asks for at any moment, the file itself and its result included:
 * LT_READ_MEMORY_FACTOR times the size of the file and LT_READ_MEMORY_BASE bytes. The worst case is a PLY or VTK
 * polygon whose corners are single bytes, each of which gives a triangle of twelve. */
#define LT_READ_MEMORY_FACTOR 32
#define LT_READ_MEMORY_BASE   65536

/* The longest polygon that is cut with regard to its shape. */
enum { LT_POLYGON_CORNERS = 128 };

typedef struct lt_mesh_content {
    lt_surface surface; /* empty when the file has tets only */
    lt_tet_mesh tets;   /* empty when the file has triangles only; every volume positive */
    lt_mesh_groups groups;
    /* What was not taken as it stood. */
    uint32_t split_polygon_count; /* faces of more than three corners, cut into triangles */
    uint32_t skipped_cell_count;  /* points, lines, quads … of a tet file; points and lines of OFF */
    uint32_t higher_order_count;  /* tets and triangles with mid-edge nodes, reduced to their corners */
    uint32_t turned_tet_count;    /* tets that were inside out */
    uint32_t unused_node_count;   /* nodes of a tet file without a tet */
} lt_mesh_content;

/* Safe on zeroed and already freed ones. */
void lt_mesh_content_free(lt_mesh_content *content);

/* Reads any format of the list above, told by content first, then by extension. Given X.node or X.ele,
 * reads both. A format that is known but not read is LT_STATUS_UNSUPPORTED. */
lt_status lt_read_mesh(lt_mesh_content *out, const char *path, const lt_allocator *allocator,
                       lt_error *error);

/* The same for the bytes of one file, which `name` stands for in messages and by its extension; a TetGen file alone is refused. */
lt_status lt_read_mesh_bytes(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                             const lt_allocator *allocator, lt_error *error);
/* Whether the last extension of the path is among `extensions`: in lower case, each with a dot before and a blank after. */
bool lt_path_ends_with(const char *path, const char *extensions);

/* From memory. `name` stands for the file in messages. On failure *out is zeroed. */
lt_status lt_read_obj(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
lt_status lt_read_ply(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
lt_status lt_read_off(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
lt_status lt_read_stl(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
lt_status lt_read_msh(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
lt_status lt_read_medit(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                        const lt_allocator *allocator, lt_error *error);
lt_status lt_read_vtk(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error);
/* `name` without extension: messages append .node or .ele. */
lt_status lt_read_tetgen(lt_mesh_content *out, const uint8_t *node_bytes, size_t node_size,
                         const uint8_t *ele_bytes, size_t ele_size, const char *name,
                         const lt_allocator *allocator, lt_error *error);

#endif
