/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Files that broke other importers (assimp's tests), from $LITHE_TRUTH/malformed: each is read as what it
 * seems to be and by every reader in turn. A clear error or a valid mesh, never a crash, and never more
 * memory than LT_READ_MEMORY_FACTOR times the file. What can be read is baked: again an error or a shape. Skipped where the folder is absent.
 *
 * labels: data */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "body/body.h"
#include "check.h"
#include "core/os.h"
#include "embed/embed.h"
#include "io/read_samples.h"
#include "lithe/bake.h"

#include <dirent.h>

enum { DEEPEST = 8, BAKED_TRIANGLES = 2000 };

static uint32_t file_count, wrong_count, valid_count, baked_count;

static const char *truth_folder(void) {
    const char *folder = getenv("LITHE_TRUTH");
    return folder && folder[0] ? folder : "../shared/truth";
}

static void report_wrong(const char *path, const char *wrong) {
    CHECK(wrong == NULL);
    if (!wrong) return;
    wrong_count++;
    fprintf(stderr, "%s: %s\n", path, wrong);
}

/* A surface that could be read is baked: a shape that loads as one, or a reason that names the file. */
static const char *bake_wrong(const lt_mesh_content *file, const char *path) {
    const lt_surface *surface = &file->surface;
    if (surface->triangle_count == 0 || surface->triangle_count > BAKED_TRIANGLES) return NULL;
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.name = path;
    def.positions = &surface->positions[0].x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.target_tets = 30;
    def.rounds = 1;
    def.distance_resolution = 3;
    lt_shape *shape;
    lt_error error = {0};
    lt_carrier carrier;
    lt_skin skin;
    const char *wrong = NULL;
    lt_status status = lt_bake_surface(&def, &shape, NULL, &error);
    if (status == LT_OK && (lt_carrier_read_finest(&carrier, shape, NULL) != LT_OK ||
                            lt_skin_read(&skin, shape, &carrier, NULL) != LT_OK))
        wrong = "a shape that cannot be used";
    if (status != LT_OK && (shape || !strstr(error.message, path)))
        wrong = "a bake that fails without naming the file";
    baked_count += status == LT_OK;
    lt_shape_release(shape);
    return wrong;
}

static void check_as_file(const char *path, size_t size) {
    counting_allocator counting = {.refused = UINT64_MAX};
    lt_allocator allocator = counting_allocator_of(&counting);
    lt_mesh_content file;
    lt_error error = {0};
    lt_status status = lt_read_mesh(&file, path, &allocator, &error);
    const char *wrong = sample_judge(&file, status, &error);
    if (!wrong && status != LT_OK && !strstr(error.message, path))
        wrong = "a message that does not name the file";
    if (!wrong && status == LT_OK) wrong = bake_wrong(&file, path);
    lt_mesh_content_free(&file);
    if (!wrong && counting.peak > LT_READ_MEMORY_FACTOR * size + LT_READ_MEMORY_BASE)
        wrong = "too much memory";
    if (!wrong && counting.live != 0) wrong = "a leak";
    report_wrong(path, wrong);
    file_count++;
    valid_count += status == LT_OK;
}

static void check_file(const char *path) {
    uint8_t *bytes;
    size_t size;
    if (lt_os_read_file(path, NULL, &bytes, &size, NULL) != LT_OK) {
        report_wrong(path, "cannot be opened");
        return;
    }
    check_as_file(path, size);
    for (sample_format format = 0; format < SAMPLE_FORMAT_COUNT; format++) {
        lt_status status;
        report_wrong(path, sample_try(format, bytes, size, &status));
    }
    lt_release(NULL, bytes, size, 1);
}

static void check_folder(const char *folder, int depth) {
    DIR *directory = opendir(folder);
    if (!directory) { /* not a folder */
        check_file(folder);
        return;
    }
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[1000];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && length < (int)sizeof path && depth < DEEPEST)
            check_folder(path, depth + 1);
    }
    closedir(directory);
}

static void malformed_files_do_no_harm(void) {
    char folder[800];
    snprintf(folder, sizeof folder, "%s/malformed", truth_folder());
    DIR *directory = opendir(folder);
    if (!directory) {
        check_skip(folder);
        return;
    }
    closedir(directory);
    check_folder(folder, 0);
    printf("%s: %u files read, %u wrong, %u of them valid meshes, %u baked\n", folder, file_count,
           wrong_count, valid_count, baked_count);
    CHECK(file_count > 0);
}

/* Among them are sound files that are only unusual: those must be read, and right. */
static void unusual_files_are_read(void) {
    static const struct {
        const char *path;
        uint32_t vertex_count, triangle_count;
        double volume; /* of a closed surface; 0: not closed, or not known */
    } rows[] = {{"OBJ/box.obj", 8, 12, 1},
                {"OBJ/box_without_lineending.obj", 8, 12, 1},
                {"OBJ/cube_with_vertexcolors.obj", 8, 12, 0},
                {"OBJ/concave_polygon.obj", 64, 64, 0},
                {"OBJ/multiple_spaces.obj", 4, 1, 0},
                {"OFF/Cube.off", 8, 12, 1},
                {"STL/triangle.stl", 3, 1, 0},
                {"STL/triangle_with_empty_solid.stl", 3, 1, 0},
                {"STL/triangle_with_two_solids.stl", 6, 2, 0},
                {"STL/formatDetection", 3, 1, 0},
                {"PLY/cube.ply", 8, 12, 1},
                {"PLY/cube_binary.ply", 8, 12, 0},
                {"PLY/cube_binary_header_with_RN_newline.ply", 8, 12, 0},
                {"PLY/cube_binary_starts_with_nl.ply", 8, 12, 0},
                {"PLY/cube_uv.ply", 24, 12, 0}};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/malformed/assimp/%s", truth_folder(), rows[i].path);
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = lt_read_mesh(&file, path, NULL, &error);
        if (status == LT_STATUS_NOT_FOUND) {
            check_skip(path);
            continue;
        }
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
        CHECK_COUNT(file.surface.vertex_count, rows[i].vertex_count);
        CHECK_COUNT(file.surface.triangle_count, rows[i].triangle_count);
        if (rows[i].volume > 0) CHECK_NEAR(fabs(lt_surface_volume(&file.surface)), rows[i].volume, 1e-6);
        lt_mesh_content_free(&file);
    }
}

int main(void) {
    RUN(malformed_files_do_no_harm);
    RUN(unusual_files_are_read);
    return check_finish();
}
