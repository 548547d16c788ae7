/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The step of an island as a cursor: one bounded piece at a time, cut after any of them.
 *
 *   begin ─► RIGID ─► DEFORM ─► GIVE_BACK ─► BUILD ─► PRECONDITION ─► MULTIPLY ─► SEARCH ─┐ ─► MOMENTUM ─► DONE ─► end
 *            round    member        │                  member ▲       member     iteration │   round
 *                                   │                         └────────────────────────────┘
 *      cut: rigid motions           │  cut: the velocities of the last search, with exact momentum
 *
 * What no budget cuts is what lt_implicit_begin does, stage 0 until little is left to be gained, and the most that lt_implicit_end may
 * take from anywhere (lt_implicit_end_units): one linear step of the rigid level, solved twice, and the motion of all nodes. It is known
 * before anything else is granted, so that used ≤ max(allowed, fixed).
 *
 * Pieces are passes over one body (its tets), over up to eight bodies of one factor, over all couplings of the island, or of the rigid
 * level, a round of Newton with its looks. Grants are for jobs, which are of use as wholes; of one that is cut nothing is lost but its units.
 *
 * Threads that have nothing else to do share the pieces of members, a phase at once (take_members); what islands are to be shared
 * is chosen in advance_rounds.c. Searches, looks and the rigid level go on one thread.
 *
 * Not cut: nothing is decided here that iterations without a budget do not decide as well: same bits. */

#include "body/implicit_units.h"
#include "body/rigid_motion.h"
#include "core/factor.h"

/* ---- before any grant ---- */

static bool any_deforms(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++)
        if (lt_deforms(&s->island->members[m])) return true;
    return false;
}

static void go_to(lt_implicit *s, lt_implicit_phase phase) {
    s->phase = phase;
    s->at = 0;
}

static void leave_rigid(lt_implicit *s) {
    lt_rigid_place(s);
    s->harm = lt_newton_energy(s);
    go_to(s, !any_deforms(s) ? LT_IMPLICIT_DONE : s->island->fas ? LT_IMPLICIT_CYCLE : LT_IMPLICIT_DEFORM);
}

static uint64_t take_round(lt_implicit *s, lt_implicit_phase after) {
    uint64_t units = lt_units_of_round(s, lt_newton_round(s));
    if (!s->newton.ended) return units;
    if (after == LT_IMPLICIT_DONE)
        go_to(s, after);
    else
        leave_rigid(s);
    return units;
}

bool lt_implicit_begin(lt_implicit *s, const lt_advance *advance, lt_island *island) {
    if (!lt_implicit_prepare(s, advance, island)) return false;
    s->fixed_units = lt_units_of_begin(s) + lt_units_of_rigid_looks(s, 1);
    go_to(s, LT_IMPLICIT_RIGID);
    do
        s->fixed_units += take_round(s, LT_IMPLICIT_DEFORM);
    while (s->phase == LT_IMPLICIT_RIGID && s->newton.left > LT_NEARLY);
    s->begin_units = s->fixed_units;
    return true;
}

uint64_t lt_implicit_end_units(const lt_implicit *s) {
    return lt_units_of_momentum(s) + lt_units_of_round(s, lt_most_of_close(s));
}

static void begin_momentum(lt_implicit *s) {
    if (s->phase == LT_IMPLICIT_CYCLE)
        lt_fas_end(s);
    else
        lt_implicit_judge(s);
    lt_rigid_begin_finish(s);
    s->fixed_units += lt_units_of_momentum(s);
    go_to(s, LT_IMPLICIT_MOMENTUM);
}

/* ---- pieces of members ---- */

/* Of the island's order. */
static void precondition_members(const lt_implicit *s, uint32_t begin, uint32_t end) {
    const lt_real *r = lt_implicit_vector(s, s->is_corrected ? LT_VECTOR_PLACES : LT_VECTOR_RESIDUAL);
    for (uint32_t next; begin < end; begin = next) {
        next = lt_min_u32(end, lt_precondition_end(s->island, begin));
        lt_precondition(s, begin, next, lt_implicit_vector(s, LT_VECTOR_PRECONDITIONED), r);
    }
}

