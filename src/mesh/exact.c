/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Why the tests are complete, from the small to the large:
 *   - Segments meet in a plane or at an endpoint. A strict crossing seen along one axis is a real one when
 *     the four points are coplanar, because that projection is then one to one on their plane.
 *   - A segment that leaves a triangle's plane meets it at one point, where the three signed volumes with the
 *     triangle's edges do not differ in sign. If one volume with the plane is not zero, the triangle cannot
 *     be degenerate: only the coplanar branch has to care.
 *   - If two triangles meet, an end of the common part lies on an edge of one of them.
 *   - If two tets meet, one has a vertex in the other or an edge of one meets a face of the other
 *     (Ganovelli, Ponchio, Rocchini, "Fast Tetrahedron-Tetrahedron Overlap Algorithm", 2002, for the early
 *     outs by face planes).
 *   - A flat tet is the union of its four faces, a flat triangle that of its three edges. */

#include "mesh/exact.h"
#include "mesh/mesh.h"
#include "mesh/predicates.h"

/* Whether boxes around the two sets do not even touch: exact, and the most common answer. */
static bool boxes_apart(const lt_dvec3 *a, int a_count, const lt_dvec3 *b, int b_count) {
    lt_dvec3 a_lo = a[0], a_hi = a[0], b_lo = b[0], b_hi = b[0];
    for (int i = 1; i < a_count; i++) {
        a_lo = lt_d3_min(a_lo, a[i]);
        a_hi = lt_d3_max(a_hi, a[i]);
    }
    for (int i = 1; i < b_count; i++) {
        b_lo = lt_d3_min(b_lo, b[i]);
        b_hi = lt_d3_max(b_hi, b[i]);
    }
    return a_lo.x > b_hi.x || b_lo.x > a_hi.x || a_lo.y > b_hi.y || b_lo.y > a_hi.y || a_lo.z > b_hi.z ||
           b_lo.z > a_hi.z;
}

/* lt_orient2d of the points seen along an axis. */
static int orient_along(int axis, lt_dvec3 a, lt_dvec3 b, lt_dvec3 c) {
    LT_ASSERT(axis >= 0 && axis < 3);
    switch (axis) {
    case 0: return lt_orient2d(a.y, a.z, b.y, b.z, c.y, c.z);
    case 1: return lt_orient2d(a.z, a.x, b.z, b.x, c.z, c.x);
    default: return lt_orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
    }
}

bool lt_exact_point_segment(lt_dvec3 p, const lt_dvec3 s[2]) {
    if (boxes_apart(&p, 1, s, 2)) return false;
    for (int axis = 0; axis < 3; axis++)
        if (orient_along(axis, s[0], s[1], p) != 0) return false;
    return true; /* on the line, and within the box of the segment */
}

static bool point_on_edges(lt_dvec3 p, const lt_dvec3 t[3]) {
    for (int k = 0; k < 3; k++)
        if (lt_exact_point_segment(p, (const lt_dvec3[2]){t[k], t[(k + 1) % 3]})) return true;
    return false;
}

/* For a point that is known to lie in the triangle's plane; any point does when the triangle is flat. */
static bool coplanar_point_triangle(lt_dvec3 p, const lt_dvec3 t[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int turn = orient_along(axis, t[0], t[1], t[2]);
        if (turn == 0) continue;
        for (int k = 0; k < 3; k++)
            if (orient_along(axis, t[k], t[(k + 1) % 3], p) * turn < 0) return false;
        return true;
    }
    return point_on_edges(p, t);
}

bool lt_exact_point_triangle(lt_dvec3 p, const lt_dvec3 t[3]) {
    if (boxes_apart(&p, 1, t, 3)) return false;
    return lt_orient3d(t[0], t[1], t[2], p) == 0 && coplanar_point_triangle(p, t);
}

static bool cross_along(int axis, const lt_dvec3 a[2], const lt_dvec3 b[2]) {
    LT_ASSERT(axis >= 0 && axis < 3);
    return orient_along(axis, a[0], a[1], b[0]) * orient_along(axis, a[0], a[1], b[1]) < 0 &&
           orient_along(axis, b[0], b[1], a[0]) * orient_along(axis, b[0], b[1], a[1]) < 0;
}

