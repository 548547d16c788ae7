/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/memory.h"

#include "core/hash.h"

#include <stddef.h>
#include <string.h>

/* ---- life ---- */

void lt_memory_destroy(void *state) {
    lt_memory *r = state;
    if (!r) return;
    lt_allocator allocator = r->allocator;
    LT_DELETE(&allocator, r->contacts.records, r->contacts.capacity, lt_contact_record);
    LT_DELETE(&allocator, r->pairs.pairs, r->pairs.capacity, lt_pair);
    LT_DELETE(&allocator, r->pairs.turns, r->pairs.capacity, lt_turn);
    lt_front_cache_free(&r->cache, &allocator);
    lt_release(&allocator, r, 1, r->state_size);
}

lt_status lt_memory_create(void **state, size_t state_size, const lt_memory_rules *rules,
                           const lt_allocator *allocator, lt_error *error) {
    lt_memory *r = lt_allocate(allocator, 1, state_size);
    if (!r) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a method");
    r->allocator = allocator ? *allocator : lt_allocator_default();
    r->state_size = state_size;
    r->rules = rules;
    *state = r;
    return LT_OK;
}

/* There is an array even for none: what copies nothing copies it from somewhere. */
static bool grow_contacts(lt_contact_list *list, uint32_t capacity, const lt_allocator *allocator) {
    if (capacity <= list->capacity && list->records) return true;
    lt_contact_record *records =
        LT_ENLARGE(allocator, list->records, list->capacity, capacity, lt_contact_record);
    if (!records) return false;
    list->records = records;
    list->capacity = capacity;
    return true;
}

/* Both arrays or none: they share a capacity. */
static bool grow_pairs(lt_pair_list *list, uint32_t capacity, const lt_allocator *allocator) {
    if (capacity <= list->capacity && list->pairs) return true;
    lt_turn *turns = LT_NEW(allocator, capacity, lt_turn);
    lt_pair *pairs = turns ? LT_ENLARGE(allocator, list->pairs, list->capacity, capacity, lt_pair) : NULL;
    if (!pairs) {
        LT_DELETE(allocator, turns, capacity, lt_turn);
        return false;
    }
    if (list->count) memcpy(turns, list->turns, list->count * sizeof *turns);
    LT_DELETE(allocator, list->turns, list->capacity, lt_turn);
    list->pairs = pairs;
    list->turns = turns;
    list->capacity = capacity;
    return true;
}

lt_status lt_memory_reserve(void *state, const lt_capacities *capacities, const lt_collider *colliders,
                            uint32_t collider_count, lt_error *error) {
    lt_memory *r = state;
    (void)colliders, (void)collider_count; /* what depends on them is scratch */
    if (grow_contacts(&r->contacts, capacities->contacts, &r->allocator) &&
        grow_pairs(&r->pairs, capacities->pairs, &r->allocator))
        return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u contacts and %u pairs", capacities->contacts,
                   capacities->pairs);
}

size_t lt_memory_scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                         uint32_t collider_count) {
    (void)state;
    size_t contacts = capacities->contacts, pairs = capacities->pairs;
    size_t bytes = contacts * sizeof(lt_contact_record) + lt_contact_scratch_size(capacities->contacts) +
                   pairs * (sizeof(lt_tested) + sizeof(uint32_t));
    bytes += capacities->couplings * sizeof(lt_coupling) + 8 * 64;
    return bytes + lt_broad_scratch(collider_count, capacities->pairs) +
           lt_penalty_scratch(colliders, collider_count, capacities->contacts);
}

/* Keeps a pair in place `kept`, which is not behind its own. */
static void keep_pair(lt_memory *r, uint32_t pair, uint32_t kept) {
    r->pairs.pairs[kept] = r->pairs.pairs[pair];
    r->pairs.turns[kept] = r->pairs.turns[pair];
    if (r->cache.capacity) r->cache.fronts[kept] = r->cache.fronts[pair];
}

