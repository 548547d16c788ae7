/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The pair table against a plain list of all pairs there could be: thousands of renewals, who is found, in which order, what stays. */

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"
#include "pair/table.h"

enum { THINGS = 12, KEYS = 3 * THINGS * THINGS, CAPACITY = 150 };

/* What a method keeps. */
typedef struct stamp {
    uint32_t id;
    float weight;
} stamp;

/* Of every pair there could be, in the order of keys. */
typedef struct oracle {
    uint64_t keys[KEYS];
    bool listed[KEYS];
    uint32_t ids[KEYS], slots[KEYS];
    uint32_t key_count, next_id;
    uint32_t begun_count;
    uint32_t told[KEYS], told_count; /* ids of those that were released */
} oracle;

static oracle o;
static lt_pair_table table;

static void note_begun(void *owner, uint32_t slot) {
    const stamp *own = lt_pair_method_of(&table, slot);
    CHECK(own->id == 0 && own->weight == 0 && table.turns[slot].age == 0);
    ((oracle *)owner)->begun_count++;
}

static void note_released(void *owner, uint32_t slot) {
    oracle *of = owner;
    of->told[of->told_count++] = ((stamp *)lt_pair_method_of(&table, slot))->id;
}

static void make_oracle(void) {
    o = (oracle){.next_id = 1};
    for (uint32_t a = 0; a < THINGS; a++) {
        o.keys[o.key_count++] = lt_pair_make_key(a, LT_PAIR_SELF, a);
        for (uint32_t b = a + 1; b < THINGS; b++)
            o.keys[o.key_count++] = lt_pair_make_key(a, LT_PAIR_BODIES, b);
        for (uint32_t b = 0; b < THINGS; b++)
            o.keys[o.key_count++] = lt_pair_make_key(a, LT_PAIR_OBSTACLE, b);
    }
    for (uint32_t i = 1; i < o.key_count; i++)
        CHECK(o.keys[i - 1] < o.keys[i]);
}

static void make_table(uint32_t capacity) {
    table = lt_pair_table_make(sizeof(stamp));
    table.begun = note_begun;
    table.released = note_released;
    table.owner = &o;
    CHECK(lt_pair_table_reserve(&table, capacity, NULL));
}

/* Gives those that have begun their ids, and looks at all of them. */
static void compare(void) {
    uint32_t place = 0;
    CHECK(lt_validate_pair_table(&table));
    for (uint32_t i = 0; i < o.key_count; i++) {
        const lt_pair pair = lt_pair_of_key(o.keys[i]);
        uint32_t slot = lt_pair_table_find(&table, &pair);
        CHECK_FATAL((slot != LT_NONE) == o.listed[i]);
        CHECK_COUNT(lt_pair_table_place(&table, &pair), o.listed[i] ? place : LT_NONE);
        if (!o.listed[i]) continue;
        CHECK(lt_pair_is_same(lt_pair_at(&table, place), &pair));
        stamp *own = lt_pair_method_at(&table, place);
        lt_turn *turn = lt_pair_turn_at(&table, place++);
        CHECK_COUNT(own->id, o.ids[i]);
        CHECK_COUNT(turn->age, o.ids[i]);
        if (o.ids[i] == 0) {
            own->id = turn->age = o.ids[i] = o.next_id++;
            o.slots[i] = slot;
        }
        CHECK_COUNT(slot, o.slots[i]);
    }
    CHECK_COUNT(table.count, place);
}

static uint32_t unlist(uint32_t i, uint32_t *gone, uint32_t count) {
    o.listed[i] = false;
    gone[count++] = o.ids[i];
    o.ids[i] = 0;
    return count;
}

/* Those that went were told, each once, in the order of keys. */
static void check_told(const uint32_t *gone, uint32_t count) {
    CHECK_COUNT(o.told_count, count);
    CHECK(memcmp(o.told, gone, count * sizeof *gone) == 0);
    o.told_count = 0;
}

static void check_begun(void) {
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < o.key_count; i++)
        fresh += o.listed[i] && o.ids[i] == 0;
    CHECK_COUNT(table.begun_count, fresh);
    CHECK_COUNT(o.begun_count, fresh);
    o.begun_count = 0;
}

/* Some come and some go; now and then all do, as far as there is room. */
static void renew_at_random(lt_random *random) {
    uint64_t keys[KEYS];
    uint32_t gone[KEYS], gone_count = 0, count = 0, churn = lt_random_below(random, 40);
    uint32_t dice = lt_random_below(random, 30);
    for (uint32_t i = 0; i < o.key_count; i++) {
        bool changes = lt_random_below(random, 100) < churn, was = o.listed[i];
        bool is = was ? !changes : changes && lt_random_below(random, 3) == 0;
        if (dice < 2) is = dice == 0;
        is = is && count < CAPACITY;
        if (was && !is) gone_count = unlist(i, gone, gone_count);
        if (is) {
            o.listed[i] = true;
            keys[count++] = o.keys[i];
        }
    }
    lt_pair_table_renew(&table, keys, count);
    check_told(gone, gone_count);
    check_begun();
}

