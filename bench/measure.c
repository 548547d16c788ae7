/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "measure.h"

#include "core/os.h"

#include <math.h>
#include <stdlib.h>

lt_stopwatch lt_stopwatch_start(void) {
    lt_stopwatch watch = {.cpu_ns = lt_os_thread_cpu_ns()};
    watch.wall_ns = lt_os_now_ns();
    return watch;
}

lt_sample lt_stopwatch_stop(lt_stopwatch started) {
    uint64_t wall = lt_os_now_ns() - started.wall_ns;
    uint64_t cpu = lt_os_thread_cpu_ns() - started.cpu_ns;
    return (lt_sample){.us = (double)wall * 1e-3, .preempted = wall > cpu + LT_PREEMPTED_NS};
}

double lt_stopwatch_seconds(lt_stopwatch started) {
    return (double)(lt_os_now_ns() - started.wall_ns) * 1e-9;
}

/* Each addition waits for the one before, so neither SIMD nor a wide core can shorten it; the result goes to
 * a volatile so that it is computed at all. */
static double calibration_pass(void) {
    double x = 0.5;
    for (int i = 0; i < 100000; i++)
        x = x * 0.999999 + 1e-6;
    return x;
}

double lt_calibrate_ns(void) {
    volatile double sink = 0.0;
    uint64_t begin = lt_os_now_ns(), best = UINT64_MAX;
    while (lt_os_now_ns() - begin < 200000000u) {
        uint64_t before = lt_os_now_ns();
        sink = sink + calibration_pass();
        uint64_t spent = lt_os_now_ns() - before;
        best = spent < best ? spent : best;
    }
    return (double)best / 100000.0;
}

lt_samples lt_samples_begin(const lt_allocator *allocator) {
    return (lt_samples){LT_ARRAY_OF(allocator, lt_sample)};
}

bool lt_samples_add(lt_samples *samples, lt_sample sample) {
    return lt_array_push(&samples->items, &sample);
}

void lt_samples_free(lt_samples *samples) {
    lt_array_free(&samples->items);
}

static int compare_samples(const void *a, const void *b) {
    double x = ((const lt_sample *)a)->us, y = ((const lt_sample *)b)->us;
    return (x > y) - (x < y);
}

/* The rank-th of the counted samples, in order; rank from 1. */
static double sample_of_rank(const lt_samples *samples, bool with_preempted, uint32_t rank) {
    const lt_sample *items = samples->items.items;
    for (size_t i = 0; i < samples->items.count; i++)
        if ((with_preempted || !items[i].preempted) && --rank == 0) return items[i].us;
    return 0.0;
}

static double percentile(const lt_samples *samples, bool with_preempted, uint32_t count, double percent) {
    double rank = ceil(percent * 0.01 * count);
    return sample_of_rank(samples, with_preempted, rank < 1.0 ? 1 : (uint32_t)rank);
}

lt_distribution lt_samples_distribution(lt_samples *samples, bool with_preempted) {
    lt_distribution d = {0};
    lt_sample *items = samples->items.items;
    if (samples->items.count > 0) qsort(items, samples->items.count, sizeof *items, compare_samples);
    double sum = 0.0;
    for (size_t i = 0; i < samples->items.count; i++)
        if (with_preempted || !items[i].preempted) {
            sum += items[i].us;
            d.count++;
        }
    if (d.count == 0) return d;
    d.mean = sum / d.count;
    d.median = percentile(samples, with_preempted, d.count, 50.0);
    d.p95 = percentile(samples, with_preempted, d.count, 95.0);
    d.p99 = percentile(samples, with_preempted, d.count, 99.0);
    d.worst = percentile(samples, with_preempted, d.count, 100.0);
    return d;
}

double lt_samples_preempted_share(const lt_samples *samples) {
    const lt_sample *items = samples->items.items;
    size_t preempted = 0;
    for (size_t i = 0; i < samples->items.count; i++)
        preempted += items[i].preempted;
    return samples->items.count ? (double)preempted / (double)samples->items.count : 0.0;
}
