/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into shapes with multiscale trees, with their checksums made right: refused with a message, or all that is done
 * with such a shape goes without a crash: boxes by every bound, contacts of two and of one with itself, with an obstacle, and
 * steps of a world. With -DLITHE_LIBFUZZER this is a libFuzzer target; without, it damages the chunks of the tree of a small
 * ball a fixed number of times, multiplied by LITHE_FUZZ_ITERATIONS; `fuzz-tree 4711 4712` runs that round only. */

#include "bound/multiscale_chunks.h"
#include "fuzz/rounds.h"
#include "fuzz/shape_bytes.h"
#include "method/multiscale_world.h"

#include "bake/shape_builder.h"
#include "bake/tree_fixture.h"
#include "bench/whole/whole.h"
#include "bound/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t accepted, wrong;

/* ---- what is done with a shape ---- */

/* Every box, fitted by every bound and from below. */
static void fit_all(const lt_multiscale_tree *tree, const lt_carrier *carrier) {
    float *nodes = LT_NEW(NULL, 4 * (size_t)carrier->node_count, float);
    lt_box box = {{-2, -2, -2}, {2, 2, 2}};
    for (size_t i = 0; i < 4 * (size_t)carrier->node_count; i++)
        nodes[i] = i % 4 == 3 ? 0 : (float)carrier->rest[3 * (i / 4) + i % 4];
    for (int bound = 0; bound < LT_BOUND_COUNT; bound++) {
        lt_multiscale m;
        if (lt_multiscale_create(&m, tree, carrier, (lt_multiscale_bound)bound, lt_simd_best(), NULL, NULL) !=
            LT_OK)
            break;
        lt_multiscale_begin(&m, nodes, nodes, box);
        lt_multiscale_fit(&m);
        for (uint32_t node = 0; node < tree->node_count; node++)
            lt_multiscale_open(&m, node);
        for (uint32_t node = 0; node < tree->node_count; node++)
            wrong += !lt_multiscale_box_is_fresh(&m, node);
        lt_multiscale_begin(&m, nodes, NULL, box);
        lt_multiscale_refit_whole(&m, NULL);
        lt_multiscale_free(&m);
    }
    LT_DELETE(NULL, nodes, 4 * (size_t)carrier->node_count, float);
}

/* Two bodies one in the other, one of them pressed flat so that it meets itself, on an obstacle. */
static void search(lt_shape *shape) {
    lt_collision_def def = lt_collision_def_default();
    lt_collision_body_def body = lt_collision_body_def_default();
    lt_obstacle_def ball = lt_obstacle_def_default();
    lt_collision *collision;
    def.contact_capacity = 512;
    def.separation = 1e-3f;
    body.shape = shape;
    ball.kind = LT_OBSTACLE_SPHERE;
    ball.radius = 0.3f;
    if (lt_collision_create(&def, &collision, NULL) != LT_OK) return;
    lt_body_id first = lt_collision_add_body(collision, &body, NULL);
    lt_collision_add_body(collision, &body, NULL);
    lt_collision_add_obstacle(collision, &ball, NULL);
    uint32_t count = first.index_plus_one ? lt_collision_node_count(collision, first) : 0;
    float *nodes = LT_NEW(NULL, 6 * (size_t)count + 1, float);
    for (uint32_t i = 0; i < 6 * count; i++) {
        float x = (float)((i % (3 * count)) * 7919 % 101) / 101;
        nodes[i] = i < 3 * count || i % 3 != 1 ? x : 0.1f * x;
    }
    if (count > 0)
        lt_collision_set_nodes(collision, first,
                               &(lt_collision_nodes){nodes, nodes + 3 * (size_t)count, count, 3}, NULL);
    lt_report report = lt_collision_find(collision, lt_budget_collision_units(400000));
    wrong += report.contacts > def.contact_capacity;
    LT_DELETE(NULL, nodes, 6 * (size_t)count + 1, float);
    lt_collision_destroy(collision);
}

static void step(lt_shape *shape) {
    lt_world_def def = multiscale_world_def();
    def.contact_capacity = 256;
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def body = lt_body_def_default();
        body.shape = shape;
        body.position = (lt_vec3){0, 0.6f * (float)i, 0};
        body.velocity = (lt_vec3){0, i ? -6.0f : 6.0f, 0};
        lt_world_add_body(world, &body, NULL);
    }
    for (int i = 0; i < 2; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(400000));
        wrong += report.contacts > def.contact_capacity;
    }
    lt_world_destroy(world);
}

