/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Who is woken before a step, so that it takes part in it. A body that sleeps has infinite mass: struck in its sleep it would
 * be a wall, and what it is struck with would be lost. So whoever something fast may reach in the step is awake in it, with its
 * own mass, and with it all that touched it as the last step ended: they pass the blow on.
 *
 * Fast is twice what counts as slow (sleep.c): what settles on a body lets it sleep. Boxes decide, so passing by closely wakes,
 * too. The work is done in any case and charged to the stage SLEEP; while nobody sleeps or nobody is fast there is none, and where
 * few sleep among many the boxes of these few are compared with all that are fast. */

#include "world/world.h"

#include "core/union_find.h"

/* ---- obstacles ---- */

/* How fast the obstacle goes where the body is. */
static float obstacle_speed(const lt_obstacle *obstacle, const lt_collider *c) {
    return lt_v3_length(lt_obstacle_velocity(obstacle, lt_box_center(c->box)));
}

static bool is_near(const lt_obstacle *obstacle, const lt_collider *c, float speed, float dt) {
    LT_ASSERT(dt >= 0);
    return lt_obstacle_may_touch(obstacle, c->box, 2 * dt * speed + 0.02f * (float)c->soft->size);
}

void lt_wake_near_obstacles(lt_world *world, float dt) {
    LT_ASSERT(dt >= 0);
    for (uint32_t o = 0; o < lt_obstacle_slots(world); o++) {
        const lt_obstacle *obstacle = lt_obstacle_record(world, o);
        if (!obstacle->in_use || !obstacle->moving) continue;
        for (uint32_t i = 0; i < lt_body_slots(world); i++) {
            const lt_collider *c = lt_collider_at(world, i);
            if (!c->in_use || !c->asleep) continue;
            const lt_obstacle *seen = lt_obstacle_seen(c, world->obstacles.items, o);
            if (is_near(seen, c, obstacle_speed(seen, c), dt)) lt_world_wake_index(world, i);
        }
    }
}

/* ---- bodies ---- */

static lt_rvec3 force_on(const lt_soft *soft) {
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        sum = lt_r3_add(sum, lt_node_get(soft->force, node));
    return sum;
}

/* By the state alone, and the forces that are to come. */
static bool is_fast(const lt_world *world, uint32_t index, float dt) {
    LT_ASSERT(dt >= 0);
    const lt_collider *c = lt_collider_at(world, index);
    const lt_soft *soft = lt_soft_at(world, index);
    if (!c->in_use || c->asleep) return false;
    float pushed = dt * (float)(lt_r3_length(force_on(soft)) / soft->total_mass);
    float speed = world->method->rest->speed_ahead(soft, lt_body_record(world, index)->quiet_time);
    return speed + pushed > 2 * lt_slow_speed(world, soft);
}

/* What the look takes from the arena. */
typedef struct look {
    uint32_t *roots; /* [body count] islands */
    bool *fast;      /* [body count] */
    bool *struck;    /* [body count] by root */
    bool *sleepy;    /* [body count] somebody of its island sleeps */
} look;

size_t lt_wake_scratch(uint32_t body_count, uint32_t pair_capacity) {
    return body_count * (sizeof(uint32_t) + 3 * sizeof(bool)) + 4 * 64 +
           lt_broad_scratch(body_count, pair_capacity);
}

static bool take(look *l, lt_world *world) {
    uint32_t count = lt_body_slots(world);
    *l = (look){.roots = LT_TAKE(&world->arena, count, uint32_t),
                .fast = LT_TAKE(&world->arena, count, bool),
                .struck = LT_TAKE(&world->arena, count, bool),
                .sleepy = LT_TAKE(&world->arena, count, bool)};
    return l->roots && l->fast && l->struck && l->sleepy;
}

/* Boxes now, and whose overlap within the reach of the step. */
static bool find_pairs(lt_world *world, lt_broad *broad, float dt) {
    LT_ASSERT(dt >= 0);
    lt_measuring measuring = {.colliders = world->colliders.items,
                              .collider_count = lt_body_slots(world),
                              .dt = dt,
                              .kernels = lt_bound_kernels_for(world->level)};
    lt_broad_input input = {.colliders = world->colliders.items,
                            .collider_count = lt_body_slots(world),
                            .dt = dt,
                            .level = world->level};
    lt_spend_fully(&world->meter, LT_STAGE_SLEEP, lt_measuring_cursor(&measuring));
    if (!lt_broad_begin_keys(broad, &input, world->def.pair_capacity, &world->arena)) return false;
    lt_spend_fully(&world->meter, LT_STAGE_SLEEP, lt_broad_cursor(broad));
    return true;
}

static void strike_by_bodies(look *l, const lt_broad *broad) {
    for (uint32_t i = 0; i < broad->found_count; i++) {
        uint32_t a = lt_pair_key_a(broad->ordered[i]), b = lt_pair_key_b(broad->ordered[i]);
        if (!l->fast[a] && !l->fast[b]) continue;
        l->struck[lt_sets_find(l->roots, a)] = l->struck[lt_sets_find(l->roots, b)] = true;
    }
}

/* ---- few that sleep ---- */

static void find_sleepy(const lt_world *world, look *l) {
    uint32_t count = lt_body_slots(world);
    for (uint32_t i = 0; i < count; i++)
        l->sleepy[i] = false;
    for (uint32_t i = 0; i < count; i++) {
        const lt_collider *c = lt_collider_at(world, i);
        if (c->in_use && c->asleep) l->sleepy[lt_sets_find(l->roots, i)] = true;
    }
    for (uint32_t i = 0; i < count; i++)
        l->sleepy[i] = lt_collider_at(world, i)->in_use && l->sleepy[lt_sets_find(l->roots, i)];
}

