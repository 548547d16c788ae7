/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Along a direction as far as φ goes down. The bodies' part of φ is a parabola along it; couplings are looked at anew wherever the
 * search stops, since what pushes and what slides is no set that could be wrong for a whole solve. Of friction the bound is that of
 * the last residual.
 *
 * Workload: two to four looks at all couplings of an island per iteration, the hot loops of heaps. */

#include "body/implicit.h"

static const double SLOPE_LEFT = 0.05; /* of the slope at its begin ends a search */

/* ---- couplings ---- */

void lt_implicit_look(const lt_implicit *s) {
    s->couplings->look(s->island->set, lt_implicit_vector(s, LT_VECTOR_VELOCITY));
}

/* RESIDUAL = BASE + Σ Jᵀ λ, nothing of pinned nodes. */
void lt_implicit_residual(const lt_implicit *s) {
    lt_real *r = lt_implicit_vector(s, LT_VECTOR_RESIDUAL);
    memcpy(r, lt_implicit_vector(s, LT_VECTOR_BASE), lt_implicit_bytes(s));
    s->couplings->answer(s->island->set, r);
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (!lt_is_implicit(member) || member->soft->pin_count == 0) continue;
        for (uint32_t row = 0; row < member->row_count; row++)
            if (member->soft->pinned[lt_row_node(member->nodes, row)])
                lt_node_set(lt_member_rows(r, member), row, (lt_rvec3){0, 0, 0});
    }
}

/* ---- as far as φ goes down ---- */

typedef struct line {
    double slope, curvature; /* of the bodies, along the direction */
} line;

static double slope_at(const lt_implicit *s, line way, double t) {
    return way.slope + t * way.curvature + s->couplings->slope(s->island->set, (lt_real)t);
}

/* The slope where the search begins, and the curvature of all that pushes there. Changes of u are found on the way. */
static line begin_line(const lt_implicit *s, line way) {
    double slope, curvature;
    s->couplings->begin_line(s->island->set, lt_implicit_vector(s, LT_VECTOR_DIRECTION), &slope, &curvature);
    return (line){way.slope + slope, way.curvature + curvature};
}

/* Where the slope is nothing, or nearly: it rises with t, in pieces. */
static double find_least(const lt_implicit *s, line way, double most, double *slope_before, uint32_t *looks) {
    line begin = begin_line(s, way);
    *slope_before = begin.slope;
    double low = 0, low_slope = begin.slope, enough = SLOPE_LEFT * -low_slope;
    if (!(low_slope < 0) || !(begin.curvature > 0)) return 0;
    double t = lt_min_d(most, -low_slope / begin.curvature), high = LT_NO_LIMIT, high_slope = 0;
    for (int look = 0; look < LT_SEARCH_LOOKS; look++) {
        double slope = slope_at(s, way, t);
        ++*looks;
        if ((slope < 0 ? -slope : slope) <= enough || (slope < 0 && t >= most)) return t;
        if (slope < 0) {
            low = t;
            low_slope = slope;
        } else {
            high = t;
            high_slope = slope;
        }
        if (high >= LT_NO_LIMIT)
            t = lt_min_d(most, 2 * t);
        else {
            double share = low_slope / (low_slope - high_slope);
            t = low + lt_max_d(0.1, lt_min_d(0.9, share)) * (high - low);
        }
    }
    return low > 0 ? low : t;
}

/* Goes along DIRECTION, A times which is in PRODUCT: VELOCITY, BASE and u follow. Returns by how much φ fell, as of a parabola. */
double lt_implicit_search(const lt_implicit *s, double most, uint32_t *looks) {
    const lt_island *island = s->island;
    lt_real *p = lt_implicit_vector(s, LT_VECTOR_DIRECTION), *q = lt_implicit_vector(s, LT_VECTOR_PRODUCT);
    line way = {-(double)s->kernels->dot(p, lt_implicit_vector(s, LT_VECTOR_BASE), island->row_count),
                (double)s->kernels->dot(p, q, island->row_count)};
    double slope = 0;
    lt_real t = (lt_real)find_least(s, way, most, &slope, looks);
    s->kernels->advance(lt_implicit_vector(s, LT_VECTOR_VELOCITY), lt_implicit_vector(s, LT_VECTOR_BASE), p,
                        q, t, island->row_count);
    s->couplings->advance(island->set, t);
    return -slope * (double)t / 2;
}
