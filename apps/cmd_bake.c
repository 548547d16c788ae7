/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bake`: a tet mesh to a shape, with the mesh's own boundary or a given surface inside. The shape is
 * written whole or not at all. */

#include "commands.h"
#include "json_output.h"
#include "options.h"

#include "lithe/bake.h"
#include "mesh/read.h"
#include "scenes/scene.h"

#include <stdio.h>

typedef struct bake_options {
    const char *mesh_path, *out_path, *surface_path, *json;
    uint32_t embedding;
} bake_options;

static lt_parsed parse(bake_options *o, int word_count, char **words) {
    static const char *const embeddings[] = {"barycentric", "rigid-links"};
    const lt_option options[] = {
        {"--out", "OUT.lithe", "where the shape goes (needed)", LT_OPTION_TEXT, .target = &o->out_path,
         .alias = "-o"},
        {"--surface", "FILE", "a surface inside the tets; default: their boundary", LT_OPTION_TEXT,
         .target = &o->surface_path},
        {"--embedding", "E", "how the surface follows the tets", LT_OPTION_CHOICE, .target = &o->embedding,
         .choices = embeddings, .choice_count = 2},
        {"--json", "FILE", "the notes as JSON; - for standard output", LT_OPTION_TEXT, .target = &o->json}};
    const lt_usage usage = {
        "bake", "MESH",  "Turns a tet mesh (Gmsh .msh 2.2 or 4.1, TetGen .node/.ele) into a shape.",
        NULL,   options, LT_COUNT_OF(options),
        1,      1};
    *o = (bake_options){0};
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &o->mesh_path);
    if (parsed != LT_PARSED_OK || o->out_path) return parsed;
    lt_say_usage("bake", "say where the shape goes: -o OUT.lithe");
    return LT_PARSED_USAGE;
}

static lt_status read_carrier(lt_mesh_file *out, const char *path, lt_error *error) {
    lt_status status = lt_read_mesh(out, path, NULL, error);
    if (status != LT_OK || out->tets.tet_count) return status;
    lt_mesh_file_free(out);
    return lt_fail(error, LT_STATUS_UNSUPPORTED,
                   "%s is a surface, and a tet mesh is needed as carrier: Gmsh .msh 2.2 or 4.1, or TetGen "
                   ".node with .ele. Carriers for any surface come with a later version.",
                   path);
}

static lt_status read_surface(lt_mesh_file *out, const char *path, lt_error *error) {
    *out = (lt_mesh_file){0};
    if (!path) return LT_OK;
    lt_status status = lt_read_mesh(out, path, NULL, error);
    if (status != LT_OK || out->surface.triangle_count) return status;
    lt_mesh_file_free(out);
    return lt_fail(error, LT_STATUS_INVALID, "%s: has no triangles to be a surface", path);
}

static lt_status bake(lt_shape **out, lt_bake_notes *notes, const bake_options *o, lt_error *error) {
    lt_mesh_file carrier = {0}, surface = {0};
    lt_status status = read_carrier(&carrier, o->mesh_path, error);
    if (status == LT_OK) status = read_surface(&surface, o->surface_path, error);
    if (status == LT_OK) {
        lt_bake_tets_def def = lt_bake_def_of(&carrier.tets, &surface.surface);
        def.name = o->mesh_path;
        def.embedding = (lt_embedding_kind)o->embedding;
        status = lt_bake_tets(&def, out, notes, error);
        /* The reader has turned and dropped before the baker saw the mesh. */
        notes->turned_tets += carrier.turned_tet_count;
        notes->unused_nodes += carrier.unused_node_count;
    }
    lt_mesh_file_free(&carrier);
    lt_mesh_file_free(&surface);
    return status;
}

static void print_notes(const bake_options *o, const lt_shape *shape, const lt_bake_notes *notes) {
    printf("%s: %zu bytes, %u chunks\n", o->out_path, lt_shape_size(shape), lt_shape_chunk_count(shape));
    if (notes->turned_tets) printf("  %u tets were inside out and have been turned\n", notes->turned_tets);
    if (notes->unused_nodes)
        printf("  %u nodes belong to no tet and have been dropped\n", notes->unused_nodes);
    if (notes->outside_vertices)
        printf("  %u surface vertices lie outside every tet, by up to %.3g of the surface's size; they "
               "follow the "
               "nearest tet\n",
               notes->outside_vertices, notes->farthest_outside);
    if (notes->farthest_outside > 1.0)
        printf("  that is far: do the two files use the same units and the same place?\n");
    if (notes->open_edges)
        printf("  %u edges of the surface have one triangle only: its inside is a guess\n",
               notes->open_edges);
}

static void write_notes(lt_json *json, const bake_options *o, const lt_shape *shape,
                        const lt_bake_notes *notes) {
    lt_json_begin_object(json);
    lt_json_put_string(json, "file", o->out_path);
    lt_json_put_u64(json, "bytes", lt_shape_size(shape));
    lt_json_put_u64(json, "turned_tets", notes->turned_tets);
    lt_json_put_u64(json, "unused_nodes", notes->unused_nodes);
    lt_json_put_u64(json, "outside_vertices", notes->outside_vertices);
    lt_json_put_double(json, "farthest_outside", notes->farthest_outside);
    lt_json_put_u64(json, "open_edges", notes->open_edges);
    lt_json_end_object(json);
}

int lt_command_bake(int word_count, char **words) {
    bake_options o;
    lt_parsed parsed = parse(&o, word_count, words);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    lt_error error = {0};
    lt_shape *shape = NULL;
    lt_bake_notes notes = {0};
    lt_json_output output;
    lt_status status = bake(&shape, &notes, &o, &error);
    if (status == LT_OK) status = lt_shape_save(shape, o.out_path, &error);
    if (status == LT_OK) {
        lt_json_output_begin(&output, o.json, LT_JSON_INDENTED);
        write_notes(&output.json, &o, shape, &notes);
        if (!lt_json_output_is_stdout(&output)) print_notes(&o, shape, &notes);
        status = lt_json_output_end(&output, &error);
    }
    lt_shape_release(shape);
    return status == LT_OK ? EXIT_OK : lt_say_failed("bake", "%s", error.message);
}
