/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Several right-hand sides at once: every answer is that of a solve alone, bit by bit, at every count, every level and whatever is
 * beside it; and answers from a place on.
 *
 * labels: golden */

#include "core/factor_fixture.h"

enum { SIDES = LT_FACTOR_SIDES };

/* A quarter turn about (0.6, 0, 0.8), and half a turn about z, by columns. */
static const lt_real TURNS[2][9] = {{(lt_real)0.36, (lt_real)0.8, (lt_real)0.48, (lt_real)-0.8, 0,
                                     (lt_real)0.6, (lt_real)0.48, (lt_real)-0.6, (lt_real)0.64},
                                    {-1, 0, 0, 0, -1, 0, 0, 0, 1}};

typedef struct trial {
    factor f;
    uint32_t node_count;
    uint8_t *pinned; /* every seventh, the first as well */
    lt_real *r[SIDES], *alone[SIDES], *z[SIDES];
} trial;

/* Turns and pins of some of the sides, as bodies have them. */
static lt_factor_side side_of(const trial *t, uint32_t side, lt_real *z) {
    return (lt_factor_side){z, t->r[side], side % 3 == 2 ? NULL : TURNS[side % 3],
                            side % 4 == 1 ? t->pinned : NULL};
}

/* Answers alone are those of scalar code. */
static trial make_trial(factor f) {
    trial t = {.f = f, .node_count = f.plan.node_count};
    t.pinned = calloc(t.node_count + 1, 1);
    for (uint32_t node = 0; node < t.node_count; node += 7)
        t.pinned[node] = 1;
    lt_real *scratch = new_reals(lt_factor_solve_count(&t.f.plan, 1));
    for (uint32_t s = 0; s < SIDES; s++) {
        t.r[s] = new_reals(4 * t.node_count);
        t.alone[s] = new_reals(4 * t.node_count);
        t.z[s] = new_reals(4 * t.node_count);
        fill_vector(t.r[s], t.node_count, 20 + s);
        lt_factor_side side = side_of(&t, s, t.alone[s]);
        solve_alone(&t.f.plan, t.f.values, side.z, side.r, side.turn, side.pinned, scratch, LT_LEVEL_SCALAR);
    }
    free(scratch);
    return t;
}

static void free_trial(trial *t) {
    for (uint32_t s = 0; s < SIDES; s++) {
        free(t->r[s]);
        free(t->alone[s]);
        free(t->z[s]);
    }
    free(t->pinned);
    free_factor(&t->f);
}

static bool is_as_alone(const trial *t, uint32_t side, const lt_real *z) {
    return memcmp(z, t->alone[side], 4 * t->node_count * sizeof *z) == 0;
}

/* Sides `first`, `first` + 1, ... around, so that each has every place; no real of scratch more than is asked for. */
static void solve_some(const trial *t, uint32_t first, uint32_t count, lt_simd_level level) {
    lt_factor_side sides[SIDES];
    size_t reals = lt_factor_solve_count(&t->f.plan, count);
    lt_real *scratch = malloc(reals * sizeof *scratch);
    memset(scratch, 0x7f, reals * sizeof *scratch);
    for (uint32_t k = 0; k < count; k++)
        sides[k] = side_of(t, (first + k) % SIDES, t->z[(first + k) % SIDES]);
    lt_factor_solve_sides(&t->f.plan, t->f.values, sides, count, scratch, level);
    free(scratch);
}

static void check_counts(const trial *t, lt_simd_level level) {
    for (uint32_t count = 1; count <= SIDES; count++)
        for (uint32_t first = 0; first < SIDES; first++) {
            for (uint32_t s = 0; s < SIDES; s++)
                memset(t->z[s], 0x55, 4 * t->node_count * sizeof(lt_real));
            solve_some(t, first, count, level);
            for (uint32_t k = 0; k < count; k++)
                CHECK(is_as_alone(t, (first + k) % SIDES, t->z[(first + k) % SIDES]));
        }
}

static void every_count_answers_as_alone(void) {
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        fill_random(m, 7);
        factor f = plan_factor(m, NULL);
        CHECK(run_factor(&f, m, 0, lt_simd_best()));
        trial t = make_trial(f);
        for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++)
            check_counts(&t, (lt_simd_level)level);
        free_trial(&t);
    }
}

/* Panels of more than 32 rows and of many columns. */
static trial make_large_trial(void) {
    large_pattern p = make_large_pattern();
    factor f = plan_pattern(&p.pattern, NULL);
    lt_real *blocks = make_springs(&p.pattern);
    lt_factor_begin(&f.work, &f.plan, blocks, f.values, f.work_scratch);
    while (lt_factor_step(&f.work, NULL, lt_simd_best()))
        ;
    CHECK(lt_factor_is_done(&f.work) && f.plan.tallest > 64 && f.plan.widest > 8);
    free(blocks);
    free_large_pattern(&p);
    return make_trial(f);
}

static void large_panels_as_well(void) {
    trial t = make_large_trial();
    for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++)
        for (uint32_t count = 1; count <= SIDES; count++) {
            solve_some(&t, count, count, (lt_simd_level)level);
            for (uint32_t k = 0; k < count; k++)
                CHECK(is_as_alone(&t, (count + k) % SIDES, t.z[(count + k) % SIDES]));
        }
    free_trial(&t);
}

