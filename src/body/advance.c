/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The motion of all awake bodies: finds the islands, gives each its scratch, lets each move, looks whether the
 * numbers are sane. Islands are independent of each other and run on any threads; everything inside one has a
 * fixed order. */

#include "body/implicit.h"
#include "body/rest_factor.h"

#include "core/union_find.h"

#include <string.h>

/* ---- islands ---- */

typedef struct grouping {
    uint32_t *place;          /* [largest body index + 1] of a body in `awake` */
    uint32_t *root;           /* [awake_count] union-find over places */
    uint32_t *number;         /* [awake_count] island of a place that is a root */
    uint32_t *member;         /* [awake_count] member of its island that a place is */
    lt_island *islands;       /* [awake_count at most] */
    lt_member *members;       /* [awake_count] */
    uint32_t *coupling_order; /* [coupling_count] */
    uint32_t island_count;
} grouping;

static uint32_t largest_index(const uint32_t *indices, uint32_t count) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = lt_max_u32(largest, indices[i]);
    return largest;
}

static void join_bodies(const lt_advance *a, grouping *g) {
    lt_sets_begin(g->root, a->awake_count);
    for (uint32_t i = 0; i < a->awake_count; i++)
        g->place[a->awake[i]] = i;
    for (uint32_t i = 0; i < a->coupling_count; i++) {
        const lt_coupling *c = &a->couplings[i];
        /* Only bodies that move have a place. */
        LT_ASSERT(g->place[c->body_a] < a->awake_count && a->awake[g->place[c->body_a]] == c->body_a);
        if (c->body_b == LT_NONE) continue;
        LT_ASSERT(g->place[c->body_b] < a->awake_count && a->awake[g->place[c->body_b]] == c->body_b);
        lt_sets_join(g->root, g->place[c->body_a], g->place[c->body_b]);
    }
    LT_VALIDATE(lt_validate_sets(g->root, a->awake_count));
}

static lt_island *island_of(const grouping *g, uint32_t body) {
    return &g->islands[g->number[lt_sets_find(g->root, g->place[body])]];
}

/* Makes the islands and counts what belongs to each. */
static void count_islands(const lt_advance *a, grouping *g) {
    for (uint32_t i = 0; i < a->awake_count; i++) {
        if (lt_sets_find(g->root, i) != i) continue;
        g->number[i] = g->island_count;
        g->islands[g->island_count++] = (lt_island){0};
    }
    for (uint32_t i = 0; i < a->awake_count; i++)
        island_of(g, a->awake[i])->member_count++;
    for (uint32_t i = 0; i < a->coupling_count; i++)
        island_of(g, a->couplings[i].body_a)->coupling_count++;
}

/* Anchors get to be those that move by themselves. */
static void find_rows(lt_anchor *anchor, uint32_t rows[LT_ANCHOR_MOST], const lt_member *member) {
    const uint32_t *row_of = lt_soft_node_rows(member->soft);
    if (row_of) *anchor = lt_soft_resolve(member->soft, anchor);
    for (uint32_t i = 0; i < anchor->count; i++)
        rows[i] = member->row + (row_of ? row_of[anchor->ids[i]] : anchor->ids[i]);
}

static void fill_islands(const lt_advance *a, grouping *g) {
    lt_member *member = g->members;
    uint32_t *order = g->coupling_order;
    for (uint32_t i = 0; i < g->island_count; i++) {
        lt_island *island = &g->islands[i];
        island->members = member;
        island->couplings = order;
        member += island->member_count;
        order += island->coupling_count;
        island->member_count = island->coupling_count = 0;
    }
    for (uint32_t i = 0; i < a->awake_count; i++) {
        lt_island *island = island_of(g, a->awake[i]);
        lt_soft *soft = &a->bodies[a->awake[i]];
        g->member[i] = island->member_count;
        island->members[island->member_count++] = (lt_member){.soft = soft,
                                                              .body = a->awake[i],
                                                              .row = island->row_count,
                                                              .row_count = lt_soft_row_count(soft),
                                                              .nodes = lt_soft_row_nodes(soft)};
        island->row_count += lt_soft_row_count(soft);
    }
    for (uint32_t i = 0; i < a->coupling_count; i++) {
        lt_coupling *c = &a->couplings[i];
        lt_island *island = island_of(g, c->body_a);
        island->couplings[island->coupling_count++] = i;
        c->member_a = g->member[g->place[c->body_a]];
        c->member_b = c->body_b == LT_NONE ? LT_NONE : g->member[g->place[c->body_b]];
        lt_sides sides = lt_coupling_sides(island, c);
        find_rows(&c->a, c->rows_a, sides.a);
        if (sides.b) find_rows(&c->b, c->rows_b, sides.b);
    }
}

