/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "world/world.h"

#include <string.h>

static const uint64_t OBSTACLE_COOKIE = 0x6c697468652d6f62u;

lt_obstacle_def lt_obstacle_def_default(void) {
    return (lt_obstacle_def){.kind = LT_OBSTACLE_PLANE,
                             .rotation = {0, 0, 0, 1},
                             .normal = {0, 1, 0},
                             .radius = 0.5f,
                             .half_length = 0.5f,
                             .half_extents = {0.5f, 0.5f, 0.5f},
                             .mesh_resolution = 64,
                             .friction = 0.5f,
                             .collision_group = 1,
                             .collision_mask = UINT32_MAX,
                             .cookie = OBSTACLE_COOKIE};
}

lt_obstacle_id lt_obstacle_id_of(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->obstacle_slots));
    return (lt_obstacle_id){index + 1, lt_slots_generation(&world->obstacle_slots, index)};
}

static uint32_t index_of(const lt_world *world, lt_obstacle_id obstacle) {
    return lt_slots_find(&world->obstacle_slots, obstacle.index_plus_one, obstacle.generation);
}

static lt_status check_def(const lt_obstacle_def *def, lt_error *error) {
    if (!LT_REQUIRE(def && def->cookie == OBSTACLE_COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_obstacle_def_default");
    if ((unsigned)def->kind >= LT_OBSTACLE_KIND_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "obstacle kind %d is not one this library has",
                       (int)def->kind);
    if (!lt_v3_is_finite(def->position))
        return lt_fail(error, LT_STATUS_INVALID, "the position is not finite");
    for (int k = 0; k < 3; k++)
        if (!(fabs(def->origin[k]) <= (double)LT_FARTHEST))
            return lt_fail(error, LT_STATUS_INVALID, "the origin is not finite or beyond 1e15 m");
    if (!lt_quat_is_rotation(def->rotation))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the rotation is not finite or zero: the identity is {0, 0, 0, 1}");
    float normal = lt_v3_length(def->normal);
    if (def->kind == LT_OBSTACLE_PLANE && !(normal > 1e-6f && normal < 1e18f))
        return lt_fail(error, LT_STATUS_INVALID, "the plane's normal has no direction");
    if (def->kind == LT_OBSTACLE_MESH && (def->mesh_resolution == 0 || def->mesh_resolution > 1024))
        return lt_fail(error, LT_STATUS_INVALID, "mesh_resolution %u: give 1 to 1024", def->mesh_resolution);
    bool round = def->kind == LT_OBSTACLE_SPHERE || def->kind == LT_OBSTACLE_CAPSULE;
    if (round && !(def->radius > 0 && def->radius < 1e9f))
        return lt_fail(error, LT_STATUS_INVALID, "radius %g must be positive", def->radius);
    if (def->kind == LT_OBSTACLE_CAPSULE && !(def->half_length >= 0 && def->half_length < 1e9f))
        return lt_fail(error, LT_STATUS_INVALID, "half_length %g must not be negative", def->half_length);
    lt_vec3 h = def->half_extents;
    if (def->kind == LT_OBSTACLE_BOX && !(h.x > 0 && h.y > 0 && h.z > 0 && lt_v3_is_finite(h)))
        return lt_fail(error, LT_STATUS_INVALID, "half_extents must be positive");
    if (!(def->friction >= 0 && def->friction <= 100))
        return lt_fail(error, LT_STATUS_INVALID, "friction %g: give 0 to 100", def->friction);
    return LT_OK;
}

static lt_status build_grid(lt_distance_grid *out, const lt_obstacle_def *def, const lt_allocator *allocator,
                            lt_error *error) {
    lt_surface surface = {.positions = (lt_vec3 *)def->mesh_positions,
                          .triangles = (uint32_t *)def->mesh_triangles,
                          .vertex_count = def->mesh_positions ? def->mesh_vertex_count : 0,
                          .triangle_count = def->mesh_triangles ? def->mesh_triangle_count : 0};
    lt_status status = lt_surface_check(&surface, "obstacle mesh", error);
    if (status != LT_OK) return status;
    lt_distance_grid_options options = {.cells = def->mesh_resolution};
    return lt_distance_grid_build(&surface, &options, allocator, out, error);
}

lt_status lt_obstacle_make(lt_obstacle *out, const lt_obstacle_def *def, const lt_allocator *allocator,
                           lt_error *error) {
    *out = (lt_obstacle){0};
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    lt_distance_grid grid = {0};
    if (def->kind == LT_OBSTACLE_MESH) status = build_grid(&grid, def, allocator, error);
    if (status != LT_OK) return status;
    *out = (lt_obstacle){.in_use = true,
                         .kind = def->kind,
                         .radius = def->radius,
                         .half_length = def->half_length,
                         .half_extents = def->half_extents,
                         .local_normal = lt_v3_normalize_or(def->normal, (lt_vec3){0, 1, 0}),
                         .grid = grid,
                         .origin = {def->origin[0], def->origin[1], def->origin[2]},
                         .group = def->collision_group,
                         .mask = def->collision_mask,
                         .friction = def->friction,
                         .user_data = def->user_data};
    lt_obstacle_place(out, def->position, def->rotation);
    return LT_OK;
}

static void give_back(lt_world *world, uint32_t index) {
    lt_distance_grid_free(&lt_obstacle_record(world, index)->grid);
    memset(lt_obstacle_record(world, index), 0, sizeof(lt_obstacle));
    lt_slots_give_back(&world->obstacle_slots, index);
}

lt_obstacle_id lt_world_add_obstacle(lt_world *world, const lt_obstacle_def *def, lt_error *error) {
    const lt_obstacle_id none = {0, 0};
    lt_obstacle o;
    lt_status status = LT_REQUIRE(world) ? lt_obstacle_make(&o, def, &world->allocator, error)
                                         : lt_fail(error, LT_STATUS_INVALID, "no world to put it into");
    if (status != LT_OK) return none;
    uint32_t count = lt_obstacle_slots(world), index = LT_NONE;
    /* Room first, so that a failure leaves no slot without a record. */
    if (world->obstacle_slots.first_free || lt_array_make_room(&world->obstacles, 1))
        index = lt_slots_take(&world->obstacle_slots);
    if (index == count) lt_array_grow(&world->obstacles, 1);
    if (index == LT_NONE) {
        lt_distance_grid_free(&o.grid);
        lt_fail(error, LT_STATUS_MEMORY, "no memory for another obstacle");
        return none;
    }
    *lt_obstacle_record(world, index) = o;
    if (lt_world_reserve_step(world, error) != LT_OK) {
        give_back(world, index);
        return none;
    }
    lt_world_wake_all(world);
    return lt_obstacle_id_of(world, index);
}

void lt_world_remove_obstacle(lt_world *world, lt_obstacle_id obstacle) {
    uint32_t index = index_of(world, obstacle);
    if (!LT_REQUIRE(index != LT_NONE)) return;
    world->method->forget_obstacle(world->method_state, index);
    give_back(world, index);
    world->contact_count = 0;
    world->contacts_are_published = true;
    lt_world_wake_all(world);
}

void lt_world_move_obstacle(lt_world *world, lt_obstacle_id obstacle, lt_vec3 position, lt_quat rotation) {
    uint32_t index = index_of(world, obstacle);
    if (!LT_REQUIRE(index != LT_NONE && lt_v3_is_finite(position) && lt_quat_is_rotation(rotation))) return;
    lt_obstacle *o = lt_obstacle_record(world, index);
    o->target_position = position;
    o->target_rotation = rotation;
    o->moving = memcmp(&position, &o->position, sizeof position) != 0 ||
                memcmp(&rotation, &o->rotation, sizeof rotation) != 0;
}

void lt_obstacle_load(const lt_world *world, lt_obstacle_id obstacle, lt_vec3 *force, lt_vec3 *torque) {
    uint32_t index = index_of(world, obstacle);
    bool valid = LT_REQUIRE(index != LT_NONE);
    if (force) *force = valid ? lt_obstacle_record(world, index)->force : (lt_vec3){0, 0, 0};
    if (torque) *torque = valid ? lt_obstacle_record(world, index)->torque : (lt_vec3){0, 0, 0};
}

uint32_t lt_world_obstacle_count(const lt_world *world) {
    return world->obstacle_slots.used_count;
}

lt_obstacle_id lt_world_obstacle_at(const lt_world *world, uint32_t index) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++)
        if (lt_slots_in_use(&world->obstacle_slots, i) && index-- == 0) return lt_obstacle_id_of(world, i);
    (void)LT_REQUIRE(!"lt_world_obstacle_at: index out of range");
    return (lt_obstacle_id){0, 0};
}

lt_obstacle_state lt_obstacle_get(const lt_world *world, lt_obstacle_id obstacle) {
    uint32_t index = index_of(world, obstacle);
    if (!LT_REQUIRE(index != LT_NONE)) return (lt_obstacle_state){0};
    const lt_obstacle *o = lt_obstacle_record(world, index);
    return (lt_obstacle_state){.kind = o->kind,
                               .position = o->position,
                               .normal = o->local_normal,
                               .half_extents = o->half_extents,
                               .rotation = o->rotation,
                               .radius = o->radius,
                               .half_length = o->half_length,
                               .user_data = o->user_data,
                               .origin = {o->origin[0], o->origin[1], o->origin[2]}};
}
