/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* POSIX: Linux, macOS, the BSDs. Built for WASI too, where the thread half is left out. */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "core/memory.h"
#include "core/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t lt_os_now_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t lt_os_thread_cpu_ns(void) {
#ifdef __wasi__
    return read_clock(CLOCK_MONOTONIC);
#else
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
#endif
}

static lt_status fail_with_errno(lt_error *error, const char *path, const char *doing) {
    lt_status status = errno == ENOENT ? LT_STATUS_NOT_FOUND : LT_STATUS_IO;
    return lt_fail(error, status, "%s: cannot %s: %s", path, doing, strerror(errno));
}

static lt_status read_all(int file, const char *path, uint8_t *bytes, size_t size, lt_error *error) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(file, bytes + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_with_errno(error, path, "read");
        if (got == 0) return lt_fail(error, LT_STATUS_IO, "%s: the file became shorter while read", path);
        done += (size_t)got;
    }
    return LT_OK;
}

static lt_status file_size(int file, const char *path, size_t most, size_t *size, lt_error *error) {
    struct stat info;
    if (fstat(file, &info) != 0) return fail_with_errno(error, path, "examine");
    if (S_ISDIR(info.st_mode)) return lt_fail(error, LT_STATUS_IO, "%s: a folder; give a file", path);
    if (!S_ISREG(info.st_mode))
        return lt_fail(error, LT_STATUS_IO,
                       "%s: not a regular file; devices and pipes have no end: copy it to a file", path);
    if ((uint64_t)info.st_size > most)
        return lt_fail(error, LT_STATUS_IO, "%s: %llu bytes are too many: at most %zu are read", path,
                       (unsigned long long)info.st_size, most);
    *size = (size_t)info.st_size;
    return LT_OK;
}

lt_status lt_os_read_file_up_to(const char *path, size_t most, const lt_allocator *allocator, uint8_t **bytes,
                                size_t *size, lt_error *error) {
    *bytes = NULL;
    *size = 0;
    int file = open(path, O_RDONLY | O_NONBLOCK); /* or opening a pipe would wait for somebody to write */
    if (file < 0) return fail_with_errno(error, path, "open");
    lt_status status = file_size(file, path, most, size, error);
    if (status == LT_OK && !(*bytes = LT_NEW(allocator, *size, uint8_t)))
        status = lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %zu bytes", path, *size);
    if (status == LT_OK) status = read_all(file, path, *bytes, *size, error);
    if (status != LT_OK) {
        LT_DELETE(allocator, *bytes, *size, uint8_t);
        *bytes = NULL;
        *size = 0;
    }
    close(file);
    return status;
}

static bool write_all(int file, const uint8_t *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t put = write(file, bytes + done, size - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        done += (size_t)put;
    }
    return true;
}

