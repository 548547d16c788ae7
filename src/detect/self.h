/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which tets of a body may overlap each other during a step (papers/003 §5.3, spec O8), and what of the
 * surface need not be tested against itself because of that.
 *
 * Every piece of a surface that is cut at the tets (bound/multiscale.h) lies in one tet and moves affinely
 * with it. Two pieces that do not meet at rest can meet only where their tets overlap in more than the node,
 * edge or face they share, or, of one tet, when it collapses. All of it has to be told for the whole time of
 * the step, in which nodes go straight:
 *
 *   one tet          its determinant, a cubic in time, keeps its sign: all Bernstein coefficients have it
 *   sharing a face   both do, and the signs are those at rest
 *   sharing less     a plane through what they share keeps them apart; n(t) = u(t) × v(t) with u and v
 *                    carried along by the tets, so that a body that turns as a whole marks nothing: the
 *                    sides of the corners are cubics again
 *   apart            the same with a plane between them
 *
 * Nearly all pairs of tets near each other are settled without being looked at. Let F be the gradients, G one
 * that is near them, σ the least that G stretches, and m the margin at rest: |u - v| ≥ m (|u| + |v|) for u, v
 * from what the tets share into the one and the other. Then
 *
 *     |F_A u - F_B v| ≥ σ |u - v| - |F_A - G| |u| - |F_B - G| |v|  > 0    while  |F - G| < m σ
 *
 * G is the mean around a node for those that share it, and the gradient of a tet for those that both touch
 * it. F and G are linear in time, |F - G| is largest at an end. So the pairs of a node, sorted by margin, are
 * looked at only up to the margin that is needed.
 *
 * Of ladders, most of which move as coarse meshes do, that is asked of groups of 64 tets before (self_groups.c): what it settles is not
 * looked at by tets and nodes at all.
 *
 *   lt_self_tets   as it was at rest, of a shape: who is near whom, and by what margin
 *   lt_self        one body: marks of a step
 *
 * A mark is not one bit for a tet but one of up to 254 for a pair: bit i in P of the lower tet, and in Q of
 * the higher. Boxes have the bits of all that is in them, and A and B need testing only if P_A ∧ Q_B or Q_A ∧
 * P_B. Two bits are not for pairs: 0 is in P of triangles that span several tets (and of tets at places that
 * are not finite), and in Q of all: they are tested against everything. 1 is in both of tets that were not
 * reached: cut anywhere, what is left is marked.
 *
 * Pairs that are far from each other at rest are found by their boxes: tets are kept in blocks of eight, in
 * the order in which the tree has their triangles, so that those of a block lie side by side; blocks of which
 * all pairs are near are left out. (A sweep along an axis looks at three times as many boxes, and nearly all
 * that overlap there are near ones.) Tets that overlap at rest are marked as long as they do; near ones
 * without a margin always.
 *
 * Workload: 600 to 1,000 tets at the surface, of which few have come near each other. A knot of 623 tets
 * took 0.14 ms while it falls and 0.67 ms where it lies on itself (150 to 350 pairs marked), half of it for
 * pairs that are far from each other at rest, when these were swept; a fifth fewer instructions since. With one bit instead of 256 the query that follows takes nine
 * times as long. Memory: two bits for every pair of tets beside the lists (1,000 tets: 250 kB). */

#ifndef LITHE_DETECT_SELF_H
#define LITHE_DETECT_SELF_H

#include "bound/multiscale.h"
#include "core/budget.h"

enum { LT_SELF_BITS_MAX = 256, LT_SELF_BLOCK = 8, LT_SELF_GROUP = 64 };

/* ---- at rest ---- */

/* Two tets that are near each other at rest; numbers are those of governors. */
typedef struct lt_near_pair {
    uint32_t a, b;     /* a < b */
    float needed;      /* less deviation than this around node or tet settles it; 0: nothing does */
    float margin;      /* m */
    lt_vec3 direction; /* unit, at rest: along it a is above b by the margin */
} lt_near_pair;

