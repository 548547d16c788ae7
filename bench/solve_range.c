/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Energy from nothing: cubes of 1 mm to 100 m, of 1 to 1e12 Pa, of 1e-3 to 1e5 kg/m³, in steps of 1e-4 to 1/30 s, uncut: turning in
 * free fall, lying on a floor, and one on another. A rise counts as a share of weight times size and the motion at the start;
 * what rounding of places to float can make of a cube at rest is taken off ("rounding": the most, as such a share). Beyond a stiffness E dt² / (rho L²) of 1e6 elastic energy is by the
 * stiffness in force, which the library names; a body that it refuses there does not count. Printed and not judged are those on a floor that weigh more than they
 * carry and fall through themselves in a step, before any contact is known. Free fall is with so much weight that it goes two sizes far: places stay near 0. */

#include "solve_internal.h"

#include "world/world.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 60, EVERY = 3, KINDS = 3, YOUNGS = 5, QUICK_EVERY = 11 };

static const double MOST_STIFFNESS = 1e6;
/* Times the strain energy that rounding has at the start, or would have were the cubes slightly askew (of those that are not places have few
 * bits): places go two sizes far, where last bits are four times as long. */
static const double ROUNDING = 16;

static const char *const kinds[KINDS] = {"free", "resting", "stacked"};
static const float sizes[] = {1e-3f, 1e-2f, 0.1f, 1, 10, 100};
static const float youngs[YOUNGS] = {1, 1e3f, 1e6f, 1e9f, 1e12f};
static const float densities[] = {1e-3f, 1, 1e3f, 1e5f};
static const float time_steps[] = {1e-4f, 1e-3f, 1.0f / 60, 1.0f / 30};

typedef struct range_case {
    uint32_t kind;
    float size, young, density, dt;
} range_case;

typedef struct range_rise {
    double share;    /* that energy rises by; below 0: refused */
    double rounding; /* that was taken off */
} range_rise;

typedef struct range_sum {
    uint32_t cases, refused, risen; /* risen: by more than a hundredth */
    double worst, rounding;
    range_case worst_case;
} range_sum;

static void place_turning(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (void)index;
    (void)world;
    def->position = (lt_vec3){0, 0, 0};
}

/* So deep in each other that contacts are known before the first step, in which small ones would fall through; but not so deep that
 * contacts of 200 m / dt² have more than a thousandth of weight times size. */
static void place_touching(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    float deep = fminf(1e-4f * def->scale, world->dt * sqrtf(5e-6f * world->gravity * def->scale));
    def->position = (lt_vec3){0, (0.5f + (float)index) * def->scale - (1 + (float)index) * deep, 0};
}

/* A tenth of a turn over all steps; set as velocities, which the placing of one body cannot know. */
static void turn(lt_world *world, const lt_body_id *bodies, float rate) {
    uint32_t count = lt_body_node_count(world, bodies[0]);
    lt_vec3 *nodes = LT_NEW(NULL, count, lt_vec3), *speeds = LT_NEW(NULL, count, lt_vec3);
    if (nodes && speeds) {
        lt_body_get_nodes(world, bodies[0], nodes, NULL);
        for (uint32_t i = 0; i < count; i++)
            speeds[i] = (lt_vec3){-rate * nodes[i].y, rate * nodes[i].x, 0};
        lt_body_set_nodes(world, bodies[0], NULL, speeds, NULL);
    }
    LT_DELETE(NULL, nodes, count, lt_vec3);
    LT_DELETE(NULL, speeds, count, lt_vec3);
}

static lt_solve_world_def def_of(const range_case *c) {
    float whole = STEPS * c->dt;
    bool is_free = c->kind == 0;
    return (lt_solve_world_def){.shape = LT_SOLVE_BLOCK,
                                .body_count = c->kind == 2 ? 2 : 1,
                                .size = c->size,
                                .young = c->young,
                                .density = c->density,
                                .friction = 0.5f,
                                .dt = c->dt,
                                .gravity = is_free ? fminf(9.81f, 4 * c->size / (whole * whole)) : 9.81f,
                                .floor = !is_free,
                                .cut = LT_CUT_FULL,
                                .place = is_free ? place_turning : place_touching};
}

static double weight_times_size(const lt_solve_world *w) {
    double mass = 0;
    for (uint32_t i = 0; i < w->def.body_count; i++)
        mass += (double)lt_body_mass(w->world, w->bodies[i]);
    return mass * (double)w->def.gravity * (double)w->def.size;
}

static void place_askew(lt_body_def *def, uint32_t index, const lt_solve_world_def *world) {
    (world->floor ? place_touching : place_turning)(def, index, world);
    def->rotation = (lt_quat){0.004f, 0.007f, -0.006f, 1};
}

/* Strain energy that rounding of places has, in J by the whole stiffness. */
static double askew_energy(const range_case *c, lt_shape *shape, const lt_allocator *allocator) {
    lt_solve_world world;
    lt_solve_world_def def = def_of(c);
    def.place = place_askew;
    double bits = 0;
    if (lt_solve_world_create(&world, &def, shape, allocator, NULL) == LT_OK) bits = world.start.elastic;
    lt_solve_world_free(&world);
    return bits;
}

