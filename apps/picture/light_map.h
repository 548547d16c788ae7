/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Square maps of the meshes seen along parallel rays, and the two things read from them:
 *
 *   shadow   seen from the sun. A point is compared with a tent of texels around it; how wide follows from
 *            the distance to what is in the way (percentage-closer soft shadows, Fernando 2005), so
 *            shadows are crisp at a contact and soft far from it. Against acne: the point is moved along
 *            its normal by a texel or two, and each texel is compared with the point's tangent plane.
 *   contact  seen from below the floor: height of the lowest surface, turned into how much of the sky a
 *            floor point loses to what is right above it.
 *
 * A map's depth grows towards the side it is seen from. Most points are far from any shadow's edge, so
 * the shadow map keeps the range of depths per tile and its neighbours and answers from that alone. */

#ifndef LITHE_PICTURE_LIGHT_MAP_H
#define LITHE_PICTURE_LIGHT_MAP_H

#include "picture/fill.h"
#include "picture/picture.h"

#include "core/memory.h"

#define LT_SHADOW_SIZE  1024
#define LT_SHADOW_TILE  16
#define LT_SHADOW_TILES (LT_SHADOW_SIZE / LT_SHADOW_TILE)
#define LT_CONTACT_SIZE 192

typedef struct lt_light_map {
    int32_t size;
    float texel; /* side of a texel in the scene's unit */
    float texels_per_unit;
    lt_vec3 center;
    lt_vec3 axis_u, axis_v, toward; /* unit, square to each other; depth is measured along `toward` */
    float *depths;                  /* [size][size] */
} lt_light_map;

typedef struct lt_shadow {
    lt_light_map map;
    float *tile_lo, *tile_hi; /* [LT_SHADOW_TILES][LT_SHADOW_TILES], over the tile and its 8 neighbours */
    float width;              /* lt_picture.sun_width */
} lt_shadow;

typedef struct lt_contact_map {
    lt_light_map map;
    float *darkness; /* [size][size], 0 open sky, 1 covered */
} lt_contact_map;

/* Upper bounds on what the fill functions take from an arena besides a corner per vertex of one mesh. */
size_t lt_light_map_memory(void);

/* False when the arena is too small. `radius`, `center`: the ball that gets shadows. */
bool lt_shadow_fill(lt_shadow *shadow, const lt_picture *picture, lt_vec3 center, float radius,
                    lt_arena *arena);
bool lt_contact_fill(lt_contact_map *contact, const lt_picture *picture, lt_vec3 center, float radius,
                     lt_arena *arena);

/* How much of the sun a point with a unit normal turned to the sun gets, 0 to 1. */
float lt_shadow_light(const lt_shadow *shadow, lt_vec3 point, lt_vec3 normal);
/* How much of the sky a floor point loses, 0 to 1. */
float lt_contact_darkness(const lt_contact_map *contact, lt_vec3 point);

#endif
