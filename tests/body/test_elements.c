/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The element kernels against what elasticity says: no force from rigid motion, force = −∂W/∂x, energies by hand,
 * the stiffness matrix, affine equilibria, and the same bits at every SIMD level. */

#include "bench/assembled.h"
#include "body/soft_fixture.h"

enum { MOST_NODES = 64 };

static void randomise(lt_soft *soft, lt_random *random, double size) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        for (int k = 0; k < 3; k++)
            soft->x[4 * (size_t)node + (size_t)k] += (lt_real)(size * (double)lt_random_range(random, -1, 1));
}

/* x = A rest + t. */
static void place_affinely(lt_soft *soft, lt_dmat3 a, lt_dvec3 t) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        const double *r = soft->carrier.rest + 3 * (size_t)node;
        lt_dvec3 p = lt_d3_add(lt_dm3_mul_vec(a, (lt_dvec3){r[0], r[1], r[2]}), t);
        lt_node_set(soft->x, node, (lt_rvec3){(lt_real)p.x, (lt_real)p.y, (lt_real)p.z});
    }
}

/* ---- rigid motion ---- */

static void rigid_motion_makes_no_force(void) {
    const double angles[] = {0, 1e-3, 0.5, 1.5707963267948966, 3, 3.141592653589793, 4, 6};
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
        lt_real force[4 * MOST_NODES];
        /* Strain is rounding × coordinate / edge, force is E × strain × edge². */
        double edge = 0.15;
        for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
            for (int far = 0; far < 2; far++) {
                double away = far ? 1000 : 0;
                place_affinely(soft, turn_about(1, -2, 0.7, angles[i]), (lt_dvec3){away, -away, away / 3});
                double energy = elastic_forces(soft, force, LT_LEVEL_SCALAR);
                double strain = 16 * (double)LT_REAL_EPSILON * (1 + away / edge);
                CHECK_NEAR(largest_force(force, soft->carrier.node_count), 0, 1e5 * edge * edge * strain);
                CHECK_NEAR(energy, 0, 1e5 * strain * strain * 0.027 * 4);
            }
        stage_free(&s);
    }
}

/* Turns kept from before may be half a turn away: a critical point of the iteration, and not its goal. */
static void half_turns_about_axes_make_no_force(void) {
    const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
    lt_real force[4 * MOST_NODES];
    for (int i = 0; i < 4; i++) {
        lt_dmat3 turn = turn_about(axes[i][0], axes[i][1], axes[i][2], 3.141592653589793);
        place_affinely(soft, turn, (lt_dvec3){0, 0, 0});
        elastic_forces(soft, force, LT_LEVEL_SCALAR);
        CHECK_NEAR(largest_force(force, soft->carrier.node_count), 0, by_build(0.1, 1e-9));
        /* stretched along the axes as well: still half a turn, now without equal eigenvalues */
        lt_dmat3 stretch = {{1.2, 0, 0}, {0, 0.9, 0}, {0, 0, 1.05}};
        place_affinely(soft, stretch, (lt_dvec3){0, 0, 0});
        double straight = elastic_forces(soft, force, LT_LEVEL_SCALAR);
        place_affinely(soft, lt_dm3_mul(turn, stretch), (lt_dvec3){0, 0, 0});
        CHECK_NEAR(elastic_forces(soft, force, LT_LEVEL_SCALAR), straight, straight * by_build(1e-4, 1e-9));
    }
    stage_free(&s);
}

/* ---- energies by hand ---- */

