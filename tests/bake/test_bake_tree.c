/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Multiscale trees as baked: the cut is a cut, and the coarsest; records hold what is in their boxes; what it
 * costs hangs on the tets, not on the triangles. */

#include "bound/multiscale_chunks.h"

#include "check.h"

#include "bake/icosahedral.h"
#include "bake/tree_fixture.h"
#include "failing_allocator.h"

/* ---- the cut ---- */

static uint32_t record_count(const lt_multiscale_tree *t, uint32_t group) {
    return t->groups[group + 1].first - t->groups[group].first;
}

/* Tets that hold corners of the triangles of a node. Of surfaces that are cut those are the tets of its
 * triangles. */
static uint32_t count_governors(const tree_fixture *f, uint32_t node) {
    const lt_multiscale_node *n = f->tree.nodes + node;
    uint8_t *seen = LT_NEW(NULL, f->carrier.tet_count, uint8_t);
    uint32_t count = 0;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        uint32_t tet = f->tree.triangle_tets[i];
        if (tet == LT_NONE || seen[tet]) continue;
        seen[tet] = 1;
        count++;
    }
    LT_DELETE(NULL, seen, f->carrier.tet_count, uint8_t);
    return count;
}

static void check_cut(const tree_fixture *f) {
    const lt_multiscale_tree *t = &f->tree;
    for (uint32_t i = 0; i < t->node_count; i++) {
        if (t->nodes[i].child != LT_NONE) continue;
        uint32_t met = 0; /* from the leaf up to the root */
        for (uint32_t node = i; node != LT_NONE; node = t->links[node].parent)
            met += lt_multiscale_is_on_cut(t, node);
        CHECK_COUNT(met, 1);
    }
    for (uint32_t g = 0; g < t->cut_count; g++) {
        uint32_t node = t->group_nodes[g], parent = t->links[node].parent;
        bool is_leaf = t->nodes[node].child == LT_NONE;
        CHECK(record_count(t, g) <= t->governors_max || is_leaf);
        CHECK_COUNT(record_count(t, g), count_governors(f, node));
        if (parent != LT_NONE) CHECK(count_governors(f, parent) > t->governors_max); /* the coarsest */
    }
    /* Records of the cut are the first, and lie in its order. */
    for (uint32_t g = 1; g < t->cut_count; g++)
        CHECK(t->group_nodes[g] > t->group_nodes[g - 1]);
}

static void the_cut_is_the_coarsest(void) {
    static const uint32_t limits[] = {1, 3, 8, 64};
    for (size_t i = 0; i < LT_COUNT_OF(limits); i++)
        for (uint32_t n = 1; n <= 3; n += 2) {
            tree_fixture f;
            CHECK_FATAL(ball_in_block(&f, 2, n, limits[i]));
            CHECK_COUNT(f.tree.governors_max, limits[i]);
            CHECK_COUNT(f.tree.spanning_count, 0);
            check_cut(&f);
            tree_fixture_free(&f);
        }
}

/* Each triangle of a boundary has a tet of its own: a leaf of four has too many for a cut of one, and is on
 * it all the same. */
static void leaves_lie_on_the_cut(void) {
    tree_fixture f;
    uint32_t large = 0;
    CHECK_FATAL(tree_fixture_of(&f, shape_in_block(NULL, 2), 1));
    check_cut(&f);
    for (uint32_t g = 0; g < f.tree.cut_count; g++)
        large += record_count(&f.tree, g) > 1;
    CHECK(large > 0);
    CHECK(f.tree.above_count > 0);
    tree_fixture_free(&f);
}

static void a_surface_of_one_triangle_has_a_tree(void) {
    lt_vec3 corners[3] = {{0.2f, 0.2f, 0.2f}, {0.25f, 0.2f, 0.2f}, {0.2f, 0.27f, 0.2f}};
    uint32_t triangle[3] = {0, 1, 2};
    lt_surface one = {.positions = corners, .triangles = triangle, .vertex_count = 3, .triangle_count = 1};
    tree_fixture f;
    CHECK_FATAL(tree_fixture_of(&f, shape_in_block(&one, 1), 0));
    CHECK_COUNT(f.tree.bunch_count, 1);
    CHECK_COUNT(f.tree.cut_count, 1);
    CHECK_COUNT(f.tree.above_count, 0);
    tree_fixture_free(&f);
}

/* Sixteen times the triangles: the same tets govern. */
static void the_cut_hangs_on_tets_not_on_triangles(void) {
    tree_fixture coarse, fine;
    CHECK_FATAL(ball_in_block(&coarse, 2, 2, 0));
    CHECK_FATAL(ball_in_block(&fine, 4, 2, 0));
    uint32_t few = coarse.tree.groups[coarse.tree.cut_count].first,
             many = fine.tree.groups[fine.tree.cut_count].first;
    CHECK(fine.tree.triangle_count > 6 * coarse.tree.triangle_count);
    CHECK(5 * many <= 6 * few);
    CHECK(fine.tree.cut_count <= coarse.tree.cut_count + coarse.tree.cut_count / 5 + 1);
    tree_fixture_free(&coarse);
    tree_fixture_free(&fine);
}

