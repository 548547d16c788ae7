/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The front of a multigrid body: who moves by itself, who follows, which tets count by what share, masses. See multigrid.h.
 *
 * Workload: a bear of 2,600 nodes and 11,000 tets on six levels, 20,000 pieces; the front changes in most steps while it
 * deforms, and hardly otherwise. */

#include "body/multigrid.h"

#include <string.h>

/* ---- memory ---- */

static size_t carve_all(lt_multigrid *g, uint8_t *memory) {
    lt_carver c = {memory, 0};
    size_t nodes = g->node_count, tets = g->tet_count;
    g->child_begin = lt_carve(&c, nodes + 1, sizeof(uint32_t));
    g->children = lt_carve(&c, 4 * nodes, sizeof(uint32_t));
    g->level_mass = lt_carve(&c, nodes, sizeof(lt_real));
    g->ties = lt_carve(&c, g->entry_count, sizeof(lt_real));
    g->tet_volumes = lt_carve(&c, tets, sizeof(uint32_t));
    g->parts = lt_carve(&c, (size_t)g->part_count + 1, sizeof(lt_solid_part));
    g->tet_parts = lt_carve(&c, g->part_count, sizeof(uint32_t));
    g->tet_part_begin = lt_carve(&c, tets + 1, sizeof(uint32_t));
    g->kinds = lt_carve(&c, nodes, 1);
    g->used = lt_carve(&c, tets, 1);
    g->used_before = lt_carve(&c, tets, 1);
    g->taken = lt_carve(&c, g->part_count, sizeof(uint32_t));
    g->owned = lt_carve(&c, tets, sizeof(uint32_t));
    g->shares = lt_carve(&c, tets, sizeof(lt_real));
    g->volumes = lt_carve(&c, (size_t)LT_GROUP * g->group_count, sizeof(lt_real));
    g->groups = lt_carve(&c, g->group_count, sizeof(uint32_t));
    g->active.items = lt_carve(&c, nodes, sizeof(uint32_t));
    g->interface.items = lt_carve(&c, nodes, sizeof(uint32_t));
    g->tets.items = lt_carve(&c, tets, sizeof(uint32_t));
    g->hang_tets = lt_carve(&c, nodes, sizeof(uint32_t));
    g->hang_weights = lt_carve(&c, 4 * nodes, sizeof(float));
    g->ghosts = lt_carve(&c, nodes, sizeof(uint32_t));
    g->nodes = lt_carve(&c, nodes, sizeof(uint32_t));
    g->rows = lt_carve(&c, nodes, sizeof(uint32_t));
    g->refined_before = lt_carve(&c, nodes, 1);
    g->details = lt_carve(&c, 4 * nodes, sizeof(lt_real));
    return c.used;
}

/* ---- constants ---- */

static void list_children(lt_multigrid *g, const lt_carrier *carrier) {
    uint32_t below = carrier->ladder.node_begin[carrier->ladder.level_count - 1];
    for (uint32_t node = 0; node < below; node++)
        for (int k = 0; k < 4; k++)
            if (lt_above_weights(carrier, node)[k] != 0)
                g->child_begin[lt_above_corners(carrier, node)[k] + 1]++;
    for (uint32_t node = 0; node < g->node_count; node++)
        g->child_begin[node + 1] += g->child_begin[node];
    /* rows serve as the fill cursor until they get their own meaning */
    memcpy(g->rows, g->child_begin, g->node_count * sizeof *g->rows);
    for (uint32_t node = 0; node < below; node++)
        for (int k = 0; k < 4; k++)
            if (lt_above_weights(carrier, node)[k] != 0)
                g->children[g->rows[lt_above_corners(carrier, node)[k]]++] = node;
}

/* Gradients of the four corners of a tet, from its element. */
static void gradients_of(lt_rvec3 out[4], const lt_elements *elements, uint32_t tet) {
    const lt_real *g = elements->gradients + 9 * LT_GROUP * (size_t)(tet / LT_GROUP) + tet % LT_GROUP;
    for (int k = 0; k < 3; k++)
        out[k + 1] = (lt_rvec3){g[3 * k * LT_GROUP], g[(3 * k + 1) * LT_GROUP], g[(3 * k + 2) * LT_GROUP]};
    out[0] = lt_r3_neg(lt_r3_add(out[1], lt_r3_add(out[2], out[3])));
}

