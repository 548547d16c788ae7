/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Exact small intersection tests.
 *
 * All sets are closed: touching counts as intersecting. All sets may be degenerate: a triangle may be a
 * segment or a point, a tet may be flat. Answers come from signs of determinants only, never from computed
 * points, and are right for every coordinate that came from a float, and for doubles that are zero or between
 * 1e-75 and 1e+95 in magnitude. Floats are widened to double by the caller.
 *
 * Workload: most pairs are apart or cross clearly. Point-tet costs about 20 ns, segment-triangle 30 ns,
 * triangle-triangle and tet-tet well below 1 us; touching and coplanar cases cost a few times more. */

#ifndef LITHE_MESH_EXACT_H
#define LITHE_MESH_EXACT_H

#include "core/vec.h"

bool lt_exact_point_segment(lt_dvec3 p, const lt_dvec3 s[2]);
bool lt_exact_point_triangle(lt_dvec3 p, const lt_dvec3 t[3]);
/* The tet may have either orientation. */
bool lt_exact_point_tet(lt_dvec3 p, const lt_dvec3 t[4]);
bool lt_exact_segment_segment(const lt_dvec3 a[2], const lt_dvec3 b[2]);
bool lt_exact_segment_triangle(const lt_dvec3 s[2], const lt_dvec3 t[3]);
/* Does the line through two points go through the triangle from one side to the other? One that lies in its plane does not. */
bool lt_exact_line_crosses_triangle(const lt_dvec3 line[2], const lt_dvec3 t[3]);
bool lt_exact_triangle_triangle(const lt_dvec3 a[3], const lt_dvec3 b[3]);
bool lt_exact_triangle_tet(const lt_dvec3 a[3], const lt_dvec3 b[4]);

/* Does the edge go through the triangle, with ties broken by vertex ids (simulation of simplicity)? The
 * answers are those of an arrangement in general position, infinitely near the given one: an edge through a
 * shared edge or vertex of a closed mesh crosses it as often as a slightly moved edge would, and an edge in the
 * triangle's plane is decided too. An id must stand for the same point in every call that is to agree. Equal
 * ids mean the same vertex: an edge does not pierce a triangle at whose vertex it begins, and an edge or
 * triangle that names a vertex twice pierces nothing and is not pierced.
 * `parameter` (NULL allowed) gets the crossing's place along the edge in [0, 1], rounded; 0.5 when the edge
 * lies in the plane. */
bool lt_exact_edge_pierces_triangle(const lt_dvec3 e[2], const uint32_t e_ids[2], const lt_dvec3 t[3],
                                    const uint32_t t_ids[3], double *parameter);
/* Is the point in the tet, with ties broken in the same way? Of tets that fill space exactly one holds it. The id of the
 * point must differ from those of the corners. */
bool lt_exact_point_inside_tet(lt_dvec3 p, uint32_t p_id, const lt_dvec3 t[4], const uint32_t t_ids[4]);

#endif
