/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model lattice-matching: lattice shape matching after Rivers & James 2007, with the shared masses m̃ in all sums
 * (spec: with plain masses momentum is off by 4e-2). Every region pulls its nodes to where they would be if it had moved
 * rigidly; g is the mean of where a node's regions want it:
 *
 *   f = m κ (g − x) + m κ β (p − v)      −∇V of  V = ½ κ Σ_r Σ_i m̃ |x − R_r (x₀ − c₀) − c_r|²
 *
 * and p is the mean of the rigid motions nearest to the velocities of its regions. Both are bounded whatever the shape: V's
 * second derivatives are κ less those of Σ max over R of tr(RᵀA), which is convex, and p is a mean of projections.
 *
 * Soft to stiff by Young's modulus: a uniform strain ε of the whole body has V = ½ κ ε²/3 Σ_r tr A₀, and that is to be
 * ½ E ε² per volume, which gives κ for any half-width w of regions. The solid has Poisson's ratio 0. Sub-steps have
 * κ h² ≤ 1 (g − x = −s x with 0 ≤ s ≤ 1 for every mode), so the least w is taken whose κ allows steps of 1/60 s: soft materials have small regions, stiff ones large. Where WIDEST is not enough
 * there are sub-steps as well; wider regions would need fewer, but give way like a hinge beside pins, which are few of
 * their nodes. With max_substeps used up, κ is capped: softer than asked for, but stable at any step. Damping is
 * capped likewise, at κ h² + 2 κ β h ≤ 2: the other half of what is stable is for couplings (models.h).
 *
 * Numbers are those of the body's frame: x = Q (x₀ + u) + t with the nearest rigid motion (Q, t) of all nodes, v less the
 * rigid motion that has its momentum. Any frame gives the same forces; in this one what is summed is as small as the
 * deformation, and roundings with it. */

#include "body/models.h"
#include "core/polar.h"

extern lt_match_kernel lt_match_regions_scalar, lt_match_regions_wide4, lt_match_regions_avx2;

static const double STEP_AT_MOST = 1.0 / 60;
enum { WIDEST = 4 };

/* ---- stiffness ---- */

/* Cells along the longest axis: wider regions than that are no different. */
static uint32_t longest_extent(const lt_carrier *c) {
    uint32_t longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t cell = 0; cell < c->cell_count; cell++) {
            lo = lt_min_u32(lo, lt_cell_place_along(c->places[cell], axis));
            hi = lt_max_u32(hi, lt_cell_place_along(c->places[cell], axis));
        }
        longest = lt_max_u32(longest, hi - lo + 1);
    }
    return longest;
}

/* In the middle of a large body second moments are w (w + 1) h²/3 of the mass; near its surface less. */
static uint32_t least_width(const lt_soft *soft, uint32_t widest) {
    double edge = (double)soft->mean_edge, young = soft->material.young, density = soft->material.density;
    double wanted = 3 * young / density * STEP_AT_MOST * STEP_AT_MOST / (edge * edge);
    uint32_t width = 1;
    while (width < widest && (double)width * (width + 1) < wanted)
        width++;
    return width;
}

static lt_real rate_of(const lt_regions *r, const lt_soft *soft) {
    double volume = (double)soft->total_mass / soft->material.density;
    return (lt_real)(3 * soft->material.young * volume / (r->spread * r->heaviness));
}

void lt_matching_stiffen(lt_soft *soft) {
    lt_regions *r = &soft->regions;
    r->heaviness = (double)soft->material.density / (double)soft->made_of.density;
    r->rate = rate_of(r, soft);
}

lt_status lt_matching_create(lt_regions *out, const lt_soft *soft, lt_error *error) {
    uint32_t widest = lt_min_u32(WIDEST, longest_extent(&soft->carrier));
    for (uint32_t width = least_width(soft, widest);; width++) {
        lt_status status = lt_regions_create(out, soft, width, error);
        if (status != LT_OK) return status;
        out->heaviness = 1;
        out->rate = rate_of(out, soft);
        if (width >= widest || (double)out->rate * STEP_AT_MOST * STEP_AT_MOST <= 1) return LT_OK;
        lt_regions_free(out, &soft->allocator);
    }
}

