/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces for tests of enclosures that no generator makes. */

#ifndef LITHE_TESTS_BAKE_ENCLOSE_SHAPES_H
#define LITHE_TESTS_BAKE_ENCLOSE_SHAPES_H

#include "scenes/generate.h"

#include <string.h>

/* Appends a copy of `part`, scaled and moved, to *whole (which may be zeroed), turned inside out if asked. */
static inline bool append_surface(lt_surface *whole, const lt_surface *part, float scale, lt_vec3 offset,
                                  bool is_turned) {
    lt_surface sum;
    if (lt_surface_allocate(&sum, whole->vertex_count + part->vertex_count,
                            whole->triangle_count + part->triangle_count, NULL, NULL) != LT_OK)
        return false;
    if (whole->vertex_count > 0) {
        memcpy(sum.positions, whole->positions, whole->vertex_count * sizeof(lt_vec3));
        memcpy(sum.triangles, whole->triangles, 3 * (size_t)whole->triangle_count * sizeof(uint32_t));
    }
    for (uint32_t v = 0; v < part->vertex_count; v++)
        sum.positions[whole->vertex_count + v] = lt_v3_mad(offset, part->positions[v], scale);
    for (uint32_t t = 0; t < part->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            sum.triangles[3 * (whole->triangle_count + t) + (is_turned ? 2 - k : k)] =
                whole->vertex_count + lt_triangle_at(part, t)[k];
    lt_surface_free(whole);
    *whole = sum;
    return true;
}

static inline bool append_box(lt_surface *whole, lt_vec3 lo, lt_vec3 hi, uint32_t divisions) {
    lt_surface box;
    const uint32_t counts[3] = {divisions, divisions, divisions};
    lt_vec3 half = lt_v3_scale(lt_v3_sub(hi, lo), 0.5f);
    if (lt_generate_box(&box, half, counts, NULL, NULL) != LT_OK) return false;
    bool ok = append_surface(whole, &box, 1.0f, lt_v3_add(lo, half), false);
    lt_surface_free(&box);
    return ok;
}

/* Two fingers of 0.5 x 3 x 0.5, `gap` apart, that stand in a palm from y = -0.5 to 0.2. */
static inline bool make_fingers(lt_surface *out, float gap) {
    *out = (lt_surface){0};
    float g = 0.5f * gap;
    return append_box(out, (lt_vec3){-g - 0.5f, 0, -0.25f}, (lt_vec3){-g, 3, 0.25f}, 6) &&
           append_box(out, (lt_vec3){g, 0, -0.25f}, (lt_vec3){g + 0.5f, 3, 0.25f}, 6) &&
           append_box(out, (lt_vec3){-0.75f, -0.5f, -0.3f}, (lt_vec3){0.75f, 0.2f, 0.3f}, 2);
}

/* A square of side 2 in y = height * (1 - x^2), one triangle thick, open all around. */
static inline bool make_sheet(lt_surface *out, uint32_t cells, float height) {
    uint32_t side = cells + 1;
    if (lt_surface_allocate(out, side * side, 2 * cells * cells, NULL, NULL) != LT_OK) return false;
    for (uint32_t i = 0; i < side * side; i++) {
        float x = 2.0f * (float)(i % side) / (float)cells - 1.0f;
        out->positions[i] =
            (lt_vec3){x, height * (1.0f - x * x), 2.0f * (float)(i / side) / (float)cells - 1.0f};
    }
    for (uint32_t i = 0; i < cells * cells; i++) {
        uint32_t a = i / cells * side + i % cells,
                 corners[6] = {a, a + side, a + 1, a + 1, a + side, a + side + 1};
        memcpy(out->triangles + 6 * (size_t)i, corners, sizeof(corners));
    }
    return true;
}

#endif
