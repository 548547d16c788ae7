/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Carriers of cells: what is written is what is read, what is damaged is refused by name. */

#include "bake/carrier_write.h"
#include "body/lattice_fixture.h"
#include "failing_allocator.h"

static void what_is_written_is_read(void) {
    lattice l = lattice_strands(0);
    l.origin = (lt_dvec3){1e4, -3, 0.3};
    lt_cell_mesh mesh = lattice_mesh(&l);
    mesh.fill[3] = 0.25f;
    lt_shape *shape = bake_lattice(&mesh);
    lt_carrier c;
    lt_error error;
    CHECK_FATAL(shape && lt_carrier_read(&c, shape, &error) == LT_OK);
    CHECK_COUNT(c.cell_count, l.cell_count);
    CHECK_COUNT(c.node_count, mesh.node_count);
    CHECK(c.tet_count == 0 && c.tets == NULL && c.cell_size == 0.1);
    CHECK(memcmp(c.cells, mesh.cells, 8 * sizeof(uint32_t) * mesh.cell_count) == 0);
    CHECK(memcmp(c.places, mesh.places, sizeof(uint32_t) * mesh.cell_count) == 0);
    CHECK(memcmp(c.rest, mesh.positions, 3 * sizeof(double) * mesh.node_count) == 0);
    CHECK(c.cell_fill[3] == 0.25f && c.cell_fill[4] == 1);
    lt_shape_release(shape);
    lattice_mesh_free(&mesh);
}

/* Two strands at one place: 3 × 3 × 3 nodes in front and behind, two planes of 6 for each strand between. */
static void strands_have_nodes_of_their_own(void) {
    lattice l = lattice_strands(0);
    lt_cell_mesh mesh = lattice_mesh(&l);
    CHECK_COUNT(mesh.node_count, 27 + 27 + 2 * 2 * 6);
    lattice_mesh_free(&mesh);
}

typedef enum damaged { NODE, SECOND_NODE, CELL, PLACE, FILL, SIZE } damaged;

static lt_status write_damaged(damaged what, double value, lt_error *error) {
    lattice l = lattice_block(2, 1, 1, 0.5);
    lt_cell_mesh mesh = lattice_mesh(&l);
    if (what == NODE) mesh.positions[0].x = value;
    if (what == SECOND_NODE) mesh.positions[lt_cell_at(&mesh, 1)[7]].z += value;
    if (what == CELL) mesh.cells[9] = (uint32_t)value;
    if (what == PLACE) mesh.places[1] = (uint32_t)value;
    if (what == FILL) mesh.fill[1] = (float)value;
    if (what == SIZE) mesh.cell_size = value;
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_status status = lt_carrier_write_cells(&builder, &mesh, NULL, error);
    lt_shape_builder_free(&builder);
    lattice_mesh_free(&mesh);
    return status;
}

/* Writing and reading share their checks; reading has those of dims besides. */
static void damage_is_refused_by_name(void) {
    static const struct {
        damaged what;
        double value;
        const char *message;
    } cases[] = {
        {NODE, NAN, "node 0 is not finite"},
        {SECOND_NODE, 1e-3, "cell 1: corner 7"},
        {CELL, 12, "inconsistent"},
        {CELL, 0, "cell 1: corner 1"},
        {PLACE, 4294967295.0, "inconsistent"},
        {PLACE, 2, "cell 1: corner 0"},
        {FILL, 0, "cell 1: fill 0"},
        {FILL, 1.5, "cell 1: fill 1.5"},
        {FILL, NAN, "cell 1: fill"},
        {SIZE, 0, "size 0"},
        {SIZE, -1, "size -1"},
        {SIZE, INFINITY, "size inf"},
        {SIZE, 0.501, "cell 0: corner 1"},
    };
    lt_error error = {0};
    CHECK(write_damaged(SECOND_NODE, 1e-9, &error) == LT_OK);
    for (size_t i = 0; i < LT_COUNT_OF(cases); i++) {
        CHECK(write_damaged(cases[i].what, cases[i].value, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, cases[i].message);
    }
}

static lt_shape *bake_without(const char *missing, uint64_t short_by) {
    lattice l = lattice_block(1, 1, 2, 1);
    lt_cell_mesh mesh = lattice_mesh(&l);
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    const struct {
        const char *name;
        lt_shape_type type;
        lt_shape_dims dims;
        const void *data;
    } chunks[5] = {
        {LT_CHUNK_NODES, LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(mesh.node_count, 3), mesh.positions},
        {LT_CHUNK_CELLS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(2, 8), mesh.cells},
        {LT_CHUNK_PLACES, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(2), mesh.places},
        {LT_CHUNK_CELL_FILL, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(2), mesh.fill},
        {LT_CHUNK_CELL_SIZE, LT_SHAPE_TYPE_F64, LT_SHAPE_DIMS(1), &mesh.cell_size},
    };
    for (int i = 0; i < 5; i++) {
        lt_shape_dims dims = chunks[i].dims;
        bool hit = strcmp(chunks[i].name, missing) == 0;
        if (hit) dims.size[0] -= short_by;
        if (!hit || short_by)
            lt_shape_builder_add(&builder, chunks[i].name, chunks[i].type, dims, chunks[i].data);
    }
    lt_shape *shape = NULL;
    if (lt_shape_builder_finish(&builder, "damaged", &shape, NULL) != LT_OK) exit(1);
    lattice_mesh_free(&mesh);
    return shape;
}

static void missing_and_short_chunks_are_refused(void) {
    static const char *const names[5] = {LT_CHUNK_NODES, LT_CHUNK_CELLS, LT_CHUNK_PLACES, LT_CHUNK_CELL_FILL,
                                         LT_CHUNK_CELL_SIZE};
    for (int i = 0; i < 5; i++)
        for (uint64_t short_by = 0; short_by < 2; short_by++) {
            lt_shape *shape = bake_without(names[i], short_by);
            lt_carrier c;
            lt_error error = {0};
            lt_status status = lt_carrier_read(&c, shape, &error);
            CHECK(status != LT_OK && status == error.status);
            CHECK(c.rest == NULL && c.cell_count == 0);
            lt_shape_release(shape);
        }
    lt_shape *whole = bake_without("none", 0);
    lt_carrier c;
    CHECK(lt_carrier_read(&c, whole, NULL) == LT_OK);
    lt_shape_release(whole);
}

static void every_refused_request_is_survived(void) {
    int allowed = 0;
    for (lt_status status = LT_STATUS_MEMORY; status != LT_OK && allowed < 100; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_cell_mesh mesh;
        lt_error error;
        status = lt_cell_mesh_allocate(&mesh, 8, 1, &allocator, &error);
        if (status != LT_OK) CHECK(error.status == LT_STATUS_MEMORY && mesh.cells == NULL);
        lt_cell_mesh_free(&mesh);
        CHECK_COUNT(f.blocks_out, 0);
    }
    CHECK_COUNT(allowed, 5);
}

int main(void) {
    RUN(what_is_written_is_read);
    RUN(strands_have_nodes_of_their_own);
    RUN(damage_is_refused_by_name);
    RUN(missing_and_short_chunks_are_refused);
    RUN(every_refused_request_is_survived);
    return check_finish();
}
