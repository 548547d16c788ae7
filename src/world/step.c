/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The step. lt_world_step at the bottom is its table of contents. */

#include "world/world.h"

/* Damping of a drag handle, as a share of critical for the mass it pulls at. */
static const float HANDLE_DAMPING = 1;

static const float MOST_SIGNIFICANCE = 1e30f; /* as lt_collision takes it */
static const float MOST_DETAIL = 1000;        /* by which a refine threshold is divided, or multiplied */

static uint64_t allowed_ns(const lt_world *world, const lt_budget *budget) {
    uint64_t allowed = budget->collision_nanoseconds;
    if (budget->step_nanoseconds == LT_UNLIMITED) return allowed;
    uint64_t models = (uint64_t)world->model_ns;
    uint64_t rest = budget->step_nanoseconds > models ? budget->step_nanoseconds - models : 0;
    return lt_min_u64(allowed, rest);
}

static void begin_step(lt_world *world, const lt_budget *budget) {
    lt_arena_reset(&world->arena);
    world->allocation_count = 0;
    world->used_log.count = 0;
    world->meter.timed = world->def.profile;
    lt_meter_begin(&world->meter, budget, allowed_ns(world, budget));
}

/* What the models take is not collision handling's: it has as long as before. */
static void charge_models(lt_world *world, uint64_t spent) {
    world->meter.stage_ns[LT_STAGE_MODELS] += spent;
    if (world->meter.deadline_ns != LT_UNLIMITED) world->meter.deadline_ns += spent;
}

static void plan_models(lt_world *world, float dt) {
    bool timed = world->meter.timed || world->meter.deadline_ns != LT_UNLIMITED;
    uint64_t begin = timed ? lt_meter_now(&world->meter) : 0;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        const lt_collider *c = lt_collider_at(world, i);
        if (c->in_use && !c->asleep) lt_soft_plan(lt_soft_at(world, i), dt);
    }
    if (timed) charge_models(world, lt_meter_now(&world->meter) - begin);
}

/* What a body counts for, asked of the caller. Whatever it answers, priorities are numbers and thresholds stay in reach. */
static void ask_significance(lt_world *world, uint32_t index) {
    float answer = world->def.significance(world->def.significance_context, lt_body_id_of(world, index),
                                           lt_body_record(world, index)->user_data);
    float significance = answer == answer ? lt_clamp_f(answer, 0, MOST_SIGNIFICANCE) : 1;
    lt_collider_at(world, index)->significance = significance;
    lt_soft_at(world, index)->significance = (lt_real)lt_clamp_f(significance, 1 / MOST_DETAIL, MOST_DETAIL);
}

static bool plan_motion(lt_world *world, float dt) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++) {
        lt_obstacle *o = lt_obstacle_record(world, i);
        if (!o->in_use) continue;
        lt_obstacle_plan(o, dt);
        o->force = o->torque = (lt_vec3){0, 0, 0};
    }
    bool fits = lt_frames_begin(world, dt);
    lt_wake_near_obstacles(world, dt);
    if (world->def.sleeping) lt_wake_struck(world, dt);
    plan_models(world, dt);
    for (uint32_t i = 0; i < lt_body_slots(world) && world->def.significance; i++)
        if (lt_collider_at(world, i)->in_use) ask_significance(world, i);
    return fits;
}

/* Drag handles are couplings, too: a damped spring from a surface point to its target. */
static void add_handles(lt_world *world, lt_method_step *step) {
    for (uint32_t i = 0; i < lt_slots_count(&world->handle_slots); i++) {
        if (!lt_slots_in_use(&world->handle_slots, i) || !step->couplings) continue;
        const lt_handle *h = (const lt_handle *)world->handles.items + i;
        if (lt_collider_at(world, h->body)->asleep)
            continue; /* at rest with its handle; couplings are of the awake */
        const lt_soft *soft = lt_soft_at(world, h->body);
        lt_anchor anchor = lt_embed_anchor(&lt_body_record(world, h->body)->skin, h->vertex);
        lt_real w = lt_anchor_inverse_mass(&anchor, soft);
        if (!(w > 0)) continue; /* pinned */
        lt_contact_scale scale = lt_soft_contact_scale(soft, step->dt);
        lt_real k = lt_min_r(h->stiffness, scale.s * scale.s / (scale.dt * scale.dt * w));
        lt_rvec3 at = lt_anchor_gather(&anchor, soft->x);
        step->couplings[step->coupling_count++] =
            (lt_coupling){.kind = LT_COUPLING_TETHER,
                          .body_a = h->body,
                          .body_b = LT_NONE,
                          .a = anchor,
                          .offset = lt_r3_sub(at, lt_soft_take(soft, h->origin, h->target)),
                          .stiffness = k,
                          .damping = 2 * HANDLE_DAMPING * lt_sqrt_r(k / w)};
    }
}

/* Solver iterations that fit into what a step deadline leaves, or that a recorded step was cut to; 0: no limit.
 * Predicted before the models run, from what a row of a system has cost so far: then the models read no clock, and the
 * number is all that a repetition needs. */
