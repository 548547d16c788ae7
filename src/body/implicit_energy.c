/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Passivity: kinetic and elastic energy of a body may not exceed what it had and the work that was done on it since.
 *
 *   allowed' = min(allowed, kinetic + elastic) + work of the step        work: gravity, forces, couplings, over the step's own motion
 *
 * Every stage lowers φ, but φ has the elastic energy of one linearisation: where a body of jelly is crushed flat in a step, or
 * turned inside out, what was lowered was not what is there. What there is too much of is taken from the velocity of deformation, the
 * part without momentum: at the begin of the next step, where the elastic energy falls out of its pass over rotations, so that the
 * guard costs two sums over nodes; where iterations gained much, at the end of their own, by a pass that is paid for with stage 1.
 * What velocity cannot pay stays owed.
 *
 * The energy before is not known after a caller or a method has set places or velocities (kinetic energy is then another than was
 * left), and of bodies whose pins are moved: what they do is not measured. */

#include "body/rigid_motion.h"

#include <string.h>

/* Sums are in float: less is no excess. */
static const double NOISE = 1e-3;
static const double LAST_BITS = 16; /* that rounding may change a place by */

enum { ALLOWED, KINETIC };

static bool is_known(const lt_soft *soft) {
    return soft->energy[ALLOWED] >= 0;
}

/* Of rotations as they converge to; asked only where the parabola says that there is too much. */
static double exact_elastic(const lt_soft *soft, lt_simd_level level) {
    lt_element_work work = {.elements = &soft->elements,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns};
    lt_element_kernels_for(level)->corotate(&work);
    return work.energy;
}

static double rigid_energy(const lt_rigid_row *r) {
    double pulled[LT_RIGID];
    lt_multiply6(pulled, &r->inertia, r->before);
    return lt_dot6(pulled, r->before) / 2;
}

lt_real lt_energy_share(const lt_implicit *s, lt_member *member, double elastic) {
    const lt_soft *soft = member->soft;
    double kinetic = lt_kinetic_energy(s, member);
    member->energy = kinetic + elastic;
    if (!is_known(soft) || (lt_real)kinetic != soft->energy[KINETIC]) {
        member->energy_is_known = false;
        return 1;
    }
    member->energy_is_known = true;
    double allowed = (double)soft->energy[ALLOWED], slack = NOISE * (kinetic + allowed);
    if (member->energy <= allowed + slack) return 1;
    member->energy = kinetic + exact_elastic(soft, s->advance->level);
    double excess = member->energy - allowed;
    if (excess <= slack) return 1;
    double deforming = lt_max_d(0, kinetic - rigid_energy(member->rigid));
    double left = lt_max_d(0, deforming - excess);
    member->energy -= deforming - left;
    member->soft->energy_taken += (lt_real)(deforming - left);
    return deforming > 0 ? (lt_real)sqrt(left / deforming) : 1;
}

static bool pins_move(const lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count && soft->pin_count > 0; node++) {
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x_before, node));
        if (soft->pinned[node] && lt_r3_length_squared(way) > 0) return true;
    }
    return false;
}

/* What couplings did on the member, by the velocities of its own side. */
static void add_coupling_work(const lt_implicit *s) {
    const lt_island *island = s->island;
    const lt_coupling_set *set = island->set;
    lt_lanes3 by_a, both;
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        const lt_rigid_pair *pair = &island->rigid->pairs[run->pair];
        if (run->begin == 0)
            s->couplings->gather(set, run->group, island->vectors[LT_VECTOR_VELOCITY], by_a, both);
        for (uint32_t lane = run->begin; lane < run->end; lane++) {
            lt_rvec3 impulse = lt_lanes_get(set->groups[run->group].impulse, lane);
            lt_rvec3 a = lt_lanes_get(by_a, lane), b = lt_r3_sub(a, lt_lanes_get(both, lane));
            island->members[pair->a].work += (double)lt_r3_dot(impulse, a);
            if (pair->b != LT_NONE) island->members[pair->b].work -= (double)lt_r3_dot(impulse, b);
        }
    }
}

/* By the rigid motion what couplings take is what a body loses: its momentum is exact. Nodes that a contact presses on may move where no
 * solve has answered yet, or none that is exact enough for a light body between heavy ones: work on these went nowhere. What
 * a body gives away by its shape alone is found in the next step, when its energy is. */
