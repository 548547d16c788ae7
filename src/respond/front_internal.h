/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Inside the answer to a front: what front.c (bodies) and front_obstacle.c share, the answer of roots (front_box.c, front_gap.c), where contacts
 * are held (front_attach.c), and which of them are kept (front_keep.c). */

#ifndef LITHE_RESPOND_FRONT_INTERNAL_H
#define LITHE_RESPOND_FRONT_INTERNAL_H

#include "respond/respond.h"

/* ---- places ---- */

/* Holds a point by the tet that is best for a place at the rim of a sphere. */
bool lt_attach_near(lt_attachment *hold, const lt_collider *collider, uint32_t node, lt_vec3 point);
/* By a frame, for places beside the body; contacts share them out by `which`. False: it does not reach that far. */
bool lt_attach_in_frame(lt_attachment *hold, const lt_collider *collider, uint32_t which, lt_vec3 point);
/* By the tet near the sphere where that reaches it well, else by the frame. */
bool lt_attach_beside(lt_attachment *hold, const lt_collider *collider, uint32_t node, lt_vec3 point);
/* The middle of the tet that holds a sphere's centre; returns where that is. */
lt_vec3 lt_attach_middle(lt_attachment *hold, const lt_collider *collider, uint32_t node);
/* The two sides of a touch, whose normal and depth are known, while the spheres leave open where the bodies meet, if they do. */
bool lt_attach_undecided(lt_touch *touch, const lt_collider *a, uint32_t own, const lt_collider *b,
                         uint32_t other, lt_vec3 point);
/* Where a point of the surface is now. */
lt_vec3 lt_surface_point(const lt_collider *collider, uint32_t point);

/* ---- spheres of the first body, on which contacts are added up ---- */

static inline float lt_sphere_area(const lt_spheres *spheres, uint32_t node) {
    LT_ASSERT(node < LT_LANES * spheres->tree->block_count);
    return lt_ball(spheres->tree, LT_BALL_AREA, node) * spheres->scale * spheres->scale;
}

/* The sphere on which a contact of this one is added up. */
static inline uint32_t lt_sum_node(const lt_sphere_tree *tree, uint32_t node, uint32_t detail) {
    LT_ASSERT(node < LT_LANES * tree->block_count);
    while (tree->levels[lt_block_of(node)] > detail)
        node = tree->parents[lt_block_of(node)];
    return node;
}

static inline void lt_see_node(lt_front_scratch *scratch, uint32_t *seen, uint32_t node, uint32_t kind) {
    LT_ASSERT(node < scratch->node_capacity);
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

/* ---- boxes, for roots ---- */

/* How far two boxes are apart along the axis on which they are so the most, or overlap the least (< 0). */
typedef struct lt_box_facing {
    int axis;
    float gap;
    float sign; /* of the way from b to a */
} lt_box_facing;
lt_box_facing lt_face_boxes(lt_box a, lt_box b);
static inline lt_vec3 lt_along_axis(int axis, float value) {
    LT_ASSERT(axis >= 0 && axis < 3);
    return (lt_vec3){axis == 0 ? value : 0, axis == 1 ? value : 0, axis == 2 ? value : 0};
}
/* How far the boxes of the two sides are apart; 0: they overlap. */
float lt_box_gap(const lt_front *front);
/* Whether the boxes of two bodies overlap little, if at all: then they face each other clearly, along one axis. */
bool lt_boxes_face(const lt_front *front);
/* That way; or `otherwise`. */
lt_vec3 lt_box_normal(const lt_front *front, lt_vec3 otherwise);
/* Contacts at places spread over where the boxes of two bodies face each other, or at the parts of a body beside an
 * obstacle; those that are held, while the boxes overlap. */
void lt_answer_with_boxes(lt_front *front);
/* Whether the front is the two roots, and its answer then: features are the lanes of the root's block. */
bool lt_only_roots(const lt_front *front);
uint32_t lt_respond_with_boxes(lt_front *front);

#endif
