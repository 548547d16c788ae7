/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One body: its memory, constants, state, and the sums over its nodes. All arrays lie in one block; what must be
 * saved lies together at its beginning (soft_state.c):
 *
 *   │ x │ v │ turns │ pin_target │ x_seen │ offset … energy │ pinned │ … mass │ elements │ force │ x_before │ published nodes │
 *   └──────────── state ────────────────────────────┘ */

#include "body/multigrid.h"
#include "core/polar.h"

#include <string.h>

/* Groups of eight that keep a rotation from step to step. */
static uint32_t turn_group_count(const lt_soft *s) {
    uint32_t nodes = s->carrier.node_count;
    if (!lt_soft_is_explicit(s)) return s->elements.group_count;
    return s->model == LT_MODEL_LATTICE_MATCHING ? nodes / LT_GROUP + (nodes % LT_GROUP != 0) : 0;
}

static void carve_state(lt_soft *s, lt_carver *c) {
    size_t nodes = s->carrier.node_count;
    s->x = lt_carve(c, 4 * nodes, sizeof(lt_real));
    s->v = lt_carve(c, 4 * nodes, sizeof(lt_real));
    s->turns = lt_carve(c, 4 * (size_t)LT_GROUP * turn_group_count(s), sizeof(lt_real));
    s->pin_target = lt_carve(c, 4 * nodes, sizeof(lt_real));
    s->x_seen = lt_carve(c, s->carrier.cell_count > 0 ? 4 * nodes : 0, sizeof(lt_real));
    s->offset = lt_carve(c, s->model == LT_MODEL_MULTIGRID ? 4 * nodes : 0, sizeof(lt_real));
    s->settled = lt_carve(c, s->model == LT_MODEL_MULTIGRID ? 4 * nodes : 0, sizeof(lt_real));
    s->gain = lt_carve(c, s->model == LT_MODEL_MULTIGRID ? 4 * nodes : 0, sizeof(lt_real));
    s->errors = lt_carve(c, s->model == LT_MODEL_MULTIGRID ? nodes : 0, sizeof(lt_real));
    s->patience = lt_carve(c, s->model == LT_MODEL_MULTIGRID, sizeof(lt_real));
    s->energy = lt_carve(c, 2, sizeof(lt_real));
    s->pinned = lt_carve(c, nodes, 1);
    s->refined = lt_carve(c, s->model == LT_MODEL_MULTIGRID ? nodes : 0, 1);
    s->state_size = c->used;
}

static size_t carve_all(lt_soft *s, uint8_t *memory) {
    lt_carver c = {memory, 0};
    size_t nodes = s->carrier.node_count, groups = s->elements.group_count;
    carve_state(s, &c);
    s->mass = lt_carve(&c, nodes, sizeof(lt_real));
    s->elements.nodes = lt_carve(&c, 4 * LT_GROUP * groups, sizeof(uint32_t));
    s->elements.gradients = lt_carve(&c, 9 * LT_GROUP * groups, sizeof(lt_real));
    s->elements.volumes = lt_carve(&c, LT_GROUP * groups, sizeof(lt_real));
    s->force = lt_carve(&c, 4 * nodes, sizeof(lt_real));
    s->x_before = lt_carve(&c, 4 * nodes, sizeof(lt_real));
    s->v_before = lt_carve(&c, s->model == LT_MODEL_MULTIGRID ? 4 * nodes : 0, sizeof(lt_real));
#ifdef LITHE_DOUBLE
    s->nodes = lt_carve(&c, 4 * nodes, sizeof(float));
    s->node_velocities = lt_carve(&c, 4 * nodes, sizeof(float));
#else
    s->nodes = s->x;
    s->node_velocities = s->v;
#endif
    return c.used;
}

/* Rows of the inverse of [x1−x0, x2−x0, x3−x0]: the gradients of corners 1, 2, 3. */
static lt_dmat3 inverse_edges(const lt_dvec3 p[4], double *volume) {
    lt_dmat3 edges = {lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0]), lt_d3_sub(p[3], p[0])};
    *volume = lt_dm3_determinant(edges) / 6;
    return lt_dm3_inverse(edges);
}

/* The least altitude of a tet; *steepness: Σ 1/altitude², which is the sum of its squared gradients. */
static double measure_altitudes(const lt_dvec3 p[4], double volume, double *steepness) {
    double largest = 0, squares = 0;
    for (int i = 0; i < 4; i++) {
        lt_dvec3 a = p[(i + 1) % 4], b = p[(i + 2) % 4], c = p[(i + 3) % 4];
        double area = lt_d3_length(lt_d3_cross(lt_d3_sub(b, a), lt_d3_sub(c, a))) / 2;
        largest = lt_max_d(largest, area);
        squares += area * area;
    }
    *steepness = squares / (9 * volume * volume);
    return 3 * volume / largest;
}

