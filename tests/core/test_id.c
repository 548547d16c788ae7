/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ids: a removed one is never found again, and the same calls give the same ids.
 *
 * labels: wasm */

#include "check.h"
#include "core/id.h"
#include "core/random.h"
#include "failing_allocator.h"

typedef struct id {
    uint32_t index_plus_one, generation;
} id;

static id take(lt_slots *slots) {
    uint32_t index = lt_slots_take(slots);
    return (id){index + 1, lt_slots_generation(slots, index)};
}

static uint32_t find(const lt_slots *slots, id i) {
    return lt_slots_find(slots, i.index_plus_one, i.generation);
}

static void null_and_foreign_ids_are_not_found(void) {
    lt_slots slots;
    lt_slots_init(&slots, NULL);
    CHECK(lt_slots_find(&slots, 0, 0) == LT_NONE);
    CHECK(lt_slots_find(&slots, 1, 1) == LT_NONE);
    id only = take(&slots);
    CHECK_COUNT(find(&slots, only), 0);
    CHECK(lt_slots_find(&slots, 0, only.generation) == LT_NONE);
    CHECK(lt_slots_find(&slots, only.index_plus_one, 0) == LT_NONE);
    CHECK(lt_slots_find(&slots, only.index_plus_one, only.generation + 1) == LT_NONE);
    CHECK(lt_slots_find(&slots, only.index_plus_one, only.generation + 2) == LT_NONE);
    CHECK(lt_slots_find(&slots, 2, only.generation) == LT_NONE);
    CHECK(lt_slots_find(&slots, UINT32_MAX, only.generation) == LT_NONE);
    lt_slots_free(&slots);
    CHECK(find(&slots, only) == LT_NONE);
}

static void a_reused_slot_has_another_id(void) {
    lt_slots slots;
    lt_slots_init(&slots, NULL);
    id old[50];
    for (int i = 0; i < 50; i++) {
        old[i] = take(&slots);
        CHECK_COUNT(find(&slots, old[i]), 0);
        for (int k = 0; k < i; k++)
            CHECK(find(&slots, old[k]) == LT_NONE);
        lt_slots_give_back(&slots, 0);
        CHECK(find(&slots, old[i]) == LT_NONE);
        /* A free slot is nobody's, whatever generation is claimed. */
        CHECK(lt_slots_find(&slots, 1, lt_slots_generation(&slots, 0)) == LT_NONE);
    }
    CHECK_COUNT(lt_slots_count(&slots), 1);
    CHECK_COUNT(slots.used_count, 0);
    lt_slots_free(&slots);
}

static void the_last_given_back_is_the_first_taken(void) {
    lt_slots slots;
    lt_slots_init(&slots, NULL);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_COUNT(lt_slots_take(&slots), i);
    lt_slots_give_back(&slots, 1);
    lt_slots_give_back(&slots, 4);
    lt_slots_give_back(&slots, 2);
    const uint32_t expected[] = {2, 4, 1, 5};
    for (size_t i = 0; i < LT_COUNT_OF(expected); i++)
        CHECK_COUNT(lt_slots_take(&slots), expected[i]);
    lt_slots_free(&slots);
}

/* Against a plain list of what is alive; twice, for the same ids. */
static void random_calls_agree_with_a_list_and_repeat(void) {
    enum { ROUNDS = 3000, ALIVE_MAX = 100 };
    static id history[2][ROUNDS];
    for (int run = 0; run < 2; run++) {
        lt_random random = lt_random_seed(5);
        lt_slots slots;
        lt_slots_init(&slots, NULL);
        id alive[ALIVE_MAX];
        uint32_t alive_count = 0, most = 0;
        for (int round = 0; round < ROUNDS; round++) {
            bool add = alive_count == 0 || (alive_count < ALIVE_MAX && lt_random_below(&random, 2));
            uint32_t at = add ? alive_count++ : lt_random_below(&random, alive_count);
            if (add)
                alive[at] = take(&slots);
            else
                lt_slots_give_back(&slots, find(&slots, alive[at]));
            id changed = history[run][round] = alive[at];
            if (!add) alive[at] = alive[--alive_count];
            most = lt_max_u32(most, alive_count);
            CHECK_COUNT(slots.used_count, alive_count);
            CHECK_COUNT(lt_slots_count(&slots), most);
            CHECK((find(&slots, changed) != LT_NONE) == add);
            for (uint32_t i = 0; i < alive_count; i++)
                CHECK(find(&slots, alive[i]) == alive[i].index_plus_one - 1);
        }
        uint32_t used = 0;
        for (uint32_t i = 0; i < lt_slots_count(&slots) + 3; i++)
            used += lt_slots_in_use(&slots, i);
        CHECK_COUNT(used, alive_count);
        lt_slots_free(&slots);
    }
    CHECK(memcmp(history[0], history[1], sizeof history[0]) == 0);
}

static void out_of_memory_changes_nothing(void) {
    failing f = failing_after(1);
    lt_allocator allocator = failing_allocator(&f);
    lt_slots slots;
    lt_slots_init(&slots, &allocator);
    uint32_t count = 0;
    while (lt_slots_take(&slots) != LT_NONE)
        count++;
    CHECK(count > 0);
    CHECK_COUNT(slots.used_count, count);
    CHECK_COUNT(lt_slots_count(&slots), count);
    lt_slots_give_back(&slots, 0);
    CHECK_COUNT(lt_slots_take(&slots), 0);
    lt_slots_free(&slots);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
}

int main(void) {
    RUN(null_and_foreign_ids_are_not_found);
    RUN(a_reused_slot_has_another_id);
    RUN(the_last_given_back_is_the_first_taken);
    RUN(random_calls_agree_with_a_list_and_repeat);
    RUN(out_of_memory_changes_nothing);
    return check_finish();
}
