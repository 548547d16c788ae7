/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of body/: carriers that move. Carrier state in, carrier state out.
 *
 *   carrier    the tets or cells of a shape, as views into its chunks   (shape: baked, shared)
 *   lt_soft    one body: material, elements in groups of eight, nodes   (state + per-body constants)
 *   lt_coupling  a force between two embedded points that the motion changes: contacts and drag handles.
 *              It carries its stiffness and damping, so that implicit models put it into their matrix and
 *              explicit ones evaluate it anew in every stage. Without that a stack sinks or explodes.
 *   lt_advance one step of all awake bodies:
 *
 *       islands of bodies that share couplings
 *         ├─ explicit bodies (explicit-fem, lattice-springs, lattice-matching): the same sub-steps for all
 *         └─ corotational and multigrid bodies, and whoever moves as a rigid thing: stages (implicit.h)
 *
 * Action equals reaction: a coupling's impulse is one number, applied to both sides. Where an explicit body
 * meets an implicit one, the explicit side computes the impulse and the implicit side receives it.
 *
 * Positions of nodes are offsets from the body's origin, which is in double, so that 1 mm works 1 km from the world's origin:
 *
 *   place in the world = origin + x        between bodies: x_a − x_b + lt_soft_offset_between(a, b)
 *
 * Origins change between steps alone (lt_soft_rebase; world/frames.c decides). Bodies that may touch have the same one, so that methods
 * take x, nodes, points and boxes of a pair as they are.
 *
 * Vectors of nodes are [node_count][4] lt_real, the fourth lane zero. */

#ifndef LITHE_BODY_BODY_H
#define LITHE_BODY_BODY_H

#include "core/budget.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/sparse.h"
#include "core/stream.h"
#include "core/tasks.h"
#include "core/vec.h"
#include "lithe/world.h"
#include "mesh/mesh.h"
#include "shape/shape.h"

/* ---- carrier ---- */

/* Tet carriers of one surface from fine to coarse (papers/003 §4.1–4.2): their nodes and tets lie in the arrays of the
 * carrier one level after the other, so that the finest is a carrier by itself. Rows go from a level to the next coarser
 * one and back; all of it is of the rest positions. Nodes and tets have their numbers in the whole arrays. */
enum { LT_LADDER_MOST = 12 };

typedef struct lt_ladder {
    uint32_t level_count;                    /* 0: no ladder. Level 0 is the finest */
    uint32_t node_begin[LT_LADDER_MOST + 1]; /* [level_count + 1] nodes of a level; the last: all of them */
    uint32_t tet_begin[LT_LADDER_MOST + 1];  /* [level_count + 1] likewise */
    /* Prolongation, of every node but those of the coarsest level: [node_begin[level_count - 1]] */
    const uint32_t *above_tets; /* T⁺: the tet of the next coarser level that holds it, or comes nearest */
    const float *above_weights; /* [..][4] on its corners, sum 1 */
    const uint32_t *parents;    /* the corner of it that is nearest at rest: the node forest */
    /* The same into levels farther up, for nodes that nothing near them moves: of every level l, into l + 2, …, level_count - 2 (a
     * front is never on the coarsest), one level into another after the other; see lt_ladder_far_begin */
    const uint32_t *far_tets;
    const float *far_weights; /* [..][4] */
    /* Restriction of positions, of every node but those of the finest level: by node - node_begin[1] */
    const uint32_t *below_tets; /* T⁻: the tet of the next finer level likewise */
    const float *below_weights; /* [..][4] */
    /* Cascade neighbours C(N), symmetric, of the same level, ascending, without N itself */
    const uint32_t *cascade_begin; /* [node_count + 1] */
    const uint32_t *cascade;
    /* Pieces of the solid: what of it lies in one tet of every level, however many there are. Their volumes sum to that of the
     * solid, so that every level, and every mixture of levels in which each piece counts once, weighs the same */
    const uint32_t *
        piece_tets; /* [piece_count][level_count]; ascending by the coarsest tet, then by the next finer one, … */
    const float *piece_volumes; /* [piece_count], > 0, of the shape's unit */
    uint32_t piece_count;
} lt_ladder;

/* Where rows of nodes of `level` into `into`, which is two levels above it or more, begin; of into = level_count - 1: where those
 * of the next level do. */
