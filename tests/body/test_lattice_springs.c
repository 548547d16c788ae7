/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The springs of a lattice: which there are, the solid they make, the frequency of a cell, the length of sub-steps. */

#include "body/lattice_fixture.h"
#include "failing_allocator.h"

enum { NODES = 128 };

/* Every pair of corners of every cell, stiffness summed, against the list. */
static void every_spring_is_there_once(void) {
    for (uint32_t seed = 0; seed < 4; seed++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = lattice_strands(seed);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        const lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        static double wanted[NODES][NODES];
        memset(wanted, 0, sizeof wanted);
        CHECK_FATAL(soft->carrier.node_count <= NODES);
        for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++)
            for (uint32_t pair = 0; pair < 64; pair++) {
                uint32_t i = pair / 8, j = pair % 8, diagonal = i ^ j;
                const uint32_t *corners = soft->carrier.cells + 8 * cell;
                if (i != j) wanted[corners[i]][corners[j]] += 1e5 * 0.1 * (diagonal == 7 ? 0.1 : 2 / 15.0);
            }
        uint32_t count = 0, before = 0;
        for (uint32_t slot = 0; slot < soft->springs.spring_count; slot++) {
            const uint32_t *nodes = soft->springs.nodes + 16 * (slot / 8) + slot % 8;
            CHECK(nodes[0] < nodes[8]);
            CHECK(slot == 0 || nodes[0] * NODES + nodes[8] > before);
            before = nodes[0] * NODES + nodes[8];
            CHECK_NEAR(soft->springs.stiffness[slot], wanted[nodes[0]][nodes[8]], 1e-2);
            CHECK_NEAR(soft->springs.lengths[slot],
                       lt_d3_distance(d3_of_node(soft->x, nodes[0]), d3_of_node(soft->x, nodes[8])), 1e-6);
        }
        for (uint32_t pair = 0; pair < NODES * NODES; pair++)
            count += pair / NODES < pair % NODES && wanted[pair / NODES][pair % NODES] > 0;
        CHECK_COUNT(soft->springs.spring_count, count);
        stage_free(&s);
    }
}

/* Strain ε along any direction, held across it: ½ ε² (λ + 2μ) per volume, λ + 2μ = 6/5 E at Poisson's ratio ¼. */
static void the_springs_make_an_isotropic_solid(void) {
    const lt_dvec3 directions[4] = {
        {1, 0, 0}, {0, 0.6, 0.8}, {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)}, {0.48, 0.6, 0.64}};
    const double strain = 2e-3;
    for (int i = 0; i < 4; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = lattice_block(2, 3, 1, 0.25);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
            lt_dvec3 x = d3_of_node(soft->x, node);
            x = lt_d3_mad(x, directions[i], strain * lt_d3_dot(directions[i], x));
            lt_node_set(soft->x, node, (lt_rvec3){(lt_real)x.x, (lt_real)x.y, (lt_real)x.z});
        }
        double volume = 6 * 0.25 * 0.25 * 0.25;
        double expected = 0.5 * strain * strain * 1.2e5 * volume;
        CHECK_NEAR(lt_soft_elastic_energy(soft), expected, 0.005 * expected);
        stage_free(&s);
    }
}

/* A cell that swells evenly: 3 E h³ ε² against ½ m ¾ h² ω² ε², so ω = √(8E/ρ)/h. Crossings of its size at rest are
 * counted over 20 periods. */
static void a_cell_breathes_with_its_frequency(void) {
    const double edge = 0.2, omega = sqrt(8 * 1e5 / 1000) / edge, dt = 0.05 / omega, pi = 3.14159265358979;
    stage s = stage_make((lt_rvec3){0, 0, 0}, dt);
    lattice l = lattice_block(1, 1, 1, edge);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
    lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
    lt_rvec3 center = lt_soft_center(soft);
    for (uint32_t node = 0; node < 8; node++)
        lt_node_add(soft->x, node, lt_r3_sub(lt_node_get(soft->x, node), center), (lt_real)0.001);
    double first = 0, last = 0, before = 1;
    int crossings = 0;
    for (int step = 1; crossings < 41 && step < 10000; step++) {
        CHECK(stage_step(&s) && soft->substeps == 1);
        double now =
            (double)lt_r3_distance(lt_node_get(soft->x, 0), lt_node_get(soft->x, 7)) / (edge * sqrt(3)) - 1;
        if ((now < 0) == (before < 0)) {
            before = now;
            continue;
        }
        double at = (step - now / (now - before)) * dt;
        if (crossings++ == 0) first = at;
        last = at;
        before = now;
    }
    /* Symplectic Euler is a little fast: sin(ω'Δt/2) = ωΔt/2. */
    double expected = 2 * asin(omega * dt / 2) / dt;
    CHECK_NEAR(40 * pi / (last - first), expected, by_build(1e-3, 1e-4) * omega);
    stage_free(&s);
}

