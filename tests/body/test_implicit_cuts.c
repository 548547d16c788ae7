/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The implicit solve on a budget of work units: cut behind every piece and at every number of units, bodies stay sound, make no energy
 * and no momentum, and take no more than they are allowed; enough units give the bits of no budget at all. Small scenes: a dropped
 * cube, a pinned bar, two bodies that meet, three that stand on each other, ladders.
 *
 * labels: heavy */

#include "body/implicit_fixture.h"
#include "body/ladder_fixture.h"

enum { MOST_PIECES = 100000 };
static const double MOST_RISE = 0.01;

/* ---- scenes ---- */

/* Of one shape: they are preconditioned at once. */
static void make_stack(stage *s) {
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    for (uint32_t i = 0; i < 3; i++) {
        lt_soft_def def = soft_def(2e5);
        def.position = (lt_dvec3){0, 0, 0.21 * i};
        def.velocity = (lt_vec3){0.1f * (float)i, 0, -1};
        if (i == 0)
            touch_floor(s, stage_add_cube(s, 0.2, 2, &def));
        else
            touch(s, stage_add_alike(s, 0, &def), i - 1, 2);
    }
}

/* Two ladders, one of which falls on the other and on the floor. */
static void make_ladders(stage *s) {
    static const uint32_t CELLS[3] = {3, 2, 1};
    ladder_fixture f;
    ladder_bake(&f, CELLS, 3);
    lt_shape_retain(f.shape);
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    for (uint32_t i = 0; i < 2; i++) {
        lt_soft_def def = soft_def(2e5);
        def.model = LT_MODEL_MULTIGRID;
        def.position = (lt_dvec3){0, 0, 0.05 + 0.65 * i};
        stage_add_shape(s, f.shape, &def);
    }
    touch_floor(s, 0);
    touch(s, 1, 0, 2);
}

/* Alone in the air, in mode paper: cut between its cycles. */
static void make_paper_ladder(stage *s) {
    static const uint32_t CELLS[3] = {3, 2, 1};
    ladder_fixture f;
    ladder_bake(&f, CELLS, 3);
    lt_soft_def def = soft_def(2e5);
    def.model = LT_MODEL_MULTIGRID;
    def.as_printed = true;
    lt_soft *soft = &s->bodies[stage_add_shape(s, f.shape, &def)];
    for (uint32_t row = 0; row < lt_soft_row_count(soft); row++) {
        uint32_t node = lt_row_node(lt_soft_row_nodes(soft), row);
        lt_real z = lt_node_get(soft->x, node).z / (lt_real)0.6 - (lt_real)0.5;
        lt_node_set(soft->v, node, (lt_rvec3){6 * z * z - (lt_real)0.5, 0, z});
    }
    lt_soft_follow(soft);
}

typedef struct scene {
    const char *name;
    scene_maker *make;
    bool is_free; /* nothing from outside: momentum stays */
} scene;

static const scene SCENES[6] = {
    {"dropped cube", make_dropped_cube, false}, {"pinned bar", make_pinned_bar, false},
    {"collision", make_collision, true},        {"stack", make_stack, false},
    {"ladders", make_ladders, false},           {"paper ladder", make_paper_ladder, true}};

/* Not more exact than anybody asks for: there are as many pieces as iterations. */
static void make_scene(stage *s, const scene *of) {
    of->make(s);
    for (uint32_t i = 0; i < s->body_count; i++)
        s->bodies[i].tolerance = (lt_real)2e-3;
}

/* ---- energy and momentum over a run ---- */

typedef struct outcome {
    double rise;     /* of energy, over what the scene releases */
    double momentum; /* that came from nothing, over M v */
    bool was_cut;    /* in some step */
    bool is_within;  /* used ≤ max(allowed, fixed), always */
} outcome;

static double momentum_error(const stage *s, const momenta *before) {
    momenta now = stage_momenta(s);
    double scale = 0;
    for (uint32_t i = 0; i < s->body_count; i++)
        scale += (double)s->bodies[i].total_mass * lt_max_d(1, (double)lt_soft_speed(&s->bodies[i]));
    return lt_max_d(lt_d3_distance(now.linear, before->linear),
                    lt_d3_distance(now.angular, before->angular)) /
           scale;
}

