/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Named groups of triangles and tets, while a file is read and afterwards.
 *
 * Elements of a group mostly stand together in a file, so a builder keeps runs, not a number per element: a file without
 * groups costs nothing, and numbers are written once, when it is known how many elements there are. Names are found by a
 * hash, since a file may have as many as lines. */

#ifndef LITHE_IO_GROUPS_H
#define LITHE_IO_GROUPS_H

#include "core/memory.h"

/* As in lt_mesh_content. The names stand in one block, one after the other, which begins at names[0]. */
typedef struct lt_mesh_groups {
    const char **names;        /* [count] */
    uint32_t *triangle_groups; /* [triangle_count], or NULL */
    uint32_t *tet_groups;      /* [tet_count], or NULL */
    uint32_t count;
} lt_mesh_groups;

/* Safe on zeroed ones. */
void lt_mesh_groups_free(lt_mesh_groups *groups, uint32_t triangle_count, uint32_t tet_count,
                         const lt_allocator *allocator);

typedef struct lt_group_builder {
    lt_array text;   /* char: names, each ended by 0 */
    lt_array starts; /* uint32_t, in text; one a group */
    lt_array
        slots; /* uint32_t, groups by the hash of their names, LT_NONE: empty; as many as a power of two */
    lt_array triangle_runs; /* lt_group_run */
    lt_array tet_runs;      /* lt_group_run */
} lt_group_builder;

/* From element `first` on, until the next run. */
typedef struct lt_group_run {
    size_t first;
    uint32_t group; /* or LT_NONE */
} lt_group_run;

lt_group_builder lt_group_builder_make(const lt_allocator *allocator);
void lt_group_builder_free(lt_group_builder *builder);
/* The group of that name, a new one where there is none yet. A name ends at a control character, and blanks around it are not
 * of it; an empty one is LT_NONE. False when memory is out. */
bool lt_group_find(lt_group_builder *builder, const uint8_t *name, size_t size, uint32_t *group);
/* Elements from number `first` on, which is not below that of the call before, are in the group. False when memory is out. */
bool lt_group_begin_run(lt_array *runs, size_t first, uint32_t group);
/* Fills *out for so many elements; on failure, which is memory, it is empty. The builder is to be freed in any case. */
bool lt_group_builder_finish(lt_group_builder *builder, lt_mesh_groups *out, uint32_t triangle_count,
                             uint32_t tet_count);

#endif
