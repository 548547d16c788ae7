/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Symbols, in view space (right, up, forward) with the eye at the origin: c the centre, r the radius, d a ray
 * with forward part 1, w the depth of the hit w d. With b = c.d / d.d the ray passes the centre at
 * q = c - b d, and w = b - sqrt((r^2 - q.q) / d.d). Subtracting q.q from r^2 keeps its digits for a small
 * sphere far away, where the textbook's (c.d)^2 - (d.d)(c.c - r^2) loses them all. */

#include "picture/spheres.h"

#include <stdlib.h>

#define SAMPLES    LT_FILL_SAMPLE_COUNT
#define TILE       16               /* pixels */
#define ROW        (TILE * SAMPLES) /* samples */
#define OPAQUE_END (1.0f / 256.0f)  /* less light than this coming through: what is behind does not matter */

#define ALL_SAMPLES ((1u << SAMPLES) - 1)
/* One over the number of bits set, by the bits of four samples. */
static const float share_of[ALL_SAMPLES + 1] = {0, 1,    1,    0.5f,     1,    0.5f,     0.5f,     1.0f / 3,
                                                1, 0.5f, 0.5f, 1.0f / 3, 0.5f, 1.0f / 3, 1.0f / 3, 0.25f};

typedef struct seen_sphere {
    lt_vec3 center;
    float radius, opacity;
    float nearest; /* no point of it has a greater 1/w */
    int32_t first_x, first_y, last_x, last_y;
    lt_vec3 albedo;
    uint32_t index;
} seen_sphere;

/* The part of a sphere that some samples of one pixel see. */
typedef struct fragment {
    const seen_sphere *sphere;
    float depth;      /* w, the mean of those samples */
    uint32_t samples; /* a bit each */
} fragment;

/* The samples of a row of pixels in a tile: their rays, and what they see already. */
typedef struct row_rays {
    float x[ROW], y[ROW];
    float inverse_square[ROW]; /* 1 / d.d */
    float seen[ROW];           /* 1/w of the surface or floor; 0 or less: nothing */
} row_rays;

typedef struct sphere_pass {
    const lt_scene_view *scene;
    const lt_picture *picture;
    lt_image *linear;
    lt_lights lights;
    lt_floor_depth floor;
    float per_x, per_y;       /* ray parts per pixel */
    seen_sphere *seen;        /* [seen_count], nearest first */
    const seen_sphere **band; /* [seen_count] room; those in the band of rows at hand */
    const seen_sphere **tile; /* [seen_count] room; those in the tile at hand */
    fragment *fragments;      /* [TILE][seen_count] room; those of each pixel of the row at hand */
    uint32_t seen_count, band_count, tile_count;
    uint32_t fragment_counts[TILE];
} sphere_pass;

size_t lt_spheres_memory(const lt_picture *picture) {
    size_t each = sizeof(seen_sphere) + 2 * sizeof(const seen_sphere *) + TILE * sizeof(fragment);
    return picture->sphere_count ? picture->sphere_count * each + 4 * 64 : 0;
}

/* ---- which pixels a sphere may touch ---- */

/* The pixels between the two lines through the eye that touch the sphere, in one direction across the view:
 * their slopes are (c z +- r sqrt(c^2 + z^2 - r^2)) / (z^2 - r^2). One pixel more for rounding. */
static void find_range(float across, float depth, float radius, float scale, uint32_t size, int32_t *first,
                       int32_t *last) {
    float end = (float)size - 1.0f, half = 0.5f * (float)size;
    float squared = (depth - radius) * (depth + radius);
    float reach = radius * sqrtf(lt_max_f(across * across + squared, 0.0f));
    *first = (int32_t)lt_clamp_f(half + scale * (across * depth - reach) / squared - 1.0f, 0.0f, end);
    *last = (int32_t)lt_clamp_f(half + scale * (across * depth + reach) / squared + 1.0f, 0.0f, end);
}

