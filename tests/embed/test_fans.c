/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The triangles around every point of a surface: every corner of every triangle is in the fan of its point once, in the
 * order of the triangles. */

#include "check.h"

#include "bake/icosahedral.h"
#include "embed/soft_fixture.h"

static void check_fans(const lt_skin *skin) {
    uint32_t wrong = 0, corners = 0;
    CHECK_COUNT(skin->fan_begin[0], 0);
    CHECK_COUNT(skin->fan_begin[skin->point_count], 3 * skin->triangle_count);
    for (uint32_t point = 0; point < skin->point_count; point++) {
        uint32_t at = skin->fan_begin[point];
        for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i++) { /* ascending */
            if (skin->triangles[i] != point) continue;
            corners++;
            wrong += at >= skin->fan_begin[point + 1] || skin->fans[at] != i / 3;
            at++;
        }
        wrong += at != skin->fan_begin[point + 1];
    }
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(corners, 3 * skin->triangle_count);
}

static void fans_of_generated_bodies(void) {
    for (uint32_t kind = 0; kind < 6; kind++) {
        lt_tet_mesh mesh;
        soft_fixture f;
        const uint32_t cells[3] = {1 + kind, 2, 3};
        lt_status status = kind % 3 == 0   ? lt_generate_tet_ball(&mesh, 1, 1 + kind, NULL, NULL)
                           : kind % 3 == 1 ? lt_generate_tet_torus(&mesh, 1, 0.3, 12, NULL, NULL)
                                           : lt_generate_tet_block(&mesh, (lt_dvec3){1, 2, 3}, cells,
                                                                   LT_TET_SPLIT_FIVE, NULL, NULL);
        CHECK_FATAL(status == LT_OK);
        CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.rigid_links = kind >= 3, .resolution = 4}));
        check_fans(&f.skin);
        fixture_free(&f);
        lt_tet_mesh_free(&mesh);
    }
}

/* Open, with a point in no triangle, one triangle twice, and points in any order. */
static void fans_of_an_untidy_surface(void) {
    lt_vec3 positions[6] = {{0.1f, 0.1f, 0.1f}, {0.9f, 0.1f, 0.1f}, {0.5f, 0.5f, 0.5f},
                            {0.1f, 0.9f, 0.1f}, {0.1f, 0.1f, 0.9f}, {0.9f, 0.9f, 0.9f}};
    uint32_t triangles[] = {4, 0, 1, 3, 1, 0, 0, 4, 3, 3, 1, 0, 5, 3, 4};
    lt_surface surface = {
        .positions = positions, .triangles = triangles, .vertex_count = 6, .triangle_count = 5};
    lt_tet_mesh mesh;
    soft_fixture f;
    const uint32_t cells[3] = {1, 1, 1};
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_SIX, NULL, NULL) ==
                LT_OK);
    CHECK_FATAL(fixture_make(&f, &mesh, (fixture_options){.surface = &surface, .resolution = 4}));
    check_fans(&f.skin);
    fixture_free(&f);
    lt_tet_mesh_free(&mesh);
}

int main(void) {
    RUN(fans_of_generated_bodies);
    RUN(fans_of_an_untidy_surface);
    return check_finish();
}
