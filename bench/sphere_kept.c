/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Does it pay to keep fronts over steps? Two bodies wander about a pose, every step by a share of their size: turned and
 * bent a little, too. Each step is refined to the end twice, from nothing and with what was kept. */

#include "sphere_internal.h"

#include "core/polar.h"
#include "detect/front_cache.h"
#include "measure.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { KEPT_RECORDS = 65536, POSES = 4, STEPS = 60, BODY_PAIRS = 1 };
static const double BODY_SIZE = 0.3; /* m */

typedef struct effort {
    double tests, refreshes, units, front;
    double records; /* at most */
} effort;

/* Of all steps. */
typedef struct tally {
    effort mean;
    lt_samples times;
} tally;

typedef struct wandering {
    lt_rig *rig;
    lt_rig_pose home;
    lt_vec3 away[2], twist[2]; /* m, rad: how far a body has strayed */
    float bend[2];             /* rad/m */
    lt_front_cache cache;
    lt_kept_front front;
    lt_random random;
} wandering;

static lt_vec3 random_vector(lt_random *random, float size) {
    return (lt_vec3){lt_random_range(random, -size, size), lt_random_range(random, -size, size),
                     lt_random_range(random, -size, size)};
}

/* ---- motion ---- */

static lt_vec3 placed_node(const wandering *w, int body, lt_vec3 p) {
    lt_vec3 home = body == 0 ? (lt_vec3){0, 0, 0} : lt_v3_scale(w->home.direction, w->home.distance);
    p.x += 0.5f * w->bend[body] * p.y * p.y;
    p = lt_v3_from_d3(lt_dm3_mul_vec(lt_matrix_from_quat(w->home.rotations[body]), lt_d3_from_v3(p)));
    lt_vec3 t = w->twist[body];
    lt_quat turn = lt_quat_turn(t, (double)lt_v3_length(t) * 57.29577951308232);
    p = lt_v3_from_d3(lt_dm3_mul_vec(lt_matrix_from_quat(turn), lt_d3_from_v3(p)));
    return lt_v3_add(lt_v3_add(p, home), w->away[body]);
}

static void place(wandering *w) {
    for (int i = 0; i < 2; i++) {
        lt_rig *rig = w->rig;
        for (uint32_t n = 0; n < rig->node_counts[i]; n++)
            rig->placed[n] = placed_node(w, i, rig->rest[i][n]);
        lt_body_set_nodes(rig->world, rig->bodies[i], rig->placed, NULL, NULL);
        lt_collider_measure(lt_rig_collider(rig, i), 0, lt_bound_kernels_for(lt_simd_best()));
    }
}

/* The fastest point of a body moves by about half of `share` of the size: both together, the whole. What strays is
 * drawn back. */
static void wander(wandering *w, double share) {
    lt_body_motion motions[2];
    float step = (float)(share * BODY_SIZE);
    for (int i = 0; i < 2; i++) {
        lt_soft *soft = lt_soft_at(w->rig->world, (uint32_t)i);
        memcpy(soft->x_before, soft->x, 4 * (size_t)w->rig->node_counts[i] * sizeof(lt_real));
        w->away[i] = lt_v3_mad(random_vector(&w->random, 0.3f * step), w->away[i], 0.95f);
        w->twist[i] = lt_v3_mad(random_vector(&w->random, 0.6f * step), w->twist[i], 0.95f);
        w->bend[i] = 0.95f * w->bend[i] + lt_random_range(&w->random, -step, step) * 4;
    }
    place(w);
    for (int i = 0; i < 2; i++)
        motions[i] = lt_body_motion_of(lt_rig_collider(w->rig, i));
    lt_front_cache_move(&w->cache, &w->front, &motions[0], &motions[1]);
}

/* ---- effort ---- */

/* Pieces one by one where they are counted, all that fits where they are timed. */
static effort refine(lt_rig *rig) {
    effort e = {0, 0, 0, 0, 0};
    lt_rig_begin(rig, LT_ORDER_BEST_FIRST, true);
    for (lt_piece next = lt_traverse_peek(&rig->traverse, 0); next.cost;
         next = lt_traverse_peek(&rig->traverse, 0)) {
        e.refreshes += next.work == LT_WORK_REFRESH;
        e.units += lt_rig_step(rig, 0);
    }
    e.tests = (double)rig->traverse.tested;
    e.front = rig->traverse.found_count;
    e.units += LT_FRONT_UNITS * e.front;
    return e;
}

static lt_sample time_refine(lt_rig *rig) {
    lt_stopwatch watch = lt_stopwatch_start();
    lt_rig_begin(rig, LT_ORDER_BEST_FIRST, true);
    while (lt_rig_step(rig, 1u << 20)) {
    }
    return lt_stopwatch_stop(watch);
}

static void add_effort(effort *sum, effort e, double share) {
    sum->tests += share * e.tests;
    sum->refreshes += share * e.refreshes;
    sum->units += share * e.units;
    sum->front += share * e.front;
    sum->records = lt_max_d(sum->records, e.records);
}

