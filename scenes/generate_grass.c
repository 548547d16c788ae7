/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Grass: blades that rise from random roots in a square, bend over to one side and taper to a tip. A blade's
 * cross-section is a flat triangle (two edges and the midrib behind them), so that it has thickness and an
 * inside without costing more than twice a strip. Its rings of three are the nodes of the surface and of the
 * tets alike. */

#include "bake/put_elements.h"
#include "core/random.h"
#include "scenes/generate.h"
#include "scenes/trigonometry.h"

/* Share of a cell of the grid that an even root may stand in: the rest keeps neighbours apart. */
#define EVEN_SHARE   0.7
#define MAX_SEGMENTS 64

typedef struct blade {
    lt_dvec3 root;
    lt_dvec3 lean; /* horizontal unit vector it bends towards */
    double height, width, thickness, bend;
} blade;

/* From a number in [0, 1): anywhere along the side of the square, or somewhere in the cell of a grid. */
static double place_root(const lt_grass_params *params, uint32_t rows, uint32_t cell, double unit) {
    if (!params->even) return params->side * (unit - 0.5);
    return params->side * ((cell + 0.5 + EVEN_SHARE * (unit - 0.5)) / rows - 0.5);
}

/* The least square grid with a cell for every blade. */
static uint32_t count_rows(uint32_t blade_count) {
    uint32_t rows = 1;
    while (rows * rows < blade_count)
        rows++;
    return rows;
}

/* Height and bend vary, the cross-section follows the height. */
static blade draw_blade(lt_random *random, const lt_grass_params *params, uint32_t rows, uint32_t index) {
    double x = place_root(params, rows, index % rows, lt_random_unit(random));
    double z = place_root(params, rows, index / rows, lt_random_unit(random));
    double sine, cosine, size = 0.7 + 0.6 * lt_random_unit(random);
    lt_sin_cos(2.0 * LT_PI * lt_random_unit(random), &sine, &cosine);
    return (blade){.root = {x, 0.0, z},
                   .lean = {cosine, 0.0, sine},
                   .height = params->height * size,
                   .width = params->width * size,
                   .thickness = params->thickness * size,
                   .bend = 0.15 + 0.45 * lt_random_unit(random)};
}

/* The centre at height t in [0, 1]: a parabola whose tip leans over by bend * height. */
static lt_dvec3 blade_centre(const blade *b, double t) {
    lt_dvec3 up = {0.0, b->height * t, 0.0};
    return lt_d3_add(b->root, lt_d3_mad(up, b->lean, b->height * b->bend * t * t));
}

/* Rings of three, from the root up, then the tip. */
static void fill_blade_nodes(lt_dvec3 *nodes, const blade *b, uint32_t segments) {
    lt_dvec3 side = {-b->lean.z, 0.0, b->lean.x};
    for (uint32_t r = 0; r < segments; r++) {
        double t = (double)r / segments, taper = 1.0 - t * t, half = 0.5 * b->width * taper;
        lt_dvec3 centre = blade_centre(b, t);
        /* across the centre line, in the plane it bends in */
        lt_dvec3 back = lt_d3_mad(lt_d3_scale(b->lean, -1.0), lt_d3_make(0, 1, 0), 2.0 * b->bend * t);
        lt_dvec3 rib = lt_d3_scale(back, b->thickness * taper / lt_d3_length(back));
        rib.y = r == 0 ? 0.0 : rib.y;
        nodes[3 * r] = lt_d3_mad(centre, side, half);
        nodes[3 * r + 1] = lt_d3_mad(centre, side, -half);
        nodes[3 * r + 2] = lt_d3_add(centre, rib);
    }
    nodes[3 * segments] = blade_centre(b, 1.0);
}

