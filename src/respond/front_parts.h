/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the answer to a front: what front.c (bodies) and front_obstacle.c share, and where contacts are held
 * (front_hold.c). */

#ifndef LITHE_RESPOND_FRONT_PARTS_H
#define LITHE_RESPOND_FRONT_PARTS_H

#include "respond/respond.h"

/* ---- places ---- */

/* Weights that reproduce the point in a tet; false when the tet is flat. */
bool lt_hold_in_tet(lt_hold *hold, const lt_collider *collider, uint32_t tet, lt_vec3 point);
/* The same in the tet that is best for a place at the rim of a sphere. */
bool lt_hold_near(lt_hold *hold, const lt_collider *collider, uint32_t node, lt_vec3 point);
/* The middle of the tet that holds a sphere's centre; returns where that is. */
lt_vec3 lt_hold_middle(lt_hold *hold, const lt_collider *collider, uint32_t node);
/* The two sides of a touch, whose normal is known, while the spheres leave open where the bodies meet, if they do. */
bool lt_hold_undecided(lt_touch *touch, const lt_collider *a, uint32_t own, const lt_collider *b,
                       uint32_t other, lt_vec3 point);
/* Where a point of the surface is now. */
lt_vec3 lt_surface_point(const lt_collider *collider, uint32_t point);

/* ---- spheres of the first body, on which contacts are added up ---- */

static inline float lt_sphere_area(const lt_spheres *spheres, uint32_t node) {
    return lt_ball(spheres->tree, LT_BALL_AREA, node) * spheres->scale * spheres->scale;
}

/* The sphere on which a contact of this one is added up. */
static inline uint32_t lt_sum_node(const lt_sphere_tree *tree, uint32_t node, uint32_t detail) {
    while (tree->levels[lt_block_of(node)] > detail)
        node = tree->parents[lt_block_of(node)];
    return node;
}

static inline void lt_see_node(lt_front_scratch *scratch, uint32_t *seen, uint32_t node, uint32_t kind) {
    if (!scratch->sums[node].kind) scratch->seen[(*seen)++] = node;
    scratch->sums[node].kind |= kind;
}

static inline void lt_log_sphere(lt_sphere_log *log, uint32_t body, uint32_t node) {
    if (log && log->count < log->capacity) log->spheres[log->count++] = (lt_logged_sphere){body, node};
}

/* A front that was cut says nothing yet of what lies under its undecided spheres; a contact that was found there before
 * lives on, and stands for that sphere. What the front has decided replaces it. */
void lt_keep_held(lt_front *front, const lt_sphere_tree *tree);

uint32_t lt_respond_to_obstacle(lt_front *front);

#endif
