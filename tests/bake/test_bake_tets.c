/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A user's tet mesh to a shape: what is mended and told, what is refused and how, that the same input gives the same
 * bytes, and that nothing is left behind when memory runs out.
 *
 * labels: golden wasm */

#include "check.h"

#include "bake/icosahedral.h"
#include "embed/embed.h"
#include "failing_allocator.h"
#include "lithe/bake.h"
#include "scenes/generate.h"

/* A unit cube of five tets; node 8 is used by none. */
static const double NODES[9][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1},
                                   {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {9, 9, 9}};
static const uint32_t TETS[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}};

static lt_bake_tets_def cube_def(void) {
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.name = "cube";
    def.node_positions = &NODES[0][0];
    def.node_count = 8;
    def.tets = &TETS[0][0];
    def.tet_count = 5;
    def.distance_resolution = 6;
    return def;
}

static void set_surface(lt_bake_tets_def *def, const lt_surface *surface) {
    def->surface_positions = &surface->positions[0].x;
    def->surface_triangles = surface->triangles;
    def->surface_vertex_count = surface->vertex_count;
    def->surface_triangle_count = surface->triangle_count;
}

typedef struct baked {
    lt_shape *shape;
    lt_bake_notes notes;
    lt_carrier carrier;
    lt_skin skin;
} baked;

static bool bake(baked *b, const lt_bake_tets_def *def) {
    lt_error error = {LT_OK, ""};
    memset(b, 0, sizeof *b);
    lt_status status = lt_bake_tets(def, &b->shape, &b->notes, &error);
    if (status == LT_OK) status = lt_carrier_read(&b->carrier, b->shape, &error);
    if (status == LT_OK) status = lt_skin_read(&b->skin, b->shape, &b->carrier, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return status == LT_OK;
}

static double volume_of(const lt_carrier *c, uint32_t tet) {
    lt_dvec3 p[4];
    for (int k = 0; k < 4; k++)
        p[k] = *(const lt_dvec3 *)(c->rest + 3 * (size_t)c->tets[4 * (size_t)tet + (size_t)k]);
    return lt_tet_volume(p[0], p[1], p[2], p[3]);
}

static lt_surface ball_inside(double radius) {
    lt_surface ball;
    if (lt_generate_icosphere(&ball, radius, 1, NULL, NULL) != LT_OK) return (lt_surface){0};
    for (uint32_t i = 0; i < ball.vertex_count; i++)
        ball.positions[i] = lt_v3_add(ball.positions[i], (lt_vec3){0.5f, 0.5f, 0.5f});
    return ball;
}

/* ---- what is made ---- */

static void the_boundary_is_the_surface(void) {
    lt_bake_tets_def def = cube_def();
    baked b;
    CHECK_FATAL(bake(&b, &def));
    CHECK_COUNT(b.carrier.node_count, 8);
    CHECK_COUNT(b.carrier.tet_count, 5);
    CHECK_COUNT(b.skin.point_count, 8);
    CHECK_COUNT(b.skin.triangle_count, 12);
    CHECK(b.notes.turned_tets == 0 && b.notes.unused_nodes == 0 && b.notes.outside_vertices == 0);
    CHECK(b.notes.open_edges == 0 && b.notes.farthest_outside == 0);
    double volume = 0, six_volumes = 0;
    for (uint32_t i = 0; i < 5; i++)
        volume += volume_of(&b.carrier, i);
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t *t = b.skin.triangles + 3 * (size_t)i;
        six_volumes +=
            (double)lt_v3_dot(b.skin.rest[t[0]], lt_v3_cross(b.skin.rest[t[1]], b.skin.rest[t[2]]));
    }
    CHECK_NEAR(volume, 1, 1e-12);
    CHECK_NEAR(six_volumes / 6, 1, 1e-6); /* outward */
    float distance;
    lt_distance_grid_sample(&b.skin.distance, (lt_vec3){0.5f, 0.5f, 0.75f}, &distance, NULL);
    CHECK_NEAR(distance, -0.25, 0.01);
    CHECK_CONTAINS(lt_shape_name(b.shape), "cube");
    lt_shape_release(b.shape);
}