/* A budget may have left no more than some of the members. */
static void do_members(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    const lt_implicit *s = context;
    (void)chunk;
    LT_ASSERT(begin < end && end <= s->island->member_count);
    if (s->phase == LT_IMPLICIT_PRECONDITION) {
        precondition_members(s, begin, end);
        return;
    }
    for (uint32_t m = begin; m < end; m++) {
        lt_member *member = &s->island->members[m];
        if (!lt_deforms(member)) continue;
        if (s->phase == LT_IMPLICIT_DEFORM)
            lt_implicit_deform(s, member);
        else
            lt_implicit_multiply(s, member);
    }
}

static uint64_t units_of_members(const lt_implicit *s, uint32_t begin, uint32_t end) {
    uint64_t units = 0;
    for (; begin < end; begin++) {
        const lt_member *member = &s->island->members[begin];
        bool deforms = lt_deforms(member), in_deform = s->phase == LT_IMPLICIT_DEFORM;
        units += !deforms    ? 1
                 : in_deform ? lt_units_of_deform(member) + lt_units_of_check(member)
                             : lt_units_of_product(member);
    }
    return units;
}

static uint64_t units_of_preconditioner(const lt_implicit *s, uint32_t begin, uint32_t end) {
    uint64_t units = 0;
    for (uint32_t next; begin < end; begin = next) {
        next = lt_precondition_end(s->island, begin);
        units += lt_units_of_preconditions(s, begin, next);
    }
    return units;
}

/* The next piece, or all of the phase at once where threads share it: no piece reads what another writes, and how many bodies are solved at
 * once changes no bit. Units are those of pieces one by one. */
static uint64_t take_members(lt_implicit *s) {
    uint32_t begin = s->at, count = s->island->member_count, end = begin + 1;
    bool is_solved = s->phase == LT_IMPLICIT_PRECONDITION;
    if (s->tasks && begin == 0) {
        uint32_t grain = is_solved ? 1 + (count - 1) / lt_tasks_part_count(s->tasks) : 1;
        end = count;
        lt_tasks_for(s->tasks, count, lt_min_u32(grain, LT_FACTOR_SIDES), do_members, s);
    } else {
        if (is_solved) end = lt_precondition_end(s->island, begin);
        do_members(s, begin, end, 0);
    }
    s->at = end;
    return is_solved ? units_of_preconditioner(s, begin, end) : units_of_members(s, begin, end);
}

/* ---- pieces ---- */

static uint64_t deform(lt_implicit *s) {
    uint64_t units = take_members(s);
    if (s->at == s->island->member_count) go_to(s, LT_IMPLICIT_GIVE_BACK);
    return units;
}

static uint64_t searches(const lt_implicit *s, uint64_t looks) {
    const lt_member *first = &s->island->members[0];
    uint64_t gains = lt_implicit_follows_gains(s) ? lt_units_of_search(s, 0) + lt_units_of_product(first) : 0;
    return gains + lt_units_of_search(s, looks);
}

static uint64_t give_back(lt_implicit *s) {
    uint32_t looks = lt_implicit_give_back(s);
    s->is_bent = true;
    go_to(s, LT_IMPLICIT_BUILD);
    return searches(s, looks) + 2 * lt_units_of_residual(s);
}

static uint64_t build(lt_implicit *s) {
    uint64_t units = lt_precondition_piece_units(s, s->at);
    lt_precondition_build(s, s->at++);
    if (s->at == lt_precondition_piece_count(s)) go_to(s, LT_IMPLICIT_PRECONDITION);
    return units;
}

/* What contacts take of the residual is left in PLACES. */
static uint64_t correct(lt_implicit *s) {
    lt_patches_correct(s, lt_implicit_vector(s, LT_VECTOR_PLACES), lt_implicit_vector(s, LT_VECTOR_RESIDUAL),
                       lt_implicit_vector(s, LT_VECTOR_PRECONDITIONED));
    s->is_corrected = true;
    s->at = 0;
    return lt_units_of_correction(s);
}

