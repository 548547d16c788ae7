/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far a ball stands off the surface: the largest distance over its points outside the solid, by branch and bound.
 *
 * The ball's box is halved along all axes again and again. A cube is asked at the point of the ball nearest to its
 * centre; every point of cube and ball is within `gap`, half the cube's diagonal, of it (going to the nearest point of
 * a convex set brings nothing farther apart). Distance changes by no more than the way walked, hence
 *     asked outside, at distance d:   no point of the cube is farther than d + gap
 *     asked inside:                   an outside point lies beyond the surface: no farther than gap - d
 * (of distances to a part of the surface: d + gap as before, where the surface is nearer than gap, else nothing).
 * The same holds of any point of the surface (a foot) and any point inside (a pit) with the farthest point of the cube from
 * there in place of the gap: those found for a cube are handed on to its parts, and soon bound them better than the gap.
 * A cube is settled when that is no more than the tolerance above the best found. Asking the ball's surface alone would
 * miss cavities. Of an open surface, inside is a guess and so is this. */

#include "bake/rest_tree.h"
#include "bake/sphere_pieces.h"
#include "core/heap.h"

/* Of the radius: where inside goes over into outside without a surface between, cubes of that gap are taken for what
 * they are where they are asked. */
#define GAP_OF_OPEN 0.1
#define GAP_OF_BEST 2.0
#define ROUNDING    1e-9 /* of the radius: squares of it are lost where sums of squares cancel */

typedef struct cube {
    lt_dvec3 center;
    double half;
    double most;   /* no point of it is farther from the tree's triangles, for all that is known */
    double bound;  /* nor any outside point of it; not above `most` */
    lt_dvec3 foot; /* a point of the tree's triangles that is near, once known */
    lt_dvec3 pit;  /* inside the solid, with no surface nearer than `depth`; depth 0: none known */
    double depth;
    bool has_foot, is_asked;
} cube;

typedef struct search {
    /* Input */
    const lt_sphere_field *field;
    const lt_triangle_tree *tree;
    lt_dvec3 center;
    double radius, tolerance;
    bool is_part; /* the tree is not that of the whole surface: the grid says nothing of its distances */
    /* State and output */
    double best;    /* found at a point */
    double settled; /* no outside point of cubes that are out of the heap is farther */
    cube *heap;     /* [heap_count], largest bound first */
    uint32_t heap_count;
} search;

static lt_dvec3 nearest_in_ball(const search *s, lt_dvec3 p) {
    lt_dvec3 out = lt_d3_sub(p, s->center);
    double distance = lt_d3_length(out);
    return distance <= s->radius ? p : lt_d3_mad(s->center, out, s->radius / distance);
}

/* From a point to the cube's farthest corner. */
static double farthest_corner(const cube *c, lt_dvec3 from) {
    lt_dvec3 out = lt_d3_sub(c->center, from);
    return lt_d3_length(lt_d3_make(fabs(out.x) + c->half, fabs(out.y) + c->half, fabs(out.z) + c->half));
}

/* From a point, mostly the foot, to the farthest point of the ball that is in the cone which the cube's own ball fills, seen from the
 * centre, and no nearer to that than the cube is. Distances grow with the angle between foot and point; along a ray
 * they are convex, so that its ends decide. Where a sphere stands off most, its surface runs along at one distance: there
 * this is above it by the square of the cube's size only, the corners by the size. */
static double farthest_in_cone(const search *s, const cube *c, lt_dvec3 from) {
    double gap = sqrt(3.0) * c->half;
    lt_dvec3 out = lt_d3_sub(c->center, s->center), foot = lt_d3_sub(from, s->center);
    double r = lt_d3_length(out), f = lt_d3_length(foot);
    if (r <= gap) return INFINITY;
    double sine = gap / r, cosine = sqrt(lt_max_d(0, 1 - sine * sine));
    double foot_cosine = f > 0 ? lt_max_d(-1, lt_min_d(1, lt_d3_dot(out, foot) / (r * f))) : 1;
    double foot_sine = sqrt(1 - foot_cosine * foot_cosine);
    double least = foot_cosine <= -cosine ? -1 : foot_cosine * cosine - foot_sine * sine;
    double near = r - gap, far = lt_min_d(s->radius, r + gap);
    double to_near = near * near - 2 * near * f * least, to_far = far * far - 2 * far * f * least;
    return sqrt(lt_max_d(0, f * f + lt_max_d(to_near, to_far)));
}

/* No point of cube and ball is farther from there. */
static double reach_from(const search *s, const cube *c, lt_dvec3 from) {
    return lt_min_d(farthest_corner(c, from), farthest_in_cone(s, c, from)) + ROUNDING * s->radius;
}

static void bound_by_foot(const search *s, cube *c) {
    c->most = lt_min_d(c->most, reach_from(s, c, c->foot));
}

/* An outside point is beyond the surface, seen from inside: no farther from it than from there, less the way to it. Of
 * what was asked inside so far, that which bounds the cube best. */
