/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/files.h"

#include "core/memory.h"
#include "core/os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <wchar.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>

/* errno as the C library has it, for what failed in Windows itself. */
static bool fail_by_last_error(void) {
    DWORD code = GetLastError();
    errno = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND     ? ENOENT
            : code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS      ? EEXIST
            : code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ? EACCES
            : code == ERROR_DISK_FULL                                        ? ENOSPC
                                                                             : EIO;
    return false;
}

static bool wide_path(wchar_t wide[LT_WINDOWS_PATH], const char *path) {
    if (lt_windows_wide(wide, path)) return true;
    errno = EINVAL;
    return false;
}

/* The words as the system has them. They are kept until the program ends. */
void lt_files_begin(int *word_count, char ***words) {
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **copies = wide ? LT_NEW(NULL, (size_t)count + 1, char *) : NULL;
    bool ok = copies != NULL;
    for (int i = 0; ok && i < count; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        copies[i] = size > 0 ? LT_NEW(NULL, (size_t)size, char) : NULL;
        ok = copies[i] && WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, copies[i], size, NULL, NULL) == size;
    }
    LocalFree(wide);
    if (!ok) return;
    *word_count = count;
    *words = copies;
}

FILE *lt_file_open(const char *path, const char *mode) {
    wchar_t name[LT_WINDOWS_PATH], wide_mode[8] = {0};
    for (size_t i = 0; mode[i] && i + 1 < LT_COUNT_OF(wide_mode); i++)
        wide_mode[i] = (wchar_t)mode[i];
    return wide_path(name, path) ? _wfopen(name, wide_mode) : NULL;
}

void lt_file_remove(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    if (wide_path(name, path)) DeleteFileW(name);
}

bool lt_file_is_regular(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    DWORD attributes = wide_path(name, path) ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES &&
           !(attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE));
}

static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *out) {
    wchar_t name[LT_WINDOWS_PATH];
    if (!wide_path(name, path)) return false;
    HANDLE file = CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool ok = GetFileInformationByHandle(file, out);
    CloseHandle(file);
    return ok;
}

bool lt_file_is_same(const char *a, const char *b) {
    BY_HANDLE_FILE_INFORMATION of_a, of_b;
    return identify(a, &of_a) && identify(b, &of_b) &&
           of_a.dwVolumeSerialNumber == of_b.dwVolumeSerialNumber &&
           of_a.nFileIndexHigh == of_b.nFileIndexHigh && of_a.nFileIndexLow == of_b.nFileIndexLow;
}

FILE *lt_file_unnamed(void) { /* tmpfile() of Windows wants to write into the root of the disk */
    wchar_t folder[MAX_PATH + 1], name[MAX_PATH + 1];
    if (!GetTempPathW(LT_COUNT_OF(folder), folder) || !GetTempFileNameW(folder, L"lt", 0, name)) {
        fail_by_last_error();
        return NULL;
    }
    return _wfopen(name, L"w+bD"); /* D: removed when closed */
}

bool lt_folder_exists(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    DWORD attributes = wide_path(name, path) ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

bool lt_folder_make(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    if (!wide_path(name, path)) return false;
    return CreateDirectoryW(name, NULL) || fail_by_last_error();
}

void lt_folder_remove(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    if (wide_path(name, path)) RemoveDirectoryW(name);
}

bool lt_is_terminal(FILE *file) {
    return _isatty(_fileno(file));
}
