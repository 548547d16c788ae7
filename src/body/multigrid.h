/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside body/: the model multigrid, a corotational body whose nodes are those of several meshes (papers/003 §3–4).
 *
 *   level            3 (coarsest)      2           1           0 (finest)
 *   interior  ●      ● ● ●             ●
 *   front     ◍        ◍               ◍ ◍         ◍ ◍ ◍                      move by themselves: they have rows
 *   interface ○                        ○           ○ ○                        follow coarser ones, x = P x
 *   idle                                                       · · · · ·      follow, too; nothing looks at them
 *
 * All of it follows from one bit a node, `refined` (state):
 *   active     a node of the coarsest level, and every node that hangs on a refined one: a corner of the tet of the next
 *              coarser level that holds it (T⁺) is refined
 *   front      active and not refined; interior: active and refined
 *   used       a tet with an active corner, and one that holds a piece of the solid which the next coarser level holds by a
 *              tet with a refined corner
 *   owner      of a piece of the solid: the finest used tet that holds it. A tet counts by the share of its pieces that it
 *              owns, so that every piece counts once
 *   interface  inactive nodes of used tets, and those that they hang on: corners of T⁺, for the energy is theirs
 *   idle       the rest. They hang on the finest tet that holds them of whose corners none is idle or refined, however many
 *              levels up: through all levels between, a point of the surface would hang on 20 nodes and more instead of 4 to 10
 *
 * So no interior node is a corner of a tet that counts, nor does anything hang on one: the energy
 *
 *     E(x) = Σ_tets share × fill × V ψ(F),   x_interface = P x
 *
 * is one of the front alone, symmetric whatever the front is (spec O3, O5; the paper's scheme, where the levels correct each
 * other, has no energy and diverged on every partial front tried). Masses are those of the pieces, at the corners of their
 * owners; what falls to interface nodes goes on to what they hang on.
 *
 * Solved by conjugate gradients, preconditioned by one V-cycle over the levels (multigrid_cycle.c); in mode paper by the
 * paper's own cycles (multigrid_fas.c). */

#ifndef LITHE_BODY_MULTIGRID_H
#define LITHE_BODY_MULTIGRID_H

#include "body/models.h"

typedef enum lt_node_kind { LT_NODE_IDLE, LT_NODE_INTERFACE, LT_NODE_FRONT, LT_NODE_INTERIOR } lt_node_kind;

/* Things of every level in one array, level after level. */
typedef struct lt_level_list {
    uint32_t *items;
    uint32_t begin[LT_LADDER_MOST + 1];
} lt_level_list;

/* What of the solid lies in one tet of a level and, coarser than it, in one tet of each. Parts of the finest level are pieces;
 * those of the next finer level that are in it lie in a row. */
typedef struct lt_solid_part {
    uint32_t tet, parent,
        child;       /* parent LT_NONE: the coarsest level; the first child, up to the next part's */
    uint32_t volume; /* in units of 2⁻³⁰ of the solid's */
} lt_solid_part;

