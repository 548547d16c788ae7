/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only as bytes, between two intervals:
 *
 *   header │ per slot of a body: its nodes at both ends │ per slot of an obstacle: its motion │ pairs: who has waited
 *
 * Work that was done on bodies which are not set again is not in it: saving forgets it here, too, so that both cost the same.
 * Restoring reads twice: first everything is judged, then it is taken over. */

#include "world/collision_internal.h"
#include "world/reader.h"

enum { MAGIC = 0x3143534c }; /* "LSC1" */

typedef struct header {
    uint32_t magic, body_slots, obstacle_slots, pair_count;
    uint64_t interval_count;
} header;

typedef struct body_header {
    uint32_t generation, node_count; /* 0: the slot is free */
} body_header;

typedef struct saved_obstacle {
    uint32_t generation, in_use;
    lt_collision_motion motion;
} saved_obstacle;

typedef struct saved_pair {
    uint32_t a, kind, b;
    uint32_t waited, age, served;
} saved_pair;

/* ---- saving ---- */

static uint32_t node_count_of(const lt_collision *c, uint32_t index) {
    const lt_collision_body *body = lt_collision_body_at(c, index);
    return body ? body->shared->carrier.node_count : 0;
}

static size_t node_bytes(uint32_t node_count) {
    return 2 * 4 * (size_t)node_count * sizeof(float);
}

size_t lt_collision_snapshot_size(const lt_collision *collision) {
    const lt_collision *c = collision;
    if (!LT_REQUIRE(c)) return 0;
    size_t size = sizeof(header) + c->list.count * sizeof(saved_pair) +
                  lt_slots_count(&c->obstacle_slots) * sizeof(saved_obstacle);
    for (uint32_t i = 0; i < lt_slots_count(&c->body_slots); i++)
        size += sizeof(body_header) + node_bytes(node_count_of(c, i));
    return size;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t size) {
    if (size) memcpy(at, bytes, size);
    return at + size;
}

static uint8_t *put_body(uint8_t *at, const lt_collision *c, uint32_t index) {
    body_header h = {lt_slots_generation(&c->body_slots, index), node_count_of(c, index)};
    const lt_collision_body *body = lt_collision_body_at(c, index);
    at = put(at, &h, sizeof h);
    if (!body) return at;
    at = put(at, body->from, node_bytes(h.node_count) / 2);
    return put(at, body->to, node_bytes(h.node_count) / 2);
}

static uint8_t *put_obstacle(uint8_t *at, const lt_collision *c, uint32_t index) {
    const lt_obstacle *o = lt_collision_obstacle_at(c, index);
    saved_obstacle saved = {lt_slots_generation(&c->obstacle_slots, index),
                            o->in_use,
                            {o->position, o->target_position, o->rotation, o->target_rotation}};
    return put(at, &saved, sizeof saved);
}

static uint8_t *put_pair(uint8_t *at, const lt_collision *c, uint32_t index) {
    const lt_pair *p = &c->list.pairs[index];
    const lt_turn *t = &c->list.turns[index];
    saved_pair saved = {p->a, (uint32_t)p->kind, p->b, p->next, t->age, t->served};
    return put(at, &saved, sizeof saved);
}

size_t lt_collision_snapshot(lt_collision *collision, void *buffer, size_t capacity) {
    lt_collision *c = collision;
    size_t size = lt_collision_snapshot_size(c);
    if (!LT_REQUIRE(buffer && size > 0 && capacity >= size)) return 0;
    lt_collision_end_interval(c);
    header h = {.magic = MAGIC,
                .body_slots = lt_slots_count(&c->body_slots),
                .obstacle_slots = lt_slots_count(&c->obstacle_slots),
                .pair_count = c->list.count,
                .interval_count = c->interval_count};
    uint8_t *at = put(buffer, &h, sizeof h);
    for (uint32_t i = 0; i < h.body_slots; i++) {
        at = put_body(at, c, i);
        if (lt_collision_body_at(c, i)) lt_collision_body_at(c, i)->is_set = true;
    }
    for (uint32_t i = 0; i < h.obstacle_slots; i++)
        at = put_obstacle(at, c, i);
    for (uint32_t i = 0; i < h.pair_count; i++)
        at = put_pair(at, c, i);
    return size;
}

/* ---- restoring ---- */

static bool body_is_sound(const lt_collision *c, uint32_t index, lt_reader *r) {
    body_header h;
    if (!lt_read(r, &h, sizeof h) || h.generation != lt_slots_generation(&c->body_slots, index) ||
        h.node_count != node_count_of(c, index))
        return false;
    for (uint32_t i = 0; i < 2 * h.node_count; i++) {
        float lane[4];
        if (!lt_read(r, lane, sizeof lane) || !lt_collision_is_near((lt_vec3){lane[0], lane[1], lane[2]}))
            return false;
    }
    return true;
}

