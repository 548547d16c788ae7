/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces to shapes. Containment is looked at with nothing of the baker: every vertex and points of every
 * triangle, exactly representable ones, are located by trying all tets of the finished shape. */

#include "body/body.h"
#include "check.h"
#include "embed/embed.h"
#include "mesh/exact.h"
#include "scenes/generate.h"
#include "surface_samples.h"

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
    CHECK_FATAL(lt_generate_bear(&surface, 600, NULL, NULL) == LT_OK);
    double volume = lt_surface_volume(&surface);
    notes = check_surface(&surface, 100);
    CHECK(notes.is_closed && !notes.is_sheet);
    CHECK_NEAR(notes.solid_volume / volume, 1.0, 1e-9);
    CHECK_NEAR(notes.tet_count, 100, 25);
    CHECK_FATAL(lt_generate_letter(&surface, 'R', 400, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 80);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
    CHECK_FATAL(lt_generate_torus(&surface, 1.0, 0.3, 14, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 80);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.triangle_count = 300;
    CHECK_FATAL(lt_generate_torus_knot(&surface, &knot, NULL, NULL) == LT_OK);
    notes = check_surface(&surface, 120);
    CHECK(notes.is_closed && notes.carrier_volume > notes.solid_volume);
}

static void an_open_teapot_is_contained(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_teapot(&surface, 2, NULL, NULL) == LT_OK);
    lt_bake_surface_notes notes = check_surface(&surface, 80);
    CHECK(!notes.is_closed && !notes.is_sheet);
    CHECK(found(&notes, "holes") > 0);
    CHECK(found(&notes, "components") > 1);
    CHECK(notes.solid_volume > 0);
}

/* ---- small and strange ---- */

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

int main(void) {
    RUN(closed_solids_are_contained);
    RUN(an_open_teapot_is_contained);
    RUN(strange_surfaces_get_shapes);
    return check_finish();
}
