/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Local search. One round is
 *
 *   assign   every point to the sphere that needs least for it
 *   settle   every sphere to where it needs least for its points; cheap, and near the best place already
 *   polish   the same on the true error
 *   trim     the farthest points of a sphere go to others that hold them anyway, or would grow for less than it shrinks
 *
 * The best of all rounds is kept. */

#include "bake/sphere_split.h"

#include <stdlib.h>
#include <string.h>

/* A sphere is not trimmed below that part of its share of points: it would vanish. */
#define FEWEST 4
/* Radii are computed in float; so much more holds every point. */
#define FLOAT_ROOM 1e-6

enum { ROOM = LT_SPLIT_POINTS + LT_SPHERE_BRANCHING_MAX * LT_POLISH_LANES };

/* The points by owner, each owner's row filled up with its last point. */
typedef struct rows {
    float x[ROOM], y[ROOM], z[ROOM];
    uint32_t points[ROOM];
    uint32_t begins[LT_SPHERE_BRANCHING_MAX], counts[LT_SPHERE_BRANCHING_MAX];
} rows;

typedef struct state {
    lt_polish_sphere spheres[LT_SPHERE_BRANCHING_MAX];
    uint8_t owners[LT_SPLIT_POINTS];
    double score;
} state;

typedef struct ranked_point {
    double distance;
    uint32_t point;
    uint8_t taker;
} ranked_point;

typedef struct work {
    lt_split *split;
    rows rows;
    state best;
    ranked_point ranked[LT_SPLIT_POINTS];
} work;

/* ---- what a sphere is worth ---- */

static void gather_rows(work *w) {
    const lt_split_points *points = &w->split->points;
    rows *r = &w->rows;
    memset(r->counts, 0, sizeof(r->counts));
    for (uint32_t i = 0; i < points->count; i++)
        r->counts[points->owners[i]]++;
    uint32_t at[LT_SPHERE_BRANCHING_MAX], end = 0;
    for (uint32_t s = 0; s < LT_SPHERE_BRANCHING_MAX; s++) {
        at[s] = r->begins[s] = end;
        end += (uint32_t)lt_align_up(r->counts[s], LT_POLISH_LANES);
    }
    for (uint32_t i = 0; i < points->count; i++)
        r->points[at[points->owners[i]]++] = i;
    for (uint32_t s = 0; s < LT_SPHERE_BRANCHING_MAX; s++)
        for (uint32_t k = at[s]; r->counts[s] > 0 && k % LT_POLISH_LANES != 0; k++)
            r->points[k] = r->points[at[s] - 1];
    for (uint32_t k = 0; k < end; k++) {
        r->x[k] = points->x[r->points[k]];
        r->y[k] = points->y[r->points[k]];
        r->z[k] = points->z[r->points[k]];
    }
}

static lt_polish_points row_of(const work *w, uint32_t sphere) {
    const rows *r = &w->rows;
    uint32_t begin = r->begins[sphere];
    return (lt_polish_points){r->x + begin, r->y + begin, r->z + begin, r->counts[sphere]};
}

static double weigh(const lt_split *split, double x) {
    double p = x * x;
    return split->power == 2 ? p : split->power == 3 ? p * x : p * p;
}

static double score_of(const lt_split *split) {
    double sum = 0;
    for (uint32_t s = 0; s < split->sphere_count; s++)
        sum += weigh(split, split->spheres[s].error);
    return sum;
}

/* Radii, true errors, score. */
static void evaluate(work *w) {
    lt_split *split = w->split;
    gather_rows(w);
    for (uint32_t s = 0; s < split->sphere_count; s++) {
        lt_polish_sphere *sphere = &split->spheres[s];
        sphere->radius = lt_polish_reach(row_of(w, s), sphere->center);
        sphere->error = w->rows.counts[s] == 0 ? 0
                                               : lt_polish_error(split->field, sphere->center, sphere->radius,
                                                                 INFINITY, &sphere->worst_direction);
    }
    split->score = score_of(split);
}

static void keep_if_better(work *w) {
    lt_split *split = w->split;
    if (!(split->score < w->best.score)) return;
    memcpy(w->best.spheres, split->spheres, sizeof(split->spheres));
    memcpy(w->best.owners, split->points.owners, sizeof(split->points.owners));
    w->best.score = split->score;
}

