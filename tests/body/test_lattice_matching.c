/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattice shape matching: region sums, forces and energy against their definitions by brute force; the modulus and the
 * frequency it has; states it comes back from. */

#include "body/lattice_fixture.h"

enum { NODES = 128 };

/* ---- regions by walking ---- */

typedef struct weights {
    uint32_t of[NODES][NODES]; /* T: how often a node is in the region of the first */
    uint32_t node_count;
} weights;

static weights walked;

/* What is at most `width` edges of cells along the axis from `node`, all one way: bits of `reached`. */
static void walk(bool reached[NODES], const lt_carrier *c, uint32_t node, uint32_t axis, uint32_t width) {
    memset(reached, 0, NODES * sizeof *reached);
    reached[node] = true;
    for (uint32_t way = 0; way < 2; way++) {
        bool front[NODES] = {false};
        front[node] = true;
        for (uint32_t step = 0; step < width; step++) {
            bool next[NODES] = {false};
            for (uint32_t corner = 0; corner < 8 * c->cell_count; corner++) {
                uint32_t other = corner ^ 1u << axis;
                if ((corner >> axis & 1) == way && front[c->cells[corner]]) next[c->cells[other]] = true;
            }
            for (uint32_t i = 0; i < c->node_count; i++)
                reached[i] = reached[i] || next[i];
            memcpy(front, next, sizeof front);
        }
    }
}

static void walk_regions(const lt_carrier *c, uint32_t width) {
    static bool along[3][NODES][NODES];
    walked.node_count = c->node_count;
    memset(walked.of, 0, sizeof walked.of);
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t node = 0; node < c->node_count; node++)
            walk(along[axis][node], c, node, axis, width);
    for (uint32_t r = 0; r < c->node_count; r++)
        for (uint32_t z = 0; z < c->node_count; z++)
            for (uint32_t y = 0; along[2][r][z] && y < c->node_count; y++)
                for (uint32_t x = 0; along[1][z][y] && x < c->node_count; x++)
                    walked.of[r][x] += along[0][y][x];
}

static lattice some_lattice(uint32_t kind) {
    if (kind == 0) return lattice_block(3, 2, 4, 0.1);
    if (kind == 1) return lattice_block(4, 4, 1, 0.1);
    if (kind == 2) return lattice_block(1, 1, 1, 0.1);
    return lattice_strands(kind - 3);
}
enum { LATTICE_KINDS = 7 };

static void sums_are_those_of_walked_regions(void) {
    lt_random random = lt_random_seed(4);
    static double in[NODES][LT_REGION_ROW];
    for (uint32_t trial = 0; trial < LATTICE_KINDS * 4; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = some_lattice(trial / 4);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        uint32_t count = soft->carrier.node_count, width = (const uint32_t[4]){1, 2, 3, 9}[trial % 4];
        lt_regions r;
        CHECK_FATAL(count <= NODES && lt_regions_create(&r, soft, width, NULL) == LT_OK);
        walk_regions(&soft->carrier, width);
        for (int transposed = 0; transposed < 2; transposed++) {
            for (uint32_t i = 0; i < count * LT_REGION_ROW; i++)
                r.sums[0][i] =
                    (lt_real)(in[i / LT_REGION_ROW][i % LT_REGION_ROW] = lt_random_range(&random, -1, 1));
            (transposed ? lt_regions_sum_memberships : lt_regions_sum)(&r, r.sums[1], r.sums[0]);
            for (uint32_t i = 0; i < count * LT_REGION_ROW; i++) {
                uint32_t node = i / LT_REGION_ROW;
                double sum = 0;
                for (uint32_t j = 0; j < count; j++)
                    sum += in[j][i % LT_REGION_ROW] * (transposed ? walked.of[j][node] : walked.of[node][j]);
                CHECK_NEAR(r.sums[1][i], sum, 3e-5);
            }
        }
        for (uint32_t node = 0; node < count; node++) {
            uint32_t members = 0;
            for (uint32_t j = 0; j < count; j++)
                members += walked.of[j][node];
            CHECK_NEAR(r.memberships[node], members, 0);
            CHECK_NEAR(r.shares[node] * members, soft->mass[node], 1e-6 * (double)soft->mass[node]);
        }
        lt_regions_free(&r, &soft->allocator);
        stage_free(&s);
    }
}

