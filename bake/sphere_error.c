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
 * A cube is settled when that is no more than the tolerance above the best found. Asking the ball's surface alone would
 * miss cavities. Of an open surface, inside is a guess and so is this. */

#include "bake/sphere_parts.h"

#include <string.h>

/* Halvings until a cube is as small as the rounding errors; each leaves seven on the stack. */
#define HALVINGS_MOST 20
#define TOLERANCE     0.02 /* of the radius */
/* Questions after which what is open is settled as it stands: a bound still, only not as tight. */
#define QUESTIONS_MOST 8000
/* Of the radius: where inside goes over into outside without a surface between, cubes of that gap are taken for what
 * they are where they are asked. */
#define GAP_OF_OPEN 0.1

typedef struct cube {
    lt_dvec3 center;
    double half;
} cube;

typedef struct search {
    /* Input */
    const lt_sphere_field *field;
    const lt_triangle_tree *tree;
    lt_dvec3 center;
    double radius, tolerance;
    bool is_part; /* the tree is not that of the whole surface: the grid says nothing of its distances */
    /* State and output */
    double best;  /* found at a point */
    double bound; /* of what was settled */
} search;

static lt_dvec3 nearest_in_ball(const search *s, lt_dvec3 p) {
    lt_dvec3 out = lt_d3_sub(p, s->center);
    double distance = lt_d3_length(out);
    return distance <= s->radius ? p : lt_d3_mad(s->center, out, s->radius / distance);
}

/* No outside point of a cube of that gap around p is farther from the surface; improves the best on the way. */
static double ask(search *s, lt_dvec3 p, double gap) {
    lt_sphere_guess guess = lt_sphere_field_guess(s->field, p);
    bool is_certain = !s->field->is_open || gap <= GAP_OF_OPEN * s->radius;
    if (is_certain && guess.most + gap < 0) return 0;
    if (!s->is_part && guess.most + gap <= s->best) return guess.most + gap;
    double d = lt_sphere_field_distance(s->tree, p, s->is_part ? INFINITY : lt_sphere_guess_size(guess));
    if (d + gap <= s->best) return d + gap;
    if (!lt_sphere_field_is_inside(s->field, p)) {
        s->best = lt_max_d(s->best, d);
        return d + gap;
    }
    if (!is_certain) return d + gap;
    if (!s->is_part) return lt_max_d(0, gap - d);
    /* Nothing of the cube is outside, or, for all we know, some of it. */
    return lt_sphere_field_distance(&s->field->tree, p, lt_sphere_guess_size(guess)) > gap ? 0 : d + gap;
}

/* A good start saves most of the work: the direction that looks worst, or all of them where there is no look. */
static void start(search *s) {
    double worst = -INFINITY;
    lt_dvec3 at = s->center;
    for (uint32_t i = 0; i < LT_SPHERE_FEW_DIRECTIONS; i++) {
        lt_dvec3 p = lt_d3_mad(s->center, s->field->few_directions[i], s->radius);
        double most = lt_sphere_field_guess(s->field, p).most;
        if (s->field->is_open) ask(s, p, 0);
        if (most <= worst) continue;
        worst = most;
        at = p;
    }
    ask(s, at, 0);
}

static int push_octants(cube *stack, int count, const cube *whole) {
    double half = 0.5 * whole->half;
    for (int octant = 0; octant < 8; octant++) {
        lt_dvec3 shift = {octant & 1 ? half : -half, octant & 2 ? half : -half, octant & 4 ? half : -half};
        stack[count++] = (cube){lt_d3_add(whole->center, shift), half};
    }
    return count;
}

double lt_sphere_error(const lt_sphere_field *field, const lt_triangle_tree *tree, lt_dvec3 center,
                       double radius, double tolerance) {
    search s = {field, tree, center, radius, tolerance, tree != &field->tree, 0, 0};
    cube stack[7 * HALVINGS_MOST + 8] = {{center, radius}};
    int count = 1;
    double least_half = radius / (1 << HALVINGS_MOST);
    uint32_t question_count = 0;
    start(&s);
    while (count > 0) {
        cube c = stack[--count];
        double gap = sqrt(3.0) * c.half;
        if (lt_d3_distance(c.center, center) - gap > radius) continue;
        double most = ask(&s, nearest_in_ball(&s, c.center), gap);
        if (most <= s.best + tolerance || c.half <= least_half || ++question_count > QUESTIONS_MOST)
            s.bound = lt_max_d(s.bound, most);
        else
            count = push_octants(stack, count, &c);
    }
    return lt_min_d(lt_max_d(s.best, s.bound), 2 * radius);
}