/* The Laplacian with the stiffness of a stretch: what K is, but for directions. */
static void find_ties(lt_multigrid *g, const lt_soft *soft) {
    lt_real modulus = soft->lambda + 2 * soft->mu;
    for (uint32_t tet = 0; tet < g->tet_count; tet++) {
        lt_rvec3 h[4];
        gradients_of(h, &soft->elements, tet);
        lt_real stiffness = modulus * soft->elements.volumes[tet];
        for (int k = 0; k < 16; k++)
            g->ties[soft->carrier.entries[16 * (size_t)tet + (size_t)k]] +=
                stiffness * lt_r3_dot(h[k / 4], h[k % 4]);
    }
}

/* That falls to each corner of a tet with so much of the solid. */
static lt_real mass_of(const lt_soft *soft, uint32_t volume) {
    return (lt_real)((double)volume * soft->grid->mass_unit / 4);
}

static void weigh_levels(lt_multigrid *g, const lt_soft *soft) {
    for (uint32_t part = 0; part < g->part_count; part++)
        g->tet_volumes[g->parts[part].tet] += g->parts[part].volume;
    for (uint32_t tet = 0; tet < g->tet_count; tet++)
        for (int k = 0; k < 4; k++)
            g->level_mass[soft->carrier.tets[4 * (size_t)tet + (size_t)k]] +=
                mass_of(soft, g->tet_volumes[tet]);
}

static void measure_edges(lt_multigrid *g, const lt_soft *soft) {
    const lt_carrier *carrier = &soft->carrier;
    for (uint32_t level = 0; level < lt_level_count(soft); level++) {
        double sum = 0;
        uint32_t begin = carrier->ladder.tet_begin[level], end = carrier->ladder.tet_begin[level + 1];
        for (uint32_t tet = begin; tet < end; tet++)
            for (int k = 0; k < 6; k++) {
                static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
                const uint32_t *t = carrier->tets + 4 * (size_t)tet;
                const double *a = carrier->rest + 3 * (size_t)t[ends[k][0]];
                const double *b = carrier->rest + 3 * (size_t)t[ends[k][1]];
                sum += lt_d3_distance((lt_dvec3){a[0], a[1], a[2]}, (lt_dvec3){b[0], b[1], b[2]});
            }
        g->edges[level] = (lt_real)(sum / (6.0 * (end - begin)) * (double)soft->scale);
    }
}

/* ---- parts of the solid ---- */

/* Pieces come in the order of their tets, the coarsest first: those that coarse tets have in common lie side by side. */
static bool differs_above(const lt_ladder *ladder, uint32_t piece, uint32_t level) {
    const uint32_t *here = ladder->piece_tets + (size_t)piece * ladder->level_count;
    for (uint32_t l = level; piece > 0 && l < ladder->level_count; l++)
        if (here[l] != here[(size_t)l - ladder->level_count]) return true;
    return piece == 0;
}

static uint32_t count_parts(const lt_ladder *ladder) {
    uint32_t count = 0;
    for (uint32_t piece = 0; piece < ladder->piece_count; piece++)
        for (uint32_t level = 0; level < ladder->level_count; level++)
            count += differs_above(ladder, piece, level);
    return count;
}

/* Volumes are counted in parts of 2³⁰ of the solid: sums of integers do not depend on how a front came about. */
static double volume_units(lt_multigrid *g, const lt_soft *soft) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    double cube = (double)soft->scale * (double)soft->scale * (double)soft->scale, whole = 0, counted = 0;
    for (uint32_t piece = 0; piece < ladder->piece_count; piece++)
        whole += (double)ladder->piece_volumes[piece];
    double per_volume = 1073741824.0 / whole;
    for (uint32_t piece = 0; piece < ladder->piece_count; piece++)
        counted += lt_max_u32(1, (uint32_t)(ladder->piece_volumes[piece] * per_volume));
    g->mass_unit = whole * cube * soft->material.density / counted;
    return per_volume;
}

