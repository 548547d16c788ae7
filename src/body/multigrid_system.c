/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of a front. Two of every level lie in the carrier's pattern: that of the whole level, for the cycle, and that in
 * which tets count by their shares. With S from front nodes to all that follow them (identity and P, level by level),
 *
 *     A x = Sᵀ (Σ_levels counted) S x
 *
 * is applied, never formed: interface nodes get their values from coarse to fine, the levels multiply, and what comes to
 * interface nodes goes back from fine to coarse. (Formed, with a pattern of its own, it has 16,600 blocks where front and
 * interface rows have 14,300, of a bear with 919 rows; a product took the same, each step 0.8 ms more and each change of the
 * front 1.2.)
 *
 * The matrix stays from step to step. Rotations stay, too, until they are LT_TURN_SLACK off, and rows with a tet that turned are summed
 * anew, whole and in the order of the tets: taking off what was and adding what is would give other bits than a body that is
 * restored gets, for which all is stale. (Slacks of 2e-4 to 1e-3 take the same iterations, of a bear at rest; with 1e-4 one of 0.1 m,
 * which rocks a little, turns all of its tets in every step.) */

#include "body/multigrid.h"

#include <string.h>

/* ---- memory ---- */

enum { NODE_REALS = 3 * LT_BLOCK_STRIDE + 7 * 4 };

size_t lt_grid_system_reals(const lt_soft *soft) {
    return NODE_REALS * (size_t)soft->carrier.node_count + sizeof(lt_grid_system) / sizeof(lt_real) + 1 +
           LT_AFFINE * lt_coarsest_node_count(soft);
}

bool lt_grid_system_take(lt_system *system, const lt_soft *soft, lt_arena *arena) {
    size_t nodes = soft->carrier.node_count;
    system->blocks = soft->grid->blocks;
    system->rotated = soft->grid->rotated;
    lt_grid_system *g = system->grid = LT_TAKE(arena, 1, lt_grid_system);
    if (!g) return false;
    g->diagonal = LT_TAKE(arena, LT_BLOCK_STRIDE * nodes, lt_real);
    g->inverse = LT_TAKE(arena, LT_BLOCK_STRIDE * nodes, lt_real);
    g->edge = LT_TAKE(arena, LT_BLOCK_STRIDE * nodes, lt_real);
    lt_real **vectors[7] = {&g->value,  &g->product, &g->residual, &g->change,
                            &g->before, &g->behind,  &g->left};
    bool all = true;
    for (int i = 0; i < 7; i++)
        all = (*vectors[i] = LT_TAKE(arena, 4 * nodes, lt_real)) && all;
    g->arms = LT_TAKE(arena, 4 * lt_coarsest_node_count(soft), lt_real);
    return all && g->diagonal && g->inverse && g->edge && g->arms;
}

/* The blocks that count, such that [entry] is that of the carrier's pattern. */
static lt_real *counted_blocks(const lt_soft *soft, uint32_t level) {
    const lt_multigrid *g = soft->grid;
    size_t skipped = soft->carrier.pattern.row_begin[soft->carrier.ladder.node_begin[1]];
    return level == 0 || g->complete[level] ? g->blocks : g->counted - LT_BLOCK_STRIDE * skipped;
}

/* ---- assembling ---- */

static void clear_stale(const lt_soft *soft, lt_real *blocks, const uint32_t *nodes, uint32_t count) {
    const uint32_t *row_begin = soft->carrier.pattern.row_begin;
    for (uint32_t i = 0; i < count; i++) {
        if (!soft->grid->stale[nodes[i]]) continue;
        uint32_t begin = row_begin[nodes[i]], end = row_begin[nodes[i] + 1];
        memset(blocks + (size_t)LT_BLOCK_STRIDE * begin, 0,
               (size_t)LT_BLOCK_STRIDE * (end - begin) * sizeof *blocks);
    }
}

/* Gradients of a tet in the world's frame, their components in all lanes times the moduli. */
typedef struct turned_tet {
    lt_r4 h[4], by_lambda[4][3], by_mu[4][3];
    lt_rvec3 plain[4];
} turned_tet;

