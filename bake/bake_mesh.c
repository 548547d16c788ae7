/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What was read from a file to a shape: a surface gets a carrier, tets are one. */

#include "lithe/bake.h"

#include "core/base.h"

static const uint64_t COOKIE = 0x6c697468652d626du;

lt_bake_mesh_def lt_bake_mesh_def_default(void) {
    lt_bake_mesh_def def = {.options = lt_bake_surface_def_default(), .cookie = COOKIE};
    def.options.name = "mesh";
    return def;
}

static lt_status bake_surface(const lt_bake_mesh_def *def, lt_shape **out, lt_bake_surface_notes *notes,
                              lt_error *error) {
    const lt_mesh_file *mesh = def->mesh;
    lt_bake_surface_def surface = def->options;
    if (def->surface)
        return lt_fail(error, LT_STATUS_INVALID, "%s: has no tets that could carry another surface",
                       surface.name);
    if (mesh->surface_triangle_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: has neither triangles nor tets", surface.name);
    surface.positions = mesh->surface_positions;
    surface.triangles = mesh->surface_triangles;
    surface.vertex_count = mesh->surface_vertex_count;
    surface.triangle_count = mesh->surface_triangle_count;
    return lt_bake_surface(&surface, out, notes, error);
}

static lt_status bake_tets(const lt_bake_mesh_def *def, lt_shape **out, lt_bake_notes *notes,
                           lt_error *error) {
    const lt_mesh_file *mesh = def->mesh, *surface = def->surface;
    lt_bake_tets_def tets = lt_bake_tets_def_default();
    tets.name = def->options.name;
    if (def->options.carrier != LT_CARRIER_TETS)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: its tets are the carrier: a lattice or a ladder is made around a surface",
                       tets.name);
    if (surface && surface->surface_triangle_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: what is to be its surface has no triangles", tets.name);
    tets.node_positions = mesh->node_positions;
    tets.tets = mesh->tets;
    tets.node_count = mesh->node_count;
    tets.tet_count = mesh->tet_count;
    if (surface) {
        tets.surface_positions = surface->surface_positions;
        tets.surface_triangles = surface->surface_triangles;
        tets.surface_vertex_count = surface->surface_vertex_count;
        tets.surface_triangle_count = surface->surface_triangle_count;
    }
    tets.embedding = def->options.embedding;
    tets.distance_resolution = def->options.distance_resolution;
    tets.allocator = def->options.allocator;
    lt_status status = lt_bake_tets(&tets, out, notes, error);
    /* The reader has turned and dropped before the baker saw the mesh. */
    notes->turned_tets += mesh->turned_tet_count;
    notes->unused_nodes += mesh->unused_node_count;
    return status;
}

lt_status lt_bake_mesh(const lt_bake_mesh_def *def, lt_shape **out, lt_bake_mesh_notes *notes,
                       lt_error *error) {
    *out = NULL;
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_mesh_def_default");
    if (!LT_REQUIRE(def->mesh != NULL))
        return lt_fail(error, LT_STATUS_INVALID, "%s: mesh must not be NULL", def->options.name);
    lt_bake_mesh_notes local;
    if (!notes) notes = &local;
    *notes = (lt_bake_mesh_notes){.has_tets = def->mesh->tet_count > 0};
    return notes->has_tets ? bake_tets(def, out, &notes->tets, error)
                           : bake_surface(def, out, &notes->surface, error);
}
