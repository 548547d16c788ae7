/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/picture.h"

lt_picture lt_picture_default(void) {
    return (lt_picture){
        .camera = {{3, 2, 4}, {0, 0.5f, 0}, {0, 1, 0}, 32},
        .up = {0, 1, 0},
        .focus = lt_box_empty(),
        .floor_color = {0xd9, 0xdb, 0xde},
        .sun_direction = {-0.5f, 1.0f, 0.38f},
        .sun_color = {255, 247, 232},
        .sun_strength = 0.95f,
        .sun_width = 0.06f,
        .sky_color = {0xdc, 0xe8, 0xf7},
        .sky_strength = 0.52f,
        .background_top = {0xb9, 0xc7, 0xd8},
        .background_bottom = {0xee, 0xf1, 0xf4},
    };
}

lt_color lt_marker_color(lt_marker_status status) {
    switch (status) {
    case LT_MARKER_EXACT: return (lt_color){0x1e, 0xa8, 0x55};
    case LT_MARKER_APPROXIMATE: return (lt_color){0xff, 0x8a, 0x00};
    default: return (lt_color){0x8e, 0x44, 0xd6};
    }
}

static uint8_t mix(uint8_t from, uint8_t to, uint32_t part, uint32_t whole) {
    return (uint8_t)((from * (whole - part) + to * part + whole / 2) / whole);
}

lt_color lt_marker_age_color(lt_marker_status status, uint32_t age) {
    static const lt_color stops[3] = {{0x1e, 0xa8, 0x55}, {0xf4, 0xc6, 0x18}, {0xd6, 0x20, 0x1c}};
    if (status == LT_MARKER_APPROXIMATE) return (lt_color){0x2b, 0x7b, 0xe4};
    const uint32_t half = LT_MARKER_AGE_MAX / 2;
    age = lt_min_u32(age, LT_MARKER_AGE_MAX);
    const lt_color *from = &stops[age > half];
    uint32_t part = age > half ? age - half : age;
    return (lt_color){mix(from[0].r, from[1].r, part, half), mix(from[0].g, from[1].g, part, half),
                      mix(from[0].b, from[1].b, part, half)};
}

/* A body that blew up must not set the scale of the picture. */
static bool is_sane(lt_vec3 p) {
    return fabsf(p.x) < 1e9f && fabsf(p.y) < 1e9f && fabsf(p.z) < 1e9f;
}

lt_box lt_picture_box(const lt_picture *picture, bool casters_only) {
    lt_box box = lt_box_empty();
    for (uint32_t m = 0; m < picture->mesh_count; m++) {
        const lt_picture_mesh *mesh = &picture->meshes[m];
        if (casters_only && mesh->shadowless) continue;
        for (uint32_t i = 0; i < mesh->vertex_count; i++)
            if (is_sane(mesh->positions[i])) box = lt_box_add_point(box, mesh->positions[i]);
    }
    return box;
}
