/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Windows, by its own functions (no POSIX layer, no other library to ship); Windows 7 and later. */

#include "core/os_windows.h"
#include "core/memory.h"
#include "core/os.h"

#define WIN32_LEAN_AND_MEAN
#include <malloc.h>
#include <process.h>
#include <windows.h>

/* ---- clock ---- */

uint64_t lt_os_now_ns(void) {
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    uint64_t count = (uint64_t)ticks.QuadPart, rate = (uint64_t)per_second.QuadPart;
    return count / rate * 1000000000u + count % rate * 1000000000u / rate; /* no overflow in centuries */
}

static uint64_t hundred_ns(FILETIME time) {
    return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

uint64_t lt_os_thread_cpu_ns(void) {
    FILETIME created, ended, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &kernel, &user)) return lt_os_now_ns();
    return (hundred_ns(kernel) + hundred_ns(user)) * 100;
}

/* ---- names and errors ---- */

bool lt_windows_wide(wchar_t wide[LT_WINDOWS_PATH], const char *text) {
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, LT_WINDOWS_PATH) > 0;
}

lt_status lt_windows_fail(lt_error *error, const char *path, const char *doing) {
    DWORD code = GetLastError();
    wchar_t wide[200];
    char text[600] = "";
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, code, 0,
                                  wide, LT_COUNT_OF(wide), NULL);
    while (length > 0 && (wide[length - 1] <= L' ' || wide[length - 1] == L'.'))
        length--;
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)length, text, sizeof text - 1, NULL, NULL);
    text[size > 0 ? size : 0] = 0;
    bool missing = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND || code == ERROR_INVALID_NAME;
    return lt_fail(error, missing ? LT_STATUS_NOT_FOUND : LT_STATUS_IO, "%s: cannot %s: %s", path, doing,
                   text[0] ? text : "an error without a text");
}

static lt_status fail_name(lt_error *error, const char *path) {
    return lt_fail(error, LT_STATUS_IO, "the path is too long or no UTF-8: %.80s…", path);
}

/* ---- files ---- */

/* INVALID_HANDLE_VALUE, with the reason, when it cannot be opened, is a folder or a device, or has more than `most` bytes. */
static HANDLE open_regular(const wchar_t *name, const char *path, size_t most, size_t *size,
                           lt_status *status, lt_error *error) {
    *status = LT_OK;
    DWORD attributes = GetFileAttributesW(name);
    LARGE_INTEGER length;
    HANDLE file = INVALID_HANDLE_VALUE;
    if (attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY)
        *status = lt_fail(error, LT_STATUS_IO, "%s: a folder; give a file", path);
    else
        file = CreateFileW(name, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                           OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        if (*status == LT_OK) *status = lt_windows_fail(error, path, "open");
        return file;
    }
    if (GetFileType(file) != FILE_TYPE_DISK)
        *status = lt_fail(error, LT_STATUS_IO,
                          "%s: not a regular file; devices and pipes have no end: copy it to a file", path);
    else if (!GetFileSizeEx(file, &length))
        *status = lt_windows_fail(error, path, "examine");
    else if ((uint64_t)length.QuadPart > most)
        *status = lt_fail(error, LT_STATUS_IO, "%s: %llu bytes are too many: at most %zu are read", path,
                          (unsigned long long)length.QuadPart, most);
    else
        *size = (size_t)length.QuadPart;
    if (*status == LT_OK) return file;
    CloseHandle(file);
    return INVALID_HANDLE_VALUE;
}

static DWORD piece_of(size_t left) {
    return (DWORD)lt_min_u64(left, 1u << 30);
}

static lt_status read_all(HANDLE file, const char *path, uint8_t *bytes, size_t size, lt_error *error) {
    size_t done = 0;
    while (done < size) {
        DWORD got = 0;
        if (!ReadFile(file, bytes + done, piece_of(size - done), &got, NULL))
            return lt_windows_fail(error, path, "read");
        if (got == 0) return lt_fail(error, LT_STATUS_IO, "%s: the file became shorter while read", path);
        done += got;
    }
    return LT_OK;
}

lt_status lt_os_read_file_up_to(const char *path, size_t most, const lt_allocator *allocator, uint8_t **bytes,
                                size_t *size, lt_error *error) {
    *bytes = NULL;
    *size = 0;
    wchar_t name[LT_WINDOWS_PATH];
    if (!lt_windows_wide(name, path)) return fail_name(error, path);
    lt_status status;
    size_t length = 0;
    HANDLE file = open_regular(name, path, most, &length, &status, error);
    if (file == INVALID_HANDLE_VALUE) return status;
    if (!(*bytes = LT_NEW(allocator, length, uint8_t)))
        status = lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for %zu bytes", path, length);
    if (status == LT_OK) status = read_all(file, path, *bytes, length, error);
    CloseHandle(file);
    if (status == LT_OK) {
        *size = length;
    } else {
        LT_DELETE(allocator, *bytes, length, uint8_t);
        *bytes = NULL;
    }
    return status;
}

