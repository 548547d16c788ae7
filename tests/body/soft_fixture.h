/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small soft bodies for the tests of body/: blocks of tets, baked into a shape as any carrier is, and a stage that
 * moves a few of them together. The default material is undamped, so that what is conserved can be seen.
 *
 *     stage s = stage_make((lt_rvec3){0, 0, -9.81}, 1 / 60.0);
 *     uint32_t block = stage_add_block(&s, size, cells, &def);
 *     stage_step(&s);
 *     stage_free(&s); */

#ifndef LITHE_TESTS_SOFT_FIXTURE_H
#define LITHE_TESTS_SOFT_FIXTURE_H

#include "bake/carrier_write.h"
#include "body/models.h"
#include "body/rest_factor.h"
#include "check.h"
#include "core/hash.h"
#include "core/polar.h"
#include "core/random.h"
#include "scenes/generate.h"

#ifdef LITHE_DOUBLE
enum { DOUBLE_BUILD = 1 };
#else
enum { DOUBLE_BUILD = 0 };
#endif

/* The tolerance of the build. */
static inline double by_build(double in_float, double in_double) {
    return DOUBLE_BUILD ? in_double : in_float;
}

static const lt_model BOTH_MODELS[2] = {LT_MODEL_EXPLICIT_FEM, LT_MODEL_COROTATIONAL};

static inline lt_soft_def plain_def(lt_model model) {
    return (lt_soft_def){.model = model,
                         .material = {.young = 1e5f, .poisson = 0.3f, .density = 1000},
                         .rotation = lt_dm3_identity(),
                         .scale = 1,
                         .max_substeps = 1000,
                         .max_iterations = 1000,
                         .tolerance = 1e-6f};
}

/* A rotation about any axis by any angle in radians; tests may use libm. */
static inline lt_dmat3 turn_about(double x, double y, double z, double angle) {
    double length = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / length;
    const double q[4] = {x * s, y * s, z * s, cos(angle / 2)};
    return lt_matrix_from_quaternion(q);
}

/* A test that needs more says so before it includes this. */
#ifndef STAGE_BODY_LIMIT
#define STAGE_BODY_LIMIT 8
#endif
#ifndef STAGE_COUPLING_LIMIT
#define STAGE_COUPLING_LIMIT 256
#endif
enum { STAGE_BODIES = STAGE_BODY_LIMIT, STAGE_COUPLINGS = STAGE_COUPLING_LIMIT };

typedef struct stage {
    lt_soft bodies[STAGE_BODIES];
    lt_shape *shapes[STAGE_BODIES];
    uint32_t awake[STAGE_BODIES];
    uint32_t body_count;
    lt_coupling couplings[STAGE_COUPLINGS];
    uint32_t coupling_count;
    lt_rvec3 gravity;
    lt_real dt;
    lt_simd_level level;
    lt_tasks *tasks;
    uint32_t max_iterations; /* where implicit solves are cut; 0: where bodies say */
    bool rigid_alone;
    uint64_t step;                          /* how many there were */
    uint64_t units_allowed, pieces_allowed; /* likewise, by work; 0: no limit */
    uint64_t units_used, units_fixed;       /* of the last step */
    bool was_cut;
    lt_rest_factors factors; /* of bodies from the first step on */
    lt_arena arena;
    double time_lost;
} stage;

static inline stage stage_make(lt_rvec3 gravity, double dt) {
    return (stage){.gravity = gravity,
                   .dt = (lt_real)dt,
                   .level = lt_simd_best(),
                   .factors = lt_rest_factors_make(NULL)};
}

static inline lt_shape *bake_carrier(const lt_tet_mesh *mesh, const float *fill) {
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape *shape = NULL;
    lt_error error;
    bool ok = lt_carrier_write(&builder, mesh, fill, NULL, &error) == LT_OK;
    ok = lt_shape_builder_finish(&builder, "block", &shape, &error) == LT_OK && ok;
    if (!ok) CHECK_FAIL_MESSAGE("cannot bake: %s", error.message);
    return shape;
}

/* Takes the shape. A test cannot go on without its body. */
static inline uint32_t stage_add_shape(stage *s, lt_shape *shape, const lt_soft_def *def) {
    uint32_t body = s->body_count++;
    lt_carrier carrier;
    lt_error error;
    s->awake[body] = body;
    s->shapes[body] = shape;
    if (!s->shapes[body] || lt_carrier_read(&carrier, s->shapes[body], &error) != LT_OK ||
        lt_soft_create(&s->bodies[body], &carrier, def, NULL, &error) != LT_OK) {
        fprintf(stderr, "in %s: no body: %s\n", check_current, error.message);
        exit(1);
    }
    return body;
}

