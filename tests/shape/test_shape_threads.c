/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* labels: threaded */

#include "check.h"
#include "core/tasks.h"
#include "shape/small_shape.h"

enum { THREADS = 4, ROUNDS = 200, REPEATS = 100 };

static void *count_allocate(void *context, size_t size, size_t alignment) {
    ++*(int *)context;
    lt_allocator below = lt_allocator_default();
    return below.allocate(below.context, size, alignment);
}

static void count_release(void *context, void *memory, size_t size) {
    --*(int *)context;
    lt_allocator below = lt_allocator_default();
    below.release(below.context, memory, size);
}

/* Every chunk owns one reference, takes and gives back many, then gives back its own: whichever comes last
 * frees the shape. */
static void retain_and_release(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    lt_shape *shape = context;
    (void)begin, (void)end, (void)chunk;
    for (int i = 0; i < REPEATS; i++) {
        lt_shape *mine = lt_shape_retain(shape);
        if (lt_shape_chunk_count(mine) != SMALL_SHAPE_CHUNKS) abort();
        lt_shape_release(mine);
    }
    lt_shape_release(shape);
}

static void references_are_counted_across_threads(void) {
    lt_tasks *tasks = lt_tasks_create(THREADS, NULL, NULL);
    int blocks_out = 0; /* changed while one thread runs, and by the last reference alone */
    lt_allocator allocator = {count_allocate, count_release, &blocks_out};
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t *bytes;
        size_t size;
        lt_shape *shape;
        CHECK_FATAL(build_small_shape(&allocator, &bytes, &size, NULL) == LT_OK);
        CHECK_FATAL(lt_shape_adopt("small", bytes, size, &allocator, &shape, NULL) == LT_OK);
        CHECK_COUNT(blocks_out, 2);
        for (int i = 1; i < THREADS; i++)
            lt_shape_retain(shape);
        lt_tasks_for(tasks, THREADS, 1, retain_and_release, shape);
        CHECK_COUNT(blocks_out, 0);
    }
    lt_tasks_destroy(tasks);
}

int main(void) {
    RUN(references_are_counted_across_threads);
    return check_finish();
}
