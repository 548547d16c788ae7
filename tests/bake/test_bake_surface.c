/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces to shapes. Containment is looked at with nothing of the baker: every vertex and points of every
 * triangle, exactly representable ones, are located by trying all tets of the finished shape. */

#include "body/body.h"
#include "check.h"
#include "core/os.h"
#include "embed/embed.h"
#include "failing_allocator.h"
#include "lithe/bake.h"
#include "mesh/exact.h"
#include "mesh/generate.h"

#include <math.h>

static lt_bake_surface_def def_of(const lt_surface *surface, uint32_t target_tets) {
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.positions = &surface->positions[0].x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.target_tets = target_tets;
    def.rounds = 3;
    def.distance_resolution = 6;
    return def;
}

/* ---- containment, once more ---- */

static bool tet_holds(const lt_carrier *carrier, uint32_t tet, lt_dvec3 p) {
    lt_dvec3 corners[4], lo, hi;
    for (int k = 0; k < 4; k++) {
        const double *x = carrier->rest + 3 * (size_t)carrier->tets[4 * (size_t)tet + (size_t)k];
        corners[k] = lt_d3_make(x[0], x[1], x[2]);
        lo = k ? lt_d3_min(lo, corners[k]) : corners[k];
        hi = k ? lt_d3_max(hi, corners[k]) : corners[k];
    }
    bool is_near = p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
    return is_near && lt_exact_point_tet(p, corners);
}

static bool some_tet_holds(const lt_carrier *carrier, lt_dvec3 p) {
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        if (tet_holds(carrier, tet, p)) return true;
    return false;
}

/* Weights in quarters: sums of floats times quarters are exact in double, so the points lie in the triangle. */
static uint32_t count_samples_outside(const lt_skin *skin, const lt_carrier *carrier) {
    static const double weights[][3] = {{0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0.25, 0.25}, {0.25, 0.25, 0.5}};
    uint32_t outside = 0;
    for (uint32_t t = 0; t < skin->triangle_count; t++) {
        const uint32_t *v = skin->triangles + 3 * (size_t)t;
        for (size_t s = 0; s < LT_COUNT_OF(weights); s++) {
            lt_dvec3 p = {0, 0, 0};
            for (int k = 0; k < 3; k++)
                p = lt_d3_mad(p, lt_d3_from_v3(skin->rest[v[k]]), weights[s][k]);
            outside += !some_tet_holds(carrier, p);
        }
    }
    return outside;
}

/* All that must hold of every shape that was baked from a surface; the mass is density 1. */
static void check_shape(const lt_shape *shape, const lt_bake_surface_notes *notes) {
    lt_carrier carrier;
    lt_skin skin;
    lt_error error = {0};
    CHECK_FATAL(lt_carrier_read(&carrier, shape, &error) == LT_OK);
    CHECK_FATAL(lt_skin_read(&skin, shape, &carrier, &error) == LT_OK);
    CHECK_COUNT(carrier.tet_count, notes->tet_count);
    CHECK_COUNT(carrier.node_count, notes->node_count);
    CHECK_COUNT(skin.triangle_count, notes->triangle_count);
    CHECK_COUNT(skin.point_count, notes->vertex_count);
    uint32_t outside = 0;
    for (uint32_t i = 0; i < skin.point_count; i++)
        outside += !tet_holds(&carrier, skin.tets[i], lt_d3_from_v3(skin.rest[i]));
    CHECK_COUNT(outside, 0);
    CHECK_COUNT(count_samples_outside(&skin, &carrier), 0);
    double mass = 0, volume = 0;
    for (uint32_t t = 0; t < carrier.tet_count; t++) {
        lt_dvec3 x[4];
        for (int k = 0; k < 4; k++) {
            const double *p = carrier.rest + 3 * (size_t)carrier.tets[4 * (size_t)t + (size_t)k];
            x[k] = lt_d3_make(p[0], p[1], p[2]);
        }
        volume += lt_tet_volume(x[0], x[1], x[2], x[3]);
        mass += (double)carrier.fill[t] * lt_tet_volume(x[0], x[1], x[2], x[3]);
    }
    CHECK_NEAR(volume / notes->carrier_volume, 1.0, 1e-9);
    CHECK_NEAR(mass / (notes->is_sheet ? volume : notes->solid_volume), 1.0, 0.01);
}

