/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the method keeps of bodies over steps: made, forgotten, saved and restored.
 *
 *   header │ per slot: node count, pins, σ, whether it is warm and has a long turn │ per slot: Δv if it is warm, its long turn and the
 *   ways of that │ what all methods keep */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

/* ---- life ---- */

static void drop_body(lt_multi_method *m, uint32_t slot) {
    lt_multi_body *body = &m->bodies[slot];
    LT_DELETE(&m->memory.allocator, body->warm, 4 * (size_t)body->node_count, lt_real);
    lt_multi_long_free(body->own, &m->memory.allocator);
    *body = (lt_multi_body){0};
}

void lt_multi_destroy(void *state) {
    lt_multi_method *m = state;
    if (!m) return;
    for (uint32_t i = 0; i < m->body_capacity; i++)
        drop_body(m, i);
    LT_DELETE(&m->memory.allocator, m->bodies, m->body_capacity, lt_multi_body);
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
    lt_real *warm = LT_NEW(allocator, 4 * (size_t)nodes, lt_real);
    lt_multi_long *own = warm && with_itself ? lt_multi_long_create(collider, allocator) : NULL;
    if (warm && (own || !with_itself)) {
        *out = (lt_multi_body){.node_count = nodes, .warm = warm, .own = own};
        return true;
    }
    LT_DELETE(allocator, warm, 4 * (size_t)nodes, lt_real);
    return false;
}

lt_status lt_multi_reserve(void *state, const lt_collider *colliders, uint32_t collider_count,
                           lt_error *error) {
    lt_multi_method *m = state;
    bool ok = grow_bodies(m, collider_count);
    for (uint32_t i = 0; ok && i < collider_count; i++)
        if (colliders[i].in_use && !m->bodies[i].node_count)
            ok = make_body(&m->bodies[i], &colliders[i], &m->memory.allocator);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for the answers of %u bodies", collider_count);
}

void lt_multi_forget_body(void *state, uint32_t body) {
    lt_multi_method *m = state;
    lt_memory_forget_body(state, body);
    if (body < m->body_capacity) drop_body(m, body);
}

/* It may be in others now. */
void lt_multi_displace_body(void *state, uint32_t body) {
    lt_multi_method *m = state;
    lt_memory_displace_body(state, body);
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        lt_pair *p = &m->memory.pairs.pairs[i];
        if (lt_pair_is_of_body(p, body)) p->left = p->next = 0; /* LT_MULTI_UNKNOWN, and no depth */
    }
    if (body < m->body_capacity) lt_multi_long_stop(m->bodies[body].own);
}

/* ---- saving ---- */

typedef struct saved_header {
    uint32_t slot_count;
    float dt;
} saved_header;

typedef struct saved_body {
    uint32_t node_count, pin_count, is_warm, has_long;
    double sigma;
} saved_body;

/* The long turn of a body that has one, or is not decided. */
typedef struct saved_long {
    uint32_t is_on, is_begun, has_known, steps, last_steps, paid;
    float separation, known_room;
    uint64_t units, whole_units;
    uint8_t times[LT_MULTI_PARTS], known_times[LT_MULTI_PARTS];
} saved_long;

/* The slots that hold anything: others say nothing. */
static uint32_t slot_count(const lt_multi_method *m) {
    uint32_t count = m->body_capacity;
    while (count > 0 && m->bodies[count - 1].node_count == 0)
        count--;
    return count;
}

static saved_body body_of(const lt_multi_body *b) {
    const lt_multi_long *own = b->own;
    return (saved_body){.node_count = b->node_count,
                        .pin_count = b->pin_count,
                        .is_warm = b->is_warm,
                        .has_long = own && (own->is_on || own->is_begun || own->has_known),
                        .sigma = (double)b->sigma};
}

static saved_long long_of(const lt_multi_long *own) {
    saved_long saved = {.is_on = own->is_on,
                        .is_begun = own->is_begun,
                        .has_known = own->has_known,
                        .steps = own->steps,
                        .last_steps = own->last_steps,
                        .paid = own->paid,
                        .separation = own->is_begun ? own->separation : 0,
                        .known_room = own->known_room,
                        .units = own->units,
                        .whole_units = own->whole_units};
    if (own->is_begun) memcpy(saved.times, own->times, sizeof saved.times);
    if (own->has_known) memcpy(saved.known_times, own->known_times, sizeof saved.known_times);
    return saved;
}

