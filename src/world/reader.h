/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Snapshots read from the front, never beyond their end. */

#ifndef LITHE_WORLD_READER_H
#define LITHE_WORLD_READER_H

#include "core/base.h"

#include <string.h>

typedef struct lt_reader {
    const uint8_t *at;
    size_t left;
} lt_reader;

/* Where the next bytes are, copied to `out` if that is not NULL; NULL: there are not so many, and nothing was read. */
static inline const uint8_t *lt_read(lt_reader *reader, void *out, size_t size) {
    if (size > reader->left) return NULL;
    const uint8_t *at = reader->at;
    if (out) memcpy(out, at, size);
    reader->at += size;
    reader->left -= size;
    return at;
}

#endif
