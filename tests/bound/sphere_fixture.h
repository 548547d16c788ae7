/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body with a sphere tree, moved by hand, that remembers which pieces of its surface every sphere has to hold. */

#ifndef LITHE_TESTS_BOUND_SPHERE_FIXTURE_H
#define LITHE_TESTS_BOUND_SPHERE_FIXTURE_H

#include "bake/icosahedral.h"
#include "bake/rest_tree.h"
#include "bound/quick_spheres.h"
#include "embed/soft_fixture.h"

typedef struct sphere_fixture {
    soft_fixture body; /* its collider points into this struct: do not copy the fixture */
    lt_rest_tree rest;
    lt_shape *shape; /* nothing but the chunks of the tree */
    lt_sphere_tree tree;
    uint32_t *places; /* [rest.sphere_count] node of a sphere */
} sphere_fixture;

static inline void sphere_fixture_free(sphere_fixture *f) {
    lt_spheres_free(&f->body.collider.spheres, NULL);
    LT_DELETE(NULL, f->places, f->rest.sphere_count, uint32_t);
    lt_rest_tree_free(&f->rest);
    lt_shape_release(f->shape);
    fixture_free(&f->body);
    memset(f, 0, sizeof *f);
}

/* Blocks are numbered in the order in which spheres with children come. */
static inline void find_places(sphere_fixture *f) {
    uint32_t next = 1;
    for (uint32_t i = 0; i < f->rest.sphere_count; i++) {
        const lt_rest_sphere *s = &f->rest.spheres[i];
        for (uint32_t k = 0; k < s->child_count; k++)
            f->places[s->first_child + k] = next * LT_LANES + k;
        next += s->child_count > 0;
    }
}

static inline lt_status bind_tree(sphere_fixture *f, const lt_allocator *allocator, lt_error *error) {
    lt_shape_builder builder = lt_shape_builder_begin(allocator);
    lt_status status =
        lt_sphere_tree_write(&builder, &f->rest, &f->body.carrier, &f->body.skin, allocator, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, "spheres", &f->shape, error);
    lt_shape_builder_free(&builder);
    return status;
}