static void fill_blade_triangles(uint32_t *corner, uint32_t first, uint32_t segments) {
    uint32_t tip = first + 3 * segments, last = tip - 3;
    for (uint32_t r = 0; r + 1 < segments; r++)
        corner = lt_put_ring_wall(corner, first + 3 * r, first + 3 * r + 3, 3);
    for (uint32_t s = 0; s < 3; s++, corner += 3)
        corner[0] = last + s, corner[1] = last + (s + 1) % 3, corner[2] = tip;
    corner[0] = first, corner[1] = first + 2, corner[2] = first + 1;
}

/* A prism between two rings, a single tet under the tip. */
static void fill_blade_tets(uint32_t *tet, uint32_t first, uint32_t segments) {
    uint32_t tip = first + 3 * segments, last = tip - 3;
    for (uint32_t r = 0; r + 1 < segments; r++)
        tet = lt_put_prism(tet, 0, 1, 2, first + 3 * r, first + 3 * r + 3);
    lt_put_tet(tet, last, last + 1, last + 2, tip);
}

static lt_status check_params(const lt_grass_params *params, lt_error *error) {
    lt_status status = lt_check_count("grass", "blades", params->blade_count, 1, 1u << 20, error);
    if (status == LT_OK)
        status = lt_check_count("grass", "segments", params->segments, 1, MAX_SEGMENTS, error);
    if (status == LT_OK) status = lt_check_length("grass", "side", params->side, error);
    if (status == LT_OK) status = lt_check_length("grass", "height", params->height, error);
    if (status == LT_OK) status = lt_check_length("grass", "width", params->width, error);
    if (status == LT_OK) status = lt_check_length("grass", "thickness", params->thickness, error);
    return status;
}

lt_grass_params lt_grass_params_default(void) {
    return (lt_grass_params){.blade_count = 400,
                             .segments = 5,
                             .side = 1.0,
                             .height = 0.25,
                             .width = 0.015,
                             .thickness = 0.003,
                             .seed = 1};
}

lt_status lt_generate_grass(lt_surface *out, const lt_grass_params *params, const lt_allocator *allocator,
                            lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = check_params(params, error);
    if (status != LT_OK) return status;
    uint32_t vertices = 3 * params->segments + 1, triangles = 6 * params->segments - 2;
    status = lt_surface_allocate(out, params->blade_count * vertices, params->blade_count * triangles,
                                 allocator, error);
    if (status != LT_OK) return status;
    lt_random random = lt_random_seed(params->seed);
    uint32_t rows = count_rows(params->blade_count);
    lt_dvec3 nodes[3 * MAX_SEGMENTS + 1];
    for (uint32_t i = 0; i < params->blade_count; i++) {
        blade b = draw_blade(&random, params, rows, i);
        fill_blade_nodes(nodes, &b, params->segments);
        for (uint32_t k = 0; k < vertices; k++)
            out->positions[(size_t)i * vertices + k] = lt_v3_from_d3(nodes[k]);
        fill_blade_triangles(out->triangles + 3 * (size_t)i * triangles, i * vertices, params->segments);
    }
    return LT_OK;
}

lt_status lt_generate_tet_grass(lt_tet_mesh *out, const lt_grass_params *params,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = check_params(params, error);
    if (status != LT_OK) return status;
    uint32_t nodes = 3 * params->segments + 1, tets = 3 * params->segments - 2;
    status =
        lt_tet_mesh_allocate(out, params->blade_count * nodes, params->blade_count * tets, allocator, error);
    if (status != LT_OK) return status;
    lt_random random = lt_random_seed(params->seed);
    uint32_t rows = count_rows(params->blade_count);
    for (uint32_t i = 0; i < params->blade_count; i++) {
        blade b = draw_blade(&random, params, rows, i);
        fill_blade_nodes(out->positions + (size_t)i * nodes, &b, params->segments);
        fill_blade_tets(out->tets + 4 * (size_t)i * tets, i * nodes, params->segments);
    }
    lt_tet_mesh_orient(out);
    return LT_OK;
}
