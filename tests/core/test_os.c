/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Files: whole or not at all, and errors that name the path. Everything happens in a folder of its own, which is
 * removed again. The clock is only asked whether it goes backwards. */

#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700
#endif

#include "check.h"
#include "core/memory.h"
#include "core/os.h"
#include "core/random.h"
#include "failing_allocator.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

/* A path in the test's folder; good until the fourth call after it. */
static const char *in_folder(const char *name) {
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool make_folder(void) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/lithe-test-os-XXXXXX", base && strlen(base) < 150 ? base : "/tmp");
    return mkdtemp(folder) != NULL;
}

static bool exists(const char *name) {
    struct stat info;
    return lstat(in_folder(name), &info) == 0;
}

static void check_read_fails(const char *path, const lt_allocator *allocator, lt_status status) {
    uint8_t *bytes = (uint8_t *)&bytes;
    size_t size = 99;
    lt_error error = {0};
    CHECK(lt_os_read_file(path, allocator, &bytes, &size, &error) == status);
    CHECK(error.status == status);
    CHECK_CONTAINS(error.message, path);
    CHECK(bytes == NULL && size == 0);
    CHECK(lt_os_read_file(path, allocator, &bytes, &size, NULL) == status);
}

static void check_write_fails(const char *name, lt_status status) {
    lt_error error = {0};
    CHECK(lt_os_write_file(in_folder(name), "new", 3, &error) == status);
    CHECK(error.status == status);
    CHECK_CONTAINS(error.message, in_folder(name));
    CHECK(lt_os_write_file(in_folder(name), "new", 3, NULL) == status);
}

static void check_holds(const char *name, const void *expected, size_t expected_size) {
    uint8_t *bytes;
    size_t size;
    lt_error error;
    CHECK_FATAL(lt_os_read_file(in_folder(name), NULL, &bytes, &size, &error) == LT_OK);
    CHECK_COUNT(size, expected_size);
    CHECK(bytes != NULL);
    CHECK(size == expected_size && memcmp(bytes, expected, size) == 0);
    LT_DELETE(NULL, bytes, size, uint8_t);
}

static void missing_files_are_not_found(void) {
    check_read_fails(in_folder("missing"), NULL, LT_STATUS_NOT_FOUND);
    check_read_fails(in_folder("no/such/folder"), NULL, LT_STATUS_NOT_FOUND);
    check_read_fails("", NULL, LT_STATUS_NOT_FOUND);
}

static void folders_are_no_files(void) {
    check_read_fails(folder, NULL, LT_STATUS_IO);
    check_read_fails(in_folder("."), NULL, LT_STATUS_IO);
    check_read_fails("/dev/null", NULL, LT_STATUS_IO); /* nor are devices */
}

/* Nobody writes into it: whoever waited would wait for ever. */
static void pipes_are_refused_at_once(void) {
    CHECK_FATAL(mkfifo(in_folder("pipe"), 0600) == 0);
    check_read_fails(in_folder("pipe"), NULL, LT_STATUS_IO);
    CHECK(unlink(in_folder("pipe")) == 0);
}

