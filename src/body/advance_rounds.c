/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* All islands through a step on one budget of work units.
 *
 *   begin all, in parallel ─► fixed units, and what ends may take, are known
 *   round:  jobs and grants are chosen serially from the states of the islands ─► run in parallel ─► charged together ─┐
 *             ▲                                                                                                        │
 *             └────────────────── while some job fits into what is left ◄─────────────────────────────────────────────┘
 *   end all, in parallel
 *
 * Grants are decided by counts and states alone: the same bits for any number of threads. Without a budget no round is made: begin,
 * run and end of an island are one piece of a parallel loop.
 *
 * An island that has most of the nodes, a pile mostly, is not left to one thread (choose_shared): it runs before that loop, its solves,
 * products and rotations, some half of it, shared by all (implicit_cursor.c). Loops are never nested. A body alone is not shared: of
 * 10,000 tets its factor, forth and back on one thread, is 73 % of the solve, products are 19 %, rotations 5 %. Colours of tets would
 * share these: 1.14 times as quick on two threads, at best.
 *
 * Who is served. Where all jobs fit, everybody is, at most as many jobs each as fit all of them. Where they do not, everybody may
 * have a share in proportion to its job, if that is of any use to it (a pile solves some of its bodies); what is left goes whole to
 * those that come first: by turns to the next in rotation, which begins with another island in every step, so that none starves, and
 * to the one with most energy at stake, ties by index.
 *
 * Workload: one pile of tens of bodies, or hundreds of islands of one. Two to ten rounds. */

#include "body/island_motion.h"

/* ---- pieces of parallel loops ---- */

enum { FEWEST_SHARED_ROWS = 1000 /* some 10 us a product: a loop costs 2 to 3 */ };

typedef struct loop_context {
    const lt_advance *advance;
    lt_island *islands;
    lt_island_motion *motions;
    uint32_t shared; /* island that all threads share; LT_NONE: none is */
} loop_context;

/* Of implicit bodies; 0 of one alone, in which there is nothing to share. */
static uint32_t rows_to_share(const lt_island *island) {
    uint32_t rows = 0;
    for (uint32_t m = 0; m < island->member_count && island->member_count > 1; m++)
        if (!lt_soft_is_explicit(island->members[m].soft)) rows += island->members[m].row_count;
    return rows;
}

/* The largest, if sharing some half of it among n threads saves more than the others take behind it, which could have gone beside it. */
static uint32_t choose_shared(const lt_advance *advance, const lt_island *islands, uint32_t count) {
    uint64_t all = 0, largest = 0, second = 0, parts = lt_tasks_part_count(advance->tasks);
    uint32_t best = LT_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t rows = islands[i].row_count;
        all += rows;
        second = lt_max_u64(second, lt_min_u64(rows, largest));
        if (rows > largest) best = i;
        largest = lt_max_u64(largest, rows);
    }
    if (best == LT_NONE || parts == 1 || advance->pieces_allowed > 0)
        return LT_NONE; /* pieces are counted one by one */
    uint64_t rows = rows_to_share(&islands[best]), others = lt_max_u64(second, (all - largest) / parts);
    return rows > FEWEST_SHARED_ROWS && rows * (parts - 1) > 2 * parts * others ? best : LT_NONE;
}

static void run_island(const loop_context *loop, uint32_t i, uint64_t grant) {
    lt_implicit *solve = &loop->motions[i].solve;
    solve->tasks = i == loop->shared ? loop->advance->tasks : NULL;
    lt_implicit_run(solve, grant);
}

static void move_island(const loop_context *loop, uint32_t i) {
    lt_island_begin(&loop->motions[i], loop->advance, &loop->islands[i]);
    if (loop->motions[i].is_implicit) run_island(loop, i, UINT64_MAX);
    lt_island_end(&loop->motions[i], loop->advance, &loop->islands[i]);
}

static void move_islands(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const loop_context *loop = context;
    for (uint32_t i = begin; i < end; i++)
        if (i != loop->shared) move_island(loop, i);
}

static void begin_islands(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const loop_context *loop = context;
    for (uint32_t i = begin; i < end; i++)
        lt_island_begin(&loop->motions[i], loop->advance, &loop->islands[i]);
}

static void run_islands(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const loop_context *loop = context;
    for (uint32_t i = begin; i < end; i++)
        if (loop->motions[i].grant > 0 && i != loop->shared) run_island(loop, i, loop->motions[i].grant);
}

static void end_islands(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const loop_context *loop = context;
    for (uint32_t i = begin; i < end; i++)
        lt_island_end(&loop->motions[i], loop->advance, &loop->islands[i]);
}

