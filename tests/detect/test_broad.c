/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The broad phase against all pairs by brute force, with filters, sleep and capacity; cut anywhere; remembered. */

#include "check.h"

#include "embed/soft_fixture.h"

enum { BODIES = 40, OBSTACLES = 5, CAPACITY = 2000 };

/* Colliders of boxes: of a body the broad phase reads nothing but its size and how many points it has. */
typedef struct crowd {
    lt_soft soft;
    lt_skin skin;
    lt_collider colliders[BODIES];
    lt_obstacle obstacles[OBSTACLES];
    lt_broad_input input;
    lt_pair_table table; /* with a progress each */
    lt_arena arena;
} crowd;

typedef struct progress {
    uint32_t next, left;
} progress;

static void make_table(crowd *c, uint32_t capacity) {
    lt_pair_table_free(&c->table, NULL);
    c->table = lt_pair_table_make(sizeof(progress));
    CHECK(lt_pair_table_reserve(&c->table, capacity, NULL));
}

static const lt_pair *pair_of(const crowd *c, uint32_t place) {
    return lt_pair_at(&c->table, place);
}

static void make_crowd(crowd *c) {
    memset(c, 0, sizeof *c);
    c->soft.size = 1;
    c->skin.point_count = 10;
    make_table(c, CAPACITY);
    c->input = (lt_broad_input){.colliders = c->colliders,
                                .collider_count = BODIES,
                                .obstacles = c->obstacles,
                                .obstacle_count = OBSTACLES,
                                .self_collision = true,
                                .dt = 0.01f};
    CHECK(lt_arena_reserve(&c->arena, NULL, lt_broad_scratch(BODIES, CAPACITY)));
}

static void free_crowd(crowd *c) {
    lt_arena_free(&c->arena);
    lt_pair_table_free(&c->table, NULL);
}

/* Boxes of very different size, some of them not in use, some asleep, groups and masks of three bits. */
static void scatter(crowd *c, lt_random *random) {
    for (uint32_t i = 0; i < BODIES; i++) {
        lt_vec3 at = random_v3(random, 2), half = {lt_random_range(random, 0.01f, 0.5f), 0.3f, 0.2f};
        if (i % 10 == 0) half = lt_v3_scale(half, 8);
        /* random numbers one by one: initializers and arguments have no order */
        lt_collider *body = &c->colliders[i];
        *body = (lt_collider){.soft = &c->soft, .skin = &c->skin};
        body->box = (lt_box){lt_v3_sub(at, half), lt_v3_add(at, half)};
        body->in_use = lt_random_below(random, 8) != 0;
        body->asleep = lt_random_below(random, 3) == 0;
        body->self_collision = lt_random_below(random, 2) == 0;
        body->group = 1u << lt_random_below(random, 3);
        body->mask = lt_random_below(random, 3) ? 7 : lt_random_below(random, 8);
        body->reach = lt_random_below(random, 2) ? 0 : lt_random_range(random, 0, 0.3f);
        body->spheres.overhang = i % 2 ? 0 : lt_random_range(random, 0, 0.2f);
    }
    for (uint32_t i = 0; i < OBSTACLES; i++) {
        lt_obstacle *o = &c->obstacles[i];
        static const lt_obstacle_kind kinds[OBSTACLES] = {
            LT_OBSTACLE_PLANE, LT_OBSTACLE_SPHERE, LT_OBSTACLE_SPHERE, LT_OBSTACLE_CAPSULE, LT_OBSTACLE_BOX};
        *o = (lt_obstacle){.in_use = i != 2,
                           .kind = kinds[i],
                           .radius = 0.7f,
                           .half_length = 1.2f,
                           .half_extents = {0.3f, 0.1f, 1.5f},
                           .local_normal = {0, 1, 0}};
        o->group = 1u << lt_random_below(random, 3);
        o->mask = lt_random_below(random, 3) ? 7 : lt_random_below(random, 8);
        lt_vec3 at = random_v3(random, 3);
        lt_obstacle_place(o, at, random_quat(random));
        if (lt_random_below(random, 2)) continue;
        o->velocity = random_v3(random, 50);
        o->angular_velocity = random_v3(random, 20);
    }
}

static bool admits(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
    return (group_a & mask_b) && (group_b & mask_a);
}

static lt_box grown_box(const lt_collider *c) {
    return lt_box_inflate(c->box, c->reach + c->spheres.overhang);
}