static void bound_by_pit(const search *s, cube *c, lt_dvec3 pit, double depth) {
    double bound = lt_max_d(0, reach_from(s, c, pit) - depth);
    if (c->depth > 0 && bound >= c->bound) return;
    c->pit = pit;
    c->depth = depth;
    c->bound = lt_min_d(c->bound, bound);
}

/* The exact distance at p, which also improves what is known of the cube. */
static double measure(const search *s, cube *c, lt_dvec3 p, double gap, double most) {
    uint32_t triangle;
    lt_closest_point closest;
    if (c->has_foot) most = lt_min_d(most, lt_d3_distance(p, c->foot) * (1 + ROUNDING));
    if (!lt_triangle_tree_closest(s->tree, p, most, &triangle, &closest) &&
        !lt_triangle_tree_closest(s->tree, p, INFINITY, &triangle, &closest))
        return INFINITY;
    double d = sqrt(closest.distance_squared);
    c->foot = closest.point;
    c->has_foot = true;
    c->most = lt_min_d(c->most, d + gap);
    bound_by_foot(s, c);
    return d;
}

/* No outside point of the cube is farther from the surface; improves the best and the cube on the way. p is the point
 * of the ball nearest to the cube's centre. Exact distances and winding numbers only where they decide. */
static double ask(search *s, cube *c, lt_dvec3 p) {
    double gap = sqrt(3.0) * c->half, enough = s->best + s->tolerance;
    lt_sphere_guess guess = lt_sphere_field_guess(s->field, p);
    bool is_certain = !s->field->is_open || gap <= GAP_OF_OPEN * s->radius;
    if (is_certain && guess.most + gap < 0) return 0;
    if (!s->is_part) c->most = lt_min_d(c->most, guess.most + gap);
    if (c->most <= enough) return c->most;
    bool is_pit = guess.most < 0 && !s->is_part;
    if (is_pit) bound_by_pit(s, c, p, -guess.most);
    if (c->bound <= enough) return c->bound;
    /* Even the farthest corner of a foot straight along an axis is too far: it will be halved anyway. */
    if (guess.least + c->half > enough && guess.least <= s->best) return c->most;
    double size = lt_sphere_guess_size(guess);
    double d = measure(s, c, p, gap, s->is_part ? c->most : lt_min_d(c->most, size));
    if (is_pit) bound_by_pit(s, c, p, d);
    if (c->most <= s->best) return c->most;
    bool may_be_best = d > s->best && (guess.least > 0 || gap <= GAP_OF_BEST * s->tolerance);
    bool may_be_settled = c->most > enough && (s->is_part ? size > gap : gap - d <= enough);
    if (!may_be_best && !may_be_settled) return c->most;
    double whole = s->is_part && !(guess.least > 0) ? lt_sphere_field_distance(&s->field->tree, p, size) : d;
    if (guess.least > 0 || !lt_sphere_field_is_inside(s->field, p, whole)) {
        s->best = lt_max_d(s->best, d);
        return c->most;
    }
    if (!is_certain) return c->most;
    if (s->is_part) return whole > gap ? 0 : c->most;
    if (!s->field->is_open) bound_by_pit(s, c, p, d);
    return lt_min_d(c->most, lt_max_d(0, gap - d));
}

/* A good start saves most of the work: points all over the ball's surface, those that look bad if there is a look. */
static void start(search *s) {
    for (uint32_t i = 0; i < LT_SPHERE_FEW_DIRECTIONS; i++) {
        lt_dvec3 p = lt_d3_mad(s->center, s->field->few_directions[i], s->radius);
        cube point = {.center = p, .most = INFINITY, .bound = INFINITY};
        ask(s, &point, p);
    }
}

/* ---- the heap ---- */

static bool is_worse(const cube *x, const cube *y) {
    return x->bound > y->bound;
}

LT_HEAP(cubes, cube, is_worse)

static void push(search *s, const cube *c) {
    if (c->bound > s->best + s->tolerance)
        cubes_push(s->heap, &s->heap_count, c);
    else
        s->settled = lt_max_d(s->settled, c->bound);
}

static cube pop(search *s) {
    cube top = s->heap[0];
    cubes_drop(s->heap, &s->heap_count);
    return top;
}

static void push_octants(search *s, const cube *whole) {
    double half = 0.5 * whole->half;
    for (int octant = 0; octant < 8; octant++) {
        lt_dvec3 shift = {octant & 1 ? half : -half, octant & 2 ? half : -half, octant & 4 ? half : -half};
        cube part = *whole;
        part.center = lt_d3_add(whole->center, shift);
        part.half = half;
        part.is_asked = false;
        if (lt_d3_distance(part.center, s->center) - sqrt(3.0) * half > s->radius) continue;
        if (part.has_foot) bound_by_foot(s, &part);
        if (part.depth > 0) bound_by_pit(s, &part, part.pit, part.depth);
        part.bound = lt_min_d(part.bound, part.most);
        push(s, &part);
    }
}

