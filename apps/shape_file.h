/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which of the files a user names are shapes. */

#ifndef LITHE_APPS_SHAPE_FILE_H
#define LITHE_APPS_SHAPE_FILE_H

#include "core/base.h"

/* By its ending, or by its first bytes. */
bool lt_is_shape_file(const char *path);

#endif
