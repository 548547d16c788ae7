/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bear, lizard, shoe and teapots, and what all blended shapes share: golden hashes, refusals, failing memory. */

#include "generate_checks.h"

/* ---- figures ---- */

static void bear_and_shoe_stand_on_the_ground(void) {
    static const uint32_t counts[] = {2000, 6000};
    for (size_t i = 0; i < LT_COUNT_OF(counts); i++) {
        lt_surface bear, shoe;
        CHECK_FATAL(lt_generate_bear(&bear, counts[i], NULL, NULL) == LT_OK);
        CHECK_FATAL(lt_generate_shoe(&shoe, counts[i], NULL, NULL) == LT_OK);
        check_solid(&bear, "bear", 2, 1);
        check_solid(&shoe, "shoe", 2, 1);
        CHECK_NEAR(bear.triangle_count, counts[i], 0.03 * counts[i]);
        CHECK_NEAR(shoe.triangle_count, counts[i], 0.03 * counts[i]);
        CHECK(worst_triangle(&bear) > 0.25 && worst_triangle(&shoe) > 0.25);
        lt_box box = lt_surface_box(&bear);
        CHECK(box.lo.y == 0.0f);
        CHECK_NEAR(box.hi.y, 1.0, 1e-6);
        box = lt_surface_box(&shoe);
        CHECK(box.lo.y == 0.0f);
        CHECK_NEAR(box.hi.x - box.lo.x, 1.0, 1e-6);
        if (counts[i] >= 6000) { /* finer meshes of the same solid */
            CHECK_NEAR(lt_surface_volume(&bear), 0.111, 0.002);
            CHECK_NEAR(lt_surface_volume(&shoe), 0.064, 0.002);
        }
        lt_surface_free(&bear);
        lt_surface_free(&shoe);
    }
}

static void lizard_stands_on_the_ground(void) {
    static const uint32_t counts[] = {2000, 6000};
    for (size_t i = 0; i < LT_COUNT_OF(counts); i++) {
        lt_surface lizard;
        CHECK_FATAL(lt_generate_lizard(&lizard, counts[i], NULL, NULL) == LT_OK);
        check_solid(&lizard, "lizard", 2, 1);
        CHECK_NEAR(lizard.triangle_count, counts[i], 0.03 * counts[i]);
        CHECK(worst_triangle(&lizard) > 0.15);
        lt_box box = lt_surface_box(&lizard);
        CHECK(box.lo.y == 0.0f);
        CHECK_NEAR(box.hi.y, 1.0, 1e-6);
        lt_surface_free(&lizard);
    }
}

/* ---- teapot ---- */

static bool has_vertex(const lt_surface *s, float x, float y, float z) {
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (lt_v3_distance(s->positions[i], (lt_vec3){x, y, z}) < 1e-5f) return true;
    return false;
}

/* Points on the patches by hand: corners are control points; the middle of the shoulder curve is
 * (1.5 + 3*1.75 + 3*2 + 2) / 8 = 1.84375 out and (2.4 + 3*1.875 + 3*1.35 + .9) / 8 = 1.621875 up. */
static void teapot_as_designed(void) {
    for (uint32_t r = 2; r <= 10; r += 4) {
        lt_surface pot;
        CHECK_FATAL(lt_generate_teapot(&pot, r, NULL, NULL) == LT_OK);
        CHECK_COUNT(pot.triangle_count, 32 * 2 * r * r - 8 * r);
        topology t = topology_of(&pot);
        CHECK(!t.closed && t.fans && t.used);
        CHECK_COUNT(t.open_edges, 2 * 4 * r + 4 * 2 * r); /* rim and lid; two ends of two tubes */
        CHECK_COUNT(t.components, 4);
        CHECK_COUNT(t.euler, 2); /* two discs and two bands */
        CHECK(t.least_area > 0.0);
        CHECK(has_vertex(&pot, 3.2f, 2.4f, 0.0f) && has_vertex(&pot, 2.8f, 2.4f, 0.0f));    /* spout */
        CHECK(has_vertex(&pot, -3.0f, 1.8f, 0.0f) && has_vertex(&pot, -1.5f, 2.25f, 0.0f)); /* handle */
        CHECK(has_vertex(&pot, 0.0f, 3.15f, 0.0f) && has_vertex(&pot, 0.0f, 0.0f, 0.0f));   /* poles */
        CHECK(has_vertex(&pot, 0.0f, 2.4f, 1.3f) && has_vertex(&pot, -1.4f, 2.4f, 0.0f));   /* lid, rim */
        CHECK(has_vertex(&pot, 1.84375f, 1.621875f, 0.0f));
        lt_box box = lt_surface_box(&pot);
        CHECK_NEAR(box.hi.z, 2.0, 1e-6);
        CHECK_NEAR(box.lo.z, -2.0, 1e-6);
        if (r == 10) CHECK_NEAR(box.hi.x, 3.434, 1e-3); /* the lip hangs over */
        lt_surface_free(&pot);
    }
}

/* Outward: over the belly, spout and handle alike, normals point away from the middle of their piece. The
 * volume swept by each piece's triangles about a point inside that piece is positive. */
