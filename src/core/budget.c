/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/budget.h"

#include "core/os.h"

/* Longest grant between two looks at the clock. A look costs some 30 ns: 1.5 % of this. */
static const double GRANT_NS = 2000;
/* Share of the remaining time that a prediction may fill. */
static const double FILL = 0.8;
/* No unit is learned to be shorter: a clock too coarse to see a grant says 0 again and again. */
static const double LEAST_NS_PER_UNIT = 0.01;

lt_budget lt_budget_unlimited(void) {
    return (lt_budget){LT_UNLIMITED, LT_UNLIMITED, LT_UNLIMITED, NULL};
}

static uint64_t ns_from_us(double microseconds) {
    if (!LT_REQUIRE(microseconds >= 0)) return 0;
    return microseconds > 1e12 ? LT_UNLIMITED : (uint64_t)(microseconds * 1000);
}

lt_budget lt_budget_collision_us(double microseconds) {
    return lt_budget_collision_us_and_units(microseconds, LT_UNLIMITED);
}

lt_budget lt_budget_collision_units(uint64_t units) {
    lt_budget budget = lt_budget_unlimited();
    budget.collision_units = units;
    return budget;
}

lt_budget lt_budget_collision_us_and_units(double microseconds, uint64_t units) {
    lt_budget budget = lt_budget_collision_units(units);
    budget.collision_nanoseconds = ns_from_us(microseconds);
    return budget;
}

lt_budget lt_budget_step_us(double microseconds) {
    lt_budget budget = lt_budget_unlimited();
    budget.step_nanoseconds = ns_from_us(microseconds);
    return budget;
}

lt_budget lt_budget_cuts(const lt_cuts *cuts) {
    lt_budget budget = lt_budget_unlimited();
    budget.cuts = cuts;
    return budget;
}

uint64_t lt_meter_now(const lt_meter *meter) {
    return meter->clock.now_ns ? meter->clock.now_ns(meter->clock.context) : lt_os_now_ns();
}

void lt_meter_init(lt_meter *meter, lt_clock clock) {
    *meter = (lt_meter){.clock = clock, .limit_units = LT_UNLIMITED, .deadline_ns = LT_UNLIMITED};
    for (int work = 0; work < LT_WORK_COUNT; work++)
        meter->ns_per_unit[work] = 2;
}

static void forget_reserve(lt_meter *meter) {
    meter->reserved_units = 0;
    for (int work = 0; work < LT_WORK_COUNT; work++)
        meter->reserved[work] = 0;
}

void lt_meter_begin(lt_meter *meter, const lt_budget *budget, uint64_t allowed_ns) {
    bool repeat = budget->cuts != NULL;
    meter->cuts = budget->cuts;
    meter->limit_units = repeat ? LT_UNLIMITED : budget->collision_units;
    meter->used_units = meter->fixed_units = 0;
    meter->answer_units = meter->unannounced_units = meter->overspent_units = 0;
    meter->overrun_units = 0;
    forget_reserve(meter);
    meter->ended = meter->shared = false;
    meter->spent = (lt_cuts){{0}, 0};
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        meter->stage_ns[stage] = 0;
    bool deadline = !repeat && allowed_ns != LT_UNLIMITED;
    meter->begin_ns = deadline || meter->timed ? lt_meter_now(meter) : 0;
    uint64_t longest_ns = LT_UNLIMITED - 1 - meter->begin_ns;
    meter->deadline_ns = deadline ? meter->begin_ns + lt_min_u64(allowed_ns, longest_ns) : LT_UNLIMITED;
    meter->allowed_ns = (double)(meter->deadline_ns - meter->begin_ns);
}

/* What was set aside, at what it is known to take. */
static double reserved_ns(const lt_meter *meter) {
    double ns = 0;
    for (int work = LT_WORK_FRONT; work < LT_WORK_COUNT; work++)
        ns += (double)meter->reserved[work] * meter->ns_per_unit[work];
    return ns;
}

/* A unit of an answer: as what is set aside on average. */
static double reserved_unit_ns(const lt_meter *meter) {
    return meter->reserved_units ? reserved_ns(meter) / (double)meter->reserved_units
                                 : meter->ns_per_unit[LT_WORK_RESPOND];
}

/* What units alone allow for a grant. A piece and the response it may cause are admitted together, so
 * a grant of n pieces leaves room for n reserves. */
static uint64_t grant_by_units(const lt_meter *meter, lt_piece next) {
    if (meter->limit_units == LT_UNLIMITED) return LT_UNLIMITED;
    uint64_t committed = meter->used_units + meter->reserved_units;
    if (committed >= meter->limit_units) return 0;
    uint64_t left = meter->limit_units - committed;
    return left / ((uint64_t)next.cost + next.reserve) * next.cost;
}

