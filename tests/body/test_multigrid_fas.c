/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Algorithm 1 of papers/003 as printed, the solver of multigrid bodies in mode paper: on full fronts the direct solution and
 * that of the default; on partial ones, where it diverges, numbers that stay sane and a residual that is true.
 *
 * labels: heavy */

#include "bench/whole/whole.h"
#include "ladder_fixture.h"
#include "lithe/lithe.h"

static const uint32_t UNFITTING[4] = {5, 4, 3, 2}, SMALL[3] = {3, 2, 1};
static const lt_rvec3 GRAVITY = {0, (lt_real)-9.81, 0}, NO_GRAVITY = {0, 0, 0};
static const double DT = 1 / 60.0;

/* ---- bodies ---- */

/* Threshold LT_NO_LIMIT: the front stays as it is put. */
static lt_soft make_body(const ladder_fixture *f, lt_soft_def def, bool as_printed) {
    lt_soft soft;
    def.refine_threshold = LT_NO_LIMIT;
    def.as_printed = as_printed;
    if (lt_soft_create(&soft, &f->carrier, &def, NULL, NULL) != LT_OK) exit(1);
    lt_front_set_level(&soft, 0);
    lt_soft_follow(&soft);
    return soft;
}

static void refine_ball(lt_soft *soft, lt_random *random) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    lt_dvec3 place = {lt_random_range(random, 0, (float)BLOCK_SIZE.x),
                      lt_random_range(random, 0, (float)BLOCK_SIZE.y),
                      lt_random_range(random, 0, (float)BLOCK_SIZE.z)};
    double radius = lt_random_range(random, 0.1f, 0.3f);
    memset(soft->refined, 0, soft->carrier.node_count);
    for (uint32_t node = ladder->node_begin[1]; node < soft->carrier.node_count; node++) {
        const double *p = soft->carrier.rest + 3 * (size_t)node;
        if (lt_d3_distance((lt_dvec3){p[0], p[1], p[2]}, place) < radius) soft->refined[node] = 1;
    }
    lt_front_update(soft);
    lt_soft_follow(soft);
}

/* Bent, and swinging. */
static void bend(lt_soft *soft, double amount) {
    for (uint32_t row = 0; row < soft->grid->row_count; row++) {
        uint32_t node = soft->grid->nodes[row];
        lt_rvec3 x = lt_node_get(soft->x, node);
        double z = (double)(x.z / soft->size);
        lt_real far = (lt_real)amount * soft->size;
        lt_rvec3 way = {far * (lt_real)(z * z), far * (lt_real)(0.3 * sin(6 * z)), 0};
        lt_node_set(soft->x, node, lt_r3_add(x, way));
        lt_node_add(soft->v, node, way, -3);
    }
    lt_soft_follow(soft);
}

/* Held by the nodes of its lower end: then no momentum is balanced after the solve. */
static void pin_end(lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.ladder.node_begin[1]; node++) {
        if (soft->carrier.rest[3 * (size_t)node + 2] > 1e-6) continue;
        soft->pinned[node] = 1;
        soft->pin_count++;
    }
    lt_soft_pins_changed(soft);
    memcpy(soft->pin_target, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
}

static void step(lt_soft *soft, lt_rvec3 gravity, lt_coupling *couplings, uint32_t coupling_count) {
    const uint32_t index = 0;
    lt_arena arena = {0};
    CHECK_FATAL(lt_arena_reserve(&arena, NULL, lt_advance_scratch(soft, &index, 1, 8, NULL)));
    lt_soft_plan(soft, (lt_real)DT);
    lt_advance advance = {.bodies = soft,
                          .awake = &index,
                          .awake_count = 1,
                          .couplings = couplings,
                          .coupling_count = coupling_count,
                          .gravity = gravity,
                          .dt = (lt_real)DT,
                          .level = lt_simd_best(),
                          .arena = &arena};
    CHECK(lt_advance_run(&advance));
    lt_arena_free(&arena);
}

static bool is_sane(const lt_soft *soft) {
    bool sane = !soft->blown_up;
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++)
        sane = sane && isfinite((double)soft->x[i]) && isfinite((double)soft->v[i]);
    return sane;
}

static double energy_of(const lt_soft *soft) {
    return lt_soft_elastic_energy(soft) + lt_soft_kinetic_energy(soft);
}

/* ---- the equations, once more ---- */

/* A v' = b of whole levels at the beginning of a step: blocks and loads, [node_count][4]. */
typedef struct equations {
    lt_arena arena;
    lt_system system;
    lt_real *loads, *product;
} equations;