static void energy_of_a_stretched_cube_is_the_textbook_one(void) {
    const double l1 = 1.3, l2 = 0.8, l3 = 1.1, volume = 0.027;
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
        lt_dmat3 stretch = {{l1, 0, 0}, {0, l2, 0}, {0, 0, l3}};
        place_affinely(soft, lt_dm3_mul(turn_about(3, 1, 2, 1.1), stretch), (lt_dvec3){1, 2, 3});
        double e1 = l1 - 1, e2 = l2 - 1, e3 = l3 - 1;
        if (BOTH_MODELS[m] == LT_MODEL_EXPLICIT_FEM) {
            e1 = (l1 * l1 - 1) / 2;
            e2 = (l2 * l2 - 1) / 2;
            e3 = (l3 * l3 - 1) / 2;
        }
        double e = 1e5, nu = (double)def.material.poisson;
        double lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
        double trace = e1 + e2 + e3;
        double expected = volume * (lambda / 2 * trace * trace + mu * (e1 * e1 + e2 * e2 + e3 * e3));
        CHECK_NEAR(lt_soft_elastic_energy(soft), expected, expected * by_build(1e-5, 1e-12));
        stage_free(&s);
    }
}

/* ---- force = −∂W/∂x ---- */

/* Central differences of the energy at every coordinate of a body in some state. In float the energy itself has few
 * digits, so the step is large and the tolerance loose. */
static void check_force_is_gradient(lt_soft *soft, const char *what) {
    lt_real force[4 * MOST_NODES];
    elastic_forces(soft, force, LT_LEVEL_SCALAR);
    uint32_t node_count = soft->carrier.node_count;
    double size = largest_force(force, node_count), worst = 0;
    lt_real h = (lt_real)by_build(1e-3, 1e-6) * soft->least_altitude;
    for (uint32_t node = 0; node < node_count; node++)
        for (int k = 0; k < 3; k++) {
            lt_real *p = soft->x + 4 * (size_t)node + k, kept = *p;
            *p = kept + h;
            double up = (double)*p, more = elastic_forces(soft, NULL, LT_LEVEL_SCALAR);
            *p = kept - h;
            double down = (double)*p, less = elastic_forces(soft, NULL, LT_LEVEL_SCALAR);
            *p = kept;
            double expected = -(more - less) / (up - down);
            worst = lt_max_d(worst, fabs((double)force[4 * node + (uint32_t)k] - expected));
        }
    check_count++;
    double tolerance = by_build(2e-2, 2e-7);
    if (!(worst <= tolerance * size))
        CHECK_FAIL_MESSAGE("%s, %s: force differs from -dW/dx by %.3g of %.3g", model_word(soft->model), what,
                           worst, size);
}

static void force_is_the_gradient_of_the_energy(void) {
    lt_random random = lt_random_seed(7);
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 1, &def)];
        lt_dmat3 turn = turn_about(1, 2, -1, 2.2);
        for (int round = 0; round < 4; round++) {
            place_affinely(soft, turn, (lt_dvec3){0, 0, 0});
            randomise(soft, &random, 0.15);
            check_force_is_gradient(soft, "bent");
        }
        place_affinely(soft, lt_dm3_mul(turn, (lt_dmat3){{0.9, 0, 0}, {0, 0.4, 0}, {0, 0, 0.4}}),
                       (lt_dvec3){0, 0, 0});
        randomise(soft, &random, 0.02);
        check_force_is_gradient(soft, "pressed below a quarter of its volume");
        place_affinely(soft, lt_dm3_mul(turn, (lt_dmat3){{1.1, 0, 0}, {0, 0.8, 0}, {0, 0, -0.3}}),
                       (lt_dvec3){0, 0, 0});
        randomise(soft, &random, 0.02);
        check_force_is_gradient(soft, "inverted");
        stage_free(&s);
    }
}

/* A single tet, every kind of deformation: the sum of forces and of moments vanishes. */
static void internal_forces_balance(void) {
    lt_random random = lt_random_seed(17);
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 2, &def)];
        lt_real force[4 * MOST_NODES];
        for (int round = 1; round < 20; round++) {
            place_affinely(soft, turn_about(1, 2, -1, round), (lt_dvec3){0, 0, 0});
            randomise(soft, &random, 0.05 * round);
            elastic_forces(soft, force, lt_simd_best());
            lt_dvec3 sum = {0, 0, 0}, moment = {0, 0, 0};
            double size = 0;
            for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
                lt_dvec3 f = d3_of_node(force, node);
                sum = lt_d3_add(sum, f);
                moment = lt_d3_add(moment, lt_d3_cross(d3_of_node(soft->x, node), f));
                size += lt_d3_length(f);
            }
            CHECK_NEAR(lt_d3_length(sum) / size, 0, by_build(1e-6, 1e-14));
            CHECK_NEAR(lt_d3_length(moment) / size, 0, by_build(3e-6, 1e-11)); /* by the rotations */
        }
        stage_free(&s);
    }
}

