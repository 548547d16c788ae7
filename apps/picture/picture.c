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