lt_share lt_meter_begin_share(lt_meter *meter, double share) {
    LT_ASSERT(share >= 0 && share <= 1);
    lt_share whole = {meter->limit_units, meter->deadline_ns};
    meter->shared = true;
    uint64_t committed = meter->used_units + meter->reserved_units;
    if (meter->limit_units != LT_UNLIMITED && meter->limit_units > committed)
        meter->limit_units = committed + (uint64_t)(share * (double)(meter->limit_units - committed));
    if (meter->deadline_ns != LT_UNLIMITED) {
        double left = (double)meter->deadline_ns - (double)lt_meter_now(meter) - reserved_ns(meter);
        if (left > 0) meter->deadline_ns -= (uint64_t)((1 - share) * left);
    }
    return whole;
}

void lt_meter_end_share(lt_meter *meter, lt_share whole) {
    bool shared = meter->limit_units != whole.limit_units || meter->deadline_ns != whole.deadline_ns;
    meter->limit_units = whole.limit_units;
    meter->deadline_ns = whole.deadline_ns;
    if (shared) meter->ended = false;
    meter->shared = false;
}

/* What is left of the time when this is asked for once a step, as a rule: if the system took the processor away in this one,
 * nothing is gained by letting go what was held. */
static double usual_rest_ns(lt_meter *meter) {
    double rest = (double)meter->deadline_ns - (double)lt_meter_now(meter), known = meter->before_ns;
    double seen = meter->allowed_ns - rest;
    meter->before_ns = known > 0 ? known + 0.05 * (lt_min_d(seen, 2 * known) - known) : seen;
    return meter->allowed_ns - meter->before_ns;
}

uint32_t lt_meter_limit(lt_meter *meter, double share, uint32_t units, uint32_t least) {
    LT_ASSERT(share >= 0 && share <= 1);
    uint64_t limit = LT_UNLIMITED;
    if (meter->cuts && meter->cuts->contact_limit) limit = meter->cuts->contact_limit;
    if (meter->limit_units != LT_UNLIMITED) {
        uint64_t used = lt_min_u64(meter->used_units, meter->limit_units);
        limit = (uint64_t)(share * (double)(meter->limit_units - used) / units);
    }
    if (meter->deadline_ns != LT_UNLIMITED) {
        double left = usual_rest_ns(meter) - meter->margin_ns - meter->tail_ns;
        double fitting = share * lt_max_d(0, left) / (units * reserved_unit_ns(meter));
        limit = lt_min_u64(limit, fitting < 1e9 ? (uint64_t)fitting : 1000000000);
    }
    if (limit == LT_UNLIMITED) return UINT32_MAX;
    limit = meter->cuts ? limit : lt_max_u64(limit, least);
    meter->spent.contact_limit = limit;
    return (uint32_t)lt_min_u64(limit, UINT32_MAX);
}

/* What a recorded stage has left. Work that is done in any case may have spent more than a caller's cuts say. */
static uint64_t grant_by_cuts(const lt_meter *meter, lt_stage stage) {
    uint64_t limit = meter->cuts->units[stage], spent = meter->spent.units[stage];
    return limit > spent ? limit - spent : 0;
}

static uint64_t grant_by_time(const lt_meter *meter, lt_piece next, uint64_t now) {
    if (now >= meter->deadline_ns) return 0;
    double left = (double)(meter->deadline_ns - now) - meter->margin_ns - meter->tail_ns - reserved_ns(meter);
    double unit = meter->ns_per_unit[next.work] + reserved_unit_ns(meter) * next.reserve / next.cost;
    double fill = FILL * left < GRANT_NS ? FILL * left : GRANT_NS;
    if (fill <= 0) return 0;
    uint64_t grant = (uint64_t)(fill / unit);
    /* One piece may be longer than a whole grant: it starts while it fits into what is left. */
    if (grant < next.cost && next.cost * unit <= FILL * left) return next.cost;
    return grant;
}

/* A price rises fast and sinks slowly, so that a prediction is seldom too short; one preempted sample moves it little. Of what
 * is done in any case the mean counts: a price too high would set aside what others could use. What was promised is both,
 * and comes as one long piece a step, often preempted: half as long again is not believed at once. */
typedef enum caution { CAUTION_REFUSABLE, CAUTION_ANY_CASE, CAUTION_PROMISED } caution;

/* Of pieces of very different size the small ones tell of their beginning and end, not of their units: where they counted as much,
 * what bunnies that wait set aside for being held was priced at 225 ns a unit, took 3.3, and left nothing of 3 ms for turns. */
static double share_of_usual(lt_meter *meter, lt_work work, uint32_t units) {
    double *usual = &meter->usual_units[work];
    *usual += ((double)units > *usual ? 0.25 : 0.02) * ((double)units - *usual);
    return lt_min_d(1, (double)units / *usual);
}