/* (ωΔt)² ≤ 1 with ω² = 128/15 E/(ρh²): 584.2 1/s here, so 9.74 sub-steps of 1/60 s; with β 1.547 (ωΔt)² + 2βω²Δt ≤ 2. */
static void substeps_are_as_long_as_is_safe(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lattice l = lattice_block(2, 1, 1, 0.05);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
    lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
    CHECK(stage_step(&s));
    CHECK_COUNT(soft->substeps, 10);
    CHECK(soft->time_lost == 0);
    CHECK_NEAR(lt_soft_contact_scale(soft, s.dt).dt, s.dt / 10, 1e-7);
    soft->material.stiffness_damping = 0.002f;
    CHECK(stage_step(&s));
    CHECK_COUNT(soft->substeps, 16); /* Δt = 1.0433 ms */
    soft->max_substeps = 5;
    soft->v[0] = 1;
    CHECK(stage_step(&s));
    CHECK_COUNT(soft->substeps, 5);
    CHECK_NEAR(soft->time_lost, (1 - 5 / 16.0) / 60, 1e-6);
    stage_free(&s);
}

/* Stretched, squeezed and turned inside out, at the longest sub-step: nothing is gained but what swings. */
static void no_state_gains_energy(void) {
    lt_random random = lt_random_seed(5);
    for (int trial = 0; trial < 6; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = lattice_block(3, 2, 2, 0.1);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        def.material.stiffness_damping = trial % 2 ? 0.01f : 0;
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        shake(soft, &random, 0.05 * (trial + 1), 3);
        double start = total_energy(soft), most = 0;
        for (int step = 0; step < 100; step++) {
            CHECK(stage_step(&s) && !soft->blown_up);
            most = lt_max_d(most, total_energy(soft));
        }
        CHECK(soft_is_finite(soft));
        printf("shaken by %.2f: energy at most %.3f of its start, %.3f at the end\n", 0.05 * (trial + 1),
               most / start, total_energy(soft) / start);
        /* What symplectic Euler keeps differs from the energy by h v·f / 2, at most ωh/2 of it: (1+½)/(1−½). */
        CHECK(most < 3 * start);
        /* Inside out it is dull, and not any more then. */
        if (trial > 1) CHECK(total_energy(soft) < 0.5 * start && soft->inverted_count == 0);
        if (trial % 2) CHECK(total_energy(soft) < 0.5 * start);
        stage_free(&s);
    }
}

/* ---- cells that are inside out ---- */

enum { FREEDOMS = 24 };

