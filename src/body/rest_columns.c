/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* See rest_columns.h. */

#include "body/rest_columns.h"

#include <string.h>

/* ---- which nodes ---- */

static bool has_tet_all_of(const lt_carrier *carrier, const uint32_t face[3], uint32_t but) {
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++) {
        const uint32_t *corners = carrier->tets + 4 * (size_t)tet;
        uint32_t found = 0;
        for (int k = 0; k < 4; k++)
            found += corners[k] == face[0] || corners[k] == face[1] || corners[k] == face[2];
        if (found == 3 && tet != but) return true;
    }
    return false;
}

/* Quadratic, once a shape: 4,000 tets take 20 ms. */
static uint32_t mark_skin(const lt_carrier *carrier, uint32_t *slots) {
    uint32_t count = 0;
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        for (uint32_t corner = 0; corner < 4; corner++) {
            const uint32_t *corners = carrier->tets + 4 * (size_t)tet;
            const uint32_t face[3] = {corners[(corner + 1) % 4], corners[(corner + 2) % 4],
                                      corners[(corner + 3) % 4]};
            if (slots[face[0]] != LT_NONE && slots[face[1]] != LT_NONE && slots[face[2]] != LT_NONE) continue;
            if (has_tet_all_of(carrier, face, tet)) continue;
            for (int k = 0; k < 3; k++) {
                count += slots[face[k]] == LT_NONE;
                slots[face[k]] = 0;
            }
        }
    return count;
}

enum { TETS_MOST = 4000 /* of bodies that have columns */ };

lt_status lt_rest_columns_make(lt_rest_columns *out, const lt_carrier *carrier, const lt_allocator *allocator,
                               lt_error *error) {
    lt_rest_columns c = {.node_count = carrier->node_count, .allocator = *allocator};
    uint32_t marked = carrier->node_count, seen = 0;
    *out = c;
    if (carrier->tet_count > TETS_MOST) return LT_OK;
    c.slots = LT_NEW(allocator, carrier->node_count, uint32_t);
    c.nodes = LT_NEW(allocator, LT_REST_COLUMNS_MOST, uint32_t);
    *out = c;
    if (!c.slots || !c.nodes) {
        lt_rest_columns_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the skin of a body of %u tets",
                       carrier->tet_count);
    }
    bool all = marked <= LT_REST_COLUMNS_MOST;
    memset(c.slots, all ? 0 : 0xff, carrier->node_count * sizeof *c.slots);
    if (!all) marked = mark_skin(carrier, c.slots);
    for (uint32_t node = 0; node < carrier->node_count; node++) {
        if (c.slots[node] == LT_NONE) continue;
        bool taken =
            marked <= LT_REST_COLUMNS_MOST || (uint64_t)(seen + 1) * LT_REST_COLUMNS_MOST / marked > c.count;
        seen++;
        c.slots[node] = taken ? c.count : LT_NONE;
        if (taken) c.nodes[c.count++] = node;
    }
    LT_ASSERT(c.count <= LT_REST_COLUMNS_MOST && seen == marked);
    *out = c;
    return LT_OK;
}

void lt_rest_columns_free(lt_rest_columns *columns) {
    LT_DELETE(&columns->allocator, columns->slots, columns->node_count, uint32_t);
    LT_DELETE(&columns->allocator, columns->nodes, LT_REST_COLUMNS_MOST, uint32_t);
    columns->slots = columns->nodes = NULL;
    columns->count = 0;
}

/* ---- numbers ---- */

/* Right-hand sides by place of the plan, the solver's own, and the place of a node. */
size_t lt_rest_columns_scratch(const lt_rest_columns *columns, const lt_factor_plan *plan) {
    if (columns->count == 0) return 0;
    size_t places = (plan->node_count * sizeof(uint32_t) + sizeof(lt_real) - 1) / sizeof(lt_real);
    return 8 * 3 * (size_t)plan->node_count + lt_factor_solve8_count(plan) + places + 16;
}

static void find_places(const lt_factor_plan *plan, uint32_t *places) {
    LT_ASSERT(plan->node_count > 0);
    for (uint32_t place = 0; place < plan->node_count; place++)
        places[plan->order[place]] = place;
}

void lt_rest_columns_step(const lt_rest_columns *columns, const lt_factor_plan *plan, const lt_real *values,
                          uint32_t piece, lt_real *g, lt_real *scratch, lt_simd_level level) {
    LT_ASSERT(piece < lt_rest_columns_pieces(columns));
    LT_ASSERT(columns->node_count == plan->node_count && g && scratch);
    lt_real *x = scratch, *own = x + 8 * 3 * (size_t)plan->node_count;
    uint32_t *places = (uint32_t *)(void *)(own + lt_factor_solve8_count(plan));
    uint32_t begin = 8 * piece, end = lt_min_u32(begin + 8, 3 * columns->count);
    find_places(plan, places);
    memset(x, 0, 8 * 3 * (size_t)plan->node_count * sizeof *x);
    for (uint32_t k = begin; k < end; k++)
        x[8 * (3 * (size_t)places[columns->nodes[k / 3]] + k % 3) + (k - begin)] = 1;
    lt_factor_solve8(plan, values, x, own, level);
    for (uint32_t k = begin; k < end; k++)
        for (uint32_t slot = k / 3; slot < columns->count; slot++) {
            lt_real *block = g + ((size_t)slot * (slot + 1) / 2 + k / 3) * LT_REST_COLUMN_BLOCK;
            for (uint32_t row = 0; row < 3; row++)
                block[3 * row + k % 3] =
                    x[8 * (3 * (size_t)places[columns->nodes[slot]] + row) + (k - begin)];
        }
}
