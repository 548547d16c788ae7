/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Baked shapes as files in the user's cache folder, by key: scenes that were built by an earlier run start at once. Private to
 * scenes/; shape_cache.c says what a key is made of.
 *
 *   $LITHE_CACHE            off (or none, 0): no files are read or written; otherwise the folder
 *   $XDG_CACHE_HOME/lithe   where that is not set, or empty
 *   $HOME/.cache/lithe      where that is not set, or not absolute
 *   %LOCALAPPDATA%\lithe    where that is not set either; else: no files
 *
 * A file is a .lithe shape, whose checksums are verified: a damaged one, or one of another format, counts as none and is written
 * anew. Files come to be by drafts (core/os.h), so that several processes may bake the same at once: each leaves a whole one, the
 * last stays. Nothing here can fail: without a cache shapes are baked. */

#ifndef LITHE_SCENES_SHAPE_STORE_H
#define LITHE_SCENES_SHAPE_STORE_H

#include "core/os.h"
#include "lithe/shape.h"

/* Two hashes of the same things: one is too short for all shapes of a user's life. */
typedef struct lt_shape_key {
    uint64_t high, low;
} lt_shape_key;

/* The folder, which need not be there; false: there is to be none. */
bool lt_shape_store_folder(char folder[LT_OS_PATH]);
/* NULL: there is none, or it is damaged. `name` is for messages. Of the default allocator. */
lt_shape *lt_shape_store_find(lt_shape_key key, const char *name);
void lt_shape_store_keep(lt_shape_key key, const lt_shape *shape);

#endif
