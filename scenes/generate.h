/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Shapes made from nothing, so that every scene, test and benchmark runs with no file at all.
 *
 *   bake/icosahedral.h      icosphere, tet ball: bakes sample directions by them
 *   generate_simple.c       box, plate, torus, capsule, cylinder
 *   generate_knot.c         torus knot, as surface and as tets
 *   generate_letters.c      A-Z                              \
 *   generate_figures.c      gummy bear, lizard, shoe          } polygonised by implicit.h
 *   generate_teapot.c       Newell's patches, and a solid one /
 *   generate_grass.c        a meadow of blades, as surface and as tets
 *   generate_tets.c         tet block, plate, torus
 *
 * Every surface is closed, two-manifold, oriented outward and free of degenerate triangles, except the
 * teapot as designed, which is open as Newell's is. Every tet mesh is conforming (an inner face belongs to
 * exactly two tets) and positively oriented. y is up. The same arguments give the same bits with every
 * compiler and on every machine.
 *
 * All of them: *out is overwritten, and empty on failure; LT_STATUS_INVALID names the argument that is out
 * of its range; `allocator` and `error` may be NULL. Sizes must be finite and positive. */

#ifndef LITHE_SCENES_GENERATE_H
#define LITHE_SCENES_GENERATE_H

#include "bake/icosahedral.h"

/* ---- simple surfaces, centred on the origin ---- */

/* 4 (ab + bc + ca) triangles for divisions {a, b, c}, each 1 to 4096. */
lt_status lt_generate_box(lt_surface *out, lt_vec3 half_extents, const uint32_t divisions[3],
                          const lt_allocator *allocator, lt_error *error);
/* A box of the given full size, lying flat (size.y is the thickness), one cell thick, with `cells` along
 * the longer side (1 to 4096) and as many along the other as keep the cells nearly square. */
lt_status lt_generate_plate(lt_surface *out, lt_vec3 size, uint32_t cells, const lt_allocator *allocator,
                            lt_error *error);
/* Around the y axis. `segments` (3 to 16384) around the ring, and max(3, segments * minor / major rounded)
 * around the tube. minor < major. */
lt_status lt_generate_torus(lt_surface *out, double major_radius, double minor_radius, uint32_t segments,
                            const lt_allocator *allocator, lt_error *error);
/* Along y. `length` is that of the straight part and may be 0; `segments` (4 to 4096) around. */
lt_status lt_generate_capsule(lt_surface *out, double radius, double length, uint32_t segments,
                              const lt_allocator *allocator, lt_error *error);
/* Along y, with flat caps; `segments` (3 to 4096) around. */
lt_status lt_generate_cylinder(lt_surface *out, double radius, double length, uint32_t segments,
                               const lt_allocator *allocator, lt_error *error);

/* ---- torus knot ---- */

typedef struct lt_torus_knot_params {
    uint32_t p, q; /* turns around the y axis, and turns of the tube around the ring: coprime, 1 to 32 */
    double major_radius, minor_radius; /* of the torus the curve winds on; minor < major */
    double tube_radius;                /* thin enough that the tube does not touch itself: else refused */
    uint32_t triangle_count;           /* wanted; 24 to 2^26 */
} lt_torus_knot_params;

/* The trefoil of 42,254 triangles. */
lt_torus_knot_params lt_torus_knot_params_default(void);
/* A tube of n rings of m vertices has 2nm triangles. Of all m whose cells stay within 1:2 of square, the one
 * that divides the wanted half count and is nearest to square is taken, so that the count is met exactly;
 * when there is none (odd or nearly prime counts) the nearest half count that has one is used: never off by
 * more than m. */
lt_status lt_generate_torus_knot(lt_surface *out, const lt_torus_knot_params *params,
                                 const lt_allocator *allocator, lt_error *error);

/* ---- blended figures ----
 *
 * About `triangle_count` triangles: within 5 % above 2,000. At least as many as it takes to show all parts
 * (400 a letter, 600 the bear, 2,000 the lizard, the shoe and the solid teapots), at most 1,000,000. */

/* The average of the alphabets in Jund et al.'s benchmark. */
#define LT_LETTER_TRIANGLES 2234
/* 'A' to 'Z', strokes of round cross-section, height 1, standing on y = 0, centred in x and z, reading
 * along +x when seen from +z. */
lt_status lt_generate_letter(lt_surface *out, char letter, uint32_t triangle_count,
                             const lt_allocator *allocator, lt_error *error);
