/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/png.h"

#include "core/os.h"
#include "picture/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define PIXEL_SIZE     3u
#define FILTER_COUNT   5
#define SIGNATURE_SIZE 8
#define HEADER_SIZE    25 /* the IHDR chunk */

typedef struct rectangle {
    uint32_t x, y, width, height;
} rectangle;

/* ---- zlib's memory through our allocator: the size stands in front of each block ---- */

#define BLOCK_HEAD 64 /* keeps the alignment */

static voidpf zlib_allocate(voidpf context, uInt count, uInt size) {
    size_t bytes = BLOCK_HEAD + (size_t)count * size;
    uint8_t *block = LT_NEW((const lt_allocator *)context, bytes, uint8_t);
    if (!block) return Z_NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + BLOCK_HEAD;
}

static void zlib_release(voidpf context, voidpf memory) {
    uint8_t *block = (uint8_t *)memory - BLOCK_HEAD;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    LT_DELETE((const lt_allocator *)context, block, bytes, uint8_t);
}

/* ---- bytes ---- */

static void put_u32(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}
static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Makes a chunk whole: `at` holds room for the length, the four letters are written here, `size` bytes of
 * content stand at at + 8, and the checksum goes behind. Returns the chunk's total size. */
static size_t seal_chunk(uint8_t *at, const char *name, size_t size) {
    put_u32(at, (uint32_t)size);
    memcpy(at + 4, name, 4);
    put_u32(at + 8 + size, (uint32_t)crc32_z(0, at + 4, 4 + size));
    return size + 12;
}

static bool append_chunk(lt_array *bytes, const char *name, const uint8_t *content, size_t size) {
    uint8_t *at = lt_array_grow(bytes, size + 12);
    if (!at) return false;
    if (size) memcpy(at + 8, content, size);
    seal_chunk(at, name, size);
    return true;
}

static bool append_signature_and_header(lt_array *bytes, uint32_t width, uint32_t height) {
    static const uint8_t signature[SIGNATURE_SIZE] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
    uint8_t header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0}; /* 8 bits, RGB */
    uint8_t *at = lt_array_grow(bytes, SIGNATURE_SIZE);
    if (!at) return false;
    memcpy(at, signature, SIGNATURE_SIZE);
    put_u32(header, width);
    put_u32(header + 4, height);
    return append_chunk(bytes, "IHDR", header, sizeof header);
}

/* ---- filters ---- */

