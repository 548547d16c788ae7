/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Threads and monitors of core/os.h: what one thread writes under the monitor the others see, and no wake-up is
 * lost. The thread sanitizer watches.
 *
 * labels: threaded windows */

#include "check.h"
#include "core/os.h"

enum { THREAD_COUNT = 4, ROUND_COUNT = 500 };

/* The threads take turns in a ring; each adds one when it is its turn. */
typedef struct ring {
    lt_os_monitor *monitor;
    uint32_t turn;
    uint32_t sum;
} ring;

typedef struct member {
    ring *ring;
    uint32_t index;
    uint32_t seen; /* the sum after this member's last round */
} member;

static void take_turns(void *context) {
    member *self = context;
    ring *r = self->ring;
    for (int round = 0; round < ROUND_COUNT; round++) {
        lt_os_monitor_lock(r->monitor);
        while (r->turn != self->index)
            lt_os_monitor_wait(r->monitor);
        self->seen = ++r->sum;
        r->turn = (r->turn + 1) % THREAD_COUNT;
        lt_os_monitor_wake_all(r->monitor);
        lt_os_monitor_unlock(r->monitor);
    }
}

static void threads_take_turns_through_a_monitor(void) {
    ring r = {.monitor = lt_os_monitor_create(NULL)};
    CHECK_FATAL(r.monitor != NULL);
    member members[THREAD_COUNT];
    lt_os_thread *threads[THREAD_COUNT];
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        members[i] = (member){.ring = &r, .index = i};
        threads[i] = lt_os_thread_start(NULL, take_turns, &members[i]);
        CHECK_FATAL(threads[i] != NULL);
    }
    for (uint32_t i = 0; i < THREAD_COUNT; i++)
        lt_os_thread_join(NULL, threads[i]);
    CHECK_COUNT(r.sum, THREAD_COUNT * ROUND_COUNT);
    for (uint32_t i = 0; i < THREAD_COUNT; i++)
        CHECK_COUNT(members[i].seen, THREAD_COUNT * (ROUND_COUNT - 1) + i + 1);
    lt_os_monitor_destroy(NULL, r.monitor);
}

int main(void) {
    RUN(threads_take_turns_through_a_monitor);
    return check_finish();
}
