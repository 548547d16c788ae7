/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The rigid stage: what six unknowns a body can do about the couplings of an island. With z the change of the rigid motions,
 *
 *   ½ zᵀW z − load·z + Σ couplings (u + J z)            is lowered by Newton's method (implicit_newton.c), each step by
 *
 *   (W + Σ Jᵀ G J) Δ = slope,   G = across·(I − s sᵀ) + (normal − across) n nᵀ     s: where friction slides to
 *
 * Couplings of a pair share their place for both bodies, so that a 6×6 sum about the centre of a stands for all of them: bodies cost
 * by pairs, couplings by some sixty products each.
 *
 * Pins are springs of PIN_WEIGHT times the body's mass: one node lets it swing, three hold it still. */

#include "body/rigid_motion.h"

#include <string.h>

static const double PIN_WEIGHT = 1e9;
/* What is left of φ to be gained that ends Newton, over what forces or the first step do. Before iterations it is a place to begin at,
 * which they go on from: as far as no budget cuts it (of 1e-2, 1e-3, 1e-6 and 1e-10 the errors of a heap and of eight bears are the same
 * at every cut, and the last takes twice the rounds of the first); behind them it is multiplied by the stiffness of contacts; where
 * nothing follows it is a speed to creep at. */
static const double SETTLED_BEHIND = 1e-10, SETTLED_ALONE = 1e-12;

/* ---- masses and momenta ---- */

/* `moving` gets what pinned nodes came with, load what they are to go with. */
static void pull_to_pins(const lt_member *member, lt_real dt, double moving[LT_RIGID]) {
    const lt_soft *soft = member->soft;
    lt_rigid_row *rigid = member->rigid;
    if (soft->pin_count == 0) return;
    double weight = PIN_WEIGHT * rigid->inertia.at[0][0] / soft->pin_count;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (!soft->pinned[node]) continue;
        lt_rvec3 x = lt_node_get(soft->x, node);
        double arm[3], speed[3], v[3];
        lt_unpack_r3(arm, lt_r3_sub(x, member->center));
        lt_unpack_r3(speed, lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), x), 1 / dt));
        lt_unpack_r3(v, lt_node_get(soft->v, node));
        lt_add_point6(&rigid->weight, arm, weight);
        lt_add_force6(rigid->load, arm, speed, weight);
        lt_add_force6(moving, arm, v, weight);
    }
}

static void weigh(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_rigid_row *rigid = member->rigid;
    double moving[LT_RIGID], drag = 1 + soft->material.mass_damping * (double)s->advance->dt;
    lt_node_sums sums = lt_sum_nodes(s, member, member->center);
    *rigid = (lt_rigid_row){.inertia = lt_inertia_of(&sums)};
    lt_sum_forces(s, member, rigid->own); /* all that acts from outside: gravity is a part of them */
    for (int k = 0; k < LT_RIGID; k++)
        rigid->own[k] *= (double)s->advance->dt;
    for (int k = 0; k < 3; k++) {
        s->island->rigid->scale += rigid->own[k] * rigid->own[k] / sums.mass;
        rigid->own[k] += sums.linear[k] + member->due.linear[k];
        rigid->own[3 + k] += sums.angular[k] + member->due.angular[k];
        moving[k] = drag * sums.linear[k];
        moving[3 + k] = drag * sums.angular[k];
    }
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < LT_RIGID; j++)
            rigid->weight.at[i][j] = drag * rigid->inertia.at[i][j];
    memcpy(rigid->load, rigid->own, sizeof rigid->load);
    pull_to_pins(member, s->advance->dt, moving);
    lt_mirror6(&rigid->weight);
    lt_solve6(&rigid->weight, rigid->before, moving);
    memcpy(rigid->motion, rigid->before, sizeof rigid->motion);
}

/* ---- pairs ---- */

static void begin_pair(lt_rigid_level *level, const lt_island *island, lt_sides of) {
    lt_rigid_pair *pair = &level->pairs[level->pair_count++];
    *pair = (lt_rigid_pair){.a = (uint32_t)(of.a - island->members), .b = LT_NONE};
    if (!of.b) return;
    pair->b = (uint32_t)(of.b - island->members);
    lt_unpack_r3(pair->shift,
                 lt_r3_sub(of.a->center, lt_soft_seen_from(of.a->soft, of.b->soft, of.b->center)));
}

