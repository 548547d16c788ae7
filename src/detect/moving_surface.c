/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/moving_surface.h"

#include <string.h>

/* ---- weights in another tet's order ---- */

static uint32_t corner_in(const uint32_t tet[4], uint32_t node) {
    for (uint32_t k = 0; k < 4; k++)
        if (tet[k] == node) return k;
    return LT_NONE;
}

/* Adds `share` times the weights of a point to those of a tet; returns what hangs on nodes that it has not. */
static float add_weights(float out[4], const uint32_t tet[4], const lt_multiscale_tree *tree, uint32_t point,
                         float share) {
    LT_ASSERT(point < tree->point_count);
    const uint32_t *ids = tree->ids + 4 * (size_t)point;
    const float *weights = tree->weights + 4 * (size_t)point;
    float beside = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t corner = corner_in(tet, ids[k]);
        if (corner == LT_NONE)
            beside += share * weights[k];
        else
            out[corner] += share * weights[k];
    }
    return beside;
}

/* ---- a shape ---- */

static bool hangs_on(const lt_multiscale_tree *tree, uint32_t point, const uint32_t tet[4]) {
    LT_ASSERT(point < tree->point_count);
    for (uint32_t k = 0; k < 4; k++)
        if (corner_in(tet, tree->ids[4 * (size_t)point + k]) == LT_NONE) return false;
    return true;
}

/* Points hang on a tet that holds one of their triangles, nearly always. */
static void find_tets_by_triangles(lt_surface_parts *s, const lt_carrier *carrier) {
    for (uint32_t i = 0; i < 3 * s->tree.triangle_count; i++) {
        uint32_t point = s->tree.triangles[i], tet = s->tree.triangle_tets[i / 3];
        if (tet == LT_NONE || s->point_tets[point] != LT_NONE) continue;
        if (hangs_on(&s->tree, point, carrier->tets + 4 * (size_t)tet)) s->point_tets[point] = tet;
    }
}

static lt_status find_point_tets(lt_surface_parts *s, const lt_carrier *carrier, lt_error *error) {
    memset(s->point_tets, 255, s->tree.point_count * sizeof *s->point_tets); /* none */
    find_tets_by_triangles(s, carrier);
    for (uint32_t point = 0; point < s->tree.point_count; point++) {
        for (uint32_t tet = 0; s->point_tets[point] == LT_NONE && tet < carrier->tet_count; tet++)
            if (hangs_on(&s->tree, point, carrier->tets + 4 * (size_t)tet)) s->point_tets[point] = tet;
        if (s->point_tets[point] == LT_NONE)
            return lt_fail(error, LT_STATUS_INVALID,
                           "point %u of the tree of boxes hangs on nodes of no tet; bake the shape again "
                           "(lithe bake --tree)",
                           point);
    }
    return LT_OK;
}

static lt_status make_point_tets(lt_surface_parts *s, const lt_carrier *carrier, lt_error *error) {
    s->point_tets = LT_NEW(&s->allocator, s->tree.point_count, uint32_t);
    if (s->point_tets) return find_point_tets(s, carrier, error);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u points of a surface", s->tree.point_count);
}

static lt_status refuse(const lt_shape *shape, const lt_carrier *carrier, lt_error *error) {
    if (carrier->cell_count > 0)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "shape '%s' hangs on a lattice: exact contacts need tets and a tree, "
                       "`lithe bake MESH -o SHAPE --tree`",
                       lt_shape_name(shape));
    if (!lt_multiscale_tree_exists(shape))
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "shape '%s' " LT_HAS_NO_TREE, lt_shape_name(shape));
    return LT_OK;
}

lt_status lt_surface_parts_create(lt_surface_parts *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, const lt_surface_parts_def *def,
                                  const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface_parts){.allocator = allocator ? *allocator : lt_allocator_default()};
    lt_status status = refuse(shape, carrier, error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&out->tree, shape, carrier, skin, error);
    if (status == LT_OK)
        status = lt_feature_owners_create(&out->owners, out->tree.triangles, out->tree.triangle_count,
                                          out->tree.point_count, &out->allocator, error);
    lt_carrier finest = lt_carrier_finest(carrier);
    if (status == LT_OK && def->with_itself)
        status = lt_self_tets_create(&out->tets, &out->tree, &finest, &out->allocator, error);
    if (status == LT_OK && def->with_itself && carrier->ladder.level_count > 0)
        status = lt_self_groups_create(&out->tets, error);
    if (status == LT_OK && def->holds) status = make_point_tets(out, &finest, error);
    if (status != LT_OK) lt_surface_parts_free(out);
    return status;
}

void lt_surface_parts_free(lt_surface_parts *parts) {
    if (!parts->allocator.release) return;
    LT_DELETE(&parts->allocator, parts->point_tets, parts->tree.point_count, uint32_t);
    if (parts->tets.tree) lt_self_tets_free(&parts->tets);
    if (parts->owners.bits) lt_feature_owners_free(&parts->owners);
    *parts = (lt_surface_parts){0};
}

/* A point with weights of which the negative ones sum to -o is at most o times the width of the box outside of it. */
lt_box lt_surface_parts_box(const lt_surface_parts *parts, lt_box box_of_nodes) {
    lt_vec3 width = lt_v3_sub(box_of_nodes.hi, box_of_nodes.lo);
    lt_vec3 far = lt_v3_add(lt_v3_max(lt_v3_neg(box_of_nodes.lo), box_of_nodes.hi), width);
    float overhang = parts->tree.overhang, most = lt_max_f(lt_max_f(far.x, far.y), far.z);
    return lt_box_inflate(box_of_nodes, overhang * lt_max_f(lt_max_f(width.x, width.y), width.z) +
                                            2 * lt_bound_slack((1 + 2 * overhang) * most));
}

