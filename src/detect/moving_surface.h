/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A dense surface on few tets: the multiscale tree of a shape with all that is derived from it once, and of a body its boxes and
 * marks between two positions of its nodes. Of the method multiscale, and of collision only.
 *
 *   lt_surface_parts    of a shape: what is found once for all of its bodies
 *   lt_moving_surface   of a body */

#ifndef LITHE_DETECT_MOVING_SURFACE_H
#define LITHE_DETECT_MOVING_SURFACE_H

#include "detect/detect.h"
#include "detect/query.h"

/* ---- of a shape ---- */

/* What a shape that has no tree is refused with, behind its name. */
#define LT_HAS_NO_TREE "has no multiscale tree; bake it with one (lithe bake --tree, or lt_bake_tree)"

typedef struct lt_surface_parts_def {
    bool with_itself; /* some body may be searched for contacts with itself */
    bool holds;       /* places on it may be held by a tet */
} lt_surface_parts_def;

typedef struct lt_surface_parts {
    lt_multiscale_tree tree;
    lt_feature_owners owners;
    lt_self_tets tets;    /* tets.tree NULL: never with itself */
    uint32_t *point_tets; /* [tree.point_count] the tet on whose corners a point hangs; NULL: no holds */
    lt_allocator allocator;
} lt_surface_parts;

/* Carrier and skin are those of the shape; of a ladder all of it, or its finest level where no body is to follow another. It must stay where it is; shape and carrier must outlive it. A shape without a tree is
 * refused with what to do. On failure *out is zeroed. */
lt_status lt_surface_parts_create(lt_surface_parts *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, const lt_surface_parts_def *def,
                                  const lt_allocator *allocator, lt_error *error);
void lt_surface_parts_free(lt_surface_parts *parts);

/* Where the surface can be, as far as nodes within a box can tell. */
lt_box lt_surface_parts_box(const lt_surface_parts *parts, lt_box box_of_nodes);

/* ---- of a body ---- */

typedef struct lt_moving_surface_def {
    bool with_itself; /* false: it is never searched for contacts with itself, and needs less memory */
    lt_self_def marks;
    lt_simd_level level;
} lt_moving_surface_def;

/* Marks of a mode. As the paper has it: one mark, neighbours never marked. */
static inline lt_self_def lt_self_def_of_mode(lt_mode mode) {
    const lt_self_def paper = {.lemma = LT_SELF_PAPER, .mask_bits = 1};
    return mode == LT_MODE_PAPER ? paper : lt_self_def_default();
}

/* How far it is prepared to be searched. */
typedef enum lt_surface_stage {
    LT_SURFACE_BEGUN,
    LT_SURFACE_FITTED,  /* boxes are: it may be searched for contacts with others */
    LT_SURFACE_CLEARED, /* marks are being set */
    LT_SURFACE_MARKED   /* it may be searched for contacts with itself */
} lt_surface_stage;

typedef struct lt_moving_surface {
    const lt_surface_parts *parts;
    lt_multiscale boxes;
    lt_self self; /* self.tets NULL: never with itself */
    lt_surface_stage stage;
} lt_moving_surface;

/* Parts and carrier must outlive it; a ladder or its finest level, as the parts. On failure *out is zeroed. */
lt_status lt_moving_surface_create(lt_moving_surface *out, const lt_surface_parts *parts,
                                   const lt_carrier *carrier, const lt_moving_surface_def *def,
                                   const lt_allocator *allocator, lt_error *error);
void lt_moving_surface_free(lt_moving_surface *surface);

/* Whose front decides, from the next begin on, from which levels of a ladder boxes are fitted; see lt_multiscale_follow. */
static inline void lt_moving_surface_follow(lt_moving_surface *surface, const lt_soft *soft) {
    lt_multiscale_follow(&surface->boxes, soft);
}
/* Nodes are [node_count][4], all within the box, and read as long as anything of this motion is searched; `to` NULL: they stand
 * still. */
static inline void lt_moving_surface_begin(lt_moving_surface *surface, const float *from, const float *to,
                                           lt_box box_of_nodes) {
    lt_multiscale_begin(&surface->boxes, from, to, box_of_nodes);
    surface->stage = LT_SURFACE_BEGUN;
}
/* Marks are to be set anew: for another separation. */
static inline void lt_moving_surface_forget_marks(lt_moving_surface *surface) {
    if (surface->stage > LT_SURFACE_FITTED) surface->stage = LT_SURFACE_FITTED;
}
/* The next piece towards FITTED or MARKED: boxes (LT_WORK_BOUND) or marks (LT_WORK_HASH); cost 0: it is there. */
lt_piece lt_moving_surface_peek(const lt_moving_surface *surface, lt_surface_stage wanted);
/* Pieces while they fit into `grant`, of one stage; returns their cost. Marks are for a separation (m). */
uint32_t lt_moving_surface_step(lt_moving_surface *surface, float separation, uint32_t grant);

/* Sets whom a query is about; b the same: with itself. It begins at the roots. */
void lt_moving_surface_query(lt_query *query, lt_moving_surface *a, lt_moving_surface *b);

/* ---- places on the surface: parts with holds ---- */

/* Holds a point of the tree by its tet. */
lt_attachment lt_surface_hold_point(const lt_moving_surface *surface, uint32_t point);
/* Holds a side of a meeting: a vertex as above, else by the tet of the triangle; where that spans several, by that of the point
 * that weighs most, as the nodes of the collider are now; false: that is flat. */
bool lt_surface_hold_side(lt_attachment *out, const lt_collider *collider, const lt_meeting_side *side);

#endif
