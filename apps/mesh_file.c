/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* glTF and other formats of scenes go through the program assimp, where it is installed: a program, not its library, so
 * that nothing here depends on it and no file can harm this process by way of it.
 *
 * It writes OBJ into a folder of its own, which is read and removed. OBJ, since with it assimp moves everything to
 * where the nodes of the scene put it, makes one vertex of corners in the same place (the formats keep them apart for
 * normals and texture), and lets lines and points be told from faces. Its PLY and STL do not do all of this. */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "mesh_file.h"

#include "core/os.h"
#include "picture/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool is_for_assimp(const char *path) {
    static const char *const extensions[] = {".glb", ".gltf",  ".fbx", ".dae", ".3ds",     ".3mf", ".amf",
                                             ".ase", ".blend", ".dxf", ".lwo", ".ms3d",    ".x",   ".x3d",
                                             ".ac",  ".b3d",   ".md2", ".md3", ".md5mesh", ".smd"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < LT_COUNT_OF(extensions); i++)
        if (strcasecmp(dot, extensions[i]) == 0) return true;
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
    lt_child child = {0};
    int problem = lt_child_start(&child, arguments, -1);
    lt_child_wait(&child);
    lt_status status = LT_OK;
    if (problem != 0)
        status = fail_start(path, problem, error);
    else if (!lt_child_succeeded(&child))
        status = lt_child_fail(&child, "assimp", path, error);
    lt_child_free(&child);
    return status;
}

static lt_status read_output(lt_mesh_file *out, const char *path, const char *output, lt_error *error) {
    char name[160];
    uint8_t *bytes;
    size_t size;
    lt_status status = lt_os_read_file(output, NULL, &bytes, &size, error);
    if (status != LT_OK) return status;
    snprintf(name, sizeof name, "%.100s, made OBJ by assimp", path);
    status = lt_read_obj(out, bytes, size, name, NULL, error);
    lt_release(NULL, bytes, size, 1);
    return status;
}

static lt_status read_through_assimp(lt_mesh_file *out, const char *path, lt_error *error) {
    const char *parent = getenv("TMPDIR");
    char folder[PATH_SIZE], output[PATH_SIZE + 16];
    int length = snprintf(folder, sizeof folder, "%s/lithe-XXXXXX", parent && parent[0] ? parent : "/tmp");
    if (length >= (int)sizeof folder || !mkdtemp(folder))
        return lt_fail(error, LT_STATUS_IO, "%.100s: cannot make a folder for assimp in $TMPDIR: %s", path,
                       strerror(errno));
    snprintf(output, sizeof output, "%s/mesh.obj", folder);
    lt_status status = run_assimp(path, output, error);
    if (status == LT_OK) status = read_output(out, path, output, error);
    remove(output);
    rmdir(folder);
    return status;
}

lt_status lt_open_mesh(lt_mesh_file *out, const char *path, lt_error *error) {
    lt_status status = lt_read_mesh(out, path, NULL, error);
    if (status != LT_STATUS_UNSUPPORTED || !is_for_assimp(path)) return status;
    return read_through_assimp(out, path, error);
}
