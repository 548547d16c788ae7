/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A user's own tet meshes, from fine to coarse, to a shape with a ladder. */

#include "lithe/bake.h"

#include "bake/bake_tets_internal.h"
#include "bake/ladder.h"
#include "bake/skin_write.h"
#include "embed/embed.h"

#include <stdio.h>

static const uint64_t COOKIE = 0x6c697468652d6c64u;

_Static_assert((int)LT_BAKE_LEVELS_MAX == (int)LT_LADDER_MOST, "shapes have room for all levels");

lt_bake_ladder_def lt_bake_ladder_def_default(void) {
    return (lt_bake_ladder_def){.name = "ladder", .distance_resolution = 48, .cookie = COOKIE};
}

/* One level as if it were baked by itself. */
static lt_bake_tets_def level_def(const lt_bake_ladder_def *def, uint32_t level, const char *name) {
    lt_bake_tets_def tets = lt_bake_tets_def_default();
    tets.name = name;
    tets.node_positions = def->levels[level].node_positions;
    tets.tets = def->levels[level].tets;
    tets.node_count = def->levels[level].node_count;
    tets.tet_count = def->levels[level].tet_count;
    tets.surface_positions = def->surface_positions;
    tets.surface_triangles = def->surface_triangles;
    tets.surface_vertex_count = def->surface_vertex_count;
    tets.surface_triangle_count = def->surface_triangle_count;
    tets.allocator = def->allocator;
    return tets;
}

/* All meshes, and the surface from the finest. */
static lt_status copy_levels(const lt_bake_ladder_def *def, lt_tet_mesh *meshes, lt_surface *surface,
                             lt_bake_notes *notes, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t level = 0; level < def->level_count && status == LT_OK; level++) {
        char name[96];
        lt_bake_notes of_level = {0};
        snprintf(name, sizeof name, "%.64s: level %u", def->name, level);
        lt_bake_tets_def tets = level_def(def, level, name);
        if (tets.node_count == 0 || tets.tet_count == 0 || !tets.node_positions || !tets.tets)
            status = lt_fail(error, LT_STATUS_INVALID, "%s: there are no tets", name);
        if (status == LT_OK) status = lt_bake_tets_copy(&meshes[level], &tets, &of_level, error);
        notes->turned_tets += of_level.turned_tets;
        notes->unused_nodes += of_level.unused_nodes;
        if (status == LT_OK && level == 0)
            status = lt_bake_tets_surface(surface, &tets, &meshes[0], notes, error);
    }
    return status;
}

static lt_status write_shape(const lt_bake_ladder_def *def, const lt_ladder_build *build, lt_shape **out,
                             lt_error *error) {
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    lt_skin_build skin = {.surface = build->surface,
                          .mesh = &build->levels[0].mesh,
                          .tets = build->levels[0].vertex_tets,
                          .distance_cells = def->distance_resolution,
                          .allocator = &def->allocator};
    lt_status status = lt_ladder_add_chunks(&builder, build, error);
    if (status == LT_OK) status = lt_skin_write(&builder, &skin, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, def->name, out, error);
    lt_shape_builder_free(&builder);
    return status;
}

static lt_status check_def(const lt_bake_ladder_def *def, lt_error *error) {
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_ladder_def_default");
    if (def->level_count < 2 || def->level_count > LT_LADDER_MOST || !def->levels)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: a ladder has 2 to %d levels, not %u; one mesh is for lt_bake_tets", def->name,
                       LT_LADDER_MOST, def->levels ? def->level_count : 0);
    return LT_OK;
}

lt_status lt_bake_ladder(const lt_bake_ladder_def *def, lt_shape **out, lt_bake_notes *notes,
                         lt_error *error) {
    *out = NULL;
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    lt_bake_notes local;
    if (!notes) notes = &local;
    *notes = (lt_bake_notes){0};
    lt_tet_mesh meshes[LT_LADDER_MOST] = {0};
    lt_surface surface = {0};
    lt_ladder_build build = {
        .surface = &surface, .name = def->name, .clamps = def->clamp_weights, .allocator = def->allocator};
    status = copy_levels(def, meshes, &surface, notes, error);
    if (status == LT_OK) status = lt_ladder_take_meshes(&build, meshes, def->level_count, error);
    if (status == LT_OK) status = lt_ladder_finish(&build, error);
    if (status == LT_OK) status = write_shape(def, &build, out, error);
    lt_ladder_free(&build);
    lt_surface_free(&surface);
    for (uint32_t level = 0; level < def->level_count; level++)
        lt_tet_mesh_free(&meshes[level]);
    return status;
}
