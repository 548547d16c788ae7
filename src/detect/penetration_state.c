/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* An unfinished collision cycle in a snapshot. A cycle follows from the copy of the nodes that it began with, so that copy, who
 * takes part and how far it has come are enough: restored, it does the same work again. Only what it found of obstacles is
 * kept as it is: they may have moved on since. */

#include "core/hash.h"
#include "detect/penetration.h"

#include <string.h>

typedef struct state_header {
    uint32_t phase; /* LT_CYCLE_DONE: nothing else follows */
    uint32_t next, sub;
    uint32_t body_count, pair_count, node_count, obstacle_found;
    uint32_t latency, fast_first, smooth_normals, function;
    float dt;
    uint64_t element_count, later_elements;
} state_header;

/* A live cycle cannot be done again: it has seen more than one moment. Restored, the next one begins. */
static bool is_kept(const lt_cycle *c) {
    return !lt_cycle_is_done(c) && !c->input.live;
}

static state_header header_of(const lt_cycle *c) {
    state_header none = {.phase = LT_CYCLE_DONE};
    if (!is_kept(c)) return none;
    return (state_header){.phase = (uint32_t)c->phase,
                          .next = c->next,
                          .sub = c->sub,
                          .body_count = c->body_count,
                          .pair_count = c->pair_count,
                          .node_count = c->node_count,
                          .obstacle_found = c->phase > LT_CYCLE_OBSTACLES    ? c->obstacle_count
                                            : c->phase == LT_CYCLE_OBSTACLES ? c->found_count
                                                                             : 0,
                          .latency = c->input.latency,
                          .fast_first = c->input.fast_first,
                          .smooth_normals = c->input.smooth_normals,
                          .function = (uint32_t)c->input.function,
                          .dt = c->input.dt,
                          .element_count = c->element_count,
                          .later_elements = c->later_elements};
}

static size_t size_of(const state_header *h) {
    return sizeof *h + h->pair_count * sizeof(lt_pair) + h->body_count * sizeof(lt_cycle_body) +
           8 * (size_t)h->node_count * sizeof(float) + h->obstacle_found * sizeof(lt_found);
}

size_t lt_cycle_state_size(const lt_cycle *cycle) {
    state_header h = header_of(cycle);
    return size_of(&h);
}

static uint8_t *put(uint8_t *bytes, const void *from, size_t size) {
    if (size) memcpy(bytes, from, size);
    return bytes + size;
}

void lt_cycle_save(const lt_cycle *cycle, uint8_t *bytes) {
    state_header h = header_of(cycle);
    bytes = put(bytes, &h, sizeof h);
    bytes = put(bytes, cycle->pairs, h.pair_count * sizeof(lt_pair));
    bytes = put(bytes, cycle->bodies, h.body_count * sizeof(lt_cycle_body));
    bytes = put(bytes, cycle->nodes, 4 * (size_t)h.node_count * sizeof(float));
    bytes = put(bytes, cycle->velocities, 4 * (size_t)h.node_count * sizeof(float));
    put(bytes, cycle->found, h.obstacle_found * sizeof(lt_found));
}

uint64_t lt_cycle_hash(const lt_cycle *cycle, uint64_t hash) {
    const lt_cycle *c = cycle;
    if (!is_kept(c)) return lt_hash_u64(hash, (uint64_t)LT_CYCLE_DONE);
    hash = lt_hash_u64(hash, (uint64_t)c->phase);
    hash = lt_hash_u64(hash, c->element_count);
    hash = lt_hash_bytes(hash, c->velocities, 4 * (size_t)c->node_count * sizeof(float));
    return lt_hash_bytes(hash, c->nodes, 4 * (size_t)c->node_count * sizeof(float));
}

/* ---- back ---- */

typedef struct parts {
    const uint8_t *pairs, *bodies, *nodes, *velocities, *found;
} parts;

static parts parts_of(const state_header *h, const uint8_t *bytes) {
    parts p = {.pairs = bytes + sizeof *h};
    p.bodies = p.pairs + h->pair_count * sizeof(lt_pair);
    p.nodes = p.bodies + h->body_count * sizeof(lt_cycle_body);
    p.velocities = p.nodes + 4 * (size_t)h->node_count * sizeof(float);
    p.found = p.velocities + 4 * (size_t)h->node_count * sizeof(float);
    return p;
}

static bool pair_is_sound(const lt_pair *p, const lt_cycle_input *world, uint32_t obstacle_count) {
    if (p->a >= world->collider_count || !world->colliders[p->a].in_use) return false;
    if (p->kind == LT_PAIR_OBSTACLE) return p->b < obstacle_count && world->obstacles[p->b].in_use;
    if (p->kind == LT_PAIR_SELF) return p->b == p->a;
    return p->kind == LT_PAIR_BODIES && p->b < world->collider_count && world->colliders[p->b].in_use;
}

static bool floats_are_sound(const uint8_t *bytes, size_t count) {
    float sum = 0, value;
    for (size_t i = 0; i < count; i++) {
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        sum += value - value;
    }
    return sum == 0;
}

/* Who takes part, marked by slot; how many they are. */
static uint32_t mark_bodies(uint32_t *marks, const lt_cycle_input *world, const parts *p,
                            uint32_t pair_count) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->collider_count; i++)
        marks[i] = LT_NONE;
    for (uint32_t i = 0; i < pair_count; i++) {
        lt_pair pair;
        memcpy(&pair, p->pairs + i * sizeof pair, sizeof pair);
        count += marks[pair.a] == LT_NONE;
        marks[pair.a] = 0;
        if (pair.kind != LT_PAIR_BODIES) continue;
        count += marks[pair.b] == LT_NONE;
        marks[pair.b] = 0;
    }
    return count;
}

