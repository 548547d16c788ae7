/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Newton's method of the rigid stage, a round at a time: one solve of the rigid level, one step, shortened where the slope along it has
 * turned. Every round lowers φ, so that it may be cut after any.
 *
 * Where it is cut the impulses of the last look are not those that its motions came from, and a motion by these, as a settled one
 * gets it, would multiply what is missing by the stiffness of contacts, some 400. So one step more is taken by impulses that are
 * linear in it, λ' = λ − G J Δ: with (W + Σ Jᵀ G J) Δ = slope motions and impulses have the same momentum exactly, wherever Newton
 * was. G is that of the law, and of contacts that nearly push as well: a step that nobody looks at behind its end could run a body into
 * one, which is 400 times its kinetic energy. Near is what slopes alone would bring it to, each body by itself, or the step itself
 * without it: without either the cut scenes of tests/body/test_implicit_cuts.c gain up to 26,000 times their energy; with the first
 * alone one of 2,000 cut runs gained 35 %. Impulses may pull a little, or hold by more than friction does, in the step that was cut.
 *
 * Friction that slides is linear by its secant, −(bound / |w|) w: it is against the way that is left behind the step, and stops what the
 * step would turn around. By its tangent it is the bound whatever the step does, and drives a light thing, whose bound is that of a push
 * 400 times too strong, backwards: a thread on a thread gained 0.6 to 3.4 of its energy in one step.
 *
 * Newton that is out of rounds is closed as well: friction's kink may be a thousandth of a step away, which no shortening finds, and
 * rounds that jump to and fro across it settle never.
 *
 * Workload: two to six rounds of one to three looks at all couplings of an island. */

#include "body/implicit.h"

#include <string.h>

enum {
    MAX_ROUNDS = 20, /* of Newton */
    MOST_LOOKS = LT_NEWTON_LOOKS - 1
};
static const double OVERSHOT = 0.1; /* slope behind a step, over that before it, which shortens the step */

static double slope_along_step(const lt_implicit *s) {
    const lt_rigid_level *level = s->island->rigid;
    double sum = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        sum += lt_dot6(level->rows[m].slope, level->rows[m].step);
    return sum;
}

static void add_step(const lt_implicit *s, double way) {
    lt_rigid_level *level = s->island->rigid;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[m].delta[k] += way * level->rows[m].step[k];
}

static void take_step(const lt_implicit *s, double way) {
    add_step(s, way);
    lt_rigid_look(s, LT_LOOK_MOMENTS);
    lt_rigid_find_slopes(s);
}

/* A step behind whose end the slope has turned goes back to where there is hardly any. The slope falls in pieces: a contact that begins
 * to push on the way is 400 times as stiff as what it pushes, and one line through both ends leads to a hundredth of the way.
 * Returns the looks that this took. */
static uint32_t shorten_step(const lt_implicit *s, double before) {
    double low = 0, high = 1, low_slope = before, at = 1, slope = slope_along_step(s), high_slope = slope;
    if (!(slope < -OVERSHOT * before)) return 0;
    for (uint32_t look = 0; look < MOST_LOOKS; look++) {
        double share = low_slope / (low_slope - high_slope);
        double next = low + lt_max_d(0.1, lt_min_d(0.9, share)) * (high - low);
        take_step(s, next - at);
        at = next;
        slope = slope_along_step(s);
        if (slope <= OVERSHOT * before && slope >= -OVERSHOT * before) return look + 1;
        if (slope > 0) {
            low = at;
            low_slope = slope;
        } else {
            high = at;
            high_slope = slope;
        }
    }
    return MOST_LOOKS;
}

/* From no change of the rigid motions; couplings have u there. The first round takes contacts for pushing that would begin to: else a
 * push goes through a row or a tower that is hit by one body a round, and 20 rounds are not enough for 70 bodies, before iterations
 * or behind them. */
void lt_newton_begin(lt_implicit *s, double settled) {
    lt_rigid_level *level = s->island->rigid;
    s->newton = (lt_newton){.settled = settled, .reference = level->scale};
    for (uint32_t m = 0; m < s->island->member_count; m++)
        memset(level->rows[m].delta, 0, sizeof level->rows[m].delta);
    lt_rigid_look(s, LT_LOOK_HELD);
    lt_rigid_find_slopes(s);
}

lt_newton_cost lt_newton_round(lt_implicit *s) {
    lt_newton *n = &s->newton;
    LT_ASSERT(!n->ended);
    lt_newton_cost cost = {.solves = 1, .gradients = lt_rigid_solve(s->island)};
    lt_rigid_find_slopes(s);
    double before = slope_along_step(s);
    if (n->round == 0) n->reference = lt_max_d(n->reference, before);
    n->left = before / n->reference;
    n->ended = !(before > n->settled * n->reference) || !(before > 0);
    if (n->ended) return cost;
    take_step(s, 1);
    cost.looks = 1;
    n->ended = s->island->rigid->pair_count == 0;
    if (n->ended) return cost;
    cost.looks += shorten_step(s, before);
    n->ended = n->is_unsettled = ++n->round == MAX_ROUNDS;
    return cost;
}

/* ---- closing ---- */

/* Motions of pairs by the changes so far, and by the steps of their sides. */
static void set_pair_steps(const lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    for (uint32_t p = 0; p < level->pair_count; p++) {
        lt_rigid_pair *pair = &level->pairs[p];
        const lt_rigid_row *a = &level->rows[pair->a], *b = pair->b == LT_NONE ? NULL : &level->rows[pair->b];
        lt_relative_motion(pair->motion, pair, a->delta, b ? b->delta : NULL);
        lt_relative_motion(pair->step, pair, a->step, b ? b->step : NULL);
    }
}

/* As if nothing of the other bodies were there. */
static void set_steps_alone(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        lt_rigid_row *r = &s->island->rigid->rows[m];
        if (lt_is_implicit(&s->island->members[m])) lt_solve6(&r->weight, r->step, r->slope);
    }
}

/* With contacts held that steps would bring near: those of every body alone, and then those of the step itself. */
static lt_newton_cost find_closing_step(const lt_implicit *s) {
    const lt_island *island = s->island;
    set_steps_alone(s);
    set_pair_steps(s);
    s->couplings->look_near(island->set, island->rigid->pairs, false);
    lt_newton_cost cost = {.looks = 2, .solves = 1, .gradients = lt_rigid_solve(island)};
    set_pair_steps(s);
    if (s->couplings->look_near(island->set, island->rigid->pairs, true)) {
        cost.gradients += lt_rigid_solve(island);
        cost.solves++;
    }
    return cost;
}

lt_newton_cost lt_newton_close(lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    lt_rigid_look(s, LT_LOOK_SECANT); /* the last one may have held what does not push */
    lt_rigid_find_slopes(s);
    lt_newton_cost cost = find_closing_step(s);
    for (uint32_t p = 0; p < level->pair_count; p++)
        memset(level->pairs[p].wrench, 0, sizeof level->pairs[p].wrench);
    set_pair_steps(s);
    s->couplings->close_rigid(s->island->set, level->pairs);
    add_step(s, 1);
    lt_rigid_sum_wrenches(s);
    cost.looks += 2;
    LT_ASSERT(cost.looks <= LT_CLOSE_LOOKS && cost.solves <= LT_CLOSE_SOLVES);
    return cost;
}

double lt_newton_energy(const lt_implicit *s) {
    double sum = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_rigid_row *r = &s->island->rigid->rows[m];
        double pulled[LT_RIGID];
        lt_multiply6(pulled, &r->inertia, r->delta);
        sum += lt_dot6(pulled, r->delta) / 2;
    }
    return sum;
}
