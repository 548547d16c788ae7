/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a world knows, as lines and points for the caller to draw: bounds, contacts, and where the clock stopped.
 *
 * Nothing is drawn here, nothing allocated, and nothing that decides the future is changed. Colours are 0xRRGGBB. The order of the
 * calls is that of bodies, contacts and pairs, the same on every machine. */

#ifndef LITHE_DEBUG_DRAW_H
#define LITHE_DEBUG_DRAW_H

#include "lithe/world.h"

LT_EXTERN_C_BEGIN

/* Bits of lt_debug_draw.what. */
typedef enum lt_draw_what {
    /* Level 0: a box around each body as it is now, grey when asleep. Deeper levels are those of the method, in a colour each:
     * sphere-tree the spheres of a level, as three circles; multiscale the boxes of a level; cell-box the boxes in the cells (its
     * only level, 1); others have none. Spheres and boxes of trees are those that the last step came to, as it had them: what is
     * missing was not looked at. */
    LT_DRAW_BOUNDS = 1 << 0,
    /* A point each, green where exact, orange where approximate, violet where predicted, and the greyer the older (20 steps: grey);
     * with force_scale a line along the force on body_a, too. */
    LT_DRAW_CONTACTS = 1 << 1,
    /* Pairs that the last step did not come to, or not to the end: a line between the middles of the two bodies, or from the body to
     * the obstacle, or a point in a body that waits for itself; from yellow to red, by the steps that it has waited (20: red). */
    LT_DRAW_STOPPED = 1 << 2
} lt_draw_what;

typedef struct lt_debug_draw {
    uint32_t what;     /* bits; default all */
    uint32_t level;    /* of the bounds; default 0 */
    float force_scale; /* m per N; default 0: no forces */
    lt_body_id body;   /* only bounds, contacts and pairs of this one; default null: all */
    double from[3];    /* m, what the places that are drawn are offsets from; default 0: the world's origin */
    /* Either may be NULL: then there are none. They must not change the world. */
    void (*line)(void *context, lt_vec3 from, lt_vec3 to, uint32_t color);
    void (*point)(void *context, lt_vec3 at, uint32_t color);
    void *context;
    uint64_t cookie; /* set by lt_debug_draw_default; anything else is a caller's bug */
} lt_debug_draw;

LT_API lt_debug_draw lt_debug_draw_default(void);
LT_API void lt_world_debug_draw(const lt_world *world, const lt_debug_draw *draw);

LT_EXTERN_C_END

#endif
