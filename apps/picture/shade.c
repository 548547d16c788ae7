/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/shade.h"

#include <string.h>

/* Everything that is the same for all pixels, in linear light. */
typedef struct shader {
    const lt_scene_view *scene;
    const lt_picture *picture;
    const lt_color_tables *tables;
    lt_view_rays rays;
    lt_floor_depth floor_depth;
    lt_lights lights;
    lt_vec3 top, bottom; /* background */
    lt_vec3 floor_light, floor_dark;
    lt_vec3 floor_u, floor_v;
    float floor_cell, floor_fade_begin, floor_fade_end;
} shader;

/* A piece of surface inside one pixel: sums over its samples. */
typedef struct fragment {
    const lt_picture_mesh *mesh;
    lt_vec3 point, normal, albedo;
    float depth; /* of the first sample */
    int weight;
} fragment;

/* The samples of one pixel that one owner has. */
typedef struct cluster {
    uint32_t owner;
    int count;
    float x, y; /* sum of sample positions in pixels */
} cluster;

static lt_vec3 mix(lt_vec3 a, lt_vec3 b, float t) {
    return lt_v3_mad(a, lt_v3_sub(b, a), t);
}
static float smooth_step(float x, float begin, float end) {
    float t = lt_clamp_f((x - begin) / (end - begin), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
static float fifth_power(float x) {
    return x * x * x * x * x;
}

/* Straight up to 0.7, then bends so that bright spots keep their colour below 1. */
static float shoulder(float x) {
    if (x <= 0.7f) return x;
    float over = (x - 0.7f) / 0.3f;
    return 0.7f + 0.3f * over / (1.0f + over);
}

lt_vec3 lt_tone(lt_vec3 color) {
    return (lt_vec3){shoulder(color.x), shoulder(color.y), shoulder(color.z)};
}

/* ---- light ---- */

lt_lights lt_lights_make(const lt_picture *picture, const lt_color_tables *tables) {
    lt_lights lights = {.up = picture->up};
    lights.to_sun = lt_v3_normalize_or(picture->sun_direction, picture->up);
    lights.sun = lt_v3_scale(lt_color_linear(tables, picture->sun_color), picture->sun_strength);
    lights.sky = lt_v3_scale(lt_color_linear(tables, picture->sky_color), picture->sky_strength);
    /* The floor's colour times about a third of the light that falls on it. */
    lt_vec3 floor = lt_color_linear(tables, picture->floor_color);
    lights.ground = lt_v3_scale(lt_v3_mul(floor, lt_v3_add(lights.sun, lights.sky)), 0.35f);
    return lights;
}

lt_vec3 lt_light_surface(const lt_lights *lights, const lt_lit *lit) {
    float facing = lt_v3_dot(lit->normal, lights->to_sun), upward = lt_v3_dot(lit->normal, lights->up);
    float sun = 0.0f, gleam = 0.0f;
    if (facing > 0.0f) {
        sun = facing * lit->sun_seen;
        lt_vec3 halfway = lt_v3_normalize_or(lt_v3_add(lights->to_sun, lit->to_eye), lit->normal);
        float shine = lt_max_f(lt_v3_dot(lit->normal, halfway), 0.0f);
        for (int i = 0; i < 5; i++) /* to the 32nd power */
            shine *= shine;
        gleam = 0.22f * shine * sun;
    }
    /* Sky from above, light thrown back by the floor from below; close to the floor less of both. */
    float sky_part = 0.5f + 0.5f * upward;
    lt_vec3 ambient = mix(lt_v3_scale(lights->ground, 1.0f - 0.55f * lit->near_floor), lights->sky, sky_part);
    ambient = lt_v3_scale(ambient, 1.0f - 0.35f * lit->near_floor * (1.0f - sky_part));
    float edge = 1.0f - lt_clamp_f(lt_v3_dot(lit->normal, lit->to_eye), 0.0f, 1.0f);
    float rim = 0.10f * fifth_power(edge) * sky_part;
    lt_vec3 color = lt_v3_mul(lit->albedo, lt_v3_mad(ambient, lights->sun, sun));
    return lt_v3_mad(lt_v3_mad(color, lights->sun, gleam), lights->sky, rim);
}

/* ---- the floor ---- */

lt_view_rays lt_view_rays_make(const lt_scene_view *scene) {
    const lt_view *view = &scene->view;
    lt_vec3 corner =
        lt_v3_mad(lt_v3_mad(view->forward, view->right, -view->tangent_x), view->up, view->tangent_y);
    return (lt_view_rays){corner, lt_v3_scale(view->right, 2.0f * view->tangent_x / (float)scene->width),
                          lt_v3_scale(view->up, -2.0f * view->tangent_y / (float)scene->height)};
}

lt_floor_depth lt_floor_depth_make(const lt_scene_view *scene, const lt_picture *picture) {
    float height = lt_v3_dot(scene->view.eye, picture->up) - picture->floor_height;
    if (picture->floor_hidden || !(height > 0.0f)) return (lt_floor_depth){-1.0f, 0.0f, 0.0f};
    /* height + w ray.up = 0 */
    lt_view_rays rays = lt_view_rays_make(scene);
    float scale = -1.0f / height;
    return (lt_floor_depth){scale * lt_v3_dot(rays.at_corner, picture->up),
                            scale * lt_v3_dot(rays.per_x, picture->up),
                            scale * lt_v3_dot(rays.per_y, picture->up)};
}

/* x minus the whole number below it; by conversion, since floorf is a call on older processors. Beyond
 * 2^23 a float has no fraction left. */
static float fraction(float x) {
    if (!(fabsf(x) < 8388608.0f)) return 0.0f;
    float part = x - (float)(int32_t)x;
    return part < 0.0f ? part + 1.0f : part;
}

/* The mean over [x - width/2, x + width/2] of a square wave of period 2 and values +-1: the difference of
 * its integral, a triangle wave. */
static float square_wave_mean(float x, float width) {
    float phase = fraction(0.5f * x), from_edge = 0.25f - fabsf(fabsf(phase - 0.5f) - 0.25f);
    if (from_edge > 0.25f * width) return phase < 0.5f ? 1.0f : -1.0f; /* no edge inside: most pixels */
    float a = 0.5f * (x - 0.5f * width), b = 0.5f * (x + 0.5f * width);
    float wave_a = fabsf(fraction(a) - 0.5f), wave_b = fabsf(fraction(b) - 0.5f);
    return lt_clamp_f(2.0f * (wave_a - wave_b) / width, -1.0f, 1.0f);
}

/* Squares of two tones, averaged over the pixel's footprint, spanned by `across` and `down`. */
static lt_vec3 floor_albedo(const shader *s, lt_vec3 point, lt_vec3 across, lt_vec3 down) {
    float scale = 1.0f / s->floor_cell;
    float width_u = scale * (fabsf(lt_v3_dot(across, s->floor_u)) + fabsf(lt_v3_dot(down, s->floor_u)));
    float width_v = scale * (fabsf(lt_v3_dot(across, s->floor_v)) + fabsf(lt_v3_dot(down, s->floor_v)));
    float u = square_wave_mean(scale * lt_v3_dot(point, s->floor_u), lt_max_f(width_u, 1e-3f));
    float v = square_wave_mean(scale * lt_v3_dot(point, s->floor_v), lt_max_f(width_v, 1e-3f));
    return mix(s->floor_dark, s->floor_light, 0.5f + 0.5f * u * v);
}

static lt_vec3 shade_floor(const shader *s, float x, float y, lt_vec3 background) {
    const lt_vec3 up = s->picture->up;
    float depth = 1.0f / lt_max_f(lt_floor_depth_at(&s->floor_depth, x, y), 1e-9f);
    lt_vec3 ray = lt_v3_scale(lt_view_ray(&s->rays, x, y), depth);
    lt_vec3 point = lt_v3_add(s->scene->view.eye, ray);
    float distance_squared = lt_v3_length_squared(lt_v3_sub(point, s->scene->center));
    if (!(distance_squared < s->floor_fade_end * s->floor_fade_end)) return background;
    float fade = smooth_step(sqrtf(distance_squared), s->floor_fade_begin, s->floor_fade_end);
    /* point = eye + ray / i, so d point = (d ray - point_from_eye di) / i */
    lt_vec3 across = lt_v3_scale(lt_v3_mad(s->rays.per_x, ray, -s->floor_depth.per_x), depth);
    lt_vec3 down = lt_v3_scale(lt_v3_mad(s->rays.per_y, ray, -s->floor_depth.per_y), depth);
    lt_vec3 albedo = floor_albedo(s, point, across, down);
    float sun =
        lt_max_f(lt_v3_dot(up, s->lights.to_sun), 0.0f) * lt_shadow_light(&s->scene->shadow, point, up);
    float open = 1.0f - lt_contact_darkness(&s->scene->contact, point);
    lt_vec3 light = lt_v3_add(lt_v3_scale(s->lights.sun, sun), lt_v3_scale(s->lights.sky, open));
    return mix(lt_v3_mul(albedo, light), background, fade);
}

/* ---- meshes ---- */

static const lt_seen_mesh *mesh_of_triangle(const lt_scene_view *scene, uint32_t triangle) {
    uint32_t lo = 0, hi = scene->mesh_count;
    while (hi - lo > 1) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (scene->meshes[middle].first_triangle <= triangle)
            lo = middle;
        else
            hi = middle;
    }
    return &scene->meshes[lo];
}

/* Where the ray through (x, y) meets the triangle's plane, as weights of corners 1 and 2 held inside the
 * triangle, and the depth there (Moeller and Trumbore 1997, in view space from the eye). */
static float find_weights(const lt_scene_view *scene, const lt_seen_vertex *corner[3], float x, float y,
                          float *weight1, float *weight2) {
    lt_vec3 ray = {(2.0f * x / (float)scene->width - 1.0f) * scene->view.tangent_x,
                   (1.0f - 2.0f * y / (float)scene->height) * scene->view.tangent_y, 1.0f};
    lt_vec3 edge1 = lt_v3_sub(corner[1]->view, corner[0]->view);
    lt_vec3 edge2 = lt_v3_sub(corner[2]->view, corner[0]->view);
    lt_vec3 p = lt_v3_cross(ray, edge2), to_eye = lt_v3_neg(corner[0]->view);
    float determinant = lt_v3_dot(edge1, p);
    float inverse = determinant != 0.0f ? 1.0f / determinant : 0.0f;
    float u = lt_v3_dot(to_eye, p) * inverse;
    float v = lt_v3_dot(ray, lt_v3_cross(to_eye, edge1)) * inverse;
    u = lt_clamp_f(u, 0.0f, 1.0f);
    v = lt_clamp_f(v, 0.0f, 1.0f);
    if (u + v > 1.0f) {
        float sum = 1.0f / (u + v);
        u *= sum;
        v *= sum;
    }
    *weight1 = u;
    *weight2 = v;
    return corner[0]->view.z + u * edge1.z + v * edge2.z;
}

static lt_vec3 blend(lt_vec3 a, lt_vec3 b, lt_vec3 c, float weight1, float weight2) {
    return lt_v3_mad(lt_v3_mad(lt_v3_scale(a, 1.0f - weight1 - weight2), b, weight1), c, weight2);
}

/* What one cluster of samples sees, as a fragment of weight `count`. */
static fragment sample_triangle(const shader *s, const cluster *samples) {
    const lt_scene_view *scene = s->scene;
    const lt_seen_mesh *seen = mesh_of_triangle(scene, samples->owner);
    const lt_picture_mesh *mesh = seen->mesh;
    const uint32_t *triangle = mesh->triangles + 3 * (size_t)(samples->owner - seen->first_triangle);
    const uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    const lt_seen_vertex *corner[3] = {&seen->vertices[a], &seen->vertices[b], &seen->vertices[c]};
    float weight = (float)samples->count, x = samples->x / weight, y = samples->y / weight, u, v;
    fragment f = {.mesh = mesh, .weight = samples->count};
    f.depth = find_weights(scene, corner, x, y, &u, &v);
    lt_vec3 ray = lt_view_ray(&s->rays, x, y);
    lt_vec3 geometric = lt_v3_cross(lt_v3_sub(mesh->positions[b], mesh->positions[a]),
                                    lt_v3_sub(mesh->positions[c], mesh->positions[a]));
    lt_vec3 normal = seen->normals && !mesh->flat
                         ? blend(seen->normals[a], seen->normals[b], seen->normals[c], u, v)
                         : geometric;
    normal = lt_v3_normalize_or(normal, lt_v3_normalize_or(geometric, s->picture->up));
    if (lt_v3_dot(geometric, ray) > 0.0f) normal = lt_v3_neg(normal); /* seen from behind */
    lt_vec3 albedo = lt_color_linear(s->tables, mesh->color);
    if (mesh->colors)
        albedo =
            blend(lt_color_linear(s->tables, mesh->colors[a]), lt_color_linear(s->tables, mesh->colors[b]),
                  lt_color_linear(s->tables, mesh->colors[c]), u, v);
    f.point = lt_v3_scale(lt_v3_mad(scene->view.eye, ray, f.depth), weight);
    f.normal = lt_v3_scale(normal, weight);
    f.albedo = lt_v3_scale(albedo, weight);
    return f;
}

static lt_vec3 shade_fragment(const shader *s, const fragment *f) {
    float scale = 1.0f / (float)f->weight;
    lt_vec3 point = lt_v3_scale(f->point, scale);
    lt_lit lit = {.albedo = lt_v3_scale(f->albedo, scale),
                  .normal = lt_v3_normalize_or(f->normal, s->picture->up)};
    lit.to_eye = lt_v3_normalize_or(lt_v3_sub(s->scene->view.eye, point), lit.normal);
    if (lt_v3_dot(lit.normal, s->lights.to_sun) > 0.0f)
        lit.sun_seen = lt_shadow_light(&s->scene->shadow, point, lit.normal);
    float height = lt_v3_dot(point, s->picture->up) - s->picture->floor_height;
    if (!s->picture->floor_hidden)
        lit.near_floor = 1.0f - smooth_step(height, 0.0f, 0.45f * s->scene->radius);
    return lt_light_surface(&s->lights, &lit);
}

/* ---- pixels ---- */

static bool floor_wins(float floor, float depth) {
    return floor > 0.0f && floor > depth;
}

/* All four samples on one triangle and in front of the floor? The samples' middle is the pixel's. */
static bool is_one_triangle(const shader *s, uint32_t x, uint32_t y) {
    size_t at = ((size_t)y * s->scene->width + x) * LT_FILL_SAMPLE_COUNT;
    const uint32_t *owners = s->scene->target.owners + at;
    const float *depths = s->scene->target.depths + at;
    if (owners[0] != owners[1] || owners[0] != owners[2] || owners[0] != owners[3]) return false;
    float nearest_floor = lt_floor_depth_at(&s->floor_depth, (float)x, (float)y) +
                          lt_max_f(s->floor_depth.per_x, 0.0f) + lt_max_f(s->floor_depth.per_y, 0.0f);
    return nearest_floor < lt_min_f(lt_min_f(depths[0], depths[1]), lt_min_f(depths[2], depths[3]));
}

/* The owners among a pixel's samples, the floor included. Returns how many. */
static int find_clusters(const shader *s, uint32_t x, uint32_t y, cluster clusters[LT_FILL_SAMPLE_COUNT]) {
    size_t at = ((size_t)y * s->scene->width + x) * LT_FILL_SAMPLE_COUNT;
    int count = 0;
    if (is_one_triangle(s, x, y)) {
        clusters[0] =
            (cluster){s->scene->target.owners[at], LT_FILL_SAMPLE_COUNT,
                      ((float)x + 0.5f) * LT_FILL_SAMPLE_COUNT, ((float)y + 0.5f) * LT_FILL_SAMPLE_COUNT};
        return 1;
    }
    for (int k = 0; k < LT_FILL_SAMPLE_COUNT; k++) {
        float px = (float)x + (float)lt_fill_sample_offsets[k][0] * (1.0f / LT_FILL_UNIT);
        float py = (float)y + (float)lt_fill_sample_offsets[k][1] * (1.0f / LT_FILL_UNIT);
        float floor = lt_floor_depth_at(&s->floor_depth, px, py);
        uint32_t owner = s->scene->target.owners[at + (size_t)k];
        if (floor_wins(floor, s->scene->target.depths[at + (size_t)k])) owner = LT_OWNER_FLOOR;
        int i = 0;
        while (i < count && clusters[i].owner != owner)
            i++;
        if (i == count) clusters[count++] = (cluster){.owner = owner};
        clusters[i].count++;
        clusters[i].x += px;
        clusters[i].y += py;
    }
    return count;
}

/* Most pixels show floor or background alone. Those need no clusters: the only border between the two is
 * the horizon, where the floor has faded into the background. */
static bool is_empty_pixel(const shader *s, uint32_t x, uint32_t y) {
    const uint32_t *owners =
        s->scene->target.owners + ((size_t)y * s->scene->width + x) * LT_FILL_SAMPLE_COUNT;
    return (owners[0] & owners[1] & owners[2] & owners[3]) == LT_OWNER_NOTHING;
}

static lt_vec3 shade_empty_pixel(const shader *s, uint32_t x, uint32_t y, lt_vec3 background) {
    float px = (float)x + 0.5f, py = (float)y + 0.5f;
    if (!(lt_floor_depth_at(&s->floor_depth, px, py) > 0.0f)) return background;
    return shade_floor(s, px, py, background);
}

/* Two fragments are shaded as one when they are one smooth piece: same mesh, similar normal and depth. */
static bool belong_together(const fragment *a, const fragment *b) {
    float alike = lt_v3_dot(a->normal, b->normal), wanted = 0.8f * (float)(a->weight * b->weight);
    return a->mesh == b->mesh && alike > wanted && fabsf(a->depth - b->depth) < 0.01f * a->depth;
}

static void add_fragment(fragment fragments[LT_FILL_SAMPLE_COUNT], int *count, const fragment *f) {
    for (int i = 0; i < *count; i++) {
        if (!belong_together(&fragments[i], f)) continue;
        fragments[i].point = lt_v3_add(fragments[i].point, f->point);
        fragments[i].normal = lt_v3_add(fragments[i].normal, f->normal);
        fragments[i].albedo = lt_v3_add(fragments[i].albedo, f->albedo);
        fragments[i].weight += f->weight;
        return;
    }
    fragments[(*count)++] = *f;
}

static inline lt_vec3 add_tone(lt_vec3 sum, lt_vec3 color, int count) {
    float weight = (float)count * (1.0f / (float)LT_FILL_SAMPLE_COUNT);
    return lt_v3_mad(sum, lt_tone(color), weight);
}

static lt_vec3 shade_pixel(const shader *s, uint32_t x, uint32_t y, lt_vec3 background) {
    lt_vec3 sum = {0, 0, 0};
    if (is_empty_pixel(s, x, y))
        return add_tone(sum, shade_empty_pixel(s, x, y, background), LT_FILL_SAMPLE_COUNT);
    cluster clusters[LT_FILL_SAMPLE_COUNT];
    fragment fragments[LT_FILL_SAMPLE_COUNT];
    int cluster_count = find_clusters(s, x, y, clusters), fragment_count = 0;
    for (int i = 0; i < cluster_count; i++) {
        const cluster *c = &clusters[i];
        if (c->owner == LT_OWNER_NOTHING) {
            sum = add_tone(sum, background, c->count);
        } else if (c->owner == LT_OWNER_FLOOR) {
            float weight = (float)c->count;
            sum = add_tone(sum, shade_floor(s, c->x / weight, c->y / weight, background), c->count);
        } else {
            fragment f = sample_triangle(s, c);
            add_fragment(fragments, &fragment_count, &f);
        }
    }
    for (int i = 0; i < fragment_count; i++)
        sum = add_tone(sum, shade_fragment(s, &fragments[i]), fragments[i].weight);
    return sum;
}

/* 1, 2 or 5 times a power of ten, near an eighth of the radius: squares one can count with. */
static float choose_cell(float radius) {
    float cell = 1.0f, wanted = 0.25f * radius;
    while (cell > wanted)
        cell *= 0.1f;
    while (cell * 10.0f <= wanted)
        cell *= 10.0f;
    return cell * 5.0f <= wanted ? cell * 5.0f : cell * 2.0f <= wanted ? cell * 2.0f : cell;
}

static shader make_shader(const lt_scene_view *scene, const lt_picture *picture,
                          const lt_color_tables *tables) {
    shader s = {.scene = scene, .picture = picture, .tables = tables};
    s.rays = lt_view_rays_make(scene);
    s.floor_depth = lt_floor_depth_make(scene, picture);
    s.lights = lt_lights_make(picture, tables);
    s.floor_light = lt_color_linear(tables, picture->floor_color);
    s.floor_dark = lt_v3_scale(s.floor_light, 0.88f);
    s.top = lt_color_linear(tables, picture->background_top);
    s.bottom = lt_color_linear(tables, picture->background_bottom);
    lt_perpendicular_pair(picture->up, &s.floor_u, &s.floor_v);
    s.floor_cell = picture->floor_cell > 0.0f ? picture->floor_cell : choose_cell(scene->radius);
    s.floor_fade_begin = 1.3f * scene->radius;
    s.floor_fade_end = 5.0f * scene->radius;
    return s;
}

void lt_shade(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
              lt_image *linear) {
    shader s = make_shader(scene, picture, tables);
    for (uint32_t y = 0; y < linear->height; y++) {
        lt_vec3 background = mix(s.top, s.bottom, ((float)y + 0.5f) / (float)linear->height);
        float *out = lt_image_linear_pixel(linear, 0, y);
        for (uint32_t x = 0; x < linear->width; x++) {
            lt_vec3 color = shade_pixel(&s, x, y, background);
            memcpy(out + 3 * (size_t)x, &color, sizeof color);
        }
    }
}
