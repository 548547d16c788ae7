/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/light_map.h"

/* Widest filter in texels: the reach of a tile's neighbours, minus what bilinear reading adds. */
#define FILTER_MAX 12.0f
#define FILTER_MIN 1.1f

size_t lt_light_map_memory(void) {
    size_t shadow = (size_t)LT_SHADOW_SIZE * LT_SHADOW_SIZE + 4u * LT_SHADOW_TILES * LT_SHADOW_TILES;
    size_t contact = 4u * LT_CONTACT_SIZE * LT_CONTACT_SIZE;
    return (shadow + contact) * sizeof(float) + 16 * 64;
}

/* ---- filling ---- */

static void project_vertices(lt_fill_corner *out, const lt_light_map *map, const lt_picture_mesh *mesh) {
    const float limit = (float)(LT_FILL_LIMIT / LT_FILL_UNIT), half = 0.5f * (float)map->size;
    float scale = map->texels_per_unit;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        lt_vec3 d = lt_v3_sub(mesh->positions[i], map->center);
        float u = lt_v3_dot(d, map->axis_u) * scale + half, v = lt_v3_dot(d, map->axis_v) * scale + half;
        bool inside = fabsf(u) < limit && fabsf(v) < limit; /* false for NaN */
        out[i].x = inside ? lt_fill_snap(u) : INT32_MIN;
        out[i].y = inside ? lt_fill_snap(v) : INT32_MIN;
        out[i].depth = lt_v3_dot(d, map->toward);
    }
}

/* Draws what faces the map's side (everything of two-sided meshes). */
static void draw_mesh(const lt_light_map *map, const lt_picture_mesh *mesh, const lt_fill_corner *corners) {
    lt_fill_target target = {map->size, map->size, map->depths, NULL};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)t;
        lt_fill_corner a = corners[triangle[0]], b = corners[triangle[1]], c = corners[triangle[2]];
        if (a.x == INT32_MIN || b.x == INT32_MIN || c.x == INT32_MIN) continue;
        if (!mesh->two_sided && lt_fill_area(a, b, c) <= 0) continue;
        lt_fill_triangle(&target, a, b, c, 0);
    }
}

static bool fill_map(lt_light_map *map, const lt_picture *picture, lt_arena *arena) {
    map->depths = LT_TAKE(arena, (size_t)map->size * (size_t)map->size, float);
    if (!map->depths) return false;
    lt_fill_target target = {map->size, map->size, map->depths, NULL};
    lt_fill_clear(&target);
    for (uint32_t m = 0; m < picture->mesh_count; m++) {
        const lt_picture_mesh *mesh = &picture->meshes[m];
        if (mesh->shadowless) continue;
        size_t mark = lt_arena_mark(arena);
        lt_fill_corner *corners = LT_TAKE(arena, mesh->vertex_count, lt_fill_corner);
        if (!corners) return false;
        project_vertices(corners, map, mesh);
        draw_mesh(map, mesh, corners);
        lt_arena_rewind(arena, mark);
    }
    return true;
}

static void set_frame(lt_light_map *map, int32_t size, lt_vec3 center, float radius, lt_vec3 toward) {
    map->size = size;
    map->center = center;
    map->toward = toward;
    lt_perpendicular_pair(toward, &map->axis_u, &map->axis_v);
    map->texel = 2.0f * radius / (float)(size - 2 * LT_SHADOW_TILE);
    map->texels_per_unit = 1.0f / map->texel;
}

