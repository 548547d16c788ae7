/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The one loop that spends, with a clock of our own and cursors that are lists of pieces.
 *
 * Under units there is an exact oracle: the pieces are taken in order for as long as the next one, with the
 * response it may cause, fits into what is left. Grants of many pieces at a time may not change that.
 *
 * labels: wasm */

#include "check.h"
#include "core/budget.h"
#include "core/random.h"

enum { PIECE_MAX = 120, JOB_COUNT = 5, LOG_MAX = PIECE_MAX * (JOB_COUNT + 1) };

/* ---- a clock that costs are charged to ---- */

typedef struct fake_clock {
    uint64_t now;
    uint64_t read_cost; /* what one look takes */
    uint64_t read_count;
} fake_clock;

static uint64_t read_fake_clock(void *context) {
    fake_clock *clock = context;
    clock->read_count++;
    clock->now += clock->read_cost;
    return clock->now;
}

/* ---- cursors ---- */

typedef struct piece_log {
    uint32_t ids[LOG_MAX]; /* job and piece, in the order done */
    uint32_t count;
    uint64_t last_call_ns; /* how long the last step of a cursor took */
    uint64_t last_call_begin_ns;
} piece_log;

typedef struct job {
    lt_piece pieces[PIECE_MAX];
    uint32_t found[PIECE_MAX]; /* response really caused, at most the piece's reserve */
    uint32_t count, at, id;
    /* What a piece costs in time */
    double ns_per_unit[LT_WORK_COUNT];
    double noise; /* each piece takes (1 ± noise) times as long */
    lt_random random;
    lt_meter *meter;
    fake_clock *clock;
    piece_log *log;
} job;

static lt_piece job_peek(const void *state) {
    const job *j = state;
    return j->at < j->count ? j->pieces[j->at] : (lt_piece){0};
}

static void do_piece(job *j) {
    lt_piece piece = j->pieces[j->at];
    lt_reserve(j->meter, j->found[j->at]);
    double factor = 1 + j->noise * (double)lt_random_range(&j->random, -1, 1);
    j->clock->now += (uint64_t)(piece.cost * j->ns_per_unit[piece.work] * factor);
    CHECK(j->log->count < LOG_MAX);
    if (j->log->count < LOG_MAX) j->log->ids[j->log->count++] = j->id * 1000 + j->at;
    j->at++;
}

static uint32_t job_step(void *state, uint32_t grant) {
    job *j = state;
    CHECK(j->at < j->count && j->pieces[j->at].cost <= grant);
    lt_work work = j->pieces[j->at].work;
    uint64_t begin = j->clock->now;
    uint32_t cost = 0;
    while (j->at < j->count && j->pieces[j->at].work == work && j->pieces[j->at].cost <= grant - cost) {
        cost += j->pieces[j->at].cost;
        do_piece(j);
    }
    j->log->last_call_begin_ns = begin;
    j->log->last_call_ns = j->clock->now - begin;
    return cost;
}

static lt_cursor cursor_of(job *j) {
    return (lt_cursor){j, job_peek, job_step};
}

/* Runs of one kind of work each; within a run reserve / cost does not rise. */
static void fill_job(job *j, lt_random *random, uint32_t run_count, bool reserves) {
    j->count = 0;
    for (uint32_t run = 0; run < run_count; run++) {
        lt_work work = (lt_work)(run % LT_WORK_RESPOND);
        uint32_t length = 1 + lt_random_below(random, 8), cost = 1 + lt_random_below(random, 9);
        uint32_t reserve = reserves && lt_random_below(random, 2) ? lt_random_below(random, 3 * cost) : 0;
        for (uint32_t i = 0; i < length && j->count < PIECE_MAX; i++) {
            j->pieces[j->count] = (lt_piece){work, cost, reserve};
            j->found[j->count++] =
                lt_random_below(random, 3) ? reserve : lt_random_below(random, reserve + 1);
            uint32_t next = 1 + lt_random_below(random, 9);
            reserve = reserve * next / cost;
            cost = next;
        }
    }
}

/* ---- a step of five stages, with the response paid for after detection ---- */