bool lt_exact_segment_segment(const lt_dvec3 a[2], const lt_dvec3 b[2]) {
    if (boxes_apart(a, 2, b, 2) || lt_orient3d(a[0], a[1], b[0], b[1]) != 0) return false;
    for (int axis = 0; axis < 3; axis++)
        if (cross_along(axis, a, b)) return true;
    return lt_exact_point_segment(a[0], b) || lt_exact_point_segment(a[1], b) ||
           lt_exact_point_segment(b[0], a) || lt_exact_point_segment(b[1], a);
}

/* For a segment in the triangle's plane, and for a flat triangle. */
static bool coplanar_segment_triangle(const lt_dvec3 s[2], const lt_dvec3 t[3]) {
    if (coplanar_point_triangle(s[0], t) || coplanar_point_triangle(s[1], t)) return true;
    for (int k = 0; k < 3; k++)
        if (lt_exact_segment_segment(s, (const lt_dvec3[2]){t[k], t[(k + 1) % 3]})) return true;
    return false;
}

/* Whether the line passes the three edges on the same side, on which side is its sign; 0: it lies in the plane, or the triangle is
 * flat. */
static bool line_passes_within(const lt_dvec3 s[2], const lt_dvec3 t[3], int *sign) {
    int u = lt_orient3d(s[0], s[1], t[0], t[1]);
    int v = lt_orient3d(s[0], s[1], t[1], t[2]);
    if (u * v < 0) return false;
    int w = lt_orient3d(s[0], s[1], t[2], t[0]);
    *sign = u ? u : v ? v : w;
    return u * w >= 0 && v * w >= 0;
}

/* The sides of the triangle's plane on which the segment's ends lie are known. */
static bool segment_triangle(const lt_dvec3 s[2], int side_0, int side_1, const lt_dvec3 t[3]) {
    int sign;
    if (side_0 * side_1 > 0) return false;
    if (side_0 == 0 && side_1 == 0) return coplanar_segment_triangle(s, t);
    return line_passes_within(s, t, &sign);
}

bool lt_exact_line_crosses_triangle(const lt_dvec3 line[2], const lt_dvec3 t[3]) {
    int sign;
    return line_passes_within(line, t, &sign) && sign != 0;
}

bool lt_exact_segment_triangle(const lt_dvec3 s[2], const lt_dvec3 t[3]) {
    if (boxes_apart(s, 2, t, 3)) return false;
    return segment_triangle(s, lt_orient3d(t[0], t[1], t[2], s[0]), lt_orient3d(t[0], t[1], t[2], s[1]), t);
}

/* Fills the sides of b's corners with respect to a's plane; true when all are strictly on one side. */
static bool plane_separates(const lt_dvec3 a[3], const lt_dvec3 b[3], int sides[3]) {
    for (int k = 0; k < 3; k++)
        sides[k] = lt_orient3d(a[0], a[1], a[2], b[k]);
    return sides[0] != 0 && sides[0] == sides[1] && sides[0] == sides[2];
}

static bool edges_meet_triangle(const lt_dvec3 a[3], const int sides[3], const lt_dvec3 b[3]) {
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (segment_triangle((const lt_dvec3[2]){a[k], a[next]}, sides[k], sides[next], b)) return true;
    }
    return false;
}

bool lt_exact_triangle_triangle(const lt_dvec3 a[3], const lt_dvec3 b[3]) {
    int a_sides[3], b_sides[3];
    if (boxes_apart(a, 3, b, 3) || plane_separates(a, b, b_sides) || plane_separates(b, a, a_sides))
        return false;
    return edges_meet_triangle(a, a_sides, b) || edges_meet_triangle(b, b_sides, a);
}

static void get_face(const lt_dvec3 t[4], int k, lt_dvec3 face[3]) {
    for (int i = 0; i < 3; i++)
        face[i] = t[lt_tet_face_corners[k][i]];
}

