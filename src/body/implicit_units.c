/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "body/implicit_units.h"

#include "body/rest_factor.h"

/* Of a coupling. */
enum {
    FILL_UNITS = 60, /* its place in a group, and what is settled of it */
    RIGID_UNITS = 5, /* a look by rigid motions */
    NODE_UNITS = 2,  /* a look at impulses */
    SLOT_UNITS = 10, /* of a node of eight: gathered and scattered */
    ARM_UNITS = 10,  /* where it acts at the end of the step */
    PATCH_UNITS = 20 /* in a patch */
};
/* Of a row: a node that moves by itself. Weighed and moved it takes 14 ns in cache and 25 in a heap, its momentum 4; a unit is 1 to 2 ns. */
enum {
    WEIGH_UNITS = 8,
    MOVE_UNITS = 8,
    FOLLOW_UNITS = 16, /* of a node of a ladder that may follow others */
    MOMENTUM_UNITS = 3,
    DEFORM_UNITS = 20,
    VECTOR_UNITS = 1, /* of each vector that is read */
    INVERT_UNITS = 20,
    CYCLE_UNITS = 36, /* of a cycle over the levels, by nodes of all of them */
    ASSEMBLE_UNITS = 100
};
/* Of a tet. */
enum { ROTATE_UNITS = 24, PRODUCT_UNITS = 6, DIAGONAL_UNITS = 12 };
/* Of a pair of bodies, a body, and a block of the rigid level. */
enum { PAIR_UNITS = 60, BODY_UNITS = 120, BLOCK_UNITS = 80, GRADIENT_UNITS = 40 };

static uint64_t tets_of(const lt_soft *soft) {
    return (uint64_t)LT_GROUP * (soft->grid ? soft->grid->used_group_count : soft->elements.group_count);
}

/* ---- couplings ---- */

uint64_t lt_units_of_rigid_looks(const lt_implicit *s, uint64_t looks) {
    const lt_island *island = s->island;
    return looks *
           ((uint64_t)RIGID_UNITS * island->set->count + (uint64_t)PAIR_UNITS * island->rigid->pair_count +
            (uint64_t)GRADIENT_UNITS * island->member_count);
}

uint64_t lt_units_of_node_looks(const lt_implicit *s, uint64_t looks) {
    return looks * (uint64_t)NODE_UNITS * s->island->set->count;
}

/* Of all groups, at most. */
static uint64_t slots_of(const lt_implicit *s) {
    return s->island->set->slot_capacity;
}

static uint64_t gather_units(const lt_implicit *s) {
    return (uint64_t)NODE_UNITS * s->island->set->count + (uint64_t)SLOT_UNITS * slots_of(s);
}

/* ---- the rigid level ---- */

/* Blocks that a factor has, and products of two that it takes. */
static uint64_t factor_units(const lt_implicit *s) {
    const lt_rigid_level *level = s->island->rigid;
    uint64_t units =
        (uint64_t)BODY_UNITS * s->island->member_count + (uint64_t)PAIR_UNITS * level->pair_count;
    for (uint32_t i = 0; level->direct && i < s->island->member_count; i++) {
        uint64_t below = level->column_begin[i + 1] - level->column_begin[i];
        units += BLOCK_UNITS * (below + below * (below + 1) / 2);
    }
    return units;
}

static uint64_t gradient_units(const lt_implicit *s) {
    return (uint64_t)GRADIENT_UNITS * s->island->member_count +
           (uint64_t)PAIR_UNITS * s->island->rigid->pair_count;
}

uint64_t lt_units_of_round(const lt_implicit *s, lt_newton_cost cost) {
    return cost.solves * factor_units(s) + cost.gradients * gradient_units(s) +
           lt_units_of_rigid_looks(s, cost.looks);
}

lt_newton_cost lt_most_of_round(const lt_implicit *s) {
    return (lt_newton_cost){.looks = LT_NEWTON_LOOKS,
                            .solves = 1,
                            .gradients = s->island->rigid->direct ? 0 : lt_rigid_most_gradients(s->island)};
}

lt_newton_cost lt_most_of_close(const lt_implicit *s) {
    lt_newton_cost most = lt_most_of_round(s);
    return (lt_newton_cost){
        .looks = LT_CLOSE_LOOKS, .solves = LT_CLOSE_SOLVES, .gradients = LT_CLOSE_SOLVES * most.gradients};
}

/* ---- members ---- */

uint64_t lt_units_of_place(const lt_member *member) {
    uint64_t units = (uint64_t)BODY_UNITS + (uint64_t)(WEIGH_UNITS + MOVE_UNITS) * member->row_count;
    return member->soft->grid ? units + FOLLOW_UNITS * (uint64_t)member->soft->carrier.node_count : units;
}

uint64_t lt_units_of_product(const lt_member *member) {
    return 2 * (uint64_t)member->row_count + PRODUCT_UNITS * tets_of(member->soft);
}

uint64_t lt_units_of_deform(const lt_member *member) {
    const lt_soft *soft = member->soft;
    uint64_t units = DEFORM_UNITS * (uint64_t)member->row_count + ROTATE_UNITS * tets_of(soft);
    if (soft->grid) units += ASSEMBLE_UNITS * (uint64_t)soft->carrier.node_count;
    return units + (soft->grid ? 2 : 1) * lt_units_of_product(member);
}