/* Of the shape of another. */
static inline uint32_t stage_add_alike(stage *s, uint32_t other, const lt_soft_def *def) {
    return stage_add_shape(s, lt_shape_retain(s->shapes[other]), def);
}

static inline uint32_t stage_add_mesh(stage *s, const lt_tet_mesh *mesh, const lt_soft_def *def) {
    return stage_add_shape(s, bake_carrier(mesh, NULL), def);
}

/* From 0 to size in its own frame. */
static inline uint32_t stage_add_block(stage *s, lt_dvec3 size, const uint32_t cells[3],
                                       const lt_soft_def *def) {
    lt_tet_mesh mesh;
    if (lt_generate_tet_block(&mesh, size, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK) exit(1);
    uint32_t body = stage_add_mesh(s, &mesh, def);
    lt_tet_mesh_free(&mesh);
    return body;
}

static inline uint32_t stage_add_cube(stage *s, double side, uint32_t cells, const lt_soft_def *def) {
    return stage_add_block(s, (lt_dvec3){side, side, side}, (const uint32_t[3]){cells, cells, cells}, def);
}

static inline bool stage_step(stage *s) {
    if (s->arena.capacity == 0) {
        for (uint32_t i = 0; i < s->body_count; i++)
            if (lt_rest_factors_add(&s->factors, &s->bodies[i], NULL) != LT_OK) return false;
        size_t bytes = lt_advance_scratch(s->bodies, s->awake, s->body_count, STAGE_COUPLINGS, &s->factors);
        if (!lt_arena_reserve(&s->arena, NULL, bytes)) return false;
    }
    for (uint32_t i = 0; i < s->body_count; i++)
        lt_soft_plan(&s->bodies[i], s->dt);
    lt_rest_factors_update(&s->factors, s->bodies, s->awake, s->body_count, s->dt, s->level);
    lt_advance advance = {.bodies = s->bodies,
                          .factors = &s->factors,
                          .awake = s->awake,
                          .awake_count = s->body_count,
                          .couplings = s->couplings,
                          .coupling_count = s->coupling_count,
                          .gravity = s->gravity,
                          .dt = s->dt,
                          .level = s->level,
                          .tasks = s->tasks,
                          .arena = &s->arena,
                          .max_iterations = s->max_iterations,
                          .rigid_alone = s->rigid_alone,
                          .units_allowed = s->units_allowed,
                          .pieces_allowed = s->pieces_allowed,
                          .step = s->step++};
    bool ok = lt_advance_run(&advance);
    s->units_used = advance.units_used;
    s->units_fixed = advance.units_fixed;
    s->was_cut = advance.was_cut;
    for (uint32_t i = 0; i < s->body_count; i++)
        s->time_lost += (double)s->bodies[i].time_lost;
    return ok;
}

static inline void stage_free(stage *s) {
    lt_rest_factors_free(&s->factors);
    for (uint32_t i = 0; i < s->body_count; i++) {
        lt_soft_free(&s->bodies[i]);
        lt_shape_release(s->shapes[i]);
    }
    lt_arena_free(&s->arena);
    s->body_count = 0;
}

/* ---- what is measured ---- */

static inline lt_dvec3 d3_of_node(const lt_real *vectors, uint32_t node) {
    const lt_real *p = vectors + 4 * (size_t)node;
    return (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* Potential energy of weight, from the origin. */
static inline double height_energy(const stage *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->body_count; i++) {
        const lt_soft *soft = &s->bodies[i];
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            sum -= (double)soft->mass[node] * (double)lt_r3_dot(lt_node_get(soft->x, node), s->gravity);
    }
    return sum;
}

typedef struct momenta {
    lt_dvec3 linear, angular;           /* about the world's origin */
    double linear_scale, angular_scale; /* Σ m|v| and Σ m|x × v|: what roundings are relative to */
} momenta;

static inline momenta momenta_of(const lt_soft *soft) {
    momenta sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        double mass = (double)soft->mass[node];
        lt_dvec3 p = lt_d3_scale(d3_of_node(soft->v, node), mass);
        lt_dvec3 moment = lt_d3_cross(lt_soft_to_world(soft, lt_node_get(soft->x, node)), p);
        sum.linear = lt_d3_add(sum.linear, p);
        sum.angular = lt_d3_add(sum.angular, moment);
        sum.linear_scale += lt_d3_length(p);
        sum.angular_scale += lt_d3_length(moment);
    }
    return sum;
}

static inline momenta stage_momenta(const stage *s) {
    momenta sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (uint32_t i = 0; i < s->body_count; i++) {
        momenta one = momenta_of(&s->bodies[i]);
        sum.linear = lt_d3_add(sum.linear, one.linear);
        sum.angular = lt_d3_add(sum.angular, one.angular);
        sum.linear_scale += one.linear_scale;
        sum.angular_scale += one.angular_scale;
    }
    return sum;
}

static inline double total_energy(const lt_soft *soft) {
    return lt_soft_kinetic_energy(soft) + lt_soft_elastic_energy(soft);
}

static inline bool soft_is_finite(const lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        if (!lt_d3_is_finite(d3_of_node(soft->x, node)) || !lt_d3_is_finite(d3_of_node(soft->v, node)))
            return false;
    return true;
}

/* Largest difference of any pairwise distance from that at rest: 0 for the rest shape wherever it is. */
static inline double shape_error(const lt_soft *soft) {
    double worst = 0;
    for (uint32_t i = 0; i < soft->carrier.node_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double *a = soft->carrier.rest + 3 * (size_t)i, *b = soft->carrier.rest + 3 * (size_t)j;
            double rest = lt_d3_distance((lt_dvec3){a[0], a[1], a[2]}, (lt_dvec3){b[0], b[1], b[2]});
            double now = lt_d3_distance(d3_of_node(soft->x, i), d3_of_node(soft->x, j));
            worst = lt_max_d(worst, fabs(now - rest));
        }
    return worst;
}

/* Elastic forces at the present positions, [node_count][4]; the turns stay as they are. Returns the energy. */
static inline double elastic_forces(const lt_soft *soft, lt_real *force, lt_simd_level level) {
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .v = soft->v,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .force = force};
    if (force) memset(force, 0, 4 * (size_t)soft->carrier.node_count * sizeof *force);
    const lt_element_kernels *kernels = lt_element_kernels_for(level);
    if (soft->model == LT_MODEL_COROTATIONAL)
        kernels->corotate(&work);
    else
        kernels->green(&work);
    return work.energy;
}

