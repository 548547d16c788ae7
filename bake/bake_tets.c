/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A user's own tet mesh to a shape: orient, drop what is unused, check, embed, write. */

#include "lithe/bake.h"

#include "embed/embed.h"
#include "mesh/adjacency.h"

#include <string.h>

static const uint64_t COOKIE = 0x6c697468652d6271u;

lt_bake_tets_def lt_bake_tets_def_default(void) {
    return (lt_bake_tets_def){.name = "mesh", .distance_resolution = 48, .cookie = COOKIE};
}

/* The tets with the nodes they use, in the order of the input; refuses what cannot be simulated. */
static lt_status copy_tets(lt_tet_mesh *out, const lt_bake_tets_def *def, lt_bake_notes *notes,
                           lt_error *error) {
    uint32_t *new_index = LT_NEW(&def->allocator, def->node_count, uint32_t);
    if (!new_index) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", def->name);
    lt_status status = LT_OK;
    for (size_t i = 0; i < 4 * (size_t)def->tet_count && status == LT_OK; i++) {
        if (def->tets[i] < def->node_count)
            new_index[def->tets[i]] = 1;
        else
            status = lt_fail(error, LT_STATUS_INVALID, "%s: tet %zu names node %u, but there are only %u",
                             def->name, i / 4, def->tets[i], def->node_count);
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < def->node_count; i++)
        new_index[i] = new_index[i] ? used++ : LT_NONE;
    notes->unused_nodes = def->node_count - used;
    if (status == LT_OK) status = lt_tet_mesh_allocate(out, used, def->tet_count, &def->allocator, error);
    for (uint32_t i = 0; i < def->node_count && status == LT_OK; i++)
        if (new_index[i] != LT_NONE)
            out->positions[new_index[i]] =
                (lt_dvec3){def->node_positions[3 * (size_t)i], def->node_positions[3 * (size_t)i + 1],
                           def->node_positions[3 * (size_t)i + 2]};
    for (size_t i = 0; i < 4 * (size_t)def->tet_count && status == LT_OK; i++)
        out->tets[i] = new_index[def->tets[i]];
    LT_DELETE(&def->allocator, new_index, def->node_count, uint32_t);
    if (status != LT_OK) return status;
    notes->turned_tets = lt_tet_mesh_orient(out);
    return lt_tet_mesh_check(out, def->name, error);
}

/* The given surface, or the boundary of the tets. */
static lt_status make_surface(lt_surface *out, const lt_bake_tets_def *def, const lt_tet_mesh *mesh,
                              lt_error *error) {
    if (!def->surface_positions) {
        lt_tet_boundary boundary;
        lt_status status = lt_tet_boundary_of(&boundary, mesh, &def->allocator, error);
        if (status != LT_OK) return status;
        *out = boundary.surface;
        boundary.surface = (lt_surface){0};
        lt_tet_boundary_free(&boundary);
        return LT_OK;
    }
    lt_status status = lt_surface_allocate(out, def->surface_vertex_count, def->surface_triangle_count,
                                           &def->allocator, error);
    if (status != LT_OK) return status;
    memcpy(out->positions, def->surface_positions, out->vertex_count * sizeof(lt_vec3));
    memcpy(out->triangles, def->surface_triangles, 3 * (size_t)out->triangle_count * sizeof(uint32_t));
    return lt_surface_check(out, def->name, error);
}

static lt_status count_open_edges(const lt_surface *surface, const lt_allocator *allocator, uint32_t *count,
                                  lt_error *error) {
    lt_surface_adjacency adjacency;
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, allocator, error);
    if (status != LT_OK) return status;
    *count = adjacency.boundary_edge_count;
    lt_surface_adjacency_free(&adjacency);
    return LT_OK;
}

static lt_status write_shape(const lt_bake_tets_def *def, const lt_tet_mesh *mesh, const lt_surface *surface,
                             lt_shape **out, lt_bake_notes *notes, lt_error *error) {
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    lt_skin_build skin = {.surface = surface,
                          .mesh = mesh,
                          .rigid_links = def->embedding == LT_EMBEDDING_RIGID_LINKS,
                          .distance_cells = def->distance_resolution,
                          .allocator = &def->allocator};
    lt_status status = lt_carrier_write(&builder, mesh, NULL, &def->allocator, error);
    if (status == LT_OK) status = lt_skin_write(&builder, &skin, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, def->name, out, error);
    lt_shape_builder_free(&builder);
    notes->outside_vertices = skin.outside_count;
    notes->farthest_outside = skin.farthest_outside;
    return status;
}

lt_status lt_bake_tets(const lt_bake_tets_def *def, lt_shape **out, lt_bake_notes *notes, lt_error *error) {
    *out = NULL;
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_tets_def_default");
    lt_bake_notes local;
    if (!notes) notes = &local;
    *notes = (lt_bake_notes){0};
    lt_tet_mesh mesh = {0};
    lt_surface surface = {0};
    lt_status status = LT_OK;
    if (def->node_count == 0 || def->tet_count == 0)
        status = lt_fail(error, LT_STATUS_INVALID, "%s: there are no tets", def->name);
    if (status == LT_OK) status = copy_tets(&mesh, def, notes, error);
    if (status == LT_OK) status = make_surface(&surface, def, &mesh, error);
    if (status == LT_OK) status = count_open_edges(&surface, &def->allocator, &notes->open_edges, error);
    if (status == LT_OK) status = write_shape(def, &mesh, &surface, out, notes, error);
    lt_surface_free(&surface);
    lt_tet_mesh_free(&mesh);
    return status;
}
