/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A traversal of two fixtures, and brute force to hold it against: which pairs of leaves meet, by which pairs of nodes
 * one comes to them, and which of these are in the front. */

#ifndef LITHE_TESTS_DETECT_TRAVERSAL_H
#define LITHE_TESTS_DETECT_TRAVERSAL_H

#include "bound/sphere_fixture.h"
#include "mesh/exact.h"

enum { NODES_MAX = 640, POOL = 20000 };

static lt_front_pair pool[POOL];

typedef struct traversal {
    sphere_fixture *a, *b; /* b NULL: an obstacle; the same: with itself */
    lt_sphere_side sides[2];
    lt_traverse t;
} traversal;

/* From the roots. The obstacle, and fronts that are kept, are those that `s` had. */
static inline void begin(traversal *s, sphere_fixture *a, sphere_fixture *b, lt_order order, float margin,
                         uint32_t capacity) {
    const lt_sphere_kernels *kernels = lt_sphere_kernels_for(lt_simd_best());
    const lt_obstacle *obstacle = s->sides[1].obstacle;
    const lt_front_memory memory = s->t.memory;
    *s = (traversal){.a = a, .b = b};
    s->sides[0] = (lt_sphere_side){&a->body.collider, NULL, kernels, false};
    s->sides[1] = b ? (lt_sphere_side){&b->body.collider, NULL, kernels, false}
                    : (lt_sphere_side){NULL, obstacle, kernels, false};
    lt_spheres_outdate(&a->body.collider.spheres);
    if (b && b != a) lt_spheres_outdate(&b->body.collider.spheres);
    s->t = (lt_traverse){.self = a == b,
                         .test = b ? lt_spheres_against_spheres : lt_spheres_against_obstacle,
                         .may_collide = lt_spheres_may_collide,
                         .order = order,
                         .margin = margin,
                         .pool = pool,
                         .capacity = capacity,
                         .memory = memory};
    s->t.a = lt_sphere_side_tree(&s->sides[0]);
    s->t.b = a == b ? s->t.a : lt_sphere_side_tree(&s->sides[1]);
    lt_traverse_begin(&s->t, 1e3f);
}

/* One piece; false when there is none. */
static inline bool advance(traversal *s) {
    lt_piece piece = lt_traverse_peek(&s->t, 1);
    if (piece.cost == 0) return false;
    CHECK_COUNT(lt_traverse_step(&s->t, piece.cost), piece.cost);
    CHECK(piece.work == LT_WORK_REFRESH || piece.work == LT_WORK_TRAVERSE);
    return true;
}

static inline uint64_t run_all(traversal *s) {
    uint64_t units = 0;
    while (lt_traverse_peek(&s->t, 1).cost)
        units += lt_traverse_step(&s->t, 1000000);
    return units;
}

/* ---- what the answer should be ---- */

static inline uint32_t parent_of(const sphere_fixture *f, uint32_t node) {
    return f->tree.parents[lt_block_of(node)];
}

static inline bool is_leaf(const sphere_fixture *f, uint32_t node) {
    return f->tree.leaves[node] != LT_NONE;
}

/* The child of `node` that is, or is above, the leaf. */
static inline uint32_t child_towards(const sphere_fixture *f, uint32_t node, uint32_t leaf) {
    while (parent_of(f, leaf) != node)
        leaf = parent_of(f, leaf);
    return leaf;
}

static inline bool near(const sphere_fixture *x, uint32_t node, const sphere_fixture *y, uint32_t other,
                        float margin) {
    float bounds[LT_LANES];
    return lt_sphere_kernels_for(lt_simd_best())
                   ->test(NULL, bounds, &x->body.collider.spheres, lt_block_of(node),
                          &y->body.collider.spheres, other, margin) >>
               lt_lane_of(node) &
           1;
}

/* The pairs of nodes from the roots down to two leaves: refined is what is not a leaf, else what is coarser at rest. */
typedef struct path {
    uint32_t a[2 * LT_SPHERE_LEVELS_MAX], b[2 * LT_SPHERE_LEVELS_MAX];
    uint32_t length;
    bool reached; /* all of them come near */
} path;

static inline path path_to(const traversal *s, uint32_t x, uint32_t y) {
    path p = {.a = {0}, .b = {0}, .length = 1, .reached = true};
    for (uint32_t a = 0, b = 0; a != x || b != y; p.length++) {
        bool refine_a = !is_leaf(s->a, a) && (is_leaf(s->b, b) || lt_ball(&s->a->tree, LT_BALL_ERROR, a) >=
                                                                      lt_ball(&s->b->tree, LT_BALL_ERROR, b));
        if (refine_a) {
            a = child_towards(s->a, a, x);
            p.reached = p.reached && near(s->a, a, s->b, b, s->t.margin);
        } else {
            b = child_towards(s->b, b, y);
            p.reached = p.reached && near(s->b, b, s->a, a, s->t.margin);
        }
        p.a[p.length] = a;
        p.b[p.length] = b;
    }
    return p;
}

/* Everything a test needs to know of two bodies in one pose. */
typedef struct oracle {
    path *paths; /* [count] of all pairs of leaves */
    uint32_t count;
    uint32_t leaves[2][NODES_MAX]; /* nodes */
    bool *pieces_meet; /* [count] surfaces of the two leaves intersect, or come within the margin */
} oracle;

