/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/memory.h"

/* ---- life ---- */

void lt_memory_destroy(void *state) {
    lt_memory *r = state;
    if (!r) return;
    lt_allocator allocator = r->allocator;
    LT_DELETE(&allocator, r->contacts.records, r->contacts.capacity, lt_contact_record);
    lt_pair_table_free(&r->pairs, &allocator);
    lt_release(&allocator, r, 1, r->state_size);
}

static lt_pair_table make_pairs(lt_memory *owner, const lt_memory_rules *rules) {
    lt_pair_table pairs = lt_pair_table_make(rules->pair_size);
    pairs.begun = rules->begun;
    pairs.released = rules->released;
    pairs.owner = owner;
    return pairs;
}

lt_status lt_memory_create(void **state, size_t state_size, const lt_memory_rules *rules,
                           const lt_allocator *allocator, lt_error *error) {
    lt_memory *r = lt_allocate(allocator, 1, state_size);
    if (!r) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a method");
    r->allocator = allocator ? *allocator : lt_allocator_default();
    r->state_size = state_size;
    r->rules = rules;
    r->pairs = make_pairs(r, rules);
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

lt_status lt_memory_reserve(void *state, const lt_capacities *capacities, lt_collider *colliders,
                            uint32_t collider_count, lt_error *error) {
    lt_memory *r = state;
    (void)colliders, (void)collider_count; /* what depends on them is scratch */
    if (grow_contacts(&r->contacts, capacities->contacts, &r->allocator) &&
        lt_pair_table_reserve(&r->pairs, capacities->pairs, &r->allocator))
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

/* ---- forgetting ---- */

static bool is_of_body(const lt_contact_record *c, uint32_t body) {
    return c->a == body || (c->kind != LT_PAIR_OBSTACLE && c->b == body);
}

static bool is_of_obstacle(const lt_contact_record *c, uint32_t obstacle) {
    return c->kind == LT_PAIR_OBSTACLE && c->b == obstacle;
}

static void forget_contacts(lt_contact_list *list, bool (*is_gone)(const lt_contact_record *c, uint32_t who),
                            uint32_t who) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (!is_gone(&list->records[i], who)) list->records[kept++] = list->records[i];
    list->count = kept;
}

void lt_memory_forget_body(void *state, uint32_t body) {
    lt_memory *r = state;
    forget_contacts(&r->contacts, is_of_body, body);
    lt_pair_table_forget_body(&r->pairs, body);
    lt_contacts_range(&r->contacts, &r->pairs);
}

void lt_memory_forget_obstacle(void *state, uint32_t obstacle) {
    lt_memory *r = state;
    forget_contacts(&r->contacts, is_of_obstacle, obstacle);
    lt_pair_table_forget_obstacle(&r->pairs, obstacle);
    lt_contacts_range(&r->contacts, &r->pairs);
}

void lt_memory_displace_body(void *state, uint32_t body) {
    (void)state, (void)body;
}

/* Contacts are held by elements; where they were is for the caller, and for the torque on obstacles. */
void lt_memory_shift_body(void *state, uint32_t body, lt_vec3 by) {
    lt_memory *r = state;
    for (uint32_t i = 0; i < r->contacts.count; i++)
        if (r->contacts.records[i].a == body)
            r->contacts.records[i].position = lt_v3_add(r->contacts.records[i].position, by);
}

/* ---- reading ---- */

const lt_contact_list *lt_memory_contacts(const void *state) {
    return &((const lt_memory *)state)->contacts;
}

const lt_pair_table *lt_memory_pairs(const void *state) {
    return &((const lt_memory *)state)->pairs;
}

uint32_t lt_memory_waited(const void *state, uint32_t pair) {
    const lt_turn *turn = lt_pair_turn_at(lt_memory_pairs(state), pair);
    return turn->now ? 0 : turn->age;
}

static bool contacts_rise(const lt_contact_list *list) {
    for (uint32_t i = 1; i < list->count; i++)
        if (lt_contact_compare(&list->records[i - 1], &list->records[i]) >= 0) return false;
    return true;
}

const char *lt_memory_validate(const void *state) {
    const lt_memory *r = state;
    if (!lt_validate_pair_table(&r->pairs)) return "the pair table is not sound";
    if (r->contacts.count > r->contacts.capacity) return "more contacts than there is room for";
    if (!contacts_rise(&r->contacts)) return "contacts are not in the order of their keys";
    if (!lt_validate_contact_ranges(&r->contacts, &r->pairs)) return "a slot has contacts of another pair";
    return NULL;
}

/* ---- what can be ---- */

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

/* Below 0: how far a support may be inside an obstacle (respond/support.h). */
static bool apart_is_sound(const lt_memory *memory, const lt_contact_record *c) {
    bool is_support = memory->has_supports && c->kind == LT_PAIR_OBSTACLE && c->touch.point == LT_NONE;
    return c->touch.apart >= (is_support ? -1e30f : 0) && c->touch.apart < 1e30f;
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
    return sum == 0 && c->touch.area >= 0 && apart_is_sound(memory, c) && c->touch.approximate <= 1 &&
           fabsf(lt_v3_length(c->touch.normal) - 1) < 5e-5f;
}

static bool contact_is_sound(const lt_memory *memory, const lt_method_step *world,
                             const lt_contact_record *c) {
    float sum = c->credit - c->credit + (c->depth - c->depth);
    return sum == 0 && key_is_sound(world, c->a, c->kind, c->b) && touch_is_sound(memory, world, c) &&
           lt_v3_is_finite(c->stick) && lt_v3_is_finite(c->position) && lt_v3_is_finite(c->force) &&
           fabsf(lt_v3_length(c->normal) - 1) < 5e-5f;
}

/* ---- contacts as state ---- */

static void visit_vector(lt_stream *s, lt_vec3 *v) {
    lt_stream_floats(s, &v->x, 3);
}

/* The place on its own body is hashed where it is not a point of its surface. */
static void visit_own_place(lt_stream *s, lt_touch *touch) {
    bool is_hashed = touch->point == LT_NONE;
    if (!is_hashed) lt_stream_begin_unhashed(s);
    lt_stream_u32(s, &touch->own.tet);
    lt_stream_floats(s, touch->own.weights, 4);
    if (!is_hashed) lt_stream_end_unhashed(s);
}

static void visit_touch(lt_stream *s, lt_touch *touch, uint32_t *age) {
    lt_stream_two_u32(s, &touch->other.tet, age);
    lt_stream_two_u32(s, &touch->body, &touch->point);
    lt_stream_u32(s, &touch->approximate);
    lt_stream_floats(s, touch->other.weights, 4);
    visit_vector(s, &touch->normal);
    lt_stream_float(s, &touch->depth);
    lt_stream_float(s, &touch->apart);
    lt_stream_float(s, &touch->area);
}

/* Output of the last step decides nothing. */
static void visit_output(lt_stream *s, lt_contact_record *c) {
    lt_stream_begin_unhashed(s);
    lt_stream_bool(s, &c->is_new);
    lt_stream_bool(s, &c->ended);
    visit_vector(s, &c->position);
    visit_vector(s, &c->normal);
    visit_vector(s, &c->force);
    lt_stream_end_unhashed(s);
}

static void visit_contact(lt_stream *s, lt_contact_record *c) {
    lt_stream_two_u32(s, &c->a, &c->b);
    lt_stream_mix(s, (uint64_t)c->kind << 32 | c->feature);
    lt_stream_begin_unhashed(s);
    LT_STREAM_ENUM(s, &c->kind, LT_PAIR_KIND_COUNT);
    lt_stream_u32(s, &c->feature);
    lt_stream_end_unhashed(s);
    visit_touch(s, &c->touch, &c->age);
    lt_stream_float(s, &c->depth);
    visit_own_place(s, &c->touch);
    visit_vector(s, &c->stick);
    lt_stream_float(s, &c->credit);
    lt_stream_float(s, &c->store);
    visit_output(s, c);
}

/* Keys rise. */
static void visit_contacts(lt_stream *s, const lt_memory_visit *visit) {
    lt_memory *r = visit->memory;
    lt_contact_record before = {0};
    uint32_t count = r->contacts.count;
    lt_stream_count(s, &count, r->contacts.capacity);
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        lt_contact_record draft, *c = LT_STREAM_RECORD(s, &r->contacts.records[i], &draft);
        visit_contact(s, c);
        if (!lt_stream_checks(s) || s->failed) continue;
        lt_stream_expect(s, i == 0 || lt_contact_compare(&before, c) < 0);
        lt_stream_expect(s, contact_is_sound(r, visit->world, c));
        before = *c;
    }
    if (lt_stream_loads(s)) r->contacts.count = count;
}

