/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/shape_store.h"

#include "shape/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where ---- */

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static bool is_off(const char *choice) {
    return strcmp(choice, "off") == 0 || strcmp(choice, "none") == 0 || strcmp(choice, "0") == 0;
}

static bool join(char folder[LT_OS_PATH], const char *base, const char *rest) {
    int length = snprintf(folder, LT_OS_PATH, "%s%s", base, rest);
    return length > 0 && length < LT_OS_PATH;
}

bool lt_shape_store_folder(char folder[LT_OS_PATH]) {
    const char *choice = variable("LITHE_CACHE"), *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME"),
               *local = variable("LOCALAPPDATA");
    if (choice) return !is_off(choice) && join(folder, choice, "");
    if (xdg && xdg[0] == '/') return join(folder, xdg, "/lithe"); /* relative ones are to be ignored */
    if (home) return join(folder, home, "/.cache/lithe");
    return local && join(folder, local, "/lithe");
}

static bool path_of(char path[LT_OS_PATH], const char *folder, lt_shape_key key) {
    int length = snprintf(path, LT_OS_PATH, "%s/%016llx%016llx.lithe", folder, (unsigned long long)key.high,
                          (unsigned long long)key.low);
    return length > 0 && length < LT_OS_PATH;
}

/* ---- files ---- */

lt_shape *lt_shape_store_find(lt_shape_key key, const char *name) {
    char folder[LT_OS_PATH], path[LT_OS_PATH];
    const lt_allocator allocator = lt_allocator_default();
    lt_shape *shape = NULL;
    uint8_t *bytes;
    size_t size;
    if (!lt_shape_store_folder(folder) || !path_of(path, folder, key)) return NULL;
    if (lt_os_read_file(path, &allocator, &bytes, &size, NULL) != LT_OK) return NULL;
    return lt_shape_adopt(name, bytes, size, &allocator, &shape, NULL) == LT_OK ? shape : NULL;
}

void lt_shape_store_keep(lt_shape_key key, const lt_shape *shape) {
    char folder[LT_OS_PATH], path[LT_OS_PATH];
    if (!lt_shape_store_folder(folder) || !path_of(path, folder, key)) return;
    if (lt_os_make_folders(folder)) (void)lt_shape_save(shape, path, NULL);
}
