/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the method keeps of bodies over steps: made, forgotten, saved and restored.
 *
 *   header │ per slot: node count, pins, σ, whether it is warm and has long turns │ per slot: Δv if it is warm, its long turns with itself
 *   and with others and the ways of these │ who is clear of whom │ what all methods keep */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

/* ---- life ---- */

static void drop_body(lt_multi_method *m, uint32_t slot) {
    LT_ASSERT(slot < m->body_capacity);
    lt_multi_body *body = &m->bodies[slot];
    LT_DELETE(&m->memory.allocator, body->warm, 4 * (size_t)body->node_count, lt_real);
    lt_multi_long_free(body->own, &m->memory.allocator);
    lt_multi_long_free(body->others, &m->memory.allocator);
    lt_multi_parts_free(body->parts, &m->memory.allocator);
    *body = (lt_multi_body){0};
}

void lt_multi_destroy(void *state) {
    lt_multi_method *m = state;
    if (!m) return;
    for (uint32_t i = 0; i < m->body_capacity; i++)
        drop_body(m, i);
    LT_DELETE(&m->memory.allocator, m->bodies, m->body_capacity, lt_multi_body);
    lt_multi_entries_free(m);
    lt_memory_destroy(state);
}

static bool grow_bodies(lt_multi_method *m, uint32_t count) {
    if (count <= m->body_capacity) return true;
    uint32_t capacity = lt_max_u32(count, 2 * m->body_capacity);
    lt_multi_body *bodies = LT_NEW(&m->memory.allocator, capacity, lt_multi_body);
    if (!bodies) return false;
    if (m->body_capacity) memcpy(bodies, m->bodies, m->body_capacity * sizeof *bodies);
    LT_DELETE(&m->memory.allocator, m->bodies, m->body_capacity, lt_multi_body);
    m->bodies = bodies;
    m->body_capacity = capacity;
    return true;
}

static bool make_body(lt_multi_body *out, const lt_collider *collider, const lt_allocator *allocator) {
    uint32_t nodes = collider->soft->carrier.node_count;
    bool with_itself = collider->surface && collider->surface->self.tets;
    *out = (lt_multi_body){.node_count = nodes,
                           .warm = LT_NEW(allocator, 4 * (size_t)nodes, lt_real),
                           .parts = lt_multi_parts_create(collider, allocator),
                           .others = lt_multi_long_create(collider, NULL, allocator)};
    if (with_itself && out->parts) out->own = lt_multi_long_create(collider, out->parts, allocator);
    return out->warm && out->parts && out->others && (out->own || !with_itself);
}

lt_status lt_multi_reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                           uint32_t collider_count, lt_error *error) {
    lt_multi_method *m = state;
    lt_status status = lt_memory_reserve(state, capacities, colliders, collider_count, error);
    if (status != LT_OK) return status;
    bool ok = lt_multi_entries_reserve(m, capacities->pairs) && grow_bodies(m, collider_count);
    for (uint32_t i = 0; ok && i < collider_count; i++)
        if (colliders[i].in_use && !m->bodies[i].node_count) {
            ok = make_body(&m->bodies[i], &colliders[i], &m->memory.allocator);
            if (!ok) drop_body(m, i);
        }
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for the answers of %u bodies", collider_count);
}

void lt_multi_forget_body(void *state, uint32_t body) {
    lt_multi_method *m = state;
    lt_memory_forget_body(state, body);
    lt_multi_forget_entries(m, body, LT_NONE);
    if (body >= m->body_capacity) return;
    lt_multi_long_stop_body(m, body);
    drop_body(m, body);
}

void lt_multi_forget_obstacle(void *state, uint32_t obstacle) {
    lt_multi_method *m = state;
    lt_memory_forget_obstacle(state, obstacle);
    lt_multi_forget_entries(m, LT_NONE, obstacle);
    for (uint32_t i = 0; i < m->body_capacity; i++) {
        lt_multi_long *others = m->bodies[i].others;
        if (others && others->is_begun && others->pair.kind == LT_PAIR_OBSTACLE && others->pair.b == obstacle)
            lt_multi_long_stop(others);
    }
}

