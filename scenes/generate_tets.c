/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tet meshes with a structure: block, plate and torus (the ball is in generate_icosahedral.c).
 *
 * Bricks. A cell's corners are numbered by bits, x + 2y + 4z.
 *   six:  the Freudenthal (Kuhn) cut, one tet for each order in which a walk from corner 0 to corner 7 may
 *         take its three axes. Opposite sides of the cell get parallel diagonals, so all cells match.
 *   five: the corners of even bit count, or in every other cell those of odd count, span a regular tet; the
 *         four others are cut off. Neighbouring cells are mirror images, so their diagonals match.
 *
 * Ring of prisms. The tube's cross-section is a disc of triangles, swept once around. How lt_put_prism cuts
 * sees only the disc, so that neighbours agree and the ring closes. */

#include "bake/put_elements.h"
#include "scenes/generate.h"
#include "scenes/trigonometry.h"

#define MAX_TUBE_LAYERS 64

static const uint8_t six_tets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                       {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}};
static const uint8_t five_tets[2][5][4] = {
    {{0, 3, 6, 5}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}},
    {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 2, 7, 4}}};

static void fill_block_nodes(lt_tet_mesh *out, lt_dvec3 size, const uint32_t cells[3]) {
    lt_dvec3 *node = out->positions;
    for (uint32_t k = 0; k <= cells[2]; k++)
        for (uint32_t j = 0; j <= cells[1]; j++)
            for (uint32_t i = 0; i <= cells[0]; i++)
                *node++ = lt_d3_make(size.x * i / cells[0], size.y * j / cells[1], size.z * k / cells[2]);
}

static uint32_t *fill_brick(const uint32_t corners[8], lt_tet_split split, uint32_t parity, uint32_t *tet) {
    const uint8_t(*table)[4] = split == LT_TET_SPLIT_SIX ? six_tets : five_tets[parity];
    uint32_t count = split == LT_TET_SPLIT_SIX ? 6 : 5;
    for (uint32_t t = 0; t < count; t++)
        tet = lt_put_tet(tet, corners[table[t][0]], corners[table[t][1]], corners[table[t][2]],
                         corners[table[t][3]]);
    return tet;
}

static void fill_block_tets(lt_tet_mesh *out, const uint32_t cells[3], lt_tet_split split) {
    uint32_t row = cells[0] + 1, slab = row * (cells[1] + 1);
    uint32_t *tet = out->tets;
    for (uint32_t k = 0; k < cells[2]; k++)
        for (uint32_t j = 0; j < cells[1]; j++)
            for (uint32_t i = 0; i < cells[0]; i++) {
                uint32_t corners[8];
                for (uint32_t c = 0; c < 8; c++)
                    corners[c] = i + (c & 1) + row * (j + ((c >> 1) & 1)) + slab * (k + (c >> 2));
                tet = fill_brick(corners, split, (i + j + k) & 1, tet);
            }
    LT_ASSERT(tet == out->tets + 4 * (size_t)out->tet_count);
}

lt_status lt_generate_tet_block(lt_tet_mesh *out, lt_dvec3 size, const uint32_t cells[3], lt_tet_split split,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = LT_OK;
    for (int axis = 0; axis < 3 && status == LT_OK; axis++) {
        status = lt_check_length("tet block", "size", lt_d3_get(size, axis), error);
        if (status == LT_OK) status = lt_check_count("tet block", "cells", cells[axis], 1, 512, error);
    }
    if (status == LT_OK && split != LT_TET_SPLIT_SIX && split != LT_TET_SPLIT_FIVE)
        status = lt_fail(error, LT_STATUS_INVALID, "tet block: there is no split %d", (int)split);
    if (status != LT_OK) return status;
    uint32_t cell_count = cells[0] * cells[1] * cells[2];
    status = lt_tet_mesh_allocate(out, (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1),
                                  cell_count * (split == LT_TET_SPLIT_SIX ? 6 : 5), allocator, error);
    if (status != LT_OK) return status;
    fill_block_nodes(out, size, cells);
    fill_block_tets(out, cells, split);
    return LT_OK;
}

