/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors of mass and stiffness at rest: which bodies share one, that its numbers are a function of its key alone, that it answers the
 * matrix it is of. When it is made and when it is let go: test_rest_factor_life.c.
 *
 * labels: golden */

#include "body/rest_factor_fixture.h"
#include "factor_alone.h"

/* ---- who shares ---- */

static void bodies_alike_have_one_factor(void) {
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    lt_soft *first = crowd_add(&c, 0, &def);
    def.position = (lt_dvec3){3, 2, 1};
    def.velocity = (lt_vec3){1, 0, 0};
    def.rotation = turn_about(1, 2, 3, 1);
    lt_soft *elsewhere = crowd_add(&c, 0, &def);
    def.material.young *= 1.1f; /* less than 2^¼ */
    lt_soft *little_stiffer = crowd_add(&c, 0, &def);
    def.material.young = 4 * 1048576.0f; /* all of it in E / (ρ s²) */
    def.scale = 2;
    lt_soft *larger = crowd_add(&c, 0, &def);
    def.scale = 1;
    def.material.density *= 4;
    lt_soft *heavier = crowd_add(&c, 0, &def);
    def = plain_def(LT_MODEL_EXPLICIT_FEM);
    lt_soft *other_model = crowd_add(&c, 0, &def);
    for (uint32_t i = 0; i < c.count; i++)
        add(&factors, &c.bodies[i]);
    CHECK(first->factor != LT_NONE);
    CHECK_COUNT(elsewhere->factor, first->factor);
    CHECK_COUNT(little_stiffer->factor, first->factor);
    CHECK_COUNT(larger->factor, first->factor);
    CHECK_COUNT(heavier->factor, first->factor);
    CHECK_COUNT(other_model->factor, LT_NONE);
    CHECK_COUNT(used_count(&factors), 1);
    lt_rest_factors_free(&factors);
    crowd_free(&c);
}

static void bodies_apart_have_factors_of_their_own(void) {
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def(), changed;
    crowd_add(&c, 0, &def);
    crowd_add(&c, 1, &def); /* shape */
    changed = def, changed.material.young *= 2, crowd_add(&c, 0, &changed);
    changed = def, changed.material.density *= 3, crowd_add(&c, 0, &changed);
    changed = def, changed.scale = 2, crowd_add(&c, 0, &changed);
    changed = def, changed.material.poisson = 0.45f, crowd_add(&c, 0, &changed);
    changed = def, changed.material.mass_damping = 1, crowd_add(&c, 0, &changed);
    changed = def, changed.material.stiffness_damping = 0.01f, crowd_add(&c, 0, &changed);
    for (uint32_t i = 0; i < c.count; i++) {
        add(&factors, &c.bodies[i]);
        for (uint32_t j = 0; j < i; j++)
            CHECK(c.bodies[i].factor != c.bodies[j].factor);
    }
    CHECK_COUNT(used_count(&factors), BODIES);
    CHECK_COUNT(plan_count(&factors), 2);
    /* Pins, and other pins of the same number */
    pin_first(&c.bodies[0], 3);
    pin_first(&c.bodies[2], 3);
    c.bodies[2].pinned[0] = 0, c.bodies[2].pinned[9] = 1;
    c.bodies[2].material.young = c.bodies[0].material.young;
    add(&factors, &c.bodies[0]);
    add(&factors, &c.bodies[2]);
    for (uint32_t i = 1; i < c.count; i++)
        CHECK(c.bodies[0].factor != c.bodies[i].factor);
    CHECK_COUNT(used_count(&factors), BODIES);
    lt_rest_factors_free(&factors);
    crowd_free(&c);
}

/* ---- a function of the key ---- */

static uint64_t hash_after(bool other_first, bool bent, double step_before, lt_simd_level level) {
    static const uint32_t awake[3] = {0, 1, 2};
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def(), other = def;
    other.material.young *= 0.9f;
    other.scale = 0.95;
    crowd_add(&c, 1, &def); /* another shape */
    crowd_add(&c, 0, other_first ? &other : &def);
    crowd_add(&c, 0, other_first ? &def : &other);
    for (uint32_t i = 0; i < 3; i++)
        add(&factors, &c.bodies[other_first ? 2 - i : i]);
    for (uint32_t i = 0; bent && i < c.bodies[1].carrier.node_count; i++)
        c.bodies[1].x[4 * (size_t)i] *= (lt_real)1.5;
    CHECK_COUNT(c.bodies[1].factor, c.bodies[2].factor);
    if (step_before > 0) lt_rest_factors_update(&factors, c.bodies, awake, 3, (lt_real)step_before, level);
    lt_rest_factors_update(&factors, c.bodies, awake, 3, (lt_real)STEP, level);
    uint64_t hash = hash_of(lt_rest_factor_of(&factors, &c.bodies[1]));
    lt_rest_factors_free(&factors);
    crowd_free(&c);
    return hash;
}