static size_t warm_size(uint32_t node_count) {
    return 4 * (size_t)node_count * sizeof(lt_real);
}

static size_t way_size(uint32_t node_count) {
    return 4 * (size_t)node_count * sizeof(float);
}

/* Arrays of a long turn, in the order in which they are saved; returns how many there are. */
static uint32_t ways_of(float *out[4], const lt_multi_long *own, const saved_long *saved) {
    uint32_t count = 0;
    for (int i = 0; saved->is_begun && i < 2; i++)
        out[count++] = own->ends[i];
    for (int i = 0; saved->has_known && i < 2; i++)
        out[count++] = own->known[i];
    return count;
}

static size_t long_size(const saved_long *saved, uint32_t node_count) {
    return sizeof *saved + (2 * saved->is_begun + 2 * saved->has_known) * way_size(node_count);
}

size_t lt_multi_state_size(const void *state) {
    const lt_multi_method *m = state;
    uint32_t slots = slot_count(m);
    size_t size = sizeof(saved_header) + slots * sizeof(saved_body);
    for (uint32_t i = 0; i < slots; i++) {
        const lt_multi_body *b = &m->bodies[i];
        if (b->is_warm) size += warm_size(b->node_count);
        if (!body_of(b).has_long) continue;
        saved_long saved = long_of(b->own);
        size += long_size(&saved, b->node_count);
    }
    return size + lt_memory_state_size(state);
}

static uint8_t *save_long(const lt_multi_body *b, uint8_t *bytes) {
    saved_long saved = long_of(b->own);
    float *ways[4];
    uint32_t count = ways_of(ways, b->own, &saved);
    memcpy(bytes, &saved, sizeof saved);
    bytes += sizeof saved;
    for (uint32_t i = 0; i < count; i++, bytes += way_size(b->node_count))
        memcpy(bytes, ways[i], way_size(b->node_count));
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
        if (body_of(b).has_long) bytes = save_long(b, bytes);
    }
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

/* Where what follows begins; NULL as below. */
static const uint8_t *check_long(const lt_multi_body *b, const uint8_t *at, const uint8_t *end) {
    saved_long saved;
    if (!b->own || (size_t)(end - at) < sizeof saved) return NULL;
    memcpy(&saved, at, sizeof saved);
    if (saved.is_on > 1 || saved.is_begun > 1 || saved.has_known > 1) return NULL;
    if (!(saved.separation >= 0 && saved.separation < 1e15f)) return NULL;
    if (!(saved.known_room >= 0 && saved.known_room < 1e15f) || saved.units >= LT_MULTI_LONGEST ||
        saved.paid > saved.units)
        return NULL;
    if ((size_t)(end - at) < long_size(&saved, b->node_count)) return NULL;
    if (!way_is_sane(at + sizeof saved, long_size(&saved, b->node_count) - sizeof saved)) return NULL;
    return at + long_size(&saved, b->node_count);
}

/* Where the bytes of all methods begin; NULL: they do not fit, or no step can have left them. */
static const uint8_t *check_bodies(const lt_multi_method *m, const uint8_t *bytes, size_t size,
                                   const saved_header *header) {
    if (header->slot_count != slot_count(m) || !(header->dt >= 0 && header->dt <= 1)) return NULL;
    if ((size - sizeof *header) / sizeof(saved_body) < header->slot_count) return NULL;
    const uint8_t *bodies = bytes + sizeof *header, *at = bodies + header->slot_count * sizeof(saved_body);
    const uint8_t *end = bytes + size;
    for (uint32_t i = 0; at && i < header->slot_count; i++) {
        saved_body body;
        memcpy(&body, bodies + i * sizeof body, sizeof body);
        if (body.node_count != m->bodies[i].node_count || body.is_warm > 1 || body.has_long > 1) return NULL;
        if (!(body.sigma >= 0 && body.sigma < 1e6)) return NULL;
        if (body.is_warm) {
            if ((size_t)(end - at) < warm_size(body.node_count) || !warm_is_sane(at, body.node_count))
                return NULL;
            at += warm_size(body.node_count);
        }
        if (body.has_long) at = check_long(&m->bodies[i], at, end);
    }
    return at;
}