static void a_surface_inside_is_taken_as_it_is(void) {
    lt_surface ball = ball_inside(0.3);
    lt_bake_tets_def def = cube_def();
    set_surface(&def, &ball);
    for (int links = 0; links < 2; links++) {
        baked b;
        def.embedding = links ? LT_EMBEDDING_RIGID_LINKS : LT_EMBEDDING_BARYCENTRIC;
        CHECK_FATAL(bake(&b, &def));
        CHECK_COUNT(b.skin.point_count, ball.vertex_count);
        CHECK(memcmp(b.skin.rest, ball.positions, ball.vertex_count * sizeof(lt_vec3)) == 0);
        CHECK(memcmp(b.skin.triangles, ball.triangles, 12 * (size_t)ball.triangle_count) == 0);
        CHECK((b.skin.offsets != NULL) == links);
        CHECK_COUNT(b.notes.outside_vertices, 0);
        lt_shape_release(b.shape);
    }
    lt_surface_free(&ball);
}

static void mended_things_are_noted(void) {
    lt_bake_tets_def def = cube_def();
    uint32_t tets[5][4];
    double nodes[10][3];
    memcpy(tets, TETS, sizeof tets);
    tets[1][0] = TETS[1][1];
    tets[1][1] = TETS[1][0]; /* two inside out */
    tets[4][2] = TETS[4][3];
    tets[4][3] = TETS[4][2];
    /* nodes 0 and 5 of no use, the others shifted; a NaN in one that nobody uses is nobody's business */
    static const uint32_t place[8] = {1, 2, 3, 4, 6, 7, 8, 9};
    for (int i = 0; i < 8; i++)
        memcpy(nodes[place[i]], NODES[i], sizeof nodes[0]);
    nodes[0][0] = nodes[5][1] = (double)NAN;
    for (uint32_t *t = &tets[0][0]; t < &tets[0][0] + 20; t++)
        *t = place[*t];
    def.node_positions = &nodes[0][0];
    def.node_count = 10;
    def.tets = &tets[0][0];
    baked b;
    CHECK_FATAL(bake(&b, &def));
    CHECK_COUNT(b.notes.turned_tets, 2);
    CHECK_COUNT(b.notes.unused_nodes, 2);
    CHECK_COUNT(b.carrier.node_count, 8);
    CHECK(memcmp(b.carrier.rest, NODES, 8 * sizeof NODES[0]) == 0);
    for (uint32_t i = 0; i < 5; i++)
        CHECK(volume_of(&b.carrier, i) > 0.1);
    lt_shape_release(b.shape);
}

static void open_and_outside_surfaces_are_noted(void) {
    lt_surface ball = ball_inside(0.7);
    lt_bake_tets_def def = cube_def();
    set_surface(&def, &ball);
    baked b;
    CHECK_FATAL(bake(&b, &def));
    uint32_t outside = 0;
    double farthest = 0;
    lt_box box = lt_surface_box(&ball);
    for (uint32_t i = 0; i < ball.vertex_count; i++) {
        lt_vec3 p = ball.positions[i], zero = {0, 0, 0}, one = {1, 1, 1};
        double d = (double)lt_v3_distance(p, lt_v3_min(lt_v3_max(p, zero), one));
        outside += d > 1e-6;
        farthest = lt_max_d(farthest, d);
    }
    CHECK(outside > 0 && farthest > 0.1);
    CHECK_COUNT(b.notes.outside_vertices, outside);
    CHECK_NEAR(b.notes.farthest_outside, farthest / (double)lt_v3_distance(box.lo, box.hi), 1e-6);
    CHECK_COUNT(b.notes.open_edges, 0);
    lt_shape_release(b.shape);
    def.surface_triangle_count--;
    CHECK_FATAL(bake(&b, &def));
    CHECK_COUNT(b.notes.open_edges, 3);
    lt_shape_release(b.shape);
    lt_surface_free(&ball);
}