/* Devices and pipes cannot be replaced by renaming: they are written to. */
static bool is_special(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static lt_status write_special(const char *path, const void *bytes, size_t size, lt_error *error) {
    int file = open(path, O_WRONLY);
    if (file < 0) return fail_with_errno(error, path, "open");
    bool ok = write_all(file, bytes, size);
    lt_status status = ok ? LT_OK : fail_with_errno(error, path, "write");
    close(file);
    return status;
}

/* ---- drafts ---- */

static lt_status fail_length(lt_error *error, const char *path) {
    return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
}

/* Replaces a link in `target` by what it says, from its own folder on unless that begins at the root. False when it is no link. */
static bool follow_link(char target[LT_OS_PATH], bool *fits) {
    char said[LT_OS_PATH];
    ssize_t length = readlink(target, said, sizeof said);
    if (length < 0) return false;
    const char *slash = strrchr(target, '/');
    size_t folder = said[0] == '/' || !slash ? 0 : (size_t)(slash - target) + 1;
    *fits = folder + (size_t)length < LT_OS_PATH;
    if (!*fits) return false;
    memcpy(target + folder, said, (size_t)length);
    target[folder + (size_t)length] = 0;
    return true;
}

/* The file that a name leads to, there or not. */
static lt_status follow_links(char target[LT_OS_PATH], const char *path, lt_error *error) {
    enum { MOST_LINKS = 40 }; /* as Linux has it */
    bool fits = strlen(path) < LT_OS_PATH;
    if (!fits) return fail_length(error, path);
    memcpy(target, path, strlen(path) + 1);
    for (uint32_t i = 0; i < MOST_LINKS; i++)
        if (!follow_link(target, &fits)) return fits ? LT_OK : fail_length(error, path);
    errno = ELOOP;
    return fail_with_errno(error, path, "open");
}

static unsigned long process_number(void) {
#ifdef __wasi__
    return 0;
#else
    return (unsigned long)getpid();
#endif
}

/* Opens a new file for writing. A draft that a killed process left behind keeps its name: the next number is tried. */
static lt_status open_draft(lt_os_draft *draft, int *file, const char *path, lt_error *error) {
    enum { MOST_DRAFTS = 1000 };
    *file = -1;
    draft->temporary[0] = 0;
    lt_status status = follow_links(draft->target, path, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < MOST_DRAFTS && *file < 0; i++) {
        int length = snprintf(draft->temporary, sizeof draft->temporary, "%s.%lu-%u.part", draft->target,
                              process_number(), i);
        if ((size_t)length >= sizeof draft->temporary) {
            draft->temporary[0] = 0;
            return fail_length(error, path);
        }
        *file = open(draft->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (*file < 0 && errno != EEXIST) break;
    }
    if (*file >= 0) return LT_OK;
    draft->temporary[0] = 0;
    return fail_with_errno(error, path, "create");
}

lt_status lt_os_draft_begin(lt_os_draft *draft, const char *path, lt_error *error) {
    int file;
    draft->temporary[0] = 0;
    if (is_special(path)) return lt_fail(error, LT_STATUS_IO, "%s: a device or a pipe; name a file", path);
    lt_status status = open_draft(draft, &file, path, error);
    if (status == LT_OK) close(file);
    return status;
}

lt_status lt_os_draft_keep(lt_os_draft *draft, lt_error *error) {
    LT_ASSERT(draft->temporary[0]);
    bool kept = rename(draft->temporary, draft->target) == 0;
    lt_status status = kept ? LT_OK : fail_with_errno(error, draft->target, "write");
    if (kept) draft->temporary[0] = 0;
    lt_os_draft_drop(draft);
    return status;
}

void lt_os_draft_drop(lt_os_draft *draft) {
    if (draft->temporary[0]) unlink(draft->temporary);
    draft->temporary[0] = 0;
}

lt_status lt_os_write_file(const char *path, const void *bytes, size_t size, lt_error *error) {
    if (is_special(path)) return write_special(path, bytes, size, error);
    lt_os_draft draft;
    int file;
    lt_status status = open_draft(&draft, &file, path, error);
    if (status != LT_OK) return status;
    if (!write_all(file, bytes, size)) status = fail_with_errno(error, path, "write");
    if (close(file) != 0 && status == LT_OK) status = fail_with_errno(error, path, "write");
    if (status == LT_OK) return lt_os_draft_keep(&draft, error);
    lt_os_draft_drop(&draft);
    return status;
}

lt_status lt_os_write_at(const char *path, uint64_t offset, const void *bytes, size_t size, lt_error *error) {
    int file = open(path, O_WRONLY);
    if (file < 0) return fail_with_errno(error, path, "open");
    struct stat info;
    bool known = fstat(file, &info) == 0;
    bool ok = known && lseek(file, (off_t)offset, SEEK_SET) >= 0 && write_all(file, bytes, size);
    int write_error = errno;
    bool as_before = ok || !known || ftruncate(file, info.st_size) == 0;
    (void)as_before; /* nothing more can be done; what is told is why it could not be written */
    if (close(file) != 0 && ok) {
        ok = false;
        write_error = errno;
    }
    if (ok) return LT_OK;
    errno = write_error;
    return fail_with_errno(error, path, "write");
}

bool lt_os_file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode) && access(path, R_OK) == 0;
}

