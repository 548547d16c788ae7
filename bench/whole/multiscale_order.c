/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bench/whole/whole.h"

/* How many different corners there are; of those, the first eight at most. */
static uint32_t find_corners(uint32_t out[LT_LEAF_CORNERS], const lt_multiscale_tree *tree, uint32_t leaf) {
    const lt_multiscale_node *n = tree->nodes + leaf;
    const uint32_t *points = tree->triangles + 3 * (size_t)n->first;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3 * n->count; i++) {
        uint32_t before = 0;
        while (before < i && points[before] != points[i])
            before++;
        if (before < i) continue;
        if (count < LT_LEAF_CORNERS) out[count] = points[i];
        count++;
    }
    return count;
}

static void fill_nodes(lt_multiscale_order *o, const lt_multiscale_tree *tree) {
    uint32_t row = 1; /* ~0 says something else */
    for (uint32_t node = 0; node < tree->node_count; node++) {
        o->nodes[node] = tree->nodes[node].child;
        if (o->nodes[node] != LT_NONE) continue;
        uint32_t *corners = o->corners + LT_LEAF_CORNERS * (size_t)row;
        uint32_t count = find_corners(corners, tree, node);
        for (uint32_t k = count; k < LT_LEAF_CORNERS; k++)
            corners[k] = corners[count - 1];
        if (count <= LT_LEAF_CORNERS) o->nodes[node] = ~row++;
    }
}

/* Bunches are in the order of their triangles: whoever is a second child has a first one that is fitted. */
static void fill_above(lt_multiscale_order *o, const lt_multiscale_tree *tree) {
    uint32_t count = 0;
    for (uint32_t bunch = 0; bunch < tree->bunch_count; bunch++) {
        uint32_t node = tree->bunches[bunch].node, parent;
        o->above_begin[bunch] = count;
        for (; (parent = tree->links[node].parent) != LT_NONE; node = parent) {
            if (node == tree->nodes[parent].child) break;
            o->above[count++] = parent;
        }
    }
    o->above_begin[tree->bunch_count] = count;
}

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(nodes, o->node_count)                                                                                  \
    X(corners, LT_LEAF_CORNERS *((size_t)o->leaf_count + 1))                                                 \
    X(above, o->bunch_count)                                                                                 \
    X(above_begin, (size_t)o->bunch_count + 1)

lt_status lt_multiscale_order_create(lt_multiscale_order *out, const lt_multiscale_tree *tree,
                                     const lt_allocator *allocator, lt_error *error) {
    lt_multiscale_order *o = out;
    *o = (lt_multiscale_order){.node_count = tree->node_count,
                               .leaf_count = (tree->node_count + 1) / 2, /* of a binary tree */
                               .bunch_count = tree->bunch_count,
                               .allocator = allocator ? *allocator : lt_allocator_default()};
    bool all = true;
#define TAKE(name, count) all = (o->name = LT_NEW(&o->allocator, count, uint32_t)) && all;
    TABLES(TAKE)
#undef TAKE
    if (all) {
        fill_nodes(o, tree);
        fill_above(o, tree);
        return LT_OK;
    }
    lt_multiscale_order_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the order of %u boxes", tree->node_count);
}

void lt_multiscale_order_free(lt_multiscale_order *order) {
    lt_multiscale_order *o = order;
    if (!o->allocator.release) return;
#define GIVE_BACK(name, count) LT_DELETE(&o->allocator, o->name, count, uint32_t);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    *o = (lt_multiscale_order){0};
}