/* Whether limit − K is definite, K being how the forces of a cell change where it is: no mode is faster. */
static bool is_no_stiffer(lt_soft *soft, double limit) {
    static double m[FREEDOMS][FREEDOMS], lower[FREEDOMS][FREEDOMS];
    const lt_real little = by_build(2e-4, 1e-6);
    for (uint32_t column = 0; column < FREEDOMS; column++) {
        lt_real *x = soft->x + 4 * (column / 3) + column % 3, kept = *x, forces[2][32] = {{0}};
        for (int side = 0; side < 2; side++) {
            *x = kept + (side ? little : -little);
            lt_springs_add_forces(soft, forces[side], (lt_real)1e-3, LT_LEVEL_SCALAR);
        }
        *x = kept;
        for (uint32_t row = 0; row < FREEDOMS; row++) {
            uint32_t at = 4 * (row / 3) + row % 3;
            double change = (double)(forces[1][at] - forces[0][at]) / (2 * (double)little);
            m[row][column] = change + (row == column ? limit : 0);
        }
    }
    /* Cholesky */
    for (uint32_t i = 0; i < FREEDOMS; i++)
        for (uint32_t j = 0; j <= i; j++) {
            double sum = (m[i][j] + m[j][i]) / 2;
            for (uint32_t k = 0; k < j; k++)
                sum -= lower[i][k] * lower[j][k];
            if (i == j && sum <= 0) return false;
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    return true;
}

/* Flat, short, stretched and mirrored in any direction: 7½ k + 4⅞ k at most, and 8 k where no axis is short. */
static void no_shape_of_a_cell_is_faster(void) {
    lt_random random = lt_random_seed(40);
    const double stiffness = 2 / 15.0 * 1e5 * 0.1;
    uint32_t flat = 0;
    for (int trial = 0; trial < 240; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = lattice_block(1, 1, 1, 0.1);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        lt_dmat3 turn = turn_about((double)lt_random_unit(&random), 1, (double)lt_random_unit(&random), 2);
        lt_dvec3 stretch = {(double)lt_random_range(&random, -1, 1.5f),
                            (double)lt_random_range(&random, 0, 1.2f),
                            (double)lt_random_range(&random, 0.3f, 1.5f)};
        for (uint32_t node = 0; node < 8; node++) {
            lt_dvec3 x = lt_dm3_mul_vec(trial % 3 ? turn : lt_dm3_identity(), d3_of_node(soft->x, node));
            lt_node_set(soft->x, node,
                        (lt_rvec3){(lt_real)(x.x * stretch.x), (lt_real)(x.y * stretch.y),
                                   (lt_real)(x.z * stretch.z)});
        }
        shake(soft, &random, trial % 2 ? 0 : 0.01, 0);
        bool any_short = trial % 3 || fabs(stretch.x) < 0.6 || stretch.y < 0.6 || stretch.z < 0.6;
        CHECK(is_no_stiffer(soft, (any_short ? 12.4 : 8.03) * stiffness));
        flat += !is_no_stiffer(soft, 9 * stiffness);
        stage_free(&s);
    }
    CHECK(flat > 4);
}

/* The energy is that of the forces, inside out or not: work along a small way, at random shapes. */
static void unfolding_has_a_potential(void) {
    lt_random random = lt_random_seed(41);
    double worst = 0;
    for (int trial = 0; trial < 80; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = lattice_block(2, 1, 1, 0.1);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        uint32_t count = 4 * soft->carrier.node_count;
        for (uint32_t node = 0; node < count / 4; node++)
            soft->x[4 * node] *= (lt_real)(trial % 20 - 10) / 10;
        shake(soft, &random, 0.02, 0);
        lt_real force[4 * NODES] = {0};
        lt_springs_add_forces(soft, force, (lt_real)1e-3, LT_LEVEL_SCALAR);
        double work = 0, energies[2], scale = 0;
        lt_real way[4 * NODES];
        for (uint32_t i = 0; i < count; i++) {
            way[i] = i % 4 == 3 ? 0 : (lt_real)(1e-3 * (double)lt_random_range(&random, -1, 1));
            work += (double)(force[i] * way[i]);
            scale += fabs((double)(force[i] * way[i]));
        }
        for (int side = 0; side < 2; side++) {
            for (uint32_t i = 0; i < count; i++)
                soft->x[i] += side ? way[i] : -way[i] / 2;
            energies[side] = lt_soft_elastic_energy(soft);
        }
        worst = fmax(worst, fabs(energies[0] - energies[1] - work) / scale);
        stage_free(&s);
    }
    printf("work and energy differ by %.2g at most\n", worst);
    CHECK(worst < 0.02);
}

typedef enum mess { MIRRORED, FLATTENED, POINT, SCRAMBLED, ONE_CELL, FOLDED, MESS_COUNT } mess;

static void make_mess(lt_soft *soft, mess kind, lt_random *random) {
    const uint32_t *cell = soft->carrier.cells + 8 * (size_t)(soft->carrier.cell_count / 2);
    lt_real low = soft->x[4 * (size_t)cell[0]], high = soft->x[4 * (size_t)cell[1]];
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_real *x = soft->x + 4 * (size_t)node;
        if (kind == MIRRORED) x[0] = -x[0];
        if (kind == FLATTENED) x[2] = (lt_real)0.1;
        if (kind == FOLDED && x[0] > (lt_real)0.16) x[0] = (lt_real)0.3 - x[0];
        for (int k = 0; k < 3; k++) {
            if (kind == POINT) x[k] = (lt_real)0.1;
            if (kind == SCRAMBLED) x[k] = (lt_real)(0.3 * (double)lt_random_unit(random));
        }
    }
    for (uint32_t corner = 0; kind == ONE_CELL && corner < 8; corner++)
        soft->x[4 * (size_t)cell[corner]] = corner & 1 ? low : high;
}

/* Cells, blocks and strands come back to their shape, and never have more energy than at first. */
static void any_mess_is_put_right(void) {
    static const char *const words[MESS_COUNT] = {"mirrored",  "flattened", "one point",
                                                  "scrambled", "one cell",  "folded"};
    lt_random random = lt_random_seed(21);
    for (int trial = 0; trial < 3 * MESS_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = trial % 3 == 0   ? lattice_block(1, 1, 1, 0.1)
                    : trial % 3 == 1 ? lattice_block(2, 2, 2, 0.1)
                                     : lattice_strands(0);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_SPRINGS);
        def.material.young = 2e4f;
        def.material.stiffness_damping = 0.01f;
        def.material.mass_damping = 3; /* of what hangs together by strands only */
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        make_mess(soft, (mess)(trial / 3), &random);
        double start = total_energy(soft), most = 0;
        for (int step = 0; step < 300; step++) {
            CHECK(stage_step(&s) && !soft->blown_up);
            most = fmax(most, total_energy(soft));
        }
        if (!(shape_error(soft) < 5e-3) || soft->inverted_count || most > 1.01 * start + 1e-6)
            CHECK_FAIL_MESSAGE("%s %d: off by %g m, %u cells inside out, %g J of %g", words[trial / 3], trial,
                               shape_error(soft), soft->inverted_count, most, start);
        stage_free(&s);
    }
}

