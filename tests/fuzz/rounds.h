/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How long a fuzz target runs as a test: a number of rounds that takes a second or two, times LITHE_FUZZ_ITERATIONS of the
 * environment, with which `make test-full` makes all of them run longer; and how it says so: scripts/test adds up the lines
 * `fuzz-executions N` of all targets. */

#ifndef LITHE_TESTS_FUZZ_ROUNDS_H
#define LITHE_TESTS_FUZZ_ROUNDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint32_t fuzz_rounds(uint32_t rounds) {
    const char *factor = getenv("LITHE_FUZZ_ITERATIONS");
    return rounds * (factor ? (uint32_t)strtoul(factor, NULL, 10) : 1);
}

/* An execution is one input handed to what is tested. */
static inline void fuzz_report_executions(uint64_t count) {
    printf("fuzz-executions %llu\n", (unsigned long long)count);
}

#endif