/* In a block the walked region is the box; strands that never meet have no node in common. */
static void regions_are_boxes_and_do_not_leap(void) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
    lattice l = lattice_block(4, 3, 3, 1), two = {.fork = 0, .join = 9, .cell_size = 1};
    const lt_soft *block = &s.bodies[stage_add_lattice(&s, &l, &def)];
    walk_regions(&block->carrier, 2);
    for (uint32_t i = 0; i < NODES * NODES; i++) {
        uint32_t a = i / NODES, b = i % NODES;
        if (a >= block->carrier.node_count || b >= block->carrier.node_count) continue;
        lt_dvec3 d = lt_d3_sub(d3_of_node(block->x, a), d3_of_node(block->x, b));
        CHECK_COUNT(walked.of[a][b], fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))) < 2.5);
    }
    /* Two rods in the same places, one fork plane behind both: begin at 1 so that none is shared. */
    for (uint32_t branch = 1; branch < 3; branch++)
        lattice_add_box(&two, (const uint32_t[3]){1, 0, 0}, (const uint32_t[3]){4, 1, 1}, branch);
    const lt_soft *rods = &s.bodies[stage_add_lattice(&s, &two, &def)];
    CHECK_COUNT(rods->carrier.node_count, 32);
    walk_regions(&rods->carrier, 3);
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 16; b < 32; b++)
            CHECK(walked.of[a][b] == 0 && walked.of[b][a] == 0);
    stage_free(&s);
}

/* ---- forces by their definition ---- */

typedef struct definition {
    lt_dvec3 goals[NODES];
    lt_dvec3 flows[NODES]; /* mean of the rigid motions nearest to the velocities of its regions */
    double energy;         /* over ½ κ */
} definition;

static lt_dvec3 rest_of(const lt_soft *soft, uint32_t node) {
    const double *p = soft->carrier.rest + 3 * (size_t)node;
    return (lt_dvec3){p[0], p[1], p[2]};
}

/* The motion e + w × y nearest to velocities v, weighted by m, where y is the region turned about its centre. */
static void add_flows(definition *out, const lt_soft *soft, const lt_dvec3 *v, const lt_dvec3 *y,
                      const double *m) {
    lt_dvec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    lt_dmat3 inertia = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double mass = 0;
    for (uint32_t i = 0; i < walked.node_count; i++) {
        linear = lt_d3_mad(linear, v[i], m[i]);
        angular = lt_d3_mad(angular, lt_d3_cross(y[i], v[i]), m[i]);
        lt_dvec3 across[3] = {lt_d3_cross(y[i], lt_d3_cross((lt_dvec3){1, 0, 0}, y[i])),
                              lt_d3_cross(y[i], lt_d3_cross((lt_dvec3){0, 1, 0}, y[i])),
                              lt_d3_cross(y[i], lt_d3_cross((lt_dvec3){0, 0, 1}, y[i]))};
        inertia.c0 = lt_d3_mad(inertia.c0, across[0], m[i]);
        inertia.c1 = lt_d3_mad(inertia.c1, across[1], m[i]);
        inertia.c2 = lt_d3_mad(inertia.c2, across[2], m[i]);
        mass += m[i];
    }
    lt_dvec3 w = lt_dm3_mul_vec(lt_dm3_inverse(inertia), angular);
    for (uint32_t i = 0; i < walked.node_count; i++) {
        lt_dvec3 flow = lt_d3_add(lt_d3_scale(linear, 1 / mass), lt_d3_cross(w, y[i]));
        out->flows[i] = lt_d3_mad(out->flows[i], flow, m[i] / (double)soft->mass[i]);
    }
}

