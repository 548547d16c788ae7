/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The whole state as one visit (core/stream.h): what decides the future, the unfinished work of the method included.
 *
 *   what it is of, moment │ per slot of a body: state, material, forces, sleep │ obstacles' poses │ handles │ factors │ method
 *
 * Shapes and who exists are not in it: a snapshot goes back into the world it came from, or into one
 * built by the same calls. What is rebuilt from the state (points and boxes of sleeping bodies) is rebuilt on
 * restore, so that every following step costs the same units and gives the same bits.
 *
 * Restoring reads twice: first everything is judged (does it fit, is every number usable), then it is taken over,
 * so that a damaged snapshot changes nothing. */

#include "world/world.h"

enum { MAGIC = 0x3750534c }; /* "LSP7" */

/* ---- the visit ---- */

static void visit_moment(lt_stream *s, lt_world *world) {
    uint64_t step_count = world->step_count;
    double time = world->time;
    lt_vec3 gravity = world->def.gravity;
    lt_stream_u64(s, &step_count);
    lt_stream_bytes(s, &gravity, sizeof gravity);
    lt_stream_begin_unhashed(s);
    lt_stream_double(s, &time);
    lt_stream_end_unhashed(s);
    lt_stream_expect(s, lt_v3_is_finite(gravity) && time >= 0 && time < 1e300);
    if (!lt_stream_loads(s)) return;
    world->step_count = step_count;
    world->time = time;
    world->def.gravity = gravity;
    world->contact_count = 0;
    world->contacts_are_published = true;
}

static void visit_body(lt_stream *s, lt_world *world, uint32_t index) {
    lt_stream_same(s, lt_slots_generation(&world->body_slots, index));
    if (!lt_slots_in_use(&world->body_slots, index)) return;
    lt_collider *collider = lt_collider_at(world, index);
    lt_body *body = lt_body_record(world, index);
    bool asleep = collider->asleep;
    float quiet_time = body->quiet_time;
    lt_soft_visit(s, lt_soft_at(world, index));
    lt_soft_visit_force(s, lt_soft_at(world, index));
    lt_stream_bool(s, &asleep);
    lt_stream_float(s, &quiet_time);
    lt_stream_expect(s, quiet_time >= 0 && quiet_time < 1e30f);
    if (!lt_stream_loads(s)) return;
    collider->asleep = asleep;
    collider->friction = lt_soft_at(world, index)->material.friction;
    body->quiet_time = quiet_time;
    lt_collider_refresh(collider, lt_embed_kernels_for(world->level));
}

static void visit_obstacle(lt_stream *s, lt_world *world, uint32_t index) {
    lt_stream_same(s, lt_slots_generation(&world->obstacle_slots, index));
    if (!lt_slots_in_use(&world->obstacle_slots, index)) return;
    lt_obstacle *o = lt_obstacle_record(world, index);
    bool moving = o->moving;
    lt_vec3 position = o->position,
            target_position = o->target_position; /* the origin is what it was made with */
    lt_quat rotation = o->rotation, target_rotation = o->target_rotation;
    lt_stream_bool(s, &moving);
    lt_stream_bytes(s, &position, sizeof position);
    lt_stream_bytes(s, &rotation, sizeof rotation);
    lt_stream_bytes(s, &target_position, sizeof target_position);
    lt_stream_bytes(s, &target_rotation, sizeof target_rotation);
    lt_stream_expect(s, lt_v3_is_finite(position) && lt_v3_is_finite(target_position) &&
                            lt_quat_is_rotation(rotation) && lt_quat_is_rotation(target_rotation));
    if (!lt_stream_loads(s)) return;
    lt_obstacle_place(o, position, rotation);
    o->force = o->torque = (lt_vec3){0, 0, 0};
    o->target_position = target_position;
    o->target_rotation = target_rotation;
    o->moving = moving;
}

static void visit_handle(lt_stream *s, lt_world *world, uint32_t index) {
    _Static_assert(offsetof(lt_handle, origin) == 24, "hashed as its bytes: no padding");
    lt_stream_same(s, lt_slots_generation(&world->handle_slots, index));
    if (!lt_slots_in_use(&world->handle_slots, index)) return;
    lt_handle draft, *h = LT_STREAM_RECORD(s, (lt_handle *)world->handles.items + index, &draft);
    lt_stream_bytes(s, h, offsetof(lt_handle, origin));
    lt_stream_origin(s, h->origin, (double)LT_LARGEST);
    lt_stream_expect(s, lt_slots_in_use(&world->body_slots, h->body) &&
                            h->vertex < lt_body_record(world, h->body)->skin.point_count &&
                            lt_v3_is_finite(h->target) && h->stiffness >= 0 && h->stiffness <= 1e12f);
}

