/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The turn of one pair, cut anywhere:
 *
 *   boxes of both bodies, marks of one with itself ──► do they cross as the step begins? ──► where do they meet on the way
 *                                                        │ yes: tangled (multiscale_tangle.c)
 *                                                        ▼
 *                                                      what is inside the other, by depth
 *
 * Whether they cross is asked only of those of whom it is not known that they were apart as the last step ended. What is in the
 * other cannot be parted by where surfaces meet: they would be kept from coming out as well as from going in. */

#include "core/hash.h"
#include "mesh/exact.h"
#include "method/multiscale_work.h"

#include <string.h>

static lt_collider *side_of(const lt_multi_turn *t, uint32_t side) {
    LT_ASSERT(side < 2);
    const lt_pair *p = t->pair;
    return &t->work->step->colliders[side && p->kind == LT_PAIR_BODIES ? p->b : p->a];
}

/* The boxes and marks that it is about. */
static lt_moving_surface *surface_of(const lt_multi_turn *t, uint32_t side) {
    LT_ASSERT(side < 2);
    return t->own ? lt_multi_long_surface(t->own, side) : side_of(t, side)->surface;
}

static lt_surface_stage wanted_of(const lt_multi_turn *t) {
    return t->pair->kind == LT_PAIR_SELF ? LT_SURFACE_MARKED : LT_SURFACE_FITTED;
}

/* The body to be prepared next; LT_NONE: both are. */
static uint32_t unprepared(const lt_multi_turn *t) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, t->pair);
    if (t->own) return lt_multi_long_peek(t->own).cost > 0 ? t->pair->a : LT_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (lt_multi_prepare_peek(t->work, bodies[i], wanted_of(t)).cost > 0) return bodies[i];
    return LT_NONE;
}

static void prepare_for(lt_multi_turn *t, lt_multi_span span) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, t->pair);
    t->span = span;
    for (uint32_t i = 0; i < count; i++)
        lt_multi_prepare_for(t->work, bodies[i], span);
}

/* ---- beginning the parts of a turn ---- */

void lt_multi_begin_query(lt_query *query, lt_moving_surface *a, lt_moving_surface *b, float separation,
                          lt_simd_level level, bool at_start) {
    lt_moving_surface_query(query, a, b);
    query->separation = at_start ? 0 : separation;
    query->at_start = at_start;
    query->may_meet = lt_ccd_may_meet_for(level);
    query->reserve = at_start ? 0 : lt_multi_contact_units();
    lt_query_begin(query);
}

void lt_multi_begin_obstacle_query(lt_obstacle_query *query, lt_moving_surface *surface,
                                   const lt_obstacle *obstacle, float separation) {
    query->body = &surface->boxes;
    query->owners = &surface->parts->owners;
    query->obstacle = obstacle;
    query->separation = separation;
    query->reserve = lt_multi_contact_units();
    lt_obstacle_query_begin(query);
}

static void begin_query(lt_multi_turn *t, bool at_start) {
    t->query.meetings = t->work->meetings;
    t->query.capacity = at_start && t->pair->kind == LT_PAIR_BODIES ? 1 : LT_MULTI_CROWD;
    t->query.skips_neighbours = t->own && t->pair->kind == LT_PAIR_SELF;
    lt_multi_begin_query(&t->query, surface_of(t, 0), surface_of(t, 1), t->separation, t->work->step->level,
                         at_start);
}

static void begin_obstacle_query(lt_multi_turn *t) {
    const lt_obstacle *obstacle = t->own ? &t->own->obstacle : lt_step_obstacle(t->work->step, t->pair);
    t->obstacle_query.meetings = t->work->obstacle_meetings;
    t->obstacle_query.capacity = t->work->capacity;
    lt_multi_begin_obstacle_query(&t->obstacle_query, surface_of(t, 0), obstacle, t->separation);
}

