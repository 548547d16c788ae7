/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/os.h"
#include "failing_allocator.h"
#include "shape/small_shape.h"

static uint8_t *small;
static size_t small_size;

/* A copy to be damaged, aligned like the original. */
static uint8_t *copy_small(void) {
    uint8_t *copy = LT_NEW(NULL, small_size, uint8_t);
    memcpy(copy, small, small_size);
    return copy;
}

static lt_status open_bytes(const uint8_t *bytes, size_t size, lt_error *error) {
    lt_shape *shape = (lt_shape *)1;
    lt_status status = lt_shape_from_memory(bytes, size, NULL, &shape, error);
    CHECK((status == LT_OK) == (shape != NULL));
    lt_shape_release(shape);
    return status;
}

static lt_shape_header *header_of(uint8_t *bytes) {
    return (lt_shape_header *)bytes;
}
static lt_shape_record *record_of(uint8_t *bytes, uint32_t index) {
    return (lt_shape_record *)(bytes + sizeof(lt_shape_header)) + index;
}
static void seal(uint8_t *bytes) {
    header_of(bytes)->seal = lt_shape_seal_of(bytes);
}

static void chunks_come_back(void) {
    lt_shape *shape;
    lt_error error;
    CHECK_FATAL(lt_shape_from_memory(small, small_size, NULL, &shape, &error) == LT_OK);
    CHECK_COUNT(lt_shape_size(shape), small_size);
    CHECK_COUNT(lt_shape_chunk_count(shape), SMALL_SHAPE_CHUNKS);
    for (uint32_t i = 0; i < SMALL_SHAPE_CHUNKS; i++) {
        lt_shape_chunk chunk = lt_shape_chunk_at(shape, i);
        CHECK(chunk.data != NULL && (uintptr_t)chunk.data % LT_SHAPE_ALIGNMENT == 0);
        CHECK((const uint8_t *)chunk.data >= small &&
              (const uint8_t *)chunk.data + chunk.size <= small + small_size);
    }
    lt_shape_chunk last = lt_shape_chunk_at(shape, 8);
    CHECK(strcmp(last.name, "a name of thirty-one characters") == 0 && strcmp(last.data, "bytes.") == 0);
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
    const uint32_t *tets = lt_shape_u32(shape, "tets", &dims, &error);
    CHECK_FATAL(tets != NULL);
    CHECK_COUNT(dims.size[0], 3);
    CHECK(tets[11] == 5 && tets[4] == 1);
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 1, 2, LT_SHAPE_ANY);
    const int32_t *numbers = lt_shape_i32(shape, "signed", &dims, &error);
    CHECK(numbers && numbers[2] == -3 && dims.size[0] == 2 && dims.size[3] == 1);
    dims = LT_SHAPE_DIMS(2);
    const double *mass = lt_shape_f64(shape, "mass", &dims, &error);
    CHECK(mass && mass[0] == 0.1 && mass[1] == -1e300);
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 3);
    CHECK(lt_shape_f32(shape, "nothing", &dims, &error) != NULL);
    CHECK_COUNT(dims.size[0], 0);
    CHECK(lt_shape_has(shape, "key") && !lt_shape_has(shape, "keys"));
    lt_shape_release(shape);
}

static void lookups_say_what_is_wrong(void) {
    lt_shape *shape;
    lt_error error;
    CHECK_FATAL(lt_shape_from_memory(small, small_size, NULL, &shape, NULL) == LT_OK);
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
    CHECK(lt_shape_u32(shape, "nodes", &dims, &error) == NULL);
    CHECK_CONTAINS(error.message, "shape 'in memory': chunk 'nodes' is f32[4][3], expected u32[n][4]");
    CHECK(dims.size[0] == LT_SHAPE_ANY);
    dims = LT_SHAPE_DIMS(5, 4);
    CHECK(lt_shape_u32(shape, "tets", &dims, &error) == NULL);
    CHECK_CONTAINS(error.message, "is u32[3][4], expected u32[5][4]");
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    CHECK(lt_shape_u32(shape, "tets", &dims, &error) == NULL);
    CHECK(lt_shape_u32(shape, "Tets", &dims, &error) == NULL);
    CHECK_CONTAINS(error.message, "no chunk 'Tets', expected u32[n]");
    CHECK(lt_shape_chunk_at(shape, SMALL_SHAPE_CHUNKS).data == NULL);
    lt_shape_release(shape);
}