static void return_to_best(work *w) {
    lt_split *split = w->split;
    memcpy(split->spheres, w->best.spheres, sizeof(split->spheres));
    memcpy(split->points.owners, w->best.owners, sizeof(split->points.owners));
    split->score = w->best.score;
}

/* ---- moves ---- */

/* Towards the least need; true errors are not known afterwards. */
static void settle(work *w, uint32_t s) {
    lt_polish_sphere *sphere = &w->split->spheres[s];
    if (w->rows.counts[s] == 0) return;
    double best = lt_polish_reach(row_of(w, s), sphere->center) +
                  lt_sphere_field_value(w->split->field, sphere->center);
    double step = 0.3 * lt_polish_reach(row_of(w, s), sphere->center);
    for (int i = 0; i < w->split->field->pace->settle_steps; i++) {
        lt_dvec3 c = lt_d3_add(sphere->center, lt_polish_step(&w->split->random, step));
        double need = lt_polish_reach(row_of(w, s), c) + lt_sphere_field_value(w->split->field, c);
        step *= need < best ? 1.5 : 0.87;
        if (need >= best) continue;
        best = need;
        sphere->center = c;
    }
}

static double distance_to(const lt_split *split, uint32_t point, lt_dvec3 c) {
    const lt_split_points *p = &split->points;
    return lt_d3_distance(lt_d3_make(p->x[point], p->y[point], p->z[point]), c) * (1 + FLOAT_ROOM);
}

static void assign(work *w) {
    lt_split *split = w->split;
    double values[LT_SPHERE_BRANCHING_MAX];
    for (uint32_t s = 0; s < split->sphere_count; s++)
        values[s] = lt_sphere_field_value(split->field, split->spheres[s].center);
    for (uint32_t i = 0; i < split->points.count; i++) {
        double least = INFINITY;
        for (uint32_t s = 0; s < split->sphere_count; s++) {
            double need = distance_to(split, i, split->spheres[s].center) + values[s];
            if (need >= least) continue;
            least = need;
            split->points.owners[i] = (uint8_t)s;
        }
    }
}

/* ---- trimming ---- */

static int by_distance_falling(const void *a, const void *b) {
    const ranked_point *p = a, *q = b;
    if (p->distance != q->distance) return p->distance < q->distance ? 1 : -1;
    return p->point < q->point ? -1 : p->point > q->point;
}

/* The points of a sphere, farthest first. */
static uint32_t rank_points(work *w, uint32_t s) {
    const lt_split *split = w->split;
    uint32_t count = 0;
    for (uint32_t i = 0; i < split->points.count; i++)
        if (split->points.owners[i] == s)
            w->ranked[count++] = (ranked_point){distance_to(split, i, split->spheres[s].center), i, 0};
    qsort(w->ranked, count, sizeof(ranked_point), by_distance_falling);
    return count;
}

/* The sphere other than s that can take the point at the least price to the score; it grows by that. */
static uint32_t give_away(lt_split *split, uint32_t s, uint32_t point, double *price) {
    uint32_t taker = LT_NONE;
    double least = INFINITY, grown = 0;
    for (uint32_t t = 0; t < split->sphere_count; t++) {
        const lt_polish_sphere *sphere = &split->spheres[t];
        if (t == s || sphere->radius <= 0) continue;
        double growth = lt_max_d(0, distance_to(split, point, sphere->center) - sphere->radius);
        double now = split->spheres[t].error, p = weigh(split, now + growth) - weigh(split, now);
        if (p >= least) continue;
        least = p;
        grown = growth;
        taker = t;
    }
    if (taker == LT_NONE) return taker;
    split->spheres[taker].radius += grown;
    split->spheres[taker].error += grown;
    *price += least;
    return taker;
}

/* Gives the farthest points away one by one, but for the last few, further than each step pays, and keeps as many of the steps as pay
 * together. Errors are taken to follow radii one to one, which they do until the next evaluation. */