/* ---- all spheres of a tree ---- */

typedef struct filling {
    /* Input */
    lt_rest_tree *tree;
    const lt_sphere_field *field;
    const lt_sphere_options *options;
    /* State */
    uint32_t *owners; /* [piece_count] the sphere above a piece, on the level at hand or higher */
    uint32_t *order;  /* [piece_count] pieces by owner */
    uint32_t *begins; /* [sphere_count + 1] */
} filling;

static void sort_by_owner(filling *f) {
    uint32_t sphere_count = f->tree->sphere_count, piece_count = f->tree->piece_count;
    memset(f->begins, 0, (sphere_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < piece_count; i++)
        f->begins[f->owners[i]]++;
    for (uint32_t i = 0, sum = 0; i <= sphere_count; i++) {
        sum += f->begins[i];
        f->begins[i] = sum;
    }
    for (uint32_t i = piece_count; i-- > 0;) /* backwards: begins, after the last, where it should */
        f->order[--f->begins[f->owners[i]]] = i;
}

/* The pieces as a surface of their own. */
static lt_status gather_pieces(const filling *f, uint32_t sphere, lt_surface *out, lt_error *error) {
    uint32_t begin = f->begins[sphere], count = f->begins[sphere + 1] - begin;
    lt_status status = lt_surface_allocate(out, 3 * count, count, &f->options->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < count; i++) {
        lt_dvec3 corners[3];
        lt_sphere_piece_corners(f->field->surface, &f->tree->pieces[f->order[begin + i]], corners);
        for (uint32_t k = 0; k < 3; k++) {
            out->positions[3 * i + k] = lt_v3_from_d3(corners[k]);
            out->triangles[3 * i + k] = 3 * i + k;
        }
    }
    return LT_OK;
}

static lt_status fill_own_error(const filling *f, uint32_t index, lt_error *error) {
    lt_rest_sphere *sphere = &f->tree->spheres[index];
    if (f->begins[index + 1] - f->begins[index] == f->tree->piece_count) {
        sphere->own_error = sphere->error;
        return LT_OK;
    }
    lt_surface own;
    lt_triangle_tree tree = {0};
    lt_status status = gather_pieces(f, index, &own, error);
    if (status != LT_OK) return status;
    status = lt_triangle_tree_build(&tree, &own, &f->options->allocator, error);
    if (status == LT_OK) {
        double tolerance = TOLERANCE * sphere->radius;
        double own_error = lt_sphere_error(f->field, &tree, sphere->center, sphere->radius, tolerance);
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
    double tolerance = TOLERANCE * sphere->radius;
    sphere->error = lt_sphere_error(f->field, &f->field->tree, sphere->center, sphere->radius, tolerance);
    return fill_own_error(f, index, error);
}

/* From the deepest level up; pieces of a level that is done go to the parents. */
static lt_status fill_levels(filling *f, lt_error *error) {
    const lt_rest_tree *tree = f->tree;
    lt_status status = LT_OK;
    for (uint32_t i = 0; i < tree->piece_count; i++)
        f->owners[i] = tree->pieces[i].leaf;
    for (uint32_t level = tree->level_count; status == LT_OK && level-- > 0;) {
        sort_by_owner(f);
        for (uint32_t i = tree->level_begin[level + 1]; status == LT_OK && i-- > tree->level_begin[level];)
            status = fill_sphere(f, i, error);
        for (uint32_t i = 0; i < tree->piece_count; i++)
            if (tree->spheres[f->owners[i]].level == level) f->owners[i] = tree->spheres[f->owners[i]].parent;
    }
    return status;
}

lt_status lt_sphere_fill_errors(lt_rest_tree *tree, const lt_sphere_field *field,
                                const lt_sphere_options *options, lt_error *error) {
    const lt_allocator *allocator = &options->allocator;
    filling f = {.tree = tree, .field = field, .options = options};
    f.owners = LT_NEW(allocator, tree->piece_count, uint32_t);
    f.order = LT_NEW(allocator, tree->piece_count, uint32_t);
    f.begins = LT_NEW(allocator, tree->sphere_count + 1, uint32_t);
    lt_status status = LT_OK;
    if (f.owners && f.order && f.begins)
        status = fill_levels(&f, error);
    else
        status = lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to measure %u spheres",
                         tree->sphere_count);
    LT_DELETE(allocator, f.owners, tree->piece_count, uint32_t);
    LT_DELETE(allocator, f.order, tree->piece_count, uint32_t);
    LT_DELETE(allocator, f.begins, tree->sphere_count + 1, uint32_t);
    return status;
}
