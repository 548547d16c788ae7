/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds of the method multiscale: small shapes with trees of boxes, and whether surfaces of bodies are in each other. */

#ifndef LITHE_TESTS_METHOD_MULTISCALE_WORLD_H
#define LITHE_TESTS_METHOD_MULTISCALE_WORLD_H

#include "crossings.h"
#include "world/fixture.h"

/* The shape with a tree; the one given is released. */
static inline lt_shape *with_boxes(lt_shape *shape) {
    lt_bake_tree_def def = lt_bake_tree_def_default();
    lt_error error = {0};
    lt_shape *out = NULL;
    if (lt_bake_tree(shape, &def, &out, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_release(shape);
    return out;
}

static inline lt_shape *cube_with_boxes(double side, uint32_t cells) {
    return with_boxes(cube_shape(side, cells));
}

static inline lt_shape *ball_with_boxes(double radius, uint32_t layers) {
    return with_boxes(ball_shape(radius, layers));
}

/* A knot of 558 tets, the surface well within them. */
static inline lt_shape *make_knot(double size, uint32_t triangles) {
    lt_torus_knot_params params = lt_torus_knot_params_default();
    lt_surface surface = {0};
    lt_tet_mesh mesh = {0};
    lt_error error = {0};
    lt_shape *shape = NULL;
    params.major_radius *= size;
    params.minor_radius *= size;
    params.tube_radius *= size;
    params.triangle_count = triangles;
    CHECK(lt_generate_torus_knot(&surface, &params, NULL, &error) == LT_OK);
    params.tube_radius *= 1.5;
    CHECK(lt_generate_tet_torus_knot(&mesh, &params, 31, NULL, &error) == LT_OK);
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh.positions[0].x;
    def.tets = mesh.tets;
    def.node_count = mesh.node_count;
    def.tet_count = mesh.tet_count;
    def.surface_positions = &surface.positions[0].x;
    def.surface_triangles = surface.triangles;
    def.surface_vertex_count = surface.vertex_count;
    def.surface_triangle_count = surface.triangle_count;
    def.distance_resolution = 16;
    if (lt_bake_tets(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_tet_mesh_free(&mesh);
    lt_surface_free(&surface);
    return with_boxes(shape);
}

static inline lt_world_def multiscale_world_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_MULTISCALE;
    return def;
}

/* A snapshot of the world goes on in the other as the world does itself. */
static inline void check_goes_on_alike(lt_world *world, lt_world *twin, uint64_t units) {
    saved cut = save_world(world);
    CHECK(load_world(twin, &cut) == LT_OK);
    CHECK(lt_world_hash(world) == lt_world_hash(twin));
    step_many(world, 2, lt_budget_collision_units(units));
    step_many(twin, 2, lt_budget_collision_units(units));
    CHECK(lt_world_hash(world) == lt_world_hash(twin));
    drop_saved(&cut);
}

#endif