typedef struct rig {
    fake_clock clock;
    lt_meter meter;
    job jobs[JOB_COUNT];
    bool done[JOB_COUNT];
    job response;
    piece_log log;
    uint64_t found_units;
} rig;

/* Two cursors share the stage of detection. */
static const lt_stage STAGE_OF[JOB_COUNT] = {LT_STAGE_EMBED, LT_STAGE_BROAD, LT_STAGE_DETECT, LT_STAGE_DETECT,
                                             LT_STAGE_OBSTACLES};

static void wire_job(rig *r, job *j, uint32_t id) {
    j->id = id;
    j->meter = &r->meter;
    j->clock = &r->clock;
    j->log = &r->log;
    j->random = lt_random_seed(id);
    for (int work = 0; work < LT_WORK_COUNT; work++)
        j->ns_per_unit[work] = 2;
}

static rig *make_rig(uint64_t seed, uint32_t run_count) {
    static rig rigs[2];
    static int next;
    rig *r = &rigs[next++ % 2];
    memset(r, 0, sizeof *r);
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < JOB_COUNT; i++) {
        wire_job(r, &r->jobs[i], i);
        fill_job(&r->jobs[i], &random, run_count, STAGE_OF[i] >= LT_STAGE_DETECT);
    }
    wire_job(r, &r->response, JOB_COUNT);
    lt_meter_init(&r->meter, (lt_clock){read_fake_clock, &r->clock});
    return r;
}

static void set_speed(rig *r, double ns_per_unit, double respond_ns, double noise, uint64_t seed) {
    for (uint32_t i = 0; i <= JOB_COUNT; i++) {
        job *j = i < JOB_COUNT ? &r->jobs[i] : &r->response;
        for (int work = 0; work < LT_WORK_COUNT; work++)
            j->ns_per_unit[work] = work == LT_WORK_RESPOND ? respond_ns : ns_per_unit * (1 + work % 3);
        j->noise = noise;
        j->random = lt_random_seed(seed + i);
    }
}

/* What was found is what has to be answered: as many units, in a few pieces. */
static void pay_response(rig *r) {
    uint64_t owed = r->meter.reserved_units;
    r->found_units = owed;
    r->response.count = r->response.at = 0;
    while (owed > 0) {
        uint32_t cost = owed > 7 && r->response.count < PIECE_MAX - 1 ? 7 : (uint32_t)owed;
        r->response.pieces[r->response.count] = (lt_piece){LT_WORK_RESPOND, cost, 0};
        r->response.found[r->response.count++] = 0;
        owed -= cost;
    }
    lt_spend_reserve(&r->meter, LT_STAGE_RESPOND, cursor_of(&r->response));
}

static void run_step(rig *r, const lt_budget *budget, uint64_t allowed_ns) {
    r->log.count = 0;
    lt_meter_begin(&r->meter, budget, allowed_ns);
    for (int i = 0; i < JOB_COUNT; i++) {
        r->jobs[i].at = 0;
        r->done[i] = lt_spend(&r->meter, STAGE_OF[i], cursor_of(&r->jobs[i]));
        CHECK(r->done[i] == (r->jobs[i].at == r->jobs[i].count));
        if (budget->collision_units != LT_UNLIMITED)
            CHECK(r->meter.used_units + r->meter.reserved_units <= budget->collision_units);
    }
    pay_response(r);
    CHECK_COUNT(r->meter.reserved_units, 0);
    if (budget->collision_units != LT_UNLIMITED) CHECK(r->meter.used_units <= budget->collision_units);
}

static void run_units(rig *r, uint64_t units) {
    lt_budget budget = lt_budget_collision_units(units);
    run_step(r, &budget, LT_UNLIMITED);
}

static uint64_t cost_of_everything(const rig *r) {
    uint64_t total = 0;
    for (int i = 0; i < JOB_COUNT; i++)
        for (uint32_t k = 0; k < r->jobs[i].count; k++)
            total += r->jobs[i].pieces[k].cost + r->jobs[i].pieces[k].reserve;
    return total;
}

