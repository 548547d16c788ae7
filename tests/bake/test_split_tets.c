/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Cutting at tets: every piece in one tet, whatever the nodes do; nothing lost, nothing opened. */

#include "bake/adjacency.h"
#include "bake/split_tets.h"
#include "mesh/closest.h"

#include "check.h"

#include "bake/block_shapes.h"
#include "bake/icosahedral.h"
#include "failing_allocator.h"

typedef struct cut_fixture {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_cut_surface split;
} cut_fixture;

static void cut_free(cut_fixture *f) {
    lt_cut_surface_free(&f->split);
    lt_shape_release(f->shape);
    memset(f, 0, sizeof *f);
}

/* Takes over the shape. */
static bool cut_shape(cut_fixture *f, lt_shape *shape) {
    lt_error error = {LT_OK, ""};
    *f = (cut_fixture){.shape = shape};
    lt_status status = shape ? lt_carrier_read(&f->carrier, shape, &error) : LT_STATUS_INVALID;
    if (status == LT_OK) status = lt_skin_read(&f->skin, shape, &f->carrier, &error);
    if (status == LT_OK) status = lt_cut_surface_build(&f->split, &f->carrier, &f->skin, NULL, &error);
    if (status == LT_OK) return true;
    CHECK_FAIL_MESSAGE("cut: %s", error.message);
    cut_free(f);
    return false;
}

/* ---- what must hold of every cut surface ---- */

static lt_dvec3 place_of(const cut_fixture *f, uint32_t point) {
    return lt_cut_position(&f->carrier, &f->split.points[point]);
}

static lt_dvec3 area_vector(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c) {
    return lt_d3_scale(lt_d3_cross(lt_d3_sub(b, a), lt_d3_sub(c, a)), 0.5);
}

/* The corners lie in the tet; returns how many of them hang on nodes of other tets, and might leave it when
 * those move. */
static uint32_t check_piece(const cut_fixture *f, const lt_cut_piece *piece) {
    const uint32_t *tet = f->carrier.tets + 4 * (size_t)piece->tet;
    uint32_t strangers = 0;
    lt_dvec3 corners[4];
    for (int k = 0; k < 4; k++)
        corners[k] = ((const lt_dvec3 *)f->carrier.rest)[tet[k]];
    for (int k = 0; k < 3; k++) {
        const lt_cut_point *p = &f->split.points[piece->corners[k]];
        double weights[4];
        bool is_stranger = false;
        CHECK(lt_barycentric_weights(weights, corners, place_of(f, piece->corners[k])));
        CHECK(lt_least_weight(weights) > -1e-5);
        for (int i = 0; i < 4; i++)
            is_stranger |= p->weights[i] != 0 && p->ids[i] != tet[0] && p->ids[i] != tet[1] &&
                           p->ids[i] != tet[2] && p->ids[i] != tet[3];
        strangers += is_stranger;
    }
    return strangers;
}

/* The vector areas of the pieces of a triangle sum to its own, and so do their sizes. */
static void check_areas(const cut_fixture *f) {
    uint32_t i = 0;
    lt_surface surface = lt_skin_surface(&f->skin);
    for (uint32_t parent = 0; parent < f->skin.triangle_count; parent++) {
        lt_dvec3 p[3], sum = {0, 0, 0};
        double size = 0;
        lt_triangle_corners(&surface, parent, p);
        for (; i < f->split.piece_count && f->split.pieces[i].parent == parent; i++) {
            const uint32_t *c = f->split.pieces[i].corners;
            lt_dvec3 part = area_vector(place_of(f, c[0]), place_of(f, c[1]), place_of(f, c[2]));
            sum = lt_d3_add(sum, part);
            size += lt_d3_length(part);
        }
        lt_dvec3 whole = area_vector(p[0], p[1], p[2]);
        CHECK_NEAR(lt_d3_distance(sum, whole), 0, 1e-5 * (lt_d3_length(whole) + 0.01));
        CHECK_NEAR(size, lt_d3_length(whole), 1e-5 * (lt_d3_length(whole) + 0.01));
    }
    CHECK_COUNT(i, f->split.piece_count); /* parents ascend, and all are there */
}

static void count_topology(const lt_surface *surface, lt_surface_adjacency *out, long *euler) {
    long used = 0;
    CHECK_FATAL(lt_surface_adjacency_build(out, surface, NULL, NULL) == LT_OK);
    for (uint32_t v = 0; v < surface->vertex_count; v++)
        used += lt_rows_count(&out->vertex_triangles, v) > 0;
    *euler = used - (long)out->edge_count + (long)surface->triangle_count;
}