static void notes_and_error_are_optional(void) {
    lt_bake_tets_def def = cube_def();
    lt_shape *shape = NULL;
    CHECK(lt_bake_tets(&def, &shape, NULL, NULL) == LT_OK && shape);
    lt_shape_release(shape);
    def.tet_count = 0;
    CHECK(lt_bake_tets(&def, &shape, NULL, NULL) == LT_STATUS_INVALID && !shape);
}

/* ---- what is refused ---- */

static void check_refused(const lt_bake_tets_def *def, const char *part) {
    lt_shape *shape = (lt_shape *)&shape;
    lt_bake_notes notes;
    lt_error error = {LT_OK, ""};
    CHECK(lt_bake_tets(def, &shape, &notes, &error) == LT_STATUS_INVALID);
    CHECK(error.status == LT_STATUS_INVALID && shape == NULL);
    CHECK_CONTAINS(error.message, "cube");
    CHECK_CONTAINS(error.message, part);
}

static void bad_tets_are_refused_by_number(void) {
    lt_bake_tets_def def = cube_def();
    double nodes[9][3];
    uint32_t tets[5][4];
    memcpy(nodes, NODES, sizeof nodes);
    memcpy(tets, TETS, sizeof tets);
    def.node_positions = &nodes[0][0];
    def.tets = &tets[0][0];
    static const double senseless[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        nodes[6][1] = senseless[i];
        check_refused(&def, "node 6");
    }
    memcpy(nodes, NODES, sizeof nodes);
    tets[3][2] = 8;
    check_refused(&def, "tet 3");
    tets[3][2] = UINT32_MAX;
    check_refused(&def, "tet 3");
    tets[3][2] = tets[3][1]; /* a corner twice */
    check_refused(&def, "tet 3");
    memcpy(tets, TETS, sizeof tets);
    nodes[0][0] = nodes[0][1] = 0.5; /* into the plane of 1, 2, 4 … */
    nodes[0][2] = 0;
    check_refused(&def, "tet 0");
    def.tet_count = 0;
    check_refused(&def, "no tets");
    def = cube_def();
    def.node_count = 0;
    check_refused(&def, "no tets");
}

/* The number is that of the caller's node, whatever was dropped before it. */
static void nodes_keep_their_numbers_in_messages(void) {
    lt_bake_tets_def def = cube_def();
    double nodes[12][3] = {{0}};
    uint32_t tets[5][4];
    memcpy(nodes + 3, NODES, 8 * sizeof nodes[0]);
    for (int i = 0; i < 20; i++)
        (&tets[0][0])[i] = (&TETS[0][0])[i] + 3;
    nodes[3 + 6][2] = (double)NAN;
    def.node_positions = &nodes[0][0];
    def.node_count = 12;
    def.tets = &tets[0][0];
    check_refused(&def, "node 9:");
}

static void bad_surfaces_are_refused_by_number(void) {
    lt_surface ball = ball_inside(0.3);
    lt_bake_tets_def def = cube_def();
    set_surface(&def, &ball);
    ball.triangles[3 * 4 + 1] = ball.vertex_count;
    check_refused(&def, "triangle 4");
    ball.triangles[3 * 4 + 1] = 0;
    ball.positions[7].y = NAN;
    check_refused(&def, "vertex 7");
    lt_surface_free(&ball);
    ball = ball_inside(0.3);
    set_surface(&def, &ball);
    def.surface_triangle_count = 0;
    check_refused(&def, "no triangles");
    def.surface_triangle_count = ball.triangle_count;
    def.surface_triangles = NULL;
    check_refused(&def, "surface");
    lt_surface_free(&ball);
}