static outcome run_cut(const scene *of, uint64_t units, uint64_t pieces, int steps) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    make_scene(&s, of);
    s.units_allowed = units;
    s.pieces_allowed = pieces;
    outcome out = {.is_within = true};
    momenta first = stage_momenta(&s);
    double height = height_energy(&s), begin = body_energy(&s) + contact_energy(&s), fallen = 0;
    double least = begin;
    for (int step = 0; step < steps; step++) {
        run_step(&s);
        double now_height = height_energy(&s) - height;
        double now = body_energy(&s) + contact_energy(&s) + now_height;
        fallen = lt_max_d(fallen, -now_height);
        least = lt_min_d(least, now);
        out.rise = lt_max_d(out.rise, now - least);
        out.was_cut = out.was_cut || s.was_cut;
        out.is_within = out.is_within && (units == 0 || s.units_used <= lt_max_u64(units, s.units_fixed));
        if (of->is_free) out.momentum = lt_max_d(out.momentum, momentum_error(&s, &first));
    }
    for (uint32_t i = 0; i < s.body_count; i++) {
        CHECK(soft_is_finite(&s.bodies[i]) && !s.bodies[i].blown_up);
        CHECK(lt_validate_soft(&s.bodies[i]) == NULL);
    }
    out.rise /= lt_max_d(begin + fallen, 0.01);
    stage_free(&s);
    return out;
}

static void check_outcome(const scene *of, const char *unit, uint64_t cut, const outcome *out) {
    check_count++;
    if (!(out->rise <= MOST_RISE))
        CHECK_FAIL_MESSAGE("%s cut at %llu %s: energy rises by %.3g", of->name, (unsigned long long)cut, unit,
                           out->rise);
    CHECK_NEAR(out->momentum, 0, 1e-6);
    CHECK(out->is_within);
}

/* Pieces one by one where they decide most, then in growing strides, to where nothing is cut any more. */
static void every_piece_may_be_the_last(void) {
    for (int i = 0; i < 6; i++) {
        outcome worst = {0};
        uint64_t pieces = 0;
        for (; pieces < MOST_PIECES; pieces += 1 + pieces / 8) {
            /* none: the budget is one unit, which nothing costs */
            outcome out = run_cut(&SCENES[i], pieces == 0, pieces, 100);
            check_outcome(&SCENES[i], "pieces", pieces, &out);
            worst.rise = lt_max_d(worst.rise, out.rise);
            worst.momentum = lt_max_d(worst.momentum, out.momentum);
            if (!out.was_cut) break;
        }
        printf("%s: %llu pieces; energy rises by %.2g, momentum is off by %.2g\n", SCENES[i].name,
               (unsigned long long)pieces, worst.rise, worst.momentum);
        CHECK(pieces < MOST_PIECES && pieces > 3);
    }
}

static double hit_speed = 1; /* of make_hit, in the collision's */
static uint32_t hit_iterations;

static void make_hit(stage *s) {
    make_collision(s);
    for (uint32_t i = 0; i < s->body_count; i++)
        for (size_t k = 0; k < 4 * (size_t)s->bodies[i].carrier.node_count; k++)
            s->bodies[i].v[k] *= (lt_real)hit_speed;
    for (uint32_t i = 0; i < s->body_count && hit_iterations > 0; i++)
        s->bodies[i].max_iterations = hit_iterations;
}

/* Where contacts press on nodes whose neighbours have not answered yet, a body may seem to have lost what it still has; it was taken for
 * running away then, and stopped in mid-air. */
static void bodies_that_hit_keep_their_momentum(void) {
    const scene of = {"hit", make_hit, true};
    double worst = 0;
    hit_iterations = 0;
    for (hit_speed = 0.5; hit_speed < 2.2; hit_speed += 0.15)
        for (uint64_t pieces = 20; pieces < 140; pieces += 3)
            worst = lt_max_d(worst, run_cut(&of, 0, pieces, 25).momentum);
    printf("hit: momentum is off by %.2g\n", worst);
    CHECK_NEAR(worst, 0, 1e-6);
}

/* Jelly that is crushed by a third in one step, its iterations ended after any: forces are linear about a place that it leaves far
 * behind. What its deformation has no velocity to pay with stays owed: 2 % for a step, once in a hundred. */