/* How many pieces of all jobs in order fit into `units`, one at a time. */
static uint32_t fitting_pieces(const rig *r, uint64_t units) {
    uint64_t left = units;
    uint32_t count = 0;
    for (int i = 0; i < JOB_COUNT; i++)
        for (uint32_t k = 0; k < r->jobs[i].count; k++, count++) {
            lt_piece piece = r->jobs[i].pieces[k];
            if ((uint64_t)piece.cost + piece.reserve > left) return count;
            left -= piece.cost + r->jobs[i].found[k];
        }
    return count;
}

static uint32_t piece_count_done(const rig *r) {
    uint32_t count = 0;
    for (int i = 0; i < JOB_COUNT; i++)
        count += r->jobs[i].at;
    return count;
}

/* ---- units ---- */

static void units_do_exactly_what_fits_wherever_they_end(void) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rig *r = make_rig(seed, 6);
        uint64_t everything = cost_of_everything(r);
        for (uint64_t units = 0; units <= everything; units++) {
            run_units(r, units);
            CHECK_COUNT(piece_count_done(r), fitting_pieces(r, units));
            uint64_t spent = 0;
            for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
                spent += r->meter.spent.units[stage];
            CHECK_COUNT(spent, r->meter.used_units);
        }
        CHECK(r->done[JOB_COUNT - 1]);
        CHECK(!r->meter.ended);
    }
}

static void units_read_no_clock(void) {
    rig *r = make_rig(5, 6);
    for (uint64_t units = 0; units < 300; units += 7) {
        run_units(r, units);
        lt_meter_add_time(&r->meter, LT_STAGE_MODELS, 0);
        CHECK_COUNT(lt_meter_elapsed_ns(&r->meter), 0);
    }
    lt_budget unlimited = lt_budget_unlimited();
    run_step(r, &unlimited, LT_UNLIMITED);
    CHECK_COUNT(r->clock.read_count, 0);
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        CHECK_COUNT(r->meter.stage_ns[stage], 0);
}

/* Neither the clock nor what was learned from it decides anything. */
static void units_give_the_same_steps_whatever_the_time(void) {
    rig *plain = make_rig(6, 6), *timed = make_rig(6, 6);
    timed->meter.timed = true;
    timed->clock.read_cost = 31;
    set_speed(timed, 50, 9, 0.9, 77);
    for (int work = 0; work < LT_WORK_COUNT; work++)
        timed->meter.ns_per_unit[work] = 1000;
    for (uint64_t units = 0; units < 400; units += 3) {
        run_units(plain, units);
        run_units(timed, units);
        CHECK_COUNT(plain->log.count, timed->log.count);
        CHECK(memcmp(plain->log.ids, timed->log.ids, plain->log.count * sizeof plain->log.ids[0]) == 0);
        CHECK(memcmp(&plain->meter.spent, &timed->meter.spent, sizeof plain->meter.spent) == 0);
    }
    CHECK(timed->clock.read_count > 0);
    CHECK(timed->meter.stage_ns[LT_STAGE_EMBED] > 0);
    CHECK(timed->meter.ns_per_unit[LT_WORK_EMBED] == 1000);
}

static void an_ended_budget_stays_ended(void) {
    rig *r = make_rig(7, 6);
    lt_budget budget = lt_budget_collision_units(10);
    lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
    job *large = &r->jobs[0], *small = &r->jobs[1], *none = &r->jobs[2];
    large->count = small->count = 1;
    none->count = 0;
    large->pieces[0] = (lt_piece){LT_WORK_BROAD, 11, 0};
    small->pieces[0] = (lt_piece){LT_WORK_BROAD, 1, 0};
    CHECK(!lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(large)));
    CHECK(!lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(small)));
    CHECK(r->meter.ended);
    CHECK(lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(none)));
    CHECK_COUNT(r->meter.used_units, 0);
    lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
    CHECK(lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(small)));
    CHECK_COUNT(r->meter.used_units, 1);
}

