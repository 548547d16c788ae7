/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* See rest_columns.h. */

#include "body/rest_columns.h"

#include <string.h>

/* ---- which nodes ---- */

/* Tets by node: those of node i are at [begin[i], begin[i + 1]). */
typedef struct node_tets {
    uint32_t *begin, *tets; /* [node_count + 1], [4 tet_count] */
} node_tets;

static void free_node_tets(node_tets *n, const lt_carrier *carrier, const lt_allocator *allocator) {
    LT_DELETE(allocator, n->begin, carrier->node_count + 1, uint32_t);
    LT_DELETE(allocator, n->tets, 4 * (size_t)carrier->tet_count, uint32_t);
}

static bool make_node_tets(node_tets *out, const lt_carrier *carrier, const lt_allocator *allocator) {
    node_tets n = {LT_NEW(allocator, carrier->node_count + 1, uint32_t),
                   LT_NEW(allocator, 4 * (size_t)carrier->tet_count, uint32_t)};
    *out = n;
    if (!n.begin || !n.tets) {
        free_node_tets(out, carrier, allocator);
        return false;
    }
    memset(n.begin, 0, (carrier->node_count + 1) * sizeof *n.begin);
    for (uint32_t i = 0; i < 4 * carrier->tet_count; i++)
        n.begin[carrier->tets[i] + 1]++;
    for (uint32_t node = 0; node < carrier->node_count; node++)
        n.begin[node + 1] += n.begin[node];
    for (uint32_t i = 4 * carrier->tet_count; i-- > 0;) /* from the ends of lists back to their begins */
        n.tets[--n.begin[carrier->tets[i] + 1]] = i / 4;
    for (uint32_t node = 0; node < carrier->node_count; node++)
        n.begin[node] = n.begin[node + 1];
    n.begin[carrier->node_count] = 4 * carrier->tet_count;
    return true;
}

static bool has_other_tet(const lt_carrier *carrier, const node_tets *n, const uint32_t face[3],
                          uint32_t but) {
    for (uint32_t i = n->begin[face[0]]; i < n->begin[face[0] + 1]; i++) {
        const uint32_t *corners = carrier->tets + 4 * (size_t)n->tets[i];
        uint32_t found = 0;
        for (int k = 0; k < 4; k++)
            found += corners[k] == face[1] || corners[k] == face[2];
        if (found == 2 && n->tets[i] != but) return true;
    }
    return false;
}

/* Slots of nodes on the skin become 0; returns how many they are. */
static uint32_t mark_skin(const lt_carrier *carrier, const node_tets *n, uint32_t *slots) {
    uint32_t count = 0;
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++)
        for (uint32_t corner = 0; corner < 4; corner++) {
            const uint32_t *corners = carrier->tets + 4 * (size_t)tet;
            const uint32_t face[3] = {corners[(corner + 1) % 4], corners[(corner + 2) % 4],
                                      corners[(corner + 3) % 4]};
            if (has_other_tet(carrier, n, face, tet)) continue;
            for (int k = 0; k < 3; k++) {
                count += slots[face[k]] == LT_NONE;
                slots[face[k]] = 0;
            }
        }
    return count;
}

enum { TETS_MOST = 4000 /* of bodies that have columns */ };

/* Of those marked with slot 0 as many as may be, evenly by number. */
static uint32_t choose_nodes(uint32_t *slots, uint32_t node_count, uint32_t marked) {
    uint32_t seen = 0, count = 0;
    for (uint32_t node = 0; node < node_count; node++) {
        if (slots[node] == LT_NONE) continue;
        bool taken =
            marked <= LT_REST_COLUMNS_MOST || (uint64_t)(seen + 1) * LT_REST_COLUMNS_MOST / marked > count;
        seen++;
        if (!taken) slots[node] = LT_NONE;
        count += taken;
    }
    LT_ASSERT(count <= LT_REST_COLUMNS_MOST && seen == marked);
    return count;
}

static void number_slots(lt_rest_columns *c, const lt_factor_plan *plan) {
    uint32_t count = 0;
    for (uint32_t place = 0; place < plan->node_count; place++) {
        uint32_t node = plan->order[place];
        if (c->slots[node] == LT_NONE) continue;
        c->slots[node] = count;
        c->nodes[count] = node;
        c->places[count++] = place;
    }
    LT_ASSERT(count == c->count);
    for (uint32_t piece = 0; piece < lt_rest_columns_pieces(c); piece++) {
        uint64_t units = lt_rest_columns_units(c, plan, piece);
        c->units += units;
        c->piece_units = lt_max_u64(c->piece_units, units);
    }
}

