/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Polygons into triangles: a fan where that is sound, else ears (Meisters 1975), seen along the polygon's
 * mean normal. Quadratic in the corners as a rule, cubic at worst, hence LT_POLYGON_CORNERS. */

#include "io/read_internal.h"

typedef struct flat_polygon {
    double x[LT_POLYGON_CORNERS];
    double y[LT_POLYGON_CORNERS];
    uint32_t corners[LT_POLYGON_CORNERS]; /* the ones not yet cut off, as places in x and y */
    uint32_t count;
} flat_polygon;

static bool push_triangle(lt_array *triangles, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = lt_array_grow(triangles, 3);
    if (!t) return false;
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return true;
}

static bool push_fan(const uint32_t *corners, uint32_t count, lt_array *triangles) {
    for (uint32_t i = 2; i < count; i++)
        if (!push_triangle(triangles, corners[0], corners[i - 1], corners[i])) return false;
    return true;
}

bool lt_polygon_add(lt_polygon *polygon, uint32_t corner, lt_array *triangles) {
    uint64_t count = polygon->count++;
    if (count < LT_POLYGON_CORNERS) {
        polygon->corners[count] = corner;
        polygon->last = corner;
        return true;
    }
    if (count == LT_POLYGON_CORNERS && !push_fan(polygon->corners, LT_POLYGON_CORNERS, triangles))
        return false;
    uint32_t last = polygon->last;
    polygon->last = corner;
    return push_triangle(triangles, polygon->corners[0], last, corner);
}

/* Newell's normal: twice the area vector, whether or not the corners lie in a plane. */
static lt_dvec3 area_vector(const lt_polygon *polygon, const lt_vec3 *positions) {
    lt_dvec3 sum = {0, 0, 0};
    lt_dvec3 origin = lt_d3_from_v3(positions[polygon->corners[0]]);
    for (uint32_t i = 1; i + 1 < polygon->count; i++) {
        lt_dvec3 a = lt_d3_sub(lt_d3_from_v3(positions[polygon->corners[i]]), origin);
        lt_dvec3 b = lt_d3_sub(lt_d3_from_v3(positions[polygon->corners[i + 1]]), origin);
        sum = lt_d3_add(sum, lt_d3_cross(a, b));
    }
    return sum;
}

/* Drops the axis nearest to the normal; the area seen is then positive. */
static void flatten(flat_polygon *flat, const lt_polygon *polygon, const lt_vec3 *positions) {
    lt_dvec3 n = area_vector(polygon, positions);
    int axis = fabs(n.x) > fabs(n.y) ? 0 : 1;
    if (fabs(n.z) > fabs(lt_d3_get(n, axis))) axis = 2;
    bool mirrored = lt_d3_get(n, axis) < 0;
    flat->count = (uint32_t)polygon->count;
    for (uint32_t i = 0; i < flat->count; i++) {
        lt_dvec3 p = lt_d3_from_v3(positions[polygon->corners[i]]);
        double x = lt_d3_get(p, (axis + 1) % 3), y = lt_d3_get(p, (axis + 2) % 3);
        flat->x[i] = mirrored ? y : x;
        flat->y[i] = mirrored ? x : y;
        flat->corners[i] = i;
    }
}

/* Positive when a, b, c turn left. */
static double turn(const flat_polygon *flat, uint32_t a, uint32_t b, uint32_t c) {
    return (flat->x[b] - flat->x[a]) * (flat->y[c] - flat->y[a]) -
           (flat->y[b] - flat->y[a]) * (flat->x[c] - flat->x[a]);
}

static bool same_place(const flat_polygon *flat, uint32_t a, uint32_t b) {
    return flat->x[a] == flat->x[b] && flat->y[a] == flat->y[b];
}

static bool fan_is_sound(const flat_polygon *flat) {
    for (uint32_t i = 2; i < flat->count; i++)
        if (turn(flat, 0, i - 1, i) < 0) return false;
    for (uint32_t i = 0; i < flat->count; i++)
        if (turn(flat, i, (i + 1) % flat->count, (i + 2) % flat->count) < 0) return false;
    return true;
}

static bool is_ear(const flat_polygon *flat, uint32_t at) {
    uint32_t a = flat->corners[(at + flat->count - 1) % flat->count];
    uint32_t b = flat->corners[at];
    uint32_t c = flat->corners[(at + 1) % flat->count];
    if (!(turn(flat, a, b, c) > 0)) return false;
    for (uint32_t i = 0; i < flat->count; i++) {
        uint32_t p = flat->corners[i];
        if (same_place(flat, p, a) || same_place(flat, p, b) || same_place(flat, p, c)) continue;
        if (turn(flat, a, b, p) >= 0 && turn(flat, b, c, p) >= 0 && turn(flat, c, a, p) >= 0) return false;
    }
    return true;
}

static bool cut_ears(flat_polygon *flat, const uint32_t *corners, lt_array *triangles) {
    while (flat->count > 3) {
        uint32_t ear = 0;
        while (ear < flat->count && !is_ear(flat, ear))
            ear++;
        if (ear == flat->count) break; /* crosses itself, or what is left has no area: fan the rest */
        uint32_t before = flat->corners[(ear + flat->count - 1) % flat->count];
        uint32_t after = flat->corners[(ear + 1) % flat->count];
        if (!push_triangle(triangles, corners[before], corners[flat->corners[ear]], corners[after]))
            return false;
        flat->count--;
        for (uint32_t i = ear; i < flat->count; i++)
            flat->corners[i] = flat->corners[i + 1];
    }
    for (uint32_t i = 0; i < flat->count; i++)
        flat->corners[i] = corners[flat->corners[i]];
    return push_fan(flat->corners, flat->count, triangles);
}

static bool all_below(const lt_polygon *polygon, size_t vertex_count) {
    for (uint32_t i = 0; i < polygon->count; i++)
        if (polygon->corners[i] >= vertex_count) return false;
    return true;
}

bool lt_polygon_end(lt_polygon *polygon, const lt_vec3 *positions, size_t vertex_count, lt_array *triangles) {
    bool ok = true;
    if (polygon->count == 3 || (polygon->count <= LT_POLYGON_CORNERS && !all_below(polygon, vertex_count))) {
        ok = push_fan(polygon->corners, (uint32_t)polygon->count, triangles);
    } else if (polygon->count > 3 && polygon->count <= LT_POLYGON_CORNERS) {
        flat_polygon flat;
        flatten(&flat, polygon, positions);
        ok = fan_is_sound(&flat) ? push_fan(polygon->corners, flat.count, triangles)
                                 : cut_ears(&flat, polygon->corners, triangles);
    }
    polygon->count = 0;
    return ok;
}
