/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The files that a command is asked to write, looked at before it begins: an hour of work is not for a folder that is not there,
 * and what is read is not for being written over. */

#ifndef LITHE_APPS_OUTPUT_FILES_H
#define LITHE_APPS_OUTPUT_FILES_H

#include "core/base.h"

typedef struct lt_output_file {
    const char *option;
    const char *path; /* NULL: not asked for; "-": standard output */
} lt_output_file;

/* EXIT_OK, or the exit code after saying what is wrong: a folder that is missing has failed, a file that is the input, or another
 * output as well, is wrong usage. Makes out/ when a path is in it. */
int lt_check_outputs(const char *command, const char *input, const lt_output_file *outputs, uint32_t count);

#endif