static inline size_t lt_ladder_far_begin(const lt_ladder *ladder, uint32_t level, uint32_t into) {
    LT_ASSERT(level <= ladder->level_count);
    size_t rows = 0;
    for (uint32_t l = 0; l <= level; l++) {
        uint32_t nodes = ladder->node_begin[l + 1] - ladder->node_begin[l];
        for (uint32_t j = l + 2; j + 1 < ladder->level_count && (l < level || j < into); j++)
            rows += nodes;
    }
    return rows;
}
static inline size_t lt_ladder_far_count(const lt_ladder *ladder) {
    return ladder->level_count < 3 ? 0 : lt_ladder_far_begin(ladder, ladder->level_count - 1, 0);
}

/* Of tets or of cells: the arrays of the other kind are NULL, its count is 0. */
typedef struct lt_carrier {
    const lt_shape *shape; /* whose chunks these are */
    const double *rest;    /* [node_count][3] */
    uint32_t node_count;
    /* Tets */
    const uint32_t *tets;      /* [tet_count][4], positive volume at rest */
    const float *fill;         /* [tet_count] share of the tet that is solid: scales mass and stiffness */
    lt_sparse_pattern pattern; /* nodes that share a tet */
    const uint32_t *entries;   /* [tet_count][16] pattern entry of block (i, j) */
    const uint32_t *
        order; /* [node_count of the finest level] as factors eliminate them (core/factor.h); NULL: not baked */
    uint32_t tet_count;
    lt_ladder ladder; /* of tets: levels; level_count 0 where there is one mesh */
    /* Cells of a lattice; see lt_cell_mesh */
    uint32_t cell_count;
    const uint32_t *cells;  /* [cell_count][8]; corner j is at + along axis k where bit k of j is set */
    const uint32_t *places; /* [cell_count] where in the grid: x | y << 10 | z << 20 */
    const float *cell_fill; /* [cell_count] share of the cell that is solid: scales mass and stiffness */
    double cell_size;       /* of the shape's unit */
} lt_carrier;

/* The carrier at rest as a mesh: arrays that must be neither changed nor freed. */
static inline lt_tet_mesh lt_carrier_mesh(const lt_carrier *carrier) {
    return (lt_tet_mesh){.positions = (lt_dvec3 *)carrier->rest,
                         .tets = (uint32_t *)carrier->tets,
                         .node_count = carrier->node_count,
                         .tet_count = carrier->tet_count};
}

/* Less of a tet or cell than this is no mass that could be divided by. */
#define LT_FILL_READ_LEAST 1e-9f

/* Names of the chunks, written by bake and read here. */
#define LT_CHUNK_NODES                "carrier.nodes"
#define LT_CHUNK_TETS                 "carrier.tets"
#define LT_CHUNK_FILL                 "carrier.fill"
#define LT_CHUNK_ROW_BEGIN            "carrier.row_begin"
#define LT_CHUNK_COLUMNS              "carrier.columns"
#define LT_CHUNK_DIAGONAL             "carrier.diagonal"
#define LT_CHUNK_ENTRIES              "carrier.entries"
#define LT_CHUNK_ORDER                "carrier.order" /* optional: carriers baked before there was one have none */
#define LT_CHUNK_LADDER_LEVELS        "ladder.levels" /* [level_count][2] nodes and tets of each, finest first */
#define LT_CHUNK_LADDER_ABOVE_TETS    "ladder.above_tets"
#define LT_CHUNK_LADDER_ABOVE_WEIGHTS "ladder.above_weights"
#define LT_CHUNK_LADDER_FAR_TETS      "ladder.far_tets"
#define LT_CHUNK_LADDER_FAR_WEIGHTS   "ladder.far_weights"
#define LT_CHUNK_LADDER_PARENTS       "ladder.parents"
#define LT_CHUNK_LADDER_BELOW_TETS    "ladder.below_tets"
#define LT_CHUNK_LADDER_BELOW_WEIGHTS "ladder.below_weights"
#define LT_CHUNK_LADDER_CASCADE_BEGIN "ladder.cascade_begin"
#define LT_CHUNK_LADDER_CASCADE       "ladder.cascade"
#define LT_CHUNK_LADDER_PIECE_TETS    "ladder.piece_tets"
#define LT_CHUNK_LADDER_PIECE_VOLUMES "ladder.piece_volumes"
#define LT_CHUNK_CELLS                "carrier.cells"
#define LT_CHUNK_PLACES               "carrier.places"
#define LT_CHUNK_CELL_FILL            "carrier.cell_fill"
#define LT_CHUNK_CELL_SIZE            "carrier.cell_size"

