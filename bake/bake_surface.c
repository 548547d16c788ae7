/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Any surface to a shape: repair, enclose (in several sizes for a ladder), prove, embed; or repair, lay out cells, embed. */

#include "lithe/bake.h"

#include "bake/carrier_write.h"
#include "bake/cells.h"
#include "bake/enclose.h"
#include "bake/ladder.h"
#include "bake/repair.h"
#include "bake/simplify.h"
#include "bake/skin_write.h"
#include "embed/embed.h"

#include <math.h>

static const uint64_t COOKIE = 0x6c697468652d6273u;
enum { DISTANCE_CELLS_MAX = 1024 };

lt_bake_surface_def lt_bake_surface_def_default(void) {
    lt_enclose_def enclose = lt_enclose_def_default();
    return (lt_bake_surface_def){.name = "surface",
                                 .min_dihedral = enclose.min_dihedral,
                                 .rounds = enclose.rounds,
                                 .seed = enclose.seed,
                                 .target_cells = lt_cells_def_default().target_cells,
                                 .ladder_levels = 6,
                                 .coarsest_tets = 85,
                                 .distance_resolution = 48,
                                 .allocator = lt_allocator_default(),
                                 .cookie = COOKIE};
}

/* A ladder goes down from its finest level, and needs room to do so. */
static lt_bake_surface_def choose_target(const lt_bake_surface_def *def) {
    lt_bake_surface_def chosen = *def;
    if (chosen.target_tets == 0)
        chosen.target_tets = def->carrier == LT_CARRIER_LADDER ? LT_BAKE_LADDER_TETS : LT_BAKE_TETS;
    return chosen;
}

static bool go_on(const lt_bake_surface_def *def, const char *stage, float share) {
    return !def->progress || def->progress(def->progress_context, stage, share);
}

static lt_status cancelled(const lt_bake_surface_def *def, lt_error *error) {
    return lt_fail(error, LT_STATUS_CANCELLED, "%s: cancelled", def->name);
}

static void note_findings(lt_bake_surface_notes *notes, const lt_repair_report *report) {
    _Static_assert((int)LT_REPAIR_KIND_COUNT <= LT_BAKE_FINDINGS_MAX, "every kind of finding has a place");
    for (int kind = 0; kind < LT_REPAIR_KIND_COUNT; kind++) {
        const lt_repair_finding *found = &report->findings[kind];
        if (found->count == 0) continue;
        notes->findings[notes->finding_count++] =
            (lt_bake_finding){.what = lt_repair_kind_text((lt_repair_kind)kind),
                              .element = lt_repair_kind_element((lt_repair_kind)kind),
                              .count = found->count,
                              .first = {found->first[0], found->first[1]}};
    }
    notes->is_closed = report->is_closed;
}

/* Messages of the stages know no file: the name is put before them. */
static lt_status name_error(const lt_bake_surface_def *def, lt_status status, lt_error *error) {
    if (status == LT_OK || !error) return status;
    lt_error plain = *error;
    return lt_fail(error, status, "%s: %.250s", def->name, plain.message);
}

static lt_status repair_surface(const lt_bake_surface_def *def, lt_surface *out, lt_bake_surface_notes *notes,
                                lt_error *error) {
    lt_surface in = {.positions = (lt_vec3 *)def->positions,
                     .triangles = (uint32_t *)def->triangles,
                     .vertex_count = def->positions ? def->vertex_count : 0,
                     .triangle_count = def->triangles ? def->triangle_count : 0};
    lt_repair_report report;
    lt_status status = lt_repair(&in, out, &report, &def->allocator, error);
    if (status != LT_OK) return name_error(def, status, error);
    note_findings(notes, &report);
    notes->vertex_count = out->vertex_count;
    notes->triangle_count = out->triangle_count;
    lt_repair_report_free(&report);
    return LT_OK;
}

