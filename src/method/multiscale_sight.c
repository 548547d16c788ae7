/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far two bodies, or a body and an obstacle, were apart at least when they were looked at last: of what rests nearly all that a turn
 * costs is to find the same again.
 *
 *   slow pair, looked at ──► as the step ends: the least distance between all that was met, and what was not ──► clear
 *   next step: as foreseen, clear − how far both move against each other is what a second look asks for (not foreseen, but carried: they
 *              hardly moved in the last one) ──► no turn, contacts go on ──► answer ──► did they stay clear? ──► so much less clear
 *              └─ no: looked at again as after any answer, or, where there is no time for that, not decided
 *   somebody fast, put elsewhere, an obstacle that moves: a turn as usual
 *
 * A step takes as far as nodes get in it, without what is common to both: what lies still needs no look for some ten to hundreds of steps.
 * Contacts keep surfaces a separation apart, so there is room. It is a proof, as second looks are, so a pair that goes without a look is
 * known to be apart also when the step is cut. On a budget planes between nodes are known, too, which tell the same of those that are
 * only near each other. It is state: it is saved.
 *
 * Workload: some 22 pairs of eight bears at rest, up to 2,300 meetings each. Looks of a step take 0.1 to 1.2 ms instead of 9.2. */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

/* Separations: a step of who is slow enough, and what must be clear for a pair to go without a look: that is what second looks ask for. */
static const float SLOW = 0.2f, LEAST = 0.25f;
/* Of the room of a turn: numbers are rounded, and a point may be a little outside its tet. */
static const float NEARLY = 0.95f;

enum { NODES_A_UNIT = 4 /* of the ways of a pair */, MEETING_UNITS = 24 };

/* ---- life ---- */

static lt_multi_entries *sights_of(const lt_multi_method *m) {
    return (lt_multi_entries *)&m->entries[m->entries_now];
}

bool lt_multi_entries_reserve(lt_multi_method *m, uint32_t pair_capacity) {
    for (int i = 0; i < 2; i++) {
        lt_multi_entries *s = &m->entries[i];
        if (pair_capacity <= s->capacity && s->items) continue;
        lt_multi_entry *items =
            LT_ENLARGE(&m->memory.allocator, s->items, s->capacity, pair_capacity, lt_multi_entry);
        if (!items) return false;
        s->items = items;
        s->capacity = pair_capacity;
    }
    return true;
}

void lt_multi_entries_free(lt_multi_method *m) {
    for (int i = 0; i < 2; i++)
        LT_DELETE(&m->memory.allocator, m->entries[i].items, m->entries[i].capacity, lt_multi_entry);
}

void lt_multi_forget_entries(lt_multi_method *m, uint32_t body, uint32_t obstacle) {
    lt_multi_entries *s = sights_of(m);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const lt_pair pair = {.a = s->items[i].a, .kind = (lt_pair_kind)s->items[i].kind, .b = s->items[i].b};
        bool of_body = body != LT_NONE && lt_pair_is_of_body(&pair, body);
        if (!of_body && !(obstacle != LT_NONE && lt_pair_is_of_obstacle(&pair, obstacle)))
            s->items[kept++] = s->items[i];
    }
    s->count = kept;
}

/* ---- as a step begins ---- */

static bool comes_before(const lt_multi_entry *x, const lt_pair *y) {
    if (x->a != y->a) return x->a < y->a;
    return x->kind != (uint32_t)y->kind ? x->kind < (uint32_t)y->kind : x->b < y->b;
}

static bool is_where_it_was(const lt_multi_entry *entry, const lt_obstacle *obstacle) {
    return memcmp(&entry->position, &obstacle->position, sizeof entry->position) == 0 &&
           memcmp(&entry->rotation, &obstacle->rotation, sizeof entry->rotation) == 0;
}

/* Two bodies that are not in each other, or a body and an obstacle that stands still. */
static bool can_rest(const lt_multi_work *w, const lt_pair *pair) {
    if (w->method->options.mode == LT_MODE_PAPER) return false;
    if (pair->kind == LT_PAIR_OBSTACLE) return !w->step->obstacles[pair->b].moving;
    return pair->kind == LT_PAIR_BODIES && lt_multi_known(pair) == LT_MULTI_APART;
}

void lt_multi_find_entries(lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    const lt_multi_entries *s = sights_of(w->method);
    uint32_t at = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = lt_worded_pair_at(pairs, i);
        while (at < s->count && comes_before(&s->items[at], pair))
            at++;
        if (at == s->count) break;
        const lt_multi_entry *entry = &s->items[at];
        bool is_its = entry->a == pair->a && entry->kind == (uint32_t)pair->kind && entry->b == pair->b;
        bool serves =
            is_its && can_rest(w, pair) &&
            (pair->kind != LT_PAIR_OBSTACLE || is_where_it_was(entry, lt_step_obstacle(w->step, pair)));
        w->outcomes[i].clear = serves ? entry->clear : 0;
        w->outcomes[i].last_way = entry->way;
    }
}

/* ---- a turn that need not look ---- */

