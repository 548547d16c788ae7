/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* 120 frames in which every node moves: what it takes to find where a knot meets itself, and two bunnies each other; and what
 * it takes when a tree is refitted from its triangles up, with the same query, tests of triangles and SIMD. That is done twice:
 * with the same tree, which is what the bars are about, and with one over triangles that are not cut at tets, half as many or
 * fewer: whoever has no use for tets would not cut. Neither refit may be slow itself. Every frame is the least of five, by turns.
 * Embree, where the build has it, stands beside the uncut refit. The query is timed a second time from where that of the frame before ended: an option that nobody takes by default. */

#include "multiscale_internal.h"

#include "scenes/trigonometry.h"

#include <stdio.h>
#include <string.h>

static const double REFIT_NS_BAR = 5; /* a triangle */
static const char NO_QUICK[] = "time is not judged: no --quick";

/* ---- a run ---- */

enum { CUT, PLAIN, TREE_COUNT };

typedef struct frame_time {
    double ours_us, query_us;                          /* of it, the query */
    double front_us;                                   /* the query from the front of the frame before */
    double embree_us;                                  /* 0: it is not there */
    double whole_us[TREE_COUNT], refit_us[TREE_COUNT]; /* with everything refitted; of it, the refit */
    uint32_t contacts;
    bool front_differs;  /* finds another number of them */
    bool embree_differs; /* from the refit of the same triangles */
} frame_time;

typedef struct run {
    frame_time frames[LT_FINE_FRAMES];
    uint32_t count;
} run;

/* One body, or two, on the tree with its tets and on the plain one. */
typedef struct contest {
    const lt_fine_shape *dense;
    lt_fine_shape plain;
    lt_fine_body bodies[TREE_COUNT][2];
    lt_fine_pair pairs[TREE_COUNT];
    lt_fine_embree *embree; /* of the plain ones; NULL: it is not there */
} contest;

static void free_contest(contest *c) {
    lt_fine_embree_free(c->embree);
    for (int i = 0; i < TREE_COUNT; i++) {
        lt_fine_pair_free(&c->pairs[i]);
        for (int k = 0; k < 2; k++)
            lt_fine_body_free(&c->bodies[i][k]);
    }
    lt_fine_shape_free(&c->plain);
}

static lt_status create_contest(contest *c, lt_bench *bench, const lt_fine_shape *dense, bool self,
                                lt_error *error) {
    *c = (contest){.dense = dense};
    lt_status status = lt_fine_shape_plain(&c->plain, bench, dense, error);
    for (int i = 0; i < TREE_COUNT && status == LT_OK; i++) {
        const lt_fine_shape *shape = i == CUT ? dense : &c->plain;
        for (int k = 0; k < (self ? 1 : 2) && status == LT_OK; k++)
            status = lt_fine_body_create(&c->bodies[i][k], shape, NULL, LT_BOUND_DUAL, NULL, error);
        if (status == LT_OK)
            status = lt_fine_pair_create(&c->pairs[i], &c->bodies[i][0], &c->bodies[i][self ? 0 : 1], error);
    }
    if (status == LT_OK && lt_fine_embree_exists())
        status = lt_fine_embree_create(&c->embree, &c->pairs[PLAIN], error);
    if (status != LT_OK) free_contest(c);
    return status;
}

static double time_embree(contest *c, uint32_t repetitions) {
    double best = c->embree ? INFINITY : 0;
    for (uint32_t i = 0; c->embree && i < repetitions; i++)
        best = lt_min_d(best, lt_fine_embree_step(c->embree).whole_us);
    return best;
}