static void write_element(lt_soft *s, uint32_t slot, uint32_t tet, lt_dmat3 inverse, double volume) {
    LT_ASSERT(tet < s->carrier.tet_count);
    uint32_t group = slot / LT_GROUP, lane = slot % LT_GROUP;
    const double rows[9] = {inverse.c0.x, inverse.c1.x, inverse.c2.x, inverse.c0.y, inverse.c1.y,
                            inverse.c2.y, inverse.c0.z, inverse.c1.z, inverse.c2.z};
    for (uint32_t k = 0; k < 4; k++)
        s->elements.nodes[(4 * (size_t)group + k) * LT_GROUP + lane] = s->carrier.tets[4 * (size_t)tet + k];
    for (uint32_t k = 0; k < 9; k++)
        s->elements.gradients[(9 * (size_t)group + k) * LT_GROUP + lane] = (lt_real)rows[k];
    s->elements.volumes[(size_t)group * LT_GROUP + lane] = (lt_real)volume;
}

static lt_status build_elements(lt_soft *s, double scale, lt_error *error) {
    double altitude = 1e300, steepness = 0, edges = 0;
    uint32_t slots = s->elements.group_count * LT_GROUP, tet_count = s->carrier.tet_count;
    uint32_t finest_count = s->carrier.ladder.level_count ? s->carrier.ladder.tet_begin[1] : tet_count;
    for (uint32_t slot = 0; slot < slots; slot++) {
        bool padding = slot >= tet_count;
        uint32_t tet = padding ? tet_count - 1 : slot;
        const uint32_t *t = s->carrier.tets + 4 * (size_t)tet;
        lt_dvec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = lt_carrier_rest(&s->carrier, t[k], scale);
        double volume;
        lt_dmat3 inverse = inverse_edges(p, &volume);
        if (!(volume > 0))
            return lt_fail(error, LT_STATUS_INVALID, "tet %u has volume %g at rest; bake the shape again",
                           tet, volume);
        write_element(s, slot, tet, inverse, padding ? 0 : volume * s->carrier.fill[tet]);
        if (padding || tet >= finest_count) continue;
        double own_steepness;
        altitude = lt_min_d(altitude, measure_altitudes(p, volume, &own_steepness));
        steepness = lt_max_d(steepness, own_steepness);
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++)
                edges += lt_d3_distance(p[i], p[j]) / 6;
    }
    s->least_altitude = (lt_real)altitude;
    s->steepness = (lt_real)steepness;
    s->mean_edge = (lt_real)(edges / finest_count);
    return LT_OK;
}

static lt_status build_constants(lt_soft *s, double scale, lt_error *error) {
    lt_status status = LT_OK;
    if (s->carrier.cell_count > 0)
        s->least_altitude = s->mean_edge = (lt_real)(s->carrier.cell_size * scale);
    else
        status = build_elements(s, scale, error);
    if (status != LT_OK) return status;
    lt_soft_weigh(s, scale);
    if (s->model == LT_MODEL_LATTICE_SPRINGS) return lt_springs_create(&s->springs, s, error);
    if (s->model == LT_MODEL_LATTICE_MATCHING) return lt_matching_create(&s->regions, s, error);
    if (s->model == LT_MODEL_MULTIGRID) return lt_multigrid_create(s, error);
    return LT_OK;
}

/* Its size, which damaged files and scales may make anything, and the frame that its place and that ask for. */
static lt_status choose_frame(lt_soft *s, const lt_soft_def *def, lt_error *error) {
    lt_dvec3 lo = {1e300, 1e300, 1e300}, hi = {-1e300, -1e300, -1e300};
    for (uint32_t node = 0; node < s->carrier.node_count; node++) {
        lt_dvec3 rest = lt_carrier_rest(&s->carrier, node, def->scale);
        lo = lt_d3_min(lo, rest);
        hi = lt_d3_max(hi, rest);
    }
    double size = lt_d3_distance(lo, hi);
    if (!(size > 1 / (double)LT_FARTHEST && size <= (double)LT_FARTHEST))
        return lt_fail(error, LT_STATUS_INVALID,
                       "the body would be %g m across: 1e-15 to 1e15 can be moved; give another scale", size);
    s->size = (lt_real)size;
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(lo, hi), 0.5);
    lt_dvec3 place = lt_d3_add(lt_dm3_mul_vec(def->rotation, middle), def->position);
    double cell = lt_frame_cell((double)s->size);
    if (!lt_frame_serves(s->origin, place, LT_FRAME_CELLS * cell)) lt_frame_nearest(s->origin, place, cell);
    return LT_OK;
}