/* Level after level, the finest first; within one in the order of the pieces. */
static void list_parts(lt_multigrid *g, const lt_soft *soft, double per_volume) {
    const lt_ladder *ladder = &soft->carrier.ladder;
    uint32_t count = 0;
    for (uint32_t level = 0; level < ladder->level_count; level++) {
        g->part_begin[level] = count;
        uint32_t below = level > 0 ? g->part_begin[level - 1] : 0; /* the next child */
        for (uint32_t piece = 0; piece < ladder->piece_count; piece++) {
            if (differs_above(ladder, piece, level)) {
                g->parts[count].tet = ladder->piece_tets[(size_t)piece * ladder->level_count + level];
                g->parts[count++].child = below;
            }
            g->parts[count - 1].volume +=
                lt_max_u32(1, (uint32_t)(ladder->piece_volumes[piece] * per_volume));
            if (level > 0 && differs_above(ladder, piece, level - 1)) g->parts[below++].parent = count - 1;
        }
    }
    g->part_begin[ladder->level_count] = g->parts[count].child = count;
    for (uint32_t part = g->part_begin[ladder->level_count - 1]; part < count; part++)
        g->parts[part].parent = LT_NONE;
}

static void list_parts_of_tets(lt_multigrid *g) {
    for (uint32_t part = 0; part < g->part_count; part++)
        g->tet_part_begin[g->parts[part].tet + 1]++;
    for (uint32_t tet = 0; tet < g->tet_count; tet++)
        g->tet_part_begin[tet + 1] += g->tet_part_begin[tet];
    for (uint32_t part = 0; part < g->part_count;
         part++) /* begins serve as cursors, and are put right behind it */
        g->tet_parts[g->tet_part_begin[g->parts[part].tet]++] = part;
    for (uint32_t tet = g->tet_count; tet > 0; tet--)
        g->tet_part_begin[tet] = g->tet_part_begin[tet - 1];
    g->tet_part_begin[0] = 0;
}

lt_status lt_multigrid_create(lt_soft *soft, lt_error *error) {
    const lt_carrier *carrier = &soft->carrier;
    lt_multigrid *g = LT_NEW(&soft->allocator, 1, lt_multigrid);
    if (g) {
        *g = (lt_multigrid){.node_count = carrier->node_count,
                            .tet_count = carrier->tet_count,
                            .entry_count = carrier->pattern.row_begin[carrier->node_count],
                            .group_count = soft->elements.group_count,
                            .part_count = count_parts(&carrier->ladder),
                            .allocator = soft->allocator};
        g->memory_size = carve_all(g, NULL);
        g->memory = LT_NEW(&g->allocator, g->memory_size, uint8_t);
    }
    if (!g || !g->memory) {
        if (g) LT_DELETE(&soft->allocator, g, 1, lt_multigrid);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a ladder of %u nodes", carrier->node_count);
    }
    carve_all(g, g->memory);
    list_children(g, carrier);
    find_ties(g, soft);
    soft->grid = g;
    list_parts(g, soft, volume_units(g, soft));
    list_parts_of_tets(g);
    weigh_levels(g, soft);
    measure_edges(g, soft);
    return LT_OK;
}

void lt_multigrid_free(lt_multigrid *g) {
    if (!g) return;
    lt_allocator allocator = g->allocator;
    LT_DELETE(&allocator, (uint8_t *)g->memory, g->memory_size, uint8_t);
    LT_DELETE(&allocator, g, 1, lt_multigrid);
}

/* ---- who moves ---- */

static bool hangs_on_refined(const lt_soft *soft, uint32_t node) {
    const uint32_t *corners = lt_above_corners(&soft->carrier, node);
    return soft->refined[corners[0]] || soft->refined[corners[1]] || soft->refined[corners[2]] ||
           soft->refined[corners[3]];
}

/* `kinds` serve as what is active in the level at hand. */
static void refine_parent(lt_soft *soft, uint32_t node) {
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
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++) {
            bool active = node >= coarsest || hangs_on_refined(soft, node);
            g->kinds[node] = !active ? LT_NODE_IDLE : soft->refined[node] ? LT_NODE_INTERIOR : LT_NODE_FRONT;
            g->rows[node] = g->kinds[node] == LT_NODE_FRONT ? g->row_count : LT_NONE;
            if (active) g->active.items[count++] = node;
            if (g->rows[node] != LT_NONE) g->nodes[g->row_count++] = node;
        }
    }
    g->active.begin[ladder->level_count] = count;
}

