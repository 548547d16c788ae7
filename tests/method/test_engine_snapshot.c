/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Steps of the engine repeat: by cuts, from snapshots in mid-work, with any number of threads and any width of SIMD. What is restored
 * is checked, whatever the bytes say; bodies and obstacles come, go and are put elsewhere in mid-work; memory may run out.
 * labels: golden threaded wasm */

#include "core/hash.h"
#include "method/cut_checks.h"
#include "method/failing_world.h"
#include "method/state_checks.h"
#include "world/world.h"

static busy_shapes shapes;

static lt_world_def busy_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_ENGINE;
    def.diagnostics = false;
    def.contact_capacity = 512;
    return def;
}

/* ---- the busy world ---- */

static void cuts_repeat_a_step(void) {
    check_timed_cuts_repeat(busy_def(), &shapes, 42, false);
}

static void cuts_repeat_unit_budgets(void) {
    check_unit_cuts_repeat(busy_def(), &shapes, 30, 700, false);
}

static void snapshots_repeat_the_future(void) {
    check_snapshots_repeat_the_future(busy_def(), &shapes);
}

static void threads_and_levels_agree(void) {
    check_threads_and_levels_agree(busy_def(), &shapes, "engine");
}

static void damaged_snapshots_do_no_harm(void) {
    check_damaged_snapshots_do_no_harm(busy_def(), &shapes);
}

static void bodies_come_and_go(void) {
    check_bodies_come_and_go(busy_def(), &shapes);
}

/* ---- heaps, cut ---- */

enum { HEAP_MOST = 6, FUTURE = 60 };

typedef struct heap {
    lt_world *world;
    lt_obstacle_id floor, ball;
    lt_body_id bodies[HEAP_MOST];
    uint32_t body_count;
} heap;

/* Three blocks, one on the other, or six bodies thrown together over a stone. */
static heap make_heap(bool is_stack) {
    lt_world_def def = busy_def();
    heap h = {.world = make_world(&def), .body_count = is_stack ? 3 : HEAP_MOST};
    h.floor = add_floor(h.world);
    if (!is_stack) {
        lt_obstacle_def od = lt_obstacle_def_default();
        od.kind = LT_OBSTACLE_SPHERE;
        od.radius = 0.1f;
        od.position = (lt_vec3){-0.1f, 0.05f, 0};
        h.ball = add_obstacle_def(h.world, &od);
    }
    for (uint32_t i = 0; i < h.body_count; i++) {
        lt_body_def bd = lt_body_def_default();
        float level = (float)i;
        bd.shape = !is_stack && i % 2 ? shapes.ball : shapes.cube;
        bd.position = is_stack ? (lt_vec3){0.01f * level, 0.105f + 0.21f * level, 0}
                               : (lt_vec3){i % 3 ? 0.05f : -0.06f, 0.12f + 0.18f * level, 0.02f * level};
        bd.rotation = (lt_quat){0, 0.1f * level, 0, 1};
        if (!is_stack) bd.velocity = (lt_vec3){0, -1, 0};
        h.bodies[i] = add_body_def(h.world, &bd);
    }
    return h;
}

static uint32_t step_heap(const heap *h, uint32_t count, uint64_t units) {
    uint32_t interrupted = 0;
    lt_budget budget = units == LT_UNLIMITED ? lt_budget_unlimited() : lt_budget_collision_units(units);
    for (uint32_t i = 0; i < count; i++) {
        lt_report report = lt_world_step(h->world, STEP_DT, budget);
        interrupted += report.interrupted != 0;
        CHECK(report_is_consistent(h->world, &report));
    }
    return interrupted;
}

