/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bytes of a .lithe file, which are also the bytes of a shape in memory.
 *
 *     0                64                                  T            total_size
 *     | header (64)    | records (96 each) | zeros | chunk 0 | zeros | chunk 1 | zeros |
 *                                                  ^ a multiple of 64  ^ too           ^ too
 *
 * There is exactly one layout for given chunks: they follow each other in the order of their records, each at
 * the next multiple of 64, and everything between is zero. So a reader need not search for overlaps, and a
 * changed byte anywhere is seen: in chunks by their checksum, in header and records by the seal, elsewhere by
 * not being zero. Little-endian throughout; `byte_order` reads as BYTE_ORDER_MARK only where the
 * machine agrees. */

#ifndef LITHE_SHAPE_FORMAT_H
#define LITHE_SHAPE_FORMAT_H

#include "lithe/shape.h"

#define LT_SHAPE_MAGIC           "\x93LITHE\r\n" /* 8 bytes; the line break catches text-mode copies */
#define LT_SHAPE_BYTE_ORDER_MARK 0x01020304u
#define LT_SHAPE_NAME_SIZE       32
#define LT_SHAPE_DIM_MAX         4
#define LT_SHAPE_CHUNK_MAX       4096 /* names are compared pair by pair: no file may make that slow */

typedef struct lt_shape_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint64_t total_size;
    uint64_t chunk_count;
    uint64_t seal; /* of header (this field 0) and records; they hold the checksums, so it stands for all */
    uint64_t reserved[3];
} lt_shape_header;

typedef struct lt_shape_record {
    char name[LT_SHAPE_NAME_SIZE]; /* ends in zeros, at least one */
    uint32_t type;
    uint32_t dim_count;
    uint64_t dims[LT_SHAPE_DIM_MAX]; /* unused ones are 0 */
    uint64_t offset;                 /* from the beginning of the file */
    uint64_t size;                   /* product of dims and the size of the type */
    uint64_t checksum;
} lt_shape_record;

_Static_assert(sizeof(lt_shape_header) == 64, "the header is part of the file format");
_Static_assert(sizeof(lt_shape_record) == 96, "records are part of the file format");

/* Bytes of one element; 0 for an unknown type. */
uint64_t lt_shape_type_size(uint32_t type);
/* Product of the dims and the element size; false when it does not fit 63 bits, or dims or type are bad. */
bool lt_shape_chunk_bytes(uint32_t type, uint32_t dim_count, const uint64_t *dims, uint64_t *bytes);
uint64_t lt_shape_checksum(const void *bytes, uint64_t size);
/* The seal that header and records of a block should carry. Reads chunk_count records. */
uint64_t lt_shape_seal_of(const void *block);

#endif