static bool write_all(HANDLE file, const uint8_t *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        DWORD put = 0;
        if (!WriteFile(file, bytes + done, piece_of(size - done), &put, NULL) || put == 0) return false;
        done += put;
    }
    return true;
}

/* Devices (NUL, CON) and named pipes cannot be replaced by renaming: they are written to. */
static HANDLE open_special(const wchar_t *name) {
    HANDLE file =
        CreateFileW(name, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE || GetFileType(file) != FILE_TYPE_DISK) return file;
    CloseHandle(file);
    return INVALID_HANDLE_VALUE;
}

/* ---- drafts ---- */

/* The file that a name leads to; a link to nothing is itself. */
static bool follow_links(wchar_t target[LT_WINDOWS_PATH], const wchar_t *name) {
    DWORD attributes = GetFileAttributesW(name);
    lstrcpyW(target, name);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT)) return true;
    HANDLE file = CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) return true;
    DWORD length = GetFinalPathNameByHandleW(file, target, LT_WINDOWS_PATH, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    return length > 0 && length < LT_WINDOWS_PATH;
}

static bool narrow(char text[LT_OS_PATH], const wchar_t *wide) {
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, LT_OS_PATH, NULL, NULL) > 0;
}

/* Opens a new file for writing. A draft that a killed process left behind keeps its name: the next number is tried. */
static lt_status open_draft(lt_os_draft *draft, HANDLE *file, const char *path, lt_error *error) {
    enum { MOST_DRAFTS = 1000, ENDING = 40 };
    wchar_t name[LT_WINDOWS_PATH], target[LT_WINDOWS_PATH], temporary[LT_WINDOWS_PATH + ENDING];
    *file = INVALID_HANDLE_VALUE;
    draft->temporary[0] = 0;
    if (!lt_windows_wide(name, path) || !follow_links(target, name) || !narrow(draft->target, target))
        return fail_name(error, path);
    for (uint32_t i = 0; i < MOST_DRAFTS && *file == INVALID_HANDLE_VALUE; i++) {
        wchar_t ending[ENDING];
        wsprintfW(ending, L".%lu-%u.part", GetCurrentProcessId(), i);
        lstrcpyW(temporary, target);
        lstrcatW(temporary, ending);
        *file = CreateFileW(temporary, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (*file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS) break;
    }
    if (*file == INVALID_HANDLE_VALUE) return lt_windows_fail(error, path, "create");
    if (narrow(draft->temporary, temporary)) return LT_OK;
    CloseHandle(*file);
    DeleteFileW(temporary);
    return fail_name(error, path);
}

lt_status lt_os_draft_begin(lt_os_draft *draft, const char *path, lt_error *error) {
    wchar_t name[LT_WINDOWS_PATH];
    draft->temporary[0] = 0;
    if (!lt_windows_wide(name, path)) return fail_name(error, path);
    HANDLE file = open_special(name);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
        return lt_fail(error, LT_STATUS_IO, "%s: a device or a pipe; name a file", path);
    }
    lt_status status = open_draft(draft, &file, path, error);
    if (status == LT_OK) CloseHandle(file);
    return status;
}

lt_status lt_os_draft_keep(lt_os_draft *draft, lt_error *error) {
    wchar_t temporary[LT_WINDOWS_PATH], target[LT_WINDOWS_PATH];
    LT_ASSERT(draft->temporary[0]);
    bool kept = lt_windows_wide(temporary, draft->temporary) && lt_windows_wide(target, draft->target) &&
                MoveFileExW(temporary, target, MOVEFILE_REPLACE_EXISTING);
    lt_status status = kept ? LT_OK : lt_windows_fail(error, draft->target, "write");
    if (kept) draft->temporary[0] = 0;
    lt_os_draft_drop(draft);
    return status;
}

void lt_os_draft_drop(lt_os_draft *draft) {
    wchar_t temporary[LT_WINDOWS_PATH];
    if (draft->temporary[0] && lt_windows_wide(temporary, draft->temporary)) DeleteFileW(temporary);
    draft->temporary[0] = 0;
}