static void begin_phase(lt_multi_turn *t, lt_multi_phase phase) {
    t->phase = phase;
    if (phase == LT_TURN_CROSS) begin_query(t, true);
    if (phase == LT_TURN_REFRESH) lt_multi_tangle_begin_points(t);
    if (phase == LT_TURN_QUERY && t->pair->kind == LT_PAIR_OBSTACLE)
        begin_obstacle_query(t);
    else if (phase == LT_TURN_QUERY)
        begin_query(t, false);
    if (phase == LT_TURN_DONE) {
        t->outcome->done = true;
        t->outcome->has_points_left = false;
    }
}

/* Boxes around ways would offer all that is swept over: two bodies are asked with those of where they are. (Of a body with itself marks
 * would have to be set twice.) */
static bool may_overlap(const lt_multi_turn *t) {
    return t->pair->kind != LT_PAIR_OBSTACLE && lt_multi_known(t->pair) != LT_MULTI_APART && !t->is_again;
}

static lt_multi_span first_span(const lt_multi_turn *t) {
    bool asks = may_overlap(t) && t->pair->kind == LT_PAIR_BODIES;
    return (lt_multi_span){0, asks ? 0 : 1};
}

static bool asks_now(const lt_multi_turn *t) {
    float end = first_span(t).end;
    return may_overlap(t) && !t->own && t->span.begin == 0 && t->span.end == end;
}

/* ---- the parts ---- */

/* What a long turn finds beyond what the budget can hold would be let go again: it is found by the next one, when others are
 * over. */
static uint32_t room_for_more(const lt_multi_turn *t) {
    enum { LEAST = 8 };
    uint32_t held = t->outcome->held_end - t->outcome->held_begin, limit = t->work->limit;
    return limit > held + LEAST ? limit - held : LEAST;
}

/* All vertices of a leaf may meet an obstacle: for more answers than a long turn may have nothing is set aside. */
static lt_piece peek_query(const lt_multi_turn *t) {
    lt_piece piece = t->pair->kind == LT_PAIR_OBSTACLE ? lt_obstacle_query_peek(&t->obstacle_query)
                                                       : lt_query_peek(&t->query);
    if (!t->own) return piece;
    uint32_t room = room_for_more(t), left = room > t->reserved ? room - t->reserved : 0;
    uint64_t most = (uint64_t)lt_multi_contact_units() * left;
    if (piece.reserve > most) piece.reserve = (uint32_t)most;
    return piece;
}

/* ---- the cursor ---- */

static lt_piece peek(const void *state) {
    const lt_multi_turn *t = state;
    switch (t->phase) {
    case LT_TURN_BODIES:
        return t->own ? lt_multi_long_peek(t->own)
                      : lt_multi_prepare_peek(t->work, unprepared(t), wanted_of(t));
    case LT_TURN_CROSS: return lt_query_peek(&t->query);
    case LT_TURN_CORNERS:
    case LT_TURN_REFRESH:
    case LT_TURN_POINTS: return lt_multi_tangle_peek(t);
    case LT_TURN_QUERY: return peek_query(t);
    default: return (lt_piece){LT_WORK_TRAVERSE, 0, 0};
    }
}

static bool query_is_done(const lt_multi_turn *t) {
    return t->pair->kind == LT_PAIR_OBSTACLE ? t->obstacle_query.node_count == 0
                                             : lt_query_is_done(&t->query);
}

/* ---- a part of the step after the other ---- */

/* What is fast sweeps over so much that the query does not end. What it meets first is found in a quarter of the step as well, or
 * in the next one; and what it would meet after that, if it were not stopped, need not be known. (What rests on another in hundreds of places
 * takes as many units: there a quarter is no less than all of it.) */
enum { MOST_UNITS = 200000 };

static bool may_be_too_much(const lt_multi_turn *t) {
    return !t->is_again && !t->own && t->is_fast && t->span.begin == 0 && t->span.end == 1;
}

static bool has_next_part(const lt_multi_turn *t) {
    return t->span.end < 1 && t->query.meeting_count == 0 && t->pair->kind != LT_PAIR_OBSTACLE;
}