void lt_matching_plan(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    /* Just at the limit roundings must not ask for two. */
    uint32_t needed = lt_substeps_of(dt, (lt_real)1.0001 / lt_sqrt_r(soft->regions.rate));
    soft->planned_substeps = lt_min_u32(needed, soft->max_substeps);
}

/* ---- the body's frame ---- */

typedef struct frame {
    lt_dmat3 turn;
    lt_dvec3 center;
} frame;

static lt_dvec3 d3_of(const lt_real *vectors, uint32_t node) {
    const lt_real *p = vectors + 4 * (size_t)node;
    return (lt_dvec3){p[0], p[1], p[2]};
}

static frame find_frame(const lt_soft *soft) {
    lt_dvec3 sum = {0, 0, 0};
    double mass = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        sum = lt_d3_mad(sum, d3_of(soft->x, node), soft->mass[node]);
        mass += soft->mass[node];
    }
    frame f = {.center = lt_d3_scale(sum, 1 / mass)};
    lt_dmat3 a = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_dvec3 arm = lt_d3_sub(d3_of(soft->x, node), f.center), rest = d3_of(soft->regions.rest, node);
        double m = soft->mass[node];
        a.c0 = lt_d3_mad(a.c0, arm, m * rest.x);
        a.c1 = lt_d3_mad(a.c1, arm, m * rest.y);
        a.c2 = lt_d3_mad(a.c2, arm, m * rest.z);
    }
    f.turn = lt_polar_by_svd(a);
    return f;
}

static void set_vector(lt_real *vectors, uint32_t node, lt_dvec3 value) {
    lt_node_set(vectors, node, (lt_rvec3){(lt_real)value.x, (lt_real)value.y, (lt_real)value.z});
}

/* u = Qᵀ (x − t) − x₀; returns Σ m |u|². */
static double find_displacements(const lt_soft *soft, const frame *f) {
    const lt_regions *r = &soft->regions;
    double sum = 0;
    for (uint32_t node = 0; node < r->node_count; node++) {
        lt_dvec3 arm = lt_d3_sub(d3_of(soft->x, node), f->center);
        lt_dvec3 u = lt_d3_sub(lt_dm3_mul_vec_transposed(f->turn, arm), d3_of(r->rest, node));
        sum += (double)soft->mass[node] * lt_d3_dot(u, u);
        set_vector(r->displacements, node, u);
    }
    return sum;
}

/* v less the rigid motion of its momentum, turned into the frame. A body with pins turns about these and nobody puts back
 * what damping takes of that: it keeps its turning. */
static void find_velocities(const lt_soft *soft, const frame *f) {
    const lt_regions *r = &soft->regions;
    lt_rvec3 center = {(lt_real)f->center.x, (lt_real)f->center.y, (lt_real)f->center.z};
    lt_twist momentum = {{0}, {0}}, opposite;
    lt_twist_add_momentum(&momentum, soft, soft->v, center);
    for (int k = 0; k < 3; k++) {
        opposite.linear[k] = -momentum.linear[k];
        opposite.angular[k] = soft->pin_count == 0 ? -momentum.angular[k] : 0;
    }
    for (uint32_t node = 0; node < r->node_count; node++)
        lt_node_set(r->velocities, node, lt_node_get(soft->v, node));
    lt_twist_give(r->velocities, soft, center, &opposite);
    for (uint32_t node = 0; node < r->node_count; node++)
        set_vector(r->velocities, node, lt_dm3_mul_vec_transposed(f->turn, d3_of(r->velocities, node)));
}

/* ---- sums ---- */

/* Σ m̃ a and Σ m̃ a x₀ᵀ over every region, in `out`; `in` is used up. */
static void sum_vectors(const lt_regions *r, lt_real *out, lt_real *in, const lt_real *vectors) {
    for (uint32_t node = 0; node < r->node_count; node++) {
        const lt_real *rest = r->rest + 4 * (size_t)node;
        lt_real *row = in + LT_REGION_ROW * (size_t)node, m = r->shares[node];
        for (uint32_t k = 0; k < 3; k++) {
            lt_real value = m * vectors[4 * (size_t)node + k];
            row[k] = value;
            for (uint32_t column = 0; column < 3; column++)
                row[3 + 3 * column + k] = value * rest[column];
        }
    }
    lt_regions_sum(r, out, in);
}

