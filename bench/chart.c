/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "chart.h"

#include "picture/files.h"

#include <errno.h>
#include <stdio.h>

lt_status lt_bench_chart(const lt_chart *chart, const char *name, lt_error *error) {
    char path[120];
    if (!lt_folder_make("out") && errno != EEXIST)
        return lt_fail(error, LT_STATUS_IO, "out: the folder cannot be made");
    snprintf(path, sizeof path, "out/%s.svg", name);
    return lt_chart_write(chart, path, NULL, error);
}