static uint32_t iteration_limit(const lt_world *world, const lt_budget *budget, uint64_t rows, uint64_t now) {
    if (budget->cuts) return (uint32_t)lt_min_u64(budget->cuts->units[LT_STAGE_MODELS], UINT32_MAX);
    if (budget->step_nanoseconds == LT_UNLIMITED || rows == 0) return 0;
    uint64_t spent = now - world->meter.begin_ns;
    uint64_t left = budget->step_nanoseconds > spent ? budget->step_nanoseconds - spent : 0;
    double fitting = (double)left / (world->ns_per_row * (double)rows);
    return fitting < 1 ? 1 : fitting > 1e9 ? 1000000000 : (uint32_t)fitting;
}

static uint64_t list_awake(const lt_world *world, uint32_t *awake, uint32_t *count) {
    uint64_t rows = 0;
    *count = 0;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!lt_collider_at(world, i)->in_use || lt_collider_at(world, i)->asleep) continue;
        awake[(*count)++] = i;
        rows += lt_soft_row_count(lt_soft_at(world, i));
    }
    return rows;
}

static void learn_models(lt_world *world, const lt_advance *advance, uint64_t spent) {
    double iterations = 0;
    for (uint32_t i = 0; i < advance->awake_count; i++) {
        const lt_soft *soft = lt_soft_at(world, advance->awake[i]);
        iterations += (double)soft->iterations * lt_soft_row_count(soft);
    }
    world->model_ns += ((double)spent - world->model_ns) * (world->model_ns > 0 ? 0.2 : 1);
    if (iterations > 0) world->ns_per_row += 0.2 * ((double)spent / iterations - world->ns_per_row);
}

static void advance_models(lt_world *world, lt_method_step *step, const lt_budget *budget) {
    bool timed = world->meter.timed || budget->step_nanoseconds != LT_UNLIMITED ||
                 world->meter.deadline_ns != LT_UNLIMITED;
    uint64_t begin = timed ? lt_meter_now(&world->meter) : 0, rows = 0;
    uint32_t *awake = LT_TAKE(&world->arena, lt_body_slots(world), uint32_t), count = 0;
    if (awake) rows = list_awake(world, awake, &count);
    lt_system *systems = step->wants_systems ? LT_TAKE(&world->arena, count, lt_system) : NULL;
    lt_advance advance = {.bodies = world->softs.items,
                          .awake = awake,
                          .awake_count = count,
                          .couplings = step->couplings,
                          .coupling_count = step->coupling_count,
                          .gravity = lt_r3_from_v3(world->def.gravity),
                          .dt = step->dt,
                          .step = world->step_count,
                          .level = world->level,
                          .tasks = world->tasks,
                          .arena = &world->arena,
                          .factors = &world->factors,
                          .max_iterations = iteration_limit(world, budget, rows, begin),
                          .units_allowed = world->def.model_units,
                          .systems = systems};
    if (awake)
        step->report->factor_units =
            lt_rest_factors_update(&world->factors, advance.bodies, awake, count, step->dt, world->level);
    if (!awake || !lt_advance_run(&advance)) step->report->problems |= LT_PROBLEM_SCRATCH;
    step->awake = awake;
    step->awake_count = count;
    step->systems = systems;
    step->report->model_units = advance.units_used;
    step->report->models_cut = advance.was_cut;
    world->meter.spent.units[LT_STAGE_MODELS] = advance.max_iterations;
    if (!timed) return;
    uint64_t spent = lt_meter_now(&world->meter) - begin;
    charge_models(world, spent);
    learn_models(world, &advance, spent);
}

static void report_models(const lt_world *world, lt_report *report) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        const lt_collider *c = lt_collider_at(world, i);
        const lt_soft *soft = lt_soft_at(world, i);
        if (!c->in_use) continue;
        report->sleeping += c->asleep;
        if (c->asleep) continue;
        report->substeps = lt_max_u64(report->substeps, soft->substeps);
        report->iterations = lt_max_u64(report->iterations, soft->iterations);
        report->residual = lt_max_d(report->residual, (double)soft->residual);
        report->time_lost = lt_max_d(report->time_lost, (double)soft->time_lost);
        report->inverted += soft->inverted_count;
        report->blown_up += soft->blown_up;
        report->energy_taken += (double)soft->energy_taken;
        report->stiff_bodies += soft->young < soft->material.young;
        if (!lt_soft_is_explicit(soft) && soft->residual > soft->tolerance)
            report->problems |= LT_PROBLEM_ITERATIONS;
        if (soft->time_lost > 0 && !soft->skipped) report->problems |= LT_PROBLEM_SUBSTEPS;
    }
    if (report->inverted) report->problems |= LT_PROBLEM_INVERTED;
    if (report->blown_up) report->problems |= LT_PROBLEM_BLOWN_UP;
}

