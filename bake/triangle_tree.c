/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A binary tree of boxes over triangles, split at the median centroid of the longest axis. Halving counts
 * keeps the depth below 32 whatever the triangles are, so that every walk has its stack in a small array; a
 * surface-area split would make somewhat faster trees but no such promise. Nodes lie in the order of a
 * depth-first walk, left child first:
 *
 *     0            nodes  0 1 2 3 4
 *    / \           right  4 3 0 0 0      (0: leaf)
 *   1   4
 *  / \             triangles  [ leaf 2 | leaf 3 | leaf 4 ]: every node covers one range
 * 2   3
 */

#include "bake/triangle_tree.h"
#include "bake/select.h"
#include "mesh/closest.h"
#include "mesh/exact.h"

#define LEAF_SIZE  4
#define STACK_SIZE 64 /* twice the greatest depth */

static lt_box triangle_box(const lt_surface *surface, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(surface, triangle);
    lt_box box = lt_box_add_point(lt_box_empty(), surface->positions[t[0]]);
    return lt_box_add_point(lt_box_add_point(box, surface->positions[t[1]]), surface->positions[t[2]]);
}

/* ---- building ---- */

/* Thrice the centroid. */
static lt_vec3 centroid_key(const lt_surface *surface, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(surface, triangle);
    const lt_vec3 *p = surface->positions;
    return lt_v3_add(lt_v3_add(p[t[0]], p[t[1]]), p[t[2]]);
}

static int longest_axis(lt_box box) {
    lt_vec3 size = lt_v3_sub(box.hi, box.lo);
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

/* Orders the triangles of a range so that the first half lies below the rest on the longest axis. */
static void split_range(const lt_surface *surface, uint32_t *triangles, uint32_t count, uint64_t *keys,
                        lt_random *random) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < count; i++)
        box = lt_box_add_point(box, centroid_key(surface, triangles[i]));
    int axis = longest_axis(box);
    for (uint32_t i = 0; i < count; i++) {
        float key = lt_v3_get(centroid_key(surface, triangles[i]), axis);
        keys[i] = ((uint64_t)lt_order_of_float(key) << 32) | triangles[i];
    }
    lt_select_smallest(keys, count, count / 2, random);
    for (uint32_t i = 0; i < count; i++)
        triangles[i] = (uint32_t)keys[i];
}

/* A range that has no node yet. */
typedef struct pending_range {
    uint32_t first, count;
    uint32_t parent; /* whose right child it will be, or LT_NONE */
} pending_range;

static void build_nodes(lt_triangle_tree *tree, uint64_t *keys) {
    lt_random random = lt_random_seed(1);
    pending_range stack[STACK_SIZE] = {{0, tree->triangle_count, LT_NONE}};
    int stack_count = tree->triangle_count > 0;
    while (stack_count > 0) {
        pending_range range = stack[--stack_count];
        uint32_t index = tree->node_count++;
        if (range.parent != LT_NONE) tree->nodes[range.parent].right = index;
        tree->nodes[index] = (lt_tree_node){lt_box_empty(), range.first, range.count, 0};
        if (range.count <= LEAF_SIZE) continue;
        split_range(tree->surface, tree->triangles + range.first, range.count, keys, &random);
        uint32_t half = range.count / 2;
        LT_ASSERT(stack_count + 2 <= STACK_SIZE);
        stack[stack_count++] = (pending_range){range.first + half, range.count - half, index};
        stack[stack_count++] = (pending_range){range.first, half, LT_NONE};
    }
}

/* Children come after their parents, so backwards they are ready. */
void lt_triangle_tree_refit(lt_triangle_tree *tree) {
    for (uint32_t i = tree->node_count; i-- > 0;) {
        lt_tree_node *node = &tree->nodes[i];
        if (node->right != 0) {
            node->box = lt_box_union(tree->nodes[i + 1].box, tree->nodes[node->right].box);
            continue;
        }
        node->box = lt_box_empty();
        for (uint32_t k = 0; k < node->count; k++)
            node->box =
                lt_box_union(node->box, triangle_box(tree->surface, tree->triangles[node->first + k]));
    }
}