static lt_front_memory memory_of(wandering *w) {
    static uint32_t records[LT_RIG_POOL];
    return (lt_front_memory){&w->cache, &w->front, lt_spheres_gap, lt_spheres_bounds, records};
}

/* Counted in even steps, timed in odd ones: with what is kept a turn can be taken only once. */
static bool take_turn(wandering *w, bool kept, bool timed, double share, tally *sum) {
    bool opens = kept && lt_front_cache_opens(&w->front), had = w->front.root != LT_NONE;
    lt_sample time = {0, false};
    effort e = {0, 0, 0, 0, 0};
    w->rig->memory = opens ? memory_of(w) : (lt_front_memory){0};
    if (timed)
        time = time_refine(w->rig);
    else
        e = refine(w->rig);
    e.records = w->cache.used;
    if (opens && had) lt_front_cache_judge(&w->cache, &w->front, &w->rig->traverse);
    if (timed) return lt_samples_add(&sum->times, time);
    for (int i = 0; i < 2 && kept; i++) /* what the motion of the bodies takes to measure */
        e.units += 1 + w->rig->node_counts[i] / 4;
    add_effort(&sum->mean, e, share);
    return true;
}

static void begin_wandering(wandering *w, lt_rig_pose home) {
    w->cache.used = 0;
    w->cache.dropped = LT_NONE;
    w->front = LT_NO_FRONT;
    w->home = home;
    memset(w->away, 0, sizeof w->away);
    memset(w->twist, 0, sizeof w->twist);
    w->bend[0] = w->bend[1] = 0;
    place(w);
    w->rig->memory = memory_of(w);
    refine(w->rig); /* the first turn has nothing yet */
}

static void report(lt_bench *bench, const char *name, double share, tally sums[2]) {
    static const char *const keys[][2] = {{"tests", "tests kept"},
                                          {"refreshes", "refreshes kept"},
                                          {"front", "front kept"},
                                          {"units", "units kept"},
                                          {"us", "us kept"}};
    char label[64];
    snprintf(label, sizeof label, "kept fronts, %s, %g %% a step", name, 100 * share);
    lt_bench_row_begin(bench, label);
    for (size_t k = 0; k < LT_COUNT_OF(keys); k++)
        for (int i = 0; i < 2; i++) {
            const effort *e = &sums[i].mean;
            const double values[] = {e->tests, e->refreshes, e->front, e->units,
                                     lt_samples_distribution(&sums[i].times, false).mean};
            lt_bench_number(bench, keys[k][i], values[k]);
        }
    lt_bench_number(bench, "records", sums[1].mean.records);
}

static bool wander_about(wandering *w, double share, int poses, int steps, tally sums[2]) {
    bool slight = poses > 1, room = true;
    w->random = lt_random_seed(70);
    for (int pose = 0; pose < poses && room; pose++) {
        w->rig->memory = (lt_front_memory){0};
        begin_wandering(w, slight ? lt_rig_slight_pose(w->rig, &w->random) : lt_rig_overlap_pose());
        for (int step = 0; step < steps && room; step++) {
            wander(w, share);
            for (int turn = 0; turn < 2; turn++) {
                int kept = turn ^ (step / 2 % 2); /* whoever comes second finds all at hand */
                room = room && take_turn(w, kept, step % 2, 2.0 / (poses * steps), &sums[kept]);
            }
        }
    }
    return room;
}

static lt_status measure(lt_bench *bench, wandering *w, bool slight, lt_error *error) {
    const double shares[] = {0.001, 0.01, 0.03, 0.1};
    int poses = slight ? (bench->quick ? 2 : POSES) : 1, steps = bench->quick ? STEPS / 6 : STEPS;
    bool room = true;
    for (size_t i = 0; i < LT_COUNT_OF(shares) && room; i++) {
        tally sums[2];
        for (int k = 0; k < 2; k++)
            sums[k] = (tally){{0, 0, 0, 0, 0}, lt_samples_begin(&bench->allocator)};
        room = wander_about(w, shares[i], poses, steps, sums);
        if (room) report(bench, slight ? "slight" : "overlap", shares[i], sums);
        for (int k = 0; k < 2; k++)
            lt_samples_free(&sums[k].times);
    }
    return room ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "out of memory for times");
}

lt_status lt_sphere_kept(lt_bench *bench, lt_error *error) {
    lt_rig rig;
    lt_status status = lt_rig_create(&rig, LT_RIG_BUNNY, LT_RIG_BUNNY, bench->quick, error);
    if (status != LT_OK) return status;
    wandering w = {.rig = &rig};
    status = lt_front_cache_create(&w.cache, KEPT_RECORDS, &bench->allocator, error);
    if (status == LT_OK) status = measure(bench, &w, true, error);
    if (status == LT_OK) status = measure(bench, &w, false, error);
    lt_front_cache_free(&w.cache, &bench->allocator);
    lt_rig_free(&rig);
    return status;
}
