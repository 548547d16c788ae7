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

#include <signal.h>
#include <sys/resource.h>
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
    check_holds("taken/inside", "old", 3);
    unlink(in_folder("taken/inside"));
    check_write_fails("taken", LT_STATUS_IO);
    CHECK(exists("taken"));
    CHECK(rmdir(in_folder("taken")) == 0);

    /* A disk that is full after two bytes: the old file stays as it is. */
    struct rlimit before, limit;
    CHECK(lt_os_write_file(in_folder("old"), "old", 3, NULL) == LT_OK);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = (struct rlimit){.rlim_cur = 2, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    check_write_fails("old", LT_STATUS_IO);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    check_holds("old", "old", 3);
    unlink(in_folder("old"));
    CHECK(rmdir(folder) == 0 && mkdir(folder, 0700) == 0); /* no draft is left */
}

static bool is_link(const char *name) {
    struct stat info;
    return lstat(in_folder(name), &info) == 0 && S_ISLNK(info.st_mode);
}

static void links_are_written_through(void) {
    CHECK(mkdir(in_folder("sub"), 0777) == 0);
    CHECK(symlink("sub/second", in_folder("first")) == 0); /* by its own folder, not by this process's */
    CHECK(symlink(in_folder("data"), in_folder("sub/second")) == 0);
    for (int i = 0; i < 2; i++) { /* the file is not there at first */
        CHECK(lt_os_write_file(in_folder("first"), "linked", 6, NULL) == LT_OK);
        CHECK(is_link("first") && is_link("sub/second") && !is_link("data"));
        check_holds("data", "linked", 6);
    }
    CHECK(symlink("round", in_folder("round")) == 0);
    check_write_fails("round", LT_STATUS_IO);
    CHECK(is_link("round"));
    CHECK(unlink(in_folder("round")) == 0 && unlink(in_folder("first")) == 0);
    CHECK(unlink(in_folder("sub/second")) == 0 && unlink(in_folder("data")) == 0);
    CHECK(rmdir(in_folder("sub")) == 0);
}

/* A draft left by a process that was killed is not taken, and two at once have two names. */
static void drafts_share_no_name(void) {
    lt_os_draft drafts[3];
    for (uint32_t i = 0; i < 3; i++) {
        struct stat info;
        CHECK(lt_os_draft_begin(&drafts[i], in_folder("data"), NULL) == LT_OK);
        CHECK(stat(drafts[i].temporary, &info) == 0);
        for (uint32_t k = 0; k < i; k++)
            CHECK(strcmp(drafts[i].temporary, drafts[k].temporary) != 0);
    }
    CHECK(!exists("data"));
    lt_os_draft_drop(&drafts[1]);
    CHECK(lt_os_draft_keep(&drafts[0], NULL) == LT_OK && lt_os_draft_keep(&drafts[2], NULL) == LT_OK);
    CHECK(exists("data") && unlink(in_folder("data")) == 0);
    lt_error error;
    CHECK(lt_os_draft_begin(&drafts[0], "/dev/null", &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "/dev/null: a device or a pipe");
    CHECK(rmdir(folder) == 0 && mkdir(folder, 0700) == 0); /* nothing is left */
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
    RUN(links_are_written_through);
    RUN(drafts_share_no_name);
    RUN(a_path_that_is_too_long_is_refused);
    RUN(no_memory_is_said_and_nothing_leaks);
    RUN(four_gibibytes_are_refused);
    RUN(clocks_do_not_go_backwards);
    CHECK(rmdir(folder) == 0); /* nothing is left in it */
    return check_finish();
}
