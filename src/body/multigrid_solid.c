/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What of a multigrid body no front changes: who hangs on whom, masses and edges of its levels, and the parts that the solid falls
 * into. See multigrid.h.
 *
 * Workload: once a body. A bear has 2,600 nodes and 11,000 tets on six levels, 20,000 pieces. */

#include "body/multigrid.h"

#include <string.h>

/* ---- memory ---- */

static size_t carve_all(lt_multigrid *g, const lt_carrier *carrier, uint8_t *memory) {
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
    g->refined_listed = lt_carve(&c, nodes, 1);
    g->kinds_listed = lt_carve(&c, nodes, 1);
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
    g->near = lt_carve(&c, carrier->ladder.node_begin[1], sizeof(uint32_t));
    g->blocks = lt_carve(&c, LT_BLOCK_STRIDE * (size_t)g->entry_count, sizeof(lt_real));
    g->counted = lt_carve(&c, LT_BLOCK_STRIDE * lt_counted_entries(carrier), sizeof(lt_real));
    g->rotated = lt_carve(&c, 9 * (size_t)LT_GROUP * g->group_count, sizeof(lt_real));
    g->turned = lt_carve(&c, g->group_count, 1);
    g->stale = lt_carve(&c, nodes, 1);
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
    memset(g->ties, 0, g->entry_count * sizeof *g->ties);
    for (uint32_t tet = 0; tet < g->tet_count; tet++) {
        lt_rvec3 h[4];
        gradients_of(h, &soft->elements, tet);
        lt_real stiffness = modulus * soft->elements.volumes[tet];
        for (int k = 0; k < 16; k++)
            g->ties[soft->carrier.entries[16 * (size_t)tet + (size_t)k]] +=
                stiffness * lt_r3_dot(h[k / 4], h[k % 4]);
    }
}

static void fill_tets(lt_multigrid *g) {
    for (uint32_t part = 0; part < g->part_count; part++)
        g->tet_volumes[g->parts[part].tet] += g->parts[part].volume;
}

static void weigh_levels(lt_multigrid *g, const lt_soft *soft) {
    memset(g->level_mass, 0, g->node_count * sizeof *g->level_mass);
    for (uint32_t tet = 0; tet < g->tet_count; tet++)
        for (int k = 0; k < 4; k++)
            g->level_mass[soft->carrier.tets[4 * (size_t)tet + (size_t)k]] +=
                lt_part_mass(soft, g->tet_volumes[tet]);
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
    LT_ASSERT(level <= ladder->level_count);
    if (piece == 0) return true;
    const uint32_t *before = ladder->piece_tets + (size_t)(piece - 1) * ladder->level_count;
    const uint32_t *here = before + ladder->level_count;
    for (uint32_t l = level; l < ladder->level_count; l++)
        if (here[l] != before[l]) return true;
    return false;
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

void lt_multigrid_weigh(lt_soft *soft) {
    lt_multigrid *g = soft->grid;
    find_ties(g, soft);
    volume_units(g, soft);
    weigh_levels(g, soft);
    g->listed = g->assembled = false;
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
        g->memory_size = carve_all(g, carrier, NULL);
        g->memory = LT_NEW(&g->allocator, g->memory_size, uint8_t);
    }
    if (!g || !g->memory) {
        if (g) LT_DELETE(&soft->allocator, g, 1, lt_multigrid);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for a ladder of %u nodes", carrier->node_count);
    }
    carve_all(g, carrier, g->memory);
    list_children(g, carrier);
    find_ties(g, soft);
    soft->grid = g;
    list_parts(g, soft, volume_units(g, soft));
    list_parts_of_tets(g);
    fill_tets(g);
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
