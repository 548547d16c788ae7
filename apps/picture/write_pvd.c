/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/os.h"
#include "io/write_internal.h"
#include "picture/write_series.h"

#include <stdio.h>

enum { FILE_NAME_MAX = 255, ESCAPED_MAX = 6 * FILE_NAME_MAX };

static const char head[] = "<?xml version=\"1.0\"?>\n"
                           "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                           "<Collection>\n";
static const char tail[] = "</Collection>\n</VTKFile>\n";

/* For an attribute between quotes. */
static void escape(char to[ESCAPED_MAX + 1], const char *from) {
    for (; *from; from++) {
        const char *entity = *from == '&' ? "&amp;" : *from == '<' ? "&lt;" : *from == '"' ? "&quot;" : NULL;
        if (!entity) {
            *to++ = *from;
            continue;
        }
        memcpy(to, entity, strlen(entity));
        to += strlen(entity);
    }
    *to = 0;
}

lt_status lt_pvd_begin(lt_pvd *out, const char *path, lt_error *error) {
    char text[sizeof head + sizeof tail];
    int length = snprintf(text, sizeof text, "%s%s", head, tail);
    *out = (lt_pvd){.path = path, .end = sizeof head - 1};
    return lt_os_write_file(path, text, (size_t)length, error);
}

lt_status lt_pvd_add(lt_pvd *list, double time, uint32_t part, const char *file, lt_error *error) {
    if (strlen(file) > FILE_NAME_MAX || time - time != 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: no entry can be made of the file %.80s", list->path,
                       file);
    char number[LT_NUMBER_ROOM], name[ESCAPED_MAX + 1], text[ESCAPED_MAX + 200];
    lt_format_double(number, time);
    escape(name, file);
    int length = snprintf(text, sizeof text, "<DataSet timestep=\"%s\" part=\"%u\" file=\"%s\"/>\n%s", number,
                          part, name, tail);
    lt_status status = lt_os_write_at(list->path, list->end, text, (size_t)length, error);
    if (status == LT_OK)
        list->end += (size_t)length - (sizeof tail - 1);
    else /* the file is as long as it was: this needs no room on the disk */
        lt_os_write_at(list->path, list->end, tail, sizeof tail - 1, NULL);
    return status;
}
