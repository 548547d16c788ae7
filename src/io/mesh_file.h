/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The public mesh file as the meshes that the rest of the library works with: the same arrays under other types. */

#ifndef LITHE_IO_MESH_FILE_H
#define LITHE_IO_MESH_FILE_H

#include "lithe/mesh_file.h"
#include "mesh/mesh.h"

/* Views: the arrays stay the file's, and the views are not freed. */
static inline lt_surface lt_mesh_file_surface(const lt_mesh_file *mesh) {
    return (lt_surface){.positions = (lt_vec3 *)(void *)mesh->surface_positions,
                        .triangles = mesh->surface_triangles,
                        .vertex_count = mesh->surface_vertex_count,
                        .triangle_count = mesh->surface_triangle_count,
                        .allocator = mesh->allocator};
}
static inline lt_tet_mesh lt_mesh_file_tets(const lt_mesh_file *mesh) {
    return (lt_tet_mesh){.positions = (lt_dvec3 *)(void *)mesh->node_positions,
                         .tets = mesh->tets,
                         .node_count = mesh->node_count,
                         .tet_count = mesh->tet_count,
                         .allocator = mesh->allocator};
}

/* Out of the file, into the hands of the caller, who frees them. */
lt_surface lt_mesh_file_take_surface(lt_mesh_file *mesh);
lt_tet_mesh lt_mesh_file_take_tets(lt_mesh_file *mesh);

#endif
