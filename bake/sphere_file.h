/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees as text, the `.sph` files that sphere-tree tools and robotics packages exchange:
 *
 *     <levels> <branching>
 *     <x> <y> <z> <r> [anything]      one line a sphere, breadth first, every place of the full tree in its turn
 *
 * A place without a sphere has a radius of 0 or less. Below it there are none.
 *
 * The bytes may be hostile: reading gives a valid list or an error that names the line, in time and memory that grow no
 * faster than the file. Spheres alone are no tree: lt_sphere_tree_cover makes one of them and a surface. */

#ifndef LITHE_BAKE_SPHERE_FILE_H
#define LITHE_BAKE_SPHERE_FILE_H

#include "bake/rest_tree.h"

/* Spheres with centre, radius, parent, children and level; breadth first. */
typedef struct lt_sphere_list {
    lt_rest_sphere *spheres; /* [sphere_count] */
    uint32_t sphere_count;
    uint32_t level_count;
    uint32_t branching;
    lt_allocator allocator;
} lt_sphere_list;

/* `allocator` and `error` may be NULL; on failure *out is empty. */
lt_status lt_sphere_list_parse(lt_sphere_list *out, const uint8_t *bytes, size_t size, const char *name,
                               const lt_allocator *allocator, lt_error *error);
lt_status lt_sphere_list_read(lt_sphere_list *out, const char *path, const lt_allocator *allocator,
                              lt_error *error);
/* Safe on zeroed and already freed lists. */
void lt_sphere_list_free(lt_sphere_list *list);

/* Reads back as the same bits. */
lt_status lt_sphere_file_write(const char *path, const lt_rest_tree *tree, lt_error *error);

#endif
