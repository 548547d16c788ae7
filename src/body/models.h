/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside body/: the kernels and the models, which have the same verbs. */

#ifndef LITHE_BODY_MODELS_H
#define LITHE_BODY_MODELS_H

#include "body/body.h"

/* ---- reading carriers ---- */

bool lt_all_below(const uint32_t *values, uint64_t count, uint64_t limit);
lt_status lt_carrier_check_nodes(const lt_carrier *carrier, const char *name, lt_error *error);
/* The part of lt_carrier_read that is about cells. */
lt_status lt_carrier_read_cells(lt_carrier *out, uint64_t node_count, const lt_shape *shape, lt_error *error);
/* The part that is about ladders, of a carrier whose tets and pattern have been checked. */
lt_status lt_ladder_read(lt_ladder *out, const lt_carrier *carrier, const lt_shape *shape, lt_error *error);

static inline lt_dvec3 lt_carrier_rest(const lt_carrier *carrier, uint32_t node, double scale) {
    LT_ASSERT(node < carrier->node_count);
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_dvec3){p[0] * scale, p[1] * scale, p[2] * scale};
}

/* ---- what follows from the material ---- */

void lt_soft_weigh(lt_soft *soft, double scale);
void lt_soft_stiffen(lt_soft *soft);
/* Hashed where it is not what the body was made of. */
void lt_soft_visit_material(lt_stream *s, lt_soft *soft);

/* ---- element kernels: eight tets at a time ---- */

typedef struct lt_element_work {
    const lt_elements *elements;
    const uint32_t *groups; /* corotational: [group_count] which; NULL: all there are */
    uint32_t group_count;
    const lt_real *x; /* [node_count][4] */
    const lt_real *v; /* Green only: for the viscous stress */
    lt_real lambda, mu;
    lt_real viscosity;    /* s, times lambda and mu */
    const lt_real *turns; /* corotational: [group_count][4][8] quaternions to start from */
    lt_real *turns_out;   /* corotational: where they end; may be the same; NULL: not wanted */
    lt_real *force;       /* [node_count][4], added to; NULL: not wanted */
    lt_real *rotated;     /* corotational, may be NULL: [group_count][9][8] gradients in the world's frame */
    /* corotate alone */
    const lt_real *turned_by; /* quaternion that all have turned by since, in the world's frame; NULL: none */
    bool near;                /* rotations to within 1e-6 rad will do */
    /* corotate_lazily alone */
    lt_real slack;   /* rad: rotations that fit within it stay as they are */
    uint8_t *turned; /* [group_count] bits of tets whose did not; NULL: not wanted */
    bool rotate_all; /* `rotated` of all groups is wanted, else of those with such a tet */
    /* Output */
    uint32_t inverted_count;
    double energy;
    lt_real stretch_squared; /* Green: largest bound on the squared principal stretch */
} lt_element_work;

/* K = Σ_tets V (λ h_i h_jᵀ + μ h_j h_iᵀ + μ (h_i·h_j) I) between corners, h gradients in the world's frame. */
typedef struct lt_stiffness_work {
    const lt_elements *elements;
    const lt_real *rotated; /* [group_count][9][8] h of corners 1, 2, 3 */
    lt_real lambda, mu;
    const lt_real *x; /* [node_count][4] */
    lt_real *y;       /* added to: [node_count][4], of the diagonal [node_count] blocks */
} lt_stiffness_work;

typedef struct lt_element_kernels {
    void (*corotate)(lt_element_work *work);
    void (*corotate_lazily)(
        lt_element_work *work); /* counts no energy: it is not that of the nearest rotations */
    void (*green)(lt_element_work *work);
    void (*multiply_stiffness)(const lt_stiffness_work *work); /* y += K x, not assembled */
    void (*add_stiffness_diagonal)(const lt_stiffness_work *work);
    /* The sum of all rotations, each by the one of q and −q that is nearer to the sum before it, lane by lane. */
    void (*sum_turns)(const lt_real *turns, uint32_t group_count, double out[4]);
} lt_element_kernels;

