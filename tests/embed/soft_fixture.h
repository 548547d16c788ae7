/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body as embed/, bound/, detect/ and respond/ see it: baked from a tet mesh, read back, placed, and then moved by
 * hand. Nothing advances here. Include after check.h. */

#ifndef LITHE_TESTS_SOFT_FIXTURE_H
#define LITHE_TESTS_SOFT_FIXTURE_H

#include "core/random.h"
#include "detect/detect.h"
#include "lithe/bake.h"
#include "scenes/generate.h"

typedef struct soft_fixture {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_soft soft;
    lt_collider collider; /* points into this struct: do not copy the fixture */
    lt_bake_notes notes;
} soft_fixture;

typedef struct fixture_options {
    const lt_surface *surface; /* NULL: the boundary of the tets */
    bool rigid_links;
    uint32_t resolution; /* 0: 12 */
    double scale;        /* 0: 1 */
    lt_model model;
} fixture_options;

static inline lt_shape *bake_fixture(const lt_tet_mesh *mesh, const fixture_options *options,
                                     lt_bake_notes *notes) {
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh->positions[0].x;
    def.node_count = mesh->node_count;
    def.tets = mesh->tets;
    def.tet_count = mesh->tet_count;
    if (options->surface) {
        def.surface_positions = &options->surface->positions[0].x;
        def.surface_triangles = options->surface->triangles;
        def.surface_vertex_count = options->surface->vertex_count;
        def.surface_triangle_count = options->surface->triangle_count;
    }
    def.embedding = options->rigid_links ? LT_EMBEDDING_RIGID_LINKS : LT_EMBEDDING_BARYCENTRIC;
    def.distance_resolution = options->resolution ? options->resolution : 12;
    lt_shape *shape = NULL;
    lt_error error = {LT_OK, ""};
    if (lt_bake_tets(&def, &shape, notes, &error) != LT_OK) CHECK_FAIL_MESSAGE("bake: %s", error.message);
    return shape;
}

static inline void fixture_refresh(soft_fixture *f) {
    lt_soft_publish(&f->soft);
    lt_collider_refresh(&f->collider, lt_embed_kernels_for(LT_LEVEL_SCALAR));
}

static inline void fixture_free(soft_fixture *f) {
    LT_DELETE(NULL, f->collider.points, f->skin.point_count, lt_vec3);
    LT_DELETE(NULL, f->collider.tet_boxes.boxes, 6 * (size_t)LT_GROUP * f->collider.tet_boxes.group_count,
              float);
    if (f->soft.memory) lt_soft_free(&f->soft);
    lt_shape_release(f->shape);
    memset(f, 0, sizeof *f);
}

/* False, with a failed check, when it cannot be made. */
static inline bool fixture_make(soft_fixture *f, const lt_tet_mesh *mesh, fixture_options options) {
    memset(f, 0, sizeof *f);
    lt_error error = {LT_OK, ""};
    f->shape = bake_fixture(mesh, &options, &f->notes);
    if (!f->shape) return false;
    lt_status status = lt_carrier_read(&f->carrier, f->shape, &error);
    if (status == LT_OK) status = lt_skin_read(&f->skin, f->shape, &f->carrier, &error);
    lt_soft_def def = {.model = options.model,
                       .material = {1e5f, 0.4f, 1000, 0, 0, 0.3f},
                       .rotation = lt_dm3_identity(),
                       .scale = options.scale ? options.scale : 1,
                       .max_substeps = 64,
                       .max_iterations = 100,
                       .tolerance = 1e-4f};
    if (status == LT_OK) status = lt_soft_create(&f->soft, &f->carrier, &def, NULL, &error);
    if (status != LT_OK) {
        CHECK_FAIL_MESSAGE("fixture: %s", error.message);
        fixture_free(f);
        return false;
    }
    f->skin.scale = (float)def.scale;
    f->collider = (lt_collider){.in_use = true,
                                .self_collision = true,
                                .group = 1,
                                .mask = UINT32_MAX,
                                .friction = 0.3f,
                                .significance = 1,
                                .soft = &f->soft,
                                .skin = &f->skin};
    f->collider.points = LT_NEW(NULL, f->skin.point_count, lt_vec3);
    f->collider.tet_boxes.group_count = f->soft.elements.group_count;
    f->collider.tet_boxes.boxes = LT_NEW(NULL, 6 * (size_t)LT_GROUP * f->soft.elements.group_count, float);
    fixture_refresh(f);
    return true;
}

