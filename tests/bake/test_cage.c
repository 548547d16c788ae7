/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/cage.h"
#include "check.h"
#include "core/random.h"
#include "mesh/generate.h"

static bool is_in_tet(const lt_tet_mesh *mesh, uint32_t t, lt_dvec3 p, double slack) {
    lt_dvec3 c[4];
    for (int i = 0; i < 4; i++)
        c[i] = mesh->positions[lt_tet_at(mesh, t)[i]];
    double whole = lt_tet_volume(c[0], c[1], c[2], c[3]);
    for (int i = 0; i < 4; i++) {
        lt_dvec3 kept = c[i];
        c[i] = p;
        double part = lt_tet_volume(c[0], c[1], c[2], c[3]);
        c[i] = kept;
        if (part < -slack * whole) return false;
    }
    return true;
}

static bool is_in_cage(const lt_tet_mesh *mesh, lt_dvec3 p) {
    for (uint32_t t = 0; t < mesh->tet_count; t++)
        if (is_in_tet(mesh, t, p, 1e-6)) return true;
    return false;
}

/* Vertices, and random points of the triangles between them. */
static uint32_t count_outside(const lt_surface *surface, const lt_tet_mesh *cage) {
    lt_random random = lt_random_seed(1);
    uint32_t outside = 0;
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        const uint32_t *corners = lt_triangle_at(surface, t);
        lt_dvec3 a = lt_d3_from_v3(surface->positions[corners[0]]);
        lt_dvec3 b = lt_d3_from_v3(surface->positions[corners[1]]);
        lt_dvec3 c = lt_d3_from_v3(surface->positions[corners[2]]);
        double u = lt_random_unit(&random), v = (1.0 - u) * lt_random_unit(&random);
        lt_dvec3 p = lt_d3_mad(lt_d3_mad(a, lt_d3_sub(b, a), u), lt_d3_sub(c, a), v);
        outside += !is_in_cage(cage, a) + !is_in_cage(cage, p);
    }
    return outside;
}

static void check_surface(lt_surface *surface, uint32_t cells, double fattest) {
    lt_tet_mesh cage;
    lt_error error = {0};
    CHECK(lt_cage(surface, cells, &cage, NULL, &error) == LT_OK);
    CHECK(lt_tet_mesh_check(&cage, "cage", &error) == LT_OK);
    CHECK_COUNT(count_outside(surface, &cage), 0);
    double ratio = lt_tet_mesh_volume(&cage) / lt_surface_volume(surface);
    CHECK(ratio >= 1.0 && ratio < fattest);
    lt_tet_mesh_free(&cage);
    lt_surface_free(surface);
}

static void figures_lie_in_their_cages(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_bear(&surface, 800, NULL, NULL) == LT_OK);
    check_surface(&surface, 7, 4.0);
    CHECK_FATAL(lt_generate_letter(&surface, 'E', 600, NULL, NULL) == LT_OK);
    check_surface(&surface, 9, 6.0);
    CHECK_FATAL(lt_generate_torus(&surface, 1.0, 0.3, 24, NULL, NULL) == LT_OK);
    check_surface(&surface, 8, 4.0);
    CHECK_FATAL(lt_generate_icosphere(&surface, 0.01, 2, NULL, NULL) == LT_OK);
    check_surface(&surface, 1, 2.1); /* a cube around a ball: 6 / pi, and a little for the flat triangles */
}

/* A cube of side 2 in a lattice of 5: cells of side 0.40004, five along each axis, all of them kept. */
static void cube_keeps_every_cell_of_its_box(void) {
    lt_surface box;
    lt_tet_mesh cage;
    const uint32_t divisions[3] = {1, 1, 1};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){1, 1, 1}, divisions, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_cage(&box, 5, &cage, NULL, NULL) == LT_OK);
    CHECK_COUNT(cage.tet_count, 5 * 5 * 5 * 5);
    CHECK_COUNT(cage.node_count, 6 * 6 * 6);
    CHECK_NEAR(lt_tet_mesh_volume(&cage), 8.0 * 1.0001 * 1.0001 * 1.0001, 1e-6);
    lt_tet_mesh_free(&cage);
    lt_surface_free(&box);
}

/* A hollow: the inner wall is turned inside out, yet the flood never gets there, so the hollow is filled. */
static void inside_is_filled(void) {
    lt_surface ball;
    lt_tet_mesh cage;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 3, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_cage(&ball, 12, &cage, NULL, NULL) == LT_OK);
    CHECK(is_in_cage(&cage, lt_d3_make(0, 0, 0)));
    CHECK(is_in_cage(&cage, lt_d3_make(0.3, -0.4, 0.5)));
    CHECK(!is_in_cage(&cage, lt_d3_make(0.9, 0.9, 0.9)));
    lt_tet_mesh_free(&cage);
    lt_surface_free(&ball);
}

static void bad_input_is_refused(void) {
    lt_surface ball;
    lt_tet_mesh cage;
    lt_error error;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 1, NULL, NULL) == LT_OK);
    CHECK(lt_cage(&ball, 0, &cage, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "1 to 256");
    CHECK(lt_cage(&ball, 257, &cage, NULL, &error) == LT_STATUS_INVALID);
    CHECK(cage.positions == NULL && cage.tet_count == 0);
    ball.positions[3].y = NAN;
    CHECK(lt_cage(&ball, 4, &cage, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "vertex 3");
    lt_surface_free(&ball);
}

int main(void) {
    RUN(figures_lie_in_their_cages);
    RUN(cube_keeps_every_cell_of_its_box);
    RUN(inside_is_filled);
    RUN(bad_input_is_refused);
    return check_finish();
}