/* ---- pairs as state ---- */

void lt_memory_visit_turn(lt_stream *stream, const lt_pair *pair, lt_turn *turn, uint32_t *first,
                          uint32_t *second, float *urgency) {
    lt_stream *s = stream;
    struct {
        uint32_t first, second, age;
        uint8_t served, now, none[2];
    } saved = {first ? *first : 0, second ? *second : 0, turn->age, turn->served, turn->now, {0}};
    lt_stream_mix(s, (uint64_t)pair->kind << 32 | saved.first);
    lt_stream_mix(s, (uint64_t)saved.second << 32 | saved.age);
    lt_stream_mix(s, saved.served);
    lt_stream_raw(s, &saved, sizeof saved);
    lt_stream_float(s, urgency);
    if (!lt_stream_reads(s)) return;
    lt_stream_expect(s, lt_is_finite(*urgency) && saved.served <= 1 && saved.now <= 1);
    lt_stream_expect(s, (first || saved.first == 0) && (second || saved.second == 0));
    if (first) *first = saved.first;
    if (second) *second = saved.second;
    turn->age = saved.age;
    turn->served = saved.served == 1;
    turn->now = saved.now == 1;
}

static bool pair_exists(const void *context, const lt_pair *pair) {
    const lt_memory_visit *visit = context;
    return key_is_sound(visit->world, pair->a, pair->kind, pair->b);
}

