/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One visit in five modes, of an owner with a value of every kind. */

#include "check.h"
#include "core/stream.h"

#include <math.h>

static bool floats_are_within(const float *values, size_t count, float limit) {
    bool within = true;
    for (size_t i = 0; i < count; i++)
        within &= (values[i] > -limit) & (values[i] < limit);
    return within;
}

enum { REALS = 24, ITEMS = 5 };

typedef enum mood { CALM, MERRY, MOODS } mood;

typedef struct item {
    uint8_t level;
    bool is_on; /* padding around it */
    double weight;
} item;

typedef struct owner {
    uint32_t id, age, bare;
    uint64_t steps;
    bool is_awake;
    mood mood;
    float speed, place[3];
    double time;
    item items[ITEMS];
    uint32_t item_count;
    uint32_t sum; /* derived: levels of the items */
    lt_real reals[REALS];
} owner;

static uint32_t sum_of(const owner *o) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < o->item_count; i++)
        sum += o->items[i].level;
    return sum;
}

static void visit_item(lt_stream *s, item *live) {
    item draft, *now = LT_STREAM_RECORD(s, live, &draft);
    lt_stream_bytes(s, &now->level, 1);
    lt_stream_bool(s, &now->is_on);
    lt_stream_double(s, &now->weight);
    lt_stream_expect(s, now->level <= 9 && fabs(now->weight) < 10);
}

static void visit_items(lt_stream *s, owner *live) {
    uint32_t count = live->item_count;
    lt_stream_count(s, &count, ITEMS);
    for (uint32_t i = 0; i < count && !s->failed; i++)
        visit_item(s, &live->items[i]);
    if (!lt_stream_loads(s)) return;
    live->item_count = count;
    live->sum = sum_of(live);
}

static void visit_reals(lt_stream *s, owner *live) {
    const size_t size = sizeof live->reals;
    const lt_stream_piece pieces[] = {{0, size / 3, 16}, {size / 3, size, size / 3}};
    lt_real *now = lt_stream_begin_block(s, live->reals, size);
    lt_stream_packed(s, now, pieces, LT_COUNT_OF(pieces));
    if (lt_stream_checks(s)) lt_stream_expect(s, now && lt_reals_are_within(now, REALS, 100));
    lt_stream_end_block(s);
}

static void visit(lt_stream *s, owner *live) {
    owner draft, *now = LT_STREAM_RECORD(s, live, &draft);
    lt_stream_same(s, 0x4f574e52);
    lt_stream_two_u32(s, &now->id, &now->age);
    lt_stream_u64(s, &now->steps);
    lt_stream_bool(s, &now->is_awake);
    LT_STREAM_ENUM(s, &now->mood, MOODS);
    lt_stream_float(s, &now->speed);
    lt_stream_floats(s, now->place, 3);
    lt_stream_begin_unhashed(s);
    lt_stream_u32(s, &now->bare);
    lt_stream_double(s, &now->time);
    lt_stream_end_unhashed(s);
    lt_stream_expect(s, now->id < 7 && now->time >= 0 && lt_is_finite(now->speed));
    lt_stream_expect(s, floats_are_within(now->place, 3, 1e6f));
    visit_items(s, live);
    visit_reals(s, live);
}

static owner make(uint32_t seed) {
    owner o = {.id = 3, .age = 8 + seed, .bare = 5, .steps = 1ull << 40, .is_awake = seed % 2 == 0};
    o.mood = MERRY;
    o.speed = 0.25f * (float)seed;
    o.time = 1.5;
    o.item_count = 1 + seed % ITEMS;
    for (uint32_t i = 0; i < o.item_count; i++)
        o.items[i] = (item){(uint8_t)(i + seed % 4), i % 2 == 1, 0.5 * i};
    for (uint32_t i = 0; i < REALS; i++)
        o.reals[i] = (lt_real)(i % 3) + (lt_real)seed;
    for (int k = 0; k < 3; k++)
        o.place[k] = (float)k;
    o.sum = sum_of(&o);
    return o;
}

static uint64_t hash_of(owner *o) {
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    visit(&s, o);
    return s.hash;
}

static size_t size_of(owner *o) {
    lt_stream s = lt_stream_measure();
    visit(&s, o);
    return s.used;
}

static bool is_same(const owner *a, const owner *b) {
    bool same = a->id == b->id && a->age == b->age && a->bare == b->bare && a->steps == b->steps &&
                a->is_awake == b->is_awake && a->mood == b->mood && a->speed == b->speed &&
                memcmp(a->place, b->place, sizeof a->place) == 0 && a->time == b->time &&
                a->item_count == b->item_count && a->sum == b->sum &&
                memcmp(a->reals, b->reals, sizeof a->reals) == 0;
    for (uint32_t i = 0; same && i < a->item_count; i++)
        same = a->items[i].level == b->items[i].level && a->items[i].is_on == b->items[i].is_on &&
               a->items[i].weight == b->items[i].weight;
    return same;
}

/* ---- there and back ---- */

static lt_arena drafts;

/* As a caller does it: check, then load. */
static bool restore(owner *o, const uint8_t *bytes, size_t size) {
    lt_stream s = lt_stream_check(bytes, size, &drafts);
    visit(&s, o);
    CHECK(drafts.used == 0);
    if (!lt_stream_passed(&s)) return false;
    s = lt_stream_load(bytes, size);
    visit(&s, o);
    CHECK(s.used == size && !s.failed);
    return true;
}