static inline void read_turned(turned_tet *t, const lt_real *rotated, lt_real vl, lt_real vm) {
    lt_real h[4][4] = {{0}};
    for (int corner = 1; corner < 4; corner++)
        for (int k = 0; k < 3; k++) {
            h[corner][k] = rotated[(3 * (corner - 1) + k) * LT_GROUP];
            h[0][k] -= h[corner][k];
        }
    for (int corner = 0; corner < 4; corner++) {
        t->h[corner] = lt_r4_load(h[corner]);
        t->plain[corner] = (lt_rvec3){h[corner][0], h[corner][1], h[corner][2]};
        for (int k = 0; k < 3; k++) {
            t->by_lambda[corner][k] = lt_r4_splat(h[corner][k] * vl);
            t->by_mu[corner][k] = lt_r4_splat(h[corner][k] * vm);
        }
    }
}

/* The block (i, j) of a tet's stiffness, see lt_corotational_add_tet; and times a share to another place, NULL: to none. */
static inline void add_block(lt_real *whole, lt_real *counted, lt_r4 share, const turned_tet *t, int i, int j,
                             lt_real dot) {
    static const lt_real axes[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    lt_r4 dots = lt_r4_splat(dot);
    for (int column = 0; column < 3; column++) {
        lt_r4 sum = lt_r4_mul(lt_r4_load(axes[column]), dots);
        sum = lt_r4_mad(sum, t->h[i], t->by_lambda[j][column]);
        sum = lt_r4_mad(sum, t->h[j], t->by_mu[i][column]);
        lt_real *p = whole + 4 * column;
        lt_r4_store(p, lt_r4_add(lt_r4_load(p), sum));
        if (!counted) continue;
        p = counted + 4 * column;
        lt_r4_store(p, lt_r4_mad(lt_r4_load(p), sum, share));
    }
}

/* Bits of the corners whose rows are stale. */
static inline uint32_t stale_corners(const lt_soft *soft, uint32_t tet) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    const uint8_t *stale = soft->grid->stale;
    return (uint32_t)(stale[t[0]] | stale[t[1]] << 1 | stale[t[2]] << 2 | stale[t[3]] << 3);
}

/* To the rows of some corners. */
static void add_tet(const lt_soft *soft, uint32_t tet, uint32_t corners, lt_real volume, lt_real *whole,
                    lt_real *counted) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    const uint32_t *entries = soft->carrier.entries + 16 * (size_t)tet;
    lt_r4 share = lt_r4_splat(soft->grid->shares[tet]);
    lt_real vm = volume * soft->mu;
    turned_tet t;
    read_turned(&t, soft->grid->rotated + 9 * LT_GROUP * (size_t)(tet / LT_GROUP) + tet % LT_GROUP,
                volume * soft->lambda, vm);
    for (int i = 0; i < 4; i++) {
        if (!(corners >> i & 1)) continue;
        for (int j = 0; j < 4; j++) {
            lt_real dot = lt_r3_dot(t.plain[i], t.plain[j]) * vm;
            size_t at = (size_t)LT_BLOCK_STRIDE * entries[4 * i + j];
            add_block(whole + at, counted ? counted + at : NULL, share, &t, i, j, dot);
        }
    }
}

static void add_tets(const lt_soft *soft, lt_real *whole, lt_real *counted, uint32_t level) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t i = g->tets.begin[level]; i < g->tets.begin[level + 1]; i++) {
        uint32_t tet = g->tets.items[i], corners = stale_corners(soft, tet);
        if (!corners) continue;
        lt_real volume = soft->elements.volumes[tet] * g->stiffness_factor;
        bool apart = counted != whole && g->shares[tet] > 0;
        add_tet(soft, tet, corners, volume, whole, apart ? counted : NULL);
    }
}

static void add_mass(const lt_soft *soft, lt_real *blocks, const lt_real *mass, uint32_t level,
                     bool front_only) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++) {
        uint32_t node = g->active.items[i];
        if (!g->stale[node] || (front_only && g->kinds[node] != LT_NODE_FRONT)) continue;
        for (int k = 0; k < 3; k++)
            blocks[(size_t)LT_BLOCK_STRIDE * soft->carrier.pattern.diagonal[node] + (size_t)(5 * k)] +=
                g->mass_factor * mass[node];
    }
}

