/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/memory.h"
#include "failing_allocator.h"

static void overflow_is_refused(void) {
    CHECK(lt_allocate(NULL, SIZE_MAX / 2, 8) == NULL);
    CHECK(lt_allocate(NULL, SIZE_MAX, 1) == NULL);
}

static void array_grows_and_keeps_its_items(void) {
    lt_array array = LT_ARRAY_OF(NULL, uint32_t);
    for (uint32_t i = 0; i < 1000; i++)
        CHECK(lt_array_push(&array, &i));
    CHECK_COUNT(array.count, 1000);
    const uint32_t *items = array.items;
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_COUNT(items[i], i);
    size_t count;
    uint32_t *taken = lt_array_take(&array, &count);
    CHECK_COUNT(count, 1000);
    CHECK_COUNT(taken[999], 999);
    LT_DELETE(NULL, taken, count, uint32_t);
    CHECK(array.items == NULL);
}

static void empty_array_can_be_taken(void) {
    lt_array array = LT_ARRAY_OF(NULL, uint32_t);
    size_t count = 7;
    void *taken = lt_array_take(&array, &count);
    CHECK(taken != NULL);
    CHECK_COUNT(count, 0);
    lt_release(NULL, taken, count, sizeof(uint32_t));
}

/* Old items stay, the rest is zero; and where memory is out the old block is as good as before. */
static void enlarged_blocks_keep_what_they_had(void) {
    failing f = failing_after(2);
    lt_allocator allocator = failing_allocator(&f);
    uint32_t *items = LT_ENLARGE(&allocator, NULL, 0, 3, uint32_t);
    CHECK_FATAL(items != NULL);
    for (uint32_t i = 0; i < 3; i++)
        items[i] = i + 1;
    items = LT_ENLARGE(&allocator, items, 3, 100, uint32_t);
    CHECK_FATAL(items != NULL);
    CHECK(items[0] == 1 && items[2] == 3 && items[3] == 0 && items[99] == 0);
    CHECK(LT_ENLARGE(&allocator, items, 100, 200, uint32_t) == NULL);
    CHECK(items[2] == 3);
    CHECK(LT_ENLARGE(&allocator, items, 100, SIZE_MAX / 2, uint32_t) == NULL);
    LT_DELETE(&allocator, items, 100, uint32_t);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
}

static void arena_refuses_beyond_its_reserve_and_remembers(void) {
    lt_arena arena = {0};
    CHECK(lt_arena_reserve(&arena, NULL, 1024));
    uint8_t *a = LT_TAKE(&arena, 100, uint8_t);
    uint8_t *b = LT_TAKE(&arena, 100, uint8_t);
    CHECK(a && b && b - a == 128);
    CHECK(LT_TAKE(&arena, 1000, uint8_t) == NULL);
    CHECK_COUNT(arena.high_water, 256 + 1000);
    lt_arena_reset(&arena);
    CHECK(LT_TAKE(&arena, 1024, uint8_t) == a);
    lt_arena_free(&arena);
}

int main(void) {
    RUN(overflow_is_refused);
    RUN(array_grows_and_keeps_its_items);
    RUN(empty_array_can_be_taken);
    RUN(enlarged_blocks_keep_what_they_had);
    RUN(arena_refuses_beyond_its_reserve_and_remembers);
    return check_finish();
}
