/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Records of runs as files: what is written is read, and nothing else is, with its line. */

#include "scenes/replay.h"

#include "check.h"
#include "core/os.h"
#include "core/random.h"
#include "failing_allocator.h"

#include <stdio.h>

static char text[1 << 16];
static size_t text_size;

static lt_replay sample(uint64_t step_count) {
    lt_replay replay = lt_replay_begin(NULL);
    lt_error error;
    replay.start_hash = 0x0123456789abcdefu;
    CHECK(lt_replay_add_word(&replay, "a folder/scene with blanks.json", &error) == LT_OK);
    CHECK(lt_replay_add_word(&replay, "--method=tet-hash", &error) == LT_OK);
    for (uint64_t i = 0; i < step_count; i++) {
        lt_cuts cuts = {.contact_limit = i % 3};
        for (uint64_t stage = 0; stage < LT_STAGE_COUNT; stage++)
            cuts.units[stage] = i * i * (stage + 1);
        CHECK(lt_replay_add_step(&replay, &cuts, ~(uint64_t)0 - i, &error) == LT_OK);
    }
    return replay;
}

static void write_sample(uint64_t step_count) {
    char path[] = "lithe-test-replay.txt";
    lt_replay replay = sample(step_count);
    lt_error error = {0};
    uint8_t *bytes = NULL;
    CHECK(lt_replay_write(&replay, path, &error) == LT_OK);
    CHECK(lt_os_read_file(path, NULL, &bytes, &text_size, &error) == LT_OK);
    CHECK_FATAL(text_size < sizeof text);
    memcpy(text, bytes, text_size);
    text[text_size] = 0;
    lt_release(NULL, bytes, text_size, 1);
    remove(path);
    lt_replay_free(&replay);
}

static lt_status read_bytes(const char *bytes, size_t size, lt_replay *out, lt_error *error) {
    *error = (lt_error){0};
    return lt_replay_read(out, (const uint8_t *)bytes, size, "r.txt", NULL, error);
}

static void comes_back(void) {
    lt_error error;
    for (uint64_t count = 0; count < 5; count += 4) {
        write_sample(count);
        lt_replay before = sample(count), after;
        CHECK(read_bytes(text, text_size, &after, &error) == LT_OK);
        CHECK(after.start_hash == before.start_hash);
        CHECK_COUNT(after.words.count, 2);
        CHECK(strcmp(lt_replay_word_at(&after, 0), lt_replay_word_at(&before, 0)) == 0);
        CHECK_FATAL(after.steps.count == count);
        if (count) CHECK(memcmp(after.steps.items, before.steps.items, count * sizeof(lt_replay_step)) == 0);
        lt_replay_free(&before);
        lt_replay_free(&after);
        lt_replay_free(&after); /* twice is harmless */
    }
}

/* The text of a record with one part replaced, read and refused. */
static void refuse(const char *part, const char *by, lt_status status, const char *message) {
    char changed[2 * sizeof text];
    lt_replay replay;
    lt_error error;
    write_sample(3);
    const char *at = strstr(text, part);
    CHECK_FATAL(at != NULL);
    int size = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(part));
    CHECK(read_bytes(changed, (size_t)size, &replay, &error) == status);
    CHECK_CONTAINS(error.message, message);
    CHECK(replay.words.items == NULL && replay.steps.items == NULL);
}

