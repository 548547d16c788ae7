/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The Utah teapot (Martin Newell, 1975; the bottom by Frank Crow): 32 bicubic Bezier patches.
 *
 * Its control points are not written out but folded along their symmetry: 24 patches are six profile curves
 * turned by four quarter circles, and the other 8 are two tubes, each two patches long and mirrored. So that
 * vertices are shared without welding, a whole piece is tessellated at once as a grid of rows and columns:
 *
 *     body    rim, shoulder, belly, bottom; ends in a pole     lid     knob, cover; begins in a pole
 *     handle  upper, lower                                     spout   lower, upper
 *
 * The solid one is the same outline filled: profile and lid joined and turned, and the tubes as round cones
 * along their middles. */

#include "bake/put_elements.h"
#include "scenes/generate.h"
#include "scenes/implicit.h"

/* A control point of a profile: radius, height, and how far along the tangent the quarter circle's inner
 * control points lie; 0.56 of the radius except at the knob. */
typedef struct turned_control {
    double radius, y, handle;
} turned_control;

static const turned_control body_profile[13] = {
    {1.4, 2.4, .784},   {1.3375, 2.53125, .749}, {1.4375, 2.53125, .805},
    {1.5, 2.4, .84},                                              /* rim */
    {1.75, 1.875, .98}, {2, 1.35, 1.12},         {2, .9, 1.12},   /* shoulder */
    {2, .45, 1.12},     {1.5, .225, .84},        {1.5, .15, .84}, /* belly */
    {1.5, .075, .84},   {1.425, 0, .798},        {0, 0, 0},       /* bottom */
};
static const turned_control lid_profile[7] = {
    {0, 3.15, 0},     {.8, 3.15, .45},   {0, 2.85, 0},     {.2, 2.7, .112}, /* knob */
    {.4, 2.55, .224}, {1.3, 2.55, .728}, {1.3, 2.4, .728},                  /* cover */
};

/* A row of a tube's control points: two in the mirror plane, and how far the two beside them stand off. */
typedef struct tube_control {
    double inner_x, inner_y, outer_x, outer_y, half_width;
} tube_control;

static const tube_control handle_rows[7] = {
    {-1.6, 2.025, -1.5, 2.25, .3}, {-2.3, 2.025, -2.5, 2.25, .3}, {-2.7, 2.025, -3, 2.25, .3},
    {-2.7, 1.8, -3, 1.8, .3},      {-2.7, 1.575, -3, 1.35, .3},   {-2.5, 1.125, -2.65, .9375, .3},
    {-2, .9, -1.9, .6, .3},
};
static const tube_control spout_rows[7] = {
    {1.7, 1.425, 1.7, .6, .66}, {2.6, 1.425, 3.1, .825, .66},      {2.3, 2.1, 2.4, 2.025, .25},
    {2.7, 2.4, 3.3, 2.4, .25},  {2.8, 2.475, 3.525, 2.49375, .25}, {2.9, 2.475, 3.45, 2.5125, .15},
    {2.8, 2.4, 3.2, 2.4, .15},
};

static double bezier(double a, double b, double c, double d, double t) {
    double s = 1.0 - t;
    return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
}

/* Where row `row` of `resolution` rows a curve lies: *first is the curve's first control point. */
static double curve_parameter(uint32_t row, uint32_t resolution, uint32_t curve_count, uint32_t *first) {
    uint32_t curve = lt_min_u32(row / resolution, curve_count - 1);
    *first = 3 * curve;
    return (double)(row - curve * resolution) / resolution;
}

static turned_control turned_at(const turned_control *profile, uint32_t curve_count, uint32_t row,
                                uint32_t resolution) {
    uint32_t first;
    double t = curve_parameter(row, resolution, curve_count, &first);
    const turned_control *c = profile + first;
    return (turned_control){bezier(c[0].radius, c[1].radius, c[2].radius, c[3].radius, t),
                            bezier(c[0].y, c[1].y, c[2].y, c[3].y, t),
                            bezier(c[0].handle, c[1].handle, c[2].handle, c[3].handle, t)};
}

static tube_control tube_at(const tube_control *rows, uint32_t row, uint32_t resolution) {
    uint32_t first;
    double t = curve_parameter(row, resolution, 2, &first);
    const tube_control *c = rows + first;
    return (tube_control){bezier(c[0].inner_x, c[1].inner_x, c[2].inner_x, c[3].inner_x, t),
                          bezier(c[0].inner_y, c[1].inner_y, c[2].inner_y, c[3].inner_y, t),
                          bezier(c[0].outer_x, c[1].outer_x, c[2].outer_x, c[3].outer_x, t),
                          bezier(c[0].outer_y, c[1].outer_y, c[2].outer_y, c[3].outer_y, t),
                          bezier(c[0].half_width, c[1].half_width, c[2].half_width, c[3].half_width, t)};
}