/* Bakes, checks, frees the surface; the notes stay. */
static lt_bake_surface_notes check_surface(lt_surface *surface, uint32_t target_tets) {
    lt_bake_surface_def def = def_of(surface, target_tets);
    lt_bake_surface_notes notes = {0};
    lt_shape *shape;
    lt_error error = {0};
    if (lt_bake_surface(&def, &shape, &notes, &error) == LT_OK)
        check_shape(shape, &notes);
    else
        CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_release(shape);
    lt_surface_free(surface);
    return notes;
}

static uint32_t found(const lt_bake_surface_notes *notes, const char *what) {
    for (uint32_t i = 0; i < notes->finding_count; i++)
        if (strcmp(notes->findings[i].what, what) == 0) return notes->findings[i].count;
    return 0;
}

static void closed_solids_are_contained(void) {
    lt_surface surface;
    lt_bake_surface_notes notes;
    CHECK_FATAL(lt_generate_bear(&surface, 800, NULL, NULL) == LT_OK);
    double volume = lt_surface_volume(&surface);
    notes = check_surface(&surface, 250);
    CHECK(notes.is_closed && !notes.is_sheet);
    CHECK_NEAR(notes.solid_volume / volume, 1.0, 1e-9);
    CHECK_NEAR(notes.tet_count, 250, 50);
    CHECK_FATAL(lt_generate_letter(&surface, 'R', 500, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 200);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
    CHECK_FATAL(lt_generate_torus(&surface, 1.0, 0.3, 20, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 200);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.triangle_count = 600;
    CHECK_FATAL(lt_generate_torus_knot(&surface, &knot, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 300);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
}

static void an_open_teapot_is_contained(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_teapot(&surface, 3, NULL, NULL) == LT_OK);
    lt_bake_surface_notes notes = check_surface(&surface, 200);
    CHECK(!notes.is_closed && !notes.is_sheet);
    CHECK(found(&notes, "holes") > 0);
    CHECK(found(&notes, "components") > 1);
    CHECK(notes.solid_volume > 0);
}

/* ---- small and strange ---- */

static const lt_vec3 tet_points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t tet_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void add_tet(lt_surface *surface, float size, bool inside_out) {
    uint32_t base = surface->vertex_count, at = 3 * surface->triangle_count;
    for (int i = 0; i < 4; i++) /* about the tet's centre, so that a smaller one lies inside a larger one */
        surface->positions[base + (uint32_t)i] =
            lt_v3_scale(lt_v3_sub(tet_points[i], (lt_vec3){0.25f, 0.25f, 0.25f}), size);
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++)
            surface->triangles[at++] = base + tet_faces[f][inside_out ? 2 - k : k];
    surface->vertex_count += 4;
    surface->triangle_count += 4;
}

/* A surface of tets around each other in storage for two. */
static lt_surface tets_of(float first, float second, bool inside_out) {
    lt_surface surface = {0};
    if (lt_surface_allocate(&surface, 8, 8, NULL, NULL) != LT_OK) return surface;
    surface.vertex_count = surface.triangle_count = 0;
    add_tet(&surface, first, inside_out);
    if (second > 0) add_tet(&surface, second, inside_out);
    return surface;
}

static void free_tets(lt_surface *surface) {
    surface->vertex_count = surface->triangle_count = 8; /* what was allocated */
    lt_surface_free(surface);
}

static lt_bake_surface_notes bake_small(const lt_surface *surface) {
    lt_bake_surface_def def = def_of(surface, 40);
    lt_bake_surface_notes notes = {0};
    lt_shape *shape;
    lt_error error = {0};
    if (lt_bake_surface(&def, &shape, &notes, &error) == LT_OK)
        check_shape(shape, &notes);
    else
        CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_release(shape);
    return notes;
}

static void strange_surfaces_get_shapes(void) {
    lt_bake_surface_notes notes;
    lt_surface one = {.positions = (lt_vec3 *)tet_points, .triangles = (uint32_t[]){0, 1, 2}, 3, 1, {0}};
    notes = bake_small(&one);
    CHECK(notes.is_sheet && !notes.is_closed && notes.solid_volume == 0);
    lt_vec3 grid[16];
    uint32_t cells[18][3], count = 0;
    for (uint32_t i = 0; i < 16; i++)
        grid[i] = (lt_vec3){(float)(i % 4), 0.1f * (float)(i * i % 3), (float)(i / 4)};
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t a = i % 3 + 4 * (i / 3);
        memcpy(cells[count++], (uint32_t[]){a, a + 4, a + 1}, sizeof cells[0]);
        memcpy(cells[count++], (uint32_t[]){a + 1, a + 4, a + 5}, sizeof cells[0]);
    }
    lt_surface sheet = {.positions = grid, .triangles = cells[0], 16, 18, {0}};
    CHECK(bake_small(&sheet).is_sheet);
    lt_surface inside_out = tets_of(1.0f, 0.0f, true);
    notes = bake_small(&inside_out);
    CHECK_COUNT(found(&notes, "pieces that were inside out"), 1);
    CHECK_NEAR(notes.solid_volume, 1.0 / 6.0, 1e-6);
    free_tets(&inside_out);
    lt_surface nested = tets_of(1.0f, 0.5f, false);
    notes = bake_small(&nested);
    CHECK(!notes.is_sheet && notes.is_closed);
    CHECK_COUNT(found(&notes, "components"), 2);
    free_tets(&nested);
}

