/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One deformable box for every cell of a lattice that holds surface (papers/002 §4 and §6; spec J1–J5, J9, J10).
 *
 *   cell           eight nodes; corner j is at + along axis k where bit k of j is set
 *   tight box      lo and hi in cell coordinates, around the surface in the cell; grid boxes are those with lo 0, hi 1
 *   corners (BN)   where the trilinear map of the cell brings the corners of the tight box
 *   planes         six, one a face: the normal from the diagonals of the face, the offset the largest over all eight
 *                  corners. A trilinear map restricted to a box is trilinear in the corners of that box, so whatever is
 *                  embedded there is a convex combination of them: behind all six planes, and in the AABB
 *
 *   lt_cell_layout   constants of a shape: boxes in the order of bricks of 4 × 4 × 4 cells, and who never meets whom
 *   lt_cell_boxes    one body: AABBs of all boxes and bricks, frozen for a step, eight at a time; corners and planes when
 *                    asked for, anew when one of the eight nodes has moved since (stamps)
 *
 *       bricks   |0           |1      |2        …   brick_begin; at most 64 boxes each, so that a row of them is one word
 *       boxes     0 1 2 3 4 5  6 7 8   9 …          columns lo x, y, z, hi x, y, z over boxes, and over bricks
 *
 * Made for lattices of up to some ten thousand cells of which a few in a hundred are touched in a step: an AABB is cheap,
 * a whole box five times as dear.
 *
 * Everything is widened by what rounding can let out: 8 eps of the largest coordinate, twice that for planes. */

#ifndef LITHE_BOUND_CELL_BOXES_H
#define LITHE_BOUND_CELL_BOXES_H

#include "body/body.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/vec.h"
#include "embed/embed.h"
#include "mesh/mesh.h"

enum {
    LT_CELL_CORNERS = 8,
    LT_CELL_FACES = 6, /* −x, +x, −y, +y, −z, +z: bits 0 … 5 of a mask */
    LT_CELL_SLABS = 8, /* from here on the world's axes likewise, where a face has no normal */
    LT_CELL_PLANES = 16,
    LT_BRICK_SIDE = 4,  /* cells */
    LT_BRICK_BOXES = 64 /* at most */
};

/* Cells: corners of neighbours that are nearer to each other than this at rest stand for each other. */
#define LT_CORNER_NEAR 0.1f

/* Units of work: eight AABBs, the box around a brick, and a box with corners and planes. */
enum { LT_CELL_GROUP_UNITS = 64, LT_BRICK_UNITS = 8, LT_CELL_BOX_UNITS = 40 };

/* The corner from which an edge runs along an axis, 0 <= edge < 4. */
static inline uint32_t lt_cell_edge_begin(uint32_t axis, uint32_t edge) {
    LT_ASSERT(axis < 3);
    uint32_t below = (1u << axis) - 1;
    return (edge & below) | (edge & ~below) << 1;
}

/* A corner of a box, or LT_TOUCH_CENTER, LT_TOUCH_HULL of it (respond/impulse.h), as a number: boxes are numbered below 2^28. */
static inline uint32_t lt_corner_name(uint32_t box, uint32_t corner) {
    return box << 4 | corner;
}

/* ---- layout ---- */

/* What is known of a lattice. Arrays are the caller's and read only while the layout is made. */
typedef struct lt_cell_layout_def {
    const uint32_t *cells;  /* [cell_count][8] */
    const uint32_t *places; /* [cell_count]; two cells may have the same */
    const float
        *tight; /* [cell_count][6] lo x, y, z, hi x, y, z; lo > hi: no surface, no box. NULL: grid boxes */
    const uint8_t *masks; /* [cell_count] faces that look out; 0 counts as all. NULL: all */
    uint32_t cell_count, node_count;
} lt_cell_layout_def;