bool lt_multi_stays_clear(const lt_multi_work *w, uint32_t index, float separation) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    return lt_multi_way_length(w, pair, LT_WAY_FROM_BEGIN) + separation <= w->outcomes[index].clear;
}

/* The question, as one piece of work. */
typedef struct question {
    const lt_multi_work *work;
    uint32_t index;
    bool done, rests;
} question;

static uint32_t node_count_of(const lt_multi_work *w, uint32_t index) {
    uint32_t bodies[2], nodes = 0;
    uint32_t count = lt_multi_pair_bodies(bodies, lt_worded_pair_at(&w->method->memory.pairs, index));
    for (uint32_t i = 0; i < count; i++)
        nodes += lt_soft_own_count(&w->step->softs[bodies[i]]);
    return nodes;
}

static lt_piece peek_question(const void *state) {
    const question *q = state;
    uint32_t units = 1 + node_count_of(q->work, q->index) / NODES_A_UNIT;
    return (lt_piece){LT_WORK_TRAVERSE, q->done ? 0 : units, 0};
}

static uint32_t ask(void *state, uint32_t grant) {
    question *q = state;
    uint32_t cost = peek_question(q).cost;
    (void)grant;
    q->rests = lt_multi_stays_clear(q->work, q->index, LEAST * q->work->separation);
    q->done = true;
    return cost;
}

static bool will_stay_clear(lt_multi_work *w, uint32_t index) {
    question q = {w, index, false, false};
    return lt_spend(w->step->meter, LT_STAGE_DETECT, (lt_cursor){&q, peek_question, ask}) && q.rests;
}

/* A plane between all nodes of two bodies tells as well, whatever is known of them. */
static void be_told_by_plane(const lt_multi_work *w, uint32_t index) {
    lt_multi_outcome *outcome = &w->outcomes[index];
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (pair->kind == LT_PAIR_BODIES && outcome->has_plane && !lt_multi_is_overlapping(pair))
        outcome->clear = lt_max_f(outcome->clear, -NEARLY * outcome->plane.depth);
}

/* Where nothing was foreseen nobody knows where contacts let them get: who had some, and hardly moved in the last step, will be asked after
 * the answer. */
static bool may_rest(lt_multi_work *w, uint32_t index) {
    const lt_multi_outcome *outcome = &w->outcomes[index];
    bool is_slow = 2 * outcome->last_way + LEAST * w->separation <= outcome->clear;
    bool is_carried = outcome->held_begin < outcome->held_end;
    be_told_by_plane(w, index);
    if (!(outcome->clear > LEAST * w->separation)) return false;
    return (!w->foreseen && is_slow && is_carried) || will_stay_clear(w, index);
}

void lt_multi_let_rest(lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    if (w->method->options.mode == LT_MODE_PAPER) return;
    for (uint32_t i = 0; i < pairs->count; i++) {
        lt_pair *pair = lt_worded_pair_at(pairs, i);
        lt_multi_outcome *outcome = &w->outcomes[i];
        if (pair->kind == LT_PAIR_SELF || !may_rest(w, i)) continue;
        outcome->rests = outcome->done = true;
        lt_multi_long *own = lt_multi_long_for(w, pair);
        if (own && lt_multi_long_is_of(own, pair)) lt_multi_long_stop(own);
        lt_multi_set_long(pair, false);
    }
}

void lt_multi_doubt_rest(lt_multi_work *w) {
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++) {
        lt_multi_outcome *outcome = &w->outcomes[i];
        if (!outcome->rests || lt_multi_stays_clear(w, i, 0)) continue;
        outcome->rests = outcome->done = w->complete = false;
        outcome->clear = 0;
    }
}

uint32_t lt_multi_entries_units(const lt_multi_work *w) {
    uint32_t units = 0;
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++)
        if (w->outcomes[i].clear > 0)
            units += 2 * node_count_of(w, i); /* asked some times after the answer */
    return units;
}

/* ---- as it ends ---- */

/* Of what was met, that is looked at next, and the least distance so far. */
typedef struct measuring {
    const lt_multi_work *work;
    uint32_t index, next;
    float least; /* m */
} measuring;

/* Whom the turn that was had in this step tells all about, and who was slow in it. */
static bool is_measured(const lt_multi_work *w, uint32_t index) {
    const lt_multi_outcome *outcome = &w->outcomes[index];
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (!outcome->done || outcome->rests || !outcome->has_seen || outcome->by_long || outcome->looked < 1)
        return false;
    if (pair->kind != LT_PAIR_OBSTACLE && !(w->complete || outcome->is_apart)) return false;
    return pair->kind == LT_PAIR_OBSTACLE ? !w->step->obstacles[pair->b].moving
                                          : !lt_multi_is_overlapping(pair);
}

static lt_piece peek_measuring(const void *state) {
    const measuring *m = state;
    bool more = m->next < m->work->outcomes[m->index].seen_end && m->least > LEAST * m->work->separation;
    return (lt_piece){LT_WORK_TRAVERSE, more ? MEETING_UNITS : 0, 0};
}

