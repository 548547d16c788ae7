/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe info`: what a mesh or a baked shape contains. Every fact goes through one of the tell functions,
 * which print it for people and write it for machines under the same name. */

#include "bake_notes.h"
#include "commands.h"
#include "json_output.h"
#include "ladder_notes.h"
#include "mesh_file.h"
#include "multiscale_notes.h"
#include "options.h"
#include "shape_file.h"
#include "tree_notes.h"

#include "bake/adjacency.h"
#include "bake/repair.h"
#include "core/os.h"
#include "core/union_find.h"
#include "embed/embed.h"
#include "io/mesh_file.h"
#include "scenes/trigonometry.h"
#include "shape/shape.h"

#include <stdio.h>
#include <string.h>

enum { GROUPS_TOLD = 32 };

typedef struct teller {
    lt_json_output output;
    bool quiet; /* standard output belongs to the JSON */
} teller;

/* ---- telling ---- */

static void tell_count(teller *t, const char *key, uint64_t value) {
    lt_json_put_u64(&t->output.json, key, value);
    if (!t->quiet) printf("  %-22s%llu\n", key, (unsigned long long)value);
}

static void tell_number(teller *t, const char *key, double value) {
    lt_json_put_double(&t->output.json, key, value);
    if (!t->quiet) printf("  %-22s%.6g\n", key, value);
}

static void tell_truth(teller *t, const char *key, bool value) {
    lt_json_put_bool(&t->output.json, key, value);
    if (!t->quiet) printf("  %-22s%s\n", key, value ? "yes" : "no");
}

static void tell_kind(teller *t, const char *path, const char *kind) {
    lt_json_put_string(&t->output.json, "kind", kind);
    if (!t->quiet) printf("%s: %s\n", path, kind);
}

static void tell_text(teller *t, const char *key, const char *value) {
    lt_json_put_string(&t->output.json, key, value);
    if (!t->quiet) printf("  %-22s%s\n", key, value);
}

static void tell_vector(teller *t, const char *key, lt_dvec3 value) {
    lt_json_key(&t->output.json, key);
    lt_json_begin_array(&t->output.json);
    lt_json_double(&t->output.json, value.x);
    lt_json_double(&t->output.json, value.y);
    lt_json_double(&t->output.json, value.z);
    lt_json_end_array(&t->output.json);
    if (!t->quiet) printf("  %-22s%.6g %.6g %.6g\n", key, value.x, value.y, value.z);
}

static void begin_part(teller *t, const char *key) {
    lt_json_key(&t->output.json, key);
    lt_json_begin_object(&t->output.json);
    if (!t->quiet) printf("%s\n", key);
}

static void end_part(teller *t) {
    lt_json_end_object(&t->output.json);
}

/* ---- meshes ---- */

static lt_status tell_surface(teller *t, const lt_surface *surface, lt_error *error) {
    lt_surface_adjacency adjacency;
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, NULL, error);
    if (status != LT_OK) return status;
    lt_box box = lt_surface_box(surface);
    begin_part(t, "surface");
    tell_count(t, "vertices", surface->vertex_count);
    tell_count(t, "triangles", surface->triangle_count);
    tell_count(t, "edges", adjacency.edge_count);
    tell_vector(t, "box_lo", lt_d3_from_v3(box.lo));
    tell_vector(t, "box_hi", lt_d3_from_v3(box.hi));
    tell_number(t, "area", lt_surface_area(surface));
    tell_number(t, "volume", lt_surface_volume(surface));
    tell_truth(t, "closed", adjacency.is_closed);
    tell_truth(t, "oriented", adjacency.is_oriented);
    tell_count(t, "boundary_edges", adjacency.boundary_edge_count);
    tell_count(t, "nonmanifold_edges", adjacency.nonmanifold_edge_count);
    tell_count(t, "components", adjacency.component_count);
    end_part(t);
    lt_surface_adjacency_free(&adjacency);
    return LT_OK;
}

/* What repair finds; a surface it refuses is told of, too: info is for looking at bad files. */
static lt_status tell_findings(teller *t, const lt_surface *surface, lt_error *error) {
    lt_surface repaired = {0};
    lt_repair_report report = {0};
    lt_json *json = &t->output.json;
    lt_status status = lt_repair(surface, &repaired, &report, NULL, error);
    if (status == LT_STATUS_INVALID) tell_text(t, "refused", error->message);
    if (status != LT_OK) return status == LT_STATUS_INVALID ? LT_OK : status;
    lt_json_key(json, "findings");
    lt_json_begin_array(json);
    if (!t->quiet) printf("findings\n");
    for (int kind = 0; kind < LT_REPAIR_KIND_COUNT; kind++) {
        const lt_repair_finding *found = &report.findings[kind];
        const lt_bake_finding finding = {.what = lt_repair_kind_text((lt_repair_kind)kind),
                                         .element = lt_repair_kind_element((lt_repair_kind)kind),
                                         .count = found->count,
                                         .first = {found->first[0], found->first[1]}};
        if (found->count == 0) continue;
        lt_bake_write_finding(json, &finding);
        if (!t->quiet) lt_bake_print_finding(&finding);
    }
    lt_json_end_array(json);
    lt_repair_report_free(&report);
    lt_surface_free(&repaired);
    return LT_OK;
}

static double shortest_edge(const lt_tet_mesh *mesh, const lt_tet_adjacency *adjacency) {
    double shortest = INFINITY;
    for (uint32_t e = 0; e < adjacency->edge_count; e++) {
        const uint32_t *ends = adjacency->edges + 2 * (size_t)e;
        shortest = lt_min_d(shortest, lt_d3_distance(mesh->positions[ends[0]], mesh->positions[ends[1]]));
    }
    return shortest;
}

static void tell_tet_box(teller *t, const lt_tet_mesh *mesh) {
    lt_dvec3 lo = mesh->positions[0], hi = lo;
    for (uint32_t i = 1; i < mesh->node_count; i++) {
        lo = lt_d3_min(lo, mesh->positions[i]);
        hi = lt_d3_max(hi, mesh->positions[i]);
    }
    tell_vector(t, "box_lo", lo);
    tell_vector(t, "box_hi", hi);
}

static lt_status tell_tets(teller *t, const lt_mesh_file *file, lt_error *error) {
    const lt_tet_mesh tets = lt_mesh_file_tets(file), *mesh = &tets;
    lt_tet_adjacency adjacency;
    lt_status status = lt_tet_adjacency_build(&adjacency, mesh, NULL, error);
    if (status != LT_OK) return status;
    lt_tet_measures measures = lt_tet_mesh_measure(mesh, &adjacency);
    begin_part(t, "tets");
    tell_count(t, "nodes", mesh->node_count);
    tell_count(t, "tets", mesh->tet_count);
    tell_count(t, "boundary_faces", adjacency.boundary_face_count);
    tell_count(t, "nonmanifold_faces", adjacency.nonmanifold_face_count);
    tell_count(t, "components", adjacency.component_count);
    tell_tet_box(t, mesh);
    tell_number(t, "volume", lt_tet_mesh_volume(mesh));
    tell_number(t, "edge_min", shortest_edge(mesh, &adjacency));
    tell_number(t, "edge_mean", measures.mean_edge_length);
    tell_number(t, "altitude_min", measures.smallest_altitude);
    tell_number(t, "dihedral_min_degrees", measures.smallest_dihedral * (180.0 / LT_PI));
    tell_number(t, "dihedral_max_degrees", measures.largest_dihedral * (180.0 / LT_PI));
    tell_count(t, "turned",
               file->turned_tet_count); /* of negative volume in the file; of zero volume are refused */
    tell_count(t, "unused_nodes", file->unused_node_count);
    end_part(t);
    lt_tet_adjacency_free(&adjacency);
    return LT_OK;
}

static uint32_t count_in_group(const uint32_t *groups, uint32_t count, uint32_t group) {
    uint32_t found = 0;
    for (uint32_t i = 0; groups && i < count; i++)
        found += groups[i] == group;
    return found;
}

/* The first ones: a file may have one a line. */
static void tell_groups(teller *t, const lt_mesh_file *mesh) {
    lt_json *json = &t->output.json;
    tell_count(t, "groups", mesh->group_count);
    lt_json_key(json, "first_groups");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < mesh->group_count && i < GROUPS_TOLD; i++) {
        uint32_t triangles = count_in_group(mesh->triangle_groups, mesh->surface_triangle_count, i);
        uint32_t tets = count_in_group(mesh->tet_groups, mesh->tet_count, i);
        lt_json_begin_object(json);
        lt_json_put_string(json, "name", mesh->group_names[i]);
        lt_json_put_u64(json, "triangles", triangles);
        lt_json_put_u64(json, "tets", tets);
        lt_json_end_object(json);
        if (!t->quiet) printf("    %-20s%u triangles, %u tets\n", mesh->group_names[i], triangles, tets);
    }
    lt_json_end_array(json);
}

static lt_status tell_mesh(teller *t, const char *path, lt_error *error) {
    lt_mesh_file file;
    lt_status status = lt_open_mesh(&file, path, error);
    if (status != LT_OK) return status;
    const lt_surface surface = lt_mesh_file_surface(&file);
    tell_kind(t, path, file.tet_count ? "tet mesh" : "surface");
    if (file.group_count) tell_groups(t, &file);
    if (file.split_polygon_count) tell_count(t, "split_polygons", file.split_polygon_count);
    if (file.skipped_cell_count) tell_count(t, "skipped_cells", file.skipped_cell_count);
    if (file.higher_order_count) tell_count(t, "higher_order_cells", file.higher_order_count);
    if (file.tet_count) status = tell_tets(t, &file, error);
    if (status == LT_OK && surface.triangle_count) status = tell_surface(t, &surface, error);
    if (status == LT_OK && surface.triangle_count) status = tell_findings(t, &surface, error);
    lt_mesh_file_free(&file);
    return status;
}

/* ---- shapes ---- */

static void tell_chunk(teller *t, const lt_shape_chunk *chunk) {
    lt_json *json = &t->output.json;
    char dims[100] = "";
    lt_json_begin_object(json);
    lt_json_put_string(json, "name", chunk->name);
    lt_json_put_string(json, "type", lt_shape_type_name(chunk->type));
    lt_json_key(json, "dims");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < chunk->dim_count; i++) {
        size_t used = strlen(dims);
        lt_json_u64(json, chunk->dims[i]);
        snprintf(dims + used, sizeof dims - used, "[%llu]", (unsigned long long)chunk->dims[i]);
    }
    lt_json_end_array(json);
    lt_json_put_u64(json, "bytes", chunk->size);
    lt_json_end_object(json);
    if (!t->quiet)
        printf("  %-26s%-6s%-20s%llu bytes\n", chunk->name, lt_shape_type_name(chunk->type), dims,
               (unsigned long long)chunk->size);
}

static void tell_chunks(teller *t, const lt_shape *shape) {
    if (!t->quiet) printf("chunks\n");
    lt_json_key(&t->output.json, "chunks");
    lt_json_begin_array(&t->output.json);
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        tell_chunk(t, &chunk);
    }
    lt_json_end_array(&t->output.json);
}

/* The first dim of a chunk, 0 when there is none of that name. */
static uint64_t count_of(const lt_shape *shape, const char *name) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        if (strcmp(chunk.name, name) == 0) return chunk.dims[0];
    }
    return 0;
}

static const char *embedding_of(const lt_shape *shape) {
    return lt_shape_has(shape, LT_CHUNK_CELLS)           ? "trilinear"
           : lt_shape_has(shape, LT_CHUNK_EMBED_OFFSETS) ? "rigid-links"
                                                         : "barycentric";
}

/* Points that lie outside their tet by more than rounding. With links, weights say nothing of inside. */
static void tell_outside(teller *t, const lt_shape *shape) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
    const float *weights = lt_shape_f32(shape, LT_CHUNK_EMBED_WEIGHTS, &dims, NULL);
    if (!weights || lt_shape_has(shape, LT_CHUNK_EMBED_OFFSETS))
        return; /* cells have eight, and none outside */
    uint64_t outside = 0;
    for (uint64_t i = 0; i < dims.size[0]; i++) {
        const float *w = weights + 4 * i;
        outside += lt_min_f(lt_min_f(w[0], w[1]), lt_min_f(w[2], w[3])) < -1e-5f;
    }
    tell_count(t, "outside_vertices", outside);
}

/* Volume, mass and angles of the carrier; of a ladder: of its finest level. */
static lt_status tell_carrier(teller *t, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_tet_adjacency adjacency;
    lt_status status = lt_carrier_read_finest(&carrier, shape, error);
    if (status != LT_OK) return status;
    const lt_tet_mesh mesh = lt_carrier_mesh(&carrier);
    status = lt_tet_adjacency_build(&adjacency, &mesh, NULL, error);
    if (status != LT_OK) return status;
    double volume = 0, solid = 0, fill_min = 1;
    for (uint32_t i = 0; i < mesh.tet_count; i++) {
        const uint32_t *c = lt_tet_at(&mesh, i);
        double tet = lt_tet_volume(mesh.positions[c[0]], mesh.positions[c[1]], mesh.positions[c[2]],
                                   mesh.positions[c[3]]);
        volume += tet;
        solid += tet * (double)carrier.fill[i];
        fill_min = lt_min_d(fill_min, (double)carrier.fill[i]);
    }
    tell_number(t, "carrier_volume", volume);
    tell_number(t, "fill_min", fill_min);
    tell_number(t, "fill_mean", solid / volume); /* by volume */
    tell_number(t, "mass_at_1000", 1000.0 * solid);
    tell_number(t, "dihedral_min_degrees",
                lt_tet_mesh_measure(&mesh, &adjacency).smallest_dihedral * (180.0 / LT_PI));
    tell_count(t, "carrier_components", adjacency.component_count);
    lt_tet_adjacency_free(&adjacency);
    return LT_OK;
}

/* Cells that share no node with others but through them: pieces of the lattice. */
static lt_status count_cell_components(uint32_t *count, const lt_carrier *carrier, lt_error *error) {
    uint32_t *roots = LT_NEW(NULL, carrier->node_count, uint32_t);
    if (!roots) return lt_fail(error, LT_STATUS_MEMORY, "no memory to look at %u nodes", carrier->node_count);
    lt_sets_begin(roots, carrier->node_count);
    for (size_t i = 0; i < 8 * (size_t)carrier->cell_count; i++)
        lt_sets_join(roots, carrier->cells[i], carrier->cells[i - i % 8]);
    *count = 0;
    for (uint32_t node = 0; node < carrier->node_count; node++)
        *count += lt_sets_find(roots, node) == node;
    LT_DELETE(NULL, roots, carrier->node_count, uint32_t);
    return LT_OK;
}

/* Size, mass and bounds of a lattice, which is checked whole on the way. */
static lt_status tell_lattice(teller *t, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    uint32_t with_surface = 0, components = 0;
    lt_status status = lt_carrier_read(&carrier, shape, error);
    if (status == LT_OK) status = lt_skin_read(&skin, shape, &carrier, error);
    if (status == LT_OK) status = count_cell_components(&components, &carrier, error);
    if (status != LT_OK) return status;
    double fill = 0, fill_min = 1, in_boxes = 0,
           cell = carrier.cell_size * carrier.cell_size * carrier.cell_size;
    for (uint32_t i = 0; i < carrier.cell_count; i++) {
        const float *lo = skin.cell_boxes + 6 * (size_t)i, *hi = lo + 3;
        fill += (double)carrier.cell_fill[i];
        fill_min = lt_min_d(fill_min, (double)carrier.cell_fill[i]);
        if (lo[0] > hi[0]) continue;
        with_surface++;
        in_boxes += (double)(hi[0] - lo[0]) * (double)(hi[1] - lo[1]) * (double)(hi[2] - lo[2]);
    }
    tell_number(t, "cell_size", carrier.cell_size);
    tell_count(t, "cells_with_surface", with_surface);
    tell_number(t, "box_share", with_surface ? in_boxes / with_surface : 0); /* of its cell, in the mean */
    tell_number(t, "carrier_volume", carrier.cell_count * cell);
    tell_number(t, "fill_min", fill_min);
    tell_number(t, "fill_mean", fill / carrier.cell_count);
    tell_number(t, "mass_at_1000", 1000.0 * fill * cell);
    tell_count(t, "carrier_components", components);
    tell_count(t, "whole_triangles", (uint64_t)skin.triangle_parents[skin.triangle_count - 1] + 1);
    return LT_OK;
}

static lt_status tell_ladder(teller *t, const lt_shape *shape, lt_error *error) {
    lt_ladder_notes notes;
    lt_status status = lt_ladder_notes_read(&notes, shape, error);
    if (status != LT_OK) return status;
    lt_ladder_notes_write(&t->output.json, &notes);
    if (!t->quiet) lt_ladder_notes_print(&notes);
    return LT_OK;
}

static lt_status tell_trees(teller *t, const lt_shape *shape, lt_error *error) {
    lt_tree_notes spheres;
    lt_multiscale_notes multiscale;
    lt_status status = lt_tree_notes_read(&spheres, shape, error);
    if (status == LT_OK) status = lt_multiscale_notes_read(&multiscale, shape, error);
    if (status != LT_OK) return status;
    lt_tree_notes_write(&t->output.json, &spheres);
    lt_multiscale_notes_write(&t->output.json, &multiscale);
    if (t->quiet) return LT_OK;
    lt_tree_notes_print(&spheres);
    lt_multiscale_notes_print(&multiscale);
    return LT_OK;
}

/* Nodes and tets or cells that a body has; of a ladder: those of its finest level. */
static void tell_size(teller *t, const lt_shape *shape, bool is_lattice) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 2);
    const uint32_t *levels = lt_shape_u32(shape, LT_CHUNK_LADDER_LEVELS, &dims, NULL);
    bool is_ladder = levels && dims.size[0] > 0;
    const char *elements = is_lattice ? LT_CHUNK_CELLS : LT_CHUNK_TETS;
    tell_count(t, "nodes", is_ladder ? levels[0] : count_of(shape, LT_CHUNK_NODES));
    tell_count(t, is_lattice ? "cells" : "tets", is_ladder ? levels[1] : count_of(shape, elements));
}

static lt_status tell_shape(teller *t, const char *path, lt_error *error) {
    lt_shape *shape;
    char hash[20];
    lt_status status = lt_shape_load(path, NULL, &shape, error);
    if (status != LT_OK) return status;
    tell_kind(t, path, "shape");
    tell_count(t, "bytes", lt_shape_size(shape));
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)lt_shape_hash(shape));
    tell_text(t, "hash", hash);
    bool is_lattice = lt_shape_has(shape, LT_CHUNK_CELLS);
    tell_size(t, shape, is_lattice);
    tell_count(t, "surface_vertices", count_of(shape, LT_CHUNK_SURFACE_REST));
    tell_count(t, "surface_triangles", count_of(shape, LT_CHUNK_SURFACE_TRIANGLES));
    tell_text(t, "embedding", embedding_of(shape));
    tell_outside(t, shape);
    if (is_lattice) status = tell_lattice(t, shape, error);
    if (lt_shape_has(shape, LT_CHUNK_TETS)) status = tell_carrier(t, shape, error);
    if (status == LT_OK) status = tell_ladder(t, shape, error);
    if (status == LT_OK) status = tell_trees(t, shape, error);
    if (status == LT_OK) tell_chunks(t, shape);
    lt_shape_release(shape);
    return status;
}

/* ---- the command ---- */

int lt_command_info(int word_count, char **words) {
    const char *json_path = NULL, *path;
    const lt_option options[] = {
        {"--json", "FILE", "the facts as JSON; - for standard output", LT_OPTION_TEXT, .target = &json_path}};
    const lt_usage usage = {
        "info",
        "FILE",
        "Says what a mesh (OBJ, PLY, OFF, STL, VTK, Medit, Gmsh .msh, TetGen) or a .lithe shape contains.",
        NULL,
        options,
        LT_COUNT_OF(options),
        1,
        1};
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &path);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    lt_error error = {0};
    teller t;
    lt_json_output_begin(&t.output, json_path, LT_JSON_INDENTED);
    t.quiet = lt_json_output_is_stdout(&t.output);
    lt_json_begin_object(&t.output.json);
    lt_json_put_string(&t.output.json, "file", path); /* printed with the kind, once the file has been read */
    lt_status status = lt_is_shape_file(path) ? tell_shape(&t, path, &error) : tell_mesh(&t, path, &error);
    lt_json_end_object(&t.output.json);
    if (status == LT_OK)
        status = lt_json_output_end(&t.output, &error);
    else
        lt_json_output_drop(&t.output);
    return status == LT_OK ? EXIT_OK : lt_say_failed("info", "%s", error.message);
}
