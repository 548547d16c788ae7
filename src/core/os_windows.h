/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the Windows halves of the library and of the program share: names. Names of files are UTF-8 everywhere in Lithe, and
 * UTF-16 at the border of Windows. */

#ifndef LITHE_CORE_OS_WINDOWS_H
#define LITHE_CORE_OS_WINDOWS_H

#include "core/base.h"

#define LT_WINDOWS_PATH 4096 /* in 16-bit words, the end included */

/* False for what is too long or no UTF-8. */
bool lt_windows_wide(wchar_t wide[LT_WINDOWS_PATH], const char *text);
/* The system's words for the error of this thread (GetLastError), and the status that it is. */
lt_status lt_windows_fail(lt_error *error, const char *path, const char *doing);

#endif
