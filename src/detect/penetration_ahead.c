/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a collision cycle probes ahead of its cursor, on many threads, and how the cursor comes by it (penetration.h says what
 * probing is).
 *
 *     rows      |  |  |  |  |  |  |  |  |  …       sixteen elements each; of EDGES and SPREAD: points
 *     chunks    |  0                    |  1 …     one task each, with memory of its own
 *     batches   |. . .. .  .. .         |. .. …    in the order of the cursor, which takes one at a time
 *
 * A chunk that is full ends early; from there to the next chunk, as everywhere else when nothing was probed, a batch is probed
 * when the cursor needs it, into the last chunk. How much is probed ahead never shows in what is merged: the cursor knows
 * where it stands in the cloud, and could drop all of this at any time. */

#include "detect/penetration.h"

/* ---- memory ---- */

bool lt_cycle_ahead_reserve(lt_cycle_ahead *ahead, uint32_t element_count, const lt_allocator *allocator) {
    uint32_t count =
        lt_min_u32(LT_CYCLE_CHUNKS_AHEAD, lt_chunk_count(element_count, LT_CYCLE_CHUNK_ELEMENTS));
    bool got = true;
    *ahead = (lt_cycle_ahead){.chunk_capacity = count, .chunk = count};
    ahead->chunks = LT_NEW(allocator, (size_t)count + 1, lt_cycle_chunk);
    ahead->rows = LT_NEW(allocator, (size_t)count * LT_CYCLE_CHUNK_ROWS, lt_cycle_row);
    for (uint32_t i = 0; ahead->chunks && i <= count; i++) {
        lt_cycle_chunk *k = &ahead->chunks[i];
        k->batches = LT_NEW(allocator, LT_CYCLE_CHUNK_BATCHES, lt_cycle_batch);
        k->hits = LT_NEW(allocator, LT_CYCLE_CHUNK_HITS, lt_cycle_hit);
        k->guesses = LT_NEW(allocator, LT_CYCLE_CHUNK_HITS, lt_cycle_guess);
        k->answers = LT_NEW(allocator, LT_CYCLE_CHUNK_ELEMENTS, lt_found);
        got = got && k->batches && k->hits && k->guesses && k->answers;
    }
    return got && ahead->chunks && ahead->rows;
}

void lt_cycle_ahead_free(lt_cycle_ahead *ahead, const lt_allocator *allocator) {
    for (uint32_t i = 0; ahead->chunks && i <= ahead->chunk_capacity; i++) {
        LT_DELETE(allocator, ahead->chunks[i].batches, LT_CYCLE_CHUNK_BATCHES, lt_cycle_batch);
        LT_DELETE(allocator, ahead->chunks[i].hits, LT_CYCLE_CHUNK_HITS, lt_cycle_hit);
        LT_DELETE(allocator, ahead->chunks[i].guesses, LT_CYCLE_CHUNK_HITS, lt_cycle_guess);
        LT_DELETE(allocator, ahead->chunks[i].answers, LT_CYCLE_CHUNK_ELEMENTS, lt_found);
    }
    LT_DELETE(allocator, ahead->chunks, (size_t)ahead->chunk_capacity + 1, lt_cycle_chunk);
    LT_DELETE(allocator, ahead->rows, (size_t)ahead->chunk_capacity * LT_CYCLE_CHUNK_ROWS, lt_cycle_row);
    *ahead = (lt_cycle_ahead){0};
}

static void empty(lt_cycle_chunk *chunk) {
    chunk->batch_count = chunk->hit_count = 0;
}

static void enter_chunk(lt_cycle_ahead *a, uint32_t chunk) {
    a->chunk = chunk;
    a->batch = a->hit = 0;
}

/* Into the last chunk, which holds nothing yet. */
static void enter_last_chunk(lt_cycle_ahead *a) {
    enter_chunk(a, a->chunk_capacity);
    empty(&a->chunks[a->chunk]);
}

void lt_cycle_ahead_forget(lt_cycle_ahead *ahead) {
    ahead->count = ahead->at = 0;
    ahead->asked = false;
    enter_last_chunk(ahead);
}