/* What has a row of marks: governors in their order, then spanning triangles, then boxes of several tets. */
typedef struct lt_mark_source {
    uint32_t first, count; /* rows in `sources` that it is made of */
} lt_mark_source;

/* Tets in a row of places, side by side; its surroundings are they and all that is near one of them (self_groups.c). */
typedef struct lt_self_group {
    lt_dvec3 middle; /* of the samples that a motion is fitted to */
    lt_dmat3 fit;    /* inverse of Σ d dᵀ of these, d from the middle */
    uint32_t
        first_sample;    /* nodes of the surroundings, up to the next group's, those of its own tets first */
    uint32_t own_count;  /* of these */
    uint32_t fit_stride; /* to every so manieth a motion is fitted */
    double gradient_reach; /* by how much a gradient there changes at most when nodes go 1 m aside */
    double touch_need;     /* the least that a pair of one of its tets needs (lt_near_pair) */
    double near_gap; /* least distance at rest from one of its tets to one that is near, but shares no node */
    double shortest; /* edge there */
} lt_self_group;

typedef struct lt_self_tets {
    const lt_multiscale_tree *tree;
    const lt_dvec3 *rest;           /* [node_count] of the carrier */
    double rest_tolerance;          /* what is nearer than this at rest touches there */
    uint32_t node_count, tet_count; /* tets: governors */
    uint32_t *nodes;                /* [tet_count][4] */
    lt_dmat3 *inverses;             /* [tet_count] of the edges from corner 0, at rest */
    float *shortest;                /* [tet_count] edge at rest */
    float *ring_shortest;           /* [node_count] of the tets around a node */
    uint32_t *ring_begin;           /* [node_count + 1] */
    uint32_t *rings;                /* [4 × tet_count] 4 × tet + corner, of the tets around a node */
    /* Pairs */
    lt_near_pair *faces; /* [face_count] share a face */
    uint32_t face_count;
    lt_near_pair *always; /* [always_count] overlap at rest */
    uint32_t always_count;
    uint32_t *touch_begin; /* [node_count + 1] */
    lt_near_pair *touches; /* share one or two nodes, by one of them, ascending by what they need */
    uint32_t touch_count;
    uint32_t *second_begin; /* [tet_count + 1] */
    lt_near_pair *seconds;  /* share none, but both touch one tet, by that, ascending likewise */
    uint32_t second_count;
    float *second_paths; /* [tet_count] shortest way from the one to the other, of those at a tet */
    uint64_t *near_bits; /* [tet_count][near_stride] all of the above */
    uint32_t near_stride;
    /* The others, in blocks of LT_SELF_BLOCK places */
    uint32_t *places; /* [tet_count] tets in the order of the blocks */
    uint64_t
        *far_bits; /* [tet_count][near_stride] of a place: those behind it whose tets are none of the above */
    uint64_t
        *far_blocks; /* [block_count][block_stride] of a block: those that hold such a place of one of it */
    uint32_t block_count, block_stride;
    /* Of ladders: groups of LT_SELF_GROUP places */
    lt_self_group *groups;  /* [group_count + 1] */
    uint32_t *samples;      /* [sample_count] */
    uint64_t *surroundings; /* [group_count][near_stride] tets */
    uint32_t group_count, sample_count;
    /* Marks */
    uint32_t *rows;        /* [tree->node_count] of a box */
    lt_mark_source *boxes; /* [box_count] boxes of several tets, children before parents */
    uint32_t *sources;     /* [source_count] */
    uint32_t box_count, source_count;
    lt_allocator allocator;
} lt_self_tets;

static inline uint32_t lt_self_row_count(const lt_self_tets *tets) {
    return tets->tet_count + 1 + tets->box_count;
}
/* The row of triangles that span. */
static inline uint32_t lt_self_spanning_row(const lt_self_tets *tets) {
    return tets->tet_count;
}