static bool is_of_pair(const lt_rigid_pair *pair, const lt_island *island, lt_sides of) {
    return &island->members[pair->a] == of.a &&
           (pair->b == LT_NONE ? !of.b : &island->members[pair->b] == of.b);
}

/* Couplings come pair by pair, mostly. */
static void list_pairs(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_rigid_level *level = island->rigid;
    lt_coupling_set *set = island->set;
    level->pair_count = 0;
    set->run_count = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t group = i / LT_LANES_OF_GROUP, lane = i % LT_LANES_OF_GROUP;
        lt_sides of = lt_staged_sides(island, &s->advance->couplings[set->groups[group].couplings[lane]]);
        const lt_rigid_pair *last = level->pair_count ? &level->pairs[level->pair_count - 1] : NULL;
        bool same = last && is_of_pair(last, island, of);
        if (!same) begin_pair(level, island, of);
        if (!same || lane == 0)
            set->runs[set->run_count++] =
                (lt_coupling_run){.group = group, .pair = level->pair_count - 1, .begin = lane};
        set->runs[set->run_count - 1].end = lane + 1;
    }
}

/* ---- looking at couplings ---- */

enum { BEFORE, DELTA };

static const double *motion_of(const lt_rigid_level *level, uint32_t member, int which) {
    if (member == LT_NONE) return NULL;
    return which == BEFORE ? level->rows[member].before : level->rows[member].delta;
}

/* What the sides of every pair move by, as a sees it. */
static void set_pair_motions(lt_rigid_level *level, int which) {
    for (uint32_t p = 0; p < level->pair_count; p++) {
        lt_rigid_pair *pair = &level->pairs[p];
        lt_relative_motion(pair->motion, pair, motion_of(level, pair->a, which),
                           motion_of(level, pair->b, which));
    }
}

void lt_rigid_sum_wrenches(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_rigid_level *level = island->rigid;
    for (uint32_t m = 0; m < island->member_count; m++)
        memset(level->rows[m].wrench, 0, sizeof level->rows[m].wrench);
    for (uint32_t p = 0; p < level->pair_count; p++) {
        const lt_rigid_pair *pair = &level->pairs[p];
        double other[LT_RIGID];
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[pair->a].wrench[k] += pair->wrench[k];
        if (pair->b == LT_NONE) continue;
        lt_shift_wrench(other, pair, pair->wrench);
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[pair->b].wrench[k] -= other[k];
    }
}

void lt_rigid_look(const lt_implicit *s, lt_look how) {
    lt_rigid_level *level = s->island->rigid;
    set_pair_motions(level, DELTA);
    s->couplings->look_rigid(s->island->set, level->pairs, level->pair_count, how);
    lt_rigid_sum_wrenches(s);
}

/* Downwards: load − W z + what couplings give. */
void lt_rigid_find_slopes(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        if (!lt_is_implicit(&s->island->members[m])) continue;
        lt_rigid_row *r = &s->island->rigid->rows[m];
        double pulled[LT_RIGID];
        lt_multiply6(pulled, &r->weight, r->delta);
        for (int k = 0; k < LT_RIGID; k++)
            r->slope[k] = r->load[k] - pulled[k] + r->wrench[k];
    }
}

/* ---- the stages ---- */

void lt_rigid_begin(const lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    level->scale = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (lt_is_implicit(member)) {
            weigh(s, member);
            continue;
        }
        level->rows[m] = (lt_rigid_row){0};
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[m].weight.at[k][k] = 1;
    }
    list_pairs(s);
    lt_rigid_plan(s->island);
}

/* u of every coupling with the motions that members came with. */
static void set_relative_velocities(const lt_implicit *s) {
    set_pair_motions(s->island->rigid, BEFORE);
    s->couplings->set_rigid(s->island->set, s->island->rigid->pairs);
}

static bool is_alone(const lt_implicit *s) {
    bool alone = false;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        alone = alone || (lt_is_implicit(&s->island->members[m]) && s->island->members[m].rigid_alone);
    return alone;
}

