/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Couplings between a side that takes sub-steps and one that stages move, whoever settles them: in sub-steps (explicit_loop.c), or in the
 * rest of a step (implicit_couplings.c). */

#include "body/models.h"

/* Displacement of a side's point since the step began. Bodies that have not moved yet go on as they were. */
static lt_rvec3 side_displacement(const lt_member *member, const lt_anchor *anchor, lt_real elapsed) {
    if (lt_soft_is_explicit(member->soft))
        return lt_r3_sub(lt_anchor_gather(anchor, member->soft->x),
                         lt_anchor_gather(anchor, member->soft->x_before));
    return lt_r3_scale(lt_anchor_gather(anchor, member->soft->v), elapsed);
}

lt_rvec3 lt_coupling_displacement(const lt_coupling *c, lt_sides sides, lt_real elapsed) {
    lt_rvec3 d =
        lt_r3_sub(side_displacement(sides.a, &c->a, elapsed), lt_r3_scale(c->partner_velocity, elapsed));
    return sides.b ? lt_r3_sub(d, side_displacement(sides.b, &c->b, elapsed)) : d;
}

/* An implicit partner is handed the impulse at its own point as it was at the beginning: of its moment only the rest is kept. */
void lt_coupling_add_moment(lt_member *member, const lt_anchor *anchor, lt_rvec3 point, lt_rvec3 f,
                            double share) {
    lt_twist rest = {{0}, {0}};
    lt_twist_add(&rest, lt_r3_sub(point, lt_anchor_gather(anchor, member->soft->x)), f, share);
    for (int k = 0; k < 3; k++)
        member->due.angular[k] += rest.angular[k];
}