/* Whether a lattice is one: the first bad element is named. What is written and what is read is held against it. */
lt_status lt_carrier_check_cells(const lt_carrier *carrier, const char *name, lt_error *error);
/* Finds and checks either kind; indices out of range are refused, so that nothing later has to look. */
lt_status lt_carrier_read(lt_carrier *out, const lt_shape *shape, lt_error *error);
/* The finest level of a ladder by itself, for models and methods that know of one mesh; others as they are. */
lt_carrier lt_carrier_finest(const lt_carrier *carrier);
/* Both at once. */
lt_status lt_carrier_read_finest(lt_carrier *out, const lt_shape *shape, lt_error *error);

/* ---- one body ---- */

#define LT_NO_LIMIT ((lt_real)1e30)

/* Steps, of lt_soft.solve_interval. */
enum { LT_INTERVAL_MOST = 1000 };

/* One set of bounds for what callers set, what a step leaves and what a snapshot may hold, so that a world takes every snapshot of
 * its own. Positions and velocities, m and m/s: callers are refused beyond it, and a body that a step takes beyond it is put back
 * (blown_up). Squares of a thousand times as much, and of distances between, are floats. */
#define LT_FARTHEST ((lt_real)1e15)
/* Bound of any number in the state: nodes that follow others are put beyond these by weights, at most by some times their distance. */
#define LT_LARGEST (1000 * LT_FARTHEST)
/* N, of the sum of what callers add to a node: a scaled-up body of 10^24 kg weighs 10^25 N. What is more is cut to it. */
#define LT_STRONGEST ((lt_real)1e30)

/* Dimensionless stiffness of contacts of an implicit body. */
#define LT_FIRMNESS ((lt_real)20)

enum { LT_GROUP = 8 }; /* tets of a group: one lane each */

/* Elements in groups of eight; the last group is filled up with copies of its last tet at volume 0. */
typedef struct lt_elements {
    uint32_t *nodes;    /* [group_count][4][8] */
    lt_real *gradients; /* [group_count][9][8]: gradient of corner 1 + i/3, component i%3 */
    lt_real *volumes;   /* [group_count][8], times fill */
    uint32_t group_count;
} lt_elements;

/* Springs of a lattice in groups of eight, each once; the last group is filled up with springs of stiffness 0. */
typedef struct lt_springs {
    uint32_t *nodes;    /* [group_count][2][8], ascending by first, then second node */
    lt_real *lengths;   /* [group_count][8] m, at rest */
    lt_real *stiffness; /* [group_count][8] N/m */
    double *spread;     /* [spring_count] m: stiffness over Young's modulus */
    uint32_t group_count;
    uint32_t spring_count;
} lt_springs;

/* The nodes of a lattice along one axis: lines that do not fork are runs, nodes of others have lists. */
typedef struct lt_bars {
    uint32_t *order;        /* [order_count] nodes, one run after the other */
    uint32_t *run_begin;    /* [run_count + 1] */
    uint32_t *forked;       /* [forked_count] nodes of lines that fork */
    uint32_t *window_begin; /* [forked_count + 1] */
    uint32_t *windows;      /* [window_count] nodes at most a region's half-width away */
    uint32_t order_count, run_count, forked_count, window_count;
} lt_bars;

enum { LT_REGION_ROW = 12 }; /* numbers of a vector sum (3) and a matrix sum (9, by columns) */

/* Regions of lattice shape matching, one around each node; see lattice_regions.c. */
typedef struct lt_regions {
    lt_bars bars[3];
    uint32_t width; /* half-width in cells */
    uint32_t node_count;
    uint32_t group_count; /* of eight regions */
    lt_real rate;         /* 1/s²: pull on a node per mass and distance to its goal */
    double spread;        /* Σ tr A₀ over all regions, kg m² */
    double heaviness;     /* density over that of when they were made */
    lt_real *rest;        /* [node_count][4] m, about the centre of mass */
    lt_real *shares;      /* [node_count] kg, mass over memberships */
    lt_real *memberships; /* [node_count] regions that hold it */
    lt_real *moments; /* [group_count][10][8] centre, 1 / mass, second moments about the centre, at rest */
    /* Scratch, also of asking for the energy: not from two threads at once */
    lt_real *displacements, *velocities; /* [node_count][4] */
    lt_real *sums[3];                    /* [group_count * 8][12] */
} lt_regions;

/* Of the model multigrid: which nodes move by themselves, and what follows from that; see multigrid.h. */
typedef struct lt_multigrid lt_multigrid;
/* What implicit solves are preconditioned by; see rest_factor.h. Bodies of more tets go without: a factor would be slower than what
 * it saves. */
enum { LT_REST_FACTOR_TETS = 20000 };
typedef struct lt_rest_factors lt_rest_factors;

