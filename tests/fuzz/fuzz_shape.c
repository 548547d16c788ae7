/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bytes into lt_shape_from_memory. Every input is tried as it is and with its checksums made right, since
 * otherwise hardly any would come past them. With -DLITHE_LIBFUZZER this is a libFuzzer target; without, it
 * damages a small valid block a fixed number of times, the same way every time, multiplied by LITHE_FUZZ_ITERATIONS. */

#include "bake/shape_builder.h"
#include "core/random.h"
#include "fuzz/rounds.h"
#include "fuzz/shape_bytes.h"

#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

/* Reads every byte that the shape says it has. */
static bool open_and_read(const uint8_t *bytes, size_t size) {
    lt_shape *shape;
    lt_error error;
    if (lt_shape_from_memory(bytes, size, NULL, &shape, &error) != LT_OK) return false;
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        sink += lt_shape_checksum(chunk.data, chunk.size) + strlen(chunk.name);
        lt_shape_dims dims = {chunk.dim_count, {0}};
        memcpy(dims.size, chunk.dims, sizeof dims.size);
        if (lt_shape_data(shape, chunk.name, chunk.type, &dims, &error) != chunk.data) __builtin_trap();
        dims = LT_SHAPE_DIMS(12345, LT_SHAPE_ANY);
        if (lt_shape_u16(shape, chunk.name, &dims, &error)) sink++;
    }
    lt_shape_release(shape);
    return true;
}

static uint32_t accepted;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
    if (!bytes) return 0;
    if (size) memcpy(bytes, data, size);
    accepted += open_and_read(bytes, size);
    shape_bytes_make_right(bytes, size);
    accepted += open_and_read(bytes, size);
    LT_DELETE(NULL, bytes, size, uint8_t);
    return 0;
}

#ifndef LITHE_LIBFUZZER

enum { MUTATIONS = 200000, CHUNKS = 4 };

static lt_status build_valid(uint8_t **bytes, size_t *size) {
    static const double numbers[12] = {0.5, -1, 2};
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add(&builder, "positions", LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(4, 3), numbers);
    lt_shape_builder_add(&builder, "triangles", LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(2, 3), numbers);
    lt_shape_builder_add(&builder, "none", LT_SHAPE_TYPE_U16, LT_SHAPE_DIMS(0), NULL);
    lt_shape_builder_add(&builder, "text", LT_SHAPE_TYPE_BYTES, LT_SHAPE_DIMS(5), "text");
    return lt_shape_builder_finish_bytes(&builder, bytes, size, NULL);
}

static void damage(lt_random *random, uint8_t *bytes, size_t *size) {
    static const uint8_t values[] = {0, 1, 2, 4, 7, 8, 31, 63, 64, 127, 128, 254, 255};
    uint32_t changes = 1 + lt_random_below(random, 4);
    for (uint32_t i = 0; i < changes; i++) {
        /* Mostly in header and records, where the decisions are. */
        uint32_t range =
            lt_random_below(random, 4) ? lt_min_u32(64 + 96 * CHUNKS, (uint32_t)*size) : (uint32_t)*size;
        if (range == 0) return;
        uint32_t at = lt_random_below(random, range);
        switch (lt_random_below(random, 5)) {
        case 0: bytes[at] ^= (uint8_t)(1u << lt_random_below(random, 8)); break;
        case 1: bytes[at] = values[lt_random_below(random, LT_COUNT_OF(values))]; break;
        case 2:
            memset(bytes + (at & ~7u), lt_random_below(random, 2) ? 0xff : 0,
                   lt_min_u32(8, range - (at & ~7u)));
            break;
        case 3:
            memmove(bytes + at, bytes + lt_random_below(random, at + 1), lt_min_u32(96, range - at));
            break;
        default:
            *size = lt_random_below(random, 8) ? *size : lt_random_below(random, (uint32_t)*size + 1);
            break;
        }
    }
}

int main(void) {
    uint8_t *valid, *bytes;
    size_t valid_size;
    if (build_valid(&valid, &valid_size) != LT_OK) return 1;
    bytes = LT_NEW(NULL, valid_size, uint8_t);
    LLVMFuzzerTestOneInput(valid, valid_size);
    bool valid_is_accepted = accepted == 2;
    lt_random random = lt_random_seed(1);
    uint32_t rounds = fuzz_rounds(MUTATIONS);
    for (uint32_t i = 0; i < rounds; i++) {
        size_t size = valid_size;
        memcpy(bytes, valid, valid_size);
        damage(&random, bytes, &size);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    LT_DELETE(NULL, bytes, valid_size, uint8_t);
    LT_DELETE(NULL, valid, valid_size, uint8_t);
    fuzz_report_executions(2 * (uint64_t)rounds); /* each as it is, and with checksums made right */
    printf("%u of %u inputs accepted\n", accepted, 2 * rounds + 2);
    /* All refused would mean that nothing behind the first check was tried. */
    return valid_is_accepted && accepted > rounds / 100 ? 0 : 1;
}

#endif
