/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "solve_internal.h"

#include "world/world.h"

#include <math.h>

enum { CONTACTS = 4096 };

/* The only place that knows how bodies of a world are cut. Their def takes no 0, so it is set behind its back. */
static void cut_bodies(lt_solve_world *w) {
    for (uint32_t i = 0; i < w->def.body_count && w->def.cut != LT_CUT_FULL; i++)
        lt_soft_at(w->world, i)->max_iterations = w->def.cut;
}

static lt_body_def body_def_of(const lt_solve_world_def *def, lt_shape *shape, uint32_t index) {
    lt_body_def body = lt_body_def_default();
    body.shape = shape;
    body.scale = def->size;
    body.self_collision = false;
    body.material.young = def->young;
    body.material.density = def->density;
    body.material.friction = def->friction;
    body.material.mass_damping = body.material.stiffness_damping = 0;
    if (def->place) def->place(&body, index, def);
    return body;
}

static lt_obstacle_def floor_def(const lt_solve_world_def *def) {
    lt_obstacle_def floor = lt_obstacle_def_default();
    floor.kind = LT_OBSTACLE_PLANE;
    floor.friction = def->friction;
    return floor;
}

static lt_status add_all(lt_solve_world *w, lt_shape *shape, lt_error *error) {
    const lt_solve_world_def *def = &w->def;
    for (uint32_t i = 0; i < def->body_count; i++) {
        lt_body_def body = body_def_of(def, shape, i);
        w->bodies[i] = lt_world_add_body(w->world, &body, error);
        if (w->bodies[i].index_plus_one == 0) return error->status;
    }
    lt_obstacle_def floor = floor_def(def);
    if (def->floor && lt_world_add_obstacle(w->world, &floor, error).index_plus_one == 0)
        return error->status;
    return LT_OK;
}

static lt_status judge_all(lt_solve_world *w, lt_shape *shape, const lt_allocator *allocator,
                           lt_error *error) {
    const lt_solve_world_def *def = &w->def;
    lt_status status = lt_judge_create(&w->judge, w->world, (lt_vec3){0, -def->gravity, 0}, allocator, error);
    for (uint32_t i = 0; status == LT_OK && i < def->body_count; i++) {
        lt_body_def body = body_def_of(def, shape, i);
        status = lt_judge_add_body(w->judge, w->bodies[i], &body, error);
    }
    if (status == LT_OK) status = lt_judge_begin(w->judge, error);
    if (status == LT_OK) lt_judge_energies(w->judge, &w->start);
    return status;
}

lt_status lt_solve_world_create(lt_solve_world *out, const lt_solve_world_def *def, lt_shape *shape,
                                const lt_allocator *allocator, lt_error *error) {
    lt_world_def world = lt_world_def_default();
    *out = (lt_solve_world){.def = *def};
    LT_ASSERT(def->body_count <= LT_SOLVE_WORLD_BODIES);
    world.gravity = (lt_vec3){0, -def->gravity, 0};
    world.sleeping = world.self_collision = world.profile = false;
    world.contact_capacity =
        CONTACTS; /* of the default four times as many most of the time is for clean pages */
    world.allocator = *allocator;
    lt_status status = lt_world_create(&world, &out->world, error);
    if (status == LT_OK) status = add_all(out, shape, error);
    if (status == LT_OK && def->bend) def->bend(out->world, out->bodies, def->size);
    if (status == LT_OK) cut_bodies(out);
    if (status == LT_OK) status = judge_all(out, shape, allocator, error);
    if (status != LT_OK) lt_solve_world_free(out);
    return status;
}

void lt_solve_world_free(lt_solve_world *w) {
    lt_judge_destroy(w->judge);
    if (w->world) lt_world_destroy(w->world);
    *w = (lt_solve_world){0};
}

void lt_solve_world_step(lt_solve_world *w) {
    lt_report report = lt_world_step(w->world, w->def.dt, lt_budget_unlimited());
    w->blown_up += report.blown_up;
}

/* ---- looking ---- */

typedef struct momentum_sum {
    lt_dvec3 linear;
    double mass, speed; /* of the fastest node */
} momentum_sum;

static momentum_sum momentum_of(const lt_solve_world *w) {
    momentum_sum sum = {{0, 0, 0}, 0, 0};
    for (uint32_t b = 0; b < w->def.body_count; b++) {
        const lt_soft *soft = lt_soft_at(w->world, b);
        for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
            lt_rvec3 v = lt_node_get(soft->v, i);
            double m = (double)soft->mass[i];
            sum.linear = lt_d3_mad(sum.linear, (lt_dvec3){(double)v.x, (double)v.y, (double)v.z}, m);
            sum.mass += m;
            sum.speed = lt_max_d(sum.speed, (double)lt_r3_length(v));
        }
    }
    return sum;
}

static void look(lt_solve_energy *out, const lt_solve_world *w, double *least, double *lowest) {
    lt_judgement now;
    lt_judge_energies(w->judge, &now);
    out->broken = out->broken || now.not_finite > 0 || !(now.energy - now.energy == 0);
    out->speed = lt_max_d(out->speed, now.speed_max);
    out->rise = lt_max_d(out->rise, lt_max_d(now.energy - w->start.energy, now.energy - *least));
    *least = lt_min_d(*least, now.energy);
    *lowest = lt_min_d(*lowest, now.potential);
}

/* What is too stiff for the step is judged by the stiffness in force, from the start on: the first step has said which. */
static void judge_start_anew(lt_solve_world *w) {
    double share = (double)lt_body_young(w->world, w->bodies[0]) / (double)w->def.young;
    w->start.energy -= (1 - share) * w->start.elastic;
    w->start.elastic *= share;
}

lt_solve_energy lt_solve_world_run(lt_solve_world *w, uint32_t steps, uint32_t every) {
    lt_solve_energy out = {.speed = w->start.speed_max};
    double least = INFINITY, lowest = w->start.potential;
    momentum_sum begin = momentum_of(w);
    for (uint32_t step = 1; step <= steps; step++) {
        lt_solve_world_step(w);
        if (step == 1) {
            judge_start_anew(w);
            out.given = w->start.kinetic + w->start.elastic;
            least = w->start.energy;
        }
        if (w->def.floor && step <= steps / 2) least = INFINITY; /* contacts store, and give back */
        if (step % every == 0) look(&out, w, &least, &lowest);
        if (step > steps - steps / 10) {
            lt_judgement now;
            lt_judge_energies(w->judge, &now);
            out.height += now.height_mean / (steps / 10);
        }
        momentum_sum now = momentum_of(w);
        out.speed = lt_max_d(out.speed, now.speed); /* in every step: what is squeezed is fast in the first */
        out.momentum = lt_max_d(out.momentum, lt_d3_length(lt_d3_sub(now.linear, begin.linear)));
    }
    out.released = w->start.potential - lowest;
    out.momentum /= begin.mass * lt_max_d(out.speed, 1e-30);
    out.broken = out.broken || w->blown_up > 0;
    return out;
}