/* ---- records ---- */

static bool is_near(const float *weights, const float *point) {
    for (int k = 0; k < 4; k++)
        if (fabsf(weights[k] - point[k]) > 0) return false;
    return true;
}

/* A record of the group that allows these weights in a tet. */
static bool is_allowed(const lt_multiscale_tree *t, uint32_t group, uint32_t tet, const float weights[4]) {
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++) {
        const float *r = t->records + LT_RECORD_NUMBERS * (size_t)i;
        if (t->governors[t->record_governors[i]] != tet) continue;
        if (i >= t->groups[group].points) return is_near(weights, r) || is_near(weights, r + 4);
        bool within = true;
        for (int k = 0; k < 4; k++) /* strictly: they are widened */
            within &= r[k] < weights[k] && weights[k] < r[4 + k];
        return within;
    }
    return false;
}

static bool weights_in_tet(float out[4], const tree_fixture *f, uint32_t point, uint32_t tet) {
    memset(out, 0, 4 * sizeof *out);
    for (int k = 0; k < 4; k++) {
        const float w = f->tree.weights[4 * (size_t)point + (size_t)k];
        const uint32_t *nodes = f->carrier.tets + 4 * (size_t)tet;
        int corner = 0;
        while (corner < 4 && nodes[corner] != f->tree.ids[4 * (size_t)point + (size_t)k])
            corner++;
        if (corner == 4 && w != 0) return false;
        if (corner < 4) out[corner] += w;
    }
    return true;
}

static void check_records(const tree_fixture *f) {
    const lt_multiscale_tree *t = &f->tree;
    uint32_t missing = 0;
    for (uint32_t g = 0; g < t->group_count; g++) {
        const lt_multiscale_node *n = t->nodes + t->group_nodes[g];
        for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++) {
            uint32_t point = t->triangles[i], tet = t->triangle_tets[i / 3];
            float weights[4];
            if (tet == LT_NONE || !weights_in_tet(weights, f, point, tet)) {
                tet = f->skin
                          .tets[t->vertices[point]]; /* where its triangle is not enough to say where it is */
                CHECK(weights_in_tet(weights, f, point, tet));
            }
            missing += !is_allowed(t, g, tet, weights);
        }
    }
    CHECK_COUNT(missing, 0);
}

static void records_hold_what_is_in_their_boxes(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 3, 3, 0));
    check_records(&f);
    tree_fixture_free(&f);
    CHECK_FATAL(ball_in_block(&f, 1, 4, 0));
    check_records(&f);
    tree_fixture_free(&f);
    CHECK_FATAL(tree_fixture_of(&f, shape_in_block(NULL, 2), 2));
    check_records(&f);
    tree_fixture_free(&f);
}

/* What leaves the carrier hangs on the tets of its corners, by weights outside of 0 to 1; some of those hold
 * one point of a box or two. */
static void what_spans_hangs_on_its_corners(void) {
    lt_surface ball;
    tree_fixture f;
    CHECK_FATAL(make_ball(&ball, 2, 0.55));
    if (tree_fixture_of(&f, shape_in_block(&ball, 2), 0)) {
        uint32_t of_points = 0;
        for (uint32_t g = 0; g < f.tree.group_count; g++)
            of_points += f.tree.groups[g + 1].first - f.tree.groups[g].points;
        CHECK(of_points > 0);
        CHECK(f.tree.spanning_count > 0);
        CHECK(f.tree.overhang > 0.01f);
        check_records(&f);
    }
    tree_fixture_free(&f);
    lt_surface_free(&ball);
}

/* ---- the surface in it ---- */

static void every_triangle_is_there(void) {
    tree_fixture f;
    CHECK_FATAL(ball_in_block(&f, 3, 2, 0));
    uint32_t *pieces = LT_NEW(NULL, f.skin.triangle_count, uint32_t), vertices = 0, absent = 0;
    for (uint32_t i = 0; i < f.tree.triangle_count; i++)
        pieces[f.tree.parents[i]]++;
    for (uint32_t i = 0; i < f.skin.triangle_count; i++)
        absent += pieces[i] == 0;
    CHECK_COUNT(absent, 0);
    for (uint32_t i = 0; i < f.tree.point_count; i++) {
        uint32_t v = f.tree.vertices[i];
        if (v == LT_NONE) continue;
        vertices++;
        for (size_t k = 0; k < 4; k++) {
            CHECK_COUNT(f.tree.ids[4 * (size_t)i + k], f.skin.ids[4 * (size_t)v + k]);
            CHECK_NEAR(f.tree.weights[4 * (size_t)i + k], f.skin.weights[4 * (size_t)v + k], 4e-6);
        }
    }
    CHECK_COUNT(vertices, f.skin.point_count);
    LT_DELETE(NULL, pieces, f.skin.triangle_count, uint32_t);
    tree_fixture_free(&f);
}