static bool has_chunk(const lt_shape *shape, const char *name) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++)
        if (strcmp(lt_shape_chunk_at(shape, i).name, name) == 0) return true;
    return false;
}

/* All chunks again are the same shape; without one that is named, all others are there. */
static void chunks_are_copied(void) {
    lt_shape *shape, *copy;
    CHECK_FATAL(lt_shape_from_memory(small, small_size, NULL, &shape, NULL) == LT_OK);
    uint32_t count = lt_shape_chunk_count(shape);
    for (uint32_t i = 0; i <= count; i++) {
        const char *but = i < count ? lt_shape_chunk_at(shape, i).name : NULL;
        lt_shape_builder builder = lt_shape_builder_begin(NULL);
        lt_shape_builder_add_chunks(&builder, shape, but);
        CHECK_FATAL(lt_shape_builder_finish(&builder, lt_shape_name(shape), &copy, NULL) == LT_OK);
        CHECK((lt_shape_hash(copy) == lt_shape_hash(shape)) == (but == NULL));
        for (uint32_t k = 0; k < count; k++) {
            const char *name = lt_shape_chunk_at(shape, k).name;
            CHECK(has_chunk(copy, name) == !(but && strncmp(name, but, strlen(but)) == 0));
        }
        lt_shape_release(copy);
    }
    lt_shape_release(shape);
}

static void files_round_trip(void) {
    const char *path = "test_shape_round_trip.lithe";
    lt_shape *shape, *loaded;
    lt_error error;
    CHECK_FATAL(lt_shape_from_memory(small, small_size, NULL, &shape, &error) == LT_OK);
    CHECK(lt_shape_save(shape, path, &error) == LT_OK);
    CHECK_FATAL(lt_shape_load(path, NULL, &loaded, &error) == LT_OK);
    CHECK_COUNT(lt_shape_size(loaded), small_size);
    CHECK(lt_shape_hash(loaded) == lt_shape_hash(shape));
    CHECK(strcmp(lt_shape_name(loaded), path) == 0);
    lt_shape_chunk chunk = lt_shape_chunk_at(loaded, 2), original = lt_shape_chunk_at(shape, 2);
    CHECK(chunk.size == original.size && memcmp(chunk.data, original.data, chunk.size) == 0);
    lt_shape_release(loaded);
    lt_shape_release(shape);
    for (int allowed = 0; allowed < 2; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        CHECK(lt_shape_load(path, &allocator, &loaded, &error) == LT_STATUS_MEMORY && loaded == NULL);
        CHECK_COUNT(f.blocks_out, 0);
    }
    remove(path);
    CHECK(lt_shape_load(path, NULL, &loaded, &error) == LT_STATUS_NOT_FOUND && loaded == NULL);
    CHECK_CONTAINS(error.message, path);
}

static void every_damaged_byte_is_seen(void) {
    uint8_t *bytes = copy_small();
    static const uint8_t changes[] = {0x01, 0x80, 0xff, 0x20};
    uint32_t unseen = 0;
    for (size_t i = 0; i < small_size; i++) {
        for (size_t c = 0; c < LT_COUNT_OF(changes); c++) {
            bytes[i] ^= changes[c];
            unseen += open_bytes(bytes, small_size, NULL) == LT_OK;
            bytes[i] = small[i];
        }
        bytes[i] = 0;
        if (small[i]) unseen += open_bytes(bytes, small_size, NULL) == LT_OK;
        bytes[i] = small[i];
    }
    CHECK_COUNT(unseen, 0);
    CHECK(open_bytes(bytes, small_size, NULL) == LT_OK);
    LT_DELETE(NULL, bytes, small_size, uint8_t);
}

/* Each in a block of exactly that size, so that the sanitizer sees any byte read too many. */
static void every_truncation_is_refused(void) {
    for (size_t size = 0; size < small_size; size++) {
        uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
        memcpy(bytes, small, size);
        CHECK(open_bytes(bytes, size, NULL) == LT_STATUS_FORMAT);
        if (size >= sizeof(lt_shape_header)) {
            header_of(bytes)->total_size = size;
            if (size >= sizeof(lt_shape_header) + SMALL_SHAPE_CHUNKS * sizeof(lt_shape_record)) seal(bytes);
            CHECK(open_bytes(bytes, size, NULL) == LT_STATUS_FORMAT);
        }
        LT_DELETE(NULL, bytes, size, uint8_t);
    }
    uint8_t *longer = LT_NEW(NULL, small_size + 64, uint8_t);
    memcpy(longer, small, small_size);
    CHECK(open_bytes(longer, small_size + 64, NULL) == LT_STATUS_FORMAT);
    header_of(longer)->total_size = small_size + 64;
    seal(longer);
    CHECK(open_bytes(longer, small_size + 64, NULL) == LT_STATUS_FORMAT);
    LT_DELETE(NULL, longer, small_size + 64, uint8_t);
}

