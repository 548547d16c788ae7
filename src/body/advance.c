/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The motion of all awake bodies: finds the islands, gives each its scratch, lets each move (advance_rounds.c). Islands are
 * independent of each other and run on any threads; everything inside one has a fixed order. */

#include "body/island_motion.h"
#include "body/rest_factor.h"

#include "core/union_find.h"

#include <string.h>

/* ---- islands ---- */

typedef struct grouping {
    uint32_t *place;    /* [largest body index + 1] of a body in `awake` */
    uint32_t *root;     /* [awake_count] union-find over places */
    uint32_t *number;   /* [awake_count] island of a place that is a root */
    uint32_t *member;   /* [awake_count] member of its island that a place is */
    uint32_t *cluster;  /* [awake_count] union-find over places: explicit bodies that touch each other */
    uint32_t *interval; /* [awake_count] of a place that is a root of those: the least of its bodies */
    lt_island *islands; /* [awake_count at most] */
    lt_member *members; /* [awake_count] */
    lt_island_motion *motions; /* [awake_count], as islands */
    uint32_t *coupling_order;  /* [coupling_count] */
    uint32_t *listed;          /* [coupling_count] */
    uint32_t *order;           /* [awake_count] as members */
    uint32_t *next_alike;      /* [awake_count] of a member of one island: the next of its factor; LT_NONE */
    uint32_t *first_alike;     /* [factor_count] of a factor: its first member; LT_NONE between islands */
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
    lt_sets_begin(g->cluster, a->awake_count);
    for (uint32_t i = 0; i < a->awake_count; i++)
        g->place[a->awake[i]] = i;
    for (uint32_t i = 0; i < a->coupling_count; i++) {
        const lt_coupling *c = &a->couplings[i];
        /* Only bodies that move have a place. */
        LT_ASSERT(g->place[c->body_a] < a->awake_count && a->awake[g->place[c->body_a]] == c->body_a);
        if (c->body_b == LT_NONE) continue;
        LT_ASSERT(g->place[c->body_b] < a->awake_count && a->awake[g->place[c->body_b]] == c->body_b);
        lt_sets_join(g->root, g->place[c->body_a], g->place[c->body_b]);
        if (lt_soft_is_explicit(&a->bodies[c->body_a]) && lt_soft_is_explicit(&a->bodies[c->body_b]))
            lt_sets_join(g->cluster, g->place[c->body_a], g->place[c->body_b]);
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
        island->order = g->order + (member - g->members);
        island->couplings = order;
        island->listed = g->listed + (order - g->coupling_order);
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
        c->stiffness_used = c->stiffness;
        c->damping_used = c->damping;
        find_rows(&c->a, c->rows_a, sides.a);
        if (sides.b) find_rows(&c->b, c->rows_b, sides.b);
    }
}

/* Bodies with an interval have their turns by their index, which spreads a crowd over steps. Explicit bodies that touch have them
 * together, as the lowest of them and as often as the one that wants them most: a force between one that deforms and one that does not
 * would be late by a step, which bounds how stiff it may be. (Implicit ones answer each other within the step, whatever they do.) */
static void find_intervals(const lt_advance *a, grouping *g) {
    for (uint32_t i = 0; i < a->awake_count; i++)
        g->interval[i] = LT_INTERVAL_MOST;
    for (uint32_t i = 0; i < a->awake_count; i++) {
        uint32_t *interval = &g->interval[lt_sets_find(g->cluster, i)];
        *interval = lt_min_u32(*interval, a->bodies[a->awake[i]].solve_interval);
    }
}

static bool is_skipped(const lt_advance *a, const grouping *g, uint32_t place) {
    uint32_t root = lt_sets_find(g->cluster, place);
    return (a->step + a->awake[root]) % g->interval[root] != 0;
}

