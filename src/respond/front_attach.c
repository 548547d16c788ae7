/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where contacts of a front are held: places of a body, by the weights of one of its tets, or of a frame (detect/attachment.c) for
 * what is beside the body. */

#include "respond/front_internal.h"

/* Weights beyond which a tet does not hold a place that is only beside it. */
static const double FARTHEST_HOLD = 2;

static bool is_held_well(const lt_attachment *hold, const lt_collider *c) {
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    bool well = true;
    for (uint32_t k = 0; k < anchor.count; k++)
        well = well && fabs((double)anchor.weights[k]) <= FARTHEST_HOLD;
    return well;
}

bool lt_attach_in_frame(lt_attachment *hold, const lt_collider *c, uint32_t which, lt_vec3 point) {
    return lt_attach_at(hold, c, LT_FRAME + which % LT_FRAME_COUNT, point) && is_held_well(hold, c);
}

lt_vec3 lt_surface_point(const lt_collider *c, uint32_t point) {
    LT_ASSERT(point < c->skin->point_count);
    if (!c->points_fresh)
        lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), c->points, c->skin, c->soft->nodes, point,
                           point + 1);
    return c->points[point];
}

/* The tet of the leaf's surface point that is nearest, for a place at its rim: the centre of a large sphere may be many tets
 * away. Of an inner sphere, or a leaf without points, the tet that holds the centre. */
static uint32_t tet_near(const lt_collider *c, uint32_t node, lt_vec3 place) {
    const lt_sphere_tree *tree = c->spheres.tree;
    float least = lt_v3_distance(place, lt_sphere_center(&c->spheres, node));
    uint32_t tet = tree->tets[node];
    for (uint32_t i = tree->point_begin[node]; i < tree->point_begin[node + 1]; i++) {
        float distance = lt_v3_distance(place, lt_surface_point(c, tree->points[i]));
        if (!(distance < least)) continue;
        least = distance;
        tet = c->skin->tets[tree->points[i]];
    }
    return tet;
}

bool lt_attach_near(lt_attachment *hold, const lt_collider *c, uint32_t node, lt_vec3 point) {
    return lt_attach_at(hold, c, tet_near(c, node, point), point);
}

lt_vec3 lt_attach_middle(lt_attachment *hold, const lt_collider *c, uint32_t node) {
    *hold = (lt_attachment){c->spheres.tree->tets[node], {0.25f, 0.25f, 0.25f, 0.25f}};
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
}

bool lt_attach_beside(lt_attachment *hold, const lt_collider *c, uint32_t node, lt_vec3 point) {
    return (lt_attach_near(hold, c, node, point) && is_held_well(hold, c)) ||
           lt_attach_in_frame(hold, c, node, point);
}

/* While nothing is certain there is no place where two bodies touch. The middle of the overlap will do, if the tets that hold
 * the centres reach it well. Else two places must not come nearer: on the line of the push, beside the middles of these tets,
 * or the middles themselves. */
bool lt_attach_undecided(lt_touch *touch, const lt_collider *a, uint32_t own, const lt_collider *b,
                         uint32_t other, lt_vec3 point) {
    if (lt_attach_beside(&touch->own, a, own, point) && lt_attach_beside(&touch->other, b, other, point))
        return true;
    lt_vec3 from = lt_attach_middle(&touch->own, a, own), to = lt_attach_middle(&touch->other, b, other);
    lt_vec3 n = touch->normal;
    lt_vec3 p = lt_v3_mad(point, n, lt_v3_dot(lt_v3_sub(from, point), n));
    lt_vec3 q = lt_v3_mad(point, n, lt_v3_dot(lt_v3_sub(to, point), n));
    touch->apart = lt_v3_dot(lt_v3_sub(p, q), n);
    if (touch->apart > 0.1f * (float)a->soft->mean_edge && lt_attach_near(&touch->own, a, own, p) &&
        lt_attach_near(&touch->other, b, other, q) && is_held_well(&touch->own, a) &&
        is_held_well(&touch->other, b))
        return true;
    lt_attach_middle(&touch->own, a, own);
    lt_attach_middle(&touch->other, b, other);
    touch->apart = lt_v3_distance(from, to);
    touch->normal = lt_v3_normalize_or(lt_v3_sub(from, to), n);
    return touch->apart > 0;
}
