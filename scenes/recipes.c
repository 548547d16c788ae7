/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Recipes to meshes to shapes. Every surface and every carrier made here is centred on the origin (the
 * middle of its box), so that a body's position is its middle and a rotation turns it in place; grass alone
 * keeps its roots in y = 0. */

#include "scenes/scene.h"

#include "bake/icosahedral.h"
#include "core/os.h"
#include "io/mesh_file.h"
#include "scenes/generate.h"
#include "scenes/shape_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lt_find_mesh(const char *name, char path[LT_SCENE_PATH]) {
    const char *folders[] = {"", getenv("LITHE_MESHES"), "../shared/meshes"};
    for (size_t i = 0; i < LT_COUNT_OF(folders); i++) {
        if (!folders[i]) continue;
        int length = snprintf(path, LT_SCENE_PATH, "%s%s%s", folders[i], folders[i][0] ? "/" : "", name);
        if (length > 0 && length < LT_SCENE_PATH && lt_os_file_exists(path)) return true;
    }
    path[0] = 0;
    return false;
}

/* ---- surfaces ---- */

static lt_status find_file(const char *name, char path[LT_SCENE_PATH], lt_error *error) {
    if (lt_find_mesh(name, path)) return LT_OK;
    return lt_fail(error, LT_STATUS_NOT_FOUND,
                   "%s: no such mesh here, in $LITHE_MESHES or in ../shared/meshes", name);
}

static lt_status read_file(lt_mesh_file *out, const char *name, const lt_allocator *allocator,
                           lt_error *error) {
    char path[LT_SCENE_PATH];
    *out = (lt_mesh_file){0};
    lt_status status = find_file(name, path, error);
    return status == LT_OK ? lt_mesh_file_load(path, allocator, out, error) : status;
}

static lt_status read_surface(lt_surface *out, const char *name, const lt_allocator *allocator,
                              lt_error *error) {
    lt_mesh_file file;
    lt_status status = read_file(&file, name, allocator, error);
    if (status == LT_OK && file.surface_triangle_count == 0)
        status = lt_fail(error, LT_STATUS_INVALID, "%s: has no triangles", name);
    if (status == LT_OK) *out = lt_mesh_file_take_surface(&file);
    lt_mesh_file_free(&file);
    return status;
}

static lt_torus_knot_params knot_of(const lt_surface_recipe *recipe) {
    lt_torus_knot_params params = lt_torus_knot_params_default();
    if (recipe->triangles) params.triangle_count = recipe->triangles;
    return params;
}

static lt_status generate_knot(lt_surface *out, const lt_surface_recipe *recipe,
                               const lt_allocator *allocator, lt_error *error) {
    lt_torus_knot_params params = knot_of(recipe);
    return lt_generate_torus_knot(out, &params, allocator, error);
}

static lt_status generate_box(lt_surface *out, const lt_surface_recipe *recipe, const lt_allocator *allocator,
                              lt_error *error) {
    float longest = lt_max_f(recipe->size.x, lt_max_f(recipe->size.y, recipe->size.z));
    uint32_t divisions[3];
    for (int axis = 0; axis < 3; axis++) {
        float share = (float)recipe->cells * lt_v3_get(recipe->size, axis) / longest + 0.5f;
        divisions[axis] = share > 1.0f ? (uint32_t)share : 1;
    }
    return lt_generate_box(out, recipe->size, divisions, allocator, error);
}