static uint8_t paeth(uint8_t left, uint8_t above, uint8_t corner) {
    int estimate = left + above - corner;
    int to_left = estimate > left ? estimate - left : left - estimate;
    int to_above = estimate > above ? estimate - above : above - estimate;
    int to_corner = estimate > corner ? estimate - corner : corner - estimate;
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

/* out[0] is the filter's number. `above` is a row of zeros for the first row. Returns the sum of the
 * differences taken as signed numbers: small sums compress well. */
static uint64_t filter_row(uint8_t *out, const uint8_t *row, const uint8_t *above, size_t size, int filter) {
    uint64_t sum = 0;
    out[0] = (uint8_t)filter;
    for (size_t i = 0; i < size; i++) {
        uint8_t left = i < PIXEL_SIZE ? 0 : row[i - PIXEL_SIZE],
                corner = i < PIXEL_SIZE ? 0 : above[i - PIXEL_SIZE];
        uint8_t guess = 0;
        switch (filter) {
        case 1: guess = left; break;
        case 2: guess = above[i]; break;
        case 3: guess = (uint8_t)((left + above[i]) / 2); break;
        case 4: guess = paeth(left, above[i], corner); break;
        default: break;
        }
        uint8_t difference = (uint8_t)(row[i] - guess);
        out[1 + i] = difference;
        sum += difference < 128 ? difference : 256u - difference;
    }
    return sum;
}

/* The best filter's row, in one of two halves of `rows`. */
static const uint8_t *choose_filter(uint8_t *rows, const uint8_t *row, const uint8_t *above, size_t size) {
    uint8_t *best = rows, *trial = rows + size + 1;
    uint64_t best_sum = filter_row(best, row, above, size, 0);
    for (int filter = 1; filter < FILTER_COUNT; filter++) {
        uint64_t sum = filter_row(trial, row, above, size, filter);
        if (sum >= best_sum) continue;
        best_sum = sum;
        uint8_t *swap = best;
        best = trial;
        trial = swap;
    }
    return best;
}

/* ---- compression ---- */

/* Feeds zlib and appends what it gives to `bytes`. */
static bool deflate_into(z_stream *stream, lt_array *bytes, const uint8_t *input, size_t size, int flush) {
    uint8_t buffer[16384];
    stream->next_in = (z_const Bytef *)input;
    stream->avail_in = (uInt)size;
    do {
        stream->next_out = buffer;
        stream->avail_out = sizeof buffer;
        if (deflate(stream, flush) == Z_STREAM_ERROR) return false;
        size_t made = sizeof buffer - stream->avail_out;
        uint8_t *at = lt_array_grow(bytes, made);
        if (!at) return false;
        memcpy(at, buffer, made);
    } while (stream->avail_out == 0);
    return true;
}

/* `rows` is scratch: two filtered rows and one row of zeros. */
static bool deflate_rows(z_stream *stream, lt_array *bytes, const lt_image *image, rectangle r,
                         uint8_t *rows) {
    size_t size = (size_t)r.width * PIXEL_SIZE;
    const uint8_t *above = rows + 2 * (size + 1);
    for (uint32_t y = 0; y < r.height; y++) {
        const uint8_t *row = lt_image_pixel(image, r.x, r.y + y);
        const uint8_t *filtered = choose_filter(rows, row, above, size);
        if (!deflate_into(stream, bytes, filtered, size + 1, Z_NO_FLUSH)) return false;
        above = row;
    }
    return deflate_into(stream, bytes, NULL, 0, Z_FINISH);
}

/* Appends one chunk of image data for a rectangle: IDAT, or fdAT with its sequence number. */
static bool append_rectangle(lt_array *bytes, const lt_image *image, rectangle r, const uint32_t *sequence,
                             const lt_allocator *allocator) {
    size_t begin = bytes->count, size = (size_t)r.width * PIXEL_SIZE, scratch_size = 2 * (size + 1) + size;
    z_stream stream = {.zalloc = zlib_allocate, .zfree = zlib_release, .opaque = (voidpf)allocator};
    uint8_t *head = lt_array_grow(bytes, sequence ? 12 : 8);
    if (!head) return false;
    if (sequence) put_u32(head + 8, *sequence);
    uint8_t *rows = LT_NEW(allocator, scratch_size, uint8_t);
    if (!rows) return false;
    bool ok = deflateInit2(&stream, 6, Z_DEFLATED, 15, 8, Z_FILTERED) == Z_OK;
    if (ok) {
        ok = deflate_rows(&stream, bytes, image, r, rows);
        deflateEnd(&stream);
    }
    LT_DELETE(allocator, rows, scratch_size, uint8_t);
    ok = ok && lt_array_grow(bytes, 4) != NULL;
    if (ok)
        seal_chunk((uint8_t *)bytes->items + begin, sequence ? "fdAT" : "IDAT", bytes->count - begin - 12);
    return ok;
}

static bool append_png(lt_array *bytes, const lt_image *image) {
    static const uint8_t perceptual[1] = {0};
    rectangle whole = {0, 0, image->width, image->height};
    size_t before = bytes->count;
    bool ok = append_signature_and_header(bytes, image->width, image->height) &&
              append_chunk(bytes, "sRGB", perceptual, 1) &&
              append_rectangle(bytes, image, whole, NULL, &bytes->allocator) &&
              append_chunk(bytes, "IEND", NULL, 0);
    if (!ok) bytes->count = before;
    return ok;
}

lt_status lt_png_encode(const lt_image *image, lt_array *bytes, lt_error *error) {
    LT_ASSERT(bytes->item_size == 1);
    if (!LT_REQUIRE(image->kind == LT_IMAGE_RGB8 && image->bytes))
        return lt_fail(error, LT_STATUS_INVALID, "only 8-bit pictures can be encoded");
    return append_png(bytes, image) ? LT_OK
                                    : lt_fail(error, LT_STATUS_MEMORY, "no memory to encode a picture");
}

lt_status lt_png_write(const char *path, const lt_image *image, lt_error *error) {
    if (!LT_REQUIRE(image->kind == LT_IMAGE_RGB8 && image->bytes))
        return lt_fail(error, LT_STATUS_INVALID, "%s: only 8-bit pictures can be written", path);
    lt_array bytes = LT_ARRAY_OF(&image->allocator, uint8_t);
    lt_status status = append_png(&bytes, image)
                           ? lt_os_write_file(path, bytes.items, bytes.count, error)
                           : lt_fail(error, LT_STATUS_MEMORY, "%s: no memory to write the picture", path);
    lt_array_free(&bytes);
    return status;
}

/* ---- animation ---- */

struct lt_apng {
    lt_allocator allocator;
    FILE *file;
    char path[LT_OS_PATH]; /* as it was given */
    lt_os_draft draft;
    uint32_t width, height, fps;
    uint32_t frame_count, sequence;
    lt_image previous;
    lt_array bytes; /* one frame's chunks */
};

static lt_status fail_write(const lt_apng *apng, lt_error *error) {
    return lt_fail(error, errno == ENOENT ? LT_STATUS_NOT_FOUND : LT_STATUS_IO, "%s: cannot write: %s",
                   apng->path, strerror(errno));
}

static lt_status write_bytes(lt_apng *apng, lt_error *error) {
    size_t count = apng->bytes.count;
    apng->bytes.count = 0;
    errno = EIO;
    if (fwrite(apng->bytes.items, 1, count, apng->file) != count || fflush(apng->file) != 0)
        return fail_write(apng, error);
    return LT_OK;
}

static bool append_animation_control(lt_array *bytes, uint32_t frame_count) {
    uint8_t content[8] = {0}; /* number of frames; number of plays, 0 = forever */
    put_u32(content, frame_count);
    return append_chunk(bytes, "acTL", content, sizeof content);
}

static void free_apng(lt_apng *apng) {
    lt_allocator allocator = apng->allocator;
    lt_image_free(&apng->previous);
    lt_array_free(&apng->bytes);
    LT_DELETE(&allocator, apng, 1, lt_apng);
}

void lt_apng_abort(lt_apng *apng) {
    if (!apng) return;
    if (apng->file) fclose(apng->file);
    lt_os_draft_drop(&apng->draft);
    free_apng(apng);
}

static lt_status open_apng(lt_apng *apng, const char *path, lt_error *error) {
    static const uint8_t perceptual[1] = {0};
    if (strlen(path) >= sizeof apng->path)
        return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
    memcpy(apng->path, path, strlen(path) + 1);
    lt_status status =
        lt_image_allocate(&apng->previous, apng->width, apng->height, LT_IMAGE_RGB8, &apng->allocator, error);
    if (status != LT_OK) return status;
    bool ok = append_signature_and_header(&apng->bytes, apng->width, apng->height) &&
              append_animation_control(&apng->bytes, 0) && append_chunk(&apng->bytes, "sRGB", perceptual, 1);
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", path);
    status = lt_os_draft_begin(&apng->draft, path, error);
    if (status != LT_OK) return status;
    apng->file = lt_file_open(apng->draft.temporary, "wb");
    return apng->file ? write_bytes(apng, error) : fail_write(apng, error);
}

lt_status lt_apng_begin(lt_apng **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                        const lt_allocator *allocator, lt_error *error) {
    *out = NULL;
    if (fps < 1 || fps > 1000)
        return lt_fail(error, LT_STATUS_INVALID, "%s: %u frames a second: use 1 to 1000", path, fps);
    lt_apng *apng = LT_NEW(allocator, 1, lt_apng);
    if (!apng) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", path);
    apng->allocator = allocator ? *allocator : lt_allocator_default();
    apng->bytes = LT_ARRAY_OF(&apng->allocator, uint8_t);
    apng->width = width;
    apng->height = height;
    apng->fps = fps;
    lt_status status = open_apng(apng, path, error);
    if (status == LT_OK)
        *out = apng;
    else
        lt_apng_abort(apng);
    return status;
}

static bool same_column(const lt_image *a, const lt_image *b, rectangle r, uint32_t x) {
    for (uint32_t y = r.y; y < r.y + r.height; y++)
        if (memcmp(lt_image_pixel(a, x, y), lt_image_pixel(b, x, y), PIXEL_SIZE) != 0) return false;
    return true;
}

/* What differs between two pictures; one pixel when nothing does, since a frame may not be empty. */
static rectangle changed_rectangle(const lt_image *a, const lt_image *b) {
    size_t row_size = (size_t)a->width * PIXEL_SIZE;
    rectangle r = {0, 0, a->width, a->height};
    while (r.height > 1 && memcmp(lt_image_pixel(a, 0, r.y), lt_image_pixel(b, 0, r.y), row_size) == 0) {
        r.y++;
        r.height--;
    }
    while (r.height > 1 && memcmp(lt_image_pixel(a, 0, r.y + r.height - 1),
                                  lt_image_pixel(b, 0, r.y + r.height - 1), row_size) == 0)
        r.height--;
    while (r.width > 1 && same_column(a, b, r, r.x)) {
        r.x++;
        r.width--;
    }
    while (r.width > 1 && same_column(a, b, r, r.x + r.width - 1))
        r.width--;
    return r;
}

static bool append_frame_control(lt_apng *apng, rectangle r) {
    uint8_t content[26] = {0}; /* the last two: leave the frame in place, overwrite */
    put_u32(content, apng->sequence++);
    put_u32(content + 4, r.width);
    put_u32(content + 8, r.height);
    put_u32(content + 12, r.x);
    put_u32(content + 16, r.y);
    put_u16(content + 20, 1);
    put_u16(content + 22, apng->fps);
    return append_chunk(&apng->bytes, "fcTL", content, sizeof content);
}

lt_status lt_apng_frame(lt_apng *apng, const lt_image *image, lt_error *error) {
    if (image->width != apng->width || image->height != apng->height || image->kind != LT_IMAGE_RGB8)
        return lt_fail(error, LT_STATUS_INVALID, "%s: a frame of %u x %u in an animation of %u x %u",
                       apng->path, image->width, image->height, apng->width, apng->height);
    bool first = apng->frame_count == 0;
    rectangle r =
        first ? (rectangle){0, 0, apng->width, apng->height} : changed_rectangle(&apng->previous, image);
    bool ok = append_frame_control(apng, r) &&
              append_rectangle(&apng->bytes, image, r, first ? NULL : &apng->sequence, &apng->allocator);
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for a frame", apng->path);
    if (!first) apng->sequence++;
    apng->frame_count++;
    memcpy(apng->previous.bytes, image->bytes, lt_image_value_count(image));
    return write_bytes(apng, error);
}

/* The end chunk, then the true number of frames in place of the 0 at the beginning. */
static lt_status complete(lt_apng *apng, lt_error *error) {
    if (apng->frame_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: no frame was recorded", apng->path);
    bool ok = append_chunk(&apng->bytes, "IEND", NULL, 0);
    lt_status status =
        ok ? write_bytes(apng, error) : lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", apng->path);
    if (status != LT_OK) return status;
    if (fseek(apng->file, SIGNATURE_SIZE + HEADER_SIZE, SEEK_SET) != 0) return fail_write(apng, error);
    append_animation_control(&apng->bytes, apng->frame_count); /* fits: the array held a frame before */
    return write_bytes(apng, error);
}

lt_status lt_apng_end(lt_apng *apng, lt_error *error) {
    lt_status status = complete(apng, error);
    if (status == LT_OK) {
        bool closed = fclose(apng->file) == 0;
        apng->file = NULL;
        status = closed ? lt_os_draft_keep(&apng->draft, error) : fail_write(apng, error);
    }
    lt_apng_abort(apng);
    return status;
}
