/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies as the caller sees them: adding, removing, reading, pins, handles, forces. */

#include "world/world.h"

#include "core/polar.h"

#include <string.h>

static const uint64_t BODY_COOKIE = 0x6c697468652d6264u;

lt_body_def lt_body_def_default(void) {
    lt_material material = {.young = 1e5f,
                            .poisson = 0.4f,
                            .density = 1000,
                            .mass_damping = 0.1f,
                            .stiffness_damping = 0.002f,
                            .friction = 0.3f};
    return (lt_body_def){.rotation = {0, 0, 0, 1},
                         .scale = 1,
                         .material = material,
                         .model = LT_MODEL_COROTATIONAL,
                         .max_substeps = 64,
                         .max_iterations = 500,
                         .solve_interval = 1,
                         .tolerance = 5e-3f,
                         .refine_threshold = 0.4f,
                         .collision_group = 1,
                         .collision_mask = UINT32_MAX,
                         .self_collision = true,
                         .cookie = BODY_COOKIE};
}

lt_box lt_body_box_now(const lt_world *world, uint32_t index) {
    LT_ASSERT(index < lt_slots_count(&world->body_slots));
    const lt_soft *soft = lt_soft_at(world, index);
    lt_node_measure measure;
    lt_bound_kernels_for(world->level)
        ->measure_nodes(&measure, soft->nodes, soft->node_velocities, soft->carrier.node_count);
    return lt_body_box(&lt_body_record(world, index)->skin, measure.box);
}

static uint32_t index_of(const lt_world *world, lt_body_id body) {
    return lt_slots_find(&world->body_slots, body.index_plus_one, body.generation);
}

/* ---- adding ---- */

static bool in_range(float value, float lo, float hi) {
    return value >= lo && value <= hi; /* false for NaN */
}

static bool origin_is_usable(const double origin[3]) {
    for (int k = 0; k < 3; k++)
        if (!(fabs(origin[k]) <= (double)LT_FARTHEST)) return false; /* NaN, too */
    return true;
}

static const double world_origin[3] = {0, 0, 0};

