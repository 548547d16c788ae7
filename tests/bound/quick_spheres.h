/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees in milliseconds: octrees whose errors are bounds, but rougher ones than baking would give. */

#ifndef LITHE_TESTS_BOUND_QUICK_SPHERES_H
#define LITHE_TESTS_BOUND_QUICK_SPHERES_H

#include "bake/rest_tree.h"
#include "bake/sphere_checks.h"
#include "embed/embed.h"

typedef struct tree_options {
    uint32_t depth, branching; /* branching 0: 8 */
    bool layered;
} tree_options;

/* No point of a ball is farther from a piece than the centre is from a corner of it, and the radius. */
static inline void fill_rough_own_errors(lt_rest_tree *tree, const lt_surface *surface) {
    for (uint32_t i = 0; i < tree->sphere_count; i++)
        tree->spheres[i].own_error = 2 * tree->spheres[i].radius;
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        lt_dvec3 corners[3];
        lt_sphere_piece_corners(surface, &tree->pieces[i], corners);
        for (uint32_t k = tree->pieces[i].leaf; k != LT_NONE; k = tree->spheres[k].parent) {
            lt_rest_sphere *s = &tree->spheres[k];
            double most = s->radius + lt_d3_distance(corners[0], s->center);
            s->own_error = lt_max_d(s->error, lt_min_d(s->own_error, most));
        }
    }
}

static inline lt_surface surface_of_skin(const lt_skin *skin) {
    return (lt_surface){.positions = (lt_vec3 *)skin->rest,
                        .triangles = (uint32_t *)skin->triangles,
                        .vertex_count = skin->point_count,
                        .triangle_count = skin->triangle_count};
}

/* As for baking, but with a coarse grid, and without the one that looks far. */
static inline lt_status build_quick_field(lt_sphere_field *out, const lt_surface *surface,
                                          const lt_allocator *allocator, lt_error *error) {
    *out = (lt_sphere_field){
        .surface = surface, .pace = lt_sphere_pace_of(LT_EFFORT_QUICK), .allocator = *allocator};
    lt_distance_grid_options options = {.cells = 8, .padding = 2};
    lt_status status = lt_triangle_tree_build(&out->tree, surface, allocator, error);
    if (status == LT_OK) status = lt_winding_tree_build(&out->winding, &out->tree, allocator, error);
    if (status == LT_OK) status = lt_distance_grid_build(surface, &options, allocator, &out->grid, error);
    out->cell = out->grid.header.cell_size;
    out->slack = 0.12 * out->cell; /* mesh/distance_grid.h */
    out->is_open = out->grid.header.open_edge_count > 0;
    return status;
}

static inline lt_status make_quick_tree(lt_rest_tree *out, const lt_skin *skin, tree_options wanted,
                                        lt_error *error) {
    lt_surface surface = surface_of_skin(skin);
    lt_sphere_options options = quick_options(LT_SPHERES_OCTREE);
    options.depth = wanted.depth;
    options.branching = wanted.branching ? wanted.branching : 8;
    options.layered = wanted.layered;
    lt_sphere_field field = {0};
    lt_array proposal = LT_ARRAY_OF(&options.allocator, lt_rest_sphere);
    lt_status status = build_quick_field(&field, &surface, &options.allocator, error);
    if (status == LT_OK) status = lt_sphere_propose_octree(&proposal, &surface, &options, error);
    if (status == LT_OK)
        status =
            lt_sphere_cover(out, &surface, proposal.items, (uint32_t)proposal.count, false, &options, error);
    if (status == LT_OK) status = lt_sphere_fill_errors(out, &field, &options, error);
    if (status == LT_OK) fill_rough_own_errors(out, &surface);
    lt_array_free(&proposal);
    lt_sphere_field_free(&field);
    return status;
}

#endif