struct lt_multigrid {
    /* Constants */
    uint32_t *child_begin; /* [node_count + 1] */
    uint32_t *children;    /* nodes of the next finer level that hang on a node */
    lt_real *level_mass;   /* [node_count] kg, of a node where its level is all there is */
    lt_real *ties; /* [pattern entries] N/m: how firmly two nodes hold each other, whatever the direction */
    uint32_t *tet_volumes;         /* [tet_count] of the parts in it */
    double mass_unit;              /* kg of a unit of volume */
    lt_real edges[LT_LADDER_MOST]; /* m, mean of a level at rest */
    lt_solid_part *parts;          /* [part_count + 1] level after level */
    uint32_t part_begin[LT_LADDER_MOST + 1];
    uint32_t *tet_part_begin, *tet_parts; /* [tet_count + 1], [part_count] those of a tet */
    uint32_t node_count, tet_count, entry_count, group_count, part_count;
    /* What follows from `refined` */
    bool listed;             /* it was looked at: all below is of refined_listed */
    uint8_t *refined_listed; /* [node_count] */
    uint8_t *kinds_listed;   /* [node_count] scratch */
    uint8_t *kinds;          /* [node_count] lt_node_kind */
    uint8_t *used;           /* [tet_count] */
    uint8_t *used_before;    /* [tet_count] scratch: what `taken` and `owned` are of */
    uint32_t *taken;         /* [part_count] volume of which finer tets own */
    uint32_t *owned;         /* [tet_count] volume that it owns */
    lt_real *shares;         /* [tet_count] of its stiffness that counts */
    lt_real *volumes;        /* [group_count][8] share × fill × volume, as lt_elements.volumes */
    uint32_t *groups;        /* [used_group_count] with a used tet */
    uint32_t used_group_count;
    lt_level_list active, interface, tets; /* ascending; tets: used ones */
    bool counts[LT_LADDER_MOST];           /* some tet of the level does */
    uint32_t *hang_tets;                   /* [node_count] the tet that an inactive node hangs on */
    float *hang_weights;                   /* [node_count][4] on its corners */
    bool complete[LT_LADDER_MOST];         /* all of them do, by all of their volume: nothing finer is used */
    uint32_t
        *ghosts; /* [ghost_count] idle nodes that rows of interface nodes name, with blocks that are zero */
    uint32_t ghost_count;
    uint32_t *nodes;                        /* [row_count] front nodes, ascending */
    uint32_t row_begin[LT_LADDER_MOST + 1]; /* those of a level */
    uint32_t *near; /* [near_count] front nodes of the finest level next to interface nodes, ascending */
    uint32_t near_count;
    uint32_t *rows; /* [node_count] LT_NONE: none */
    uint32_t row_count;
    /* The matrix, from step to step: a function of the front, the factors and, of tets in use, the rotations in lt_soft.turns */
    bool assembled; /* all below is; rows of tets that turn since are summed anew */
    lt_real mass_factor, stiffness_factor;
    lt_real *blocks; /* [pattern entries] of whole levels */
    lt_real *
        counted; /* [pattern entries] of tets by their shares, of levels above 0; of level 0 all that is used counts */
    lt_real *rotated;        /* [group_count][9][8] gradients in the world's frame */
    uint8_t *turned;         /* [group_count] scratch: bits of tets that turned in this step */
    uint8_t *stale;          /* [node_count] scratch: rows with such a tet */
    lt_real *details;        /* [node_count][4] scratch of adapting */
    uint8_t *refined_before; /* [node_count] likewise */
    lt_real jump;            /* m, that some node of the finest level was moved by that */
    bool mended; /* mode paper: cycles as printed grew in the last step, and went on with a correction */
    lt_allocator allocator;
    void *memory;
    size_t memory_size;
};

enum { LT_AFFINE = 12 }; /* affine motions: three shifts, and three times three stretches and shears */

/* Of one step. */
typedef struct lt_grid_system {
    lt_real *diagonal;          /* [node_count] blocks, of whole levels, with what couplings add */
    lt_real *inverse;           /* [node_count] their inverses; 0: pinned */
    lt_real *value, *product;   /* [node_count][4] of the front and what follows it */
    lt_real *residual, *change; /* [node_count][4] of the cycle, active and interface nodes */
    lt_real *before, *behind;   /* [node_count][4] of its sweeps: halves of rows times change */
    lt_real *
        edge; /* [row_count] inverse diagonal blocks of the front itself; those of the finest level are not used */
    lt_real *left; /* [row_count][4] */
    lt_real *arms; /* [nodes of the coarsest level][4] 1 and the position, for affine motions */
    double factor[LT_AFFINE][LT_AFFINE]; /* of the coarsest matrix between affine motions, Cholesky, lower */
} lt_grid_system;

/* ---- what no front changes (multigrid_solid.c) ---- */

/* `soft` has its ladder, elements and material. All is refined at first. */
lt_status lt_multigrid_create(lt_soft *soft, lt_error *error);
/* Masses and ties of another material; the front weighs its nodes when it is updated next. */
void lt_multigrid_weigh(lt_soft *soft);
void lt_multigrid_free(lt_multigrid *grid);
/* That falls to each corner of a tet with so much of the solid. */
static inline lt_real lt_part_mass(const lt_soft *soft, uint32_t volume) {
    return (lt_real)((double)volume * soft->grid->mass_unit / 4);
}

/* ---- the front (multigrid_front.c) ---- */