/* It may be in others now. */
void lt_multi_displace_body(void *state, uint32_t body) {
    lt_multi_method *m = state;
    lt_memory_displace_body(state, body);
    lt_multi_forget_entries(m, body, LT_NONE);
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        lt_pair_words *words = lt_pair_words_at(&m->memory.pairs, i);
        if (lt_pair_is_of_body(&words->pair, body))
            words->left = words->next = 0; /* LT_MULTI_UNKNOWN, no depth */
    }
    if (body < m->body_capacity) lt_multi_long_stop_body(m, body);
}

/* ---- saving ---- */

typedef struct saved_header {
    uint32_t slot_count;
    float dt;
} saved_header;

typedef struct saved_body {
    uint32_t node_count, pin_count, is_warm;
    uint32_t has_long; /* bit 0: with itself, 1: with others */
    uint32_t row_count, padding;
    double sigma;
} saved_body;

/* A long turn that is under way, or what is left of the last one. */
typedef struct saved_long {
    uint32_t is_begun, has_known, steps, last_steps, age, last_age, paid;
    uint32_t kind, b, moves; /* of its pair, and whether its obstacle does */
    uint16_t stages, stages_left;
    uint32_t has_met;
    float separation, known_room;
    uint64_t units, past_units, whole_units;
    lt_vec3 position, target_position; /* of the obstacle */
    lt_quat rotation, target_rotation;
    uint8_t times[LT_MULTI_PARTS], known_times[LT_MULTI_PARTS];
} saved_long;

/* The slots that hold anything: others say nothing. */
static uint32_t slot_count(const lt_multi_method *m) {
    uint32_t count = m->body_capacity;
    while (count > 0 && m->bodies[count - 1].node_count == 0)
        count--;
    return count;
}

static lt_multi_long *long_at(const lt_multi_body *b, int which) {
    return which ? b->others : b->own;
}

static bool says_anything(const lt_multi_long *own) {
    return own && (own->is_begun || own->has_known || own->last_steps > 0);
}

static saved_body body_of(const lt_multi_body *b) {
    return (saved_body){.node_count = b->node_count,
                        .pin_count = b->pin_count,
                        .row_count = b->row_count,
                        .is_warm = b->is_warm,
                        .has_long = says_anything(b->own) | (uint32_t)says_anything(b->others) << 1,
                        .sigma = (double)b->sigma};
}

static saved_long long_of(const lt_multi_long *own) {
    saved_long saved = {.is_begun = own->is_begun,
                        .has_known = own->has_known,
                        .steps = own->steps,
                        .last_steps = own->last_steps,
                        .age = own->age,
                        .last_age = own->last_age,
                        .paid = own->paid,
                        .stages = (uint16_t)(own->is_begun ? own->stages : 0),
                        .stages_left = (uint16_t)(own->is_begun ? own->stages_left : 0),
                        .has_met = own->is_begun && own->has_met,
                        .past_units = own->past_units,
                        .separation = own->is_begun ? own->separation : 0,
                        .known_room = own->known_room,
                        .units = own->units,
                        .whole_units = own->whole_units};
    if (own->is_begun) {
        saved.kind = own->pair.kind;
        saved.b = own->pair.b;
        memcpy(saved.times, own->times, sizeof saved.times);
    }
    if (own->is_begun && own->pair.kind == LT_PAIR_OBSTACLE) {
        saved.moves = own->obstacle.moving;
        saved.position = own->obstacle.position;
        saved.rotation = own->obstacle.rotation;
        saved.target_position = own->obstacle.target_position;
        saved.target_rotation = own->obstacle.target_rotation;
    }
    if (own->has_known) memcpy(saved.known_times, own->known_times, sizeof saved.known_times);
    return saved;
}

static size_t warm_size(uint32_t node_count) {
    return 4 * (size_t)node_count * sizeof(lt_real);
}

/* Arrays of a long turn, in the order in which they are saved. */
typedef struct saved_ways {
    uint32_t count;
    float *ends[6];
    size_t sizes[6]; /* bytes */
} saved_ways;

static void add_way(saved_ways *ways, float *const ends[2], uint32_t node_count) {
    for (int i = 0; i < 2; i++) {
        ways->ends[ways->count] = ends[i];
        ways->sizes[ways->count++] = 4 * (size_t)node_count * sizeof(float);
    }
}

static saved_ways ways_of(const lt_multi_method *m, const lt_multi_long *own, const saved_long *saved) {
    saved_ways ways = {.count = 0};
    if (saved->is_begun) add_way(&ways, own->way.ends, own->way.node_count);
    if (saved->is_begun && saved->kind == LT_PAIR_BODIES) {
        const lt_multi_way *second = &m->bodies[saved->b].others->way;
        add_way(&ways, second->ends, second->node_count);
    }
    if (saved->has_known) add_way(&ways, own->known, own->way.node_count);
    return ways;
}

