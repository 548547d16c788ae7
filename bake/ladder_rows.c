/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Rows between levels and the node forest.
 *
 * A node's tet in the other level is the one that holds it. Where several do (copies), or none, the surface tells: the vertex
 * nearest to the node in its own mesh lies in a known tet of the other level, of the right limb, and tet_finder.h goes on
 * from there. */

#include "bake/ladder.h"

#include "bake/skin_write.h"
#include "embed/embed.h"

#include <math.h>
#include <string.h>

#define LEAST_WEIGHT (-0.5)
/* Nearer to a face than that share of a tet, a point may as well be in the tet behind it. */
#define ON_FACE 1e-9

/* ---- anchors ---- */

static lt_dvec3 centroid_of(const lt_tet_mesh *mesh, uint32_t tet) {
    lt_dvec3 sum = {0};
    for (int k = 0; k < 4; k++)
        sum = lt_d3_mad(sum, mesh->positions[lt_tet_at(mesh, tet)[k]], 0.25);
    return sum;
}

static double distance_to_vertex(const lt_ladder_build *b, uint32_t vertex, lt_dvec3 p) {
    return lt_d3_distance(lt_d3_from_v3(b->surface->positions[vertex]), p);
}

/* Tets that hold vertices: the one nearest to the middle. */
static void anchor_holders(lt_ladder_build *b, uint32_t level, uint32_t *anchors) {
    const lt_ladder_level *l = &b->levels[level];
    for (uint32_t vertex = 0; vertex < b->surface->vertex_count; vertex++) {
        uint32_t tet = l->vertex_tets[vertex];
        if (tet == LT_NONE) continue;
        lt_dvec3 middle = centroid_of(&l->mesh, tet);
        if (anchors[tet] == LT_NONE ||
            distance_to_vertex(b, vertex, middle) < distance_to_vertex(b, anchors[tet], middle))
            anchors[tet] = vertex;
    }
}

/* The others, by the number of faces from one that does; `queue` has room for all tets. */
static void spread_anchors(const lt_tet_adjacency *adjacency, uint32_t *anchors, uint32_t *queue) {
    uint32_t count = 0;
    for (uint32_t tet = 0; tet < adjacency->tet_count; tet++)
        if (anchors[tet] != LT_NONE) queue[count++] = tet;
    for (uint32_t i = 0; i < count; i++)
        for (int face = 0; face < 4; face++) {
            uint32_t other = adjacency->neighbours[4 * (size_t)queue[i] + (size_t)face];
            if (other == LT_NONE || anchors[other] != LT_NONE) continue;
            anchors[other] = anchors[queue[i]];
            queue[count++] = other;
        }
}

lt_status lt_ladder_find_anchors(lt_ladder_build *b, lt_error *error) {
    for (uint32_t level = 0; level < b->level_count; level++) {
        const lt_tet_mesh *mesh = &b->levels[level].mesh;
        lt_tet_finder *finder = &b->finders[level];
        lt_status status = lt_tet_finder_build(finder, mesh, &b->allocator, error);
        if (status != LT_OK) return status;
        uint32_t *anchors = b->anchors[level] = LT_NEW(&b->allocator, mesh->tet_count, uint32_t);
        if (!anchors)
            return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %u tets", b->name, mesh->tet_count);
        for (uint32_t tet = 0; tet < mesh->tet_count; tet++)
            anchors[tet] = LT_NONE;
        anchor_holders(b, level, anchors);
        spread_anchors(&finder->adjacency, anchors, finder->found);
    }
    return LT_OK;
}

/* Of a node: the nearest of those of the tets around it. */
static uint32_t anchor_of_node(const lt_ladder_build *b, uint32_t level, uint32_t node) {
    const lt_rows *around = &b->finders[level].adjacency.node_tets;
    lt_dvec3 p = b->levels[level].mesh.positions[node];
    uint32_t best = LT_NONE;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < lt_rows_count(around, node); i++) {
        uint32_t vertex = b->anchors[level][lt_rows_at(around, node)[i]];
        if (vertex == LT_NONE || distance_to_vertex(b, vertex, p) >= nearest) continue;
        nearest = distance_to_vertex(b, vertex, p);
        best = vertex;
    }
    return best;
}

