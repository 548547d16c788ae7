/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The memory of contacts: what is kept, what is forgotten, what is remembered, and what gives way when it is full. */

#include "check.h"

#include "core/random.h"
#include "respond/respond.h"

enum { BODIES = 4, POINTS = 10, MOST = 256 };

static lt_skin skin = {.point_count = POINTS};
static lt_collider colliders[BODIES];
static lt_pair pair_items[MOST];
static lt_contact_record list_items[MOST], harvest_items[MOST], fresh_items[MOST];
static lt_contact_key keys[MOST], spare_keys[MOST];
static const lt_contact_scratch scratch = {fresh_items, keys, spare_keys};

typedef struct memory {
    lt_pair_table *pairs;
    lt_tested tested[MOST];
    lt_contact_list list;
    lt_contact_harvest harvest;
} memory;

/* Pairs (0,1) (0,2) (0,3) (1,2) … and an obstacle for each body; nothing tested yet. */
static memory make_memory(void) {
    static lt_pair_table pairs; /* freed when the next one is made, and at the end */
    memory m = {.pairs = &pairs,
                .list = {.records = list_items, .capacity = MOST},
                .harvest = {harvest_items, 0, MOST, 0}};
    lt_pair_table_free(&pairs, NULL);
    pairs = lt_pair_table_make(0);
    CHECK(lt_pair_table_reserve(&pairs, MOST, NULL));
    for (uint32_t a = 0; a < BODIES; a++) {
        colliders[a] = (lt_collider){.in_use = true, .skin = &skin};
        for (uint32_t b = a + 1; b < BODIES; b++)
            pair_items[pairs.count] = (lt_pair){.a = a, .kind = LT_PAIR_BODIES, .b = b},
            lt_pair_table_append(&pairs, &pair_items[pairs.count]);
        pair_items[pairs.count] = (lt_pair){.a = a, .kind = LT_PAIR_OBSTACLE, .b = 3};
        lt_pair_table_append(&pairs, &pair_items[pairs.count]);
    }
    return m;
}

static lt_touch touch_of(float depth) {
    return (lt_touch){.body = 1, .point = 2, .other = {.tet = 3}, .depth = depth};
}

static uint32_t update(memory *m) {
    uint32_t dropped =
        lt_contacts_update(&m->list, &m->harvest, m->pairs, m->tested, colliders, UINT32_MAX, &scratch);
    m->harvest.count = m->harvest.dropped = 0;
    CHECK(lt_validate_contact_ranges(&m->list, m->pairs));
    return dropped;
}

static void find(memory *m, uint32_t pair, uint32_t feature, float depth) {
    lt_touch touch = touch_of(depth);
    lt_harvest_add(&m->harvest, &pair_items[pair], feature, &touch);
}

static lt_contact_record *record_of(memory *m, uint32_t pair, uint32_t feature) {
    for (uint32_t i = 0; i < m->list.count; i++) {
        lt_contact_record *r = &m->list.records[i];
        const lt_pair *p = &pair_items[pair];
        if (r->a == p->a && r->kind == p->kind && r->b == p->b && r->feature == feature) return r;
    }
    return NULL;
}

static void a_contact_is_new_once(void) {
    memory m = make_memory();
    find(&m, 1, 4, 0.5f);
    CHECK_COUNT(update(&m), 0);
    lt_contact_record *r = record_of(&m, 1, 4);
    CHECK_FATAL(m.list.count == 1 && r);
    CHECK(r->is_new && r->age == 0 && r->credit == 0 && r->touch.other.tet == 3);
    r->stick = (lt_vec3){1, 2, 3};
    r->credit = 0.25f;
    find(&m, 1, 4, 0.75f);
    update(&m);
    r = record_of(&m, 1, 4);
    CHECK_FATAL(m.list.count == 1 && r);
    CHECK(!r->is_new && r->age == 0 && r->credit == 0.25f && r->stick.y == 2);
    CHECK_NEAR(r->touch.depth, 0.75, 0);
}

