/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe replay`: runs what `lithe run --save` recorded, cut where it was cut, and compares every step. */

#include "commands.h"
#include "core/os.h"
#include "reruns.h"

#include <string.h>

enum { EXTRA_WORDS = 64 };

static const lt_usage usage = {
    "replay",
    "RECORD [options]",
    "Repeats a run that lithe run --save RECORD wrote, to the bit, and compares every step.",
    "Options are those of lithe run that only look: --steps (the first ones only), --threads,\n"
    "--json, --record, --record-every, --size, --close, --show, --contacts, --diagnostics.\n"
    "Exit code 1: a step differs; the message names the first.",
    NULL,
    0,
    1,
    1};

/* A record is somebody's file: options that write files, or none that there are, are not taken from it. */
static lt_status check_words(const lt_replay *replay, const char *path, lt_error *error) {
    for (size_t i = 0; i < replay->words.count; i++) {
        const char *word = lt_replay_word_at(replay, i);
        if (i == 0 ? word[0] == '-' : !lt_option_decides(word))
            return lt_fail(
                error, LT_STATUS_FORMAT, "%s:%zu: \"%.100s\" is not a word of a record: %s", path, i + 3,
                word, i == 0 ? "the first is a scene" : "it is no option that decides; record the run again");
    }
    return LT_OK;
}

static lt_status read_record(lt_replay *out, const char *path, lt_error *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    lt_status status = lt_os_read_file_up_to(path, LT_REPLAY_FILE_MAX, NULL, &bytes, &size, error);
    if (status != LT_OK) return status;
    status = lt_replay_read(out, bytes, size, path, NULL, error);
    lt_release(NULL, bytes, size, 1);
    return status == LT_OK ? check_words(out, path, error) : status;
}

static bool is_budget(const char *word) {
    static const char *const names[] = {"--collision-budget", "--budget"};
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < LT_COUNT_OF(names); i++)
        if (strlen(names[i]) == length && strncmp(word, names[i], length) == 0) return true;
    return false;
}

static int check_extra(int count, char **extra) {
    if (count > EXTRA_WORDS) return lt_say_usage("replay", "more than %d words", EXTRA_WORDS);
    for (int i = 0; i < count; i++)
        if (lt_option_decides(extra[i]) || is_budget(extra[i]))
            return lt_say_usage("replay", "%s: that is as recorded, and a replay does not change it",
                                extra[i]);
    return EXIT_OK;
}

int lt_command_replay(int word_count, char **words) {
    const char *path;
    lt_parsed parsed = lt_options_parse(
        &usage, word_count < 1 || strcmp(words[0], "--help") == 0 ? word_count : 1, words, &path);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    int code = check_extra(word_count - 1, words + 1);
    if (code != EXIT_OK) return code;
    lt_replay replay = {0};
    lt_error error = {0};
    if (read_record(&replay, path, &error) == LT_OK) {
        char *all[LT_REPLAY_WORDS_MAX + EXTRA_WORDS];
        int count = 0;
        for (size_t i = 0; i < replay.words.count; i++)
            all[count++] = (char *)lt_replay_word_at(&replay, i);
        for (int i = 1; i < word_count; i++)
            all[count++] = words[i];
        code = lt_run_again(&replay, count, all);
    } else {
        code = lt_say_failed("replay", "%s", error.message);
    }
    lt_replay_free(&replay);
    return code;
}