/* Set aside by hand, before anything was spent. */
static void a_reserve_is_not_spent_on_anything_else(void) {
    rig *r = make_rig(8, 6);
    for (uint64_t reserve = 0; reserve <= 120; reserve += 5) {
        lt_budget budget = lt_budget_collision_units(100);
        lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
        lt_reserve(&r->meter, reserve);
        r->jobs[0].at = 0;
        lt_spend(&r->meter, LT_STAGE_EMBED, cursor_of(&r->jobs[0]));
        CHECK(r->meter.used_units <= (reserve < 100 ? 100 - reserve : 0));
        pay_response(r);
        CHECK_COUNT(r->found_units, reserve);
        CHECK_COUNT(r->meter.spent.units[LT_STAGE_RESPOND], reserve);
    }
}

/* A unit of a front may take longer than one of response: the deadline is kept for what was set aside at its own price. */
static void what_is_set_aside_is_priced_by_its_kind(void) {
    for (int work = LT_WORK_FRONT; work < LT_WORK_COUNT; work++)
        for (uint64_t units = 0; units <= 100; units += 10) {
            rig *r = make_rig(17, 6);
            job *j = &r->jobs[0];
            for (j->count = 0; j->count < PIECE_MAX; j->count++)
                j->pieces[j->count] = (lt_piece){LT_WORK_EMBED, 1, 0};
            memset(j->found, 0, sizeof j->found);
            for (int k = 0; k < LT_WORK_COUNT; k++)
                r->meter.ns_per_unit[k] = k == work ? 40 : k == LT_WORK_EMBED ? 100 : 1;
            set_speed(r, 100, 1, 0, 1);
            j->ns_per_unit[LT_WORK_EMBED] = 100;
            lt_budget budget = lt_budget_collision_us(5);
            uint64_t begin = r->clock.now;
            lt_meter_begin(&r->meter, &budget, budget.collision_nanoseconds);
            lt_reserve_work(&r->meter, (lt_work)work, units + 7);
            lt_give_back(&r->meter, (lt_work)work, 7);
            CHECK_COUNT(r->meter.reserved_units, units);
            CHECK(!lt_spend(&r->meter, LT_STAGE_EMBED, cursor_of(j)));
            uint64_t left = begin + 5000 - r->clock.now;
            CHECK(left >= 40 * units &&
                  left <= 40 * units + 200); /* a piece, and what predictions leave free */
        }
}

/* Answers that take longer than foreseen, and the system's interruptions, which say nothing of them. */
static void what_answers_take_beyond_their_price_is_learned(void) {
    rig *r = make_rig(18, 6);
    lt_budget budget = lt_budget_collision_us(100);
    uint32_t late = 0, early = 0;
    for (uint32_t step = 0; step < 400; step++) {
        job *j = &r->jobs[0];
        j->at = 0;
        for (j->count = 0; j->count < PIECE_MAX; j->count++)
            j->pieces[j->count] = (lt_piece){LT_WORK_EMBED, 10, 0};
        memset(j->found, 0, sizeof j->found);
        j->ns_per_unit[LT_WORK_EMBED] = 100;
        j->noise = 0;
        r->log.count = 0;
        uint64_t begin = r->clock.now;
        lt_meter_begin(&r->meter, &budget, budget.collision_nanoseconds);
        CHECK(!lt_spend(&r->meter, LT_STAGE_EMBED, cursor_of(j)));
        r->clock.now += 6000; /* nobody has set this aside */
        if (step % 10 == 9) r->clock.now += 50000;
        lt_meter_settle(&r->meter);
        uint64_t used = r->clock.now - begin;
        if (step < 100 || step % 10 == 9) continue;
        late += used > 100000;
        early += used < 90000;
    }
    CHECK_COUNT(late, 0);
    CHECK_COUNT(early, 0);
}