static void time_frame(contest *c, frame_time *out, uint32_t repetitions) {
    lt_fine_pair *pair = &c->pairs[CUT];
    lt_fine_times ours = lt_fine_time_step(pair, LT_FINE_MULTISCALE, repetitions);
    *out = (frame_time){
        .ours_us = ours.whole_us, .query_us = ours.query_us, .contacts = pair->query.meeting_count};
    out->front_us = lt_fine_time_step(pair, LT_FINE_FRONT, repetitions).query_us;
    out->front_differs = out->contacts != pair->query.meeting_count;
    for (int i = 0; i < TREE_COUNT; i++) {
        for (int k = 0; k < 2 && i != CUT && c->bodies[i][k].dense; k++)
            lt_fine_body_follow(&c->bodies[i][k], &c->bodies[CUT][k]);
        lt_fine_times whole = lt_fine_time_step(&c->pairs[i], LT_FINE_REFIT, repetitions);
        out->whole_us[i] = whole.whole_us;
        out->refit_us[i] = whole.fit_us;
    }
    uint32_t contacts = c->pairs[PLAIN].query.meeting_count;
    out->embree_us = time_embree(c, repetitions);
    out->embree_differs = contacts != c->pairs[PLAIN].query.meeting_count;
}

/* `second` NULL: with itself. When quick, frames here and there. */
static void time_frames(run *out, lt_bench *bench, contest *c, lt_fine_motion *first,
                        lt_fine_motion *second) {
    uint32_t stride = bench->quick ? 12 : 1, repetitions = bench->quick ? 1 : LT_REPETITIONS;
    out->count = 0;
    for (uint32_t frame = 0; frame < LT_FINE_FRAMES; frame += stride) {
        lt_fine_body_move(&c->bodies[CUT][0], first, frame);
        if (second) lt_fine_body_move(&c->bodies[CUT][1], second, frame);
        time_frame(c, &out->frames[out->count++], repetitions);
    }
}

typedef enum which { ALL, FREE, TOUCHING } which;

typedef struct summary {
    lt_distribution ours, whole[TREE_COUNT];
    double refit_us[TREE_COUNT];          /* the least */
    double contacts;                      /* mean */
    double query_us, front_us, embree_us; /* means */
    uint32_t front_differs, embree_differs;
} summary;

static bool is_of(const frame_time *f, which w) {
    return w == ALL || (w == TOUCHING) == (f->contacts > 0);
}

static lt_distribution distribution_of(lt_bench *bench, const run *r, which w, int tree) {
    lt_samples samples = lt_samples_begin(&bench->allocator);
    for (uint32_t i = 0; i < r->count; i++) {
        const frame_time *f = &r->frames[i];
        double us = tree == TREE_COUNT ? f->ours_us : f->whole_us[tree];
        if (is_of(f, w) && !lt_samples_add(&samples, (lt_sample){.us = us})) bench->out_of_memory = true;
    }
    lt_distribution d = lt_samples_distribution(&samples, true);
    lt_samples_free(&samples);
    return d;
}

static summary summarise(lt_bench *bench, const run *r, which w) {
    summary s = {.ours = distribution_of(bench, r, w, TREE_COUNT)};
    for (int tree = 0; tree < TREE_COUNT; tree++) {
        s.whole[tree] = distribution_of(bench, r, w, tree);
        s.refit_us[tree] = INFINITY;
        for (uint32_t i = 0; i < r->count; i++)
            s.refit_us[tree] = lt_min_d(s.refit_us[tree], r->frames[i].refit_us[tree]);
    }
    for (uint32_t i = 0; i < r->count; i++) {
        const frame_time *f = &r->frames[i];
        s.front_differs += f->front_differs;
        s.embree_differs += f->embree_differs;
        if (!is_of(f, w)) continue;
        s.contacts += (double)f->contacts / s.ours.count;
        s.query_us += f->query_us / s.ours.count;
        s.front_us += f->front_us / s.ours.count;
        s.embree_us += f->embree_us / s.ours.count;
    }
    return s;
}

static double times_median(const summary *s, int tree) {
    return s->whole[tree].median / s->ours.median;
}

static double times_mean(const summary *s, int tree) {
    return s->whole[tree].mean / s->ours.mean;
}