/* Stale rows of a level, tet by tet in their order: what a row comes to does not depend on which others are stale. */
static void assemble_level(const lt_soft *soft, uint32_t level) {
    const lt_multigrid *g = soft->grid;
    lt_real *whole = g->blocks, *counted = counted_blocks(soft, level);
    const uint32_t *interface = g->interface.items + g->interface.begin[level];
    uint32_t interface_count = g->interface.begin[level + 1] - g->interface.begin[level];
    clear_stale(soft, whole, g->active.items + g->active.begin[level],
                g->active.begin[level + 1] - g->active.begin[level]);
    clear_stale(soft, whole, interface, interface_count);
    if (counted != whole && g->counts[level]) {
        clear_stale(soft, counted, g->nodes + g->row_begin[level],
                    g->row_begin[level + 1] - g->row_begin[level]);
        clear_stale(soft, counted, interface, interface_count);
    }
    add_tets(soft, whole, counted, level);
    if (level > 0) add_mass(soft, whole, g->level_mass, level, false);
    if (level == 0 || (counted != whole && g->counts[level]))
        add_mass(soft, counted, soft->mass, level, true);
}

/* Rows of a level that have a tet which turned; false: there is none. */
static bool mark_stale(const lt_soft *soft, uint32_t level) {
    const lt_multigrid *g = soft->grid;
    bool any = false;
    for (uint32_t i = g->tets.begin[level]; i < g->tets.begin[level + 1]; i++) {
        uint32_t tet = g->tets.items[i];
        if (!(g->turned[tet / LT_GROUP] >> tet % LT_GROUP & 1)) continue;
        for (int k = 0; k < 4; k++)
            g->stale[soft->carrier.tets[4 * (size_t)tet + (size_t)k]] = 1;
        any = true;
    }
    return any;
}

/* Of every level what turned, or all of it. */
static void assemble_levels(const lt_soft *soft, bool all) {
    memset(soft->grid->stale, all, soft->grid->node_count);
    for (uint32_t level = 0; level < lt_level_count(soft); level++)
        if (all || mark_stale(soft, level)) assemble_level(soft, level);
}

/* Vectors at all nodes that anybody looks at. */
static void clear_known(const lt_soft *soft, lt_real *vectors) {
    const lt_multigrid *g = soft->grid;
    uint32_t level_count = lt_level_count(soft);
    for (uint32_t i = 0; i < g->active.begin[level_count]; i++)
        lt_r4_store(vectors + 4 * (size_t)g->active.items[i], lt_r4_splat(0));
    for (uint32_t i = 0; i < g->interface.begin[level_count]; i++)
        lt_r4_store(vectors + 4 * (size_t)g->interface.items[i], lt_r4_splat(0));
    for (uint32_t i = 0; i < g->ghost_count; i++)
        lt_r4_store(vectors + 4 * (size_t)g->ghosts[i], lt_r4_splat(0));
}

/* Elastic loads: those of tets that count are on front and interface nodes alone. */
static void pull_followers(const lt_soft *soft, lt_real *loads) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t i = 0; i < g->interface.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->interface.items[i];
        lt_restrict(&soft->carrier, node, loads, lt_r4_load(loads + 4 * (size_t)node));
    }
}

/* Elastic forces at nodes, rotations and gradients of tets that have turned, or of all that are used. */
static void follow_turns(lt_soft *soft, lt_real *loads, bool all, lt_simd_level level) {
    const lt_multigrid *g = soft->grid;
    lt_elements counting = soft->elements;
    counting.volumes = g->volumes;
    clear_known(soft, loads);
    lt_element_work work = {.elements = &counting,
                            .groups = g->groups,
                            .group_count = g->used_group_count,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .turns_out = soft->turns,
                            .force = loads,
                            .rotated = g->rotated,
                            .slack = LT_TURN_SLACK,
                            .turned = g->turned,
                            .rotate_all = all};
    lt_element_kernels_for(level)->corotate_lazily(&work);
    soft->inverted_count = work.inverted_count;
}

void lt_grid_assemble(lt_soft *soft, const lt_system *system, lt_real mass_factor, lt_real stiffness_factor,
                      lt_real *force, lt_simd_level level) {
    lt_multigrid *g = soft->grid;
    lt_real *loads = system->grid->value;
    bool all = !g->assembled || g->mass_factor != mass_factor || g->stiffness_factor != stiffness_factor;
    g->mass_factor = mass_factor;
    g->stiffness_factor = stiffness_factor;
    follow_turns(soft, loads, all, level);
    pull_followers(soft, loads);
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(force + 4 * (size_t)row, lt_r4_load(loads + 4 * (size_t)g->nodes[row]));
    assemble_levels(soft, all);
    g->assembled = true;
    /* What nobody writes is multiplied by blocks that are zero: it must be a number. */
    clear_known(soft, system->grid->value);
    clear_known(soft, system->grid->change);
}

