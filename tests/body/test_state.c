/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Saving and restoring a body; the carrier's chunks: what is written, what is refused; memory that runs out. */

#include "bake/carrier_write.h"
#include "body/soft_fixture.h"
#include "failing_allocator.h"

/* ---- save and restore ---- */

static void a_restored_body_goes_on_with_the_same_bits(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        def.angular_velocity = (lt_vec3){1, 2, 3};
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 2, &def)];
        soft->pinned[2] = 1;
        soft->pin_count = 1;
        lt_node_set(soft->pin_target, 2, (lt_rvec3){(lt_real)0.1, (lt_real)0.2, (lt_real)0.1});
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        size_t size = room_for_state(soft);
        uint8_t *bytes = LT_NEW(NULL, size + 1, uint8_t);
        save_state(soft, bytes + 1); /* any address will do */
        uint64_t saved = hash_of_state(soft);
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        uint64_t later = hash_of_state(soft);
        CHECK(later != saved);
        soft->pinned[2] = 0;
        soft->pinned[5] = soft->pinned[6] = 1;
        soft->pin_count = 2;
        lt_node_set(soft->pin_target, 2, (lt_rvec3){9, 9, 9});
        CHECK(restore_state(soft, bytes + 1));
        CHECK(hash_of_state(soft) == saved);
        CHECK_COUNT(soft->pin_count, 1);
        CHECK_NEAR(soft->nodes[4 * 7], soft->x[4 * 7], 1e-6);
        for (int step = 0; step < 10; step++)
            stage_step(&s);
        CHECK(hash_of_state(soft) == later);
        LT_DELETE(NULL, bytes, size + 1, uint8_t);
        stage_free(&s);
    }
}

/* Every number of the state, one at a time: refused, and the body is as it was. */
static void numbers_that_are_not_finite_are_refused(void) {
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, 0}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_cube(&s, 0.3, 1, &def)];
        size_t size = room_for_state(soft);
        uint8_t *bytes = LT_NEW(NULL, size, uint8_t);
        uint64_t before = hash_of_state(soft);
        lt_real *arrays[4] = {soft->x, soft->v, soft->pin_target, soft->turns};
        for (int i = 0; i < (soft->model == LT_MODEL_COROTATIONAL ? 4 : 3); i++)
            for (int k = 0; k < 2; k++) {
                lt_real kept = arrays[i][5];
                arrays[i][5] = k ? (lt_real)INFINITY : (lt_real)NAN;
                save_state(soft, bytes);
                arrays[i][5] = kept;
                CHECK(!restore_state(soft, bytes));
                CHECK(hash_of_state(soft) == before);
            }
        LT_DELETE(NULL, bytes, size, uint8_t);
        stage_free(&s);
    }
}

/* ---- carriers ---- */