/* Tree and carrier must outlive it. On failure *out is zeroed. */
lt_status lt_self_tets_create(lt_self_tets *out, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                              const lt_allocator *allocator, lt_error *error);
void lt_self_tets_free(lt_self_tets *tets);
/* Groups for tets of the finest level of a ladder: what coarse levels move is settled by them. Freed with `tets`, whatever comes of
 * it. */
lt_status lt_self_groups_create(lt_self_tets *tets, lt_error *error);

/* ---- in a step ---- */

typedef enum lt_self_lemma {
    LT_SELF_SAFE,
    LT_SELF_PAPER /* as printed: tets that share anything are never marked, nor those that turn inside out */
} lt_self_lemma;

typedef struct lt_self_def {
    lt_self_lemma lemma;
    uint32_t
        mask_bits; /* 64, 128, 192 or 256; 1: the paper's flags, a marked tet is tested against all others */
} lt_self_def;
lt_self_def lt_self_def_default(void);

/* Units of work. */
enum {
    LT_SELF_FIT_UNITS = 110,   /* how a group moves, beside its samples */
    LT_SELF_SAMPLE_UNITS = 5,  /* a node that it is fitted to, or its distance from there */
    LT_SELF_BOX_UNITS = 10,    /* the box of a tet alone */
    LT_SELF_TET_UNITS = 64,    /* gradients and box of a tet */
    LT_SELF_RING_UNITS = 13,   /* a tet of the ring of a node */
    LT_SELF_PAIR_UNITS = 36,   /* two near tets by their gradients */
    LT_SELF_PLANE_UNITS = 240, /* a plane between two tets looked for */
    LT_SELF_PLACE_UNITS = 4,   /* the box of a tet put in its place */
    LT_SELF_BLOCK_UNITS = 10,  /* eight boxes of blocks, or of rows of eight of them, against one */
    LT_SELF_BOXES_UNITS = 16,  /* the boxes of tets of two blocks */
    LT_SELF_ROW_UNITS = 3      /* a row of marks from those it is made of */
};

/* A pass over all tets, nodes or rows of marks is cut into portions of so many units, or one item more: each of these passes is
 * 160,000 to 360,000 units for 74,000 triangles on as many tets, which no budget of a step holds. Of a thousand tets a pass is
 * one portion. */
enum { LT_SELF_PORTION = 16384 };

typedef enum lt_self_phase {
    LT_SELF_CLEARED, /* marks of before, and the mean motion */
    LT_SELF_GROUPS,
    LT_SELF_OPENED,
    LT_SELF_TETS,
    LT_SELF_NODES,
    LT_SELF_FACES,
    LT_SELF_TOUCHES,
    LT_SELF_SECONDS,
    LT_SELF_PLACES,
    LT_SELF_BLOCKS,
    LT_SELF_DONE
} lt_self_phase;

/* How a tet moves. */
typedef struct lt_tet_motion {
    lt_dmat3 gradients[2];
    double stretch;  /* no direction is stretched less at any time; 0: not known, or none */
    double apart[4]; /* how far the gradient is from the mean around each corner */
    int8_t sign;     /* of the volume, relative to that at rest; 0: it does not keep it */
} lt_tet_motion;

/* How a group moves: by an affine map, but for how far nodes around it are from where that takes them. */
typedef struct lt_group_motion {
    lt_dmat3 maps[2]; /* at both ends */
    lt_dvec3 at[2];   /* where these take the middle */
    double stretch;   /* as that of a tet */
    bool is_settled;  /* none of its tets turns inside out, or meets one that is near */
} lt_group_motion;

/* Boxes, empty ones behind them to a multiple of eight. */
typedef struct lt_self_columns {
    float *lo[3], *hi[3];
} lt_self_columns;

