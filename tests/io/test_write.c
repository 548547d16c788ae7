/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is written reads back bit for bit. Files are written beside this program. VTU has no reader here: its arrays are
 * looked up by the offsets in its XML, and tests/program/test_export.c has VTK read it. */

#include "check.h"
#include "core/os.h"
#include "core/random.h"
#include "io/read_samples.h"
#include "io/text_scanner.h"
#include "io/write.h"
#include "scenes/generate.h"

#include <locale.h>

typedef lt_status writer_function(const char *path, const lt_surface *surface, lt_error *error);

static lt_status write_obj(const char *path, const lt_surface *surface, lt_error *error) {
    return lt_write_obj(path, surface, NULL, error);
}
static lt_status write_stl_binary(const char *path, const lt_surface *surface, lt_error *error) {
    return lt_write_stl(path, surface, LT_MESH_BINARY, error);
}
static lt_status write_stl_text(const char *path, const lt_surface *surface, lt_error *error) {
    return lt_write_stl(path, surface, LT_MESH_TEXT, error);
}
static lt_status write_vtu(const char *path, const lt_surface *surface, lt_error *error) {
    lt_vtu_field field = {"place", &surface->positions[0].x, 3};
    lt_vtu_grid grid = {.points = surface->positions,
                        .corners = surface->triangles,
                        .point_count = surface->vertex_count,
                        .cell_count = surface->triangle_count,
                        .cell = LT_VTU_TRIANGLE,
                        .point_fields = &field,
                        .point_field_count = 1};
    return lt_write_vtu(path, &grid, &surface->allocator, error);
}

static writer_function *const writers[] = {write_obj, lt_write_ply, write_stl_binary, write_stl_text,
                                           write_vtu};

static const char *program;

static void path_of(char *path, const char *suffix) {
    snprintf(path, 600, "%s%s", program, suffix);
}

/* Random bits that are finite floats, between them the values that try a printer most. */
static float hard_float(lt_random *random) {
    static const float values[] = {0.0f,
                                   -0.0f,
                                   1.0f,
                                   -1.0f,
                                   0.1f,
                                   1e-45f,
                                   -1.1754942e-38f,
                                   1.17549435e-38f,
                                   3.4028235e38f,
                                   16777216.0f,
                                   8388607.5f,
                                   999999.94f,
                                   9.9999998e8f,
                                   1e9f,
                                   1e10f,
                                   123456.0f,
                                   1e-5f,
                                   9.9999997e-6f,
                                   0.00012f,
                                   4.7019774e-38f};
    uint32_t choice = lt_random_below(random, 60);
    if (choice < LT_COUNT_OF(values)) return values[choice];
    uint32_t bits = lt_random_u32(random);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value - value == 0 ? value : 0.5f;
}

static bool make_surface(lt_surface *surface, uint32_t vertex_count, uint32_t triangle_count) {
    if (lt_surface_allocate(surface, vertex_count, triangle_count, NULL, NULL) != LT_OK) return false;
    lt_random random = lt_random_seed(vertex_count);
    for (uint32_t i = 0; i < vertex_count; i++)
        surface->positions[i] = lt_v3_make(hard_float(&random), hard_float(&random), hard_float(&random));
    for (uint32_t i = 0; i < 3 * triangle_count; i++)
        surface->triangles[i] = lt_random_below(&random, vertex_count);
    return true;
}

static bool same_bits(const lt_surface *a, const lt_surface *b) {
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->positions, b->positions, a->vertex_count * sizeof(lt_vec3)) == 0 &&
           memcmp(a->triangles, b->triangles, 3 * a->triangle_count * sizeof(uint32_t)) == 0;
}

static void check_round_trip(writer_function *write, const char *suffix) {
    lt_surface surface;
    CHECK_FATAL(make_surface(&surface, 3000, 500));
    char path[600];
    path_of(path, suffix);
    lt_error error = {0};
    lt_mesh_content file = {0};
    CHECK(write(path, &surface, &error) == LT_OK);
    CHECK(lt_read_mesh(&file, path, NULL, &error) == LT_OK);
    CHECK(same_bits(&surface, &file.surface));
    lt_mesh_content_free(&file);
    lt_surface_free(&surface);
    remove(path);
}

static void surfaces_read_back_bit_for_bit(void) {
    check_round_trip(write_obj, ".obj");
    check_round_trip(lt_write_ply, ".ply");
}

/* ---- STL ---- */

