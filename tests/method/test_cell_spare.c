/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pairs that need no turn. Those that cell-box proves apart are: whatever moves, by models, corrections or what holds those without a turn, no boxes of
 * theirs touch as long as some of the margin is left; and most pairs that do not touch have one. */

#include "method/cell_work.h"
#include "method/lattice_world.h"
#include "world/world.h"

static lt_shape *cube, *ball;

/* 0: it waits for a turn, or has no margin. */
static float margin_of(const lt_pair *pair) {
    float margin;
    memcpy(&margin, &lt_words_of(pair)->next, sizeof margin);
    return lt_words_of(pair)->next & 1 ? 0 : margin;
}

/* All boxes of one body against all of another, as the nodes are now. */
static bool any_touch(lt_world *world, uint32_t a, uint32_t b) {
    lt_cell_boxes *of[2] = {&lt_collider_at(world, a)->cells, &lt_collider_at(world, b)->cells};
    const uint32_t bodies[2] = {a, b};
    const lt_box_kernels *kernels = lt_box_kernels_for(lt_simd_best());
    for (int i = 0; i < 2; i++)
        lt_cell_boxes_begin(of[i], lt_soft_at(world, bodies[i])->nodes,
                            lt_collider_at(world, bodies[i])->box);
    for (uint32_t i = 0; i < of[0]->layout->box_count; i++)
        for (uint32_t k = 0; k < of[1]->layout->box_count; k++) {
            lt_box_touch touch;
            uint32_t units = 0;
            const lt_cell_box *x = lt_cell_box_get(of[0], i), *y = lt_cell_box_get(of[1], k);
            if (lt_box_touch_find(&touch, x, y, true, kernels, &units)) return true;
        }
    return false;
}

static void check_pairs(lt_world *world, uint32_t *proved, uint32_t *open) {
    const lt_cell_method *m = world->method_state;
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        const lt_pair *pair = lt_worded_pair_at(&m->memory.pairs, i);
        if (pair->kind != LT_PAIR_BODIES) continue;
        bool touches = any_touch(world, pair->a, pair->b);
        if (margin_of(pair) > 0) CHECK(!touches);
        *proved += margin_of(pair) > 0;
        *open += !touches && !(margin_of(pair) > 0);
    }
}

/* Balls and cubes thrown into a corner. */
static void run_heap(uint64_t units, uint32_t *proved, uint32_t *open) {
    lt_world_def def = lattice_world_def();
    def.sleeping = false;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t x = i % 2, z = i / 2 % 2, y = i / 4;
        lt_vec3 place = {0.24f * (float)x, 0.14f + 0.26f * (float)y, 0.24f * (float)z};
        lt_body_def bd = lattice_body_def(i % 3 ? cube : ball, place);
        bd.rotation = (lt_quat){0.3f * (float)(i % 5), 0.2f, 0.1f * (float)(i % 4), 1};
        bd.velocity = (lt_vec3){0.5f - (float)x, -1, 0.3f - 0.6f * (float)z};
        add_body_def(world, &bd);
    }
    for (int i = 0; i < 120; i++) {
        lt_world_step(world, STEP_DT / 2, units ? lt_budget_collision_units(units) : lt_budget_unlimited());
        check_pairs(world, proved, open);
    }
    lt_world_destroy(world);
}

static void what_is_proved_apart_is(void) {
    uint32_t proved = 0, open = 0;
    run_heap(0, &proved, &open);
    run_heap(12000, &proved, &open);
    printf("%u pairs proved apart, %u apart and not proved\n", proved, open);
    CHECK(proved > 100);
}

/* A body that is put somewhere else may be in anything. */
static void who_is_moved_is_looked_at(void) {
    lt_world_def def = lattice_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.sleeping = false;
    lt_world *world = make_world(&def);
    lt_body_id first = add_lattice(world, ball, (lt_vec3){0, 0, 0});
    lt_body_id second =
        add_lattice(world, ball, (lt_vec3){0.225f, 0.225f, 0}); /* boxes overlap, balls do not */
    lt_report report = run(world, 3);
    const lt_cell_method *m = world->method_state;
    CHECK(report.contacts == 0 && m->memory.pairs.count > 0);
    uint32_t count = lt_body_node_count(world, second);
    static lt_vec3 nodes[512];
    CHECK(count <= LT_COUNT_OF(nodes));
    lt_body_get_nodes(world, second, nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = lt_v3_add(nodes[i], (lt_vec3){-0.08f, -0.08f, 0});
    CHECK(lt_body_set_nodes(world, second, nodes, NULL, NULL) == LT_OK);
    report = run(world, 1);
    CHECK(report.contacts > 0);
    (void)first;
    lt_world_destroy(world);
}

int main(void) {
    cube = lattice_box(0.2f, 0.2f, 0.2f, 8);
    ball = lattice_ball(0.12f, 26);
    RUN(what_is_proved_apart_is);
    RUN(who_is_moved_is_looked_at);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