static uint32_t brute_force(const crowd *c, lt_pair *out) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < BODIES; a++) {
        const lt_collider *x = &c->colliders[a];
        if (!x->in_use) continue;
        if (!x->asleep && x->self_collision && c->input.self_collision)
            out[count++] = (lt_pair){.a = a, .kind = LT_PAIR_SELF, .b = a};
        for (uint32_t b = a + 1; b < BODIES; b++) {
            const lt_collider *y = &c->colliders[b];
            if (!y->in_use || (x->asleep && y->asleep) || !admits(x->group, x->mask, y->group, y->mask))
                continue;
            if (lt_box_overlap(grown_box(x), grown_box(y)))
                out[count++] = (lt_pair){.a = a, .kind = LT_PAIR_BODIES, .b = b};
        }
        for (uint32_t b = 0; b < OBSTACLES; b++) {
            const lt_obstacle *o = &c->obstacles[b];
            if (x->asleep || !o->in_use || !admits(x->group, x->mask, o->group, o->mask)) continue;
            float sweep = lt_obstacle_sweep(o, x->box, c->input.dt);
            if (lt_obstacle_may_touch(o, x->box, x->reach + sweep + 0.02f))
                out[count++] = (lt_pair){.a = a, .kind = LT_PAIR_OBSTACLE, .b = b};
        }
    }
    return count;
}

/* Runs to the end in grants of what the next piece asks, or of `grant`; returns the units it said it used. */
static uint64_t run_broad(crowd *c, uint32_t grant) {
    lt_broad broad;
    lt_arena_reset(&c->arena);
    CHECK(lt_broad_begin(&broad, &c->input, &c->table, &c->arena));
    lt_cursor cursor = lt_broad_cursor(&broad);
    uint64_t units = 0;
    for (lt_piece piece = cursor.peek(cursor.state); piece.cost; piece = cursor.peek(cursor.state)) {
        uint32_t granted = lt_max_u32(grant, piece.cost), used = cursor.step(cursor.state, granted);
        CHECK(piece.work == LT_WORK_BROAD && used > 0 && used <= granted);
        units += used;
    }
    return units;
}

/* Whether the first ones that are listed are these. */
static bool lists(const crowd *c, uint32_t count, const lt_pair *pairs) {
    bool same = true;
    for (uint32_t i = 0; i < count; i++)
        same = same && lt_pair_is_same(pair_of(c, i), &pairs[i]);
    return same;
}

static crowd all, again;

static void pairs_are_those_of_brute_force(void) {
    lt_random random = lt_random_seed(1);
    static lt_pair expected[CAPACITY];
    make_crowd(&all);
    uint32_t kinds[3] = {0, 0, 0};
    for (int round = 0; round < 60; round++) {
        scatter(&all, &random);
        all.input.self_collision = round % 4 != 0;
        all.input.level = (lt_simd_level)(round % ((int)lt_simd_best() + 1));
        uint32_t count = brute_force(&all, expected);
        run_broad(&all, round % 2 ? 1 : 100000);
        CHECK_COUNT(all.table.count, count);
        CHECK(lists(&all, lt_min_u32(count, all.table.count), expected));
        CHECK_COUNT(all.table.dropped, 0);
        for (uint32_t i = 0; i < all.table.count; i++)
            kinds[pair_of(&all, i)->kind]++;
    }
    CHECK(kinds[0] > 100 && kinds[1] > 300 && kinds[2] > 100);
    free_crowd(&all);
}

/* Wherever it is cut and left for a while, the list is untouched until the end and then the same. */
static void a_cut_changes_nothing(void) {
    lt_random random = lt_random_seed(2);
    make_crowd(&all);
    make_crowd(&again);
    scatter(&all, &random);
    memcpy(again.colliders, all.colliders, sizeof all.colliders);
    memcpy(again.obstacles, all.obstacles, sizeof all.obstacles);
    for (uint32_t i = 0; i < BODIES; i++) {
        again.colliders[i].soft = &again.soft;
        again.colliders[i].skin = &again.skin;
    }
    uint64_t units = run_broad(&all, 1);
    CHECK(units > BODIES);
    for (uint32_t grant = 1; grant < 300; grant += grant < 20 ? 1 : 37) {
        lt_broad broad;
        lt_pair_table_clear(&again.table);
        lt_arena_reset(&again.arena);
        CHECK(lt_broad_begin(&broad, &again.input, &again.table, &again.arena));
        lt_cursor cursor = lt_broad_cursor(&broad);
        for (lt_piece piece = cursor.peek(cursor.state); piece.cost; piece = cursor.peek(cursor.state)) {
            CHECK_COUNT(again.table.count, 0);
            cursor.step(cursor.state, lt_max_u32(grant, piece.cost));
        }
        CHECK_COUNT(again.table.count, all.table.count);
        for (uint32_t i = 0; i < all.table.count; i++)
            CHECK(lt_pair_is_same(pair_of(&again, i), pair_of(&all, i)) &&
                  lt_pair_turn_at(&again.table, i)->age == 0);
    }
    free_crowd(&all);
    free_crowd(&again);
}