static void numbers_are_a_function_of_the_key(void) {
    uint64_t hash = hash_after(false, false, 0, LT_LEVEL_SCALAR);
    check_golden("values", hash);
    CHECK(hash != 0);
    CHECK(hash_after(true, false, 0, LT_LEVEL_SCALAR) == hash);
    CHECK(hash_after(true, true, 0, LT_LEVEL_SCALAR) == hash);
    CHECK(hash_after(false, true, 1 / 30.0, LT_LEVEL_SCALAR) == hash);
    CHECK(hash_after(true, false, 1.05 * STEP, LT_LEVEL_SCALAR) == hash);
    for (int level = 1; level <= (int)lt_simd_best(); level++)
        CHECK(hash_after(false, false, 0, (lt_simd_level)level) == hash);
}

/* ---- what it answers ---- */

/* A of the body at rest, as it lies, and its factor's answer. */
typedef struct answering {
    crowd crowd;
    lt_rest_factors factors;
    lt_soft *soft;
    lt_system system;
    lt_arena arena;
    lt_real turn[9], *scratch;
} answering;

static void answering_make(answering *a, const lt_soft_def *def, uint32_t pin_count) {
    a->crowd = crowd_make();
    a->factors = lt_rest_factors_make(NULL);
    a->soft = crowd_add(&a->crowd, 0, def);
    pin_first(a->soft, pin_count);
    add(&a->factors, a->soft);
    update(&a->factors, a->crowd.bodies, 1, STEP);
    lt_soft_soften(a->soft, (lt_real)STEP); /* as a step does */
    size_t reals = lt_rest_factor_scratch(&a->factors, a->soft->factor, 1);
    a->arena = (lt_arena){0};
    if (!lt_arena_reserve(&a->arena, NULL, (reals + 1000 * a->soft->carrier.tet_count) * sizeof(lt_real)))
        exit(1);
    a->scratch = LT_TAKE(&a->arena, reals, lt_real);
    if (!a->scratch || !lt_system_take(&a->system, a->soft, (lt_real)STEP, &a->arena)) exit(1);
    lt_system_fill(a->soft, &a->system, a->soft->x, NULL, NULL, lt_simd_best());
    const lt_dvec3 columns[3] = {def->rotation.c0, def->rotation.c1, def->rotation.c2};
    for (int i = 0; i < 9; i++)
        a->turn[i] = (lt_real)lt_d3_get(columns[i / 3], i % 3);
}

static void answering_free(answering *a) {
    lt_arena_free(&a->arena);
    lt_rest_factors_free(&a->factors);
    crowd_free(&a->crowd);
}

/* z = P⁻¹ r, as implicit_solve.c has it. */
static void answer(answering *a, lt_real *z, const lt_real *r) {
    const lt_rest_factor *factor = lt_rest_factor_of(&a->factors, a->soft);
    double scale = (double)a->soft->scale, unit = a->soft->material.density * scale * scale * scale;
    CHECK_FATAL(factor);
    solve_alone(lt_rest_factor_plan(&a->factors, factor), factor->values, z, r, a->turn,
                a->soft->pin_count ? a->soft->pinned : NULL, a->scratch, lt_simd_best());
    for (uint32_t i = 0; i < 4 * a->soft->carrier.node_count; i++)
        z[i] /= (lt_real)(unit * (double)a->system.mass_factor);
}

/* Smooth enough that float has digits for its answer: cubes of coordinates. Zero where pinned. */
static void smooth_vectors(const lt_soft *soft, lt_real *x) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        const double *p = soft->carrier.rest + 3 * (size_t)node;
        for (uint32_t k = 0; k < 4; k++)
            x[4 * (size_t)node + k] = k == 3 || soft->pinned[node]
                                          ? 0
                                          : (lt_real)(p[k] * p[(k + 1) % 3] - 0.3 * p[(k + 2) % 3] + 0.1);
    }
}