static void choose_rigid(const lt_advance *a, grouping *g) {
    find_intervals(a, g);
    for (uint32_t i = 0; i < a->awake_count; i++) {
        lt_member *member = &island_of(g, a->awake[i])->members[g->member[i]];
        member->soft->skipped = is_skipped(a, g, i);
        member->rigid_alone = a->rigid_alone || member->soft->skipped;
        member->staged = member->rigid_alone || !lt_soft_is_explicit(member->soft);
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

static uint32_t factor_count(const lt_rest_factors *factors) {
    return factors ? (uint32_t)factors->factors.count : 0;
}

/* Of a solve of one body alone; of several at once it is no more than all of theirs. */
static size_t factor_reals(const lt_rest_factors *factors, uint32_t factor) {
    enum { LINE = 16 };
    return (lt_rest_factor_scratch(factors, factor, 1) + LINE - 1) / LINE * LINE;
}

/* Of the one that it has, and that of its last material may serve, which is as large. */
static size_t solve_reals(const lt_rest_factors *factors, const lt_soft *soft) {
    return factors && soft->factor != LT_NONE ? factor_reals(factors, soft->factor) : 0;
}

size_t lt_advance_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                          uint32_t coupling_capacity, const lt_rest_factors *factors) {
    const size_t slack = 64 * 16; /* every take is rounded up */
    size_t bytes = slack + 2 * (size_t)coupling_capacity * sizeof(uint32_t);
    bytes += ((size_t)largest_index(indices, count) + 1 + 7 * (size_t)count) * sizeof(uint32_t);
    bytes += factor_count(factors) * sizeof(uint32_t);
    bytes += (sizeof(lt_island) + sizeof(lt_member) + sizeof(lt_island_motion)) * (size_t)count;
    bytes += lt_couplings_scratch(bodies, indices, count, coupling_capacity);
    bytes += lt_rigid_scratch(count, coupling_capacity) + 20 * 64 * (size_t)count;
    uint32_t nodes = 0, most_nodes = 4;
    for (uint32_t i = 0; i < count; i++) {
        nodes += bodies[indices[i]].carrier.node_count;
        if (bodies[indices[i]].grid) most_nodes = LT_ANCHOR_MOST;
    }
    bytes += lt_patches_scratch(count, nodes, coupling_capacity, most_nodes);
    for (uint32_t i = 0; i < count; i++) {
        const lt_soft *soft = &bodies[indices[i]];
        size_t reals =
            system_reals(soft) + vector_reals(soft->carrier.node_count) + solve_reals(factors, soft);
        bytes += reals * sizeof(lt_real) + (LT_ISLAND_VECTORS + 15) * 64 +
                 (soft->as_printed ? lt_fas_scratch() : 0);
    }
    return bytes;
}

static bool take_grouping(lt_advance *a, grouping *g) {
    *g = (grouping){.place = LT_TAKE(a->arena, (size_t)largest_index(a->awake, a->awake_count) + 1, uint32_t),
                    .root = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .number = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .member = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .cluster = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .interval = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .islands = LT_TAKE(a->arena, a->awake_count, lt_island),
                    .members = LT_TAKE(a->arena, a->awake_count, lt_member),
                    .motions = LT_TAKE(a->arena, a->awake_count, lt_island_motion),
                    .coupling_order = LT_TAKE(a->arena, a->coupling_count, uint32_t),
                    .listed = LT_TAKE(a->arena, a->coupling_count, uint32_t),
                    .order = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .next_alike = LT_TAKE(a->arena, a->awake_count, uint32_t),
                    .first_alike = LT_TAKE(a->arena, factor_count(a->factors), uint32_t)};
    return g->place && g->root && g->number && g->member && g->cluster && g->interval && g->islands &&
           g->members && g->motions && g->coupling_order && g->listed && g->order && g->next_alike &&
           g->first_alike;
}

/* Matrices that are to stay are taken before the scratch that is given back. */
static bool take_kept_systems(lt_advance *a) {
    bool ok = true;
    for (uint32_t i = 0; a->systems && i < a->awake_count; i++)
        ok = lt_system_take(&a->systems[i], &a->bodies[a->awake[i]], a->dt, a->arena) && ok;
    return ok;
}

/* Lists of members by factor, ascending. */
static void link_members(const lt_advance *a, const grouping *g, const lt_island *island) {
    for (uint32_t m = island->member_count; m-- > 0;) {
        const lt_member *member = &island->members[m];
        if (!member->factor) continue;
        uint32_t *first = &g->first_alike[lt_rest_factor_index(a->factors, member->factor)];
        g->next_alike[m] = *first;
        *first = m;
    }
}

/* Members with those of their factor behind them. */
static void order_members(const lt_advance *a, const grouping *g, const lt_island *island) {
    uint32_t placed = 0;
    link_members(a, g, island);
    for (uint32_t m = 0; m < island->member_count; m++) {
        const lt_rest_factor *factor = island->members[m].factor;
        if (!factor) island->order[placed++] = m;
        if (!factor || g->first_alike[lt_rest_factor_index(a->factors, factor)] != m) continue;
        for (uint32_t alike = m; alike != LT_NONE; alike = g->next_alike[alike])
            island->order[placed++] = alike;
    }
    LT_ASSERT(placed == island->member_count);
    for (uint32_t m = 0; m < island->member_count; m++)
        if (island->members[m].factor)
            g->first_alike[lt_rest_factor_index(a->factors, island->members[m].factor)] = LT_NONE;
}

/* In the island's order, without a gap. */
static bool take_factor_scratch(const lt_advance *a, const lt_island *island) {
    size_t reals = 0;
    for (uint32_t m = 0; m < island->member_count; m++)
        if (island->members[m].factor)
            reals += factor_reals(a->factors, lt_rest_factor_index(a->factors, island->members[m].factor));
    lt_real *scratch = LT_TAKE(a->arena, reals, lt_real);
    for (uint32_t i = 0; scratch && i < island->member_count; i++) {
        lt_member *member = &island->members[island->order[i]];
        member->factor_scratch = scratch;
        if (member->factor)
            scratch += factor_reals(a->factors, lt_rest_factor_index(a->factors, member->factor));
    }
    return scratch;
}

static bool take_island_scratch(lt_advance *a, const grouping *g, lt_island *island) {
    bool ok = true;
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        member->factor = lt_rest_factor_of(a->factors, member->soft);
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
    order_members(a, g, island);
    ok = take_factor_scratch(a, island) && ok;
    return lt_rigid_take(island, a->arena) && lt_fas_take(island, a->arena) && lt_couplings_take(a, island) &&
           lt_patches_take(island, a->arena) && ok && island->inverse_diagonal;
}

/* ---- moving ---- */

static void prepare_bodies(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    LT_ASSERT(begin < end);
    (void)chunk;
    const lt_advance *advance = context;
    for (uint32_t i = begin; i < end; i++) {
        lt_soft *soft = &advance->bodies[advance->awake[i]];
        lt_soft_soften(soft, advance->dt);
        if (soft->grid) lt_multigrid_adapt(soft, advance->dt);
    }
}

bool lt_advance_run(lt_advance *advance) {
    if (advance->awake_count == 0) return true;
    lt_tasks_for(advance->tasks, advance->awake_count, 1, prepare_bodies, advance);
    bool ok = take_kept_systems(advance);
    size_t mark = lt_arena_mark(advance->arena);
    grouping g;
    ok = take_grouping(advance, &g) && ok;
    if (ok) {
        join_bodies(advance, &g);
        count_islands(advance, &g);
        fill_islands(advance, &g);
        choose_rigid(advance, &g);
        for (uint32_t i = 0; i < factor_count(advance->factors); i++)
            g.first_alike[i] = LT_NONE;
        for (uint32_t i = 0; i < g.island_count; i++)
            ok = take_island_scratch(advance, &g, &g.islands[i]) && ok;
    }
    for (uint32_t i = 0; i < advance->coupling_count; i++) /* also of a step that cannot be taken */
        advance->couplings[i].impulse = advance->couplings[i].slid = (lt_rvec3){0, 0, 0};
    if (ok) lt_rounds_run(advance, g.islands, g.motions, g.island_count);
    lt_arena_rewind(advance->arena, mark);
    return ok;
}