static void add_row(lt_bench *bench, const char *label, const summary *s) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "frames", s->ours.count);
    lt_bench_number(bench, "contacts", s->contacts);
    lt_bench_number(bench, "median_ms", 1e-3 * s->ours.median);
    lt_bench_number(bench, "mean_ms", 1e-3 * s->ours.mean);
    lt_bench_number(bench, "worst_ms", 1e-3 * s->ours.worst);
    lt_bench_number(bench, "refit_mean_ms", 1e-3 * s->whole[CUT].mean);
    lt_bench_number(bench, "uncut_mean_ms", 1e-3 * s->whole[PLAIN].mean);
    lt_bench_number(bench, "times_median", times_median(s, CUT));
    lt_bench_number(bench, "times_mean", times_mean(s, CUT));
    lt_bench_number(bench, "times_uncut_median", times_median(s, PLAIN));
    lt_bench_number(bench, "times_uncut_mean", times_mean(s, PLAIN));
}

static void add_front_row(lt_bench *bench, const char *label, const summary *s) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "query_mean_ms", 1e-3 * s->query_us);
    lt_bench_number(bench, "from_front_mean_ms", 1e-3 * s->front_us);
    lt_bench_number(bench, "spared_%", 100 * (1 - s->front_us / s->query_us));
    lt_bench_number(bench, "spared_of_step_%", 100 * (s->query_us - s->front_us) / s->ours.mean);
}

/* There are no bars for it. */
static void add_embree_row(lt_bench *bench, const char *label, const summary *s) {
    lt_bench_row_begin(bench, label);
    if (!lt_fine_embree_exists()) {
        lt_bench_text(bench, "embree", "skipped: not in this build; install libembree-dev and build again");
        return;
    }
    lt_bench_number(bench, "embree_mean_ms", 1e-3 * s->embree_us);
    lt_bench_number(bench, "uncut_refit_mean_ms", 1e-3 * s->whole[PLAIN].mean);
    lt_bench_number(bench, "ours_mean_ms", 1e-3 * s->ours.mean);
    lt_bench_number(bench, "times_mean", s->embree_us / s->ours.mean);
    lt_bench_number(bench, "frames_that_differ", s->embree_differs);
}

/* ---- checks ---- */

static void check_time(lt_bench *bench, const char *name, const summary *s, double value, const char *op,
                       double bar) {
    if (bench->quick || s->ours.count == 0)
        lt_bench_check_absent(bench, name, op, bar, bench->quick ? NO_QUICK : "no such frames");
    else
        lt_bench_check_value(bench, name, value, op, bar);
}

/* The slower of both, a triangle; a refit is of `bodies` trees. */
static void check_refit(lt_bench *bench, const char *name, const summary *s, const contest *c,
                        uint32_t bodies) {
    double cut = s->refit_us[CUT] / c->dense->tree.triangle_count,
           plain = s->refit_us[PLAIN] / c->plain.tree.triangle_count;
    check_time(bench, name, s, 1e3 * lt_max_d(cut, plain) / bodies, "<", REFIT_NS_BAR);
}

/* ---- the knot ---- */

static void judge_knot(lt_bench *bench, const run *r, const contest *c) {
    summary all = summarise(bench, r, ALL), touching = summarise(bench, r, TOUCHING);
    add_row(bench, "knot with itself, all frames", &all);
    add_row(bench, "knot with itself, in contact", &touching);
    add_front_row(bench, "knot in contact, query from the last front", &touching);
    add_embree_row(bench, "knot with itself, Embree, all frames", &all);
    add_embree_row(bench, "knot with itself, Embree, in contact", &touching);
    check_time(bench, "multiscale.knot-median-ms", &all, 1e-3 * all.ours.median, "<=", 0.8);
    check_time(bench, "multiscale.knot-median-times-refit", &all, times_median(&all, CUT), ">=", 15);
    check_time(bench, "multiscale.knot-median-times-uncut-refit", &all, times_median(&all, PLAIN), ">=", 15);
    check_time(bench, "multiscale.knot-contact-mean-ms", &touching, 1e-3 * touching.ours.mean, "<=", 3);
    check_time(bench, "multiscale.knot-contact-times-refit", &touching, times_mean(&touching, CUT), ">=", 5);
    check_time(bench, "multiscale.knot-contact-times-uncut-refit", &touching, times_mean(&touching, PLAIN),
               ">=", 5);
    check_refit(bench, "multiscale.knot-weak-baseline-ns", &all, c, 1);
    lt_bench_check_value(bench, "multiscale.knot-front-differs", all.front_differs, "==", 0);
}

