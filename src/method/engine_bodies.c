/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies as the engine has them: a tree per shape, boxes and a clock per body. */

#include "method/engine.h"

#include <math.h>

/* A snapshot is renewed when nodes are this far from it, × the mean edge: half of what a leaf stands, so that a
 * snapshot's age costs a leaf at most half of its motion. */
static const float SNAPSHOT_REACH = 0.01f;

/* ---- shapes ---- */

static lt_engine_shape *find_shape(const lt_engine *e, const lt_shape *shape) {
    for (uint32_t i = 0; i < e->shape_count; i++)
        if (e->shapes[i]->tree.shape == shape) return e->shapes[i];
    return NULL;
}

static bool make_room_for_shape(lt_engine *e) {
    if (e->shape_count < e->shape_capacity) return true;
    uint32_t larger = 2 * e->shape_capacity + 4;
    lt_engine_shape **shapes =
        LT_ENLARGE(&e->memory.allocator, e->shapes, e->shape_capacity, larger, lt_engine_shape *);
    if (!shapes) return false;
    e->shapes = shapes;
    e->shape_capacity = larger;
    return true;
}

static lt_engine_shape *make_shape(lt_engine *e, const lt_collider *c, lt_error *error) {
    const lt_allocator *allocator = &e->memory.allocator;
    lt_engine_shape *made = make_room_for_shape(e) ? LT_NEW(allocator, 1, lt_engine_shape) : NULL;
    if (!made) {
        lt_fail(error, LT_STATUS_MEMORY, "no memory for the tree of a shape");
        return NULL;
    }
    if (lt_shape_tree_create(&made->tree, &c->soft->carrier, c->skin, allocator, error) != LT_OK) {
        LT_DELETE(allocator, made, 1, lt_engine_shape);
        return NULL;
    }
    return e->shapes[e->shape_count++] = made;
}

static void leave_shape(lt_engine *e, lt_engine_shape *shape) {
    LT_ASSERT(shape->users > 0);
    if (--shape->users > 0) return;
    uint32_t at = 0;
    while (e->shapes[at] != shape)
        at++;
    e->shapes[at] = e->shapes[--e->shape_count];
    lt_shape_tree_free(&shape->tree);
    LT_DELETE(&e->memory.allocator, shape, 1, lt_engine_shape);
}

/* ---- bodies ---- */

static void take_snapshot(lt_engine_body *b, const lt_soft *soft, lt_vec3 mean) {
    for (uint32_t i = 0; i < b->node_count; i++) {
        const float *p = soft->nodes + 4 * (size_t)i;
        float *out = b->from + 4 * (size_t)i;
        out[0] = p[0] - mean.x;
        out[1] = p[1] - mean.y;
        out[2] = p[2] - mean.z;
    }
}

static bool make_body(lt_engine *e, lt_engine_body *b, lt_collider *c, lt_error *error) {
    const lt_body_kernels *kernels = lt_body_kernels_for(LT_LEVEL_SCALAR); /* all have the same bits */
    const lt_allocator *allocator = &e->memory.allocator;
    lt_engine_shape *shape = find_shape(e, c->soft->carrier.shape);
    if (!shape) shape = make_shape(e, c, error);
    if (!shape) return false;
    shape->users++;
    *b = (lt_engine_body){.shape = shape, .node_count = c->soft->carrier.node_count};
    b->from = LT_NEW(allocator, 4 * (size_t)b->node_count, float);
    if (b->from && lt_body_boxes_create(&b->boxes, &shape->tree, allocator, error) == LT_OK) {
        take_snapshot(b, c->soft, kernels->mean_node(c->soft->nodes, b->node_count));
        c->parts = shape->tree.parts;
        c->parts_radius = shape->tree.radius;
        return true;
    }
    if (!b->from) lt_fail(error, LT_STATUS_MEMORY, "no memory for the clock of a body");
    LT_DELETE(allocator, b->from, 4 * (size_t)b->node_count, float);
    *b = (lt_engine_body){0};
    leave_shape(e, shape);
    return false;
}

static bool grow_bodies(lt_engine *e, uint32_t count) {
    if (count <= e->body_count) return true;
    lt_engine_body *bodies =
        LT_ENLARGE(&e->memory.allocator, e->bodies, e->body_count, count, lt_engine_body);
    if (!bodies) return false;
    e->bodies = bodies;
    e->body_count = count;
    return true;
}

bool lt_engine_reserve_bodies(lt_engine *engine, lt_collider *colliders, uint32_t collider_count,
                              lt_error *error) {
    if (!grow_bodies(engine, collider_count)) {
        lt_fail(error, LT_STATUS_MEMORY, "no memory for %u bodies", collider_count);
        return false;
    }
    for (uint32_t i = 0; i < collider_count; i++)
        if (colliders[i].in_use && !engine->bodies[i].shape &&
            !make_body(engine, &engine->bodies[i], &colliders[i], error))
            return false;
    return true;
}

void lt_engine_forget_body(lt_engine *engine, uint32_t body) {
    if (body >= engine->body_count || !engine->bodies[body].shape) return;
    lt_engine_body *b = &engine->bodies[body];
    lt_body_boxes_free(&b->boxes);
    LT_DELETE(&engine->memory.allocator, b->from, 4 * (size_t)b->node_count, float);
    leave_shape(engine, b->shape);
    *b = (lt_engine_body){0};
}

void lt_engine_free_bodies(lt_engine *engine) {
    for (uint32_t i = 0; i < engine->body_count; i++)
        lt_engine_forget_body(engine, i);
    LT_DELETE(&engine->memory.allocator, engine->bodies, engine->body_count, lt_engine_body);
    LT_DELETE(&engine->memory.allocator, engine->shapes, engine->shape_capacity, lt_engine_shape *);
}

/* ---- clocks ---- */

/* Points outside their tets move by more than nodes do; rounding is that of the mean and of the places. */
static uint32_t read_clock(lt_engine_body *b, const lt_collider *c) {
    const lt_soft *soft = c->soft;
    const lt_body_kernels *kernels = b->boxes.kernels;
    lt_vec3 mean = kernels->mean_node(soft->nodes, b->node_count);
    lt_vec3 farthest = kernels->farthest(soft->nodes, b->from, mean, b->node_count);
    float rounding = 1e-6f * (float)soft->size;
    float distance = lt_v3_length(farthest) * (1 + 2 * c->skin->overhang) + rounding;
    b->mean = mean;
    if (lt_clock_read(&b->clock, &b->base, distance, SNAPSHOT_REACH * (float)soft->mean_edge)) {
        take_snapshot(b, soft, mean);
        lt_clock_read(&b->clock, &b->base, rounding, rounding); /* as it will read it again */
    }
    b->is_still = c->asleep;
    b->is_read = true;
    return b->node_count / 2;
}

uint32_t lt_engine_read_bodies(lt_engine *engine, const lt_method_step *step) {
    uint32_t units = 0;
    /* A slot whose body was refused for want of memory is behind those that there is room for. */
    for (uint32_t i = 0; i < lt_min_u32(step->collider_count, engine->body_count); i++) {
        const lt_collider *c = &step->colliders[i];
        lt_engine_body *b = &engine->bodies[i];
        if (!c->in_use) continue;
        lt_body_boxes_begin(&b->boxes, c->soft, c->skin, step->level);
        units += 4;
        if (!c->asleep || !b->is_still)
            units += read_clock(b, c);
        else if (!b->is_read)
            read_clock(b, c); /* as it was read, and paid, when it fell asleep */
    }
    return units;
}
