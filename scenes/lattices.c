/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A scene whose bodies move by tets, put on lattices, so that the method cell-box takes it: `lithe run heap --method cell-box`.
 * The surfaces stay; bodies move by lattice-springs, which is nearest to tets; a body whose surface is the boundary of its tets gets that of the block, plate, ball or ring. */

#include "scenes/scene.h"

/* Filled, about as many as some hundred tets have nodes: a body is as coarse as it was. */
enum { LATTICE_CELLS = 120, BALL_SUBDIVISIONS = 3 };

/* The surface of a carrier that has none of its own; NONE where nobody knows one before it is made. */
static lt_surface_recipe boundary_of(const lt_carrier_recipe *carrier) {
    uint32_t cells = carrier->cells[0];
    for (int i = 1; i < 3; i++)
        cells = lt_max_u32(cells, carrier->cells[i]);
    lt_surface_recipe surface = {.kind = LT_SURFACE_RECIPE_NONE, .size = carrier->size, .cells = cells};
    switch (carrier->kind) {
    case LT_CARRIER_RECIPE_BLOCK:
        surface.kind = LT_SURFACE_RECIPE_BOX;
        surface.size = lt_v3_scale(carrier->size, 0.5f);
        break;
    case LT_CARRIER_RECIPE_PLATE: surface.kind = LT_SURFACE_RECIPE_PLATE; break;
    case LT_CARRIER_RECIPE_TORUS: surface.kind = LT_SURFACE_RECIPE_TORUS; break;
    case LT_CARRIER_RECIPE_BALL:
        surface.kind = LT_SURFACE_RECIPE_SPHERE;
        surface.cells = BALL_SUBDIVISIONS;
        break;
    default: break;
    }
    return surface;
}

static lt_status put_shape(const lt_scene *scene, lt_scene_shape *shape, size_t index, lt_error *error) {
    if (shape->carrier.kind == LT_CARRIER_RECIPE_LATTICE) return LT_OK;
    if (shape->surface.kind == LT_SURFACE_RECIPE_NONE) shape->surface = boundary_of(&shape->carrier);
    if (shape->surface.kind == LT_SURFACE_RECIPE_NONE)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "scene %s: shape %zu has no surface that a lattice could be made around: give it one, "
                       "or take another method than cell-box",
                       scene->name, index);
    shape->carrier = (lt_carrier_recipe){
        .kind = LT_CARRIER_RECIPE_LATTICE, .cells = {LATTICE_CELLS, 0, 0}, .is_filled = true};
    shape->embedding = LT_EMBEDDING_BARYCENTRIC;
    shape->has_tree = false;
    return LT_OK;
}

lt_status lt_scene_put_on_lattices(lt_scene *scene, lt_error *error) {
    lt_scene_shape *shapes = scene->shapes.items;
    lt_scene_body *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->shapes.count; i++) {
        lt_status status = put_shape(scene, &shapes[i], i, error);
        if (status != LT_OK) return status;
    }
    for (size_t i = 0; i < scene->bodies.count; i++)
        if (bodies[i].model != LT_MODEL_LATTICE_MATCHING) bodies[i].model = LT_MODEL_LATTICE_SPRINGS;
    return LT_OK;
}