static void says_what_is_wrong(void) {
    refuse("lithe-replay 1", "v 0 0 0", LT_STATUS_FORMAT, "r.txt:1: this is no replay");
    refuse("replay 1", "replay 2", LT_STATUS_VERSION,
           "r.txt:1: a replay of version 2, and this program reads 1");
    refuse("library 0", "library 99", LT_STATUS_VERSION, "r.txt:2: recorded with another library");
    refuse("library", "librarian", LT_STATUS_FORMAT, "r.txt:2");
    refuse("start 0", "start g", LT_STATUS_FORMAT, "r.txt:5: expected start and 16");
    refuse("start 0", "start 00", LT_STATUS_FORMAT, "r.txt:5");
    refuse("step 2", "step 3", LT_STATUS_FORMAT, "r.txt:7: expected step 2");
    refuse("step 2 1", "step 2 -1", LT_STATUS_FORMAT, "r.txt:7");
    refuse("step 2 1", "step 2 nan", LT_STATUS_FORMAT, "r.txt:7");
    refuse("step 2 1", "step 2 99999999999999999999", LT_STATUS_FORMAT, "r.txt:7");
    refuse("step 2 1", "step 2", LT_STATUS_FORMAT, "r.txt:7");
    refuse("limit 1", "limit", LT_STATUS_FORMAT, "r.txt:7");
    refuse("hash fffffffffffffffe", "hash fffffffffffffffe 1", LT_STATUS_FORMAT, "r.txt:7");
    refuse("hash fffffffffffffffe", "hash FFFFFFFFFFFFFFFE", LT_STATUS_FORMAT, "r.txt:7");
    refuse("end 3", "end 4", LT_STATUS_FORMAT, "r.txt:9: the end does not count the 3 steps");
    refuse("end 3", "end 2", LT_STATUS_FORMAT, "r.txt:9: the end does not count the 3 steps");
    refuse("end 3", "", LT_STATUS_FORMAT, "cut off or damaged");
    refuse("end 3\n", "end 3\nmore", LT_STATUS_FORMAT, "something follows the end");
    refuse("word a folder/scene with blanks.json\nword --method=tet-hash\n", "", LT_STATUS_FORMAT, "r.txt:3");
    refuse("word a folder/scene with blanks.json", "word ", LT_STATUS_FORMAT, "1 to 1023 bytes");
}

static void words_have_bounds(void) {
    char word[LT_REPLAY_WORD_ROOM + 1];
    lt_replay replay = lt_replay_begin(NULL);
    lt_error error;
    memset(word, 'x', sizeof word);
    word[LT_REPLAY_WORD_ROOM] = 0;
    CHECK(lt_replay_add_word(&replay, word, &error) == LT_STATUS_INVALID);
    word[LT_REPLAY_WORD_ROOM - 1] = 0;
    CHECK(lt_replay_add_word(&replay, "", &error) == LT_STATUS_INVALID);
    CHECK(lt_replay_add_word(&replay, "two\nlines", &error) == LT_STATUS_INVALID);
    for (int i = 0; i < LT_REPLAY_WORDS_MAX; i++)
        CHECK(lt_replay_add_word(&replay, word, &error) == LT_OK);
    CHECK(lt_replay_add_word(&replay, word, &error) == LT_STATUS_INVALID);
    lt_replay_free(&replay);
}

/* Every shorter file, and many with a byte changed: a record or a message, nothing else. */
static void damaged_files(void) {
    lt_replay replay;
    lt_error error;
    lt_random random = lt_random_seed(1);
    uint32_t refused = 0;
    write_sample(6);
    for (size_t size = 0; size + 1 < text_size; size++) { /* without its last line break it is whole */
        CHECK(read_bytes(text, size, &replay, &error) != LT_OK && error.message[0] != 0);
        lt_replay_free(&replay);
    }
    for (int i = 0; i < 20000; i++) {
        size_t at = lt_random_below(&random, (uint32_t)text_size);
        char before = text[at];
        text[at] = (char)lt_random_below(&random, 256);
        bool good = read_bytes(text, text_size, &replay, &error) == LT_OK;
        CHECK(good || error.message[0] != 0);
        refused += !good;
        lt_replay_free(&replay);
        text[at] = before;
    }
    CHECK(refused > 5000);
}

static void memory_may_run_out(void) {
    write_sample(100);
    for (int allowed = 0; allowed < 100; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_replay replay;
        lt_error error;
        lt_status status =
            lt_replay_read(&replay, (const uint8_t *)text, text_size, "r.txt", &allocator, &error);
        lt_replay_free(&replay);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (status == LT_OK) return;
        CHECK(status == LT_STATUS_MEMORY);
    }
    CHECK(!"enough memory is enough");
}

int main(void) {
    RUN(comes_back);
    RUN(says_what_is_wrong);
    RUN(words_have_bounds);
    RUN(damaged_files);
    RUN(memory_may_run_out);
    return check_finish();
}
