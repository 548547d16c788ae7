/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "output_files.h"

#include "commands.h"
#include "options.h"
#include "picture/files.h"
#include "picture/folder.h"

#include <string.h>

static bool is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

/* Whether both names are, or will be, one file; devices may be named twice. */
static bool are_one(const char *a, const char *b) {
    if (!is_file(a) || !is_file(b)) return false;
    return lt_file_is_same(a, b) ? lt_file_is_regular(a) : strcmp(a, b) == 0 && !lt_folder_exists(a);
}

static int check_place(const char *command, const lt_output_file *output) {
    char parent[LT_FOLDER_SIZE];
    const char *path = output->path, *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    if (path[0] == 0) return lt_say_failed(command, "%s needs the name of a file", output->option);
    if (length >= sizeof parent) return lt_say_failed(command, "the path is too long: %.80s…", path);
    lt_make_out(path);
    memcpy(parent, path, length);
    parent[length] = 0;
    if (slash && !lt_folder_exists(parent))
        return lt_say_failed(command, "%s: there is no folder %s; make it first", path, parent);
    if (lt_folder_exists(path))
        return lt_say_failed(command, "%s: this is a folder; name a file in it", path);
    return EXIT_OK;
}

int lt_check_outputs(const char *command, const char *input, const lt_output_file *outputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const lt_output_file *output = &outputs[i];
        if (!is_file(output->path)) continue;
        int code = check_place(command, output);
        if (code != EXIT_OK) return code;
        if (are_one(input, output->path))
            return lt_say_usage(command, "%s %s would write over what is read; name another file",
                                output->option, output->path);
        for (uint32_t k = 0; k < i; k++)
            if (are_one(outputs[k].path, output->path))
                return lt_say_usage(command, "%s and %s name the same file, %s", outputs[k].option,
                                    output->option, output->path);
    }
    return EXIT_OK;
}