typedef struct lt_soft {
    /* Constants of the body */
    lt_carrier carrier;
    lt_elements elements; /* of tets */
    lt_springs springs;   /* lattice-springs only */
    lt_regions regions;   /* lattice-matching only */
    lt_multigrid *grid;   /* multigrid only; NULL: every node moves by itself */
    lt_model model;
    lt_material material; /* state; what follows from it is not */
    lt_material made_of;
    lt_real lambda, mu;     /* Lamé, of `young` */
    lt_real least_altitude; /* m, at rest; of a lattice the edge of a cell */
    lt_real mean_edge;      /* m, at rest; likewise */
    lt_real steepness;      /* 1/m², at rest: Σ 1/altitude² of the tet that has most; lattices have none */
    lt_real size;           /* m, diagonal of the box at rest */
    lt_real scale;          /* metres of a unit of the shape */
    lt_real total_mass;
    uint32_t max_substeps, max_iterations;
    lt_real tolerance;
    /* State: in one step of so many it is solved, in the others it moves as a rigid thing */
    uint32_t solve_interval;
    float young; /* state: Pa, that the last step computed with; see lt_soft_soften */
    lt_real
        refine_threshold; /* multigrid: error above which nodes are refined, a share of an edge; 0: all are, LT_NO_LIMIT: none */
    bool as_printed; /* multigrid: solved by the paper's own cycles, mode paper */
    lt_real *mass;   /* [node_count]; multigrid: 0 where a node does not move by itself */
    /* State: saved, restored, hashed */
    double
        origin[3]; /* m: what x, pin_target, x_seen, x_before and nodes are offsets from; see lt_soft_frame */
    lt_real *x;    /* [node_count][4] */
    lt_real *v;    /* [node_count][4] */
    lt_real *turns;   /* [group_count][4][8] quaternions of elements (corotational) or regions (matching) */
    uint8_t *pinned;  /* [node_count] */
    uint8_t *refined; /* [node_count] multigrid only: finer nodes move in its place */
    lt_real
        *offset; /* [node_count][4] m, multigrid only: of nodes that follow others, from where they hang */
    lt_real *
        settled; /* [node_count][4] m, multigrid only: how far active nodes are from where they hang, of late */
    lt_real *gain; /* [node_count][4] m/s, multigrid only: how far the last solve went from where it began */
    lt_real *errors;   /* [node_count] multigrid only: of active nodes, as remembered when it adapted last */
    lt_real *patience; /* [1] multigrid only: steps until nodes may be let go again */
    lt_real *pin_target; /* [node_count][4] where a pinned node has to be */
    lt_real *
        x_seen; /* [node_count][4] of a lattice: what its nodes went since is measured from there (method/) */
    lt_real *
        energy; /* [2] J: kinetic and elastic, that it may have at most (-1: not known); kinetic, as the last step left it */
    uint32_t pin_count;
    /* Input of one step, cleared by it */
    lt_real *force; /* [node_count][4] external force, N; gravity is added by the model */
    /* Input of every step, not cleared */
    lt_real
        significance; /* multigrid: the refine threshold is divided by it; 1 unless the caller says otherwise */
    /* Output of one step */
    float *nodes; /* [node_count][4] offsets for surfaces and bounds; float build: same memory as x */
    float *node_velocities; /* [node_count][4] likewise */
    lt_real *x_before;      /* [node_count][4] at the beginning of the step: what a blow-up goes back to */
    lt_real *v_before;      /* [node_count][4] multigrid only: likewise, of nodes that move by themselves */
    uint32_t substeps, iterations, inverted_count;
    lt_real residual, time_lost;
    lt_real energy_taken; /* implicit: J that passivity took from the velocity of deformation */
    bool runs_away;       /* implicit: it has far more kinetic energy than there was work */
    bool blown_up;
    bool skipped;  /* it moved as a rigid thing, its interval wanting so */
    lt_rvec3 drag; /* impulse that mass damping took, N s */
    /* Plan of one step */
    uint32_t planned_substeps;
    uint32_t factor;      /* of lt_rest_factors; LT_NONE: solves go by diagonals */
    uint32_t last_factor; /* serves until that one has numbers; LT_NONE: none does */
    lt_allocator allocator;
    void *memory; /* one block behind all arrays */
    size_t memory_size;
    size_t state_size; /* of it: what lt_soft_visit saves */
} lt_soft;

typedef struct lt_soft_def {
    lt_model model;
    lt_material material;
    lt_dmat3 rotation;
    lt_dvec3 position; /* in the world */
    double scale;
    lt_vec3 velocity, angular_velocity;
    uint32_t max_substeps, max_iterations;
    uint32_t solve_interval; /* 0: 1 */
    float tolerance;
    float refine_threshold; /* multigrid only */
    bool as_printed;        /* multigrid only */
} lt_soft_def;