/* Closes `refined` (active before refined, neighbours of the refined active, pins at front nodes), and finds what follows. */
void lt_front_update(lt_soft *soft);
/* Lets go of everything finer than a level, or refines all of it (level 0). */
void lt_front_set_level(lt_soft *soft, uint32_t level);
/* The first thing that is wrong with it, for tests; NULL: nothing is. */
const char *lt_front_flaw(const lt_soft *soft);

static inline uint32_t lt_level_count(const lt_soft *soft) {
    return soft->carrier.ladder.level_count;
}
static inline uint32_t lt_level_of(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    uint32_t level = 0;
    while (node >= soft->carrier.ladder.node_begin[level + 1])
        level++;
    return level;
}
static inline const uint32_t *lt_above_corners(const lt_carrier *carrier, uint32_t node) {
    LT_ASSERT(node < carrier->node_count);
    return carrier->tets + 4 * (size_t)carrier->ladder.above_tets[node];
}
static inline const float *lt_above_weights(const lt_carrier *carrier, uint32_t node) {
    LT_ASSERT(node < carrier->node_count);
    return carrier->ladder.above_weights + 4 * (size_t)node;
}

/* Σ weight × vector. */
static inline lt_r4 lt_gather_corners(const uint32_t corners[4], const float weights[4],
                                      const lt_real *vectors) {
    lt_r4 sum = lt_r4_splat(0);
    for (int k = 0; k < 4; k++)
        sum = lt_r4_mad(sum, lt_r4_load(vectors + 4 * (size_t)corners[k]), lt_r4_splat((lt_real)weights[k]));
    return sum;
}
/* Its transpose: adds a vector at a node to those of the corners. */
static inline void lt_scatter_corners(const uint32_t corners[4], const float weights[4], lt_real *vectors,
                                      lt_r4 value) {
    for (int k = 0; k < 4; k++) {
        lt_real *p = vectors + 4 * (size_t)corners[k];
        lt_r4_store(p, lt_r4_mad(lt_r4_load(p), value, lt_r4_splat((lt_real)weights[k])));
    }
}

/* Of a coarse node, Σ weight × vector of the corners of the finer tet that holds it: R̃. */
static inline lt_r4 lt_gather_below(const lt_carrier *carrier, uint32_t node, const lt_real *vectors) {
    LT_ASSERT(node < carrier->node_count);
    size_t at = node - carrier->ladder.node_begin[1];
    const uint32_t *corners = carrier->tets + 4 * (size_t)carrier->ladder.below_tets[at];
    lt_r4 sum = lt_r4_splat(0);
    for (int k = 0; k < 4; k++)
        sum = lt_r4_mad(sum, lt_r4_load(vectors + 4 * (size_t)corners[k]),
                        lt_r4_splat((lt_real)carrier->ladder.below_weights[4 * at + (size_t)k]));
    return sum;
}

/* By the corners above, P and its transpose. */
static inline lt_r4 lt_prolong(const lt_carrier *carrier, uint32_t node, const lt_real *vectors) {
    LT_ASSERT(node < carrier->node_count);
    return lt_gather_corners(lt_above_corners(carrier, node), lt_above_weights(carrier, node), vectors);
}
static inline void lt_restrict(const lt_carrier *carrier, uint32_t node, lt_real *vectors, lt_r4 value) {
    LT_ASSERT(node < carrier->node_count);
    lt_scatter_corners(lt_above_corners(carrier, node), lt_above_weights(carrier, node), vectors, value);
}
/* By the corners that an inactive node hangs on. */
static inline const uint32_t *lt_hang_corners(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    return soft->carrier.tets + 4 * (size_t)soft->grid->hang_tets[node];
}
static inline const float *lt_hang_weights(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    return soft->grid->hang_weights + 4 * (size_t)node;
}
static inline lt_r4 lt_hanging(const lt_soft *soft, uint32_t node, const lt_real *vectors) {
    LT_ASSERT(node < soft->carrier.node_count);
    return lt_gather_corners(lt_hang_corners(soft, node), lt_hang_weights(soft, node), vectors);
}

/* ---- the system (multigrid_system.c) ---- */

/* Rotations of tets stay as they are until they are so far, in rad, from where they would converge to. */
#define LT_TURN_SLACK ((lt_real)1e-3)

