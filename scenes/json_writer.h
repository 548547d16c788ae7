/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Writing JSON (RFC 8259) as it comes, into a file or a growing buffer:
 *
 *     lt_json json = lt_json_to_file(stdout, LT_JSON_INDENTED);
 *     lt_json_begin_object(&json);
 *     lt_json_key(&json, "steps");
 *     lt_json_u64(&json, 120);
 *     lt_json_end_object(&json);
 *     status = lt_json_finish(&json, &error);
 *
 * The first failure (disk full, memory, a misplaced call) stays: later calls do nothing and
 * lt_json_finish reports it. Several values in a row at the top are lines of JSON Lines. */

#ifndef LITHE_SCENES_JSON_WRITER_H
#define LITHE_SCENES_JSON_WRITER_H

#include "core/memory.h"

#include <stdio.h>

typedef enum lt_json_layout { LT_JSON_INDENTED, LT_JSON_ONE_LINE } lt_json_layout;

#define LT_JSON_DEPTH_MAX 64

typedef struct lt_json {
    FILE *file;      /* or NULL: */
    lt_array *bytes; /* of char, the caller's; not terminated by 0 */
    lt_json_layout layout;
    uint64_t is_object;  /* a bit per open object or array */
    uint64_t has_values; /* a bit per open object or array */
    uint32_t depth;
    bool after_key;
    lt_status status;
    const char *problem; /* NULL, or what went wrong first */
} lt_json;

lt_json lt_json_to_file(FILE *file, lt_json_layout layout);
lt_json lt_json_to_array(lt_array *bytes, lt_json_layout layout);

void lt_json_begin_object(lt_json *json);
void lt_json_end_object(lt_json *json);
void lt_json_begin_array(lt_json *json);
void lt_json_end_array(lt_json *json);
void lt_json_key(lt_json *json, const char *name);

/* UTF-8; bytes that are not become U+FFFD, so that the output is always valid. NULL writes null. */
void lt_json_string(lt_json *json, const char *text);
void lt_json_bool(lt_json *json, bool value);
void lt_json_null(lt_json *json);
void lt_json_u64(lt_json *json, uint64_t value);
void lt_json_i64(lt_json *json, int64_t value);
/* The fewest digits that read back as the same number, a float also where it is read as a double first; NaN and
 * infinities become null. */
void lt_json_double(lt_json *json, double value);
void lt_json_float(lt_json *json, float value);

/* Flushes. LT_STATUS_IO, LT_STATUS_MEMORY, or LT_STATUS_INVALID for calls in an impossible order. */
lt_status lt_json_finish(lt_json *json, lt_error *error);

#endif
