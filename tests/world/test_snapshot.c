/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A snapshot is the whole state: restored, into the same world or one built by the same calls, the future is the
 * same to the last bit; damaged or foreign, it is refused and nothing changes. And the hash tells apart whatever
 * decides the future. */

#include "core/random.h"
#include "world/scenes.h"
#include "world/world.h"

static busy_shapes shapes;

/* Units that leave pairs untested in most steps of the busy world. */
enum { SMALL = 3000, WARM_UP = 36 };

static uint64_t go_on(busy *b, uint64_t first, uint64_t count, lt_budget budget) {
    for (uint64_t i = 0; i < count; i++)
        step_busy(b, first + i, budget);
    return lt_world_hash(b->world);
}

static void futures_agree(lt_budget budget, uint64_t warm_up) {
    lt_world_def def = test_world_def();
    def.diagnostics = false;
    busy b = make_busy(&def, &shapes), twin = make_busy(&def, &shapes);
    go_on(&b, 0, warm_up, budget);
    saved s = save_world(b.world);
    uint64_t now = lt_world_hash(b.world), future = go_on(&b, warm_up, 100, budget);
    CHECK(now != future);
    /* Back into the same world. */
    CHECK(load_world(b.world, &s) == LT_OK);
    CHECK(lt_world_hash(b.world) == now);
    /* Into a world built by the same calls that has gone elsewhere. */
    go_on(&twin, 7, 10, lt_budget_unlimited());
    CHECK(load_world(twin.world, &s) == LT_OK);
    CHECK(lt_world_hash(twin.world) == now);
    CHECK(go_on(&twin, warm_up, 100, budget) == future);
    /* Saving is reading: the same bytes again. */
    saved again = save_world(b.world);
    CHECK(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
    drop_saved(&again);
    drop_saved(&s);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
}

static void future_repeats_unlimited(void) {
    futures_agree(lt_budget_unlimited(), WARM_UP);
}

static void future_repeats_with_unfinished_pairs(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    uint64_t left = 0;
    for (uint64_t i = 0; i < WARM_UP; i++)
        left += step_busy(&b, i, lt_budget_collision_units(SMALL)).pending > 0;
    CHECK(left > WARM_UP / 2); /* the budget is one that leaves pairs */
    lt_world_destroy(b.world);
    futures_agree(lt_budget_collision_units(SMALL), WARM_UP);
}

static void something_sleeps_in_the_scene(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, WARM_UP, lt_budget_unlimited());
    CHECK(lt_body_is_asleep(b.world, b.bodies[0]));
    lt_world_destroy(b.world);
}

/* Changing what decides the future changes the hash, at once; putting it back restores the hash. */
static void hash_sees_everything(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 10, lt_budget_collision_units(SMALL));
    saved s = save_world(b.world);
    uint64_t now = lt_world_hash(b.world);
    lt_world_set_gravity(b.world, (lt_vec3){0, -9, 0});
    CHECK(lt_world_hash(b.world) != now);
    CHECK(load_world(b.world, &s) == LT_OK && lt_world_hash(b.world) == now);
    lt_world_move_handle(b.world, b.handle, (lt_vec3){0.5f, 0.5f, 0.5f});
    CHECK(lt_world_hash(b.world) != now);
    CHECK(load_world(b.world, &s) == LT_OK && lt_world_hash(b.world) == now);
    lt_world_move_obstacle(b.world, b.paddle, (lt_vec3){-0.3f, 0.3f, 0}, (lt_quat){0, 0, 0, 1});
    CHECK(lt_world_hash(b.world) != now);
    CHECK(load_world(b.world, &s) == LT_OK && lt_world_hash(b.world) == now);
    lt_body_add_force(b.world, b.bodies[1], (lt_vec3){0, 1, 0});
    CHECK(lt_world_hash(b.world) != now);
    CHECK(load_world(b.world, &s) == LT_OK && lt_world_hash(b.world) == now);
    lt_body_pin_node(b.world, b.bodies[1], 0);
    CHECK(lt_world_hash(b.world) != now);
    CHECK(load_world(b.world, &s) == LT_OK && lt_world_hash(b.world) == now);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