lt_status lt_os_write_file(const char *path, const void *bytes, size_t size, lt_error *error) {
    wchar_t name[LT_WINDOWS_PATH];
    if (!lt_windows_wide(name, path)) return fail_name(error, path);
    lt_os_draft draft = {{0}, {0}};
    HANDLE file = open_special(name);
    lt_status status = LT_OK;
    if (file == INVALID_HANDLE_VALUE) status = open_draft(&draft, &file, path, error);
    if (status != LT_OK) return status;
    if (!write_all(file, bytes, size)) status = lt_windows_fail(error, path, "write");
    CloseHandle(file);
    if (status == LT_OK && draft.temporary[0]) return lt_os_draft_keep(&draft, error);
    lt_os_draft_drop(&draft);
    return status;
}

static bool cut_at(HANDLE file, LARGE_INTEGER size) {
    return SetFilePointerEx(file, size, NULL, FILE_BEGIN) && SetEndOfFile(file);
}

lt_status lt_os_write_at(const char *path, uint64_t offset, const void *bytes, size_t size, lt_error *error) {
    wchar_t name[LT_WINDOWS_PATH];
    if (!lt_windows_wide(name, path)) return fail_name(error, path);
    HANDLE file = CreateFileW(name, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) return lt_windows_fail(error, path, "open");
    LARGE_INTEGER before, at = {.QuadPart = (LONGLONG)offset};
    bool known = GetFileSizeEx(file, &before);
    bool ok = known && SetFilePointerEx(file, at, NULL, FILE_BEGIN) && write_all(file, bytes, size);
    lt_status status = ok ? LT_OK : lt_windows_fail(error, path, "write");
    if (!ok && known)
        cut_at(file, before); /* whether or not that goes: what is told is why it could not be written */
    CloseHandle(file);
    return status;
}

bool lt_os_file_exists(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    DWORD attributes = lt_windows_wide(name, path) ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

static bool make_folder(const char *path) {
    wchar_t name[LT_WINDOWS_PATH];
    if (!lt_windows_wide(name, path)) return false;
    if (CreateDirectoryW(name, NULL)) return true;
    DWORD attributes = GetFileAttributesW(name);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool lt_os_make_folders(const char *path) {
    char part[LT_OS_PATH];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part) return false;
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] != '/' && part[i] != '\\') continue;
        char separator = part[i];
        part[i] = 0;
        (void)make_folder(part);
        part[i] = separator;
    }
    return make_folder(path);
}

/* ---- memory ---- */

void *lt_os_allocate(size_t size, size_t alignment) {
    return _aligned_malloc(size, alignment);
}

void lt_os_release(void *memory) {
    _aligned_free(memory);
}

/* ---- threads ---- */

uint32_t lt_os_processor_count(void) {
    DWORD_PTR ours = 0, all = 0;
    uint32_t count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &ours, &all))
        for (; ours; ours &= ours - 1)
            count++;
    return count < 1 ? 1 : count;
}

struct lt_os_thread {
    HANDLE handle;
    void (*run)(void *context);
    void *context;
};

struct lt_os_monitor {
    SRWLOCK lock;
    CONDITION_VARIABLE condition;
};

static unsigned __stdcall thread_main(void *argument) {
    lt_os_thread *thread = argument;
    thread->run(thread->context);
    return 0;
}

lt_os_thread *lt_os_thread_start(const lt_allocator *allocator, void (*run)(void *), void *context) {
    lt_os_thread *thread = LT_NEW(allocator, 1, lt_os_thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->context = context;
    thread->handle = (HANDLE)_beginthreadex(NULL, 0, thread_main, thread, 0, NULL);
    if (thread->handle) return thread;
    LT_DELETE(allocator, thread, 1, lt_os_thread);
    return NULL;
}

void lt_os_thread_join(const lt_allocator *allocator, lt_os_thread *thread) {
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    LT_DELETE(allocator, thread, 1, lt_os_thread);
}

lt_os_monitor *lt_os_monitor_create(const lt_allocator *allocator) {
    lt_os_monitor *monitor = LT_NEW(allocator, 1, lt_os_monitor);
    if (!monitor) return NULL;
    InitializeSRWLock(&monitor->lock);
    InitializeConditionVariable(&monitor->condition);
    return monitor;
}

void lt_os_monitor_destroy(const lt_allocator *allocator, lt_os_monitor *monitor) {
    if (monitor) LT_DELETE(allocator, monitor, 1, lt_os_monitor);
}

void lt_os_monitor_lock(lt_os_monitor *monitor) {
    AcquireSRWLockExclusive(&monitor->lock);
}
void lt_os_monitor_unlock(lt_os_monitor *monitor) {
    ReleaseSRWLockExclusive(&monitor->lock);
}
void lt_os_monitor_wait(lt_os_monitor *monitor) {
    SleepConditionVariableSRW(&monitor->condition, &monitor->lock, INFINITE, 0);
}
void lt_os_monitor_wake_all(lt_os_monitor *monitor) {
    WakeAllConditionVariable(&monitor->condition);
}
