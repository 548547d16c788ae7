/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Twenty plates that have settled, then a thousand frames in which every collision cycle takes one, two or four steps: do
 * they stand, do they sink, do they tremble?
 *
 * The baseline handles collisions in every second step and has no force between: in every other step the contacts are set
 * aside, no unit is granted, and no cycle is under way; then they are put back as they were, with their stiffness, their
 * friction and what they know of depth. Everything else is the same world. */

#include "hash_internal.h"

#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the scene. A plate has fallen when it is half a cell beside its place, or not above the one below. */
static const double THICKNESS = 0.05, HALF_CELL = 0.05;

typedef struct stack {
    lt_scene_rig rig;
    lt_vec3 *places;     /* [bodies] centres of the plates, settled */
    lt_vec3 *positions;  /* of the nodes of one plate */
    lt_vec3 *velocities; /* the same */
    uint32_t node_count; /* of a plate */
    lt_contact_record *aside;
    uint32_t aside_capacity;
    lt_hash_cost cost;
    double settled_height, settled_speed;
} stack;

typedef struct stood {
    double height, jitter;
    uint32_t fallen;
    lt_hash_latency latency;
} stood;

typedef enum handling { HANDLED_EVERY_STEP, HANDLED_EVERY_SECOND_STEP } handling;

/* ---- what is looked at ---- */

static uint32_t plate_count(const stack *s) {
    return (uint32_t)s->rig.scene.bodies.count;
}

static lt_vec3 center_of(const stack *s, uint32_t plate) {
    return lt_body_center(s->rig.built.world, s->rig.built.bodies[plate]);
}

/* From the lowest plate's underside to the highest one's upper side, plates as thick as they are at rest. */
static double height_of(const stack *s) {
    return (double)(center_of(s, plate_count(s) - 1).y - center_of(s, 0).y) + THICKNESS;
}

static double free_height(const stack *s) {
    return plate_count(s) * THICKNESS;
}

static uint32_t count_fallen(const stack *s) {
    uint32_t fallen = 0;
    for (uint32_t i = 1; i < plate_count(s); i++) {
        lt_vec3 at = center_of(s, i), moved = lt_v3_sub(at, s->places[i]);
        double beside = sqrt((double)moved.x * moved.x + (double)moved.z * moved.z);
        bool above = (double)(at.y - center_of(s, i - 1).y) > 0.5 * THICKNESS;
        fallen += !(beside < HALF_CELL && above);
    }
    return fallen;
}

/* Mean of the squared speed of all nodes but those of the lowest plate, which is held. */
static double square_speed(const stack *s) {
    double sum = 0;
    for (uint32_t i = 1; i < plate_count(s); i++) {
        lt_body_get_nodes(s->rig.built.world, s->rig.built.bodies[i], s->positions, s->velocities);
        for (uint32_t n = 0; n < s->node_count; n++)
            sum += (double)lt_v3_dot(s->velocities[n], s->velocities[n]);
    }
    return sum / ((double)s->node_count * (plate_count(s) - 1));
}

/* ---- steps ---- */

static lt_report step_without_contacts(const stack *s) {
    lt_world *world = s->rig.built.world;
    lt_memory *memory = lt_hash_rig_memory(&s->rig);
    lt_contact_list *contacts = &memory->contacts;
    uint32_t count = contacts->count;
    memcpy(s->aside, contacts->records, count * sizeof *s->aside);
    contacts->count = 0;
    lt_contacts_range(contacts, &memory->pairs);
    lt_report report = lt_scene_rig_step(&s->rig, lt_budget_collision_units(0));
    world->method->displace_body(world->method_state, 0); /* the cycle that has begun is given up */
    memcpy(contacts->records, s->aside, count * sizeof *s->aside);
    contacts->count = count;
    lt_contacts_range(contacts, &memory->pairs);
    return report;
}

static stood run_frames(const stack *s, lt_budget budget, handling how, int frames) {
    stood result = {0};
    double sum = 0;
    for (int i = 0; i < frames; i++) {
        bool handled = how == HANDLED_EVERY_STEP || i % 2 == 0;
        lt_report report = handled ? lt_scene_rig_step(&s->rig, budget) : step_without_contacts(s);
        lt_hash_latency_add(&result.latency, &report);
        if (i >= frames / 2) sum += square_speed(s);
    }
    result.height = height_of(s);
    result.jitter = sqrt(sum / (frames - frames / 2));
    result.fallen = count_fallen(s);
    return result;
}

/* ---- results ---- */

static void add_row(lt_bench *bench, const stack *s, const char *label, const stood *r) {
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "frames", r->latency.steps);
    lt_bench_number(bench, "latency", lt_hash_latency_mean(&r->latency));
    lt_bench_number(bench, "longest", r->latency.longest);
    lt_bench_number(bench, "age_max", (double)r->latency.age_max);
    lt_bench_number(bench, "height_m", r->height);
    lt_bench_number(bench, "of_settled", r->height / s->settled_height);
    lt_bench_number(bench, "of_stress_free", r->height / free_height(s));
    lt_bench_number(bench, "fallen", r->fallen);
    lt_bench_number(bench, "jitter_mm_s", 1e3 * r->jitter);
}

static void check_latency(lt_bench *bench, uint32_t latency, const char *what, double value, const char *op,
                          double bar) {
    char name[80];
    snprintf(name, sizeof name, "tet-hash.plates-latency-%u-%s", latency, what);
    lt_bench_check_value(bench, name, value, op, bar);
}