/* ---- applying ---- */

static bool is_zero(const lt_real *vectors, uint32_t count) {
    lt_r4 zero = lt_r4_splat(0), worst = zero;
    for (size_t i = 0; i < 4 * (size_t)count; i += 4) {
        lt_r4 value = lt_r4_load(vectors + i);
        worst = lt_r4_max(worst, lt_r4_max(value, lt_r4_sub(zero, value)));
    }
    lt_real lanes[4];
    lt_r4_store(lanes, worst);
    return lanes[0] == 0 && lanes[1] == 0 && lanes[2] == 0;
}

/* Interior nodes are given to no-one: their loads go to the finer nodes that they follow, as does their position. */
void lt_grid_pull_loads(const lt_soft *soft, lt_real *loads) {
    const lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    if (is_zero(loads, g->node_count)) return;
    for (uint32_t i = g->active.begin[ladder->level_count]; i-- > g->active.begin[1];) {
        uint32_t node = g->active.items[i];
        if (g->kinds[node] != LT_NODE_INTERIOR) continue;
        size_t at = node - ladder->node_begin[1];
        const uint32_t *corners = carrier->tets + 4 * (size_t)ladder->below_tets[at];
        lt_r4 load = lt_r4_load(loads + 4 * (size_t)node);
        for (int k = 0; k < 4; k++) {
            lt_real *p = loads + 4 * (size_t)corners[k];
            lt_r4_store(p, lt_r4_mad(lt_r4_load(p), load,
                                     lt_r4_splat((lt_real)ladder->below_weights[4 * at + (size_t)k])));
        }
        lt_r4_store(loads + 4 * (size_t)node, lt_r4_splat(0));
    }
    for (uint32_t node = 0; node < ladder->node_begin[ladder->level_count - 1]; node++) {
        if (g->kinds[node] >= LT_NODE_FRONT) continue;
        lt_scatter_corners(lt_hang_corners(soft, node), lt_hang_weights(soft, node), loads,
                           lt_r4_load(loads + 4 * (size_t)node));
        lt_r4_store(loads + 4 * (size_t)node, lt_r4_splat(0));
    }
}

static void spread_values(const lt_soft *soft, lt_real *value, const lt_real *x) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(value + 4 * (size_t)g->nodes[row], lt_r4_load(x + 4 * (size_t)row));
    for (uint32_t level = lt_level_count(soft); level-- > 0;)
        for (uint32_t i = g->interface.begin[level]; i < g->interface.begin[level + 1]; i++) {
            uint32_t node = g->interface.items[i];
            lt_r4_store(value + 4 * (size_t)node, lt_prolong(&soft->carrier, node, value));
        }
}

/* Sᵀ (Σ counted) S x at the nodes of the front, into scratch. Interior nodes have no part in it: no tet of theirs counts. */
static void multiply_levels(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels,
                            const lt_real *x, const uint32_t *finest, uint32_t finest_count) {
    const lt_multigrid *g = soft->grid;
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    lt_real *value = system->grid->value, *product = system->grid->product;
    spread_values(soft, value, x);
    for (uint32_t l = 0; l < lt_level_count(soft); l++) {
        const uint32_t *front = l == 0 ? finest : g->nodes + g->row_begin[l];
        uint32_t front_count = l == 0 ? finest_count : g->row_begin[l + 1] - g->row_begin[l];
        const uint32_t *interface = g->interface.items + g->interface.begin[l];
        uint32_t interface_count = g->interface.begin[l + 1] - g->interface.begin[l];
        if (g->counts[l]) {
            const lt_real *blocks = counted_blocks(soft, l);
            kernels->multiply_rows(product, pattern, blocks, value, front, front_count);
            kernels->multiply_rows(product, pattern, blocks, value, interface, interface_count);
        }
        for (uint32_t i = 0; !g->counts[l] && i < interface_count; i++)
            lt_r4_store(product + 4 * (size_t)interface[i], lt_r4_splat(0));
    }
    for (uint32_t i = 0; i < g->interface.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->interface.items[i];
        lt_restrict(&soft->carrier, node, product, lt_r4_load(product + 4 * (size_t)node));
    }
}

