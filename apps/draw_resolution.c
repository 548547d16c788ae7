/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "draw_resolution.h"

static const lt_color fine = {200, 24, 32}, coarse = {250, 226, 70}, one_mesh = {206, 204, 198};

static uint8_t between(uint8_t from, uint8_t to, uint32_t level, uint32_t last) {
    return (uint8_t)((from * (last - level) + to * level + last / 2) / last);
}

lt_color lt_resolution_color(uint32_t level, uint32_t count) {
    if (count < 2) return one_mesh;
    uint32_t last = lt_max_u32(1, count - 2);
    level = lt_min_u32(level, last);
    return (lt_color){between(fine.r, coarse.r, level, last), between(fine.g, coarse.g, level, last),
                      between(fine.b, coarse.b, level, last)};
}

static bool add_colors(lt_array *colors, lt_world *world, lt_body_id body) {
    uint32_t vertex_count = lt_body_surface(world, body).vertex_count;
    lt_color *own = lt_array_grow(colors, vertex_count);
    uint8_t *levels = LT_NEW(&colors->allocator, vertex_count, uint8_t);
    bool ok = own && levels;
    uint32_t count = ok ? lt_body_levels(world, body, levels) : 0;
    for (uint32_t i = 0; ok && i < vertex_count; i++)
        own[i] = lt_resolution_color(levels[i], count);
    LT_DELETE(&colors->allocator, levels, vertex_count, uint8_t);
    return ok;
}

bool lt_resolution_colors_fill(lt_array *colors, const lt_scene_world *scene_world) {
    colors->count = 0;
    for (size_t i = 0; i < scene_world->scene->bodies.count; i++)
        if (!add_colors(colors, scene_world->world, scene_world->bodies[i])) return false;
    return true;
}
