/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake_notes.h"

#include "core/base.h"
#include "json_output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS_MAX = 6, WARNING_SIZE = 240 };

/* A carrier that misses its target by less needs no words. */
#define TARGET_SLACK 0.2
/* Over this much of the solid's volume a carrier is worth a word. */
#define LOOSE_RATIO 1.5

typedef struct warnings {
    char texts[WARNINGS_MAX][WARNING_SIZE];
    uint32_t count;
} warnings;

static void LT_PRINTF_FORMAT(2, 3) warn(warnings *w, const char *format, ...) {
    va_list arguments;
    if (w->count == WARNINGS_MAX) return;
    va_start(arguments, format);
    vsnprintf(w->texts[w->count++], WARNING_SIZE, format, arguments);
    va_end(arguments);
}

/* ---- findings ---- */

void lt_bake_print_finding(const lt_bake_finding *finding) {
    printf("  %-36s%u", finding->what, finding->count);
    if (finding->first[0] != LT_NONE) printf(", first: %s %u", finding->element, finding->first[0]);
    if (finding->first[1] != LT_NONE) printf("-%u", finding->first[1]);
    printf("\n");
}

void lt_bake_write_finding(lt_json *json, const lt_bake_finding *finding) {
    lt_json_begin_object(json);
    lt_json_put_string(json, "what", finding->what);
    lt_json_put_u64(json, "count", finding->count);
    lt_json_put_string(json, "element", finding->element);
    lt_json_key(json, "first");
    lt_json_begin_array(json);
    for (int i = 0; i < 2 && finding->first[i] != LT_NONE; i++)
        lt_json_u64(json, finding->first[i]);
    lt_json_end_array(json);
    lt_json_end_object(json);
}

static uint32_t count_found(const lt_bake_surface_notes *notes, const char *what) {
    for (uint32_t i = 0; i < notes->finding_count; i++)
        if (strcmp(notes->findings[i].what, what) == 0) return notes->findings[i].count;
    return 0;
}

/* ---- surfaces ---- */

static double volume_ratio(const lt_bake_surface_notes *notes) {
    return notes->solid_volume > 0.0 ? notes->carrier_volume / notes->solid_volume : 0.0;
}

/* "tets" or "cells", how many there are and how many were asked for; 0: a size was given. */
static const char *elements_of(const lt_bake_surface_notes *notes, uint32_t *count, uint32_t *target) {
    *count = notes->cell_count ? notes->cell_count : notes->tet_count;
    *target = notes->cell_count ? notes->target_cells : notes->target_tets;
    return notes->cell_count ? "cells" : "tets";
}

static void warn_of_target(warnings *w, const lt_bake_surface_notes *notes) {
    uint32_t count, target;
    const char *elements = elements_of(notes, &count, &target);
    double share = target ? (double)count / target : 1.0;
    if (fabs(share - 1.0) <= TARGET_SLACK) return;
    if (share > 1.0 && notes->copy_count)
        warn(w,
             "%.0f %% more %s than asked for: pieces that stand close together need %u of their own, so "
             "that they are not glued",
             100.0 * (share - 1.0), elements, notes->copy_count);
    else
        warn(w, "%.0f %% %s %s than asked for: no size of cells comes nearer", 100.0 * fabs(share - 1.0),
             share > 1.0 ? "more" : "fewer", elements);
}

static void warn_of_surface(warnings *w, const lt_bake_surface_notes *notes) {
    uint32_t hole_count = count_found(notes, "holes"), count, target;
    const char *elements = elements_of(notes, &count, &target);
    if (notes->is_glued)
        warn(w, "pieces that stand close could not be kept apart and share tets: try more --tets");
    if (notes->is_sheet)
        warn(w,
             "nothing is inside this surface: it is carried by a shell of the %s it touches, and those %s, "
             "all "
             "solid, give it its weight",
             elements, elements);
    else if (hole_count)
        warn(w,
             "the surface has %u hole%s, which stay%s open: the inside is where the winding number says so",
             hole_count, hole_count == 1 ? "" : "s", hole_count == 1 ? "s" : "");
    warn_of_target(w, notes);
    if (!notes->cell_count && volume_ratio(notes) > LOOSE_RATIO)
        warn(w,
             "the carrier has %.2f times the volume of the solid: more --tets, more --rounds or a smaller "
             "--dihedral fit tighter",
             volume_ratio(notes));
}

static void print_surface(const lt_bake_account *account) {
    const lt_bake_surface_notes *notes = &account->mesh.surface;
    uint32_t count, target;
    const char *elements = elements_of(notes, &count, &target);
    bool is_cut = notes->cell_count > 0;
    printf("%s: %u vertices, %u triangles, %s\n", account->mesh_path,
           is_cut ? notes->whole_vertex_count : notes->vertex_count,
           is_cut ? notes->whole_triangle_count : notes->triangle_count,
           notes->is_closed ? "closed" : "open");
    for (uint32_t i = 0; i < notes->finding_count; i++)
        lt_bake_print_finding(&notes->findings[i]);
    printf("%s: %zu bytes\n", account->out_path, lt_shape_size(account->shape));
    printf("  %-36s%u\n", "nodes", notes->node_count);
    if (target)
        printf("  %-36s%u of %u asked for\n", elements, count, target);
    else
        printf("  %-36s%u\n", elements, count);
    if (is_cut) printf("  %-36s%.4g m\n", "size of a cell", notes->cell_size);
    if (is_cut) printf("  %-36s%u\n", "triangles, cut at faces of cells", notes->triangle_count);
    if (notes->copy_count)
        printf("  %-36s%u\n", is_cut ? "cells of close pieces, not glued" : "tets of close pieces, not glued",
               notes->copy_count);
    if (notes->is_sheet)
        printf("  %-36s%.4g m^3\n", "volume of the carrier", notes->carrier_volume);
    else
        printf("  %-36s%.4g m^3, %.3f times the solid's %.4g\n", "volume of the carrier",
               notes->carrier_volume, volume_ratio(notes), notes->solid_volume);
}