/* The cube of the largest bound first: whenever the questions run out, the bound is as good as they allow. */
static double error_of(const lt_sphere_field *field, const lt_triangle_tree *tree,
                       const lt_rest_sphere *sphere, double tolerance, cube *heap) {
    search s = {field, tree, sphere->center, sphere->radius, tolerance, tree != &field->tree, 0, 0, heap, 0};
    cube whole = {.center = s.center, .half = s.radius, .most = 2 * s.radius, .bound = 2 * s.radius};
    start(&s);
    push(&s, &whole);
    for (uint32_t questions = 0; s.heap_count > 0 && questions < field->pace->questions_most;) {
        cube c = pop(&s);
        if (c.is_asked) {
            push_octants(&s, &c);
            continue;
        }
        questions++;
        double answer =
            ask(&s, &c, nearest_in_ball(&s, c.center)); /* which may lower the cube's bound itself */
        c.bound = lt_min_d(c.bound, answer);
        c.is_asked = true;
        push(&s, &c);
    }
    double open = s.heap_count > 0 ? s.heap[0].bound : 0;
    return lt_max_d(s.best, lt_max_d(s.settled, open));
}

/* ---- all spheres of a tree ---- */

typedef struct filling {
    /* Input */
    lt_rest_tree *tree;
    const lt_sphere_field *field;
    const lt_sphere_options *options;
    /* State */
    lt_piece_groups groups;
    cube *heap; /* [heap_room] */
} filling;

/* The pieces as a surface of their own. */
static lt_status gather_pieces(const filling *f, uint32_t sphere, lt_surface *out, lt_error *error) {
    lt_piece_group group = lt_piece_groups_at(&f->groups, sphere);
    uint32_t count = group.count;
    lt_status status = lt_surface_allocate(out, 3 * count, count, &f->options->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < count; i++) {
        lt_dvec3 corners[3];
        lt_sphere_piece_corners(f->field->surface, &f->tree->pieces[group.pieces[i]], corners);
        for (uint32_t k = 0; k < 3; k++) {
            out->positions[3 * i + k] = lt_v3_from_d3(corners[k]);
            out->triangles[3 * i + k] = 3 * i + k;
        }
    }
    return LT_OK;
}

static lt_status fill_own_error(const filling *f, uint32_t index, lt_error *error) {
    lt_rest_sphere *sphere = &f->tree->spheres[index];
    if (lt_piece_groups_at(&f->groups, index).count == f->tree->piece_count) {
        sphere->own_error = sphere->error;
        return LT_OK;
    }
    lt_surface own;
    lt_triangle_tree tree = {0};
    lt_status status = gather_pieces(f, index, &own, error);
    if (status != LT_OK) return status;
    status = lt_triangle_tree_build(&tree, &own, &f->options->allocator, error);
    if (status == LT_OK) {
        double tolerance = f->field->pace->own_tolerance * sphere->radius;
        double own_error = error_of(f->field, &tree, sphere, tolerance, f->heap);
        sphere->own_error = lt_max_d(sphere->error, own_error);
    }
    lt_triangle_tree_free(&tree);
    lt_surface_free(&own);
    return status;
}

static lt_status fill_sphere(const filling *f, uint32_t index, lt_error *error) {
    lt_rest_sphere *sphere = &f->tree->spheres[index];
    uint32_t count = f->tree->sphere_count;
    lt_status status = lt_sphere_report(f->options, "measuring", (double)(count - index) / count, error);
    if (status != LT_OK) return status;
    double tolerance = f->field->pace->tolerance * sphere->radius;
    sphere->error = error_of(f->field, &f->field->tree, sphere, tolerance, f->heap);
    return fill_own_error(f, index, error);
}

/* From the deepest level up. */
static lt_status fill_levels(filling *f, lt_error *error) {
    const lt_rest_tree *tree = f->tree;
    lt_status status = LT_OK;
    for (uint32_t level = tree->level_count; status == LT_OK && level-- > 0;) {
        for (uint32_t i = tree->level_begin[level + 1]; status == LT_OK && i-- > tree->level_begin[level];)
            status = fill_sphere(f, i, error);
        lt_piece_groups_rise(&f->groups, level);
    }
    return status;
}

lt_status lt_sphere_fill_errors(lt_rest_tree *tree, const lt_sphere_field *field,
                                const lt_sphere_options *options, lt_error *error) {
    /* A question leaves seven cubes more at most, or the cube itself. */
    size_t room = 8 * (size_t)field->pace->questions_most + 8;
    filling f = {.tree = tree, .field = field, .options = options};
    f.heap = LT_NEW(&options->allocator, room, cube);
    lt_status status = f.heap ? lt_piece_groups_build(&f.groups, tree, error)
                              : lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to measure it");
    if (status == LT_OK) status = fill_levels(&f, error);
    lt_piece_groups_free(&f.groups);
    LT_DELETE(&options->allocator, f.heap, room, cube);
    return status;
}