static void begin_part(lt_multi_turn *t, float begin) {
    const float part = 0.25f;
    prepare_for(t, (lt_multi_span){begin, begin + part});
    t->query.meeting_count = t->query.dropped_count = 0;
    t->phase = LT_TURN_BODIES;
}

/* ---- crossings ---- */

/* A surface that is in itself at some place is held everywhere else: what hangs on tets whose triangles cross does not push there, and
 * may come out again. */
static void note_crossed(lt_multi_turn *t) {
    const lt_multiscale_tree *tree = t->query.a->tree;
    for (uint32_t i = 0; i < t->query.meeting_count; i++) {
        uint32_t a = tree->triangle_tets[t->query.meetings[i].a],
                 b = tree->triangle_tets[t->query.meetings[i].b];
        if (a != LT_NONE) t->work->crossed[t->pair->a][a] = true;
        if (b != LT_NONE) t->work->crossed[t->pair->a][b] = true;
    }
}

/* Contacts of two bodies from before it was known that they are in each other would hold them there. */
static void know(lt_multi_turn *t, bool crosses) {
    bool is_new = t->pair->kind == LT_PAIR_BODIES && !lt_multi_is_overlapping(t->pair);
    if (crosses && is_new) t->outcome->age_limit = 0;
    lt_multi_know(t->pair, crosses ? LT_MULTI_OVERLAPPING : LT_MULTI_APART,
                  lt_multi_undecided_steps(t->pair));
}

/* Two bodies are parted by depth, at every crossing as it is found: that counts wherever the turn is cut. When all of them, or as many as
 * the budget has answers for, were looked at, the pair is decided; points are looked at while there is something left. */
static void look_at_crossing(lt_multi_turn *t) {
    bool is_over = lt_query_is_done(&t->query) || t->crossing_count >= lt_multi_tangle_most(t);
    if (t->query.meeting_count > 0) {
        know(t, true);
        t->phase = LT_TURN_CORNERS;
    } else if (is_over && t->crossing_count > 0) {
        t->outcome->done = t->outcome->has_points_left = true;
        begin_phase(t, LT_TURN_REFRESH);
    } else if (is_over) {
        know(t, false);
        prepare_for(t, (lt_multi_span){0, 1});
        t->phase = LT_TURN_BODIES;
    }
}

static void end_crossing(lt_multi_turn *t) {
    if (t->pair->kind == LT_PAIR_BODIES) {
        look_at_crossing(t);
    } else if (lt_query_is_done(&t->query)) {
        note_crossed(t);
        know(t, t->query.meeting_count > 0);
        begin_phase(t, LT_TURN_QUERY);
    }
}

/* To the part that has something to do. */
static void find_phase(lt_multi_turn *t) {
    if (t->phase == LT_TURN_QUERY && may_be_too_much(t) && t->query_units > MOST_UNITS)
        begin_part(t, 0);
    else if (t->phase == LT_TURN_QUERY && query_is_done(t) && has_next_part(t))
        begin_part(t, t->span.end);
    if (t->phase == LT_TURN_BODIES && unprepared(t) == LT_NONE)
        begin_phase(t, asks_now(t) ? LT_TURN_CROSS : LT_TURN_QUERY);
    if (t->phase == LT_TURN_CROSS) end_crossing(t);
    if (t->phase == LT_TURN_BODIES && unprepared(t) == LT_NONE) begin_phase(t, LT_TURN_QUERY);
    if (t->phase == LT_TURN_REFRESH && lt_multi_tangle_peek(t).cost == 0) t->phase = LT_TURN_POINTS;
    if (t->phase == LT_TURN_POINTS && lt_multi_tangle_peek(t).cost == 0) begin_phase(t, LT_TURN_DONE);
    if (t->phase == LT_TURN_QUERY && query_is_done(t)) begin_phase(t, LT_TURN_DONE);
}

/* Up to where what was found must be thinned out (a test finds one at most), or it is seen that it is too much: the same place
 * wherever grants end. */