static void misaligned_blocks_are_refused(void) {
    uint8_t *bytes = LT_NEW(NULL, small_size + 64, uint8_t);
    lt_error error;
    for (size_t shift = 1; shift < 64; shift += 9) {
        memcpy(bytes + shift, small, small_size);
        CHECK(open_bytes(bytes + shift, small_size, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "aligned to 64");
    }
    LT_DELETE(NULL, bytes, small_size + 64, uint8_t);
}

static void other_versions_and_byte_orders_are_refused(void) {
    uint8_t *bytes = copy_small();
    lt_error error;
    header_of(bytes)->version = 7;
    seal(bytes);
    CHECK(open_bytes(bytes, small_size, &error) == LT_STATUS_VERSION);
    CHECK_CONTAINS(error.message, "version 7");
    CHECK_CONTAINS(error.message, "version 1");
    header_of(bytes)->version = LT_SHAPE_VERSION;
    header_of(bytes)->byte_order = 0x04030201u;
    seal(bytes);
    CHECK(open_bytes(bytes, small_size, &error) == LT_STATUS_VERSION);
    CHECK_CONTAINS(error.message, "byte order");
    LT_DELETE(NULL, bytes, small_size, uint8_t);
}

/* One lie per case, sealed again, so that only the check of that field can see it. */
typedef struct lie {
    const char *message;
    void (*tell)(lt_shape_header *header, lt_shape_record *records);
} lie;

static void lie_dims(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].dims[0] = 4;
}
static void lie_overflow(lt_shape_header *h, lt_shape_record *r) {
    (void)h;
    r[2].dims[0] = r[2].dims[1] = 1u << 31;
    r[2].dims[1] <<= 1; /* 2^31 * 2^32 * 4 bytes: wraps a signed 64-bit product */
    r[2].size = 0;
}
static void lie_overflow_hidden(lt_shape_header *h, lt_shape_record *r) {
    (void)h;
    r[7].dims[0] = r[7].dims[1] = UINT64_MAX / 2;
    r[7].dims[2] = 0;
    r[7].dim_count = 3;
}
static void lie_size(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].size += 16;
}
static void lie_offset(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].offset += 64;
}
static void lie_offset_far(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].offset = UINT64_MAX - 63;
}
static void lie_offset_odd(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].offset += 4;
}
static void lie_overlap(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[3].offset = r[2].offset;
}
static void lie_type(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].type = LT_SHAPE_TYPE_COUNT;
}
static void lie_dim_count(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].dim_count = 5;
}
static void lie_no_dims(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].dim_count = 0;
}
static void lie_unused_dim(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].dims[3] = 1;
}
static void lie_same_name(lt_shape_header *h, lt_shape_record *r) {
    (void)h, memcpy(r[5].name, r[2].name, 32);
}
static void lie_no_name(lt_shape_header *h, lt_shape_record *r) {
    (void)h, memset(r[5].name, 0, 32);
}
static void lie_endless_name(lt_shape_header *h, lt_shape_record *r) {
    (void)h, memset(r[5].name, 'x', 32);
}
static void lie_name_tail(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[5].name[20] = 'x';
}
static void lie_big(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[8].dims[0] = r[8].size = 1000000;
}
static void lie_checksum(lt_shape_header *h, lt_shape_record *r) {
    (void)h, r[2].checksum ^= 1;
}
static void lie_chunk_lost(lt_shape_header *h, lt_shape_record *r) {
    (void)r, h->chunk_count--;
}
static void lie_no_chunks(lt_shape_header *h, lt_shape_record *r) {
    (void)r, h->chunk_count = 0;
}