/* Not tested again: it lives on, older, with all its memory; and what was new is new no longer. */
static void untested_contacts_are_kept(void) {
    memory m = make_memory();
    find(&m, 1, 4, 0.5f);
    update(&m);
    record_of(&m, 1, 4)->credit = 0.125f;
    for (uint32_t age = 1; age < 4; age++) {
        update(&m);
        lt_contact_record *r = record_of(&m, 1, 4);
        CHECK_FATAL(r != NULL);
        CHECK_COUNT(r->age, age);
        CHECK(r->credit == 0.125f && !r->is_new);
        CHECK_NEAR(r->touch.depth, 0.5, 0);
    }
    find(&m, 1, 4, 0.5f);
    update(&m);
    CHECK_COUNT(record_of(&m, 1, 4)->age, 0);
}

static void tested_and_not_found_is_gone(void) {
    memory m = make_memory();
    find(&m, 1, 4, 0.5f);
    find(&m, 2, 4, 0.5f);
    update(&m);
    m.tested[1] = (lt_tested){.begin = 4, .count = 1};
    update(&m);
    CHECK(m.list.count == 1 && !record_of(&m, 1, 4) && record_of(&m, 2, 4));
    const uint64_t left[] = {lt_pair_key(&pair_items[0]), lt_pair_key(&pair_items[1])};
    lt_pair_table_renew(m.pairs, left, 2); /* the boxes of pair 2 no longer overlap */
    update(&m);
    CHECK_COUNT(m.list.count, 0);
}

/* Its places have slipped by each other: it goes although nobody looked, unless it is found anew. */
static void what_ended_is_gone(void) {
    memory m = make_memory();
    find(&m, 1, 4, 0.5f);
    find(&m, 2, 4, 0.5f);
    find(&m, 2, 5, 0.5f);
    update(&m);
    record_of(&m, 1, 4)->ended = record_of(&m, 2, 4)->ended = true;
    find(&m, 2, 4, 0.25f);
    update(&m);
    CHECK(m.list.count == 2 && !record_of(&m, 1, 4) && record_of(&m, 2, 5));
    CHECK(!record_of(&m, 2, 4)->ended);
}

static void sleeping_contacts_stay_as_they_are(void) {
    memory m = make_memory();
    colliders[0].asleep = colliders[1].asleep = true;
    find(&m, 0, 4, 0.5f); /* bodies 0 and 1 */
    find(&m, 1, 4, 0.5f); /* bodies 0 and 2: one is awake */
    find(&m, 3, 4, 0.5f); /* body 0 and an obstacle */
    update(&m);
    lt_contact_record before = *record_of(&m, 0, 4);
    before.is_new = false;
    lt_pair_table_clear(m.pairs); /* sleepers have no pairs */
    update(&m);
    CHECK_COUNT(m.list.count, 2);
    lt_contact_record *r = record_of(&m, 0, 4);
    CHECK_FATAL(r && record_of(&m, 3, 4));
    CHECK(r->age == 0 && r->credit == before.credit && r->touch.depth == before.touch.depth);
    CHECK(!record_of(&m, 1, 4));
}

/* Which features of a pair were tested: a cyclic range, of any begin and length. */
static void cyclic_ranges_are_understood(void) {
    for (uint32_t pair = 0; pair < 4; pair += 3) { /* bodies: 20 features; an obstacle: 10 */
        memory m = make_memory();
        uint32_t total = lt_pair_point_count(&pair_items[pair], colliders);
        CHECK_COUNT(total, pair == 0 ? 20 : 10);
        for (uint32_t begin = 0; begin < total; begin++)
            for (uint32_t count = 0; count <= total; count++) {
                m.list.count = 0;
                lt_contacts_range(&m.list, m.pairs);
                m.tested[pair] = (lt_tested){.count = 0};
                for (uint32_t i = 0; i < total; i++)
                    find(&m, pair, i, 1);
                update(&m);
                m.tested[pair] = (lt_tested){.begin = begin, .count = count};
                update(&m);
                CHECK_COUNT(m.list.count, total - count);
                bool right = true;
                for (uint32_t i = 0; i < count; i++)
                    right = right && !record_of(&m, pair, (begin + i) % total);
                CHECK(right);
            }
    }
}

