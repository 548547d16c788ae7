/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "options.h"

#include "core/base.h"
#include "scenes/near_names.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 40

/* ---- messages ---- */

static void say(const char *command, const char *format, va_list arguments) {
    fflush(stdout);
    fprintf(stderr, command[0] ? "lithe %s: " : "lithe: ", command);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int lt_say_usage(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try: lithe %s%s--help\n", command, command[0] ? " " : "");
    return EXIT_USAGE;
}

int lt_say_failed(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(command, format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

/* ---- values ---- */

/* A decimal number at the beginning of `text`, as strtod reads it but without names, hexadecimal or leading
 * blanks; *rest is what follows. False when there is none. */
static bool read_number(const char *text, double *number, const char **rest) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits) && *digits != '.') return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) return false;
    char *end;
    *number = strtod(text, &end);
    *rest = end;
    return end != text && isfinite(*number);
}

bool lt_parse_budget(lt_budget *out, const char *text, lt_error *error) {
    const char *unit;
    double number;
    *out = lt_budget_unlimited();
    if (strcmp(text, "none") == 0) return true;
    const char *wanted = "give 500us, 2ms, 20000units, none or 0";
    bool is_number = read_number(text, &number, &unit);
    if (is_number && number < 0.0)
        lt_fail(error, LT_STATUS_INVALID, "a budget cannot be negative; %s", wanted);
    else if (is_number && unit[0] == 0 && number == 0.0)
        return *out = lt_budget_collision_us_and_units(0.0, 0), true;
    else if (is_number && unit[0] == 0)
        lt_fail(error, LT_STATUS_INVALID, "a budget needs a unit; %s", wanted);
    else if (is_number && number <= 1e12 && strcmp(unit, "us") == 0)
        return *out = lt_budget_collision_us(number), true;
    else if (is_number && number <= 1e9 && strcmp(unit, "ms") == 0)
        return *out = lt_budget_collision_us(1000.0 * number), true;
    else if (is_number && number <= 1e15 && number == floor(number) && strcmp(unit, "units") == 0)
        return *out = lt_budget_collision_units((uint64_t)number), true;
    else
        lt_fail(error, LT_STATUS_INVALID, "not a budget; %s", wanted);
    return false;
}

static bool parse_real(const lt_option *option, const char *text, double *out, lt_error *error) {
    const char *rest;
    if (!read_number(text, out, &rest) || *rest)
        lt_fail(error, LT_STATUS_INVALID, "not a number");
    else if (*out < option->lo || *out > option->hi)
        lt_fail(error, LT_STATUS_INVALID, "must be %g to %g", option->lo, option->hi);
    else
        return true;
    return false;
}

static bool parse_count(const lt_option *option, const char *text, lt_error *error) {
    double number;
    const char *rest;
    if (!read_number(text, &number, &rest) || *rest || number != floor(number))
        lt_fail(error, LT_STATUS_INVALID, "not a whole number");
    else if (number < option->lo || number > option->hi)
        lt_fail(error, LT_STATUS_INVALID, "must be %.0f to %.0f", option->lo, option->hi);
    else
        return *(uint32_t *)option->target = (uint32_t)number, true;
    return false;
}

static bool parse_choice(const lt_option *option, const char *text, lt_error *error) {
    for (uint32_t i = 0; i < option->choice_count; i++)
        if (strcmp(text, option->choices[i]) == 0) return *(uint32_t *)option->target = i, true;
    char near_names[200];
    lt_near_names(text, option->choices, option->choice_count, near_names, sizeof near_names);
    lt_fail(error, LT_STATUS_INVALID, "must be %s", near_names);
    return false;
}

static bool parse_size(const lt_option *option, const char *text, lt_error *error) {
    double width, height;
    const char *rest;
    bool is_size = read_number(text, &width, &rest) && *rest == 'x' &&
                   read_number(rest + 1, &height, &rest) && *rest == 0 && width == floor(width) &&
                   height == floor(height);
    if (!is_size)
        lt_fail(error, LT_STATUS_INVALID, "must be two whole numbers like 1280x720");
    else if (lt_min_d(width, height) < option->lo || lt_max_d(width, height) > option->hi)
        lt_fail(error, LT_STATUS_INVALID, "each side must be %.0f to %.0f", option->lo, option->hi);
    else
        return *(lt_size2 *)option->target = (lt_size2){(uint32_t)width, (uint32_t)height}, true;
    return false;
}

static bool parse_texts(const lt_option *option, const char *text, lt_error *error) {
    lt_texts *texts = option->target;
    if (texts->count < LT_TEXTS_MAX) return texts->items[texts->count++] = text, true;
    lt_fail(error, LT_STATUS_INVALID, "given more than %d times", LT_TEXTS_MAX);
    return false;
}

static bool parse_value(const lt_option *option, const char *text, lt_error *error) {
    switch (option->kind) {
    case LT_OPTION_FLAG: return *(bool *)option->target = true, true;
    case LT_OPTION_TEXT: return *(const char **)option->target = text, true;
    case LT_OPTION_TEXTS: return parse_texts(option, text, error);
    case LT_OPTION_COUNT: return parse_count(option, text, error);
    case LT_OPTION_COUNT_OR_NONE:
        if (strcmp(text, "none") == 0) return *(uint32_t *)option->target = LT_NO_COUNT, true;
        if (parse_count(option, text, error)) return true;
        lt_fail(error, LT_STATUS_INVALID, "must be %.0f to %.0f, or none", option->lo, option->hi);
        return false;
    case LT_OPTION_REAL: return parse_real(option, text, option->target, error);
    case LT_OPTION_BUDGET: return lt_parse_budget(option->target, text, error);
    case LT_OPTION_CHOICE: return parse_choice(option, text, error);
    case LT_OPTION_SIZE: return parse_size(option, text, error);
    }
    return false;
}

