/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is said of another program that failed; starting and ending it is child_posix.c and child_windows.c. */

#include "picture/child.h"

#include <string.h>

/* The last line in the message file that is not blank, without its line break. */
static void last_message(FILE *messages, char *line, size_t size) {
    char tail[1024];
    line[0] = 0;
    if (fseek(messages, 0, SEEK_END) != 0) return;
    long end = ftell(messages), begin = end > (long)sizeof tail - 1 ? end - (long)(sizeof tail - 1) : 0;
    if (end < 0 || fseek(messages, begin, SEEK_SET) != 0) return;
    size_t count = fread(tail, 1, sizeof tail - 1, messages);
    while (count > 0 && (tail[count - 1] == '\n' || tail[count - 1] == '\r' || tail[count - 1] == ' '))
        count--;
    tail[count] = 0;
    char *start = strrchr(tail, '\n');
    start = start ? start + 1 : tail;
    size_t length = lt_min_u64(strlen(start), size - 1);
    memcpy(line, start, length);
    line[length] = 0;
}

lt_status lt_child_fail(const lt_child *child, FILE *messages, const char *program, const char *path,
                        lt_error *error) {
    char line[160];
    last_message(messages, line, sizeof line);
    if (child->signal)
        return lt_fail(error, LT_STATUS_IO, "%.100s: %s was stopped by signal %d", path, program,
                       child->signal);
    if (line[0]) return lt_fail(error, LT_STATUS_IO, "%.100s: %s failed: %s", path, program, line);
    return lt_fail(error, LT_STATUS_IO, "%.100s: %s failed with code %d and said nothing", path, program,
                   child->code);
}
