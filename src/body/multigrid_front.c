/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The front of a multigrid body: who moves by itself, who follows, which tets count by what share, masses. See multigrid.h.
 *
 * Workload: a bear of 2,600 nodes and 11,000 tets on six levels, 20,000 pieces; the front changes in most steps while it
 * deforms, and hardly otherwise. */

#include "body/multigrid.h"

#include <string.h>

/* ---- who moves ---- */

static bool hangs_on_refined(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    const uint32_t *corners = lt_above_corners(&soft->carrier, node);
    return soft->refined[corners[0]] || soft->refined[corners[1]] || soft->refined[corners[2]] ||
           soft->refined[corners[3]];
}

/* `kinds` serve as what is active in the level at hand. */
static void refine_parent(lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_multigrid *g = soft->grid;
    uint32_t parent = soft->carrier.ladder.parents[node];
    soft->refined[parent] = 1;
    for (uint32_t i = g->child_begin[parent]; i < g->child_begin[parent + 1]; i++)
        g->kinds[g->children[i]] = LT_NODE_FRONT;
    g->kinds[node] = LT_NODE_FRONT;
}

/* From fine to coarse: whom a node needs is of a coarser level, and looked at after it. */
static void close_refined(lt_soft *soft) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint8_t *kinds = soft->grid->kinds;
    uint32_t coarsest = ladder->node_begin[ladder->level_count - 1];
    memset(soft->refined, 0, ladder->node_begin[1]);
    memset(soft->refined + coarsest, 1, soft->carrier.node_count - coarsest);
    for (uint32_t level = 0; level + 1 < ladder->level_count; level++) {
        uint32_t begin = ladder->node_begin[level], end = ladder->node_begin[level + 1];
        for (uint32_t node = begin; node < end; node++)
            kinds[node] = hangs_on_refined(soft, node) ? LT_NODE_FRONT : LT_NODE_IDLE;
        for (uint32_t node = begin; node < end; node++) {
            if (!soft->refined[node] && !soft->pinned[node]) continue;
            if (kinds[node] == LT_NODE_IDLE) refine_parent(soft, node);
            uint32_t near_end = soft->refined[node] ? ladder->cascade_begin[node + 1] : 0;
            for (uint32_t i = ladder->cascade_begin[node]; i < near_end; i++)
                if (kinds[ladder->cascade[i]] == LT_NODE_IDLE) refine_parent(soft, ladder->cascade[i]);
        }
    }
}

static void list_active(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint32_t coarsest = ladder->node_begin[ladder->level_count - 1], count = 0;
    g->row_count = 0;
    for (uint32_t level = 0; level < ladder->level_count; level++) {
        g->active.begin[level] = count;
        g->row_begin[level] = g->row_count;
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++) {
            bool active = node >= coarsest || hangs_on_refined(soft, node);
            g->kinds[node] = !active ? LT_NODE_IDLE : soft->refined[node] ? LT_NODE_INTERIOR : LT_NODE_FRONT;
            g->rows[node] = g->kinds[node] == LT_NODE_FRONT ? g->row_count : LT_NONE;
            if (active) g->active.items[count++] = node;
            if (g->rows[node] != LT_NONE) g->nodes[g->row_count++] = node;
        }
    }
    g->active.begin[ladder->level_count] = count;
    g->row_begin[ladder->level_count] = g->row_count;
}

/* ---- which tets count ---- */

static bool has_active(const lt_soft *soft, uint32_t tet) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    const uint8_t *kinds = soft->grid->kinds;
    return lt_max_u32(lt_max_u32(kinds[t[0]], kinds[t[1]]), lt_max_u32(kinds[t[2]], kinds[t[3]])) >=
           LT_NODE_FRONT;
}

static bool has_refined(const lt_soft *soft, uint32_t tet) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    return soft->refined[t[0]] || soft->refined[t[1]] || soft->refined[t[2]] || soft->refined[t[3]];
}

