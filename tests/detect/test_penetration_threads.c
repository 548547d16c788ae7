/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* labels: threaded */

/* A collision cycle on one, two and four threads, step by step beside one without any: the same costs, and the same state
 * wherever it is cut. */

#include "check.h"

#include "core/tasks.h"
#include "detect/cycle_scene.h"

enum { CYCLES = 3 };

static scene s;                 /* bodies, and what a cycle is told; its own cycle has no threads */
static lt_cycle beside[CYCLES]; /* of 1, 2 and 4 threads */
static lt_tasks *tasks[CYCLES];
static uint32_t rows_ahead, points_ahead, full_chunks, cuts; /* seen */

static lt_cycle *cycle_at(uint32_t i) {
    return i ? &beside[i - 1] : &s.cycle;
}

static void begin_all(void) {
    const uint32_t threads[CYCLES] = {1, 2, 4};
    lt_allocator standard = lt_allocator_default();
    CHECK_FATAL(scene_begin(&s));
    s.cycle.input.cloud_kernels = s.input.cloud_kernels = lt_cloud_kernels_for(lt_simd_best());
    uint32_t capacity = s.found_capacity ? s.found_capacity : SCENE_FOUND;
    for (uint32_t i = 0; i < CYCLES; i++) {
        if (!tasks[i]) tasks[i] = lt_tasks_create(threads[i], NULL, NULL);
        CHECK_FATAL(tasks[i] != NULL);
        CHECK_FATAL(lt_cycle_reserve(&beside[i], s.colliders, s.body_count, capacity, SCENE_PAIRS, &standard,
                                     NULL) == LT_OK);
        lt_cycle_input input = s.input;
        input.tasks = tasks[i];
        lt_cycle_begin(&beside[i], &input);
    }
}

static void free_all(void) {
    for (uint32_t i = 0; i < CYCLES; i++) {
        lt_cycle_free(&beside[i]);
        lt_tasks_destroy(tasks[i]);
        tasks[i] = NULL;
    }
    scene_free(&s);
}

static bool same_cursor(const lt_cycle *a, const lt_cycle *b) {
    bool walks = a->marks == b->marks && a->level == b->level && a->walk.row == b->walk.row &&
                 a->walk.at == b->walk.at && (a->marks == 0 || a->row_begin == b->row_begin);
    return walks && a->phase == b->phase && a->next == b->next && a->sub == b->sub && a->body == b->body &&
           a->layer == b->layer && a->open_count == b->open_count && a->reached == b->reached &&
           a->element_count == b->element_count && a->later_elements == b->later_elements;
}

static bool same_lists(const lt_cycle *a, const lt_cycle *b) {
    if (a->found_count != b->found_count || a->edge_count != b->edge_count ||
        a->dropped_count != b->dropped_count || a->inside_count != b->inside_count)
        return false;
    bool edges = true;
    for (uint32_t i = 0; i < a->edge_count; i++) {
        const lt_border_edge *x = &a->edges[i], *y = &b->edges[i];
        edges = edges && x->found == y->found && x->to == y->to && x->triangle == y->triangle &&
                memcmp(&x->parameter, &y->parameter, sizeof x->parameter) == 0;
    }
    bool chains = a->phase <= LT_CYCLE_POINTS ||
                  memcmp(a->first_found, b->first_found, a->point_count * sizeof *a->first_found) == 0;
    return edges && chains && memcmp(a->found, b->found, a->found_count * sizeof *a->found) == 0;
}

static void note_what_is_ahead(const lt_cycle *c) {
    bool points = c->phase == LT_CYCLE_EDGES || c->phase == LT_CYCLE_SPREAD;
    *(points ? &points_ahead : &rows_ahead) += c->ahead.count - c->ahead.at;
    for (uint32_t i = 0; !points && i < c->ahead.chunk_capacity && c->ahead.at < c->ahead.count; i++)
        full_chunks += c->ahead.chunks[i].hit_count + LT_CYCLE_POINTS_ASKED + 7 > LT_CYCLE_CHUNK_HITS;
}

/* As a step with so many units would: pieces while they fit, whatever their kinds. Returns what was spent. */
static uint64_t spend(lt_cycle *c, uint64_t units) {
    uint64_t spent = 0;
    while (!lt_cycle_is_done(c) && lt_cycle_peek(c, 0).cost <= units - spent)
        spent += lt_cycle_step(c, (uint32_t)(units - spent));
    return spent;
}

