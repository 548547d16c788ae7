/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Heaps of small structs: whatever comes and goes, the top is what a look at all of them finds.
 * labels: wasm */

#include "check.h"
#include "core/heap.h"
#include "core/random.h"

typedef struct entry {
    uint32_t key;
    uint32_t id;
} entry;

static bool is_above(const entry *x, const entry *y) {
    return x->key != y->key ? x->key > y->key : x->id < y->id;
}

LT_HEAP(entries, entry, is_above)

enum { MOST = 200 };

static uint32_t fill(entry *items, uint32_t count, lt_random *random, uint32_t keys) {
    for (uint32_t i = 0; i < count; i++)
        items[i] = (entry){lt_random_below(random, keys), i};
    return count;
}

/* No item is above its parent. */
static uint32_t misplaced(const entry *items, uint32_t count) {
    uint32_t wrong = 0;
    for (uint32_t i = 1; i < count; i++)
        wrong += is_above(&items[i], &items[(i - 1) / 2]);
    return wrong;
}

static void any_array_becomes_a_heap(void) {
    lt_random random = lt_random_seed(11);
    for (uint32_t count = 0; count < MOST; count++) {
        entry items[MOST];
        fill(items, count, &random, 1 + count / 3);
        entries_make(items, count);
        CHECK_COUNT(misplaced(items, count), 0);
    }
}

static void sorting_puts_the_top_last(void) {
    lt_random random = lt_random_seed(12);
    for (uint32_t count = 0; count < MOST; count++) {
        entry items[MOST];
        bool seen[MOST] = {false};
        uint32_t wrong = 0;
        fill(items, count, &random, 1 + count / 2);
        entries_sort(items, count);
        for (uint32_t i = 0; i < count; i++) {
            wrong += seen[items[i].id] || (i > 0 && !is_above(&items[i], &items[i - 1]));
            seen[items[i].id] = true;
        }
        CHECK_COUNT(wrong, 0);
    }
}

/* Against a list without any order. */
static void what_comes_and_goes_leaves_a_heap(void) {
    lt_random random = lt_random_seed(13);
    entry heap[MOST];
    bool there[4000] = {false};
    uint32_t keys[4000], count = 0;
    for (uint32_t id = 0; id < 4000; id++) {
        keys[id] = lt_random_below(&random, 50);
        uint32_t what = count == 0 ? 0 : count == MOST ? 1 : lt_random_below(&random, 3);
        if (what == 0) {
            entries_push(heap, &count, &(entry){keys[id], id});
            there[id] = true;
        } else {
            there[heap[0].id] = false;
            if (what == 1) {
                entries_drop(heap, &count);
            } else { /* another in its place */
                heap[0] = (entry){keys[id], id};
                entries_settle(heap, 0, count);
                there[id] = true;
            }
        }
        entry best = {0, LT_NONE};
        for (uint32_t i = 0; i <= id; i++)
            if (there[i] && (best.id == LT_NONE || is_above(&(entry){keys[i], i}, &best)))
                best = (entry){keys[i], i};
        CHECK(count == 0 ? best.id == LT_NONE : heap[0].id == best.id && heap[0].key == best.key);
    }
    CHECK_COUNT(misplaced(heap, count), 0);
}

int main(void) {
    RUN(any_array_becomes_a_heap);
    RUN(sorting_puts_the_top_last);
    RUN(what_comes_and_goes_leaves_a_heap);
    return check_finish();
}
