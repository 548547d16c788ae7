/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into lt_collision_restore: refused with a message, or contacts are found twice on little and once without a limit. With
 * -DLITHE_LIBFUZZER this is a libFuzzer target; without, it damages a snapshot of a small crowd a fixed number of times, multiplied
 * by LITHE_FUZZ_ITERATIONS; `fuzz-collision 4711 4712` runs that round only. */

#include "world/fixture.h"

#include "fuzz/damage_state.h"
#include "fuzz/rounds.h"
#include "world/collide_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CAPACITY = 1024 };

static collide_scene scene;
static uint32_t accepted, wrong;

/* Three bodies in each other, and a ball among them. */
static bool open_scene(void) {
    lt_random random = lt_random_seed(17);
    lt_collision_def def = lt_collision_def_default();
    lt_obstacle_def ball = lt_obstacle_def_default();
    if (scene.collision) return true;
    def.contact_capacity = CAPACITY;
    if (!collide_make(&scene, 3, 0.42, 1, &def)) return false;
    ball.kind = LT_OBSTACLE_SPHERE;
    ball.radius = 0.5f;
    lt_collision_add_obstacle(scene.collision, &ball, NULL);
    deform_all(&scene, MOTION_PINCH, 0.2, &random);
    set_all(&scene, true);
    lt_collision_find(scene.collision, lt_budget_collision_units(2000));
    return true;
}

/* Surfaces that cross from the start have no distance and no direction. */
static bool contact_is_sound(const lt_collision_contact *c) {
    float length = lt_v3_length(c->normal);
    return c->time >= 0 && c->time <= 1 && fabsf(c->distance) < 1e30f && lt_v3_is_finite(c->position) &&
           (fabsf(length - 1) < 1e-3f || (length == 0 && c->distance == 0));
}

static bool contacts_are_sound(void) {
    uint32_t count, unsound = 0;
    const lt_collision_contact *contacts = lt_collision_contacts(scene.collision, &count);
    for (uint32_t i = 0; i < count; i++)
        unsound += !contact_is_sound(&contacts[i]);
    return count <= CAPACITY && unsound == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t nothing[1];
    const lt_budget budgets[] = {lt_budget_collision_units(500), lt_budget_collision_units(20000),
                                 lt_budget_collision_units(400000)};
    lt_error error = {0};
    if (!open_scene()) abort();
    if (lt_collision_restore(scene.collision, size ? data : nothing, size, &error) != LT_OK) {
        wrong += strlen(error.message) < 20;
        return 0;
    }
    accepted++;
    for (uint32_t i = 0; i < LT_COUNT_OF(budgets); i++) {
        lt_report report = lt_collision_find(scene.collision, budgets[i]);
        wrong += report.contacts > CAPACITY || !contacts_are_sound();
    }
    if (wrong) abort();
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 150 };

int main(int argument_count, char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    if (!open_scene()) return 1;
    size_t whole = lt_collision_snapshot_size(scene.collision);
    uint8_t *sound = LT_NEW(NULL, whole, uint8_t), *bytes = LT_NEW(NULL, whole, uint8_t);
    if (lt_collision_snapshot(scene.collision, sound, whole) != whole) return 1;
    for (uint64_t round = first; round < end; round++) {
        lt_random random = lt_random_seed(round);
        size_t size = whole;
        memcpy(bytes, sound, whole);
        damage_state(&random, bytes, &size);
        uint8_t *exact = malloc(size ? size : 1); /* so that one byte too far is seen */
        if (size) memcpy(exact, bytes, size);
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    bool is_sound = lt_collision_restore(scene.collision, sound, whole, NULL) == LT_OK;
    LT_DELETE(NULL, bytes, whole, uint8_t);
    LT_DELETE(NULL, sound, whole, uint8_t);
    collide_free(&scene);
    fuzz_report_executions(end - first);
    printf("%u damaged snapshots, %u accepted, %u wrong\n", (unsigned)(end - first), accepted, wrong);
    /* All refused or all taken would mean that nothing was tried. */
    bool tried = end - first < 100 || (accepted > (end - first) / 50 && accepted < end - first);
    return is_sound && tried && wrong == 0 && check_failures == 0 ? 0 : 1;
}

#endif
