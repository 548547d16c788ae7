/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Another program, started without a shell, that reads what is written to it: found on PATH, its output thrown away, its
 * messages in a file. Ctrl-C does not reach it. One source file per system. */

#ifndef LITHE_PICTURE_CHILD_H
#define LITHE_PICTURE_CHILD_H

#include "core/base.h"

#include <stdio.h>

typedef struct lt_child {
    intptr_t process; /* 0: not running */
    intptr_t pipe;    /* the end that is written to, or -1 */
    int code;         /* how it ended: its exit code, or */
    int signal;       /* what ended it */
} lt_child;

/* `arguments` end with NULL; the first is the program. Returns 0 or an error as in errno; ENOENT: no such program. */
int lt_child_start(lt_child *child, const char *const *arguments, FILE *messages);
/* False when it reads no longer; this process lives on. */
bool lt_child_write(lt_child *child, const void *bytes, size_t size);
/* Ends its input and waits for it. */
void lt_child_wait(lt_child *child);
/* Ends it at once. */
void lt_child_kill(lt_child *child);
/* After lt_child_wait: an error with the last line the child said, or how it ended. */
lt_status lt_child_fail(const lt_child *child, FILE *messages, const char *program, const char *path,
                        lt_error *error);

#endif