/* LT_STATUS_UNSUPPORTED when the model is not one for this kind of carrier. */
lt_status lt_soft_create(lt_soft *out, const lt_carrier *carrier, const lt_soft_def *def,
                         const lt_allocator *allocator, lt_error *error);
void lt_soft_free(lt_soft *soft);

/* ---- frames ---- */

/* From the origin of one body to that of the other: what is added to offsets of `of` for those of `from`. */
static inline lt_dvec3 lt_soft_offset_between(const lt_soft *from, const lt_soft *of) {
    return (lt_dvec3){of->origin[0] - from->origin[0], of->origin[1] - from->origin[1],
                      of->origin[2] - from->origin[2]};
}
/* A place of one body's frame in another one's; the same bits where both have one origin. */
static inline lt_rvec3 lt_soft_seen_from(const lt_soft *from, const lt_soft *of, lt_rvec3 place) {
    lt_dvec3 between = lt_soft_offset_between(from, of);
    if (between.x == 0 && between.y == 0 && between.z == 0) return place;
    return (lt_rvec3){(lt_real)((double)place.x + between.x), (lt_real)((double)place.y + between.y),
                      (lt_real)((double)place.z + between.z)};
}
static inline lt_dvec3 lt_soft_to_world(const lt_soft *soft, lt_rvec3 place) {
    return (lt_dvec3){soft->origin[0] + (double)place.x, soft->origin[1] + (double)place.y,
                      soft->origin[2] + (double)place.z};
}
static inline lt_rvec3 lt_soft_from_world(const lt_soft *soft, lt_dvec3 place) {
    return (lt_rvec3){(lt_real)(place.x - soft->origin[0]), (lt_real)(place.y - soft->origin[1]),
                      (lt_real)(place.z - soft->origin[2])};
}
/* Offsets from another origin, and back: the same bits where that is the body's. */
static inline lt_vec3 lt_soft_give(const lt_soft *soft, const double from[3], lt_rvec3 x) {
    return (lt_vec3){(float)((double)x.x + (soft->origin[0] - from[0])),
                     (float)((double)x.y + (soft->origin[1] - from[1])),
                     (float)((double)x.z + (soft->origin[2] - from[2]))};
}
static inline lt_rvec3 lt_soft_take(const lt_soft *soft, const double from[3], lt_vec3 x) {
    return (lt_rvec3){(lt_real)((double)x.x + (from[0] - soft->origin[0])),
                      (lt_real)((double)x.y + (from[1] - soft->origin[1])),
                      (lt_real)((double)x.z + (from[2] - soft->origin[2]))};
}

/* The law of origins. A thing of some size near a place may keep an origin while it is no farther from it along an axis than `reach`, at
 * least four cells; else its origin is the nearest corner of the grid of cells, powers of two, 32 to 64 sizes wide: offsets are 32 sizes
 * then, 2 ulp of them 1e-5 of the size, and moves by whole cells are exact in float, but for nodes within a size of a cell's border. */
double lt_frame_cell(double size);
bool lt_frame_serves(const double origin[3], lt_dvec3 place, double reach);
void lt_frame_nearest(double origin[3], lt_dvec3 place, double cell);
enum { LT_FRAME_CELLS = 4 }; /* reach of a single body */

/* The same body in another frame: only its numbers change. */
void lt_soft_rebase(lt_soft *soft, const double origin[3]);

/* What callers may ask for, in words where it is not. */
lt_status lt_material_check(const lt_material *material, lt_error *error);
/* Δt² E / (ρ L²), L² a third of the squared diagonal of the box at rest (a cube's side), beyond which float cannot tell a body from a rigid
 * one: what the last bits of places make of its stiffness is energy from nothing. At 3e6 one of 480 combinations of a cube on a floor rises
 * by 3 % of its weight times its size, at 1e7 three by up to 6 %. (Of what was rounded on the way to the number a little is allowed.) */
#define LT_STIFFEST 1.00001e6
/* An implicit body is of `young` = the most that a step of dt can tell from rigid, or of its material's. At the top of the range it is 2,500
 * times as stiff as its contacts and sinks by less than 1e-6 of how far it would fall in a step. (Moved as a rigid thing instead, as
 * it was, its places are rounded anew in every step and nothing pulls them back: 40 last bits of its size in 2,000 steps, against 1.) */
