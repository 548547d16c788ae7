/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "method/draw.h"

enum { CIRCLE_LINES = 16 };

uint32_t lt_draw_level_color(uint32_t level) {
    static const uint32_t colors[] = {0xe0e0e0, 0x2b7be4, 0x1ea855, 0xf4c618, 0xff8a00, 0xd6201c, 0x8e44d6};
    return colors[level % LT_COUNT_OF(colors)];
}

void lt_draw_line(const lt_debug_draw *draw, lt_vec3 from, lt_vec3 to, uint32_t color) {
    if (draw->line) draw->line(draw->context, from, to, color);
}

/* Bit k of a corner's number is set where it is the upper one along axis k. */
static void put_corners(const lt_debug_draw *draw, const lt_vec3 corners[8], uint32_t color) {
    for (uint32_t c = 0; c < 8; c++)
        for (uint32_t bit = 1; bit < 8; bit <<= 1)
            if (!(c & bit)) lt_draw_line(draw, corners[c], corners[c | bit], color);
}

void lt_draw_box(const lt_debug_draw *draw, lt_box box, uint32_t color) {
    lt_vec3 corners[8];
    lt_box_corners(corners, box);
    put_corners(draw, corners, color);
}

static void put_sphere(const lt_debug_draw *draw, lt_vec3 center, float radius, uint32_t color) {
    const lt_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const float c = 0.92387953f, s = 0.38268343f; /* of a sixteenth of a turn */
    for (int k = 0; k < 3; k++) {
        lt_vec3 u = lt_v3_scale(axes[k], radius), v = lt_v3_scale(axes[(k + 1) % 3], radius);
        float x = 1, y = 0;
        for (int i = 0; i < CIRCLE_LINES; i++) {
            float next_x = c * x - s * y, next_y = s * x + c * y;
            lt_draw_line(draw, lt_v3_mad(lt_v3_mad(center, u, x), v, y),
                         lt_v3_mad(lt_v3_mad(center, u, next_x), v, next_y), color);
            x = next_x;
            y = next_y;
        }
    }
}

void lt_draw_spheres(const lt_debug_draw *draw, const lt_spheres *spheres) {
    const lt_sphere_tree *tree = spheres->tree;
    for (uint32_t block = 0; block < tree->block_count; block++) {
        if (tree->levels[block] != draw->level || !lt_spheres_fresh(spheres, block)) continue;
        for (uint32_t node = LT_LANES * block; node < LT_LANES * (block + 1); node++) {
            float radius = lt_sphere_now(spheres, LT_NOW_RADIUS, node);
            if (radius > 0)
                put_sphere(draw, lt_sphere_center(spheres, node), radius, lt_draw_level_color(draw->level));
        }
    }
}

void lt_draw_tree(const lt_debug_draw *draw, const lt_multiscale *boxes) {
    const lt_multiscale_tree *tree = boxes->tree;
    if (boxes->stamp == 0) return; /* it never had a turn */
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t level = 0;
        for (uint32_t up = tree->links[node].parent; up != LT_NONE && level <= draw->level;
             up = tree->links[up].parent)
            level++;
        if (level == draw->level && lt_multiscale_box_is_fresh(boxes, node))
            lt_draw_box(draw, lt_multiscale_box(boxes, node), lt_draw_level_color(level));
    }
}

void lt_draw_cells(const lt_debug_draw *draw, const lt_collider *collider, bool grid_boxes) {
    if (draw->level != 1 || !lt_collider_is_of_cells(collider)) return;
    const lt_soft *soft = collider->soft;
    for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++) {
        lt_vec3 corners[8];
        if (lt_cell_box_corners(corners, soft, collider->skin, cell, grid_boxes))
            put_corners(draw, corners, lt_draw_level_color(1));
    }
}