/* How far the pairs have been tested decides what a starved step finds next. */
static void hash_sees_unfinished_work(void) {
    lt_world_def def = test_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    lt_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_world(&def);
        lt_body_def bd = lt_body_def_default();
        bd.shape = shapes.cube;
        bd.material.mass_damping = 0;
        add_body_def(worlds[i], &bd);
        bd.position.x = 0.201f; /* boxes overlap once they are inflated; nothing touches */
        add_body_def(worlds[i], &bd);
        lt_world_step(worlds[i], STEP_DT, lt_budget_collision_units(i ? 2000 : 0));
    }
    CHECK(lt_world_hash(worlds[0]) != lt_world_hash(worlds[1]));
    lt_world_destroy(worlds[0]);
    lt_world_destroy(worlds[1]);
}

/* Forces added before the snapshot belong to the next step; forces added after it are forgotten. */
static void forces_of_the_next_step_are_state(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 5, lt_budget_unlimited());
    lt_body_add_force(b.world, b.bodies[1], (lt_vec3){5, 0, 0});
    saved s = save_world(b.world);
    uint64_t future = go_on(&b, 5, 1, lt_budget_unlimited());
    CHECK(load_world(b.world, &s) == LT_OK);
    lt_body_add_force(b.world, b.bodies[1], (lt_vec3){0, 99, 0});
    CHECK(load_world(b.world, &s) == LT_OK);
    CHECK(go_on(&b, 5, 1, lt_budget_unlimited()) == future);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

/* ---- damage ---- */

static void refused_without_change(lt_world *world, const uint8_t *bytes, size_t size) {
    lt_error error = {0};
    uint64_t before = lt_world_hash(world);
    CHECK(lt_world_restore(world, bytes, size, &error) == LT_STATUS_INVALID && error.message[0]);
    CHECK(lt_world_hash(world) == before);
}

static void every_truncation_is_refused(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 20, lt_budget_collision_units(SMALL));
    saved s = save_world(b.world);
    go_on(&b, 20, 1, lt_budget_collision_units(SMALL));
    for (size_t size = 0; size < s.size; size += size < 200 ? 1 : 101) {
        uint8_t *exact = LT_NEW(NULL, size, uint8_t); /* so that reading beyond the end is seen */
        memcpy(exact, s.bytes, size);
        refused_without_change(b.world, exact, size);
        LT_DELETE(NULL, exact, size, uint8_t);
    }
    uint8_t *longer = LT_NEW(NULL, s.size + 1, uint8_t);
    memcpy(longer, s.bytes, s.size);
    refused_without_change(b.world, longer, s.size + 1);
    LT_DELETE(NULL, longer, s.size + 1, uint8_t);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

static void foreign_snapshots_are_refused(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 3, lt_budget_unlimited());
    saved s = save_world(b.world);
    lt_world *other = make_world(&def);
    refused_without_change(other, s.bytes, s.size);
    for (int i = 0; i < 5; i++)
        add_body(other, i == 3 ? shapes.ball : shapes.cube, (lt_vec3){0, (float)i, 0});
    refused_without_change(other, s.bytes, s.size);
    lt_world_destroy(other);
    /* The same calls, and one more. */
    busy twin = make_busy(&def, &shapes);
    lt_world_remove_body(twin.world, twin.bodies[2]);
    refused_without_change(twin.world, s.bytes, s.size);
    drop_saved(&s);
    lt_world_destroy(b.world);
    lt_world_destroy(twin.world);
}