/* f = m κ Q (goal − u − β v), goal = (E x₀ + τ) / memberships of the sums of memberships. */
static void add_pulls(const lt_soft *soft, lt_real *force, const lt_real *rows, const frame *f, lt_real rate,
                      lt_real viscosity) {
    const lt_regions *r = &soft->regions;
    lt_rmat3 turn = {{(lt_real)f->turn.c0.x, (lt_real)f->turn.c0.y, (lt_real)f->turn.c0.z},
                     {(lt_real)f->turn.c1.x, (lt_real)f->turn.c1.y, (lt_real)f->turn.c1.z},
                     {(lt_real)f->turn.c2.x, (lt_real)f->turn.c2.y, (lt_real)f->turn.c2.z}};
    for (uint32_t node = 0; node < r->node_count; node++) {
        const lt_real *row = rows + LT_REGION_ROW * (size_t)node;
        lt_rmat3 e = {{row[3], row[4], row[5]}, {row[6], row[7], row[8]}, {row[9], row[10], row[11]}};
        lt_rvec3 goal =
            lt_r3_add(lt_rm3_mul_vec(e, lt_node_get(r->rest, node)), (lt_rvec3){row[0], row[1], row[2]});
        lt_rvec3 pull =
            lt_r3_sub(lt_r3_scale(goal, 1 / r->memberships[node]), lt_node_get(r->displacements, node));
        if (viscosity > 0) pull = lt_r3_mad(pull, lt_node_get(r->velocities, node), -viscosity);
        lt_node_add(force, node, lt_rm3_mul_vec(turn, pull), soft->mass[node] * rate);
    }
}

/* κ h² and κ β h, as far as they are stable together with couplings. */
typedef struct strength {
    lt_real rate, viscosity;
} strength;

static strength strength_of(const lt_soft *soft, lt_real h) {
    LT_ASSERT(h > 0);
    lt_real rate = lt_min_r(soft->regions.rate, 1 / (h * h));
    lt_real most = (1 - rate * h * h / 2) / (rate * h);
    return (strength){rate, lt_min_r(soft->material.stiffness_damping, most)};
}

lt_real lt_matching_share(const lt_soft *soft, lt_real h) {
    LT_ASSERT(h > 0);
    strength s = strength_of(soft, h);
    return s.rate * h * (h + 2 * s.viscosity);
}

void lt_matching_add_forces(lt_soft *soft, lt_real *force, lt_real h, lt_simd_level level) {
    LT_ASSERT(h > 0);
    static lt_match_kernel *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_match_regions);
    const lt_regions *r = &soft->regions;
    strength s = strength_of(soft, h);
    lt_real viscosity = s.viscosity;
    frame f = find_frame(soft);
    find_displacements(soft, &f);
    sum_vectors(r, r->sums[1], r->sums[0], r->displacements);
    if (viscosity > 0) {
        find_velocities(soft, &f);
        sum_vectors(r, r->sums[2], r->sums[0], r->velocities);
    }
    lt_match_work work = {.regions = r,
                          .displaced = r->sums[1],
                          .moving = viscosity > 0 ? r->sums[2] : NULL,
                          .viscosity = viscosity,
                          .turns = soft->turns,
                          .turns_out = soft->turns,
                          .out = r->sums[0]};
    table[level](&work);
    lt_regions_sum_memberships(r, r->sums[1], r->sums[0]);
    add_pulls(soft, force, r->sums[1], &f, s.rate, viscosity);
}

double lt_matching_energy(const lt_soft *soft) {
    const lt_regions *r = &soft->regions;
    frame f = find_frame(soft);
    double displaced = find_displacements(soft, &f);
    sum_vectors(r, r->sums[1], r->sums[0], r->displacements);
    lt_match_work work = {.regions = r, .displaced = r->sums[1], .turns = soft->turns};
    lt_match_regions_scalar(&work);
    return lt_max_d(0, (double)r->rate * (displaced + r->heaviness * work.energy) / 2);
}
