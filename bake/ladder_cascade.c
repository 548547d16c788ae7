/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Cascade neighbours (papers/003 §4.2). C(N), of N's level, holds
 *
 *   a) the nodes that share a tet with N,
 *   b) the corners of the tets above the nodes that share a tet with a child of N,
 *   c) the parents of the corners of the tet below N,
 *   d) every node whose C holds N.
 *
 * All of it as pairs of nodes, both ways, sorted, each once. */

#include "bake/ladder.h"

#include <stdlib.h>

typedef struct pairs {
    lt_array keys; /* uint64_t, node << 32 | neighbour */
    bool is_out_of_memory;
} pairs;

static void add_pair(pairs *p, uint32_t a, uint32_t b) {
    if (a == b) return;
    uint64_t *keys = lt_array_grow(&p->keys, 2);
    p->is_out_of_memory |= !keys;
    if (!keys) return;
    keys[0] = (uint64_t)a << 32 | b;
    keys[1] = (uint64_t)b << 32 | a;
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Equal ones become one. */
static void sort_pairs(pairs *p) {
    uint64_t *keys = p->keys.items;
    size_t count = 0;
    if (p->keys.count > 1) qsort(keys, p->keys.count, sizeof *keys, by_key);
    for (size_t i = 0; i < p->keys.count; i++)
        if (i == 0 || keys[i] != keys[count - 1]) keys[count++] = keys[i];
    p->keys.count = count;
}

/* a: and, at once, all that b needs, for tets are what 1-rings are made of. */
static void pair_corners(const lt_ladder_build *b, pairs *p) {
    for (uint32_t t = 0; t < b->mesh.tet_count; t++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                add_pair(p, lt_tet_at(&b->mesh, t)[i], lt_tet_at(&b->mesh, t)[j]);
}

/* b: from pairs (child, its neighbour), which are the first `count`. */
static void pair_above(const lt_ladder_build *b, pairs *p, size_t count) {
    uint32_t coarsest = lt_ladder_node_begin(b, b->level_count - 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = ((const uint64_t *)p->keys.items)[i];
        uint32_t child = (uint32_t)(key >> 32), neighbour = (uint32_t)key;
        if (child >= coarsest) continue;
        const uint32_t *tet = lt_tet_at(&b->mesh, b->above_tets[neighbour]);
        for (int k = 0; k < 4; k++)
            add_pair(p, b->parents[child], tet[k]);
    }
}

/* c */
static void pair_below(const lt_ladder_build *b, pairs *p) {
    uint32_t first = lt_ladder_node_begin(b, 1);
    for (uint32_t node = first; node < b->mesh.node_count; node++) {
        const uint32_t *tet = lt_tet_at(&b->mesh, b->below_tets[node - first]);
        for (int k = 0; k < 4; k++)
            add_pair(p, node, b->parents[tet[k]]);
    }
}

static bool keep_rows(lt_ladder_build *b, const pairs *p) {
    const uint64_t *keys = p->keys.items;
    lt_rows *rows = &b->cascade;
    if (p->keys.count >= UINT32_MAX) return false;
    rows->row_count = b->mesh.node_count;
    rows->item_count = (uint32_t)p->keys.count;
    rows->offsets = LT_NEW(&b->allocator, (size_t)rows->row_count + 1, uint32_t);
    rows->items = LT_NEW(&b->allocator, rows->item_count, uint32_t);
    if (!rows->offsets || !rows->items) return false;
    for (uint32_t i = 0; i < rows->item_count; i++) {
        rows->offsets[(keys[i] >> 32) + 1]++;
        rows->items[i] = (uint32_t)keys[i];
    }
    for (uint32_t node = 0; node < rows->row_count; node++)
        rows->offsets[node + 1] += rows->offsets[node];
    return true;
}

lt_status lt_ladder_make_cascade(lt_ladder_build *b, lt_error *error) {
    pairs p = {.keys = LT_ARRAY_OF(&b->allocator, uint64_t)};
    pair_corners(b, &p);
    sort_pairs(&p);
    if (!p.is_out_of_memory) pair_above(b, &p, p.keys.count);
    pair_below(b, &p);
    sort_pairs(&p);
    bool ok = !p.is_out_of_memory && keep_rows(b, &p);
    lt_array_free(&p.keys);
    return ok ? LT_OK
              : lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for the neighbours of %u nodes", b->name,
                        b->mesh.node_count);
}