/* ---- stiffness ---- */

typedef struct matrix_memory {
    lt_system system;
    lt_real *force;
    size_t block_reals, rotated_reals, node_reals;
} matrix_memory;

static matrix_memory matrix_of(lt_soft *soft, double mass_factor, double stiffness_factor,
                               lt_simd_level level) {
    matrix_memory m = {.block_reals = LT_BLOCK_STRIDE *
                                      (size_t)soft->carrier.pattern.row_begin[soft->carrier.node_count],
                       .rotated_reals = 9 * (size_t)LT_GROUP * soft->elements.group_count,
                       .node_reals = 4 * (size_t)soft->carrier.node_count};
    m.system.blocks = LT_NEW(NULL, m.block_reals, lt_real);
    m.system.rotated = LT_NEW(NULL, m.rotated_reals, lt_real);
    m.force = LT_NEW(NULL, m.node_reals, lt_real);
    assembled_fill(soft, (lt_real)mass_factor, (lt_real)stiffness_factor, m.system.blocks, m.system.rotated,
                   m.force, level);
    return m;
}

static void free_matrix(matrix_memory *m) {
    LT_DELETE(NULL, m->system.blocks, m->block_reals, lt_real);
    LT_DELETE(NULL, m->system.rotated, m->rotated_reals, lt_real);
    LT_DELETE(NULL, m->force, m->node_reals, lt_real);
}

/* Block of (row, column), or zero when they share no tet. */
static double stiffness_at(const lt_soft *soft, const matrix_memory *m, uint32_t i, int a, uint32_t j,
                           int b) {
    const lt_sparse_pattern *p = &soft->carrier.pattern;
    for (uint32_t entry = p->row_begin[i]; entry < p->row_begin[i + 1]; entry++)
        if (p->columns[entry] == j)
            return (double)m->system.blocks[(size_t)LT_BLOCK_STRIDE * entry + (size_t)(4 * b + a)];
    return 0;
}

/* In any state: symmetric, rows sum to zero, forces of the assembly those of the kernel. */
static void stiffness_is_symmetric_and_sums_to_zero(void) {
    lt_random random = lt_random_seed(3);
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 2, &def)];
    randomise(soft, &random, 0.1);
    matrix_memory m = matrix_of(soft, 0, 1, lt_simd_best());
    const double scale = 1e5, tolerance = scale * by_build(1e-6, 1e-14);
    for (uint32_t i = 0; i < soft->carrier.node_count; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double sum = 0;
                for (uint32_t j = 0; j < soft->carrier.node_count; j++) {
                    double value = stiffness_at(soft, &m, i, a, j, b);
                    CHECK_NEAR(value, stiffness_at(soft, &m, j, b, i, a), tolerance);
                    sum += value;
                }
                CHECK_NEAR(sum, 0, 8 * tolerance);
            }
    free_matrix(&m);
    stage_free(&s);
}