static bool make_folder(const char *path) {
    struct stat info;
    if (mkdir(path, 0700) == 0) return true;
    return errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The last one decides: those above may be folders of others, which cannot be made but are there. */
bool lt_os_make_folders(const char *path) {
    char part[LT_OS_PATH];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) return false;
    memcpy(part, path, length + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)make_folder(part);
        *slash = '/';
    }
    return make_folder(path);
}

void *lt_os_allocate(size_t size, size_t alignment) {
    return aligned_alloc(alignment, lt_align_up(size, alignment));
}

void lt_os_release(void *memory) {
    free(memory);
}

#ifdef __wasi__

uint32_t lt_os_processor_count(void) {
    return 1;
}

struct lt_os_monitor {
    int unused;
};

lt_os_thread *lt_os_thread_start(const lt_allocator *allocator, void (*run)(void *), void *context) {
    (void)allocator, (void)run, (void)context;
    return NULL;
}
void lt_os_thread_join(const lt_allocator *allocator, lt_os_thread *thread) {
    (void)allocator, (void)thread;
}
lt_os_monitor *lt_os_monitor_create(const lt_allocator *allocator) {
    return LT_NEW(allocator, 1, lt_os_monitor);
}
void lt_os_monitor_destroy(const lt_allocator *allocator, lt_os_monitor *monitor) {
    LT_DELETE(allocator, monitor, 1, lt_os_monitor);
}
void lt_os_monitor_lock(lt_os_monitor *monitor) {
    (void)monitor;
}
void lt_os_monitor_unlock(lt_os_monitor *monitor) {
    (void)monitor;
}
void lt_os_monitor_wait(lt_os_monitor *monitor) {
    (void)monitor;
}
void lt_os_monitor_wake_all(lt_os_monitor *monitor) {
    (void)monitor;
}

#else

#include <pthread.h>

uint32_t lt_os_processor_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (uint32_t)count;
}

struct lt_os_thread {
    pthread_t thread;
    void (*run)(void *context);
    void *context;
};

struct lt_os_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

static void *thread_main(void *argument) {
    lt_os_thread *thread = argument;
    thread->run(thread->context);
    return NULL;
}

lt_os_thread *lt_os_thread_start(const lt_allocator *allocator, void (*run)(void *), void *context) {
    lt_os_thread *thread = LT_NEW(allocator, 1, lt_os_thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->context = context;
    if (pthread_create(&thread->thread, NULL, thread_main, thread) == 0) return thread;
    LT_DELETE(allocator, thread, 1, lt_os_thread);
    return NULL;
}

void lt_os_thread_join(const lt_allocator *allocator, lt_os_thread *thread) {
    pthread_join(thread->thread, NULL);
    LT_DELETE(allocator, thread, 1, lt_os_thread);
}

lt_os_monitor *lt_os_monitor_create(const lt_allocator *allocator) {
    lt_os_monitor *monitor = LT_NEW(allocator, 1, lt_os_monitor);
    if (!monitor) return NULL;
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->condition, NULL);
    return monitor;
}

void lt_os_monitor_destroy(const lt_allocator *allocator, lt_os_monitor *monitor) {
    if (!monitor) return;
    pthread_cond_destroy(&monitor->condition);
    pthread_mutex_destroy(&monitor->mutex);
    LT_DELETE(allocator, monitor, 1, lt_os_monitor);
}

void lt_os_monitor_lock(lt_os_monitor *monitor) {
    pthread_mutex_lock(&monitor->mutex);
}
void lt_os_monitor_unlock(lt_os_monitor *monitor) {
    pthread_mutex_unlock(&monitor->mutex);
}
void lt_os_monitor_wait(lt_os_monitor *monitor) {
    pthread_cond_wait(&monitor->condition, &monitor->mutex);
}
void lt_os_monitor_wake_all(lt_os_monitor *monitor) {
    pthread_cond_broadcast(&monitor->condition);
}

#endif
