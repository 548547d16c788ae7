/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* "Did you mean": the names nearest to one that does not exist. */

#ifndef LITHE_SCENES_NEAR_NAMES_H
#define LITHE_SCENES_NEAR_NAMES_H

#include "core/base.h"

/* Edits (insert, remove, replace a letter, swap two neighbours) that turn one name into the other; names are
 * cut at 63 letters. */
uint32_t lt_name_distance(const char *a, const char *b);

/* "a, b or c": the names that begin with `name` or are within a third of its length (at least one edit) of
 * it, nearest first, at most three; all of them when none is. Those that have no room within `capacity`, with the
 * terminating zero, are "or another"; nothing where there is no room for that either. */
void lt_near_names(const char *name, const char *const *names, uint32_t count, char *text, size_t capacity);

#endif
