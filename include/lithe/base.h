/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What every other public header stands on: vectors, status codes, errors, allocator, logger, version.
 *
 * Errors come in four kinds, each with its own means:
 *   a caller's bug          -> the assert handler (replaceable), then a harmless return value
 *   bad input data          -> a status code, and an lt_error naming the file, line or element
 *   capacity or budget      -> bits and counts in the lt_report of the step; the simulation goes on
 *   numeric blow-up         -> detected per body, counted in the report, handled by a stated policy
 * The library never exits, prints or aborts on its own. */

#ifndef LITHE_BASE_H
#define LITHE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define LT_EXTERN_C_BEGIN extern "C" {
#define LT_EXTERN_C_END   }
#else
#define LT_EXTERN_C_BEGIN
#define LT_EXTERN_C_END
#endif

/* What leaves a shared library. On Windows it is named while the library is built; nothing need be said to use it. */
#if defined(_WIN32) && defined(LITHE_EXPORTS)
#define LT_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define LT_API __attribute__((visibility("default")))
#else
#define LT_API
#endif

#if defined(__MINGW32__) && !defined(__clang__) /* there "printf" means the formats of Microsoft */
#define LT_PRINTF_FORMAT(format_index, first_argument)                                                       \
    __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
#define LT_PRINTF_FORMAT(format_index, first_argument)                                                       \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define LT_PRINTF_FORMAT(format_index, first_argument)
#endif

#define LT_VERSION_MAJOR 0
#define LT_VERSION_MINOR 1
#define LT_VERSION_PATCH 0
#define LT_VERSION       "0.1.0"

LT_EXTERN_C_BEGIN

/* The version of the library that is linked, as "major.minor.patch"; compare with LT_VERSION. */
LT_API const char *lt_version(void);

/* A point or direction in metres (or whatever the field says), float32 at the boundary always. */
typedef struct lt_vec3 {
    float x, y, z;
} lt_vec3;

/* A rotation; the default of every def is the identity {0, 0, 0, 1}. Need not be normalised. */
typedef struct lt_quat {
    float x, y, z, w;
} lt_quat;

/* Status codes and their texts, from one list. */
#define LT_STATUS_LIST(X)                                                                                    \
    X(OK, "ok")                                                                                              \
    X(NOT_FOUND, "no such file")                                                                             \
    X(IO, "the system could not read or write")                                                              \
    X(FORMAT, "the file is malformed")                                                                       \
    X(VERSION, "the file is of a version or kind this library cannot read")                                  \
    X(INVALID, "the data is not usable")                                                                     \
    X(UNSUPPORTED, "that combination is not supported")                                                      \
    X(MEMORY, "out of memory")                                                                               \
    X(CAPACITY, "a capacity set by the caller is used up")                                                   \
    X(CANCELLED, "cancelled by the caller")

typedef enum lt_status {
#define LT_STATUS_ENUM(name, text) LT_STATUS_##name,
    LT_STATUS_LIST(LT_STATUS_ENUM)
#undef LT_STATUS_ENUM
        LT_STATUS_COUNT,
    LT_OK = LT_STATUS_OK
} lt_status;

/* A short sentence for a status; never NULL. */
LT_API const char *lt_status_text(lt_status status);

/* Filled by every function that takes one and does not return LT_OK; may be NULL everywhere.
 * The message names the file, the line or the element, and what to do. */
typedef struct lt_error {
    lt_status status;
    char message[300];
} lt_error;

/* Memory. `allocate` returns NULL when it cannot; `release` gets the size that was asked for.
 * Both may be called from several threads at once. Alignment is a power of two, at most 64. */
typedef struct lt_allocator {
    void *(*allocate)(void *context, size_t size, size_t alignment);
    void (*release)(void *context, void *memory, size_t size);
    void *context;
} lt_allocator;

/* The C library's allocator: what a NULL allocator stands for everywhere. */
LT_API lt_allocator lt_allocator_default(void);

typedef enum lt_log_level { LT_LOG_DEBUG, LT_LOG_INFO, LT_LOG_WARNING, LT_LOG_ERROR } lt_log_level;

/* Called with one line without a line break. A logger whose `log` is NULL is silent (the default). */
typedef struct lt_logger {
    void (*log)(void *context, lt_log_level level, const char *message);
    void *context;
} lt_logger;

/* Called when a caller's bug is found. The handler may abort, throw or return; when it returns, the
 * failed call returns LT_STATUS_INVALID, a null id, NULL or zero. The default handler does nothing.
 * Set it once, before any other call: it is shared by all threads. NULL restores the default. */
typedef void lt_assert_handler(const char *condition, const char *file, int line);
LT_API void lt_set_assert_handler(lt_assert_handler *handler);

LT_EXTERN_C_END

#endif