/* Another world that was never stepped, and one that has a past of its own, go on alike. */
static uint32_t check_future(bool is_stack, uint64_t units, uint32_t before) {
    heap h = make_heap(is_stack), twin = make_heap(is_stack), other = make_heap(is_stack);
    uint32_t interrupted = step_heap(&h, before, units);
    step_heap(&other, before / 2, 2000);
    saved s = save_world(h.world);
    uint64_t now = lt_world_hash(h.world);
    CHECK(load_world(twin.world, &s) == LT_OK && load_world(other.world, &s) == LT_OK);
    CHECK(lt_world_hash(twin.world) == now && lt_world_hash(other.world) == now);
    for (uint32_t i = 0; i < FUTURE; i++) {
        interrupted += step_heap(&h, 1, units);
        step_heap(&twin, 1, units);
        step_heap(&other, 1, units);
        uint64_t hash = lt_world_hash(h.world);
        if (lt_world_hash(twin.world) != hash || lt_world_hash(other.world) != hash) {
            CHECK_FAIL_MESSAGE("%s at %lld units: step %u after the snapshot is another",
                               is_stack ? "stack" : "heap", (long long)units, i);
            break;
        }
    }
    CHECK(world_is_finite(h.world));
    drop_saved(&s);
    lt_world_destroy(h.world);
    lt_world_destroy(twin.world);
    lt_world_destroy(other.world);
    return interrupted;
}

static void heaps_go_on_from_mid_work(void) {
    const uint64_t budgets[] = {1000, 5000, 20000, 100000, LT_UNLIMITED};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        for (int is_stack = 0; is_stack < 2; is_stack++) {
            uint32_t cut = check_future(is_stack, budgets[i], 25);
            if (budgets[i] <= 5000) CHECK(cut > 0);
            if (budgets[i] == LT_UNLIMITED) CHECK_COUNT(cut, 0);
        }
}

/* Any bit of all that the engine keeps of a heap that was cut: clocks, contacts, pairs and their fronts. */
static void any_damage_does_no_harm(void) {
    heap h = make_heap(false);
    step_heap(&h, 14, 8000);
    saved s = save_world(h.world);
    size_t kept_size = h.world->method->state_size(h.world->method_state);
    lt_random random = lt_random_seed(9);
    uint32_t refused = 0, taken = 0;
    CHECK_FATAL(kept_size > 10000 && kept_size < s.size);
    for (uint32_t round = 0; round < 400; round++) {
        size_t at = s.size - kept_size + lt_random_below(&random, (uint32_t)kept_size);
        uint8_t kept = s.bytes[at];
        uint64_t before = lt_world_hash(h.world);
        s.bytes[at] ^= (uint8_t)(1u << lt_random_below(&random, 8));
        if (lt_world_restore(h.world, s.bytes, s.size, NULL) == LT_OK) {
            taken++;
            step_heap(&h, 1, round % 2 ? 8000 : LT_UNLIMITED);
            CHECK(world_is_finite(h.world) && unsound_contacts_of(h.world, false) == 0);
        } else {
            refused++;
            CHECK(lt_world_hash(h.world) == before);
        }
        s.bytes[at] = kept;
    }
    CHECK(refused > 50 && taken > 50);
    drop_saved(&s);
    lt_world_destroy(h.world);
}

/* ---- what the caller does in mid-work ---- */

static void put_elsewhere(const heap *h, lt_body_id body, lt_vec3 by) {
    lt_vec3 positions[512];
    uint32_t count = lt_body_node_count(h->world, body);
    CHECK_FATAL(count <= 512);
    lt_body_get_nodes(h->world, body, positions, NULL);
    for (uint32_t i = 0; i < count; i++)
        positions[i] = lt_v3_add(positions[i], by);
    CHECK(lt_body_set_nodes(h->world, body, positions, NULL, NULL) == LT_OK);
}

