/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where --json goes: a file that appears whole or not at all, or standard output ("-"), line by line. With no
 * path nothing is written, and writing to `json` costs a little memory only. */

#ifndef LITHE_APPS_JSON_OUTPUT_H
#define LITHE_APPS_JSON_OUTPUT_H

#include "scenes/json_writer.h"

typedef struct lt_json_output {
    const char *path; /* NULL: nowhere */
    lt_array bytes;
    lt_json json;
} lt_json_output;

/* Must not be moved afterwards: `json` points into it. */
void lt_json_output_begin(lt_json_output *output, const char *path, lt_json_layout layout);
bool lt_json_output_is_stdout(const lt_json_output *output);
/* Call after every line: passes it on when the output is a stream. */
lt_status lt_json_output_line(lt_json_output *output, lt_error *error);
/* Writes what is left and frees. */
lt_status lt_json_output_end(lt_json_output *output, lt_error *error);
/* Frees and writes nothing. */
void lt_json_output_drop(lt_json_output *output);

/* "key": value, in one call. */
void lt_json_put_u64(lt_json *json, const char *key, uint64_t value);
void lt_json_put_double(lt_json *json, const char *key, double value);
void lt_json_put_bool(lt_json *json, const char *key, bool value);
void lt_json_put_string(lt_json *json, const char *key, const char *value);

#endif