/* False for a sphere that cannot be seen or is not one. */
static bool see_sphere(const lt_scene_view *scene, const lt_picture_sphere *sphere, seen_sphere *out) {
    const lt_view *view = &scene->view;
    lt_vec3 d = lt_v3_sub(sphere->center, view->eye);
    lt_vec3 c = {lt_v3_dot(d, view->right), lt_v3_dot(d, view->up), lt_v3_dot(d, view->forward)};
    float r = sphere->radius, distance = lt_v3_length(c);
    if (!(r > 0.0f && sphere->opacity > 0.0f && distance < 1e15f && r < 1e15f)) return false;
    if (distance <= r || c.z + r <= view->near_depth) return false;
    *out = (seen_sphere){.center = c, .radius = r, .opacity = lt_min_f(sphere->opacity, 1.0f)};
    out->nearest = 1.0f / lt_max_f(c.z - r, view->near_depth);
    out->last_x = (int32_t)scene->width - 1;
    out->last_y = (int32_t)scene->height - 1;
    if (c.z - r <= view->near_depth) return true; /* reaches beside the eye: may be seen anywhere */
    float scale_x = 0.5f * (float)scene->width / view->tangent_x;
    float scale_y = 0.5f * (float)scene->height / view->tangent_y;
    find_range(c.x, c.z, r, scale_x, scene->width, &out->first_x, &out->last_x);
    find_range(-c.y, c.z, r, scale_y, scene->height, &out->first_y, &out->last_y);
    return true;
}

