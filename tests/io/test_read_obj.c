/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/random.h"
#include "io/read_refusals.h"

static void broken_files_are_refused_with_their_line(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_INVALID, "sample: no faces: 0 vertices"},
        {"v 0 0 0\nv 1 0 0\n", LT_STATUS_INVALID, "sample: no faces: 2 vertices"},
        {"v 0 0\n", LT_STATUS_FORMAT,
         "sample:1: expected three coordinates of a vertex, found the end of the line"},
        {"\n\nv 0 0 x\n", LT_STATUS_FORMAT, "sample:3: expected three coordinates of a vertex, found \"x\""},
        {"v 0 0 nan\n", LT_STATUS_INVALID, "sample:1: a coordinate is not a finite float"},
        {"v 0 inf 0\n", LT_STATUS_INVALID, "sample:1: a coordinate is not a finite float"},
        {"v 0 1e39 0\n", LT_STATUS_INVALID, "sample:1: a coordinate is not a finite float"},
        {"v 0 0 0\nf 1 1 0\n", LT_STATUS_INVALID, "sample:2: vertex 0"},
        {"v 0 0 0\nf 1 1 -2\n", LT_STATUS_INVALID, "sample:2: vertex -2, but only 1 come before"},
        {"v 0 0 0\nf 1 1 3\nf 1 1 2\nv 0 0 0", LT_STATUS_INVALID,
         "sample:2: vertex 3, but the file has only 2"},
        {"v 0 0 0\nf 1 1 4294967296\n", LT_STATUS_INVALID, "sample:2: vertex 4294967296 is beyond 32 bits"},
        {"v 0 0 0\nf 1 1 99999999999999999999\n", LT_STATUS_FORMAT, "sample:2: expected the vertex number"},
        {"v 0 0 0\nf 1 1\n", LT_STATUS_FORMAT, "sample:2: a face needs three corners and has 2"},
        {"v 0 0 0\nf 1 \\\n1 \\\n1x\n", LT_STATUS_FORMAT,
         "sample:4: expected the vertex number of a face, found \"1x\""},
        {"v 0 0 0\nf 1 1 1/1/b\n", LT_STATUS_FORMAT,
         "sample:2: expected the vertex number of a face, found \"1/1/b\""},
        {"\xFF\xFEv", LT_STATUS_FORMAT, "sample: UTF-16 text"}};
    check_refusals(SAMPLE_OBJ, rows, LT_COUNT_OF(rows));
}

static void faces_may_come_before_their_vertices(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_OBJ, "f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0", NULL) ==
                LT_OK);
    CHECK_COUNT(file.surface.triangle_count, 2);
    CHECK_NEAR(lt_surface_area(&file.surface), 1, 0);
    lt_mesh_content_free(&file);
}

static lt_vec3 normal_of(const lt_surface *surface, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(surface, triangle);
    lt_vec3 a = surface->positions[t[0]];
    return lt_v3_cross(lt_v3_sub(surface->positions[t[1]], a), lt_v3_sub(surface->positions[t[2]], a));
}

/* An arrowhead whose notch is at each corner in turn, facing both ways along each axis: a fan from the
 * wrong corner would fold over. */
static void check_arrowhead(int first, int axis, bool reversed) {
    static const float points[4][2] = {{0, 0}, {4, -3}, {1, 0}, {4, 3}}; /* area 3; the notch is (1 0) */
    char text[200];
    int length = 0;
    for (int i = 0; i < 4; i++) {
        const float *p = points[(i + first) % 4];
        float x[3] = {5, 5, 5};
        x[(axis + 1) % 3] = p[0];
        x[(axis + 2) % 3] = p[1];
        length += sprintf(text + length, "v %g %g %g\n", (double)x[0], (double)x[1], (double)x[2]);
    }
    sprintf(text + length, reversed ? "f 1 4 3 2\n" : "f 1 2 3 4\n");
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_OBJ, text, NULL) == LT_OK);
    CHECK_COUNT(file.surface.triangle_count, 2);
    CHECK_NEAR(lt_surface_area(&file.surface), 3, 1e-6);
    for (uint32_t i = 0; i < 2; i++)
        CHECK((lt_v3_get(normal_of(&file.surface, i), axis) < 0) == reversed);
    lt_mesh_content_free(&file);
}

