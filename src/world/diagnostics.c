/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Energy and momentum of the whole world, for those who ask. Bodies with pins are left out of the momentum: a pin is
 * a force that nobody measures. And problems of a step as lines of the caller's log. */

#include "world/world.h"

#include <stdio.h>

static bool is_watched(const lt_world *world, uint32_t index) {
    const lt_collider *c = lt_collider_at(world, index);
    return c->in_use && !c->asleep && lt_soft_at(world, index)->pin_count == 0;
}

static void add_exact(double sum[3], lt_dvec3 value, double factor) {
    sum[0] += value.x * factor;
    sum[1] += value.y * factor;
    sum[2] += value.z * factor;
}

static lt_dvec3 exact(lt_rvec3 v) {
    return (lt_dvec3){v.x, v.y, v.z};
}

static void add_scaled(double sum[3], lt_rvec3 value, double factor) {
    add_exact(sum, exact(value), factor);
}

/* In double: the square of what a body of a thousand kilometres carries is beyond float. */
static double size_of(lt_rvec3 v) {
    return lt_d3_length(exact(v));
}

void lt_balance_begin(lt_balance *balance, const lt_world *world, float dt) {
    LT_ASSERT(dt >= 0);
    *balance = (lt_balance){{0, 0, 0}, 0};
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!is_watched(world, i)) continue;
        const lt_soft *soft = lt_soft_at(world, i);
        lt_dvec3 momentum = lt_soft_exact_momentum(soft);
        add_exact(balance->momentum, momentum, 1);
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            add_scaled(balance->momentum, lt_node_get(soft->force, node), dt);
        balance->scale += lt_d3_length(momentum);
    }
}

static double total_energy(const lt_world *world) {
    double energy = 0;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!lt_collider_at(world, i)->in_use) continue;
        const lt_soft *soft = lt_soft_at(world, i);
        lt_dvec3 center = lt_soft_world_center(soft), gravity = lt_d3_from_v3(world->def.gravity);
        energy += lt_soft_kinetic_energy(soft) + lt_soft_elastic_energy(soft);
        energy -= (double)soft->total_mass * lt_d3_dot(gravity, center);
    }
    return energy;
}

/* What came from outside of those that are watched. */
static void take_out(double error[3], const lt_world *world, uint32_t body_a, uint32_t body_b,
                     lt_rvec3 impulse) {
    bool a = is_watched(world, body_a), b = body_b != LT_NONE && is_watched(world, body_b);
    if (a && !b) add_scaled(error, impulse, -1);
    if (b && !a) add_scaled(error, impulse, 1);
}

/* Impulses and drag are floats, which can be infinite: then nothing is explained, and 1 says so. */
static double share_of(const double error[3], double scale) {
    double size = sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
    if (!(size < INFINITY && scale < INFINITY)) return 1;
    return scale > 0 ? size / scale : 0;
}

void lt_balance_end(const lt_balance *balance, const lt_world *world, const lt_method_step *step,
                    lt_report *report) {
    double error[3] = {-balance->momentum[0], -balance->momentum[1], -balance->momentum[2]};
    double scale = balance->scale;
    for (uint32_t i = 0; i < step->coupling_count; i++) {
        const lt_coupling *c = &step->couplings[i];
        scale += size_of(c->impulse);
        take_out(error, world, c->body_a, c->body_b, c->impulse);
    }
    for (uint32_t i = 0; i < step->exchange_count; i++) {
        const lt_exchange *e = &step->exchanges[i];
        scale += size_of(e->impulse);
        take_out(error, world, e->body_a, e->body_b, e->impulse);
    }
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!is_watched(world, i)) continue;
        const lt_soft *soft = lt_soft_at(world, i);
        lt_rvec3 gravity = lt_r3_from_v3(world->def.gravity);
        double weight = (double)soft->total_mass * (double)step->dt;
        add_exact(error, lt_soft_exact_momentum(soft), 1);
        add_scaled(error, soft->drag, 1);
        add_scaled(error, gravity, -weight);
        scale += size_of(gravity) * weight;
    }
    report->momentum_error = share_of(error, scale);
    report->energy = total_energy(world);
}

/* ---- the log ---- */

typedef struct problem_line {
    lt_problem bit;
    lt_log_level level;
    const char *text;
} problem_line;

static const problem_line problem_lines[] = {
    {LT_PROBLEM_CONTACT_CAPACITY, LT_LOG_WARNING,
     "contacts were dropped: raise contact_capacity, or call lt_world_reserve for more than bodies bring"},
    {LT_PROBLEM_PAIR_CAPACITY, LT_LOG_WARNING, "body pairs were dropped: raise pair_capacity"},
    {LT_PROBLEM_SCRATCH, LT_LOG_WARNING, "scratch was too small: raise scratch_capacity"},
    {LT_PROBLEM_SUBSTEPS, LT_LOG_WARNING,
     "an explicit body falls behind: softer material, coarser carrier, or more max_substeps"},
    {LT_PROBLEM_ITERATIONS, LT_LOG_WARNING, "a solver reached its cap or the deadline: see residual"},
    {LT_PROBLEM_INVERTED, LT_LOG_WARNING, "tets are inside out; the model is pushing them back"},
    {LT_PROBLEM_QUEUE_CAPACITY, LT_LOG_WARNING, "pairs of spheres were left coarse: raise queue_capacity"},
    {LT_PROBLEM_BLOWN_UP, LT_LOG_ERROR, "a body left the range of numbers and was put back, at rest"},
};

void lt_log_problems(lt_world *world, const lt_report *report) {
    uint64_t begun = report->problems & ~world->logged_problems;
    world->logged_problems = report->problems;
    for (size_t i = 0; world->def.logger.log && i < LT_COUNT_OF(problem_lines); i++) {
        const problem_line *line = &problem_lines[i];
        char text[160];
        if (!(begun & (uint64_t)line->bit)) continue;
        snprintf(text, sizeof text, "step %llu: %s", (unsigned long long)report->step, line->text);
        world->def.logger.log(world->def.logger.context, line->level, text);
    }
}