static size_t long_size(const saved_ways *ways) {
    size_t size = sizeof(saved_long);
    for (uint32_t i = 0; i < ways->count; i++)
        size += ways->sizes[i];
    return size;
}

size_t lt_multi_state_size(const void *state) {
    const lt_multi_method *m = state;
    uint32_t slots = slot_count(m);
    size_t size = sizeof(saved_header) + slots * sizeof(saved_body);
    for (uint32_t i = 0; i < slots; i++) {
        const lt_multi_body *b = &m->bodies[i];
        if (b->is_warm) size += warm_size(b->node_count);
        for (int which = 0; which < 2; which++) {
            if (!says_anything(long_at(b, which))) continue;
            saved_long saved = long_of(long_at(b, which));
            saved_ways ways = ways_of(m, long_at(b, which), &saved);
            size += long_size(&ways);
        }
    }
    return size + lt_multi_entries_size(m) + lt_memory_state_size(state);
}

static uint8_t *save_long(const lt_multi_method *m, const lt_multi_long *own, uint8_t *bytes) {
    saved_long saved = long_of(own);
    saved_ways ways = ways_of(m, own, &saved);
    memcpy(bytes, &saved, sizeof saved);
    bytes += sizeof saved;
    for (uint32_t i = 0; i < ways.count; i++) {
        memcpy(bytes, ways.ends[i], ways.sizes[i]);
        bytes += ways.sizes[i];
    }
    return bytes;
}

void lt_multi_save(const void *state, uint8_t *bytes) {
    const lt_multi_method *m = state;
    saved_header header = {slot_count(m), m->dt};
    memcpy(bytes, &header, sizeof header);
    bytes += sizeof header;
    for (uint32_t i = 0; i < header.slot_count; i++, bytes += sizeof(saved_body)) {
        saved_body body = body_of(&m->bodies[i]);
        memcpy(bytes, &body, sizeof body);
    }
    for (uint32_t i = 0; i < header.slot_count; i++) {
        const lt_multi_body *b = &m->bodies[i];
        if (b->is_warm) {
            memcpy(bytes, b->warm, warm_size(b->node_count));
            bytes += warm_size(b->node_count);
        }
        for (int which = 0; which < 2; which++)
            if (says_anything(long_at(b, which))) bytes = save_long(m, long_at(b, which), bytes);
    }
    bytes = lt_multi_entries_save(m, bytes);
    lt_memory_save(state, bytes);
}

static bool warm_is_sane(const uint8_t *bytes, uint32_t node_count) {
    bool sane = true;
    lt_real value;
    for (size_t i = 0; i < 4 * (size_t)node_count; i++) {
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        sane = sane && value > (lt_real)-1e15 && value < (lt_real)1e15;
    }
    return sane;
}

static bool way_is_sane(const uint8_t *bytes, size_t size) {
    bool sane = true;
    float value;
    for (size_t i = 0; i < size; i += sizeof value) {
        memcpy(&value, bytes + i, sizeof value);
        sane = sane && value > -1e15f && value < 1e15f;
    }
    return sane;
}

static bool pose_is_sane(const saved_long *saved) {
    uint8_t bytes[2 * sizeof(lt_vec3) + 2 * sizeof(lt_quat)];
    memcpy(bytes, &saved->position, sizeof(lt_vec3));
    memcpy(bytes + sizeof(lt_vec3), &saved->target_position, sizeof(lt_vec3));
    memcpy(bytes + 2 * sizeof(lt_vec3), &saved->rotation, sizeof(lt_quat));
    memcpy(bytes + 2 * sizeof(lt_vec3) + sizeof(lt_quat), &saved->target_rotation, sizeof(lt_quat));
    return way_is_sane(bytes, sizeof bytes);
}

/* Whether there is such a pair. */
static bool pair_is_there(const lt_multi_method *m, uint32_t body, int which, const saved_long *saved,
                          const lt_method_step *world) {
    if (which == 0) return saved->kind == LT_PAIR_SELF && saved->b == body;
    if (saved->kind == LT_PAIR_OBSTACLE)
        return saved->b < world->obstacle_count && world->obstacles[saved->b].in_use && pose_is_sane(saved);
    return saved->kind == LT_PAIR_BODIES && saved->b > body && saved->b < m->body_capacity &&
           m->bodies[saved->b].others;
}

