/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces on lattices: weights, gathers, anchors, and shapes whose contents make no sense. */

#include "check.h"

#include "core/random.h"
#include "embed/damage.h"
#include "lithe/bake.h"
#include "scenes/generate.h"

typedef struct fixture {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    float *nodes; /* [node_count][4] as the kernels want them */
} fixture;

static bool fixture_bake(fixture *out) {
    lt_surface s;
    lt_error error = {0};
    *out = (fixture){0};
    if (lt_generate_letter(&s, 'S', 500, NULL, NULL) != LT_OK) return false;
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.positions = &s.positions[0].x;
    def.triangles = s.triangles;
    def.vertex_count = s.vertex_count;
    def.triangle_count = s.triangle_count;
    def.carrier = LT_CARRIER_LATTICE;
    def.target_cells = 20;
    def.distance_resolution = 4;
    bool ok = lt_bake_surface(&def, &out->shape, NULL, &error) == LT_OK &&
              lt_carrier_read(&out->carrier, out->shape, &error) == LT_OK &&
              lt_skin_read(&out->skin, out->shape, &out->carrier, &error) == LT_OK;
    if (!ok) printf("%s\n", error.message);
    lt_surface_free(&s);
    if (ok) out->nodes = LT_NEW(NULL, 4 * (size_t)out->carrier.node_count, float);
    return ok;
}

static void fixture_free(fixture *it) {
    LT_DELETE(NULL, it->nodes, 4 * (size_t)it->carrier.node_count, float);
    lt_shape_release(it->shape);
}

/* The shape is baked once, and changed by nobody; only the nodes move. */
static fixture f;

static void shake(uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (size_t i = 0; i < 4 * (size_t)f.carrier.node_count; i++)
        f.nodes[i] = i % 4 == 3 ? 0 : lt_random_range(&random, -1, 1);
}

/* ---- weights ---- */

static void weights_are_those_of_a_cube(void) {
    double w[8];
    lt_cell_weights(w, (lt_dvec3){0.25, 0.5, 1});
    CHECK_NEAR(w[0] + w[1] + w[2] + w[3], 0, 0);
    CHECK_NEAR(w[4], 0.375, 0);
    CHECK_NEAR(w[5], 0.125, 0);
    CHECK_NEAR(w[6], 0.375, 0);
    CHECK_NEAR(w[7], 0.125, 0);
}

static void weights_are_shares(void) {
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        double sum = 0;
        for (size_t k = 8 * (size_t)i; k < 8 * ((size_t)i + 1); k++) {
            CHECK(f.skin.weights[k] >= 0 && f.skin.weights[k] <= 1);
            sum += (double)f.skin.weights[k];
        }
        CHECK_NEAR(sum, 1, 3e-7);
    }
}

/* ---- gathers ---- */

static void points_are_weighted_sums(void) {
    shake(1);
    lt_vec3 *points = LT_NEW(NULL, f.skin.point_count, lt_vec3);
    lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), points, &f.skin, f.nodes, 0, f.skin.point_count);
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        lt_dvec3 sum = {0, 0, 0};
        for (size_t k = 8 * (size_t)i; k < 8 * ((size_t)i + 1); k++) {
            const float *n = f.nodes + 4 * (size_t)f.skin.ids[k];
            sum = lt_d3_mad(sum, (lt_dvec3){n[0], n[1], n[2]}, (double)f.skin.weights[k]);
        }
        CHECK_NEAR(lt_d3_distance(sum, lt_d3_from_v3(points[i])), 0, 5e-7);
    }
    LT_DELETE(NULL, points, f.skin.point_count, lt_vec3);
}