lt_status lt_rest_columns_make(lt_rest_columns *out, const lt_carrier *carrier, const lt_factor_plan *plan,
                               const lt_allocator *allocator, lt_error *error) {
    lt_rest_columns c = {.node_count = carrier->node_count, .allocator = *allocator};
    uint32_t marked = carrier->node_count;
    LT_ASSERT(plan->node_count == carrier->node_count);
    *out = c;
    if (carrier->tet_count > TETS_MOST) return LT_OK;
    c.slots = LT_NEW(allocator, carrier->node_count, uint32_t);
    c.nodes = LT_NEW(allocator, LT_REST_COLUMNS_MOST, uint32_t);
    c.places = LT_NEW(allocator, LT_REST_COLUMNS_MOST, uint32_t);
    *out = c;
    bool all = marked <= LT_REST_COLUMNS_MOST;
    node_tets tets = {0};
    if (!c.slots || !c.nodes || !c.places || !(all || make_node_tets(&tets, carrier, allocator))) {
        lt_rest_columns_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the skin of a body of %u tets",
                       carrier->tet_count);
    }
    memset(c.slots, all ? 0 : 0xff, carrier->node_count * sizeof *c.slots);
    if (!all) marked = mark_skin(carrier, &tets, c.slots);
    free_node_tets(&tets, carrier, allocator);
    c.count = choose_nodes(c.slots, carrier->node_count, marked);
    number_slots(&c, plan);
    *out = c;
    return LT_OK;
}

void lt_rest_columns_free(lt_rest_columns *columns) {
    LT_DELETE(&columns->allocator, columns->slots, columns->node_count, uint32_t);
    LT_DELETE(&columns->allocator, columns->nodes, LT_REST_COLUMNS_MOST, uint32_t);
    LT_DELETE(&columns->allocator, columns->places, LT_REST_COLUMNS_MOST, uint32_t);
    columns->slots = columns->nodes = columns->places = NULL;
    columns->count = 0;
}

/* ---- numbers ---- */

/* Right-hand sides by place of the plan, and the solver's own. */
size_t lt_rest_columns_scratch(const lt_rest_columns *columns, const lt_factor_plan *plan) {
    if (columns->count == 0) return 0;
    return 8 * 3 * (size_t)plan->node_count + lt_factor_solve8_count(plan);
}

/* Columns [begin, end) of G, three a slot. */
typedef struct column_range {
    uint32_t begin, end;
} column_range;

static column_range range_of(const lt_rest_columns *columns, uint32_t piece) {
    LT_ASSERT(piece < lt_rest_columns_pieces(columns));
    return (column_range){8 * piece, lt_min_u32(8 * piece + 8, 3 * columns->count)};
}

uint64_t lt_rest_columns_units(const lt_rest_columns *columns, const lt_factor_plan *plan, uint32_t piece) {
    column_range range = range_of(columns, piece);
    uint32_t first = range.begin / 3, last = (range.end - 1) / 3;
    return plan->node_count + lt_factor_solve8_units(plan, columns->places + first, last - first + 1);
}

void lt_rest_columns_step(const lt_rest_columns *columns, const lt_factor_plan *plan, const lt_real *values,
                          uint32_t piece, lt_real *g, lt_real *scratch, lt_simd_level level) {
    LT_ASSERT(columns->node_count == plan->node_count && g && scratch);
    column_range range = range_of(columns, piece);
    lt_real *x = scratch, *own = x + 8 * 3 * (size_t)plan->node_count;
    memset(x, 0, 8 * 3 * (size_t)plan->node_count * sizeof *x);
    for (uint32_t k = range.begin; k < range.end; k++)
        x[8 * (3 * (size_t)columns->places[k / 3] + k % 3) + (k - range.begin)] = 1;
    lt_factor_solve8(plan, values, x, columns->places[range.begin / 3], own, level);
    for (uint32_t k = range.begin; k < range.end; k++)
        for (uint32_t slot = k / 3; slot < columns->count; slot++) {
            lt_real *block = g + ((size_t)slot * (slot + 1) / 2 + k / 3) * LT_REST_COLUMN_BLOCK;
            for (uint32_t row = 0; row < 3; row++)
                block[3 * row + k % 3] = x[8 * (3 * (size_t)columns->places[slot] + row) + (k - range.begin)];
        }
}
