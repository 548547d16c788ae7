/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/dense.h"

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
    for (uint32_t k = 0; k < 4; k++)
        if (corner_in(tet, tree->ids[4 * (size_t)point + k]) == LT_NONE) return false;
    return true;
}

/* Points hang on a tet that holds one of their triangles, nearly always. */
static void find_tets_by_triangles(lt_dense_shape *s, const lt_carrier *carrier) {
    for (uint32_t i = 0; i < 3 * s->tree.triangle_count; i++) {
        uint32_t point = s->tree.triangles[i], tet = s->tree.triangle_tets[i / 3];
        if (tet == LT_NONE || s->point_tets[point] != LT_NONE) continue;
        if (hangs_on(&s->tree, point, carrier->tets + 4 * (size_t)tet)) s->point_tets[point] = tet;
    }
}

static lt_status find_point_tets(lt_dense_shape *s, const lt_carrier *carrier, lt_error *error) {
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

lt_status lt_dense_shape_create(lt_dense_shape *out, const lt_shape *shape, const lt_carrier *carrier,
                                const lt_skin *skin, bool self_collision, const lt_allocator *allocator,
                                lt_error *error) {
    *out = (lt_dense_shape){.allocator = allocator ? *allocator : lt_allocator_default()};
    lt_status status = lt_multiscale_tree_read(&out->tree, shape, carrier, skin, error);
    if (status == LT_OK)
        status = lt_feature_owners_create(&out->owners, out->tree.triangles, out->tree.triangle_count,
                                          out->tree.point_count, &out->allocator, error);
    if (status == LT_OK && self_collision)
        status = lt_self_tets_create(&out->tets, &out->tree, carrier, &out->allocator, error);
    if (status == LT_OK) {
        out->point_tets = LT_NEW(&out->allocator, out->tree.point_count, uint32_t);
        status = out->point_tets ? find_point_tets(out, carrier, error)
                                 : lt_fail(error, LT_STATUS_MEMORY, "no memory for %u points of a surface",
                                           out->tree.point_count);
    }
    if (status != LT_OK) lt_dense_shape_free(out);
    return status;
}

void lt_dense_shape_free(lt_dense_shape *shape) {
    if (!shape->allocator.release) return;
    LT_DELETE(&shape->allocator, shape->point_tets, shape->tree.point_count, uint32_t);
    if (shape->tets.tree) lt_self_tets_free(&shape->tets);
    if (shape->owners.bits) lt_feature_owners_free(&shape->owners);
    *shape = (lt_dense_shape){0};
}

/* ---- a body ---- */

lt_status lt_dense_create(lt_dense *out, const lt_dense_shape *shape, const lt_carrier *carrier,
                          const lt_dense_def *def, const lt_allocator *allocator, lt_error *error) {
    *out = (lt_dense){.shape = shape};
    lt_self_def self_def = lt_self_def_default();
    if (def->as_printed) self_def = (lt_self_def){.lemma = LT_SELF_PAPER, .mask_bits = 1};
    lt_status status =
        lt_multiscale_create(&out->boxes, &shape->tree, carrier, LT_BOUND_DUAL, def->level, allocator, error);
    if (status == LT_OK && def->self_collision)
        status = lt_self_create(&out->self, &shape->tets, &self_def, allocator, error);
    if (status != LT_OK) lt_dense_free(out);
    return status;
}

void lt_dense_free(lt_dense *dense) {
    if (dense->self.tets) lt_self_free(&dense->self);
    lt_multiscale_free(&dense->boxes);
    *dense = (lt_dense){0};
}

/* ---- places ---- */

lt_hold lt_dense_hold_point(const lt_dense *dense, uint32_t point) {
    lt_hold hold = {.tet = dense->shape->point_tets[point]};
    add_weights(hold.weights, dense->boxes.tets + 4 * (size_t)hold.tet, &dense->shape->tree, point, 1);
    return hold;
}

static uint32_t heaviest(const float *weights, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (weights[i] > weights[best]) best = i;
    return best;
}

static lt_vec3 place_of(const lt_collider *collider, const uint32_t *points, const float *weights,
                        uint32_t count) {
    lt_vec3 place = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        lt_anchor anchor = lt_multiscale_anchor(&collider->dense->shape->tree, points[i]);
        lt_rvec3 x = lt_anchor_gather(&anchor, collider->soft->x);
        place = lt_v3_mad(place, lt_v3_from_r3(x), weights[i]);
    }
    return place;
}

/* A point on a face of the tet may be written in the nodes of the neighbour: what it then has beside the tet is rounding. */
bool lt_dense_hold(lt_hold *out, const lt_collider *collider, uint32_t triangle, const uint32_t *points,
                   const float *weights, uint32_t count) {
    const float little = 1e-4f;
    const lt_dense *d = collider->dense;
    uint32_t tet = d->shape->tree.triangle_tets[triangle];
    *out = (lt_hold){.tet = tet};
    float beside = tet == LT_NONE ? 1 : 0;
    for (uint32_t i = 0; tet != LT_NONE && i < count; i++)
        beside += fabsf(add_weights(out->weights, d->boxes.tets + 4 * (size_t)tet, &d->shape->tree, points[i],
                                    weights[i]));
    if (beside <= little) {
        const float *w = out->weights;
        out->weights[heaviest(w, 4)] += 1 - (w[0] + w[1] + w[2] + w[3]);
        return true;
    }
    tet = d->shape->point_tets[points[heaviest(weights, count)]];
    return lt_hold_at(out, collider, tet, place_of(collider, points, weights, count));
}
