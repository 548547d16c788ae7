/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the marking of tets: planes between two of them. */

#ifndef LITHE_DETECT_SELF_INTERNAL_H
#define LITHE_DETECT_SELF_INTERNAL_H

#include "detect/self.h"

/* ---- how things move ---- */

static inline lt_dvec3 lt_self_node_at(const float *nodes, uint32_t node) {
    const float *x = nodes + 4 * (size_t)node;
    return (lt_dvec3){(double)x[0], (double)x[1], (double)x[2]};
}
/* What lies in tets is found with rounding. Where tets touch they must part by more at their farther corners,
 * or they could as well overlap. */
static inline double lt_self_rounding(const lt_self *s) {
    return 4 * (double)s->slack;
}
static inline double lt_self_gap(const lt_self *s) {
    return (double)s->separation + lt_self_rounding(s);
}
static inline bool lt_self_has_bit(const uint64_t *row, uint32_t i) {
    return row[i / 64] >> (i % 64) & 1;
}
/* The least that gradients between two stretch any direction; 0: not known. `sign` is that of the volume; 0: it is not kept. */
double lt_self_stretch(const lt_dmat3 f[2], int8_t *sign);
/* ---- groups (self_groups.c) ---- */

/* The phase LT_SELF_GROUPS: the next piece, one or two for each. */
uint32_t lt_self_group_cost(const lt_self *s);
void lt_self_measure_group(lt_self *s);
/* LT_SELF_OPENED: what is to be looked at tet by tet; the next portion of the groups. */
uint32_t lt_self_open_cost(const lt_self *s);
void lt_self_open_groups(lt_self *s);
/* The same where there are no groups: everything. */
void lt_self_open_all(lt_self *s);
void lt_self_groups_free(lt_self_tets *tets);

/* ---- hulls ---- */

/* The point of the hull of `points` (at most 16) that is nearest to the origin, nearly. False: the origin is
 * in the hull, or too near to tell. `margin` is what all points have along it; it is at least `quality` (0 to
 * 1) of the best that any direction gives, unless the number of steps is against it. */
enum { LT_HULL_POINTS = 16 };
typedef struct lt_hull_effort {
    double quality;
    double least; /* gaps smaller than this share of the largest distance need not be told from none */
    uint32_t step_limit;
    bool
        in_turn; /* of two tets that share nothing: a point of each goes down in turn, at half the price of a step; where edges are
                     nearly parallel it gets on slowly */
} lt_hull_effort;
/* Of tets at rest, once; and in a step: the second only where the first finds a plane that does not last. */
#define LT_EFFORT_AT_REST ((lt_hull_effort){0.95, 1e-8, 200, false})
#define LT_EFFORT_FIRST   ((lt_hull_effort){0.3, 1e-2, 12, true})
#define LT_EFFORT_SECOND  ((lt_hull_effort){0.9, 3e-3, 64, false})
typedef struct lt_hull_gap {
    lt_dvec3 direction; /* unit */
    double margin;
    double weights
        [LT_HULL_POINTS]; /* of the nearest point; of two tets that share nothing: of the corners of both */
} lt_hull_gap;
bool lt_hull_gap_find(lt_hull_gap *out, const lt_dvec3 *points, uint32_t count, lt_hull_effort effort);

/* Two tets, and which of their corners they share. */
typedef struct lt_tet_pair {
    lt_dvec3 a[2][4], b[2][4]; /* corners at both ends; shared ones first, in the same order */
    uint32_t shared_count;     /* 0 to 2 */
} lt_tet_pair;
/* Brings shared corners to the front of both; returns how many there are. */
uint32_t lt_tet_pair_order(const uint32_t *a, const uint32_t *b, uint32_t order_a[4], uint32_t order_b[4]);

/* How far apart they are at an end, but for what they share: a direction with the first above the second. The
 * margin is m (self.h) where they share something, else the distance. */
bool lt_tet_pair_gap(lt_hull_gap *out, const lt_dvec3 a[4], const lt_dvec3 b[4], uint32_t shared_count,
                     lt_hull_effort effort);

/* The same question, answered with the direction at rest (lt_near_pair) carried along by both: a quick
 * yes. */
bool lt_tet_pair_is_still_apart(const lt_tet_pair *pair, const lt_tet_motion *a, const lt_tet_motion *b,
                                lt_vec3 direction, double separation);

/* Whether a plane keeps them apart at all times: all corners that are not shared, by more than
 * `separation`. */
bool lt_tet_pair_stays_apart(const lt_tet_pair *pair, const lt_tet_motion *a, const lt_tet_motion *b,
                             double separation);

#endif
