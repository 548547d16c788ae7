/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/film.h"

#include "core/os.h"
#include "picture/child.h"
#include "picture/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct lt_film {
    lt_allocator allocator;
    char path[LT_OS_PATH]; /* as it was given */
    lt_os_draft draft;
    uint32_t width, height; /* of a frame as given */
    uint32_t frame_count;
    FILE *messages; /* what ffmpeg says */
    lt_child child;
};

/* ---- ffmpeg ---- */

static int start_ffmpeg(lt_film *film, uint32_t fps) {
    char size[32], rate[16], output[LT_OS_PATH + 8];
    snprintf(size, sizeof size, "%ux%u", film->width & ~1u, film->height & ~1u);
    snprintf(rate, sizeof rate, "%u", fps);
    /* "file:" keeps names with a colon or a leading dash from being taken for something else. */
    snprintf(output, sizeof output, "file:%s", film->draft.temporary);
    /* clang-format off */
    const char *arguments[] = {
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostats", "-xerror", "-y",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", size, "-framerate", rate, "-i", "pipe:0",
        "-an", "-vf", "scale=out_color_matrix=bt709:out_range=tv",
        "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
        "-movflags", "+faststart", "-f", "mp4", output, NULL,
    };
    /* clang-format on */
    return lt_child_start(&film->child, arguments, film->messages);
}

static lt_status fail_child(lt_film *film, lt_error *error) {
    lt_child_wait(&film->child);
    return lt_child_fail(&film->child, film->messages, "ffmpeg", film->path, error);
}

/* ---- whole or not ---- */

/* Size and kind of the box of an MP4 file that begins at the file's place; the place is then behind its head. 0: there is none. */
static uint64_t read_box(FILE *file, char kind[4]) {
    uint8_t head[16];
    if (fread(head, 1, 8, file) != 8) return 0;
    memcpy(kind, head + 4, 4);
    uint64_t size = 0;
    for (int i = 0; i < 4; i++)
        size = size << 8 | head[i];
    if (size != 1) return size;
    if (fread(head + 8, 1, 8, file) != 8) return 0; /* a box beyond 4 GiB has its size behind its kind */
    for (int i = 8; i < 16; i++)
        size = size << 8 | head[i];
    return size;
}

/* Boxes from the first byte to the last, an index and pictures among them. On a full disk ffmpeg up to version 6 ends with exit code 0
 * and without the index: what it says of itself is not enough. A box of size 0, "to the end", is one that was never finished. */
static bool holds_film(FILE *file, long end) {
    bool whole = true, index = false, pictures = false;
    for (long at = 0; whole && at < end;) {
        char kind[4];
        uint64_t size = fseek(file, at, SEEK_SET) == 0 ? read_box(file, kind) : 0;
        whole = size >= 8 && size <= (uint64_t)(end - at);
        if (!whole) break;
        index = index || memcmp(kind, "moov", 4) == 0;
        pictures = pictures || memcmp(kind, "mdat", 4) == 0;
        at += (long)size;
    }
    return whole && index && pictures;
}

/* Films of more than `long` counts, 2 GiB on Windows, are taken as they are. */
static bool is_whole(const char *path) {
    FILE *file = lt_file_open(path, "rb");
    if (!file) return false;
    long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    bool whole = end < 0 || holds_film(file, end);
    fclose(file);
    return whole;
}

/* ---- public ---- */

static lt_status open_film(lt_film *film, const char *path, uint32_t fps, lt_error *error) {
    if (strlen(path) >= sizeof film->path)
        return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
    memcpy(film->path, path, strlen(path) + 1);
    /* Made here first: a missing or read-only folder is told before ffmpeg is started. */
    lt_status status = lt_os_draft_begin(&film->draft, path, error);
    if (status != LT_OK) return status;
    film->messages = lt_file_unnamed();
    int problem = film->messages ? start_ffmpeg(film, fps) : errno;
    if (problem == 0) return LT_OK;
    if (problem == ENOENT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "%s: video needs the program ffmpeg, which is not installed; install it (package "
                       "\"ffmpeg\") or record to .apng or a folder instead",
                       path);
    return lt_fail(error, LT_STATUS_IO, "%s: cannot start ffmpeg: %s", path, strerror(problem));
}

lt_status lt_film_begin(lt_film **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                        const lt_allocator *allocator, lt_error *error) {
    *out = NULL;
    if (width < 2 || height < 2 || fps < 1 || fps > 1000)
        return lt_fail(error, LT_STATUS_INVALID, "%s: a film of %u x %u at %u frames a second", path, width,
                       height, fps);
    lt_film *film = LT_NEW(allocator, 1, lt_film);
    if (!film) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", path);
    film->allocator = allocator ? *allocator : lt_allocator_default();
    film->child.pipe = -1;
    film->width = width;
    film->height = height;
    lt_status status = open_film(film, path, fps, error);
    if (status == LT_OK)
        *out = film;
    else
        lt_film_abort(film);
    return status;
}

lt_status lt_film_frame(lt_film *film, const lt_image *image, lt_error *error) {
    if (image->width != film->width || image->height != film->height || image->kind != LT_IMAGE_RGB8)
        return lt_fail(error, LT_STATUS_INVALID, "%s: a frame of %u x %u in a film of %u x %u", film->path,
                       image->width, image->height, film->width, film->height);
    size_t row_size = (size_t)(film->width & ~1u) * 3;
    bool ok = true;
    if (film->width % 2 == 0)
        ok = lt_child_write(&film->child, image->bytes, row_size * (film->height & ~1u));
    else
        for (uint32_t y = 0; ok && y < (film->height & ~1u); y++)
            ok = lt_child_write(&film->child, lt_image_pixel(image, 0, y), row_size);
    if (!ok) return fail_child(film, error);
    film->frame_count++;
    return LT_OK;
}

void lt_film_abort(lt_film *film) {
    if (!film) return;
    lt_child_kill(&film->child);
    if (film->messages) fclose(film->messages);
    lt_os_draft_drop(&film->draft);
    lt_allocator allocator = film->allocator;
    LT_DELETE(&allocator, film, 1, lt_film);
}

lt_status lt_film_end(lt_film *film, lt_error *error) {
    lt_status status = LT_OK;
    if (film->frame_count == 0) {
        status = lt_fail(error, LT_STATUS_INVALID, "%s: no frame was recorded", film->path);
    } else {
        lt_child_wait(&film->child);
        if (film->child.code != 0 || film->child.signal != 0)
            status = fail_child(film, error);
        else if (!is_whole(film->draft.temporary))
            status = lt_fail(error, LT_STATUS_IO,
                             "%s: ffmpeg left a film that is not whole; is the disk full?", film->path);
        else
            status = lt_os_draft_keep(&film->draft, error);
    }
    lt_film_abort(film);
    return status;
}
