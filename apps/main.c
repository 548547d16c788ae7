/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The program `lithe`: a table of sub-commands. */

#include "commands.h"
#include "core/base.h"
#include "options.h"
#include "picture/files.h"
#include "scenes/near_names.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name, *about;
    int (*run)(int word_count, char **words);
} command;

static const command commands[] = {
#define COMMAND_ENTRY(name, about) {#name, about, lt_command_##name},
    LT_COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

static int print_help(FILE *file) {
    fprintf(file,
            "lithe %s: soft bodies whose collision handling keeps its time budget\n\n"
            "Usage: lithe COMMAND [arguments] [options]\n\n",
            lt_version());
    for (size_t i = 0; i < LT_COUNT_OF(commands); i++)
        fprintf(file, "  %-10s%s\n", commands[i].name, commands[i].about);
    fprintf(file, "\nlithe COMMAND --help tells more; lithe --version the version.\n"
                  "Begin with: lithe run demo --record demo.apng\n");
    return file == stdout ? EXIT_OK : EXIT_USAGE;
}

static int say_unknown(const char *name) {
    const char *names[LT_COUNT_OF(commands)];
    char near_names[200];
    for (size_t i = 0; i < LT_COUNT_OF(commands); i++)
        names[i] = commands[i].name;
    lt_near_names(name, names, LT_COUNT_OF(commands), near_names, sizeof near_names);
    return lt_say_usage("", "there is no command \"%s\"; did you mean %s?", name, near_names);
}

/* A full disk is noticed when the last of it is written. */
static int check_standard_output(const char *name, int code) {
    bool is_whole = fflush(stdout) == 0 && !ferror(stdout);
    return is_whole || code != EXIT_OK ? code : lt_say_failed(name, "standard output could not be written");
}

int main(int word_count, char **words) {
    lt_files_begin(&word_count, &words);
    if (word_count < 2) return print_help(stderr);
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0 || strcmp(words[1], "help") == 0)
        return print_help(stdout);
    if (strcmp(words[1], "--version") == 0) return printf("lithe %s\n", lt_version()) < 0;
    for (size_t i = 0; i < LT_COUNT_OF(commands); i++)
        if (strcmp(words[1], commands[i].name) == 0)
            return check_standard_output(commands[i].name, commands[i].run(word_count - 2, words + 2));
    return say_unknown(words[1]);
}
