/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From spheres that cover the surface more or less to a tree that covers all of it, by proof.
 *
 *   1. A triangle whose corners lie in a leaf and in all spheres above it lies in them as a whole: they are convex.
 *      Of several such leaves the one of lowest error gets it (by largest margin big spheres would steal). A triangle
 *      without one is cut in four through the middles of its edges, and the parts are asked again.
 *   2. What is left after CUTS_MOST cuts grows a path from root to leaf: the one whose spheres grow least, each
 *      measured by the errors of its level.
 *   3. Spheres that own nothing are dropped, the others shrink to what they own (wrapped), or, from the leaves up,
 *      to what holds their children (layered).
 *
 * The same sum of floats decides and is checked afterwards: a corner is inside if its distance, as computed, is not
 * above the radius, and radii are such distances. Workload: 1e5 triangles and 600 spheres in a fifth of a second. */

#include "bake/rest_tree.h"
#include "bake/sphere_pieces.h"

#include <string.h>

/* On a scan of 35,000 triangles: 180,000 pieces at first. With five cuts errors of leaves are 1.5 % lower; with six there
 * are 3.7 million pieces. */
#define CUTS_MOST 3

/* One triangle or part of it on its way. */
typedef struct slice {
    lt_sphere_piece piece; /* leaf not set */
    uint32_t cuts;
} slice;

typedef struct cover {
    /* Input */
    const lt_surface *surface;
    const lt_sphere_options *options;
    bool keeps_radii;
    /* State */
    lt_rest_sphere *spheres; /* [sphere_count] */
    uint32_t sphere_count;
    double level_scales[LT_SPHERE_LEVELS_MAX]; /* sum of a level's errors: growth is measured by it */
    lt_array open;         /* of lt_sphere_piece: cut as often as allowed and in no leaf */
    uint32_t *new_indices; /* [sphere_count], LT_NONE: dropped */
    /* Output */
    lt_array pieces; /* of lt_sphere_piece */
} cover;

/* ---- who gets a piece ---- */

enum { STACK_ROOM = LT_SPHERE_BRANCHING_MAX * LT_SPHERE_LEVELS_MAX };

typedef struct choice {
    uint32_t leaf;
    double error, margin;
} choice;

static void consider_leaf(choice *best, const lt_rest_sphere *sphere, uint32_t index, double margin) {
    bool is_better = best->leaf == LT_NONE || sphere->error < best->error ||
                     (sphere->error == best->error && margin > best->margin);
    if (is_better) *best = (choice){index, sphere->error, margin};
}

/* The leaf that gets these corners, LT_NONE when no leaf with all above it holds them. */
static uint32_t find_leaf(const cover *c, const lt_dvec3 corners[3]) {
    uint32_t stack[STACK_ROOM] = {0};
    int count = 1;
    choice best = {LT_NONE, 0, 0};
    while (count > 0) {
        uint32_t index = stack[--count];
        const lt_rest_sphere *sphere = &c->spheres[index];
        double margin = sphere->radius - lt_sphere_piece_reach(sphere, corners);
        if (margin < 0) continue;
        if (sphere->child_count == 0) consider_leaf(&best, sphere, index, margin);
        LT_ASSERT(count + sphere->child_count <= STACK_ROOM);
        for (uint32_t k = sphere->child_count; k-- > 0;)
            stack[count++] = sphere->first_child + k;
    }
    return best.leaf;
}

/* ---- pieces ---- */

static slice whole_triangle(uint32_t triangle) {
    slice s = {.piece = {.triangle = triangle, .leaf = LT_NONE}};
    for (int k = 0; k < 3; k++)
        s.piece.corners[k][k] = 1;
    return s;
}

static void cut_in_four(const slice *whole, slice parts[4]) {
    double middles[3][3]; /* of the edge from corner k to the next */
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            middles[k][i] = 0.5 * (whole->piece.corners[k][i] + whole->piece.corners[(k + 1) % 3][i]);
    for (int part = 0; part < 4; part++) {
        parts[part] = *whole;
        parts[part].cuts++;
        for (int k = 0; k < 3; k++)
            if (part == 3 || k != part) /* corner part keeps its own corner */
                memcpy(parts[part].piece.corners[k],
                       middles[part == 3             ? k
                               : k == (part + 1) % 3 ? part
                                                     : (part + 2) % 3],
                       sizeof(middles[0]));
    }
}