/* Infinities and what is no number stay where they are. */
static void neighbours_change_nothing(void) {
    matrix *m = make_matrix(TET_BLOCK);
    fill_random(m, 3);
    factor f = plan_factor(m, NULL);
    CHECK(run_factor(&f, m, 0, lt_simd_best()));
    trial t = make_trial(f);
    for (uint32_t i = 0; i < 4 * t.node_count; i++) {
        t.r[3][i] = (lt_real)NAN;
        t.r[6][i] = i % 2 ? (lt_real)INFINITY : (lt_real)-1e30;
    }
    for (uint32_t count = 4; count <= SIDES; count++) {
        solve_some(&t, 0, count, lt_simd_best());
        for (uint32_t k = 0; k < count; k++)
            if (k != 3 && k != 6) CHECK(is_as_alone(&t, k, t.z[k]));
    }
    free_trial(&t);
}

static void answers_may_take_the_place_of_what_is_asked(void) {
    matrix *m = make_matrix(GRID);
    fill_random(m, 3);
    factor f = plan_factor(m, NULL);
    CHECK(run_factor(&f, m, 0, lt_simd_best()));
    trial t = make_trial(f);
    for (uint32_t count = 1; count <= SIDES; count++) {
        lt_factor_side sides[SIDES];
        for (uint32_t s = 0; s < count; s++) {
            fill_vector(t.r[s], t.node_count, 20 + s);
            sides[s] = side_of(&t, s, t.r[s]);
        }
        lt_factor_solve_sides(&t.f.plan, t.f.values, sides, count, t.f.scratch, lt_simd_best());
        for (uint32_t s = 0; s < count; s++)
            CHECK(is_as_alone(&t, s, t.r[s]));
    }
    free_trial(&t);
}

/* Scratch and units of several are no more than of as many alone: islands count on it, whoever is in them. */
static void several_cost_no_more_than_alone(void) {
    for (int kind = ONE_NODE; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        factor f = plan_factor(m, NULL);
        for (uint32_t count = 2; count <= SIDES; count++) {
            CHECK(lt_factor_solve_count(&f.plan, count) <= count * lt_factor_solve_count(&f.plan, 1));
            CHECK(lt_factor_solve_units(&f.plan, count) <= count * lt_factor_solve_units(&f.plan, 1));
            CHECK(lt_factor_solve_units(&f.plan, count) >= lt_factor_solve_units(&f.plan, count - 1));
        }
        free_factor(&f);
    }
}

/* Eight unit vectors of some place and those behind it: what is before it is not there at all. */
static void from_a_place_on(void) {
    trial t = make_large_trial();
    const lt_factor_plan *plan = &t.f.plan;
    size_t count = 24 * (size_t)plan->node_count;
    lt_real *whole = new_reals(count), *part = new_reals(count);
    for (uint32_t from = 0; from < plan->node_count; from += 1 + plan->node_count / 23)
        for (int level = LT_LEVEL_SCALAR; level <= (int)lt_simd_best(); level++) {
            memset(whole, 0, count * sizeof *whole);
            for (uint32_t k = 0; k < 8 && 3 * from + k < 3 * plan->node_count; k++)
                whole[8 * (3 * (size_t)from + k) + k] = 1;
            memcpy(part, whole, count * sizeof *part);
            lt_factor_solve8(plan, t.f.values, whole, 0, t.f.scratch8, LT_LEVEL_SCALAR);
            lt_factor_solve8(plan, t.f.values, part, from, t.f.scratch8, (lt_simd_level)level);
            CHECK(memcmp(part + 24 * (size_t)from, whole + 24 * (size_t)from,
                         (count - 24 * (size_t)from) * sizeof *part) == 0);
        }
    free(whole);
    free(part);
    free_trial(&t);
}

/* Of unit vectors: no more than eight whole ones, the least at the end; two on one path to the root are one. */
static void units_are_those_of_what_is_passed(void) {
    trial t = make_large_trial();
    const lt_factor_plan *plan = &t.f.plan;
    uint32_t last = plan->node_count - 1;
    uint64_t least = lt_factor_solve8_units(plan, &last, 1);
    for (uint32_t index = 0; index < plan->supernode_count; index++) {
        const lt_factor_supernode *s = &plan->supernodes[index];
        uint32_t places[3] = {s->column_begin, s->column_begin, last};
        uint64_t units = lt_factor_solve8_units(plan, places, 1);
        CHECK(units >= least && 10 * units <= 44 * plan->solve_units);
        if (s->row_count > 0) places[1] = plan->rows[s->row_begin]; /* an ancestor */
        CHECK_COUNT(lt_factor_solve8_units(plan, places, 2), units);
        CHECK(lt_factor_solve8_units(plan, places, 3) >= units);
    }
    free_trial(&t);
}

int main(void) {
    RUN(every_count_answers_as_alone);
    RUN(large_panels_as_well);
    RUN(neighbours_change_nothing);
    RUN(answers_may_take_the_place_of_what_is_asked);
    RUN(several_cost_no_more_than_alone);
    RUN(from_a_place_on);
    RUN(units_are_those_of_what_is_passed);
    return check_finish();
}