static uint32_t query_on(lt_multi_turn *t, uint32_t cost, uint32_t grant) {
    uint32_t room = LT_MULTI_CROWD - t->query.meeting_count;
    uint32_t left = t->query_units < MOST_UNITS ? MOST_UNITS - (uint32_t)t->query_units : 0;
    uint32_t most = lt_min_u32(LT_QUERY_TEST_UNITS * room, may_be_too_much(t) ? left : UINT32_MAX);
    uint32_t spent = lt_query_step(&t->query, lt_max_u32(cost, lt_min_u32(grant, most)));
    t->query_units += spent;
    if (t->query.meeting_count == LT_MULTI_CROWD) {
        lt_multi_thin_out(t->work, t);
        t->is_thinned = true;
        t->looked_at = t->query.meeting_count;
    }
    return spent;
}

static uint32_t do_piece(lt_multi_turn *t, uint32_t cost, uint32_t grant) {
    switch (t->phase) {
    case LT_TURN_BODIES:
        return t->own ? lt_multi_long_step(t->own, t->work, grant)
                      : lt_multi_prepare_step(t->work, unprepared(t), t->separation, grant);
    case LT_TURN_CROSS: return lt_query_step(&t->query, cost); /* one piece, one crossing at most */
    case LT_TURN_CORNERS:
    case LT_TURN_REFRESH:
    case LT_TURN_POINTS: lt_multi_tangle_step(t); return cost;
    case LT_TURN_QUERY:
        return t->pair->kind == LT_PAIR_OBSTACLE ? lt_obstacle_query_step(&t->obstacle_query, grant)
                                                 : query_on(t, cost, grant);
    default: return 0;
    }
}

/* What becomes one group when contacts are made of it (multiscale_contacts.c), as far as that can be told now; 0: that cannot. */
static uint32_t crowd_of(const lt_multi_turn *t, uint32_t index) {
    const lt_surface_parts *parts = side_of(t, 0)->surface->parts;
    uint32_t tets[2] = {LT_NONE, LT_NONE};
    lt_vec3 normal;
    if (lt_multi_is_overlapping(t->pair)) return lt_multi_tangle_crowd(t, index);
    if (t->pair->kind == LT_PAIR_OBSTACLE) {
        const lt_obstacle_meeting *m = &t->work->obstacle_meetings[index];
        tets[0] = tets[1] = parts->point_tets[m->point];
        normal = m->normal;
    } else {
        const lt_meeting *m = &t->work->meetings[index];
        for (uint32_t side = 0; side < 2 && m->kind != LT_MEET_CROSSING; side++) {
            lt_meeting_side of = lt_meeting_side_of(m, side);
            parts = side_of(t, side)->surface->parts;
            tets[side] =
                of.count == 1 ? parts->point_tets[of.points[0]] : parts->tree.triangle_tets[of.triangle];
        }
        normal = m->normal;
    }
    if (tets[0] == LT_NONE || tets[1] == LT_NONE) return 0;
    return lt_multi_crowd_key(lt_soft_patch(side_of(t, 0)->soft, tets[0]),
                              lt_soft_patch(side_of(t, 1)->soft, tets[1]), normal);
}

/* Whether one more of that group may become a contact. */
static bool joins(lt_multi_turn *t, uint32_t crowd) {
    uint32_t slot = crowd >> 1 & (LT_MULTI_CROWDS - 1);
    if (crowd == 0) return true;
    while (t->crowds[slot] && t->crowds[slot] != crowd)
        slot = (slot + 1) & (LT_MULTI_CROWDS - 1);
    if (!t->crowds[slot] && t->crowd_count == LT_MULTI_CROWDS / 2) return true;
    if (!t->crowds[slot]) {
        t->crowds[slot] = crowd;
        t->members[slot] = 0;
        t->crowd_count++;
    }
    if (t->members[slot] == LT_MULTI_KEPT) return false;
    t->members[slot]++;
    return true;
}

/* Of what was found, how much may become contacts: with an answer set aside for every meeting a dense surface would be the end of any
 * small budget. */