static void forget_pair(lt_memory *r, uint32_t pair) {
    if (r->cache.capacity) lt_front_cache_forget(&r->cache, pair);
}

static void keep_pairs(lt_memory *r, uint32_t kept) {
    r->pairs.count = kept;
    if (r->cache.capacity) r->cache.front_count = kept;
}

static bool concerns_body(const lt_contact_record *c, uint32_t body) {
    return c->a == body || (c->kind != LT_PAIR_OBSTACLE && c->b == body);
}

void lt_memory_forget_body(void *state, uint32_t body) {
    lt_memory *r = state;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        if (!concerns_body(&r->contacts.records[i], body))
            r->contacts.records[kept++] = r->contacts.records[i];
    r->contacts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        if (lt_pair_is_of_body(&r->pairs.pairs[i], body))
            forget_pair(r, i);
        else
            keep_pair(r, i, kept++);
    }
    keep_pairs(r, kept);
}

void lt_memory_forget_obstacle(void *state, uint32_t obstacle) {
    lt_memory *r = state;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        if (r->contacts.records[i].kind != LT_PAIR_OBSTACLE || r->contacts.records[i].b != obstacle)
            r->contacts.records[kept++] = r->contacts.records[i];
    r->contacts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        if (lt_pair_is_of_obstacle(&r->pairs.pairs[i], obstacle))
            forget_pair(r, i);
        else
            keep_pair(r, i, kept++);
    }
    keep_pairs(r, kept);
}

void lt_memory_displace_body(void *state, uint32_t body) {
    lt_memory *r = state;
    for (uint32_t i = 0; i < r->pairs.count; i++)
        if (lt_pair_is_of_body(&r->pairs.pairs[i], body)) forget_pair(r, i);
}

const lt_contact_list *lt_memory_contacts(const void *state) {
    return &((const lt_memory *)state)->contacts;
}

const lt_pair_list *lt_memory_pairs(const void *state) {
    return &((const lt_memory *)state)->pairs;
}

uint32_t lt_memory_waited(const void *state, uint32_t pair) {
    const lt_turn *turn = &((const lt_memory *)state)->pairs.turns[pair];
    return turn->now ? 0 : turn->age;
}

/* ---- saving: counts, contacts, pairs, turns, fronts ---- */

size_t lt_memory_state_size(const void *state) {
    const lt_memory *r = state;
    return 2 * sizeof(uint32_t) + r->contacts.count * sizeof(lt_contact_record) +
           r->pairs.count * (sizeof(lt_pair) + sizeof(lt_turn)) + lt_front_cache_state_size(&r->cache);
}

void lt_memory_save(const void *state, uint8_t *bytes) {
    const lt_memory *r = state;
    const uint32_t counts[2] = {r->contacts.count, r->pairs.count};
    memcpy(bytes, counts, sizeof counts);
    bytes += sizeof counts;
    memcpy(bytes, r->contacts.records, r->contacts.count * sizeof(lt_contact_record));
    bytes += r->contacts.count * sizeof(lt_contact_record);
    memcpy(bytes, r->pairs.pairs, r->pairs.count * sizeof(lt_pair));
    bytes += r->pairs.count * sizeof(lt_pair);
    memcpy(bytes, r->pairs.turns, r->pairs.count * sizeof(lt_turn));
    lt_front_cache_save(&r->cache, bytes + r->pairs.count * sizeof(lt_turn));
}

static bool body_exists(const lt_method_step *world, uint32_t body) {
    return body < world->collider_count && world->colliders[body].in_use;
}

static bool key_is_sound(const lt_method_step *world, uint32_t a, lt_pair_kind kind, uint32_t b) {
    if (!body_exists(world, a)) return false;
    if (kind == LT_PAIR_OBSTACLE) return b < world->obstacle_count && world->obstacles[b].in_use;
    return kind == LT_PAIR_SELF ? b == a : kind == LT_PAIR_BODIES && body_exists(world, b) && a < b;
}

