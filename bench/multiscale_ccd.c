/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Continuous tests: right by answers from outside ($LITHE_TRUTH or ../shared/truth; the test truth-ccd tells more of them),
 * and quick on what a knot that lies on itself makes of them. */

#include "multiscale_internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char ABSENT[] = "no answers in $LITHE_TRUTH or ../shared/truth";

/* ---- queries with answers ---- */

typedef struct tally {
    uint32_t queries, contacts, missed, made_up;
} tally;

static const char *truth_folder(void) {
    const char *folder = getenv("LITHE_TRUTH");
    return folder && folder[0] ? folder : "../shared/truth";
}

static FILE *open_truth(const char *path) {
    char whole[1024];
    int length = snprintf(whole, sizeof whole, "%s/%s", truth_folder(), path);
    return length > 0 && (size_t)length < sizeof whole ? fopen(whole, "r") : NULL;
}

/* Eight rows of three fractions; where `label` is not NULL each ends with it. */
static bool read_query(FILE *file, lt_ccd_query *query, int *label) {
    for (int row = 0; row < 8; row++) {
        double n[3], d[3];
        if (fscanf(file, " %lf,%lf,%lf,%lf,%lf,%lf", &n[0], &d[0], &n[1], &d[1], &n[2], &d[2]) != 6)
            return false;
        lt_dvec3 *p = row < 4 ? &query->start[row] : &query->end[row - 4];
        *p = (lt_dvec3){n[0] / d[0], n[1] / d[1], n[2] / d[2]};
        if (label && fscanf(file, ",%d", label) != 1) return false;
    }
    return true;
}

static void count_query(tally *t, const lt_ccd_query *query, bool meets) {
    lt_ccd_result result;
    bool hit = lt_ccd_test(query, 0, &result);
    t->queries++;
    t->contacts += meets;
    t->missed += meets && !hit;
    t->made_up += hit && !meets;
}

/* All numbered files of a folder. */
static void count_folder(tally *t, const char *folder, const char *kind_name, lt_ccd_kind kind) {
    lt_ccd_query query = {.kind = kind};
    for (int number = 0;; number++) {
        char path[256];
        int label;
        snprintf(path, sizeof path, "ccd-queries/%s/%s/data_0_%d.csv", folder, kind_name, number);
        FILE *file = open_truth(path);
        if (!file) return;
        while (read_query(file, &query, &label))
            count_query(t, &query, label == 1);
        fclose(file);
    }
}

static void add_tally(lt_bench *bench, const char *what, const tally *t) {
    char label[64];
    snprintf(label, sizeof label, "ccd, %s", what);
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "queries", t->queries);
    lt_bench_number(bench, "contacts", t->contacts);
    lt_bench_number(bench, "missed", t->missed);
    lt_bench_number(bench, "made_up", t->made_up);
}

static void judge_queries(lt_bench *bench) {
    static const char *const folders[] = {"unit-tests", "erleben-spikes", "erleben-wedges",
                                          "erleben-cube-internal-edges", "erleben-spike-hole"};
    static const char MISSED[] = "multiscale.ccd-missed", MADE_UP[] = "multiscale.ccd-made-up-%";
    tally sum = {0};
    bool complete = true;
    for (size_t i = 0; i < LT_COUNT_OF(folders); i++) {
        tally t = {0};
        count_folder(&t, folders[i], "vertex-face", LT_CCD_VERTEX_FACE);
        count_folder(&t, folders[i], "edge-edge", LT_CCD_EDGE_EDGE);
        complete = complete && t.queries > 0;
        if (t.queries == 0) continue;
        add_tally(bench, folders[i], &t);
        sum = (tally){sum.queries + t.queries, sum.contacts + t.contacts, sum.missed + t.missed,
                      sum.made_up + t.made_up};
    }
    if (complete) {
        lt_bench_check_value(bench, MISSED, sum.missed, "==", 0);
        lt_bench_check_value(bench, MADE_UP, 100.0 * sum.made_up / (sum.queries - sum.contacts), "<=", 5);
    } else {
        lt_bench_check_absent(bench, MISSED, "==", 0, ABSENT);
        lt_bench_check_absent(bench, MADE_UP, "<=", 5, ABSENT);
    }
}

/* The next word true or false of a list. */
static bool read_label(FILE *file, bool *label) {
    int c = fgetc(file);
    while (c != EOF && c != 't' && c != 'f')
        c = fgetc(file);
    *label = c == 't';
    while (c != EOF && c != 'e')
        c = fgetc(file);
    return c != EOF;
}

/* Its pairs without contact are near misses: only missed contacts count. */
static void judge_cloth(lt_bench *bench) {
    static const char *const stems[2] = {"227vf", "227ee"};
    static const char NAME[] = "multiscale.ccd-mesh-missed";
    tally t = {0};
    bool complete = true;
    for (int kind = 0; kind < 2; kind++) {
        char path[256], labels_path[256];
        snprintf(path, sizeof path, "ccd-mesh/cloth-funnel/queries/%s.csv", stems[kind]);
        snprintf(labels_path, sizeof labels_path, "ccd-mesh/cloth-funnel/mma_bool/%s_mma_bool.json",
                 stems[kind]);
        FILE *file = open_truth(path), *labels = open_truth(labels_path);
        lt_ccd_query query = {.kind = (lt_ccd_kind)kind};
        bool label;
        complete = complete && file && labels;
        while (file && labels && read_query(file, &query, NULL) && read_label(labels, &label))
            count_query(&t, &query, label);
        if (file) fclose(file);
        if (labels) fclose(labels);
    }
    if (complete && t.queries > 0) {
        add_tally(bench, "two frames of a cloth", &t);
        lt_bench_check_value(bench, NAME, t.missed, "==", 0);
    } else {
        lt_bench_check_absent(bench, NAME, "==", 0, ABSENT);
    }
}