static uint32_t count_answers(lt_multi_turn *t, uint32_t found) {
    uint32_t count = t->reserved;
    for (; t->looked_at < found; t->looked_at++) {
        if (t->own && t->pair->kind == LT_PAIR_SELF)
            lt_multi_long_meet(t->own, &t->work->meetings[t->looked_at]);
        if ((t->own && count >= room_for_more(t)) || lt_multi_is_held(t->work, t, t->looked_at)) continue;
        count += joins(t, crowd_of(t, t->looked_at));
    }
    return count;
}

/* What was found can be answered, whatever comes. */
void lt_multi_reserve_found(lt_multi_turn *t) {
    uint32_t answers = count_answers(t, lt_multi_turn_found(t));
    if (answers <= t->reserved) return;
    lt_reserve_unannounced(t->work->step->meter, LT_WORK_RESPOND,
                           (uint64_t)lt_multi_contact_units() * (answers - t->reserved));
    t->reserved = answers;
}

/* Pieces of one kind. */
static uint32_t step(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    lt_multi_turn *t = state;
    lt_piece piece = peek(t);
    lt_work work = piece.work;
    uint32_t spent = 0;
    while (piece.cost > 0 && piece.work == work && piece.cost <= grant - spent) {
        spent += do_piece(t, piece.cost, grant - spent);
        find_phase(t);
        piece = peek(t);
    }
    lt_multi_reserve_found(t);
    return spent;
}

lt_cursor lt_multi_turn_cursor(lt_multi_turn *turn) {
    return (lt_cursor){turn, peek, step};
}

static void begin_turn(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, float separation,
                       bool is_again) {
    turn->work = work;
    turn->pair = lt_worded_pair_at(&work->method->memory.pairs, index);
    turn->outcome = &work->outcomes[index];
    turn->separation = separation;
    turn->is_again = is_again;
    turn->own = NULL;
    turn->reserved = turn->looked_at = turn->crowd_count = turn->suspect_count = 0;
    memset(turn->crowds, 0, sizeof turn->crowds);
    turn->phase = LT_TURN_BODIES;
    turn->query_units = 0;
    turn->is_thinned = false;
    turn->crossing_count = 0;
    turn->query.meeting_count = turn->query.dropped_count = 0;
    turn->obstacle_query.meeting_count = turn->obstacle_query.dropped_count = 0;
    work->touch_count = 0;
}

void lt_multi_turn_begin(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, float separation,
                         bool is_again) {
    begin_turn(turn, work, index, separation, is_again);
    turn->is_fast = turn->pair->kind == LT_PAIR_SELF ||
                    (turn->pair->kind == LT_PAIR_BODIES && lt_multi_is_fast(work, turn->pair));
    prepare_for(turn, first_span(turn));
    find_phase(turn);
}

void lt_multi_turn_see(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, float separation) {
    begin_turn(turn, work, index, separation, true);
    turn->span = (lt_multi_span){0, 1};
    turn->seen_next = turn->outcome->seen_begin;
    turn->phase = LT_TURN_DONE;
    if (turn->pair->kind == LT_PAIR_OBSTACLE) {
        lt_obstacle_query *q = &turn->obstacle_query;
        q->obstacle = lt_step_obstacle(work->step, turn->pair);
        q->separation = separation;
        q->meetings = work->obstacle_meetings;
        q->box_tests = q->vertex_tests = 0;
        lt_obstacle_query_aim(q);
        return;
    }
    lt_moving_surface_query(&turn->query, surface_of(turn, 0), surface_of(turn, 1));
    turn->query.meetings = work->meetings;
    turn->query.box_tests = turn->query.test_total = 0;
}