static bool obstacle_is_sound(const lt_collision *c, uint32_t index, lt_reader *r) {
    saved_obstacle saved;
    return lt_read(r, &saved, sizeof saved) &&
           saved.generation == lt_slots_generation(&c->obstacle_slots, index) &&
           saved.in_use == lt_collision_obstacle_at(c, index)->in_use &&
           (!saved.in_use || lt_collision_motion_is_sound(&saved.motion));
}

static bool has_body(const lt_collision *c, uint32_t index) {
    return index < lt_slots_count(&c->body_slots) && lt_collision_body_at(c, index);
}

static bool pair_is_sound(const lt_collision *c, const saved_pair *p) {
    if (!has_body(c, p->a) || p->served > 1) return false;
    if (p->kind == LT_PAIR_OBSTACLE)
        return p->b < lt_slots_count(&c->obstacle_slots) && lt_collision_obstacle_at(c, p->b)->in_use;
    return p->kind == LT_PAIR_SELF ? p->b == p->a
                                   : p->kind == LT_PAIR_BODIES && has_body(c, p->b) && p->a < p->b;
}

/* Sorted by a, kind and b. */
static bool comes_before(const saved_pair *x, const saved_pair *y) {
    if (x->a != y->a) return x->a < y->a;
    return x->kind != y->kind ? x->kind < y->kind : x->b < y->b;
}

static bool pairs_are_sound(const lt_collision *c, uint32_t count, lt_reader *r) {
    saved_pair before = {0}, now;
    for (uint32_t i = 0; i < count; i++, before = now)
        if (!lt_read(r, &now, sizeof now) || !pair_is_sound(c, &now) ||
            (i > 0 && !comes_before(&before, &now)))
            return false;
    return true;
}

static bool fits(const lt_collision *c, lt_reader r) {
    header h;
    if (!lt_read(&r, &h, sizeof h) || h.magic != MAGIC) return false;
    bool sound = h.body_slots == lt_slots_count(&c->body_slots) &&
                 h.obstacle_slots == lt_slots_count(&c->obstacle_slots) && h.pair_count <= c->list.capacity;
    for (uint32_t i = 0; sound && i < h.body_slots; i++)
        sound = body_is_sound(c, i, &r);
    for (uint32_t i = 0; sound && i < h.obstacle_slots; i++)
        sound = obstacle_is_sound(c, i, &r);
    return sound && pairs_are_sound(c, h.pair_count, &r) && r.left == 0;
}

static void take_over(lt_collision *c, lt_reader r) {
    header h = {0};
    lt_read(&r, &h, sizeof h);
    for (uint32_t i = 0; i < h.body_slots; i++) {
        lt_collision_body *body = lt_collision_body_at(c, i);
        lt_read(&r, NULL, sizeof(body_header));
        if (!body) continue;
        lt_read(&r, body->from, node_bytes(node_count_of(c, i)) / 2);
        lt_read(&r, body->to, node_bytes(node_count_of(c, i)) / 2);
        lt_collision_settle(c, i);
    }
    for (uint32_t i = 0; i < h.obstacle_slots; i++) {
        saved_obstacle saved = {0};
        lt_read(&r, &saved, sizeof saved);
        if (saved.in_use) lt_collision_plan(lt_collision_obstacle_at(c, i), &saved.motion);
    }
    for (uint32_t i = 0; i < h.pair_count; i++) {
        saved_pair p = {0};
        lt_read(&r, &p, sizeof p);
        c->list.pairs[i] = (lt_pair){.a = p.a, .kind = (lt_pair_kind)p.kind, .b = p.b, .next = p.waited};
        c->list.turns[i] = (lt_turn){.age = p.age, .served = p.served != 0};
    }
    c->list.count = h.pair_count;
    c->interval_count = h.interval_count;
}

lt_status lt_collision_restore(lt_collision *collision, const void *buffer, size_t size, lt_error *error) {
    if (!LT_REQUIRE(collision && buffer))
        return lt_fail(error, LT_STATUS_INVALID, "nothing to restore into, or no buffer");
    lt_reader r = {buffer, size};
    if (!fits(collision, r))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the snapshot is damaged or not of this: it restores only into what it came from, or "
                       "one built by the same calls; nothing was changed");
    lt_collision_end_interval(collision);
    take_over(collision, r);
    return LT_OK;
}