static void intervene(heap *h, uint32_t round) {
    lt_body_def bd = lt_body_def_default();
    lt_obstacle_def od = lt_obstacle_def_default();
    switch (round % 6) {
    case 0: put_elsewhere(h, h->bodies[5], (lt_vec3){0.3f, -0.4f, 0}); break;
    case 1: lt_world_remove_body(h->world, h->bodies[1]); break;
    case 2: lt_world_remove_obstacle(h->world, h->ball); break;
    case 3:
        bd.shape = shapes.ball;
        bd.position = (lt_vec3){0, 0.2f, 0.05f}; /* in the others */
        h->bodies[1] = add_body_def(h->world, &bd);
        break;
    case 4:
        od.kind = LT_OBSTACLE_BOX;
        od.half_extents = (lt_vec3){0.05f, 0.1f, 0.05f};
        od.position = (lt_vec3){0.1f, 0.05f, 0.05f};
        h->ball = add_obstacle_def(h->world, &od);
        break;
    default: put_elsewhere(h, h->bodies[5], (lt_vec3){-0.3f, 0.4f, 500}); break;
    }
}

/* The world is saved after every intervention, and does the same again from there. */
static void check_interventions(uint64_t units) {
    heap h = make_heap(false);
    step_heap(&h, 10, units);
    for (uint32_t round = 0; round < 6; round++) {
        intervene(&h, round);
        CHECK_COUNT(unsound_contacts_of(h.world, false), 0);
        saved s = save_world(h.world);
        uint64_t now = lt_world_hash(h.world);
        step_heap(&h, 3, units);
        uint64_t then = lt_world_hash(h.world);
        CHECK_COUNT(unsound_contacts_of(h.world, false), 0);
        CHECK(load_world(h.world, &s) == LT_OK && lt_world_hash(h.world) == now);
        step_heap(&h, 3, units);
        CHECK(lt_world_hash(h.world) == then);
        drop_saved(&s);
    }
    CHECK(world_is_finite(h.world));
    lt_world_destroy(h.world);
}

static void callers_intervene_in_mid_work(void) {
    const uint64_t budgets[] = {2000, 10000, LT_UNLIMITED};
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++)
        check_interventions(budgets[i]);
}

static uint32_t contacts_between(const lt_world *world, lt_body_id x, lt_body_id y) {
    uint32_t count, met = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = contacts[i].body_a.index_plus_one, b = contacts[i].body_b.index_plus_one;
        met += (a == x.index_plus_one && b == y.index_plus_one) ||
               (a == y.index_plus_one && b == x.index_plus_one);
    }
    return met;
}

/* What a front says of places where a body is no more is void: who is put into another one is met in the next step, who is taken
 * away is not. */
static void who_is_put_elsewhere_is_met_there(void) {
    heap h = make_heap(true);
    step_heap(&h, 20, LT_UNLIMITED);
    CHECK_COUNT(contacts_between(h.world, h.bodies[0], h.bodies[2]), 0);
    CHECK(contacts_between(h.world, h.bodies[1], h.bodies[0]) > 0);
    put_elsewhere(&h, h.bodies[1], (lt_vec3){3, 0, 0});
    put_elsewhere(&h, h.bodies[2], (lt_vec3){0, -0.25f, 0});
    step_heap(&h, 1, LT_UNLIMITED);
    CHECK(contacts_between(h.world, h.bodies[0], h.bodies[2]) > 0);
    CHECK_COUNT(contacts_between(h.world, h.bodies[0], h.bodies[1]), 0);
    put_elsewhere(&h, h.bodies[2], (lt_vec3){0, 0.25f, 0});
    put_elsewhere(&h, h.bodies[1], (lt_vec3){-3, 0, 0});
    step_heap(&h, 1, LT_UNLIMITED);
    CHECK_COUNT(contacts_between(h.world, h.bodies[0], h.bodies[2]), 0);
    CHECK(contacts_between(h.world, h.bodies[0], h.bodies[1]) > 0);
    lt_world_destroy(h.world);
}

