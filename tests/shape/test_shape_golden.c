/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* labels: golden */

/* The bytes of a .lithe file are the same on every machine and must stay so while LT_SHAPE_VERSION does. */

#include "check.h"
#include "core/hash.h"
#include "shape/small_shape.h"

static void bytes_are_the_known_ones(void) {
    uint8_t *bytes;
    size_t size;
    lt_shape *shape;
    CHECK_FATAL(build_small_shape(NULL, &bytes, &size, NULL) == LT_OK);
    CHECK_COUNT(size, 64 + 9 * 96 + 32 + 8 * 64);
    static const uint8_t begin[16] = {0x93, 'L', 'I', 'T', 'H', 'E', '\r', '\n', 4, 3, 2, 1, 1, 0, 0, 0};
    CHECK(memcmp(bytes, begin, sizeof begin) == 0);
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, bytes, size);
    printf("hash of the bytes %016llx\n", (unsigned long long)hash);
    CHECK(hash == 0x3507ba6892242c34u);
    CHECK_FATAL(lt_shape_adopt("small", bytes, size, NULL, &shape, NULL) == LT_OK);
    printf("hash of the shape %016llx\n", (unsigned long long)lt_shape_hash(shape));
    CHECK(lt_shape_hash(shape) == 0xe6406d18832e5cc9u);
    lt_shape_release(shape);
}

int main(void) {
    RUN(bytes_are_the_known_ones);
    return check_finish();
}
