/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "world/world.h"

#define CAPACITY_MAX (1u << 24)
static const float LENGTH_MAX = 1e30f; /* m; what is larger has no square */
static const uint64_t WORLD_COOKIE = 0x6c697468652d7764u;

lt_world_def lt_world_def_default(void) {
    return (lt_world_def){.gravity = {0, -9.81f, 0},
                          .method = LT_METHOD_REFERENCE,
                          .self_collision = true,
                          .profile = true,
                          .sleeping = true,
                          .thread_count = 1,
                          .factor_units = LT_UNLIMITED,
                          .contact_capacity = 16384,
                          .pair_capacity = 4096,
                          .sphere_tree = {.queue_capacity = 65536},
                          .simd_level = LT_LEVEL_COUNT - 1,
                          .allocator = lt_allocator_default(),
                          .cookie = WORLD_COOKIE};
}

/* The caller's allocator, counted: a step that allocates says so in its report. */
static void *counting_allocate(void *context, size_t size, size_t alignment) {
    lt_world *world = context;
    world->allocation_count++;
    return world->def.allocator.allocate(world->def.allocator.context, size, alignment);
}

static void counting_release(void *context, void *memory, size_t size) {
    lt_world *world = context;
    world->def.allocator.release(world->def.allocator.context, memory, size);
}

static lt_status check_sphere_tree(const lt_sphere_tree_options *options, lt_error *error) {
    if ((unsigned)options->order >= LT_ORDER_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "sphere_tree.order %d is not one this library has",
                       (int)options->order);
    if (options->queue_capacity == 0 || options->queue_capacity > CAPACITY_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "a queue of %u pairs of spheres: give 1 to %u",
                       options->queue_capacity, CAPACITY_MAX);
    if (options->front_cache_capacity > CAPACITY_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "a front cache of %u records: give 0 (none) to %u",
                       options->front_cache_capacity, CAPACITY_MAX);
    if (!(options->error_tolerance >= 0 && options->error_tolerance < LENGTH_MAX))
        return lt_fail(error, LT_STATUS_INVALID, "error_tolerance %g m: give 0 or more",
                       options->error_tolerance);
    return LT_OK;
}

static lt_status check_multiscale(const lt_multiscale_options *options, lt_error *error) {
    if ((unsigned)options->pending >= LT_PENDING_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "multiscale.pending %d is not one this library has",
                       (int)options->pending);
    if (!(options->separation >= 0 && options->separation < LENGTH_MAX))
        return lt_fail(error, LT_STATUS_INVALID, "separation %g m: give 0 or more", options->separation);
    return LT_OK;
}

static lt_status check_def(const lt_world_def *def, lt_error *error) {
    if (!LT_REQUIRE(def->cookie == WORLD_COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_world_def_default");
    if (!lt_v3_is_finite(def->gravity)) return lt_fail(error, LT_STATUS_INVALID, "gravity is not finite");
    if (!lt_method_verbs_of(def->method))
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "method %d is not one this library has",
                       (int)def->method);
    if (def->contact_capacity == 0 || def->contact_capacity > CAPACITY_MAX || def->pair_capacity == 0 ||
        def->pair_capacity > CAPACITY_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "capacities of %u contacts and %u pairs: give 1 to %u",
                       def->contact_capacity, def->pair_capacity, CAPACITY_MAX);
    if ((unsigned)def->mode >= LT_MODE_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "mode %d is not one this library has", (int)def->mode);
    if (def->mode == LT_MODE_PAPER && !lt_method_verbs_of(def->method)->has_paper)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "the method %s is of no paper: it has no mode paper",
                       lt_method_name(def->method));
    if (!def->allocator.allocate || !def->allocator.release)
        return lt_fail(error, LT_STATUS_INVALID, "the allocator needs both functions");
    lt_status status = check_sphere_tree(&def->sphere_tree, error);
    return status == LT_OK ? check_multiscale(&def->multiscale, error) : status;
}