lt_status lt_triangle_tree_build(lt_triangle_tree *out, const lt_surface *surface,
                                 const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(out && surface);
    uint32_t count = surface->triangle_count;
    *out = (lt_triangle_tree){.surface = surface,
                              .triangle_count = count,
                              .allocator = allocator ? *allocator : lt_allocator_default()};
    uint64_t *keys = LT_NEW(&out->allocator, count, uint64_t);
    out->nodes = LT_NEW(&out->allocator, count, lt_tree_node);
    out->triangles = LT_NEW(&out->allocator, count, uint32_t);
    bool complete = keys && out->nodes && out->triangles;
    if (complete) {
        for (uint32_t i = 0; i < count; i++)
            out->triangles[i] = i;
        build_nodes(out, keys);
        lt_triangle_tree_refit(out);
    }
    LT_DELETE(&out->allocator, keys, count, uint64_t);
    if (complete) return LT_OK;
    lt_triangle_tree_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a tree over %u triangles", count);
}

void lt_triangle_tree_free(lt_triangle_tree *tree) {
    LT_DELETE(&tree->allocator, tree->nodes, tree->triangle_count, lt_tree_node);
    LT_DELETE(&tree->allocator, tree->triangles, tree->triangle_count, uint32_t);
    *tree = (lt_triangle_tree){0};
}

static bool validate_node(const lt_triangle_tree *tree, uint32_t index) {
    const lt_tree_node *node = &tree->nodes[index];
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        if (i >= tree->triangle_count || tree->triangles[i] >= tree->triangle_count) return false;
        lt_box box = triangle_box(tree->surface, tree->triangles[i]);
        if (!lt_box_contains(node->box, box.lo) || !lt_box_contains(node->box, box.hi)) return false;
    }
    if (node->right == 0) return node->count >= 1 && node->count <= LEAF_SIZE;
    if (node->right <= index + 1 || node->right >= tree->node_count) return false;
    const lt_tree_node *left = node + 1, *right = &tree->nodes[node->right];
    return left->first == node->first && right->first == left->first + left->count &&
           left->count + right->count == node->count;
}

bool lt_validate_triangle_tree(const lt_triangle_tree *tree) {
    if (tree->node_count == 0) return tree->triangle_count == 0;
    if (tree->nodes[0].first != 0 || tree->nodes[0].count != tree->triangle_count) return false;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!validate_node(tree, i)) return false;
    return true;
}

/* ---- the closest triangle ---- */

static double outside_by(double x, double lo, double hi) {
    return x < lo ? lo - x : x > hi ? x - hi : 0;
}

/* A lower bound, by a little more than its own rounding error and that of the point it bounds. */
static double box_distance_squared(lt_box box, lt_dvec3 p) {
    double x = outside_by(p.x, box.lo.x, box.hi.x), y = outside_by(p.y, box.lo.y, box.hi.y);
    double z = outside_by(p.z, box.lo.z, box.hi.z);
    return (x * x + y * y + z * z) * (1 - 1e-12);
}

typedef struct closest_query {
    lt_dvec3 point;
    double limit_squared;
    uint32_t triangle;
    lt_closest_point closest;
} closest_query;

static void search_leaf(const lt_triangle_tree *tree, const lt_tree_node *leaf, closest_query *query) {
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
        uint32_t triangle = tree->triangles[i];
        lt_dvec3 corners[3];
        lt_triangle_corners(tree->surface, triangle, corners);
        lt_closest_point candidate = lt_closest_on_triangle(query->point, corners);
        double d = candidate.distance_squared;
        if (!(d <= query->limit_squared) || (d == query->limit_squared && triangle > query->triangle))
            continue;
        query->limit_squared = d;
        query->triangle = triangle;
        query->closest = candidate;
    }
}

typedef struct ranked_node {
    double rank; /* distance or place at which the node's box begins */
    uint32_t index;
} ranked_node;

/* Pushes the nearer one last, so that it is taken first. */
static int push_children(ranked_node *stack, int count, ranked_node left, ranked_node right) {
    LT_ASSERT(count + 2 <= STACK_SIZE);
    bool left_first = left.rank <= right.rank;
    stack[count] = left_first ? right : left;
    stack[count + 1] = left_first ? left : right;
    return count + 2;
}

