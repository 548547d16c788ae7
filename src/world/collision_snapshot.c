/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only as bytes, between two intervals, said once (core/stream.h):
 *
 *   header │ per slot of a body: its nodes at both ends │ per slot of an obstacle: its motion │ pairs: how long each waits
 *
 * Work that was done on bodies which are not set again is not in it: saving forgets it here, too, so that both cost the same.
 * Bytes are checked as a whole before the first of them is taken over. */

#include "world/collision_internal.h"

enum { MAGIC = 0x3243534c }; /* "LSC2" */

/* ---- bodies ---- */

/* Lanes of four, of which the first three are a position. */
static void visit_nodes(lt_stream *s, float *nodes, uint32_t count) {
    if (!lt_stream_checks(s)) {
        lt_stream_floats(s, nodes, 4 * (size_t)count);
        return;
    }
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        float lane[4] = {0};
        lt_stream_floats(s, lane, 4);
        lt_stream_expect(s, lt_collision_is_near((lt_vec3){lane[0], lane[1], lane[2]}));
    }
}

static void visit_body(lt_stream *s, lt_collision *c, uint32_t index) {
    lt_collision_body *body = lt_collision_body_at(c, index);
    uint32_t count = body ? body->shared->carrier.node_count : 0;
    lt_stream_same(s, lt_slots_generation(&c->body_slots, index));
    lt_stream_same(s, count); /* 0: the slot is free */
    if (!body) return;
    visit_nodes(s, body->from, count);
    visit_nodes(s, body->to, count);
    if (lt_stream_loads(s)) lt_collision_settle(c, index);
}

/* ---- obstacles ---- */

static void visit_obstacle(lt_stream *s, lt_collision *c, uint32_t index) {
    lt_obstacle *o = lt_collision_obstacle_at(c, index);
    lt_collision_motion motion = {o->position, o->target_position, o->rotation, o->target_rotation};
    lt_stream_same(s, lt_slots_generation(&c->obstacle_slots, index));
    lt_stream_same(s, o->in_use);
    if (!o->in_use) return;
    lt_stream_bytes(s, &motion, sizeof motion);
    lt_stream_expect(s, lt_collision_motion_is_sound(&motion));
    if (lt_stream_loads(s)) lt_collision_plan(o, &motion);
}

/* ---- pairs ---- */

static bool has_body(const lt_collision *c, uint32_t index) {
    return index < lt_slots_count(&c->body_slots) && lt_collision_body_at(c, index);
}

static bool pair_exists(const void *context, const lt_pair *pair) {
    const lt_collision *c = context;
    if (!has_body(c, pair->a)) return false;
    if (pair->kind == LT_PAIR_OBSTACLE)
        return pair->b < lt_slots_count(&c->obstacle_slots) && lt_collision_obstacle_at(c, pair->b)->in_use;
    return pair->kind == LT_PAIR_SELF ? pair->b == pair->a : has_body(c, pair->b) && pair->a < pair->b;
}

static void visit_pair(lt_stream *s, const void *context, const lt_pair *pair, lt_turn *turn, void *method) {
    (void)context, (void)pair;
    lt_stream_u32(s, &((lt_collision_wait *)method)->intervals);
    lt_stream_u32(s, &turn->age);
    lt_stream_bool(s, &turn->served);
}

/* ---- all of it ---- */

static void visit(lt_stream *s, lt_collision *c) {
    const lt_pair_visitor visitor = {pair_exists, visit_pair, c};
    uint64_t unread = 0, *intervals = lt_stream_checks(s) ? &unread : &c->interval_count;
    lt_stream_same(s, MAGIC);
    lt_stream_same(s, lt_slots_count(&c->body_slots));
    lt_stream_same(s, lt_slots_count(&c->obstacle_slots));
    lt_stream_u64(s, intervals);
    for (uint32_t i = 0; i < lt_slots_count(&c->body_slots) && !s->failed; i++)
        visit_body(s, c, i);
    for (uint32_t i = 0; i < lt_slots_count(&c->obstacle_slots) && !s->failed; i++)
        visit_obstacle(s, c, i);
    lt_pair_table_visit(s, &c->pairs, &visitor);
}

size_t lt_collision_snapshot_size(const lt_collision *collision) {
    if (!LT_REQUIRE(collision)) return 0;
    lt_stream s = lt_stream_measure();
    visit(&s, (lt_collision *)collision); /* only looked at */
    return s.used;
}

size_t lt_collision_snapshot(lt_collision *collision, void *buffer, size_t capacity) {
    lt_collision *c = collision;
    size_t size = lt_collision_snapshot_size(c);
    if (!LT_REQUIRE(buffer && size > 0 && capacity >= size)) return 0;
    lt_collision_end_interval(c);
    lt_stream s = lt_stream_save(buffer, capacity);
    visit(&s, c);
    for (uint32_t i = 0; i < lt_slots_count(&c->body_slots); i++)
        if (lt_collision_body_at(c, i)) lt_collision_body_at(c, i)->is_set = true;
    return size;
}

lt_status lt_collision_restore(lt_collision *collision, const void *buffer, size_t size, lt_error *error) {
    if (!LT_REQUIRE(collision && buffer))
        return lt_fail(error, LT_STATUS_INVALID, "nothing to restore into, or no buffer");
    lt_stream check = lt_stream_check(buffer, size, NULL), load = lt_stream_load(buffer, size);
    visit(&check, collision);
    if (!lt_stream_passed(&check))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the snapshot is damaged or not of this: it restores only into what it came from, or "
                       "one built by the same calls; nothing was changed");
    lt_collision_end_interval(collision);
    visit(&load, collision);
    return LT_OK;
}
