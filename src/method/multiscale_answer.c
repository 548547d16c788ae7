/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts answered, and looked at again:
 *
 *   answer from the free end ──► turns for who was moved, with a fourth of the separation ──► what still meets is added ─┐
 *     ▲                                                                                                                  │
 *     └────────────────────────── at most three times ◄──────────────────────────────────────────────────────────────────┘
 *
 * Constraints are linear, surfaces are not, and of many meetings few became constraints: what was left out is found then. What
 * meets after the last answer is kept apart by the fail-safe: all bodies of its island go only nine tenths of the way to the
 * first meeting; if an obstacle that moves pushes them, as seen from it: it would come after them. Their velocities stay, so
 * momentum does. Whom an obstacle meets even then, it goes through, and that is told (tangled).
 *
 * Every answer starts from where the models left the bodies, with all contacts and the impulses found before. */

#include "core/union_find.h"
#include "method/multiscale_work.h"

#include <string.h>

/* Of the separation: nearer than that, a contact is added. */
static const float AGAIN = 0.25f;

/* ---- one answer ---- */

static bool moves(const lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    return w->motions[body].from != NULL;
}

/* Finding σ takes as long as twenty sweeps, and a front that deforms is another one in every step: it hangs on shapes of tets more
 * than on how many there are. What is found is widened once, and serves until there are twice as many nodes, or half. */
static bool is_another_front(uint32_t before, uint32_t now) {
    return (uint64_t)now > 2 * (uint64_t)before || 2 * (uint64_t)now < (uint64_t)before;
}
static const lt_real OTHER_FRONTS = (lt_real)1.15;

/* σ is of the matrix: of another step, or other pins, it is another. */
static lt_lcp_body view_of(lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    lt_soft *soft = &w->step->softs[body];
    lt_multi_body *kept = &w->method->bodies[body];
    lt_lcp_body view = lt_lcp_body_of(soft, w->motions[body].system, w->step->dt, !moves(w, body));
    if (kept->pin_count != soft->pin_count || w->method->dt != w->step->dt) kept->sigma = 0;
    kept->pin_count = soft->pin_count;
    if (soft->grid && is_another_front(kept->row_count, lt_soft_row_count(soft))) kept->sigma = 0;
    if (kept->sigma == 0) kept->row_count = lt_soft_row_count(soft);
    view.sigma = kept->sigma;
    view.warm = kept->warm;
    if (!lt_lcp_take_rows(&view, soft, w->motions[body].system, w->step->arena)) {
        w->step->report->problems |= LT_PROBLEM_SCRATCH;
        view = (lt_lcp_body){.node_count = 0};
    }
    return view;
}

static void begin_bodies(lt_multi_work *w) {
    memset(w->bodies, 0, w->step->collider_count * sizeof *w->bodies);
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        if (!w->step->colliders[i].in_use) continue;
        if (w->motions[i].is_touched) lt_multi_free_body(w, i);
        w->bodies[i] = view_of(w, i);
    }
}

static lt_lcp_params params_of(const lt_multi_work *w) {
    lt_lcp_params params = lt_lcp_params_default(w->step->level);
    params.recovery_speed = (lt_real)1e10; /* rows ask for no more than may be (multiscale_contacts.c) */
    params.max_clamps = LT_MULTI_CLAMPS;
    params.plain = w->method->options.mode == LT_MODE_PAPER;
    return params;
}

static void end_body(lt_multi_work *w, uint32_t body) {
    LT_ASSERT(body < w->step->collider_count);
    const lt_lcp_body *view = &w->bodies[body];
    lt_soft *soft = &w->step->softs[body];
    lt_multi_body *kept = &w->method->bodies[body];
    kept->sigma = soft->grid && kept->sigma == 0 ? OTHER_FRONTS * view->sigma : view->sigma;
    w->method->bodies[body].is_warm = true;
    w->motions[body].is_touched = w->motions[body].was_answered = true;
    lt_rvec3 taken = {(lt_real)view->taken.linear[0], (lt_real)view->taken.linear[1],
                      (lt_real)view->taken.linear[2]};
    soft->drag = lt_r3_add(soft->drag, taken);
    lt_lcp_give_rows(view, soft, w->method->bodies[body].warm);
    lt_soft_follow(soft);
}