void lt_soft_soften(lt_soft *soft, lt_real dt);
/* The body is of it from now on; a multigrid body's front is to be updated, and what it may have of energy is not known any more. */
void lt_soft_set_material(lt_soft *soft, const lt_material *material);
/* What must be saved to resume: the material, and the first state_size bytes of its memory. A number that is not finite or out of its range fails. */
void lt_soft_visit(lt_stream *s, lt_soft *soft);
/* Forces of the next step, as they were added from outside. */
void lt_soft_visit_force(lt_stream *s, lt_soft *soft);
/* A text on what is wrong with it between two steps; NULL: nothing is. */
const char *lt_validate_soft(const lt_soft *soft);
/* Publishes x and v as float, after they were changed from outside. */
void lt_soft_publish(lt_soft *soft);

/* Models whose couplings are evaluated anew in every sub-step, at the time steps of lt_soft_contact_scale. */
static inline bool lt_soft_is_explicit(const lt_soft *soft) {
    return soft->model != LT_MODEL_COROTATIONAL && soft->model != LT_MODEL_MULTIGRID;
}
/* Models of lattices; the others are of tets. */
static inline bool lt_model_is_of_cells(lt_model model) {
    return model == LT_MODEL_LATTICE_SPRINGS || model == LT_MODEL_LATTICE_MATCHING;
}
/* The state of inverse mass: 0 for pinned nodes, and for those that follow others. */
static inline lt_real lt_soft_inverse_mass(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    return soft->pinned[node] || !(soft->mass[node] > 0) ? 0 : 1 / soft->mass[node];
}
static inline lt_rvec3 lt_node_get(const lt_real *vectors, uint32_t node) {
    const lt_real *p = vectors + 4 * (size_t)node;
    return (lt_rvec3){p[0], p[1], p[2]};
}
/* The first three of four. */
static inline lt_rvec3 lt_r4_xyz(lt_r4 value) {
    lt_real lanes[4];
    lt_r4_store(lanes, value);
    return (lt_rvec3){lanes[0], lanes[1], lanes[2]};
}
static inline void lt_node_set(lt_real *vectors, uint32_t node, lt_rvec3 value) {
    lt_real *p = vectors + 4 * (size_t)node;
    p[0] = value.x;
    p[1] = value.y;
    p[2] = value.z;
}
static inline void lt_node_add(lt_real *vectors, uint32_t node, lt_rvec3 value, lt_real weight) {
    lt_real *p = vectors + 4 * (size_t)node;
    p[0] += value.x * weight;
    p[1] += value.y * weight;
    p[2] += value.z * weight;
}

lt_rvec3 lt_soft_center(const lt_soft *soft);
lt_dvec3 lt_soft_world_center(const lt_soft *soft);
lt_rvec3 lt_soft_momentum(const lt_soft *soft);
/* As it was summed: 10^24 kg at 10^15 m/s are beyond float. */
lt_dvec3 lt_soft_exact_momentum(const lt_soft *soft);
double lt_soft_kinetic_energy(const lt_soft *soft);
/* Not of one body from two threads at once: lattice-matching sums in the body's scratch. */
double lt_soft_elastic_energy(const lt_soft *soft);
/* Largest node speed. */
lt_real lt_soft_speed(const lt_soft *soft);

/* ---- momentum, and the rigid motions that carry it ---- */

/* Momentum, or a change of it: linear, and angular about some point. */
typedef struct lt_twist {
    double linear[3], angular[3];
} lt_twist;

void lt_twist_add(lt_twist *twist, lt_rvec3 arm, lt_rvec3 value, double factor);

/* Nodes as one rigid thing. */
typedef struct lt_rigid {
    double mass;
    lt_dvec3 center;          /* from the point that moments are about */
    lt_dmat3 inverse_inertia; /* about the centre; zero where there is no extent that could turn */
} lt_rigid;

/* A rigid motion: velocity shift + spin × arm. */
typedef struct lt_screw {
    lt_dvec3 shift, spin;
} lt_screw;

lt_rigid lt_rigid_of(const lt_real *positions, const lt_real *mass, uint32_t node_count, lt_rvec3 about);
/* The motion that has this momentum about the same point; none for what has no mass. */
lt_screw lt_rigid_gain(const lt_rigid *rigid, const lt_twist *momentum);

static inline lt_rvec3 lt_screw_at(const lt_screw *screw, lt_rvec3 arm) {
    lt_dvec3 v = lt_d3_add(screw->shift, lt_d3_cross(screw->spin, (lt_dvec3){arm.x, arm.y, arm.z}));
    return (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z};
}

/* ---- anchors and couplings ---- */

/* Nodes of an anchor: four of a tet, eight of a cell, more where those of a tet follow coarser ones (multigrid_anchor.c). */
enum { LT_ANCHOR_MOST = 16 };