/* Where callers measure from. */
static const double *from_or_world(const double from[3]) {
    return from ? from : world_origin;
}
static lt_status check_def(const lt_world *world, const lt_body_def *def, lt_error *error) {
    if (!LT_REQUIRE(world && def && def->cookie == BODY_COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_body_def_default");
    if (!def->shape) return lt_fail(error, LT_STATUS_INVALID, "the body has no shape");
    if (!lt_v3_is_finite(def->position))
        return lt_fail(error, LT_STATUS_INVALID, "the position is not finite");
    if (!origin_is_usable(def->origin))
        return lt_fail(error, LT_STATUS_INVALID, "the origin is not finite or beyond 1e15 m");
    if (!lt_v3_is_finite(def->velocity))
        return lt_fail(error, LT_STATUS_INVALID, "the velocity is not finite");
    if (!lt_v3_is_finite(def->angular_velocity))
        return lt_fail(error, LT_STATUS_INVALID, "the angular_velocity is not finite");
    if (!lt_quat_is_rotation(def->rotation))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the rotation is not finite or zero: the identity is {0, 0, 0, 1}");
    if (!in_range(def->scale, 1e-6f, 1e6f))
        return lt_fail(error, LT_STATUS_INVALID, "scale %g: give 1e-6 to 1e6", def->scale);
    if ((unsigned)def->model >= LT_MODEL_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "model %d is not one this library has", (int)def->model);
    if (!(def->refine_threshold >= 0))
        return lt_fail(error, LT_STATUS_INVALID, "refine_threshold %g: give 0 (all is refined) or more",
                       (double)def->refine_threshold);
    if (def->max_substeps == 0 || def->max_iterations == 0 || !in_range(def->tolerance, 1e-12f, 1))
        return lt_fail(
            error, LT_STATUS_INVALID,
            "max_substeps %u, max_iterations %u, tolerance %g: the counts must be positive, the tolerance "
            "1e-12 to 1",
            def->max_substeps, def->max_iterations, def->tolerance);
    if (def->solve_interval == 0 || def->solve_interval > LT_INTERVAL_MOST)
        return lt_fail(error, LT_STATUS_INVALID, "solve_interval %u: give 1 (every step) to %u",
                       def->solve_interval, (uint32_t)LT_INTERVAL_MOST);
    return lt_material_check(&def->material, error);
}

/* Surface points that detection wants: of lattices none. */
static uint32_t point_count_of(const lt_body *body) {
    return body->skin.cell_boxes ? 0 : body->skin.point_count;
}

static void free_parts(lt_world *world, lt_soft *soft, lt_collider *collider, lt_body *body) {
    LT_DELETE(&world->allocator, collider->points, point_count_of(body), lt_vec3);
    LT_DELETE(&world->allocator, collider->tet_boxes.boxes,
              6 * (size_t)LT_GROUP * collider->tet_boxes.group_count, float);
    LT_DELETE(&world->allocator, body->view_positions, body->skin.point_count, lt_vec3);
    LT_DELETE(&world->allocator, body->view_normals, body->skin.point_count, lt_vec3);
    LT_DELETE(&world->allocator, body->node_levels, soft->carrier.node_count, uint8_t);
    lt_spheres_free(&collider->spheres, &world->allocator);
    lt_cell_boxes_free(&collider->cells);
    if (collider->surface) lt_moving_surface_free(collider->surface);
    LT_DELETE(&world->allocator, collider->surface, 1, lt_moving_surface);
    if (body->layout) lt_world_give_back_layout(world, body->layout);
    if (soft->memory) {
        lt_rest_factors_remove(&world->factors, soft);
        lt_soft_free(soft);
    }
    lt_shape_release(body->shape);
    *collider = (lt_collider){0};
    *body = (lt_body){0};
}

static bool allocate_views(lt_world *world, const lt_soft *soft, lt_collider *collider, lt_body *body) {
    uint32_t points = point_count_of(body);
    collider->points = points ? LT_NEW(&world->allocator, points, lt_vec3) : NULL;
    uint32_t groups = collider->tet_boxes.group_count;
    collider->tet_boxes.boxes =
        groups ? LT_NEW(&world->allocator, 6 * (size_t)LT_GROUP * groups, float) : NULL;
    body->view_positions = LT_NEW(&world->allocator, body->skin.point_count, lt_vec3);
    body->view_normals = LT_NEW(&world->allocator, body->skin.point_count, lt_vec3);
    body->node_levels = LT_NEW(&world->allocator, soft->carrier.node_count, uint8_t);
    return (collider->points || points == 0) && (collider->tet_boxes.boxes || groups == 0) &&
           body->view_positions && body->view_normals && body->node_levels;
}

/* Position, scale and rotation together may still leave the range of numbers that can be squared. */
static lt_status check_placed(const lt_soft *soft, lt_error *error) {
    const double origin[4] = {soft->origin[0], soft->origin[1], soft->origin[2], 0};
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++)
        if (!(fabs(origin[i % 4] + (double)soft->x[i]) <= (double)LT_FARTHEST &&
              lt_abs_r(soft->v[i]) <= LT_FARTHEST))
            return lt_fail(error, LT_STATUS_INVALID, "node %zu would be more than 1e15 m away, or that fast",
                           i / 4);
    return LT_OK;
}

/* It was made as if `origin` were the world's: then its bits are the same wherever that is on the grid. */
static void place_in_world(lt_soft *soft, const double origin[3]) {
    double chosen[3] = {0, 0, 0}, cell = lt_frame_cell((double)soft->size);
    if (origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return;
    for (int k = 0; k < 3; k++)
        soft->origin[k] += origin[k];
    lt_dvec3 place = lt_soft_world_center(soft);
    if (!lt_frame_serves(chosen, place, LT_FRAME_CELLS * cell)) lt_frame_nearest(chosen, place, cell);
    lt_soft_rebase(soft, chosen);
}

/* Only the method that needs a tree pays for one. */
static lt_status make_spheres(lt_world *world, const lt_body_def *def, const lt_carrier *carrier,
                              lt_collider *collider, lt_body *body, lt_error *error) {
    if (world->method->bounds != LT_BOUNDS_SPHERES || !lt_sphere_tree_exists(def->shape)) return LT_OK;
    lt_status status = lt_sphere_tree_read(&body->sphere_tree, def->shape, carrier, &body->skin, error);
    if (status != LT_OK) return status;
    return lt_spheres_create(&collider->spheres, &body->sphere_tree, def->scale, &world->allocator, error);
}

/* Likewise for boxes. */
static lt_status make_cells(lt_world *world, const lt_body_def *def, const lt_carrier *carrier,
                            lt_collider *collider, lt_body *body, lt_error *error) {
    if (world->method->bounds != LT_BOUNDS_CELLS || carrier->cell_count == 0) return LT_OK;
    lt_status status = lt_world_take_layout(world, &body->layout, def->shape, carrier, &body->skin, error);
    if (status != LT_OK) return status;
    return lt_cell_boxes_create(&collider->cells, &body->layout->layout,
                                (float)(carrier->cell_size * (double)def->scale),
                                world->def.mode == LT_MODE_PAPER, world->level, &world->allocator, error);
}

/* And for trees of boxes: shared by bodies of all levels (`ladder`) and of the finest. */
static lt_status make_surface(lt_world *world, const lt_body_def *def, const lt_carrier *ladder,
                              const lt_carrier *own, lt_collider *collider, lt_body *body, lt_error *error) {
    if (world->method->bounds != LT_BOUNDS_SURFACE || !lt_multiscale_tree_exists(def->shape)) return LT_OK;
    lt_status status = lt_world_take_layout(world, &body->layout, def->shape, ladder, &body->skin, error);
    if (status != LT_OK) return status;
    collider->surface = LT_NEW(&world->allocator, 1, lt_moving_surface);
    if (!collider->surface) return lt_fail(error, LT_STATUS_MEMORY, "no memory for a tree of boxes");
    lt_moving_surface_def surface = {.with_itself = world->def.self_collision && def->self_collision,
                                     .marks = lt_self_def_of_mode(world->def.mode),
                                     .level = world->level};
    return lt_moving_surface_create(collider->surface, &body->layout->surface, own, &surface,
                                    &world->allocator, error);
}

static lt_status make_parts(lt_world *world, const lt_body_def *def, lt_soft *soft, lt_collider *collider,
                            lt_body *body, lt_error *error) {
    lt_carrier ladder;
    lt_status status = lt_carrier_read(&ladder, def->shape, error);
    lt_carrier carrier = lt_carrier_finest(&ladder); /* on which the surface hangs */
    if (status == LT_OK) status = lt_skin_read(&body->skin, def->shape, &carrier, error);
    if (status != LT_OK) return status;
    body->skin.scale = def->scale;
    lt_soft_def soft_def = {.model = def->model,
                            .material = def->material,
                            .rotation = lt_matrix_from_quat(def->rotation),
                            .position = lt_d3_from_v3(def->position),
                            .scale = def->scale,
                            .velocity = def->velocity,
                            .angular_velocity = def->angular_velocity,
                            .max_substeps = def->max_substeps,
                            .max_iterations = def->max_iterations,
                            .solve_interval = def->solve_interval,
                            .tolerance = def->tolerance,
                            .refine_threshold = def->refine_threshold,
                            .as_printed = world->def.mode == LT_MODE_PAPER};
    status = lt_soft_create(soft, def->model == LT_MODEL_MULTIGRID ? &ladder : &carrier, &soft_def,
                            &world->allocator, error);
    if (status == LT_OK) place_in_world(soft, def->origin);
    if (status == LT_OK) status = check_placed(soft, error);
    if (status == LT_OK) status = lt_rest_factors_add(&world->factors, soft, error);
    if (status != LT_OK) return status;
    collider->tet_boxes.group_count = soft->elements.group_count;
    status = make_spheres(world, def, &carrier, collider, body, error);
    if (status == LT_OK) status = make_cells(world, def, &carrier, collider, body, error);
    if (status == LT_OK) status = make_surface(world, def, &ladder, &soft->carrier, collider, body, error);
    if (status != LT_OK) return status;
    if (!allocate_views(world, soft, collider, body))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a surface of %u vertices",
                       body->skin.point_count);
    body->shape = lt_shape_retain(def->shape);
    body->user_data = def->user_data;
    collider->in_use = true;
    collider->self_collision = def->self_collision;
    collider->group = def->collision_group;
    collider->mask = def->collision_mask;
    collider->friction = def->material.friction;
    collider->significance = 1;
    return LT_OK;
}

/* Arrays may have moved: colliders point into two others. */
static void relink(lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        lt_collider_at(world, i)->soft = lt_soft_at(world, i);
        lt_collider_at(world, i)->skin = &lt_body_record(world, i)->skin;
        if (lt_collider_at(world, i)->spheres.tree)
            lt_collider_at(world, i)->spheres.tree = &lt_body_record(world, i)->sphere_tree;
    }
}

