/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattices around small surfaces, and worlds of them for the method cell-box. */

#ifndef LITHE_TESTS_LATTICE_WORLD_H
#define LITHE_TESTS_LATTICE_WORLD_H

#include "bake/icosahedral.h"
#include "world/fixture.h"

/* Takes the surface. */
static inline lt_shape *lattice_of(lt_surface *surface, uint32_t cells, bool fill) {
    lt_shape *shape = NULL;
    lt_error error = {0};
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.positions = &surface->positions[0].x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.carrier = LT_CARRIER_LATTICE;
    def.target_cells = cells;
    def.fill = fill;
    def.distance_resolution = 6;
    if (lt_bake_surface(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_surface_free(surface);
    return shape;
}

/* A box of the given full size around the origin. */
static inline lt_shape *lattice_box(float x, float y, float z, uint32_t cells) {
    lt_surface s;
    const uint32_t divisions[3] = {3, 3, 3};
    if (lt_generate_box(&s, (lt_vec3){x / 2, y / 2, z / 2}, divisions, NULL, NULL) != LT_OK) return NULL;
    return lattice_of(&s, cells, false);
}

static inline lt_shape *lattice_ball(float radius, uint32_t cells) {
    lt_surface s;
    if (lt_generate_icosphere(&s, (double)radius, 2, NULL, NULL) != LT_OK) return NULL;
    return lattice_of(&s, cells, false);
}

static inline lt_world_def lattice_world_def(void) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_CELL_BOX;
    def.pair_capacity = 512;
    return def;
}

static inline lt_body_def lattice_body_def(lt_shape *shape, lt_vec3 position) {
    lt_body_def def = lt_body_def_default();
    def.shape = shape;
    def.position = position;
    def.model = LT_MODEL_LATTICE_MATCHING;
    return def;
}

static inline lt_body_id add_lattice(lt_world *world, lt_shape *shape, lt_vec3 position) {
    lt_body_def def = lattice_body_def(shape, position);
    return add_body_def(world, &def);
}

/* Root of the mean square of all speeds of nodes, m/s. */
static inline double rms_speed(const lt_world *world) {
    static lt_vec3 velocities[8192];
    double sum = 0, nodes = 0;
    for (uint32_t i = 0; i < lt_world_body_count(world); i++) {
        lt_body_id body = lt_world_body_at(world, i);
        uint32_t count = lt_body_node_count(world, body);
        if (count > 8192) return -1;
        lt_body_get_nodes(world, body, NULL, velocities);
        for (uint32_t k = 0; k < count; k++)
            sum += (double)lt_v3_dot(velocities[k], velocities[k]);
        nodes += count;
    }
    return nodes > 0 ? sqrt(sum / nodes) : 0;
}

#endif