/* Rows are the nodes of one level, and its matrix is theirs. */
static void multiply_level(const lt_soft *soft, const lt_system *system, const lt_sparse_kernels *kernels,
                           lt_real *y, const lt_real *x) {
    uint32_t first = soft->grid->nodes[0];
    kernels->multiply(y - 4 * (size_t)first, &soft->carrier.pattern, system->blocks, x - 4 * (size_t)first,
                      first, first + soft->grid->row_count);
}

void lt_grid_apply(const lt_soft *soft, const lt_system *system, lt_real *y, const lt_real *x,
                   lt_simd_level level) {
    const lt_multigrid *g = soft->grid;
    const lt_sparse_kernels *kernels = lt_sparse_kernels_for(level);
    if (lt_front_is_even(soft)) {
        multiply_level(soft, system, kernels, y, x);
        return;
    }
    multiply_levels(soft, system, kernels, x, g->nodes, g->row_begin[1]);
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(y + 4 * (size_t)row, lt_r4_load(system->grid->product + 4 * (size_t)g->nodes[row]));
}

void lt_grid_defect(const lt_soft *soft, const lt_system *system, lt_real *left, const lt_real *b,
                    const lt_real *x, lt_finest_rows finest, lt_simd_level level) {
    const lt_multigrid *g = soft->grid;
    const uint32_t *nodes = finest == LT_FINEST_STILL ? g->near : g->nodes;
    uint32_t count = finest == LT_FINEST_ALL     ? g->row_begin[1]
                     : finest == LT_FINEST_STILL ? g->near_count
                                                 : 0;
    multiply_levels(soft, system, lt_sparse_kernels_for(level), x, nodes, count);
    if (finest == LT_FINEST_STILL) memcpy(left, b, 4 * (size_t)g->row_begin[1] * sizeof *left);
    const lt_real *product = system->grid->product;
    for (uint32_t i = 0; i < count; i++) {
        size_t at = 4 * (size_t)g->rows[nodes[i]];
        lt_r4_store(left + at, lt_r4_sub(lt_r4_load(b + at), lt_r4_load(product + 4 * (size_t)nodes[i])));
    }
    for (uint32_t row = g->row_begin[1]; row < g->row_count; row++) {
        size_t at = 4 * (size_t)row;
        lt_r4_store(left + at,
                    lt_r4_sub(lt_r4_load(b + at), lt_r4_load(product + 4 * (size_t)g->nodes[row])));
    }
}

void lt_grid_diagonal(const lt_soft *soft, const lt_system *system, lt_real *out) {
    const lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    lt_real *blocks = system->grid->diagonal; /* scratch until a cycle begins */
    for (uint32_t level = 0; level < lt_level_count(soft); level++) {
        const lt_real *counted = counted_blocks(soft, level);
        const uint32_t *lists[2] = {g->nodes + g->row_begin[level],
                                    g->interface.items + g->interface.begin[level]};
        const uint32_t counts[2] = {g->row_begin[level + 1] - g->row_begin[level],
                                    g->interface.begin[level + 1] - g->interface.begin[level]};
        for (int l = 0; l < 2; l++)
            for (uint32_t i = 0; i < counts[l]; i++) {
                uint32_t node = lists[l][i];
                lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * node;
                if (g->counts[level])
                    memcpy(block, counted + (size_t)LT_BLOCK_STRIDE * carrier->pattern.diagonal[node],
                           LT_BLOCK_STRIDE * sizeof *block);
                else
                    memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
            }
    }
    for (uint32_t i = 0; i < g->interface.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->interface.items[i];
        for (int k = 0; k < 4; k++) {
            lt_real w = (lt_real)lt_above_weights(carrier, node)[k];
            lt_real *to = blocks + (size_t)LT_BLOCK_STRIDE * lt_above_corners(carrier, node)[k];
            for (int j = 0; j < LT_BLOCK_STRIDE; j++)
                to[j] += w * w * blocks[(size_t)LT_BLOCK_STRIDE * node + (size_t)j];
        }
    }
    for (uint32_t row = 0; row < g->row_count; row++)
        memcpy(out + (size_t)LT_BLOCK_STRIDE * row, blocks + (size_t)LT_BLOCK_STRIDE * g->nodes[row],
               LT_BLOCK_STRIDE * sizeof *out);
}