/* [piece_count][3] */
static inline lt_dvec3 *corners_of(const sphere_fixture *f) {
    lt_dvec3 *corners = LT_NEW(NULL, 3 * (size_t)f->rest.piece_count, lt_dvec3);
    for (uint32_t i = 0; i < 3 * f->rest.piece_count; i++)
        corners[i] = corner_now(f, &f->rest.pieces[i / 3], (int)(i % 3));
    return corners;
}

static inline bool pieces_meet(const lt_dvec3 a[3], const lt_dvec3 b[3], double margin) {
    for (int k = 0; k < 9 && margin > 0; k++)
        if (lt_d3_distance(a[k / 3], b[k % 3]) < margin) return true;
    return lt_exact_triangle_triangle(a, b);
}

static inline uint32_t leaf_node(const sphere_fixture *f, uint32_t leaf) {
    for (uint32_t node = 0; node < LT_LANES * f->tree.block_count; node++)
        if (f->tree.leaves[node] == leaf) return node;
    return LT_NONE;
}

/* Which pairs of leaves meet now: after a traversal that refreshed what it looked at, all is refreshed here. */
static inline void find_meetings(oracle *o, traversal *s) {
    uint32_t nb = s->b->tree.leaf_count;
    bool *close = LT_NEW(NULL, o->count, bool); /* the others would not be covered */
    lt_dvec3 *a = corners_of(s->a), *b = corners_of(s->b);
    refresh_spheres(s->a, lt_simd_best());
    if (s->a != s->b) refresh_spheres(s->b, lt_simd_best());
    for (uint32_t i = 0; i < o->count; i++) {
        close[i] = near(s->a, o->leaves[0][i / nb], s->b, o->leaves[1][i % nb], s->t.margin);
        o->pieces_meet[i] = false;
    }
    for (uint32_t i = 0; i < s->a->rest.piece_count; i++)
        for (uint32_t k = 0; k < s->b->rest.piece_count; k++) {
            uint32_t x = s->a->places[s->a->rest.pieces[i].leaf], y = s->b->places[s->b->rest.pieces[k].leaf];
            uint32_t at = s->a->tree.leaves[x] * nb + s->b->tree.leaves[y];
            if (!close[at] || o->pieces_meet[at]) continue;
            o->pieces_meet[at] = pieces_meet(a + 3 * i, b + 3 * k, (double)s->t.margin);
        }
    LT_DELETE(NULL, a, 3 * (size_t)s->a->rest.piece_count, lt_dvec3);
    LT_DELETE(NULL, b, 3 * (size_t)s->b->rest.piece_count, lt_dvec3);
    LT_DELETE(NULL, close, o->count, bool);
}

static inline oracle make_oracle(traversal *s) {
    uint32_t na = s->a->tree.leaf_count, nb = s->b->tree.leaf_count;
    oracle o = {.count = na * nb};
    o.paths = LT_NEW(NULL, o.count, path);
    o.pieces_meet = LT_NEW(NULL, o.count, bool);
    for (uint32_t i = 0; i < na; i++)
        o.leaves[0][i] = leaf_node(s->a, i);
    for (uint32_t i = 0; i < nb; i++)
        o.leaves[1][i] = leaf_node(s->b, i);
    find_meetings(&o, s);
    for (uint32_t i = 0; i < o.count && s->a != s->b; i++)
        o.paths[i] = path_to(s, o.leaves[0][i / nb], o.leaves[1][i % nb]);
    return o;
}

static inline void drop_oracle(oracle *o) {
    LT_DELETE(NULL, o->paths, o->count, path);
    LT_DELETE(NULL, o->pieces_meet, o->count, bool);
}

/* ---- what it is ---- */

static uint8_t in_front[NODES_MAX][NODES_MAX];

typedef struct front_facts {
    uint32_t count, twice;
    float worst_bound;
    double mean_error;
    bool finite;
} front_facts;

static inline front_facts mark_front(const traversal *s) {
    front_facts facts = {.finite = true};
    uint32_t bucket;
    memset(in_front, 0, sizeof in_front);
    for (uint32_t i = lt_front_next(&s->t, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(&s->t, i, &bucket)) {
        const lt_front_pair *p = &s->t.pool[i];
        facts.count++;
        facts.twice += in_front[p->a][p->b]++;
        facts.worst_bound = lt_max_f(facts.worst_bound, p->bound);
        facts.finite = facts.finite && p->bound - p->bound == 0;
        if (!s->b) continue;
        facts.mean_error += (double)lt_ball(&s->a->tree, LT_BALL_ERROR, p->a) +
                            (double)lt_ball(&s->b->tree, LT_BALL_ERROR, p->b);
    }
    facts.mean_error /= lt_max_u32(facts.count, 1);
    return facts;
}

/* A cut: on the way to every pair of leaves there is at most one pair of the front; exactly one where all on the way
 * come near, and that is so wherever surfaces meet. Returns the number of pairs of leaves for which this is wrong. */
static inline uint32_t wrong_paths(const oracle *o) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const path *p = &o->paths[i];
        uint32_t found = 0;
        for (uint32_t k = 0; k < p->length; k++)
            found += in_front[p->a[k]][p->b[k]];
        wrong += p->reached ? found != 1 : found > 1;
        wrong += o->pieces_meet[i] && found != 1;
    }
    return wrong;
}

/* Pairs of leaves that were found, against those that all on the way come near. */
static inline uint32_t wrong_leaves(const oracle *o) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const path *p = &o->paths[i];
        wrong += p->reached != (in_front[p->a[p->length - 1]][p->b[p->length - 1]] != 0);
    }
    return wrong;
}

#endif