lt_status lt_fine_knot_frames(lt_bench *bench, lt_error *error) {
    lt_fine_shape dense;
    contest c = {0};
    run r;
    lt_status status = lt_fine_knot(&dense, bench, error);
    if (status == LT_OK) status = create_contest(&c, bench, &dense, true, error);
    if (status == LT_OK) {
        lt_bench_row_begin(bench, "knot: a generated trefoil");
        lt_fine_shape_numbers(bench, &dense);
        time_frames(&r, bench, &c, lt_fine_knot_motion, NULL);
        judge_knot(bench, &r, &c);
        free_contest(&c);
    }
    lt_fine_shape_free(&dense);
    return status;
}

/* ---- two bunnies ---- */

/* The second stands before the first, turned round; `place` is the distance at which they touch. They come near, touch after
 * three fifths of the time, and then knock at each other, four times, by up to three hundredths of their height and at half of
 * it a second. */
static double distance_at(double touch, double time) {
    double s, c;
    lt_sin_cos(2 * LT_PI * 4 * (time - 0.6) / 0.4, &s, &c);
    return time < 0.6 ? touch + 0.3 * (1 - time / 0.6) : touch - 0.015 * (1 - c);
}

/* Turned about the upright axis by more the higher it is, and swinging to and fro. */
static lt_dvec3 bend(lt_dvec3 x, double time) {
    double s, c, wave, unused;
    lt_sin_cos(0.35 * x.y + 0.1 * x.y * time, &s, &c);
    lt_sin_cos(8 * x.y + 6 * time, &wave, &unused);
    return (lt_dvec3){c * x.x - s * x.z + 0.02 * wave, 1.05 * x.y, s * x.x + c * x.z};
}

static void first_motion(float *nodes, const lt_fine_body *body, double time) {
    for (uint32_t i = 0; i < body->dense->carrier.node_count; i++)
        lt_fine_put(nodes, i, bend(lt_fine_rest(body, i), time));
}

static void put_second(float *nodes, const lt_fine_body *body, double time, double distance) {
    for (uint32_t i = 0; i < body->dense->carrier.node_count; i++) {
        lt_dvec3 x = bend(lt_fine_rest(body, i), time);
        lt_fine_put(nodes, i, (lt_dvec3){distance - x.x, x.y, 0.05 - x.z});
    }
}

static void second_motion(float *nodes, const lt_fine_body *body, double time) {
    put_second(nodes, body, time, distance_at(body->place, time));
}

static bool crosses_at(lt_fine_pair *pair, double distance) {
    first_motion(pair->a->from, pair->a, 0.6);
    put_second(pair->b->from, pair->b, 0.6, distance);
    lt_fine_body *bodies[2] = {pair->a, pair->b};
    for (int i = 0; i < 2; i++) {
        lt_fine_body *body = bodies[i];
        memcpy(body->to, body->from, 4 * (size_t)body->dense->carrier.node_count * sizeof(float));
        lt_fine_body_measure(body);
        lt_multiscale_begin(&body->boxes, body->from, NULL, body->box);
        lt_multiscale_fit(&body->boxes);
    }
    lt_query_begin(&pair->query);
    while (!lt_query_is_done(&pair->query) && pair->query.meeting_count == 0)
        lt_query_step(&pair->query, 1 << 12);
    return pair->query.meeting_count > 0;
}

static double find_touch(lt_fine_pair *pair) {
    const lt_box *box = &pair->a->dense->box;
    double near = 0, far = 2.5 * (double)(box->hi.x - box->lo.x);
    for (int i = 0; i < 16; i++)
        *(crosses_at(pair, (near + far) / 2) ? &near : &far) = (near + far) / 2;
    return far;
}

/* Where they touch is found unless it is known. */
static void time_couple(run *out, lt_bench *bench, contest *c, double *touch) {
    if (*touch == 0) *touch = find_touch(&c->pairs[CUT]);
    c->bodies[CUT][1].place = *touch;
    time_frames(out, bench, c, first_motion, second_motion);
}

