/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds that keep fronts over steps: they find the contacts that others find, repeat by cuts and from snapshots, refuse
 * damage, and take any capacity and any budget.
 * labels: golden threaded */

#include "core/random.h"
#include "method/cut_checks.h"
#include "method/memory.h"
#include "method/sphere_search.h"
#include "method/sphere_world.h"
#include "world/world.h"

enum { SMALL = 6000, STEPS = 24, RECORDS = 4096 };

static busy_shapes shapes;

static lt_world_def kept_def(uint32_t capacity) {
    lt_world_def def = sphere_world_def();
    def.diagnostics = false;
    def.contact_capacity = 512;
    def.sphere_tree.queue_capacity = 4096;
    def.sphere_tree.front_cache_capacity = capacity;
    return def;
}

static const lt_front_cache *cache_of(const lt_world *world) {
    return &((const lt_sphere_tree_method *)world->method_state)->cache;
}

static uint32_t pair_count(const lt_world *world) {
    return ((const lt_memory *)world->method_state)->pairs.count;
}

static lt_kept_front *front_of(const lt_world *world, uint32_t place) {
    return &lt_sphere_pair_at(world->method_state, place)->front;
}

/* Where a front is in a snapshot, and how long it is: looked for by its own bytes. */
static uint8_t *find_front(const lt_world *world, uint32_t place, const saved *s, size_t *size) {
    static uint8_t bytes[1 << 16];
    uint64_t count = 0;
    lt_stream stream = lt_stream_save(bytes, sizeof bytes);
    lt_sphere_tree_method *method = world->method_state;
    lt_front_cache_visit(&stream, &method->cache, front_of(world, place),
                         lt_pair_at(&method->memory.pairs, place), NULL, &count);
    *size = stream.used;
    CHECK(stream.used <= sizeof bytes);
    for (uint8_t *at = s->bytes; at + stream.used <= s->bytes + s->size; at++)
        if (memcmp(at, bytes, stream.used) == 0) return at;
    return NULL;
}

static uint32_t kept_fronts(const lt_world *world) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pair_count(world); i++)
        count += front_of(world, i)->root != LT_NONE;
    return count;
}

static uint32_t records_below(const lt_front_cache *cache, uint32_t record) {
    uint32_t count = 1;
    for (uint32_t i = cache->records[record].first_child; i != LT_NONE; i = cache->records[i].next)
        count += records_below(cache, i);
    return count;
}

/* Every record that was ever in use is of a front, or is dropped and will be used again. */
static void check_no_record_is_lost(const lt_world *world) {
    const lt_front_cache *cache = cache_of(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < pair_count(world); i++)
        if (front_of(world, i)->root != LT_NONE) count += records_below(cache, front_of(world, i)->root);
    for (uint32_t i = cache->dropped; i != LT_NONE; i = cache->records[i].next)
        count += records_below(cache, i);
    CHECK_COUNT(count, cache->used);
}

static lt_budget some_budget(uint64_t step) {
    return step % 3 == 2 ? lt_budget_unlimited() : lt_budget_collision_units(SMALL * (1 + step % 5));
}

static busy busy_after(const lt_world_def *def, uint64_t steps) {
    busy b = make_busy(def, &shapes);
    for (uint64_t i = 0; i < steps; i++)
        step_busy(&b, i, some_budget(i));
    return b;
}

static uint64_t hash_after(const lt_world_def *def, uint64_t steps) {
    busy b = busy_after(def, steps);
    uint64_t hash = lt_world_hash(b.world);
    lt_world_destroy(b.world);
    return hash;
}

/* Three cubes on their edges, face to face, that drift together by a thousandth of their size a step: their boxes overlap
 * long before they touch. */
typedef struct slow {
    lt_world *world;
    lt_body_id bodies[3];
} slow;

static slow make_slow(lt_world_def def, lt_shape *shape) {
    const float apart = 0.2f + 0.018f, speed = 0.012f, half = 0.70710678f;
    def.gravity = (lt_vec3){0, 0, 0};
    slow s = {.world = make_world(&def)};
    for (int i = 0; i < 3; i++) {
        lt_body_def body = lt_body_def_default();
        float side = (float)(i - 1) * half;
        body.shape = shape;
        body.rotation = (lt_quat){0, 0, 0.38268343f, 0.92387953f};
        body.position = (lt_vec3){apart * side, 1 + apart * side, 0.02f * (float)i};
        body.velocity = (lt_vec3){-speed * side, -speed * side, 0};
        s.bodies[i] = add_body_def(s.world, &body);
    }
    return s;
}

