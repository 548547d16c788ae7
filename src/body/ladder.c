/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The chunks of a ladder (papers/003 §4.1–4.2): written by bake/carrier_write.c, read as views, and checked once so that solvers may follow
 * every number in them blindly: tets and columns stay within their level, rows go to the next level and nowhere else, sum
 * to 1, and cascades are symmetric. That the finest level comes first makes it a carrier by itself: its arrays are the
 * beginnings of the ladder's. */

#include "body/models.h"

#include <float.h>
#include <math.h>

/* Weights are stored as floats: their sum is off by some roundings of the largest of them. */
#define SUM_TOLERANCE 1e-5f

/* A shape in which something was found wrong. */
typedef struct reading {
    const lt_carrier *carrier;
    const lt_ladder *ladder;
    const char *name;
    lt_error *error;
} reading;

static lt_status read_levels(lt_ladder *l, const lt_carrier *c, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 2);
    const uint32_t *counts = lt_shape_u32(shape, LT_CHUNK_LADDER_LEVELS, &dims, error);
    if (!counts) return error->status;
    const char *name = lt_shape_name(shape);
    if (dims.size[0] < 2 || dims.size[0] > LT_LADDER_MOST)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': a ladder of %llu levels; there must be 2 to %d",
                       name, (unsigned long long)dims.size[0], LT_LADDER_MOST);
    l->level_count = (uint32_t)dims.size[0];
    uint64_t nodes = 0, tets = 0;
    for (uint32_t level = 0; level < l->level_count; level++) {
        nodes += counts[2 * level];
        tets += counts[2 * level + 1];
        if (counts[2 * level] == 0 || counts[2 * level + 1] == 0 || nodes > c->node_count ||
            tets > c->tet_count)
            return lt_fail(error, LT_STATUS_INVALID,
                           "shape '%s': level %u of the ladder has %u nodes and %u tets, but the carrier has "
                           "%u and %u in all; bake it again",
                           name, level, counts[2 * level], counts[2 * level + 1], c->node_count,
                           c->tet_count);
        l->node_begin[level + 1] = (uint32_t)nodes;
        l->tet_begin[level + 1] = (uint32_t)tets;
    }
    if (nodes != c->node_count || tets != c->tet_count)
        return lt_fail(
            error, LT_STATUS_INVALID,
            "shape '%s': the ladder's levels have %llu nodes and %llu tets, the carrier %u and %u; "
            "bake it again",
            name, (unsigned long long)nodes, (unsigned long long)tets, c->node_count, c->tet_count);
    return LT_OK;
}