/* Binds f->rest, as it is now; false, with a failed check, when that cannot be done. */
static inline bool bind_spheres(sphere_fixture *f) {
    lt_allocator standard = lt_allocator_default();
    lt_error error = {LT_OK, ""};
    lt_spheres *spheres = &f->body.collider.spheres;
    lt_spheres_free(spheres, NULL);
    lt_shape_release(f->shape);
    f->shape = NULL;
    lt_status status = bind_tree(f, &standard, &error);
    if (status == LT_OK)
        status = lt_sphere_tree_read(&f->tree, f->shape, &f->body.carrier, &f->body.skin, &error);
    if (status == LT_OK)
        status = lt_spheres_create(spheres, &f->tree, (float)f->body.soft.scale, NULL, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("sphere fixture: %s", error.message);
    return status == LT_OK;
}

/* Gives the body in `f` its tree; false, with a failed check, when it cannot be made. */
static inline bool add_spheres(sphere_fixture *f, tree_options wanted) {
    lt_error error = {LT_OK, ""};
    if (make_quick_tree(&f->rest, &f->body.skin, wanted, &error) == LT_OK && bind_spheres(f) &&
        (f->places = LT_NEW(NULL, f->rest.sphere_count, uint32_t))) {
        find_places(f);
        return true;
    }
    CHECK_FAIL_MESSAGE("sphere fixture: %s", error.message);
    sphere_fixture_free(f);
    return false;
}

static inline bool sphere_block(sphere_fixture *f, lt_dvec3 size, uint32_t nx, uint32_t ny, uint32_t nz,
                                fixture_options options, tree_options wanted) {
    memset(f, 0, sizeof *f);
    return fixture_block(&f->body, size, nx, ny, nz, options) && add_spheres(f, wanted);
}

static inline bool sphere_body_of(sphere_fixture *f, lt_tet_mesh *mesh, tree_options wanted) {
    memset(f, 0, sizeof *f);
    bool made = fixture_make(&f->body, mesh, (fixture_options){0}) && add_spheres(f, wanted);
    lt_tet_mesh_free(mesh);
    return made;
}

static inline bool sphere_ball(sphere_fixture *f, double radius, uint32_t layers, tree_options wanted) {
    lt_tet_mesh mesh;
    return lt_generate_tet_ball(&mesh, radius, layers, NULL, NULL) == LT_OK &&
           sphere_body_of(f, &mesh, wanted);
}

static inline bool sphere_torus(sphere_fixture *f, double major, double minor, uint32_t segments,
                                tree_options wanted) {
    lt_tet_mesh mesh;
    return lt_generate_tet_torus(&mesh, major, minor, segments, NULL, NULL) == LT_OK &&
           sphere_body_of(f, &mesh, wanted);
}

/* Every block, from the root down: a block comes after its parent's. */
static inline void refresh_spheres(sphere_fixture *f, lt_simd_level level) {
    lt_collider *c = &f->body.collider;
    lt_spheres_outdate(&c->spheres);
    lt_spheres_refresh_root(&c->spheres, &f->body.carrier, c->box, f->body.soft.nodes);
    for (uint32_t block = 1; block < f->tree.block_count; block++)
        lt_sphere_kernels_for(level)->refresh(&c->spheres, f->body.soft.nodes, block);
}

/* Where a corner of a piece is now, by the surface as it is drawn. */
static inline lt_dvec3 corner_now(const sphere_fixture *f, const lt_sphere_piece *piece, int corner) {
    const uint32_t *t = f->body.skin.triangles + 3 * (size_t)piece->triangle;
    lt_dvec3 p = {0, 0, 0};
    for (int v = 0; v < 3; v++)
        p = lt_d3_mad(p, lt_d3_from_v3(f->body.collider.points[t[v]]), piece->corners[corner][v]);
    return p;
}

static inline bool sphere_holds(const lt_spheres *s, uint32_t node, lt_dvec3 p) {
    return lt_d3_distance(lt_d3_from_v3(lt_sphere_center(s, node)), p) <=
           (double)lt_sphere_now(s, LT_NOW_RADIUS, node);
}

/* How many corners and random points of pieces are outside their leaf or a sphere above it. */
static inline uint32_t uncovered_points(const sphere_fixture *f, lt_random *random) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->rest.piece_count; i++) {
        const lt_sphere_piece *piece = &f->rest.pieces[i];
        lt_dvec3 p[4];
        for (int k = 0; k < 3; k++)
            p[k] = corner_now(f, piece, k);
        double a = random_d(random, 0, 1), b = random_d(random, 0, 1 - a);
        p[3] = lt_d3_mad(lt_d3_mad(lt_d3_scale(p[0], 1 - a - b), p[1], a), p[2], b);
        for (uint32_t s = piece->leaf; s != LT_NONE; s = f->rest.spheres[s].parent)
            for (int k = 0; k < 4; k++)
                count += !sphere_holds(&f->body.collider.spheres, f->places[s], p[k]);
    }
    return count;
}

/* ---- motions that are not affine ---- */

/* Turned about y by an angle that grows with y, or bent about z. */
typedef struct warp {
    double rate; /* rad/m */
    bool bend;
} warp;

static inline lt_dvec3 move_warp(const void *context, lt_dvec3 p) {
    const warp *w = context;
    double angle = w->rate * p.y, c = cos(angle), s = sin(angle);
    if (!w->bend) return (lt_dvec3){c * p.x - s * p.z, p.y, s * p.x + c * p.z};
    double radius = 1 / w->rate - p.x;
    return (lt_dvec3){1 / w->rate - radius * c, radius * s, p.z};
}

#endif
