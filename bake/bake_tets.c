/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A user's own tet mesh to a shape: orient, drop what is unused, check, embed, write. */

#include "bake/bake_tets_internal.h"

#include "bake/adjacency.h"
#include "bake/carrier_write.h"
#include "bake/skin_write.h"
#include "embed/embed.h"

#include <string.h>

static const uint64_t COOKIE = 0x6c697468652d6271u;

lt_bake_tets_def lt_bake_tets_def_default(void) {
    return (lt_bake_tets_def){.name = "mesh", .distance_resolution = 48, .cookie = COOKIE};
}

lt_status lt_bake_tets_copy(lt_tet_mesh *out, const lt_bake_tets_def *def, lt_bake_notes *notes,
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
    for (uint32_t i = 0; i < def->node_count && status == LT_OK; i++) {
        if (new_index[i] == LT_NONE) continue;
        const double *p = def->node_positions + 3 * (size_t)i;
        out->positions[new_index[i]] = (lt_dvec3){p[0], p[1], p[2]};
        if (!lt_d3_is_finite(
                out->positions[new_index[i]])) /* said here, where nodes have the caller's numbers */
            status = lt_fail(error, LT_STATUS_INVALID, "%s: node %u: a coordinate is not a finite number",
                             def->name, i);
    }
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
        boundary.surface.positions = NULL; /* its counts stay: they are the sizes of the other arrays */
        boundary.surface.triangles = NULL;
        lt_tet_boundary_free(&boundary);
        return LT_OK;
    }
    if (!def->surface_triangles)
        return lt_fail(error, LT_STATUS_INVALID, "%s: the surface has vertices, but no triangles", def->name);
    lt_status status = lt_surface_allocate(out, def->surface_vertex_count, def->surface_triangle_count,
                                           &def->allocator, error);
    if (status != LT_OK) return status;
    memcpy(out->positions, def->surface_positions, out->vertex_count * sizeof(lt_vec3));
    memcpy(out->triangles, def->surface_triangles, 3 * (size_t)out->triangle_count * sizeof(uint32_t));
    return lt_surface_check(out, def->name, error);
}

/* Counts open edges. A closed surface that is turned inside out has no inside, and nothing would ever touch it. */
static lt_status look_at_surface(const lt_surface *surface, const lt_bake_tets_def *def, lt_bake_notes *notes,
                                 lt_error *error) {
    lt_surface_adjacency adjacency;
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, &def->allocator, error);
    if (status != LT_OK) return status;
    notes->open_edges = adjacency.boundary_edge_count;
    bool whole = adjacency.is_closed && adjacency.is_oriented;
    lt_surface_adjacency_free(&adjacency);
    if (whole && lt_surface_volume(surface) < 0)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: the surface is inside out; swap two corners of every triangle", def->name);
    return LT_OK;
}

lt_status lt_bake_tets_surface(lt_surface *out, const lt_bake_tets_def *def, const lt_tet_mesh *mesh,
                               lt_bake_notes *notes, lt_error *error) {
    lt_status status = make_surface(out, def, mesh, error);
    return status == LT_OK ? look_at_surface(out, def, notes, error) : status;
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
    lt_box box = lt_surface_box(surface);
    notes->farthest_outside = skin.farthest_outside / lt_max_d((double)lt_v3_distance(box.lo, box.hi), 1e-30);
    return status;
}

lt_status lt_bake_tets(const lt_bake_tets_def *def, lt_shape **out, lt_bake_notes *notes, lt_error *error) {
    *out = NULL;
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_tets_def_default");
    bool empty = def->node_count == 0 || def->tet_count == 0;
    if (!LT_REQUIRE(empty || (def->node_positions && def->tets)))
        return lt_fail(error, LT_STATUS_INVALID, "%s: node_positions and tets must not be NULL", def->name);
    lt_bake_notes local;
    if (!notes) notes = &local;
    *notes = (lt_bake_notes){0};
    lt_tet_mesh mesh = {0};
    lt_surface surface = {0};
    lt_status status = LT_OK;
    if (empty) status = lt_fail(error, LT_STATUS_INVALID, "%s: there are no tets", def->name);
    if (status == LT_OK) status = lt_bake_tets_copy(&mesh, def, notes, error);
    if (status == LT_OK) status = lt_bake_tets_surface(&surface, def, &mesh, notes, error);
    if (status == LT_OK) status = write_shape(def, &mesh, &surface, out, notes, error);
    lt_surface_free(&surface);
    lt_tet_mesh_free(&mesh);
    return status;
}