/* All of them to the next cut, and on to the end. `shake`: bodies move between cuts. */
static void finish_together(lt_random *random, uint32_t least, uint32_t most, double shake) {
    for (cuts = 0; !lt_cycle_is_done(&s.cycle) && cuts < 5000; cuts++) {
        uint64_t units = least + lt_random_below(random, most - least);
        uint64_t spent = spend(&s.cycle, units);
        uint32_t different = 0;
        for (uint32_t i = 1; i <= CYCLES; i++) {
            lt_cycle *c = cycle_at(i);
            CHECK_COUNT(spend(c, units), spent);
            note_what_is_ahead(c);
            different += !same_cursor(&s.cycle, c) || !same_lists(&s.cycle, c);
        }
        CHECK_COUNT(different, 0);
        if (different) break;
        for (uint32_t i = 0; shake > 0 && i < s.body_count; i++)
            fixture_shake(&s.bodies[i], random, shake);
        for (uint32_t i = 0; s.input.live && i <= CYCLES; i++)
            lt_cycle_refresh(cycle_at(i));
    }
    CHECK(lt_cycle_is_done(&s.cycle));
}

/* Cubes of 1 about one place. */
static void place(lt_random *random, double apart, double shake) {
    for (uint32_t i = 0; i < s.body_count; i++) {
        affine a = random_rigid(random, apart);
        a.t = lt_d3_sub(a.t, lt_dm3_mul_vec(a.m, (lt_dvec3){0.5, 0.5, 0.5}));
        fixture_move(&s.bodies[i], move_affine, &a);
        fixture_shake(&s.bodies[i], random, shake);
        s.reach[i] = 0.01f * (float)i;
    }
}

static void forget_what_was_seen(void) {
    rows_ahead = points_ahead = full_chunks = 0;
}

/* ---- cuts ---- */

static void any_number_of_threads_is_the_same(void) {
    lt_random random = lt_random_seed(31);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_FATAL(scene_add(&s, 1, 6 + i) != NULL);
    s.obstacle_count = 1;
    s.obstacles[0] = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_SPHERE, .radius = 0.5f};
    lt_obstacle_place(&s.obstacles[0], (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    forget_what_was_seen();
    for (int round = 0; round < 4; round++) {
        s.self = round == 2;
        s.input.smooth_normals = round == 3;
        s.input.latency = 1 + (uint32_t)round % 3;
        place(&random, 0.3, 0.01);
        begin_all();
        /* Whole; in steps that just pay for threads; in steps of which some do. What moves meanwhile does not matter. */
        const uint32_t least[] = {400000000, 40000, 500}, most[] = {400000001, 90000, 80000};
        finish_together(&random, least[round % 3], most[round % 3], 0.05);
        CHECK(s.cycle.inside_count > 100 && s.cycle.edge_count > 20);
        CHECK(cuts > (round % 3 ? 10 : 0));
    }
    CHECK(rows_ahead > 400);
    free_all();
}

/* Many points inside, of many layers; cut among those that were probed ahead in EDGES. */
static void depths_are_the_same(void) {
    lt_random random = lt_random_seed(35);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_FATAL(scene_add(&s, 1, 15 + i) != NULL);
    forget_what_was_seen();
    place(&random, 0.05, 0.005);
    begin_all();
    for (uint32_t i = 0; i <= CYCLES; i++)
        while (cycle_at(i)->phase < LT_CYCLE_EDGES)
            lt_cycle_step(cycle_at(i), lt_cycle_peek(cycle_at(i), 0).cost);
    finish_together(&random, 36000, 38000, 0.05);
    CHECK(s.cycle.inside_count > 500 && s.cycle.layer > 2 && points_ahead > 100);
    free_all();
}

static void live_cycles_are_the_same(void) {
    lt_random random = lt_random_seed(32);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_FATAL(scene_add(&s, 1, 8 + i) != NULL);
    s.input.live = s.input.smooth_normals = true;
    s.input.function = LT_SPATIAL_TESCHNER;
    forget_what_was_seen();
    for (int round = 0; round < 2; round++) {
        place(&random, 0.3, 0.01);
        begin_all();
        finish_together(&random, 33000, 60000, 0.002);
        CHECK(s.cycle.inside_count > 50 && cuts > 5);
    }
    CHECK(rows_ahead > 100);
    free_all();
}

/* One body in the very place of another: each point is in several tets, of which the first counts, and as near to several
 * triangles. */
static void ties_are_the_same(void) {
    lt_random random = lt_random_seed(36);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_FATAL(scene_add(&s, 1, 9) != NULL);
    for (int round = 0; round < 2; round++) {
        begin_all();
        finish_together(&random, round ? 33000 : 400000000, round ? 60000 : 400000001, 0);
        CHECK(s.cycle.inside_count > 500);
    }
    free_all();
}

/* ---- clouds ---- */

enum { CLOUD = 9000 };

static void fill_cloud(lt_cloud *cloud, uint32_t count, int kind) {
    lt_random random = lt_random_seed(count);
    lt_cloud_clear(cloud);
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 p = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1), (float)(i % 7)};
        if (kind == 1 && i % 3 == 0) p.y = NAN;
        if (kind == 2) p.x = NAN;
        lt_cloud_add(cloud, 3 * i, i % 5, p, 0.01f * (float)(i % 11));
    }
    lt_cloud_begin(cloud, 0.1f, kind == 3 ? LT_SPATIAL_TESCHNER : LT_SPATIAL_LINEAR);
}