/* ---- grants ---- */

static lt_job_cost job_of(const lt_island_motion *motion) {
    return motion->is_implicit && !lt_implicit_is_stopped(&motion->solve) ? lt_implicit_job(&motion->solve)
                                                                          : (lt_job_cost){0, 0};
}

/* Shares in proportion; what is left of `left` is returned. */
static uint64_t grant_shares(lt_island_motion *motions, uint32_t count, uint64_t left, uint64_t all) {
    uint64_t times = left / all, granted = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_job_cost job = job_of(&motions[i]);
        uint64_t share = (uint64_t)((double)left * ((double)job.most / (double)all) * 0.999999);
        motions[i].grant = times > 0 ? times * job.most : share >= job.least ? share : 0;
        granted += motions[i].grant;
    }
    LT_ASSERT(granted <= left);
    return left - granted;
}

/* The island that comes next of those without a whole job: LT_NONE: none that this much is of use to. */
static uint32_t next_island(const lt_advance *advance, const lt_island_motion *motions, uint32_t count,
                            uint64_t left, bool in_rotation) {
    uint32_t best = LT_NONE;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = in_rotation ? (uint32_t)((k + advance->step) % count) : k;
        lt_job_cost job = job_of(&motions[i]);
        if (motions[i].grant >= job.most || motions[i].grant + left < job.least) continue;
        if (in_rotation) return i;
        if (best == LT_NONE || motions[i].solve.harm > motions[best].solve.harm) best = i;
    }
    return best;
}

static bool choose_grants(const lt_advance *advance, lt_island_motion *motions, uint32_t count,
                          uint64_t left) {
    uint64_t all = 0, granted = 0;
    for (uint32_t i = 0; i < count; i++)
        all += job_of(&motions[i]).most;
    if (all == 0) return false;
    left = grant_shares(motions, count, left, all);
    for (bool in_rotation = true; left > 0; in_rotation = !in_rotation) {
        uint32_t i = next_island(advance, motions, count, left, in_rotation);
        if (i == LT_NONE) break;
        uint64_t more = lt_min_u64(left, job_of(&motions[i]).most - motions[i].grant);
        motions[i].grant += more;
        left -= more;
    }
    for (uint32_t i = 0; i < count; i++)
        granted += motions[i].grant;
    return granted > 0;
}

/* ---- the rounds ---- */

static uint64_t sum_used(const lt_island_motion *motions, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += motions[i].explicit_units + motions[i].solve.fixed_units + motions[i].solve.used_units;
    return sum;
}

static uint64_t sum_ends(const lt_island_motion *motions, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        if (motions[i].is_implicit)
            sum += motions[i].solve.begin_units + lt_implicit_end_units(&motions[i].solve) -
                   motions[i].solve.fixed_units;
    return sum;
}

static void run_rounds(lt_advance *advance, loop_context *loop, uint32_t count) {
    lt_island_motion *motions = loop->motions;
    lt_tasks_for(advance->tasks, count, 1, begin_islands, loop);
    advance->units_fixed = sum_used(motions, count) + sum_ends(motions, count);
    for (;;) {
        uint64_t committed = sum_used(motions, count) + sum_ends(motions, count);
        LT_ASSERT(committed <= lt_max_u64(advance->units_allowed, advance->units_fixed));
        if (committed >= advance->units_allowed) break;
        if (!choose_grants(advance, motions, count, advance->units_allowed - committed)) break;
        if (loop->shared != LT_NONE && motions[loop->shared].grant > 0)
            run_island(loop, loop->shared, motions[loop->shared].grant);
        lt_tasks_for(advance->tasks, count, 1, run_islands, loop);
    }
    lt_tasks_for(advance->tasks, count, 1, end_islands, loop);
}

void lt_rounds_run(lt_advance *advance, lt_island *islands, lt_island_motion *motions, uint32_t count) {
    loop_context loop = {advance, islands, motions, choose_shared(advance, islands, count)};
    if (advance->units_allowed > 0) {
        run_rounds(advance, &loop, count);
    } else {
        if (loop.shared != LT_NONE) move_island(&loop, loop.shared);
        lt_tasks_for(advance->tasks, count, 1, move_islands, &loop);
    }
    advance->units_used = sum_used(motions, count);
    advance->was_cut = false;
    for (uint32_t i = 0; i < count; i++)
        advance->was_cut = advance->was_cut || motions[i].solve.was_cut;
    if (advance->units_allowed == 0) advance->units_fixed = advance->units_used;
}
