/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Until when is the origin off the plane of the polygon?
 *
 * One direction proves little where the polygon turns as fast as it comes: every corner has to stay above, and the
 * fastest one decides. The polygon's own plane turns with it. With u, v the edges at the corner c, and n = u × v,
 *
 *   c·n = distance to the plane × |n|
 *
 * is a cubic over time, kept by its Bernstein coefficients. So is a bound of separation·|n| from above: a length is convex,
 * hence the quadratic whose coefficients are the lengths of those of n is never below it, and the nearer the shorter the
 * time it is made for. The difference of the two lies in the hull of its control points and is positive until that comes
 * down: it is looked at through a window of time, which moves on to there and narrows round the root that shows.
 *
 * After Sederberg and Nishita, "Curve intersection using Bézier clipping", 1990. */

#include "detect/ccd_internal.h"

enum { CLIP_LIMIT = 16 };

/* Of the window, at once; and of time. */
#define NARROWEST     (1.0 / 64)
#define SHORTEST_STEP 1e-12

static lt_dvec3 edge_of(const lt_dvec3 *corners, int k) {
    return lt_d3_sub(corners[k], corners[0]);
}

void lt_ccd_plane_make(lt_ccd_plane *out, const lt_ccd_polygon *polygon, double separation) {
    const lt_dvec3 *s = polygon->start, *e = polygon->end;
    const int last = polygon->corner_count - 1;
    lt_dvec3 u0 = edge_of(s, 1), v0 = edge_of(s, last), u1 = edge_of(e, 1), v1 = edge_of(e, last);
    lt_dvec3 *n = out->normals;
    n[0] = lt_d3_cross(u0, v0);
    n[1] = lt_d3_scale(lt_d3_add(lt_d3_cross(u0, v1), lt_d3_cross(u1, v0)), 0.5);
    n[2] = lt_d3_cross(u1, v1);
    out->distances[0] = lt_d3_dot(s[0], n[0]);
    out->distances[1] = (lt_d3_dot(e[0], n[0]) + 2 * lt_d3_dot(s[0], n[1])) / 3;
    out->distances[2] = (lt_d3_dot(s[0], n[2]) + 2 * lt_d3_dot(e[0], n[1])) / 3;
    out->distances[3] = lt_d3_dot(e[0], n[2]);
    out->separation = separation;
    /* Coefficients are below 24 reach³ and right to 300 u reach³; each of the two cuts adds 450, rounded times 150. What
     * is needed is right to 1000 u separation reach². */
    double reach = polygon->reach;
    out->slack = 4096 * LT_CCD_ROUNDING * reach * reach * (reach + separation) + 1e-290;
}

/* ---- the window ---- */

/* Coefficients b[0 … degree] become those of the part from `begin` to `begin + width`; they are of [0, 1]. */
static void cut(double *b, int degree, double begin, double width) {
    for (int last = degree; last > 0; last--)
        for (int i = 0; i < last; i++)
            b[i] += begin * (b[i + 1] - b[i]);
    double end = begin + width >= 1 ? 1 : width / (1 - begin);
    for (int first = 1; first <= degree; first++)
        for (int i = degree; i >= first; i--)
            b[i] = b[i - 1] + end * (b[i] - b[i - 1]);
}

/* Of a cubic that is never below separation·|n| in the window. */
static void find_needs(double needs[4], const lt_ccd_plane *plane, double begin, double width) {
    const lt_dvec3 *n = plane->normals;
    double x[3] = {n[0].x, n[1].x, n[2].x}, y[3] = {n[0].y, n[1].y, n[2].y}, z[3] = {n[0].z, n[1].z, n[2].z};
    cut(x, 2, begin, width);
    cut(y, 2, begin, width);
    cut(z, 2, begin, width);
    double lengths[3];
    for (int i = 0; i < 3; i++)
        lengths[i] = plane->separation * lt_d3_length((lt_dvec3){x[i], y[i], z[i]});
    needs[0] = lengths[0];
    needs[1] = (lengths[0] + 2 * lengths[1]) / 3;
    needs[2] = (2 * lengths[1] + lengths[2]) / 3;
    needs[3] = lengths[2];
}

/* How far off the plane is beyond what is needed, in the window, on the side where it is when it begins. */
static void find_surplus(double b[4], lt_ccd_plane *plane, double begin, double width) {
    double needs[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++)
        b[i] = plane->distances[i];
    cut(b, 3, begin, width);
    if (plane->separation > 0) find_needs(needs, plane, begin, width);
    plane->side = b[0] > 0 ? 1 : -1;
    for (int i = 0; i < 4; i++)
        b[i] = plane->side * b[i] - needs[i];
}

/* Where the hull of the control points comes down to `level`, as a part of the window; 2: nowhere. */
static double hull_down(const double b[4], double level) {
    double down = 2;
    for (int i = 0; i < 3; i++) {
        if (!(b[i] > level)) continue;
        for (int j = i + 1; j < 4; j++)
            if (!(b[j] > level)) down = lt_min_d(down, (i + (j - i) * ((b[i] - level) / (b[i] - b[j]))) / 3);
    }
    return down * (1 - 16 * LT_CCD_ROUNDING);
}

/* The part of the window to look at next: twice what Newton's step leaves beyond `down`. */
static double narrower(const double b[4], double down) {
    double slope = 3 * (b[0] - b[1]);
    double beyond = slope > 0 ? 2 * (b[0] / slope - down) : 1;
    return beyond < NARROWEST ? NARROWEST : beyond < 1 ? beyond : 1;
}

double lt_ccd_off_plane_until(lt_ccd_plane *plane, double time) {
    LT_ASSERT(time >= 0 && time <= 1);
    double width = 1 - time;
    for (int clip = 0; clip < CLIP_LIMIT; clip++) {
        double b[4];
        find_surplus(b, plane, time, width);
        if (!(b[0] > plane->slack)) return time;
        double down = hull_down(b, plane->slack);
        if (down > 1) {
            time += width;
            if (time >= 1) return 2;
            width = lt_min_d(2 * width, 1 - time);
            continue;
        }
        double step = down * width;
        time += step;
        if (!(step > SHORTEST_STEP)) break;
        width = lt_min_d(width * narrower(b, down), 1 - time);
    }
    return time;
}