static lt_report step_slow(const slow *s) {
    return lt_world_step(s->world, STEP_DT, lt_budget_unlimited());
}

/* ---- the same contacts ---- */

enum { NODES_MAX = 200 };

/* Bodies of `to` where those of `from` are. */
static void copy_bodies(const slow *to, const slow *from) {
    static lt_vec3 positions[NODES_MAX], velocities[NODES_MAX];
    for (int i = 0; i < 3; i++) {
        CHECK_FATAL(lt_body_node_count(from->world, from->bodies[i]) <= NODES_MAX);
        lt_body_get_nodes(from->world, from->bodies[i], positions, velocities);
        CHECK(lt_body_set_nodes(to->world, to->bodies[i], positions, velocities, NULL) == LT_OK);
    }
}

/* Contacts between bodies of one that the other has not, in nearly the same place and as deep. */
static uint32_t contacts_without_twin(const lt_world *world, const lt_world *other) {
    uint32_t count, other_count, alone = 0;
    const lt_contact *mine = lt_world_contacts(world, &count),
                     *theirs = lt_world_contacts(other, &other_count);
    for (uint32_t i = 0; i < count; i++) {
        bool twin = mine[i].body_b.index_plus_one == 0 || mine[i].age > 0;
        for (uint32_t k = 0; k < other_count && !twin; k++)
            twin = mine[i].body_a.index_plus_one == theirs[k].body_a.index_plus_one &&
                   mine[i].body_b.index_plus_one == theirs[k].body_b.index_plus_one &&
                   lt_v3_distance(mine[i].point, theirs[k].point) < 1e-4f &&
                   fabsf(mine[i].depth - theirs[k].depth) < 1e-4f;
        alone += !twin;
    }
    return alone;
}

/* A world that keeps nothing begins every step where the other is. Leaves whose spheres have grown into each other while
 * their surfaces are apart may be left out of a kept front, and only those: at the speed of this scene there are none. */
static void contacts_are_those_of_fresh_fronts(void) {
    slow kept = make_slow(kept_def(RECORDS), shapes.cube), fresh = make_slow(kept_def(0), shapes.cube);
    uint32_t alone = 0;
    uint64_t kept_tests = 0, fresh_tests = 0, contacts = 0, first_contacts = 0;
    for (int i = 0; i < 36; i++) {
        copy_bodies(&fresh, &kept);
        kept_tests += step_slow(&kept).tested;
        lt_report report = step_slow(&fresh);
        fresh_tests += report.tested;
        contacts += report.exact;
        if (i == 5) first_contacts = contacts;
        alone += contacts_without_twin(fresh.world, kept.world);
    }
    CHECK(first_contacts == 0 && contacts > 50);
    CHECK_COUNT(alone, 0);
    CHECK(2 * kept_tests < fresh_tests);
    lt_world_destroy(kept.world);
    lt_world_destroy(fresh.world);
}

/* ---- repeating ---- */

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(kept_def(RECORDS), &shapes, 28, false);
    check_unit_cuts_repeat(kept_def(RECORDS), &shapes, 18, 1200, false);
    check_unit_cuts_repeat(kept_def(9), &shapes, 10, 1800, false);
}

