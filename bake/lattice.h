/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The body-centred-cubic lattice of tets: the corners and the centres of equal cubes, and around every face
 * between two cubes four tets, each of the two centres and one edge of the face. Twelve tets a cube, all alike
 * up to a turn, with dihedrals of 60 and 90 degrees.
 *
 * In the frame of a cube's centre, with coordinates in cubes, a point belongs to the tet named by its largest
 * coordinate (which face) and its second largest (which edge of that face):
 *
 *        tet = 12 cube + 4 axis + edge       the face between `cube` and its neighbour up `axis`;
 *                                            edge: (axis + 1 + edge / 2) % 3, low side or high side
 *
 * so that point location is a comparison of three numbers, and everything that is true of one tet is true of
 * its translates: tables of twelve types serve the whole lattice.
 *
 * The cubes of the rim (index 0 and counts - 1 of each axis) are there so that every tet around the surface
 * has both its cubes. */

#ifndef LITHE_BAKE_LATTICE_H
#define LITHE_BAKE_LATTICE_H

#include "mesh/mesh.h"

enum { LT_LATTICE_TYPES = 12 };

typedef struct lt_lattice {
    lt_dvec3 origin;
    double size;        /* side of a cube */
    uint32_t counts[3]; /* cubes along each axis, the rim included */
    uint32_t cube_count;
} lt_lattice;

/* One of the twelve tets of a cube, corners counter-clockwise: positive volume. */
typedef struct lt_lattice_type {
    uint8_t axis, side_axis; /* the face, and the axis along which its edge lies aside */
    int8_t side;             /* -1: the low edge, +1: the high edge */
    int8_t corners[4][3];    /* in half cubes from the cube's low corner: odd are centres, even are corners */
    uint8_t neighbour_types[4];   /* across the face opposite each corner */
    int8_t neighbour_cubes[4][3]; /* where that tet's cube is from this one's */
} lt_lattice_type;

/* The twelve types, with their neighbours. */
void lt_lattice_types(lt_lattice_type types[LT_LATTICE_TYPES]);

/* A lattice of cubes of the given side around a box. False when it would have more than 2^21 cubes. */
bool lt_lattice_place(lt_lattice *out, lt_box box, double size);

static inline uint32_t lt_lattice_cube(const lt_lattice *l, uint32_t x, uint32_t y, uint32_t z) {
    return x + l->counts[0] * (y + l->counts[1] * z);
}
static inline void lt_lattice_cube_place(const lt_lattice *l, uint32_t cube, uint32_t place[3]) {
    place[0] = cube % l->counts[0];
    place[1] = cube / l->counts[0] % l->counts[1];
    place[2] = cube / l->counts[0] / l->counts[1];
}
/* Corners first, then centres. */
uint32_t lt_lattice_node(const lt_lattice *l, const uint32_t cube[3], const int8_t half_cubes[3]);
lt_dvec3 lt_lattice_position(const lt_lattice *l, const uint32_t cube[3], const int8_t half_cubes[3]);
void lt_lattice_tet_positions(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES],
                              uint32_t tet, lt_dvec3 positions[4]);

/* The tet that holds a point well inside the lattice. `slack` gets how far, in cubes, it is from the nearest
 * plane between tets; at 0 the point may belong to a neighbour just as well. */
uint32_t lt_lattice_locate(const lt_lattice *l, lt_dvec3 point, double *slack);

/* Called with a tet that a triangle touches; false ends the walk, and the walk then returns false. */
typedef bool lt_lattice_visit(void *context, uint32_t triangle, uint32_t tet);
/* Every pair of a triangle and a tet that touch (closed sets, decided exactly), by triangle, then tet. Small
 * triangles within one tet cost three point locations. */
bool lt_lattice_each_touch(const lt_lattice *l, const lt_lattice_type types[LT_LATTICE_TYPES],
                           const lt_surface *surface, lt_lattice_visit *visit, void *context);

#endif
