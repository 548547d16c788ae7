/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The whole state as bytes: what decides the future, the unfinished work of the method included.
 *
 *   header │ per slot of a body: asleep, quiet time, state, forces │ obstacles' poses │ handles │ method
 *
 * States and forces are packed (core/pack.h) in pieces: most numbers resemble those of the node before, rotations those of the
 * neighbour, and where a lattice was seen is near where it is. A heap of letters takes 1.6 times what its positions, velocities
 * and contacts do, where it took 4.2 times.
 *
 * Shapes, materials and who exists are not in it: a snapshot goes back into the world it came from, or into one
 * built by the same calls. What is rebuilt from the state (points and boxes of sleeping bodies) is rebuilt on
 * restore, so that every following step costs the same units and gives the same bits.
 *
 * Restoring reads twice: first everything is judged (does it fit, is every number usable), then it is taken over,
 * so that a damaged snapshot changes nothing. */

#include "world/world.h"

#include "core/hash.h"
#include "core/pack.h"
#include "world/reader.h"

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
    uint32_t state_size; /* unpacked */
} body_header;

typedef struct obstacle_pose {
    uint32_t generation, moving;
    lt_vec3 position, target_position;
    lt_quat rotation, target_rotation;
} obstacle_pose;

enum { MAGIC = 0x3350534c }; /* "LSP3" */

/* Forces of the next step, as lt_body_add_force left them. */
static size_t force_size(const lt_soft *soft) {
    return 4 * (size_t)soft->carrier.node_count * sizeof(lt_real);
}

/* ---- pieces of a body that are packed each in its own way ---- */

enum { PIECES = 5, REAL_WORDS = sizeof(lt_real) / sizeof(uint32_t) };

typedef struct piece {
    size_t begin, end, back; /* in words from the beginning of the state */
} piece;

static size_t word_at(const lt_soft *soft, const void *array) {
    return (size_t)((const uint8_t *)array - (const uint8_t *)soft->memory) / sizeof(uint32_t);
}

static void state_pieces(const lt_soft *soft, piece out[PIECES]) {
    const size_t turns = word_at(soft, soft->turns), pin_target = word_at(soft, soft->pin_target),
                 x_seen = word_at(soft, soft->x_seen), offset = word_at(soft, soft->offset),
                 end = lt_soft_state_size(soft) / sizeof(uint32_t);
    out[0] = (piece){0, turns, 4 * REAL_WORDS}; /* x, v */
    out[1] = (piece){turns, pin_target, REAL_WORDS};
    out[2] = (piece){pin_target, x_seen, 4 * REAL_WORDS};
    out[3] = (piece){x_seen, offset, x_seen - word_at(soft, soft->x)};
    out[4] = (piece){offset, end, 4 * REAL_WORDS};
}

static piece force_piece(const lt_soft *soft) {
    return (piece){0, force_size(soft) / sizeof(uint32_t), 4 * REAL_WORDS};
}

/* ---- saving ---- */

/* Writes as far as there is room, and counts; out NULL: only counts. */
typedef struct writer {
    uint8_t *out;
    size_t capacity, size;
} writer;

static uint8_t *put(writer *w, const void *bytes, size_t size) {
    bool has_room = w->out && w->size <= w->capacity && size <= w->capacity - w->size;
    uint8_t *at = has_room ? w->out + w->size : NULL;
    if (at && bytes) memcpy(at, bytes, size);
    w->size += size;
    return at;
}

static void put_piece(writer *w, const void *words, piece p) {
    lt_packed_words from = {words, p.begin, p.end, p.back};
    bool has_room = w->out && w->size < w->capacity;
    w->size += has_room ? lt_pack(&from, w->out + w->size, w->capacity - w->size) : lt_packed_size(&from);
}

static void put_body(writer *w, const lt_soft *soft) {
    piece pieces[PIECES];
    state_pieces(soft, pieces);
    for (int k = 0; k < PIECES; k++)
        put_piece(w, soft->memory, pieces[k]);
    put_piece(w, soft->force, force_piece(soft));
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
        if (used) put_body(w, lt_soft_at(world, i));
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

static size_t write_snapshot(const lt_world *world, uint8_t *out, size_t capacity) {
    writer w = {out, capacity, 0};
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
    return LT_REQUIRE(world != NULL) ? write_snapshot(world, NULL, 0) : 0;
}

size_t lt_world_snapshot(const lt_world *world, void *buffer, size_t capacity) {
    if (!LT_REQUIRE(world && buffer)) return 0;
    size_t size = write_snapshot(world, buffer, capacity);
    return LT_REQUIRE(size <= capacity) ? size : 0;
}

/* ---- restoring ---- */

/* Finite, and small enough to be a position or a speed: the surface is float, and squares must be, too. */
static bool numbers_are_sane(const uint8_t *bytes, size_t size) {
    bool sane = true;
    lt_real value;
    for (size_t at = 0; at + sizeof value <= size; at += sizeof value) {
        memcpy(&value, bytes + at, sizeof value);
        sane = sane && value > (lt_real)-1e18 && value < (lt_real)1e18;
    }
    return sane;
}

static bool flags_are_sound(const uint8_t *bytes, size_t count) {
    bool sound = true;
    for (size_t i = 0; i < count; i++)
        sound = sound && bytes[i] <= 1;
    return sound;
}

static bool read_piece(lt_reader *r, void *words, piece p) {
    size_t used = lt_unpack(words, p.begin, p.end, p.back, r->at, r->left);
    return p.begin == p.end || (used > 0 && lt_read(r, NULL, used));
}

/* Room for the state and forces of one body, unpacked. */
typedef struct unpacked {
    uint8_t *state, *force; /* [state_capacity], [force_capacity] */
    size_t state_capacity, force_capacity;
} unpacked;

static unpacked room_for_any(const lt_world *world) {
    unpacked u = {0};
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!lt_slots_in_use(&world->body_slots, i)) continue;
        u.state_capacity = lt_max_u64(u.state_capacity, lt_soft_state_size(lt_soft_at(world, i)));
        u.force_capacity = lt_max_u64(u.force_capacity, force_size(lt_soft_at(world, i)));
    }
    return u;
}