static bool take_slot(lt_world *world, uint32_t *index) {
    uint32_t before = lt_body_slots(world);
    if (world->body_slots.first_free == 0 &&
        !(lt_array_make_room(&world->softs, 1) && lt_array_make_room(&world->colliders, 1) &&
          lt_array_make_room(&world->bodies, 1)))
        return false;
    *index = lt_slots_take(&world->body_slots);
    if (*index == LT_NONE) return false;
    if (*index == before) {
        lt_array_grow(&world->softs, 1);
        lt_array_grow(&world->colliders, 1);
        lt_array_grow(&world->bodies, 1);
    }
    return true;
}

lt_body_id lt_world_add_body(lt_world *world, const lt_body_def *def, lt_error *error) {
    const lt_body_id none = {0, 0};
    if (check_def(world, def, error) != LT_OK) return none;
    lt_soft soft = {0};
    lt_collider collider = {0};
    lt_body body = {0};
    uint32_t index = LT_NONE;
    lt_status status = make_parts(world, def, &soft, &collider, &body, error);
    collider.soft = &soft;
    collider.skin = &body.skin;
    const char *reason = status == LT_OK ? world->method->refuse(&collider) : NULL;
    if (reason)
        status = lt_fail(error, LT_STATUS_UNSUPPORTED, "method %s refuses this body: %s",
                         lt_method_name(world->def.method), reason);
    if (status == LT_OK && !take_slot(world, &index))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for another body");
    if (status != LT_OK) {
        relink(world); /* some of the arrays may have grown before memory was out */
        free_parts(world, &soft, &collider, &body);
        return none;
    }
    *lt_soft_at(world, index) = soft;
    *lt_collider_at(world, index) = collider;
    *lt_body_record(world, index) = body;
    relink(world);
    lt_collider_refresh(lt_collider_at(world, index), lt_embed_kernels_for(world->level));
    lt_body_id id = lt_body_id_of(world, index);
    if (lt_world_reserve_step(world, error) == LT_OK) return id;
    lt_world_remove_body(world, id);
    return none;
}

