/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/color.h"

/* Newton on r^5 = a, 0 < a <= 1, from above: every iterate stays above the root until the last bit. */
static double fifth_root(double a) {
    double root = 1.0;
    for (int i = 0; i < 64; i++) {
        double square = root * root;
        root = 0.8 * root + 0.2 * a / (square * square);
    }
    return root;
}

static double decode(double encoded) {
    if (encoded <= 0.04045) return encoded / 12.92;
    double base = (encoded + 0.055) / 1.055;
    return base * base * fifth_root(base * base);
}

void lt_color_tables_fill(lt_color_tables *tables) {
    for (uint32_t code = 0; code < 256; code++)
        tables->linear_of[code] = (float)decode(code / 255.0);
    uint32_t code = 0;
    double next_at = decode(0.5 / 255.0);
    for (uint32_t step = 0; step <= LT_COLOR_ENCODE_STEPS; step++) {
        while (code < 255 && (double)step / LT_COLOR_ENCODE_STEPS >= next_at) {
            code++;
            next_at = decode((code + 0.5) / 255.0);
        }
        tables->code_of[step] = (uint8_t)code;
    }
}

lt_color lt_palette(uint32_t index) {
    static const lt_color colors[LT_PALETTE_COUNT] = {
        {0x3f, 0x86, 0xc9}, {0xef, 0x86, 0x36}, {0x58, 0xb0, 0x68}, {0xd6, 0x4a, 0x55},
        {0x93, 0x6f, 0xc0}, {0xea, 0xbc, 0x3c}, {0x2f, 0xa4, 0x9c}, {0xe5, 0x8a, 0xb0},
        {0x9c, 0x76, 0x54}, {0x7c, 0x8f, 0xa6}, {0xa8, 0xc6, 0x48}, {0x62, 0xc4, 0xe8},
    };
    return colors[index % LT_PALETTE_COUNT];
}