/* Fewer triangles, in place; refused by the simplifier rather than folded or pinched. */
static lt_status simplify_surface(const lt_bake_surface_def *def, lt_surface *surface,
                                  lt_bake_surface_notes *notes, lt_error *error) {
    if (def->target_triangles == 0 || def->target_triangles >= surface->triangle_count) return LT_OK;
    if (!go_on(def, "simplify", 0)) return cancelled(def, error);
    lt_simplify_params params = {.triangle_count = def->target_triangles};
    lt_simplify_report report;
    lt_surface simpler = {0};
    lt_status status = lt_simplify(surface, &params, &simpler, &report, &def->allocator, error);
    if (status != LT_OK) return name_error(def, status, error);
    lt_vec3 size = lt_v3_sub(lt_surface_box(surface).hi, lt_surface_box(surface).lo);
    double longest = (double)lt_max_f(size.x, lt_max_f(size.y, size.z));
    notes->simplify_error = report.attempts[report.attempt_count - 1].error * longest;
    lt_surface_free(surface);
    *surface = simpler;
    notes->vertex_count = surface->vertex_count;
    notes->triangle_count = surface->triangle_count;
    return LT_OK;
}

static lt_enclose_def enclose_def(const lt_bake_surface_def *def) {
    lt_enclose_def enclose = lt_enclose_def_default();
    enclose.target_tets = def->target_tets;
    enclose.min_dihedral = def->min_dihedral;
    enclose.rounds = def->rounds;
    enclose.seed = def->seed;
    enclose.progress = def->progress;
    enclose.progress_context = def->progress_context;
    enclose.allocator = &def->allocator;
    return enclose;
}