/* Late steps have taught to leave more alone than is left: work is tried again all the same, before long. */
static void caution_does_not_refuse_for_ever(void) {
    rig *r = make_rig(18, 6);
    lt_budget budget = lt_budget_collision_us(100);
    uint32_t steps = 0, spent = 0;
    r->meter.margin_ns = 5000;
    r->meter.tail_ns = 10000;
    for (; steps < 100 && !spent; steps++) {
        job *j = &r->jobs[0];
        j->at = 0;
        j->count = 1;
        j->pieces[0] = (lt_piece){LT_WORK_EMBED, 10, 0};
        memset(j->found, 0, sizeof j->found);
        j->ns_per_unit[LT_WORK_EMBED] = 100;
        j->noise = 0;
        r->meter.ns_per_unit[LT_WORK_EMBED] = 100;
        r->log.count = 0;
        lt_meter_begin(&r->meter, &budget, budget.collision_nanoseconds);
        r->clock.now += 90000; /* what is done in any case */
        lt_spend(&r->meter, LT_STAGE_EMBED, cursor_of(j));
        spent = (uint32_t)r->meter.used_units;
        lt_meter_settle(&r->meter);
    }
    CHECK(steps > 1 && steps < 20);
}

static void zero_does_nothing_and_unlimited_everything(void) {
    rig *r = make_rig(9, 6);
    run_units(r, 0);
    CHECK_COUNT(piece_count_done(r), 0);
    lt_budget none = lt_budget_collision_us(0);
    run_step(r, &none, none.collision_nanoseconds);
    CHECK_COUNT(piece_count_done(r), 0);
    lt_budget all = lt_budget_unlimited();
    run_step(r, &all, all.collision_nanoseconds);
    CHECK_COUNT(piece_count_done(r), fitting_pieces(r, UINT64_MAX / 2));
    CHECK(all.collision_units == LT_UNLIMITED && all.collision_nanoseconds == LT_UNLIMITED &&
          all.step_nanoseconds == LT_UNLIMITED);
    /* The longest time that is not unlimited ends after the clock's last nanosecond. */
    r->clock.now = 1000;
    run_step(r, &all, LT_UNLIMITED - 1);
    CHECK_COUNT(piece_count_done(r), fitting_pieces(r, UINT64_MAX / 2));
}

/* ---- the makers of budgets ---- */

static int assert_count;
static void count_assert(const char *condition, const char *file, int line) {
    (void)condition, (void)file, (void)line;
    assert_count++;
}

static void budgets_are_what_they_are_named(void) {
    lt_budget us = lt_budget_collision_us(1.5), both = lt_budget_collision_us_and_units(2, 7),
              step = lt_budget_step_us(3);
    CHECK_COUNT(us.collision_nanoseconds, 1500);
    CHECK(us.collision_units == LT_UNLIMITED && us.step_nanoseconds == LT_UNLIMITED && us.cuts == NULL);
    CHECK(both.collision_nanoseconds == 2000 && both.collision_units == 7 &&
          both.step_nanoseconds == LT_UNLIMITED);
    CHECK(step.step_nanoseconds == 3000 && step.collision_units == LT_UNLIMITED &&
          step.collision_nanoseconds == LT_UNLIMITED);
    CHECK(lt_budget_collision_us(1e300).collision_nanoseconds == LT_UNLIMITED);
    CHECK(lt_budget_collision_us(INFINITY).collision_nanoseconds == LT_UNLIMITED);
    lt_cuts cuts = {.units = {1, 2, 3}};
    CHECK(lt_budget_cuts(&cuts).cuts == &cuts);
}

static void negative_budgets_are_reported_and_count_as_zero(void) {
    lt_set_assert_handler(count_assert);
    assert_count = 0;
    CHECK(lt_budget_collision_us(-1).collision_nanoseconds == 0);
    CHECK(lt_budget_step_us(-1e-9).step_nanoseconds == 0);
    CHECK(lt_budget_collision_us_and_units(-INFINITY, 5).collision_nanoseconds == 0);
    CHECK(lt_budget_collision_us(NAN).collision_nanoseconds == 0);
    CHECK_COUNT(assert_count, 4);
    CHECK(lt_budget_collision_us(0).collision_nanoseconds == 0 &&
          lt_budget_collision_us(-0.0).collision_nanoseconds == 0);
    CHECK_COUNT(assert_count, 4);
    lt_set_assert_handler(NULL);
}

/* ---- time ---- */