/* Tets with an active corner, and those with a part that a tet of the next coarser level opens. */
static void find_used(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    memcpy(g->used_before, g->used, g->tet_count);
    memset(g->used, 0, g->tet_count);
    for (uint32_t level = ladder->level_count; level-- > 0;) {
        uint32_t begin = ladder->tet_begin[level], end = ladder->tet_begin[level + 1];
        bool coarsest = level + 1 == ladder->level_count;
        bool some = g->active.begin[level] < g->active.begin[level + 1];
        for (uint32_t tet = begin; some && tet < end; tet++)
            if (coarsest || has_active(soft, tet)) g->used[tet] = 1;
        for (uint32_t tet = begin; level > 0 && tet < end; tet++) {
            if (!g->used[tet] || !has_refined(soft, tet)) continue;
            for (uint32_t i = g->tet_part_begin[tet]; i < g->tet_part_begin[tet + 1]; i++) {
                const lt_solid_part *part = &g->parts[g->tet_parts[i]];
                for (uint32_t child = part->child; child < part[1].child; child++)
                    g->used[g->parts[child].tet] = 1;
            }
        }
    }
}

/* What finer tets own of a part grows by so much (unsigned: or less). The parent of a part learns what is owned up to it: all
 * of it where its tet is used. */
static void pass_taken(lt_multigrid *g, uint32_t part, uint32_t more) {
    for (; part != LT_NONE; part = g->parts[part].parent) {
        g->taken[part] += more;
        if (g->used_before[g->parts[part].tet]) {
            g->owned[g->parts[part].tet] -= more;
            return;
        }
    }
}

/* Every part to its owner: by what has changed, one tet after the other; `used_before` goes along. */
static void share_out_parts(lt_multigrid *g) {
    for (uint32_t tet = 0; tet < g->tet_count; tet++) {
        if (g->used[tet] == g->used_before[tet]) continue;
        uint32_t left = 0; /* that no finer tet owns */
        for (uint32_t i = g->tet_part_begin[tet]; i < g->tet_part_begin[tet + 1]; i++) {
            uint32_t part = g->tet_parts[i], own = g->parts[part].volume - g->taken[part];
            left += own;
            pass_taken(g, g->parts[part].parent, g->used[tet] ? own : 0u - own);
        }
        g->used_before[tet] = g->used[tet];
        g->owned[tet] = g->used[tet] ? left : 0;
    }
}

static void list_used(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->tets.begin[ladder->level_count]; i++) { /* of the last front */
        g->shares[g->tets.items[i]] = 0;
        g->volumes[g->tets.items[i]] = 0;
    }
    for (uint32_t level = 0; level < ladder->level_count; level++) {
        g->tets.begin[level] = count;
        for (uint32_t tet = ladder->tet_begin[level]; tet < ladder->tet_begin[level + 1]; tet++)
            if (g->used[tet]) g->tets.items[count++] = tet;
    }
    g->tets.begin[ladder->level_count] = count;
}

/* Masses of parts at the corners of their owners. */
static void weigh_nodes(lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    memset(soft->mass, 0, g->node_count * sizeof *soft->mass);
    for (uint32_t i = 0; i < g->tets.begin[lt_level_count(soft)]; i++) {
        uint32_t tet = g->tets.items[i];
        lt_real share = lt_part_mass(soft, g->owned[tet]);
        for (int k = 0; k < 4; k++)
            soft->mass[soft->carrier.tets[4 * (size_t)tet + (size_t)k]] += share;
    }
}

/* A front node whose surroundings all belong to finer tets has nothing to move. True: there was one, and it is refined now. */
static bool refine_idlers(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    bool any = false;
    for (uint32_t row = 0; row < g->row_count; row++) {
        uint32_t node = g->nodes[row];
        if (soft->mass[node] > 0 || node < soft->carrier.ladder.node_begin[1]) continue;
        soft->refined[node] = 1;
        any = true;
    }
    return any;
}

static void weigh_shares(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    g->used_group_count = 0;
    for (uint32_t level = 0; level < lt_level_count(soft); level++) {
        const uint32_t *tet_begin = soft->carrier.ladder.tet_begin;
        g->counts[level] = false;
        g->complete[level] =
            g->tets.begin[level + 1] - g->tets.begin[level] == tet_begin[level + 1] - tet_begin[level];
        for (uint32_t i = g->tets.begin[level]; i < g->tets.begin[level + 1]; i++) {
            uint32_t tet = g->tets.items[i], group = tet / LT_GROUP;
            bool empty = g->tet_volumes[tet] ==
                         0; /* no part is in it: it holds its corners where they are not refined */
            lt_real share = empty ? (lt_real)!has_refined(soft, tet)
                                  : (lt_real)((double)g->owned[tet] / (double)g->tet_volumes[tet]);
            g->shares[tet] = share;
            g->volumes[tet] = share * soft->elements.volumes[tet];
            g->counts[level] = g->counts[level] || share > 0;
            g->complete[level] = g->complete[level] && share == 1;
            if (g->used_group_count == 0 || g->groups[g->used_group_count - 1] != group)
                g->groups[g->used_group_count++] = group;
        }
    }
}

