/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* labels: threaded */

#include "check.h"
#include "core/tasks.h"

enum { COUNT = 10007, GRAIN = 64 };

typedef struct sums {
    float values[COUNT];
    float chunk_sums[COUNT / GRAIN + 1];
} sums;

static void fill_and_sum(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    sums *s = context;
    s->chunk_sums[chunk] = 0;
    for (uint32_t i = begin; i < end; i++) {
        s->values[i] += 1.0f / (float)(i + 1);
        s->chunk_sums[chunk] += s->values[i];
    }
}

static float total_with(uint32_t thread_count, const lt_task_runner *runner) {
    static sums s;
    memset(&s, 0, sizeof s);
    lt_tasks *tasks = lt_tasks_create(thread_count, runner, NULL);
    for (int repeat = 0; repeat < 200; repeat++)
        lt_tasks_for(tasks, COUNT, GRAIN, fill_and_sum, &s);
    lt_tasks_destroy(tasks);
    float total = 0;
    for (uint32_t chunk = 0; chunk < lt_chunk_count(COUNT, GRAIN); chunk++)
        total += s.chunk_sums[chunk];
    for (uint32_t i = 0; i < COUNT; i += 997)
        CHECK_NEAR(s.values[i], 200.0f / (float)(i + 1), 1e-3);
    return total;
}

static void sums_do_not_depend_on_threads(void) {
    float one = total_with(1, NULL);
    float two = total_with(2, NULL);
    float four = total_with(4, NULL);
    CHECK(memcmp(&one, &two, sizeof one) == 0);
    CHECK(memcmp(&one, &four, sizeof one) == 0);
}

static void backwards(void *context, uint32_t count, void (*job)(void *, uint32_t), void *job_context) {
    ++*(int *)context;
    for (uint32_t i = count; i-- > 0;)
        job(job_context, i);
}

static void the_callers_runner_gives_the_same(void) {
    int calls = 0;
    lt_task_runner runner = {backwards, &calls};
    float own = total_with(1, NULL), theirs = total_with(1, &runner);
    CHECK_COUNT(calls, 200);
    CHECK(memcmp(&own, &theirs, sizeof own) == 0);
}

static void empty_loops_run_nothing(void) {
    lt_tasks *tasks = lt_tasks_create(2, NULL, NULL);
    lt_tasks_for(tasks, 0, 1, fill_and_sum, NULL);
    CHECK_COUNT(lt_chunk_count(0, 8), 0);
    CHECK_COUNT(lt_chunk_count(8, 8), 1);
    CHECK_COUNT(lt_chunk_count(9, 8), 2);
    lt_tasks_destroy(tasks);
}

int main(void) {
    RUN(sums_do_not_depend_on_threads);
    RUN(the_callers_runner_gives_the_same);
    RUN(empty_loops_run_nothing);
    return check_finish();
}
