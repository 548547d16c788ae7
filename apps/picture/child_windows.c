/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/child.h"

#include "core/os_windows.h"

#include <errno.h>
#include <io.h>
#include <string.h>
#include <wchar.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { COMMAND_SIZE = 8192 };

/* ---- one line of words, from which the child's C library makes the same words again ---- */

typedef struct command_line {
    char text[COMMAND_SIZE];
    size_t length; /* COMMAND_SIZE and more: too long */
} command_line;

static void put(command_line *line, char c, size_t times) {
    for (; times > 0; times--, line->length++)
        if (line->length + 1 < COMMAND_SIZE) line->text[line->length] = c;
}

/* In quotes where it must be; in these, backslashes are plain but before a quote, where they come twice. */
static void put_word(command_line *line, const char *word) {
    size_t backslashes = 0, quotes = !*word || strpbrk(word, " \t\n\v\"") ? 1 : 0;
    if (line->length) put(line, ' ', 1);
    put(line, '"', quotes);
    for (; *word; word++) {
        if (*word == '"') put(line, '\\', backslashes + 1);
        backslashes = *word == '\\' ? backslashes + 1 : 0;
        put(line, *word, 1);
    }
    put(line, '\\', quotes * backslashes);
    put(line, '"', quotes);
}

static bool join(wchar_t wide[LT_WINDOWS_PATH], const char *const *words) {
    command_line line = {.length = 0};
    for (; *words; words++)
        put_word(&line, *words);
    return line.length + 1 < COMMAND_SIZE && lt_windows_wide(wide, line.text);
}

/* ---- the child ---- */

static HANDLE inheritable(HANDLE handle) {
    HANDLE copy = NULL, self = GetCurrentProcess();
    return DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) ? copy : NULL;
}

static int spawn(lt_child *child, wchar_t *command, HANDLE input, HANDLE messages) {
    STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION made;
    start.hStdInput = input;
    start.hStdOutput = messages;
    start.hStdError = messages;
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW, NULL,
                        NULL, &start, &made)) {
        DWORD code = GetLastError();
        return code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? ENOENT : EIO;
    }
    CloseHandle(made.hThread);
    child->process = (intptr_t)made.hProcess;
    return 0;
}

static void close_all(HANDLE *handles, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (handles[i] && handles[i] != INVALID_HANDLE_VALUE) CloseHandle(handles[i]);
}

int lt_child_start(lt_child *child, const char *const *arguments, FILE *messages) {
    wchar_t command[LT_WINDOWS_PATH];
    HANDLE read_end, write_end;
    *child = (lt_child){.pipe = -1};
    if (!join(command, arguments)) return E2BIG;
    if (!CreatePipe(&read_end, &write_end, NULL, 0)) return EIO;
    HANDLE ends[] = {inheritable(read_end), inheritable((HANDLE)_get_osfhandle(_fileno(messages)))};
    CloseHandle(read_end);
    child->pipe = (intptr_t)write_end;
    int problem = ends[0] && ends[1] ? spawn(child, command, ends[0], ends[1]) : EIO;
    close_all(ends, LT_COUNT_OF(ends));
    return problem;
}

bool lt_child_write(lt_child *child, const void *bytes, size_t size) {
    const uint8_t *next = bytes;
    while (size > 0) {
        DWORD written = 0, piece = (DWORD)lt_min_u64(size, 1u << 20);
        if (child->pipe == -1 || !WriteFile((HANDLE)child->pipe, next, piece, &written, NULL)) return false;
        next += written;
        size -= written;
    }
    return true;
}

void lt_child_wait(lt_child *child) {
    if (child->pipe != -1) CloseHandle((HANDLE)child->pipe);
    child->pipe = -1;
    if (!child->process) return;
    DWORD code = 1;
    WaitForSingleObject((HANDLE)child->process, INFINITE);
    GetExitCodeProcess((HANDLE)child->process, &code);
    CloseHandle((HANDLE)child->process);
    child->process = 0;
    child->code = (int)code;
}

void lt_child_kill(lt_child *child) {
    if (child->process) TerminateProcess((HANDLE)child->process, 1);
    lt_child_wait(child);
}
