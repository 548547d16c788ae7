/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files that a user names: what the library reads, and what the program assimp turns into OBJ. */

#ifndef LITHE_APPS_MESH_FILE_H
#define LITHE_APPS_MESH_FILE_H

#include "lithe/mesh_file.h"

/* As lt_mesh_file_load. Of a format that only assimp reads and without assimp: LT_STATUS_UNSUPPORTED, with what to
 * install. */
lt_status lt_open_mesh(lt_mesh_file *out, const char *path, lt_error *error);

#endif
