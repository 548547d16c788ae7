/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What of one box is in another. A point is pushed out through the nearest of the faces that look out: cells inside a body
 * have no boxes, and without that rule bodies are pushed through each other's shells (J11). */

#include "detect/boxes.h"

extern const lt_box_kernels lt_box_kernels_scalar, lt_box_kernels_wide4, lt_box_kernels_avx2;

const lt_box_kernels *lt_box_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_box_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_box_kernels);
    return table[level];
}

static float below_plane(const lt_cell_box *box, uint32_t plane, lt_vec3 p) {
    LT_ASSERT(plane < LT_CELL_PLANES);
    return box->planes[3][plane] - lt_v3_dot(lt_cell_box_normal(box, plane), p);
}

/* 0 when the point is not inside. */
static float depth_of_point(const lt_cell_box *box, lt_vec3 p) {
    float least = 3e38f;
    for (uint32_t plane = 0; plane < box->plane_count; plane++) {
        float below = below_plane(box, plane, p);
        if (!(below > 0)) return 0;
        if (box->push >> plane & 1) least = lt_min_f(below, least);
    }
    return least;
}

/* The plane that pushes the point out, of some. */
static uint32_t nearest_plane(const lt_cell_box *box, uint32_t push, lt_vec3 p) {
    uint32_t nearest = 0;
    float least = INFINITY;
    for (uint32_t plane = 0; plane < box->plane_count; plane++)
        if (push >> plane & 1 && below_plane(box, plane, p) < least) {
            least = below_plane(box, plane, p);
            nearest = plane;
        }
    return nearest;
}

typedef struct deepest {
    float depth;
    uint32_t outer, corner;
} deepest;

/* Of corners that all lie before a plane the nearest. */
static float least_height(const float depths[8]) {
    float nearest = depths[0];
    for (int corner = 1; corner < LT_CELL_CORNERS; corner++)
        nearest = lt_max_f(nearest, depths[corner]);
    return nearest < 0 ? -nearest : 0;
}

/* Looks for a point of `inner` deeper in `outer`. False: the two are apart. */
static bool look_inside(deepest *best, lt_box_touch *touch, const lt_cell_box *outer,
                        const lt_cell_box *inner, uint32_t outer_side, const lt_box_kernels *kernels) {
    float *depths = touch->depths[outer_side];
    uint32_t inside = kernels->corners_inside(outer, inner, depths);
    if (inside == LT_BOXES_APART) {
        touch->gap = least_height(depths);
        return false;
    }
    touch->inside[outer_side] = inside;
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
        if (inside >> corner & 1 && depths[corner] > best->depth)
            *best = (deepest){depths[corner], outer_side, corner};
    float depth = depth_of_point(outer, inner->center);
    if (depth > best->depth) *best = (deepest){depth, outer_side, LT_TOUCH_CENTER};
    return true;
}

static void describe(lt_box_touch *touch, const deepest *best, const lt_cell_box *const boxes[2]) {
    const lt_cell_box *outer = boxes[best->outer], *inner = boxes[1 - best->outer];
    bool is_center = best->corner == LT_TOUCH_CENTER;
    touch->point = is_center ? inner->center : lt_cell_box_corner(inner, best->corner);
    touch->depth = best->depth;
    touch->outer = best->outer;
    touch->corner = best->corner;
    touch->normal = lt_cell_box_normal(outer, nearest_plane(outer, outer->push, touch->point));
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
        touch->shares[1 - best->outer][corner] = is_center ? 0.125f : corner == best->corner ? 1.0f : 0.0f;
        touch->shares[best->outer][corner] = 0;
    }
}

/* Depths below this are on the rim of a face rather than inside: boxes that stand on each other edge to edge must not part
 * sideways. */
static float least_depth(const lt_cell_box *a) {
    return 1e-4f * lt_v3_distance(lt_cell_box_corner(a, 0), lt_cell_box_corner(a, 7));
}

bool lt_box_touch_find(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, bool hulls,
                       const lt_box_kernels *kernels, uint32_t *units) {
    const lt_cell_box *const boxes[2] = {a, b};
    deepest best = {0};
    *units += LT_BOX_TOUCH_UNITS;
    touch->gap = 0;
    if (!look_inside(&best, touch, a, b, 0, kernels) || !look_inside(&best, touch, b, a, 1, kernels))
        return false;
    bool is_inside = best.depth > 0 && best.depth < 1e30f;
    if (hulls && !(is_inside && best.depth > lt_min_f(least_depth(a), least_depth(b)))) {
        *units += LT_BOX_HULL_UNITS;
        return lt_box_touch_hulls(touch, a, b, kernels); /* nothing else is deep */
    }
    if (is_inside) describe(touch, &best, boxes);
    return is_inside;
}

/* ---- faces that look at each other ---- */

