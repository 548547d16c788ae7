/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the broad phase: what broad.c has tested eight boxes at a time (broad_kernel.c). */

#ifndef LITHE_DETECT_BROAD_INTERNAL_H
#define LITHE_DETECT_BROAD_INTERNAL_H

#include "detect/detect.h"

/* An obstacle as the wide test sees it: a plane, or a box whose edges are rounded by `radius` (spheres and capsules are
 * that, too). */
typedef struct lt_broad_solid {
    bool is_plane;
    lt_vec3 normal; /* of a plane, world */
    lt_vec3 position, axes[3], half_extents;
    float radius;
    float shift, turn; /* m, rad: how far it goes and turns in the step */
} lt_broad_solid;

/* Answers are bits, 64 boxes a word: counting them out where they are found costs a misjudged branch for every eight
 * boxes, which was more than the tests. */
typedef struct lt_broad_kernels {
    /* Which boxes of [begin, end) overlap or touch `box`; the first bit is that of `begin`. */
    void (*overlapping)(uint64_t *out, const lt_box_columns *boxes, uint32_t begin, uint32_t end, lt_box box);
    /* Which of all boxes lt_obstacle_may_touch could say yes to, and few others. */
    void (*near_solid)(uint64_t *out, const lt_box_columns *boxes, const lt_broad_solid *solid);
} lt_broad_kernels;

enum { LT_WORD_BITS = 64 };

static inline uint32_t lt_word_count(uint32_t bits) {
    return (bits + LT_WORD_BITS - 1) / LT_WORD_BITS;
}

const lt_broad_kernels *lt_broad_kernels_for(lt_simd_level level);

#endif