static void teapot_pieces_face_outward(void) {
    lt_surface pot;
    CHECK_FATAL(lt_generate_teapot(&pot, 8, NULL, NULL) == LT_OK);
    static const struct {
        float x0, x1;
        lt_dvec3 inside;
    } pieces[] = {{2.4f, 4.0f, {2.75, 1.9, 0}}, {-4.0f, -2.65f, {-2.85, 1.8, 0}}, {-1.4f, 1.4f, {0, 1.2, 0}}};
    for (size_t p = 0; p < LT_COUNT_OF(pieces); p++) {
        double swept = 0.0;
        for (uint32_t t = 0; t < pot.triangle_count; t++) {
            const uint32_t *v = lt_triangle_at(&pot, t);
            lt_vec3 a = pot.positions[v[0]], b = pot.positions[v[1]], c = pot.positions[v[2]];
            if (a.x < pieces[p].x0 || a.x > pieces[p].x1) continue;
            swept += lt_tet_volume(pieces[p].inside, lt_d3_from_v3(a), lt_d3_from_v3(b), lt_d3_from_v3(c));
        }
        CHECK(swept > 0.0);
    }
    lt_surface_free(&pot);
}

static void solid_teapot_has_a_handle(void) {
    for (uint32_t count = 2000; count <= 4000; count *= 2) {
        lt_surface pot;
        CHECK_FATAL(lt_generate_teapot_solid(&pot, count, NULL, NULL) == LT_OK);
        check_solid(&pot, "solid teapot", 0, 1);
        CHECK_NEAR(pot.triangle_count, count, 0.03 * count);
        lt_box box = lt_surface_box(&pot);
        CHECK_NEAR(box.lo.y, 0.0, 0.03);
        CHECK_NEAR(box.hi.y, 3.15, 0.03);
        CHECK_NEAR(box.hi.z, 2.0, 0.03);
        lt_surface_free(&pot);
    }
}

/* As wide as with its lid, flat on top as far as the rim at 0.04 + 2.498 (1 - 0.08 / 3.15) = 2.475 plus the rounding of
 * 0.04; the tip of the spout is higher. */
static void pot_is_flat_on_top(void) {
    lt_surface pot;
    CHECK_FATAL(lt_generate_pot_solid(&pot, 4000, NULL, NULL) == LT_OK);
    check_solid(&pot, "pot", 0, 1);
    CHECK_NEAR(pot.triangle_count, 4000, 0.03 * 4000);
    lt_box box = lt_surface_box(&pot);
    CHECK_NEAR(box.lo.y, 0.0, 0.03);
    CHECK_NEAR(box.hi.y, 2.67, 0.03);
    CHECK_NEAR(box.hi.z, 2.0, 0.03);
    uint32_t level = 0, beside = 0;
    for (uint32_t i = 0; i < pot.vertex_count; i++) {
        lt_vec3 p = pot.positions[i];
        if (p.y < 1.5f || p.x * p.x + p.z * p.z > 1.3f * 1.3f) continue;
        bool is_level = fabsf(p.y - 2.515f) < 0.01f;
        level += is_level;
        beside += !is_level;
    }
    CHECK_COUNT(beside, 0);
    CHECK(level > 100);
    lt_surface_free(&pot);
}

/* ---- all ---- */

static void same_bits_everywhere(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_bear(&s, 3000, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_surface(&s), 5797641148696872535u);
    lt_surface_free(&s);
    CHECK_FATAL(lt_generate_shoe(&s, 3000, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_surface(&s), 5934388166024797584u);
    lt_surface_free(&s);
    CHECK_FATAL(lt_generate_letter(&s, 'R', 1000, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_surface(&s), 9421708753316232294u);
    lt_surface_free(&s);
    CHECK_FATAL(lt_generate_teapot(&s, 6, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_surface(&s), 6918429953653327597u);
    lt_surface_free(&s);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    CHECK_FATAL(lt_generate_torus_knot(&s, &knot, NULL, NULL) == LT_OK);
    CHECK_COUNT(hash_surface(&s), 10807630842403831271u);
    lt_surface_free(&s);
}

static void bad_arguments_are_refused(void) {
    lt_surface s;
    lt_error error;
    CHECK_COUNT(lt_generate_letter(&s, 'a', 2000, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "A to Z");
    CHECK(s.positions == NULL);
    CHECK_COUNT(lt_generate_letter(&s, 'A', 399, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "triangles");
    CHECK_COUNT(lt_generate_bear(&s, 1000001, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "bear");
    CHECK_COUNT(lt_generate_shoe(&s, 0, NULL, NULL), LT_STATUS_INVALID);
    CHECK_COUNT(lt_generate_teapot(&s, 1, NULL, &error), LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "patch");
    CHECK_COUNT(lt_generate_teapot_solid(&s, 10, NULL, NULL), LT_STATUS_INVALID);
}

static void failing_memory_leaves_nothing(void) {
    lt_surface s;
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_letter(&s, 'C', 400, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_bear(&s, 600, allocator, NULL), lt_surface_free);
    CHECK_SURVIVES_FAILING_MEMORY(s, lt_generate_teapot(&s, 2, allocator, NULL), lt_surface_free);
}

int main(void) {
    RUN(bear_and_shoe_stand_on_the_ground);
    RUN(lizard_stands_on_the_ground);
    RUN(teapot_as_designed);
    RUN(teapot_pieces_face_outward);
    RUN(solid_teapot_has_a_handle);
    RUN(pot_is_flat_on_top);
    RUN(same_bits_everywhere);
    RUN(bad_arguments_are_refused);
    RUN(failing_memory_leaves_nothing);
    return check_finish();
}