/* ---- baking ---- */

static lt_status bake(const lt_shape *shape, const lt_bake_tree_def *def, lt_shape **out, lt_error *error) {
    *out = NULL;
    return lt_bake_tree(shape, def, out, error);
}

static void baking_again_gives_the_same(void) {
    lt_shape *shape = shape_in_block(NULL, 2), *once, *twice;
    lt_bake_tree_def def = lt_bake_tree_def_default();
    CHECK_FATAL(shape && bake(shape, &def, &once, NULL) == LT_OK && bake(once, &def, &twice, NULL) == LT_OK);
    CHECK(lt_shape_hash(once) == lt_shape_hash(twice));
    CHECK_COUNT(lt_shape_chunk_count(once), lt_shape_chunk_count(shape) + 17);
    CHECK(!lt_multiscale_tree_exists(shape) && lt_multiscale_tree_exists(twice));
    lt_shape_release(shape);
    lt_shape_release(once);
    lt_shape_release(twice);
}

static void check_refused(const lt_shape *shape, const lt_bake_tree_def *def, const char *part) {
    lt_shape *out;
    lt_error error = {LT_OK, ""};
    CHECK(bake(shape, def, &out, &error) == LT_STATUS_INVALID && !out);
    CHECK_CONTAINS(error.message, part);
}

static void what_has_no_tree_is_refused(void) {
    lt_bake_tree_def def = lt_bake_tree_def_default();
    lt_shape *shape = shape_in_block(NULL, 1);
    def.max_governors = 0;
    check_refused(shape, &def, "give 1 to 64");
    def.max_governors = 65;
    check_refused(shape, &def, "give 1 to 64");
    lt_shape_release(shape);
    def = lt_bake_tree_def_default();
    lt_tet_mesh mesh;
    lt_bake_notes notes;
    fixture_options linked = {.rigid_links = true};
    CHECK_FATAL(lt_generate_tet_ball(&mesh, 1, 1, NULL, NULL) == LT_OK);
    check_refused(shape = bake_fixture(&mesh, &linked, &notes), &def, "barycentric");
    lt_shape_release(shape);
    lt_tet_mesh_free(&mesh);
    lt_surface ball;
    CHECK_FATAL(make_ball(&ball, 1, 0.4));
    lt_bake_surface_def lattice = lt_bake_surface_def_default();
    lattice.carrier = LT_CARRIER_LATTICE;
    lattice.positions = &ball.positions[0].x;
    lattice.triangles = ball.triangles;
    lattice.vertex_count = ball.vertex_count;
    lattice.triangle_count = ball.triangle_count;
    lattice.target_cells = 20;
    CHECK_FATAL(lt_bake_surface(&lattice, &shape, NULL, NULL) == LT_OK);
    check_refused(shape, &def, "lattice");
    lt_shape_release(shape);
    lt_surface_free(&ball);
}

static bool stop_at(void *context, const char *stage, float share) {
    (void)stage;
    (void)share;
    return --*(int *)context >= 0;
}

static void baking_can_be_stopped(void) {
    lt_shape *shape = shape_in_block(NULL, 1), *out;
    lt_status status = LT_STATUS_CANCELLED;
    int stops = 0;
    for (; status == LT_STATUS_CANCELLED && stops < 10; stops++) {
        int allowed = stops;
        lt_bake_tree_def def = lt_bake_tree_def_default();
        def.progress = stop_at;
        def.progress_context = &allowed;
        status = bake(shape, &def, &out, NULL);
        CHECK(status == LT_OK || !out);
    }
    CHECK(status == LT_OK && stops > 2);
    lt_shape_release(out);
    lt_shape_release(shape);
}

static void memory_may_run_out_anywhere(void) {
    lt_shape *shape = shape_in_block(NULL, 1);
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 400; allowed++) {
        failing counted = failing_after(allowed);
        lt_bake_tree_def def = lt_bake_tree_def_default();
        def.allocator = failing_allocator(&counted);
        lt_shape *out;
        lt_error error = {LT_OK, ""};
        status = bake(shape, &def, &out, &error);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && error.message[0] && !out));
        lt_shape_release(out);
        CHECK_COUNT(counted.blocks_out, 0);
        CHECK_COUNT(counted.bytes_out, 0);
    }
    CHECK(status == LT_OK);
    lt_shape_release(shape);
}

int main(void) {
    RUN(the_cut_is_the_coarsest);
    RUN(leaves_lie_on_the_cut);
    RUN(a_surface_of_one_triangle_has_a_tree);
    RUN(the_cut_hangs_on_tets_not_on_triangles);
    RUN(records_hold_what_is_in_their_boxes);
    RUN(what_spans_hangs_on_its_corners);
    RUN(every_triangle_is_there);
    RUN(baking_again_gives_the_same);
    RUN(what_has_no_tree_is_refused);
    RUN(baking_can_be_stopped);
    RUN(memory_may_run_out_anywhere);
    return check_finish();
}
