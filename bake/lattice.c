/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Positions come from the same integer expression for every tet that shares a node, so that the tets cover
 * space without gaps even where the coordinates are rounded. */

#include "bake/lattice.h"

#include "mesh/closest.h"
#include "mesh/exact.h"
#include "mesh/mesh.h"

#define CUBE_LIMIT (1u << 21)
/* In cubes: far more than the rounding of a point's place in the lattice, far less than a tet. */
#define SAFE_SLACK 1e-7

static int determinant_of(const int8_t c[4][3]) {
    int e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = c[i + 1][k] - c[0][k];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
           e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void fill_type(lt_lattice_type *type, int index) {
    int axis = index / 4, edge = index % 4, b = (axis + 1 + edge / 2) % 3, c = 3 - axis - b;
    type->axis = (uint8_t)axis;
    type->side_axis = (uint8_t)b;
    type->side = edge % 2 ? 1 : -1;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            type->corners[i][k] = 1;
    type->corners[1][axis] = 3;
    for (int i = 2; i < 4; i++) {
        type->corners[i][axis] = 2;
        type->corners[i][b] = edge % 2 ? 2 : 0;
        type->corners[i][c] = i == 2 ? 0 : 2;
    }
    if (determinant_of(type->corners) < 0) {
        type->corners[2][c] = 2;
        type->corners[3][c] = 0;
    }
}

/* Whether the tet of type `b` in the cube at `place` has all corners of `a` but its corner k. */
static bool shares_face(const lt_lattice_type *a, int k, const lt_lattice_type *b, const int place[3]) {
    for (int i = 0; i < 4; i++) {
        bool found = i == k;
        for (int j = 0; j < 4 && !found; j++) {
            found = true;
            for (int axis = 0; axis < 3; axis++)
                found &= a->corners[i][axis] == b->corners[j][axis] + 2 * place[axis];
        }
        if (!found) return false;
    }
    return true;
}

static void find_neighbour(lt_lattice_type types[LT_LATTICE_TYPES], int t, int k) {
    for (int u = 0; u < LT_LATTICE_TYPES; u++)
        for (int i = 0; i < 27; i++) {
            const int place[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            if ((u == t && i == 13) || !shares_face(&types[t], k, &types[u], place)) continue;
            types[t].neighbour_types[k] = (uint8_t)u;
            for (int axis = 0; axis < 3; axis++)
                types[t].neighbour_cubes[k][axis] = (int8_t)place[axis];
            return;
        }
}

void lt_lattice_types(lt_lattice_type types[LT_LATTICE_TYPES]) {
    for (int t = 0; t < LT_LATTICE_TYPES; t++)
        fill_type(&types[t], t);
    for (int t = 0; t < LT_LATTICE_TYPES; t++)
        for (int k = 0; k < 4; k++)
            find_neighbour(types, t, k);
}

bool lt_lattice_place(lt_lattice *out, lt_box box, double size) {
    *out = (lt_lattice){.size = size};
    lt_dvec3 lo = lt_d3_from_v3(box.lo), extent = lt_d3_sub(lt_d3_from_v3(box.hi), lo);
    double cubes = 1;
    for (int axis = 0; axis < 3; axis++) {
        /* A whole cube beyond the box below and above: a tet around a face of the box reaches into it. */
        double count = floor(lt_d3_get(extent, axis) / size) + 3.0;
        cubes *= count;
        if (!(cubes <= CUBE_LIMIT)) return false;
        out->counts[axis] = (uint32_t)count;
    }
    out->cube_count = (uint32_t)cubes;
    lt_dvec3 middle = lt_d3_mad(lo, extent, 0.5);
    out->origin = lt_d3_mad(middle, lt_d3_make(out->counts[0], out->counts[1], out->counts[2]), -0.5 * size);
    return true;
}

uint32_t lt_lattice_node(const lt_lattice *l, const uint32_t cube[3], const int8_t half_cubes[3]) {
    uint32_t place[3];
    for (int axis = 0; axis < 3; axis++)
        place[axis] = cube[axis] + (uint32_t)(half_cubes[axis] / 2);
    if (half_cubes[0] % 2 == 0)
        return place[0] + (l->counts[0] + 1) * (place[1] + (l->counts[1] + 1) * place[2]);
    uint32_t corner_count = (l->counts[0] + 1) * (l->counts[1] + 1) * (l->counts[2] + 1);
    return corner_count + lt_lattice_cube(l, place[0], place[1], place[2]);
}

lt_dvec3 lt_lattice_position(const lt_lattice *l, const uint32_t cube[3], const int8_t half_cubes[3]) {
    double half = 0.5 * l->size;
    return lt_d3_add(l->origin, lt_d3_make(half * (2 * (int)cube[0] + half_cubes[0]),
                                           half * (2 * (int)cube[1] + half_cubes[1]),
                                           half * (2 * (int)cube[2] + half_cubes[2])));
}

void lt_lattice_tet_positions(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES],
                              uint32_t tet, lt_dvec3 positions[4]) {
    uint32_t cube[3];
    lt_lattice_cube_place(l, tet / LT_LATTICE_TYPES, cube);
    for (int k = 0; k < 4; k++)
        positions[k] = lt_lattice_position(l, cube, types[tet % LT_LATTICE_TYPES].corners[k]);
}

uint32_t lt_lattice_locate(const lt_lattice *l, lt_dvec3 point, double *slack) {
    uint32_t cube[3];
    double d[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        double place = (lt_d3_get(point, axis) - lt_d3_get(l->origin, axis)) / l->size;
        double whole = lt_max_d(1.0, lt_min_d(floor(place), (double)l->counts[axis] - 2.0));
        cube[axis] = (uint32_t)whole;
        d[axis] = place - whole - 0.5;
        size[axis] = fabs(d[axis]);
    }
    int a = size[1] > size[0] ? 1 : 0;
    if (size[2] > size[a]) a = 2;
    int b = (a + 1) % 3, c = (a + 2) % 3, first = 0;
    if (size[c] > size[b]) {
        int swap = b;
        b = c;
        c = swap;
        first = 1;
    }
    *slack = lt_min_d(size[a] - size[b], size[b] - size[c]);
    if (d[a] < 0) cube[a]--;
    return LT_LATTICE_TYPES * lt_lattice_cube(l, cube[0], cube[1], cube[2]) +
           (uint32_t)(4 * a + 2 * first + (d[b] > 0));
}

static uint32_t clamped_cube(const lt_lattice *l, double coordinate, int axis, double margin) {
    double place = floor((coordinate - lt_d3_get(l->origin, axis)) / l->size + margin);
    return (uint32_t)lt_max_d(0.0, lt_min_d(place, (double)l->counts[axis] - 2.0));
}

typedef enum answer { APART, TOUCHING, UNSURE } answer;

/* Whether some direction square to an edge of each has them clearly apart: what is left of the separating axes
 * after the planes. */
static bool edges_separate(const lt_dvec3 t[3], double margin, const lt_dvec3 x[4]) {
    for (int i = 0; i < 18; i++) {
        const uint8_t *e = lt_tet_edge_corners[i / 3];
        lt_dvec3 axis = lt_d3_cross(lt_d3_sub(x[e[1]], x[e[0]]), lt_d3_sub(t[(i + 1) % 3], t[i % 3]));
        double t_lo = lt_d3_dot(axis, t[0]), t_hi = t_lo, x_lo = lt_d3_dot(axis, x[0]), x_hi = x_lo;
        for (int k = 1; k < 4; k++) {
            double x_at = lt_d3_dot(axis, x[k]), t_at = lt_d3_dot(axis, t[k % 3]);
            x_lo = lt_min_d(x_lo, x_at);
            x_hi = lt_max_d(x_hi, x_at);
            t_lo = lt_min_d(t_lo, t_at);
            t_hi = lt_max_d(t_hi, t_at);
        }
        if (t_lo > x_hi + margin || x_lo > t_hi + margin) return true;
    }
    return false;
}

/* In coordinates of the lattice, where the tets are known exactly, with a margin for the rounding of the
 * triangle's: most pairs are apart along a separating axis, or have a corner inside. */
static answer touches_clearly(const lt_dvec3 t[3], lt_dvec3 normal, double margin, const lt_dvec3 x[4]) {
    bool may_be_in[3] = {true, true, true};
    for (int k = 0; k < 4; k++) {
        const uint8_t *f = lt_tet_face_corners[k];
        lt_dvec3 n = lt_d3_cross(lt_d3_sub(x[f[1]], x[f[0]]), lt_d3_sub(x[f[2]], x[f[0]]));
        bool is_apart = true;
        for (int i = 0; i < 3; i++) {
            double side = lt_d3_dot(n, lt_d3_sub(t[i], x[f[0]]));
            is_apart &= side > SAFE_SLACK;
            may_be_in[i] &= side < -SAFE_SLACK;
        }
        if (is_apart) return APART;
    }
    if (may_be_in[0] || may_be_in[1] || may_be_in[2]) return TOUCHING;
    bool above = true, below = true;
    for (int k = 0; k < 4; k++) {
        double side = lt_d3_dot(normal, lt_d3_sub(x[k], t[0]));
        above &= side > margin;
        below &= side < -margin;
    }
    return above || below || edges_separate(t, margin, x) ? APART : UNSURE;
}

/* The triangle in coordinates of the lattice, its normal, and how much rounding there may be along that. */
typedef struct placed_triangle {
    lt_dvec3 corners[3], normal;
    double margin;
} placed_triangle;

static placed_triangle place_triangle(const lt_lattice *l, const lt_dvec3 corners[3]) {
    placed_triangle p;
    for (int k = 0; k < 3; k++)
        p.corners[k] = lt_d3_scale(lt_d3_sub(corners[k], l->origin), 1.0 / l->size);
    lt_dvec3 a = lt_d3_sub(p.corners[1], p.corners[0]), b = lt_d3_sub(p.corners[2], p.corners[0]);
    p.normal = lt_d3_cross(a, b);
    /* An error of e in a corner turns the normal by e (|a| + |b|), which a tet sees from some |a| + |b| away. */
    double reach = 4.0 + lt_d3_length(a) + lt_d3_length(b);
    p.margin = SAFE_SLACK * reach * reach;
    return p;
}

static bool touches(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES], uint32_t tet,
                    const uint32_t cube[3], const lt_dvec3 corners[3], const placed_triangle *placed) {
    lt_dvec3 x[4];
    for (int k = 0; k < 4; k++) {
        const int8_t *c = types[tet % LT_LATTICE_TYPES].corners[k];
        x[k] = lt_d3_make(cube[0] + 0.5 * c[0], cube[1] + 0.5 * c[1], cube[2] + 0.5 * c[2]);
    }
    answer quick = touches_clearly(placed->corners, placed->normal, placed->margin, x);
    if (quick != UNSURE) return quick == TOUCHING;
    lt_lattice_tet_positions(l, types, tet, x);
    return lt_exact_triangle_tet(corners, x);
}

