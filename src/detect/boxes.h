/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of cells against each other (papers/002 §5 and §6; spec 3.3, J8, J10, J11).
 *
 *   lt_box_search   all unordered pairs of boxes whose AABBs overlap, of the pairs of bodies that are given, each once:
 *
 *       pair of bodies ─► bricks of a that meet body b ─► bricks of b that meet the brick ─► block: the boxes of the
 *                         one brick against those of the other
 *
 *                   a row of up to 64 bricks, and a block, are tested at a time, eight wide. Of a body with itself only
 *                   what lies behind is looked at, and neighbours are taken out of a whole block at once
 *   lt_box_touch    what of one box is in the other: the deepest of eight corners and the centre, both ways; where there is
 *                   none and no face stands between the two, their hulls, which may cross like a plus
 *
 * The search is a ring. AABBs are frozen for a step, whatever is moved while it goes on: pairs have an order, the same in
 * every step, and a search that was cut goes on from where it was (lt_box_search_place) in the next one, with the AABBs
 * of then, once around. So no pair waits longer than a full round takes.
 *
 * Units: a row that is tested costs its bricks, rounded up to eights, and 4; a block one for every eight boxes that a box is
 * tested against, two for the box, and 8; a pair that is found 1. */

#ifndef LITHE_DETECT_BOXES_H
#define LITHE_DETECT_BOXES_H

#include "bound/cell_boxes.h"
#include "detect/detect.h"

/* Two bodies, a < b, or one with itself, a == b. */
typedef struct lt_body_pair {
    uint32_t a, b;
} lt_body_pair;

/* Two boxes; of one body a < b. Also a place of the ring: the order is by bodies, then brick of a, brick of b, a, b. */
typedef struct lt_box_pair {
    uint32_t body_a, body_b;
    uint32_t a, b;
} lt_box_pair;

typedef struct lt_box_search_input {
    lt_cell_boxes *const *bodies; /* by index; those of the pairs are fitted */
    const lt_body_pair *pairs;    /* [pair_count] ascending by a, then b */
    uint32_t pair_count;
    lt_simd_level level;
    float margin; /* m: also boxes that are this near to each other along every axis */
    bool one_lap; /* to the end only, not around: what comes before the place was looked at before */
} lt_box_search_input;

enum {
    LT_ROW_BRICKS_A,
    LT_ROW_BRICKS_B,
    LT_ROW_COUNT,
    LT_ROW_UNITS = 4,
    LT_BLOCK_UNITS = 8,
    LT_BOX_PAIR_UNITS = 1,
    LT_BOX_SEARCH_UNITS =
        LT_BLOCK_UNITS + LT_BRICK_BOXES * (2 + LT_BRICK_BOXES / 8) /* the most a piece costs */
};

/* A row of bricks, word by word. */
typedef struct lt_box_row {
    uint64_t bits;      /* of those that overlap and have not been looked at */
    uint32_t first;     /* what the first bit stands for */
    uint32_t next, end; /* not tested yet */
    uint32_t at;        /* looked at now */
} lt_box_row;

/* The boxes of two bricks. */
typedef struct lt_box_block {
    uint32_t a, b;             /* the first boxes */
    uint32_t count_a, count_b; /* of the bricks */
    uint32_t row;              /* of the boxes of a: bits of those before it have been looked at */
    bool tested;
    uint64_t bits[LT_BRICK_BOXES]; /* [count_a] boxes of b that overlap it and have not been looked at */
} lt_box_block;

typedef struct lt_box_search {
    /* Input */
    lt_box_search_input input;
    const struct lt_broad_kernels *kernels;
    const struct lt_box_kernels *block_kernels;
    lt_box_pair from; /* where the ring begins and ends */
    uint32_t from_bricks[LT_ROW_COUNT];
    uint32_t from_pair; /* of bodies */
    bool from_within;   /* within that pair, not at its beginning */
    /* State */
    uint32_t pair;
    uint32_t lap;   /* 0: from there to the end, 1: from the beginning to there */
    uint32_t depth; /* row that is worked on; LT_ROW_COUNT: the block */
    lt_box_row rows[LT_ROW_COUNT];
    lt_box_block block;
    bool done;
    /* Result */
    uint64_t tested; /* boxes and bricks */
} lt_box_search;

/* From a place that an earlier search came to, or NULL: from the beginning. */
void lt_box_search_begin(lt_box_search *search, const lt_box_search_input *input, const lt_box_pair *from);
/* The next piece, a row or block to be tested or a pair that was found; cost 0 when done. It reserves nothing: a pair is answered, as
 * a piece of its own, before the next is looked for. */
lt_piece lt_box_search_peek(const lt_box_search *search);
/* Does pieces while they fit into `grant` and `out` [capacity] is not full; *count pairs were written. Returns the
 * units. */