bool lt_triangle_tree_closest(const lt_triangle_tree *tree, lt_dvec3 p, double max_distance,
                              uint32_t *triangle, lt_closest_point *closest) {
    LT_ASSERT(max_distance >= 0 && triangle && closest);
    closest_query query = {.point = p, .limit_squared = max_distance * max_distance, .triangle = LT_NONE};
    ranked_node stack[STACK_SIZE] = {{0, 0}};
    int count = tree->node_count > 0;
    while (count > 0) {
        ranked_node top = stack[--count];
        const lt_tree_node *node = &tree->nodes[top.index];
        if (top.rank > query.limit_squared) continue;
        if (node->right == 0) {
            search_leaf(tree, node, &query);
            continue;
        }
        ranked_node left = {box_distance_squared(tree->nodes[top.index + 1].box, p), top.index + 1};
        ranked_node right = {box_distance_squared(tree->nodes[node->right].box, p), node->right};
        count = push_children(stack, count, left, right);
    }
    if (query.triangle == LT_NONE) return false;
    *triangle = query.triangle;
    *closest = query.closest;
    return true;
}

/* ---- hits of a segment ---- */

typedef struct segment_query {
    lt_dvec3 ends[2];
    uint32_t ids[2]; /* after those of the surface's vertices */
    lt_tree_hit_function *function;
    void *context;
} segment_query;

static double box_entry(const segment_query *query, lt_box box) {
    lt_dvec3 along = lt_d3_sub(query->ends[1], query->ends[0]);
    return lt_segment_box_entry(query->ends[0], along, 1, box);
}

static bool visit_leaf(const lt_triangle_tree *tree, const lt_tree_node *leaf, const segment_query *query) {
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++) {
        uint32_t triangle = tree->triangles[i];
        lt_dvec3 corners[3];
        double parameter;
        lt_triangle_corners(tree->surface, triangle, corners);
        if (lt_exact_edge_pierces_triangle(query->ends, query->ids, corners,
                                           lt_triangle_at(tree->surface, triangle), &parameter) &&
            !query->function(query->context, triangle, parameter))
            return false;
    }
    return true;
}

static void walk_segment(const lt_triangle_tree *tree, const segment_query *query) {
    ranked_node stack[STACK_SIZE] = {{0, 0}};
    int count = tree->node_count > 0;
    while (count > 0) {
        ranked_node top = stack[--count];
        const lt_tree_node *node = &tree->nodes[top.index];
        if (top.rank > 1) continue;
        if (node->right == 0) {
            if (!visit_leaf(tree, node, query)) return;
            continue;
        }
        ranked_node left = {box_entry(query, tree->nodes[top.index + 1].box), top.index + 1};
        ranked_node right = {box_entry(query, tree->nodes[node->right].box), node->right};
        count = push_children(stack, count, left, right);
    }
}

void lt_triangle_tree_each_hit(const lt_triangle_tree *tree, const lt_dvec3 segment[2],
                               lt_tree_hit_function *function, void *context) {
    uint32_t id = tree->surface->vertex_count;
    segment_query query = {{segment[0], segment[1]}, {id, id + 1}, function, context};
    walk_segment(tree, &query);
}

/* ---- triangles near a box ---- */

void lt_triangle_tree_each_overlap(const lt_triangle_tree *tree, lt_box box,
                                   lt_tree_overlap_function *function, void *context) {
    uint32_t stack[STACK_SIZE] = {0};
    int count = tree->node_count > 0;
    while (count > 0) {
        uint32_t index = stack[--count];
        const lt_tree_node *node = &tree->nodes[index];
        if (!lt_box_overlap(node->box, box)) continue;
        if (node->right != 0) {
            LT_ASSERT(count + 2 <= STACK_SIZE);
            stack[count++] = node->right;
            stack[count++] = index + 1;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (lt_box_overlap(triangle_box(tree->surface, tree->triangles[i]), box) &&
                !function(context, tree->triangles[i]))
                return;
    }
}