static bool place_triangle(cover *c, uint32_t triangle) {
    slice stack[3 * CUTS_MOST + 4];
    int count = 0;
    stack[count++] = whole_triangle(triangle);
    while (count > 0) {
        slice s = stack[--count];
        lt_dvec3 corners[3];
        lt_sphere_piece_corners(c->surface, &s.piece, corners);
        s.piece.leaf = find_leaf(c, corners);
        if (s.piece.leaf != LT_NONE) {
            if (!lt_array_push(&c->pieces, &s.piece)) return false;
        } else if (s.cuts == CUTS_MOST) {
            if (!lt_array_push(&c->open, &s.piece)) return false;
        } else {
            cut_in_four(&s, stack + count);
            count += 4;
        }
    }
    return true;
}

/* ---- growing ---- */

typedef struct growth {
    uint32_t index;
    double cost; /* of this sphere and those above it */
} growth;

/* The leaf whose path has to grow least. */
static uint32_t cheapest_leaf(const cover *c, const lt_dvec3 corners[3]) {
    growth stack[STACK_ROOM] = {{0, 0}}, best = {LT_NONE, INFINITY};
    int count = 1;
    while (count > 0) {
        growth g = stack[--count];
        const lt_rest_sphere *sphere = &c->spheres[g.index];
        g.cost += lt_max_d(0, lt_sphere_piece_reach(sphere, corners) - sphere->radius) /
                  c->level_scales[sphere->level];
        if (g.cost >= best.cost) continue;
        if (sphere->child_count == 0) best = g;
        for (uint32_t k = sphere->child_count; k-- > 0;)
            stack[count++] = (growth){sphere->first_child + k, g.cost};
    }
    return best.index;
}

/* What a level's mean error grows by, relative to itself, when one of its spheres grows by 1: the inverse of a sum. */
static void find_scales(cover *c) {
    for (uint32_t level = 0; level < LT_SPHERE_LEVELS_MAX; level++)
        c->level_scales[level] = 1e-9 * c->spheres[0].radius + 1e-300;
    for (uint32_t i = 0; i < c->sphere_count; i++)
        c->level_scales[c->spheres[i].level] += c->spheres[i].error;
}

static bool grow_for(cover *c, lt_sphere_piece piece) {
    lt_dvec3 corners[3];
    lt_sphere_piece_corners(c->surface, &piece, corners);
    piece.leaf = find_leaf(c, corners); /* spheres have grown since it was asked */
    if (piece.leaf == LT_NONE) {
        piece.leaf = cheapest_leaf(c, corners);
        for (uint32_t i = piece.leaf; i != LT_NONE; i = c->spheres[i].parent)
            c->spheres[i].radius =
                lt_max_d(c->spheres[i].radius, lt_sphere_piece_reach(&c->spheres[i], corners));
    }
    return lt_array_push(&c->pieces, &piece);
}

static lt_status place_all(cover *c, lt_error *error) {
    uint32_t count = c->surface->triangle_count;
    for (uint32_t t = 0; t < count; t++) {
        if (t % 4096 == 0) {
            lt_status status = lt_sphere_report(c->options, "covering", (double)t / count, error);
            if (status != LT_OK) return status;
        }
        if (!place_triangle(c, t))
            return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for its pieces");
    }
    const lt_sphere_piece *open = c->open.items;
    for (size_t i = 0; i < c->open.count; i++)
        if (!grow_for(c, open[i]))
            return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for its pieces");
    return LT_OK;
}

/* ---- given spheres ---- */

static bool holds_with_all_above(const cover *c, uint32_t leaf, const lt_dvec3 corners[3]) {
    for (uint32_t s = leaf; s != LT_NONE; s = c->spheres[s].parent)
        if (lt_sphere_piece_reach(&c->spheres[s], corners) > c->spheres[s].radius) return false;
    return true;
}