/* Turned inside out, a closed surface has no inside: nothing would ever touch it. */
static void surfaces_inside_out_are_refused(void) {
    lt_surface ball = ball_inside(0.3);
    lt_bake_tets_def def = cube_def();
    set_surface(&def, &ball);
    for (uint32_t i = 0; i < ball.triangle_count; i++) {
        uint32_t *t = ball.triangles + 3 * (size_t)i, swap = t[0];
        t[0] = t[1];
        t[1] = swap;
    }
    check_refused(&def, "inside out");
    lt_surface_free(&ball);
}

static uint32_t bugs_reported;
static void count_bug(const char *condition, const char *file, int line) {
    (void)condition, (void)file, (void)line;
    bugs_reported++;
}

static void a_def_from_elsewhere_is_a_bug(void) {
    lt_bake_tets_def def = cube_def();
    lt_shape *shape = (lt_shape *)&shape;
    def.cookie = 0;
    lt_set_assert_handler(count_bug);
    CHECK(lt_bake_tets(&def, &shape, NULL, NULL) == LT_STATUS_INVALID && !shape);
    CHECK_COUNT(bugs_reported, 1);
    def = cube_def();
    def.tets = NULL;
    CHECK(lt_bake_tets(&def, &shape, NULL, NULL) == LT_STATUS_INVALID && !shape);
    CHECK_COUNT(bugs_reported, 2);
    lt_set_assert_handler(NULL);
}

/* ---- the same bytes ---- */

static void the_same_input_gives_the_same_bytes(void) {
    lt_surface ball = ball_inside(0.3);
    for (int kind = 0; kind < 3; kind++) {
        lt_bake_tets_def def = cube_def();
        if (kind > 0) set_surface(&def, &ball);
        if (kind > 1) def.embedding = LT_EMBEDDING_RIGID_LINKS;
        uint64_t hash = 0;
        for (int round = 0; round < 3; round++) {
            lt_shape *shape = NULL;
            CHECK_FATAL(lt_bake_tets(&def, &shape, NULL, NULL) == LT_OK);
            if (round) CHECK(lt_shape_hash(shape) == hash);
            hash = lt_shape_hash(shape);
            lt_shape_release(shape);
        }
        char name[16];
        snprintf(name, sizeof name, "bake%d", kind);
        check_golden(name, hash);
    }
    lt_surface_free(&ball);
}

/* ---- memory ---- */

static void every_failing_allocation_is_told(void) {
    lt_surface ball = ball_inside(0.3);
    for (int kind = 0; kind < 3; kind++) {
        lt_bake_tets_def def = cube_def();
        if (kind > 0) set_surface(&def, &ball);
        if (kind > 1) def.embedding = LT_EMBEDDING_RIGID_LINKS;
        int allowed = 0;
        for (;; allowed++) {
            failing f = failing_after(allowed);
            lt_shape *shape = (lt_shape *)&shape;
            lt_error error = {LT_OK, ""};
            def.allocator = failing_allocator(&f);
            lt_status status = lt_bake_tets(&def, &shape, NULL, &error);
            if (status == LT_OK) {
                lt_shape_release(shape);
                CHECK(f.blocks_out == 0 && f.bytes_out == 0);
                break;
            }
            CHECK(status == LT_STATUS_MEMORY && error.status == status && shape == NULL);
            CHECK(f.blocks_out == 0 && f.bytes_out == 0);
            CHECK_FATAL(allowed < 500);
        }
        CHECK(allowed > 20);
    }
    lt_surface_free(&ball);
}

int main(void) {
    RUN(the_boundary_is_the_surface);
    RUN(a_surface_inside_is_taken_as_it_is);
    RUN(mended_things_are_noted);
    RUN(open_and_outside_surfaces_are_noted);
    RUN(notes_and_error_are_optional);
    RUN(bad_tets_are_refused_by_number);
    RUN(nodes_keep_their_numbers_in_messages);
    RUN(bad_surfaces_are_refused_by_number);
    RUN(surfaces_inside_out_are_refused);
    RUN(a_def_from_elsewhere_is_a_bug);
    RUN(the_same_input_gives_the_same_bytes);
    RUN(every_failing_allocation_is_told);
    return check_finish();
}