/* ---- as designed ---- */

typedef struct builder {
    lt_vec3 *position;
    uint32_t *corner;
    uint32_t vertex_count, resolution;
} builder;

/* One row around the axis: four quarter circles of `resolution` points. */
static void put_turned_row(builder *b, turned_control c) {
    for (uint32_t s = 0; s < 4 * b->resolution; s++) {
        double t = (double)(s % b->resolution) / b->resolution;
        double along = bezier(c.radius, c.radius, c.handle, 0.0, t);
        double across = bezier(0.0, c.handle, c.radius, c.radius, t);
        double x = along, z = -across;
        for (uint32_t quarter = s / b->resolution; quarter > 0; quarter--) {
            double old = x;
            x = z, z = -old;
        }
        *b->position++ = (lt_vec3){(float)x, (float)c.y, (float)z};
    }
    b->vertex_count += 4 * b->resolution;
}

/* Rows run from top to bottom, so the wall is built from the lower row up. */
static void put_turned(builder *b, const turned_control *profile, uint32_t curve_count, bool pole_first) {
    uint32_t around = 4 * b->resolution, row_count = curve_count * b->resolution;
    uint32_t first = b->vertex_count;
    for (uint32_t r = 0; r < row_count; r++)
        put_turned_row(b, turned_at(profile, curve_count, pole_first ? r + 1 : r, b->resolution));
    for (uint32_t r = 0; r + 1 < row_count; r++)
        b->corner = lt_put_ring_wall(b->corner, first + (r + 1) * around, first + r * around, around);
    uint32_t pole = b->vertex_count++, ring = pole_first ? first : pole - around;
    turned_control end = profile[pole_first ? 0 : 3 * curve_count];
    *b->position++ = (lt_vec3){0.0f, (float)end.y, 0.0f};
    for (uint32_t s = 0; s < around; s++, b->corner += 3) {
        uint32_t here = ring + s, next = ring + (s + 1) % around;
        b->corner[0] = pole;
        b->corner[1] = pole_first ? here : next;
        b->corner[2] = pole_first ? next : here;
    }
}

/* Inner edge, one side, outer edge, other side: two mirrored halves of `resolution` columns. */
static void put_tube(builder *b, const tube_control *rows) {
    uint32_t around = 2 * b->resolution, row_count = 2 * b->resolution + 1, first = b->vertex_count;
    for (uint32_t r = 0; r < row_count; r++) {
        tube_control c = tube_at(rows, r, b->resolution);
        for (uint32_t s = 0; s < around; s++) {
            bool back = s > b->resolution;
            double t = (double)(back ? around - s : s) / b->resolution;
            double z = bezier(0.0, c.half_width, c.half_width, 0.0, t);
            lt_dvec3 p = {bezier(c.inner_x, c.inner_x, c.outer_x, c.outer_x, t),
                          bezier(c.inner_y, c.inner_y, c.outer_y, c.outer_y, t), back ? -z : z};
            *b->position++ = lt_v3_from_d3(p);
        }
    }
    b->vertex_count += row_count * around;
    for (uint32_t r = 0; r + 1 < row_count; r++) {
        uint32_t here = first + r * around, next = here + around;
        b->corner = lt_put_ring_wall(b->corner, here, next, around);
    }
}

lt_status lt_generate_teapot(lt_surface *out, uint32_t resolution, const lt_allocator *allocator,
                             lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = lt_check_count("teapot", "cells along a patch", resolution, 2, 256, error);
    if (status != LT_OK) return status;
    uint32_t r = resolution, turned = 4 * r * 6 * r + 2, tubes = 2 * 2 * r * (2 * r + 1);
    status = lt_surface_allocate(out, turned + tubes, 64 * r * r - 8 * r, allocator, error);
    if (status != LT_OK) return status;
    builder b = {out->positions, out->triangles, 0, resolution};
    put_turned(&b, body_profile, 4, false);
    put_turned(&b, lid_profile, 2, true);
    put_tube(&b, handle_rows);
    put_tube(&b, spout_rows);
    LT_ASSERT(b.vertex_count == out->vertex_count);
    LT_ASSERT(b.corner == out->triangles + 3 * (size_t)out->triangle_count);
    return LT_OK;
}

/* ---- solid ---- */

#define OUTLINE_STEPS 8
#define TUBE_STEPS    10
#define ROUNDING      0.04

