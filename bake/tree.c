/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/tree.h"

#include "bake/select.h"

static lt_dvec3 mean_of(const lt_dvec3 *places, const uint32_t *order, uint32_t count) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        sum = lt_d3_add(sum, places[order[i]]);
    return lt_d3_scale(sum, 1.0 / count);
}

static lt_dmat3 covariance_of(const lt_dvec3 *places, const uint32_t *order, uint32_t count, lt_dvec3 mean) {
    lt_dmat3 sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < count; i++) {
        lt_dvec3 d = lt_d3_sub(places[order[i]], mean);
        sum.c0 = lt_d3_mad(sum.c0, d, d.x);
        sum.c1 = lt_d3_mad(sum.c1, d, d.y);
        sum.c2 = lt_d3_mad(sum.c2, d, d.z);
    }
    return sum;
}

/* Squared again and again a matrix becomes the outer product of its first axis: six times tells axes apart
 * whose spreads differ by a tenth, and nearer ones are as good as each other. */
static lt_dvec3 first_axis(lt_dmat3 m) {
    for (int i = 0; i < 6; i++) {
        double trace = lt_dm3_trace(m);
        if (!(trace > 1e-280 && trace < 1e280)) break;
        m = lt_dm3_scale(m, 1 / trace);
        m = lt_dm3_mul(m, m);
    }
    double x = lt_d3_length_squared(m.c0), y = lt_d3_length_squared(m.c1), z = lt_d3_length_squared(m.c2);
    lt_dvec3 longest = x >= y && x >= z ? m.c0 : y >= z ? m.c1 : m.c2;
    return lt_d3_normalize_or(longest, (lt_dvec3){1, 0, 0});
}

/* Orders a range so that its first part lies below the rest along the first axis. */
static void halve(const lt_dvec3 *places, uint32_t *order, uint32_t count, uint32_t part, uint64_t *keys,
                  lt_random *random) {
    lt_dvec3 mean = mean_of(places, order, count);
    lt_dvec3 axis = first_axis(covariance_of(places, order, count, mean));
    for (uint32_t i = 0; i < count; i++) {
        float key = (float)lt_d3_dot(lt_d3_sub(places[order[i]], mean), axis);
        keys[i] = ((uint64_t)lt_order_of_float(key) << 32) | order[i];
    }
    lt_select_smallest(keys, count, part, random);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (uint32_t)keys[i];
}

/* Halves nodes that have no children yet and are no leaves, and what comes of them; returns how many nodes
 * there are. What nodes hold is `order`; sizes[i] is the number of places of item i, NULL: one each. */
static uint32_t halve_nodes(lt_halving *nodes, uint32_t node_count, const lt_dvec3 *items,
                            const uint32_t *sizes, uint32_t leaf_size, uint32_t *order, uint64_t *keys) {
    lt_random random = lt_random_seed(1);
    for (uint32_t i = 0; i < node_count; i++) {
        lt_halving *node = &nodes[i];
        uint64_t size = sizes ? 0 : node->count;
        for (uint32_t k = 0; sizes && k < node->count; k++)
            size += sizes[order[node->first + k]];
        if (size <= leaf_size || node->count == 1 || node->child != LT_NONE) continue;
        /* Places are parted where all leaves of the first part are full. */
        uint32_t leaf = sizes ? 1 : leaf_size, half = (node->count + leaf - 1) / leaf / 2 * leaf;
        halve(items, order + node->first, node->count, half, keys, &random);
        node->child = node_count;
        nodes[node_count++] = (lt_halving){node->first, half, LT_NONE, i};
        nodes[node_count++] = (lt_halving){node->first + half, node->count - half, LT_NONE, i};
    }
    return node_count;
}

typedef struct scratch {
    uint64_t *keys;    /* [place_count] */
    lt_dvec3 *middles; /* [owner_count] mean of the places of an owner */
    uint32_t *begins;  /* [owner_count + 1] its places among those sorted by owner */
    uint32_t *sorted;  /* [place_count] */
    uint32_t *present; /* [owner_count] owners that have places, in the order of the tree */
    uint32_t *ends;    /* [owner_count] of the places of the owners up to one, in that order */
    uint32_t *sizes;   /* [owner_count] places of an owner */
    uint32_t owner_count;
} scratch;