uint32_t lt_box_search_step(lt_box_search *search, uint32_t grant, lt_box_pair *out, uint32_t capacity,
                            uint32_t *count);
/* Where the next search has to begin to go on from here; when done, where this one began. */
lt_box_pair lt_box_search_place(const lt_box_search *search);

/* ---- touches ---- */

/* Units of asking whether two boxes touch, without the refresh of stale ones, and of looking at their hulls. */
enum { LT_BOX_TOUCH_UNITS = 20, LT_BOX_HULL_UNITS = 250 };

enum { LT_TOUCH_CENTER = 8, LT_TOUCH_HULL = 9 };

typedef struct lt_box_touch {
    lt_vec3 point;
    lt_vec3 normal;  /* unit, out of the outer box: the way the inner one is pushed */
    float depth;     /* m, > 0 */
    uint32_t outer;  /* 0: the first box holds a point of the second, 1: the other way round */
    uint32_t corner; /* of the inner box that is held, LT_TOUCH_CENTER or LT_TOUCH_HULL */
    float shares
        [2]
        [8]; /* of the corners of the first and second box in the point; of the outer one with LT_TOUCH_HULL only */
    /* All corners that are inside, by the outer box, and how deep */
    uint32_t inside[2];
    float depths[2][8];
    float gap; /* m, where they do not touch: at least so far apart */
} lt_box_touch;

/* Twelve edges of one box across twelve of another, eight at a time. */
enum { LT_EDGE_AXES = 8, LT_EDGE_GROUPS = 18 };

/* Unit axes, and how far the second box has to go along them, and back, to be apart from the first. Edges that are parallel
 * give no axis, and depths that are never the least. */
typedef struct lt_edge_axes {
    float axes[3][LT_EDGE_AXES];
    float forth[LT_EDGE_AXES], back[LT_EDGE_AXES];
    uint32_t candidates; /* bits of those with a depth below the limit */
} lt_edge_axes;

typedef struct lt_box_kernels {
    /* Bits of the corners of `inner` that are behind all planes of `outer`, and their depths: least over the planes that
     * push. LT_BOXES_APART: a plane has all of them before it, and depths, none above 0, are those behind that plane. */
    uint32_t (*corners_inside)(const lt_cell_box *outer, const lt_cell_box *inner, float depths[8]);
    /* All edges across all. False: an axis parts the two, and `out` is not complete. */
    bool (*cross_edges)(lt_edge_axes out[LT_EDGE_GROUPS], const lt_cell_box *a, const lt_cell_box *b,
                        float limit);
    /* Bits of boxes [begin_b, end_b) of `b`, at most 64, that overlap or touch each of [begin_a, end_a) of `a`; those
     * that do not touch `within`, the box around the former, are not tested. Returns how many were. */
    uint32_t (*overlapping_block)(uint64_t *out, const lt_cell_boxes *a, uint32_t begin_a, uint32_t end_a,
                                  const lt_cell_boxes *b, uint32_t begin_b, uint32_t end_b, lt_box within,
                                  float margin);
} lt_box_kernels;

#define LT_BOXES_APART UINT32_MAX

const lt_box_kernels *lt_box_kernels_for(lt_simd_level level);

/* Whether two boxes touch, and where they do the most. `hulls` false: corners and centre only, as the paper has it. What it
 * cost is added to *units. */
bool lt_box_touch_find(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, bool hulls,
                       const lt_box_kernels *kernels, uint32_t *units);
/* One of the corners inside as a touch of its own, out through a face that one of its box looks at; false: there is none. */
bool lt_box_touch_corner(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, uint32_t outer,
                         uint32_t corner);
/* The touch that is deepest where only faces count that one of the other box looks at, unless that is far: where two blocks stand on
 * each other edge over edge the way out to the side is the nearer one, and no surface is there that could have come in by it; a
 * block that tilted towards that edge sank in by 2 cm before anything was found. */
void lt_box_touch_face(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b,
                       const lt_box_kernels *kernels);
/* The same out through the face by which it came in, where it came `way`, m, since it was outside, relative to the outer box: the last
 * one that it passed. A corner that comes from above 4 cm into a box, 3 cm from a side, would be pushed out to the side, and the
 * bodies on into each other. */
void lt_box_touch_entered(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, lt_vec3 way);
/* The same out through the face that looks that way, where it is known from before; unit. */
void lt_box_touch_known(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, lt_vec3 out);
/* Whether the hulls of the corners meet; then the depth is that along the best of the faces that push and of the edges of
 * one box across those of the other: moved so far, the two are apart. The point is in both hulls. */
bool lt_box_touch_hulls(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b,
                        const lt_box_kernels *kernels);

#endif