/* ---- which tets count ---- */

static bool has_active(const lt_soft *soft, uint32_t tet) {
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    const uint8_t *kinds = soft->grid->kinds;
    return lt_max_u32(lt_max_u32(kinds[t[0]], kinds[t[1]]), lt_max_u32(kinds[t[2]], kinds[t[3]])) >=
           LT_NODE_FRONT;
}

static bool has_refined(const lt_soft *soft, uint32_t tet) {
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
        lt_real share = mass_of(soft, g->owned[tet]);
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
    const uint32_t *t = soft->carrier.tets + 4 * (size_t)tet;
    const uint8_t *kinds = soft->grid->kinds;
    for (int k = 0; k < 4; k++)
        if (kinds[t[k]] != LT_NODE_FRONT && kinds[t[k]] != LT_NODE_INTERFACE) return false;
    return true;
}

/* Idle nodes look past levels that are idle themselves; where none will do, the next one does, which is placed before. */
static void hang_node(lt_soft *soft, uint32_t node, uint32_t level) {
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

bool lt_front_is_even(const lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
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

void lt_front_update(lt_soft *soft) {
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
    pass_mass_on(soft);
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

/* ---- following ---- */

static void follow_below(const lt_carrier *carrier, uint32_t node, lt_real *vectors) {
    lt_r4_store(vectors + 4 * (size_t)node, lt_gather_below(carrier, node, vectors));
}

/* Positions and velocities at once: what they hang on is the same. */
static inline void follow_hang(lt_soft *soft, uint32_t node) {
    const uint32_t *corners = lt_hang_corners(soft, node);
    const float *weights = lt_hang_weights(soft, node);
    lt_r4 x = lt_r4_load(soft->offset + 4 * (size_t)node), v = lt_r4_splat(0);
    for (int k = 0; k < 4; k++) {
        size_t at = 4 * (size_t)corners[k];
        lt_r4 weight = lt_r4_splat((lt_real)weights[k]);
        x = lt_r4_mad(x, lt_r4_load(soft->x + at), weight);
        v = lt_r4_mad(v, lt_r4_load(soft->v + at), weight);
    }
    lt_r4_store(soft->x + 4 * (size_t)node, x);
    lt_r4_store(soft->v + 4 * (size_t)node, v);
}

/* Interface and idle nodes from coarse to fine, then interior ones from fine to coarse: these hang on finer ones alone. */
void lt_soft_follow(lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    if (!g) {
        lt_soft_publish(soft);
        return;
    }
    const lt_carrier *carrier = &soft->carrier;
    const lt_ladder *ladder = &carrier->ladder;
    for (uint32_t level = ladder->level_count - 1; level-- > 0;)
        for (uint32_t node = ladder->node_begin[level]; node < ladder->node_begin[level + 1]; node++)
            if (g->kinds[node] < LT_NODE_FRONT) follow_hang(soft, node);
    for (uint32_t i = g->active.begin[1]; i < g->active.begin[ladder->level_count]; i++) {
        uint32_t node = g->active.items[i];
        if (g->kinds[node] != LT_NODE_INTERIOR) continue;
        follow_below(carrier, node, soft->x);
        follow_below(carrier, node, soft->v);
    }
    lt_soft_publish(soft);
}

void lt_soft_free_nodes(lt_soft *soft) {
    if (!soft->grid) return;
    memset(soft->offset, 0, 4 * (size_t)soft->carrier.node_count * sizeof *soft->offset);
    lt_front_set_level(soft, 0);
}

void lt_soft_pins_changed(lt_soft *soft) {
    if (!soft->grid) return;
    lt_front_update(soft);
    lt_soft_follow(soft);
}

uint32_t lt_soft_row_count(const lt_soft *soft) {
    return soft->grid ? soft->grid->row_count : soft->carrier.node_count;
}
const uint32_t *lt_soft_row_nodes(const lt_soft *soft) {
    return soft->grid ? soft->grid->nodes : NULL;
}
const uint32_t *lt_soft_node_rows(const lt_soft *soft) {
    return soft->grid ? soft->grid->rows : NULL;
}