static void turns_and_progress_are_carried_over(void) {
    lt_random random = lt_random_seed(3);
    static lt_pair before[CAPACITY];
    static lt_turn turns_before[CAPACITY];
    static progress progress_before[CAPACITY];
    make_crowd(&all);
    uint32_t kept = 0, fresh = 0;
    scatter(&all, &random);
    run_broad(&all, 1);
    for (int round = 0; round < 20; round++) {
        uint32_t count = all.table.count;
        for (uint32_t i = 0; i < count; i++) {
            progress *own = lt_pair_method_at(&all.table, i);
            own->next = lt_random_below(&random, 10);
            own->left = lt_random_below(&random, 10);
            *lt_pair_turn_at(&all.table, i) =
                (lt_turn){.harm = 1, .age = 1 + lt_random_below(&random, 9), .served = true};
            before[i] = *pair_of(&all, i);
            turns_before[i] = *lt_pair_turn_at(&all.table, i);
            progress_before[i] = *own;
        }
        for (uint32_t i = 0; i < BODIES; i++) {
            lt_vec3 by = random_v3(&random, 0.5f);
            all.colliders[i].box.lo = lt_v3_add(all.colliders[i].box.lo, by);
            all.colliders[i].box.hi = lt_v3_add(all.colliders[i].box.hi, by);
            if (lt_random_below(&random, 10) == 0) all.colliders[i].asleep = !all.colliders[i].asleep;
        }
        run_broad(&all, 1);
        for (uint32_t i = 0; i < all.table.count; i++) {
            uint32_t old = 0;
            while (old < count && !lt_pair_is_same(&before[old], pair_of(&all, i)))
                old++;
            bool had = old < count;
            kept += had;
            fresh += !had;
            const progress *own = lt_pair_method_at(&all.table, i);
            CHECK_COUNT(own->next, had ? progress_before[old].next : 0);
            CHECK_COUNT(own->left, had ? progress_before[old].left : 0);
            CHECK_COUNT(lt_pair_turn_at(&all.table, i)->age, had ? turns_before[old].age : 0);
            CHECK(lt_pair_turn_at(&all.table, i)->served == had);
        }
    }
    CHECK(kept > 500 && fresh > 50);
    free_crowd(&all);
}

static void what_does_not_fit_is_counted(void) {
    lt_random random = lt_random_seed(4);
    static lt_pair expected[CAPACITY];
    make_crowd(&all);
    scatter(&all, &random);
    uint32_t count = brute_force(&all, expected);
    CHECK_FATAL(count > 20);
    for (uint32_t capacity = 0; capacity <= count; capacity += 7) {
        make_table(&all, capacity);
        run_broad(&all, 1);
        CHECK_COUNT(all.table.count, capacity);
        CHECK_COUNT(all.table.dropped, count - capacity);
        /* obstacles stay longest, then other bodies */
        uint32_t kinds[3] = {0, 0, 0}, wanted[3] = {0, 0, 0};
        for (uint32_t i = 0; i < count; i++)
            wanted[expected[i].kind]++;
        for (uint32_t i = 0; i < all.table.count; i++)
            kinds[pair_of(&all, i)->kind]++;
        CHECK_COUNT(kinds[LT_PAIR_OBSTACLE], lt_min_u32(capacity, wanted[LT_PAIR_OBSTACLE]));
        CHECK_COUNT(kinds[LT_PAIR_BODIES],
                    lt_min_u32(capacity - kinds[LT_PAIR_OBSTACLE], wanted[LT_PAIR_BODIES]));
        for (uint32_t i = 0; i < all.table.count; i++) {
            uint32_t k = 0;
            while (k < count && !lt_pair_is_same(&expected[k], pair_of(&all, i)))
                k++;
            CHECK(k < count);
        }
    }
    free_crowd(&all);
}

/* A ball on its way into a resting body is a pair before it has arrived: a contact is made for the coming step. */
static void obstacles_on_their_way_are_paired(void) {
    make_crowd(&all);
    all.input.collider_count = 1;
    all.input.obstacle_count = 1;
    all.colliders[0] = (lt_collider){.in_use = true,
                                     .group = 1,
                                     .mask = 1,
                                     .soft = &all.soft,
                                     .skin = &all.skin,
                                     .box = {{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}}};
    lt_obstacle *o = &all.obstacles[0];
    for (int round = 0; round < 4; round++) {
        *o = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_SPHERE, .radius = 0.5f, .group = 1, .mask = 1};
        lt_obstacle_place(o, (lt_vec3){2, 0, 0}, (lt_quat){0, 0, 0, 1});
        if (round == 1) o->target_position.x = 0.8f; /* 1.2 m in one step */
        if (round == 2) o->target_position.x = 1.99f;
        if (round == 3) { /* a long box swings its end into the body */
            o->kind = LT_OBSTACLE_BOX;
            o->half_extents = (lt_vec3){0.1f, 3, 0.1f};
            lt_obstacle_place(o, (lt_vec3){1.2f, -3, 0}, (lt_quat){0, 0, 0, 1});
            o->target_rotation = (lt_quat){0, 0, 0.1f, 0.995f};
        }
        o->moving = round > 0;
        lt_obstacle_plan(o, all.input.dt);
        lt_pair_table_clear(&all.table);
        run_broad(&all, 1);
        CHECK_COUNT(all.table.count, round % 2);
    }
    free_crowd(&all);
}

