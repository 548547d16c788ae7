/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Another program, run without a shell; what it says is kept for the message when it fails. */

#ifndef LITHE_APPS_PICTURE_CHILD_H
#define LITHE_APPS_PICTURE_CHILD_H

#include "core/base.h"

#include <stdio.h>
#include <sys/types.h>

/* Zeroed: not started. */
typedef struct lt_child {
    FILE *messages;
    pid_t id; /* 0: not running */
    int wait_status;
} lt_child;

bool lt_close_on_exec(int file);

/* `arguments` end with NULL; the first is the program, sought in PATH. Returns 0 or an error number, ENOENT when there
 * is no such program.
 *
 * With an `input` the child reads from it, only its errors are kept, and Ctrl-C is not for it: it ends with its input.
 * With -1 it has no input, all it says is kept, and Ctrl-C ends it too. */
int lt_child_start(lt_child *child, const char *const arguments[], int input);
void lt_child_kill(lt_child *child);
/* Safe when it is not running. */
void lt_child_wait(lt_child *child);
/* After lt_child_wait. */
bool lt_child_succeeded(const lt_child *child);
/* After lt_child_wait: an error that has the last line the child said, or how it ended. */
lt_status lt_child_fail(lt_child *child, const char *program, const char *path, lt_error *error);
/* Of a child that is not running; safe on zeroed ones. */
void lt_child_free(lt_child *child);

#endif
