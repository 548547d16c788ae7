/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A progress bar on standard error: only when that is a terminal, only when the work lasts longer than a
 * second, gone without a trace at the end. */

#ifndef LITHE_PICTURE_PROGRESS_H
#define LITHE_PICTURE_PROGRESS_H

#include "core/base.h"

typedef struct lt_progress {
    const char *title; /* the caller's; what is done, e.g. "frames" */
    uint64_t total;    /* 0: not known */
    uint64_t begin_ns, shown_ns;
    bool enabled, visible;
} lt_progress;

lt_progress lt_progress_begin(const char *title, uint64_t total);
/* Cheap when nothing needs to be drawn: at most ten times a second something is. */
void lt_progress_update(lt_progress *progress, uint64_t done);
void lt_progress_end(lt_progress *progress);

/* The bar's text in at most `columns` columns: "frames [=====>    ]  50%  120/240  60.0/s  2 s left". */
void lt_progress_format(char *out, size_t out_size, const char *title, uint64_t done, uint64_t total,
                        uint64_t elapsed_ns, uint32_t columns);

#endif
