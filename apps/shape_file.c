/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "shape_file.h"

#include "picture/files.h"
#include "shape/shape.h"

#include <stdio.h>
#include <string.h>

bool lt_is_shape_file(const char *path) {
    char magic[8] = {0};
    size_t length = strlen(path);
    if (length > 6 && strcmp(path + length - 6, ".lithe") == 0) return true;
    FILE *file = lt_file_is_regular(path) ? lt_file_open(path, "rb") : NULL; /* a pipe would wait */
    if (!file) return false;
    bool is_shape = fread(magic, 1, 8, file) == 8 && memcmp(magic, LT_SHAPE_MAGIC, 8) == 0;
    fclose(file);
    return is_shape;
}
