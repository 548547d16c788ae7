/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Recording frames, to what the path's ending says:
 *
 *   name.apng                 one animated PNG
 *   name.mp4                  H.264 video, made by the program ffmpeg when it is installed
 *   name.png                  numbered pictures name-00000.png, name-00001.png, … beside each other
 *   folder/, name (no ending) a folder, made if absent, with frame-00000.png, frame-00001.png, …
 *
 * An existing folder is a folder whatever its name. A recording is whole or absent: until lt_record_end
 * films live under a temporary name, and lt_record_abort removes what was written, pictures included. */

#ifndef LITHE_PICTURE_RECORD_H
#define LITHE_PICTURE_RECORD_H

#include "picture/image.h"

typedef struct lt_recorder lt_recorder;

/* fps is 1 to 1000. LT_STATUS_UNSUPPORTED for another ending, and for .mp4 without ffmpeg; *out is NULL
 * on failure. */
lt_status lt_record_begin(lt_recorder **out, const char *path, uint32_t width, uint32_t height, uint32_t fps,
                          const lt_allocator *allocator, lt_error *error);
/* After a failure only lt_record_abort makes sense. */
lt_status lt_record_frame(lt_recorder *recorder, const lt_image *image, lt_error *error);
/* Completes the recording and frees the recorder; on failure nothing of a film is left. */
lt_status lt_record_end(lt_recorder *recorder, lt_error *error);
/* Removes what was written and frees the recorder (NULL allowed). */
void lt_record_abort(lt_recorder *recorder);

#endif
