/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sleeping: an island of touching bodies in which everybody has been slow for half a second rests until something
 * wakes it: a faster body that touches it or may in the coming step (wake.c), a body it touched that is gone, a force, a moved
 * obstacle, or the caller. Sleeping bodies cost nothing but a box; their contacts stay as they were. Decided from states alone:
 * the same on every machine. */

#include "world/world.h"

#include "core/union_find.h"

static const float QUIET_SECONDS = 0.5f;

float lt_slow_speed(const lt_world *world, const lt_soft *soft) {
    return lt_rest_slow_speed(world->method->rest, soft);
}

void lt_world_wake_index(lt_world *world, uint32_t index) {
    lt_collider_at(world, index)->asleep = false;
    lt_body_record(world, index)->quiet_time = 0;
}

void lt_world_wake_touching(lt_world *world, uint32_t index) {
    const lt_contact_list *list = world->method->contacts(world->method_state);
    for (uint32_t i = 0; i < list->count; i++) {
        const lt_contact_record *r = &list->records[i];
        if (r->kind != LT_PAIR_BODIES) continue;
        if (r->a == index) lt_world_wake_index(world, r->b);
        if (r->b == index) lt_world_wake_index(world, r->a);
    }
}

void lt_world_wake_all(lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_collider_at(world, i)->in_use) lt_world_wake_index(world, i);
}

void lt_join_touching(const lt_world *world, uint32_t *root) {
    lt_sets_begin(root, lt_body_slots(world));
    const lt_contact_list *list = world->method->contacts(world->method_state);
    for (uint32_t i = 0; i < list->count; i++) {
        const lt_contact_record *r = &list->records[i];
        if (r->kind != LT_PAIR_BODIES) continue;
        lt_sets_join(root, r->a, r->b);
    }
}

enum { RESTLESS = 1, ROUSING = 2 };

/* Contacts come and go between bodies at rest, too: of the tips of a fine surface now these carry, now those. Only where
 * somebody who lost one moves, or may be moved by its pins, may it have been what a sleeper leans on. */
static bool leaves(const lt_world *world, uint32_t index, float speed, float quiet) {
    float still = quiet * world->method->rest->leave_share;
    return lt_collider_at(world, index)->lost_contact &&
           (lt_soft_at(world, index)->pin_count > 0 || speed > still);
}

/* A body whose solve is cut creeps to where it rests, slower than what counts as slow: it would be asleep before it is there. */
static bool is_on_its_way(const lt_soft *soft) {
    return !lt_soft_is_explicit(soft) && !soft->grid && soft->residual > soft->tolerance;
}

/* How long it has to be slow: at least until it was solved once, for before nothing of it deforms. */
static float quiet_seconds(const lt_soft *soft, float dt) {
    return lt_max_f(QUIET_SECONDS, ((float)soft->solve_interval - 0.5f) * dt);
}

/* Per island: does anybody still move, and does anybody move fast enough to wake the others. Returns whether anybody left
 * another. */
static bool judge_islands(lt_world *world, uint32_t *root, uint32_t *verdict, float dt) {
    LT_ASSERT(dt >= 0);
    bool any_leaves = false;
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        verdict[i] = 0;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!lt_collider_at(world, i)->in_use || lt_collider_at(world, i)->asleep) continue;
        lt_body *body = lt_body_record(world, i);
        const lt_soft *soft = lt_soft_at(world, i);
        float speed = lt_max_f(world->method->rest->speed(soft, dt), lt_collider_at(world, i)->held_back),
              quiet = lt_slow_speed(world, soft);
        body->quiet_time = speed < quiet && !is_on_its_way(soft) ? body->quiet_time + dt : 0;
        if (body->quiet_time < quiet_seconds(soft, dt)) verdict[lt_sets_find(root, i)] |= RESTLESS;
        if (speed > 2 * quiet) verdict[lt_sets_find(root, i)] |= ROUSING;
        any_leaves = any_leaves || leaves(world, i, speed, quiet);
    }
    return any_leaves;
}

static void fall_asleep(lt_world *world, uint32_t index) {
    lt_soft *soft = lt_soft_at(world, index);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        lt_node_set(soft->v, node, (lt_rvec3){0, 0, 0});
    lt_soft_publish(soft);
    lt_collider_at(world, index)->asleep = true;
    lt_collider_refresh(lt_collider_at(world, index), lt_embed_kernels_for(world->level));
}

void lt_update_sleep(lt_world *world, float dt) {
    LT_ASSERT(dt >= 0);
    uint32_t count = lt_body_slots(world);
    uint32_t *root = LT_TAKE(&world->arena, count, uint32_t),
             *verdict = LT_TAKE(&world->arena, count, uint32_t);
    if (!root || !verdict) return;
    lt_join_touching(world, root);
    bool any_leaves = judge_islands(world, root, verdict, dt);
    for (uint32_t i = 0; i < count; i++) {
        lt_collider *c = lt_collider_at(world, i);
        if (!c->in_use) continue;
        uint32_t island = verdict[lt_sets_find(root, i)];
        if (c->asleep && ((island & ROUSING) || (c->lost_contact && any_leaves)))
            lt_world_wake_index(world, i);
        else if (!c->asleep && !(island & RESTLESS))
            fall_asleep(world, i);
        c->lost_contact = false;
    }
}