static uint32_t count_true(const bool *marks, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += marks[i];
    return sum;
}

typedef struct comparing {
    lt_world *world;
    look *look;
    float dt;
    bool done;
} comparing;

static uint32_t comparing_units(const comparing *c) {
    uint32_t count = lt_body_slots(c->world), units = count;
    for (uint32_t i = 0; i < count; i++)
        if (c->look->fast[i] || c->look->sleepy[i]) units += lt_soft_at(c->world, i)->carrier.node_count / 2;
    return units + count_true(c->look->fast, count) * count_true(c->look->sleepy, count);
}

static lt_piece peek_comparing(const void *state) {
    const comparing *c = state;
    return (lt_piece){LT_WORK_BROAD, c->done ? 0 : comparing_units(c), 0};
}

static lt_box box_in_step(const lt_collider *c) {
    return lt_box_inflate(c->box, c->reach + c->spheres.overhang);
}

/* Boxes of two frames are far apart (frames.c). */
static bool may_meet(const lt_collider *a, const lt_collider *b) {
    lt_dvec3 between = lt_soft_offset_between(a->soft, b->soft);
    return between.x == 0 && between.y == 0 && between.z == 0 &&
           lt_box_overlap(box_in_step(a), box_in_step(b));
}

/* Who is fast strikes those that it touched. */
static bool is_struck(const comparing *c, uint32_t sleepy) {
    const lt_collider *own = lt_collider_at(c->world, sleepy);
    bool struck = c->look->fast[sleepy];
    for (uint32_t i = 0; i < lt_body_slots(c->world) && !struck; i++)
        struck = c->look->fast[i] && may_meet(own, lt_collider_at(c->world, i));
    return struck;
}

static uint32_t step_comparing(void *state, uint32_t grant) {
    LT_ASSERT(grant > 0);
    comparing *c = state;
    const lt_bound_kernels *kernels = lt_bound_kernels_for(c->world->level);
    uint32_t count = lt_body_slots(c->world);
    (void)grant; /* it is done in any case */
    for (uint32_t i = 0; i < count; i++) {
        lt_collider *collider = lt_collider_at(c->world, i);
        if (collider->asleep || !(c->look->fast[i] || c->look->sleepy[i])) continue;
        lt_collider_measure(collider, c->dt, kernels);
        lt_collider_outdate(collider);
    }
    for (uint32_t i = 0; i < count; i++)
        if (c->look->sleepy[i] && is_struck(c, i)) c->look->struck[lt_sets_find(c->look->roots, i)] = true;
    c->done = true;
    return comparing_units(c);
}

/* False: not so few that this would be less than finding all pairs. */
static bool strike_few(lt_world *world, look *l, float dt) {
    LT_ASSERT(dt >= 0);
    const uint64_t few = 8;
    uint32_t count = lt_body_slots(world);
    comparing c = {world, l, dt, false};
    if ((uint64_t)count_true(l->fast, count) * count_true(l->sleepy, count) > few * count) return false;
    lt_spend_fully(&world->meter, LT_STAGE_SLEEP, (lt_cursor){&c, peek_comparing, step_comparing});
    return true;
}

/* ---- obstacles that move ---- */

static void strike_by_obstacles(const lt_world *world, look *l, float dt) {
    LT_ASSERT(dt >= 0);
    for (uint32_t o = 0; o < lt_obstacle_slots(world); o++) {
        const lt_obstacle *obstacle = lt_obstacle_record(world, o);
        if (!obstacle->in_use || !obstacle->moving) continue;
        for (uint32_t i = 0; i < lt_body_slots(world); i++) {
            const lt_collider *c = lt_collider_at(world, i);
            if (!c->in_use || c->asleep) continue; /* who is near it is awake */
            const lt_obstacle *seen = lt_obstacle_seen(c, world->obstacles.items, o);
            float speed = obstacle_speed(seen, c);
            if (speed > 2 * lt_slow_speed(world, lt_soft_at(world, i)) && is_near(seen, c, speed, dt))
                l->struck[lt_sets_find(l->roots, i)] = true;
        }
    }
}

/* Returns whether anybody moves so fast that the look is worth it. */
static bool find_fast(const lt_world *world, look *l, float dt) {
    LT_ASSERT(dt >= 0);
    bool any = false;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        l->struck[i] = false;
        l->fast[i] = is_fast(world, i, dt);
        any = any || l->fast[i];
    }
    for (uint32_t o = 0; o < lt_obstacle_slots(world); o++)
        any = any || (lt_obstacle_record(world, o)->in_use && lt_obstacle_record(world, o)->moving);
    return any;
}

static bool anybody_sleeps(const lt_world *world) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        if (lt_collider_at(world, i)->in_use && lt_collider_at(world, i)->asleep) return true;
    return false;
}

void lt_wake_struck(lt_world *world, float dt) {
    LT_ASSERT(dt >= 0);
    size_t mark = lt_arena_mark(&world->arena);
    look l;
    lt_broad broad;
    if (!anybody_sleeps(world)) return;
    if (take(&l, world) && find_fast(world, &l, dt)) {
        lt_join_touching(world, l.roots);
        find_sleepy(world, &l);
        if (!strike_few(world, &l, dt) && find_pairs(world, &broad, dt)) strike_by_bodies(&l, &broad);
        strike_by_obstacles(world, &l, dt);
        for (uint32_t i = 0; i < lt_body_slots(world); i++) {
            const lt_collider *c = lt_collider_at(world, i);
            if (c->in_use && c->asleep && l.struck[lt_sets_find(l.roots, i)]) lt_world_wake_index(world, i);
        }
    }
    lt_arena_rewind(&world->arena, mark);
}
