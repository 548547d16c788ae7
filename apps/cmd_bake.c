/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bake`: a mesh to a shape. Around a surface a carrier is made; a file of tets is taken as the carrier,
 * with its own boundary or a given surface inside; a shape stays as it is. Then trees are added. The shape
 * is written whole or not at all; Ctrl-C ends the work at the next point where the baker asks, with nothing
 * written. */

#include "bake_notes.h"
#include "commands.h"
#include "interrupt.h"
#include "json_output.h"
#include "mesh_file.h"
#include "options.h"
#include "output_files.h"
#include "shape_file.h"

#include "picture/progress.h"
#include "scenes/scene.h"

#include <stdio.h>
#include <string.h>

enum {
    NOT_GIVEN = UINT32_MAX,
    CARRIER_TET = LT_CARRIER_TETS,
    CARRIER_LATTICE = LT_CARRIER_LATTICE,
    CARRIER_LADDER = LT_CARRIER_LADDER,
    CELLS_MAX = 200000,
    DISTANCE_CELLS_MAX = 1024,
    SPHERES_DEPTH = 3,
    SPHERES_NOT_GIVEN = UINT32_MAX - 1,
    SPHERES_DEPTH_MAX = LT_SPHERE_LEVELS_MAX - 1
};

typedef struct bake_options {
    const char *mesh_path, *out_path, *surface_path, *json;
    uint32_t embedding, carrier, triangles, tets, rounds, seed, distance_cells, cells;
    uint32_t levels, coarsest; /* of a ladder */
    uint32_t spheres;          /* depth of the tree, or LT_NO_COUNT */
    uint32_t branching, sphere_method;
    const char *spheres_in, *spheres_out;
    bool layered, fill, tree;
    double dihedral, cell_size; /* below 0: not given */
} bake_options;

/* ---- options ---- */

static const char *const carrier_names[] = {"tet", "lattice", "ladder"};

/* An option that was given and is about the sphere tree. */
static const char *tree_option(const bake_options *o) {
    return o->layered                      ? "--layered"
           : o->branching != NOT_GIVEN     ? "--branching"
           : o->sphere_method != NOT_GIVEN ? "--sphere-method"
           : o->spheres_in                 ? "--spheres-in"
           : o->spheres_out                ? "--spheres-out"
                                           : NULL;
}

/* An option that was given and is about tets, where a lattice is wanted. */
static const char *tet_option(const bake_options *o) {
    return o->tets != NOT_GIVEN                                           ? "--tets"
           : o->rounds != NOT_GIVEN                                       ? "--rounds"
           : o->dihedral >= 0.0                                           ? "--dihedral"
           : o->seed != NOT_GIVEN                                         ? "--seed"
           : o->embedding != NOT_GIVEN                                    ? "--embedding"
           : o->tree                                                      ? "--tree"
           : o->spheres != SPHERES_NOT_GIVEN && o->spheres != LT_NO_COUNT ? "--spheres"
           : tree_option(o)                                               ? tree_option(o)
                                                                          : NULL;
}

/* The other way round. */
static const char *cell_option(const bake_options *o) {
    return o->cells != NOT_GIVEN ? "--cells"
           : o->cell_size >= 0.0 ? "--cell-size"
           : o->fill             ? "--fill"
                                 : NULL;
}

static const char *level_option(const bake_options *o) {
    return o->levels != NOT_GIVEN ? "--levels" : o->coarsest != NOT_GIVEN ? "--coarsest" : NULL;
}

/* What the table of options cannot say. */
static lt_parsed check_options(const bake_options *o) {
    if (!o->out_path)
        lt_say_usage("bake", "say where the shape goes: -o OUT.lithe");
    else if (o->carrier != CARRIER_LADDER && level_option(o))
        lt_say_usage("bake", "%s is for a ladder: add --carrier ladder", level_option(o));
    else if (o->carrier == CARRIER_LATTICE && tet_option(o))
        lt_say_usage("bake", "%s is for a carrier of tets, and this is to be a lattice", tet_option(o));
    else if (o->carrier != CARRIER_LATTICE && cell_option(o))
        lt_say_usage("bake", "%s is for a lattice: add --carrier lattice", cell_option(o));
    else if (o->carrier == CARRIER_LADDER && o->embedding == LT_EMBEDDING_RIGID_LINKS)
        lt_say_usage("bake", "a ladder's surface is barycentric: leave out --embedding rigid-links");
    else if (o->cells != NOT_GIVEN && o->cell_size >= 0.0)
        lt_say_usage("bake", "--cells and --cell-size say the same: give one of them");
    else if (o->tree && o->embedding == LT_EMBEDDING_RIGID_LINKS)
        lt_say_usage("bake", "--tree hangs on barycentric weights: leave out --embedding rigid-links");
    else if (o->spheres == LT_NO_COUNT && tree_option(o))
        lt_say_usage("bake", "%s is about the tree that --spheres none leaves out", tree_option(o));
    else if (o->spheres_in && (o->branching != NOT_GIVEN || o->sphere_method != NOT_GIVEN))
        lt_say_usage("bake", "%s is for spheres that are made here; those of --spheres-in are as they are",
                     o->branching != NOT_GIVEN ? "--branching" : "--sphere-method");
    else
        return LT_PARSED_OK;
    return LT_PARSED_USAGE;
}

static const char *const embedding_names[] = {"barycentric", "rigid-links"};

/* What is given, at first as it is when nothing is. A program parses once. */
static bake_options given = {.embedding = NOT_GIVEN,
                             .triangles = NOT_GIVEN,
                             .tets = NOT_GIVEN,
                             .rounds = NOT_GIVEN,
                             .seed = NOT_GIVEN,
                             .distance_cells = NOT_GIVEN,
                             .cells = NOT_GIVEN,
                             .levels = NOT_GIVEN,
                             .coarsest = NOT_GIVEN,
                             .spheres = SPHERES_NOT_GIVEN,
                             .branching = NOT_GIVEN,
                             .sphere_method = NOT_GIVEN,
                             .dihedral = -1.0,
                             .cell_size = -1.0};

static const lt_option options[] = {
    {"--out", "OUT.lithe", "where the shape goes (needed)", LT_OPTION_TEXT, .target = &given.out_path,
     .alias = "-o"},
    {"--triangles", "N", "simplify the surface to about N triangles; default: keep it", LT_OPTION_COUNT,
     &given.triangles, .lo = 4, .hi = 1e9},
    {"--tets", "N", "how many tets to aim for around a surface; default 400, of a ladder 2000",
     LT_OPTION_COUNT, &given.tets, .lo = 8, .hi = 2e6},
    {"--dihedral", "DEG", "least angle of tets that are pulled in; default 18", LT_OPTION_REAL,
     &given.dihedral, .lo = 1, .hi = 45},
    {"--rounds", "N", "of pulling the tets in; default 14; 0: the plain lattice", LT_OPTION_COUNT,
     &given.rounds, .lo = 0, .hi = 100},
    {"--seed", "N", "of the directions tried while pulling in; default 1", LT_OPTION_COUNT, &given.seed,
     .lo = 0, .hi = 4294967294.0},
    {"--carrier", "C",
     "what moves the surface; default tet; lattice for the method cell-box; ladder for multigrid",
     LT_OPTION_CHOICE, &given.carrier, .choices = carrier_names, .choice_count = LT_COUNT_OF(carrier_names)},
    {"--levels", "N", "ladder: how many meshes, from --tets down; default 6", LT_OPTION_COUNT, &given.levels,
     .lo = 2, .hi = LT_BAKE_LEVELS_MAX},
    {"--coarsest", "N", "ladder: how many tets the coarsest mesh should have; default 85", LT_OPTION_COUNT,
     &given.coarsest, .lo = 8, .hi = 2e6},
    {"--cells", "N", "lattice: how many cells to aim for; default 500", LT_OPTION_COUNT, &given.cells,
     .lo = 1, .hi = CELLS_MAX},
    {"--cell-size", "M", "lattice: the side of a cell in metres, instead of --cells", LT_OPTION_REAL,
     &given.cell_size, .lo = 1e-6, .hi = 1e6},
    {"--fill", NULL, "lattice: cells inside as well, not only where the surface is", LT_OPTION_FLAG,
     .target = &given.fill},
    {"--surface", "FILE", "for a tet mesh: a surface inside; default: its boundary", LT_OPTION_TEXT,
     .target = &given.surface_path},
    {"--embedding", "E", "how the surface follows the tets", LT_OPTION_CHOICE, .target = &given.embedding,
     .choices = embedding_names, .choice_count = LT_COUNT_OF(embedding_names)},
    {"--distance-cells", "N", "of the grid of distances, longest side; default 48", LT_OPTION_COUNT,
     &given.distance_cells, .lo = 1, .hi = DISTANCE_CELLS_MAX},
    {"--spheres", "DEPTH", "a tree of spheres, for the method sphere-tree: levels below its root; 3 is usual",
     LT_OPTION_COUNT_OR_NONE, &given.spheres, .lo = 0, .hi = SPHERES_DEPTH_MAX},
    {"--branching", "N", "most children of a sphere; default 8", LT_OPTION_COUNT, &given.branching, .lo = 2,
     .hi = LT_SPHERE_BRANCHING_MAX},
    {"--layered", NULL, "spheres hold their children's spheres, not only the surface", LT_OPTION_FLAG,
     .target = &given.layered},
    {"--sphere-method", "M", "how spheres are chosen; default medial", LT_OPTION_CHOICE, &given.sphere_method,
     .choices = lt_sphere_method_names, .choice_count = LT_SPHERE_METHOD_NAMES},
    {"--spheres-in", "F.sph", "take the spheres of a file instead of making them", LT_OPTION_TEXT,
     .target = &given.spheres_in},
    {"--spheres-out", "F.sph", "write the spheres of the tree as text, too", LT_OPTION_TEXT,
     .target = &given.spheres_out},
    {"--tree", NULL, "a tree of boxes, for the method multiscale", LT_OPTION_FLAG, .target = &given.tree},
    {"--json", "FILE", "what was found and made, as JSON; - for standard output", LT_OPTION_TEXT,
     .target = &given.json}};

static const lt_usage usage = {
    "bake",
    "MESH",
    "Turns a surface (OBJ, PLY, OFF, STL, VTK) or a tet mesh (Gmsh .msh 2.2 or 4.1, TetGen .node/.ele, "
    "Medit .mesh,\nVTK) into a shape, or gives a shape (.lithe) a tree of spheres or of boxes.",
    "Any surface will do: open, in parts, crossing itself. What was found on it is said. glTF, FBX, COLLADA, "
    "3MF "
    "and more\nare read through the program assimp (package assimp-utils) where it is installed.\n"
    "Nothing is made that was not asked for: the method sphere-tree needs --spheres, multiscale --tree, "
    "cell-box "
    "--carrier lattice,\nthe model multigrid --carrier ladder.\n"
    "The same file and options give the same bytes. Ctrl-C stops, and writes nothing.",
    options,
    LT_COUNT_OF(options),
    1,
    1};

static lt_parsed parse(bake_options *o, int word_count, char **words) {
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &given.mesh_path);
    *o = given;
    if (parsed == LT_PARSED_OK) parsed = check_options(o);
    if (parsed != LT_PARSED_OK) return parsed;
    /* The default method needs none, and making one takes longer than all the rest. */
    if (o->spheres == SPHERES_NOT_GIVEN) o->spheres = tree_option(o) ? SPHERES_DEPTH : LT_NO_COUNT;
    return parsed;
}

/* The option that was given and has no meaning for such a file; NULL when there is none. */
static const char *misplaced_option(const bake_options *o, lt_bake_source source) {
    if (source == LT_BAKE_FROM_SURFACE) return o->surface_path ? "--surface" : NULL;
    if (source == LT_BAKE_FROM_SHAPE && o->surface_path) return "--surface";
    if (source == LT_BAKE_FROM_SHAPE && o->embedding != NOT_GIVEN) return "--embedding";
    if (source == LT_BAKE_FROM_SHAPE && o->distance_cells != NOT_GIVEN) return "--distance-cells";
    return o->carrier != CARRIER_TET   ? "--carrier"
           : o->tets != NOT_GIVEN      ? "--tets"
           : o->triangles != NOT_GIVEN ? "--triangles"
           : o->rounds != NOT_GIVEN    ? "--rounds"
           : o->seed != NOT_GIVEN      ? "--seed"
           : o->dihedral >= 0.0        ? "--dihedral"
                                       : NULL;
}

/* ---- progress ---- */

/* Which share of the time a stage begins at, roughly, as it is for 70,000 triangles and 2,000 tets. */
static const struct {
    const char *stage;
    float begin, end;
} stages[] = {{"repair", 0.0f, 0.1f},
              {"finding the inside", 0.1f, 0.25f},
              {"choosing the size of cells", 0.25f, 0.3f},
              {"laying out tets", 0.3f, 0.45f},
              {"cutting the surface", 0.3f, 0.5f},
              {"laying out cells", 0.5f, 0.9f},
              {"pulling in", 0.45f, 0.85f},
              {"filling and proving", 0.85f, 0.9f},
              {"prove", 0.9f, 0.95f},
              {"enclosing levels", 0.1f, 0.8f},
              {"joining levels", 0.8f, 0.95f},
              {"embed", 0.95f, 1.0f},
              /* of the sphere tree, whose bar is its own */
              {"sampling distances", 0.0f, 0.1f},
              {"placing spheres", 0.1f, 0.6f},
              {"refining", 0.6f, 0.7f},
              {"covering", 0.7f, 0.75f},
              {"measuring", 0.75f, 1.0f},
              /* of the tree of boxes, likewise */
              {"cutting at tets", 0.0f, 0.6f},
              {"halving", 0.6f, 0.8f},
              {"finding governors", 0.8f, 1.0f}};

static bool show_progress(void *context, const char *stage, float share) {
    lt_progress *bar = context;
    for (size_t i = 0; i < LT_COUNT_OF(stages); i++)
        if (strcmp(stages[i].stage, stage) == 0) {
            float done = stages[i].begin + share * (stages[i].end - stages[i].begin);
            bar->title = stages[i].stage;
            lt_progress_update(bar, (uint64_t)(100.0f * done));
        }
    return !lt_interrupt_asked();
}

/* ---- baking ---- */

static void set_options(lt_bake_surface_def *def, const bake_options *o) {
    def->name = o->mesh_path;
    if (o->embedding != NOT_GIVEN) def->embedding = (lt_embedding_kind)o->embedding;
    if (o->tets != NOT_GIVEN) def->target_tets = o->tets;
    if (o->triangles != NOT_GIVEN) def->target_triangles = o->triangles;
    if (o->rounds != NOT_GIVEN) def->rounds = o->rounds;
    if (o->seed != NOT_GIVEN) def->seed = o->seed;
    if (o->dihedral >= 0.0) def->min_dihedral = (float)o->dihedral;
    if (o->distance_cells != NOT_GIVEN) def->distance_resolution = o->distance_cells;
    def->carrier = (lt_carrier_kind)o->carrier;
    if (o->levels != NOT_GIVEN) def->ladder_levels = o->levels;
    if (o->coarsest != NOT_GIVEN) def->coarsest_tets = o->coarsest;
    if (o->cells != NOT_GIVEN) def->target_cells = o->cells;
    if (o->cell_size >= 0.0) def->cell_size = (float)o->cell_size;
    def->fill = o->fill;
}

static lt_status read_surface(lt_mesh_file *out, const char *path, lt_error *error) {
    *out = (lt_mesh_file){0};
    if (!path) return LT_OK;
    lt_status status = lt_open_mesh(out, path, error);
    if (status != LT_OK || out->surface_triangle_count) return status;
    lt_mesh_file_free(out);
    return lt_fail(error, LT_STATUS_INVALID, "%s: has no triangles to be a surface", path);
}

static lt_status bake_shape_of(lt_shape **out, lt_bake_account *account, const bake_options *o,
                               const lt_mesh_file *mesh, lt_error *error) {
    lt_mesh_file surface;
    lt_status status = read_surface(&surface, o->surface_path, error);
    if (status != LT_OK) return status;
    lt_progress bar = lt_progress_begin("repair", 100);
    lt_bake_mesh_def def = lt_bake_mesh_def_default();
    def.mesh = mesh;
    if (o->surface_path) def.surface = &surface;
    set_options(&def.options, o);
    def.options.progress = show_progress;
    def.options.progress_context = &bar;
    status = lt_bake_mesh(&def, out, &account->mesh, error);
    lt_progress_end(&bar);
    lt_mesh_file_free(&surface);
    return status;
}

/* The shape with a tree, if there is one, in the place of the one without. */
static lt_status take_tree(lt_shape **shape, lt_shape *with_tree, lt_progress *bar, lt_status status) {
    lt_progress_end(bar);
    if (status != LT_OK) return status;
    lt_shape_release(*shape);
    *shape = with_tree;
    return LT_OK;
}

static lt_status add_spheres(lt_shape **shape, const bake_options *o, lt_error *error) {
    if (o->spheres == LT_NO_COUNT) return LT_OK;
    lt_progress bar = lt_progress_begin("sampling distances", 100);
    lt_bake_spheres_def def = lt_bake_spheres_def_default();
    def.depth = o->spheres;
    def.layered = o->layered;
    if (o->sphere_method != NOT_GIVEN) def.method = (lt_sphere_method)o->sphere_method;
    def.sphere_file = o->spheres_in;
    if (o->branching != NOT_GIVEN) def.branching = o->branching;
    if (o->seed != NOT_GIVEN) def.seed = o->seed;
    def.progress = show_progress;
    def.progress_context = &bar;
    lt_shape *with_tree;
    lt_status status = lt_bake_spheres(*shape, &def, &with_tree, error);
    return take_tree(shape, with_tree, &bar, status);
}

static lt_status add_boxes(lt_shape **shape, const bake_options *o, lt_error *error) {
    if (!o->tree) return LT_OK;
    lt_progress bar = lt_progress_begin("cutting at tets", 100);
    lt_bake_tree_def def = lt_bake_tree_def_default();
    def.progress = show_progress;
    def.progress_context = &bar;
    lt_shape *with_tree;
    lt_status status = lt_bake_tree(*shape, &def, &with_tree, error);
    return take_tree(shape, with_tree, &bar, status);
}

/* Saves and says what was made; nothing is left behind by a bake that was stopped. */
static lt_status finish(lt_bake_account *account, const bake_options *o, lt_error *error) {
    if (lt_interrupt_asked()) return lt_fail(error, LT_STATUS_CANCELLED, "%s: cancelled", o->mesh_path);
    lt_status status = lt_ladder_notes_read(&account->ladder, account->shape, error);
    if (status == LT_OK) status = lt_tree_notes_read(&account->tree, account->shape, error);
    if (status == LT_OK) status = lt_multiscale_notes_read(&account->multiscale, account->shape, error);
    if (status == LT_OK && o->spheres_out) status = lt_tree_export(account->shape, o->spheres_out, error);
    if (status == LT_OK) status = lt_shape_save(account->shape, o->out_path, error);
    if (status != LT_OK) return status;
    lt_json_output output;
    lt_json_output_begin(&output, o->json, LT_JSON_INDENTED);
    lt_bake_account_write(&output.json, account);
    if (!lt_json_output_is_stdout(&output)) lt_bake_account_print(account);
    return lt_json_output_end(&output, error);
}

/* From a shape to a file, if `status` says that there is a shape; it is released. */
static int complete(lt_bake_account *account, lt_shape *shape, lt_status status, const bake_options *o,
                    lt_error *error) {
    if (status == LT_OK) status = add_spheres(&shape, o, error);
    if (status == LT_OK) status = add_boxes(&shape, o, error);
    account->shape = shape;
    if (status == LT_OK) status = finish(account, o, error);
    lt_shape_release(shape);
    if (status == LT_STATUS_CANCELLED)
        return lt_say_failed("bake", "stopped; %s was not written", o->out_path);
    return status == LT_OK ? EXIT_OK : lt_say_failed("bake", "%s", error->message);
}

static int say_misplaced(const char *option, const bake_options *o, lt_bake_source source) {
    static const char *const names[] = {"surface", "tet mesh", "shape"};
    const char *place = strcmp(option, "--surface") == 0 ? "tet meshes"
                        : strcmp(option, "--embedding") == 0 || strcmp(option, "--distance-cells") == 0
                            ? "meshes"
                            : "surfaces";
    return lt_say_usage("bake", "%s is for %s, and %s is a %s", option, place, o->mesh_path, names[source]);
}

static int bake_mesh(const bake_options *o, const lt_mesh_file *mesh) {
    lt_bake_source source = mesh->tet_count == 0 ? LT_BAKE_FROM_SURFACE : LT_BAKE_FROM_TETS;
    const char *misplaced = misplaced_option(o, source);
    if (misplaced) return say_misplaced(misplaced, o, source);
    lt_bake_account account = {.mesh_path = o->mesh_path, .out_path = o->out_path, .source = source};
    lt_error error = {0};
    lt_shape *shape = NULL;
    lt_status status = bake_shape_of(&shape, &account, o, mesh, &error);
    return complete(&account, shape, status, o, &error);
}

static int bake_shape(const bake_options *o) {
    const char *misplaced = misplaced_option(o, LT_BAKE_FROM_SHAPE);
    if (misplaced) return say_misplaced(misplaced, o, LT_BAKE_FROM_SHAPE);
    if (o->spheres == LT_NO_COUNT && !o->tree)
        return lt_say_usage("bake", "%s is a shape already: say what it is to get, --spheres 3 or --tree",
                            o->mesh_path);
    lt_bake_account account = {
        .mesh_path = o->mesh_path, .out_path = o->out_path, .source = LT_BAKE_FROM_SHAPE};
    lt_error error = {0};
    lt_shape *shape = NULL;
    lt_status status = lt_shape_load(o->mesh_path, NULL, &shape, &error);
    return complete(&account, shape, status, o, &error);
}

int lt_command_bake(int word_count, char **words) {
    bake_options o;
    lt_parsed parsed = parse(&o, word_count, words);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    const lt_output_file outputs[] = {
        {"-o", o.out_path}, {"--json", o.json}, {"--spheres-out", o.spheres_out}};
    int code = lt_check_outputs("bake", o.mesh_path, outputs, LT_COUNT_OF(outputs));
    if (code != EXIT_OK) return code;
    lt_interrupt_catch();
    if (lt_is_shape_file(o.mesh_path)) return bake_shape(&o);
    lt_error error = {0};
    lt_mesh_file mesh;
    if (lt_open_mesh(&mesh, o.mesh_path, &error) != LT_OK) return lt_say_failed("bake", "%s", error.message);
    code = bake_mesh(&o, &mesh);
    lt_mesh_file_free(&mesh);
    return code;
}
