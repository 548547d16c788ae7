/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Invariants of a world between two steps. Test builds (LITHE_VALIDATE) look at it after every step; a flaw fails as an assert
 * does. Each container has its validator beside itself: here they are called, in the order in which a step relies on them. */

#include "world/world.h"

static const char *flaw_of_containers(const lt_world *world) {
    const lt_slots *slots[] = {&world->body_slots, &world->obstacle_slots, &world->handle_slots};
    const lt_array *arrays[] = {&world->softs,   &world->colliders, &world->bodies,
                                &world->layouts, &world->obstacles, &world->handles};
    const char *flaw = lt_validate_arena(&world->arena);
    for (size_t i = 0; i < LT_COUNT_OF(slots) && !flaw; i++)
        flaw = lt_validate_slots(slots[i]);
    for (size_t i = 0; i < LT_COUNT_OF(arrays) && !flaw; i++)
        flaw = lt_validate_array(arrays[i]);
    if (!flaw) flaw = lt_validate_tasks(world->tasks);
    return flaw ? flaw : lt_validate_meter(&world->meter);
}

static const char *flaw_of_body(const lt_world *world, uint32_t index) {
    const lt_collider *collider = lt_collider_at(world, index);
    bool in_use = lt_slots_in_use(&world->body_slots, index);
    if (collider->in_use != in_use) return "a collider is in use, and its body is not";
    if (!in_use) return NULL;
    if (collider->soft != lt_soft_at(world, index)) return "a collider is of another body";
    if (!(lt_body_record(world, index)->quiet_time >= 0)) return "a body is quiet since after now";
    const char *flaw = lt_validate_soft(collider->soft);
    return flaw ? flaw : lt_validate_collider(collider);
}

static const char *flaw_of_obstacle(const lt_world *world, uint32_t index) {
    const lt_obstacle *obstacle = lt_obstacle_record(world, index);
    bool in_use = lt_slots_in_use(&world->obstacle_slots, index);
    if (obstacle->in_use != in_use) return "an obstacle is in use, and its slot is not";
    return in_use ? lt_validate_obstacle(obstacle) : NULL;
}

static const char *flaw_of_handle(const lt_world *world, uint32_t index) {
    const lt_handle *handle = (const lt_handle *)world->handles.items + index;
    if (!lt_slots_in_use(&world->handle_slots, index)) return NULL;
    if (!lt_slots_in_use(&world->body_slots, handle->body)) return "a handle holds a body that is gone";
    if (handle->vertex >= lt_body_record(world, handle->body)->skin.point_count)
        return "a handle holds a vertex that is not there";
    return handle->stiffness >= 0 ? NULL : "a handle pushes";
}

const char *lt_validate_world(const lt_world *world) {
    const char *flaw = flaw_of_containers(world);
    for (uint32_t i = 0; i < lt_body_slots(world) && !flaw; i++)
        flaw = flaw_of_body(world, i);
    for (uint32_t i = 0; i < lt_obstacle_slots(world) && !flaw; i++)
        flaw = flaw_of_obstacle(world, i);
    for (uint32_t i = 0; i < lt_slots_count(&world->handle_slots) && !flaw; i++)
        flaw = flaw_of_handle(world, i);
    if (flaw) return flaw;
    if (world->contact_count > world->def.contact_capacity) return "more contacts than there is room for";
    return world->method->validate(world->method_state);
}
