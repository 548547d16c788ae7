/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/folder.h"

#include "picture/files.h"

#include <errno.h>
#include <string.h>

void lt_make_out(const char *path) {
    if (strncmp(path, "out/", 4) == 0 && !lt_folder_exists("out"))
        lt_folder_make("out"); /* else making what is in it says why */
}

lt_status lt_make_folder(char folder[LT_FOLDER_SIZE], const char *path, bool *made, lt_error *error) {
    size_t length = strlen(path);
    *made = false;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length == 0) return lt_fail(error, LT_STATUS_INVALID, "a folder needs a name");
    if (length >= LT_FOLDER_SIZE) return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
    memcpy(folder, path, length);
    folder[length] = 0;
    lt_make_out(folder);
    if (lt_folder_exists(folder)) return LT_OK;
    if (!lt_folder_make(folder))
        return lt_fail(error, errno == ENOENT ? LT_STATUS_NOT_FOUND : LT_STATUS_IO,
                       "%s: cannot make this folder: %s", folder, strerror(errno));
    *made = true;
    return LT_OK;
}
