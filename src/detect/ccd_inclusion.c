/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Subdivision of (t, u, v): the point (u, v) of the polygon at time t is
 *
 *   F(t, u, v) = c0(t) + u (c1(t) - c0(t)) + v (c2(t) - c0(t)),   0 <= u, v <= 1, and u + v <= 1 for a triangle
 *
 * (of a parallelogram c2 is the last corner). F is affine in each of the three, so over a box of them it stays in the
 * box of its eight values at the corners. Where that is farther from the origin than the separation there is no contact;
 * else the box is halved the way F changes most. A box in which F hardly changes is a hit. Boxes are taken depth first,
 * early times first; after a hit only boxes that begin earlier, by the tolerance at least, matter.
 *
 * Snyder, "Interval analysis for computer graphics", 1992; Wang, Ferguson, Schneider, Jiang, Attene, Panozzo, "A
 * large-scale benchmark and an inclusion-based algorithm for continuous collision detection", 2021. */

#include "detect/ccd_internal.h"

/* Halving a range of doubles between 0 and 1 ends after 1075 times, but F stops changing long before: 60 times each, at
 * most, for the tolerance is not below the rounding. */
enum { STACK_LIMIT = 256 };

typedef struct range {
    double lo, hi;
} range;

/* t, u, v */
typedef struct box {
    range sides[3];
} box;

/* What F does in a box. */
typedef struct image {
    double distance_squared; /* from the origin, at least */
    double width;            /* the largest of its sides */
    int longest;             /* side of the box along which F changes most */
} image;

typedef struct subdivision {
    /* Input */
    double start[3][3], end[3][3]; /* [axis][c0, c1 - c0, c2 - c0] */
    bool is_triangle;
    double separation, slack, tolerance, time_tolerance;
    /* State */
    box stack[STACK_LIMIT];
    int stack_count;
    /* Output */
    double time; /* what begins then or later does not matter; 2: no hit yet */
    uint32_t box_count;
} subdivision;

static void set_axes(double axes[3][3], const lt_dvec3 *corners, int last) {
    lt_dvec3 c0 = corners[0], u = lt_d3_sub(corners[1], c0), v = lt_d3_sub(corners[last], c0);
    for (int axis = 0; axis < 3; axis++) {
        axes[axis][0] = lt_d3_get(c0, axis);
        axes[axis][1] = lt_d3_get(u, axis);
        axes[axis][2] = lt_d3_get(v, axis);
    }
}

/* c + u·s + v·r at one time; adds to the widths along u and v. */
static range range_at(const double start[3], const double end[3], double t, const box *b, double widths[3]) {
    double c = start[0] + t * (end[0] - start[0]);
    range out = {c, c};
    for (int side = 1; side < 3; side++) {
        double slope = start[side] + t * (end[side] - start[side]);
        double at_lo = slope * b->sides[side].lo, at_hi = slope * b->sides[side].hi;
        widths[side] = lt_max_d(widths[side], fabs(at_hi - at_lo));
        out.lo += lt_min_d(at_lo, at_hi);
        out.hi += lt_max_d(at_lo, at_hi);
    }
    return out;
}

static image image_of(const subdivision *s, const box *b) {
    double widths[3] = {0, 0, 0};
    image out = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        range first = range_at(s->start[axis], s->end[axis], b->sides[0].lo, b, widths);
        range last = range_at(s->start[axis], s->end[axis], b->sides[0].hi, b, widths);
        double change = lt_max_d(fabs(last.lo - first.lo), fabs(last.hi - first.hi));
        widths[0] = lt_max_d(widths[0], change);
        double lo = lt_min_d(first.lo, last.lo), hi = lt_max_d(first.hi, last.hi);
        double gap = lt_max_d(lo, -hi) - s->slack;
        if (gap > 0) out.distance_squared += gap * gap;
        out.width = lt_max_d(out.width, hi - lo);
    }
    if (widths[1] > widths[out.longest]) out.longest = 1;
    if (widths[2] > widths[out.longest]) out.longest = 2;
    return out;
}

static bool is_outside(const subdivision *s, const box *b) {
    return b->sides[0].lo >= s->time || (s->is_triangle && b->sides[1].lo + b->sides[2].lo > 1);
}

/* Pushes the halves, the early one on top; false when the side cannot be halved. */
static bool halve(subdivision *s, const box *b, int side) {
    range whole = b->sides[side];
    double middle = 0.5 * (whole.lo + whole.hi);
    if (!(middle > whole.lo && middle < whole.hi) || s->stack_count + 2 > STACK_LIMIT) return false;
    box *late = &s->stack[s->stack_count++], *early = &s->stack[s->stack_count++];
    *late = *early = *b;
    late->sides[side].lo = middle;
    early->sides[side].hi = middle;
    return true;
}

/* Whether all was looked at; if not, the earliest time that is left counts as a hit. */
static bool subdivide(subdivision *s, uint32_t box_limit) {
    double from = s->stack[0].sides[0].lo;
    double apart = s->separation * s->separation * (1 + 16 * LT_CCD_ROUNDING);
    while (s->stack_count > 0 && s->box_count < box_limit) {
        box b = s->stack[--s->stack_count];
        if (is_outside(s, &b)) continue;
        s->box_count++;
        image f = image_of(s, &b);
        if (f.distance_squared > apart) continue;
        if (f.width <= s->tolerance || !halve(s, &b, f.longest))
            s->time = lt_max_d(b.sides[0].lo - s->time_tolerance, from);
    }
    bool all = true;
    for (int i = 0; i < s->stack_count; i++) {
        if (is_outside(s, &s->stack[i])) continue;
        s->time = s->stack[i].sides[0].lo;
        all = false;
    }
    return all;
}

static void finish(lt_ccd_result *out, const subdivision *s, const lt_ccd_polygon *polygon, bool all) {
    if (s->time > 1) {
        lt_ccd_be_apart(out);
    } else {
        lt_ccd_nearest nearest;
        lt_ccd_find_nearest(&nearest, polygon, s->time);
        lt_ccd_be_hit(out, polygon, s->time, &nearest, NULL);
        if (!all) out->outcome = LT_CCD_UNDECIDED;
    }
    out->box_count = s->box_count;
}

bool lt_ccd_inclusion(const lt_ccd_query *query, double separation, const lt_ccd_effort *effort,
                      lt_ccd_result *out) {
    lt_ccd_polygon polygon;
    lt_ccd_polygon_make(&polygon, query);
    if (!(polygon.reach <= LT_CCD_REACH_LIMIT)) return lt_ccd_be_invalid(out);
    subdivision s; /* no initialiser: the stack is large */
    s.is_triangle = query->kind == LT_CCD_VERTEX_FACE;
    set_axes(s.start, polygon.start, polygon.corner_count - 1);
    set_axes(s.end, polygon.end, polygon.corner_count - 1);
    s.separation = separation > 0 ? separation : 0;
    /* Differences right to u reach, slopes below 2 reach, three sums of two: in all less than 50 u reach. */
    s.slack = 64 * LT_CCD_ROUNDING * polygon.reach + 1e-290;
    s.tolerance = lt_max_d(effort->tolerance, s.slack);
    s.time_tolerance = lt_max_d(effort->time_tolerance, 0);
    s.stack[0] = (box){{{effort->from, 1}, {0, 1}, {0, 1}}};
    s.stack_count = 1;
    s.time = 2;
    s.box_count = 0;
    bool all = subdivide(&s, effort->box_limit);
    finish(out, &s, &polygon, all);
    return out->hit;
}
