/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The whole state as bytes: what decides the future, the unfinished work of the method included.
 *
 *   header │ per slot of a body: in use, asleep, quiet time, state │ obstacles' poses │ handles │ method
 *
 * Shapes, materials and who exists are not in it: a snapshot goes back into the world it came from, or into one
 * built by the same calls. What is rebuilt from the state (points and boxes of sleeping bodies) is rebuilt on
 * restore, so that every following step costs the same units and gives the same bits. */

#include "world/world.h"

#include "core/hash.h"

#include <string.h>

typedef struct header {
    uint32_t magic;
    uint32_t real_size;
    uint32_t body_slots, obstacle_slots, handle_slots;
    uint32_t reserved;
    uint64_t step_count;
    double time;
    lt_vec3 gravity;
    float padding;
} header;

typedef struct body_header {
    uint32_t generation, asleep;
    float quiet_time;
    uint32_t state_size;
} body_header;

typedef struct obstacle_pose {
    uint32_t generation, moving;
    lt_vec3 position, target_position;
    lt_quat rotation, target_rotation;
} obstacle_pose;

enum { MAGIC = 0x3150534c }; /* "LSP1" */

/* Writes, or only measures with out NULL. */
typedef struct writer {
    uint8_t *out;
    size_t size;
} writer;

static uint8_t *put(writer *w, const void *bytes, size_t size) {
    uint8_t *at = w->out ? w->out + w->size : NULL;
    if (at && bytes) memcpy(at, bytes, size);
    w->size += size;
    return at;
}

static void put_bodies(writer *w, const lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        bool used = lt_slots_in_use(&world->body_slots, i);
        body_header h = {.generation = lt_slots_generation(&world->body_slots, i)};
        if (used) {
            h.asleep = lt_collider_at(world, i)->asleep;
            h.quiet_time = lt_body_record(world, i)->quiet_time;
            h.state_size = (uint32_t)lt_soft_state_size(lt_soft_at(world, i));
        }
        put(w, &h, sizeof h);
        uint8_t *at = put(w, NULL, h.state_size);
        if (at && used) lt_soft_save(lt_soft_at(world, i), at);
    }
}

static void put_obstacles(writer *w, const lt_world *world) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++) {
        const lt_obstacle *o = lt_obstacle_record(world, i);
        obstacle_pose pose = {lt_slots_generation(&world->obstacle_slots, i),
                              o->moving,
                              o->position,
                              o->target_position,
                              o->rotation,
                              o->target_rotation};
        put(w, &pose, sizeof pose);
    }
}

static void put_handles(writer *w, const lt_world *world) {
    for (uint32_t i = 0; i < lt_slots_count(&world->handle_slots); i++) {
        uint32_t generation = lt_slots_generation(&world->handle_slots, i);
        put(w, &generation, sizeof generation);
        put(w, (const lt_handle *)world->handles.items + i, sizeof(lt_handle));
    }
}

static size_t write_snapshot(const lt_world *world, uint8_t *out) {
    writer w = {out, 0};
    header h = {.magic = MAGIC,
                .real_size = sizeof(lt_real),
                .body_slots = lt_body_slots(world),
                .obstacle_slots = lt_obstacle_slots(world),
                .handle_slots = lt_slots_count(&world->handle_slots),
                .step_count = world->step_count,
                .time = world->time,
                .gravity = world->def.gravity};
    put(&w, &h, sizeof h);
    put_bodies(&w, world);
    put_obstacles(&w, world);
    put_handles(&w, world);
    uint8_t *at = put(&w, NULL, world->method->state_size(world->method_state));
    if (at) world->method->save(world->method_state, at);
    return w.size;
}

size_t lt_world_snapshot_size(const lt_world *world) {
    return LT_REQUIRE(world != NULL) ? write_snapshot(world, NULL) : 0;
}

size_t lt_world_snapshot(const lt_world *world, void *buffer, size_t capacity) {
    size_t size = lt_world_snapshot_size(world);
    if (!LT_REQUIRE(buffer && capacity >= size)) return 0;
    return write_snapshot(world, buffer);
}

typedef struct reader {
    const uint8_t *at;
    size_t left;
} reader;

static const uint8_t *get(reader *r, void *out, size_t size) {
    if (size > r->left) return NULL;
    const uint8_t *at = r->at;
    if (out) memcpy(out, at, size);
    r->at += size;
    r->left -= size;
    return at;
}

