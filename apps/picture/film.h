/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* MP4 files through a child process: raw frames go down a pipe to ffmpeg, found on PATH and started
 * without a shell. Its messages go to an unnamed temporary file, so that it can never block on them. */

#ifndef LITHE_PICTURE_FILM_H
#define LITHE_PICTURE_FILM_H

#include "picture/image.h"

typedef struct lt_film lt_film;

/* LT_STATUS_UNSUPPORTED when there is no ffmpeg. Video needs even sides: an odd last column or row is
 * left out. */
lt_status lt_film_begin(lt_film **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                        const lt_allocator *allocator, lt_error *error);
/* When ffmpeg has gone, the error has the last line it said. */
lt_status lt_film_frame(lt_film *film, const lt_image *image, lt_error *error);
/* Waits for ffmpeg, gives the file its name and frees `film`; on failure nothing is left. */
lt_status lt_film_end(lt_film *film, lt_error *error);
/* Stops ffmpeg, removes the file and frees `film` (NULL allowed). */
void lt_film_abort(lt_film *film);

#endif
