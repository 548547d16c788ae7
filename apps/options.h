/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The one option parser of the program. A command describes its options in a table; parsing, checking, error
 * messages and --help all come from that table.
 *
 * `--name value` and `--name=value` mean the same; `--` ends the options; a lone `-` is an argument. Whatever
 * is wrong is said on standard error in one line that names the option, and the command ends with
 * EXIT_USAGE. */

#ifndef LITHE_APPS_OPTIONS_H
#define LITHE_APPS_OPTIONS_H

#include "lithe/budget.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

#define LT_TEXTS_MAX 16
#define LT_NO_COUNT  UINT32_MAX

typedef struct lt_texts {
    const char *items[LT_TEXTS_MAX];
    uint32_t count;
} lt_texts;

typedef struct lt_size2 {
    uint32_t width, height;
} lt_size2;

typedef enum lt_option_kind {
    LT_OPTION_FLAG,          /* bool */
    LT_OPTION_TEXT,          /* const char * */
    LT_OPTION_TEXTS,         /* lt_texts: may be given several times */
    LT_OPTION_COUNT,         /* uint32_t from lo to hi */
    LT_OPTION_COUNT_OR_NONE, /* the same, or the word none: LT_NO_COUNT */
    LT_OPTION_REAL,          /* double from lo to hi */
    LT_OPTION_BUDGET,        /* lt_budget */
    LT_OPTION_CHOICE,        /* uint32_t, index into choices */
    LT_OPTION_SIZE           /* lt_size2, each side from lo to hi */
} lt_option_kind;

typedef struct lt_option {
    const char *name;  /* "--steps" */
    const char *value; /* what stands for the value in the help: "N"; NULL for flags */
    const char *help;
    lt_option_kind kind;
    void *target; /* of the type the kind names; keeps its value when the option is not given */
    double lo, hi;
    const char *const *choices; /* [choice_count] */
    uint32_t choice_count;
    const char *alias;    /* "-o" or NULL */
    const char *old_name; /* still read, with a line on standard error that ends with old_note; or NULL */
    const char *old_note;
} lt_option;

typedef struct lt_usage {
    const char *command;   /* "run" */
    const char *arguments; /* "SCENE" */
    const char *about;     /* one line */
    const char *notes;     /* paragraphs below the options, or NULL */
    const lt_option *options;
    uint32_t option_count;
    uint32_t argument_min, argument_max;
} lt_usage;

typedef enum lt_parsed { LT_PARSED_OK, LT_PARSED_HELP, LT_PARSED_USAGE } lt_parsed;

/* Fills the targets and arguments[argument_max] (NULL where none was given). `words` are those after the
 * command. On LT_PARSED_HELP the help has been printed on standard output, on LT_PARSED_USAGE the fault on
 * standard error. */
lt_parsed lt_options_parse(const lt_usage *usage, int word_count, char **words, const char **arguments);

/* The option that a word ("--steps", "--steps=5", "-o") names, by its name of today or its old one; NULL: none. */
const lt_option *lt_option_find(const lt_usage *usage, const char *word);

/* Says "lithe COMMAND: message" on standard error and returns EXIT_USAGE or EXIT_FAILED. */
int lt_say_usage(const char *command, const char *format, ...) LT_PRINTF_FORMAT(2, 3);
int lt_say_failed(const char *command, const char *format, ...) LT_PRINTF_FORMAT(2, 3);

/* What an old name of a budget's option means, and will mean. */
#define LT_OLD_BUDGET_NOTE                                                                                   \
    "taken as before, for collisions alone; in a later version it will mean the whole step"

/* "500us", "2ms", "20000units", "none", "0". False, with the reason in *error, for anything else. */
bool lt_parse_budget(lt_budget *out, const char *text, lt_error *error);

#endif
