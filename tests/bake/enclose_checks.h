/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Checks of an enclosure that share nothing with how it was made: areas of triangles cut by tets, in plain
 * floating point, and sums over fill. */

#ifndef LITHE_TESTS_BAKE_ENCLOSE_CHECKS_H
#define LITHE_TESTS_BAKE_ENCLOSE_CHECKS_H

#include "bake/adjacency.h"
#include "bake/enclose.h"
#include "check.h"
#include "mesh/closest.h"

/* The area of the part of the triangle that lies in the tet (Sutherland and Hodgman, 1974). */
static inline double area_in_tet(const lt_dvec3 triangle[3], const lt_dvec3 tet[4]) {
    lt_dvec3 points[2][12] = {{triangle[0], triangle[1], triangle[2]}};
    int count = 3, now = 0;
    for (int k = 0; k < 4; k++) {
        const uint8_t *f = lt_tet_face_corners[k];
        lt_dvec3 o = tet[f[0]];
        lt_dvec3 n = lt_d3_cross(lt_d3_sub(tet[f[1]], o), lt_d3_sub(tet[f[2]], o));
        int cut = 0;
        for (int i = 0; i < count; i++) {
            lt_dvec3 a = points[now][i], b = points[now][(i + 1) % count];
            double da = lt_d3_dot(n, lt_d3_sub(a, o)), db = lt_d3_dot(n, lt_d3_sub(b, o));
            if (da <= 0) points[1 - now][cut++] = a;
            if ((da < 0) != (db < 0)) points[1 - now][cut++] = lt_d3_mad(a, lt_d3_sub(b, a), da / (da - db));
        }
        count = cut;
        now = 1 - now;
    }
    lt_dvec3 sum = {0, 0, 0};
    for (int i = 2; i < count; i++)
        sum = lt_d3_add(sum, lt_d3_cross(lt_d3_sub(points[now][i - 1], points[now][0]),
                                         lt_d3_sub(points[now][i], points[now][0])));
    return 0.5 * lt_d3_length(sum);
}

/* Triangles of which less than all lies in the tets of the mesh, all tets tried. */
static inline uint32_t count_triangles_outside(const lt_surface *surface, const lt_tet_mesh *mesh) {
    uint32_t outside = 0;
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        lt_dvec3 triangle[3], tet[4];
        lt_triangle_corners(surface, t, triangle);
        double area = 0.5 * lt_d3_length(lt_d3_cross(lt_d3_sub(triangle[1], triangle[0]),
                                                     lt_d3_sub(triangle[2], triangle[0])));
        double covered = 0;
        for (uint32_t i = 0; i < mesh->tet_count; i++) {
            lt_box box = lt_box_empty(), around = lt_box_empty();
            for (int k = 0; k < 4; k++) {
                tet[k] = mesh->positions[lt_tet_at(mesh, i)[k]];
                box = lt_box_add_point(box, lt_v3_from_d3(tet[k]));
            }
            for (int k = 0; k < 3; k++)
                around = lt_box_add_point(around, lt_v3_from_d3(triangle[k]));
            if (lt_box_overlap(lt_box_inflate(box, 1e-5f), around)) covered += area_in_tet(triangle, tet);
        }
        outside += !(covered >= area * (1.0 - 1e-7) - 1e-14);
    }
    return outside;
}

static inline double enclosure_mass(const lt_enclosure *e) {
    double sum = 0;
    for (uint32_t t = 0; t < e->mesh.tet_count; t++) {
        const uint32_t *c = lt_tet_at(&e->mesh, t);
        const lt_dvec3 *x = e->mesh.positions;
        sum += (double)e->fill[t] * lt_tet_volume(x[c[0]], x[c[1]], x[c[2]], x[c[3]]);
    }
    return sum;
}

/* In degrees. */
static inline double least_dihedral(const lt_tet_mesh *mesh) {
    lt_tet_adjacency adjacency;
    if (lt_tet_adjacency_build(&adjacency, mesh, NULL, NULL) != LT_OK) return 0;
    double least = lt_tet_mesh_measure(mesh, &adjacency).smallest_dihedral;
    lt_tet_adjacency_free(&adjacency);
    return least * (180.0 / 3.14159265358979);
}

/* All that must hold of every enclosure. */
static inline void check_enclosure(const lt_surface *surface, const lt_enclosure *e, double min_dihedral) {
    lt_error error = {0};
    CHECK(lt_tet_mesh_check(&e->mesh, "enclosure", &error) == LT_OK);
    CHECK(lt_enclosure_verify(surface, e, NULL, &error) == LT_OK);
    CHECK_COUNT(count_triangles_outside(surface, &e->mesh), 0);
    CHECK(least_dihedral(&e->mesh) >= min_dihedral * 0.999);
    for (uint32_t t = 0; t < e->mesh.tet_count; t++)
        if (!(e->fill[t] > 0.0f && e->fill[t] <= 1.0f)) {
            CHECK(e->fill[t] > 0.0f && e->fill[t] <= 1.0f);
            break;
        }
    if (!e->is_sheet) CHECK_NEAR(enclosure_mass(e) / e->solid_volume, 1.0, 0.01);
}

/* Encloses, checks all that must hold, and leaves the enclosure to the caller. */
static inline bool enclose_coarsely(const lt_surface *surface, uint32_t target, uint32_t rounds,
                                    lt_enclosure *out) {
    lt_enclose_def def = lt_enclose_def_default();
    lt_error error = {0};
    def.target_tets = target;
    def.rounds = rounds;
    def.resolution = 8; /* coarse, for speed */
    if (lt_enclose(surface, &def, out, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return false;
    }
    check_enclosure(surface, out, rounds ? def.min_dihedral : 59.9);
    return true;
}

#endif