static void end_answer(lt_multi_work *w, const lt_lcp *lcp) {
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        if (lcp->parts[i].used) end_body(w, i);
    for (uint32_t i = 0; i < w->contact_count; i++)
        w->contacts[i].impulse = w->rows[i].impulse;
}

/* Contacts as rows, one piece of work. */
typedef struct row_making {
    lt_multi_work *work;
    uint32_t ending; /* units of an end that must be set aside as well */
    bool done;
} row_making;

static lt_piece peek_rows(const void *state) {
    const row_making *r = state;
    return (lt_piece){LT_WORK_RESPOND, r->done ? 0 : 1 + LT_MULTI_ROW_UNITS * r->work->contact_count,
                      r->ending};
}

static uint32_t make_rows(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    row_making *r = state;
    lt_multi_work *w = r->work;
    (void)grant; /* it fits, or was set aside */
    for (uint32_t i = 0; i < w->contact_count; i++)
        w->rows[i] = lt_multi_row(w, &w->contacts[i]);
    r->done = true;
    return 1 + LT_MULTI_ROW_UNITS * w->contact_count;
}

/* From the free end, with all contacts whose rows are made. False: too little scratch. */
static bool begin_answer(lt_multi_work *w, lt_lcp *lcp) {
    *lcp = (lt_lcp){.bodies = w->bodies,
                    .body_count = w->step->collider_count,
                    .contacts = w->rows,
                    .contact_count = w->contact_count,
                    .dt = w->step->dt,
                    .params = params_of(w)};
    bool begun = lt_lcp_begin(lcp, w->step->arena);
    if (!begun) w->step->report->problems |= LT_PROBLEM_SCRATCH;
    return begun;
}

/* The end of an answer, at what was set aside for it: its own price is that of passes in which all contacts push, and a budget that sets
 * as much aside has nothing left to find any with. */
typedef struct answer_ending {
    lt_lcp *lcp;
    bool done;
} answer_ending;

static uint32_t ending_units(uint64_t of_nodes, uint32_t contacts) {
    return (uint32_t)lt_min_u64(1 + of_nodes + (uint64_t)LT_MULTI_EXIT_UNITS * contacts, UINT32_MAX / 2);
}

static lt_piece peek_ending(const void *state) {
    const answer_ending *e = state;
    uint32_t units = ending_units(lt_lcp_exit_nodes_units(e->lcp), e->lcp->contact_count);
    return (lt_piece){LT_WORK_EXIT, e->done ? 0 : units, 0};
}

static uint32_t step_ending(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    answer_ending *e = state;
    uint32_t units = peek_ending(e).cost;
    lt_cursor cursor = lt_lcp_exit_cursor(e->lcp);
    cursor.step(cursor.state, grant); /* one piece */
    e->done = true;
    return units;
}

static void finish_answer(lt_multi_work *w, lt_lcp *lcp) {
    answer_ending e = {lcp, false};
    lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&e, peek_ending, step_ending});
    end_answer(w, lcp);
}

/* False: the sweeps were cut, or there is too little scratch. */
static bool answer(lt_multi_work *w) {
    size_t mark = lt_arena_mark(w->step->arena);
    lt_lcp lcp;
    row_making rows = {w, 0, false};
    begin_bodies(w);
    lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&rows, peek_rows, make_rows});
    bool ended = begin_answer(w, &lcp);
    if (ended) {
        ended = lt_spend(w->step->meter, LT_STAGE_RESPOND, lt_lcp_cursor(&lcp));
        finish_answer(w, &lcp);
    }
    lt_arena_rewind(w->step->arena, mark);
    return ended;
}

/* ---- foreseeing ---- */

/* Who is found again begins with what it gave now. */
static void keep_impulses(lt_multi_work *w) {
    lt_contact_list *list = &w->method->memory.contacts;
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_multi_contact *c = &w->contacts[i];
        uint32_t at = lt_contacts_find(list, &c->pair, c->feature);
        if (at < list->count && list->records[at].feature == c->feature)
            list->records[at].force = lt_v3_scale(lt_v3_from_r3(c->impulse), 1 / w->step->dt);
    }
}