static const float LOOKS_AT = -0.2f; /* cosine between normals */
static const float SAME_WAY = 0.7f;  /* likewise */

/* Whether a face of the box that pushes looks against the normal. */
static bool is_met(lt_vec3 normal, const lt_cell_box *box) {
    for (uint32_t bits = box->push; bits; bits &= bits - 1)
        if (lt_v3_dot(normal, lt_cell_box_normal(box, (uint32_t)__builtin_ctz(bits))) < LOOKS_AT) return true;
    return false;
}

/* Faces of `outer` that push and that one of `inner` looks at; all that push, if there are none. */
static uint32_t facing(const lt_cell_box *outer, const lt_cell_box *inner) {
    uint32_t met = 0;
    for (uint32_t bits = outer->push; bits; bits &= bits - 1) {
        uint32_t plane = (uint32_t)__builtin_ctz(bits);
        if (is_met(lt_cell_box_normal(outer, plane), inner)) met |= 1u << plane;
    }
    return met ? met : outer->push;
}

/* Where one is deep in the other it is no longer known by which face it came in. */
static float most_depth(const lt_cell_box *a) {
    return 0.2f * lt_v3_distance(lt_cell_box_corner(a, 0), lt_cell_box_corner(a, 7));
}

static void go_out_through(lt_box_touch *touch, const lt_cell_box *outer, uint32_t plane) {
    LT_ASSERT(plane < LT_CELL_PLANES);
    touch->depth = below_plane(outer, plane, touch->point);
    touch->normal = lt_cell_box_normal(outer, plane);
}

bool lt_box_touch_corner(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, uint32_t outer,
                         uint32_t corner) {
    LT_ASSERT(corner < LT_CELL_CORNERS);
    const lt_cell_box *const boxes[2] = {a, b};
    deepest one = {touch->depths[outer][corner], outer, corner};
    describe(touch, &one, boxes);
    uint32_t faces = facing(boxes[outer], boxes[1 - outer]);
    go_out_through(touch, boxes[outer], nearest_plane(boxes[outer], faces, touch->point));
    return is_met(touch->normal, boxes[1 - outer]);
}

void lt_box_touch_face(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b,
                       const lt_box_kernels *kernels) {
    if (touch->corner == LT_TOUCH_HULL && is_met(touch->normal, touch->outer ? a : b)) return;
    uint32_t of_a = facing(a, b), of_b = facing(b, a);
    if (of_a == a->push && of_b == b->push) return;
    lt_cell_box copies[2] = {*a, *b};
    const lt_cell_box *const boxes[2] = {&copies[0], &copies[1]};
    lt_box_touch faced;
    deepest best = {0};
    copies[0].push = of_a;
    copies[1].push = of_b;
    if (touch->corner == LT_TOUCH_HULL) {
        if (!lt_box_touch_hulls(&faced, boxes[0], boxes[1], kernels)) return;
    } else {
        look_inside(&best, &faced, boxes[0], boxes[1], 0, kernels);
        look_inside(&best, &faced, boxes[1], boxes[0], 1, kernels);
        if (!(best.depth > 0)) return;
        describe(&faced, &best, boxes);
    }
    if (faced.depth <= lt_min_f(most_depth(a), most_depth(b))) *touch = faced;
}

/* ---- the way in ---- */

static bool can_go_out(const lt_cell_box *outer, uint32_t plane, lt_vec3 p) {
    LT_ASSERT(plane < LT_CELL_PLANES);
    return outer->push >> plane & 1 && below_plane(outer, plane, p) > 0;
}

void lt_box_touch_entered(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, lt_vec3 way) {
    if (touch->corner == LT_TOUCH_HULL) return;
    const lt_cell_box *outer = touch->outer ? b : a;
    float latest = 1; /* of the way back */
    for (uint32_t plane = 0; plane < outer->plane_count; plane++) {
        float in = -lt_v3_dot(way, lt_cell_box_normal(outer, plane));
        if (!can_go_out(outer, plane, touch->point) || !(in > 0)) continue;
        float back = below_plane(outer, plane, touch->point) / in;
        if (back < latest) go_out_through(touch, outer, plane);
        latest = lt_min_f(back, latest);
    }
}

void lt_box_touch_known(lt_box_touch *touch, const lt_cell_box *a, const lt_cell_box *b, lt_vec3 out) {
    if (touch->corner == LT_TOUCH_HULL) return;
    const lt_cell_box *outer = touch->outer ? b : a;
    float nearest = SAME_WAY;
    for (uint32_t plane = 0; plane < outer->plane_count; plane++) {
        float along = lt_v3_dot(out, lt_cell_box_normal(outer, plane));
        if (!can_go_out(outer, plane, touch->point) || !(along > nearest)) continue;
        go_out_through(touch, outer, plane);
        nearest = along;
    }
}