/* ---- scratch ---- */

static size_t system_reals(const lt_soft *soft) {
    if (lt_soft_is_explicit(soft)) return 0;
    if (soft->grid) return lt_grid_system_reals(soft);
    return 9 * (size_t)LT_GROUP * soft->elements.group_count;
}

static size_t vector_reals(uint32_t row_count) {
    return (4 * LT_ISLAND_VECTORS + LT_BLOCK_STRIDE) * (size_t)row_count;
}

static size_t factor_reals(const lt_rest_factors *factors, const lt_soft *soft) {
    return factors && soft->factor != LT_NONE ? lt_rest_factor_scratch(factors, soft->factor) : 0;
}

size_t lt_advance_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                          uint32_t coupling_capacity, const lt_rest_factors *factors) {
    const size_t slack = 64 * 16; /* every take is rounded up */
    size_t bytes = slack + (size_t)coupling_capacity * sizeof(uint32_t);
    bytes += ((size_t)largest_index(indices, count) + 1 + 3 * (size_t)count) * sizeof(uint32_t);
    bytes += (sizeof(lt_island) + sizeof(lt_member)) * (size_t)count;
    bytes += lt_views_scratch(bodies, indices, count, coupling_capacity);
    bytes += lt_rigid_scratch(count, coupling_capacity) + 20 * 64 * (size_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const lt_soft *soft = &bodies[indices[i]];
        size_t reals =
            system_reals(soft) + vector_reals(soft->carrier.node_count) + factor_reals(factors, soft);
        bytes += reals * sizeof(lt_real) + (LT_ISLAND_VECTORS + 14) * 64;
    }
    return bytes;
}

static bool take_grouping(lt_advance *a, grouping *g) {
    *g = (grouping){.place = LT_TAKE(a->arena, (size_t)largest_index(a->awake, a->awake_count) + 1, uint32_t),
                    .root = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .number = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .member = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .islands = LT_TAKE(a->arena, a->awake_count, lt_island),
                    .members = LT_TAKE(a->arena, a->awake_count, lt_member),
                    .coupling_order = LT_TAKE(a->arena, a->coupling_count, uint32_t)};
    return g->place && g->root && g->number && g->member && g->islands && g->members && g->coupling_order;
}

/* Matrices that are to stay are taken before the scratch that is given back. */
static bool take_kept_systems(lt_advance *a) {
    bool ok = true;
    for (uint32_t i = 0; a->systems && i < a->awake_count; i++)
        ok = lt_system_take(&a->systems[i], &a->bodies[a->awake[i]], a->dt, a->arena) && ok;
    return ok;
}

static bool take_island_scratch(lt_advance *a, const grouping *g, lt_island *island) {
    bool ok = true;
    size_t reals = 0;
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        member->factor = lt_rest_factor_of(a->factors, member->soft);
        if (member->factor) reals = lt_max_u64(reals, factor_reals(a->factors, member->soft));
        if (a->systems)
            member->system = a->systems[g->place[member->body]];
        else
            ok = lt_system_take(&member->system, member->soft, a->dt, a->arena) && ok;
    }
    for (int i = 0; i < LT_ISLAND_VECTORS; i++) {
        island->vectors[i] = LT_TAKE(a->arena, 4 * (size_t)island->row_count, lt_real);
        ok = ok && island->vectors[i];
    }
    island->inverse_diagonal = LT_TAKE(a->arena, LT_BLOCK_STRIDE * (size_t)island->row_count, lt_real);
    island->factor_scratch = LT_TAKE(a->arena, reals, lt_real);
    return lt_rigid_take(island, a->arena) && lt_views_take(a, island) && ok && island->factor_scratch &&
           island->inverse_diagonal;
}

/* ---- moving ---- */

typedef struct motion_check {
    lt_real worst, poison; /* poison: 0 while all is finite */
    lt_real largest;       /* coordinate or velocity */
} motion_check;

static inline void check_motion(motion_check *check, const lt_soft *soft, size_t begin, size_t count) {
    for (size_t i = begin; i < begin + count; i++) {
        lt_real moved = soft->x[i] - soft->x_before[i];
        check->worst = lt_max_r(check->worst, moved < 0 ? -moved : moved);
        check->largest = lt_max_r(check->largest, lt_max_r(lt_abs_r(soft->x[i]), lt_abs_r(soft->v[i])));
        check->poison += (soft->x[i] - soft->x[i]) + (soft->v[i] - soft->v[i]);
    }
}