/* Entries of levels above the finest. */
static inline size_t lt_counted_entries(const lt_carrier *carrier) {
    const uint32_t *row_begin = carrier->pattern.row_begin;
    return row_begin[carrier->node_count] - row_begin[carrier->ladder.node_begin[1]];
}
size_t lt_grid_system_reals(const lt_soft *soft);
bool lt_grid_system_take(lt_system *system, const lt_soft *soft, lt_arena *arena);
/* Blocks of all levels at the present x, in memory of the body: those of one system at a time. Elastic forces on rows to `force`
 * [row_count][4]. */
void lt_grid_assemble(lt_soft *soft, const lt_system *system, lt_real mass_factor, lt_real stiffness_factor,
                      lt_real *force, lt_simd_level level);
/* y = A x of the front, [row_count][4] each. */
void lt_grid_apply(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                   lt_simd_level level);
/* left = b − A x, of all rows, or of some where that will do: */
typedef enum lt_finest_rows {
    LT_FINEST_ALL,
    LT_FINEST_STILL,   /* x is zero on the finest level */
    LT_FINEST_UNWANTED /* rows of the finest level are not wanted */
} lt_finest_rows;
void lt_grid_defect(const lt_soft *soft, const lt_system *system, lt_real *left, const lt_real *b,
                    const lt_real *x, lt_finest_rows finest, lt_simd_level level);
/* Front nodes of one level alone: no front node is next to finer ones. */
bool lt_front_is_even(const lt_soft *soft);
/* What loads on any nodes come to on those of the front: [node_count][4], in place. */
void lt_grid_pull_loads(const lt_soft *soft, lt_real *loads);
/* The diagonal block of a row, or near it: what hangs on the node counts by squared weights. [row_count] blocks. */
void lt_grid_diagonal(const lt_soft *soft, const lt_system *system, lt_real *out);

/* ---- the cycle (multigrid_cycle.c) ---- */

/* Diagonals as assembled, without couplings. */
void lt_vcycle_begin(const lt_soft *soft, const lt_system *system);
/* A coupling that adds weight² × gains (3×3, by columns) to the nodes of an anchor, on every level. */
void lt_vcycle_add(const lt_soft *soft, const lt_system *system, const lt_anchor *anchor,
                   const lt_real gains[9]);
/* After all couplings. */
void lt_vcycle_ready(const lt_soft *soft, const lt_system *system, lt_simd_level level);
/* z = B r, one V-cycle from zero: [row_count][4] each. Symmetric. */
void lt_vcycle_run(const lt_soft *soft, const lt_system *system, lt_real *z, const lt_real *r,
                   lt_simd_level level);

/* ---- the coarsest level (multigrid_coarsest.c) ---- */

static inline size_t lt_coarsest_node_count(const lt_soft *soft) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    return ladder->node_begin[ladder->level_count] - ladder->node_begin[ladder->level_count - 1];
}
/* With diagonals and inverses as they are. */
void lt_coarsest_begin(const lt_soft *soft, const lt_system *system, lt_simd_level level);
/* change = B residual on the coarsest level, symmetric. */
void lt_coarsest_solve(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels);

/* ---- where a solve begins (multigrid_start.c) ---- */

/* The way the last one went from where it began, [row_count][4]. */
void lt_grid_last_gain(const lt_soft *soft, lt_real *way);
/* That it went to v from `start`. */
void lt_grid_remember_gain(lt_soft *soft, uint32_t row, lt_rvec3 v, lt_rvec3 start);

/* ---- Algorithm 1 as printed (multigrid_fas.c) ---- */

/* The island is one such body in mode paper, and has no couplings. */
bool lt_fas_serves(const lt_island *island);
/* Bytes of arena of an island's, and these. */
size_t lt_fas_scratch(void);
bool lt_fas_take(lt_island *island, lt_arena *arena);
/* In the place of stages 1 and 2, cut between cycles: what a cycle starts from; whether there is to be another; the velocities. */
struct lt_implicit;
void lt_fas_begin(struct lt_implicit *solve);
bool lt_fas_goes_on(const struct lt_implicit *solve);
void lt_fas_cycle(struct lt_implicit *solve);
void lt_fas_end(struct lt_implicit *solve);

/* ---- refining (multigrid_adapt.c) ---- */

/* Refines and coarsens by how the body is deformed now; true when the front is another one. */
bool lt_multigrid_adapt(lt_soft *soft, lt_real dt);

#endif
