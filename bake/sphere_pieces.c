/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/sphere_pieces.h"
#include "bake/rest_tree.h"

#include <string.h>

/* Room for float rounding of centre and radius of a sphere and its child, a few times over. */
#define LAYER_MARGIN 5e-7

void lt_sphere_piece_corners(const lt_surface *surface, const lt_sphere_piece *piece, lt_dvec3 corners[3]) {
    lt_dvec3 t[3];
    lt_triangle_corners(surface, piece->triangle, t);
    for (int k = 0; k < 3; k++) {
        const double *w = piece->corners[k];
        corners[k] = lt_d3_mad(lt_d3_mad(lt_d3_scale(t[0], w[0]), t[1], w[1]), t[2], w[2]);
    }
}

/* ---- fitting ---- */

static void fit_to_pieces(lt_rest_tree *tree, const lt_surface *surface) {
    for (uint32_t i = 0; i < tree->piece_count; i++) {
        lt_dvec3 t[3];
        lt_sphere_piece_corners(surface, &tree->pieces[i], t);
        double area = 0.5 * lt_d3_length(lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0])));
        for (uint32_t s = tree->pieces[i].leaf; s != LT_NONE; s = tree->spheres[s].parent) {
            lt_rest_sphere *sphere = &tree->spheres[s];
            sphere->radius = lt_max_d(sphere->radius, lt_sphere_piece_reach(sphere, t));
            sphere->area += area;
        }
    }
}

static double farthest_coordinate(lt_dvec3 p) {
    return lt_max_d(fabs(p.x), lt_max_d(fabs(p.y), fabs(p.z)));
}

/* Children come after their parents, so backwards they are ready. */
static void hold_children(lt_rest_tree *tree) {
    for (uint32_t i = tree->sphere_count; i-- > 1;) {
        const lt_rest_sphere *child = &tree->spheres[i];
        lt_rest_sphere *parent = &tree->spheres[child->parent];
        double radius = lt_d3_distance(child->center, parent->center) + child->radius;
        double size = lt_max_d(farthest_coordinate(child->center), farthest_coordinate(parent->center));
        parent->radius = lt_max_d(parent->radius, radius + LAYER_MARGIN * (size + radius));
    }
}

void lt_sphere_fit(lt_rest_tree *tree, const lt_surface *surface, bool keeps_radii) {
    for (uint32_t i = 0; i < tree->sphere_count; i++) {
        tree->spheres[i].area = 0;
        if (!keeps_radii) tree->spheres[i].radius = 0;
    }
    fit_to_pieces(tree, surface);
    if (tree->layered) hold_children(tree);
}

/* ---- groups ---- */

static void sort_by_owner(lt_piece_groups *g) {
    uint32_t sphere_count = g->tree->sphere_count, piece_count = g->tree->piece_count;
    memset(g->begins, 0, (sphere_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < piece_count; i++)
        g->begins[g->owners[i]]++;
    for (uint32_t i = 0, sum = 0; i <= sphere_count; i++) {
        sum += g->begins[i];
        g->begins[i] = sum;
    }
    for (uint32_t i = piece_count; i-- > 0;) /* backwards from the ends: what is left are the begins */
        g->order[--g->begins[g->owners[i]]] = i;
}

lt_status lt_piece_groups_build(lt_piece_groups *out, const lt_rest_tree *tree, lt_error *error) {
    *out = (lt_piece_groups){.tree = tree};
    out->owners = LT_NEW(&tree->allocator, tree->piece_count, uint32_t);
    out->order = LT_NEW(&tree->allocator, tree->piece_count, uint32_t);
    out->begins = LT_NEW(&tree->allocator, tree->sphere_count + 1, uint32_t);
    if (!out->owners || !out->order || !out->begins) {
        lt_piece_groups_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to sort %u pieces",
                       tree->piece_count);
    }
    for (uint32_t i = 0; i < tree->piece_count; i++)
        out->owners[i] = tree->pieces[i].leaf;
    sort_by_owner(out);
    return LT_OK;
}

void lt_piece_groups_free(lt_piece_groups *groups) {
    const lt_rest_tree *tree = groups->tree;
    if (!tree) return;
    LT_DELETE(&tree->allocator, groups->owners, tree->piece_count, uint32_t);
    LT_DELETE(&tree->allocator, groups->order, tree->piece_count, uint32_t);
    LT_DELETE(&tree->allocator, groups->begins, tree->sphere_count + 1, uint32_t);
    *groups = (lt_piece_groups){0};
}

void lt_piece_groups_rise(lt_piece_groups *groups, uint32_t level) {
    const lt_rest_sphere *spheres = groups->tree->spheres;
    if (level == 0) return;
    for (uint32_t i = 0; i < groups->tree->piece_count; i++)
        if (spheres[groups->owners[i]].level == level) groups->owners[i] = spheres[groups->owners[i]].parent;
    sort_by_owner(groups);
}