/* Each of those marked once, with numbers that are ones; counts their nodes and points. */
static bool bodies_are_sound(uint32_t *marks, const lt_cycle_input *world, const parts *p, uint32_t count,
                             uint32_t *nodes, uint32_t *points) {
    *nodes = *points = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_cycle_body b;
        memcpy(&b, p->bodies + i * sizeof b, sizeof b);
        if (b.slot >= world->collider_count || marks[b.slot] != 0) return false;
        marks[b.slot] = 1;
        if (!floats_are_sound((const uint8_t *)&b.box, sizeof b.box / sizeof(float))) return false;
        if (!floats_are_sound((const uint8_t *)&b.velocity, 3) || b.folds > 1) return false;
        if (!(b.margin >= 0 && b.margin < 1e30f && b.skin >= 0 && b.skin < 1e30f && b.farthest >= 0 &&
              b.farthest < 1e30f && b.speed >= 0 && b.speed < 1e30f))
            return false;
        *nodes += world->colliders[b.slot].soft->carrier.node_count;
        *points += world->colliders[b.slot].skin->point_count;
    }
    return true;
}

static bool found_are_sound(const lt_cycle_input *world, const parts *p, uint32_t count, uint32_t points,
                            uint32_t obstacle_count) {
    for (uint32_t i = 0; i < count; i++) {
        lt_found f;
        memcpy(&f, p->found + i * sizeof f, sizeof f);
        if (f.point >= points || f.other >= obstacle_count || !world->obstacles[f.other].in_use) return false;
        if (f.status != LT_FOUND_OBSTACLE || !(fabsf(f.depth) < 1e30f)) return false;
        if (!(fabsf(lt_v3_length(f.normal) - 1) < 5e-5f)) return false;
    }
    return true;
}

static bool header_is_sound(const lt_cycle *c, const state_header *h, size_t size) {
    return h->pair_count <= c->pair_capacity && h->body_count <= c->body_capacity &&
           h->node_count <= c->node_capacity && h->obstacle_found <= c->found_capacity &&
           size == size_of(h) && h->dt > 0 && h->dt < 1e30f && h->fast_first <= 1 && h->smooth_normals <= 1 &&
           h->function <= LT_SPATIAL_TESCHNER && h->body_count > 0;
}

bool lt_cycle_is_sound(lt_cycle *cycle, const uint8_t *bytes, size_t size, const lt_cycle_input *world,
                       uint32_t obstacle_count) {
    state_header h;
    if (size < sizeof h) return false;
    memcpy(&h, bytes, sizeof h);
    if (h.phase >= LT_CYCLE_DONE) return h.phase == LT_CYCLE_DONE && size == sizeof h;
    if (!header_is_sound(cycle, &h, size)) return false;
    parts p = parts_of(&h, bytes);
    uint32_t nodes = 0, points = 0;
    for (uint32_t i = 0; i < h.pair_count; i++) {
        lt_pair pair;
        memcpy(&pair, p.pairs + i * sizeof pair, sizeof pair);
        if (!pair_is_sound(&pair, world, obstacle_count)) return false;
    }
    uint32_t *marks = cycle->body_of_slot; /* lent; put right below */
    bool sound = mark_bodies(marks, world, &p, h.pair_count) == h.body_count &&
                 bodies_are_sound(marks, world, &p, h.body_count, &nodes, &points) && nodes == h.node_count;
    for (uint32_t i = 0; i < cycle->body_count; i++)
        marks[cycle->bodies[i].slot] = i;
    return sound && floats_are_sound(p.nodes, 8 * (size_t)nodes) &&
           found_are_sound(world, &p, h.obstacle_found, points, obstacle_count);
}

void lt_cycle_restore(lt_cycle *cycle, const uint8_t *bytes, const lt_cycle_input *world) {
    lt_cycle *c = cycle;
    state_header h;
    memcpy(&h, bytes, sizeof h);
    c->phase = LT_CYCLE_DONE;
    if (h.phase == LT_CYCLE_DONE) return;
    parts p = parts_of(&h, bytes);
    memcpy(c->pairs, p.pairs, h.pair_count * sizeof(lt_pair));
    lt_cycle_input input = *world;
    input.pairs = c->pairs;
    input.pair_count = h.pair_count;
    input.dt = h.dt;
    input.latency = h.latency;
    input.fast_first = h.fast_first != 0;
    input.smooth_normals = h.smooth_normals != 0;
    input.function = (lt_spatial_function)h.function;
    lt_cycle_begin(c, &input);
    memcpy(c->bodies, p.bodies, h.body_count * sizeof(lt_cycle_body));
    lt_cycle_number(c);
    lt_cycle_partner(c); /* bodies may be in another order */
    memcpy(c->nodes, p.nodes, 4 * (size_t)h.node_count * sizeof(float));
    memcpy(c->velocities, p.velocities, 4 * (size_t)h.node_count * sizeof(float));
    memcpy(c->found, p.found, h.obstacle_found * sizeof(lt_found));
    lt_cycle_redo(c, (lt_cycle_phase)h.phase, h.element_count, h.later_elements, h.obstacle_found, h.next,
                  h.sub);
}
