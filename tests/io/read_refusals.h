/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A reader's refusals as a table: the text, the status, and what the message must say. */

#ifndef LITHE_TESTS_MESH_READ_REFUSALS_H
#define LITHE_TESTS_MESH_READ_REFUSALS_H

#include "check.h"
#include "io/read_samples.h"

typedef struct refusal {
    const char *text;
    lt_status status;
    const char *message; /* "sample" is the name of the file */
} refusal;

static inline void check_refusals(sample_format format, const refusal *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read_text(&file, format, rows[i].text, &error);
        CHECK_COUNT(status, rows[i].status);
        CHECK_CONTAINS(error.message, rows[i].message);
        CHECK(sample_judge(&file, status, &error) == NULL);
        lt_mesh_content_free(&file);
    }
}

#endif