/* Places and velocities of every body, one number after the other and every so-manyth of many: no number, or none that a body may have. */
static void what_is_no_number_is_refused(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 20, lt_budget_collision_units(SMALL));
    const lt_real poisons[] = {(lt_real)NAN, (lt_real)-INFINITY, (lt_real)1e30f};
    uint64_t before = lt_world_hash(b.world);
    for (uint32_t body = 0; body < lt_world_body_count(b.world); body++) {
        lt_soft *soft = lt_soft_at(b.world, body);
        uint32_t count = 4 * soft->carrier.node_count;
        for (uint32_t i = 0; i < 2 * count; i += i % 4 == 2 ? 2 + 4 * (count / 40) : 1) {
            lt_real *number = i < count ? &soft->x[i] : &soft->v[i - count], kept = *number;
            *number = poisons[i / 4 % LT_COUNT_OF(poisons)];
            saved s = save_world(b.world);
            *number = kept;
            CHECK(lt_world_restore(b.world, s.bytes, s.size, NULL) == LT_STATUS_INVALID);
            drop_saved(&s);
        }
    }
    CHECK(lt_world_hash(b.world) == before);
    lt_world_destroy(b.world);
}

/* Every so-manyth aligned word of the snapshot made NaN: refused with nothing changed, or a world that steps. Nodes are packed: their
 * words are differences, mostly of last digits in the double build, which refuses 44 of 155, and the float build 69 of 157. */
static void poisoned_snapshots_do_no_harm(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 20, lt_budget_collision_units(SMALL));
    saved s = save_world(b.world);
    uint32_t refused = 0, taken = 0;
    size_t stride =
        4 * ((s.size / 4 / 150) | 1); /* odd: both halves of words of eight bytes get their turn */
    const float poison = NAN;
    for (size_t at = 0; at + 4 <= s.size; at += stride) {
        uint8_t kept[4];
        memcpy(kept, s.bytes + at, 4);
        memcpy(s.bytes + at, &poison, 4);
        uint64_t before = lt_world_hash(b.world);
        if (lt_world_restore(b.world, s.bytes, s.size, NULL) == LT_OK) {
            taken++;
            lt_world_step(b.world, STEP_DT, lt_budget_unlimited());
            CHECK(world_is_finite(b.world) && unsound_contacts(b.world) == 0);
        } else {
            refused++;
            CHECK(lt_world_hash(b.world) == before);
        }
        memcpy(s.bytes + at, kept, 4);
    }
    CHECK(refused > (refused + taken) / 5 && taken > (refused + taken) / 5);
    CHECK(load_world(b.world, &s) == LT_OK);
    printf("%u of %u poisoned snapshots refused\n", refused, refused + taken);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

/* The method's part is the last, and its flags are single bytes: each byte there becomes 2, which no flag may be. The
 * undefined-behaviour sanitizer sees a flag that is read all the same. */
static void flags_that_are_none_do_no_harm(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    go_on(&b, 0, 6, lt_budget_collision_units(SMALL));
    saved s = save_world(b.world);
    uint32_t refused = 0;
    for (size_t at = s.size - lt_min_u32(200, (uint32_t)s.size); at < s.size; at++) {
        uint8_t kept = s.bytes[at];
        s.bytes[at] = 2;
        if (lt_world_restore(b.world, s.bytes, s.size, NULL) != LT_OK)
            refused++;
        else
            lt_world_step(b.world, STEP_DT, lt_budget_collision_units(SMALL));
        s.bytes[at] = kept;
    }
    CHECK(refused > 10);
    CHECK(load_world(b.world, &s) == LT_OK);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

int main(void) {
    shapes = make_busy_shapes();
    RUN(something_sleeps_in_the_scene);
    RUN(future_repeats_unlimited);
    RUN(future_repeats_with_unfinished_pairs);
    RUN(hash_sees_everything);
    RUN(hash_sees_unfinished_work);
    RUN(forces_of_the_next_step_are_state);
    RUN(every_truncation_is_refused);
    RUN(foreign_snapshots_are_refused);
    RUN(what_is_no_number_is_refused);
    RUN(poisoned_snapshots_do_no_harm);
    RUN(flags_that_are_none_do_no_harm);
    drop_busy_shapes(&shapes);
    return check_finish();
}