/* Goals of the walked regions for positions x, in double, rotations by SVD. */
static definition match_by_definition(const lt_soft *soft, const lt_dvec3 *x, const lt_dvec3 *v) {
    static double shares[NODES];
    definition out = {.energy = 0};
    uint32_t count = walked.node_count;
    for (uint32_t i = 0; i < count; i++) {
        double members = 0;
        for (uint32_t r = 0; r < count; r++)
            members += walked.of[r][i];
        shares[i] = (double)soft->mass[i] / members;
    }
    for (uint32_t r = 0; r < count; r++) {
        lt_dvec3 c = {0, 0, 0}, c0 = {0, 0, 0};
        double mass = 0;
        for (uint32_t i = 0; i < count; i++) {
            double m = shares[i] * walked.of[r][i];
            c = lt_d3_mad(c, x[i], m);
            c0 = lt_d3_mad(c0, rest_of(soft, i), m);
            mass += m;
        }
        c = lt_d3_scale(c, 1 / mass);
        c0 = lt_d3_scale(c0, 1 / mass);
        lt_dmat3 a = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (uint32_t i = 0; i < count; i++) {
            double m = shares[i] * walked.of[r][i];
            lt_dvec3 arm = lt_d3_sub(x[i], c), rest = lt_d3_sub(rest_of(soft, i), c0);
            a.c0 = lt_d3_mad(a.c0, arm, m * rest.x);
            a.c1 = lt_d3_mad(a.c1, arm, m * rest.y);
            a.c2 = lt_d3_mad(a.c2, arm, m * rest.z);
        }
        lt_dmat3 turn = lt_polar_by_svd(a);
        double held[NODES];
        lt_dvec3 turned[NODES];
        for (uint32_t i = 0; i < count; i++) {
            double m = held[i] = shares[i] * walked.of[r][i];
            turned[i] = lt_dm3_mul_vec(turn, lt_d3_sub(rest_of(soft, i), c0));
            lt_dvec3 off = lt_d3_sub(x[i], lt_d3_add(c, turned[i]));
            out.goals[i] = lt_d3_mad(out.goals[i], lt_d3_add(c, turned[i]), m / (double)soft->mass[i]);
            out.energy += m * lt_d3_dot(off, off);
        }
        add_flows(&out, soft, v, turned, held);
    }
    return out;
}

/* Velocity less the rigid motion of its momentum. */
static void deforming_velocity(lt_dvec3 *out, const lt_soft *soft) {
    lt_real v[4 * NODES];
    lt_twist momentum = {{0}, {0}};
    memcpy(v, soft->v, 4 * sizeof *v * soft->carrier.node_count);
    lt_twist_add_momentum(&momentum, soft, v, lt_soft_center(soft));
    for (int k = 0; k < 3; k++) {
        momentum.linear[k] *= -1;
        momentum.angular[k] *= -1;
    }
    lt_twist_give(v, soft, lt_soft_center(soft), &momentum);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        out[node] = d3_of_node(v, node);
}

/* Turned, far from the origin, deformed by a third of a cell and damped: f = m κ (g − x + β (p − v)). */
static void forces_and_energy_are_as_defined(void) {
    lt_random random = lt_random_seed(9);
    for (uint32_t kind = 0; kind < LATTICE_KINDS; kind++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = some_lattice(kind);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
        def.material.young = 1e4f;
        def.material.stiffness_damping = 0.004f;
        def.rotation = turn_about(1, -2, 0.5, 2);
        def.position = (lt_dvec3){2, -1, 3};
        def.angular_velocity = (lt_vec3){3, 2, 1};
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        shake(soft, &random, 0.03, 1);
        walk_regions(&soft->carrier, soft->regions.width);
        lt_dvec3 x[NODES], v[NODES];
        deforming_velocity(v, soft);
        for (uint32_t node = 0; node < walked.node_count; node++)
            x[node] = d3_of_node(soft->x, node);
        definition now = match_by_definition(soft, x, v);
        double rate = (double)soft->regions.rate;
        CHECK_NEAR(lt_soft_elastic_energy(soft), rate / 2 * now.energy, 1e-4 * rate / 2 * now.energy);
        lt_real force[4 * NODES] = {0};
        lt_matching_add_forces(soft, force, (lt_real)(1 / 120.0), LT_LEVEL_SCALAR);
        for (uint32_t node = 0; node < walked.node_count; node++) {
            lt_dvec3 pull = lt_d3_sub(now.goals[node], x[node]);
            pull = lt_d3_mad(pull, lt_d3_sub(now.flows[node], v[node]), 0.004);
            lt_dvec3 expected = lt_d3_scale(pull, (double)soft->mass[node] * rate);
            double scale = 0.03 * (double)soft->mass[node] * rate;
            CHECK(lt_d3_distance(d3_of_node(force, node), expected) < by_build(2e-4, 1e-5) * scale);
        }
        stage_free(&s);
    }
}