static void place_nodes(lt_soft *s, const lt_soft_def *def) {
    for (uint32_t node = 0; node < s->carrier.node_count; node++) {
        lt_dvec3 rest = lt_carrier_rest(&s->carrier, node, def->scale);
        lt_dvec3 placed = lt_d3_add(lt_dm3_mul_vec(def->rotation, rest), def->position);
        lt_node_set(s->x, node, lt_soft_from_world(s, placed));
    }
    lt_rvec3 center = lt_soft_center(s);
    lt_rvec3 v = lt_r3_from_v3(def->velocity), w = lt_r3_from_v3(def->angular_velocity);
    for (uint32_t node = 0; node < s->carrier.node_count; node++)
        lt_node_set(s->v, node, lt_r3_add(v, lt_r3_cross(w, lt_r3_sub(lt_node_get(s->x, node), center))));
}

/* Those of elements are the body's, those of regions are relative to it. */
static void start_turns(lt_soft *s, lt_dmat3 rotation) {
    double q[4];
    lt_quaternion_from_matrix(q, !lt_soft_is_explicit(s) ? rotation : lt_dm3_identity());
    uint32_t groups = turn_group_count(s);
    for (uint32_t group = 0; group < groups; group++)
        for (uint32_t k = 0; k < 4; k++)
            for (uint32_t lane = 0; lane < LT_GROUP; lane++)
                s->turns[(4 * (size_t)group + k) * LT_GROUP + lane] = (lt_real)q[k];
}

/* At rest nothing is to be seen on finer levels. */
static void start_front(lt_soft *s) {
    lt_front_set_level(s, s->refine_threshold > 0 ? lt_level_count(s) - 2 : 0);
}

lt_status lt_soft_create(lt_soft *out, const lt_carrier *carrier, const lt_soft_def *def,
                         const lt_allocator *allocator, lt_error *error) {
    if (lt_model_is_of_cells(def->model) != (carrier->cell_count > 0))
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       carrier->cell_count > 0
                           ? "the shape is a lattice: its model is lattice-springs or lattice-matching"
                           : "the model is one of lattices, the shape has tets: bake it with a lattice");
    if (def->model == LT_MODEL_MULTIGRID && carrier->ladder.level_count < 2)
        return lt_fail(
            error, LT_STATUS_UNSUPPORTED,
            "the model multigrid needs a ladder of meshes, the shape has one: bake it with --carrier ladder");
    lt_soft s = {
        .carrier = *carrier, .model = def->model, .material = def->material, .made_of = def->material};
    s.max_substeps = def->max_substeps;
    s.max_iterations = def->max_iterations;
    s.solve_interval = lt_max_u32(1, def->solve_interval);
    s.tolerance = def->tolerance;
    s.refine_threshold = lt_min_r((lt_real)def->refine_threshold, LT_NO_LIMIT);
    s.significance = 1;
    s.as_printed = def->as_printed;
    s.scale = (lt_real)def->scale;
    s.planned_substeps = 1;
    s.factor = s.last_factor = LT_NONE;
    s.allocator = allocator ? *allocator : lt_allocator_default();
    s.elements.group_count = carrier->tet_count / LT_GROUP + (carrier->tet_count % LT_GROUP != 0);
    s.young = s.material.young;
    lt_soft_stiffen(&s);
    s.memory_size = carve_all(&s, NULL);
    s.memory = LT_NEW(&s.allocator, s.memory_size, uint8_t);
    if (!s.memory)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a body of %u nodes", carrier->node_count);
    carve_all(&s, s.memory);
    lt_status status = build_constants(&s, def->scale, error);
    if (status == LT_OK) status = choose_frame(&s, def, error);
    if (status != LT_OK) {
        lt_soft_free(&s);
        return status;
    }
    s.energy[0] = -1;
    if (s.grid) start_front(&s);
    place_nodes(&s, def);
    if (carrier->cell_count > 0) memcpy(s.x_seen, s.x, 4 * (size_t)carrier->node_count * sizeof(lt_real));
    start_turns(&s, def->rotation);
    lt_soft_follow(&s);
    *out = s;
    return LT_OK;
}

void lt_soft_free(lt_soft *soft) {
    lt_springs_free(&soft->springs, &soft->allocator);
    lt_regions_free(&soft->regions, &soft->allocator);
    lt_multigrid_free(soft->grid);
    LT_DELETE(&soft->allocator, (uint8_t *)soft->memory, soft->memory_size, uint8_t);
    *soft = (lt_soft){0};
}

