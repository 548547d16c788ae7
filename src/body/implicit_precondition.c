/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The preconditioner of the iterations: by the factor at rest where a body has one, by inverse diagonal blocks where it has none, by
 * cycles over its levels where it is a ladder; contacts are in implicit_patches.c.
 *
 * Rejected: the rigid motions with their couplings as a coarse level beside P, B = Π P⁻¹ Πᵀ + Z E⁻¹ Zᵀ. A heap took 63 iterations where
 * it takes 32: what couplings hold fast is no rigid motion alone, but one with the deformation around them. */

#include "body/implicit.h"
#include "body/implicit_units.h"
#include "body/rest_factor.h"

enum { COUPLING_UNITS = 15 };

static void block_of(lt_real out[9], lt_rvec3 normal, lt_real along, lt_real across) {
    const lt_real n[3] = {normal.x, normal.y, normal.z};
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            out[3 * column + row] = (along - across) * n[row] * n[column] + (row == column ? across : 0);
}

static void add_to_diagonal(const lt_implicit *s, const lt_coupling *c, const lt_member *member, bool is_b,
                            const lt_real gains[9]) {
    const lt_anchor *anchor = is_b ? &c->b : &c->a;
    const uint32_t *rows = is_b ? c->rows_b : c->rows_a;
    if (member->factor || member->rigid_alone) return;
    if (member->soft->grid) {
        lt_vcycle_add(member->soft, &member->system, anchor, gains);
        return;
    }
    for (uint32_t i = 0; i < anchor->count; i++) {
        lt_real *block = s->island->inverse_diagonal + (size_t)LT_BLOCK_STRIDE * rows[i];
        lt_real w2 = anchor->weights[i] * anchor->weights[i];
        for (int k = 0; k < 9; k++)
            block[4 * (k / 3) + k % 3] += w2 * gains[k];
    }
}

static lt_real *blocks_of(const lt_implicit *s, const lt_member *member) {
    return s->island->inverse_diagonal + (size_t)LT_BLOCK_STRIDE * member->row;
}

static void begin_preconditioner(const lt_implicit *s, const lt_member *member) {
    if (member->factor || member->rigid_alone) return;
    if (member->soft->grid)
        lt_vcycle_begin(member->soft, &member->system);
    else
        lt_soft_diagonal(member->soft, &member->system, blocks_of(s, member), s->advance->level);
}

static void end_preconditioner(const lt_implicit *s, const lt_member *member) {
    if (member->factor || member->rigid_alone) return;
    if (member->soft->grid) {
        lt_vcycle_ready(member->soft, &member->system, s->advance->level);
        return;
    }
    for (uint32_t node = 0; node < member->row_count; node++) {
        lt_real *block = blocks_of(s, member) + (size_t)LT_BLOCK_STRIDE * node;
        if (member->soft->pinned[node])
            memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
        else
            lt_block_invert(block, block);
    }
}

static void add_couplings(const lt_implicit *s) {
    const lt_island *island = s->island;
    for (uint32_t i = 0; i < island->set->group_count; i++) {
        const lt_coupling_group *g = &island->set->groups[i];
        lt_lanes along, across;
        s->couplings->gains(island->set, i, along, across);
        for (uint32_t lane = 0; lane < g->count; lane++) {
            const lt_coupling *c = &s->advance->couplings[g->couplings[lane]];
            lt_sides sides = lt_coupling_sides(island, c);
            lt_real gains[9];
            block_of(gains, lt_lanes_get(g->normal, lane), along[lane], across[lane]);
            add_to_diagonal(s, c, sides.a, false, gains);
            if (sides.b) add_to_diagonal(s, c, sides.b, true, gains);
        }
    }
}

/* Inverses of the diagonal blocks, couplings included; zero for pinned nodes and for nodes that are not ours, which
 * keeps them where they start. Of multigrid bodies the diagonals of their levels. */
uint32_t lt_precondition_piece_count(const lt_implicit *s) {
    return 2 * s->island->member_count + 2;
}