/* The part of the piece nearest to the leaf after so many cuts; the other parts of each cut are kept, if asked. */
static bool find_part(cover *c, uint32_t leaf, slice *s, uint32_t cuts, bool keeps_others) {
    for (uint32_t cut = 0; cut < cuts; cut++) {
        slice parts[4];
        uint32_t nearest = 0;
        double least = INFINITY;
        cut_in_four(s, parts);
        for (uint32_t k = 0; k < 4; k++) {
            lt_dvec3 corners[3];
            lt_sphere_piece_corners(c->surface, &parts[k].piece, corners);
            double reach = lt_sphere_piece_reach(&c->spheres[leaf], corners);
            if (reach < least) least = reach, nearest = k;
        }
        for (uint32_t k = 0; keeps_others && k < 4; k++)
            if (k != nearest && !lt_array_push(&c->pieces, &parts[k].piece)) return false;
        *s = parts[nearest];
    }
    return true;
}

/* A given leaf without a piece gets one that it holds from another that has more, or a part of one: trees that come
 * back from a file should not lose spheres only because pieces are given out anew. `counts` has the pieces of every
 * sphere. */
static bool feed(cover *c, uint32_t leaf, uint32_t *counts) {
    for (size_t i = 0; i < c->pieces.count; i++)
        for (uint32_t cuts = 0; cuts <= CUTS_MOST; cuts++) {
            slice s = {.piece = ((const lt_sphere_piece *)c->pieces.items)[i]};
            uint32_t owner = s.piece.leaf;
            lt_dvec3 corners[3];
            find_part(c, leaf, &s, cuts, false);
            lt_sphere_piece_corners(c->surface, &s.piece, corners);
            if (lt_d3_distance(corners[0], c->spheres[leaf].center) > 2 * c->spheres[leaf].radius) break;
            if (!holds_with_all_above(c, leaf, corners) || counts[owner] + 3 * cuts < 2) continue;
            s.piece = ((const lt_sphere_piece *)c->pieces.items)[i];
            if (!find_part(c, leaf, &s, cuts, true)) return false;
            counts[owner] += 3 * cuts - 1;
            counts[leaf]++;
            s.piece.leaf = leaf;
            ((lt_sphere_piece *)c->pieces.items)[i] = s.piece;
            return true;
        }
    return true;
}

static lt_status feed_all(cover *c, lt_error *error) {
    uint32_t *counts = c->new_indices; /* free until spheres are dropped */
    const lt_sphere_piece *pieces = c->pieces.items;
    for (size_t i = 0; i < c->pieces.count; i++)
        counts[pieces[i].leaf]++;
    for (uint32_t i = 0; i < c->sphere_count; i++)
        if (c->spheres[i].child_count == 0 && counts[i] == 0 && !feed(c, i, counts))
            return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for its pieces");
    return LT_OK;
}

/* ---- dropping ---- */

/* Marks with 0 every sphere that owns a piece, then numbers them in their order. */
static uint32_t number_owners(cover *c) {
    const lt_sphere_piece *pieces = c->pieces.items;
    for (uint32_t i = 0; i < c->sphere_count; i++)
        c->new_indices[i] = LT_NONE;
    for (size_t i = 0; i < c->pieces.count; i++)
        for (uint32_t s = pieces[i].leaf; s != LT_NONE && c->new_indices[s] == LT_NONE;
             s = c->spheres[s].parent)
            c->new_indices[s] = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->sphere_count; i++)
        if (c->new_indices[i] != LT_NONE) c->new_indices[i] = count++;
    return count;
}

/* Of spheres that stay; links to children follow from those to parents. */
static void copy_owners(const cover *c, lt_rest_tree *tree) {
    for (uint32_t i = 0; i < c->sphere_count; i++) {
        uint32_t index = c->new_indices[i];
        if (index == LT_NONE) continue;
        lt_rest_sphere *sphere = &tree->spheres[index];
        *sphere = c->spheres[i];
        sphere->first_child = sphere->child_count = 0;
        if (sphere->parent == LT_NONE) continue;
        sphere->parent = c->new_indices[sphere->parent];
        lt_rest_sphere *parent = &tree->spheres[sphere->parent];
        if (parent->child_count++ == 0) parent->first_child = index;
    }
}

