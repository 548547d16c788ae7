/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies on ladders as the answer sees them: the nodes that move by themselves, one row each, in arrays of the step. Contacts act
 * on the nodes of their tets, and where these follow coarser ones on those (papers/003 §4.4). */

#include "respond/lcp.h"

static void gather(lt_real *out, const lt_real *nodes, const uint32_t *row_nodes, uint32_t count) {
    for (uint32_t row = 0; row < count; row++)
        lt_r4_store(out + 4 * (size_t)row, lt_r4_load(nodes + 4 * (size_t)row_nodes[row]));
}

static void scatter(lt_real *nodes, const lt_real *rows, const uint32_t *row_nodes, uint32_t count) {
    for (uint32_t row = 0; row < count; row++)
        lt_r4_store(nodes + 4 * (size_t)row_nodes[row], lt_r4_load(rows + 4 * (size_t)row));
}

size_t lt_lcp_rows_scratch(const lt_soft *soft) {
    return soft->grid ? soft->carrier.node_count * (13 * sizeof(lt_real) + 1) + 5 * 64 : 0;
}

bool lt_lcp_take_rows(lt_lcp_body *body, const lt_soft *soft, const lt_system *system, lt_arena *arena) {
    if (!soft->grid) return true;
    uint32_t count = lt_soft_row_count(soft);
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    lt_real *mass = LT_TAKE(arena, count, lt_real), *warm = LT_TAKE(arena, 4 * (size_t)count, lt_real);
    uint8_t *pinned = LT_TAKE(arena, count, uint8_t);
    lt_real *x = LT_TAKE(arena, 4 * (size_t)count, lt_real), *v = LT_TAKE(arena, 4 * (size_t)count, lt_real);
    if (!mass || !warm || !pinned || !x || !v) return false;
    for (uint32_t row = 0; row < count; row++) {
        mass[row] = soft->mass[nodes[row]];
        pinned[row] = soft->pinned[nodes[row]];
    }
    gather(x, body->x, nodes, count);
    gather(v, body->v, nodes, count);
    if (body->warm) gather(warm, body->warm, nodes, count);
    *body = (lt_lcp_body){.node_count = count,
                          .soft = soft,
                          .system = system,
                          .has_rows = true,
                          .mass = mass,
                          .pinned = body->pinned ? pinned : NULL,
                          .drag = body->drag,
                          .immovable = body->immovable,
                          .x = x,
                          .v = v,
                          .sigma = body->sigma,
                          .warm = body->warm ? warm : NULL};
    return true;
}

void lt_lcp_give_rows(const lt_lcp_body *body, lt_soft *soft, lt_real *warm) {
    if (!body->has_rows) return;
    const uint32_t *nodes = lt_soft_row_nodes(soft);
    scatter(soft->x, body->x, nodes, body->node_count);
    scatter(soft->v, body->v, nodes, body->node_count);
    if (warm && body->warm) scatter(warm, body->warm, nodes, body->node_count);
}

lt_anchor lt_lcp_anchor(const lt_soft *soft, const lt_anchor *anchor) {
    const uint32_t *rows = lt_soft_node_rows(soft);
    if (!rows) return *anchor;
    lt_anchor out = lt_soft_resolve(soft, anchor);
    for (uint32_t i = 0; i < out.count; i++)
        out.ids[i] = rows[out.ids[i]];
    return out;
}