/* Rotations and energy as they are at the end. */
uint64_t lt_units_of_check(const lt_member *member) {
    if (member->soft->grid || !lt_deforms(member)) return 0;
    return 2 * (uint64_t)member->row_count + ROTATE_UNITS * tets_of(member->soft);
}

uint64_t lt_units_of_blocks(const lt_member *member) {
    const lt_soft *soft = member->soft;
    if (member->factor || !lt_deforms(member)) return member->row_count;
    if (soft->grid) return INVERT_UNITS * (uint64_t)soft->carrier.node_count;
    return INVERT_UNITS * (uint64_t)member->row_count + DIAGONAL_UNITS * tets_of(soft);
}

/* Of solves of so many bodies of one factor. */
static uint64_t solve_units(const lt_implicit *s, const lt_member *member, uint32_t count) {
    const lt_factor_plan *plan = lt_rest_factor_plan(s->advance->factors, member->factor);
    return lt_factor_solve_units(plan, count) * 3 / 2;
}

/* Beside the solve. */
static uint64_t row_units(const lt_member *member) {
    if (!lt_deforms(member)) return member->row_count;
    if (member->factor) return 2 * (uint64_t)member->row_count;
    if (member->soft->grid) return CYCLE_UNITS * (uint64_t)member->soft->carrier.node_count;
    return 4 * (uint64_t)member->row_count;
}

uint64_t lt_units_of_precondition(const lt_implicit *s, const lt_member *member) {
    bool is_solved = member->factor && lt_deforms(member);
    return row_units(member) + (is_solved ? solve_units(s, member, 1) : 0);
}

uint64_t lt_units_of_preconditions(const lt_implicit *s, uint32_t begin, uint32_t end) {
    const lt_island *island = s->island;
    uint64_t units = 0;
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        const lt_member *member = &island->members[island->order[i]];
        units += row_units(member);
        count += member->factor && lt_deforms(member);
    }
    return units + (count > 0 ? solve_units(s, &island->members[island->order[begin]], count) : 0);
}

/* ---- patches ---- */

/* Of C, at most. */
static uint64_t patch_rows(const lt_implicit *s) {
    uint64_t patches = 8 * (uint64_t)s->island->rigid->pair_count;
    return 3 * lt_min_u64(lt_min_u64(LT_PATCHES_MOST, patches), s->island->set->count);
}

uint64_t lt_units_of_patches(const lt_implicit *s) {
    uint64_t count = s->island->set->count, rows = patch_rows(s), units = 0;
    uint64_t nodes =
        lt_min_u64(LT_REST_COLUMNS_MOST, LT_LANES_OF_GROUP * (uint64_t)s->island->set->slot_capacity / 2);
    if (!lt_patches_may_be(s)) return 0;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        if (lt_deforms(&s->island->members[m])) units += nodes * nodes / 2;
    return units + PATCH_UNITS * count + rows * rows * rows / 24;
}

uint64_t lt_units_of_correction(const lt_implicit *s) {
    uint64_t rows = patch_rows(s);
    if (!lt_patches_may_be(s)) return 0;
    return 4 * VECTOR_UNITS * (uint64_t)s->island->row_count + PATCH_UNITS * (uint64_t)s->island->set->count +
           rows * rows / 2;
}

/* ---- islands ---- */

uint64_t lt_units_of_begin(const lt_implicit *s) {
    const lt_island *island = s->island;
    uint64_t members = island->member_count, units = FILL_UNITS * (uint64_t)island->set->count;
    if (island->rigid->direct) units += members * (members + members * members / 64); /* the plan */
    for (uint32_t m = 0; m < members; m++)
        if (lt_is_implicit(&island->members[m])) units += lt_units_of_place(&island->members[m]);
    return units;
}

uint64_t lt_units_of_momentum(const lt_implicit *s) {
    return MOMENTUM_UNITS * (uint64_t)s->island->row_count + ARM_UNITS * (uint64_t)s->island->set->count +
           gather_units(s) + lt_units_of_rigid_looks(s, 1);
}

uint64_t lt_units_of_search(const lt_implicit *s, uint64_t looks) {
    return 4 * VECTOR_UNITS * (uint64_t)s->island->row_count + gather_units(s) +
           lt_units_of_node_looks(s, looks + 1);
}

uint64_t lt_units_of_residual(const lt_implicit *s) {
    return 2 * VECTOR_UNITS * (uint64_t)s->island->row_count + gather_units(s);
}

uint64_t lt_units_of_vectors(const lt_implicit *s) {
    return 6 * VECTOR_UNITS * (uint64_t)s->island->row_count;
}

uint64_t lt_units_of_fas_begin(const lt_implicit *s) {
    const lt_member *member = &s->island->members[0];
    return lt_units_of_deform(member) + INVERT_UNITS * (uint64_t)member->soft->carrier.node_count;
}

uint64_t lt_units_of_fas_cycle(const lt_implicit *s) {
    return 3 * CYCLE_UNITS * (uint64_t)s->island->members[0].soft->carrier.node_count;
}
