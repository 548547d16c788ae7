/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Model lattice-springs: damped springs between all corners of a cell, symplectic Euler; the dynamics of the
 * cell-box paper (papers/002 §3). Where cells share a spring it is there once, with the sum of their stiffnesses.
 *
 * A cell of edge h and filling φ gives its 12 edges and 12 face diagonals k = 2/15 E h φ each, its 4 body diagonals
 * ¾ k. Then Σ k l² nnᵀnnᵀ / h³ is the isotropic solid of Young's modulus E and Poisson's ratio ¼, the only one
 * that central forces can make.
 *
 * Springs alone do not tell inside from outside; see lattice_folds.c.
 *
 * Sub-step: Σ k (Δu·n)² ≤ Σ k |Δu|² ≤ 8 k Σ |u|² over the corners of a cell (eigenvalues 7½ k, 8 k, 7½ k for fields
 * that alternate along one, two, three axes), however it is deformed, and each corner has an eighth of the cell's
 * mass: ω² ≤ 128/15 E/(ρh²), whatever the filling and how many cells there are. What unfolds cells adds up to 4⅞ k to
 * fields that alternate along one axis: a = 1.547 (ωΔt)² at most. (ωΔt)² ≤ 1 and a + 2βω²Δt ≤ 2 are used, half of what
 * is stable; the other half is for couplings (models.h). */

#include "body/models.h"

extern lt_spring_kernel lt_pull_springs_scalar, lt_pull_springs_wide4, lt_pull_springs_avx2;
extern lt_fold_kernel lt_unfold_cells_scalar, lt_unfold_cells_wide4, lt_unfold_cells_avx2;

static const double SHARE_OF_EDGE = 2.0 / 15, SHARE_OF_BODY_DIAGONAL = 0.1;

enum { CELL_SPRINGS = 28 };

typedef struct spring {
    uint32_t first, second;
    double length, spread;
} spring;

/* Springs of all cells, bucket after bucket by first node, ascending by second in each, equal ones made one. */
typedef struct spring_list {
    spring *springs;
    uint32_t *begin; /* [node_count + 1] */
    uint32_t capacity;
    uint32_t count;
} spring_list;

static spring spring_of(const lt_soft *soft, uint32_t cell, uint32_t i, uint32_t j) {
    LT_ASSERT(cell < soft->carrier.cell_count);
    const uint32_t *corners = soft->carrier.cells + 8 * (size_t)cell;
    uint32_t axes = i ^ j, axis_count = (axes & 1) + (axes >> 1 & 1) + (axes >> 2);
    double edge = (double)soft->mean_edge;
    double share = axis_count == 3 ? SHARE_OF_BODY_DIAGONAL : SHARE_OF_EDGE;
    return (spring){.first = lt_min_u32(corners[i], corners[j]),
                    .second = lt_max_u32(corners[i], corners[j]),
                    .length = edge * sqrt(axis_count),
                    .spread = share * edge * soft->carrier.cell_fill[cell]};
}

static void count_springs(spring_list *list, const lt_soft *soft) {
    for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++)
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t j = i + 1; j < 8; j++)
                list->begin[spring_of(soft, cell, i, j).first + 1]++;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        list->begin[node + 1] += list->begin[node];
}

/* Buckets are small: a node has 26 neighbours where the lattice does not branch. */
static void insert_spring(spring *bucket, uint32_t *count, spring added) {
    uint32_t at = *count;
    for (; at > 0 && bucket[at - 1].second > added.second; at--)
        ;
    if (at > 0 && bucket[at - 1].second == added.second) {
        bucket[at - 1].spread += added.spread;
        return;
    }
    for (uint32_t i = (*count)++; i > at; i--)
        bucket[i] = bucket[i - 1];
    bucket[at] = added;
}

static void list_springs(spring_list *list, uint32_t *filled, const lt_soft *soft) {
    count_springs(list, soft);
    for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++)
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t j = i + 1; j < 8; j++) {
                spring added = spring_of(soft, cell, i, j);
                insert_spring(list->springs + list->begin[added.first], &filled[added.first], added);
            }
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        for (uint32_t i = 0; i < filled[node]; i++)
            list->springs[list->count++] = list->springs[list->begin[node] + i];
}

static bool fill_groups(lt_springs *out, const spring_list *list, const lt_allocator *allocator) {
    size_t groups = list->count / LT_GROUP + (list->count % LT_GROUP != 0);
    out->group_count = (uint32_t)groups;
    out->spring_count = list->count;
    out->nodes = LT_NEW(allocator, 2 * LT_GROUP * groups, uint32_t);
    out->lengths = LT_NEW(allocator, LT_GROUP * groups, lt_real);
    out->stiffness = LT_NEW(allocator, LT_GROUP * groups, lt_real);
    out->spread = LT_NEW(allocator, list->count, double);
    if (!out->nodes || !out->lengths || !out->stiffness || !out->spread) return false;
    for (size_t slot = 0; slot < LT_GROUP * groups; slot++) {
        bool padding = slot >= list->count;
        const spring *s = &list->springs[padding ? list->count - 1 : slot];
        size_t group = slot / LT_GROUP, lane = slot % LT_GROUP;
        out->nodes[2 * LT_GROUP * group + lane] = s->first;
        out->nodes[2 * LT_GROUP * group + LT_GROUP + lane] = s->second;
        out->lengths[slot] = (lt_real)s->length;
        if (!padding) out->spread[slot] = s->spread;
    }
    return true;
}

static void stiffen(lt_springs *springs, double young) {
    for (uint32_t i = 0; i < springs->spring_count; i++)
        springs->stiffness[i] = (lt_real)(young * springs->spread[i]);
}