lt_rvec3 lt_soft_center(const lt_soft *soft) {
    double sum[3] = {0, 0, 0}, mass = 0;
    const uint32_t *nodes = lt_soft_row_nodes(soft); /* others have no mass */
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        for (int k = 0; k < 3; k++)
            sum[k] += (double)soft->mass[node] * soft->x[4 * (size_t)node + (size_t)k];
        mass += soft->mass[node];
    }
    return (lt_rvec3){(lt_real)(sum[0] / mass), (lt_real)(sum[1] / mass), (lt_real)(sum[2] / mass)};
}

lt_dvec3 lt_soft_world_center(const lt_soft *soft) {
    return lt_soft_to_world(soft, lt_soft_center(soft));
}

lt_dvec3 lt_soft_exact_momentum(const lt_soft *soft) {
    double sum[3] = {0, 0, 0};
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    for (uint32_t row = 0, count = lt_soft_row_count(soft); row < count; row++) {
        uint32_t node = lt_row_node(nodes, row);
        for (int k = 0; k < 3; k++)
            sum[k] += (double)soft->mass[node] * soft->v[4 * (size_t)node + (size_t)k];
    }
    return (lt_dvec3){sum[0], sum[1], sum[2]};
}

lt_rvec3 lt_soft_momentum(const lt_soft *soft) {
    lt_dvec3 sum = lt_soft_exact_momentum(soft);
    return (lt_rvec3){(lt_real)sum.x, (lt_real)sum.y, (lt_real)sum.z};
}

double lt_soft_kinetic_energy(const lt_soft *soft) {
    double sum = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        sum += 0.5 * (double)soft->mass[node] * (double)lt_r3_length_squared(lt_node_get(soft->v, node));
    return sum;
}

double lt_soft_elastic_energy(const lt_soft *soft) {
    if (soft->model == LT_MODEL_LATTICE_SPRINGS) return lt_springs_energy(soft);
    if (soft->model == LT_MODEL_LATTICE_MATCHING) return lt_matching_energy(soft);
    lt_elements counting = soft->elements;
    if (soft->grid) counting.volumes = soft->grid->volumes;
    lt_element_work work = {
        .elements = &counting, .x = soft->x, .lambda = soft->lambda, .mu = soft->mu, .turns = soft->turns};
    if (soft->grid) {
        work.groups = soft->grid->groups;
        work.group_count = soft->grid->used_group_count;
    }
    const lt_element_kernels *kernels = lt_element_kernels_for(LT_LEVEL_SCALAR);
    if (!lt_soft_is_explicit(soft))
        kernels->corotate(&work);
    else
        kernels->green(&work);
    return work.energy;
}

lt_real lt_soft_speed(const lt_soft *soft) {
    lt_real fastest = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        fastest = lt_max_r(fastest, lt_r3_length_squared(lt_node_get(soft->v, node)));
    return lt_sqrt_r(fastest);
}

lt_real lt_anchor_inverse_mass(const lt_anchor *anchor, const lt_soft *soft) {
    lt_real sum = 0;
    lt_anchor moving = lt_soft_resolve(soft, anchor);
    for (uint32_t i = 0; i < moving.count; i++)
        sum += moving.weights[i] * moving.weights[i] * lt_soft_inverse_mass(soft, moving.ids[i]);
    return sum;
}

lt_contact_scale lt_soft_contact_scale(const lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_real substep = dt / (lt_real)soft->planned_substeps;
    if (lt_model_is_of_cells(soft->model)) return (lt_contact_scale){substep, LT_LATTICE_FIRMNESS};
    if (lt_soft_is_explicit(soft)) return (lt_contact_scale){substep, (lt_real)0.6};
    return (lt_contact_scale){dt, LT_FIRMNESS};
}

lt_real lt_lattice_rate(const lt_soft *soft) {
    return soft->model == LT_MODEL_LATTICE_SPRINGS ? lt_springs_rate(soft) : soft->regions.rate;
}

lt_real lt_lattice_room(const lt_soft *soft, lt_real h) {
    LT_ASSERT(h > 0);
    bool springs = soft->model == LT_MODEL_LATTICE_SPRINGS;
    return LT_STABLE_SUM - (springs ? lt_springs_share(soft, h) : lt_matching_share(soft, h));
}

void lt_soft_plan(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    soft->planned_substeps = 1;
    soft->time_lost = 0;
    if (soft->model == LT_MODEL_EXPLICIT_FEM) lt_fem_plan(soft, dt);
    if (soft->model == LT_MODEL_LATTICE_SPRINGS) lt_springs_plan(soft, dt);
    if (soft->model == LT_MODEL_LATTICE_MATCHING) lt_matching_plan(soft, dt);
}
