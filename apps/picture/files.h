/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the program asks of the operating system beyond core/os.h: files written piece by piece, folders, the terminal
 * and its own arguments. Names are UTF-8 on every system. errno says what went wrong. One source file per system. */

#ifndef LITHE_PICTURE_FILES_H
#define LITHE_PICTURE_FILES_H

#include <stdbool.h>
#include <stdio.h>

/* First in main: from here on `words` are UTF-8, and standard output has the bytes that were written, no others. */
void lt_files_begin(int *word_count, char ***words);

FILE *lt_file_open(const char *path, const char *mode);
void lt_file_remove(const char *path);
/* A file with an end: no folder, device or pipe. Never waits. */
bool lt_file_is_regular(const char *path);
/* Both names lead to one file that is there. */
bool lt_file_is_same(const char *a, const char *b);
/* Without a name, gone when it is closed; NULL when there can be none. */
FILE *lt_file_unnamed(void);

bool lt_folder_exists(const char *path);
bool lt_folder_make(const char *path);
/* Only an empty one goes. */
void lt_folder_remove(const char *path);

bool lt_is_terminal(FILE *file);

#endif