static bool leaves_out(const lt_implicit *s) {
    bool some = false;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        some = some || s->island->members[m].left_out;
    return some;
}

void lt_rigid_start(lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        lt_rigid_row *r = &level->rows[m];
        double kept[LT_RIGID];
        lt_multiply6(kept, &r->weight, r->before);
        for (int k = 0; k < LT_RIGID; k++)
            r->load[k] -= kept[k];
    }
    set_relative_velocities(s);
    lt_newton_begin(s, is_alone(s) ? SETTLED_ALONE : LT_NEARLY);
}

void lt_rigid_run(lt_implicit *s) {
    lt_rigid_start(s);
    while (!s->newton.ended)
        lt_newton_round(s);
    if (s->newton.is_unsettled) lt_newton_close(s);
    lt_rigid_place(s);
}

/* Where couplings act at the end of the step, from the centres there: these moments an implicit step has. One place for both sides, from
 * centres that go with the lighter one rather: of two places both together would begin to turn. (From centres as they came a body gets
 * Δt² weight × change of velocity of spin too much: a bear that lands is off by 1.6 % of all that its landing does, a pot by 0.8, where 0.8 and
 * 0.16 % are left. With arms as they are at the beginning the bear is off by 7 %.) */
static void move_arms(const lt_implicit *s) {
    const lt_island *island = s->island;
    const lt_coupling_set *set = island->set;
    lt_lanes3 by_a, both;
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        const lt_rigid_pair *pair = &island->rigid->pairs[run->pair];
        const lt_rigid_row *a = &island->rigid->rows[pair->a];
        lt_coupling_group *g = &set->groups[run->group];
        double from[3] = {a->end[0], a->end[1], a->end[2]};
        lt_real other = pair->b == LT_NONE ? 0 : (lt_real)0.5; /* of the point: a − ½ (a − b) */
        if (run->begin == 0)
            s->couplings->gather(set, run->group, island->vectors[LT_VECTOR_VELOCITY], by_a, both);
        if (pair->b != LT_NONE) {
            const lt_rigid_row *b = &island->rigid->rows[pair->b];
            double share = a->inertia.at[0][0] / (a->inertia.at[0][0] + b->inertia.at[0][0]);
            for (int k = 0; k < 3; k++)
                from[k] += share * (b->end[k] - from[k]);
        }
        for (int k = 0; k < 3; k++)
            for (uint32_t lane = run->begin; lane < run->end; lane++) {
                lt_real gone = by_a[k][lane] - other * both[k][lane] - (lt_real)from[k];
                g->arm[k][lane] += s->advance->dt * gone;
            }
    }
}

/* A body with pins has no momentum of its own to keep: what they hold is not known. */
void lt_rigid_begin_finish(lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        double found[LT_RIGID];
        memset(r->load, 0, sizeof r->load);
        memcpy(r->end, r->motion, sizeof r->end);
        if (!lt_is_implicit(member) || member->soft->pin_count > 0) continue;
        lt_rigid_momentum(s, member, found);
        for (int k = 0; k < LT_RIGID; k++)
            r->load[k] = r->own[k] - found[k];
        for (int k = 0; k < 3; k++)
            r->end[k] = found[k] / r->weight.at[0][0];
        if (lt_is_carried(member)) lt_turn_inertia(&r->weight, r->turned_by);
    }
    move_arms(s);
    lt_newton_begin(s, leaves_out(s) ? SETTLED_ALONE : SETTLED_BEHIND);
}

void lt_rigid_finish(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        if (!lt_is_implicit(member) || member->soft->pin_count > 0) continue;
        /* Whatever Newton left: the change that has exactly the momentum of the impulses. */
        double given[LT_RIGID];
        for (int k = 0; k < LT_RIGID; k++)
            given[k] = r->load[k] + r->wrench[k];
        lt_solve6(&r->weight, r->delta, given);
        lt_rigid_add(s, member);
    }
}

void lt_rigid_settle(const lt_implicit *s) {
    set_pair_motions(s->island->rigid, DELTA);
    s->couplings->add_rigid(s->island->set, s->island->rigid->pairs);
    lt_couplings_settle(s);
}
