/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Parallel loops whose results do not depend on the number of threads.
 *
 * A loop over [0, count) is cut into chunks of `grain` elements; the cut depends on count and grain only,
 * never on how many threads there are. A chunk writes only what belongs to it (its own elements, or slot
 * `chunk` of an array with one slot per chunk that is merged in order afterwards). That is the whole rule,
 * and a test runs every threaded part with 1, 2 and 4 threads and compares bits.
 *
 * Workers are started at creation, and sleep when no loop comes for a while; running a loop allocates nothing. The caller's
 * own job system may take the place of the pool (lt_task_runner). */

#ifndef LITHE_CORE_TASKS_H
#define LITHE_CORE_TASKS_H

#include "core/base.h"
#include "lithe/tasks.h"

typedef struct lt_tasks lt_tasks;

/* `thread_count` threads in all, the caller's included; 0 means one per processor, at most 64. With a runner
 * whose `run` is set no threads are started. NULL when memory is out. */
lt_tasks *lt_tasks_create(uint32_t thread_count, const lt_task_runner *runner, const lt_allocator *allocator);
void lt_tasks_destroy(lt_tasks *tasks);
uint32_t lt_tasks_thread_count(const lt_tasks *tasks);
/* Parts that work is worth cutting into: as many as there are threads, eight for a caller's job system, which does not say. */
uint32_t lt_tasks_part_count(const lt_tasks *tasks);

typedef void lt_range_fn(void *context, uint32_t begin, uint32_t end, uint32_t chunk);

static inline uint32_t lt_chunk_count(uint32_t count, uint32_t grain) {
    return count / grain + (count % grain != 0);
}

/* Runs `run` once per chunk and returns when all are done. `tasks` NULL runs them in order right here.
 * Must not be called from inside a chunk. */
void lt_tasks_for(lt_tasks *tasks, uint32_t count, uint32_t grain, lt_range_fn *run, void *context);

/* A text on what is wrong with them between two loops; NULL: nothing is. */
const char *lt_validate_tasks(const lt_tasks *tasks);

#endif