static void check_stood(lt_bench *bench, const stack *s, uint32_t latency, const stood *r,
                        const stood *baseline) {
    check_latency(bench, latency, "steps-a-cycle-off", fabs(lt_hash_latency_mean(&r->latency) / latency - 1),
                  "<=", 0.1);
    check_latency(bench, latency, "fallen", r->fallen, "==", 0);
    check_latency(bench, latency, "height-off-settled", fabs(r->height / s->settled_height - 1), "<=", 0.01);
    check_latency(bench, latency, "under-stress-free", 1 - r->height / free_height(s), "<=", 0.05);
    check_latency(bench, latency, "jitter-of-baseline", r->jitter / baseline->jitter, "<=", 0.1);
}

/* ---- a stack ---- */

static lt_status create_stack(stack *s, lt_bench *bench, lt_mode mode, lt_error *error) {
    *s = (stack){0};
    lt_world_def def = lt_world_def_default();
    def.mode = mode;
    lt_status status = lt_scene_rig_create(&s->rig, bench, "plates", LT_METHOD_TET_HASH, &def, error);
    if (status != LT_OK) return status;
    s->node_count = lt_body_node_count(s->rig.built.world, s->rig.built.bodies[0]);
    s->aside_capacity = lt_hash_rig_memory(&s->rig)->contacts.capacity;
    s->places = LT_NEW(&s->rig.allocator, plate_count(s), lt_vec3);
    s->positions = LT_NEW(&s->rig.allocator, s->node_count, lt_vec3);
    s->velocities = LT_NEW(&s->rig.allocator, s->node_count, lt_vec3);
    s->aside = LT_NEW(&s->rig.allocator, s->aside_capacity, lt_contact_record);
    if (s->places && s->positions && s->velocities && s->aside) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a stack");
}

static void free_stack(stack *s) {
    if (!s->rig.built.world) return;
    LT_DELETE(&s->rig.allocator, s->places, plate_count(s), lt_vec3);
    LT_DELETE(&s->rig.allocator, s->positions, s->node_count, lt_vec3);
    LT_DELETE(&s->rig.allocator, s->velocities, s->node_count, lt_vec3);
    LT_DELETE(&s->rig.allocator, s->aside, s->aside_capacity, lt_contact_record);
    lt_scene_rig_free(&s->rig);
}

static lt_status settle(stack *s, int steps, lt_error *error) {
    lt_report report = {0};
    for (int i = 0; i < steps; i++)
        report = lt_scene_rig_step(&s->rig, lt_budget_unlimited());
    s->cost = lt_hash_cost_of(&report);
    s->settled_height = height_of(s);
    s->settled_speed = sqrt(square_speed(s));
    for (uint32_t i = 0; i < plate_count(s); i++)
        s->places[i] = center_of(s, i);
    return lt_scene_rig_keep(&s->rig, error);
}

static void add_settled(lt_bench *bench, const stack *s, int steps) {
    lt_bench_row_begin(bench, "plates, settled without a limit");
    lt_bench_number(bench, "plates", plate_count(s));
    lt_bench_number(bench, "steps", steps);
    lt_bench_number(bench, "dt", (double)s->rig.scene.dt);
    lt_bench_number(bench, "height_m", s->settled_height);
    lt_bench_number(bench, "of_stress_free", s->settled_height / free_height(s));
    lt_bench_number(bench, "speed_mm_s", 1e3 * s->settled_speed);
    lt_bench_number(bench, "cycle_units", (double)s->cost.cycle);
    lt_bench_number(bench, "other_units", (double)s->cost.others);
}

static const uint32_t latencies[] = {1, 2, 4};

static lt_status run_latencies(lt_bench *bench, stack *s, const char *mode, const stood *baseline, int frames,
                               lt_error *error) {
    for (size_t i = 0; i < LT_COUNT_OF(latencies); i++) {
        lt_status status = lt_scene_rig_return(&s->rig, error);
        if (status != LT_OK) return status;
        stood r = run_frames(s, lt_hash_budget(s->cost, latencies[i]), HANDLED_EVERY_STEP, frames);
        char label[64];
        snprintf(label, sizeof label, "plates, latency %u%s", latencies[i], mode);
        add_row(bench, s, label, &r);
        if (baseline) check_stood(bench, s, latencies[i], &r, baseline);
    }
    return LT_OK;
}

/* Only where worlds have that mode; nobody is held to it. */
static lt_status run_as_printed(lt_bench *bench, int settling, int frames, lt_error *error) {
    stack s;
    lt_error refused = {0};
    lt_status status = create_stack(&s, bench, LT_MODE_PAPER, &refused);
    if (status == LT_STATUS_UNSUPPORTED || status == LT_STATUS_INVALID) {
        lt_bench_row_begin(bench, "plates, mode paper");
        lt_bench_text(bench, "refused", refused.message);
        return LT_OK;
    }
    if (status != LT_OK && error) *error = refused;
    if (status == LT_OK) status = settle(&s, settling, error);
    if (status == LT_OK) status = run_latencies(bench, &s, ", paper", NULL, frames, error);
    free_stack(&s);
    return status;
}

lt_status lt_hash_stack(lt_bench *bench, lt_error *error) {
    int settling = bench->quick ? 48 : 1200, frames = bench->quick ? 8 : 1000;
    stack s;
    lt_status status = create_stack(&s, bench, LT_MODE_SAFE, error);
    if (status == LT_OK) status = settle(&s, settling, error);
    if (status == LT_OK) {
        add_settled(bench, &s, settling);
        stood baseline = run_frames(&s, lt_budget_unlimited(), HANDLED_EVERY_SECOND_STEP, frames);
        add_row(bench, &s, "plates, every second step", &baseline);
        status = run_latencies(bench, &s, "", &baseline, frames, error);
    }
    free_stack(&s);
    return status == LT_OK && !bench->quick ? run_as_printed(bench, settling, frames, error) : status;
}