typedef struct lt_self {
    /* Constants */
    const lt_self_tets *tets;
    lt_self_def def;
    uint32_t word_count; /* of P, and of Q */
    /* Input of a step */
    const float *from, *to; /* [node_count][4] */
    float separation;       /* m, that tets which share no node must have */
    float slack;            /* m, what rounding may take */
    /* State */
    lt_self_phase phase;
    uint32_t next,
        next_pair;     /* of the phase: node, tet or block; pair of it, or row of blocks to compare it with */
    uint32_t next_row; /* of marks, to be finished */
    lt_dvec3 motion_sum; /* of the nodes so far */
    /* Of the blocks at hand: bit 8 i + k, place i of the one and k of the other are still to be looked at; of
     * near pairs: 1, for `next_pair` a plane is to be looked for; of groups: 1, all samples of `next` are to be measured */
    uint64_t pending;
    uint32_t
        pending_rows; /* bits of the eight rows of blocks before `next_pair` that are still to be compared */
    uint32_t row;     /* eight blocks that were compared last */
    uint32_t pending_blocks;        /* bits of these that are still to be */
    uint32_t other_block;           /* that of `pending` */
    lt_group_motion *group_motions; /* [group_count] */
    uint64_t *open;         /* [near_stride] tets of groups that are not settled; all, where there are none */
    uint64_t *measured;     /* [near_stride] tets that have a motion and a box: these, and all near them */
    uint8_t *open_nodes;    /* [node_count] 1: of an open tet */
    uint32_t open_count;    /* groups, or 1 */
    uint32_t boxless_count; /* tets that are not measured */
    double need;            /* what settles pairs at the tet `next` */
    lt_vec3 drift;          /* mean motion of the nodes: no matter to a body with itself */
    lt_tet_motion *motions; /* [tet_count] */
    lt_box *boxes;          /* [tet_count] of the motion without the drift */
    double *spreads;        /* [node_count] how far gradients around a node are from their mean, at most */
    double *deviations;     /* [node_count] the same, of the least that the mean stretches */
    lt_self_columns place_boxes, block_boxes,
        row_boxes; /* of tets by place, of blocks, of rows of eight blocks */
    /* Output */
    uint64_t *marks;                    /* [row_count][2][word_count] P, Q */
    uint32_t marked_count;              /* pairs of tets */
    uint32_t looked_count, plane_count; /* near pairs looked at; planes looked for */
    bool finished;
    lt_allocator allocator;
} lt_self;

/* `tets` must outlive it. */
lt_status lt_self_create(lt_self *out, const lt_self_tets *tets, const lt_self_def *def,
                         const lt_allocator *allocator, lt_error *error);
void lt_self_free(lt_self *self);

/* A step from nodes to nodes, [node_count][4], read until the cursor has ended; `slack` is that of the boxes
 * (lt_multiscale.slack). `to` may be `from`. Positions that are not finite mark what hangs on them. The cursor begins by clearing
 * the marks, a row of 64 bytes a unit, and with the mean of the nodes. */
void lt_self_begin(lt_self *self, const float *from, const float *to, float separation, float slack);
/* Units of the first piece behind lt_self_begin, which may be asked for before that. */
uint32_t lt_self_begin_cost(const lt_self *self);
/* Units of the next piece; 0: none is left. */
uint32_t lt_self_cost(const lt_self *self);
/* Pieces while they fit into `grant`; returns their cost. */
uint32_t lt_self_step(lt_self *self, uint32_t grant);
/* Makes marks of boxes from those of tets, when the cursor has ended and before the marks are looked at: units of the next piece
 * (0: finished), and that piece. */
uint32_t lt_self_finish_cost(const lt_self *self);
void lt_self_finish_step(lt_self *self);

static inline const uint64_t *lt_self_row(const lt_self *self, uint32_t row) {
    LT_ASSERT(row < lt_self_row_count(self->tets));
    return self->marks + 2 * (size_t)self->word_count * row;
}
/* Whether what has row a may meet what has row b; the same: with itself. */
static inline bool lt_self_rows_meet(const lt_self *self, uint32_t a, uint32_t b) {
    uint32_t words = self->word_count;
    const uint64_t *x = lt_self_row(self, a), *y = lt_self_row(self, b);
    uint64_t common = 0;
    for (uint32_t i = 0; i < words; i++)
        common |= (x[i] & y[words + i]) | (x[words + i] & y[i]);
    return common != 0;
}

#endif