/* An obstacle that comes where bodies are pushes them at once; one that goes lets them fall. */
static void obstacles_come_and_go(void) {
    heap h = make_heap(true);
    step_heap(&h, 30, LT_UNLIMITED);
    lt_world_remove_obstacle(h.world, h.floor);
    lt_report report = lt_world_step(h.world, STEP_DT, lt_budget_unlimited());
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(h.world, &count);
    for (uint32_t i = 0; i < count; i++)
        CHECK_COUNT(contacts[i].obstacle.index_plus_one, 0);
    float height = lt_body_center(h.world, h.bodies[0]).y;
    step_heap(&h, 30, LT_UNLIMITED);
    CHECK(lt_body_center(h.world, h.bodies[0]).y < height - 0.5f);
    lt_obstacle_def od = lt_obstacle_def_default();
    od.position.y = lt_body_center(h.world, h.bodies[0]).y - 0.1f;
    h.floor = add_obstacle_def(h.world, &od);
    report = lt_world_step(h.world, STEP_DT, lt_budget_unlimited());
    CHECK(report.contacts > 0);
    step_heap(&h, 60, LT_UNLIMITED);
    CHECK(lt_body_center(h.world, h.bodies[0]).y > od.position.y);
    lt_world_destroy(h.world);
}

/* ---- memory ---- */

static void memory_may_run_out(void) {
    check_memory_may_run_out(busy_def(), shapes.cube);
}

static uint64_t hash_of_motion(const lt_world *world) {
    lt_vec3 nodes[2][512];
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = 0; i < lt_world_body_count(world); i++) {
        lt_body_id body = lt_world_body_at(world, i);
        uint32_t count = lt_min_u32(512, lt_body_node_count(world, body));
        lt_body_get_nodes(world, body, nodes[0], nodes[1]);
        hash = lt_hash_bytes(lt_hash_bytes(hash, nodes[0], count * sizeof(lt_vec3)), nodes[1],
                             count * sizeof(lt_vec3));
    }
    return hash;
}

/* A body that is refused for want of memory moves nobody: a world in mid-work goes on as if nobody had asked, and takes the body when
 * there is memory. */
static void a_refused_body_moves_nobody(void) {
    bool added = false;
    for (int allowed = 0; !added && allowed < 200; allowed++) {
        failing memory = failing_after(1 << 30);
        lt_world_def def = busy_def();
        def.allocator = failing_allocator(&memory);
        busy b = make_busy(&def, &shapes), twin = make_busy(&def, &shapes);
        step_busy_often(&b, 0, 12);
        step_busy_often(&twin, 0, 12);
        lt_body_def bd = lt_body_def_default();
        lt_error error = {0};
        bd.shape = shapes.ball;
        bd.position = (lt_vec3){0, 0.7f, 0};
        memory.allowed = allowed;
        added = lt_world_add_body(b.world, &bd, &error).index_plus_one != 0;
        memory.allowed = 1 << 30;
        if (!added) {
            CHECK_COUNT(error.status, LT_STATUS_MEMORY);
            step_busy_often(&b, 12, 17);
            step_busy_often(&twin, 12, 17);
            CHECK(hash_of_motion(b.world) == hash_of_motion(twin.world));
            add_body_def(b.world, &bd);
            step_busy_often(&b, 17, 19);
            CHECK(world_is_finite(b.world) && unsound_contacts_of(b.world, false) == 0);
        }
        lt_world_destroy(b.world);
        lt_world_destroy(twin.world);
        CHECK_COUNT(memory.blocks_out, 0);
        CHECK_COUNT(memory.bytes_out, 0);
    }
    CHECK(added);
}

int main(void) {
    shapes = (busy_shapes){cube_shape(0.2, 2), ball_shape(0.12, 2), false};
    RUN(cuts_repeat_a_step);
    RUN(cuts_repeat_unit_budgets);
    RUN(snapshots_repeat_the_future);
    RUN(threads_and_levels_agree);
    RUN(damaged_snapshots_do_no_harm);
    RUN(bodies_come_and_go);
    RUN(heaps_go_on_from_mid_work);
    RUN(any_damage_does_no_harm);
    RUN(callers_intervene_in_mid_work);
    RUN(who_is_put_elsewhere_is_met_there);
    RUN(obstacles_come_and_go);
    RUN(memory_may_run_out);
    RUN(a_refused_body_moves_nobody);
    drop_busy_shapes(&shapes);
    return check_finish();
}
