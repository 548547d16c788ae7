/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Memory for the steps to come. It is reserved when something is added, so that a step allocates nothing, and by what is added, so
 * that a world of little is little.
 *
 *   pairs          as many as there can be: bodies with each other, with obstacles, with themselves
 *   contacts       of a body: a few, and some for each of its points, or, where its surface is in cells, of its cells
 *   sphere pairs   some for each sphere of the two largest trees
 *
 * Each up to its ceiling in the world's def, where a step keeps the best and says so. Most that scenes were seen to take, without a
 * budget: 3.1 contacts a point (plates, multiscale), 3.7 a box of cells (plates, cell-box), 9.4 pairs a sphere (knot-on-stone, sphere-tree).
 * Whoever needs more asks for it: lt_world_reserve.
 *
 * Growth is by a half at least, so that adding bodies one by one moves little. Nothing shrinks. All is reserved from what is
 * wanted, the scratch first: where memory ends half-way every part has what it needs for what it has. */

#include "world/world.h"

enum {
    BODY_CONTACTS = 64,
    POINT_CONTACTS = 4,
    BOX_CONTACTS = 16,
    SPHERE_PAIRS = 64 /* per sphere */
};

static uint64_t contacts_of(const lt_collider *c) {
    uint64_t of_points = POINT_CONTACTS * (uint64_t)c->skin->point_count;
    if (!c->cells.layout) return BODY_CONTACTS + of_points;
    return BODY_CONTACTS + lt_min_u64(of_points, BOX_CONTACTS * (uint64_t)c->cells.layout->box_count);
}

static uint64_t spheres_of(const lt_collider *c) {
    return c->spheres.tree ? LT_LANES * (uint64_t)c->spheres.tree->block_count : 0;
}

static uint32_t up_to(uint64_t count, uint32_t ceiling) {
    return (uint32_t)lt_min_u64(count, ceiling);
}

static uint32_t wanted_pairs(const lt_world *world) {
    uint64_t bodies = world->body_slots.used_count, obstacles = world->obstacle_slots.used_count;
    uint64_t all = bodies * (bodies + 1) / 2 + bodies * obstacles; /* each with itself, too */
    return up_to(all, world->def.pair_capacity);
}

/* By what there is now. */
static lt_capacities wanted(const lt_world *world) {
    uint64_t contacts = 0, largest[2] = {0, 0};
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        const lt_collider *c = lt_collider_at(world, i);
        if (!c->in_use) continue;
        contacts += contacts_of(c);
        uint64_t spheres = spheres_of(c), second = lt_min_u64(spheres, largest[0]);
        largest[0] = lt_max_u64(spheres, largest[0]);
        largest[1] = lt_max_u64(second, largest[1]);
    }
    uint64_t queue = SPHERE_PAIRS * (largest[0] + largest[1]);
    return (lt_capacities){.contacts = up_to(contacts, world->def.contact_capacity),
                           .pairs = wanted_pairs(world),
                           .sphere_pairs = up_to(queue, world->def.sphere_tree.queue_capacity),
                           .couplings = lt_slots_count(&world->handle_slots)};
}

/* Never less than before, and if more, by a half at least. */
static uint32_t grown(uint32_t before, uint32_t needed, uint32_t ceiling) {
    if (needed <= before) return before;
    return lt_max_u32(needed, up_to((uint64_t)before + before / 2, ceiling));
}

static lt_capacities grown_capacities(const lt_world *world, const lt_capacities *needed) {
    const lt_capacities *now = &world->capacities;
    return (lt_capacities){
        .contacts = grown(now->contacts, needed->contacts, world->def.contact_capacity),
        .pairs = grown(now->pairs, needed->pairs, world->def.pair_capacity),
        .sphere_pairs = grown(now->sphere_pairs, needed->sphere_pairs, world->def.sphere_tree.queue_capacity),
        .couplings = needed->couplings};
}

/* ---- scratch ---- */

/* The state of one body is unpacked at a time; forces are less. */
size_t lt_restore_scratch(const lt_world *world) {
    size_t largest = 0;
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_slots_in_use(&world->body_slots, i))
            largest = lt_max_u64(largest, lt_soft_at(world, i)->state_size);
    return largest + 64;
}

