/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Files are read back by a small decoder of the test's own: chunks, checksums, inflate, filters. */

#define _POSIX_C_SOURCE 200809L

#include "core/os.h"
#include "core/random.h"
#include "picture/png.h"
#include "picture_test.h"

#include <zlib.h>

typedef struct chunk {
    char name[5];
    const uint8_t *content;
    uint32_t size;
} chunk;

static uint32_t get_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static uint32_t get_u16(const uint8_t *at) {
    return (uint32_t)at[0] << 8 | at[1];
}

/* Splits a file into chunks and checks signature, lengths and checksums; 0 when something is wrong. */
static int split_chunks(const uint8_t *bytes, size_t size, chunk *chunks, int capacity) {
    static const uint8_t signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    if (size < 8 || memcmp(bytes, signature, 8) != 0) return 0;
    int count = 0;
    for (size_t at = 8; at < size;) {
        if (count == capacity || size - at < 12) return 0;
        uint32_t length = get_u32(bytes + at);
        if (length > size - at - 12) return 0;
        if (crc32(0, bytes + at + 4, length + 4) != get_u32(bytes + at + 8 + length)) return 0;
        chunks[count].content = bytes + at + 8;
        chunks[count].size = length;
        memcpy(chunks[count].name, bytes + at + 4, 4);
        chunks[count++].name[4] = 0;
        at += length + 12;
    }
    return count;
}

static uint8_t predict(int filter, int left, int above, int corner) {
    int p = left + above - corner, a = abs(p - left), b = abs(p - above), c = abs(p - corner);
    switch (filter) {
    case 0: return 0;
    case 1: return (uint8_t)left;
    case 2: return (uint8_t)above;
    case 3: return (uint8_t)((left + above) / 2);
    default: return (uint8_t)(a <= b && a <= c ? left : b <= c ? above : corner);
    }
}

/* Unpacks image data into the rectangle at (x0, y0) of `out`; notes which filters occurred. */
static bool unpack(const uint8_t *data, size_t size, lt_image *out, uint32_t x0, uint32_t y0, uint32_t width,
                   uint32_t height, uint32_t *filters) {
    size_t row_size = 3 * (size_t)width;
    uLongf raw_size = (uLongf)((row_size + 1) * height);
    uint8_t *raw = calloc(raw_size, 1);
    bool ok = uncompress(raw, &raw_size, data, (uLong)size) == Z_OK && raw_size == (row_size + 1) * height;
    for (uint32_t y = 0; ok && y < height; y++) {
        uint8_t *row = raw + (row_size + 1) * y;
        const uint8_t *above = y ? row - row_size : NULL;
        ok = row[0] < 5;
        *filters |= 1u << row[0];
        for (size_t i = 0; i < row_size; i++) {
            int left = i < 3 ? 0 : row[1 + i - 3], up = above ? above[i] : 0,
                corner = above && i >= 3 ? above[i - 3] : 0;
            row[1 + i] = (uint8_t)(row[1 + i] + predict(row[0], left, up, corner));
        }
        if (ok) memcpy(lt_image_pixel(out, x0, y0 + y), row + 1, row_size);
    }
    free(raw);
    return ok;
}

static bool same_pixels(const lt_image *a, const lt_image *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->bytes, b->bytes, lt_image_value_count(a)) == 0;
}

/* Five bands, each made for one filter: values around 0, equal neighbours in a row, equal rows, grain
 * around a grey, and steps along both axes at once. */
static void paint_bands(lt_image *image) {
    lt_random random = lt_random_seed(5);
    uint32_t band_height = image->height / 5 + 1;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t kind = y / band_height, noise = lt_random_u32(&random);
                uint32_t value = noise % 60 + (noise & 64 ? 196 : 0);
                if (kind == 1) value = y * 77 + noise % 3;
                if (kind == 2) value = x * 77 * (c + 1);
                if (kind == 3) value = 120 + noise % 31;
                if (kind == 4) value = (x / 4) * 37 + (y / 3) * 91;
                if (kind == 4 && c == 0) value = 20 * x + 216 * (y % 2) + (x / 7) * 64 + noise % 2; /* ties */
                lt_image_pixel(image, x, y)[c] = (uint8_t)value;
            }
}

