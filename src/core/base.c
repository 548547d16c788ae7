/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/base.h"

#include <stdarg.h>
#include <stdio.h>

static lt_assert_handler *assert_handler;

const char *lt_version(void) {
    return LT_VERSION;
}

const char *lt_status_text(lt_status status) {
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        LT_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return (unsigned)status < LT_STATUS_COUNT ? texts[status] : "unknown status";
}

void lt_set_assert_handler(lt_assert_handler *handler) {
    assert_handler = handler;
}

bool lt_require_failed(const char *condition, const char *file, int line) {
    if (assert_handler) assert_handler(condition, file, line);
    return false;
}

void lt_assert_failed(const char *condition, const char *file, int line) {
    if (assert_handler)
        assert_handler(condition, file, line);
    else
        fprintf(stderr, "%s:%d: assert failed: %s\n", file, line, condition);
    __builtin_trap();
}

lt_status lt_fail(lt_error *error, lt_status status, const char *format, ...) {
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