/* Nothing is allocated for a file that is too large: the allocator has nothing to give. */
static void more_than_was_asked_for_is_refused(void) {
    uint8_t *bytes;
    size_t size;
    lt_error error = {0};
    failing nothing = failing_after(0);
    lt_allocator allocator = failing_allocator(&nothing);
    CHECK(lt_os_write_file(in_folder("five"), "12345", 5, NULL) == LT_OK);
    CHECK(lt_os_read_file_up_to(in_folder("five"), 4, &allocator, &bytes, &size, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "five: 5 bytes are too many: at most 4 are read");
    CHECK(lt_os_read_file_up_to(in_folder("five"), 5, NULL, &bytes, &size, &error) == LT_OK && size == 5);
    LT_DELETE(NULL, bytes, size, uint8_t);
    CHECK(unlink(in_folder("five")) == 0);
}

static void what_is_written_is_read(void) {
    lt_random random = lt_random_seed(1);
    static uint8_t bytes[100000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)lt_random_u32(&random);
    const size_t sizes[] = {sizeof bytes, 1, 4096, 0, 17}; /* longer ones are replaced by shorter ones */
    for (size_t i = 0; i < LT_COUNT_OF(sizes); i++) {
        lt_error error;
        CHECK(lt_os_write_file(in_folder("data"), bytes, sizes[i], &error) == LT_OK);
        check_holds("data", bytes, sizes[i]);
        CHECK(!exists("data.part"));
    }
    CHECK(lt_os_write_file(in_folder("empty"), NULL, 0, NULL) == LT_OK);
    check_holds("empty", "", 0);
    unlink(in_folder("data"));
    unlink(in_folder("empty"));
}

static void a_failed_write_leaves_nothing_behind(void) {
    check_write_fails("no-folder/file", LT_STATUS_NOT_FOUND);
    CHECK(!exists("no-folder"));

    /* A folder of that name, with something in it. */
    CHECK(mkdir(in_folder("taken"), 0777) == 0);
    CHECK(lt_os_write_file(in_folder("taken/inside"), "old", 3, NULL) == LT_OK);
    check_write_fails("taken", LT_STATUS_IO);
    CHECK(!exists("taken.part"));
    check_holds("taken/inside", "old", 3);
    unlink(in_folder("taken/inside"));
    check_write_fails("taken", LT_STATUS_IO);
    CHECK(exists("taken") && !exists("taken.part"));
    CHECK(rmdir(in_folder("taken")) == 0);

    /* The temporary name is taken: the old file stays as it is. */
    CHECK(lt_os_write_file(in_folder("old"), "old", 3, NULL) == LT_OK);
    CHECK(mkdir(in_folder("old.part"), 0777) == 0);
    check_write_fails("old", LT_STATUS_IO);
    check_holds("old", "old", 3);
    CHECK(rmdir(in_folder("old.part")) == 0);
    unlink(in_folder("old"));
}

static void a_path_that_is_too_long_is_refused(void) {
    static char path[5000];
    memset(path, 'x', sizeof path - 1);
    lt_error error = {0};
    CHECK(lt_os_write_file(path, "", 0, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "xxxx");
    uint8_t *bytes;
    size_t size;
    CHECK(lt_os_read_file(path, NULL, &bytes, &size, &error) == LT_STATUS_IO);
    CHECK(bytes == NULL);
}

static void no_memory_is_said_and_nothing_leaks(void) {
    CHECK(lt_os_write_file(in_folder("data"), "12345", 5, NULL) == LT_OK);
    failing f = failing_after(0);
    lt_allocator allocator = failing_allocator(&f);
    check_read_fails(in_folder("data"), &allocator, LT_STATUS_MEMORY);
    CHECK_COUNT(f.blocks_out, 0);
    f = failing_after(1);
    uint8_t *bytes;
    size_t size;
    CHECK(lt_os_read_file(in_folder("data"), &allocator, &bytes, &size, NULL) == LT_OK);
    LT_DELETE(&allocator, bytes, size, uint8_t);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
    unlink(in_folder("data"));
}

/* Files with holes, which take no room. One byte less than 4 GiB gets as far as asking for memory. */
static void four_gibibytes_are_refused(void) {
    failing f = failing_after(0);
    lt_allocator allocator = failing_allocator(&f);
    CHECK(lt_os_write_file(in_folder("large"), "", 0, NULL) == LT_OK);
    if (truncate(in_folder("large"), (off_t)1 << 32) == 0) {
        check_read_fails(in_folder("large"), &allocator, LT_STATUS_IO);
        CHECK(truncate(in_folder("large"), ((off_t)1 << 32) - 1) == 0);
        check_read_fails(in_folder("large"), &allocator, LT_STATUS_MEMORY);
    } else {
        check_skip("no room for a file of 4 GiB, even an empty one");
    }
    unlink(in_folder("large"));
}

static void clocks_do_not_go_backwards(void) {
    uint64_t now = lt_os_now_ns(), used = lt_os_thread_cpu_ns();
    for (int i = 0; i < 1000; i++) {
        uint64_t next = lt_os_now_ns(), next_used = lt_os_thread_cpu_ns();
        CHECK(next >= now && next_used >= used);
        now = next;
        used = next_used;
    }
    CHECK(lt_os_processor_count() >= 1);
}

int main(void) {
    if (!make_folder()) {
        check_skip("no folder for temporary files");
        return check_finish();
    }
    RUN(missing_files_are_not_found);
    RUN(folders_are_no_files);
    RUN(pipes_are_refused_at_once);
    RUN(more_than_was_asked_for_is_refused);
    RUN(what_is_written_is_read);
    RUN(a_failed_write_leaves_nothing_behind);
    RUN(a_path_that_is_too_long_is_refused);
    RUN(no_memory_is_said_and_nothing_leaks);
    RUN(four_gibibytes_are_refused);
    RUN(clocks_do_not_go_backwards);
    CHECK(rmdir(folder) == 0); /* nothing is left in it */
    return check_finish();
}