static void write_surface(lt_json *json, const lt_bake_surface_notes *notes) {
    lt_json_key(json, "findings");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < notes->finding_count; i++)
        lt_bake_write_finding(json, &notes->findings[i]);
    lt_json_end_array(json);
    lt_json_put_u64(json, "vertices", notes->vertex_count);
    lt_json_put_u64(json, "triangles", notes->triangle_count);
    lt_json_put_bool(json, "closed", notes->is_closed);
    lt_json_put_bool(json, "sheet", notes->is_sheet);
    lt_json_put_bool(json, "glued", notes->is_glued);
    lt_json_put_double(json, "simplify_error", notes->simplify_error);
    lt_json_put_u64(json, "nodes", notes->node_count);
    lt_json_put_string(json, "carrier",
                       notes->cell_count    ? "lattice"
                       : notes->level_count ? "ladder"
                                            : "tet");
    if (notes->cell_count) {
        lt_json_put_u64(json, "cells", notes->cell_count);
        lt_json_put_u64(json, "target_cells", notes->target_cells);
        lt_json_put_u64(json, "whole_triangles", notes->whole_triangle_count);
    } else {
        lt_json_put_u64(json, "tets", notes->tet_count);
        lt_json_put_u64(json, "target_tets", notes->target_tets);
    }
    lt_json_put_u64(json, "copies", notes->copy_count);
    lt_json_put_double(json, "solid_volume", notes->solid_volume);
    lt_json_put_double(json, "carrier_volume", notes->carrier_volume);
    if (!notes->is_sheet) lt_json_put_double(json, "volume_ratio", volume_ratio(notes));
    lt_json_put_double(json, "cell_size", notes->cell_size);
}

/* ---- tets ---- */

static void warn_of_tets(warnings *w, const lt_bake_notes *notes) {
    if (notes->turned_tets) warn(w, "%u tets were inside out and have been turned", notes->turned_tets);
    if (notes->unused_nodes) warn(w, "%u nodes belong to no tet and have been dropped", notes->unused_nodes);
    if (notes->outside_vertices)
        warn(
            w,
            "%u surface vertices lie outside every tet, by up to %.3g of the surface's size; they follow the "
            "nearest tet",
            notes->outside_vertices, notes->farthest_outside);
    if (notes->farthest_outside > 1.0)
        warn(w, "that is far: do the two files use the same units and the same place?");
    if (notes->open_edges)
        warn(w, "%u edges of the surface have one triangle only: its inside is a guess", notes->open_edges);
}

static void write_tets(lt_json *json, const lt_bake_notes *notes) {
    lt_json_put_u64(json, "turned_tets", notes->turned_tets);
    lt_json_put_u64(json, "unused_nodes", notes->unused_nodes);
    lt_json_put_u64(json, "outside_vertices", notes->outside_vertices);
    lt_json_put_double(json, "farthest_outside", notes->farthest_outside);
    lt_json_put_u64(json, "open_edges", notes->open_edges);
}

/* ---- both ---- */

static warnings warnings_of(const lt_bake_account *account) {
    warnings w = {.count = 0};
    if (account->source == LT_BAKE_FROM_SURFACE) warn_of_surface(&w, &account->mesh.surface);
    if (account->source == LT_BAKE_FROM_TETS) warn_of_tets(&w, &account->mesh.tets);
    return w;
}

void lt_bake_account_print(const lt_bake_account *account) {
    warnings w = warnings_of(account);
    if (account->source == LT_BAKE_FROM_SURFACE)
        print_surface(account);
    else
        printf("%s: %zu bytes, %u chunks\n", account->out_path, lt_shape_size(account->shape),
               lt_shape_chunk_count(account->shape));
    lt_ladder_notes_print(&account->ladder);
    lt_tree_notes_print(&account->tree);
    lt_multiscale_notes_print(&account->multiscale);
    for (uint32_t i = 0; i < w.count; i++)
        printf("  note: %s\n", w.texts[i]);
}

void lt_bake_account_write(lt_json *json, const lt_bake_account *account) {
    warnings w = warnings_of(account);
    lt_json_begin_object(json);
    lt_json_put_string(json, "file", account->out_path);
    lt_json_put_u64(json, "bytes", lt_shape_size(account->shape));
    if (account->source == LT_BAKE_FROM_SURFACE) write_surface(json, &account->mesh.surface);
    if (account->source == LT_BAKE_FROM_TETS) write_tets(json, &account->mesh.tets);
    lt_ladder_notes_write(json, &account->ladder);
    lt_tree_notes_write(json, &account->tree);
    lt_multiscale_notes_write(json, &account->multiscale);
    lt_json_key(json, "warnings");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < w.count; i++)
        lt_json_string(json, w.texts[i]);
    lt_json_end_array(json);
    lt_json_end_object(json);
}