const lt_element_kernels *lt_element_kernels_for(lt_simd_level level);

/* ---- islands: bodies that share couplings, and their scratch ---- */

/* Adds the momentum that the body has with velocities v. */
void lt_twist_add_momentum(lt_twist *twist, const lt_soft *soft, const lt_real *v, lt_rvec3 center);
/* A body as it is, as one rigid thing: lt_rigid_of the nodes that have mass. */
lt_rigid lt_soft_rigid(const lt_soft *soft, lt_rvec3 about);
/* Adds to v the rigid motion that has this momentum about the point `about`. */
void lt_twist_give(lt_real *v, const lt_soft *soft, lt_rvec3 about, const lt_twist *missing);

typedef struct lt_member {
    lt_soft *soft;
    uint32_t body; /* index of the soft, as couplings name it */
    uint32_t row;  /* first row of its nodes in the island's vectors */
    uint32_t row_count;
    const uint32_t *nodes; /* [row_count] of its rows; NULL: rows are nodes */
    lt_system system;      /* corotational only */
    lt_rvec3 center;       /* at the beginning of the step: moments are about it */
    lt_real speed;         /* largest of a node at the beginning of the step */
    lt_twist due; /* explicit: momentum it should have; corotational: moments of explicit partners that
                         * `force` does not hold */
    const struct lt_rest_factor *factor; /* corotational: what it is preconditioned by; NULL: diagonals */
    lt_real turn[9]; /* corotational: rotation of the body as a whole, by columns, for its factor */
    /* Of a solve with its factor; that of the member behind it in the island's order follows: several at once take theirs together */
    lt_real *factor_scratch;
    /* corotational, J: at the begin of the step; whether it is held against what is allowed; of forces and couplings in the step */
    double energy;
    bool energy_is_known;
    double work;
    bool rigid_alone; /* it moves as a rigid thing does in this step */
    bool
        staged; /* stages move it (implicit.h): of explicit models those that move as rigid things, others in sub-steps */
    bool left_out;              /* rigid_alone, because a budget was not enough for more */
    struct lt_rigid_row *rigid; /* corotational: as one rigid thing, see implicit.h */
} lt_member;

enum { LT_ISLAND_VECTORS = 7 };

typedef struct lt_island {
    lt_member *members;  /* [member_count], by ascending body */
    uint32_t *couplings; /* [coupling_count] indices into the step's couplings, ascending */
    uint32_t member_count;
    uint32_t coupling_count;
    uint32_t row_count;                  /* of all members */
    lt_real *vectors[LT_ISLAND_VECTORS]; /* [row_count][4] each: scratch of the model */
    lt_real *inverse_diagonal;           /* [row_count] blocks */
    uint32_t *order;                     /* [member_count] members, those of one factor in a row */
    uint32_t *listed;                    /* [coupling_count] scratch: those between implicit members */
    struct lt_coupling_set *set;         /* of couplings between implicit members, as listed */
    struct lt_rigid_level *rigid;        /* scratch of the rigid stage */
    struct lt_patch_set *patches;        /* scratch of the preconditioner */
    struct lt_fas *fas;                  /* scratch of multigrid_fas.c, where it serves the island */
} lt_island;

/* Where a coupling acts: the member of each side, NULL for a side of infinite mass. */
typedef struct lt_sides {
    lt_member *a, *b;
} lt_sides;
static inline lt_sides lt_coupling_sides(const lt_island *island, const lt_coupling *coupling) {
    lt_member *b = coupling->member_b == LT_NONE ? NULL : &island->members[coupling->member_b];
    return (lt_sides){&island->members[coupling->member_a], b};
}

/* The one point, half-way between those of its sides, where a coupling acts on both; in the frame of a. */
static inline lt_rvec3 lt_coupling_point(const lt_coupling *coupling, lt_sides sides) {
    lt_rvec3 point = lt_anchor_gather(&coupling->a, sides.a->soft->x);
    if (!sides.b) return point;
    lt_rvec3 b = lt_anchor_gather(&coupling->b, sides.b->soft->x);
    return lt_r3_scale(lt_r3_add(point, lt_soft_seen_from(sides.a->soft, sides.b->soft, b)), (lt_real)0.5);
}