size_t lt_restore_scratch(const lt_world *world) {
    unpacked u = room_for_any(world);
    return u.state_capacity + u.force_capacity + 128;
}

static bool unpack_body(const lt_soft *soft, lt_reader *r, const unpacked *u) {
    piece pieces[PIECES];
    state_pieces(soft, pieces);
    bool is_whole = true;
    for (int k = 0; k < PIECES; k++)
        is_whole = is_whole && read_piece(r, u->state, pieces[k]);
    return is_whole && read_piece(r, u->force, force_piece(soft));
}

/* First pass: does it fit this world, and is every number usable? Nothing is changed. */
static bool body_is_sound(const lt_world *world, uint32_t index, lt_reader *r, const unpacked *u) {
    body_header b = {0};
    if (!lt_read(r, &b, sizeof b) || b.generation != lt_slots_generation(&world->body_slots, index))
        return false;
    if (!lt_slots_in_use(&world->body_slots, index)) return b.state_size == 0;
    const lt_soft *soft = lt_soft_at(world, index);
    if (b.state_size != lt_soft_state_size(soft) || b.asleep > 1 ||
        !(b.quiet_time >= 0 && b.quiet_time < 1e30f) || !unpack_body(soft, r, u))
        return false;
    size_t reals = (size_t)(soft->pinned - (const uint8_t *)soft->memory); /* flags come last */
    return numbers_are_sane(u->state, reals) && lt_soft_can_restore(soft, u->state) &&
           flags_are_sound(u->state + reals, b.state_size - reals) &&
           numbers_are_sane(u->force, force_size(soft));
}

static bool obstacle_is_sound(const lt_world *world, uint32_t index, lt_reader *r) {
    obstacle_pose pose = {0};
    if (!lt_read(r, &pose, sizeof pose)) return false;
    if (pose.generation != lt_slots_generation(&world->obstacle_slots, index)) return false;
    return !lt_slots_in_use(&world->obstacle_slots, index) ||
           (pose.moving <= 1 && lt_v3_is_finite(pose.position) && lt_v3_is_finite(pose.target_position) &&
            lt_quat_is_rotation(pose.rotation) && lt_quat_is_rotation(pose.target_rotation));
}

static bool handle_is_sound(const lt_world *world, uint32_t index, lt_reader *r) {
    uint32_t generation;
    lt_handle h;
    if (!lt_read(r, &generation, sizeof generation) || !lt_read(r, &h, sizeof h)) return false;
    if (generation != lt_slots_generation(&world->handle_slots, index)) return false;
    return !lt_slots_in_use(&world->handle_slots, index) ||
           (lt_slots_in_use(&world->body_slots, h.body) &&
            h.vertex < lt_body_record(world, h.body)->skin.point_count && lt_v3_is_finite(h.target) &&
            h.stiffness >= 0 && h.stiffness <= 1e12f);
}

static bool fits(const lt_world *world, lt_reader *r, const header *h, const unpacked *u) {
    bool sound = h->magic == MAGIC && h->real_size == sizeof(lt_real) &&
                 h->body_slots == lt_body_slots(world) && h->obstacle_slots == lt_obstacle_slots(world) &&
                 h->handle_slots == lt_slots_count(&world->handle_slots) && lt_v3_is_finite(h->gravity) &&
                 h->time >= 0 && h->time < 1e300;
    for (uint32_t i = 0; sound && i < h->body_slots; i++)
        sound = body_is_sound(world, i, r, u);
    for (uint32_t i = 0; sound && i < h->obstacle_slots; i++)
        sound = obstacle_is_sound(world, i, r);
    for (uint32_t i = 0; sound && i < h->handle_slots; i++)
        sound = handle_is_sound(world, i, r);
    return sound;
}

