/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* lt_bake_mesh: the bytes of what lt_bake_surface and lt_bake_tets make of the same arrays, and what is refused. */

#include "lithe/bake.h"

#include "check.h"

static const char octahedron[] = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
                                 "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
/* The first tet is inside out, the last node is of no tet, and a triangle lies beside them. */
static const char two_tets[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 -2 -2 -2\n2 4 0 0\n3 0 4 0\n4 0 0 4\n"
    "5 4 4 4\n6 9 9 9\n$EndNodes\n$Elements\n3\n1 4 0 1 3 2 4\n2 4 0 2 3 4 5\n3 2 0 1 2 3\n"
    "$EndElements\n";

static lt_mesh_file read(const char *name, const char *text) {
    lt_mesh_file mesh;
    lt_error error = {0};
    if (lt_mesh_file_from_memory(text, strlen(text), name, NULL, &mesh, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    return mesh;
}

static void a_surface_gets_a_carrier(void) {
    lt_mesh_file mesh = read("a.obj", octahedron);
    lt_bake_mesh_def def = lt_bake_mesh_def_default();
    def.mesh = &mesh;
    def.options.target_tets = 60;
    def.options.distance_resolution = 8;
    lt_bake_surface_def plain = def.options;
    plain.positions = mesh.surface_positions;
    plain.triangles = mesh.surface_triangles;
    plain.vertex_count = mesh.surface_vertex_count;
    plain.triangle_count = mesh.surface_triangle_count;
    lt_bake_mesh_notes notes;
    lt_shape *shape, *same;
    lt_error error = {0};
    CHECK_FATAL(lt_bake_mesh(&def, &shape, &notes, &error) == LT_OK);
    CHECK_FATAL(lt_bake_surface(&plain, &same, NULL, &error) == LT_OK);
    CHECK(lt_shape_hash(shape) == lt_shape_hash(same));
    CHECK(!notes.has_tets && notes.surface.is_closed && notes.surface.target_tets == 60);
    lt_shape_release(shape);
    lt_shape_release(same);
    lt_mesh_file_free(&mesh);
}

static void tets_are_the_carrier(void) {
    lt_mesh_file mesh = read("a.msh", two_tets), surface = read("a.obj", octahedron);
    lt_bake_mesh_def def = lt_bake_mesh_def_default();
    def.mesh = &mesh;
    def.options.distance_resolution = 8;
    lt_bake_tets_def plain = lt_bake_tets_def_default();
    plain.node_positions = mesh.node_positions;
    plain.tets = mesh.tets;
    plain.node_count = mesh.node_count;
    plain.tet_count = mesh.tet_count;
    plain.distance_resolution = 8;
    lt_bake_mesh_notes notes;
    lt_shape *shape, *same;
    lt_error error = {0};
    CHECK_FATAL(lt_bake_mesh(&def, &shape, &notes, &error) == LT_OK);
    CHECK_FATAL(lt_bake_tets(&plain, &same, NULL, &error) == LT_OK);
    CHECK(lt_shape_hash(shape) == lt_shape_hash(same)); /* its boundary, not the triangle in the file */
    CHECK(notes.has_tets);
    CHECK_COUNT(notes.tets.turned_tets, mesh.turned_tet_count);
    CHECK_COUNT(notes.tets.turned_tets + notes.tets.unused_nodes, 2);
    lt_shape_release(shape);
    def.surface = &surface;
    CHECK_FATAL(lt_bake_mesh(&def, &shape, &notes, &error) == LT_OK);
    CHECK_COUNT(notes.tets.open_edges, 0);
    CHECK(lt_shape_hash(shape) != lt_shape_hash(same));
    lt_shape_release(shape);
    lt_shape_release(same);
    lt_mesh_file_free(&mesh);
    lt_mesh_file_free(&surface);
}

static void check_refused(const lt_bake_mesh_def *def, const char *message) {
    lt_error error = {0};
    lt_shape *shape = (lt_shape *)(uintptr_t)1;
    CHECK(lt_bake_mesh(def, &shape, NULL, &error) == LT_STATUS_INVALID);
    CHECK(shape == NULL);
    CHECK_CONTAINS(error.message, message);
}

static void what_cannot_be_baked_is_said(void) {
    lt_mesh_file mesh = read("a.msh", two_tets), surface = read("a.obj", octahedron), empty = {0};
    lt_bake_mesh_def def = lt_bake_mesh_def_default();
    def.options.name = "thing";
    check_refused(&def, "thing: mesh must not be NULL");
    def.mesh = &empty;
    check_refused(&def, "thing: has neither triangles nor tets");
    def.mesh = &mesh;
    def.surface = &empty;
    check_refused(&def, "thing: what is to be its surface has no triangles");
    def.surface = NULL;
    def.options.carrier = LT_CARRIER_LATTICE;
    check_refused(&def, "thing: its tets are the carrier");
    def.options.carrier = LT_CARRIER_TETS;
    def.mesh = def.surface = &surface;
    check_refused(&def, "thing: has no tets that could carry another surface");
    def = (lt_bake_mesh_def){.mesh = &mesh};
    check_refused(&def, "not from lt_bake_mesh_def_default");
    lt_mesh_file_free(&mesh);
    lt_mesh_file_free(&surface);
}

int main(void) {
    RUN(a_surface_gets_a_carrier);
    RUN(tets_are_the_carrier);
    RUN(what_cannot_be_baked_is_said);
    return check_finish();
}
