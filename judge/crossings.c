/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which triangles meet? Two trees are walked together where their boxes overlap; in leaves the boxes of the triangles
 * decide, then an exact test. Boxes are least and largest coordinates, without rounding: nothing is missed.
 *
 * Most of a check of the scene heap are comparisons of boxes. Those of triangles are made once a check, in the order in which leaves
 * have them, and compared without branches: 9 % less than with boxes made for every pair of leaves. */

#include "judge/judge_internal.h"
#include "mesh/exact.h"

enum {
    STACK_SIZE = 256
}; /* pairs of nodes: each step of a walk down adds three at most, and trees are 31 deep */

typedef struct node_pair {
    uint32_t a, b;
} node_pair;

typedef struct walk {
    const lt_judge_surface *a, *b; /* the same: with itself */
    lt_array *hits;
    node_pair stack[STACK_SIZE];
    uint32_t count;
    bool out_of_memory;
} walk;

static void push(walk *w, uint32_t a, uint32_t b) {
    LT_ASSERT(w->count < STACK_SIZE);
    w->stack[w->count++] = (node_pair){a, b};
}

/* lt_box_overlap without branches: hardly any of the six comparisons can be foretold. */
static inline bool overlap(const lt_box *a, const lt_box *b) {
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

static bool have_a_vertex_in_common(const lt_judge_surface *surface, uint32_t a, uint32_t b) {
    const uint32_t *s = lt_triangle_at(&surface->mesh, a), *t = lt_triangle_at(&surface->mesh, b);
    for (int i = 0; i < 3; i++)
        if (s[i] == t[0] || s[i] == t[1] || s[i] == t[2]) return true;
    return false;
}

static void test_triangles(walk *w, uint32_t a, uint32_t b) {
    if (w->a == w->b && have_a_vertex_in_common(w->a, a, b)) return;
    lt_dvec3 s[3], t[3];
    lt_judge_corners(w->a, a, s);
    lt_judge_corners(w->b, b, t);
    if (!lt_exact_triangle_triangle(s, t)) return;
    const uint32_t hit[2] = {a, b};
    if (!lt_array_push(w->hits, hit)) w->out_of_memory = true;
}

/* Of one leaf with itself every pair once. */
static void test_leaves(walk *w, const lt_tree_node *x, const lt_tree_node *y) {
    const uint32_t *of_a = w->a->tree.triangles + x->first, *of_b = w->b->tree.triangles + y->first;
    const lt_box *boxes_a = w->a->boxes + x->first, *boxes_b = w->b->boxes + y->first;
    bool same = x == y;
    for (uint32_t i = 0; i < x->count; i++) {
        if (!overlap(&boxes_a[i], &y->box)) continue;
        for (uint32_t k = same ? i + 1 : 0; k < y->count; k++)
            if (overlap(&boxes_a[i], &boxes_b[k])) test_triangles(w, of_a[i], of_b[k]);
    }
}

static void split(walk *w, node_pair p, const lt_tree_node *x, const lt_tree_node *y) {
    if (x == y) { /* only of a tree with itself */
        push(w, p.a + 1, p.a + 1);
        push(w, x->right, x->right);
        push(w, p.a + 1, x->right);
    } else if (y->right == 0 || (x->right != 0 && x->count >= y->count)) {
        push(w, p.a + 1, p.b);
        push(w, x->right, p.b);
    } else {
        push(w, p.a, p.b + 1);
        push(w, p.a, y->right);
    }
}

static bool walk_trees(walk *w) {
    if (w->a->tree.node_count == 0 || w->b->tree.node_count == 0) return true;
    push(w, 0, 0);
    while (w->count > 0) {
        node_pair p = w->stack[--w->count];
        const lt_tree_node *x = &w->a->tree.nodes[p.a], *y = &w->b->tree.nodes[p.b];
        if (!overlap(&x->box, &y->box)) continue;
        if (x->right == 0 && y->right == 0)
            test_leaves(w, x, y);
        else
            split(w, p, x, y);
    }
    return !w->out_of_memory;
}

bool lt_judge_cross(lt_judge *judge, const lt_judge_surface *a, const lt_judge_surface *b) {
    LT_ASSERT(a != b);
    judge->hits.count = 0;
    walk w = {.a = a, .b = b, .hits = &judge->hits};
    return walk_trees(&w);
}

bool lt_judge_cross_itself(lt_judge *judge, const lt_judge_surface *surface) {
    judge->hits.count = 0;
    walk w = {.a = surface, .b = surface, .hits = &judge->hits};
    return walk_trees(&w);
}