static void trim(work *w, uint32_t s) {
    lt_split *split = w->split;
    uint32_t count = rank_points(w, s), kept = 0;
    lt_polish_sphere before[LT_SPHERE_BRANCHING_MAX], after[LT_SPHERE_BRANCHING_MAX];
    memcpy(before, split->spheres, sizeof(before));
    memcpy(after, before, sizeof(after));
    double now = split->spheres[s].error, price = 0, most = 0;
    uint32_t least = lt_max_u32(1, split->points.count / (FEWEST * split->sphere_most));
    for (uint32_t i = 0; i + least < count && price < weigh(split, now); i++) {
        uint32_t taker = give_away(split, s, w->ranked[i].point, &price);
        double shrink = before[s].radius - w->ranked[i + 1].distance;
        if (taker == LT_NONE || shrink > before[s].error) break;
        w->ranked[i].taker = (uint8_t)taker;
        double gain = weigh(split, now) - weigh(split, now - shrink) - price;
        if (gain < most) continue;
        most = gain;
        kept = i + 1;
        memcpy(after, split->spheres, sizeof(after));
        after[s].radius = before[s].radius - shrink;
        after[s].error = before[s].error - shrink;
    }
    memcpy(split->spheres, after, sizeof(after));
    for (uint32_t i = 0; i < kept; i++)
        split->points.owners[w->ranked[i].point] = w->ranked[i].taker;
}

/* ---- rounds ---- */

/* Worst first: they have most to gain, and what they give away others can still carry. */
static void trim_all(work *w) {
    const lt_split *split = w->split;
    uint32_t order[LT_SPHERE_BRANCHING_MAX];
    for (uint32_t s = 0; s < split->sphere_count; s++) {
        uint32_t at = s;
        for (; at > 0 && split->spheres[order[at - 1]].error < split->spheres[s].error; at--)
            order[at] = order[at - 1];
        order[at] = s;
    }
    for (uint32_t i = 0; i < split->sphere_count; i++)
        trim(w, order[i]);
}

static void improve(work *w) {
    lt_split *split = w->split;
    const lt_sphere_pace *pace = split->field->pace;
    for (int round = 0; round < pace->split_rounds; round++) {
        assign(w);
        gather_rows(w);
        for (uint32_t s = 0; s < split->sphere_count; s++)
            settle(w, s);
    }
    assign(w);
    for (int round = 0; round < pace->split_rounds; round++) {
        evaluate(w);
        for (uint32_t s = 0; s < split->sphere_count; s++)
            if (w->rows.counts[s] > 0)
                lt_polish(&split->spheres[s], row_of(w, s), split->field, pace->polish_steps, &split->random);
        split->score = score_of(split);
        keep_if_better(w);
        trim_all(w);
    }
    evaluate(w);
    keep_if_better(w);
}

/* One sphere gives up its place and begins anew beside the worst. */
static void shake(work *w) {
    lt_split *split = w->split;
    uint32_t worst = 0, moved;
    for (uint32_t s = 1; s < split->sphere_count; s++)
        if (split->spheres[s].error > split->spheres[worst].error) worst = s;
    do
        moved = lt_random_below(&split->random, split->sphere_count);
    while (moved == worst);
    uint32_t candidate = lt_random_below(&split->random, split->candidate_count);
    uint32_t farthest = LT_NONE;
    double distance = -1;
    for (uint32_t i = 0; i < split->points.count; i++) {
        if (split->points.owners[i] != worst) continue;
        double d = distance_to(split, i, split->spheres[worst].center);
        if (d > distance) distance = d, farthest = i;
    }
    /* The candidate nearest to that point's side of the worst sphere. */
    double nearest = INFINITY;
    for (uint32_t c = 0; farthest != LT_NONE && c < split->candidate_count; c++) {
        double need =
            distance_to(split, farthest, lt_d3_from_v3(split->candidates[c])) + split->candidate_values[c];
        need += 0.2 * distance * lt_random_unit(&split->random);
        if (need < nearest) nearest = need, candidate = c;
    }
    split->spheres[moved].center = lt_d3_from_v3(split->candidates[candidate]);
}

lt_status lt_split_improve(lt_split *split, uint32_t trials, const lt_allocator *allocator, lt_error *error) {
    work *w = LT_NEW(allocator, 1, work);
    if (!w) return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to split points");
    w->split = split;
    w->best.score = INFINITY;
    improve(w);
    for (uint32_t trial = 0; trial < trials && split->sphere_count > 1; trial++) {
        return_to_best(w);
        shake(w);
        improve(w);
    }
    return_to_best(w);
    LT_DELETE(allocator, w, 1, work);
    return LT_OK;
}

lt_status lt_split_run(lt_split *split, uint32_t trials, const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_split_merge(split, allocator, error);
    return status == LT_OK ? lt_split_improve(split, trials, allocator, error) : status;
}