void lt_world_remove_body(lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return;
    for (uint32_t i = 0; i < lt_slots_count(&world->handle_slots); i++)
        if (lt_slots_in_use(&world->handle_slots, i) && ((lt_handle *)world->handles.items)[i].body == index)
            lt_slots_give_back(&world->handle_slots, i);
    world->method->forget_body(world->method_state, index);
    free_parts(world, lt_soft_at(world, index), lt_collider_at(world, index), lt_body_record(world, index));
    lt_slots_give_back(&world->body_slots, index);
    world->contact_count = 0;
    world->contacts_are_published = true;
    lt_world_wake_all(world);
}

/* ---- reading ---- */

uint32_t lt_world_body_count(const lt_world *world) {
    return world->body_slots.used_count;
}

lt_body_id lt_world_body_at(const lt_world *world, uint32_t index) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_slots_in_use(&world->body_slots, i) && index-- == 0) return lt_body_id_of(world, i);
    (void)LT_REQUIRE(!"lt_world_body_at: index out of range");
    return (lt_body_id){0, 0};
}

bool lt_body_is_valid(const lt_world *world, lt_body_id body) {
    return index_of(world, body) != LT_NONE;
}

void *lt_body_user_data(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) ? lt_body_record(world, index)->user_data : NULL;
}

