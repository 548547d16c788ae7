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

void lt_file_remove(const char *path) {
    remove(path);
}

bool lt_file_is_regular(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool lt_file_is_same(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
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