static size_t needed_scratch(const lt_world *world, const lt_capacities *capacities, uint32_t *awake) {
    uint32_t bodies = lt_body_slots(world), count = 0;
    for (uint32_t i = 0; i < bodies; i++)
        if (lt_slots_in_use(&world->body_slots, i)) awake[count++] = i;
    size_t method = world->method->scratch(world->method_state, capacities, world->colliders.items, bodies);
    size_t advance = lt_advance_scratch(world->softs.items, awake, count,
                                        capacities->contacts + capacities->couplings, &world->factors);
    /* awake bodies and their matrices, islands of sleep */
    size_t lists = 4 * ((size_t)bodies * sizeof(uint32_t) + 64) + (size_t)bodies * sizeof(lt_system) + 64;
    size_t between = lt_max_u64(lt_wake_scratch(bodies, capacities->pairs), lt_restore_scratch(world));
    between = lt_max_u64(between, lt_frames_scratch(bodies));
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

static lt_status reserve_scratch(lt_world *world, const lt_capacities *capacities, lt_error *error) {
    uint32_t bodies = lt_body_slots(world);
    uint32_t *awake = LT_NEW(&world->allocator, bodies, uint32_t);
    if (!awake) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the lists of %u bodies", bodies);
    size_t needed =
        world->def.scratch_capacity ? world->def.scratch_capacity : needed_scratch(world, capacities, awake);
    LT_DELETE(&world->allocator, awake, bodies, uint32_t);
    if (grow_scratch(world, needed)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %zu bytes of scratch", needed);
}

/* ---- all of it ---- */

/* The contacts that the caller sees stay as they are. */
static bool grow_contacts(lt_world *world, uint32_t capacity) {
    if (capacity <= world->capacities.contacts && world->contacts) return true;
    lt_contact *contacts =
        LT_ENLARGE(&world->allocator, world->contacts, world->capacities.contacts, capacity, lt_contact);
    if (!contacts) return false;
    world->contacts = contacts;
    world->capacities.contacts = capacity;
    return true;
}

/* Views of obstacles: as many as there can be. */
static bool grow_views(lt_world *world) {
    size_t needed = lt_frames_views(world->body_slots.used_count, lt_obstacle_slots(world));
    if (needed <= world->seen_capacity) return true;
    lt_obstacle *views =
        LT_ENLARGE(&world->allocator, world->seen_obstacles, world->seen_capacity, needed, lt_obstacle);
    if (!views) return false;
    world->seen_obstacles = views;
    world->seen_capacity = needed;
    return true;
}

static lt_status reserve(lt_world *world, const lt_capacities *capacities, lt_error *error) {
    lt_status status = reserve_scratch(world, capacities, error);
    if (status != LT_OK) return status;
    if (!grow_contacts(world, capacities->contacts))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u contacts", capacities->contacts);
    if (!grow_views(world)) return lt_fail(error, LT_STATUS_MEMORY, "no memory for views of obstacles");
    status = world->method->reserve(world->method_state, capacities, world->colliders.items,
                                    lt_body_slots(world), error);
    if (status == LT_OK) world->capacities = *capacities;
    return status;
}

lt_status lt_world_reserve_step(lt_world *world, lt_error *error) {
    lt_capacities needed = wanted(world), capacities = grown_capacities(world, &needed);
    return reserve(world, &capacities, error);
}

lt_status lt_world_reserve(lt_world *world, uint32_t contact_capacity, uint32_t pair_capacity,
                           size_t scratch_capacity, lt_error *error) {
    if (contact_capacity > world->def.contact_capacity || pair_capacity > world->def.pair_capacity)
        return lt_fail(
            error, LT_STATUS_CAPACITY,
            "%u contacts and %u pairs are more than the ceilings of the world: set contact_capacity "
            "and pair_capacity in its def",
            contact_capacity, pair_capacity);
    lt_capacities capacities = world->capacities;
    capacities.contacts = lt_max_u32(capacities.contacts, contact_capacity);
    capacities.pairs = lt_max_u32(capacities.pairs, pair_capacity);
    capacities.couplings = lt_slots_count(&world->handle_slots);
    lt_status status = reserve(world, &capacities, error);
    if (status != LT_OK) return status;
    if (lt_arena_reserve(&world->arena, &world->allocator, scratch_capacity)) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %zu bytes of scratch", scratch_capacity);
}