static void learn(lt_meter *meter, lt_work work, uint32_t units, uint64_t ns, caution how) {
    double size = share_of_usual(meter, work, units);
    double known = meter->ns_per_unit[work], seen = (double)ns / units;
    bool slow = how == CAUTION_ANY_CASE || (how == CAUTION_PROMISED && seen > 1.5 * known);
    double weight = slow ? 0.05 : seen > known ? 0.25 : 0.02;
    if (how == CAUTION_ANY_CASE) weight *= size;
    seen = lt_min_d(seen, (slow ? 2 : 4) * known);
    meter->ns_per_unit[work] = lt_max_d(known + weight * (seen - known), LEAST_NS_PER_UNIT);
}

static void charge(lt_meter *meter, lt_stage stage, uint32_t units) {
    meter->used_units += units;
    meter->spent.units[stage] += units;
}

/* Cuts say for each stage what was done; they are not a limit of all. */
static bool has_limit(const lt_meter *meter) {
    return !meter->cuts && meter->limit_units != LT_UNLIMITED;
}

/* Charges what a cursor took of a grant. Worst cases were granted together with the answers that they may cause: what was found can be
 * answered within the limit, whatever was found. */
static void charge_grant(lt_meter *meter, lt_stage stage, uint32_t units, uint64_t grant) {
    LT_ASSERT(units > 0); /* a piece that costs nothing would be asked for again without end */
    LT_ASSERT(units <= grant || units - grant <= meter->overrun_units);
    charge(meter, stage, units);
    meter->overspent_units += units > grant ? units - grant : 0;
    LT_ASSERT(!has_limit(meter) || meter->used_units + meter->reserved_units <= meter->limit_units +
                                                                                    meter->unannounced_units +
                                                                                    meter->overspent_units);
}

static uint32_t as_grant(uint64_t units) {
    return units > UINT32_MAX ? UINT32_MAX : (uint32_t)units;
}

static bool spend_untimed(lt_meter *meter, lt_stage stage, lt_cursor cursor) {
    for (;;) {
        lt_piece next = cursor.peek(cursor.state);
        if (next.cost == 0) return true;
        uint64_t grant = meter->cuts ? grant_by_cuts(meter, stage) : grant_by_units(meter, next);
        if (meter->ended || grant < next.cost) break;
        charge_grant(meter, stage, cursor.step(cursor.state, as_grant(grant)), grant);
    }
    meter->ended = meter->cuts == NULL; /* a recorded step says for each stage on its own where it ended */
    return false;
}

/* A piece that would not fit into the whole allowance never starts, and so never shows that it has become cheaper:
 * its price sinks a little each time it is refused, until it is tried again. */
static void doubt(lt_meter *meter, lt_piece refused) {
    double whole = FILL * meter->allowed_ns;
    if (refused.cost * meter->ns_per_unit[refused.work] <= whole) return;
    meter->ns_per_unit[refused.work] = lt_max_d(0.98 * meter->ns_per_unit[refused.work], LEAST_NS_PER_UNIT);
}

/* What is left alone for the system and for answers is learned from steps that were late. On a machine that is taken away now and then
 * it may be all that is left, and then work that can wait would wait for ever: where nothing but that refuses it, in a whole
 * step, a twentieth of it is forgotten. */
static void dare(lt_meter *meter, lt_piece refused, uint64_t now) {
    if (now >= meter->deadline_ns) return;
    double left = (double)(meter->deadline_ns - now) - reserved_ns(meter);
    if (refused.cost * meter->ns_per_unit[refused.work] > FILL * left) return;
    meter->margin_ns *= 0.95;
    if (meter->tail_ns > 0) meter->tail_ns *= 0.95;
}

/* Interrupts of the system take some microseconds about once a millisecond: in one of a hundred short budgets one falls
 * into the end. The margin grows at once by what a deadline was missed by, to a twentieth of the allowance at most, and
 * is forgotten slowly. */
static void learn_margin(lt_meter *meter, uint64_t now) {
    double most = 0.05 * meter->allowed_ns;
    double late = now > meter->deadline_ns ? (double)(now - meter->deadline_ns) : 0;
    double margin = late > 0 ? meter->margin_ns + late : 0.999 * meter->margin_ns;
    meter->margin_ns = lt_min_d(margin, most);
}

/* Above 199 of 200 that were seen: a step up for one that was more, a little down for the others. What was more by a
 * tenth of the allowance says nothing of the work: the system took the processor away. */
void lt_meter_settle(lt_meter *meter) {
    if (meter->deadline_ns == LT_UNLIMITED || !meter->ended) return;
    double tenth = 0.1 * meter->allowed_ns;
    double rest = (double)meter->deadline_ns - (double)lt_meter_now(meter);
    double beyond = meter->foreseen_ns - rest - meter->tail_ns;
    if (beyond > tenth) return;
    meter->tail_ns = lt_min_d(meter->tail_ns + (beyond > 0 ? 0.05 : -0.00025) * tenth, tenth);
}

