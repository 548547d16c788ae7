/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files out. A file is written whole or not at all; scratch memory comes from the surface's allocator.
 * Reading back gives every float bit for bit and every triangle in its order. */

#ifndef LITHE_MESH_WRITE_H
#define LITHE_MESH_WRITE_H

#include "mesh/mesh.h"

/* Text, with the fewest digits that give the same float; the same bytes in every locale. */
lt_status lt_write_obj(const char *path, const lt_surface *surface, lt_error *error);
/* Binary little-endian on every machine: float x y z, list uchar int vertex_indices. */
lt_status lt_write_ply(const char *path, const lt_surface *surface, lt_error *error);

#endif
