/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The whole test framework. A test file is one program:
 *
 *     static void empty_mesh_is_refused(void) { CHECK(…); CHECK_NEAR(…); }
 *     int main(void) { RUN(empty_mesh_is_refused); return check_finish(); }
 *
 * A failed check prints where and goes on; the program exits 1 if any failed, 77 (ctest: skipped) when
 * the only thing it would have tested is absent. CHECK_FATAL leaves the test function. */

#ifndef LITHE_TESTS_CHECK_H
#define LITHE_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;
static int check_count;
static int check_skips;
static int check_golden_count;
static const char *check_current = "";

#define CHECK_FAIL_MESSAGE(...)                                                                              \
    do {                                                                                                     \
        check_failures++;                                                                                    \
        fprintf(stderr, "%s:%d: in %s: ", __FILE__, __LINE__, check_current);                                \
        fprintf(stderr, __VA_ARGS__);                                                                        \
        fputc('\n', stderr);                                                                                 \
    } while (0)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        check_count++;                                                                                       \
        if (!(condition)) CHECK_FAIL_MESSAGE("failed: %s", #condition);                                      \
    } while (0)

#define CHECK_FATAL(condition)                                                                               \
    do {                                                                                                     \
        check_count++;                                                                                       \
        if (!(condition)) {                                                                                  \
            CHECK_FAIL_MESSAGE("failed: %s", #condition);                                                    \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

/* Also fails when either side is NaN. */
#define CHECK_NEAR(a, b, tolerance)                                                                          \
    do {                                                                                                     \
        double check_a = (double)(a), check_b = (double)(b), check_t = (double)(tolerance);                  \
        check_count++;                                                                                       \
        if (!(fabs(check_a - check_b) <= check_t))                                                           \
            CHECK_FAIL_MESSAGE("%s = %.9g, but %s = %.9g (tolerance %g)", #a, check_a, #b, check_b,          \
                               check_t);                                                                     \
    } while (0)

#define CHECK_COUNT(a, b)                                                                                    \
    do {                                                                                                     \
        unsigned long long check_a = (unsigned long long)(a), check_b = (unsigned long long)(b);             \
        check_count++;                                                                                       \
        if (check_a != check_b) CHECK_FAIL_MESSAGE("%s = %llu, but %s = %llu", #a, check_a, #b, check_b);    \
    } while (0)

/* For a message: the part that must appear in it. */
#define CHECK_CONTAINS(text, part)                                                                           \
    do {                                                                                                     \
        check_count++;                                                                                       \
        if (!strstr((text), (part))) CHECK_FAIL_MESSAGE("\"%s\" does not contain \"%s\"", (text), (part));   \
    } while (0)

#define RUN(test)                                                                                            \
    do {                                                                                                     \
        check_current = #test;                                                                               \
        test();                                                                                              \
    } while (0)

static inline void check_skip(const char *reason) {
    check_skips++;
    printf("skipped: %s: %s\n", check_current, reason);
}

/* How many lines of tests/golden.txt begin with that, `TEST ` or `TEST NAME `; *hash becomes the last one's. */
static inline int check_stored_goldens(const char *begin, unsigned long long *hash) {
    char line[256], name[128];
    FILE *file = fopen("tests/golden.txt", "r");
    if (!file) return 0;
    int count = 0;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, begin, strlen(begin)) == 0 && sscanf(line, "%*s %127s %llx", name, hash) == 2)
            count++;
    fclose(file);
    return count;
}

/* No hash is compared while `make golden` writes them, nor where lt_real is double: those are other results. */
static inline int check_compares_goldens(void) {
#ifdef LITHE_DOUBLE
    return 0;
#else
    return getenv("LITHE_WRITES_GOLDEN") == NULL;
#endif
}

/* The same bits in every build: prints them, and expects those that tests/golden.txt has for this test. */
static inline void check_golden(const char *name, unsigned long long hash) {
    unsigned long long stored = 0;
    char begin[128];
    printf("golden %s %016llx\n", name, hash);
    check_golden_count++;
    check_count++;
    if (!check_compares_goldens()) return;
    snprintf(begin, sizeof begin, LITHE_TEST_NAME " %s ", name);
    if (check_stored_goldens(begin, &stored) != 1)
        CHECK_FAIL_MESSAGE("tests/golden.txt has not one line for %s; `make golden` writes it", name);
    else if (stored != hash)
        CHECK_FAIL_MESSAGE(
            "golden %s is %016llx, but %016llx in tests/golden.txt. Where results are meant to change: "
            "`make golden`, in a commit of its own",
            name, hash, stored);
}

/* A stored hash that nobody computes any more proves nothing. */
static inline void check_goldens_are_complete(void) {
    unsigned long long hash;
    int stored = check_stored_goldens(LITHE_TEST_NAME " ", &hash);
    if (check_compares_goldens() && stored > check_golden_count)
        CHECK_FAIL_MESSAGE(
            "tests/golden.txt has %d hashes of this test, which made %d; `make golden` drops them", stored,
            check_golden_count);
}

static inline int check_finish(void) {
    check_goldens_are_complete();
    if (check_failures) {
        printf("%d of %d checks failed\n", check_failures, check_count);
        return 1;
    }
    if (check_skips && check_count == 0) return 77;
    printf("%d checks passed%s\n", check_count, check_skips ? ", some parts skipped" : "");
    return check_count == 0; /* a test that checked nothing is a defect */
}

#endif