static void picture_reads_back(void) {
    const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {40, 30}, {331, 113}};
    uint32_t filters = 0;
    for (size_t i = 0; i < LT_COUNT_OF(sizes); i++) {
        lt_image image = test_image(sizes[i][0], sizes[i][1], 2),
                 decoded = test_image(sizes[i][0], sizes[i][1], 0);
        lt_error error;
        if (i == 3) paint_bands(&image);
        const char *path = scratch_path("picture.png");
        CHECK(lt_png_write(path, &image, &error) == LT_OK);
        uint8_t *bytes;
        size_t size;
        CHECK_FATAL(lt_os_read_file(path, NULL, &bytes, &size, &error) == LT_OK);
        chunk chunks[8];
        CHECK_COUNT(split_chunks(bytes, size, chunks, 8), 4);
        CHECK(strcmp(chunks[0].name, "IHDR") == 0 && strcmp(chunks[2].name, "IDAT") == 0 &&
              strcmp(chunks[3].name, "IEND") == 0);
        CHECK_COUNT(get_u32(chunks[0].content), image.width);
        CHECK_COUNT(get_u32(chunks[0].content + 4), image.height);
        CHECK(memcmp(chunks[0].content + 8, "\x08\x02\x00\x00\x00", 5) == 0);
        CHECK(unpack(chunks[2].content, chunks[2].size, &decoded, 0, 0, image.width, image.height, &filters));
        CHECK(same_pixels(&image, &decoded));
        lt_release(NULL, bytes, size, 1);
        lt_image_free(&image);
        lt_image_free(&decoded);
        remove(path);
    }
    CHECK_COUNT(filters, 31); /* every filter was the best one somewhere */
}

/* Behind what was there; without memory, not at all. */
static void encoded_is_what_the_file_has(void) {
    lt_image image = test_image(40, 30, 2);
    lt_error error;
    const char *path = scratch_path("picture.png");
    uint8_t *bytes;
    size_t size;
    int failures = 0;
    CHECK(lt_png_write(path, &image, &error) == LT_OK);
    CHECK_FATAL(lt_os_read_file(path, NULL, &bytes, &size, &error) == LT_OK);
    for (int successes = 1; successes < 60; successes++) {
        failing_allocator failing = {0, successes};
        lt_allocator allocator = failing_as_allocator(&failing);
        lt_array encoded = LT_ARRAY_OF(&allocator, uint8_t);
        CHECK(lt_array_push(&encoded, &(uint8_t){7}));
        lt_status status = lt_png_encode(&image, &encoded, &error);
        failures += status == LT_STATUS_MEMORY;
        CHECK_COUNT(encoded.count, status == LT_OK ? 1 + size : 1);
        CHECK(*(uint8_t *)encoded.items == 7);
        if (status == LT_OK) CHECK(memcmp((uint8_t *)encoded.items + 1, bytes, size) == 0);
        lt_array_free(&encoded);
        CHECK_COUNT(failing.live_bytes, 0);
    }
    CHECK(failures > 2 && failures < 58);
    lt_release(NULL, bytes, size, 1);
    lt_image_free(&image);
    remove(path);
}

/* Plays an animation into `screen` and compares every frame; returns how many frames matched. */
static uint32_t play(const chunk *chunks, int count, lt_image *screen) {
    uint32_t sequence = 0, frames = 0, filters = 0;
    const uint8_t *control = NULL;
    for (int i = 0; i < count; i++) {
        const chunk *c = &chunks[i];
        bool control_chunk = strcmp(c->name, "fcTL") == 0, first = strcmp(c->name, "IDAT") == 0;
        bool later = strcmp(c->name, "fdAT") == 0;
        if (control_chunk || later) CHECK_COUNT(get_u32(c->content), sequence++);
        if (control_chunk) {
            control = c->content;
            CHECK_COUNT(c->size, 26);
            CHECK_COUNT(get_u16(control + 20), 1);
            CHECK_COUNT(get_u16(control + 22), 25);
        }
        if (!(first || later) || !control) continue;
        size_t skip = later ? 4 : 0;
        bool ok = unpack(c->content + skip, c->size - skip, screen, get_u32(control + 12),
                         get_u32(control + 16), get_u32(control + 4), get_u32(control + 8), &filters);
        lt_image expected = test_image(screen->width, screen->height, frames);
        if (ok && same_pixels(&expected, screen)) frames++;
        lt_image_free(&expected);
    }
    return frames;
}

static void animation_plays_back(void) {
    enum { FRAMES = 6 };
    const char *path = scratch_path("film.apng");
    lt_apng *apng;
    lt_error error;
    CHECK_FATAL(lt_apng_begin(&apng, path, 40, 30, 25, NULL, &error) == LT_OK);
    for (uint32_t i = 0; i < FRAMES; i++) {
        lt_image frame = test_image(40, 30, i);
        CHECK(lt_apng_frame(apng, &frame, &error) == LT_OK);
        lt_image_free(&frame);
        CHECK(!path_exists(path)); /* no half film under the real name */
    }
    CHECK(lt_apng_end(apng, &error) == LT_OK);
    CHECK_COUNT(count_entries(scratch_folder()), 1);
    uint8_t *bytes;
    size_t size;
    CHECK_FATAL(lt_os_read_file(path, NULL, &bytes, &size, &error) == LT_OK);
    chunk chunks[32];
    int count = split_chunks(bytes, size, chunks, 32);
    CHECK_COUNT(count, 4 + 2 * FRAMES);
    CHECK(count > 2 && strcmp(chunks[1].name, "acTL") == 0 && strcmp(chunks[count - 1].name, "IEND") == 0);
    CHECK_COUNT(get_u32(chunks[1].content), FRAMES);
    CHECK_COUNT(get_u32(chunks[1].content + 4), 0);
    lt_image screen = test_image(40, 30, 99);
    CHECK_COUNT(play(chunks, count, &screen), FRAMES);
    /* Only what changed is stored: 6 x 4 pixels around the block. */
    CHECK_COUNT(get_u32(chunks[5].content + 4), 6);
    CHECK_COUNT(get_u32(chunks[5].content + 8), 4);
    lt_image_free(&screen);
    lt_release(NULL, bytes, size, 1);
    remove(path);
}