static bool spend_timed(lt_meter *meter, lt_stage stage, lt_cursor cursor) {
    uint64_t now = lt_meter_now(meter);
    bool granted = false;
    for (;;) {
        lt_piece next = cursor.peek(cursor.state);
        if (next.cost == 0) return true;
        uint64_t grant = lt_min_u64(grant_by_units(meter, next), grant_by_time(meter, next, now));
        if (meter->ended) break;
        if (grant < next.cost) {
            doubt(meter, next);
            if (!granted) dare(meter, next, now);
            break;
        }
        uint32_t units = cursor.step(cursor.state, as_grant(grant));
        granted = true;
        charge_grant(meter, stage, units,
                     grant); /* not 0: a price per unit of nothing would be without bounds */
        uint64_t after = lt_meter_now(meter);
        if (units > 0) learn(meter, next.work, units, after - now, CAUTION_REFUSABLE);
        now = after;
    }
    meter->ended = true;
    meter->foreseen_ns = (double)meter->deadline_ns - (double)now - reserved_ns(meter);
    if (!meter->shared) learn_margin(meter, now);
    return false;
}

bool lt_spend(lt_meter *meter, lt_stage stage, lt_cursor cursor) {
    uint64_t begin = meter->timed || meter->deadline_ns != LT_UNLIMITED ? lt_meter_now(meter) : 0;
    bool done = meter->deadline_ns == LT_UNLIMITED ? spend_untimed(meter, stage, cursor)
                                                   : spend_timed(meter, stage, cursor);
    lt_meter_add_time(meter, stage, begin);
    return done;
}

static void spend_all(lt_meter *meter, lt_stage stage, lt_cursor cursor, caution how) {
    bool timed = meter->deadline_ns != LT_UNLIMITED;
    uint64_t begin = meter->timed || timed ? lt_meter_now(meter) : 0, now = begin;
    for (lt_piece next = cursor.peek(cursor.state); next.cost != 0; next = cursor.peek(cursor.state)) {
        uint32_t units = cursor.step(cursor.state, UINT32_MAX);
        LT_ASSERT(units > 0);
        charge(meter, stage, units);
        if (!timed || units == 0) continue;
        uint64_t after = lt_meter_now(meter);
        learn(meter, next.work, units, after - now, how);
        now = after;
    }
    lt_meter_add_time(meter, stage, begin);
}

void lt_spend_fully(lt_meter *meter, lt_stage stage, lt_cursor cursor) {
    uint64_t before = meter->used_units;
    spend_all(meter, stage, cursor, CAUTION_ANY_CASE);
    meter->fixed_units += meter->used_units - before;
}

void lt_spend_reserve(lt_meter *meter, lt_stage stage, lt_cursor cursor) {
    uint64_t before = meter->used_units;
    spend_all(meter, stage, cursor, CAUTION_PROMISED);
    meter->answer_units += meter->used_units - before;
    LT_ASSERT(meter->used_units - before <= meter->reserved_units);
    forget_reserve(meter);
}

void lt_meter_add_time(lt_meter *meter, lt_stage stage, uint64_t since_ns) {
    if (meter->timed || meter->deadline_ns != LT_UNLIMITED)
        meter->stage_ns[stage] += lt_meter_now(meter) - since_ns;
}

uint64_t lt_meter_elapsed_ns(const lt_meter *meter) {
    return meter->timed || meter->deadline_ns != LT_UNLIMITED ? lt_meter_now(meter) - meter->begin_ns : 0;
}

static uint64_t sum_of_stages(const lt_meter *meter) {
    uint64_t sum = 0;
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        if (stage != LT_STAGE_MODELS) sum += meter->spent.units[stage]; /* iterations, and never cut */
    return sum;
}

const char *lt_validate_meter(const lt_meter *meter) {
    uint64_t reserved = 0;
    for (int work = 0; work < LT_WORK_COUNT; work++)
        reserved += meter->reserved[work];
    if (reserved != meter->reserved_units) return "kinds of what is set aside do not add up";
    if (sum_of_stages(meter) != meter->used_units) return "stages do not add up to the units used";
    uint64_t paid = meter->fixed_units + meter->answer_units;
    if (paid > meter->used_units) return "more fixed cost than there is cost";
    if (meter->overrun_units > 0) return "what a cursor may miss its grant by was not taken back";
    if (has_limit(meter) && meter->used_units - paid > meter->limit_units + meter->overspent_units)
        return "more was spent than the limit and fixed costs allow";
    for (int work = 0; work < LT_WORK_COUNT; work++)
        if (!(meter->ns_per_unit[work] > 0 && meter->ns_per_unit[work] < 1e12)) return "a price is none";
    return NULL;
}
