/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Questions to a world between its steps: what does a ray meet first?
 *
 * An answer is about the surfaces as lt_body_surface gives them now: deformed, asleep or not, of every model and embedding.
 * It changes nothing that decides the future, allocates nothing, and is the same on every machine. Obstacles are met as the bodies
 * meet them: planes, spheres, capsules and boxes exactly, meshes where the grid of their distances is zero. */

#ifndef LITHE_QUERY_H
#define LITHE_QUERY_H

#include "lithe/world.h"

LT_EXTERN_C_BEGIN

typedef struct lt_ray {
    lt_vec3 origin;      /* finite */
    lt_vec3 direction;   /* finite and not zero; need not be of unit length */
    float max_distance;  /* m, not negative; lt_ray_along sets infinity: no end */
    uint32_t mask;       /* only what has a bit of it in its collision_group; lt_ray_along sets all bits */
    lt_body_id body;     /* only this one; null, as lt_ray_along sets it: all, and obstacles */
    bool skip_obstacles; /* only bodies; lt_ray_along sets false */
    double from[3];      /* m, what the origin and the hit's point are offsets from; lt_ray_along sets 0 */
} lt_ray;

typedef struct lt_ray_hit {
    lt_body_id body;         /* null: no body was met */
    lt_obstacle_id obstacle; /* null: no obstacle was met; one of the two is, or else all is zero */
    uint32_t triangle;       /* of the body's lt_body_surface; of obstacles 0 */
    float weights[3]; /* of the triangle's corners at the point: none negative, sum 1; of obstacles 0 */
    float distance;   /* m, from the origin */
    lt_vec3 point;    /* from lt_ray.from */
    lt_vec3
        normal; /* unit, of the triangle as it is wound, or out of the obstacle: from whichever side the ray came */
} lt_ray_hit;

/* A ray without an end that meets every body and obstacle. */
LT_API lt_ray lt_ray_along(lt_vec3 origin, lt_vec3 direction);
/* Finds the first triangle or obstacle on the way, of either side; of equally near ones a body's, that of the body in the lower slot,
 * then the one of lower index. False: there is none. No ray slips through between triangles: edges and corners belong to all triangles that have
 * them, decided exactly. Triangles that are met edge on, or have no area, are not met themselves, only their neighbours. `hit` may be NULL.
 * Takes the time of one look at every node and, of bodies whose boxes it enters on the way, at every triangle.
 * A ray that breaks the rules above is a caller's bug: nothing is met. */
LT_API bool lt_world_ray_cast(lt_world *world, const lt_ray *ray, lt_ray_hit *hit);

LT_EXTERN_C_END

#endif
