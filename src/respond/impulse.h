/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of cells that touch are answered at once: an impulse on the velocities, a correction of the positions (papers/002 §7;
 * spec 3.3, J6, J7).
 *
 * The point P of the touch is held by the nodes of either cell, by w in the inner and a in the outer one: weights that
 * reproduce P, so that both sides act at one place and neither linear nor angular momentum is made. In the inner cell they
 * are known; in the outer one the place ξ with tri(ξ) = P is found by Newton, beyond the cell too.
 *
 *     W = Σ w²/m + Σ a²/m      u = v_inner(P) − v_outer(P)      u_n = u · N, N out of the outer box
 *     u_n < 0:  j = −(1 + e) u_n / W,   j_t = min(μ j, |u_t| / W),   J = j N − j_t u_t/|u_t|
 *     v_inner += w/m J,  v_outer −= a/m J;   x_inner += w/m (r/W) N,  x_outer −= a/m (r/W) N,   r = min(depth, cap)
 *
 * Without the cap a tenth of a metre of overlap at the start blew up; P is moved away from the material of the outer cell, not
 * from its plane, which follows, so that some of the depth is left: hence up to three corrections a pair and step.
 * No node goes farther than four times P does: where only one node, of little weight, can move, P stays behind.
 *
 * As printed (mode paper): every node of both cells loses (1 − α) of its own normal and (1 − β) of its own tangential
 * velocity, whatever the other body does, and is moved by half the depth; the signs of (9) are those that part the two. */

#ifndef LITHE_RESPOND_IMPULSE_H
#define LITHE_RESPOND_IMPULSE_H

#include "body/body.h"
#include "detect/boxes.h"

typedef struct lt_impulse_params {
    lt_real restitution; /* e, 0 … 1 */
    lt_real friction;    /* μ */
    lt_real cap;         /* of one correction, in cells; 0.1 is for steps of 1/60 s, less for shorter ones */
    lt_real slack;       /* in cells: depth that is not corrected; 0: none */
    uint32_t correction_count;     /* at most, of a pair in a step */
    bool looks_back;               /* after the last of them, to say what is left */
    bool hulls;                    /* look at hulls where no corner is inside */
    bool faces;                    /* out through faces that look at each other */
    lt_vec3 out;                   /* the way out that is known, unit; 0: the nearest */
    bool as_printed;               /* α and β instead of e and μ, no cap */
    lt_real damping, tangential;   /* α, β */
    const lt_box_kernels *kernels; /* of the touches */
} lt_impulse_params;

/* e 0, μ 0.5, a tenth of a cell, three corrections, hulls. */
lt_impulse_params lt_impulse_params_default(lt_simd_level level);

/* One body that is answered for. */
typedef struct lt_cell_motion {
    lt_cell_boxes *boxes;
    lt_real *x, *v; /* [node_count][4] */
    float *nodes;   /* [node_count][4] x as the boxes read it; in the float build the same memory */
    const lt_real *inverse_mass; /* [node_count] 0: pinned */
} lt_cell_motion;

/* Added up over pairs. */
typedef struct lt_impulse_counts {
    uint32_t touched;     /* pairs */
    uint32_t corrections; /* of all pairs */
    uint32_t hulls;       /* of those, of crossing hulls */
    uint32_t
        unlocated; /* Newton failed: the place was clamped to the cell, no friction; some momentum may be lost */
    uint32_t immovable;   /* nothing could move: all nodes pinned */
    uint32_t unfinished;  /* pairs that still touched after their last correction */
    float deepest;        /* m, the deepest touch that was found */
    float deepest_left;   /* m, and that was left */
    double angular_error; /* N s m, at most: impulses that did not act at one place */
    lt_rvec3 impulse;     /* N s, on the body of the second box of a pair, or the one against something */
    lt_box_touch touch;   /* of a pair, as it was found */
} lt_impulse_counts;

/* Units of answering once, without the boxes that go stale by it; and of looking how two boxes touch, at most. */
enum {
    LT_IMPULSE_UNITS = 85,
    LT_IMPULSE_LOOK_UNITS = 2 * LT_CELL_BOX_UNITS + LT_BOX_TOUCH_UNITS + LT_BOX_HULL_UNITS
};

/* How two boxes touch now, if they do; a and b may be the same body. Units are added. */
bool lt_impulse_look(lt_box_touch *touch, const lt_impulse_params *params, const lt_cell_motion *a,
                     uint32_t box_a, const lt_cell_motion *b, uint32_t box_b, uint32_t *units);
/* Where in the cell of one of them, the first (0) or the second, the point of a touch is. */
void lt_impulse_place(lt_real place[3], const lt_cell_motion *motion, uint32_t box, uint32_t which,
                      const lt_box_touch *touch);
/* Answers a touch that was found, and what is left of it while there is something. Returns units. */
uint32_t lt_impulse_part(const lt_impulse_params *params, const lt_cell_motion *a, uint32_t box_a,
                         const lt_cell_motion *b, uint32_t box_b, const lt_box_touch *touch,
                         lt_impulse_counts *counts);

/* Answers one touch of two boxes; false: nothing could move. */
bool lt_impulse_resolve(const lt_impulse_params *params, const lt_cell_motion *a, uint32_t box_a,
                        const lt_cell_motion *b, uint32_t box_b, const lt_box_touch *touch,
                        lt_impulse_counts *counts);
/* Answers a point of a box, made up of its corners by `shares`, that is in something that cannot be moved and itself moves at
 * `velocity`. */
bool lt_impulse_against(const lt_impulse_params *params, const lt_cell_motion *motion, uint32_t box,
                        const float shares[8], lt_vec3 normal, float depth, lt_vec3 velocity,
                        lt_impulse_counts *counts);

#endif