/* A block from 0 to `size` of cells[0] * cells[1] * cells[2] * 6 tets. */
static inline bool fixture_block(soft_fixture *f, lt_dvec3 size, uint32_t nx, uint32_t ny, uint32_t nz,
                                 fixture_options options) {
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {nx, ny, nz};
    memset(f, 0, sizeof *f);
    if (lt_generate_tet_block(&mesh, size, cells, LT_TET_SPLIT_SIX, NULL, NULL) != LT_OK) return false;
    bool made = fixture_make(f, &mesh, options);
    lt_tet_mesh_free(&mesh);
    return made;
}

/* ---- motions ---- */

typedef lt_dvec3 motion(const void *context, lt_dvec3 rest);

/* Puts every node where the motion takes it from rest (times the body's scale), and refreshes. */
static inline void fixture_move(soft_fixture *f, motion *to, const void *context) {
    for (uint32_t i = 0; i < f->carrier.node_count; i++) {
        const double *r = f->carrier.rest + 3 * (size_t)i;
        double s = (double)f->soft.scale;
        lt_dvec3 p = to(context, (lt_dvec3){s * r[0], s * r[1], s * r[2]});
        lt_node_set(f->soft.x, i, (lt_rvec3){(lt_real)p.x, (lt_real)p.y, (lt_real)p.z});
    }
    fixture_refresh(f);
}

typedef struct affine {
    lt_dmat3 m;
    lt_dvec3 t;
} affine;

static inline lt_dvec3 move_affine(const void *context, lt_dvec3 rest) {
    const affine *a = context;
    return lt_d3_add(lt_dm3_mul_vec(a->m, rest), a->t);
}

static inline double random_d(lt_random *random, double lo, double hi) {
    return lo + (hi - lo) * (double)lt_random_unit(random);
}

static inline lt_dvec3 random_d3(lt_random *random, double size) {
    double x = random_d(random, -size, size), y = random_d(random, -size, size);
    return (lt_dvec3){x, y, random_d(random, -size, size)};
}

static inline lt_vec3 random_v3(lt_random *random, float size) {
    return lt_v3_from_d3(random_d3(random, (double)size));
}

static inline lt_quat random_quat(lt_random *random) {
    lt_quat q;
    do {
        lt_vec3 v = random_v3(random, 1); /* in order: initializers have none */
        q = (lt_quat){v.x, v.y, v.z, lt_random_range(random, -1, 1)};
    } while (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w < 0.1f);
    return q;
}

/* The rotation about an axis, by Rodrigues' formula. */
static inline lt_dmat3 rotation_about(lt_dvec3 axis, double angle) {
    lt_dvec3 k = lt_d3_normalize_or(axis, (lt_dvec3){0, 0, 1});
    double c = cos(angle), s = sin(angle);
    lt_dmat3 m;
    lt_dvec3 *columns[3] = {&m.c0, &m.c1, &m.c2};
    for (int i = 0; i < 3; i++) {
        lt_dvec3 e = {i == 0, i == 1, i == 2};
        lt_dvec3 turned = lt_d3_mad(lt_d3_scale(e, c), lt_d3_cross(k, e), s);
        *columns[i] = lt_d3_mad(turned, k, (1 - c) * lt_d3_dot(k, e));
    }
    return m;
}

static inline affine random_rigid(lt_random *random, double reach) {
    lt_dvec3 axis = random_d3(random, 1);
    double angle = random_d(random, -3, 3);
    return (affine){rotation_about(axis, angle), random_d3(random, reach)};
}

static inline affine translation(double x, double y, double z) {
    return (affine){lt_dm3_identity(), {x, y, z}};
}

/* Moves every node by a random vector of up to `size` per axis, and refreshes. */
static inline void fixture_shake(soft_fixture *f, lt_random *random, double size) {
    for (uint32_t i = 0; i < f->carrier.node_count; i++) {
        lt_dvec3 d = random_d3(random, size);
        lt_node_add(f->soft.x, i, (lt_rvec3){(lt_real)d.x, (lt_real)d.y, (lt_real)d.z}, 1);
    }
    fixture_refresh(f);
}

#endif
