/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "pair/table.h"

/* ---- life ---- */

lt_pair_table lt_pair_table_make(size_t method_size) {
    LT_ASSERT(method_size <= LT_PAIR_METHOD_BYTES);
    return (lt_pair_table){.method_size = (uint32_t)lt_align_up(method_size, 8)};
}

void lt_pair_table_free(lt_pair_table *table, const lt_allocator *allocator) {
    size_t capacity = table->capacity;
    LT_DELETE(allocator, table->slots, capacity, lt_pair_slot);
    LT_DELETE(allocator, table->turns, capacity, lt_turn);
    LT_DELETE(allocator, table->method, capacity * table->method_size, uint8_t);
    LT_DELETE(allocator, table->order, capacity, uint32_t);
    LT_DELETE(allocator, table->spare, capacity, uint32_t);
    LT_DELETE(allocator, table->buckets, table->bucket_count, uint32_t);
    *table = (lt_pair_table){0};
}

/* ---- buckets ---- */

static uint32_t home_of(const lt_pair_table *t, uint64_t key) {
    return (uint32_t)lt_hash_u64(LT_HASH_SEED, key) & (t->bucket_count - 1);
}

/* The bucket that has the key, or the empty one in which it would be. */
static uint32_t bucket_of(const lt_pair_table *t, uint64_t key) {
    uint32_t at = home_of(t, key), probes = 0;
    while (t->buckets[at] && lt_pair_key(&t->slots[t->buckets[at] - 1].pair) != key) {
        at = (at + 1) & (t->bucket_count - 1);
        LT_ASSERT(++probes < t->bucket_count);
    }
    (void)probes;
    return at;
}

static void put_in_bucket(lt_pair_table *t, uint32_t slot) {
    uint32_t at = bucket_of(t, lt_pair_key(&t->slots[slot].pair));
    LT_ASSERT(t->buckets[at] == 0);
    t->buckets[at] = slot + 1;
}

/* An entry behind the gap moves up into it unless its home lies between them: then whoever looks for it begins behind the gap. */
static void take_from_bucket(lt_pair_table *t, uint32_t slot) {
    const uint32_t mask = t->bucket_count - 1;
    uint32_t gap = bucket_of(t, lt_pair_key(&t->slots[slot].pair));
    LT_ASSERT(t->buckets[gap] == slot + 1);
    t->buckets[gap] = 0;
    for (uint32_t at = (gap + 1) & mask; t->buckets[at]; at = (at + 1) & mask) {
        uint32_t home = home_of(t, lt_pair_key(&t->slots[t->buckets[at] - 1].pair));
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        t->buckets[gap] = t->buckets[at];
        t->buckets[at] = 0;
        gap = at;
    }
}

uint32_t lt_pair_table_find(const lt_pair_table *table, const lt_pair *pair) {
    if (table->count == 0) return LT_NONE;
    uint32_t found = table->buckets[bucket_of(table, lt_pair_key(pair))];
    return found ? found - 1 : LT_NONE;
}

uint32_t lt_pair_table_place(const lt_pair_table *table, const lt_pair *pair) {
    uint32_t slot = lt_pair_table_find(table, pair);
    return slot == LT_NONE ? LT_NONE : table->slots[slot].place;
}

/* ---- room ---- */

static uint32_t bucket_count_for(uint32_t capacity) {
    uint32_t count = 2;
    while (count < 2 * (uint64_t)capacity)
        count *= 2;
    return count;
}

static bool allocate(lt_pair_table *out, const lt_pair_table *from, uint32_t capacity,
                     const lt_allocator *allocator) {
    *out = *from;
    out->capacity = capacity;
    out->bucket_count = bucket_count_for(capacity);
    out->slots = LT_NEW(allocator, capacity, lt_pair_slot);
    out->turns = LT_NEW(allocator, capacity, lt_turn);
    out->method = from->method_size ? LT_NEW(allocator, capacity * (size_t)from->method_size, uint8_t) : NULL;
    out->order = LT_NEW(allocator, capacity, uint32_t);
    out->spare = LT_NEW(allocator, capacity, uint32_t);
    out->buckets = LT_NEW(allocator, out->bucket_count, uint32_t);
    return out->slots && out->turns && (out->method || from->method_size == 0) && out->order && out->spare &&
           out->buckets;
}

