/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Surfaces of every kind, good and bad.
 * labels: golden */

#include "bake/icosahedral.h"
#include "core/hash.h"
#include "enclose_checks.h"
#include "enclose_shapes.h"

/* Newell's teapot is open in six places and in four pieces that cross. */
static void open_teapot_is_a_solid(void) {
    lt_surface teapot;
    lt_enclosure e;
    CHECK_FATAL(lt_generate_teapot(&teapot, 3, NULL, NULL) == LT_OK);
    if (enclose_coarsely(&teapot, 150, 3, &e)) {
        CHECK(!e.is_sheet);
        CHECK(e.cap_count > 0);
        CHECK(e.solid_volume > 5.0); /* a ball of radius 1.06 fits into the pot */
        lt_enclosure_free(&e);
    }
    lt_surface_free(&teapot);
}

static void sheets_get_shells(void) {
    lt_surface sheet;
    lt_enclosure e;
    CHECK_FATAL(make_sheet(&sheet, 6, 0.0f));
    if (enclose_coarsely(&sheet, 120, 4, &e)) {
        CHECK(e.is_sheet && e.solid_volume == 0.0);
        CHECK(e.fill[0] == 1.0f);
        CHECK(e.carrier_volume < 0.8 * e.lattice_volume);
        lt_enclosure_free(&e);
    }
    sheet.triangle_count = 1; /* of the same arrays: most vertices are used by no triangle */
    if (enclose_coarsely(&sheet, 24, 3, &e)) {
        CHECK(e.is_sheet && e.vertex_tets[48] == LT_NONE);
        lt_enclosure_free(&e);
    }
    sheet.triangle_count = 2 * 6 * 6;
    lt_surface_free(&sheet);
}

/* A ball in a ball: turned outward the inner one changes nothing, turned inward it is a hollow. */
static void nested_shells_follow_the_winding_number(void) {
    const double inner = 0.6;
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 2, NULL, NULL) == LT_OK);
    double volume = lt_surface_volume(&ball);
    for (int is_turned = 0; is_turned < 2; is_turned++) {
        lt_surface both = {0};
        lt_enclosure e;
        CHECK_FATAL(append_surface(&both, &ball, 1.0f, (lt_vec3){0, 0, 0}, false));
        CHECK_FATAL(append_surface(&both, &ball, (float)inner, (lt_vec3){0, 0, 0}, is_turned));
        if (enclose_coarsely(&both, 250, 2, &e)) {
            double wanted = is_turned ? volume * (1.0 - inner * inner * inner) : volume;
            CHECK_NEAR(e.solid_volume / wanted, 1.0, 0.02);
            CHECK(e.carrier_volume < 1.7 * wanted);
            lt_enclosure_free(&e);
        }
        lt_surface_free(&both);
    }
    lt_surface_free(&ball);
}

static uint64_t hash_of(const lt_enclosure *e) {
    uint64_t hash = lt_hash_bytes(LT_HASH_SEED, e->mesh.positions, e->mesh.node_count * sizeof(lt_dvec3));
    hash = lt_hash_bytes(hash, e->mesh.tets, 4 * (size_t)e->mesh.tet_count * sizeof(uint32_t));
    hash = lt_hash_bytes(hash, e->fill, e->mesh.tet_count * sizeof(float));
    return lt_hash_bytes(hash, e->vertex_tets, e->vertex_count * sizeof(uint32_t));
}