/* Two bricks in which some boxes never meet. */
typedef struct lt_brick_block {
    uint32_t brick; /* the second; the first is the one it is listed under */
    uint32_t begin; /* of its words: one for each box of the first brick, bits of boxes of the second */
} lt_brick_block;

typedef struct lt_cell_layout {
    uint32_t *cells; /* [box_count] the cell of a box */
    uint32_t *nodes; /* [group_count × 8][8] of the box's cell */
    float *tight;    /* [group_count][6][8] */
    uint8_t *masks;  /* [box_count], not 0 */
    uint8_t *
        corners; /* [box_count] bits of those that stand for others near by, of neighbours: each place once */
    uint32_t *names;        /* [box_count][8] of the corner that stands for it, which may be itself */
    uint32_t *bricks;       /* [box_count] the brick of a box */
    uint32_t *brick_begin;  /* [brick_count + 1] */
    uint32_t *block_begin;  /* [brick_count + 1] */
    lt_brick_block *blocks; /* [block_begin[brick_count]] by brick, then the second one */
    uint64_t *
        skips; /* [skip_count] of boxes that come later and share a node with the box or overlap it at rest */
    size_t skip_count;
    float *
        rest; /* [node_count][4] in cells, relative to their mean; 1, or all 0 where no box hangs on the node */
    float rest_count; /* of nodes with a 1 */
    float
        rest_gap; /* cells, at most 1: boxes of which neither word above has the other are this far apart at rest */
    uint32_t middle; /* the box that is nearest to the mean of them */
    uint32_t box_count, brick_count, group_count, node_count;
    lt_allocator allocator;
} lt_cell_layout;

lt_status lt_cell_layout_create(lt_cell_layout *out, const lt_cell_layout_def *def,
                                const lt_allocator *allocator, lt_error *error);
/* Safe on zeroed and already freed layouts. */
void lt_cell_layout_free(lt_cell_layout *layout);

/* Who never meets whom, of two bricks: a word for each box of the first. NULL: all may meet. */
static inline const uint64_t *lt_cell_block_skips(const lt_cell_layout *layout, uint32_t first,
                                                  uint32_t second) {
    LT_ASSERT(first < layout->brick_count);
    for (uint32_t i = layout->block_begin[first]; i < layout->block_begin[first + 1]; i++)
        if (layout->blocks[i].brick == second) return layout->skips + layout->blocks[i].begin;
    return NULL;
}
/* Bits of the boxes of `brick` (the first bit is that of its first box) that never collide with `box` and come behind it. */
static inline uint64_t lt_cell_skips(const lt_cell_layout *layout, uint32_t box, uint32_t brick) {
    LT_ASSERT(box < layout->box_count);
    LT_ASSERT(brick < layout->brick_count);
    uint32_t own = layout->bricks[box];
    const uint64_t *skips = lt_cell_block_skips(layout, own, brick);
    return skips ? skips[box - layout->brick_begin[own]] : 0;
}

/* ---- boxes ---- */

typedef struct lt_cell_box {
    float corners[3][8]; /* coordinate, corner */
    lt_vec3 center;
    uint32_t stamp; /* of the body when it was made */
    /* Inside: n · p < offset for all. Lanes without a plane have n = 0 and an offset that everything is behind. */
    float planes[4][LT_CELL_PLANES]; /* n x, y, z, offset; plane */
    uint32_t plane_count;            /* 6, or 16 where a face has no normal */
    uint32_t push;                   /* bits of planes through which a point may be pushed out; not 0 */
} lt_cell_box;

static inline lt_vec3 lt_cell_box_normal(const lt_cell_box *box, uint32_t plane) {
    LT_ASSERT(plane < LT_CELL_PLANES);
    return (lt_vec3){box->planes[0][plane], box->planes[1][plane], box->planes[2][plane]};
}
static inline lt_vec3 lt_cell_box_corner(const lt_cell_box *box, uint32_t corner) {
    LT_ASSERT(corner < LT_CELL_CORNERS);
    return (lt_vec3){box->corners[0][corner], box->corners[1][corner], box->corners[2][corner]};
}