/* All tets of the cubes around the triangle's box: a tet reaches half a cube up from its own. */
static bool visit_near(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES], uint32_t triangle,
                       const lt_dvec3 corners[3], lt_lattice_visit *visit, void *context) {
    lt_dvec3 lo = lt_d3_min(corners[0], lt_d3_min(corners[1], corners[2]));
    lt_dvec3 hi = lt_d3_max(corners[0], lt_d3_max(corners[1], corners[2]));
    placed_triangle placed = place_triangle(l, corners);
    uint32_t first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = clamped_cube(l, lt_d3_get(lo, axis), axis, -0.5 - 1e-6);
        last[axis] = clamped_cube(l, lt_d3_get(hi, axis), axis, 1e-6);
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++)
            for (uint32_t x = first[0]; x <= last[0]; x++)
                for (uint32_t t = 0; t < LT_LATTICE_TYPES; t++) {
                    uint32_t tet = LT_LATTICE_TYPES * lt_lattice_cube(l, x, y, z) + t;
                    const uint32_t cube[3] = {x, y, z};
                    if (touches(l, types, tet, cube, corners, &placed) && !visit(context, triangle, tet))
                        return false;
                }
    return true;
}

bool lt_lattice_each_touch(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES],
                           const lt_surface *surface, lt_lattice_visit *visit, void *context) {
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        lt_dvec3 corners[3];
        uint32_t tets[3];
        double slacks[3];
        lt_triangle_corners(surface, t, corners);
        for (int k = 0; k < 3; k++)
            tets[k] = lt_lattice_locate(l, corners[k], &slacks[k]);
        bool is_within = tets[0] == tets[1] && tets[0] == tets[2] &&
                         lt_min_d(slacks[0], lt_min_d(slacks[1], slacks[2])) > SAFE_SLACK;
        if (is_within ? !visit(context, t, tets[0]) : !visit_near(l, types, t, corners, visit, context))
            return false;
    }
    return true;
}
