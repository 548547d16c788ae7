/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Folders that results go to. */

#ifndef LITHE_PICTURE_FOLDER_H
#define LITHE_PICTURE_FOLDER_H

#include "core/base.h"

#define LT_FOLDER_SIZE 4096

/* out/ is where results go by custom, and no part of a fresh checkout: it is made when the path is in it. Other
 * folders may be misspelt. */
void lt_make_out(const char *path);
/* The path without slashes at its end goes to `folder`. Makes the folder when there is none (*made), and out/ likewise,
 * but no other parents. */
lt_status lt_make_folder(char folder[LT_FOLDER_SIZE], const char *path, bool *made, lt_error *error);

#endif
