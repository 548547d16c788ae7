/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* version VERSION: the header and the library are both of that version. Needs the runtime alone. C, and C++. */

#include "lithe/lithe.h"
#include <stdio.h>
#include <string.h>

int main(int word_count, char **words) {
    char parts[40];
    const char *expected = word_count > 1 ? words[1] : "";
    snprintf(parts, sizeof parts, "%d.%d.%d", LT_VERSION_MAJOR, LT_VERSION_MINOR, LT_VERSION_PATCH);
    if (strcmp(LT_VERSION, expected) == 0 && strcmp(parts, expected) == 0 &&
        strcmp(lt_version(), expected) == 0)
        return 0;
    printf("version %s expected; the header has %s and %s, the library %s\n", expected, LT_VERSION, parts,
           lt_version());
    return 1;
}
