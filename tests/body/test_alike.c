/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of one factor in one island: they are preconditioned at once, each as if it were alone; that takes less work, which is counted;
 * the step may be cut behind any piece and at any number of units as before; and threads share what bodies of one large island do not
 * have in common, at the same bits.
 *
 * labels: golden threaded */

#define STAGE_BODY_LIMIT     12
#define STAGE_COUPLING_LIMIT 600
#include "body/implicit_fixture.h"
#include "body/implicit_units.h"

/* ---- answers ---- */

/* Eleven cubes of one shape, two of them pinned, one stiffer, one in any case rigid; two of another shape between them. */
enum { BODIES = 12, ALIKE = 8 };

typedef struct crowd {
    stage s;
    lt_member members[BODIES];
    uint32_t order[BODIES];
    lt_island island;
    lt_advance advance;
    lt_implicit solve;
    lt_real *r, *alone, *together, *scratch;
    uint32_t row_count;
} crowd;

static void add_bodies(stage *s) {
    for (uint32_t i = 0; i < BODIES; i++) {
        lt_soft_def def = soft_def(i == 7 ? 1e6 : 1e5);
        def.rotation = turn_about(1, 0.3 * i, -0.2, 0.4 * i);
        if (i == 0 || i == 5)
            stage_add_cube(s, 0.3, i ? 1 : 2, &def);
        else
            stage_add_alike(s, 0, &def);
        if (i == 3 || i == 9) pin_face(&s->bodies[i], 0);
    }
    CHECK(stage_step(s));
}

/* Order is that of an island: alike bodies in a row, in the order of the first of them. */
static void fill_order(crowd *c) {
    bool placed[BODIES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODIES; i++)
        for (uint32_t j = i; j < BODIES; j++)
            if (!placed[i] || j > i) {
                if (placed[j] || c->members[j].factor != c->members[i].factor) continue;
                placed[j] = true;
                c->order[count++] = j;
            }
    CHECK_COUNT(count, BODIES);
}

static void fill_members(crowd *c) {
    for (uint32_t i = 0; i < BODIES; i++) {
        lt_soft *soft = &c->s.bodies[i];
        lt_member *m = &c->members[i];
        *m = (lt_member){.soft = soft,
                         .row = c->row_count,
                         .row_count = soft->carrier.node_count,
                         .factor = lt_rest_factor_of(&c->s.factors, soft),
                         .rigid_alone = i == 4,
                         .staged = true,
                         .system = {.mass_factor = 1}};
        lt_dmat3 turn = turn_about(1, 0.3 * i, -0.2, 0.4 * i);
        const lt_dvec3 columns[3] = {turn.c0, turn.c1, turn.c2};
        for (int k = 0; k < 9; k++)
            m->turn[k] = (lt_real)lt_d3_get(columns[k / 3], k % 3);
        c->row_count += m->row_count;
        CHECK_FATAL(m->factor);
    }
}

static size_t solve_reals(const crowd *c, uint32_t body) {
    return lt_rest_factor_scratch(&c->s.factors, c->s.bodies[body].factor, 1);
}

/* Each its own, one behind the other as they are in the order, and no more. */
static void share_scratch(crowd *c) {
    size_t reals = 0;
    for (uint32_t i = 0; i < BODIES; i++)
        reals += solve_reals(c, i);
    c->scratch = malloc(reals * sizeof(lt_real));
    reals = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        c->members[c->order[i]].factor_scratch = c->scratch + reals;
        reals += solve_reals(c, c->order[i]);
    }
}

static lt_real *some_reals(size_t count, uint64_t seed) {
    lt_real *reals = calloc(count, sizeof *reals);
    lt_random random = lt_random_seed(seed);
    for (size_t i = 0; i < count && seed; i++)
        reals[i] = i % 4 == 3 ? 0 : (lt_real)lt_random_range(&random, -1, 1);
    return reals;
}

static void make_crowd(crowd *c, lt_simd_level level) {
    *c = (crowd){.s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0)};
    add_bodies(&c->s);
    fill_members(c);
    fill_order(c);
    share_scratch(c);
    c->advance = (lt_advance){.factors = &c->s.factors, .level = level};
    c->island = (lt_island){.members = c->members,
                            .member_count = BODIES,
                            .order = c->order,
                            .row_count = c->row_count,
                            .inverse_diagonal = some_reals(LT_BLOCK_STRIDE * (size_t)c->row_count, 0)};
    c->solve =
        (lt_implicit){.advance = &c->advance, .island = &c->island, .kernels = lt_sparse_kernels_for(level)};
    c->r = some_reals(4 * (size_t)c->row_count, 5);
    c->alone = some_reals(4 * (size_t)c->row_count, 6);
    c->together = some_reals(4 * (size_t)c->row_count, 7);
}