static range_rise rise_of(const range_case *c, lt_shape *shape, const lt_allocator *allocator) {
    lt_solve_world world;
    lt_solve_world_def def = def_of(c);
    if (lt_solve_world_create(&world, &def, shape, allocator, NULL) != LT_OK) return (range_rise){-1, 0};
    double scale = weight_times_size(&world);
    if (c->kind == 0) {
        turn(world.world, world.bodies, 0.6f / (STEPS * c->dt));
        lt_judge_energies(world.judge, &world.start);
    }
    lt_solve_energy energy = lt_solve_world_run(&world, STEPS, EVERY);
    double share = (double)lt_body_young(world.world, world.bodies[0]) / (double)c->young;
    double noise = ROUNDING * lt_max_d(world.start.elastic, share * askew_energy(c, shape, allocator));
    lt_solve_world_free(&world);
    if (energy.broken) return (range_rise){LT_SOLVE_NEVER, 0};
    scale += energy.given;
    return (range_rise){lt_min_d(lt_max_d(0, energy.rise - noise) / scale, LT_SOLVE_NEVER), noise / scale};
}

static double stiffness_of(const range_case *c) {
    return (double)c->young * (double)c->dt * (double)c->dt /
           ((double)c->density * (double)c->size * (double)c->size);
}

/* rho g L above a fifth of E, and g dt² above a tenth of L. */
static bool is_unheld(const range_case *c) {
    return c->kind > 0 && c->density * 9.81f * c->size > 0.2f * c->young &&
           9.81f * c->dt * c->dt > 0.1f * c->size;
}

static void add_case(range_sum *sum, const range_case *c, range_rise of, bool beyond) {
    double rise = of.share;
    sum->cases++;
    sum->rounding = lt_max_d(sum->rounding, of.rounding);
    if (rise < 0) sum->refused++;
    if (rise < 0 && beyond) return;
    if (rise < 0) rise = LT_SOLVE_NEVER;
    sum->risen += !(rise <= 0.01);
    if (!(rise > sum->worst)) return;
    sum->worst = rise;
    sum->worst_case = *c;
}

enum { WITHIN, BEYOND, UNHELD, PLACES };
static const char *const places[PLACES] = {"to-1e6", "beyond", "unheld"};

static uint32_t place_of(const range_case *c) {
    return is_unheld(c) ? UNHELD : stiffness_of(c) > MOST_STIFFNESS ? BEYOND : WITHIN;
}

static void run_kind(range_sum sums[PLACES][YOUNGS], uint32_t kind, uint32_t every, lt_shape *shape,
                     const lt_allocator *allocator) {
    uint32_t number = 0;
    for (size_t y = 0; y < YOUNGS; y++)
        for (size_t s = 0; s < LT_COUNT_OF(sizes); s++)
            for (size_t d = 0; d < LT_COUNT_OF(densities); d++)
                for (size_t t = 0; t < LT_COUNT_OF(time_steps); t++) {
                    range_case c = {kind, sizes[s], youngs[y], densities[d], time_steps[t]};
                    if (number++ % every != 0) continue;
                    uint32_t place = place_of(&c);
                    add_case(&sums[place][y], &c, rise_of(&c, shape, allocator), place != WITHIN);
                }
}

static void add_row(lt_bench *bench, const char *where, uint32_t kind, float young, const range_sum *sum) {
    char text[64];
    if (sum->cases == 0) return;
    lt_bench_row_begin(bench, "energy from nothing");
    lt_bench_text(bench, "stiffness", where);
    lt_bench_text(bench, "kind", kinds[kind]);
    lt_bench_number(bench, "E", (double)young);
    lt_bench_number(bench, "cases", sum->cases);
    lt_bench_number(bench, "refused", sum->refused);
    lt_bench_number(bench, "risen", sum->risen);
    lt_bench_number(bench, "rounding", sum->rounding);
    lt_bench_number(bench, "worst", sum->worst);
    snprintf(text, sizeof text, "L %g, rho %g, dt %.2g", (double)sum->worst_case.size,
             (double)sum->worst_case.density, (double)sum->worst_case.dt);
    lt_bench_text(bench, "at", sum->worst > 0 ? text : "-");
}

static void check_kind(lt_bench *bench, const char *where, uint32_t kind, const range_sum sums[YOUNGS]) {
    char name[80];
    double worst = 0;
    for (int y = 0; y < YOUNGS; y++)
        worst = lt_max_d(worst, sums[y].worst);
    snprintf(name, sizeof name, "solve.from-nothing-%s-%s", kinds[kind], where);
    lt_bench_check_value(bench, name, worst, "<=", 0.01);
}

lt_status lt_solve_range(lt_bench *bench, lt_solve_unit *unit, lt_error *error) {
    lt_shape *shape;
    (void)unit;
    lt_status status = lt_solve_make_shape(&shape, LT_SOLVE_BLOCK, &bench->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        range_sum sums[PLACES][YOUNGS] = {{{0}}};
        if (!lt_bench_is_asked(bench, "range", kinds[kind])) continue;
        run_kind(sums, kind, bench->quick ? QUICK_EVERY : 1, shape, &bench->allocator);
        for (int place = 0; place < PLACES; place++)
            for (int y = 0; y < YOUNGS; y++)
                add_row(bench, places[place], kind, youngs[y], &sums[place][y]);
        check_kind(bench, places[WITHIN], kind, sums[WITHIN]);
        check_kind(bench, places[BEYOND], kind, sums[BEYOND]);
    }
    lt_shape_release(shape);
    return LT_OK;
}