/* STL keeps corners and no numbers: what reads back has the same corners. Zeros of either sign are one place. */
static void check_stl(lt_mesh_form form) {
    lt_surface surface;
    CHECK_FATAL(make_surface(&surface, 900, 700));
    for (uint32_t i = 0; i < surface.vertex_count; i++)
        surface.positions[i].x += 0.0f, surface.positions[i].y += 0.0f, surface.positions[i].z += 0.0f;
    char path[600];
    path_of(path, ".stl");
    lt_error error = {0};
    lt_mesh_content file = {0};
    CHECK(lt_write_stl(path, &surface, form, &error) == LT_OK);
    CHECK(lt_read_mesh(&file, path, NULL, &error) == LT_OK);
    CHECK_COUNT(file.surface.triangle_count, surface.triangle_count);
    for (uint32_t i = 0; i < 3 * lt_min_u32(file.surface.triangle_count, surface.triangle_count); i++)
        CHECK(memcmp(&file.surface.positions[file.surface.triangles[i]],
                     &surface.positions[surface.triangles[i]], sizeof(lt_vec3)) == 0);
    lt_mesh_content_free(&file);
    lt_surface_free(&surface);
    remove(path);
}

static void stl_reads_back_corner_by_corner(void) {
    check_stl(LT_MESH_BINARY);
    check_stl(LT_MESH_TEXT);
}

static void stl_has_unit_normals(void) {
    lt_surface surface;
    CHECK_FATAL(lt_surface_allocate(&surface, 4, 2, NULL, NULL) == LT_OK);
    surface.positions[1].x = 1e-30f;
    surface.positions[2].y = 3e30f;
    surface.positions[3].x = 1;
    surface.triangles[1] = 1, surface.triangles[2] = 2;
    surface.triangles[4] = 1, surface.triangles[5] = 3; /* flat */
    char path[600];
    path_of(path, ".normals.stl");
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK(lt_write_stl(path, &surface, LT_MESH_TEXT, NULL) == LT_OK);
    CHECK(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_OK);
    const char expected[] =
        "solid lithe\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e-30 0 0\n"
        "vertex 0 3e30 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\n"
        "vertex 0 0 0\nvertex 1e-30 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid lithe\n";
    CHECK(size == strlen(expected) && memcmp(bytes, expected, size) == 0);
    lt_release(NULL, bytes, size, 1);
    lt_surface_free(&surface);
    remove(path);
}

/* ---- Gmsh ---- */

