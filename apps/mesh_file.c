/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* glTF and other formats of scenes go through the program assimp, where it is installed: a program, not its library, so
 * that nothing here depends on it and no file can harm this process by way of it.
 *
 * It writes OBJ into a folder of its own, which is read and removed. OBJ, since with it assimp moves everything to
 * where the nodes of the scene put it, makes one vertex of corners in the same place (the formats keep them apart for
 * normals and texture), and lets lines and points be told from faces. Its PLY and STL do not do all of this. */

#include "mesh_file.h"

#include "core/memory.h"
#include "core/os.h"
#include "picture/child.h"
#include "picture/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, MOST_FOLDERS = 1000 };

static bool is_same_ending(const char *a, const char *b) {
    while (*a && *b && (*a | 32) == (*b | 32))
        a++, b++;
    return !*a && !*b;
}

static bool is_for_assimp(const char *path) {
    static const char *const extensions[] = {".glb", ".gltf",  ".fbx", ".dae", ".3ds",     ".3mf", ".amf",
                                             ".ase", ".blend", ".dxf", ".lwo", ".ms3d",    ".x",   ".x3d",
                                             ".ac",  ".b3d",   ".md2", ".md3", ".md5mesh", ".smd"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < LT_COUNT_OF(extensions); i++)
        if (is_same_ending(dot, extensions[i])) return true;
    return false;
}

static lt_status fail_start(const char *path, int problem, lt_error *error) {
    if (problem == ENOENT)
        return lt_fail(
            error, LT_STATUS_UNSUPPORTED,
            "%.100s: this format is read by the program assimp, which is not installed; install it (package "
            "\"assimp-utils\") or save the mesh as OBJ, PLY or STL",
            path);
    return lt_fail(error, LT_STATUS_IO, "%.100s: cannot start assimp: %s", path, strerror(problem));
}

static lt_status run_assimp(const char *path, const char *output, lt_error *error) {
    char input[PATH_SIZE + 2];
    /* A leading dash would be an option. */
    if (snprintf(input, sizeof input, "%s%s", path[0] == '-' ? "./" : "", path) >= (int)sizeof input)
        return lt_fail(error, LT_STATUS_IO, "the path is too long: %.80s…", path);
    const char *arguments[] = {"assimp", "export", input, output, "-fobjnomtl", NULL};
    lt_child child;
    FILE *messages = lt_file_unnamed();
    if (!messages) return fail_start(path, errno, error);
    int problem = lt_child_start(&child, arguments, messages);
    lt_child_wait(&child);
    lt_status status = LT_OK;
    if (problem != 0)
        status = fail_start(path, problem, error);
    else if (child.code != 0 || child.signal != 0)
        status = lt_child_fail(&child, messages, "assimp", path, error);
    fclose(messages);
    return status;
}

static lt_status read_output(lt_mesh_file *out, const char *path, const char *output, lt_error *error) {
    char name[160]; /* ends as what is read here */
    uint8_t *bytes;
    size_t size;
    lt_status status = lt_os_read_file(output, NULL, &bytes, &size, error);
    if (status != LT_OK) return status;
    snprintf(name, sizeof name, "%.100s, made by assimp: mesh.obj", path);
    status = lt_mesh_file_from_memory(bytes, size, name, NULL, out, error);
    lt_release(NULL, bytes, size, 1);
    return status;
}

/* Where temporary files go, by the custom of the system. */
static const char *temporary_folder(void) {
    static const char *const variables[] = {"TMPDIR", "TEMP", "TMP"};
    for (size_t i = 0; i < LT_COUNT_OF(variables); i++) {
        const char *folder = getenv(variables[i]);
        if (folder && folder[0]) return folder;
    }
    return "/tmp";
}

/* A folder that was not there before. */
static bool make_own_folder(char folder[PATH_SIZE]) {
    for (uint32_t i = 0; i < MOST_FOLDERS; i++) {
        int length = snprintf(folder, PATH_SIZE, "%s/lithe-assimp-%u", temporary_folder(), i);
        if (length >= PATH_SIZE) return false;
        if (lt_folder_make(folder)) return true;
        if (!lt_folder_exists(folder)) return false;
    }
    return false;
}

static lt_status read_through_assimp(lt_mesh_file *out, const char *path, lt_error *error) {
    char folder[PATH_SIZE], output[PATH_SIZE + 16];
    if (!make_own_folder(folder))
        return lt_fail(error, LT_STATUS_IO, "%.100s: cannot make a folder for assimp in %.100s: %s", path,
                       temporary_folder(), strerror(errno));
    snprintf(output, sizeof output, "%s/mesh.obj", folder);
    lt_status status = run_assimp(path, output, error);
    if (status == LT_OK) status = read_output(out, path, output, error);
    lt_file_remove(output);
    lt_folder_remove(folder);
    return status;
}

lt_status lt_open_mesh(lt_mesh_file *out, const char *path, lt_error *error) {
    lt_status status = lt_mesh_file_load(path, NULL, out, error);
    if (status != LT_STATUS_UNSUPPORTED || !is_for_assimp(path)) return status;
    return read_through_assimp(out, path, error);
}
