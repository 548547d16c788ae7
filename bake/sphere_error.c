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

#include "bake/sphere_pieces.h"

#define FIRST_CUBES 4 /* along the radius */
/* Of cubes; each leaves seven on the stack. */
#define HALVINGS_MOST 16
#define TOLERANCE     0.02 /* of the radius */
#define OWN_TOLERANCE 0.04 /* of own errors: only reports use them, and four times the work is not worth it */
/* After so many questions the bound stays as it is: where a ball hugs the surface all around, or all is at one distance,
 * nothing is settled before cubes are as small as the tolerance. */
#define QUESTIONS_MOST 12000
/* Of the radius: where inside goes over into outside without a surface between, cubes of that gap are taken for what
 * they are where they are asked. */
#define GAP_OF_OPEN 0.1

typedef struct cube {
    lt_dvec3 center;
    double half;
    double most; /* no point of it is farther from the tree's triangles: what was found one size up */
} cube;

typedef struct search {
    /* Input */
    const lt_sphere_field *field;
    const lt_triangle_tree *tree;
    lt_dvec3 center;
    double radius, tolerance;
    bool is_part; /* the tree is not that of the whole surface: the grid says nothing of its distances */
    /* State and output */
    double best; /* found at a point */
    uint32_t question_count;
} search;

static lt_dvec3 nearest_in_ball(const search *s, lt_dvec3 p) {
    lt_dvec3 out = lt_d3_sub(p, s->center);
    double distance = lt_d3_length(out);
    return distance <= s->radius ? p : lt_d3_mad(s->center, out, s->radius / distance);
}

/* No outside point of a cube of that gap around p is farther from the surface; improves the best on the way. `most`
 * bounds the distance from before, and after for the cube. Exact distances only where the guess does not decide. */
static double ask(search *s, lt_dvec3 p, double gap, double *most) {
    lt_sphere_guess guess = lt_sphere_field_guess(s->field, p);
    bool is_certain = !s->field->is_open || gap <= GAP_OF_OPEN * s->radius;
    if (is_certain && guess.most + gap < 0) return 0;
    if (!s->is_part) *most = lt_min_d(*most, guess.most + gap);
    if (*most <= s->best + s->tolerance) return *most;
    if (guess.least + gap > s->best + s->tolerance && guess.least <= s->best)
        return *most; /* too large anyway */
    double size = lt_sphere_guess_size(guess);
    double d = lt_sphere_field_distance(s->tree, p, s->is_part ? *most : lt_min_d(*most, size));
    *most = d + gap;
    if (d + gap <= s->best) return d + gap;
    if (guess.least > 0 || !lt_sphere_field_is_inside(s->field, p)) {
        s->best = lt_max_d(s->best, d);
        return d + gap;
    }
    if (!is_certain) return d + gap;
    if (!s->is_part) return lt_max_d(0, gap - d);
    /* Nothing of the cube is outside, or, for all we know, some of it. */
    return lt_sphere_field_distance(&s->field->tree, p, size) > gap ? 0 : d + gap;
}

/* A good start saves most of the work: points all over the ball's surface, those that look bad if there is a look. */
static void start(search *s) {
    for (uint32_t i = 0; i < LT_SPHERE_FEW_DIRECTIONS; i++) {
        lt_dvec3 p = lt_d3_mad(s->center, s->field->few_directions[i], s->radius);
        double most = INFINITY;
        ask(s, p, 0, &most);
    }
}

static int push_octants(cube *stack, int count, const cube *whole) {
    double half = 0.5 * whole->half;
    for (int octant = 0; octant < 8; octant++) {
        lt_dvec3 shift = {octant & 1 ? half : -half, octant & 2 ? half : -half, octant & 4 ? half : -half};
        stack[count++] = (cube){lt_d3_add(whole->center, shift), half, whole->most};
    }
    return count;
}

/* Asks all cubes that are not settled, down to cubes of that half; what bounds them all. */
static double descend(search *s, double least_half) {
    cube stack[7 * HALVINGS_MOST + 8] = {{s->center, s->radius, INFINITY}};
    double bound = 0;
    int count = 1;
    while (count > 0) {
        cube c = stack[--count];
        double gap = sqrt(3.0) * c.half;
        if (lt_d3_distance(c.center, s->center) - gap > s->radius) continue;
        double most = c.most, enough = s->best + s->tolerance;
        if (most > enough) {
            s->question_count++;
            most = ask(s, nearest_in_ball(s, c.center), gap, &c.most);
        }
        if (most <= enough || c.half <= least_half)
            bound = lt_max_d(bound, most);
        else
            count = push_octants(stack, count, &c);
    }
    return bound;
}

/* Deeper each time: first descents find good points cheaply, and where questions run out the last bound is an even one. */
double lt_sphere_error(const lt_sphere_field *field, const lt_triangle_tree *tree, lt_dvec3 center,
                       double radius, double tolerance) {
    search s = {field, tree, center, radius, tolerance, tree != &field->tree, 0, 0};
    double bound = 2 * radius, half = radius / FIRST_CUBES;
    start(&s);
    for (int i = 0; i < HALVINGS_MOST / 2 && bound > s.best + tolerance && s.question_count < QUESTIONS_MOST;
         i++) {
        bound = lt_min_d(bound, descend(&s, half));
        half *= 0.25;
    }
    return lt_max_d(s.best, bound);
}

/* ---- all spheres of a tree ---- */

typedef struct filling {
    /* Input */
    lt_rest_tree *tree;
    const lt_sphere_field *field;
    const lt_sphere_options *options;
    /* State */
    lt_piece_groups groups;
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
        double tolerance = OWN_TOLERANCE * sphere->radius;
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
    filling f = {.tree = tree, .field = field, .options = options};
    lt_status status = lt_piece_groups_build(&f.groups, tree, error);
    if (status == LT_OK) status = fill_levels(&f, error);
    lt_piece_groups_free(&f.groups);
    return status;
}
