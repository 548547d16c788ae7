/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The solid cut into what lies in one tet of every level, by samples of the finest tets: those inside the solid are looked up
 * in every coarser level, and those with the same tets everywhere are a piece. What a tet of the finest level weighs is shared
 * out among its pieces by their samples, so that pieces sum to the solid's volume exactly, however coarse the samples are.
 *
 * Workload: 56 samples for each of 6,400 tets in five other levels: most are where the sample before was. */

#include "bake/ladder.h"

#include "bake/skin_write.h"
#include "embed/embed.h"

#include <math.h>
#include <string.h>

#define ON_FACE 1e-9

/* Of one tet of the finest level. */
enum { LEAST_SHARE = 20 }; /* of a tet: pieces with no more than the 20th of its samples are not kept */

typedef struct tet_pieces {
    uint32_t tets[LT_LADDER_SAMPLES][LT_LADDER_MOST];
    uint32_t samples[LT_LADDER_SAMPLES];
    uint32_t count;
    uint32_t sample_count;
} tet_pieces;

/* A corner of the nearest triangle. The way from a point of the solid to that triangle, and on to its corner, crosses no
 * surface: all of it is of one limb, within the tets that carry that limb, and within the ball around the point that
 * lt_ladder_locate looks in. A sheet has no inside, and its points go with their tet. */
static uint32_t anchor_of_sample(const lt_ladder_build *b, lt_dvec3 p, uint32_t tet) {
    uint32_t triangle, best = LT_NONE;
    lt_closest_point closest;
    double nearest = INFINITY;
    if (b->is_sheet || !lt_triangle_tree_closest(&b->solid.tree, p, INFINITY, &triangle, &closest))
        return b->anchors[0][tet];
    for (int k = 0; k < 3; k++) {
        uint32_t vertex = lt_triangle_at(b->surface, triangle)[k];
        double distance = lt_d3_distance(lt_d3_from_v3(b->surface->positions[vertex]), p);
        if (distance >= nearest) continue;
        nearest = distance;
        best = vertex;
    }
    return best;
}

/* Where copies overlap, a place that is solid may be another limb's. */
static bool owns_sample(lt_ladder_build *b, uint32_t tet, lt_dvec3 p) {
    if (!b->levels[0].overlaps || lt_tet_finder_hold(&b->finders[0], p, ON_FACE).count == 1) return true;
    return lt_ladder_locate(b, 0, p, anchor_of_sample(b, p, tet)).tet == tet;
}

/* A point of the solid, in a tet of the finest level, in a coarser one. `last` is where the point before it was. */
static uint32_t locate_sample(lt_ladder_build *b, uint32_t level, lt_dvec3 p, uint32_t tet, uint32_t last) {
    const lt_ladder_level *l = &b->levels[level];
    double w[4];
    if (!l->overlaps && last != LT_NONE && lt_holding_tet(w, &l->mesh, &last, 1, 1, p) != LT_NONE &&
        lt_least_weight(w) > 0)
        return last;
    lt_held_point held = lt_tet_finder_hold(&b->finders[level], p, ON_FACE);
    if (held.count != 1) held = lt_ladder_locate(b, level, p, anchor_of_sample(b, p, tet));
    return held.tet;
}

static void add_sample(lt_ladder_build *b, tet_pieces *pieces, const uint32_t tets[LT_LADDER_MOST]) {
    uint32_t piece = 0;
    while (piece < pieces->count && memcmp(pieces->tets[piece], tets, b->level_count * sizeof *tets) != 0)
        piece++;
    if (piece == pieces->count) {
        memcpy(pieces->tets[piece], tets, sizeof pieces->tets[piece]);
        pieces->samples[piece] = 0;
        pieces->count++;
    }
    pieces->samples[piece]++;
    pieces->sample_count++;
}

/* Without any sample in the solid there is still what the least fill gives it, and that goes with the tet as its nodes do. */
static void add_middle(lt_ladder_build *b, tet_pieces *pieces, uint32_t tet, lt_dvec3 middle) {
    uint32_t tets[LT_LADDER_MOST] = {tet};
    for (uint32_t level = 1; level < b->level_count; level++)
        tets[level] = b->ladder.tet_begin[level] + lt_ladder_locate(b, level, middle, b->anchors[0][tet]).tet;
    add_sample(b, pieces, tets);
}

static void cut_tet(lt_ladder_build *b, tet_pieces *pieces, uint32_t tet, uint32_t last[LT_LADDER_MOST]) {
    lt_dvec3 points[LT_LADDER_SAMPLES], middle = {0};
    pieces->count = pieces->sample_count = 0;
    lt_ladder_sample_tet(points, &b->levels[0].mesh, tet);
    for (uint32_t i = 0; i < LT_LADDER_SAMPLES; i++) {
        uint32_t tets[LT_LADDER_MOST] = {tet};
        middle = lt_d3_mad(middle, points[i], 1.0 / LT_LADDER_SAMPLES);
        if (!lt_ladder_is_solid(b, points[i]) || !owns_sample(b, tet, points[i])) continue;
        for (uint32_t level = 1; level < b->level_count; level++) {
            last[level] = locate_sample(b, level, points[i], tet, last[level]);
            tets[level] = b->ladder.tet_begin[level] + last[level];
        }
        add_sample(b, pieces, tets);
    }
    if (pieces->count == 0) add_middle(b, pieces, tet, middle);
}