/* Slots keep their numbers; new ones are free. */
static void move_slots(lt_pair_table *to, const lt_pair_table *from) {
    if (from->capacity) {
        memcpy(to->slots, from->slots, from->capacity * sizeof *to->slots);
        memcpy(to->turns, from->turns, from->capacity * sizeof *to->turns);
        memcpy(to->order, from->order, from->capacity * sizeof *to->order);
    }
    if (from->capacity && from->method_size)
        memcpy(to->method, from->method, from->capacity * (size_t)from->method_size);
    for (uint32_t slot = from->capacity; slot < to->capacity; slot++) {
        to->slots[slot].place = LT_NONE;
        to->order[slot] = slot;
    }
    for (uint32_t place = 0; place < to->count; place++)
        put_in_bucket(to, to->order[place]);
}

bool lt_pair_table_reserve(lt_pair_table *table, uint32_t capacity, const lt_allocator *allocator) {
    LT_ASSERT(capacity <= UINT32_MAX / 4);
    if (capacity <= table->capacity) return true;
    lt_pair_table grown;
    if (!allocate(&grown, table, capacity, allocator)) {
        lt_pair_table_free(&grown, allocator);
        return false;
    }
    move_slots(&grown, table);
    lt_pair_table_free(table, allocator);
    *table = grown;
    return true;
}

/* ---- coming and going ---- */

static void begin_slot(lt_pair_table *t, uint32_t slot, const lt_pair *pair) {
    LT_ASSERT(t->slots[slot].place == LT_NONE);
    t->slots[slot] = (lt_pair_slot){.pair = *pair};
    t->turns[slot] = (lt_turn){0};
    if (t->method_size) memset(lt_pair_method_of(t, slot), 0, t->method_size);
    put_in_bucket(t, slot);
    if (t->begun) t->begun(t->owner, slot);
}

static void release_slot(lt_pair_table *t, uint32_t slot) {
    LT_ASSERT(t->slots[slot].place != LT_NONE);
    if (t->released) t->released(t->owner, slot);
    take_from_bucket(t, slot);
    t->slots[slot].place = LT_NONE;
}

uint32_t lt_pair_table_append(lt_pair_table *table, const lt_pair *pair) {
    LT_ASSERT(table->count < table->capacity);
    LT_ASSERT(table->count == 0 || lt_pair_key(lt_pair_at(table, table->count - 1)) < lt_pair_key(pair));
    uint32_t slot = table->order[table->count];
    begin_slot(table, slot, pair);
    table->slots[slot].place = table->count++;
    return slot;
}

static uint32_t count_unchanged(const lt_pair_table *t, const uint64_t *keys, uint32_t count) {
    uint32_t same = 0, most = lt_min_u32(t->count, count);
    while (same < most && lt_pair_key(lt_pair_at(t, same)) == keys[same])
        same++;
    return same;
}

/* Slots of [begin, count) in the next order, LT_NONE of those that are to come; releases the others, which gather at the
 * front of what is free. Returns how many stay. */
static uint32_t keep_slots(lt_pair_table *t, const uint64_t *keys, uint32_t begin, uint32_t count) {
    uint32_t old = begin, released = begin, kept = begin;
    for (uint32_t place = begin; place < count; place++) {
        uint64_t old_key = 0;
        LT_ASSERT(place == 0 || keys[place - 1] < keys[place]);
        for (; old < t->count; old++) {
            old_key = lt_pair_key(lt_pair_at(t, old));
            if (old_key >= keys[place]) break;
            release_slot(t, t->order[old]);
            t->order[released++] = t->order[old];
        }
        bool stays = old < t->count && old_key == keys[place];
        t->spare[place] = stays ? t->order[old++] : LT_NONE;
        kept += stays;
    }
    for (; old < t->count; old++) {
        release_slot(t, t->order[old]);
        t->order[released++] = t->order[old];
    }
    LT_ASSERT(released - begin == t->count - kept);
    /* Free slots that were there before lie behind the old order: the released ones join them from below. */
    memmove(t->order + kept, t->order + begin, (released - begin) * sizeof *t->order);
    return kept;
}

