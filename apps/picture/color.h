/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Colours: 8-bit sRGB (IEC 61966-2-1) at the edges, linear light inside, and the palette of bodies.
 *
 * The sRGB curve needs powers; libm's pow differs in its last bit from system to system, so the tables are
 * built from +, -, *, / alone: x^2.4 = x^2 * fifth_root(x^2), the root by Newton's iteration. */

#ifndef LITHE_PICTURE_COLOR_H
#define LITHE_PICTURE_COLOR_H

#include "core/vec.h"

typedef struct lt_color {
    uint8_t r, g, b; /* sRGB */
} lt_color;

#define LT_COLOR_ENCODE_STEPS 4096u

typedef struct lt_color_tables {
    float linear_of[256];                       /* sRGB code -> linear light, 0 to 1 */
    uint8_t code_of[LT_COLOR_ENCODE_STEPS + 1]; /* linear light in steps -> the nearest sRGB code */
} lt_color_tables;

void lt_color_tables_fill(lt_color_tables *tables);

static inline lt_vec3 lt_color_linear(const lt_color_tables *tables, lt_color color) {
    return (lt_vec3){tables->linear_of[color.r], tables->linear_of[color.g], tables->linear_of[color.b]};
}
/* Linear light to a code; below 0 and NaN give 0, above 1 gives 255. The table's step is finer than the
 * steepest part of the curve (3294 codes per unit), so every code is reached. */
static inline uint8_t lt_color_code(const lt_color_tables *tables, float linear) {
    if (!(linear > 0.0f)) return tables->code_of[0];
    if (linear >= 1.0f) return tables->code_of[LT_COLOR_ENCODE_STEPS];
    return tables->code_of[(uint32_t)(linear * (float)LT_COLOR_ENCODE_STEPS + 0.5f)];
}

/* Twelve colours that stay apart beside each other and in print; the index wraps around. */
#define LT_PALETTE_COUNT 12u
lt_color lt_palette(uint32_t index);

#endif