/* Range of depths per tile, then over 3 x 3 tiles. `range` has room for both steps. */
static void fill_tiles(lt_shadow *shadow, float *own_lo, float *own_hi) {
    for (int32_t tile = 0; tile < LT_SHADOW_TILES * LT_SHADOW_TILES; tile++) {
        const float *at = shadow->map.depths +
                          (size_t)(tile / LT_SHADOW_TILES) * LT_SHADOW_TILE * LT_SHADOW_SIZE +
                          (size_t)(tile % LT_SHADOW_TILES) * LT_SHADOW_TILE;
        float lo = at[0], hi = at[0];
        for (int32_t y = 0; y < LT_SHADOW_TILE; y++, at += LT_SHADOW_SIZE)
            for (int32_t x = 0; x < LT_SHADOW_TILE; x++) {
                lo = lt_min_f(lo, at[x]);
                hi = lt_max_f(hi, at[x]);
            }
        own_lo[tile] = lo;
        own_hi[tile] = hi;
    }
    for (int32_t y = 0; y < LT_SHADOW_TILES; y++)
        for (int32_t x = 0; x < LT_SHADOW_TILES; x++) {
            float lo = 3e38f, hi = LT_FILL_EMPTY;
            for (int32_t near = 0; near < 9; near++) {
                int32_t nx = x + near % 3 - 1, ny = y + near / 3 - 1;
                if (nx < 0 || ny < 0 || nx >= LT_SHADOW_TILES || ny >= LT_SHADOW_TILES) continue;
                lo = lt_min_f(lo, own_lo[ny * LT_SHADOW_TILES + nx]);
                hi = lt_max_f(hi, own_hi[ny * LT_SHADOW_TILES + nx]);
            }
            shadow->tile_lo[y * LT_SHADOW_TILES + x] = lo;
            shadow->tile_hi[y * LT_SHADOW_TILES + x] = hi;
        }
}

bool lt_shadow_fill(lt_shadow *shadow, const lt_picture *picture, lt_vec3 center, float radius,
                    lt_arena *arena) {
    const size_t tile_count = (size_t)LT_SHADOW_TILES * LT_SHADOW_TILES;
    set_frame(&shadow->map, LT_SHADOW_SIZE, center, radius,
              lt_v3_normalize_or(picture->sun_direction, picture->up));
    shadow->width = picture->sun_width;
    shadow->tile_lo = LT_TAKE(arena, tile_count, float);
    shadow->tile_hi = LT_TAKE(arena, tile_count, float);
    if (!shadow->tile_lo || !shadow->tile_hi || !fill_map(&shadow->map, picture, arena)) return false;
    size_t mark = lt_arena_mark(arena);
    float *own = LT_TAKE(arena, 2 * tile_count, float);
    if (!own) return false;
    fill_tiles(shadow, own, own + tile_count);
    lt_arena_rewind(arena, mark);
    return true;
}

/* ---- contact ---- */

/* Mean over 2 reach + 1 texels along rows (step 1) or columns (step size), edges repeated. */
static void blur_lines(float *out, const float *in, int32_t size, int32_t reach, bool columns) {
    size_t step = columns ? (size_t)size : 1, next_line = columns ? 1 : (size_t)size;
    float scale = 1.0f / (float)(2 * reach + 1);
    for (int32_t line = 0; line < size; line++) {
        const float *from = in + (size_t)line * next_line;
        float *to = out + (size_t)line * next_line;
        float sum = from[0] * (float)reach;
        for (int32_t i = 0; i <= reach; i++)
            sum += from[(size_t)i * step];
        for (int32_t i = 0; i < size; i++) {
            to[(size_t)i * step] = sum * scale;
            int32_t leaving = i - reach < 0 ? 0 : i - reach;
            int32_t entering = i + reach + 1 >= size ? size - 1 : i + reach + 1;
            sum += from[(size_t)entering * step] - from[(size_t)leaving * step];
        }
    }
}

/* Adds to `darkness` what surfaces lower than `reach_height` cover, blurred over `reach` texels: twice a
 * box is nearly round. */
static void add_layer(lt_contact_map *contact, float floor_depth, float reach_height, int32_t reach,
                      float strength, float *layer, float *scratch) {
    int32_t size = contact->map.size;
    size_t count = (size_t)size * (size_t)size;
    for (size_t i = 0; i < count; i++) {
        float height = floor_depth - contact->map.depths[i];
        float nearness = lt_clamp_f(1.0f - height / reach_height, 0.0f, 1.0f);
        layer[i] = nearness * nearness;
    }
    for (int pass = 0; pass < 2; pass++) {
        blur_lines(scratch, layer, size, reach, false);
        blur_lines(layer, scratch, size, reach, true);
    }
    for (size_t i = 0; i < count; i++) {
        float open = (1.0f - contact->darkness[i]) * (1.0f - strength * lt_clamp_f(layer[i], 0.0f, 1.0f));
        contact->darkness[i] = 1.0f - open;
    }
}

