/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into shapes of every kind, with their checksums made right: tets, lattices of cells, sphere trees. Refused with a message,
 * or two bodies of it are stepped by the method that it is for, saved, drawn and asked. With -DLITHE_LIBFUZZER this is a libFuzzer
 * target; without, it damages the chunks of small shapes a fixed number of times, multiplied by LITHE_FUZZ_ITERATIONS;
 * `fuzz-chunks 4711 4712` runs that round only. Trees of boxes and ladders have targets of their own. */

#include "bound/damage.h"
#include "fuzz/rounds.h"
#include "fuzz/shape_bytes.h"
#include "lithe/debug_draw.h"
#include "lithe/query.h"
#include "method/lattice_world.h"
#include "method/sphere_world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t accepted, wrong;

/* ---- what is done with a shape ---- */

static void take_line(void *context, lt_vec3 from, lt_vec3 to, uint32_t color) {
    (void)context, (void)from, (void)to, (void)color;
}

static void take_point(void *context, lt_vec3 at, uint32_t color) {
    (void)context, (void)at, (void)color;
}

static void look_at(lt_world *world, lt_body_id body) {
    lt_debug_draw draw = lt_debug_draw_default();
    lt_ray ray = lt_ray_along((lt_vec3){0, 3, 0.01f}, (lt_vec3){0, -1, 0});
    lt_ray_hit hit;
    draw.line = take_line;
    draw.point = take_point;
    lt_body_surface(world, body);
    lt_world_debug_draw(world, &draw);
    lt_world_ray_cast(world, &ray, &hit);
}

/* One falls on the other and on the floor. */
static void use_shape(lt_shape *shape, lt_method method, lt_model model) {
    lt_world_def def = test_world_def();
    lt_error error = {0};
    lt_body_id body = {0};
    def.method = method;
    def.contact_capacity = 256;
    def.pair_capacity = 64;
    lt_world *world = make_world(&def);
    add_floor(world);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = lt_body_def_default();
        bd.shape = shape;
        bd.model = model;
        bd.position = (lt_vec3){0, 0.05f + 0.15f * (float)i, 0};
        body = lt_world_add_body(world, &bd, &error);
        if (body.index_plus_one == 0) wrong += strlen(error.message) < 20;
    }
    if (body.index_plus_one != 0) {
        accepted++;
        for (int i = 0; i < 2; i++) {
            lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(100000));
            wrong += report.contacts > def.contact_capacity;
        }
        saved s = save_world(world);
        wrong += !world_is_finite(world) || lt_world_restore(world, s.bytes, s.size, NULL) != LT_OK;
        drop_saved(&s);
        look_at(world, body);
    }
    lt_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lt_shape *shape;
    lt_error error = {0};
    uint8_t *bytes = LT_NEW(NULL, size + 1, uint8_t);
    if (size) memcpy(bytes, data, size);
    shape_bytes_make_right(bytes, size);
    if (lt_shape_from_memory(bytes, size, NULL, &shape, &error) == LT_OK) {
        use_shape(shape, LT_METHOD_CELL_BOX, LT_MODEL_LATTICE_MATCHING);
        use_shape(shape, LT_METHOD_SPHERE_TREE, LT_MODEL_COROTATIONAL);
        use_shape(shape, LT_METHOD_TET_HASH, LT_MODEL_EXPLICIT_FEM);
        lt_shape_release(shape);
    } else {
        wrong += strlen(error.message) < 15;
    }
    LT_DELETE(NULL, bytes, size + 1, uint8_t);
    if (wrong) abort();
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 300, SEEDS = 3 };

typedef struct seed {
    uint8_t *bytes;
    size_t size;
} seed;

static bool take_bytes(seed *out, lt_shape *shape) {
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add_chunks(&builder, shape, NULL);
    lt_shape_release(shape);
    return lt_shape_builder_finish_bytes(&builder, &out->bytes, &out->size, NULL) == LT_OK;
}

/* A word of some chunk becomes another, or its neighbour's, or a little more or less; seldom, a chunk gets shorter. */
static void damage(lt_random *random, uint8_t *bytes) {
    lt_shape_header *header = (lt_shape_header *)bytes;
    lt_shape_record *records = (lt_shape_record *)(bytes + sizeof *header), *record;
    do
        record = records + lt_random_below(random, (uint32_t)header->chunk_count);
    while (record->size < 4);
    uint32_t *words = (uint32_t *)(bytes + record->offset);
    uint32_t count = (uint32_t)(record->size / 4), at = lt_random_below(random, count);
    switch (lt_random_below(random, 6)) {
    case 0: words[at] += lt_random_below(random, 5) - 2; break;
    case 1: words[at] = words[lt_random_below(random, count)]; break;
    case 2:
        if (record->dims[0] > 1) {
            record->size -= record->size / record->dims[0];
            record->dims[0]--;
        }
        break;
    default: words[at] = damaged_word(words[at], random); break;
    }
}

int main(int argument_count, char **arguments) {
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    seed seeds[SEEDS];
    if (!take_bytes(&seeds[0], lattice_ball(0.12f, 3)) || !take_bytes(&seeds[1], cube_with_tree(0.2, 1, 2)) ||
        !take_bytes(&seeds[2], ball_shape(0.12, 1)))
        return 1;
    for (uint32_t i = 0; i < SEEDS; i++)
        LLVMFuzzerTestOneInput(seeds[i].bytes, seeds[i].size);
    bool seeds_are_used = accepted >= SEEDS;
    accepted = 0;
    for (uint64_t round = first; round < end; round++) {
        lt_random random = lt_random_seed(round);
        const seed *from = &seeds[round % SEEDS];
        uint8_t *bytes = LT_NEW(NULL, from->size, uint8_t);
        memcpy(bytes, from->bytes, from->size);
        for (uint32_t left = 1 + lt_random_below(&random, 4) / 3; left > 0; left--)
            damage(&random, bytes);
        LLVMFuzzerTestOneInput(bytes, from->size);
        LT_DELETE(NULL, bytes, from->size, uint8_t);
    }
    for (uint32_t i = 0; i < SEEDS; i++)
        LT_DELETE(NULL, seeds[i].bytes, seeds[i].size, uint8_t);
    fuzz_report_executions(end - first);
    printf("%u damaged shapes, used %u times, %u wrong\n", (unsigned)(end - first), accepted, wrong);
    /* All refused would mean that nothing was tried. */
    bool tried = end - first < 100 || accepted > (end - first) / 20;
    return seeds_are_used && tried && wrong == 0 && check_failures == 0 ? 0 : 1;
}

#endif
