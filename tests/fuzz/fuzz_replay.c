/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The reader of records of runs on mutated files: refused with a message and nothing left, or a record of words that fit on a
 * line and of steps that are there; never more memory than replay.h promises. */

#include "failing_allocator.h"
#include "fuzz/mutate.h"
#include "lithe/lithe.h"
#include "scenes/replay.h"

#include <limits.h>

static void give_up(const char *wrong) {
    fprintf(stderr, "the reader gave %s\n", wrong);
    abort();
}

/* What `lithe replay` does with it: every word is looked at, every step is taken. */
static void use(const lt_replay *replay) {
    uint64_t sum = replay->start_hash;
    if (replay->words.count < 1 || replay->words.count > LT_REPLAY_WORDS_MAX) give_up("a number of words");
    for (size_t i = 0; i < replay->words.count; i++) {
        const char *word = lt_replay_word_at(replay, i);
        size_t length = strlen(word);
        if (length == 0 || length >= LT_REPLAY_WORD_ROOM || strpbrk(word, "\n\r")) give_up("no word");
    }
    for (size_t i = 0; i < replay->steps.count; i++) {
        const lt_replay_step *step = lt_replay_step_at(replay, i);
        for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
            sum += step->cuts.units[stage];
        sum += step->cuts.contact_limit ^ step->hash;
    }
    static volatile uint64_t sink;
    sink = sum;
    (void)sink;
}

static lt_status try(const uint8_t *data, size_t size) {
    static const lt_replay nothing;
    failing counted = failing_after(INT_MAX);
    lt_allocator allocator = failing_allocator(&counted);
    lt_error error = {0};
    lt_replay replay;
    uint8_t *copy = malloc(size ? size : 1); /* of exactly so many bytes: one too far is seen */
    if (!copy) abort();
    if (size) memcpy(copy, data, size);
    lt_status status = lt_replay_read(&replay, copy, size, "fuzz.txt", &allocator, &error);
    free(copy);
    if (status != LT_OK && strlen(error.message) < 15) give_up("no message");
    if (status != LT_OK && (replay.words.items != nothing.words.items || replay.steps.count != 0))
        give_up("an error with something left in the result");
    if (counted.bytes_most > LT_REPLAY_MEMORY_FACTOR * size + LT_REPLAY_MEMORY_BASE)
        give_up("too much memory");
    if (status == LT_OK) use(&replay);
    if (status == LT_OK) lt_replay_free(&replay);
    if (counted.blocks_out != 0) give_up("a leak");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try(data, size);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 40000, STEPS = 4 };

static void make_seed(sample *s) {
    put_text(s,
             "lithe-replay 1\nlibrary %s %s\nword drop\nword --method=sphere-tree\nstart 8c16b8dd0d10ab2f\n",
             lt_version(), sizeof(lt_real) == sizeof(double) ? "double" : "float");
    for (int i = 1; i <= STEPS; i++) {
        put_text(s, "step %d", i);
        for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
            put_text(s, " %d", stage * i * 35);
        put_text(s, " limit %d hash 02e1f7a94cb8d35%d\n", i % 2 ? 0 : 64, i);
    }
    put_text(s, "end %d\n", STEPS);
}

int main(int argument_count, char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    uint64_t valid = 0;
    static sample seed;
    make_seed(&seed);
    if (try(seed.bytes, seed.size) != LT_OK) give_up("nothing for a good file");
    for (uint64_t round = first; round < end; round++) {
        static fuzz_input input;
        lt_random random = lt_random_seed(round);
        memcpy(input.bytes, seed.bytes, seed.size);
        input.size = seed.size;
        for (uint32_t left = 1 + lt_random_below(&random, 3); left > 0; left--)
            fuzz_mutate(&random, &input, &seed);
        valid += try(input.bytes, input.size) == LT_OK;
    }
    fuzz_report_executions(end - first);
    printf("%llu mutated records, %llu still valid, 0 wrong\n", (unsigned long long)(end - first),
           (unsigned long long)valid);
    return end - first < 1000 || (valid > 0 && valid < end - first) ? 0 : 1;
}

#endif