typedef struct lt_cell_kernels lt_cell_kernels;

typedef struct lt_cell_boxes {
    /* Constants */
    const lt_cell_layout *layout;
    const lt_cell_kernels *kernels;
    float cell_size; /* m at rest */
    bool as_printed; /* planes as papers/002 prints them: some of what is embedded may be outside */
    /* Input of a step */
    const float *nodes; /* [node_count][4] */
    /* State */
    uint32_t *node_stamps; /* [node_count] when it was moved last */
    uint32_t stamp;        /* now */
    uint32_t oldest_stamp; /* of a box made in this step */
    uint32_t next_group, next_brick;
    /* Output */
    float slack;                      /* m, what rounding may take */
    float *lo[3], *hi[3];             /* [group_count × 8 + 8] AABBs of the boxes */
    float *brick_lo[3], *brick_hi[3]; /* [brick_count + 8] */
    lt_box box;                       /* of all, when they are fitted */
    lt_cell_box *full;                /* [box_count] as they were when they were asked for last */
    uint32_t refreshed_count;         /* in this step */
    lt_allocator allocator;
    float *columns; /* behind lo, hi, brick_lo and brick_hi */
    size_t column_count;
} lt_cell_boxes;

/* A rotation, its columns times the size of a cell, and the mean of the nodes relative to the first: for two nodes each. */
typedef struct lt_cell_frame {
    float columns[3][8], mean[8];
} lt_cell_frame;

/* A text on what is wrong with boxes that are fitted; NULL: nothing is. */
const char *lt_validate_cell_boxes(const lt_cell_boxes *boxes);

struct lt_cell_kernels {
    /* AABBs of groups [begin, end). */
    void (*fit_groups)(lt_cell_boxes *boxes, uint32_t begin, uint32_t end);
    /* The boxes around bricks [begin, end), after those of their boxes. */
    void (*fit_bricks)(lt_cell_boxes *boxes, uint32_t begin, uint32_t end);
    /* Corners, centre and planes of a box: by the maximum rule, or as printed. */
    void (*fit_box)(const lt_cell_boxes *boxes, uint32_t box, lt_cell_box *out);
    void (*fit_box_as_printed)(const lt_cell_boxes *boxes, uint32_t box, lt_cell_box *out);
    /* Σ (x − x₀) times x, y, z and 1 of the shape at rest. */
    void (*sum_shape)(float sums[4][4], const lt_cell_boxes *boxes);
    /* Largest squares, along each axis, of how far nodes are from where the frame has them. */
    void (*miss_shape)(float squares[4], const lt_cell_boxes *boxes, const lt_cell_frame *frame);
};

const lt_cell_kernels *lt_cell_kernels_for(lt_simd_level level);

/* The layout must outlive the boxes. */
lt_status lt_cell_boxes_create(lt_cell_boxes *out, const lt_cell_layout *layout, float cell_size,
                               bool as_printed, lt_simd_level level, const lt_allocator *allocator,
                               lt_error *error);
void lt_cell_boxes_free(lt_cell_boxes *boxes);

/* The nodes have moved as the model moves them, into `box_of_nodes`: all is stale. The nodes are read until the next
 * begin. */
void lt_cell_boxes_begin(lt_cell_boxes *boxes, const float *nodes, lt_box box_of_nodes);
/* Fits AABBs of groups, then of bricks, while they fit into `grant`; returns the units, 0 when nothing is left or the grant
 * is less than lt_cell_boxes_cost. */
uint32_t lt_cell_boxes_step(lt_cell_boxes *boxes, uint32_t grant);
/* Units of the next piece; 0: all AABBs are fitted. */
uint32_t lt_cell_boxes_cost(const lt_cell_boxes *boxes);