static bool hold_is_sound(const lt_collider *collider, const lt_attachment *hold) {
    bool sound = lt_holder_exists(collider, hold->tet);
    for (int k = 0; k < 4; k++)
        sound = sound && fabsf(hold->weights[k]) <= LT_ATTACHMENT_WEIGHT_MAX;
    return sound;
}

static bool touch_is_sound(const lt_memory *memory, const lt_method_step *world, const lt_contact_record *c) {
    bool second = c->kind == LT_PAIR_BODIES && c->touch.body == c->b;
    if (!second && c->touch.body != c->a) return false;
    const lt_collider *own = &world->colliders[c->touch.body];
    if (c->touch.point == LT_NONE ? !hold_is_sound(own, &c->touch.own)
                                  : c->touch.point >= own->skin->point_count)
        return false;
    if (!memory->rules->feature_is_sound(world, c)) return false;
    if (c->kind != LT_PAIR_OBSTACLE &&
        !hold_is_sound(&world->colliders[second ? c->a : c->b], &c->touch.other))
        return false;
    float sum = c->touch.depth - c->touch.depth + (c->touch.area - c->touch.area);
    return sum == 0 && c->touch.area >= 0 && c->touch.apart >= 0 && c->touch.apart < 1e30f &&
           c->touch.approximate <= 1 && fabsf(lt_v3_length(c->touch.normal) - 1) < 5e-5f;
}

/* A flag that is neither 0 nor 1 must not be looked at as a bool. */
static bool contact_is_sound(const lt_memory *memory, const lt_method_step *world, const uint8_t *bytes,
                             const lt_contact_record *c) {
    float sum = c->credit - c->credit + (c->depth - c->depth);
    return bytes[offsetof(lt_contact_record, is_new)] <= 1 &&
           bytes[offsetof(lt_contact_record, ended)] <= 1 && sum == 0 &&
           key_is_sound(world, c->a, c->kind, c->b) && touch_is_sound(memory, world, c) &&
           lt_v3_is_finite(c->stick) && lt_v3_is_finite(c->position) && lt_v3_is_finite(c->force) &&
           fabsf(lt_v3_length(c->normal) - 1) < 5e-5f;
}

static bool contacts_are_sound(const lt_memory *memory, const lt_method_step *world, const uint8_t *bytes,
                               uint32_t count) {
    lt_contact_record before = {0}, now;
    for (uint32_t i = 0; i < count; i++, bytes += sizeof now, before = now) {
        memcpy(&now, bytes, sizeof now);
        if (!contact_is_sound(memory, world, bytes, &now)) return false;
        if (i > 0 && lt_contact_compare(&before, &now) >= 0) return false;
    }
    return true;
}

static bool pairs_are_sound(const lt_memory *memory, const lt_method_step *world, const uint8_t *bytes,
                            uint32_t count) {
    const uint8_t *turns = bytes + count * sizeof(lt_pair);
    lt_contact_record before = {0}, now = {0}; /* pairs are in the order of their contacts */
    for (uint32_t i = 0; i < count; i++, before = now) {
        lt_pair p;
        memcpy(&p, bytes + i * sizeof p, sizeof p);
        if (!key_is_sound(world, p.a, p.kind, p.b)) return false;
        now = (lt_contact_record){.a = p.a, .kind = p.kind, .b = p.b};
        if (i > 0 && lt_contact_compare(&before, &now) >= 0) return false;
        if (!memory->rules->pair_is_sound(world, &p)) return false;
        const uint8_t *turn = turns + i * sizeof(lt_turn);
        float harm;
        memcpy(&harm, turn + offsetof(lt_turn, harm), sizeof harm);
        if (harm - harm != 0) return false;
        if (turn[offsetof(lt_turn, served)] > 1 || turn[offsetof(lt_turn, now)] > 1) return false;
    }
    return true;
}

