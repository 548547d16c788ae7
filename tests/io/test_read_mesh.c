/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* lt_read_mesh: which reader a path gets. Files are written beside this program. */

#include "check.h"
#include "core/os.h"
#include "io/read_samples.h"

static const char *program;

static void path_of(char *path, const char *suffix) {
    snprintf(path, 600, "%s%s", program, suffix);
}

static lt_status read_as(lt_mesh_content *file, const char *suffix, const void *bytes, size_t size,
                         lt_error *error) {
    char path[600];
    path_of(path, suffix);
    if (lt_os_write_file(path, bytes, size, error) != LT_OK) abort();
    lt_status status = lt_read_mesh(file, path, NULL, error);
    remove(path);
    return status;
}

static void samples_are_told_by_content_or_extension(void) {
    static const struct {
        uint32_t sample;
        const char *suffix;
    } rows[] = {{0, ".obj"},   {1, ".OBJ"},   {2, ".ply"},   {3, ".what"},  {4, "-none"}, {5, ".msh"},
                {9, ".stl"},   {10, ".msh4"}, {13, ".off"},  {13, ".what"}, {14, ".Off"}, {15, "-none"},
                {16, "-none"}, {16, ".obj"},  {17, ".mesh"}, {18, "-none"}, {19, ".vtk"}, {24, ".what"}};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        sample s;
        CHECK_FATAL(sample_make(&s, rows[i].sample));
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = read_as(&file, rows[i].suffix, s.bytes, s.size, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", s.name, error.message);
        CHECK(sample_judge(&file, status, &error) == NULL);
        lt_mesh_content_free(&file);
    }
}

static void known_formats_that_are_not_read_say_so(void) {
    static const struct {
        const char *suffix, *text, *message;
    } rows[] = {
        {".what", "<VTKFile type=", "VTK's XML is not read by the library: OBJ, PLY, OFF, STL, VTK, Medit"},
        {".glb", "glTF", "glTF is not read by the library"},
        {".what", "hello", "not a mesh format known here: OBJ, PLY"},
        {"-none", " ", "not a mesh format known here"}};
    for (size_t i = 0; i < LT_COUNT_OF(rows); i++) {
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = read_as(&file, rows[i].suffix, rows[i].text, strlen(rows[i].text), &error);
        CHECK_COUNT(status, LT_STATUS_UNSUPPORTED);
        CHECK_CONTAINS(error.message, rows[i].message);
        CHECK(sample_judge(&file, status, &error) == NULL);
    }
}

static void empty_files_are_said_to_be_empty(void) {
    lt_mesh_content file;
    lt_error error = {0};
    CHECK(read_as(&file, ".obj", "", 0, &error) == LT_STATUS_FORMAT);
    CHECK_CONTAINS(error.message, ".obj: the file is empty");
    CHECK(sample_judge(&file, LT_STATUS_FORMAT, &error) == NULL);
}

static void missing_files_are_named(void) {
    char path[600];
    lt_mesh_content file;
    lt_error error = {0};
    path_of(path, "-missing.obj");
    CHECK(lt_read_mesh(&file, path, NULL, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "-missing.obj");
    path_of(path, "-missing.ele");
    CHECK(lt_read_mesh(&file, path, NULL, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "-missing.node");
    CHECK(sample_judge(&file, LT_STATUS_NOT_FOUND, &error) == NULL);
}

/* Reads the pair under failing allocations too: the path and both files are allocated here. */
static void check_pair(const char *path) {
    lt_status status = LT_STATUS_MEMORY;
    for (uint64_t refused = 0; status == LT_STATUS_MEMORY && refused < 50; refused++) {
        counting_allocator counting = {.refused = refused};
        lt_allocator allocator = counting_allocator_of(&counting);
        lt_mesh_content file;
        lt_error error = {0};
        status = lt_read_mesh(&file, path, &allocator, &error);
        CHECK(sample_judge(&file, status, &error) == NULL);
        if (status == LT_OK) CHECK_COUNT(file.tets.tet_count, 2);
        lt_mesh_content_free(&file);
        CHECK_COUNT(counting.live, 0);
    }
    CHECK(status == LT_OK);
}

static void either_tetgen_file_reads_both(void) {
    sample s;
    CHECK_FATAL(sample_make(&s, 11));
    size_t node_size = (size_t)((uint8_t *)memchr(s.bytes, '|', s.size) - s.bytes);
    char node[600], ele[600];
    path_of(node, ".pair.node");
    path_of(ele, ".pair.ele");
    CHECK_FATAL(lt_os_write_file(node, s.bytes, node_size, NULL) == LT_OK);
    CHECK_FATAL(lt_os_write_file(ele, s.bytes + node_size + 1, s.size - node_size - 1, NULL) == LT_OK);
    check_pair(node);
    check_pair(ele);
    CHECK_FATAL(lt_os_write_file(ele, "1 4 0\n0 0 1 2 9   ", 17, NULL) == LT_OK);
    lt_mesh_content file;
    lt_error error = {0};
    CHECK(lt_read_mesh(&file, node, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, ".pair.ele:2: tet 0: node 9");
    remove(node);
    remove(ele);
}

int main(int argument_count, char **arguments) {
    program = argument_count > 0 ? arguments[0] : "read_mesh";
    RUN(samples_are_told_by_content_or_extension);
    RUN(known_formats_that_are_not_read_say_so);
    RUN(empty_files_are_said_to_be_empty);
    RUN(missing_files_are_named);
    RUN(either_tetgen_file_reads_both);
    return check_finish();
}
