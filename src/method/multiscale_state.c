/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the method keeps of bodies over steps: made, forgotten, saved and restored.
 *
 *   header │ per slot: node count, pins, σ, whether it is warm │ Δv of those that are warm │ what all methods keep */

#include "core/hash.h"
#include "method/multiscale_work.h"

#include <string.h>

/* ---- life ---- */

static void drop_body(lt_multi_method *m, uint32_t slot) {
    lt_multi_body *body = &m->bodies[slot];
    LT_DELETE(&m->memory.allocator, body->warm, 4 * (size_t)body->node_count, lt_real);
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

lt_status lt_multi_reserve(void *state, const lt_collider *colliders, uint32_t collider_count,
                           lt_error *error) {
    lt_multi_method *m = state;
    bool ok = grow_bodies(m, collider_count);
    for (uint32_t i = 0; ok && i < collider_count; i++) {
        if (!colliders[i].in_use || m->bodies[i].node_count) continue;
        uint32_t nodes = colliders[i].soft->carrier.node_count;
        m->bodies[i].warm = LT_NEW(&m->memory.allocator, 4 * (size_t)nodes, lt_real);
        ok = m->bodies[i].warm != NULL;
        if (ok) m->bodies[i].node_count = nodes;
    }
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
}

/* ---- saving ---- */

typedef struct saved_header {
    uint32_t slot_count;
    float dt;
} saved_header;

typedef struct saved_body {
    uint32_t node_count, pin_count, is_warm, padding;
    double sigma;
} saved_body;

/* The slots that hold anything: others say nothing. */
static uint32_t slot_count(const lt_multi_method *m) {
    uint32_t count = m->body_capacity;
    while (count > 0 && m->bodies[count - 1].node_count == 0)
        count--;
    return count;
}

static saved_body body_of(const lt_multi_body *b) {
    return (saved_body){.node_count = b->node_count,
                        .pin_count = b->pin_count,
                        .is_warm = b->is_warm,
                        .sigma = (double)b->sigma};
}

static size_t warm_size(uint32_t node_count) {
    return 4 * (size_t)node_count * sizeof(lt_real);
}

size_t lt_multi_state_size(const void *state) {
    const lt_multi_method *m = state;
    uint32_t slots = slot_count(m);
    size_t size = sizeof(saved_header) + slots * sizeof(saved_body);
    for (uint32_t i = 0; i < slots; i++)
        if (m->bodies[i].is_warm) size += warm_size(m->bodies[i].node_count);
    return size + lt_memory_state_size(state);
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
        if (!m->bodies[i].is_warm) continue;
        memcpy(bytes, m->bodies[i].warm, warm_size(m->bodies[i].node_count));
        bytes += warm_size(m->bodies[i].node_count);
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

/* Where the bytes of all methods begin; NULL: they do not fit, or no step can have left them. */
static const uint8_t *check_bodies(const lt_multi_method *m, const uint8_t *bytes, size_t size,
                                   const saved_header *header) {
    if (header->slot_count != slot_count(m) || !(header->dt >= 0 && header->dt <= 1)) return NULL;
    if ((size - sizeof *header) / sizeof(saved_body) < header->slot_count) return NULL;
    const uint8_t *bodies = bytes + sizeof *header, *at = bodies + header->slot_count * sizeof(saved_body);
    const uint8_t *end = bytes + size;
    for (uint32_t i = 0; i < header->slot_count; i++) {
        saved_body body;
        memcpy(&body, bodies + i * sizeof body, sizeof body);
        if (body.node_count != m->bodies[i].node_count || body.is_warm > 1) return NULL;
        if (!(body.sigma >= 0 && body.sigma < 1e6)) return NULL;
        if (!body.is_warm) continue;
        if ((size_t)(end - at) < warm_size(body.node_count) || !warm_is_sane(at, body.node_count))
            return NULL;
        at += warm_size(body.node_count);
    }
    return at;
}

bool lt_multi_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_multi_method *m = state;
    saved_header header;
    if (size < sizeof header) return false;
    memcpy(&header, bytes, sizeof header);
    const uint8_t *rest = check_bodies(m, bytes, size, &header);
    if (!rest || !lt_memory_restore(state, rest, size - (size_t)(rest - bytes), world)) return false;
    const uint8_t *warm = bytes + sizeof header + header.slot_count * sizeof(saved_body);
    m->dt = header.dt;
    for (uint32_t i = 0; i < header.slot_count; i++) {
        saved_body body;
        memcpy(&body, bytes + sizeof header + i * sizeof body, sizeof body);
        lt_multi_body *b = &m->bodies[i];
        b->pin_count = body.pin_count;
        b->sigma = (lt_real)body.sigma;
        b->is_warm = body.is_warm != 0;
        if (!b->node_count) continue;
        memset(b->warm, 0, warm_size(b->node_count));
        if (b->is_warm) memcpy(b->warm, warm, warm_size(b->node_count));
        if (b->is_warm) warm += warm_size(b->node_count);
    }
    return true;
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
    }
    return hash;
}
