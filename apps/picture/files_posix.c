/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "picture/files.h"

#include <sys/stat.h>
#include <unistd.h>

void lt_files_begin(int *word_count, char ***words) {
    (void)word_count, (void)words;
}

FILE *lt_file_open(const char *path, const char *mode) {
    return fopen(path, mode);
}

bool lt_file_rename(const char *from, const char *to) {
    return rename(from, to) == 0;
}

void lt_file_remove(const char *path) {
    remove(path);
}

FILE *lt_file_unnamed(void) {
    return tmpfile();
}

bool lt_folder_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool lt_folder_make(const char *path) {
    return mkdir(path, 0777) == 0;
}

void lt_folder_remove(const char *path) {
    rmdir(path);
}

bool lt_is_terminal(FILE *file) {
    return isatty(fileno(file));
}