static uint64_t run_deadline(rig *r, uint64_t allowed_ns) {
    lt_budget budget = lt_budget_unlimited();
    uint64_t begin = r->clock.now;
    run_step(r, &budget, allowed_ns);
    uint64_t taken = r->clock.now - begin;
    return taken > allowed_ns ? taken - allowed_ns : 0;
}

/* Whatever happens, nothing starts after the deadline but response that is owed. */
static void a_deadline_is_missed_by_one_call_at_most(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rig *r = make_rig(seed, 12);
        set_speed(r, 20, 0, seed % 2 ? 0.99 : 0.3, seed); /* ten times slower than first assumed, and noisy */
        for (int step = 0; step < 30; step++) {
            if (step == 15) set_speed(r, 90, 0, 0.5, seed);
            uint64_t allowed = 200 + 500 * (uint64_t)step, begin = r->clock.now;
            r->log.last_call_begin_ns = begin;
            r->response.log = &(piece_log){.count = 0}; /* its calls are not the ones looked at */
            uint64_t late = run_deadline(r, allowed);
            CHECK(r->log.last_call_begin_ns < begin + allowed);
            CHECK(late <= r->log.last_call_ns);
        }
    }
}

/* Once learned: noise within a tenth, which is what predictions leave free, makes no step late, response
 * included, and what is left over is less than the piece that did not fit and the tenth. */
static void a_learned_cost_keeps_the_deadline_and_fills_it(void) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rig *r = make_rig(seed, 12);
        set_speed(r, 5, 7, 0, seed);
        for (int step = 0; step < 60; step++)
            run_deadline(r, LT_UNLIMITED / 2);
        uint64_t whole_begin = r->clock.now;
        CHECK_COUNT(run_deadline(r, LT_UNLIMITED / 2), 0);
        uint64_t whole = r->clock.now - whole_begin;
        for (int i = 0; i < JOB_COUNT; i++)
            r->jobs[i].noise = 0.04;
        for (uint64_t allowed = 0; allowed < whole; allowed += whole / 97) {
            uint64_t begin = r->clock.now;
            CHECK_COUNT(run_deadline(r, allowed), 0);
            uint64_t largest_piece = 9 * 15 + 27 * 7;
            CHECK(r->clock.now - begin + largest_piece >= allowed * 85 / 100 - allowed / 10 ||
                  !r->meter.ended);
        }
    }
}

static void units_end_a_step_that_has_time_left(void) {
    rig *r = make_rig(4, 6);
    for (uint64_t units = 0; units < 200; units += 11) {
        lt_budget both = lt_budget_collision_us_and_units(1e6, units);
        run_step(r, &both, both.collision_nanoseconds);
        CHECK_COUNT(piece_count_done(r), fitting_pieces(r, units));
    }
}

/* A clock that is too coarse to see single grants teaches that work costs nothing. That must stay harmless. */
static void a_standing_clock_starves_nobody(void) {
    rig *r = make_rig(11, 6);
    set_speed(r, 0, 0, 0, 1);
    for (int step = 0; step < 3000; step++) {
        lt_budget budget = lt_budget_collision_us(10);
        run_step(r, &budget, budget.collision_nanoseconds);
        if (!r->done[JOB_COUNT - 1]) break;
    }
    CHECK(r->done[JOB_COUNT - 1]);
    for (int work = 0; work < LT_WORK_RESPOND; work++)
        CHECK(r->meter.ns_per_unit[work] > 1e-3);
}

static void times_add_up(void) {
    rig *r = make_rig(12, 6);
    r->meter.timed = true;
    r->clock.now = 5000;
    lt_budget budget = lt_budget_unlimited();
    run_step(r, &budget, LT_UNLIMITED);
    uint64_t sum = 0;
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        sum += r->meter.stage_ns[stage];
    CHECK_COUNT(sum, r->clock.now - 5000);
    CHECK_COUNT(lt_meter_elapsed_ns(&r->meter), r->clock.now - 5000);
    uint64_t since = lt_meter_now(&r->meter);
    r->clock.now += 70;
    lt_meter_add_time(&r->meter, LT_STAGE_MODELS, since);
    CHECK_COUNT(r->meter.stage_ns[LT_STAGE_MODELS], 70);
}