/* Slivers are given to the others: a quarter of all pieces on which a hundredth of the solid falls. */
static bool keep_pieces(lt_ladder_build *b, const tet_pieces *pieces, double volume) {
    uint32_t least = pieces->sample_count / LEAST_SHARE, kept = 0;
    for (uint32_t i = 0; i < pieces->count; i++)
        kept += pieces->samples[i] > least ? pieces->samples[i] : 0;
    for (uint32_t i = 0; i < pieces->count; i++) {
        if (kept > 0 && pieces->samples[i] <= least) continue;
        float share = (float)(volume * pieces->samples[i] / (kept > 0 ? kept : pieces->sample_count));
        uint32_t *tets = lt_array_grow(&b->piece_tets, b->level_count);
        if (!tets || !lt_array_push(&b->piece_volumes, &share)) return false;
        memcpy(tets, pieces->tets[i], b->level_count * sizeof *tets);
    }
    return true;
}

/* By the coarsest tet, then the next finer one, …: what tets of coarse levels have in common then lies side by side, which is
 * how fronts are updated (body/multigrid_front.c). One level after the other by counting, the finest first. */
static bool sort_by_level(lt_ladder_build *b, uint32_t level, uint32_t *order, uint32_t *sorted) {
    const uint32_t *tets = b->piece_tets.items;
    uint32_t first = b->ladder.tet_begin[level], count = b->ladder.tet_begin[level + 1] - first;
    uint32_t pieces = (uint32_t)b->piece_volumes.count;
    uint32_t *begin = LT_NEW(&b->allocator, (size_t)count + 1, uint32_t);
    if (!begin) return false;
    for (uint32_t i = 0; i < pieces; i++)
        begin[tets[(size_t)i * b->level_count + level] - first + 1]++;
    for (uint32_t i = 0; i < count; i++)
        begin[i + 1] += begin[i];
    for (uint32_t i = 0; i < pieces; i++)
        sorted[begin[tets[(size_t)order[i] * b->level_count + level] - first]++] = order[i];
    memcpy(order, sorted, pieces * sizeof *order);
    LT_DELETE(&b->allocator, begin, (size_t)count + 1, uint32_t);
    return true;
}

static bool reorder_pieces(lt_ladder_build *b, const uint32_t *order) {
    lt_array tets = LT_ARRAY_OF(&b->allocator, uint32_t), volumes = LT_ARRAY_OF(&b->allocator, float);
    bool ok = true;
    for (uint32_t i = 0; i < b->piece_volumes.count && ok; i++) {
        uint32_t *row = lt_array_grow(&tets, b->level_count);
        ok = row && lt_array_push(&volumes, (const float *)b->piece_volumes.items + order[i]);
        if (ok)
            memcpy(row, (const uint32_t *)b->piece_tets.items + (size_t)order[i] * b->level_count,
                   b->level_count * sizeof *row);
    }
    lt_array_free(ok ? &b->piece_tets : &tets);
    lt_array_free(ok ? &b->piece_volumes : &volumes);
    if (ok) b->piece_tets = tets;
    if (ok) b->piece_volumes = volumes;
    return ok;
}

static bool sort_pieces(lt_ladder_build *b) {
    size_t count = b->piece_volumes.count;
    uint32_t *order = LT_NEW(&b->allocator, count, uint32_t),
             *sorted = LT_NEW(&b->allocator, count, uint32_t);
    bool ok = order && sorted;
    for (uint32_t i = 0; ok && i < count; i++)
        order[i] = i;
    for (uint32_t level = 0; level < b->level_count && ok; level++)
        ok = sort_by_level(b, level, order, sorted);
    ok = ok && reorder_pieces(b, order);
    LT_DELETE(&b->allocator, order, count, uint32_t);
    LT_DELETE(&b->allocator, sorted, count, uint32_t);
    return ok;
}

lt_status lt_ladder_make_pieces(lt_ladder_build *b, lt_error *error) {
    const lt_ladder_level *finest = &b->levels[0];
    tet_pieces pieces;
    uint32_t last[LT_LADDER_MOST];
    bool ok = true;
    memset(last, 0xff, sizeof last);
    b->piece_tets = LT_ARRAY_OF(&b->allocator, uint32_t);
    b->piece_volumes = LT_ARRAY_OF(&b->allocator, float);
    for (uint32_t tet = 0; tet < finest->mesh.tet_count && ok; tet++) {
        cut_tet(b, &pieces, tet, last);
        ok = keep_pieces(b, &pieces, (double)finest->fill[tet] * lt_ladder_tet_volume(&finest->mesh, tet));
    }
    ok = ok && sort_pieces(b);
    return ok ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for the pieces of a ladder", b->name);
}