/* Straight maps of nodes are straight maps of points; also for velocities, which are gathered the same way. */
static void affine_maps_are_reproduced(void) {
    lt_random random = lt_random_seed(5);
    lt_vec3 *points = LT_NEW(NULL, f.skin.point_count, lt_vec3);
    for (int round = 0; round < 5; round++) {
        double m[12];
        for (int i = 0; i < 12; i++)
            m[i] = (double)lt_random_range(&random, -1, 1);
        for (uint32_t n = 0; n < f.carrier.node_count; n++)
            for (size_t k = 0; k < 3; k++) {
                const double *x = f.carrier.rest + 3 * (size_t)n;
                f.nodes[4 * (size_t)n + k] =
                    (float)(m[4 * k] * x[0] + m[4 * k + 1] * x[1] + m[4 * k + 2] * x[2] + m[4 * k + 3]);
            }
        lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), points, &f.skin, f.nodes, 0,
                           f.skin.point_count);
        for (uint32_t i = 0; i < f.skin.point_count; i++) {
            lt_dvec3 x = lt_d3_from_v3(f.skin.rest[i]);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(lt_v3_get(points[i], k),
                           m[4 * k] * x.x + m[4 * k + 1] * x.y + m[4 * k + 2] * x.z + m[4 * k + 3], 2e-6);
        }
    }
    LT_DELETE(NULL, points, f.skin.point_count, lt_vec3);
}

/* In [begin, end), and nowhere else, the bits are those of the scalar kernel over all. */
static void check_range(lt_simd_level level, const lt_vec3 *expected, uint32_t begin, uint32_t end) {
    uint32_t count = f.skin.point_count;
    size_t size = (size_t)count + 2;
    lt_vec3 *field = LT_NEW(NULL, size, lt_vec3), *untouched = LT_NEW(NULL, size, lt_vec3);
    memset(field, 0xa5, size * sizeof *field);
    memset(untouched, 0xa5, size * sizeof *field);
    lt_embed_positions(lt_embed_kernels_for(level), field + 1, &f.skin, f.nodes, begin, end);
    CHECK(memcmp(field, untouched, (begin + 1) * sizeof *field) == 0);
    CHECK(memcmp(field + 1 + end, untouched, (count - end + 1) * sizeof *field) == 0);
    CHECK(memcmp(field + 1 + begin, expected + begin, (end - begin) * sizeof *field) == 0);
    LT_DELETE(NULL, field, size, lt_vec3);
    LT_DELETE(NULL, untouched, size, lt_vec3);
}

static void all_levels_and_ranges_agree(void) {
    shake(2);
    uint32_t count = f.skin.point_count;
    lt_vec3 *expected = LT_NEW(NULL, count, lt_vec3);
    lt_embed_positions(lt_embed_kernels_for((lt_simd_level)0), expected, &f.skin, f.nodes, 0, count);
    for (int level = 0; level <= (int)lt_simd_best(); level++) {
        check_range((lt_simd_level)level, expected, 0, count);
        check_range((lt_simd_level)level, expected, 5, 5);
        for (uint32_t begin = 0; begin < count; begin += 61)
            check_range((lt_simd_level)level, expected, begin, lt_min_u32(begin + 61, count));
    }
    LT_DELETE(NULL, expected, count, lt_vec3);
}

/* ---- anchors ---- */

static void anchors_have_eight_nodes(void) {
    for (uint32_t i = 0; i < f.skin.point_count; i++) {
        lt_anchor anchor = lt_embed_anchor(&f.skin, i);
        lt_dvec3 sum = {0, 0, 0};
        CHECK_COUNT(anchor.count, 8);
        for (uint32_t k = 0; k < anchor.count; k++) {
            const double *x = f.carrier.rest + 3 * (size_t)anchor.ids[k];
            sum = lt_d3_mad(sum, (lt_dvec3){x[0], x[1], x[2]}, (double)anchor.weights[k]);
        }
        CHECK_NEAR(lt_d3_distance(sum, lt_d3_from_v3(f.skin.rest[i])), 0, 1e-6);
    }
}

/* ---- senseless shapes ---- */

static void chunks_must_be_there_and_whole(void) {
    static const char *const names[] = {
        LT_CHUNK_CELLS,         LT_CHUNK_EMBED_TETS,      LT_CHUNK_EMBED_IDS,     LT_CHUNK_EMBED_WEIGHTS,
        LT_CHUNK_SURFACE_CELLS, LT_CHUNK_SURFACE_PARENTS, LT_CHUNK_CELL_BOXES,    LT_CHUNK_CELL_MASKS,
        LT_CHUNK_SURFACE_FANS,  LT_CHUNK_SURFACE_REST,    LT_CHUNK_SURFACE_AREAS, LT_CHUNK_DISTANCE_VALUES};
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        check_refused(f.shape, &(damage){.chunk = names[i], .remove = true}, "");
        check_refused(f.shape, &(damage){.chunk = names[i], .rows_less = 1}, "");
    }
}