/* ---- cuts ---- */

static void check_repeats(const rig *first, rig *again) {
    lt_cuts cuts = first->meter.spent;
    lt_budget budget = lt_budget_cuts(&cuts);
    uint64_t reads = again->clock.read_count;
    run_step(again, &budget, 1); /* a time limit is ignored too */
    CHECK_COUNT(again->clock.read_count, reads);
    CHECK_COUNT(again->log.count, first->log.count);
    CHECK(memcmp(again->log.ids, first->log.ids, first->log.count * sizeof first->log.ids[0]) == 0);
    CHECK(memcmp(&again->meter.spent, &first->meter.spent, sizeof cuts) == 0);
    CHECK(memcmp(again->done, first->done, sizeof first->done) == 0);
}

static void cuts_repeat_a_timed_step(void) {
    uint32_t cut_in_stage[JOB_COUNT + 1] = {0};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rig *first = make_rig(seed, 8), *again = make_rig(seed, 8);
        first->clock.read_cost = 25;
        for (int step = 0; step < 40; step++) {
            set_speed(first, 4, 3, 0.8, seed * 100 + (uint64_t)step);
            run_deadline(first, 300 * (uint64_t)step);
            check_repeats(first, again);
            int stopped = 0;
            while (stopped < JOB_COUNT && first->done[stopped])
                stopped++;
            cut_in_stage[stopped]++;
        }
    }
    for (int i = 0; i <= JOB_COUNT; i++)
        CHECK(cut_in_stage[i] > 0); /* every cursor was cut, and some steps were not */
}

static void cuts_repeat_a_step_of_units(void) {
    rig *first = make_rig(13, 6), *again = make_rig(13, 6);
    for (uint64_t units = 0; units < 500; units += 3) {
        run_units(first, units);
        check_repeats(first, again);
    }
}

/* The methods may leave a stage unfinished and go on with the next. */
static void cuts_hold_for_each_stage_on_its_own(void) {
    rig *r = make_rig(14, 6);
    lt_cuts cuts = {.units = {0}};
    cuts.units[LT_STAGE_BROAD] = LT_UNLIMITED;
    lt_budget budget = lt_budget_cuts(&cuts);
    lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
    CHECK(!lt_spend(&r->meter, LT_STAGE_EMBED, cursor_of(&r->jobs[0])));
    CHECK_COUNT(r->jobs[0].at, 0);
    CHECK(lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(&r->jobs[1])));
    CHECK(!lt_spend(&r->meter, LT_STAGE_DETECT, cursor_of(&r->jobs[2])));
}

/* Cuts of another step, too small for what is done in any case: the rest is not set free by that. */
static void cuts_that_are_overspent_allow_nothing_more(void) {
    rig *r = make_rig(15, 6);
    lt_cuts cuts = {.units = {0}};
    cuts.units[LT_STAGE_BROAD] = 1;
    lt_budget budget = lt_budget_cuts(&cuts);
    lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
    lt_spend_fully(&r->meter, LT_STAGE_BROAD, cursor_of(&r->jobs[0]));
    CHECK(r->meter.spent.units[LT_STAGE_BROAD] > 1);
    CHECK(!lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(&r->jobs[1])));
    CHECK_COUNT(r->jobs[1].at, 0);
}

/* ---- what must be done in any case ---- */

static uint64_t cost_of_job(const job *j) {
    uint64_t cost = 0;
    for (uint32_t i = 0; i < j->count; i++)
        cost += j->pieces[i].cost;
    return cost;
}