/* Boxes that are nowhere, everywhere, all in one place, in a row along any axis or far from the origin. */
static void odd_boxes_are_found(void) {
    lt_random random = lt_random_seed(5);
    static lt_pair expected[CAPACITY];
    make_crowd(&all);
    for (int round = 0; round < 40; round++) {
        scatter(&all, &random);
        for (uint32_t i = 0; i < BODIES; i++) {
            lt_box *box = &all.colliders[i].box;
            lt_vec3 by = round % 5 == 0   ? lt_v3_neg(box->lo)
                         : round % 5 == 1 ? (lt_vec3){0, 0.1f * (float)i, 0}
                         : round % 5 == 2 ? (lt_vec3){0, 0, 3 - 0.1f * (float)i}
                                          : (lt_vec3){1e4f, -1e4f, 0};
            *box = (lt_box){lt_v3_add(box->lo, by), lt_v3_add(box->hi, by)};
            if (round % 5 != 4) continue;
            if (i == 3) box->lo.x = NAN;
            if (i == 7) *box = (lt_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            if (i == 9) box->hi.z = INFINITY;
        }
        for (uint32_t i = 0; i < OBSTACLES; i++) /* an infinite box has no centre to measure from */
            if (round % 5 == 4) all.obstacles[i].in_use = false;
        run_broad(&all, round % 2 ? 1 : 100000);
        uint32_t count = brute_force(&all, expected);
        CHECK_COUNT(all.table.count, count);
        CHECK(lists(&all, lt_min_u32(count, all.table.count), expected));
    }
    free_crowd(&all);
}

/* Those that keep nothing read the keys. */
static void keys_are_found_without_a_table(void) {
    lt_random random = lt_random_seed(6);
    make_crowd(&all);
    scatter(&all, &random);
    run_broad(&all, 100000);
    lt_broad broad;
    lt_arena_reset(&all.arena);
    CHECK(lt_broad_begin_keys(&broad, &all.input, CAPACITY, &all.arena));
    lt_cursor cursor = lt_broad_cursor(&broad);
    for (lt_piece piece = cursor.peek(cursor.state); piece.cost; piece = cursor.peek(cursor.state))
        cursor.step(cursor.state, piece.cost);
    CHECK(all.table.count > 20);
    CHECK_COUNT(broad.found_count, all.table.count);
    for (uint32_t i = 0; i < broad.found_count; i++)
        CHECK(broad.ordered[i] == lt_pair_key(pair_of(&all, i)));
    free_crowd(&all);
}

static void points_of_a_pair(void) {
    lt_skin small = {.point_count = 3}, large = {.point_count = 11};
    lt_collider c[2] = {{.skin = &small}, {.skin = &large}};
    CHECK_COUNT(lt_pair_point_count(&(lt_pair){.a = 0, .kind = LT_PAIR_SELF, .b = 0}, c), 3);
    CHECK_COUNT(lt_pair_point_count(&(lt_pair){.a = 0, .kind = LT_PAIR_BODIES, .b = 1}, c), 14);
    CHECK_COUNT(lt_pair_point_count(&(lt_pair){.a = 1, .kind = LT_PAIR_OBSTACLE, .b = 0}, c), 11);
}

static void nobody_is_no_pair(void) {
    make_crowd(&all);
    run_broad(&all, 1);
    CHECK_COUNT(all.table.count, 0);
    all.input.collider_count = all.input.obstacle_count = 0;
    run_broad(&all, 1);
    CHECK_COUNT(all.table.count, 0);
    free_crowd(&all);
}

int main(void) {
    RUN(pairs_are_those_of_brute_force);
    RUN(a_cut_changes_nothing);
    RUN(turns_and_progress_are_carried_over);
    RUN(what_does_not_fit_is_counted);
    RUN(obstacles_on_their_way_are_paired);
    RUN(odd_boxes_are_found);
    RUN(keys_are_found_without_a_table);
    RUN(points_of_a_pair);
    RUN(nobody_is_no_pair);
    return check_finish();
}