/* ---- a body ---- */

lt_status lt_moving_surface_create(lt_moving_surface *out, const lt_surface_parts *parts,
                                   const lt_carrier *carrier, const lt_moving_surface_def *def,
                                   const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(!def->with_itself || parts->tets.tree);
    *out = (lt_moving_surface){.parts = parts};
    lt_status status =
        lt_multiscale_create(&out->boxes, &parts->tree, carrier, LT_BOUND_DUAL, def->level, allocator, error);
    if (status == LT_OK && def->with_itself)
        status = lt_self_create(&out->self, &parts->tets, &def->marks, allocator, error);
    if (status != LT_OK) lt_moving_surface_free(out);
    return status;
}

void lt_moving_surface_free(lt_moving_surface *surface) {
    if (surface->self.tets) lt_self_free(&surface->self);
    lt_multiscale_free(&surface->boxes);
    *surface = (lt_moving_surface){0};
}

static uint32_t next_cost(const lt_moving_surface *s) {
    switch (s->stage) {
    case LT_SURFACE_BEGUN: return lt_multiscale_cost(&s->boxes);
    case LT_SURFACE_FITTED: return lt_self_begin_cost(&s->self);
    case LT_SURFACE_CLEARED: {
        uint32_t cost = lt_self_cost(&s->self);
        return cost ? cost : lt_self_finish_cost(&s->self);
    }
    default: return 0;
    }
}

lt_piece lt_moving_surface_peek(const lt_moving_surface *surface, lt_surface_stage wanted) {
    lt_work work = surface->stage == LT_SURFACE_BEGUN ? LT_WORK_BOUND : LT_WORK_HASH;
    return (lt_piece){work, surface->stage < wanted ? next_cost(surface) : 0, 0};
}

static uint32_t fit(lt_moving_surface *s, uint32_t grant) {
    uint32_t spent = lt_multiscale_step(&s->boxes, grant);
    if (lt_multiscale_cost(&s->boxes) == 0) s->stage = LT_SURFACE_FITTED;
    return spent;
}

static uint32_t mark(lt_moving_surface *s, float separation, uint32_t grant) {
    if (s->stage == LT_SURFACE_FITTED) {
        lt_self_begin(&s->self, s->boxes.from, s->boxes.to, separation, s->boxes.slack);
        s->stage = LT_SURFACE_CLEARED;
    }
    if (lt_self_cost(&s->self) > 0) return lt_self_step(&s->self, grant);
    uint32_t cost = lt_self_finish_cost(&s->self);
    lt_self_finish_step(&s->self);
    if (s->self.finished) s->stage = LT_SURFACE_MARKED;
    return cost;
}

uint32_t lt_moving_surface_step(lt_moving_surface *surface, float separation, uint32_t grant) {
    lt_moving_surface *s = surface;
    uint32_t cost = next_cost(s);
    if (cost > grant) return 0;
    if (s->stage == LT_SURFACE_BEGUN) return fit(s, grant);
    return mark(s, separation, grant);
}

void lt_moving_surface_query(lt_query *query, lt_moving_surface *a, lt_moving_surface *b) {
    query->a = &a->boxes;
    query->b = &b->boxes;
    query->owners_a = &a->parts->owners;
    query->owners_b = &b->parts->owners;
    query->self = a == b ? &a->self : NULL;
    query->front = NULL;
}

/* ---- places ---- */

lt_attachment lt_surface_hold_point(const lt_moving_surface *surface, uint32_t point) {
    lt_attachment hold = {.tet = surface->parts->point_tets[point]};
    add_weights(hold.weights, surface->boxes.tets + 4 * (size_t)hold.tet, &surface->parts->tree, point, 1);
    return hold;
}

static uint32_t heaviest(const float *weights, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (weights[i] > weights[best]) best = i;
    return best;
}

static lt_vec3 place_of(const lt_collider *collider, const lt_meeting_side *side) {
    lt_vec3 place = {0, 0, 0};
    for (uint32_t i = 0; i < side->count; i++) {
        lt_anchor anchor = lt_multiscale_anchor(&collider->surface->parts->tree, side->points[i]);
        lt_rvec3 x = lt_anchor_gather(&anchor, collider->soft->x);
        place = lt_v3_mad(place, lt_v3_from_r3(x), side->weights[i]);
    }
    return place;
}

/* A point on a face of the tet may be written in the nodes of the neighbour: what it then has beside the tet is rounding. */
bool lt_surface_hold_side(lt_attachment *out, const lt_collider *collider, const lt_meeting_side *side) {
    const float little = 1e-4f;
    const lt_moving_surface *s = collider->surface;
    const lt_multiscale_tree *tree = &s->parts->tree;
    if (side->count == 1) {
        *out = lt_surface_hold_point(s, side->points[0]);
        return true;
    }
    uint32_t tet = tree->triangle_tets[side->triangle];
    *out = (lt_attachment){.tet = tet};
    float beside = tet == LT_NONE ? 1 : 0;
    for (uint32_t i = 0; tet != LT_NONE && i < side->count; i++)
        beside += fabsf(add_weights(out->weights, s->boxes.tets + 4 * (size_t)tet, tree, side->points[i],
                                    side->weights[i]));
    if (beside <= little) {
        const float *w = out->weights;
        out->weights[heaviest(w, 4)] += 1 - (w[0] + w[1] + w[2] + w[3]);
        return true;
    }
    tet = s->parts->point_tets[side->points[heaviest(side->weights, side->count)]];
    return lt_attach_at(out, collider, tet, place_of(collider, side));
}