uint32_t lt_body_node_count(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) ? lt_soft_own_count(lt_soft_at(world, index)) : 0;
}

void lt_body_frame(const lt_world *world, lt_body_id body, double origin[3]) {
    uint32_t index = index_of(world, body);
    bool valid = LT_REQUIRE(index != LT_NONE);
    memcpy(origin, valid ? lt_soft_at(world, index)->origin : world_origin, sizeof world_origin);
}

void lt_body_get_nodes_from(const lt_world *world, lt_body_id body, const double from[3], lt_vec3 *positions,
                            lt_vec3 *velocities) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return;
    const lt_soft *soft = lt_soft_at(world, index);
    from = from_or_world(from);
    for (uint32_t i = 0; i < lt_soft_own_count(soft); i++) {
        if (positions) positions[i] = lt_soft_give(soft, from, lt_node_get(soft->x, i));
        if (velocities) velocities[i] = lt_v3_from_r3(lt_node_get(soft->v, i));
    }
}

void lt_body_get_nodes(const lt_world *world, lt_body_id body, lt_vec3 *positions, lt_vec3 *velocities) {
    lt_body_get_nodes_from(world, body, NULL, positions, velocities);
}

static lt_status check_vectors(const lt_vec3 *vectors, uint32_t count, const char *what, lt_error *error) {
    for (uint32_t i = 0; vectors && i < count; i++)
        if (!lt_v3_is_within(vectors[i], (float)LT_FARTHEST))
            return lt_fail(error, LT_STATUS_INVALID,
                           "node %u: the %s is not finite or beyond 1e15; nothing was changed", i, what);
    return LT_OK;
}

static void put_nodes(lt_soft *soft, const double from[3], const lt_vec3 *positions,
                      const lt_vec3 *velocities) {
    for (uint32_t i = 0, count = lt_soft_own_count(soft); i < count; i++) {
        if (positions) {
            lt_rvec3 x = lt_soft_take(soft, from, positions[i]);
            lt_node_set(soft->x, i, x);
            if (soft->pinned[i]) lt_node_set(soft->pin_target, i, x);
        }
        if (velocities) lt_node_set(soft->v, i, lt_r3_from_v3(velocities[i]));
    }
    lt_soft_follow(soft);
}

lt_status lt_body_set_nodes_from(lt_world *world, lt_body_id body, const double from[3],
                                 const lt_vec3 *positions, const lt_vec3 *velocities, lt_error *error) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return lt_fail(error, LT_STATUS_INVALID, "no such body");
    lt_soft *soft = lt_soft_at(world, index);
    uint32_t count = lt_soft_own_count(soft);
    from = from_or_world(from);
    lt_status status = check_vectors(positions, count, "position", error);
    if (status == LT_OK) status = check_vectors(velocities, count, "velocity", error);
    if (status == LT_OK && !origin_is_usable(from))
        status = lt_fail(error, LT_STATUS_INVALID, "`from` is not finite or beyond 1e15 m");
    if (status != LT_OK) return status;
    lt_soft_free_nodes(soft);
    if (positions) lt_world_rebase_body(world, index, lt_place_from(from, positions[0]));
    put_nodes(soft, from, positions, velocities);
    lt_collider_outdate(lt_collider_at(world, index));
    if (positions) {
        lt_world_wake_touching(world, index); /* it may be gone from below them */
        world->method->displace_body(world->method_state, index);
    }
    lt_world_wake_index(world, index);
    return LT_OK;
}

lt_status lt_body_set_nodes(lt_world *world, lt_body_id body, const lt_vec3 *positions,
                            const lt_vec3 *velocities, lt_error *error) {
    return lt_body_set_nodes_from(world, body, NULL, positions, velocities, error);
}