lt_status lt_fine_ccd_truth(lt_bench *bench, lt_error *error) {
    (void)error;
    judge_queries(bench);
    judge_cloth(bench);
    return LT_OK;
}

/* ---- the pairs of a knot ---- */

enum { PAIR_LIMIT = 1 << 16 };

/* What the filter kept: the query asks it through a plain function, so this is where it leaves them. */
static struct {
    lt_ccd_pair *pairs; /* [PAIR_LIMIT] */
    uint32_t count;
} kept_pairs;

static void keep_pairs(uint64_t *out, const lt_ccd_surface *a, const lt_ccd_surface *b,
                       const lt_ccd_pair *pairs, uint32_t pair_count, float separation) {
    lt_ccd_may_meet_for(lt_simd_best())(out, a, b, pairs, pair_count, separation);
    for (uint32_t i = 0; i < pair_count; i++)
        if (out[i / 64] >> (i % 64) & 1 && kept_pairs.count < PAIR_LIMIT)
            kept_pairs.pairs[kept_pairs.count++] = pairs[i];
}

typedef struct ccd_time {
    double ns;
    uint64_t tests, pairs, contacts;
} ccd_time;

/* The tests of one frame alone, once more. */
static void time_tests(ccd_time *sum, lt_fine_pair *pair, uint32_t repetitions) {
    double best = INFINITY;
    kept_pairs.count = 0;
    pair->query.may_meet = keep_pairs;
    lt_fine_step(pair, LT_FINE_MULTISCALE);
    pair->query.may_meet = lt_ccd_may_meet_for(lt_simd_best());
    uint64_t tests = pair->query.test_total;
    if (pair->query.meeting_count == 0) return;
    for (uint32_t i = 0; i < repetitions; i++) {
        pair->query.meeting_count = pair->query.resting_count = 0;
        lt_stopwatch watch = lt_stopwatch_start();
        for (uint32_t k = 0; k < kept_pairs.count; k++)
            lt_query_test_triangles(&pair->query, kept_pairs.pairs[k].a, kept_pairs.pairs[k].b);
        best = lt_min_d(best, 1e3 * lt_stopwatch_stop(watch).us);
    }
    sum->ns += best;
    sum->tests += tests;
    sum->pairs += kept_pairs.count;
    sum->contacts += pair->query.meeting_count;
}

static void add_time(lt_bench *bench, const ccd_time *t) {
    static const char NAME[] = "multiscale.ccd-ns-a-query";
    lt_bench_row_begin(bench, "ccd, knot in contact");
    lt_bench_number(bench, "pairs_of_triangles", (double)t->pairs);
    lt_bench_number(bench, "queries", (double)t->tests);
    lt_bench_number(bench, "contacts", (double)t->contacts);
    lt_bench_number(bench, "ns_a_query", t->tests ? t->ns / (double)t->tests : 0);
    if (bench->quick || t->tests == 0)
        lt_bench_check_absent(bench, NAME, "<", 1000,
                              bench->quick ? "time is not judged: no --quick" : "the knot met nothing");
    else
        lt_bench_check_value(bench, NAME, t->ns / (double)t->tests, "<", 1000);
}

lt_status lt_fine_ccd_time(lt_bench *bench, lt_error *error) {
    lt_fine_shape dense;
    lt_fine_body body = {0};
    lt_fine_pair pair = {0};
    ccd_time sum = {0};
    lt_status status = lt_fine_knot(&dense, bench, error);
    if (status == LT_OK) status = lt_fine_body_create(&body, &dense, NULL, LT_BOUND_DUAL, NULL, error);
    if (status == LT_OK) status = lt_fine_pair_create(&pair, &body, &body, error);
    kept_pairs.pairs = LT_NEW(&bench->allocator, PAIR_LIMIT, lt_ccd_pair);
    if (status == LT_OK && !kept_pairs.pairs)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for %d pairs", PAIR_LIMIT);
    for (uint32_t frame = 0; frame < LT_FINE_FRAMES && status == LT_OK; frame += bench->quick ? 24 : 4) {
        lt_fine_body_move(&body, lt_fine_knot_motion, frame);
        time_tests(&sum, &pair, bench->quick ? 1 : LT_REPETITIONS);
    }
    if (status == LT_OK) add_time(bench, &sum);
    LT_DELETE(&bench->allocator, kept_pairs.pairs, PAIR_LIMIT, lt_ccd_pair);
    kept_pairs.pairs = NULL;
    lt_fine_pair_free(&pair);
    lt_fine_body_free(&body);
    lt_fine_shape_free(&dense);
    return status;
}
