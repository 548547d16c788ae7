/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which group of a Gmsh file a dimension and a tag stand for: of physical groups by their names, and, in format 4.1, of
 * entities by the physical groups they are in. Private to read_msh.c. */

#ifndef LITHE_IO_MSH_GROUPS_H
#define LITHE_IO_MSH_GROUPS_H

#include "core/memory.h"

typedef struct lt_msh_group {
    int64_t dimension, tag;
    uint32_t group;
} lt_msh_group;

/* `list` is an lt_array of lt_msh_group: filled in any order, then sorted, then searched. */
void lt_msh_groups_sort(lt_array *list);
/* LT_NONE where there is none; of several the group that came first. */
uint32_t lt_msh_groups_find(const lt_array *list, int64_t dimension, int64_t tag);

#endif