static void forget_contacts(lt_multi_work *w) {
    w->contact_count = 0;
    memset(w->slots, 0, ((size_t)w->slot_mask + 1) * sizeof *w->slots);
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        w->motions[i].was_answered = false;
}

/* Units of the nodes of bodies that have a contact, at the end. */
static uint64_t units_of_touched(const lt_multi_work *w) {
    uint64_t units = 0;
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        bool touches = false;
        for (uint32_t k = 0; moves(w, i) && !touches && k < w->contact_count; k++) {
            const lt_pair *p = &w->contacts[k].pair;
            touches = p->a == i || (p->kind == LT_PAIR_BODIES && p->b == i);
        }
        if (touches) units += lt_multi_exit_nodes_units(&w->step->softs[i]);
    }
    return units;
}

/* Sweeps are cut anywhere: what they came to is a better guess of where bodies get than where the models let them go, which may be
 * deep in each other, and turns that look there do not end. If there is not even enough for the end of an answer, it is as if it had
 * not been. The stage is one that nothing else of a step is counted in. */
static bool foresee_answer(lt_multi_work *w, lt_lcp *lcp) {
    enum { SWEEPS = 20 };
    const double share = 0.3;
    lt_meter *meter = w->step->meter;
    row_making rows = {w, ending_units(units_of_touched(w), w->contact_count), false};
    lt_share whole = lt_meter_begin_share(meter, share);
    begin_bodies(w);
    bool begun =
        lt_spend(meter, LT_STAGE_EMBED, (lt_cursor){&rows, peek_rows, make_rows}) && begin_answer(w, lcp);
    if (begun) {
        lt_reserve_work(meter, LT_WORK_EXIT, rows.ending);
        lcp->params.max_sweeps = SWEEPS;
        lt_spend(meter, LT_STAGE_EMBED, lt_lcp_cursor(lcp));
        lt_give_back(meter, LT_WORK_EXIT, rows.ending);
    }
    lt_meter_end_share(meter, whole);
    return begun;
}

void lt_multi_foresee(lt_multi_work *w) {
    size_t mark = lt_arena_mark(w->step->arena);
    lt_lcp lcp;
    lt_multi_add_held(w);
    if (w->contact_count > 0 && foresee_answer(w, &lcp)) {
        w->foreseen = true;
        finish_answer(w, &lcp);
        keep_impulses(w);
    }
    lt_arena_rewind(w->step->arena, mark);
    forget_contacts(w);
}

/* ---- looking again ---- */

typedef struct second_look {
    uint32_t found, added;
} second_look;

static void add_missed(lt_multi_work *w, const lt_multi_turn *t, void *context) {
    second_look *look = context;
    look->found += lt_multi_turn_found(t);
    look->added += lt_multi_add_found(w, t);
}

/* ---- the fail-safe ---- */

typedef struct halt {
    uint32_t *roots; /* [collider_count] islands */
    float *times;    /* [collider_count] by the root in the end: first meeting; above 1: none */
    uint32_t
        *drivers; /* [collider_count] likewise: a moving obstacle that pushes it; LT_NONE: there is none */
    bool *rode;   /* [collider_count] it went on with its driver */
} halt;

static uint32_t driver_of(const lt_multi_work *w, const lt_pair *pair) {
    return pair->kind == LT_PAIR_OBSTACLE && w->step->obstacles[pair->b].moving ? pair->b : LT_NONE;
}

static void note_first(halt *h, uint32_t body, float time, uint32_t driver) {
    h->times[body] = lt_min_f(h->times[body], time);
    if (driver != LT_NONE) h->drivers[body] = driver;
}

static void note_time(const lt_multi_work *w, halt *h, const lt_pair *pair, float time) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    for (uint32_t i = 0; i < count; i++)
        if (moves(w, bodies[i])) note_first(h, bodies[i], time, driver_of(w, pair));
    if (count == 2 && moves(w, bodies[0]) && moves(w, bodies[1]))
        lt_sets_join(h->roots, bodies[0], bodies[1]);
}

/* What touches as the step begins cannot be kept from it, unless it is taken through the other one; what slides along an obstacle
 * may be called near although it is not. */