static void find_levels(lt_rest_tree *tree) {
    tree->level_count = 0;
    for (uint32_t i = 0; i < tree->sphere_count; i++)
        while (tree->level_count <= tree->spheres[i].level)
            tree->level_begin[tree->level_count++] = i;
    for (uint32_t level = tree->level_count; level <= LT_SPHERE_LEVELS_MAX; level++)
        tree->level_begin[level] = tree->sphere_count;
}

/* By leaf; within a leaf as they were found. */
static bool sort_pieces(const cover *c, lt_rest_tree *tree) {
    const lt_sphere_piece *pieces = c->pieces.items;
    uint32_t *ends = LT_NEW(&tree->allocator, tree->sphere_count + 1, uint32_t);
    if (!ends) return false;
    for (size_t i = 0; i < c->pieces.count; i++)
        ends[c->new_indices[pieces[i].leaf] + 1]++;
    for (uint32_t i = 0; i < tree->sphere_count; i++)
        ends[i + 1] += ends[i];
    for (size_t i = 0; i < c->pieces.count; i++) {
        uint32_t leaf = c->new_indices[pieces[i].leaf];
        lt_sphere_piece *piece = &tree->pieces[ends[leaf]++];
        *piece = pieces[i];
        piece->leaf = leaf;
    }
    LT_DELETE(&tree->allocator, ends, tree->sphere_count + 1, uint32_t);
    return true;
}

static lt_status make_tree(cover *c, lt_rest_tree *out, lt_error *error) {
    lt_rest_tree tree = {.branching = c->options->branching,
                         .layered = c->options->layered,
                         .allocator = c->options->allocator,
                         .sphere_count = number_owners(c)};
    tree.piece_count = (uint32_t)c->pieces.count;
    tree.spheres = LT_NEW(&tree.allocator, tree.sphere_count, lt_rest_sphere);
    tree.pieces = LT_NEW(&tree.allocator, tree.piece_count, lt_sphere_piece);
    bool ok = tree.spheres && tree.pieces;
    if (ok) copy_owners(c, &tree);
    ok = ok && sort_pieces(c, &tree);
    if (!ok) {
        lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for %u spheres and %u pieces",
                tree.sphere_count, tree.piece_count);
        lt_rest_tree_free(&tree);
        return LT_STATUS_MEMORY;
    }
    find_levels(&tree);
    lt_sphere_fit(&tree, c->surface, c->keeps_radii);
    *out = tree;
    return LT_OK;
}

lt_status lt_sphere_cover(lt_rest_tree *out, const lt_surface *surface, const lt_rest_sphere *spheres,
                          uint32_t sphere_count, bool keeps_radii, const lt_sphere_options *options,
                          lt_error *error) {
    LT_ASSERT(sphere_count > 0);
    const lt_allocator *allocator = &options->allocator;
    cover c = {
        .surface = surface, .options = options, .sphere_count = sphere_count, .keeps_radii = keeps_radii};
    c.pieces = LT_ARRAY_OF(allocator, lt_sphere_piece);
    c.open = LT_ARRAY_OF(allocator, lt_sphere_piece);
    c.spheres = LT_NEW(allocator, c.sphere_count, lt_rest_sphere);
    c.new_indices = LT_NEW(allocator, c.sphere_count, uint32_t);
    lt_status status = LT_OK;
    if (c.spheres && c.new_indices)
        memcpy(c.spheres, spheres, c.sphere_count * sizeof(lt_rest_sphere));
    else
        status = lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to cover with %u spheres",
                         c.sphere_count);
    if (status == LT_OK) find_scales(&c);
    if (status == LT_OK) status = place_all(&c, error);
    if (status == LT_OK && keeps_radii) status = feed_all(&c, error);
    if (status == LT_OK) status = make_tree(&c, out, error);
    lt_array_free(&c.pieces);
    lt_array_free(&c.open);
    LT_DELETE(allocator, c.spheres, c.sphere_count, lt_rest_sphere);
    LT_DELETE(allocator, c.new_indices, c.sphere_count, uint32_t);
    return status;
}