static inline lt_box lt_cell_boxes_aabb(const lt_cell_boxes *boxes, uint32_t box) {
    LT_ASSERT(box < boxes->layout->box_count);
    return (lt_box){{boxes->lo[0][box], boxes->lo[1][box], boxes->lo[2][box]},
                    {boxes->hi[0][box], boxes->hi[1][box], boxes->hi[2][box]}};
}
static inline lt_box lt_cell_boxes_brick(const lt_cell_boxes *boxes, uint32_t brick) {
    LT_ASSERT(brick < boxes->layout->brick_count);
    return (lt_box){{boxes->brick_lo[0][brick], boxes->brick_lo[1][brick], boxes->brick_lo[2][brick]},
                    {boxes->brick_hi[0][brick], boxes->brick_hi[1][brick], boxes->brick_hi[2][brick]}};
}

/* A node was moved within the step: boxes that hang on it are made anew when they are asked for. AABBs stay. */
static inline void lt_cell_boxes_moved(lt_cell_boxes *boxes, uint32_t node) {
    boxes->node_stamps[node] = ++boxes->stamp;
}
/* Whether corners and planes are those of the nodes now. */
bool lt_cell_box_is_fresh(const lt_cell_boxes *boxes, uint32_t box);
/* Corners and planes of a box as the nodes are now; valid until it is asked for again. */
const lt_cell_box *lt_cell_box_get(lt_cell_boxes *boxes, uint32_t box);

/* How far nodes are from where the rigid motion that fits best has the shape at rest, at most, m (cell_shape.c). */
float lt_cell_boxes_deviation(const lt_cell_boxes *boxes);
/* False proves that no box of the body touches another that it may collide with. */
bool lt_cell_boxes_may_meet(const lt_cell_boxes *boxes);
static inline uint32_t lt_cell_boxes_may_meet_units(const lt_cell_layout *layout) {
    return 500 + 2 * layout->node_count;
}

/* Weights of the nodes of a cell at a place in cell coordinates. */
static inline void lt_trilinear_weights(lt_real weights[8], const lt_real place[3]) {
    const lt_real x[4] = {1 - place[0], place[0], 1 - place[0], place[0]};
    const lt_real y[4] = {1 - place[1], 1 - place[1], place[1], place[1]};
    lt_r4 xy = lt_r4_mul(lt_r4_load(x), lt_r4_load(y));
    lt_r4_store(weights, lt_r4_mul(xy, lt_r4_splat(1 - place[2])));
    lt_r4_store(weights + 4, lt_r4_mul(xy, lt_r4_splat(place[2])));
}
/* The place in a cell, in its coordinates and beyond them, that the nodes bring to `point`; at most five steps of Newton
 * from `place`. False: not found; `place` is then clamped to the cell. */
bool lt_cell_locate(lt_real place[3], const lt_real *x, const uint32_t nodes[8], lt_rvec3 point,
                    lt_real cell_size);
/* The same from a place that was `point` once, `depth` below a face whose normal looks out: `moved` is what parts them since. Where
 * that brought the point out of the face, its place is looked for where it will meet the face again. */
bool lt_cell_follow(lt_real place[3], lt_rvec3 *moved, const lt_real *x, const uint32_t nodes[8],
                    lt_rvec3 point, lt_rvec3 normal, lt_real depth, lt_real cell_size);
/* The tight box of a box, one side: `side` 0 … 2 lo, 3 … 5 hi. */
static inline float lt_cell_tight(const lt_cell_layout *layout, uint32_t box, uint32_t side) {
    LT_ASSERT(box < layout->box_count);
    return layout->tight[(size_t)(box / 8) * 48 + 8 * side + box % 8];
}

/* Where the trilinear map of a cell brings the corners of the box around the surface in it, or of the whole cell; bit k of a corner's
 * number is set where it is the upper one along axis k. False: no surface, no box. */
bool lt_cell_box_corners(lt_vec3 corners[8], const lt_soft *soft, const lt_skin *skin, uint32_t cell,
                         bool whole);

#endif