static uint8_t *save(owner *o, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1); /* exactly so many: the sanitizer sees one too many */
    lt_stream s = lt_stream_save(bytes, size);
    visit(&s, o);
    CHECK(s.used == size_of(o));
    return bytes;
}

static void what_was_saved_comes_back(void) {
    for (uint32_t seed = 0; seed < 12; seed++) {
        owner from = make(seed), to = make(seed + 5);
        size_t size = size_of(&from);
        uint8_t *bytes = save(&from, size);
        CHECK(hash_of(&from) != hash_of(&to));
        CHECK(restore(&to, bytes, size) && is_same(&from, &to));
        CHECK(hash_of(&from) == hash_of(&to) && size_of(&to) == size);
        free(bytes);
    }
}

static void too_little_room_is_counted(void) {
    owner o = make(3);
    size_t size = size_of(&o);
    for (size_t room = 0; room < size + 100; room++)
        free(save(&o, room));
}

/* Values in the order of the visit, each as its verb says. */
static void the_hash_is_of_the_values(void) {
    owner o = make(2);
    uint64_t hash = lt_hash_u64(LT_HASH_SEED, (uint64_t)o.id << 32 | o.age);
    hash = lt_hash_u64(lt_hash_u64(lt_hash_u64(hash, o.steps), o.is_awake), (uint64_t)o.mood);
    hash = lt_hash_bytes(lt_hash_bytes(hash, &o.speed, 4), o.place, 12);
    for (uint32_t i = 0; i < o.item_count; i++) {
        hash = lt_hash_u64(lt_hash_bytes(hash, &o.items[i].level, 1), o.items[i].is_on);
        hash = lt_hash_bytes(hash, &o.items[i].weight, 8);
    }
    CHECK(hash_of(&o) == lt_hash_bytes(hash, o.reals, sizeof o.reals));
    o.bare++, o.time++;
    CHECK(hash_of(&o) == lt_hash_bytes(hash, o.reals, sizeof o.reals));
}

/* ---- damage ---- */

static bool is_sound(const owner *o) {
    bool sound = o->id < 7 && o->time >= 0 && lt_is_finite(o->speed) && (unsigned)o->mood < MOODS &&
                 o->item_count <= ITEMS && o->sum == sum_of(o) && lt_reals_are_within(o->reals, REALS, 100);
    for (uint32_t i = 0; sound && i < o->item_count; i++)
        sound = o->items[i].level <= 9 && fabs(o->items[i].weight) < 10;
    return sound && floats_are_within(o->place, 3, 1e6f);
}

static bool try(const uint8_t *bytes, size_t size) {
    owner before = make(1), after = before;
    bool taken = restore(&after, bytes, size);
    CHECK(taken ? is_sound(&after) : is_same(&before, &after));
    return taken;
}

static void damaged_bytes_change_nothing(void) {
    owner o = make(7);
    size_t size = size_of(&o);
    uint8_t *bytes = save(&o, size);
    uint32_t taken = 0;
    for (size_t at = 0; at < size; at++) {
        uint8_t original = bytes[at];
        for (int value = 0; value < 256; value++) {
            bytes[at] = (uint8_t)value;
            if (value != original) taken += try(bytes, size);
        }
        bytes[at] = original;
    }
    printf("%zu bytes: %u of %zu damaged ones are sound, too\n", size, taken, 255 * size);
    CHECK(taken > 0 && taken < 255 * size);
    free(bytes);
}

/* Of one byte all values but two are refused, of one word all that name no mood. */
static void flags_and_names_are_judged(void) {
    for (uint32_t value = 0; value < 256; value++) {
        const uint8_t byte = (uint8_t)value;
        bool flag;
        mood now = MERRY;
        lt_stream s = lt_stream_check(&byte, 1, NULL);
        lt_stream_bool(&s, &flag);
        CHECK(lt_stream_passed(&s) == (value <= 1) && flag == (value == 1));
        s = lt_stream_check(&value, sizeof value, NULL);
        LT_STREAM_ENUM(&s, &now, MOODS);
        CHECK(lt_stream_passed(&s) == (value < MOODS) && now == (value < MOODS ? (mood)value : CALM));
    }
}

static void bytes_that_are_missing_or_too_many_are_refused(void) {
    owner o = make(7);
    size_t size = size_of(&o);
    uint8_t *whole = save(&o, size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *bytes = malloc(cut ? cut : 1);
        memcpy(bytes, whole, cut);
        CHECK(!try(bytes, cut));
        free(bytes);
    }
    uint8_t *longer = calloc(size + 1, 1);
    memcpy(longer, whole, size);
    CHECK(try(longer, size) && !try(longer, size + 1));
    free(longer);
    free(whole);
}

static void too_little_scratch_refuses(void) {
    owner o = make(7);
    size_t size = size_of(&o);
    uint8_t *bytes = save(&o, size);
    lt_arena roomy = drafts, none = {0};
    drafts = none;
    CHECK(!try(bytes, size));
    drafts = roomy;
    CHECK(try(bytes, size));
    free(bytes);
}

int main(void) {
    CHECK(lt_arena_reserve(&drafts, NULL, 4096));
    RUN(what_was_saved_comes_back);
    RUN(too_little_room_is_counted);
    RUN(the_hash_is_of_the_values);
    RUN(damaged_bytes_change_nothing);
    RUN(flags_and_names_are_judged);
    RUN(bytes_that_are_missing_or_too_many_are_refused);
    RUN(too_little_scratch_refuses);
    lt_arena_free(&drafts);
    return check_finish();
}