static bool stops(const lt_multi_work *w, const halt *h, const lt_pair *pair, uint32_t index, float *time) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    bool rode = pair->kind != LT_PAIR_SELF && (h->rode[bodies[0]] || h->rode[bodies[count - 1]]);
    if (pair->kind == LT_PAIR_OBSTACLE) {
        const lt_obstacle_meeting *m = &w->obstacle_meetings[index];
        *time = m->time;
        return (m->time > 0 || rode) && m->distance < 0.1f * w->separation;
    }
    const lt_meeting *m = &w->meetings[index];
    *time = m->time;
    return (m->time > 0 || rode) && !lt_multi_is_crossed(w, pair, m);
}

static void note_meetings(lt_multi_work *w, const lt_multi_turn *t, void *context) {
    halt *h = context;
    uint32_t found = lt_multi_turn_found(t);
    float time;
    for (uint32_t i = 0; i < found; i++)
        if (stops(w, h, t->pair, i, &time)) note_time(w, h, t->pair, time);
    lt_give_back(w->step->meter, LT_WORK_RESPOND, (uint64_t)lt_multi_contact_units() * t->reserved);
}

static void join_islands(const lt_multi_work *w, halt *h, bool by_pairs) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    lt_sets_begin(h->roots, w->step->collider_count);
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        h->times[i] = 2;
        h->drivers[i] = LT_NONE;
    }
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_pair *p = &w->contacts[i].pair;
        if (p->kind == LT_PAIR_BODIES && moves(w, p->a) && moves(w, p->b)) lt_sets_join(h->roots, p->a, p->b);
        note_first(h, p->a, 2, driver_of(w, p));
    }
    for (uint32_t i = 0; by_pairs && i < pairs->count; i++) {
        const lt_pair *p = lt_worded_pair_at(pairs, i);
        if (p->kind == LT_PAIR_BODIES && moves(w, p->a) && moves(w, p->b)) lt_sets_join(h->roots, p->a, p->b);
    }
}

/* What is left of the step it goes with the obstacle. */
static void go_on_with(const lt_multi_work *w, uint32_t body, uint32_t driver, lt_real share) {
    lt_soft *soft = &w->step->softs[body];
    const lt_obstacle *obstacle = lt_obstacle_at(&w->step->colliders[body], w->step->obstacles, driver);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_vec3 from = lt_v3_from_r3(lt_node_get(soft->x_before, node));
        lt_rvec3 velocity = lt_r3_from_v3(lt_obstacle_velocity(obstacle, from));
        lt_node_add(soft->x, node, velocity, (1 - share) * w->step->dt);
    }
}

/* Returns how many islands were stopped on their way. */
static uint32_t stop_islands(lt_multi_work *w, halt *h, bool with_drivers) {
    uint32_t stopped = 0;
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        uint32_t root = lt_sets_find(h->roots, i);
        note_first(h, root, h->times[i], h->drivers[i]);
    }
    for (uint32_t i = 0; i < w->step->collider_count; i++) /* pins stay where they are */
        if (moves(w, i) && w->step->softs[i].pin_count > 0) h->drivers[lt_sets_find(h->roots, i)] = LT_NONE;
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        uint32_t root = lt_sets_find(h->roots, i);
        float time = h->times[root];
        w->motions[i].is_touched = moves(w, i) && time <= 1;
        if (!w->motions[i].is_touched) continue;
        lt_soft *soft = &w->step->softs[i];
        lt_real share = lt_lcp_scale_step(soft->x, soft->x_before, soft->carrier.node_count, (lt_real)time);
        h->rode[i] = with_drivers && h->drivers[root] != LT_NONE;
        if (h->rode[i]) go_on_with(w, i, h->drivers[root], share);
        lt_soft_follow(soft);
        stopped += root == i;
    }
    return stopped;
}

static void note_passed(lt_multi_work *w, const lt_multi_turn *t, void *context) {
    const halt *h = context;
    float time;
    for (uint32_t i = 0; driver_of(w, t->pair) != LT_NONE && i < lt_multi_turn_found(t); i++)
        if (stops(w, h, t->pair, i, &time)) lt_multi_know(t->pair, LT_MULTI_OVERLAPPING, 0);
    lt_give_back(w->step->meter, LT_WORK_RESPOND, (uint64_t)lt_multi_contact_units() * t->reserved);
}