/* A long random life beside a table that knows for each key whether it should be there, and how old. */
static void a_random_life_is_that_of_a_table(void) {
    enum { PAIRS = BODIES * (BODIES - 1) / 2 + BODIES, FEATURES = 2 * POINTS };
    static int age[PAIRS][FEATURES]; /* -1: absent */
    lt_random random = lt_random_seed(1);
    memory m = make_memory();
    CHECK_COUNT(m.pairs->count, PAIRS);
    memset(age, -1, sizeof age);
    for (int step = 0; step < 200; step++) {
        uint32_t expected = 0;
        for (uint32_t p = 0; p < PAIRS; p++) {
            uint32_t total = lt_pair_point_count(&pair_items[p], colliders);
            m.tested[p] = (lt_tested){.begin = lt_random_below(&random, total),
                                      .count = lt_random_below(&random, total + 1)};
            for (uint32_t i = 0; i < total; i++) {
                uint32_t f = (m.tested[p].begin + i) % total;
                bool tested = i < m.tested[p].count, touches = lt_random_below(&random, 3) == 0;
                if (tested && touches) find(&m, p, f, 1);
                age[p][f] = tested ? (touches ? 0 : -1) : age[p][f] < 0 ? -1 : age[p][f] + 1;
                expected += age[p][f] >= 0;
            }
        }
        CHECK_COUNT(update(&m), 0);
        CHECK_COUNT(m.list.count, expected);
        bool right = true;
        for (uint32_t i = 0; i + 1 < m.list.count; i++)
            right = right && lt_contact_compare(&list_items[i], &list_items[i + 1]) < 0;
        for (uint32_t p = 0; p < PAIRS; p++)
            for (uint32_t f = 0; f < FEATURES; f++) {
                lt_contact_record *r = record_of(&m, p, f);
                right = right && (r ? (int)r->age : -1) == age[p][f];
            }
        CHECK(right);
    }
}

/* ---- too many ---- */