static lt_status generate_surface(lt_surface *out, const lt_surface_recipe *recipe,
                                  const lt_allocator *allocator, lt_error *error) {
    lt_vec3 size = recipe->size;
    switch (recipe->kind) {
    case LT_SURFACE_RECIPE_SPHERE: return lt_generate_icosphere(out, size.x, recipe->cells, allocator, error);
    case LT_SURFACE_RECIPE_BOX: return generate_box(out, recipe, allocator, error);
    case LT_SURFACE_RECIPE_PLATE: return lt_generate_plate(out, size, recipe->cells, allocator, error);
    case LT_SURFACE_RECIPE_TORUS:
        return lt_generate_torus(out, size.x, size.y, recipe->cells, allocator, error);
    case LT_SURFACE_RECIPE_CAPSULE:
        return lt_generate_capsule(out, size.x, size.y, recipe->cells, allocator, error);
    case LT_SURFACE_RECIPE_CYLINDER:
        return lt_generate_cylinder(out, size.x, size.y, recipe->cells, allocator, error);
    case LT_SURFACE_RECIPE_KNOT: return generate_knot(out, recipe, allocator, error);
    case LT_SURFACE_RECIPE_LETTER:
        return lt_generate_letter(out, recipe->letter, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_BEAR: return lt_generate_bear(out, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_LIZARD: return lt_generate_lizard(out, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_SHOE: return lt_generate_shoe(out, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_TEAPOT: return lt_generate_teapot_solid(out, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_POT: return lt_generate_pot_solid(out, recipe->triangles, allocator, error);
    case LT_SURFACE_RECIPE_FILE: return read_surface(out, recipe->path, allocator, error);
    default: break;
    }
    return lt_fail(error, LT_STATUS_INVALID, "surface recipe %d does not make a surface", (int)recipe->kind);
}

/* The side that `size` prescribes for kinds that are scaled after they are made; -1 for the others. */
static int scaled_axis(lt_surface_recipe_kind kind) {
    switch (kind) {
    case LT_SURFACE_RECIPE_SHOE: return 0;
    case LT_SURFACE_RECIPE_KNOT:
    case LT_SURFACE_RECIPE_LETTER:
    case LT_SURFACE_RECIPE_BEAR:
    case LT_SURFACE_RECIPE_LIZARD:
    case LT_SURFACE_RECIPE_TEAPOT:
    case LT_SURFACE_RECIPE_POT:
    case LT_SURFACE_RECIPE_FILE: return 1;
    default: return -1;
    }
}

/* The factor that makes `side` of the box `wanted` long; 1 when nothing is wanted or the box is flat. */
static float scale_to(lt_box box, int axis, float wanted) {
    float side = lt_v3_get(lt_v3_sub(box.hi, box.lo), axis);
    return wanted > 0.0f && side > 0.0f ? wanted / side : 1.0f;
}

/* From where a surface was made to where it belongs: x becomes (x - middle) scale. */
typedef struct placing {
    lt_vec3 middle;
    float scale;
} placing;

static placing placing_of(const lt_surface *made, const lt_surface_recipe *recipe) {
    int axis = scaled_axis(recipe->kind);
    lt_box box = lt_surface_box(made);
    return (placing){.middle = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f),
                     .scale = axis < 0 ? 1.0f : scale_to(box, axis, lt_v3_get(recipe->size, axis))};
}

lt_status lt_recipe_surface(lt_surface *out, const lt_surface_recipe *recipe, const lt_allocator *allocator,
                            lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = generate_surface(out, recipe, allocator, error);
    if (status != LT_OK) return status;
    placing place = placing_of(out, recipe);
    for (uint32_t i = 0; i < out->vertex_count; i++)
        out->positions[i] = lt_v3_scale(lt_v3_sub(out->positions[i], place.middle), place.scale);
    return LT_OK;
}

/* ---- carriers ---- */

static void center_tets(lt_tet_mesh *mesh, float height) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < mesh->node_count; i++)
        box = lt_box_add_point(box, lt_v3_from_d3(mesh->positions[i]));
    lt_dvec3 middle = lt_d3_from_v3(lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f));
    double scale = scale_to(box, 1, height);
    for (uint32_t i = 0; i < mesh->node_count; i++)
        mesh->positions[i] = lt_d3_scale(lt_d3_sub(mesh->positions[i], middle), scale);
}

/* Only the tets: triangles in the same file are left out, the surface recipe decides what is seen. */
static lt_status read_tets(lt_tet_mesh *out, const lt_carrier_recipe *recipe, const lt_allocator *allocator,
                           lt_error *error) {
    lt_mesh_file file;
    lt_status status = read_file(&file, recipe->path, allocator, error);
    if (status == LT_OK && file.tet_count == 0)
        status = lt_fail(error, LT_STATUS_INVALID, "%s: has no tets", recipe->path);
    if (status == LT_OK) {
        *out = lt_mesh_file_take_tets(&file);
        center_tets(out, recipe->size.y);
    }
    lt_mesh_file_free(&file);
    return status;
}

static lt_status generate_grass(lt_tet_mesh *out, const lt_carrier_recipe *recipe,
                                const lt_allocator *allocator, lt_error *error) {
    lt_grass_params params = {.blade_count = recipe->cells[0],
                              .segments = recipe->cells[1],
                              .side = (double)recipe->size.x,
                              .height = (double)recipe->size.y,
                              .width = (double)recipe->size.z,
                              .thickness =
                                  0.5 * (double)recipe->size.z, /* stout: thin tets take long to solve */
                              .even = true,
                              .seed = recipe->cells[2]};
    return lt_generate_tet_grass(out, &params, allocator, error);
}

/* Placed as the surface is, which is made a second time to know how: milliseconds. */
static lt_status generate_knot_tets(lt_tet_mesh *out, const lt_scene_shape *shape,
                                    const lt_allocator *allocator, lt_error *error) {
    if (shape->surface.kind != LT_SURFACE_RECIPE_KNOT)
        return lt_fail(error, LT_STATUS_INVALID, "a knot as carrier needs a knot as surface");
    lt_surface made;
    lt_status status = generate_knot(&made, &shape->surface, allocator, error);
    if (status != LT_OK) return status;
    placing place = placing_of(&made, &shape->surface);
    lt_surface_free(&made);
    lt_torus_knot_params params = knot_of(&shape->surface);
    params.tube_radius *= (double)shape->carrier.size.x;
    status = lt_generate_tet_torus_knot(out, &params, shape->carrier.cells[0], allocator, error);
    for (uint32_t i = 0; i < out->node_count; i++)
        out->positions[i] =
            lt_d3_scale(lt_d3_sub(out->positions[i], lt_d3_from_v3(place.middle)), (double)place.scale);
    return status;
}

static lt_status make_carrier(lt_tet_mesh *out, const lt_scene_shape *shape, const lt_allocator *allocator,
                              lt_error *error) {
    const lt_carrier_recipe *recipe = &shape->carrier;
    lt_dvec3 size = lt_d3_from_v3(recipe->size);
    lt_status status;
    switch (recipe->kind) {
    case LT_CARRIER_RECIPE_BLOCK:
        status = lt_generate_tet_block(out, size, recipe->cells, LT_TET_SPLIT_FIVE, allocator, error);
        center_tets(out, 0.0f);
        return status;
    case LT_CARRIER_RECIPE_PLATE: return lt_generate_tet_plate(out, size, recipe->cells[0], allocator, error);
    case LT_CARRIER_RECIPE_BALL: return lt_generate_tet_ball(out, size.x, recipe->cells[0], allocator, error);
    case LT_CARRIER_RECIPE_TORUS:
        return lt_generate_tet_torus(out, size.x, size.y, recipe->cells[0], allocator, error);
    case LT_CARRIER_RECIPE_GRASS: return generate_grass(out, recipe, allocator, error);
    case LT_CARRIER_RECIPE_KNOT: return generate_knot_tets(out, shape, allocator, error);
    case LT_CARRIER_RECIPE_FILE: return read_tets(out, recipe, allocator, error);
    default: break;
    }
    return lt_fail(error, LT_STATUS_INVALID, "carrier recipe %d is unknown", (int)recipe->kind);
}

/* ---- shapes ---- */

lt_bake_tets_def lt_bake_def_of(const lt_tet_mesh *carrier, const lt_surface *surface) {
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &carrier->positions->x;
    def.tets = carrier->tets;
    def.node_count = carrier->node_count;
    def.tet_count = carrier->tet_count;
    if (surface->triangle_count == 0) return def;
    def.surface_positions = &surface->positions->x;
    def.surface_triangles = surface->triangles;
    def.surface_vertex_count = surface->vertex_count;
    def.surface_triangle_count = surface->triangle_count;
    return def;
}

lt_bake_surface_def lt_bake_surface_def_of(const lt_surface *surface) {
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.positions = &surface->positions->x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    return def;
}

static bool is_made_around(lt_carrier_recipe_kind kind) {
    return kind == LT_CARRIER_RECIPE_ENCLOSED || kind == LT_CARRIER_RECIPE_LADDER ||
           kind == LT_CARRIER_RECIPE_LATTICE;
}

/* Tets or cells around the surface. */
static lt_status enclose_shape(lt_shape **out, const lt_scene_shape *recipe, const lt_surface *surface,
                               lt_bake_watch watch, const lt_allocator *allocator, lt_error *error) {
    const lt_carrier_recipe *carrier = &recipe->carrier;
    bool is_lattice = carrier->kind == LT_CARRIER_RECIPE_LATTICE;
    bool is_ladder = carrier->kind == LT_CARRIER_RECIPE_LADDER;
    if (surface->triangle_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s carrier needs a surface to stand around",
                       is_lattice  ? "a lattice as"
                       : is_ladder ? "a ladder as"
                                   : "an enclosed");
    lt_bake_surface_def def = lt_bake_surface_def_of(surface);
    def.embedding = recipe->embedding;
    if (recipe->surface.kind == LT_SURFACE_RECIPE_FILE) def.target_triangles = recipe->surface.triangles;
    if (is_lattice) {
        def.carrier = LT_CARRIER_LATTICE;
        def.cell_size = carrier->size.x;
        if (carrier->cells[0]) def.target_cells = carrier->cells[0];
        def.fill = carrier->is_filled;
    } else if (carrier->cells[0]) {
        def.target_tets = carrier->cells[0];
    }
    if (is_ladder) {
        def.carrier = LT_CARRIER_LADDER;
        if (carrier->cells[1]) def.ladder_levels = carrier->cells[1];
        if (carrier->cells[2]) def.coarsest_tets = carrier->cells[2];
    }
    if (carrier->min_dihedral > 0) def.min_dihedral = carrier->min_dihedral;
    if (carrier->rounds) def.rounds = carrier->rounds;
    if (carrier->seed) def.seed = carrier->seed;
    if (carrier->distance_resolution) def.distance_resolution = carrier->distance_resolution;
    if (allocator) def.allocator = *allocator;
    def.progress = watch.progress;
    def.progress_context = watch.context;
    return lt_shape_cache_bake(out, &def, error);
}

static lt_status bake_tets(lt_shape **out, const lt_scene_shape *recipe, const lt_surface *surface,
                           const lt_allocator *allocator, lt_error *error) {
    lt_tet_mesh carrier = {0};
    lt_status status = make_carrier(&carrier, recipe, allocator, error);
    if (status != LT_OK) return status;
    lt_bake_tets_def def = lt_bake_def_of(&carrier, surface);
    def.embedding = recipe->embedding;
    if (allocator) def.allocator = *allocator;
    status = lt_bake_tets(&def, out, NULL, error);
    lt_tet_mesh_free(&carrier);
    return status;
}

static lt_status load_shape(lt_shape **out, const lt_scene_shape *recipe, const lt_allocator *allocator,
                            lt_error *error) {
    char path[LT_SCENE_PATH];
    if (recipe->surface.kind != LT_SURFACE_RECIPE_NONE)
        return lt_fail(error, LT_STATUS_INVALID, "a baked shape has its own surface: give none");
    lt_status status = find_file(recipe->carrier.path, path, error);
    return status == LT_OK ? lt_shape_load(path, allocator, out, error) : status;
}

lt_status lt_recipe_shape_watched(lt_shape **out, const lt_scene_shape *recipe, lt_bake_watch watch,
                                  const lt_allocator *allocator, lt_error *error) {
    *out = NULL;
    if (recipe->carrier.kind == LT_CARRIER_RECIPE_BAKED) return load_shape(out, recipe, allocator, error);
    lt_surface surface = {0};
    lt_status status = LT_OK;
    if (recipe->surface.kind != LT_SURFACE_RECIPE_NONE)
        status = lt_recipe_surface(&surface, &recipe->surface, allocator, error);
    if (status == LT_OK)
        status = is_made_around(recipe->carrier.kind)
                     ? enclose_shape(out, recipe, &surface, watch, allocator, error)
                     : bake_tets(out, recipe, &surface, allocator, error);
    lt_surface_free(&surface);
    return status;
}

lt_status lt_recipe_shape(lt_shape **out, const lt_scene_shape *recipe, const lt_allocator *allocator,
                          lt_error *error) {
    return lt_recipe_shape_watched(out, recipe, (lt_bake_watch){NULL, NULL}, allocator, error);
}