/* ---- who follows ---- */

/* From fine to coarse: what interface nodes hang on is interface, where it is not active. */
static void list_interface(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->tets.begin[ladder->level_count]; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t node = carrier->tets[4 * (size_t)g->tets.items[i] + (size_t)k];
            if (g->kinds[node] == LT_NODE_IDLE) g->kinds[node] = LT_NODE_INTERFACE;
        }
    for (uint32_t level = 0; level < ladder->level_count; level++) {
        g->interface.begin[level] = count;
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++) {
            if (g->kinds[node] != LT_NODE_INTERFACE) continue;
            g->interface.items[count++] = node;
            for (int k = 0; k < 4; k++) {
                uint8_t *kind = &g->kinds[lt_above_corners(carrier, node)[k]];
                if (*kind == LT_NODE_IDLE) *kind = LT_NODE_INTERFACE;
            }
        }
    }
    g->interface.begin[ladder->level_count] = count;
}

static bool can_carry(const lt_soft *soft, uint32_t tet) {
    LT_ASSERT(tet < soft->carrier.tet_count);
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    const uint8_t *kinds = soft->grid->kinds;
    for (int k = 0; k < 4; k++)
        if (kinds[t[k]] != LT_NODE_FRONT && kinds[t[k]] != LT_NODE_INTERFACE) return false;
    return true;
}

/* Idle nodes look past levels that are idle themselves; where none will do, the next one does, which is placed before. */
static void hang_node(lt_soft *soft, uint32_t node, uint32_t level) {
    LT_ASSERT(node < soft->carrier.node_count);
    lt_multigrid *g = soft->grid;
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint32_t tet = ladder->above_tets[node];
    const float *weights = lt_above_weights(&soft->carrier, node);
    bool found = g->kinds[node] == LT_NODE_INTERFACE || can_carry(soft, tet);
    for (uint32_t into = level + 2; !found && into + 1 < ladder->level_count; into++) {
        size_t row = lt_ladder_far_begin(ladder, level, into) + node - ladder->node_begin[level];
        if (!can_carry(soft, ladder->far_tets[row])) continue;
        tet = ladder->far_tets[row];
        weights = ladder->far_weights + 4 * row;
        found = true;
    }
    g->hang_tets[node] = tet;
    memcpy(g->hang_weights + 4 * (size_t)node, weights, 4 * sizeof *weights);
}

static void hang_nodes(lt_soft *soft) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    for (uint32_t level = 0; level + 1 < ladder->level_count; level++)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++)
            if (soft->grid->kinds[node] < LT_NODE_FRONT) hang_node(soft, node, level);
}

/* Kinds serve as marks. */
static void list_ghosts(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    enum { SEEN = 255 };
    g->ghost_count = 0;
    for (uint32_t i = 0; i < g->interface.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->interface.items[i];
        for (uint32_t entry = pattern->row_begin[node]; entry < pattern->row_begin[node + 1]; entry++) {
            uint32_t other = pattern->columns[entry];
            if (g->kinds[other] != LT_NODE_IDLE) continue;
            g->kinds[other] = SEEN;
            g->ghosts[g->ghost_count++] = other;
        }
    }
    for (uint32_t i = 0; i < g->ghost_count; i++)
        g->kinds[g->ghosts[i]] = LT_NODE_IDLE;
}

static void list_near(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    const lt_sparse_pattern *pattern = &soft->carrier.pattern;
    g->near_count = 0;
    for (uint32_t row = 0; row < g->row_begin[1]; row++) {
        uint32_t node = g->nodes[row], entry = pattern->row_begin[node], end = pattern->row_begin[node + 1];
        while (entry < end && g->kinds[pattern->columns[entry]] != LT_NODE_INTERFACE)
            entry++;
        if (entry < end) g->near[g->near_count++] = node;
    }
}

bool lt_front_is_even(const lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    if (g->interface.begin[lt_level_count(soft)] > 0) return false;
    for (uint32_t level = 0; level < lt_level_count(soft); level++)
        if (g->complete[level]) return g->row_count == g->active.begin[level + 1] - g->active.begin[level];
    return false;
}

