/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "draw_boxes.h"

#include "draw_tree.h"
#include "picture/camera.h"
#include "world/world.h"

/* Of a bar with three sides: so much of a cell is from its middle to its corners. */
static const float RADIUS = 0.018f;

lt_box_bars lt_box_bars_begin(const lt_allocator *allocator) {
    return (lt_box_bars){.positions = LT_ARRAY_OF(allocator, lt_vec3),
                         .triangles = LT_ARRAY_OF(allocator, uint32_t)};
}

void lt_box_bars_free(lt_box_bars *bars) {
    lt_array_free(&bars->positions);
    lt_array_free(&bars->triangles);
}

static bool add_bar(lt_box_bars *bars, lt_vec3 from, lt_vec3 to, float radius) {
    static const uint32_t sides[18] = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5};
    uint32_t first = (uint32_t)bars->positions.count;
    lt_vec3 across, side, along = lt_v3_normalize_or(lt_v3_sub(to, from), (lt_vec3){0, 1, 0});
    lt_vec3 *positions = lt_array_grow(&bars->positions, 6);
    uint32_t *triangles = lt_array_grow(&bars->triangles, 18);
    if (!positions || !triangles) return false;
    lt_perpendicular_pair(along, &across, &side);
    const lt_vec3 around[3] = {across, lt_v3_mad(lt_v3_scale(across, -0.5f), side, 0.866f),
                               lt_v3_mad(lt_v3_scale(across, -0.5f), side, -0.866f)};
    for (int i = 0; i < 3; i++) {
        positions[i] = lt_v3_mad(from, around[i], radius);
        positions[i + 3] = lt_v3_mad(to, around[i], radius);
    }
    for (int i = 0; i < 18; i++)
        triangles[i] = first + sides[i];
    return true;
}

bool lt_box_bars_add(lt_box_bars *bars, const lt_vec3 corners[8], float radius) {
    for (uint32_t edge = 0; edge < 12; edge++) {
        uint32_t axis = edge / 4, from = lt_cell_edge_begin(axis, edge % 4);
        if (!add_bar(bars, corners[from], corners[from | 1u << axis], radius)) return false;
    }
    return true;
}

static bool add_cells(lt_box_bars *bars, const lt_soft *soft, const lt_skin *skin, bool grid_boxes) {
    for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++) {
        lt_vec3 corners[8];
        if (lt_cell_box_corners(corners, soft, skin, cell, grid_boxes) &&
            !lt_box_bars_add(bars, corners, RADIUS * (float)soft->carrier.cell_size))
            return false;
    }
    return true;
}

/* What a body's frame holds is drawn where the scene has it. */
static void place_bars(lt_box_bars *bars, size_t first, const double from[3], const lt_soft *soft) {
    lt_vec3 *positions = bars->positions.items;
    for (size_t i = first; i < bars->positions.count; i++)
        positions[i] = lt_offset_seen(from, soft->origin, positions[i]);
}

bool lt_box_bars_fill(lt_box_bars *bars, const lt_scene_world *scene_world, lt_tree_choice choice) {
    lt_world *world = scene_world->world;
    bars->positions.count = bars->triangles.count = 0;
    for (uint32_t i = 0; i < lt_world_body_count(world); i++) {
        size_t first = bars->positions.count;
        if (!lt_tree_bars_add(bars, world, i, choice)) return false;
        if (!add_cells(bars, lt_soft_at(world, i), &lt_body_record(world, i)->skin,
                       world->def.cell_box.grid_boxes))
            return false;
        place_bars(bars, first, scene_world->scene->origin, lt_soft_at(world, i));
    }
    return true;
}