static inline double largest_force(const lt_real *force, uint32_t node_count) {
    double largest = 0;
    for (uint32_t node = 0; node < node_count; node++)
        largest = lt_max_d(largest, lt_d3_length(d3_of_node(force, node)));
    return largest;
}

/* ---- saved states: their size, then their bytes ---- */

static inline uint64_t hash_of_state(lt_soft *soft) {
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    lt_soft_visit(&s, soft);
    return s.hash;
}

/* What the state of a body takes at most, whatever its numbers. */
static inline size_t room_for_state(const lt_soft *soft) {
    return 2 * soft->state_size + 64;
}

static inline void save_state(lt_soft *soft, uint8_t *bytes) {
    uint64_t size;
    lt_stream s = lt_stream_save(bytes + sizeof size, room_for_state(soft) - sizeof size);
    lt_soft_visit(&s, soft);
    CHECK(s.used <= s.size);
    size = s.used;
    memcpy(bytes, &size, sizeof size);
}

static inline bool restore_state(lt_soft *soft, const uint8_t *bytes) {
    lt_arena drafts = {0};
    uint64_t size;
    memcpy(&size, bytes, sizeof size);
    CHECK(lt_arena_reserve(&drafts, NULL, soft->state_size + 64));
    lt_stream s = lt_stream_check(bytes + sizeof size, size, &drafts);
    lt_soft_visit(&s, soft);
    lt_arena_free(&drafts);
    if (!lt_stream_passed(&s)) return false;
    s = lt_stream_load(bytes + sizeof size, size);
    lt_soft_visit(&s, soft);
    return true;
}

/* The same bits as `golden` on one thread, two and four, and at every SIMD level. */
static inline void check_bits(const char *name, uint64_t golden,
                              uint64_t (*run)(uint32_t thread_count, lt_simd_level level)) {
    uint64_t hash = run(1, LT_LEVEL_SCALAR);
    check_golden(name, hash);
    CHECK(hash == golden);
    for (int level = 1; level <= (int)lt_simd_best(); level++)
        CHECK(run(1, (lt_simd_level)level) == hash);
    for (uint32_t threads = 2; threads <= 4; threads *= 2)
        CHECK(run(threads, lt_simd_best()) == hash);
}

static inline const char *model_word(lt_model model) {
    return lt_model_name(model);
}

#endif
