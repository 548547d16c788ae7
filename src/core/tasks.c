/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/tasks.h"

#include "core/memory.h"
#include "core/os.h"
#include "core/simd.h"

#include <stdatomic.h>

enum { MAX_THREADS = 64 };

/* Looks before a thread goes to sleep, 20 to 100 us: a step has many short loops, and being woken takes longer than most of
 * them do. */
enum { SPINS = 2000 };

typedef struct loop {
    lt_range_fn *run;
    void *context;
    uint32_t count;
    uint32_t grain;
} loop;

struct lt_tasks {
    lt_allocator allocator;
    lt_task_runner runner;
    lt_os_monitor *monitor;
    lt_os_thread *workers[MAX_THREADS - 1];
    uint32_t worker_count;
    /* Under the monitor: a loop is entered only by workers that saw its generation, and a new one begins
     * only when nobody is inside the old one. */
    loop loop;
    bool stopping;
    /* Written under the monitor, looked at without it by those who spin. */
    atomic_uint generation;
    atomic_uint workers_inside;
    atomic_uint next_chunk;
};

/* Looks for a while, as long as it is equal to `value`, or is not. */
static void spin_while(atomic_uint *number, uint32_t value, bool equal) {
    for (int i = 0; i < SPINS && (atomic_load_explicit(number, memory_order_relaxed) == value) == equal; i++)
        lt_pause();
}

static void run_chunk(const loop *work, uint32_t chunk) {
    uint32_t begin = chunk * work->grain;
    uint32_t end = work->count - begin < work->grain ? work->count : begin + work->grain;
    work->run(work->context, begin, end, chunk);
}

static void run_chunks(lt_tasks *tasks, const loop *work) {
    uint32_t chunk_count = lt_chunk_count(work->count, work->grain);
    for (;;) {
        uint32_t chunk = atomic_fetch_add_explicit(&tasks->next_chunk, 1, memory_order_relaxed);
        if (chunk >= chunk_count) return;
        run_chunk(work, chunk);
    }
}

static void worker_main(void *context) {
    lt_tasks *tasks = context;
    uint32_t seen = 0;
    lt_os_monitor_lock(tasks->monitor);
    while (!tasks->stopping) {
        if (tasks->generation == seen || !tasks->loop.run) {
            lt_os_monitor_wait(tasks->monitor);
            continue;
        }
        seen = tasks->generation;
        loop work = tasks->loop;
        tasks->workers_inside++;
        lt_os_monitor_unlock(tasks->monitor);
        run_chunks(tasks, &work);
        lt_os_monitor_lock(tasks->monitor);
        tasks->workers_inside--;
        lt_os_monitor_wake_all(tasks->monitor);
        lt_os_monitor_unlock(tasks->monitor);
        spin_while(&tasks->generation, seen, true);
        lt_os_monitor_lock(tasks->monitor);
    }
    lt_os_monitor_unlock(tasks->monitor);
}

static void run_runner_job(void *context, uint32_t index) {
    run_chunk(context, index);
}

static void run_on_pool(lt_tasks *tasks, const loop *work) {
    lt_os_monitor_lock(tasks->monitor);
    tasks->loop = *work;
    tasks->generation++;
    atomic_store_explicit(&tasks->next_chunk, 0, memory_order_relaxed);
    lt_os_monitor_wake_all(tasks->monitor);
    lt_os_monitor_unlock(tasks->monitor);

    run_chunks(tasks, work);

    lt_os_monitor_lock(tasks->monitor);
    tasks->loop.run = NULL; /* a worker that wakes only now must not enter */
    lt_os_monitor_unlock(tasks->monitor);
    spin_while(&tasks->workers_inside, 0, false);
    lt_os_monitor_lock(tasks->monitor);
    while (tasks->workers_inside)
        lt_os_monitor_wait(tasks->monitor);
    lt_os_monitor_unlock(tasks->monitor);
}

void lt_tasks_for(lt_tasks *tasks, uint32_t count, uint32_t grain, lt_range_fn *run, void *context) {
    LT_ASSERT(grain > 0);
    loop work = {run, context, count, grain};
    uint32_t chunk_count = lt_chunk_count(count, grain);
    if (tasks && tasks->runner.run && chunk_count > 1) {
        tasks->runner.run(tasks->runner.context, chunk_count, run_runner_job, &work);
    } else if (tasks && tasks->worker_count && chunk_count > 1) {
        run_on_pool(tasks, &work);
    } else {
        for (uint32_t chunk = 0; chunk < chunk_count; chunk++)
            run_chunk(&work, chunk);
    }
}

lt_tasks *lt_tasks_create(uint32_t thread_count, const lt_task_runner *runner,
                          const lt_allocator *allocator) {
    lt_tasks *tasks = LT_NEW(allocator, 1, lt_tasks);
    if (!tasks) return NULL;
    tasks->allocator = allocator ? *allocator : lt_allocator_default();
    if (runner && runner->run) {
        tasks->runner = *runner;
        return tasks;
    }
    tasks->monitor = lt_os_monitor_create(allocator);
    if (!tasks->monitor) {
        LT_DELETE(allocator, tasks, 1, lt_tasks);
        return NULL;
    }
    if (thread_count == 0) thread_count = lt_os_processor_count();
    thread_count = lt_min_u32(thread_count, MAX_THREADS);
    /* A thread that cannot be had is not an error: results are the same with fewer. */
    for (uint32_t i = 1; i < thread_count; i++) {
        lt_os_thread *worker = lt_os_thread_start(allocator, worker_main, tasks);
        if (!worker) break;
        tasks->workers[tasks->worker_count++] = worker;
    }
    return tasks;
}

void lt_tasks_destroy(lt_tasks *tasks) {
    if (!tasks) return;
    lt_allocator allocator = tasks->allocator;
    if (tasks->monitor) {
        lt_os_monitor_lock(tasks->monitor);
        tasks->stopping = true;
        lt_os_monitor_wake_all(tasks->monitor);
        lt_os_monitor_unlock(tasks->monitor);
        for (uint32_t i = 0; i < tasks->worker_count; i++)
            lt_os_thread_join(&allocator, tasks->workers[i]);
        lt_os_monitor_destroy(&allocator, tasks->monitor);
    }
    LT_DELETE(&allocator, tasks, 1, lt_tasks);
}

uint32_t lt_tasks_thread_count(const lt_tasks *tasks) {
    return tasks ? tasks->worker_count + 1 : 1;
}

uint32_t lt_tasks_part_count(const lt_tasks *tasks) {
    enum { RUNNER_PARTS = 8 };
    return tasks && tasks->runner.run ? RUNNER_PARTS : lt_tasks_thread_count(tasks);
}

const char *lt_validate_tasks(const lt_tasks *tasks) {
    if (!tasks) return NULL;
    if (tasks->worker_count >= MAX_THREADS) return "more threads than there is room for";
    if (tasks->runner.run && tasks->worker_count > 0) return "threads beside the caller's runner";
    if (tasks->loop.run) return "a loop is not over";
    if (atomic_load(&((lt_tasks *)tasks)->workers_inside) > 0)
        return "a thread is inside a loop that is over";
    return tasks->stopping ? "threads are stopping" : NULL;
}
