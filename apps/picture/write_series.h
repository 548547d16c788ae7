/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Files that grow step by step and are whole after each: whoever is stopped between two steps leaves a good file, with
 * as many steps as were written. No file is kept open, so that any number of them may grow at once. A file that was
 * there before is replaced. Paths must stay as they are while the file grows. */

#ifndef LITHE_PICTURE_WRITE_SERIES_H
#define LITHE_PICTURE_WRITE_SERIES_H

#include "core/vec.h"

/* PVD, for ParaView: a list of files with their times. */
typedef struct lt_pvd {
    const char *path;
    uint64_t end; /* where the next entry goes, over the closing tags */
} lt_pvd;

lt_status lt_pvd_begin(lt_pvd *out, const char *path, lt_error *error);
/* `file` is relative to the folder of the list, and at most 255 bytes long; `part` tells files of one time apart. */
lt_status lt_pvd_add(lt_pvd *list, double time, uint32_t part, const char *file, lt_error *error);

/* PC2, for Blender and others: the positions of the vertices of a mesh, again and again. Start frame 0, one sample a
 * frame. */
typedef struct lt_pc2 {
    const char *path;
    uint32_t vertex_count, sample_count;
} lt_pc2;

lt_status lt_pc2_begin(lt_pc2 *out, const char *path, uint32_t vertex_count, lt_error *error);
/* positions [vertex_count]. After a failure the file has the samples it had. */
lt_status lt_pc2_add(lt_pc2 *cache, const lt_vec3 *positions, const lt_allocator *allocator, lt_error *error);

#endif