static uint64_t precondition(lt_implicit *s) {
    uint64_t units = take_members(s);
    if (s->at < s->island->member_count) return units;
    if (s->island->patches->count > 0 && !s->is_corrected) return units + correct(s);
    s->is_corrected = false;
    units += lt_units_of_vectors(s);
    go_to(s, LT_IMPLICIT_MULTIPLY);
    if (s->iterations > 0)
        lt_implicit_redirect(s);
    else
        lt_implicit_start(s);
    if (!lt_implicit_goes_on(s)) begin_momentum(s);
    return units;
}

static uint64_t multiply(lt_implicit *s) {
    uint64_t units = take_members(s);
    if (s->at == s->island->member_count) go_to(s, LT_IMPLICIT_SEARCH);
    return units;
}

static uint64_t iterate(lt_implicit *s) {
    uint32_t looks = lt_implicit_iterate(s);
    s->harm = s->gain;
    uint64_t units = lt_units_of_search(s, looks);
    if (!lt_implicit_goes_on(s)) {
        begin_momentum(s);
        return units;
    }
    lt_implicit_look_across(s);
    go_to(s, LT_IMPLICIT_PRECONDITION);
    if (s->iterations == LT_PATCHED_ITERATIONS) lt_patches_drop(s);
    return units + lt_units_of_residual(s);
}

static uint64_t cycle(lt_implicit *s) {
    bool first = s->at++ == 0;
    if (first) lt_fas_begin(s);
    uint64_t units = first ? lt_units_of_fas_begin(s) : lt_units_of_fas_cycle(s);
    if (!first) {
        lt_fas_cycle(s);
        s->is_bent = true;
    }
    if (lt_fas_goes_on(s)) return units;
    s->is_bent = true;
    begin_momentum(s);
    return units;
}

uint64_t lt_implicit_step(lt_implicit *s) {
    switch (s->phase) {
    case LT_IMPLICIT_RIGID: return take_round(s, LT_IMPLICIT_DEFORM);
    case LT_IMPLICIT_DEFORM: return deform(s);
    case LT_IMPLICIT_GIVE_BACK: return give_back(s);
    case LT_IMPLICIT_BUILD: return build(s);
    case LT_IMPLICIT_PRECONDITION: return precondition(s);
    case LT_IMPLICIT_MULTIPLY: return multiply(s);
    case LT_IMPLICIT_SEARCH: return iterate(s);
    case LT_IMPLICIT_CYCLE: return cycle(s);
    case LT_IMPLICIT_MOMENTUM: return take_round(s, LT_IMPLICIT_DONE);
    default: return 0;
    }
}

/* ---- jobs ---- */

/* What a member adds to stage 1 and the first iteration, at most. */
static uint64_t member_job(const lt_implicit *s, const lt_member *member) {
    return lt_units_of_deform(member) + lt_units_of_check(member) + lt_units_of_blocks(member) + 2 +
           2 * lt_units_of_precondition(s, member) + lt_units_of_product(member);
}

static uint64_t iteration_job(const lt_implicit *s) {
    bool patched = s->island->patches->count > 0;
    uint64_t units =
        lt_units_of_search(s, LT_SEARCH_LOOKS) + lt_units_of_residual(s) + lt_units_of_vectors(s);
    for (uint32_t m = 0; m < s->island->member_count; m++)
        units += lt_deforms(&s->island->members[m]) ? lt_units_of_product(&s->island->members[m]) : 1;
    units += (patched ? 2 : 1) * units_of_preconditioner(s, 0, s->island->member_count);
    return patched ? units + lt_units_of_correction(s) : units;
}

/* Of stage 1 and an iteration, without members. */
static uint64_t first_job(const lt_implicit *s) {
    uint64_t looks = LT_SEARCH_LOOKS, units = searches(s, looks) + 3 * lt_units_of_residual(s);
    units += lt_units_of_search(s, looks) + 2 * lt_units_of_vectors(s);
    units += lt_precondition_piece_units(s, s->island->member_count);
    units += lt_units_of_patches(s) + lt_units_of_correction(s);
    for (uint32_t m = 0; m < s->island->member_count; m++)
        units += 4 + 3 * (uint64_t)s->island->members[m].row_count; /* of those that do not deform */
    return units;
}