typedef struct solid_teapot {
    double radius[6 * OUTLINE_STEPS + 2],
        y[6 * OUTLINE_STEPS + 2]; /* from the top of the knob down to the bottom */
    uint32_t outline_count;
    lt_dvec3 middle[2][2 * TUBE_STEPS + 1]; /* of handle and spout */
    double thickness[2][2 * TUBE_STEPS + 1];
} solid_teapot;

/* Moved in by the rounding, which the field puts back on with every edge rounded. */
static void add_outline_point(solid_teapot *pot, turned_control c) {
    pot->radius[pot->outline_count] = lt_max_d(c.radius - ROUNDING, 0.0);
    pot->y[pot->outline_count++] = ROUNDING + c.y * (1.0 - 2.0 * ROUNDING / 3.15);
}

/* The slit between lid and rim is left out: the outline steps from the edge of the lid to the rim's top. Without a lid,
 * it begins in the middle at the height of the rim. */
static void build_outline(solid_teapot *pot, bool with_lid) {
    turned_control rim = turned_at(body_profile, 4, OUTLINE_STEPS / 2, OUTLINE_STEPS);
    if (!with_lid) add_outline_point(pot, (turned_control){.y = rim.y});
    for (uint32_t row = 0; row < 2 * OUTLINE_STEPS && with_lid; row++)
        add_outline_point(pot, turned_at(lid_profile, 2, row, OUTLINE_STEPS));
    for (uint32_t row = OUTLINE_STEPS / 2; row <= 4 * OUTLINE_STEPS; row++)
        add_outline_point(pot, turned_at(body_profile, 4, row, OUTLINE_STEPS));
}

/* A round section of the area of the patches' own: as thick as the mean of its two half axes. */
static void build_tube(solid_teapot *pot, int which, const tube_control *rows) {
    for (uint32_t row = 0; row <= 2 * TUBE_STEPS; row++) {
        tube_control c = tube_at(rows, row, TUBE_STEPS);
        lt_dvec3 inner = {c.inner_x, c.inner_y, 0.0}, outer = {c.outer_x, c.outer_y, 0.0};
        pot->middle[which][row] = lt_d3_scale(lt_d3_add(inner, outer), 0.5);
        pot->thickness[which][row] = sqrt(0.5 * lt_d3_distance(inner, outer) * 0.75 * c.half_width);
    }
}

/* Signed distance to the outline in the half plane (radius, y), the axis being no border. */
static double outline_distance(const solid_teapot *pot, double radius, double y) {
    double nearest = 1e18;
    bool inside = false;
    for (uint32_t i = 0; i + 1 < pot->outline_count; i++) {
        double ax = pot->radius[i], ay = pot->y[i], ex = pot->radius[i + 1] - ax, ey = pot->y[i + 1] - ay;
        double px = radius - ax, py = y - ay, t = (px * ex + py * ey) / (ex * ex + ey * ey);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        double dx = px - t * ex, dy = py - t * ey;
        nearest = lt_min_d(nearest, dx * dx + dy * dy);
        if ((ay > y) != (ay + ey > y) && px < py / ey * ex) inside = !inside;
    }
    return inside ? -sqrt(nearest) : sqrt(nearest);
}

static double teapot_field(const void *context, lt_dvec3 p) {
    const solid_teapot *pot = context;
    double value = outline_distance(pot, sqrt(p.x * p.x + p.z * p.z), p.y) - ROUNDING;
    for (int which = 0; which < 2; which++) {
        double tube = 1e9;
        for (uint32_t i = 0; i < 2 * TUBE_STEPS; i++)
            tube =
                lt_min_d(tube, lt_distance_to_cone(p, pot->middle[which][i], pot->middle[which][i + 1],
                                                   pot->thickness[which][i], pot->thickness[which][i + 1]));
        value = lt_smooth_min(value, tube, 0.15);
    }
    return value;
}

static lt_status generate_solid(lt_surface *out, bool with_lid, uint32_t triangle_count,
                                const lt_allocator *allocator, lt_error *error) {
    solid_teapot pot = {.outline_count = 0};
    build_outline(&pot, with_lid);
    build_tube(&pot, 0, handle_rows);
    build_tube(&pot, 1, spout_rows);
    lt_implicit solid = {teapot_field, &pot, {-3.2, -.1, -2.1}, {3.6, 3.25, 2.1}, "solid teapot", 2000};
    return lt_implicit_polygonise(out, &solid, triangle_count, allocator, error);
}

lt_status lt_generate_teapot_solid(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                                   lt_error *error) {
    return generate_solid(out, true, triangle_count, allocator, error);
}

lt_status lt_generate_pot_solid(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                                lt_error *error) {
    return generate_solid(out, false, triangle_count, allocator, error);
}
