/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Worlds of one shape on several threads at once: each ends as it does alone, whatever the others make, find and let go of the
 * shape's factors meanwhile, and whichever grants it has.
 *
 * labels: threaded */

#include "core/hash.h"
#include "core/os.h"
#include "world/fixture.h"

enum { WORLDS = 6, STEPS = 24, ROUNDS = 3 };

static lt_shape *cube;

typedef struct job {
    uint32_t which;
    uint64_t hash;
} job;

static void change(lt_world *world, lt_body_id body, float young) {
    lt_material m = lt_body_material(world, body);
    m.young = young;
    if (lt_body_set_material(world, body, &m, NULL) != LT_OK) abort();
}

/* Materials and steps that others have, too, at other times. */
static void run_world(void *context) {
    job *j = context;
    lt_world_def def = lt_world_def_default();
    def.contact_capacity = 512;
    def.pair_capacity = 16;
    def.self_collision = false;
    def.factor_units = j->which % 3 == 0 ? LT_UNLIMITED : j->which % 3 == 1 ? 4000 : 20000;
    lt_world *world = NULL;
    if (lt_world_create(&def, &world, NULL) != LT_OK) abort();
    lt_body_def bd = lt_body_def_default();
    lt_body_id bodies[2];
    bd.shape = cube;
    for (int i = 0; i < 2; i++) {
        bd.position = (lt_vec3){0.15f * (float)i, 0.25f * (float)i, 0};
        bd.angular_velocity = (lt_vec3){1, 0, 4};
        bodies[i] = lt_world_add_body(world, &bd, NULL);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        if ((step + j->which) % 7 == 3) change(world, bodies[0], step % 2 ? 1e5f : 1e6f);
        if (step == 10 + j->which) lt_body_pin_node(world, bodies[1], 0);
        lt_world_step(world, (step + j->which) / 5 % 2 ? STEP_DT : STEP_DT / 2, lt_budget_unlimited());
    }
    j->hash = lt_world_hash(world);
    lt_world_destroy(world);
}

static void worlds_on_threads_end_as_they_do_alone(void) {
    job alone[WORLDS], together[WORLDS];
    for (uint32_t i = 0; i < WORLDS; i++) {
        cube = cube_shape(0.2, 2); /* one that nobody has made anything of */
        alone[i] = (job){.which = i};
        run_world(&alone[i]);
        lt_shape_release(cube);
    }
    for (int round = 0; round < ROUNDS; round++) {
        lt_os_thread *threads[WORLDS];
        cube = cube_shape(0.2, 2);
        for (uint32_t i = 0; i < WORLDS; i++) {
            together[i] = (job){.which = i};
            threads[i] = lt_os_thread_start(NULL, run_world, &together[i]);
            if (!threads[i]) run_world(&together[i]);
        }
        for (uint32_t i = 0; i < WORLDS; i++)
            if (threads[i]) lt_os_thread_join(NULL, threads[i]);
        for (uint32_t i = 0; i < WORLDS; i++)
            CHECK(together[i].hash == alone[i].hash);
        lt_shape_release(cube);
    }
    for (uint32_t i = 1; i < WORLDS; i++)
        CHECK(alone[i].hash != alone[0].hash);
}

int main(void) {
    RUN(worlds_on_threads_end_as_they_do_alone);
    return check_finish();
}
