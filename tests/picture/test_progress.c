/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "picture/progress.h"

#define SECOND 1000000000u

static void text_has_rate_and_time_left(void) {
    char text[128];
    lt_progress_format(text, sizeof text, "frames", 120, 240, 2 * (uint64_t)SECOND, 60);
    CHECK(strcmp(text, "frames [=========>         ]  50%  120/240  60.0/s  2 s left") == 0);
    CHECK_COUNT(strlen(text), 60);
    lt_progress_format(text, sizeof text, "steps", 1, 3601, SECOND, 78);
    CHECK_CONTAINS(text, "1.0 h left");
    lt_progress_format(text, sizeof text, "steps", 1, 601, SECOND, 78);
    CHECK_CONTAINS(text, "10 min left");
    lt_progress_format(text, sizeof text, "steps", 300, 0, 3 * (uint64_t)SECOND, 78);
    CHECK(strcmp(text, "steps 300  100.0/s") == 0);
}

static void extremes_stay_within_the_columns(void) {
    char text[128];
    lt_progress_format(text, sizeof text, "frames", 0, 10, 0, 40);
    CHECK(strlen(text) <= 40 && !strstr(text, "left"));
    lt_progress_format(text, sizeof text, "frames", 99, 10, SECOND, 78);
    CHECK_CONTAINS(text, "100%  10/10");
    lt_progress_format(text, sizeof text, "a title longer than the whole line has room for", 1, UINT64_MAX, 1,
                       40);
    CHECK_COUNT(strlen(text), 40);
}

/* Standard error is closed or a file here: nothing may be enabled. */
static void nothing_is_drawn_without_a_terminal(void) {
    FILE *file = freopen("/dev/null", "w", stderr);
    CHECK(file != NULL);
    lt_progress progress = lt_progress_begin("frames", 10);
    CHECK(!progress.enabled);
    lt_progress_update(&progress, 5);
    lt_progress_end(&progress);
    CHECK(!progress.visible);
}

int main(void) {
    RUN(text_has_rate_and_time_left);
    RUN(extremes_stay_within_the_columns);
    RUN(nothing_is_drawn_without_a_terminal);
    return check_finish();
}
