/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* An allocator that refuses from the n-th request on and knows what is still out. The way to use it is
 *
 *     for (int allowed = 0; ; allowed++) { failing f = failing_after(allowed); … if it succeeded, break; }
 *
 * so that every request of a function fails once. Not for several threads. */

#ifndef LITHE_TESTS_FAILING_ALLOCATOR_H
#define LITHE_TESTS_FAILING_ALLOCATOR_H

#include "lithe/base.h"

typedef struct failing {
    int allowed;       /* requests still granted */
    int blocks_out;    /* not yet released */
    size_t bytes_out;  /* by the sizes that callers claim: a wrong size at release shows here */
    size_t bytes_most; /* that were out at once */
} failing;

static inline void *failing_allocate(void *context, size_t size, size_t alignment) {
    failing *f = context;
    if (f->allowed-- <= 0) return NULL;
    lt_allocator below = lt_allocator_default();
    f->blocks_out++;
    f->bytes_out += size;
    if (f->bytes_out > f->bytes_most) f->bytes_most = f->bytes_out;
    return below.allocate(below.context, size, alignment);
}

static inline void failing_release(void *context, void *memory, size_t size) {
    failing *f = context;
    lt_allocator below = lt_allocator_default();
    f->blocks_out--;
    f->bytes_out -= size;
    below.release(below.context, memory, size);
}

static inline failing failing_after(int allowed) {
    return (failing){.allowed = allowed};
}

static inline lt_allocator failing_allocator(failing *f) {
    return (lt_allocator){failing_allocate, failing_release, f};
}

#endif
