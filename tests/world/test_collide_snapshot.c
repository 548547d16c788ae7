/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only: nodes of those who keep doubles, and snapshots: who goes on and who is restored find the same. */

#include "world/fixture.h"

#include "core/hash.h"
#include "world/collide_fixture.h"

static const lt_collision_motion SWING = {{0.4f, 0, 0}, {0.4f, 0.3f, 0.1f}, {0, 0, 0, 1}, {0, 0.1f, 0, 1}};

/* Four bodies in each other and in themselves, and a ball that moves. */
static bool make_crowd(collide_scene *s) {
    lt_random random = lt_random_seed(17);
    lt_collision_def def = lt_collision_def_default();
    lt_obstacle_def ball = lt_obstacle_def_default();
    def.profile = false;
    if (!collide_make(s, 4, 0.42, 2, &def)) return false;
    ball.kind = LT_OBSTACLE_SPHERE;
    ball.radius = 0.5f;
    lt_obstacle_id id = lt_collision_add_obstacle(s->collision, &ball, NULL);
    deform_all(s, MOTION_PINCH, 0.2, &random);
    set_all(s, true);
    return lt_collision_set_obstacle(s->collision, id, &SWING, NULL) == LT_OK;
}

/* All that the caller sees after a search. */
static uint64_t search(collide_scene *s, uint64_t units) {
    lt_report report =
        lt_collision_find(s->collision, units ? lt_budget_collision_units(units) : lt_budget_unlimited());
    uint32_t count;
    const lt_collision_contact *contacts = lt_collision_contacts(s->collision, &count);
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, contacts, count * sizeof *contacts);
    const lt_collision_pair *pending = lt_collision_pending(s->collision, &count);
    hash = lt_hash_bytes(hash, pending, count * sizeof *pending);
    const uint64_t told[] = {report.step,    report.units,   report.tested,
                             report.pending, report.latency, report.contacts};
    return lt_hash_bytes(hash, told, sizeof told);
}

/* Intervals on little, in which bodies are set or left as they are. */
static uint64_t go_on(collide_scene *s, uint32_t from, uint32_t count, uint64_t units) {
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = from; i < from + count; i++) {
        lt_error error = {0};
        CHECK(set_body(s, i % 3, i % 2 == 0, &error) == LT_OK);
        hash = lt_hash_u64(hash, search(s, units));
        hash = lt_hash_u64(hash, search(s, units / 3 + 1));
    }
    return hash;
}

/* ---- snapshots ---- */

static void the_restored_find_the_same(void) {
    collide_scene s, other;
    CHECK_FATAL(make_crowd(&s) && make_crowd(&other));
    search(&s, 0);
    const uint64_t limits[] = {2000, 20000, 150000};
    for (uint32_t i = 0; i < LT_COUNT_OF(limits); i++) {
        go_on(&s, 0, 3, limits[i]);
        size_t size = lt_collision_snapshot_size(s.collision);
        uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
        CHECK_COUNT(lt_collision_snapshot(s.collision, bytes, size), size);
        uint32_t count;
        lt_collision_contacts(s.collision, &count);
        CHECK_COUNT(count, 0); /* the interval is over */
        uint64_t expected = go_on(&s, 3, 7, limits[i]);
        CHECK(lt_collision_restore(s.collision, bytes, size, NULL) == LT_OK);
        CHECK(go_on(&s, 3, 7, limits[i]) == expected);
        CHECK(lt_collision_restore(other.collision, bytes, size, NULL) == LT_OK);
        CHECK(go_on(&other, 3, 7, limits[i]) == expected);
        /* It is the waiting that counts: without it another pair is first. */
        CHECK(lt_collision_restore(s.collision, bytes, size, NULL) == LT_OK);
        uint64_t first = search(&s, limits[i]), second;
        set_all(&s, true);
        second = search(&s, limits[i]);
        CHECK(first != second);
        LT_DELETE(NULL, bytes, size, uint8_t);
    }
    collide_free(&s);
    collide_free(&other);
}

