/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From a mesh in a file (`first bear.obj`; PLY, OFF, STL and others do as well) to twenty bodies that fall on a heap, and in every
 * frame a buffer of vertices with normals, as a renderer takes it. Cubes carry the surface, and boxes around it collide: any number of
 * triangles will do. docs/choosing.md has the other ways. */

#include "lithe/bake.h"
#include "lithe/lithe.h"
#include <stdio.h>

enum { BODIES = 20 };

int main(int count, char **words) {
    lt_mesh_file mesh;
    lt_bake_mesh_def bake = lt_bake_mesh_def_default();
    lt_world_def world_def = lt_world_def_default();
    lt_obstacle_def ground = lt_obstacle_def_default(); /* the plane y = 0 */
    lt_body_def body = lt_body_def_default();
    lt_world *world;
    lt_error error = {0};
    lt_vec3 lo, hi;
    if (count != 2) return puts("usage: first MESH"), 2;
    if (lt_mesh_file_load(words[1], NULL, &mesh, &error) != LT_OK) return puts(error.message), 1;
    lt_mesh_file_bounds(&mesh, &lo, &hi);
    bake.mesh = &mesh;
    bake.options.carrier = LT_CARRIER_LATTICE;
    bake.options.target_cells = 100; /* more bend better, and take longer */
    world_def.method = LT_METHOD_CELL_BOX;
    body.model = LT_MODEL_LATTICE_MATCHING;
    if (lt_bake_mesh(&bake, &body.shape, NULL, &error) != LT_OK ||
        lt_world_create(&world_def, &world, &error) != LT_OK)
        return puts(error.message), 1;
    lt_mesh_file_free(&mesh);

    float x = hi.x - lo.x, y = hi.y - lo.y, z = hi.z - lo.z, longest = x > y ? x : y;
    body.scale = 0.3f / (z > longest ? z : longest); /* 30 cm, whatever the file's unit is */
    lt_world_add_obstacle(world, &ground, &error);
    for (int i = 0; i < BODIES; i++) { /* five layers of four */
        body.position.x = 0.32f * (float)(i % 2) - body.scale * lo.x;
        body.position.y = 0.32f * (float)(i / 4) - body.scale * lo.y + 0.05f;
        body.position.z = 0.32f * (float)(i / 2 % 2) - body.scale * lo.z;
        if (lt_world_add_body(world, &body, &error).index_plus_one == 0) return puts(error.message), 1;
    }

    uint32_t vertex_count = lt_body_surface(world, lt_world_body_at(world, 0)).vertex_count;
    size_t size = BODIES * (size_t)vertex_count * 2 * sizeof(lt_vec3);
    lt_vec3 *buffer = body.shape ? lt_allocator_default().allocate(NULL, size, 16) : NULL;
    for (int frame = 1; buffer && frame <= 120; frame++) {
        lt_report r = lt_world_step(world, 1 / 60.0f, lt_budget_collision_us(4000));
        float lowest = 1, highest = 0;
        lt_vec3 *out = buffer; /* position, normal, position, normal ...; the triangles are the view's */
        for (uint32_t i = 0; i < BODIES; i++) {
            lt_surface_view view = lt_body_surface(world, lt_world_body_at(world, i));
            for (uint32_t v = 0; v < view.vertex_count; v++, out += 2) {
                out[0] = view.positions[v];
                out[1] = view.normals[v];
                lowest = out->y < lowest ? out->y : lowest;
                highest = out->y > highest ? out->y : highest;
            }
        }
        if (frame % 40 == 0)
            printf("frame %d: %td vertices, from %.3f to %.3f m, %llu contacts\n", frame, (out - buffer) / 2,
                   lowest, highest, r.contacts);
    }
    if (buffer) lt_allocator_default().release(NULL, buffer, size);
    lt_world_destroy(world);
    lt_shape_release(body.shape);
    return buffer ? 0 : 1;
}
