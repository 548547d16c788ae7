/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Spheres that follow the solid: from the root down, the points of a sphere are split among at most eight new ones
 * (papers/000 §4.1, after Bradshaw and O'Sullivan 2004, "Adaptive medial-axis approximation for sphere-tree
 * construction": medial spheres, chosen anew for every part of the surface). */

#include "bake/sphere_internal.h"

#include "bake/medial.h"
#include "bake/rest_tree.h"
#include "bake/sphere_split.h"

#include <string.h>

/* A part with fewer points than this has nothing more to split. */
#define POINTS_LEAST 2
/* Below the root an eighth of the trials a level, for there are eight times as many spheres; but not fewer than that. */
#define TRIALS_BELOW 4u
/* A lower mean error may cost so much of the worst. */
#define WORSE 1.15

typedef struct builder {
    /* Input */
    const lt_sphere_field *field;
    const lt_sphere_options *options;
    lt_medial medial;
    /* State */
    uint32_t *members; /* [point_count] points by sphere of the level at hand */
    uint32_t *sorted;  /* [point_count] */
    uint8_t *owners;   /* [point_count] by place in members */
    lt_array ranges;   /* of range, one a sphere */
    lt_split *split;
    /* Output */
    lt_array *spheres;
} builder;

typedef struct range {
    uint32_t begin, count;
} range;

/* ---- the root ---- */

static lt_dvec3 point_at(const lt_medial *m, uint32_t i) {
    return lt_d3_make(m->x[i], m->y[i], m->z[i]);
}

/* Nearly the smallest ball around all points: the centre goes towards the farthest, by less and less (Badoiu and
 * Clarkson 2003). */
static lt_rest_sphere enclosing_sphere(const lt_medial *m) {
    lt_rest_sphere root = {.center = point_at(m, 0), .parent = LT_NONE};
    for (int step = 1; step <= 400; step++) {
        uint32_t farthest = 0;
        double most = -1;
        for (uint32_t i = 0; i < m->point_count; i++) {
            double d = lt_d3_length_squared(lt_d3_sub(point_at(m, i), root.center));
            if (d > most) most = d, farthest = i;
        }
        root.radius = sqrt(most);
        lt_dvec3 way = lt_d3_sub(point_at(m, farthest), root.center);
        if (step < 400) root.center = lt_d3_mad(root.center, way, 1.0 / (step + 1));
    }
    root.error = root.radius;
    return root;
}

/* ---- one sphere's children ---- */

/* At most as many as fit, evenly picked: samples and vertices are each in random enough an order. */
static void choose_points(const builder *b, range r) {
    const lt_medial *m = &b->medial;
    lt_split_points *points = &b->split->points;
    points->count = lt_min_u32(r.count, b->field->pace->points_most);
    for (uint32_t i = 0; i < points->count; i++) {
        uint32_t point = b->members[r.begin + (uint64_t)i * r.count / points->count];
        points->x[i] = m->x[point];
        points->y[i] = m->y[point];
        points->z[i] = m->z[point];
    }
}

static void add_candidate(lt_split *split, lt_vec3 center) {
    split->candidates[split->candidate_count] = center;
    split->candidate_values[split->candidate_count++] =
        (float)lt_sphere_field_value(split->field, lt_d3_from_v3(center));
}

/* Centres of balls that touch at the sphere's own points; where there are few, points of the surface too. */
static void choose_candidates(const builder *b, range r, uint32_t run) {
    const lt_medial *m = &b->medial;
    lt_split *split = b->split;
    uint32_t ball_count = 0, seen = run; /* others every run */
    for (uint32_t i = 0; i < r.count; i++)
        ball_count += b->members[r.begin + i] < m->ball_count;
    split->candidate_count = 0;
    for (uint32_t i = 0; i < r.count; i++) {
        uint32_t point = b->members[r.begin + i];
        if (point >= m->ball_count) continue;
        uint32_t most = b->field->pace->candidates_most - LT_POLISH_LANES;
        if (ball_count <= most ||
            (uint64_t)seen * most / ball_count != (uint64_t)(seen + 1) * most / ball_count)
            add_candidate(split, m->centers[point]);
        seen++;
    }
    do
        add_candidate(split, lt_v3_from_d3(point_at(
                                 m, b->members[r.begin + lt_random_below(&split->random, r.count)])));
    while (split->candidate_count % LT_POLISH_LANES != 0);
}

/* Every point of the range to the child of lowest error that holds it; to the one that has to grow least where none
 * does. */
static void distribute(const builder *b, range r) {
    lt_split *split = b->split;
    for (uint32_t i = 0; i < r.count; i++) {
        lt_dvec3 p = point_at(&b->medial, b->members[r.begin + i]);
        double least_error = INFINITY, least_growth = INFINITY;
        uint32_t holder = LT_NONE, grower = 0;
        for (uint32_t s = 0; s < split->sphere_count; s++) {
            const lt_polish_sphere *sphere = &split->spheres[s];
            double growth = lt_d3_distance(p, sphere->center) - sphere->radius;
            if (growth < least_growth) least_growth = growth, grower = s;
            if (growth <= 0 && sphere->error < least_error) least_error = sphere->error, holder = s;
        }
        if (holder == LT_NONE) split->spheres[grower].radius += least_growth;
        b->owners[r.begin + i] = (uint8_t)(holder == LT_NONE ? grower : holder);
    }
}

static bool push_child(builder *b, uint32_t parent, uint32_t child, range r, uint32_t *at) {
    const lt_polish_sphere *split = &b->split->spheres[child];
    uint32_t begin = *at;
    for (uint32_t i = 0; i < r.count; i++)
        if (b->owners[r.begin + i] == child) b->sorted[(*at)++] = b->members[r.begin + i];
    if (*at == begin) return true;
    lt_rest_sphere *up = (lt_rest_sphere *)b->spheres->items + parent;
    if (up->child_count++ == 0) up->first_child = (uint32_t)b->spheres->count;
    lt_rest_sphere sphere = {.center = split->center,
                             .radius = split->radius,
                             .error = split->error,
                             .parent = parent,
                             .level = up->level + 1};
    range own = {begin, *at - begin};
    return lt_array_push(b->spheres, &sphere) && lt_array_push(&b->ranges, &own);
}

/* What one run of the search came to. */
typedef struct outcome {
    lt_polish_sphere spheres[LT_SPHERE_BRANCHING_MAX];
    uint32_t sphere_count;
    double mean, worst; /* error */
    bool went_on;
} outcome;

/* Spheres that own nothing do not count: they would lower the mean. */
static outcome outcome_of(const lt_split *split) {
    outcome o = {.sphere_count = split->sphere_count};
    uint32_t owner_count = 0;
    memcpy(o.spheres, split->spheres, sizeof(o.spheres));
    for (uint32_t s = 0; s < split->sphere_count; s++) {
        owner_count += split->spheres[s].radius > 0;
        o.mean += split->spheres[s].error;
        o.worst = lt_max_d(o.worst, split->spheres[s].error);
    }
    o.mean /= lt_max_u32(owner_count, 1);
    return o;
}

/* The lowest mean of those whose worst sphere is not much worse than need be; of those that have not gone on, if asked. */
static outcome *choose_outcome(outcome *outcomes, uint32_t count, bool fresh) {
    outcome *chosen = NULL;
    double least_worst = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        least_worst = lt_min_d(least_worst, outcomes[i].worst);
    for (uint32_t i = 0; i < count; i++) {
        outcome *o = &outcomes[i];
        bool counts = o->worst <= WORSE * least_worst && !(fresh && o->went_on);
        if (counts && (!chosen || o->mean < chosen->mean)) chosen = o;
    }
    return chosen;
}

static void return_to(lt_split *split, const outcome *o) {
    memcpy(split->spheres, o->spheres, sizeof(split->spheres));
    split->sphere_count = o->sphere_count;
}

/* The best runs go on by the lowest power, which is nearest to the mean. Adds their outcomes to those of the runs. */
static lt_status run_finals(builder *b, range r, outcome *outcomes, uint32_t *count, lt_error *error) {
    uint32_t runs = *count, finals = runs > 1 ? b->field->pace->root_finals : 0;
    LT_ASSERT(runs + finals <= LT_SPLIT_RUNS);
    for (uint32_t i = 0; i < finals; i++) {
        outcome *best = choose_outcome(outcomes, runs, true);
        if (!best) break;
        best->went_on = true;
        return_to(b->split, best);
        b->split->power = 2;
        choose_candidates(b, r, runs + i);
        lt_status status = lt_split_improve(b->split, b->options->trials / 4, &b->options->allocator, error);
        if (status != LT_OK) return status;
        outcomes[(*count)++] = outcome_of(b->split);
    }
    return LT_OK;
}

/* Searches from several beginnings: where a search ends depends on where it begins more than on how long it goes on. Powers
 * in turn: lower ones give lower means, higher ones better worst spheres. */
static lt_status run_splits(builder *b, range r, uint32_t level, uint32_t trials, lt_error *error) {
    outcome outcomes[LT_SPLIT_RUNS];
    lt_split *split = b->split;
    uint32_t runs = level == 0 ? lt_min_u32(b->field->pace->root_runs, b->options->trials + 1) : 1, count = 0;
    LT_ASSERT(runs >= 1 && runs <= LT_SPLIT_RUNS);
    bool begins_low = level == 1 && b->options->depth > 2;
    while (count < runs) {
        split->power = begins_low ? 3 : 4 - (int)(count % 3);
        choose_candidates(b, r, count);
        lt_status status =
            lt_split_run(split, level == 0 ? trials / 16 : trials, &b->options->allocator, error);
        if (status != LT_OK) return status;
        outcomes[count++] = outcome_of(split);
    }
    lt_status status = run_finals(b, r, outcomes, &count, error);
    if (status == LT_OK) return_to(split, choose_outcome(outcomes, count, false));
    return status;
}

static lt_status split_sphere(builder *b, uint32_t index, lt_error *error) {
    const lt_rest_sphere *sphere = (const lt_rest_sphere *)b->spheres->items + index;
    range r = ((const range *)b->ranges.items)[index];
    if (r.count < POINTS_LEAST) return LT_OK;
    lt_split *split = b->split;
    split->field = b->field;
    split->sphere_most = b->options->branching;
    split->random = lt_random_seed(((uint64_t)b->options->seed << 32) + index);
    choose_points(b, r);
    uint32_t trials = b->options->trials;
    trials = lt_max_u32(trials >> (3 * sphere->level), lt_min_u32(trials, TRIALS_BELOW));
    lt_status status = run_splits(b, r, sphere->level, trials, error);
    if (status != LT_OK) return status;
    distribute(b, r);
    uint32_t at = r.begin;
    bool ok = true;
    for (uint32_t s = 0; ok && s < split->sphere_count; s++)
        ok = push_child(b, index, s, r, &at);
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for its spheres");
    memcpy(b->members + r.begin, b->sorted + r.begin, r.count * sizeof(uint32_t));
    return LT_OK;
}

/* ---- all ---- */

static lt_status begin(builder *b, lt_error *error) {
    lt_status status = lt_medial_build(&b->medial, b->field, b->options, error);
    if (status != LT_OK) return status;
    uint32_t count = b->medial.point_count;
    b->members = LT_NEW(&b->options->allocator, count, uint32_t);
    b->sorted = LT_NEW(&b->options->allocator, count, uint32_t);
    b->owners = LT_NEW(&b->options->allocator, count, uint8_t);
    b->split = LT_NEW(&b->options->allocator, 1, lt_split);
    bool ok = b->members && b->sorted && b->owners && b->split;
    for (uint32_t i = 0; ok && i < count; i++)
        b->members[i] = i;
    lt_rest_sphere root = enclosing_sphere(&b->medial);
    range all = {0, count};
    ok = ok && lt_array_push(b->spheres, &root) && lt_array_push(&b->ranges, &all);
    return ok ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to place spheres");
}

static void finish(builder *b) {
    uint32_t count = b->medial.point_count;
    LT_DELETE(&b->options->allocator, b->members, count, uint32_t);
    LT_DELETE(&b->options->allocator, b->sorted, count, uint32_t);
    LT_DELETE(&b->options->allocator, b->owners, count, uint8_t);
    LT_DELETE(&b->options->allocator, b->split, 1, lt_split);
    lt_array_free(&b->ranges);
    lt_medial_free(&b->medial);
}

lt_status lt_sphere_propose_medial(lt_array *spheres, const lt_sphere_field *field,
                                   const lt_sphere_options *options, lt_error *error) {
    builder b = {.field = field, .options = options, .spheres = spheres};
    b.ranges = LT_ARRAY_OF(&options->allocator, range);
    lt_status status = begin(&b, error);
    for (uint32_t i = 0; status == LT_OK && i < spheres->count; i++) {
        if (((const lt_rest_sphere *)spheres->items)[i].level >= options->depth) break;
        status = lt_sphere_report(options, "placing spheres", (double)i / spheres->count, error);
        if (status == LT_OK) status = split_sphere(&b, i, error);
    }
    finish(&b);
    return status;
}
