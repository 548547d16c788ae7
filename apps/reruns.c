/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "reruns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool lt_option_decides(const char *word) {
    static const char *const deciding[] = {
        "--dt",         "--method",        "--model",      "--mode",        "--order",
        "--tolerance",  "--front-cache",   "--fast-first", "--grid-boxes",  "--pending",
        "--separation", "--sphere-method", "--seed",       "--solve-every", "--model-units"};
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < LT_COUNT_OF(deciding); i++)
        if (strlen(deciding[i]) == length && strncmp(word, deciding[i], length) == 0) return true;
    return false;
}

static bool has_value(const lt_usage *usage, const char *word) {
    const lt_option *option = lt_option_find(usage, word);
    return option && option->kind != LT_OPTION_FLAG &&
           !strchr(word, '='); /* "--name=value" is whole already */
}

static lt_status keep_words(lt_replay *saved, const lt_usage *usage, const char *scene, int word_count,
                            char **words, lt_error *error) {
    lt_status status = lt_replay_add_word(saved, scene, error);
    for (int at = 0; at < word_count && status == LT_OK && strcmp(words[at], "--") != 0; at++) {
        char text[LT_REPLAY_WORD_ROOM];
        bool takes_next = has_value(usage, words[at]) && at + 1 < word_count;
        int length = snprintf(text, sizeof text, "%s%s%s", words[at], takes_next ? "=" : "",
                              takes_next ? words[at + 1] : "");
        if (lt_option_decides(words[at]))
            status = length < (int)sizeof text
                         ? lt_replay_add_word(saved, text, error)
                         : lt_fail(error, LT_STATUS_INVALID, "%s: too long for a record", words[at]);
        at += takes_next;
    }
    return status;
}

lt_status lt_rerun_begin(lt_rerun *rerun, const lt_usage *usage, const char *scene, int word_count,
                         char **words, uint64_t hash, lt_error *error) {
    if (rerun->again && rerun->again->start_hash != hash)
        return lt_fail(error, LT_STATUS_FORMAT,
                       "before step 1 the world is another one (hash %016" PRIx64 ", recorded %016" PRIx64
                       "): the scene or its meshes have changed, or the library; record the run again",
                       hash, rerun->again->start_hash);
    if (!rerun->save_path) return LT_OK;
    rerun->saved = lt_replay_begin(NULL);
    rerun->saved.start_hash = hash;
    return keep_words(&rerun->saved, usage, scene, word_count, words, error);
}

lt_budget lt_rerun_budget(const lt_rerun *rerun, uint64_t step, lt_budget budget) {
    return rerun->again ? lt_budget_cuts(&lt_replay_step_at(rerun->again, step)->cuts) : budget;
}

lt_status lt_rerun_step(lt_rerun *rerun, uint64_t step, const lt_cuts *cuts, uint64_t hash, lt_error *error) {
    if (rerun->again && lt_replay_step_at(rerun->again, step)->hash != hash)
        return lt_fail(error, LT_STATUS_FORMAT,
                       "step %" PRIu64 " is the first that differs from the record (hash %016" PRIx64
                       ", recorded %016" PRIx64
                       "): the library has changed, or the record; record the run again",
                       step + 1, hash, lt_replay_step_at(rerun->again, step)->hash);
    return rerun->save_path ? lt_replay_add_step(&rerun->saved, cuts, hash, error) : LT_OK;
}

lt_status lt_rerun_end(lt_rerun *rerun, lt_error *error) {
    return rerun->save_path ? lt_replay_write(&rerun->saved, rerun->save_path, error) : LT_OK;
}

void lt_rerun_free(lt_rerun *rerun) {
    lt_replay_free(&rerun->saved);
}
