/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of the model multigrid from step to step: rows of tets that have not turned are kept. Whatever is kept, it is what all of
 * it assembled anew from the saved state would be, bit for bit.
 *
 * labels: heavy */

#include "ladder_fixture.h"

static const uint32_t CELLS[4] = {5, 4, 3, 2};
enum { STEPS = 120 };

/* What a run of steps has met: without each of them it would say nothing. */
typedef struct met {
    uint32_t all, none, some; /* steps in which all, no and some rows were summed anew */
    uint32_t fronts;          /* changes of the front */
} met;

/* Both ends go one way and the middle the other: it bends, is damped, and neither flies nor turns. */
static void flick(lt_soft *soft, double speed) {
    for (uint32_t row = 0; row < soft->grid->row_count; row++) {
        uint32_t node = soft->grid->nodes[row];
        double z = 2 * (double)lt_node_get(soft->x, node).z / BLOCK_SIZE.z - 1;
        lt_node_set(soft->v, node, (lt_rvec3){(lt_real)(speed * (z * z - 1 / 3.0)), 0, 0});
    }
    lt_soft_follow(soft);
}

static bool is_same_row(const lt_soft *a, const lt_soft *b, uint32_t node, const lt_real *blocks_a,
                        const lt_real *blocks_b, uint32_t first) {
    const uint32_t *row_begin = a->carrier.pattern.row_begin;
    size_t at = (size_t)LT_BLOCK_STRIDE * (row_begin[node] - first);
    size_t count = (size_t)LT_BLOCK_STRIDE * (row_begin[node + 1] - row_begin[node]);
    return a->grid->kinds[node] == b->grid->kinds[node] &&
           memcmp(blocks_a + at, blocks_b + at, count * sizeof *blocks_a) == 0;
}

/* Rows that anybody multiplies: those of whole levels, and those that count by shares. */
static void check_blocks(const lt_soft *a, const lt_soft *b) {
    const lt_multigrid *g = a->grid, *h = b->grid;
    uint32_t wrong = 0, first = a->carrier.pattern.row_begin[a->carrier.ladder.node_begin[1]];
    for (uint32_t node = 0; node < a->carrier.node_count; node++) {
        uint32_t level = lt_level_of(a, node);
        if (g->kinds[node] == LT_NODE_IDLE) continue;
        wrong += !is_same_row(a, b, node, g->blocks, h->blocks, 0);
        if (level > 0 && g->counts[level] && !g->complete[level] && g->kinds[node] != LT_NODE_INTERIOR)
            wrong += !is_same_row(a, b, node, g->counted, h->counted, first);
    }
    CHECK(wrong == 0);
}

static void look(met *m, const lt_soft *soft, uint64_t *front) {
    const lt_multigrid *g = soft->grid;
    uint32_t stale = 0, count = g->active.begin[lt_level_count(soft)];
    for (uint32_t i = 0; i < count; i++)
        stale += g->stale[g->active.items[i]];
    m->all += stale == count;
    m->none += stale == 0;
    m->some += stale > 0 && stale < count;
    uint64_t now = lt_hash_bytes(0, soft->refined, soft->carrier.node_count);
    m->fronts += now != *front;
    *front = now;
}

/* A body that goes on, and one that is restored from it before every third step, with a matrix of three steps ago. */
static void compare_steps(met *m, lt_soft_def def, double speed) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_shape_retain(f.shape);
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    stage_add_shape(&s, f.shape, &def);
    stage_add_shape(&s, f.shape, &def);
    lt_soft *goes_on = &s.bodies[0], *restored = &s.bodies[1];
    uint8_t *bytes = malloc(room_for_state(goes_on));
    uint64_t front = 0;
    *m = (met){0};
    flick(goes_on, speed);
    CHECK_FATAL(
        lt_arena_reserve(&s.arena, NULL, lt_advance_scratch(s.bodies, s.awake, 2, STAGE_COUPLINGS, NULL)));
    for (int i = 0; i < STEPS; i++) {
        bool both = i % 3 == 2;
        s.body_count = both ? 2 : 1;
        save_state(goes_on, bytes);
        if (both) CHECK(restore_state(restored, bytes));
        CHECK_FATAL(stage_step(&s));
        if (both) check_blocks(goes_on, restored);
        if (both) CHECK(hash_of_state(goes_on) == hash_of_state(restored));
        look(m, goes_on, &front);
    }
    free(bytes);
    s.body_count = 2;
    stage_free(&s);
}

static void kept_rows_are_those_assembled_anew(void) {
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.material.stiffness_damping = 0.005f;
    def.refine_threshold = 0.005f;
    met adaptive, fine;
    compare_steps(&adaptive, def, 6);
    CHECK(adaptive.all > 0 && adaptive.some > 5 && adaptive.fronts > 2);
    def.refine_threshold = 0;
    compare_steps(&fine, def, 0.5);
    CHECK(fine.none > 5 && fine.some > 5);
}

static void levels_agree_on_what_turns(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.material.stiffness_damping = 0.005f;
    def.refine_threshold = 0.005f;
    uint64_t first = 0;
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        s.level = (lt_simd_level)level;
        lt_shape_retain(f.shape);
        stage_add_shape(&s, f.shape, &def);
        flick(&s.bodies[0], 6);
        for (int i = 0; i < STEPS; i++)
            CHECK_FATAL(stage_step(&s));
        uint64_t hash = hash_of_state(&s.bodies[0]);
        if (level == 0) first = hash;
        CHECK(hash == first);
        stage_free(&s);
    }
    ladder_free(&f);
}

static void refine_half(lt_soft *soft) {
    for (uint32_t node = soft->carrier.ladder.node_begin[1]; node < soft->carrier.node_count; node++)
        soft->refined[node] = soft->carrier.rest[3 * (size_t)node + 2] < BLOCK_SIZE.z / 2;
    lt_front_update(soft);
}

/* Another time step and another front are another matrix, though nothing has turned. */
static void other_steps_and_fronts_are_other_matrices(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_shape_retain(f.shape);
    stage_add_shape(&s, f.shape, &def);
    stage_add_shape(&s, f.shape, &def);
    uint8_t *bytes = malloc(room_for_state(&s.bodies[0]));
    CHECK_FATAL(stage_step(&s));
    for (int other = 0; other < 2; other++) {
        if (other == 0) s.dt = (lt_real)(1 / 120.0);
        if (other == 1) refine_half(&s.bodies[0]);
        save_state(&s.bodies[0], bytes);
        CHECK(restore_state(&s.bodies[1], bytes));
        CHECK_FATAL(stage_step(&s));
        check_blocks(&s.bodies[0], &s.bodies[1]);
    }
    CHECK(!lt_front_is_even(&s.bodies[0]));
    free(bytes);
    stage_free(&s);
}

int main(void) {
    RUN(kept_rows_are_those_assembled_anew);
    RUN(levels_agree_on_what_turns);
    RUN(other_steps_and_fronts_are_other_matrices);
    return check_finish();
}