static double dot(const lt_real *a, const lt_real *b, uint32_t node_count) {
    double sum = 0;
    for (uint32_t i = 0; i < 4 * node_count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

/* xᵀA P⁻¹A x / xᵀA x − 1, with what A pulls on pins left out. */
static double ratio_of_answer(answering *a) {
    lt_real x[4 * MOST_NODES], ax[4 * MOST_NODES], z[4 * MOST_NODES];
    uint32_t node_count = a->soft->carrier.node_count;
    if (node_count > MOST_NODES) exit(1);
    smooth_vectors(a->soft, x);
    lt_soft_multiply(a->soft, &a->system, ax, x, lt_simd_best());
    answer(a, z, ax);
    return dot(ax, z, node_count) / dot(x, ax, node_count) - 1;
}

/* |P⁻¹A x − x|, over |x|. */
static double error_of_answer(answering *a) {
    lt_real x[4 * MOST_NODES], ax[4 * MOST_NODES], z[4 * MOST_NODES];
    uint32_t node_count = a->soft->carrier.node_count;
    if (node_count > MOST_NODES) exit(1);
    smooth_vectors(a->soft, x);
    lt_soft_multiply(a->soft, &a->system, ax, x, lt_simd_best());
    answer(a, z, ax);
    for (uint32_t i = 0; i < 4 * node_count; i++) {
        if (a->soft->pinned[i / 4]) CHECK(z[i] == 0);
        z[i] -= x[i];
    }
    return sqrt(dot(z, z, node_count) / dot(x, x, node_count));
}

/* Where E, ν and Δt are in the middle of their steps the factor is of A itself, up to roundings times β of a cell of 0.25. */
static void it_answers_the_matrix_at_rest(void) {
    double least = 1;
    for (int power = 10; power <= 30; power += 4)
        for (int scaled = 0; scaled < 2; scaled++) {
            answering a;
            lt_soft_def def = middle_def();
            def.material.young = (float)(1 << power);
            def.rotation = turn_about(1, -2, 0.5, 1.3);
            def.scale = scaled ? 0.125 : 1;
            answering_make(&a, &def, 0);
            double beta = (double)def.material.young * STEP * STEP / 1024 / (def.scale * def.scale);
            double roundings = 3 * beta * 16 * (double)LT_REAL_EPSILON, error = error_of_answer(&a);
            printf("beta %.3g: the answer is off by %.2g\n", beta, error);
            CHECK_NEAR(error, 0, by_build(2e-6, 1e-6) + roundings);
            least = lt_min_d(least, error);
            answering_free(&a);
        }
    CHECK(least < by_build(1e-5, 1e-6));
}

/* Off the middle by half a step of E, and of Δt: within √2, whatever x. */
static void it_is_within_a_step_of_the_matrix(void) {
    for (int i = -4; i <= 4; i++) {
        answering a;
        lt_soft_def def = middle_def();
        def.material.young *= (float)(1 + 0.04 * i);
        def.material.mass_damping = 0.5f;
        def.material.stiffness_damping = 0.02f;
        answering_make(&a, &def, 0);
        double ratio = 1 + ratio_of_answer(&a);
        CHECK(ratio > 0.7 && ratio < 1.42);
        answering_free(&a);
    }
}

static void pinned_nodes_are_as_walls(void) {
    for (int power = 10; power <= 26; power += 8) {
        answering a;
        lt_soft_def def = middle_def();
        def.material.young = (float)(1 << power);
        def.rotation = turn_about(0, 1, 0.5, 2);
        answering_make(&a, &def, 9);
        CHECK_NEAR(error_of_answer(&a), 0, by_build(1e-2, 1e-7));
        answering_free(&a);
    }
}

/* Sizes of 1 mm to 100 m, and what there is between dust and diamond. */
static void every_stiffness_has_a_factor(void) {
    for (int size = -3; size <= 2; size++)
        for (int young = 0; young <= 12; young += 3)
            for (int density = -3; density <= 5; density += 4) {
                answering a;
                lt_soft_def def = middle_def();
                def.material.young = (float)pow(10, young);
                def.material.density = (float)pow(10, density);
                def.scale = pow(10, size);
                answering_make(&a, &def, 0);
                double ratio = 1 + ratio_of_answer(&a);
                CHECK(ratio > 0 && ratio < 1.6);
                answering_free(&a);
            }
}

/* Each column against a solve with the factor, at every slot. */
static void its_columns_are_what_it_answers(void) {
    enum { MOST_ROWS = 4 * MOST_NODES };
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    lt_soft *soft = crowd_add(&c, 0, &def);
    add(&factors, soft);
    update(&factors, c.bodies, 1, STEP);
    const lt_rest_factor *factor = lt_rest_factor_of(&factors, soft);
    const lt_rest_columns *columns;
    const lt_real *g = lt_rest_factor_columns(&factors, factor, &columns);
    lt_real r[MOST_ROWS], z[MOST_ROWS],
        *scratch = calloc(lt_rest_factor_scratch(&factors, soft->factor, 1), sizeof *scratch);
    CHECK(scratch && columns->count == soft->carrier.node_count && columns->count <= MOST_NODES);
    double worst = 0, largest = 0;
    for (uint32_t j = 0; j < columns->count; j++)
        for (uint32_t k = 0; k < 3; k++) {
            memset(r, 0, sizeof r);
            r[4 * columns->nodes[j] + k] = 1;
            solve_alone(lt_rest_factor_plan(&factors, factor), factor->values, z, r, NULL, NULL, scratch,
                        lt_simd_best());
            for (uint32_t i = 0; i < columns->count; i++)
                for (uint32_t l = 0; l < 3; l++) {
                    bool transposed;
                    const lt_real *block = lt_rest_columns_block(g, i, j, &transposed);
                    double found = (double)block[transposed ? 3 * k + l : 3 * l + k];
                    double solved = (double)z[4 * columns->nodes[i] + l];
                    worst = lt_max_d(worst, fabs(found - solved));
                    largest = lt_max_d(largest, fabs(solved));
                }
        }
    printf("columns are off by %.2g of the largest\n", worst / largest);
    CHECK(largest > 0);
    CHECK_NEAR(worst / largest, 0, 1e-5);
    free(scratch);
    lt_rest_factors_remove(&factors, soft);
    lt_rest_factors_free(&factors);
    crowd_free(&c);
}

/* ---- the baked order ---- */

/* Values of the shape's factor; 0: refused. */
static uint64_t hash_with_order(const lt_shape *shape, const uint32_t *order, size_t *values) {
    crowd c = {.shapes = {with_order(shape, order, NULL), bar_shape(1)}};
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    lt_soft *soft = crowd_add(&c, 0, &def);
    lt_error error = {0};
    uint64_t hash = 0;
    CHECK((soft->carrier.order != NULL) == (order != NULL));
    if (lt_rest_factors_add(&factors, soft, &error) == LT_OK) {
        update(&factors, c.bodies, 1, STEP);
        hash = hash_of(lt_rest_factor_of(&factors, soft));
        *values = lt_rest_factor_of(&factors, soft)->value_count;
    } else {
        CHECK(error.status == LT_STATUS_INVALID && soft->factor == LT_NONE && plan_count(&factors) == 0);
    }
    lt_rest_factors_free(&factors);
    crowd_free(&c);
    return hash;
}

static void the_order_is_baked_and_taken_from_there(void) {
    lt_shape *shape = bar_shape(4);
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    const uint32_t *baked = lt_shape_u32(shape, LT_CHUNK_ORDER, &dims, NULL);
    uint32_t order[MOST_NODES], count = (uint32_t)dims.size[0];
    size_t values = 0, other_values = 0;
    CHECK_FATAL(baked && count <= MOST_NODES);
    uint64_t hash = hash_with_order(shape, baked, &values);
    CHECK(hash != 0 &&
          hash_with_order(shape, NULL, &other_values) == hash); /* files of before there was one */
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    CHECK(hash_with_order(shape, order, &other_values) != 0 &&
          other_values > values); /* it is what is taken */
    lt_random random = lt_random_seed(7);
    for (int i = 0; i < 200; i++) { /* one node twice, or two others in each other's place */
        memcpy(order, baked, count * sizeof *order);
        uint32_t a = lt_random_below(&random, count), b = lt_random_below(&random, count);
        bool twice = i % 2 == 0 && a != b;
        order[a] = baked[b];
        if (!twice) order[b] = baked[a];
        CHECK((hash_with_order(shape, order, &other_values) == 0) == twice);
    }
    lt_shape_release(shape);
}

int main(void) {
    RUN(bodies_alike_have_one_factor);
    RUN(bodies_apart_have_factors_of_their_own);
    RUN(the_order_is_baked_and_taken_from_there);
    RUN(numbers_are_a_function_of_the_key);
    RUN(it_answers_the_matrix_at_rest);
    RUN(it_is_within_a_step_of_the_matrix);
    RUN(its_columns_are_what_it_answers);
    RUN(pinned_nodes_are_as_walls);
    RUN(every_stiffness_has_a_factor);
    return check_finish();
}