static lt_status create_with(const lt_carrier *carrier, lt_model model, const lt_allocator *allocator) {
    lt_soft soft;
    lt_soft_def def = plain_def(model);
    lt_status status = lt_soft_create(&soft, carrier, &def, allocator, NULL);
    if (status == LT_OK) lt_soft_free(&soft);
    return status;
}

static void every_refused_request_is_survived(void) {
    lattice l = lattice_strands(0);
    lt_cell_mesh mesh = lattice_mesh(&l);
    lt_shape *shape = bake_lattice(&mesh);
    lt_carrier carrier;
    CHECK_FATAL(lt_carrier_read(&carrier, shape, NULL) == LT_OK);
    for (int m = 0; m < LATTICE_MODEL_COUNT; m++) {
        int allowed = 0;
        for (lt_status status = LT_STATUS_MEMORY; status != LT_OK && allowed < 1000; allowed++) {
            failing f = failing_after(allowed);
            lt_allocator allocator = failing_allocator(&f);
            status = create_with(&carrier, LATTICE_MODELS[m], &allocator);
            CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
            CHECK_COUNT(f.blocks_out, 0);
            CHECK_COUNT(f.bytes_out, 0);
        }
        CHECK(allowed > 5 && allowed < 1000);
    }
    lt_shape_release(shape);
    lattice_mesh_free(&mesh);
}

static void models_want_their_kind_of_carrier(void) {
    lattice l = lattice_block(1, 1, 1, 1);
    lt_cell_mesh cells = lattice_mesh(&l);
    lt_tet_mesh tets;
    CHECK_FATAL(lt_generate_tet_block(&tets, (lt_dvec3){1, 1, 1}, (const uint32_t[3]){1, 1, 1},
                                      LT_TET_SPLIT_FIVE, NULL, NULL) == LT_OK);
    lt_shape *shapes[2] = {bake_lattice(&cells), bake_carrier(&tets, NULL)};
    for (int kind = 0; kind < 2; kind++)
        for (int model = 0; model < LT_MODEL_COUNT; model++) {
            lt_carrier carrier;
            CHECK_FATAL(lt_carrier_read(&carrier, shapes[kind], NULL) == LT_OK);
            bool fits = lt_model_is_of_cells((lt_model)model) == (kind == 0) && model != LT_MODEL_MULTIGRID;
            CHECK(create_with(&carrier, (lt_model)model, NULL) == (fits ? LT_OK : LT_STATUS_UNSUPPORTED));
        }
    lt_shape_release(shapes[0]);
    lt_shape_release(shapes[1]);
    lattice_mesh_free(&cells);
    lt_tet_mesh_free(&tets);
}

/* Damaged files ask for them, too: a frame of a body that is no number across is none. */
static void sizes_beyond_all_numbers_are_refused(void) {
    const double scales[] = {1e30, 1e-30, INFINITY};
    lattice l = lattice_block(1, 1, 1, 1);
    lt_cell_mesh cells = lattice_mesh(&l);
    lt_shape *shape = bake_lattice(&cells);
    lt_carrier carrier;
    CHECK_FATAL(lt_carrier_read(&carrier, shape, NULL) == LT_OK);
    for (uint32_t i = 0; i < LT_COUNT_OF(scales); i++) {
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
        lt_error error = {0};
        lt_soft soft;
        def.scale = scales[i];
        CHECK(lt_soft_create(&soft, &carrier, &def, NULL, &error) == LT_STATUS_INVALID);
        CHECK(strstr(error.message, "scale") != NULL);
    }
    lt_shape_release(shape);
    lattice_mesh_free(&cells);
}

int main(void) {
    RUN(every_spring_is_there_once);
    RUN(the_springs_make_an_isotropic_solid);
    RUN(a_cell_breathes_with_its_frequency);
    RUN(substeps_are_as_long_as_is_safe);
    RUN(no_state_gains_energy);
    RUN(no_shape_of_a_cell_is_faster);
    RUN(unfolding_has_a_potential);
    RUN(any_mess_is_put_right);
    RUN(every_refused_request_is_survived);
    RUN(models_want_their_kind_of_carrier);
    RUN(sizes_beyond_all_numbers_are_refused);
    return check_finish();
}