/* ---- explicit models ---- */

/* Lattices and their couplings in sub-steps h of symplectic Euler. With Rayleigh quotients a of h² M⁻¹K and b of h M⁻¹C,
 * which need not commute, every eigenvalue of a sub-step solves
 *
 *     λ² − (2 − a − b) λ + (1 − b) = 0,   and |λ| ≤ 1 exactly where  a ≥ 0, b ≥ 0, a + 2b ≤ 4
 *
 * for an eigenvector e is its own (e*, e) product with (λ−1)² + λ a + (λ−1) b. Such forms add up: what the model and all
 * couplings of a node take of a + 2b is what matters, not how they fit together. The model takes 2 at most, couplings
 * 3.8 less what it takes; a twentieth is left. (Drag is implicit: it takes nothing.)
 *
 * A contact with k = s²/(h²W), c = 2ζ√(k/W) takes s² + 4ζs: 1.8 for s = 1, ζ = 0.2. A single node comes back from such a one
 * with 0.84 of its speed at most, being deep at once by up to h v; beyond s = 1.2 it would be faster than it came. With 0.8 a
 * teapot stands 5 mm in the floor at 1/240 s instead of 3. */
#define LT_STABLE_SUM       ((lt_real)3.8)
#define LT_LATTICE_FIRMNESS ((lt_real)1.0)

/* a + 2b of each model in a sub-step of h, and what that leaves to couplings. */
lt_real lt_springs_share(const lt_soft *soft, lt_real h);
lt_real lt_matching_share(const lt_soft *soft, lt_real h);
lt_real lt_lattice_room(const lt_soft *soft, lt_real h);

/* All sub-steps of the explicit bodies of an island. */
void lt_explicit_advance(const lt_advance *advance, lt_island *island);
/* What is left of the step after `elapsed`, where sub-steps were cut: explicit bodies go on as rigid things (explicit_rest.c). */
void lt_explicit_rest(const lt_advance *advance, lt_island *island, lt_real elapsed);
/* Of couplings (coupling.c): how far its points have moved apart since the step began; sides of implicit models go on as they were. */
lt_rvec3 lt_coupling_displacement(const lt_coupling *coupling, lt_sides sides, lt_real elapsed);
/* What the moment of an impulse f at the common point of both sides is beyond that of f at the side's own: added to what is due. */
void lt_coupling_add_moment(lt_member *member, const lt_anchor *anchor, lt_rvec3 point, lt_rvec3 f,
                            double share);
/* How many sub-steps no longer than `step` there are in dt. */
static inline uint32_t lt_substeps_of(lt_real dt, lt_real step) {
    LT_ASSERT(dt >= 0);
    lt_real needed = dt / step;
    return needed < 1 ? 1 : needed < 1e6f ? (uint32_t)needed + 1 : 1000000;
}

/* Of each model: planned_substeps for a step of dt, and its forces at the present x and v, added to `force`. */
void lt_fem_plan(lt_soft *soft, lt_real dt);
void lt_fem_add_forces(lt_soft *soft, lt_real *force, lt_simd_level level);

lt_status lt_springs_create(lt_springs *out, const lt_soft *soft, lt_error *error);
/* Of a material of another Young's modulus. */
void lt_springs_stiffen(lt_soft *soft);
void lt_springs_free(lt_springs *springs, const lt_allocator *allocator);
/* ω², without what unfolds cells. */
lt_real lt_springs_rate(const lt_soft *soft);
void lt_springs_plan(lt_soft *soft, lt_real dt);
void lt_springs_add_forces(lt_soft *soft, lt_real *force, lt_real h, lt_simd_level level);
double lt_springs_energy(const lt_soft *soft);