/* Behind materials and pins, of which factors are. */
static void visit_factors(lt_stream *s, lt_world *world) {
    lt_rest_factors_visit_begin(s, &world->factors);
    for (uint32_t i = 0; i < lt_body_slots(world) && !s->failed; i++)
        if (lt_slots_in_use(&world->body_slots, i))
            lt_rest_factors_visit(s, &world->factors, lt_soft_at(world, i), world->level);
    lt_rest_factors_visit_end(s, &world->factors, world->level);
}

/* All but the method's part, which comes last. */
static void visit_world(lt_stream *s, lt_world *world) {
    const uint32_t bodies = lt_body_slots(world), obstacles = lt_obstacle_slots(world),
                   handles = lt_slots_count(&world->handle_slots);
    lt_stream_same(s, MAGIC);
    lt_stream_same(s, sizeof(lt_real));
    lt_stream_same(s, (uint64_t)bodies << 32 | obstacles);
    lt_stream_same(s, handles);
    visit_moment(s, world);
    for (uint32_t i = 0; i < bodies && !s->failed; i++)
        visit_body(s, world, i);
    for (uint32_t i = 0; i < obstacles && !s->failed; i++)
        visit_obstacle(s, world, i);
    for (uint32_t i = 0; i < handles && !s->failed; i++)
        visit_handle(s, world, i);
    if (!s->failed) visit_factors(s, world);
}

/* Modes that do not load leave the world as it is. */
static lt_world *visited(const lt_world *world) {
    return (lt_world *)(uintptr_t)world;
}

/* ---- saving ---- */

static size_t write_snapshot(const lt_world *world, lt_stream s) {
    visit_world(&s, visited(world));
    size_t begin = s.used, size = world->method->state_size(world->method_state);
    if (s.out && begin <= s.size && size <= s.size - begin)
        world->method->save(world->method_state, s.out + begin);
    return begin + size;
}

size_t lt_world_snapshot_size(const lt_world *world) {
    return LT_REQUIRE(world != NULL) ? write_snapshot(world, lt_stream_measure()) : 0;
}

size_t lt_world_snapshot(const lt_world *world, void *buffer, size_t capacity) {
    if (!LT_REQUIRE(world && buffer)) return 0;
    size_t size = write_snapshot(world, lt_stream_save(buffer, capacity));
    return LT_REQUIRE(size <= capacity) ? size : 0;
}

/* ---- restoring ---- */

/* Factors are of the pins and materials that bodies have now. Nothing is allocated where those are what they were. */
static void follow_factors(lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_collider_at(world, i)->in_use)
            (void)lt_rest_factors_add(&world->factors, lt_soft_at(world, i), NULL);
}

/* The method judges its part before it changes anything, and it comes last. */
static bool restore(lt_world *world, const void *buffer, size_t size) {
    lt_stream check = lt_stream_check(buffer, size, &world->arena), load = lt_stream_load(buffer, size);
    lt_method_step view = lt_method_step_of(world, 0, NULL);
    visit_world(&check, world);
    if (check.failed ||
        !world->method->restore(world->method_state, check.in + check.used, size - check.used, &view))
        return false;
    visit_world(&load, world);
    LT_ASSERT(!load.failed && load.used == check.used);
    follow_factors(world);
    return true;
}

lt_status lt_world_restore(lt_world *world, const void *buffer, size_t size, lt_error *error) {
    if (!LT_REQUIRE(world && buffer)) return lt_fail(error, LT_STATUS_INVALID, "no world or no buffer");
    lt_arena_reset(&world->arena); /* between steps nobody holds any of it */
    if (lt_restore_scratch(world) > world->arena.capacity)
        return lt_fail(error, LT_STATUS_CAPACITY,
                       "too little scratch to unpack a snapshot, nothing was changed: raise scratch_capacity "
                       "to %zu or more",
                       lt_restore_scratch(world));
    bool fits = restore(world, buffer, size);
    lt_arena_reset(&world->arena);
    if (fits) return LT_OK;
    return lt_fail(
        error, LT_STATUS_INVALID,
        "the snapshot is damaged or not of this world: it restores only into the world it came from, "
        "or one built by the same calls; nothing was changed");
}

uint64_t lt_world_hash(const lt_world *world) {
    if (!LT_REQUIRE(world != NULL)) return 0;
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    visit_world(&s, visited(world));
    return world->method->hash(world->method_state, s.hash);
}