static void senseless_values_are_refused(void) {
    const uint32_t cells = f.carrier.cell_count, other = f.skin.tets[5] ? 0 : cells - 1;
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_TETS, PUT_INDEX(5, cells)}, "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_TETS, PUT_INDEX(5, other)}, "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_IDS, PUT_INDEX(43, f.carrier.node_count)},
                  "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_IDS, PUT_INDEX(43, f.skin.ids[42])},
                  "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_WEIGHTS, PUT_FLOAT(43, NAN)}, "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_EMBED_WEIGHTS, PUT_FLOAT(43, 2)}, "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_SURFACE_REST, PUT_FLOAT(15, 100)}, "vertex 5 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_SURFACE_CELLS, PUT_INDEX(9, cells)}, "triangle 9 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_SURFACE_CELLS, PUT_INDEX(9, UINT32_MAX)},
                  "triangle 9 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_SURFACE_PARENTS, PUT_INDEX(9, UINT32_MAX)},
                  "triangle 10 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_CELL_BOXES, PUT_FLOAT(6 * 3, NAN)}, "cell 3 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_CELL_BOXES, PUT_FLOAT(6 * 3, -1)}, "cell 3 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_CELL_BOXES, PUT_FLOAT(6 * 3 + 3, 2)}, "cell 3 ");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_CELL_BOXES, PUT_FLOAT(6 * 3 + 3, 0)}, "");
    check_refused(f.shape, &(damage){.chunk = LT_CHUNK_CELL_MASKS, .at = 3, .value.u = 64, .value_size = 1},
                  "cell 3 ");
}

/* Random bits anywhere: refused or read, and what is read can be used. */
static void random_damage_does_no_harm(void) {
    static const char *const names[] = {
        LT_CHUNK_CELLS,         LT_CHUNK_EMBED_TETS,    LT_CHUNK_EMBED_IDS,
        LT_CHUNK_EMBED_WEIGHTS, LT_CHUNK_SURFACE_CELLS, LT_CHUNK_SURFACE_PARENTS,
        LT_CHUNK_CELL_BOXES,    LT_CHUNK_SURFACE_AREAS, LT_CHUNK_SURFACE_TRIANGLES};
    lt_random random = lt_random_seed(11);
    shake(3);
    lt_vec3 *points = LT_NEW(NULL, f.skin.point_count, lt_vec3);
    uint32_t refused = 0;
    for (int round = 0; round < 60; round++) {
        damage d = {.chunk = names[lt_random_below(&random, LT_COUNT_OF(names))], .value_size = 4};
        d.at = lt_random_below(&random, 100);
        d.value.u = lt_random_u32(&random) >> lt_random_below(&random, 32);
        lt_shape *bad = damaged_copy(f.shape, &d);
        lt_carrier carrier;
        lt_skin skin;
        if (lt_carrier_read(&carrier, bad, NULL) == LT_OK &&
            lt_skin_read(&skin, bad, &carrier, NULL) == LT_OK)
            lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), points, &skin, f.nodes, 0,
                               skin.point_count);
        else
            refused++;
        lt_shape_release(bad);
    }
    CHECK(refused > 40);
    LT_DELETE(NULL, points, f.skin.point_count, lt_vec3);
}

int main(void) {
    if (!fixture_bake(&f)) return 1;
    RUN(weights_are_those_of_a_cube);
    RUN(weights_are_shares);
    RUN(points_are_weighted_sums);
    RUN(affine_maps_are_reproduced);
    RUN(all_levels_and_ranges_agree);
    RUN(anchors_have_eight_nodes);
    RUN(chunks_must_be_there_and_whole);
    RUN(senseless_values_are_refused);
    RUN(random_damage_does_no_harm);
    fixture_free(&f);
    return check_finish();
}
