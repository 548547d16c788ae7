/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A scene for each experiment that has one, simulated without a limit and drawn at a few moments. */

#ifndef LITHE_APPS_REPORT_FRAMES_H
#define LITHE_APPS_REPORT_FRAMES_H

#include "html.h"

/* Appends the pictures as one figure, or nothing where there is no scene for the experiment. */
lt_status lt_report_frames(lt_html *html, const char *experiment, bool quick, lt_error *error);

#endif