static bool make_block(lt_tet_mesh *mesh) {
    const uint32_t cells[3] = {3, 2, 2};
    if (lt_generate_tet_block(mesh, (lt_dvec3){0.3, 0.2, 0.1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return false;
    for (uint32_t i = 0; i < mesh->node_count; i++) { /* numbers that need all digits, at a far place */
        mesh->positions[i].x = mesh->positions[i].x / 7 + 1e5;
        mesh->positions[i].y /= -3e-7;
    }
    lt_tet_mesh_orient(mesh);
    return true;
}

static void check_msh(lt_mesh_form form, const uint32_t *triangles, uint32_t triangle_count) {
    lt_tet_mesh mesh;
    CHECK_FATAL(make_block(&mesh));
    char path[600];
    path_of(path, ".msh");
    lt_error error = {0};
    lt_mesh_content file = {0};
    CHECK(lt_write_msh(path, &mesh, triangles, triangle_count, NULL, form, &error) == LT_OK);
    if (lt_read_mesh(&file, path, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_COUNT(file.tets.node_count, mesh.node_count);
    CHECK_COUNT(file.tets.tet_count, mesh.tet_count);
    CHECK_COUNT(file.turned_tet_count, 0);
    CHECK_COUNT(file.surface.triangle_count, triangle_count);
    if (file.tets.node_count == mesh.node_count && file.tets.tet_count == mesh.tet_count) {
        CHECK(memcmp(file.tets.positions, mesh.positions, mesh.node_count * sizeof(lt_dvec3)) == 0);
        CHECK(memcmp(file.tets.tets, mesh.tets, 4 * mesh.tet_count * sizeof(uint32_t)) == 0);
    }
    for (uint32_t i = 0; i < 3 * file.surface.triangle_count; i++) {
        lt_vec3 wanted = lt_v3_from_d3(mesh.positions[triangles[i]]);
        CHECK(memcmp(&file.surface.positions[file.surface.triangles[i]], &wanted, sizeof wanted) == 0);
    }
    lt_mesh_content_free(&file);
    lt_tet_mesh_free(&mesh);
    remove(path);
}

static void msh_reads_back_bit_for_bit(void) {
    const uint32_t triangles[] = {0, 1, 4, 7, 5, 2};
    for (int form = LT_MESH_BINARY; form <= LT_MESH_TEXT; form++) {
        check_msh((lt_mesh_form)form, triangles, 2);
        check_msh((lt_mesh_form)form, NULL, 0);
    }
}

static void bad_tets_are_not_written(void) {
    lt_tet_mesh mesh;
    CHECK_FATAL(make_block(&mesh));
    uint32_t triangle[3] = {0, 1, mesh.node_count};
    char path[600];
    path_of(path, ".bad.msh");
    lt_error error = {0};
    CHECK(lt_write_msh(path, &mesh, triangle, 1, NULL, LT_MESH_TEXT, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "triangle 0: node index");
    mesh.positions[2].y = 1e308 * 10;
    CHECK(lt_write_msh(path, &mesh, NULL, 0, NULL, LT_MESH_BINARY, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, ".bad.msh");
    mesh.positions[2].y = 0;
    uint32_t tet_count = mesh.tet_count;
    mesh.tet_count = 0;
    CHECK(lt_write_msh(path, &mesh, NULL, 0, NULL, LT_MESH_BINARY, &error) == LT_STATUS_INVALID);
    mesh.tet_count = tet_count;
    lt_tet_mesh_free(&mesh);
}

/* ---- VTU ---- */

/* The bytes of an array behind its size, which must be `size`; NULL when it is not there. */
static const uint8_t *vtu_array(const uint8_t *bytes, size_t file_size, const char *name, uint64_t size) {
    char key[100], text[4000];
    size_t length = file_size < sizeof text ? file_size : sizeof text - 1;
    memcpy(text, bytes, length);
    text[length] = 0;
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *data = strstr(text, "\n_"), *at = strstr(text, key);
    const char *offset = at ? strstr(at, "offset=\"") : NULL;
    if (!data || !offset) return NULL;
    size_t place = (size_t)(data + 2 - text) + (size_t)strtoull(offset + strlen("offset=\""), NULL, 10);
    if (place + 8 + size > file_size || lt_load_u64(bytes + place, false) != size) return NULL;
    return bytes + place + 8;
}

static void vtu_arrays_are_where_the_xml_says(void) {
    lt_vec3 points[8];
    for (uint32_t i = 0; i < 8; i++)
        points[i] = (lt_vec3){(float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2)};
    const uint32_t corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const float fill = 0.25f, heat[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    lt_vtu_field point_fields[] = {{"velocity", &points[0].x, 3}, {"heat", heat, 1}},
                 cell_field = {"fill", &fill, 1};
    lt_vtu_grid grid = {.points = points,
                        .corners = corners,
                        .point_count = 8,
                        .cell_count = 1,
                        .cell = LT_VTU_LATTICE_CELL,
                        .point_fields = point_fields,
                        .point_field_count = 2,
                        .cell_fields = &cell_field,
                        .cell_field_count = 1};
    char path[600];
    path_of(path, ".vtu");
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK(lt_write_vtu(path, &grid, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_OK);
    const uint8_t *array = vtu_array(bytes, size, "Points", 96);
    CHECK(array && lt_load_f32(array + 4 * 22, false) == 1.0f);
    CHECK(vtu_array(bytes, size, "velocity", 96) != NULL);
    array = vtu_array(bytes, size, "heat", 32);
    CHECK(array && lt_load_f32(array + 4 * 7, false) == 7.0f);
    array = vtu_array(bytes, size, "fill", 4);
    CHECK(array && lt_load_f32(array, false) == 0.25f);
    array = vtu_array(bytes, size, "connectivity", 32); /* around the lower face, then around the upper */
    CHECK(array && lt_load_u32(array + 8, false) == 3 && lt_load_u32(array + 12, false) == 2);
    array = vtu_array(bytes, size, "offsets", 4);
    CHECK(array && lt_load_u32(array, false) == 8);
    array = vtu_array(bytes, size, "types", 1);
    CHECK(array && *array == 12);
    lt_release(NULL, bytes, size, 1);
    remove(path);
}

static void obj_is_short(void) {
    lt_surface surface;
    CHECK_FATAL(lt_surface_allocate(&surface, 4, 1, NULL, NULL) == LT_OK);
    surface.positions[0] = lt_v3_make(0, -1, 0.1f);
    surface.positions[1] = lt_v3_make(1.5f, 1e-7f, 1e20f);
    surface.positions[2] = lt_v3_make(-0.0f, 16777216, 0.33333334f);
    surface.positions[3] = lt_v3_make(100, 0.001f, 123456.79f);
    for (uint32_t k = 0; k < 3; k++)
        surface.triangles[k] = k;
    char path[600];
    path_of(path, ".short.obj");
    uint8_t *bytes = NULL;
    size_t size = 0;
    CHECK(lt_write_obj(path, &surface, NULL, NULL) == LT_OK);
    CHECK(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_OK);
    const char expected[] =
        "v 0 -1 0.1\nv 1.5 1e-7 1e20\nv -0 16777216 0.33333334\nv 100 0.001 123456.79\nf 1 2 3\n";
    CHECK_COUNT(size, strlen(expected));
    CHECK(size == strlen(expected) && memcmp(bytes, expected, size) == 0);
    if (check_failures) fprintf(stderr, "%.*s", (int)size, (const char *)bytes);
    lt_release(NULL, bytes, size, 1);
    lt_surface_free(&surface);
    remove(path);
}

/* A locale that has a comma for the decimal point, if one is installed. */
static bool set_comma_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "German_Germany.1252"};
    for (size_t i = 0; i < LT_COUNT_OF(names); i++)
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',') return true;
    setlocale(LC_ALL, "C");
    return false;
}

/* Floats in OBJ; doubles in Gmsh, whose reader takes no comma. */
static void numbers_are_the_same_in_every_locale(void) {
    if (!set_comma_locale()) {
        check_skip("no locale with a decimal comma");
        return;
    }
    const uint32_t triangle[3] = {0, 1, 4};
    obj_is_short();
    check_msh(LT_MESH_TEXT, triangle, 1);
    setlocale(LC_ALL, "C");
}

static void invalid_surfaces_are_not_written(void) {
    for (size_t w = 0; w < LT_COUNT_OF(writers); w++) {
        lt_surface surface;
        CHECK_FATAL(make_surface(&surface, 10, 10));
        surface.triangles[7] = 10;
        char path[600];
        path_of(path, ".invalid");
        lt_error error = {0};
        CHECK(writers[w](path, &surface, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message,
                       writers[w] == write_vtu ? "cell 2: point index 10" : "triangle 2: vertex index 10");
        uint8_t *bytes;
        size_t size;
        CHECK(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_STATUS_NOT_FOUND);
        surface.triangles[7] = 0;
        path_of(path, "-no-such-folder/x");
        CHECK(writers[w](path, &surface, &error) != LT_OK);
        CHECK_CONTAINS(error.message, "-no-such-folder/x");
        FILE *full = fopen("/dev/full", "wb"); /* a disk without room, where there is one */
        if (full) {
            CHECK(writers[w]("/dev/full", &surface, &error) == LT_STATUS_IO);
            CHECK_CONTAINS(error.message, "/dev/full");
            fclose(full);
        }
        surface.positions[3].y = 1e38f * 1e38f;
        path_of(path, ".invalid");
        CHECK(writers[w](path, &surface, &error) == LT_STATUS_INVALID);
        surface.positions[3].y = 0;
        surface.triangle_count = 0;
        CHECK(writers[w](path, &surface, &error) == LT_STATUS_INVALID);
        surface.triangle_count = 10;
        lt_surface_free(&surface);
    }
}

static void failing_allocations_write_nothing(void) {
    for (size_t w = 0; w < LT_COUNT_OF(writers); w++) {
        lt_surface surface;
        CHECK_FATAL(make_surface(&surface, 50, 50));
        lt_allocator own = surface.allocator;
        char path[600];
        path_of(path, ".memory");
        lt_status status = LT_STATUS_MEMORY;
        for (uint64_t refused = 0; status == LT_STATUS_MEMORY && refused < 50; refused++) {
            counting_allocator counting = {.refused = refused};
            surface.allocator = counting_allocator_of(&counting);
            lt_error error = {0};
            status = writers[w](path, &surface, &error);
            CHECK_COUNT(error.status, status);
            CHECK_COUNT(counting.live, 0);
            if (refused == 0) CHECK_COUNT(status, LT_STATUS_MEMORY);
        }
        CHECK(status == LT_OK);
        surface.allocator = own;
        lt_surface_free(&surface);
        remove(path);
    }
}

int main(int argument_count, char **arguments) {
    program = argument_count > 0 ? arguments[0] : "write";
    RUN(surfaces_read_back_bit_for_bit);
    RUN(stl_reads_back_corner_by_corner);
    RUN(stl_has_unit_normals);
    RUN(msh_reads_back_bit_for_bit);
    RUN(bad_tets_are_not_written);
    RUN(vtu_arrays_are_where_the_xml_says);
    RUN(obj_is_short);
    RUN(numbers_are_the_same_in_every_locale);
    RUN(invalid_surfaces_are_not_written);
    RUN(failing_allocations_write_nothing);
    return check_finish();
}
