/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bytes of a shape after they were damaged. */

#ifndef LITHE_TESTS_FUZZ_SHAPE_BYTES_H
#define LITHE_TESTS_FUZZ_SHAPE_BYTES_H

#include "shape/shape.h"

/* Makes size, checksums and seal agree with what is there, as far as that is possible. */
static inline void shape_bytes_make_right(uint8_t *bytes, size_t size) {
    lt_shape_header *header = (lt_shape_header *)bytes;
    if (size < sizeof *header) return;
    header->total_size = size;
    uint64_t room = (size - sizeof *header) / sizeof(lt_shape_record);
    if (header->chunk_count > room) return;
    lt_shape_record *records = (lt_shape_record *)(bytes + sizeof *header);
    for (uint64_t i = 0; i < header->chunk_count; i++)
        if (records[i].offset <= size && records[i].size <= size - records[i].offset)
            records[i].checksum = lt_shape_checksum(bytes + records[i].offset, records[i].size);
    header->seal = lt_shape_seal_of(bytes);
}

#endif