static void concave_polygons_do_not_fold(void) {
    for (int first = 0; first < 4; first++)
        for (int axis = 0; axis < 3; axis++) {
            check_arrowhead(first, axis, false);
            check_arrowhead(first, axis, true);
        }
}

/* Stars of random radii: simple polygons, so a sound cut covers exactly their area, all one way round. The
 * directions are rational points of the circle, ((1-t²), 2t)/(1+t²), in order of angle. */
static void random_stars_keep_their_area(void) {
    lt_random random = lt_random_seed(4);
    for (int round = 0; round < 200; round++) {
        uint32_t half = 2 + lt_random_below(&random, 40), count = 2 * half;
        static char text[8000];
        double x[100], y[100], area = 0;
        int length = 0;
        for (uint32_t i = 0; i < count; i++) {
            double t = -1 + 2.0 * (double)(i % half) / half,
                   radius = 0.2 + 0.8 * (double)lt_random_unit(&random);
            double side = i < half ? 1 : -1;
            x[i] = (double)(float)(side * radius * (1 - t * t) / (1 + t * t));
            y[i] = (double)(float)(side * radius * 2 * t / (1 + t * t));
            length += sprintf(text + length, "v %.9g %.9g 1\n", x[i], y[i]);
        }
        text[length++] = 'f';
        for (uint32_t i = 0; i < count; i++) {
            area += 0.5 * (x[i] * y[(i + 1) % count] - x[(i + 1) % count] * y[i]);
            length += sprintf(text + length, " %u", i + 1);
        }
        lt_mesh_content file;
        CHECK_FATAL(sample_read_text(&file, SAMPLE_OBJ, text, NULL) == LT_OK);
        CHECK_COUNT(file.surface.triangle_count, count - 2);
        CHECK_NEAR(lt_surface_area(&file.surface), area, 1e-6);
        for (uint32_t i = 0; i < count - 2; i++)
            CHECK(normal_of(&file.surface, i).z > -1e-7f);
        lt_mesh_content_free(&file);
    }
}

static void long_polygons_become_fans(void) {
    static char text[40000];
    for (uint32_t count = LT_POLYGON_CORNERS - 1; count <= LT_POLYGON_CORNERS + 3; count++) {
        int length = 0;
        for (uint32_t i = 0; i < count; i++) /* on a parabola: convex */
            length += sprintf(text + length, "v %u %u 0\n", i, i * i);
        text[length++] = 'f';
        for (uint32_t i = 0; i < count; i++)
            length += sprintf(text + length, " %u", i + 1);
        lt_mesh_content file;
        CHECK_FATAL(sample_read_text(&file, SAMPLE_OBJ, text, NULL) == LT_OK);
        CHECK_COUNT(file.surface.triangle_count, count - 2);
        for (uint32_t i = 0; i < count - 2; i++) {
            const uint32_t *t = lt_triangle_at(&file.surface, i);
            CHECK(t[0] == 0 && t[1] == i + 1 && t[2] == i + 2);
        }
        lt_mesh_content_free(&file);
    }
}

/* Crossing itself, all on a line, all in one place: nothing sensible to expect but the count. */
static void polygons_without_a_sound_cut_are_fanned(void) {
    static const char *const texts[] = {"v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4",
                                        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3 4",
                                        "v 1 1 1\nf 1 1 1 1"};
    for (size_t i = 0; i < LT_COUNT_OF(texts); i++) {
        lt_mesh_content file;
        CHECK_FATAL(sample_read_text(&file, SAMPLE_OBJ, texts[i], NULL) == LT_OK);
        CHECK_COUNT(file.surface.triangle_count, 2);
        lt_mesh_content_free(&file);
    }
}

int main(void) {
    RUN(broken_files_are_refused_with_their_line);
    RUN(faces_may_come_before_their_vertices);
    RUN(concave_polygons_do_not_fold);
    RUN(random_stars_keep_their_area);
    RUN(long_polygons_become_fans);
    RUN(polygons_without_a_sound_cut_are_fanned);
    return check_finish();
}