lt_held_point lt_ladder_locate(lt_ladder_build *b, uint32_t level, lt_dvec3 p, uint32_t anchor) {
    const lt_ladder_level *l = &b->levels[level];
    lt_held_point held = {.tet = LT_NONE};
    if (anchor != LT_NONE && l->vertex_tets[anchor] != LT_NONE)
        held = lt_tet_finder_reach(&b->finders[level], p, l->vertex_tets[anchor],
                                   distance_to_vertex(b, anchor, p));
    if (held.tet == LT_NONE) held.tet = lt_holding_tet(held.weights, &l->mesh, NULL, l->mesh.tet_count, 1, p);
    LT_ASSERT(held.tet != LT_NONE);
    return held;
}

/* ---- rows ---- */

/* Inside the solid, a mesh without copies has one tet for every place, and it is the right one. */
static lt_held_point locate_node(lt_ladder_build *b, uint32_t level, uint32_t node, uint32_t into) {
    lt_dvec3 p = b->levels[level].mesh.positions[node];
    if (!b->levels[level].overlaps && !b->is_sheet && lt_ladder_is_solid(b, p)) {
        lt_held_point held = lt_tet_finder_hold(&b->finders[into], p, -ON_FACE);
        if (held.count == 1) return held;
    }
    return lt_ladder_locate(b, into, p, anchor_of_node(b, level, node));
}

static void clamp_weights(double w[4]) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += w[k] = lt_max_d(w[k], LEAST_WEIGHT);
    for (int k = 0; k < 4; k++)
        w[k] /= sum;
}

/* Rows of all nodes of a level into another. */
static void make_rows(lt_ladder_build *b, uint32_t level, uint32_t into, uint32_t *tets, float *weights) {
    for (uint32_t node = 0; node < b->levels[level].mesh.node_count; node++) {
        lt_held_point held = locate_node(b, level, node, into);
        if (b->clamps) clamp_weights(held.weights);
        tets[node] = b->ladder.tet_begin[into] + held.tet;
        for (int k = 0; k < 4; k++)
            weights[4 * (size_t)node + (size_t)k] = (float)held.weights[k];
    }
}

static void choose_parents(lt_ladder_build *b, uint32_t level) {
    const lt_tet_mesh *mesh = &b->mesh;
    for (uint32_t node = lt_ladder_node_begin(b, level); node < lt_ladder_node_begin(b, level + 1); node++) {
        const uint32_t *tet = lt_tet_at(mesh, b->above_tets[node]);
        uint32_t parent = tet[0];
        for (int k = 1; k < 4; k++)
            if (lt_d3_distance(mesh->positions[tet[k]], mesh->positions[node]) <
                lt_d3_distance(mesh->positions[parent], mesh->positions[node]))
                parent = tet[k];
        b->parents[node] = parent;
    }
}

static void make_far_rows(lt_ladder_build *b, uint32_t level) {
    for (uint32_t into = level + 2; into + 1 < b->level_count; into++) {
        size_t first = lt_ladder_far_begin(&b->ladder, level, into);
        make_rows(b, level, into, b->far_tets + first, b->far_weights + 4 * first);
    }
}

lt_status lt_ladder_make_rows(lt_ladder_build *b, lt_error *error) {
    size_t far = lt_ladder_far_count(&b->ladder);
    size_t above = lt_ladder_node_begin(b, b->level_count - 1);
    size_t below = b->mesh.node_count - lt_ladder_node_begin(b, 1);
    b->above_tets = LT_NEW(&b->allocator, above, uint32_t);
    b->parents = LT_NEW(&b->allocator, above, uint32_t);
    b->above_weights = LT_NEW(&b->allocator, 4 * above, float);
    b->far_tets = LT_NEW(&b->allocator, far, uint32_t);
    b->far_weights = LT_NEW(&b->allocator, 4 * far, float);
    b->below_tets = LT_NEW(&b->allocator, below, uint32_t);
    b->below_weights = LT_NEW(&b->allocator, 4 * below, float);
    if (!b->above_tets || !b->parents || !b->above_weights || !b->far_tets || !b->far_weights ||
        !b->below_tets || !b->below_weights)
        return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for rows of %u nodes", b->name,
                       b->mesh.node_count);
    for (uint32_t level = 0; level < b->level_count; level++) {
        size_t first = lt_ladder_node_begin(b, level);
        if (level + 1 < b->level_count) {
            make_rows(b, level, level + 1, b->above_tets + first, b->above_weights + 4 * first);
            choose_parents(b, level);
        }
        make_far_rows(b, level);
        if (level == 0) continue;
        first -= lt_ladder_node_begin(b, 1);
        make_rows(b, level, level - 1, b->below_tets + first, b->below_weights + 4 * first);
    }
    return LT_OK;
}