lt_vec3 lt_body_center_from(const lt_world *world, lt_body_id body, const double from[3]) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return (lt_vec3){0, 0, 0};
    const lt_soft *soft = lt_soft_at(world, index);
    return lt_soft_give(soft, from_or_world(from), lt_soft_center(soft));
}

lt_vec3 lt_body_center(const lt_world *world, lt_body_id body) {
    return lt_body_center_from(world, body, NULL);
}

lt_vec3 lt_body_momentum(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return (lt_vec3){0, 0, 0};
    return lt_v3_from_r3(lt_soft_momentum(lt_soft_at(world, index)));
}

float lt_body_mass(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) ? (float)lt_soft_at(world, index)->total_mass : 0;
}

lt_surface_view lt_body_surface_from(lt_world *world, lt_body_id body, const double from[3]) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return (lt_surface_view){0};
    lt_body *record = lt_body_record(world, index);
    const lt_skin *skin = &record->skin;
    const lt_soft *soft = lt_soft_at(world, index);
    lt_embed_positions(lt_embed_kernels_for(world->level), record->view_positions, skin, soft->nodes, 0,
                       skin->point_count);
    lt_surface_normals(record->view_normals, record->view_positions, skin->point_count, skin->triangles,
                       skin->triangle_count); /* of offsets: they are finer than places */
    from = from_or_world(from);
    for (uint32_t i = 0; i < skin->point_count; i++)
        record->view_positions[i] = lt_offset_seen(from, soft->origin, record->view_positions[i]);
    return (lt_surface_view){record->view_positions, record->view_normals, skin->triangles, skin->point_count,
                             skin->triangle_count};
}

lt_surface_view lt_body_surface(lt_world *world, lt_body_id body) {
    return lt_body_surface_from(world, body, NULL);
}

uint32_t lt_body_levels(lt_world *world, lt_body_id body, uint8_t *levels) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) return 0;
    const lt_body *record = lt_body_record(world, index);
    const lt_skin *skin = &record->skin;
    uint32_t count = lt_soft_levels(lt_soft_at(world, index), record->node_levels);
    for (size_t i = 0; levels && i < skin->point_count; i++)
        levels[i] = lt_finest_level(record->node_levels, skin->ids + i * skin->corner_count,
                                    skin->weights + i * skin->corner_count, skin->corner_count);
    return count;
}

/* ---- material ---- */

lt_material lt_body_material(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) ? lt_soft_at(world, index)->material : (lt_material){0};
}

float lt_body_young(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) ? lt_soft_at(world, index)->young : 0;
}

/* The factor comes first: where there is no memory for it nothing has changed. */
static lt_status change_material(lt_world *world, lt_soft *soft, const lt_material *material,
                                 lt_error *error) {
    lt_material before = soft->material;
    if (memcmp(&before, material, sizeof before) == 0) return LT_OK;
    soft->material = *material;
    lt_status status = lt_rest_factors_add(&world->factors, soft, error);
    soft->material = before;
    if (status != LT_OK) return status;
    lt_soft_set_material(soft, material);
    lt_soft_pins_changed(soft); /* a front is weighed anew */
    soft->energy[0] = -1;
    return LT_OK;
}

lt_status lt_body_set_material(lt_world *world, lt_body_id body, const lt_material *material,
                               lt_error *error) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE && material))
        return lt_fail(error, LT_STATUS_INVALID, "no such body, or no material");
    lt_status status = lt_material_check(material, error);
    if (status == LT_OK) status = change_material(world, lt_soft_at(world, index), material, error);
    if (status != LT_OK) return status;
    lt_collider_at(world, index)->friction = material->friction;
    lt_world_wake_index(world, index);
    return LT_OK;
}

/* ---- pins ---- */

static lt_soft *soft_with_node(lt_world *world, lt_body_id body, uint32_t node) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE && node < lt_soft_own_count(lt_soft_at(world, index)))) return NULL;
    lt_world_wake_index(world, index);
    return lt_soft_at(world, index);
}

