/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "world/collision_internal.h"
#include "world/world.h"

#include <string.h>

static const uint64_t COLLISION_COOKIE = 0x6c697468652d636fu, BODY_COOKIE = 0x6c697468652d6362u;

/* Farther away nothing is found with any precision, and squares leave the range of float. */
static const float FARTHEST = 1e15f;

/* ---- life ---- */

lt_collision_def lt_collision_def_default(void) {
    return (lt_collision_def){.self_collision = true,
                              .profile = true,
                              .contact_capacity = 16384,
                              .pair_capacity = 4096,
                              .simd_level = LT_LEVEL_COUNT - 1,
                              .allocator = lt_allocator_default(),
                              .cookie = COLLISION_COOKIE};
}

static void *counting_allocate(void *context, size_t size, size_t alignment) {
    lt_collision *c = context;
    c->allocation_count++;
    return c->def.allocator.allocate(c->def.allocator.context, size, alignment);
}

static void counting_release(void *context, void *memory, size_t size) {
    const lt_collision *c = context;
    c->def.allocator.release(c->def.allocator.context, memory, size);
}

static lt_status check_def(const lt_collision_def *def, lt_error *error) {
    const uint32_t most = 1u << 24;
    if (!LT_REQUIRE(def->cookie == COLLISION_COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_collision_def_default");
    if (!(def->separation >= 0 && def->separation <= FARTHEST))
        return lt_fail(error, LT_STATUS_INVALID, "separation %g m: give 0 to 1e15", def->separation);
    if (def->contact_capacity == 0 || def->contact_capacity > most || def->pair_capacity == 0 ||
        def->pair_capacity > most)
        return lt_fail(error, LT_STATUS_INVALID, "capacities of %u contacts and %u pairs: give 1 to %u",
                       def->contact_capacity, def->pair_capacity, most);
    if (!def->allocator.allocate || !def->allocator.release)
        return lt_fail(error, LT_STATUS_INVALID, "the allocator needs both functions");
    return LT_OK;
}

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(heap, c->def.pair_capacity, uint32_t)                                                                  \
    X(runs, c->def.pair_capacity, lt_collision_run)                                                          \
    X(pending, c->def.pair_capacity, lt_collision_pair)                                                      \
    X(meetings, c->def.contact_capacity, lt_meeting)                                                         \
    X(obstacle_meetings, c->def.contact_capacity, lt_obstacle_meeting)                                       \
    X(contacts, c->def.contact_capacity, lt_collision_contact)

static bool allocate_tables(lt_collision *c) {
    bool all = true;
#define TAKE(name, count, type) all = (c->name = LT_NEW(&c->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    c->pairs = lt_pair_table_make(sizeof(lt_collision_wait));
    return lt_pair_table_reserve(&c->pairs, c->def.pair_capacity, &c->allocator) && all;
}

lt_status lt_collision_create(const lt_collision_def *def, lt_collision **out, lt_error *error) {
    if (!LT_REQUIRE(def && out)) return lt_fail(error, LT_STATUS_INVALID, "no def, or nowhere to put it");
    *out = NULL;
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    lt_collision *c = LT_NEW(&def->allocator, 1, lt_collision);
    if (!c) return lt_fail(error, LT_STATUS_MEMORY, "no memory for collision only");
    c->def = *def;
    c->allocator = (lt_allocator){counting_allocate, counting_release, c};
    c->level = (lt_simd_level)lt_min_u32(def->simd_level, (uint32_t)lt_simd_best());
    c->is_over = true;
    lt_meter_init(&c->meter, (lt_clock){def->clock_ns, def->clock_context});
    lt_slots_init(&c->body_slots, &c->allocator);
    lt_slots_init(&c->obstacle_slots, &c->allocator);
    c->bodies = LT_ARRAY_OF(&c->allocator, lt_collision_body *);
    c->colliders = LT_ARRAY_OF(&c->allocator, lt_collider);
    c->shapes = LT_ARRAY_OF(&c->allocator, lt_collision_shape *);
    c->obstacles = LT_ARRAY_OF(&c->allocator, lt_obstacle);
    if (!allocate_tables(c)) {
        lt_collision_destroy(c);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u contacts and %u pairs",
                       def->contact_capacity, def->pair_capacity);
    }
    *out = c;
    return LT_OK;
}

void lt_collision_destroy(lt_collision *collision) {
    lt_collision *c = collision;
    if (!c) return;
    for (uint32_t i = 0; i < lt_slots_count(&c->body_slots); i++)
        if (lt_slots_in_use(&c->body_slots, i)) lt_collision_remove_body(c, lt_collision_body_id(c, i));
    for (uint32_t i = 0; i < lt_slots_count(&c->obstacle_slots); i++)
        if (lt_slots_in_use(&c->obstacle_slots, i))
            lt_collision_remove_obstacle(c, lt_collision_obstacle_id(c, i));
#define GIVE_BACK(name, count, type) LT_DELETE(&c->allocator, c->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    lt_pair_table_free(&c->pairs, &c->allocator);
    lt_arena_free(&c->arena);
    lt_array_free(&c->bodies);
    lt_array_free(&c->colliders);
    lt_array_free(&c->shapes);
    lt_array_free(&c->obstacles);
    lt_slots_free(&c->body_slots);
    lt_slots_free(&c->obstacle_slots);
    lt_allocator allocator = c->def.allocator;
    LT_DELETE(&allocator, c, 1, lt_collision);
}

/* ---- shapes ---- */

static lt_collision_shape *find_shape(const lt_collision *c, const lt_shape *shape) {
    for (size_t i = 0; i < c->shapes.count; i++) {
        lt_collision_shape *shared = ((lt_collision_shape **)c->shapes.items)[i];
        if (shared->shape == shape) return shared;
    }
    return NULL;
}

static lt_status fill_shape(lt_collision *c, lt_collision_shape *out, lt_shape *shape, lt_error *error) {
    lt_surface_parts_def def = {.with_itself = c->def.self_collision};
    lt_status status = lt_carrier_read_finest(&out->carrier, shape, error);
    if (status == LT_OK) status = lt_skin_read(&out->skin, shape, &out->carrier, error);
    if (status == LT_OK)
        status = lt_surface_parts_create(&out->parts, shape, &out->carrier, &out->skin, &def, &c->allocator,
                                         error);
    if (status == LT_OK) out->shape = lt_shape_retain(shape);
    return status;
}

static void give_back_shape(lt_collision *c, lt_collision_shape *shared) {
    if (--shared->body_count > 0) return;
    lt_collision_shape **shapes = c->shapes.items;
    for (size_t i = 0; i < c->shapes.count; i++)
        if (shapes[i] == shared) shapes[i] = shapes[--c->shapes.count];
    lt_surface_parts_free(&shared->parts);
    lt_shape_release(shared->shape);
    LT_DELETE(&c->allocator, shared, 1, lt_collision_shape);
}

static lt_status take_shape(lt_collision *c, lt_collision_shape **out, lt_shape *shape, lt_error *error) {
    *out = find_shape(c, shape);
    if (*out) {
        (*out)->body_count++;
        return LT_OK;
    }
    lt_collision_shape *shared = NULL;
    if (lt_array_make_room(&c->shapes, 1)) shared = LT_NEW(&c->allocator, 1, lt_collision_shape);
    if (!shared) return lt_fail(error, LT_STATUS_MEMORY, "no memory for another shape");
    lt_status status = fill_shape(c, shared, shape, error);
    if (status != LT_OK) {
        LT_DELETE(&c->allocator, shared, 1, lt_collision_shape);
        return status;
    }
    shared->body_count = 1;
    *(lt_collision_shape **)lt_array_grow(&c->shapes, 1) = shared;
    *out = shared;
    return LT_OK;
}

/* ---- bodies ---- */

lt_collision_body_def lt_collision_body_def_default(void) {
    return (lt_collision_body_def){.collision_group = 1,
                                   .collision_mask = UINT32_MAX,
                                   .self_collision = true,
                                   .significance = 1,
                                   .cookie = BODY_COOKIE};
}

static uint32_t body_index(const lt_collision *c, lt_body_id body) {
    return lt_slots_find(&c->body_slots, body.index_plus_one, body.generation);
}

static void free_body(lt_collision *c, lt_collision_body *body) {
    if (body->shared) {
        size_t lanes = 4 * (size_t)body->shared->carrier.node_count;
        LT_DELETE(&c->allocator, body->from, lanes, float);
        LT_DELETE(&c->allocator, body->to, lanes, float);
        lt_moving_surface_free(&body->surface);
        give_back_shape(c, body->shared);
    }
    LT_DELETE(&c->allocator, body, 1, lt_collision_body);
}

static lt_status fill_body(lt_collision *c, lt_collision_body *body, const lt_collision_body_def *def,
                           lt_error *error) {
    lt_status status = take_shape(c, &body->shared, def->shape, error);
    if (status != LT_OK) return status;
    const lt_collision_shape *shared = body->shared;
    lt_moving_surface_def surface = {.with_itself = c->def.self_collision && def->self_collision,
                                     .marks = lt_self_def_default(),
                                     .level = c->level};
    status = lt_moving_surface_create(&body->surface, &shared->parts, &shared->carrier, &surface,
                                      &c->allocator, error);
    if (status != LT_OK) return status;
    size_t lanes = 4 * (size_t)shared->carrier.node_count;
    body->from = LT_NEW(&c->allocator, lanes, float);
    body->to = LT_NEW(&c->allocator, lanes, float);
    body->significance = def->significance;
    body->user_data = def->user_data;
    if (body->from && body->to) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u nodes", shared->carrier.node_count);
}

/* What the broad phase sees: beside the separation, what the searches call near (query_obstacle.c). */
static void measure(lt_collision *c, uint32_t index) {
    const lt_collision_body *body = lt_collision_body_at(c, index);
    lt_collider *collider = lt_collision_collider_at(c, index);
    collider->box = lt_surface_parts_box(&body->shared->parts, body->box);
    collider->reach = c->def.separation + 2e-3f * lt_v3_distance(collider->box.lo, collider->box.hi);
}

static lt_vec3 lane_of(const float *lanes, uint32_t i) {
    return (lt_vec3){lanes[4 * (size_t)i], lanes[4 * (size_t)i + 1], lanes[4 * (size_t)i + 2]};
}

void lt_collision_settle(lt_collision *collision, uint32_t index) {
    lt_collision_body *body = lt_collision_body_at(collision, index);
    body->moves = false;
    body->box = lt_box_empty();
    for (uint32_t i = 0; i < body->shared->carrier.node_count; i++) {
        lt_vec3 start = lane_of(body->from, i), end = lane_of(body->to, i);
        body->moves |= start.x != end.x || start.y != end.y || start.z != end.z;
        body->box = lt_box_add_point(lt_box_add_point(body->box, start), end);
        body->from[4 * (size_t)i + 3] = body->to[4 * (size_t)i + 3] = 0;
    }
    body->is_set = true;
    measure(collision, index);
}

/* From the rest positions of the carrier. */
static void place_at_rest(lt_collision_body *body) {
    const lt_carrier *carrier = &body->shared->carrier;
    for (uint32_t i = 0; i < carrier->node_count; i++) {
        const double *x = carrier->rest + 3 * (size_t)i;
        lt_vec3 at = {(float)x[0], (float)x[1], (float)x[2]};
        memcpy(body->from + 4 * (size_t)i, &at, sizeof at);
        memcpy(body->to + 4 * (size_t)i, &at, sizeof at);
    }
}

static bool take_slot(lt_collision *c, uint32_t *index) {
    uint32_t before = lt_slots_count(&c->body_slots);
    if (c->body_slots.first_free == 0 &&
        !(lt_array_make_room(&c->bodies, 1) && lt_array_make_room(&c->colliders, 1)))
        return false;
    lt_arena_reset(&c->arena);
    if (!lt_arena_reserve(&c->arena, &c->allocator, lt_broad_scratch(before + 1, c->def.pair_capacity)))
        return false;
    *index = lt_slots_take(&c->body_slots);
    if (*index == LT_NONE) return false;
    if (*index == before) {
        lt_array_grow(&c->bodies, 1);
        lt_array_grow(&c->colliders, 1);
    }
    return true;
}

static lt_status check_body_def(const lt_collision *c, const lt_collision_body_def *def, lt_error *error) {
    if (!LT_REQUIRE(c && def && def->cookie == BODY_COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_collision_body_def_default");
    if (!def->shape) return lt_fail(error, LT_STATUS_INVALID, "the body has no shape");
    if (!(def->significance >= 0 && def->significance < 1e30f))
        return lt_fail(error, LT_STATUS_INVALID, "significance %g: give 0 or more", def->significance);
    return LT_OK;
}

lt_body_id lt_collision_add_body(lt_collision *collision, const lt_collision_body_def *def, lt_error *error) {
    const lt_body_id none = {0, 0};
    lt_collision *c = collision;
    if (check_body_def(c, def, error) != LT_OK) return none;
    uint32_t index = LT_NONE;
    lt_collision_body *body = LT_NEW(&c->allocator, 1, lt_collision_body);
    if (!body) {
        lt_fail(error, LT_STATUS_MEMORY, "no memory for another body");
        return none;
    }
    lt_status status = fill_body(c, body, def, error);
    if (status == LT_OK && !take_slot(c, &index))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for another body");
    if (status != LT_OK) {
        free_body(c, body);
        return none;
    }
    lt_collision_end_interval(c);
    ((lt_collision_body **)c->bodies.items)[index] = body;
    *lt_collision_collider_at(c, index) = (lt_collider){.in_use = true,
                                                        .self_collision = def->self_collision,
                                                        .group = def->collision_group,
                                                        .mask = def->collision_mask,
                                                        .soft = &c->no_soft,
                                                        .skin = &body->shared->skin};
    place_at_rest(body);
    lt_collision_settle(c, index);
    return lt_collision_body_id(c, index);
}

void lt_collision_remove_body(lt_collision *collision, lt_body_id body) {
    lt_collision *c = collision;
    uint32_t index = c ? body_index(c, body) : LT_NONE;
    if (!LT_REQUIRE(index != LT_NONE)) return;
    lt_collision_end_interval(c);
    lt_pair_table_forget_body(&c->pairs, index);
    free_body(c, lt_collision_body_at(c, index));
    ((lt_collision_body **)c->bodies.items)[index] = NULL;
    *lt_collision_collider_at(c, index) = (lt_collider){0};
    lt_slots_give_back(&c->body_slots, index);
}

void *lt_collision_body_data(const lt_collision *collision, lt_body_id body) {
    uint32_t index = collision ? body_index(collision, body) : LT_NONE;
    return LT_REQUIRE(index != LT_NONE) ? lt_collision_body_at(collision, index)->user_data : NULL;
}

uint32_t lt_collision_node_count(const lt_collision *collision, lt_body_id body) {
    uint32_t index = collision ? body_index(collision, body) : LT_NONE;
    return LT_REQUIRE(index != LT_NONE) ? lt_collision_body_at(collision, index)->shared->carrier.node_count
                                        : 0;
}

/* ---- nodes ---- */

/* As the caller keeps them. */
typedef struct node_source {
    const void *start, *end;
    uint32_t node_count, stride;
    bool is_double;
} node_source;

/* Beyond float: too far in any case. */
static float to_float(double x) {
    return fabs(x) <= (double)FARTHEST ? (float)x : INFINITY;
}

static lt_vec3 node_of(const node_source *source, const void *nodes, uint32_t i) {
    size_t at = (size_t)source->stride * i;
    if (source->is_double) {
        const double *x = (const double *)nodes + at;
        return (lt_vec3){to_float(x[0]), to_float(x[1]), to_float(x[2])};
    }
    const float *x = (const float *)nodes + at;
    return (lt_vec3){x[0], x[1], x[2]};
}

/* False for what is not a number, too. */
bool lt_collision_is_near(lt_vec3 v) {
    return fabsf(v.x) <= FARTHEST && fabsf(v.y) <= FARTHEST && fabsf(v.z) <= FARTHEST;
}

static lt_status check_nodes(const node_source *source, uint32_t node_count, lt_error *error) {
    if (source->node_count != node_count)
        return lt_fail(error, LT_STATUS_INVALID, "%u nodes were given, the body's carrier has %u",
                       source->node_count, node_count);
    if (!source->start) return lt_fail(error, LT_STATUS_INVALID, "the nodes have no start");
    if (source->stride < 3)
        return lt_fail(error, LT_STATUS_INVALID, "stride %u: give 3 numbers or more", source->stride);
    for (uint32_t i = 0; i < node_count; i++) {
        bool starts = lt_collision_is_near(node_of(source, source->start, i));
        if (starts && (!source->end || lt_collision_is_near(node_of(source, source->end, i)))) continue;
        return lt_fail(error, LT_STATUS_INVALID,
                       "node %u: a coordinate at the %s is not finite or beyond 1e15; nothing was changed", i,
                       starts ? "end" : "start");
    }
    return LT_OK;
}

static lt_status set_nodes(lt_collision *c, lt_body_id body, node_source source, lt_error *error) {
    uint32_t index = body_index(c, body);
    if (!LT_REQUIRE(index != LT_NONE)) return lt_fail(error, LT_STATUS_INVALID, "no such body");
    lt_collision_body *b = lt_collision_body_at(c, index);
    if (source.stride == 0) source.stride = 3;
    lt_status status = check_nodes(&source, b->shared->carrier.node_count, error);
    if (status != LT_OK) return status;
    lt_collision_end_interval(c);
    for (uint32_t i = 0; i < source.node_count; i++) {
        lt_vec3 start = node_of(&source, source.start, i);
        lt_vec3 end = source.end ? node_of(&source, source.end, i) : start;
        memcpy(b->from + 4 * (size_t)i, &start, sizeof start);
        memcpy(b->to + 4 * (size_t)i, &end, sizeof end);
    }
    lt_collision_settle(c, index);
    return LT_OK;
}

lt_status lt_collision_set_nodes(lt_collision *collision, lt_body_id body, const lt_collision_nodes *nodes,
                                 lt_error *error) {
    if (!LT_REQUIRE(collision && nodes))
        return lt_fail(error, LT_STATUS_INVALID, "no such body, or no nodes");
    node_source source = {nodes->start, nodes->end, nodes->node_count, nodes->stride, false};
    return set_nodes(collision, body, source, error);
}

lt_status lt_collision_set_nodes_double(lt_collision *collision, lt_body_id body,
                                        const lt_collision_nodes_double *nodes, lt_error *error) {
    if (!LT_REQUIRE(collision && nodes))
        return lt_fail(error, LT_STATUS_INVALID, "no such body, or no nodes");
    node_source source = {nodes->start, nodes->end, nodes->node_count, nodes->stride, true};
    return set_nodes(collision, body, source, error);
}

/* ---- obstacles ---- */

static uint32_t obstacle_index(const lt_collision *c, lt_obstacle_id obstacle) {
    return lt_slots_find(&c->obstacle_slots, obstacle.index_plus_one, obstacle.generation);
}

lt_obstacle_id lt_collision_add_obstacle(lt_collision *collision, const lt_obstacle_def *def,
                                         lt_error *error) {
    const lt_obstacle_id none = {0, 0};
    lt_collision *c = collision;
    lt_obstacle o;
    lt_status status = LT_REQUIRE(c) ? lt_obstacle_make(&o, def, &c->allocator, error)
                                     : lt_fail(error, LT_STATUS_INVALID, "nothing to put it into");
    if (status != LT_OK) return none;
    lt_collision_end_interval(c); /* now: a search points at obstacles, and they may be moved */
    uint32_t count = lt_slots_count(&c->obstacle_slots), index = LT_NONE;
    /* Room first, so that a failure leaves no slot without a record. */
    if (c->obstacle_slots.first_free || lt_array_make_room(&c->obstacles, 1))
        index = lt_slots_take(&c->obstacle_slots);
    if (index == LT_NONE) {
        lt_distance_grid_free(&o.grid);
        lt_fail(error, LT_STATUS_MEMORY, "no memory for another obstacle");
        return none;
    }
    if (index == count) lt_array_grow(&c->obstacles, 1);
    *lt_collision_obstacle_at(c, index) = o;
    return lt_collision_obstacle_id(c, index);
}

void lt_collision_remove_obstacle(lt_collision *collision, lt_obstacle_id obstacle) {
    lt_collision *c = collision;
    uint32_t index = c ? obstacle_index(c, obstacle) : LT_NONE;
    if (!LT_REQUIRE(index != LT_NONE)) return;
    lt_collision_end_interval(c);
    lt_pair_table_forget_obstacle(&c->pairs, index);
    lt_distance_grid_free(&lt_collision_obstacle_at(c, index)->grid);
    *lt_collision_obstacle_at(c, index) = (lt_obstacle){0};
    lt_slots_give_back(&c->obstacle_slots, index);
}

void *lt_collision_obstacle_data(const lt_collision *collision, lt_obstacle_id obstacle) {
    uint32_t index = collision ? obstacle_index(collision, obstacle) : LT_NONE;
    return LT_REQUIRE(index != LT_NONE) ? lt_collision_obstacle_at(collision, index)->user_data : NULL;
}

bool lt_collision_motion_is_sound(const lt_collision_motion *motion) {
    return lt_collision_is_near(motion->start_position) && lt_collision_is_near(motion->end_position) &&
           lt_quat_is_rotation(motion->start_rotation) && lt_quat_is_rotation(motion->end_rotation);
}

void lt_collision_plan(lt_obstacle *o, const lt_collision_motion *motion) {
    lt_obstacle_place(o, motion->start_position, motion->start_rotation);
    o->target_position = motion->end_position;
    o->target_rotation = motion->end_rotation;
    o->moving = memcmp(&o->target_position, &o->position, sizeof o->position) != 0 ||
                memcmp(&o->target_rotation, &o->rotation, sizeof o->rotation) != 0;
    lt_obstacle_plan(o, 1);
}

lt_status lt_collision_set_obstacle(lt_collision *collision, lt_obstacle_id obstacle,
                                    const lt_collision_motion *motion, lt_error *error) {
    lt_collision *c = collision;
    uint32_t index = c ? obstacle_index(c, obstacle) : LT_NONE;
    if (!LT_REQUIRE(index != LT_NONE && motion))
        return lt_fail(error, LT_STATUS_INVALID, "no such obstacle, or no motion");
    if (!lt_collision_is_near(motion->start_position) || !lt_collision_is_near(motion->end_position))
        return lt_fail(error, LT_STATUS_INVALID,
                       "a position is not finite or beyond 1e15; nothing was changed");
    if (!lt_collision_motion_is_sound(motion))
        return lt_fail(error, LT_STATUS_INVALID,
                       "a rotation is not finite or zero: the identity is {0, 0, 0, 1}; nothing was changed");
    lt_collision_end_interval(c);
    lt_collision_plan(lt_collision_obstacle_at(c, index), motion);
    return LT_OK;
}