static double rigid_work(const lt_rigid_row *r) {
    double given[LT_RIGID], motion[LT_RIGID];
    for (int k = 0; k < LT_RIGID; k++)
        given[k] = r->own[k] + r->wrench[k];
    lt_solve6(&r->weight, motion, given);
    return lt_dot6(r->wrench, motion);
}

/* Forces are linear about places that iterations leave. Strains by what these gained, ε² = 2 gained / E V, are what is wrong of them, and
 * of that gain a share of ε. */
static bool strains_much(const lt_implicit *s) {
    double energy = 0, stiffness = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        const lt_material *material = &member->soft->material;
        if (!lt_deforms(member)) continue;
        energy += member->energy;
        stiffness +=
            (double)member->soft->young * (double)member->soft->total_mass / (double)material->density;
    }
    return s->gained * sqrt(2 * s->gained / stiffness) > NOISE * energy;
}

void lt_energy_measure(lt_implicit *s) {
    const lt_island *island = s->island;
    s->strains_much = s->gained > 0 && strains_much(s);
    for (uint32_t m = 0; m < island->member_count; m++)
        island->members[m].work = 0;
    add_coupling_work(s);
    for (uint32_t m = 0; m < island->member_count; m++) {
        lt_member *member = &island->members[m];
        if (!lt_is_implicit(member)) continue;
        if (member->soft->pin_count == 0) member->work = lt_max_d(member->work, rigid_work(member->rigid));
        member->work += lt_work_of_forces(s, member);
    }
}

/* Where the parabola is no guess at what there is, what there is too much of is taken before anyone sees it. */
static void take_excess(const lt_implicit *s, const lt_member *member, double most) {
    lt_soft *soft = member->soft;
    if (!lt_is_carried(member) || !lt_deforms(member) || pins_move(soft)) return;
    if (!s->strains_much && soft->inverted_count == 0) return;
    double kinetic = lt_kinetic_energy(s, member), slack = NOISE * (kinetic + most);
    double excess = kinetic + exact_elastic(soft, s->advance->level) - most;
    if (!(excess > slack)) return;
    double deforming = lt_rigid_part(s, member, 1), left = lt_max_d(0, deforming - excess);
    if (!(deforming > 0)) return;
    lt_rigid_part(s, member, (lt_real)sqrt(left / deforming));
    soft->energy_taken += (lt_real)(deforming - left);
}

/* Kinetic energy alone, four times over, and beyond what gravity makes of a body at rest in a step, what the last bits of places make of
 * its stiffness and what the solve of its island leaves: of a ball that hits one of 25 rings, what the others feel of it by that. */
static bool runs_away(const lt_implicit *s, const lt_member *member, double kinetic, double most) {
    const lt_soft *soft = member->soft;
    if (!lt_is_carried(member) || !member->energy_is_known) return false;
    double fall = (double)s->advance->dt * (double)lt_r3_length(s->advance->gravity);
    double reach = (double)lt_r3_length(member->center) + (double)soft->size;
    double bits = LAST_BITS * (double)LT_REAL_EPSILON * reach;
    double noise = s->enough + (double)soft->total_mass * fall * fall +
                   (double)soft->young * (double)soft->size * bits * bits;
    return kinetic > 4 * (most + noise);
}

void lt_energy_settle(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    bool deformed = lt_deforms(member), known = is_known(soft) || member->energy_is_known;
    double allowed = (double)soft->energy[ALLOWED];
    if (deformed) allowed = member->energy_is_known ? lt_min_d(allowed, member->energy) : member->energy;
    double most = lt_max_d(0, allowed + member->work);
    take_excess(s, member, most);
    double kinetic = lt_kinetic_energy(s, member);
    bool measured = most < (double)LT_LARGEST && kinetic < (double)LT_LARGEST; /* and is a number */
    soft->energy[ALLOWED] = measured ? (lt_real)most : -1;
    soft->energy[KINETIC] = measured ? (lt_real)kinetic : 0;
    soft->runs_away = runs_away(s, member, kinetic, most);
    if (soft->grid || pins_move(soft) || (!deformed && !known)) soft->energy[ALLOWED] = -1;
}