/* The nodes of a restored one are those that were saved, whatever it has been told since. */
static void nodes_and_obstacles_come_back(void) {
    collide_scene s;
    CHECK_FATAL(make_crowd(&s));
    size_t size = lt_collision_snapshot_size(s.collision);
    uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
    CHECK_COUNT(lt_collision_snapshot(s.collision, bytes, size), size);
    uint64_t expected = search(&s, 0);
    lt_collision_motion away = SWING;
    lt_error error = {0};
    away.start_position.x = away.end_position.x = 9;
    lt_obstacle_id ball = {1, 1};
    CHECK(set_body(&s, 1, false, &error) == LT_OK);
    lt_collision_set_obstacle(s.collision, ball, &away, &error);
    CHECK(search(&s, 0) != expected);
    CHECK(lt_collision_restore(s.collision, bytes, size, NULL) == LT_OK);
    CHECK(search(&s, 0) == expected);
    LT_DELETE(NULL, bytes, size, uint8_t);
    collide_free(&s);
}

/* Refused, or harmless. */
static void damage_does_no_harm(void) {
    collide_scene s, fewer;
    lt_collision_def def = lt_collision_def_default();
    lt_random random = lt_random_seed(5);
    CHECK_FATAL(make_crowd(&s) && collide_make(&fewer, 2, 0.42, 2, &def));
    go_on(&s, 0, 2, 20000);
    size_t size = lt_collision_snapshot_size(s.collision);
    uint8_t *bytes = LT_NEW(NULL, size, uint8_t), *damaged = LT_NEW(NULL, size, uint8_t);
    CHECK_COUNT(lt_collision_snapshot(s.collision, bytes, size), size);
    uint64_t expected = search(&s, 20000);
    lt_error error = {0};
    CHECK(lt_collision_restore(fewer.collision, bytes, size, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "nothing was changed");
    CHECK_CALLER_BUG(lt_collision_snapshot(s.collision, damaged, size - 1));
    for (size_t cut = 0; cut < size; cut += 1 + size / 97)
        CHECK(lt_collision_restore(s.collision, bytes, cut, NULL) == LT_STATUS_INVALID);
    for (int i = 0; i < 300; i++) {
        memcpy(damaged, bytes, size);
        /* Most of it is nodes: every third time in what comes before or after. */
        size_t at = lt_random_below(&random, (uint32_t)size);
        if (i % 3 == 0) at = at % 2 ? at % 40 : size - 1 - at % lt_min_u32(400, (uint32_t)size);
        damaged[at] ^= (uint8_t)(1u << lt_random_below(&random, 8));
        if (lt_collision_restore(s.collision, damaged, size, NULL) == LT_OK) search(&s, 5000);
    }
    CHECK(lt_collision_restore(s.collision, bytes, size, NULL) == LT_OK);
    CHECK(search(&s, 20000) == expected);
    LT_DELETE(NULL, bytes, size, uint8_t);
    LT_DELETE(NULL, damaged, size, uint8_t);
    collide_free(&s);
    collide_free(&fewer);
}

/* ---- doubles ---- */

/* What is less than half of what floats tell apart is rounded away: the same contacts, bit by bit. */
static void doubles_give_the_same(void) {
    collide_scene s, t;
    CHECK_FATAL(make_crowd(&s) && make_crowd(&t));
    uint64_t expected = search(&s, 0);
    size_t lanes = 4 * (size_t)s.f.carrier.node_count;
    double *from = LT_NEW(NULL, lanes, double), *to = LT_NEW(NULL, lanes, double);
    for (uint32_t body = 0; body < t.body_count; body++) {
        for (size_t i = 0; i < lanes; i++) {
            from[i] = (double)t.from[body][i] * (1 + 2e-8);
            to[i] = (double)t.to[body][i] * (1 - 2e-8);
        }
        lt_collision_nodes_double nodes = {from, to, t.f.carrier.node_count, 4};
        CHECK(lt_collision_set_nodes_double(t.collision, t.bodies[body], &nodes, NULL) == LT_OK);
    }
    CHECK(search(&t, 0) == expected);
    const double bad[] = {(double)NAN, (double)INFINITY, 1e300, -2e15};
    for (uint32_t i = 0; i < LT_COUNT_OF(bad); i++) {
        lt_error error = {0};
        lt_collision_nodes_double nodes = {from, to, t.f.carrier.node_count, 4};
        to[4 * 3 + 1] = bad[i];
        CHECK(lt_collision_set_nodes_double(t.collision, t.bodies[0], &nodes, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "node 3: a coordinate at the end");
    }
    LT_DELETE(NULL, from, lanes, double);
    LT_DELETE(NULL, to, lanes, double);
    collide_free(&s);
    collide_free(&t);
}

int main(void) {
    RUN(the_restored_find_the_same);
    RUN(nodes_and_obstacles_come_back);
    RUN(damage_does_no_harm);
    RUN(doubles_give_the_same);
    return check_finish();
}