static lt_job_cost first_job_cost(const lt_implicit *s) {
    uint64_t base = first_job(s), least = UINT64_MAX, all = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (!lt_deforms(member)) continue;
        uint64_t units = member_job(s, member);
        least = lt_min_u64(least, units);
        all += units;
    }
    return (lt_job_cost){base + least, base + all};
}

static bool is_between_jobs(const lt_implicit *s) {
    switch (s->phase) {
    case LT_IMPLICIT_RIGID:
    case LT_IMPLICIT_MOMENTUM: return true;
    case LT_IMPLICIT_DEFORM: return s->at == 0;
    case LT_IMPLICIT_PRECONDITION: return s->at == 0 && s->iterations > 0 && !s->is_corrected;
    case LT_IMPLICIT_CYCLE: return s->at != 1;
    default: return false;
    }
}

/* Iterations are granted before their preconditioner: behind a search. */
lt_job_cost lt_implicit_job(const lt_implicit *s) {
    uint64_t units = 0;
    LT_ASSERT(s->phase == LT_IMPLICIT_DONE || is_between_jobs(s));
    switch (s->phase) {
    case LT_IMPLICIT_DEFORM: return first_job_cost(s);
    case LT_IMPLICIT_RIGID:
    case LT_IMPLICIT_MOMENTUM: units = lt_units_of_round(s, lt_most_of_round(s)); break;
    case LT_IMPLICIT_PRECONDITION: units = iteration_job(s); break;
    case LT_IMPLICIT_CYCLE:
        units = (s->at == 0 ? lt_units_of_fas_begin(s) : 0) + lt_units_of_fas_cycle(s);
        break;
    default: break;
    }
    return (lt_job_cost){units, units};
}

/* Members that the grant is not enough for move rigidly in this step; those that come first differ from step to step. */
static void choose_members(const lt_implicit *s, uint64_t grant) {
    uint32_t count = s->island->member_count;
    uint64_t used = first_job(s);
    for (uint32_t i = 0; i < count; i++) {
        lt_member *member = &s->island->members[(i + s->advance->step) % count];
        if (!lt_deforms(member)) continue;
        uint64_t units = member_job(s, member);
        member->rigid_alone = member->left_out = used + units > grant;
        if (!member->left_out) used += units;
    }
}

void lt_implicit_run(lt_implicit *s, uint64_t grant) {
    uint64_t used = 0;
    while (s->phase != LT_IMPLICIT_DONE) {
        if (grant != UINT64_MAX && is_between_jobs(s)) {
            lt_job_cost job = lt_implicit_job(s);
            if (used + job.least > grant) break;
            if (s->phase == LT_IMPLICIT_DEFORM && used + job.most > grant) choose_members(s, grant - used);
        }
        if (lt_implicit_is_stopped(s)) break;
        s->piece_count++;
        used += lt_implicit_step(s);
        LT_ASSERT(used <= grant);
    }
    s->used_units += used;
}

/* ---- from wherever it is ---- */

static void become_rigid(lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++)
        s->island->members[m].rigid_alone = s->island->members[m].left_out = true;
}

static void close_newton(lt_implicit *s) {
    s->fixed_units += lt_units_of_round(s, lt_newton_close(s));
    if (!s->is_bent) lt_rigid_place(s);
}

static bool leaves_out(const lt_implicit *s) {
    bool some = false;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        some = some || s->island->members[m].left_out;
    return some;
}

void lt_implicit_end(lt_implicit *s) {
    bool done = s->phase == LT_IMPLICIT_DONE;
    s->was_cut = !done || leaves_out(s);
    if (!s->is_bent && !done) become_rigid(s);
    if (s->is_bent && !done && s->phase != LT_IMPLICIT_MOMENTUM) begin_momentum(s);
    if (!done || s->newton.is_unsettled) close_newton(s);
    if (s->is_bent) lt_rigid_finish(s);
    LT_ASSERT(s->fixed_units - s->begin_units <= lt_implicit_end_units(s));
    lt_implicit_settle(s);
}