static lt_status enclose_surface(const lt_bake_surface_def *def, const lt_surface *surface, lt_enclosure *out,
                                 lt_bake_surface_notes *notes, lt_error *error) {
    lt_enclose_def enclose = enclose_def(def);
    lt_status status = lt_enclose(surface, &enclose, out, error);
    if (status == LT_OK && !go_on(def, "prove", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = lt_enclosure_verify(surface, out, &def->allocator, error);
    if (status != LT_OK) return name_error(def, status, error);
    notes->node_count = out->mesh.node_count;
    notes->tet_count = out->mesh.tet_count;
    notes->target_tets = def->target_tets;
    notes->copy_count = out->copy_count;
    notes->is_sheet = out->is_sheet;
    notes->is_glued = out->is_glued;
    notes->solid_volume = out->solid_volume;
    notes->carrier_volume = out->carrier_volume;
    notes->cell_size = out->cell_size;
    return LT_OK;
}

static lt_status write_shape(const lt_bake_surface_def *def, const lt_surface *surface,
                             const lt_enclosure *enclosure, lt_shape **out, lt_error *error) {
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    lt_skin_build skin = {.surface = surface,
                          .mesh = &enclosure->mesh,
                          .tets = enclosure->vertex_tets,
                          .rigid_links = def->embedding == LT_EMBEDDING_RIGID_LINKS,
                          .distance_cells = def->distance_resolution,
                          .allocator = &def->allocator};
    lt_status status = lt_carrier_write(&builder, &enclosure->mesh, enclosure->fill, &def->allocator, error);
    if (status == LT_OK) status = lt_skin_write(&builder, &skin, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, def->name, out, error);
    lt_shape_builder_free(&builder);
    return name_error(def, status, error);
}

static lt_status bake_on_tets(const lt_bake_surface_def *def, const lt_surface *surface, lt_shape **out,
                              lt_bake_surface_notes *notes, lt_error *error) {
    lt_enclosure enclosure = {0};
    lt_status status = enclose_surface(def, surface, &enclosure, notes, error);
    if (status == LT_OK && !go_on(def, "embed", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = write_shape(def, surface, &enclosure, out, error);
    lt_enclosure_free(&enclosure);
    return status;
}

/* ---- ladders ---- */

/* As given, or in equal ratios from the finest to the coarsest. */
static void choose_level_targets(uint32_t targets[LT_LADDER_MOST], const lt_bake_surface_def *def) {
    double ratio = (double)def->coarsest_tets / (double)def->target_tets;
    for (uint32_t level = 0; level < def->ladder_levels; level++)
        targets[level] =
            def->level_tets
                ? def->level_tets[level]
                : (uint32_t)lround(def->target_tets * pow(ratio, (double)level / (def->ladder_levels - 1)));
}

static void note_ladder(lt_bake_surface_notes *notes, const lt_ladder_build *build, uint32_t target) {
    notes->level_count = build->level_count;
    for (uint32_t level = 0; level < build->level_count; level++) {
        const lt_tet_mesh *mesh = &build->levels[level].mesh;
        notes->level_nodes[level] = mesh->node_count;
        notes->level_tets[level] = mesh->tet_count;
        notes->level_volumes[level] = lt_tet_mesh_volume(mesh);
    }
    notes->node_count = notes->level_nodes[0];
    notes->tet_count = notes->level_tets[0];
    notes->target_tets = target;
    notes->copy_count = build->copy_count;
    notes->is_sheet = build->is_sheet;
    notes->is_glued = build->is_glued;
    notes->solid_volume = build->is_sheet ? 0 : build->solid_volume;
    notes->carrier_volume = notes->level_volumes[0];
    notes->cell_size = build->cell_size;
    notes->piece_count = build->ladder.piece_count;
}

static lt_status write_ladder(const lt_bake_surface_def *def, const lt_ladder_build *build, lt_shape **out,
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

static lt_status bake_on_ladder(const lt_bake_surface_def *def, const lt_surface *surface, lt_shape **out,
                                lt_bake_surface_notes *notes, lt_error *error) {
    lt_ladder_build build = {.surface = surface, .name = "ladder", .allocator = def->allocator};
    lt_enclose_def enclose = enclose_def(def);
    uint32_t targets[LT_LADDER_MOST];
    choose_level_targets(targets, def);
    lt_status status = lt_ladder_enclose(&build, &enclose, targets, def->ladder_levels, error);
    if (status == LT_OK && !go_on(def, "joining levels", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = lt_ladder_finish(&build, error);
    if (status == LT_OK) note_ladder(notes, &build, targets[0]);
    if (status == LT_OK && !go_on(def, "embed", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = write_ladder(def, &build, out, error);
    lt_ladder_free(&build);
    return name_error(def, status, error);
}

/* ---- lattices ---- */

static lt_status lay_out_cells(const lt_bake_surface_def *def, const lt_surface *surface, lt_cells *out,
                               lt_bake_surface_notes *notes, lt_error *error) {
    lt_cells_def cells = lt_cells_def_default();
    cells.target_cells = def->target_cells;
    cells.cell_size = (double)def->cell_size;
    cells.is_filled = def->fill;
    cells.progress = def->progress;
    cells.progress_context = def->progress_context;
    cells.allocator = &def->allocator;
    lt_status status = lt_cells_build(surface, &cells, out, error);
    if (status != LT_OK) return name_error(def, status, error);
    double h = out->mesh.cell_size;
    notes->node_count = out->mesh.node_count;
    notes->cell_count = out->mesh.cell_count;
    notes->target_cells = def->cell_size > 0 ? 0 : def->target_cells;
    notes->whole_vertex_count = surface->vertex_count;
    notes->whole_triangle_count = surface->triangle_count;
    notes->vertex_count = out->surface.vertex_count;
    notes->triangle_count = out->surface.triangle_count;
    notes->copy_count = out->copy_count;
    notes->is_sheet = out->is_sheet;
    notes->solid_volume = out->solid_volume;
    notes->carrier_volume = out->mesh.cell_count * h * h * h;
    notes->cell_size = h;
    return LT_OK;
}

static lt_status write_lattice(const lt_bake_surface_def *def, const lt_surface *surface,
                               const lt_cells *cells, lt_shape **out, lt_error *error) {
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    const lt_cell_skin_build skin = {.surface = &cells->surface,
                                     .mesh = &cells->mesh,
                                     .vertex_cells = cells->vertex_cells,
                                     .triangle_cells = cells->triangle_cells,
                                     .triangle_parents = cells->parents,
                                     .boxes = cells->boxes,
                                     .masks = cells->masks,
                                     .whole = surface,
                                     .distance_cells = def->distance_resolution,
                                     .allocator = &def->allocator};
    lt_status status = lt_carrier_write_cells(&builder, &cells->mesh, &def->allocator, error);
    if (status == LT_OK) status = lt_skin_write_cells(&builder, &skin, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, def->name, out, error);
    lt_shape_builder_free(&builder);
    return name_error(def, status, error);
}

static lt_status bake_on_cells(const lt_bake_surface_def *def, const lt_surface *surface, lt_shape **out,
                               lt_bake_surface_notes *notes, lt_error *error) {
    lt_cells cells = {0};
    lt_status status = lay_out_cells(def, surface, &cells, notes, error);
    if (status == LT_OK && !go_on(def, "embed", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = write_lattice(def, surface, &cells, out, error);
    lt_cells_free(&cells);
    return status;
}

/* ---- both ---- */

static lt_status check_ladder_def(const lt_bake_surface_def *def, lt_error *error) {
    if (def->embedding != LT_EMBEDDING_BARYCENTRIC)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: rigid links need a plain carrier of tets: a ladder's surface is barycentric",
                       def->name);
    if (def->ladder_levels < 2 || def->ladder_levels > LT_LADDER_MOST)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: a ladder has 2 to %d levels, not %u; with one it is a plain carrier of tets",
                       def->name, LT_LADDER_MOST, def->ladder_levels);
    uint32_t targets[LT_LADDER_MOST];
    choose_level_targets(targets, def);
    for (uint32_t level = 1; level < def->ladder_levels; level++)
        if (targets[level] >= targets[level - 1])
            return lt_fail(error, LT_STATUS_INVALID,
                           "%s: level %u is to have %u tets, and level %u, which must be finer, %u: give "
                           "counts that fall, or fewer levels",
                           def->name, level, targets[level], level - 1, targets[level - 1]);
    return LT_OK;
}

/* The stages check their own; the embedding would take any grid and make it coarser. */
static lt_status check_def(const lt_bake_surface_def *def, lt_error *error) {
    if (def->distance_resolution < 1 || def->distance_resolution > DISTANCE_CELLS_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "%s: the grid of distances must have 1 to %d cells, not %u",
                       def->name, DISTANCE_CELLS_MAX, def->distance_resolution);
    if (def->carrier != LT_CARRIER_TETS && def->carrier != LT_CARRIER_LATTICE &&
        def->carrier != LT_CARRIER_LADDER)
        return lt_fail(error, LT_STATUS_INVALID, "%s: there is no carrier %d", def->name, (int)def->carrier);
    if (def->carrier == LT_CARRIER_LADDER) return check_ladder_def(def, error);
    if (def->carrier == LT_CARRIER_LATTICE && def->embedding != LT_EMBEDDING_BARYCENTRIC)
        return lt_fail(error, LT_STATUS_INVALID, "%s: rigid links need a carrier of tets", def->name);
    return LT_OK;
}

lt_status lt_bake_surface(const lt_bake_surface_def *def, lt_shape **out, lt_bake_surface_notes *notes,
                          lt_error *error) {
    *out = NULL;
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_surface_def_default");
    lt_bake_surface_notes local;
    if (!notes) notes = &local;
    *notes = (lt_bake_surface_notes){0};
    lt_surface surface = {0};
    lt_bake_surface_def chosen = choose_target(def);
    def = &chosen;
    lt_status status = check_def(def, error);
    if (status == LT_OK && !go_on(def, "repair", 0)) status = cancelled(def, error);
    if (status == LT_OK) status = repair_surface(def, &surface, notes, error);
    if (status == LT_OK) status = simplify_surface(def, &surface, notes, error);
    if (status == LT_OK)
        status = (def->carrier == LT_CARRIER_LATTICE  ? bake_on_cells
                  : def->carrier == LT_CARRIER_LADDER ? bake_on_ladder
                                                      : bake_on_tets)(def, &surface, out, notes, error);
    lt_surface_free(&surface);
    return status;
}
