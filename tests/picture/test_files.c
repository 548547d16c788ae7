/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the library and the program ask of the operating system, by nothing but their own functions: the same on every
 * system, with names that are not ASCII. Everything happens in a folder of its own, which is removed again.
 * labels: windows */

#include "check.h"
#include "core/memory.h"
#include "core/os.h"
#include "picture/child.h"
#include "picture/files.h"

#include <errno.h>

static char folder[300];

/* A path in the test's folder; good until the fourth call after it. */
static const char *in_folder(const char *name) {
    static char paths[4][400];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool make_folder(void) {
    const char *names[] = {"TMPDIR", "TEMP", "TMP"}, *base = NULL;
    for (size_t i = 0; !base && i < LT_COUNT_OF(names); i++)
        base = getenv(names[i]);
    for (int i = 0; i < 1000; i++) { /* another test, or one that was stopped, may have the first names */
        snprintf(folder, sizeof folder, "%.200s/lithe-test-fíles-%d", base ? base : "/tmp", i);
        if (lt_folder_make(folder)) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

static void expect_content(const char *path, const void *bytes, size_t size) {
    uint8_t *read = NULL;
    size_t read_size = 0;
    lt_error error = {.message = ""};
    if (lt_os_read_file(path, NULL, &read, &read_size, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_COUNT(read_size, size);
    CHECK(read && read_size == size && memcmp(read, bytes, size) == 0);
    LT_DELETE(NULL, read, read_size, uint8_t);
}

static void names_of_one_file_are_told(void) {
    char around[700];
    const char *a = in_folder("größe-雪.bin"), *b = in_folder("b.bin");
    lt_error error;
    CHECK(!lt_file_is_same(a, a) && !lt_file_is_regular(a)); /* not there */
    CHECK(lt_os_write_file(a, "a", 1, &error) == LT_OK && lt_os_write_file(b, "a", 1, &error) == LT_OK);
    snprintf(around, sizeof around, "%s/./größe-雪.bin", folder);
    CHECK(lt_file_is_same(a, a) && lt_file_is_same(a, around) && lt_file_is_same(folder, folder));
    CHECK(!lt_file_is_same(a, b));
    CHECK(lt_file_is_regular(a) && !lt_file_is_regular(folder));
    lt_file_remove(a);
    lt_file_remove(b);
}

static void bytes_come_back_as_they_were(void) {
    const char *path = in_folder("größe-雪.bin"), *part = in_folder("größe-雪.bin.part");
    lt_error error;
    char bytes[70000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7); /* 10, 13 and 26 are among them */
    CHECK(!lt_os_file_exists(path));
    CHECK(lt_os_write_file(path, bytes, sizeof bytes, &error) == LT_OK);
    expect_content(path, bytes, sizeof bytes);
    CHECK(lt_os_write_file(path, "a\nb\r\n\x1a", 6, &error) == LT_OK); /* replaces */
    expect_content(path, "a\nb\r\n\x1a", 6);
    CHECK(lt_os_file_exists(path) && !lt_os_file_exists(part));
    CHECK(lt_os_write_file(path, "", 0, &error) == LT_OK);
    expect_content(path, "", 0);
    lt_file_remove(path);
    CHECK(!lt_os_file_exists(path));
}

static void expect_refused(const char *path, lt_status expected) {
    uint8_t *bytes = NULL;
    size_t size = 1;
    lt_error error = {.message = ""};
    CHECK(lt_os_read_file(path, NULL, &bytes, &size, &error) == expected);
    CHECK(!bytes && size == 0);
    CHECK(strstr(error.message, "lithe-test-") != NULL);
}

static void what_is_no_file_is_refused_by_name(void) {
    lt_error error = {.message = ""};
    char endless[9000];
    snprintf(endless, sizeof endless, "%s/", folder);
    size_t used = strlen(endless);
    memset(endless + used, 'x', sizeof endless - used - 1);
    endless[sizeof endless - 1] = 0;
    expect_refused(in_folder("missing"), LT_STATUS_NOT_FOUND);
    expect_refused(in_folder("missing/deeper"), LT_STATUS_NOT_FOUND);
    expect_refused(folder, LT_STATUS_IO);
    CHECK(!lt_os_file_exists(folder));
    CHECK(lt_os_write_file(in_folder("missing/deeper"), "x", 1, &error) != LT_OK);
    CHECK(strstr(error.message, "deeper") != NULL);
    CHECK(lt_os_write_file(folder, "x", 1, &error) != LT_OK);
    CHECK(lt_os_write_file(endless, "x", 1, &error) != LT_OK);
    CHECK(lt_folder_exists(folder) && !lt_folder_exists(in_folder("missing")));
}

static void files_are_written_piece_by_piece(void) {
    const char *to = in_folder("één");
    lt_os_draft draft, other;
    lt_error error;
    CHECK(lt_os_write_file(to, "in the way", 10, &error) == LT_OK);
    CHECK_FATAL(lt_os_draft_begin(&draft, to, &error) == LT_OK);
    CHECK_FATAL(lt_os_draft_begin(&other, to, &error) == LT_OK); /* under another name */
    FILE *file = lt_file_open(draft.temporary, "wb");
    CHECK_FATAL(file != NULL);
    fputs("one\n", file);
    CHECK(fclose(file) == 0);
    CHECK(lt_os_draft_keep(&draft, &error) == LT_OK);
    lt_os_draft_drop(&other);
    lt_os_draft_drop(&draft); /* kept, or never begun: nothing to do */
    expect_content(to, "one\n", 4);
    errno = 0;
    CHECK(!lt_file_open(in_folder("missing/deeper"), "wb") && errno == ENOENT);
    lt_folder_remove(folder); /* not empty */
    CHECK(lt_os_file_exists(to));
    lt_file_remove(to);
}

static void an_unnamed_file_can_be_read_again(void) {
    char text[8] = "";
    FILE *file = lt_file_unnamed();
    CHECK_FATAL(file != NULL);
    fputs("again", file);
    rewind(file);
    CHECK(fgets(text, sizeof text, file) && strcmp(text, "again") == 0);
    CHECK(!lt_is_terminal(file));
    fclose(file);
}

/* Runs it with one word of input; its messages are thrown away. */
static int run_child(lt_child *child, const char *const *words) {
    FILE *messages = lt_file_unnamed();
    if (!messages) return EIO;
    int problem = lt_child_start(child, words, messages);
    if (problem == 0) lt_child_write(child, "word\n", 5);
    lt_child_wait(child);
    fclose(messages);
    return problem;
}

static void children_end_with_their_code(void) {
#ifdef _WIN32
    const char *const words[] = {"cmd", "/c", "exit", "3", NULL};
#else
    const char *const words[] = {"sh", "-c", "exit 3", NULL};
#endif
    const char *const unknown[] = {"lithe-no-such-program", NULL};
    lt_child child;
    CHECK(run_child(&child, words) == 0);
    CHECK_COUNT(child.code, 3);
    CHECK(!child.signal && !child.process && child.pipe == -1);
    CHECK(run_child(&child, unknown) == ENOENT);
}

static void memory_is_aligned(void) {
    for (size_t alignment = 8; alignment <= 64; alignment *= 2) {
        void *memory = lt_os_allocate(100, alignment);
        CHECK(memory && (uintptr_t)memory % alignment == 0);
        lt_os_release(memory);
    }
    lt_os_release(NULL);
}

int main(void) {
    if (!make_folder()) {
        printf("skipped: no folder for scratch files\n");
        return 77;
    }
    RUN(names_of_one_file_are_told);
    RUN(bytes_come_back_as_they_were);
    RUN(what_is_no_file_is_refused_by_name);
    RUN(files_are_written_piece_by_piece);
    RUN(an_unnamed_file_can_be_read_again);
    RUN(children_end_with_their_code);
    RUN(memory_is_aligned);
    lt_folder_remove(folder);
    CHECK(!lt_folder_exists(folder));
    return check_finish();
}