/* Where it was cut, with room for what it finds in this step. */
static void resume_query(lt_multi_turn *t) {
    t->phase = LT_TURN_QUERY;
    if (t->pair->kind == LT_PAIR_OBSTACLE) {
        lt_obstacle_query *q = &t->obstacle_query;
        *q = t->own->obstacle_query;
        q->meetings = t->work->obstacle_meetings;
        q->capacity = t->work->capacity;
        q->meeting_count = q->dropped_count = 0;
        q->box_tests = q->vertex_tests = 0;
        return;
    }
    lt_query *q = &t->query;
    *q = t->own->query;
    q->may_meet = lt_ccd_may_meet_for(t->work->step->level);
    q->meetings = t->work->meetings;
    q->capacity = LT_MULTI_CROWD;
    q->meeting_count = q->dropped_count = 0;
    q->box_tests = q->test_total = 0;
}

/* ---- crossings that a long turn comes by ----
 *
 * It does not ask beforehand whether two bodies are in each other. But where they are it meets features that are near each other from the
 * beginning, one of them from within: contacts there point anywhere, hold both where they are, and press tets flat. So when a step ends
 * for it triangles of such meetings are asked whether they cross; if so the turn is over, and the next one parts the bodies by depth. */

bool lt_multi_may_cross(const lt_multi_turn *t) {
    return t->own && t->pair->kind == LT_PAIR_BODIES;
}

static bool is_in_first_stage(const lt_multi_turn *t) {
    return t->own->is_begun && t->own->stages_left + 1 == t->own->stages && t->phase >= LT_TURN_QUERY;
}

static bool is_suspect(const lt_multi_turn *t, uint32_t index) {
    const lt_meeting *m = &t->query.meetings[index];
    return !(m->time > 0) && lt_multi_is_odd(&t->query, m);
}

/* To the next meeting that is to be asked. */
static void find_suspect(lt_multi_turn *t) {
    while (t->suspect < t->query.meeting_count && !is_suspect(t, t->suspect))
        t->suspect++;
}

static void place_corners(lt_dvec3 out[3], const lt_multiscale *boxes, uint32_t triangle) {
    LT_ASSERT(triangle < boxes->tree->triangle_count);
    for (int k = 0; k < 3; k++)
        out[k] = lt_d3_from_v3(
            lt_multiscale_position(boxes, boxes->tree->triangles[3 * (size_t)triangle + (size_t)k], 0));
}

static lt_piece peek_suspect(const void *state) {
    const lt_multi_turn *t = state;
    bool asks = !lt_multi_is_overlapping(t->pair) && t->suspect_count < LT_MULTI_SUSPECTS &&
                t->suspect < t->query.meeting_count;
    return (lt_piece){LT_WORK_TRAVERSE, asks ? LT_QUERY_CROSSING_UNITS : 0, 0};
}

static uint32_t ask_suspect(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    lt_multi_turn *t = state;
    const lt_meeting *m = &t->query.meetings[t->suspect++];
    lt_dvec3 a[3], b[3];
    (void)grant; /* it was set aside */
    place_corners(a, t->query.a, m->a);
    place_corners(b, t->query.b, m->b);
    t->suspect_count++;
    if (lt_exact_triangle_triangle(a, b)) {
        know(t, true);
        t->outcome->done = false;
    }
    find_suspect(t);
    return LT_QUERY_CROSSING_UNITS;
}

lt_cursor lt_multi_suspect_cursor(lt_multi_turn *t) {
    t->suspect = is_in_first_stage(t) ? 0 : t->query.meeting_count;
    t->suspect_count = 0;
    find_suspect(t);
    return (lt_cursor){t, peek_suspect, ask_suspect};
}

void lt_multi_turn_resume(lt_multi_turn *turn, lt_multi_work *work, uint32_t index, lt_multi_long *own) {
    begin_turn(turn, work, index, own->separation, false);
    turn->own = own;
    turn->span = (lt_multi_span){0, 1};
    if (!own->is_begun) {
        lt_multi_long_aim(own, work->method, turn->pair);
        turn->separation = own->separation = lt_multi_way_room(own, work->separation);
    }
    if (own->is_begun && own->phase == LT_TURN_QUERY) resume_query(turn);
    find_phase(turn);
}