static void same_input_gives_the_same_bytes(void) {
    lt_surface surface;
    lt_enclosure e;
    uint64_t hashes[3];
    CHECK_FATAL(lt_generate_letter(&surface, 'A', 400, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        lt_enclose_def def = lt_enclose_def_default();
        def.target_tets = 80;
        def.rounds = 4;
        def.resolution = 8;
        def.seed = i < 2 ? 1 : 2;
        CHECK_FATAL(lt_enclose(&surface, &def, &e, NULL) == LT_OK);
        hashes[i] = hash_of(&e);
        lt_enclosure_free(&e);
    }
    check_golden("enclose-letter", hashes[0]);
    CHECK(hashes[0] == hashes[1]);
    CHECK(hashes[0] != hashes[2]);
    lt_surface_free(&surface);
}

/* The proof must be able to fail: a tet of another place, a node moved into the solid. */
static void verify_finds_what_is_outside(void) {
    lt_surface ball;
    lt_enclosure e;
    lt_error error;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 2, NULL, NULL) == LT_OK);
    CHECK_FATAL(enclose_coarsely(&ball, 150, 0, &e));
    uint32_t kept = e.vertex_tets[5];
    e.vertex_tets[5] = (kept + 100) % e.mesh.tet_count;
    CHECK(lt_enclosure_verify(&ball, &e, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "vertex 5");
    e.vertex_tets[5] = kept;
    CHECK(lt_enclosure_verify(&ball, &e, NULL, &error) == LT_OK);
    /* Without one of the tets that have no vertex but a triangle in them. */
    uint32_t failures = 0;
    for (uint32_t t = 0; t < e.mesh.tet_count; t++) {
        bool is_used = false;
        for (uint32_t v = 0; v < e.vertex_count; v++)
            is_used |= e.vertex_tets[v] == t || e.vertex_tets[v] == e.mesh.tet_count - 1;
        if (is_used) continue;
        uint32_t last = e.mesh.tet_count - 1, corners[4];
        memcpy(corners, lt_tet_at(&e.mesh, t), sizeof(corners));
        memcpy(e.mesh.tets + 4 * (size_t)t, lt_tet_at(&e.mesh, last), sizeof(corners));
        e.mesh.tet_count--;
        lt_status status = lt_enclosure_verify(&ball, &e, NULL, &error);
        CHECK((status == LT_OK) == (count_triangles_outside(&ball, &e.mesh) == 0));
        failures += status != LT_OK;
        e.mesh.tet_count++;
        memcpy(e.mesh.tets + 4 * (size_t)t, corners, sizeof(corners));
        if (failures == 3) break;
    }
    CHECK_COUNT(failures, 3);
    lt_enclosure_free(&e);
    lt_surface_free(&ball);
}

static void check_refused(const lt_surface *surface, const lt_enclose_def *def, const char *reason) {
    lt_enclosure e;
    lt_error error = {0};
    CHECK(lt_enclose(surface, def, &e, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, reason);
    CHECK(e.mesh.positions == NULL && e.fill == NULL && e.vertex_tets == NULL);
}

static void bad_input_is_refused(void) {
    lt_surface ball, turned = {0};
    lt_enclose_def good = lt_enclose_def_default();
    good.target_tets = 100;
    good.resolution = 8;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 1, NULL, NULL) == LT_OK);
    CHECK_FATAL(append_surface(&turned, &ball, 1.0f, (lt_vec3){0, 0, 0}, true));
    lt_enclose_def def = good;
    def.target_tets = 3;
    check_refused(&ball, &def, "8 to 2000000 tets, not 3");
    def.target_tets = 10000000;
    check_refused(&ball, &def, "not 10000000");
    def = good;
    def.min_dihedral = 0.5f;
    check_refused(&ball, &def, "1 to 45 degrees");
    def.min_dihedral = NAN;
    check_refused(&ball, &def, "1 to 45 degrees");
    def = good;
    def.rounds = 101;
    check_refused(&ball, &def, "0 to 100");
    def = good;
    def.resolution = 7;
    check_refused(&ball, &def, "even, 4 to 32, not 7");
    def.resolution = 34;
    check_refused(&ball, &def, "not 34");
    check_refused(&turned, &good, "inside out");
    ball.positions[3].y = NAN;
    check_refused(&ball, &good, "vertex 3");
    for (uint32_t v = 0; v < ball.vertex_count; v++)
        ball.positions[v] = (lt_vec3){1, 2, 3};
    check_refused(&ball, &good, "single point");
    for (uint32_t v = 0; v < ball.vertex_count; v++)
        ball.positions[v].x = (float)v;
    check_refused(&ball, &good, "no triangle has an area");
    lt_surface_free(&ball);
    lt_surface_free(&turned);
}

int main(void) {
    RUN(open_teapot_is_a_solid);
    RUN(sheets_get_shells);
    RUN(nested_shells_follow_the_winding_number);
    RUN(same_input_gives_the_same_bytes);
    RUN(verify_finds_what_is_outside);
    RUN(bad_input_is_refused);
    return check_finish();
}