static void visit_pair(lt_stream *s, const void *context, const lt_pair *pair, lt_turn *turn, void *kept) {
    const lt_memory_visit *visit = context;
    if (visit->memory->rules->visit_pair)
        visit->memory->rules->visit_pair(s, visit, pair, turn, kept);
    else
        lt_memory_visit_turn(s, pair, turn, NULL, NULL, &turn->harm);
}

/* ---- saving, restoring, hashing ---- */

void lt_memory_visit_all(lt_stream *stream, lt_memory *memory, const lt_method_step *world) {
    lt_stream *s = stream;
    uint64_t count = 0;
    const lt_memory_visit visit = {memory, world, &count};
    const lt_pair_visitor pairs = {pair_exists, visit_pair, &visit};
    visit_contacts(s, &visit);
    lt_pair_table_visit(s, &memory->pairs, &pairs);
    if (lt_stream_loads(s)) lt_contacts_range(&memory->contacts, &memory->pairs);
}

size_t lt_memory_state_size(const void *state) {
    lt_stream s = lt_stream_measure();
    lt_memory_visit_all(&s, (lt_memory *)state, NULL); /* only looked at */
    return s.used;
}

void lt_memory_save(const void *state, uint8_t *bytes) {
    lt_stream s = lt_stream_save(bytes, SIZE_MAX); /* the caller has measured */
    lt_memory_visit_all(&s, (lt_memory *)state, NULL);
}

bool lt_memory_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_stream check = lt_stream_check(bytes, size, NULL), load = lt_stream_load(bytes, size);
    lt_memory_visit_all(&check, state, world);
    if (!lt_stream_passed(&check)) return false;
    lt_memory_visit_all(&load, state, world);
    return true;
}

uint64_t lt_memory_hash(const void *state, uint64_t hash) {
    lt_stream s = lt_stream_hash(hash);
    lt_memory_visit_all(&s, (lt_memory *)state, NULL); /* only looked at */
    return s.hash;
}
