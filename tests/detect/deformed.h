/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Motions of a carrier in a step: what self-collision must not miss. Include after check.h. */

#ifndef LITHE_TESTS_DETECT_DEFORMED_H
#define LITHE_TESTS_DETECT_DEFORMED_H

#include "bake/tree_fixture.h"

/* As many as fit into some seconds, times LITHE_ROUNDS where that is set. */
static inline uint32_t rounds_of(uint32_t count) {
    const char *factor = getenv("LITHE_ROUNDS");
    return factor && atoi(factor) > 0 ? count * (uint32_t)atoi(factor) : count;
}

typedef enum motion_kind {
    MOTION_NOISE,  /* every node on its own */
    MOTION_FOLD,   /* the one half over the other */
    MOTION_PINCH,  /* two sides through each other */
    MOTION_INVERT, /* one end by diag(-1, -2, 1): inside out half way, and back */
    MOTION_TWIST,
    MOTION_MIXED, /* a fold that goes on, and noise */
    MOTION_COUNT
} motion_kind;

static inline lt_dvec3 fold_at(lt_dvec3 x, double angle) {
    double d = x.x - 0.5;
    if (d < 0) return x;
    return (lt_dvec3){0.5 + d * cos(angle) - (x.z - 1.05) * sin(angle) * (d > 0), x.y,
                      x.z + d * sin(angle) + (x.z - 1.05) * (cos(angle) - 1)};
}

static inline lt_dvec3 twist_at(lt_dvec3 x, double angle) {
    double a = angle * (x.z - 0.5), c = cos(a), s = sin(a);
    return (lt_dvec3){0.5 + c * (x.x - 0.5) - s * (x.y - 0.5), 0.5 + s * (x.x - 0.5) + c * (x.y - 0.5), x.z};
}

static inline lt_dvec3 pinch_at(lt_dvec3 x, double by) {
    double side = x.y < 0.5 ? 1 : -1, off = lt_max_d(0, 1 - 4 * fabs(x.x - 0.5));
    return (lt_dvec3){x.x, x.y + side * by * off, x.z};
}

/* A place of a block from 0 to 1 at time 0 or 1. */
static inline lt_dvec3 deform(motion_kind kind, lt_dvec3 x, double time, const double p[4]) {
    switch (kind) {
    case MOTION_FOLD: return fold_at(x, (3.1 + 0.7 * p[0]) * (0.7 + 0.3 * time));
    case MOTION_MIXED: return fold_at(x, (3.1 + 0.5 * p[0]) * (0.9 + 0.1 * time));
    case MOTION_PINCH: return pinch_at(x, 0.3 + 0.3 * p[0] + 0.1 * time);
    case MOTION_TWIST: return twist_at(x, 6 * p[0] + 0.3 * time);
    case MOTION_INVERT:
        if (time == 0 || x.z < 0.7) return x;
        return (lt_dvec3){1 - x.x, 1.5 - 2 * x.y, x.z};
    case MOTION_NOISE:
    case MOTION_COUNT: break;
    }
    return x;
}

/* Nodes [node_count][4] at both ends, the whole anywhere within `reach`. */
static inline void deform_nodes(float *from, float *to, const lt_carrier *carrier, motion_kind kind,
                                double reach, lt_random *random) {
    double p[4], noise = 0, jump = 0;
    for (int i = 0; i < 4; i++)
        p[i] = random_d(random, -1, 1);
    if (kind == MOTION_NOISE || kind == MOTION_MIXED || lt_random_below(random, 2))
        noise = kind == MOTION_NOISE ? random_d(random, 0.2, 0.6) : random_d(random, 0, 0.08);
    if (lt_random_below(random, 2)) jump = random_d(random, 0, 0.15);
    affine whole = random_rigid(random, reach);
    for (uint32_t i = 0; i < carrier->node_count; i++) {
        lt_dvec3 x = ((const lt_dvec3 *)carrier->rest)[i], off = random_d3(random, noise);
        for (int end = 0; end < 2; end++) {
            lt_dvec3 y = lt_d3_add(deform(kind, x, end, p), off);
            if (end) y = lt_d3_add(y, random_d3(random, jump));
            y = move_affine(&whole, lt_d3_sub(y, (lt_dvec3){0.5, 0.5, 0.5}));
            const float node[4] = {(float)y.x, (float)y.y, (float)y.z, NAN};
            memcpy((end ? to : from) + 4 * (size_t)i, node, sizeof node);
        }
    }
}

static inline lt_box box_of_motion(const float *from, const float *to, uint32_t node_count) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < node_count; i++) {
        box = lt_box_add_point(box, (lt_vec3){from[4 * i], from[4 * i + 1], from[4 * i + 2]});
        box = lt_box_add_point(box, (lt_vec3){to[4 * i], to[4 * i + 1], to[4 * i + 2]});
    }
    return box;
}

#endif