static void animation_without_frames_or_aborted_leaves_nothing(void) {
    lt_image frame = test_image(20, 10, 0), other = test_image(21, 10, 0);
    lt_error error;
    for (int frames = 0; frames < 3; frames++) {
        lt_apng *apng;
        CHECK_FATAL(lt_apng_begin(&apng, scratch_path("film.apng"), 20, 10, 25, NULL, &error) == LT_OK);
        for (int i = 0; i < frames; i++)
            CHECK(lt_apng_frame(apng, &frame, &error) == LT_OK);
        if (frames == 0) {
            CHECK(lt_apng_end(apng, &error) == LT_STATUS_INVALID);
            CHECK_CONTAINS(error.message, "no frame");
        } else {
            CHECK(lt_apng_frame(apng, &other, &error) == LT_STATUS_INVALID);
            CHECK_CONTAINS(error.message, "21 x 10");
            lt_apng_abort(apng);
        }
        CHECK_COUNT(count_entries(scratch_folder()), 0);
    }
    lt_image_free(&frame);
    lt_image_free(&other);
}

static void missing_folder_and_full_disk_are_told(void) {
    lt_image image = test_image(20, 10, 0);
    lt_error error;
    const char *path = scratch_path("nowhere/picture.png");
    CHECK(lt_png_write(path, &image, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "nowhere/picture.png");
    lt_apng *apng = (lt_apng *)&image;
    CHECK(lt_apng_begin(&apng, scratch_path("nowhere/film.apng"), 20, 10, 25, NULL, &error) ==
          LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "nowhere/film.apng");
    CHECK(apng == NULL);
    CHECK(lt_apng_begin(&apng, scratch_path("film.apng"), 20, 10, 0, NULL, &error) == LT_STATUS_INVALID);
    struct rlimit before = limit_files(64); /* a disk that is full after 64 bytes */
    CHECK(lt_apng_begin(&apng, scratch_path("film.apng"), 20, 10, 25, NULL, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "film.apng");
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    /* Devices are not replaced, and cannot hold a film, which is gone over twice. */
    CHECK(symlink("/dev/null", scratch_path("device.apng")) == 0);
    CHECK(lt_apng_begin(&apng, scratch_path("device.apng"), 20, 10, 25, NULL, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "device.apng: a device");
    remove(scratch_path("device.apng"));
    CHECK_COUNT(count_entries(scratch_folder()), 0);
    lt_image_free(&image);
}

static void out_of_memory_leaks_nothing(void) {
    lt_image image = test_image(40, 30, 0);
    lt_error error;
    int failures = 0;
    for (int successes = 0; successes < 60; successes++) {
        failing_allocator failing = {0, successes};
        lt_allocator allocator = failing_as_allocator(&failing);
        lt_apng *apng;
        lt_status status = lt_apng_begin(&apng, scratch_path("film.apng"), 40, 30, 25, &allocator, &error);
        if (status == LT_OK) {
            status = lt_apng_frame(apng, &image, &error);
            lt_apng_abort(apng);
        }
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        failures += status != LT_OK;
        CHECK_COUNT(failing.live_bytes, 0);
        CHECK_COUNT(count_entries(scratch_folder()), 0);
    }
    CHECK(failures > 5 && failures < 60);
    lt_image_free(&image);
}

static void silly_sizes_are_refused(void) {
    lt_image image;
    lt_error error;
    CHECK(lt_image_allocate(&image, 0, 5, LT_IMAGE_RGB8, NULL, &error) == LT_STATUS_INVALID);
    CHECK(lt_image_allocate(&image, 5, LT_IMAGE_SIDE_MAX + 1, LT_IMAGE_LINEAR, NULL, &error) ==
          LT_STATUS_INVALID);
    CHECK(image.bytes == NULL && image.linear == NULL);
    lt_image_free(&image);
}

int main(void) {
    RUN(picture_reads_back);
    RUN(encoded_is_what_the_file_has);
    RUN(animation_plays_back);
    RUN(animation_without_frames_or_aborted_leaves_nothing);
    RUN(missing_folder_and_full_disk_are_told);
    RUN(out_of_memory_leaks_nothing);
    RUN(silly_sizes_are_refused);
    remove_scratch();
    return check_finish();
}