static void write_equations(equations *e, lt_soft *soft, lt_rvec3 gravity) {
    *e = (equations){0};
    uint32_t nodes = soft->carrier.node_count;
    CHECK_FATAL(lt_arena_reserve(&e->arena, NULL, (size_t)64 << 20));
    CHECK_FATAL(lt_soft_build_system(soft, &e->system, (lt_real)DT, lt_simd_best(), &e->arena));
    e->loads = LT_TAKE(&e->arena, 4 * (size_t)nodes, lt_real);
    e->product = LT_TAKE(&e->arena, 4 * (size_t)nodes, lt_real);
    memset(e->loads, 0, 4 * (size_t)nodes * sizeof(lt_real));
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .force = e->loads};
    work.groups = soft->grid->groups;
    work.group_count = soft->grid->used_group_count;
    lt_element_kernels_for(lt_simd_best())->corotate(&work);
    for (uint32_t node = 0; node < nodes; node++) {
        lt_real mass =
            node < soft->carrier.ladder.node_begin[1] ? soft->mass[node] : soft->grid->level_mass[node];
        lt_rvec3 force = lt_r3_mad(lt_node_get(e->loads, node), gravity, mass);
        lt_node_set(e->loads, node,
                    lt_r3_mad(lt_r3_scale(force, (lt_real)DT), lt_node_get(soft->v, node), mass));
    }
}

/* |b − A v| over the free nodes of the front. */
static double left_over(const equations *e, const lt_soft *soft, const lt_real *v) {
    const lt_multigrid *g = soft->grid;
    double sum = 0;
    lt_sparse_kernels_for(lt_simd_best())
        ->multiply_rows(e->product, &soft->carrier.pattern, e->system.blocks, v, g->nodes, g->row_count);
    for (uint32_t row = 0; row < g->row_count; row++) {
        uint32_t node = g->nodes[row];
        lt_rvec3 r = lt_r3_sub(lt_node_get(e->loads, node), lt_node_get(e->product, node));
        if (!soft->pinned[node]) sum += (double)lt_r3_length_squared(r);
    }
    return sqrt(sum);
}

/* v' of the finest level by elimination in double; pinned nodes stay. */
static double *solve_directly(const equations *e, const lt_soft *soft) {
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    uint32_t n = 3 * soft->carrier.ladder.node_begin[1];
    double *a = calloc((size_t)n * n, sizeof *a), *x = calloc(n, sizeof *x);
    for (uint32_t node = 0; node < n / 3; node++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t row = 3 * node + k;
            a[(size_t)row * n + row] = 1;
            if (soft->pinned[node]) continue;
            for (uint32_t i = pattern->row_begin[node]; i < pattern->row_begin[node + 1]; i++)
                for (uint32_t c = 0; c < 3; c++)
                    a[(size_t)row * n + 3 * pattern->columns[i] + c] =
                        (double)e->system.blocks[(size_t)LT_BLOCK_STRIDE * i + 4 * c + k];
            x[row] = (double)e->loads[4 * (size_t)node + k];
        }
    eliminate(a, x, n);
    free(a);
    return x;
}

/* ---- the full front ---- */