static void crushed_bodies_gain_nothing(void) {
    const scene of = {"crushed", make_hit, true};
    double worst = 0;
    uint32_t runs = 0, rises = 0;
    for (hit_speed = 0.5; hit_speed < 2.2; hit_speed += 0.15)
        for (hit_iterations = 1; hit_iterations <= 16; hit_iterations++) {
            double rise = run_cut(&of, 0, 100000, 25).rise;
            worst = lt_max_d(worst, rise);
            rises += rise > MOST_RISE;
            runs++;
        }
    printf("crushed: energy rises by %.2g, beyond %.2g in %u of %u\n", worst, MOST_RISE, rises, runs);
    CHECK(runs > 100 && 90 * rises <= runs && worst <= 0.03);
}

/* ---- by units ---- */

typedef struct kept {
    uint8_t *bytes[STAGE_BODIES];
    lt_coupling couplings[STAGE_COUPLINGS];
    uint32_t step;
} kept;

static kept keep(stage *s) {
    kept k = {.step = s->step};
    for (uint32_t i = 0; i < s->body_count; i++) {
        k.bytes[i] = malloc(room_for_state(&s->bodies[i]));
        save_state(&s->bodies[i], k.bytes[i]);
    }
    memcpy(k.couplings, s->couplings, sizeof k.couplings);
    return k;
}

static void put_back(stage *s, const kept *k) {
    for (uint32_t i = 0; i < s->body_count; i++)
        CHECK(restore_state(&s->bodies[i], k->bytes[i]));
    memcpy(s->couplings, k->couplings, sizeof k->couplings);
    s->step = k->step;
}

static void drop(stage *s, kept *k) {
    for (uint32_t i = 0; i < s->body_count; i++)
        free(k->bytes[i]);
}

static uint64_t hash_of_stage(stage *s) {
    uint64_t hash = LT_HASH_SEED;
    for (uint32_t i = 0; i < s->body_count; i++)
        hash = hash * 31 + hash_of_state(&s->bodies[i]);
    return hash;
}

/* One and the same step, in the middle of it all, with every number of units from none to more than it takes. */
static void check_units_of_step(const scene *of, int steps_before) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    make_scene(&s, of);
    for (int step = 0; step < steps_before; step++)
        run_step(&s);
    kept k = keep(&s);
    run_step(&s);
    uint64_t whole = hash_of_stage(&s), full = s.units_used, before = 0, last = 0;
    CHECK(full > 0 && s.units_fixed == full && !s.was_cut);
    uint32_t outcomes = 0;
    for (uint64_t units = 1;; units += 1 + full / 120) {
        put_back(&s, &k);
        s.units_allowed = units;
        run_step(&s);
        CHECK(s.units_used <= lt_max_u64(units, s.units_fixed));
        CHECK(s.units_used > 0 && s.units_used <= full + s.units_fixed);
        for (uint32_t i = 0; i < s.body_count; i++)
            CHECK(soft_is_finite(&s.bodies[i]) && !s.bodies[i].blown_up);
        uint64_t hash = hash_of_stage(&s);
        outcomes += hash != before;
        before = last = hash;
        if (!s.was_cut) break;
        CHECK_FATAL(units < 4 * full + s.units_fixed);
    }
    printf("%s after %d steps: %llu units in full, %llu fixed; %u outcomes\n", of->name, steps_before,
           (unsigned long long)full, (unsigned long long)s.units_fixed, outcomes);
    CHECK(last == whole);
    CHECK(outcomes > 1);
    drop(&s, &k);
    stage_free(&s);
}

static void every_number_of_units_is_kept(void) {
    for (int i = 0; i < 6; i++) {
        check_units_of_step(&SCENES[i], 3);
        check_units_of_step(&SCENES[i], 20);
    }
}

/* At one and the same number of units all the time, from what is fixed to what it takes in full. */
static void no_number_of_units_makes_energy(void) {
    for (int i = 0; i < 6; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        make_scene(&s, &SCENES[i]);
        uint64_t most = 0;
        for (int step = 0; step < 40; step++) {
            run_step(&s);
            most = lt_max_u64(most, s.units_used);
        }
        stage_free(&s);
        for (int share = 0; share <= 12; share += 2) {
            uint64_t units = 1 + most * (uint64_t)share / 10;
            outcome out = run_cut(&SCENES[i], units, 0, 100);
            check_outcome(&SCENES[i], "units", units, &out);
        }
    }
}

