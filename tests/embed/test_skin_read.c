/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Shapes whose chunks have sound checksums but senseless contents: each is refused, with the shape and the element
 * in the message. */

#include "check.h"

#include "embed/damage.h"
#include "embed/soft_fixture.h"

static lt_shape *make_shape(bool links) {
    lt_tet_mesh mesh;
    lt_bake_notes notes;
    const uint32_t cells[3] = {2, 1, 1};
    if (lt_generate_tet_block(&mesh, (lt_dvec3){2, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return NULL;
    lt_shape *shape = bake_fixture(&mesh, &(fixture_options){.rigid_links = links, .resolution = 4}, &notes);
    lt_tet_mesh_free(&mesh);
    return shape;
}

static void a_copy_is_read(void) {
    for (int links = 0; links < 2; links++) {
        lt_shape *shape = make_shape(links), *copy = damaged_copy(shape, NULL);
        CHECK(lt_shape_hash(copy) == lt_shape_hash(shape));
        CHECK(read_all(copy, NULL) == LT_OK);
        lt_shape_release(copy);
        lt_shape_release(shape);
    }
}

static void absent_and_short_chunks_are_refused(void) {
    static const char *const names[] = {LT_CHUNK_NODES,
                                        LT_CHUNK_TETS,
                                        LT_CHUNK_FILL,
                                        LT_CHUNK_ROW_BEGIN,
                                        LT_CHUNK_COLUMNS,
                                        LT_CHUNK_DIAGONAL,
                                        LT_CHUNK_ENTRIES,
                                        LT_CHUNK_SURFACE_REST,
                                        LT_CHUNK_SURFACE_AREAS,
                                        LT_CHUNK_EMBED_TETS,
                                        LT_CHUNK_SURFACE_FAN_BEGIN,
                                        LT_CHUNK_SURFACE_FANS,
                                        LT_CHUNK_EMBED_IDS,
                                        LT_CHUNK_EMBED_WEIGHTS,
                                        LT_CHUNK_EMBED_OFFSETS,
                                        LT_CHUNK_DISTANCE_HEADER,
                                        LT_CHUNK_DISTANCE_VALUES};
    lt_shape *shape = make_shape(true);
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        bool optional = strcmp(names[i], LT_CHUNK_EMBED_OFFSETS) == 0; /* without them it is barycentric */
        if (!optional) check_refused(shape, &(damage){.chunk = names[i], .remove = true}, names[i]);
        check_refused(shape, &(damage){.chunk = names[i], .rows_less = 1}, "");
    }
    check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_TRIANGLES, .remove = true},
                  LT_CHUNK_SURFACE_TRIANGLES);
    check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_TRIANGLES, .rows_less = 20},
                  "no usable surface");
    lt_shape_release(shape);
}

static void bad_indices_are_refused(void) {
    lt_shape *shape = make_shape(false);
    check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_TRIANGLES, PUT_INDEX(3 * 7 + 1, 12)},
                  "triangle 7 ");
    check_refused(shape, &(damage){.chunk = LT_CHUNK_EMBED_IDS, PUT_INDEX(4 * 5 + 3, 12)}, "vertex 5 ");
    check_refused(shape, &(damage){.chunk = LT_CHUNK_EMBED_IDS, PUT_INDEX(4 * 5 + 3, UINT32_MAX)},
                  "vertex 5 ");
    check_refused(shape, &(damage){.chunk = LT_CHUNK_EMBED_TETS, PUT_INDEX(6, 10)}, "vertex 6 ");
    static const char *const of_carrier[] = {LT_CHUNK_TETS, LT_CHUNK_COLUMNS, LT_CHUNK_DIAGONAL,
                                             LT_CHUNK_ENTRIES, LT_CHUNK_ROW_BEGIN};
    for (size_t i = 0; i < LT_COUNT_OF(of_carrier); i++)
        for (size_t at = 0; at < 12; at++) {
            check_refused(shape, &(damage){.chunk = of_carrier[i], PUT_INDEX(at, UINT32_MAX)}, "carrier");
            check_refused(shape, &(damage){.chunk = of_carrier[i], PUT_INDEX(at, 40000)}, "carrier");
        }
    lt_shape_release(shape);
}