/* Eight springs at a time. */
typedef struct lt_spring_work {
    const lt_springs *springs;
    const lt_real *x, *v; /* [node_count][4] */
    lt_real viscosity;    /* s, times the stiffness */
    lt_real *force;       /* [node_count][4], added to; NULL: not wanted */
    double energy;        /* output */
} lt_spring_work;
typedef void lt_spring_kernel(lt_spring_work *work);

/* Cells with an axis shorter than this share of its length are pushed to be longer, and the right way round. */
#define LT_FOLD_BEGIN 0.5
typedef struct lt_fold_work {
    const lt_carrier *carrier;
    const lt_real *x; /* [node_count][4] */
    lt_real edge;     /* m */
    double young;
    lt_real *force; /* [node_count][4], added to; NULL: not wanted */
    /* Output */
    double energy;
    uint32_t inverted_count;
} lt_fold_work;
typedef void lt_fold_kernel(lt_fold_work *work);
/* One that the kernel found. */
void lt_unfold_cell(lt_fold_work *work, uint32_t cell);

/* Half-width and rate of the regions from Young's modulus. */
lt_status lt_matching_create(lt_regions *out, const lt_soft *soft, lt_error *error);
/* Of another material: the same regions, drawn otherwise. */
void lt_matching_stiffen(lt_soft *soft);
void lt_matching_plan(lt_soft *soft, lt_real dt);
/* In a sub-step of h. */
void lt_matching_add_forces(lt_soft *soft, lt_real *force, lt_real h, lt_simd_level level);
double lt_matching_energy(const lt_soft *soft);

lt_status lt_regions_create(lt_regions *out, const lt_soft *soft, uint32_t width, lt_error *error);
void lt_regions_free(lt_regions *regions, const lt_allocator *allocator);
/* Rows of LT_REGION_ROW numbers, [node_count]: sums over the nodes of each region, and over the regions of each node.
 * `in` is used as scratch. */
void lt_regions_sum(const lt_regions *regions, lt_real *out, lt_real *in);
void lt_regions_sum_memberships(const lt_regions *regions, lt_real *out, lt_real *in);

/* Rigid motions of eight regions at a time. */
typedef struct lt_match_work {
    const lt_regions *regions;
    const lt_real *displaced; /* rows of sums over displacements */
    const lt_real *moving;    /* over velocities; NULL: not damped */
    lt_real viscosity;        /* s */
    const lt_real *turns;     /* [group_count][4][8] quaternions to start from */
    lt_real *turns_out;       /* where they end; may be the same; NULL: not wanted */
    lt_real *out;             /* rows: the motion of each region; NULL: the energy is wanted instead */
    double energy;            /* output */
} lt_match_work;
typedef void lt_match_kernel(lt_match_work *work);

/* Cells that are turned inside out: det ≤ 0 of the mean edges along the three axes. */
uint32_t lt_lattice_inverted_count(const lt_soft *soft);

/* ---- corotational ---- */

/* Room for the matrix of a step; none for explicit models. False: the arena is too small. */
bool lt_system_take(lt_system *system, const lt_soft *soft, lt_real dt, lt_arena *arena);

/* The stages of implicit steps move it; an explicit body, too, that moves as a rigid thing. */
static inline bool lt_is_implicit(const lt_member *member) {
    return member && member->staged;
}
/* Couplings with a side that takes sub-steps are settled there. */
static inline bool lt_is_implicit_pair(lt_sides sides) {
    return lt_is_implicit(sides.a) && (!sides.b || lt_is_implicit(sides.b));
}
static inline lt_real *lt_member_rows(lt_real *vectors, const lt_member *member) {
    return vectors + 4 * (size_t)member->row;
}

/* The matrices of a step at positions x: rotations there, and their elastic forces, [row_count][4], written. Of multigrid bodies x
 * is where they are. Returns the elastic energy; 0 of multigrid bodies. */
double lt_system_fill(lt_soft *soft, const lt_system *system, const lt_real *x, const lt_real turned_by[4],
                      lt_real *force, lt_simd_level level);
/* y = K x alone, of bodies whose nodes all move by themselves. */
void lt_soft_multiply_stiffness(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                                lt_simd_level level);

#endif