static uint32_t measure_on(void *state, uint32_t grant) {
    measuring *m = state;
    uint32_t spent = 0;
    while (peek_measuring(m).cost > 0 && spent + MEETING_UNITS <= grant) {
        float distance = lt_multi_seen_distance(m->work, m->index, m->next++);
        m->least = distance < m->least ? distance : m->least;
        spent += MEETING_UNITS;
    }
    return spent;
}

/* As the step ends; 0: not known. What was not met is as far apart as the turn looked, less how far the way is from that. */
static float clear_at_end(const lt_multi_work *w, uint32_t index, float way) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (outcome->rests) return outcome->clear - way;
    if (!(way <= SLOW * w->separation)) return 0;
    measuring m = {w, index, outcome->seen_begin,
                   NEARLY * outcome->room - lt_multi_way_length(w, pair, LT_WAY_FROM_AIM)};
    /* Nothing else of a step is counted in that stage: a recorded cut is one of this work. */
    bool ended = lt_spend(w->step->meter, LT_STAGE_OBSTACLES, (lt_cursor){&m, peek_measuring, measure_on});
    return ended ? m.least : 0;
}

void lt_multi_keep_entries(lt_multi_work *w) {
    lt_multi_method *m = w->method;
    lt_multi_entries *out = &m->entries[1 - m->entries_now];
    bool had_ended = w->step->meter->ended;
    out->count = 0;
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        const lt_pair *pair = lt_worded_pair_at(&m->memory.pairs, i);
        if (!w->outcomes[i].rests && !is_measured(w, i)) continue;
        float way = lt_multi_way_length(w, pair, LT_WAY_FROM_BEGIN), clear = clear_at_end(w, i, way);
        w->outcomes[i].is_apart = w->outcomes[i].is_apart || (w->outcomes[i].rests && clear > 0);
        if (!(clear > LEAST * w->separation)) continue;
        lt_multi_entry *entry = &out->items[out->count++];
        *entry = (lt_multi_entry){.a = pair->a, .kind = pair->kind, .b = pair->b, .clear = clear, .way = way};
        if (pair->kind != LT_PAIR_OBSTACLE) continue;
        entry->position = lt_step_obstacle(w->step, pair)->position;
        entry->rotation = w->step->obstacles[pair->b].rotation;
    }
    m->entries_now = 1 - m->entries_now;
    w->step->meter->ended = had_ended; /* what is not measured was not asked for */
}

/* ---- saving ---- */

size_t lt_multi_entries_size(const lt_multi_method *m) {
    return sizeof(uint32_t) + sights_of(m)->count * sizeof(lt_multi_entry);
}

uint8_t *lt_multi_entries_save(const lt_multi_method *m, uint8_t *bytes) {
    const lt_multi_entries *s = sights_of(m);
    memcpy(bytes, &s->count, sizeof s->count);
    memcpy(bytes + sizeof s->count, s->items, s->count * sizeof *s->items);
    return bytes + lt_multi_entries_size(m);
}

static bool is_sound(const lt_multi_entry *s, const lt_method_step *world) {
    bool body = s->a < world->collider_count && world->colliders[s->a].in_use;
    bool other = s->kind == LT_PAIR_OBSTACLE
                     ? s->b < world->obstacle_count && world->obstacles[s->b].in_use
                     : s->kind == LT_PAIR_BODIES && s->b > s->a && s->b < world->collider_count &&
                           world->colliders[s->b].in_use;
    return body && other && s->clear > 0 && s->clear < 1e15f && s->way >= 0 && s->way < 1e15f;
}

const uint8_t *lt_multi_entries_check(const lt_multi_method *m, const uint8_t *bytes, const uint8_t *end,
                                      const lt_method_step *world) {
    uint32_t count;
    lt_multi_entry entry, last = {0};
    if ((size_t)(end - bytes) < sizeof count) return NULL;
    memcpy(&count, bytes, sizeof count);
    bytes += sizeof count;
    if (count > m->memory.pairs.capacity || (size_t)(end - bytes) / sizeof entry < count) return NULL;
    for (uint32_t i = 0; i < count; i++, bytes += sizeof entry, last = entry) {
        memcpy(&entry, bytes, sizeof entry);
        const lt_pair pair = {.a = entry.a, .kind = (lt_pair_kind)entry.kind, .b = entry.b};
        if (!is_sound(&entry, world) || (i > 0 && !comes_before(&last, &pair))) return NULL;
    }
    return bytes;
}

void lt_multi_entries_restore(lt_multi_method *m, const uint8_t *bytes) {
    lt_multi_entries *s = sights_of(m);
    memcpy(&s->count, bytes, sizeof s->count);
    memcpy(s->items, bytes + sizeof s->count, s->count * sizeof *s->items);
}

uint64_t lt_multi_entries_hash(const lt_multi_method *m, uint64_t hash) {
    const lt_multi_entries *s = sights_of(m);
    return lt_hash_bytes(hash, s->items, s->count * sizeof *s->items);
}