/* ---- help ---- */

static void print_option(const lt_option *option) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", option->alias ? option->alias : "", option->alias ? ", " : "",
             option->name, option->value ? " " : "", option->value ? option->value : "");
    printf("  %-26s%s%s\n", left, strlen(left) > 25 ? "\n                            " : "", option->help);
    for (uint32_t i = 0; option->kind == LT_OPTION_CHOICE && i < option->choice_count; i++)
        printf("%s%s%s", i ? ", " : "                            one of: ", option->choices[i],
               i + 1 < option->choice_count ? "" : "\n");
}

static void print_help(const lt_usage *usage) {
    printf("Usage: lithe %s%s%s%s\n\n%s\n", usage->command, usage->arguments[0] ? " " : "", usage->arguments,
           usage->option_count ? " [options]" : "", usage->about);
    printf("\nOptions:\n");
    for (uint32_t i = 0; i < usage->option_count; i++)
        print_option(&usage->options[i]);
    printf("  %-26s%s\n", "--help", "this text");
    if (usage->notes) printf("\n%s\n", usage->notes);
    printf("\nExit codes: 0 done, 1 failed, 2 wrong usage.\n");
}

/* ---- parsing ---- */

static bool is_name(const char *name, const char *word) {
    size_t length = strcspn(word, "=");
    return name && strlen(name) == length && strncmp(word, name, length) == 0;
}

const lt_option *lt_option_find(const lt_usage *usage, const char *word) {
    for (uint32_t i = 0; i < usage->option_count; i++) {
        const lt_option *option = &usage->options[i];
        if (is_name(option->name, word) || is_name(option->old_name, word)) return option;
        if (option->alias && strcmp(word, option->alias) == 0) return option;
    }
    return NULL;
}

static void note_old_name(const lt_usage *usage, const lt_option *option, const char *word) {
    if (!is_name(option->old_name, word)) return;
    fflush(stdout);
    fprintf(stderr, "lithe %s: %s is now %s: %s\n", usage->command, option->old_name, option->name,
            option->old_note);
}

static lt_parsed say_unknown(const lt_usage *usage, const char *word) {
    const char *names[OPTIONS_MAX];
    char near_names[400], typed[64];
    uint32_t count = lt_min_u32(usage->option_count, OPTIONS_MAX - 1);
    for (uint32_t i = 0; i < count; i++)
        names[i] = usage->options[i].name;
    names[count] = "--help";
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    lt_near_names(typed, names, count + 1, near_names, sizeof near_names);
    lt_say_usage(usage->command, "there is no option %s; did you mean %s?", typed, near_names);
    return LT_PARSED_USAGE;
}

/* Parses the option at words[*at] and moves *at to its last word. */
static lt_parsed parse_option(const lt_usage *usage, int word_count, char **words, int *at) {
    const char *word = words[*at], *value = NULL;
    size_t length = strcspn(word, "=");
    const lt_option *option = lt_option_find(usage, word);
    if (!option) return say_unknown(usage, word);
    if (word[length] == '=') value = word + length + 1;
    if (option->kind == LT_OPTION_FLAG && value) {
        lt_say_usage(usage->command, "%s takes no value", option->name);
        return LT_PARSED_USAGE;
    }
    if (option->kind != LT_OPTION_FLAG && !value) {
        bool has_next = *at + 1 < word_count && strncmp(words[*at + 1], "--", 2) != 0;
        if (!has_next) {
            lt_say_usage(usage->command, "%s needs a value: %s %s", option->name, option->name,
                         option->value);
            return LT_PARSED_USAGE;
        }
        value = words[++*at];
    }
    lt_error error = {0};
    note_old_name(usage, option, word);
    if (parse_value(option, value, &error)) return LT_PARSED_OK;
    lt_say_usage(usage->command, "%s %s: %s", option->name, value, error.message);
    return LT_PARSED_USAGE;
}

lt_parsed lt_options_parse(const lt_usage *usage, int word_count, char **words, const char **arguments) {
    uint32_t count = 0;
    bool options_ended = false;
    for (uint32_t i = 0; i < usage->argument_max; i++)
        arguments[i] = NULL;
    for (int at = 0; at < word_count; at++)
        if (strcmp(words[at], "--help") == 0 || strcmp(words[at], "-h") == 0) {
            print_help(usage);
            return LT_PARSED_HELP;
        }
    for (int at = 0; at < word_count; at++) {
        if (!options_ended && strcmp(words[at], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && words[at][0] == '-' && words[at][1]) {
            lt_parsed parsed = parse_option(usage, word_count, words, &at);
            if (parsed != LT_PARSED_OK) return parsed;
        } else if (count == usage->argument_max) {
            lt_say_usage(usage->command, "one argument too many: %s", words[at]);
            return LT_PARSED_USAGE;
        } else {
            arguments[count++] = words[at];
        }
    }
    if (count >= usage->argument_min) return LT_PARSED_OK;
    lt_say_usage(usage->command, "%s is missing", usage->arguments);
    return LT_PARSED_USAGE;
}
