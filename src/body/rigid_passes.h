/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Passes over the nodes of a body that its motion asks for, by SIMD level (rigid_motion_kernel.c). Sums are in double, node by node in
 * the order of rows, each component in a lane of its own. */

#ifndef LITHE_BODY_RIGID_PASSES_H
#define LITHE_BODY_RIGID_PASSES_H

#include "body/rigid_block.h"
#include "core/simd.h"

/* The nodes of a body as a pass sees them. */
typedef struct lt_node_pass {
    uint32_t count;        /* of rows */
    const uint32_t *nodes; /* [count]; NULL: rows are nodes */
    const lt_real *mass;   /* by node, as all that follows: vectors of four numbers */
    lt_real *x, *v;
    const lt_real *force;
    lt_real *rows;   /* [count] velocities of the stages */
    lt_rvec3 center; /* offsets are from here */
} lt_node_pass;

/* Of places and velocities as they are, about the centre. */
typedef struct lt_node_sums {
    double mass, first[3], second[6]; /* of m, m r, and m times xx, yy, zz, xy, xz, yz */
    double linear[3], angular[3];     /* of m v */
} lt_node_sums;

/* A linear function of a node's offset, by columns; the last one is what it is at the centre. */
typedef struct lt_plain_map {
    lt_real columns[4][3];
} lt_plain_map;

/* What the end of a step makes of velocities, by where nodes were. */
typedef struct lt_carry_maps {
    lt_plain_map rigid; /* what of the velocity is no deformation */
    lt_plain_map turn;  /* by the deformation velocity: what turns it along */
    lt_plain_map bent;  /* displacement that an exact rotation has and a linear one lacks */
} lt_carry_maps;

/* Whether numbers are sane: the largest step of a coordinate, the largest coordinate or velocity. */
typedef struct lt_motion_check {
    lt_real worst, largest;
    lt_real poison; /* 0 while all is finite */
} lt_motion_check;

typedef struct lt_motion_kernels {
    void (*sum)(const lt_node_pass *pass, lt_node_sums *out);
    void (*sum_forces)(const lt_node_pass *pass, double out[LT_RIGID]);
    /* Momentum of the rows' velocities less `rigid`, about the offsets that `arm` makes of offsets. */
    void (*sum_added)(const lt_node_pass *pass, const lt_plain_map *rigid, const lt_plain_map *arm,
                      double out[LT_RIGID]);
    double (*kinetic)(const lt_node_pass *pass);
    double (*power)(const lt_node_pass *pass);    /* of forces, at the rows' velocities */
    lt_real (*fastest)(const lt_node_pass *pass); /* |v| of the fastest node */
    /* Into the rows; added to them. */
    void (*set_rows)(const lt_node_pass *pass, const lt_plain_map *map);
    void (*add_to_rows)(const lt_node_pass *pass, const lt_plain_map *map);
    /* Into the rows: v less what the map makes of the place. */
    void (*set_rows_apart)(const lt_node_pass *pass, const lt_plain_map *map);
    /* x and v at the end of the step: of v the deformation alone. */
    void (*carry)(const lt_node_pass *pass, const lt_carry_maps *maps, lt_real dt);
    /* v += the rigid motion, in double. */
    void (*give)(const lt_node_pass *pass, const double motion[LT_RIGID]);
    /* Adds `count` nodes, whose vectors these are. */
    void (*check)(lt_motion_check *check, const lt_real *x, const lt_real *before, const lt_real *v,
                  uint32_t count);
} lt_motion_kernels;

const lt_motion_kernels *lt_motion_kernels_for(lt_simd_level level);

#endif
