/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One fuzz target, two ways to run it. With -DLITHE_LIBFUZZER a target is LLVMFuzzerTestOneInput alone, for
 * libFuzzer; without, it is a test that mutates the embedded samples a fixed number of times. Round r is
 * seeded with r, so a failure repeats: `fuzz-obj 4711 4712` runs that round only. */

#ifndef LITHE_TESTS_FUZZ_MUTATE_H
#define LITHE_TESTS_FUZZ_MUTATE_H

#include "core/random.h"
#include "fuzz/rounds.h"
#include "io/read_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads one input with one reader; a wrong answer ends the program, which is how libFuzzer is told. */
static inline lt_status fuzz_read(sample_format format, const uint8_t *data, size_t size) {
    lt_status status;
    const char *wrong = sample_try(format, data, size, &status);
    if (!wrong) return status;
    fprintf(stderr, "the reader gave %s\n", wrong);
    abort();
}

#ifndef LITHE_LIBFUZZER

enum { FUZZ_CAPACITY = 8192 };

typedef struct fuzz_input {
    uint8_t bytes[FUZZ_CAPACITY];
    size_t size;
} fuzz_input;

static inline size_t fuzz_place(lt_random *random, const fuzz_input *input) {
    return input->size ? lt_random_below(random, (uint32_t)input->size) : 0;
}

/* A range that starts at `at`, mostly short. */
static inline size_t fuzz_length(lt_random *random, const fuzz_input *input, size_t at) {
    uint32_t longest = (uint32_t)(input->size - at);
    if (lt_random_below(random, 4)) longest = lt_min_u32(longest, 12);
    return longest ? 1 + lt_random_below(random, longest) : 0;
}

static inline void fuzz_insert(fuzz_input *input, size_t at, const void *bytes, size_t size) {
    if (input->size + size > FUZZ_CAPACITY) return;
    memmove(input->bytes + at + size, input->bytes + at, input->size - at);
    memcpy(input->bytes + at, bytes, size);
    input->size += size;
}

static inline void fuzz_delete(fuzz_input *input, size_t at, size_t size) {
    memmove(input->bytes + at, input->bytes + at + size, input->size - at - size);
    input->size -= size;
}

static inline void fuzz_repeat(lt_random *random, fuzz_input *input) {
    static uint8_t copy[FUZZ_CAPACITY];
    size_t from = fuzz_place(random, input), size = fuzz_length(random, input, from);
    memcpy(copy, input->bytes + from, size);
    fuzz_insert(input, fuzz_place(random, input), copy, size);
}

/* The front of this input with the back of another sample of the format. */
static inline void fuzz_splice(lt_random *random, fuzz_input *input, const sample *other) {
    input->size = fuzz_place(random, input);
    size_t from = lt_random_below(random, (uint32_t)other->size);
    fuzz_insert(input, input->size, other->bytes + from, other->size - from);
}

/* Replaces a run of digits, wherever the next one begins. */
static inline void fuzz_number(lt_random *random, fuzz_input *input) {
    static const char *const numbers[] = {"-1",
                                          "0",
                                          "4294967295",
                                          "4294967296",
                                          "2147483648",
                                          "99999999",
                                          "1e999",
                                          "-1e-999",
                                          "nan",
                                          "inf",
                                          "1e308",
                                          "1e38",
                                          "9223372036854775807",
                                          "65536",
                                          "3",
                                          "0.30000000000000000000000000000000000000000000001",
                                          "1e-45"};
    const char *number = numbers[lt_random_below(random, LT_COUNT_OF(numbers))];
    size_t at = fuzz_place(random, input), size = 0;
    while (at < input->size && (uint8_t)(input->bytes[at] - '0') > 9)
        at++;
    while (at + size < input->size && (uint8_t)(input->bytes[at + size] - '0') < 10)
        size++;
    fuzz_delete(input, at, size);
    fuzz_insert(input, at, number, strlen(number));
}

/* Overwrites 1, 2, 4 or 8 bytes with an extreme or small whole number, in either byte order. */
static inline void fuzz_binary(lt_random *random, fuzz_input *input) {
    static const uint64_t values[] = {
        0, 1, 2, 4, 11, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FF0000000000000, UINT64_MAX};
    uint64_t value = values[lt_random_below(random, LT_COUNT_OF(values))];
    size_t width = (size_t)1 << lt_random_below(random, 4), at = fuzz_place(random, input);
    bool big = lt_random_below(random, 2);
    for (size_t k = 0; k < width && at + k < input->size; k++)
        input->bytes[at + k] = (uint8_t)(value >> (8 * (big ? width - 1 - k : k)));
}

static inline void fuzz_mutate(lt_random *random, fuzz_input *input, const sample *other) {
    size_t at = fuzz_place(random, input);
    uint8_t byte = (uint8_t)lt_random_u32(random);
    switch (lt_random_below(random, 9)) {
    case 0: input->bytes[at] ^= (uint8_t)(1u << (byte % 8)); break;
    case 1: input->bytes[at] = byte; break;
    case 2: fuzz_insert(input, at, &byte, 1); break;
    case 3: fuzz_delete(input, at, fuzz_length(random, input, at)); break;
    case 4: fuzz_repeat(random, input); break;
    case 5: fuzz_number(random, input); break;
    case 6: fuzz_binary(random, input); break;
    case 7:
        if (byte % 4 == 0) input->size = at;
        break;
    default:
        if (byte % 4 == 0) fuzz_splice(random, input, other);
        break;
    }
}

/* All samples of a format, made once. */
typedef struct fuzz_seeds {
    sample samples[16];
    uint32_t count;
} fuzz_seeds;

static inline void fuzz_make_seeds(fuzz_seeds *seeds, sample_format format) {
    for (uint32_t i = 0; seeds->count < LT_COUNT_OF(seeds->samples); i++) {
        if (!sample_make(&seeds->samples[seeds->count], i)) break;
        seeds->count += seeds->samples[seeds->count].format == format;
    }
}

static inline lt_status fuzz_round(sample_format format, const fuzz_seeds *seeds, uint64_t round) {
    static fuzz_input input;
    lt_random random = lt_random_seed(round);
    const sample *first = &seeds->samples[lt_random_below(&random, seeds->count)];
    const sample *second = &seeds->samples[lt_random_below(&random, seeds->count)];
    memcpy(input.bytes, first->bytes, first->size);
    input.size = first->size;
    for (uint32_t left = 1 + lt_random_below(&random, 6); left > 0; left--)
        fuzz_mutate(&random, &input, second);
    return fuzz_read(format, input.bytes, input.size);
}

/* The main of a target: [first round [end round]], or `round_count` rounds from 0, times LITHE_FUZZ_ITERATIONS. */
static inline int fuzz_main(sample_format format, uint32_t round_count, int argument_count,
                            char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(round_count);
    uint64_t read_count = 0;
    static fuzz_seeds seeds;
    fuzz_make_seeds(&seeds, format);
    for (uint64_t round = first; round < end; round++)
        read_count += fuzz_round(format, &seeds, round) == LT_OK;
    fuzz_report_executions(end - first);
    printf("%llu mutated files, %llu still valid, 0 wrong\n", (unsigned long long)(end - first),
           (unsigned long long)read_count);
    /* Mutations that never or always break a file would test nothing. */
    return end - first < 1000 || (read_count > 0 && read_count < end - first) ? 0 : 1;
}

#endif
#endif