static void forget_at_random(lt_random *random) {
    uint32_t gone[KEYS], gone_count = 0, who = lt_random_below(random, THINGS);
    bool is_obstacle = lt_random_below(random, 2) == 0;
    for (uint32_t i = 0; i < o.key_count; i++) {
        const lt_pair pair = lt_pair_of_key(o.keys[i]);
        bool goes = is_obstacle ? lt_pair_is_of_obstacle(&pair, who) : lt_pair_is_of_body(&pair, who);
        if (goes && o.listed[i]) gone_count = unlist(i, gone, gone_count);
    }
    if (is_obstacle)
        lt_pair_table_forget_obstacle(&table, who);
    else
        lt_pair_table_forget_body(&table, who);
    check_told(gone, gone_count);
}

static void it_is_as_a_plain_list(void) {
    lt_random random = lt_random_seed(1);
    uint32_t most = 0;
    make_oracle();
    make_table(CAPACITY);
    for (uint32_t round = 0; round < 4000 && !check_failures; round++) {
        if (lt_random_below(&random, 10) == 0)
            forget_at_random(&random);
        else
            renew_at_random(&random);
        compare();
        most = lt_max_u32(most, table.count);
    }
    CHECK_COUNT(most, CAPACITY);
    CHECK(o.next_id > 20000);
    lt_pair_table_free(&table, NULL);
}

/* Whatever it grows from, slots stay, with their numbers. */
static void it_grows_and_all_stay(void) {
    lt_random random = lt_random_seed(2);
    make_oracle();
    make_table(0);
    const lt_pair none = {.a = 1, .kind = LT_PAIR_BODIES, .b = 2};
    CHECK_COUNT(lt_pair_table_find(&table, &none), LT_NONE);
    for (uint32_t capacity = 1; capacity < o.key_count; capacity += 1 + capacity / 3) {
        CHECK(lt_pair_table_reserve(&table, capacity, NULL));
        for (uint32_t i = 0; i < o.key_count && table.count < capacity; i++) {
            uint64_t keys[KEYS];
            uint32_t count = 0, next = lt_random_below(&random, o.key_count);
            o.listed[next] = true;
            for (uint32_t k = 0; k < o.key_count; k++)
                if (o.listed[k]) keys[count++] = o.keys[k];
            lt_pair_table_renew(&table, keys, count);
        }
        compare();
    }
    lt_pair_table_free(&table, NULL);
}

static void memory_that_is_out_changes_nothing(void) {
    lt_random random = lt_random_seed(3);
    make_oracle();
    make_table(CAPACITY);
    renew_at_random(&random);
    compare();
    lt_pair_table_free(&table, NULL);
    int refused = 0;
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_pair_table small = lt_pair_table_make(8);
        bool first = lt_pair_table_reserve(&small, 4, &allocator);
        if (first) lt_pair_table_append(&small, &(lt_pair){.a = 3, .kind = LT_PAIR_SELF, .b = 3});
        bool second = first && lt_pair_table_reserve(&small, 400, &allocator);
        CHECK(lt_validate_pair_table(&small));
        CHECK_COUNT(small.capacity, second ? 400 : first ? 4 : 0);
        CHECK_COUNT(small.count, first);
        lt_pair_table_free(&small, &allocator);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (second) break;
        refused++;
    }
    CHECK_COUNT(refused, 12);
}

/* ---- as state ---- */

static bool exists(const void *context, const lt_pair *pair) {
    (void)context;
    bool ordered =
        pair->kind == LT_PAIR_SELF ? pair->a == pair->b : pair->kind != LT_PAIR_BODIES || pair->a < pair->b;
    return pair->a < THINGS && pair->b < THINGS && ordered;
}

static void visit_stamp(lt_stream *s, const void *context, const lt_pair *pair, lt_turn *turn, void *method) {
    stamp *own = method;
    (void)context, (void)pair;
    lt_stream_u32(s, &turn->age);
    lt_stream_u32(s, &own->id);
    lt_stream_float(s, &own->weight);
    lt_stream_expect(s, own->id == turn->age && own->weight >= 0 && own->weight < 1);
}

static const lt_pair_visitor visitor = {exists, visit_stamp, NULL};

static uint64_t hash_of(lt_pair_table *t) {
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    lt_pair_table_visit(&s, t, &visitor);
    return s.hash;
}