/* Weights outside the tet are negative; a mass is not. */
static void pass_mass_on(lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    for (uint32_t i = 0; i < g->interface.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->interface.items[i];
        const float *weights = lt_above_weights(carrier, node);
        lt_real sum = 0, mass = soft->mass[node];
        for (int k = 0; k < 4; k++)
            sum += lt_max_r(0, (lt_real)weights[k]);
        for (int k = 0; k < 4; k++)
            soft->mass[lt_above_corners(carrier, node)[k]] += mass * lt_max_r(0, (lt_real)weights[k]) / sum;
        soft->mass[node] = 0;
    }
}

/* Closes `refined`; true: it is what all lists are of. Closing uses kinds, which are kept then. */
static bool is_as_listed(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    memcpy(g->kinds_listed, g->kinds, g->node_count);
    close_refined(soft);
    if (!g->listed || memcmp(soft->refined, g->refined_listed, g->node_count) != 0) return false;
    memcpy(g->kinds, g->kinds_listed, g->node_count);
    return true;
}

void lt_front_update(lt_soft *soft) {
    if (is_as_listed(soft)) return;
    soft->grid->assembled = false;
    do {
        close_refined(soft);
        list_active(soft);
        find_used(soft);
        list_used(soft);
        share_out_parts(soft->grid);
        weigh_nodes(soft);
    } while (refine_idlers(soft));
    weigh_shares(soft);
    list_interface(soft);
    hang_nodes(soft);
    list_ghosts(soft);
    list_near(soft);
    pass_mass_on(soft);
    memcpy(soft->grid->refined_listed, soft->refined, soft->grid->node_count);
    soft->grid->listed = true;
}

void lt_front_set_level(lt_soft *soft, uint32_t level) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    memset(soft->refined, 0, soft->carrier.node_count);
    if (level + 1 < ladder->level_count)
        memset(soft->refined + ladder->node_begin[level + 1], 1,
               soft->carrier.node_count - ladder->node_begin[level + 1]);
    lt_front_update(soft);
}

/* What the file's head says of fronts, by looking. */
const char *lt_front_flaw(const lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    uint32_t coarsest = ladder->node_begin[ladder->level_count - 1];
    double mass = 0;
    for (uint32_t node = 0; node < carrier->node_count; node++) {
        bool active = node >= coarsest || hangs_on_refined(soft, node);
        mass += (double)soft->mass[node];
        if (active != (g->kinds[node] >= LT_NODE_FRONT))
            return "a node is active without hanging on a refined one";
        if (soft->refined[node] && !active) return "a node is refined and not active";
        if (soft->refined[node] != (g->kinds[node] == LT_NODE_INTERIOR))
            return "a refined node is not interior";
        if ((soft->mass[node] > 0) != (g->kinds[node] == LT_NODE_FRONT))
            return "not the front nodes have mass";
        if (soft->pinned[node] && g->kinds[node] != LT_NODE_FRONT) return "a pinned node is not in the front";
        for (uint32_t i = ladder->cascade_begin[node];
             soft->refined[node] && node < coarsest && i < ladder->cascade_begin[node + 1]; i++)
            if (g->kinds[ladder->cascade[i]] < LT_NODE_FRONT)
                return "a neighbour of a refined node is not active";
        for (int k = 0; g->kinds[node] == LT_NODE_INTERFACE && k < 4; k++) {
            uint8_t kind = g->kinds[lt_above_corners(carrier, node)[k]];
            if (kind != LT_NODE_INTERFACE && kind != LT_NODE_FRONT)
                return "an interface node hangs on one that is neither";
        }
    }
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        for (int k = 0; g->shares[tet] > 0 && k < 4; k++) {
            uint8_t kind = g->kinds[carrier->tets[4 * (size_t)tet + (size_t)k]];
            if (kind != LT_NODE_INTERFACE && kind != LT_NODE_FRONT)
                return "a tet counts and has an interior or idle corner";
        }
    double whole = 0, cube = (double)soft->scale * (double)soft->scale * (double)soft->scale;
    for (uint32_t piece = 0; piece < ladder->piece_count; piece++)
        whole += cube * (double)ladder->piece_volumes[piece] * (double)soft->material.density;
    return lt_max_d(mass - whole, whole - mass) > 1e-5 * whole ? "the front weighs not what the solid does"
                                                               : NULL;
}
