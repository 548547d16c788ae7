/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A sphere of triangles and a ball of tets, both cut from the icosahedron, with evenly spread vertices. Closed, conforming
 * and positively oriented; the rules of scenes/generate.h for arguments and errors hold here, too. */

#ifndef LITHE_BAKE_ICOSAHEDRAL_H
#define LITHE_BAKE_ICOSAHEDRAL_H

#include "mesh/mesh.h"

/* 20 * 4^subdivisions triangles; subdivisions 0 (the icosahedron) to 10. */
lt_status lt_generate_icosphere(lt_surface *out, double radius, uint32_t subdivisions,
                                const lt_allocator *allocator, lt_error *error);
/* 20 layers^3 tets (layers 1 to 100) in concentric shells; node 0 is the centre. With 2^s layers its
 * boundary has the vertices of the icosphere of s subdivisions. */
lt_status lt_generate_tet_ball(lt_tet_mesh *out, double radius, uint32_t layers,
                               const lt_allocator *allocator, lt_error *error);

#endif
