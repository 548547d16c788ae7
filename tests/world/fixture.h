/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small generated shapes, worlds made of them, and what must hold of every world after every step. */

#ifndef LITHE_TESTS_WORLD_FIXTURE_H
#define LITHE_TESTS_WORLD_FIXTURE_H

#include "bake/icosahedral.h"
#include "check.h"
#include "lithe/bake.h"
#include "lithe/lithe.h"
#include "scenes/generate.h"

#include <inttypes.h>

#define STEP_DT (1.0f / 60.0f)

/* ---- shapes ---- */

static inline lt_shape *shape_of_tets(lt_tet_mesh *mesh) {
    lt_shape *shape = NULL;
    lt_error error = {0};
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh->positions[0].x;
    def.tets = mesh->tets;
    def.node_count = mesh->node_count;
    def.tet_count = mesh->tet_count;
    def.distance_resolution = 32;
    if (lt_bake_tets(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_tet_mesh_free(mesh);
    return shape;
}

/* A block of the given size, centred on the origin. */
static inline lt_shape *block_shape(double x, double y, double z, uint32_t nx, uint32_t ny, uint32_t nz) {
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {nx, ny, nz};
    if (lt_generate_tet_block(&mesh, (lt_dvec3){x, y, z}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return NULL;
    for (uint32_t i = 0; i < mesh.node_count; i++) {
        mesh.positions[i].x -= x / 2;
        mesh.positions[i].y -= y / 2;
        mesh.positions[i].z -= z / 2;
    }
    return shape_of_tets(&mesh);
}

static inline lt_shape *cube_shape(double side, uint32_t cells) {
    return block_shape(side, side, side, cells, cells, cells);
}

static inline lt_shape *ball_shape(double radius, uint32_t layers) {
    lt_tet_mesh mesh;
    if (lt_generate_tet_ball(&mesh, radius, layers, NULL, NULL) != LT_OK) return NULL;
    return shape_of_tets(&mesh);
}

static inline lt_shape *torus_shape(double major, double minor, uint32_t segments) {
    lt_tet_mesh mesh;
    if (lt_generate_tet_torus(&mesh, major, minor, segments, NULL, NULL) != LT_OK) return NULL;
    return shape_of_tets(&mesh);
}

/* ---- worlds ---- */

static inline lt_world *make_world(const lt_world_def *def) {
    lt_world *world = NULL;
    lt_error error = {0};
    lt_world_def standard = lt_world_def_default();
    standard.contact_capacity = 2048;
    standard.pair_capacity = 128;
    if (lt_world_create(def ? def : &standard, &world, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    return world;
}

/* The standard def of these tests: small capacities, diagnostics on. */
static inline lt_world_def test_world_def(void) {
    lt_world_def def = lt_world_def_default();
    def.contact_capacity = 2048;
    def.pair_capacity = 128;
    def.diagnostics = true;
    return def;
}

static inline lt_body_id add_body_def(lt_world *world, const lt_body_def *def) {
    lt_error error = {0};
    lt_body_id id = lt_world_add_body(world, def, &error);
    if (!id.index_plus_one) CHECK_FAIL_MESSAGE("%s", error.message);
    return id;
}

static inline lt_body_id add_body(lt_world *world, lt_shape *shape, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    return add_body_def(world, &def);
}

static inline lt_obstacle_id add_obstacle_def(lt_world *world, const lt_obstacle_def *def) {
    lt_error error = {0};
    lt_obstacle_id id = lt_world_add_obstacle(world, def, &error);
    if (!id.index_plus_one) CHECK_FAIL_MESSAGE("%s", error.message);
    return id;
}

static inline lt_obstacle_id add_floor(lt_world *world) {
    lt_obstacle_def def = lt_obstacle_def_default();
    return add_obstacle_def(world, &def);
}

static inline lt_report step_many(lt_world *world, uint32_t count, lt_budget budget) {
    lt_report report = {0};
    for (uint32_t i = 0; i < count; i++)
        report = lt_world_step(world, STEP_DT, budget);
    return report;
}

static inline lt_report run(lt_world *world, uint32_t count) {
    return step_many(world, count, lt_budget_unlimited());
}

/* ---- reading ---- */

static inline lt_vec3 surface_low(lt_world *world, lt_body_id body) {
    lt_surface_view view = lt_body_surface(world, body);
    lt_vec3 low = {1e30f, 1e30f, 1e30f};
    for (uint32_t i = 0; i < view.vertex_count; i++)
        low = lt_v3_min(low, view.positions[i]);
    return low;
}

static inline lt_vec3 surface_high(lt_world *world, lt_body_id body) {
    lt_surface_view view = lt_body_surface(world, body);
    lt_vec3 high = {-1e30f, -1e30f, -1e30f};
    for (uint32_t i = 0; i < view.vertex_count; i++)
        high = lt_v3_max(high, view.positions[i]);
    return high;
}

/* Fastest node; -1 when anything is not finite. */
static inline float fastest_node(const lt_world *world, lt_body_id body) {
    static lt_vec3 positions[8192], velocities[8192];
    uint32_t count = lt_body_node_count(world, body);
    if (count > 8192) return -1;
    lt_body_get_nodes(world, body, positions, velocities);
    float fastest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!lt_v3_is_finite(positions[i]) || !lt_v3_is_finite(velocities[i])) return -1;
        fastest = lt_max_f(fastest, lt_v3_length(velocities[i]));
    }
    return fastest;
}

static inline bool world_is_finite(const lt_world *world) {
    for (uint32_t i = 0; i < lt_world_body_count(world); i++)
        if (fastest_node(world, lt_world_body_at(world, i)) < 0) return false;
    return true;
}

/* The order in which contacts come: body_a's or the lower slot of the pair first, then kind (self, bodies,
 * obstacle), partner, point. */
static inline void contact_key(const lt_contact *c, uint64_t key[3]) {
    uint32_t a = c->body_a.index_plus_one, b = c->body_b.index_plus_one, kind = 1;
    uint32_t first = a, second = b, side = 0;
    if (b == 0) {
        kind = 2;
        second = c->obstacle.index_plus_one;
    } else if (a == b) {
        kind = 0;
    } else if (b < a) {
        first = b;
        second = a;
        side = 1;
    }
    key[0] = ((uint64_t)first << 2) | kind;
    key[1] = ((uint64_t)second << 1) | side;
    key[2] = c->feature_a;
}

/* Contacts of spheres and boxes have no point, and are in the order of these, which is not told, whichever side they are
 * of: equal pairs will do there. */
static inline bool keys_ascend(const uint64_t x[3], const uint64_t y[3], bool have_points) {
    if (x[0] != y[0]) return x[0] < y[0];
    if (!have_points) return x[1] >> 1 <= y[1] >> 1;
    return x[1] != y[1] ? x[1] < y[1] : x[2] < y[2];
}

/* How many of the contacts are not what world.h promises; 0 when all are sound and in order. */
static inline uint32_t unsound_contacts_of(const lt_world *world, bool have_points) {
    uint32_t count, wrong = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    uint64_t before[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const lt_contact *c = &contacts[i];
        uint64_t key[3];
        contact_key(c, key);
        bool sound = lt_v3_is_finite(c->point) && lt_v3_is_finite(c->force) && c->depth - c->depth == 0 &&
                     fabsf(lt_v3_length(c->normal) - 1) < 1e-4f && lt_body_is_valid(world, c->body_a) &&
                     (c->body_b.index_plus_one != 0) != (c->obstacle.index_plus_one != 0) &&
                     (c->age > 0) == (c->status == LT_CONTACT_PREDICTED) &&
                     (!have_points || c->status != LT_CONTACT_APPROXIMATE) &&
                     (i == 0 || keys_ascend(before, key, have_points));
        if (c->body_b.index_plus_one) sound = sound && lt_body_is_valid(world, c->body_b);
        wrong += !sound;
        memcpy(before, key, sizeof key);
    }
    return wrong;
}

static inline uint32_t unsound_contacts(const lt_world *world) {
    return unsound_contacts_of(world, true);
}

/* Whether the report's counts agree with each other and with the list of contacts. */
static inline bool report_is_consistent(const lt_world *world, const lt_report *report) {
    uint32_t count;
    uint64_t units = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    uint64_t by_status[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        by_status[contacts[i].status]++;
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        units += report->cuts.units[stage];
    return report->contacts == count && report->exact == by_status[LT_CONTACT_EXACT] &&
           report->approximate == by_status[LT_CONTACT_APPROXIMATE] &&
           report->contacts == report->exact + report->approximate + report->predicted &&
           units == report->units && report->interrupted <= 1 &&
           (report->pending == 0 || report->interrupted);
}

/* ---- snapshots ---- */

typedef struct saved {
    uint8_t *bytes;
    size_t size;
} saved;

static inline saved save_world(const lt_world *world) {
    saved s = {.size = lt_world_snapshot_size(world)};
    s.bytes = LT_NEW(NULL, s.size, uint8_t);
    CHECK_COUNT(lt_world_snapshot(world, s.bytes, s.size), s.size);
    return s;
}

static inline lt_status load_world(lt_world *world, const saved *s) {
    lt_error error = {0};
    lt_status status = lt_world_restore(world, s->bytes, s->size, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return status;
}

static inline void drop_saved(saved *s) {
    LT_DELETE(NULL, s->bytes, s->size, uint8_t);
    *s = (saved){0};
}

/* ---- caller's bugs are counted, not fatal ---- */

static int caller_bugs;

static inline void count_caller_bug(const char *condition, const char *file, int line) {
    (void)condition;
    (void)file;
    (void)line;
    caller_bugs++;
}

/* Runs the expression and checks that it was reported as exactly one caller's bug. */
#define CHECK_CALLER_BUG(expression)                                                                         \
    do {                                                                                                     \
        caller_bugs = 0;                                                                                     \
        lt_set_assert_handler(count_caller_bug);                                                             \
        expression;                                                                                          \
        lt_set_assert_handler(NULL);                                                                         \
        check_count++;                                                                                       \
        if (caller_bugs != 1) CHECK_FAIL_MESSAGE("%d bugs reported, not 1: %s", caller_bugs, #expression);   \
    } while (0)

/* ---- a clock that goes by calls ---- */

typedef struct fake_clock {
    uint64_t now_ns;
    uint64_t tick_ns; /* passes at every look */
} fake_clock;

static inline uint64_t fake_clock_now(void *context) {
    fake_clock *clock = context;
    clock->now_ns += clock->tick_ns;
    return clock->now_ns;
}

#endif
