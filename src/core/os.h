/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Everything of the operating system, behind one header: clock, files, memory, threads. One source file per
 * system: os_posix.c, also for the web, which has no threads, and os_windows.c. Names of files are UTF-8. Nothing else in
 * the library includes a system header. */

#ifndef LITHE_CORE_OS_H
#define LITHE_CORE_OS_H

#include "core/base.h"

enum { LT_OS_PATH = 4096 }; /* longest name of a file, the end included */

/* Monotonic nanoseconds since some fixed moment. Read only by core/budget.c and by benchmarks. */
uint64_t lt_os_now_ns(void);
/* Nanoseconds of processor time this thread has used: how a benchmark tells that it was preempted. */
uint64_t lt_os_thread_cpu_ns(void);

/* Reads a whole file of at most `most` bytes; release with lt_release(allocator, *bytes, *size, 1). Refuses larger ones, folders,
 * devices and pipes before anything is read, and never waits for a pipe. The error names the path. */
lt_status lt_os_read_file_up_to(const char *path, size_t most, const lt_allocator *allocator, uint8_t **bytes,
                                size_t *size, lt_error *error);
/* The same for any file below 4 GiB. */
static inline lt_status lt_os_read_file(const char *path, const lt_allocator *allocator, uint8_t **bytes,
                                        size_t *size, lt_error *error) {
    return lt_os_read_file_up_to(path, UINT32_MAX, allocator, bytes, size, error);
}
/* A file that is written piece by piece and has its name once it is whole. A link stays a link: the file that it leads to is
 * replaced, and its folder is where the draft lies. Two drafts of one file never share a name, not even those of two processes. */
typedef struct lt_os_draft {
    char target[LT_OS_PATH];
    char temporary[LT_OS_PATH]; /* empty before lt_os_draft_begin and after the other two */
} lt_os_draft;
/* Makes an empty file with the draft's temporary name. Refuses what is no file, as devices and pipes: those are never replaced. */
lt_status lt_os_draft_begin(lt_os_draft *draft, const char *path, lt_error *error);
/* The draft takes the place of the file that has the name now; if that fails it is removed. Nothing may have it open. */
lt_status lt_os_draft_keep(lt_os_draft *draft, lt_error *error);
void lt_os_draft_drop(lt_os_draft *draft);

/* Writes a whole file or nothing, by a draft. Devices and pipes are written to as they are. */
lt_status lt_os_write_file(const char *path, const void *bytes, size_t size, lt_error *error);
/* Writes into a file that is there, over what it holds from `offset` on and beyond its end; on failure it is as long as
 * before. For files that grow and are whole at every moment. */
lt_status lt_os_write_at(const char *path, uint64_t offset, const void *bytes, size_t size, lt_error *error);
/* A file that can be read, of whatever kind but a folder. */
bool lt_os_file_exists(const char *path);

/* Makes a folder that only its user sees, and those above it that are missing; true when it is there then. */
bool lt_os_make_folders(const char *path);

/* Memory of the C library, of at least that alignment (a power of two); NULL when there is none. */
void *lt_os_allocate(size_t size, size_t alignment);
void lt_os_release(void *memory);

/* Processors this process may run on, at least 1. */
uint32_t lt_os_processor_count(void);

/* Threads, mutexes and conditions; opaque, created on the heap at world creation only.
 * Where a system has no threads, lt_os_thread_start returns NULL and the pool runs on the caller's thread. */
typedef struct lt_os_thread lt_os_thread;
typedef struct lt_os_monitor lt_os_monitor; /* one mutex with one condition */
lt_os_thread *lt_os_thread_start(const lt_allocator *allocator, void (*run)(void *context), void *context);
void lt_os_thread_join(const lt_allocator *allocator, lt_os_thread *thread);
lt_os_monitor *lt_os_monitor_create(const lt_allocator *allocator);
void lt_os_monitor_destroy(const lt_allocator *allocator, lt_os_monitor *monitor);
void lt_os_monitor_lock(lt_os_monitor *monitor);
void lt_os_monitor_unlock(lt_os_monitor *monitor);
void lt_os_monitor_wait(lt_os_monitor *monitor);
void lt_os_monitor_wake_all(lt_os_monitor *monitor);

#endif