/* Second pass. */
static void take_over(lt_world *world, lt_reader *r, const header *h, const unpacked *u) {
    for (uint32_t i = 0; i < h->body_slots; i++) {
        body_header b = {0};
        lt_read(r, &b, sizeof b);
        if (!lt_slots_in_use(&world->body_slots, i)) continue;
        lt_soft *soft = lt_soft_at(world, i);
        unpack_body(soft, r, u);
        lt_soft_restore(soft, u->state);
        memcpy(soft->force, u->force, force_size(soft));
        lt_collider_at(world, i)->asleep = b.asleep != 0;
        lt_body_record(world, i)->quiet_time = b.quiet_time;
        lt_collider_refresh(lt_collider_at(world, i), lt_embed_kernels_for(world->level));
    }
    for (uint32_t i = 0; i < h->obstacle_slots; i++) {
        obstacle_pose pose = {0};
        lt_read(r, &pose, sizeof pose);
        lt_obstacle *o = lt_obstacle_record(world, i);
        if (!o->in_use) continue;
        lt_obstacle_place(o, pose.position, pose.rotation);
        o->force = o->torque = (lt_vec3){0, 0, 0};
        o->target_position = pose.target_position;
        o->target_rotation = pose.target_rotation;
        o->moving = pose.moving != 0;
    }
    for (uint32_t i = 0; i < h->handle_slots; i++) {
        lt_read(r, NULL, sizeof(uint32_t));
        lt_read(r, (lt_handle *)world->handles.items + i, sizeof(lt_handle));
    }
    world->step_count = h->step_count;
    world->time = h->time;
    world->def.gravity = h->gravity;
    world->contact_count = 0;
    world->contacts_are_published = true;
}

static lt_status restore(lt_world *world, const void *buffer, size_t size, const unpacked *u,
                         lt_error *error) {
    header h;
    lt_reader check = {buffer, size}, r = {buffer, size};
    lt_method_step view = lt_method_step_of(world, 0, NULL);
    /* The method judges its part before it changes anything, and it comes last. */
    if (!lt_read(&check, &h, sizeof h) || !fits(world, &check, &h, u) ||
        !world->method->restore(world->method_state, check.at, check.left, &view))
        return lt_fail(
            error, LT_STATUS_INVALID,
            "the snapshot is damaged or not of this world: it restores only into the world it came from, "
            "or one built by the same calls; nothing was changed");
    lt_read(&r, NULL, sizeof h);
    take_over(world, &r, &h, u);
    return LT_OK;
}

lt_status lt_world_restore(lt_world *world, const void *buffer, size_t size, lt_error *error) {
    if (!LT_REQUIRE(world && buffer)) return lt_fail(error, LT_STATUS_INVALID, "no world or no buffer");
    unpacked u = room_for_any(world);
    lt_arena_reset(&world->arena); /* between steps nobody holds any of it */
    u.state = LT_TAKE(&world->arena, u.state_capacity, uint8_t);
    u.force = LT_TAKE(&world->arena, u.force_capacity, uint8_t);
    if (u.state_capacity > 0 && (!u.state || !u.force))
        return lt_fail(error, LT_STATUS_CAPACITY,
                       "too little scratch to unpack a snapshot, nothing was changed: raise scratch_capacity "
                       "to %zu or more",
                       lt_restore_scratch(world));
    lt_status status = restore(world, buffer, size, &u, error);
    lt_arena_reset(&world->arena);
    return status;
}

static uint64_t hash_body(uint64_t hash, const lt_world *world, uint32_t index) {
    const lt_soft *soft = lt_soft_at(world, index);
    hash = lt_hash_bytes(hash, soft->memory, lt_soft_state_size(soft));
    hash = lt_hash_bytes(hash, soft->force, force_size(soft));
    hash = lt_hash_u64(hash, lt_collider_at(world, index)->asleep);
    return lt_hash_bytes(hash, &lt_body_record(world, index)->quiet_time, sizeof(float));
}

static uint64_t hash_obstacle(uint64_t hash, const lt_obstacle *o) {
    hash = lt_hash_u64(hash, o->moving);
    hash = lt_hash_bytes(hash, &o->position, sizeof o->position);
    hash = lt_hash_bytes(hash, &o->rotation, sizeof o->rotation);
    hash = lt_hash_bytes(hash, &o->target_position, sizeof o->target_position);
    return lt_hash_bytes(hash, &o->target_rotation, sizeof o->target_rotation);
}

uint64_t lt_world_hash(const lt_world *world) {
    if (!LT_REQUIRE(world != NULL)) return 0;
    uint64_t hash = lt_hash_u64(LT_HASH_SEED, world->step_count);
    hash = lt_hash_bytes(hash, &world->def.gravity, sizeof world->def.gravity);
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_slots_in_use(&world->body_slots, i)) hash = hash_body(hash, world, i);
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++)
        if (lt_slots_in_use(&world->obstacle_slots, i))
            hash = hash_obstacle(hash, lt_obstacle_record(world, i));
    for (uint32_t i = 0; i < lt_slots_count(&world->handle_slots); i++)
        if (lt_slots_in_use(&world->handle_slots, i))
            hash = lt_hash_bytes(hash, (const lt_handle *)world->handles.items + i, sizeof(lt_handle));
    return world->method->hash(world->method_state, hash);
}