/* Height 1, standing on y = 0, facing +z. */
lt_status lt_generate_bear(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                           lt_error *error);
/* A lizard on its hind legs with arms and tail stretched out: height 1, standing on y = 0, facing +z. */
lt_status lt_generate_lizard(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                             lt_error *error);
/* A sneaker of length 1 standing on y = 0, toe towards +x. */
lt_status lt_generate_shoe(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                           lt_error *error);

/* ---- teapot: Newell's size, 3.15 high, bottom at y = 0, spout towards +x ---- */

/* As designed: 32 patches of resolution^2 cells each (2 to 256), without the triangles that collapse at the
 * two poles: 64 r^2 - 8 r. Vertices are shared, yet it is open at the rim, the lid and both ends of spout and
 * handle, and in four pieces that pass through each other: for tests of dirty input. */
lt_status lt_generate_teapot(lt_surface *out, uint32_t resolution, const lt_allocator *allocator,
                             lt_error *error);
/* Filled, closed and in one piece, to about `triangle_count` triangles. */
lt_status lt_generate_teapot_solid(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                                   lt_error *error);
/* The same without its lid, flat on top, so that another one stands on it: 2.515 high, with the tip of the spout 2.67. */
lt_status lt_generate_pot_solid(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                                lt_error *error);

/* ---- grass ---- */

typedef struct lt_grass_params {
    uint32_t blade_count; /* 1 to 2^20 */
    uint32_t segments;    /* along a blade: 1 to 64 */
    double side;          /* of the square, centred on the origin in y = 0, that the roots stand in */
    double height;        /* mean of a blade; each differs by up to 30 % */
    double width;         /* at the root */
    double thickness;     /* of the midrib, at the root */
    bool even;            /* one root in each cell of a square grid, somewhere in its middle; else anywhere */
    uint64_t seed;
} lt_grass_params;

/* 400 blades on a square of side 1. */
lt_grass_params lt_grass_params_default(void);
/* Each blade is its own closed solid of triangular cross-section, tapering and bending to a tip:
 * 6 segments - 2 triangles. Neighbours may cross. */
lt_status lt_generate_grass(lt_surface *out, const lt_grass_params *params, const lt_allocator *allocator,
                            lt_error *error);

/* The same blades filled: 3 segments - 2 tets each, in one mesh, not connected. Rounded to
 * float, the nodes are the vertices of the surface. */
lt_status lt_generate_tet_grass(lt_tet_mesh *out, const lt_grass_params *params,
                                const lt_allocator *allocator, lt_error *error);

/* ---- tet meshes ---- */

typedef enum lt_tet_split {
    LT_TET_SPLIT_SIX, /* Freudenthal: all cells alike, every cell cut along its (+,+,+) diagonal */
    LT_TET_SPLIT_FIVE /* alternating by parity of the cell: fewer, no preferred diagonal */
} lt_tet_split;

/* The box from 0 to `size`, cut into cells[0] * cells[1] * cells[2] bricks (1 to 512 each) of 6 or 5 tets.
 * Node (i, j, k) has index i + (cells[0] + 1) * (j + (cells[1] + 1) * k). */
lt_status lt_generate_tet_block(lt_tet_mesh *out, lt_dvec3 size, const uint32_t cells[3], lt_tet_split split,
                                const lt_allocator *allocator, lt_error *error);
/* A block centred on the origin, lying flat (size.y is the thickness), one cell thick, with `cells` (1 to
 * 512) along the longer side; five tets a cell. */
lt_status lt_generate_tet_plate(lt_tet_mesh *out, lt_dvec3 size, uint32_t cells,
                                const lt_allocator *allocator, lt_error *error);
/* Around the y axis; `segments` (3 to 2048) around the ring, and as many rings of six-sided layers in the
 * tube as keep the tets nearly regular, but at most 64. minor < major. */
lt_status lt_generate_tet_torus(lt_tet_mesh *out, double major_radius, double minor_radius, uint32_t segments,
                                const lt_allocator *allocator, lt_error *error);

/* Tets that follow the tube of a torus knot and leave its holes open: `segments` (3 to 2^20) of 18, between hexagons at equal
 * arc length whose corners are params->tube_radius away from the curve. A tube inside must be thinner: by cos 30° for the
 * sides, and by as much as the curve bulges between two hexagons. Segments so few that they pass through each other are
 * refused. */
lt_status lt_generate_tet_torus_knot(lt_tet_mesh *out, const lt_torus_knot_params *params, uint32_t segments,
                                     const lt_allocator *allocator, lt_error *error);

#endif