static void work_in_any_case_is_charged_and_keeps_the_reserve(void) {
    for (uint64_t units = 0; units <= 400; units += 40) {
        rig *r = make_rig(16, 6);
        lt_budget budget = lt_budget_collision_units(units);
        lt_meter_begin(&r->meter, &budget, LT_UNLIMITED);
        lt_reserve(&r->meter, 7);
        lt_spend_fully(&r->meter, LT_STAGE_BOUND, cursor_of(&r->jobs[0]));
        uint64_t cost = cost_of_job(&r->jobs[0]);
        CHECK_COUNT(r->jobs[0].at, r->jobs[0].count);
        CHECK_COUNT(r->meter.used_units, cost);
        CHECK_COUNT(r->meter.spent.units[LT_STAGE_BOUND], cost);
        CHECK_COUNT(r->meter.reserved_units, 7);
        lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(&r->jobs[1]));
        CHECK(r->meter.used_units + 7 <= lt_max_u64(units, cost + 7));
        CHECK((r->jobs[1].at > 0) == (cost + 7 + r->jobs[1].pieces[0].cost <= units));
    }
    rig *r = make_rig(16, 6);
    lt_budget none = lt_budget_collision_us(0);
    lt_meter_begin(&r->meter, &none, none.collision_nanoseconds);
    CHECK(!lt_spend(&r->meter, LT_STAGE_BROAD, cursor_of(&r->jobs[1])));
    lt_spend_fully(&r->meter, LT_STAGE_BOUND, cursor_of(&r->jobs[0]));
    CHECK_COUNT(r->jobs[0].at, r->jobs[0].count);
    CHECK(r->meter.ended);
}

/* ---- pieces of different size ---- */

/* A piece of 20,000 units at 3 ns, then ten of a unit that take a microsecond each. */
typedef struct uneven {
    fake_clock *clock;
    uint32_t next;
} uneven;

static lt_piece peek_uneven(const void *state) {
    const uneven *u = state;
    return (lt_piece){LT_WORK_ROOT, u->next > 10 ? 0 : u->next ? 1 : 20000, 0};
}

static uint32_t step_uneven(void *state, uint32_t grant) {
    uneven *u = state;
    uint32_t cost = peek_uneven(u).cost;
    (void)grant;
    u->clock->now += u->next++ ? 1000 : 60000;
    return cost;
}

static void small_pieces_do_not_price_large_ones(void) {
    fake_clock clock = {.now = 1000};
    lt_meter meter;
    lt_budget budget = lt_budget_unlimited();
    lt_meter_init(&meter, (lt_clock){read_fake_clock, &clock});
    for (int step = 0; step < 200; step++) {
        uneven u = {&clock, 0};
        lt_meter_begin(&meter, &budget, 3000000);
        lt_spend_fully(&meter, LT_STAGE_CONTACTS, (lt_cursor){&u, peek_uneven, step_uneven});
    }
    printf("a unit of pieces of very different size: %.1f ns\n", meter.ns_per_unit[LT_WORK_ROOT]);
    CHECK(meter.ns_per_unit[LT_WORK_ROOT] > 2 && meter.ns_per_unit[LT_WORK_ROOT] < 6);
}

int main(void) {
    RUN(units_do_exactly_what_fits_wherever_they_end);
    RUN(units_read_no_clock);
    RUN(units_give_the_same_steps_whatever_the_time);
    RUN(an_ended_budget_stays_ended);
    RUN(a_reserve_is_not_spent_on_anything_else);
    RUN(what_is_set_aside_is_priced_by_its_kind);
    RUN(what_answers_take_beyond_their_price_is_learned);
    RUN(caution_does_not_refuse_for_ever);
    RUN(zero_does_nothing_and_unlimited_everything);
    RUN(budgets_are_what_they_are_named);
    RUN(negative_budgets_are_reported_and_count_as_zero);
    RUN(a_deadline_is_missed_by_one_call_at_most);
    RUN(a_learned_cost_keeps_the_deadline_and_fills_it);
    RUN(units_end_a_step_that_has_time_left);
    RUN(a_standing_clock_starves_nobody);
    RUN(times_add_up);
    RUN(cuts_repeat_a_timed_step);
    RUN(cuts_repeat_a_step_of_units);
    RUN(cuts_hold_for_each_stage_on_its_own);
    RUN(cuts_that_are_overspent_allow_nothing_more);
    RUN(work_in_any_case_is_charged_and_keeps_the_reserve);
    RUN(small_pieces_do_not_price_large_ones);
    return check_finish();
}