/* The same entries in the same order, for as many steps as it takes one after the other. */
static void clouds_are_the_same(void) {
    const uint32_t counts[] = {1, 63, 64, 65, 4096, 4097, CLOUD};
    lt_allocator standard = lt_allocator_default();
    lt_cloud stepped = {0}, built = {0};
    lt_tasks *two = lt_tasks_create(2, NULL, NULL);
    CHECK_FATAL(two && lt_cloud_reserve(&stepped, CLOUD, &standard, NULL) == LT_OK);
    CHECK_FATAL(lt_cloud_reserve(&built, CLOUD, &standard, NULL) == LT_OK);
    for (uint32_t i = 0; i < LT_COUNT_OF(counts); i++)
        for (int kind = 0; kind < 4; kind++) {
            uint32_t steps = 0, different = 0;
            fill_cloud(&stepped, counts[i], kind);
            fill_cloud(&built, counts[i], kind);
            for (; !lt_cloud_is_done(&stepped); steps++)
                lt_cloud_step(&stepped, 64);
            CHECK(lt_cloud_step_count(&built, 64) >= steps);
            CHECK_COUNT(lt_cloud_build(&built, 64, two), steps);
            CHECK(lt_cloud_is_done(&built));
            CHECK_COUNT(built.hash.entry_count, stepped.hash.entry_count);
            CHECK_COUNT(built.hash.bucket_count, stepped.hash.bucket_count);
            CHECK(memcmp(built.hash.bucket_ends, stepped.hash.bucket_ends,
                         built.hash.bucket_count * sizeof(uint32_t)) == 0);
            for (uint32_t k = 0; k < built.hash.entry_count; k++) {
                different +=
                    built.owners[k] != stepped.owners[k] ||
                    memcmp(&built.hash.entries[k], &stepped.hash.entries[k], sizeof(lt_spatial_entry)) != 0;
                for (uint32_t column = 0; column < 5; column++)
                    different += memcmp(lt_cloud_value(&built, k, column),
                                        lt_cloud_value(&stepped, k, column), sizeof(float)) != 0;
            }
            CHECK_COUNT(different, 0);
        }
    lt_cloud_free(&stepped);
    lt_cloud_free(&built);
    lt_tasks_destroy(two);
}

/* ---- no room ---- */

/* A fine body within a few large tets: each of them has so many points to ask that a chunk is full before its end. */
static void full_chunks_are_the_same(void) {
    lt_random random = lt_random_seed(33);
    CHECK_FATAL(scene_add(&s, 1, 14) != NULL);
    CHECK_FATAL(scene_add(&s, 1.6, 3) != NULL);
    forget_what_was_seen();
    for (int round = 0; round < 2; round++) {
        scene_move(&s, 0, 0.23, 0.27, 0.31);
        scene_move(&s, 1, 0, 0, 0);
        begin_all();
        finish_together(&random, round ? 33000 : 400000000, round ? 60000 : 400000001, 0);
        CHECK(s.cycle.inside_count > 1000);
    }
    CHECK(full_chunks > 0);
    free_all();
}

/* What does not fit is dropped in the same order, and a tet with many more points than fit is asked to its end. */
static void full_lists_are_the_same(void) {
    lt_random random = lt_random_seed(34);
    const uint32_t capacities[] = {1, 700};
    for (uint32_t i = 0; i < LT_COUNT_OF(capacities); i++) {
        CHECK_FATAL(scene_add(&s, 1, 12) != NULL);
        CHECK_FATAL(scene_add(&s, 1.6, 2) != NULL);
        scene_move(&s, 0, 0.23, 0.27, 0.31);
        s.found_capacity = capacities[i];
        begin_all();
        finish_together(&random, 40000, 90000, 0);
        CHECK_COUNT(s.cycle.found_count, capacities[i]);
        CHECK(s.cycle.dropped_count > 100);
        free_all();
    }
}

int main(void) {
    RUN(any_number_of_threads_is_the_same);
    RUN(depths_are_the_same);
    RUN(live_cycles_are_the_same);
    RUN(ties_are_the_same);
    RUN(clouds_are_the_same);
    RUN(full_chunks_are_the_same);
    RUN(full_lists_are_the_same);
    return check_finish();
}