static const uint8_t *restore_long(lt_multi_body *b, const uint8_t *bytes, lt_simd_level level) {
    lt_multi_long *own = b->own;
    saved_long saved;
    float *ways[4];
    memcpy(&saved, bytes, sizeof saved);
    bytes += sizeof saved;
    own->is_on = saved.is_on != 0;
    own->is_begun = saved.is_begun != 0;
    own->has_known = saved.has_known != 0;
    own->steps = saved.steps;
    own->last_steps = saved.last_steps;
    own->paid = saved.paid;
    own->separation = saved.separation;
    own->known_room = saved.known_room;
    memcpy(own->times, saved.times, sizeof own->times);
    memcpy(own->known_times, saved.known_times, sizeof own->known_times);
    own->units = saved.units;
    own->whole_units = saved.whole_units;
    uint32_t count = ways_of(ways, own, &saved);
    for (uint32_t i = 0; i < count; i++, bytes += way_size(b->node_count))
        memcpy(ways[i], bytes, way_size(b->node_count));
    if (own->has_known) lt_multi_long_measure_known(own);
    if (own->is_begun) lt_multi_long_repeat(own, level);
    return bytes;
}

/* Returns where the arrays of the next begin. */
static const uint8_t *restore_body(lt_multi_body *b, const saved_body *body, const uint8_t *arrays,
                                   lt_simd_level level) {
    b->pin_count = body->pin_count;
    b->sigma = (lt_real)body->sigma;
    b->is_warm = body->is_warm != 0;
    lt_multi_long_stop(b->own);
    if (!b->node_count) return arrays;
    memset(b->warm, 0, warm_size(b->node_count));
    if (b->is_warm) memcpy(b->warm, arrays, warm_size(b->node_count));
    if (b->is_warm) arrays += warm_size(b->node_count);
    return body->has_long ? restore_long(b, arrays, level) : arrays;
}

bool lt_multi_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_multi_method *m = state;
    saved_header header;
    if (size < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    const uint8_t *rest = check_bodies(m, bytes, size, &header);
    if (!rest || !lt_memory_restore(state, rest, size - (size_t)(rest - bytes), world)) return false;
    const uint8_t *arrays = bytes + sizeof header + header.slot_count * sizeof(saved_body);
    m->dt = header.dt;
    for (uint32_t i = 0; i < header.slot_count; i++) {
        saved_body body;
        memcpy(&body, bytes + sizeof header + i * sizeof body, sizeof body);
        arrays = restore_body(&m->bodies[i], &body, arrays, world->level);
    }
    return true;
}

static uint64_t hash_long(uint64_t hash, const lt_multi_body *b) {
    saved_long saved = long_of(b->own);
    float *ways[4];
    uint32_t count = ways_of(ways, b->own, &saved);
    hash = lt_hash_bytes(hash, &saved, sizeof saved);
    for (uint32_t i = 0; i < count; i++)
        hash = lt_hash_bytes(hash, ways[i], way_size(b->node_count));
    return hash;
}

/* Impulses, too, are where the next answer begins. */
uint64_t lt_multi_hash(const void *state, uint64_t hash) {
    const lt_multi_method *m = state;
    hash = lt_memory_hash(state, hash);
    for (uint32_t i = 0; i < m->memory.contacts.count; i++)
        hash = lt_hash_bytes(hash, &m->memory.contacts.records[i].force, sizeof(lt_vec3));
    hash = lt_hash_bytes(hash, &m->dt, sizeof m->dt);
    for (uint32_t i = 0; i < slot_count(m); i++) {
        saved_body body = body_of(&m->bodies[i]);
        hash = lt_hash_bytes(hash, &body, sizeof body);
        if (body.is_warm) hash = lt_hash_bytes(hash, m->bodies[i].warm, warm_size(body.node_count));
        if (body.has_long) hash = hash_long(hash, &m->bodies[i]);
    }
    return hash;
}