bool lt_contact_fill(lt_contact_map *contact, const lt_picture *picture, lt_vec3 center, float radius,
                     lt_arena *arena) {
    size_t count = (size_t)LT_CONTACT_SIZE * LT_CONTACT_SIZE;
    set_frame(&contact->map, LT_CONTACT_SIZE, center, 1.15f * radius, lt_v3_neg(picture->up));
    contact->darkness = LT_TAKE(arena, count, float);
    if (!contact->darkness || !fill_map(&contact->map, picture, arena)) return false;
    size_t mark = lt_arena_mark(arena);
    float *layer = LT_TAKE(arena, count, float), *scratch = LT_TAKE(arena, count, float);
    if (!layer || !scratch) return false;
    for (size_t i = 0; i < count; i++)
        contact->darkness[i] = 0.0f;
    float floor_depth = lt_v3_dot(center, picture->up) - picture->floor_height;
    add_layer(contact, floor_depth, 0.10f * radius, 2, 0.6f, layer, scratch);
    add_layer(contact, floor_depth, 0.55f * radius, 8, 0.5f, layer, scratch);
    lt_arena_rewind(arena, mark);
    return true;
}

float lt_contact_darkness(const lt_contact_map *contact, lt_vec3 point) {
    const lt_light_map *map = &contact->map;
    lt_vec3 d = lt_v3_sub(point, map->center);
    float half = 0.5f * (float)map->size - 0.5f;
    float u = lt_v3_dot(d, map->axis_u) * map->texels_per_unit + half,
          v = lt_v3_dot(d, map->axis_v) * map->texels_per_unit + half;
    float last = (float)(map->size - 1);
    if (!(u > 0.0f && v > 0.0f && u < last && v < last)) return 0.0f;
    int32_t x = (int32_t)u, y = (int32_t)v;
    float fx = u - (float)x, fy = v - (float)y;
    const float *row = contact->darkness + (size_t)y * (size_t)map->size + x, *below = row + map->size;
    float upper = row[0] + fx * (row[1] - row[0]), lower = below[0] + fx * (below[1] - below[0]);
    return upper + fy * (lower - upper);
}

/* ---- shadow ---- */

/* A point in the map: texel coordinates, depth, and how depth changes per texel in its tangent plane. */
typedef struct receiver {
    float u, v, depth;
    float slope_u, slope_v;
} receiver;

/* 1 lit, 0 shadowed, with the four texels around (u, v) weighted bilinearly. */
static float compare_bilinear(const lt_light_map *map, float u, float v, float depth) {
    float cu = u - 0.5f, cv = v - 0.5f;
    int32_t x = (int32_t)cu, y = (int32_t)cv;
    float fx = cu - (float)x, fy = cv - (float)y;
    const float *row = map->depths + (size_t)y * (size_t)map->size + x, *below = row + map->size;
    float a = row[0] > depth ? 0.0f : 1.0f, b = row[1] > depth ? 0.0f : 1.0f;
    float c = below[0] > depth ? 0.0f : 1.0f, d = below[1] > depth ? 0.0f : 1.0f;
    return (a + fx * (b - a)) * (1.0f - fy) + (c + fx * (d - c)) * fy;
}

/* Mean distance to what is between the point and the sun over a coarse grid as wide as the widest filter,
 * and how many of the SEARCH_COUNT places have something. */
#define SEARCH_HALF  2
#define SEARCH_COUNT ((2 * SEARCH_HALF + 1) * (2 * SEARCH_HALF + 1))

