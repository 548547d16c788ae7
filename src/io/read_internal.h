/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the readers share beyond the scanner: polygons into triangles, and the last steps from growing
 * arrays to a checked lt_mesh_content. Private to read_*.c. */

#ifndef LITHE_IO_READ_INTERNAL_H
#define LITHE_IO_READ_INTERNAL_H

#include "io/read.h"
#include "io/text_scanner.h"

/* A polygon as its corners come in, in fixed memory: past LT_POLYGON_CORNERS it turns into a fan. */
typedef struct lt_polygon {
    uint32_t corners[LT_POLYGON_CORNERS];
    uint64_t count;
    uint32_t last;
} lt_polygon;

/* Both push to `triangles`, an lt_array of uint32_t, and are false when memory is out. */
bool lt_polygon_add(lt_polygon *polygon, uint32_t corner, lt_array *triangles);
/* Corners at or beyond vertex_count are allowed: their polygon is fanned. Fewer than three corners give
 * nothing. The polygon is empty afterwards. */
bool lt_polygon_end(lt_polygon *polygon, const lt_vec3 *positions, size_t vertex_count, lt_array *triangles);

/* Empties *out and refuses sizes that do not fit 32-bit counts. Every lt_read_… begins with it. */
lt_status lt_mesh_content_begin(lt_mesh_content *out, size_t size, const char *name, lt_error *error);

/* A surface while its file is read. */
typedef struct lt_surface_builder {
    lt_array positions; /* lt_vec3 */
    lt_array triangles; /* uint32_t, three each */
    lt_group_builder groups;
    uint32_t split_polygon_count;
} lt_surface_builder;

lt_surface_builder lt_surface_builder_make(const lt_allocator *allocator);
/* The three coordinates here, which must be in one line, as the next vertex. */
lt_status lt_read_vertex(lt_scanner *scanner, lt_surface_builder *builder);
/* The polygon as triangles, counted when it had to be split. Corners are as in lt_polygon_end. */
lt_status lt_surface_builder_end_polygon(lt_surface_builder *builder, lt_polygon *polygon,
                                         const lt_scanner *scanner);
/* The triangles that come next are in the group of the name that stands here, to the end of the line. */
lt_status lt_read_group_name(lt_scanner *scanner, lt_surface_builder *builder);
/* When `status` is LT_OK, moves what was built into *out and checks it; frees the builder in any case.
 * Returns `status`, or what went wrong here. */
lt_status lt_surface_builder_end(lt_surface_builder *builder, lt_status status, lt_mesh_content *out,
                                 const char *name, lt_error *error);

/* Nodes and cells while their file is read. */
typedef struct lt_cell_builder {
    lt_array nodes;     /* lt_dvec3 */
    lt_array tets;      /* uint32_t, four each */
    lt_array triangles; /* uint32_t, three each */
    lt_group_builder groups;
    uint32_t split_polygon_count;
} lt_cell_builder;

lt_cell_builder lt_cell_builder_make(const lt_allocator *allocator);
/* The polygon, whose corners are all nodes, as triangles, counted when it had to be split. False when memory is
 * out. */
bool lt_cell_builder_end_polygon(lt_cell_builder *builder, lt_polygon *polygon);
/* When `status` is LT_OK, fills out->tets and out->surface from cells whose corners are all nodes: turns tets, drops
 * what is not used, and checks; frees the builder in any case. Returns `status`, or what went wrong here. */
lt_status lt_cell_builder_end(lt_cell_builder *builder, lt_status status, lt_mesh_content *out,
                              const char *name, lt_error *error);

lt_status lt_read_no_memory(const char *name, lt_error *error);

#endif
