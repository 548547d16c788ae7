/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lithe on the caller's job system instead of its own threads. */

#ifndef LITHE_TASKS_H
#define LITHE_TASKS_H

#include "lithe/base.h"

LT_EXTERN_C_BEGIN

/* Must call job(job_context, i) exactly once for every i in [0, count), on any threads, and return when all
 * calls have returned. Results do not depend on order or threads. */
typedef void lt_task_run_fn(void *context, uint32_t count, void (*job)(void *job_context, uint32_t index),
                            void *job_context);

typedef struct lt_task_runner {
    lt_task_run_fn *run; /* NULL: Lithe starts its own threads */
    void *context;
} lt_task_runner;

LT_EXTERN_C_END

#endif
