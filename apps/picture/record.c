/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/record.h"

#include "picture/files.h"
#include "picture/film.h"
#include "picture/folder.h"
#include "picture/png.h"

#include <stdio.h>
#include <string.h>

#define PATH_SIZE LT_FOLDER_SIZE

struct lt_recorder {
    lt_allocator allocator;
    lt_apng *apng; /* one of the two, or neither: numbered pictures */
    lt_film *film;
    char stem[PATH_SIZE];   /* numbered pictures: everything before "-00000.png" */
    char folder[PATH_SIZE]; /* the folder this recorder made, or empty */
    uint32_t width, height;
    uint32_t frame_count;
};

/* What follows the last dot of the last part of the path; NULL without one. A leading dot hides a file
 * and starts no ending. */
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : NULL;
}

static lt_status begin_folder(lt_recorder *recorder, const char *path, lt_error *error) {
    char folder[LT_FOLDER_SIZE];
    bool made;
    lt_status status = lt_make_folder(folder, path, &made, error);
    if (status != LT_OK) return status;
    if (made) memcpy(recorder->folder, folder, strlen(folder) + 1);
    snprintf(recorder->stem, sizeof recorder->stem, "%.*s/frame", (int)strlen(folder), folder);
    return LT_OK;
}

/* name.png: the parent must be there, and this is the time to say so. */
static lt_status begin_numbered(lt_recorder *recorder, const char *path, lt_error *error) {
    size_t length = strlen(path) - strlen(".png");
    snprintf(recorder->stem, sizeof recorder->stem, "%.*s", (int)length, path);
    char parent[PATH_SIZE];
    memcpy(parent, path, strlen(path) + 1);
    char *slash = strrchr(parent, '/');
    if (slash) slash[slash == parent ? 1 : 0] = 0;
    if (slash && !lt_folder_exists(parent))
        return lt_fail(error, LT_STATUS_NOT_FOUND, "%s: there is no folder %s", path, parent);
    return LT_OK;
}

static lt_status begin_by_path(lt_recorder *recorder, const char *path, uint32_t fps, lt_error *error) {
    const char *ending = ending_of(path);
    size_t length = strlen(path);
    if (length == 0) return lt_fail(error, LT_STATUS_INVALID, "recording needs a path");
    if (length + 32 > PATH_SIZE) return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
    lt_make_out(path);
    if (path[length - 1] == '/' || !ending || lt_folder_exists(path))
        return begin_folder(recorder, path, error);
    if (strcmp(ending, "png") == 0) return begin_numbered(recorder, path, error);
    if (strcmp(ending, "apng") == 0)
        return lt_apng_begin(&recorder->apng, path, recorder->width, recorder->height, fps,
                             &recorder->allocator, error);
    if (strcmp(ending, "mp4") == 0)
        return lt_film_begin(&recorder->film, path, recorder->width, recorder->height, fps,
                             &recorder->allocator, error);
    return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: cannot record .%s: use .apng, .mp4, .png or a folder",
                   path, ending);
}

static void free_recorder(lt_recorder *recorder) {
    lt_allocator allocator = recorder->allocator;
    LT_DELETE(&allocator, recorder, 1, lt_recorder);
}

lt_status lt_record_begin(lt_recorder **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                          const lt_allocator *allocator, lt_error *error) {
    *out = NULL;
    lt_recorder *recorder = LT_NEW(allocator, 1, lt_recorder);
    if (!recorder) return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory", path);
    recorder->allocator = allocator ? *allocator : lt_allocator_default();
    recorder->width = width;
    recorder->height = height;
    lt_status status = begin_by_path(recorder, path, fps, error);
    if (status == LT_OK)
        *out = recorder;
    else
        free_recorder(recorder);
    return status;
}

static void numbered_path(char path[PATH_SIZE + 32], const lt_recorder *recorder, uint32_t number) {
    snprintf(path, PATH_SIZE + 32, "%s-%05u.png", recorder->stem, number);
}

static lt_status write_numbered(lt_recorder *recorder, const lt_image *image, lt_error *error) {
    char path[PATH_SIZE + 32];
    numbered_path(path, recorder, recorder->frame_count);
    if (image->width != recorder->width || image->height != recorder->height)
        return lt_fail(error, LT_STATUS_INVALID, "%s: a frame of %u x %u in a recording of %u x %u", path,
                       image->width, image->height, recorder->width, recorder->height);
    return lt_png_write(path, image, error);
}

lt_status lt_record_frame(lt_recorder *recorder, const lt_image *image, lt_error *error) {
    lt_status status = recorder->apng   ? lt_apng_frame(recorder->apng, image, error)
                       : recorder->film ? lt_film_frame(recorder->film, image, error)
                                        : write_numbered(recorder, image, error);
    if (status == LT_OK) recorder->frame_count++;
    return status;
}

lt_status lt_record_end(lt_recorder *recorder, lt_error *error) {
    lt_status status = recorder->apng   ? lt_apng_end(recorder->apng, error)
                       : recorder->film ? lt_film_end(recorder->film, error)
                                        : LT_OK;
    free_recorder(recorder);
    return status;
}

void lt_record_abort(lt_recorder *recorder) {
    if (!recorder) return;
    bool numbered = !recorder->apng && !recorder->film;
    lt_apng_abort(recorder->apng);
    lt_film_abort(recorder->film);
    for (uint32_t i = 0; numbered && i < recorder->frame_count; i++) {
        char path[PATH_SIZE + 32];
        numbered_path(path, recorder, i);
        lt_file_remove(path);
    }
    if (recorder->folder[0])
        lt_folder_remove(recorder->folder); /* stays if someone else put something there */
    free_recorder(recorder);
}