static size_t save(lt_pair_table *t, uint8_t *bytes, size_t capacity) {
    lt_stream measure = lt_stream_measure(), s = lt_stream_save(bytes, capacity);
    lt_pair_table_visit(&measure, t, &visitor);
    lt_pair_table_visit(&s, t, &visitor);
    CHECK(s.used <= capacity && measure.used == s.used);
    return s.used;
}

static bool passes(lt_pair_table *t, const uint8_t *bytes, size_t size) {
    lt_stream check = lt_stream_check(bytes, size, NULL);
    lt_pair_table_visit(&check, t, &visitor);
    return lt_stream_passed(&check);
}

static void fill_with_weights(lt_random *random) {
    make_oracle();
    make_table(CAPACITY);
    for (int round = 0; round < 20; round++) {
        renew_at_random(random);
        compare();
    }
    for (uint32_t place = 0; place < table.count; place++)
        ((stamp *)lt_pair_method_at(&table, place))->weight = lt_random_unit(random);
}

/* Into a table with other slots of the same pairs: numbers of slots decide nothing. */
static void what_was_saved_comes_back(void) {
    static uint8_t bytes[64 * KEYS];
    lt_random random = lt_random_seed(4);
    lt_pair_table other = lt_pair_table_make(sizeof(stamp));
    fill_with_weights(&random);
    size_t size = save(&table, bytes, sizeof bytes);
    CHECK(table.count > 10);
    CHECK(lt_pair_table_reserve(&other, CAPACITY, NULL));
    lt_pair_table_append(&other, lt_pair_at(&table, 3));
    lt_pair_table_append(&other, lt_pair_at(&table, 7));
    CHECK_FATAL(passes(&other, bytes, size));
    CHECK_COUNT(other.count, 2);
    lt_stream load = lt_stream_load(bytes, size);
    lt_pair_table_visit(&load, &other, &visitor);
    CHECK(!load.failed && load.used == size);
    CHECK(lt_validate_pair_table(&other));
    CHECK_COUNT(other.count, table.count);
    CHECK(hash_of(&other) == hash_of(&table));
    ((stamp *)lt_pair_method_at(&other, 5))->weight += 0.25f;
    CHECK(hash_of(&other) != hash_of(&table));
    lt_pair_table_free(&other, NULL);
    lt_pair_table_free(&table, NULL);
}

/* Every byte, every bit: refused, or as sound as any; never a change of the table. */
static void damaged_bytes_change_nothing(void) {
    static uint8_t bytes[64 * KEYS];
    lt_random random = lt_random_seed(5);
    fill_with_weights(&random);
    size_t size = save(&table, bytes, sizeof bytes);
    uint64_t before = hash_of(&table);
    uint32_t refused = 0;
    for (size_t cut = 0; cut < size; cut += 1 + size / 97)
        CHECK(!passes(&table, bytes, cut));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused += !passes(&table, bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    CHECK(refused > 4 * size); /* what is a weight may be any below 1 */
    size_t record = (size - sizeof(uint32_t)) / table.count;
    uint8_t *second = bytes + sizeof(uint32_t) + record;
    memcpy(second, bytes + sizeof(uint32_t), record);
    CHECK(!passes(&table, bytes, size)); /* keys rise */
    CHECK(hash_of(&table) == before && lt_validate_pair_table(&table));
    lt_pair_table_free(&table, NULL);
}

/* The validator sees what it is for. */
static void damage_is_seen(void) {
    lt_random random = lt_random_seed(6);
    fill_with_weights(&random);
    CHECK(lt_validate_pair_table(&table));
    uint32_t slot = table.order[4], bucket = 0;
    table.slots[slot].place = 5;
    CHECK(!lt_validate_pair_table(&table));
    table.slots[slot].place = 4;
    table.slots[slot].pair.b ^= 1;
    CHECK(!lt_validate_pair_table(&table));
    table.slots[slot].pair.b ^= 1;
    table.order[4] = table.order[5];
    CHECK(!lt_validate_pair_table(&table));
    table.order[4] = slot;
    while (table.buckets[bucket] != slot + 1)
        bucket++;
    table.buckets[bucket] = 0;
    CHECK(!lt_validate_pair_table(&table));
    table.buckets[bucket] = slot + 1;
    CHECK(lt_validate_pair_table(&table));
    lt_pair_table_free(&table, NULL);
}

int main(void) {
    RUN(it_is_as_a_plain_list);
    RUN(it_grows_and_all_stay);
    RUN(memory_that_is_out_changes_nothing);
    RUN(what_was_saved_comes_back);
    RUN(damaged_bytes_change_nothing);
    RUN(damage_is_seen);
    return check_finish();
}