/* Where what follows begins; NULL as below. */
static const uint8_t *check_long(const lt_multi_method *m, uint32_t body, int which, const uint8_t *at,
                                 const uint8_t *end, const lt_method_step *world) {
    LT_ASSERT(body < m->body_capacity);
    const lt_multi_long *own = long_at(&m->bodies[body], which);
    saved_long saved;
    if (!own || (size_t)(end - at) < sizeof saved) return NULL;
    memcpy(&saved, at, sizeof saved);
    if (saved.is_begun > 1 || saved.has_known > 1 || saved.moves > 1 || saved.has_met > 1 ||
        (saved.has_known && which))
        return NULL;
    if (saved.is_begun && saved.stages_left >= saved.stages) return NULL;
    if (saved.is_begun && !pair_is_there(m, body, which, &saved, world)) return NULL;
    if (!(saved.separation >= 0 && saved.separation < 1e15f)) return NULL;
    if (!(saved.known_room >= 0 && saved.known_room < 1e15f) || saved.units >= LT_MULTI_LONGEST ||
        saved.past_units >= LT_MULTI_LONGEST || saved.paid > saved.units)
        return NULL;
    saved_ways ways = ways_of(m, own, &saved);
    size_t size = long_size(&ways);
    if ((size_t)(end - at) < size || !way_is_sane(at + sizeof saved, size - sizeof saved)) return NULL;
    return at + size;
}

/* Where the bytes of all methods begin; NULL: they do not fit, or no step can have left them. */
static const uint8_t *check_bodies(const lt_multi_method *m, const uint8_t *bytes, size_t size,
                                   const saved_header *header, const lt_method_step *world) {
    if (header->slot_count != slot_count(m) || !(header->dt >= 0 && header->dt <= 1)) return NULL;
    if ((size - sizeof *header) / sizeof(saved_body) < header->slot_count) return NULL;
    const uint8_t *bodies = bytes + sizeof *header, *at = bodies + header->slot_count * sizeof(saved_body);
    const uint8_t *end = bytes + size;
    for (uint32_t i = 0; at && i < header->slot_count; i++) {
        saved_body body;
        memcpy(&body, bodies + i * sizeof body, sizeof body);
        if (body.node_count != m->bodies[i].node_count || body.is_warm > 1 || body.has_long > 3) return NULL;
        if (!(body.sigma >= 0 && body.sigma < 1e6)) return NULL;
        if (body.is_warm) {
            if ((size_t)(end - at) < warm_size(body.node_count) || !warm_is_sane(at, body.node_count))
                return NULL;
            at += warm_size(body.node_count);
        }
        for (int which = 0; at && which < 2; which++)
            if (body.has_long >> which & 1) at = check_long(m, i, which, at, end, world);
    }
    return at;
}

static lt_obstacle obstacle_of(const saved_long *saved, const lt_method_step *world) {
    lt_obstacle obstacle = world->obstacles[saved->b];
    lt_obstacle_place(&obstacle, saved->position, saved->rotation);
    obstacle.target_position = saved->target_position;
    obstacle.target_rotation = saved->target_rotation;
    obstacle.moving = saved->moves != 0;
    return obstacle;
}

/* What is begun goes on, unless it is with a body that another is under way with: no step can have left that. */
static void resume_long(const lt_multi_method *m, uint32_t body, lt_multi_long *own, const saved_long *saved,
                        const lt_method_step *world) {
    own->pair = (lt_pair){.a = body, .kind = (lt_pair_kind)saved->kind, .b = saved->b};
    own->is_begun = own->way.lent_to == LT_NONE && lt_multi_long_borrow(own, m);
    if (saved->kind == LT_PAIR_OBSTACLE) own->obstacle = obstacle_of(saved, world);
    if (own->is_begun) lt_multi_long_repeat(own, world->level);
}

