/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the frames of a command go: every --record, each to what its ending says (picture/record.h), but X.png
 * is one picture, of the end. */

#ifndef LITHE_APPS_RECORDS_H
#define LITHE_APPS_RECORDS_H

#include "options.h"
#include "picture/record.h"

typedef struct lt_records {
    lt_texts paths;
    lt_recorder *recorders[LT_TEXTS_MAX]; /* NULL for a picture of the end */
} lt_records;

/* Frames per second of a film that shows every `every`-th step of `dt` seconds as fast as it happens. */
uint32_t lt_records_rate(double dt, uint32_t every);

/* On failure only lt_records_abort makes sense, as after any of the others. */
lt_status lt_records_begin(lt_records *records, const lt_texts *paths, lt_size2 size, uint32_t fps,
                           lt_error *error);
lt_status lt_records_frame(lt_records *records, const lt_image *image, lt_error *error);
/* Ends all, also when one fails: each is whole or absent on its own. The first failure is told. */
lt_status lt_records_end(lt_records *records, const lt_image *last, lt_error *error);
/* Removes what was written and not ended. */
void lt_records_abort(lt_records *records);

#endif