static int compare_nearest(const void *a, const void *b) {
    const seen_sphere *first = a, *second = b;
    if (first->nearest != second->nearest) return first->nearest > second->nearest ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

static void see_spheres(sphere_pass *pass, const lt_color_tables *tables) {
    for (uint32_t i = 0; i < pass->picture->sphere_count; i++) {
        const lt_picture_sphere *sphere = &pass->picture->spheres[i];
        seen_sphere *seen = &pass->seen[pass->seen_count];
        if (!see_sphere(pass->scene, sphere, seen)) continue;
        seen->albedo = lt_color_linear(tables, sphere->color);
        seen->index = i;
        pass->seen_count++;
    }
    if (pass->seen_count > 1) qsort(pass->seen, pass->seen_count, sizeof *pass->seen, compare_nearest);
}

/* ---- who sees what ---- */

static void make_rays(const sphere_pass *pass, int32_t left, int32_t right, int32_t y, row_rays *out) {
    const lt_scene_view *scene = pass->scene;
    const float *depths = scene->target.depths + ((size_t)y * scene->width + (size_t)left) * SAMPLES;
    for (int32_t i = 0; i < (right - left + 1) * SAMPLES; i++) {
        const int32_t *offset = lt_fill_sample_offsets[i % SAMPLES];
        float px = (float)(left + i / SAMPLES) + (float)offset[0] * (1.0f / LT_FILL_UNIT);
        float py = (float)y + (float)offset[1] * (1.0f / LT_FILL_UNIT);
        out->x[i] = px * pass->per_x - scene->view.tangent_x;
        out->y[i] = scene->view.tangent_y - py * pass->per_y;
        out->inverse_square[i] = 1.0f / (out->x[i] * out->x[i] + out->y[i] * out->y[i] + 1.0f);
        out->seen[i] = lt_max_f(depths[i], lt_floor_depth_at(&pass->floor, px, py));
    }
}

/* For samples begin to end of a row: the depth of the hit, and a margin that is positive where there is one
 * and nothing is in front. */
static void cut_rays(const row_rays *rays, const seen_sphere *s, float near_depth, int32_t begin, int32_t end,
                     float depth[ROW], float margin[ROW]) {
    const float cx = s->center.x, cy = s->center.y, cz = s->center.z, radius_squared = s->radius * s->radius;
    for (int32_t i = begin; i < end; i++) {
        float x = rays->x[i], y = rays->y[i], b = (cx * x + cy * y + cz) * rays->inverse_square[i];
        float qx = cx - b * x, qy = cy - b * y, qz = cz - b;
        float room = radius_squared - (qx * qx + qy * qy + qz * qz);
        float w = b - sqrtf(fabsf(room) * rays->inverse_square[i]);
        depth[i] = w;
        margin[i] = lt_min_f(lt_min_f(room, w - near_depth), 1.0f - w * rays->seen[i]);
    }
}

static bool is_before(const fragment *a, const fragment *b) {
    return a->depth < b->depth || (a->depth == b->depth && a->sphere->index < b->sphere->index);
}

/* Nearest first. Spheres come by their nearest points, so that little is moved. */
static void add_fragment(sphere_pass *pass, int32_t pixel, fragment f) {
    fragment *list = pass->fragments + (size_t)pixel * pass->seen_count;
    uint32_t at = pass->fragment_counts[pixel]++;
    for (; at > 0 && is_before(&f, &list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = f;
}

static void add_sphere_to_row(sphere_pass *pass, const row_rays *rays, const seen_sphere *s, int32_t first,
                              int32_t last) {
    float depth[ROW], margin[ROW];
    cut_rays(rays, s, pass->scene->view.near_depth, first * SAMPLES, (last + 1) * SAMPLES, depth, margin);
    for (int32_t pixel = first; pixel <= last; pixel++) {
        fragment f = {.sphere = s};
        for (int k = 0; k < SAMPLES; k++) {
            if (!(margin[pixel * SAMPLES + k] > 0.0f)) continue;
            f.samples |= 1u << k;
            f.depth += depth[pixel * SAMPLES + k];
        }
        f.depth *= share_of[f.samples];
        if (f.samples) add_fragment(pass, pixel, f);
    }
}

/* ---- a pixel ---- */

/* The ray through the middle of some samples: outlines are convex, so that it meets the sphere if they do. */
static lt_vec3 middle_ray(const row_rays *rays, int32_t pixel, uint32_t samples) {
    lt_vec3 ray = {0, 0, 1};
    for (int k = 0; k < SAMPLES; k++) {
        float weight = (float)(samples >> k & 1);
        ray.x += weight * rays->x[pixel * SAMPLES + k];
        ray.y += weight * rays->y[pixel * SAMPLES + k];
    }
    ray.x *= share_of[samples];
    ray.y *= share_of[samples];
    return ray;
}

static lt_vec3 view_to_world(const lt_view *view, lt_vec3 v) {
    return lt_v3_mad(lt_v3_mad(lt_v3_scale(view->right, v.x), view->up, v.y), view->forward, v.z);
}

/* The fragment's light, and in *alpha how much of what is behind it covers: the sphere's opacity in its
 * middle, that of two layers at its outline, where a skin is seen edge-on. */
static lt_vec3 shade_fragment(const sphere_pass *pass, const fragment *f, lt_vec3 d, float *alpha) {
    const seen_sphere *s = f->sphere;
    float inverse_square = 1.0f / lt_v3_length_squared(d), b = lt_v3_dot(s->center, d) * inverse_square;
    lt_vec3 q = lt_v3_mad(s->center, d, -b);
    float back = sqrtf(lt_max_f(s->radius * s->radius - lt_v3_length_squared(q), 0.0f) * inverse_square);
    /* hit - c = (b - back) d - c = -q - back d */
    lt_vec3 normal = lt_v3_scale(lt_v3_mad(q, d, back), -1.0f / s->radius);
    lt_vec3 to_eye = lt_v3_scale(d, -sqrtf(inverse_square));
    float edge = 1.0f - lt_clamp_f(lt_v3_dot(normal, to_eye), 0.0f, 1.0f);
    *alpha = s->opacity * (1.0f + (1.0f - s->opacity) * edge * edge);
    lt_lit lit = {.albedo = s->albedo, .sun_seen = 1.0f};
    lit.normal = view_to_world(&pass->scene->view, normal);
    lit.to_eye = view_to_world(&pass->scene->view, to_eye);
    return lt_tone(lt_light_surface(&pass->lights, &lit));
}

/* From near to far, each sample by itself until `layers_max` spheres or until nothing comes through. */
static void blend_pixel(const sphere_pass *pass, const row_rays *rays, int32_t pixel, float *color) {
    const fragment *fragments = pass->fragments + (size_t)pixel * pass->seen_count;
    uint32_t count = pass->fragment_counts[pixel];
    float through[SAMPLES] = {1.0f, 1.0f, 1.0f, 1.0f}, left = 1.0f;
    uint32_t layers[SAMPLES] = {0}, layers_max = pass->picture->sphere_layers, open = ALL_SAMPLES;
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count && open && left > OPAQUE_END; i++) {
        const fragment *f = &fragments[i];
        uint32_t samples = f->samples & open;
        if (!samples) continue;
        float alpha, weight = 0.0f;
        lt_vec3 light = shade_fragment(pass, f, middle_ray(rays, pixel, f->samples), &alpha);
        for (int k = 0; k < SAMPLES; k++) {
            if (!(samples >> k & 1)) continue;
            if (++layers[k] == layers_max) open &= ~(1u << k);
            weight += through[k] * alpha;
            through[k] *= 1.0f - alpha;
        }
        sum = lt_v3_mad(sum, light, 0.25f * weight);
        left = 0.25f * (through[0] + through[1] + through[2] + through[3]);
    }
    color[0] = color[0] * left + sum.x;
    color[1] = color[1] * left + sum.y;
    color[2] = color[2] * left + sum.z;
}

/* ---- tiles ---- */

/* The farthest that any sample of the tile sees, as 1/w: a sphere behind that is hidden there. */
static float farthest_in_tile(const sphere_pass *pass, int32_t left, int32_t top, int32_t right,
                              int32_t bottom) {
    const lt_scene_view *scene = pass->scene;
    float farthest = 3e38f;
    for (int32_t y = top; y <= bottom; y++)
        for (int32_t x = left; x <= right; x++) {
            const float *depths = scene->target.depths + ((size_t)y * scene->width + (size_t)x) * SAMPLES;
            /* The floor's 1/w is linear: the least over the pixel is at a corner. */
            float floor = lt_floor_depth_at(&pass->floor, (float)x, (float)y) +
                          lt_min_f(pass->floor.per_x, 0.0f) + lt_min_f(pass->floor.per_y, 0.0f);
            for (int k = 0; k < SAMPLES; k++)
                farthest = lt_min_f(farthest, lt_max_f(depths[k], floor));
        }
    return farthest;
}

static void draw_row(sphere_pass *pass, int32_t left, int32_t right, int32_t y) {
    row_rays rays;
    make_rays(pass, left, right, y, &rays);
    for (int32_t i = 0; i < TILE; i++)
        pass->fragment_counts[i] = 0;
    for (uint32_t i = 0; i < pass->tile_count; i++) {
        const seen_sphere *s = pass->tile[i];
        if (y < s->first_y || y > s->last_y) continue;
        int32_t first = s->first_x > left ? s->first_x : left, last = s->last_x < right ? s->last_x : right;
        add_sphere_to_row(pass, &rays, s, first - left, last - left);
    }
    for (int32_t x = left; x <= right; x++)
        if (pass->fragment_counts[x - left])
            blend_pixel(pass, &rays, x - left, lt_image_linear_pixel(pass->linear, (uint32_t)x, (uint32_t)y));
}

static void draw_tile(sphere_pass *pass, int32_t left, int32_t top) {
    int32_t right = left + TILE - 1, bottom = top + TILE - 1;
    if (right >= (int32_t)pass->scene->width) right = (int32_t)pass->scene->width - 1;
    if (bottom >= (int32_t)pass->scene->height) bottom = (int32_t)pass->scene->height - 1;
    pass->tile_count = 0;
    float farthest = LT_FILL_EMPTY;
    for (uint32_t i = 0; i < pass->band_count; i++) {
        const seen_sphere *s = pass->band[i];
        if (s->first_x > right || s->last_x < left) continue;
        if (pass->tile_count == 0) farthest = farthest_in_tile(pass, left, top, right, bottom);
        if (s->nearest <= farthest) break; /* and all that follow are no nearer */
        pass->tile[pass->tile_count++] = s;
    }
    for (int32_t y = top; pass->tile_count && y <= bottom; y++)
        draw_row(pass, left, right, y);
}

static void draw_band(sphere_pass *pass, int32_t top) {
    pass->band_count = 0;
    for (uint32_t i = 0; i < pass->seen_count; i++) {
        const seen_sphere *s = &pass->seen[i];
        if (s->first_y < top + TILE && s->last_y >= top) pass->band[pass->band_count++] = s;
    }
    for (int32_t left = 0; pass->band_count && left < (int32_t)pass->scene->width; left += TILE)
        draw_tile(pass, left, top);
}

bool lt_spheres_draw(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
                     lt_arena *arena, lt_image *linear) {
    if (picture->sphere_count == 0) return true;
    sphere_pass pass = {.scene = scene, .picture = picture, .linear = linear};
    pass.lights = lt_lights_make(picture, tables);
    pass.floor = lt_floor_depth_make(scene, picture);
    pass.per_x = 2.0f * scene->view.tangent_x / (float)scene->width;
    pass.per_y = 2.0f * scene->view.tangent_y / (float)scene->height;
    pass.seen = LT_TAKE(arena, picture->sphere_count, seen_sphere);
    pass.band = LT_TAKE(arena, picture->sphere_count, const seen_sphere *);
    pass.tile = LT_TAKE(arena, picture->sphere_count, const seen_sphere *);
    pass.fragments = LT_TAKE(arena, (size_t)TILE * picture->sphere_count, fragment);
    if (!pass.seen || !pass.band || !pass.tile || !pass.fragments) return false;
    see_spheres(&pass, tables);
    for (int32_t top = 0; top < (int32_t)scene->height; top += TILE)
        draw_band(&pass, top);
    return true;
}
