/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into shapes with ladders, with their checksums made right: refused with a message, or every number in the ladder can be
 * followed and a body on its finest level steps. With -DLITHE_LIBFUZZER this is a libFuzzer target; without, it damages the
 * ladder of a small ball a fixed number of times, multiplied by LITHE_FUZZ_ITERATIONS; `fuzz-ladder 4711 4712` runs that round
 * only. */

#include "bake/ladder_fixture.h"
#include "bake/shape_builder.h"
#include "core/random.h"
#include "fuzz/rounds.h"
#include "fuzz/shape_bytes.h"
#include "world/fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t accepted, wrong;

/* ---- what is done with a shape ---- */

/* The place a row gives its node, which is finite when all of it is in range. */
static bool row_is_sound(const lt_carrier *c, uint32_t tet, const float w[4]) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (double)w[k] * c->rest[3 * (size_t)c->tets[4 * (size_t)tet + (size_t)k]];
    return sum - sum == 0;
}

static void follow_rows(const lt_carrier *c) {
    const lt_ladder *l = &c->ladder;
    for (uint32_t node = 0; node < l->node_begin[l->level_count - 1]; node++) {
        wrong += !row_is_sound(c, l->above_tets[node], l->above_weights + 4 * (size_t)node);
        wrong += l->parents[node] < l->node_begin[1] || l->parents[node] >= c->node_count;
    }
    for (uint32_t row = 0; row < c->node_count - l->node_begin[1]; row++)
        wrong += !row_is_sound(c, l->below_tets[row], l->below_weights + 4 * (size_t)row);
    for (uint32_t node = 0; node < c->node_count; node++)
        for (uint32_t i = l->cascade_begin[node]; i < l->cascade_begin[node + 1]; i++)
            wrong += l->cascade[i] == node || l->cascade[i] >= c->node_count;
}

static void follow_pieces(const lt_carrier *c) {
    const lt_ladder *l = &c->ladder;
    for (uint32_t piece = 0; piece < l->piece_count; piece++)
        for (uint32_t level = 0; level < l->level_count; level++) {
            uint32_t tet = l->piece_tets[(size_t)piece * l->level_count + level];
            wrong += !(l->piece_volumes[piece] * c->fill[tet] > 0);
        }
}

static void step(lt_shape *shape) {
    lt_world_def def = test_world_def();
    lt_world *world = make_world(&def);
    lt_body_def body = lt_body_def_default();
    body.shape = shape;
    lt_world_add_body(world, &body, NULL);
    lt_world_step(world, STEP_DT, lt_budget_collision_units(100000));
    lt_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    lt_shape *shape;
    uint8_t *bytes = LT_NEW(NULL, size + 1, uint8_t);
    if (size) memcpy(bytes, data, size);
    shape_bytes_make_right(bytes, size);
    if (lt_shape_from_memory(bytes, size, NULL, &shape, NULL) == LT_OK) {
        lt_carrier carrier;
        lt_error error = {LT_OK, ""};
        if (lt_carrier_read(&carrier, shape, &error) != LT_OK) {
            wrong += strlen(error.message) < 20;
        } else if (carrier.ladder.level_count > 0) {
            accepted++;
            follow_rows(&carrier);
            follow_pieces(&carrier);
        }
        step(shape); /* whatever the reader says of it */
        lt_shape_release(shape);
    }
    LT_DELETE(NULL, bytes, size + 1, uint8_t);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { ROUNDS = 400 };

/* ---- damage ---- */

static lt_shape_record *some_record(lt_random *random, uint8_t *bytes) {
    lt_shape_header *header = (lt_shape_header *)bytes;
    lt_shape_record *records = (lt_shape_record *)(bytes + sizeof *header);
    for (;;) {
        lt_shape_record *record = records + lt_random_below(random, (uint32_t)header->chunk_count);
        if (strncmp(record->name, "ladder.", 7) == 0 && record->size >= 4) return record;
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
    case 2:
    case 3: words[at] += lt_random_below(random, 5) - 2; break;
    case 4:
    case 5: words[at] = words[lt_random_below(random, count)]; break;
    case 6: words[at] ^= 1u << lt_random_below(random, 32); break;
    default:
        if (record->dims[0] > 1) {
            record->size -= record->size / record->dims[0];
            record->dims[0]--;
        }
    }
}

static bool make_seed(uint8_t **bytes, size_t *size) {
    ladder_shape s;
    if (!bake_balls(&s, 3, 1.0, true)) return false;
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add_chunks(&builder, s.shape, NULL);
    lt_shape_release(s.shape);
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
        damage(&random, bytes);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    LT_DELETE(NULL, bytes, size, uint8_t);
    LT_DELETE(NULL, seed, size, uint8_t);
    fuzz_report_executions(end - first);
    printf("%u damaged ladders, %u accepted, %u wrong\n", (unsigned)(end - first), accepted - 1, wrong);
    /* All refused or all taken would mean that nothing was tried. */
    bool tried = end - first < 100 || (accepted > (end - first) / 20 && accepted < end - first);
    return seed_is_read && tried && wrong == 0 && check_failures == 0 ? 0 : 1;
}

#endif
