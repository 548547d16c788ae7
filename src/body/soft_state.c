/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body in snapshots and hashes. Its state is one block, packed in pieces (core/pack.h), each by what its numbers resemble most:
 * positions and velocities those of the node before, rotations the same lanes of the group before, places that were looked at the
 * places now. Pin targets, flags and forces are mostly 0. */

#include "body/multigrid.h"

enum { PIECES = 6 };

static size_t offset_of(const lt_soft *soft, const void *array) {
    return (size_t)((const uint8_t *)array - (const uint8_t *)soft->memory);
}

static void list_pieces(const lt_soft *soft, lt_stream_piece out[PIECES]) {
    const size_t turns = offset_of(soft, soft->turns), pin_target = offset_of(soft, soft->pin_target),
                 x_seen = offset_of(soft, soft->x_seen), offset = offset_of(soft, soft->offset),
                 energy = offset_of(soft, soft->energy), node = 4 * sizeof(lt_real);
    out[0] = (lt_stream_piece){0, turns, node}; /* x, v */
    out[1] = (lt_stream_piece){turns, pin_target, LT_GROUP * node};
    out[2] = (lt_stream_piece){pin_target, x_seen, 0};
    out[3] = (lt_stream_piece){x_seen, offset, x_seen - offset_of(soft, soft->x)};
    out[4] = (lt_stream_piece){offset, energy, node};
    out[5] = (lt_stream_piece){energy, soft->state_size, 0}; /* and flags */
}

static bool state_is_sound(const lt_soft *soft, const uint8_t *state) {
    const size_t reals = offset_of(soft, soft->pinned); /* flags come last */
    const lt_real *energy = (const lt_real *)(const void *)(state + offset_of(soft, soft->energy));
    return lt_reals_are_within((const lt_real *)(const void *)state, reals / sizeof(lt_real), LT_LARGEST) &&
           energy[0] >= -1 && energy[1] >= 0 && lt_flags_are_sound(state + reals, soft->state_size - reals);
}

/* What follows from the state. */
static void follow_state(lt_soft *soft) {
    soft->pin_count = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        soft->pin_count += soft->pinned[node] != 0;
    if (soft->grid) {
        lt_front_update(soft);
        soft->grid->assembled = false; /* turns are others */
    }
    lt_soft_publish(soft);
}

/* The hash of a body that is solved in every step is what it was before there were others. */
static void visit_interval(lt_stream *s, lt_soft *soft) {
    uint32_t interval = soft->solve_interval;
    if (lt_stream_hashes(s) && interval == 1) return;
    lt_stream_u32(s, &interval);
    lt_stream_expect(s, interval >= 1 && interval <= LT_INTERVAL_MOST);
    if (lt_stream_loads(s)) soft->solve_interval = interval;
}

void lt_soft_visit(lt_stream *s, lt_soft *soft) {
    lt_stream_piece pieces[PIECES];
    double draft[3];
    lt_stream_origin(s, lt_stream_record(s, soft->origin, draft, sizeof draft), (double)LT_LARGEST);
    list_pieces(soft, pieces);
    lt_stream_same(s, soft->state_size);
    uint8_t *state = lt_stream_begin_block(s, soft->memory, soft->state_size);
    lt_stream_packed(s, state, pieces, PIECES);
    if (lt_stream_checks(s)) lt_stream_expect(s, !s->failed && state_is_sound(soft, state));
    lt_stream_end_block(s);
    lt_soft_visit_material(s, soft);
    visit_interval(s, soft);
    if (lt_stream_loads(s)) follow_state(soft);
}

void lt_soft_visit_force(lt_stream *s, lt_soft *soft) {
    const size_t count = 4 * (size_t)soft->carrier.node_count, size = count * sizeof(lt_real);
    const lt_stream_piece piece = {0, size, 0};
    lt_real *force = lt_stream_begin_block(s, soft->force, size);
    lt_stream_packed(s, force, &piece, 1);
    if (lt_stream_checks(s))
        lt_stream_expect(s, !s->failed && lt_reals_are_within(force, count, LT_STRONGEST));
    lt_stream_end_block(s);
}
