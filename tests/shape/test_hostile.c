/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A small container, cut everywhere and with every value in every byte, as it is and with its checksums made right: refused, or all
 * that it says it has can be read; and opening it takes no more than a constant beside the file. */

#include "bake/shape_builder.h"
#include "check.h"
#include "failing_allocator.h"
#include "fuzz/shape_bytes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_BASE = 4096 }; /* docs/files.md says so */

static volatile uint64_t sink;
static uint64_t accepted;

static void read_all(const lt_shape *shape) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        sink += lt_shape_checksum(chunk.data, chunk.size) + strlen(chunk.name);
    }
}

static void try(const uint8_t *bytes, size_t size, bool make_right) {
    failing counted = failing_after(INT_MAX);
    lt_allocator allocator = failing_allocator(&counted);
    lt_error error = {0};
    lt_shape *shape;
    uint8_t *copy = LT_NEW(NULL, size, uint8_t);
    if (size) memcpy(copy, bytes, size);
    if (make_right) shape_bytes_make_right(copy, size);
    if (lt_shape_from_memory(copy, size, &allocator, &shape, &error) == LT_OK) {
        accepted++;
        read_all(shape);
        lt_shape_release(shape);
    } else {
        CHECK(error.status != LT_OK && strlen(error.message) > 15);
    }
    CHECK(counted.blocks_out == 0 && counted.bytes_most <= MEMORY_BASE);
    LT_DELETE(NULL, copy, size, uint8_t);
}

static bool make_small(uint8_t **bytes, size_t *size) {
    static const float numbers[6] = {0.5f, -1, 2};
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add(&builder, "positions", LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(2, 3), numbers);
    lt_shape_builder_add(&builder, "text", LT_SHAPE_TYPE_BYTES, LT_SHAPE_DIMS(5), "text");
    return lt_shape_builder_finish_bytes(&builder, bytes, size, NULL) == LT_OK;
}

static void containers_of_any_bytes(void) {
    uint8_t *bytes;
    size_t size;
    CHECK_FATAL(make_small(&bytes, &size));
    try(bytes, size, false);
    CHECK_COUNT(accepted, 1);
    for (size_t cut = 0; cut < size; cut++) {
        try(bytes, cut, false);
        CHECK_COUNT(accepted, 1);
        try(bytes, cut, true);
        accepted = 1;
    }
    for (size_t at = 0; at < size; at++) {
        uint8_t original = bytes[at];
        for (int value = 0; value < 256; value++) {
            uint64_t before = accepted;
            bytes[at] = (uint8_t)value;
            try(bytes, size, false);
            CHECK(value == original || accepted == before); /* checksums see every byte */
            try(bytes, size, true);
        }
        bytes[at] = original;
    }
    printf("%zu bytes, %llu accepted with checksums made right\n", size, (unsigned long long)accepted);
    CHECK(accepted > 3 * size && accepted < 256 * size);
    LT_DELETE(NULL, bytes, size, uint8_t);
}

int main(void) {
    RUN(containers_of_any_bytes);
    return check_finish();
}
