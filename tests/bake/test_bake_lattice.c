/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces to shapes of lattices: options, notes, and that what was written is read. */

#include "surface_samples.h"

#include "bake/icosahedral.h"
#include "check.h"
#include "embed/embed.h"
#include "enclose_shapes.h"
#include "failing_allocator.h"

static lt_bake_surface_def lattice_def(const lt_surface *surface, uint32_t cells) {
    lt_bake_surface_def def = def_of(surface, 8);
    def.carrier = LT_CARRIER_LATTICE;
    def.target_cells = cells;
    return def;
}

static bool read_all(const lt_shape *shape, lt_carrier *carrier, lt_skin *skin) {
    lt_error error = {0};
    bool ok = lt_carrier_read(carrier, shape, &error) == LT_OK &&
              lt_skin_read(skin, shape, carrier, &error) == LT_OK;
    if (!ok) printf("%s\n", error.message);
    return ok;
}

static void a_surface_becomes_a_lattice(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 2, NULL, NULL) == LT_OK);
    for (int fill = 0; fill < 2; fill++) {
        lt_bake_surface_def def = lattice_def(&s, 30);
        lt_bake_surface_notes notes;
        lt_shape *shape;
        lt_carrier carrier;
        lt_skin skin;
        def.fill = fill;
        CHECK_FATAL(lt_bake_surface(&def, &shape, &notes, NULL) == LT_OK);
        CHECK_FATAL(read_all(shape, &carrier, &skin));
        CHECK(carrier.cell_count >= 24 && carrier.cell_count <= 36);
        CHECK_COUNT(notes.cell_count, carrier.cell_count);
        CHECK_COUNT(notes.node_count, carrier.node_count);
        CHECK_COUNT(notes.tet_count, 0);
        CHECK_COUNT(notes.target_cells, 30);
        CHECK_COUNT(notes.whole_triangle_count, s.triangle_count);
        CHECK_COUNT(notes.whole_vertex_count, s.vertex_count);
        CHECK_COUNT(notes.triangle_count, skin.triangle_count);
        CHECK(notes.triangle_count > s.triangle_count);
        CHECK(notes.is_closed && !notes.is_sheet && !notes.is_glued);
        CHECK_NEAR(notes.solid_volume, lt_surface_volume(&s), 1e-9);
        CHECK_NEAR(notes.cell_size, carrier.cell_size, 0);
        CHECK_COUNT(skin.corner_count, 8);
        CHECK_NEAR(skin.overhang, 0, 0);
        CHECK_COUNT(skin.triangle_parents[skin.triangle_count - 1], s.triangle_count - 1);
        lt_shape_release(shape);
    }
    lt_surface_free(&s);
}

static void a_size_may_be_given(void) {
    lt_surface s = {0};
    CHECK_FATAL(append_box(&s, (lt_vec3){-1, -1, -1}, (lt_vec3){1, 1, 1}, 2));
    lt_bake_surface_def def = lattice_def(&s, 7);
    lt_bake_surface_notes notes;
    lt_shape *shape;
    def.cell_size = 0.7f;
    CHECK_FATAL(lt_bake_surface(&def, &shape, &notes, NULL) == LT_OK);
    CHECK_COUNT(notes.cell_count, 27 - 1);
    CHECK_COUNT(notes.target_cells, 0);
    CHECK_COUNT(notes.node_count, 64);
    CHECK_NEAR(notes.cell_size, 0.7, 1e-5);
    lt_shape_release(shape);
    lt_surface_free(&s);
}

/* Dirty input as for tets: repaired first, and the sheet is said to be one. */
static void a_sheet_is_a_shell(void) {
    lt_surface s;
    lt_shape *shape;
    lt_bake_surface_notes notes;
    lt_carrier carrier;
    lt_skin skin;
    CHECK_FATAL(make_sheet(&s, 6, 0.0f));
    lt_bake_surface_def def = lattice_def(&s, 16);
    CHECK_FATAL(lt_bake_surface(&def, &shape, &notes, NULL) == LT_OK);
    CHECK_FATAL(read_all(shape, &carrier, &skin));
    CHECK(notes.is_sheet && !notes.is_closed && notes.finding_count > 0);
    CHECK_COUNT(notes.cell_count, 16);
    for (uint32_t i = 0; i < carrier.cell_count; i++)
        CHECK_NEAR(carrier.cell_fill[i], 1, 0);
    lt_shape_release(shape);
    lt_surface_free(&s);
}

static bool count_calls(void *context, const char *stage, float share) {
    (void)share;
    return strcmp(stage, context) != 0;
}

static void bad_options_are_named(void) {
    lt_surface s = tets_of(1, 0, false);
    lt_bake_surface_def def = lattice_def(&s, 0);
    lt_shape *shape;
    lt_error error;
    def.name = "thing.obj";
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "thing.obj: ");
    CHECK(shape == NULL);
    def.target_cells = 5;
    def.embedding = LT_EMBEDDING_RIGID_LINKS;
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "tets");
    def.embedding = LT_EMBEDDING_BARYCENTRIC;
    def.carrier = (lt_carrier_kind)7;
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "carrier 7");
    def.carrier = LT_CARRIER_LATTICE;
    def.cell_size = NAN;
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_INVALID);
    def.cell_size = 0;
    def.progress = count_calls;
    def.progress_context = (void *)"embed";
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_CANCELLED);
    free_tets(&s);
}

static void lattices_have_no_sphere_tree(void) {
    lt_surface s = tets_of(1, 0, false);
    lt_bake_surface_def def = lattice_def(&s, 4);
    lt_shape *shape, *with_tree;
    lt_error error;
    CHECK_FATAL(lt_bake_surface(&def, &shape, NULL, NULL) == LT_OK);
    lt_bake_spheres_def spheres = lt_bake_spheres_def_default();
    CHECK(lt_bake_spheres(shape, &spheres, &with_tree, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "lattice");
    lt_shape_release(shape);
    free_tets(&s);
}

static void failing_memory_leaks_nothing(void) {
    lt_surface s = tets_of(1, 0, false);
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_bake_surface_def def = lattice_def(&s, 1);
        def.cell_size = 2;
        def.distance_resolution = 2;
        def.allocator = failing_allocator(&f);
        lt_shape *shape;
        lt_error error = {0};
        lt_status status = lt_bake_surface(&def, &shape, NULL, &error);
        if (status == LT_OK) lt_shape_release(shape);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (status == LT_OK) break;
        CHECK(status == LT_STATUS_MEMORY && shape == NULL);
        CHECK_FATAL(allowed < 2000);
    }
    free_tets(&s);
}

int main(void) {
    RUN(a_surface_becomes_a_lattice);
    RUN(a_size_may_be_given);
    RUN(a_sheet_is_a_shell);
    RUN(bad_options_are_named);
    RUN(lattices_have_no_sphere_tree);
    RUN(failing_memory_leaks_nothing);
    return check_finish();
}