static lt_status find_rows(lt_ladder *l, const lt_shape *shape, lt_error *error) {
    uint64_t above = l->node_begin[l->level_count - 1];
    uint64_t below = l->node_begin[l->level_count] - l->node_begin[1];
    lt_shape_dims dims = LT_SHAPE_DIMS(above);
    if (!(l->above_tets = lt_shape_u32(shape, LT_CHUNK_LADDER_ABOVE_TETS, &dims, error)))
        return error->status;
    if (!(l->parents = lt_shape_u32(shape, LT_CHUNK_LADDER_PARENTS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(above, 4);
    if (!(l->above_weights = lt_shape_f32(shape, LT_CHUNK_LADDER_ABOVE_WEIGHTS, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(lt_ladder_far_count(l));
    if (!(l->far_tets = lt_shape_u32(shape, LT_CHUNK_LADDER_FAR_TETS, &dims, error))) return error->status;
    dims = LT_SHAPE_DIMS(lt_ladder_far_count(l), 4);
    if (!(l->far_weights = lt_shape_f32(shape, LT_CHUNK_LADDER_FAR_WEIGHTS, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(below);
    if (!(l->below_tets = lt_shape_u32(shape, LT_CHUNK_LADDER_BELOW_TETS, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(below, 4);
    if (!(l->below_weights = lt_shape_f32(shape, LT_CHUNK_LADDER_BELOW_WEIGHTS, &dims, error)))
        return error->status;
    return LT_OK;
}

static lt_status find_lists(lt_ladder *l, uint64_t *cascade_count, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS((uint64_t)l->node_begin[l->level_count] + 1);
    if (!(l->cascade_begin = lt_shape_u32(shape, LT_CHUNK_LADDER_CASCADE_BEGIN, &dims, error)))
        return error->status;
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    if (!(l->cascade = lt_shape_u32(shape, LT_CHUNK_LADDER_CASCADE, &dims, error))) return error->status;
    *cascade_count = dims.size[0];
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, l->level_count);
    if (!(l->piece_tets = lt_shape_u32(shape, LT_CHUNK_LADDER_PIECE_TETS, &dims, error)))
        return error->status;
    uint64_t pieces = dims.size[0];
    if (pieces == 0 || pieces >= UINT32_MAX / LT_LADDER_MOST)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': a ladder of %llu pieces cannot be simulated",
                       lt_shape_name(shape), (unsigned long long)pieces);
    l->piece_count = (uint32_t)pieces;
    dims = LT_SHAPE_DIMS(pieces);
    if (!(l->piece_volumes = lt_shape_f32(shape, LT_CHUNK_LADDER_PIECE_VOLUMES, &dims, error)))
        return error->status;
    return LT_OK;
}

/* ---- checking ---- */

static bool all_within(const uint32_t *values, uint64_t count, uint32_t begin, uint32_t end) {
    for (uint64_t i = 0; i < count; i++)
        if (values[i] < begin || values[i] >= end) return false;
    return true;
}

/* Tets and columns name nodes of their own level: then the finest is a carrier without the others. */
static lt_status check_levels_apart(const reading *r, uint32_t level) {
    const lt_ladder *l = r->ladder;
    const lt_sparse_pattern *p = &r->carrier->pattern;
    uint32_t begin = l->node_begin[level], end = l->node_begin[level + 1];
    uint32_t first = l->tet_begin[level], count = l->tet_begin[level + 1] - first;
    if (all_within(r->carrier->tets + 4 * (size_t)first, 4 * (uint64_t)count, begin, end) &&
        all_within(p->columns + p->row_begin[begin], p->row_begin[end] - p->row_begin[begin], begin, end))
        return LT_OK;
    return lt_fail(r->error, LT_STATUS_INVALID,
                   "shape '%s': level %u of the ladder names nodes of another; bake it again", r->name,
                   level);
}

/* Rows of `count` nodes into a level. */
static lt_status check_rows(const reading *r, const char *chunk, const uint32_t *tets, const float *weights,
                            uint32_t count, uint32_t into) {
    const lt_ladder *l = r->ladder;
    for (uint32_t i = 0; i < count; i++) {
        if (tets[i] < l->tet_begin[into] || tets[i] >= l->tet_begin[into + 1])
            return lt_fail(r->error, LT_STATUS_INVALID,
                           "shape '%s': %s: tet %u is not of level %u of the ladder; bake it again", r->name,
                           chunk, tets[i], into);
        const float *w = weights + 4 * (size_t)i;
        float size = fabsf(w[0]) + fabsf(w[1]) + fabsf(w[2]) + fabsf(w[3]);
        if (!(fabsf(w[0] + w[1] + w[2] + w[3] - 1) <= SUM_TOLERANCE * lt_max_f(size, 1) && size < 1e6f))
            return lt_fail(r->error, LT_STATUS_INVALID,
                           "shape '%s': %s: the weights of row %u are not finite with sum 1; bake it again",
                           r->name, chunk, i);
    }
    return LT_OK;
}

static lt_status check_parents(const reading *r) {
    const lt_ladder *l = r->ladder;
    for (uint32_t node = 0; node < l->node_begin[l->level_count - 1]; node++) {
        const uint32_t *tet = r->carrier->tets + 4 * (size_t)l->above_tets[node];
        uint32_t parent = l->parents[node];
        if (parent != tet[0] && parent != tet[1] && parent != tet[2] && parent != tet[3])
            return lt_fail(
                r->error, LT_STATUS_INVALID,
                "shape '%s': the parent of node %u is no corner of the tet above it; bake it again", r->name,
                node);
    }
    return LT_OK;
}

static bool cascade_has(const lt_ladder *l, uint32_t node, uint32_t wanted) {
    uint32_t lo = l->cascade_begin[node], hi = l->cascade_begin[node + 1];
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (l->cascade[middle] == wanted) return true;
        if (l->cascade[middle] < wanted)
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

/* Ascending, of the level, without the node itself; whether they are symmetric is asked when all are known to ascend. */
static bool cascade_is_sound(const lt_ladder *l, uint32_t level, uint32_t node) {
    uint32_t begin = l->cascade_begin[node], end = l->cascade_begin[node + 1];
    if (!all_within(l->cascade + begin, end - begin, l->node_begin[level], l->node_begin[level + 1]))
        return false;
    for (uint32_t i = begin; i < end; i++)
        if (l->cascade[i] == node || (i > begin && l->cascade[i] <= l->cascade[i - 1])) return false;
    return true;
}

static lt_status check_cascades(const reading *r, uint64_t count) {
    const lt_ladder *l = r->ladder;
    uint32_t nodes = l->node_begin[l->level_count];
    bool sound = l->cascade_begin[0] == 0 && l->cascade_begin[nodes] == count;
    for (uint32_t node = 0; node < nodes && sound; node++)
        sound = l->cascade_begin[node] <= l->cascade_begin[node + 1] && l->cascade_begin[node + 1] <= count;
    for (uint32_t level = 0; level < l->level_count && sound; level++)
        for (uint32_t node = l->node_begin[level]; node < l->node_begin[level + 1] && sound; node++)
            sound = cascade_is_sound(l, level, node);
    for (uint32_t node = 0; node < nodes && sound; node++)
        for (uint32_t i = l->cascade_begin[node]; i < l->cascade_begin[node + 1] && sound; i++)
            sound = cascade_has(l, l->cascade[i], node);
    return sound ? LT_OK
                 : lt_fail(r->error, LT_STATUS_INVALID,
                           "shape '%s': cascade neighbours of the ladder are inconsistent; bake it again",
                           r->name);
}

/* By the coarsest tet, then the next finer one, …; no two are alike. */
static bool comes_before(const uint32_t *a, const uint32_t *b, uint32_t level_count) {
    for (uint32_t level = level_count; level-- > 0;)
        if (a[level] != b[level]) return a[level] < b[level];
    return false;
}

static lt_status check_pieces(const reading *r) {
    const lt_ladder *l = r->ladder;
    for (uint32_t piece = 0; piece < l->piece_count; piece++) {
        const uint32_t *tets = l->piece_tets + (size_t)piece * l->level_count;
        bool sound = l->piece_volumes[piece] >= FLT_MIN &&
                     l->piece_volumes[piece] < INFINITY; /* products stay above 0 */
        for (uint32_t level = 0; level < l->level_count && sound; level++)
            sound = tets[level] >= l->tet_begin[level] && tets[level] < l->tet_begin[level + 1];
        if (!sound || (piece > 0 && !comes_before(tets - l->level_count, tets, l->level_count)))
            return lt_fail(
                r->error, LT_STATUS_INVALID,
                "shape '%s': piece %u of the ladder must have a volume above 0, a tet of every level, "
                "and come behind those with lesser coarse tets; bake it again",
                r->name, piece);
    }
    return LT_OK;
}

static lt_status check_all(const reading *r, uint64_t cascade_count) {
    const lt_ladder *l = r->ladder;
    lt_status status = LT_OK;
    for (uint32_t level = 0; level < l->level_count && status == LT_OK; level++) {
        uint32_t begin = l->node_begin[level], count = l->node_begin[level + 1] - begin;
        status = check_levels_apart(r, level);
        if (status == LT_OK && level + 1 < l->level_count)
            status = check_rows(r, LT_CHUNK_LADDER_ABOVE_TETS, l->above_tets + begin,
                                l->above_weights + 4 * (size_t)begin, count, level + 1);
        for (uint32_t into = level + 2; into + 1 < l->level_count && status == LT_OK; into++) {
            size_t far = lt_ladder_far_begin(l, level, into);
            status = check_rows(r, LT_CHUNK_LADDER_FAR_TETS, l->far_tets + far, l->far_weights + 4 * far,
                                count, into);
        }
        uint32_t row = begin - (level > 0 ? l->node_begin[1] : 0);
        if (status == LT_OK && level > 0)
            status = check_rows(r, LT_CHUNK_LADDER_BELOW_TETS, l->below_tets + row,
                                l->below_weights + 4 * (size_t)row, count, level - 1);
    }
    if (status == LT_OK) status = check_parents(r);
    if (status == LT_OK) status = check_cascades(r, cascade_count);
    return status == LT_OK ? check_pieces(r) : status;
}

lt_status lt_ladder_read(lt_ladder *out, const lt_carrier *carrier, const lt_shape *shape, lt_error *error) {
    uint64_t cascade_count = 0;
    const reading r = {carrier, out, lt_shape_name(shape), error};
    *out = (lt_ladder){0};
    lt_status status = read_levels(out, carrier, shape, error);
    if (status == LT_OK) status = find_rows(out, shape, error);
    if (status == LT_OK) status = find_lists(out, &cascade_count, shape, error);
    return status == LT_OK ? check_all(&r, cascade_count) : status;
}

lt_carrier lt_carrier_finest(const lt_carrier *carrier) {
    lt_carrier finest = *carrier;
    if (carrier->ladder.level_count == 0) return finest;
    finest.node_count = finest.pattern.row_count = carrier->ladder.node_begin[1];
    finest.tet_count = carrier->ladder.tet_begin[1];
    finest.ladder = (lt_ladder){0};
    return finest;
}