/* First pass: does it fit this world? Nothing is changed. Leaves the reader at the method's part. */
static bool matches(const lt_world *world, reader *r, const header *h) {
    if (h->magic != MAGIC || h->real_size != sizeof(lt_real) || h->body_slots != lt_body_slots(world) ||
        h->obstacle_slots != lt_obstacle_slots(world) ||
        h->handle_slots != lt_slots_count(&world->handle_slots))
        return false;
    for (uint32_t i = 0; i < h->body_slots; i++) {
        body_header b = {0};
        if (!get(r, &b, sizeof b) || !get(r, NULL, b.state_size)) return false;
        bool used = lt_slots_in_use(&world->body_slots, i);
        size_t expected = used ? lt_soft_state_size(lt_soft_at(world, i)) : 0;
        if (b.generation != lt_slots_generation(&world->body_slots, i) || b.state_size != expected)
            return false;
    }
    for (uint32_t i = 0; i < h->obstacle_slots; i++) {
        obstacle_pose pose = {0};
        if (!get(r, &pose, sizeof pose)) return false;
        if (pose.generation != lt_slots_generation(&world->obstacle_slots, i)) return false;
    }
    for (uint32_t i = 0; i < h->handle_slots; i++) {
        uint32_t generation;
        lt_handle handle;
        if (!get(r, &generation, sizeof generation) || !get(r, &handle, sizeof handle)) return false;
        if (generation != lt_slots_generation(&world->handle_slots, i)) return false;
        if (generation % 2 == 1 && (!lt_slots_in_use(&world->body_slots, handle.body) ||
                                    handle.vertex >= lt_body_record(world, handle.body)->skin.point_count))
            return false;
    }
    return true;
}

/* Second pass; false when a number in it is not finite: the world is then to be thrown away or restored again. */
static bool take_over(lt_world *world, reader *r, const header *h) {
    bool sound = true;
    for (uint32_t i = 0; i < h->body_slots; i++) {
        body_header b = {0};
        get(r, &b, sizeof b);
        const uint8_t *state = get(r, NULL, b.state_size);
        if (!lt_slots_in_use(&world->body_slots, i)) continue;
        sound = lt_soft_restore(lt_soft_at(world, i), state) && sound;
        lt_collider_at(world, i)->asleep = b.asleep != 0;
        lt_body_record(world, i)->quiet_time = b.quiet_time;
        lt_collider_refresh(lt_collider_at(world, i), lt_embed_kernels_for(world->level));
    }
    for (uint32_t i = 0; i < h->obstacle_slots; i++) {
        obstacle_pose pose = {0};
        get(r, &pose, sizeof pose);
        lt_obstacle *o = lt_obstacle_record(world, i);
        if (!o->in_use) continue;
        lt_obstacle_place(o, pose.position, pose.rotation);
        o->target_position = pose.target_position;
        o->target_rotation = pose.target_rotation;
        o->moving = pose.moving != 0;
        sound = sound && lt_v3_is_finite(pose.position) && lt_v3_is_finite(pose.target_position);
    }
    for (uint32_t i = 0; i < h->handle_slots; i++) {
        get(r, NULL, sizeof(uint32_t));
        get(r, (lt_handle *)world->handles.items + i, sizeof(lt_handle));
    }
    return sound;
}

lt_status lt_world_restore(lt_world *world, const void *buffer, size_t size, lt_error *error) {
    if (!LT_REQUIRE(world && buffer)) return lt_fail(error, LT_STATUS_INVALID, "no world or no buffer");
    header h;
    reader check = {buffer, size}, r = {buffer, size};
    if (!get(&check, &h, sizeof h) || !matches(world, &check, &h))
        return lt_fail(
            error, LT_STATUS_INVALID,
            "the snapshot is not of this world: it restores only into the world it came from, or one built "
            "by the same calls; nothing was changed");
    get(&r, NULL, sizeof h);
    bool sound = take_over(world, &r, &h);
    lt_method_step view = lt_method_step_of(world, 0, NULL);
    sound = world->method->restore(world->method_state, r.at, r.left, &view) && sound;
    world->step_count = h.step_count;
    world->time = h.time;
    world->def.gravity = h.gravity;
    world->contact_count = 0;
    if (sound) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID,
                   "the snapshot is damaged; restore a sound one before stepping again");
}

uint64_t lt_world_hash(const lt_world *world) {
    uint64_t hash = LT_HASH_SEED;
    hash = lt_hash_u64(hash, world->step_count);
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!lt_slots_in_use(&world->body_slots, i)) continue;
        const lt_soft *soft = lt_soft_at(world, i);
        hash = lt_hash_bytes(hash, soft->memory, lt_soft_state_size(soft));
        hash = lt_hash_u64(hash, lt_collider_at(world, i)->asleep);
        hash = lt_hash_bytes(hash, &lt_body_record(world, i)->quiet_time, sizeof(float));
    }
    const lt_contact_list *list = world->method->contacts(world->method_state);
    for (uint32_t i = 0; i < list->count; i++) {
        const lt_contact_record *c = &list->records[i];
        hash = lt_hash_u64(hash, ((uint64_t)c->a << 32) | c->b);
        hash = lt_hash_u64(hash, ((uint64_t)c->kind << 32) | c->feature);
        hash = lt_hash_bytes(hash, &c->stick, sizeof c->stick);
        hash = lt_hash_bytes(hash, &c->credit, sizeof c->credit);
        hash = lt_hash_bytes(hash, &c->touch.depth, sizeof c->touch.depth);
        hash = lt_hash_u64(hash, c->age);
    }
    return hash;
}
