/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/medial.h"

#define SHRINKS_MOST 30
/* Seen from the ball's centre, a second touching point nearer than that to the first (cosine of the angle) is a dent of
 * the triangles, not another side of the solid. */
#define SAME_SIDE 0.85

static bool allocate(lt_medial *m) {
    m->x = LT_NEW(&m->allocator, m->point_count, float);
    m->y = LT_NEW(&m->allocator, m->point_count, float);
    m->z = LT_NEW(&m->allocator, m->point_count, float);
    m->centers = LT_NEW(&m->allocator, m->ball_count, lt_vec3);
    return m->x && m->y && m->z && m->centers;
}

static void set_point(lt_medial *m, uint32_t index, lt_dvec3 p) {
    m->x[index] = (float)p.x;
    m->y[index] = (float)p.y;
    m->z[index] = (float)p.z;
}

/* From a ball of the surface's size that touches at p, shrunk until it holds nothing of the surface. */
static lt_dvec3 shrink_ball(const lt_sphere_field *field, lt_dvec3 p, lt_dvec3 normal) {
    double radius = field->extent;
    lt_dvec3 center = lt_d3_mad(p, normal, -radius);
    for (int i = 0; i < SHRINKS_MOST; i++) {
        uint32_t triangle;
        lt_closest_point closest;
        double most =
            lt_min_d(radius * (1 + 1e-9), lt_sphere_guess_size(lt_sphere_field_guess(field, center)));
        if (!lt_triangle_tree_closest(&field->tree, center, most, &triangle, &closest)) break;
        lt_dvec3 y = closest.point, chord = lt_d3_sub(p, y);
        double distance = sqrt(closest.distance_squared);
        if (distance >= radius * (1 - 1e-4)) break;
        double cosine = lt_d3_dot(lt_d3_sub(p, center), lt_d3_sub(y, center)) / (radius * distance + 1e-300);
        double height = lt_d3_dot(normal, chord);
        if (!(height > 0) || (i > 0 && cosine > SAME_SIDE)) break;
        radius = lt_d3_length_squared(chord) / (2 * height);
        center = lt_d3_mad(p, normal, -radius);
    }
    return center;
}

static lt_status fill_samples(lt_medial *m, const lt_sphere_field *field, const lt_sphere_options *options,
                              uint32_t sample_count, lt_error *error) {
    lt_surface_sampler sampler;
    lt_status status =
        lt_surface_sampler_build(&sampler, field->surface, options->seed, &m->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < sample_count; i++) {
        lt_surface_sample sample = lt_surface_sampler_next(&sampler);
        set_point(m, i, sample.point);
        if (i < m->ball_count) m->centers[i] = lt_v3_from_d3(shrink_ball(field, sample.point, sample.normal));
    }
    lt_surface_sampler_free(&sampler);
    return LT_OK;
}

lt_status lt_medial_build(lt_medial *out, const lt_sphere_field *field, const lt_sphere_options *options,
                          lt_error *error) {
    const lt_surface *surface = field->surface;
    bool takes_vertices = surface->vertex_count <= field->pace->vertices_most;
    *out = (lt_medial){.allocator = options->allocator,
                       .ball_count = lt_min_u32(field->pace->balls_most, options->samples),
                       .point_count = options->samples + (takes_vertices ? surface->vertex_count : 0)};
    lt_status status = LT_OK;
    if (!allocate(out))
        status = lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for %u points", out->point_count);
    if (status == LT_OK) status = fill_samples(out, field, options, options->samples, error);
    if (status == LT_OK && takes_vertices)
        for (uint32_t v = 0; v < surface->vertex_count; v++)
            set_point(out, options->samples + v, lt_d3_from_v3(surface->positions[v]));
    if (status != LT_OK) lt_medial_free(out);
    return status;
}

void lt_medial_free(lt_medial *m) {
    LT_DELETE(&m->allocator, m->x, m->point_count, float);
    LT_DELETE(&m->allocator, m->y, m->point_count, float);
    LT_DELETE(&m->allocator, m->z, m->point_count, float);
    LT_DELETE(&m->allocator, m->centers, m->ball_count, lt_vec3);
    *m = (lt_medial){0};
}