void lt_pair_table_renew(lt_pair_table *table, const uint64_t *keys, uint32_t count) {
    lt_pair_table *t = table;
    LT_ASSERT(count <= t->capacity);
    uint32_t same = count_unchanged(t, keys, count);
    t->begun_count = 0;
    if (same == count && same == t->count) return;
    uint32_t next_free = keep_slots(t, keys, same, count);
    t->begun_count = count - next_free;
    for (uint32_t place = same; place < count; place++) {
        if (t->spare[place] == LT_NONE) {
            const lt_pair pair = lt_pair_of_key(keys[place]);
            t->spare[place] = t->order[next_free++];
            begin_slot(t, t->spare[place], &pair);
        }
        t->slots[t->spare[place]].place = place;
    }
    LT_ASSERT(next_free == count);
    if (count > same) memcpy(t->order + same, t->spare + same, (count - same) * sizeof *t->order);
    t->count = count;
}

/* Releases those that `is_gone` says of `who`. */
static void forget(lt_pair_table *t, bool (*is_gone)(const lt_pair *pair, uint32_t who), uint32_t who) {
    uint32_t kept = 0, gone = 0;
    for (uint32_t place = 0; place < t->count; place++) {
        uint32_t slot = t->order[place];
        if (is_gone(&t->slots[slot].pair, who)) {
            release_slot(t, slot);
            t->spare[gone++] = slot;
        } else {
            t->slots[slot].place = kept;
            t->order[kept++] = slot;
        }
    }
    if (gone) memcpy(t->order + kept, t->spare, gone * sizeof *t->order);
    t->count = kept;
}

void lt_pair_table_forget_body(lt_pair_table *table, uint32_t body) {
    forget(table, lt_pair_is_of_body, body);
}

void lt_pair_table_forget_obstacle(lt_pair_table *table, uint32_t obstacle) {
    forget(table, lt_pair_is_of_obstacle, obstacle);
}

void lt_pair_table_clear(lt_pair_table *table) {
    for (uint32_t place = 0; place < table->count; place++)
        release_slot(table, table->order[place]);
    table->count = 0;
}

/* ---- as state ---- */

/* The kind is not hashed: what is visited next may mix it with the first of its numbers. */
static void visit_key(lt_stream *s, const lt_pair_visitor *visitor, lt_pair *pair, uint64_t *last) {
    uint64_t key = lt_pair_key(pair);
    lt_stream_mix(s, (uint64_t)pair->a << 32 | pair->b);
    lt_stream_raw(s, &key, sizeof key);
    if (!lt_stream_reads(s) || s->failed) return;
    *pair = lt_pair_of_key(key);
    bool fits =
        !lt_stream_checks(s) || (pair->kind < LT_PAIR_KIND_COUNT && visitor->exists(visitor->context, pair));
    lt_stream_expect(s, fits && (*last == UINT64_MAX || *last < key));
    *last = key;
}

void lt_pair_table_visit(lt_stream *stream, lt_pair_table *table, const lt_pair_visitor *visitor) {
    uint64_t method_draft[LT_PAIR_METHOD_BYTES / 8], last = UINT64_MAX;
    uint32_t count = table->count;
    lt_stream_count(stream, &count, table->capacity);
    if (lt_stream_loads(stream)) lt_pair_table_clear(table);
    for (uint32_t place = 0; place < count && !stream->failed; place++) {
        lt_pair pair = lt_stream_reads(stream) ? (lt_pair){0} : *lt_pair_at(table, place);
        lt_turn turn_draft = {0};
        visit_key(stream, visitor, &pair, &last);
        if (stream->failed) return;
        if (lt_stream_checks(stream)) {
            memset(method_draft, 0, sizeof method_draft);
            visitor->visit(stream, visitor->context, &pair, &turn_draft,
                           table->method_size ? method_draft : NULL);
            continue;
        }
        uint32_t slot = lt_stream_loads(stream) ? lt_pair_table_append(table, &pair) : table->order[place];
        visitor->visit(stream, visitor->context, &pair, &table->turns[slot],
                       table->method_size ? lt_pair_method_of(table, slot) : NULL);
    }
}

bool lt_validate_pair_table(const lt_pair_table *table) {
    uint32_t filled = 0, listed = 0;
    if (table->count > table->capacity) return false;
    for (uint32_t i = 0; i < table->bucket_count; i++)
        filled += table->buckets[i] != 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        uint32_t slot = table->order[i];
        if (slot >= table->capacity) return false;
        if (table->slots[slot].place != (i < table->count ? i : LT_NONE)) return false;
        if (i >= table->count) continue;
        if (i > 0 && lt_pair_key(lt_pair_at(table, i - 1)) >= lt_pair_key(lt_pair_at(table, i))) return false;
        listed += lt_pair_table_find(table, lt_pair_at(table, i)) == slot;
    }
    return filled == table->count && listed == table->count;
}
