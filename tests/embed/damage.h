/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Copies of a shape with one chunk absent, shortened or changed, whose checksums are sound. */

#ifndef LITHE_TESTS_EMBED_DAMAGE_H
#define LITHE_TESTS_EMBED_DAMAGE_H

#include "bake/shape_builder.h"
#include "check.h"
#include "embed/embed.h"

typedef struct damage {
    const char *chunk;
    bool remove;
    uint64_t rows_less; /* shortens the first dim */
    size_t at;          /* element to overwrite, in elements */
    union {
        float f;
        uint32_t u;
        double d;
    } value;
    size_t value_size; /* 0: overwrite nothing */
} damage;

static inline void add_chunk(lt_shape_builder *builder, const lt_shape_chunk *chunk, const damage *d) {
    bool meant = d && strcmp(chunk->name, d->chunk) == 0;
    if (meant && d->remove) return;
    lt_shape_dims dims = {.count = chunk->dim_count};
    memcpy(dims.size, chunk->dims, sizeof dims.size);
    uint8_t *copy = LT_NEW(NULL, chunk->size, uint8_t);
    memcpy(copy, chunk->data, chunk->size);
    if (meant) dims.size[0] -= d->rows_less;
    if (meant && d->value_size) memcpy(copy + d->at * d->value_size, &d->value, d->value_size);
    lt_shape_builder_add(builder, chunk->name, chunk->type, dims, copy);
    LT_DELETE(NULL, copy, chunk->size, uint8_t);
}

static inline lt_shape *damaged_copy(const lt_shape *shape, const damage *d) {
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        add_chunk(&builder, &chunk, d);
    }
    lt_shape *out = NULL;
    CHECK(lt_shape_builder_finish(&builder, "damaged bear", &out, NULL) == LT_OK);
    return out;
}

#define PUT_FLOAT(position, number)  .at = (position), .value.f = (number), .value_size = 4
#define PUT_INDEX(position, number)  .at = (position), .value.u = (number), .value_size = 4
#define PUT_DOUBLE(position, number) .at = (position), .value.d = (number), .value_size = 8

static inline lt_status read_all(const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    lt_status status = lt_carrier_read(&carrier, shape, error);
    return status == LT_OK ? lt_skin_read(&skin, shape, &carrier, error) : status;
}

static inline void check_refused(const lt_shape *shape, const damage *d, const char *part) {
    lt_shape *bad = damaged_copy(shape, d);
    lt_error error = {LT_OK, ""};
    CHECK_FATAL(bad != NULL);
    lt_status status = read_all(bad, &error);
    if (status == LT_OK) CHECK_FAIL_MESSAGE("%s[%zu] was accepted", d->chunk, d->at);
    CHECK(status == error.status && status != LT_STATUS_MEMORY);
    CHECK_CONTAINS(error.message, "damaged bear");
    CHECK_CONTAINS(error.message, part);
    CHECK(read_all(bad, NULL) == status);
    lt_shape_release(bad);
}

#endif
