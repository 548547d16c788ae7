/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "scenes/near_names.h"

static void distances_are_edits(void) {
    CHECK_COUNT(lt_name_distance("demo", "demo"), 0);
    CHECK_COUNT(lt_name_distance("", "demo"), 4);
    CHECK_COUNT(lt_name_distance("dmeo", "demo"), 1); /* a swap is one edit */
    CHECK_COUNT(lt_name_distance("dem", "demo"), 1);
    CHECK_COUNT(lt_name_distance("dxmo", "demo"), 1);
    CHECK_COUNT(lt_name_distance("kitten", "sitting"), 3);
    CHECK_COUNT(lt_name_distance("abc", "xyz"), 3);
}

static void long_names_are_cut(void) {
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'a', sizeof b);
    a[199] = b[199] = 0;
    b[150] = 'x'; /* beyond what is looked at */
    CHECK_COUNT(lt_name_distance(a, b), 0);
    b[10] = 'x';
    CHECK_COUNT(lt_name_distance(a, b), 1);
}

static const char *const names[] = {"demo", "drop", "stack", "two-balls", "cantilever"};

static const char *near(const char *name) {
    static char text[100];
    lt_near_names(name, names, 5, text, sizeof text);
    return text;
}

static void near_ones_come_first(void) {
    CHECK(strcmp(near("dmeo"), "demo") == 0);
    CHECK(strcmp(near("cant"), "cantilever") == 0);
    CHECK(strcmp(near("twoballs"), "two-balls") == 0);
    CHECK(strcmp(near("d"), "demo or drop") == 0);
}

static void all_when_none_is_near(void) {
    CHECK(strcmp(near("zebra"), "demo, drop, stack, two-balls or cantilever") == 0);
    CHECK(strcmp(near(""), "demo, drop, stack, two-balls or cantilever") == 0);
}

/* "demo, drop, stack, two-balls or cantilever" has 42 letters. */
static void names_without_room_are_another(void) {
    static const char *const whole = "demo, drop, stack, two-balls or cantilever";
    for (size_t capacity = 0; capacity <= 50; capacity++) {
        char text[64];
        memset(text, 'x', sizeof text);
        lt_near_names("zebra", names, 5, text, capacity);
        CHECK(text[capacity] == 'x');
        if (capacity == 0) continue;
        const char *expected = capacity > 42   ? whole
                               : capacity > 39 ? "demo, drop, stack, two-balls or another"
                               : capacity > 28 ? "demo, drop, stack or another"
                               : capacity > 21 ? "demo, drop or another"
                               : capacity > 15 ? "demo or another"
                               : capacity > 11 ? "another"
                                               : "";
        CHECK(strcmp(text, expected) == 0);
    }
}

int main(void) {
    RUN(distances_are_edits);
    RUN(long_names_are_cut);
    RUN(near_ones_come_first);
    RUN(all_when_none_is_near);
    RUN(names_without_room_are_another);
    return check_finish();
}