void lt_publish_contacts(lt_world *world) {
    const lt_contact_list *list = world->method->contacts(world->method_state);
    world->contact_count = list->count;
    world->contacts_are_published = true;
    for (uint32_t i = 0; i < list->count; i++) {
        const lt_contact_record *r = &list->records[i];
        lt_contact *c = &world->contacts[i];
        const lt_soft *soft = lt_soft_at(world, r->touch.body);
        *c = (lt_contact){.body_a = lt_body_id_of(world, r->touch.body),
                          .feature_a = r->touch.point,
                          .point = lt_v3_from_d3(lt_place_from(soft->origin, r->position)),
                          .offset = r->position,
                          .normal = r->normal,
                          .depth = r->depth,
                          .force = r->force,
                          .age = r->age,
                          .status = r->age > 0             ? LT_CONTACT_PREDICTED
                                    : r->touch.approximate ? LT_CONTACT_APPROXIMATE
                                                           : LT_CONTACT_EXACT};
        if (r->kind == LT_PAIR_OBSTACLE)
            c->obstacle = lt_obstacle_id_of(world, r->b);
        else
            c->body_b = lt_body_id_of(world, r->touch.body == r->a ? r->b : r->a);
    }
}

static void publish_used_spheres(lt_world *world) {
    for (uint32_t i = 0; i < world->used_log.count; i++) {
        const lt_logged_sphere *logged = &world->used_log.spheres[i];
        const lt_spheres *s = &lt_collider_at(world, logged->body)->spheres;
        lt_dvec3 center =
            lt_place_from(lt_soft_at(world, logged->body)->origin, lt_sphere_center(s, logged->node));
        world->used_spheres[i] = (lt_used_sphere){.body = lt_body_id_of(world, logged->body),
                                                  .center = lt_v3_from_d3(center),
                                                  .radius = lt_sphere_now(s, LT_NOW_RADIUS, logged->node),
                                                  .error = lt_sphere_now(s, LT_NOW_ERROR, logged->node),
                                                  .level = s->tree->levels[lt_block_of(logged->node)]};
    }
}

static void arrive(lt_world *world, float dt) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++)
        if (lt_obstacle_record(world, i)->in_use) lt_obstacle_arrive(lt_obstacle_record(world, i));
    world->step_count++;
    world->time += dt;
}

/* `used` is all time of the step but the models', in ns. */
static void finish_report(const lt_world *world, const lt_budget *budget, uint64_t used, lt_report *report) {
    const lt_meter *meter = &world->meter;
    uint64_t allowed = allowed_ns(world, budget);
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        report->stage_us[stage] = (double)meter->stage_ns[stage] / 1000;
    report->step = world->step_count;
    report->time = world->time;
    report->budget_us = budget->cuts || allowed == LT_UNLIMITED ? -1 : (double)allowed / 1000;
    report->used_us = (double)used / 1000;
    report->overshoot_us = report->budget_us < 0 ? 0 : lt_max_d(0, report->used_us - report->budget_us);
    report->model_us = report->stage_us[LT_STAGE_MODELS];
    report->units = meter->used_units;
    report->interrupted = report->interrupted || meter->ended || report->pending > 0;
    report->cuts = meter->spent;
    report->allocations = world->allocation_count;
}

lt_method_step lt_method_step_of(lt_world *world, float dt, lt_report *report) {
    lt_capacities capacities = world->capacities;
    capacities.couplings = lt_slots_count(&world->handle_slots);
    return (lt_method_step){.colliders = world->colliders.items,
                            .collider_count = lt_body_slots(world),
                            .softs = world->softs.items,
                            .obstacles = world->obstacles.items,
                            .obstacle_count = lt_obstacle_slots(world),
                            .seen_obstacles = world->seen_obstacles,
                            .seen_obstacle_count = world->frame_count * lt_obstacle_slots(world),
                            .dt = dt,
                            .gravity = world->def.gravity,
                            .self_collision = world->def.self_collision,
                            .level = world->level,
                            .tasks = world->tasks,
                            .arena = &world->arena,
                            .meter = &world->meter,
                            .capacities = capacities,
                            .used = world->used_log.capacity ? &world->used_log : NULL,
                            .report = report};
}

lt_report lt_world_step(lt_world *world, float dt, lt_budget budget) {
    lt_report report = {0};
    if (!LT_REQUIRE(world && dt > 0 && dt <= 1)) return report;
    lt_balance balance;
    begin_step(world, &budget);
    if (!plan_motion(world, dt)) report.problems |= LT_PROBLEM_SCRATCH;
    lt_method_step step = lt_method_step_of(world, dt, &report);
    world->method->before_motion(world->method_state, &step);
    add_handles(world, &step);
    if (world->def.diagnostics) lt_balance_begin(&balance, world, dt);
    advance_models(world, &step, &budget);
    world->method->after_motion(world->method_state, &step);
    lt_frames_end(world);
    uint64_t used = lt_meter_elapsed_ns(&world->meter) - world->meter.stage_ns[LT_STAGE_MODELS];
    report_models(world, &report);
    if (world->def.diagnostics) lt_balance_end(&balance, world, &step, &report);
    arrive(world, dt);
    world->contacts_are_published = false;
    publish_used_spheres(world);
    if (world->def.sleeping) lt_update_sleep(world, dt);
    finish_report(world, &budget, used, &report);
    lt_log_problems(world, &report);
    LT_VALIDATE(lt_validate_world(world));
    return report;
}