static lt_real fastest_row(const lt_member *member) {
    lt_real fastest = 0;
    for (uint32_t row = 0; row < member->row_count; row++)
        fastest = lt_max_r(fastest, lt_r3_length_squared(lt_node_get(member->soft->v, member->nodes[row])));
    return lt_sqrt_r(fastest);
}

/* A body whose numbers left the sane range goes back to where the step began, at rest. Sane: finite, within LT_FARTHEST, and no
 * node farther in one step than a thousand times the size of the body beyond twice what it came with; and not four times the energy
 * that work can have given it. Nodes that follow others are as sane as these. */
static void check_sanity(const lt_member *member, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_soft *soft = member->soft;
    size_t count = 4 * (size_t)soft->carrier.node_count;
    lt_real far = 1000 * soft->size + 2 * member->speed * dt;
    motion_check check = {0};
    if (member->nodes)
        for (uint32_t row = 0; row < member->row_count; row++)
            check_motion(&check, soft, 4 * (size_t)member->nodes[row], 4);
    else
        check_motion(&check, soft, 0, count);
    soft->blown_up =
        !(check.poison == 0 && check.worst < far && check.largest <= LT_FARTHEST) || soft->runs_away;
    if (!soft->blown_up) return;
    memcpy(soft->x, soft->x_before, count * sizeof(lt_real));
    memset(soft->v, 0, count * sizeof(lt_real));
    if (soft->grid) memset(soft->gain, 0, count * sizeof(lt_real));
}

static void begin_member(lt_member *member) {
    lt_soft *soft = member->soft;
    member->center = lt_soft_center(soft);
    member->speed = member->nodes ? fastest_row(member) : lt_soft_speed(soft);
    memcpy(soft->x_before, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    if (soft->grid) memcpy(soft->v_before, soft->v, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    soft->substeps = soft->iterations = 0;
    soft->residual = soft->energy_taken = 0;
    soft->drag = (lt_rvec3){0, 0, 0};
    soft->blown_up = soft->runs_away = false;
}

static void end_member(const lt_member *member, lt_real dt) {
    LT_ASSERT(dt >= 0);
    lt_soft *soft = member->soft;
    check_sanity(member, dt);
    memset(soft->force, 0, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
    lt_soft_publish(soft);
}

/* What a blown-up body was pushed with means nothing, and friction's spring would carry it into the next step. */
static void clear_blown_couplings(const lt_advance *advance, const lt_island *island) {
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        lt_coupling *c = &advance->couplings[island->couplings[i]];
        lt_sides sides = lt_coupling_sides(island, c);
        if (sides.a->soft->blown_up || (sides.b && sides.b->soft->blown_up))
            c->impulse = c->stick = (lt_rvec3){0, 0, 0};
    }
}

typedef struct loop_context {
    const lt_advance *advance;
    lt_island *islands;
} loop_context;

static void advance_islands(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const loop_context *loop = context;
    for (uint32_t i = begin; i < end; i++) {
        const lt_island *island = &loop->islands[i];
        for (uint32_t m = 0; m < island->member_count; m++)
            begin_member(&island->members[m]);
        lt_explicit_advance(loop->advance, island);
        lt_implicit_advance(loop->advance, island);
        for (uint32_t m = 0; m < island->member_count; m++)
            end_member(&island->members[m], loop->advance->dt);
        clear_blown_couplings(loop->advance, island);
    }
}

static void adapt_bodies(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const lt_advance *advance = context;
    for (uint32_t i = begin; i < end; i++) {
        lt_soft *soft = &advance->bodies[advance->awake[i]];
        if (soft->grid) lt_multigrid_adapt(soft, advance->dt);
    }
}

bool lt_advance_run(lt_advance *advance) {
    if (advance->awake_count == 0) return true;
    lt_tasks_for(advance->tasks, advance->awake_count, 1, adapt_bodies, advance);
    bool ok = take_kept_systems(advance);
    size_t mark = lt_arena_mark(advance->arena);
    grouping g;
    ok = take_grouping(advance, &g) && ok;
    if (ok) {
        join_bodies(advance, &g);
        count_islands(advance, &g);
        fill_islands(advance, &g);
        for (uint32_t i = 0; i < g.island_count; i++)
            ok = take_island_scratch(advance, &g, &g.islands[i]) && ok;
    }
    for (uint32_t i = 0; i < advance->coupling_count; i++) /* also of a step that cannot be taken */
        advance->couplings[i].impulse = advance->couplings[i].slid = (lt_rvec3){0, 0, 0};
    if (ok) {
        loop_context loop = {advance, g.islands};
        lt_tasks_for(advance->tasks, g.island_count, 1, advance_islands, &loop);
    }
    lt_arena_rewind(advance->arena, mark);
    return ok;
}
