/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Winding numbers: the sum of the solid angles of triangles, and its far field.
 *
 * Seen from far away a cluster of triangles is one dipole: its solid angle is d . r / |r|^3 with d the sum of
 * area times normal and r from the point to the cluster's centre (Barill, Dickson, Schmidt, Levin, Jacobson,
 * "Fast Winding Numbers for Soups and Clouds", 2018, the first-order expansion). */

#include "bake/winding.h"
#include "bake/triangle_tree.h"
#include "mesh/closest.h"

#define FOUR_PI 12.566370614359172

static double angle_of(const lt_surface *surface, uint32_t triangle, lt_dvec3 p) {
    lt_dvec3 t[3];
    lt_triangle_corners(surface, triangle, t);
    return lt_solid_angle(t, p);
}

double lt_winding_number(const lt_surface *surface, lt_dvec3 p) {
    double angle = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++)
        angle += angle_of(surface, i, p);
    return angle / FOUR_PI;
}

/* The mean centroid by area; the box's centre when there is no area. Fills the dipole on the way. */
static lt_dvec3 compute_centre(const lt_triangle_tree *tree, const lt_tree_node *node, lt_dvec3 *dipole) {
    lt_dvec3 moment = {0}, sum = {0}, t[3];
    double total = 0;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        lt_triangle_corners(tree->surface, tree->triangles[i], t);
        lt_dvec3 normal = lt_d3_scale(lt_d3_cross(lt_d3_sub(t[1], t[0]), lt_d3_sub(t[2], t[0])), 0.5);
        double area = lt_d3_length(normal);
        moment = lt_d3_mad(moment, lt_d3_add(lt_d3_add(t[0], t[1]), t[2]), area / 3);
        total += area;
        sum = lt_d3_add(sum, normal);
    }
    *dipole = sum;
    if (total > 0) return lt_d3_scale(moment, 1 / total);
    return lt_d3_scale(lt_d3_add(lt_d3_from_v3(node->box.lo), lt_d3_from_v3(node->box.hi)), 0.5);
}

static lt_winding_cluster compute_cluster(const lt_triangle_tree *tree, const lt_tree_node *node) {
    lt_winding_cluster cluster;
    cluster.centre = compute_centre(tree, node, &cluster.dipole);
    double radius_squared = 0;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(tree->surface, tree->triangles[i], t);
        for (int k = 0; k < 3; k++)
            radius_squared = lt_max_d(radius_squared, lt_d3_length_squared(lt_d3_sub(t[k], cluster.centre)));
    }
    cluster.radius = sqrt(radius_squared);
    return cluster;
}

lt_status lt_winding_tree_build(lt_winding_tree *out, const lt_triangle_tree *tree,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_winding_tree){.tree = tree,
                             .cluster_count = tree->node_count,
                             .allocator = allocator ? *allocator : lt_allocator_default()};
    out->clusters = LT_NEW(&out->allocator, tree->node_count, lt_winding_cluster);
    if (!out->clusters) {
        lt_winding_tree_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the clusters of %u tree nodes",
                       tree->node_count);
    }
    for (uint32_t i = 0; i < tree->node_count; i++)
        out->clusters[i] = compute_cluster(tree, &tree->nodes[i]);
    return LT_OK;
}

void lt_winding_tree_free(lt_winding_tree *winding) {
    LT_DELETE(&winding->allocator, winding->clusters, winding->cluster_count, lt_winding_cluster);
    *winding = (lt_winding_tree){0};
}

/* The solid angle of the leaf's triangles. */
static double leaf_angle(const lt_triangle_tree *tree, const lt_tree_node *leaf, lt_dvec3 p) {
    double angle = 0;
    for (uint32_t i = leaf->first; i < leaf->first + leaf->count; i++)
        angle += angle_of(tree->surface, tree->triangles[i], p);
    return angle;
}

double lt_winding_number_fast(const lt_winding_tree *winding, lt_dvec3 p, double accuracy) {
    LT_ASSERT(accuracy > 1); /* inside the radius the dipole means nothing */
    const lt_triangle_tree *tree = winding->tree;
    uint32_t stack[64] = {0}; /* the depth of a triangle tree is at most 31 */
    int count = tree->node_count > 0;
    double angle = 0;
    while (count > 0) {
        uint32_t index = stack[--count];
        const lt_tree_node *node = &tree->nodes[index];
        const lt_winding_cluster *cluster = &winding->clusters[index];
        lt_dvec3 r = lt_d3_sub(cluster->centre, p);
        double distance = lt_d3_length(r);
        if (distance > accuracy * cluster->radius && distance > 0) {
            angle += lt_d3_dot(cluster->dipole, r) / (distance * distance * distance);
        } else if (node->right == 0) {
            angle += leaf_angle(tree, node, p);
        } else {
            LT_ASSERT(count + 2 <= 64);
            stack[count++] = node->right;
            stack[count++] = index + 1;
        }
    }
    return angle / FOUR_PI;
}