static void free_crowd(crowd *c) {
    free(c->scratch);
    free(c->island.inverse_diagonal);
    free(c->r);
    free(c->alone);
    free(c->together);
    stage_free(&c->s);
}

static void answers_are_those_of_one_alone(void) {
    for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++) {
        crowd c;
        make_crowd(&c, (lt_simd_level)level);
        uint32_t pieces = 0, largest = 0;
        for (uint32_t i = 0; i < BODIES; i++)
            lt_precondition(&c.solve, i, i + 1, c.alone, c.r);
        for (uint32_t begin = 0, end; begin < BODIES; begin = end, pieces++) {
            end = lt_precondition_end(&c.island, begin);
            lt_precondition(&c.solve, begin, end, c.together, c.r);
            largest = lt_max_u32(largest, end - begin);
        }
        CHECK(memcmp(c.alone, c.together, 4 * (size_t)c.row_count * sizeof(lt_real)) == 0);
        CHECK_COUNT(largest, 8); /* 0, 1, 2, 4, 6, 8, 10, 11 */
        CHECK_COUNT(pieces, 4);  /* and 3 with 9, 5, 7 */
        for (uint32_t row = 0; row < c.members[4].row_count; row++)
            CHECK(lt_r3_length_squared(lt_node_get(c.together, c.members[4].row + row)) == 0);
        free_crowd(&c);
    }
}

static uint64_t hash_of_answers(lt_simd_level level) {
    crowd c;
    make_crowd(&c, level);
    for (uint32_t begin = 0, end; begin < BODIES; begin = end) {
        end = lt_precondition_end(&c.island, begin);
        lt_precondition(&c.solve, begin, end, c.together, c.r);
    }
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, c.together, 4 * (size_t)c.row_count * sizeof(lt_real));
    free_crowd(&c);
    return hash;
}

static void levels_give_the_same_bits(void) {
    uint64_t hash = hash_of_answers(LT_LEVEL_SCALAR);
    for (int level = LT_LEVEL_SCALAR + 1; level <= (int)lt_simd_best(); level++)
        CHECK(hash_of_answers((lt_simd_level)level) == hash);
}

/* ---- units ---- */

/* Cubes that fall beside each other, one island by contacts that are open: they are preconditioned once an iteration, and once without any. Damping that is
 * nothing, but not the same, makes them factors of their own. */
static uint64_t units_of_eight(bool alike, uint64_t *saved) {
    stage s = stage_make((lt_rvec3){0, 0, (lt_real)-GRAVITY}, 1 / 60.0);
    for (uint32_t i = 0; i < ALIKE; i++) {
        lt_soft_def def = soft_def(1e5);
        def.position = (lt_dvec3){2.0 * i, 0, 0};
        if (!alike) def.material.mass_damping = 1e-20f * (float)(1 + i);
        if (i == 0)
            stage_add_cube(&s, 0.3, 3, &def);
        else
            stage_add_alike(&s, 0, &def);
        if (i > 0) touch(&s, i, i - 1, 0);
    }
    run_step(&s);
    const lt_factor_plan *plan = lt_rest_factor_plan(&s.factors, lt_rest_factor_of(&s.factors, &s.bodies[0]));
    *saved = ALIKE * (lt_factor_solve_units(plan, 1) * 3 / 2) - lt_factor_solve_units(plan, ALIKE) * 3 / 2;
    *saved *= lt_max_u32(1, s.bodies[0].iterations);
    uint64_t units = s.units_used;
    stage_free(&s);
    return units;
}

static void alike_bodies_take_less(void) {
    uint64_t saved, alike = units_of_eight(true, &saved), each = units_of_eight(false, &saved);
    CHECK(saved > 0);
    CHECK_COUNT(each - alike, saved);
}

/* ---- cuts ---- */

