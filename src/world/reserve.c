/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Memory for a step, taken when things are added: no step allocates. */

#include "world/world.h"

static size_t needed_scratch(const lt_world *world, uint32_t *awake) {
    uint32_t bodies = lt_body_slots(world), handles = lt_slots_count(&world->handle_slots), count = 0;
    for (uint32_t i = 0; i < bodies; i++)
        if (lt_slots_in_use(&world->body_slots, i)) awake[count++] = i;
    size_t method = world->method->scratch(world->method_state, world->colliders.items, bodies, handles);
    size_t advance =
        lt_advance_scratch(world->softs.items, awake, count, world->def.contact_capacity + handles);
    /* awake bodies and their matrices, islands of sleep */
    size_t lists = 4 * ((size_t)bodies * sizeof(uint32_t) + 64) + (size_t)bodies * sizeof(lt_system) + 64;
    size_t between = lt_max_u64(lt_wake_scratch(bodies, world->def.pair_capacity), lt_restore_scratch(world));
    return lt_max_u64(method + advance + lists, between);
}

/* More than is needed now, so that adding many bodies moves and clears it a few times, not once for each. What the caller
 * has fixed stays. */
static bool grow_scratch(lt_world *world, size_t needed) {
    size_t roomy = world->arena.capacity + world->arena.capacity / 4;
    lt_arena_reset(&world->arena);
    if (needed > world->arena.capacity && needed < roomy && !world->def.scratch_capacity &&
        lt_arena_reserve(&world->arena, &world->allocator, roomy))
        return true;
    return lt_arena_reserve(&world->arena, &world->allocator, needed);
}

lt_status lt_world_reserve_step(lt_world *world, lt_error *error) {
    uint32_t bodies = lt_body_slots(world);
    lt_status status = world->method->reserve(world->method_state, world->colliders.items, bodies, error);
    if (status != LT_OK) return status;
    uint32_t *awake = LT_NEW(&world->allocator, bodies, uint32_t);
    if (!awake) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the lists of %u bodies", bodies);
    size_t needed = world->def.scratch_capacity ? world->def.scratch_capacity : needed_scratch(world, awake);
    LT_DELETE(&world->allocator, awake, bodies, uint32_t);
    if (grow_scratch(world, needed)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %zu bytes of scratch", needed);
}

lt_status lt_world_reserve(lt_world *world, uint32_t contact_capacity, uint32_t pair_capacity,
                           size_t scratch_capacity, lt_error *error) {
    if (contact_capacity > world->def.contact_capacity || pair_capacity > world->def.pair_capacity)
        return lt_fail(
            error, LT_STATUS_CAPACITY,
            "contacts and pairs are fixed when a world is made: set contact_capacity %u and pair_capacity "
            "%u in its def",
            contact_capacity, pair_capacity);
    lt_arena_reset(&world->arena); /* between steps nobody holds any of it */
    if (lt_arena_reserve(&world->arena, &world->allocator, scratch_capacity)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %zu bytes of scratch", scratch_capacity);
}