void lt_cycle_ahead_allow(lt_cycle *cycle, uint32_t grant) {
    uint32_t most = lt_min_u32(grant / LT_CYCLE_CHUNK_UNITS, cycle->ahead.chunk_capacity);
    bool worth_it = grant / LT_CYCLE_CHUNK_UNITS >= LT_CYCLE_CHUNKS_WORTH_IT && most > 1;
    cycle->ahead.most = worth_it && lt_tasks_thread_count(cycle->input.tasks) > 1 ? most : 0;
}

/* ---- rows of TETS, TRIANGLES and PIERCE ---- */

static uint32_t first_element(const lt_cycle *c, uint32_t body) {
    LT_ASSERT(body <= c->body_count);
    bool tets = c->phase == LT_CYCLE_TETS;
    if (body == c->body_count) return tets ? c->tet_count : c->triangle_count;
    return tets ? c->bodies[body].first_tet : c->bodies[body].first_triangle;
}

/* Sixteen of a body, or fewer; not marked yet. */
static lt_cycle_row row_from(const lt_cycle *c, uint32_t begin, uint32_t body) {
    LT_ASSERT(body < c->body_count);
    while (body + 1 < c->body_count && first_element(c, body + 1) <= begin)
        body++;
    uint32_t end = lt_min_u32(first_element(c, body + 1), begin + LT_CYCLE_ROW);
    return (lt_cycle_row){.body = body, .begin = begin, .end = end};
}

static bool has_room(const lt_cycle_chunk *chunk) {
    return chunk->batch_count < LT_CYCLE_CHUNK_BATCHES &&
           chunk->hit_count + LT_CYCLE_POINTS_ASKED + 7 <= LT_CYCLE_CHUNK_HITS;
}

/* False: there is no room for all of it. */
static bool probe_element(const lt_cycle *c, lt_cycle_asking asking, uint32_t place, lt_cycle_chunk *out) {
    while (asking.level < LT_CYCLE_LEVELS) {
        if (!has_room(out)) return false;
        lt_cycle_probe(c, &asking, place, out);
        if (asking.walk.row != LT_NONE) continue;
        asking.walk = (lt_cloud_walk){0, 0};
        asking.level = lt_cycle_next_level(c, asking.level + 1);
    }
    return true;
}

/* Of the batches of a row, from the last to the first. */
static void count_misses(lt_cycle_chunk *chunk, uint32_t begin) {
    uint16_t misses = 0;
    for (uint32_t i = chunk->batch_count; i-- > begin;) {
        bool hit = chunk->batches[i].hit_end > (i ? chunk->batches[i - 1].hit_end : 0);
        misses = hit ? 0 : (uint16_t)(misses + 1);
        chunk->batches[i].misses = misses;
    }
}

static void probe_rows(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_cycle *c = context;
    lt_cycle_chunk *out = &c->ahead.chunks[chunk];
    lt_cycle_nearer nearer = {{0}, {0}};
    bool room = true;
    empty(out);
    for (uint32_t i = begin; i < end; i++) {
        lt_cycle_row *row = &c->ahead.rows[i];
        uint32_t first = out->batch_count;
        row->marks = lt_cycle_mark(c, row);
        for (uint32_t marks = row->marks; room && marks; marks &= marks - 1) {
            uint32_t place = (uint32_t)__builtin_ctz(marks);
            lt_cycle_asking asking = {.body = row->body,
                                      .element = row->begin + place,
                                      .level = lt_cycle_next_level(c, 0),
                                      .nearer = &nearer};
            room = probe_element(c, asking, place, out);
        }
        count_misses(out, first);
    }
}

static void look_at_rows(lt_cycle *c) {
    lt_cycle_ahead *a = &c->ahead;
    uint32_t next = c->next, body = c->body, end = first_element(c, c->body_count);
    a->count = a->at = 0;
    for (; a->count < a->most * LT_CYCLE_CHUNK_ROWS && next < end; a->count++) {
        lt_cycle_row row = row_from(c, next, body);
        a->rows[a->count] = row;
        next = row.end;
        body = row.body;
    }
    lt_tasks_for(c->input.tasks, a->count, LT_CYCLE_CHUNK_ROWS, probe_rows, c);
}

