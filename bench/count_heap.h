/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every heap allocation of the process, counted by standing in for malloc. */

#ifndef LITHE_BENCH_COUNT_HEAP_H
#define LITHE_BENCH_COUNT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* False where malloc cannot be replaced (other C libraries, sanitizer builds); the count is then always 0. */
bool lt_heap_is_counted(void);
/* Allocations since the program began, of all threads. */
uint64_t lt_heap_count(void);

#endif
