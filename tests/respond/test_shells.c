/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* All parts of the method together, on two shells of springs: one falls onto the other and stays there; two that begin in each
 * other part without flying off; nothing depends on the level of the kernels, nor on the compiler.
 *
 * labels: golden wasm */

#include "check.h"

#include "bound/cell_fixture.h"
#include "core/hash.h"
#include "respond/impulse_pair.h"

enum { SIDE = 4, BODIES = 2, PAIRS_MOST = 4096 };

static const lt_real NODE_MASS = (lt_real)0.01, STIFFNESS = 200, DAMPING = (lt_real)0.1,
                     STEP = (lt_real)0.001;

typedef struct shell {
    cell_fixture *f;
    lt_real x[4 * CELL_NODES_MOST], v[4 * CELL_NODES_MOST], force[4 * CELL_NODES_MOST];
    lt_real inverse_mass[CELL_NODES_MOST];
    lt_cell_motion motion;
} shell;

typedef struct stack {
    shell shells[BODIES];
    lt_impulse_params params;
    lt_impulse_counts counts;
    lt_simd_level level;
    uint64_t state_hash;
} stack;

/* Faces of the block that a cell is at look out. */
static void mask_outward(cell_fixture *f) {
    for (uint32_t box = 0; box < f->layout.box_count; box++) {
        uint32_t mask = 0, place = f->places[f->layout.cells[box]];
        for (int axis = 0; axis < 3; axis++) {
            mask |= (uint32_t)(lt_cell_place_along(place, axis) == 0) << (2 * axis);
            mask |= (uint32_t)(lt_cell_place_along(place, axis) == SIDE - 1) << (2 * axis + 1);
        }
        f->layout.masks[box] = (uint8_t)mask;
    }
}

static void make_shell(shell *s, lt_vec3 at, bool masks, lt_simd_level level) {
    s->f = cells_make((cell_options){.size = {SIDE, SIDE, SIDE}, .shell = true, .level = level});
    if (masks) mask_outward(s->f);
    const lt_real shift[3] = {(lt_real)at.x, (lt_real)at.y, (lt_real)at.z};
    for (uint32_t i = 0; i < s->f->node_count; i++) {
        s->inverse_mass[i] = 1 / NODE_MASS;
        for (uint32_t k = 0; k < 3; k++)
            s->x[4 * i + k] = (lt_real)s->f->rest[4 * i + k] + shift[k];
    }
    s->motion = (lt_cell_motion){&s->f->boxes, s->x, s->v, s->f->nodes, s->inverse_mass};
}

static stack *make_stack(lt_vec3 offset, bool masks, lt_simd_level level) {
    stack *s = calloc(1, sizeof *s);
    s->params = lt_impulse_params_default(level);
    s->level = level;
    make_shell(&s->shells[0], (lt_vec3){0, 0, 0}, masks, level);
    make_shell(&s->shells[1], offset, masks, level);
    return s;
}

static void free_stack(stack *s) {
    for (int i = 0; i < BODIES; i++)
        cells_free(s->shells[i].f);
    free(s);
}

/* All pairs of nodes of a cell; those that cells share count for each of them. */
static void add_spring(shell *s, uint32_t a, uint32_t b) {
    lt_real rest = 0;
    for (uint32_t k = 0; k < 3; k++) {
        lt_real d = (lt_real)(s->f->rest[4 * a + k] - s->f->rest[4 * b + k]);
        rest += d * d;
    }
    lt_rvec3 way = lt_r3_sub(lt_node_get(s->x, a), lt_node_get(s->x, b));
    lt_real length = lt_r3_length(way);
    lt_rvec3 unit = lt_r3_scale(way, 1 / lt_max_r(length, (lt_real)1e-6));
    lt_real speed = lt_r3_dot(lt_r3_sub(lt_node_get(s->v, a), lt_node_get(s->v, b)), unit);
    lt_real force = STIFFNESS * (length - lt_sqrt_r(rest)) + DAMPING * speed;
    lt_node_add(s->force, a, unit, -force);
    lt_node_add(s->force, b, unit, force);
}

static void advance(shell *s) {
    memset(s->force, 0, sizeof s->force);
    for (uint32_t cell = 0; cell < s->f->cell_count; cell++)
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t j = 0; j < i; j++)
                add_spring(s, s->f->cells[8 * cell + i], s->f->cells[8 * cell + j]);
    for (uint32_t i = 0; i < s->f->node_count; i++) {
        lt_node_add(s->v, i, lt_node_get(s->force, i), STEP / NODE_MASS);
        s->v[4 * i + 1] -= STEP * (lt_real)9.81;
        lt_node_add(s->x, i, lt_node_get(s->v, i), STEP);
    }
    for (uint32_t i = 0; i < 4 * s->f->node_count; i++)
        s->f->nodes[i] = (float)s->x[i];
    cells_begin(s->f);
    lt_cell_boxes_fit(&s->f->boxes);
}