/* ---- points of EDGES and SPREAD ---- */

static bool probe_point(lt_cycle *c, uint32_t at, lt_cycle_chunk *out) {
    LT_ASSERT(at < c->found_capacity);
    if (c->phase == LT_CYCLE_EDGES) return lt_cycle_probe_settle(c, at, out);
    lt_cycle_probe_spread(c, c->open[at], out);
    return true;
}

/* What has no room for all that belongs to it is not kept. */
static void probe_chunk_of_points(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    lt_cycle *c = context;
    lt_cycle_chunk *out = &c->ahead.chunks[chunk];
    empty(out);
    for (uint32_t i = begin; i < end; i++)
        if (!probe_point(c, c->next + i, out)) {
            out->batch_count--;
            return;
        }
}

static void look_at_points(lt_cycle *c) {
    lt_cycle_ahead *a = &c->ahead;
    uint32_t end = c->phase == LT_CYCLE_EDGES ? c->found_count : c->open_count;
    a->at = 0;
    a->count = lt_min_u32(end - c->next, a->most * LT_CYCLE_CHUNK_ELEMENTS);
    lt_tasks_for(c->input.tasks, a->count, LT_CYCLE_CHUNK_ELEMENTS, probe_chunk_of_points, c);
}

/* ---- what the cursor takes ---- */

/* Whether the next row or point was probed; then the cursor is at its chunk. */
static bool next_was_probed(lt_cycle_ahead *a, uint32_t chunk_size) {
    if (a->at == a->count) return false;
    if (a->at % chunk_size == 0) enter_chunk(a, a->at / chunk_size);
    a->at++;
    return true;
}

/* Whether the chunk has another batch; then that is the one to merge. */
static bool take_probed(lt_cycle_ahead *a) {
    if (a->batch == a->chunks[a->chunk].batch_count) return false;
    a->batch++;
    return true;
}

lt_cycle_row lt_cycle_take_row(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    lt_cycle_ahead *a = &c->ahead;
    if (a->at == a->count && a->most) look_at_rows(c);
    if (next_was_probed(a, LT_CYCLE_CHUNK_ROWS)) return a->rows[a->at - 1];
    lt_cycle_row row = row_from(c, c->next, c->body);
    row.marks = lt_cycle_mark(c, &row);
    enter_last_chunk(a);
    return row;
}

uint64_t lt_cycle_take_batch(lt_cycle *cycle, uint64_t most) {
    lt_cycle *c = cycle;
    lt_cycle_ahead *a = &c->ahead;
    if (a->asked) return 0;
    if (take_probed(a)) {
        uint64_t passed = lt_min_u64(lt_cycle_batch_now(c)->misses, most);
        a->asked = passed == 0;
        if (passed) a->batch += (uint32_t)passed - 1;
        return passed;
    }
    enter_last_chunk(a);
    uint32_t place = (uint32_t)__builtin_ctz(c->marks);
    lt_cycle_asking asking = {
        .body = c->body, .element = c->row_begin + place, .level = c->level, .walk = c->walk};
    lt_cycle_probe(c, &asking, place, &a->chunks[a->chunk]);
    a->batch = 1;
    a->asked = a->chunks[a->chunk].hit_count > 0;
    return !a->asked;
}

const lt_found *lt_cycle_take_answer(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    lt_cycle_ahead *a = &c->ahead;
    if (a->at == a->count && a->most && !c->input.live) look_at_points(c);
    if (!next_was_probed(a, LT_CYCLE_CHUNK_ELEMENTS) || !take_probed(a)) {
        enter_last_chunk(a);
        probe_point(c, c->next, &a->chunks[a->chunk]);
        a->batch = 1;
    }
    return &a->chunks[a->chunk].answers[a->batch - 1];
}