/* Status and message of a bake that must fail; nothing is handed out. */
static void check_refused(const lt_bake_surface_def *def, lt_status status, const char *part) {
    lt_shape *shape = (lt_shape *)(uintptr_t)1;
    lt_error error = {0};
    CHECK(lt_bake_surface(def, &shape, NULL, &error) == status);
    CHECK(shape == NULL);
    CHECK_CONTAINS(error.message, part);
}

static void bad_surfaces_are_refused(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    lt_bake_surface_def def = def_of(&surface, 40);
    def.name = "thing.obj";
    surface.positions[2].y = NAN;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    check_refused(&def, LT_STATUS_INVALID, "vertex 2");
    surface.positions[2].y = INFINITY;
    check_refused(&def, LT_STATUS_INVALID, "vertex 2");
    surface.positions[2].y = 1.0f;
    surface.triangles[4] = 4;
    check_refused(&def, LT_STATUS_INVALID, "triangle 1");
    surface.triangles[4] = 1;
    def.triangle_count = 0;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    def.triangle_count = 4;
    def.positions = NULL;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    def.positions = &surface.positions[0].x;
    for (int i = 0; i < 4; i++)
        surface.positions[i] = (lt_vec3){(float)i, 0, 0};
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    for (int i = 0; i < 4; i++)
        surface.positions[i] = (lt_vec3){1, 2, 3};
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    free_tets(&surface);
}

static void bad_options_are_refused(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    const lt_bake_surface_def good = def_of(&surface, 40);
    lt_bake_surface_def def = good;
    def.target_tets = 3;
    check_refused(&def, LT_STATUS_INVALID, "8 to 2000000 tets, not 3");
    def.target_tets = 10000000;
    check_refused(&def, LT_STATUS_INVALID, "not 10000000");
    def = good;
    def.min_dihedral = 0.5f;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def.min_dihedral = 50.0f;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def.min_dihedral = NAN;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def = good;
    def.rounds = 101;
    check_refused(&def, LT_STATUS_INVALID, "rounds");
    def = good;
    def.distance_resolution = 5000;
    check_refused(&def, LT_STATUS_INVALID, "1 to 1024 cells, not 5000");
    def.distance_resolution = 0;
    check_refused(&def, LT_STATUS_INVALID, "not 0");
    free_tets(&surface);
}

