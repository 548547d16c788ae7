/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Running the built program ($LITHE_PROGRAM) in a folder of its own, and looking at what it said and left. */

#ifndef LITHE_TESTS_RUN_PROGRAM_H
#define LITHE_TESTS_RUN_PROGRAM_H

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *program;
static char folder[] = "/tmp/lithe-program-XXXXXX";

/* ---- running ---- */

static char out_text[1 << 20], err_text[1 << 16];

static inline void path_in(char *path, size_t capacity, const char *name) {
    snprintf(path, capacity, "%s/%s", folder, name);
}

static inline size_t read_text(const char *name, char *text, size_t capacity) {
    char path[256];
    path_in(path, sizeof path, name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, capacity - 1, file) : 0;
    text[size] = 0;
    if (file) fclose(file);
    return size;
}

/* Splits at blanks; @ at the beginning of a word stands for the test's folder. */
static inline int split_words(const char *line, char storage[][256], char **words) {
    int count = 0;
    words[count++] = (char *)program;
    while (*line) {
        size_t length = strcspn(line, " ");
        snprintf(storage[count], 256, "%s%s%.*s", *line == '@' ? folder : "", *line == '@' ? "/" : "",
                 (int)(length - (*line == '@')), line + (*line == '@'));
        words[count] = storage[count];
        count++;
        line += length + (line[length] == ' ');
    }
    words[count] = NULL;
    return count;
}

static inline pid_t start(const char *line, int out_pipe) {
    char storage[32][256], *words[33], out_path[256], err_path[256];
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    split_words(line, storage, words);
    path_in(out_path, sizeof out_path, "out.txt");
    path_in(err_path, sizeof err_path, "err.txt");
    posix_spawn_file_actions_init(&actions);
    if (out_pipe >= 0)
        posix_spawn_file_actions_adddup2(&actions, out_pipe, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, out_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (posix_spawn(&child, program, &actions, NULL, words, environ) != 0) child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static inline int finish(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    read_text("out.txt", out_text, sizeof out_text);
    read_text("err.txt", err_text, sizeof err_text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline int run(const char *line) {
    return finish(start(line, -1));
}

static inline void check_run(const char *line, int code, const char *part) {
    int got = run(line);
    if (got != code) CHECK_FAIL_MESSAGE("lithe %s: exit %d, not %d: %s", line, got, code, err_text);
    CHECK_CONTAINS(code == 0 ? out_text : err_text, part);
}

/* The hash that the summary ends with. */
static inline void summary_hash(char hash[17]) {
    const char *at = strstr(out_text, "  hash       ");
    CHECK_FATAL(at != NULL);
    memcpy(hash, at + 13, 16);
    hash[16] = 0;
}

/* ---- files ---- */

static inline bool exists(const char *name) {
    char path[256];
    struct stat info;
    path_in(path, sizeof path, name);
    return stat(path, &info) == 0;
}

static inline void write_text(const char *name, const char *text) {
    char path[256];
    path_in(path, sizeof path, name);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/* Removes everything but the captured streams; returns how many files there were. */
static inline int clear_folder(void) {
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[400];
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.')) continue;
        if (strcmp(entry->d_name, "out.txt") != 0 && strcmp(entry->d_name, "err.txt") != 0) count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir) closedir(dir);
    return count;
}

static inline bool ends_as_png(const char *name) {
    static char bytes[1 << 22];
    size_t size = read_text(name, bytes, sizeof bytes);
    return size > 50 && memcmp(bytes, "\x89PNG", 4) == 0 && memcmp(bytes + size - 8, "IEND", 4) == 0;
}

static inline bool are_same(const char *a, const char *b) {
    static char texts[2][1 << 16];
    size_t sizes[2] = {read_text(a, texts[0], sizeof texts[0]), read_text(b, texts[1], sizeof texts[1])};
    return sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0;
}

static inline void check_differ(const char *a, const char *b) {
    if (are_same(a, b)) CHECK_FAIL_MESSAGE("%s and %s are the same", a, b);
}

static inline void check_same(const char *a, const char *b) {
    if (!are_same(a, b)) CHECK_FAIL_MESSAGE("%s and %s differ", a, b);
}

/* True when there is a program to test, and a folder to do it in. */
static inline bool begin_program(void) {
    program = getenv("LITHE_PROGRAM");
    if (program && mkdtemp(folder)) return true;
    check_skip("LITHE_PROGRAM does not name the program");
    return false;
}

static inline int finish_program(void) {
    clear_folder();
    rmdir(folder);
    return check_finish();
}

#endif