/* Nine cubes in a row on the floor, a little into each other, and one that is pinned. */
static void make_row(stage *s) {
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    for (uint32_t i = 0; i < 10; i++) {
        lt_soft_def def = soft_def(1e5);
        def.tolerance = 2e-3f;
        def.position = (lt_dvec3){0.195 * i, 0, 0};
        if (i == 0)
            stage_add_cube(s, 0.2, 2, &def);
        else
            stage_add_alike(s, 0, &def);
        touch_floor(s, i);
        if (i > 0) touch(s, i, i - 1, 0);
    }
    pin_face(&s->bodies[9], 1);
}

static uint64_t run_row(uint64_t units, uint64_t pieces, stage *out) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    make_row(&s);
    s.units_allowed = units;
    s.pieces_allowed = pieces;
    run_step(&s);
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = 0; i < s.body_count; i++) {
        uint64_t own = hash_of_state(&s.bodies[i]);
        hash = lt_hash_bytes(hash, &own, sizeof own);
        CHECK(soft_is_finite(&s.bodies[i]) && !s.bodies[i].blown_up);
    }
    out->units_used = s.units_used;
    out->units_fixed = s.units_fixed;
    out->was_cut = s.was_cut;
    stage_free(&s);
    return hash;
}

static void cuts_are_kept(void) {
    stage whole, cut = {.was_cut = true};
    uint64_t full = run_row(0, 0, &whole), hash = 0;
    for (uint64_t pieces = 1; cut.was_cut; pieces += 1 + pieces / 9) {
        hash = run_row(0, pieces, &cut);
        CHECK(cut.units_used <= whole.units_used + cut.units_fixed);
        CHECK_FATAL(pieces < 100000);
    }
    CHECK(hash == full);
    cut.was_cut = true;
    for (uint64_t units = 1; cut.was_cut; units += 1 + whole.units_used / 25) {
        hash = run_row(units, 0, &cut);
        CHECK(cut.units_used <= lt_max_u64(units, cut.units_fixed));
        CHECK_FATAL(units < 4 * whole.units_used + cut.units_fixed);
    }
    CHECK(hash == full);
}

/* ---- threads ---- */

/* Twelve cubes of 320 tets in a row, every third of another material, and one of another shape: more nodes than threads leave to one. */
static void make_large_row(stage *s) {
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    for (uint32_t i = 0; i < BODIES; i++) {
        lt_soft_def def = soft_def(i % 3 == 2 ? 4e5 : 1e5);
        def.tolerance = 2e-3f;
        def.position = (lt_dvec3){0.195 * i, 0, 0.001 * i};
        if (i == 0 || i == 8)
            stage_add_cube(s, 0.2, 4, &def);
        else
            stage_add_alike(s, 0, &def);
        touch_floor(s, i);
        if (i > 0) touch(s, i, i - 1, 0);
    }
}

typedef struct threaded_run {
    uint64_t hash, units;
} threaded_run;

static threaded_run run_large_row(uint32_t threads, lt_simd_level level, uint64_t units) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    threaded_run out = {LT_HASH_SEED, 0};
    make_large_row(&s);
    s.level = level;
    s.tasks = lt_tasks_create(threads, NULL, NULL);
    s.units_allowed = units;
    for (int step = 0; step < 3; step++) {
        run_step(&s);
        out.units += s.units_used;
    }
    for (uint32_t i = 0; i < s.body_count; i++) {
        uint64_t own = hash_of_state(&s.bodies[i]);
        out.hash = lt_hash_bytes(out.hash, &own, sizeof own);
    }
    lt_tasks_destroy(s.tasks);
    stage_free(&s);
    return out;
}

static void threads_share_a_large_island(void) {
    threaded_run whole = run_large_row(1, LT_LEVEL_SCALAR, 0);
    for (uint64_t part = 0; part <= 6; part++) { /* of the work of a step; 0: no budget */
        uint64_t units = part * whole.units / 18;
        threaded_run alone = run_large_row(1, lt_simd_best(), units);
        if (part == 0) CHECK(alone.hash == whole.hash && alone.units == whole.units);
        for (uint32_t threads = 2; threads <= 4; threads++) {
            threaded_run shared = run_large_row(threads, lt_simd_best(), units);
            CHECK(shared.hash == alone.hash);
            CHECK_COUNT(shared.units, alone.units);
        }
    }
}

int main(void) {
    RUN(answers_are_those_of_one_alone);
    RUN(levels_give_the_same_bits);
    RUN(alike_bodies_take_less);
    RUN(cuts_are_kept);
    RUN(threads_share_a_large_island);
    return check_finish();
}