/* ---- several islands ---- */

enum { CUBES = 6 };

/* Cubes that swing by themselves, each its own island, of two sizes. */
static void make_cubes(stage *s) {
    s->gravity = (lt_rvec3){0, 0, (lt_real)-GRAVITY};
    for (uint32_t i = 0; i < CUBES; i++) {
        lt_soft_def def = soft_def(2e4);
        def.position = (lt_dvec3){i, 0, 0.02 * i};
        touch_floor(s, stage_add_cube(s, 0.3, i % 2 ? 3 : 2, &def));
    }
}

static uint64_t run_cubes(uint32_t threads, lt_simd_level level, uint64_t units, uint32_t *least_solved) {
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    uint32_t solved[CUBES] = {0};
    make_cubes(&s);
    s.level = level;
    s.tasks = lt_tasks_create(threads, NULL, NULL);
    s.units_allowed = units;
    for (int step = 0; step < 5 * CUBES; step++) {
        run_step(&s);
        for (uint32_t i = 0; i < CUBES; i++)
            solved[i] += s.bodies[i].iterations > 0;
        CHECK(units == 0 || s.units_used <= lt_max_u64(units, s.units_fixed));
    }
    uint64_t hash = hash_of_stage(&s);
    *least_solved = UINT32_MAX;
    for (uint32_t i = 0; i < CUBES; i++)
        *least_solved = lt_min_u32(*least_solved, solved[i]);
    lt_tasks_destroy(s.tasks);
    stage_free(&s);
    return hash;
}

static void cuts_are_the_same_on_any_threads(void) {
    uint32_t least;
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    make_cubes(&s);
    run_step(&s);
    uint64_t full = s.units_used;
    stage_free(&s);
    for (uint64_t units = full / 3; units <= full; units += full / 6) {
        uint64_t hash = run_cubes(1, LT_LEVEL_SCALAR, units, &least);
        for (uint32_t threads = 2; threads <= 4; threads *= 2)
            CHECK(run_cubes(threads, lt_simd_best(), units, &least) == hash);
    }
}

/* What is fixed, and as much more, which is a job or two: everybody gets one in some of the steps. (A job is 15,000 units, what is fixed 24,000.) */
static void no_island_starves(void) {
    uint32_t least = 0;
    stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
    make_cubes(&s);
    s.units_allowed = 1;
    run_step(&s);
    uint64_t fixed = s.units_fixed;
    stage_free(&s);
    run_cubes(1, lt_simd_best(), 2 * fixed, &least);
    printf("with %llu units of fixed %llu every cube is solved in %u of %d steps at least\n",
           (unsigned long long)(2 * fixed), (unsigned long long)fixed, least, 5 * CUBES);
    CHECK(least >= 2 && least < 5 * CUBES);
}

/* ---- states ---- */

static void cut_runs_can_be_saved_and_resumed(void) {
    for (int i = 0; i < 6; i++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        make_scene(&s, &SCENES[i]);
        s.pieces_allowed = 12;
        for (int step = 0; step < 25; step++)
            run_step(&s);
        kept k = keep(&s);
        for (int step = 0; step < 25; step++)
            run_step(&s);
        uint64_t hash = hash_of_stage(&s);
        put_back(&s, &k);
        for (int step = 0; step < 25; step++)
            run_step(&s);
        CHECK(hash_of_stage(&s) == hash);
        drop(&s, &k);
        stage_free(&s);
    }
}

int main(void) {
    RUN(every_piece_may_be_the_last);
    RUN(bodies_that_hit_keep_their_momentum);
    RUN(crushed_bodies_gain_nothing);
    RUN(every_number_of_units_is_kept);
    RUN(no_number_of_units_makes_energy);
    RUN(cuts_are_the_same_on_any_threads);
    RUN(no_island_starves);
    RUN(cut_runs_can_be_saved_and_resumed);
    return check_finish();
}