static lt_status open_parts(lt_world *world, lt_error *error) {
    lt_method_options options = {.pair_capacity = world->def.pair_capacity,
                                 .mode = world->def.mode,
                                 .sphere_tree = world->def.sphere_tree,
                                 .tet_hash = world->def.tet_hash,
                                 .cell_box = world->def.cell_box,
                                 .multiscale = world->def.multiscale};
    world->tasks = lt_tasks_create(world->def.thread_count, &world->def.tasks, &world->allocator);
    uint32_t logged = world->def.sphere_tree.used_sphere_capacity;
    world->used_log = (lt_sphere_log){LT_NEW(&world->allocator, logged, lt_logged_sphere), 0, logged};
    world->used_spheres = LT_NEW(&world->allocator, logged, lt_used_sphere);
    if (logged && !(world->used_log.spheres && world->used_spheres))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u used spheres", logged);
    if (!world->tasks) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a world");
    world->method = lt_method_verbs_of(world->def.method);
    lt_status status = world->method->create(&world->method_state, &options, &world->allocator, error);
    return status == LT_OK ? lt_world_reserve_step(world, error) : status;
}

lt_status lt_world_create(const lt_world_def *def, lt_world **out, lt_error *error) {
    if (!LT_REQUIRE(def && out))
        return lt_fail(error, LT_STATUS_INVALID, "no def, or nowhere to put the world");
    *out = NULL;
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    lt_world *world = LT_NEW(&def->allocator, 1, lt_world);
    if (!world) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a world");
    world->def = *def;
    world->allocator = (lt_allocator){counting_allocate, counting_release, world};
    world->level = (lt_simd_level)lt_min_u32(def->simd_level, (uint32_t)lt_simd_best());
    world->ns_per_row = 30;
    lt_meter_init(&world->meter, (lt_clock){def->clock_ns, def->clock_context});
    lt_slots_init(&world->body_slots, &world->allocator);
    lt_slots_init(&world->obstacle_slots, &world->allocator);
    lt_slots_init(&world->handle_slots, &world->allocator);
    world->softs = LT_ARRAY_OF(&world->allocator, lt_soft);
    world->factors = lt_rest_factors_make(&world->allocator);
    world->factors.units_a_step = def->factor_units;
    world->colliders = LT_ARRAY_OF(&world->allocator, lt_collider);
    world->bodies = LT_ARRAY_OF(&world->allocator, lt_body);
    world->layouts = LT_ARRAY_OF(&world->allocator, lt_shared_layout *);
    world->obstacles = LT_ARRAY_OF(&world->allocator, lt_obstacle);
    world->handles = LT_ARRAY_OF(&world->allocator, lt_handle);
    status = open_parts(world, error);
    if (status != LT_OK) {
        lt_world_destroy(world);
        return status;
    }
    *out = world;
    return LT_OK;
}

void lt_world_destroy(lt_world *world) {
    if (!world) return;
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_slots_in_use(&world->body_slots, i)) lt_world_remove_body(world, lt_body_id_of(world, i));
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++)
        if (lt_slots_in_use(&world->obstacle_slots, i))
            lt_world_remove_obstacle(world, lt_obstacle_id_of(world, i));
    if (world->method && world->method_state) world->method->destroy(world->method_state);
    lt_tasks_destroy(world->tasks);
    LT_DELETE(&world->allocator, world->contacts, world->capacities.contacts, lt_contact);
    LT_DELETE(&world->allocator, world->used_log.spheres, world->used_log.capacity, lt_logged_sphere);
    LT_DELETE(&world->allocator, world->used_spheres, world->used_log.capacity, lt_used_sphere);
    LT_DELETE(&world->allocator, world->seen_obstacles, world->seen_capacity, lt_obstacle);
    lt_arena_free(&world->arena);
    lt_array_free(&world->softs);
    lt_rest_factors_free(&world->factors);
    lt_array_free(&world->colliders);
    lt_array_free(&world->bodies);
    lt_array_free(&world->layouts);
    lt_array_free(&world->obstacles);
    lt_array_free(&world->handles);
    lt_slots_free(&world->body_slots);
    lt_slots_free(&world->obstacle_slots);
    lt_slots_free(&world->handle_slots);
    lt_allocator allocator = world->def.allocator;
    LT_DELETE(&allocator, world, 1, lt_world);
}

void lt_world_set_gravity(lt_world *world, lt_vec3 gravity) {
    if (!LT_REQUIRE(world && lt_v3_is_finite(gravity))) return;
    world->def.gravity = gravity;
    lt_world_wake_all(world);
}

const lt_contact *lt_world_contacts(const lt_world *world, uint32_t *count) {
    /* What the caller sees does not change: it is only made now. */
    if (world && !world->contacts_are_published) lt_publish_contacts((lt_world *)world);
    if (count) *count = world ? world->contact_count : 0;
    return world ? world->contacts : NULL;
}

const lt_used_sphere *lt_world_used_spheres(const lt_world *world, uint32_t *count) {
    *count = world->used_log.count;
    return world->used_spheres;
}