static void check_topology(const cut_fixture *f) {
    lt_surface whole = lt_skin_surface(&f->skin), cut = {0};
    lt_surface_adjacency before = {0}, after = {0};
    long was = 0, is = 0;
    CHECK_FATAL(lt_surface_allocate(&cut, f->split.point_count, f->split.piece_count, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < f->split.piece_count; i++)
        memcpy(cut.triangles + 3 * (size_t)i, f->split.pieces[i].corners, 3 * sizeof(uint32_t));
    count_topology(&whole, &before, &was);
    count_topology(&cut, &after, &is);
    CHECK(before.is_closed == after.is_closed);
    CHECK(before.is_oriented == after.is_oriented);
    CHECK_COUNT(before.component_count, after.component_count);
    CHECK(was == is);
    lt_surface_adjacency_free(&before);
    lt_surface_adjacency_free(&after);
    lt_surface_free(&cut);
}

/* Of a surface that can be cut. Returns how many corners are strangers to their tets. */
static uint32_t check_cut(const cut_fixture *f) {
    uint32_t strangers = 0;
    CHECK_COUNT(f->split.spanning_count, 0);
    for (uint32_t i = 0; i < f->split.piece_count; i++) {
        if (f->split.pieces[i].tet == LT_NONE) continue;
        strangers += check_piece(f, &f->split.pieces[i]);
    }
    check_areas(f);
    return strangers;
}

/* ---- cases ---- */

static void a_ball_is_cut(void) {
    for (uint32_t n = 1; n <= 4; n++) {
        lt_surface ball;
        cut_fixture f;
        CHECK_FATAL(make_ball(&ball, 3, 0.4));
        if (cut_shape(&f, shape_in_block(&ball, n))) {
            CHECK_COUNT(check_cut(&f), 0);
            CHECK(f.split.piece_count > ball.triangle_count);
            check_topology(&f);
        }
        cut_free(&f);
        lt_surface_free(&ball);
    }
}

/* Triangles that hold whole faces of tets, with corners of pieces where edges of tets go through them. */
static void triangles_may_be_larger_than_tets(void) {
    lt_surface box;
    cut_fixture f;
    CHECK_FATAL(make_large_box(&box));
    if (cut_shape(&f, shape_in_block(&box, 5))) {
        CHECK_COUNT(check_cut(&f), 0);
        CHECK(f.split.piece_count > 20 * box.triangle_count);
        check_topology(&f);
    }
    cut_free(&f);
    lt_surface_free(&box);
}

/* Faces of the box lie in planes of the block's cells, edges on their edges. */
static void planes_may_coincide(void) {
    lt_surface box;
    cut_fixture f;
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){0.25f, 0.25f, 0.25f}, (const uint32_t[3]){3, 1, 2}, NULL,
                                NULL) == LT_OK);
    for (uint32_t i = 0; i < box.vertex_count; i++)
        box.positions[i] = lt_v3_add(box.positions[i], (lt_vec3){0.5f, 0.5f, 0.5f});
    if (cut_shape(&f, shape_in_block(&box, 4))) {
        CHECK(f.split.spanning_count <= box.triangle_count / 4);
        for (uint32_t i = 0; i < f.split.piece_count; i++)
            if (f.split.pieces[i].tet != LT_NONE) check_piece(&f, &f.split.pieces[i]);
        check_areas(&f);
    }
    cut_free(&f);
    lt_surface_free(&box);
}

/* Every triangle is a face of a tet: nothing is cut. */
static void a_boundary_stays_as_it_is(void) {
    cut_fixture f;
    CHECK_FATAL(cut_shape(&f, shape_in_block(NULL, 3)));
    CHECK_COUNT(check_cut(&f), 0);
    CHECK_COUNT(f.split.piece_count, f.skin.triangle_count);
    for (uint32_t i = 0; i < f.split.piece_count; i++)
        CHECK(f.split.pieces[i].tet != LT_NONE);
    check_topology(&f);
    cut_free(&f);
}