lt_status lt_generate_tet_plate(lt_tet_mesh *out, lt_dvec3 size, uint32_t cells,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = lt_check_length("tet plate", "size in x", size.x, error);
    if (status == LT_OK) status = lt_check_length("tet plate", "size in z", size.z, error);
    if (status == LT_OK) status = lt_check_count("tet plate", "cells", cells, 1, 512, error);
    if (status != LT_OK) return status;
    uint32_t divisions[3];
    lt_plate_cells(size.x, size.z, cells, divisions);
    status = lt_generate_tet_block(out, size, divisions, LT_TET_SPLIT_FIVE, allocator, error);
    for (uint32_t i = 0; i < out->node_count; i++)
        out->positions[i] = lt_d3_mad(out->positions[i], size, -0.5);
    return status;
}

/* ---- torus ---- */

/* Disc: vertex 0 in the middle, then layer L = 1 … layers with 6L vertices each. */
static uint32_t disc_vertex_index(uint32_t layer, uint32_t step) {
    return layer == 0 ? 0 : 1 + 3 * layer * (layer - 1) + step % (6 * layer);
}

/* The prisms between two copies of the disc: each of six sextants has, between layers L-1 and L, L outward
 * triangles and L-1 inward ones. */
static uint32_t *fill_segment(uint32_t *tet, uint32_t layers, uint32_t front, uint32_t behind) {
    for (uint32_t layer = 1; layer <= layers; layer++)
        for (uint32_t sextant = 0; sextant < 6; sextant++)
            for (uint32_t s = 0; s < layer; s++) {
                uint32_t inner = disc_vertex_index(layer - 1, sextant * (layer - 1) + s);
                uint32_t outer = disc_vertex_index(layer, sextant * layer + s);
                uint32_t next = disc_vertex_index(layer, sextant * layer + s + 1);
                tet = lt_put_prism(tet, inner, outer, next, front, behind);
                if (s + 1 == layer) continue;
                uint32_t inner_next = disc_vertex_index(layer - 1, sextant * (layer - 1) + s + 1);
                tet = lt_put_prism(tet, inner, next, inner_next, front, behind);
            }
    return tet;
}

static void fill_disc_nodes(lt_dvec3 *nodes, uint32_t layers, double major, double minor, double turn) {
    double ring_sine, ring_cosine;
    lt_sin_cos(turn, &ring_sine, &ring_cosine);
    nodes[0] = lt_d3_make(major * ring_cosine, 0.0, major * ring_sine);
    for (uint32_t layer = 1; layer <= layers; layer++)
        for (uint32_t s = 0; s < 6 * layer; s++) {
            double sine, cosine, radius = minor * layer / layers;
            lt_sin_cos(2.0 * LT_PI * s / (6 * layer), &sine, &cosine);
            double reach = major + radius * cosine;
            nodes[disc_vertex_index(layer, s)] =
                lt_d3_make(reach * ring_cosine, radius * sine, reach * ring_sine);
        }
}

lt_status lt_generate_tet_torus(lt_tet_mesh *out, double major_radius, double minor_radius, uint32_t segments,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = lt_check_torus("tet torus", major_radius, minor_radius, error);
    if (status == LT_OK) status = lt_check_count("tet torus", "segments", segments, 3, 2048, error);
    if (status != LT_OK) return status;
    double arc = 2.0 * LT_PI * major_radius / segments;
    uint32_t layers = lt_round_to_count(minor_radius / arc, 1, MAX_TUBE_LAYERS);
    uint32_t disc_count = disc_vertex_index(layers + 1, 0);
    status =
        lt_tet_mesh_allocate(out, segments * disc_count, segments * 18 * layers * layers, allocator, error);
    if (status != LT_OK) return status;
    uint32_t *tet = out->tets;
    for (uint32_t r = 0; r < segments; r++) {
        uint32_t next = r + 1 < segments ? r + 1 : 0;
        fill_disc_nodes(out->positions + r * disc_count, layers, major_radius, minor_radius,
                        2.0 * LT_PI * r / segments);
        tet = fill_segment(tet, layers, r * disc_count, next * disc_count);
    }
    LT_ASSERT(tet == out->tets + 4 * (size_t)out->tet_count);
    lt_tet_mesh_orient(out);
    return LT_OK;
}