static int32_t find_blockers(const lt_light_map *map, const receiver *r, float *distance) {
    const float spacing = FILTER_MAX / ((float)SEARCH_HALF + 0.5f);
    float sum = 0.0f;
    int32_t count = 0;
    for (int32_t i = -SEARCH_HALF; i <= SEARCH_HALF; i++)
        for (int32_t j = -SEARCH_HALF; j <= SEARCH_HALF; j++) {
            float du = (float)j * spacing, dv = (float)i * spacing;
            size_t x = (size_t)(int32_t)(r->u + du), y = (size_t)(int32_t)(r->v + dv);
            float above =
                map->depths[y * (size_t)map->size + x] - (r->depth + r->slope_u * du + r->slope_v * dv);
            if (above <= 0.0f) continue;
            sum += above;
            count++;
        }
    *distance = count ? sum / (float)count : 0.0f;
    return count;
}

/* A tent of 5 x 5 (narrow) or 7 x 7 (wide) bilinear comparisons reaching `reach` texels out. */
static float filter_tent(const lt_light_map *map, const receiver *r, float reach) {
    int32_t half = reach > 4.0f ? 3 : 2;
    float spacing = reach / ((float)half + 0.5f), lit = 0.0f, total = 0.0f;
    for (int32_t i = -half; i <= half; i++)
        for (int32_t j = -half; j <= half; j++) {
            float weight = (float)((half + 1 - (i < 0 ? -i : i)) * (half + 1 - (j < 0 ? -j : j)));
            float du = (float)j * spacing, dv = (float)i * spacing;
            float depth = r->depth + r->slope_u * du + r->slope_v * dv;
            lit += weight * compare_bilinear(map, r->u + du, r->v + dv, depth);
            total += weight;
        }
    return lit / total;
}

float lt_shadow_light(const lt_shadow *shadow, lt_vec3 point, lt_vec3 normal) {
    const lt_light_map *map = &shadow->map;
    float facing = lt_max_f(lt_v3_dot(normal, map->toward), 0.05f);
    float per_facing = 1.0f / facing;
    /* Further along the normal where the sun grazes; a little towards the sun for flat-on surfaces. */
    float slant = 1.0f - facing * facing;
    lt_vec3 moved = lt_v3_mad(point, normal, map->texel * (0.4f + 1.6f * slant));
    lt_vec3 d = lt_v3_sub(moved, map->center);
    receiver r;
    const float edge = FILTER_MAX + 2.0f; /* nothing casts a shadow into the map's border */
    float half = 0.5f * (float)map->size, last = (float)map->size - edge;
    r.u = lt_v3_dot(d, map->axis_u) * map->texels_per_unit + half;
    r.v = lt_v3_dot(d, map->axis_v) * map->texels_per_unit + half;
    if (!(r.u >= edge && r.v >= edge && r.u < last && r.v < last)) return 1.0f;
    r.depth = lt_v3_dot(d, map->toward) + 0.5f * map->texel;
    r.slope_u = lt_clamp_f(-lt_v3_dot(normal, map->axis_u) * per_facing, -2.5f, 2.5f) * map->texel;
    r.slope_v = lt_clamp_f(-lt_v3_dot(normal, map->axis_v) * per_facing, -2.5f, 2.5f) * map->texel;
    float spread = FILTER_MAX * (fabsf(r.slope_u) + fabsf(r.slope_v));
    size_t tile =
        (size_t)((int32_t)r.v / LT_SHADOW_TILE) * LT_SHADOW_TILES + (size_t)((int32_t)r.u / LT_SHADOW_TILE);
    if (shadow->tile_hi[tile] <= r.depth - spread) return 1.0f;
    if (shadow->tile_lo[tile] > r.depth + spread) return 0.0f;
    float distance;
    int32_t blockers = find_blockers(map, &r, &distance);
    if (blockers == 0) return 1.0f;
    if (blockers == SEARCH_COUNT) return 0.0f;
    return filter_tent(map, &r,
                       lt_clamp_f(distance * shadow->width * map->texels_per_unit, FILTER_MIN, FILTER_MAX));
}