static void full_front_is_the_direct_solution(void) {
    ladder_fixture f;
    ladder_make(&f, SMALL, 3);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.tolerance = (float)by_build(1e-6, 1e-12);
    lt_soft soft = make_body(&f, def, true);
    bend(&soft, 0.1);
    pin_end(&soft);
    equations e;
    write_equations(&e, &soft, GRAVITY);
    double *exact = solve_directly(&e, &soft), off = 0, size = 0;
    step(&soft, GRAVITY, NULL, 0);
    for (uint32_t i = 0; i < 3 * f.carrier.ladder.node_begin[1]; i++) {
        double d = exact[i] - (double)soft.v[4 * (size_t)(i / 3) + i % 3];
        off += d * d;
        size += exact[i] * exact[i];
    }
    CHECK(soft.iterations > 3);
    CHECK(!soft.grid->mended || !DOUBLE_BUILD);
    CHECK_NEAR(sqrt(off / size), 0, by_build(2e-5, 1e-8));
    free(exact);
    lt_arena_free(&e.arena);
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* A cycle leaves a third of the residual where a body is soft for the step, a half where it is stiff. */
static void full_front_converges_by_cycles(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    const double scales[2] = {2, 0.2}, factors[2] = {0.35, 0.55};
    for (int trial = 0; trial < 2; trial++) {
        double residuals[2];
        const uint32_t cycles[2] = {2, 5};
        for (int i = 0; i < 2; i++) {
            lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
            def.scale = scales[trial];
            def.tolerance = 0;
            def.max_iterations = cycles[i];
            lt_soft soft = make_body(&f, def, true);
            bend(&soft, 0.1);
            step(&soft, GRAVITY, NULL, 0);
            CHECK_COUNT(soft.iterations, cycles[i]);
            CHECK(!soft.grid->mended);
            residuals[i] = (double)soft.residual;
            lt_soft_free(&soft);
        }
        CHECK(residuals[1] < residuals[0] * pow(factors[trial], 3));
    }
    ladder_free(&f);
}

/* Two bodies swing freely, each by its own solver. */
static void full_front_moves_as_the_default(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.tolerance = (float)by_build(1e-6, 1e-11);
    def.material.mass_damping = 0.5f;
    def.material.stiffness_damping = 0.003f;
    lt_soft printed = make_body(&f, def, true), usual = make_body(&f, def, false);
    bend(&printed, 0.1);
    bend(&usual, 0.1);
    double worst = 0;
    for (int i = 0; i < 20; i++) {
        step(&printed, GRAVITY, NULL, 0);
        step(&usual, GRAVITY, NULL, 0);
    }
    for (uint32_t node = 0; node < f.carrier.ladder.node_begin[1]; node++)
        worst = lt_max_d(
            worst, (double)lt_r3_length(lt_r3_sub(lt_node_get(printed.x, node), lt_node_get(usual.x, node))));
    CHECK_NEAR(worst / (double)printed.size, 0, by_build(2e-5, 1e-9));
    CHECK(worst > 0);
    lt_soft_free(&printed);
    lt_soft_free(&usual);
    ladder_free(&f);
}

/* ---- partial fronts ---- */

/* The residual that is told is that of the velocities the body has, and not above that of the start. */
static void residuals_are_true_on_any_front(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    lt_random random = lt_random_seed(11);
    uint32_t mended = 0;
    for (int trial = 0; trial < 24; trial++) {
        lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
        def.scale = trial % 2 ? 2 : 0.2;
        def.material.poisson = trial % 3 ? 0.3f : 0.45f;
        def.max_iterations = trial % 4 ? 30 : 1;
        def.tolerance = 1e-3f;
        lt_soft soft = make_body(&f, def, true);
        refine_ball(&soft, &random);
        bend(&soft, 0.1);
        pin_end(&soft);
        equations e;
        write_equations(&e, &soft, NO_GRAVITY);
        for (uint32_t node = 0; node < soft.carrier.node_count; node++)
            if (soft.pinned[node]) lt_node_set(soft.v, node, (lt_rvec3){0, 0, 0});
        lt_soft_follow(&soft); /* where a solve begins: pinned nodes are to stay */
        double before = left_over(&e, &soft, soft.v);
        step(&soft, NO_GRAVITY, NULL, 0);
        CHECK(is_sane(&soft));
        CHECK(soft.iterations > 0 && soft.iterations <= def.max_iterations);
        CHECK(soft.residual <= 1);
        CHECK_NEAR(left_over(&e, &soft, soft.v) / before, (double)soft.residual,
                   1e-6 + by_build(2e-3, 1e-6) * (double)soft.residual + by_build(2e-5, 0));
        mended += soft.grid->mended;
        lt_arena_free(&e.arena);
        lt_soft_free(&soft);
    }
    CHECK(mended > 6); /* as printed it does not do */
    ladder_free(&f);
}

/* A body let go swings out, whatever its front and however few cycles it has: no energy from nowhere, momentum kept. */
static void partial_fronts_gain_no_energy(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    lt_random random = lt_random_seed(12);
    for (int trial = 0; trial < 8; trial++) {
        lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
        def.scale = trial % 2 ? 2 : 0.2;
        def.material.poisson = trial % 3 ? 0.3f : 0.45f;
        def.max_iterations = trial % 4 == 3 ? 4 : 40;
        def.tolerance = 1e-3f;
        lt_soft soft = make_body(&f, def, true);
        refine_ball(&soft, &random);
        bend(&soft, 0.05);
        double begin = energy_of(&soft);
        momenta before = momenta_of(&soft);
        for (int i = 0; i < 100; i++) {
            step(&soft, NO_GRAVITY, NULL, 0);
            CHECK(is_sane(&soft) && energy_of(&soft) < 1.01 * begin);
        }
        CHECK_NEAR(lt_d3_distance(momenta_of(&soft).linear, before.linear) / before.linear_scale, 0,
                   by_build(1e-4, 1e-10));
        lt_soft_free(&soft);
    }
    ladder_free(&f);
}

static void free_fall_is_exact(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    lt_random random = lt_random_seed(13);
    lt_soft soft = make_body(&f, plain_def(LT_MODEL_MULTIGRID), true);
    refine_ball(&soft, &random);
    lt_rvec3 place = lt_node_get(soft.x, 7);
    for (int i = 0; i < 30; i++)
        step(&soft, GRAVITY, NULL, 0);
    double speed = 30 * DT * (double)GRAVITY.y, fall = DT * DT * (double)GRAVITY.y * (30 * 31 / 2);
    for (uint32_t node = 0; node < soft.carrier.node_count; node++)
        CHECK_NEAR((double)soft.v[4 * (size_t)node + 1] / speed, 1, by_build(2e-5, 1e-7));
    CHECK_NEAR((double)(lt_node_get(soft.x, 7).y - place.y) / fall, 1, by_build(2e-5, 1e-7));
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* ---- who it serves ---- */

/* Couplings are not of the paper: with one the same bits come out as by default. Without, they do not. */
static void coupled_bodies_take_the_default(void) {
    ladder_fixture f;
    ladder_make(&f, UNFITTING, 4);
    for (uint32_t count = 0; count < 2; count++) {
        uint64_t hashes[2];
        for (int printed = 0; printed < 2; printed++) {
            lt_soft soft = make_body(&f, plain_def(LT_MODEL_MULTIGRID), printed);
            bend(&soft, 0.1);
            for (int i = 0; i < 4; i++) {
                lt_coupling pull = {.kind = LT_COUPLING_TETHER,
                                    .body_b = LT_NONE,
                                    .a = {{f.carrier.ladder.node_begin[1] - 1}, {1}, 1},
                                    .offset = {(lt_real)0.05, 0, 0},
                                    .stiffness = 2000,
                                    .damping = 5};
                step(&soft, GRAVITY, &pull, count);
            }
            hashes[printed] = hash_of_state(&soft);
            lt_soft_free(&soft);
        }
        CHECK((hashes[0] == hashes[1]) == (count == 1));
    }
    ladder_free(&f);
}

/* A world says what its bodies do: a spinning one needs solving; without gravity nothing else happens. */
static void modes_of_worlds_reach_bodies(void) {
    ladder_fixture f;
    uint64_t hashes[2] = {0, 0};
    ladder_make(&f, SMALL, 3);
    for (int printed = 0; printed < 2; printed++) {
        lt_world_def def = lt_world_def_default();
        lt_body_def body = lt_body_def_default();
        lt_bake_tree_def tree = lt_bake_tree_def_default();
        lt_world *world = NULL;
        lt_shape *shape = NULL;
        CHECK_FATAL(lt_bake_tree(f.shape, &tree, &shape, NULL) == LT_OK);
        def.gravity = (lt_vec3){0, 0, 0};
        def.method = LT_METHOD_MULTISCALE;
        def.mode = printed ? LT_MODE_PAPER : LT_MODE_SAFE;
        body.shape = shape;
        body.model = LT_MODEL_MULTIGRID;
        body.refine_threshold = 0;
        body.angular_velocity = (lt_vec3){3, 4, 5};
        CHECK_FATAL(lt_world_create(&def, &world, NULL) == LT_OK);
        CHECK(lt_world_add_body(world, &body, NULL).index_plus_one > 0);
        for (int i = 0; i < 5; i++) {
            lt_report report = lt_world_step(world, (float)DT, lt_budget_unlimited());
            CHECK(report.iterations > 0 && report.problems == 0);
        }
        hashes[printed] = lt_world_hash(world);
        lt_world_destroy(world);
        lt_shape_release(shape);
    }
    CHECK(hashes[0] != hashes[1]);
    ladder_free(&f);
}

int main(void) {
    RUN(full_front_is_the_direct_solution);
    RUN(full_front_converges_by_cycles);
    RUN(full_front_moves_as_the_default);
    RUN(residuals_are_true_on_any_front);
    RUN(partial_fronts_gain_no_energy);
    RUN(free_fall_is_exact);
    RUN(coupled_bodies_take_the_default);
    RUN(modes_of_worlds_reach_bodies);
    return check_finish();
}