bool lt_memory_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_memory *r = state;
    uint32_t counts[2];
    if (size < sizeof counts) return false;
    memcpy(counts, bytes, sizeof counts);
    if (counts[0] > r->contacts.capacity || counts[1] > r->pairs.capacity) return false;
    size_t contact_bytes = counts[0] * sizeof(lt_contact_record), pair_bytes = counts[1] * sizeof(lt_pair);
    size_t turn_bytes = counts[1] * sizeof(lt_turn);
    if (size < sizeof counts + contact_bytes + pair_bytes + turn_bytes) return false;
    size -= sizeof counts + contact_bytes + pair_bytes + turn_bytes;
    bytes += sizeof counts;
    const uint8_t *pairs = bytes + contact_bytes, *fronts = pairs + pair_bytes + turn_bytes;
    if (!contacts_are_sound(r, world, bytes, counts[0])) return false;
    if (!pairs_are_sound(r, world, pairs, counts[1])) return false;
    if (!lt_front_cache_is_sound(&r->cache, fronts, size, pairs, counts[1], world->colliders)) return false;
    r->contacts.count = counts[0];
    r->pairs.count = counts[1];
    memcpy(r->contacts.records, bytes, contact_bytes);
    memcpy(r->pairs.pairs, pairs, pair_bytes);
    memcpy(r->pairs.turns, pairs + pair_bytes, turn_bytes);
    lt_front_cache_restore(&r->cache, fronts, &r->pairs, world->colliders);
    return true;
}

static uint64_t hash_contact(uint64_t hash, const lt_contact_record *c) {
    hash = lt_hash_u64(hash, ((uint64_t)c->a << 32) | c->b);
    hash = lt_hash_u64(hash, ((uint64_t)c->kind << 32) | c->feature);
    hash = lt_hash_u64(hash, ((uint64_t)c->touch.other.tet << 32) | c->age);
    hash = lt_hash_u64(hash, ((uint64_t)c->touch.body << 32) | c->touch.point);
    hash = lt_hash_u64(hash, c->touch.approximate);
    hash = lt_hash_bytes(hash, c->touch.other.weights, sizeof c->touch.other.weights);
    hash = lt_hash_bytes(hash, &c->touch.normal, sizeof c->touch.normal);
    hash = lt_hash_bytes(hash, &c->touch.depth, sizeof c->touch.depth);
    hash = lt_hash_bytes(hash, &c->touch.apart, sizeof c->touch.apart);
    hash = lt_hash_bytes(hash, &c->touch.area, sizeof c->touch.area);
    hash = lt_hash_bytes(hash, &c->depth, sizeof c->depth);
    if (c->touch.point == LT_NONE)
        hash = lt_hash_bytes(lt_hash_u64(hash, c->touch.own.tet), c->touch.own.weights,
                             sizeof c->touch.own.weights);
    hash = lt_hash_bytes(hash, &c->stick, sizeof c->stick);
    return lt_hash_bytes(hash, &c->credit, sizeof c->credit);
}

uint64_t lt_memory_hash(const void *state, uint64_t hash) {
    const lt_memory *r = state;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        hash = hash_contact(hash, &r->contacts.records[i]);
    for (uint32_t i = 0; i < r->pairs.count; i++) {
        const lt_pair *p = &r->pairs.pairs[i];
        const lt_turn *turn = &r->pairs.turns[i];
        hash = lt_hash_u64(hash, ((uint64_t)p->a << 32) | p->b);
        hash = lt_hash_u64(hash, ((uint64_t)p->kind << 32) | p->next);
        hash = lt_hash_u64(hash, ((uint64_t)p->left << 32) | turn->age);
        hash = lt_hash_u64(hash, turn->served);
        hash = lt_hash_bytes(hash, &turn->harm, sizeof turn->harm);
    }
    return lt_front_cache_hash(&r->cache, hash);
}
