/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From contacts to couplings, in pieces of at least `grant`; returns the units. Include after check.h. */

#ifndef LITHE_TESTS_RUN_PENALTY_H
#define LITHE_TESTS_RUN_PENALTY_H

#include "respond/respond.h"

static inline uint64_t run_penalty(lt_penalty *penalty, lt_arena *arena, uint32_t grant) {
    uint64_t units = 0;
    lt_arena_reset(arena);
    CHECK(lt_penalty_begin(penalty, arena));
    lt_cursor cursor = lt_penalty_cursor(penalty);
    for (lt_piece piece = cursor.peek(cursor.state); piece.cost; piece = cursor.peek(cursor.state)) {
        CHECK(piece.work == LT_WORK_RESPOND && piece.reserve == 0);
        units += cursor.step(cursor.state, lt_max_u32(grant, piece.cost));
    }
    return units;
}

#endif