static const uint8_t *restore_long(const lt_multi_method *m, uint32_t body, int which, const uint8_t *bytes,
                                   const lt_method_step *world) {
    LT_ASSERT(body < m->body_capacity);
    lt_multi_long *own = long_at(&m->bodies[body], which);
    saved_long saved;
    memcpy(&saved, bytes, sizeof saved);
    bytes += sizeof saved;
    own->has_known = saved.has_known != 0;
    own->steps = saved.steps;
    own->last_steps = saved.last_steps;
    own->age = saved.age;
    own->last_age = saved.last_age;
    own->paid = saved.paid;
    own->stages = saved.stages;
    own->stages_left = saved.stages_left;
    own->has_met = saved.has_met != 0;
    own->past_units = saved.past_units;
    own->separation = saved.separation;
    own->known_room = saved.known_room;
    memcpy(own->times, saved.times, sizeof own->times);
    memcpy(own->known_times, saved.known_times, sizeof own->known_times);
    own->units = saved.units;
    own->whole_units = saved.whole_units;
    saved_ways ways = ways_of(m, own, &saved);
    for (uint32_t i = 0; i < ways.count; i++) {
        memcpy(ways.ends[i], bytes, ways.sizes[i]);
        bytes += ways.sizes[i];
    }
    if (own->has_known) lt_multi_long_measure_known(own);
    if (saved.is_begun) resume_long(m, body, own, &saved, world);
    return bytes;
}

/* Returns where the arrays of the next begin. */
static const uint8_t *restore_body(const lt_multi_method *m, uint32_t index, const saved_body *body,
                                   const uint8_t *arrays, const lt_method_step *world) {
    LT_ASSERT(index < m->body_capacity);
    lt_multi_body *b = &m->bodies[index];
    b->pin_count = body->pin_count;
    b->row_count = body->row_count;
    b->sigma = (lt_real)body->sigma;
    b->is_warm = body->is_warm != 0;
    if (!b->node_count) return arrays;
    memset(b->warm, 0, warm_size(b->node_count));
    if (b->is_warm) memcpy(b->warm, arrays, warm_size(b->node_count));
    if (b->is_warm) arrays += warm_size(b->node_count);
    for (int which = 0; which < 2; which++)
        if (body->has_long >> which & 1) arrays = restore_long(m, index, which, arrays, world);
    return arrays;
}

bool lt_multi_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_multi_method *m = state;
    saved_header header;
    if (size < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    const uint8_t *entries = check_bodies(m, bytes, size, &header, world);
    const uint8_t *rest = entries ? lt_multi_entries_check(m, entries, bytes + size, world) : NULL;
    if (!rest || !lt_memory_restore(state, rest, size - (size_t)(rest - bytes), world)) return false;
    const uint8_t *arrays = bytes + sizeof header + header.slot_count * sizeof(saved_body);
    m->dt = header.dt;
    lt_multi_entries_restore(m, entries);
    for (uint32_t i = 0; i < header.slot_count; i++)
        lt_multi_long_stop_body(m, i);
    for (uint32_t i = 0; i < header.slot_count; i++) {
        saved_body body;
        memcpy(&body, bytes + sizeof header + i * sizeof body, sizeof body);
        arrays = restore_body(m, i, &body, arrays, world);
    }
    return true;
}

static uint64_t hash_long(uint64_t hash, const lt_multi_method *m, const lt_multi_long *own) {
    saved_long saved = long_of(own);
    saved_ways ways = ways_of(m, own, &saved);
    hash = lt_hash_bytes(hash, &saved, sizeof saved);
    for (uint32_t i = 0; i < ways.count; i++)
        hash = lt_hash_bytes(hash, ways.ends[i], ways.sizes[i]);
    return hash;
}

/* Impulses, too, are where the next answer begins. */
uint64_t lt_multi_hash(const void *state, uint64_t hash) {
    const lt_multi_method *m = state;
    hash = lt_memory_hash(state, hash);
    for (uint32_t i = 0; i < m->memory.contacts.count; i++)
        hash = lt_hash_bytes(hash, &m->memory.contacts.records[i].force, sizeof(lt_vec3));
    hash = lt_hash_bytes(hash, &m->dt, sizeof m->dt);
    hash = lt_multi_entries_hash(m, hash);
    for (uint32_t i = 0; i < slot_count(m); i++) {
        saved_body body = body_of(&m->bodies[i]);
        hash = lt_hash_bytes(hash, &body, sizeof body);
        if (body.is_warm) hash = lt_hash_bytes(hash, m->bodies[i].warm, warm_size(body.node_count));
        for (int which = 0; which < 2; which++)
            if (body.has_long >> which & 1) hash = hash_long(hash, m, long_at(&m->bodies[i], which));
    }
    return hash;
}
