/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which reader a file gets. One row per format; a new reader is its own read_<format>.c and a row here. */

#include "core/os.h"
#include "io/read_internal.h"

typedef lt_status reader_function(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                                  const lt_allocator *allocator, lt_error *error);

typedef struct mesh_format {
    const char *name;
    const char *extensions; /* lower case, each with a dot before and a blank after */
    const char *mark;       /* what the file begins with, after blanks and a byte order mark; NULL: nothing */
    reader_function *read;  /* NULL: recognised, not read */
} mesh_format;

/* A pair of files, so with a function of its own below. */
static const char tetgen_extensions[] = ".node .ele ";

static const mesh_format formats[] = {
    {"PLY", ".ply ", "ply\n", lt_read_ply},
    {"PLY", ".ply ", "ply\r", lt_read_ply},
    {"Gmsh", ".msh .msh2 .msh4 ", "$MeshFormat", lt_read_msh},
    {"Gmsh 1", ".msh ", "$NOD", lt_read_msh},
    {"STL", ".stl ", "solid", lt_read_stl},
    {"OFF", ".off .coff .noff ", "OFF", lt_read_off},
    {"OFF", ".off ", "COFF", lt_read_off},
    {"OFF", ".off ", "NOFF", lt_read_off},
    {"OFF", ".off ", "STOFF", lt_read_off},
    {"Medit", ".mesh .meshb ", "MeshVersionFormatted", lt_read_medit},
    {"VTK", ".vtk ", "# vtk DataFile", lt_read_vtk},
    {"VTK's XML", ".vtu .vtp ", "<VTKFile", NULL},
    {"glTF", ".glb .gltf ", "glTF", NULL},
    {"3MF", ".3mf ", NULL, NULL},
    {"FBX", ".fbx ", "Kaydara FBX", NULL},
    {"COLLADA", ".dae ", NULL, NULL},
    {"3DS", ".3ds ", NULL, NULL},
    {"USD", ".usd .usda .usdc .usdz ", "#usda", NULL},
    {"Abaqus", ".inp ", NULL, NULL},
    {"OBJ", ".obj ", NULL, lt_read_obj},
};

static const char readable[] =
    "OBJ, PLY, OFF, STL, VTK, Medit .mesh, Gmsh .msh and TetGen .node/.ele can be read";

/* The dot of the last extension, or the end of the path. */
static const char *extension_of(const char *path) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    return dot && (!slash || dot > slash) ? dot : path + strlen(path);
}

bool lt_path_ends_with(const char *path, const char *extensions) {
    char wanted[16];
    const char *extension = extension_of(path);
    size_t length = strlen(extension);
    if (length < 2 || length + 2 > sizeof wanted) return false;
    for (size_t i = 0; i < length; i++)
        wanted[i] = extension[i] >= 'A' && extension[i] <= 'Z' ? (char)(extension[i] + 32) : extension[i];
    wanted[length] = ' ';
    wanted[length + 1] = 0;
    return strstr(extensions, wanted) != NULL;
}

/* By content first: files are renamed more often than rewritten. */
static const mesh_format *find_format(const char *path, const uint8_t *bytes, size_t size) {
    lt_scanner scanner = lt_scanner_make(bytes, size, path, NULL);
    lt_scan_space(&scanner);
    for (size_t i = 0; i < LT_COUNT_OF(formats); i++) {
        size_t length = formats[i].mark ? strlen(formats[i].mark) : SIZE_MAX;
        if (length <= lt_scan_remaining(&scanner) && memcmp(scanner.at, formats[i].mark, length) == 0)
            return &formats[i];
    }
    for (size_t i = 0; i < LT_COUNT_OF(formats); i++)
        if (lt_path_ends_with(path, formats[i].extensions)) return &formats[i];
    return NULL;
}

lt_status lt_read_mesh_bytes(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                             const lt_allocator *allocator, lt_error *error) {
    *out = (lt_mesh_content){0};
    if (size == 0) return lt_fail(error, LT_STATUS_FORMAT, "%s: the file is empty", name);
    const mesh_format *format = find_format(name, bytes, size);
    if (format && format->read) return format->read(out, bytes, size, name, allocator, error);
    if (format)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: %s is not read by the library: %s", name,
                       format->name, readable);
    if (lt_path_ends_with(name, tetgen_extensions))
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "%s: half of a TetGen mesh: give .node and .ele (lt_mesh_file_from_tetgen)", name);
    return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: not a mesh format known here: %s", name, readable);
}

static lt_status read_single(lt_mesh_content *out, const char *path, const lt_allocator *allocator,
                             lt_error *error) {
    uint8_t *bytes;
    size_t size;
    lt_status status = lt_os_read_file(path, allocator, &bytes, &size, error);
    if (status != LT_OK) return status;
    status = lt_read_mesh_bytes(out, bytes, size, path, allocator, error);
    LT_DELETE(allocator, bytes, size, uint8_t);
    return status;
}

static lt_status read_tetgen_files(lt_mesh_content *out, char *path, size_t base_length,
                                   const lt_allocator *allocator, lt_error *error) {
    uint8_t *node_bytes = NULL, *ele_bytes = NULL;
    size_t node_size = 0, ele_size = 0;
    memcpy(path + base_length, ".node", sizeof ".node");
    lt_status status = lt_os_read_file(path, allocator, &node_bytes, &node_size, error);
    memcpy(path + base_length, ".ele", sizeof ".ele");
    if (status == LT_OK) status = lt_os_read_file(path, allocator, &ele_bytes, &ele_size, error);
    path[base_length] = 0;
    if (status == LT_OK)
        status = lt_read_tetgen(out, node_bytes, node_size, ele_bytes, ele_size, path, allocator, error);
    LT_DELETE(allocator, node_bytes, node_size, uint8_t);
    LT_DELETE(allocator, ele_bytes, ele_size, uint8_t);
    return status;
}

static lt_status read_tetgen_pair(lt_mesh_content *out, const char *path, const lt_allocator *allocator,
                                  lt_error *error) {
    size_t base_length = (size_t)(extension_of(path) - path);
    size_t room = base_length + sizeof ".node";
    char *other = LT_NEW(allocator, room, char);
    if (!other) return lt_read_no_memory(path, error);
    memcpy(other, path, base_length);
    lt_status status = read_tetgen_files(out, other, base_length, allocator, error);
    LT_DELETE(allocator, other, room, char);
    return status;
}

lt_status lt_read_mesh(lt_mesh_content *out, const char *path, const lt_allocator *allocator,
                       lt_error *error) {
    *out = (lt_mesh_content){0};
    if (lt_path_ends_with(path, tetgen_extensions)) return read_tetgen_pair(out, path, allocator, error);
    return read_single(out, path, allocator, error);
}