static void sort_by_owner(scratch *s, const uint32_t *owners, uint32_t place_count) {
    for (uint32_t i = 0; i < place_count; i++)
        s->begins[owners[i] + 1]++;
    for (uint32_t owner = 0; owner < s->owner_count; owner++)
        s->begins[owner + 1] += s->begins[owner];
    for (uint32_t i = 0; i < place_count; i++)
        s->sorted[s->begins[owners[i]] + s->sizes[owners[i]]++] = i;
}

/* Returns how many owners have places. */
static uint32_t find_middles(scratch *s, const lt_dvec3 *places) {
    uint32_t present = 0;
    for (uint32_t owner = 0; owner < s->owner_count; owner++) {
        if (s->sizes[owner] == 0) continue;
        s->middles[owner] = mean_of(places, s->sorted + s->begins[owner], s->sizes[owner]);
        s->present[present++] = owner;
    }
    return present;
}

/* Nodes over owners become nodes over their places. */
static void unfold(lt_halving_tree *tree, uint32_t node_count, scratch *s, uint32_t present_count) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < present_count; i++) {
        uint32_t begin = s->begins[s->present[i]], count = s->sizes[s->present[i]];
        for (uint32_t k = 0; k < count; k++)
            tree->order[end + k] = s->sorted[begin + k];
        s->ends[i] = end += count;
    }
    for (uint32_t i = 0; i < node_count; i++) {
        lt_halving *node = &tree->nodes[i];
        uint32_t first = node->first > 0 ? s->ends[node->first - 1] : 0;
        node->count = s->ends[node->first + node->count - 1] - first;
        node->first = first;
    }
}

static void build_nodes(lt_halving_tree *tree, const lt_halving_def *def, scratch *s) {
    sort_by_owner(s, def->owners, def->place_count);
    uint32_t present_count = find_middles(s, def->places);
    tree->nodes[0] = (lt_halving){0, present_count, LT_NONE, LT_NONE};
    uint32_t count = halve_nodes(tree->nodes, 1, s->middles, s->sizes, def->leaf_size, s->present, s->keys);
    unfold(tree, count, s, present_count);
    tree->node_count =
        halve_nodes(tree->nodes, count, def->places, NULL, def->leaf_size, tree->order, s->keys);
}

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(keys, def->place_count, uint64_t)                                                                      \
    X(middles, def->owner_count, lt_dvec3)                                                                   \
    X(begins, (size_t)def->owner_count + 1, uint32_t)                                                        \
    X(sorted, def->place_count, uint32_t)                                                                    \
    X(present, def->owner_count, uint32_t)                                                                   \
    X(ends, def->owner_count, uint32_t)                                                                      \
    X(sizes, def->owner_count, uint32_t)

static size_t room(const lt_halving_tree *tree) {
    return 2 * (size_t)tree->place_count - 1;
}

lt_status lt_halving_tree_build(lt_halving_tree *out, const lt_halving_def *def,
                                const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(def->place_count > 0 && def->place_count < LT_NONE / 2 && def->leaf_size > 0);
    *out = (lt_halving_tree){.place_count = def->place_count,
                             .allocator = allocator ? *allocator : lt_allocator_default()};
    const lt_allocator *a = &out->allocator;
    scratch s = {.owner_count = def->owner_count};
    out->nodes = LT_NEW(a, room(out), lt_halving);
    out->order = LT_NEW(a, def->place_count, uint32_t);
    bool all = out->nodes && out->order;
#define TAKE(name, count, type) all = (s.name = LT_NEW(a, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    if (all) build_nodes(out, def, &s);
#define GIVE_BACK(name, count, type) LT_DELETE(a, s.name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    if (all) return LT_OK;
    lt_halving_tree_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a tree over %u triangles", def->place_count);
}

void lt_halving_tree_free(lt_halving_tree *tree) {
    if (tree->place_count) {
        LT_DELETE(&tree->allocator, tree->nodes, room(tree), lt_halving);
        LT_DELETE(&tree->allocator, tree->order, tree->place_count, uint32_t);
    }
    *tree = (lt_halving_tree){0};
}