/* +1 inside, 0 on, -1 outside the plane of face k of a tet whose orientation is known. */
static int side_of_face(const lt_dvec3 t[4], int orientation, int k, lt_dvec3 p) {
    const uint8_t *f = lt_tet_face_corners[k];
    return -orientation * lt_orient3d(t[f[0]], t[f[1]], t[f[2]], p);
}

static bool point_on_faces(lt_dvec3 p, const lt_dvec3 t[4]) {
    for (int k = 0; k < 4; k++) {
        lt_dvec3 face[3];
        get_face(t, k, face);
        if (lt_exact_point_triangle(p, face)) return true;
    }
    return false;
}

bool lt_exact_point_tet(lt_dvec3 p, const lt_dvec3 t[4]) {
    if (boxes_apart(&p, 1, t, 4)) return false;
    int orientation = lt_orient3d(t[0], t[1], t[2], t[3]);
    if (orientation == 0) return point_on_faces(p, t);
    for (int k = 0; k < 4; k++)
        if (side_of_face(t, orientation, k, p) < 0) return false;
    return true;
}

static bool triangle_meets_faces(const lt_dvec3 a[3], const lt_dvec3 b[4]) {
    for (int k = 0; k < 4; k++) {
        lt_dvec3 face[3];
        get_face(b, k, face);
        if (lt_exact_triangle_triangle(a, face)) return true;
    }
    return false;
}

bool lt_exact_triangle_tet(const lt_dvec3 a[3], const lt_dvec3 b[4]) {
    if (boxes_apart(a, 3, b, 4)) return false;
    /* A triangle that does not touch the faces is wholly inside or wholly outside. */
    return lt_exact_point_tet(a[0], b) || triangle_meets_faces(a, b);
}

static double crossing_parameter(const lt_dvec3 e[2], const lt_dvec3 t[3]) {
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0]));
    double from = lt_d3_dot(normal, lt_d3_sub(e[0], t[0])), to = lt_d3_dot(normal, lt_d3_sub(e[1], t[0]));
    if (from == to) return 0.5;
    double parameter = from / (from - to);
    return lt_max_d(0, lt_min_d(1, parameter));
}

static bool ids_repeat(const uint32_t e[2], const uint32_t t[3]) {
    bool repeats = e[0] == e[1];
    for (int k = 0; k < 3; k++)
        repeats |= e[0] == t[k] || e[1] == t[k] || t[k] == t[(k + 1) % 3];
    return repeats;
}

bool lt_exact_edge_pierces_triangle(const lt_dvec3 e[2], const uint32_t e_ids[2], const lt_dvec3 t[3],
                                    const uint32_t t_ids[3], double *parameter) {
    if (ids_repeat(e_ids, t_ids) || boxes_apart(e, 2, t, 3)) return false;
    int sides[2], turns[3];
    for (int k = 0; k < 2; k++)
        sides[k] = lt_orient3d_perturbed((const lt_dvec3[4]){t[0], t[1], t[2], e[k]},
                                         (const uint32_t[4]){t_ids[0], t_ids[1], t_ids[2], e_ids[k]});
    if (sides[0] == sides[1]) return false;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        turns[k] = lt_orient3d_perturbed((const lt_dvec3[4]){e[0], e[1], t[k], t[next]},
                                         (const uint32_t[4]){e_ids[0], e_ids[1], t_ids[k], t_ids[next]});
        if (turns[k] != turns[0]) return false;
    }
    if (parameter) *parameter = crossing_parameter(e, t);
    return true;
}

bool lt_exact_point_inside_tet(lt_dvec3 p, uint32_t p_id, const lt_dvec3 t[4], const uint32_t t_ids[4]) {
    int turn = lt_orient3d_perturbed(t, t_ids);
    for (int k = 0; k < 4; k++) { /* the point in the place of a corner leaves the orientation as it is */
        lt_dvec3 corners[4] = {t[0], t[1], t[2], t[3]};
        uint32_t ids[4] = {t_ids[0], t_ids[1], t_ids[2], t_ids[3]};
        corners[k] = p;
        ids[k] = p_id;
        if (lt_orient3d_perturbed(corners, ids) != turn) return false;
    }
    return true;
}
