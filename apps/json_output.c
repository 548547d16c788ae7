/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "json_output.h"

#include "core/os.h"

#include <string.h>

void lt_json_output_begin(lt_json_output *output, const char *path, lt_json_layout layout) {
    *output = (lt_json_output){.path = path, .bytes = LT_ARRAY_OF(NULL, char)};
    output->json = lt_json_to_array(&output->bytes, layout);
}

bool lt_json_output_is_stdout(const lt_json_output *output) {
    return output->path && strcmp(output->path, "-") == 0;
}

lt_status lt_json_output_line(lt_json_output *output, lt_error *error) {
    lt_status status = lt_json_finish(&output->json, error);
    if (status != LT_OK) return status;
    bool ok = true;
    if (lt_json_output_is_stdout(output))
        ok = fwrite(output->bytes.items, 1, output->bytes.count, stdout) == output->bytes.count &&
             fflush(stdout) == 0;
    if (!output->path || lt_json_output_is_stdout(output)) output->bytes.count = 0;
    return ok ? LT_OK : lt_fail(error, LT_STATUS_IO, "standard output: could not be written");
}

lt_status lt_json_output_end(lt_json_output *output, lt_error *error) {
    lt_status status = lt_json_output_line(output, error);
    if (status == LT_OK && output->path && !lt_json_output_is_stdout(output))
        status = lt_os_write_file(output->path, output->bytes.items, output->bytes.count, error);
    lt_json_output_drop(output);
    return status;
}

void lt_json_output_drop(lt_json_output *output) {
    lt_array_free(&output->bytes);
}

void lt_json_put_u64(lt_json *json, const char *key, uint64_t value) {
    lt_json_key(json, key);
    lt_json_u64(json, value);
}

void lt_json_put_double(lt_json *json, const char *key, double value) {
    lt_json_key(json, key);
    lt_json_double(json, value);
}

void lt_json_put_bool(lt_json *json, const char *key, bool value) {
    lt_json_key(json, key);
    lt_json_bool(json, value);
}

void lt_json_put_string(lt_json *json, const char *key, const char *value) {
    lt_json_key(json, key);
    lt_json_string(json, value);
}