static void snapshots_repeat_the_future(void) {
    for (uint32_t capacity = 6; capacity <= RECORDS; capacity *= 20) {
        slow b = make_slow(kept_def(capacity), shapes.cube),
             twin = make_slow(kept_def(capacity), shapes.cube);
        for (uint64_t i = 0; i < 8; i++)
            lt_world_step(b.world, STEP_DT, some_budget(i));
        CHECK(capacity < 100 || kept_fronts(b.world) > 0);
        saved s = save_world(b.world);
        uint64_t now = lt_world_hash(b.world);
        CHECK(load_world(twin.world, &s) == LT_OK && lt_world_hash(twin.world) == now);
        saved again = save_world(twin.world);
        CHECK(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
        for (uint64_t i = 8; i < 24; i++) {
            lt_world_step(b.world, STEP_DT, some_budget(i));
            lt_world_step(twin.world, STEP_DT, some_budget(i));
        }
        CHECK(lt_world_hash(twin.world) == lt_world_hash(b.world) && lt_world_hash(b.world) != now);
        drop_saved(&s);
        drop_saved(&again);
        lt_world_destroy(b.world);
        lt_world_destroy(twin.world);
    }
}

static void threads_and_levels_agree(void) {
    lt_world_def def = kept_def(RECORDS);
    def.simd_level = 0;
    uint64_t scalar = hash_after(&def, STEPS);
    check_golden("front-cache", scalar);
    def.simd_level = 1;
    CHECK(hash_after(&def, STEPS) == scalar);
    def.simd_level = def.thread_count = 2;
    CHECK(hash_after(&def, STEPS) == scalar);
}

/* What is kept decides the future: worlds that differ in it are not the same. */
static void hashes_tell_fronts_apart(void) {
    slow b = make_slow(kept_def(RECORDS), shapes.cube);
    step_slow(&b);
    lt_front_cache *cache = &((lt_sphere_tree_method *)b.world->method_state)->cache;
    uint64_t hash = lt_world_hash(b.world);
    uint32_t root = LT_NONE;
    for (uint32_t i = 0; i < pair_count(b.world) && root == LT_NONE; i++)
        root = front_of(b.world, i)->root;
    CHECK_FATAL(root != LT_NONE);
    cache->records[root].until += 0.001;
    CHECK(lt_world_hash(b.world) != hash);
    cache->records[root].until -= 0.001;
    for (uint32_t i = 0; i < pair_count(b.world); i++)
        lt_front_cache_forget(cache, front_of(b.world, i));
    CHECK(lt_world_hash(b.world) != hash);
    lt_world_destroy(b.world);
}

/* ---- damage ---- */

static void damaged_snapshots_do_no_harm(void) {
    slow b = make_slow(kept_def(RECORDS), shapes.cube);
    for (int i = 0; i < 4; i++)
        step_slow(&b);
    saved s = save_world(b.world);
    uint8_t *front = NULL;
    size_t size = 0;
    for (uint32_t i = 0; i < pair_count(b.world) && !front; i++)
        if (front_of(b.world, i)->root != LT_NONE) front = find_front(b.world, i, &s, &size);
    lt_random random = lt_random_seed(1);
    const double values[] = {NAN, 1e40, -2, INFINITY};
    uint32_t refused = 0, taken = 0;
    CHECK_FATAL(front && size > 500);
    for (int round = 0; round < 90; round++) {
        size_t at = (size_t)(front - s.bytes) + (lt_random_below(&random, (uint32_t)size - 8) & ~7u);
        uint8_t kept[8];
        memcpy(kept, s.bytes + at, 8);
        if (round % 2)
            memcpy(s.bytes + at, &values[lt_random_below(&random, 4)], 8);
        else
            s.bytes[at + lt_random_below(&random, 8)] ^= (uint8_t)(1u << lt_random_below(&random, 8));
        uint64_t before = lt_world_hash(b.world);
        if (lt_world_restore(b.world, s.bytes, s.size, NULL) == LT_OK) {
            taken++;
            lt_report report = lt_world_step(b.world, STEP_DT, some_budget((uint64_t)round));
            CHECK(world_is_finite(b.world) && report_is_consistent(b.world, &report));
        } else {
            refused++;
            CHECK(lt_world_hash(b.world) == before);
        }
        memcpy(s.bytes + at, kept, 8);
    }
    CHECK(refused > 25 && taken > 5);
    for (uint32_t cut = 1; cut < 60; cut += 7) /* too short */
        CHECK(lt_world_restore(b.world, s.bytes, s.size - cut, NULL) != LT_OK);
    CHECK(load_world(b.world, &s) == LT_OK);
    drop_saved(&s);
    lt_world_destroy(b.world);
}

/* The bytes of a saved record that say which lanes came near, and which have records. */
enum { RECORD_BYTES = 24, FRONT_BYTES = 16, NEAR_BYTE = 20, KEPT_BYTE = 21, TESTED_BYTE = 22 };

static bool takes_number(lt_world *world, saved *s, uint8_t *at, const void *number, size_t size) {
    uint8_t kept[8];
    memcpy(kept, at, size);
    memcpy(at, number, size);
    bool taken = lt_world_restore(world, s->bytes, s->size, NULL) == LT_OK;
    memcpy(at, kept, size);
    return taken;
}

/* Bytes of until, empty_until and key: no number, or one that cannot be. */
static uint32_t numbers_taken(lt_world *world, saved *s, uint8_t *record) {
    const double none = NAN, less = -2, far = 1e40;
    const float no_key = NAN, less_key = -1;
    return takes_number(world, s, record, &none, 8) + takes_number(world, s, record, &far, 8) +
           takes_number(world, s, record + 8, &none, 8) + takes_number(world, s, record + 8, &less, 8) +
           takes_number(world, s, record + 16, &no_key, 4) +
           takes_number(world, s, record + 16, &less_key, 4);
}

/* Lanes that a tree does not have, records of lanes that did not come near, records of what was not tested. */
static uint32_t wrong_records_taken(lt_world *world, saved *s, uint8_t *r) {
    const uint8_t near = r[NEAR_BYTE], kept = r[KEPT_BYTE];
    uint32_t wrong = (near >> 6 != 0) + numbers_taken(world, s, r);
    r[NEAR_BYTE] = near | 0x80;
    wrong += lt_world_restore(world, s->bytes, s->size, NULL) == LT_OK;
    r[NEAR_BYTE] = 0;
    wrong += kept && lt_world_restore(world, s->bytes, s->size, NULL) == LT_OK;
    r[NEAR_BYTE] = near;
    r[TESTED_BYTE] ^= 1;
    wrong += near && lt_world_restore(world, s->bytes, s->size, NULL) == LT_OK;
    r[TESTED_BYTE] ^= 1;
    r[KEPT_BYTE] = (uint8_t)(near & ~kept); /* records of leaves, or too many */
    wrong += (near & ~kept) && lt_world_restore(world, s->bytes, s->size, NULL) == LT_OK;
    r[KEPT_BYTE] = kept;
    return wrong;
}

static void records_are_checked(void) {
    lt_shape *sparse = with_tree(cube_shape(0.2, 2), (tree_options){.depth = 2, .branching = 6});
    slow scene = make_slow(kept_def(RECORDS), sparse);
    lt_world *world = scene.world;
    step_slow(&scene);
    saved s = save_world(world);
    uint32_t wrong = 0, records = 0;
    for (uint32_t i = 0; i < pair_count(world); i++) {
        size_t size;
        if (front_of(world, i)->root == LT_NONE) continue;
        uint8_t *front = find_front(world, i, &s, &size);
        CHECK_FATAL(front && size > FRONT_BYTES && (size - FRONT_BYTES) % RECORD_BYTES == 0);
        for (uint8_t *r = front + FRONT_BYTES; r < front + size; r += RECORD_BYTES)
            wrong += wrong_records_taken(world, &s, r);
        records += (uint32_t)((size - FRONT_BYTES) / RECORD_BYTES);
    }
    CHECK(records > 5);
    CHECK_COUNT(wrong, 0);
    CHECK(load_world(world, &s) == LT_OK);
    drop_saved(&s);
    lt_world_destroy(world);
    lt_shape_release(sparse);
}

/* A snapshot goes back into a world with as much room as it needs, and into none that keeps nothing. */
static void snapshots_know_their_worlds(void) {
    slow b = make_slow(kept_def(RECORDS), shapes.cube), without = make_slow(kept_def(0), shapes.cube),
         little = make_slow(kept_def(3), shapes.cube);
    step_slow(&b);
    step_slow(&without);
    step_slow(&little);
    saved s = save_world(b.world), plain = save_world(without.world);
    CHECK(kept_fronts(little.world) > 0 && kept_fronts(without.world) == 0);
    CHECK(lt_world_restore(without.world, s.bytes, s.size, NULL) != LT_OK);
    CHECK(lt_world_restore(little.world, s.bytes, s.size, NULL) != LT_OK);
    CHECK(lt_world_restore(b.world, plain.bytes, plain.size, NULL) != LT_OK);
    drop_saved(&s);
    drop_saved(&plain);
    lt_world_destroy(b.world);
    lt_world_destroy(without.world);
    lt_world_destroy(little.world);
}

/* ---- changes between steps ---- */

static void bodies_come_and_go(void) {
    slow scene = make_slow(kept_def(RECORDS), shapes.cube);
    lt_obstacle_def floor = lt_obstacle_def_default();
    lt_obstacle_id id = add_obstacle_def(scene.world, &floor);
    for (int i = 0; i < 6; i++)
        step_slow(&scene);
    CHECK_COUNT(kept_fronts(scene.world), 2);
    for (uint32_t i = 0; i < pair_count(scene.world); i++) /* as far as they drifted */
        if (front_of(scene.world, i)->root != LT_NONE)
            CHECK_NEAR(front_of(scene.world, i)->moved, 6 * 0.012 * STEP_DT, 1e-5);
    lt_world_remove_obstacle(scene.world, id);
    CHECK_COUNT(kept_fronts(scene.world), 2);
    size_t both = lt_memory_state_size(scene.world->method_state);
    lt_world_remove_body(scene.world, scene.bodies[2]);
    CHECK_COUNT(kept_fronts(scene.world), 1);
    CHECK(lt_memory_state_size(scene.world->method_state) < both);
    check_no_record_is_lost(scene.world);
    lt_report report = step_slow(&scene);
    CHECK(report_is_consistent(scene.world, &report) && kept_fronts(scene.world) == 1);
    add_body(scene.world, shapes.cube, (lt_vec3){0.12f, 1.12f, 0});
    for (int i = 0; i < 2; i++) {
        report = step_slow(&scene);
        CHECK(report_is_consistent(scene.world, &report) && unsound_contacts_of(scene.world, false) == 0);
    }
    CHECK(report.contacts > 0);
    check_no_record_is_lost(scene.world);
    lt_world_destroy(scene.world);
}

/* Nobody counted how far a body that was put elsewhere has moved: what was kept of it goes. */
static void what_is_put_elsewhere_is_found_there(void) {
    static lt_vec3 nodes[NODES_MAX];
    slow scene = make_slow(kept_def(RECORDS), shapes.cube);
    for (int i = 0; i < 6; i++)
        step_slow(&scene);
    uint32_t count = lt_body_node_count(scene.world, scene.bodies[0]);
    CHECK_FATAL(count <= NODES_MAX && kept_fronts(scene.world) == 2);
    lt_body_get_nodes(scene.world, scene.bodies[0], NULL, nodes);
    CHECK(lt_body_set_nodes(scene.world, scene.bodies[0], NULL, nodes, NULL) == LT_OK);
    CHECK_COUNT(kept_fronts(scene.world), 2); /* velocities alone move nothing */
    lt_body_get_nodes(scene.world, scene.bodies[0], nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i].x += 0.05f, nodes[i].y += 0.05f;
    CHECK(lt_body_set_nodes(scene.world, scene.bodies[0], nodes, NULL, NULL) == LT_OK);
    CHECK_COUNT(kept_fronts(scene.world), 1);
    lt_report report = step_slow(&scene);
    CHECK(report.contacts > 0 && report.depth_max > 0.02);
    lt_world_destroy(scene.world);
}

/* ---- budgets and room ---- */

static void any_budget_and_capacity_will_do(void) {
    const uint32_t capacities[] = {1, 30, 1000};
    const uint64_t budgets[] = {0, 500, 8000};
    for (uint32_t i = 0; i < LT_COUNT_OF(capacities); i++)
        for (uint32_t k = 0; k < LT_COUNT_OF(budgets); k++) {
            lt_world_def def = kept_def(capacities[i]);
            busy b = make_busy(&def, &shapes);
            for (uint64_t step = 0; step < 8; step++) {
                lt_report report = step_busy(&b, step, lt_budget_collision_units(budgets[k]));
                CHECK(report_is_consistent(b.world, &report) && report.allocations == 0);
                CHECK(!(report.problems & LT_PROBLEM_SCRATCH));
            }
            CHECK(world_is_finite(b.world) && cache_of(b.world)->used <= capacities[i]);
            lt_world_destroy(b.world);
        }
}

static void too_much_is_refused(void) {
    lt_world_def def = kept_def((1u << 24) + 1);
    lt_world *world = NULL;
    lt_error error = {0};
    CHECK(lt_world_create(&def, &world, &error) == LT_STATUS_INVALID && !world);
    CHECK_CONTAINS(error.message, "front cache");
    def = kept_def(RECORDS);
    def.mode = LT_MODE_PAPER; /* its spheres prove nothing: nothing is kept */
    busy b = busy_after(&def, 6);
    CHECK(cache_of(b.world)->capacity == 0);
    lt_world_destroy(b.world);
}

int main(void) {
    shapes = (busy_shapes){cube_with_tree(0.2, 2, 2), ball_with_tree(0.12, 1, 2), false};
    RUN(contacts_are_those_of_fresh_fronts);
    RUN(cuts_repeat_a_step);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(hashes_tell_fronts_apart);
    RUN(damaged_snapshots_do_no_harm);
    RUN(records_are_checked);
    RUN(snapshots_know_their_worlds);
    RUN(bodies_come_and_go);
    RUN(what_is_put_elsewhere_is_found_there);
    RUN(any_budget_and_capacity_will_do);
    RUN(too_much_is_refused);
    drop_busy_shapes(&shapes);
    return check_finish();
}
