/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is written reads back bit for bit. Files are written beside this program. */

#include "check.h"
#include "core/os.h"
#include "core/random.h"
#include "mesh/read_samples.h"
#include "mesh/write.h"

#include <locale.h>

typedef lt_status writer_function(const char *path, const lt_surface *surface, lt_error *error);

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
    lt_mesh_file file = {0};
    CHECK(write(path, &surface, &error) == LT_OK);
    CHECK(lt_read_mesh(&file, path, NULL, &error) == LT_OK);
    CHECK(same_bits(&surface, &file.surface));
    lt_mesh_file_free(&file);
    lt_surface_free(&surface);
    remove(path);
}

static void surfaces_read_back_bit_for_bit(void) {
    check_round_trip(lt_write_obj, ".obj");
    check_round_trip(lt_write_ply, ".ply");
}

static void obj_is_short_and_the_same_in_every_locale(void) {
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where it is installed */
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
    CHECK(lt_write_obj(path, &surface, NULL) == LT_OK);
    CHECK(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_OK);
    const char expected[] =
        "v 0 -1 0.1\nv 1.5 1e-7 1e20\nv -0 16777216 0.33333334\nv 100 0.001 123456.79\nf 1 2 3\n";
    CHECK_COUNT(size, strlen(expected));
    CHECK(size == strlen(expected) && memcmp(bytes, expected, size) == 0);
    if (check_failures) fprintf(stderr, "%.*s", (int)size, (const char *)bytes);
    lt_release(NULL, bytes, size, 1);
    lt_surface_free(&surface);
    remove(path);
    setlocale(LC_ALL, "C");
}

static void invalid_surfaces_are_not_written(void) {
    writer_function *writers[] = {lt_write_obj, lt_write_ply};
    for (int w = 0; w < 2; w++) {
        lt_surface surface;
        CHECK_FATAL(make_surface(&surface, 10, 10));
        surface.triangles[7] = 10;
        char path[600];
        path_of(path, ".invalid");
        lt_error error = {0};
        CHECK(writers[w](path, &surface, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "triangle 2: vertex index 10");
        uint8_t *bytes;
        size_t size;
        CHECK(lt_os_read_file(path, NULL, &bytes, &size, NULL) == LT_STATUS_NOT_FOUND);
        surface.triangles[7] = 0;
        path_of(path, "-no-such-folder/x");
        CHECK(writers[w](path, &surface, &error) != LT_OK);
        CHECK_CONTAINS(error.message, "-no-such-folder/x");
        lt_surface_free(&surface);
    }
}

static void failing_allocations_write_nothing(void) {
    writer_function *writers[] = {lt_write_obj, lt_write_ply};
    for (int w = 0; w < 2; w++) {
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
    RUN(obj_is_short_and_the_same_in_every_locale);
    RUN(invalid_surfaces_are_not_written);
    RUN(failing_allocations_write_nothing);
    return check_finish();
}