static int deepest_first(const void *x, const void *y) {
    float a = *(const float *)x, b = *(const float *)y;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* Contacts with obstacles stay before all others. */
static const float FIRST = 1000;

static void a_full_harvest_keeps_the_deepest(void) {
    lt_random random = lt_random_seed(2);
    for (uint32_t capacity = 0; capacity < 40; capacity += 3)
        for (uint32_t count = 0; count < 80; count += 9) {
            memory m = make_memory();
            float depths[80];
            m.harvest.capacity = capacity;
            for (uint32_t i = 0; i < count; i++) {
                depths[i] = (float)lt_random_below(&random, 50); /* with ties */
                find(&m, i / 20, i % 20, depths[i]);
                if (pair_items[i / 20].kind == LT_PAIR_OBSTACLE) depths[i] += FIRST;
            }
            uint32_t kept = lt_min_u32(count, capacity);
            CHECK_COUNT(m.harvest.count, kept);
            CHECK_COUNT(m.harvest.dropped, count - kept);
            float found[80];
            for (uint32_t i = 0; i < kept; i++)
                found[i] = m.harvest.records[i].touch.depth +
                           (m.harvest.records[i].kind == LT_PAIR_OBSTACLE ? FIRST : 0);
            qsort(depths, count, sizeof *depths, deepest_first);
            qsort(found, kept, sizeof *found, deepest_first);
            CHECK(kept == 0 || memcmp(found, depths, kept * sizeof *found) == 0);
        }
}

/* Held and found contacts share the room: the deepest of both stay, whatever their keys. */
static void a_full_list_keeps_the_deepest(void) {
    lt_random random = lt_random_seed(3);
    for (int round = 0; round < 100; round++) {
        memory m = make_memory();
        m.list.capacity = m.harvest.capacity = 20;
        float depths[40];
        uint32_t count = 0, again = lt_random_below(&random, 10);
        for (uint32_t i = 0; i < 20; i++) {
            depths[count] = (float)lt_random_below(&random, 1000);
            find(&m, round % 2 ? 0 : 1, i, depths[count++]);
        }
        CHECK_COUNT(update(&m), 0);
        for (uint32_t i = 0; i < 20; i++)
            list_items[i].depth = list_items[i].touch.depth; /* a step later nothing has moved */
        for (uint32_t i = 0; i < 20; i++) {                  /* `again` of them are old ones */
            float depth = (float)lt_random_below(&random, 1000);
            if (i < again)
                depths[i] = depth;
            else
                depths[count++] = depth;
            find(&m, (round % 2) ^ (i < again), i, depth);
        }
        for (uint32_t i = 0; i < again; i++)
            record_of(&m, round % 2 ? 0 : 1, i)->credit = 7;
        CHECK_COUNT(update(&m), count - 20);
        CHECK_COUNT(m.list.count, 20);
        qsort(depths, count, sizeof *depths, deepest_first);
        double sum = 0, expected = 0;
        for (uint32_t i = 0; i < 20; i++) {
            sum += (double)list_items[i].touch.depth;
            expected += (double)depths[i];
            if (i) CHECK(lt_contact_compare(&list_items[i - 1], &list_items[i]) < 0);
        }
        CHECK_NEAR(sum, expected, 0);
        for (uint32_t i = 0; i < again; i++) {
            lt_contact_record *r = record_of(&m, round % 2 ? 0 : 1, i);
            if (r) CHECK(r->credit == 7 && !r->is_new);
        }
    }
}

/* However deep the others of a pair are, the deepest of every pair come first; among these, those with obstacles. */
static void every_pair_keeps_its_deepest(void) {
    for (uint32_t limit = 0; limit <= 12; limit++) {
        memory m = make_memory();
        for (uint32_t pair = 0; pair < 4; pair++) /* the fourth is with an obstacle */
            for (uint32_t i = 0; i < 3; i++)
                find(&m, pair, i, (float)(100 - 10 * pair + i));
        uint32_t dropped =
            lt_contacts_update(&m.list, &m.harvest, m.pairs, m.tested, colliders, limit, &scratch);
        CHECK_COUNT(dropped, 12 - limit);
        CHECK_COUNT(m.list.count, limit);
        static const uint32_t order[4] = {3, 0, 1, 2};
        for (uint32_t rank = 0; rank < 4; rank++)
            CHECK((record_of(&m, order[rank], 2) != NULL) == (rank < limit));
        for (uint32_t i = 0; i < 2; i++) /* then the others with obstacles */
            CHECK((record_of(&m, 3, 1 - i) != NULL) == (4 + i < limit));
    }
}

/* Whatever a method emits, a contact is in the list once: the first that was emitted. */
static void what_is_emitted_twice_counts_once(void) {
    memory m = make_memory();
    find(&m, 2, 7, 0.25f);
    find(&m, 1, 4, 0.5f);
    find(&m, 1, 4, 0.75f);
    find(&m, 1, 5, 1);
    CHECK_COUNT(update(&m), 0);
    CHECK_COUNT(m.list.count, 3);
    CHECK(record_of(&m, 1, 4) && record_of(&m, 1, 4)->touch.depth == 0.5f);
    CHECK(record_of(&m, 1, 5) && record_of(&m, 2, 7));
}

static void no_room_at_all(void) {
    memory m = make_memory();
    m.list.capacity = m.harvest.capacity = 0;
    find(&m, 0, 0, 1);
    CHECK_COUNT(m.harvest.dropped, 1);
    CHECK_COUNT(update(&m), 0);
    CHECK_COUNT(m.list.count, 0);
}

int main(void) {
    RUN(a_contact_is_new_once);
    RUN(untested_contacts_are_kept);
    RUN(tested_and_not_found_is_gone);
    RUN(what_ended_is_gone);
    RUN(sleeping_contacts_stay_as_they_are);
    RUN(cyclic_ranges_are_understood);
    RUN(a_random_life_is_that_of_a_table);
    RUN(a_full_harvest_keeps_the_deepest);
    RUN(a_full_list_keeps_the_deepest);
    RUN(every_pair_keeps_its_deepest);
    RUN(what_is_emitted_twice_counts_once);
    RUN(no_room_at_all);
    return check_finish();
}