static void use_shape(lt_shape *shape) {
    lt_carrier carrier;
    lt_skin skin;
    lt_multiscale_tree tree;
    lt_error error = {LT_OK, ""};
    lt_status status = lt_carrier_read_finest(&carrier, shape, &error);
    if (status == LT_OK) status = lt_skin_read(&skin, shape, &carrier, &error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&tree, shape, &carrier, &skin, &error);
    if (status != LT_OK) {
        wrong += strlen(error.message) < 20;
    } else {
        accepted++;
        fit_all(&tree, &carrier);
    }
    /* Whatever the reader says of it. */
    search(shape);
    step(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lt_shape *shape;
    uint8_t *bytes = LT_NEW(NULL, size + 1, uint8_t);
    if (size) memcpy(bytes, data, size);
    shape_bytes_make_right(bytes, size);
    if (lt_shape_from_memory(bytes, size, NULL, &shape, NULL) == LT_OK) {
        use_shape(shape);
        lt_shape_release(shape);
    }
    LT_DELETE(NULL, bytes, size + 1, uint8_t);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 150 };

static lt_shape_record *some_record(lt_random *random, uint8_t *bytes) {
    lt_shape_header *header = (lt_shape_header *)bytes;
    lt_shape_record *records = (lt_shape_record *)(bytes + sizeof *header);
    for (;;) {
        lt_shape_record *record = records + lt_random_below(random, (uint32_t)header->chunk_count);
        bool of_tree =
            strncmp(record->name, LT_CHUNK_MULTISCALE_PREFIX, strlen(LT_CHUNK_MULTISCALE_PREFIX)) == 0;
        if (of_tree && record->size >= 4) return record;
    }
}

/* A word becomes another, or its neighbour's, or a little more or less; seldom, a chunk gets shorter. */
static void damage(lt_random *random, uint8_t *bytes) {
    static const uint32_t extremes[] = {0, 1, 0x7f800000, 0x7fc00000, 0x7fffffff, UINT32_MAX};
    lt_shape_record *record = some_record(random, bytes);
    uint32_t *words = (uint32_t *)(bytes + record->offset);
    uint32_t count = (uint32_t)(record->size / 4), at = lt_random_below(random, count);
    switch (lt_random_below(random, 8)) {
    case 0: words[at] = extremes[lt_random_below(random, LT_COUNT_OF(extremes))]; break;
    case 1:
    case 2: words[at] += lt_random_below(random, 5) - 2; break;
    case 3:
    case 4: words[at] = words[lt_random_below(random, count)]; break;
    case 5:
        if (record->dims[0] > 1) {
            record->size -= record->size / record->dims[0];
            record->dims[0]--;
        }
        break;
    default: words[at] = damaged_word(words[at], random); break;
    }
}

static bool make_seed(uint8_t **bytes, size_t *size) {
    tree_fixture f;
    if (!ball_in_block(&f, 1, 2, 3)) return false;
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add_chunks(&builder, f.shape, NULL);
    tree_fixture_free(&f);
    return lt_shape_builder_finish_bytes(&builder, bytes, size, NULL) == LT_OK;
}

int main(int argument_count, char **arguments) {
    uint8_t *seed, *bytes;
    size_t size;
    uint64_t first = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 0;
    uint64_t end = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : first + fuzz_rounds(ROUNDS);
    if (!make_seed(&seed, &size)) return 1;
    bytes = LT_NEW(NULL, size, uint8_t);
    LLVMFuzzerTestOneInput(seed, size);
    bool seed_is_read = accepted == 1;
    for (uint64_t round = first; round < end; round++) {
        lt_random random = lt_random_seed(round);
        memcpy(bytes, seed, size);
        for (uint32_t left = 1 + lt_random_below(&random, 4) / 3; left > 0; left--)
            damage(&random, bytes);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    LT_DELETE(NULL, bytes, size, uint8_t);
    LT_DELETE(NULL, seed, size, uint8_t);
    fuzz_report_executions(end - first);
    printf("%u damaged trees, %u accepted, %u wrong\n", (unsigned)(end - first), accepted - 1, wrong);
    /* All refused or all taken would mean that nothing was tried. */
    bool tried = end - first < 100 || (accepted > (end - first) / 20 && accepted < end - first);
    return seed_is_read && tried && wrong == 0 && check_failures == 0 ? 0 : 1;
}

#endif