static bool any_obstacle_moves(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->obstacle_count; i++)
        if (w->step->obstacles[i].in_use && w->step->obstacles[i].moving) return true;
    return false;
}

/* Islands of contacts first; what still meets then, or meets others because of it, stops all who are near each other, at
 * last without going on with obstacles. */
static bool stop_who_meets(lt_multi_work *w) {
    size_t mark = lt_arena_mark(w->step->arena);
    halt h = {LT_TAKE(w->step->arena, w->step->collider_count, uint32_t),
              LT_TAKE(w->step->arena, w->step->collider_count, float),
              LT_TAKE(w->step->arena, w->step->collider_count, uint32_t),
              LT_TAKE(w->step->arena, w->step->collider_count, bool)};
    bool complete = h.roots && h.times && h.drivers && h.rode;
    uint32_t stopped = 0;
    if (complete) memset(h.rode, 0, w->step->collider_count * sizeof *h.rode);
    bool pushed = any_obstacle_moves(w);
    for (int pass = 0; complete && pass < (pushed ? 3 : 2); pass++) {
        join_islands(w, &h, pass > 0);
        complete = lt_multi_search_again(w, 0, note_meetings, &h);
        stopped = complete ? stop_islands(w, &h, pass < 2) : 0;
        w->step->report->fail_safe += stopped;
        if (stopped == 0) break;
    }
    if (stopped > 0 && pushed) complete = lt_multi_search_again(w, 0, note_passed, &h);
    lt_arena_rewind(w->step->arena, mark);
    return complete;
}

/* ---- all of it ---- */

/* What still comes too near becomes a contact. Where looking was cut they are let go again: what was answered stands. */
static second_look look_again(lt_multi_work *w) {
    second_look look = {0, 0};
    uint32_t before = w->contact_count;
    w->complete = lt_multi_search_again(w, AGAIN * w->separation, add_missed, &look);
    if (!w->complete) w->contact_count = before;
    return look;
}

/* Velocity of a point as the step began: that at the end of the free motion is also of what contacts carry. */
static lt_rvec3 velocity_before(const lt_multi_work *w, uint32_t body, const lt_anchor *rows) {
    LT_ASSERT(body < w->step->collider_count);
    const lt_soft *soft = &w->step->softs[body];
    const lt_real *v = moves(w, body) && soft->grid ? soft->v_before : soft->v;
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < rows->count; i++)
        sum = lt_r3_mad(sum, lt_node_get(v, lt_row_node(lt_soft_row_nodes(soft), rows->ids[i])),
                        rows->weights[i]);
    return sum;
}

/* Who was hit harder than by what rests on it is to be fine there. */
static void note_strikes(const lt_multi_work *w) {
    lt_real dt = w->step->dt, resting = 2 * dt * lt_r3_length(lt_r3_from_v3(w->step->gravity));
    for (uint32_t i = 0; i < w->contact_count; i++) {
        const lt_lcp_contact *row = &w->rows[i];
        if (!(lt_r3_dot(w->contacts[i].impulse, row->normal) > 0)) continue;
        lt_rvec3 other =
            row->body_b == LT_NONE ? row->partner_velocity : velocity_before(w, row->body_b, &row->b);
        lt_rvec3 u = lt_r3_sub(velocity_before(w, row->body_a, &row->a), other);
        lt_real speed = -lt_r3_dot(u, row->normal) - resting;
        lt_soft_strike(&w->step->softs[row->body_a], &row->a, speed, dt);
        if (row->body_b != LT_NONE) lt_soft_strike(&w->step->softs[row->body_b], &row->b, speed, dt);
    }
}

/* What comes too near although it is answered would be answered alike again: only the fail-safe is left. */
static void answer_in_rounds(lt_multi_work *w) {
    for (uint32_t round = 1;; round++) {
        w->complete = answer(w) && w->complete;
        if (!w->complete) return;
        if (round == LT_MULTI_ROUNDS) break;
        second_look look = look_again(w);
        if (look.found == 0 || !w->complete) return;
        if (look.added == 0) break;
    }
    w->complete = stop_who_meets(w);
}

void lt_multi_answer(lt_multi_work *w) {
    if (w->contact_count == 0 && !w->foreseen) return;
    answer_in_rounds(w);
    note_strikes(w);
}