/* Pinned nodes have no rows in a body's factor. Without memory for another one the old one serves, slower. */
static void pins_changed(lt_world *world, lt_soft *soft) {
    lt_soft_pins_changed(soft);
    (void)lt_rest_factors_add(&world->factors, soft, NULL);
}

static void pin_where_it_is(lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    soft->pin_count += !soft->pinned[node];
    soft->pinned[node] = 1;
    lt_node_set(soft->pin_target, node, lt_node_get(soft->x, node));
}

void lt_body_pin_node(lt_world *world, lt_body_id body, uint32_t node) {
    lt_soft *soft = soft_with_node(world, body, node);
    if (!soft) return;
    pin_where_it_is(soft, node);
    pins_changed(world, soft);
}

void lt_body_move_pin(lt_world *world, lt_body_id body, uint32_t node, lt_vec3 position) {
    lt_body_move_pin_from(world, body, node, NULL, position);
}

void lt_body_move_pin_from(lt_world *world, lt_body_id body, uint32_t node, const double from[3],
                           lt_vec3 position) {
    lt_soft *soft = soft_with_node(world, body, node);
    if (!soft || !LT_REQUIRE(lt_v3_is_within(position, (float)LT_FARTHEST))) return;
    from = from_or_world(from);
    if (!LT_REQUIRE(origin_is_usable(from))) return;
    bool is_new = !soft->pinned[node];
    soft->pin_count += is_new;
    soft->pinned[node] = 1;
    lt_node_set(soft->pin_target, node, lt_soft_take(soft, from, position));
    if (is_new) pins_changed(world, soft);
}

void lt_body_unpin_node(lt_world *world, lt_body_id body, uint32_t node) {
    lt_soft *soft = soft_with_node(world, body, node);
    if (!soft) return;
    soft->pin_count -= soft->pinned[node];
    soft->pinned[node] = 0;
    pins_changed(world, soft);
}

uint32_t lt_body_pin_box(lt_world *world, lt_body_id body, lt_vec3 lo, lt_vec3 hi) {
    return lt_body_pin_box_from(world, body, NULL, lo, hi);
}

uint32_t lt_body_pin_box_from(lt_world *world, lt_body_id body, const double from[3], lt_vec3 lo,
                              lt_vec3 hi) {
    uint32_t count = lt_body_node_count(world, body), pinned = 0;
    from = from_or_world(from);
    for (uint32_t node = 0; node < count; node++) {
        lt_soft *soft = soft_with_node(world, body, node);
        lt_vec3 place = lt_soft_give(soft, from, lt_node_get(soft->x, node));
        if (!lt_box_contains((lt_box){lo, hi}, place)) continue;
        pin_where_it_is(soft, node);
        pinned++;
    }
    if (pinned > 0) pins_changed(world, lt_soft_at(world, index_of(world, body)));
    return pinned;
}

/* ---- handles and forces ---- */

static uint32_t handle_index(const lt_world *world, lt_handle_id handle) {
    return lt_slots_find(&world->handle_slots, handle.index_plus_one, handle.generation);
}

/* Room first, so that a failure leaves no slot without a record. */
static lt_handle_id take_handle(lt_world *world, lt_handle record, lt_error *error) {
    const lt_handle_id none = {0, 0};
    uint32_t count = lt_slots_count(&world->handle_slots), slot = LT_NONE;
    if (world->handle_slots.first_free || lt_array_make_room(&world->handles, 1))
        slot = lt_slots_take(&world->handle_slots);
    if (slot == count) lt_array_grow(&world->handles, 1);
    if (slot == LT_NONE || lt_world_reserve_step(world, error) != LT_OK) {
        if (slot != LT_NONE) lt_slots_give_back(&world->handle_slots, slot);
        lt_fail(error, LT_STATUS_MEMORY, "no memory for another handle");
        return none;
    }
    ((lt_handle *)world->handles.items)[slot] = record;
    lt_world_wake_index(world, record.body);
    return (lt_handle_id){slot + 1, lt_slots_generation(&world->handle_slots, slot)};
}

