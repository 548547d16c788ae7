/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How a number is measured: the clock around the public call, the minimum of at least five repetitions, and
 * the thread's processor time beside it to tell when something else ran in between. The library itself reads
 * no clock for a benchmark's sake. */

#ifndef LITHE_BENCH_MEASURE_H
#define LITHE_BENCH_MEASURE_H

#include "core/memory.h"

#define LT_REPETITIONS 5
/* A sample is preempted when wall time exceeds the thread's processor time by more than this. */
#define LT_PREEMPTED_NS 5000

typedef struct lt_stopwatch {
    uint64_t wall_ns, cpu_ns;
} lt_stopwatch;

lt_stopwatch lt_stopwatch_start(void);

typedef struct lt_sample {
    double us; /* wall time */
    bool preempted;
} lt_sample;

lt_sample lt_stopwatch_stop(lt_stopwatch started);
/* Wall time alone, in seconds. */
double lt_stopwatch_seconds(lt_stopwatch started);

/* Nanoseconds per pass of a fixed loop of dependent arithmetic, run for 0.2 s: figures from two machines, or
 * from two moments of one, compare by it. */
double lt_calibrate_ns(void);

/* Samples of one kind, all kept. */
typedef struct lt_samples {
    lt_array items; /* of lt_sample */
} lt_samples;

lt_samples lt_samples_begin(const lt_allocator *allocator);
/* False when memory is out. */
bool lt_samples_add(lt_samples *samples, lt_sample sample);
void lt_samples_free(lt_samples *samples);

typedef struct lt_distribution {
    uint32_t count;
    double mean, median, p95, p99, worst;
} lt_distribution;

/* Of all samples, or without the preempted ones; zeros when nothing is left. Sorts the samples. The p-th
 * percentile is the smallest sample that at least p % of them do not exceed. */
lt_distribution lt_samples_distribution(lt_samples *samples, bool with_preempted);
/* 0 to 1. */
double lt_samples_preempted_share(const lt_samples *samples);

#endif
