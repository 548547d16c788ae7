/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Small lattices for the tests of body/: lists of cells, in up to a few branches, to carriers as bake writes them.
 *
 *     a branch is a number; nodes strictly between the grid planes x = fork and x = join belong to their branch alone,
 *     all others are shared:          fork      join
 *                            ├──┼──┼──┤├──┼──┼──┤├──┼──┤     two cells may have one place then */

#ifndef LITHE_TESTS_LATTICE_FIXTURE_H
#define LITHE_TESTS_LATTICE_FIXTURE_H

#include "bake/carrier_write.h"
#include "body/soft_fixture.h"

enum { LATTICE_CELLS = 512 };

static const lt_model LATTICE_MODELS[] = {LT_MODEL_LATTICE_SPRINGS, LT_MODEL_LATTICE_MATCHING};
enum { LATTICE_MODEL_COUNT = LT_COUNT_OF(LATTICE_MODELS) };

typedef struct lattice_cell {
    uint32_t x, y, z, branch;
} lattice_cell;

typedef struct lattice {
    lattice_cell cells[LATTICE_CELLS];
    uint32_t cell_count;
    uint32_t fork, join; /* both 0: no branches */
    double cell_size;
    lt_dvec3 origin;
} lattice;

static inline void lattice_add_box(lattice *l, const uint32_t lo[3], const uint32_t hi[3], uint32_t branch) {
    for (uint32_t z = lo[2]; z < hi[2]; z++)
        for (uint32_t y = lo[1]; y < hi[1]; y++)
            for (uint32_t x = lo[0]; x < hi[0]; x++)
                l->cells[l->cell_count++] = (lattice_cell){x, y, z, branch};
}

static inline lattice lattice_block(uint32_t x, uint32_t y, uint32_t z, double cell_size) {
    lattice l = {.cell_size = cell_size};
    lattice_add_box(&l, (const uint32_t[3]){0, 0, 0}, (const uint32_t[3]){x, y, z}, 0);
    return l;
}

/* A bar that splits into two strands at one place, which meet again, with cells dropped by the seed (0: none). */
static inline lattice lattice_strands(uint32_t seed) {
    lattice l = {.fork = 2, .join = 5, .cell_size = 0.1};
    lattice_add_box(&l, (const uint32_t[3]){0, 0, 0}, (const uint32_t[3]){2, 2, 2}, 0);
    lattice_add_box(&l, (const uint32_t[3]){2, 0, 0}, (const uint32_t[3]){5, 2, 1}, 1);
    lattice_add_box(&l, (const uint32_t[3]){2, 0, 0}, (const uint32_t[3]){5, 1, 2}, 2);
    lattice_add_box(&l, (const uint32_t[3]){5, 0, 0}, (const uint32_t[3]){7, 2, 2}, 0);
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; seed && i < l.cell_count;)
        if (lt_random_below(&random, 5) == 0)
            l.cells[i] = l.cells[--l.cell_count];
        else
            i++;
    return l;
}

/* The node of a corner: found by grid point and branch among those made so far. */
static inline uint32_t lattice_node(const lattice *l, lt_cell_mesh *mesh, uint32_t *keys, lattice_cell c,
                                    uint32_t corner) {
    uint32_t x = c.x + (corner & 1), y = c.y + (corner >> 1 & 1), z = c.z + (corner >> 2);
    uint32_t branch = x > l->fork && x < l->join ? c.branch : 0;
    uint32_t key = lt_cell_place(x, y, z) | branch << 30;
    for (uint32_t node = 0; node < mesh->node_count; node++)
        if (keys[node] == key) return node;
    keys[mesh->node_count] = key;
    mesh->positions[mesh->node_count] =
        lt_d3_mad(l->origin, (lt_dvec3){(double)x, (double)y, (double)z}, l->cell_size);
    return mesh->node_count++;
}

/* Free with lattice_mesh_free. */
static inline lt_cell_mesh lattice_mesh(const lattice *l) {
    lt_cell_mesh mesh;
    if (lt_cell_mesh_allocate(&mesh, 8 * l->cell_count, l->cell_count, NULL, NULL) != LT_OK) exit(1);
    uint32_t *keys = LT_NEW(NULL, mesh.node_count, uint32_t);
    mesh.cell_size = l->cell_size;
    mesh.node_count = 0;
    for (uint32_t i = 0; i < l->cell_count; i++) {
        lattice_cell c = l->cells[i];
        for (uint32_t corner = 0; corner < 8; corner++)
            mesh.cells[8 * i + corner] = lattice_node(l, &mesh, keys, c, corner);
        mesh.places[i] = lt_cell_place(c.x, c.y, c.z);
        mesh.fill[i] = 1;
    }
    LT_DELETE(NULL, keys, 8 * (size_t)l->cell_count, uint32_t);
    return mesh;
}

static inline void lattice_mesh_free(lt_cell_mesh *mesh) {
    mesh->node_count = 8 * mesh->cell_count; /* as allocated */
    lt_cell_mesh_free(mesh);
}

static inline lt_shape *bake_lattice(const lt_cell_mesh *mesh) {
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape *shape = NULL;
    lt_error error;
    bool ok = lt_carrier_write_cells(&builder, mesh, NULL, &error) == LT_OK;
    ok = lt_shape_builder_finish(&builder, "lattice", &shape, &error) == LT_OK && ok;
    if (!ok) CHECK_FAIL_MESSAGE("cannot bake: %s", error.message);
    return shape;
}

static inline uint32_t stage_add_lattice(stage *s, const lattice *l, const lt_soft_def *def) {
    lt_cell_mesh mesh = lattice_mesh(l);
    uint32_t body = stage_add_shape(s, bake_lattice(&mesh), def);
    lattice_mesh_free(&mesh);
    return body;
}

static inline void pin_node(lt_soft *soft, uint32_t node, lt_rvec3 target) {
    soft->pin_count += !soft->pinned[node];
    soft->pinned[node] = 1;
    lt_node_set(soft->pin_target, node, target);
}

/* Every node moved by up to `reach` and given up to `speed` along each axis. */
static inline void shake(lt_soft *soft, lt_random *random, double reach, double speed) {
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++) {
        if (i % 4 == 3) continue;
        soft->x[i] += (lt_real)(reach * (double)lt_random_range(random, -1, 1));
        soft->v[i] += (lt_real)(speed * (double)lt_random_range(random, -1, 1));
    }
}

/* A contact under every node no higher than that, as stiff as the body says it may be and a fifth of critically damped. */
static inline void touch_ground(stage *s, lt_soft *soft, double reach) {
    lt_soft_plan(soft, s->dt);
    lt_contact_scale scale = lt_soft_contact_scale(soft, s->dt);
    lt_real s_over_dt = scale.s / scale.dt;
    s->coupling_count = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        lt_real height = soft->x[4 * (size_t)node + 2], mass = soft->mass[node];
        if (height > (lt_real)reach) continue;
        s->couplings[s->coupling_count++] = (lt_coupling){.kind = LT_COUPLING_CONTACT,
                                                          .body_b = LT_NONE,
                                                          .a = {{node}, {1}, 1},
                                                          .normal = {0, 0, 1},
                                                          .depth = -height,
                                                          .stiffness = s_over_dt * s_over_dt * mass,
                                                          .damping = (lt_real)0.4 * s_over_dt * mass,
                                                          .friction = (lt_real)0.3};
    }
}

#endif