/* A fan that ends too late or before it begins, or names a triangle that is none or not around its point. */
static void bad_fans_are_refused(void) {
    static const char message[] = "triangles around";
    lt_shape *shape = make_shape(false);
    lt_carrier carrier;
    lt_skin skin;
    CHECK_FATAL(lt_carrier_read(&carrier, shape, NULL) == LT_OK);
    CHECK_FATAL(lt_skin_read(&skin, shape, &carrier, NULL) == LT_OK);
    for (uint32_t point = 0; point <= skin.point_count; point++) {
        const uint32_t wrong[] = {3 * skin.triangle_count + 1, UINT32_MAX, point ? 0 : 1};
        for (size_t i = 0; i < LT_COUNT_OF(wrong); i++) {
            check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_FAN_BEGIN, PUT_INDEX(point, wrong[i])},
                          message);
        }
    }
    for (uint32_t point = 0; point < skin.point_count; point++)
        for (uint32_t i = skin.fan_begin[point]; i < skin.fan_begin[point + 1]; i++) {
            uint32_t elsewhere = 0;
            for (const uint32_t *t = skin.triangles; t[0] == point || t[1] == point || t[2] == point; t += 3)
                elsewhere++;
            const uint32_t wrong[] = {elsewhere, skin.triangle_count, UINT32_MAX};
            for (size_t k = 0; k < LT_COUNT_OF(wrong); k++)
                check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_FANS, PUT_INDEX(i, wrong[k])},
                              message);
        }
    lt_shape_release(shape);
}

static void bad_numbers_are_refused(void) {
    lt_shape *shape = make_shape(true);
    static const float senseless[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < LT_COUNT_OF(senseless); i++) {
        float bad = senseless[i];
        check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_REST, PUT_FLOAT(3 * 2 + 1, bad)},
                      "vertex 2 ");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_AREAS, PUT_FLOAT(4, bad)}, "vertex 4 ");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_EMBED_WEIGHTS, PUT_FLOAT(4 * 3, bad)}, "vertex 3 ");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_EMBED_OFFSETS, PUT_FLOAT(4 * 3 + 2, bad)},
                      "vertex 3 ");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_DISTANCE_VALUES, PUT_FLOAT(9, bad)}, "9");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_NODES, PUT_DOUBLE(3 * 4, (double)bad)}, "node 4 ");
        check_refused(shape, &(damage){.chunk = LT_CHUNK_FILL, PUT_FLOAT(3, bad)}, "tet 3");
    }
    check_refused(shape, &(damage){.chunk = LT_CHUNK_SURFACE_AREAS, PUT_FLOAT(4, -1)}, "vertex 4 ");
    check_refused(shape, &(damage){.chunk = LT_CHUNK_FILL, PUT_FLOAT(3, 0)}, "tet 3");
    check_refused(shape, &(damage){.chunk = LT_CHUNK_FILL, PUT_FLOAT(3, 1.5f)}, "tet 3");
    lt_shape_release(shape);
}

/* A thousandth too much moves a point 1 km out by a metre. */
static void weights_must_sum_to_one(void) {
    lt_shape *shape = make_shape(false);
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, 4);
    const float *w = lt_shape_f32(shape, LT_CHUNK_EMBED_WEIGHTS, &dims, NULL);
    static const float wrong[] = {0.5f, -0.5f, 0.05f, 0.001f, -0.001f};
    for (size_t i = 0; i < LT_COUNT_OF(wrong); i++)
        check_refused(shape,
                      &(damage){.chunk = LT_CHUNK_EMBED_WEIGHTS, PUT_FLOAT(4 * 3 + 1, w[13] + wrong[i])},
                      "vertex 3 ");
    lt_shape_release(shape);
}

int main(void) {
    RUN(a_copy_is_read);
    RUN(absent_and_short_chunks_are_refused);
    RUN(bad_indices_are_refused);
    RUN(bad_fans_are_refused);
    RUN(bad_numbers_are_refused);
    RUN(weights_must_sum_to_one);
    return check_finish();
}