static void name_row(lt_bench *bench, const char *what, const summary *s) {
    char label[64];
    snprintf(label, sizeof label, "two of %s, %s", lt_fine_bunny_name(), what);
    add_row(bench, label, s);
}

static void judge_bunnies(lt_bench *bench, const run *r, const contest *c) {
    summary free = summarise(bench, r, FREE), touching = summarise(bench, r, TOUCHING);
    name_row(bench, "free", &free);
    name_row(bench, "in contact", &touching);
    add_front_row(bench, "two in contact, query from the last front", &touching);
    add_embree_row(bench, "two, Embree, free", &free);
    add_embree_row(bench, "two, Embree, in contact", &touching);
    check_time(bench, "multiscale.bunnies-free-ms", &free, 1e-3 * free.ours.mean, "<=", 0.1);
    check_time(bench, "multiscale.bunnies-free-times-refit", &free, times_mean(&free, CUT), ">=", 8);
    check_time(bench, "multiscale.bunnies-contact-ms", &touching, 1e-3 * touching.ours.mean, "<=", 0.6);
    check_time(bench, "multiscale.bunnies-contact-times-refit", &touching, times_mean(&touching, CUT),
               ">=", 1.8);
    check_refit(bench, "multiscale.bunnies-weak-baseline-ns", &free, c, 2);
    lt_bench_check_value(bench, "multiscale.bunnies-front-differs", free.front_differs, "==", 0);
}

static void judge_finer(lt_bench *bench, const run *coarse, const run *fine, const lt_fine_shape *dense,
                        const contest *c) {
    summary before = summarise(bench, coarse, FREE), free = summarise(bench, fine, FREE),
            touching = summarise(bench, fine, TOUCHING);
    double records = (double)lt_fine_cut_records(c->dense) / lt_fine_cut_records(dense);
    name_row(bench, "16x finer, free", &free);
    name_row(bench, "16x finer, in contact", &touching);
    check_time(bench, "multiscale.finer-free-more-%", &free, 100 * (free.ours.mean / before.ours.mean - 1),
               "<=", 35);
    lt_bench_check_value(bench, "multiscale.finer-cut-records-more-%", 100 * (records - 1), "<=", 20);
    check_time(bench, "multiscale.finer-contact-times-refit", &touching, times_mean(&touching, CUT), ">=", 4);
    check_refit(bench, "multiscale.finer-weak-baseline-ns", &free, c, 2);
}

static lt_status time_bunnies(run *out, lt_bench *bench, const lt_fine_shape *dense, double *touch,
                              lt_error *error) {
    contest c;
    lt_status status = create_contest(&c, bench, dense, false, error);
    if (status != LT_OK) return status;
    lt_bench_row_begin(bench, lt_fine_bunny_name());
    lt_fine_shape_numbers(bench, dense);
    time_couple(out, bench, &c, touch);
    judge_bunnies(bench, out, &c);
    free_contest(&c);
    return LT_OK;
}

static lt_status time_finer(const run *coarse, lt_bench *bench, const lt_fine_shape *dense, double *touch,
                            lt_error *error) {
    lt_fine_shape finer;
    contest c = {0};
    run fine;
    lt_status status = lt_fine_shape_subdivide(&finer, bench, dense, 2, error);
    if (status == LT_OK) status = create_contest(&c, bench, &finer, false, error);
    if (status == LT_OK) {
        lt_bench_row_begin(bench, "16x finer");
        lt_fine_shape_numbers(bench, &finer);
        time_couple(&fine, bench, &c, touch);
        judge_finer(bench, coarse, &fine, dense, &c);
        free_contest(&c);
    }
    lt_fine_shape_free(&finer);
    return status;
}

lt_status lt_fine_bunny_frames(lt_bench *bench, lt_error *error) {
    lt_fine_shape dense;
    run coarse;
    double touch = 0;
    lt_status status = lt_fine_bunny(&dense, bench, error);
    if (status == LT_OK) status = time_bunnies(&coarse, bench, &dense, &touch, error);
    if (status == LT_OK) status = time_finer(&coarse, bench, &dense, &touch, error);
    lt_fine_shape_free(&dense);
    return status;
}