void lt_springs_stiffen(lt_soft *soft) {
    stiffen(&soft->springs, soft->material.young);
}

lt_status lt_springs_create(lt_springs *out, const lt_soft *soft, lt_error *error) {
    const lt_allocator *allocator = &soft->allocator;
    uint32_t node_count = soft->carrier.node_count;
    spring_list list = {.capacity = CELL_SPRINGS * soft->carrier.cell_count};
    list.springs = LT_NEW(allocator, list.capacity, spring);
    list.begin = LT_NEW(allocator, (size_t)node_count + 1, uint32_t);
    uint32_t *filled = LT_NEW(allocator, node_count, uint32_t);
    *out = (lt_springs){0};
    bool ok = list.springs && list.begin && filled;
    if (ok) {
        list_springs(&list, filled, soft);
        ok = fill_groups(out, &list, allocator);
    }
    if (ok)
        stiffen(out, soft->material.young);
    else
        lt_springs_free(out, allocator);
    LT_DELETE(allocator, list.springs, list.capacity, spring);
    LT_DELETE(allocator, list.begin, (size_t)node_count + 1, uint32_t);
    LT_DELETE(allocator, filled, node_count, uint32_t);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "no memory for the springs of %u cells",
                        soft->carrier.cell_count);
}

void lt_springs_free(lt_springs *springs, const lt_allocator *allocator) {
    size_t slots = LT_GROUP * (size_t)springs->group_count;
    LT_DELETE(allocator, springs->nodes, 2 * slots, uint32_t);
    LT_DELETE(allocator, springs->lengths, slots, lt_real);
    LT_DELETE(allocator, springs->stiffness, slots, lt_real);
    LT_DELETE(allocator, springs->spread, springs->spring_count, double);
    *springs = (lt_springs){0};
}

lt_real lt_springs_rate(const lt_soft *soft) {
    lt_real edge = soft->mean_edge;
    return (lt_real)(128.0 / 15) * soft->material.young / (soft->material.density * edge * edge);
}

/* (7½ + 4⅞) / 8: how much more a cell may be that is unfolded. */
static const lt_real UNFOLDED = (lt_real)1.546875;

/* β, or all that sub-steps have room for. Springs that pass through no length at all, as those of a cell do on its way
 * through itself, turn round in no time: no sub-step is short enough for that, and undamped bodies that were shaken till they
 * were inside out had 68 times their energy after 2000 steps. */
static lt_real viscosity_of(const lt_soft *soft, lt_real h, bool inside_out) {
    LT_ASSERT(h > 0);
    lt_real beta = soft->material.stiffness_damping, squared = lt_springs_rate(soft);
    return inside_out ? lt_max_r(beta, 1 / (squared * h) - UNFOLDED * h / 2) : beta;
}

/* As of a body with cells inside out, whether there are any or not. */
lt_real lt_springs_share(const lt_soft *soft, lt_real h) {
    LT_ASSERT(h > 0);
    return lt_springs_rate(soft) * h * (UNFOLDED * h + 2 * viscosity_of(soft, h, true));
}

void lt_springs_plan(lt_soft *soft, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_real squared = lt_springs_rate(soft), damped = squared * soft->material.stiffness_damping;
    /* The root of UNFOLDED ω²h² + 2βω²h = 2, as a quotient that is exact for large β, too */
    lt_real step = 2 / (damped + lt_sqrt_r(damped * damped + 2 * UNFOLDED * squared));
    soft->planned_substeps = lt_substeps_of(dt, lt_min_r(step, 1 / lt_sqrt_r(squared)));
}

static lt_fold_work folds_of(const lt_soft *soft, lt_real *force) {
    return (lt_fold_work){.carrier = &soft->carrier,
                          .x = soft->x,
                          .edge = soft->mean_edge,
                          .young = soft->material.young,
                          .force = force};
}

void lt_springs_add_forces(lt_soft *soft, lt_real *force, lt_real h, lt_simd_level level) {
    LT_ASSERT(h > 0);
    static lt_spring_kernel *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_pull_springs);
    static lt_fold_kernel *const unfold[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_unfold_cells);
    lt_fold_work folds = folds_of(soft, force);
    unfold[level](&folds);
    lt_spring_work work = {.springs = &soft->springs,
                           .x = soft->x,
                           .v = soft->v,
                           .viscosity = viscosity_of(soft, h, folds.inverted_count > 0),
                           .force = force};
    table[level](&work);
}

double lt_springs_energy(const lt_soft *soft) {
    lt_spring_work work = {.springs = &soft->springs, .x = soft->x};
    lt_fold_work folds = folds_of(soft, NULL);
    lt_pull_springs_scalar(&work);
    lt_unfold_cells_scalar(&folds);
    return work.energy + folds.energy;
}

static lt_rvec3 mean_edge_along(const lt_soft *soft, const uint32_t *corners, uint32_t axis) {
    LT_ASSERT(axis < 3);
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t corner = 0; corner < 8; corner++) {
        lt_real sign = corner >> axis & 1 ? 1 : -1;
        sum = lt_r3_mad(sum, lt_node_get(soft->x, corners[corner]), sign / 4);
    }
    return sum;
}

uint32_t lt_lattice_inverted_count(const lt_soft *soft) {
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < soft->carrier.cell_count; cell++) {
        const uint32_t *corners = soft->carrier.cells + 8 * (size_t)cell;
        lt_rvec3 x = mean_edge_along(soft, corners, 0), y = mean_edge_along(soft, corners, 1),
                 z = mean_edge_along(soft, corners, 2);
        count += !(lt_r3_dot(x, lt_r3_cross(y, z)) > 0);
    }
    return count;
}