/* Far from the origin the vertices of a boundary, being floats, are not quite where the nodes are. */
static void a_boundary_may_be_far_away(void) {
    lt_tet_mesh mesh;
    cut_fixture f;
    fixture_options options = {.surface = NULL};
    lt_bake_notes notes;
    CHECK_FATAL(lt_generate_tet_ball(&mesh, 0.1, 3, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = lt_d3_add(mesh.positions[i], (lt_dvec3){7.3, -20.1, 3.7});
    if (cut_shape(&f, bake_fixture(&mesh, &options, &notes))) {
        CHECK_COUNT(f.split.spanning_count, 0);
        CHECK_COUNT(f.split.piece_count, f.skin.triangle_count);
        check_topology(&f);
    }
    cut_free(&f);
    lt_tet_mesh_free(&mesh);
}

/* One triangle through the face between two tets: three pieces, and two points that hang on the face alone. */
static void one_face_makes_three_pieces(void) {
    lt_dvec3 nodes[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
    uint32_t tets[8] = {0, 1, 2, 3, 0, 2, 1, 4};
    lt_vec3 corners[3] = {{0.2f, 0.2f, 0.1f}, {0.4f, 0.2f, -0.1f}, {0.2f, 0.4f, -0.1f}};
    uint32_t triangle[3] = {0, 1, 2};
    lt_tet_mesh mesh = {.positions = nodes, .tets = tets, .node_count = 5, .tet_count = 2};
    lt_surface surface = {
        .positions = corners, .triangles = triangle, .vertex_count = 3, .triangle_count = 1};
    fixture_options options = {.surface = &surface};
    lt_bake_notes notes;
    cut_fixture f;
    CHECK_FATAL(cut_shape(&f, bake_fixture(&mesh, &options, &notes)));
    CHECK_COUNT(f.split.piece_count, 3);
    CHECK_COUNT(f.split.point_count, 5);
    CHECK_COUNT(check_cut(&f), 0);
    for (uint32_t point = 3; point < 5; point++) {
        const lt_cut_point *p = &f.split.points[point];
        for (int k = 0; k < 4; k++)
            CHECK(p->weights[k] == 0 || p->ids[k] < 3);
        CHECK_NEAR(place_of(&f, point).z, 0, 1e-7);
    }
    /* halfway along two edges: (0.3, 0.2, 0) and (0.2, 0.3, 0) */
    double sum = place_of(&f, 3).x + place_of(&f, 4).x, product = place_of(&f, 3).x * place_of(&f, 4).x;
    CHECK_NEAR(sum, 0.5, 1e-6);
    CHECK_NEAR(product, 0.06, 1e-6);
    cut_free(&f);
}

static void open_and_double_surfaces_are_cut(void) {
    lt_surface part;
    cut_fixture f;
    CHECK_FATAL(make_open_and_double(&part));
    if (cut_shape(&f, shape_in_block(&part, 3))) CHECK_COUNT(check_cut(&f), 0);
    cut_free(&f);
    lt_surface_free(&part);
}

/* What leaves the carrier stays whole, and is counted; the rest is cut. */
static void what_leaves_the_carrier_spans(void) {
    lt_surface ball;
    cut_fixture f;
    uint32_t spanning = 0, cut = 0;
    CHECK_FATAL(make_ball(&ball, 2, 0.53));
    if (cut_shape(&f, shape_in_block(&ball, 2))) {
        for (uint32_t i = 0; i < f.split.piece_count; i++) {
            spanning += f.split.pieces[i].tet == LT_NONE;
            cut += f.split.pieces[i].tet != LT_NONE;
        }
        CHECK_COUNT(f.split.spanning_count, spanning);
        CHECK(spanning > 0 && cut > 0);
        for (uint32_t i = 0; i < f.split.piece_count; i++)
            if (f.split.pieces[i].tet != LT_NONE) check_piece(&f, &f.split.pieces[i]);
        check_areas(&f);
    }
    cut_free(&f);
    lt_surface_free(&ball);
}

static void memory_may_run_out_anywhere(void) {
    lt_surface ball;
    cut_fixture f;
    CHECK_FATAL(make_ball(&ball, 1, 0.4));
    if (cut_shape(&f, shape_in_block(&ball, 1))) {
        lt_status status = LT_STATUS_MEMORY;
        for (int allowed = 0; status != LT_OK && allowed < 300; allowed++) {
            failing out = failing_after(allowed);
            lt_allocator allocator = failing_allocator(&out);
            lt_cut_surface split;
            status = lt_cut_surface_build(&split, &f.carrier, &f.skin, &allocator, NULL);
            CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && !split.points && !split.pieces));
            lt_cut_surface_free(&split);
            CHECK_COUNT(out.blocks_out, 0);
            CHECK_COUNT(out.bytes_out, 0);
        }
        CHECK(status == LT_OK);
    }
    cut_free(&f);
    lt_surface_free(&ball);
}

int main(void) {
    RUN(a_ball_is_cut);
    RUN(triangles_may_be_larger_than_tets);
    RUN(planes_may_coincide);
    RUN(a_boundary_stays_as_it_is);
    RUN(a_boundary_may_be_far_away);
    RUN(one_face_makes_three_pieces);
    RUN(open_and_double_surfaces_are_cut);
    RUN(what_leaves_the_carrier_spans);
    RUN(memory_may_run_out_anywhere);
    return check_finish();
}