/* ---- the solid it makes ---- */

/* ½ E ε² per volume for a uniform strain, in the mean of the axes (a flat body has less spread across), whatever the
 * width. */
static void the_modulus_is_that_of_the_material(void) {
    for (int trial = 0; trial < 9; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = some_lattice((uint32_t)trial % 3);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
        double young = (const double[3]){1e2, 3e3, 1e5}[trial / 3];
        def.material.young = (float)young;
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        double volume = (double)soft->total_mass / 1000, expected = 0.5 * young * 1e-4 * volume;
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
                lt_dvec3 rest = rest_of(soft, node);
                const double p[3] = {rest.x * (axis == 0 ? 1.01 : 1), rest.y * (axis == 1 ? 1.01 : 1),
                                     rest.z * (axis == 2 ? 1.01 : 1)};
                lt_node_set(soft->x, node, (lt_rvec3){(lt_real)p[0], (lt_real)p[1], (lt_real)p[2]});
            }
            sum += lt_soft_elastic_energy(soft) / 3;
        }
        CHECK_NEAR(sum, expected, 1e-3 * expected);
        stage_free(&s);
    }
}

/* All of a cell is one region: every even swelling has ω² = κ = 4E/(ρh²), sin(ω'Δt/2) = ωΔt/2. */
static void a_cell_breathes_with_its_frequency(void) {
    const double pi = 3.14159265358979, dt = 1 / 60.0, omega = sqrt(4 * 1e4 / 1000) / 0.2;
    stage s = stage_make((lt_rvec3){0, 0, 0}, dt);
    lattice l = lattice_block(1, 1, 1, 0.2);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
    def.material.young = 1e4f;
    lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
    CHECK_NEAR(soft->regions.rate, omega * omega, 1e-3 * omega * omega);
    lt_rvec3 center = lt_soft_center(soft);
    for (uint32_t node = 0; node < 8; node++)
        lt_node_add(soft->x, node, lt_r3_sub(lt_node_get(soft->x, node), center), (lt_real)0.1);
    /* swelling is a cosine begun half a step early, as symplectic Euler has it: x_n ∝ cos((n + ½) φ) / cos(φ/2) */
    double phi = 2 * asin(omega * dt / 2);
    for (int step = 1; step <= 100; step++) {
        CHECK(stage_step(&s) && soft->substeps == 1);
        double now =
            (double)lt_r3_distance(lt_node_get(soft->x, 0), lt_node_get(soft->x, 7)) / (0.2 * sqrt(3)) - 1;
        CHECK_NEAR(now, 0.1 * cos((step + 0.5) * phi) / cos(phi / 2), 1e-4);
    }
    CHECK(phi * 100 > 4 * pi); /* that was several periods */
    stage_free(&s);
}

static double sag_of_rod(double young, double dt, uint32_t *width) {
    stage s = stage_make((lt_rvec3){0, 0, -10}, dt);
    lattice l = lattice_block(8, 1, 1, 0.05);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
    def.material.young = (float)young;
    def.material.mass_damping = 3;
    def.material.stiffness_damping = 0.01f;
    lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
    lt_real height = lt_soft_center(soft).z;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        if (soft->x[4 * node] < (lt_real)0.08) pin_node(soft, node, lt_node_get(soft->x, node));
    for (int step = 0; step < (int)(4 / dt); step++)
        CHECK(stage_step(&s) && !soft->blown_up);
    CHECK((double)lt_soft_speed(soft) < 0.01);
    double sag = (double)(height - lt_soft_center(soft).z);
    *width = soft->regions.width;
    stage_free(&s);
    return sag;
}