static void stiffness_is_the_jacobian_at_rest(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    def.rotation = turn_about(1, 1, -3, 0.8);
    lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 2, &def)];
    const double mass_factor = 0.25, stiffness_factor = 2;
    matrix_memory m = matrix_of(soft, mass_factor, stiffness_factor, LT_LEVEL_SCALAR);
    CHECK_NEAR(largest_force(m.force, soft->carrier.node_count), 0, by_build(1, 1e-8));
    lt_real plus[4 * MOST_NODES], minus[4 * MOST_NODES];
    lt_real h = (lt_real)by_build(1e-3, 1e-5);
    for (uint32_t j = 0; j < soft->carrier.node_count; j++)
        for (int b = 0; b < 3; b++) {
            lt_real *p = soft->x + 4 * (size_t)j + b, kept = *p;
            *p = kept + h;
            double up = (double)*p;
            elastic_forces(soft, plus, LT_LEVEL_SCALAR);
            *p = kept - h;
            double down = (double)*p;
            elastic_forces(soft, minus, LT_LEVEL_SCALAR);
            *p = kept;
            for (uint32_t i = 0; i < soft->carrier.node_count; i++)
                for (int a = 0; a < 3; a++) {
                    size_t at = 4 * (size_t)i + (size_t)a;
                    double slope = -((double)plus[at] - (double)minus[at]) / (up - down);
                    double mass = i == j && a == b ? (double)soft->mass[i] : 0;
                    CHECK_NEAR(stiffness_at(soft, &m, i, a, j, b),
                               stiffness_factor * slope + mass_factor * mass, 1e5 * by_build(1e-3, 1e-9));
                }
        }
    free_matrix(&m);
    stage_free(&s);
}

/* ---- patch test ---- */

/* The boundary of a block is deformed affinely; wherever the inner nodes start, the only equilibrium that static
 * friction-free relaxation finds is the affine one. Inner nodes by number: block of 3³ cells, 2³ inner nodes. */
static void affine_boundary_gives_affine_interior(void) {
    lt_dmat3 shear = {{1.05, 0.02, 0}, {0.06, 0.97, -0.03}, {0, 0.04, 1.02}};
    lt_random random = lt_random_seed(23);
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.02);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.material.mass_damping = 10;
        def.material.stiffness_damping = 0.01f;
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 3, &def)];
        place_affinely(soft, shear, (lt_dvec3){0, 0, 0});
        for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
            const double *r = soft->carrier.rest + 3 * (size_t)node;
            bool inner = true;
            for (int k = 0; k < 3; k++)
                inner = inner && r[k] > 0.1 && r[k] < 0.9;
            lt_node_set(soft->pin_target, node, lt_node_get(soft->x, node));
            soft->pinned[node] = !inner;
            soft->pin_count += !inner;
            for (int k = 0; inner && k < 3; k++)
                soft->x[4 * (size_t)node + (size_t)k] +=
                    (lt_real)(0.05 * (double)lt_random_range(&random, -1, 1));
        }
        CHECK_COUNT(soft->carrier.node_count - soft->pin_count, 8);
        for (int i = 0; i < 150; i++)
            stage_step(&s);
        double worst = 0;
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            worst = lt_max_d(worst,
                             lt_d3_distance(d3_of_node(soft->x, node), d3_of_node(soft->pin_target, node)));
        CHECK_NEAR(worst, 0, by_build(2e-6, 1e-9));
        stage_free(&s);
    }
}

/* ---- levels ---- */

static void all_simd_levels_give_the_same_bits(void) {
    lt_random random = lt_random_seed(5);
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 1, 2, &def)];
        for (int round = 0; round < 30; round++) {
            randomise(soft, &random, 0.02 * round); /* the later ones are full of inverted tets */
            lt_real first[4 * MOST_NODES], other[4 * MOST_NODES];
            double energy = elastic_forces(soft, first, LT_LEVEL_SCALAR);
            for (int level = 0; level <= (int)lt_simd_best(); level++) {
                CHECK(elastic_forces(soft, other, (lt_simd_level)level) == energy);
                CHECK(memcmp(first, other, 4 * soft->carrier.node_count * sizeof *first) == 0);
            }
        }
        stage_free(&s);
    }
}

int main(void) {
    RUN(rigid_motion_makes_no_force);
    RUN(half_turns_about_axes_make_no_force);
    RUN(energy_of_a_stretched_cube_is_the_textbook_one);
    RUN(force_is_the_gradient_of_the_energy);
    RUN(internal_forces_balance);
    RUN(stiffness_is_symmetric_and_sums_to_zero);
    RUN(stiffness_is_the_jacobian_at_rest);
    RUN(affine_boundary_gives_affine_interior);
    RUN(all_simd_levels_give_the_same_bits);
    return check_finish();
}