/* A point held by nodes: Σ weight x. Weights sum to 1. */
typedef struct lt_anchor {
    uint32_t ids[LT_ANCHOR_MOST];
    lt_real weights[LT_ANCHOR_MOST];
    uint32_t count;
} lt_anchor;

static inline lt_rvec3 lt_anchor_gather(const lt_anchor *anchor, const lt_real *vectors) {
    lt_r4 sum = lt_r4_splat(0);
    for (uint32_t i = 0; i < anchor->count; i++)
        sum =
            lt_r4_mad(sum, lt_r4_load(vectors + 4 * (size_t)anchor->ids[i]), lt_r4_splat(anchor->weights[i]));
    return lt_r4_xyz(sum);
}
static inline void lt_anchor_scatter(const lt_anchor *anchor, lt_real *vectors, lt_rvec3 value) {
    for (uint32_t i = 0; i < anchor->count; i++)
        lt_node_add(vectors, anchor->ids[i], value, anchor->weights[i]);
}
/* W₁ = Σ w²/m: what an impulse of 1 at the point moves it. */
lt_real lt_anchor_inverse_mass(const lt_anchor *anchor, const lt_soft *soft);

typedef enum lt_coupling_kind {
    LT_COUPLING_CONTACT, /* one-sided along the normal, with Coulomb friction */
    LT_COUPLING_TETHER   /* a damped spring to a moving target */
} lt_coupling_kind;

typedef struct lt_coupling {
    /* Input */
    lt_coupling_kind kind;
    uint32_t body_a, body_b; /* indices of lt_soft; body_b LT_NONE: something of infinite mass */
    lt_anchor a, b;
    lt_rvec3 normal;           /* contact: unit, pushes a */
    lt_real depth;             /* contact: at the beginning of the step, > 0 penetrating */
    lt_rvec3 offset;           /* tether: from the target to a's point, at the beginning of the step */
    lt_rvec3 partner_velocity; /* of the thing of infinite mass, at the point */
    lt_real stiffness, damping, friction;
    /* State carried over steps by the contact's key */
    lt_rvec3 stick; /* tangential spring, m */
    /* Output: impulse on a over the step, N s; b got the opposite */
    lt_rvec3 impulse;
    lt_real work; /* implicit: J that it did on both sides */
    /* Of the solver */
    uint32_t member_a, member_b; /* places in the island */
    uint32_t rows_a[LT_ANCHOR_MOST],
        rows_b[LT_ANCHOR_MOST]; /* of the anchors' nodes in the island's vectors */
    lt_rvec3 slid; /* explicit: displacement between the points at the beginning of the sub-step */
    lt_real stiffness_used, damping_used; /* explicit: less where an implicit partner answers late */
} lt_coupling;

/* The time step and dimensionless stiffness s that a contact of this body may use: k ≤ s²/(dt² W). Valid after
 * lt_soft_plan. */
typedef struct lt_contact_scale {
    lt_real dt;
    lt_real s;
} lt_contact_scale;
lt_contact_scale lt_soft_contact_scale(const lt_soft *soft, lt_real dt);

/* Of a lattice, 1/s²: by how much its model pulls a node back at most, per mass and displacement. Who moves a node by d puts
 * as much energy into the body, at most, as pushing it with √rate d m/s does. */
lt_real lt_lattice_rate(const lt_soft *soft);

/* Decides sub-steps for a step of dt; call for every awake body before contacts are made. */
void lt_soft_plan(lt_soft *soft, lt_real dt);

/* ---- the step's system matrix, for constrained response ---- */

/* A = (1 + αΔt) M + (Δt² + βΔt) K at the present positions for implicit models, (1 + αΔt) M for explicit ones. */
typedef struct lt_system {
    lt_real mass_factor, stiffness_factor; /* A = the one × M + the other × K */
    lt_real *rotated; /* [group_count][9][8] gradients in the world's frame; NULL: explicit, and multigrid */
    lt_real *blocks;  /* multigrid: [pattern entries] of whole levels; NULL: A is not assembled */
    struct lt_grid_system *grid; /* multigrid: what else there is of it */
} lt_system;

static inline bool lt_system_is_implicit(const lt_system *system) {
    return system->rotated || system->grid;
}

/* y = A x on rows, [row_count][4]; A of an implicit model. */
void lt_soft_multiply(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                      lt_simd_level level);
/* The diagonal blocks of all rows, or what comes near them: [row_count]. */
void lt_soft_diagonal(const lt_soft *soft, const lt_system *system, lt_real *blocks, lt_simd_level level);