/* Blocks of a member; what couplings add to all; inverses of a member; patches. */
uint64_t lt_precondition_piece_units(const lt_implicit *s, uint32_t piece) {
    const lt_island *island = s->island;
    uint32_t count = island->member_count;
    if (piece == count) return (uint64_t)COUPLING_UNITS * island->set->count;
    if (piece == 2 * count + 1) return lt_units_of_patches(s);
    return lt_units_of_blocks(&island->members[piece < count ? piece : piece - count - 1]) / 2 + 1;
}

void lt_precondition_build(const lt_implicit *s, uint32_t piece) {
    const lt_island *island = s->island;
    uint32_t count = island->member_count;
    if (piece == count) {
        add_couplings(s);
        return;
    }
    if (piece == 2 * count + 1) {
        lt_patches_build(s);
        return;
    }
    const lt_member *member = &island->members[piece < count ? piece : piece - count - 1];
    if (piece < count)
        memset(blocks_of(s, member), 0, LT_BLOCK_STRIDE * (size_t)member->row_count * sizeof(lt_real));
    if (lt_is_implicit(member)) (piece < count ? begin_preconditioner : end_preconditioner)(s, member);
}

lt_real lt_precondition_share(const lt_member *member) {
    const lt_soft *soft = member->soft;
    double scale = (double)soft->scale, unit = soft->material.density * scale * scale * scale;
    return (lt_real)(1 / (unit * (double)member->system.mass_factor));
}

/* ---- members of one factor, at once ---- */

static const lt_member *member_at(const lt_island *island, uint32_t place) {
    LT_ASSERT(place < island->member_count && island->order[place] < island->member_count);
    return &island->members[island->order[place]];
}

static bool has_factor(const lt_member *member) {
    return member->factor && !member->rigid_alone;
}

/* The first may be one without: it is alone, then. Some of the others may move rigidly in this step. */
uint32_t lt_precondition_end(const lt_island *island, uint32_t begin) {
    const lt_rest_factor *factor = member_at(island, begin)->factor;
    uint32_t end = begin + 1, most = lt_min_u32(island->member_count, begin + LT_FACTOR_SIDES);
    while (factor && end < most && member_at(island, end)->factor == factor)
        end++;
    return end;
}

static void solve_with_factor(const lt_implicit *s, uint32_t begin, uint32_t end, lt_real *z,
                              const lt_real *r) {
    const lt_rest_factor *factor = member_at(s->island, begin)->factor;
    lt_factor_side sides[LT_FACTOR_SIDES];
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        const lt_member *member = member_at(s->island, i);
        size_t at = 4 * (size_t)member->row;
        if (!has_factor(member)) continue;
        LT_ASSERT(member->factor == factor && count < LT_FACTOR_SIDES);
        sides[count++] = (lt_factor_side){z + at, r + at, member->turn,
                                          member->soft->pin_count ? member->soft->pinned : NULL};
    }
    if (count == 0) return;
    lt_factor_solve_sides(lt_rest_factor_plan(s->advance->factors, factor), factor->values, sides, count,
                          member_at(s->island, begin)->factor_scratch, s->advance->level);
}

/* Inverse diagonals, their factor, or the cycles of a ladder. */
void lt_precondition(const lt_implicit *s, uint32_t begin, uint32_t end, lt_real *z, const lt_real *r) {
    LT_ASSERT(begin < end && end <= lt_precondition_end(s->island, begin));
    solve_with_factor(s, begin, end, z, r);
    for (uint32_t i = begin; i < end; i++) {
        const lt_member *member = member_at(s->island, i);
        size_t at = 4 * (size_t)member->row;
        if (has_factor(member))
            s->kernels->scale(z + at, lt_precondition_share(member), member->row_count);
        else if (member->soft->grid && !member->rigid_alone)
            lt_vcycle_run(member->soft, &member->system, z + at, r + at, s->advance->level);
        else
            s->kernels->multiply_diagonal(z + at, blocks_of(s, member), r + at, member->row_count);
    }
}