static lt_tet_mesh block_mesh(uint32_t cells) {
    lt_tet_mesh mesh;
    if (lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, (const uint32_t[3]){cells, cells, cells},
                              LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        exit(1);
    return mesh;
}

/* Nodes that share a tet, by brute force. */
static void the_pattern_is_who_shares_a_tet(void) {
    lt_tet_mesh mesh = block_mesh(2);
    lt_shape *shape = bake_carrier(&mesh, NULL);
    lt_carrier carrier;
    CHECK_FATAL(shape && lt_carrier_read(&carrier, shape, NULL) == LT_OK);
    bool share[27][27] = {{false}};
    for (uint32_t tet = 0; tet < mesh.tet_count; tet++)
        for (int k = 0; k < 16; k++)
            share[lt_tet_at(&mesh, tet)[k / 4]][lt_tet_at(&mesh, tet)[k % 4]] = true;
    for (uint32_t i = 0; i < 27; i++) {
        uint32_t entry = carrier.pattern.row_begin[i];
        for (uint32_t j = 0; j < 27; j++) {
            if (!share[i][j]) continue;
            CHECK(entry < carrier.pattern.row_begin[i + 1]);
            CHECK_COUNT(carrier.pattern.columns[entry++], j);
        }
        CHECK_COUNT(entry, carrier.pattern.row_begin[i + 1]);
        CHECK_COUNT(carrier.pattern.columns[carrier.pattern.diagonal[i]], i);
    }
    for (uint32_t tet = 0; tet < mesh.tet_count; tet++)
        CHECK(carrier.fill[tet] == 1);
    lt_shape_release(shape);
    lt_tet_mesh_free(&mesh);
}

/* Nodes that no tet uses: allowed, with a mass that is never felt. */
static void lonely_nodes_are_carried_along(void) {
    lt_tet_mesh mesh;
    CHECK_FATAL(lt_tet_mesh_allocate(&mesh, 40, 1, NULL, NULL) == LT_OK);
    const lt_dvec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (uint32_t i = 0; i < 4; i++) {
        mesh.positions[9 * i] = corners[i];
        mesh.tets[i] = 9 * i;
    }
    for (int m = 0; m < 2; m++) {
        stage s = stage_make((lt_rvec3){0, 0, -10}, 1 / 60.0);
        lt_soft_def def = plain_def(BOTH_MODELS[m]);
        lt_soft *soft = &s.bodies[stage_add_mesh(&s, &mesh, &def)];
        for (int step = 0; step < 60; step++)
            stage_step(&s);
        CHECK_NEAR(soft->total_mass, 1000 / 6.0, 1e-3);
        CHECK(soft->mass[1] > 0 && soft->mass[1] < 0.01f * soft->mass[0]);
        CHECK_NEAR(lt_node_get(soft->v, 1).z, -10, 1e-3);
        CHECK_NEAR(lt_node_get(soft->v, 0).z, -10, 1e-3);
        stage_free(&s);
    }
    lt_tet_mesh_free(&mesh);
}

/* Half-filled tets: half the mass, half the stiffness, so the same accelerations. */
static void fill_scales_mass_and_stiffness(void) {
    lt_tet_mesh mesh = block_mesh(1);
    const float half[5] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    lt_shape *full_shape = bake_carrier(&mesh, NULL), *half_shape = bake_carrier(&mesh, half);
    lt_carrier full_carrier, half_carrier;
    CHECK_FATAL(lt_carrier_read(&full_carrier, full_shape, NULL) == LT_OK);
    CHECK_FATAL(lt_carrier_read(&half_carrier, half_shape, NULL) == LT_OK);
    lt_soft_def def = plain_def(LT_MODEL_EXPLICIT_FEM);
    lt_soft full, halved;
    CHECK_FATAL(lt_soft_create(&full, &full_carrier, &def, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_soft_create(&halved, &half_carrier, &def, NULL, NULL) == LT_OK);
    CHECK_NEAR(halved.total_mass, full.total_mass / 2, 1e-3);
    full.x[0] += (lt_real)0.1;
    halved.x[0] += (lt_real)0.1;
    CHECK_NEAR(lt_soft_elastic_energy(&halved), lt_soft_elastic_energy(&full) / 2,
               1e-6 * lt_soft_elastic_energy(&full));
    lt_soft_free(&full);
    lt_soft_free(&halved);
    lt_shape_release(full_shape);
    lt_shape_release(half_shape);
    lt_tet_mesh_free(&mesh);
}

/* ---- damaged carriers ---- */

typedef enum damage_kind {
    DAMAGE_U32,
    DAMAGE_F32,
    DAMAGE_F64,
    DAMAGE_MISSING,
    DAMAGE_SHORT, /* without its last row */
    DAMAGE_LONG   /* of columns: one more in the last row, which no tet needs */
} damage_kind;

typedef struct damage {
    const char *chunk;
    damage_kind kind;
    uint64_t index;
    double value;
    const char *message; /* part of it */
} damage;

/* The shape of a carrier with one chunk changed. */
static lt_shape *bake_damaged(const lt_shape *good, const damage *d) {
    static const struct {
        const char *name;
        lt_shape_type type;
        uint32_t second;
        size_t size;
    } chunks[8] = {
        {LT_CHUNK_NODES, LT_SHAPE_TYPE_F64, 3, 8},    {LT_CHUNK_TETS, LT_SHAPE_TYPE_U32, 4, 4},
        {LT_CHUNK_FILL, LT_SHAPE_TYPE_F32, 0, 4},     {LT_CHUNK_ROW_BEGIN, LT_SHAPE_TYPE_U32, 0, 4},
        {LT_CHUNK_COLUMNS, LT_SHAPE_TYPE_U32, 0, 4},  {LT_CHUNK_DIAGONAL, LT_SHAPE_TYPE_U32, 0, 4},
        {LT_CHUNK_ENTRIES, LT_SHAPE_TYPE_U32, 16, 4}, {LT_CHUNK_ORDER, LT_SHAPE_TYPE_U32, 0, 4}};
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    for (int i = 0; i < 8; i++) {
        lt_shape_dims dims =
            chunks[i].second ? LT_SHAPE_DIMS(LT_SHAPE_ANY, chunks[i].second) : LT_SHAPE_DIMS(LT_SHAPE_ANY);
        const void *data = lt_shape_data(good, chunks[i].name, chunks[i].type, &dims, NULL);
        size_t size = (size_t)dims.size[0] * (chunks[i].second ? chunks[i].second : 1) * chunks[i].size;
        uint8_t *copy = LT_NEW(NULL, size + 8, uint8_t);
        memcpy(copy, data, size);
        bool hit = strcmp(chunks[i].name, d->chunk) == 0;
        if (hit && d->kind == DAMAGE_U32) ((uint32_t *)(void *)copy)[d->index] = (uint32_t)d->value;
        if (hit && d->kind == DAMAGE_F32) ((float *)(void *)copy)[d->index] = (float)d->value;
        if (hit && d->kind == DAMAGE_F64) ((double *)(void *)copy)[d->index] = d->value;
        if (hit && d->kind == DAMAGE_SHORT) dims.size[0]--;
        uint32_t *numbers = (uint32_t *)(void *)copy;
        if (d->kind == DAMAGE_LONG && strcmp(chunks[i].name, LT_CHUNK_ROW_BEGIN) == 0)
            numbers[dims.size[0] - 1]++;
        if (hit && d->kind == DAMAGE_LONG) numbers[dims.size[0]++] = (uint32_t)d->value;
        if (!hit || d->kind != DAMAGE_MISSING)
            lt_shape_builder_add(&builder, chunks[i].name, chunks[i].type, dims, copy);
        LT_DELETE(NULL, copy, size + 8, uint8_t);
    }
    lt_shape *shape = NULL;
    if (lt_shape_builder_finish(&builder, "damaged", &shape, NULL) != LT_OK) exit(1);
    return shape;
}

static void damaged_chunks_are_refused(void) {
    const damage damages[] = {
        {LT_CHUNK_NODES, DAMAGE_F64, 7, NAN, "node 2 is not finite"},
        {LT_CHUNK_NODES, DAMAGE_F64, 0, INFINITY, "node 0 is not finite"},
        {LT_CHUNK_NODES, DAMAGE_MISSING, 0, 0, LT_CHUNK_NODES},
        {LT_CHUNK_NODES, DAMAGE_SHORT, 0, 0, LT_CHUNK_ROW_BEGIN},
        {LT_CHUNK_TETS, DAMAGE_U32, 3, 8, "inconsistent"},
        {LT_CHUNK_TETS, DAMAGE_U32, 3, 4294967295.0, "inconsistent"},
        {LT_CHUNK_TETS, DAMAGE_U32, 3, 0, "inconsistent"},
        {LT_CHUNK_TETS, DAMAGE_SHORT, 0, 0, LT_CHUNK_FILL},
        {LT_CHUNK_FILL, DAMAGE_F32, 2, 0, "tet 2: fill 0"},
        {LT_CHUNK_FILL, DAMAGE_F32, 4, 1.5, "tet 4: fill 1.5"},
        {LT_CHUNK_FILL, DAMAGE_F32, 1, NAN, "tet 1: fill"},
        {LT_CHUNK_FILL, DAMAGE_MISSING, 0, 0, LT_CHUNK_FILL},
        {LT_CHUNK_ROW_BEGIN, DAMAGE_U32, 0, 1, "inconsistent"},
        {LT_CHUNK_ROW_BEGIN, DAMAGE_U32, 3, 4000000000.0, "inconsistent"},
        {LT_CHUNK_ROW_BEGIN, DAMAGE_U32, 4, 0, "inconsistent"},
        {LT_CHUNK_ROW_BEGIN, DAMAGE_U32, 8, 1, "inconsistent"},
        {LT_CHUNK_ROW_BEGIN, DAMAGE_SHORT, 0, 0, LT_CHUNK_ROW_BEGIN},
        {LT_CHUNK_COLUMNS, DAMAGE_U32, 5, 8, "inconsistent"},
        {LT_CHUNK_COLUMNS, DAMAGE_U32, 5, 0, "inconsistent"},
        {LT_CHUNK_COLUMNS, DAMAGE_SHORT, 0, 0, "inconsistent"},
        {LT_CHUNK_COLUMNS, DAMAGE_LONG, 0, 4000000000.0, "inconsistent"},
        {LT_CHUNK_DIAGONAL, DAMAGE_U32, 0, 1, "inconsistent"},
        {LT_CHUNK_DIAGONAL, DAMAGE_U32, 6, 0, "inconsistent"},
        {LT_CHUNK_DIAGONAL, DAMAGE_U32, 6, 4294967295.0, "inconsistent"},
        {LT_CHUNK_ENTRIES, DAMAGE_U32, 20, 0, "inconsistent"},
        {LT_CHUNK_ENTRIES, DAMAGE_U32, 79, 4294967295.0, "inconsistent"},
        {LT_CHUNK_ENTRIES, DAMAGE_MISSING, 0, 0, LT_CHUNK_ENTRIES},
        {LT_CHUNK_ORDER, DAMAGE_U32, 3, 8, LT_CHUNK_ORDER},
        {LT_CHUNK_ORDER, DAMAGE_U32, 0, 4294967295.0, LT_CHUNK_ORDER},
        {LT_CHUNK_ORDER, DAMAGE_SHORT, 0, 0, LT_CHUNK_ORDER},
    };
    lt_tet_mesh mesh = block_mesh(1);
    lt_shape *good = bake_carrier(&mesh, NULL);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        lt_shape *shape = bake_damaged(good, &damages[i]);
        lt_carrier carrier;
        lt_error error = {0};
        lt_status status = lt_carrier_read(&carrier, shape, &error);
        CHECK(status != LT_OK && status == error.status);
        CHECK(lt_carrier_read(&carrier, shape, NULL) == status);
        CHECK_CONTAINS(error.message, damages[i].message);
        CHECK_CONTAINS(error.message, "damaged");
        lt_shape_release(shape);
    }
    lt_shape_release(good);
    lt_tet_mesh_free(&mesh);
}

/* The right column in the wrong row: only the row tells. */
static void entries_of_other_rows_are_refused(void) {
    lt_tet_mesh mesh = block_mesh(1);
    lt_shape *good = bake_carrier(&mesh, NULL);
    lt_carrier carrier;
    CHECK_FATAL(lt_carrier_read(&carrier, good, NULL) == LT_OK);
    damage other = {LT_CHUNK_ENTRIES, DAMAGE_U32, 1, carrier.pattern.diagonal[carrier.tets[1]], ""};
    lt_shape *shape = bake_damaged(good, &other);
    CHECK(lt_carrier_read(&carrier, shape, NULL) == LT_STATUS_INVALID);
    lt_shape_release(shape);
    lt_shape_release(good);
    lt_tet_mesh_free(&mesh);
}

/* A tet turned inside out in the file has consistent indices: the body refuses it. */
static void tets_without_volume_are_refused(void) {
    lt_tet_mesh mesh = block_mesh(1);
    lt_shape *good = bake_carrier(&mesh, NULL);
    damage flat = {LT_CHUNK_NODES, DAMAGE_F64, 0, 5, ""}; /* the corner of tet 0 beyond the opposite face */
    lt_shape *shape = bake_damaged(good, &flat);
    lt_carrier carrier;
    lt_soft soft;
    lt_error error = {0};
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    CHECK_FATAL(lt_carrier_read(&carrier, shape, &error) == LT_OK);
    CHECK(lt_soft_create(&soft, &carrier, &def, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "volume");
    lt_shape_release(shape);
    lt_shape_release(good);
    lt_tet_mesh_free(&mesh);
}

/* ---- memory runs out ---- */

static lt_status build_all(const lt_tet_mesh *mesh, const lt_allocator *allocator) {
    lt_shape_builder builder = lt_shape_builder_begin(allocator);
    lt_shape *shape = NULL;
    lt_carrier carrier;
    lt_soft soft;
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    lt_status status = lt_carrier_write(&builder, mesh, NULL, allocator, NULL);
    if (status == LT_OK)
        status = lt_shape_builder_finish(&builder, "block", &shape, NULL);
    else
        lt_shape_builder_free(&builder);
    if (status != LT_OK) return status;
    status = lt_carrier_read(&carrier, shape, NULL);
    if (status == LT_OK) status = lt_soft_create(&soft, &carrier, &def, allocator, NULL);
    if (status == LT_OK) lt_soft_free(&soft);
    lt_shape_release(shape);
    return status;
}

static void every_refused_request_is_survived(void) {
    lt_tet_mesh mesh = block_mesh(1);
    int allowed = 0;
    for (lt_status status = LT_STATUS_MEMORY; status != LT_OK && allowed < 1000; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        status = build_all(&mesh, &allocator);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(allowed > 8 && allowed < 1000);
    lt_tet_mesh_free(&mesh);
}

int main(void) {
    RUN(a_restored_body_goes_on_with_the_same_bits);
    RUN(numbers_that_are_not_finite_are_refused);
    RUN(the_pattern_is_who_shares_a_tet);
    RUN(lonely_nodes_are_carried_along);
    RUN(fill_scales_mass_and_stiffness);
    RUN(damaged_chunks_are_refused);
    RUN(entries_of_other_rows_are_refused);
    RUN(tets_without_volume_are_refused);
    RUN(every_refused_request_is_survived);
    return check_finish();
}