/* ---- nodes that move by themselves ---- */

/* Nodes that a caller knows of: all but those of coarser levels of a ladder. */
static inline uint32_t lt_soft_own_count(const lt_soft *soft) {
    return soft->grid ? soft->carrier.ladder.node_begin[1] : soft->carrier.node_count;
}
/* All of these move by themselves from now on, until the model thinks otherwise: who is to put them anywhere calls this. */
void lt_soft_free_nodes(lt_soft *soft);
/* After nodes were pinned: they move by themselves, that is, stay. */
void lt_soft_pins_changed(lt_soft *soft);
/* They have rows in vectors of the solvers: all nodes of most models, those of the front of a ladder. */
uint32_t lt_soft_row_count(const lt_soft *soft);
/* [row_count] the node of a row; NULL: rows are nodes. */
const uint32_t *lt_soft_row_nodes(const lt_soft *soft);
/* [node_count] the row of a node, LT_NONE: it follows others; NULL: nodes are rows. */
const uint32_t *lt_soft_node_rows(const lt_soft *soft);
static inline uint32_t lt_row_node(const uint32_t *nodes, uint32_t row) {
    return nodes ? nodes[row] : row;
}
/* The same point by nodes that move by themselves, as near as so many of them can: exactly where nodes are now. */
lt_anchor lt_soft_resolve(const lt_soft *soft, const lt_anchor *anchor);
/* The tet that moves what is in a tet of the finest level: that itself where its nodes move by themselves, else one of the front that some
 * of them hang on. What has the same one moves alike, nearly. */
uint32_t lt_soft_patch(const lt_soft *soft, uint32_t tet);
/* The level whose nodes move a node, [node_count], 0 the finest: of a node that moves by itself its own, of others the finest of those
 * that it hangs on. Returns how many levels there are: 1, and all of them 0, but for ladders. Of pictures, not of a step. */
uint32_t lt_soft_levels(const lt_soft *soft, uint8_t *levels);
/* Of a point that hangs on nodes whose levels are known: the finest. */
uint8_t lt_finest_level(const uint8_t *levels, const uint32_t *nodes, const float *weights, uint32_t count);
/* The same as a step wants it, of nodes of the finest level, [count]: the level of the tet that a node hangs on, 0: it moves by itself.
 * NULL, and bodies of one mesh: 0. True: some of them are others than they were. */
bool lt_soft_hang_levels(const lt_soft *soft, uint8_t *levels, uint32_t count);
/* Something hit it there, by rows, with this speed beyond what resting on it takes: it will be fine there for some steps. */
void lt_soft_strike(lt_soft *soft, const lt_anchor *rows, lt_real speed, lt_real dt);
/* Puts the nodes that follow others where these take them, and publishes; after anybody has moved some. */
void lt_soft_follow(lt_soft *soft);

/* ---- the motion of all ---- */

typedef struct lt_advance {
    /* Input */
    lt_soft *bodies;       /* indexed by the couplings */
    const uint32_t *awake; /* [awake_count] indices of bodies that move */
    uint32_t awake_count;
    lt_coupling *couplings; /* in and out; between awake bodies only */
    uint32_t coupling_count;
    lt_rvec3 gravity;
    lt_real dt;
    lt_simd_level level;
    lt_tasks *tasks;
    lt_arena *arena;
    const lt_rest_factors *factors; /* updated for dt; NULL: there are none */
    uint64_t step; /* number of the step: whom it is the turn of to be solved, of those with an interval */
    uint32_t max_iterations; /* of every island's solver, however many its bodies allow; 0: what they allow */
    bool rigid_alone;        /* bodies of any model move as rigid things do: the least that a step may cost */
    /* Work units that all islands may use together; 0: no limit. What no budget cuts (units_fixed) is done with 1, too */
    uint64_t units_allowed;
    uint64_t pieces_allowed; /* of every island beyond what no budget cuts: a cut anywhere; 0: no limit */
    /* Output */
    uint64_t units_used;  /* at most max(units_allowed, units_fixed) */
    uint64_t units_fixed; /* at most, of what no budget cuts; without a limit what was used */
    bool was_cut;
    lt_system *
        systems; /* [awake_count], from the arena: the matrices of the step, for constrained response; NULL: not wanted */
} lt_advance;

/* Bytes of arena that lt_advance_run needs at most for these bodies and that many couplings. */
size_t lt_advance_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                          uint32_t coupling_capacity, const lt_rest_factors *factors);
/* False when the arena was too small: nothing has moved then. */
bool lt_advance_run(lt_advance *advance);

#endif