static void every_lie_is_found(void) {
    static const lie lies[] = {
        {"chunk 'tets': 48 bytes, but its dims make 64", lie_dims},
        {"dims are not possible", lie_overflow},
        {"dims are not possible", lie_overflow_hidden},
        {"chunk 'tets': 64 bytes", lie_size},
        {"chunk 'tets': at byte", lie_offset},
        {"chunk 'tets': at byte", lie_offset_far},
        {"chunk 'tets': at byte", lie_offset_odd},
        {"chunk 'key': at byte", lie_overlap},
        {"chunk 'tets': type 8", lie_type},
        {"5 dims", lie_dim_count},
        {"0 dims", lie_no_dims},
        {"unused dim 3", lie_unused_dim},
        {"chunks 2 and 5 are both named 'tets'", lie_same_name},
        {"chunk 5: the name", lie_no_name},
        {"chunk 5: the name", lie_endless_name},
        {"chunk 5: the name", lie_name_tail},
        {"reaches beyond", lie_big},
        {"chunk 'tets' is damaged", lie_checksum},
        {"chunk 'flags': at byte", lie_chunk_lost},
        {"behind the last", lie_no_chunks},
    };
    for (size_t i = 0; i < LT_COUNT_OF(lies); i++) {
        uint8_t *bytes = copy_small();
        lt_error error = {0};
        lies[i].tell(header_of(bytes), record_of(bytes, 0));
        seal(bytes);
        CHECK(open_bytes(bytes, small_size, &error) == LT_STATUS_FORMAT);
        CHECK_CONTAINS(error.message, lies[i].message);
        LT_DELETE(NULL, bytes, small_size, uint8_t);
    }
    uint8_t *bytes = copy_small();
    header_of(bytes)->chunk_count = UINT64_MAX;
    CHECK(open_bytes(bytes, small_size, NULL) == LT_STATUS_FORMAT);
    LT_DELETE(NULL, bytes, small_size, uint8_t);
}

static lt_status add_one(const char *name, lt_shape_type type, lt_shape_dims dims, lt_error *error) {
    static const uint8_t data[64];
    lt_shape *shape;
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add(&builder, "first", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(3), data);
    lt_shape_builder_add(&builder, name, type, dims, data);
    lt_shape_builder_add(&builder, "last", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(3), data);
    lt_status status = lt_shape_builder_finish(&builder, "built", &shape, error);
    if (status == LT_OK) CHECK_COUNT(lt_shape_chunk_count(shape), 3);
    CHECK((status == LT_OK) == (shape != NULL));
    lt_shape_release(shape);
    return status;
}

static void the_builder_keeps_its_first_error(void) {
    lt_error error;
    CHECK(add_one("x", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(2, 2), &error) == LT_OK);
    CHECK(add_one("first", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(2), &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "'first' was added before");
    CHECK(add_one("", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(2), &error) == LT_STATUS_INVALID);
    CHECK(add_one("a name of thirty-two characters.", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(2), &error) ==
          LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "1 to 31");
    CHECK(add_one("x", LT_SHAPE_TYPE_U8, LT_SHAPE_DIMS(UINT64_MAX, 9), &error) == LT_STATUS_INVALID);
    CHECK(add_one("x", LT_SHAPE_TYPE_COUNT, LT_SHAPE_DIMS(1), &error) == LT_STATUS_INVALID);
}

static void an_empty_shape_is_a_shape(void) {
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape *shape;
    CHECK_FATAL(lt_shape_builder_finish(&builder, "empty", &shape, NULL) == LT_OK);
    CHECK_COUNT(lt_shape_chunk_count(shape), 0);
    CHECK_COUNT(lt_shape_size(shape), 64);
    lt_shape_release(shape);
}

static void refused_memory_leaks_nothing(void) {
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 50; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        uint8_t *bytes;
        size_t size;
        lt_shape *shape = NULL;
        lt_error error;
        status = build_small_shape(&allocator, &bytes, &size, &error);
        CHECK(status == LT_OK || (bytes == NULL && size == 0));
        if (status == LT_OK) status = lt_shape_adopt("x", bytes, size, &allocator, &shape, &error);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && error.message[0] && f.blocks_out == 0));
        lt_shape_release(shape);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK);
}

int main(void) {
    if (build_small_shape(NULL, &small, &small_size, NULL) != LT_OK) return 1;
    RUN(chunks_come_back);
    RUN(lookups_say_what_is_wrong);
    RUN(chunks_are_copied);
    RUN(files_round_trip);
    RUN(every_damaged_byte_is_seen);
    RUN(every_truncation_is_refused);
    RUN(misaligned_blocks_are_refused);
    RUN(other_versions_and_byte_orders_are_refused);
    RUN(every_lie_is_found);
    RUN(the_builder_keeps_its_first_error);
    RUN(an_empty_shape_is_a_shape);
    RUN(refused_memory_leaks_nothing);
    LT_DELETE(NULL, small, small_size, uint8_t);
    return check_finish();
}
