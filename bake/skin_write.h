/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Hangs a surface on the tets or cells of a carrier: the chunks of a skin, written once. embed/ reads them. */

#ifndef LITHE_BAKE_SKIN_WRITE_H
#define LITHE_BAKE_SKIN_WRITE_H

#include "bake/shape_builder.h"
#include "embed/embed.h"

typedef struct lt_skin_build {
    /* Input */
    const lt_surface *surface;
    const lt_tet_mesh *mesh;
    const uint32_t
        *tets; /* [vertex_count] the tet each vertex belongs to, or LT_NONE; NULL: they are looked for */
    bool rigid_links;
    uint32_t distance_cells;
    const lt_allocator *allocator;
    /* Output */
    uint32_t outside_count;  /* points outside every tet */
    double farthest_outside; /* m, from the tet it hangs on, of the worst of them */
} lt_skin_build;

lt_status lt_skin_write(lt_shape_builder *builder, lt_skin_build *build, lt_error *error);

/* The same for a lattice whose cells the surface was cut at: every vertex and triangle lies in its cell. */
typedef struct lt_cell_skin_build {
    const lt_surface *surface;
    const lt_cell_mesh *mesh;
    const uint32_t *vertex_cells;     /* [vertex_count] */
    const uint32_t *triangle_cells;   /* [triangle_count] */
    const uint32_t *triangle_parents; /* [triangle_count] ascending */
    const float *boxes;               /* [cell_count][6] */
    const uint8_t *masks;             /* [cell_count] */
    const lt_surface *whole; /* before it was cut: distances are the same and sooner found; NULL: `surface` */
    uint32_t distance_cells;
    const lt_allocator *allocator;
} lt_cell_skin_build;

lt_status lt_skin_write_cells(lt_shape_builder *builder, const lt_cell_skin_build *build, lt_error *error);

/* ---- what both have in common ---- */

/* Points, triangles, the triangles around every point, and areas. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_skin_add_surface(lt_shape_builder *builder, const lt_surface *surface,
                              const lt_allocator *allocator, lt_error *error);
/* How deep a rest point lies, on a grid of `cells` along the longest side. */
lt_status lt_skin_add_distance(lt_shape_builder *builder, const lt_surface *surface, uint32_t cells,
                               const lt_allocator *allocator, lt_error *error);

/* Of some tets (`among` [count]; NULL: the first `count`) the one in which the least weight of p is greatest: that which holds
 * it, or comes nearest to holding it. A least weight of `enough` ends the search: 0 takes the first tet that holds it, 1 looks
 * at all. LT_NONE, and weights as they were, when all of them are flat. */
uint32_t lt_holding_tet(double weights[4], const lt_tet_mesh *mesh, const uint32_t *among, uint32_t count,
                        double enough, lt_dvec3 p);

#endif