static void stiffer_material_sags_less(void) {
    double before = 1;
    uint32_t width_before = 0, width;
    for (double young = 1e3; young < 2e6; young *= 10) {
        double sag = sag_of_rod(young, 1 / 60.0, &width);
        printf("young %g: half-width %u, sag %.4f m\n", young, width, sag);
        CHECK(sag < before && sag > 0);
        CHECK(width >= width_before);
        before = sag;
        width_before = width;
    }
    CHECK(width_before > 2);
}

/* The same stiffness in short steps as in long ones. */
static void stiffness_does_not_depend_on_the_step(void) {
    uint32_t width;
    double slow = sag_of_rod(2e4, 1 / 60.0, &width), fast = sag_of_rod(2e4, 1 / 240.0, &width);
    CHECK_NEAR(fast, slow, 0.01 * slow);
}

/* ---- states it comes back from ---- */

typedef enum mess { SCRAMBLED, MIRRORED, FLATTENED, POINT, MESS_COUNT } mess;

static void make_mess(lt_soft *soft, mess kind, lt_random *random) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_real *x = soft->x + 4 * (size_t)node;
        if (kind == MIRRORED) x[0] = -x[0];
        if (kind == FLATTENED) x[2] = (lt_real)0.1;
        for (int k = 0; k < 3; k++) {
            if (kind == POINT) x[k] = (lt_real)0.1;
            if (kind == SCRAMBLED) x[k] = (lt_real)(0.3 * (double)lt_random_unit(random));
        }
    }
}

static void any_mess_is_put_right(void) {
    static const char *const words[MESS_COUNT] = {"scrambled", "mirrored", "flattened", "one point"};
    lt_random random = lt_random_seed(21);
    for (int trial = 0; trial < 4 * MESS_COUNT; trial++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lattice l = trial / 4 == SCRAMBLED && trial % 2 ? lattice_strands(0) : lattice_block(3, 3, 3, 0.1);
        lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
        def.material.young = trial % 4 < 2 ? 1e4f : 5e4f;
        def.material.stiffness_damping = 0.02f;
        lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
        make_mess(soft, (mess)(trial / 4), &random);
        for (int step = 0; step < 400; step++)
            CHECK(stage_step(&s) && !soft->blown_up);
        CHECK(soft_is_finite(soft));
        double error = shape_error(soft);
        if (!(error < 5e-3) || soft->inverted_count)
            CHECK_FAIL_MESSAGE("%s %d: off by %g m, %u cells inside out", words[trial / 4], trial, error,
                               soft->inverted_count);
        stage_free(&s);
    }
}

/* Half a second in one step, thrown hard: nodes are a metre apart after the first. What is left in the end is the pull of
 * its turning, against the little stiffness that such a step allows. */
static void long_steps_are_survived(void) {
    lt_random random = lt_random_seed(6);
    stage s = stage_make((lt_rvec3){0, 0, 0}, 0.5);
    lattice l = lattice_strands(0);
    lt_soft_def def = plain_def(LT_MODEL_LATTICE_MATCHING);
    def.material.stiffness_damping = 1;
    def.max_substeps = 1;
    lt_soft *soft = &s.bodies[stage_add_lattice(&s, &l, &def)];
    shake(soft, &random, 0, 2);
    for (int step = 0; step < 200; step++)
        CHECK(stage_step(&s) && !soft->blown_up && soft->time_lost == 0);
    printf("after 200 steps of half a second off by %.2g m\n", shape_error(soft));
    CHECK(shape_error(soft) < 0.1);
    stage_free(&s);
}

int main(void) {
    RUN(sums_are_those_of_walked_regions);
    RUN(regions_are_boxes_and_do_not_leap);
    RUN(forces_and_energy_are_as_defined);
    RUN(the_modulus_is_that_of_the_material);
    RUN(a_cell_breathes_with_its_frequency);
    RUN(stiffer_material_sags_less);
    RUN(stiffness_does_not_depend_on_the_step);
    RUN(any_mess_is_put_right);
    RUN(long_steps_are_survived);
    return check_finish();
}