/* ---- the same bytes, cancelling, memory ---- */

static void the_same_input_gives_the_same_bytes(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_bear(&surface, 700, NULL, NULL) == LT_OK);
    static const char *const paths[2] = {"bake_surface_a.lithe", "bake_surface_b.lithe"};
    uint8_t *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        lt_bake_surface_def def = def_of(&surface, 150);
        lt_shape *shape;
        CHECK(lt_bake_surface(&def, &shape, NULL, NULL) == LT_OK);
        CHECK(lt_shape_save(shape, paths[i], NULL) == LT_OK);
        lt_shape_release(shape);
        CHECK(lt_os_read_file(paths[i], NULL, &bytes[i], &sizes[i], NULL) == LT_OK);
        remove(paths[i]);
    }
    CHECK(sizes[0] > 0 && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    lt_release(NULL, bytes[0], sizes[0], 1);
    lt_release(NULL, bytes[1], sizes[1], 1);
    lt_surface_free(&surface);
}

typedef struct patience {
    int left;
    char last[64]; /* the stage of the last call */
} patience;

static bool lose_patience(void *context, const char *stage, float share) {
    patience *p = context;
    CHECK(share >= 0.0f && share <= 1.0f);
    snprintf(p->last, sizeof p->last, "%s", stage);
    return p->left-- > 0;
}

static void every_stage_can_be_cancelled(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    char stages[40][64];
    int stage_count = 0, calls = 0;
    for (lt_status status = LT_STATUS_CANCELLED; status == LT_STATUS_CANCELLED && calls < 200; calls++) {
        patience p = {.left = calls};
        failing counting = failing_after(1 << 30);
        lt_bake_surface_def def = def_of(&surface, 40);
        def.progress = lose_patience;
        def.progress_context = &p;
        def.allocator = failing_allocator(&counting);
        lt_shape *shape;
        lt_error error = {0};
        status = lt_bake_surface(&def, &shape, NULL, &error);
        CHECK(status == LT_OK || status == LT_STATUS_CANCELLED);
        CHECK((shape != NULL) == (status == LT_OK));
        if (status == LT_STATUS_CANCELLED) CHECK_CONTAINS(error.message, "cancelled");
        lt_shape_release(shape);
        CHECK(counting.blocks_out == 0 && counting.bytes_out == 0);
        if (stage_count == 0 || strcmp(stages[stage_count - 1], p.last) != 0)
            if (stage_count < 40) memcpy(stages[stage_count++], p.last, sizeof p.last);
    }
    CHECK(calls < 200);
    CHECK(stage_count >= 8); /* repair, inside, size, lay out, pull in, fill, prove, embed */
    CHECK(strcmp(stages[0], "repair") == 0);
    CHECK(strcmp(stages[stage_count - 1], "embed") == 0);
    free_tets(&surface);
}

/* Every request up to the hundredth, then a few of each hundred: all of them would take a minute. */
static void refused_memory_leaks_nothing(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    bool done = false;
    for (int allowed = 0; !done && allowed < 100000; allowed += allowed < 100 ? 1 : 1 + allowed / 8) {
        failing f = failing_after(allowed);
        lt_bake_surface_def def = def_of(&surface, 8);
        def.rounds = 1;
        def.distance_resolution = 2;
        def.allocator = failing_allocator(&f);
        lt_shape *shape;
        lt_error error = {0};
        lt_status status = lt_bake_surface(&def, &shape, NULL, &error);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        CHECK((shape != NULL) == (status == LT_OK));
        lt_shape_release(shape);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        done = status == LT_OK;
    }
    CHECK(done);
    free_tets(&surface);
}

int main(void) {
    RUN(closed_solids_are_contained);
    RUN(an_open_teapot_is_contained);
    RUN(strange_surfaces_get_shapes);
    RUN(bad_surfaces_are_refused);
    RUN(bad_options_are_refused);
    RUN(the_same_input_gives_the_same_bytes);
    RUN(every_stage_can_be_cancelled);
    RUN(refused_memory_leaks_nothing);
    return check_finish();
}