/* Corners under the floor. */
static void stand_on_floor(stack *t, shell *s) {
    for (uint32_t box = 0; box < s->f->layout.box_count; box++) {
        if (lt_cell_boxes_aabb(&s->f->boxes, box).lo.y > 0) continue;
        for (uint32_t corner = 0; corner < 8; corner++) {
            float shares[8] = {0}, y = lt_cell_box_corner(lt_cell_box_get(&s->f->boxes, box), corner).y;
            shares[corner] = 1;
            if (y < 0)
                lt_impulse_against(&t->params, &s->motion, box, shares, (lt_vec3){0, 1, 0}, -y,
                                   (lt_vec3){0, 0, 0}, &t->counts);
        }
    }
}

static void collide(stack *t) {
    static const lt_body_pair bodies[] = {{0, 0}, {0, 1}, {1, 1}};
    static lt_box_pair pairs[PAIRS_MOST];
    lt_cell_boxes *const boxes[BODIES] = {&t->shells[0].f->boxes, &t->shells[1].f->boxes};
    lt_box_search_input input = {.bodies = boxes, .pairs = bodies, .pair_count = 3, .level = t->level};
    lt_box_search search;
    uint32_t count;
    lt_box_search_begin(&search, &input, NULL);
    lt_box_search_step(&search, UINT32_MAX, pairs, PAIRS_MOST, &count);
    CHECK(search.done);
    for (uint32_t i = 0; i < count; i++)
        impulse_pair(&t->params, &t->shells[pairs[i].body_a].motion, pairs[i].a,
                     &t->shells[pairs[i].body_b].motion, pairs[i].b, &t->counts);
}

static void run(stack *t, uint32_t steps) {
    for (uint32_t step = 0; step < steps; step++) {
        for (int i = 0; i < BODIES; i++)
            advance(&t->shells[i]);
        collide(t);
        for (int i = 0; i < BODIES; i++)
            stand_on_floor(t, &t->shells[i]);
    }
    t->state_hash = LT_HASH_SEED;
    for (int i = 0; i < BODIES; i++)
        t->state_hash = lt_hash_bytes(t->state_hash, t->shells[i].x, sizeof t->shells[i].x);
}

static double mean_height(const shell *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->f->node_count; i++)
        sum += (double)s->x[4 * i + 1];
    return sum / s->f->node_count;
}

static double rms_speed(const shell *s) {
    double sum = 0;
    for (uint32_t i = 0; i < s->f->node_count; i++) {
        lt_rvec3 v = lt_node_get(s->v, i);
        sum += (double)lt_r3_dot(v, v);
    }
    return sqrt(sum / s->f->node_count);
}

/* The shells are half a metre high; the upper one falls 2 cm, not quite straight above. */
static void one_stays_on_the_other(void) {
    stack *t = make_stack((lt_vec3){0.03f, 0.52f, -0.02f}, true, lt_simd_best());
    run(t, 600);
    double lower = mean_height(&t->shells[0]), upper = mean_height(&t->shells[1]);
    printf("heights %.3f and %.3f, speeds %.3f and %.3f, %u corrections, deepest %.4f\n", lower, upper,
           rms_speed(&t->shells[0]), rms_speed(&t->shells[1]), t->counts.corrections,
           (double)t->counts.deepest);
    CHECK(lower > 0.22 && upper - lower > 0.46 && upper - lower < 0.53);
    CHECK(rms_speed(&t->shells[1]) < 0.2 && t->counts.corrections > 1000);
    free_stack(t);
}

/* Nearly a cell deep in each other at the start; a correction of 2 m/s at most, for steps as short as these. */
static void what_begins_in_each_other_parts_gently(void) {
    stack *t = make_stack((lt_vec3){0.06f, 0.4f, 0.04f}, true, lt_simd_best());
    double fastest = 0;
    t->params.cap = 2 * STEP / (lt_real)t->shells[0].f->h;
    for (int part = 0; part < 12; part++) {
        run(t, 50);
        fastest = lt_max_d(fastest, lt_max_d(rms_speed(&t->shells[0]), rms_speed(&t->shells[1])));
    }
    double lower = mean_height(&t->shells[0]), upper = mean_height(&t->shells[1]);
    printf("heights %.3f and %.3f, fastest %.2f\n", lower, upper, fastest);
    CHECK(fastest < 5 && upper - lower > 0.44 && upper - lower < 0.65 && lower > 0.2);
    free_stack(t);
}

static void levels_give_the_same_bits(void) {
    uint64_t hashes[LT_LEVEL_COUNT];
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        stack *t = make_stack((lt_vec3){0.03f, 0.49f, -0.02f}, true, (lt_simd_level)level);
        run(t, 40);
        CHECK(t->counts.corrections > 50);
        hashes[level] = t->state_hash;
        CHECK(hashes[level] == hashes[0]);
        free_stack(t);
    }
    check_golden("cell-shells", hashes[0]);
}

int main(void) {
    RUN(one_stays_on_the_other);
    RUN(what_begins_in_each_other_parts_gently);
    RUN(levels_give_the_same_bits);
    return check_finish();
}