lt_handle_id lt_world_add_handle(lt_world *world, lt_body_id body, uint32_t surface_vertex, lt_vec3 target,
                                 float stiffness, lt_error *error) {
    const lt_handle_id none = {0, 0};
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE)) {
        lt_fail(error, LT_STATUS_INVALID, "no such body");
        return none;
    }
    uint32_t points = lt_body_record(world, index)->skin.point_count;
    if (surface_vertex >= points)
        lt_fail(error, LT_STATUS_INVALID, "a handle on vertex %u: the surface has %u", surface_vertex,
                points);
    else if (!lt_v3_is_finite(target))
        lt_fail(error, LT_STATUS_INVALID, "the handle's target is not finite");
    else if (!in_range(stiffness, 0, 1e12f))
        lt_fail(error, LT_STATUS_INVALID, "a handle of stiffness %g N/m: give 0 to 1e12", stiffness);
    else
        return take_handle(world, (lt_handle){index, surface_vertex, target, stiffness, {0, 0, 0}}, error);
    return none;
}

void lt_world_move_handle(lt_world *world, lt_handle_id handle, lt_vec3 target) {
    lt_world_move_handle_from(world, handle, NULL, target);
}

void lt_world_move_handle_from(lt_world *world, lt_handle_id handle, const double from[3], lt_vec3 target) {
    uint32_t slot = handle_index(world, handle);
    from = from_or_world(from);
    if (!LT_REQUIRE(slot != LT_NONE && lt_v3_is_finite(target) && origin_is_usable(from))) return;
    lt_handle *record = (lt_handle *)world->handles.items + slot;
    record->target = target;
    memcpy(record->origin, from, sizeof record->origin);
    lt_world_wake_index(world, record->body);
}

void lt_world_remove_handle(lt_world *world, lt_handle_id handle) {
    uint32_t slot = handle_index(world, handle);
    if (!LT_REQUIRE(slot != LT_NONE)) return;
    lt_world_wake_index(world, ((lt_handle *)world->handles.items)[slot].body);
    lt_slots_give_back(&world->handle_slots, slot);
}

/* Sums of what is finite need not be. */
static void bound_force(lt_soft *soft, uint32_t node) {
    for (size_t i = 4 * (size_t)node; i < 4 * (size_t)node + 3; i++)
        soft->force[i] = lt_min_r(lt_max_r(soft->force[i], -LT_STRONGEST), LT_STRONGEST);
}

void lt_body_add_force(lt_world *world, lt_body_id body, lt_vec3 force) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE && lt_v3_is_finite(force))) return;
    lt_soft *soft = lt_soft_at(world, index);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_node_add(soft->force, node, lt_r3_from_v3(force), soft->mass[node] / soft->total_mass);
        bound_force(soft, node);
    }
    lt_world_wake_index(world, index);
}

void lt_body_add_force_at(lt_world *world, lt_body_id body, uint32_t surface_vertex, lt_vec3 force) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE && lt_v3_is_finite(force))) return;
    const lt_skin *skin = &lt_body_record(world, index)->skin;
    if (!LT_REQUIRE(surface_vertex < skin->point_count)) return;
    lt_anchor anchor = lt_embed_anchor(skin, surface_vertex);
    lt_anchor_scatter(&anchor, lt_soft_at(world, index)->force, lt_r3_from_v3(force));
    for (uint32_t i = 0; i < anchor.count; i++)
        bound_force(lt_soft_at(world, index), anchor.ids[i]);
    lt_world_wake_index(world, index);
}

void lt_body_set_solve_interval(lt_world *world, lt_body_id body, uint32_t steps) {
    uint32_t index = index_of(world, body);
    if (!LT_REQUIRE(index != LT_NONE && steps >= 1 && steps <= LT_INTERVAL_MOST)) return;
    lt_soft_at(world, index)->solve_interval = steps;
}

void lt_body_wake(lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    if (LT_REQUIRE(index != LT_NONE)) lt_world_wake_index(world, index);
}

bool lt_body_is_asleep(const lt_world *world, lt_body_id body) {
    uint32_t index = index_of(world, body);
    return LT_REQUIRE(index != LT_NONE) && lt_collider_at(world, index)->asleep;
}
