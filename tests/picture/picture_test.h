/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the picture tests share: an allocator that fails on order and counts, a folder for scratch files,
 * pictures with something in them. A file that includes it defines _POSIX_C_SOURCE first. */

#ifndef LITHE_TESTS_PICTURE_TEST_H
#define LITHE_TESTS_PICTURE_TEST_H

#include "check.h"
#include "picture/image.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct failing_allocator {
    size_t live_bytes;
    int until_failure; /* allocations that still succeed; negative: all do */
} failing_allocator;

static inline void *failing_allocate(void *context, size_t size, size_t alignment) {
    failing_allocator *failing = context;
    if (failing->until_failure == 0) return NULL;
    if (failing->until_failure > 0) failing->until_failure--;
    lt_allocator plain = lt_allocator_default();
    void *memory = plain.allocate(plain.context, size, alignment);
    if (memory) failing->live_bytes += size;
    return memory;
}

static inline void failing_release(void *context, void *memory, size_t size) {
    failing_allocator *failing = context;
    lt_allocator plain = lt_allocator_default();
    if (memory) failing->live_bytes -= size;
    plain.release(plain.context, memory, size);
}

static inline lt_allocator failing_as_allocator(failing_allocator *failing) {
    return (lt_allocator){failing_allocate, failing_release, failing};
}

/* An empty folder of this test's own; its path stays valid. */
static inline const char *scratch_folder(void) {
    static char path[256];
    if (!path[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(path, sizeof path, "%.200s/lithe-test-XXXXXX", base && base[0] ? base : "/tmp");
        if (!mkdtemp(path)) exit(2);
    }
    return path;
}

/* Up to eight paths in scratch_folder at a time. */
static inline const char *scratch_path(const char *name) {
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder(), name);
    return path;
}

static inline bool path_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

/* Entries in a folder, apart from . and .. */
static inline int count_entries(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory) return -1;
    int count = -2;
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

/* A full disk, as far as this process and its children see it: files end after `size` bytes. Returns how it was. */
static inline struct rlimit limit_files(rlim_t size) {
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = (struct rlimit){.rlim_cur = size, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    return before;
}

static inline void remove_scratch(void) {
    DIR *directory = opendir(scratch_folder());
    if (!directory) return;
    const struct dirent *entry;
    while ((entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(scratch_path(entry->d_name));
    closedir(directory);
    rmdir(scratch_folder());
}

/* A gradient with a moving block: every filter has something to do. */
static inline lt_image test_image(uint32_t width, uint32_t height, uint32_t frame) {
    lt_image image;
    if (lt_image_allocate(&image, width, height, LT_IMAGE_RGB8, NULL, NULL) != LT_OK) exit(2);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *pixel = lt_image_pixel(&image, x, y);
            bool block = x >= 3 + frame && x < 8 + frame && y >= 2 && y < 6;
            pixel[0] = (uint8_t)(block ? 250 : 5 * x);
            pixel[1] = (uint8_t)(block ? 10 * frame : 7 * y);
            pixel[2] = (uint8_t)(block ? x * y : 3 * x + 2 * y + (x * x * 31 + y * 17) % 5);
        }
    return image;
}

#endif
