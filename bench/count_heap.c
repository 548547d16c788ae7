/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* glibc lets a program define malloc and its relatives itself and keeps its own under other names, so each
 * stand-in counts and passes on. Sanitizers do the same thing for their own ends and must not be
 * disturbed. */

#include "count_heap.h"

#include <stdatomic.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HEAP_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(HEAP_SANITIZED)

static atomic_ullong heap_count;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void count_one(void) {
    atomic_fetch_add_explicit(&heap_count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    count_one();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_one();
    return __libc_memalign(alignment, size);
}

bool lt_heap_is_counted(void) {
    return true;
}

uint64_t lt_heap_count(void) {
    return atomic_load_explicit(&heap_count, memory_order_relaxed);
}

#else

bool lt_heap_is_counted(void) {
    return false;
}

uint64_t lt_heap_count(void) {
    return 0;
}

#endif
