/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/scene_size.h"

#include "core/vec.h"
#include "lithe/bake.h"
#include "scenes/generate.h"

#include <math.h>

static double cube(double side) {
    return side * side * side;
}

/* Rings along a length of as many segments around, at most as many as the generators make. */
static double rings_along(double length, double radius, double segments) {
    return lt_min_d(65536, 1 + length * segments / (2 * 3.14159 * radius));
}

lt_scene_size lt_scene_size_of_surface(const lt_surface_recipe *recipe) {
    double cells = recipe->cells, x = (double)recipe->size.x, y = (double)recipe->size.y, triangles = 0;
    switch (recipe->kind) {
    case LT_SURFACE_RECIPE_SPHERE: triangles = 20 * ldexp(1, 2 * (int)recipe->cells); break;
    case LT_SURFACE_RECIPE_BOX: triangles = 12 * cells * cells; break;
    case LT_SURFACE_RECIPE_PLATE: triangles = 4 * cells * (cells + 2); break;
    case LT_SURFACE_RECIPE_TORUS: triangles = 2 * cells * lt_max_d(3, cells * y / x + 1); break;
    case LT_SURFACE_RECIPE_CAPSULE:
        triangles = 2 * cells * (0.5 * cells + 2 + rings_along(y, x, cells));
        break;
    case LT_SURFACE_RECIPE_CYLINDER:
        triangles = 2 * cells * (cells / 3 + 2 + rings_along(y, x, cells));
        break;
    case LT_SURFACE_RECIPE_KNOT:
        triangles = recipe->triangles ? recipe->triangles : lt_torus_knot_params_default().triangle_count;
        break;
    case LT_SURFACE_RECIPE_FILE:
    case LT_SURFACE_RECIPE_NONE: break;
    default: triangles = recipe->triangles; break;
    }
    return (lt_scene_size){.triangles = triangles};
}

static double tets_of(const lt_carrier_recipe *recipe) {
    double cells = recipe->cells[0], x = (double)recipe->size.x, y = (double)recipe->size.y;
    switch (recipe->kind) {
    case LT_CARRIER_RECIPE_BLOCK: return 5 * cells * recipe->cells[1] * recipe->cells[2];
    case LT_CARRIER_RECIPE_PLATE: return 5 * cells * cells;
    case LT_CARRIER_RECIPE_BALL: return 20 * cube(cells);
    case LT_CARRIER_RECIPE_TORUS: {
        double layers = lt_min_d(64, lt_max_d(1, y * cells / (2 * 3.14159 * x) + 1));
        return 18 * cells * layers * layers;
    }
    case LT_CARRIER_RECIPE_GRASS: return 3 * cells * recipe->cells[1];
    case LT_CARRIER_RECIPE_KNOT: return 18 * cells;
    case LT_CARRIER_RECIPE_ENCLOSED: return cells > 0 ? cells : LT_BAKE_TETS;
    case LT_CARRIER_RECIPE_LATTICE: return cells > 0 ? cells : lt_bake_surface_def_default().target_cells;
    case LT_CARRIER_RECIPE_LADDER: return (cells > 0 ? cells : LT_BAKE_LADDER_TETS) + recipe->cells[2];
    default: return 0;
    }
}

static bool has_grid(lt_carrier_recipe_kind kind) {
    return kind == LT_CARRIER_RECIPE_ENCLOSED || kind == LT_CARRIER_RECIPE_LADDER ||
           kind == LT_CARRIER_RECIPE_LATTICE;
}

lt_scene_size lt_scene_size_of_shape(const lt_scene_shape *shape) {
    lt_scene_size size = lt_scene_size_of_surface(&shape->surface);
    const lt_carrier_recipe *carrier = &shape->carrier;
    size.tets = tets_of(carrier);
    if (shape->surface.kind == LT_SURFACE_RECIPE_NONE) size.triangles = 2 * size.tets; /* blades have most */
    if (has_grid(carrier->kind))
        size.grid_cells =
            cube(carrier->distance_resolution ? carrier->distance_resolution
                                              : lt_bake_surface_def_default().distance_resolution);
    return size;
}

lt_scene_size lt_scene_size_of_obstacle(const lt_scene_obstacle *obstacle) {
    if (obstacle->kind != LT_OBSTACLE_MESH) return (lt_scene_size){0};
    lt_scene_size size = lt_scene_size_of_surface(&obstacle->surface);
    size.grid_cells = cube(obstacle->mesh_resolution);
    return size;
}
